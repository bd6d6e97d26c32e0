/* Instructions of x86 that are known. */
#include <stdio.h>
#include <string.h>
static int add(volatile int *p, int n) { __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory"); return n; }
static unsigned char cmpset(volatile unsigned *dst, unsigned exp, unsigned src) {
  unsigned char res;
  __asm__ volatile("lock ; " "cmpxchgl %[src], %[dst];" "sete %[res];" : [res] "=a"(res), [dst] "=m"(*dst) : [src] "r"(src), "a"(exp), "m"(*dst) : "memory");
  return res;
}
static unsigned long cmpxchg(volatile unsigned long *p, unsigned long old, unsigned long new) {
  unsigned long prev;
  __asm__ __volatile__("lock; cmpxchgq %1,%2" : "=a"(prev) : "r"(new), "m"(*p), "0"(old) : "memory");
  return prev;
}
static void inc(int *p) { __asm__ volatile("lock incl %0" : "+m"(*p) : : "memory", "cc"); }
static unsigned char dec_and_test(int *p) { unsigned char c; __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory"); return c != 0; }
static int swap(int *p, int v) { __asm__ volatile("xchgl %0,%1" : "=r"(v) : "m"(*p), "0"(v) : "memory"); return v; }
static long load(long *p) { long v; __asm__ volatile("movq %1, %0" : "=r"(v) : "m"(*p) : "memory"); return v; }
static void store(long *p, long v) { __asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(v) : "memory"); }
static void clear(unsigned long *p, unsigned long n) {
  int d0, d1;
  __asm__ volatile("cld; rep; stosq" : "=c"(d0), "=D"(d1) : "a"(0), "0"(n), "1"(p) : "memory");
}
int main(void) {
  int x = 5, one = 1; unsigned u = 7; unsigned long w = 9; long l = -3;
  printf("%d ", add(&x, 3)); printf("%d\n", x);
  printf("%d ", cmpset(&u, 7, 8)); printf("%u ", u); printf("%d %u\n", cmpset(&u, 7, 9), u);
  printf("%lu ", cmpxchg(&w, 9, 10)); printf("%lu ", w); printf("%lu\n", cmpxchg(&w, 9, 11));
  inc(&x); printf("%d ", x); printf("%d %d ", dec_and_test(&x), x); printf("%d\n", dec_and_test(&one));
  printf("%d ", swap(&x, 42)); printf("%d\n", x);
  store(&l, load(&l) * 2); printf("%ld\n", l);
  unsigned long a[5] = {1, 2, 3, 4, 5}; clear(a + 1, 3); printf("%lu %lu %lu\n", a[0], a[2], a[4]);
  return 0;
}

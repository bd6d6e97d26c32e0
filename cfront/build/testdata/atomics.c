/* Atomic objects and builtins, arithmetic with overflow, bit builtins, inline assembly without instructions. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Atomic int ai = 5;
static _Atomic unsigned char ac = 250;
static _Atomic double ad = 1.5;
static _Atomic(int *) ap;
static _Atomic _Bool ab;
static _Atomic struct { int a, b; } as;

int main(void) {
  int old = ai++, now = --ai;
  ai += 3; ai *= 2; ai /= 3; ai <<= 1; ai ^= 7; ai |= 8; ai &= ~1;
  printf("%d %d %d\n", old, now, ai);
  ac += 10; int wrapped = ac++;
  ad *= 3; ad++; ad += ai;
  printf("%d %d %g\n", wrapped, ac, ad);
  int arr[4] = {1, 2, 3, 4};
  ap = arr; ap++; ap += 2; int *before = ap--;
  printf("%d %d\n", *ap, *before);
  ab = 7; ab ^= 1; printf("%d\n", ab);
  typeof(as) local = {1, 2}; as = local; printf("%d\n", ((typeof(local))as, 1));
  printf("%d ", atomic_fetch_add(&ai, 5)); printf("%d ", atomic_exchange(&ai, 9));
  int want = 9;
  printf("%d %d ", atomic_compare_exchange_strong(&ai, &want, 10), want);
  printf("%d %d ", atomic_compare_exchange_strong(&ai, &want, 11), want);
  printf("%d\n", atomic_load_explicit(&ai, memory_order_acquire));
  atomic_flag flag = ATOMIC_FLAG_INIT;
  printf("%d ", atomic_flag_test_and_set(&flag)); printf("%d\n", atomic_flag_test_and_set(&flag));
  long x = 100, y, z = 3;
  printf("%ld ", __sync_fetch_and_sub(&x, 1)); printf("%ld ", __sync_add_and_fetch(&x, 5)); printf("%d ", __sync_bool_compare_and_swap(&x, 104, 7)); printf("%ld ", __sync_val_compare_and_swap(&x, 1, 2));
  printf("%ld ", __atomic_nand_fetch(&x, 6, __ATOMIC_RELAXED)); __atomic_exchange(&x, &z, &y, __ATOMIC_SEQ_CST);
  printf("%ld %ld\n", x, y);
  atomic_thread_fence(memory_order_release);
  int r; unsigned char small; unsigned long long ull;
  printf("%d ", __builtin_add_overflow(2147483647, 1, &r)); printf("%d ", r);
  printf("%d ", __builtin_mul_overflow(20, 13, &small)); printf("%d ", small);
  printf("%d ", __builtin_sub_overflow(1, 2, &ull)); printf("%llx ", ull);
  printf("%d %d\n", __builtin_smul_overflow(1 << 20, 1 << 12, &r), __builtin_add_overflow_p(1, 2, (char)0));
  unsigned v = 0x00f01234;
  printf("%d %d %d %d %d %d %x\n", __builtin_clz(v), __builtin_ctz(v), __builtin_popcount(v), __builtin_parity(v), __builtin_ffs(0), __builtin_clrsb(-5), __builtin_bswap32(v));
  printf("%d %d %d %llx\n", __builtin_ffsll(1LL << 40), __builtin_clzl(1), __builtin_popcountll(~0ull), __builtin_bswap64(0x0102030405060708ull));
  double nan = __builtin_nan(""), inf = __builtin_inf();
  printf("%d %d %d %d %d %d\n", !!__builtin_isnan(nan), __builtin_isinf_sign(-inf), !!__builtin_isfinite(1.0), !!__builtin_signbit(-0.0), __builtin_isless(1.0, nan), __builtin_isunordered(1.0, nan));
  printf("%d %g %d\n", __builtin_fpclassify(0, 1, 2, 3, 4, 1e-310), __builtin_copysign(3.0, -0.0), __builtin_abs(-4));
  struct wide { int a[3]; char c; } w1 = {{1, 2, 3}, 4}, w2 = {{5, 6, 7}, 8}, w3;
  w1 = *(struct wide[]){w1}; memset(&w3, 0, sizeof w3);
  __atomic_load(&w1, &w3, 5); __atomic_exchange(&w1, &w2, &w3, 5); printf("%d %d ", w1.a[1], w3.c);
  struct odd { char c[5]; } o1 = {"abcd"}, o2 = {"abcd"}, o3 = {"efgh"};
  printf("%d ", __atomic_compare_exchange(&o1, &o2, &o3, 0, 5, 5)); printf("%s ", o1.c);
  printf("%d ", __atomic_compare_exchange(&o1, &o2, &o3, 0, 5, 5)); printf("%s\n", o2.c);
  int in = 5, out;
  __asm__("" : "+r"(in));
  __asm__("" : "=r"(out) : "0"(in));
  __asm__ volatile("" ::: "memory");
  printf("%d %d %d\n", in, out, __builtin_expect(in == 5, 1));
  return 0;
}

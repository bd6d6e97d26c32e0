/* Control flow: loops, switch, Duff's device, goto into and out of blocks, ranges, statement expressions. */
#include <stdio.h>

static int duff(const char *from, char *to, int count) {
  int n = (count + 3) / 4, steps = 0;
  switch (count % 4) {
  case 0: do { *to++ = *from++; steps++;
  case 3:      *to++ = *from++; steps++;
  case 2:      *to++ = *from++; steps++;
  case 1:      *to++ = *from++; steps++;
          } while (--n > 0);
  }
  return steps;
}

static int sw(int x) {
  switch (x) {
  case -5 ... -1: return 1;
  case 0: case 7: x++; break;
  case 1 ... 3: { int y = x * 2; if (y == 4) break; x = y; } /* fall through */
  default: x += 100;
  }
  return x;
}

static unsigned char usw(unsigned char c) {
  switch (c) { case 'a' ... 'z': return 1; case 200 ... 255: return 2; }
  return 0;
}

static int into(int k) {
  int s = 0;
  if (k) goto inside;
  for (int i = 0; i < 3; i++) {
    int t;
    t = i;
  inside:
    t = 5;
    s += t;
    if (k) { k = 0; goto out; }
  }
out:
  return s;
}

static int back(void) {
  int n = 0;
again:
  {
    int fresh = n * 2;
    n++;
    if (fresh < 6) goto again;
  }
  return n;
}

static int threaded(const unsigned char *code) {
  static void *const table[] = {&&push, &&add, &&mul, &&end};
  int stack[8], *sp = stack;
  goto *table[*code];
push: *sp++ = *++code; goto *table[*++code];
add: sp--; sp[-1] += *sp; goto *table[*++code];
mul: sp--; sp[-1] *= *sp; goto *table[*++code];
end: return sp[-1];
}

static int depth(int n) { return n ? ({ int m = depth(n - 1); m + 1; }) : 0; }

int main(void) {
  char from[] = "0123456789", to[16] = {0};
  for (int i = 1; i < 10; i++) printf("%d ", duff(from, to, i));
  printf("%s\n", to);
  for (int i = -7; i < 9; i++) printf("%d ", sw(i));
  printf("%d %d %d\n", usw('q'), usw(220), usw('A'));
  printf("%d %d %d\n", into(0), into(1), back());
  printf("%d\n", threaded((unsigned char[]){0, 2, 0, 3, 1, 0, 7, 2, 3}));
  printf("%d\n", depth(10));
  int i = 0, s = 0;
  while (1) { if (i++ > 5) break; if (i % 2) continue; s += i; }
  do { s++; if (s > 30) break; continue; } while (s < 100);
  for (;;) { if (++i > 20) break; }
  printf("%d %d\n", i, s);
  int v = ({ int a = 3; if (a > 2) goto done; a; });
  printf("never %d\n", v);
done:
  for (int x = 0, y = 10; x < y; x += 2, y--) printf("%d,%d ", x, y);
  printf("%d %d %d\n", i > 3 && s < 4 || i == 21, !i, i ? s ? 1 : 2 : 3);
  int z = 0;
  printf("%d %d", z ?: 5, (z = 7) ?: 5);
  printf(" %d\n", (z && 0, 4));
  return sw(2) + 40;
}

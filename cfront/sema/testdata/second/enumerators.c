// Enumerators are ints, whatever the type of their enum is.
enum { E1_A = 1, E1_B = 2 };
int f(unsigned x) {
  __auto_type a = E1_A;
  switch (x) {
  case -1 ... 37:
    return 1;
  }
  return a;
}
struct { enum e { A = 5, B } m : 5; } g;
__typeof__((g.m >> 1)) shifted;

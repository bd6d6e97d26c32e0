// expect: SAFE --check=overflow
/* A sum of two ints. */
int main(int argc, char **argv) {
  (void)argv;
  int n = 2147483640;
 if (argc <= 7)
    n = n + (argc == 1 ? 7 : argc);
  return n == argc;
}

// expect: UNSAFE --check=overflow
/* A sum of two ints. */
int main(int argc, char **argv) {
  (void)argv;
  int n = 2147483640;
 if (argc <= 8 && argc > 0)
    n = n + (argc == 1 ? 7 : argc);
 n = n + 1;
  return n == argc;
}

// expect: UNSAFE --check=memory
/* The first character of an argument is there, if the argument is. */
int main(int argc, char **argv) {
  if (argc > 1)
    return argv[2][0] == '-';
  return 0;
}

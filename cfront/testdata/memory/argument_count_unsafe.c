// expect: UNSAFE --check=memory
/* How many arguments there are does not change with argc. */
int main(int argc, char **argv) {
  argc = 5;
  return argv[argc] == 0;
}

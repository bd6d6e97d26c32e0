// expect: UNSAFE --check=memory
/* What is behind the last argument is a null pointer. */
int main(int argc, char **argv) {
  return *argv[argc];
}

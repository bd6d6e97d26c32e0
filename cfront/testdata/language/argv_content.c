// expect: error 3:10: unsupported: content of a string from outside of the program
int main(int argc, char **argv) {
  return argv[0][0];
}

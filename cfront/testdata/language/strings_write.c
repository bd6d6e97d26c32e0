// expect: error 4:3: unsupported: write to a string literal, or to what argv points to
int main(void) {
  char *s = "ab";
  s[0] = 'c';
  return 0;
}

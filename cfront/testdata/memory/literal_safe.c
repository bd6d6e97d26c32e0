// expect: SAFE --check=memory
/* A string literal is written, or an array that it initialises. */
static void upper(char *s) { s[0] = (char)(s[0] - 32); }
int main(void) {
  char s[] = "word";
 upper(s);
  return s[0] != 'W';
}

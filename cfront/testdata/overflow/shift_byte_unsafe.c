// expect: UNSAFE --check=overflow
/* A byte is an int when it is shifted. */
unsigned join(unsigned char high) {
 return high << 24;
}
int main(void) {
  return join(200) == 0;
}

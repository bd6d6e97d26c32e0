// expect: SAFE --check=overflow
/* Nor is the remainder defined. */
int rest(int a, int b) {
  return a % b;
}
int main(void) {
 return rest(-2147483647 - 1, 1);
}

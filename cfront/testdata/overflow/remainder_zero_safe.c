// expect: SAFE --check=overflow
/* A remainder has no meaning for zero, either; nor for unsigned. */
unsigned slot(unsigned key, unsigned size) {
  return key % size;
}
int main(void) {
 return slot(10, 5);
}

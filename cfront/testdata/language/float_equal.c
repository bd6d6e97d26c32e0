// expect: error 4:7: unsupported: floating point
double total;
int main(void) {
  if (total == 0) return 1;
  return 0;
}

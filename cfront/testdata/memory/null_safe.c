// expect: SAFE --check=memory
/* A pointer that was not found is followed. */
static int table[3] = {1, 2, 3};
static int *find(int key) {
  for (int i = 0; i < 3; i++)
    if (table[i] == key)
      return &table[i];
  return 0;
}
int main(void) {
 return *find(3) - 3;
}

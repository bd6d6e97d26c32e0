// expect: SAFE --check=memory
/* The value of an assignment of structs is another object than what is assigned to; it ends with the condition that it is part of. */
struct pair { int at[2]; };
struct pair given = {{1, 2}};
int main(void) {
  struct pair x;
  const int *p = x.at;
  if ((x = given).at[1] == 2 && *p == 1)
    return *p;
  return 1;
}

// expect: SAFE --check=memory
/* An element is assigned to any one, itself included; a copy that is longer than an element overlaps the next one. */
#include <string.h>
struct entry { int key, value; };
int main(int argc, char **argv) {
  struct entry at[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  (void)argv;
  if (argc < 1 || argc > 3)
    return 0;
  struct entry *p = &at[argc - 1], *q = &at[1];
  *p = *q;
  memcpy(p, q, sizeof *p);
  return at[0].key == 9;
}

// expect: SAFE --check=memory
/* What is written to a file has been initialised. */
#include <unistd.h>
int main(void) {
  char a[4];
  for (int i = 0; i < 4; i++)
    a[i] = '.';
  return write(1, a, sizeof a) == 4;
}

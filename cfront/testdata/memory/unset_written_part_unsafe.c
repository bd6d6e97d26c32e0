// expect: UNSAFE --check=memory
/* Of a buffer as much is written as has been read. */
#include <unistd.h>
int main(void) {
  char a[8];
  ssize_t n = read(0, a, sizeof a);
  if (n > 0)
    return write(1, a, sizeof a) == 0;
  return 0;
}

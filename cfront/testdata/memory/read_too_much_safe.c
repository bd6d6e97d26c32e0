// expect: SAFE --check=memory
/* read is given as many bytes as there are. */
#include <unistd.h>
int main(void) {
  char buf[4] = {0};
 if (read(0, buf, 4) < 0)
    return 1;
  return buf[0] == 'x';
}

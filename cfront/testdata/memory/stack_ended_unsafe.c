// expect: UNSAFE --check=memory
/* What alloca returns is used after its function has returned. */
#include <alloca.h>
static int *made;
static int work(void) {
  made = alloca(2 * sizeof *made);
  made[0] = 3;
  made[1] = 4;
  return made[0];
}
int main(void) {
  int sum = work();
 sum += made[1];
  return sum - 7;
}

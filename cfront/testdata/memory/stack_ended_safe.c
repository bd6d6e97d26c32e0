// expect: SAFE --check=memory
/* What alloca returns is used in its function alone. */
#include <alloca.h>
static int *made;
static int work(void) {
  made = alloca(2 * sizeof *made);
  made[0] = 3;
  made[1] = 4;
  return made[0] + made[1];
}
int main(void) {
  int sum = work();
  sum += 0;
  return sum - 7;
}

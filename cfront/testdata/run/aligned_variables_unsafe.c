// expect: UNSAFE
// Variables and types that ask for it lie at multiples of more than what any scalar needs.
#include <assert.h>
#include <stdint.h>

static _Alignas(128) char row[3];
extern int total;
int total __attribute__((aligned(256)));
struct line { long value; } __attribute__((aligned(512)));
_Alignas(1024) static struct line lines[2];
static _Thread_local _Alignas(1024) char own;

static uintptr_t beyond(const volatile void *p, uintptr_t n) { return (uintptr_t)p % n; }

static int by_value(struct line l) {
  l.value++;
  return beyond(&l, 512) == 0;
}

int main(void) {
  char before;
  _Alignas(2048) char here[5];
  struct line local;
  before = 0, here[0] = before, local.value = 1;
  assert(beyond(row, 128) == 0 && beyond(&total, 256) == 0 && beyond(&own, 1024) == 0);
  assert(beyond(&lines[1], 1024) == 0 && sizeof lines == 1024);
  assert(beyond(here, 2048) == 0 && beyond(&local, 512) == 0 && by_value(local));
  return 0;
}

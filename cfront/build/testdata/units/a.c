/* Several units: statics apart, tentative definitions, weak, aliases, constructors, inline. */
#include <stdio.h>
#include "units.h"

static int counter = 100;
static const char *name(void) { return "a"; }
int tentative;
int table[4] = {1, 2, 3, 4};
int weak_or_not(void) { return 1; }
int original(void) { return counter++; }
int other(void) __attribute__((alias("original")));
extern int renamed __asm__("real_name");
extern int never_defined(void) __attribute__((weak));
__attribute__((constructor(200))) static void second(void) { puts("a: constructor 200"); }
__attribute__((constructor)) static void last(void) { puts("a: constructor"); }
__attribute__((destructor)) static void leave(void) { puts("a: destructor"); }
int strnlen_calls;
char *strdup(const char *s) { strnlen_calls++; return (char *)s; }
struct { int x, y; } shared_struct = {7, 8};

int main(void) {
  printf("%s %s %d %d\n", name(), b_name(), counter, b_counter());
  tentative = 5;
  b_add(3);
  printf("%d %d %d\n", tentative, table[3], b_table_size());
  printf("%d %d %d\n", weak_or_not(), b_weak(), other() + original());
  printf("%d %d %d\n", renamed, never_defined ? 1 : 0, twice(21));
  printf("%d %s %d\n", b_pointer(&table[1]), strdup("own"), strnlen_calls);
  printf("%d %d\n", b_struct(), thread_local_value++);
  b_thread_local();
  printf("%d\n", thread_local_value);
  return b_callback(original);
}

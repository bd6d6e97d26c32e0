// expect: UNSAFE --check=race
// A function of the program's hands its arguments to vprintf; another thread writes the string.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
char name[8] = "ab";
void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}
void *f(void *arg) {
  name[1] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  say("%d %s\n", 5, name);
  pthread_join(t, 0);
  return 0;
}

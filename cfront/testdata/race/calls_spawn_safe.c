// expect: SAFE --check=race
// The text is copied when the thread that a function has created has been joined.
#include <pthread.h>
#include <string.h>
char text[4] = "a";
static void copy(const char *from) { strcpy(text, from); }
static void *copies(void *arg) {
  copy(arg);
  return 0;
}
static pthread_t spawn(char *with) {
  pthread_t t;
  pthread_create(&t, 0, copies, with);
  return t;
}
int main(void) {
  pthread_t t = spawn("bc");
  pthread_join(t, 0);
  copy("d");
  return 0;
}

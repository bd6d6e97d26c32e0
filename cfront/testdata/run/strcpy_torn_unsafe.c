// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
#include <string.h>
char text[4] = "aa";
void *change(void *p) { text[0] = 'x'; text[1] = 'y'; return 0; }
int main(void) {
  pthread_t t; char copy[4];
  pthread_create(&t, 0, change, 0);
  strcpy(copy, text); // from left to right
  assert(copy[0] != 'x' || copy[1] == 'y');
  return 0;
}

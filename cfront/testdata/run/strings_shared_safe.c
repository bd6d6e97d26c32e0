// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <string.h>
/* a read for each character: a mixture of both strings may be seen */
char s[3] = "ab";
void *f(void *a) { strcpy(s, "cd"); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int n = 0;
  if (strcmp(s, "ab") == 0) n = 1;
  if (strcmp(s, "cd") == 0) n = 2;
  pthread_join(t, 0);
  assert(n < 3 && s[1] == 'd' && strlen(s) == 2);
  return 0;
}

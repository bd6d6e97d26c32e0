// expect: SAFE --check=race
// Two threads read one file: streams are locked.
#include <pthread.h>
#include <stdio.h>
FILE *g;
char a[8], b[8];
void *f(void *arg) {
  fgets(a, 8, g);
  return arg;
}
int main(void) {
  pthread_t t;
  g = fopen("x", "r");
  if (!g)
    return 1;
  pthread_create(&t, 0, f, 0);
  fgets(b, 8, g);
  pthread_join(t, 0);
  fclose(g);
  return 0;
}

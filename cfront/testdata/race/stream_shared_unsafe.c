// expect: UNSAFE --check=race
// main closes the file while a thread may still read it.
#include <pthread.h>
#include <stdio.h>
FILE *g;
char a[8];
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
  fclose(g);
  pthread_join(t, 0);
  return 0;
}

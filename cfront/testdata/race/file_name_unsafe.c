// expect: UNSAFE --check=race
// fopen reads the name up to its end.
#include <pthread.h>
#include <stdio.h>
char name[8] = "a";
void *f(void *arg) {
  FILE *file = fopen(name, "r");
  if (file)
    fclose(file);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  name[0] = 0;
  pthread_join(t, 0);
  return 0;
}

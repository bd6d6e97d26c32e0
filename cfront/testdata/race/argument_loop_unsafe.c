// expect: UNSAFE --check=race
// Each thread gets the address of the loop's variable, which main goes on changing.
#include <pthread.h>
int sum[2];
void *f(void *arg) {
  int id = *(int *)arg;
  if (id >= 0 && id < 2)
    sum[id] = 1;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int ids[2], i;
  for (i = 0; i < 2; i++) {
    ids[i] = i;
    pthread_create(&t[i], 0, f, &i);
  }
  for (int k = 0; k < 2; k++)
    pthread_join(t[k], 0);
  return ids[0];
}

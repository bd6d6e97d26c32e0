// expect: SAFE --check=race
// Each thread works on its own element of a global array.
#include <pthread.h>
int data[3];
void *f(void *arg) {
  long id = (long)arg;
  data[id]++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return data[2] == 9;
}

// expect: UNSAFE --check=deadlock
// A barrier is for one more thread than a loop creates.
#include <pthread.h>
pthread_barrier_t b;
int id[3];
void *f(void *arg) {
  pthread_barrier_wait(&b);
  return 0;
}
static void start(pthread_t *t, int many) {
  for (int i = 0; i < many; i++)
    pthread_create(&t[i], 0, f, &id[i]);
}
int main(int argc, char **argv) {
  pthread_t t[3];
  int many = argc > 1 ? 2 : 3;
  pthread_barrier_init(&b, 0, many + 1);
  start(t, many);
  for (int i = 0; i < many; i++)
    pthread_join(t[i], 0);
  return 0;
}

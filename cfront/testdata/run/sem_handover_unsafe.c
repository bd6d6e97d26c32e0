// expect: UNSAFE
#include <semaphore.h>
#include <pthread.h>
#include <assert.h>

sem_t full;
int data;
void *producer(void *a) {
  data = 7;
  sem_post(&full);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&full, 0, 0);
  pthread_create(&t, 0, producer, 0);
  if (sem_trywait(&full) != 0) assert(data == 0 || data == 7);
  assert(data == 7);
  return 0;
}

// expect: SAFE --check=race
// The function that qsort calls counts with the lock.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int comparisons;
static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&m);
  comparisons++;
  pthread_mutex_unlock(&m);
  return *(const int *)a - *(const int *)b;
}
static void *sorts(void *arg) {
  int v[2] = {2, 1};
  qsort(v, 2, sizeof *v, compare);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sorts, 0);
  pthread_mutex_lock(&m);
  int n = comparisons;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return n == 2;
}

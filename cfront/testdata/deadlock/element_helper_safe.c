// expect: SAFE --check=deadlock
// What helpers lock and unlock is the same bucket, in any case.
#include <pthread.h>
struct bucket {
  pthread_mutex_t lock;
  int n;
};
static struct bucket table[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static void hold(struct bucket *b) { pthread_mutex_lock(&b->lock); }
static void give(struct bucket *b) { pthread_mutex_unlock(&b->lock); }
static int add(struct bucket *b, int n) {
  hold(b);
  if (b->n + n > 3) {
    give(b);
    return -1;
  }
  b->n += n;
  give(b);
  return 0;
}
static void *f(void *arg) {
  for (int i = 0; i < 2; i++)
    add(&table[i], 2);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  f(0);
  return 0;
}

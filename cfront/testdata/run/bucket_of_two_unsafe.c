// expect: UNSAFE
// A pointer leads to one of two structs, by an input: a step reads a member of both.
#include <assert.h>
#include <pthread.h>
struct bucket { pthread_mutex_t lock; int used; long keys[3]; };
struct map { struct bucket buckets[2]; };
static unsigned start;
static void *worker(void *arg) {
  struct bucket *b = &((struct map *)arg)->buckets[start % 2];
  pthread_mutex_lock(&b->lock);
  b->keys[b->used++] = start;
  pthread_mutex_unlock(&b->lock);
  return arg;
}
int main(int argc, char **argv) {
  if (argc > 1)
    start = 1;
  pthread_t t, u;
  static struct map m;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&m.buckets[i].lock, 0);
    m.buckets[i].used = 0;
  }
  pthread_create(&t, 0, worker, &m);
  pthread_create(&u, 0, worker, &m);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(m.buckets[0].used == 2);
  return 0;
}

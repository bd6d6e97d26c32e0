// expect: UNSAFE --check=race
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t lock; int hits; };
static struct { pthread_rwlock_t lock; int size; } table = {PTHREAD_RWLOCK_INITIALIZER, 0};
static pthread_mutex_t shards[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int hits;
static void count(struct node *n) {
  pthread_mutex_lock(&n->lock);
  n->hits++;
  hits++;
  pthread_mutex_unlock(&n->lock);
}

static void *serve(void *arg) {
  count(arg);
  return 0;
}

static pthread_t start(void) {
  pthread_t id;
  struct node *n = malloc(sizeof *n);
  pthread_mutex_init(&n->lock, 0);
  n->hits = 0;
  pthread_create(&id, 0, serve, n);
  return id;
}

int main(void) {
  pthread_t a = start();
  pthread_mutex_lock(&shards[3]);
  pthread_rwlock_rdlock(&table.lock);
  hits = table.size;
  pthread_rwlock_unlock(&table.lock);
  pthread_mutex_unlock(&shards[3]);
  pthread_join(a, 0);
  return 0;
}

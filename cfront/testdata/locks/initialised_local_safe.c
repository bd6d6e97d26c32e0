// expect: SAFE --check=locks
/* A read-write lock is a local of main, and each of two threads initialises it anew; in the unsafe one without destroying it before. */
#include <pthread.h>
struct table {
  pthread_rwlock_t l;
  int entries;
};
static void *writer(void *arg) {
  struct table *t = arg;
  pthread_rwlock_destroy(&t->l);
  pthread_rwlock_init(&t->l, 0);
  pthread_rwlock_wrlock(&t->l);
  t->entries++;
  pthread_rwlock_unlock(&t->l);
  return 0;
}
int main(void) {
  struct table t;
  pthread_t id;
  t.entries = 0;
  pthread_rwlock_init(&t.l, 0);
  pthread_create(&id, 0, writer, &t);
  pthread_join(id, 0);
  writer(&t);
  pthread_rwlock_destroy(&t.l);
  return t.entries != 2;
}

// Locks of all kinds, each of which protects its variable.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

enum { N = 3 };
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, robust;
static pthread_spinlock_t s;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static mtx_t mtx;
static int v[6], serial, made;

static void make(void) { made++; }

static void *work(void *p) {
  pthread_once(&once, make);
  assert(made == 1);
  pthread_mutex_lock(&m), pthread_mutex_lock(&m), v[0]++, pthread_mutex_unlock(&m), v[0]++, pthread_mutex_unlock(&m);
  pthread_spin_lock(&s), v[1]++, pthread_spin_unlock(&s);
  pthread_rwlock_wrlock(&l), v[2]++, v[2]++, pthread_rwlock_unlock(&l);
  pthread_rwlock_rdlock(&l), assert(v[2] % 2 == 0), pthread_rwlock_unlock(&l);
  sem_wait(&sem), v[3]++, sem_post(&sem);
  mtx_lock(&mtx), v[4]++, mtx_unlock(&mtx);
  for (int i = 0; i < 2; i++)
    if (pthread_barrier_wait(&b))
      __atomic_add_fetch(&serial, 1, __ATOMIC_SEQ_CST);
  assert(v[0] == 2 * N && v[1] == N && v[2] == 2 * N && v[3] == N && v[4] == N);
  return p;
}
static void *dies(void *p) { pthread_mutex_lock(&robust); return p; }

int main(void) {
  pthread_t t[N];
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &a);
  pthread_spin_init(&s, 0), sem_init(&sem, 0, 1), mtx_init(&mtx, mtx_plain), pthread_barrier_init(&b, 0, N);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(serial == 2);
  pthread_create(&t[0], 0, dies, 0);
  pthread_join(t[0], 0);
  assert(pthread_mutex_lock(&robust) == EOWNERDEAD);
  pthread_mutex_consistent(&robust);
  assert(pthread_mutex_unlock(&robust) == 0 && pthread_mutex_lock(&robust) == 0);
  assert(pthread_barrier_destroy(&b) == 0 && pthread_spin_destroy(&s) == 0 && sem_destroy(&sem) == 0);
  return 0;
}

// expect: UNSAFE --check=deadlock
// cond_gate with <threads.h>: one is woken.
#include <threads.h>
static mtx_t m;
static cnd_t ready;
static int go;
static int worker(void *a) {
  mtx_lock(&m);
  while (!go) cnd_wait(&ready, &m);
  mtx_unlock(&m);
  return a != 0;
}
int main(void) {
  thrd_t t, u;
  mtx_init(&m, mtx_plain);
  cnd_init(&ready);
  thrd_create(&t, worker, 0);
  thrd_create(&u, worker, 0);
  mtx_lock(&m);
  go = 1;
  cnd_signal(&ready);
  mtx_unlock(&m);
  thrd_join(t, 0);
  thrd_join(u, 0);
  cnd_destroy(&ready);
}

// expect: SAFE --check=deadlock
// Each thread sets the flag of the object that it was given.
#include <pthread.h>
#include <stdlib.h>
struct promise { pthread_mutex_t m; pthread_cond_t c; int kept, number; };
static void *keep(void *arg) {
  struct promise *p = arg;
  pthread_mutex_lock(&p->m);
  p->kept = 1;
  pthread_cond_broadcast(&p->c);
  pthread_mutex_unlock(&p->m);
  return 0;
}
static struct promise *start(int number) {
  pthread_t t;
  struct promise *p = calloc(1, sizeof *p);
  if (!p)
    exit(1);
  pthread_mutex_init(&p->m, 0);
  pthread_cond_init(&p->c, 0);
  p->number = number;
  pthread_create(&t, 0, keep, p);
  pthread_detach(t);
  return p;
}
static void wait_for(struct promise *p) {
  pthread_mutex_lock(&p->m);
  while (!p->kept)
    pthread_cond_wait(&p->c, &p->m);
  pthread_mutex_unlock(&p->m);
}
int main(void) {
  struct promise *all[2];
  for (int i = 0; i < 2; i++)
    all[i] = start(i);
  for (int i = 0; i < 2; i++)
    wait_for(all[i]);
  return 0;
}

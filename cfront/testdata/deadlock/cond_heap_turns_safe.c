// expect: SAFE --check=deadlock
// Three threads wait for turns with one condition variable on the heap; all are woken.
#include <pthread.h>
#include <stdlib.h>
struct slot { pthread_mutex_t mu; pthread_cond_t changed; int turn; };
static struct slot *s;
static void *player(void *arg) {
  int me = arg != 0;
  pthread_mutex_lock(&s->mu);
  while (s->turn != me) pthread_cond_wait(&s->changed, &s->mu);
  s->turn++;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->mu);
  return 0;
}
int main(void) {
  pthread_t a, b;
  s = malloc(sizeof *s);
  if (!s) return 1;
  pthread_mutex_init(&s->mu, 0);
  pthread_cond_init(&s->changed, 0);
  s->turn = 0;
  pthread_create(&a, 0, player, 0);
  pthread_create(&b, 0, player, s);
  pthread_mutex_lock(&s->mu);
  while (s->turn < 2) pthread_cond_wait(&s->changed, &s->mu);
  pthread_mutex_unlock(&s->mu);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

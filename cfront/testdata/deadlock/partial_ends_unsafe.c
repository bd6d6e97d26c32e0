// expect: UNSAFE --check=deadlock
// main never ends the program, while a thread waits for a unit that nobody posts.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
sem_t s;
void *f(void *arg) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, f, 0);
  for (;;) {
    if (__VERIFIER_nondet_int())
      sched_yield();
  }
}

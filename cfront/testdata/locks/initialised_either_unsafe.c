// expect: UNSAFE --check=locks
/* Which of two mutexes is initialised once more is an input: the one that was destroyed; in the unsafe one the other one, too, perhaps. */
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
  pthread_mutex_t m;
  int value;
};
int main(void) {
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
  if (!x || !y)
    return 1;
  pthread_mutex_init(&x->m, 0);
  pthread_mutex_init(&y->m, 0);
  struct node *one = __VERIFIER_nondet_int() ? x : y;
  pthread_mutex_destroy(&one->m);
  one = __VERIFIER_nondet_int() ? x : y;
  pthread_mutex_init(&one->m, 0);
  pthread_mutex_destroy(&x->m);
  pthread_mutex_destroy(&y->m);
  free(x);
  free(y);
  return 0;
}

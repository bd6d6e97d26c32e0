// expect: UNSAFE --check=race
// Who draws the number of a row writes one number more.
#include <pthread.h>
#include <stdlib.h>
struct work {
  int n, next;
  int *at;
  pthread_mutex_t m;
};
static int take(struct work *w) {
  int row = -1;
  pthread_mutex_lock(&w->m);
  if (w->next < w->n) row = w->next++;
  pthread_mutex_unlock(&w->m);
  return row;
}
static void *fill(void *arg) {
  struct work *w = arg;
  int row;
  while ((row = take(w)) >= 0)
    for (int j = 0; j <= w->n; j++) w->at[row * w->n + j] = row;
  return 0;
}
int main(void) {
  struct work w = { .n = 2 };
  pthread_t s, t;
  w.at = calloc(5, sizeof *w.at);
  pthread_mutex_init(&w.m, 0);
  pthread_create(&s, 0, fill, &w);
  pthread_create(&t, 0, fill, &w);
  pthread_join(s, 0);
  pthread_join(t, 0);
  int r = w.at[3] - 1;
  free(w.at);
  return r;
}

// expect: UNSAFE --check=race
// Each element of an array on the heap has a lock and an array that it guards: what is written is in the next element sometimes.
#include <pthread.h>
#include <stdlib.h>
struct shelf { pthread_mutex_t m; int book[3]; unsigned n; };
struct shelf *shelves;
void put(struct shelf *s, int v) {
  pthread_mutex_lock(&s->m);
  s[v == 2].book[s->n++ % 3] = v;
  pthread_mutex_unlock(&s->m);
}
void *f(void *arg) {
  put(&shelves[0], 2);
  return 0;
}
int main(void) {
  pthread_t t;
  shelves = calloc(2, sizeof *shelves);
  if (!shelves) return 1;
  for (int i = 0; i < 2; i++) pthread_mutex_init(&shelves[i].m, 0);
  pthread_create(&t, 0, f, 0);
  put(&shelves[1], 3);
  pthread_join(t, 0);
  free(shelves);
  return 0;
}

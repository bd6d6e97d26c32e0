// expect: SAFE --check=race
// An element of a member of the struct with the lock is written, by a pointer that was taken before the lock: it is of that lock.
#include <pthread.h>
#include <stdlib.h>
struct book { int a, b; };
struct shelf { unsigned n; struct book book[3]; pthread_mutex_t m; };
struct shelf *shelves;
void put(struct shelf *s, int v) {
  struct book *b = &s->book[v % 3];
  pthread_mutex_lock(&s->m);
  b = &s->book[s->n++ % 3];
  b->b = v;
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
  put(&shelves[0], 5);
  pthread_join(t, 0);
  free(shelves);
  return 0;
}

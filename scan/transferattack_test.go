package scan_test

import (
	"strings"
	"testing"
)

// TestTransferAttacks has programs that were once taken for right, each with one that is.
func TestTransferAttacks(t *testing.T) {
	const twice = `
static void *worker(void *a) {
  struct job *k = malloc(sizeof *k), *j;
  k->x = 1;
  LOCK if (!slot) slot = k; UNLOCK
  LOCK j = slot; slot = 0; UNLOCK
  if (j) j->x++;
  pthread_mutex_lock(&other); j = kept; kept = 0; pthread_mutex_unlock(&other);
  if (j) j->x++;
  k = malloc(sizeof *k);
  k->x = 1;
  pthread_mutex_lock(&other); if (!kept) kept = k; pthread_mutex_unlock(&other);
  return 0;
}
static void run(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  struct job *j = malloc(sizeof *j);
  j->x = 0;
  slot = j;
  kept = j;
  run();
  return 0;
}
`
	const between = `
struct { pthread_mutex_t m, o; } two = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
long off;
static pthread_mutex_t *which(void) { return (pthread_mutex_t *)((char *)&two + off); }
static void pause(void) { pthread_mutex_unlock(which()); pthread_mutex_lock(which()); }
static void *producer(void *a) {
  for (;;) {
    struct job *j = malloc(sizeof *j);
    j->x = 1;
    pthread_mutex_lock(&two.m); j->next = slot; slot = j; pthread_mutex_unlock(&two.m);
  }
}
static void *consumer(void *a) {
  for (;;) {
    pthread_mutex_lock(&two.m); struct job *j = slot; if (j) slot = j->next; pthread_mutex_unlock(&two.m);
    if (j) { j->x++; free(j); }
  }
}
static void *reader(void *a) {
  pthread_mutex_lock(&two.m); for (struct job *k = slot; k; k = k->next) { k->x++; pause(); } pthread_mutex_unlock(&two.m);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_create(&c, 0, reader, 0);
  pthread_join(a, 0);
}
`
	const held = `
struct job *third;
static void end(void) { pthread_exit(0); }
static void *worker(void *a) {
  struct job *k = malloc(sizeof *k), *j;
  k->x = 1;
  pthread_mutex_lock(&other); j = kept; kept = k; pthread_mutex_unlock(&other);
  if (j) j->x++;
  k = malloc(sizeof *k);
  k->x = 1;
  pthread_mutex_lock(&q2.m); j = third; third = k; pthread_mutex_unlock(&q2.m);
  if (j) j->x++;
  return 0;
}
static void *last(void *a) {
  struct job *k = malloc(sizeof *k);
  k->x = 1;
  pthread_mutex_lock(&other); if (!kept) kept = k; else k = 0; pthread_mutex_unlock(&other);
  LOCK
  slot = k;
  END
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, last, 0);
  pthread_join(a, 0);
  third = slot;
  slot = 0;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`
	ending := func(how string) string { return strings.Replace(held, "END", how, 1) }
	checkPairs(t, transferHeader, []pair{
		{"a thread returns with the lock", ending("slot = 0; UNLOCK return 0;"), ending("return 0;")},
		{"a thread ends with the lock", ending("slot = 0; UNLOCK pthread_exit(0);"), ending("pthread_exit(0);")},
		{"a function ends a thread with the lock", ending("slot = 0; UNLOCK end();"), ending("end();")},
		{"left to threads that a function creates and joins", strings.Replace(twice, "kept = j;", "", 1), twice},
		{"a lock whose address is computed", strings.Replace(between, "pause(); }", "}", 1), between},
	})
}

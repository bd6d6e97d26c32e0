package specialise_test

import (
	"os"
	"path/filepath"
	"testing"

	"comus/specialise"
)

// twoMutexes is a program whose threads wait for one condition variable, with the mutexes of two elements of an array.
const twoMutexes = `#include <pthread.h>
struct queue { pthread_mutex_t lock; pthread_cond_t filled; int n; } q[2];
void *f(void *a) {
  pthread_mutex_lock(&q[0].lock);
  pthread_cond_wait(&q[0].filled, &q[0].lock);
  pthread_mutex_unlock(&q[0].lock);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&q[1].lock);
  pthread_cond_wait(&q[0].filled, &q[1].lock);
  pthread_mutex_unlock(&q[1].lock);
  pthread_join(t, 0);
  return 0;
}
`

// TestElementsOfConditions finds that the elements of an array are several mutexes, though they are one location.
func TestElementsOfConditions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(twoMutexes), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, _ := decide(file, true, specialise.Options{Check: specialise.Checks{Locks: true}}); got != "UNSAFE" {
		t.Errorf("%s instead of UNSAFE", got)
	}
}

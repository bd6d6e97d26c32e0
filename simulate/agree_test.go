package simulate_test

import (
	"testing"

	"comus/internal/csource"
	"comus/simulate"
)

// TestAgree finds two threads that have to choose the same of many numbers.
func TestAgree(t *testing.T) {
	src := head + `
int chosen, n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *pick(void *a) {
  int f = __VERIFIER_nondet_int(), other;
  if (f < 1000) return 0;
  pthread_mutex_lock(&m);
  n++;
  other = chosen;
  chosen = f;
  assert(n != 2 || other != f);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, pick, 0);
  pthread_create(&u, 0, pick, 0);
  return 0;
}
`
	if search(t, parse(t, src, csource.Options{}), simulate.Limits{Runs: 200}) == nil {
		t.Error("no two threads with the same input")
	}
}

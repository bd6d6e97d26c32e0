package scan_test

import (
	"testing"

	"comus/scan"
)

// TestManyPlaces has threads that give functions pointers into their own elements, or beyond: the pointer itself may be at many places.
func TestManyPlaces(t *testing.T) {
	const header = `#include <pthread.h>
#include <string.h>
static int arr[16], n;
static void put(int *p) { *p = 1; }
static void twice(int *p, int k) { put(p + k); }
static void *work(void *arg) {
  int *own = arg; int (*v)[4] = arg; (void)v;
  `
	made := func(do, given string) string {
		return do + ` return 0; }
int main(int argc, char **argv) {
  pthread_t id[8];
  n = argc;
  for (int i = 0; i < 8; i++) { int (*v)[4] = (int (*)[4])&arr[i]; (void)v; pthread_create(&id[i], 0, work, ` + given + `); }
  for (int i = 0; i < 8; i++) pthread_join(id[i], 0);
  return 0; }
`
	}
	checkWithin(t, header, "arr[…]", []ruled{
		{"its own", made(`put(own);`, "&arr[i]"), scan.ThreadLocal},
		{"from its own on", made(`for (int k = 0; k < n; k++) put(&own[k]);`, "&arr[i]"), scan.Suspected},
		{"from its own on, in place", made(`for (int k = 0; k < n; k++) own[k] = 1;`, "&arr[i]"), scan.Suspected},
		{"set from its own on", made(`for (int k = 0; k < n; k++) memset(&own[k], 0, sizeof *own);`, "&arr[i]"), scan.Suspected},
		{"moved, by two functions", made(`for (int k = 0; k < n; k++) twice(own, k);`, "&arr[i]"), scan.Suspected},
		{"one of four", made(`put(&(*v)[n & 3]);`, "&arr[i]"), scan.Suspected},
		{"the first of four", made(`put(&(*v)[0]);`, "&arr[i]"), scan.ThreadLocal},
		{"given one of four", made(`put(own);`, "&(*v)[n & i & 1]"), scan.Suspected},
	})
}

// TestForward has a pointer to an element of a member that is moved forward in bytes, out of the array and to a later member: which element it began at is not known.
func TestForward(t *testing.T) {
	checkRules(t, `#include <pthread.h>
#include <stddef.h>
struct s { long n; long vals[4]; long x, y, last; } g;
static void *f(void *arg) { g.last = 1; return 0; }
static void *h(void *arg) { long *p = &g.vals[2];
`, "g.last", []ruled{
		{"forward", `p = (long *)((char *)p + (offsetof(struct s, last) - offsetof(struct s, vals[2]))); *p = 2; return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, h, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
`, scan.Suspected},
	})
}

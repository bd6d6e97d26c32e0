package scan_test

import (
	"strings"
	"testing"
)

// TestGiven has functions of the library that are given how far they go: over the members of a struct that follow an array, too. A run
// shows each race of the first ones, and each of the others has none.
func TestGiven(t *testing.T) {
	const program = `#include <pthread.h>
#include <string.h>
#include <stddef.h>
struct s { int a; char b[8]; int c; int *p; };
int x, y;
struct s one = {.p = &x}, two = {.p = &y};
void *f(void *arg) {
  WORK;
  *one.p = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, f, 0);
  MAIN;
  pthread_join(id, 0);
  return 0;
}
`
	for _, c := range []struct {
		work, main string
		races      bool
	}{
		{"memset(&one.b, 0, 12)", "one.c = 1", true},
		{"memset(&one.b, 0, 8)", "one.c = 1", false},
		{"memset(one.b, 0, sizeof one - offsetof(struct s, b)); one.p = &x", "one.c = 1", true},
		{"memcpy(one.b, two.b, 12)", "one.c = 1", true},
		{"memcpy(one.b, two.b, 8)", "one.c = 1", false},
		{"memcpy(&one.b, &two.b, sizeof one - offsetof(struct s, b))", "y = 1", true},
		{"memcpy(&one.b, &two.b, 12)", "y = 1", false},
		{"bzero(one.b, 12)", "two.c = one.c", true},
		{"bzero(one.b, 8)", "two.c = one.c", false},
	} {
		src := strings.NewReplacer("WORK", c.work, "MAIN", c.main).Replace(program)
		p := load(t, text(t, src)).Program
		r := analyse(t, p)
		list, found := missed(t, p, r, 15)
		if len(list) > 0 || (found > 0) != c.races {
			t.Errorf("%s, %s: runs show %d races, not suspected: %v", c.work, c.main, found, list)
		}
		if _, suspects := r.RaceFree(); (suspects > 0) != c.races {
			t.Errorf("%s, %s: %d suspects", c.work, c.main, suspects)
		}
	}
}

package scan_test

import "testing"

// TestWholes: a scalar that other accesses cut into pieces is one location where all of them have suspects.
func TestWholes(t *testing.T) {
	for _, c := range []struct {
		second    string
		locations int
	}{
		{"u.i[0]++; u.i[1]++", 1},
		{"u.i[0]++; k = u.i[1]", 2}, // the second half is only read
	} {
		r := analyse(t, load(t, text(t, `#include <pthread.h>
union { long l; int i[2]; } u;
int k;
static void *f(void *arg) { `+c.second+`; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  long l = u.l;
  pthread_join(t, 0);
  return l;
}
`)).Program)
		if len(r.Locations) != c.locations {
			t.Errorf("%s: %d locations", c.second, len(r.Locations))
			for _, l := range r.Locations {
				t.Logf("%s: %d suspects", l.Name, len(l.Suspects))
			}
		}
	}
}

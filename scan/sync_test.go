package scan_test

import (
	"testing"

	"comus/scan"
)

// ruled is a program with what is expected of the location g, or another one.
type ruled struct {
	name, src string
	why       scan.Why
}

// checkRules analyses programs that begin with a header.
func checkRules(t *testing.T, header, location string, list []ruled) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			r := analyse(t, load(t, text(t, header+c.src)).Program)
			why, found := scan.Ordered, false
			for _, l := range r.Locations {
				if l.Name == location {
					why, found = l.Why, true
				}
			}
			if why != c.why || !found && c.why != scan.Ordered {
				t.Errorf("%s instead of %s (%t)", why, c.why, found)
			}
		})
	}
}

// TestSpoiltByChild has locks that are held while a thread that was created and joined meanwhile writes to them.
func TestSpoiltByChild(t *testing.T) {
	body := func(lock string) string {
		return `void *child(void *p) { memset(&` + lock + `, 0, sizeof m); return 0; }
			int main(void) { pthread_mutex_lock(&m); pthread_create(&a, 0, child, 0); pthread_join(a, 0);
			pthread_create(&b, 0, locked, 0); g++; pthread_mutex_unlock(&m); return 0; }`
	}
	checkRules(t, header, "g", []ruled{
		{"this lock", body("m"), scan.Suspected},
		{"another lock", body("n"), scan.Locked},
	})
}

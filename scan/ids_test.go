package scan_test

import (
	"strings"
	"testing"

	"comus/internal/long"
	"comus/scan/certificate"
)

const idsHeader = `#include <pthread.h>
#include <stdlib.h>
static pthread_t a, b, ids[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct worker { pthread_t id; int n; } ws[8];
static void *none(void *arg) { return 0; }
static void *reads(void *arg) { return pthread_equal(WHICH, pthread_self()) ? arg : 0; }
static void *writes(void *arg) { pthread_mutex_lock(&m); WHICH = 0; pthread_mutex_unlock(&m); return 0; }
static void *spawn(void *arg) { pthread_create(&b, 0, none, 0); return 0; }
`

// TestIDs has threads that read what pthread_create stores: each may know its own id, as that is stored before it runs, and those of threads that were created
// before it. What is stored later is a race, though the library stores it.
func TestIDs(t *testing.T) {
	for i, c := range []struct {
		name, read, main string
		free             bool
	}{
		{"its own", "a", "pthread_create(&a, 0, reads, 0);", true},
		{"the one before", "a", "pthread_create(&a, 0, none, 0); pthread_create(&b, 0, reads, 0);", true},
		{"a later one", "b", "pthread_create(&a, 0, reads, 0); pthread_create(&b, 0, none, 0);", false},
		{"a later one, when it has ended", "b", "pthread_create(&a, 0, reads, 0); pthread_join(a, 0); pthread_create(&b, 0, none, 0);", true},
		{"a later one of its kind", "b", "pthread_create(&a, 0, reads, 0); pthread_create(&b, 0, reads, 0);", false},
		{"one of many", "ids[3]", "for (int i = 0; i < 8; i++) pthread_create(&ids[i], 0, reads, 0);", false},
		{"one of many that were created before", "ids[3]", "for (int i = 0; i < 8; i++) pthread_create(&ids[i], 0, none, 0); pthread_create(&a, 0, reads, 0);", true},
		{"the latest one of many", "a", "for (int i = 0; i < 8; i++) pthread_create(&a, 0, reads, 0);", false},
		{"a member", "ws[5].id", "for (int i = 0; i < 8; i++) pthread_create(&ws[i].id, 0, reads, 0);", false},
		{"written with a lock", "ids[3]", "for (int i = 0; i < 8; i++) pthread_create(&ids[i], 0, writes, 0);", false},
		{"one that another thread creates", "b", "pthread_create(&a, 0, spawn, 0); reads(0);", false},
		{"two threads create one", "a", "pthread_t x; pthread_create(&x, 0, spawn, 0); pthread_create(&b, 0, none, 0); reads(0);", false},
	} {
		if !long.Turn(i, 3) {
			continue
		}
		src := strings.ReplaceAll(idsHeader, "WHICH", c.read) + "int main(void) { " + c.main + " return 0; }\n"
		forges(t, c.name, src, certificate.Ordered, c.free)
	}
}

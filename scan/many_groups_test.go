package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"comus/internal/long"
)

// TestManyGroups has a variable that is accessed with so many different locks that these are not looked at pair by pair: all hold one, too, or all but the last.
func TestManyGroups(t *testing.T) {
	long.Only(t)
	const n = 170
	for _, free := range []bool{true, false} {
		var b strings.Builder
		b.WriteString("#include <pthread.h>\nint x; pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;\n")
		for i := range n {
			fmt.Fprintf(&b, "pthread_mutex_t m%d = PTHREAD_MUTEX_INITIALIZER;\n", i)
		}
		b.WriteString("void *f(void *p) {\n")
		for i := range n {
			lock, unlock := "pthread_mutex_lock(&all);", "pthread_mutex_unlock(&all);"
			if i == n-1 && !free {
				lock, unlock = "", ""
			}
			fmt.Fprintf(&b, "  pthread_mutex_lock(&m%d); %s x++; %s pthread_mutex_unlock(&m%d);\n", i, lock, unlock, i)
		}
		b.WriteString("  return 0;\n}\nint main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }\n")
		if got, certified := judged(t, b.String()); got != free || certified != free {
			t.Errorf("free %v: said to be %v, certified %v", free, got, certified)
		}
	}
}

// TestHiddenState has races in what the library keeps, and calls that share none of it.
func TestHiddenState(t *testing.T) {
	for _, c := range []struct {
		before, thread, main string
		race                 bool
	}{
		{"", "strtok(b, \" \")", "strtok(c, \" \")", true},
		{"", "strtok_r(b, \" \", &q)", "strtok_r(c, \" \", &r)", false},
		{"", "localtime(&s)", "gmtime(&u)", true},
		{"", "localtime_r(&s, &v)", "localtime_r(&u, &w)", false},
		{"srand(3)", "rand()", "rand()", true}, // need not be thread-safe
		{"setenv(\"a\", \"b\", 1)", "getenv(\"a\")", "getenv(\"b\")", false},
		{"", "getenv(\"a\")", "setenv(\"a\", \"b\", 1)", true},
		{"", "readdir(d)", "readdir(d)", true},
	} {
		src := `typedef struct __dirstream DIR;
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static char b[9], c[9], *q, *r;
static time_t s, u;
static struct tm v, w;
static DIR *d, *e;
static void *f(void *p) { (void)` + c.thread + `; return 0; }
int main(void) { pthread_t t; d = opendir("x"); e = opendir("y"); ` + c.before + `; pthread_create(&t, 0, f, 0); (void)` + c.main + `; pthread_join(t, 0); return 0; }
`
		race := false
		for _, l := range analyse(t, load(t, text(t, src)).Program).Locations {
			race = race || len(l.Suspects) > 0 && l.Hidden
		}
		if race != c.race {
			t.Errorf("%s and %s: suspected %v", c.thread, c.main, race)
		}
	}
}

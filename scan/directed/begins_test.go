package directed_test

import (
	"testing"
	"time"

	"comus/cir/interp"
	"comus/scan/directed"
)

// TestBegins has programs with a race that comes only where they get that far: each with what keeps most runs from it. The second of a pair has a lock.
func TestBegins(t *testing.T) {
	const program = `#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
struct s { int a[8]; } *p, *late; int g; volatile unsigned sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define G(n) LOCK g = n; UNLOCK
void *f(void *x) { G(1) return 0; }
void handle(int n) { late->a[0] = n; }
int main(void) {
  pthread_t t; p = malloc(sizeof *p); if (!p) return 1;
  int *a = p->a;
  BEGIN
  pthread_create(&t, 0, f, 0); G(2) pthread_join(t, 0);
  return 0;
}`
	for name, begin := range map[string]string{
		"memory is 0":          "if (a[2] != 0) return 1;",
		"memory is not 0":      "if (a[2] == 0) return 1;",
		"no signal comes":      "signal(SIGUSR1, handle); signal(SIGUSR2, handle); signal(SIGTERM, handle); signal(SIGHUP, handle); for (int i = 0; i < 2000; i++) sum += i; late = p;",
		"many steps before":    "for (int i = 0; i < 600000; i++) sum += i;",
		"signals, and a delay": "signal(SIGTERM, handle); for (int i = 0; i < 600000; i++) sum += i; late = p;",
	} {
		for _, locked := range []bool{false, true} {
			defines := "#define LOCK\n#define UNLOCK\n"
			if locked {
				defines = "#define LOCK pthread_mutex_lock(&m);\n#define UNLOCK pthread_mutex_unlock(&m);\n"
			}
			t.Run(name+map[bool]string{false: "", true: ", a lock"}[locked], func(t *testing.T) {
				p := read(t, defines+"#define BEGIN "+begin+"\n"+program)
				race := directed.Target{Race: func(*interp.Race) bool { return true }}
				found, err := directed.For(t.Context(), p, []directed.Target{race}, directed.Options{Random: 40, Directed: -1, Grow: true, Time: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				ex := found[0].Execution
				if (ex != nil) == locked {
					t.Fatalf("an execution: %v", ex != nil)
				}
				if ex == nil {
					return
				}
				if zeros := name == "memory is 0"; (zeros || name == "memory is not 0") && ex.Zeros != zeros {
					t.Errorf("memory that nobody has written holds 0: %v", ex.Zeros)
				}
				if res, _, err := directed.Replay(t.Context(), p, ex, race.Race); err != nil || res.Outcome != interp.Raced {
					t.Errorf("the execution is not made again: %v", err)
				}
				if ex.Zeros = !ex.Zeros; name == "memory is 0" {
					if res, _, err := directed.Replay(t.Context(), p, ex, race.Race); err == nil && res.Outcome == interp.Raced {
						t.Error("the execution depends on memory, and does not")
					}
				}
			})
		}
	}
}

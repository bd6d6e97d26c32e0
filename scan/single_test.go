package scan_test

import (
	"testing"

	"comus/scan"
)

// TestSingle has handlers of signals: in a process with one thread what they access is no race; where there is another thread, of whatever kind, it may be.
func TestSingle(t *testing.T) {
	header := "#define _GNU_SOURCE\n#include <pthread.h>\n#include <threads.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <time.h>\nint g, other; pthread_t a; void f(int s) { g++; } void *idle(void *p) { return 0; } int idle1(void *p) { return 0; }\n"
	checkRules(t, header, "g", []ruled{
		{"one thread", `int main(void) { signal(SIGINT, f); g++; return 0; }`, scan.Ordered},
		{"two handlers", `void h(int s) { g = 0; } int main(void) { signal(SIGINT, f); signal(SIGTERM, h); g++; return 0; }`, scan.Ordered},
		{"sigaction", `int main(void) { struct sigaction x = {0}; x.sa_handler = f; sigaction(SIGINT, &x, 0); g++; return 0; }`, scan.Ordered},
		{"a handler that installs one", `void h(int s) { signal(SIGTERM, f); } int main(void) { signal(SIGINT, h); g++; return 0; }`, scan.Ordered},
		{"another thread that does nothing", `int main(void) { signal(SIGINT, f); pthread_create(&a, 0, idle, 0); g++; return 0; }`, scan.Suspected},
		{"one of C11", `int main(void) { thrd_t x; signal(SIGINT, f); thrd_create(&x, idle1, 0); g++; return 0; }`, scan.Suspected},
		{"created before the handler", `int main(void) { pthread_create(&a, 0, idle, 0); signal(SIGINT, f); g++; return 0; }`, scan.Suspected},
		{"created by the handler", `void h(int s) { g++; pthread_create(&a, 0, idle, 0); } int main(void) { signal(SIGINT, h); g++; return 0; }`, scan.Suspected},
		{"created by another handler", `void h(int s) { pthread_create(&a, 0, idle, 0); } int main(void) { signal(SIGINT, f); signal(SIGTERM, h); g++; return 0; }`, scan.Suspected},
		{"created through a pointer", `void make(void) { pthread_create(&a, 0, idle, 0); } void (*p)(void); int main(int n, char **v) { if (n > 1) p = make; signal(SIGINT, f); if (p) p(); g++; return 0; }`, scan.Suspected},
		{"created at exit", `void make(void) { pthread_create(&a, 0, idle, 0); g++; } int main(void) { atexit(make); signal(SIGINT, f); return 0; }`, scan.Suspected},
		{"an unknown function that is given one", `void mystery(void (*)(void)); void call(void) { g++; pthread_create(&a, 0, idle, 0); } int main(void) { signal(SIGINT, f); mystery(call); g++; return 0; }`, scan.Suspected},
	})
}

// TestSingleTimer has a timer, whose function runs in a thread of its own, beside a handler.
func TestSingleTimer(t *testing.T) {
	p := load(t, text(t, `#include <signal.h>
struct event { void *value; int signal, notify; void (*function)(void *); void *attributes; char more[32]; };
int timer_create(int, struct event *, void **);
int g;
void f(int s) { g++; }
void tick(void *v) { g++; }
int main(void) {
	void *x;
	struct event e = {0};
	e.notify = 2;
	e.function = tick;
	signal(SIGINT, f);
	timer_create(0, &e, &x);
	g++;
	return 0;
}
`)).Program
	r, err := scan.Analyse(t.Context(), p, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Locations {
		if l.Name == "g" && l.Why == scan.Suspected {
			return
		}
	}
	t.Error("g is not suspected")
}

// TestAssigned has handlers of signals that assign to a flag, in whatever thread they run: two assignments are no race, nor is an access when no other thread is there.
func TestAssigned(t *testing.T) {
	header := func(typ string) string {
		return "#define _GNU_SOURCE\n#include <pthread.h>\n#include <signal.h>\npthread_t a, b; " + typ + " g; int seen; void f(int s) { g = 1; } void *idle(void *p) { return 0; } void *look(void *p) { return (void *)(long)g; } void *make(void *p) { pthread_create(&b, 0, idle, 0); return 0; }\n"
	}
	const install, begin, join = "signal(SIGINT, f); ", "pthread_create(&a, 0, idle, 0); ", "pthread_join(a, 0); "
	flag := header("volatile sig_atomic_t")
	checkRules(t, flag, "g", []ruled{
		{"after the thread", `int main(void) { ` + install + begin + join + `return g; }`, scan.Atomic},
		{"before the thread", `int main(void) { ` + install + `seen = g; ` + begin + `return 0; }`, scan.Atomic},
		{"two handlers", `void h(int s) { g = 2; } int main(void) { signal(SIGTERM, h); ` + install + begin + join + `return g; }`, scan.Atomic},
		{"beside the thread", `int main(void) { ` + install + begin + `seen = g; ` + join + `return 0; }`, scan.Suspected},
		{"in the thread", `int main(void) { ` + install + `pthread_create(&a, 0, look, 0); ` + join + `return 0; }`, scan.Suspected},
		{"after a thread that nobody joins", `int main(void) { ` + install + begin + `pthread_detach(a); return g; }`, scan.Suspected},
		{"after a thread that has created one", `int main(void) { ` + install + `pthread_create(&a, 0, make, 0); ` + join + `return g; }`, scan.Suspected},
		{"a handler that reads", `void h(int s) { if (g == 0) g = 2; } int main(void) { signal(SIGTERM, h); ` + install + begin + join + `return g; }`, scan.Suspected},
		{"a handler that counts", `void h(int s) { g++; } int main(void) { signal(SIGTERM, h); ` + begin + join + `return g; }`, scan.Suspected},
	})
	after := []ruled{{"after the thread", `int main(void) { ` + install + begin + join + `return g; }`, scan.Suspected}}
	for _, typ := range []string{"int", "volatile long", "volatile short", "volatile unsigned"} {
		checkRules(t, header(typ), "g", after)
	}
}

package comus

import (
	"strings"
	"testing"
	"time"

	"comus/internal/long"
	"comus/seqmc"
	"comus/specialise"
)

// TestHandlersInterrupt has handlers of signals interrupt threads in runs of the whole program: between two steps, and to their ends. Each right program differs from one that fails by what a handler that ran as
// a thread of its own would do as well, or by what holds the signal back.
func TestHandlersInterrupt(t *testing.T) {
	const head = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int a, b;
static int plain;
static sigset_t set;
`
	for _, c := range []struct{ name, property, handler, thread, main string }{
		{"between two statements", specialise.Assert, "assert(a == b);", "", "for (int i = 0; i < 20; i++) { a = i; b = i; }"},
		{"it goes to its end: right", specialise.Assert, "a = 1; b = 1; a = 0; b = 0;", "", "for (int i = 0; i < 20; i++) { int x = a, y = b; assert(!x && !y); }"},
		{"which the other threads see", specialise.Assert, "a = 1; b = 1; a = 0; b = 0;", "for (int i = 0; i < 20; i++) { int x = a; assert(!x); }", ""},
		{"takes a lock that the thread holds", specialise.Deadlock, "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);", ""},
		{"for a fault, which none is: right", specialise.Deadlock, "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);", ""},
		{"that is held back meanwhile: right", specialise.Deadlock, "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
			"", "pthread_sigmask(SIG_BLOCK, &set, 0); pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m); pthread_sigmask(SIG_UNBLOCK, &set, 0);"},
		{"that another thread holds: right", specialise.Deadlock, "if (a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }", "pthread_mutex_lock(&m); b++; pthread_mutex_unlock(&m);", ""},
		{"races with a thread", specialise.Race, "plain = 1;", "plain++;", ""},
		{"with the one that it interrupts: right", specialise.Race, "a = 1;", "b++;", "for (int i = 0; i < 20; i++) a++;"},
		{"with itself: right", specialise.Race, "a = 1;", "b++;", ""},
		{"has the thread's variables", specialise.Assert, "own = 1;", "for (int i = 0; i < 20; i++) assert(!own);", ""},
		{"and not those of others: right", specialise.Assert, "if (in) own = 1;", "in = 0; for (int i = 0; i < 20; i++) assert(!own);", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 3)
			t.Parallel()
			own := "static _Thread_local volatile int own, in;\n"
			right := strings.HasSuffix(c.name, "right")
			joined := "pthread_join(t, 0);"
			if c.name == "with the one that it interrupts: right" { // which is the only one that it can
				joined = ""
			}
			text := head + own + "static void on(int s) { (void)s; " + c.handler + " }\nstatic void *f(void *p) { " + c.thread + " return p; }\n" +
				"int main(void) {\npthread_t t;\nsigemptyset(&set);\nsigaddset(&set, SIGUSR1);\n"
			if joined == "" {
				text += "pthread_create(&t, 0, f, 0);\npthread_join(t, 0);\nsignal(SIGUSR1, on);\n" + c.main
			} else {
				text += "signal(SIGUSR1, on);\n" + c.main + "\npthread_create(&t, 0, f, 0);\n" + joined
			}
			if strings.HasPrefix(c.name, "for a fault") {
				text = strings.ReplaceAll(text, "SIGUSR1", "SIGSEGV")
			}
			s, _ := openText(t, text+"\nreturn 0;\n}\n")
			most := 20 * time.Second
			if right {
				most = 500 * time.Millisecond
			}
			res := inRuns(t, s, c.property, most)
			switch {
			case right && res != nil:
				t.Errorf("a run violates %s: %s", c.property, res.Trace.Error.Text)
			case !right && (res == nil || res.Verdict != seqmc.Unsafe):
				t.Errorf("no run violates %s", c.property)
			}
		})
	}
}

package waits_test

import (
	"strings"
	"testing"

	"comus/internal/long"
)

// TestHandlers has programs with handlers of signals: with what stands in «» something may go wrong, a deadlock for the most part; without it they are proved.
func TestHandlers(t *testing.T) {
	const waits = "static void *f(void *p) { L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a); return 0; }\n"
	const locks = "static void *f(void *p) { L(&a); x++; U(&a); return 0; }\n"
	const closing = "L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a); "
	for i, c := range []struct{ name, before, thread, handler, main string }{
		{"a lock", "", locks, "stop = 1; «L(&a); U(&a);»", ""},
		{"a lock of its own", "", locks, "stop = 1; «L(&b); U(&b);»", ""},
		{"a try", "", locks, "stop = 1; «if (pthread_mutex_trylock(&a) == 0) U(&a);»", ""},
		{"a lock is given back", "", locks, "stop = 1; «U(&a);»", ""},
		{"a lock in a callee", "static void g(void) { x++; «L(&a); U(&a);» }", locks, "g();", ""},
		{"a lock by a pointer", "static void take(void) { L(&a); U(&a); } static void none(void) { stop = 2; } static void (*volatile g)(void) = none;", locks, "g();", "«g = take;»"},
		{"a join", "", locks, "stop = 1; «pthread_join(u, 0);»", ""},
		{"a wait", "", waits, "stop = 1; «L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a);»", closing},
		{"a signal", "", waits, "stop = 1; «pthread_cond_signal(&cv);»", closing},
		{"a spin lock", "static pthread_spinlock_t spin;", locks, "stop = 1; «pthread_spin_lock(&spin); pthread_spin_unlock(&spin);»", "pthread_spin_init(&spin, 0);"},
		{"what is done once", "static pthread_once_t once = PTHREAD_ONCE_INIT; static void init(void) { x++; }", locks, "stop = 1; «pthread_once(&once, init);»", "pthread_once(&once, init);"},
		{"printf", "", locks, "write(1, \"x\", 1); «printf(\"%d\", s);»", ""},
		{"malloc", "", locks, "stop = 1; «free(malloc(3));»", ""},
		{"exit", "", locks, "«exit(0);» _exit(0);", ""},
		{"the thread ends", "", locks, "stop = 1; «pthread_exit(0);»", ""},
		{"a jump", "static jmp_buf buf;", locks, "stop = 1; «longjmp(buf, 1);»", "«if (setjmp(buf)) return 1;»"},
		{"a loop for ever", "", locks, "stop = 1; «for (;;) ;»", ""},
		{"a loop until the thread is done", "static volatile int busy;", "static void *f(void *p) { busy = 1; L(&a); busy = 0; U(&a); return 0; }", "stop = 1; «while (busy) ;»", ""},
		{"a loop by goto", "static volatile int busy;", "static void *f(void *p) { busy = 1; L(&a); busy = 0; U(&a); return 0; }", "stop = 1; «again: if (busy) goto again;»", ""},
		{"recursion", "static volatile int busy; static void g(void) { stop = 1; «if (busy) g();» }", "static void *f(void *p) { busy = 1; L(&a); busy = 0; U(&a); return 0; }", "g();", ""},
		{"the flag is reset", "", waits, "stop = 1; «done = 0;»", closing},
		{"the flag is reset perhaps", "", waits, "«done = stop;» stop = 1;", closing},
		{"the flag is set", "", waits, "stop = 1; done = 1;", "«if (x) pthread_exit(0);»" + closing},
		{"only the handler sets the flag", "", waits, "stop = 1; done = 1;", "«if (0)» { " + closing + "}"},
		{"the lock is written", "", locks, "stop = 1; «*(int *)&a = 1;»", ""},
		{"an element of many locks", "", "static void *f(void *p) { L(&a); for (int i = 0; i < 3; i++) { L(&many[i]); U(&many[i]); } U(&a); return 0; }", "stop = 1; «L(&many[stop % 3]); U(&many[stop % 3]);»", ""},
		{"another signal is raised", "", locks, "stop = 1; «raise(SIGUSR1);»", ""},
		{"the handler is called, too", "", locks, "stop = 1; «L(&a); U(&a);»", "L(&a); on(1); U(&a);"},
	} {
		if !long.Turn(i, 4) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := "#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n" + head + "static volatile sig_atomic_t stop;\n" + c.before + "\n" + c.thread + "\nstatic void on(int s) { " + c.handler + " }\n" +
				"int main(void) { struct sigaction sa = {0}; sa.sa_handler = on; sigaction(SIGHUP, &sa, 0);\npthread_create(&t, 0, f, 0);\npthread_create(&u, 0, f, 0);\n" + c.main + "\npthread_join(t, 0); pthread_join(u, 0); return 0; }\n"
			with, without := strings.NewReplacer("«", "", "»", "").Replace(text), wrong.ReplaceAllString(text, "")
			if found, _ := loadText(t, with).arranged(t); found != nil {
				t.Errorf("it is proved: %v", found.Order)
			}
			if _, why := loadText(t, without).arranged(t); why != nil {
				t.Errorf("without what is wrong: %v", why)
			}
		})
	}
}

package comus_test

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/comus"
	"comus/comus/involved"
	"comus/internal/long"
	"comus/scan/certificate"
	"comus/seqmc"
	"comus/specialise"
)

var asksDeadlocks = specialise.Options{Check: specialise.Checks{NoAssert: true, Deadlock: true}}

// waiting is a program with two threads beside one that never ends, and what they do.
func waiting(f, g string) string {
	return deadlockHead + "#include <unistd.h>\nstatic void *ticks(void *p) { for (;;) sleep(1); }\n" +
		"static void *f(void *p) { " + f + " return 0; }\nstatic void *g(void *p) { " + g + " return 0; }\n" +
		"int main(int argc, char **argv) {\npthread_t t, u, v;\nif (argc > 1 && strcmp(argv[1], \"one\") == 0) mode = 1;\npthread_mutexattr_t recursive;\n" +
		"pthread_mutexattr_init(&recursive);\npthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);\npthread_mutex_init(&c1, &recursive);\n" +
		"pthread_create(&v, 0, ticks, 0);\npthread_create(&t, 0, f, 0);\npthread_create(&u, 0, g, 0);\npthread_join(t, 0);\npthread_join(u, 0);\nreturn 0; }\n"
}

// byOrders verifies a program, not for long if no run ends in a deadlock.
func byOrders(t *testing.T, text string, deadlock bool) (*comus.Result, string) {
	t.Helper()
	within := 2 * time.Second
	if deadlock {
		within = 30 * time.Second
	}
	s, file := sourceOf(t, strings.Replace(text, "int x,", "pthread_mutex_t c1;\nint x,", 1))
	ctx, stop := context.WithTimeout(t.Context(), within)
	defer stop()
	res, err := s.Verify(ctx, comus.Options{Strategy: "scan", Question: asksDeadlocks, Sanitize: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return res, file
}

// TestByOrders decides by runs that threads wait for one another, though one goes on; the certificate says so again, and gcc's program hangs there. Each program without a
// deadlock differs from one with by the order, or by what the locks are.
func TestByOrders(t *testing.T) {
	_, noGCC := exec.LookPath("gcc")
	for _, c := range []struct {
		name, f, g string
		deadlock   bool
	}{
		{"two orders", "both(&a, &b);", "both(&b, &a);", true},
		{"one order", "both(&a, &b);", "both(&a, &b);", false},
		{"a recursive one", "both(&c1, &a);", "both(&a, &c1);", true},
		{"a recursive one, twice", "both(&c1, &c1);", "both(&c1, &c1);", false},
		{"writers", "writes(&r, &s);", "writes(&s, &r);", true},
		{"a reader and a writer", "pthread_rwlock_rdlock(&r); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_rwlock_unlock(&r);",
			"pthread_mutex_lock(&a); pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); pthread_mutex_unlock(&a);", true},
		{"two readers", "pthread_rwlock_rdlock(&r); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_rwlock_unlock(&r);",
			"pthread_mutex_lock(&a); pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); pthread_mutex_unlock(&a);", false},
		{"an argument", "if (mode == 1) both(&a, &b);", "both(&b, &a);", true},
		{"what cannot be", "if (mode == 2) both(&a, &b);", "both(&b, &a);", false},
		{"one that is tried", "both(&a, &b);", "tries(&b, &a);", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 4)
			res, file := byOrders(t, waiting(c.f, c.g), c.deadlock)
			cert := res.Certificate
			run := cert != nil && cert.Execution != nil
			if (res.Verdict == seqmc.Unsafe) != c.deadlock || run != c.deadlock {
				t.Fatalf("%s (%s), by a run: %v", res.Verdict, res.Reason, run)
			}
			if !run {
				return
			}
			if noGCC == nil && res.Sanitizer != "confirmed by gcc's program, which hangs there" {
				t.Errorf("gcc's program: %s", res.Sanitizer)
			}
			again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, cert)
			if err != nil || again.Verdict != seqmc.Unsafe || again.Trace.Error == nil || again.Trace.Error.Check != specialise.Deadlock {
				t.Errorf("the certificate is not confirmed: %+v %v", again, err)
			}
			if parts := involved.In(res.Trace); len(parts) != 2 || parts[0].Thread == parts[1].Thread || !parts[0].Waits || len(parts[1].Created) != 1 {
				t.Errorf("the trace does not tell of two threads: %+v", parts)
			}
		})
	}
}

// TestHostileDeadlock rejects runs that were changed, or are of another program.
func TestHostileDeadlock(t *testing.T) {
	long.Only(t)
	res, file := byOrders(t, waiting("both(&a, &b);", "both(&b, &a);"), true)
	other, otherFile := byOrders(t, waiting("both(&a, &b);", "both(&a, &b);"), false)
	if res.Verdict != seqmc.Unsafe || other.Verdict == seqmc.Unsafe {
		t.Fatal(res, other)
	}
	for name, change := range map[string]func(*check.Certificate){
		"":                 func(*check.Certificate) {},
		"another place":    func(c *check.Certificate) { c.Execution.Waits[0] = strings.Replace(c.Execution.Waits[0], ":", ":1", 1) },
		"one place":        func(c *check.Certificate) { c.Execution.Waits = c.Execution.Waits[:1] },
		"no place":         func(c *check.Certificate) { c.Execution.Waits = nil },
		"no names":         func(c *check.Certificate) { c.Execution.Waits = []string{"", ""} },
		"a race, too":      func(c *check.Certificate) { c.Execution.Race = [2]string{c.Execution.Waits[0], c.Execution.Waits[0]} },
		"a failure, too":   func(c *check.Certificate) { c.Execution.Fails = c.Execution.Waits[0] },
		"other turns":      func(c *check.Certificate) { c.Execution.Turns = certificate.Turns{{Thread: 0, Steps: 1 << 40}} },
		"another method":   func(c *check.Certificate) { c.Method = check.MethodParts },
		"another property": func(c *check.Certificate) { c.Program.Check = []string{specialise.Race} },
		"a part":           func(c *check.Certificate) { c.Program.About = "main\t1" },
		"statements":       func(c *check.Certificate) { c.Program.Atomic = "statement" },
		"safe":             func(c *check.Certificate) { c.Verdict = "SAFE" },
	} {
		cert, ex := *res.Certificate, *res.Certificate.Execution
		cert.Execution, ex.Waits = &ex, slices.Clone(ex.Waits)
		change(&cert)
		if _, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, &cert); (err == nil) != (name == "") {
			t.Errorf("%q: %v", name, err)
		}
	}
	s, err := comus.Open(t.Context(), comus.File(otherFile), cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w, err := s.WeaveRun(t.Context(), res.Certificate.Execution); err == nil {
		t.Errorf("a run of a program without a deadlock: %v", w.Waits)
	}
}

// TestJudgeDeadlock has gcc's program make runs that are not what they are said to be.
func TestJudgeDeadlock(t *testing.T) {
	long.Only(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
	res, file := byOrders(t, waiting("both(&a, &b);", "both(&b, &a);"), true)
	if res.Verdict != seqmc.Unsafe {
		t.Fatal(res)
	}
	s, err := comus.Open(t.Context(), comus.File(file), cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file, from, to, want string
		contradicts                bool
	}{
		{"as it is", "schedule.c", "", "", "confirmed by gcc's program, which hangs there", false},
		{"a lock that nobody takes", "comus_whole.c", "*lock = self + 1;", "*lock = 0;", "in gcc's program a thread gets the lock in the same run", true},
		{"another circle", "schedule.c", "comus_nstops = 2", "comus_nstops = 1", "does not hold", false},
		{"another run", "schedule.c", "u},\n{0, 0, 0}};\nconst struct comus_value", "1u},\n{0, 0, 0}};\nconst struct comus_value", "has come another way to", false},
	} {
		w, err := s.WeaveRun(t.Context(), res.Certificate.Execution)
		if err != nil {
			t.Fatal(err)
		}
		for i := range w.Files {
			if w.Files[i].Name == c.file {
				w.Files[i].Text = []byte(strings.Replace(string(w.Files[i].Text), c.from, c.to, 1))
			}
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		j := w.Judge(ctx)
		if stop(); !strings.Contains(j.String(), c.want) || j.Contradicts() != c.contradicts {
			t.Errorf("%s: %s (contradicts: %v)", c.name, j, j.Contradicts())
		}
	}
}

// TestOrdersWrap proves a program by the numbers of its locks, if signed numbers do not overflow. Where they wrap around, it has a deadlock.
func TestOrdersWrap(t *testing.T) {
	s, _ := sourceOf(t, `#include <pthread.h>
pthread_mutex_t l[4];
extern int __VERIFIER_nondet_int(void);
static void both(int i, int j) { if (i < j) { pthread_mutex_lock(&l[i]); pthread_mutex_lock(&l[j]); pthread_mutex_unlock(&l[j]); pthread_mutex_unlock(&l[i]); } }
void *f(void *a) { both(0, 2); return 0; }
void *g(void *a) { int y = __VERIFIER_nondet_int(), i = 2, j = i + y + y; if (y > 0 && j >= 0 && j < 4) { pthread_mutex_lock(&l[i]); pthread_mutex_lock(&l[j]); pthread_mutex_unlock(&l[j]); pthread_mutex_unlock(&l[i]); } return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
`)
	for _, c := range []struct {
		overflow specialise.Overflow
		safe     bool
	}{{specialise.OverflowAssume, true}, {specialise.OverflowWrap, false}} {
		q := asksDeadlocks
		q.Overflow = c.overflow
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		res, err := s.Verify(ctx, comus.Options{Strategy: "scan", Question: q})
		if stop(); err != nil {
			t.Fatal(err)
		}
		if (res.Verdict == seqmc.Safe) != c.safe {
			t.Errorf("%v: %s (%s)", c.overflow, res.Verdict, res.Reason)
		}
	}
}

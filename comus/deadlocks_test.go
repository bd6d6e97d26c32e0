package comus_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"comus/cir/interp"
	"comus/comus"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

const deadlockHead = `#include <pthread.h>
#include <string.h>
int x, mode;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER, forks[3];
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER;
static void both(pthread_mutex_t *p, pthread_mutex_t *q) {
  pthread_mutex_lock(p);
  pthread_mutex_lock(q);
  x++;
  pthread_mutex_unlock(q);
  pthread_mutex_unlock(p);
}
static void ordered(pthread_mutex_t *p, pthread_mutex_t *q) {
  pthread_mutex_lock(&gate);
  both(p, q);
  pthread_mutex_unlock(&gate);
}
static void reads(pthread_rwlock_t *p, pthread_rwlock_t *q) {
  pthread_rwlock_rdlock(p);
  pthread_rwlock_rdlock(q);
  pthread_rwlock_unlock(q);
  pthread_rwlock_unlock(p);
}
static void writes(pthread_rwlock_t *p, pthread_rwlock_t *q) {
  pthread_rwlock_wrlock(p);
  pthread_rwlock_wrlock(q);
  pthread_rwlock_unlock(q);
  pthread_rwlock_unlock(p);
}
static void tries(pthread_mutex_t *p, pthread_mutex_t *q) {
  pthread_mutex_lock(p);
  if (pthread_mutex_trylock(q) == 0)
    pthread_mutex_unlock(q);
  pthread_mutex_unlock(p);
}
`

// TestDecideDeadlocks finds lock orders that may end in a deadlock, and decides them.
func TestDecideDeadlocks(t *testing.T) {
	const none = ""
	for _, c := range []struct{ name, f, g, want string }{
		{"two orders", "both(&a, &b);", "both(&b, &a);", "confirmed"},
		{"one order", "both(&a, &b);", "both(&a, &b);", none},
		{"a lock around both", "ordered(&a, &b);", "ordered(&b, &a);", none},
		{"a lock around one", "ordered(&a, &b);", "both(&b, &a);", "confirmed"},
		{"others, by a function that is called with both", "both(&a, &b);", "both(&b, &c);", "impossible"},
		{"one that is tried", "tries(&a, &b);", "both(&b, &a);", none},
		{"readers", "reads(&r, &s);", "reads(&s, &r);", none},
		{"writers", "writes(&r, &s);", "writes(&s, &r);", "confirmed"},
		{"an argument", "if (mode == 1) both(&a, &b);", "both(&b, &a);", "confirmed"},
		{"excluded by what they read", "if (mode == 1) both(&a, &b);", "if (mode == 2) both(&b, &a);", "impossible"},
		{"elements of an array", "both(&forks[0], &forks[1]);", "both(&forks[1], &forks[0]);", "confirmed"},
		{"one after the other", "both(&a, &b);", "if (mode) { pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); }", none},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 4)
			text := deadlockHead + "static void *f(void *p) { " + c.f + " return 0; }\nstatic void *g(void *p) { " + c.g + " return 0; }\n" +
				"int main(int argc, char **argv) {\npthread_t t, u;\nfor (int i = 0; i < 3; i++) pthread_mutex_init(&forks[i], 0);\nif (argc > 1 && strcmp(argv[1], \"one\") == 0) mode = 1;\n" +
				"pthread_create(&t, 0, f, 0);\npthread_create(&u, 0, g, 0);\npthread_join(t, 0);\npthread_join(u, 0);\nreturn 0; }\n"
			s, _ := sourceOf(t, text)
			res, err := s.Scan(t.Context(), scan.Options{Orders: true})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == none {
				for _, d := range res.Deadlocks {
					t.Errorf("suspected: %v and %v", *d.Steps[0], *d.Steps[len(d.Steps)-1])
				}
				return
			}
			if len(res.Deadlocks) == 0 {
				t.Fatal("nothing is suspected")
			}
			out, err := s.DecideDeadlocks(t.Context(), res.Deadlocks, comus.DecideOptions{Runs: directed.Options{Time: 4 * time.Second}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range out {
				switch got := out[i].Status.String(); {
				case c.want == "impossible" && strings.HasPrefix(out[i].Reason, "timeout"): // of engines, where others compute
					t.Log(&out[i])
				case got != c.want:
					t.Errorf("%s instead of %s", &out[i], c.want)
				}
			}
		})
	}
}

// TestDeadlockOfThree has a circle of three threads, and of three that are alike.
func TestDeadlockOfThree(t *testing.T) {
	for _, c := range []struct{ threads, calls string }{
		{"static void *f(void *p) { both(&a, &b); return 0; }\nstatic void *g(void *p) { both(&b, &c); return 0; }\nstatic void *h(void *p) { both(&c, &a); return 0; }\n",
			"pthread_create(&t, 0, f, 0);\npthread_create(&u, 0, g, 0);\npthread_create(&v, 0, h, 0);\n"},
		{"static void *f(void *p) { long i = (long)p; pthread_mutex_lock(&forks[i]); pthread_mutex_lock(&forks[(i + 1) % 3]); x++; pthread_mutex_unlock(&forks[(i + 1) % 3]); pthread_mutex_unlock(&forks[i]); return 0; }\n",
			"for (long i = 0; i < 3; i++) pthread_create(i == 0 ? &t : i == 1 ? &u : &v, 0, f, (void *)i);\n"},
	} {
		text := deadlockHead + c.threads + "int main(void) {\npthread_t t, u, v;\nfor (int i = 0; i < 3; i++) pthread_mutex_init(&forks[i], 0);\n" + c.calls +
			"pthread_join(t, 0);\npthread_join(u, 0);\npthread_join(v, 0);\nreturn 0; }\n"
		s, _ := sourceOf(t, text)
		res, err := s.Scan(t.Context(), scan.Options{Orders: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Deadlocks) != 1 {
			t.Fatalf("%d lock orders in\n%s", len(res.Deadlocks), c.threads)
		}
		out, err := s.DecideDeadlocks(t.Context(), res.Deadlocks, comus.DecideOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if out[0].Status != comus.ObligationViolated {
			t.Errorf("%s in\n%s", &out[0], c.threads)
		}
		// The run does the same once more.
		if ex := out[0].Execution; ex != nil {
			target := directed.OfDeadlock(res.Deadlocks[0])
			again, on, err := directed.ReplayWith(t.Context(), s.Program(), ex, &target, func(*interp.Options) {})
			if err != nil || !target.Shown(again) || len(on) > 0 {
				t.Errorf("replayed: %v %v %v", again, on, err)
			}
		}
	}
}

// TestDeadlocksRandom compares what runs confirm with what engines prove of random programs.
func TestDeadlocksRandom(t *testing.T) {
	long.Only(t)
	n := uint64(8)
	if testing.Short() {
		n = 4
	}
	tally := map[string]int{}
	for seed := range n {
		s, file := sourceOf(t, nested(seed))
		res, err := s.Scan(t.Context(), scan.Options{Orders: true})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.DecideDeadlocks(t.Context(), res.Deadlocks, comus.DecideOptions{Runs: directed.Options{Time: time.Second}, Each: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 4*time.Second)
		whole, err := s.Verify(ctx, comus.Options{Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Deadlock: true}}})
		stop()
		if err != nil {
			t.Fatal(err)
		}
		confirmed := 0
		for i := range out {
			tally[out[i].Status.String()]++
			if out[i].Status == comus.ObligationViolated {
				confirmed++
			}
		}
		tally["whole "+whole.Verdict.String()]++
		switch {
		case whole.Verdict == seqmc.Safe && confirmed > 0:
			t.Errorf("%s (seed %d): a run has a deadlock, but an engine proves that there is none", file, seed)
		case whole.Verdict == seqmc.Unsafe && len(out) == 0:
			t.Errorf("%s (seed %d): an engine has found a deadlock, but no lock order is suspected", file, seed)
		}
	}
	t.Log(tally)
}

// nested returns a random program in which threads take two locks of four, in any order, some of them under a third one.
func nested(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	locks := []string{"&a", "&b", "&c"}
	var body strings.Builder
	body.WriteString(deadlockHead)
	for _, f := range []string{"f", "g"} {
		body.WriteString("static void *" + f + "(void *p) {\n")
		for range 1 + r.IntN(2) {
			i := r.IntN(3)
			k := (i + 1 + r.IntN(2)) % 3
			call := []string{"both", "both", "ordered", "tries"}[r.IntN(4)]
			body.WriteString("  " + call + "(" + locks[i] + ", " + locks[k] + ");\n")
		}
		body.WriteString("  return 0;\n}\n")
	}
	body.WriteString("int main(void) {\npthread_t t, u;\npthread_create(&t, 0, f, 0);\n")
	if r.IntN(4) == 0 {
		body.WriteString("pthread_join(t, 0);\npthread_create(&u, 0, g, 0);\n")
	} else {
		body.WriteString("pthread_create(&u, 0, g, 0);\npthread_join(t, 0);\n")
	}
	body.WriteString("pthread_join(u, 0);\nreturn 0; }\n")
	return body.String()
}

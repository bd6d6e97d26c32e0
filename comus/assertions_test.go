package comus_test

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/cir"
	"comus/comus"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/scan"
	"comus/scan/directed"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// largeProgram is a program of some 2,000 lines: requests go through many handlers, by a table of functions, and change accounts under a lock. A request "transfer", given as
// an argument, has two threads move money; what is moved is counted in two critical sections, or, if it is safe, in one.
func largeProgram(safe bool) string {
	var b strings.Builder
	b.WriteString(`#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct account { int balance; int moved; char name[16]; struct account *next; };
struct request { int kind; int amount; struct account *from, *to; struct request *next; };
static struct account *accounts;
static struct request *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int handled[200];
static int total;
static struct account *account(const char *name) {
  for (struct account *a = accounts; a; a = a->next)
    if (strcmp(a->name, name) == 0)
      return a;
  struct account *a = calloc(1, sizeof *a);
  snprintf(a->name, sizeof a->name, "%s", name);
  a->next = accounts;
  accounts = a;
  return a;
}
`)
	const handlers = 200
	for i := range handlers {
		fmt.Fprintf(&b, `static int handle%d(struct request *r) {
  int n = r->amount;
  for (int i = 0; i < %d && n > 0; i++)
    n = (n * 7 + %d) %% 1000 - i;
  pthread_mutex_lock(&lock);
  handled[%d] += n %% 3;
  pthread_mutex_unlock(&lock);
  return n;
}
`, i, 1+i%9, i, i)
	}
	b.WriteString("static int (*const handlers[])(struct request *) = {\n")
	for i := range handlers {
		fmt.Fprintf(&b, "  handle%d,\n", i)
	}
	b.WriteString(`};
static void *move(void *p) {
  struct request *r = p;
  pthread_mutex_lock(&lock);
  int n = total;
`)
	if !safe {
		b.WriteString("  pthread_mutex_unlock(&lock);\n  pthread_mutex_lock(&lock);\n")
	}
	b.WriteString(`  total = n + 1;
  r->to->balance += r->amount;
  pthread_mutex_unlock(&lock);
  return 0;
}
static void transfer(void) {
  pthread_t t, u;
  struct request a = {1, 5, account("x"), account("y"), 0}, b = {1, 7, account("x"), account("z"), 0};
  pthread_create(&t, 0, move, &a);
  pthread_create(&u, 0, move, &b);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(total == 2);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "transfer") == 0 && !total) {
      transfer();
      continue;
    }
    struct request *r = calloc(1, sizeof *r);
    r->kind = (unsigned)strlen(argv[i]) % 200;
    r->amount = atoi(argv[i]);
    r->from = account(argv[i]);
    r->next = queue;
    queue = r;
  }
  for (struct request *r = queue; r; r = r->next)
    handlers[r->kind](r);
  return 0;
}
`)
	return b.String()
}

// TestLargeAssertion decides a program that is too large to be taken apart, of which an assertion fails in one interleaving, by one input. The run is made again by gcc's program.
func TestLargeAssertion(t *testing.T) {
	long.Only(t)
	for _, safe := range []bool{false, true} {
		text := largeProgram(safe)
		s, file := sourceOf(t, text)
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute) // on a busy machine
		defer stop()
		opts := comus.Options{Sanitize: time.Minute}
		if safe {
			ctx, stop = context.WithTimeout(t.Context(), 10*time.Second)
			defer stop()
		}
		res, err := s.Verify(ctx, opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d lines, safe %v: %s by %s: %s %s", strings.Count(text, "\n"), safe, res.Verdict, res.Engine, res.Reason, res.Sanitizer)
		if safe && res.Verdict == seqmc.Unsafe {
			t.Error("wrong: the program is safe")
		}
		if safe {
			continue
		}
		if res.Verdict != seqmc.Unsafe || res.Certificate.Execution == nil || res.Certificate.Execution.Fails == "" {
			t.Fatalf("%s: %s", res.Verdict, res.Reason)
		}
		if _, err := exec.LookPath("gcc"); err == nil && !strings.HasPrefix(res.Sanitizer, "confirmed") {
			t.Errorf("gcc's program: %s", res.Sanitizer)
		}
		again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, res.Certificate)
		if err != nil || again.Verdict != seqmc.Unsafe {
			t.Errorf("the certificate is not confirmed: %v %v", again, err)
		}
	}
}

// TestRunOfAssertion rejects runs that were changed, or are of another program.
func TestRunOfAssertion(t *testing.T) {
	text := func(between string) string {
		return assertionHead + "static void *f(void *arg) {\npthread_mutex_lock(&m); int v = x; " + between + " x = v + 1; pthread_mutex_unlock(&m);\nreturn 0; }\n" +
			"int main(int argc, char **argv) {\npthread_t t, u;\nif (argc < 2 || strcmp(argv[1], \"go\")) return 0;\npthread_create(&t, 0, f, 0);\npthread_create(&u, 0, f, 0);\n" +
			"pthread_join(t, 0);\npthread_join(u, 0);\nassert(x == 2);\nassert(argc > 9);\nreturn 0; }\n"
	}
	verify := func(s *comus.Source) *comus.Result {
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		res, err := s.Verify(ctx, comus.Options{Strategy: "scan"})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	s, file := sourceOf(t, text("pthread_mutex_unlock(&m); pthread_mutex_lock(&m);"))
	other, otherFile := sourceOf(t, strings.Replace(text(""), "assert(argc > 9)", "assert(argc > 0)", 1))
	res := verify(s)
	if res.Verdict != seqmc.Unsafe || res.Certificate.Execution == nil {
		t.Fatalf("%s: %s", res.Verdict, res.Reason)
	}
	safe := verify(other)
	if safe.Verdict != seqmc.Safe {
		t.Fatalf("the safe one: %s: %s", safe.Verdict, safe.Reason)
	}
	fails := res.Certificate.Execution.Fails
	for name, change := range map[string]func(*check.Certificate){
		"":              func(*check.Certificate) {},
		"another place": func(c *check.Certificate) { c.Execution.Fails = strings.Replace(fails, ":", ":1", 1) },
		"no place":      func(c *check.Certificate) { c.Execution.Fails = "" },
		"a race, too":   func(c *check.Certificate) { c.Execution.Race = [2]string{fails, fails} },
		"another input": func(c *check.Certificate) { c.Execution.Args = []string{"program", "no"} },
		"other turns": func(c *check.Certificate) {
			c.Execution.Turns, c.Execution.Fails = nil, strings.Replace(fails, ":", ":1", 1)
		},
		"another method":   func(c *check.Certificate) { c.Method = check.MethodScan },
		"another property": func(c *check.Certificate) { c.Program.Check = []string{"race"} },
		"a part":           func(c *check.Certificate) { c.Program.About = "main\t1" },
		"statements":       func(c *check.Certificate) { c.Program.Atomic = "statement" },
		"safe":             func(c *check.Certificate) { c.Verdict = "SAFE" },
	} {
		cert, ex := *res.Certificate, *res.Certificate.Execution
		cert.Execution = &ex
		change(&cert)
		if _, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, &cert); (err == nil) != (name == "") {
			t.Errorf("%q: %v", name, err)
		}
	}
	cert := *res.Certificate
	cert.Program = safe.Certificate.Program
	if _, err := comus.CheckUnits(t.Context(), comus.File(otherFile), cfront.Options{}, &cert); err == nil {
		t.Error("the run is confirmed on another program")
	}
}

const assertionHead = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int mystery(void);
int x, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(int *p) { pthread_mutex_lock(&m); int v = *p; pthread_mutex_unlock(&m); return v; }
static void set(int *p, int v) { pthread_mutex_lock(&m); *p = v; pthread_mutex_unlock(&m); }
static void add(int *p) { pthread_mutex_lock(&m); ++*p; pthread_mutex_unlock(&m); }
`

// TestDecideAssertions decides an assertion, by runs and engines, and by engines alone.
func TestDecideAssertions(t *testing.T) {
	for _, c := range []struct{ name, f, main, want string }{
		{"an update that gets lost", "set(&x, get(&x) + 1);", "set(&x, get(&x) + 1);\npthread_join(t, 0);\nassert(x == 2);", "confirmed"},
		{"none gets lost", "add(&x);", "add(&x);\npthread_join(t, 0);\nassert(x == 2);", "impossible"},
		{"a flag that is set too early", "set(&flag, 1);\nset(&x, 1);", "if (get(&flag)) assert(get(&x) == 1);\npthread_join(t, 0);", "confirmed"},
		{"a flag", "set(&x, 1);\nset(&flag, 1);", "if (get(&flag)) assert(get(&x) == 1);\npthread_join(t, 0);", "impossible"},
		{"an input", "int v = __VERIFIER_nondet_int();\nif (v == 7) set(&x, v);", "pthread_join(t, 0);\nassert(x != 7);", "confirmed"},
		{"another input", "int v = __VERIFIER_nondet_int();\nif (v == 7) set(&x, v);", "pthread_join(t, 0);\nassert(x != 8);", "impossible"},
		{"another one fails before", "set(&x, 1);", "pthread_join(t, 0);\nif (x != 2) exit(0);\nassert(x == 1);", "impossible"},
		{"depends on a function that is not known", "set(&x, mystery());", "pthread_join(t, 0);\nassert(x == 0 || mystery());", "open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 4)
			text := assertionHead + "static void *f(void *arg) {\n" + c.f + "\nreturn 0; }\nint main(void) {\npthread_t t;\npthread_create(&t, 0, f, 0);\n" + c.main + "\nreturn 0; }\n"
			s, _ := sourceOf(t, text)
			res, err := s.Scan(t.Context(), scan.Options{Values: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Assertions) != 1 || res.Assertions[0].Proved && c.want != "impossible" {
				t.Fatalf("assertions: %v", res.Assertions)
			}
			for _, runs := range []bool{true, false} {
				opts := comus.DecideOptions{}
				pts := (*pointsto.Result)(nil)
				if pts = res.Points; !runs {
					opts.Runs = noRuns
				}
				out, err := s.DecideAssertions(t.Context(), res.Assertions, pts, opts)
				if err != nil {
					t.Fatal(err)
				}
				if got := out[0].Status.String(); got != c.want {
					t.Errorf("runs %v: %s instead of %s", runs, &out[0], c.want)
				}
			}
		})
	}
}

// TestAssertionsRandom decides assertions of random programs, by runs that gcc's program makes again and by engines. What they say of a program agrees with what engines say of all of it.
func TestAssertionsRandom(t *testing.T) {
	long.Only(t)
	n := uint64(8)
	if testing.Short() {
		n = 4
	}
	tally := map[string]int{}
	for seed := range n {
		s, file := sourceOf(t, randprog.Generate(seed, randprog.Options{Threads: 1 + int(seed%3)}))
		var list []*scan.Assertion
		for _, in := range specialise.Assertions(s.Program()) {
			if in.Site != nil && !slices.ContainsFunc(s.Program().Funcs, func(f *cir.Func) bool { return f.Library && f.Pos.File == in.Site.Pos.File }) {
				list = append(list, &scan.Assertion{Instr: in, Site: in.Site})
			}
		}
		pts, err := pointsto.AnalyseOpen(t.Context(), s.Program())
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		whole, err := s.Verify(ctx, comus.Options{})
		stop()
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.DecideAssertions(t.Context(), list, pts, comus.DecideOptions{Options: comus.Options{Sanitize: 30 * time.Second}, Runs: directed.Options{Time: time.Second}, Each: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		confirmed, impossible := 0, 0
		for i := range out {
			d := &out[i]
			tally[d.Status.String()]++
			switch {
			case d.Status == comus.ObligationViolated:
				confirmed++
			case d.Status == comus.ObligationProved:
				impossible++
			case strings.Contains(d.Reason, "gcc's program") || strings.Contains(d.Reason, "sanitizer"):
				t.Errorf("%s (seed %d): %s", file, seed, d)
			}
			if d.Execution != nil {
				tally[d.Sanitizer]++
			}
		}
		if whole.Verdict == seqmc.Safe && confirmed > 0 || whole.Verdict == seqmc.Unsafe && impossible == len(out) {
			t.Errorf("%s (seed %d): %s as a whole, but %d of %d assertions fail, %d cannot", file, seed, whole.Verdict, confirmed, len(out), impossible)
		}
		tally["whole "+whole.Verdict.String()]++
	}
	t.Log(tally)
}

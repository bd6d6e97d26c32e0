package comus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/seqmc"
	"comus/specialise"
)

var raceQuestion = specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}

// TestScanStrategy asks a scan about the pairs of programs with and without a race, and of some its engines about what it suspects: it proves
// many of those without a race, none of the others, and what it proves another process confirms.
func TestScanStrategy(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	files, err := filepath.Glob("../cfront/testdata/race/*.c")
	if err != nil || len(files) < 300 {
		t.Fatal(len(files), "programs", err)
	}
	proved, violated, engines := 0, 0, 0
	for i, f := range files {
		if (i/2%2 > 0 || !long.Turn(i/4, 6)) && os.Getenv("COMUS_ALL") == "" {
			continue // half of the pairs, or a few
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		opts := Options{Options: engine.Options{Alone: i%28 > 1 && os.Getenv("COMUS_ALL") == ""}, Strategy: scanStrategy, Question: raceQuestion}
		res, err := Verify(ctx, f, opts)
		stop()
		if err != nil {
			t.Error(f, err)
			continue
		}
		switch {
		case res.Verdict == seqmc.Unknown:
			continue
		case (res.Verdict == seqmc.Safe) == strings.HasSuffix(f, "_unsafe.c"):
			t.Errorf("%s: %s", f, res.Verdict)
		case res.Verdict == seqmc.Unsafe:
			violated++
		default:
			proved++
			if len(res.Certificate.Suspects) > 0 {
				engines++
			}
		}
		again, err := Check(t.Context(), f, res.Certificate)
		if err != nil || again.Verdict != res.Verdict {
			t.Error(f, again, err)
		}
	}
	t.Logf("%d proved, %d of them by engines, too; %d violated", proved, engines, violated)
	if !testing.Short() && (proved < 40 || engines < 1 || violated < 3) {
		t.Errorf("only %d programs were proved, %d of them by engines, too, and %d violated", proved, engines, violated)
	}
}

const suspectedHead = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int x, y, turn, other; atomic_int flag; int *heap;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void put(int *p, int v) { pthread_mutex_lock(&m); *p = v; pthread_mutex_unlock(&m); }
int get(int *p) { pthread_mutex_lock(&m); int v = *p; pthread_mutex_unlock(&m); return v; }
`

// suspected are programs of which a scan leaves suspects, with and without a race that differ in one place.
var suspected = []struct{ name, f, safe, unsafe string }{
	{"turns", "while (get(&turn) != 1) ;\nx = 1;\nput(&turn, 2);", "x = 3;\nput(&turn, 1);\nwhile (get(&turn) != 2) ;\nx = 2;", "x = 3;\nput(&turn, 1);\nwhile (get(&turn) != 1) ;\nx = 2;"},
	{"a flag", "x = 1;\nflag = 1;", "if (flag == 1)\nx = 2;", "if (flag == 0)\nx = 2;"},
	{"two flags", "y = 5;\nx = 1;\nflag = 1;", "if (flag)\nx = y;", "if (!flag)\nx = y;"},
	{"memory that is handed over", "while (get(&turn) != 1) ;\n*heap = 1;\nfree(heap);\n", "*heap = 2;\nput(&turn, 1);", "put(&turn, 1);\n*heap = 2;"},
	{"memory that is handed over and given back", "while (get(&turn) != 1) ;\nfree(heap);\n", "*heap = 2;\nput(&turn, 1);", "put(&turn, 1);\n*heap = 2;"},
	{"two locks in turn", "pthread_mutex_lock(&m);\npthread_mutex_lock(&n);\nx++;\npthread_mutex_unlock(&n);\npthread_mutex_unlock(&m);",
		"if (get(&turn)) {\npthread_mutex_lock(&n);\nx++;\npthread_mutex_unlock(&n);\n} else {\npthread_mutex_lock(&m);\nx++;\npthread_mutex_unlock(&m);\n}",
		"if (get(&turn)) {\npthread_mutex_lock(&n);\nx++;\npthread_mutex_unlock(&n);\n} else {\nx++;\n}"},
}

func (c *suspectedProgram) text() string {
	return suspectedHead + "void *f(void *arg) {\n" + c.f + "\nreturn 0; }\nint main(void) {\npthread_t t; heap = malloc(4);\npthread_create(&t, 0, f, 0);\n" +
		c.main + "\npthread_join(t, 0);\nreturn 0; }\n"
}

type suspectedProgram struct{ f, main string }

// scanText asks a scan and its engines about a program.
func scanText(t *testing.T, text string, opts Options) (file string, res *Result) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opts.Strategy, opts.Question, opts.Source = scanStrategy, raceQuestion, cfront.Options{NoHost: true}
	res, err := Verify(t.Context(), file, opts)
	if err != nil {
		t.Fatal(err)
	}
	return file, res
}

// TestScanSuspects proves programs of which a scan leaves suspects by the proofs of engines, which are part of the certificate.
func TestScanSuspects(t *testing.T) {
	by := 0
	for _, c := range suspected {
		for main, want := range map[string]seqmc.Verdict{c.safe: seqmc.Safe, c.unsafe: seqmc.Unsafe} {
			t.Run(fmt.Sprint(c.name, " ", want), func(t *testing.T) {
				long.OneOf(t, 3)
				text := (&suspectedProgram{c.f, main}).text()
				if _, alone := scanText(t, text, Options{Options: engine.Options{Alone: true}}); alone.Verdict == seqmc.Unsafe || alone.Verdict == seqmc.Safe && want == seqmc.Unsafe {
					t.Fatal("alone:", alone.Verdict)
				}
				file, res := scanText(t, text, Options{})
				if res.Verdict != want {
					t.Fatal(res.Verdict, res.Reason)
				}
				if want == seqmc.Safe && slices.Contains(res.Assumptions, specialise.AssumeElsewhere) {
					t.Error("what is proved is assumed")
				}
				again, err := CheckUnits(t.Context(), File(file), cfront.Options{NoHost: true}, res.Certificate)
				if err != nil || again.Verdict != want {
					t.Fatal(err)
				}
				if want == seqmc.Safe && slices.ContainsFunc(res.Assumptions, func(a string) bool { return !slices.Contains(again.Assumptions, a) }) {
					t.Error("other assumptions:", again.Assumptions)
				}
				if len(res.Certificate.Suspects) > 0 {
					by++
				}
			})
		}
	}
	if by < 3 && !testing.Short() {
		t.Error("engines have proved only", by)
	}
}

// TestScanSuspectsForged changes the proofs of a certificate: none that proves less, or something else, is taken.
func TestScanSuspectsForged(t *testing.T) {
	c := suspected[0]
	file, res := scanText(t, (&suspectedProgram{c.f, c.safe}).text(), Options{})
	_, racy := scanText(t, (&suspectedProgram{c.f, c.unsafe}).text(), Options{})
	if res.Verdict != seqmc.Safe || len(res.Certificate.Suspects) == 0 || racy.Verdict != seqmc.Unsafe {
		t.Fatal(res.Verdict, racy.Verdict)
	}
	other, err := Verify(t.Context(), file, Options{Source: cfront.Options{NoHost: true}})
	if err != nil || other.Certificate == nil {
		t.Fatal(other, err)
	}
	proof := res.Certificate.Suspects[0]
	lines := strings.Split(proof.Program.About, "\n")
	changed := func(f func(*check.Certificate)) []*check.Certificate {
		p := *proof
		f(&p)
		return []*check.Certificate{&p}
	}
	for name, proofs := range map[string][]*check.Certificate{
		"none":                    {},
		"nothing":                 {nil},
		"about fewer pairs":       changed(func(p *check.Certificate) { p.Program.About = lines[0] }),
		"about all":               changed(func(p *check.Certificate) { p.Program.About = "" }),
		"about what is not there": changed(func(p *check.Certificate) { p.Program.About += "\nf 99 p.c:1:1\tf 99 p.c:1:1" }),
		"of assertions":           {other.Certificate},
		"as one of assertions":    changed(func(p *check.Certificate) { p.Program.Check = nil }),
		"of another program":      changed(func(p *check.Certificate) { p.Program.SHA256 = racy.Certificate.Program.SHA256 }),
		"a violation":             {racy.Certificate},
		"one of a violation":      changed(func(p *check.Certificate) { p.Verdict = seqmc.Unsafe.String() }),
		"a scan":                  {res.Certificate},
		"with wrapping":           changed(func(p *check.Certificate) { p.Program.Overflow = "wrap" }),
		"another kind": changed(func(p *check.Certificate) {
			p.Method, p.Bound, p.Threads, p.Runs, p.Facts, p.Parametric = check.MethodOrders, 0, nil, nil, "", nil
		}),
		"no proof": changed(func(p *check.Certificate) {
			p.Method, p.Threads, p.Runs, p.Facts, p.Parametric = "", nil, nil, "true", nil
		}),
	} {
		forged := *res.Certificate
		forged.Suspects = proofs
		if again, err := CheckUnits(t.Context(), File(file), cfront.Options{NoHost: true}, &forged); err == nil && again.Verdict != seqmc.Unknown {
			t.Errorf("%s: %s", name, again.Verdict)
		}
	}
	twice := *res.Certificate
	twice.Suspects = append(slices.Clone(twice.Suspects), proof)
	if again, err := CheckUnits(t.Context(), File(file), cfront.Options{NoHost: true}, &twice); err != nil || again.Verdict != seqmc.Safe {
		t.Error("twice:", again, err)
	}
	alone := &check.Set{Certificates: []*check.Certificate{proof}}
	if again, err := CheckSet(t.Context(), File(file), cfront.Options{NoHost: true}, alone); err != nil || again.Verdict != seqmc.Unknown {
		t.Error("a proof about suspects alone:", again, err)
	}
}

// TestScanBeside asks about lengths of strings, for which engines take too long: the scan beside them has an answer. One that is not true has none.
func TestScanBeside(t *testing.T) {
	long.Only(t)
	const program = `#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char name[32] = "none";
static void *worker(void *p) {
  for (;;) {
    char buf[64];
    pthread_mutex_lock(&m);
    strcpy(buf, name);
    pthread_mutex_unlock(&m);
    strcat(buf, "-worker");
    assert(strlen(buf) < 32 + LONGER);
  }
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  for (int i = 1; i < argc; i++) {
    pthread_mutex_lock(&m);
    strncpy(name, argv[i], sizeof name);
    name[sizeof name - 1] = 0;
    pthread_mutex_unlock(&m);
  }
}
`
	for longer, want := range map[string]seqmc.Verdict{"7": seqmc.Safe, "6": seqmc.Unknown} {
		t.Run(longer, func(t *testing.T) {
			t.Parallel()
			f := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(f, []byte(strings.Replace(program, "LONGER", longer, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
			defer stop()
			res, err := Verify(ctx, f, Options{Strategy: Auto})
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict == want && (want != seqmc.Safe || res.Engine == scanStrategy) || res.Verdict == seqmc.Unsafe && want != seqmc.Safe {
				return
			}
			t.Errorf("%s by %s: %s", res.Verdict, res.Engine, res.Reason)
		})
	}
}

// TestScanCloned asks a scan about a program in which a function creates threads for others: the proof is about copies of that, and is confirmed as such only.
func TestScanCloned(t *testing.T) {
	t.Parallel()
	const file = "../cfront/testdata/race/created_for_safe.c"
	res, err := Verify(t.Context(), file, Options{Options: engine.Options{Alone: true}, Strategy: scanStrategy, Question: raceQuestion})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != seqmc.Safe || !res.Certificate.Scan.Cloned || len(res.Certificate.Suspects) > 0 {
		t.Fatal(res.Verdict, res.Reason)
	}
	if again, err := Check(t.Context(), file, res.Certificate); err != nil || again.Verdict != seqmc.Safe {
		t.Error(again, err)
	}
	res.Certificate.Scan.Cloned = false
	if again, err := Check(t.Context(), file, res.Certificate); err == nil && again.Verdict == seqmc.Safe {
		t.Error("what is claimed of copies is confirmed of the program")
	}
}

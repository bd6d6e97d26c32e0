package comus_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/comus"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/internal/randrace"
	"comus/scan/cut"
	"comus/seqmc"
	"comus/specialise"
)

const scanStrategy = "scan"

// TestScanAssertions decides programs of which it is known whether an assertion fails, by single assertions: never wrongly, and what is decided is confirmed
// from the certificate.
func TestScanAssertions(t *testing.T) {
	files, err := filepath.Glob("../cfront/testdata/run/*.c")
	if err != nil || len(files) < 300 {
		t.Fatal(len(files), "programs", err)
	}
	decided, all := 0, 0
	for i, f := range files {
		if i%long.N(80, 400) > 1 && os.Getenv("COMUS_ALL") == "" {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		want, _, _ := strings.Cut(strings.TrimPrefix(string(src), "// expect: "), "\n")
		if want != "SAFE" && want != "UNSAFE" {
			continue
		}
		all++
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		res, err := comus.Verify(ctx, f, comus.Options{Strategy: scanStrategy})
		stop()
		switch {
		case err != nil:
			t.Error(f, err)
			continue
		case res.Verdict == seqmc.Unknown:
			t.Log(filepath.Base(f), res.Reason)
			continue
		case res.Verdict.String() != want:
			t.Errorf("%s: %s", f, res.Verdict)
		}
		decided++
		if again, err := comus.Check(t.Context(), f, res.Certificate); err != nil || again.Verdict != res.Verdict {
			t.Error(f, err)
		}
	}
	if t.Logf("%d of %d programs were decided", decided, all); decided < all/2 {
		t.Error("too few")
	}
}

const partsText = `#include <assert.h>
#include <pthread.h>
int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void work(int n) { for (int i = 0; i < n; i++) y += i; }
void *f(void *arg) {
  work(3);
  pthread_mutex_lock(&m);
  x++;
  x--;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(x == 0);
  SPOT
  return 0;
}
`

// verifyText asks about a program with the strategy scan.
func verifyText(t *testing.T, text string, opts comus.Options) (string, *comus.Result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opts.Strategy, opts.Source = scanStrategy, cfront.Options{NoHost: true}
	res, err := comus.Verify(t.Context(), file, opts)
	if err != nil {
		t.Fatal(err)
	}
	return file, res
}

// TestScanParts decides programs that differ in one assertion, and takes no certificate of which a proof is missing or about something else.
func TestScanParts(t *testing.T) {
	long.Only(t)
	for spot, want := range map[string]seqmc.Verdict{
		"":                                    seqmc.Safe,
		"assert(y == 3);":                     seqmc.Safe,
		"assert(y == 4);":                     seqmc.Unsafe,
		"if (y == 3) return 1; assert(0);":    seqmc.Safe,
		"if (y == 4) return 1; assert(0);":    seqmc.Unsafe,
		"assert(x == 1); assert(x == 2);":     seqmc.Unsafe,
		"if (0) { assert(0); }":               seqmc.Safe,
		"extern int k(void); assert(k());":    seqmc.Unknown,
		"y = -1; work(2); assert(y != 0);":    seqmc.Unsafe,
		"int a = 7; work(9); assert(a == 7);": seqmc.Safe,
	} {
		file, res := verifyText(t, strings.Replace(partsText, "SPOT", spot, 1), comus.Options{})
		if res.Verdict != want {
			t.Errorf("%q: %s %s", spot, res.Verdict, res.Reason)
		}
		if want == seqmc.Unknown {
			continue
		}
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, res.Certificate); err != nil || again.Verdict != want {
			t.Errorf("%q: %v", spot, err)
		}
	}
}

// TestScanPartsForged changes the proofs of a certificate.
func TestScanPartsForged(t *testing.T) {
	file, res := verifyText(t, strings.Replace(partsText, "SPOT", "", 1), comus.Options{})
	_, failing := verifyText(t, strings.Replace(partsText, "SPOT", "assert(y == 4);", 1), comus.Options{})
	if res.Verdict != seqmc.Safe || len(res.Certificate.Suspects) == 0 || failing.Verdict != seqmc.Unsafe {
		t.Fatal(res.Verdict, failing.Verdict, res.Reason)
	}
	proof := res.Certificate.Suspects[0]
	lines := strings.Split(proof.Program.About, "\n")
	if len(lines) != 2 {
		t.Fatal(lines)
	}
	changed := func(f func(*check.Certificate)) []*check.Certificate {
		p := *proof
		f(&p)
		return []*check.Certificate{&p}
	}
	for name, proofs := range map[string][]*check.Certificate{
		"none":                    {},
		"nothing":                 {nil},
		"about one":               changed(func(p *check.Certificate) { p.Program.About = lines[0] }),
		"about all":               changed(func(p *check.Certificate) { p.Program.About = "" }),
		"about what is not there": changed(func(p *check.Certificate) { p.Program.About += "\nmain 99 p.c:1:1" }),
		"about an access":         changed(func(p *check.Certificate) { p.Program.About += "\nmain 0 p.c:14:3" }),
		"of races":                changed(func(p *check.Certificate) { p.Program.Check = []string{"race"} }),
		"of another program":      changed(func(p *check.Certificate) { p.Program.SHA256 = failing.Certificate.Program.SHA256 }),
		"a violation":             {failing.Certificate},
		"itself":                  {res.Certificate},
		"with statements":         changed(func(p *check.Certificate) { p.Program.Atomic = "statement" }),
		"no proof": changed(func(p *check.Certificate) {
			p.Method, p.Threads, p.Runs, p.Facts, p.Parametric = "", nil, nil, "true", nil
		}),
	} {
		forged := *res.Certificate
		forged.Suspects = proofs
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, &forged); err == nil && again.Verdict != seqmc.Unknown {
			t.Errorf("%s: %s", name, again.Verdict)
		}
	}
	for name, f := range map[string]func(c *check.Certificate){
		"for races":    func(c *check.Certificate) { c.Program.Check = []string{"race"} },
		"for more":     func(c *check.Certificate) { c.Program.Check = []string{"assert", "memory"} },
		"as a scan":    func(c *check.Certificate) { c.Method = check.MethodScan },
		"as a proof":   func(c *check.Certificate) { c.Method = "" },
		"about a part": func(c *check.Certificate) { c.Program.About = lines[0] },
		"a violation":  func(c *check.Certificate) { c.Verdict = seqmc.Unsafe.String() },
	} {
		forged := *res.Certificate
		f(&forged)
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, &forged); err == nil && again.Verdict != seqmc.Unknown {
			t.Errorf("%s: %s", name, again.Verdict)
		}
	}
	alone, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, proof)
	if err != nil || alone.Verdict != seqmc.Unknown {
		t.Error("a proof about some assertions alone:", alone, err)
	}
}

// asserting puts assertions into a random program.
func asserting(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 5))
	lines := strings.SplitAfter(callingProgram(seed), "\n")
	text := "#include <assert.h>\n"
	for i, line := range lines {
		text += line
		if i > 2 && strings.HasSuffix(line, ";\n") && !strings.Contains(line, "return") && r.IntN(4) == 0 {
			text += fmt.Sprintf("assert(%s %s %d);\n", []string{"x", "y", "z", "*p"}[r.IntN(4)], []string{"!=", "<", "=="}[r.IntN(3)], r.IntN(4))
		}
	}
	return text
}

// TestCutAssertions asks about the assertions of random programs, at all depths: none that a run shows to fail is proved.
func TestCutAssertions(t *testing.T) {
	n := uint64(2)
	if v := os.Getenv("COMUS_CUT"); v != "" {
		_, _ = fmt.Sscan(v, &n)
	}
	tally := map[string]int{}
	for seed := range n {
		s, file := sourceOf(t, asserting(seed))
		failed := map[*cir.Site]bool{}
		_, err := sample.Run(t.Context(), s.Program(), sample.Options{Runs: 100, Until: func(r *interp.Result) bool {
			failed[r.Site] = failed[r.Site] || r.Outcome == interp.AssertFails
			return false
		}})
		if err != nil {
			t.Fatal(err)
		}
		list := specialise.Assertions(s.Program())
		for _, in := range list[:min(len(list), 6)] {
			about, err := specialise.AboutAssertions(s.Program(), []*cir.Intrinsic{in})
			if err != nil {
				t.Fatal(err)
			}
			for depth := range cut.Depths {
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				res, err := s.Verify(ctx, comus.Options{Question: specialise.Options{About: about, Cut: depth}})
				if stop(); err != nil {
					t.Fatal(err)
				}
				tally[fmt.Sprint(depth, " ", res.Verdict, " failed ", failed[in.Site])]++
				switch {
				case res.Verdict == seqmc.Safe && failed[in.Site]:
					t.Errorf("%s (seed %d), depth %d: the assertion at %v is proved, but fails in a run", file, seed, depth, in.Site.Pos)
				case depth > 0 && res.Verdict == seqmc.Unsafe:
					t.Errorf("%s (seed %d), depth %d: %s", file, seed, depth, res.Verdict)
				}
			}
		}
	}
	t.Log(tally)
	if !slices.ContainsFunc([]string{"1 SAFE failed false", "2 SAFE failed false", "3 SAFE failed false"}, func(k string) bool { return tally[k] > 0 }) {
		t.Error("nothing was proved with calls left out")
	}
}

// TestScanInstead decides programs that cannot be taken apart, where no engine is named; with and without a violation.
func TestScanInstead(t *testing.T) {
	const created = `#include <pthread.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t[2]; int i = 0;
  if (__VERIFIER_nondet_int()) goto in;
  for (; i < 2; i++) {
in: pthread_create(&t[i], 0, f, 0);
  }
  SPOT
  return 0;
}
`
	const section = `#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
static void often(int n) { if (n) __VERIFIER_atomic_begin(); y++; if (n) __VERIFIER_atomic_end(); }
int main(void) {
  int k = 5; often(__VERIFIER_nondet_int());
  SPOT
  return 0;
}
`
	race := specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}
	for _, c := range []struct {
		text, spot string
		how        specialise.Options
		strategy   string
		want       seqmc.Verdict
	}{
		{created, "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);", race, "", seqmc.Safe},
		{created, "x = 2;", race, "", seqmc.Unsafe},
		{created, "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);", race, "modular", seqmc.Unknown},
		{created, "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);", specialise.Options{Check: specialise.Checks{NoAssert: true, Memory: true}}, "", seqmc.Safe},
		{section, "assert(k == 5);", specialise.Options{}, "", seqmc.Safe},
		{section, "assert(k == 6);", specialise.Options{}, "", seqmc.Unsafe},
		{section, "assert(y == 1);", specialise.Options{}, "", seqmc.Safe},
		{section, "assert(k == 5);", specialise.Options{}, "modular", seqmc.Unknown},
	} {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(strings.Replace(c.text, "SPOT", c.spot, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := comus.Verify(t.Context(), file, comus.Options{Strategy: c.strategy, Question: c.how, Source: cfront.Options{NoHost: true}})
		if err != nil || res.Verdict != c.want {
			t.Errorf("%q, %q: %v %v", c.spot, c.strategy, res, err)
			continue
		}
		if c.want == seqmc.Unknown {
			continue
		}
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, res.Certificate); err != nil || again.Verdict != c.want {
			t.Errorf("%q: %v", c.spot, err)
		}
	}
}

// TestScanRandomRaces asks about random programs with threads: none is race-free that a run shows to have one, and a violation is one that is confirmed from
// its certificate.
func TestScanRandomRaces(t *testing.T) {
	n := uint64(4)
	if v := os.Getenv("COMUS_RACES"); v != "" {
		_, _ = fmt.Sscan(v, &n)
	}
	first := uint64(100)
	if v := os.Getenv("COMUS_SEED"); v != "" {
		_, _ = fmt.Sscan(v, &first)
	}
	tally := map[string]int{}
	for seed := first; seed < first+n; seed++ {
		s, file := sourceOf(t, randrace.Program(seed))
		r, err := sample.Run(t.Context(), s.Program(), sample.Options{Runs: 60, Races: true})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 8*time.Second)
		res, err := s.Verify(ctx, comus.Options{Strategy: scanStrategy, Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}})
		if stop(); err != nil {
			t.Fatal(err)
		}
		by := ""
		if res.Certificate != nil && len(res.Certificate.Suspects) > 0 {
			by = " with engines"
		}
		tally[fmt.Sprint(res.Verdict, by, ", runs have a race: ", len(r.Races) > 0)]++
		if res.Verdict == seqmc.Safe && len(r.Races) > 0 {
			t.Errorf("%s (seed %d): SAFE, but a run shows a race", file, seed)
		}
		if res.Verdict == seqmc.Unknown {
			continue
		}
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, res.Certificate); err != nil || again.Verdict != res.Verdict {
			t.Errorf("%s (seed %d): %v", file, seed, err)
		}
	}
	t.Log(tally)
}

// TestScanRelations decides programs by what variables have to do with each other, without engines; with one feature less, nothing is proved.
func TestScanRelations(t *testing.T) {
	const text = `#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
TYPE taken, left = 50;
void *f(void *arg) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&m);
    if (left > 0) {
      taken++;
      BETWEEN
      left--;
    }
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&LOCK);
  assert(taken + left == 50);
  pthread_mutex_unlock(&LOCK);
  return 0;
}
int main(void) {
  pthread_t t[9];
  for (int i = 0; i < 9; i++)
    pthread_create(&t[i], 0, f, 0);
  return 0;
}
`
	for _, p := range []struct {
		how  string // TYPE, BETWEEN, LOCK
		safe bool
	}{
		{"int||m", true}, {"long||m", true}, {"unsigned||m", true},
		{"int||n", false}, {"int|pthread_mutex_unlock(&m); pthread_mutex_lock(&m);|m", false}, {"int|int *p = &taken; *p += 1;|m", false},
	} {
		parts := strings.Split(p.how, "|")
		file, res := verifyText(t, strings.NewReplacer("TYPE", parts[0], "BETWEEN", parts[1], "LOCK", parts[2]).Replace(text), comus.Options{Options: engine.Options{Alone: true}})
		if res.Verdict == seqmc.Safe != p.safe {
			t.Errorf("%s: %s %s", p.how, res.Verdict, res.Reason)
		}
		if res.Verdict != seqmc.Safe {
			continue
		}
		if v := res.Certificate.Values; v == nil || len(v.Relations) == 0 || len(res.Certificate.Suspects) > 0 {
			t.Errorf("%s: not by relations", p.how)
			continue
		}
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, res.Certificate); err != nil || again.Verdict != seqmc.Safe {
			t.Errorf("%s: %v", p.how, err)
		}
		res.Certificate.Values.Free = nil
		if _, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{NoHost: true}, res.Certificate); err == nil {
			t.Errorf("%s: confirmed without what holds of the lock", p.how)
		}
	}
}

package simulate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/internal/csource"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/interp"
	"comus/simulate"
)

// parse reads C.
func parse(t testing.TB, src string, o csource.Options) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := csource.ParseFile(file, o)
	if err != nil {
		t.Fatal(err)
	}
	res.Program.Renumber()
	return res.Program
}

// search returns the schedule that a search finds, replayed, or nil.
func search(t testing.TB, p *ir.Program, l simulate.Limits) *ir.Schedule {
	t.Helper()
	s, err := simulate.New(p)
	if err != nil {
		t.Fatal(err)
	}
	sched := s.Search(t.Context(), l)
	if sched != nil {
		if _, err := interp.Replay(p, *sched); err != nil {
			t.Fatalf("the run is not real: %v", err)
		}
	}
	return sched
}

const head = "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"

// threads is a program in which all of n increments come before the check, if that is
// possible.
func threads(n int, condition string) string {
	return head + fmt.Sprintf(`
int x;
void *check(void *a) { assert(%s); return 0; }
void *inc(void *a) { int t = x; x = t + 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, check, 0);
  for (int i = 0; i < %d; i++) pthread_create(&t, 0, inc, 0);
  return 0;
}`, condition, n)
}

func inputs(guard, condition string) string {
	return head + fmt.Sprintf(`
int n, m;
void *w(void *a) { m = n; return 0; }
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  if (!(%s)) abort();
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  assert(%s);
  return 0;
}`, guard, condition)
}

func TestSearch(t *testing.T) {
	tests := []struct {
		name  string
		src   string
		found bool
	}{
		{"all threads, unsafe", threads(50, "x < 50"), true},
		{"all threads, safe", threads(50, "x < 51"), false},
		{"an interval, unsafe", inputs("n >= 2000 && n < 2030", "m != 2011"), true},
		{"an interval, safe", inputs("n >= 2000 && n < 2030", "m != 2030"), false},
		{"one value, unsafe", inputs("n == 123456", "m != 123456"), true},
		{"one value, safe", inputs("n == 123456", "m == 123456"), false},
		{"uninitialised, unsafe", head + "int main(void) { int k; if (k == 77) assert(0); }", true},
		{"uninitialised, safe", head + "int main(void) { int k; if (k != k) assert(0); }", false},
		{"mutex, unsafe", locked("", ""), true},
		{"mutex, safe", locked("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := search(t, parse(t, tt.src, csource.Options{}), simulate.Limits{Runs: 1000})
			if found := s != nil; found != tt.found {
				t.Errorf("found: %t", found)
			}
		})
	}
}

// locked has two increments between lock and unlock.
func locked(lock, unlock string) string {
	return head + `
int x;
pthread_mutex_t m;
void *inc(void *a) { ` + lock + ` int t = x; x = t + 1; ` + unlock + ` return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}`
}

// TestDeterministic makes the same search twice.
func TestDeterministic(t *testing.T) {
	var runs [2]simulate.Stats
	for i := range runs {
		s, err := simulate.New(parse(t, threads(10, "x != 3"), csource.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		s.Search(t.Context(), simulate.Limits{Runs: 100})
		runs[i] = s.Stats()
	}
	if runs[0] != runs[1] || runs[0].Runs == 0 {
		t.Errorf("%v, then %v", runs[0], runs[1])
	}
}

// TestRandomPrograms replays what is found in random programs.
func TestRandomPrograms(t *testing.T) {
	found := 0
	const n = 60
	for seed := range uint64(n) {
		p := parse(t, randprog.Generate(seed, randprog.Options{Features: randprog.All}), csource.Options{})
		if search(t, p, simulate.Limits{Runs: 200}) != nil {
			found++
		}
	}
	t.Logf("violations in %d of %d programs", found, n)
	if found == 0 {
		t.Error("no violation found")
	}
}

// TestRepository counts the unsafe programs of the front end's tests whose violation is
// found fast; in safe ones, nothing may be found.
func TestRepository(t *testing.T) {
	files, err := filepath.Glob("../cfront/testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	unsafe, found, missed := 0, 0, []string{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(src), "\n")
		res, err := csource.ParseFile(f, csource.Options{})
		if first != "// expect: SAFE" && first != "// expect: UNSAFE" || err != nil {
			continue
		}
		safe := first == "// expect: SAFE"
		l := simulate.Limits{Time: 200 * time.Millisecond}
		if safe {
			l.Runs = 20
		}
		res.Program.Renumber()
		s := search(t, res.Program, l)
		switch {
		case safe && s != nil:
			t.Errorf("%s is safe, but a violation was found", f)
		case !safe && s != nil:
			unsafe, found = unsafe+1, found+1
		case !safe:
			unsafe, missed = unsafe+1, append(missed, filepath.Base(f))
		}
	}
	t.Logf("found %d of %d; not %v", found, unsafe, missed)
	if found*10 < unsafe*9 {
		t.Errorf("found %d violations of %d", found, unsafe)
	}
}

func BenchmarkSearch(b *testing.B) {
	s, err := simulate.New(parse(b, locked("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"), csource.Options{}))
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	s.Search(b.Context(), simulate.Limits{Runs: b.N})
	b.ReportMetric(float64(s.Stats().Steps)/b.Elapsed().Seconds(), "steps/s")
}

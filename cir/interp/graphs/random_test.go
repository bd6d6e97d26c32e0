package graphs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/dpor"
	"comus/cir/interp/graphs"
	"comus/internal/long"
	"comus/memory"
)

// atomics are what threads of random programs do. @ is the thread's number, L, S and U stand for orders of loads, stores and updates, x for an atomic object.
var atomics = []string{
	"atomic_store_explicit(&x, @1, S);", "out[@] = out[@] * 10 + atomic_load_explicit(&x, L);", "out[@] += atomic_fetch_add_explicit(&x, 1, U);", "atomic_thread_fence(U);",
	"{ int e = 0; if (atomic_compare_exchange_strong_explicit(&x, &e, @2, U, memory_order_relaxed)) out[@] += 3; else out[@] += 5 * e; }",
	"out[@] += atomic_exchange_explicit(&x, @3, U);", "if (atomic_load_explicit(&x, L)) atomic_store_explicit(&x, @4, S);",
	"pthread_mutex_lock(&m); n += 1 + atomic_load_explicit(&x, L); pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); out[@] += n; n = @; pthread_mutex_unlock(&m);",
	"while (!atomic_load_explicit(&x, L)) ;", "{ int e = 0; while (!atomic_compare_exchange_strong_explicit(&x, &e, 1, U, memory_order_relaxed)) e = 0; }",
	"for (int i = 0; i < 2; i++) out[@] += atomic_fetch_or_explicit(&x, @1, U);", "assert(atomic_load_explicit(&x, L) != 21);",
	"{ int e = @1; atomic_compare_exchange_weak_explicit(&x, &e, 7, U, memory_order_acquire); out[@] += e; }",
}

// objects are what threads of random programs do with objects of the library.
var objects = []string{
	"sem_post(&s);", "sem_wait(&s); out[@] += atomic_load_explicit(&x, L);", "if (!sem_trywait(&s)) { out[@] += 2; atomic_store_explicit(&x, @5, S); }",
	"if (!pthread_mutex_trylock(&m)) { out[@] += n; n += @; pthread_mutex_unlock(&m); }", "pthread_mutex_lock(&m); n = n * 2 + @; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);",
	"pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); n++; pthread_mutex_unlock(&m);", "for (;;) { pthread_mutex_lock(&m); int k = n; pthread_mutex_unlock(&m); if (k) break; }",
	"pthread_rwlock_rdlock(&l); out[@] += k + atomic_load_explicit(&x, L); pthread_rwlock_unlock(&l);", "pthread_rwlock_wrlock(&l); k += @; atomic_store_explicit(&x, @6, S); pthread_rwlock_unlock(&l);",
	"if (!pthread_rwlock_tryrdlock(&l)) { out[@] += k; pthread_rwlock_unlock(&l); }", "if (!pthread_rwlock_trywrlock(&l)) { k = 7; pthread_rwlock_unlock(&l); }",
	"pthread_mutex_lock(&twice); pthread_mutex_lock(&twice); out[@] += z++; pthread_mutex_unlock(&twice); pthread_mutex_unlock(&twice);",
	"if (!pthread_mutex_trylock(&twice)) { z += @; pthread_mutex_unlock(&twice); }", "pthread_once(&once, first); out[@] += atomic_load_explicit(&v, L);", "pthread_barrier_wait(&b); out[@] += atomic_load_explicit(&x, L);",
}

var orders = map[string][]string{"L": {"relaxed", "acquire", "seq_cst"}, "S": {"relaxed", "release", "seq_cst"}, "U": {"relaxed", "acquire", "release", "acq_rel", "seq_cst"}}

// randomProgram returns a program with two or three threads beside main.
func randomProgram(r *rand.Rand, statements []string) string {
	var b strings.Builder
	b.WriteString("#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdio.h>\nstatic atomic_int v, w; static int n, out[4]; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, twice;\n" +
		"static sem_t s; static pthread_cond_t c; static pthread_rwlock_t l; static pthread_once_t once; static pthread_barrier_t b; static int k, z;\nstatic void first(void) { atomic_store_explicit(&v, 7, memory_order_relaxed); }\n")
	threads := 2 + r.IntN(2)
	body := func(t, most int) string {
		s := ""
		for range 1 + r.IntN(most) {
			line := strings.ReplaceAll(statements[r.IntN(len(statements))], "@", strconv.Itoa(t))
			object := string("vw"[r.IntN(2)])
			line = strings.ReplaceAll(line, "&x", "&"+object)
			for _, name := range []string{"L", "S", "U"} {
				list := orders[name]
				for _, before := range []string{", ", "fence("} {
					line = strings.ReplaceAll(line, before+name+")", before+"memory_order_"+list[r.IntN(len(list))]+")")
					line = strings.ReplaceAll(line, before+name+",", before+"memory_order_"+list[r.IntN(len(list))]+",")
				}
			}
			s += "  " + line + "\n"
		}
		return s
	}
	for t := 1; t <= threads; t++ {
		fmt.Fprintf(&b, "static void *thread%d(void *a) {\n%s  return a;\n}\n", t, body(t, 4-threads/3))
	}
	b.WriteString("int main(void) {\n  pthread_t t[4];\n")
	if len(statements) > len(atomics) {
		fmt.Fprintf(&b, "  pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&twice, &a);\n"+
			"  sem_init(&s, 0, %d); pthread_barrier_init(&b, 0, 2);\n", r.IntN(2))
	}
	if r.IntN(4) == 0 {
		b.WriteString(body(0, 1))
	}
	for t := 1; t <= threads; t++ {
		fmt.Fprintf(&b, "  pthread_create(&t[%d], 0, thread%d, 0);\n", t, t)
	}
	if r.IntN(3) == 0 {
		b.WriteString(body(0, 1))
	}
	fmt.Fprintf(&b, "  for (int i = 1; i <= %d; i++) pthread_join(t[i], 0);\n", threads)
	b.WriteString("  printf(\"%d %d %d %d %d %d %d\\n\", v, w, n, out[0], out[1], out[2], out[3]);\n  return 0;\n}\n")
	return b.String()
}

func load(t testing.TB, text string) *cir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return loadFile(t, file)
}

// end is what a test looks at of how a run ends.
func end(res *interp.Result) string {
	return res.Outcome.String() + " " + strings.TrimSpace(string(res.Stdout))
}

// visited is what an exploration has found.
type visited struct {
	report *graphs.Report
	sums   map[uint64]int
	ends   map[string]bool
}

// visit explores a program; nil if there is too much of it. Each graph is one that the model allows, and can be followed.
func visit(t *testing.T, p *cir.Program, opt graphs.Options) *visited {
	t.Helper()
	opt.Run, opt.Runs = options, 3000
	v := &visited{sums: map[uint64]int{}, ends: map[string]bool{}}
	var err error
	v.report, err = graphs.Explore(t.Context(), p, opt, func(ex *graphs.Execution) bool {
		if ex.Blocked {
			return false
		}
		v.sums[ex.Sum()]++
		v.ends[end(ex.Result)] = true
		if opt.Random != nil || len(v.sums) > 50 {
			return false
		}
		if err := ex.Graph.Check(); err != nil {
			t.Error(err)
		}
		if w := ex.Graph.Violations(opt.Model); len(w) > 0 {
			t.Errorf("%s: %v", opt.Model, w)
		}
		res, err := graphs.Replay(t.Context(), p, options(nil), ex.Graph, false)
		if err != nil || end(res) != end(ex.Result) {
			t.Errorf("%s: %s, then %v, %v", opt.Model, end(ex.Result), res, err)
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRandom explores random programs: in two orders, which visit the same graphs, each once; under sequential consistency, with the same ends as by package dpor; stronger models with no more ends than weaker ones; and
// random runs meet no graph that was not visited. The environment variable COMUS_RANDOM says how many programs there are.
func TestRandom(t *testing.T) { testRandom(t, atomics, long.N(60, 10)) }

// TestRandomObjects is the same for programs with objects of the library.
func TestRandomObjects(t *testing.T) {
	testRandom(t, append(slices.Clone(atomics), objects...), long.N(15, 4))
}

func testRandom(t *testing.T, statements []string, n int) {
	if s := os.Getenv("COMUS_RANDOM"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	first := uint64(1)
	if s := os.Getenv("COMUS_SEED"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
	}
	complete := 0
	for seed := first; seed < first+uint64(n); seed++ {
		text := randomProgram(rand.New(rand.NewPCG(seed, 7)), statements)
		p := load(t, text)
		waits := strings.Contains(text, "while") || strings.Contains(text, "for (;;)") // then a random run may go around once more
		of := map[memory.Model]*visited{}
		for _, m := range []memory.Model{memory.SC, memory.TSO, memory.PSO, memory.RC11} {
			v := visit(t, p, graphs.Options{Model: m})
			if !v.report.Complete || v.report.Unfinished { // how far others have come where an assertion fails is open
				continue
			}
			of[m] = v
			for sum, k := range v.sums {
				if k > 1 {
					t.Errorf("%s: graph %x is visited %d times", m, sum, k)
				}
			}
			if w := visit(t, p, graphs.Options{Model: m, Last: true}); !w.report.Complete || !maps.Equal(v.sums, w.sums) {
				t.Errorf("%s: %d graphs; in another order %d; %s", m, v.report.Runs, w.report.Runs, w.report.Why)
			}
			r := graphs.New(p, graphs.Options{Model: m, Run: options, Random: rand.New(rand.NewPCG(seed, 8)), Runs: 60})
			for !r.Done() {
				ex, err := r.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if ex != nil && !ex.Blocked && ex.Result.Outcome == interp.Exited && (!v.ends[end(ex.Result)] || !waits && v.sums[ex.Sum()] == 0) {
					t.Errorf("%s: a random run meets a graph that was not visited: %s", m, end(ex.Result))
				}
			}
		}
		within(t, of, memory.SC, memory.TSO)
		within(t, of, memory.TSO, memory.PSO)
		within(t, of, memory.SC, memory.RC11)
		if v := of[memory.SC]; v != nil {
			complete++
			sameAsInterleavings(t, p, v)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	if complete < n/2 {
		t.Errorf("only %d of %d programs were explored", complete, n)
	}
}

// within checks that a weaker model allows what a stronger one does.
func within(t *testing.T, of map[memory.Model]*visited, strong, weak memory.Model) {
	t.Helper()
	if of[strong] == nil || of[weak] == nil {
		return
	}
	for e := range of[strong].ends {
		if !of[weak].ends[e] {
			t.Errorf("%s has the end %q, and %s has not", strong, e, weak)
		}
	}
}

// sameAsInterleavings compares the ends with those of all interleavings. A weak exchange does not fail there without a reason.
func sameAsInterleavings(t *testing.T, p *cir.Program, v *visited) {
	t.Helper()
	ends := map[string]bool{}
	r, err := dpor.Explore(t.Context(), p, dpor.Options{Run: options, Runs: 20000, Events: 300}, func(ex *dpor.Execution) bool {
		if ex.Result.Outcome != interp.Deadlock && ex.Result.Outcome != interp.Limit {
			ends[end(ex.Result)] = true
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	for e := range ends {
		if !v.ends[e] {
			t.Errorf("an interleaving has the end %q, no graph has", e)
		}
	}
	if weak := slices.ContainsFunc(slices.Collect(maps.Keys(v.ends)), func(e string) bool { return !ends[e] }); r.Complete && weak && !usesWeak(p) {
		t.Errorf("graphs have the ends %v, interleavings %v", slices.Sorted(maps.Keys(v.ends)), slices.Sorted(maps.Keys(ends)))
	}
}

// usesWeak reports whether a program has a weak compare and exchange.
func usesWeak(p *cir.Program) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if x, ok := in.(*cir.CmpXchg); ok && x.Weak {
					return true
				}
			}
		}
	}
	return false
}

package axiomatic_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/internal/long"
	"comus/memory"
	"comus/partialorder/axiomatic"
	"comus/scan/pointsto"
	"comus/specialise"
)

// statements are what threads do. @ is the thread's number, L, S and U stand for orders of loads, stores and updates, x for an atomic object, # for a number.
var statements = []string{
	"atomic_store_explicit(&x, #, S);", "atomic_store_explicit(&x, #, S);", "out[@] = out[@] * 3 + atomic_load_explicit(&x, L);", "out[@] = out[@] * 3 + atomic_load_explicit(&x, L);",
	"out[@] += atomic_fetch_add_explicit(&x, 1, U);", "atomic_thread_fence(U);", "atomic_fetch_add_explicit(&x, 1, U);",
	"{ int e = #; if (atomic_compare_exchange_strong_explicit(&x, &e, 2, U, memory_order_relaxed)) out[@] += 1; else out[@] += 2 * e; }",
	"{ int e = 0; if (atomic_compare_exchange_weak_explicit(&x, &e, 2, U, memory_order_relaxed)) out[@] += 1; }",
	"out[@] += atomic_exchange_explicit(&x, #, U);", "if (atomic_load_explicit(&x, L)) atomic_store_explicit(&x, 2, S);", "if (atomic_load_explicit(&x, L) == 1) out[@] += atomic_load_explicit(&x, L);",
	"pthread_mutex_lock(&m); n += atomic_load_explicit(&x, L); pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); out[@] += n; n = #; pthread_mutex_unlock(&m);",
	"while (!atomic_load_explicit(&x, L)) ;", "for (int i = 0; i < 2; i++) out[@] += atomic_load_explicit(&x, L);",
}

// others are what threads do with the library, pointers and plain memory: some of it is not known, or taken for more than it does.
var others = []string{
	"sem_post(&s);", "sem_wait(&s); out[@] += atomic_load_explicit(&x, L);", "if (!sem_trywait(&s)) { out[@] += 2; atomic_store_explicit(&x, 2, S); }",
	"if (!pthread_mutex_trylock(&m)) { out[@] += n; n = #; pthread_mutex_unlock(&m); } else out[@] += atomic_load_explicit(&x, L);",
	"pthread_mutex_lock(&m); arr[n & 1] = #; n = arr[#]; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); n--; pthread_mutex_unlock(&m);",
	"pthread_rwlock_rdlock(&l); out[@] += k + atomic_load_explicit(&x, L); pthread_rwlock_unlock(&l);", "pthread_rwlock_wrlock(&l); k = #; atomic_store_explicit(&x, 1, S); pthread_rwlock_unlock(&l);",
	"{ atomic_int *q = out[@] ? &v : &w; atomic_store_explicit(q, #, S); }", "{ atomic_int *q = &x; out[@] += atomic_load_explicit(q, L); }", "pthread_once(&once, first); out[@] += atomic_load_explicit(&v, L);",
	"{ struct pair *q = atomic_load_explicit(&p, L); if (q) out[@] += q->a + atomic_load_explicit(&q->b, L); }", "{ pairs[#].a = 1; atomic_store_explicit(&pairs[#].b, 1, S); atomic_store_explicit(&p, &pairs[#], S); }",
	"{ struct pair *q = malloc(sizeof *q); if (q) { q->a = 2; atomic_init(&q->b, 0); atomic_store_explicit(&q->b, #, S); atomic_store_explicit(&p, q, S); } }",
	"atomic_fetch_or_explicit(&bytes[#], 1, U);", "out[@] += atomic_load_explicit(&bytes[#], L);", "out[@] += atomic_flag_test_and_set_explicit(&f, U);", "atomic_flag_clear_explicit(&f, S);",
}

// program is a random one, but for what main does in the end.
func program(r *rand.Rand, statements []string) string {
	orders := map[string][]string{"L": {"relaxed", "acquire", "seq_cst"}, "S": {"relaxed", "release", "seq_cst"}, "U": {"relaxed", "acquire", "release", "acq_rel", "seq_cst"}}
	var b strings.Builder
	b.WriteString("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\nstatic atomic_int v, w; static int n, out[4]; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" +
		"#include <semaphore.h>\n#include <stdlib.h>\nstatic sem_t s; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static pthread_once_t once = PTHREAD_ONCE_INIT;\n" +
		"static int k, arr[3]; static atomic_uchar bytes[4]; static atomic_flag f = ATOMIC_FLAG_INIT; struct pair { int a; atomic_int b; }; static struct pair pairs[3]; static struct pair *_Atomic p;\n" +
		"static void first(void) { atomic_store_explicit(&v, 2, memory_order_relaxed); }\n")
	threads := 2 + r.IntN(2)
	body := func(t, most int) string {
		s := ""
		for range 1 + r.IntN(most) {
			line := strings.ReplaceAll(statements[r.IntN(len(statements))], "@", strconv.Itoa(t))
			line = strings.ReplaceAll(strings.ReplaceAll(line, "&x", "&"+string("vw"[r.IntN(2)])), "#", strconv.Itoa(r.IntN(3)))
			for _, name := range []string{"L", "S", "U"} {
				for _, before := range []string{", ", "fence("} {
					for _, after := range []string{")", ","} {
						line = strings.ReplaceAll(line, before+name+after, before+"memory_order_"+orders[name][r.IntN(len(orders[name]))]+after)
					}
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
	if r.IntN(4) == 0 {
		b.WriteString(body(0, 1))
	}
	if len(statements) >= len(others) {
		fmt.Fprintf(&b, "  sem_init(&s, 0, %d);\n", r.IntN(2))
	}
	for t := 1; t <= threads; t++ {
		fmt.Fprintf(&b, "  pthread_create(&t[%d], 0, thread%d, 0);\n", t, t)
	}
	if r.IntN(3) == 0 {
		b.WriteString(body(0, 1))
	}
	fmt.Fprintf(&b, "  for (int i = 1; i <= %d; i++) pthread_join(t[i], 0);\n", threads)
	b.WriteString("  int end = v + 10 * w + 100 * n + 1000 * out[0] + 20000 * out[1] + 400000 * out[2] + 8000000 * out[3];\n  END\n  return 0;\n}\n")
	return b.String()
}

func load(t testing.TB, text string) *cir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// ends returns what the numbers at the ends of a program's executions are; nil if they are too many.
func ends(t *testing.T, text string, m memory.Model) []string {
	set := map[string]bool{}
	r, err := graphs.Explore(t.Context(), load(t, strings.Replace(text, "END", `printf("%d", end);`, 1)), graphs.Options{Model: m, Runs: 3000, Run: func(func(string, cir.Type) (lo, hi uint64)) interp.Options {
		return interp.Options{MaxSteps: 100_000}
	}}, func(ex *graphs.Execution) bool {
		if !ex.Blocked && ex.Result.Outcome == interp.Exited {
			set[string(ex.Result.Stdout)] = true
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.Unfinished {
		return nil
	}
	var list []string
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// decide returns whether an assertion of a program can fail: by a search, and by the check of a proof.
func decide(t *testing.T, text string, m memory.Model) (fails, complete bool, err, proof error) {
	p := load(t, text)
	pts, err := pointsto.Analyse(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	instr := map[int]cir.Located{}
	for in, n := range cir.Number(p) {
		instr[n] = in
	}
	read := func() *specialise.Result {
		r, err := specialise.Specialise(t.Context(), p, pts, specialise.Options{Orders: true, Memory: m, Overflow: specialise.OverflowWrap})
		if errors.As(err, new(*specialise.Error)) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if read() == nil {
		return false, false, errNotShown, errNotShown
	}
	found, err := axiomatic.Find(t.Context(), read().Program, axiomatic.Options{Model: m, Unwind: 3, Instr: instr})
	_, proof = check.Axioms(t.Context(), read().Program, &check.Certificate{Bound: 4}, m, instr)
	if err != nil {
		return false, false, err, proof
	}
	return found.Execution != nil, found.Complete, nil, proof
}

var errNotShown = errors.New("the program cannot be taken apart with its orders")

// TestRandomOthers has no assertion proved that fails in an execution graph, and some that hold.
func TestRandomOthers(t *testing.T) {
	n, first := long.N(60, 2), uint64(1)
	if s := os.Getenv("COMUS_RANDOM"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("COMUS_SEED"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
	}
	asked, proved := 0, 0
	for seed := first; seed < first+uint64(n); seed++ {
		r := rand.New(rand.NewPCG(seed, 4))
		text := program(r, append(slices.Clone(others), statements[:r.IntN(2)*len(statements)]...))
		m := []memory.Model{memory.TSO, memory.PSO, memory.RC11}[r.IntN(3)]
		all := ends(t, text, m)
		if len(all) == 0 || len(all) > 60 {
			continue
		}
		left := r.IntN(len(all))
		for _, without := range []bool{false, true} {
			list := slices.Clone(all)
			if without {
				list = slices.Delete(list, left, left+1)
			}
			asserted := strings.Replace(text, "END", "assert(end == "+strings.Join(append([]string{"-1"}, list...), " || end == ")+");", 1)
			fails, complete, err, proof := decide(t, asserted, m)
			asked++
			if proof == nil {
				proved++
			}
			if without && (proof == nil || err == nil && !fails && complete) {
				t.Fatalf("seed %d, %s: an assertion that fails is proved, %s is left out; fails: %t, complete: %t, %v; proof: %v\n%s", seed, m, all[left], fails, complete, err, proof, asserted)
			}
		}
	}
	t.Logf("%d questions, %d proofs", asked, proved)
	if proved == 0 && asked > 30 {
		t.Error("nothing was proved")
	}
}

// TestRandom compares with execution graphs: that the program ends as one of them does is proved; if one of their ends is left out, there is an execution with this end. The environment variable COMUS_RANDOM says how
// many programs there are, COMUS_SEED the first one.
func TestRandom(t *testing.T) {
	n, first := long.N(40, 2), uint64(1)
	if s := os.Getenv("COMUS_RANDOM"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("COMUS_SEED"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
	}
	compared := 0
	for seed := first; seed < first+uint64(n); seed++ {
		r := rand.New(rand.NewPCG(seed, 3))
		text := program(r, statements)
		for _, m := range []memory.Model{memory.TSO, memory.PSO, memory.RC11} {
			all := ends(t, text, m)
			if len(all) == 0 || len(all) > 60 {
				continue
			}
			compared++
			assert := func(of []string) string {
				return strings.Replace(text, "END", "assert(end == "+strings.Join(append([]string{"-1"}, of...), " || end == ")+");", 1)
			}
			left := r.IntN(len(all))
			for _, tc := range []struct {
				ends  []string
				fails bool
			}{{all, false}, {slices.Delete(slices.Clone(all), left, left+1), true}} {
				fails, complete, err, proof := decide(t, assert(tc.ends), m)
				if err != nil || fails != tc.fails || !fails && !complete || (proof == nil) == tc.fails {
					t.Errorf("seed %d, %s, %d ends, without %s: %t; fails: %t, complete: %t, %v; proof: %v\n%s", seed, m, len(all), all[left], tc.fails, fails, complete, err, proof, assert(tc.ends))
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d programs and models", compared)
	if compared < n {
		t.Errorf("only %d programs and models of %d programs were compared", compared, n)
	}
}

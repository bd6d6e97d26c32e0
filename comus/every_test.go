package comus

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/passes"
	"comus/seqmc"
	"comus/specialise"
	"comus/threadmodular"
)

// everyHead begins the programs of these tests.
const everyHead = `#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m;
int x, y, lock;
`

// anyMain creates threads of f.
const anyMain = `
int main(void) { pthread_t p; while (__VERIFIER_nondet_int()) pthread_create(&p, 0, f, 0); return 0; }
`

// fiftyMain creates 50 threads of f.
const fiftyMain = `
int main(void) { pthread_t p; for (int i = 0; i < 50; i++) pthread_create(&p, 0, f, 0); assert(x <= 50); return 0; }
`

const (
	lockedCounter = `void *f(void *a) { pthread_mutex_lock(&m); int t = x; x = t + 1; assert(x == t + 1); pthread_mutex_unlock(&m); return 0; }`
	lockedTwice   = `void *f(void *a) { pthread_mutex_lock(&m); int t = x; x = t + 1; assert(x == t + 2); pthread_mutex_unlock(&m); return 0; }`
	racyCounter   = `void *f(void *a) { int t = x; x = t + 1; assert(x == t + 1); return 0; }`
	spinLock      = `void *f(void *a) { int t; do { __VERIFIER_atomic_begin(); t = lock; lock = 1; __VERIFIER_atomic_end(); } while (t == 1);
		x = 1; assert(x == 1); x = 0; lock = 0; return 0; }`
	spinLockBroken = `void *f(void *a) { int t; do { __VERIFIER_atomic_begin(); t = lock; lock = 1; __VERIFIER_atomic_end(); } while (t == 2);
		x = 1; assert(x == 1); x = 0; lock = 0; return 0; }`
	lostUpdates  = `void *f(void *a) { int t = x; x = t + 1; return 0; }`
	twoUpdates   = `void *f(void *a) { int t = x; x = t + 2; return 0; }`
	nested       = `void *g(void *a) { x = 1; return 0; } void *f(void *a) { pthread_t p; pthread_create(&p, 0, g, 0); assert(x <= 1); return 0; }`
	nestedBroken = `void *g(void *a) { x = 2; return 0; } void *f(void *a) { pthread_t p; pthread_create(&p, 0, g, 0); assert(x <= 1); return 0; }`
	readWrite    = `pthread_rwlock_t l; void *f(void *a) { pthread_rwlock_wrlock(&l); x = 1; x = 0; pthread_rwlock_unlock(&l);
		pthread_rwlock_wrlock(&l); assert(x == 0); pthread_rwlock_unlock(&l); return 0; }`
	readNoLock = `pthread_rwlock_t l; void *f(void *a) { pthread_rwlock_wrlock(&l); x = 1; x = 0; pthread_rwlock_unlock(&l); assert(x == 0); return 0; }`
	tryLock    = `void *f(void *a) { if (pthread_mutex_trylock(&m) == 0) { x++; assert(x == 1); x--; pthread_mutex_unlock(&m); } return 0; }`
	tryNothing = `void *f(void *a) { pthread_mutex_trylock(&m); x++; assert(x == 1); x--; return 0; }`
)

// counts returns a program that fails if n threads are there at the same time.
func counts(n string) string {
	return `void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); assert(x < ` + n + `); return 0; }`
}

var everyTests = []struct {
	name, text, main string
	proved           bool
}{
	{"locked counter", lockedCounter, anyMain, true},
	{"locked counter, wrong", lockedTwice, anyMain, false},
	{"no lock", racyCounter, anyMain, false},
	{"spin lock", spinLock, anyMain, true},
	{"spin lock, broken", spinLockBroken, anyMain, false},
	{"at most 50", lostUpdates, fiftyMain, true},
	{"at most 100", twoUpdates, fiftyMain, false},
	{"threads that create threads", nested, anyMain, true},
	{"threads that create threads, broken", nestedBroken, anyMain, false},
	{"read-write lock", readWrite, anyMain, true},
	{"read without lock", readNoLock, anyMain, false},
	{"trylock", tryLock, anyMain, true},
	{"trylock ignored", tryNothing, anyMain, false},
	{"1 thread fails", counts("1"), anyMain, false},
	{"2 threads fail", counts("2"), anyMain, false},
	{"3 threads fail", counts("3"), anyMain, false},
	{"4 threads fail", counts("4"), anyMain, false},
	{"thread-local", `__thread int n; void *f(void *a) { n++; assert(n == 1); return 0; }`, anyMain, true},
	{"static", `void *f(void *a) { static int n; n++; assert(n == 1); return 0; }`, anyMain, false},
	{"semaphore", `#include <semaphore.h>
		sem_t s; void *f(void *a) { sem_wait(&s); x++; assert(x == 1); x--; sem_post(&s); return 0; }`,
		`int main(void) { pthread_t p; sem_init(&s, 0, 1); while (1) pthread_create(&p, 0, f, 0); }`, true},
	{"semaphore for two", `#include <semaphore.h>
		sem_t s; void *f(void *a) { sem_wait(&s); x++; assert(x == 1); x--; sem_post(&s); return 0; }`,
		`int main(void) { pthread_t p; sem_init(&s, 0, 2); while (1) pthread_create(&p, 0, f, 0); }`, false},
	{"condition", `pthread_cond_t c; void *f(void *a) { pthread_mutex_lock(&m); while (x) pthread_cond_wait(&c, &m); assert(x == 0); y = 1; y = 0;
		pthread_mutex_unlock(&m); return 0; }`,
		`int main(void) { pthread_t p; x = 1; while (__VERIFIER_nondet_int()) pthread_create(&p, 0, f, 0);
			pthread_mutex_lock(&m); assert(y == 0); x = 0; pthread_mutex_unlock(&m); return 0; }`, true},
	{"condition, no mutex", `pthread_cond_t c; void *f(void *a) { pthread_mutex_lock(&m); while (x) pthread_cond_wait(&c, &m); assert(x == 0); y = 1; y = 0;
		pthread_mutex_unlock(&m); return 0; }`,
		`int main(void) { pthread_t p; while (__VERIFIER_nondet_int()) pthread_create(&p, 0, f, 0); assert(y == 0); return 0; }`, false},
	{"once", `pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x++; } void *f(void *a) { pthread_once(&o, init); assert(x == 1); return 0; }`, anyMain, true},
	{"twice", `pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x++; } void *f(void *a) { pthread_once(&o, init); x++; assert(x == 2); return 0; }`, anyMain, false},
	{"arguments differ", `void *f(void *a) { assert((long)a < 7); return 0; }`,
		`int main(void) { pthread_t p; for (long i = 0; i < 9; i++) pthread_create(&p, 0, f, (void *)i); return 0; }`, false},
	{"the same argument", `void *f(void *a) { assert((long)a < 7); return 0; }`,
		`int main(void) { pthread_t p; for (long i = 0; i < 9; i++) pthread_create(&p, 0, f, (void *)5); return 0; }`, true},
	{"joins do not wait", `void *f(void *a) { x = 1; x = 0; return 0; }`,
		`int main(void) { pthread_t p[9]; for (int i = 0; i < 9; i++) pthread_create(&p[i], 0, f, 0);
			for (int i = 0; i < 9; i++) pthread_join(p[i], 0); assert(x == 0); return 0; }`, false},
	{"ids", `pthread_t first; void *f(void *a) { assert(!pthread_equal(pthread_self(), first)); return 0; }`,
		`int main(void) { pthread_t p; while (1) pthread_create(&p, 0, f, 0); }`, false},
	{"before the first", `void *f(void *a) { x = 1; return 0; }`,
		`int main(void) { pthread_t p; assert(x == 0); while (1) pthread_create(&p, 0, f, 0); }`, true},
	{"after the first", `void *f(void *a) { x = 1; return 0; }`,
		`int main(void) { pthread_t p; while (1) { assert(x == 0); pthread_create(&p, 0, f, 0); } }`, false},
}

// source writes a program to a file.
func source(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestProveForEvery proves programs for every number of threads; those that fail with
// some number, and those that need what the method does not know, are not proved.
func TestProveForEvery(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	for _, tt := range everyTests {
		t.Run(tt.name, func(t *testing.T) {
			long.OneOf(t, 12)
			limit := 2 * time.Second
			if tt.proved {
				limit = 2 * time.Minute
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			file := source(t, everyHead+tt.text+tt.main)
			res := asked(t, file, Options{}).askEvery(ctx)
			if (res != nil) != tt.proved {
				t.Fatalf("proved: %v", res != nil)
			}
			if res == nil {
				return
			}
			if res.Verdict != seqmc.Safe || !res.Certificate.Program.Parametric {
				t.Errorf("verdict %v, program %+v", res.Verdict, res.Certificate.Program)
			}
			if _, err := Check(t.Context(), file, res.Certificate); err != nil {
				t.Error("Check:", err)
			}
			if os.WriteFile(file, []byte(everyHead+tt.text+tt.main+"int other;\n"), 0o600) != nil {
				t.Fatal("not written")
			}
			if _, err := Check(t.Context(), file, res.Certificate); err == nil {
				t.Error("Check accepts it for another source")
			}
		})
	}
}

// rewriter is an engine that writes another program to the source before it asks comus's own.
type rewriter struct {
	Engine
	file, text string
}

func (r rewriter) Decide(ctx context.Context, t *Task) (Answer, error) {
	if err := os.WriteFile(r.file, []byte(r.text), 0o600); err != nil {
		return Answer{}, err
	}
	return r.Engine.Decide(ctx, t)
}

// TestRewrittenSource writes another program to the file while an engine is at work: the
// verdict, and the certificate, are about the text that was read first.
func TestRewrittenSource(t *testing.T) {
	long.Only(t)
	safe, racy := everyHead+lockedCounter+anyMain, everyHead+racyCounter+anyMain
	for _, tt := range []struct {
		text, later string
		verdict     seqmc.Verdict
	}{{safe, safe, seqmc.Safe}, {racy, safe, seqmc.Unknown}, {safe, racy, seqmc.Safe}} {
		file := source(t, tt.text)
		res, err := Verify(t.Context(), file, Options{Engine: rewriter{engine.ThreadModular{}, file, tt.later}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != tt.verdict {
			t.Errorf("%v (%s) instead of %v", res.Verdict, res.Reason, tt.verdict)
		}
		if res.Verdict != seqmc.Safe {
			continue
		}
		if _, err := Check(t.Context(), file, res.Certificate); (err == nil) != (tt.text == tt.later) {
			t.Errorf("the certificate for the later text: %v", err)
		}
	}
}

// TestVerifyEvery takes such programs through Verify.
func TestVerifyEvery(t *testing.T) {
	long.Only(t)
	for _, tt := range []struct {
		text    string
		opts    Options
		verdict seqmc.Verdict
		engine  string
	}{
		{everyHead + lockedCounter + anyMain, Options{}, seqmc.Safe, engine.ThreadModular{}.Name()},
		{everyHead + lockedCounter + anyMain, Options{Strategy: "modular"}, seqmc.Unknown, "modular"},
		{everyHead + racyCounter + anyMain, Options{NoSimulate: true}, seqmc.Unsafe, "modular"},
		{everyHead + racyCounter + anyMain, Options{Strategy: engine.ThreadModular{}.Name()}, seqmc.Unknown, engine.ThreadModular{}.Name()},
		{everyHead + lockedCounter + `int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); return 0; }`,
			Options{Strategy: engine.ThreadModular{}.Name()}, seqmc.Safe, engine.ThreadModular{}.Name()},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		res, err := Verify(ctx, source(t, tt.text), tt.opts)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != tt.verdict || res.Engine != tt.engine {
			t.Errorf("%v by %s (%s) instead of %v by %s\n%s", res.Verdict, res.Engine, res.Reason, tt.verdict, tt.engine, tt.text)
		}
	}
}

// proved returns a program and the certificate of a proof.
func proved(t *testing.T, text string) (*ir.Program, *check.Certificate) {
	t.Helper()
	p := template(t, source(t, text))
	proof, err := threadmodular.Prove(t.Context(), p, hclog.NewNullLogger(), threadmodular.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, engine.CertificateOf(p, proof)
}

func clone(t *testing.T, c *check.Certificate) *check.Certificate {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	out := &check.Certificate{}
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFalseParametric changes certificates such that they prove nothing, or something
// that is wrong.
func TestFalseParametric(t *testing.T) {
	long.Only(t)
	for _, text := range []string{lockedCounter + anyMain, spinLock + anyMain, lostUpdates + fiftyMain} {
		p, good := proved(t, everyHead+text)
		reject := func(what, want string, change func(c *check.Certificate)) {
			t.Helper()
			c := clone(t, good)
			change(c)
			if err := check.Parametric(t.Context(), p, c); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if err := check.Parametric(t.Context(), p, good); err != nil {
			t.Fatal(err)
		}
		for i, in := range good.Parametric.Invariants {
			if in.Formula == "true" && good.Parametric.Size == 2 {
				continue
			}
			reject("a node that is not reached", "", func(c *check.Certificate) { c.Parametric.Invariants[i].Formula = "false" })
			reject("no invariant", "", func(c *check.Certificate) {
				c.Parametric.Invariants = append(c.Parametric.Invariants[:i], c.Parametric.Invariants[i+1:]...)
			})
		}
		reject("size", "about 3 threads", func(c *check.Certificate) { c.Parametric.Size = 3 })
		reject("the other size", "invariant 1 is about", func(c *check.Certificate) { c.Parametric.Size = 3 - c.Parametric.Size })
		reject("verdict", "not one of safety", func(c *check.Certificate) { c.Verdict = "UNSAFE" })
		reject("thread", "no thread 9", func(c *check.Certificate) { c.Parametric.Invariants[0].At[0].Thread = 9 })
		reject("location", "is no node", func(c *check.Certificate) { c.Parametric.Invariants[0].At[0].Loc = -1 })
		reject("twice", "not in order", func(c *check.Certificate) {
			c.Parametric.Invariants = append(c.Parametric.Invariants, c.Parametric.Invariants[0])
		})
		reject("unknown variable", "unknown variable", func(c *check.Certificate) { c.Parametric.Invariants[0].Formula = "(= third:x 0)" })
		reject("no formula", "not a formula", func(c *check.Certificate) { c.Parametric.Invariants[0].Formula = "x" })
		if good.Parametric.Counted {
			reject("nothing is counted", "", func(c *check.Certificate) { c.Parametric.Counted = false })
		}
		if err := check.Safe(t.Context(), p, good); !errors.Is(err, ir.ErrReplicated) {
			t.Error("check.Safe:", err)
		}
		if _, err := passes.Run(p, nil); !errors.Is(err, ir.ErrReplicated) {
			t.Error("passes.Run:", err)
		}
	}
}

// TestForgedParametric checks proofs of safe programs for programs that can fail.
func TestForgedParametric(t *testing.T) {
	long.Only(t)
	for _, tt := range [][2]string{
		{lockedCounter + anyMain, lockedTwice + anyMain},
		{spinLock + anyMain, spinLockBroken + anyMain},
		{lostUpdates + fiftyMain, twoUpdates + fiftyMain},
	} {
		_, cert := proved(t, everyHead+tt[0])
		bad := template(t, source(t, everyHead+tt[1]))
		if err := check.Parametric(t.Context(), bad, cert); err == nil {
			t.Errorf("the proof of\n%s\nis accepted for\n%s", tt[0], tt[1])
		}
	}
	// Without cut-points the statements would be one step.
	p := template(t, source(t, everyHead+racyCounter+anyMain))
	cert := &check.Certificate{Verdict: "SAFE", Parametric: &check.ParametricProof{Size: 1}}
	for _, th := range p.Threads {
		d := check.Thread{Thread: th.Index, Nodes: []int{}, Cuts: []int{th.Entry.Index}}
		for _, l := range th.Locs {
			if !l.Error {
				d.Nodes = append(d.Nodes, l.Index)
				cert.Parametric.Invariants = append(cert.Parametric.Invariants,
					check.ParametricInvariant{At: []check.At{{Thread: th.Index, Loc: l.Index}}, Formula: "true"})
			}
		}
		cert.Threads = append(cert.Threads, d)
	}
	if err := check.Parametric(t.Context(), p, cert); err == nil || !strings.Contains(err.Error(), "has to be a cut-point") {
		t.Error("cut-points:", err)
	}
}

// TestParametricRefused reads what has no over-approximation.
func TestParametricRefused(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`void *g(void *a) { *(int *)a = 1; return 0; } void *f(void *a) { int v; pthread_t p; pthread_create(&p, 0, g, &v); return 0; }` + anyMain,
			"has a local variable that other threads use"},
	} {
		_, err := csource.ParseFile(source(t, everyHead+tt.text), csource.Options{Parametric: true})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v instead of %s", err, tt.want)
		}
	}
	o := csource.Options{Parametric: true, Check: specialise.Checks{Locks: true}}
	if _, err := csource.ParseFile(source(t, everyHead+lockedCounter+anyMain), o); err == nil {
		t.Error("checks of locks are not refused")
	}
	o.Check = specialise.Checks{NoAssert: true, Deadlock: true} // of two instances that wait for each other, one would not be seen
	if _, err := csource.ParseFile(source(t, everyHead+lockedCounter+anyMain), o); err == nil {
		t.Error("deadlocks are not refused")
	}
}

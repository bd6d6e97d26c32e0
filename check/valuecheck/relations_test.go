package valuecheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/check/valuecheck"
	"comus/cir/interp/sample"
	"comus/internal/long"
	"comus/internal/randrel"
	"comus/scan/certificate"
	"comus/scan/values"
)

// TestRelations has assertions confirmed that hold by what several variables have to do with each other, and others not.
func TestRelations(t *testing.T) {
	for _, p := range append(randrel.Pairs, more...) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for i, src := range []string{p.Proved, p.Open} {
				s, err := analysedWith(t.Context(), randrel.LocksAndSections+src, values.Options{})
				if err != nil {
					t.Fatal(err)
				}
				r, err := s.check(t.Context())
				all := err == nil
				for _, a := range s.found.Assertions() {
					all = all && r.Confirmed[a.Instr]
				}
				if all == (i == 0) {
					continue
				}
				t.Errorf("%d: confirmed %v (%v)", i, all, err)
				if r != nil {
					t.Log(r.Open, r.Refused)
				}
			}
		})
	}
}

// alike begins two threads with f, apart one with f and one with g.
const (
	alike = " int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }"
	apart = " int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }"
)

// more are pairs about what a certificate says of relations, and who may spoil it.
var more = []struct{ Name, Proved, Open string }{
	{"one writer without the lock", "int hi, lo; void *f(void *x) { LOCK(m); hi += 2; lo += 2; assert(hi - lo == 0); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); hi++; lo++; UNLOCK(m); return 0; }" + apart,
		"int hi, lo; void *f(void *x) { LOCK(m); hi += 2; lo += 2; assert(hi - lo == 0); UNLOCK(m); return 0; } void *g(void *x) { hi++; lo++; return 0; }" + apart},
	{"one writer with another lock", "int hi, lo; void *f(void *x) { LOCK(n); hi++; lo++; assert(hi == lo); UNLOCK(n); return 0; } void *g(void *x) { LOCK(n); hi--; lo--; UNLOCK(n); return 0; }" + apart,
		"int hi, lo; void *f(void *x) { LOCK(n); hi++; lo++; assert(hi == lo); UNLOCK(n); return 0; } void *g(void *x) { LOCK(m); hi--; lo--; UNLOCK(m); return 0; }" + apart},
	{"given back between in another thread", "int p, q; void *f(void *x) { LOCK(m); assert(p + q == 0); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); p++; q--; UNLOCK(m); return 0; }" + apart,
		"int p, q; void *f(void *x) { LOCK(m); assert(p + q == 0); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); p++; UNLOCK(m); LOCK(m); q--; UNLOCK(m); return 0; }" + apart},
	{"waiting between", "int p, q; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *x) { LOCK(m); assert(p + q == 0); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); p++; q--; pthread_cond_wait(&c, &m); assert(p + q == 0); UNLOCK(m); return 0; }" + apart,
		"int p, q; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *x) { LOCK(m); assert(p + q == 0); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); p++; pthread_cond_wait(&c, &m); q--; UNLOCK(m); return 0; }" + apart},
	{"kept over a wait", "int p, k; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *x) { LOCK(m); pthread_cond_wait(&c, &m); int old = p; assert(p == old); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); p = __VERIFIER_nondet_int(); UNLOCK(m); return 0; }" + apart,
		"int p, k; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *x) { LOCK(m); int old = p; pthread_cond_wait(&c, &m); assert(p == old); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); p = __VERIFIER_nondet_int(); UNLOCK(m); return 0; }" + apart},
	{"written through an alias", "struct w { int u, v; } s, s2; void put(int *q, int x) { *q = x; } void *f(void *x) { LOCK(m); s.u++; s.v++; put(&s2.u, 3); assert(s.u == s.v); UNLOCK(m); return 0; }" + alike,
		"struct w { int u, v; } s, s2; void put(int *q, int x) { *q = x; } void *f(void *x) { LOCK(m); s.u++; s.v++; put(&s.u, 3); assert(s.u == s.v); UNLOCK(m); return 0; }" + alike},
	{"written through a pointer into memory without cells", "int u, v; int *q; void *f(void *x) { LOCK(m); u++; v++; q = malloc(4); *q = 1; assert(u == v); UNLOCK(m); return 0; }" + alike,
		"int u, v; int *q; void *f(void *x) { LOCK(m); u++; v++; q = malloc(4); if (__VERIFIER_nondet_int()) q = &u; *q = 1; assert(u == v); UNLOCK(m); return 0; }" + alike},
	{"bytes that are written", "int u, v; void *f(void *x) { LOCK(m); u++; v++; assert(u == v); UNLOCK(m); return 0; }" + alike,
		"int u, v; void *f(void *x) { LOCK(m); u++; v++; ((char *)&u)[1] = 1; assert(u == v); UNLOCK(m); return 0; }" + alike},
	{"unsigned, wrapping around", "unsigned u, v; void *f(void *x) { LOCK(m); if (u < 1000) { u++; v = u + 1; assert(v > u); } UNLOCK(m); return 0; }" + alike,
		"unsigned u, v; void *f(void *x) { LOCK(m); u--; v = u + 1; assert(v > u); UNLOCK(m); return 0; }" + alike},
	{"differences of unsigned ones", "unsigned u = 9, v; void *f(void *x) { LOCK(m); if (v < u) { assert(u - v <= 9 && u - v > 0); v++; } UNLOCK(m); return 0; }" + alike,
		"unsigned u = 9, v; void *f(void *x) { LOCK(m); assert(u - v <= 9); v++; UNLOCK(m); return 0; }" + alike},
	{"narrow ones", "unsigned char u, v; void *f(void *x) { LOCK(m); if (u < 200) { u++; v = u; v++; assert(v == u + 1); } UNLOCK(m); return 0; }" + alike,
		"unsigned char u, v; void *f(void *x) { LOCK(m); { u++; v = u; v++; assert(v == u + 1); } UNLOCK(m); return 0; }" + alike},
	{"a signal handler", "#include <signal.h>\nint u, v; void h(int s) { u++; } int main(void) { u = v = __VERIFIER_nondet_int(); assert(u == v); }",
		"#include <signal.h>\nint u, v; void h(int s) { u++; } int main(void) { signal(SIGINT, h); u = v = __VERIFIER_nondet_int(); assert(u == v); }"},
	{"a callback", "void lib(void (*)(void)); int u, v; void h(void) { u++; } int main(void) { u = v = __VERIFIER_nondet_int(); assert(u == v); }",
		"void lib(void (*)(void)); int u, v; void h(void) { u++; } int main(void) { lib(h); u = v = __VERIFIER_nondet_int(); assert(u == v); }"},
	{"an indirect call", "int u, v; void h(void) { u++; } void k(void) { v++; } void (*fp)(void) = k; int main(void) { int w = __VERIFIER_nondet_int(); u = w; fp(); assert(u == w); }",
		"int u, v; void h(void) { u++; } void k(void) { v++; } void (*fp)(void) = k; int main(void) { int w = __VERIFIER_nondet_int(); if (w) fp = h; u = w; fp(); assert(u == w); }"},
	{"recursion", "int u, v; void r(int k) { if (k <= 0) return; u++; v++; r(k - 1); } int main(void) { r(__VERIFIER_nondet_int()); assert(u == v); }",
		"int u, v; void r(int k) { if (k <= 0) return; u++; r(k - 1); if (k != 3) v++; } int main(void) { r(__VERIFIER_nondet_int()); assert(u == v); }"},
	{"recursion that passes the address of a local", "void r(int k, int *q) { int a = k, b = k; if (k > 0) r(k - 1, 0); assert(1); } int main(void) { int a = __VERIFIER_nondet_int(), b = a; r(a, 0); assert(a == b); }",
		"void r(int k, int *q) { int a = k, b = k; if (k > 0) r(k - 1, &a); if (q) *q = 7; } int main(void) { int a = __VERIFIER_nondet_int(), b = a; r(3, &a); assert(a == b); }"},
	{"lone ones", "int in, out, made; void *f(void *x) { for (;;) { LOCK(m); if (in < 9) { in++; made++; } UNLOCK(m); } } void *g(void *x) { LOCK(m); assert(in <= 9); UNLOCK(m); return 0; }" + apart,
		"int in, out, made; void *f(void *x) { for (;;) { LOCK(m); if (in < 9) { in++; } UNLOCK(m); made++; } } void *g(void *x) { LOCK(m); assert(in == made); UNLOCK(m); return 0; }" + apart},
	{"a lone one that is written without the lock", "int in, out, k; void *f(void *x) { for (;;) { LOCK(m); k++; in++; UNLOCK(m); LOCK(m); assert(in == k); UNLOCK(m); } } void *g(void *x) { LOCK(m); out = in; UNLOCK(m); return 0; }" + apart,
		"int in, out, k; void *f(void *x) { for (;;) { k++; LOCK(m); in++; UNLOCK(m); k++; LOCK(m); assert(in == k); UNLOCK(m); } } void *g(void *x) { LOCK(m); out = in; UNLOCK(m); return 0; }" + apart},
	{"a lone one, told by the lock", "int a, b, k; void *f(void *x) { LOCK(m); k++; a++; b++; UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + apart,
		"int a, b, k; void *f(void *x) { LOCK(m); a = k; UNLOCK(m); k++; LOCK(m); b = k; UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + apart},
	{"thread-local", "int g1; _Thread_local int u, v; void *f(void *x) { u++; v++; assert(u == v); return 0; }" + alike,
		"int u, v; void *f(void *x) { u++; v++; assert(u == v); return 0; }" + alike},
	{"given to a thread", "struct w { int u, v; } s; void *f(void *x) { struct w *q = x; LOCK(m); assert(q->u == q->v); UNLOCK(m); return 0; } int main(void) { pthread_t t; s.u = s.v = __VERIFIER_nondet_int(); pthread_create(&t, 0, f, &s); LOCK(m); s.u++; s.v++; UNLOCK(m); }",
		"struct w { int u, v; } s; void *f(void *x) { struct w *q = x; LOCK(m); assert(q->u == q->v); UNLOCK(m); return 0; } int main(void) { pthread_t t; s.u = s.v = __VERIFIER_nondet_int(); pthread_create(&t, 0, f, &s); s.u++; s.v++; }"},
	{"tried", "int u, v; void *f(void *x) { LOCK(m); u++; v++; assert(u == v); UNLOCK(m); return 0; }" + alike,
		"int u, v; void *f(void *x) { pthread_mutex_trylock(&m); u++; v++; assert(u == v); UNLOCK(m); return 0; }" + alike},
	{"of a function that gives back", "int u, v; void pause(void) { LOCK(n); UNLOCK(n); } void *f(void *x) { LOCK(m); int k = u; pause(); assert(u == k); u = __VERIFIER_nondet_int(); UNLOCK(m); return 0; }" + alike,
		"int u, v; void pause(void) { UNLOCK(m); LOCK(m); } void *f(void *x) { LOCK(m); int k = u; pause(); assert(u == k); u = __VERIFIER_nondet_int(); UNLOCK(m); return 0; }" + alike},
	{"a destructor", "int u, v; __attribute__((destructor)) void d(void) { u++; } int main(void) { u = v = __VERIFIER_nondet_int(); assert(u == v); exit(0); }",
		"int u, v; __attribute__((destructor)) void d(void) { assert(u == v); } int main(void) { u = v = __VERIFIER_nondet_int(); u = 0; exit(0); }"},
	{"the end of a section's thread", "int u, v; void *f(void *x) { BEGIN; assert(u == v); u++; v++; END; pthread_exit(0); }" + alike,
		"int u, v; void *f(void *x) { BEGIN; assert(u == v); u++; if (__VERIFIER_nondet_int()) pthread_exit(0); v++; END; return 0; }" + alike},
	{"a return in a section", "int u, v; void *f(void *x) { BEGIN; assert(u == v); u++; v++; END; return 0; }" + alike,
		"int u, v; void *f(void *x) { BEGIN; assert(u == v); u++; if (__VERIFIER_nondet_int()) return 0; v++; END; return 0; }" + alike},
	{"cases", "int on, val; void *f(void *x) { LOCK(m); if (on) { assert(val == 4); on = 0; } else { val = 4; on = 1; } UNLOCK(m); return 0; }" + alike,
		"int on, val; void *f(void *x) { LOCK(m); if (on) { assert(val == 4); on = 0; } else { on = 1; } val = 4 + on; UNLOCK(m); return 0; }" + alike},
	{"a multiple", "int u, v; void *f(void *x) { LOCK(m); u++; v += 3; assert(v == 3 * u); UNLOCK(m); return 0; }" + alike,
		"int u, v; void *f(void *x) { LOCK(m); u++; v += 3; assert(v == 3 * u); if (u > 5) v++; UNLOCK(m); return 0; }" + alike},
}

// TestBorrowed has what is claimed of the first program of each pair claimed of the second one.
func TestBorrowed(t *testing.T) {
	asked := 0
	for _, p := range append(randrel.Pairs, more...) {
		lender, err := analysedWith(t.Context(), randrel.LocksAndSections+p.Proved, values.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := analysedWith(t.Context(), randrel.LocksAndSections+p.Open, values.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := valuecheck.Check(t.Context(), s.prog, s.pts, lender.claims, valuecheck.Options{})
		if err != nil {
			continue
		}
		asked++
		all := true
		for _, a := range s.found.Assertions() {
			all = all && r.Confirmed[a.Instr]
		}
		if all {
			t.Errorf("%s: confirmed by what is claimed of the other program", p.Name)
		}
	}
	t.Log(asked, "certificates")
}

// TestAttacks changes a certificate in ways each of which has to be refused.
func TestAttacks(t *testing.T) {
	load := func() *subject {
		s, err := analysedWith(t.Context(), randrel.LocksAndSections+"int a, b; void *f(void *x) { LOCK(m); a++; b++; UNLOCK(m); LOCK(n); UNLOCK(n); LOCK(m); assert(a == b); UNLOCK(m); return 0; }"+alike, values.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	// refused reports whether claims are refused, or the assertion is not confirmed.
	refused := func(s *subject) bool {
		r, err := s.check(t.Context())
		return err != nil || r.Dropped > 0 || len(r.Confirmed) == 0
	}
	s := load()
	if refused(s) {
		t.Fatal("it is not confirmed as it is")
	}
	if len(s.claims.Relations) == 0 || len(s.claims.Free) == 0 {
		t.Fatal("there are no relations")
	}
	for i, x := range s.claims.Relations {
		for j := range x.Cases {
			for k := range x.Cases[j].Equal {
				for _, by := range []int64{-1, 1} {
					s := load()
					row := s.claims.Relations[i].Cases[j].Equal[k]
					row[len(row)-1] += by
					if !refused(s) {
						t.Errorf("a constant is another one: %v", row)
					}
				}
			}
		}
	}
	for name, change := range map[string]func(c *certificate.Values){
		"another lock": func(c *certificate.Values) {
			for i := range c.Free {
				c.Free[i].Lock = 1 - c.Free[i].Lock
			}
		},
		"a section": func(c *certificate.Values) {
			for i := range c.Free {
				c.Free[i].Lock = -1
			}
			for i := range c.Cells {
				c.Cells[i].Sections = true
			}
		},
		"another guard": func(c *certificate.Values) {
			for i := range c.Cells {
				if x := &c.Cells[i]; len(x.Guard) > 0 {
					x.Guard = []int{1 - x.Guard[0]}
				}
			}
		},
		"nothing is changed": func(c *certificate.Values) { clear(c.Changes) },
		"no invariant":       func(c *certificate.Values) { c.Free = nil },
		"never": func(c *certificate.Values) {
			for i := range c.Relations {
				c.Relations[i].Cases = nil
			}
		},
		"a cell that is none": func(c *certificate.Values) { c.Relations[0].Cells[0] = len(c.Cells) },
		"numbers that are too large": func(c *certificate.Values) {
			for _, x := range c.Relations {
				for _, k := range x.Cases {
					for _, r := range append(k.Equal, k.Most...) {
						for i := range r {
							r[i] *= 1 << 62
						}
					}
				}
			}
		},
		"rows of another length": func(c *certificate.Values) {
			for _, x := range c.Relations {
				for _, k := range x.Cases {
					for i := range k.Equal {
						k.Equal[i] = k.Equal[i][1:]
					}
				}
			}
		},
	} {
		s := load()
		if change(s.claims); !refused(s) {
			t.Errorf("%s: not refused", name)
		}
	}
}

// TestRandomRelations has the assertions of random programs confirmed by the fixpoint and by forged ones, and runs the programs: what fails in a run is never
// confirmed. More: COMUS_SCAN=2000, from COMUS_SEED.
func TestRandomRelations(t *testing.T) {
	count, first := long.N(12, 3), uint64(1)
	if n, err := strconv.Atoi(os.Getenv("COMUS_SCAN")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	all := tally{}
	for i := range uint64(count) {
		if err := refuteRelations(t.Context(), first+i, &all); err != nil {
			t.Errorf("seed %d: %v", first+i, err)
		}
	}
	t.Logf("%+v", all)
	if !testing.Short() && all.Confirmed < all.Assertions/50 {
		t.Error("too few assertions are confirmed for a test")
	}
}

// refuteRelations runs a random program. The error is that something was confirmed that is wrong.
func refuteRelations(ctx context.Context, seed uint64, all *tally) error {
	text := randrel.Program(seed, func(string) bool { return true })
	s, err := analysedWith(ctx, text, values.Options{Everywhere: seed%2 == 0})
	if err != nil {
		return err
	}
	runs, err := sample.Run(ctx, s.prog, sample.Options{Runs: 60, MaxSteps: 1 << 14})
	if err != nil {
		return err
	}
	failed := map[int]bool{} // by lines, of which each assertion has its own
	for _, f := range runs.Failures {
		if _, at, ok := strings.Cut(f.What, " at t.c:"); ok && strings.Contains(f.What, "assert") {
			n, _, _ := strings.Cut(at, ":")
			line, err := strconv.Atoi(n)
			if err != nil {
				return err
			}
			failed[line] = true
		}
	}
	all.Programs, all.Failed = all.Programs+1, all.Failed+len(failed)
	check := func(c *certificate.Values, what string) (*valuecheck.Report, error) {
		rep, err := valuecheck.Check(ctx, s.prog, s.pts, c, valuecheck.Options{})
		if err != nil {
			return nil, nil // nothing is confirmed
		}
		for in := range rep.Confirmed {
			if in.Site != nil && failed[in.Site.Pos.Line] {
				return nil, fmt.Errorf("%s: confirmed, but it fails in a run: %s\n%s", what, in.Site.Pos, text)
			}
		}
		return rep, nil
	}
	return all.ask(s.found, rand.New(rand.NewPCG(seed, 13)), 2*forgeries, check)
}

package comus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/check"
	"comus/comus/confirm"
	"comus/internal/long"
	"comus/memory"
	"comus/seqmc"
	"comus/specialise"
)

const inputHead = weakHead + "int __VERIFIER_nondet_int(void);\n"

// mainOf creates two threads, and awaits them.
func mainOf(before, first, second, after string) string {
	return "int main(void) { pthread_t t, u; " + before + " pthread_create(&t, 0, " + first + ", 0); pthread_create(&u, 0, " + second + ", 0); pthread_join(t, 0); pthread_join(u, 0); " + after + " return 0; }\n"
}

// handedOver hands on an input, with a flag.
func handedOver(store, load, condition string) string {
	return inputHead + "static atomic_int flag, data; static int in;\n" +
		"static void *f(void *a) { atomic_store_explicit(&data, in, memory_order_relaxed); atomic_store_explicit(&flag, 1, memory_order_" + store + "); return a; }\n" +
		"static void *g(void *a) { if (atomic_load_explicit(&flag, memory_order_" + load + ")) { int d = atomic_load_explicit(&data, memory_order_relaxed); assert(d == in); } return a; }\n" +
		mainOf("in = __VERIFIER_nondet_int(); if ("+condition+") return 0;", "f", "g", "")
}

// locked adds an input to a counter under a lock that is made of an exchange.
func locked(take, give string) string {
	return inputHead + "static atomic_int lock; static int n, in;\n" +
		"static void *f(void *a) { while (atomic_exchange_explicit(&lock, 1, memory_order_" + take + ")) ; n += in; atomic_store_explicit(&lock, 0, memory_order_" + give + "); return a; }\n" +
		mainOf("in = __VERIFIER_nondet_int(); if (in < -1000 || in > 1000) return 0;", "f", "f", "assert(n == 2 * in);")
}

// sequence reads two objects that are written together, if they were not written meanwhile.
func sequence(fence string) string {
	return inputHead + "static atomic_int seq, x, y;\n" +
		"static void *f(void *a) { int v = __VERIFIER_nondet_int(); atomic_store_explicit(&seq, 1, memory_order_relaxed); atomic_thread_fence(memory_order_release); " +
		"atomic_store_explicit(&x, v, memory_order_relaxed); atomic_store_explicit(&y, v, memory_order_relaxed); atomic_store_explicit(&seq, 2, memory_order_release); return a; }\n" +
		"static void *g(void *a) { int s = atomic_load_explicit(&seq, memory_order_acquire); if (s & 1) return a; int v = atomic_load_explicit(&x, memory_order_relaxed), w = atomic_load_explicit(&y, memory_order_relaxed); " +
		fence + " if (atomic_load_explicit(&seq, memory_order_relaxed) == s) assert(v == w); return a; }\n" + mainOf("", "f", "g", "")
}

// buffered stores an input, and asks for one, before it loads.
func buffered(between string) string {
	thread := func(name, mine, other, result string) string {
		return "static void *" + name + "(void *a) { int v = __VERIFIER_nondet_int(); if (!v) return a; atomic_store_explicit(&" + mine + ", v, memory_order_relaxed); int w = __VERIFIER_nondet_int(); " + between + " if (w == 77) " +
			result + " = atomic_load_explicit(&" + other + ", memory_order_relaxed); return a; }\n"
	}
	return inputHead + "static atomic_int x, y; static int r = 1, s = 1;\n" + thread("f", "x", "y", "r") + thread("g", "y", "x", "s") + mainOf("", "f", "g", "assert(r || s);")
}

// counted adds as often as an input says.
func counted(add string) string {
	return inputHead + "static atomic_int n; static int k;\nstatic void *f(void *a) { for (int i = 0; i < k; i++) " + add + " return a; }\n" +
		mainOf("k = __VERIFIER_nondet_int(); if (k < 0 || k > 2) return 0;", "f", "f", "assert(atomic_load_explicit(&n, memory_order_relaxed) == 2 * k);")
}

// onTheStack shows an object on the stack whose size is known only when it runs.
func onTheStack(object, store string) string {
	return weakHead + "#include <alloca.h>\nstatic _Atomic(atomic_int *) p; static int n = 1;\n" +
		"static void *f(void *a) { atomic_int *q = atomic_load_explicit(&p, memory_order_acquire); if (q) assert(atomic_load_explicit(q, memory_order_relaxed) == 42); return a; }\n" +
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); " + object + " atomic_store_explicit(v, 42, memory_order_relaxed); atomic_store_explicit(&p, v, memory_order_" + store + "); pthread_join(t, 0); return 0; }\n"
}

// TestBoundedExecutions has the engine partial-order decide programs with inputs under weak memory models, and the certificates checked.
func TestBoundedExecutions(t *testing.T) {
	fence := "atomic_thread_fence(memory_order_seq_cst);"
	for _, tc := range []struct {
		name, text string
		model      memory.Model
		want       seqmc.Verdict
	}{
		{"handing over", handedOver("release", "acquire", "in < 1000 || in % 7 != 3"), memory.RC11, seqmc.Safe},
		{"handing over, a relaxed store", handedOver("relaxed", "acquire", "in < 1000 || in % 7 != 3"), memory.RC11, seqmc.Unsafe},
		{"handing over, a relaxed load", handedOver("release", "relaxed", "in != -2147483647"), memory.RC11, seqmc.Unsafe},
		{"handing over, tso", handedOver("relaxed", "relaxed", "in == 0"), memory.TSO, seqmc.Safe},
		{"handing over, pso", handedOver("relaxed", "relaxed", "in == 0"), memory.PSO, seqmc.Unsafe},
		{"handing over, pso, a release", handedOver("release", "relaxed", "in == 0"), memory.PSO, seqmc.Safe},
		{"a lock", locked("acquire", "release"), memory.RC11, seqmc.Safe},
		{"a lock that releases nothing", locked("acquire", "relaxed"), memory.RC11, seqmc.Unsafe},
		{"a sequence lock", sequence("atomic_thread_fence(memory_order_acquire);"), memory.RC11, seqmc.Safe},
		{"a sequence lock without a fence", sequence(""), memory.RC11, seqmc.Unsafe},
		{"a sequence lock without a fence, pso", sequence(""), memory.PSO, seqmc.Safe},
		{"inputs between accesses, tso", buffered(""), memory.TSO, seqmc.Unsafe},
		{"inputs between accesses, pso", buffered(""), memory.PSO, seqmc.Unsafe},
		{"inputs between accesses", buffered(""), memory.RC11, seqmc.Unsafe},
		{"inputs between accesses, and fences, tso", buffered(fence), memory.TSO, seqmc.Safe},
		{"inputs between accesses, and fences", buffered(fence), memory.RC11, seqmc.Safe},
		{"a loop with an input for its bound", counted("atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);"), memory.RC11, seqmc.Safe},
		{"a loop with an input for its bound, in two accesses", counted("atomic_store_explicit(&n, atomic_load_explicit(&n, memory_order_relaxed) + 1, memory_order_relaxed);"), memory.RC11, seqmc.Unsafe},
		{"an array on the stack, pso", onTheStack("atomic_int v[n];", "relaxed"), memory.PSO, seqmc.Unsafe},
		{"an array on the stack", onTheStack("atomic_int v[n];", "relaxed"), memory.RC11, seqmc.Unsafe},
		{"an array on the stack, a release", onTheStack("atomic_int v[n];", "release"), memory.RC11, seqmc.Safe},
		{"alloca", onTheStack("atomic_int *v = alloca(sizeof *v);", "relaxed"), memory.RC11, seqmc.Unsafe},
		{"alloca, a release, pso", onTheStack("atomic_int *v = alloca(sizeof *v);", "release"), memory.PSO, seqmc.Safe},
	} {
		t.Run(tc.name, func(t *testing.T) {
			long.OneOf(t, 3)
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(tc.text), 0o666); err != nil {
				t.Fatal(err)
			}
			res, err := Verify(t.Context(), file, Options{Strategy: "partial-order", Question: specialise.Options{Memory: tc.model}})
			if err != nil || res.Verdict != tc.want || res.Engine != "partial-order" {
				t.Fatalf("%v, %v, want %v", res, err, tc.want)
			}
			if slices.Contains(res.Assumptions, confirm.AssumeOrder) {
				t.Errorf("assumptions %q", res.Assumptions)
			}
			again, err := Check(t.Context(), file, res.Certificate)
			if err != nil || again.Verdict != tc.want {
				t.Errorf("the certificate: %v, %v", again, err)
			}
		})
	}
}

// TestForgedAxioms brings proofs by axioms for programs that are not safe, or with too small a bound, or with more evidence than one.
func TestForgedAxioms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	certificate := func(text string) *check.Certificate {
		t.Helper()
		write(text)
		s, err := Open(t.Context(), File(file), Options{}.Source)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.load(t.Context()); err != nil {
			t.Fatal(err)
		}
		return &check.Certificate{Format: check.Format, Version: check.Version, Program: s.identity(specialise.Options{}), Verdict: seqmc.Safe.String(), Method: check.MethodAxioms, Bound: 3}
	}
	good := counted("atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);")
	cert := certificate(good)
	if res, err := Check(t.Context(), file, cert); err != nil || res.Verdict != seqmc.Safe {
		t.Fatalf("%v, %v", res, err)
	}
	for what, forge := range map[string]func(c *check.Certificate){
		"a bound that is too small":   func(c *check.Certificate) { c.Bound = 1 },
		"a bound that is none":        func(c *check.Certificate) { c.Bound = -1 },
		"facts":                       func(c *check.Certificate) { c.Facts = "true" },
		"execution graphs beside":     func(c *check.Certificate) { c.Graphs = &check.Graphs{} },
		"passes":                      func(c *check.Certificate) { c.Program.Passes = []string{"dead"} },
		"any number of threads":       func(c *check.Certificate) { c.Program.Parametric = true },
		"a property that is no error": func(c *check.Certificate) { c.Program.Check = []string{"race"} },
	} {
		c := *cert
		forge(&c)
		if again, err := Check(t.Context(), file, &c); err == nil && again.Verdict == seqmc.Safe {
			t.Errorf("%s: %v", what, again)
		}
	}
	cert = certificate(strings.Replace(good, "2 * k", "3 * k", 1))
	if again, err := Check(t.Context(), file, cert); err == nil && again.Verdict == seqmc.Safe {
		t.Errorf("a program that is not safe: %v", again)
	}
}

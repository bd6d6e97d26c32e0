package comus

import (
	"bytes"
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

const weakHead = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"

// storeBuffering returns a program of two threads that each write an object and read the other one.
func storeBuffering(store, load, between string) string {
	thread := func(name, mine, other, result string) string {
		return "static void *" + name + "(void *a) { atomic_store_explicit(&" + mine + ", 1, memory_order_" + store + "); " + between + " " + result + " = atomic_load_explicit(&" + other + ", memory_order_" + load + "); return a; }\n"
	}
	return weakHead + "static atomic_int x, y; static int r, s;\n" + thread("f", "x", "y", "r") + thread("g", "y", "x", "s") +
		"int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); assert(r || s); return 0; }\n"
}

// messagePassing returns a program that hands on data with a flag.
func messagePassing(store string) string {
	return weakHead + "static atomic_int flag; static int data;\n" +
		"static void *f(void *a) { data = 1; atomic_store_explicit(&flag, 1, memory_order_" + store + "); return a; }\n" +
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (!atomic_load_explicit(&flag, memory_order_acquire)) ; assert(data == 1); pthread_join(t, 0); return 0; }\n"
}

// semaphore returns a program that hands on data with a semaphore, beside a relaxed counter.
func semaphore(first string) string {
	return weakHead + "#include <semaphore.h>\nstatic atomic_int data, n; static sem_t s;\n" +
		"static void *f(void *a) { atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); " + strings.ReplaceAll(first, "data = 1", "atomic_store_explicit(&data, 1, memory_order_relaxed)") + " return a; }\n" +
		"int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0); sem_wait(&s); assert(atomic_load_explicit(&data, memory_order_relaxed) == 1); pthread_join(t, 0); return 0; }\n"
}

// TestRaceKnown asks about an assertion that holds in a program with a data race: C does not say that it does.
func TestRaceKnown(t *testing.T) {
	for order, want := range map[string]seqmc.Verdict{"relaxed": seqmc.Unknown, "release": seqmc.Safe} {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(strings.Replace(messagePassing(order), "data == 1", "data >= 0", 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		res, err := Verify(t.Context(), file, Options{})
		if err != nil || res.Verdict != want || want == seqmc.Unknown && !strings.Contains(res.Reason, "there is a data race, of ") {
			t.Errorf("%s: %v, %v", order, res, err)
		}
	}
}

// TestMemoryModels decides programs whose verdicts hang on a memory order, a fence, or the model.
func TestMemoryModels(t *testing.T) {
	fence := "atomic_thread_fence(memory_order_seq_cst);"
	for _, tc := range []struct {
		name, text, check string
		model             memory.Model
		want              seqmc.Verdict
	}{
		{"store buffering", storeBuffering("relaxed", "relaxed", ""), specialise.Assert, memory.RC11, seqmc.Unsafe},
		{"store buffering, release and acquire", storeBuffering("release", "acquire", ""), specialise.Assert, memory.RC11, seqmc.Unsafe},
		{"store buffering, fences", storeBuffering("relaxed", "relaxed", fence), specialise.Assert, memory.RC11, seqmc.Safe},
		{"store buffering, mfence", storeBuffering("relaxed", "relaxed", `__asm__ volatile("mfence" ::: "memory");`), specialise.Assert, memory.TSO, seqmc.Safe},
		{"store buffering, sfence", storeBuffering("relaxed", "relaxed", `__asm__ volatile("sfence" ::: "memory");`), specialise.Assert, memory.TSO, seqmc.Unsafe},
		{"store buffering, lfence", storeBuffering("relaxed", "relaxed", `__asm__ volatile("lfence" ::: "memory");`), specialise.Assert, memory.RC11, seqmc.Unsafe},
		{"store buffering, sc", storeBuffering("relaxed", "relaxed", ""), specialise.Assert, memory.SC, seqmc.Safe},
		{"store buffering, tso", storeBuffering("release", "acquire", ""), specialise.Assert, memory.TSO, seqmc.Unsafe},
		{"store buffering, tso, seq_cst stores", storeBuffering("seq_cst", "relaxed", ""), specialise.Assert, memory.TSO, seqmc.Safe},
		{"store buffering, c11, seq_cst stores", storeBuffering("seq_cst", "relaxed", ""), specialise.Assert, memory.RC11, seqmc.Unsafe},
		{"message passing", messagePassing("release"), specialise.Assert, memory.RC11, seqmc.Safe},
		{"message passing, relaxed", messagePassing("relaxed"), specialise.Race, memory.RC11, seqmc.Unsafe},
		{"message passing, relaxed: the race is seen", messagePassing("relaxed"), specialise.Assert, memory.RC11, seqmc.Unsafe},
		{"handing over by a semaphore", semaphore("data = 1; sem_post(&s);"), specialise.Assert, memory.RC11, seqmc.Safe},
		{"handing over by a semaphore, too early", semaphore("sem_post(&s); data = 1;"), specialise.Assert, memory.RC11, seqmc.Unsafe},
		{"no race, and an assertion that fails", storeBuffering("relaxed", "relaxed", ""), specialise.Race, memory.RC11, seqmc.Safe},
	} {
		t.Run(tc.name, func(t *testing.T) {
			long.OneOf(t, 3)
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(tc.text), 0o666); err != nil {
				t.Fatal(err)
			}
			about, err := specialise.ChecksNamed([]string{tc.check})
			if err != nil {
				t.Fatal(err)
			}
			res, err := Verify(t.Context(), file, Options{Question: specialise.Options{Check: about, Memory: tc.model}})
			if err != nil || res.Verdict != tc.want {
				t.Fatalf("%v, %v, want %v", res, err, tc.want)
			}
			if assumed := slices.Contains(res.Assumptions, confirm.AssumeOrder); assumed != (tc.model == memory.SC && tc.want == seqmc.Safe) {
				t.Errorf("assumptions %q", res.Assumptions)
			}
			again, err := Check(t.Context(), file, res.Certificate)
			if err != nil || again.Verdict != tc.want {
				t.Errorf("the certificate: %v, %v", again, err)
			}
		})
	}
}

// TestMutatedGraphs brings execution graphs that the memory model forbids, that are none of the program's, and numbers of graphs that are wrong.
func TestMutatedGraphs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	write := func(text string) *check.Certificate {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		res, err := Verify(t.Context(), file, Options{})
		if err != nil || res.Certificate == nil {
			t.Fatalf("%v, %v", res, err)
		}
		return res.Certificate
	}
	refused := func(name string, cert *check.Certificate, change func(*check.Certificate)) {
		t.Helper()
		var b bytes.Buffer
		if err := cert.Write(&b); err != nil {
			t.Fatal(err)
		}
		other, err := check.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		change(other)
		if res, err := Check(t.Context(), file, other); err == nil && res.Verdict != seqmc.Unknown {
			t.Errorf("%s: %v", name, res.Verdict)
		}
	}
	unsafe := write(storeBuffering("relaxed", "relaxed", ""))
	if unsafe.Execution == nil || unsafe.Execution.Graph == nil {
		t.Fatal("no execution graph")
	}
	reads := func(c *check.Certificate) (list []int) {
		for i, e := range c.Execution.Graph.Events {
			if e.Kind == memory.Read {
				list = append(list, i)
			}
		}
		return list
	}
	refused("another model", unsafe, func(c *check.Certificate) { c.Program.MemoryModel = "sc" })
	refused("a read of another write", unsafe, func(c *check.Certificate) {
		g := c.Execution.Graph
		r := reads(c)[0]
		g.RF[r] = g.MO[g.Events[r].Loc][1]
	})
	refused("a stronger order", unsafe, func(c *check.Certificate) { c.Execution.Graph.Events[reads(c)[0]].Order = 5 })
	refused("nothing synchronises", unsafe, func(c *check.Certificate) { c.Execution.Graph.Sync = nil })
	refused("an event is missing", unsafe, func(c *check.Certificate) { c.Execution.Graph.Events = c.Execution.Graph.Events[:4] })
	safe := write(storeBuffering("relaxed", "relaxed", "atomic_thread_fence(memory_order_seq_cst);"))
	if safe.Graphs == nil {
		t.Fatal("no execution graphs")
	}
	refused("another number", safe, func(c *check.Certificate) { c.Graphs.Executions++ })
	refused("another sum", safe, func(c *check.Certificate) { c.Graphs.Sum++ })
	refused("no numbers", safe, func(c *check.Certificate) { c.Graphs = nil })
	if err := os.WriteFile(file, []byte(strings.Replace(storeBuffering("relaxed", "relaxed", ""), "r || s", "r || s || 1", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	refused("another program", safe, func(*check.Certificate) {})
}

// TestNoOtherWay asks about a program that only weak orders let fail, in ways in which its execution graphs are not visited: a proof for sequential consistency is none of it.
func TestNoOtherWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(storeBuffering("relaxed", "relaxed", "")), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"statements":      func(o *Options) { o.Question.AtomicStatements = true },
		"effective types": func(o *Options) { o.Source.Assume.EffectiveTypes = true },
		"exact":           func(o *Options) { o.Exact = true },
		"one assertion":   func(o *Options) { o.Question.Cut = 1 },
	} {
		var opts Options
		opts.Strategy = "explore"
		change(&opts)
		res, err := Verify(t.Context(), file, opts)
		if err != nil || res.Verdict == seqmc.Safe {
			t.Errorf("%s: %v, %v", name, res, err)
		}
		opts.Question.Memory = memory.SC
		if res, err := Verify(t.Context(), file, opts); err != nil || res.Verdict != seqmc.Safe && name != "one assertion" {
			t.Errorf("%s, sequentially consistent: %v, %v", name, res, err)
		}
	}
}

// TestAllOfWeak looks for all violations of a program of which one needs weak orders: what was found is not found again.
func TestAllOfWeak(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(storeBuffering("relaxed", "relaxed", "")), 0o666); err != nil {
		t.Fatal(err)
	}
	res, err := Verify(t.Context(), file, Options{All: true})
	if err != nil || len(res.Properties) != 1 || res.Properties[0].Verdict != seqmc.Unsafe {
		t.Fatalf("%v, %v", res, err)
	}
	if p := res.Properties[0]; len(p.More) > 0 || p.Result.Certificate == nil {
		t.Errorf("%d more violations, certificate %v", len(p.More), p.Result.Certificate)
	}
}

package comus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/comus/confirm"
	"comus/internal/long"
	"comus/memory"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// volatileThreads returns a program of two threads with volatile variables x and y, and others a and b.
func volatileThreads(declared, first, second, behind string) string {
	return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" + declared + " int a, b, data;\n" +
		"static void *f(void *p) { " + first + " return p; }\nstatic void *g(void *p) { " + second + " return p; }\n" +
		"int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); " + behind + " return 0; }\n"
}

// TestVolatile decides pairs of programs that hang on what accesses of volatile objects are. C11 knows nothing of them but that they race: they count as relaxed atomic accesses, which a proof says that it takes for granted, and by
// which nothing is UNSAFE. On x86 they are what they are.
func TestVolatile(t *testing.T) {
	const (
		ints    = "static volatile int x, y;"
		barrier = ` __asm__ volatile("" ::: "memory"); `
		mfence  = ` __asm__ volatile("mfence" ::: "memory"); `
		sfence  = ` __asm__ volatile("sfence" ::: "memory"); `
		lfence  = ` __asm__ volatile("lfence" ::: "memory"); `
		sync    = " __sync_synchronize(); "
		release = " atomic_thread_fence(memory_order_release); "
		acquire = " atomic_thread_fence(memory_order_acquire); "
		neither = "assert(a || b);"
	)
	buffers := func(between string) string {
		return volatileThreads(ints, "x = 1;"+between+"a = y;", "y = 1;"+between+"b = x;", neither)
	}
	passes := func(before, behind string) string {
		return volatileThreads(ints, "x = 1;"+before+"y = 1;", "if (y) {"+behind+"assert(x == 1); }", "")
	}
	waits := func(before, behind string) string {
		return volatileThreads(ints, "data = 1;"+before+"y = 1;", "while (!y) {} "+behind+"assert(data == 1);", "")
	}
	const safe, unsafe, unknown = seqmc.Safe, seqmc.Unsafe, seqmc.Unknown
	for _, tc := range []struct {
		name, text string
		c11, tso   seqmc.Verdict
	}{
		{"store buffering", buffers(""), unknown, unsafe},
		{"store buffering, a fence of the compiler", buffers(barrier), unknown, unsafe},
		{"store buffering, mfence", buffers(mfence), safe, safe},
		{"store buffering, __sync_synchronize", buffers(sync), safe, safe},
		{"store buffering, sfence", buffers(sfence), unknown, unsafe},
		{"store buffering, lfence", buffers(lfence), unknown, unsafe},
		{"message passing, lfence and sfence", passes(sfence, lfence), safe, safe},
		{"message passing, lfence and sfence, the wrong way round", passes(lfence, sfence), unknown, safe},
		{"message passing", passes("", ""), unknown, safe},
		{"message passing, fences of the compiler", passes(barrier, barrier), unknown, safe},
		{"message passing, __sync_synchronize", passes(sync, sync), safe, safe},
		{"message passing, one __sync_synchronize", passes(sync, barrier), unknown, safe},
		{"message passing, fences", passes(release, acquire), safe, safe},
		{"message passing, one fence", passes(release, ""), unknown, safe},
		{"a reader that waits", waits("", ""), unknown, safe},
		{"a reader that waits, fences", waits(release, acquire), safe, safe},
		{"one variable", volatileThreads(ints, "x = 1; x = 2;", "int v = x, w = x; assert(v <= w);", ""), safe, safe},
		{"one variable, two writers", volatileThreads(ints, "x = 1;", "x = 2;", "assert(x);"), safe, safe},
		{"an update", volatileThreads(ints, "x++;", "x++;", "assert(x == 2);"), unsafe, unsafe},
		{"another value", volatileThreads(ints, "x = 1;", "if (x == 1) assert(0);", ""), unsafe, unsafe},
		{"a pointer to it", volatileThreads("static int z, w;", "*(volatile int *)&z = 1; a = *(volatile int *)&w;", "*(volatile int *)&w = 1; b = *(volatile int *)&z;", neither), unknown, unsafe},
		{"relaxed atomics beside", volatileThreads("static volatile int x; static atomic_int y;", "atomic_store_explicit(&y, 1, memory_order_relaxed); a = x;", "x = 1; b = atomic_load_explicit(&y, memory_order_relaxed);", neither), unsafe, unsafe},
		{"other variables", volatileThreads("static volatile int x; static int y, z;", "x = 1; y = 1; a = z;", "z = 1; b = y; b += x - x;", neither), safe, safe},
		{"a bit-field", volatileThreads("static volatile struct { int p : 4, q : 4; } x, y;", "x.p = 1; a = y.p;", "y.p = 1; b = x.p;", neither), safe, safe},
		{"a lock around", volatileThreads(ints+" static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_lock(&m); x = 1; a = y; pthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m); y = 1; b = x; pthread_mutex_unlock(&m);", neither), safe, safe},
	} {
		t.Run(tc.name, func(t *testing.T) {
			long.OneOf(t, 6)
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(tc.text), 0o666); err != nil {
				t.Fatal(err)
			}
			for model, want := range map[memory.Model]seqmc.Verdict{memory.RC11: tc.c11, memory.TSO: tc.tso} {
				res, err := Verify(t.Context(), file, Options{Strategy: "explore", Question: specialise.Options{Memory: model}})
				if err != nil || res.Verdict != want {
					t.Errorf("%v: %v, %v, want %v", model, res, err, want)
					continue
				}
				named := slices.Contains(res.Assumptions, directed.AssumeVolatile) || slices.ContainsFunc(res.Assumptions, func(a string) bool { return strings.HasPrefix(a, assumeVolatile) })
				switch {
				case want == safe && named == (strings.Contains(tc.text, "mutex") || tc.name == "a bit-field"): // the latter are no races of one instruction each
					t.Errorf("%v: it takes for granted %q", model, res.Assumptions)
				case want == unknown && (res.Suspected == nil || res.Suspected.On[0].Name != confirm.VolatileRelaxed || res.Suspected.On[0].Pos.Line == 0):
					t.Errorf("%v: %s", model, res.Reason)
				case want == unknown:
					if _, err := Check(t.Context(), file, res.Suspected.Certificate); err == nil {
						t.Errorf("%v: the execution is confirmed", model)
					}
				default:
					if again, err := Check(t.Context(), file, res.Certificate); err != nil || again.Verdict != want {
						t.Errorf("%v: the certificate: %v, %v", model, again, err)
					}
				}
			}
			about, _ := specialise.ChecksNamed([]string{specialise.Race})
			res, err := Verify(t.Context(), file, Options{Question: specialise.Options{Check: about}})
			if want := !strings.Contains(tc.text, "mutex"); err != nil || (res.Verdict == unsafe) != want {
				t.Errorf("race: %v, %v", res, err)
			}
		})
	}
}

// TestVolatileForged takes the marks of volatile accesses from an execution, so that it would be one of a program with atomic ones.
func TestVolatileForged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := volatileThreads("static volatile int x, y;", "x = 1; a = y;", "y = 1; b = x;", "assert(a || b);")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	res, err := Verify(t.Context(), file, Options{Strategy: "explore"})
	if err != nil || res.Suspected == nil {
		t.Fatal(res, err)
	}
	for i := range res.Suspected.Certificate.Execution.Graph.Events {
		res.Suspected.Certificate.Execution.Graph.Events[i].Volatile = false
	}
	if _, err := Check(t.Context(), file, res.Suspected.Certificate); err == nil {
		t.Error("the execution is confirmed")
	}
}

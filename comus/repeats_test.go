package comus

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"comus/cfront"
	"comus/memory"
	"comus/seqmc"
	"comus/specialise"
)

// TestWeakReplays asks for runs of executions that are not sequentially consistent: the program itself is to be run where x86 allows the execution, or another one with the same end. Otherwise it is said what x86 keeps in order.
func TestWeakReplays(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("this machine is no x86-64")
	}
	both := `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
static atomic_int x, y, u, v; static int a, b, c, d;
static void *f(void *p) { STORE(u, 1); c = LOAD(v); return p; }
static void *g(void *p) { STORE(v, 1); d = LOAD(u); return p; }
static void *h(void *p) { STORE(x, 1); STORE(y, 1); return p; }
static void *k(void *p) { a = LOAD(y); b = LOAD(x); return p; }
int main(void) {
  pthread_t t[4]; void *(*s[])(void *) = {f, g, h, k};
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, s[i], 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(!(a == 1 && b == 0) && (c || d));
}
`
	label := strings.Replace(storeBuffering("relaxed", "relaxed", ""), "assert(r || s);", "if (!r && !s) { ERROR: return 1; }", 1)
	for _, tc := range []struct {
		name, text string
		model      memory.Model
		note, err  string // what is said; no error: the program is run
	}{
		{"store buffering, tso", storeBuffering("release", "acquire", ""), memory.TSO, "", ""},
		{"store buffering, c11", storeBuffering("relaxed", "relaxed", ""), memory.RC11, "", ""},
		{"store buffering, seq_cst stores", storeBuffering("seq_cst", "relaxed", ""), memory.RC11, "", "one of these pairs of accesses out of order, which x86 keeps in order: store-load of thread 1 (x at p.c:"},
		{"store buffering, a label", label, memory.RC11, "", "does not stop at the label ERROR"},
		{"message passing", strings.Replace(both, "&& (c || d)", "", 1), memory.RC11, "", "store-store of thread 3 (x at p.c:9:27, y at p.c:9:40), load-load of thread 4 (y at p.c:10:31, x at p.c:10:44); no other execution that x86 allows ends at this assertion either"},
		{"message passing, pso", strings.Replace(both, "&& (c || d)", "", 1), memory.PSO, "", "store-store of thread 3"},
		{"message passing or store buffering", both, memory.RC11, "it allows another one that ends at the same assertion", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("p.c", []byte(tc.text), 0o666); err != nil {
				t.Fatal(err)
			}
			res, err := Verify(t.Context(), "p.c", Options{Question: specialise.Options{Memory: tc.model}})
			if err != nil || res.Verdict != seqmc.Unsafe {
				t.Fatal(res, err)
			}
			w, err := WeaveUnits(t.Context(), File("p.c"), cfront.Options{}, res.Certificate)
			switch {
			case tc.err != "":
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%v, want %q", err, tc.err)
				}
			case err != nil || w.Repeats == nil || w.Repeats.File != "p.c" || w.Repeats.Line < 5 || len(w.Files) != 4:
				t.Errorf("%v, %+v", err, w)
			case !strings.Contains(w.Note, tc.note) || (w.Note == "") != (tc.note == ""):
				t.Errorf("it says %q", w.Note)
			}
		})
	}
}

// TestWeakReplaysNoRaces asks for a run of a data race that no turns bring about: there is nothing that a run would show.
func TestWeakReplaysNoRaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := strings.Replace(storeBuffering("relaxed", "relaxed", ""), "assert(r || s);", "", 1)
	text = strings.Replace(strings.Replace(text, "static int r, s;", "static int r, s, n;", 1), "return a; }", "if (!r) n = 1; return a; }", 1)
	text = strings.Replace(text, "; return a; }\nint main", "; if (!s) n = 2; return a; }\nint main", 1)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	about, _ := specialise.ChecksNamed([]string{specialise.Race})
	res, err := Verify(t.Context(), file, Options{Question: specialise.Options{Check: about}})
	if err != nil || res.Verdict != seqmc.Unsafe {
		t.Fatal(res, err)
	}
	if _, err := WeaveUnits(t.Context(), File(file), cfront.Options{}, res.Certificate); err == nil || !strings.Contains(err.Error(), "only a failed assertion is seen") {
		t.Error(err)
	}
}

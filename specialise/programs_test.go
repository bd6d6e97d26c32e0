package specialise_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
	"comus/scan/pointsto"
	"comus/specialise"
)

// load takes a file the whole way to ir, with or without the host's compiler.
func load(file string, noHost bool, opts specialise.Options) (*specialise.Result, error) {
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: noHost})
	if err != nil {
		return nil, err
	}
	pts, err := pointsto.Analyse(context.Background(), p.Program)
	if err != nil {
		return nil, err
	}
	res, err := specialise.Specialise(context.Background(), p.Program, pts, opts)
	if err != nil {
		return nil, err
	}
	return res, res.Program.Check()
}

// inputDomain are the values tried for inputs of large types.
var inputDomain = []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1), logic.IntValue(2), logic.IntValue(5)}

// decide loads a program and visits its states. It returns the verdict, or what went wrong.
func decide(file string, noHost bool, opts specialise.Options) (verdict string, sized any) {
	done := make(chan bool)
	go func() {
		defer close(done)
		res, err := load(file, noHost, opts)
		if err != nil {
			verdict = err.Error()
			return
		}
		sized = size(res.Program)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		r, err := explore.Explore(ctx, res.Program, explore.Options{MaxStates: 1_000_000, InputDomain: inputDomain})
		switch {
		case err != nil:
			verdict = err.Error()
		case strings.HasPrefix(r.Reason, "safe for the restricted inputs"):
			verdict = "SAFE"
		case r.Verdict == explore.Unknown:
			verdict = r.Reason
		default:
			verdict = r.Verdict.String()
		}
	}()
	select {
	case <-done:
		return verdict, sized
	case <-time.After(patience):
		return "it does not end", nil
	}
}

// hasHost tells whether there is a compiler to preprocess with.
var hasHost = func() bool { _, err := exec.LookPath("cc"); return err == nil }()

// expectation returns what the first line of a file says has to come out, and which misuse is
// an error.
func expectation(t *testing.T, file string) (want string, checks specialise.Checks) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(src), "\n")
	want, names, found := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
	if found {
		if checks, err = specialise.ChecksNamed(strings.Split(names, ",")); err != nil {
			t.Fatal(err)
		}
	}
	return want, checks
}

// programs calls f for each program of a folder.
func programs(t *testing.T, folder string, f func(t *testing.T, file string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../cfront/testdata", folder, "*.c"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".c"), func(t *testing.T) {
			long.OneOf(t, 8)
			f(t, file)
		})
	}
}

// patience is how long a program may take.
const patience = 30 * time.Second

// size tells programs apart that different headers have made.
func size(p *ir.Program) (n struct{ vars, locs, edges, cmds int }) {
	n.vars = len(p.Vars)
	for _, th := range p.Threads {
		n.locs += len(th.Locs)
		th.Edges(func(e *ir.Edge) { n.edges++; n.cmds += len(e.Cmds) })
	}
	return n
}

// large are programs with too many states to visit. TestLarge of package comus decides them, but for cleanup_library_safe.c with
// the headers of the host, whose longjmp is not followed, and vla_input_safe.c, of which a bounded part is.
var large = map[string]bool{
	"barrier_counting_safe.c": true, "cleanup_safe.c": true, "cleanup_unsafe.c": true, "cleanup_library_safe.c": true, "cleanup_library_unsafe.c": true, "keys_two_safe.c": true, "lock_of_many_unsafe.c": true, "result_characters_safe.c": true,
	"semaphore_named_threads_safe.c": true, "semaphore_named_threads_unsafe.c": true, "vla_input_safe.c": true, "vla_input_unsafe.c": true,
}

// TestPrograms decides the programs of testdata/run by visiting all states; the first line of
// each says what has to come out. The headers of the host and our own make the same program, or
// at least the same verdict.
func TestPrograms(t *testing.T) {
	programs(t, "run", func(t *testing.T, file string) {
		want, checks := expectation(t, file)
		opts := specialise.Options{Check: checks}
		got, own := decide(file, true, opts)
		if strings.HasPrefix(got, "more than ") && large[filepath.Base(file)] {
			return
		}
		if got != want {
			t.Errorf("%s instead of %s", got, want)
		}
		if !hasHost || own == nil {
			return
		}
		if res, err := load(file, false, opts); err != nil || size(res.Program) != own {
			if got, _ := decide(file, false, opts); got != want && !large[filepath.Base(file)] {
				t.Errorf("with the headers of the host: %s instead of %s", got, want)
			}
		}
	})
}

// TestLocks decides the programs of testdata/locks with misuse of locks as an error. Without it
// none of them has anything that can fail.
func TestLocks(t *testing.T) {
	programs(t, "locks", func(t *testing.T, file string) {
		want, _ := expectation(t, file)
		if got, _ := decide(file, true, specialise.Options{Check: specialise.Checks{Locks: true}}); got != want {
			t.Errorf("%s instead of %s", got, want)
		}
		if res, err := load(file, true, specialise.Options{}); err != nil || res.HasAssertions {
			t.Error("without the check: assertions, or", err)
		}
	})
}

// endless are programs that read strings of any length: they have too many states to visit. TestArguments of package comus decides them.
var endless = map[string]bool{
	"argument_safe.c": true, "argument_default_safe.c": true, "argument_global_safe.c": true, "argument_thread_safe.c": true,
	"environment_length_safe.c": true, "environment_length_unsafe.c": true, "environment_unset_safe.c": true, "environment_unset_unsafe.c": true,
}

// TestMisuse decides the programs of testdata that ask about memory and arithmetic.
func TestMisuse(t *testing.T) {
	for _, folder := range []string{"cleanup", "leak", "memory", "overflow"} {
		programs(t, folder, func(t *testing.T, file string) {
			if folder == "memory" && endless[filepath.Base(file)] {
				return
			}
			want, checks := expectation(t, file)
			if got, _ := decide(file, true, specialise.Options{Check: checks}); got != want {
				t.Errorf("%s instead of %s", got, want)
			}
		})
	}
}

// TestAtomicStatements reads programs in the coarser way.
func TestAtomicStatements(t *testing.T) {
	for name, want := range map[string]string{"lost_update": "SAFE", "shared_order": "SAFE", "twice": "SAFE", "global_ids": "UNSAFE"} {
		if got, _ := decide("../cfront/testdata/run/"+name+".c", true, specialise.Options{AtomicStatements: true}); got != want {
			t.Errorf("%s: %s instead of %s", name, got, want)
		}
	}
}

// TestWrap lets signed overflow wrap around or fail.
func TestWrap(t *testing.T) {
	for _, o := range []specialise.Options{{Overflow: specialise.OverflowWrap}, {Check: specialise.Checks{Overflow: true}}} {
		if got, _ := decide("../cfront/testdata/run/overflow_assumed.c", true, o); got != "UNSAFE" {
			t.Errorf("%+v: %s", o, got)
		}
	}
}

// mustParse takes a text the whole way.
func mustParse(t *testing.T, src string, opts specialise.Options) *specialise.Result {
	t.Helper()
	res, err := csource.Parse("t.c", []byte(src), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := res.Program.Check(); err != nil {
		t.Fatalf("%v\n%s", err, res.Program)
	}
	return res
}

// TestHasAssertions looks for assertions in the source, even those that turn out to hold while
// it is taken apart.
func TestHasAssertions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want bool
	}{
		{"#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); }", true},
		{"#include <assert.h>\nint main(void) { return 0; }", false},
		{"#include <assert.h>\nvoid f(int x) { assert(x); } int main(void) { return 0; }", false},
		{"#include <assert.h>\nvoid f(int x) { assert(x); } int main(void) { f(1); }", true},
		{"#include <assert.h>\nint x; void f(void) { assert(x == 0); } int main(void) { (*f)(); }", true},
		{"void reach_error(void) {} void check(int c) { if (!c) reach_error(); } int main(void) { check(1); }", true},
		{"extern void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(1); }", true},
		{"int main(void) { int x = 0; if (x) { ERROR: x = 1; } }", true},
		{"#include <pthread.h>\n#include <assert.h>\nvoid *f(void *p) { assert(p == 0); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }", true},
	} {
		if got := mustParse(t, c.src, specialise.Options{}).HasAssertions; got != c.want {
			t.Errorf("%s: %v", c.src, got)
		}
	}
}

// TestOverflow checks the three treatments of signed overflow.
func TestOverflow(t *testing.T) {
	const assumed = "no signed integer overflow"
	src := "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); int x;\nint main(void) { int y = __VERIFIER_nondet_int(); x = y + 1; signed char c = y; c++; return 0; }"
	res := mustParse(t, src, specialise.Options{})
	if !slices.Contains(res.Program.Assumptions, assumed) || res.HasAssertions {
		t.Errorf("assumptions %q, assertions %v", res.Program.Assumptions, res.HasAssertions)
	}
	res = mustParse(t, src, specialise.Options{Check: specialise.Checks{Overflow: true}})
	if !res.HasAssertions || slices.Contains(res.Program.Assumptions, assumed) {
		t.Errorf("check: %v %v", res.HasAssertions, res.Program.Assumptions)
	}
	var errs []string
	for _, l := range res.Program.Threads[0].Locs {
		if l.Error {
			errs = append(errs, l.Text)
		}
	}
	if !slices.Equal(errs, []string{"signed overflow in y + 1"}) {
		t.Errorf("errors %q", errs)
	}
	res = mustParse(t, src, specialise.Options{Overflow: specialise.OverflowWrap})
	if res.HasAssertions || slices.Contains(res.Program.Assumptions, assumed) {
		t.Errorf("wrap: %v %v", res.HasAssertions, res.Program.Assumptions)
	}
}

// TestBounded checks that loops that create threads are cut.
func TestBounded(t *testing.T) {
	src := "#include <pthread.h>\nint x; void *f(void *a) { x = 1; return 0; }\nint main(void) { pthread_t t;\n  while (1) pthread_create(&t, 0, f, 0); }"
	res := mustParse(t, src, specialise.Options{MaxThreads: 4})
	p := res.Program
	if len(p.Threads) != 5 || len(p.Bounded) != 1 || p.Bounded[0] != "at most 4 threads are created by the loop at t.c:4:13" || !res.BoundedThreads {
		t.Errorf("%d threads, %q", len(p.Threads), p.Bounded)
	}
	names := []string{}
	for _, th := range p.Threads {
		names = append(names, th.Name)
	}
	if got := strings.Join(names, " "); got != "main f f_2 f_3 f_4" {
		t.Error(got)
	}
}

// TestRecursionBound checks when calls within one another are cut off.
func TestRecursionBound(t *testing.T) {
	const nondet = "int __VERIFIER_nondet_int(void); "
	for _, c := range []struct{ src, want string }{
		{"int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int main(void) { return f(20); }", ""},
		{"int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); } int main(void) { return f(6); }", ""},
		{nondet + "int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }", "at most 8 calls of 'f' within one another at t.c:1:38"},
		{nondet + "int f(int n) { return n < 2 ? n : f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }", "at most 8 calls of 'f' within one another at t.c:1:38"},
		{"void g(int); void f(int n) { g(n); } void g(int n) { f(n); } int main(void) { f(1); }", "at most 8 calls of 'f' within one another at t.c:1:19"},
	} {
		p := mustParse(t, c.src, specialise.Options{Overflow: specialise.OverflowWrap}).Program
		if got := strings.Join(p.Bounded, "|"); got != c.want {
			t.Errorf("%s: %q", c.src, got)
		}
	}
}

// TestParametric counts the threads of programs with any number of them.
func TestParametric(t *testing.T) {
	const head = "#include <pthread.h>\nint x; int nondet(void) { int v; return v; }\nvoid *g(void *a) { x = 2; return 0; }\nvoid *f(void *a) { x = 1; return 0; }\n" +
		"pthread_t p;\nvoid make(void) { pthread_create(&p, 0, f, 0); }\n"
	for _, tt := range []struct {
		name, main         string
		threads, replicate int
	}{
		{"one", "pthread_create(&p, 0, f, 0);", 2, 0},
		{"any number", "while (1) pthread_create(&p, 0, f, 0);", 2, 1},
		{"a few", "for (int i = 0; i < 4; i++) pthread_create(&p, 0, f, 0);", 5, 0},
		{"many", "for (int i = 0; i < 5; i++) pthread_create(&p, 0, f, 0);", 2, 1},
		{"an unknown number", "for (int i = 0, n = nondet(); i < n; i++) pthread_create(&p, 0, f, 0);", 2, 1},
		{"two kinds", "while (nondet()) { pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0); }", 3, 2},
		{"beside another", "pthread_create(&p, 0, g, 0); do pthread_create(&p, 0, f, 0); while (nondet()); pthread_join(p, 0);", 3, 1},
		{"in a function", "while (1) make();", 2, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustParse(t, head+"int main(void) { "+tt.main+" return 0; }\n", specialise.Options{Parametric: true}).Program
			if len(p.Threads) != tt.threads || len(p.Replicated()) != tt.replicate || len(p.Bounded) > 0 {
				t.Errorf("%d threads, %d replicated, bounded: %v", len(p.Threads), len(p.Replicated()), p.Bounded)
			}
			for _, th := range p.Replicated() {
				if th.Ended != nil {
					t.Error("it has a flag for its end")
				}
				th.Edges(func(e *ir.Edge) {
					if e.Kind == ir.End && (len(e.Cmds) > 0 || e.To.Atomic) {
						t.Errorf("%s: its end does something, or is where others wait", e)
					}
				})
			}
		})
	}
}

// steps returns the edges of a thread that touch shared variables.
func steps(p *ir.Program, thread int) []string {
	var out []string
	tab := p.Symbols()
	p.Threads[thread].Edges(func(e *ir.Edge) {
		acc := tab.CmdAccess(e.Cmds)
		for _, m := range []map[*ir.Var]bool{acc.Reads, acc.Writes} {
			for v := range m {
				if v.Thread == ir.Shared && e.Kind == ir.Plain {
					out = append(out, e.Text)
					return
				}
			}
		}
	})
	return out
}

// TestGranularity checks how many steps statements take.
func TestGranularity(t *testing.T) {
	for _, c := range []struct {
		stmt   string
		atomic bool
		want   string
	}{
		{"x = 5;", false, "x = 5"},
		{"int l; l = x + 1; y = l;", false, "l = x + 1|y = l"},
		{"int l = 3; x = l;", false, "x = l"},
		{"x++;", false, "read x|x++"},
		{"x++;", true, "x++"},
		{"x = x + 1;", false, "read x + 1|x = x + 1"},
		{"x = y;", false, "read y|x = y"},
		{"if (x > 5) return 0;", false, "x > 5|!(x > 5)"},
		{"if (x && y) return 0;", false, "x|!(x)|y|!(y)"},
		{"a[2] = 1;", false, "a[2] = 1"},
		{"__sync_fetch_and_add(&x, 2);", false, "__sync_fetch_and_add(&x, 2)"},
	} {
		src := "#include <pthread.h>\nint x, y, a[4];\nvoid *g(void *p) { x++; y++; a[2]++; while (x) while (y) while (a[2]) ; return 0; }\nvoid *f(void *p) { " + c.stmt + " return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); return 0; }"
		p := mustParse(t, src, specialise.Options{AtomicStatements: c.atomic, Overflow: specialise.OverflowWrap}).Program
		if got := strings.Join(steps(p, 1), "|"); got != c.want {
			t.Errorf("%s: %s instead of %s", c.stmt, got, c.want)
		}
	}
}

package partialorder_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"comus/cutpoints"
	"comus/internal/concrete"
	"comus/internal/csource"
	"comus/ir"
	"comus/ir/interp"
	"comus/partialorder"
)

const prelude = `
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
int x, y, n;
_Bool flag, go;
pthread_mutex_t m;
`

// program wraps the bodies of two threads and what main does after it created
// them.
func program(f, g, main string) string {
	return prelude + `
void *f(void *_) { ` + f + ` return 0; }
void *g(void *_) { ` + g + ` return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, f, 0);
	pthread_create(&b, 0, g, 0);
	` + main + `
	return 0;
}`
}

const joins = "pthread_join(a, 0); pthread_join(b, 0);"

var programs = []struct {
	name, src       string
	unwind          int
	found, complete bool
}{
	{"no other thread", prelude + "int main(void) { x = 1; assert(x == 2); return 0; }", 0, true, true},
	{"never false", prelude + "int main(void) { x = 1; assert(x == 1); return 0; }", 0, false, true},
	{"lost update", program("x++;", "x++;", joins+"assert(x == 2);"), 0, true, true},
	{"updates under a mutex", program(
		"pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", joins+"assert(x == 2);"), 0, false, true},
	{"atomic updates", program(
		"__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();",
		"__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", joins+"assert(x == 2);"), 0, false, true},
	{"an error in an atomic section", program(
		"__VERIFIER_atomic_begin(); x = 1; assert(y == 0); x = 0; __VERIFIER_atomic_end();",
		"if (x == 0) y = 1;", ""), 0, true, true},
	{"seen from outside an atomic section", program(
		"__VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end();",
		"assert(x == 0);", ""), 0, false, true},
	{"message passing", program("x = 1; flag = 1;", "while (!flag) { } assert(x == 1);", ""), 0, false, true},
	{"message passing the wrong way", program("flag = 1; x = 1;", "while (!flag) { } assert(x == 1);", ""), 0, true, true},
	{"a flag that comes and goes", program("flag = 1; x = 1; flag = 0; x = 2;", "while (!flag) { } assert(x < 2);", ""), 0, true, true},
	{"store buffering", program("x = 1; int r = y; n = r;", "y = 1; int r = x; pthread_join(0, 0);",
		"pthread_join(a, 0); assert(n == 0 || n == 1);"), 0, false, true},
	{"three writers", program("x = 1;", "x = 2;", "x = 3; int r = x; int s = x; assert(r != 1 || s != 2);"), 0, true, true},
	{"three writers, not back", program("x = 1;", "x = 2;", "x = 3; int r = x; int s = x; int t = x; assert(r != 1 || s != 2 || t != 1);"), 0, false, true},
	{"before the threads exist", strings.Replace(program("assert(x == 5);", "", ""), "pthread_t a", "x = 4; x = 5; pthread_t a", 1), 0, false, true},
	{"waiting with a mutex", program(
		"pthread_mutex_lock(&m); while (!flag) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); } x = y; pthread_mutex_unlock(&m); assert(x != 2);",
		"pthread_mutex_lock(&m); y = 2; flag = 1; pthread_mutex_unlock(&m);", ""), 0, true, true},
	{"waiting for one of two", program("while (!flag && !go) { } assert(!flag);", "go = 1; flag = 1;", ""), 0, true, true},
	{"counting while waiting", program("int k = 0; while (!flag) { k++; } assert(k < 2);", "flag = 1;", ""), 0, false, false},
	{"counting while waiting, far enough", program("int k = 0; while (!flag) { k++; } assert(k < 2);", "flag = 1;", ""), 1, true, false},
	{"an endless server", program("while (1) { x = 1; x = 0; }", "int r = x; int s = x; int t = x; assert(!(r == 1 && s == 0 && t == 1));", ""), 0, false, false},
	{"an endless server, twice", program("while (1) { x = 1; x = 0; }", "int r = x; int s = x; int t = x; assert(!(r == 1 && s == 0 && t == 1));", ""), 1, true, false},
	{"an input", program("x = __VERIFIER_nondet_bool();", "y = x;", joins+"assert(x == y);"), 0, true, true},
	{"an error behind another one", program("assert(0);", "", "x = 1; assert(x == 1);"), 0, true, true},
}

func parse(t *testing.T, src string) (*ir.Program, []*cutpoints.Graph) {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	res.Program.Renumber()
	return res.Program, cutpoints.Compute(res.Program, cutpoints.Options{})
}

// fails reports whether the blocks can be run from an initial state, to an error.
func fails(t *testing.T, p *ir.Program, blocks []*cutpoints.Block) bool {
	t.Helper()
	var edges []*ir.Edge
	for _, b := range blocks {
		edges = append(edges, b.Edges...)
	}
	found := false
	err := concrete.Initial(p, func(s *interp.State) {
		for _, end := range concrete.Run(p, s, edges) {
			found = found || end.AtError() != nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFind looks for an execution in each thread with assertions, replays what is
// found, and looks again with the failing thread's path.
func TestFind(t *testing.T) {
	ctx := context.Background()
	for _, tt := range programs {
		p, graphs := parse(t, tt.src)
		found, complete := false, true
		for _, th := range p.Threads {
			if !th.HasErrors() {
				continue
			}
			opts := partialorder.Options{Main: th.Index, Unwind: tt.unwind}
			blocks, all, err := partialorder.Find(ctx, p, graphs, opts)
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			complete = complete && all
			if blocks == nil {
				continue
			}
			found = true
			if !fails(t, p, blocks) {
				t.Errorf("%s: the execution found is none", tt.name)
			}
			for _, b := range blocks {
				if b.From.Thread == th {
					opts.Path = append(opts.Path, b)
				}
			}
			again, _, err := partialorder.Find(ctx, p, graphs, opts)
			if err != nil || !fails(t, p, again) {
				t.Errorf("%s: with the path found: %v", tt.name, err)
			}
		}
		if found != tt.found || complete != tt.complete {
			t.Errorf("%s: found %v, complete %v", tt.name, found, complete)
		}
	}
}

// paths returns the ways of a thread without loops to an error.
func paths(g *cutpoints.Graph) [][]*cutpoints.Block {
	var out [][]*cutpoints.Block
	var walk func(l *ir.Loc, way []*cutpoints.Block)
	walk = func(l *ir.Loc, way []*cutpoints.Block) {
		if l.Error {
			out = append(out, slices.Clone(way))
		}
		for _, b := range g.Out[l] {
			walk(b.To, append(way, b))
		}
	}
	walk(g.Thread.Entry, nil)
	return out
}

// TestPathDecides: of the two paths to the assertions, the other threads allow one
// only.
func TestPathDecides(t *testing.T) {
	p, graphs := parse(t, program("x = 1; y = 1;", "if (y) assert(x); else assert(x);", ""))
	feasible := 0
	for _, g := range graphs {
		if !g.Thread.HasErrors() {
			continue
		}
		for _, path := range paths(g) {
			blocks, _, err := partialorder.Find(context.Background(), p, graphs, partialorder.Options{Main: g.Thread.Index, Path: path})
			if err != nil {
				t.Fatal(err)
			}
			if blocks != nil {
				feasible++
				if !fails(t, p, blocks) {
					t.Error("the execution found is none")
				}
			}
		}
	}
	if feasible != 1 {
		t.Errorf("%d paths can be executed, want 1", feasible)
	}
}

// TestWrongPaths: a path has to begin at the entry, hang together and end in an
// error.
func TestWrongPaths(t *testing.T) {
	p, graphs := parse(t, program("x++;", "int r = x; int s = x; assert(r == s);", ""))
	for _, g := range graphs {
		if !g.Thread.HasErrors() {
			continue
		}
		path := paths(g)[0]
		if len(path) < 2 {
			t.Fatalf("a path of %d blocks only", len(path))
		}
		for name, wrong := range map[string][]*cutpoints.Block{"no end": path[:len(path)-1], "no beginning": path[1:], "empty": {}} {
			_, _, err := partialorder.Find(context.Background(), p, graphs, partialorder.Options{Main: g.Thread.Index, Path: wrong})
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, graphs := parse(t, programs[2].src)
	if _, _, err := partialorder.Find(ctx, p, graphs, partialorder.Options{}); err == nil {
		t.Error("no error")
	}
}

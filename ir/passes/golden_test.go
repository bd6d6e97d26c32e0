package passes_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

var update = flag.Bool("update", false, "write the golden files anew")

const prelude = `#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
`

const start = `int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); `

// TestGolden compares what each pass makes of a program for it, before and after,
// with the file testdata/PASS.txt.
func TestGolden(t *testing.T) {
	tests := []struct{ pass, src string }{
		{"unroll", `int s; void *f(void *_) { int i = 0; while (1) { s = i; if (++i == 2) break; } return 0; }` +
			start + `assert(s < 2); return 0; }`},
		{"constants", `int k = 3, s; void *f(void *_) { s = 1; return 0; }` +
			start + `int n = k; if (__VERIFIER_nondet_int()) n = k - 0; if (n < 3) s = 7; assert(s < 2); k = 3; return 0; }`},
		{"scalars", `int a[2]; void *f(void *_) { int i = __VERIFIER_nondet_int(); a[i] = 1; return 0; }` +
			start + `int j = __VERIFIER_nondet_int(); int x = a[j]; assert(x == 0); return 0; }`},
		{"slice", `int x, y, z; void *f(void *_) { z = 1; __VERIFIER_assume(y == 1); x = 1; z = 2; __VERIFIER_assume(z == 3); return 0; }` +
			start + `y = 1; assert(x == 0); pthread_join(t, 0); return 0; }`},
		{"dead", `int x, unread; void *f(void *_) { unread = x; int n = 0; n = n + 1; x = 1; return 0; }` +
			start + `assert(x == 0); return 0; }`},
		{"merge", `int x; void *f(void *_) { int n = __VERIFIER_nondet_int(); int m = n / 2; x = m; return 0; }` +
			start + `int y = x; int z = 3; if (y == 1) z = 4; assert(z == 3); return 0; }`},
		{"await", `int a, b; void *f(void *_) { a = 1; b = 1; return 0; }` +
			start + `while (!a || !b); assert(a == 0); return 0; }`},
	}
	for _, tt := range tests {
		t.Run(tt.pass, func(t *testing.T) {
			p := parse(t, prelude+tt.src)
			q := run(t, p, tt.pass).Program
			got := "before " + tt.pass + ":\n" + threads(p) + "after " + tt.pass + ":\n" + threads(q)
			file := filepath.Join("testdata", tt.pass+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// threads prints the threads of a program without places in the source.
func threads(p *ir.Program) string {
	var b strings.Builder
	for line := range strings.Lines(p.String()) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "  // ")
		if strings.HasPrefix(line, "thread") && strings.Contains(line, "=") && !strings.Contains(line, "created") {
			continue
		}
		if strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "thread") {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// TestAwaitAtomicHead: a loop whose head only is atomic gives other threads a
// chance in between; it must keep its back edge.
func TestAwaitAtomicHead(t *testing.T) {
	p := ir.NewProgram("f.c")
	x := p.NewVar("x", ir.Flag, ir.Shared)
	x.Init = new(logic.Value)
	th := p.NewThread("main")
	head, body, fail := th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{})
	head.Atomic, fail.Error = true, true
	one := p.L.Eq(x.Sym, p.L.Int(1))
	th.NewEdge(th.Entry, head, ir.Pos{}, "", ir.AssumeCmd(p.L.Not(one)))
	th.NewEdge(head, body, ir.Pos{}, "")
	th.NewEdge(body, head, ir.Pos{}, "")
	th.NewEdge(head, fail, ir.Pos{}, "", ir.AssumeCmd(one))
	u := p.NewThread("other")
	u.NewEdge(u.Entry, u.NewLoc(ir.Pos{}), ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
	for _, names := range append(lists(), nil) {
		if got := explored(t, run(t, p, names...).Program, explore.Options{}).Verdict; got != explore.Unsafe {
			t.Errorf("%v: %v", names, got)
		}
	}
}

// atomicProgram makes a program of two threads: the second waits for x to become 1
// and then sets y, and build makes the first.
func atomicProgram(build func(p *ir.Program, t *ir.Thread, x, y *ir.Var)) *ir.Program {
	p := ir.NewProgram("f.c")
	x, y := p.NewVar("x", ir.Flag, ir.Shared), p.NewVar("y", ir.Flag, ir.Shared)
	x.Init, y.Init = new(logic.Value), new(logic.Value)
	build(p, p.NewThread("main"), x, y)
	u := p.NewThread("other")
	seen := u.NewLoc(ir.Pos{})
	u.NewEdge(u.Entry, seen, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(x.Sym, p.L.Int(1))))
	u.NewEdge(seen, u.NewLoc(ir.Pos{}), ir.Pos{}, "", ir.AssignCmd(y, p.L.Int(1)))
	return p
}

// TestAtomicEnds has programs that passes must not change about the beginnings and
// ends of atomic sections.
func TestAtomicEnds(t *testing.T) {
	one := func(p *ir.Program, v *ir.Var) ir.Cmd { return ir.AssumeCmd(p.L.Eq(v.Sym, p.L.Int(1))) }
	tests := []struct {
		name  string
		build func(p *ir.Program, t *ir.Thread, x, y *ir.Var)
		want  explore.Verdict
	}{
		{"a local step ends the section", func(p *ir.Program, t *ir.Thread, x, y *ir.Var) {
			in, out, fail := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
			in.Atomic, fail.Error = true, true
			t.NewEdge(t.Entry, in, ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
			t.NewEdge(in, in, ir.Pos{}, "") // or else the section becomes one step
			t.NewEdge(in, out, ir.Pos{}, "")
			t.NewEdge(out, fail, ir.Pos{}, "", one(p, y))
		}, explore.Unsafe},
		{"the section ends after all that matters", func(p *ir.Program, t *ir.Thread, x, y *ir.Var) {
			in, out := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
			in.Atomic = true
			t.NewEdge(t.Entry, in, ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
			t.NewEdge(in, out, ir.Pos{}, "")
			watch := p.NewThread("watch")
			fail := watch.NewLoc(ir.Pos{})
			fail.Error = true
			watch.NewEdge(watch.Entry, fail, ir.Pos{}, "", one(p, x))
		}, explore.Unsafe},
		{"no step ends the section", func(p *ir.Program, t *ir.Thread, x, y *ir.Var) {
			in, fail := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
			in.Atomic, fail.Error = true, true
			t.NewEdge(t.Entry, in, ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
			t.NewEdge(in, fail, ir.Pos{}, "", one(p, y))
		}, explore.Safe},
		{"a local step begins the section", func(p *ir.Program, t *ir.Thread, x, y *ir.Var) {
			out, in, fail := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
			in.Atomic, fail.Error = true, true
			t.NewEdge(t.Entry, out, ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
			t.NewEdge(out, in, ir.Pos{}, "")
			t.NewEdge(in, fail, ir.Pos{}, "", one(p, y))
		}, explore.Unsafe},
		{"stuck inside the section", func(p *ir.Program, t *ir.Thread, x, y *ir.Var) {
			in := t.NewLoc(ir.Pos{})
			in.Atomic = true
			t.NewEdge(t.Entry, in, ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
			watch := p.NewThread("watch")
			fail := watch.NewLoc(ir.Pos{})
			fail.Error = true
			watch.NewEdge(watch.Entry, fail, ir.Pos{}, "", one(p, x))
		}, explore.Safe},
		{"blocked inside the section", func(p *ir.Program, t *ir.Thread, x, y *ir.Var) {
			in, out := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
			in.Atomic = true
			t.NewEdge(t.Entry, in, ir.Pos{}, "", ir.AssignCmd(x, p.L.Int(1)))
			t.NewEdge(in, out, ir.Pos{}, "", one(p, y))
			watch := p.NewThread("watch")
			fail := watch.NewLoc(ir.Pos{})
			fail.Error = true
			watch.NewEdge(watch.Entry, fail, ir.Pos{}, "", one(p, x))
		}, explore.Safe},
	}
	for _, tt := range tests {
		p := atomicProgram(tt.build)
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		for _, names := range append(lists(), nil) {
			q := run(t, p, names...).Program
			if got := explored(t, q, explore.Options{}).Verdict; got != tt.want {
				t.Errorf("%s, %v: %v instead of %v\n%s", tt.name, names, got, tt.want, q)
			}
		}
	}
}

// TestIndexWrittenInTheEdge: what chooses the cell is not the index before the edge.
func TestIndexWrittenInTheEdge(t *testing.T) {
	p := ir.NewProgram("f.c")
	a, b := p.NewVar("a", ir.Flag, ir.Shared), p.NewVar("b", ir.Flag, ir.Shared)
	i := p.NewVar("i", ir.Flag, 0)
	a.Init, b.Init = new(logic.Value), new(logic.Value)
	th := p.NewThread("main")
	wrote, fail := th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{})
	fail.Error = true
	is := p.L.Eq(i.Sym, p.L.Int(0))
	th.NewEdge(th.Entry, wrote, ir.Pos{}, "", ir.AssignCmd(i, p.L.Sub(p.L.Int(1), i.Sym)),
		ir.AssignCmd(a, p.L.Ite(is, p.L.Int(1), a.Sym)), ir.AssignCmd(b, p.L.Ite(is, b.Sym, p.L.Int(1))))
	th.NewEdge(wrote, fail, ir.Pos{}, "", ir.AssumeCmd(p.L.Not(is)), ir.AssumeCmd(p.L.Eq(a.Sym, p.L.Int(1))))
	havoc := p.NewThread("other")
	havoc.NewEdge(havoc.Entry, havoc.NewLoc(ir.Pos{}), ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(b.Sym, p.L.Int(1))))
	for _, names := range append(lists(), nil) {
		if got := explored(t, run(t, p, names...).Program, explore.Options{}).Verdict; got != explore.Safe {
			t.Errorf("%v: %v", names, got)
		}
	}
}

// TestUnrollKeepsCells: b never gets another value, but a step that writes a or b
// by an index must still be seen to touch one of them after unroll, which does not
// put in the index.
func TestUnrollKeepsCells(t *testing.T) {
	p := ir.NewProgram("f.c")
	a, b := p.NewVar("a", ir.Flag, ir.Shared), p.NewVar("b", ir.Flag, ir.Shared)
	i, j := p.NewVar("i", ir.Flag, 0), p.NewVar("j", ir.Flag, 0)
	for _, v := range p.Vars {
		v.Init = new(logic.Value)
	}
	th := p.NewThread("main")
	head, wrote, out, fail := th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{})
	fail.Error = true
	first, one := p.L.Eq(j.Sym, p.L.Int(0)), p.L.Int(1)
	th.NewEdge(th.Entry, head, ir.Pos{}, "")
	th.NewEdge(head, wrote, ir.Pos{}, "",
		ir.AssignCmd(a, p.L.Ite(first, one, a.Sym)), ir.AssignCmd(b, p.L.Ite(first, b.Sym, one)))
	th.NewEdge(wrote, head, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(i.Sym, p.L.Int(0))), ir.AssignCmd(i, one))
	th.NewEdge(wrote, out, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(i.Sym, one)))
	th.NewEdge(out, fail, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(a.Sym, one)))
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	for _, names := range append(lists(), nil) { // run checks how much a step touches
		if got := explored(t, run(t, p, names...).Program, explore.Options{}).Verdict; got != explore.Unsafe {
			t.Errorf("%v: %v", names, got)
		}
	}
}

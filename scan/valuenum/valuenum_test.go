package valuenum

import (
	"fmt"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/scan/pointsto"
)

const decls = `#include <string.h>
struct S { int n; struct S *next; int a[4]; } g, *gp, *const fixed = &g;
_Thread_local struct S own; int c; volatile int v; unsigned u; int many[9];
void same(const void *, const void *); void ext(void *); void get(struct S **p) { *p = gp; } int pure(int x) { return x; }
`

// TestValues asks whether two values are known to be the same, a constant apart.
func TestValues(t *testing.T) {
	cases := []struct {
		name, body string
		want       bool
	}{
		{"parameter", "same(p, p);", true},
		{"two parameters", "same(p, q);", false},
		{"local", "struct S *l = p; c = 1; same(l, p);", true},
		{"assigned", "struct S *l = p; l = q; same(l, q);", true},
		{"assigned, not what it was", "struct S *l = p; l = q; same(l, p);", false},
		{"member", "same(&p->next, p);", true},
		{"element", "same(&p->a[i], &p->a[i + 1]);", true},
		{"other element", "same(&p->a[i], &p->a[j]);", false},
		{"unsigned, which may wrap", "unsigned k = i; same(&many[k], &many[k + 1]);", false},
		{"unsigned", "unsigned k = i; same(&many[k], &many[k]);", true},
		{"size_t", "size_t k = i; same(&many[k], &many[k + 1]);", true},
		{"narrow", "unsigned char k = i; same(&many[k], &many[i]);", false},
		{"difference", "same(&many[i - j], &many[i]);", false},
		{"through an integer", "same((void *)((long)p + 8), p);", true},
		{"branches that agree", "struct S *l; if (c) l = p; else l = p; same(l, p);", true},
		{"branches that do not", "struct S *l; if (c) l = p; else l = q; same(l, p);", false},
		{"where branches meet", "struct S *l; if (c) l = p; else l = q; same(l, l);", true},
		{"one branch", "struct S *l = p; if (c) l = q; same(l, p);", false},
		{"loop that changes it", "struct S *l = p; while (c) l = l->next; same(l, p);", false},
		{"loop that does not", "struct S *l = p; while (c) ext(0); same(l, p);", true},
		{"before and after a step", "struct S *l = p; while (c) { struct S *k = l; l = l->next; same(l, k); }", false},
		{"in a loop", "for (struct S *l = p; l; l = l->next) same(l, &l->n);", true},
		{"nested loops", "struct S *l = p; while (c) { struct S *k = l; while (i--) l = l->next; same(k, l); }", false},
		{"switch", "struct S *l = p; switch (c) { case 1: l = q; case 2: break; } same(l, p);", false},
		{"goto", "struct S *l = p; again: if (i++ < 3) { l = l->next; goto again; } same(l, p);", false},
		{"conditional", "same(c ? p : q, p);", false},
		{"conditional, same", "same(c ? p : p, p);", true},
		{"load of what changes", "same(gp, gp); gp = p;", false},
		{"load of what does not", "same(fixed, fixed);", true},
		{"volatile", "same(&many[v], &many[v]);", false},
		{"volatile local", "volatile int k = i; same(&many[k], &many[k]);", false},
		{"address given away", "struct S *l = p; get(&l); same(l, p);", false},
		{"address given away before", "struct S *l; get(&l); l = p; same(l, p);", true},
		{"address known", "struct S *l = p, **k = &l; *k = q; same(l, p);", false},
		{"address outside", "struct S *l = p; ext(&l); l = p; ext(0); same(l, p);", false},
		{"array", "struct S *l[2]; l[0] = p; l[i] = q; same(l[0], p);", false},
		{"array, other element", "struct S *l[2]; l[0] = p; l[1] = q; same(l[0], p);", true},
		{"overwritten", "struct { struct S *a, *b; } l = {p, q}; memset(&l, 0, 8); same(l.a, p);", false},
		{"struct that is assigned", "struct { struct S *a, *b; } l = {p, q}, k = {q, p}; l = k; same(l.a, p);", false},
		{"half", "union { struct S *p; int i[2]; } l; l.p = p; l.i[1] = 0; same(l.p, p);", false},
		{"life that begins again", "for (int k = 0; k < 3; k++) { struct S *l; if (k == 0) l = p; same(l, p); }", false},
		{"result", "same(&many[pure(i)], &many[pure(i)]);", false},
		{"scaled", "same(&many[2 * i], &many[2 * i + 1]);", true},
		{"shifted", "same(&many[i << 1], &many[2 * i]);", true},
		{"recursion", "struct S *l = p; if (c) f0(q, p, i, j); same(l, p);", true},
	}
	var src strings.Builder
	src.WriteString(decls + "void f0(struct S *p, struct S *q, int i, int j);\n")
	for i, c := range cases {
		fmt.Fprintf(&src, "void f%d(struct S *p, struct S *q, int i, int j) { %s }\n", i, c.body)
	}
	src.WriteString("int main(int argc, char **argv) {")
	for i := range cases {
		fmt.Fprintf(&src, " f%d(&g, gp, argc, argc + 1);", i)
	}
	src.WriteString(" return 0; }\n")
	got := asked(t, src.String())
	for i, c := range cases {
		if same, seen := got[fmt.Sprint("f", i)]; !seen || same != c.want {
			t.Errorf("%s: the same is %v (%v), want %v", c.name, same, seen, c.want)
		}
	}
}

// asked returns, for each function, whether all that it calls same with is the same.
func asked(t *testing.T, src string) map[string]bool {
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := pointsto.Analyse(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	stable := func(c pointsto.Copy, in *cir.Load) bool {
		at := pts.Targets(c.Func, c.Ctx, in.Addr)
		return len(at) == 1 && at[0].Obj.Global != nil && !at[0].Obj.Written
	}
	got := map[string]bool{}
	table := NewTable()
	for _, c := range pts.Copies() {
		f := Analyse(table, p.Program.Model, pts, c, Options{Stable: stable})
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				if g, ok := call.Callee.(*cir.Func); ok && g.Source == "same" {
					_, same := f.Value(call.Args[0].X).Minus(f.Value(call.Args[1].X))
					got[c.Func.Source] = same
				}
			}
		}
	}
	return got
}

// TestRewrite says values in other terms.
func TestRewrite(t *testing.T) {
	table := NewTable()
	fn := &cir.Func{Params: []cir.Param{{Name: "p"}, {Name: "q"}}}
	p, q := table.Of(Sym{Kind: Param, Func: fn, N: 0}), table.Of(Sym{Kind: Param, Func: fn, N: 1})
	g := table.Of(Sym{Kind: Global, What: &cir.Global{Name: "g"}})
	deref := func(v Value) Value { return table.Of(Sym{Kind: Load, At: v, What: cir.I64}) }
	at := func(v Value, index Value, scale int64) Value {
		i, _ := index.times(scale)
		sum, _ := add(v, i)
		return sum
	}
	for _, c := range []struct {
		v    Value
		want string
	}{
		{p.Plus(8), "q+12"},
		{deref(p.Plus(8)).Plus(2), "*(q+12)+2"},
		{deref(g).Plus(8), "*(&g)+8"},
		{at(g, p, 4), "&g+q*4+16"},
		{at(p, p, 4), "q+q*4+20"},
		{q, "none"},
		{at(p, q, 4), "none"},
		{deref(q), "none"},
	} {
		got := "none"
		w, ok := table.Rewrite(c.v, func(s *Sym) (Value, bool) { return q.Plus(4), s == p.Base })
		if ok {
			got = w.String()
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
	if !deref(g).Closed() || deref(p).Closed() {
		t.Error("closed")
	}
}

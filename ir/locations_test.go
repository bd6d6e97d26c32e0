package ir

import (
	"testing"

	"comus/logic"
)

// TestSharedLocations counts what edges touch that spell out C statements over
// the shared arrays a, of 3 elements, and b, of 2 times 2, and local indexes.
func TestSharedLocations(t *testing.T) {
	p := NewProgram("t.c")
	L := p.L
	word := Type{Bits: 32, Signed: true}
	global := func(name string) *Var { return p.NewVar(name, word, Shared) }
	x, a := global("x"), []*Var{global("a[0]"), global("a[1]"), global("a[2]")}
	b := [][]*Var{{global("b[0][0]"), global("b[0][1]")}, {global("b[1][0]"), global("b[1][1]")}}
	i, j, l := p.NewVar("i", word, 0), p.NewVar("j", word, 0), p.NewVar("l", word, 0)
	is := func(v *Var, k int64) *logic.Term { return L.Eq(v.Sym, L.Int(k)) }
	read := func(i *Var) *logic.Term { return L.Ite(is(i, 0), a[0].Sym, L.Ite(is(i, 1), a[1].Sym, a[2].Sym)) }
	write := func(i *Var, v *logic.Term) []Cmd {
		var cmds []Cmd
		for k, c := range a {
			cmds = append(cmds, AssignCmd(c, L.Ite(is(i, int64(k)), v, c.Sym)))
		}
		return cmds
	}
	cell := L.Int(0)
	for r, row := range b {
		for c, v := range row {
			cell = L.Ite(L.And(is(i, int64(r)), is(j, int64(c))), v.Sym, cell)
		}
	}
	positive := func(t *logic.Term) *logic.Term { return L.Gt(t, L.Int(0)) }
	for _, c := range []struct {
		what string
		cmds []Cmd
		want int
	}{
		{"nothing", nil, 0},
		{"l = i", []Cmd{AssignCmd(l, i.Sym)}, 0},
		{"x = x + i", []Cmd{AssignCmd(x, L.Add(x.Sym, i.Sym))}, 1},
		{"x = a[0]", []Cmd{AssignCmd(x, a[0].Sym)}, 2},
		{"l = a[0] + a[1]", []Cmd{AssignCmd(l, L.Add(a[0].Sym, a[1].Sym))}, 2},
		{"a[0] && a[1]", []Cmd{AssumeCmd(L.And(positive(a[0].Sym), positive(a[1].Sym)))}, 2},
		{"a[0] || a[1]", []Cmd{AssumeCmd(L.Or(positive(a[0].Sym), positive(a[1].Sym)))}, 2},
		{"i ? a[0] : a[1]", []Cmd{AssignCmd(l, L.Ite(positive(i.Sym), a[0].Sym, a[1].Sym))}, 1},
		{"x ? a[0] : a[1]", []Cmd{AssignCmd(l, L.Ite(positive(x.Sym), a[0].Sym, a[1].Sym))}, 2},
		{"i > 0 && a[0] || i <= 0 && a[1]", []Cmd{AssumeCmd(L.Ite(positive(i.Sym), positive(a[0].Sym), positive(a[1].Sym)))}, 1},
		{"l = a[i]", []Cmd{AssumeCmd(L.Le(i.Sym, L.Int(2))), AssignCmd(l, read(i))}, 1},
		{"a[i] > 0 && a[i] + 1 > i", []Cmd{AssumeCmd(positive(read(i))), AssumeCmd(L.Gt(L.Add(read(i), L.Int(1)), i.Sym))}, 1},
		{"a[i] + a[j]", []Cmd{AssignCmd(l, L.Add(read(i), read(j)))}, 2},
		{"a[i] = 1", write(i, L.Int(1)), 1},
		{"a[i] = a[i] + 1", write(i, L.Add(read(i), L.Int(1))), 1},
		{"a[i] = a[j]", write(i, read(j)), 2},
		{"a[i] = x", write(i, x.Sym), 2},
		{"a[x] = 1", write(x, L.Int(1)), 2},
		{"b[i][j]", []Cmd{AssignCmd(l, cell)}, 1},
		{"b[i][j] + b[0][0]", []Cmd{AssignCmd(l, L.Add(cell, b[0][0].Sym))}, 2},
		{"havoc x, a[1]", []Cmd{HavocCmd(x, ""), HavocCmd(a[1], "")}, 2},
	} {
		if got := p.Symbols().SharedLocations(L, c.cmds, nil); len(got) != c.want {
			t.Errorf("%s: %d locations instead of %d: %v", c.what, len(got), c.want, got)
		}
	}
	if got := p.Symbols().SharedLocations(L, []Cmd{AssignCmd(x, a[0].Sym)}, func(v *Var) bool { return v == x }); len(got) != 1 {
		t.Errorf("skipping x leaves %v", got)
	}
}

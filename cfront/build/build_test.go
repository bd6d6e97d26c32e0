package build

import (
	"math/big"
	"strings"
	"testing"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// Trees made by hand, before there is anybody to make them.

var intType = &types.Type{Kind: types.Int, Rank: types.RankInt, Size: 4, Align: 4, Bits: 32, Signed: true}

type maker struct{ line int }

func (m *maker) site(text string) *tree.Site {
	m.line++
	return &tree.Site{Pos: types.Pos{File: "f.c", Line: m.line, Col: 1}, Text: text}
}

func (m *maker) num(n int64) tree.Expr {
	return &tree.IntConst{X: tree.X{Typ: intType, Site: m.site("n")}, V: big.NewInt(n)}
}

func (m *maker) ref(v *tree.Var) tree.Expr {
	return &tree.VarRef{X: tree.X{Typ: v.Type, Site: m.site(v.Name)}, Var: v}
}

func (m *maker) load(v *tree.Var) tree.Expr {
	return &tree.Load{X: tree.X{Typ: v.Type, Site: m.site(v.Name)}, L: m.ref(v)}
}

func (m *maker) bin(op tree.Op, l, r tree.Expr) tree.Expr {
	return &tree.Binary{X: tree.X{Typ: intType, Site: m.site("op")}, Op: op, L: l, R: r}
}

func (m *maker) fn(name string, params []*tree.Var, body ...tree.Stmt) *tree.Func {
	ft := &types.Type{Kind: types.Func, Elem: intType}
	for range params {
		ft.Params = append(ft.Params, intType)
	}
	return &tree.Func{Name: name, Type: ft, Linkage: tree.External, Params: params,
		Body: &tree.Block{S: tree.S{Site: m.site(name)}, Stmts: body}, Site: *m.site(name)}
}

func buildText(t *testing.T, fs ...*tree.Func) string {
	t.Helper()
	u, err := Build(&tree.Unit{File: "f.c", Funcs: fs})
	if err != nil {
		t.Fatal(err)
	}
	p := &cir.Program{Model: u.Model}
	for _, s := range u.Symbols {
		switch v := s.Value.(type) {
		case *cir.Func:
			p.Funcs = append(p.Funcs, v)
		case *cir.Global:
			p.Globals = append(p.Globals, v)
		}
	}
	p.Entry = p.Funcs[0]
	if err := p.Check(); err != nil {
		t.Errorf("%v\n%s", err, p)
	}
	var b strings.Builder
	for _, f := range p.Funcs {
		b.WriteString(f.String())
	}
	return b.String()
}

// A loop over && with a compound assignment: int f(int a) { int s; s = 0; while (a && s < 9) s += a--; return s; }
func TestLoop(t *testing.T) {
	m := &maker{}
	a := &tree.Var{Name: "a", Type: intType}
	s := &tree.Var{Name: "s", Type: intType}
	loop := &tree.Loop{S: tree.S{Site: m.site("while")},
		C: &tree.Logic{X: tree.X{Typ: intType, Site: m.site("&&")}, And: true, L: m.load(a), R: m.bin(tree.Lt, m.load(s), m.num(9))},
		Body: &tree.ExprStmt{S: tree.S{Site: m.site("s += a--")}, X: &tree.AssignOp{X: tree.X{Typ: intType, Site: m.site("s += a--")}, Op: tree.Add,
			L: m.ref(s), Compute: intType, R: &tree.IncDec{X: tree.X{Typ: intType, Site: m.site("a--")}, L: m.ref(a), Dec: true, Post: true}}},
	}
	f := m.fn("f", []*tree.Var{a},
		&tree.ExprStmt{S: tree.S{Site: m.site("s = 0")}, X: &tree.Assign{X: tree.X{Typ: intType, Site: m.site("s = 0")}, L: m.ref(s), R: m.num(0)}},
		loop,
		&tree.Return{S: tree.S{Site: m.site("return s")}, X: m.load(s)})
	f.Body.Vars = []*tree.Var{s}
	text := buildText(t, f)
	for _, want := range []string{"life start", "life end", "branch", "sub i32", "add i32"} {
		if !strings.Contains(strings.ToLower(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "b4"); n > 0 && strings.Count(text, "\nb") > 6 {
		t.Errorf("more blocks than needed:\n%s", text)
	}
}

// A jump into a block begins its lives, one out of it ends them.
func TestGotoScopes(t *testing.T) {
	m := &maker{}
	x := &tree.Var{Name: "x", Type: intType, AddrTaken: true}
	in, out := &tree.Label{Name: "in"}, &tree.Label{Name: "out"}
	f := m.fn("f", nil,
		&tree.Goto{S: tree.S{Site: m.site("goto in")}, Label: in},
		&tree.Block{S: tree.S{Site: m.site("{")}, Vars: []*tree.Var{x}, Stmts: []tree.Stmt{
			&tree.Labeled{S: tree.S{Site: m.site("in:")}, Label: in, Body: &tree.Goto{S: tree.S{Site: m.site("goto out")}, Label: out}},
		}},
		&tree.Labeled{S: tree.S{Site: m.site("out:")}, Label: out, Body: &tree.Return{S: tree.S{Site: m.site("return 0")}, X: m.num(0)}})
	text := strings.ToLower(buildText(t, f))
	if strings.Count(text, "life start") != 1 || strings.Count(text, "life end") != 1 {
		t.Errorf("lives:\n%s", text)
	}
}

// The order of operands is only assumed where it matters.
func TestOrder(t *testing.T) {
	m := &maker{}
	g := &tree.Var{Name: "g", Type: intType, Storage: tree.Static, Linkage: tree.External, Defined: true}
	a := &tree.Var{Name: "a", Type: intType}
	call := func(f *tree.Func) tree.Expr {
		ref := &tree.FuncRef{X: tree.X{Typ: f.Type, Site: m.site(f.Name)}, Func: f}
		ptr := &types.Type{Kind: types.Pointer, Size: 8, Align: 8, Elem: f.Type}
		return &tree.Call{X: tree.X{Typ: intType, Site: m.site(f.Name + "()")}, F: &tree.Decay{X: tree.X{Typ: ptr, Site: m.site(f.Name)}, L: ref}}
	}
	set := m.fn("set", nil, &tree.Return{S: tree.S{Site: m.site("return g = 1")}, X: &tree.Assign{X: tree.X{Typ: intType, Site: m.site("g = 1")}, L: m.ref(g), R: m.num(1)}})
	get := m.fn("get", nil, &tree.Return{S: tree.S{Site: m.site("return g")}, X: m.load(g)})
	for _, c := range []struct {
		name string
		x    func() tree.Expr
		want bool
	}{
		{"a + set()", func() tree.Expr { return m.bin(tree.Add, m.load(a), call(set)) }, false},
		{"g + set()", func() tree.Expr { return m.bin(tree.Add, m.load(g), call(set)) }, true},
		{"get() + get()", func() tree.Expr { return m.bin(tree.Add, call(get), call(get)) }, false},
		{"get() + set()", func() tree.Expr { return m.bin(tree.Add, call(get), call(set)) }, true},
	} {
		f := m.fn("f", []*tree.Var{a}, &tree.Return{S: tree.S{Site: m.site("return")}, X: c.x()})
		if got := strings.Contains(buildText(t, f, set, get), "gcc's order"); got != c.want {
			t.Errorf("%s: assumption %v", c.name, got)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, c := range []struct {
		t  cir.Type
		s  string
		lo uint64
		hi uint64
	}{
		{cir.F32, "1", 0x3f800000, 0}, {cir.F32, "0.1", 0x3dcccccd, 0}, {cir.F32, "1e-45", 1, 0}, {cir.F32, "3.4028235e38", 0x7f7fffff, 0},
		{cir.F32, "1e39", 0x7f800000, 0}, {cir.F64, "-2.5", 0xc004000000000000, 0}, {cir.F64, "4.9406564584124654e-324", 1, 0},
		{cir.F64, "2.2250738585072014e-308", 0x10000000000000, 0}, {cir.F80, "1", 1 << 63, 0x3fff}, {cir.F80, "-0.5", 1 << 63, 0xbffe},
		{cir.F128, "1", 0, 0x3fff000000000000}, {cir.Type{Kind: cir.FloatKind, Bits: 16}, "65504", 0x7bff, 0},
	} {
		v, _, err := big.ParseFloat(c.s, 10, 300, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		got := encode(c.t, v)
		if got.Lo != c.lo || got.Hi != c.hi {
			t.Errorf("%s as %s: %x %x", c.s, c.t, got.Hi, got.Lo)
		}
		if d := decode(got); d != nil && encode(c.t, d) != got {
			t.Errorf("%s as %s: decoded to %v", c.s, c.t, d)
		}
	}
}

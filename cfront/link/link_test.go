package link

import (
	"slices"
	"strings"
	"testing"

	"comus/cfront/build"
	"comus/cir"
)

// unitOf makes a unit of symbols.
func unitOf(file string, syms ...*build.Symbol) *build.Unit {
	return &build.Unit{File: file, Model: cir.Model{PointerBits: 64}, Symbols: syms}
}

// object is a global as a symbol; what it is, kind says: "declared", "tentative", "weak", "static" or "".
func object(name, kind string, size int64, line int) *build.Symbol {
	pos := cir.Pos{File: "f.c", Line: line, Col: 1}
	g := &cir.Global{Name: name, Source: name, Size: size, Align: 4, Pos: pos, External: kind == "declared"}
	return &build.Symbol{Name: name, Value: g, Defined: kind != "declared", Tentative: kind == "tentative", Weak: kind == "weak", Internal: kind == "static", Pos: pos}
}

// function is a function that calls or mentions values, as a symbol.
func function(name, kind string, line int, calls ...*build.Symbol) *build.Symbol {
	pos := cir.Pos{File: "f.c", Line: line, Col: 1}
	f := &cir.Func{Name: name, Source: name, Pos: pos}
	if kind != "declared" {
		b := &cir.Block{Term: &cir.Return{}}
		for _, c := range calls {
			switch v := c.Value.(type) {
			case *cir.Func:
				b.Instrs = append(b.Instrs, &cir.Call{Info: cir.Info{Site: &cir.Site{Pos: pos, Text: v.Name + "()"}}, Callee: v, Returns: true})
			default:
				b.Instrs = append(b.Instrs, &cir.Store{Addr: v, X: cir.IntOf(cir.I32, 1), Access: cir.Access{Type: cir.I32, Align: 4}})
			}
		}
		f.Blocks = []*cir.Block{b}
	}
	return &build.Symbol{Name: name, Value: f, Defined: kind != "declared", Weak: kind == "weak", Internal: kind == "static", Inline: kind == "inline", Pos: pos}
}

func names(p *cir.Program) string {
	var ns []string
	for _, g := range p.Globals {
		ns = append(ns, g.Name)
	}
	for _, f := range p.Funcs {
		ns = append(ns, f.Name)
	}
	slices.Sort(ns)
	return strings.Join(ns, " ")
}

func linked(t *testing.T, opts Options, units ...*build.Unit) *Result {
	t.Helper()
	r, err := Link(units, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Program.Check(); err != nil {
		t.Errorf("%v\n%s", err, r.Program)
	}
	return r
}

// Definitions of other units stand in for declarations; statics stay apart; what is not needed goes.
func TestNames(t *testing.T) {
	x1, x2 := object("x", "declared", 4, 1), object("x", "tentative", 4, 2)
	s1, s2 := object("s", "static", 4, 3), object("s", "static", 4, 4)
	f := function("f", "declared", 5)
	a := unitOf("a.c", x1, s1, f, function("main", "", 6, f, x1, s1), function("unused", "", 7, s1))
	b := unitOf("d/b.c", x2, object("x", "tentative", 8, 9), s2, function("f", "", 8, x2, s2), function("g", "weak", 10))
	r := linked(t, Options{}, a, b)
	if got, want := names(r.Program), "a.c:s b.c:s f main x"; got != want {
		t.Errorf("names %q, want %q", got, want)
	}
	for _, g := range r.Program.Globals {
		if g.Name == "x" && g.Size != 8 {
			t.Errorf("x is not the largest of the tentative definitions")
		}
	}
}

func TestPrecedence(t *testing.T) {
	lib := unitOf("lib.c", function("h", "", 1), function("w", "", 2), function("i", "", 3))
	lib.Library = true
	h, w, i, j := function("h", "declared", 4), function("w", "weak", 5), function("i", "inline", 6), function("j", "inline", 7)
	a := unitOf("a.c", h, w, i, j, function("main", "", 8, h, w, i, j))
	b := unitOf("b.c", function("w", "", 9))
	r := linked(t, Options{}, a, b, lib)
	for name, line := range map[string]int{"h": 1, "w": 9, "i": 3, "j": 7} {
		if f := r.Program.FuncNamed(name); f == nil || f.Pos.Line != line {
			t.Errorf("%s is not that of line %d: %v", name, line, f)
		}
	}
	if f := r.Program.FuncNamed("h"); !f.Library {
		t.Error("h is no library function")
	}
}

// Functions of the library call one another, and the program's only where glibc does.
func TestLibraryCalls(t *testing.T) {
	for name, line := range map[string]int{"strlen": 1, "free": 5} {
		inner := function(name, "", 1)
		lib := unitOf("lib.c", inner, function("outer", "", 2, inner))
		lib.Library = true
		mine, outer := function(name, "", 5), function("outer", "declared", 6)
		r := linked(t, Options{}, unitOf("a.c", mine, outer, function("main", "", 7, mine, outer)), lib)
		if name == "strlen" && r.Program.FuncNamed("lib.c:strlen") == nil {
			t.Error("the library's function has no name of its own")
		}
		for at, want := range map[string]int{"outer": line, "main": 5} {
			call := r.Program.FuncNamed(at).Blocks[0].Instrs[0].(*cir.Call)
			if f := call.Callee.(*cir.Func); f.Pos.Line != want {
				t.Errorf("%s calls %s of line %d, not %d", at, name, f.Pos.Line, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	main := func(line int) *build.Symbol { return function("main", "", line) }
	u, begin := function("u", "declared", 3), object("__start_foo", "declared", 4, 3)
	for _, c := range []struct {
		units []*build.Unit
		opts  Options
		want  string
	}{
		{[]*build.Unit{unitOf("a.c", main(1), function("f", "", 2)), unitOf("b.c", function("f", "", 3))}, Options{}, "f.c:3:1: 'f' is defined here, and at f.c:2:1"},
		{[]*build.Unit{unitOf("a.c", main(1)), unitOf("b.c", main(2))}, Options{}, "'main' is defined 2 times: f.c:1:1, f.c:2:1 (hint: --entry names the function that the program begins with)"},
		{[]*build.Unit{unitOf("a.c", main(1))}, Options{Entry: "start"}, "a.c: there is no function 'start' (hint: --entry names the function that the program begins with; comus scan --library takes the files for a library)"},
		{[]*build.Unit{unitOf("a.c", u, function("main", "", 4, u))}, Options{Refuse: true}, "f.c:3:1: function 'u' has no body, and comus does not know it"},
		{[]*build.Unit{unitOf("a.c", begin, function("main", "", 4, begin))}, Options{}, "f.c:3:1: '__start_foo' is where a section begins or ends, which the linker of the system knows, and comus does not"},
		{[]*build.Unit{unitOf("a.c", main(1), object("x", "declared", 4, 2)), unitOf("b.c", function("x", "", 3))}, Options{}, ""},
		{[]*build.Unit{unitOf("a.c", main(1)), {File: "b.c", Model: cir.Model{PointerBits: 32}}}, Options{}, "b.c: pointers have 32 bits, elsewhere 64"},
		{[]*build.Unit{unitOf("a.c", main(1), &build.Symbol{Name: "y", Alias: "z", Defined: true, Pos: cir.Pos{File: "f.c", Line: 9, Col: 1}}, function("k", "", 5))}, Options{}, ""},
	} {
		_, err := Link(c.units, c.opts)
		if got := errText(err); got != c.want {
			t.Errorf("error %q, want %q", got, c.want)
		}
	}
}

// A name that is an object in one unit and a function in another one is odd, but gcc and ld take it.
func TestKinds(t *testing.T) {
	r := linked(t, Options{}, unitOf("a.c", function("main", "", 1), object("x", "declared", 4, 2)), unitOf("b.c", function("x", "", 3)))
	if want := "f.c:2:1: warning: 'x' is an object here, and a function at f.c:3:1"; !slices.Equal(r.Program.Warnings, []string{want}) {
		t.Errorf("warnings %q", r.Program.Warnings)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Functions that nobody defines, with a contract, a meaning of their own, or neither.
func TestUnknown(t *testing.T) {
	u, c, e := function("u", "declared", 1), function("c", "declared", 2), function("reach_error", "declared", 3)
	r := linked(t, Options{Contract: func(n string) bool { return n == "c" }}, unitOf("a.c", u, c, e, function("main", "", 4, u, c, e)))
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "the unknown function 'u' accesses memory of the program only while it is called") {
		t.Errorf("notes %q", r.Notes)
	}
	text := r.Program.String()
	for _, want := range []string{"assumption", "assert"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := names(r.Program); got != ".linked c main u u.outside" {
		t.Errorf("names %q", got)
	}
}

func TestAliasAndUndefined(t *testing.T) {
	f := function("real", "static", 1)
	g := function("other", "declared", 2)
	a := unitOf("a.c", f, &build.Symbol{Name: "other", Alias: "real", Defined: true})
	b := unitOf("b.c", g, function("puts", "declared", 3), function("__VERIFIER_nondet_int", "declared", 4), function("main", "", 5, g))
	if got := Undefined([]*build.Unit{a, b}, Options{}); !slices.Equal(got, []string{"puts"}) {
		t.Errorf("undefined: %q", got)
	}
	r := linked(t, Options{}, a, b)
	if got, want := names(r.Program), "a.c:real main"; got != want {
		t.Errorf("names %q, want %q", got, want)
	}
}

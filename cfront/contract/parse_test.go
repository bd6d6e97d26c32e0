package contract

import (
	"errors"
	"strings"
	"testing"
)

const declarations0 = "state stdio streams\nhandle FILE stdio\ntype int 4 4 int\n"

// TestMistakes: each mistake is named with its line and column.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"f(a b) = void", `1:5: want "," or ")", not "b"`},
		{"f(a, a) = void", `1:6: a second parameter a`},
		{"f(a: ) = void", `1:6: want what happens through the parameter, not ")"`},
		{"f(a: x) = void", `1:6: neither a trait nor a handle: x`},
		{"f(a: r) = void", `1:7: want "[", not ")"`},
		{"f(a: r[b]) = void", `1:8: neither a parameter nor a type: b`},
		{"f(a: r[4*]) = void", `1:10: want a size, not "]"`},
		{"f(a: r[z(b)]) = void", `1:10: no parameter b`},
		{"f(a: r[4)) = void", `1:9: want "]", not ")"`},
		{"f(a: r[4 ) = void", `1:10: want "]", not ")"`},
		{"f(a: r[4]=null) = void", `1:10: an access that does not write stores nothing`},
		{"f(a: keep x) = void", `1:11: no state x`},
		{"f(a: keep stdio(free)) = void", `1:17: want r, w or rw, not "free"`},
		{"f(a: calls soon) = void", `1:12: want now, later, signal or thread, not "soon"`},
		{"f(a: calls now(null null)) = void", `1:21: want ",", not "null"`},
		{"f(a", `1:4: want "," or ")", the line ends`},
		{"f(..., a) = void", `1:6: want ")", not ","`},
		{"f() void", `1:5: want "=", not "void"`},
		{"f() = ", `1:7: want a value, the line ends`},
		{"f() = nothing", `1:7: not a value: nothing`},
		{"f() = is a", `1:10: no parameter a`},
		{"f() = static x", `1:14: no state x`},
		{"f() = error(12)", `1:13: want an error number, not "12"`},
		{"f() = ..", `1:7: a range without ends`},
		{"f() = 99999999999999999999", `1:7: bad number 99999999999999999999`},
		{"f() = null |", `1:13: want a value, the line ends`},
		{"f() = null errno errno", `1:18: errno again`},
		{"f() = null quick", `1:12: not a fact: quick`},
		{"f() = null reads", `1:17: want ":", the line ends`},
		{"f() = null reads:x", `1:18: no state x`},
		{"f() = null unsafe", `1:18: unsafe, but it touches no state`},
		{"f() = null pure blocks", `1:23: pure, but it has effects`},
		{"f(a: w[4]) = null pure", `1:23: pure, but it has effects through "a"`},
		{"f(a: r[4]) = null const", `1:24: const, but it reads through "a"`},
		{"f() = null const reads:stdio", `1:29: const, but it reads state`},
		{"f() = null ; x", `1:12: unexpected character ';'`},
		{"f() = 1....2", `1:8: bad number of dots`},
		{"(a) = null", `1:1: want the name of a function, not "("`},
		{"\nf() = null\n\nf() = null", `4:1: f again, first in t.txt:2`},
		{"  alias g f", `1:11: no contract for f`},
		{"alias g", `1:1: want: alias NEW OLD`},
		{"header", `1:1: want: header NAME`},
		{"errors f EINVAL", `1:8: no contract for f`},
		{"f() = null\nerrors f EINVAL again", `2:17: again is no error number`},
		{"type x 4 four int", `1:10: bad size four`},
		{"type x 4", `1:1: want: type NAME LP64 ILP32 SPELLING`},
		{"handle H none", `1:1: no state none`},
		{"variable v none", `1:1: no state none`},
		{"state s a\nstate s b", `2:7: state s again, first in t.txt:1`},
	} {
		base, err := Parse(nil, File{"declarations.txt", declarations0})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(base, File{"t.txt", c.text})
		var f *Fault
		switch {
		case err == nil:
			t.Errorf("%q: no error, want %s", c.text, c.want)
		case !errors.As(err, &f):
			t.Errorf("%q: %v is no *Fault", c.text, err)
		case err.Error() != "t.txt:"+c.want:
			t.Errorf("%q:\n got %s\nwant t.txt:%s", c.text, err, c.want)
		}
	}
}

// TestContract reads one line with most of what a line may have.
func TestContract(t *testing.T) {
	table, err := Parse(nil, File{"t.txt", declarations0 + `
header h.h
f(a?: r[z,n] w[n*int]=null|into b free, b: keep stdio(rw[all]) async, n: 0..10, g: calls later(is a, any), F: FILE, ...) = -1 | 0..n | error(EINVAL EPERM) errno blocks  # comment
alias f64 f
errors f EIO`})
	if err != nil {
		t.Fatal(err)
	}
	f, ok := table.Lookup("f")
	if !ok || f.Header != "h.h" || !f.Errno || !f.Blocks || f.Purity != Impure || f.Variadic == nil {
		t.Fatalf("%+v", f)
	}
	a, b, g := f.Params[0], f.Params[1], f.Params[3]
	if !a.Nullable || !a.Frees || !a.Reads() || !a.Writes() || len(a.Accesses) != 2 ||
		len(a.Accesses[0].Extent) != 2 || a.Accesses[0].Extent[0].Kind != String ||
		len(a.Accesses[1].Stores) != 2 || a.Accesses[1].Stores[1].Param != 1 {
		t.Errorf("a: %+v", a)
	}
	if len(b.Retains) != 1 || !b.Retains[0].Async || b.Retains[0].State != "stdio" || !b.Retains[0].Accesses[0].Writes {
		t.Errorf("b: %+v", b)
	}
	if len(g.Calls) != 1 || g.Calls[0].When != Later || len(g.Calls[0].Args) != 2 || g.Calls[0].Args[1][0].Kind != Any {
		t.Errorf("g: %+v", g)
	}
	if f.Params[4].Handle != "FILE" || !f.Touches("stdio") || f.Params[2].Domain == nil {
		t.Errorf("others: %+v", f)
	}
	if len(f.Results) != 3 || strings.Join(f.Results[2].Codes, " ") != "EINVAL EPERM" || strings.Join(f.Errors, " ") != "EIO" {
		t.Errorf("results: %+v %v", f.Results, f.Errors)
	}
	known := Arguments{Value: func(int) (uint64, bool) { return 5, true }}
	if n, ok := table.AtMost(a.Accesses[1].Extent, known); !ok || n != 20 {
		t.Errorf("at most %d %v", n, ok)
	}
	if _, ok := table.AtMost(a.Accesses[1].Extent, Arguments{}); ok {
		t.Error("an unknown argument is known")
	}
	huge := Arguments{Value: func(int) (uint64, bool) { return 1 << 63, true }}
	if n, ok := table.AtMost(a.Accesses[1].Extent, huge); ok {
		t.Errorf("%d has not overflown", n)
	}
	if g, ok := table.Lookup("f64"); !ok || g.Name != "f64" || len(g.Params) != len(f.Params) {
		t.Error("alias")
	}
}

// TestOverride: a user's table comes before ours, and ours stays as it was.
func TestOverride(t *testing.T) {
	mine, err := Parse(Default(), File{"mine.txt", "strlen(s: r[all]) = any  pure\nmy_log(fmt: printf, ...) = void  writes:stdio"})
	if err != nil {
		t.Fatal(err)
	}
	if f, _ := mine.Lookup("strlen"); f.At.File != "mine.txt" {
		t.Error("not replaced")
	}
	if f, _ := Lookup("strlen"); f.At.File != "stdlib.txt" {
		t.Error("the default has changed")
	}
	if _, ok := mine.Lookup("my_log"); !ok {
		t.Error("not added")
	}
	if len(mine.All()) != len(All())+1 {
		t.Error("number of contracts")
	}
}

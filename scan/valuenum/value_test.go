package valuenum

import (
	"math/rand/v2"
	"testing"

	"comus/cir"
)

// TestArithmetic adds and multiplies random values, rewrites them, and compares with numbers.
func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table := NewTable()
	var syms []*Sym
	number := map[*Sym]int64{nil: 0}
	for i := range 3 {
		s := table.Sym(Sym{Kind: Reg, N: int64(i)})
		syms = append(syms, s)
		number[s] = r.Int64()
	}
	loaded := func(s *Sym, at Value) *Sym { return table.Sym(Sym{Kind: Load, At: at, What: cir.I32, N: s.N}) }
	constant := func() int64 {
		n := r.Int64N(4) - 1
		if r.IntN(4) == 0 {
			n = r.Int64N(2*maxOff+1) - maxOff
		}
		return n
	}
	value := func() Value {
		v := Value{Off: constant()}
		if r.IntN(3) > 0 {
			v.Base = syms[r.IntN(len(syms))]
		}
		if r.IntN(2) > 0 {
			v.Index, v.Scale = syms[r.IntN(len(syms))], constant()
		}
		v, _ = v.normal()
		return v
	}
	of := func(v Value) int64 { return number[v.Base] + number[v.Index]*v.Scale + v.Off }
	told := 0
	check := func(what string, v Value, ok bool, want int64) {
		if !ok {
			return
		}
		told++
		if of(v) != want {
			t.Errorf("%s: %v", what, v)
		}
		if again, fits := v.normal(); !fits || again != v || max(v.Off, -v.Off, v.Scale, -v.Scale) > maxOff {
			t.Errorf("%s: %v is none of the values that there are", what, v)
		}
	}
	for range 20000 {
		v, w, n := value(), value(), constant()
		sum, ok := add(v, w)
		check("sum", sum, ok, of(v)+of(w))
		product, ok := v.times(n)
		check("product", product, ok, of(v)*n)
		for s, x := range map[*Sym]Value{syms[0]: w, syms[1]: value()} {
			is := func(y *Sym) (Value, bool) { return x, y == s }
			out, ok := table.Rewrite(v, is)
			want := v.Off
			for _, part := range []struct {
				s *Sym
				n int64
			}{{v.Base, 1}, {v.Index, v.Scale}} {
				if part.s == s {
					want += of(x) * part.n
				} else if part.s != nil && ok {
					t.Errorf("%v is rewritten where %v has no meaning", v, part.s)
				}
			}
			check("rewritten", out, ok, want)
		}
		check("moved", v.Plus(1), v.Off < maxOff, of(v)+1)
		if c, ok := v.Const(); ok && c != of(v) {
			t.Errorf("%v is no constant", v)
		}
		if d, ok := v.Minus(w); ok && d != of(v)-of(w) {
			t.Errorf("%v and %v are %d apart", v, w, d)
		}
	}
	if at := loaded(syms[0], Value{Base: syms[0]}); at == loaded(syms[0], Value{Base: syms[1]}) || at.Closed() {
		t.Errorf("%v is told apart by nothing, or the same everywhere", at)
	}
	t.Log(told, "values")
}

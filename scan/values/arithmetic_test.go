package values

import (
	"math/rand/v2"
	"testing"

	"comus/cir"
)

// narrowTypes are small enough to try all numbers.
var narrowTypes = []cir.Type{{Kind: cir.IntKind, Bits: 5, Signed: true}, {Kind: cir.IntKind, Bits: 5}, cir.Bool, {Kind: cir.IntKind, Bits: 3, Signed: true}}

// random returns a set of numbers of a type.
func random(r *rand.Rand, t cir.Type) Value {
	lo, hi := limits(t)
	pick := func() number { return lo.add(unsigned(r.Uint64N(hi.sub(lo).lo + 1))) }
	switch r.IntN(8) {
	case 0:
		return all(t)
	case 1:
		return top.of(t)
	case 2, 3, 4:
		var list []number
		for range 1 + r.IntN(4) {
			list = append(list, pick())
		}
		return listed(list)
	}
	a, b := pick(), pick()
	return span(least(a, b), most(a, b), 1+r.Uint64N(5))
}

// each calls f with all numbers of a type that are in a set.
func each(t cir.Type, v Value, f func(number)) {
	lo, hi := limits(t)
	for n := lo; n.cmp(hi) <= 0; n = n.add(numberOf(1)) {
		if v.has(n) {
			f(n)
		}
	}
}

// TestArithmetic tries all numbers of small types: what an operation gives for members of sets is in what it gives for the sets.
func TestArithmetic(t *testing.T) {
	ops := []cir.Op{cir.Add, cir.Sub, cir.Mul, cir.Div, cir.Rem, cir.And, cir.Or, cir.Xor, cir.Shl, cir.Shr}
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ, to := narrowTypes[r.IntN(len(narrowTypes))], narrowTypes[r.IntN(len(narrowTypes))]
		x, y, wrap := random(r, typ), random(r, typ), r.IntN(2) == 0
		op, p, un := ops[r.IntN(len(ops))], cir.Pred(r.IntN(6)), []cir.Op{cir.Neg, cir.Not}[r.IntN(2)]
		z, c, u := binary(op, typ, x, y, wrap), compare(p, x, y), unary(un, typ, x, wrap)
		k, j, m := convert(x, typ, to), x.join(y), x.meet(y)
		w, nx := x.widen(x.join(y), bounds()), such(p, x, y)
		each(typ, x, func(a number) {
			check := func(what string, ok bool) {
				if !ok {
					t.Fatalf("seed %d: %s: %s of %v in %s and %v", seed, typ, what, a, x, y)
				}
			}
			check("join", j.has(a) && w.has(a))
			conv := a.wrapped(to)
			if to == cir.Bool && a != (number{}) {
				conv = numberOf(1)
			}
			check("convert", k.has(conv))
			if n := (map[cir.Op]number{cir.Neg: a.neg(), cir.Not: a.neg().sub(numberOf(1))})[un]; wrap || !typ.Signed || un == cir.Not || n == n.wrapped(typ) {
				check(un.String(), u.has(n.wrapped(typ)))
			}
			check("without", x.without(numberOf(2)).has(a) || a == numberOf(2))
			check("from", x.from(numberOf(3)).has(a) || a.cmp(numberOf(3)) < 0)
			check("up to", x.upTo(numberOf(3)).has(a) || a.cmp(numberOf(3)) > 0)
			each(typ, y, func(b number) {
				if n, ok := reference(op, typ, a, b, wrap || !typ.Signed); ok {
					check(op.String()+" "+b.String()+" in "+z.String(), z.has(n))
				}
				holds := zero
				if relation(p, a, b) {
					holds = one
					check("such "+p.String(), nx.has(a))
				}
				check("compare", holds.within(c))
				check("meet", a != b || m.has(a))
			})
		})
	}
}

// reference computes with int64.
func reference(op cir.Op, t cir.Type, x, y number, wrap bool) (number, bool) {
	a, b := int64(x.lo), int64(y.lo)
	var n int64
	switch op {
	case cir.Add:
		n = a + b
	case cir.Sub:
		n = a - b
	case cir.Mul:
		n = a * b
	case cir.Div, cir.Rem:
		if b == 0 {
			return x, false
		}
		if n = a / b; op == cir.Rem {
			n = a % b
		}
	case cir.And:
		n = a & b
	case cir.Or:
		n = a | b
	case cir.Xor:
		n = a ^ b
	default:
		if b < 0 || b >= int64(t.Bits) {
			return x, false
		}
		if n = a >> b; op == cir.Shl {
			n, wrap = a<<b, true
		}
	}
	w := numberOf(n).wrapped(t)
	return w, wrap || w == numberOf(n)
}

func relation(p cir.Pred, a, b number) bool {
	c := a.cmp(b)
	return [...]bool{cir.Eq: c == 0, cir.Ne: c != 0, cir.Lt: c < 0, cir.Le: c <= 0, cir.Gt: c > 0, cir.Ge: c >= 0}[p]
}

// TestWide has numbers at the limits of wide types.
func TestWide(t *testing.T) {
	u, i := all(cir.U64), all(cir.I64)
	for _, c := range []struct{ name, got, want string }{
		{"unsigned to signed", convert(u, cir.U64, cir.I64).String(), "[-9223372036854775808, 9223372036854775807]"},
		{"product", binary(cir.Mul, cir.U64, u, u, false).String(), "[0, 18446744073709551615]"},
		{"product of the largest", binary(cir.Mul, cir.U64, u.from(unsigned(1<<63)), u.from(unsigned(1<<63)), false).String(), "[0, 18446744073709551615]"},
		{"twice", binary(cir.Mul, cir.U64, u, single(numberOf(2)), false).String(), "[0, 18446744073709551614] in steps of 2"},
		{"least", unary(cir.Neg, cir.I64, single(i.lo), true).String(), "{-9223372036854775808}"},
		{"least, undefined", unary(cir.Neg, cir.I64, single(i.lo), false).String(), "none"},
		{"minus one", convert(single(numberOf(-1)), cir.I32, cir.U64).String(), "{18446744073709551615}"},
		{"shift", binary(cir.Shl, cir.U64, u, single(numberOf(63)), false).String(), "[0, 18446744073709551615]"},
		{"steps", span(numberOf(4), numberOf(103), 8).String(), "[4, 100] in steps of 8"},
		{"steps widened", span(numberOf(4), numberOf(20), 8).widen(span(numberOf(-4), numberOf(60), 8), bounds()).String(), "[-124, 124] in steps of 8"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s instead of %s", c.name, c.got, c.want)
		}
	}
}

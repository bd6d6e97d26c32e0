package valuecheck

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"comus/cir"
)

// tried are types of all kinds, small ones above all, of which all numbers are tried.
var tried = []cir.Type{{Kind: cir.IntKind, Bits: 5, Signed: true}, {Kind: cir.IntKind, Bits: 5}, {Kind: cir.IntKind, Bits: 3, Signed: true}, cir.Bool, {Kind: cir.IntKind, Bits: 8, Signed: true},
	{Kind: cir.IntKind, Bits: 8}, cir.I32, cir.U32, cir.I64, cir.U64}

func bigOf(n num) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(n.hi), 64)
	return x.Add(x, new(big.Int).SetUint64(n.lo))
}

func numOfBig(x *big.Int) num {
	lo := new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0))).Uint64()
	return num{new(big.Int).Rsh(x, 64).Int64(), lo}
}

// inType returns the number of a type with the same last bits, computed in another way than [num.cut].
func inType(x *big.Int, t cir.Type) *big.Int {
	all := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	y := new(big.Int).Mod(x, all)
	if t.Signed && y.Bit(t.Bits-1) == 1 {
		y.Sub(y, all)
	}
	return y
}

// numberIn returns a number of a type, often one that is near to its limits or to 0.
func numberIn(r *rand.Rand, t cir.Type) num {
	lo, hi := ends(t)
	n := small(int64(r.IntN(9)) - 4)
	switch r.IntN(5) {
	case 0:
		n = lo.plus(small(int64(r.IntN(9))))
	case 1:
		n = hi.minus(small(int64(r.IntN(9))))
	case 2:
		n = small(int64(r.IntN(80)) - 40)
	case 3:
		n = num{0, r.Uint64()}
	}
	return numOfBig(inType(bigOf(n), t))
}

// setIn returns a set of numbers of a type, and some of its members: all, if they are few.
func setIn(r *rand.Rand, t cir.Type) (s set, members []num) {
	switch r.IntN(8) {
	case 0:
		if r.IntN(2) == 0 { // of which only some are numbers of the type
			for range 8 {
				members = append(members, numberIn(r, t))
			}
			return anything, members
		}
		s = full(t)
	case 1, 2, 3:
		var list []num
		for range 1 + r.IntN(6) {
			list = append(list, numberIn(r, t))
		}
		s = these(list)
	case 4, 5:
		s = just(numOfBig(inType(big.NewInt(int64(r.IntN(12)-2)), t)))
	default:
		a, b := numberIn(r, t), numberIn(r, t)
		step := 1 + uint64(r.IntN(6))
		if wide := greater(a, b).minus(smaller(a, b)).lo / 17; r.IntN(4) == 0 && wide > 0 {
			step = 1 + r.Uint64N(wide)
		}
		s = between(smaller(a, b), greater(a, b), step)
	}
	if !s.long {
		return s, s.list
	}
	if few := s.hi.minus(s.lo); few.hi == 0 && few.lo < 32 {
		for n := s.lo; !s.hi.less(n); n = n.plus(large(s.step)) {
			members = append(members, n)
		}
		return s, members
	}
	members = []num{s.lo, s.hi}
	for range 8 {
		most := s.hi.minus(s.lo).lo / s.step
		k := min(r.Uint64(), most)
		if most > 0 && most < 1<<63 {
			k = r.Uint64N(most + 1)
		}
		if r.IntN(2) == 0 {
			k = min(k, uint64(r.IntN(40)))
		}
		n := bigOf(s.lo)
		members = append(members, numOfBig(n.Add(n, new(big.Int).Mul(new(big.Int).SetUint64(k), new(big.Int).SetUint64(s.step)))))
		if x := small(int64(r.IntN(5)) - 2); s.has(x) {
			members = append(members, x)
		}
	}
	return s, members
}

// TestArithmetic tries numbers: what an operation gives for members of sets is in what the checker says that it gives for the sets.
func TestArithmetic(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ, to := tried[r.IntN(len(tried))], tried[r.IntN(len(tried))]
		x, xs := setIn(r, typ)
		y, ys := setIn(r, typ)
		tryPairs(t, r, typ, x, y, xs, ys)
		wraps := r.IntN(2) == 0
		un := []cir.Op{cir.Neg, cir.Not}[r.IntN(2)]
		u, c, same := unary(un, typ, x, wraps), converted(x, typ, to), sameBits(x, typ, to)
		k := large(1 + uint64(r.IntN(7)))
		multiples := multiplesOf(k, x)
		for _, a := range xs {
			check := func(what string, ok bool) {
				if !ok {
					t.Fatalf("seed %d: %s of %s: %s in %s", seed, what, typ, a, x)
				}
			}
			n := new(big.Int).Neg(bigOf(a))
			if un == cir.Not {
				n.Sub(n, big.NewInt(1))
			}
			if w := inType(n, typ); wraps || !typ.Signed || un == cir.Not || w.Cmp(n) == 0 {
				check(un.String(), u.has(numOfBig(w)))
			}
			w := inType(bigOf(a), to)
			check("same bits", to.Bits != typ.Bits || same.has(numOfBig(w)))
			if to == cir.Bool && typ.Bits == 8 && a != (num{}) && a != small(1) { // a byte that is no truth value
				check("same bits", same.has(num{}) && same.has(small(1)))
			}
			if to == cir.Bool {
				w.SetInt64(int64(bigOf(a).CmpAbs(new(big.Int))))
			}
			check("converted to "+to.String(), c.has(numOfBig(w)))
			check("multiples of "+k.String(), multiples.has(a) || new(big.Int).Rem(bigOf(a), bigOf(k)).Sign() != 0)
			text, err := read(x.String())
			check("read", err == nil && text.has(a))
		}
	}
}

// tryPairs tries what is computed of two numbers.
func tryPairs(t *testing.T, r *rand.Rand, typ cir.Type, x, y set, xs, ys []num) {
	ops := []cir.Op{cir.Add, cir.Sub, cir.Mul, cir.Div, cir.Rem, cir.And, cir.Or, cir.Xor, cir.Shl, cir.Shr}
	p, wraps := cir.Pred(r.IntN(6)), r.IntN(2) == 0
	c, nx := compared(p, x, y), thatCompare(p, x, y)
	var results []set
	for _, op := range ops {
		results = append(results, binary(op, typ, x, y, wraps))
	}
	either, both, inside, exactly := x.or(y), x.and(y), x.within(y), [3]set{sum(x, y), product(x, y), negative(x)}
	for _, a := range xs {
		for _, b := range ys {
			check := func(what string, ok bool) {
				if !ok {
					t.Fatalf("%s of %s: %s in %s and %s in %s, wraps %v", what, typ, a, x, b, y, wraps)
				}
			}
			m, n := bigOf(a), bigOf(b)
			for i, op := range ops {
				if w, ok := reference(op, typ, m, n, wraps); ok && !results[i].has(numOfBig(w)) {
					check(op.String()+" in "+results[i].String(), false)
				}
			}
			s := m.Cmp(n)
			holds := map[cir.Pred]bool{cir.Eq: s == 0, cir.Ne: s != 0, cir.Lt: s < 0, cir.Le: s <= 0, cir.Gt: s > 0, cir.Ge: s >= 0}[p]
			check("compared "+p.String(), c.has(map[bool]num{true: small(1)}[holds]))
			check("that compare "+p.String(), !holds || nx.has(a))
			check("or", either.has(a) && either.has(b))
			check("and", s != 0 || both.has(a))
			check("within", !inside || y.has(a))
			check("but", x.but(b).has(a) || s == 0)
			check("from", x.from(b).has(a) || s < 0)
			check("to", x.to(b).has(a) || s > 0)
			check("sum", exactly[0].has(numOfBig(new(big.Int).Add(m, n))))
			if q := new(big.Int).Mul(m, n); q.BitLen() < 120 {
				check("product", exactly[1].has(numOfBig(q)))
			}
			check("negative", exactly[2].has(numOfBig(new(big.Int).Neg(m))))
		}
	}
}

// reference is the result of an operation on numbers of a type; ok is false where C gives it no meaning.
func reference(op cir.Op, t cir.Type, x, y *big.Int, wraps bool) (z *big.Int, ok bool) {
	n := new(big.Int)
	wraps = wraps || !t.Signed
	switch op {
	case cir.Add:
		n.Add(x, y)
	case cir.Sub:
		n.Sub(x, y)
	case cir.Mul:
		n.Mul(x, y)
	case cir.Div, cir.Rem:
		if y.Sign() == 0 {
			return nil, false
		}
		if op == cir.Div {
			n.Quo(x, y)
		} else {
			n.Rem(x, y)
		}
	case cir.And:
		n.And(x, y)
	case cir.Or:
		n.Or(x, y)
	case cir.Xor:
		n.Xor(x, y)
	default:
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return nil, false
		}
		if op == cir.Shr {
			n.Rsh(x, uint(y.Int64()))
		} else {
			n.Lsh(x, uint(y.Int64()))
			wraps = true
		}
	}
	w := inType(n, t)
	return w, wraps || w.Cmp(n) == 0
}

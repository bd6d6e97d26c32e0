package logic

import (
	"math/big"
	"slices"
)

// linear is c₀ + Σ cᵢ·tᵢ with the tᵢ not sums, not constants, in order of ID
// and distinct, and the cᵢ not zero.
type linear struct {
	konst Value
	terms []*Term
	coefs []Value
}

// linearise takes t apart.
func linearise(t *Term) linear {
	var l linear
	l.add(IntValue(1), t)
	l.normalise()
	return l
}

func (l *linear) add(c Value, t *Term) {
	switch t.op {
	case OpInt:
		l.konst = l.konst.Add(c.Mul(t.val))
	case OpAdd:
		for _, a := range t.args {
			l.add(c, a)
		}
	case OpMul:
		if k, ok := t.args[0].Const(); ok && len(t.args) == 2 {
			l.add(c.Mul(k), t.args[1])
			return
		}
		l.terms, l.coefs = append(l.terms, t), append(l.coefs, c)
	default:
		l.terms, l.coefs = append(l.terms, t), append(l.coefs, c)
	}
}

func (l *linear) normalise() {
	idx := make([]int, len(l.terms))
	for i := range idx {
		idx[i] = i
	}
	slices.SortFunc(idx, func(a, b int) int { return int(l.terms[a].id) - int(l.terms[b].id) })
	var terms []*Term
	var coefs []Value
	for _, i := range idx {
		if n := len(terms); n > 0 && terms[n-1] == l.terms[i] {
			coefs[n-1] = coefs[n-1].Add(l.coefs[i])
			continue
		}
		terms, coefs = append(terms, l.terms[i]), append(coefs, l.coefs[i])
	}
	l.terms, l.coefs = l.terms[:0], nil
	for i, c := range coefs {
		if c.Sign() != 0 {
			l.terms, l.coefs = append(l.terms, terms[i]), append(l.coefs, c)
		}
	}
}

// term builds the sum, the constant last.
func (s *Store) fromLinear(l linear) *Term {
	args := make([]*Term, 0, len(l.terms)+1)
	for i, t := range l.terms {
		if l.coefs[i] == IntValue(1) {
			args = append(args, t)
		} else {
			args = append(args, s.intern(OpMul, Int, "", Value{}, []*Term{s.Value(l.coefs[i]), t}))
		}
	}
	if l.konst.Sign() != 0 || len(args) == 0 {
		args = append(args, s.Value(l.konst))
	}
	if len(args) == 1 {
		return args[0]
	}
	return s.intern(OpAdd, Int, "", Value{}, args)
}

// Add returns the sum; 0 for no operand.
func (s *Store) Add(ts ...*Term) *Term {
	var l linear
	for _, t := range ts {
		l.add(IntValue(1), t)
	}
	l.normalise()
	return s.fromLinear(l)
}

// Sub returns a - b.
func (s *Store) Sub(a, b *Term) *Term {
	var l linear
	l.add(IntValue(1), a)
	l.add(IntValue(-1), b)
	l.normalise()
	return s.fromLinear(l)
}

// Neg returns -a.
func (s *Store) Neg(a *Term) *Term { return s.Sub(s.Int(0), a) }

// Mul returns a · b.
func (s *Store) Mul(a, b *Term) *Term {
	if _, ok := a.Const(); !ok {
		a, b = b, a
	}
	if k, ok := a.Const(); ok {
		var l linear
		l.add(k, b)
		l.normalise()
		return s.fromLinear(l)
	}
	args := append(factors(a), factors(b)...)
	slices.SortFunc(args, func(x, y *Term) int {
		xc, yc := x.op == OpInt, y.op == OpInt
		if xc != yc {
			if xc {
				return -1
			}
			return 1
		}
		return int(x.id) - int(y.id)
	})
	k := IntValue(1)
	for len(args) > 0 && args[0].op == OpInt {
		k, args = k.Mul(args[0].val), args[1:]
	}
	p := s.intern(OpMul, Int, "", Value{}, args)
	if k == IntValue(1) {
		return p
	}
	return s.intern(OpMul, Int, "", Value{}, []*Term{s.Value(k), p})
}

func factors(t *Term) []*Term {
	if t.op != OpMul {
		return []*Term{t}
	}
	var out []*Term
	for _, a := range t.args {
		out = append(out, factors(a)...)
	}
	return out
}

// Div returns SMT-LIB's a div b (Euclidean); 0 when b is 0. It is not C's
// division: see TruncDiv.
func (s *Store) Div(a, b *Term) *Term {
	bv, bc := b.Const()
	if bc && bv.Sign() == 0 {
		return s.Int(0)
	}
	if bc && bv == IntValue(1) {
		return a
	}
	if av, ok := a.Const(); ok && bc {
		q, _ := av.DivMod(bv)
		return s.Value(q)
	}
	if k, t, ok := multiple(a); ok && bc && bv.Sign() > 0 {
		if q, r := k.DivMod(bv); r.Sign() == 0 {
			return s.Mul(s.Value(q), t)
		}
		if k.Sign() > 0 {
			if q, r := bv.DivMod(k); r.Sign() == 0 { // k·t div k·q = t div q
				return s.Div(t, s.Value(q))
			}
		}
	}
	return s.intern(OpDiv, Int, "", Value{}, []*Term{a, b})
}

// multiple takes a product with a constant apart.
func multiple(a *Term) (k Value, t *Term, ok bool) {
	if a.op != OpMul || len(a.args) != 2 {
		return Value{}, nil, false
	}
	k, ok = a.args[0].Const()
	return k, a.args[1], ok
}

// Mod returns SMT-LIB's a mod b, never negative; 0 when b is 0. It is not C's
// remainder: see TruncMod.
func (s *Store) Mod(a, b *Term) *Term {
	bv, bc := b.Const()
	if bc && (bv.Sign() == 0 || bv == IntValue(1)) {
		return s.Int(0)
	}
	if av, ok := a.Const(); ok && bc {
		_, r := av.DivMod(bv)
		return s.Value(r)
	}
	if bc && a.op == OpMod && a.args[1] == b {
		return a
	}
	if k, t, ok := multiple(a); ok && bc && bv.Sign() > 0 {
		if _, r := k.DivMod(bv); r.Sign() == 0 {
			return s.Int(0)
		}
		if k.Sign() > 0 {
			if q, r := bv.DivMod(k); r.Sign() == 0 { // k·t mod k·q = k·(t mod q)
				return s.Mul(s.Value(k), s.Mod(t, s.Value(q)))
			}
		}
	}
	return s.intern(OpMod, Int, "", Value{}, []*Term{a, b})
}

// TruncDiv returns C's a / b, truncated toward zero; 0 when b is 0.
func (s *Store) TruncDiv(a, b *Term) *Term {
	nonneg := s.Div(a, b)
	neg := s.Neg(s.Div(s.Neg(a), b))
	return s.Ite(s.Ge(a, s.Int(0)), nonneg, neg)
}

// TruncMod returns C's a % b: the sign is a's; 0 when b is 0.
func (s *Store) TruncMod(a, b *Term) *Term {
	return s.Ite(s.Ge(a, s.Int(0)), s.Mod(a, b), s.Neg(s.Mod(s.Neg(a), b)))
}

// Bits returns a & b, a | b or a ^ b (op is OpBitAnd, OpBitOr or OpBitXor) on
// two's complement of unbounded width.
func (s *Store) Bits(op Op, a, b *Term) *Term {
	if a.id > b.id {
		a, b = b, a
	}
	if a == b {
		if op == OpBitXor {
			return s.Int(0)
		}
		return a
	}
	av, ac := a.Const()
	bv, bc := b.Const()
	if ac && bc {
		return s.Value(bitwise(op, av, bv))
	}
	if ac {
		a, b, bv, bc = b, a, av, true
	}
	if bc {
		switch {
		case op == OpBitAnd && bv.Sign() >= 0 && isPow2(bv.Add(IntValue(1))): // a & (2^k - 1)
			return s.Mod(a, s.Value(bv.Add(IntValue(1))))
		case bv.Sign() == 0: // a|0, a^0
			return a
		case bv == IntValue(-1) && op == OpBitAnd:
			return a
		case bv == IntValue(-1) && op == OpBitOr:
			return b
		case bv == IntValue(-1) && op == OpBitXor: // ~a
			return s.Sub(s.Int(-1), a)
		}
	}
	return s.intern(op, Int, "", Value{}, []*Term{a, b})
}

func isPow2(v Value) bool {
	b := v.Big()
	return b.Sign() > 0 && b.TrailingZeroBits() == uint(b.BitLen()-1)
}

func pow2(k int64) Value { return BigValue(new(big.Int).Lsh(big.NewInt(1), uint(k))) }

// Shift returns a·2^b (OpShl) or ⌊a / 2^b⌋ (OpShr); 0 for b outside 0…128.
func (s *Store) Shift(op Op, a, b *Term) *Term {
	if d, ok := b.Const(); ok {
		k, small := d.Int64()
		if !small || k < 0 || k > maxShift {
			return s.Int(0)
		}
		if op == OpShl {
			return s.Mul(s.Value(pow2(k)), a)
		}
		return s.Div(a, s.Value(pow2(k)))
	}
	return s.intern(op, Int, "", Value{}, []*Term{a, b})
}

// Le returns a ≤ b, normalised to Σ cᵢ·tᵢ ≤ k with coprime cᵢ.
func (s *Store) Le(a, b *Term) *Term {
	l := linearise(s.Sub(a, b))
	if len(l.terms) == 0 {
		return s.Bool(l.konst.Sign() <= 0)
	}
	if t := s.liftIte(l, s.Le); t != nil {
		return t
	}
	g := gcd(l.coefs)
	if g.Cmp(IntValue(1)) > 0 {
		for i, c := range l.coefs {
			l.coefs[i], _ = c.DivMod(g)
		}
		q, _ := l.konst.Neg().DivMod(g) // Σ ≤ ⌊-k/g⌋
		l.konst = q.Neg()
	}
	k := l.konst.Neg()
	l.konst = Value{}
	return s.intern(OpLe, Bool, "", Value{}, []*Term{s.fromLinear(l), s.Value(k)})
}

// Lt returns a < b.
func (s *Store) Lt(a, b *Term) *Term { return s.Le(s.Add(a, s.Int(1)), b) }

// Ge returns a ≥ b.
func (s *Store) Ge(a, b *Term) *Term { return s.Le(b, a) }

// Gt returns a > b.
func (s *Store) Gt(a, b *Term) *Term { return s.Lt(b, a) }

// Ne returns a ≠ b.
func (s *Store) Ne(a, b *Term) *Term { return s.Not(s.Eq(a, b)) }

// Eq returns a = b. On Int it is normalised to Σ cᵢ·tᵢ = k with coprime cᵢ, the
// first positive.
func (s *Store) Eq(a, b *Term) *Term {
	if a == b {
		return s.t
	}
	if a.sort == Bool {
		return s.eqBool(a, b)
	}
	l := linearise(s.Sub(a, b))
	if len(l.terms) == 0 {
		return s.Bool(l.konst.Sign() == 0)
	}
	if t := s.liftIte(l, s.Eq); t != nil {
		return t
	}
	g := gcd(l.coefs)
	if l.coefs[0].Sign() < 0 {
		g = g.Neg()
	}
	if _, r := l.konst.DivMod(g); r.Sign() != 0 {
		return s.f
	}
	for i, c := range l.coefs {
		l.coefs[i], _ = c.DivMod(g)
	}
	q, _ := l.konst.DivMod(g)
	l.konst = Value{}
	return s.intern(OpEq, Bool, "", Value{}, []*Term{s.fromLinear(l), s.Value(q.Neg())})
}

func (s *Store) eqBool(a, b *Term) *Term {
	if a.id > b.id {
		a, b = b, a
	}
	switch {
	case a.op == OpTrue:
		return b
	case a.op == OpFalse:
		return s.Not(b)
	case b.op == OpTrue:
		return a
	case b.op == OpFalse:
		return s.Not(a)
	case s.Not(a) == b:
		return s.f
	}
	return s.intern(OpEq, Bool, "", Value{}, []*Term{a, b})
}

// liftIte turns a comparison with 0 of a multiple of an ite whose branches are
// constants, plus a constant, into a formula over the condition: the C idiom
// (x < y) != 0 becomes x < y. It returns nil when that shape is not there.
func (s *Store) liftIte(l linear, cmp func(a, b *Term) *Term) *Term {
	if len(l.terms) != 1 || !constIte(l.terms[0]) {
		return nil
	}
	c, ite, zero := s.Value(l.coefs[0]), l.terms[0], s.Int(0)
	side := func(branch *Term) *Term { return cmp(s.Add(s.Mul(c, branch), s.Value(l.konst)), zero) }
	return s.Ite(ite.args[0], side(ite.args[1]), side(ite.args[2]))
}

func constIte(t *Term) bool {
	if t.op != OpIte {
		return false
	}
	for _, a := range t.args[1:] {
		if a.op != OpInt && !constIte(a) {
			return false
		}
	}
	return true
}

func gcd(vs []Value) Value {
	g := new(big.Int)
	for _, v := range vs {
		if v == IntValue(1) || v == IntValue(-1) {
			return IntValue(1)
		}
		b := v.Big()
		g.GCD(nil, nil, g, b.Abs(b))
	}
	return BigValue(g)
}

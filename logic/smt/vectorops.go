package smt

import (
	"context"
	"fmt"
	"math/big"

	"comus/logic"
	"comus/logic/interval"
	"comus/z3"
)

// lowBits returns the lowest bits of an integer term. What is lost above them is not
// computed.
func (vs *Vectors) lowBits(t *logic.Term, bits uint) z3.Term {
	key := lowKey{t, bits}
	if u, ok := vs.low[key]; ok {
		return u
	}
	u := vs.low1(t, bits)
	vs.low[key] = u
	return u
}

func (vs *Vectors) low1(t *logic.Term, bits uint) z3.Term {
	c := vs.Ctx
	fold := func(op func(a, b z3.Term) z3.Term) z3.Term {
		r := vs.lowBits(t.Args()[0], bits)
		for _, a := range t.Args()[1:] {
			r = op(r, vs.lowBits(a, bits))
		}
		return r
	}
	switch t.Op() {
	case logic.OpAdd:
		return fold(c.BVAdd)
	case logic.OpMul:
		return fold(c.BVMul)
	case logic.OpBitAnd:
		return fold(c.BVAnd)
	case logic.OpBitOr:
		return fold(c.BVOr)
	case logic.OpBitXor:
		return fold(c.BVXor)
	case logic.OpIte:
		return c.Ite(vs.Formula(t.Args()[0]), vs.lowBits(t.Args()[1], bits), vs.lowBits(t.Args()[2], bits))
	case logic.OpShl:
		// A distance that is negative or beyond the bits shifts all of them out.
		if d := vs.integer(t.Args()[1]); d.bits <= bits && bits <= maxShift {
			return c.BVShl(vs.lowBits(t.Args()[0], bits), vs.resize(d, bits))
		}
	case logic.OpMod:
		if k, ok := powerOfTwo(t.Args()[1]); ok && k >= bits {
			return vs.lowBits(t.Args()[0], bits)
		}
	}
	return vs.resize(vs.integer(t), bits)
}

// powerOfTwo returns k if t is the constant 2^k.
func powerOfTwo(t *logic.Term) (uint, bool) {
	v, ok := t.Const()
	if !ok || v.Sign() <= 0 {
		return 0, false
	}
	b := v.Big()
	k := uint(b.BitLen() - 1)
	return k, b.TrailingZeroBits() == k
}

// divide returns the Euclidean quotient and remainder, 0 and 0 for a divisor 0.
func (vs *Vectors) divide(a, b vector) (q, r vector) {
	c := vs.Ctx
	n := max(a.bits, b.bits) + 1 // the largest quotient is that of the least number and -1
	x, y := vs.resize(a, n), vs.resize(b, n)
	zero := c.BV(0, n)
	size := y
	if b.in.Lo.Sign() < 0 {
		size = c.Ite(c.BVSLt(y, zero), c.BVNeg(y), y)
	}
	rem := c.BVSMod(x, size)
	quo := c.BVSDiv(c.BVSub(x, rem), y)
	if a.in.Lo.Sign() >= 0 && b.in.Lo.Sign() >= 0 {
		rem, quo = c.BVURem(x, y), c.BVUDiv(x, y)
	}
	if b.in.Contains(new(big.Int)) {
		isZero := c.Eq(y, zero)
		rem, quo = c.Ite(isZero, zero, rem), c.Ite(isZero, zero, quo)
	}
	return vs.trim(vector{n, quo, a.in.Div(b.in)}), vs.trim(vector{n, rem, a.in.Mod(b.in)})
}

// trim drops the bits that the bounds do not need.
func (vs *Vectors) trim(v vector) vector {
	n := v.in.Bits()
	return vector{n, vs.resize(v, n), v.in}
}

// shift computes logic's shifts: 0 for distances below 0 or above 128.
func (vs *Vectors) shift(op logic.Op, a, d vector) vector {
	c := vs.Ctx
	in := a.in.Shift(op, d.in)
	n := max(in.Bits(), a.bits, d.bits)
	x, y := vs.resize(a, n), vs.resize(d, n)
	var t z3.Term
	if op == logic.OpShl {
		t = c.BVShl(x, y)
	} else {
		t = c.BVAShr(x, y)
	}
	if valid := (interval.Of(logic.IntValue(0), logic.IntValue(maxShift))); !valid.Includes(d.in) {
		// Where the limit itself has no room, no distance is beyond it.
		out := c.BVSLt(y, c.BV(0, n))
		if limit := big.NewInt(maxShift); d.in.Hi.Cmp(limit) > 0 {
			out = c.Or(out, c.BVSLt(c.BVBig(limit, n), y))
		}
		t = c.Ite(out, c.BV(0, n), t)
	}
	return vs.trim(vector{n, t, in})
}

// bitwise computes a bitwise operator.
func (vs *Vectors) bitwise(op logic.Op, a, b vector) vector {
	c := vs.Ctx
	x, y, n := vs.align(a, b)
	var t z3.Term
	switch op {
	case logic.OpBitAnd:
		t = c.BVAnd(x, y)
	case logic.OpBitOr:
		t = c.BVOr(x, y)
	default:
		t = c.BVXor(x, y)
	}
	return vs.trim(vector{n, t, a.in.Bitwise(op, b.in)})
}

// CheckVectors decides formulas over bounded variables by bit-vectors. On z3.Sat, the
// model gives a value to every variable in them. On z3.Unknown, the error says why.
func CheckVectors(ctx context.Context, bounds func(*logic.Term) interval.Interval, fs ...*logic.Term) (Status, *Model, error) {
	c, err := z3.NewContext(nil)
	if err != nil {
		return z3.Unknown, nil, fmt.Errorf("smt: %w", err)
	}
	defer func() { _ = c.Close() }() // nothing can be done about a failure to free
	vs := NewVectors(c, bounds)
	s := c.NewTactic("simplify").AndThen(c.NewTactic("solve-eqs")).AndThen(c.NewTactic("bit-blast")).AndThen(c.NewTactic("sat")).NewSolver()
	for _, f := range fs {
		s.Assert(vs.Formula(f))
	}
	if vs.Err() != nil {
		return z3.Unknown, nil, vs.Err()
	}
	s.Assert(vs.Side...)
	st, err := s.Check(ctx)
	if err == nil && st == z3.Unknown {
		err = fmt.Errorf("smt: %s", s.ReasonUnknown())
	}
	if err != nil || st == z3.Unsat {
		return st, nil, err
	}
	m, err := s.Model()
	if err != nil {
		return z3.Unknown, nil, err
	}
	out := &Model{values: map[string]logic.Value{}}
	for _, sym := range logic.FreeVars(fs...) {
		if out.values[sym.Name()], err = vs.value(m, sym); err != nil {
			return z3.Unknown, nil, err
		}
	}
	return st, out, nil
}

// value reads a variable's value off a model.
func (vs *Vectors) value(m *z3.Model, sym *logic.Term) (logic.Value, error) {
	if sym.Sort() == logic.Bool {
		t, err := m.Eval(vs.Formula(sym), true)
		return logic.BoolValue(err == nil && t.IsTrue()), err
	}
	v := vs.integer(sym)
	t, err := m.Eval(v.t, true)
	if err != nil {
		return logic.Value{}, err
	}
	b, ok := t.BigInt()
	if !ok {
		return logic.Value{}, fmt.Errorf("smt: the value %s is no number", t)
	}
	if b.Bit(int(v.bits)-1) == 1 { // negative
		b.Sub(b, new(big.Int).Lsh(big.NewInt(1), v.bits))
	}
	return logic.BigValue(b), nil
}

package smt

import (
	"fmt"
	"math/big"

	"comus/logic"
	"comus/logic/interval"
	"comus/z3"
)

// Vectors converts terms whose variables are bounded to bit-vectors of one Z3
// context, exactly: each integer gets as many bits as its bounds need, so that
// nothing wraps around that does not in the term.
type Vectors struct {
	Ctx *z3.Context
	// Bounds gives the least and the largest value of a variable.
	Bounds func(v *logic.Term) interval.Interval
	// Side is what has to be asserted beside the terms: the bounds of the
	// variables met so far, where their bits would allow for more.
	Side []z3.Term

	bools map[*logic.Term]z3.Term
	ints  map[*logic.Term]vector
	low   map[lowKey]z3.Term
	err   error
}

// vector is an integer in two's complement.
type vector struct {
	bits uint
	t    z3.Term
	in   interval.Interval
}

type lowKey struct {
	t    *logic.Term
	bits uint
}

// NewVectors returns a converter into c.
func NewVectors(c *z3.Context, bounds func(*logic.Term) interval.Interval) *Vectors {
	return &Vectors{Ctx: c, Bounds: bounds, bools: map[*logic.Term]z3.Term{}, ints: map[*logic.Term]vector{}, low: map[lowKey]z3.Term{}}
}

// maxBits bounds the width of a vector.
const maxBits = 640

// Err returns why something could not be converted.
func (vs *Vectors) Err() error { return vs.err }

func (vs *Vectors) fail(format string, args ...any) {
	if vs.err == nil {
		vs.err = fmt.Errorf("smt: "+format, args...)
	}
}

// Bind makes a Boolean variable convert to u from now on.
func (vs *Vectors) Bind(t *logic.Term, u z3.Term) { vs.bools[t] = u }

// Formula converts a formula.
func (vs *Vectors) Formula(t *logic.Term) z3.Term {
	if u, ok := vs.bools[t]; ok {
		return u
	}
	u := vs.formula(t)
	vs.bools[t] = u
	return u
}

func (vs *Vectors) formula(t *logic.Term) z3.Term {
	c := vs.Ctx
	args := func() []z3.Term {
		us := make([]z3.Term, len(t.Args()))
		for i, a := range t.Args() {
			us[i] = vs.Formula(a)
		}
		return us
	}
	switch t.Op() {
	case logic.OpTrue:
		return c.True()
	case logic.OpFalse:
		return c.False()
	case logic.OpVar:
		return c.Const(t.Name(), c.BoolSort())
	case logic.OpNot:
		return c.Not(args()[0])
	case logic.OpAnd:
		return c.And(args()...)
	case logic.OpOr:
		return c.Or(args()...)
	case logic.OpIte:
		us := args()
		return c.Ite(us[0], us[1], us[2])
	case logic.OpEq:
		if t.Args()[0].Sort() == logic.Bool {
			us := args()
			return c.Iff(us[0], us[1])
		}
		a, b := vs.sides(t)
		x, y, _ := vs.align(a, b)
		return c.Eq(x, y)
	case logic.OpLe:
		a, b := vs.sides(t)
		x, y, _ := vs.align(a, b)
		return c.BVSLe(x, y)
	}
	vs.fail("no formula: %s", t.Op())
	return c.False()
}

// sides returns the two sides of a comparison with what is subtracted on one of them
// added on the other: so that "a - b ≤ 0" takes no subtraction.
func (vs *Vectors) sides(t *logic.Term) (vector, vector) {
	var plus [2][]vector
	constant := new(big.Int) // on the left
	for side, a := range t.Args() {
		terms := []*logic.Term{a}
		if a.Op() == logic.OpAdd {
			terms = a.Args()
		}
		for _, s := range terms {
			if v, ok := s.Const(); ok {
				if side == 0 {
					constant.Add(constant, v.Big())
				} else {
					constant.Sub(constant, v.Big())
				}
				continue
			}
			to, v := side, vector{}
			if s.Op() == logic.OpMul {
				if k, ok := s.Args()[0].Const(); ok && k.Sign() < 0 {
					to = 1 - side
					v = vs.product(vs.constant(new(big.Int).Neg(k.Big())), s.Args()[1:])
				}
			}
			if v.bits == 0 {
				v = vs.integer(s)
			}
			plus[to] = append(plus[to], v)
		}
	}
	if constant.Sign() > 0 {
		plus[0] = append(plus[0], vs.constant(constant))
	} else if constant.Sign() < 0 {
		plus[1] = append(plus[1], vs.constant(constant.Neg(constant)))
	}
	return vs.sum(plus[0]), vs.sum(plus[1])
}

// Integer converts an integer term to a vector in two's complement.
func (vs *Vectors) Integer(t *logic.Term) z3.Term { return vs.integer(t).t }

func (vs *Vectors) integer(t *logic.Term) vector {
	if v, ok := vs.ints[t]; ok {
		return v
	}
	v := vs.convert(t)
	vs.ints[t] = v
	return v
}

func (vs *Vectors) convert(t *logic.Term) vector {
	c := vs.Ctx
	switch t.Op() {
	case logic.OpInt:
		k, _ := t.Const()
		return vs.constant(k.Big())
	case logic.OpVar:
		return vs.variable(t)
	case logic.OpAdd:
		var args []vector
		for _, a := range t.Args() {
			args = append(args, vs.integer(a))
		}
		return vs.sum(args)
	case logic.OpMul:
		return vs.product(vs.integer(t.Args()[0]), t.Args()[1:])
	case logic.OpIte:
		a, b := vs.integer(t.Args()[1]), vs.integer(t.Args()[2])
		x, y, n := vs.align(a, b)
		return vector{n, c.Ite(vs.Formula(t.Args()[0]), x, y), a.in.Join(b.in)}
	case logic.OpMod:
		if k, ok := powerOfTwo(t.Args()[1]); ok {
			if k == 0 {
				return vs.constant(new(big.Int))
			}
			return vs.unsigned(vs.lowBits(t.Args()[0], k), k)
		}
		_, r := vs.divide(vs.integer(t.Args()[0]), vs.integer(t.Args()[1]))
		return r
	case logic.OpDiv:
		q, _ := vs.divide(vs.integer(t.Args()[0]), vs.integer(t.Args()[1]))
		return q
	case logic.OpShl, logic.OpShr:
		return vs.shift(t.Op(), vs.integer(t.Args()[0]), vs.integer(t.Args()[1]))
	case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor:
		return vs.bitwise(t.Op(), vs.integer(t.Args()[0]), vs.integer(t.Args()[1]))
	}
	vs.fail("no integer: %s", t.Op())
	return vs.constant(new(big.Int))
}

// variable makes the bits of a variable.
func (vs *Vectors) variable(t *logic.Term) vector {
	c, in := vs.Ctx, vs.Bounds(t)
	if !in.Bounded() {
		vs.fail("%s is not bounded", t)
		return vs.constant(new(big.Int))
	}
	n := in.Bits()
	if in.Lo.Cmp(in.Hi) == 0 {
		return vs.constant(in.Lo)
	}
	v, full := vector{bits: n, in: in}, interval.Signed(n)
	if in.Lo.Sign() >= 0 { // the sign is known
		full = interval.Unsigned(n - 1)
		v.t = c.ZeroExt(1, c.Const(t.Name(), c.BVSort(n-1)))
	} else {
		v.t = c.Const(t.Name(), c.BVSort(n))
	}
	if full.Lo.Cmp(in.Lo) < 0 {
		vs.Side = append(vs.Side, c.BVSLe(c.BVBig(in.Lo, n), v.t))
	}
	if in.Hi.Cmp(full.Hi) < 0 {
		vs.Side = append(vs.Side, c.BVSLe(v.t, c.BVBig(in.Hi, n)))
	}
	return v
}

func (vs *Vectors) constant(k *big.Int) vector {
	in := interval.Point(k)
	return vector{in.Bits(), vs.Ctx.BVBig(k, in.Bits()), in}
}

// unsigned makes a vector of the bits of a number that is not negative.
func (vs *Vectors) unsigned(t z3.Term, bits uint) vector {
	return vector{bits + 1, vs.Ctx.ZeroExt(1, t), interval.Unsigned(bits)}
}

// resize returns the lowest bits of v, or v with its sign repeated.
func (vs *Vectors) resize(v vector, bits uint) z3.Term {
	if vs.err != nil || bits > maxBits {
		vs.fail("a number of %d bits", bits)
		return vs.Ctx.BV(0, bits)
	}
	switch {
	case bits < v.bits:
		return vs.Ctx.Extract(bits-1, 0, v.t)
	case bits > v.bits:
		return vs.Ctx.SignExt(bits-v.bits, v.t)
	}
	return v.t
}

// align returns both with the same number of bits.
func (vs *Vectors) align(a, b vector) (z3.Term, z3.Term, uint) {
	n := max(a.bits, b.bits)
	return vs.resize(a, n), vs.resize(b, n), n
}

func (vs *Vectors) sum(args []vector) vector {
	if len(args) == 0 {
		return vs.constant(new(big.Int))
	}
	r := args[0]
	for _, a := range args[1:] {
		in := r.in.Add(a.in)
		n := in.Bits()
		r = vector{n, vs.Ctx.BVAdd(vs.resize(r, n), vs.resize(a, n)), in}
	}
	return r
}

// product multiplies; a factor of 1 costs nothing.
func (vs *Vectors) product(r vector, factors []*logic.Term) vector {
	for _, f := range factors {
		a := vs.integer(f)
		in := r.in.Mul(a.in)
		n := in.Bits()
		if isOne(r.in) {
			r = a
			continue
		}
		r = vector{n, vs.Ctx.BVMul(vs.resize(r, n), vs.resize(a, n)), in}
	}
	return r
}

func isOne(a interval.Interval) bool {
	v, ok := a.IsPoint()
	return ok && v.IsInt64() && v.Int64() == 1
}

package explore

import (
	"math"
	"math/bits"

	"comus/logic"
)

// maxCompiled bounds the size of a compiled term as a tree; larger ones, which
// may share subterms exponentially, are left to logic.Eval.
const maxCompiled = 400

// machine is what compiled terms run on: the values of the program's variables
// in their stored form (see store).
type machine struct {
	vals     []int64
	overflow bool // some operation left int64: the result is meaningless
}

// number and formula are compiled terms of sort Int and Bool.
type (
	number  func(m *machine) int64
	formula func(m *machine) bool
)

// compiler turns terms into closures.
type compiler struct {
	index map[*logic.Term]int  // of each variable
	wide  map[*logic.Term]bool // unsigned 64-bit variables, stored as their bit pattern
}

// treeSize returns the size of t as a tree, or more than limit.
func treeSize(t *logic.Term, limit int) int {
	n := 1
	for _, a := range t.Args() {
		if n > limit {
			break
		}
		n += treeSize(a, limit-n)
	}
	return n
}

func (c *compiler) formula(t *logic.Term) formula {
	args := t.Args()
	switch t.Op() {
	case logic.OpTrue:
		return func(*machine) bool { return true }
	case logic.OpFalse:
		return func(*machine) bool { return false }
	case logic.OpNot:
		f := c.formula(args[0])
		return func(m *machine) bool { return !f(m) }
	case logic.OpAnd, logic.OpOr:
		return c.junction(t)
	case logic.OpEq:
		if args[0].Sort() == logic.Bool {
			f, g := c.formula(args[0]), c.formula(args[1])
			return func(m *machine) bool { return f(m) == g(m) }
		}
		f, g := c.number(args[0]), c.number(args[1])
		return func(m *machine) bool { return f(m) == g(m) }
	case logic.OpLe:
		f, g := c.number(args[0]), c.number(args[1])
		return func(m *machine) bool { return f(m) <= g(m) }
	}
	panic("explore: " + t.Op().String() + " in a formula of a program")
}

func (c *compiler) junction(t *logic.Term) formula {
	fs := make([]formula, len(t.Args()))
	for i, a := range t.Args() {
		fs[i] = c.formula(a)
	}
	stop := t.Op() == logic.OpOr
	return func(m *machine) bool {
		for _, f := range fs {
			if f(m) == stop {
				return stop
			}
		}
		return !stop
	}
}

func (c *compiler) number(t *logic.Term) number {
	args := t.Args()
	switch t.Op() {
	case logic.OpInt:
		v, _ := t.Const()
		k, fits := v.Int64()
		return func(m *machine) int64 {
			m.overflow = m.overflow || !fits
			return k
		}
	case logic.OpVar:
		return c.variable(t)
	case logic.OpIte:
		f, a, b := c.formula(args[0]), c.number(args[1]), c.number(args[2])
		return func(m *machine) int64 {
			if f(m) {
				return a(m)
			}
			return b(m)
		}
	case logic.OpAdd, logic.OpMul:
		op := add
		if t.Op() == logic.OpMul {
			op = mul
		}
		f := c.number(args[0])
		for _, a := range args[1:] {
			f = apply(op, f, c.number(a))
		}
		return f
	}
	ops := map[logic.Op]func(m *machine, a, b int64) int64{logic.OpDiv: div, logic.OpMod: mod, logic.OpBitAnd: and,
		logic.OpBitOr: or, logic.OpBitXor: xor, logic.OpShl: shl, logic.OpShr: shr}
	return apply(ops[t.Op()], c.number(args[0]), c.number(args[1]))
}

func (c *compiler) variable(t *logic.Term) number {
	i := c.index[t]
	if c.wide[t] {
		return func(m *machine) int64 {
			m.overflow = m.overflow || m.vals[i] < 0
			return m.vals[i]
		}
	}
	return func(m *machine) int64 { return m.vals[i] }
}

func apply(op func(m *machine, a, b int64) int64, f, g number) number {
	return func(m *machine) int64 { return op(m, f(m), g(m)) }
}

func add(m *machine, a, b int64) int64 {
	s := a + b
	m.overflow = m.overflow || (a < 0) == (b < 0) && (s < 0) != (a < 0)
	return s
}

func mul(m *machine, a, b int64) int64 {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	m.overflow = m.overflow || hi != 0 || lo > math.MaxInt64
	return a * b
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// divMod is Euclidean division, the remainder not negative; (0, 0) for b = 0.
func divMod(m *machine, a, b int64) (q, r int64) {
	switch {
	case b == 0:
		return 0, 0
	case a == math.MinInt64 && b == -1:
		m.overflow = true
		return 0, 0
	}
	q, r = a/b, a%b
	switch {
	case r >= 0:
	case b > 0:
		q, r = q-1, r+b
	default:
		q, r = q+1, r-b
	}
	return q, r
}

func div(m *machine, a, b int64) int64 {
	q, _ := divMod(m, a, b)
	return q
}

func mod(m *machine, a, b int64) int64 {
	_, r := divMod(m, a, b)
	return r
}

func and(_ *machine, a, b int64) int64 { return a & b }
func or(_ *machine, a, b int64) int64  { return a | b }
func xor(_ *machine, a, b int64) int64 { return a ^ b }

// maxShift is logic's bound on shift distances; beyond it shifts yield 0.
const maxShift = 128

func shl(m *machine, a, b int64) int64 {
	if b < 0 || b > maxShift || a == 0 {
		return 0
	}
	r := a << b
	m.overflow = m.overflow || b > 62 || r>>b != a
	return r
}

func shr(_ *machine, a, b int64) int64 {
	if b < 0 || b > maxShift {
		return 0
	}
	return a >> b
}

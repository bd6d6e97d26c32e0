package randc

import (
	"fmt"
	"math/big"
	"strings"
)

// Precedences of expressions.
const (
	precCond    = 3
	precOrOr    = 4
	precAndAnd  = 5
	precOr      = 6
	precXor     = 7
	precAnd     = 8
	precEqual   = 9
	precLess    = 10
	precShift   = 11
	precAdd     = 12
	precMul     = 13
	precUnary   = 14
	precPrimary = 16
)

var precedences = map[string]int{"||": precOrOr, "&&": precAndAnd, "|": precOr, "^": precXor, "&": precAnd, "==": precEqual,
	"!=": precEqual, "<": precLess, ">": precLess, "<=": precLess, ">=": precLess, "<<": precShift, ">>": precShift,
	"+": precAdd, "-": precAdd, "*": precMul, "/": precMul, "%": precMul}

// expr is the text of an expression without side effects and what is known of it.
type expr struct {
	s    string
	prec int
	t    *number
	span         // of an integer
	most float64 // a float is finite and not larger than that in either direction; 0: it may be anything
	bits bool    // it is a bit-field
}

// in returns the text of e as an operand where operators bind as tightly as prec.
func (g *gen) in(e expr, prec int) string {
	if e.prec < prec || e.prec < precUnary && g.IntN(3) == 0 {
		return "(" + e.s + ")"
	}
	return e.s
}

// unary puts an operator before e.
func (g *gen) unary(op string, e expr) string {
	s := g.in(e, precUnary)
	if strings.HasPrefix(s, op) {
		s = "(" + s + ")"
	}
	return op + s
}

// binary returns the text of an operation.
func (g *gen) binary(x expr, op string, y expr) string {
	p := precedences[op]
	return g.in(x, p) + " " + op + " " + g.in(y, p+1)
}

// cast converts an integer to an integer type.
func (g *gen) cast(t *number, e expr) expr {
	s := e.as(t)
	if t.boolean {
		s = small(0, 1)
	}
	return expr{s: "(" + t.name + ")" + g.in(e, precUnary), prec: precUnary, t: t, span: s}
}

// tame returns e with values below 2 to the n in either direction.
func (g *gen) tame(e expr, n int) expr {
	limit := span{new(big.Int).Neg(pow(n)), pow(n)}
	if e.span.in(limit) {
		return e
	}
	switch k := g.IntN(4); {
	case k == 0 && n >= 7:
		return g.cast(g.pickNumber(charType, integers[2], ucharType), e)
	case k == 0 && n >= 15, k == 1 && n >= 16:
		return g.cast(integers[4], e)
	case k == 1 || k == 2:
		m := int64(1)<<(1+g.IntN(min(n, 30))) - 1
		s, t := fmt.Sprint(m), common(e.t, intType)
		return expr{s: g.binary(e, "&", expr{s: s, prec: precPrimary}), prec: precAnd, t: t, span: small(0, m)}
	}
	m := int64(2 + g.IntN(1<<min(n, 30)-1))
	t := common(e.t, intType)
	sp := small(0, m-1)
	if t.signed && e.lo.Sign() < 0 {
		sp = small(1-m, m-1)
	}
	return expr{s: g.binary(e, "%", expr{s: fmt.Sprint(m), prec: precPrimary}), prec: precMul, t: t, span: sp}
}

// int returns an integer expression with at most depth operations above another.
func (g *gen) int(depth int) expr {
	if depth <= 0 {
		return g.intLeaf()
	}
	x := g.int(depth - 1)
	switch k := g.IntN(30); {
	case k < 7:
		return g.arith(x, g.pick("+", "-", "*", "+", "-"), g.int(g.IntN(depth)))
	case k < 10:
		return g.bitwise(x, g.pick("&", "|", "^"), g.int(g.IntN(depth)))
	case k < 12:
		return g.shift(x)
	case k < 14:
		return g.divide(x, g.pick("/", "%"), g.int(0))
	case k < 16:
		return g.negate(x)
	case k < 18:
		return g.truth(x, g.pick("<", "<=", ">", ">=", "==", "!="), g.int(g.IntN(depth)))
	case k < 19:
		return g.truth(x, g.pick("&&", "||"), g.int(g.IntN(depth)))
	case k < 21:
		return g.conditional(x, g.int(g.IntN(depth)))
	case k < 24:
		return g.cast(g.intType(), x)
	case k < 25 && len(g.pure) > 0:
		if e, ok := g.call(g.IntN(depth)); ok {
			return e
		}
	case k < 26 && g.has&Floats != 0:
		f := g.float(depth - 1)
		if g.IntN(2) == 0 {
			return g.truth(f, g.pick("<", "<=", ">", ">=", "==", "!="), g.float(0))
		}
		return g.toInt(g.intType(), f)
	case k < 28 && !g.static:
		return g.rare(x)
	}
	return x
}

// truth returns a comparison or a logical operation.
func (g *gen) truth(x expr, op string, y expr) expr {
	return expr{s: g.binary(x, op, y), prec: precedences[op], t: intType, span: small(0, 1)}
}

// arith returns x op y for an addition, subtraction or multiplication. Where that may
// overflow it does it otherwise: in an unsigned type, in a wider one, or with smaller
// operands.
func (g *gen) arith(x expr, op string, y expr) expr {
	for try := 0; ; try++ {
		t := common(x.t, y.t)
		a, b := x.as(t), y.as(t)
		s := result(a, op, b)
		if !t.signed || s.in(t.full()) {
			return expr{s: g.binary(x, op, y), prec: precedences[op], t: t, span: s.as(t)}
		}
		switch k := g.IntN(4); {
		case k == 0 && t.bits == 32 && op != "*" && try < 3:
			x = g.cast(g.pickNumber(longType, llongType), x)
		case k <= 1 && try < 3:
			x, y = g.tame(x, t.bits/2-2), g.tame(y, t.bits/2-2)
		case k == 2 || t.bits != 32 && t.bits != 64:
			// In the unsigned type, and back.
			u := t.unsigned()
			if t.bits != 32 && t.bits < 64 {
				u = ulongType
			}
			e := g.arith(g.cast(u, x), op, y)
			return g.cast(t.spelt(), e)
		default:
			x = g.cast(t.unsigned(), x)
		}
	}
}

// result returns the values of an addition, subtraction or multiplication.
func result(a span, op string, b span) span {
	return corners(a, b, func(p, q *big.Int) *big.Int {
		switch op {
		case "+":
			return new(big.Int).Add(p, q)
		case "-":
			return new(big.Int).Sub(p, q)
		}
		return new(big.Int).Mul(p, q)
	})
}

// spelt returns n, or a type that has a name and holds its values.
func (n *number) spelt() *number {
	if n.bits > 32 && n.bits < 64 {
		return longType
	}
	return n
}

// bitwise returns x op y for an operator on bits.
func (g *gen) bitwise(x expr, op string, y expr) expr {
	t := common(x.t, y.t)
	a, b := x.as(t), y.as(t)
	s := t.full()
	if a.lo.Sign() >= 0 && b.lo.Sign() >= 0 {
		hi := new(big.Int).Sub(pow(max(a.hi.BitLen(), b.hi.BitLen())), one)
		s = span{new(big.Int), hi}
	}
	return expr{s: g.binary(x, op, y), prec: precedences[op], t: t, span: s}
}

// shift returns x shifted to a side.
func (g *gen) shift(x expr) expr {
	t := x.t.promoted()
	count := g.IntN(t.bits)
	if g.IntN(2) == 0 {
		count = g.IntN(5)
	}
	by, most := expr{s: fmt.Sprint(count), prec: precPrimary}, count
	if g.IntN(2) == 0 && !(t.bits > 32 && t.bits < 64) {
		most = []int{t.bits - 1, 7, 3}[g.IntN(3)]
		by = expr{s: g.binary(g.int(0), "&", expr{s: fmt.Sprint(most), prec: precPrimary}), prec: precAnd}
	}
	if g.IntN(2) == 0 {
		s := corners(x.span, small(0, int64(most)), func(a, b *big.Int) *big.Int { return new(big.Int).Rsh(a, uint(b.Int64())) })
		return expr{s: g.binary(x, ">>", by), prec: precShift, t: t, span: s}
	}
	if t.signed {
		if top := new(big.Int).Lsh(x.hi, uint(most)); x.lo.Sign() < 0 || top.Cmp(t.full().hi) > 0 {
			t = t.spelt().unsigned()
			x = g.cast(t, x)
		}
	}
	s := t.full()
	if top := new(big.Int).Lsh(x.hi, uint(most)); x.lo.Sign() >= 0 && top.Cmp(s.hi) <= 0 {
		s = span{new(big.Int), top}
	}
	return expr{s: g.binary(x, "<<", by), prec: precShift, t: t, span: s}
}

// divisor makes y something other than 0 and -1.
func (g *gen) divisor(y expr) expr {
	if y.lo.Sign() > 0 {
		return y
	}
	switch g.IntN(3) {
	case 0:
		k := int64(2 + g.IntN(100))
		if g.IntN(4) == 0 {
			k = -k
		}
		return expr{s: fmt.Sprint(k), prec: precUnary, t: intType, span: small(k, k)}
	case 1:
		if y.t.promoted() == y.t && !y.t.signed && y.t.bits != 128 {
			return expr{s: g.binary(y, "|", expr{s: "1", prec: precPrimary}), prec: precOr, t: y.t, span: span{one, y.t.full().hi}}
		}
	}
	m := int64(1)<<(1+g.IntN(20)) - 1
	return expr{s: "(" + g.binary(y, "&", expr{s: fmt.Sprint(m), prec: precPrimary}) + ") + 1", prec: precAdd,
		t: common(y.t, intType), span: small(1, m+1)}
}

// divide returns x op y for a division or remainder.
func (g *gen) divide(x expr, op string, y expr) expr {
	y = g.divisor(y)
	t := common(x.t, y.t)
	a, b := x.as(t), y.as(t)
	if b.lo.Sign() <= 0 && !t.signed {
		// A negative divisor becomes a large one.
		return expr{s: g.binary(x, op, y), prec: precMul, t: t, span: t.full()}
	}
	var s span
	if op == "/" {
		s = corners(a, b, func(p, q *big.Int) *big.Int { return new(big.Int).Quo(p, q) })
	} else {
		m := new(big.Int).Sub(new(big.Int).Abs(b.hi), one)
		if n := new(big.Int).Sub(new(big.Int).Abs(b.lo), one); n.Cmp(m) > 0 {
			m = n
		}
		if s = (span{new(big.Int), m}); a.lo.Sign() < 0 {
			s.lo = new(big.Int).Neg(m)
		}
	}
	return expr{s: g.binary(x, op, y), prec: precMul, t: t, span: s}
}

// negate returns an operation on x alone.
func (g *gen) negate(x expr) expr {
	t := x.t.promoted()
	a := x.as(t)
	switch g.IntN(4) {
	case 0:
		return expr{s: g.unary("!", x), prec: precUnary, t: intType, span: small(0, 1)}
	case 1:
		s := t.full()
		if t.signed {
			s = span{new(big.Int).Not(a.hi), new(big.Int).Not(a.lo)}
		}
		return expr{s: g.unary("~", x), prec: precUnary, t: t, span: s}
	case 2:
		return expr{s: g.unary("+", x), prec: precUnary, t: t, span: a}
	}
	s := span{new(big.Int).Neg(a.hi), new(big.Int).Neg(a.lo)}
	if !s.in(t.full()) {
		if t.signed {
			x = g.cast(t.spelt().unsigned(), x)
			t = x.t
		}
		s = t.full()
	}
	return expr{s: g.unary("-", x), prec: precUnary, t: t, span: s}
}

// conditional returns one of x and y.
func (g *gen) conditional(x, y expr) expr {
	t := common(x.t, y.t)
	s := x.as(t).join(y.as(t))
	return expr{s: g.in(g.int(1), precCond+1) + " ? " + x.s + " : " + g.in(y, precCond), prec: precCond, t: t, span: s}
}

// call returns a call of a function without effects.
func (g *gen) call(depth int) (expr, bool) {
	f := g.pure[g.IntN(len(g.pure))]
	if f.ret.num == nil || f.ret.num.float {
		return expr{}, false
	}
	return expr{s: f.name + "(" + g.args(f, depth) + ")", prec: precPrimary, t: f.ret.num, span: f.ret.num.full()}, true
}

// args returns arguments for f.
func (g *gen) args(f *function, depth int) string {
	var out []string
	for _, p := range f.params {
		out = append(out, g.valueFor(p, depth))
	}
	return strings.Join(out, ", ")
}

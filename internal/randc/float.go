package randc

import (
	"fmt"
	"math"
	"math/big"
)

// limit bounds what variables of floating types hold, in either direction. It is
// below what float can have, so that sums and products of a few stay finite.
const limit = 1e20

// finite returns a function that makes a number of type n one within the limit.
func (g *gen) finite(n *number) string {
	name := "fin_" + n.name
	g.helper(name, "static %[1]s %[2]s(%[1]s x) {\n  return x > -1e20%[3]s && x < 1e20%[3]s ? x : 0.75%[3]s;\n}\n", n.name, name,
		map[*number]string{floatType: "f"}[n])
	return name
}

// floatLeaf returns a floating number without operations.
func (g *gen) floatLeaf() expr {
	switch k := g.IntN(6); {
	case k < 3:
		for range 4 {
			v := g.visible(anything)
			if v == nil {
				break
			}
			if p := g.leaf(whole(v)); p.t.num.float {
				return g.value(p)
			}
		}
	case k == 3:
		return g.toFloat(g.pickNumber(floatType, doubleType), g.int(0))
	}
	v := []float64{0, 1, 0.5, 0.1, 3.25, 1e-3, 2.5, 100, 1.0 / 3, 7, 16777217, 1e10, 123456.789}[g.IntN(13)]
	if g.IntN(3) == 0 {
		v = math.Ldexp(float64(g.Int64N(1<<53)), g.IntN(60)-70)
	}
	format := g.pick("%v", "%v", "%.3f", "%e", "%.17g")
	s := fmt.Sprintf(format, v)
	if g.IntN(5) == 0 {
		s = fmt.Sprintf("%x", v)
	}
	if !containsAny(s, ".epP") {
		s += g.pick(".0", ".", "e0")
	}
	t := doubleType
	if g.IntN(3) == 0 {
		t = floatType
		s += g.pick("f", "F")
	}
	return expr{s: s, prec: precPrimary, t: t, most: math.Abs(v) + 1}
}

// toFloat converts an integer to a floating type, by a cast.
func (g *gen) toFloat(n *number, e expr) expr {
	if e.t.bits > 64 {
		e = g.cast(g.pickNumber(longType, ulongType), e)
	}
	return expr{s: "(" + n.name + ")" + g.in(e, precUnary), prec: precUnary, t: n, most: e.size()}
}

// size bounds the absolute values of an integer.
func (s span) size() float64 {
	a, _ := new(big.Float).SetInt(s.lo).Float64()
	b, _ := new(big.Float).SetInt(s.hi).Float64()
	return math.Max(math.Abs(a), math.Abs(b))*1.001 + 1
}

// toInt converts a floating number to an integer type for which that is defined.
func (g *gen) toInt(n *number, f expr) expr {
	full := n.full()
	if n.boolean {
		return expr{s: "(_Bool)" + g.in(f, precUnary), prec: precUnary, t: n, span: full}
	}
	least := 0.0
	if n.signed {
		least = math.Ldexp(1, n.bits-1) * 0.99
	}
	if f.most > 0 && f.most < least && g.IntN(2) == 0 {
		return expr{s: "(" + n.name + ")" + g.in(f, precUnary), prec: precUnary, t: n, span: full}
	}
	name := "to_" + words(n.name) + "_" + f.t.name
	lo, hi := "-1.0", fmt.Sprintf("%x", math.Ldexp(1, n.bits))
	if n.signed {
		hi = fmt.Sprintf("%x", math.Ldexp(1, n.bits-1))
		if lo = "-" + hi; n.bits < 53 && f.t == doubleType {
			lo += " - 1"
		} else {
			lo += " * 0.999"
		}
	}
	g.helper(name, "static %s %s(%s x) {\n  return x > %s && x < %s ? (%s)x : (%s)3;\n}\n", n.name, name, f.t.name, lo, hi, n.name, n.name)
	return expr{s: name + "(" + f.s + ")", prec: precPrimary, t: n, span: full}
}

// float returns a floating expression, which is finite.
func (g *gen) float(depth int) expr {
	if depth <= 0 {
		return g.floatLeaf()
	}
	x := g.float(depth - 1)
	switch k := g.IntN(16); {
	case k < 8:
		y := g.float(g.IntN(depth))
		if g.IntN(3) == 0 && x.t.float {
			i := g.int(g.IntN(depth))
			if i.t.bits <= 64 {
				y = i
				y.most = i.size()
			}
		}
		return g.floatArith(x, g.pick("+", "-", "*", "+", "-", "/"), y)
	case k < 9:
		return expr{s: g.unary(g.pick("-", "+"), x), prec: precUnary, t: x.t, most: x.most}
	case k < 11:
		t := g.pickNumber(floatType, doubleType)
		if x.most > limit && t == floatType {
			break
		}
		return expr{s: "(" + t.name + ")" + g.in(x, precUnary), prec: precUnary, t: t, most: x.most * 1.001}
	case k < 12:
		y := g.float(g.IntN(depth))
		return expr{s: g.in(g.int(1), precCond+1) + " ? " + x.s + " : " + g.in(y, precCond), prec: precCond, t: common(x.t, y.t), most: math.Max(x.most, y.most)}
	case k < 14 && g.has&Math != 0:
		return g.mathCall(x)
	case k < 15:
		return g.toFloat(g.pickNumber(floatType, doubleType), g.int(depth-1))
	}
	return x
}

// floatArith returns x op y, within the limit if it could leave it.
func (g *gen) floatArith(x expr, op string, y expr) expr {
	t := common(x.t, y.t)
	most := x.most + y.most
	switch op {
	case "*":
		most = x.most*y.most + 1
	case "/":
		most = x.most + 1
		if g.IntN(2) == 0 {
			y = expr{s: g.pick("3.0", "7.0f", "-2.5", "10.0", "1e3", "3"), prec: precUnary, t: y.t}
			t = x.t
			if y.s != "7.0f" && y.s != "3" {
				t = doubleType
			}
		} else {
			square := y
			square.s = g.binary(y, "*", y)
			y = g.floatArith(g.toFloat(doubleType, g.tame(g.int(0), 30)), "+", expr{s: "4294967296.5", prec: precPrimary, t: doubleType, most: 1e10})
			t = doubleType
		}
	}
	e := expr{s: g.binary(x, op, y), prec: precedences[op], t: t, most: most * 1.001}
	if most > 1e30 {
		e = expr{s: g.finite(t) + "(" + e.s + ")", prec: precPrimary, t: t, most: limit}
	}
	return e
}

// mathCall returns a call of a function of math.h whose result is exact.
func (g *gen) mathCall(x expr) expr {
	g.include("math.h")
	suffix := ""
	if x.t == floatType && g.IntN(2) == 0 {
		suffix = "f"
	}
	t := doubleType
	if suffix != "" {
		t = floatType
	}
	f := g.pick("fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "sqrt", "fmod", "copysign", "fmin", "fmax", "ldexp")
	s := f + suffix + "(" + x.s
	switch f {
	case "sqrt":
		s = "sqrt" + suffix + "(fabs" + suffix + "(" + x.s + ")"
	case "fmod":
		s += ", " + g.pick("3.0", "0.7", "10.0")
	case "copysign":
		s += ", " + g.float(0).s
	case "fmin", "fmax":
		s += ", " + g.pick("0.5", "-1.0", "100.0")
	case "ldexp":
		s += fmt.Sprintf(", %d", g.IntN(8)-4)
	}
	return expr{s: s + ")", prec: precPrimary, t: t, most: x.most*16 + 200}
}

package accesses

import "comus/cir"

// num is what is known of an integer: of a register's, or of all that a cell of memory ever holds. The zero value says that there is none yet.
type num struct {
	set    bool
	exact  *poly // it is this; nil: it is not known to be one
	upper  *upper
	lo, hi int64 // ±[unlimited]: none
}

var anyNumber = num{set: true, lo: -unlimited, hi: unlimited}

// numbers returns what is known of a constant.
func (p *program) just(n int64) num {
	if n <= -unlimited || n >= unlimited {
		return anyNumber
	}
	return num{set: true, exact: p.bounds.number(n), lo: n, hi: n}
}

// rangeOf returns the numbers of a type.
func rangeOf(t cir.Type) (lo, hi int64) {
	switch {
	case !t.IsInt() || t.Bits > 62:
		lo, hi = -unlimited, unlimited
	case t.Signed:
		return -1 << (t.Bits - 1), 1<<(t.Bits-1) - 1
	default:
		return 0, 1<<t.Bits - 1
	}
	if t.IsInt() && !t.Signed {
		lo = 0
	}
	return lo, hi
}

// fitsIn reports whether a number is one of a type, which keeps it as it is then.
func (n num) fitsIn(t cir.Type) bool {
	if !t.IsInt() || t.Bits > 64 || t.Bits == 1 && (n.lo < 0 || n.hi > 1) {
		return false
	}
	lo, hi := rangeOf(t)
	if t.Bits > 62 { // unlimited is within them, but stands for any number
		return n.hi < unlimited && n.lo > -unlimited && n.lo >= lo
	}
	return n.lo >= lo && n.hi <= hi
}

// within is a number that is also between two others.
func (p *program) within(n num, lo, hi int64) num {
	n.lo, n.hi = max(n.lo, lo), min(n.hi, hi)
	if n.lo == n.hi && n.lo > -unlimited && n.hi < unlimited {
		n.exact = p.bounds.number(n.lo)
	}
	return n
}

// numberOf returns what is known of an operand where it is used.
func (p *program) numberOf(at place, v cir.Value) num {
	switch v := v.(type) {
	case cir.Int:
		if n, ok := v.Int64(); ok {
			return p.just(n)
		}
	case *cir.Reg:
		if !v.Type.IsInt() {
			return anyNumber
		}
		n := p.nums[register{at.copy, v.Index}]
		if !n.set {
			return n
		}
		lo, hi := rangeOf(v.Type)
		n = p.within(n, lo, hi)
		if f := p.fact(at, v); f.known {
			n = p.within(n, f.lo, f.hi)
		}
		return n
	}
	return anyNumber
}

// uppers returns all upper bounds of a number, as lists: it is at most one of each. Of those that are numbers the ones that it is more than are left out.
func (p *program) uppers(n num) (all [][]*poly) {
	if n.exact != nil {
		all = append(all, []*poly{n.exact})
	}
	if n.upper != nil {
		for _, l := range n.upper.all {
			var list []*poly
			for _, a := range l {
				if k, number := a.constant(); !number || k >= n.lo {
					list = append(list, a)
				}
			}
			if len(list) > 0 {
				all = append(all, list)
			}
		}
	}
	if n.hi < unlimited {
		all = append(all, []*poly{p.bounds.number(n.hi)})
	}
	return all
}

// pairs returns what f makes of all upper bounds of two numbers.
func (p *program) pairs(xs, ys [][]*poly, f func(a, b *poly) *poly) *upper {
	var all [][]*poly
	for _, x := range xs {
		for _, y := range ys {
			var list []*poly
			for _, a := range x {
				for _, b := range y {
					list = append(list, f(a, b))
				}
			}
			all = append(all, list)
		}
	}
	return p.bounds.upper(all)
}

// each returns what f makes of all upper bounds of a number.
func (p *program) eachUpper(xs [][]*poly, f func(a *poly) *poly) *upper {
	return p.pairs(xs, [][]*poly{{nil}}, func(a, _ *poly) *poly { return f(a) })
}

// either is one of two numbers.
func (p *program) either(a, b num) num {
	switch {
	case !a.set:
		return b
	case !b.set || a == b:
		return a
	}
	c := num{set: true, lo: min(a.lo, b.lo), hi: max(a.hi, b.hi)}
	if a.exact == b.exact {
		c.exact = a.exact
	}
	var all [][]*poly
	for _, x := range p.uppers(a) {
		for _, y := range p.uppers(b) {
			all = append(all, append(append([]*poly{}, x...), y...))
		}
	}
	c.upper = p.bounds.upper(all)
	return c
}

// widenedNumber is what is known of a number of which less and less is known: what does not change.
func (p *program) widenedNumber(n, old num) num {
	if !old.set {
		return n
	}
	if n.lo < old.lo {
		n.lo = -unlimited
	}
	if n.hi > old.hi {
		n.hi = unlimited
	}
	if n.upper != old.upper {
		n.upper = old.upper.stable(n.upper)
	}
	return n
}

// computed is what an operator makes of two numbers, as long as the type holds that.
func (p *program) computed(op cir.Op, x, y num, t cir.Type) num {
	var n num
	exact := true
	switch op {
	case cir.Add:
		n = p.sum(x, y)
	case cir.Sub:
		n = p.difference(x, y)
	case cir.Mul:
		n = p.times(x, y)
	case cir.Shl:
		if y.lo != y.hi || y.lo < 0 || y.lo > 30 {
			return anyNumber
		}
		n = p.times(x, p.just(1<<y.lo))
	default:
		n, exact = p.divided(op, x, y), false
	}
	if exact && !n.fitsIn(t) {
		return anyNumber
	}
	return n
}

// add is a sum of two bounds, none if one of them is.
func add(a, b int64) int64 {
	if a <= -unlimited || b <= -unlimited {
		return -unlimited
	}
	if a >= unlimited || b >= unlimited {
		return unlimited
	}
	return clamp(a + b)
}

func (p *program) sum(x, y num) num {
	return num{set: true, exact: p.bounds.plus(x.exact, 1, y.exact), lo: add(x.lo, y.lo), hi: add(x.hi, y.hi),
		upper: p.pairs(p.uppers(x), p.uppers(y), func(a, b *poly) *poly { return p.bounds.plus(a, 1, b) })}
}

func (p *program) difference(x, y num) num {
	n := num{set: true, exact: p.bounds.plus(x.exact, -1, y.exact), lo: add(x.lo, -y.hi), hi: add(x.hi, -y.lo)}
	var least []*poly // of y
	if y.exact != nil {
		least = append(least, y.exact)
	} else if y.lo > -unlimited {
		least = append(least, p.bounds.number(y.lo))
	}
	for _, l := range p.uppers(y) { // of y there are no more than x
		least := int64(unlimited)
		for _, b := range l {
			k, number := p.bounds.plus(x.exact, -1, b).constant()
			if !number {
				k = -unlimited
			}
			least = min(least, k)
		}
		n.lo = max(n.lo, least)
	}
	if least != nil {
		n.upper = p.eachUpper(p.uppers(x), func(a *poly) *poly { return p.bounds.plus(a, -1, least[0]) })
	}
	return n
}

func (p *program) times(x, y num) num {
	n := num{set: true, exact: p.bounds.product(x.exact, y.exact), lo: unlimited, hi: -unlimited}
	for _, a := range []int64{x.lo, x.hi} {
		for _, b := range []int64{y.lo, y.hi} {
			k := times(a, b)
			n.lo, n.hi = min(n.lo, k), max(n.hi, k)
		}
	}
	switch {
	case x.lo >= 0 && y.lo >= 0:
		n.upper = p.pairs(p.uppers(x), p.uppers(y), p.bounds.product)
	case y.lo >= 0 && y.exact != nil:
		n.upper = p.eachUpper(p.uppers(x), func(a *poly) *poly { return p.bounds.product(a, y.exact) })
	case x.lo >= 0 && x.exact != nil:
		n.upper = p.eachUpper(p.uppers(y), func(a *poly) *poly { return p.bounds.product(a, x.exact) })
	}
	return n
}

// divided is what operators make of two numbers that never leave the type.
func (p *program) divided(op cir.Op, x, y num) num {
	n := anyNumber
	switch op {
	case cir.Div:
		if y.lo < 1 || y.hi < y.lo { // or nobody gets here, and limits contradict one another
			return n
		}
		n.lo, n.hi = min(x.lo, 0), max(x.hi, 0)
		if x.lo >= 0 && x.hi < unlimited {
			n.hi = x.hi / y.lo
		}
		if x.lo >= 0 && y.hi < unlimited {
			n.lo = x.lo / y.hi
		}
		n.exact = p.bounds.quotient(x.exact, y.exact)
		n.upper = p.eachUpper(p.uppers(x), func(a *poly) *poly {
			if q := p.bounds.quotient(a, y.exact); q != nil || x.lo < 0 {
				return q
			}
			return a
		})
	case cir.Rem:
		if y.lo < 1 || y.hi < y.lo {
			return n
		}
		n.hi = add(y.hi, -1)
		if n.lo = -n.hi; x.lo >= 0 {
			n.lo, n.hi = 0, min(n.hi, x.hi)
		}
		n.upper = p.eachUpper(p.uppers(y), func(a *poly) *poly { return p.bounds.plus(a, -1, p.bounds.number(1)) })
	case cir.And:
		if x.lo < 0 {
			x, y = y, x
		}
		if x.lo < 0 {
			return n
		}
		n.lo, n.hi = 0, x.hi
		all := p.uppers(x)
		if y.lo >= 0 {
			n.hi = min(n.hi, y.hi)
			all = append(all, p.uppers(y)...)
		}
		n.upper = p.bounds.upper(all)
	case cir.Shr:
		if x.lo >= 0 {
			n.lo, n.hi = 0, x.hi
			n.upper = p.bounds.upper(p.uppers(x))
		}
	}
	return n
}

package linear

import (
	"math/bits"

	"comus/envmove/locpairs"
	"comus/ir"
	"comus/logic"
)

// term is a variable, by Var.Index, with its coefficient, which is not 0.
type term struct {
	v int
	c int64
}

// form is the sum of its terms, in the order of the variables.
type form []term

// end is an end of an interval; not known means open.
type end struct {
	at    int64
	known bool
}

// affine is a form plus some number between two ends; a constant has both ends there.
type affine struct {
	form
	lo, hi end
}

// Numbers stay below limit, so that nothing overflows; what does not is not known.
const limit = int64(1) << 61

// bounded returns the end at x if it is within the limits.
func bounded(x int64) end {
	if x <= -limit || x >= limit {
		return end{}
	}
	return end{x, true}
}

func (e end) add(o end) end {
	if !e.known || !o.known {
		return end{}
	}
	return bounded(e.at + o.at)
}

func (e end) times(c int64) end {
	if c == 0 {
		return end{0, true}
	}
	if !e.known {
		return end{}
	}
	p, ok := product(e.at, c)
	if !ok {
		return end{}
	}
	return end{p, true}
}

// product multiplies; false if the result is not within the limits.
func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo >= uint64(limit) {
		return 0, false
	}
	return a * b, true
}

// magnitude returns |a|.
func magnitude(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// small returns a value as an end.
func small(v *logic.Value) end {
	if v == nil {
		return end{}
	}
	n, ok := v.Int64()
	if !ok {
		return end{}
	}
	return bounded(n)
}

// plus adds c times g to a form; false if a coefficient is too large.
func (f form) plus(c int64, g form) (form, bool) {
	out := make(form, 0, len(f)+len(g))
	for i, j := 0, 0; i < len(f) || j < len(g); {
		if j == len(g) || i < len(f) && f[i].v < g[j].v {
			out = append(out, f[i])
			i++
			continue
		}
		t := term{g[j].v, 0}
		p, ok := product(c, g[j].c)
		if !ok {
			return nil, false
		}
		t.c = p
		if i < len(f) && f[i].v == t.v {
			t.c += f[i].c
			i++
		}
		j++
		if t.c <= -limit || t.c >= limit {
			return nil, false
		}
		if t.c != 0 {
			out = append(out, t)
		}
	}
	return out, true
}

// unknowns are numbers that a block chooses or computes in no linear way. In forms,
// number i is the variable -1-i.
type unknowns []unknown

// unknown is a number between two ends. If test is not nil, it is known what decides
// which of the two it is.
type unknown struct {
	lo, hi end
	test   *test
}

// test is the value of "c ? then : other" where c is sum ≤ k.
type test struct {
	sum         affine
	k           int64
	then, other int64
}

// most returns a form and a bound for it that have to hold for a ≤ bound: where a is a
// number decided by a test and one of its values is too large, the test has to come out
// the other way. It returns false where nothing can be said.
func (u unknowns) most(a affine, bound int64) (form, int64, bool) {
	if len(a.form) == 1 && a.form[0].v < 0 && u[-1-a.form[0].v].test != nil {
		t := u[-1-a.form[0].v].test
		fits := func(val int64) bool {
			e := a.hi.add(end{val, true}.times(a.form[0].c))
			return e.known && e.at <= bound
		}
		switch then, other := fits(t.then), fits(t.other); {
		case then && other:
			return nil, 0, true
		case other: // sum > k
			zero := end{0, true}
			neg, ok := affine{lo: zero, hi: zero}.plus(-1, t.sum)
			if !ok {
				return nil, 0, false
			}
			return u.most(neg, -t.k-1)
		case then:
			return u.most(t.sum, t.k)
		}
		return nil, -1, true // cannot hold
	}
	a = u.eliminate(a)
	left := end{bound, true}.add(a.hi.times(-1))
	return a.form, left.at, left.known
}

// eliminate replaces unknown numbers by what is between their ends.
func (u unknowns) eliminate(a affine) affine {
	for len(a.form) > 0 && a.form[0].v < 0 {
		t := a.form[0]
		lo, hi := u[-1-t.v].lo, u[-1-t.v].hi
		if t.c < 0 {
			lo, hi = hi, lo
		}
		a = affine{a.form[1:], a.lo.add(lo.times(t.c)), a.hi.add(hi.times(t.c))}
	}
	return a
}

// evaluator reads terms as affine ones: over the values before a block, whose
// commands so far have left env (by Var.Index) and, as intervals, vals.
type evaluator struct {
	p     *ir.Program
	tab   ir.SymTable
	vals  *locpairs.Values
	env   map[int]affine
	given unknowns
}

// unknown returns a new unknown number between the bounds of a term.
func (x *evaluator) unknown(t *logic.Term) affine {
	lo, hi := x.vals.Bounds(t)
	x.given = append(x.given, unknown{lo: small(lo), hi: small(hi)})
	zero := end{0, true}
	return affine{form{{-len(x.given), 1}}, zero, zero}
}

// choice returns what "c ? then : other" is, if c is an inequality and the values are
// constants.
func (x *evaluator) choice(t *logic.Term) affine {
	c := t.Args()[0]
	then, ok1 := t.Args()[1].Const()
	other, ok2 := t.Args()[2].Const()
	if c.Op() != logic.OpLe || !ok1 || !ok2 {
		return x.unknown(t)
	}
	bound, ok := c.Args()[1].Const()
	k, a, b := small(&bound), small(&then), small(&other)
	if !ok || !k.known || !a.known || !b.known {
		return x.unknown(t)
	}
	sum := x.eval(c.Args()[0])
	val := x.unknown(t)
	x.given[len(x.given)-1].test = &test{sum, k.at, a.at, b.at}
	return val
}

// eval returns what a term is.
func (x *evaluator) eval(t *logic.Term) affine {
	switch t.Op() {
	case logic.OpInt:
		v, _ := t.Const()
		if e := small(&v); e.known {
			return affine{lo: e, hi: e}
		}
	case logic.OpVar:
		v := x.tab[t]
		if a, ok := x.env[v.Index]; ok {
			return a
		}
		zero := end{0, true}
		return affine{form{{v.Index, 1}}, zero, zero}
	case logic.OpAdd:
		zero := end{0, true}
		sum := affine{lo: zero, hi: zero}
		for _, a := range t.Args() {
			var ok bool
			if sum, ok = sum.plus(1, x.eval(a)); !ok {
				return x.unknown(t)
			}
		}
		return sum
	case logic.OpMul:
		if v, ok := t.Args()[0].Const(); ok && len(t.Args()) == 2 {
			if c := small(&v); c.known {
				zero := end{0, true}
				if r, ok := (affine{lo: zero, hi: zero}).plus(c.at, x.eval(t.Args()[1])); ok {
					return r
				}
			}
		}
	case logic.OpIte:
		return x.choice(t)
	}
	return x.unknown(t)
}

// plus adds c times b, c not 0; false if a coefficient is too large.
func (a affine) plus(c int64, b affine) (affine, bool) {
	f, ok := a.form.plus(c, b.form)
	if c < 0 {
		b.lo, b.hi = b.hi, b.lo
	}
	return affine{f, a.lo.add(b.lo.times(c)), a.hi.add(b.hi.times(c))}, ok
}

// endpoint returns t = k as an inequality if k is the least or the largest value of t,
// and nil otherwise.
func (x *evaluator) endpoint(l *logic.Store, t, k *logic.Term) []*logic.Term {
	val, _ := k.Const()
	lo, hi := x.vals.Bounds(t)
	switch {
	case lo != nil && *lo == val:
		return []*logic.Term{l.Le(t, k)}
	case hi != nil && *hi == val:
		return []*logic.Term{l.Le(k, t)}
	}
	return nil
}

// run takes a command; false when it cannot be passed.
func (x *evaluator) run(c ir.Cmd) bool {
	var val affine
	if c.Kind == ir.Assign {
		val = x.eval(c.Expr)
	}
	if !x.vals.Run(c) {
		return false
	}
	switch c.Kind {
	case ir.Havoc:
		val = x.unknown(c.Var.Sym)
		fallthrough
	case ir.Assign:
		x.env[c.Var.Index] = val
	}
	x.narrow()
	return true
}

// narrow takes into account what is known of variables that have an unknown value.
func (x *evaluator) narrow() {
	for v, a := range x.env {
		if len(a.form) != 1 || a.form[0].v >= 0 || a.form[0].c != 1 || a.lo != a.hi || a.lo.at != 0 || !a.lo.known {
			continue
		}
		lo, hi := x.vals.Bounds(x.p.Vars[v].Sym)
		u := &x.given[-1-a.form[0].v]
		if e := small(lo); e.known && (!u.lo.known || e.at > u.lo.at) {
			u.lo = e
		}
		if e := small(hi); e.known && (!u.hi.known || e.at < u.hi.at) {
			u.hi = e
		}
	}
}

package values

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/zones"
)

// sumOf is a sum of what cells hold now, and a constant: what a register is, as a mathematical integer. It is never changed.
type sumOf struct {
	terms []term // by keys
	c     int64
}

type term struct {
	key  uint32
	coef int64
}

// Bounds of sums: their terms, coefficients and constants.
const (
	maxSumTerms = 6
	maxCoef     = 1 << 20
	maxConstant = 1 << 60
)

func cellSum(c *cell) *sumOf { return &sumOf{terms: []term{{c.key, 1}}} }

// plus returns f + k*g, nil if that is too much. f may not be nil, g may.
func (f *sumOf) plus(k int64, g *sumOf) *sumOf {
	if g == nil || k > maxCoef || k < -maxCoef || g.c != 0 && k != 1 && k != -1 && (g.c > maxConstant/maxCoef || g.c < -maxConstant/maxCoef) {
		return nil
	}
	h := &sumOf{c: f.c + k*g.c}
	coefs := map[uint32]int64{}
	for _, t := range f.terms {
		coefs[t.key] += t.coef
	}
	for _, t := range g.terms {
		coefs[t.key] += k * t.coef
	}
	for key, a := range coefs {
		if a > maxCoef || a < -maxCoef {
			return nil
		}
		if a != 0 {
			h.terms = append(h.terms, term{key, a})
		}
	}
	if len(h.terms) > maxSumTerms || h.c > maxConstant || h.c < -maxConstant {
		return nil
	}
	slices.SortFunc(h.terms, func(x, y term) int { return cmp.Compare(x.key, y.key) })
	return h
}

// coef returns the coefficient of a cell.
func (f *sumOf) coef(key uint32) int64 {
	for _, t := range f.terms {
		if t.key == key {
			return t.coef
		}
	}
	return 0
}

// form returns an operand as a sum, nil if it is none.
func (r *run) form(v cir.Value) *sumOf {
	if x, ok := v.(*cir.Reg); ok && r.forms[x] != nil {
		return r.forms[x]
	}
	if n, ok := r.value(v).Only(); ok && n <= maxConstant && n >= -maxConstant {
		return &sumOf{c: n}
	}
	return nil
}

// rebase goes on after a cell was assigned a sum of what was there before: registers that were computed of its old value are sums of the
// new one, if that can be told; otherwise they are none any more.
func (r *run) rebase(c *cell, f *sumOf) {
	k := int64(0)
	if f != nil {
		k = f.coef(c.key)
	}
	for x, g := range r.forms {
		a := g.coef(c.key)
		if a == 0 {
			continue
		}
		delete(r.forms, x)
		if k != 1 && k != -1 {
			continue
		}
		// new = k*old + rest: old = k*new - k*rest, and g = a*old + other.
		old := (&sumOf{}).plus(k, cellSum(c))
		rest := f.plus(-k, cellSum(c))
		if rest == nil {
			continue
		}
		if old = old.plus(-k, rest); old == nil {
			continue
		}
		if h := g.plus(-a, cellSum(c)); h != nil {
			if h = h.plus(a, old); h != nil {
				r.forms[x] = h
			}
		}
	}
}

// linear returns a sum of a pack's cells; ok is false if there are others in it.
func (p *pack) linear(f *sumOf) (lin zones.Linear, ok bool) {
	if f == nil {
		return lin, false
	}
	lin = zones.Constant(p.N, f.c)
	for _, t := range f.terms {
		i, in := p.index[t.key]
		if !in {
			return lin, false
		}
		lin.Coef[i] = t.coef
	}
	return lin, true
}

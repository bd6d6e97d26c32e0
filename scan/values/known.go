package values

import (
	"comus/cir"
	"comus/scan/zones"
)

// Known is what is known of some static scalars: in one of the cases all its sums hold. A sum has a coefficient for each scalar. What is known of several of
// them holds whenever a lock that guards them is free.
type Known struct {
	Of    []Scalar
	Cases []zones.Case
}

// Scalar is a number in a static object: its bytes.
type Scalar struct {
	Object    *cir.Global
	Off, Size int64
}

// Known returns what may help to prove the program otherwise: between which bounds static numbers are, and what those that a lock guards have to do with each other. It is
// what the analysis found, and not verified.
func (r *Result) Known() (list []Known) {
	var locks []uint32
	for _, c := range r.a.mem.cells {
		if c.lock && !r.a.solution.Get(place{kind: broken, n: int32(c.key)}).live {
			locks = append(locks, c.key|heldBit)
		}
		if k, ok := r.bounds(c); ok {
			list = append(list, k)
		}
	}
	for _, p := range r.a.packs {
		for _, key := range append(locks, depth) {
			if k, ok := r.related(p, key); ok {
				list = append(list, k)
			}
		}
	}
	return list
}

func scalarOf(c *cell) (Scalar, bool) {
	ok := c.obj.Global != nil && !c.many && c.str == nil && isNumber(c.typ)
	return Scalar{c.obj.Global, c.off, c.size}, ok
}

// bounds returns those of a number, ok if they are narrower than its type's.
func (r *Result) bounds(c *cell) (k Known, ok bool) {
	x, ok := scalarOf(c)
	if !ok || !c.static {
		return k, false
	}
	v := r.a.solution.Get(place{kind: written, n: int32(c.key)}).v.of(c.typ)
	lo, hi, ok := v.Bounds()
	least, most, known := all(c.typ).Bounds()
	if !ok {
		return k, false
	}
	var sums []zones.Linear
	if !known || lo > least {
		sums = append(sums, zones.Linear{Coef: []int64{-1}, C: lo})
	}
	if !known || hi < most {
		sums = append(sums, zones.Linear{Coef: []int64{1}, C: -hi})
	}
	return Known{[]Scalar{x}, []zones.Case{{Most: sums}}}, len(sums) > 0
}

// related returns what the cells of a pack have to do with each other when a lock is free.
func (r *Result) related(p *pack, key uint32) (k Known, ok bool) {
	f := r.a.solution.Get(place{kind: related, n: int32(p.id), block: int32(key)})
	if !f.live || len(f.z) == 0 || f.z[0] == nil || f.z[0].Trivial() {
		return k, false
	}
	var at []int // the places of the static ones in the pack
	for i, c := range p.cells {
		if x, ok := scalarOf(c); ok {
			k.Of, at = append(k.Of, x), append(at, i)
		}
	}
	for _, c := range f.z[0].Cases() {
		x := zones.Case{Most: p.about(at, c.Most), Equal: p.about(at, c.Equal)}
		if len(x.Most)+len(x.Equal) == 0 { // then nothing is known
			return k, false
		}
		k.Cases = append(k.Cases, x)
	}
	return k, len(k.Of) > 1
}

// about returns the sums that are about some cells alone, and say more than types do.
func (p *pack) about(at []int, list []zones.Linear) (out []zones.Linear) {
	for _, f := range list {
		short, others := zones.Linear{C: f.C}, 0
		for _, a := range f.Coef {
			if a != 0 {
				others++
			}
		}
		for _, i := range at {
			if short.Coef = append(short.Coef, f.Coef[i]); f.Coef[i] != 0 {
				others--
			}
		}
		if others == 0 && !p.limit(f) {
			out = append(out, short)
		}
	}
	return out
}

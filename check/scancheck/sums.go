package scancheck

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

// An address that is computed again from the same parts is the same: &t->bucket[i] of the lock, and of what it guards. So the address of an element has a second name, by the register that was given
// it first ("available expressions", Aho, Lam, Sethi and Ullman 2006, 9.2.6). It is known at the beginning of a block if it is wherever control comes from.

// sum is an address: what base is, plus scale times what index is, as a number of a type.
type sum struct {
	base   string
	index  name
	bits   int
	signed bool
	scale  int64
}

// rests reports whether a sum means something else when a symbol does.
func (k sum) rests(base string) bool { return k.base == base || k.index.Base == base }

// sumOf returns the sum that an instruction computes, but for a constant.
func (x *locks) sumOf(in cir.Instr, s *state) (k sum, plus int64, ok bool) {
	o, isOffset := in.(*cir.Offset)
	if !isOffset || o.Index == nil {
		return k, 0, false
	}
	p, known := s.value(o.P)
	i, counted := s.value(o.Index)
	t := x.prog.Model.TypeOf(o.Index)
	if plus = p.Off + o.Disp; !known || !counted || p.Base == "" || i.Base == "" || t.Kind != cir.IntKind || plus >= maxApart || plus <= -maxApart {
		return k, 0, false
	}
	return sum{p.Base, i, t.Bits, t.Signed, o.Scale}, plus, true
}

// sum notes that a register was given the address of an element, and the name that it has from before. It is told what the sum was before the register was given anything.
func (s *state) sum(k sum, plus int64, r *cir.Reg) {
	own := fresh(r)
	if k.rests(own.Base) {
		return
	}
	if n, have := s.sums[k]; have {
		s.again[own.Base] = name{Base: n.Base, Off: n.Off + plus}
	} else {
		s.sums[k] = name{Base: own.Base, Off: -plus}
	}
}

// secondName returns the other name of an address.
func (s *state) secondName(n name) (name, bool) {
	m, ok := s.again[n.Base]
	return name{Base: m.Base, Off: m.Off + n.Off}, ok
}

// forget takes out what rests on a symbol.
func (s *state) forget(base string) {
	for k, n := range s.sums {
		if k.rests(base) || n.Base == base {
			delete(s.sums, k)
		}
	}
	for b, n := range s.again {
		if b == base || n.Base == base {
			delete(s.again, b)
		}
	}
}

// arrive notes which sums are known where control comes to a block. It reports whether these are others than before.
func (c *claim) arrive(s *state, b *cir.Block) (changed bool) {
	kept := map[sum]name{}
	renewed := func(base string) bool {
		return strings.HasPrefix(base, fmt.Sprintf("meet:%d:", b.Index)) || slices.ContainsFunc(b.Params, func(p *cir.Reg) bool { return fresh(p).Base == base })
	}
	for k, n := range s.sums {
		if !renewed(k.base) && !renewed(k.index.Base) && !renewed(n.Base) {
			kept[k] = n
		}
	}
	if !c.reached {
		c.reached, c.sums = true, kept
		return len(kept) > 0
	}
	for k, n := range c.sums {
		if kept[k] != n {
			delete(c.sums, k)
			changed = true
		}
	}
	return changed
}

// constant returns the number that an index is in any case. One that went through a local is no negative one, and of a type in which it is the same with and without a sign.
func (x *locks) constant(v cir.Value, s *state) (int64, bool) {
	if i, known := v.(cir.Int); known {
		return int64(i.Lo), true
	}
	n, known := s.value(v)
	t := x.prog.Model.TypeOf(v)
	return n.Off, known && n.Base == "" && n.Off >= 0 && n.Off <= 1<<30 && t.Kind == cir.IntKind && t.Bits >= 32
}

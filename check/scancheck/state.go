package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// name is a value by name, as in a certificate.
type name = certificate.Name

// lock is one that is held in any case.
type lock struct {
	names   []name
	at      []pointsto.Location // nothing: anywhere
	reading bool
}

// is reports whether a lock has a name.
func (l *lock) is(n name) bool { return slices.Contains(l.names, n) }

// mayBe reports whether a lock may be one at other places, or with other names: it is not if both are a known distance apart, or in different places.
func (l *lock) mayBe(names []name, at []pointsto.Location) bool {
	for _, n := range l.names {
		for _, m := range names {
			if n.Base == m.Base && n.Off != m.Off {
				return false
			}
		}
	}
	return overlap(l.at, at)
}

// overlap reports whether two addresses may be the same. Where nothing is known of one, they may.
func overlap(x, y []pointsto.Location) bool {
	if len(x) == 0 || len(y) == 0 {
		return true
	}
	for _, p := range x {
		for _, q := range y {
			if p.Obj == q.Obj && (p.Off == q.Off || p.Off == pointsto.Any || q.Off == pointsto.Any) {
				return true
			}
		}
	}
	return false
}

// state is what is known where control is, in a function.
type state struct {
	fn    *cir.Func
	cells map[int]name // of locals that are followed
	regs  map[int]name
	held  []lock
	// tried are locks that are held if a register is 0; truths are registers that tell, by being 1 or 0, that another one is 0.
	tried  map[int]lock
	truths map[int]truth
	// owned are the bases of addresses of objects that no other thread knows: all that is known of such an address is named by that base.
	owned map[string]bool
	// exprs are what was computed, by the registers that it was given to first, and again has the other names of those that it was given to later.
	exprs map[expr]name
	again map[string]name
}

// truth tells that a register is 0 if another one, a truth value, is (or is not).
type truth struct {
	reg int
	if1 bool
}

func newState(f *cir.Func) *state {
	s := &state{fn: f, cells: map[int]name{}, regs: map[int]name{}, tried: map[int]lock{}, truths: map[int]truth{}, owned: map[string]bool{}, exprs: map[expr]name{}, again: map[string]name{}}
	for i, p := range f.Params {
		s.regs[p.Reg.Index] = name{Base: fmt.Sprintf("param:%d", i)}
	}
	return s
}

// value returns the name of an operand; ok is false if it has none.
func (s *state) value(v cir.Value) (n name, ok bool) {
	switch v := v.(type) {
	case *cir.Reg:
		if n, ok = s.regs[v.Index]; ok {
			return n, true
		}
		return fresh(v), true
	case cir.Int:
		if v.Hi == 0 && v.Lo < 1<<40 {
			return name{Off: int64(v.Lo)}, true
		}
	case cir.Null:
		if v.Addr < 1<<40 {
			return name{Off: int64(v.Addr)}, true
		}
	case *cir.Global:
		return name{Base: "global:" + v.Name}, true
	case *cir.Local:
		return name{Base: fmt.Sprintf("local:%d", v.Index)}, true
	}
	return n, false
}

func fresh(r *cir.Reg) name { return name{Base: fmt.Sprintf("reg:%d", r.Index)} }

// assign gives a register a value; what rests on what it held is forgotten.
func (s *state) assign(r *cir.Reg, n name, ok bool) {
	if r == nil {
		return
	}
	old := fresh(r).Base
	for c, x := range s.cells {
		if x.Base == old {
			delete(s.cells, c)
		}
	}
	for c, x := range s.regs {
		if x.Base == old {
			delete(s.regs, c)
		}
	}
	s.held = unnamed(s.held, old)
	s.forget(old)
	delete(s.owned, old)
	delete(s.regs, r.Index)
	delete(s.tried, r.Index)
	delete(s.truths, r.Index)
	for k, t := range s.truths {
		if t.reg == r.Index {
			delete(s.truths, k)
		}
	}
	for k, l := range s.tried {
		if ls := unnamed([]lock{l}, old); len(ls) == 0 {
			delete(s.tried, k)
		} else {
			s.tried[k] = ls[0]
		}
	}
	if ok && n.Base != old {
		s.regs[r.Index] = n
	}
}

// unnamed returns locks without the names that rest on a symbol.
func unnamed(held []lock, base string) (out []lock) {
	for _, l := range held {
		var names []name
		for _, n := range l.names {
			if n.Base != base {
				names = append(names, n)
			}
		}
		if l.names = names; len(names) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// drop forgets the locks for which f holds.
func (s *state) drop(f func(*lock) bool) {
	var kept []lock
	for _, l := range s.held {
		if !f(&l) {
			kept = append(kept, l)
		}
	}
	s.held = kept
	for r, l := range s.tried {
		if f(&l) {
			delete(s.tried, r)
		}
	}
}

// take notes that a lock is held.
func (s *state) take(l lock) {
	if len(l.names) == 0 {
		return
	}
	for i, m := range s.held {
		if slices.ContainsFunc(l.names, m.is) {
			m.names = slices.Clone(m.names)
			for _, n := range l.names {
				if !m.is(n) {
					m.names = append(m.names, n)
				}
			}
			m.reading = m.reading || l.reading
			s.held = slices.Clone(s.held)
			s.held[i] = m
			return
		}
	}
	s.held = append(slices.Clip(s.held), l)
}

// cell returns the local that an access is of as a whole, if it is followed.
func (x *locks) cell(f *cir.Func, addr cir.Value) (*cir.Local, bool) {
	l, ok := addr.(*cir.Local)
	return l, ok && x.followed(f)[l]
}

// followed returns the locals that are only loaded and stored as a whole, in functions that nobody jumps back to.
func (x *locks) followed(f *cir.Func) map[*cir.Local]bool {
	if m, known := x.plainLocals[f]; known {
		return m
	}
	m := cir.PlainLocals(f)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				clear(m)
			}
		}
	}
	x.plainLocals[f] = m
	return m
}

package counted

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A carrier is an object that is allocated to be handed to a new thread, and in which a member leads to a counted object: the reference goes with it. Threads write that member of carriers only that they have
// allocated, or were handed, and have neither freed nor handed on: so it holds in the new thread what it held when that was created.

// carriers says which objects are such, and where their member is.
type carriers struct {
	objects map[*pointsto.Object]bool
	field   int64
}

// carried is a carrier that a thread has: what its member holds.
type carried struct {
	there bool
	holds value
}

const maxCarriers = 2

// carriersOf returns the carriers of objects with a counter: what threads are given that was allocated, and has a member which leads to one.
func (r *rule) carriersOf(c *counter) (x carriers) {
	x.objects = map[*pointsto.Object]bool{}
	for t := range r.in.Threads() {
		for _, f := range r.in.Starts(t) {
			if t == 0 || len(f.Func.Params) == 0 {
				continue
			}
			for _, l := range r.places(f, f.Func.Params[0].Reg) {
				if r.isMade(l.Obj) && !c.objects[l.Obj] && l.Off == 0 {
					x.objects[l.Obj] = true
				}
			}
		}
	}
	var offs []int64
	for _, cp := range r.copies {
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*cir.Store)
				if !ok || cp.Func.Library || !s.Type.IsPointer() {
					continue
				}
				for _, l := range r.places(cp, s.Addr) {
					if x.objects[l.Obj] && slices.ContainsFunc(r.pts.Contents(l.Obj, l.Off), func(m pointsto.Location) bool { return c.objects[m.Obj] }) && !slices.Contains(offs, l.Off) {
						offs = append(offs, l.Off)
					}
				}
			}
		}
	}
	for o := range x.objects {
		if len(offs) != 1 || !(pointsto.Location{Obj: o, Off: offs[0]}).Exact() || offs[0] < 0 {
			return carriers{}
		}
	}
	if len(offs) == 1 {
		x.field = offs[0]
	}
	return x
}

func (w *walk) toCarrier(at []pointsto.Location) bool {
	return len(w.form.carriers.objects) > 0 && slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.form.carriers.objects[l.Obj] })
}

// carriers are loaded and stored: the member is known of those that the thread has. The result tells whether an access goes to the member of one that it has.
func (w *walk) inCarrier(s *state, addr cir.Value, size int64, write bool, in cir.Located, ch *choice) (i int, exact bool) {
	at := w.places(w.copies[s.top().copy], addr)
	if !w.toCarrier(at) {
		return -1, false
	}
	v := w.value(s, addr, ch)
	field := w.form.carriers.field
	if v.kind == carrier {
		if !meets(v.off, size, field, w.word) {
			return -1, false
		}
		return int(v.n), v.off == field && size == w.word
	}
	if v.kind == number {
		ch.dead = true // undefined
		return -1, false
	}
	hit := slices.ContainsFunc(at, func(l pointsto.Location) bool {
		return w.form.carriers.objects[l.Obj] && (!l.Exact() || meets(l.Off, size, field, w.word))
	})
	if write && hit {
		w.no("a member of what may be handed to another thread is written", in)
	}
	return -1, false
}

// carry gives a new carrier a name, if there are not too many.
func (w *walk) carry(s *state, holds value) value {
	for i := range s.carriers {
		if !s.carriers[i].there {
			s.carriers[i] = carried{true, holds}
			return value{kind: carrier, n: int64(i)}
		}
	}
	return value{kind: other}
}

// release forgets a carrier.
func (s *state) release(i int64) {
	s.carriers[i] = carried{}
	s.change(func(v value) value {
		if v.kind == carrier && v.n == i {
			return value{kind: other}
		}
		return v
	})
}

// forgetCarriers forgets those that nothing leads to.
func (s *state) forgetCarriers() {
	var used [maxCarriers]bool
	s.change(func(v value) value {
		if v.kind == carrier {
			used[v.n] = true
		}
		return v
	})
	for i := range used {
		if !used[i] {
			s.carriers[i] = carried{}
		}
	}
}

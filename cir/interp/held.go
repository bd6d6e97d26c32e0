package interp

import (
	"regexp"
	"slices"

	"comus/cir"
)

// A Held is a lock that a thread holds, or waits for ([Options.Held]).
type Held struct {
	Object *Object // that it lies in
	Offset int64
	Name   string    // as the program names it: that of a variable and member, or what the call says that took it, with the place of its allocation
	How    string    // of a read-write lock: "read" or "write"
	Site   *cir.Site // in the program, of the call that took it; nil: not known
}

// is reports whether two are the same lock.
func (h Held) is(l Held) bool { return h.Object == l.Object && h.Offset == l.Offset }

// heldKey is an access: the last one that a thread made to an object at a place.
type heldKey struct {
	thread int
	where  uint64
	object *Object
}

// took notes that a thread has taken the lock at p. What it holds is never changed, but made anew, so that it can be kept.
func (m *Machine) took(t *thread, p slot, how string) {
	if !m.opt.Held || p.obj == nil || p.obj.internal {
		return
	}
	h := Held{Object: p.obj, Offset: int64(p.lo), How: how}
	if slices.ContainsFunc(t.held, h.is) {
		return
	}
	_, _, h.Site, _ = m.places.describe(m.places.of(t.fr))
	h.Name = m.lockName(h)
	t = t.self()
	t.held = append(slices.Clone(t.held), h)
}

// gave notes that a thread has given the lock at p back.
func (m *Machine) gave(t *thread, p slot) {
	if t = t.self(); m.opt.Held {
		t.held = slices.DeleteFunc(slices.Clone(t.held), Held{Object: p.obj, Offset: int64(p.lo)}.is)
	}
}

// noteHeld keeps what a thread holds where it accesses an object.
func (r *races) noteHeld(t *thread, o *Object, where uint64) {
	if r.m.opt.Held {
		t = t.self()
		r.held[heldKey{t.id, where, o}] = t.held
	}
}

// lockArgument is what a statement takes that takes a lock.
var lockArgument = regexp.MustCompile(`lock\w*\(&?([^(),]+)[,)][^;]*$`)

// lockName returns what reports call a lock.
func (m *Machine) lockName(h Held) string {
	for _, g := range m.prog.Globals {
		if m.globals[g] == h.Object && g.Source != "" {
			if path, shown := g.Shape.Path(h.Offset*8, 32); shown {
				return g.Source + path
			}
		}
	}
	name := m.describe(h.Object)
	if l := m.localOf(h.Object); l != nil {
		if path, shown := l.Shape.Path(h.Offset*8, 32); shown {
			return name + path
		}
	}
	if h.Site == nil {
		return name
	}
	arg := lockArgument.FindStringSubmatch(h.Site.Text)
	if arg == nil {
		return name
	}
	if site := m.bornAt(h.Object); site != nil {
		return arg[1] + " (allocated at " + site.Pos.String() + ")"
	}
	return arg[1]
}

// localOf returns the local that an object is, by its name, in an activation that has not returned; nil if it is none.
func (m *Machine) localOf(o *Object) *cir.Local {
	for _, t := range m.threads {
		for f := t.fr; f != nil; f = f.caller {
			if !slices.Contains(f.objs, o) {
				continue
			}
			for _, l := range f.fn.f.Locals {
				if l.Name != "" && l.Name == o.name && l.Size == o.size {
					return l
				}
			}
			return nil
		}
	}
	return nil
}

// bornAt returns where an object of the heap was allocated, nil if that is not known.
func (m *Machine) bornAt(o *Object) *cir.Site {
	if o.kind != heapObject || o.shadow == nil || o.shadow.born == 0 {
		return nil
	}
	_, _, site, _ := m.places.describe(o.shadow.born)
	return site
}

// hold completes waits with the locks that their threads hold and wait for. A read-write lock that is known from a thread that waits for it alone is one, too.
func (m *Machine) hold(waits []Wait) {
	if !m.opt.Held {
		return
	}
	for i := range waits {
		w := &waits[i]
		w.Held = m.threads[w.Thread].held
		if w.lock.Object != nil {
			w.lock.Site = w.Site
			w.lock.Name = m.lockName(w.lock)
		}
		w.Lock = w.lock
	}
	for _, w := range waits {
		if w.lock.Object == nil || w.Holder < 0 {
			continue
		}
		for i := range waits {
			if by := &waits[i]; by.Thread == w.Holder && !slices.ContainsFunc(by.Held, w.lock.is) {
				l := w.lock
				l.Site = nil
				by.Held = append(slices.Clone(by.Held), l)
			}
		}
	}
}

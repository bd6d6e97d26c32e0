package interp

import (
	"encoding/binary"

	"comus/cir"
)

// A Leak is an object of the heap that was not freed when the program exited. It is lost if no pointer to it, or into it,
// can be reached from variables with static storage or the activations that have not returned: main's have, if main
// returned, and the threads' that still run have not. Of these what registers hold counts, too, as LeakSanitizer has it.
type Leak struct {
	Lost  bool
	Size  int64
	Site  *cir.Site // where the program allocated it
	Func  string
	Via   string // the function of the library that did
	Stack []Call
}

// findLeaks looks for leaks, when the run exits.
func (m *Machine) findLeaks() {
	reached := map[*Object]bool{}
	for _, o := range m.roots() {
		m.reach(o, reached)
	}
	for _, o := range m.heaped {
		if o.dead || o.internal {
			continue
		}
		l := Leak{Lost: !reached[o], Size: o.size}
		l.Func, l.Via, l.Site, l.Stack = m.places.describe(o.shadow.born)
		m.res.Leaks = append(m.res.Leaks, l)
	}
}

// roots are the objects that are known without a pointer in memory.
func (m *Machine) roots() []*Object {
	var all []*Object
	add := func(o *Object) {
		if o != nil && !o.dead && o != notSet {
			all = append(all, o)
		}
	}
	for _, o := range m.globals {
		add(o)
	}
	for _, t := range m.threads {
		if t.ended {
			continue
		}
		for _, o := range t.globals {
			add(o)
		}
		for f := t.fr; f != nil; f = f.caller {
			for _, o := range append(f.objs, f.owned...) {
				add(o)
			}
			for i := range f.fn.locals {
				add(f.s[f.fn.locals[i].slot].obj)
			}
			for _, p := range f.fn.f.Params {
				add(f.s[p.Reg.Index].obj)
			}
			for _, v := range f.va {
				add(v.Obj)
			}
			if t == m.cur {
				continue
			}
			for i := range f.s { // it is in the middle of something, with values that it has not stored yet
				add(f.s[i].obj)
			}
		}
	}
	return all
}

// reach adds an object and all that pointers in it lead to.
func (m *Machine) reach(o *Object, reached map[*Object]bool) {
	todo := []*Object{o}
	for len(todo) > 0 {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[o] || o.dead {
			continue
		}
		reached[o] = true
		if o.pages == nil {
			todo = append(todo, m.pointersIn(o, 0, o.data)...)
			continue
		}
		for i, p := range o.pages {
			todo = append(todo, m.pointersIn(o, i*pageSize, p.data)...)
		}
	}
}

// pointersIn returns the objects that the aligned words of a part of an object point into.
func (m *Machine) pointersIn(o *Object, at int64, data []byte) []*Object {
	var found []*Object
	w := m.wordSize()
	for i := int64(0); i+w <= int64(len(data)); i += w {
		var word [8]byte
		copy(word[:], data[i:i+w])
		if n := binary.LittleEndian.Uint64(word[:]); n != 0 {
			if p := m.getPointer(o, at+i, n); p.obj != nil && (p.lo == 0 || p.lo < uint64(p.obj.size)) { // as LeakSanitizer has it: not right behind it
				found = append(found, p.obj)
			}
		}
	}
	return found
}

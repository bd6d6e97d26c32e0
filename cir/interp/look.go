package interp

import "comus/cir"

// An Onlooker is a [Tracer] that looks at memory, too: it is told which machine makes the run, before that begins.
type Onlooker interface {
	Tracer
	Runs(m *Machine)
}

// onlooked tells an onlooker of the machine.
func (m *Machine) onlooked() {
	if o, ok := m.opt.Tracer.(Onlooker); ok {
		o.Runs(m)
	}
}

// Known is what can be said of an object: the variable that it is; of one on the heap, where the program allocated it.
type Known struct {
	Global *cir.Global
	Born   *cir.Site
}

// Known says which object it is.
func (m *Machine) Known(o *Object) Known {
	k := Known{Born: m.bornAt(o)}
	for _, g := range m.prog.Globals { // variables of threads are in none
		if m.globals[g] == o {
			k.Global = g
			break
		}
	}
	return k
}

// Dead reports whether the life of an object has ended.
func (m *Machine) Dead(o *Object) bool { return o.dead }

// Code returns the function whose address is that of an object, nil if it is none of a function.
func (m *Machine) Code(o *Object) *cir.Func {
	if o == nil || o.kind != codeObject {
		return nil
	}
	return o.owner.f
}

// Look returns what a scalar of at most 64 bits is now, or a pointer. It changes nothing; known is false if there is no such scalar, or nobody has written it.
func (m *Machine) Look(o *Object, off int64, t cir.Type) (v Value, known bool) {
	n := m.prog.Model.SizeOf(t)
	if o == nil || o.dead || o.kind == codeObject || o.kind == labelObject || n > 8 || off < 0 || off > o.size-n {
		return Value{}, false
	}
	var data, undef [8]byte
	m.read(o, off, data[:n], undef[:n])
	if any1(undef[:n]) {
		return Value{}, false
	}
	v.Type = t
	for i := n - 1; i >= 0; i-- {
		v.Lo = v.Lo<<8 | uint64(data[i])
	}
	switch {
	case t.IsPointer():
		p := m.getPointer(o, off, v.Lo)
		v.Lo, v.Obj = p.lo, p.obj
	case t.IsInt():
		s := normal(v.Lo, 0, t)
		v.Lo, v.Hi = s.lo, s.hi
	}
	return v, true
}

// Creations says where a thread was created, as [Side.Created] does.
func (m *Machine) Creations(thread int) []Creation {
	s := Side{Thread: thread}
	m.describeSide(&s, 0)
	return s.Created
}

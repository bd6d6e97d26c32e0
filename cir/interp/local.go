package interp

import "comus/cir"

// Locals that are scalars and are only loaded and stored as a whole, in one type, have no object: a slot holds
// the value. Its obj says whether the local is alive and was written.

var (
	notAlive = &Object{name: "not alive", dead: true}
	notSet   = &Object{name: "not set", dead: true}
)

// scalars returns the locals that need no object.
func (c *compiler) scalars() map[*cir.Local]bool {
	types := map[*cir.Local]cir.Type{}
	not := map[*cir.Local]bool{}
	access := func(v cir.Value, a *cir.Access) {
		l, ok := v.(*cir.Local)
		if !ok {
			return
		}
		if t, seen := types[l]; a.Bits != nil || seen && t != a.Type || c.m.prog.Model.SizeOf(a.Type) != l.Size {
			not[l] = true
		}
		types[l] = a.Type
	}
	other := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			not[l] = true
		}
	}
	for _, b := range c.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				access(in.Addr, &in.Access)
			case *cir.Store:
				access(in.Addr, &in.Access)
				other(in.X)
			case nil:
			default:
				cir.Operands(in, other)
			}
		}
		cir.TermOperands(b.Term, other)
	}
	found := map[*cir.Local]bool{}
	for l := range types {
		if _, ok := c.local[l]; ok && !not[l] {
			found[l] = true
		}
	}
	return found
}

// promoted returns the local that an address is, if it needs no object.
func (c *compiler) promoted(addr cir.Value) (*local, bool) {
	if l, ok := addr.(*cir.Local); ok {
		if i, ok := c.local[l]; ok && c.locals[i].promoted {
			return &c.locals[i], true
		}
	}
	return nil, false
}

// loadLocal returns what loads a local without object.
func loadLocal(t cir.Type) handler {
	switch {
	case t.IsPointer():
		return loadLocalPtr
	case t.Bits > 64:
		return loadLocalWide
	}
	return loadLocal64
}

func loadLocal64(t *thread, f *frame, in *inst) bool {
	l := &f.s[in.a]
	if l.obj != nil {
		return loadUnset(t, f, in)
	}
	f.s[in.d].lo = l.lo
	return true
}

func loadLocalWide(t *thread, f *frame, in *inst) bool {
	l := &f.s[in.a]
	if l.obj != nil {
		return loadUnset(t, f, in)
	}
	f.s[in.d] = *l
	return true
}

func loadLocalPtr(t *thread, f *frame, in *inst) bool {
	l := &f.s[in.a]
	if l.obj == notSet || l.obj == notAlive {
		return loadUnset(t, f, in)
	}
	f.s[in.d] = *l
	return true
}

// loadUnset loads a local that was never written, or is not alive.
func loadUnset(t *thread, f *frame, in *inst) bool {
	if f.s[in.a].obj == notAlive {
		return t.m.undefined(CheckMemory, "'"+in.x.why+"' after the end of its life")
	}
	f.s[in.d] = slot{}
	f.blur(in.d, ^uint64(0))
	return t.readsUnset(in)
}

// storeLocal returns what stores into a local without object.
func storeLocal(t cir.Type) handler {
	switch {
	case t.IsPointer():
		return storeLocalPtr
	case t.Bits > 64:
		return storeLocalWide
	}
	return storeLocal64
}

func storeLocal64(t *thread, f *frame, in *inst) bool {
	l := &f.s[in.a]
	if l.obj != nil {
		if l.obj == notAlive {
			return t.m.undefined(CheckMemory, "'"+in.x.why+"' after the end of its life")
		}
		l.obj = nil
	}
	l.lo = f.s[in.b].lo
	return true
}

func storeLocalWide(t *thread, f *frame, in *inst) bool {
	l, x := &f.s[in.a], &f.s[in.b]
	if l.obj == notAlive {
		return t.m.undefined(CheckMemory, "'"+in.x.why+"' after the end of its life")
	}
	l.lo, l.hi, l.obj = x.lo, x.hi, nil
	return true
}

func storeLocalPtr(t *thread, f *frame, in *inst) bool {
	l := &f.s[in.a]
	if l.obj == notAlive {
		return t.m.undefined(CheckMemory, "'"+in.x.why+"' after the end of its life")
	}
	*l = f.s[in.b]
	return true
}

package interp

import (
	"encoding/binary"

	"comus/cir"
)

// A va_list object holds a cookie: the number of a list of arguments, and the place of the next one. The place is in
// the object, so that copies of it are copies, whoever made them.

// vaList is the arguments of an activation that has begun to read them.
type vaList struct{ args []Value }

// placeBits is how many bits of a cookie are the place.
func (m *Machine) placeBits() uint {
	if m.words == 2 {
		return 12
	}
	return 24
}

// vaStart makes a va_list of the activation's variable arguments.
func vaStart(t *thread, f *frame, in *inst) bool {
	m := t.m
	m.lastVa++
	if m.words == 2 && m.lastVa >= 1<<19 {
		m.lastVa = 1
	}
	m.vas[m.lastVa] = &vaList{f.va}
	f.vas = append(f.vas, m.lastVa)
	return t.decides(f, in.a) && t.putCookie(f.s[in.a], m.lastVa<<m.placeBits())
}

// putCookie stores a cookie in a va_list object.
func (t *thread) putCookie(ap slot, cookie uint64) bool {
	w := t.m.wordSize()
	o, off, ok := t.valid(ap, w, true)
	if !ok {
		return false
	}
	var b [24]byte
	binary.LittleEndian.PutUint64(b[:], cookie)
	n := w
	if w == 8 && off+24 <= o.size {
		n = 24
	}
	t.m.write(o, off, b[:n], nil)
	return true
}

// cookie reads a va_list object.
func (t *thread) cookie(ap slot) (list *vaList, at, cookie uint64, ok bool) {
	m := t.m
	if ap.obj == nil && m.words == 2 && ap.lo>>m.placeBits() != 0 {
		cookie = ap.lo // a va_list that is passed by value
	} else {
		o, off, ok := t.valid(ap, m.wordSize(), false)
		if !ok {
			return nil, 0, 0, false
		}
		b, set := m.bytesAt(o, off, m.wordSize())
		if !set {
			m.res.Uninitialised = true
			m.stop(Undefined, CheckUninit, "a va_list without va_start")
			return nil, 0, 0, false
		}
		cookie = binary.LittleEndian.Uint64(append(b, 0, 0, 0, 0))
	}
	list = m.vas[cookie>>m.placeBits()]
	if list == nil {
		m.stop(Undefined, CheckCall, "a va_list without va_start, or whose function has returned")
		return nil, 0, 0, false
	}
	return list, cookie & (1<<m.placeBits() - 1), cookie, true
}

// nextArg returns the next variable argument of a va_list and goes on to the one after.
func (t *thread) nextArg(ap slot) (Value, bool) {
	list, at, cookie, ok := t.cookie(ap)
	if !ok {
		return Value{}, false
	}
	if at >= uint64(len(list.args)) {
		if t.m.undefined(CheckCall, "there are "+itoa(int64(len(list.args)))+" variable arguments, and more are read") {
			return Value{Type: cir.U64, undef: ^uint64(0)}, true
		}
		return Value{}, false
	}
	if ap.obj != nil && !t.putCookie(ap, cookie+1) {
		return Value{}, false
	}
	return list.args[at], true
}

// vaArg reads a scalar.
func vaArg(t *thread, f *frame, in *inst) bool {
	if !t.decides(f, in.a) {
		return false
	}
	v, ok := t.nextArg(f.s[in.a])
	if !ok {
		return false
	}
	ty := in.x.types[0]
	if !fitsArg(v, ty) {
		if !t.m.undefined(CheckCall, "va_arg of type "+ty.String()+", the argument is "+v.kind()) {
			return false
		}
	}
	if v.shape != nil {
		v = Value{Type: ty, undef: ^uint64(0)}
	}
	f.s[in.d] = t.adapt(v.slot(), v.Type, ty)
	f.set(in.d, v.undef)
	return true
}

// kind is what a variable argument is.
func (v Value) kind() string {
	if v.shape != nil {
		return "a struct"
	}
	return v.Type.String()
}

// fitsArg reports whether a variable argument may be read as a type: the same, but for signs; pointers as
// integers of their size; and 0 as a pointer of any size.
func fitsArg(v Value, ty cir.Type) bool {
	return v.shape == nil && (like(v.Type, ty) || ty.IsPointer() && v.Type.IsInt() && v.Lo == 0)
}

// vaArgStruct reads a struct.
func vaArgStruct(t *thread, f *frame, in *inst) bool {
	if !t.decides(f, in.a) || !t.decides(f, in.b) {
		return false
	}
	v, ok := t.nextArg(f.s[in.a])
	if !ok {
		return false
	}
	n := int64(in.imm)
	if v.shape == nil || v.shape.Size != n {
		t.m.stop(Undefined, CheckCall, "va_arg of a struct of "+itoa(n)+" bytes, the argument is "+v.kind())
		return false
	}
	if n == 0 {
		return true
	}
	src, from, ok := t.valid(v.slot(), n, false)
	if !ok {
		return false
	}
	dst, to, ok := t.valid(f.s[in.b], n, true)
	if ok {
		t.m.copyBytes(dst, to, src, from, n)
	}
	return ok
}

// vaCopy copies a va_list.
func vaCopy(t *thread, f *frame, in *inst) bool {
	if !t.decides(f, in.a) || !t.decides(f, in.b) {
		return false
	}
	_, _, cookie, ok := t.cookie(f.s[in.b])
	return ok && t.putCookie(f.s[in.a], cookie)
}

package interp

import "encoding/binary"

// jump is where a setjmp returns to.
type jump struct {
	thread int
	f      *frame
	serial uint64
	pc     int32
	d      int32
}

// setjmp notes the place in the machine and its number in the buffer.
func setjmp(t *thread, f *frame, in *inst, a []slot) bool {
	m := t.m
	f.give(in, 0)
	w := m.wordSize()
	o, off, ok := t.valid(a[0], w, true)
	if !ok {
		return false
	}
	j := jump{t.id, f, f.serial, f.pc, in.d}
	b, _ := m.bytesAt(o, off, w)
	id := binary.LittleEndian.Uint64(append(b[:w:w], 0, 0, 0, 0))
	if id == 0 || id > uint64(len(m.jumps)) || m.jumps[id-1] != j {
		m.jumps = append(m.jumps, j)
		id = uint64(len(m.jumps))
	}
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], id)
	m.write(o, off, buf[:w], nil)
	return true
}

// longjmp goes back to a setjmp.
func longjmp(t *thread, f *frame, in *inst, a []slot) bool {
	m := t.m
	w := m.wordSize()
	o, off, ok := t.valid(a[0], w, false)
	if !ok {
		return false
	}
	b, set := m.bytesAt(o, off, w)
	id := binary.LittleEndian.Uint64(append(b[:w:w], 0, 0, 0, 0))
	if !set || id == 0 || id > uint64(len(m.jumps)) {
		m.stop(Undefined, CheckCall, "longjmp without setjmp")
		return false
	}
	if t.within != nil {
		m.approximate("a jump out of a handler of signals", f.site())
	}
	j := m.jumps[id-1]
	to, inner := t.fr, false
	for to != nil && (to != j.f || to.serial != j.serial) {
		inner = inner || to.bottom && to.caller != nil
		to = to.caller
	}
	switch {
	case to == nil || j.thread != t.id:
		m.stop(Undefined, CheckCall, "longjmp to a function that has returned")
		return false
	case inner:
		return m.fail(errorf("longjmp out of a function that the library calls"))
	}
	for t.fr != to {
		g := t.fr
		t.fr = g.caller
		t.release(g)
	}
	to.pc = j.pc
	if j.d >= 0 {
		v := uint64(int64(int32(a[1].lo)))
		if v == 0 {
			v = 1
		}
		to.s[j.d] = slot{lo: v}
		to.set(j.d, 0)
	}
	return true
}

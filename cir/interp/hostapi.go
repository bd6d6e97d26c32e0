package interp

import (
	"fmt"
	"slices"

	"comus/cir"
)

// What an External works with. A method that fails has ended the run: the External returns ErrStopped.

// Model is the program's data model.
func (m *Machine) Model() cir.Model { return m.prog.Model }

// Thread returns the thread that runs, which is not the one that it interrupts as a handler of signals.
func (m *Machine) Thread() int { return m.cur.id }

// Bytes returns the n bytes at p.
func (m *Machine) Bytes(p Value, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	m.reads(p, n)
	b, ok := m.cur.bytes(p.slot(), n)
	return b, stopped(ok)
}

// SetBytes writes bytes at p.
func (m *Machine) SetBytes(p Value, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if m.opt.Tracer != nil {
		m.opt.Tracer.Writes(p, b, Value{})
	}
	o, off, ok := m.cur.valid(p.slot(), int64(len(b)), true)
	if ok {
		m.write(o, off, b, nil)
	}
	return stopped(ok)
}

// CopyBytes copies n bytes, with the provenance of the pointers among them, as memmove does.
func (m *Machine) CopyBytes(to, from Value, n int64) error {
	if n == 0 {
		return nil
	}
	src, i, ok := m.cur.valid(from.slot(), n, false)
	if !ok {
		return ErrStopped
	}
	dst, j, ok := m.cur.valid(to.slot(), n, true)
	if ok {
		if m.opt.Tracer != nil {
			m.opt.Tracer.Writes(to, m.contents(src, i, n), Value{})
		}
		m.copyBytes(dst, j, src, i, n)
	}
	return stopped(ok)
}

// String returns the string at p, without its end.
func (m *Machine) String(p Value) (string, error) {
	s, ok := m.cur.cstring(p.slot(), -1)
	m.reads(p, int64(len(s))+1)
	return s, stopped(ok)
}

// Prefix returns what can be read of the string at p, of at most n bytes; it changes nothing.
func (m *Machine) Prefix(p Value, n int64) string {
	s := p.slot()
	if s.obj == nil && s.lo != 0 {
		s = m.pointerTo(s.lo)
	}
	o, off := s.obj, int64(s.lo)
	if o == nil || o.dead || o.kind == codeObject || o.kind == labelObject || off < 0 || off >= o.size {
		return ""
	}
	pg, i, k := m.at(o, off, min(n, o.size-off), false)
	b := pg.data[i : i+min(k, n, o.size-off)]
	if end := slices.Index(b, 0); end >= 0 {
		b = b[:end]
	}
	return string(b)
}

// Alloc makes an object of n bytes on the heap.
func (m *Machine) Alloc(n int64) Value {
	o := m.heap(uint64(n))
	m.allocated(o)
	return m.made(o)
}

// Static makes an object of n bytes, all 0, that is nobody's to free.
func (m *Machine) Static(name string, n int64) Value {
	o := m.newObject(name, n, 16, false)
	m.write(o, 0, make([]byte, n), nil)
	return m.made(o)
}

// Constant makes a string that nobody may write, and that is nobody's to free.
func (m *Machine) Constant(s string) Value {
	o := m.newObject("constant", int64(len(s))+1, 1, false)
	m.write(o, 0, []byte(s), nil)
	o.readonly = true
	p := m.made(o)
	if m.opt.Tracer != nil {
		m.opt.Tracer.Writes(p, append([]byte(s), 0), Value{})
	}
	return p
}

// Free ends the life of an object on the heap.
func (m *Machine) Free(p Value) error { return stopped(m.cur.free(p.slot())) }

// Format returns the text that printf makes of the format at p and arguments, and what it returns.
func (m *Machine) Format(p Value, args []Value) (text []byte, n int, err error) {
	f, err := m.String(p)
	if err != nil {
		return nil, 0, err
	}
	text, n, ok := m.cur.format(f, func() (Value, bool) {
		if len(args) == 0 {
			return Value{}, m.undefined(CheckCall, "too few arguments for a format")
		}
		v := args[0]
		args = args[1:]
		return v, true
	})
	return text, n, stopped(ok)
}

// Write writes to the standard output (1) or error (2).
func (m *Machine) Write(fd int, b []byte) error { return stopped(m.output(fd, b)) }

// Exit ends the run with a status: destructors do not run.
func (m *Machine) Exit(status int) error {
	m.exit(status)
	return ErrStopped
}

// Abort ends the run as abort does.
func (m *Machine) Abort() error {
	m.stop(Aborted, "", "")
	return ErrStopped
}

// Function returns the address of a function of the program by its name in the source.
func (m *Machine) Function(name string) (Value, bool) {
	for _, f := range m.prog.Funcs {
		if f.Source == name && len(f.Blocks) > 0 {
			return Value{Type: m.prog.Model.Pointer(), Obj: m.code(f)}, true
		}
	}
	return Value{}, false
}

// Global returns the address of a variable of static storage of the program, for the thread that runs.
func (m *Machine) Global(name string) (Value, error) {
	for _, g := range m.prog.Globals {
		if g.Source == name && !g.Literal {
			o, err := m.object(g)
			if m.opt.Tracer != nil && err == nil {
				m.opt.Tracer.Global(g, o)
			}
			return Value{Type: m.prog.Model.Pointer(), Obj: o}, err
		}
	}
	return Value{}, fmt.Errorf("there is no variable %q", name)
}

// Pointer returns the pointer that is stored at p.
func (m *Machine) Pointer(p Value) (Value, error) {
	t := m.prog.Model.Pointer()
	m.reads(p, m.prog.Model.SizeOf(t))
	x, _, ok := m.cur.load(p.slot(), &cir.Access{Type: t, Align: 1})
	return Value{Type: t, Lo: x.lo, Obj: x.obj}, stopped(ok)
}

// SetPointer stores a pointer at p.
func (m *Machine) SetPointer(p, x Value) error {
	if m.opt.Tracer != nil {
		m.opt.Tracer.Writes(p, nil, x)
	}
	return stopped(m.cur.store(p.slot(), x.slot(), 0, &cir.Access{Type: m.prog.Model.Pointer(), Align: 1}))
}

// Number returns a pointer as an integer.
func (m *Machine) Number(p Value) uint64 { return m.number(p.slot()) }

// contents returns a copy of bytes of an object.
func (m *Machine) contents(o *Object, off, n int64) []byte {
	var b []byte
	for int64(len(b)) < n {
		pg, i, k := m.at(o, off+int64(len(b)), n-int64(len(b)), false)
		b = append(b, pg.data[i:i+k]...)
	}
	return b
}

// made returns the address of a new object.
func (m *Machine) made(o *Object) Value {
	p := Value{Type: m.prog.Model.Pointer(), Obj: o}
	if m.opt.Tracer != nil {
		m.opt.Tracer.Makes(p, o.size)
	}
	return p
}

// reads tells the tracer that an External reads memory.
func (m *Machine) reads(p Value, n int64) {
	if m.opt.Tracer != nil {
		m.opt.Tracer.Reads(p, n)
	}
}

// stopped is the error of a method that did not succeed.
func stopped(ok bool) error {
	if ok {
		return nil
	}
	return ErrStopped
}

package interp

import (
	"io"

	"comus/cir"
)

func writeOut(t *thread, f *frame, in *inst, a []slot) bool {
	n, fd := int64(a[2].lo), int(int32(a[0].lo))
	if n == 0 || fd != 1 && fd != 2 {
		return true
	}
	b, ok := t.bytes(a[1], n)
	return ok && t.m.output(fd, b)
}

// bytes returns n bytes at p, for a function of the library.
func (t *thread) bytes(p slot, n int64) ([]byte, bool) {
	o, off, ok := t.valid(p, n, false)
	if !ok {
		return nil, false
	}
	if n > t.m.maxMemory {
		panic(limit("output of " + itoa(n) + " bytes"))
	}
	b, set := t.m.bytesAt(o, off, n)
	if !set && !t.m.given("the library is given indeterminate bytes") {
		return nil, false
	}
	return b, true
}

// output writes to a standard stream.
func (m *Machine) output(fd int, b []byte) bool {
	to, also := &m.res.Stdout, m.opt.Stdout
	switch fd {
	case 1:
	case 2:
		to, also = &m.res.Stderr, m.opt.Stderr
	default:
		return true
	}
	*to = append(*to, b...)
	if also != nil {
		if _, err := also.Write(b); err != nil {
			return m.fail(err)
		}
	}
	if int64(len(*to)) > m.opt.MaxOutput {
		m.stop(Limit, "", itoa(int64(len(*to)))+" bytes of output")
		return false
	}
	return true
}

func readIn(t *thread, f *frame, in *inst, a []slot) bool {
	n := int64(a[1].lo)
	if n <= 0 {
		return f.give(in, 0)
	}
	o, off, ok := t.valid(a[0], n, true)
	if !ok {
		return false
	}
	b := make([]byte, min(n, 1<<16))
	k, err := t.m.readIn(b, cirOf(in).Op == cir.ReadLine)
	if k > 0 {
		t.m.write(o, off, b[:k], nil)
		return f.give(in, int64(k))
	}
	if err == io.EOF {
		return f.give(in, -1)
	}
	if err != nil {
		return t.m.fail(err)
	}
	return f.give(in, 0)
}

// readIn reads from the standard input, not more than a line if asked to.
func (m *Machine) readIn(b []byte, line bool) (n int, err error) {
	m.observe(placeOfInput, 8, true)
	if m.opt.Atomics != nil {
		m.opt.Atomics.Reads()
	}
	if !line {
		return m.stdin.Read(b)
	}
	for n < len(b) {
		c, err := m.stdin.ReadByte()
		if err != nil {
			return n, err
		}
		b[n] = c
		if n++; c == '\n' {
			break
		}
	}
	return n, nil
}

// Package host performs a few functions of the C library for the interpreter of cir, in Go:
// those that a test program needs that is linked without the models. It is small on purpose, and for tests only:
// programs get their library from cfront/libc, whose models are C.
package host

import (
	"bytes"
	"sort"
	"strings"

	"comus/cir"
	"comus/cir/interp"
)

// Call is an [interp.External]. Functions of <math.h> of one or two floats are known, too.
func Call(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
	if f, ok := functions[name]; ok {
		if len(args) < f.args {
			return interp.Value{}, false, nil
		}
		r, err := f.do(m, args)
		return r, true, err
	}
	return mathematics(name, args)
}

type function struct {
	args int
	do   func(m *interp.Machine, a []interp.Value) (interp.Value, error)
}

// number is an int.
func number(n int64) interp.Value { return interp.Value{Type: cir.I32, Lo: uint64(int64(int32(n)))} }

// size is a size_t.
func size(m *interp.Machine, n int64) interp.Value {
	return interp.Value{Type: m.Model().Size(), Lo: uint64(n)}
}

// null is a null pointer.
func null(m *interp.Machine) interp.Value { return interp.Value{Type: m.Model().Pointer()} }

var functions map[string]function

func init() {
	functions = map[string]function{
		"malloc":  {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) { return m.Alloc(a[0].Int()), nil }},
		"calloc":  {2, calloc},
		"realloc": {2, realloc},
		"free": {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			if a[0].IsNull() {
				return interp.Value{}, nil
			}
			return interp.Value{}, m.Free(a[0])
		}},
		"abort": {0, func(m *interp.Machine, a []interp.Value) (interp.Value, error) { return interp.Value{}, m.Abort() }},
		"exit": {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			return interp.Value{}, m.Exit(int(a[0].Int()))
		}},
		"abs": {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			return number(max(a[0].Int(), -a[0].Int())), nil
		}},
		"printf":  {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) { return print1(m, a[0], a[1:]) }},
		"fprintf": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) { return print1(m, a[1], a[2:]) }},
		"sprintf": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			return format(m, a[0], 1<<40, a[1], a[2:])
		}},
		"snprintf": {3, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			return format(m, a[0], a[1].Int(), a[2], a[3:])
		}},
		"puts": {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, err := m.String(a[0])
			if err != nil {
				return number(0), err
			}
			return number(int64(len(s)) + 1), m.Write(1, []byte(s+"\n"))
		}},
		"putchar": {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			return number(a[0].Int() & 0xff), m.Write(1, []byte{byte(a[0].Int())})
		}},
		"memcpy":  {3, move},
		"memmove": {3, move},
		"memset": {3, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			return a[0], m.SetBytes(a[0], bytes.Repeat([]byte{byte(a[1].Int())}, int(a[2].Int())))
		}},
		"memcmp": {3, memcmp},
		"strlen": {1, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, err := m.String(a[0])
			return size(m, int64(len(s))), err
		}},
		"strcmp": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, t, err := two(m, a)
			return number(int64(strings.Compare(s, t))), err
		}},
		"strncmp": {3, strncmp},
		"strcpy": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, err := m.String(a[1])
			if err != nil {
				return a[0], err
			}
			return a[0], m.SetBytes(a[0], []byte(s+"\x00"))
		}},
		"strcat": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, t, err := two(m, a)
			if err != nil {
				return a[0], err
			}
			return a[0], m.SetBytes(a[0].Plus(int64(len(s))), []byte(t+"\x00"))
		}},
		"strchr": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, err := m.String(a[0])
			return found(m, a[0], strings.IndexByte(s+"\x00", byte(a[1].Int()))), err
		}},
		"strstr": {2, func(m *interp.Machine, a []interp.Value) (interp.Value, error) {
			s, t, err := two(m, a)
			return found(m, a[0], strings.Index(s, t)), err
		}},
		"qsort": {4, qsort},
	}
}

// two reads two strings.
func two(m *interp.Machine, a []interp.Value) (s, t string, err error) {
	if s, err = m.String(a[0]); err == nil {
		t, err = m.String(a[1])
	}
	return s, t, err
}

// found is the pointer i bytes behind p, or null if i is negative.
func found(m *interp.Machine, p interp.Value, i int) interp.Value {
	if i < 0 {
		return null(m)
	}
	return p.Plus(int64(i))
}

func calloc(m *interp.Machine, a []interp.Value) (interp.Value, error) {
	n := a[0].Int() * a[1].Int()
	p := m.Alloc(n)
	return p, m.SetBytes(p, make([]byte, n))
}

func realloc(m *interp.Machine, a []interp.Value) (interp.Value, error) {
	p := m.Alloc(a[1].Int())
	if a[0].IsNull() {
		return p, nil
	}
	if a[0].Obj != nil {
		if err := m.CopyBytes(p, a[0], min(a[1].Int(), a[0].Obj.Size())); err != nil {
			return p, err
		}
	}
	return p, m.Free(a[0])
}

func move(m *interp.Machine, a []interp.Value) (interp.Value, error) {
	return a[0], m.CopyBytes(a[0], a[1], a[2].Int())
}

func memcmp(m *interp.Machine, a []interp.Value) (interp.Value, error) {
	x, err := m.Bytes(a[0], a[2].Int())
	if err != nil {
		return number(0), err
	}
	y, err := m.Bytes(a[1], a[2].Int())
	return number(int64(bytes.Compare(x, y))), err
}

func strncmp(m *interp.Machine, a []interp.Value) (interp.Value, error) {
	for i := range a[2].Int() {
		x, err := m.Bytes(a[0].Plus(i), 1)
		if err != nil {
			return number(0), err
		}
		y, err := m.Bytes(a[1].Plus(i), 1)
		if err != nil || x[0] != y[0] || x[0] == 0 {
			return number(int64(x[0]) - int64(append(y, 0)[0])), err
		}
	}
	return number(0), nil
}

// print1 prints to the standard output.
func print1(m *interp.Machine, f interp.Value, args []interp.Value) (interp.Value, error) {
	text, n, err := m.Format(f, args)
	if err != nil {
		return number(0), err
	}
	return number(int64(n)), m.Write(1, text)
}

// format prints to memory, at most n bytes.
func format(m *interp.Machine, p interp.Value, n int64, f interp.Value, args []interp.Value) (interp.Value, error) {
	text, k, err := m.Format(f, args)
	if err != nil || n == 0 {
		return number(int64(k)), err
	}
	return number(int64(k)), m.SetBytes(p, append(text[:min(int64(len(text)), n-1)], 0))
}

// qsort sorts, stably, as glibc's merge sort does.
func qsort(m *interp.Machine, a []interp.Value) (interp.Value, error) {
	n, width := a[1].Int(), a[2].Int()
	tmp := m.Alloc(n * width)
	if err := m.CopyBytes(tmp, a[0], n*width); err != nil {
		return interp.Value{}, err
	}
	at := make([]int64, n)
	for i := range at {
		at[i] = int64(i)
	}
	var failed error
	sort.SliceStable(at, func(i, j int) bool {
		if failed != nil {
			return false
		}
		r, err := m.Call(a[3], tmp.Plus(at[i]*width), tmp.Plus(at[j]*width))
		failed = err
		return int32(r.Int()) < 0
	})
	for i, k := range at {
		if failed == nil {
			failed = m.CopyBytes(a[0].Plus(int64(i)*width), tmp.Plus(k*width), width)
		}
	}
	if failed != nil {
		return interp.Value{}, failed
	}
	return interp.Value{}, m.Free(tmp)
}

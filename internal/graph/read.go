package graph

import (
	"reflect"
)

// reader is the counterpart of writer.
type reader struct {
	types  *Types
	in     string
	at     int
	things []reflect.Value // pointers, by number
	texts  []string
	plans  map[reflect.Type]func(reflect.Value)
}

// Read makes of bytes what v leads to, a pointer. Strings in it are parts of data.
func (t *Types) Read(data []byte, v any) (err error) {
	defer guard(&err)
	r := &reader{types: t, in: string(data), plans: map[reflect.Type]func(reflect.Value){}}
	root := reflect.ValueOf(v)
	if r.number() != 1 {
		fail("there is nothing at the beginning")
	}
	r.things = append(r.things, root)
	for i := 0; i < len(r.things); i++ {
		x := r.things[i].Elem()
		r.plan(x.Type())(x)
	}
	if r.at != len(r.in) {
		fail("there is more than one thing")
	}
	return nil
}

func (r *reader) number() uint64 {
	n := uint64(0)
	for shift := 0; ; shift += 7 {
		if r.at >= len(r.in) || shift > 63 {
			fail("it ends too early")
		}
		b := r.in[r.at]
		r.at++
		n |= uint64(b&127) << shift
		if b < 128 {
			return n
		}
	}
}

// bytes returns the next n bytes.
func (r *reader) bytes(n uint64) string {
	if n > uint64(len(r.in)-r.at) {
		fail("it ends too early")
	}
	r.at += int(n)
	return r.in[r.at-int(n) : r.at]
}

// length returns the length of a slice, each element of which takes a byte or more; -1 for nil.
func (r *reader) length() int {
	n := r.number()
	if n > uint64(len(r.in)-r.at)+1 {
		fail("it ends too early")
	}
	return int(n) - 1
}

// plan returns how values of a type are read.
func (r *reader) plan(t reflect.Type) func(reflect.Value) {
	p := r.plans[t]
	if p == nil {
		p = r.newPlan(t)
		r.plans[t] = p
	}
	return p
}

func (r *reader) newPlan(t reflect.Type) func(reflect.Value) {
	switch t.Kind() {
	case reflect.Bool:
		return func(v reflect.Value) { v.SetBool(r.number() != 0) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value) {
			n := r.number()
			v.SetInt(int64(n>>1) ^ -int64(n&1))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(v reflect.Value) { v.SetUint(r.number()) }
	case reflect.String:
		return r.text
	case reflect.Pointer:
		return r.pointer(t)
	case reflect.Interface:
		return r.dynamic
	case reflect.Slice:
		return r.slice(t)
	case reflect.Struct:
		return r.fields(t)
	}
	fail("a %s cannot be read", t)
	return nil
}

func (r *reader) text(v reflect.Value) {
	n := r.number()
	if n == 0 {
		r.texts = append(r.texts, r.bytes(r.number()))
		n = uint64(len(r.texts))
	}
	if n > uint64(len(r.texts)) {
		fail("there is no text %d", n)
	}
	v.SetString(r.texts[n-1])
}

func (r *reader) pointer(t reflect.Type) func(reflect.Value) {
	elem := t.Elem()
	return func(v reflect.Value) {
		n := r.number()
		switch {
		case n == 0:
			return
		case n == uint64(len(r.things))+1:
			r.things = append(r.things, reflect.New(elem))
		case n > uint64(len(r.things)):
			fail("there is no thing %d", n)
		}
		x := r.things[n-1]
		if x.Type() != t {
			fail("thing %d is a %s, not a %s", n, x.Type(), t)
		}
		v.Set(x)
	}
}

func (r *reader) dynamic(v reflect.Value) {
	n := r.number()
	if n == 0 {
		return
	}
	if n > uint64(len(r.types.list)) || !r.types.list[n-1].AssignableTo(v.Type()) {
		fail("type %d is no %s", n, v.Type())
	}
	t := r.types.list[n-1]
	x := reflect.New(t).Elem()
	r.plan(t)(x)
	v.Set(x)
}

func (r *reader) slice(t reflect.Type) func(reflect.Value) {
	if t.Elem().Kind() == reflect.Uint8 {
		return func(v reflect.Value) {
			if n := r.length(); n >= 0 {
				v.SetBytes([]byte(r.bytes(uint64(n))))
			}
		}
	}
	var elem func(reflect.Value) // not yet: a struct may have a slice of itself
	return func(v reflect.Value) {
		n := r.length()
		if n < 0 {
			return
		}
		if elem == nil {
			elem = r.plan(t.Elem())
		}
		s := reflect.MakeSlice(t, n, n)
		for i := range n {
			elem(s.Index(i))
		}
		v.Set(s)
	}
}

func (r *reader) fields(t reflect.Type) func(reflect.Value) {
	plans := make([]func(reflect.Value), t.NumField())
	for i := range plans {
		plans[i] = r.plan(t.Field(i).Type)
	}
	return func(v reflect.Value) {
		for i, p := range plans {
			p(v.Field(i))
		}
	}
}

package graph

import (
	"encoding/binary"
	"fmt"
	"reflect"
)

// Types are the types that interfaces may hold.
type Types struct {
	list  []reflect.Type
	index map[reflect.Type]int
}

// Of returns the types of samples.
func Of(samples ...any) *Types {
	t := &Types{index: map[reflect.Type]int{}}
	for _, s := range samples {
		x := reflect.TypeOf(s)
		if _, known := t.index[x]; !known {
			t.index[x] = len(t.list)
			t.list = append(t.list, x)
		}
	}
	return t
}

// thing is what a pointer leads to. A struct and its first field have one address.
type thing struct {
	at uintptr
	t  reflect.Type
}

// writer writes a value, and then what pointers lead to, in the order in which it is met: no recursion, as graphs may be deep.
type writer struct {
	types   *Types
	out     []byte
	things  map[thing]int
	waiting []reflect.Value
	texts   map[string]int
	plans   map[reflect.Type]func(reflect.Value)
}

// failure is an error on its way out.
type failure struct{ error }

func fail(format string, args ...any) { panic(failure{fmt.Errorf("graph: "+format, args...)}) }

// guard makes an error of a panic of [fail].
func guard(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.error
	default:
		panic(r)
	}
}

// Write returns what v leads to, a pointer, as bytes.
func (t *Types) Write(v any) (out []byte, err error) {
	defer guard(&err)
	w := &writer{types: t, things: map[thing]int{}, texts: map[string]int{}, plans: map[reflect.Type]func(reflect.Value){}}
	w.pointer(reflect.ValueOf(v))
	for len(w.waiting) > 0 {
		x := w.waiting[0]
		w.waiting = w.waiting[1:]
		w.plan(x.Type())(x)
	}
	return w.out, nil
}

func (w *writer) number(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

func (w *writer) pointer(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	key := thing{v.Pointer(), v.Type()}
	n, known := w.things[key]
	if !known {
		n = len(w.things) + 1
		w.things[key] = n
		w.waiting = append(w.waiting, v.Elem())
	}
	w.number(uint64(n))
}

func (w *writer) text(v reflect.Value) {
	s := v.String()
	n, known := w.texts[s]
	if known {
		w.number(uint64(n))
		return
	}
	w.texts[s] = len(w.texts) + 1
	w.number(0)
	w.number(uint64(len(s)))
	w.out = append(w.out, s...)
}

// plan returns how values of a type are written.
func (w *writer) plan(t reflect.Type) func(reflect.Value) {
	p := w.plans[t]
	if p == nil {
		p = w.newPlan(t)
		w.plans[t] = p
	}
	return p
}

func (w *writer) newPlan(t reflect.Type) func(reflect.Value) {
	switch t.Kind() {
	case reflect.Bool:
		return func(v reflect.Value) {
			n := byte(0)
			if v.Bool() {
				n = 1
			}
			w.out = append(w.out, n)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value) { w.out = binary.AppendVarint(w.out, v.Int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(v reflect.Value) { w.number(v.Uint()) }
	case reflect.String:
		return w.text
	case reflect.Pointer:
		return w.pointer
	case reflect.Interface:
		return w.dynamic
	case reflect.Slice:
		return w.slice(t)
	case reflect.Struct:
		return w.fields(t)
	}
	fail("a %s cannot be written", t)
	return nil
}

func (w *writer) dynamic(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	x := v.Elem()
	n, known := w.types.index[x.Type()]
	if !known {
		fail("nobody has named %s", x.Type())
	}
	w.number(uint64(n) + 1)
	w.plan(x.Type())(x)
}

func (w *writer) slice(t reflect.Type) func(reflect.Value) {
	length := func(v reflect.Value) bool {
		if v.IsNil() {
			w.number(0)
			return false
		}
		w.number(uint64(v.Len()) + 1)
		return true
	}
	if t.Elem().Kind() == reflect.Uint8 {
		return func(v reflect.Value) {
			if length(v) {
				w.out = append(w.out, v.Bytes()...)
			}
		}
	}
	var elem func(reflect.Value) // not yet: a struct may have a slice of itself
	return func(v reflect.Value) {
		if !length(v) {
			return
		}
		if elem == nil {
			elem = w.plan(t.Elem())
		}
		for i := range v.Len() {
			elem(v.Index(i))
		}
	}
}

func (w *writer) fields(t reflect.Type) func(reflect.Value) {
	plans := make([]func(reflect.Value), t.NumField())
	for i := range plans {
		if !t.Field(i).IsExported() {
			fail("%s has a field %s, which is not exported", t, t.Field(i).Name)
		}
		plans[i] = w.plan(t.Field(i).Type)
	}
	return func(v reflect.Value) {
		for i, p := range plans {
			p(v.Field(i))
		}
	}
}

package cir

import "reflect"

// Clone copies a program: functions, variables, blocks and instructions. Registers, locals, shapes and places are never changed, and are shared.
func (p *Program) Clone() *Program {
	c := &cloner{made: map[any]reflect.Value{}}
	return c.value(reflect.ValueOf(p)).Interface().(*Program)
}

// Clone copies a function, under another name, with its registers and locals. Other functions, variables, shapes and places are shared.
func (f *Func) Clone(name string) *Func {
	c := &cloner{made: map[any]reflect.Value{}, only: f}
	g := c.value(reflect.ValueOf(f)).Interface().(*Func)
	g.Name = name
	return g
}

// cloner knows what was copied. If only is set, that function is copied and nothing outside of it.
type cloner struct {
	made map[any]reflect.Value
	only *Func
}

// copied reports whether what a pointer leads to is copied.
func (c *cloner) copied(x any) bool {
	switch x := x.(type) {
	case *Func:
		return c.only == nil || c.only == x
	case *Program, *Global:
		return c.only == nil
	case *Reg, *Local:
		return c.only != nil
	case *Block, Instr, Term:
		return true
	}
	return false
}

// value copies a value.
func (c *cloner) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || !c.copied(v.Interface()) {
			return v
		}
		if old, ok := c.made[v.Interface()]; ok {
			return old
		}
		to := reflect.New(v.Type().Elem())
		c.made[v.Interface()] = to
		to.Elem().Set(v.Elem())
		c.fields(to.Elem())
		return to
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		to := reflect.New(v.Type()).Elem()
		to.Set(c.value(v.Elem()))
		return to
	case reflect.Struct:
		to := reflect.New(v.Type()).Elem()
		to.Set(v)
		c.fields(to)
		return to
	case reflect.Slice:
		if v.IsNil() || flat(v.Type().Elem()) {
			return v
		}
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			to.Index(i).Set(c.value(v.Index(i)))
		}
		return to
	}
	return v
}

// flat reports whether values of a type hold no pointers to what is copied.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Interface, reflect.Pointer, reflect.Slice:
		return false
	}
	return true
}

// fields copies the fields of a struct, which can be set.
func (c *cloner) fields(s reflect.Value) {
	for i := range s.NumField() {
		s.Field(i).Set(c.value(s.Field(i)))
	}
}

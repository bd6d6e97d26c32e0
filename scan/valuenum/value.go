package valuenum

import (
	"fmt"
	"strings"

	"comus/cir"
)

// Kind is what a symbol stands for.
type Kind uint8

// The kinds.
const (
	Param    Kind = iota // what parameter N of Func holds when it is called
	Reg                  // what register N of Func was given the latest time
	Phi                  // what Local holds at offset N wherever control gets to Block of Func
	Global               // the address What: a *cir.Global or *cir.Func
	Local                // the address of What, a *cir.Local of Func
	Load                 // what is at address At, which does not change
	Conv                 // At as type What, a cir.Type
	Result               // what the function that is left returns
	Place                // the beginning of the object What, a *pointsto.Object, which there is one of
	Accessed             // the address of the access that something is said of
	Element              // (Accessed - At.Base - At.Off) / At.Scale
	Atomic               // no address: the right to be the only thread that runs
)

// Sym is a symbol. There is one for each meaning in a [Table], so that they can be compared.
type Sym struct {
	ID     int
	Kind   Kind
	Func   *cir.Func
	Block  *cir.Block
	N      int64
	What   any
	At     Value
	closed bool
	depth  int
}

// Value is Base + Index*Scale + Off; Base and Index may be nil.
type Value struct {
	Base, Index *Sym
	Scale, Off  int64
}

// maxDepth bounds how loads and conversions nest.
const maxDepth = 6

// maxOff bounds constants: larger ones are not followed, so that nothing overflows.
const maxOff = 1 << 40

// Closed reports whether a symbol means the same in all functions and threads.
func (s *Sym) Closed() bool { return s == nil || s.closed }

// Closed reports whether a value means the same in all functions and threads.
func (v Value) Closed() bool { return v.Base.Closed() && v.Index.Closed() }

// Const returns the value if it is a constant.
func (v Value) Const() (int64, bool) { return v.Off, v.Base == nil && v.Index == nil }

// Plus returns the value a constant further on.
func (v Value) Plus(n int64) Value {
	v.Off += n
	return v
}

// Minus returns the constant distance between two values, if it is one.
func (v Value) Minus(w Value) (int64, bool) {
	return v.Off - w.Off, v.Base == w.Base && v.Index == w.Index && v.Scale == w.Scale
}

// Each calls f for all symbols that a value is made of.
func (v Value) Each(f func(*Sym)) {
	for _, s := range []*Sym{v.Base, v.Index} {
		if s != nil {
			f(s)
			if s.Kind == Load || s.Kind == Conv {
				s.At.Each(f)
			}
		}
	}
}

// Table holds the symbols of an analysis.
type Table struct{ syms map[key]*Sym }

type key struct {
	kind  Kind
	fn    *cir.Func
	block *cir.Block
	n     int64
	what  any
	at    Value
}

// NewTable returns a table without symbols.
func NewTable() *Table { return &Table{syms: map[key]*Sym{}} }

// Sym returns the symbol with this meaning.
func (t *Table) Sym(s Sym) *Sym {
	k := key{s.Kind, s.Func, s.Block, s.N, s.What, s.At}
	if old := t.syms[k]; old != nil {
		return old
	}
	s.ID = len(t.syms) + 1
	switch s.Kind {
	case Global:
		g, ok := s.What.(*cir.Global)
		s.closed = !ok || !g.ThreadLocal
	case Place, Atomic, Accessed, Element:
		s.closed = true
	case Load, Conv:
		s.closed = s.At.Closed()
		s.At.Each(func(x *Sym) { s.depth = max(s.depth, x.depth+1) })
	}
	t.syms[k] = &s
	return &s
}

// Of returns the value that a symbol is.
func (t *Table) Of(s Sym) Value { return Value{Base: t.Sym(s)} }

// add returns the sum of two values, if it can be said.
func add(v, w Value) (Value, bool) {
	if w.Base != nil && v.Base == nil {
		v, w = w, v
	}
	if w.Base != nil { // a second symbol is one times 1
		if w.Index != nil || v.Index != nil && v.Index != w.Base {
			return Value{}, false
		}
		w.Index, w.Scale, w.Base = w.Base, 1, nil
	}
	if v.Index != nil && w.Index != nil && v.Index != w.Index {
		return Value{}, false
	}
	if w.Index != nil {
		v.Index, v.Scale = w.Index, v.Scale+w.Scale
	}
	v.Off += w.Off
	return v.normal()
}

// times returns a multiple of a value, if it can be said.
func (v Value) times(n int64) (Value, bool) {
	switch {
	case n == 0:
		return Value{}, true
	case n == 1:
		return v, true
	case n > maxOff || n < -maxOff:
		return Value{}, false
	case v.Base != nil && v.Index != nil:
		return Value{}, false
	case v.Base != nil:
		v.Base, v.Index, v.Scale = nil, v.Base, 1
	}
	if v.Scale > maxOff/8 || v.Scale < -maxOff/8 || n > 1<<22 || n < -1<<22 || v.Off > maxOff || v.Off < -maxOff {
		return Value{}, false
	}
	v.Scale *= n
	v.Off *= n
	return v.normal()
}

// normal returns a value in the only form that it has.
func (v Value) normal() (Value, bool) {
	if v.Scale == 0 {
		v.Index = nil
	}
	if v.Base == nil && v.Scale == 1 {
		v.Base, v.Index, v.Scale = v.Index, nil, 0
	}
	ok := v.Off <= maxOff && v.Off >= -maxOff && v.Scale <= maxOff && v.Scale >= -maxOff
	return v, ok
}

// Rewrite puts what f makes of it in the place of each symbol that is not closed, and not made of others.
func (t *Table) Rewrite(v Value, f func(*Sym) (Value, bool)) (Value, bool) {
	out := Value{Off: v.Off}
	if v.Base != nil {
		b, ok := t.rewrite(v.Base, f)
		if !ok {
			return Value{}, false
		}
		if out, ok = add(b, out); !ok {
			return Value{}, false
		}
	}
	if v.Index != nil {
		i, ok := t.rewrite(v.Index, f)
		if !ok {
			return Value{}, false
		}
		if i, ok = i.times(v.Scale); !ok {
			return Value{}, false
		}
		return add(out, i)
	}
	return out, true
}

func (t *Table) rewrite(s *Sym, f func(*Sym) (Value, bool)) (Value, bool) {
	switch {
	case s.closed:
		return Value{Base: s}, true
	case s.Kind != Load && s.Kind != Conv:
		return f(s)
	}
	at, ok := t.Rewrite(s.At, f)
	if !ok {
		return Value{}, false
	}
	if _, isConst := at.Const(); isConst {
		return Value{}, false
	}
	c := *s
	c.At, c.depth = at, 0
	v := t.Of(c)
	return v, v.Base.depth <= maxDepth
}

// String prints a value for people: "p+8", "*(g)+16".
func (v Value) String() string {
	var parts []string
	if v.Base != nil {
		parts = append(parts, v.Base.String())
	}
	if v.Index != nil {
		parts = append(parts, fmt.Sprintf("%s*%d", v.Index, v.Scale))
	}
	if v.Off != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprint(v.Off))
	}
	return strings.ReplaceAll(strings.Join(parts, "+"), "+-", "-")
}

// String prints a symbol for people.
func (s *Sym) String() string {
	switch s.Kind {
	case Param:
		return s.Func.Params[s.N].Name
	case Reg:
		return fmt.Sprintf("%%%d", s.N)
	case Phi:
		return fmt.Sprintf("%s@b%d", s.What.(*cir.Local).Name, s.Block.Index)
	case Global:
		return "&" + s.What.(cir.Symbol).SymbolName()
	case Local:
		return "&" + s.What.(*cir.Local).Name
	case Load:
		return fmt.Sprintf("*(%s)", s.At)
	case Conv:
		return fmt.Sprintf("(%s)(%s)", s.What, s.At)
	case Place:
		return fmt.Sprintf("&%v", s.What)
	case Accessed:
		return "accessed"
	case Element:
		return fmt.Sprintf("element of %s by %d", Value{Base: s.At.Base, Off: s.At.Off}, s.At.Scale)
	case Atomic:
		return "atomic section"
	}
	return "result"
}

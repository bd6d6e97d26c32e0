package contract

import "math/bits"

// Arguments give what is known of a call. A function that is nil, or a false result,
// says that it is not known.
type Arguments struct {
	Value  func(param int) (uint64, bool)            // value of an integer argument
	String func(param int, wide bool) (uint64, bool) // bytes of a string, terminator included
	Model  DataModel
}

// Eval gives the product for a call, or false if it is not known or exceeds 64 bits.
func (t *Table) Eval(p Product, a Arguments) (uint64, bool) {
	n := uint64(1)
	for _, f := range p {
		m, ok := t.factor(f, a)
		if !ok {
			return 0, false
		}
		high, low := bits.Mul64(n, m)
		if high != 0 {
			return 0, false
		}
		n = low
	}
	return n, true
}

func (t *Table) factor(f Factor, a Arguments) (uint64, bool) {
	switch f.Kind {
	case Number:
		return uint64(f.Number), true
	case ParamValue:
		if a.Value != nil {
			return a.Value(f.Param)
		}
	case SizeOf:
		if typ, ok := t.types[f.Type]; ok {
			return uint64(typ.Size[a.Model]), true
		}
	case StringIn, WideStringIn:
		if a.String != nil {
			return a.String(f.Param, f.Kind == WideStringIn)
		}
	}
	return 0, false
}

// AtMost gives the number of bytes of the least limit that is known for a call, or
// false if none is. It does not know how long the string or object at hand is: limits
// of other kinds than Bytes do not count.
func (t *Table) AtMost(e Extent, a Arguments) (uint64, bool) {
	least, found := uint64(0), false
	for _, l := range e {
		if l.Kind != Bytes {
			continue
		}
		if n, ok := t.Eval(l.Bytes, a); ok && (!found || n < least) {
			least, found = n, true
		}
	}
	return least, found
}

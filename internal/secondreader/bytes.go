package secondreader

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"modernc.org/cc/v4"
)

// image is the bytes of an object while its initialiser is gone through.
type image struct {
	b     []byte
	known []bool
	bad   bool // something is not understood
}

// bytesOf returns the bytes that an initialiser gives an object, in hexadecimal digits, "??" for those that are only known to a linker; "" if
// they are not understood.
func bytesOf(t cc.Type, n *cc.Initializer) string {
	if t.Size() < 0 || t.Size() > 1<<16 {
		return ""
	}
	m := &image{b: make([]byte, t.Size()), known: make([]bool, t.Size())}
	for i := range m.known {
		m.known[i] = true
	}
	var leaves []*cc.Initializer
	m.collect(n, &leaves)
	slices.SortStableFunc(leaves, func(a, b *cc.Initializer) int { return int(a.Order() - b.Order()) })
	for _, l := range leaves {
		m.leaf(l)
	}
	if m.bad {
		return ""
	}
	return Hex(m.b, m.known)
}

// Hex writes bytes of which some are not known.
func Hex(b []byte, known []bool) string {
	var out []byte
	for i := range b {
		if known[i] {
			out = fmt.Appendf(out, "%02x", b[i])
		} else {
			out = append(out, "??"...)
		}
	}
	return string(out)
}

func (m *image) collect(n *cc.Initializer, out *[]*cc.Initializer) {
	if n.Case == cc.InitializerExpr {
		*out = append(*out, n)
		return
	}
	if n.Len() > 1 { // its elements are repeated
		m.bad = true
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		m.collect(l.Initializer, out)
	}
}

// leaf writes what an expression initialises.
func (m *image) leaf(n *cc.Initializer) {
	t := n.Type()
	size := t.Size()
	if f := n.Field(); f != nil && f.IsBitfield() {
		m.bits(n, f)
		return
	}
	if size < 0 || n.Offset() < 0 {
		m.bad = true
		return
	}
	data, ok := encode(n.Value(), t)
	for i := range n.Len() {
		at := n.Offset() + i*size
		if at+size > int64(len(m.b)) {
			m.bad = true // a flexible array member
			return
		}
		for k := range size {
			m.known[at+k] = ok
			if m.b[at+k] = 0; ok && k < int64(len(data)) {
				m.b[at+k] = data[k]
			}
		}
	}
}

func (m *image) bits(n *cc.Initializer, f *cc.Field) {
	var v uint64
	switch x := n.Value().(type) {
	case cc.Int64Value:
		v = uint64(x)
	case cc.UInt64Value:
		v = uint64(x)
	default:
		m.bad = true
		return
	}
	for k := range f.ValueBits() {
		at := n.Offset()*8 + int64(f.OffsetBits()) + k
		if at/8 >= int64(len(m.b)) {
			m.bad = true
			return
		}
		m.b[at/8] &^= 1 << (at % 8)
		m.b[at/8] |= byte(v>>k&1) << (at % 8)
	}
}

// encode returns the bytes of a value of a type; false if only a linker or nobody knows.
func encode(v cc.Value, t cc.Type) ([]byte, bool) {
	var word uint64
	switch x := v.(type) {
	case cc.Int64Value:
		word = uint64(x)
		if t.Size() > 8 {
			sign := byte(int64(x) >> 63)
			return append(binary.LittleEndian.AppendUint64(nil, word), slices.Repeat([]byte{sign}, int(t.Size())-8)...), cc.IsIntegerType(t)
		}
	case cc.UInt64Value:
		word = uint64(x)
		if t.Size() > 8 && !cc.IsIntegerType(t) {
			return nil, false
		}
	case cc.Float64Value:
		switch t.Kind() {
		case cc.Float, cc.Float32:
			word = uint64(math.Float32bits(float32(x)))
		case cc.Double, cc.Float64, cc.Float32x:
			word = math.Float64bits(float64(x))
		default:
			return nil, false
		}
	case cc.StringValue:
		return []byte(x), t.Kind() == cc.Array
	case cc.UTF16StringValue:
		var b []byte
		for _, c := range x {
			b = binary.LittleEndian.AppendUint16(b, c)
		}
		return b, t.Kind() == cc.Array
	case cc.UTF32StringValue:
		var b []byte
		for _, c := range x {
			b = binary.LittleEndian.AppendUint32(b, uint32(c))
		}
		return b, t.Kind() == cc.Array
	case *cc.ZeroValue:
		return nil, true
	default:
		return nil, false
	}
	if cc.IsFloatingPointType(t) {
		if _, ok := v.(cc.Float64Value); !ok {
			return nil, false
		}
	}
	b := binary.LittleEndian.AppendUint64(nil, word)
	if t.Size() < 8 && t.Size() >= 0 {
		b = b[:t.Size()]
	}
	return b, true
}

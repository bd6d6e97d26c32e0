package cir

import "testing"

// TestPath names the parts of a struct with arrays, bit-fields, an anonymous union, a lock of the library's and a flexible array.
func TestPath(t *testing.T) {
	scalar := func(size int64) *Shape { return &Shape{Size: size, Scalar: I32} }
	mutex := &Shape{Size: 40, Union: true, Name: "pthread_mutex_t", Fields: []Field{{Name: "__data", Shape: &Shape{Size: 40, Fields: []Field{
		{Name: "__lock", Shape: scalar(4)}, {Name: "__kind", Offset: 16, Shape: scalar(4)}}}}}}
	either := &Shape{Size: 8, Union: true, Fields: []Field{{Name: "small", Shape: scalar(4)}, {Name: "large", Shape: scalar(8)}}}
	node := &Shape{Size: 104, Name: "struct node", Fields: []Field{{Name: "lock", Shape: mutex}, {Name: "n", Offset: 40, Shape: &Shape{Size: 16, Elem: scalar(4), Len: 4}},
		{Offset: 56, Shape: either}, {Name: "on", Offset: 64, Bits: &Bits{Offset: 3, Width: 2}, Shape: scalar(4)}, {Name: "rest", Offset: 96, Shape: &Shape{Elem: scalar(4)}}}}
	for _, p := range []struct {
		s         *Shape
		bit, bits int64
		want      string
		shown     bool
	}{
		{node, 0, 32, ".lock", true}, {node, 16 * 8, 32, ".lock", false}, {node, 44 * 8, 32, ".n[1]", true}, {node, 56 * 8, 32, ".small", true},
		{node, 56 * 8, 64, ".large", true}, {node, 64*8 + 3, 2, ".on", true}, {node, 72 * 8, 32, "+72", true}, {node, 108 * 8, 32, ".rest[3]", true},
		{&Shape{Elem: node}, (3*104 + 40) * 8, 32, "[3].n[0]", true}, {mutex, 0, 32, "", true}, {nil, 0, 32, "", true}, {nil, 64, 32, "+8", true},
	} {
		if got, shown := p.s.Path(p.bit, p.bits); got != p.want || shown != p.shown {
			t.Errorf("bit %d, %d bits: %q, %v, want %q, %v", p.bit, p.bits, got, shown, p.want, p.shown)
		}
	}
}

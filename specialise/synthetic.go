package specialise

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// synthetic makes a shape for an object that has none, from how it is accessed.
func synthetic(abs *pointsto.Object, size int64) *cir.Shape {
	if abs == nil || size < 0 {
		return nil
	}
	if s := laidOut(abs); s != nil {
		return divided(s, abs, 0, size)
	}
	period := size
	if abs.Stride > 0 && abs.Stride < size {
		period = abs.Stride
	}
	fields := fieldsOf(abs, 0, period)
	one := &cir.Shape{Size: period, Fields: fields}
	if len(fields) == 1 && fields[0].Offset == 0 && fields[0].Shape.Size == period && fields[0].Shape.Elem == nil {
		one = fields[0].Shape
	}
	if period == size || period == 0 {
		return one
	}
	return &cir.Shape{Size: size, Elem: one, Len: size / period}
}

// laidOut returns how an allocated object is divided up, nil if nobody knows.
func laidOut(abs *pointsto.Object) *cir.Shape {
	if abs == nil || abs.Site == nil {
		return nil
	}
	return abs.Shape()
}

// repeats returns the size of the elements of an object that is an array as a whole, as far as is known; 0 for one that is none.
func repeats(abs *pointsto.Object) int64 {
	if s := laidOut(abs); s != nil && s.Elem != nil {
		return s.Elem.Size
	}
	return abs.Stride
}

// tailOf returns the array of a layout that goes on for as long as there is memory, nil if there is none.
func tailOf(s *cir.Shape) *cir.Field {
	if s == nil || len(s.Fields) == 0 || s.Union {
		return nil
	}
	if f := &s.Fields[len(s.Fields)-1]; f.Shape.Elem != nil && f.Shape.Len == 0 && f.Shape.Elem.Size > 0 {
		return f
	}
	return nil
}

// divided makes a shape of size bytes of an object from at on that a layout divides up: its arrays stay arrays, as an offset of points stands for all
// elements, and what is around them are the scalars that are accessed.
func divided(s *cir.Shape, abs *pointsto.Object, at, size int64) *cir.Shape {
	if s.Elem != nil && s.Elem.Size > 0 {
		n := size / s.Elem.Size
		return &cir.Shape{Size: size, Elem: divided(s.Elem, abs, at, s.Elem.Size), Len: n}
	}
	var fields []cir.Field
	from := int64(0)
	scalars := func(to int64) {
		for _, f := range fieldsOf(abs, at+from, to-from) {
			f.Offset += from
			f.Name = fmt.Sprintf("+%d", f.Offset)
			fields = append(fields, f)
		}
	}
	for _, f := range arraysIn(s, 0, size, nil) {
		if f.Offset > from {
			scalars(f.Offset)
		}
		f.Name = fmt.Sprintf("+%d", f.Offset)
		f.Shape = divided(f.Shape, abs, at+f.Offset, f.Shape.Size)
		fields, from = append(fields, f), f.Offset+f.Shape.Size
	}
	if from < size {
		scalars(size)
	}
	if len(fields) == 1 && fields[0].Offset == 0 && fields[0].Shape.Size == size {
		return fields[0].Shape
	}
	return &cir.Shape{Size: size, Fields: fields}
}

// arraysIn returns the outermost arrays among the members of a struct in order, with their offsets, as far as they are within size bytes.
func arraysIn(s *cir.Shape, at, size int64, list []cir.Field) []cir.Field {
	for i := range s.Fields {
		f := &s.Fields[i]
		off := at + f.Offset
		switch {
		case s.Union || f.Bits != nil || off >= size:
		case f.Shape.Elem == nil:
			list = arraysIn(f.Shape, off, size, list)
		case f.Shape.Elem.Size > 0:
			n := min(f.Shape.Size, size-off)
			if f.Shape.Len == 0 {
				n = size - off
			}
			list = append(list, cir.Field{Offset: off, Shape: &cir.Shape{Size: n - n%f.Shape.Elem.Size, Elem: f.Shape.Elem, Len: n / f.Shape.Elem.Size}})
		}
	}
	return slices.DeleteFunc(list, func(f cir.Field) bool { return f.Shape.Size == 0 })
}

// fieldsOf returns the scalars that size bytes of an object from at on are accessed by, as fields; overlapping ones become
// one, or bytes.
func fieldsOf(abs *pointsto.Object, at, size int64) []cir.Field {
	type span struct {
		lo, hi int64
		typ    cir.Type
	}
	var spans []span
	for a := range abs.How {
		lo := a.Off - at
		if lo < 0 || lo >= size {
			continue
		}
		hi := lo + byteSize(a.Type)
		if a.Bits.Width > 0 {
			hi = lo + int64(a.Bits.Offset+a.Bits.Width+7)/8
		}
		spans = append(spans, span{lo, min(hi, size), a.Type})
	}
	slices.SortFunc(spans, func(x, y span) int {
		switch {
		case x.lo != y.lo:
			return int(x.lo - y.lo)
		case x.hi != y.hi:
			return int(y.hi - x.hi)
		}
		return rank(x.typ) - rank(y.typ)
	})
	var fields []cir.Field
	for i := 0; i < len(spans); {
		s, j := spans[i], i+1
		whole := true
		for ; j < len(spans) && spans[j].lo < s.hi; j++ {
			if spans[j].hi > s.hi {
				s.hi, whole = spans[j].hi, false
			}
		}
		f := cir.Field{Name: fmt.Sprintf("+%d", s.lo), Offset: s.lo, Shape: &cir.Shape{Size: s.hi - s.lo, Scalar: s.typ}}
		if !whole || byteSize(s.typ) != s.hi-s.lo {
			f.Shape = &cir.Shape{Size: s.hi - s.lo, Elem: &cir.Shape{Size: 1, Scalar: cir.U8}, Len: s.hi - s.lo}
		}
		fields = append(fields, f)
		i = j
	}
	return fields
}

// rank prefers pointers over integers, and signed over unsigned integers.
func rank(t cir.Type) int {
	switch {
	case t.IsPointer():
		return 0
	case t.IsInt() && t.Signed:
		return 1
	}
	return 2
}

func byteSize(t cir.Type) int64 { return cir.Model{PointerBits: 64}.SizeOf(t) }

package cir

// Elements returns the number of elements of the array that a subscript is in, as the program says it, 0 if it does not: Len, or else the length of
// the member of Of. A member at the end of a struct has no Len, as there may be more memory behind it than its type says; who asks here takes
// an index beyond the array for undefined. Of one element nobody takes it to be: that is how older programs write an array of any length.
func (in *Offset) Elements() int64 {
	if in.Len > 0 || in.Of == nil || in.Index == nil {
		return in.Len
	}
	if n := longest(in.Of, in.Disp-in.At, in.Scale); n > 1 {
		return n
	}
	return 0
}

// longest returns the length of the longest array of elements of a size that begins at an offset of a shape, 0 if there is none.
func longest(s *Shape, off, size int64) (n int64) {
	if s.Elem != nil {
		if s.Elem.Size <= 0 || off < 0 || off >= s.Len*s.Elem.Size {
			return 0
		}
		if off == 0 && s.Elem.Size == size {
			n = s.Len
		}
		return max(n, longest(s.Elem, off%s.Elem.Size, size))
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off {
			n = max(n, longest(f.Shape, off-f.Offset, size))
		}
	}
	return n
}

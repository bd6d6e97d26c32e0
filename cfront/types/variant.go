package types

// Unqualified returns the type without its qualifiers. An array's are those of its elements.
func (t *Type) Unqualified() *Type {
	if t.Kind == Array {
		e := t.Elem.Unqualified()
		if e == t.Elem {
			return t
		}
		a := *t
		a.Elem, a.unqualified, a.variants = e, nil, nil
		return &a
	}
	if t.Quals == 0 {
		return t
	}
	return t.unqualified
}

// With returns the type with these qualifiers besides its own.
func (t *Type) With(q Quals) *Type {
	if q&^t.Quals == 0 && t.Kind != Array || q == 0 {
		return t
	}
	if t.Kind == Array {
		e := t.Elem.With(q)
		if e == t.Elem {
			return t
		}
		a := *t
		a.Elem, a.unqualified, a.variants = e, nil, nil
		if a.Len >= 0 && e.Size >= 0 {
			a.Size = a.Len * e.Size
		}
		return &a
	}
	q |= t.Quals
	base := t.Unqualified()
	for _, v := range base.variants {
		if v.Quals == q && v.unqualified == base {
			return v
		}
	}
	v := *base
	v.Quals, v.unqualified, v.variants = q, base, nil
	if q&Atomic != 0 {
		v.Align = max(v.Align, atomicAlign(&v))
	}
	base.variants = append(base.variants, &v)
	return &v
}

// atomicAlign is the alignment of an _Atomic type: its size, for the sizes that have instructions.
func atomicAlign(t *Type) int64 {
	switch t.Size {
	case 1, 2, 4, 8, 16:
		return t.Size
	}
	return t.Align
}

// Aligned returns the type with another alignment. Its unqualified type is that of t with
// the same alignment.
func (t *Type) Aligned(align int64) *Type {
	if t.Align == align && t.UserAlign {
		return t
	}
	root := t.Unqualified()
	v := *root
	v.Align, v.UserAlign, v.variants = align, true, nil
	v.unqualified = nil
	c := &v
	root.variants = append(root.variants, c)
	return c.With(t.Quals)
}

// Complete gives a type that was incomplete its size and alignment; the types made of it get them, too.
func (t *Type) Complete(size, align int64, userAlign bool) {
	t.Size = size
	if t.UserAlign {
		align = max(align, t.Align)
	}
	t.Align, t.UserAlign = align, t.UserAlign || userAlign
	if t.Quals&Atomic != 0 {
		t.Align = max(t.Align, atomicAlign(t))
	}
	for _, v := range t.variants {
		v.Rank, v.Signed, v.Bits, v.Kind = t.Rank, t.Signed, t.Bits, t.Kind
		v.Complete(size, align, userAlign)
	}
}

// Is reports a type's kind.
func (t *Type) Is(k Kind) bool { return t.Kind == k }

// IsInteger reports whether t is an integer type, _Bool and enumerated types included.
func (t *Type) IsInteger() bool { return t.Kind == Int || t.Kind == Bool }

// IsReal reports whether t is a real arithmetic type.
func (t *Type) IsReal() bool { return t.IsInteger() || t.Kind == Float }

// IsArith reports whether t is an arithmetic type.
func (t *Type) IsArith() bool { return t.IsReal() || t.Kind == Complex }

// IsPointer reports whether t is a pointer type.
func (t *Type) IsPointer() bool { return t.Kind == Pointer || t.Kind == NullPtr }

// IsScalar reports whether t is an arithmetic or pointer type.
func (t *Type) IsScalar() bool { return t.IsArith() || t.IsPointer() }

// IsRecord reports whether t is a struct or union.
func (t *Type) IsRecord() bool { return t.Kind == Struct || t.Kind == Union }

// IsVoid reports whether t is void.
func (t *Type) IsVoid() bool { return t.Kind == Void }

// IsComplete reports whether the size of t is known, maybe when the program runs.
func (t *Type) IsComplete() bool {
	switch t.Kind {
	case Void, Func:
		return false
	case Array:
		if t.VLA != nil {
			return t.Elem.IsComplete()
		}
		return t.Len >= 0 && t.Elem.IsComplete()
	}
	return t.Size >= 0 || t.IsRecord() && t.Rec.Complete
}

// IsVM reports whether t is variably modified: has an array of variable length in it.
func (t *Type) IsVM() bool {
	for {
		switch t.Kind {
		case Array:
			if t.VLA != nil {
				return true
			}
		case Pointer, Func:
		case Struct, Union:
			return t.Rec.VM
		default:
			return false
		}
		t = t.Elem
	}
}

// IsVLA reports whether the size of t varies.
func (t *Type) IsVLA() bool {
	for t.Kind == Array {
		if t.VLA != nil {
			return true
		}
		t = t.Elem
	}
	return t.IsRecord() && t.Rec.VLA
}

// IsChar reports whether t is one of the three character types.
func (t *Type) IsChar() bool { return t.Kind == Int && t.Rank == RankChar && t.Enum == nil }

// AllQuals are the qualifiers of t or, for an array, those of its elements.
func (t *Type) AllQuals() Quals {
	for t.Kind == Array {
		t = t.Elem
	}
	return t.Quals
}

// Member finds a member by name, through anonymous structs and unions: the path to it.
func (r *Record) Member(name string) []*Field {
	for i := range r.Fields {
		f := &r.Fields[i]
		switch {
		case f.Name == name:
			return []*Field{f}
		case f.Name == "" && f.Type.IsRecord():
			if path := f.Type.Rec.Member(name); path != nil {
				return append([]*Field{f}, path...)
			}
		}
	}
	return nil
}

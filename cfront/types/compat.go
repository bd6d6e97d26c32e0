package types

// Compatible reports whether two types are compatible, qualifiers included.
func Compatible(a, b *Type) bool {
	if a == b {
		return true
	}
	if a.Quals != b.Quals {
		return false
	}
	return CompatibleUnqualified(a, b)
}

// CompatibleUnqualified reports whether two types are compatible but for their own qualifiers.
func CompatibleUnqualified(a, b *Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Int:
		if a.Enum != nil && b.Enum != nil {
			return a.Enum == b.Enum
		}
		return a.Rank == b.Rank && a.Signed == b.Signed && a.PlainChar == b.PlainChar && a.Bits == b.Bits
	case Float:
		return a.Bits == b.Bits && a.Ext == b.Ext && a.Decimal == b.Decimal
	case Complex:
		return Compatible(a.Elem, b.Elem)
	case Vector:
		return a.Len == b.Len && Compatible(a.Elem, b.Elem)
	case Pointer:
		return Compatible(a.Elem, b.Elem)
	case Array:
		if !Compatible(a.Elem, b.Elem) {
			return false
		}
		return a.Len < 0 || b.Len < 0 || a.Len == b.Len
	case Struct, Union:
		return a.Rec == b.Rec
	case Func:
		return compatibleFuncs(a, b)
	}
	return true
}

func compatibleFuncs(a, b *Type) bool {
	if !Compatible(a.Elem, b.Elem) && !(a.Elem.IsVoid() && b.Elem.IsVoid()) {
		return false
	}
	switch {
	case a.NoProto && b.NoProto:
		return true
	case a.NoProto:
		return promoted(b)
	case b.NoProto:
		return promoted(a)
	}
	if a.Variadic != b.Variadic || len(a.Params) != len(b.Params) {
		return false
	}
	for i := range a.Params {
		if !compatibleParams(a.Params[i], b.Params[i]) {
			return false
		}
	}
	return true
}

// compatibleParams compares parameters; a transparent union agrees with its members.
func compatibleParams(a, b *Type) bool {
	if CompatibleUnqualified(a, b) {
		return true
	}
	for range 2 {
		if a.Kind == Union && a.Rec.Transparent {
			for _, f := range a.Rec.Fields {
				if CompatibleUnqualified(f.Type, b) {
					return true
				}
			}
		}
		a, b = b, a
	}
	return false
}

// promoted reports whether a function with this prototype may be declared by () as well.
func promoted(f *Type) bool {
	if f.Variadic {
		return false
	}
	for _, p := range f.Params {
		if p.Kind == Bool || p.Kind == Int && p.Rank < RankInt || p.Kind == Float && p.Bits == 32 && p.Ext == Standard {
			return false
		}
	}
	return true
}

// Composite returns the composite of two compatible types.
func Composite(a, b *Type) *Type {
	if a == b {
		return a
	}
	switch a.Kind {
	case Int:
		if a.Enum == nil && b.Enum != nil { // gcc prefers the enumerated type
			return b
		}
		return a
	case Pointer:
		e := Composite(a.Elem, b.Elem)
		if e == a.Elem {
			return a
		}
		if e == b.Elem && a.Quals == b.Quals {
			return b
		}
		p := *a.Unqualified()
		p.Elem, p.variants, p.unqualified = e, nil, nil
		return p.With(a.Quals)
	case Array:
		return compositeArray(a, b)
	case Func:
		return compositeFunc(a, b)
	}
	return a
}

func compositeArray(a, b *Type) *Type {
	e := Composite(a.Elem, b.Elem)
	from := a
	if a.Len < 0 && (b.Len >= 0 || a.VLA == nil && b.VLA != nil) {
		from = b
	}
	if e == from.Elem {
		return from
	}
	c := *from
	c.Elem, c.variants, c.unqualified = e, nil, nil
	if c.Len >= 0 && e.Size >= 0 {
		c.Size = c.Len * e.Size
	}
	return &c
}

func compositeFunc(a, b *Type) *Type {
	c := *a
	c.variants, c.unqualified = nil, nil
	c.Elem = Composite(a.Elem, b.Elem)
	c.NoReturn = a.NoReturn || b.NoReturn
	switch {
	case a.NoProto && b.NoProto:
	case a.NoProto:
		c.Params, c.Variadic, c.NoProto = b.Params, b.Variadic, false
	case b.NoProto:
	default:
		c.Params = make([]*Type, len(a.Params))
		for i := range a.Params {
			c.Params[i] = a.Params[i]
			if CompatibleUnqualified(a.Params[i], b.Params[i]) {
				c.Params[i] = Composite(a.Params[i], b.Params[i])
			}
		}
	}
	return &c
}

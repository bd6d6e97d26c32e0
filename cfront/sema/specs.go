package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// specInfo is what declaration specifiers say.
type specInfo struct {
	*syntax.Specs
	typ   *types.Type
	attrs *attrs
	align int64 // _Alignas
	auto  bool  // __auto_type
}

// specs checks declaration specifiers. alone tells that nothing but a semicolon follows.
func (c *checker) specs(s *syntax.Specs, alone bool) *specInfo {
	info := &specInfo{Specs: s}
	c.checkStorage(s)
	info.typ = c.baseType(s, alone)
	if info.typ == nil {
		info.auto, info.typ = true, c.t.Int
	}
	if alone { // attributes and qualifiers of nothing
		info.attrs = noAttrs
		return info
	}
	info.attrs = c.attributes(s.Attrs)
	q := s.Quals
	if q&types.Atomic != 0 {
		c.checkAtomic(s, info.typ)
	}
	if q&types.Restrict != 0 && !pointsToObject(info.typ) {
		c.fail(s, "invalid use of ‘restrict’")
	}
	info.typ = c.retype(s, info.typ, info.attrs).With(q)
	for _, n := range s.Align {
		info.align = max(info.align, c.alignas(n))
	}
	return info
}

// typed reports whether there is a type among the specifiers.
func (s *specInfo) typed() bool {
	return s.Bases > 0 || s.Signed+s.Unsigned+s.Short+s.Long > 0 || s.Complex
}

func pointsToObject(t *types.Type) bool {
	for t.Kind == types.Array {
		t = t.Elem
	}
	return t.Kind == types.Pointer && t.Elem.Kind != types.Func
}

func (c *checker) checkAtomic(n syntax.Node, t *types.Type) {
	switch t.Kind {
	case types.Array:
		c.fail(n, "‘_Atomic’-qualified array type")
	case types.Func:
		c.fail(n, "‘_Atomic’-qualified function type")
	}
}

// checkStorage refuses storage classes that do not go together.
func (c *checker) checkStorage(s *syntax.Specs) {
	n := 0
	for b := syntax.Typedef; b <= syntax.Register; b <<= 1 {
		if s.Storage&b != 0 {
			n++
		}
	}
	if n > 1 {
		c.fail(s, "multiple storage classes in declaration specifiers")
	}
	if s.Storage&syntax.Thread != 0 && s.Storage&(syntax.Typedef|syntax.Auto|syntax.Register) != 0 {
		c.fail(s, "‘__thread’ used with ‘%s’", map[bool]string{true: "typedef", false: "auto"}[s.Storage&syntax.Typedef != 0])
	}
}

// alignas is the alignment that the operand of an _Alignas asks for.
func (c *checker) alignas(n syntax.Node) int64 {
	if tn, ok := n.(*syntax.TypeName); ok {
		return c.alignOf(tn, c.typeName(tn), true)
	}
	x, _ := n.(syntax.Expr)
	v, ok := c.evalInt(c.value(x))
	if !ok {
		c.fail(n, "requested alignment is not an integer constant")
	}
	k := v.Int64()
	if !v.IsInt64() || k < 0 || k&(k-1) != 0 {
		c.fail(n, "requested alignment is not a positive power of 2")
	}
	return k
}

// baseType makes the type of specifiers, qualifiers and attributes aside; nil for __auto_type.
func (c *checker) baseType(s *syntax.Specs, alone bool) *types.Type {
	if s.Bases > 1 {
		c.fail(s, "two or more data types in declaration specifiers")
	}
	words := s.Signed + s.Unsigned + s.Short + s.Long
	if s.Signed > 0 && s.Unsigned > 0 {
		c.fail(s, "both ‘signed’ and ‘unsigned’ in declaration specifiers")
	}
	if s.Long > 0 && s.Short > 0 {
		c.fail(s, "both ‘long’ and ‘short’ in declaration specifiers")
	}
	if s.Long > 2 {
		c.fail(s, "‘long long long’ is too long for GCC")
	}
	if s.Short > 1 || s.Signed > 1 || s.Unsigned > 1 {
		c.fail(s, "duplicate type specifier in declaration specifiers")
	}
	ok := true
	switch s.Base {
	case syntax.NoBase, syntax.IntBase, syntax.CharBase, syntax.DoubleBase, syntax.Int128Base:
	default:
		ok = words == 0
	}
	if !ok {
		c.fail(s, "type specifiers do not go together in declaration specifiers")
	}
	t := c.simple(s)
	if t == nil {
		t = c.named(s, alone)
		if s.Complex {
			c.fail(s, "‘_Complex’ with this type in declaration specifiers")
		}
		return t
	}
	if s.Complex {
		if s.Base == syntax.NoBase && words == 0 {
			t = c.t.Double
		}
		if t.Kind == types.Void || t.Kind == types.Bool {
			c.fail(s, "both ‘_Complex’ and ‘%s’ in declaration specifiers", t)
		}
		return types.ComplexOf(t)
	}
	return t
}

// simple is the type of words alone; nil if there are others.
func (c *checker) simple(s *syntax.Specs) *types.Type {
	t := c.t
	signed := s.Unsigned == 0
	pick := func(a, b *types.Type) *types.Type {
		if signed {
			return a
		}
		return b
	}
	switch s.Base {
	case syntax.NoBase, syntax.IntBase:
		switch {
		case s.Short > 0:
			return pick(t.Short, t.UShort)
		case s.Long == 1:
			return pick(t.Long, t.ULong)
		case s.Long == 2:
			return pick(t.LongLong, t.ULongLong)
		}
		return pick(t.Int, t.UInt)
	case syntax.CharBase:
		if s.Short+s.Long > 0 {
			c.fail(s, "‘%s’ with ‘char’ in declaration specifiers", map[bool]string{true: "short", false: "long"}[s.Short > 0])
		}
		if s.Signed == 0 && signed {
			return t.Char
		}
		return pick(t.SChar, t.UChar)
	case syntax.Int128Base:
		if t.Int128 == nil {
			c.fail(s, "‘__int128’ is not supported on this target")
		}
		if s.Short+s.Long > 0 {
			c.fail(s, "both ‘long’ and ‘__int128’ in declaration specifiers")
		}
		return pick(t.Int128, t.UInt128)
	case syntax.DoubleBase:
		if s.Signed+s.Unsigned+s.Short > 0 || s.Long > 1 {
			c.fail(s, "‘double’ with ‘signed’, ‘unsigned’, ‘short’ or ‘long long’ in declaration specifiers")
		}
		if s.Long == 1 {
			return t.LongDouble
		}
		return t.Double
	case syntax.VoidBase:
		return t.Void
	case syntax.BoolBase:
		return t.Bool
	case syntax.FloatBase:
		return t.Float
	}
	if s.Base == syntax.Float16Base && c.t.PointerBits == 32 {
		c.fail(s, "‘_Float16’ is not supported on this target")
	}
	floats := map[syntax.Base]*types.Type{
		syntax.Float16Base: t.Float16, syntax.Float32Base: t.Float32, syntax.Float64Base: t.Float64, syntax.Float128Base: t.Float128,
		syntax.Float32xBase: t.Float32x, syntax.Float64xBase: t.Float64x,
		syntax.Decimal32Base: t.Decimal32, syntax.Decimal64Base: t.Decimal64, syntax.Decimal128Base: t.Decimal128,
	}
	return floats[s.Base]
}

// named is the type of a tag, a typedef name, typeof or _Atomic().
func (c *checker) named(s *syntax.Specs, alone bool) *types.Type {
	switch s.Base {
	case syntax.RecordBase:
		return c.record(s.Record, alone && s.Quals == 0 && s.Storage == 0)
	case syntax.EnumBase:
		return c.enum(s.Enum)
	case syntax.NameBase:
		sym := c.lookup(s.Name)
		if sym == nil || sym.kind != typedefSym {
			c.fail(s, "unknown type name ‘%s’", s.Name)
		}
		return sym.typ
	case syntax.TypeofBase:
		if s.Type != nil {
			return c.typeName(s.Type)
		}
		return c.typeofExpr(s.X)
	case syntax.AtomicBase:
		t := c.typeName(s.Type)
		c.checkAtomic(s, t)
		if t.Quals != 0 {
			c.fail(s, "‘_Atomic’ applied to a qualified type")
		}
		return t.With(types.Atomic)
	}
	return nil
}

// typeofExpr is the type of typeof(x). The expression is evaluated only if its type varies.
func (c *checker) typeofExpr(e syntax.Expr) *types.Type {
	before := c.vlas
	c.unevaluated++
	x := c.expr(e)
	c.unevaluated--
	if bitField(x) != nil {
		c.fail(e, "‘typeof’ applied to a bit-field")
	}
	c.vlas = before
	t := x.Type()
	if bitValue(x) != nil {
		t = c.bitType(x)
	}
	if t.IsVM() && c.stmts != nil && c.unevaluated == 0 {
		c.vlas = append(c.vlas, &tree.ExprStmt{S: tree.S{Site: x.At()}, X: c.voided(x)})
	}
	return t
}

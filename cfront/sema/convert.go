package sema

import (
	"math/big"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// value checks an expression and takes its value.
func (c *checker) value(e syntax.Expr) tree.Expr { return c.rvalue(c.expr(e)) }

// rvalue is the value of an expression: arrays and functions become pointers, lvalues are loaded.
func (c *checker) rvalue(x tree.Expr) tree.Expr {
	t := x.Type()
	switch t.Kind {
	case types.Func:
		return &tree.Decay{X: tree.X{Typ: c.t.Pointer(t), Site: x.At()}, L: x}
	case types.Array:
		markAddr(x)
		return &tree.Decay{X: tree.X{Typ: c.t.Pointer(t.Elem), Site: x.At()}, L: x}
	case types.VaList:
		if c.t.PointerBits == 64 && x.Lvalue() {
			markAddr(x)
			return &tree.Decay{X: tree.X{Typ: c.t.Pointer(t), Site: x.At()}, L: x}
		}
	}
	if !x.Lvalue() || t.Kind == types.Void {
		return x
	}
	if !t.IsComplete() && !t.IsVLA() {
		failSite(x, "invalid use of undefined type ‘%s’", t)
	}
	t = t.Unqualified()
	if f := bitField(x); f != nil {
		t = types.BitInt(t, f.Width)
	}
	return &tree.Load{X: tree.X{Typ: t, Site: x.At()}, L: x}
}

// markAddr notes that the address of the variable in an lvalue is taken.
func markAddr(x tree.Expr) {
	for {
		switch e := x.(type) {
		case *tree.VarRef:
			e.Var.AddrTaken = true
			return
		case *tree.Member:
			x = e.L
		case *tree.Part:
			x = e.L
		case *tree.Element:
			x = e.L
		default:
			return
		}
	}
}

// bitField returns the bit-field that an expression denotes; nil if it is none.
func bitField(x tree.Expr) *types.Field {
	if m, ok := x.(*tree.Member); ok && m.Field.BitField {
		return m.Field
	}
	return nil
}

// bitValue returns the bit-field whose value an expression is.
func bitValue(x tree.Expr) *types.Field {
	for {
		switch e := x.(type) {
		case *tree.Load:
			return bitField(e.L)
		case *tree.Assign:
			return bitField(e.L)
		case *tree.AssignOp:
			return bitField(e.L)
		case *tree.IncDec:
			return bitField(e.L)
		case *tree.Comma:
			x = e.R
		case *tree.StmtExpr:
			if e.Last == nil {
				return nil
			}
			x = e.Last
		default:
			return bitField(x)
		}
	}
}

// plain makes the value of a bit-field one of its type.
func plain(x tree.Expr) tree.Expr {
	if bitValue(x) == nil {
		return x
	}
	return &tree.Convert{X: tree.X{Typ: x.Type(), Site: x.At()}, V: x}
}

// bitType returns the type that a value has for gcc where it is not promoted. That of a bit-field which is narrower than its type
// is the integer type of its width, or, where there is none, one of its own of so many bits.
func (c *checker) bitType(x tree.Expr) *types.Type {
	t := x.Type().Unqualified()
	f := bitValue(x)
	if f == nil || t.Kind == types.Bool || f.Width == 8*int(f.Type.Size) {
		return t
	}
	if s := c.t.IntOf(f.Width, t.Signed); s != nil {
		return s
	}
	size := int64(1)
	for 8*size < int64(f.Width) {
		size *= 2
	}
	rank := t.Rank
	if f.Width < 32 {
		rank = types.RankShort // it is promoted
	}
	return &types.Type{Kind: types.Int, Rank: rank, Size: size, Align: size, Bits: f.Width, Signed: t.Signed}
}

// convert makes a conversion of a value to a type, if it has another one.
func (c *checker) convert(x tree.Expr, t *types.Type) tree.Expr {
	t = t.Unqualified()
	from := x.Type()
	if from == t || sameValueType(from, t) {
		return x
	}
	switch k := x.(type) {
	case *tree.IntConst:
		if y := c.convertInt(k, t); y != nil {
			return y
		}
	case *tree.FloatConst:
		if t.Kind == types.Float {
			return c.floatConst(k.Site, t, numOf(k))
		}
	}
	return &tree.Convert{X: tree.X{Typ: t, Site: x.At()}, V: x}
}

// sameValueType reports whether values of two unqualified types need no conversion.
func sameValueType(a, b *types.Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == types.Int {
		return a.Enum == b.Enum && a.Rank == b.Rank && a.Signed == b.Signed && a.PlainChar == b.PlainChar && a.Bits == b.Bits
	}
	return types.CompatibleUnqualified(a, b) && !(a.Kind == types.Pointer && a.Elem != b.Elem && a.Elem.IsVM() != b.Elem.IsVM())
}

// convertInt converts an integer constant; nil if that is no constant.
func (c *checker) convertInt(k *tree.IntConst, t *types.Type) tree.Expr {
	switch {
	case t.Kind == types.Bool:
		return c.intConst(k.Site, t, big.NewInt(int64(k.V.Sign()*k.V.Sign())))
	case t.Kind == types.Int:
		return c.intConst(k.Site, t, c.wrapFrom(k.V, k.Typ, t))
	case t.Kind == types.Pointer:
		return c.intConst(k.Site, t, wrap(k.V, c.t.Size))
	case t.Kind == types.Float && !k.Typ.IsPointer():
		return c.floatConst(k.Site, t, intNum(k.V))
	}
	return nil
}

func (c *checker) intConst(s *tree.Site, t *types.Type, v *big.Int) *tree.IntConst {
	return &tree.IntConst{X: tree.X{Typ: t, Site: s}, V: v}
}

func (c *checker) small(n syntax.Node, t *types.Type, v int64) *tree.IntConst {
	return c.intConst(c.site(n), t, big.NewInt(v))
}

// wrap reduces a value to the range of an integer type.
func wrap(v *big.Int, t *types.Type) *big.Int {
	if t.Kind == types.Bool {
		return big.NewInt(int64(v.Sign() * v.Sign()))
	}
	if fits(v, t) {
		return v
	}
	m := new(big.Int).Lsh(one, uint(t.Bits))
	r := new(big.Int).Mod(v, m)
	if t.Signed && r.Bit(t.Bits-1) == 1 {
		r.Sub(r, m)
	}
	return r
}

// wrapFrom is wrap of a value of a type: gcc extends addresses by their sign.
func (c *checker) wrapFrom(v *big.Int, from, t *types.Type) *big.Int {
	if from.Kind == types.Pointer && t.Kind == types.Int {
		v = wrap(v, c.t.PtrDiff)
	}
	return wrap(v, t)
}

// promoted is the type that an operand of an integer type is promoted to.
func (c *checker) promoted(x tree.Expr) *types.Type {
	t := x.Type()
	switch {
	case t.Kind == types.Bool:
		return c.t.Int
	case t.Kind != types.Int:
		return t
	}
	bits, f := t.Bits, bitValue(x)
	if f != nil {
		bits = min(bits, f.Width)
	}
	switch {
	case f == nil && t.Enum == nil && t.Rank >= types.RankInt:
		return t
	case bits < 32 || bits == 32 && t.Signed:
		return c.t.Int
	case bits == 32:
		return c.t.UInt
	case t.Enum != nil:
		return c.t.IntOf(t.Bits, t.Signed)
	}
	return t
}

// promote makes the integer promotions.
func (c *checker) promote(x tree.Expr) tree.Expr { return c.convert(x, c.promoted(x)) }

// common is the type of the usual arithmetic conversions of two promoted operands' types.
func (c *checker) common(a, b *types.Type) *types.Type {
	if a.Kind == types.Complex || b.Kind == types.Complex {
		pa, pb := a, b
		if a.Kind == types.Complex {
			pa = a.Elem
		}
		if b.Kind == types.Complex {
			pb = b.Elem
		}
		e := c.commonReal(pa, pb)
		if a.Kind == types.Complex && a.Elem == e {
			return a
		}
		if b.Kind == types.Complex && b.Elem == e {
			return b
		}
		return types.ComplexOf(e)
	}
	return c.commonReal(a, b)
}

func (c *checker) commonReal(a, b *types.Type) *types.Type {
	if a.Kind == types.Float || b.Kind == types.Float {
		switch {
		case b.Kind != types.Float:
			return a
		case a.Kind != types.Float:
			return b
		}
		if floatRank(a) >= floatRank(b) {
			return a
		}
		return b
	}
	return c.commonInt(a, b)
}

// floatRank orders the floating types.
func floatRank(t *types.Type) int {
	r := t.Bits * 8
	switch {
	case t.Decimal:
		r += 1 << 20
	case t.Ext == types.Standard:
		r++
	case t.Ext == types.FloatN:
		r += 2
	}
	return r
}

// commonInt is gcc's c_common_type for integers: precision counts, then rank.
func (c *checker) commonInt(a, b *types.Type) *types.Type {
	switch {
	case sameValueType(a, b):
		return a
	case a.Bits > b.Bits:
		return a
	case b.Bits > a.Bits:
		return b
	}
	if a.Rank < b.Rank {
		a, b = b, a
	}
	if a.Rank == b.Rank {
		if !a.Signed {
			return a
		}
		return b
	}
	if a.Signed && !b.Signed { // long of int's width (ILP32), long long of long's
		switch a.Rank {
		case types.RankLong:
			return c.t.ULong
		case types.RankLongLong:
			return c.t.ULongLong
		}
	}
	return a
}

// usual makes the usual arithmetic conversions.
func (c *checker) usual(l, r tree.Expr) (tree.Expr, tree.Expr, *types.Type) {
	t := c.common(c.promoted(l), c.promoted(r))
	return c.toCommon(l, t), c.toCommon(r, t), t
}

// toCommon converts an operand; a real one of a complex operation to the type of a part only.
func (c *checker) toCommon(x tree.Expr, t *types.Type) tree.Expr { return c.convert(x, t) }

// isNullConst reports whether a value is a null pointer constant.
func (c *checker) isNullConst(x tree.Expr) bool {
	t := x.Type()
	if t.Kind == types.NullPtr {
		return true
	}
	if t.Kind == types.Pointer && !(t.Elem.Kind == types.Void && t.Elem.Quals == 0) || !t.IsInteger() && t.Kind != types.Pointer {
		return false
	}
	switch k := x.(type) {
	case *tree.IntConst:
		return k.V.Sign() == 0
	case *tree.Convert, *tree.Binary, *tree.Unary, *tree.Cond, *tree.Logic:
		if !t.IsInteger() {
			return false
		}
		v, ok := c.evalInt(x)
		return ok && v.Sign() == 0
	}
	return false
}

// reason is why an assignment conversion is made.
type reason struct {
	verb string // "assigning to", "initializing", "returning", "passing"
	arg  int
	f    string
}

func (w reason) describe(t, from *types.Type) string {
	switch w.verb {
	case "passing":
		return "incompatible type for argument " + itoa(w.arg) + " of ‘" + w.f + "’: ‘" + t.String() + "’ from ‘" + from.String() + "’"
	case "returning":
		return "incompatible types when returning type ‘" + from.String() + "’ but ‘" + t.String() + "’ was expected"
	case "initializing":
		return "incompatible types when initializing type ‘" + t.String() + "’ using type ‘" + from.String() + "’"
	}
	return "incompatible types when assigning to type ‘" + t.String() + "’ from type ‘" + from.String() + "’"
}

func itoa(n int) string { return big.NewInt(int64(n)).String() }

// assignTo converts a value as by assignment and refuses what gcc refuses.
func (c *checker) assignTo(x tree.Expr, t *types.Type, w reason) tree.Expr {
	t = t.Unqualified()
	if b := machine(x); b != nil && t.Kind != types.Void {
		b.Typ = t
		return x
	}
	from := x.Type()
	if from.Kind == types.Void {
		failSite(x, "void value not ignored as it ought to be")
	}
	ok := false
	switch t.Kind {
	case types.Int, types.Bool:
		ok = from.IsArith() || from.IsPointer()
	case types.Float, types.Complex:
		ok = from.IsArith()
	case types.Pointer:
		ok = from.IsPointer() || from.IsInteger()
		if from.Kind == types.VaList {
			ok = true
		}
	case types.Struct, types.Union:
		ok = from.Kind == t.Kind && from.Rec == t.Rec
	case types.Vector:
		ok = types.CompatibleUnqualified(from, t) || from.Kind == types.Vector && from.Size == t.Size && isMask(x)
	case types.VaList, types.NullPtr:
		ok = from.Kind == t.Kind || t.Kind == types.VaList && from.IsPointer()
	}
	if !ok {
		failSite(x, "%s", w.describe(t, from))
	}
	return c.convert(x, t)
}

// isMask reports whether a vector is made of comparisons: gcc converts it to any vector of its size.
func isMask(x tree.Expr) bool {
	switch x := x.(type) {
	case *tree.Binary:
		switch x.Op {
		case tree.And, tree.Or, tree.Xor:
			return isMask(x.L) || isMask(x.R)
		}
		return x.Op >= tree.Eq && x.Op <= tree.Ge
	case *tree.Unary:
		return x.Op == tree.Not || isMask(x.V)
	}
	return false
}

// truth checks that a value can be tested and returns it.
func (c *checker) truth(x tree.Expr) tree.Expr {
	t := x.Type()
	switch {
	case t.IsScalar():
		return x
	case t.Kind == types.Void:
		failSite(x, "void value not ignored as it ought to be")
	case t.Kind == types.Vector:
		failSite(x, "used vector type where scalar is required")
	case t.IsRecord():
		failSite(x, "used %s type value where scalar is required", map[types.Kind]string{types.Struct: "struct", types.Union: "union"}[t.Kind])
	}
	failSite(x, "used ‘%s’ where scalar is required", t)
	return nil
}

// voided converts a value to void.
func (c *checker) voided(x tree.Expr) tree.Expr {
	if x.Type().Kind == types.Void {
		return x
	}
	return &tree.Convert{X: tree.X{Typ: c.t.Void, Site: x.At()}, V: c.rvalue(x)}
}

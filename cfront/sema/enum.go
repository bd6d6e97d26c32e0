package sema

import (
	"math/big"

	"comus/cfront/syntax"
	"comus/cfront/types"
)

var one = big.NewInt(1)

// enum checks an enum specifier.
func (c *checker) enum(n *syntax.Enum) *types.Type {
	var t *types.Type
	if n.Tag != "" {
		t = c.lookupTag(n.Tag, n.Body)
		if t != nil && t.Enum == nil {
			c.fail(n, "‘%s’ defined as wrong kind of tag", n.Tag)
		}
	}
	if t == nil {
		t = &types.Type{Kind: types.Int, Size: -1, Align: 4, Rank: types.RankInt, Bits: 32, Enum: &types.Enum{Tag: n.Tag}}
		if n.Tag != "" {
			c.declareTag(n.Tag, t)
		}
	}
	if !n.Body {
		return t
	}
	if t.Enum.Complete {
		c.fail(n, "redeclaration of ‘enum %s’", n.Tag)
	}
	c.enumerators(n, t)
	return t
}

// enumerators declares the constants of an enum and chooses its type, as gcc does.
func (c *checker) enumerators(n *syntax.Enum, t *types.Type) {
	a := c.attributes(n.Attrs)
	next, lo, hi := new(big.Int), new(big.Int), new(big.Int)
	overflow := false
	var syms []*symbol
	for _, k := range n.Consts {
		v, vt := next, c.t.Int
		if k.Value != nil {
			x := c.value(k.Value)
			var ok bool
			if v, ok = c.evalInt(x); !ok || !x.Type().IsInteger() {
				c.fail(k, "enumerator value for ‘%s’ is not an integer constant", k.Name)
			}
			vt = x.Type()
		} else if overflow {
			c.fail(k, "overflow in enumeration values")
		}
		s := c.enumConst(k, v)
		if !fits(v, c.t.Int) && k.Value != nil && vt.Kind == types.Int && fits(v, vt) {
			s.typ = c.promoted(c.intConst(nil, vt, v))
		}
		syms = append(syms, s)
		if v.IsInt64() {
			t.Enum.Consts = append(t.Enum.Consts, types.EnumConst{Name: k.Name, Value: v.Int64()})
		}
		if v.Cmp(lo) < 0 {
			lo = v
		}
		if v.Cmp(hi) > 0 {
			hi = v
		}
		next = new(big.Int).Add(v, one)
		overflow = !fits(next, s.typ)
	}
	signed := lo.Sign() < 0
	bits := hi.BitLen()
	if signed {
		bits = max(bits, new(big.Int).Not(lo).BitLen()) + 1
	}
	base := c.enumBase(bits, signed, a.packed || c.flags.ShortEnums)
	if base == nil { // gcc warns
		base = c.t.IntOf(64, signed)
	}
	if a.mode != "" {
		base = c.moded(n, base, a.mode)
	}
	t.Rank, t.Bits, t.Signed = base.Rank, base.Bits, base.Signed
	t.Enum.Complete = true
	align := base.Align
	if a.align > 0 {
		align = a.align
	}
	t.Complete(base.Size, align, a.align > 0)
	for _, s := range syms {
		if !fits(s.val, c.t.Int) {
			s.typ, s.val = t, wrap(s.val, t)
		}
	}
}

// enumBase is the integer type of an enum whose values need so many bits.
func (c *checker) enumBase(bits int, signed, packed bool) *types.Type {
	for _, b := range []int{8, 16, 32, 64} {
		if bits <= b && (packed || b >= 32) {
			return c.t.IntOf(b, signed)
		}
	}
	return nil
}

// enumConst declares an enumerator.
func (c *checker) enumConst(k *syntax.EnumConst, v *big.Int) *symbol {
	if old := c.scope.names[k.Name]; old != nil {
		if old.kind == constSym {
			c.fail(k, "redeclaration of enumerator ‘%s’", k.Name)
		}
		c.fail(k, "‘%s’ redeclared as different kind of symbol", k.Name)
	}
	t := c.t.Int
	for _, u := range []*types.Type{c.t.Int, c.t.UInt, c.t.Long, c.t.ULong, c.t.LongLong, c.t.ULongLong} {
		if t = u; fits(v, u) {
			break
		}
	}
	s := &symbol{kind: constSym, name: k.Name, typ: t, val: v, pos: c.in.Pos(k.First), scope: c.scope}
	c.scope.names = put(c.scope.names, k.Name, s)
	return s
}

// fits reports whether a value is in the range of an integer type.
func fits(v *big.Int, t *types.Type) bool {
	if t.Kind == types.Bool {
		return v.Sign() >= 0 && v.BitLen() <= 1
	}
	if !t.Signed {
		return v.Sign() >= 0 && v.BitLen() <= t.Bits
	}
	if v.Sign() < 0 {
		return new(big.Int).Not(v).BitLen() < t.Bits
	}
	return v.BitLen() < t.Bits
}

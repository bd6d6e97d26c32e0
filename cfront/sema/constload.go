package sema

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cfront/types"
)

// evalLoad evaluates the value of a compound literal, a string literal's character or a constant
// variable (a part of it), as gcc does for initialisers.
func (c *checker) evalLoad(x *tree.Load) (konst, bool) {
	if p, ok := x.L.(*tree.Part); ok && !p.L.Lvalue() {
		return c.evalPart(p)
	}
	if !x.Typ.IsScalar() || x.L.Type().AllQuals()&types.Volatile != 0 {
		return konst{}, false
	}
	if l, ok := x.L.(*tree.CompoundLit); ok {
		return c.itemAt(l.Init, 0, nil, x.Typ)
	}
	if c.constVars == 0 {
		return konst{}, false
	}
	a, ok := c.evalAddr(x.L)
	if !ok || a.base == nil || !a.i.IsInt64() {
		return konst{}, false
	}
	off := a.i.Int64()
	switch b := a.base.(type) {
	case *tree.String:
		n := x.Typ.Size
		if off < 0 || off+n > int64(len(b.Data)) || !x.Typ.IsInteger() || n > 8 {
			return konst{}, false
		}
		v := uint64(0)
		for k := n - 1; k >= 0; k-- {
			v = v<<8 | uint64(b.Data[off+k])
		}
		return konst{i: wrap(new(big.Int).SetUint64(v), x.Typ)}, true
	case *tree.VarRef:
		v := b.Var
		if v.Type.AllQuals()&(types.Const|types.Volatile) != types.Const || v.Init == nil || v.Storage != tree.Static || v.Weak {
			return konst{}, false
		}
		var bits *tree.BitRange
		if f := bitField(x.L); f != nil {
			bits = &tree.BitRange{Offset: f.BitOffset, Width: f.Width}
		}
		return c.itemAt(v.Init, off, bits, x.Typ)
	}
	return konst{}, false
}

// itemAt is the value that an initialiser gives to the scalar at an offset.
func (c *checker) itemAt(init *tree.Init, off int64, bits *tree.BitRange, t *types.Type) (konst, bool) {
	for i := len(init.Items) - 1; i >= 0; i-- {
		it := &init.Items[i]
		if off+t.Size <= it.Offset || it.Offset+it.Type.Size <= off && it.Bits == nil {
			continue
		}
		same := it.Offset == off && (it.Bits == nil) == (bits == nil) && (bits == nil || *bits == *it.Bits)
		if s, ok := it.X.(*tree.String); ok && t.Size == s.Typ.Elem.Size && t.IsInteger() {
			k := off - it.Offset
			v := uint64(0)
			for j := t.Size - 1; j >= 0; j-- {
				if k+j < int64(len(s.Data)) {
					v = v<<8 | uint64(s.Data[k+j])
				}
			}
			return konst{i: wrap(new(big.Int).SetUint64(v), t)}, true
		}
		if bits != nil && it.Bits != nil && !same {
			continue
		}
		if !same || !sameValueType(it.X.Type(), t) && it.X.Type().Size != t.Size {
			return konst{}, false
		}
		return c.eval(it.X)
	}
	return c.evalConvert(&tree.Convert{X: tree.X{Typ: t}, V: c.intConst(nil, c.t.Int, new(big.Int))})
}

// constant makes a node of a constant of a type.
func (c *checker) constant(k konst, x tree.Expr) tree.Expr {
	t, s := x.Type().Unqualified(), x.At()
	switch {
	case k.base != nil:
		return c.addressNode(k, t, s)
	case k.im != nil:
		im := c.floatConst(s, c.partType(t), *k.im)
		return &tree.ComplexConst{X: tree.X{Typ: t, Site: s}, Re: c.floatConst(s, c.partType(t), *k.re), Im: im}
	case k.i != nil:
		return c.intConst(s, t, k.i)
	}
	return c.floatConst(s, t, *k.re)
}

// partType is the floating type of the parts of a complex constant.
func (c *checker) partType(t *types.Type) *types.Type {
	if t.Kind == types.Complex && t.Elem.Kind == types.Float {
		return t.Elem
	}
	return c.t.Float128
}

// addressNode makes a node of an address constant: of its base, plus bytes, converted.
func (c *checker) addressNode(k konst, t *types.Type, s *tree.Site) tree.Expr {
	var p tree.Expr
	bt := k.base.Type()
	switch b := k.base.(type) {
	case *tree.LabelAddr:
		p = b
	case *tree.FuncRef:
		p = &tree.Decay{X: tree.X{Typ: c.t.Pointer(bt), Site: s}, L: b}
	default:
		markAddr(b)
		if bt.Kind == types.Array {
			p = &tree.Decay{X: tree.X{Typ: c.t.Pointer(bt.Elem), Site: s}, L: b}
		} else {
			p = &tree.AddrOf{X: tree.X{Typ: c.t.Pointer(bt), Site: s}, L: b}
		}
	}
	if k.i.Sign() != 0 {
		chars := c.t.Pointer(c.t.Char)
		p = &tree.PtrAdd{X: tree.X{Typ: chars, Site: s}, P: c.convert(p, chars), N: c.intConst(s, c.t.PtrDiff, k.i)}
	}
	return c.convert(p, t)
}

package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// A struct value is first a place: whoever uses it reads the fields there. That
// is right as long as nothing else is evaluated in between. Results of calls
// and values that have to wait are copied to temporary objects.

// newTempObject returns a struct object for the rest of the statement.
func (b *lowerer) newTempObject(t *ctype) *object {
	th := b.th
	for _, x := range th.temps {
		if !x.used && x.obj != nil && x.obj.typ == t {
			x.used = true
			th.used = append(th.used, x)
			return x.obj
		}
	}
	o := b.newObject(fmt.Sprintf("t%d.struct", th.index), "", nil, t, th.index, nil)
	for _, c := range o.cells {
		if c.v != nil {
			c.v.Source = ""
		}
	}
	x := &temp{obj: o, used: true}
	n := len(th.temps)
	b.record(func() { th.temps = th.temps[:n] })
	th.temps = append(th.temps, x)
	th.used = append(th.used, x)
	return o
}

// compoundLiteral evaluates (T){...}: an object of its own, which lives as long as
// the variables of the block and gets its value each time control comes here.
func (b *lowerer) compoundLiteral(x *cc.PostfixExpression) (place, bool) {
	t := b.typeOf(x.TypeName.Type(), nil)
	switch {
	case t.kind == tBad:
		b.fail(x, "unsupported: %s", t.why)
	case t.kind == tArray && t.n <= 0:
		b.fail(x, "unsupported: compound literal of unknown length")
	case t.kind == tVoid || t.kind == tFunc || t.kind.isLibrary():
		b.fail(x, "unsupported: compound literal of this type")
	}
	if b.fr == nil {
		return b.staticLiteral(x, t), true
	}
	key := fmt.Sprintf("%s.literal@%p", b.fr.path, x)
	b.settleAll() // a value in use may be that of the last time
	o := b.th.objs[key]
	if o == nil {
		o = b.earlyObject(key)
	}
	if b.escaped[key] {
		b.ownedByInstance(x)
	}
	if o == nil {
		thread, init := b.th.index, (*logic.Value)(nil)
		if b.escaped[key] {
			thread, init = ir.Shared, &logic.Value{}
		}
		o = b.newObject(b.fr.path+".literal", "literal", nil, t, thread, init)
		o.key = key
		b.known(o)
		th := b.th
		th.objs[key] = o
		b.record(func() { delete(th.objs, key) })
	}
	b.initCells(x, o, b.listLeaves(x.InitializerList, o), b.text(x))
	return o.whole(), b.cur != nil
}

// staticLiteral makes the object of a compound literal in the initialiser of a
// static variable: it is static itself.
func (b *lowerer) staticLiteral(x *cc.PostfixExpression, t *ctype) place {
	o := b.newObject("literal", "literal", nil, t, ir.Shared, &logic.Value{})
	b.staticCells(x, o, b.listLeaves(x.InitializerList, o))
	return o.whole()
}

// complit recognises compound literals.
func complit(n cc.ExpressionNode) *cc.PostfixExpression {
	if x, ok := unparen(n).(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionComplit {
		return x
	}
	return nil
}

// isTempObject reports whether o is a temporary in use.
func (b *lowerer) isTempObject(o *object) bool {
	for _, t := range b.th.used {
		if t.obj == o && o != nil {
			return true
		}
	}
	return false
}

// materialiseStruct copies a struct value to a temporary, each shared scalar in
// a step of its own.
func (b *lowerer) materialiseStruct(v *value) {
	if v.kind != vAgg || b.cur == nil || b.isTempObject(v.pl.obj) {
		return
	}
	var n cc.Node = b.stmt
	if v.src != nil {
		n = v.src
	}
	o := b.newTempObject(v.pl.typ)
	b.copyStruct(n, o.whole(), v, "read "+b.text(n))
	old := v.pl
	b.record(func() { v.pl = old })
	v.pl = o.whole()
}

// copyStruct copies a struct scalar by scalar.
func (b *lowerer) copyStruct(n cc.Node, p place, v *value, desc string) {
	if v.kind != vAgg || v.pl.typ.cells != p.typ.cells || len(v.pl.typ.fields) != len(p.typ.fields) {
		b.fail(n, "unsupported: assignment of different structs")
	}
	mark := b.holdPlace(p)
	b.hold(v)
	for i, f := range p.typ.fields {
		if p.typ.union && i > 0 {
			break
		}
		b.copyPart(n, p.member(f), v.pl.member(v.pl.typ.fields[i]), desc)
	}
	b.letGo(mark)
}

// copyPart copies a field or an element of one.
func (b *lowerer) copyPart(n cc.Node, to, from place, desc string) {
	if to.typ.kind == tArray {
		for i := range to.typ.n {
			k := b.constInt(int64(i), b.ptrInt)
			b.copyPart(n, to.at(k), from.at(k), desc)
		}
		return
	}
	if to.typ.kind.isLibrary() {
		b.fail(n, "unsupported: copy of a mutex or another library object")
	}
	b.store(n, to, b.load(n, from), desc)
}

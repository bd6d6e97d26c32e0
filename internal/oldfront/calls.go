package cfront

import (
	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// resolved returns an address whose targets are all known.
func (b *lowerer) resolved(n cc.Node, v *value) *value {
	switch {
	case v.to.has(toResult):
		b.wantResults(n)
	case v.to.has(toInteger), v.to == nil && !v.isNull():
		b.fail(n, "unsupported: pointer made from an integer is used as an address")
	}
	return v
}

// callTargets returns the names of the functions that a pointer may point to and
// that can be called with so many arguments: those without a parameter for some of
// them are, as in a call by name.
func (b *lowerer) callTargets(n cc.Node, v *value, args int) []string {
	var names []string
	for _, t := range v.to.sorted() {
		if t.kind != toFunc {
			continue
		}
		fn := b.src.funcs[t.name]
		if fn == nil {
			b.fail(n, "unsupported: pointer to the function '%s', which is not defined here, among several", t.name)
		}
		if ft, ok := fn.Declarator.Type().(*cc.FunctionType); ok && len(parameters(ft)) <= args {
			names = append(names, t.name)
		}
	}
	if len(names) == 0 {
		b.warn(n, "pointer to a function is invalid")
	}
	return names
}

// callAny calls the function that f points to: one of several.
func (b *lowerer) callAny(x *cc.PostfixExpression, f *value, args []cc.ExpressionNode) *value {
	f, ok := b.address(x, f)
	if !ok || f.to == nil || f.to.has(toInteger) {
		b.fail(x, "unsupported: call through a pointer whose target is not known here")
	}
	f = b.resolved(x, f)
	mark := b.hold(f)
	vals := b.evalArgs(args)
	b.letGo(mark)
	if b.cur == nil {
		return &value{kind: vUnknown, src: x}
	}
	names := b.callTargets(x, f, len(args))
	b.hold(f)
	b.hold(vals...)
	for _, v := range append(vals[:len(vals):len(vals)], f) {
		if v.kind == vAgg || b.pending(v) {
			b.materialise(v)
		}
	}
	b.settleAll()
	b.caseSplit(x, f, names)
	start := b.cur
	var result *object
	if t := b.typeOf(x.Type(), nil); t.kind == tStruct {
		result = b.newTempObject(t)
	}
	var at *flow
	var res *value
	for _, name := range names {
		b.cur = start.clone()
		if !b.is(x, f, name) {
			continue
		}
		var given []*value
		for _, v := range vals {
			given = append(given, v.copy(x))
		}
		v := b.inlineValues(x, name, b.src.funcs[name], given)
		if b.cur == nil {
			continue
		}
		if result != nil {
			b.copyStruct(x, result.whole(), v, b.text(x))
			v = &value{kind: vAgg, pl: result.whole(), src: x}
		}
		if at == nil {
			at, res = b.cur, v
			continue
		}
		if result != nil {
			b.join(x, at, b.cur)
		} else {
			res = b.mergeValues(x, at, res, b.cur, v)
		}
		at = b.cur
	}
	b.letGo(mark)
	b.cur = at
	if at == nil {
		return &value{kind: vUnknown, src: x}
	}
	return res
}

// caseSplit prepares a case split over the functions that f points to: that it is
// none of these is an error, or assumed absent.
func (b *lowerer) caseSplit(n cc.Node, f *value, names []string) {
	if !b.opts.Check.Memory {
		b.assume(assumePointer)
		return
	}
	var any []*logic.Term
	for _, name := range names {
		any = append(any, b.L.Eq(f.t, b.L.Int(b.funcAddress(name))))
	}
	b.invalid(n, "invalid pointer to a function: "+b.text(n), b.L.Or(any...))
}

// is lets control go on only if f points to the function, and reports whether it may.
func (b *lowerer) is(n cc.Node, f *value, name string) bool {
	c := b.L.Eq(f.t, b.L.Int(b.funcAddress(name)))
	if c.IsFalse() || b.cur == nil {
		return false
	}
	if !c.IsTrue() || len(f.side) > 0 {
		b.emitValue(n, b.text(n)+" calls "+name, f, ir.AssumeCmd(c))
	}
	return true
}

// createAny lowers pthread_create with a function that is one of several: a thread
// for each.
func (b *lowerer) createAny(c call, vals []*value) *value {
	f, ok := b.address(c.n, vals[2])
	if !ok || f.to == nil || f.to.has(toInteger) {
		b.fail(c.n, "unsupported: pthread_create with a function that is not known here")
	}
	f = b.resolved(c.n, f)
	mark := b.hold(f)
	b.hold(vals...)
	for _, v := range []*value{f, vals[0], vals[3]} {
		if b.pending(v) {
			b.materialise(v)
		}
	}
	b.settleAll()
	names := b.callTargets(c.n, f, 1)
	b.caseSplit(c.n, f, names)
	start := b.cur
	var flows []*flow
	for _, name := range names {
		b.cur = start.clone()
		if !b.is(c.n, f, name) {
			continue
		}
		given := []*value{vals[0].copy(c.n), vals[1], {kind: vFunc, fn: name, src: c.n}, vals[3].copy(c.n)}
		b.createWith(c, given)
		flows = append(flows, b.cur)
	}
	b.letGo(mark)
	b.join(c.n, flows...)
	return b.constInt(0, intT)
}

package cfront

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// frame is one inlined call.
type frame struct {
	fn     *cc.FunctionDefinition
	name   string
	path   string // thread and functions, to name variables
	parent *frame
	depth  int
	call   cc.Node
	objs   map[*cc.Declarator]*object
	result *ctype
	lazy   bool    // the one return hands its value over as a term
	ret    *ir.Var // otherwise carries an integer
	agg    *object // carries a struct
	rets   []*flow
	vals   []*value // the results on rets
	labels []map[cc.Node]*label
	exits  []*exits // targets of break and continue, innermost last
	info   *fnInfo
	tail   *tailLoop // nil unless the function is a loop, as it calls itself last
	base   *flow     // what is known everywhere in the body; set if it has gotos
	// atomicDepth is the depth of atomic sections where the body begins.
	atomicDepth int
}

// exits are the flows that leave a loop or switch.
type exits struct {
	loop              bool
	breaks, continues []*flow
	cases             map[*cc.LabeledStatement]*flow
}

// label is one copy of a label.
type label struct {
	pending []*flow
	head    *flow // what is known there; set when the label has been met, if gotos lead back to it
	met     bool  // it has been lowered
}

// variable returns the place of a declared variable.
func (b *lowerer) variable(n cc.Node, d *cc.Declarator) place {
	switch {
	case isGlobal(d):
		return b.global(n, d.Name()).whole()
	case d.IsThreadLocal():
		return b.threadLocal(n, d).whole()
	case d.IsStatic():
		return b.static(d).whole()
	}
	if b.fr == nil {
		b.fail(n, "unsupported: initialiser that is not a constant")
	}
	o := b.fr.objs[d]
	if o == nil {
		o = b.local(d, nil)
	}
	return o.whole()
}

// local makes, or makes visible again, a local variable. vla gives the lengths of
// variable length arrays and may be nil.
func (b *lowerer) local(d *cc.Declarator, vla func(cc.ExpressionNode) (int, *ir.Var)) *object {
	fr := b.fr
	key := fmt.Sprintf("%s.%s@%s", fr.path, d.Name(), b.facts.at(d))
	o := b.th.objs[key]
	if o == nil {
		o = b.earlyObject(key)
	}
	t := b.typeOf(d.Type(), vla)
	if d.IsParam() && (t.kind == tArray || t.kind == tFunc) {
		t = b.pointerType
	}
	switch {
	case t.kind == tBad:
		b.fail(d, "unsupported: %s", t.why)
	case t.kind == tArray && t.n < 0:
		b.fail(d, "unsupported: array of unknown length")
	}
	if b.escaped[key] {
		b.ownedByInstance(d)
	}
	if o == nil || !sameArrays(o.typ, t) {
		thread := b.th.index
		if b.escaped[key] {
			thread = ir.Shared
		}
		name := d.Name()
		if name == "" {
			name = "unnamed"
		}
		var init *logic.Value
		if thread == ir.Shared { // nobody gets at it before its declaration gives it a value
			init = &logic.Value{}
		}
		o = b.newObject(fr.path+"."+name, d.Name(), d, t, thread, init)
		o.key = key
		b.known(o)
	}
	if th, old := b.th, b.th.objs[key]; old != o {
		b.record(func() { th.objs[key] = old })
		b.th.objs[key] = o
	}
	old := fr.objs[d]
	b.record(func() { fr.objs[d] = old })
	fr.objs[d] = o
	return o
}

// evalCall evaluates a call.
func (b *lowerer) evalCall(x *cc.PostfixExpression) *value {
	if b.cur == nil {
		return b.deadResult(x)
	}
	unused := b.unused
	b.unused = false
	name := calleeName(x)
	if name == "" {
		f := b.eval(x.PostfixExpression)
		if b.cur == nil {
			return f
		}
		if f.kind != vFunc {
			return b.callAny(x, f, arguments(x))
		}
		name = f.fn
	}
	args := arguments(x)
	if v, ok := b.library(call{x, name, args, unused}); ok {
		return v
	}
	fn := b.src.funcs[name]
	if fn == nil {
		if id, ok := unparen(x.PostfixExpression).(*cc.PrimaryExpression); ok && !declared(id) {
			b.fail(x, "undeclared function '%s'", name)
		}
		b.fail(x, "unsupported: call of undefined function '%s'", name)
	}
	v := b.inline(x, name, fn, args)
	if b.cur == nil {
		return b.deadResult(x)
	}
	return v
}

// deadResult stands for the result of a call that does not return.
func (b *lowerer) deadResult(x *cc.PostfixExpression) *value {
	switch t := b.typeOf(x.Type(), nil); t.kind {
	case tInt:
		return b.constInt(0, t.it)
	case tFloat:
		return &value{kind: vFloat, src: x}
	}
	return &value{kind: vUnknown, src: x}
}

// declared reports whether an identifier was declared by the program.
func declared(id *cc.PrimaryExpression) bool {
	d, ok := id.ResolvedTo().(*cc.Declarator)
	return ok && !d.IsSynthetic() && d.Name() == id.Token.SrcStr() && d.Position().Filename != "<builtin>"
}

func arguments(x *cc.PostfixExpression) []cc.ExpressionNode {
	var out []cc.ExpressionNode
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		out = append(out, l.AssignmentExpression)
	}
	return out
}

// evalArgs evaluates arguments from left to right.
func (b *lowerer) evalArgs(args []cc.ExpressionNode) []*value {
	mark := len(b.live)
	var out []*value
	for i, a := range args {
		v := b.eval(a)
		if v.kind == vAgg && !b.quiet(args[i+1:]) {
			b.materialiseStruct(v)
		}
		b.hold(v)
		out = append(out, v)
	}
	b.letGo(mark)
	return out
}

// quiet reports whether evaluating expressions changes nothing.
func (b *lowerer) quiet(ns []cc.ExpressionNode) bool {
	return !slices.ContainsFunc(ns, func(n cc.ExpressionNode) bool { return b.cost(n) >= impure })
}

// inline lowers a call of a defined function.
func (b *lowerer) inline(x cc.Node, name string, fn *cc.FunctionDefinition, args []cc.ExpressionNode) *value {
	ft := b.checkInline(x, name, fn)
	if prototype := len(ft.Parameters()) > 0 && fn.DeclarationList == nil; prototype && len(args) > len(parameters(ft)) {
		b.fail(x, "too many arguments in the call of '%s'", name)
	}
	vals := b.evalArgs(args)
	if b.cur == nil {
		return &value{kind: vUnknown, src: x}
	}
	return b.inlineValues(x, name, fn, vals)
}

// checkInline rejects calls that cannot be inlined.
func (b *lowerer) checkInline(x cc.Node, name string, fn *cc.FunctionDefinition) *cc.FunctionType {
	ft, ok := fn.Declarator.Type().(*cc.FunctionType)
	if !ok {
		b.fail(x, "unsupported: call of '%s'", name)
	}
	if ft.IsVariadic() {
		b.fail(x, "unsupported: call of '%s', which takes a variable number of arguments", name)
	}
	return ft
}

// inlineValues lowers a call of a defined function with these arguments.
func (b *lowerer) inlineValues(x cc.Node, name string, fn *cc.FunctionDefinition, vals []*value) *value {
	ft := b.checkInline(x, name, fn)
	if !b.mayRecur(name, fn, vals) {
		return &value{kind: vUnknown, src: x}
	}
	fr := b.newFrame(name, fn, x)
	if fr.depth > maxCallDepth {
		b.fail(x, "unsupported: calls nested more than %d deep", maxCallDepth)
	}
	params := parameters(ft)
	if len(params) > len(vals) {
		b.fail(x, "too few arguments in the call of '%s'", name)
	}
	mark := b.hold(vals...)
	for i, d := range params {
		b.passArg(x, fr, d, vals[i])
	}
	b.letGo(mark)
	b.settleAll()
	if b.cur == nil {
		return &value{kind: vUnknown, src: x}
	}
	if isAtomicName(name) {
		var v *value
		mark := len(b.live)
		b.atomically(x, func() {
			v = b.body(fr)
			b.hold(v) // what it reads belongs to the section
		})
		b.letGo(mark)
		return v
	}
	return b.body(fr)
}

// isAtomicName recognises functions that are one step by their name.
func isAtomicName(name string) bool {
	return strings.HasPrefix(name, "__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end"
}

func parameters(ft *cc.FunctionType) []*cc.Declarator {
	var out []*cc.Declarator
	for _, p := range ft.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		out = append(out, p.Declarator)
	}
	return out
}

func (b *lowerer) newFrame(name string, fn *cc.FunctionDefinition, call cc.Node) *frame {
	fr := &frame{fn: fn, name: name, parent: b.fr, call: call, objs: map[*cc.Declarator]*object{}, info: b.src.info[name]}
	fr.path = fmt.Sprintf("t%d", b.th.index)
	if b.fr != nil {
		fr.path = b.fr.path + "." + name
		fr.depth = b.fr.depth + 1
	}
	if ft, ok := fn.Declarator.Type().(*cc.FunctionType); ok {
		fr.result = b.typeOf(ft.Result(), nil)
	}
	if fr.result.kind == tBad {
		b.fail(fn.Declarator, "unsupported: %s", fr.result.why)
	}
	fr.labels = []map[cc.Node]*label{newLabels(fr.info.labels)}
	return fr
}

func newLabels(ls []*cc.LabeledStatement) map[cc.Node]*label {
	m := map[cc.Node]*label{}
	for _, l := range ls {
		m[l] = &label{}
	}
	return m
}

// passArg binds a parameter of the frame.
func (b *lowerer) passArg(x cc.Node, fr *frame, d *cc.Declarator, v *value) {
	caller := b.fr
	if d == nil { // a parameter without a name
		return
	}
	b.fr = fr
	o := b.local(d, nil)
	b.fr = caller
	v = b.cast(x, v, o.typ)
	b.store(x, o.whole(), v, b.text(x))
}

// body lowers the body of a frame and returns the result.
func (b *lowerer) body(fr *frame) *value {
	b.lowerBody(fr)
	return b.bodyResult(fr)
}

// lowerBody lowers the body of a frame up to its returns. Its result is a term if
// there is one return at the end, a variable if it is an integer, a temporary
// object if it is a struct. An integer returned as a pointer goes to the
// variable unless it is constant.
func (b *lowerer) lowerBody(fr *frame) {
	caller, stmt := b.fr, b.stmt
	b.fr = fr
	fr.atomicDepth = b.cur.depth
	fr.tail = b.tailOf(fr)
	fr.lazy = fr.tail == nil && fr.info.returns <= 1 && endsWithReturn(fr.fn.CompoundStatement)
	switch {
	case fr.result.kind == tStruct:
		fr.agg = b.newTempObject(fr.result)
	case fr.result.kind == tInt && !fr.lazy:
		fr.ret = b.newTemp(fr.result.it)
	case fr.result.kind == tPtr && !fr.lazy && fr.parent != nil:
		fr.ret = b.newTemp(b.ptrInt)
	}
	if fr.tail != nil {
		b.tailBody(fr)
	} else {
		b.wholeBody(fr)
	}
	b.fr, b.stmt = caller, stmt
}

// wholeBody lowers one copy of the body of a frame.
func (b *lowerer) wholeBody(fr *frame) {
	if len(fr.info.gotos) > 0 && b.cur != nil {
		start := b.cur
		b.cur = start.clone()
		b.forget(fr.info)
		fr.base, b.cur = b.cur, start
	}
	b.compound(fr.fn.CompoundStatement)
	b.fallOff(fr)
}

// fallOff returns where control gets to the end of a body.
func (b *lowerer) fallOff(fr *frame) {
	if b.cur == nil {
		return
	}
	switch {
	case fr.agg != nil:
		b.uninitialised(fr.fn.Declarator, fr.agg)
	case fr.result.kind == tInt && fr.ret != nil:
		b.havoc(fr.fn.Declarator, "", "", fr.ret)
	}
	b.addReturn(fr, &value{kind: vUnknown})
}

// endsWithReturn reports whether the last statement of a body is a return.
func endsWithReturn(c *cc.CompoundStatement) bool {
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		if l.BlockItemList == nil {
			s := l.BlockItem.Statement
			return s != nil && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn
		}
	}
	return false
}

// addReturn ends the flow here with a result.
func (b *lowerer) addReturn(fr *frame, v *value) {
	n := len(fr.vals)
	b.record(func() { fr.vals = fr.vals[:n] })
	fr.vals = append(fr.vals, v)
	b.pushFlow(&fr.rets)
}

// returns lowers a return statement.
func (b *lowerer) returns(x *cc.JumpStatement) {
	if x.ExpressionList != nil && b.isTailCall(x.ExpressionList) {
		b.tailCall(x.ExpressionList, func(n cc.ExpressionNode) { b.returnValue(x, n) })
		return
	}
	b.returnValue(x, x.ExpressionList)
}

// returnValue returns the value of an expression, nil for none.
func (b *lowerer) returnValue(x *cc.JumpStatement, n cc.ExpressionNode) {
	fr := b.fr
	v := &value{kind: vUnknown}
	if n != nil {
		if fr.result.kind == tVoid {
			b.evalDrop(n)
		} else {
			if b.callFree(n) {
				b.atomically(x, func() {
					v = b.eval(n)
					if v.kind == vAgg || v.kind == vInt && b.mentionsShared(v.t) {
						b.materialise(v)
					}
				})
			} else {
				v = b.eval(n)
			}
			if b.cur == nil {
				return
			}
			v = b.cast(x, v, fr.result)
		}
	}
	if b.cur == nil {
		return
	}
	b.addReturn(fr, b.returned(x, fr, v))
}

// returned puts a result where the frame hands it over.
func (b *lowerer) returned(x *cc.JumpStatement, fr *frame, v *value) *value {
	switch {
	case fr.agg != nil:
		if v.kind == vAgg {
			b.copyStruct(x, fr.agg.whole(), v, b.text(x))
		}
	case fr.ret == nil || fr.result.kind == tPtr && (v.kind != vInt || isFixed(v)):
	case v.kind == vInt:
		b.settle(b.pending(v), fr.ret)
		b.emitValue(x, b.text(x), v, ir.AssignCmd(fr.ret, v.t))
		w := b.intValue(fr.ret.Sym, fr.ret.Type)
		w.to = v.to
		return w
	default:
		b.havoc(x, b.text(x), "", fr.ret)
	}
	return v
}

// atomically lowers code as one step of the thread.
func (b *lowerer) atomically(n cc.Node, f func()) {
	if b.cur == nil {
		return
	}
	b.cur.depth++
	f()
	b.leaveAtomic(n)
}

// leaveAtomic ends an atomic section.
func (b *lowerer) leaveAtomic(n cc.Node) {
	if b.cur == nil {
		return
	}
	if b.cur.depth == 0 {
		b.fail(n, "unsupported: end of an atomic section that did not begin")
	}
	// Values still in use must not read shared memory after the section.
	if b.cur.depth == 1 {
		for i := 0; i < len(b.live); i++ {
			if v := b.live[i]; v.kind == vInt && b.mentionsShared(append([]*logic.Term{v.t}, v.side...)...) {
				b.materialise(v)
			}
		}
	}
	b.cur.depth--
	if b.cur.depth > 0 {
		return
	}
	at := b.cur.at.find()
	if !at.atomic {
		return
	}
	if at.outs == 0 && !at.multi {
		b.record(func() { at.atomic = true })
		at.atomic = false
		return
	}
	b.emit(n, "")
}

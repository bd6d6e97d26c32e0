package cfront

import (
	"fmt"
	"regexp"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// declaration lowers a declaration in a function.
func (b *lowerer) declaration(d *cc.Declaration) {
	switch d.Case {
	case cc.DeclarationAssert:
		return
	case cc.DeclarationAuto:
		b.declare(d, d.Declarator, d.Initializer)
		return
	}
	if b.cur != nil && cleanup.MatchString(b.text(d)) {
		b.fail(d, "unsupported: __attribute__((cleanup))")
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if i := l.InitDeclarator; i != nil {
			b.declare(i, i.Declarator, i.Initializer)
		}
	}
}

// cleanup is the attribute of variables that a function is called for at the end of
// their block.
var cleanup = regexp.MustCompile(`__attribute__\s*\(\s*\([^;=]*\b(__)?cleanup(__)?\s*\(`)

func (b *lowerer) declare(n cc.Node, d *cc.Declarator, init *cc.Initializer) {
	switch {
	case d.IsTypename() || d.Type().Kind() == cc.Function:
		return
	case isGlobal(d):
		return
	case d.IsThreadLocal():
		b.threadLocal(n, d)
		return
	case d.IsStatic():
		b.static(d)
		return
	case b.cur == nil:
		return
	}
	b.simply(n, init != nil && b.initCallFree(init), func() {
		o := b.local(d, b.lengthIn(d))
		if b.cur != nil {
			b.renewMutexes(n, o)
		}
		if init == nil {
			b.uninitialised(n, o)
			return
		}
		b.initialise(n, o, init)
	})
}

func (b *lowerer) initCallFree(init *cc.Initializer) bool {
	return init.Case == cc.InitializerExpr && b.callFree(init.AssignmentExpression)
}

// uninitialised gives the scalars of a new variable any values.
func (b *lowerer) uninitialised(n cc.Node, o *object) {
	var vs []*ir.Var
	for _, c := range o.cells {
		switch c.typ.kind {
		case tPtr:
			if b.isDynamicCell(c) {
				vs = append(vs, c.v)
			} else if !o.shared {
				b.bind(c, &value{kind: vUnknown, any: true, from: c})
			}
		case tMutex, tSem, tRWLock, tBarrier, tOnce, tMutexAttr, tOpaque, tFloat:
		default:
			vs = append(vs, c.v)
		}
	}
	if !o.shared || len(vs) <= 1 {
		b.havoc(n, b.text(n), "", vs...)
		return
	}
	for _, v := range vs {
		b.havoc(n, b.text(n), "", v)
	}
}

// initialise gives a new local variable its initial value.
func (b *lowerer) initialise(n cc.Node, o *object, init *cc.Initializer) {
	text := b.text(n)
	if init.Case == cc.InitializerExpr && o.typ.kind != tArray {
		v := b.eval(init.AssignmentExpression)
		if b.cur == nil {
			return
		}
		if !o.typ.kind.isLibrary() {
			b.store(n, o.whole(), b.cast(n, v, o.typ), text)
		}
		return
	}
	b.initCells(n, o, b.leaves(init, o), text)
}

// initCells gives the scalars of a new variable their initial values: zero to those
// that no initialiser is for.
func (b *lowerer) initCells(n cc.Node, o *object, leaves []leaf, text string) {
	var zero []ir.Cmd
	done := map[*cell]bool{}
	for _, l := range leaves {
		for _, c := range l.cells() {
			done[c] = true
		}
	}
	for _, c := range o.cells {
		switch {
		case c.typ.kind == tPtr && !b.isDynamicCell(c):
			if !o.shared && !done[c] {
				b.bind(c, b.constInt(0, b.ptrInt))
			}
		case c.typ.kind == tFloat:
		case !done[c]:
			zero = append(zero, ir.AssignCmd(c.v, b.L.Int(0)))
		}
	}
	if o.shared {
		for _, z := range zero {
			b.emit(n, text, z)
		}
	} else if len(zero) > 0 {
		b.emit(n, text, zero...)
	}
	ranges := map[cc.ExpressionNode]*value{}
	mark := len(b.live)
	defer func() { b.letGo(mark) }()
	for _, l := range leaves {
		if l.whole == nil && l.cell.typ.kind.isLibrary() {
			continue
		}
		v := b.leafValue(l, ranges)
		if b.cur == nil {
			return
		}
		p := l.place(b)
		b.store(n, p, b.cast(n, v, p.typ), text)
	}
}

// leafValue evaluates the initialiser of a scalar; that of a range once, for all of
// its elements.
func (b *lowerer) leafValue(l leaf, ranges map[cc.ExpressionNode]*value) *value {
	switch {
	case l.val != nil:
		return l.val
	case !l.ranged:
		return b.eval(l.expr)
	case ranges[l.expr] == nil:
		v := b.eval(l.expr)
		b.materialise(v)
		b.hold(v)
		ranges[l.expr] = v
	}
	return ranges[l.expr]
}

// cellPlace returns the place of a cell.
func (b *lowerer) cellPlace(c *cell) place {
	return place{obj: c.obj, base: c.index(), typ: c.typ}
}

// global returns the object of a global variable.
func (b *lowerer) global(n cc.Node, name string) *object {
	if o, ok := b.globals[name]; ok {
		return o
	}
	g := b.src.globals[name]
	if g == nil {
		b.fail(n, "unsupported: variable '%s' that is declared in a function only", name)
	}
	if g.decl.IsThreadLocal() {
		return b.threadLocal(n, g.decl)
	}
	thread := ir.Shared
	if b.src.mainOnly[name] {
		thread = 0
	}
	o := b.newStatic(name, g.decl, thread)
	b.globals[name] = o
	b.record(func() { delete(b.globals, name) })
	if g.init != nil {
		b.initStatic(o, g.init)
	}
	return o
}

// static returns the object of a static local variable.
func (b *lowerer) static(d *cc.Declarator) *object {
	if o, ok := b.statics[d]; ok {
		return o
	}
	o := b.newStatic(b.src.staticIn[d]+"."+d.Name(), d, ir.Shared)
	b.statics[d] = o
	b.record(func() { delete(b.statics, d) })
	if init := b.src.staticInits[d]; init != nil {
		b.initStatic(o, init)
	}
	return o
}

// threadLocal returns the current thread's object of a _Thread_local variable.
func (b *lowerer) threadLocal(n cc.Node, d *cc.Declarator) *object {
	key, init := d.Name(), (*cc.Initializer)(nil)
	switch {
	case !isGlobal(d):
		key = fmt.Sprintf("%s@%s", key, b.facts.at(d))
		init = b.src.staticInits[d]
	case b.src.globals[key] == nil:
		b.fail(n, "unsupported: variable '%s' that is declared in a function only", key)
	default:
		init = b.src.globals[key].init
	}
	id := "thread-local " + key
	if o := b.th.objs[id]; o != nil {
		return o
	}
	thread := b.th.index
	if b.escaped[key] {
		b.ownedByInstance(n)
		thread = ir.Shared
	}
	o := b.newStatic(fmt.Sprintf("t%d.%s", b.th.index, d.Name()), d, thread)
	o.key = key
	b.known(o)
	th := b.th
	th.objs[id] = o
	b.record(func() { delete(th.objs, id) })
	if init != nil {
		b.initStatic(o, init)
	}
	return o
}

// newStatic makes a variable of static storage duration.
func (b *lowerer) newStatic(name string, d *cc.Declarator, thread int) *object {
	t := b.typeOf(d.Type(), nil)
	switch {
	case t.kind == tBad:
		b.fail(d, "unsupported: %s", t.why)
	case t.kind == tArray && t.n < 0:
		b.fail(d, "unsupported: array of unknown length")
	case d.Type().IsIncomplete():
		b.fail(d, "unsupported: variable '%s' of an incomplete type", d.Name())
	}
	zero := logic.Value{}
	o := b.newObject(name, d.Name(), d, t, thread, &zero)
	for _, c := range o.cells {
		if c.v != nil {
			c.v.Pos = position(d)
		}
	}
	return o
}

// initStatic evaluates the initialiser of a static object.
func (b *lowerer) initStatic(o *object, init *cc.Initializer) {
	cur, fr := b.cur, b.fr
	defer func() { b.cur, b.fr = cur, fr }()
	b.cur = &flow{at: &loc{}, consts: map[*ir.Var]logic.Value{}, ptrs: map[*cell]*value{}}
	b.fr = nil
	var leaves []leaf
	if init.Case == cc.InitializerExpr && o.typ.kind != tArray && o.typ.kind != tStruct && !o.typ.kind.isLibrary() {
		leaves = []leaf{{cell: o.cells[0], expr: init.AssignmentExpression}}
	} else {
		leaves = b.leaves(init, o)
	}
	b.staticCells(init, o, leaves)
}

// staticCells gives the scalars of a static object their initial values.
func (b *lowerer) staticCells(init cc.Node, o *object, leaves []leaf) {
	for _, l := range leaves {
		if l.whole != nil {
			b.fail(l.expr, "unsupported: struct that is no compound literal in the initialiser of a static variable")
		}
		v := l.val
		if v == nil {
			v = b.eval(l.expr)
		}
		v = b.cast(init, v, l.cell.typ)
		if v.kind == vFloat {
			continue
		}
		if b.isDynamicCell(l.cell) {
			v = b.mustAddress(init, v)
			b.keepTargets(init, b.cellPlace(l.cell), []choice{{b.L.True(), l.cell}}, v)
		} else if l.cell.typ.kind == tPtr {
			if v.kind == vPtr {
				w := *v
				w.maybeNull = o.decl == nil || b.src.changes(o.decl)
				v = &w
			}
			if v.kind != vInt || !v.isNull() {
				l.cell.target = v
			}
			continue
		}
		c, ok := v.constant()
		if !ok || len(v.side) > 0 {
			b.fail(init, "unsupported: initialiser that is not a constant")
		}
		l.cell.v.Init = &c
	}
}

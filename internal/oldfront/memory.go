package cfront

import (
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// hold protects a value while something else is evaluated: settle copies it to a
// temporary when that becomes necessary. The result is to be given to letGo.
func (b *lowerer) hold(vs ...*value) int {
	n := len(b.live)
	for _, v := range vs {
		b.live = append(b.live, v)
		b.holdPlace(v.pl)
	}
	return n
}

// holdPlace protects the indexes and the address of a place.
func (b *lowerer) holdPlace(p place) int {
	n := len(b.live)
	if p.ptr != nil {
		b.live = append(b.live, p.ptr)
	}
	for _, x := range p.idx {
		b.live = append(b.live, x.val)
	}
	return n
}

func (b *lowerer) letGo(n int) { b.live = b.live[:n] }

// varOf finds the variable of a symbol.
func (b *lowerer) varOf(sym *logic.Term) *ir.Var {
	v := b.symbols[sym]
	if v != nil && v.Index < len(b.prog.Vars) && b.prog.Vars[v.Index] == v {
		return v
	}
	return nil
}

// mentionsShared reports whether a term reads shared variables.
func (b *lowerer) mentionsShared(ts ...*logic.Term) bool {
	for _, s := range logic.FreeVars(ts...) {
		if v := b.varOf(s); v != nil && v.Thread == ir.Shared {
			return true
		}
	}
	return false
}

// sharedLocations counts the shared locations that commands touch.
func (b *lowerer) sharedLocations(cmds []ir.Cmd) int {
	return len(ir.SymTable(b.symbols).SharedLocations(b.L, cmds, nil))
}

// readCmds returns commands that evaluate a value.
func (b *lowerer) readCmds(v *value) []ir.Cmd {
	cmds := b.sideCmds(v)
	if v.kind == vInt {
		cmds = append(cmds, ir.AssignCmd(nil, v.t))
	}
	return cmds
}

// atomicHere reports whether steps may touch several shared locations.
func (b *lowerer) atomicHere() bool { return b.cur != nil && b.cur.depth > 0 }

// pending reports whether a value still has to read shared memory in a step of
// its own.
func (b *lowerer) pending(v *value) bool {
	return v.kind == vInt && !b.atomicHere() && b.mentionsShared(append([]*logic.Term{v.t}, v.side...)...)
}

// settle copies those values in use to temporaries that would be wrong after the
// next step: pending reads of shared memory if the step touches shared memory
// itself, and values that depend on what it writes.
func (b *lowerer) settle(shared bool, writes ...*ir.Var) {
	if b.cur == nil {
		return
	}
	for i := 0; i < len(b.live); i++ {
		v := b.live[i]
		if v.kind != vInt {
			continue
		}
		if shared && b.pending(v) || b.dependsOn(v, writes) {
			b.materialise(v)
		}
	}
}

// settleAll copies all values in use to temporaries, before control flow in the
// midst of an expression: on its ways the values may be overwritten.
func (b *lowerer) settleAll() {
	if b.cur == nil {
		return
	}
	for i := 0; i < len(b.live); i++ {
		v := b.live[i]
		if v.kind != vInt {
			continue
		}
		for _, s := range logic.FreeVars(append([]*logic.Term{v.t}, v.side...)...) {
			if x := b.varOf(s); x == nil || !b.isTempInUse(x) {
				b.materialise(v)
				break
			}
		}
	}
}

func (b *lowerer) dependsOn(v *value, writes []*ir.Var) bool {
	if len(writes) == 0 {
		return false
	}
	for _, s := range logic.FreeVars(append([]*logic.Term{v.t}, v.side...)...) {
		for _, w := range writes {
			if w.Sym == s {
				return true
			}
		}
	}
	return false
}

// materialise evaluates an integer value into a temporary, in one step, and a
// struct in one step for each scalar.
func (b *lowerer) materialise(v *value) {
	if v.kind == vAgg {
		b.materialiseStruct(v)
		return
	}
	if v.kind != vInt || b.cur == nil {
		return
	}
	if _, ok := v.t.Const(); ok && len(v.side) == 0 {
		return
	}
	tmp := b.newTemp(v.it)
	text := ""
	var n cc.Node = b.stmt
	if v.src != nil {
		n = v.src
		text = "read " + b.text(v.src)
	}
	b.emitValue(n, text, v, ir.AssignCmd(tmp, v.t))
	old := *v
	b.record(func() { v.t, v.side = old.t, old.side })
	v.t, v.side = tmp.Sym, nil
}

// emitValue adds an edge whose commands use the value v.
func (b *lowerer) emitValue(n cc.Node, text string, v *value, cmds ...ir.Cmd) *edge {
	return b.emit(n, text, append(b.sideCmds(v), cmds...)...)
}

// sideCmds returns the assumptions that go with values.
func (b *lowerer) sideCmds(vs ...*value) []ir.Cmd {
	var cmds []ir.Cmd
	for _, v := range vs {
		for _, s := range v.side {
			if !s.IsTrue() {
				cmds = append(cmds, ir.AssumeCmd(s))
			}
		}
	}
	return cmds
}

// load reads a place. A struct it only names: the fields are read where the value
// is used, or by [lowerer.materialiseStruct].
func (b *lowerer) load(n cc.Node, p place) *value {
	if p.obj != nil && p.obj.outside {
		return &value{kind: vOutside, src: n}
	}
	switch p.typ.kind {
	case tInt, tPtr:
	case tFloat:
		return &value{kind: vFloat, src: n}
	case tStruct:
		return &value{kind: vAgg, pl: p, src: n}
	case tArray:
		first := b.constInt(0, b.ptrInt)
		return b.pointerTo(n, p.at(first))
	case tBad:
		b.fail(n, "unsupported: %s", p.typ.why)
	default:
		b.fail(n, "unsupported: use of the content of a library type")
	}
	b.checkAccess(n, p)
	if b.cur == nil {
		return &value{kind: vUnknown, src: n}
	}
	if p.typ.kind == tPtr && !b.isDynamic(p) {
		return b.loadPointer(n, p)
	}
	if p.shared() && !b.atomicHere() && !b.frozen(p.obj) {
		b.settle(true)
	}
	v := &value{kind: vInt, it: p.typ.it, src: n, side: b.bounds(p)}
	choices := b.choices(p)
	mixed := mixedTypes(choices)
	var t *logic.Term
	for _, c := range choices {
		v.it = c.cell.v.Type
		ct := b.content(c.cell)
		if mixed {
			ct, v.it = b.convert(n, b.intValue(ct, v.it), p.typ.it).t, p.typ.it
		}
		if t == nil {
			t = ct
		} else {
			t = b.L.Ite(c.cond, ct, t)
		}
	}
	if t == nil { // a constant index out of bounds, or an array without elements
		v.t, v.side = b.L.Int(0), []*logic.Term{b.L.False()}
		v.to = b.contentTargets(p.typ, nil)
		b.warnInvalid(n, p)
		return v
	}
	v.t = t
	v.to = b.contentTargets(p.typ, choices)
	return b.convert(n, v, p.typ.it) // another member of a union
}

// mixedTypes reports whether cells have different types.
func mixedTypes(cs []choice) bool {
	return slices.ContainsFunc(cs, func(c choice) bool { return c.cell.v.Type != cs[0].cell.v.Type })
}

// content returns the term for what a cell holds.
func (b *lowerer) content(c *cell) *logic.Term {
	if b.cur != nil {
		if k, ok := b.cur.consts[c.v]; ok {
			return b.L.Value(k)
		}
	}
	if b.frozen(c.obj) {
		return b.L.Value(*c.v.Init)
	}
	return c.v.Sym
}

// loadPointer reads a pointer variable that is not dynamic.
func (b *lowerer) loadPointer(n cc.Node, p place) *value {
	k, _ := p.fixed()
	c := p.obj.cells[k]
	if p.obj.shared {
		return b.loadSharedPointer(n, c)
	}
	if b.cur != nil {
		if v, ok := b.cur.ptrs[c]; ok {
			return v.copy(n)
		}
	}
	return &value{kind: vUnknown, src: n, from: c}
}

// store writes a value of the place's type. desc describes the step.
func (b *lowerer) store(n cc.Node, p place, v *value, desc string) {
	if b.cur == nil {
		return
	}
	p.alts = slices.DeleteFunc(p.alts, func(a alt) bool { return a.obj.literal }) // never written
	if p.obj != nil && (p.obj.literal || p.obj.outside) {
		b.fail(n, "unsupported: write to a string literal, or to what argv points to")
	}
	switch p.typ.kind {
	case tInt, tPtr:
	case tStruct:
		b.copyStruct(n, p, v, desc)
		return
	case tFloat:
		return
	case tBad:
		b.fail(n, "unsupported: %s", p.typ.why)
	default:
		b.fail(n, "unsupported: assignment to this type")
	}
	mark := b.hold(v)
	b.checkAccess(n, p)
	if b.cur == nil {
		b.live = b.live[:mark]
		return
	}
	if p.typ.kind == tPtr && !b.isDynamic(p) {
		b.live = b.live[:mark]
		b.storePointer(n, p, v, desc)
		return
	}
	v = b.scalar(n, v, p.typ)
	choices := b.choices(p)
	mixed := len(choices) > 0 && mixedTypes(choices)
	if len(choices) > 0 && !mixed { // perhaps another member of a union
		v = b.convert(n, v, choices[0].cell.v.Type)
	}
	b.keepTargets(n, p, choices, v)
	b.live = b.live[:mark]
	b.hold(v)
	b.holdPlace(p)
	var writes []*ir.Var
	for _, c := range choices {
		writes = append(writes, c.cell.v)
	}
	side := b.bounds(p)
	if p.shared() && b.pending(v) {
		b.materialise(v)
	}
	selectors := p.selectors()
	for _, x := range selectors {
		if b.dependsOn(x, writes) || p.shared() && b.pending(x) {
			b.materialise(x)
			side, choices = b.bounds(p), b.choices(p)
		}
	}
	b.live = b.live[:mark] // what is being stored may depend on what is overwritten
	b.settle(p.shared(), writes...)
	cmds := b.sideCmds(v)
	for _, s := range side {
		cmds = append(cmds, ir.AssumeCmd(s))
	}
	if len(choices) == 0 {
		b.warnInvalid(n, p)
		b.emit(n, desc, ir.AssumeCmd(b.L.False()))
		b.cur = nil
		return
	}
	for _, c := range choices {
		w, t := c.cell.v, v.t
		if mixed {
			t = b.convert(n, v, w.Type).t
		}
		if !c.cond.IsTrue() && len(choices) > 1 {
			t = b.L.Ite(c.cond, t, w.Sym)
		}
		cmds = append(cmds, ir.AssignCmd(w, t))
	}
	b.emit(n, desc, cmds...)
}

// selectors returns what tells which cell a place is.
func (p place) selectors() []*value {
	var out []*value
	if p.ptr != nil {
		out = append(out, p.ptr)
	}
	for _, x := range p.idx {
		out = append(out, x.val)
	}
	return out
}

// havoc gives a variable any value of its type.
func (b *lowerer) havoc(n cc.Node, text, input string, vs ...*ir.Var) {
	if b.cur == nil || len(vs) == 0 {
		return
	}
	b.settle(false, vs...)
	var cmds []ir.Cmd
	for _, v := range vs {
		cmds = append(cmds, ir.HavocCmd(v, input))
	}
	b.emit(n, text, cmds...)
}

// frozen reports whether an object is a string literal, or a global that keeps its initial value.
func (b *lowerer) frozen(o *object) bool {
	return o != nil && (o.literal || o.decl != nil && isGlobal(o.decl) && !b.src.changes(o.decl))
}

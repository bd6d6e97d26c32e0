package cfront

import (
	"fmt"

	"comus/ir"

	"modernc.org/cc/v4"
)

// loop is an iteration statement taken apart.
type loop struct {
	node cc.Node
	test cc.ExpressionNode // nil for none
	step cc.ExpressionNode // nil for none
	body *cc.Statement
	post bool // the test comes after the body
	info *fnInfo
	// jumpedInto is set if a jump or case leads into the loop from outside.
	jumpedInto bool
}

func (b *lowerer) iteration(x *cc.IterationStatement) {
	l := loop{node: x, body: x.Statement}
	switch x.Case {
	case cc.IterationStatementWhile:
		l.test = x.ExpressionList
	case cc.IterationStatementDo:
		l.test, l.post = x.ExpressionList, true
	case cc.IterationStatementFor:
		if e := x.ExpressionList; e != nil {
			b.simply(e, b.callFree(e), func() { b.evalDrop(e) })
		}
		l.test, l.step = x.ExpressionList2, x.ExpressionList3
	case cc.IterationStatementForDecl:
		b.declaration(x.Declaration)
		l.test, l.step = x.ExpressionList, x.ExpressionList2
	}
	l.info = b.src.analyse(x)
	l.jumpedInto = b.jumpedInto(l)
	if b.cur == nil {
		if l.jumpedInto {
			b.ordinary(l)
		}
		return
	}
	creates := b.src.mayCreate(l.info) || b.src.creating[x]
	if !l.jumpedInto && (creates || !isConstTrue(l.test) || b.breaks(l)) && b.unroll(l, creates) {
		return
	}
	if creates && !l.jumpedInto && !b.opts.Parametric {
		b.cut(l)
		return
	}
	b.ordinary(l)
}

// jumpedInto reports whether a jump or case leads into the loop from outside, so
// that a copy of its body cannot stand for itself.
func (b *lowerer) jumpedInto(l loop) bool {
	for _, g := range b.fr.info.gotos {
		_, target := l.info.order[g.Label()]
		_, inside := l.info.order[g]
		if target && !inside {
			return true
		}
	}
	switches := map[*cc.SelectionStatement]bool{}
	found := false
	children(l.node, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.SelectionStatement:
			switches[x] = true
		case *cc.LabeledStatement:
			found = found || x.Case != cc.LabeledStatementLabel && !switches[x.Switch()]
		}
		return !found
	})
	return found
}

// createInLoop starts lowering anew after pthread_create was met in a loop that was
// taken for one without it, as it is called through a pointer.
func (b *lowerer) createInLoop(n cc.Node) {
	l := b.loops[0]
	if l.jumpedInto {
		b.fail(n, "unsupported: pthread_create in a loop that a jump leads into")
	}
	if b.src.creating[l.node] {
		b.fail(n, "unsupported: pthread_create in this loop")
	}
	b.src.creating[l.node] = true
	panic(restart{})
}

// breaks reports whether the loop can be left other than by its test.
func (b *lowerer) breaks(l loop) bool {
	found := false
	children(l.node, func(n cc.Node) bool {
		if j, ok := n.(*cc.JumpStatement); ok && (j.Case == cc.JumpStatementBreak || j.Case == cc.JumpStatementReturn) {
			found = true
		}
		return !found
	})
	return found
}

func isConstTrue(n cc.ExpressionNode) bool {
	if n == nil {
		return true
	}
	switch v := n.Value().(type) {
	case cc.Int64Value:
		return v != 0
	case cc.UInt64Value:
		return v != 0
	}
	return false
}

// unroll lowers the loop iteration by iteration as long as constants decide the
// test. If they do not, or it takes too long, it takes everything back and
// returns false.
func (b *lowerer) unroll(l loop, creates bool) bool {
	if isConstTrue(l.test) || b.tooLarge[l.node] && !creates {
		return false
	}
	s := b.try()
	locs := len(b.th.locs)
	limit := b.opts.UnrollLimit
	if creates && b.opts.Parametric {
		limit = min(limit, maxSingle)
	}
	ex := &exits{loop: true}
	for i := 0; ; i++ {
		if !(l.post && i == 0) {
			t, f := b.condition(l.test)
			if t != nil && f != nil {
				b.giveUp(s)
				return false
			}
			if b.cur = t; t == nil {
				ex.breaks = append(ex.breaks, f)
				break
			}
		}
		if i >= limit || len(b.th.locs)-locs > maxUnrolled {
			b.giveUp(s)
			b.tooLarge[l.node] = true
			return false
		}
		b.iterate(l, ex)
		if b.cur == nil {
			break
		}
	}
	b.keep()
	b.join(l.node, ex.breaks...)
	return true
}

// iterate lowers one copy of the body and the step.
func (b *lowerer) iterate(l loop, ex *exits) {
	b.fr.labels = append(b.fr.labels, newLabels(l.info.labels))
	b.fr.exits = append(b.fr.exits, ex)
	ex.continues = nil
	b.statement(l.body)
	b.fr.exits = b.fr.exits[:len(b.fr.exits)-1]
	b.fr.labels = b.fr.labels[:len(b.fr.labels)-1]
	b.join(l.node, append(ex.continues, b.cur)...)
	ex.continues = nil
	if l.step != nil {
		b.simply(l.step, b.callFree(l.step), func() { b.evalDrop(l.step) })
	}
}

// cut lowers a loop that creates threads: a bounded number of iterations.
func (b *lowerer) cut(l loop) {
	ex := &exits{loop: true}
	n := b.opts.MaxThreads
	for i := 0; i <= n && b.cur != nil; i++ {
		if !(l.post && i == 0) {
			t, f := b.condition(l.test)
			if f != nil {
				ex.breaks = append(ex.breaks, f)
			}
			b.cur = t
		}
		if i == n {
			if b.cur != nil {
				old := b.cutCreates
				b.record(func() { b.cutCreates = old })
				b.cutCreates = true
				b.bounded(fmt.Sprintf("at most %d threads are created by the loop at %s", n, position(l.node)))
			}
			break
		}
		b.iterate(l, ex)
	}
	b.cur = nil // more iterations are cut off
	b.join(l.node, ex.breaks...)
}

func (b *lowerer) bounded(s string) {
	for _, t := range b.boundeds {
		if t == s {
			return
		}
	}
	b.boundeds = append(b.boundeds, s)
}

// ordinary lowers a loop as a loop.
func (b *lowerer) ordinary(l loop) {
	ex := &exits{loop: true}
	var head *flow
	info := l.info
	if l.jumpedInto {
		info = b.enterLoop(l)
	}
	if b.cur != nil {
		b.loopHead(l.node, info)
		head = b.cur.clone()
	}
	b.loops = append(b.loops, l)
	var leave *flow
	if !l.post {
		b.cur, leave = b.loopTest(l)
	}
	b.fr.exits = append(b.fr.exits, ex)
	b.statement(l.body)
	b.fr.exits = b.fr.exits[:len(b.fr.exits)-1]
	b.join(l.node, append(ex.continues, b.cur)...)
	if l.post {
		b.cur, leave = b.loopTest(l)
	} else if l.step != nil {
		b.simply(l.step, b.callFree(l.step), func() { b.evalDrop(l.step) })
	}
	if b.cur != nil {
		if head == nil {
			b.fail(l.node, "unsupported: jump into a loop")
		}
		b.jumpBack(l.node, head)
	}
	b.loops = b.loops[:len(b.loops)-1]
	b.join(l.node, append(ex.breaks, leave)...)
}

func (b *lowerer) loopTest(l loop) (stay, leave *flow) {
	if l.test == nil {
		return b.cur, nil
	}
	return b.condition(l.test)
}

// loopHead makes the current location one that control comes back to after code
// with these effects.
func (b *lowerer) loopHead(n cc.Node, info *fnInfo) {
	b.settleAll()
	b.forget(info)
	b.forgetVague(n)
	head := b.newLocHere(position(n))
	f := b.cur
	b.jump(head, n)
	f.at, f.head = head, n
	b.cur = f
}

// forget drops what code with these effects may change.
func (b *lowerer) forget(info *fnInfo) {
	writes, all := b.src.effects(info)
	changed := func(c *cell) bool {
		if c == nil {
			return false // temporaries in use do not change
		}
		d := c.obj.decl
		if d == nil {
			return !b.isTempObject(c.obj) && !(b.isSlot(c.obj) && b.keepsSlots(info))
		}
		if all {
			return true
		}
		k := varKey(d)
		return writes[k] || b.src.exposed[k] || !b.inFrame(c.obj)
	}
	for v := range b.cur.consts {
		if b.isTempInUse(v) {
			continue
		}
		if c := b.cellOf[v]; c == nil || changed(c) {
			delete(b.cur.consts, v)
		}
	}
	for c := range b.cur.ptrs {
		if changed(c) {
			b.cur.ptrs[c] = &value{kind: vUnknown, from: c}
		}
	}
}

// inFrame reports whether an object belongs to an active call, so that the text
// of the loop tells whether it changes.
func (b *lowerer) inFrame(o *object) bool {
	if isGlobal(o.decl) || o.decl.IsStatic() {
		return true
	}
	for f := b.fr; f != nil; f = f.parent {
		if f.objs[o.decl] == o {
			return true
		}
	}
	return false
}

// jumpBack lets control go on at a loop head, where nothing must be taken for
// granted that does not hold here.
func (b *lowerer) jumpBack(n cc.Node, head *flow) {
	if b.cur == nil {
		return
	}
	if head.depth != b.cur.depth {
		b.fail(n, "unsupported: an atomic section begins or ends within a loop")
	}
	for v, c := range head.consts {
		if d, ok := b.cur.consts[v]; !ok || d != c {
			b.facts.stale = true
			b.facts.vague[vagueAt{head.head, v.Name}] = true
		}
	}
	for c, v := range head.ptrs {
		if v.kind == vUnknown {
			continue
		}
		if w, ok := b.cur.ptrs[c]; !ok || !sameValue(v, w) {
			b.makeDynamic(n, c)
		} else if w.kind == vInt && w.to != nil && len(union(v.to, w.to)) > len(v.to) {
			b.makeDynamic(n, c)
		}
	}
	b.jump(head.at, n)
}

// isTempInUse reports whether v is a temporary that holds a value now.
func (b *lowerer) isTempInUse(v *ir.Var) bool {
	for _, t := range b.th.used {
		if t.v == v {
			return true
		}
	}
	c := b.cellOf[v]
	return c != nil && b.isTempObject(c.obj)
}

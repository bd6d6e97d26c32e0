package cfront

import (
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

func (b *lowerer) compound(c *cc.CompoundStatement) {
	b.enterBlock(c)
	pushed := len(b.cleanups)
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		b.blockItem(l.BlockItem)
	}
	b.endCleanups(pushed)
}

func (b *lowerer) blockItem(i *cc.BlockItem) {
	switch i.Case {
	case cc.BlockItemDecl:
		b.declaration(i.Declaration)
	case cc.BlockItemStmt:
		b.statement(i.Statement)
	case cc.BlockItemFuncDef:
		b.fail(i, "unsupported: nested function")
	}
}

// simply lowers a statement without control flow. Its temporaries are free
// afterwards.
func (b *lowerer) simply(n cc.Node, atomic bool, f func()) {
	if b.cur == nil {
		return
	}
	stmt, mark := b.stmt, len(b.th.used)
	b.stmt = n
	if atomic && b.opts.AtomicStatements {
		b.atomically(n, f)
	} else {
		f()
	}
	b.stmt = stmt
	b.release(mark)
}

func (b *lowerer) statement(s *cc.Statement) {
	switch s.Case {
	case cc.StatementLabeled:
		b.labeled(s.LabeledStatement)
	case cc.StatementCompound:
		b.compound(s.CompoundStatement)
	case cc.StatementExpr:
		if e := s.ExpressionStatement.ExpressionList; e != nil && b.isTailCall(e) {
			b.simply(s, false, func() { b.tailCall(e, b.evalDrop) })
		} else if e != nil {
			b.simply(s, b.callFree(e), func() { b.evalDrop(e) })
		}
	case cc.StatementSelection:
		b.selection(s.SelectionStatement)
	case cc.StatementIteration:
		b.iteration(s.IterationStatement)
	case cc.StatementJump:
		b.jumpStatement(s.JumpStatement)
	case cc.StatementAsm:
		if b.cur != nil {
			b.fail(s, "unsupported: asm statement")
		}
	}
}

// callFree reports whether an expression calls no function of the program and
// none that blocks, so that the statement it makes up can be one step.
func (b *lowerer) callFree(n cc.ExpressionNode) bool {
	if !b.opts.AtomicStatements || n == nil {
		return false
	}
	i := b.src.analyse(&wrapper{n})
	for c := range i.calls {
		known := libraryFuncs[c] != nil || c == "reach_error" || c == "__VERIFIER_error" || strings.HasPrefix(c, "__VERIFIER_nondet_")
		if b.src.funcs[c] != nil && c != "reach_error" || !known || strings.HasPrefix(c, "pthread_") || strings.HasPrefix(c, "sem_") || strings.HasPrefix(c, "__comus_thrd_") || strings.HasPrefix(c, "__VERIFIER_atomic_") {
			return false
		}
	}
	return !i.indirect
}

func (b *lowerer) labeled(x *cc.LabeledStatement) {
	switch x.Case {
	case cc.LabeledStatementLabel:
		if x.Token.SrcStr() == "ERROR" {
			b.enterLabel(x)
			b.reachError(x, "ERROR")
			b.cur = nil
		} else {
			b.enterLabel(x)
		}
	case cc.LabeledStatementCaseLabel, cc.LabeledStatementDefault, cc.LabeledStatementRange:
		for i := len(b.fr.exits) - 1; i >= 0; i-- {
			if f, ok := b.fr.exits[i].cases[x]; ok {
				b.join(x, b.cur, f.clone())
				break
			}
		}
	}
	b.statement(x.Statement)
}

// enterLabel lets the gotos seen so far meet at a label. A label that is jumped
// back to is the head of a loop.
func (b *lowerer) enterLabel(x *cc.LabeledStatement) {
	l := b.findLabel(x)
	b.join(x, append(l.pending, b.cur)...)
	l.met = true
	b.record(func() { l.met = false })
	info := b.fr.info
	backward := b.facts.late[x]
	if b.cur == nil && !backward { // control does not get here, unless it turns out to
		return
	}
	for _, g := range info.gotos {
		if g.Label() == cc.Node(x) && info.order[g] > info.order[x] {
			backward = true
			if b.src.createsBetween(info, x, g) {
				b.fail(g, "unsupported: pthread_create in a loop made with goto")
			}
		}
	}
	if !backward {
		return
	}
	if b.cur == nil { // only jumps back lead here
		b.startHere(x)
	}
	b.loopHead(x, info)
	l.head = b.cur.clone()
	b.record(func() { l.head = nil })
}

func (b *lowerer) findLabel(n cc.Node) *label {
	for i := len(b.fr.labels) - 1; i >= 0; i-- {
		if l, ok := b.fr.labels[i][n]; ok {
			return l
		}
	}
	b.fail(n, "unsupported: label used from here")
	return nil
}

func (b *lowerer) jumpStatement(x *cc.JumpStatement) {
	if b.cur == nil {
		return
	}
	switch x.Case {
	case cc.JumpStatementGoto:
		l := b.findLabel(x.Label())
		b.enterByGoto(x)
		if l.head == nil {
			if l.met {
				b.facts.late[x.Label()] = true
				b.again(x)
			}
			b.pushFlow(&l.pending)
			return
		}
		b.jumpBack(x, l.head)
	case cc.JumpStatementGotoExpr:
		b.fail(x, "unsupported: computed goto")
	case cc.JumpStatementContinue, cc.JumpStatementBreak:
		for i := len(b.fr.exits) - 1; i >= 0; i-- {
			e := b.fr.exits[i]
			if x.Case == cc.JumpStatementBreak {
				b.pushFlow(&e.breaks)
				return
			}
			if e.loop {
				b.pushFlow(&e.continues)
				return
			}
		}
	case cc.JumpStatementReturn:
		stmt, mark := b.stmt, len(b.th.used)
		b.stmt = x
		b.returns(x)
		b.stmt = stmt
		if !b.fr.lazy && b.fr.result.kind != tPtr { // a pointer's indexes may be temporaries
			b.release(mark)
		}
	}
}

func (b *lowerer) selection(x *cc.SelectionStatement) {
	if x.Case == cc.SelectionStatementSwitch {
		b.switchStatement(x)
		return
	}
	t, f := b.condition(x.ExpressionList)
	b.cur = t
	b.statement(x.Statement)
	t, b.cur = b.cur, f
	if x.Statement2 != nil {
		b.statement(x.Statement2)
	}
	b.join(x, t, b.cur)
}

// condition branches on the condition of a statement.
func (b *lowerer) condition(n cc.ExpressionNode) (t, f *flow) {
	if b.cur == nil {
		return nil, nil
	}
	stmt, mark := b.stmt, len(b.th.used)
	b.stmt = n
	if b.callFree(n) {
		b.cur.depth++
		t, f = b.branch(n)
		for _, x := range []*flow{t, f} {
			if b.cur = x; x != nil {
				b.leaveAtomic(n)
			}
		}
		b.cur = nil
	} else {
		t, f = b.branch(n)
	}
	b.stmt = stmt
	b.release(mark)
	return t, f
}

func (b *lowerer) switchStatement(x *cc.SelectionStatement) {
	ex := &exits{cases: map[*cc.LabeledStatement]*flow{}}
	if b.cur != nil {
		stmt, mark := b.stmt, len(b.th.used)
		b.stmt = x.ExpressionList
		v := b.eval(x.ExpressionList)
		if b.cur != nil {
			if v.kind != vInt {
				b.fail(x, "unsupported: switch on a pointer")
			}
			v = b.convert(x, v, promote(v.it))
			if _, ok := v.constant(); !ok || len(v.side) > 0 {
				b.materialise(v)
			}
			b.enterBySwitch(x)
			b.dispatch(x, v, ex)
		}
		b.stmt = stmt
		b.release(mark)
	}
	b.fr.exits = append(b.fr.exits, ex)
	b.statement(x.Statement)
	b.fr.exits = b.fr.exits[:len(b.fr.exits)-1]
	b.join(x, append(ex.breaks, b.cur)...)
}

// dispatch branches to the cases of a switch over v.
func (b *lowerer) dispatch(x *cc.SelectionStatement, v *value, ex *exits) {
	start := b.cur
	none := b.L.True()
	var deflt *cc.LabeledStatement
	cases := map[*logic.Term]bool{}
	go1 := func(l *cc.LabeledStatement, c *logic.Term, text string) *flow {
		if c.IsFalse() {
			return nil
		}
		b.cur = start.clone()
		if !c.IsTrue() {
			b.emit(x, text, ir.AssumeCmd(c))
			b.refine(c)
		}
		return b.cur
	}
	subject := b.text(x.ExpressionList)
	for _, l := range x.LabeledStatements() {
		switch l.Case {
		case cc.LabeledStatementDefault:
			if deflt != nil {
				b.fail(l, "default is there twice in one switch")
			}
			deflt = l
			continue
		case cc.LabeledStatementLabel: // an ordinary label within the switch
			continue
		}
		lo := b.caseValue(l, l.ConstantExpression, v.it)
		if cases[lo] {
			b.fail(l, "case %s is there twice in one switch", b.text(l.ConstantExpression))
		}
		cases[lo] = true
		c := b.L.Eq(v.t, lo)
		text := subject + " == " + b.text(l.ConstantExpression)
		if l.Case == cc.LabeledStatementRange {
			c = b.L.And(b.L.Le(lo, v.t), b.L.Le(v.t, b.caseValue(l, l.ConstantExpression2, v.it)))
			text += " ... " + b.text(l.ConstantExpression2)
		}
		none = b.L.And(none, b.L.Not(c))
		if f := go1(l, c, text); f != nil {
			ex.cases[l] = f
		}
	}
	rest := go1(deflt, none, subject+" is another value")
	b.cur = nil
	if deflt != nil && rest != nil {
		ex.cases[deflt] = rest
	} else if rest != nil {
		ex.breaks = append(ex.breaks, rest)
	}
}

func (b *lowerer) caseValue(l *cc.LabeledStatement, n cc.ExpressionNode, it ir.Type) *logic.Term {
	v := b.literalOf(n)
	if v == nil {
		b.fail(l, "unsupported: case label that is not a constant")
	}
	return b.convert(l, v, it).t
}

// literalOf evaluates a constant expression that cc has folded, else nil.
func (b *lowerer) literalOf(n cc.ExpressionNode) *value {
	if n == nil {
		return nil
	}
	switch n.Value().(type) {
	case cc.Int64Value, cc.UInt64Value:
		return b.literal(n)
	}
	return nil
}

package cfront

import (
	"fmt"
	"maps"

	"modernc.org/cc/v4"
)

// A call of a function within itself is inlined like any other, up to a bound;
// beyond it the execution is cut off and the program is bounded. A function that
// calls itself last is a loop instead.

// tailLoop is how a frame's function goes on where it calls itself last: the arguments
// become the parameters and control is back at its start.
type tailLoop struct {
	sites   map[cc.Node]bool // the calls
	head    *flow            // the start, if the body is a loop
	pending []*flow          // where the body is to be lowered once more, if it is unrolled
}

// mayRecur reports whether one more call of a function within itself is to be
// inlined. If not, the execution is cut off there.
func (b *lowerer) mayRecur(name string, fn *cc.FunctionDefinition, vals []*value) bool {
	n := 0
	for f := b.fr; f != nil; f = f.parent {
		if f.fn == fn {
			n++
		}
	}
	limit := b.opts.Unwind
	if n >= limit && b.selfCalls(name, fn) == 1 && allFixed(vals) { // constants are likely to end it
		limit = max(limit, b.opts.UnrollLimit)
	}
	if n < limit {
		return true
	}
	b.bounded(fmt.Sprintf("at most %d calls of '%s' within one another at %s", limit, name, position(fn.Declarator)))
	b.cur = nil
	return false
}

func allFixed(vals []*value) bool {
	for _, v := range vals {
		if v.kind == vInt && !isFixed(v) {
			return false
		}
	}
	return true
}

// selfCalls counts the places where a function calls itself by name.
func (b *lowerer) selfCalls(name string, fn *cc.FunctionDefinition) int {
	n := 0
	children(fn.CompoundStatement, func(c cc.Node) bool {
		if x, ok := c.(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionCall && calleeName(x) == name {
			n++
		}
		return true
	})
	return n
}

// tailOf returns the calls that make the frame's function a loop, or nil. There are
// none if a pointer to one of its variables may outlive the call, or if a pointer
// or struct among the parameters would change, or if it may create threads.
func (b *lowerer) tailOf(fr *frame) *tailLoop {
	name, body := fr.fn.Declarator.Name(), fr.fn.CompoundStatement
	if !fr.info.calls[name] || b.src.createsBetween(fr.info, nil, nil) {
		return nil
	}
	ft, ok := fr.fn.Declarator.Type().(*cc.FunctionType)
	if !ok || ft.IsVariadic() || b.exposes(fr) {
		return nil
	}
	params := parameters(ft)
	t := &tailLoop{sites: map[cc.Node]bool{}}
	add := func(n cc.ExpressionNode) {
		for _, x := range tailCalls(n, name) {
			if b.tailArgs(x, params) {
				t.sites[x] = true
			}
		}
	}
	if fr.result.kind != tVoid {
		children(body, func(n cc.Node) bool {
			if j, ok := n.(*cc.JumpStatement); ok && j.Case == cc.JumpStatementReturn && j.ExpressionList != nil {
				add(j.ExpressionList)
			}
			return true
		})
	} else {
		lastStatements(body, true, func(s *cc.Statement) {
			if s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
				add(s.ExpressionStatement.ExpressionList)
			}
		})
	}
	if len(t.sites) == 0 {
		return nil
	}
	return t
}

// exposes reports whether the address of a variable of the frame's function is
// taken, or of a compound literal.
func (b *lowerer) exposes(fr *frame) bool {
	found := false
	for _, d := range parameters(fr.fn.Declarator.Type().(*cc.FunctionType)) {
		found = found || d != nil && b.src.exposed[varKey(d)]
	}
	children(fr.fn.CompoundStatement, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.InitDeclarator:
			if d := x.Declarator; d != nil && !isGlobal(d) && !d.IsStatic() && b.src.exposed[varKey(d)] {
				found = true
			}
		case *cc.PostfixExpression:
			found = found || x.Case == cc.PostfixExpressionComplit
		}
		return !found
	})
	return found
}

// tailCalls returns the calls of a function by name that an expression ends with.
func tailCalls(n cc.ExpressionNode, name string) []*cc.PostfixExpression {
	switch x := unparen(n).(type) {
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall && calleeName(x) == name {
			return []*cc.PostfixExpression{x}
		}
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond && x.ExpressionList != nil {
			return append(tailCalls(x.ExpressionList, name), tailCalls(x.ConditionalExpression, name)...)
		}
	}
	return nil
}

// tailArgs reports whether all arguments are integers, or parameters handed on.
func (b *lowerer) tailArgs(x *cc.PostfixExpression, params []*cc.Declarator) bool {
	args := arguments(x)
	if len(args) != len(params) {
		return false
	}
	for i, d := range params {
		if d == nil {
			return false
		}
		if !handedOn(args[i], d) && b.typeOf(d.Type(), nil).kind != tInt {
			return false
		}
	}
	return true
}

// handedOn reports whether an argument is the parameter itself.
func handedOn(n cc.ExpressionNode, d *cc.Declarator) bool {
	id, ok := unparen(n).(*cc.PrimaryExpression)
	return ok && id.Case == cc.PrimaryExpressionIdent && id.ResolvedTo() == cc.Node(d)
}

// lastStatements calls f for the statements after which a function without a
// result returns. last tells whether c itself is at the end.
func lastStatements(c *cc.CompoundStatement, last bool, f func(*cc.Statement)) {
	var end func(s *cc.Statement)
	end = func(s *cc.Statement) {
		switch f(s); s.Case {
		case cc.StatementCompound:
			lastStatements(s.CompoundStatement, true, f)
		case cc.StatementSelection:
			if x := s.SelectionStatement; x.Case != cc.SelectionStatementSwitch {
				end(x.Statement)
				if x.Statement2 != nil {
					end(x.Statement2)
				}
			}
		case cc.StatementLabeled:
			end(s.LabeledStatement.Statement)
		}
	}
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		s := l.BlockItem.Statement
		if s == nil {
			continue
		}
		next := l.BlockItemList
		if next == nil && last || next != nil && isPlainReturn(next.BlockItem.Statement) {
			end(s)
			continue
		}
		children(&cc.CompoundStatement{BlockItemList: &cc.BlockItemList{BlockItem: l.BlockItem}}, func(n cc.Node) bool {
			if x, ok := n.(*cc.CompoundStatement); ok {
				lastStatements(x, false, f)
				return false
			}
			return true
		})
	}
}

func isPlainReturn(s *cc.Statement) bool {
	return s != nil && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn && s.JumpStatement.ExpressionList == nil
}

// tailBody lowers the body of a function that calls itself last: copy by copy if
// constants decide when it returns, else as a loop.
func (b *lowerer) tailBody(fr *frame) {
	if b.unrollTail(fr) {
		return
	}
	fr.tail.pending = nil
	fr.labels = []map[cc.Node]*label{newLabels(fr.info.labels)}
	info := *fr.info
	info.writes = maps.Clone(info.writes)
	for _, d := range parameters(fr.fn.Declarator.Type().(*cc.FunctionType)) {
		if d == nil {
			continue
		}
		k, o := b.typeOf(d.Type(), nil).kind, fr.objs[d]
		if k == tInt || k == tPtr && o != nil && b.isDynamicCell(o.cells[0]) {
			info.writes[varKey(d)] = true
		}
	}
	b.loopHead(fr.fn.Declarator, &info)
	fr.tail.head = b.cur.clone()
	b.wholeBody(fr)
}

// unrollTail lowers the body once for each call. If a copy may both return and go
// on, or there are too many, it takes everything back and returns false.
func (b *lowerer) unrollTail(fr *frame) bool {
	s := b.try()
	locs := len(b.th.locs)
	for range b.opts.UnrollLimit {
		rets := len(fr.rets)
		fr.tail.pending = nil
		fr.labels = []map[cc.Node]*label{newLabels(fr.info.labels)}
		b.wholeBody(fr)
		if len(fr.tail.pending) == 0 {
			b.keep()
			return true
		}
		if len(fr.rets) > rets || len(b.th.locs)-locs > maxUnrolled {
			break
		}
		b.join(fr.fn.Declarator, fr.tail.pending...)
	}
	b.giveUp(s)
	return false
}

// isTailCall reports whether an expression contains calls that go on at the start
// of the current function.
func (b *lowerer) isTailCall(n cc.ExpressionNode) bool {
	if b.fr.tail == nil || b.cur == nil || b.cur.depth != b.fr.atomicDepth {
		return false
	}
	for _, x := range tailCalls(n, b.fr.fn.Declarator.Name()) {
		if b.fr.tail.sites[x] {
			return true
		}
	}
	return false
}

// tailCall lowers an expression that the function ends with; give lowers the parts
// of it that are no calls of the function itself.
func (b *lowerer) tailCall(n cc.ExpressionNode, give func(cc.ExpressionNode)) {
	if !b.isTailCall(n) {
		if b.cur != nil {
			give(n)
		}
		return
	}
	switch x := unparen(n).(type) {
	case *cc.ConditionalExpression:
		t, f := b.condition(x.LogicalOrExpression)
		b.cur = t
		b.tailCall(x.ExpressionList, give)
		t, b.cur = b.cur, f
		b.tailCall(x.ConditionalExpression, give)
		b.join(x, t, b.cur)
	case *cc.PostfixExpression:
		b.startAgain(x)
	}
}

// startAgain gives the parameters their new values and goes on at the start.
func (b *lowerer) startAgain(x *cc.PostfixExpression) {
	mark := len(b.th.used)
	params := parameters(b.fr.fn.Declarator.Type().(*cc.FunctionType))
	vals := b.evalArgs(arguments(x))
	if b.cur == nil {
		b.release(mark)
		return
	}
	live := b.hold(vals...)
	for i, d := range params {
		if handedOn(arguments(x)[i], d) {
			continue
		}
		o := b.fr.objs[d]
		v := b.cast(x, vals[i], o.typ)
		b.store(x, o.whole(), v, b.text(x))
	}
	b.letGo(live)
	b.release(mark)
	t := b.fr.tail
	if t.head == nil {
		b.pushFlow(&t.pending)
		return
	}
	b.jumpBack(x, t.head)
}

package cfront

import (
	"slices"

	"modernc.org/cc/v4"
)

// pthread_cleanup_push and pthread_cleanup_pop open and close a block, so that the
// handlers that pthread_exit calls are known wherever control is. What leaves or enters
// the block in another way has no meaning in C, and is rejected.

// pushed is a handler that was pushed in a frame.
type pushed struct {
	fr   *frame
	call call // of __comus_cleanup_push, with a variable that holds the argument
	fn   string
}

// libraryHandlers are the functions of the library that may be handlers.
var libraryHandlers = []string{"free", "pthread_mutex_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock", "sem_post"}

// cleanupPush lowers what the macro pthread_cleanup_push ends in.
func (b *lowerer) cleanupPush(c call) *value {
	b.want(c, 2)
	f := b.eval(c.args[0])
	if b.cur == nil {
		return c.void()
	}
	if f.kind != vFunc || b.src.funcs[f.fn] == nil && !slices.Contains(libraryHandlers, f.fn) {
		b.fail(c.n, "unsupported: pthread_cleanup_push with a function that is not known here")
	}
	b.checkCleanupJumps(b.fr)
	b.setCleanups(append(b.cleanups[:len(b.cleanups):len(b.cleanups)], pushed{b.fr, c, f.fn}))
	return c.void()
}

// setCleanups changes the handlers that are pushed here.
func (b *lowerer) setCleanups(cs []pushed) {
	old := b.cleanups
	b.record(func() { b.cleanups = old })
	b.cleanups = cs
}

// cleanupPop lowers what the macro pthread_cleanup_pop begins with: the handler is
// called if the argument is not 0.
func (b *lowerer) cleanupPop(c call) *value {
	b.want(c, 1)
	last := len(b.cleanups) - 1
	if last < 0 || b.cleanups[last].fr != b.fr {
		b.fail(c.n, "unsupported: pthread_cleanup_pop without pthread_cleanup_push in the same block")
	}
	h := b.cleanups[last]
	t, f := b.branch(c.args[0])
	b.setCleanups(b.cleanups[:last])
	if b.cur = t; t != nil {
		b.callHandler(h)
		t = b.cur
	}
	b.join(c.n, t, f)
	return c.void()
}

// endCleanups leaves a block where there were n handlers. Those pushed in it are still
// there if control does not get to its end.
func (b *lowerer) endCleanups(n int) {
	if len(b.cleanups) > n {
		b.setCleanups(b.cleanups[:n])
	}
}

// callHandler calls a handler as in the frame that pushed it.
func (b *lowerer) callHandler(h pushed) {
	fr := b.fr
	b.fr = h.fr
	if b.src.funcs[h.fn] != nil {
		b.callWith(h.call.n, h.fn, b.eval(h.call.args[1]))
	} else {
		libraryFuncs[h.fn](b, call{n: h.call.n, name: h.fn, args: h.call.args[1:], unused: true})
	}
	b.fr = fr
}

// callCleanups calls the handlers that are pushed here, as the thread ends.
func (b *lowerer) callCleanups(n cc.Node) {
	if b.cur == nil || len(b.cleanups) == 0 {
		return
	}
	b.settleAll()
	b.ending++
	all := b.cleanups
	for i := len(all) - 1; i >= 0; i-- {
		b.setCleanups(all[:i])
		if b.cur != nil {
			b.callHandler(all[i])
		}
	}
	b.setCleanups(all) // for the code behind, if control gets there in another way
	b.ending--
}

// checkCleanupJumps rejects what leaves or enters a block of pthread_cleanup_push and
// pthread_cleanup_pop in the body of a frame.
func (b *lowerer) checkCleanupJumps(fr *frame) {
	if b.checkedCleanups[fr.fn] {
		return
	}
	b.checkedCleanups[fr.fn] = true
	c := cleanupCheck{b: b, in: map[cc.Node]cc.Node{}}
	c.walk(fr.fn.CompoundStatement, nil, nil, nil)
	for _, g := range fr.info.gotos {
		if c.in[g] != c.in[g.Label()] {
			b.fail(g, "unsupported: goto into or out of a block between pthread_cleanup_push and pthread_cleanup_pop")
		}
	}
}

// cleanupCheck knows the blocks that jumps and labels are in.
type cleanupCheck struct {
	b  *lowerer
	in map[cc.Node]cc.Node
}

// walk visits the nodes below n, which is in the block, and in the loop and the loop or
// switch that lie in the blocks loop and exit.
func (k *cleanupCheck) walk(n cc.Node, block, loop, exit cc.Node) {
	leave := func(x cc.Node, what string) {
		k.b.fail(x, "unsupported: %s out of a block between pthread_cleanup_push and pthread_cleanup_pop", what)
	}
	children(n, func(x cc.Node) bool {
		switch x := x.(type) {
		case *cc.CompoundStatement:
			in := block
			if pushes(x) {
				in = x
			}
			k.walk(x, in, loop, exit)
			return false
		case *cc.IterationStatement:
			k.walk(x, block, block, block)
			return false
		case *cc.SelectionStatement:
			if x.Case == cc.SelectionStatementSwitch {
				k.walk(x, block, loop, block)
				return false
			}
		case *cc.LabeledStatement:
			k.in[x] = block
			if x.Case != cc.LabeledStatementLabel && exit != block {
				k.b.fail(x, "unsupported: case into a block between pthread_cleanup_push and pthread_cleanup_pop")
			}
		case *cc.JumpStatement:
			k.in[x] = block
			switch {
			case x.Case == cc.JumpStatementReturn && block != nil:
				leave(x, "return")
			case x.Case == cc.JumpStatementBreak && exit != block:
				leave(x, "break")
			case x.Case == cc.JumpStatementContinue && loop != block:
				leave(x, "continue")
			}
		}
		return true
	})
}

// pushes reports whether a block is one that pthread_cleanup_push opens.
func pushes(x *cc.CompoundStatement) bool {
	for l := x.BlockItemList; l != nil; l = l.BlockItemList {
		i := l.BlockItem
		if i.Case != cc.BlockItemStmt || i.Statement.Case != cc.StatementExpr {
			continue
		}
		var call *cc.PostfixExpression
		if e := i.Statement.ExpressionStatement.ExpressionList; e != nil {
			call, _ = unparen(e).(*cc.PostfixExpression)
		}
		if call != nil && call.Case == cc.PostfixExpressionCall && calleeName(call) == "__comus_cleanup_push" {
			return true
		}
	}
	return false
}

package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// Functions that main registers with atexit are called where the program ends: at a
// return from main and in exit. A flag for each call of atexit tells whether control came
// there; calls lowered later are executed later, as there are none in loops.

// registered is a call of atexit that was lowered.
type registered struct {
	flag *ir.Var
	fn   string
}

// atexitCall lowers atexit, which does not fail.
func (b *lowerer) atexitCall(c call) *value {
	b.want(c, 1)
	f := b.eval(c.args[0])
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	switch {
	case f.kind != vFunc || b.src.funcs[f.fn] == nil:
		b.fail(c.n, "unsupported: atexit with a function that is not known here")
	case b.th.index != 0 || b.ending > 0:
		b.fail(c.n, "unsupported: atexit in another thread than main, or in a handler")
	case b.mayRepeat():
		b.fail(c.n, "unsupported: atexit in a loop")
	}
	r := registered{b.newVar(fmt.Sprintf("atexit%d", len(b.atexit)), "", ir.Flag, 0), f.fn}
	r.flag.Init = &logic.Value{}
	n := len(b.atexit)
	b.record(func() { b.atexit = b.atexit[:n] })
	b.atexit = append(b.atexit[:n:n], r)
	b.emit(c.n, b.text(c.n), ir.AssignCmd(r.flag, b.L.Int(1)))
	return b.constInt(0, intT)
}

// callAtexit calls the registered functions, the last one first.
func (b *lowerer) callAtexit(n cc.Node) {
	if b.cur == nil || len(b.atexit) == 0 {
		return
	}
	switch {
	case b.exiting:
		b.fail(n, "unsupported: exit in a function that exit calls")
	case b.th.index != 0:
		b.fail(n, "unsupported: exit in another thread than main, which calls atexit")
	}
	b.settleAll()
	b.exiting = true
	b.ending++
	for i := len(b.atexit) - 1; i >= 0 && b.cur != nil; i-- {
		r := b.atexit[i]
		called := b.intValue(r.flag.Sym, ir.Flag)
		if k, ok := b.cur.consts[r.flag]; ok {
			called.t = b.L.Value(k)
		}
		t, f := b.split(n, b.truth(n, called), called)
		if b.cur = t; t != nil {
			b.inlineValues(n, r.fn, b.src.funcs[r.fn], nil)
		}
		b.join(n, b.cur, f)
	}
	b.ending--
	b.exiting = false
}

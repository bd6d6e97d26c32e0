package specialise

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// mainReturns does what comes after main: the functions that atexit was given, and destructors. The frame is main's.
func (b *builder) mainReturns() {
	if len(b.fr.rets) == 0 {
		return
	}
	for _, r := range b.fr.rets { // other threads go on until the program has ended
		b.cur = r.f
		b.endLives(b.fr)
	}
	b.cur, b.returned = nil, true
	exit := b.handlers()
	if exit == nil && len(b.cp.Destructors) == 0 {
		for _, r := range b.fr.rets {
			b.cur = r.f
			b.exits()
		}
		b.cur = nil
		return
	}
	b.joinReturns()
	b.blk = nil
	if exit != nil {
		b.callExit(exit)
		return
	}
	b.destructors()
	b.exits()
	b.stop()
}

// callExit runs the library's exit, for main.
func (b *builder) callExit(exit *cir.Func) {
	b.exitCall = &cir.Call{Callee: exit, Args: []cir.Arg{{X: cir.IntOf(cir.I32, 0)}}, Result: exit.Result}
	b.callFunc(b.exitCall, exit, []*value{b.constVal(cir.I32, 0)})
}

// contextOf returns the context of a called function. The call of exit after main is none of the program's own.
func (b *builder) contextOf(in *cir.Call, callee *cir.Func) pointsto.Context {
	if in == b.exitCall {
		in = nil
	}
	return b.pts.Context(b.fr.fn, b.fr.ctx, in, callee)
}

// joinReturns lets all returns of the current function meet.
func (b *builder) joinReturns() {
	var flows []*flow
	for _, r := range b.fr.rets {
		flows = append(flows, r.f)
	}
	if b.fr.rets = nil; len(flows) == 1 {
		b.cur = flows[0]
		return
	}
	b.joinFlows(flows, nil)
}

// handlers returns the library's exit if functions may have been given to atexit and the like.
func (b *builder) handlers() *cir.Func {
	i := slices.IndexFunc(b.cp.Funcs, func(f *cir.Func) bool { return f.Library && f.Source == "call_handlers" && len(f.Blocks) > 0 })
	if f := b.cp.FuncNamed("exit"); i >= 0 && f != nil && f.Library && len(f.Blocks) > 0 && len(f.Params) == 1 {
		return f
	}
	return nil
}

// destructors runs what runs at the very end.
func (b *builder) destructors() {
	for _, f := range b.cp.Destructors {
		if b.cur != nil {
			b.callFunc(&cir.Call{Callee: f, Returns: true, Result: f.Result}, f, nil)
		}
	}
}

// stops ends the program: in exit, as a return of main does.
func (b *builder) stops() {
	if b.fr.fn.Library && b.fr.fn.Source == "exit" {
		b.destructors()
		b.exits()
	} else if b.opts.Check.Cleanup {
		b.assume(assumeAborted)
	}
	b.stop()
}

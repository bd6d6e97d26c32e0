package thread

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// A join of a thread's id ends the child whose id it can only be: the id is the address of the block that the library allocated for
// the thread, apart for each call that creates one.

// joinOf returns the effect of a call that joins a child for sure, nil for any other call.
func (f *flow) joinOf(n *Node, call *cir.Call) *effect {
	if e, ok := f.joins[call]; ok && n.Ctx == (pointsto.Context{}) {
		return e
	}
	if !f.r.isJoinIn(n, call) {
		return nil
	}
	e := f.joined(n, call)
	if n.Ctx == (pointsto.Context{}) {
		f.joins[call] = e
	}
	return e
}

func (f *flow) joined(n *Node, call *cir.Call) *effect {
	group := f.r.groupOf(f.r.graph.pts.Targets(n.Fn, n.Ctx, call.Args[0].X))
	if group == nil || f.t.Many || f.t.loose {
		return nil
	}
	e := &effect{}
	found := false
	for _, k := range f.r.Threads {
		if k.group != group {
			continue
		}
		if k.Parent != f.t || k.Many || k.loose || f.r.mayJoin(k, f.t) {
			return nil
		}
		found = true
		e.takes = e.takes.with(k.Index)
		e.adds = e.adds.or(k.flow.left())
	}
	if !found {
		return nil
	}
	e.takes = e.takes.minus(e.adds)
	return e
}

// left returns what may be running of a thread's descendants after its end.
func (f *flow) left() Set {
	if f.r.cancels() {
		return f.descendants().minus(Set{}.with(f.t.Index))
	}
	return f.atEnd
}

// groupOf returns the call that creates the threads whose ids these are, if it is one.
func (r *Result) groupOf(ids []pointsto.Location) (group cir.Instr) {
	for _, l := range ids {
		o := l.Obj
		if g := o.Global; g != nil && g.Library && g.Source == "single_thread" { // none when a program is run
			continue
		}
		if !isBlock(o) || group != nil && group != cir.Instr(o.Ctx.Call) {
			return nil
		}
		group = o.Ctx.Call
	}
	return group
}

// isBlock reports whether an object is what the library allocates for a thread, for one call of the program's.
func isBlock(o *pointsto.Object) bool {
	return o.Site != nil && o.Ctx.Call != nil && o.Func != nil && o.Func.Library && o.Func.Source == "__comus_thread_begin"
}

// mayJoin reports whether what a thread runs may join another one: two that join each other do not wait.
func (r *Result) mayJoin(k, t *Thread) bool {
	for _, j := range r.graph.joins {
		if k.flow.at[j.n] == nil {
			continue
		}
		for _, l := range r.graph.pts.Targets(j.n.Fn, j.n.Ctx, j.call.Args[0].X) {
			if l.Obj.External || t.Parent == nil && l.Obj.Global != nil && l.Obj.Global.Source == "first_thread" ||
				t.Parent != nil && isBlock(l.Obj) && cir.Instr(l.Obj.Ctx.Call) == t.group {
				return true
			}
		}
	}
	return false
}

// cancels reports whether threads may be cancelled.
func (r *Result) cancels() bool { return r.graph.cancels }

package thread

import (
	"comus/cir"
	"comus/scan/loop"
	"comus/scan/valuenum"
)

// Creation returns the call of the program's own by which the threads of an identity are created, and the node that makes it; ok is false if
// there are several, or if it is no call of a function of the program's that only one thread runs.
func (r *Result) Creation(k *Thread) (n *Node, create *cir.Call, ok bool) {
	p := k.Parent
	create, isCall := k.group.(*cir.Call)
	if p == nil || !isCall || k.Signal || k.loose || p.Many || p.loose || p.flow == nil || p.flow.lands {
		return nil, nil, false
	}
	for key, other := range r.kids {
		if key.group != k.group && other.group != k.group {
			continue
		}
		if key.parent != p || other.Parent != p || key.group != other.group || other.loose {
			return nil, nil, false
		}
	}
	for _, m := range p.flow.nodes {
		if m.Fn.Library || blockOf(m.Fn, create) == nil {
			continue
		}
		if n != nil {
			return nil, nil, false
		}
		n = m
	}
	return n, create, n != nil && p.flow.reaches(n)
}

// Turns reports whether all threads that the call which creates those of an identity makes, and that live at the same time, are created each in a turn of its own of one run
// of a loop: none of them is running where the loop begins, and nothing else in it creates any. The node and the call are those of Creation.
func (r *Result) Turns(k *Thread, n *Node, create *cir.Call, l *loop.Loop) bool {
	f := k.Parent.flow
	at := blockOf(n.Fn, create)
	inside := l.Reach(l.Head)
	for b := range inside {
		if !l.Reach(b)[l.Head] {
			delete(inside, b)
		}
	}
	if !inside[at] || !l.AtMostOnce(at) || !n.effect || f.lands {
		return false
	}
	var mine Set
	for _, other := range r.Threads {
		if other.group == k.group {
			mine = mine.with(other.Index)
		}
	}
	entry, before := f.at[n].entry, f.before(n)
	for i, b := range n.Fn.Blocks {
		e := before[i]
		for _, in := range b.Instrs {
			one := f.effectOf(n, in)
			if inside[b] && in != cir.Instr(create) && one.adds.meets(mine) {
				return false
			}
			e = e.then(one)
		}
		if l.Starts(b) && !e.ends && e.on(entry).meets(mine) {
			return false
		}
	}
	return true
}

// Quiet reports whether none of the threads that the call makes which creates those of an identity may be running in a loop of a node.
func (r *Result) Quiet(k *Thread, n *Node, l *loop.Loop) bool {
	f := k.Parent.flow
	if !n.effect || f.lands {
		return false
	}
	var mine Set
	for _, other := range r.Threads {
		if other.group == k.group {
			mine = mine.with(other.Index)
		}
	}
	inside := l.Reach(l.Head)
	entry, before := f.at[n].entry, f.before(n)
	for i, b := range n.Fn.Blocks {
		if !inside[b] || !l.Reach(b)[l.Head] || before[i].ends {
			continue
		}
		e := before[i]
		if e.on(entry).meets(mine) {
			return false
		}
		for _, in := range b.Instrs {
			if e = e.then(f.effectOf(n, in)); !e.ends && e.on(entry).meets(mine) {
				return false
			}
		}
	}
	return true
}

// StartCall returns the call by which what a thread begins with, a function of the library, calls the thread's function; nil if there is none.
func (t *Thread) StartCall() *cir.Call { return startCall(t.Root) }

// Symbols returns what is known of the registers of a node's function, and its loops that count; nil if control may come back to its middle.
func (r *Result) Symbols(n *Node) (*valuenum.Func, []*loop.Loop) {
	if c := r.graph.syms(n); c != nil {
		return c.Func, c.loops
	}
	return nil, nil
}

package thread

import (
	"context"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Thread is an identity of threads.
type Thread struct {
	Index  int
	Start  *cir.Func // what the program calls the thread's function
	Root   *Node     // what it begins with, which calls Start if that is another one
	Site   *cir.Site // of its creation; nil for the thread that the program begins with
	Parent *Thread   // nil for that one
	// Many tells that there may be more than one at a time.
	Many bool
	// Signal tells that it is a signal's handler, which any thread may run.
	Signal bool

	depth int
	group cir.Instr // the program's call that creates it, or the instruction
	loose bool      // nothing is known of when it runs
	// outside tells that code outside of the program creates it.
	outside bool
	starts  bool    // Root has one indirect call, of Start
	roots   []*Node // what it runs, one after the other
	last    []*Node // what it runs at the end of the program, at any time

	flow *flow
}

// Result is what is known of a program's threads.
type Result struct {
	Threads []*Thread // the one that the program begins with first; parents before their children
	// Unknown tells that threads are created whose functions are not known.
	Unknown bool

	graph *graph
	prog  *cir.Program
	kids  map[kidKey]*Thread
	meets map[[2]int]bool // which threads may run at the same time
}

type kidKey struct {
	parent *Thread
	group  cir.Instr
	start  *cir.Func
}

// maxThreads bounds the identities; what is created beyond is told apart by where it is created only. Beyond maxOutside, what code outside of the program creates
// is told apart by its function only: each call to that code may create a thread of each function that it knows.
const maxThreads, maxOutside = 120, 32

// Analyse finds the threads of a program, of which pts has to be made by pointsto.AnalyseOpen if functions of it are known outside. The error is that
// of ctx.
func Analyse(ctx context.Context, p *cir.Program, pts *pointsto.Result) (*Result, error) {
	r := &Result{graph: newGraph(p.Model, pts), prog: p, kids: map[kidKey]*Thread{}, meets: map[[2]int]bool{}}
	first := r.begin()
	r.graph.build()
	r.Unknown = r.graph.vague
	if first == nil {
		return r, ctx.Err()
	}
	for i := 0; i < len(r.Threads); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.findKids(r.Threads[i])
	}
	return r, r.solve(ctx)
}

// begin makes the thread that the program begins with.
func (r *Result) begin() *Thread {
	f := r.prog.Entry
	if f == nil {
		return nil
	}
	t := &Thread{Start: f}
	for _, c := range r.prog.Constructors {
		t.roots = append(t.roots, r.graph.node(c, pointsto.Context{}))
	}
	t.Root = r.graph.node(f, pointsto.Context{})
	t.roots = append(t.roots, t.Root)
	if e := r.prog.FuncNamed("exit"); e != nil && len(e.Blocks) > 0 {
		t.roots = append(t.roots, r.graph.node(e, pointsto.Context{}))
	}
	for _, d := range r.prog.Destructors {
		t.last = append(t.last, r.graph.node(d, pointsto.Context{}))
	}
	r.Threads = append(r.Threads, t)
	return t
}

// findKids finds the identities that a thread creates.
func (r *Result) findKids(t *Thread) {
	reach := t.reach(r.graph)
	if t.Parent != nil && slices.ContainsFunc(reach, func(n *Node) bool { return n.Fn.Library && n.Fn.Source == "exit" }) {
		t.last = r.Threads[0].last
		reach = t.reach(r.graph)
	}
	for _, n := range reach {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				for _, root := range n.creates[in] {
					r.created(t, n, in, root)
				}
			}
		}
	}
}

// created makes the identities of what a thread creates by an instruction of a node, each of which begins with root.
func (r *Result) created(t *Thread, n *Node, in cir.Instr, root *Node) {
	group := in
	if n.Fn.Library && n.Ctx.Call != nil {
		group = n.Ctx.Call
	}
	starts := startsOf(root)
	for _, f := range starts {
		key := kidKey{t, group, f}
		if r.kids[key] != nil {
			continue
		}
		_, outside := in.(*cir.Call)
		old := r.known(t, group, f)
		if old == nil && outside {
			old = r.knownOutside(f)
		}
		if old != nil {
			r.kids[key] = old
			continue
		}
		k := &Thread{Index: len(r.Threads), Start: f, Root: root, Site: n.Site(in), Parent: t, depth: t.depth + 1, group: group,
			roots: []*Node{root}, starts: len(starts) > 1, loose: t.loose, outside: outside}
		k.Signal = k.Delivers()
		if outside { // at any time
			k.Many, k.Signal = true, true
		}
		r.kids[key] = k
		r.Threads = append(r.Threads, k)
	}
}

// known returns the identity that stands for what a thread creates, if there is one: an ancestor's, of which there are many then, or, if there
// are too many, that of another thread.
func (r *Result) known(t *Thread, group cir.Instr, f *cir.Func) *Thread {
	for a := t; a != nil; a = a.Parent {
		if a.group == group && a.Start == f && group != nil {
			a.Many = true
			return a
		}
	}
	if len(r.Threads) < maxThreads {
		return nil
	}
	for _, a := range r.Threads {
		if a.group == group && a.Start == f {
			a.Many, a.loose = true, true
			return a
		}
	}
	return nil
}

// knownOutside returns the identity that stands for a thread of a function that code outside of the program creates, if there are too many of them.
func (r *Result) knownOutside(f *cir.Func) *Thread {
	if len(r.Threads) < maxOutside {
		return nil
	}
	for _, a := range r.Threads {
		if a.outside && a.Start == f {
			a.loose = true
			return a
		}
	}
	return nil
}

// startsOf returns the functions of the program that a thread may begin with: what the library's function, which it really begins with,
// calls through its only indirect call, or that function itself.
func startsOf(root *Node) []*cir.Func {
	if call := startCall(root); call != nil && !root.outside[call] {
		var fs []*cir.Func
		for _, m := range root.calls[call] {
			fs = append(fs, m.Fn)
		}
		if len(fs) > 0 {
			return fs
		}
	}
	return []*cir.Func{root.Fn}
}

// startCall returns the only indirect call of a function of the library, nil if there is none or several.
func startCall(root *Node) (found *cir.Call) {
	if !root.Fn.Library {
		return nil
	}
	for _, b := range root.Fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			if _, direct := call.Callee.(*cir.Func); direct {
				continue
			}
			if found != nil {
				return nil
			}
			found = call
		}
	}
	return found
}

// Calls returns what a call in a node of a thread may get to.
func (r *Result) Calls(t *Thread, n *Node, in *cir.Call) []*Node {
	to := r.graph.callees(n, in)
	if t.starts && n == t.Root && startCall(n) == in {
		return slices.DeleteFunc(slices.Clone(to), func(m *Node) bool { return m.Fn != t.Start })
	}
	return to
}

// Backs returns the nodes of functions that code outside of the program may call.
func (r *Result) Backs() []*Node { return r.graph.back }

// Created reports whether a call of the program's creates a thread: what the library does for it in the new thread is in the same context.
func (t *Thread) Created(by *cir.Call) bool { return by != nil && t.group == cir.Instr(by) }

// Roots returns the nodes that a thread begins with, in this order.
func (t *Thread) Roots() []*Node { return append(slices.Clip(t.roots), t.last...) }

// AllNodes returns what any thread runs.
func (r *Result) AllNodes() []*Node { return r.graph.nodes }

// NodeOf returns the node of a copy of a function, nil if no thread runs it.
func (r *Result) NodeOf(c pointsto.Copy) *Node { return r.graph.of[c] }

// Nodes returns the nodes that a thread runs.
func (r *Result) Nodes(t *Thread) []*Node { return t.reach(r.graph) }

func (t *Thread) reach(g *graph) []*Node {
	list := t.Roots()
	seen := map[*Node]bool{}
	for _, n := range list {
		seen[n] = true
	}
	r := &Result{graph: g}
	for i := 0; i < len(list); i++ {
		for _, b := range list[i].Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, m := range r.Calls(t, list[i], call) {
					if !seen[m] {
						seen[m] = true
						list = append(list, m)
					}
				}
			}
		}
	}
	return list
}

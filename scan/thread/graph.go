package thread

import (
	"cmp"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// Node is a function in a context, as package pointsto tells them apart.
type Node struct {
	Fn    *cir.Func
	Ctx   pointsto.Context
	Index int

	calls   map[*cir.Call][]*Node
	creates map[cir.Instr][]*Node // what threads begin with that are created here
	outside map[*cir.Call]bool    // calls that get to code outside of the program
	backs   map[*cir.Call][]*Node // what that may call
	effect  bool                  // creates or joins threads, or is jumped to, or calls who does
}

// Site returns the place of an instruction in the program's own code: that of the call for what the library does.
func (n *Node) Site(in cir.Located) *cir.Site {
	if n.Fn.Library && n.Ctx.Call != nil {
		return n.Ctx.Call.Site
	}
	return in.Meta().Site
}

// Copy names the node as package pointsto does.
func (n *Node) Copy() pointsto.Copy { return pointsto.Copy{Func: n.Fn, Ctx: n.Ctx} }

// Outside reports whether a call may get to code outside of the program.
func (n *Node) Outside(call *cir.Call) bool { return n.outside[call] }

// callIn is a call in a node.
type callIn struct {
	n    *Node
	call *cir.Call
}

// Given returns the operands of an instruction that threads are given which it creates.
func (n *Node) Given(in cir.Instr) []cir.Value {
	if len(n.creates[in]) == 0 {
		return nil
	}
	var vs []cir.Value
	cir.Operands(in, func(v cir.Value) { vs = append(vs, v) })
	return vs
}

// graph is who calls and creates whom.
type graph struct {
	pts   *pointsto.Result
	nodes []*Node
	of    map[pointsto.Copy]*Node
	// back are the functions of the program that code outside may call.
	back []*Node
	// joins are the program's calls that may wait for a thread; cancels tells whether threads may be cancelled.
	joins   []callIn
	cancels bool
	// vague are creations of threads whose function is not known.
	vague bool
	jumps bool // somebody calls longjmp

	table  *valuenum.Table
	model  cir.Model
	counts map[*Node]*counted
}

func newGraph(model cir.Model, pts *pointsto.Result) *graph {
	return &graph{pts: pts, of: map[pointsto.Copy]*Node{}, table: valuenum.NewTable(), model: model, counts: map[*Node]*counted{}}
}

// node returns the node of a function, with all that it leads to.
func (g *graph) node(f *cir.Func, ctx pointsto.Context) *Node {
	key := g.pts.Canonical(pointsto.Copy{Func: f, Ctx: ctx})
	if n := g.of[key]; n != nil {
		return n
	}
	n := &Node{Fn: f, Ctx: key.Ctx, Index: len(g.nodes), calls: map[*cir.Call][]*Node{}, creates: map[cir.Instr][]*Node{}, outside: map[*cir.Call]bool{}, backs: map[*cir.Call][]*Node{}}
	g.of[key] = n
	g.nodes = append(g.nodes, n)
	return n
}

// build follows calls and creations from what there is of nodes until there is nothing new.
func (g *graph) build() {
	for done := 0; done < len(g.nodes); done++ {
		g.expand(g.nodes[done])
	}
	g.findJumps()
	g.spreadEffect()
}

func (g *graph) expand(n *Node) {
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Call:
				g.expandCall(n, in)
				g.callBack(n, in)
			case *cir.Intrinsic:
				if in.Op == cir.ThreadCreate {
					g.create(n, in, g.pts.Targets(n.Fn, n.Ctx, in.Args[0]), n.Ctx)
				}
			}
		}
	}
}

// create notes that threads begin with what a pointer may point to.
func (g *graph) create(n *Node, in cir.Instr, to []pointsto.Location, ctx pointsto.Context) {
	for _, l := range to {
		switch {
		case l.Obj.External:
			g.vague = true
		case l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0:
			if m := g.node(l.Obj.Func, ctx); !slices.Contains(n.creates[in], m) {
				n.creates[in] = append(n.creates[in], m)
			}
		}
	}
}

func (g *graph) expandCall(n *Node, in *cir.Call) {
	for _, c := range g.pts.Called(n.Copy(), in) {
		if m := g.node(c.Func, c.Ctx); !slices.Contains(n.calls[in], m) {
			n.calls[in] = append(n.calls[in], m)
		}
	}
	if f, ok := in.Callee.(*cir.Func); ok {
		g.callOutside(n, in, f)
		return
	}
	for _, l := range g.pts.Targets(n.Fn, n.Ctx, in.Callee) {
		switch {
		case l.Obj.External:
			n.outside[in] = true
		case l.Obj.IsFunc():
			g.callOutside(n, in, l.Obj.Func)
		}
	}
}

// callOutside notes that a call gets to a function, if that has no body.
func (g *graph) callOutside(n *Node, in *cir.Call, f *cir.Func) {
	if len(f.Blocks) == 0 {
		n.outside[in] = true
		g.give(n, in, ContractOf(in, f))
		if in.Unknown == cir.Open {
			g.create(n, in, g.known(), pointsto.Context{})
		}
	}
}

// ContractOf returns the contract of a function without a body that a call gets to, nil if it has none.
func ContractOf(in *cir.Call, f *cir.Func) *contract.Function {
	how := f.Unknown
	if in.Callee == cir.Value(f) && in.Unknown != cir.Known {
		how = in.Unknown
	}
	if how != cir.Contract {
		return nil
	}
	c, _ := contract.Lookup(f.Source)
	return c
}

// give notes what a function with a contract creates threads with.
func (g *graph) give(n *Node, in *cir.Call, c *contract.Function) {
	if c == nil {
		return
	}
	for i, a := range in.Args {
		p := c.Argument(i)
		if p == nil {
			continue
		}
		for _, call := range p.Calls {
			if call.When == contract.AsSignal || call.When == contract.InThread {
				g.create(n, in, g.functions(n, a.X), pointsto.Context{})
			}
		}
	}
}

// known returns the functions of the program that code outside knows.
func (g *graph) known() (list []pointsto.Location) {
	for _, c := range g.pts.KnownOutside() {
		if o := g.pts.Object(nil, pointsto.Context{}, c.Func); o != nil {
			list = append(list, pointsto.Location{Obj: o})
		}
	}
	return list
}

// functions returns the functions that can be reached from a pointer, in order.
func (g *graph) functions(n *Node, v cir.Value) []pointsto.Location {
	seen := map[*pointsto.Object]bool{}
	g.follow(g.pts.Targets(n.Fn, n.Ctx, v), seen)
	var list []pointsto.Location
	for o := range seen {
		if o.IsFunc() {
			list = append(list, pointsto.Location{Obj: o})
		}
	}
	slices.SortFunc(list, func(x, y pointsto.Location) int { return cmp.Compare(x.Obj.ID, y.Obj.ID) })
	return list
}

// follow adds to a set what can be reached from some locations. What is there already was followed.
func (g *graph) follow(from []pointsto.Location, seen map[*pointsto.Object]bool) {
	var work []*pointsto.Object
	add := func(l pointsto.Location) {
		if !seen[l.Obj] && !l.Obj.External {
			seen[l.Obj] = true
			work = append(work, l.Obj)
		}
	}
	for _, l := range from {
		add(l)
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, l := range g.pts.Held(o) {
			add(l)
		}
	}
}

// callBack notes what code outside may call during a call.
func (g *graph) callBack(n *Node, in *cir.Call) {
	for _, c := range g.pts.CalledBack(n.Copy(), in) {
		m := g.node(c.Func, c.Ctx)
		n.outside[in] = true
		n.backs[in] = append(n.backs[in], m)
		if !slices.Contains(g.back, m) {
			g.back = append(g.back, m)
		}
	}
}

// callees returns what a call may get to, called back functions included.
func (g *graph) callees(n *Node, in *cir.Call) []*Node {
	if len(n.backs[in]) == 0 {
		return n.calls[in]
	}
	return append(slices.Clip(n.calls[in]), n.backs[in]...)
}

// lands reports whether a longjmp may lead behind an instruction, with whatever was done until then: by the thread that runs it, or by a handler of a signal that
// interrupts it. Nothing is known of the order there, but it is before, and from there on.
func (g *graph) lands(in cir.Located) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == cir.Setjmp && g.jumps
}

// findJumps finds out whether anybody calls longjmp.
func (g *graph) findJumps() {
	for _, n := range g.nodes {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				i, ok := in.(*cir.Intrinsic)
				g.jumps = g.jumps || ok && i.Op == cir.Longjmp
			}
		}
	}
}

// spreadEffect marks the nodes from which threads are created or joined, or in which it is lost what was.
func (g *graph) spreadEffect() {
	callers := map[*Node][]*Node{}
	var work []*Node
	mark := func(n *Node) {
		if !n.effect {
			n.effect = true
			work = append(work, n)
		}
	}
	for _, n := range g.nodes {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					if g.lands(in) {
						mark(n)
					}
					continue
				}
				for _, m := range g.callees(n, call) {
					callers[m] = append(callers[m], n)
					if isJoin(m.Fn) {
						mark(n)
					}
					if waits(m.Fn) && !n.Fn.Library && len(call.Args) > 0 {
						g.joins = append(g.joins, callIn{n, call})
					}
					g.cancels = g.cancels || m.Fn.Library && m.Fn.Source == "pthread_cancel"
				}
			}
		}
		if len(n.creates) > 0 {
			mark(n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range callers[n] {
			mark(m)
		}
	}
}

// isJoin reports whether a function of the library waits for the end of a thread that it is given.
func isJoin(f *cir.Func) bool {
	return f.Library && (f.Source == "pthread_join" || f.Source == "thrd_join")
}

// waits reports whether a function of the library may wait for the end of a thread that it is given.
func waits(f *cir.Func) bool {
	return isJoin(f) || f.Library && (f.Source == "pthread_timedjoin_np" || f.Source == "pthread_clockjoin_np")
}

package thread

import (
	"slices"

	"comus/cir"
	"comus/scan/loop"
	"comus/scan/valuenum"
)

// A loop that creates threads by one call and a later one that joins threads of that call make a batch, if the second one runs as often as the first one
// at least: an id is joined once, so after as many joins as there were creations all are joined, whatever the order of the ids, and wherever they were
// kept. Both count from the same number in the same steps and compare with what is the same in both; the first one may end
// early, the second one is the batch's end only where it ends because of that comparison. What is done only where a creation fails, which is assumed not to be, does not count. When the first loop begins, none of the threads may be
// running, and nothing else creates any until the second one ends: that is taken for granted first, and what turns out not to hold is
// refuted, as it is found out whether there are several of a thread.

// batch is a pair of loops of a function that a thread runs: one creates threads, one joins them.
type batch struct {
	node        *Node
	create      *cir.Call
	first, last *loop.Loop
	during      map[*cir.Block]bool // where control may be from the beginning of the first loop to the end of the last one
	refuted     bool
}

// syms returns what is known of the registers of a function, and its loops that count; nil if it is not looked at.
func (g *graph) syms(n *Node) *counted {
	c, known := g.counts[n]
	if !known {
		if !again(n.Fn) {
			f := valuenum.Analyse(g.table, g.model, g.pts, n.Copy(), valuenum.Options{Comes: true})
			c = &counted{f, loop.Find(g.table, g.model, f)}
		}
		g.counts[n] = c
	}
	return c
}

// counted is a function with its loops that count.
type counted struct {
	*valuenum.Func
	loops []*loop.Loop
}

// again reports whether a longjmp may lead into a function.
func again(f *cir.Func) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return true
			}
		}
	}
	return false
}

// findBatches finds the batches of a thread.
func (f *flow) findBatches() {
	for _, n := range f.nodes {
		if n.Fn.Library || !n.effect {
			continue
		}
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok && f.r.isJoinIn(n, call) {
					f.pairUp(n, b, call)
				}
			}
		}
	}
}

// isJoinIn reports whether a call joins the thread that its first argument is the id of.
func (r *Result) isJoinIn(n *Node, call *cir.Call) bool {
	callee, ok := call.Callee.(*cir.Func)
	return ok && isJoin(callee) && len(call.Args) > 0 && !n.Fn.Library
}

// pairUp finds the batches that end with the loop in which a call joins threads.
func (f *flow) pairUp(n *Node, joins *cir.Block, call *cir.Call) {
	group, ok := f.r.groupOf(f.r.graph.pts.Targets(n.Fn, n.Ctx, call.Args[0].X)).(*cir.Call)
	if !ok {
		return
	}
	at := blockOf(n.Fn, group)
	if at == nil {
		return
	}
	c := f.r.graph.syms(n)
	if c == nil {
		return
	}
	for _, last := range c.loops {
		if last.Body == nil || !last.Contains(c.Func, joins) || !last.AtLeastOnce(joins) || f.joinsOne(n, c, last, call) {
			continue
		}
		for _, first := range c.loops {
			if !first.SameCount(last) || !first.Before(c.Func, last) || !first.Contains(c.Func, at) || !first.AtMostOnce(at) {
				continue
			}
			b := &batch{node: n, create: group, first: first, last: last, during: first.Reach(first.Head)}
			for x := range b.during {
				if !first.Reach(x)[last.Head] {
					delete(b.during, x)
				}
			}
			if b.steady() {
				f.batches = append(f.batches, b)
			}
		}
	}
}

// joinsOne reports whether a call in a loop joins one and the same id in each turn, as t[0] by a slip: what it is loaded from does not change, nor where. That
// an id is joined once is assumed, but not where the program plainly does otherwise.
func (f *flow) joinsOne(n *Node, c *counted, l *loop.Loop, call *cir.Call) bool {
	id, ok := call.Args[0].X.(*cir.Reg)
	if !ok {
		return false
	}
	at := definition(n.Fn, int64(id.Index))
	if at == nil || !l.Contains(c.Func, at) {
		return true
	}
	i := slices.IndexFunc(at.Instrs, func(in cir.Instr) bool { return slices.Contains(cir.Results(in), id) })
	if i < 0 {
		return false
	}
	load, ok := at.Instrs[i].(*cir.Load)
	if !ok {
		return false
	}
	addr := c.Value(load.Addr)
	if addr.Index != nil || addr.Base == nil || addr.Base.Kind != valuenum.Global && addr.Base.Kind != valuenum.Local && addr.Base.Kind != valuenum.Param {
		return false
	}
	for _, to := range f.r.graph.pts.Targets(n.Fn, n.Ctx, load.Addr) {
		for _, b := range n.Fn.Blocks {
			if l.Contains(c.Func, b) && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return f.r.graph.pts.MayWrite(n.Copy(), in, to.Obj) }) {
				return false
			}
		}
	}
	return true
}

// blockOf returns the block of a function that an instruction is in, nil if it is in none.
func blockOf(f *cir.Func, in cir.Instr) *cir.Block {
	for _, b := range f.Blocks {
		if slices.Contains(b.Instrs, in) {
			return b
		}
	}
	return nil
}

// steady reports whether what it depends on how often the loops run is the same in both.
func (b *batch) steady() bool {
	ok := true
	b.first.Rests(func(s *valuenum.Sym) {
		switch s.Kind {
		case valuenum.Param, valuenum.Global:
		case valuenum.Conv:
			_, is := s.What.(cir.Type)
			ok = ok && is
		case valuenum.Phi:
			ok = ok && !b.during[s.Block]
		case valuenum.Reg:
			def := definition(b.node.Fn, s.N)
			ok = ok && def != nil && !b.during[def]
		default:
			ok = false
		}
	})
	return ok
}

// definition returns the block of a function that assigns a register.
func definition(f *cir.Func, reg int64) *cir.Block {
	for _, b := range f.Blocks {
		for _, p := range b.Params {
			if int64(p.Index) == reg {
				return b
			}
		}
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				if int64(r.Index) == reg {
					return b
				}
			}
		}
	}
	return nil
}

// kids returns the identities that a batch creates; ok is false if some may be created elsewhere, or if it is not known when they run.
func (f *flow) kids(b *batch) (list []*Thread, ok bool) {
	if f.t.Many || f.t.loose || f.lands || b.refuted {
		return nil, false
	}
	for key, k := range f.r.kids {
		if key.group != cir.Instr(b.create) && k.group != cir.Instr(b.create) {
			continue
		}
		if key.parent != f.t || k.Parent != f.t || k.group != key.group || k.loose || f.r.mayJoin(k, f.t) {
			return nil, false
		}
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list, len(list) > 0
}

// ended returns what the end of a batch does along the edge from one block of a node to another one.
func (f *flow) ended(n *Node, from, to *cir.Block) (e effect) {
	for _, b := range f.batches {
		if b.node != n || b.last.Head != from || b.last.Exit != to {
			continue
		}
		kids, ok := f.kids(b)
		if !ok {
			continue
		}
		for _, k := range kids {
			e.takes = e.takes.with(k.Index)
			e.adds = e.adds.or(k.flow.left())
		}
	}
	e.takes = e.takes.minus(e.adds)
	return e.then(f.talliedAt(n, to))
}

// refute looks for batches for which what was taken for granted does not hold: a thread of theirs may be running where they begin, or
// be created by something else before they end. It reports whether that is news.
func (f *flow) refute() (changed bool) {
	for _, b := range f.batches {
		kids, ok := f.kids(b)
		if !ok || !f.reaches(b.node) {
			continue
		}
		if !f.holds(b, kids) {
			b.refuted, changed = true, true
		}
	}
	return changed
}

func (f *flow) holds(b *batch, kids []*Thread) bool {
	var mine Set
	for _, k := range kids {
		mine = mine.with(k.Index)
	}
	entry := f.at[b.node].entry
	before := f.before(b.node)
	for i, block := range b.node.Fn.Blocks {
		e := before[i]
		for _, in := range block.Instrs {
			one := f.effectOf(b.node, in)
			if b.during[block] && in != cir.Instr(b.create) && one.adds.meets(mine) {
				return false
			}
			e = e.then(one)
		}
		if b.first.Starts(block) && !e.ends && e.on(entry).meets(mine) {
			return false
		}
	}
	return true
}

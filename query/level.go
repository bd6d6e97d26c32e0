package query

import (
	"fmt"

	"comus/cutpoints"
	"comus/envmove"
	"comus/ir"
	"comus/logic"
	"comus/seqmc"
)

// Target is something a path must not reach: a violated assertion of the
// program, the goal β of a query, or a promise of error.
type Target struct {
	Cond *logic.Term // over program variables and pcs
	// Plan are the steps that lead from Cond to the violation (to β, in query
	// mode): first those of the environment, then those of the main thread, and
	// so on along the chain of promises.
	Plan []*cutpoints.Block
}

// Level is the sequential program Pᵢ of a level, in normal or query mode.
type Level struct {
	Index   int // of the level, from 0
	Program *seqmc.Program
	Thread  *ir.Thread

	h        *Hierarchy
	move     *envmove.EnvMove
	graph    *cutpoints.Graph
	query    *QueryDetail
	goal     *Target
	promises map[int][]*Target // by location index
	tracked  map[*ir.Var]bool
	movers   []int // the threads of the environment whose pcs are variables of the program
	places   map[Place]*seqmc.Node
	origins  map[*seqmc.Edge]origin
}

// originKind tells what an edge of a level's program stands for.
type originKind uint8

const (
	fromBlock    originKind = iota // steps of the main thread
	fromMove                       // env_move at a location
	fromCallers                    // the callers' havoc, before the start
	fromActivate                   // the query's start
	fromTarget                     // a check for a target
)

type origin struct {
	kind   originKind
	block  *cutpoints.Block
	loc    int
	target *Target
}

// NewLevel returns level index's program in normal mode (goal nil) or in the
// query mode of goal's query, with these promises of error.
func (h *Hierarchy) NewLevel(index int, q *QueryDetail, goal *Target, promises map[int][]*Target) *Level {
	t := h.P.Threads[h.Order[index]]
	lv := &Level{Index: index, Thread: t, h: h, move: h.Moves[index], graph: h.Graphs[t.Index], query: q, goal: goal,
		promises: promises, tracked: map[*ir.Var]bool{}, places: map[Place]*seqmc.Node{}, origins: map[*seqmc.Edge]origin{}}
	lv.Program = &seqmc.Program{L: h.P.L, Name: fmt.Sprintf("P%d", index+1)}
	lv.track()
	if goal == nil {
		lv.buildNormal()
	} else {
		lv.buildQuery()
	}
	return lv
}

// track collects the variables the program speaks about: those of the main
// thread's code, of the formulas asked about, and of the refinements, except
// that a caller's local variable is tracked only if the query mentions it.
func (lv *Level) track() {
	tab := lv.h.tab
	add := func(ts ...*logic.Term) {
		for _, s := range logic.FreeVars(ts...) {
			if v := tab[s]; v != nil {
				lv.tracked[v] = true
			}
		}
	}
	lv.graph.Blocks(func(b *cutpoints.Block) {
		acc := tab.CmdAccess(b.Cmds())
		for v := range acc.Reads {
			lv.tracked[v] = true
		}
		for v := range acc.Writes {
			lv.tracked[v] = true
		}
	})
	if lv.query != nil {
		add(lv.query.Alpha...)
		add(lv.goal.Cond)
		if lv.query.Exact != nil {
			add(lv.query.Exact)
		}
	}
	for _, ts := range lv.promises {
		for _, t := range ts {
			add(t.Cond)
		}
	}
	caller := map[int]bool{}
	for _, t := range lv.h.Order[:lv.Index] {
		caller[t] = true
	}
	for _, r := range lv.move.Refinements {
		for _, s := range logic.FreeVars(r.Alpha, r.Beta) {
			if v := tab[s]; v != nil && !caller[v.Thread] {
				lv.tracked[v] = true
			}
		}
	}
	for _, v := range lv.h.P.Vars {
		if lv.tracked[v] {
			lv.Program.Vars = append(lv.Program.Vars, v, lv.h.old(v))
		}
	}
	lv.movers = lv.move.Env
	if lv.query == nil && len(lv.promises) == 0 { // else formulas may mention any pc
		lv.movers = lv.move.Movers(lv.keep)
	}
	for _, j := range lv.movers {
		pc := lv.h.pcVars[j]
		lv.Program.Vars = append(lv.Program.Vars, pc, lv.h.old(pc))
	}
	if lv.query != nil {
		lv.Program.Vars = append(lv.Program.Vars, lv.query.Hidden...)
	}
}

// keep reports whether the program tracks v.
func (lv *Level) keep(v *ir.Var) bool { return lv.tracked[v] }

// node returns the node of a place.
func (lv *Level) node(loc *ir.Loc, ph Phase) *seqmc.Node {
	pl := Place{loc.Index, ph}
	n := lv.places[pl]
	if n == nil {
		n = lv.Program.NewNode(fmt.Sprintf("%c%d", "NMB"[ph], loc.Index))
		lv.places[pl] = n
	}
	return n
}

func (lv *Level) edge(from, to *seqmc.Node, o origin, text string, cmds []ir.Cmd) {
	lv.origins[lv.Program.NewEdge(from, to, text, cmds)] = o
}

// at returns f with the main thread's pc at a location.
func (lv *Level) at(f *logic.Term, loc int) *logic.Term {
	l := lv.h.P.L
	return l.Subst(f, map[*logic.Term]*logic.Term{lv.Thread.PC: l.Int(int64(loc))})
}

// init returns the initial states: the program's variables at their initial
// values and the environment at its entries.
func (lv *Level) init() *logic.Term {
	l := lv.h.P.L
	var parts []*logic.Term
	for _, v := range lv.h.P.Vars { // in a fixed order: so runs can be repeated
		if !lv.tracked[v] || lv.isCallers(v) {
			continue // a caller's is constant but unknown for the whole query
		}
		if v.Init != nil {
			parts = append(parts, l.Eq(v.Sym, l.Value(*v.Init)))
		} else {
			parts = append(parts, lv.h.P.InRange(v))
		}
	}
	for _, j := range lv.movers {
		parts = append(parts, l.Eq(lv.h.P.Threads[j].PC, l.Int(int64(lv.h.P.Threads[j].Entry.Index))))
	}
	return l.And(parts...)
}

// isCallers reports whether v is a local variable of a caller.
func (lv *Level) isCallers(v *ir.Var) bool {
	if v.Thread == ir.Shared || v.Thread == lv.Thread.Index {
		return false
	}
	for _, t := range lv.h.Order[:lv.Index] {
		if t == v.Thread {
			return true
		}
	}
	return false
}

// moveCmds returns env_move at loc.
func (lv *Level) moveCmds(loc int) []ir.Cmd {
	return lv.move.Cmds(loc, lv.havocked(), lv.keep, lv.h.old)
}

// havocked returns the tracked variables that env_move changes, pcs included.
func (lv *Level) havocked() []*ir.Var {
	var vs []*ir.Var
	for _, v := range lv.h.P.Vars {
		if lv.tracked[v] && lv.move.Writes(v) {
			vs = append(vs, v)
		}
	}
	for _, j := range lv.movers {
		vs = append(vs, lv.h.pcVars[j])
	}
	return vs
}

// buildNormal builds the program of normal mode: env_move at each cut-point,
// after the promises there are checked.
func (lv *Level) buildNormal() {
	p := lv.Program
	p.Init = lv.init()
	p.Entry = lv.node(lv.Thread.Entry, Normal)
	errNode := p.NewNode("error")
	errNode.Error = true
	for _, n := range lv.graph.Nodes {
		if n.Error {
			continue
		}
		lv.moveAt(n, errNode, lv.promises[n.Index])
		from := lv.node(n, lv.depart(n))
		for _, b := range lv.graph.Out[n] {
			to := errNode
			if !b.To.Error {
				to = lv.node(b.To, Normal)
			}
			lv.edge(from, to, origin{kind: fromBlock, block: b}, blockText(b), b.Cmds())
		}
	}
}

// depart returns the phase in which the main thread leaves a location.
func (lv *Level) depart(n *ir.Loc) Phase {
	if lv.graph.Cut[n.Index] && len(lv.move.Env) > 0 {
		return Moved
	}
	return Normal
}

// moveAt adds, at a cut-point, the checks for the promises and env_move.
func (lv *Level) moveAt(n *ir.Loc, errNode *seqmc.Node, promises []*Target) {
	l := lv.h.P.L
	here := lv.node(n, Normal)
	var passed []ir.Cmd
	for _, t := range promises {
		cond := lv.at(t.Cond, n.Index)
		lv.edge(here, errNode, origin{kind: fromTarget, loc: n.Index, target: t}, "promise of error", []ir.Cmd{ir.AssumeCmd(cond)})
		passed = append(passed, ir.AssumeCmd(l.Not(cond)))
	}
	if lv.depart(n) == Moved {
		lv.edge(here, lv.node(n, Moved), origin{kind: fromMove, loc: n.Index}, "env_move()", append(passed, lv.moveCmds(n.Index)...))
	}
}

// buildQuery builds the program of query mode: its two phases.
func (lv *Level) buildQuery() {
	p := lv.Program
	p.Init = lv.init()
	p.Entry = lv.node(lv.Thread.Entry, BeforeOnly)
	errNode := p.NewNode("error")
	errNode.Error = true
	for _, n := range lv.graph.Nodes {
		if n.Error {
			continue
		}
		before := lv.node(n, BeforeOnly)
		if lv.graph.Cut[n.Index] {
			lv.beforeStart(n, before)
			lv.afterStart(n, errNode)
		}
		from := lv.node(n, lv.depart(n))
		for _, b := range lv.graph.Out[n] {
			if b.To.Error {
				continue // the main thread's own errors are not the question
			}
			o := origin{kind: fromBlock, block: b}
			lv.edge(before, lv.node(b.To, BeforeOnly), o, blockText(b), b.Cmds())
			lv.edge(from, lv.node(b.To, Normal), o, blockText(b), b.Cmds())
		}
	}
}

// beforeStart adds what may happen at a cut-point before the query's start:
// steps of the callers and of the environment, in any order, and the start.
func (lv *Level) beforeStart(n *ir.Loc, before *seqmc.Node) {
	if callers := lv.callerCmds(n.Index); callers != nil {
		lv.edge(before, before, origin{kind: fromCallers, loc: n.Index}, "callers", callers)
	}
	if len(lv.move.Env) > 0 {
		lv.edge(before, before, origin{kind: fromMove, loc: n.Index}, "env_move()", lv.moveCmds(n.Index))
	}
	if cmds := lv.startCmds(n.Index); cmds != nil {
		lv.edge(before, lv.node(n, Normal), origin{kind: fromActivate, loc: n.Index}, "start", cmds)
	}
}

// startCmds returns the query's start at a location, nil if α excludes it.
func (lv *Level) startCmds(loc int) []ir.Cmd {
	l := lv.h.P.L
	alpha := lv.at(l.And(lv.query.Alpha...), loc)
	var cmds []ir.Cmd
	if lv.query.Exact != nil {
		alpha = l.And(alpha, lv.at(lv.query.Exact, loc))
		for _, v := range lv.query.Hidden {
			cmds = append(cmds, ir.HavocCmd(v, ""))
		}
	}
	if alpha.IsFalse() {
		return nil
	}
	return append(cmds, ir.AssumeCmd(alpha))
}

// afterStart adds the checks for β and the promises, and env_move, at a
// cut-point after the start.
func (lv *Level) afterStart(n *ir.Loc, errNode *seqmc.Node) {
	goal := lv.at(lv.goal.Cond, n.Index)
	check := func(ph Phase) {
		if !goal.IsFalse() {
			lv.edge(lv.node(n, ph), errNode, origin{kind: fromTarget, loc: n.Index, target: lv.goal}, "goal", []ir.Cmd{ir.AssumeCmd(goal)})
		}
	}
	check(Normal)
	lv.moveAt(n, errNode, lv.promises[n.Index])
	if lv.depart(n) == Moved {
		check(Moved)
	}
}

// callersWrite reports whether a caller may write v.
func (lv *Level) callersWrite(v *ir.Var) bool {
	return lv.Index > 0 && lv.h.writers(v, lv.h.Order[:lv.Index])
}

// writers reports whether one of the threads writes v.
func (h *Hierarchy) writers(v *ir.Var, threads []int) bool {
	for _, t := range threads {
		found := false
		h.Graphs[t].Blocks(func(b *cutpoints.Block) {
			for _, c := range b.Cmds() {
				found = found || c.Kind != ir.Assume && c.Var == v
			}
		})
		if found {
			return true
		}
	}
	return false
}

func blockText(b *cutpoints.Block) string {
	text := ""
	for _, e := range b.Edges {
		if e.Text != "" {
			text += e.Text + "; "
		}
	}
	return text
}

// Proof turns the checker's invariants into a proof.
func (lv *Level) Proof(inv map[*seqmc.Node]*logic.Term) *Proof {
	pr := &Proof{Invariants: map[Place]*logic.Term{}, Tracked: lv.tracked}
	for pl, n := range lv.places {
		if f := inv[n]; f != nil {
			pr.Invariants[pl] = f
		}
	}
	return pr
}

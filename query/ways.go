package query

import (
	"context"
	"maps"
	"slices"

	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/wp"
	"comus/z3"
)

// promiseSuffixes adds, for a violation found in query mode, promises of error at
// the cut-points along the path from the query's start: from what holds there,
// the rest of the path leads to β. A later query about the same β, and another
// start, meets them at once.
func (lv *Level) promiseSuffixes(tr *trace, s *solved) {
	l := lv.h.P.L
	for k := tr.activation(); k < len(tr.items); k++ {
		o := tr.items[k]
		if o.kind != fromBlock || !lv.graph.Cut[o.block.From.Index] {
			continue
		}
		cond := l.And(lv.pre(tr, s, k)...)
		loc := o.block.From.Index
		if slices.ContainsFunc(lv.promises[loc], func(t *Target) bool { return t.Cond == cond }) {
			continue
		}
		lv.addPromise(loc, &Target{Cond: cond, Plan: slices.Concat(blocks(tr.items[k:]), tr.target.Plan)})
	}
}

// otherWays returns ways to β, other than found, along the paths of the main
// thread alone from the query's start.
func (lv *Level) otherWays(ctx context.Context, start int, found []*cutpoints.Block) ([]Way, error) {
	l := lv.h.P.L
	x := wp.NewExec(l, true)
	x.Run(lv.startCmds(start))
	x.Assume(lv.move.StateFacts(start, lv.keep))
	ends, err := lv.search(ctx, lv.Thread.Locs[start], x, found)
	if err != nil {
		return nil, err
	}
	var ways []Way
	for _, e := range ends {
		ways = append(ways, Way{l.And(append(e.lits, l.Eq(lv.Thread.PC, l.Int(int64(start))))...), e.plan})
	}
	return ways, nil
}

// ending is a way in which a path goes on to a target: from every state in which
// the literals hold, the steps in plan lead on to the violation or to β.
type ending struct {
	lits []*logic.Term
	plan []*cutpoints.Block
}

// endings returns the trace's ending after env_move k and, if this is to guide the
// question, others: other paths from there, of the main thread alone. If the
// environment cannot make one of them possible, it perhaps can another.
func (lv *Level) endings(ctx context.Context, tr *trace, s *solved, k int) ([]ending, error) {
	own := ending{lv.pre(tr, s, k+1), slices.Concat(blocks(tr.items[k+1:]), tr.target.Plan)}
	if lv.h.Options.NoGuide {
		return []ending{own}, nil
	}
	loc := tr.items[k].loc
	x := lv.run(&trace{items: tr.items[:k+1], target: &Target{Cond: lv.h.P.L.True()}, endLoc: loc}).exec
	more, err := lv.search(ctx, lv.Thread.Locs[loc], x, own.plan)
	return append([]ending{own}, more...), err
}

// anyOf returns the disjunction of the endings, what they have in common apart.
func (lv *Level) anyOf(ends []ending) *logic.Term {
	l := lv.h.P.L
	var common []*logic.Term
	for _, lit := range ends[0].lits {
		if !slices.ContainsFunc(ends[1:], func(e ending) bool { return !slices.Contains(e.lits, lit) }) {
			common = append(common, lit)
		}
	}
	var rest []*logic.Term
	for _, e := range ends {
		own := slices.DeleteFunc(slices.Clone(e.lits), func(lit *logic.Term) bool { return slices.Contains(common, lit) })
		rest = append(rest, l.And(own...))
	}
	return l.And(append(common, l.Or(rest...))...)
}

// Bounds of a search for endings.
const (
	maxEndings      = 16
	maxEndingChecks = 64
	maxEndingBlocks = 2000
)

// search returns endings along the paths of the main thread alone from a location,
// from the states at the end of an execution. It goes through no location twice,
// through no path that none of the states allows, not along found, and gives up
// beyond some bounds.
func (lv *Level) search(ctx context.Context, from *ir.Loc, x *wp.Exec, found []*cutpoints.Block) ([]ending, error) {
	if !lv.branches(from) {
		return nil, nil
	}
	defer lv.h.timings.Start(timing.WP)()
	w := &search{lv: lv, start: x, found: found, on: map[*ir.Loc]bool{}}
	lv.h.solver.Push()
	defer lv.h.solver.Pop()
	lv.h.solver.Assert(x.Cond...)
	lv.assertRanges()
	err := w.visit(ctx, from, x, nil)
	return w.ends, err
}

// branches reports whether the main thread has a choice somewhere after from.
func (lv *Level) branches(from *ir.Loc) bool {
	seen := map[*ir.Loc]bool{from: true}
	for work := []*ir.Loc{from}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		next := 0
		for _, b := range lv.graph.Out[n] {
			if lv.dead(b) {
				continue
			}
			next++
			if !seen[b.To] {
				seen[b.To] = true
				work = append(work, b.To)
			}
		}
		if next > 1 {
			return true
		}
	}
	return false
}

// dead reports whether the program does not have the block: in query mode, the main
// thread's own errors are not the question.
func (lv *Level) dead(b *cutpoints.Block) bool { return b.To.Error && lv.query != nil }

// search goes through the paths of a level's main thread.
type search struct {
	lv     *Level
	start  *wp.Exec
	found  []*cutpoints.Block
	on     map[*ir.Loc]bool // on the current path
	ends   []ending
	checks int
	blocks int
}

func (w *search) done() bool {
	return len(w.ends) >= maxEndings || w.checks >= maxEndingChecks || w.blocks >= maxEndingBlocks
}

// sat decides the path so far together with fs; what cannot be told is no path.
func (w *search) sat(ctx context.Context, fs ...*logic.Term) (*smt.Model, error) {
	w.checks++
	st, m, err := w.lv.h.solver.Check(ctx, fs...)
	if ctx.Err() != nil {
		return nil, solverError(ctx, err)
	}
	if st != z3.Sat {
		return nil, nil
	}
	return m, nil
}

// visit goes on from a location, with the path's conditions asserted.
func (w *search) visit(ctx context.Context, n *ir.Loc, x *wp.Exec, path []*cutpoints.Block) error {
	lv, solver := w.lv, w.lv.h.solver
	for _, t := range w.targets(n, path) {
		cond := x.Value(lv.at(t.Cond, n.Index))
		if cond.IsFalse() || w.done() {
			continue
		}
		m, err := w.sat(ctx, cond)
		if err != nil {
			return err
		}
		if m == nil {
			continue
		}
		w.add(x, path, n, t, m)
		solver.Assert(lv.h.P.L.Not(cond)) // the rest goes another way
		if m, err = w.sat(ctx); m == nil {
			return err
		}
	}
	if n.Error {
		return nil
	}
	w.on[n] = true
	defer delete(w.on, n)
	out := lv.graph.Out[n]
	for _, b := range out {
		if lv.dead(b) || w.on[b.To] || w.done() {
			continue
		}
		w.blocks++
		y := &wp.Exec{}
		*y = *x
		y.Env, y.Cond, y.Inputs = maps.Clone(x.Env), slices.Clip(x.Cond), slices.Clip(x.Inputs)
		y.Run(b.Cmds())
		if err := w.enter(ctx, b, y, len(x.Cond), append(slices.Clip(path), b), len(out) > 1 && !b.To.Error); err != nil {
			return err
		}
	}
	return nil
}

// targets returns what a path may end in at a location.
func (w *search) targets(n *ir.Loc, path []*cutpoints.Block) []*Target {
	lv := w.lv
	var ts []*Target
	switch {
	case n.Error:
		return []*Target{{Cond: lv.h.P.L.True()}}
	case !lv.graph.Cut[n.Index]:
		return nil
	case lv.goal != nil:
		ts = append(ts, lv.goal)
	}
	if len(path) > 0 { // else the states are those that passed the promises here
		ts = append(ts, lv.promises[n.Index]...)
	}
	return ts
}

// enter goes through a block, run already, that added conditions from number old.
func (w *search) enter(ctx context.Context, b *cutpoints.Block, y *wp.Exec, old int, path []*cutpoints.Block, choice bool) error {
	solver := w.lv.h.solver
	solver.Push()
	defer solver.Pop()
	solver.Assert(y.Cond[old:]...)
	if choice {
		if m, err := w.sat(ctx); m == nil {
			return err
		}
	}
	return w.visit(ctx, b.To, y, path)
}

// add keeps the ending along a path to a target, for the model's choices.
func (w *search) add(x *wp.Exec, path []*cutpoints.Block, end *ir.Loc, t *Target, m *smt.Model) {
	plan := slices.Concat(path, t.Plan)
	if slices.Equal(plan, w.found) {
		return
	}
	lv, l := w.lv, w.lv.h.P.L
	var cmds []ir.Cmd
	for _, b := range path {
		cmds = append(cmds, b.Cmds()...)
	}
	f, inputs := wp.Pre(l, cmds, lv.at(t.Cond, end.Index))
	values := map[*logic.Term]logic.Value{}
	elim := make([]*logic.Term, len(inputs))
	for i, in := range inputs {
		elim[i] = in.Sym
		values[in.Sym] = m.Value(x.Inputs[len(w.start.Inputs)+i].Sym)
	}
	model := func(sym *logic.Term) logic.Value {
		if v, ok := values[sym]; ok {
			return v
		}
		return m.Eval(w.start.Value(sym))
	}
	defer lv.h.timings.Start(timing.Projection)()
	w.ends = append(w.ends, ending{lv.dropTrivial(wp.Project(l, f, elim, model)), plan})
}

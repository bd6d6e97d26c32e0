package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/seqmc"
	"comus/wp"
	"comus/z3"
)

// trace is a violating path of a level's program: its edges' origins, and the
// target that its last state satisfies.
type trace struct {
	items  []origin
	target *Target // a violated assertion of the program has Cond true
	endLoc int     // the location of the last state
}

// errSpurious means that a path is not feasible though nothing was refuted on
// it: the sequential checker approximated the arithmetic.
var errSpurious = errors.New("the path is not feasible")

// trace reads a path of the program.
func (lv *Level) trace(path []*seqmc.Edge) (*trace, error) {
	tr := &trace{endLoc: lv.Thread.Entry.Index}
	for _, e := range path {
		o, ok := lv.origins[e]
		if !ok {
			return nil, fmt.Errorf("%w: the checker's path has an edge of no known origin", ErrUnknown)
		}
		switch o.kind {
		case fromTarget:
			tr.target = o.target
			continue
		case fromBlock:
			tr.endLoc = o.block.To.Index
		case fromMove, fromCallers, fromActivate:
			tr.endLoc = o.loc
		}
		tr.items = append(tr.items, o)
	}
	if tr.target == nil {
		tr.target = &Target{Cond: lv.h.P.L.True()}
	}
	return tr, nil
}

// cut returns the trace up to item k (exclusive), which is at a location, with a
// new target.
func (tr *trace) cut(k int, target *Target) *trace {
	return &trace{items: tr.items[:k], target: target, endLoc: tr.items[k].loc}
}

// activation returns the index of the first item after the query's start; 0 in
// normal mode.
func (tr *trace) activation() int {
	for i, o := range tr.items {
		if o.kind == fromActivate {
			return i + 1
		}
	}
	return 0
}

// solved is a trace's feasibility: its symbolic execution and a model.
type solved struct {
	exec  *wp.Exec
	model map[*logic.Term]logic.Value
	// envs has the values at the beginning of each item, and at the end.
	envs []map[*logic.Term]*logic.Term
	// inputs has how many inputs were chosen at the beginning of each item.
	inputs []int
	// still tells for each env_move whether it changes nothing in the model.
	still map[int]bool
}

// value returns the value a term has in the model.
func (s *solved) value(t *logic.Term) logic.Value {
	return logic.Eval(t, func(v *logic.Term) logic.Value { return s.model[v] })
}

// at returns the state at the beginning of item k as a model over program
// variables.
func (s *solved) at(k int) wp.Model {
	return func(sym *logic.Term) logic.Value {
		if t, ok := s.envs[k][sym]; ok {
			return s.value(t)
		}
		return s.model[sym]
	}
}

// run executes a trace symbolically, with the env_moves as they are now.
func (lv *Level) run(tr *trace) *solved {
	defer lv.h.timings.Start(timing.WP)()
	s := &solved{exec: wp.NewExec(lv.h.P.L, true), still: map[int]bool{}}
	x := s.exec
	x.Cond = append(x.Cond, lv.init())
	mark := func() {
		env := make(map[*logic.Term]*logic.Term, len(x.Env))
		for k, v := range x.Env {
			env[k] = v
		}
		s.envs = append(s.envs, env)
		s.inputs = append(s.inputs, len(x.Inputs))
	}
	for _, o := range tr.items {
		mark()
		switch o.kind {
		case fromBlock:
			x.Run(o.block.Cmds())
		case fromMove:
			x.Run(lv.moveCmds(o.loc))
		case fromCallers:
			x.Run(lv.callerCmds(o.loc))
		case fromActivate:
			x.Run(lv.startCmds(o.loc))
		}
	}
	mark()
	x.Assume(lv.at(tr.target.Cond, tr.endLoc))
	return s
}

// solve decides whether the trace is feasible with the env_moves as they are
// now, and if so finds a model in which as few of them as possible, the last
// first, change anything. It returns nil if the trace is infeasible.
func (lv *Level) solve(ctx context.Context, tr *trace) (*solved, error) {
	h := lv.h
	s := lv.run(tr)
	h.solver.Push()
	defer h.solver.Pop()
	h.solver.Assert(s.exec.Cond...)
	lv.assertRanges()
	st, m, err := h.solver.Check(ctx)
	if st == z3.Unknown {
		return nil, solverError(ctx, err)
	}
	if st == z3.Unsat {
		return nil, nil
	}
	first := tr.activation()
	for k := len(tr.items) - 1; k >= first; k-- {
		if tr.items[k].kind != fromMove {
			continue
		}
		same := lv.unchanged(s, k)
		if m.Holds(same) {
			h.solver.Assert(same)
			s.still[k] = true
			continue
		}
		st, m2, err := h.solver.Check(ctx, same)
		if st == z3.Unknown {
			return nil, solverError(ctx, err)
		}
		if st == z3.Sat {
			m = m2
			h.solver.Assert(same)
			s.still[k] = true
		}
	}
	s.model = map[*logic.Term]logic.Value{}
	for _, v := range logic.FreeVars(append(s.exec.Cond, s.lastValues()...)...) {
		s.model[v] = m.Value(v)
	}
	return s, nil
}

// assertRanges asserts that the tracked variables have values of their types.
func (lv *Level) assertRanges() {
	for _, v := range lv.h.P.Vars { // in a fixed order, so that runs can be repeated
		if lv.tracked[v] {
			lv.h.solver.Assert(lv.h.P.InRange(v))
		}
	}
}

func (s *solved) lastValues() []*logic.Term {
	var ts []*logic.Term
	for _, env := range s.envs {
		for _, t := range env {
			ts = append(ts, t)
		}
	}
	return ts
}

// unchanged returns the condition that env_move k leaves all as it is.
func (lv *Level) unchanged(s *solved, k int) *logic.Term {
	l := lv.h.P.L
	var same []*logic.Term
	for _, v := range lv.havocked() {
		before, ok := s.envs[k][v.Sym]
		if !ok {
			before = v.Sym
		}
		same = append(same, l.Eq(s.envs[k+1][v.Sym], before))
	}
	return l.And(same...)
}

func solverError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: the solver could not decide a path: %v", ErrUnknown, err)
}

// outcome is what the analysis of a violating path came to.
type outcome struct {
	// real: the violation needs no env_move. In query mode ways lead from the
	// query's start to β; in normal mode blocks is the whole execution up to the
	// violation.
	real   bool
	ways   []Way
	blocks []*cutpoints.Block
	// Otherwise the path was refuted, or promises were added.
}

// analyze questions a violating path until it is real, refuted by refinements of
// env_move, or cut short to a promise of error that the next sequential check
// will meet. This is one or more iterations of Algorithm 1 of the CoMuS paper on
// paths of which each is a prefix of the one before.
func (lv *Level) analyze(ctx context.Context, path []*seqmc.Edge) (*outcome, error) {
	tr, err := lv.trace(path)
	if err != nil {
		return nil, err
	}
	lv.movers = lv.move.Env // questions and promises may be about any of its threads
	progress := false
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := lv.solve(ctx, tr)
		if err != nil {
			return nil, err
		}
		if s == nil {
			if !progress {
				return nil, errSpurious
			}
			return &outcome{}, nil
		}
		k := lv.lastMove(tr, s)
		if k < 0 {
			return lv.realViolation(ctx, tr, s)
		}
		tr, err = lv.question(ctx, tr, s, k)
		if err != nil {
			return nil, err
		}
		progress = true
		if lv.h.Options.NoBatch {
			return &outcome{}, nil
		}
	}
}

// lastMove returns the index of the last env_move after the start that changes
// something, or -1.
func (lv *Level) lastMove(tr *trace, s *solved) int {
	for k := len(tr.items) - 1; k >= tr.activation(); k-- {
		if tr.items[k].kind == fromMove && !s.still[k] {
			return k
		}
	}
	return -1
}

// blocks returns the main thread's blocks in a part of the trace.
func blocks(items []origin) []*cutpoints.Block {
	var bs []*cutpoints.Block
	for _, o := range items {
		if o.kind == fromBlock {
			bs = append(bs, o.block)
		}
	}
	return bs
}

// realViolation builds the outcome of a path without env_moves after the start.
func (lv *Level) realViolation(ctx context.Context, tr *trace, s *solved) (*outcome, error) {
	first := tr.activation()
	own := slices.Concat(blocks(tr.items[first:]), tr.target.Plan)
	if lv.query == nil {
		return &outcome{real: true, blocks: own}, nil
	}
	l := lv.h.P.L
	start := tr.items[first-1].loc
	lits := lv.pre(tr, s, first)
	ways := []Way{{Psi: l.And(append(lits, l.Eq(lv.Thread.PC, l.Int(int64(start))))...), Plan: own}}
	if !lv.h.Options.NoMultiPath {
		lv.promiseSuffixes(tr, s)
		more, err := lv.otherWays(ctx, start, own)
		if err != nil {
			return nil, err
		}
		ways = append(ways, more...)
	}
	return &outcome{real: true, ways: ways}, nil
}

// pre returns a cube that is a precondition, at the beginning of item k, of the
// trace's target along the main thread's blocks from there; it holds in the
// model.
func (lv *Level) pre(tr *trace, s *solved, k int) []*logic.Term {
	defer lv.h.timings.Start(timing.WP)()
	l := lv.h.P.L
	var cmds []ir.Cmd
	var values []*logic.Term // of the inputs, in order
	for i := k; i < len(tr.items); i++ {
		if tr.items[i].kind != fromBlock {
			continue
		}
		cmds = append(cmds, tr.items[i].block.Cmds()...)
		for _, in := range s.exec.Inputs[s.inputs[i]:s.inputs[i+1]] {
			values = append(values, in.Sym)
		}
	}
	f, inputs := wp.Pre(l, cmds, lv.at(tr.target.Cond, tr.endLoc))
	at := s.at(k)
	value := map[*logic.Term]logic.Value{}
	elim := make([]*logic.Term, len(inputs))
	for i, in := range inputs {
		elim[i] = in.Sym
		value[in.Sym] = s.model[values[i]]
	}
	model := func(sym *logic.Term) logic.Value {
		if v, ok := value[sym]; ok {
			return v
		}
		return at(sym)
	}
	defer lv.h.timings.Start(timing.Projection)()
	return lv.dropTrivial(wp.Project(l, f, elim, model))
}

// dropTrivial removes literals that say no more than the range of a type.
func (lv *Level) dropTrivial(lits []*logic.Term) []*logic.Term {
	l := lv.h.P.L
	var out []*logic.Term
	for _, lit := range lits {
		if lit.Op() == logic.OpLe {
			if v := lv.h.tab[onlyVar(lit)]; v != nil {
				lo, hi := v.Type.Range()
				if lit == l.Le(v.Sym, l.Value(hi)) || lit == l.Le(l.Value(lo), v.Sym) {
					continue
				}
			}
		}
		out = append(out, lit)
	}
	return out
}

func onlyVar(t *logic.Term) *logic.Term {
	if vs := logic.FreeVars(t); len(vs) == 1 {
		return vs[0]
	}
	return nil
}

// question asks the environment whether it can make env_move k of the trace. It
// refines env_move or adds promises, and returns the trace to go on with.
func (lv *Level) question(ctx context.Context, tr *trace, s *solved, k int) (*trace, error) {
	h := lv.h
	ends, err := lv.endings(ctx, tr, s, k)
	if err != nil {
		return nil, err
	}
	post := lv.newPost(tr, k)
	q, promises, err := post.ask(ctx, ends)
	if err != nil {
		return nil, err
	}
	if promises != nil {
		return lv.promise(tr, k, promises), nil
	}
	for {
		ans, err := h.ReachEnv(ctx, lv.Index, q)
		if err != nil {
			return nil, err
		}
		if ans.Ways == nil {
			lv.learn(ans.Refined.Alpha, ans.Refined.Beta)
			return tr, nil // the same trace may still be feasible
		}
		h.cache.remember(h, q.Beta, ans.Ways)
		promises, err := post.promises(ctx, ans.Ways, ends)
		if err != nil {
			return nil, err
		}
		if len(promises) > 0 {
			return lv.promise(tr, k, promises), nil
		}
		// ψ meets α, but none of the path's states, of which α is an
		// over-approximation: ask again about exactly those.
		if q.Exact != nil {
			return nil, fmt.Errorf("%w: no progress on a path", ErrUnknown)
		}
		q = post.exact(q)
	}
}

// promise adds promises of error before env_move k of the trace, and returns the
// trace that ends with the first of them.
func (lv *Level) promise(tr *trace, k int, ts []*Target) *trace {
	for _, t := range ts {
		lv.learn(t.Cond)
		lv.addPromise(tr.items[k].loc, t)
	}
	return tr.cut(k, ts[0])
}

// addPromise adds a promise of error at a location.
func (lv *Level) addPromise(loc int, t *Target) {
	lv.promises[loc] = append(lv.promises[loc], t)
	lv.h.Stats.Promises++
}

// learn tracks the variables of new knowledge from now on. A caller's variable
// is tracked only if the query mentions it: it is constant for env_move, so a
// refinement over it can be left out.
func (lv *Level) learn(fs ...*logic.Term) {
	for _, s := range logic.FreeVars(fs...) {
		if v := lv.h.tab[s]; v != nil && !lv.isCallers(v) {
			lv.tracked[v] = true
		}
	}
}

// callerCmds returns the callers' havoc at a location.
func (lv *Level) callerCmds(loc int) []ir.Cmd {
	var cmds []ir.Cmd
	for _, v := range lv.h.P.Vars {
		if lv.tracked[v] && v.Thread == ir.Shared && lv.callersWrite(v) {
			cmds = append(cmds, ir.HavocCmd(v, ""))
		}
	}
	if len(cmds) == 0 {
		return nil
	}
	return append(cmds, ir.AssumeCmd(lv.move.StateFacts(loc, lv.keep)))
}

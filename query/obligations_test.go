package query

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/envmove"
	"comus/envmove/locpairs"
	"comus/internal/concrete"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/seqmc/spacer"
	"comus/z3"
)

// observer sees a run of the modular algorithm.
type observer struct {
	event func(*Hierarchy, Event)
	after func(*Hierarchy)
}

// TestSoundnessObligations runs the modular algorithm on random programs, with and
// without seeds, once for each thread with assertions as main, and holds what it
// does against what its soundness rests on.
func TestSoundnessObligations(t *testing.T) {
	programs := uint64(long.N(40, 2))
	over, pre, progress := newOverApproximation(t), newPreconditions(t), newProgress(t)
	observers := []observer{over.observer(), pre.observer(), progress.observer()}
	for seed := range programs {
		src := randprog.Generate(seed, randprog.Options{})
		res, err := csource.Parse("random.c", []byte(src), csource.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		p := res.Program
		p.Renumber()
		runHierarchies(t, p, seed%2 == 0, observers)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s", seed, src, p)
		}
	}
	t.Logf("obligation 1: %d moves, %d refinements", over.moves, over.refined)
	t.Logf("obligations 2, 3: %d answers, %d states; %d of promises", pre.answers, pre.tried, pre.promises)
	t.Logf("obligation 4: %d iterations", progress.steps)
	if !testing.Short() && (over.moves < 1000 || over.refined < 20 || pre.answers < 20 || pre.tried < 200 || pre.promises < 100 || progress.steps < 10) {
		t.Error("too little was tested")
	}
}

// maxChecks is the number of sequential checks after which a run is stopped.
const maxChecks = 40

func runHierarchies(t *testing.T, p *ir.Program, seeded bool, observers []observer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	var facts *locpairs.Facts
	if seeded {
		f, err := locpairs.Analyze(ctx, p, graphs, locpairs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f.Simplify()
		facts = f
	}
	for main, th := range p.Threads {
		if !th.HasErrors() {
			continue
		}
		order := []int{main}
		for i := range p.Threads {
			if i != main {
				order = append(order, i)
			}
		}
		h, err := New(p, graphs, facts, order, &spacer.Checker{}, hclog.NewNullLogger())
		if err != nil {
			t.Fatal(err)
		}
		bounded, stop := context.WithCancel(ctx)
		h.Observe = func(e Event) {
			if e.Stats.Checks >= maxChecks { // not a time, so that a busy machine tests as much
				stop()
			}
			for _, o := range observers {
				o.event(h, e)
			}
		}
		_, _, err = h.Main(bounded)
		if err != nil && !errors.Is(err, ErrUnknown) && bounded.Err() == nil {
			t.Error(err)
		}
		stop()
		for _, o := range observers {
			o.after(h)
		}
		h.Close()
	}
}

// atCuts reports whether every thread is at a cut-point.
func atCuts(h *Hierarchy, s *interp.State) bool {
	for i, l := range s.Locs {
		if !h.Graphs[i].Cut[l.Index] {
			return false
		}
	}
	return true
}

// reachable returns the reachable states in which all threads are at cut-points.
func reachable(t *testing.T, h *Hierarchy, limit int) ([]*interp.State, bool) {
	var start []*interp.State
	if err := concrete.Initial(h.P, func(s *interp.State) { start = append(start, s) }); err != nil {
		t.Fatal(err)
	}
	all, ok := concrete.Closure(start, limit, func(s *interp.State) []*interp.State {
		var out []*interp.State
		if s.AtError() != nil {
			return nil
		}
		for _, e := range interp.Enabled(h.P, s) {
			out = append(out, concrete.Step(h.P, s, e)...)
		}
		return out
	})
	var cut []*interp.State
	for _, s := range all {
		if s.AtError() == nil && atCuts(h, s) {
			cut = append(cut, s)
		}
	}
	return cut, ok
}

// overApproximation is obligation 1: after a run, with all its refinements,
// env_move of each level contains every computation of the environment from every
// reachable state.
type overApproximation struct {
	t              *testing.T
	moves, refined int
}

func newOverApproximation(t *testing.T) *overApproximation { return &overApproximation{t: t} }

func (o *overApproximation) observer() observer {
	return observer{func(*Hierarchy, Event) {}, o.after}
}

func (o *overApproximation) after(h *Hierarchy) {
	states, ok := reachable(o.t, h, 4000)
	if !ok {
		return
	}
	all := func(*ir.Var) bool { return true }
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
	for level, m := range h.Moves[:len(h.Moves)-1] {
		o.refined += len(m.Refinements)
		for _, s := range states[:min(30, len(states))] {
			rel := m.Relation(s.Locs[h.Order[level]].Index, all)
			for _, s2 := range environmentMoves(h, m, s) {
				o.moves++
				if !logic.Eval(rel, moveEnv(h.P, s, s2)).Bool() {
					o.t.Errorf("level %d, main thread at %v: env_move lacks a move\nfrom %s\nto   %s", level+1, s.Locs[h.Order[level]], concrete.Key(s), concrete.Key(s2))
					return
				}
			}
		}
	}
}

// environmentMoves returns the states that the environment can move to from s.
func environmentMoves(h *Hierarchy, m *envmove.EnvMove, s *interp.State) []*interp.State {
	all, ok := concrete.Closure([]*interp.State{s}, 400, func(s *interp.State) []*interp.State {
		var out []*interp.State
		for _, j := range m.Env {
			if !s.MayRun(j) {
				continue
			}
			for _, e := range s.Locs[j].Out {
				if !e.To.Error {
					out = append(out, concrete.Step(h.P, s, e)...)
				}
			}
		}
		return out
	})
	if !ok {
		return nil
	}
	var out []*interp.State
	for _, s2 := range all {
		if atCuts(h, s2) {
			out = append(out, s2)
		}
	}
	return out
}

// moveEnv assigns old: names the values of one state and the others those of
// the next.
func moveEnv(p *ir.Program, before, after *interp.State) func(*logic.Term) logic.Value {
	old, now := concrete.Env(p, before), concrete.Env(p, after)
	origin := map[*logic.Term]*logic.Term{}
	for _, v := range p.Vars {
		origin[envmove.Old(p.L, v.Sym)] = v.Sym
	}
	for _, t := range p.Threads {
		origin[envmove.Old(p.L, t.PC)] = t.PC
	}
	return func(s *logic.Term) logic.Value {
		if o := origin[s]; o != nil {
			return old(o)
		}
		return now(s)
	}
}

// preconditions is obligations 2 and 3: from every state of an answer ψ the
// environment's plan leads to β, and ψ meets α; and from every state of a promise of
// error, its plan leads to the violation or to the goal. With seeds, states that
// break the facts do not count: commands were simplified with those.
type preconditions struct {
	t              *testing.T
	r              *rand.Rand
	states         map[*Hierarchy][]*interp.State
	promised       map[*Target]bool // those tested already
	answers, tried int
	promises       int // states of promises
}

func newPreconditions(t *testing.T) *preconditions {
	return &preconditions{t: t, r: rand.New(rand.NewPCG(2, 2)), states: map[*Hierarchy][]*interp.State{}, promised: map[*Target]bool{}}
}

func (o *preconditions) observer() observer {
	return observer{o.event, func(h *Hierarchy) { delete(o.states, h) }}
}

func (o *preconditions) event(h *Hierarchy, e Event) {
	if e.Kind == Checking {
		o.testPromises(h, e.Program)
		return
	}
	if e.Answer.IsFalse() {
		return
	}
	o.answers++
	st, _, err := h.solver.Check(context.Background(), e.Alpha, e.Answer)
	if st == z3.Unsat || err != nil {
		o.t.Errorf("level %d: α and ψ do not meet: %v\nα %s\nψ %s", e.Level, err, e.Alpha, e.Answer)
	}
	for _, w := range append([]Way{{e.Answer, e.Plan}}, e.More...) {
		o.tried += o.test(h, w.Psi, -1, func(s *interp.State) bool {
			if leadsTo(h.P, s, w.Plan, e.Beta) {
				return true
			}
			o.t.Errorf("level %d: ψ %s does not lead to β %s from %s", e.Level, w.Psi, e.Beta, concrete.Key(s))
			return false
		})
	}
}

// testPromises tests the promises of a level's program that are new.
func (o *preconditions) testPromises(h *Hierarchy, lv *Level) {
	for loc, ts := range lv.promises {
		for _, t := range ts {
			if o.promised[t] {
				continue
			}
			o.promised[t] = true
			o.promises += o.test(h, lv.at(t.Cond, loc), loc, func(s *interp.State) bool {
				if lv.goal != nil && leadsTo(h.P, s, t.Plan, lv.goal.Cond) || lv.goal == nil && fails(h.P, s, t.Plan) {
					return true
				}
				o.t.Errorf("level %d: the promise %s at %d is not kept from %s", lv.Index+1, t.Cond, loc, concrete.Key(s))
				return false
			}, lv.Thread.Index)
		}
	}
}

// test calls f with perturbed states that satisfy psi, in which the given threads
// are at the location, until one fails; it returns how many there were.
func (o *preconditions) test(h *Hierarchy, psi *logic.Term, loc int, f func(*interp.State) bool, at ...int) int {
	if _, ok := o.states[h]; !ok {
		o.states[h], _ = reachable(o.t, h, 3000)
	}
	n := 0
	for range 200 {
		if len(o.states[h]) == 0 {
			return n
		}
		s := perturb(h.P, o.r, o.states[h][o.r.IntN(len(o.states[h]))])
		env := concrete.Env(h.P, s)
		if !logic.Eval(psi, env).Bool() || h.Facts != nil && !logic.Eval(h.Facts.Invariant(), env).Bool() {
			continue
		}
		if slices.ContainsFunc(at, func(t int) bool { return s.Locs[t].Index != loc }) {
			continue
		}
		n++
		if !f(s) {
			return n
		}
	}
	return n
}

// perturb changes some values of a state at random, so that it need not be
// reachable any more.
func perturb(p *ir.Program, r *rand.Rand, s *interp.State) *interp.State {
	out := &interp.State{Locs: s.Locs, Vals: append([]logic.Value(nil), s.Vals...)}
	for i, v := range p.Vars {
		if r.IntN(4) != 0 {
			continue
		}
		if x := logic.IntValue(int64(r.IntN(4))); v.Type.Contains(x) {
			out.Vals[i] = x
		}
	}
	return out
}

// leadsTo reports whether the blocks can be run from s, for some inputs, so that
// beta holds.
func leadsTo(p *ir.Program, s *interp.State, plan []*cutpoints.Block, beta *logic.Term) bool {
	return slices.ContainsFunc(concrete.Run(p, s, edges(plan)), func(end *interp.State) bool {
		return logic.Eval(beta, concrete.Env(p, end)).Bool()
	})
}

// fails reports whether the blocks can be run from s, for some inputs, to a
// violation.
func fails(p *ir.Program, s *interp.State, plan []*cutpoints.Block) bool {
	return slices.ContainsFunc(concrete.Run(p, s, edges(plan)), func(end *interp.State) bool { return end.AtError() != nil })
}

func edges(plan []*cutpoints.Block) []*ir.Edge {
	var es []*ir.Edge
	for _, b := range plan {
		es = append(es, b.Edges...)
	}
	return es
}

// progress is obligation 4: between two sequential checks of the main loop either
// env_move has lost a pair of states or a promise was added, and what env_move
// loses includes the pair that was asked about.
type progress struct {
	t     *testing.T
	last  map[*Hierarchy][2]int
	steps int
}

func newProgress(t *testing.T) *progress { return &progress{t: t, last: map[*Hierarchy][2]int{}} }

func (o *progress) observer() observer {
	return observer{o.event, func(h *Hierarchy) { delete(o.last, h) }}
}

func (o *progress) event(h *Hierarchy, e Event) {
	switch {
	case e.Kind == Answered && e.Refined != nil:
		o.covers(h, e)
	case e.Kind == Checking && e.Query == nil:
		now := [2]int{e.Stats.Refinements, e.Stats.Promises}
		if prev, ok := o.last[h]; ok {
			o.steps++
			if now == prev {
				o.t.Errorf("iteration %d brought neither a refinement nor a promise", e.Stats.Iterations)
			}
		}
		o.last[h] = now
	}
}

// covers checks that a refinement is there and at least about the pair asked.
func (o *progress) covers(h *Hierarchy, e Event) {
	l := h.P.L
	if !slices.Contains(h.Moves[e.Level-1].Refinements, e.Refined.Refinement) {
		o.t.Errorf("level %d: env_move does not have the refinement", e.Level)
	}
	alpha := append([]*logic.Term{}, e.Query.Alpha...)
	if e.Query.Exact != nil {
		alpha = append(alpha, e.Query.Exact)
	}
	for _, side := range [][2]*logic.Term{{l.And(alpha...), e.Refined.Alpha}, {e.Beta, e.Refined.Beta}} {
		if st, _, _ := h.solver.Check(context.Background(), side[0], l.Not(side[1])); st == z3.Sat {
			o.t.Errorf("level %d: the refinement does not cover the query: %s does not imply %s", e.Level, side[0], side[1])
		}
	}
}

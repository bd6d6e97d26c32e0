package query

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/cutpoints"
	"comus/envmove"
	"comus/envmove/locpairs"
	"comus/internal/concrete"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/seqmc/spacer"
	"comus/z3"
)

// The soundness obligations of design.md, section 3, each tested against what
// small random programs really do.

// forRandomPrograms runs the modular algorithm on random programs, with and
// without seeds, once for each thread with assertions as main.
func forRandomPrograms(t *testing.T, n int, observe func(*Hierarchy, Event), after func(*Hierarchy)) {
	t.Helper()
	for seed := range uint64(n) {
		src := randprog.Generate(seed, randprog.Options{})
		res, err := cfront.Parse("random.c", []byte(src), cfront.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		p := res.Program
		p.Renumber()
		runHierarchies(t, p, seed%2 == 0, observe, after)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s", seed, src, p)
		}
	}
}

func runHierarchies(t *testing.T, p *ir.Program, seeded bool, observe func(*Hierarchy, Event), after func(*Hierarchy)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	var facts *locpairs.Facts
	if seeded {
		f, err := locpairs.Analyze(ctx, p, graphs)
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
		h.Observe = func(e Event) { observe(h, e) }
		_, _, err = h.Main(ctx)
		if err != nil && !errors.Is(err, ErrUnknown) && ctx.Err() == nil {
			t.Error(err)
		}
		if after != nil {
			after(h)
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

// TestEnvMoveOverApproximates is obligation 1: after a run, with all its
// refinements, env_move of each level contains every computation of the
// environment from every reachable state.
func TestEnvMoveOverApproximates(t *testing.T) {
	moves, refined := 0, 0
	all := func(*ir.Var) bool { return true }
	forRandomPrograms(t, 60, func(*Hierarchy, Event) {}, func(h *Hierarchy) {
		states, ok := reachable(t, h, 4000)
		if !ok {
			return
		}
		r := rand.New(rand.NewPCG(1, 1))
		r.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
		for level, m := range h.Moves[:len(h.Moves)-1] {
			refined += len(m.Refinements)
			for _, s := range states[:min(40, len(states))] {
				rel := m.Relation(s.Locs[h.Order[level]].Index, all)
				for _, s2 := range environmentMoves(h, m, s) {
					moves++
					if !logic.Eval(rel, moveEnv(h.P, s, s2)).Bool() {
						t.Errorf("level %d, main thread at %v: env_move lacks a move\nfrom %s\nto   %s", level+1, s.Locs[h.Order[level]], concrete.Key(s), concrete.Key(s2))
						return
					}
				}
			}
		}
	})
	if moves < 1000 || refined < 20 {
		t.Errorf("only %d moves and %d refinements were tested", moves, refined)
	}
	t.Logf("%d moves, %d refinements", moves, refined)
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

// TestAnswersArePreconditions is obligations 2 and 3: from every state of an
// answer ψ the environment's plan leads to β, and ψ meets α. With seeds, states
// that break the facts do not count: commands were simplified with those.
func TestAnswersArePreconditions(t *testing.T) {
	answers, tried := 0, 0
	r := rand.New(rand.NewPCG(2, 2))
	states := map[*Hierarchy][]*interp.State{}
	forRandomPrograms(t, 60, func(h *Hierarchy, e Event) {
		if e.Kind != Answered || e.Answer.IsFalse() {
			return
		}
		answers++
		st, _, err := h.solver.Check(context.Background(), e.Alpha, e.Answer)
		if st == z3.Unsat || err != nil {
			t.Errorf("level %d: α and ψ do not meet: %v\nα %s\nψ %s", e.Level, err, e.Alpha, e.Answer)
		}
		if _, ok := states[h]; !ok {
			states[h], _ = reachable(t, h, 3000)
		}
		for range 200 {
			if len(states[h]) == 0 {
				return
			}
			s := perturb(h.P, r, states[h][r.IntN(len(states[h]))])
			env := concrete.Env(h.P, s)
			if !logic.Eval(e.Answer, env).Bool() || h.Facts != nil && !logic.Eval(h.Facts.Invariant(), env).Bool() {
				continue
			}
			tried++
			if !leadsTo(h.P, s, e.Plan, e.Beta) {
				t.Errorf("level %d: ψ %s does not lead to β %s from %s", e.Level, e.Answer, e.Beta, concrete.Key(s))
				return
			}
		}
	}, func(h *Hierarchy) { delete(states, h) })
	if answers < 30 || tried < 300 {
		t.Errorf("only %d answers on %d states were tested", answers, tried)
	}
	t.Logf("%d answers, %d states", answers, tried)
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
	var edges []*ir.Edge
	for _, b := range plan {
		edges = append(edges, b.Edges...)
	}
	for _, end := range concrete.Run(p, s, edges) {
		if logic.Eval(beta, concrete.Env(p, end)).Bool() {
			return true
		}
	}
	return false
}

// TestProgress is obligation 4: between two sequential checks of the same loop
// either env_move has lost a pair of states or a promise was added.
func TestProgress(t *testing.T) {
	type mark struct{ refinements, promises int }
	last := map[*Hierarchy]mark{}
	steps := 0
	forRandomPrograms(t, 60, func(h *Hierarchy, e Event) {
		if e.Kind != Checking || e.Query != nil {
			return
		}
		now := mark{e.Stats.Refinements, e.Stats.Promises}
		if prev, ok := last[h]; ok {
			steps++
			if now == prev {
				t.Errorf("iteration %d brought neither a refinement nor a promise", e.Stats.Iterations)
			}
		}
		last[h] = now
	}, func(h *Hierarchy) { delete(last, h) })
	if steps < 10 {
		t.Errorf("only %d iterations were tested", steps)
	}
	t.Logf("%d iterations", steps)
}

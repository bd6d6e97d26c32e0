// Package query answers environment queries and analyses violating paths: the
// recursive heart of the modular algorithm (CoMuS paper, sections 4.3 and 5).
//
// The threads of a program are ordered t₁ … tₙ. Level i has main thread tᵢ and
// environment Eᵢ = {tᵢ₊₁ … tₙ}; the threads before tᵢ are its callers. A level
// asks about its environment with [Hierarchy.ReachEnv]: can Eᵢ move from a state
// in α to a state in β? The answer FALSE says that it cannot; otherwise a
// formula ψ is returned from every state of which Eᵢ can, together with the
// steps that do it.
//
// The question is put to level i+1 as a sequential program in query mode (see
// [Level]): before the query's start, tᵢ₊₁ runs interleaved with anything the
// callers may do and with env_moveᵢ₊₁, which gives an over-approximation of the
// reachable states; from the start on, in a state of α, only tᵢ₊₁ and
// env_moveᵢ₊₁ move, and reaching β is an error. A violating path that uses
// env_moveᵢ₊₁ after the start is questioned in the same way one level further
// down: the last call of env_move on the path is replaced by the question
// whether Eᵢ₊₁ can move from the states before it to those after it.
//
// A FALSE answer refines env_move, for good; an answer ψ becomes a promise of
// error, an assertion at an earlier location, for this query only.
//
// Several techniques keep the sequential checks few, and each can be switched off
// (see [Options]). A question is about all the paths on which the main thread can go
// on to the violation, not just the one found, and so is an answer about all the
// paths that lead to β; a promise is pushed back through the earlier env_moves of its
// path at once; plans of the environment that answered one question are tried on the
// next; a FALSE answer is generalised before env_move is refined.
package query

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/envmove"
	"comus/envmove/locpairs"
	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/seqmc"
)

// ErrUnknown is wrapped by every error that means "could not be decided":
// a backend without an answer, arithmetic beyond the solver, no progress.
var ErrUnknown = errors.New("not decided")

// Stats counts what a run did.
type Stats struct {
	Checks      int // sequential model checks
	Iterations  int // sequential checks of level 1 in normal mode
	Queries     int // environment queries that needed a sequential check
	Refinements int
	Promises    int
	// CacheHits counts the questions that a known plan of the environment
	// answered, and the candidate generalisations known to fail.
	CacheHits   int
	SolverCalls int
	Concretized int           // attempts to realise the main thread's path at once
	SeqTime     time.Duration // in sequential checks
	SolverTime  time.Duration // in plain solver calls
	// ConcretizeTime is the time in Hierarchy.Concretize.
	ConcretizeTime time.Duration
}

// Options change the algorithm, for experiments: each switches one technique off.
type Options struct {
	NoGeneralize bool // refine env_move with the pair asked, as it is
	NoProject    bool // ask with the caller's local variables left in
	// NoBatch goes back to the sequential checker after each answer, as
	// Algorithm 1 of the CoMuS paper does, instead of pushing a promise back
	// through all earlier env_moves of the path.
	NoBatch bool
	// NoMultiPath answers a query with the one path that the sequential checker
	// found, instead of all paths of the thread from the same start.
	NoMultiPath bool
	// NoCache asks every question anew, instead of trying the plans known to
	// lead to such states first, and tries every generalisation anew.
	NoCache bool
	// NoParallel runs one search at a time: candidate generalisations are checked
	// one after another, and a search that takes long gets no rivals.
	NoParallel bool
	// NoGuide asks about the one path on which the main thread goes on to the
	// violation, instead of all its paths from there.
	NoGuide bool
}

// EventKind tells what an [Event] reports.
type EventKind uint8

// The kinds of events.
const (
	Checking EventKind = iota // a sequential check of Program is about to run
	Answered                  // a query was answered
)

// Event is a piece of progress.
type Event struct {
	Kind    EventKind
	Level   int // from 1
	Stats   Stats
	Program *Level             // Checking
	Alpha   *logic.Term        // Answered
	Beta    *logic.Term        // Answered
	Answer  *logic.Term        // Answered: ψ, or false
	Plan    []*cutpoints.Block // Answered with ψ: the environment's steps to β
	More    []Way              // Answered with ψ: other ways to β
	Refined *Refinement        // Answered with false: what env_move learned
	Query   *QueryDetail       // nil in normal mode
}

// QueryDetail is the environment query that a level's program answers.
type QueryDetail struct {
	Alpha []*logic.Term // conjoined
	Beta  *logic.Term
	// Exact, if not nil, restricts α to the states that the caller's path ends
	// in: a formula over program variables and those in Hidden, which are
	// existentially quantified. Alpha alone is an over-approximation of it.
	Exact  *logic.Term
	Hidden []*ir.Var
}

// Refinement is a refinement of a level's env_move with its justification.
type Refinement struct {
	*envmove.Refinement
	// Proof is the proof that the query (Alpha, Beta) at the next level has no
	// violating path.
	Proof *Proof
}

// Proof is a set of inductive invariants of a level's program.
type Proof struct {
	// Invariants has a formula for each node that is no error: it holds whenever
	// the program is there. It is over the program's variables and the pcs of
	// the level's environment.
	Invariants map[Place]*logic.Term
	// Tracked has the variables that the program speaks about.
	Tracked map[*ir.Var]bool
}

// Phase tells which copy of a location a node of a level's program is.
type Phase uint8

// The phases of a level's program.
const (
	Normal     Phase = iota // normal mode, or query mode after the start: arrived
	Moved                   // the same, after env_move
	BeforeOnly              // query mode, before the start
)

// Place is a node of a level's program: a location in a phase.
type Place struct {
	Loc   int
	Phase Phase
}

// Hierarchy is a program with an order of its threads and what was learned
// about each level so far.
type Hierarchy struct {
	P      *ir.Program
	Graphs []*cutpoints.Graph
	Facts  *locpairs.Facts // nil: env_move starts as plain havoc
	// Order has the thread indexes t₁ … tₙ.
	Order []int
	// Moves has env_moveᵢ for each level, by level index from 0.
	Moves []*envmove.EnvMove
	// Refinements has each level's refinements with their proofs.
	Refinements [][]*Refinement
	Checker     seqmc.Checker
	// Precise is used where Checker's approximations led to an infeasible
	// path; nil for none.
	Precise seqmc.Checker
	Options Options
	Stats   Stats
	Log     hclog.Logger
	Observe func(Event) // may be nil
	// Concretize, if not nil, is asked once a sequential check of level 1 found
	// a violating path: can the other threads do what is needed so that the main
	// thread, given by its blocks, takes this path to the violation? It returns
	// the steps of all threads, or nil if it cannot tell.
	Concretize func(ctx context.Context, main []*cutpoints.Block) ([]*cutpoints.Block, error)

	timings *timing.Timings
	tab     ir.SymTable
	solver  *smt.Solver
	pcVars  []*ir.Var // a variable for each thread's pc
	oldVar  map[*ir.Var]*ir.Var
	number  int
	// promises has, by level and goal, the promises of error found so far.
	promises map[goalKey]map[int][]*Target
	cache    cache
}

// goalKey names the programs of a level that share their promises: those with
// the same goal.
type goalKey struct {
	level int
	beta  *logic.Term
}

// New returns a hierarchy without any knowledge beyond the seeds. Close frees it.
func New(p *ir.Program, graphs []*cutpoints.Graph, facts *locpairs.Facts, order []int, checker seqmc.Checker, log hclog.Logger) (*Hierarchy, error) {
	if err := p.Single(); err != nil {
		return nil, err
	}
	solver, err := smt.NewSolver(p.L)
	if err != nil {
		return nil, err
	}
	h := &Hierarchy{P: p, Graphs: graphs, Facts: facts, Order: order, Checker: checker, Log: log,
		tab: p.Symbols(), solver: solver, oldVar: map[*ir.Var]*ir.Var{}, promises: map[goalKey]map[int][]*Target{}, cache: newCache()}
	for i, t := range order {
		h.Moves = append(h.Moves, envmove.New(p, graphs, facts, t, order[i+1:]))
	}
	h.Refinements = make([][]*Refinement, len(order))
	for _, t := range p.Threads {
		h.pcVars = append(h.pcVars, &ir.Var{Name: t.PC.Name(), Sym: t.PC, Type: ir.Type{Bits: 31}, Thread: t.Index})
	}
	return h, nil
}

// Measure has the components measured from now on.
func (h *Hierarchy) Measure(t *timing.Timings) { h.timings, h.solver.Timings = t, t }

// Close frees the hierarchy's solver.
func (h *Hierarchy) Close() { h.solver.Close() }

// Snapshot returns the statistics so far, with those that Stats had at first.
func (h *Hierarchy) Snapshot() Stats {
	s := h.Stats
	s.SolverCalls += h.solver.Calls
	s.SolverTime += h.solver.Time
	return s
}

// old returns the variable that holds v's value before an env_move.
func (h *Hierarchy) old(v *ir.Var) *ir.Var {
	o := h.oldVar[v]
	if o == nil {
		sym := envmove.Old(h.P.L, v.Sym)
		o = &ir.Var{Name: sym.Name(), Sym: sym, Type: v.Type, Thread: v.Thread}
		h.oldVar[v] = o
	}
	return o
}

// check runs the sequential model checker on a level's program; precise asks for
// the one that leaves out no range.
func (h *Hierarchy) check(ctx context.Context, lv *Level, precise bool) (seqmc.Result, error) {
	h.announce(lv)
	checker := h.Checker
	if precise {
		checker = h.Precise
	}
	defer h.timings.Start(timing.Sequential)()
	start := time.Now()
	r, err := checker.Check(ctx, lv.Program)
	h.Stats.SeqTime += time.Since(start)
	if r.Verdict == seqmc.Unsafe && !lv.Program.Leads(r.Path) {
		r = seqmc.Result{Reason: checker.Name() + " says UNSAFE, and gives no path to an error"}
	}
	h.checked(lv, r, time.Since(start))
	return r, err
}

// announce counts and reports a sequential check that is about to run.
func (h *Hierarchy) announce(lv *Level) {
	h.Stats.Checks++
	if lv.query == nil {
		h.Stats.Iterations++
	}
	if h.Observe != nil {
		h.Observe(Event{Kind: Checking, Level: lv.Index + 1, Stats: h.Snapshot(), Program: lv, Query: lv.query})
	}
}

func (h *Hierarchy) checked(lv *Level, r seqmc.Result, d time.Duration) {
	h.Log.Debug("sequential check", "program", lv.Program.Name, "query", lv.query != nil, "verdict", r.Verdict, "reason", r.Reason, "seconds", d.Seconds())
}

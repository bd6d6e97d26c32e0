// Package engine has the ways in which a program that was taken apart can be decided. An [Engine] is given a [Task], a program of ir, and its [Answer] is a claim: steps to
// a violation, or a proof. Nothing here is trusted: package confirm replays the steps and has the proof made again before there is a verdict.
//
// [All] has the engines: the hierarchical modular algorithm of the CoMuS paper (modular.go, with the order of its threads, what it is seeded with, and
// how counterexamples are made concrete), partial orders of events, proofs for every number of threads by thread-modular invariants and by invariants of
// resources, the sequentializations of the papers, and the visit of all states. [Features] of a program say in which order they are worth trying.
package engine

import (
	"context"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/confirm"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/query"
	"comus/resourceinv"
	"comus/seqmc"
	"comus/specialise"
	"comus/threadmodular"
)

// Engine is a way of deciding programs. Engines are not trusted: steps that one claims to
// violate an assertion are replayed, a proof is made again by package check, and what is
// not confirmed is Unknown. So an engine of a user's own can be plugged in.
type Engine interface {
	// Name is one word for reports.
	Name() string
	// Decide looks for the verdict on a task until ctx ends. The error says why there is
	// none; the answer then has what was counted up to there.
	Decide(ctx context.Context, t *Task) (Answer, error)
}

// Options change what engines do. The zero value is the default.
type Options struct {
	// Alone keeps an engine from asking another one, which is at work elsewhere. Several
	// properties are asked about together only.
	Alone bool
	// Order names the threads, by function, in the order of the hierarchy; those
	// not named follow in the default order. Empty: the default order.
	Order []string
	// Checker is the sequential model checker; nil: the embedded one, package
	// seqmc/spacer.
	Checker seqmc.Checker
	// NoSeed starts env_move as plain havoc.
	NoSeed bool
	// NoResources and NoEvery leave the engines resource-invariants and thread-modular out of
	// the portfolio; Resources and Every change them.
	NoResources, NoEvery bool
	Resources            resourceinv.Options
	Every                threadmodular.Options
	// NoCells shows no arrays by one cell.
	NoCells bool
	// NoRelational looks for no facts about sums of variables.
	NoRelational bool
	// NoDemand computes facts about all threads at once.
	NoDemand bool
	// NoConcretize questions every abstract counterexample step by step, instead
	// of trying it against the real threads first.
	NoConcretize bool
	// Query changes the modular algorithm.
	Query query.Options
	// Timings measures the components; nil: nothing does.
	Timings *timing.Timings
	// Observe is called with each piece of progress; may be nil.
	Observe func(query.Event)
}

// LeftOut reports whether an engine is not to be asked, unless it is the one that was named.
func (o Options) LeftOut(engine string) bool {
	return o.NoResources && engine == ResourceInvariants{}.Name() || o.NoEvery && engine == ThreadModular{}.Name()
}

// Task is a program that an engine is to decide. It is only read.
type Task struct {
	// Program is the program as the passes left it. Its locations marked Error are what
	// must not be reached.
	Program *ir.Program
	// Graphs has, for each thread, the paths between the locations where a context switch
	// has to be considered.
	Graphs []*cutpoints.Graph
	// Read reads the source that Program comes from in another way; nil for
	// a program that was made in IR. Question is how it was taken apart.
	Read     func(ctx context.Context, how specialise.Options) (*ir.Program, error)
	Question specialise.Options
	Options  Options
	Log      hclog.Logger

	subject *confirm.Subject // what Program was made of; see about
	start   time.Time        // of the verification
}

// NewTask returns the task of deciding a subject, whose program after its passes is p. The verification began at start.
func NewTask(s *confirm.Subject, p *ir.Program, graphs []*cutpoints.Graph, start time.Time) *Task {
	return &Task{Program: p, Graphs: graphs, Log: hclog.NewNullLogger(), subject: s, start: start}
}

// about returns what an answer to the task is about. A user's engine may ask one of comus's
// about another program than its own task's: then it is that, and what is confirmed of it
// says nothing of the user's task.
func (t *Task) about() *confirm.Subject {
	if p, err := t.subject.Simplify(); err == nil && p == t.Program {
		return t.subject
	}
	return confirm.New(t.Program, nil, check.Program{}, nil, t.Options.Timings)
}

// Answer is what an engine says of a task.
type Answer struct {
	Verdict seqmc.Verdict
	// Steps are, for Unsafe, the edges of Task.Program on the way to an error, in the order
	// in which they are taken. The inputs on the way are found when they are confirmed.
	Steps []*ir.Edge
	// Proof says, for Safe, why no error can be reached. Nil leaves the whole proof to
	// check.Orders, which takes programs whose loops end after a few rounds.
	// Only the proof in it is read, and whether the program is read with any number of threads for it.
	Proof *check.Certificate
	Stats query.Stats
	// Engine names the engine that decided, if another one was asked; "" otherwise.
	Engine string
	// Notes are for the user: warnings.
	Notes []string

	// confirmed is what the engine has had confirmed on its way, of the subject of the task
	// that it was given. An engine may ask another one about another program: what that one
	// has confirmed says nothing of the task.
	confirmed confirm.Answer
}

// Confirmed returns what the engine has had confirmed on its way, if that is about a subject.
func (a Answer) Confirmed(s *confirm.Subject) (confirm.Answer, bool) {
	return a.confirmed, a.confirmed.About(s)
}

// All returns the engines, in the order in which the portfolio prefers them where
// nothing else is known of a program.
func All() []Engine {
	return []Engine{Modular{}, PartialOrder{}, ThreadModular{}, ResourceInvariants{}, Unbounded{}, Bounded{"lazy"}, Explore{}, Bounded{"eager"}}
}

// ordersWithin is confirmOrders within some time.
func (t *Task) ordersWithin(ctx context.Context, bound int, limit time.Duration) (Answer, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return t.confirmOrders(within, bound)
}

// confirmOrders has the check encode all executions of the subject, which goes around loops
// as often as bound says, and returns the answer of that. The error is for what it does not
// prove. The check learns the cut-points: what a thread does while it holds a mutex is one
// move, where that helps.
func (t *Task) confirmOrders(ctx context.Context, bound int) (Answer, error) {
	proof := &check.Certificate{Method: check.MethodOrders, Bound: bound, Threads: Threads(t.Graphs)}
	a, err := t.about().Safe(ctx, proof)
	if err != nil {
		t.Log.Info("the proof was not confirmed", "bound", bound, "error", err)
		return Answer{}, err
	}
	return Answer{Verdict: seqmc.Safe, Proof: proof, confirmed: a}, nil
}

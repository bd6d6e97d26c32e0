package comus

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/confirm"
	"comus/cutpoints"
	"comus/ir"
	"comus/query"
	"comus/seqmc"
)

// Engine is a way of deciding programs. Engines are not trusted: steps that one claims to
// violate an assertion are replayed, a proof is made again by package check, and what is
// not confirmed is Unknown. So an engine of a user's own can be plugged in with
// [Options.Engine].
type Engine interface {
	// Name is one word for reports.
	Name() string
	// Decide looks for the verdict on a task until ctx ends. The error says why there is
	// none; the answer then has what was counted up to there.
	Decide(ctx context.Context, t *Task) (Answer, error)
}

// Task is a program that an engine is to decide. It is only read.
type Task struct {
	// Program is the program as the passes left it. Its locations marked Error are what
	// must not be reached.
	Program *ir.Program
	// Graphs has, for each thread, the paths between the locations where a context switch
	// has to be considered.
	Graphs []*cutpoints.Graph
	// Source is what Program was read from, for engines that read it in another way; nil for
	// a program that was made in IR. Options.Question is how it was taken apart.
	Source  *Source
	Options Options
	Log     hclog.Logger

	subject *confirm.Subject // what Program was made of; see about
	start   time.Time        // of the verification
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

// Engines returns the engines, in the order in which the portfolio prefers them where
// nothing else is known of a program. All but "auto" and "scan" of the names of strategies are names
// of engines.
func Engines() []Engine {
	return []Engine{modularEngine{}, partialOrderEngine{}, threadModularEngine{}, resourceEngine{}, unboundedEngine{},
		boundedEngine{"lazy"}, exploreEngine{}, boundedEngine{"eager"}}
}

// auto reports whether comus chooses for itself how to verify.
func (o Options) auto() bool { return o.Engine == nil && (o.Strategy == "" || o.Strategy == Auto) }

// engine returns the engine that the options name.
func (o Options) engine() (Engine, error) {
	if o.Engine != nil {
		return o.Engine, nil
	}
	if o.auto() {
		return modularEngine{}, nil
	}
	i := slices.IndexFunc(Engines(), func(e Engine) bool { return e.Name() == o.Strategy })
	if i < 0 {
		return nil, fmt.Errorf("there is no strategy %q", o.Strategy)
	}
	return Engines()[i], nil
}

// Strategies returns the names that Options.Strategy takes, the default first.
func Strategies() []string {
	out := []string{Auto}
	for _, e := range Engines() {
		out = append(out, e.Name())
	}
	return append(out, scanStrategy)
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
	proof := &check.Certificate{Method: check.MethodOrders, Bound: bound, Threads: threadsOf(t.Graphs)}
	a, err := t.about().Safe(ctx, proof)
	if err != nil {
		t.Log.Info("the proof was not confirmed", "bound", bound, "error", err)
		return Answer{}, err
	}
	return Answer{Verdict: seqmc.Safe, Proof: proof, confirmed: a}, nil
}

package comus

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/cutpoints"
	"comus/internal/timing"
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
	// File is the source; "" for a program that was made in IR.
	File    string
	Options Options
	Log     hclog.Logger

	passes []string  // what made Program of the source
	start  time.Time // of the verification
}

// Answer is what an engine says of a task.
type Answer struct {
	Verdict seqmc.Verdict
	// Steps are, for Unsafe, the edges of Task.Program on the way to an error, in the order
	// in which they are taken. The inputs on the way are found when they are confirmed.
	Steps []*ir.Edge
	// Proof says, for Safe, why no error can be reached. Nil leaves the whole proof to
	// check.Orders, which takes programs whose loops end after a few rounds.
	Proof *check.Certificate // only the proof in it is read
	Stats query.Stats
	// Engine names the engine that decided, if another one was asked; "" otherwise.
	Engine string
	// Notes are for the user: warnings.
	Notes []string

	// confirmed is the program of which the engine has confirmed the verdict itself, by the
	// check, for confirmTime; without a proof, by looking at all states a second time. Nil
	// if it has not. An engine may ask another one about another program: what that one has
	// confirmed says nothing of the task.
	confirmed     *ir.Program
	confirmTime   time.Duration
	confirmSolver string // that the check used, where there is a choice
}

// Engines returns the engines, in the order in which the portfolio prefers them where
// nothing else is known of a program. All but "auto" of the names of strategies are names
// of engines.
func Engines() []Engine {
	return []Engine{modularEngine{}, partialOrderEngine{}, threadModularEngine{}, unboundedEngine{},
		boundedEngine{"lazy"}, exploreEngine{}, boundedEngine{"eager"}}
}

// auto reports whether comus chooses for itself how to verify.
func (o Options) auto() bool { return o.Engine == nil && (o.Strategy == "" || o.Strategy == Auto) }

// portfolio reports whether engines are to run beside one another, on a file that each of
// them can read: not a pipe, nor what is named as something that this process has open.
func (o Options) portfolio(file string) bool {
	if !o.auto() || len(o.Command) == 0 || o.Checker != nil {
		return false
	}
	if file == "/dev/stdin" || strings.HasPrefix(file, "/dev/fd/") || strings.HasPrefix(file, "/proc/") {
		return false
	}
	st, err := os.Stat(file)
	return err == nil && st.Mode().IsRegular()
}

// only returns the options without what runs before and beside the engine, if they name
// one.
func (o Options) only() Options {
	if !o.auto() {
		o.NoSimulate = true
		o.Grow = o.Grow && o.Engine == nil && o.Strategy == modularEngine{}.Name()
	}
	return o
}

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
	return out
}

// certificate returns a certificate of the task with nothing in it yet.
func (t *Task) certificate() *check.Certificate {
	return &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: t.Program.Assumptions}
}

// ordersWithin is confirmOrders within some time.
func (t *Task) ordersWithin(ctx context.Context, bound int, limit time.Duration) (Answer, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return t.confirmOrders(within, bound)
}

// confirmOrders gives the program to check.Orders, which goes around loops as often as
// bound says, and returns the answer of that. The error is for what it does not prove. The
// check learns the cut-points: what a thread does while it holds a mutex is one move, where
// that helps.
func (t *Task) confirmOrders(ctx context.Context, bound int) (Answer, error) {
	cert := t.certificate()
	cert.Verdict, cert.Method, cert.Bound = seqmc.Safe.String(), check.MethodOrders, bound
	cert.Threads = threadsOf(t.Graphs)
	start := time.Now()
	defer t.Options.Timings.Start(timing.Checking)()
	solver, err := check.Orders(ctx, t.Program, cert)
	if err != nil {
		t.Log.Info("the proof was not confirmed", "bound", bound, "error", err)
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	return Answer{Verdict: seqmc.Safe, Proof: cert, confirmed: t.Program, confirmTime: time.Since(start), confirmSolver: solver}, nil
}

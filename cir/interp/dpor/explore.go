package dpor

import (
	"context"
	"fmt"

	"comus/cir"
	"comus/cir/interp"
)

// Options say what is run, and how much.
type Options struct {
	// Run returns the options of a run, other for each, as what performs functions without a body may have a state; that chooses by input. What this package sets is Races, Abrupt, Scheduler, Nondet, Observer
	// and Code.
	Run func(input func(name string, t cir.Type) (lo, hi uint64)) interp.Options
	// Input gives what a thread reads from outside, or how the library chooses, for the nth time; nil: all is 0.
	Input func(thread, n int, name string, t cir.Type) (lo, hi uint64)
	// Runs and Events are how many runs are made at most, and how many events one of them may have; 0: 100,000 and 1,000.
	Runs, Events int

	everything bool // no reduction: for tests
}

// Execution is a run: how it ended, and what makes the interpreter do the same once more, without an observer.
type Execution struct {
	Result *interp.Result
	Turns  []Turn
	Inputs []Input
}

// Turn is a choice of the scheduler.
type Turn struct {
	Thread int
	Steps  int64
}

// Input is a value that the run has read from outside, or a choice of the library.
type Input struct{ Lo, Hi uint64 }

// Report says what was run.
type Report struct {
	// Complete says that all executions with the inputs were run, up to equivalence; otherwise, Why is why not.
	Complete bool
	Why      string
	Runs     int // classes of executions
	Cut      int // runs that were cut off, as they were known
	Events   int // the most of a run
	Again    int // how often all began again
	Inputs   bool
	Choices  bool // of the library
	// Unfinished says that some run has ended with threads that had not: what they had done by then that no other thread notices may differ in equivalent executions, such as memory
	// that they had allocated, or that they had come to where they wait.
	Unfinished bool
}

// Explore makes all runs of a program, or enough. The error is for one that the interpreter cannot run.
func Explore(ctx context.Context, p *cir.Program, opt Options, each func(*Execution) (enough bool)) (*Report, error) {
	x := New(p, opt)
	for !x.Done() {
		ex, err := x.Next(ctx)
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			x.giveUp("the time is over")
		case ex != nil && each(ex):
			x.giveUp("there are enough")
		}
	}
	return &x.report, nil
}

// Explorer runs a program again and again, each time in another way.
type Explorer struct {
	p      *cir.Program
	opt    Options
	report Report
	code   interp.Code
	words  map[uint64]use // who uses which words
	stack  []*node        // the states of the run, of which the first ones are given
	fresh  int            // how many of its events were the same in the run before
	run    *run
}

// New returns an explorer of a program that has made no run yet.
func New(p *cir.Program, opt Options) *Explorer {
	if opt.Runs == 0 {
		opt.Runs = 100_000
	}
	if opt.Events == 0 {
		opt.Events = 1000
	}
	x := &Explorer{p: p, opt: opt, words: map[uint64]use{}}
	if p.Model.PointerBits != 64 {
		x.giveUp("addresses have 32 bits")
	}
	return x
}

// Done reports whether no more runs are to be made: all were, or it has given up.
func (x *Explorer) Done() bool { return x.report.Complete || x.report.Why != "" }

// Report says what was run so far.
func (x *Explorer) Report() *Report { return &x.report }

// giveUp has no more runs made.
func (x *Explorer) giveUp(why string) {
	if x.report.Why == "" {
		x.report.Why = why
	}
}

// use is how a word is used.
type use struct {
	thread        int
	several       bool // by more threads than that
	written, both bool // both: and it was written
}

// Next makes a run. It returns nil if it was cut off. Some executions may come twice, as all begins again where a word is found to be shared. A run that ends with ctx has no meaning, and is made again.
func (x *Explorer) Next(ctx context.Context) (*Execution, error) {
	x.run = &run{Explorer: x, open: -1, over: true}
	opt := x.opt.Run(x.run.input)
	opt.Races, opt.Abrupt, opt.Scheduler, opt.Nondet, opt.Observer, opt.Code = true, true, x.run, x.run.input, x.run, &x.code
	res, err := interp.Run(ctx, x.p, opt)
	switch {
	case ctx.Err() != nil:
		x.restart()
		return nil, nil
	case err != nil && x.report.Why == "":
		return nil, err
	case x.report.Why != "":
		return nil, nil
	}
	x.run.end()
	cut := x.run.cut
	switch {
	case x.report.Why != "":
	case cut:
		x.report.Cut++
	case res.Outcome == interp.Limit:
		x.giveUp("a run does not end within " + res.Why)
	default:
		x.report.Runs++
		x.report.Events = max(x.report.Events, x.run.depth)
	}
	switch {
	case x.run.grown:
		x.restart()
		x.report.Again++
	case x.Done():
	case !x.backtrack():
		x.report.Complete = true
	case x.report.Runs+x.report.Cut >= x.opt.Runs:
		x.giveUp(fmt.Sprintf("there are more than %d runs", x.opt.Runs))
	}
	if cut {
		return nil, nil
	}
	return &Execution{Result: res, Turns: x.run.turns, Inputs: x.run.inputs}, nil
}

// restart has all begin again.
func (x *Explorer) restart() {
	x.stack, x.fresh, x.report = nil, 0, Report{Again: x.report.Again, Why: x.report.Why}
}

// backtrack leaves the stack at the last state where a thread is still to be tried, with that chosen. It reports whether there is one.
func (x *Explorer) backtrack() bool {
	x.stack = x.stack[:min(x.run.depth, len(x.stack))]
	for len(x.stack) > 0 {
		n := x.stack[len(x.stack)-1]
		if n.event.thread >= 0 {
			done := n.event
			if n.sleep = append(n.sleep, sleeper{thread: done.thread, next: &done.footprint}); x.opt.everything {
				n.sleep = nil
			}
			n.event.thread = -1
		}
		if t := n.next(); t >= 0 {
			n.choose(t)
			x.fresh = len(x.stack) - 1
			return true
		}
		x.stack = x.stack[:len(x.stack)-1]
	}
	return false
}

// choose has a thread chosen.
func (n *node) choose(thread int) {
	n.chosen = thread
	n.try(thread)
	n.tried = append(n.tried, thread)
}

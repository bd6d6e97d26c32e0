package graphs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"comus/cir"
	"comus/cir/interp"
	"comus/memory"
)

// Options say what is run, and how much.
type Options struct {
	Model memory.Model
	// Run returns the options of a run, other for each. What this package sets is Races, Abrupt, Scheduler, Nondet, Observer, Atomics and Code.
	Run func(input func(name string, t cir.Type) (lo, hi uint64)) interp.Options
	// Runs and Events are how many runs are made at most, and how many events a graph may have; 0: 1,000,000 and 300.
	Runs, Events int
	// Random, if it is not nil, makes random runs rather than all: each read reads one of the writes that it may. Those that are too long are cut off.
	Random *rand.Rand
	// Guide, if it is not nil, makes one run rather than all: as it says.
	Guide *Guide
	// Racy are places of objects plain accesses of which are events, too: there is a data race of them, so that they may see what relaxed atomic ones would. May be nil.
	Racy func(place uint64) bool
	// GoOn has threads stop where an assertion of theirs fails, and others go on, rather than end the execution: what they do before it fails is known then.
	GoOn bool
	// Last has the threads with the highest numbers go on first, which visits the same graphs in another order.
	Last bool
}

// Execution is a run: how it ended, and its graph.
type Execution struct {
	Result *interp.Result
	Graph  *memory.Graph
	// Blocked says that some threads take no more steps, though the graph has nothing else to be added: it is counted apart.
	Blocked bool
}

// Report says what was run.
type Report struct {
	// Complete says that all graphs were visited; otherwise, Why is why not.
	Complete bool
	Why      string
	Runs     int // graphs of executions that end
	Blocked  int // graphs in which threads are blocked
	Cut      int // runs that were cut off: the graph is not consistent
	Events   int // the most of a graph
	// Unsupported says that the program does what graphs are not made for.
	Unsupported bool
	Inputs      bool
	Choices     bool // of the library
	Races       bool // in some run there is a data race
	// Unfinished says that some run has ended with threads that had not, and might have done something before: an assertion has failed, say.
	Unfinished bool
	Notes      []interp.Note // of all runs, each once
}

// Explorer runs a program again and again, each time in another way.
type Explorer struct {
	p   *cir.Program
	opt Options
	one Worker // of Next

	mu      sync.Mutex
	changes *sync.Cond // there may be more to do, or nothing any more
	working int        // how many runs are being made
	report  Report
	todo    []*graph
	noted   map[interp.Note]bool
	passed  map[uint64]bool // locks that a thread takes again and again, which is left out
	tried   map[uint64]bool // objects that may be locks of which threads find out that they are held
}

// Worker makes runs of an explorer, one after the other; others may make some at the same time.
type Worker struct {
	// Run is as in Options.
	Run  func(input func(name string, t cir.Type) (lo, hi uint64)) interp.Options
	code interp.Code
}

// New returns an explorer of a program that has made no run yet.
func New(p *cir.Program, opt Options) *Explorer {
	if opt.Runs == 0 {
		opt.Runs = 1_000_000
	}
	if opt.Events == 0 {
		opt.Events = 300
	}
	x := &Explorer{p: p, opt: opt, one: Worker{Run: opt.Run}, todo: []*graph{newGraph()}, noted: map[interp.Note]bool{}, passed: map[uint64]bool{}, tried: map[uint64]bool{}}
	x.changes = sync.NewCond(&x.mu)
	if p.Entry != nil && usesParams(p.Entry) {
		x.report.Inputs = true
	}
	if p.Model.PointerBits != 64 {
		x.giveUp("addresses have 32 bits")
	}
	return x
}

// usesParams reports whether a function uses what it is given: arguments are inputs of the program.
func usesParams(f *cir.Func) (uses bool) {
	of := map[cir.Value]bool{}
	for _, p := range f.Params {
		of[p.Reg] = true
	}
	for _, b := range f.Blocks { // what a parameter is only put into is one, too
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok && of[s.X] {
				if l, ok := s.Addr.(*cir.Local); ok {
					of[l] = true
				}
			}
		}
	}
	read := map[cir.Value]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, func(v cir.Value) { read[v] = true })
		}
		cir.TermOperands(b.Term, func(v cir.Value) { read[v] = true })
	}
	see := func(v cir.Value) { uses = uses || of[v] }
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok && of[s.X] && of[s.Addr] {
				continue
			}
			if l, ok := in.(*cir.Load); ok && of[l.Addr] && !read[l.Dst] { // (void)argc
				continue
			}
			cir.Operands(in, see)
		}
		cir.TermOperands(b.Term, see)
	}
	return uses
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
			x.giveUp("the time is over") // nobody else is at work
		case ex != nil && each(ex):
			x.giveUp("there are enough")
		}
	}
	return &x.report, nil
}

// Done reports whether no more runs are to be made: all were, or it has given up.
func (x *Explorer) Done() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done()
}

func (x *Explorer) done() bool { return x.report.Complete || x.report.Why != "" }

// Report says what was run so far. Nobody may be at work.
func (x *Explorer) Report() *Report { return &x.report }

// Stop has no more runs made: workers that wait for others come back.
func (x *Explorer) Stop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.report.Complete {
		x.giveUp("it was stopped")
	}
	x.changes.Broadcast()
}

// giveUp has no more runs made.
func (x *Explorer) giveUp(why string) {
	if x.report.Why == "" {
		x.report.Why = why
	}
}

// Next makes a run. It returns nil if it was cut off. A run that ends with ctx has no meaning, and is made again.
func (x *Explorer) Next(ctx context.Context) (*Execution, error) { return x.NextBy(ctx, &x.one) }

// NextBy is Next for one of several workers. It returns nil, too, if the others have nothing left to do for it.
func (x *Explorer) NextBy(ctx context.Context, w *Worker) (*Execution, error) {
	g := x.take(ctx)
	if g == nil {
		return nil, nil
	}
	again := g.clone()
	r := newRun(x, g)
	r.goesOn = x.opt.GoOn
	res, err := r.make(ctx, x.p, w.Run, &w.code)
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.changes.Broadcast()
	x.working--
	if ctx.Err() != nil {
		x.todo = append(x.todo, again)
		return nil, nil
	}
	x.learn(r)
	if err != nil && x.report.Why == "" {
		return nil, err
	}
	if x.report.Why != "" {
		return nil, nil
	}
	return x.ended(r, res), nil
}

// take takes a graph that is to be visited; nil: there are no more, or ctx ends.
func (x *Explorer) take(ctx context.Context) *graph {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.chooses() {
		x.working++
		return newGraph()
	}
	for len(x.todo) == 0 && x.working > 0 && !x.done() && ctx.Err() == nil {
		x.changes.Wait()
	}
	if x.done() || ctx.Err() != nil {
		return nil
	}
	n := len(x.todo) - 1
	if n < 0 {
		x.report.Complete = true
		return nil
	}
	g := x.todo[n]
	x.todo = x.todo[:n]
	x.working++
	return g
}

// learn keeps what a run has found.
func (x *Explorer) learn(r *run) {
	p := &x.report
	x.todo = append(x.todo, r.todo...)
	p.Inputs, p.Choices, p.Unsupported = p.Inputs || r.seen.inputs, p.Choices || r.seen.choices, p.Unsupported || r.seen.unsupported
	if r.why != "" {
		x.giveUp(r.why)
	}
	for _, at := range r.passed {
		x.passed[at] = true
	}
	for _, at := range r.tried {
		x.tried[at] = true
	}
	for at := range x.passed {
		if x.tried[at] {
			x.giveUp("a thread takes a lock again and again that another one tries to take")
		}
	}
}

// ended counts a run that has ended.
func (x *Explorer) ended(r *run, res *interp.Result) *Execution {
	p := &x.report
	p.Events = max(p.Events, len(r.g.Events)-len(r.g.first))
	if !r.cut {
		for _, n := range res.Notes {
			n.Count = 0
			if !x.noted[n] {
				x.noted[n] = true
				p.Notes = append(p.Notes, n)
			}
		}
		p.Races = p.Races || len(res.Races) > 0 || res.Unjudged
	}
	ex := &Execution{Result: res, Graph: &r.g.Graph}
	for i, m := range r.g.made {
		e := &r.g.Events[i]
		if e.Object = m.object; m.site != nil {
			e.At = m.site.Pos.String()
		}
	}
	switch {
	case r.cut:
		p.Cut++
		ex = nil
	case res.Outcome == interp.Limit && x.chooses():
		p.Cut++
	case res.Outcome == interp.Limit:
		x.giveUp("a run does not end within " + res.Why)
		ex = nil
	case r.stuck > 0:
		ex.Blocked = true
		p.Blocked++
	default:
		p.Runs++
	}
	p.Unfinished = p.Unfinished || ex != nil && !(res.Outcome == interp.Deadlock || res.Outcome == interp.Exited && r.ended+r.stuck+1 >= len(r.threads))
	switch {
	case x.done():
	case len(x.todo) == 0 && x.working == 0 && !x.chooses():
		p.Complete = true
	case p.Runs+p.Cut+p.Blocked >= x.opt.Runs:
		x.giveUp(fmt.Sprintf("there are more than %d runs", x.opt.Runs))
	}
	return ex
}

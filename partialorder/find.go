package partialorder

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Options bound the search.
type Options struct {
	// Main is the index of the thread that has to fail.
	Main int
	// Path, if not nil, is the way of thread Main: from its entry to an error
	// location. Nil stands for every way within Unwind.
	Path []*cutpoints.Block
	// Unwind is how often each loop of a thread's graph is gone around, at most,
	// each time it is entered. Loops that only wait do not count. (The graph may
	// have the first iteration of a loop in the source outside the loop.)
	Unwind int
	// Log gets the size of the query and how long it took; nil for nobody.
	Log hclog.Logger
}

// Find looks for an execution of the real threads that leads thread Main to an
// error location, and returns its blocks in order; nil if there is none within
// the bounds. complete tells that the bounds left nothing out: then nil means that
// thread Main cannot be the first to fail, or not along Path. graphs are the
// threads' graphs by index; the program must be renumbered. An error is for
// what is too large or not decided.
func Find(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph, opts Options) (blocks []*cutpoints.Block, complete bool, err error) {
	if err := p.Single(); err != nil {
		return nil, false, err
	}
	if opts.Log == nil {
		opts.Log = hclog.NewNullLogger()
	}
	start := time.Now()
	f, enc, err := prepare(ctx, p, graphs, opts)
	if err != nil || enc == nil {
		return nil, err == nil && f.complete, err
	}
	encoded := time.Now()
	blocks, solver, err := enc.solve(ctx)
	opts.Log.Debug("partial orders", "events", len(f.nodes), "reads", len(f.reads), "choices", enc.choices, "order atoms", len(enc.atoms),
		"formulas", len(enc.formulas), "encode", encoded.Sub(start), "solve", time.Since(encoded), "solver", solver, "found", blocks != nil, "complete", f.complete)
	return blocks, f.complete, err
}

// prepare encodes a search; the encoding is nil if it is known without solving that
// nothing is found.
func prepare(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph, opts Options) (*finder, *encoding, error) {
	f := &finder{p: p, l: p.L, opts: opts, tab: p.Symbols(), complete: true, init: map[*ir.Var]*logic.Term{}, types: map[*logic.Term]ir.Type{}}
	if err := f.shape(ctx, graphs); err != nil {
		return nil, nil, err
	}
	if err := f.run(ctx); err != nil {
		return nil, nil, err
	}
	f.prune()
	if !f.canFail() {
		return f, nil, nil
	}
	f.index()
	o := newOrder(f)
	if err := o.fixpoint(ctx); err != nil {
		return nil, nil, err
	}
	b := newBounds(o)
	if !b.simplify() {
		return f, nil, nil
	}
	enc := newEncoding(f, o, b)
	if err := enc.all(ctx); err != nil {
		return nil, nil, err
	}
	return f, enc, nil
}

// finder holds one search.
type finder struct {
	p        *ir.Program
	l        *logic.Store
	opts     Options
	tab      ir.SymTable
	threads  []*threadShape
	constant map[*ir.Var]*logic.Term // shared variables with one value at all cut-points
	nodes    []*node                 // those in use, each thread's in topological order
	reads    []*read
	writes   map[*ir.Var][]*write
	init     map[*ir.Var]*logic.Term // initial values met
	types    map[*logic.Term]ir.Type // of the symbols
	merges   []join                  // symbols for values where paths meet
	side     []*logic.Term           // what holds of the symbols: ranges, values where paths meet
	complete bool
}

// initial returns the value of v before the first step.
func (f *finder) initial(v *ir.Var) *logic.Term {
	if t := f.init[v]; t != nil {
		return t
	}
	var t *logic.Term
	if v.Init != nil {
		t = f.l.Value(*v.Init)
	} else {
		t = f.input(v)
	}
	f.init[v] = t
	return t
}

// input returns a new symbol for any value of v's type.
func (f *finder) input(v *ir.Var) *logic.Term {
	s := f.l.FreshVar(v.Name, logic.Int)
	f.types[s] = v.Type
	f.side = append(f.side, f.p.TermInRange(s, v.Type))
	return s
}

// shape prepares the threads' graphs of segments.
func (f *finder) shape(ctx context.Context, graphs []*cutpoints.Graph) error {
	for i, g := range graphs {
		s := &threadShape{f: f, graph: g, main: i == f.opts.Main, out: map[*ir.Loc][]*segment{}}
		err := ctx.Err()
		switch {
		case err != nil:
		case s.main && f.opts.Path != nil:
			err = s.fromPath(f.opts.Path)
		default:
			err = s.enumerate()
		}
		if err != nil {
			return err
		}
		f.threads = append(f.threads, s)
	}
	f.classify()
	for _, s := range f.threads {
		if s.path == nil {
			s.liveness()
			s.dropWaiting()
		}
	}
	return nil
}

// run unrolls the threads and executes them symbolically.
func (f *finder) run(ctx context.Context) error {
	for _, s := range f.threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.path != nil {
			s.unrollPath()
		} else if err := s.unroll(); err != nil {
			return err
		}
		for _, n := range s.nodes {
			s.execute(n)
		}
	}
	return nil
}

// canFail reports whether the failing thread still has a way to an error.
func (f *finder) canFail() bool {
	return len(f.threads[f.opts.Main].failing()) > 0
}

// limit is the error for what would become too large.
func (s *threadShape) limit(what string) error {
	return fmt.Errorf("partialorder: too many %s in thread %s", what, s.graph.Thread.Name)
}

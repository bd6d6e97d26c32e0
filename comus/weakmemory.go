package comus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/cir"
	"comus/comus/confirm"
	"comus/internal/deadline"
	"comus/internal/timing"
	"comus/memory"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// Memory orders. Most of comus takes a step of one thread after a step of another one: memory is sequentially consistent. By the theorem DRF-SC that is how programs behave that have no data race, and whose
// atomic accesses are all seq_cst. An execution of that kind is allowed by all memory models: what violates a property in it does. A proof about such executions alone is one of
// other programs, with weaker orders, only if they have no others up to what can be observed: if they are robust (package check/robust).
//
// So three things are done for these programs beside what is done for others. Their execution graphs are visited, as many as there is time for (package cir/interp/graphs): that finds violations that only weak orders allow, and
// is a proof if there are no more of them. A solver is asked for bounded executions (weakbounded.go). And a proof that takes sequential consistency for granted counts only where robustness is shown.

// weakRuns visit the execution graphs of a program.
type weakRuns struct {
	s     *Source
	opts  Options
	names []string // the properties that are looked at
	begun time.Time
	ctx   context.Context
	stop  context.CancelFunc
	ended chan struct{} // closed when nothing is visited any more
	weak  bool          // the program has weaker accesses than volatile ones

	mu     sync.Mutex
	found  map[string]*Result  // by the properties that are violated
	all    *directed.AllGraphs // when they have come to their end
	raced  string              // where there is a data race
	proved map[string]*Result  // by bounded executions, by the properties
	bound  string              // why bounded executions are no answer
	// possible has, by properties, executions that violate them if volatile accesses count as relaxed atomic ones, and volatile is where such accesses race.
	possible map[string]*Result
	volatile string
	news     chan struct{}

	proving sync.Mutex
	proofs  map[string]*Result // by what is asked about, as certificates name it; nil: they are no proof
}

// IsWeak reports whether memory orders of the program promise less than sequential consistency, which is what is asked about.
func (s *Source) IsWeak(how specialise.Options) bool {
	return how.Memory != memory.SC && s.prog != nil && weakOrders(s.prog.Program)
}

// weakOrders reports whether a program has an atomic access or a fence that is not seq_cst.
func weakOrders(p *cir.Program) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instrs, cir.IsWeak) {
				return true
			}
		}
	}
	return false
}

// weakly begins to visit the execution graphs of a program whose memory orders are weak; nil: they are not, or the question is about a part of the program.
func (s *Source) weakly(ctx context.Context, opts Options) *weakRuns {
	q := opts.Question
	weak := s.IsWeak(q)
	if !weak && !s.hasVolatile(q) || s.restrict != nil || q.AtomicStatements || q.About != "" || q.Cut != 0 || q.Known != "" || q.Parametric || s.how.Assume.EffectiveTypes {
		return nil
	}
	r := &weakRuns{s: s, opts: opts, weak: weak, begun: time.Now(), ended: make(chan struct{}), found: map[string]*Result{}, proved: map[string]*Result{}, possible: map[string]*Result{}, news: make(chan struct{}),
		proofs: map[string]*Result{}}
	for _, n := range q.Check.Names() {
		one, err := specialise.ChecksNamed([]string{n})
		if err != nil {
			continue
		}
		about := q
		about.Check = one
		if _, err := confirm.GraphTargets(s.identity(about)); err == nil {
			r.names = append(r.names, n)
		}
	}
	if len(r.names) == 0 {
		close(r.ended)
		r.stop = func() {}
		return r
	}
	r.ctx, r.stop = context.WithCancel(ctx)
	go r.run()
	return r
}

// run visits the graphs.
func (r *weakRuns) run() {
	defer close(r.ended)
	defer r.survives()
	var targets []directed.Target
	for _, n := range r.names {
		targets = append(targets, confirm.TargetOf(n, r.opts.Question.Overflow == specialise.OverflowWrap))
	}
	if r.weak && r.onlyBounded() {
		r.bounded(r.ctx)
		return
	}
	visiting, enough := r.ctx, context.CancelFunc(func() {})
	if !r.weak {
		visiting, enough = context.WithTimeout(r.ctx, volatileMost)
	}
	defer enough()
	within, stop := context.WithCancel(r.ctx)
	defer stop()
	goesOn, ends := context.WithCancel(r.ctx)
	defer ends()
	var random sync.WaitGroup
	if r.weak {
		random.Go(func() {
			defer r.survives()
			r.random(within, targets)
		})
		random.Go(func() { r.bounded(goesOn) })
	}
	defer func() {
		if r.ctx.Err() != nil {
			ends()
		}
		random.Wait()
	}()
	all, err := directed.Graphs(visiting, r.s.prog.Program, targets, directed.GraphOptions{Model: r.opts.Question.Memory, Found: r.shows, Raced: r.races})
	if err != nil {
		r.opts.Log.Info("the execution graphs of the program cannot be visited", "error", err)
		return
	}
	r.opts.Log.Info("execution graphs were visited", "executions", all.Executions, "complete", all.Complete, "why", all.Why, "after", time.Since(r.begun))
	r.mu.Lock()
	r.all = all
	r.tell()
	over := all.Complete || all.Unsupported || len(r.found) == len(r.names)
	if all.Complete || len(r.found) == len(r.names) {
		ends()
	}
	r.mu.Unlock()
	if over {
		stop()
	}
}

// survives has a failure of our own end no more than a visit; it is deferred.
func (r *weakRuns) survives() {
	if e := recover(); e != nil {
		r.opts.Log.Error("execution graphs failed", "error", panicked(e))
	}
}

// races notes that two accesses race.
func (r *weakRuns) races(first, second string, volatile bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := &r.raced
	switch {
	case !r.weak && !volatile:
		return // that is taken for granted, as of all programs without weak memory orders
	case !r.weak: // proofs for sequential consistency name it
		at = &r.volatile
	}
	if *at == "" {
		*at = first + " and " + second
	}
}

// race returns where there is a data race, as far as is known.
func (r *weakRuns) race() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.raced
}

// randomAfter is how long all graphs are visited before random runs begin beside.
const randomAfter = time.Second

// random makes random runs until the context ends.
func (r *weakRuns) random(ctx context.Context, targets []directed.Target) {
	if !deadline.Elapses(ctx, randomAfter) {
		return
	}
	for seed := uint64(1); ctx.Err() == nil; seed++ {
		all, err := directed.Graphs(ctx, r.s.prog.Program, targets, directed.GraphOptions{Model: r.opts.Question.Memory, Found: r.shows, Random: rand.New(rand.NewPCG(seed, 0)), Runs: randomRuns})
		if err != nil || all.Unsupported {
			return
		}
		r.mu.Lock()
		over := len(r.found) == len(r.names)
		r.mu.Unlock()
		if over {
			return
		}
	}
}

// randomRuns is how many random runs begin with one seed.
const randomRuns = 200

// tell tells that there is news. The caller holds mu.
func (r *weakRuns) tell() {
	close(r.news)
	r.news = make(chan struct{})
}

// shows confirms an execution that violates a property, and says whether all are violated.
func (r *weakRuns) shows(i int, ex *directed.Execution) bool { return r.showsBy(i, ex, graphsName) }

// showsBy is shows for an execution that an engine has found.
func (r *weakRuns) showsBy(i int, ex *directed.Execution, engine string) bool {
	name := r.names[i]
	r.mu.Lock()
	known := r.found[name] != nil
	r.mu.Unlock()
	if known || !r.weak && ex.Graph.DependsOnRaces(r.opts.Question.Memory) { // that there are no other races is taken for granted, as of all programs without weak memory orders
		return false
	}
	part := r.opts
	part.Question.Check, _ = specialise.ChecksNamed([]string{name})
	part.Timings, part.Sanitize = timing.New(), 0
	res, err := r.s.byRun(r.ctx, ex, part)
	if s := (*Suspicion)(nil); errors.As(err, &s) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.possible[name] == nil {
			r.possible[name] = &Result{Engine: graphsName, Suspected: s, Reason: s.Error(), Warnings: slices.Clone(r.s.prog.Warnings), program: s.Certificate.Program}
			r.possible[name].measured(r.begun, part.Timings)
		}
		return false
	}
	if err != nil {
		r.opts.Log.Info("an execution graph is no verdict", "property", name, "reason", err)
		return false
	}
	res.Engine, res.Warnings = engine, slices.Clone(r.s.prog.Warnings)
	res.measured(r.begun, part.Timings)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found[name] = res
	r.tell()
	return len(r.found) == len(r.names)
}

// graphsName is the name of execution graphs in reports.
const graphsName = "graphs"

// decided returns the result of what was visited for a question; nil: there is none yet, and over says that there will be none.
func (r *weakRuns) decided(ctx context.Context, opts Options) (res *Result, over bool) {
	names := opts.Question.Check.Names()
	r.mu.Lock()
	all := r.all
	for _, n := range names {
		if v := r.found[n]; v != nil {
			r.mu.Unlock()
			return v, true
		}
	}
	r.mu.Unlock()
	if res := r.boundedly(names); res != nil {
		return res, true
	}
	if slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(r.names, n) }) {
		return nil, true
	}
	if all == nil {
		return nil, r.over()
	}
	if !all.Complete {
		return nil, r.over()
	}
	res = r.proof(ctx, opts, all)
	return res, res != nil || ctx.Err() == nil
}

// proof returns the proof that all graphs are of what is asked about, as it was confirmed, nil if it was not. It is made once.
func (r *weakRuns) proof(ctx context.Context, opts Options, all *directed.AllGraphs) *Result {
	r.proving.Lock()
	defer r.proving.Unlock()
	about := strings.Join(opts.Question.Check.Names(), ",")
	if res, known := r.proofs[about]; known {
		return res
	}
	cert := r.s.graphsCertificate(opts.Question, all)
	res := &Result{Engine: graphsName, Warnings: slices.Clone(r.s.prog.Warnings), program: cert.Program, Executions: all.Executions}
	a, _, err := r.s.checkWhole(ctx, cert, opts.Question, timing.New()) // others are at work, whose time is measured
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		r.opts.Log.Info("execution graphs are no proof", "reason", err)
		res = nil
	default:
		res.take(a)
	}
	r.proofs[about] = res
	return res
}

// over reports whether nothing is visited any more.
func (r *weakRuns) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// wait waits until there is a result for a question, or there will be none, or some time is over.
func (r *weakRuns) wait(ctx context.Context, opts Options, most time.Duration) *Result {
	late := time.NewTimer(most)
	defer late.Stop()
	for {
		r.mu.Lock()
		news := r.news
		r.mu.Unlock()
		if res, over := r.decided(ctx, opts); res != nil || over {
			return res
		}
		select {
		case <-news:
		case <-r.ended:
		case <-late.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// until returns a context that ends when there is a result.
func (r *weakRuns) until(ctx context.Context, opts Options) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancel(ctx)
	go func() {
		if r.wait(within, opts, runsEndless) != nil {
			stop()
		}
	}()
	return within, stop
}

// end ends the visits.
func (r *weakRuns) end() {
	if r != nil {
		r.stop()
		<-r.ended
	}
}

// graphsFirst is how long execution graphs are visited before anything else is done, unless it is known sooner that they are no proof. What takes a second alone takes many beside all engines.
const graphsFirst = 2 * time.Second

// first waits until there is a result for a question, or the graphs are known not to give a proof, or some time is over.
func (r *weakRuns) first(ctx context.Context, opts Options) *Result {
	within, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for within.Err() == nil {
			r.mu.Lock()
			news, vain := r.news, r.all != nil && !r.all.Complete
			r.mu.Unlock()
			if vain {
				stop()
			}
			select {
			case <-news:
			case <-within.Done():
			}
		}
	}()
	most := graphsFirst
	if !r.weak {
		most = volatileFirst
	}
	return r.wait(within, opts, most)
}

// raceWait is how long executions are looked for that violate a property because of a data race, when it is known that no other executions do.
const raceWait = 5 * time.Second

// verifyWeakly is verify for a program whose memory orders are weak.
func (s *Source) verifyWeakly(ctx context.Context, opts Options) (final *Result, err error) {
	w := opts.weak
	if res := w.first(ctx, opts); res != nil {
		return res, nil
	}
	within, stop := w.until(ctx, opts)
	res, err := inTime(within, lateness, opts.Log, func() (*Result, error) { return s.verifyInModel(within, opts) })
	stop()
	if err == nil && res != nil && res.Verdict == seqmc.Safe && !w.weak && !w.isPossible(opts) {
		w.wait(ctx, opts, time.Until(w.begun.Add(graphsFirst)))
	}
	if other, _ := w.decided(ctx, opts); other != nil {
		return other, nil
	}
	if err != nil {
		return nil, err
	}
	if res == nil {
		res = (&Result{Engine: opts.Strategy}).unknown(ctx, ctx.Err())
	}
	most := runsEndless
	if race := w.race(); race != "" && res.Verdict == seqmc.Safe && slices.Contains(res.Assumptions, assumeNoRace) {
		res.undecided(fmt.Sprintf("there is a data race, of %s, so the program is undefined in C; without the race it would be SAFE", race))
		most = raceWait
	}
	if res = w.withVolatile(res, opts); res.decided() || res.Internal != nil || res.Suspected != nil {
		return res, nil
	}
	defer func() { w.tellBound(final) }()
	if end, bounded := ctx.Deadline(); bounded && ctx.Err() == nil {
		if other := w.wait(ctx, opts, min(most, time.Until(end))); other != nil {
			return other, nil
		}
	}
	return res, nil
}

// exploreGraphs decides a question by all execution graphs of the program.
func (s *Source) exploreGraphs(ctx context.Context, opts ExploreOptions) (*ExploreResult, error) {
	start, how := time.Now(), opts.Question
	res := &ExploreResult{Result: Result{Engine: graphsName, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(how)}}
	targets, err := confirm.GraphTargets(res.program)
	if err != nil {
		res.unknown(ctx, err)
		return res, nil
	}
	part := Options{Question: how, Log: hclog.NewNullLogger()}.Complete()
	var unsafe *Result
	all, err := directed.Graphs(ctx, s.prog.Program, targets, directed.GraphOptions{Model: how.Memory, Found: func(_ int, ex *directed.Execution) bool {
		if unsafe != nil {
			return false
		}
		if r, err := s.byRun(ctx, ex, part); err == nil {
			unsafe = r
		}
		return unsafe != nil && !opts.Graphs
	}})
	if err != nil {
		return nil, err
	}
	res.Graphs = all
	switch {
	case unsafe != nil:
		unsafe.Engine, unsafe.Warnings = graphsName, res.Warnings
		res.Result = *unsafe
	case !all.Complete:
		res.unknown(ctx, errors.New(all.Why))
	default:
		a, _, err := s.checkWhole(ctx, s.graphsCertificate(how, all), how, part.Timings)
		if err != nil {
			res.unknown(ctx, err)
			break
		}
		res.take(a)
	}
	res.Elapsed = time.Since(start)
	return res, nil
}

// graphsCertificate returns the proof that all execution graphs of a program are.
func (s *Source) graphsCertificate(how specialise.Options, all *directed.AllGraphs) *check.Certificate {
	return &check.Certificate{Format: check.Format, Version: check.Version, Program: s.identity(how), Verdict: seqmc.Safe.String(), Method: check.MethodGraphs,
		Graphs: &check.Graphs{Executions: all.Executions, Sum: all.Sum}}
}

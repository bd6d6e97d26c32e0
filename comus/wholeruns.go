package comus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"comus/cir/interp"
	"comus/comus/confirm"
	"comus/internal/deadline"
	"comus/internal/timing"
	"comus/scan/directed"
	"comus/specialise"
)

// Runs of the whole program begin as soon as it has been read, for all properties that are asked about, and go on beside everything else that is done to answer. They
// need nothing taken apart and approximate nothing, so that most programs that fail easily are Unsafe before an engine has begun. A few dozen short runs come first; they are
// the ones that stand beside each proof, too (besideProof). After them runs get a small part of the time, which grows.
//
// What engines find within patienceForEngines is told of rather than a run: their executions are told step by step.

// wholeRuns are the runs of a program for one answer.
type wholeRuns struct {
	s      *Source
	opts   Options // of the answer
	groups []*runsGroup
	begun  time.Time
	ctx    context.Context // of all runs
	stop   context.CancelFunc
	all    sync.WaitGroup // and one more, until they are ended: others may begin meanwhile
	over   sync.Once      // that is taken back
	// patience is how long engines have, from the beginning on, before a run decides.
	patience time.Duration
	// engines says that engines are at work.
	engines atomic.Bool
	// scanned says that an analysis of the whole program is.
	scanned atomic.Bool

	mu    sync.Mutex
	found map[string]*violatingRun // by the properties that are violated
	// analysed has what analyses of the whole program have proved and left, by properties: the time for all may end before who asked for them has an answer.
	analysed map[string]analysed
	doubt    map[string]error // why an execution that violates a property is no verdict
	races    [][2]string      // those which gcc's sanitizer has contradicted
	news     chan struct{}    // closed when something is found, or some runs have come to their end
	going    int              // those who make runs
}

// violatingRun is a run that violates a property, as it was confirmed.
type violatingRun struct {
	res *Result
	ex  *directed.Execution

	judge  sync.Mutex // one judges at a time
	over   bool       // that is over
	judged *Result    // with what gcc's sanitizer says; nil, if that is over: it contradicts
}

// runsGroup are properties that runs look for together: deadlocks are looked for alone, as waits end only if they have to.
type runsGroup struct {
	names []string
	pace  pace
	first chan struct{} // closed when the first runs have ended
	one   chan struct{} // closed when one of them has
	odd   atomic.Bool   // one of them perhaps did what the question takes for granted not to happen: that is known when the first runs have ended
	// misuse is what one of the first runs did that the question takes for granted not to happen.
	misuse error
	// stats are what the runs were, and why says why the program cannot be run: both are known when the runs have ended.
	stats    directed.Stats
	directed []*directed.Stats
	why      string
	// all says that all executions with some inputs were run; nil: they were not, or not yet. None of them violates the properties without.
	all     *directed.All
	without []string
}

// patienceForEngines is that of [wholeRuns] where engines are what is asked first.
const patienceForEngines = 250 * time.Millisecond

// runsBeside begins runs for some properties, and ends them when the context ends or stop is called. Nil is returned where runs say nothing about the question. only says that there are to be
// no others than the first.
func (s *Source) runsBeside(ctx context.Context, opts Options, names []string, only bool) *wholeRuns {
	if s.prog == nil || s.restrict != nil || opts.Question.AtomicStatements || opts.Question.About != "" || opts.Question.Cut != 0 || opts.Question.Known != "" || opts.Question.Parametric ||
		s.how.Assume.EffectiveTypes {
		return nil
	}
	r := &wholeRuns{s: s, opts: opts, begun: time.Now(), found: map[string]*violatingRun{}, doubt: map[string]error{}, news: make(chan struct{})}
	if !opts.byScan() {
		r.patience = patienceForEngines
	}
	var together, alone []string
	for _, n := range names {
		switch {
		case n != specialise.Deadlock:
			together = append(together, n)
		case opts.Question.Daemons == "": // else some threads may wait for ever
			alone = append(alone, n)
		}
	}
	r.ctx, r.stop = context.WithCancel(ctx)
	r.all.Add(1)
	for _, names := range [][]string{together, alone} {
		if len(names) == 0 {
			continue
		}
		g := &runsGroup{names: names, first: make(chan struct{}), one: make(chan struct{})}
		g.pace.begun, g.pace.engines, g.pace.eager = r.begun, &r.engines, opts.byScan()
		g.pace.scanned = &r.scanned
		r.groups = append(r.groups, g)
		r.begin(func() { r.run(r.ctx, g, only) })
	}
	return r
}

// begin begins some runs.
func (r *wholeRuns) begin(runs func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return
	}
	r.going++
	r.all.Go(func() {
		runs()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.going--
		r.tell()
	})
}

// tell tells that there is news. The caller holds mu.
func (r *wholeRuns) tell() {
	close(r.news)
	r.news = make(chan struct{})
}

// end ends the runs. It may be called again.
func (r *wholeRuns) end() {
	if r != nil {
		r.mu.Lock()
		r.stop()
		r.mu.Unlock()
		r.over.Do(r.all.Done)
		r.all.Wait()
	}
}

// run makes the runs of a group.
func (r *wholeRuns) run(ctx context.Context, g *runsGroup, only bool) {
	defer func() {
		if e := recover(); e != nil {
			r.opts.Log.Error("runs of the program failed", "error", panicked(e))
		}
	}()
	if !r.firstRuns(ctx, g) || only {
		return
	}
	targets := r.targets(g)
	look := directed.Options{Stats: &g.stats, Seed: 1, Grow: true, Races: true, Directed: -1, Time: runsEndless, Rest: g.pace.rest, Confirmed: r.confirmed(ctx, g), Feedback: 8, All: func(all *directed.All) { r.allWereRun(g, all) }}
	if end, bounded := ctx.Deadline(); bounded {
		look.Time = max(time.Until(end)/3*4, time.Millisecond) // three quarters of it are for runs that are not directed at anything
	}
	if _, err := directed.For(ctx, r.s.prog.Program, targets, look); err != nil {
		r.opts.Log.Info("the program cannot be run", "error", err)
		g.why = err.Error()
	}
}

// towards makes more runs, which are directed at where a property may be violated.
func (r *wholeRuns) towards(name string, targets []directed.Target) {
	if r == nil || len(targets) == 0 {
		return
	}
	for _, g := range r.groups {
		if !slices.Contains(g.names, name) {
			continue
		}
		aimed := &directed.Stats{}
		r.mu.Lock()
		g.directed = append(g.directed, aimed)
		r.mu.Unlock()
		look := directed.Options{Stats: aimed, Seed: 2, Grow: true, Random: -1, Directed: 1 << 30, Time: runsEndless, Rest: g.pace.rest, Confirmed: r.confirmed(r.ctx, g)}
		r.begin(func() {
			if _, err := directed.For(r.ctx, r.s.prog.Program, targets, look); err != nil {
				r.opts.Log.Info("the program cannot be run", "error", err)
			}
		})
	}
}

// runsName is the name of runs of the whole program in reports.
const runsName = "runs"

// runsEndless is the time of runs where there is no limit.
const runsEndless = time.Hour

// firstRuns makes the runs that stand beside proofs. It reports whether the interpreter can run the program, and something is left to be looked for.
func (r *wholeRuns) firstRuns(ctx context.Context, g *runsGroup) bool {
	defer close(g.first)
	how := r.opts.Question
	how.Check, _ = specialise.ChecksNamed(g.names)
	misused := misuseOf(how, r.opts.asked)
	ends := directed.Target{Circles: misused.Circles, End: func(res *interp.Result) bool { return res.Outcome == interp.Exited }}
	n := len(g.names)
	targets := append(r.targets(g), misused, ends, overflowOf(how, r.opts.asked))
	look := directed.Options{Stats: &g.stats, Random: runsCount, Directed: -1, Time: runsMost, MaxSteps: runsSteps}
	ended := sync.OnceFunc(func() { close(g.one) })
	look.Rest = func(ctx context.Context, took time.Duration) {
		ended()
		g.pace.restShortly(ctx, took)
	}
	look.Confirmed = r.confirmed(ctx, g)
	runs, err := directed.For(ctx, r.s.prog.Program, targets, look)
	if err != nil {
		g.why = err.Error()
	}
	if err != nil || len(runs) != len(targets) {
		return false
	}
	if g.misuse = r.misused(ctx, &targets[n], &runs[n], &runs[n+1]); g.misuse == nil && runs[n+1].Execution == nil && runs[n+2].Execution != nil && !r.s.endsWithZeroInputs(ctx) {
		g.misuse = r.misused(ctx, &targets[n+2], &runs[n+2], &runs[n+1])
	}
	return ctx.Err() == nil && !r.decided(g)
}

// targets returns what a group looks for.
func (r *wholeRuns) targets(g *runsGroup) (list []directed.Target) {
	for _, name := range g.names {
		list = append(list, confirm.TargetOf(name, r.opts.Question.Overflow == specialise.OverflowWrap))
	}
	return list
}

// misused returns what one of the first runs did that the question takes for granted not to happen, nil if none did.
func (r *wholeRuns) misused(ctx context.Context, t *directed.Target, f, ends *directed.Found) error {
	if f.Execution == nil || len(f.Unset) > 0 || f.Decides {
		return nil
	}
	memory := &outOfMemory{}
	again := copyOfExecution(f.Execution)
	res, on, err := directed.ReplayWith(ctx, r.s.prog.Program, again, t, func(o *interp.Options) { o.Tracer = memory })
	if err != nil || len(on) > 0 || !t.Shown(res) || memory.met && r.s.hasMemory(ends) {
		return nil
	}
	return &misuse{shownBy(res)}
}

func copyOfExecution(ex *directed.Execution) *directed.Execution {
	out := *ex
	out.Turns, out.Inputs = slices.Clone(ex.Turns), slices.Clone(ex.Inputs)
	return &out
}

// confirmed returns what is told of executions that violate a property: it has each confirmed, which is the verdict then.
func (r *wholeRuns) confirmed(ctx context.Context, g *runsGroup) func(*directed.Execution) (counts, enough bool) {
	return func(ex *directed.Execution) (counts, enough bool) {
		name, err := confirm.Violates(ex)
		if err != nil || !slices.Contains(g.names, name) {
			g.odd.Store(g.odd.Load() || ex.Undefined != [2]string{})
			return true, false // misuse, or the end: that is looked at later
		}
		if r.shown(name) != nil {
			return true, r.decided(g)
		}
		if r.s.lacksMemory(ctx, ex) {
			return false, false
		}
		res, err := r.confirm(ctx, name, ex, 0)
		if err != nil {
			r.opts.Log.Debug("a run is no verdict", "property", name, "reason", err)
			return false, false
		}
		r.opts.Log.Info("a run of the program violates a property", "property", name, "after", time.Since(r.begun))
		r.mu.Lock()
		defer r.mu.Unlock()
		r.found[name] = &violatingRun{res: res, ex: ex}
		r.tell()
		return true, r.decidedNow(g)
	}
}

// confirm has an execution confirmed, and judged by gcc's sanitizer within some time; 0: it is not asked.
func (r *wholeRuns) confirm(ctx context.Context, name string, ex *directed.Execution, sanitize time.Duration) (*Result, error) {
	part := r.opts
	part.Question.Check, _ = specialise.ChecksNamed([]string{name})
	part.Timings, part.Sanitize = timing.New(), sanitize
	res, err := r.s.byRun(ctx, copyOfExecution(ex), part)
	if err != nil {
		return nil, err
	}
	res.Engine, res.Warnings = runsName, slices.Clone(r.s.prog.Warnings)
	return res.measured(r.begun, part.Timings), nil
}

// atWork says whether engines are at work.
func (r *wholeRuns) atWork(are bool) {
	if r != nil {
		r.engines.Store(are)
	}
}

// beside says whether an analysis of the whole program is at work.
func (r *wholeRuns) beside(is bool) {
	if r != nil {
		r.scanned.Store(is)
	}
}

// shown returns the result of a run that violates a property, nil if there is none. Nobody but the interpreter has judged it.
func (r *wholeRuns) shown(name string) *Result {
	if v := r.violates(name); v != nil {
		return v.res
	}
	return nil
}

func (r *wholeRuns) violates(name string) *violatingRun {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.found[name]
}

// verdict returns the result of a run that violates a property, nil if there is none, or if gcc's sanitizer, which is asked once, and only if a run decides, contradicts it.
func (r *wholeRuns) verdict(ctx context.Context, name string) *Result {
	v := r.violates(name)
	if v == nil {
		return nil
	}
	v.judge.Lock()
	defer v.judge.Unlock()
	switch {
	case v.over:
		return v.judged
	case r.opts.Sanitize == 0:
		return v.res
	}
	res, err := r.confirm(ctx, name, v.ex, r.opts.Sanitize)
	switch {
	case ctx.Err() != nil: // perhaps there is time later
		return v.res
	case errors.As(err, new(*contradiction)):
		r.contradicted(name, v.ex, err)
	default:
		v.judged = cmp.Or(res, v.res)
	}
	v.over = true
	return v.judged
}

// mostContradicted is how often runs begin anew for a property.
const mostContradicted = 4

// contradicted notes that gcc's sanitizer contradicts an execution, and has more runs look for another one.
func (r *wholeRuns) contradicted(name string, ex *directed.Execution, err error) {
	r.mu.Lock()
	delete(r.found, name)
	r.doubt[name] = err
	r.races = append(r.races, ex.Race)
	races := slices.Clone(r.races)
	r.mu.Unlock()
	i := slices.IndexFunc(r.groups, func(g *runsGroup) bool { return slices.Contains(g.names, name) })
	if i < 0 || len(races) > mostContradicted {
		return
	}
	g := r.groups[i]
	t := confirm.TargetOf(name, r.opts.Question.Overflow == specialise.OverflowWrap)
	if counts := t.Race; counts != nil {
		t.Race = func(x *interp.Race) bool {
			a, b := directed.PlaceOf(&x.First), directed.PlaceOf(&x.Second)
			return counts(x) && !slices.Contains(races, [2]string{a, b}) && !slices.Contains(races, [2]string{b, a})
		}
	}
	look := directed.Options{Seed: 2 + uint64(len(races)), Grow: true, Races: true, Directed: -1, Time: runsEndless, Rest: g.pace.rest, Confirmed: r.confirmed(r.ctx, g)}
	r.begin(func() {
		if _, err := directed.For(r.ctx, r.s.prog.Program, []directed.Target{t}, look); err != nil {
			r.opts.Log.Info("the program cannot be run", "error", err)
		}
	})
}

// allWereRun notes that all executions with some inputs were run.
func (r *wholeRuns) allWereRun(g *runsGroup, all *directed.All) {
	var without []string
	for _, i := range all.Without {
		if name := g.names[i]; name != specialise.Locks { // of which runs do not judge all
			without = append(without, name)
		}
	}
	r.opts.Log.Info(all.String(), "none violates", without, "inputs", directed.TheseInputs, "after", time.Since(r.begun))
	r.mu.Lock()
	defer r.mu.Unlock()
	g.all, g.without = all, without
}

// without returns what is known of all executions with some inputs if none of them violates a property, otherwise nil.
func (r *wholeRuns) without(name string) *directed.All {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.groups {
		if slices.Contains(g.without, name) {
			return g.all
		}
	}
	return nil
}

// decided reports whether all that a group looks for was found.
func (r *wholeRuns) decided(g *runsGroup) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decidedNow(g)
}

// decidedNow is decided for who holds mu.
func (r *wholeRuns) decidedNow(g *runsGroup) bool {
	return !slices.ContainsFunc(g.names, func(n string) bool { return r.found[n] == nil })
}

// until returns a context that ends when a run violates one of some properties, and engines have had some time.
func (r *wholeRuns) until(ctx context.Context, names []string) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancel(ctx)
	if r == nil {
		return within, stop
	}
	go func() {
		for {
			shown, news := r.anyOf(names)
			if shown {
				switch {
				case !deadline.Elapses(within, r.patience-time.Since(r.begun)):
					return
				case slices.ContainsFunc(names, func(n string) bool { return r.verdict(within, n) != nil }):
					stop()
					return
				}
				if within.Err() == nil { // it was contradicted: there may be another one
					continue
				}
				return
			}
			select {
			case <-news:
			case <-within.Done():
				return
			}
		}
	}()
	return within, stop
}

// anyOf reports whether one of some properties is violated by a run; the channel is closed when more is known.
func (r *wholeRuns) anyOf(names []string) (shown bool, news <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(names, func(n string) bool { return r.found[n] != nil }), r.news
}

// against returns what runs contradict of a proof of some properties. The first of them are waited for until they have had some time, all in all.
func (r *wholeRuns) against(ctx context.Context, names []string, budget time.Duration) (err error) {
	for _, g := range r.groups {
		if !slices.ContainsFunc(g.names, func(n string) bool { return slices.Contains(names, n) }) {
			continue
		}
		g.pace.hurry.Store(true)
		over := g.ended(ctx, budget-time.Duration(g.pace.own.Load()))
		if !over && g.begins(ctx) { // one run at least, however busy the machine is
			over = g.ended(ctx, runsMost)
		}
		if over && err == nil {
			err = g.misuse
		}
		g.pace.hurry.Store(false)
	}
	for _, n := range names {
		res := r.shown(n)
		if res == nil {
			continue
		}
		what := fmt.Sprintf("the program was proved, but a run of it violates the property: %s", res.Trace.Error.Text)
		if len(res.Assumptions) > 0 { // of memory that nobody has written
			return errors.New(what)
		}
		return &InternalError{what}
	}
	return err
}

// begins waits until one of the first runs has ended, and reports whether one perhaps did what the question takes for granted not to happen.
func (g *runsGroup) begins(ctx context.Context) bool {
	select {
	case <-g.one:
	case <-g.first:
	case <-time.After(runsMost):
	case <-ctx.Done():
	}
	return g.odd.Load()
}

// ended reports whether the first runs have ended, and waits for them for some time.
func (g *runsGroup) ended(ctx context.Context, most time.Duration) bool {
	select {
	case <-g.first:
		return true
	default:
	}
	if most <= 0 {
		return false
	}
	select {
	case <-g.first:
		return true
	case <-time.After(most):
	case <-ctx.Done():
	}
	return false
}

// How long runs go on alone where nothing else has an answer: as a part of the time before, and at least and at most.
const (
	runsAfterShare = 3
	runsAfterLeast = 500 * time.Millisecond
	runsAfterMost  = 10 * time.Second
)

// goOn lets runs go on alone for a while, if there is no violation of a property yet.
func (r *wholeRuns) goOn(ctx context.Context, name string, spent time.Duration) {
	r.goOnFor(ctx, name, min(max(spent/runsAfterShare, runsAfterLeast), runsAfterMost))
}

// goOnFor lets runs go on until one violates a property, they end, or some time is over.
func (r *wholeRuns) goOnFor(ctx context.Context, name string, most time.Duration) {
	if r == nil {
		return
	}
	for _, g := range r.groups {
		g.pace.hurry.Store(slices.Contains(g.names, name))
	}
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	for {
		shown, news := r.anyOf([]string{name})
		if shown || r.idle() {
			return
		}
		select {
		case <-news:
		case <-ctx.Done():
			return
		}
	}
}

// idle reports whether all runs have come to their end.
func (r *wholeRuns) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.going == 0
}

// instead returns the result of runs where nothing else has decided a property.
func (r *wholeRuns) instead(ctx context.Context, name string, res *Result) *Result {
	if r == nil || res != nil && res.decided() {
		return res
	}
	if unsafe := r.verdict(ctx, name); unsafe != nil {
		if res == nil || res.Internal == nil {
			return unsafe
		}
		out := *unsafe // there is an execution, whatever an engine has proved
		out.Warnings = append(slices.Clone(out.Warnings), r.s.File+": warning: "+res.Internal.Error())
		return &out
	}
	if all := r.without(name); res != nil && all != nil {
		res.Executions = all.Executions
		if res.Internal == nil {
			res.Reason = strings.TrimPrefix(fmt.Sprintf("%s; %s, none violates %s (%s)", res.Reason, all, name, directed.TheseInputs), "; ")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if why := r.doubt[name]; res != nil && why != nil && res.Internal == nil {
		res.Reason = why.Error()
	}
	return res
}

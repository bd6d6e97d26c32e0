package comus

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"comus/check"
	"comus/comus/confirm"
	"comus/internal/deadline"
	"comus/internal/timing"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// Analyses of the whole program prove most obligations of a property. They take nothing apart, so no program is too large for them:
//
//   - data races: package scan knows of most memory why no two accesses of it race (proveraces.go);
//   - assertions: package scan/values knows what registers and memory can hold (proveasserts.go);
//   - arithmetic without a meaning: that, too (proveoverflows.go);
//   - accesses to memory: with that and with which threads run when, package check/accesses proves that they are valid (proveaccesses.go);
//   - misuse of locks and threads: with both, and with what threads may hold (proveuses.go);
//   - deadlocks: package scan/order looks for an order of all that threads wait for, and knows in which orders locks are taken, which says where to look (proveorders.go).
//
// If what an analysis claims is confirmed and leaves nothing, that is the verdict. For the obligations that it leaves, runs of the whole program are directed at them, and engines are
// asked about all of them at once, which is enough for small programs, and about one after the other, those first that are most likely violated. What engines prove becomes part of
// the certificate.

// scanStrategy is the name of the strategy that asks an analysis first, and of its answers.
const scanStrategy = "scan"

// byScan reports whether an analysis of the whole program is to be asked first.
func (o Options) byScan() bool { return o.Engine == nil && o.Strategy == scanStrategy }

// asksForAll reports whether a question is about all of the program as it is, and about one property alone. check is how that property is asked about.
func (o Options) asksForAll(check specialise.Checks) bool {
	q := o.Question
	return q.Check == check && q.About == "" && q.Cut == 0 && q.Known == "" && !q.AtomicStatements && !q.Parametric && !o.Exact
}

// analysis is one of the whole program, for one property.
type analysis interface {
	// find analyses the program. The error is that of the context.
	find(ctx context.Context) error
	// certificate returns the evidence that what is proved here and by engines is all there is to prove; nil if nothing is proved here.
	certificate(proofs []*check.Certificate) *check.Certificate
	// targets are what runs are directed at.
	targets() []directed.Target
	// obligations begins to decide those that are left.
	obligations(opts DecideOptions) (*decider, error)
	// together names the question about all that is left, where open is why the evidence is not enough; "" if there is none to be asked.
	together(d *decider, open error) string
	// left says which obligations are left. Decisions are what has become of them, nil if nobody was asked.
	left(decisions []Obligation) string
	// helps reports whether engines that have begun without know much less than what is known now.
	helps() bool
	// addFindings adds to a result what the analysis has found. Decisions are as for left.
	addFindings(ctx context.Context, res *Result, decisions []Obligation)
}

// mayBeProved reports whether there is an analysis for a question about a source.
func (s *Source) mayBeProved(opts Options) bool {
	return s.prog != nil && s.restrict == nil && s.analysisFor(opts) != nil
}

// mayBeScanned reports whether an analysis may be asked beside engines, and in their place.
func (s *Source) mayBeScanned(opts Options) bool {
	return opts.auto() && !opts.Alone && s.mayBeProved(opts)
}

// analysisFor returns the analysis for a question; nil if there is none.
func (s *Source) analysisFor(opts Options) analysis {
	switch {
	case opts.asksForAll(aboutRaces):
		return &raceAnalysis{s: s, opts: opts}
	case opts.asksForAll(aboutAssertions):
		return &valueAnalysis{s: s, opts: opts}
	case opts.asksForAll(aboutOverflows) && opts.Question.Overflow != specialise.OverflowWrap:
		return &overflowAnalysis{s: s, opts: opts}
	case opts.asksForAll(aboutDeadlocks):
		return &orderAnalysis{s: s, opts: opts}
	case opts.asksForAll(aboutMemory):
		return &accessAnalysis{s: s, opts: opts}
	case opts.asksForAll(aboutUses):
		return &useAnalysis{s: s, opts: opts}
	}
	return nil
}

// proof is the way from an analysis to a verdict.
type proof struct {
	s    *Source
	opts Options
	a    analysis
	res  *Result
	// open is why what is proved is not enough.
	open error
	// proofs are those of engines.
	proofs   []*check.Certificate
	directed bool // runs are, at what is left
	// takenApart tells that the whole program has been taken apart.
	takenApart bool
	// engines is what they did where they were asked last about all that is left, and did not decide it; nil: nothing.
	engines *Portfolio
}

// prove makes an analysis, and has confirmed what it claims: if that is enough, the result is decided. The error is that of the context.
func (s *Source) prove(ctx context.Context, opts Options) (*proof, error) {
	p := &proof{s: s, opts: opts, a: s.analysisFor(opts)}
	p.res = &Result{Engine: scanStrategy, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(opts.Question)}
	done := opts.Timings.Start(timing.Scanning)
	err := p.a.find(ctx)
	done()
	if err != nil {
		return nil, err
	}
	if p.open = p.compose(ctx); p.open != nil && ctx.Err() == nil {
		p.res.unknown(ctx, errors.New(p.a.left(nil)))
		p.a.addFindings(ctx, p.res, nil)
		opts.runs.hears(opts.Question.Check.Names()[0], p.res)
	}
	return p, ctx.Err()
}

// compose makes it the verdict that the property holds, if that is confirmed with the proofs that there are. What it returns says why not.
func (p *proof) compose(ctx context.Context) error {
	cert := p.a.certificate(p.proofs)
	if cert == nil {
		return errors.New(p.a.left(nil))
	}
	cert.Format, cert.Version, cert.Program, cert.Verdict = check.Format, check.Version, p.s.identity(p.opts.Question), seqmc.Safe.String()
	a, r, err := p.s.checkWhole(ctx, cert, p.opts.Question, p.opts.Timings)
	if r != nil {
		p.res.Warnings = r.Warnings
	}
	if err != nil {
		p.res.unknown(ctx, err)
		return err
	}
	p.res.take(a)
	return nil
}

// direct has runs of the program directed at what is left.
func (p *proof) direct() {
	if !p.directed {
		p.directed = true
		p.opts.runs.towards(p.opts.Question.Check.Names()[0], p.a.targets())
	}
}

// Engines that have begun with all obligations have narrowsAfter for them. Then they begin anew with what is left, if they have lost no more than a part narrowsWithin of the
// time that there is.
const (
	narrowsAfter  = 5 * time.Second
	narrowsWithin = 4
)

// narrows waits until engines do better to begin anew with what is left, and reports whether they do: if there is much less to prove, or much more known, and most of the time is still there.
func (p *proof) narrows(ctx context.Context, begun time.Time) bool {
	if !p.a.helps() || !deadline.Elapses(ctx, narrowsAfter-time.Since(begun)) {
		return false
	}
	end, bounded := ctx.Deadline()
	return !bounded || time.Since(begun) < time.Until(end)/narrowsWithin
}

// decide decides what the analysis has left. large tells that the program is too large to be taken apart as a whole, or that engines have had their time for that: then runs go on
// for what time is left.
func (p *proof) decide(ctx context.Context, large bool) (*Result, error) {
	if p.res.decided() || ctx.Err() != nil {
		return p.res, nil
	}
	p.direct()
	p.opts.runs.atWork(true)
	res, err := p.byEngines(ctx, large)
	p.opts.runs.atWork(false)
	if err == nil && !res.decided() && res.Portfolio == nil {
		res.Portfolio = p.engines
	}
	if err != nil || res.decided() || ctx.Err() != nil {
		return res, err
	}
	res.onlyRuns = true
	alone := runsAlone
	if end, bounded := ctx.Deadline(); bounded {
		alone = time.Until(end) / 8 * 7
	}
	p.opts.runs.goOnFor(ctx, p.opts.Question.Check.Names()[0], alone)
	return res, nil
}

// runsAlone is how long runs go on where nothing else can decide, and there is no limit.
const runsAlone = 5 * time.Second

// byEngines asks engines about what is left.
func (p *proof) byEngines(ctx context.Context, large bool) (*Result, error) {
	if p.a.certificate(nil) == nil { // they prove all, or nothing
		if large {
			return p.res, nil
		}
		part := p.opts
		part.Strategy = Auto
		return p.s.verify(ctx, part)
	}
	opts := DecideOptions{Options: p.opts}
	opts.Options.Strategy = Auto
	d, err := p.a.obligations(opts)
	if err != nil {
		return nil, err
	}
	d.whole = p.takenApart
	done := p.atOnce(ctx, d)
	if d.whole = false; done != nil {
		return done, nil
	}
	if len(d.out) > 1 {
		if done := p.oneByOne(ctx, d); done != nil {
			return done, nil
		}
		if p.open = p.compose(ctx); p.open == nil {
			return p.res, nil
		}
		if done := p.atOnce(ctx, d); done != nil {
			return done, nil
		}
	}
	if ctx.Err() == nil {
		p.res.unknown(ctx, errors.New(p.a.left(d.out)))
		if p.res.Left != nil {
			p.a.addFindings(ctx, p.res, d.out)
		}
	}
	return p.res, nil
}

// maxTogether bounds the text of a question about many obligations, which is an argument of processes.
const maxTogether = 100_000

// atOnce asks about all obligations that are left, and returns the result if that decides.
func (p *proof) atOnce(ctx context.Context, d *decider) *Result {
	about := p.a.together(d, p.open)
	if about == "" || len(about) > maxTogether {
		return nil
	}
	x := Obligation{}
	each := 2 * d.opts.Each
	if end, ok := ctx.Deadline(); ok {
		if each = time.Until(end); len(d.out) > 1 {
			each /= 2
		}
	}
	if d.decide(ctx, &x, about, each); x.Status == ObligationViolated {
		return p.violated(&x)
	}
	if proved := p.keep(&x); proved {
		if p.open = p.compose(ctx); p.open == nil {
			return p.res
		}
	}
	if x.Result != nil {
		p.engines = cmp.Or(x.Result.Portfolio, p.engines)
	}
	return nil
}

// oneByOne asks about one obligation after the other, and returns the result of one that is violated.
func (p *proof) oneByOne(ctx context.Context, d *decider) *Result {
	within, stop := context.WithCancel(ctx)
	defer stop()
	d.opts.Decided = func(x *Obligation) {
		if x.Status == ObligationViolated {
			stop() // one is enough
		}
	}
	d.ask(within)
	for i := range d.out {
		if x := &d.out[i]; x.Status == ObligationViolated {
			if res := p.violated(x); res != nil {
				return res
			}
		}
		p.keep(&d.out[i])
	}
	return nil
}

// violated returns the result of a decision that an obligation is violated, nil if that has no evidence.
func (p *proof) violated(x *Obligation) *Result {
	if x.Result == nil || x.Result.Verdict != seqmc.Unsafe || x.Result.Certificate == nil {
		return nil
	}
	x.Result.Warnings, x.Result.Engine = p.res.Warnings, scanStrategy
	return x.Result
}

// keep keeps the proof that a decision is founded on, if there is one that is not there yet.
func (p *proof) keep(x *Obligation) bool {
	if x.Status != ObligationProved || x.Result == nil || x.Result.Certificate == nil {
		return false
	}
	c := x.Result.Certificate
	if slices.ContainsFunc(p.proofs, func(k *check.Certificate) bool { return k.Program.About == c.Program.About }) {
		return false
	}
	p.proofs = append(p.proofs, c)
	return true
}

// byAnalysis decides by an analysis, and by deciding what it leaves.
func (s *Source) byAnalysis(ctx context.Context, opts Options, large bool) (*Result, error) {
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	res := &Result{Engine: scanStrategy, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(opts.Question)}
	switch {
	case opts.Exact:
		return res.unknown(ctx, confirm.ErrExact), nil
	case s.restrict != nil:
		return res.unknown(ctx, errors.New("the strategy scan is about all executions")), nil
	case !s.mayBeProved(opts):
		return res.unknown(ctx, errors.New("the strategy scan is about assertions, data races (--check=race), deadlocks (--check=deadlock), overflows (--check=overflow), memory (--check=memory) or the use of locks (--check=locks), and nothing else")), nil
	}
	p, err := s.prove(ctx, opts)
	switch {
	case p == nil:
		return res.unknown(ctx, err), nil
	case opts.Alone:
		return p.res, nil
	}
	return p.decide(ctx, large)
}

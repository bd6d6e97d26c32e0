package comus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/internal/timing"
	"comus/ir"
	"comus/seqmc"
	"comus/specialise"
)

// Verify decides the program in a C source file; for more than that, see [Open]. The error is for programs that
// cannot be read (a *cfront.Error) and for wrong options; everything that keeps
// a readable program from being decided, the end of ctx included, is the verdict
// Unknown with a reason.
func Verify(ctx context.Context, file string, opts Options) (*Result, error) {
	opts = opts.Complete()
	opts.Source.Timings = opts.Timings
	start := time.Now()
	source, err := Open(ctx, File(file), opts.Source)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) { // the time was over while the program was read
		return (&Result{Engine: opts.Strategy}).unknown(ctx, err).measured(start, opts.Timings), nil
	}
	if err != nil {
		return nil, err
	}
	return source.Verify(ctx, opts)
}

// Verify decides a source that has been read: opts.Source says nothing.
func (s *Source) Verify(ctx context.Context, opts Options) (*Result, error) {
	start := time.Now().Add(-s.took)
	opts = opts.Complete()
	about := opts.Question.Check
	opts.asked = about
	if (opts.auto() && !opts.NoSimulate || opts.byScan()) && !opts.Alone && !opts.Exact {
		opts.runs = s.runsBeside(ctx, opts, about.Names(), false)
		defer opts.runs.end()
	}
	if !opts.Alone && !opts.Exact {
		opts.weak = s.weakly(ctx, opts)
		defer opts.weak.end()
	}
	if len(about.Names()) < 2 || opts.Alone {
		res, err := s.besideRuns(ctx, opts)
		if err != nil {
			return nil, err
		}
		res.Properties = res.properties(about.Names())
		opts.runs.tellTried(res, opts.Timings)
		if opts.All && !opts.Alone {
			s.findAll(ctx, res, opts)
		}
		return res.measured(start, opts.Timings), nil
	}
	in := &inquiry{log: opts.Log, engine: opts.Strategy, runs: opts.runs, found: opts.Found, ask: func(ctx context.Context, about specialise.Checks) (*Result, error) {
		part := opts
		part.Question.Check = about
		return s.verify(ctx, part)
	}}
	res, err := in.run(ctx, about)
	if err != nil {
		return nil, err
	}
	opts.runs.tellTried(res, opts.Timings)
	if opts.All {
		s.findAll(ctx, res, opts)
	}
	return res.measured(start, opts.Timings), nil
}

// besideRuns asks one question about one property, with runs of the program beside, if there are any: one that violates the property is the answer where nothing else decides.
func (s *Source) besideRuns(ctx context.Context, opts Options) (*Result, error) {
	runs, names, begun := opts.runs, opts.Question.Check.Names(), time.Now()
	if runs == nil {
		return s.verify(ctx, opts)
	}
	within, stop := runs.until(ctx, names)
	defer stop()
	res, err := inTime(within, lateness, opts.Log, func() (*Result, error) { return s.verify(within, opts) })
	if err != nil {
		return nil, err
	}
	if opts.byScan() && opts.Sanitize > 0 && res != nil && res.Verdict == seqmc.Unsafe { // gcc's sanitizer can judge a run, and no execution of an engine's
		runs.goOn(ctx, names[0], 0)
		if run := runs.verdict(ctx, names[0]); run != nil {
			return run, nil
		}
	}
	if ctx.Err() == nil && res != nil && !res.decided() && res.Internal == nil && res.Suspected == nil && !res.onlyRuns && !res.proved { // of a suspicion, runs have been asked
		runs.goOn(ctx, names[0], time.Since(begun))
	}
	if res = runs.instead(ctx, names[0], res); res == nil {
		res = (&Result{Engine: opts.Strategy}).unknown(ctx, ctx.Err())
	}
	return res, nil
}

// verify asks one question about the source. The options are complete.
func (s *Source) verify(ctx context.Context, opts Options) (*Result, error) {
	if opts.weak != nil {
		return s.verifyWeakly(ctx, opts)
	}
	return s.verifyInModel(ctx, opts)
}

// verifyStrongly asks one question about the source, as if memory was sequentially consistent, and has runs of the program stand beside a proof.
func (s *Source) verifyStrongly(ctx context.Context, opts Options) (*Result, error) {
	start := time.Now()
	res, q, err := s.answer(ctx, opts)
	if err == nil && !opts.Alone {
		s.besideProof(ctx, res, opts.runs, opts.Question, opts.asked, q.readingOf(), time.Since(start))
		if res.Internal != nil {
			opts.Log.Error("a proof is contradicted", "engine", res.Engine, "error", res.Internal)
		}
	}
	return res, err
}

// answer asks one question about the source; with the answer comes the question about the program taken apart, nil if there is none.
func (s *Source) answer(ctx context.Context, opts Options) (*Result, *question, error) {
	start := time.Now()
	whole := opts
	whole.Question.AnyReads = "" // analyses are about the program itself
	if opts.byScan() {
		res, err := s.byAnalysis(ctx, whole, false)
		if err != nil {
			return nil, nil, err
		}
		return res.measured(start, opts.Timings), nil, nil
	}
	beside := s.proveBeside(ctx, whole)
	part, stop := s.takenApartIn(beside.within, opts)
	q, err := within(part, s, opts)
	late := part.Err() != nil && errors.Is(err, part.Err())
	stop()
	if err != nil {
		if late || errors.As(err, new(*specialise.Error)) {
			beside.goesOn()
		}
		other, wrong := beside.ends(ctx, false, false)
		if wrong != nil {
			return nil, nil, wrong
		}
		if other != nil && (late || errors.As(err, new(*specialise.Error))) { // options may be wrong
			return other.measured(start, opts.Timings), nil, nil
		}
		res := &Result{Engine: opts.Strategy}
		if s.prog != nil {
			res.Warnings = s.prog.Warnings
		}
		if ctx.Err() == nil {
			if late {
				err = &specialise.Error{Msg: "the program cannot be taken apart in half of the time"}
			}
			if err := res.tooLarge(err); err != nil {
				return nil, nil, err
			}
			if res, err = beside.insteadOfEngines(ctx, s, whole, res); err != nil {
				return nil, nil, err
			}
			return res.measured(start, opts.Timings), nil, nil
		}
		return res.unknown(ctx, err).measured(start, opts.Timings), nil, nil
	}
	granted := slices.Clone(q.Original.Assumptions)
	if opts.Exact && q.approximated() {
		q = q.exactly()
	}
	opts.runs.atWork(true)
	res, err := q.decideWithin(beside.within)
	opts.runs.atWork(false)
	if err != nil {
		beside.stop()
		return nil, nil, err
	}
	decided := res.decided()
	if decided && s.onlyStrong(ctx, res, opts) { // an analysis may prove it for all memory orders
		beside.goesOn()
		decided = false
	}
	other, err := beside.ends(ctx, decided, true)
	switch {
	case err != nil:
		return nil, nil, err
	case other != nil:
		return other.measured(start, opts.Timings), nil, nil
	}
	beside.tells(res)
	if other := beside.besidesSuspicion(ctx, s, whole, res); other != nil {
		return other.measured(start, opts.Timings), nil, nil
	}
	res.granted = granted
	if s.prog != nil { // else a portfolio has read it, and asks
		s.proveRaceFree(ctx, res, opts.Timings)
	}
	return res.measured(start, opts.Timings), q, nil
}

// takenApartIn returns the context for taking a program apart: half of the time that is left, if a scan can be asked instead.
func (s *Source) takenApartIn(ctx context.Context, opts Options) (context.Context, context.CancelFunc) {
	end, bounded := ctx.Deadline()
	if !bounded || !s.mayBeScanned(opts) {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// VerifyProgram is [Verify] for a program that is already there in IR.
func VerifyProgram(ctx context.Context, p *ir.Program, opts Options) (*Result, error) {
	start := time.Now()
	opts = opts.Complete()
	q, err := inquire(nil, &Reading{Program: p}, opts)
	if err != nil {
		return nil, err
	}
	if opts.Exact && q.approximated() {
		q = q.exactly()
	}
	res, err := q.answer(ctx)
	if err != nil {
		return nil, err
	}
	return res.measured(start, opts.Timings), nil
}

// Complete returns the options with what is missing, and without what runs before and beside
// an engine that they name.
func (o Options) Complete() Options {
	if o.Timings == nil {
		o.Timings = timing.New()
	}
	if o.Log == nil {
		o.Log = hclog.NewNullLogger()
	}
	if !o.auto() {
		o.NoSimulate = true
		o.Grow = o.Grow && o.Engine == nil && o.Strategy == engine.Modular{}.Name()
	}
	return o
}

// grace is how long after the end of their time engines are waited for.
const grace = 2 * time.Second

// decideWithin is decide, but that it comes back when the context has ended: what of a large program is made ready for engines does not look at it everywhere, and goes on
// by itself for a while.
func (q *question) decideWithin(ctx context.Context) (*Result, error) {
	res, err := inTime(ctx, grace, q.opts.Log, func() (*Result, error) { return q.decide(ctx) })
	if res == nil && err == nil {
		res = (&Result{Engine: q.opts.Strategy, Warnings: q.warnings}).unknown(ctx, ctx.Err())
	}
	return res, err
}

// decide decides the source that a question within bounds is about. Where a loop creates
// threads, other questions come before it, beside it and after it: more threads are
// simulated first, which is short; a proof for every number of threads is looked for at the
// same time; and if there is no violation within the bounds, they grow.
func (q *question) decide(ctx context.Context) (*Result, error) {
	if res := q.simulateLarger(ctx); res != nil {
		return res, nil
	}
	switch {
	case q.portfolio(): // whose processes ask the other questions
		return q.answer(ctx)
	case q.opts.auto() && q.manyThreads():
		return q.besideEvery(ctx)
	}
	res, err := q.answer(ctx)
	if err != nil {
		return nil, err
	}
	return q.grow(ctx, res), nil
}

// answer answers the question, and the one without approximations if that has to be asked.
func (q *question) answer(ctx context.Context) (*Result, error) {
	if q.approximated() {
		return q.answerApproximated(ctx)
	}
	return q.attempt(ctx)
}

// attempt puts the question to those who may answer it: to simulation at first, then to the
// engine that the options name or to a portfolio, with simulation beside.
func (q *question) attempt(ctx context.Context) (*Result, error) {
	sim := q.simulation()
	if res := sim.first(ctx, simulateFirst); res != nil {
		return res, nil
	}
	stop := q.opts.Timings.Start(timing.Passes)
	_, err := q.Simplify()
	stop()
	if err != nil {
		return nil, err
	}
	if q.portfolio() {
		if res := q.visitFew(ctx); res != nil {
			return res, nil
		}
		return sim.beside(ctx, q.race), nil
	}
	return sim.beside(ctx, q.ask), nil
}

// Check confirms a certificate for the program in a source file, with the
// options the certificate names. Those that are not the default and change what the
// program means are among the result's assumptions: whoever wrote the certificate chose them.
func Check(ctx context.Context, file string, cert *check.Certificate) (*Result, error) {
	return CheckUnits(ctx, File(file), cfront.Options{}, cert)
}

// CheckUnits is [Check] for a program of several units. Of the options, those count that a
// certificate does not name: the models.
func CheckUnits(ctx context.Context, units []command.Invocation, given cfront.Options, cert *check.Certificate) (*Result, error) {
	return CheckSet(ctx, units, given, check.NewSet(nil, []*check.Certificate{cert}))
}

// check confirms a certificate for the source, read as the certificate wants it.
func (s *Source) check(ctx context.Context, cert *check.Certificate, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	_, how, err := SourceOptions(cert.Program, s.how)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	switch cert.Method {
	case check.MethodRun, check.MethodScan, check.MethodParts, check.MethodLockOrder, check.MethodValues, check.MethodAccesses, check.MethodUses, check.MethodGraphs, check.MethodAxioms:
		return s.checkWhole(ctx, cert, how, timings)
	}
	other := func(sum string) bool { return sum != cert.Program.SHA256 }
	if s.prog != nil && other(s.prog.SHA256) {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	r, err := s.read(ctx, how, timings)
	if err == nil && other(r.ID.SHA256) {
		err = fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	defer timings.Start(timing.Checking)()
	a, err := confirm.New(r.Program, r.Read, r.ID, nil, nil).Certificate(ctx, cert)
	return a, r, err
}

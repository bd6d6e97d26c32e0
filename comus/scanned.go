package comus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"comus/check"
	"comus/cir"
	"comus/cir/interp"
	"comus/comus/confirm"
	"comus/internal/deadline"
	"comus/internal/timing"
	"comus/replay"
	"comus/scan"
	"comus/scan/hunt"
	"comus/scan/points"
	"comus/seqmc"
	"comus/specialise"
)

// The strategy "scan" asks an analysis of the whole program (package scan) whether there is a data race. It is no [Engine]: those are given a program
// that was taken apart, and a program may be too large for that. If package check/scancheck confirms what the scan claims of all memory,
// the program has no data race. If suspects are left, they are decided ([Source.Decide]): one that is a race decides the program, and if each is proved to be none, these proofs
// are part of the certificate.
// It is no part of a portfolio, as it assumes more of memory than other engines do, but is asked in its place where the program is too large for them, and its proof
// counts where they find no answer (besideScan).

const scanStrategy = "scan"

// asksForRaces reports whether a question is one that a scan may answer.
func (o Options) asksForRaces() bool {
	q := o.Question
	return q.Check == specialise.Checks{NoAssert: true, Race: true} && q.About == "" && q.Cut == 0 && q.Known == "" && !q.AtomicStatements && !q.Parametric && !o.Exact
}

// leastOfSuspect is less than what engines take for a suspect.
const leastOfSuspect = 50 * time.Millisecond

// huntingTime is the part of the time that runs of the program get before engines are asked about suspects: half of it, or most, where the engines could not prove all of
// them in the other half, so that an execution is what can decide.
func huntingTime(left time.Duration, suspects int) time.Duration {
	if time.Duration(suspects)*leastOfSuspect > left/2 {
		return left / 8 * 7
	}
	return left / 2
}

// verifyByScan decides by a scan, and by deciding its suspects. large tells that it is known that the program is too large to be taken apart.
func (s *Source) verifyByScan(ctx context.Context, opts Options, large bool) (*Result, error) {
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	res := &Result{Engine: scanStrategy, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(opts.Question)}
	switch {
	case opts.Exact:
		return res.unknown(ctx, confirm.ErrExact), nil
	case s.restrict != nil:
		return res.unknown(ctx, errors.New("the strategy scan is about all executions")), nil
	case opts.asksForAssertions():
		return s.byParts(ctx, opts, res, large)
	case opts.asksForDeadlocks():
		return s.byOrders(ctx, opts, res, large)
	case !opts.asksForRaces():
		return res.unknown(ctx, errors.New("the strategy scan is about assertions, data races (--check=race) or deadlocks (--check=deadlock), and nothing else")), nil
	}
	found, err := s.scanWhole(ctx, opts)
	if err != nil {
		return res.unknown(ctx, err), nil
	}
	p := &scanProof{s: s, opts: opts, found: found, res: res}
	open := p.confirm(ctx)
	if open == nil || ctx.Err() != nil {
		return res, nil
	}
	if err := certify(ctx, s.prog.Program, found.Result); err == nil {
		res.Scan = found.Result
	}
	suspects := found.suspects()
	switch {
	case len(suspects) == 0 && (len(leftBy(open)) == 0 || opts.Alone):
		return res, nil
	case opts.Alone:
		return res.unknown(ctx, errors.New(leftOf(suspects, nil))), nil
	}
	return p.bySuspects(ctx, suspects, open)
}

// insteadByScan asks a scan about a program that is too large for engines, if it is not named which one is asked. Its SAFE may take more for granted than those of
// others, which is said; it is the answer where there is no other, and only there.
func (s *Source) insteadByScan(ctx context.Context, opts Options, large *Result) (*Result, error) {
	if !s.mayBeScanned(opts) {
		return large, nil
	}
	opts.Log.Info("the program is too large: a scan is asked", "reason", large.Reason)
	res, err := s.verifyByScan(ctx, opts, true)
	if err != nil || res.decided() {
		return res, err
	}
	if res.Reason != large.Reason {
		res.Reason = large.Reason + "; scan: " + res.Reason
	}
	return res, nil
}

// mayBeScanned reports whether a scan may be asked in the place of engines.
func (s *Source) mayBeScanned(opts Options) bool {
	return s.prog != nil && s.restrict == nil && opts.auto() && !opts.Alone && (opts.asksForRaces() || opts.asksForAssertions() || opts.asksForDeadlocks())
}

// besideScan is a scan beside engines that take their time: it has an answer where values are enough for a proof, and nothing in the program has to be
// taken apart.
type besideScan struct {
	within context.Context // of the engines: it ends when they have had their time, and there is an answer
	stop   func()
	done   chan struct{}
	res    *Result
	left   *scan.Result // what it has found where that is no proof; nil: nothing
}

// When a scan begins beside engines, and how long these have, as parts of the time that there is, and at most.
const (
	scanBesideFrom, scanBesideAt   = 4 * time.Second, 5
	enginesBeforeScan, enginesHave = 20 * time.Second, 2
)

// When a scan for data races begins, and how long engines have when it has a proof: they take less for granted.
const racesFrom, enginesAfterRaces = 300 * time.Millisecond, time.Second

// racesBeside begins a scan for data races.
func (s *Source) racesBeside(ctx context.Context, opts Options) *besideScan {
	from := racesFrom
	if end, ok := ctx.Deadline(); ok {
		from = min(from, time.Until(end)/scanBesideAt)
	}
	opts.Alone, opts.Timings = true, timing.New()
	b := &besideScan{done: make(chan struct{})}
	b.within, b.stop = context.WithCancel(ctx)
	go func() {
		defer close(b.done)
		if !deadline.Elapses(b.within, from) {
			return
		}
		begun := time.Now()
		res, err := s.verifyByScan(b.within, opts, false)
		if err != nil || res.Verdict != seqmc.Safe {
			if res != nil {
				b.left = res.Scan
			}
			return
		}
		b.res = res
		opts.Log.Info("a scan has a proof; the engines have some more time for theirs")
		if deadline.Elapses(b.within, max(enginesAfterRaces, time.Since(begun))) {
			b.stop()
		}
	}()
	return b
}

// scanBeside begins a scan if the engines have not ended before, for questions about all data races (racesBeside) or all assertions. The latter ends with
// runs of the program as a whole that are directed at assertions, when the engines have had their time.
func (s *Source) scanBeside(ctx context.Context, opts Options) *besideScan {
	switch {
	case !s.mayBeScanned(opts) || !opts.asksForAssertions() && !opts.asksForRaces():
		return &besideScan{within: ctx, stop: func() {}}
	case opts.asksForRaces():
		return s.racesBeside(ctx, opts)
	}
	from, have := scanBesideFrom, enginesBeforeScan
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		from, have = min(from, left/scanBesideAt), min(have, left/enginesHave)
	}
	begun := time.Now()
	b := &besideScan{done: make(chan struct{})}
	b.within, b.stop = context.WithCancel(ctx)
	go func() {
		defer close(b.done)
		if !deadline.Elapses(b.within, from) {
			return
		}
		opts.Timings = timing.New()
		res, err := s.withoutEngines(b.within, opts, func() bool { return deadline.Elapses(b.within, have-time.Since(begun)) })
		if err != nil || !res.decided() {
			return
		}
		if b.res = res; res.Verdict == seqmc.Unsafe {
			b.stop()
			return
		}
		opts.Log.Info("a scan has a proof; the engines have some more time for theirs")
		if deadline.Elapses(b.within, have-time.Since(begun)) {
			b.stop()
		}
	}()
	return b
}

// ends ends the scan. What it returns is its answer, if the engines have none.
func (b *besideScan) ends(decided bool) *Result {
	if b.stop(); b.done == nil {
		return nil
	}
	if <-b.done; decided {
		return nil
	}
	return b.res
}

// scanned is what a scan has found.
type scanned struct{ *scan.Result }

// suspects returns the suspects, those first that are most likely real.
func (f scanned) suspects() (list []*scan.Suspect) {
	for _, l := range f.Locations {
		list = append(list, l.Suspects...)
	}
	slices.SortStableFunc(list, func(x, y *scan.Suspect) int { return cmp.Compare(y.Rank, x.Rank) })
	return list
}

// scanWhole scans the program, and has all claims written down. The error is that of the context.
func (s *Source) scanWhole(ctx context.Context, opts Options) (scanned, error) {
	defer opts.Timings.Start(timing.Scanning)()
	found, err := scan.Analyse(ctx, s.prog.Program, nil, scan.Options{Certificate: true, Whole: true})
	return scanned{found}, err
}

// contradiction is the error that two judges of one run do not agree.
type contradiction struct{ error }

// byRun makes a run of the whole program that has a race, or fails an assertion, the verdict, if it is confirmed.
func (s *Source) byRun(ctx context.Context, ex *hunt.Execution, opts Options) (*Result, error) {
	res := &Result{Engine: scanStrategy, program: s.identity(opts.Question)}
	defer opts.Timings.Start(timing.Checking)()
	whole, run := &confirm.Whole{Program: s.prog.Program, ID: res.program}, (*replay.Run)(nil)
	if opts.Sanitize > 0 && (ex.Undefined == [2]string{} || ex.Undefined[0] == interp.CheckMemory) && len(ex.Kept) == 0 { // gcc's program is woven for what ends otherwise
		run = replay.NewRun(s.prog.Program)
		whole.Tracer = run.Tracer()
	}
	a, err := whole.Executed(ctx, ex)
	if err != nil {
		return nil, err
	}
	if run != nil && a.Ran().Interrupted {
		run, res.Sanitizer = nil, "gcc's program was not asked: a handler of signals interrupts a thread"
	}
	if run != nil {
		j := judged(ctx, run, s.prog.Program, ex, a, opts.Sanitize)
		if opts.Log.Info("the run is judged", "judgement", j); j.Contradicts() {
			what := fmt.Sprintf("has a data race (%s and %s)", ex.Race[0], ex.Race[1])
			switch {
			case ex.Undefined != [2]string{}:
				what = fmt.Sprintf("has an invalid access to memory (%s)", ex.Undefined[1])
			case ex.Fails != "":
				what = fmt.Sprintf("fails an assertion (%s)", ex.Fails)
			case len(ex.Waits) > 0:
				what = fmt.Sprintf("ends in a deadlock (%s)", strings.Join(ex.Waits, ", "))
			}
			return nil, &contradiction{fmt.Errorf("a run of the program %s, but %s", what, j)}
		}
		res.Sanitizer = j.String()
	}
	res.take(a)
	res.Sizes.Threads = len(a.Trace().Program.Threads)
	return res, nil
}

// checkRun confirms a certificate of Unsafe with a run of the whole program.
func (s *Source) checkRun(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	defer timings.Start(timing.Checking)()
	a, err := (&confirm.Whole{Program: p.Program, ID: s.identity(how)}).Run(ctx, cert)
	r := specialise.Nothing(p.Program)
	r.HasAssertions = true // the one that fails, if the run is about assertions
	return a, s.reading(r, p.Program, how), err
}

// checkScan confirms a certificate of a scan, and those in it about suspects, each by itself.
func (s *Source) checkScan(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	proofs, err := s.checkAll(ctx, cert.Suspects, timings)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	defer timings.Start(timing.Checking)()
	pts, err := points.AnalyseOpen(ctx, p.Program)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	a, err := (&confirm.Whole{Program: p.Program, ID: s.identity(how)}).Certificate(ctx, pts, cert, proofs)
	return a, s.reading(specialise.Nothing(p.Program), p.Program, how), err
}

// checkAll confirms the proofs that a certificate is made of, each by itself.
func (s *Source) checkAll(ctx context.Context, certs []*check.Certificate, timings *timing.Timings) (proofs []confirm.Answer, err error) {
	for i, c := range certs {
		if c == nil || c.Method == check.MethodRun || c.Method == check.MethodScan || c.Method == check.MethodParts {
			return nil, fmt.Errorf("suspects, proof %d: it is about no part of the program", i+1)
		}
		a, _, err := s.check(ctx, c, timings)
		if err != nil {
			return nil, fmt.Errorf("suspects, proof %d: %w", i+1, err)
		}
		proofs = append(proofs, a)
	}
	return proofs, nil
}

// scanProof is the way from the claims of a scan to a verdict.
type scanProof struct {
	s     *Source
	opts  Options
	found scanned
	res   *Result
	// proofs are those about suspects.
	proofs []*check.Certificate
}

// confirm makes it the verdict that there is no data race, if that is confirmed with the proofs that there are. What it returns says why not.
func (p *scanProof) confirm(ctx context.Context) error {
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: p.s.identity(p.opts.Question), Verdict: seqmc.Safe.String(),
		Method: check.MethodScan, Scan: p.found.Certificate, Suspects: p.proofs}
	a, _, err := p.s.checkScan(ctx, cert, p.opts.Question, p.opts.Timings)
	if err != nil {
		p.res.unknown(ctx, err)
		return err
	}
	p.res.take(a)
	return nil
}

// leftBy returns the pairs of accesses that an error of confirm leaves to others.
func leftBy(err error) [][2]cir.Instr {
	var open *confirm.Open
	if !errors.As(err, &open) {
		return nil
	}
	return open.Left
}

// bySuspects decides a program by its suspects: runs look for an execution; engines are asked about all together, which is enough for small programs, and about one after
// the other, those first that are most likely real. One that is a race decides; if each is proved to be none, the proofs are part of the certificate.
func (p *scanProof) bySuspects(ctx context.Context, suspects []*scan.Suspect, open error) (*Result, error) {
	within, stop := context.WithCancel(ctx)
	defer stop()
	var unsafe *Result
	var doubt error
	ask := SuspectOptions{Options: p.opts, Decided: func(d *Decision) {
		if d.Status == SuspectConfirmed && d.Result != nil && d.Result.Verdict == seqmc.Unsafe {
			stop() // one is enough
		}
	}}
	ask.Hunt.Confirmed = func(ex *hunt.Execution) (counts, enough bool) { // one is enough
		var err error
		if unsafe, err = p.s.byRun(ctx, ex, p.opts); err == nil {
			stop()
		} else if errors.As(err, new(*contradiction)) {
			doubt = err
		}
		return err == nil, err == nil
	}
	ask.Options.Strategy = Auto
	if end, ok := ctx.Deadline(); ok {
		ask.Hunt.Time = huntingTime(time.Until(end), len(suspects))
	}
	d, err := p.s.decider(suspects, ask)
	if err != nil {
		return nil, err
	}
	if d.hunt(within); unsafe != nil {
		unsafe.Warnings = p.res.Warnings
		return unsafe, nil
	}
	if doubt != nil {
		return p.res.unknown(ctx, doubt), nil
	}
	if unsafe := p.unsafe(ctx, d.out); unsafe != nil {
		return unsafe, nil
	}
	pairs := leftBy(open)
	for i, x := range suspects {
		if d.about[i] != "" {
			pairs = append(pairs, placesOf(p.s.prog.Program).pairs(x)...)
		}
	}
	if done := p.together(ctx, d, pairs); done != nil {
		return done, nil
	}
	d.ask(within)
	if unsafe := p.unsafe(ctx, d.out); unsafe != nil {
		return unsafe, nil
	}
	for i := range d.out {
		p.keep(&d.out[i])
		if d.out[i].Status != SuspectImpossible {
			return p.res.unknown(ctx, errors.New(leftOf(suspects, d.out))), nil
		}
	}
	if open = p.confirm(ctx); open != nil { // about pairs that are not told of as suspects
		if done := p.together(ctx, d, leftBy(open)); done != nil {
			return done, nil
		}
	}
	return p.res, nil
}

// maxTogether bounds the text of a question about all suspects, which is an argument of processes.
const maxTogether = 100_000

// together asks about some pairs at once, and returns the result if that decides.
func (p *scanProof) together(ctx context.Context, d *decider, pairs [][2]cir.Instr) *Result {
	about, err := specialise.About(p.s.prog.Program, pairs)
	if err != nil || about == "" || len(about) > maxTogether {
		return nil
	}
	x := Decision{}
	each := 2 * d.opts.Each
	if end, ok := ctx.Deadline(); ok {
		each = time.Until(end) / 2
	}
	d.decide(ctx, &x, about, each)
	if unsafe := p.unsafe(ctx, []Decision{x}); unsafe != nil {
		return unsafe
	}
	had := len(p.proofs)
	if p.keep(&x); len(p.proofs) > had && p.confirm(ctx) == nil {
		return p.res
	}
	return nil
}

// keep keeps the proof that a decision is founded on.
func (p *scanProof) keep(d *Decision) {
	if d.Status != SuspectImpossible || d.Result == nil || d.Result.Certificate == nil {
		return
	}
	c := d.Result.Certificate
	if !slices.ContainsFunc(p.proofs, func(k *check.Certificate) bool { return k.Program.About == c.Program.About }) {
		p.proofs = append(p.proofs, c)
	}
}

// unsafe returns the result of Unsafe that one of some decisions is evidence for, nil if none is.
func (p *scanProof) unsafe(ctx context.Context, all []Decision) *Result {
	for i := range all {
		if unsafe := p.s.executed(ctx, &all[i], p.opts); unsafe != nil {
			unsafe.Warnings, unsafe.Engine = p.res.Warnings, scanStrategy
			return unsafe
		}
	}
	return nil
}

// executed returns the result of Unsafe that a decision is evidence for, nil if there is none. An execution that runs of the whole program have
// found is made one of the program as engines see it by asking them about the pair.
func (s *Source) executed(ctx context.Context, d *Decision, opts Options) *Result {
	if d.Status != SuspectConfirmed {
		return nil
	}
	res := d.Result
	if res == nil {
		about, err := specialise.About(s.prog.Program, placesOf(s.prog.Program).pairs(d.Suspect))
		if err != nil {
			return nil
		}
		part := opts
		part.Strategy, part.Question.About = Auto, about
		if res, err = s.verify(ctx, part.Complete()); err != nil {
			return nil
		}
	}
	if res.Verdict != seqmc.Unsafe || res.Certificate == nil {
		return nil
	}
	return res
}

// listed is how many suspects a reason names.
const listed = 3

// leftOf says which suspects are left; decisions are what has become of them, nil if nobody was asked.
func leftOf(suspects []*scan.Suspect, decisions []Decision) string {
	var places []string
	n := 0
	for i, x := range suspects {
		more := ""
		if decisions != nil {
			switch d := &decisions[i]; {
			case d.Status == SuspectImpossible:
				continue
			case d.Status == SuspectConfirmed:
				more = ": a run of the program has the race, but no engine could replay it"
			}
		}
		if n++; n <= listed {
			places = append(places, fmt.Sprintf("%s and %s (%s)%s", accessedAt(x.A), accessedAt(x.B), x.Location.Name, more))
		}
	}
	switch {
	case n == 0:
		return "all suspects of the scan are impossible, but not all that is claimed of the rest is certified"
	case n > listed:
		places = append(places, fmt.Sprintf("%d more", n-listed))
	}
	return "accesses that may be a race: " + strings.Join(places, ", ")
}

func accessedAt(a *scan.Access) string {
	if a.Site == nil {
		return "?"
	}
	return a.Site.Pos.String()
}

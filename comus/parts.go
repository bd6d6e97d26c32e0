package comus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"comus/check"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/hunt"
	"comus/scan/points"
	"comus/scan/values"
	"comus/seqmc"
	"comus/specialise"
)

// The strategy "scan" decides assertions one by one: each is a question of its own ([specialise.AboutAssertions]), in a program from which the calls that have nothing
// to do with it may be left out (package scan/cut). One that fails in an execution decides the program; where engines have no answer, runs of the program as a whole look for one. If each is proved, the proofs together are the certificate.
// Those that follow from what registers and cells can hold, alone or together (package scan/values), which package check/valuecheck has verified, need no engine. What the scan
// takes for proved beyond that says which ones are asked about last; it is no evidence.

// asksForAssertions reports whether a question is one about all assertions.
func (o Options) asksForAssertions() bool {
	q := o.Question
	return q.Check == specialise.Checks{} && q.About == "" && q.Cut == 0 && q.Known == "" && !q.Parametric && !o.Exact
}

// partsProof is the way from single assertions to a verdict.
type partsProof struct {
	s    *Source
	opts Options
	res  *Result
	// list are the assertions that are left to engines, those first of which the least is known; values are those of them that the analysis of values calls proved, which
	// is not verified.
	list   []*cir.Intrinsic
	values map[*cir.Intrinsic]bool
	// claims are those about values from which the others follow, nil if there are none.
	claims *certificate.Values
	proofs []*check.Certificate
	pts    *points.Result
	// failure is the verdict by a run of the program, and doubt why such a run is none.
	failure *Result
	doubt   error
}

// byParts decides assertions. large tells that it is known that the program is too large to be taken apart.
func (s *Source) byParts(ctx context.Context, opts Options, res *Result, large bool) (*Result, error) {
	p := &partsProof{s: s, opts: opts, res: res}
	if err := p.find(ctx); err != nil {
		return res.unknown(ctx, err), nil
	}
	if p.confirm(ctx) == nil { // there is none, or all follow from values
		return res, nil
	}
	if opts.Alone {
		return res.unknown(ctx, errors.New(p.left(nil))), nil
	}
	d, err := p.decider()
	if err != nil {
		return nil, err
	}
	if large && p.hunt(ctx, d, firstRuns) { // engines can prove at most
		return p.failure, nil
	}
	if done := p.together(ctx, d); done != nil {
		return done, nil
	}
	if len(p.list) > 1 {
		if done := p.oneByOne(ctx, d); done != nil {
			return done, nil
		}
	}
	if ctx.Err() == nil && p.hunt(ctx, d, lastRuns) {
		return p.failure, nil
	}
	if p.doubt != nil {
		return res.unknown(ctx, p.doubt), nil
	}
	return res, nil
}

// withoutEngines decides all assertions by what values are enough for, and otherwise by runs of the program as a whole, if runs says so when it comes to that.
func (s *Source) withoutEngines(ctx context.Context, opts Options, runs func() bool) (*Result, error) {
	res := &Result{Engine: scanStrategy, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(opts.Question)}
	p := &partsProof{s: s, opts: opts, res: res}
	if err := p.find(ctx); err != nil {
		return res.unknown(ctx, err), nil
	}
	if p.confirm(ctx) == nil || !runs() {
		return res, nil
	}
	d, err := p.decider()
	if err != nil {
		return nil, err
	}
	if p.hunt(ctx, d, 1) {
		return p.failure, nil
	}
	return res, nil
}

// The parts of the time that is left which runs get before engines are asked, and after that.
const firstRuns, lastRuns = 1. / 4, 7. / 8

// decider begins to decide the assertions that are left.
func (p *partsProof) decider() (*decider, error) {
	var list []*scan.Assertion
	for _, in := range p.list {
		list = append(list, &scan.Assertion{Instr: in, Site: in.Site})
	}
	opts := SuspectOptions{Options: p.opts}
	opts.Options.Strategy = Auto
	return p.s.assertionDecider(list, opts)
}

// oneByOne asks engines about one assertion after the other. It returns the result if that decides.
func (p *partsProof) oneByOne(ctx context.Context, d *decider) *Result {
	within, stop := context.WithCancel(ctx)
	defer stop()
	d.opts.Decided = func(x *Decision) {
		if x.Status == SuspectConfirmed {
			stop() // one is enough
		}
	}
	d.ask(within)
	for i := range d.out {
		if x := &d.out[i]; x.Status == SuspectConfirmed {
			return p.failed(x)
		}
		p.keep(&d.out[i])
	}
	if err := p.confirm(ctx); err != nil && len(p.proofs) < len(p.list) {
		p.res.unknown(ctx, errors.New(p.left(d.out)))
		return nil
	}
	return p.res
}

// hunt makes runs of the whole program for a part of the time that is left, and reports whether one is the verdict.
func (p *partsProof) hunt(ctx context.Context, d *decider, part float64) bool {
	if p.opts.Question.AtomicStatements { // which interleaves less
		return false
	}
	var targets []hunt.Target
	d.direct(p.pts)
	for i := range d.out {
		if d.out[i].Status == SuspectOpen {
			targets = append(targets, d.targets[i])
		}
	}
	within, stop := context.WithCancel(ctx)
	defer stop()
	opts := d.opts.Hunt
	if end, ok := ctx.Deadline(); ok {
		opts.Time = time.Duration(part * float64(time.Until(end)))
	}
	opts.Confirmed = func(ex *hunt.Execution) (counts, enough bool) { // one is enough
		res, err := p.s.byRun(ctx, ex, p.opts)
		switch {
		case err == nil:
			res.Warnings, p.failure = p.res.Warnings, res
			stop()
		case errors.As(err, new(*contradiction)):
			p.doubt = err
		}
		return err == nil, err == nil
	}
	if _, err := hunt.For(within, p.s.prog.Program, targets, opts); err != nil {
		p.opts.Log.Info("the program cannot be run", "error", err)
	}
	return p.failure != nil
}

// find finds the assertions, and what the analysis of values knows of them.
func (p *partsProof) find(ctx context.Context) error {
	defer p.opts.Timings.Start(timing.Scanning)()
	prog := p.s.prog.Program
	p.list, p.values = specialise.Assertions(prog), map[*cir.Intrinsic]bool{}
	if len(p.list) == 0 {
		return nil
	}
	pts, err := points.AnalyseOpen(ctx, prog)
	if err != nil {
		return err
	}
	p.pts = pts
	if _, err := p.byValues(ctx, pts, true); err != nil || len(p.list) == 0 {
		return err
	}
	v, err := p.byValues(ctx, pts, false)
	if err != nil {
		return err
	}
	for _, a := range v.Assertions() {
		p.values[a.Instr] = a.Proved
	}
	slices.SortStableFunc(p.list, func(x, y *cir.Intrinsic) int {
		switch {
		case p.values[x] == p.values[y]:
			return 0
		case p.values[x]:
			return 1
		}
		return -1
	})
	return nil
}

// byValues takes from the list the assertions that follow from what registers and cells can hold, as far as that is confirmed: plain, one by one, or also from what they
// have to do with each other, if that is more.
func (p *partsProof) byValues(ctx context.Context, pts *points.Result, plain bool) (*values.Result, error) {
	prog, wrap := p.s.prog.Program, p.opts.Question.Overflow == specialise.OverflowWrap
	v, err := values.Analyse(ctx, prog, pts, values.Options{Plain: plain, Wrap: wrap})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(v.Assertions(), func(a *values.Assertion) bool { return a.Proved && slices.Contains(p.list, a.Instr) }) {
		return v, nil
	}
	claims := v.Claims()
	r, err := valuecheck.Check(ctx, prog, pts, claims, valuecheck.Options{Wrap: wrap})
	all := specialise.Assertions(prog)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		p.opts.Log.Info("values are not confirmed", "plain", plain, "reason", err)
	case len(r.Confirmed) > len(all)-len(p.list):
		p.list = slices.DeleteFunc(all, func(in *cir.Intrinsic) bool { return r.Confirmed[in] })
		p.claims = claims
	}
	return v, nil
}

// together asks about all assertions at once, which is enough for small programs, and returns the result if that decides.
func (p *partsProof) together(ctx context.Context, d *decider) *Result {
	about, err := specialise.AboutAssertions(p.s.prog.Program, p.list)
	if err != nil || len(about) > maxTogether {
		return nil
	}
	x := Decision{}
	each := 2 * d.opts.Each
	if end, ok := ctx.Deadline(); ok {
		if each = time.Until(end); len(p.list) > 1 {
			each /= 2
		}
	}
	d.decide(ctx, &x, about, each)
	if x.Status == SuspectConfirmed {
		return p.failed(&x)
	}
	if p.keep(&x); x.Status == SuspectImpossible && p.confirm(ctx) == nil {
		return p.res
	}
	p.proofs = nil
	p.res.unknown(ctx, errors.New(x.Reason))
	return nil
}

// failed returns the result of a decision that an assertion fails.
func (p *partsProof) failed(x *Decision) *Result {
	x.Result.Warnings, x.Result.Engine = p.res.Warnings, scanStrategy
	return x.Result
}

func (p *partsProof) keep(x *Decision) {
	if x.Status == SuspectImpossible && x.Result.Certificate != nil {
		p.proofs = append(p.proofs, x.Result.Certificate)
	}
}

// confirm makes it the verdict that no assertion fails, if that is confirmed with the proofs that there are. What it returns says why not.
func (p *partsProof) confirm(ctx context.Context) error {
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: p.s.identity(p.opts.Question), Verdict: seqmc.Safe.String(),
		Method: check.MethodParts, Suspects: p.proofs, Values: p.claims}
	a, r, err := p.s.checkParts(ctx, cert, p.opts.Question, p.opts.Timings)
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

// left says which assertions are not decided; decisions are what has become of them, nil if nobody was asked.
func (p *partsProof) left(decisions []Decision) string {
	var places []string
	n := 0
	for i, in := range p.list {
		if decisions != nil && decisions[i].Status == SuspectImpossible {
			continue
		}
		if n++; n > listed {
			continue
		}
		text := "?"
		if in.Site != nil {
			text = in.Site.Pos.String()
		}
		if p.values[in] {
			text += " (not by relations between variables, as the scan has them; that is not confirmed)"
		}
		places = append(places, text)
	}
	if n > listed {
		places = append(places, fmt.Sprintf("%d more", n-listed))
	}
	return "assertions that may fail: " + strings.Join(places, ", ")
}

// checkParts confirms a certificate of proofs about single assertions, each by itself.
func (s *Source) checkParts(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
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
	r := specialise.Nothing(p.Program)
	r.HasAssertions = len(specialise.Assertions(p.Program)) > 0
	whole := &confirm.Whole{Program: p.Program, ID: s.identity(how)}
	var pts *points.Result
	if cert.Values != nil {
		if pts, err = points.AnalyseOpen(ctx, p.Program); err != nil {
			return confirm.Answer{}, nil, err
		}
	}
	a, err := whole.Parts(ctx, pts, cert, proofs)
	return a, s.reading(r, p.Program, how), err
}

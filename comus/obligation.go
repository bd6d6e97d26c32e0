package comus

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/scan"
	"comus/scan/cut"
	"comus/scan/directed"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// An analysis of the whole program (prove.go) leaves obligations: pairs of accesses that must not race, assertions that must hold, orders of locks that must not end in a
// deadlock. Each is a small question of its own. There are two ways to an answer. Runs of the whole program show that it is violated ([directed.For]); engines are asked about it
// alone, in a program from which the rest was cut (cut.go), and may prove it, or find an execution. What neither decides in its time stays open.

// ObligationStatus is what is known of an obligation. Reports of scans have their words for it: a suspect is open, confirmed or impossible.
type ObligationStatus uint8

// What may be known of an obligation.
const (
	ObligationOpen     ObligationStatus = iota
	ObligationViolated                  // an execution shows it, and was replayed
	ObligationProved                    // proved
)

var obligationStatuses = [...]string{"open", "confirmed", "impossible"}

// String returns what reports say.
func (s ObligationStatus) String() string { return obligationStatuses[s] }

// Obligation is one that an analysis of the whole program has left, and what has become of it: a pair of accesses that must not race, an assertion, or an order of locks; one of these is set.
type Obligation struct {
	Suspect   *scan.Suspect
	Assertion *scan.Assertion
	Deadlock  *scan.Deadlock
	Status    ObligationStatus
	// Reason is why an open one is.
	Reason string
	// Result is that of the engines that have decided, or of those that have not; nil if they were not asked. Of one that is proved it has the certificate, if there
	// is one, and what the proof takes for granted; of one that is violated, the execution.
	Result *Result
	// Execution is that of the whole program which violates it, and Race what it shows of a pair; nil if the engines have found one.
	Execution *directed.Execution
	Race      interp.Race
	// Sanitizer is what gcc's sanitizer says of that execution; "" if it was not to be asked. Unset says what the execution reads that nobody has written.
	Sanitizer string
	Unset     []string
	// Seen are, of an open one, the approximations that a run depends on in which it was seen, sorted; none if there is no such run.
	Seen []string
	Took time.Duration // by the engines
}

// DecideOptions say how obligations are decided. The zero value is ready to use.
type DecideOptions struct {
	// Options are those of the engines; what is asked about is set for each.
	Options Options
	// Runs bounds the runs of the whole program; without a limit of time: 5 seconds.
	Runs directed.Options
	// Each is the most that the engines may take for one; 0: 10 seconds.
	Each time.Duration
	// Jobs is how many are decided at a time; 0: one.
	Jobs int
	// OnlyRuns has nobody but runs of the program decide.
	OnlyRuns bool
	// Decided is called with each decision, in the order in which they come; may be nil.
	Decided func(*Obligation)
}

func (o DecideOptions) complete() DecideOptions {
	if o.Each == 0 {
		o.Each = 10 * time.Second
	}
	if o.Runs.Time == 0 {
		o.Runs.Time = 5 * time.Second
	}
	o.Jobs = max(o.Jobs, 1)
	o.Options = o.Options.Complete()
	return o
}

// about are the checks of questions about pairs of accesses, and about assertions.
var aboutRaces, aboutAssertions = specialise.Checks{NoAssert: true, Race: true}, specialise.Checks{}

// Decide decides suspects of a program that has been read. The result has an entry for each of them, in their order. The error is for options that name what there is not;
// what keeps a suspect from being decided is the reason why it stays open.
func (s *Source) Decide(ctx context.Context, suspects []*scan.Suspect, opts DecideOptions) ([]Obligation, error) {
	d, err := s.decider(suspects, opts)
	if err != nil {
		return nil, err
	}
	d.all(ctx)
	return d.out, nil
}

// DecideAssertions is [Source.Decide] for assertions. pts is what pointsto.AnalyseOpen has found of the program; nil: runs are not directed.
func (s *Source) DecideAssertions(ctx context.Context, list []*scan.Assertion, pts *pointsto.Result, opts DecideOptions) ([]Obligation, error) {
	d, err := s.assertionDecider(list, opts)
	if err != nil {
		return nil, err
	}
	d.direct(pts)
	d.all(ctx)
	return d.out, nil
}

// DecideDeadlocks is [Source.Decide] for lock orders. Engines are asked about all deadlocks of the program at once, for twice the time of one.
func (s *Source) DecideDeadlocks(ctx context.Context, list []*scan.Deadlock, opts DecideOptions) ([]Obligation, error) {
	d, err := s.newDecider(len(list), specialise.Checks{NoAssert: true, Deadlock: true}, opts)
	if err != nil {
		return nil, err
	}
	for i, x := range list {
		d.out[i].Deadlock, d.targets[i] = x, directed.OfDeadlock(x)
	}
	d.sanitize, d.judges = d.opts.Options.Sanitize, d.opts.Options.Sanitize > 0
	d.runDirected(ctx)
	if d.opts.OnlyRuns || !slices.ContainsFunc(d.out, func(x Obligation) bool { return x.Status == ObligationOpen }) {
		return d.out, nil
	}
	part, stop := context.WithTimeout(ctx, 2*d.opts.Each)
	defer stop()
	res, err := d.put(part, "", cut.None)
	for i := range d.out {
		x := &d.out[i]
		if x.Status != ObligationOpen {
			continue
		}
		switch {
		case err != nil:
			x.Reason = err.Error()
		case res.Verdict == seqmc.Safe: // it is about all of them
			x.Status, x.Result = ObligationProved, res
		case res.Verdict == seqmc.Unsafe:
			x.Reason = "an engine has found a deadlock in the program, perhaps this one (comus --check deadlock)"
		default:
			x.Reason = res.Reason
		}
		d.tell(x)
	}
	return d.out, nil
}

// newDecider begins to decide some suspects.
func (s *Source) newDecider(n int, check specialise.Checks, opts DecideOptions) (*decider, error) {
	if s.prog == nil {
		return nil, errors.New("suspects are those of a program that has been read")
	}
	d := &decider{s: s, opts: opts.complete(), out: make([]Obligation, n), about: make([]string, n), targets: make([]directed.Target, n)}
	d.opts.Options.Question.Check = check
	_, err := d.opts.Options.engine()
	return d, err
}

// assertionDecider begins to decide assertions.
func (s *Source) assertionDecider(list []*scan.Assertion, opts DecideOptions) (*decider, error) {
	d, err := s.newDecider(len(list), aboutAssertions, opts)
	if err != nil {
		return nil, err
	}
	for i, a := range list {
		d.out[i].Assertion, d.targets[i] = a, directed.OfAssertion(a.Instr, nil)
		if d.about[i], err = specialise.AboutAssertions(s.prog.Program, []*cir.Intrinsic{a.Instr}); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// direct has runs directed to what assertions depend on.
func (d *decider) direct(pts *pointsto.Result) {
	if pts == nil {
		return
	}
	var list []*cir.Intrinsic
	for i := range d.out {
		list = append(list, d.out[i].Assertion.Instr)
	}
	for i, near := range directed.Near(d.s.prog.Program, pts, list) {
		d.targets[i] = directed.OfAssertion(list[i], near)
	}
}

// decider begins to decide pairs of accesses.
func (s *Source) decider(suspects []*scan.Suspect, opts DecideOptions) (*decider, error) {
	d, err := s.newDecider(len(suspects), aboutRaces, opts)
	if err != nil {
		return nil, err
	}
	at, names := placesOf(s.prog.Program), specialise.NamesOf(s.prog.Program)
	for i, x := range suspects {
		about, err := names.About(at.pairs(x))
		if err != nil {
			d.out[i].Reason = "it cannot be asked about: " + err.Error()
		}
		d.out[i].Suspect, d.about[i], d.targets[i] = x, about, directed.OfSuspect(x)
	}
	return d, nil
}

// places are the instructions at each place of the program's own code.
type places map[*cir.Site][]cir.Instr

func placesOf(p *cir.Program) places {
	at := places{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if s := in.Meta().Site; s != nil && !f.Library && specialise.Accesses(in) {
					at[s] = append(at[s], in)
				}
			}
		}
	}
	return at
}

// of returns the instructions that an access may stand for: its own, and others at the same place that may do the same.
func (at places) of(a *scan.Access) []cir.Instr {
	list := []cir.Instr{a.Instr}
	for _, in := range at[a.Site] {
		_, load := in.(*cir.Load)
		_, store := in.(*cir.Store)
		if in != a.Instr && !(load && a.Write) && !(store && !a.Write) {
			list = append(list, in)
		}
	}
	return list
}

// pairs returns the pairs of instructions that a suspect is about.
func (at places) pairs(x *scan.Suspect) (pairs [][2]cir.Instr) {
	for _, a := range at.of(x.A) {
		for _, b := range at.of(x.B) {
			pairs = append(pairs, [2]cir.Instr{a, b})
		}
	}
	return pairs
}

// String says what is known of a suspect, in one line.
func (x *Obligation) String() string {
	out := x.Status.String()
	switch {
	case x.Status != ObligationOpen:
	case len(x.Seen) > 0:
		out += ": seen in a run that depends on " + strings.Join(x.Seen, ", ")
	default:
		out += ": " + x.Reason
	}
	return out
}

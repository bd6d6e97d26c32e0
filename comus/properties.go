package comus

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/internal/deadline"
	"comus/ir"
	"comus/seqmc"
	"comus/specialise"
)

// Several properties are asked about together at first: one proof is one of all of them. A
// violation decides the property that it is one of, and the others are asked about together again.
// If there is no answer, each is asked about alone, in what time is left, of which each has the
// same part; what one does not need is for the others.

// PropertyResult is the verdict on one of the properties that are asked about.
type PropertyResult struct {
	Name    string // one of specialise.CheckNames
	Verdict seqmc.Verdict
	Reason  string // Unknown: why
	// Result is that of the question which gave the verdict. It may have been about more properties.
	Result *Result
	// More are further violations, of [Options.All]: one for each place.
	More []*Result
}

// ViolatedAt returns the property that an execution violates.
func ViolatedAt(l *ir.Loc) string {
	if l == nil {
		return specialise.Assert
	}
	return cmp.Or(l.Check, specialise.Assert)
}

// properties returns the verdicts on the properties that a question was about at once: all of Safe and of Unknown, of
// Unsafe that one which is violated.
func (r *Result) properties(names []string) []PropertyResult {
	if r.Verdict == seqmc.Unsafe && len(names) > 1 {
		names = []string{ViolatedAt(r.Trace.Error)}
	}
	var out []PropertyResult
	for _, n := range names {
		out = append(out, PropertyResult{Name: n, Verdict: r.Verdict, Reason: r.Reason, Result: r})
	}
	return out
}

// inquiry is what is asked about several properties.
type inquiry struct {
	// ask puts the question about some of them together.
	ask    func(ctx context.Context, about specialise.Checks) (*Result, error)
	log    hclog.Logger // nil: none
	engine string       // the name of what answers, where nothing does
	runs   *wholeRuns   // of the program, which may violate a property meanwhile; nil: there are none
	found  func(PropertyResult)
	begun  time.Time
	until  time.Time // the end of the time for what is still open, once a property is violated

	open   []string // those without a verdict
	closed map[string]PropertyResult
	joint  *Result // of the first question, about all of them
}

// After the first violation, what is still open gets as much time as this, and a multiple of what it has taken to find it.
const (
	openAfterViolation = 10 * time.Second
	openTimes          = 4
)

// bounded returns the context for what is still open.
func (in *inquiry) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if in.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, in.until)
}

// isViolated notes that a property is violated, and tells of it.
func (in *inquiry) isViolated(p PropertyResult) {
	if in.found != nil {
		in.found(p)
	}
	if in.until.IsZero() {
		now := time.Now()
		in.until = now.Add(openAfterViolation + openTimes*now.Sub(in.begun))
	}
}

// run asks until each property has a verdict, or an Unknown that more time would not change.
func (in *inquiry) run(ctx context.Context, about specialise.Checks) (*Result, error) {
	in.open, in.closed, in.begun = about.Names(), map[string]PropertyResult{}, time.Now()
	if err := in.together(ctx); err != nil {
		return nil, err
	}
	if err := in.alone(ctx); err != nil {
		return nil, err
	}
	return in.conjunction(ctx), nil
}

// together asks about all open properties at once, again after each violation, as long as there
// is an answer.
func (in *inquiry) together(ctx context.Context) error {
	for names := in.jointly(); len(names) > 1; names = in.jointly() {
		open, end := in.bounded(ctx)
		half, stop := deadline.Share(open, 2, 0)
		res, err := in.put(half, open, names)
		stop()
		end()
		if err != nil {
			return err
		}
		if in.joint == nil {
			in.joint = res
		}
		before := len(in.open)
		if res.decided() || !slices.ContainsFunc(names, func(n string) bool { return in.runs.shown(n) != nil }) { // else it was interrupted
			for _, p := range res.properties(names) {
				in.close(p)
			}
		}
		if in.violated(ctx); len(in.open) == before {
			return nil
		}
	}
	return nil
}

// violated closes the properties that runs of the program violate.
func (in *inquiry) violated(ctx context.Context) {
	for _, name := range slices.Clone(in.open) {
		if res := in.runs.verdict(ctx, name); res != nil {
			in.close(PropertyResult{Name: name, Verdict: res.Verdict, Result: res})
		}
	}
}

// jointly returns the open properties that can be asked about together. Deadlocks are asked about alone: there, what may end at any time
// is taken not to.
func (in *inquiry) jointly() []string {
	return slices.DeleteFunc(slices.Clone(in.open), func(n string) bool { return n == specialise.Deadlock })
}

// close notes what is known about a property, which stays open if that is nothing.
func (in *inquiry) close(p PropertyResult) {
	if i := slices.Index(in.open, p.Name); i >= 0 {
		if in.closed[p.Name] = p; p.Verdict == seqmc.Unsafe {
			in.isViolated(p)
		}
		if p.Verdict != seqmc.Unknown {
			in.open = slices.Delete(slices.Clone(in.open), i, i+1)
		}
	}
}

// alone asks about each open property, and again about those for which the time did not suffice
// if there is some left.
func (in *inquiry) alone(ctx context.Context) error {
	for round := 0; len(in.open) > 0; round++ {
		if in.violated(ctx); len(in.open) == 0 {
			return nil
		}
		var again []string
		for i, name := range slices.Clone(in.open) {
			open, end := in.bounded(ctx)
			if open.Err() != nil {
				in.fill(open)
				end()
				return nil
			}
			part, stop := deadline.Share(open, len(in.open)-i, round)
			res, err := in.put(part, open, []string{name})
			short := part.Err() != nil
			stop()
			end()
			if err != nil {
				return err
			}
			res = in.runs.instead(ctx, name, res)
			if res.Verdict == seqmc.Unsafe {
				in.isViolated(PropertyResult{Name: name, Verdict: res.Verdict, Result: res})
			}
			p := PropertyResult{Name: name, Verdict: res.Verdict, Reason: res.Reason, Result: res}
			if before := in.closed[name].Result; before != nil && !res.decided() && res.Scan == nil && name == specialise.Race {
				res.Scan = before.Scan // it says what is proved
			}
			if before := in.closed[name].Result; before != nil && !res.decided() && res.Left == nil {
				res.Left = before.Left
			}
			in.closed[name] = p
			if !res.decided() && short && res.Suspected == nil {
				again = append(again, name)
			}
		}
		in.open = again
	}
	return nil
}

// fill makes Unknown of what was not asked about.
func (in *inquiry) fill(ctx context.Context) {
	for _, name := range in.open {
		if _, ok := in.closed[name]; !ok {
			res := (&Result{Engine: in.engine}).unknown(ctx, ctx.Err())
			in.closed[name] = PropertyResult{Name: name, Reason: res.Reason, Result: res}
		}
	}
}

// lateness is how long an answer is waited for when the time for all questions has ended, so that what is known by then
// is not lost.
const lateness = 400 * time.Millisecond

// put asks a question within a part of the time for all.
func (in *inquiry) put(part, ctx context.Context, names []string) (res *Result, err error) {
	about, err := specialise.ChecksNamed(names)
	if err != nil {
		return nil, err
	}
	defer func() { // the other questions go on
		if r := recover(); r != nil {
			res, err = (&Result{Engine: in.engine}).unknown(ctx, panicked(r)), nil
		}
	}()
	within, stop := in.runs.until(part, names)
	defer stop()
	res, err = inTime(ctx, lateness, in.log, func() (*Result, error) { return in.ask(within, about) })
	if res == nil && err == nil {
		res = (&Result{Engine: in.engine}).unknown(ctx, ctx.Err())
	}
	return res, err
}

// conjunction returns the result for all properties: that of the one that decides, with the
// verdicts of all.
func (in *inquiry) conjunction(ctx context.Context) *Result {
	var all []PropertyResult
	for _, n := range specialise.CheckNames {
		if p, ok := in.closed[n]; ok {
			all = append(all, p)
		}
	}
	return conjunction(all, ctx.Err() == nil, in.taken)
}

// conjunction returns the result for some properties: Unsafe if one is, Unknown if one is and none is Unsafe. reasons tells
// whether to say of which property a reason is. taken returns what a result takes for granted; nil: what it says.
func conjunction(all []PropertyResult, reasons bool, taken func(*Result) []string) *Result {
	decides := all[deciding(all)]
	out := *decides.Result
	out.Verdict, out.Reason, out.Properties = decides.Verdict, decides.Reason, all
	if len(all) > 1 && out.Reason != "" && reasons {
		out.Reason = fmt.Sprintf("%s: %s", decides.Name, out.Reason)
	}
	out.Warnings, out.Proved, out.CheckTime = nil, nil, 0
	var safe []string
	for i, p := range all {
		if slices.ContainsFunc(all[:i], func(q PropertyResult) bool { return q.Result == p.Result }) {
			continue
		}
		out.Warnings = union(out.Warnings, slices.DeleteFunc(slices.Clone(p.Result.Warnings), func(w string) bool { return len(all) > 1 && strings.HasSuffix(w, noAssertion) }))
		out.Proved = union(out.Proved, p.Result.Proved)
		out.CheckTime += p.Result.CheckTime
		if taken != nil {
			safe = union(safe, taken(p.Result))
		} else {
			safe = union(safe, p.Result.Assumptions)
		}
	}
	if out.Verdict == seqmc.Safe {
		out.Assumptions = safe
	} else {
		out.Proved = nil
	}
	return &out
}

// deciding returns which property decides the conjunction: the first that is Unsafe, or Unknown,
// or the first.
func deciding(all []PropertyResult) int {
	for _, v := range []seqmc.Verdict{seqmc.Unsafe, seqmc.Unknown} {
		if i := slices.IndexFunc(all, func(p PropertyResult) bool { return p.Verdict == v }); i >= 0 {
			return i
		}
	}
	return 0
}

// union adds texts to others, each once.
func union(texts, more []string) []string {
	for _, t := range more {
		if !slices.Contains(texts, t) {
			texts = append(texts, t)
		}
	}
	return texts
}

// taken returns what a result takes for granted where all properties hold. What the question about one of them takes for
// granted, and that about all of them does not, is among the others: the first violation of any of them in an execution is
// one that the question about it finds.
func (in *inquiry) taken(r *Result) []string {
	if in.joint == nil || in.joint.program.SHA256 == "" { // it was not read
		return r.Assumptions
	}
	return slices.DeleteFunc(slices.Clone(r.Assumptions), func(a string) bool {
		return slices.Contains(r.granted, a) && !slices.Contains(in.joint.granted, a)
	})
}

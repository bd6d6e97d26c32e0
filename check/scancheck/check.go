package scancheck

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Report tells what of a certificate is right.
type Report struct {
	// Refused are the claims that could not be confirmed, at most [MaxRefused].
	Refused []string
	// Wrong has, for each location of the certificate, why it is not certified; "" if it is.
	Wrong []string
	// Missing is the memory that several threads access, one of them to write, of which no location speaks.
	Missing []string
	// Open is what else keeps the program from being race-free if all locations are: memory that no location speaks of, be it only which
	// accesses of it synchronise, and state of the library.
	Open []string
	// Left are the pairs of accesses, at most [MaxLeft], that are left to others and that these have not shown to be no race. They keep their locations from being certified.
	Left [][2]cir.Instr
	// Assumptions are the sentences that the rest is based on, sorted.
	Assumptions []string
}

// RaceFree reports whether the program has no data race, by an error that says why that is not confirmed.
func (r *Report) RaceFree() error {
	for i, w := range r.Wrong {
		if w != "" {
			return fmt.Errorf("location %d: %s", i, w)
		}
	}
	if open := append(slices.Clone(r.Open), r.Missing...); len(open) > 0 {
		return errors.New(open[0])
	}
	return nil
}

// MaxRefused bounds the claims that are listed.
const MaxRefused = 1000

// Certified reports whether a location, the i-th of the certificate, is race-free.
func (r *Report) Certified(i int) bool { return i >= 0 && i < len(r.Wrong) && r.Wrong[i] == "" }

// Count returns how many locations are certified.
func (r *Report) Count() (n int) {
	for _, w := range r.Wrong {
		if w == "" {
			n++
		}
	}
	return n
}

// Check verifies a certificate of a program, of which pointsto.AnalyseOpen found pts. The error is that of ctx, or that it is none: it does not speak of this
// program, or of what is not looked at.
func Check(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Certificate) (*Report, error) {
	return CheckGiven(ctx, prog, pts, c, nil)
}

// CheckGiven is [Check] where it is known of some pairs of accesses that they are no race: they may be the reason for pairs of groups.
func CheckGiven(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Certificate, given Pairs) (*Report, error) {
	if c.Version != certificate.Version {
		return nil, fmt.Errorf("a certificate of version %d, not %d", c.Version, certificate.Version)
	}
	if pts == nil || !pts.Open() {
		return nil, errors.New("functions that are called from outside of the program were not followed")
	}
	r := &Report{Wrong: make([]string, len(c.Locations))}
	refuse := func(format string, args ...any) {
		if len(r.Refused) < MaxRefused {
			r.Refused = append(r.Refused, fmt.Sprintf(format, args...))
		}
	}
	p, err := newProgram(prog, pts)
	if err != nil {
		return nil, err
	}
	if err := p.same(c.Copies); err != nil {
		return nil, err
	}
	ts, err := newThreads(p, c, refuse)
	if err != nil {
		return nil, err
	}
	ts.check()
	if len(r.Refused) > 0 { // joins that are owed take longer
		r.Refused = nil
		if ts, err = newThreads(p, c, refuse); err != nil {
			return nil, err
		}
		ts.owes = true
		ts.check()
	}
	if len(r.Refused) > 0 { // all rests on that
		for i := range r.Wrong {
			r.Wrong[i] = "what is claimed of threads is not confirmed"
		}
		r.Open = []string{"what is claimed of threads is not confirmed: " + r.Refused[0]}
		return r, ctx.Err()
	}
	x, err := newLocks(p, c, refuse)
	if err != nil {
		return nil, err
	}
	x.branches = newBranches(ts)
	x.check()
	ls, err := newLocations(ts, x, c, given)
	if err != nil {
		return nil, err
	}
	ls.check()
	for i, l := range ls.list {
		r.Wrong[i] = l.wrong
	}
	r.Missing, r.Open, r.Left = ls.public.missing, ls.remainder(), ls.left.list
	r.Assumptions = ls.assumptions()
	return r, ctx.Err()
}

// same reports whether the copies of a certificate are those of the program, by an error if not.
func (p *program) same(cs []certificate.Copy) error {
	if len(cs) != len(p.copies) {
		return fmt.Errorf("%d copies of functions, where the program has %d", len(cs), len(p.copies))
	}
	for i, c := range p.copies {
		same := cs[i].Func == c.Func.Name && (cs[i].Call == nil) == (c.Ctx.Call == nil)
		if !same || c.Ctx.Call != nil && *cs[i].Call != p.places[c.Ctx.Call] {
			return fmt.Errorf("copy %d is %s, which is not the program's %s", i, cs[i].Func, c.Func.Name)
		}
	}
	return nil
}

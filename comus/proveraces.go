package comus

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"comus/check"
	"comus/check/scancheck"
	"comus/cir"
	"comus/cir/cloning"
	"comus/comus/confirm"
	"comus/scan"
	"comus/scan/directed"
	"comus/specialise"
)

// raceAnalysis asks package scan whether there is a data race. If package check/scancheck confirms what it claims of all memory, the program has none; suspects are
// obligations.
type raceAnalysis struct {
	s        *Source
	opts     Options
	found    *scan.Result
	prog     *cir.Program    // that was analysed
	suspects []*scan.Suspect // those first that are most likely real
}

func (a *raceAnalysis) find(ctx context.Context) (err error) {
	start := time.Now()
	a.found, err = scan.Analyse(ctx, a.s.prog.Program, nil, scan.Options{Certificate: true, Whole: true})
	if err != nil {
		return err
	}
	if a.prog = a.s.prog.Program; time.Since(start) < clonedWithin {
		a.findCloned(ctx)
	}
	for _, l := range a.found.Locations {
		a.suspects = append(a.suspects, l.Suspects...)
	}
	slices.SortStableFunc(a.suspects, func(x, y *scan.Suspect) int { return cmp.Compare(y.Rank, x.Rank) })
	return nil
}

// clonedWithin is how long an analysis may have taken that is made once more.
const clonedWithin = 4 * time.Second

// findCloned looks once more, at the program in which functions that create threads for others, or use the locks of containers that they are given, have several copies, if that leaves nothing.
func (a *raceAnalysis) findCloned(ctx context.Context) {
	suspects := func(r *scan.Result) bool {
		return slices.ContainsFunc(r.Locations, func(l *scan.Location) bool { return len(l.Suspects) > 0 })
	}
	if !suspects(a.found) {
		return
	}
	p := cloning.Of(a.prog)
	if p == a.prog {
		return
	}
	found, err := scan.Analyse(ctx, p, nil, scan.Options{Certificate: true, Whole: true})
	if err != nil || suspects(found) { // the certificate takes longer to be checked than to be found
		return
	}
	found.Certificate.Cloned = true
	if rep, err := scancheck.Check(ctx, p, found.Points, found.Certificate); err == nil && rep.RaceFree() == nil {
		a.prog, a.found = p, found
	}
}

func (a *raceAnalysis) certificate(proofs []*check.Certificate) *check.Certificate {
	return &check.Certificate{Method: check.MethodScan, Scan: a.found.Certificate, Suspects: proofs}
}

func (a *raceAnalysis) targets() (list []directed.Target) {
	for _, x := range a.suspects {
		list = append(list, directed.OfSuspect(x))
	}
	return list
}

func (a *raceAnalysis) obligations(opts DecideOptions) (*decider, error) {
	return a.s.decider(a.suspects, opts)
}

// together is about the pairs of accesses that are not proved, and about those that the check leaves beside them.
func (a *raceAnalysis) together(d *decider, open error) string {
	prog := a.s.prog.Program
	pairs := leftBy(open)
	at := placesOf(prog)
	for i, x := range a.suspects {
		if d.about[i] != "" && d.out[i].Status != ObligationProved {
			pairs = append(pairs, at.pairs(x)...)
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	about, err := specialise.About(prog, pairs)
	if err != nil {
		return ""
	}
	return about
}

// leftBy returns the pairs of accesses that an error of the check leaves to others.
func leftBy(err error) [][2]cir.Instr {
	var open *confirm.Open
	if !errors.As(err, &open) {
		return nil
	}
	return open.Left
}

// helps reports whether most locations are proved.
func (a *raceAnalysis) helps() bool {
	open := 0
	for _, l := range a.found.Locations {
		if len(l.Suspects) > 0 {
			open++
		}
	}
	return 2*open < len(a.found.Locations)
}

// addFindings adds the locations, those that the checker has confirmed marked.
func (a *raceAnalysis) addFindings(ctx context.Context, res *Result, _ []Obligation) {
	if err := certify(ctx, a.prog, a.found); err == nil {
		res.Scan = a.found
	}
}

func (a *raceAnalysis) left(decisions []Obligation) string {
	var open []LeftAt
	for i, x := range a.suspects {
		if decisions == nil || decisions[i].Status != ObligationProved {
			open = append(open, LeftAt{At: accessedAt(x.A) + " and " + accessedAt(x.B), Why: x.Location.Name})
		}
	}
	switch {
	case len(open) == 0 && len(a.suspects) == 0:
		return "the scan has no suspect, but not all of its claims were certified"
	case len(open) == 0:
		return "all suspects of the scan are impossible, but not all other claims of the scan were certified"
	}
	return listOf("accesses that may be a race", open)
}

func accessedAt(a *scan.Access) string {
	if a.Site == nil {
		return "?"
	}
	return a.Site.Pos.String()
}

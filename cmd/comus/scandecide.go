package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"comus/cir"
	"comus/comus"
	"comus/report/scanreport"
	"comus/scan"
	"comus/scan/directed"
)

// decisions are what is known of the suspects of a program so far. They may be asked for while others come.
type decisions struct {
	name  string // of the program
	files []string
	res   *scan.Result

	mu      sync.Mutex
	of      map[*scan.Suspect]scanreport.Decision
	fails   map[*scan.Assertion]scanreport.Decision
	waits   map[*scan.Deadlock]scanreport.Decision
	assumed map[string]bool // by proofs
	took    time.Duration
	// Of those that are decided briefly, what stays open is as if nobody had asked; over says that the time is.
	briefly, over bool
}

// note keeps a decision.
func (d *decisions) note(x *comus.Obligation) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over || d.briefly && x.Status == comus.ObligationOpen {
		return
	}
	switch {
	case x.Assertion != nil:
		d.fails[x.Assertion] = decisionOf(x)
	case x.Deadlock != nil:
		d.waits[x.Deadlock] = decisionOf(x)
	default:
		d.of[x.Suspect] = decisionOf(x)
	}
	d.took += x.Took
	if x.Status == comus.ObligationProved && x.Result != nil {
		for _, a := range x.Result.Assumptions {
			d.assumed[a] = true
		}
	}
}

// report returns what is shown of the program with what is known now.
func (d *decisions) report() *scanreport.Program {
	d.mu.Lock()
	defer d.mu.Unlock()
	res := *d.res
	for _, a := range d.res.Assumptions {
		d.assumed[a] = true
	}
	res.Assumptions = slices.Sorted(maps.Keys(d.assumed))
	if d.took > 0 {
		res.Phases = append(slices.Clone(res.Phases), scan.Phase{Name: "deciding", Took: d.took})
	}
	return scanreport.OfAll(d.name, d.files, &res, scanreport.Decided{Suspect: func(s *scan.Suspect) scanreport.Decision { return d.of[s] },
		Assertion: func(a *scan.Assertion) scanreport.Decision { return d.fails[a] }, Deadlock: func(x *scan.Deadlock) scanreport.Decision { return d.waits[x] }})
}

// decide asks about the suspects of a program, assertions and lock orders at first, of which there are few: runs look for executions, the engines for proofs and executions, each suspect for a time.
func (r *scanRun) decide(ctx context.Context, i int, source *comus.Source, d *decisions) error {
	return r.ask(ctx, i, source, d, comus.DecideOptions{Options: comus.Options{Source: r.how, Log: r.c.logger(), Sanitize: r.c.sanitize.d}, Each: r.each, Jobs: r.beside()})
}

// Of a scan that is not told how long to decide suspects: how long it does for a program, less if there are many programs. Half of it is for runs, and engines are asked for some time
// about each suspect of a program that is small.
const (
	decidesBriefly = 3 * time.Second
	decidesInAll   = 30 * time.Second
	smallToDecide  = 4000 // instructions of the program's own
)

// decideBriefly is decide for a short time, in which some suspects of most programs are decided. Nothing is waited for behind it.
func (r *scanRun) decideBriefly(ctx context.Context, i int, source *comus.Source, d *decisions) {
	if len(d.res.Locations)+len(d.res.Assertions)+len(d.res.Deadlocks) == 0 {
		return
	}
	all := min(r.briefly, max(decidesInAll/time.Duration(len(r.parts)), r.briefly/10))
	opts := comus.DecideOptions{Options: comus.Options{Source: r.how, Log: r.c.logger()}, Runs: directed.Options{Time: all / 2}, Each: all / 3, Jobs: r.beside(), OnlyRuns: !isSmall(source.Program())}
	d.briefly = true
	within, stop := context.WithTimeout(ctx, all)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer stop()
		defer func() {
			if p := recover(); p != nil {
				r.note("some suspects were not decided: internal error: " + oneLine(fmt.Sprint(p)))
			}
		}()
		if err := r.ask(within, i, source, d, opts); err != nil && ctx.Err() == nil {
			r.note("some suspects were not decided: " + oneLine(err.Error()))
		}
	}()
	select {
	case <-done:
	case <-within.Done():
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
}

// isSmall reports whether a program has few instructions.
func isSmall(p *cir.Program) bool {
	n := 0
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			if !f.Library {
				n += len(b.Instrs)
			}
		}
	}
	return n <= smallToDecide
}

// ask asks about all suspects of a program.
func (r *scanRun) ask(ctx context.Context, i int, source *comus.Source, d *decisions, opts comus.DecideOptions) error {
	var suspects []*scan.Suspect
	for _, l := range d.res.Locations {
		suspects = append(suspects, l.Suspects...)
	}
	slices.SortStableFunc(suspects, func(x, y *scan.Suspect) int { return cmp.Compare(y.Rank, x.Rank) }) // time may not be enough for all
	var assertions []*scan.Assertion
	for _, a := range d.res.Assertions {
		if !a.Proved {
			assertions = append(assertions, a)
		}
	}
	seen := map[comus.ObligationStatus]int{}
	opts.Decided = func(x *comus.Obligation) {
		seen[x.Status]++ // one call at a time
		d.note(x)
		r.phase(i, decidedSoFar(seen, len(assertions)+len(d.res.Deadlocks)+len(suspects)))
	}
	r.phase(i, "running the program")
	for _, ask := range []func() ([]comus.Obligation, error){
		func() ([]comus.Obligation, error) {
			return source.DecideAssertions(ctx, assertions, d.res.Points, opts)
		},
		func() ([]comus.Obligation, error) {
			if len(d.res.Deadlocks) == 0 {
				return nil, nil
			}
			return source.DecideDeadlocks(ctx, d.res.Deadlocks, opts)
		},
		func() ([]comus.Obligation, error) { return source.Decide(ctx, suspects, opts) },
	} {
		all, err := ask()
		for k := range all { // those that were not asked about, too
			if !d.knows(&all[k]) {
				d.note(&all[k])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether a decision on the same was noted.
func (d *decisions) knows(x *comus.Obligation) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, suspect := d.of[x.Suspect]
	_, assertion := d.fails[x.Assertion]
	_, deadlock := d.waits[x.Deadlock]
	return x.Suspect != nil && suspect || x.Assertion != nil && assertion || x.Deadlock != nil && deadlock
}

// decidedSoFar says what has become of the suspects of a program.
func decidedSoFar(seen map[comus.ObligationStatus]int, all int) string {
	asked := 0
	for _, n := range seen {
		asked += n
	}
	return fmt.Sprintf("%d of %d suspects asked about: %d confirmed, %d impossible, %d open", asked, all, seen[comus.ObligationViolated], seen[comus.ObligationProved], seen[comus.ObligationOpen])
}

// beside returns how many suspects of a program are decided at a time: jobs that no program of its own needs.
func (r *scanRun) beside() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting := 0
	for _, p := range r.done {
		if p == nil {
			waiting++
		}
	}
	return max(1, r.jobs/max(1, waiting))
}

// about returns what else is to be said of an execution of the whole program.
func about(d *comus.Obligation) (says []string) {
	if d.Sanitizer != "" {
		says = append(says, d.Sanitizer)
	}
	return append(says, d.Unset...)
}

// decisionOf returns what is shown of a decision.
func decisionOf(d *comus.Obligation) scanreport.Decision {
	engine := ""
	if d.Result != nil {
		engine = " by " + d.Result.Engine
	}
	switch {
	case d.Status == comus.ObligationProved:
		return scanreport.Decision{Verdict: scanreport.Impossible, Says: "proved" + engine}
	case d.Status == comus.ObligationViolated && d.Execution != nil:
		return scanreport.Decision{Verdict: scanreport.Confirmed, Says: strings.Join(append([]string{"an execution of the program has it"}, about(d)...), "; ")}
	case d.Status == comus.ObligationViolated:
		return scanreport.Decision{Verdict: scanreport.Confirmed, Says: "an execution was found" + engine + ", and replayed"}
	}
	return scanreport.Decision{Says: oneLine(d.String())}
}

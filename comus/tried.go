package comus

import (
	"slices"
	"time"

	"comus/internal/timing"
	"comus/scan"
	"comus/scan/directed"
	"comus/seqmc"
)

// Tried is what was done for a property that is Unknown, besides what engines did.
type Tried struct {
	// Runs are those of the whole program in which a violation was looked for, Time is what they took, and Why says why there are no more of them; "": nothing kept
	// the program from being run.
	Runs directed.Stats
	Time time.Duration
	Why  string
	// TakingApart is how long the program was taken apart for the engines, if that was not done: Unfinished.
	TakingApart time.Duration
	Unfinished  bool
}

// analysed is what an analysis has told of a property.
type analysed struct {
	scan *scan.Result
	left *Left
}

// hears notes what an analysis has told of a property.
func (r *wholeRuns) hears(name string, res *Result) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.analysed == nil {
		r.analysed = map[string]analysed{}
	}
	r.analysed[name] = analysed{res.Scan, res.Left}
}

// heard adds to a result about a property what an analysis has told, if it says nothing of that.
func (r *wholeRuns) heard(name string, res *Result) {
	if r == nil || res.Scan != nil || res.Left != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	res.Scan, res.Left = r.analysed[name].scan, r.analysed[name].left
}

// tellTried ends the runs, and notes in the results that decide nothing what was tried.
func (r *wholeRuns) tellTried(res *Result, timings *timing.Timings) {
	r.end()
	if res == nil {
		return
	}
	for _, p := range res.Properties {
		if p.Verdict == seqmc.Unknown && p.Result != nil {
			p.Result.tried(r.made(p.Name), timings)
			r.heard(p.Name, p.Result)
		}
	}
}

// tried notes what was tried.
func (r *Result) tried(t Tried, timings *timing.Timings) {
	if r.Tried != nil {
		return
	}
	if r.Portfolio == nil && r.Sizes.Threads == 0 {
		for _, c := range timings.Components() {
			if c.Name == timing.Specialising {
				t.TakingApart = c.Whole
			}
		}
		t.Unfinished = t.TakingApart > 0
	}
	r.Tried = &t
}

// made returns the runs that were made for a property.
func (r *wholeRuns) made(name string) Tried {
	if r == nil {
		return Tried{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.groups {
		if slices.Contains(g.names, name) {
			all := g.stats
			for _, more := range g.directed {
				all.Runs, all.Directed, all.Steps, all.CutOff = all.Runs+more.Runs, all.Directed+more.Directed, all.Steps+more.Steps, all.CutOff+more.CutOff
			}
			return Tried{Runs: all, Time: time.Duration(g.pace.own.Load()), Why: g.why}
		}
	}
	return Tried{}
}

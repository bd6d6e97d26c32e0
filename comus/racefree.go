package comus

import (
	"context"
	"slices"

	"comus/cfront"
	"comus/check"
	"comus/internal/timing"
	"comus/seqmc"
	"comus/specialise"
)

// raceFreedom is what a report says has been proved where [assumeNoRace] is not needed: the question about races, read in the same way,
// has no violation left that an engine would have to exclude. Whoever asks it again, as the check of a certificate does, gets the
// same answer.
const raceFreedom = "no data race: what threads share is atomic, under a common lock, or ordered by creation and join"

// proveRaceFree makes it proved that the program of Safe has no data race, where that is evident.
func (s *Source) proveRaceFree(ctx context.Context, res *Result, timings *timing.Timings) {
	about := res.program
	if res.Certificate != nil { // the source may have been read in another way
		about = res.Certificate.Program
	}
	if res.Verdict != seqmc.Safe || about.SHA256 == "" || !slices.Contains(res.Assumptions, assumeNoRace) {
		return
	}
	more, ok := s.evidentlyFree(ctx, about, timings)
	if !ok {
		return
	}
	res.Assumptions = slices.DeleteFunc(union(slices.Clone(res.Assumptions), more), func(a string) bool { return a == assumeNoRace })
	slices.Sort(res.Assumptions)
	res.Proved = append(slices.Clone(res.Proved), raceFreedom)
	if c := res.Certificate; c != nil {
		c.Assumptions = res.Assumptions
	}
}

// evidentlyFree reports whether it is evident that a program, read as a certificate says, has no data race, and what that takes for granted.
func (s *Source) evidentlyFree(ctx context.Context, about check.Program, timings *timing.Timings) (assumed []string, ok bool) {
	_, how, err := SourceOptions(about, cfront.Options{})
	if err != nil || how.AtomicStatements {
		return nil, false
	}
	if how.Check == (specialise.Checks{}) || how.Check.Deadlock {
		how.Check = specialise.Checks{NoAssert: true}
	}
	how.Evident, how.About, how.Cut = true, "", 0
	how.Check.Race = true // beside what has been proved, so that it is not assumed
	r, err := s.readAll(ctx, how, timings)
	if err != nil || len(r.Program.Bounded) > 0 {
		return nil, false
	}
	for _, t := range r.Program.Threads {
		for _, l := range t.Locs {
			if l.Error && l.Check == specialise.Race {
				return nil, false
			}
		}
	}
	return r.Program.Assumptions, true
}

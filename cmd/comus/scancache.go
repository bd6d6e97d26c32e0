package main

import (
	"fmt"
	"time"

	gcc "comus/cfront/command"
	"comus/cir/digest"
	"comus/comus"
	"comus/internal/timing"
	"comus/report/survey"
	"comus/scan"
)

// fromBefore returns the key of a program in the cache, "" if it is not to be kept, and what is known of it; nil: nothing.
// Suspects are not decided there: that depends on time.
func (r *scanRun) fromBefore(source *comus.Source, units []gcc.Invocation, reading time.Duration) (key string, known *survey.Program) {
	if r.kept == nil {
		return "", nil
	}
	start := time.Now()
	sum, err := digest.Of(source.Program())
	if err != nil {
		r.note("nothing is kept of " + shown(units[0]) + ": " + oneLine(err.Error()))
		return "", nil
	}
	key = r.kept.Key(string(sum[:]), shown(units[0]), fmt.Sprintf("%q", shownAll(units)), fmt.Sprint(r.certify), fmt.Sprint(r.asserted))
	if known = r.kept.Get(key); known != nil {
		known.Lines = survey.Lines(known.Files) // comments may have come
		known.Phases = []scan.Phase{{Name: timing.Reading, Took: reading}, {Name: "cache", Took: time.Since(start)}}
	}
	return key, known
}

// keep keeps what is known of a program for the next time.
func (r *scanRun) keep(key string, p *survey.Program) {
	if err := r.kept.Put(key, p); err != nil {
		r.note("nothing is kept of " + p.Name + ": " + oneLine(err.Error()))
	}
}

// note adds a note to the report.
func (r *scanRun) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, text)
}

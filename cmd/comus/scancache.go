package main

import (
	"fmt"
	"time"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/cir/digest"
	"comus/comus"
	"comus/internal/timing"
	"comus/report/scanreport"
	"comus/report/scanreport/cache"
	"comus/scan"
	"comus/scan/slice"
)

// cacheKey is what a program is found by in the cache.
type cacheKey struct {
	name string // "": it is not to be kept
	at   cache.Where
}

// fromBefore returns the key of a program in the cache, and what is known of it; nil: nothing.
// Suspects are not decided there: that depends on time.
func (r *scanRun) fromBefore(source *comus.Source, g *slice.Slice, units []gcc.Invocation, reading time.Duration) (key cacheKey, known *scanreport.Program) {
	if r.kept == nil {
		return key, nil
	}
	start := time.Now()
	sum, places, err := digest.Of(source.Program())
	if err != nil {
		r.note("nothing is kept of " + shown(units[0]) + ": " + oneLine(err.Error()))
		return key, nil
	}
	key.at.Places = places
	if g != nil { // their texts do not count
		key.at.Sites = g.Sites
		g.Restore()
	}
	key.name = r.kept.Key(string(sum[:]), fmt.Sprint(g != nil), shown(units[0]), fmt.Sprintf("%q", shownAll(units)), fmt.Sprint(r.certify), fmt.Sprint(r.asserted, r.deadlocks, r.signals))
	if known = r.kept.Get(key.name, key.at); known != nil {
		known.Lines = scanreport.Lines(known.Files) // comments may have come
		known.Phases = []scan.Phase{{Name: timing.Reading, Took: reading}, {Name: "cache", Took: time.Since(start)}}
	}
	return key, known
}

// keepUnits has units read from the cache if they were there before. Where more is asked than what threads access, what was read counts, down to its tokens.
func (r *scanRun) keepUnits() {
	if r.slices() {
		r.built = r.kept.Units()
		r.how.Store, r.how.OnlyModels = cfront.Keep(r.built), len(r.units) == 1
	}
}

// endUnits ends that.
func (r *scanRun) endUnits() {
	if r.built == nil {
		return
	}
	if err := r.built.Close(); err != nil {
		r.note("not everything that was read is kept: " + oneLine(err.Error()))
	}
}

// keep keeps what is known of a program for the next time.
func (r *scanRun) keep(key cacheKey, p *scanreport.Program) {
	if err := r.kept.Put(key.name, p, key.at); err != nil {
		r.note("nothing is kept of " + p.Name + ": " + oneLine(err.Error()))
	}
}

// note adds a note to the report.
func (r *scanRun) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, text)
}

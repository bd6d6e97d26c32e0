package comus

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"comus/internal/deadline"
)

// pace keeps runs to a part of the time that passes: they have grantedAtOnce at once, and then a part that grows, as where engines take long, a run is likely to be what decides. As long as
// the program is not taken apart, no engine is kept waiting. Several who make runs at the same time have one pace, and share what it grants.
type pace struct {
	engines *atomic.Bool // they are at work
	scanned *atomic.Bool // an analysis of the whole program is at work; nil: there is none
	eager   bool         // as long as they are not, nothing waits for runs, from the beginning on
	begun   time.Time
	own     atomic.Int64 // what runs took, in nanoseconds
	hurry   atomic.Bool  // there is nothing to wait for

	mu      sync.Mutex
	last    time.Time     // when it was asked last
	granted time.Duration // what runs may have taken until then
}

// shares are the parts of the time beside engines, each up to some time after the beginning. Where there are no engines from unusedFrom on, runs have all of the time, so that they take one processor.
var shares = []struct {
	until time.Duration
	part  int
}{{200 * time.Millisecond, 32}, {time.Second, 10}, {4 * time.Second, 5}, {1 << 62, 2}}

// While an analysis of the whole program is at work, which often decides, and needs no longer than a second or two, runs have a part scannedPart of the time.
const scannedPart = 3

const (
	grantedAtOnce = 15 * time.Millisecond
	unusedFrom    = 200 * time.Millisecond
)

// part returns the part of the time that runs have some time after the beginning.
func (p *pace) part(after time.Duration) time.Duration {
	switch {
	case p.engines.Load():
	case p.scanned != nil && p.scanned.Load():
		return scannedPart
	case p.eager || after > unusedFrom:
		return 1
	}
	for _, s := range shares {
		if after <= s.until {
			return time.Duration(s.part)
		}
	}
	return 1
}

// owed is told what a run took, and returns how long runs have to wait until they have taken no more than they may.
func (p *pace) owed(took time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.last.IsZero() {
		p.last, p.granted = p.begun, grantedAtOnce
	}
	part := p.part(now.Sub(p.begun))
	p.granted += now.Sub(p.last) / part
	p.last = now
	own := time.Duration(p.own.Add(int64(took)))
	if p.hurry.Load() {
		return 0
	}
	return max((own-p.granted)*part, 0)
}

// shortRest is how long a wait goes on before it is looked whether it has to, and how long one of the first runs waits at most for the one before.
const shortRest = 20 * time.Millisecond

// rest is told what a run took, and waits until there may be another one, or ctx has ended.
func (p *pace) rest(ctx context.Context, took time.Duration) {
	for d := p.owed(took); d > 0 && deadline.Elapses(ctx, min(d, shortRest)); d = p.owed(0) {
	}
}

// restShortly is rest for a few short runs, which are to come to their end.
func (p *pace) restShortly(ctx context.Context, took time.Duration) {
	if d := p.owed(took); d > 0 {
		deadline.Elapses(ctx, min(d, shortRest))
	}
}

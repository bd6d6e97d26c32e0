package comus

import (
	"sync/atomic"
	"time"
)

// pace keeps runs to a part of the time that passes: they have grantedAtOnce at once, and then a part that grows, as where engines take long, a run is likely to be what decides. As long as
// the program is not taken apart, no engine is kept waiting.
type pace struct {
	engines *atomic.Bool // they are at work
	eager   bool         // as long as they are not, nothing waits for runs
	begun   time.Time
	last    time.Time     // of the last run's end
	granted time.Duration // what runs may have taken until then
	own     atomic.Int64  // what they took, in nanoseconds
	hurry   atomic.Bool   // there is nothing to wait for
}

// shares are the parts of the time beside engines, each up to some time after the beginning; unused is the part while there are none, after a while.
var shares = []struct {
	until time.Duration
	part  int
}{{200 * time.Millisecond, 32}, {time.Second, 10}, {4 * time.Second, 5}, {1 << 62, 3}}

const (
	grantedAtOnce = 15 * time.Millisecond

	unusedFrom = 200 * time.Millisecond
	unused     = 2
)

// part returns the part of the time that runs have some time after the beginning.
func (p *pace) part(after time.Duration) time.Duration {
	switch {
	case p.engines.Load():
	case p.eager:
		return 1
	case after > unusedFrom:
		return unused
	}
	for _, s := range shares {
		if after <= s.until {
			return time.Duration(s.part)
		}
	}
	return 1
}

// longestRest bounds a wait, so that hurry is seen.
const longestRest = 20 * time.Millisecond

// rest is told what a run took, and says how long to wait before the next one.
func (p *pace) rest(took time.Duration) time.Duration {
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
	return min(max((own-p.granted)*part, 0), longestRest)
}

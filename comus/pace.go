package comus

import (
	"sync/atomic"
	"time"
)

// pace keeps runs to a part of the time that passes: they have runsLeast at once, and then a part that grows, as where engines take long, a run is likely to be what decides.
type pace struct {
	begun time.Time
	own   time.Duration // what runs took
	hurry atomic.Bool   // there is nothing to wait for
}

// shares are the parts of the time, each up to some time after the beginning; behind the last one, runs never wait.
var shares = []struct {
	until time.Duration
	part  int
}{{200 * time.Millisecond, 32}, {500 * time.Millisecond, 6}, {2 * time.Second, 3}, {time.Hour, 2}}

// granted returns what runs may have taken some time after the beginning.
func granted(after time.Duration) time.Duration {
	sum, from := runsLeast, time.Duration(0)
	for _, s := range shares {
		if after > from {
			sum += (min(after, s.until) - from) / time.Duration(s.part)
		}
		from = s.until
	}
	return sum
}

// longestRest bounds a wait, so that hurry is seen.
const longestRest = 20 * time.Millisecond

// rest is told what a run took, and says how long to wait before the next one.
func (p *pace) rest(took time.Duration) time.Duration {
	p.own += took
	if p.hurry.Load() {
		return 0
	}
	return min(max(p.own-granted(time.Since(p.begun)), 0), longestRest)
}

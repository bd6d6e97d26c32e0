package sample

import (
	"math/rand/v2"

	"comus/cir/interp"
)

// Schedule returns the scheduler of a seed.
func Schedule(seed uint64) interp.Scheduler {
	switch seed % 6 {
	case 0, 1:
		return interp.NewRandom(seed, 1)
	case 2:
		return interp.NewRandom(seed, 6)
	case 3:
		return interp.NewRandom(seed, 60)
	}
	return newPriorities(seed)
}

// priorities runs the thread with the highest priority of those that are ready. Priorities are random; at a few
// random steps the thread that runs gets the lowest of all, and also when it has gone on for long, as it may
// wait for another one in a loop.
type priorities struct {
	r      *rand.Rand
	of     map[int]int
	lowest int
	until  int64 // steps to the next change
	alone  int64 // steps that the thread has taken in a row
	last   int
}

const patience = 400

func newPriorities(seed uint64) *priorities {
	p := &priorities{r: rand.New(rand.NewPCG(seed, 2)), of: map[int]int{}, last: -1}
	p.until = p.next()
	return p
}

// next draws the distance to the next change: it may be near or far.
func (p *priorities) next() int64 { return 1 + p.r.Int64N(int64(4)<<p.r.IntN(9)) }

// Next implements [interp.Scheduler].
func (p *priorities) Next(ready []int, _ int) (int, int64) {
	t := p.best(ready)
	if p.until--; p.until <= 0 || t == p.last && p.alone > patience {
		p.lowest--
		p.of[t] = p.lowest
		p.until = p.next()
		t = p.best(ready)
	}
	if t != p.last {
		p.alone = 0
	}
	p.alone++
	p.last = t
	return t, 1
}

// best is the thread with the highest priority; new ones draw theirs.
func (p *priorities) best(ready []int) int {
	best := ready[0]
	for _, t := range ready {
		if _, ok := p.of[t]; !ok {
			p.of[t] = p.r.IntN(1000)
		}
		if p.of[t] > p.of[best] {
			best = t
		}
	}
	return best
}

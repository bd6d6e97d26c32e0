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

// Schedulers are those that Schedule takes in turn, and others, by their names, for comparison: a random walk changes threads after any step; turns have several steps; PCT (Burckhardt et al.,
// A randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010) has priorities of threads that change at a few random steps; POS (Yuan et al., Partial order aware concurrency sampling, CAV 2018),
// in its basic form, has a random priority for each step.
var Schedulers = map[string]func(seed uint64) interp.Scheduler{
	"random walk":    func(seed uint64) interp.Scheduler { return interp.NewRandom(seed, 1) },
	"turns of 6":     func(seed uint64) interp.Scheduler { return interp.NewRandom(seed, 6) },
	"turns of 60":    func(seed uint64) interp.Scheduler { return interp.NewRandom(seed, 60) },
	"PCT":            func(seed uint64) interp.Scheduler { return newPriorities(seed) },
	"POS":            func(seed uint64) interp.Scheduler { return newPartialOrder(seed) },
	"these, in turn": Schedule,
}

// partialOrder runs the thread whose next step has the highest priority; each step has one of its own.
type partialOrder struct {
	r  *rand.Rand
	of map[int]uint64
}

func newPartialOrder(seed uint64) *partialOrder {
	return &partialOrder{rand.New(rand.NewPCG(seed, 3)), map[int]uint64{}}
}

// Next implements [interp.Scheduler].
func (p *partialOrder) Next(ready []int, _ int) (int, int64) {
	best := ready[0]
	for _, t := range ready {
		if _, ok := p.of[t]; !ok {
			p.of[t] = p.r.Uint64()
		}
		if p.of[t] > p.of[best] {
			best = t
		}
	}
	delete(p.of, best) // its next step has another one
	return best, 1
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

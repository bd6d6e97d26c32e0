package interp

import "math/rand/v2"

// A Scheduler chooses threads.
type Scheduler interface {
	// Next chooses one of the threads that can take a step, given in ascending order, at least two, and says how many
	// steps it may take, at least 1, before the next choice. The thread may take fewer
	// if it blocks or ends, and goes on to the end of an atomic section.
	Next(ready []int, last int) (thread int, steps int64)
}

// RoundRobin gives each thread this number of steps in turn.
type RoundRobin int64

// Next implements Scheduler.
func (n RoundRobin) Next(ready []int, last int) (int, int64) {
	for _, t := range ready {
		if t > last {
			return t, int64(n)
		}
	}
	return ready[0], int64(n)
}

// Random chooses threads at random, for a random number of steps.
type Random struct {
	r    *rand.Rand
	mean int64
}

// NewRandom returns a Random that starts from a seed. A choice holds for 1 to 2*mean-1 steps.
func NewRandom(seed uint64, mean int64) *Random {
	return &Random{rand.New(rand.NewPCG(seed, 0)), max(mean, 1)}
}

// Next implements Scheduler.
func (s *Random) Next(ready []int, last int) (int, int64) {
	return ready[s.r.IntN(len(ready))], 1 + s.r.Int64N(2*s.mean-1)
}

// List gives each of its threads a step, in its order, and goes on with the first thread that is ready. A
// thread that is not ready is passed over.
type List struct {
	Threads []int
	i       int
}

// Next implements Scheduler.
func (s *List) Next(ready []int, last int) (int, int64) {
	for s.i < len(s.Threads) {
		s.i++
		for _, t := range ready {
			if t == s.Threads[s.i-1] {
				return t, 1
			}
		}
	}
	return ready[0], 1
}

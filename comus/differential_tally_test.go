package comus_test

import (
	"fmt"
	"sync"
	"time"

	"comus/ir/explore"
	"comus/seqmc"
)

// progressEvery is the time between two lines about a long run.
const progressEvery = 30 * time.Second

// tally counts verdicts, and stored programs.
type tally struct {
	start   time.Time
	decided []column // one for each configuration

	mu     sync.Mutex
	oracle map[explore.Verdict]int
	shrunk int
	said   time.Time // when there was progress to read last
}

// column is what one configuration said.
type column struct {
	count map[seqmc.Verdict]int // the wrong ones left out
	wrong int                   // wrong verdicts and errors
	took  time.Duration
}

func newTally() *tally {
	s := &tally{start: time.Now(), said: time.Now(), oracle: map[explore.Verdict]int{}}
	for range configurations {
		s.decided = append(s.decided, column{count: map[seqmc.Verdict]int{}})
	}
	return s
}

// explored counts a verdict of the oracle.
func (s *tally) explored(v explore.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.oracle[v]++
}

// verified counts what configuration i said.
func (s *tally) verified(i int, v seqmc.Verdict, wrong bool, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.decided[i]
	c.took += took
	if wrong {
		c.wrong++
		return
	}
	c.count[v]++
}

// failed counts a program that somebody was wrong about, and returns how many there
// are.
func (s *tally) failed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shrunk++
	return s.shrunk
}

// compared returns for how many programs the oracle had a verdict.
func (s *tally) compared() int { return s.oracle[explore.Safe] + s.oracle[explore.Unsafe] }

// progress prints a line now and then; every program before seed, or nearly, has
// been compared.
func (s *tally) progress(seed uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.said) < progressEvery {
		return
	}
	s.said = time.Now()
	n := s.compared() + s.oracle[explore.Unknown]
	fmt.Printf("%6.0f s: %d programs, %.1f a second, at seed %d, %d failures\n",
		time.Since(s.start).Seconds(), n, float64(n)/time.Since(s.start).Seconds(), seed, s.shrunk)
}

// table prints what was decided by the configurations that were used.
func (s *tally) table() {
	n, secs := s.compared()+s.oracle[explore.Unknown], time.Since(s.start).Seconds()
	fmt.Printf("differential test: %d programs in %.0f s, %.1f a second; explorer: %d SAFE, %d UNSAFE, %d skipped\n",
		n, secs, float64(n)/secs, s.oracle[explore.Safe], s.oracle[explore.Unsafe], s.oracle[explore.Unknown])
	fmt.Printf("%-17s %8s %8s %8s %8s %8s %9s %8s\n", "configuration", "programs", "SAFE", "UNSAFE", "UNKNOWN", "wrong", "decided", "seconds")
	for i, c := range configurations {
		d := &s.decided[i]
		decided := d.count[seqmc.Safe] + d.count[seqmc.Unsafe]
		all := decided + d.count[seqmc.Unknown] + d.wrong
		if all == 0 {
			continue
		}
		fmt.Printf("%-17s %8d %8d %8d %8d %8d %7.1f %% %8.1f\n", c.name, all, d.count[seqmc.Safe], d.count[seqmc.Unsafe],
			d.count[seqmc.Unknown], d.wrong, 100*float64(decided)/float64(max(1, all)), d.took.Seconds())
	}
}

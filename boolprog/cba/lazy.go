package cba

import (
	"comus/boolprog/bdd"
)

// schedule is the lazy analysis: round by round, and in a round thread by thread,
// so that a thread's next context begins with no more states than the others can
// hand over (Theorem 2). With n threads, rules R8 and R9 compose the effects of all
// others.
type schedule struct {
	*space
	init    bdd.Node // of one context, as atStart
	threads []*thread
	effects [][]bdd.Node // by round from 1 and thread: E
	before  [][]bdd.Node // by round and number of threads: the effects of the first ones, composed
	behind  [][]bdd.Node // by round and thread: the effects of those behind it, composed
}

// violation is an assertion that fails in a round.
type violation struct {
	thread int
	place  place
}

// run analyses up to a number of rounds. It stops at the first round in which an
// assertion can fail.
func (s *schedule) run(rounds int) *violation {
	s.effects = make([][]bdd.Node, rounds+1)
	s.before = make([][]bdd.Node, rounds+1)
	s.behind = make([][]bdd.Node, rounds+1)
	for k := 1; k <= rounds; k++ {
		if v := s.round(k); v != nil {
			return v
		}
		behind := make([]bdd.Node, len(s.threads))
		rest := s.identity(k)
		for j := len(s.threads) - 1; j >= 0; j-- {
			behind[j] = rest
			if j > 0 {
				rest = s.compose(s.effects[k][j], rest, k)
			}
		}
		s.behind[k] = behind
	}
	return nil
}

// round analyses the contexts of a round.
func (s *schedule) round(k int) *violation {
	s.before[k] = []bdd.Node{s.And(s.identity(k), s.init)}
	for j, t := range s.threads {
		if k == 1 {
			t.begin(s.starts(s.before[1][j]))
		} else {
			t.resume(k-1, s.handover(k-1, j))
		}
		t.saturate()
		if len(t.errors) > 0 {
			return &violation{j, t.errors[0]}
		}
		e := t.effect(k)
		s.effects[k] = append(s.effects[k], e)
		s.before[k] = append(s.before[k], s.compose(s.before[k][j], e, k))
	}
	return nil
}

// starts returns the states in which a thread begins its first context, as atStart
// and now, from the effects of those before it.
func (s *schedule) starts(before bdd.Node) bdd.Node {
	n := s.Exists(before, s.Set(s.tuple(atStart, 1, 1)...))
	return s.And(n, s.identity(1))
}

// handover returns what thread j can find when it begins the context behind
// context k: where the tuple at its start, with one more context, fits the tuple now.
// The threads behind it go on from the tuple now, and the first thread begins its
// contexts with what the last leaves behind (check of Fig. 5).
func (s *schedule) handover(k, j int) bdd.Node {
	last := s.behind[k][j]
	from := append(s.tuple(atStart, 1, k), s.tuple(now, 1, k)...)
	to := append(s.tuple(now, 1, k), s.tuple(next, 1, k)...)
	last = s.rename(last, from, to) // now: of thread j, next: of the last thread
	first := s.Exists(s.before[k+1][j], s.Set(s.tuple(atStart, 1, 1)...))
	from = append(s.tuple(atStart, 2, k+1), s.tuple(now, 1, k+1)...)
	to = append(s.tuple(next, 1, k), s.tuple(atStart, 1, k+1)...)
	first = s.rename(first, from, to)
	return s.AndExists(last, first, s.Set(s.tuple(next, 1, k)...))
}

// final returns the global states at the end of the last round, as now of its
// context.
func (s *schedule) final(rounds int) bdd.Node {
	n := s.before[rounds][len(s.threads)]
	n = s.And(n, s.checker(rounds))
	return s.Exists(n, s.Set(append(s.tuple(atStart, 1, rounds), s.tuple(now, 1, rounds-1)...)...))
}

// checker tells that each round begins with what the one before leaves behind.
func (s *schedule) checker(rounds int) bdd.Node {
	return s.same(s.tuple(atStart, 2, rounds), s.tuple(now, 1, rounds-1))
}

package cba

import (
	"comus/boolprog"
	"comus/boolprog/bdd"
)

// schedule puts the contexts of the threads together: round by round, and in a round
// thread by thread. With n threads, rules R8 and R9 compose the effects of all others.
//
// Lazily, a thread's next context begins with no more states than the others can hand
// over (Theorem 2). Eagerly, as in section 7, with any: the relations E of R8 and R9 are
// fixed to all changes, and what the others can hand over is asked only where an
// assertion fails, and at the end (Checker). The relations of a thread are then those of
// its procedure, so that threads that run the same one share them.
type schedule struct {
	*space
	eager   bool
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
	real   bdd.Node // what the thread can find at the starts of its contexts
}

// newSchedule returns the analysis of a program before its first round.
func newSchedule(sp *space, p *boolprog.Program, eager bool) *schedule {
	s := &schedule{space: sp, eager: eager, init: bdd.True}
	if p.Init != nil {
		init := (&scope{sp, 1, nil}).holds(p.Init)
		s.init = sp.rename(init, sp.tuple(now, 1, 1), sp.tuple(atStart, 1, 1))
	}
	g := newGraph(sp, p)
	shared := map[*boolprog.Proc]*thread{}
	for _, f := range p.Threads {
		t := shared[f]
		if t == nil || !eager {
			t = newThread(g, f, false)
			shared[f] = t
		}
		s.threads = append(s.threads, t)
	}
	return s
}

// run analyses up to a number of rounds. It stops at the first round in which an
// assertion can fail.
func (s *schedule) run(rounds int) *violation {
	s.effects = make([][]bdd.Node, rounds+1)
	s.before = make([][]bdd.Node, rounds+1)
	s.behind = make([][]bdd.Node, rounds+1)
	round := s.lazily
	if s.eager {
		round = s.eagerly
	}
	for k := 1; k <= rounds; k++ {
		s.before[k] = []bdd.Node{s.And(s.identity(k), s.init)}
		if v := round(k); v != nil {
			return v
		}
	}
	return nil
}

// lazily analyses the contexts of a round, each where it can begin.
func (s *schedule) lazily(k int) *violation {
	if k > 1 {
		s.others(k - 1)
	}
	for j, t := range s.threads {
		if k == 1 {
			t.begin(s.starts(s.before[1][j]))
		} else {
			t.resume(k-1, s.handover(k-1, j))
		}
		t.saturate()
		if len(t.errors) > 0 {
			return &violation{j, t.errors[0], bdd.True}
		}
		s.extend(k, j, t.effect(k))
	}
	return nil
}

// eagerly analyses the contexts of a round from any state.
func (s *schedule) eagerly(k int) *violation {
	effects, failures := map[*thread]bdd.Node{}, map[*thread]bdd.Node{}
	failed := bdd.False // from atStart of the first thread to now without context k, after an assertion of a thread has failed
	for j, t := range s.threads {
		if _, ok := effects[t]; !ok {
			if k == 1 {
				t.begin(s.identity(1))
			} else {
				t.resume(k-1, bdd.True)
			}
			t.saturate()
			effects[t], failures[t] = t.effect(k), t.failure(k)
		}
		if k > 1 { // the threads behind the one that failed have a context less
			failed = s.compose(failed, s.effects[k-1][j], k-1)
		}
		failed = s.Or(failed, s.compose(s.before[k][j], failures[t], k))
		s.extend(k, j, effects[t])
	}
	if s.And(failed, s.checker(k)) == bdd.False {
		return nil
	}
	if k > 1 {
		s.others(k - 1)
	}
	for j, t := range s.threads {
		real := s.Exists(s.starts(s.before[1][j]), s.Set(s.tuple(now, 1, 1)...))
		if k > 1 {
			real = s.handover(k-1, j)
		}
		for _, p := range t.errors {
			if p.contexts == k && s.And(t.relations[p].all, real) != bdd.False {
				return &violation{j, p, real}
			}
		}
	}
	panic("an assertion fails, but of no thread")
}

// extend adds the effect of a thread in a round.
func (s *schedule) extend(k, j int, effect bdd.Node) {
	s.effects[k] = append(s.effects[k], effect)
	s.before[k] = append(s.before[k], s.compose(s.before[k][j], effect, k))
}

// others composes the effects of the threads behind each thread in a round.
func (s *schedule) others(k int) {
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

package threadmodular

import (
	"maps"

	"comus/logic"
)

// others returns the threads whose places are parameters of the relation of instances:
// with Placed, those of which there is one instance, but for the relation's own.
func (s *system) others(xs []instance) []*thread {
	var out []*thread
	for _, u := range s.m.threads {
		if s.placed && !u.Replicated && u != xs[0].t {
			out = append(out, u)
		}
	}
	return out
}

// waiting returns the conditions that all threads with places are at cut-points, but for
// those of some instances.
func (s *system) waiting(xs ...instance) []*logic.Term {
	var out []*logic.Term
	for _, u := range s.others(xs) {
		if len(xs) == 2 && u == xs[1].t {
			continue
		}
		var at []*logic.Term
		for _, n := range u.nodes {
			if u.cut[n] {
				at = append(at, s.l.Eq(u.PC, s.l.Int(int64(n))))
			}
		}
		out = append(out, s.l.Or(at...))
	}
	return out
}

// moved adds the clause, with Placed, for a block of y beside x: each of the two is where
// the other one's relation has it.
func (s *system) moved(x, y instance, b *block, cond *logic.Term, after map[*logic.Term]*logic.Term) {
	at := func(i instance, loc int) map[*logic.Term]*logic.Term {
		if i.t.Replicated {
			return nil
		}
		return map[*logic.Term]*logic.Term{i.t.PC: s.l.Int(int64(loc))}
	}
	after = maps.Clone(after)
	maps.Copy(after, at(y, b.to.Index))
	head := s.holds(after, x)
	s.add(&head, append(s.waiting(x, y), cond), s.holds(at(y, y.loc), x), s.holds(at(x, x.loc), y))
}

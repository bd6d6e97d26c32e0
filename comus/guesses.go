package comus

import (
	"comus/ir"
	"comus/logic"
	"comus/scan/values"
	"comus/scan/zones"
	"comus/specialise"
)

// What an analysis of the whole program knows of values goes to the engines that look for invariants by guesses (ir.Program.Guesses): bounds of static variables, and what those that a
// lock guards have to do with each other. From there it gets to resource invariants and, with those that are inductive, to env_move (resourceinv.Seeds). It is not verified
// on the way: a guess that does not hold is dropped, and proofs are checked.

// mostGuesses bounds them, as each is asked about.
const mostGuesses = 100

// guess has all readings from now on come with guesses.
func (s *Source) guess(known []values.Known) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = known
}

// guessesOf words what is known in the variables of a program.
func guessesOf(r *specialise.Result, known []values.Known) (list []*logic.Term) {
	for _, k := range known {
		if f := worded(r, k); f != nil && len(list) < mostGuesses {
			list = append(list, f)
		}
	}
	return list
}

// worded words something that is known; nil if not all of it is about variables of the program.
func worded(r *specialise.Result, k values.Known) *logic.Term {
	var vars []*ir.Var
	for _, x := range k.Of {
		v := r.Scalars[specialise.Scalar(x)]
		if v == nil {
			return nil
		}
		vars = append(vars, v)
	}
	l := r.Program.L
	sum := func(f zones.Linear) *logic.Term {
		t := l.Int(f.C)
		for i, v := range vars {
			t = l.Add(t, l.Mul(l.Int(f.Coef[i]), v.Sym))
		}
		return t
	}
	var cases []*logic.Term
	for _, c := range k.Cases {
		var all []*logic.Term
		for _, f := range c.Most {
			all = append(all, l.Le(sum(f), l.Int(0)))
		}
		for _, f := range c.Equal {
			all = append(all, l.Eq(sum(f), l.Int(0)))
		}
		cases = append(cases, l.And(all...))
	}
	return l.Or(cases...)
}

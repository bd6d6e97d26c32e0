package check

import "comus/logic"

// The part of proofs that know where other threads are: see "Placed".

// waiting returns that every thread which is not replicated is at a cut-point, but for
// those of some instances; true if the proof does not know places.
func (k *parametric) waiting(xs ...runner) *logic.Term {
	var all []*logic.Term
	for _, u := range k.pr.threads {
		if !k.placed || !another(u, threadsOf(xs)...) || u.Replicated {
			continue
		}
		var at []*logic.Term
		u.cuts(func(n int) { at = append(at, k.l.Eq(u.PC, k.l.Int(int64(n)))) })
		all = append(all, k.l.Or(at...))
	}
	return k.l.And(all...)
}

func threadsOf(xs []runner) []*thread {
	var out []*thread
	for _, x := range xs {
		out = append(out, x.t)
	}
	return out
}

// with returns a formula with the place of an instance filled in, if it is one of a thread
// that is not replicated.
func (k *parametric) with(f *logic.Term, y runner) *logic.Term {
	if y.t.Replicated {
		return f
	}
	return k.l.Subst(f, map[*logic.Term]*logic.Term{y.t.PC: k.l.Int(int64(y.loc))})
}

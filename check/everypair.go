package check

import (
	"errors"
	"fmt"

	"comus/logic"
)

// checkSingles verifies a proof of size 1.
func (k *parametric) checkSingles() error {
	for _, t := range k.pr.threads {
		entry := runner{t, t.Entry.Index, 0}
		if err := k.prove(fmt.Sprintf("thread %d: the invariant at the entry, initially", t.Index), k.initially(entry), k.single(entry)); err != nil {
			return err
		}
		err := k.pieces(t, 0, func(x runner, b *block) error {
			what := fmt.Sprintf("thread %d: the invariant at %d, after a step from %d", t.Index, b.to.Index, x.loc)
			return k.kept(what, k.l.And(k.everywhere(k.single(x), x, b), k.waiting(x), k.present(x)), k.move(x, b), k.single(runner{t, b.to.Index, 0}))
		})
		if err == nil {
			err = k.undisturbed(t)
		}
		if err == nil {
			err = k.errors(t, func(x runner) [][]runner { return [][]runner{{x}} })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// undisturbed verifies that t's invariants are kept by other instances.
func (k *parametric) undisturbed(t *thread) error {
	about := map[runner]map[*logic.Term]bool{}
	for _, x := range cutPoints(t, 0) {
		about[x] = map[*logic.Term]bool{}
		for _, v := range logic.FreeVars(k.single(x)) {
			about[x][v] = true
		}
	}
	for _, u := range k.pr.threads {
		if !another(u, t) {
			continue
		}
		err := k.pieces(u, 1, func(y runner, b *block) error {
			m := k.move(y, b)
			for _, x := range cutPoints(t, 0) {
				if !k.held.together(x, y) || !k.placed && !m.changes(about[x]) {
					continue
				}
				what := fmt.Sprintf("thread %d: the invariant at %d, after a step of another thread %d from %d to %d", t.Index, x.loc, u.Index, y.loc, b.to.Index)
				before := k.l.And(k.everywhere(k.l.And(k.with(k.single(x), y), k.with(k.single(y), x)), y, b), k.waiting(x, y), k.present(x, y))
				goal := k.with(k.single(x), runner{u, b.to.Index, 1})
				if !k.placed {
					goal = k.keptAlone(k.l.And(k.everywhere(k.single(y), y, b), k.present(y)), m, goal)
				}
				if err := k.kept(what, before, m, goal); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errors verifies that t cannot get to an error location. beside returns the instances that may be there beside it: itself for a
// proof of size 1; size 2, those of one of several threads, of which one will do.
func (k *parametric) errors(t *thread, beside func(x runner) [][]runner) error {
	for _, n := range t.nodes {
		for _, b := range t.out[n] {
			if !b.to.Error {
				continue
			}
			err := errors.New("there is no other thread")
			for _, ys := range beside(runner{t, n, 0}) {
				if err = k.errorBeside(runner{t, n, 0}, b, ys); err == nil {
					break
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// errorBeside verifies that an instance does not make a step to an error location when another one is in one of these places.
func (k *parametric) errorBeside(x runner, b *block, ys []runner) error {
	m := k.move(x, b)
	for _, y := range ys {
		inv := k.l.And(k.everywhere(k.single(x), x, b), k.waiting(x), k.present(x))
		if k.size == 2 {
			inv = k.l.And(k.pair(x, y), k.present(x, y))
		}
		if err := k.kept(fmt.Sprintf("thread %d: the assertion after %d", x.t.Index, x.loc), inv, m, k.l.False()); err != nil {
			return err
		}
	}
	return nil
}

// checkPairs verifies a proof of size 2.
func (k *parametric) checkPairs() error {
	for _, t := range k.pr.threads {
		for _, u := range k.pr.threads {
			if !another(u, t) {
				continue
			}
			a, b := runner{t, t.Entry.Index, 0}, runner{u, u.Entry.Index, 1}
			what := fmt.Sprintf("threads %d and %d: the invariant at the entries, initially", t.Index, u.Index)
			if err := k.prove(what, k.initially(a, b), k.pair(a, b)); err != nil {
				return err
			}
			if err := k.steps(t, u); err != nil {
				return err
			}
			if t.Index <= u.Index {
				if err := k.thirds(t, u); err != nil {
					return err
				}
			}
		}
		if err := k.excluded(t); err != nil {
			return err
		}
	}
	return nil
}

// steps verifies that the invariants of an instance of t and one of u are kept by the
// former. The latter is at a cut-point.
func (k *parametric) steps(t, u *thread) error {
	return k.pieces(t, 0, func(a runner, b *block) error {
		m := k.move(a, b)
		for _, y := range cutPoints(u, 1) {
			what := fmt.Sprintf("threads %d and %d: the invariant at %d and %d, after a step of the former from %d", t.Index, u.Index, b.to.Index, y.loc, a.loc)
			if err := k.kept(what, k.l.And(k.pair(a, y), k.present(a, y)), m, k.pair(runner{t, b.to.Index, 0}, y)); err != nil {
				return err
			}
		}
		return nil
	})
}

// thirds verifies that the invariants of an instance of t and one of u, both at
// cut-points, are kept by a third.
func (k *parametric) thirds(t, u *thread) error {
	for _, v := range k.pr.threads {
		if !another(v, t, u) {
			continue
		}
		err := k.pieces(v, 2, func(z runner, b *block) error {
			m := k.move(z, b)
			for _, x := range cutPoints(t, 0) {
				xz := k.pair(x, z)
				if xz.IsFalse() {
					continue
				}
				for _, y := range cutPoints(u, 1) {
					what := fmt.Sprintf("threads %d and %d: the invariant at %d and %d, after a step of a third, thread %d, from %d to %d",
						t.Index, u.Index, x.loc, y.loc, v.Index, z.loc, b.to.Index)
					if err := k.kept(what, k.l.And(k.pair(x, y), xz, k.pair(y, z), k.present(x, y, z)), m, k.pair(x, y)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// excluded verifies that t cannot get to an error location: to each, beside an instance of some thread of which there is always
// another one.
func (k *parametric) excluded(t *thread) error {
	return k.errors(t, func(runner) (all [][]runner) {
		for _, u := range k.pr.threads {
			if another(u, t) {
				all = append(all, cutPoints(u, 1))
			}
		}
		return all
	})
}

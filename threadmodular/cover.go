package threadmodular

import (
	"slices"

	"comus/ir"
	"comus/logic"
)

// A variable that never changes may stand for a cell that is not told which it is, such as the one that a race is sought at. What is allocated has
// it or has not: x, the address of an object of c+1 cells, "covers" it if it lies between x and x + c. No two objects do, so that threads with
// addresses of their own are told apart by who of them has the one that covers it, and by the flags that say that it has been allocated.

// maxSizes bounds the sizes of objects that are considered, and maxCovers the addresses of a relation.
const maxSizes, maxCovers = 2, 12

// findFixed finds the shared variables that never change.
func (h *lemmas) findFixed() {
	for _, v := range h.s.m.shared {
		if v.Type != ir.Flag {
			h.sizes[v.Sym] = nil
		}
	}
	for _, t := range h.s.m.threads {
		for _, n := range t.nodes {
			for _, bl := range t.out[n] {
				for v := range bl.value {
					delete(h.sizes, v)
				}
			}
		}
	}
}

// measure notes the sizes of objects that a formula compares a fixed variable with.
func (h *lemmas) measure(f *logic.Term) {
	l := h.s.l
	logic.Visit(func(x *logic.Term) {
		if x.Op() != logic.OpLe {
			return
		}
		diff := l.Sub(x.Args()[0], x.Args()[1])
		vars := logic.FreeVars(diff)
		if len(vars) != 2 {
			return
		}
		for i, w := range vars {
			list, fixed := h.sizes[w]
			if !fixed {
				continue
			}
			size := l.Sub(l.Sub(w, diff), vars[1-i]) // w is at most the other one and this
			if size.Op() != logic.OpInt {
				size = l.Sub(l.Sub(l.Add(w, diff), vars[1-i]), l.Int(1)) // or it is more
			}
			if k, ok := size.Const(); ok && k.Sign() > 0 && !slices.Contains(list, k) && len(list) < maxSizes {
				h.sizes[w] = append(list, k)
			}
		}
	}, f)
}

// covers returns that addresses cover a fixed variable; those that other threads may change, only while a flag is set that goes with them.
func (h *lemmas) covers(r *relation, ints []int, index map[*logic.Term]int) []*logic.Term {
	l := h.s.l
	var out []*logic.Term
	for _, w := range h.s.m.shared {
		for _, size := range h.sizes[w.Sym] {
			for _, i := range ints {
				x := r.params[i]
				if x == w.Sym || h.root(h.related(r, i)) != h.root(w.Sym) || len(out) >= maxCovers {
					continue
				}
				f := l.And(l.Le(x, w.Sym), l.Le(w.Sym, l.Add(x, l.Value(size))))
				flags := h.guardsOf(h.related(r, i), index)
				if len(flags) == 0 {
					out = append(out, f)
				}
				for _, g := range flags {
					out = append(out, l.And(l.Eq(r.params[g], l.Int(1)), f))
				}
			}
		}
	}
	return out
}

// addCovers adds that an address does not cover a fixed variable, perhaps unless a flag has a value; and that of two, one does not.
func (h *lemmas) addCovers(list []lemma, r *relation, covers []*logic.Term, bits []int) []lemma {
	l := h.s.l
	first := len(list)
	for _, f := range covers {
		list = append(list, lemma{f: l.Not(f)})
	}
	for n, f := range covers {
		for _, i := range bits {
			for value := range int64(2) {
				list = append(list, lemma{f: l.Or(l.Not(f), l.Eq(r.params[i], l.Int(value))), implied: []int{first + n, h.flags[r][guard{i, value}]}})
			}
		}
		for m := n + 1; m < len(covers); m++ {
			list = append(list, lemma{f: l.Or(l.Not(f), l.Not(covers[m])), implied: []int{first + n, first + m}})
		}
	}
	return list
}

package threadmodular

import (
	"math"
	"slices"

	"comus/ir"
	"comus/logic"
)

// lemma is a candidate: f, which is perhaps a comparison of parameters unless one of the guards holds.
type lemma struct {
	f       *logic.Term
	x, y    int // equal ones: f is no comparison
	how     comparison
	guards  []guard
	implied []int // by one of these lemmas
}

// guard says that a parameter has a value.
type guard struct {
	param int
	value int64
}

func (m lemma) isComparison() bool { return m.x != m.y }

// comparison is one of two parameters.
type comparison uint8

const (
	less comparison = iota
	atMost
	differs
	atLeast
	more
	fours  // they differ by a multiple of 4
	eights // of 8
	comparisons
)

// modulus returns what the difference is a multiple of.
func (c comparison) modulus() int64 { return 4 << (c - fours) }

// implies reports whether a comparison implies another one.
func (c comparison) implies(d comparison) bool {
	return c == d || c == less && (d == atMost || d == differs) || c == more && (d == atLeast || d == differs) || c == eights && d == fours
}

func (c comparison) holds(x, y logic.Value) bool {
	if c >= fours {
		_, r := x.Add(y.Neg()).DivMod(logic.IntValue(c.modulus()))
		return r.Sign() == 0
	}
	order := x.Cmp(y)
	switch c {
	case less:
		return order < 0
	case atMost:
		return order <= 0
	case differs:
		return order != 0
	case atLeast:
		return order >= 0
	}
	return order > 0
}

// of returns the comparison as a formula.
func (c comparison) of(l *logic.Store, x, y *logic.Term) *logic.Term {
	switch c {
	case less:
		return l.Lt(x, y)
	case atMost:
		return l.Le(x, y)
	case differs:
		return l.Ne(x, y)
	case atLeast:
		return l.Le(y, x)
	case fours, eights:
		return l.Eq(l.Mod(l.Sub(x, y), l.Int(c.modulus())), l.Int(0))
	}
	return l.Lt(y, x)
}

// candidates returns the lemmas about a relation.
func (h *lemmas) candidates(r *relation) []lemma {
	if list, ok := h.byRel[r]; ok {
		return list
	}
	var list []lemma
	tab := h.s.m.p.Symbols()
	base := func(i int) *logic.Term {
		if v := h.lifted[r.params[i]]; v != nil {
			return v
		}
		return r.params[i]
	}
	var ints, bits []int
	index := map[*logic.Term]int{} // of shared variables
	for i, p := range r.params {
		v := tab[base(i)]
		if v == nil {
			continue
		}
		if p == base(i) && v.Thread == ir.Shared {
			index[p] = i
		}
		if h.isBit(v) {
			bits = append(bits, i)
			continue
		}
		list = h.within(list, r, i, v)
		if len(ints) < maxCompared {
			ints = append(ints, i)
		}
	}
	h.of[r] = slices.Clone(r.params)
	list = h.either(list, r, bits)
	list = h.addCovers(list, r, h.covers(r, ints, index), bits)
	for i, p := range r.params {
		for _, k := range h.values[base(i)] {
			for _, g := range bits {
				if !slices.Contains(bits, i) && tab[base(i)] != nil {
					eq := h.s.l.Eq(p, h.s.l.Value(k))
					list = append(list, lemma{f: h.s.l.Or(h.s.l.Eq(r.params[g], h.s.l.Int(0)), eq)}, lemma{f: h.s.l.Or(h.s.l.Eq(r.params[g], h.s.l.Int(1)), eq)})
				}
			}
		}
	}
	for role, pl := range r.places {
		for _, x := range h.sums[h.s.m.threads[pl.Thread]] {
			if x = h.s.l.Subst(x, h.s.sub[role]); len(ints) < maxCompared && !slices.ContainsFunc(logic.FreeVars(x), func(v *logic.Term) bool { return !slices.Contains(r.params, v) }) {
				ints = append(ints, len(h.of[r]))
				h.of[r] = append(h.of[r], x)
			}
		}
	}
	for k, i := range ints {
		for _, j := range ints[k+1:] {
			x, y := h.related(r, i), h.related(r, j)
			if h.root(x) == h.root(y) {
				list = h.compare(list, r, i, j, h.guardsOf(x, index), h.guardsOf(y, index))
			}
		}
	}
	for role, pl := range r.places {
		for _, f := range h.rules[h.s.m.threads[pl.Thread]][pl.Loc] {
			f = h.s.l.Subst(f, h.s.sub[role])
			if !slices.ContainsFunc(logic.FreeVars(f), func(v *logic.Term) bool { return !slices.Contains(r.params, v) }) {
				list = append(list, lemma{f: f})
			}
		}
	}
	h.byRel[r] = list
	return list
}

// related returns an operand's variable, or one of those of a sum.
func (h *lemmas) related(r *relation, i int) *logic.Term {
	v := h.of[r][i]
	if i >= len(r.params) {
		v = logic.FreeVars(v)[0]
	}
	if s := h.lifted[v]; s != nil {
		return s
	}
	return v
}

// guardsOf returns the parameters that are flags of a shared variable.
func (h *lemmas) guardsOf(x *logic.Term, index map[*logic.Term]int) []int {
	var out []int
	for f := range h.guards[x] {
		if i, ok := index[f]; ok {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// within adds bounds of a parameter that is a variable.
func (h *lemmas) within(list []lemma, r *relation, i int, v *ir.Var) []lemma {
	l := h.s.l
	least, most := v.Type.Range()
	above := []logic.Value{most, logic.IntValue(math.MaxInt32), logic.IntValue(1), logic.IntValue(0)}
	below := []logic.Value{least, logic.IntValue(0), logic.IntValue(1)}
	for _, k := range h.values[v.Sym] {
		list = append(list, lemma{f: l.Eq(r.params[i], l.Value(k))})
	}
	first := len(list)
	for n, k := range above {
		list = append(list, lemma{f: l.Le(r.params[i], l.Value(k))})
		for m := n + 1; m < len(above); m++ {
			list[first+n].implied = append(list[first+n].implied, first+m)
		}
	}
	first = len(list)
	for n, k := range below {
		list = append(list, lemma{f: l.Le(l.Value(k), r.params[i])})
		for m := n + 1; m < len(below); m++ {
			list[first+n].implied = append(list[first+n].implied, first+m)
		}
	}
	return list
}

// either adds what flags are, and of each two of them that one has a value.
func (h *lemmas) either(list []lemma, r *relation, bits []int) []lemma {
	l := h.s.l
	at := map[guard]int{}
	for _, i := range bits {
		for value := range int64(2) {
			at[guard{i, value}] = len(list)
			list = append(list, lemma{f: l.Eq(r.params[i], l.Int(value))})
		}
		either := l.And(l.Le(l.Int(0), r.params[i]), l.Le(r.params[i], l.Int(1)))
		list = append(list, lemma{f: either, implied: []int{at[guard{i, 0}], at[guard{i, 1}]}})
	}
	for k, i := range bits {
		for _, j := range bits[k+1:] {
			for n := range int64(4) {
				f := l.Or(l.Eq(r.params[i], l.Int(n&1)), l.Eq(r.params[j], l.Int(n>>1)))
				list = append(list, lemma{f: f, implied: []int{at[guard{i, n & 1}], at[guard{j, n >> 1}]}})
			}
		}
	}
	h.flags[r] = at
	return list
}

// compare adds the comparisons of two parameters, which have these flags: unless one of them has a value, and of two shared variables
// unless one of each is not set.
func (h *lemmas) compare(list []lemma, r *relation, i, j int, of, ofOther []int) []lemma {
	l := h.s.l
	first := len(list)
	add := func(guards ...guard) {
		for c := range comparisons {
			if c >= fours && (len(guards) > 1 || !h.strides[[2]*logic.Term{h.related(r, i), h.related(r, j)}]) {
				continue
			}
			var fs []*logic.Term
			for _, g := range guards {
				fs = append(fs, l.Eq(r.params[g.param], l.Int(g.value)))
			}
			list = append(list, lemma{f: l.Or(append(fs, c.of(l, h.of[r][i], h.of[r][j]))...), x: i, y: j, how: c, guards: guards})
		}
	}
	add()
	for _, g := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(of, ofOther)))) {
		add(guard{g, 0})
		add(guard{g, 1})
	}
	for _, g := range of {
		for _, k := range ofOther {
			if g != k {
				add(guard{g, 0}, guard{k, 0})
			}
		}
	}
	for a := first; a < len(list); a++ {
		for _, g := range list[a].guards {
			list[a].implied = append(list[a].implied, h.flags[r][g])
		}
		for b := first; b < len(list); b++ {
			if a != b && list[b].how.implies(list[a].how) && !slices.ContainsFunc(list[b].guards, func(g guard) bool { return !slices.Contains(list[a].guards, g) }) {
				list[a].implied = append(list[a].implied, b)
			}
		}
	}
	return list
}

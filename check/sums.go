package check

import (
	"slices"

	"comus/logic"
)

// A box compares bounds of one and the same sum. Facts about sums can also follow
// from others about larger sums: x ≤ 7 follows from x + y ≤ 9 and y ≥ 2. That is all
// there is to most facts about tuples of locations (package envmove/linear makes
// them), so it is looked for here.

// sumIndex has the rows "guard → sum ≤ constant" whose guards have single locations
// only.
type sumIndex struct {
	rows *rowIndex
	at   map[uint64][]*sumRow // by a hash of the guard
}

// sumRow is a row with its sum taken apart. left is the sum as a term.
type sumRow struct {
	guard []span
	left  *logic.Term
	most  logic.Value
	vars  []*logic.Term // the summands without their factors
}

// newSumIndex sorts the rows of facts.
func newSumIndex(rows *rowIndex) *sumIndex {
	ix := &sumIndex{rows: rows, at: map[uint64][]*sumRow{}}
	for _, r := range rows.all {
		s := ix.read(r.guard, r.concl)
		if s == nil || len(s.vars) < 2 || slices.ContainsFunc(s.guard, func(g span) bool { return !g.isPoint() }) {
			continue
		}
		h := hashGuard(s.guard)
		ix.at[h] = append(ix.at[h], s)
	}
	return ix
}

// read takes a conclusion sum ≤ constant apart; nil if it is another one.
func (ix *sumIndex) read(guard []span, concl *logic.Term) *sumRow {
	if concl.Op() != logic.OpLe {
		return nil
	}
	k, ok := concl.Args()[1].Const()
	if !ok {
		return nil
	}
	s := &sumRow{guard: guard, left: concl.Args()[0], most: k}
	parts := []*logic.Term{s.left}
	if s.left.Op() == logic.OpAdd {
		parts = s.left.Args()
	}
	for _, t := range parts {
		if t.Op() == logic.OpMul && len(t.Args()) == 2 {
			if _, ok := t.Args()[0].Const(); ok {
				t = t.Args()[1]
			}
		}
		if _, isPC := ix.rows.pr.pcOf[t]; isPC {
			return nil
		}
		s.vars = append(s.vars, t)
	}
	return s
}

// hashGuard returns a hash of single locations.
func hashGuard(guard []span) uint64 {
	h := hashStart
	for _, s := range guard {
		h = hash(h, s.thread, s.lo)
	}
	return h
}

// maxSubsets bounds the number of threads of which all subsets are looked at.
const maxSubsets = 12

// proves reports whether concl, over the values before the box's step, follows from
// a fact about a sum when the threads other than the box's are as guard says.
func (ix *sumIndex) proves(b *box, guard []span, concl *logic.Term) bool {
	if len(ix.at) == 0 {
		return false
	}
	goal := ix.read(guard, concl)
	if goal == nil {
		return false
	}
	b.work = maxWork
	kept := slices.Clone(b.at)
	defer func() { b.at = kept }()
	points := []span{b.at[b.main]}
	for _, s := range guard {
		if s.thread == b.main {
			continue
		}
		b.at[s.thread] = s
		if s.isPoint() {
			points = append(points, s)
		}
	}
	if len(points) > maxSubsets {
		return false
	}
	slices.SortFunc(points, func(x, y span) int { return x.thread - y.thread })
	subset := make([]span, 0, len(points))
	for set := range 1 << len(points) {
		subset = subset[:0]
		for i, s := range points {
			if set>>i&1 == 1 {
				subset = append(subset, s)
			}
		}
		for _, r := range ix.at[hashGuard(subset)] {
			if slices.Equal(r.guard, subset) && b.follows(goal, r) {
				return true
			}
		}
	}
	return false
}

// follows reports whether a goal follows from a fact that holds where the box is. The
// fact's sum is the goal's and some rest: goal = fact - rest ≤ most - least(rest).
func (b *box) follows(goal, r *sumRow) bool {
	pr := b.ix.pr
	if slices.ContainsFunc(goal.vars, func(v *logic.Term) bool { return pr.varOf[v] != nil && !slices.Contains(r.vars, v) }) {
		return false // it may well follow, but seldom does
	}
	rest := b.value(pr.l.Sub(r.left, goal.left))
	return rest.hasLo && r.most.Sub(rest.lo).Cmp(goal.most) <= 0
}

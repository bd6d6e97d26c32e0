package check

import (
	"slices"

	"comus/logic"
)

// interval is a set of integers without gaps; a missing bound is infinite.
type interval struct {
	lo, hi       logic.Value
	hasLo, hasHi bool
}

func (i interval) isEmpty() bool { return i.hasLo && i.hasHi && i.lo.Cmp(i.hi) > 0 }
func (i interval) isPoint(v logic.Value) bool {
	return i.hasLo && i.hasHi && i.lo == v && i.hi == v
}
func (i interval) excludes(v logic.Value) bool {
	return i.hasLo && v.Cmp(i.lo) < 0 || i.hasHi && v.Cmp(i.hi) > 0
}

func (i interval) meet(j interval) interval {
	if j.hasLo && (!i.hasLo || j.lo.Cmp(i.lo) > 0) {
		i.lo, i.hasLo = j.lo, true
	}
	if j.hasHi && (!i.hasHi || j.hi.Cmp(i.hi) < 0) {
		i.hi, i.hasHi = j.hi, true
	}
	return i
}

// without leaves out a value that is an end of the interval.
func (i interval) without(v logic.Value) interval {
	if i.hasLo && i.lo == v {
		i.lo = v.Add(logic.IntValue(1))
	}
	if i.hasHi && i.hi == v {
		i.hi = v.Sub(logic.IntValue(1))
	}
	return i
}

func (i interval) join(j interval) interval {
	out := interval{lo: i.lo, hi: i.hi, hasLo: i.hasLo && j.hasLo, hasHi: i.hasHi && j.hasHi}
	if out.hasLo && j.lo.Cmp(i.lo) < 0 {
		out.lo = j.lo
	}
	if out.hasHi && j.hi.Cmp(i.hi) > 0 {
		out.hi = j.hi
	}
	return out
}

func (i interval) plus(j interval) interval {
	out := interval{hasLo: i.hasLo && j.hasLo, hasHi: i.hasHi && j.hasHi}
	if out.hasLo {
		out.lo = i.lo.Add(j.lo)
	}
	if out.hasHi {
		out.hi = i.hi.Add(j.hi)
	}
	return out
}

// times returns the multiples of the members by c.
func (i interval) times(c logic.Value) interval {
	out := interval{lo: c.Mul(i.lo), hi: c.Mul(i.hi), hasLo: i.hasLo, hasHi: i.hasHi}
	if c.Sign() < 0 {
		out.lo, out.hi, out.hasLo, out.hasHi = out.hi, out.lo, out.hasHi, out.hasLo
	}
	return out
}

// comparison reads f as membership of an integer term in an interval: left is
// positive in its first summand, so that bounds from both sides have the same left.
// It is false for all but = and ≤ with a constant.
func (ix *boundIndex) comparison(f *logic.Term) (left *logic.Term, in interval, ok bool) {
	if f.Op() != logic.OpEq && f.Op() != logic.OpLe || f.Args()[0].Sort() != logic.Int {
		return nil, in, false
	}
	k, ok := f.Args()[1].Const()
	if !ok {
		return nil, in, false
	}
	in = interval{hi: k, hasHi: true}
	if f.Op() == logic.OpEq {
		in.lo, in.hasLo = k, true
	}
	left = f.Args()[0]
	if leadsNegative(left) {
		left, in = ix.pr.l.Neg(left), in.times(logic.IntValue(-1))
	}
	return left, in, true
}

// leadsNegative reports whether the first summand of t has a negative factor.
func leadsNegative(t *logic.Term) bool {
	if t.Op() == logic.OpAdd {
		t = t.Args()[0]
	}
	if t.Op() != logic.OpMul {
		return false
	}
	c, ok := t.Args()[0].Const()
	return ok && c.Sign() < 0
}

// boundIndex finds bounds that facts give. Bounds are stored by what is bounded and
// by the locations in the guard that are single ones, whatever the number of
// threads, so that one among many facts about tuples of locations is found at once.
type boundIndex struct {
	pr     *program
	types  map[*logic.Term]interval
	bounds map[boundKey][]bound
	shapes map[*logic.Term][]*shape // by left: what guards speak about
}

// boundKey is left with a hash of the single locations in a guard. Equal hashes
// mean nothing: the guard is looked at again.
type boundKey struct {
	left *logic.Term
	hash uint64
}

// bound says that what it is stored under is in an interval whenever guard holds.
type bound struct {
	guard []span
	in    interval
}

// shape has threads that guards of bounds have at single locations, and all others
// that they mention.
type shape struct{ points, others []int }

func newBoundIndex(pr *program) boundIndex {
	ix := boundIndex{pr: pr, types: map[*logic.Term]interval{}, bounds: map[boundKey][]bound{}, shapes: map[*logic.Term][]*shape{}}
	for _, v := range pr.Vars {
		lo, hi := v.Type.Range()
		ix.types[v.Sym] = interval{lo, hi, true, true}
	}
	return ix
}

// addRow adds the bound that a row gives, if it gives one. That nothing satisfies
// the guard is stored as a bound of false.
func (ix *boundIndex) addRow(r *row) {
	for _, s := range r.syms {
		if _, isPC := ix.pr.pcOf[s]; isPC {
			return
		}
	}
	left, in, ok := ix.comparison(r.concl)
	if r.concl.IsFalse() {
		left, ok = r.concl, true
	}
	if !ok {
		return
	}
	var points, others []int
	h := hashStart
	for _, s := range r.guard {
		if s.isPoint() {
			points = append(points, s.thread)
			h = hash(h, s.thread, s.lo)
		} else {
			others = append(others, s.thread)
		}
	}
	key := boundKey{left, h}
	ix.bounds[key] = append(ix.bounds[key], bound{r.guard, in})
	for _, sh := range ix.shapes[left] {
		if slices.Equal(sh.points, points) {
			for _, t := range others {
				if !slices.Contains(sh.others, t) {
					sh.others = append(sh.others, t)
				}
			}
			return
		}
	}
	ix.shapes[left] = append(ix.shapes[left], &shape{points, others})
}

const hashStart uint64 = 14695981039346656037

// hash adds a location to a hash (FNV).
func hash(h uint64, thread, loc int) uint64 {
	return ((h^uint64(thread))*1099511628211 ^ uint64(loc)) * 1099511628211
}

// lookup calls f with the bounds of left whose guards hold wherever threads are
// within at, indexed by thread.
func (ix *boundIndex) lookup(left *logic.Term, at []span, f func(interval)) {
shapes:
	for _, sh := range ix.shapes[left] {
		h := hashStart
		for _, t := range sh.points {
			if !at[t].isPoint() {
				continue shapes
			}
			h = hash(h, t, at[t].lo)
		}
	bounds:
		for _, b := range ix.bounds[boundKey{left, h}] {
			for _, s := range b.guard {
				if at[s.thread].lo < s.lo || at[s.thread].hi > s.hi {
					continue bounds
				}
			}
			f(b.in)
		}
	}
}

// box decides obligations about one block without a solver: what it proves follows
// from the facts before the block, the block's condition and the variables' types,
// by intervals. What it does not prove may hold all the same.
//
// It is all there is to facts "guard → linear term ≤ constant", of any number of
// threads: one with a wider guard, or the same, gives the bound of the same term.
type box struct {
	ix   *rowIndex
	main int    // the thread whose location is fixed
	at   []span // by thread: where it is
	cond *logic.Term
	in   map[*logic.Term]interval      // what cond says
	sums map[*logic.Term][]sum         // what cond says about summands
	not  map[*logic.Term][]logic.Value // the values that cond excludes
	deep bool                          // a summand's value is being computed
	left int                           // the attempts that are left
	work int                           // the terms that may still be looked at
}

// sum says that something plus rest is in an interval.
type sum struct {
	rest *logic.Term
	in   interval
}

// maxAttempts bounds how often the locations of an obligation are split.
const maxAttempts = 400

// maxWork bounds how many terms are looked at for an obligation. Terms share parts,
// and one that occurs often is looked at as often.
const maxWork = 20_000

// tired reports whether nothing more is to be looked at; then nothing more is known.
func (b *box) tired() bool {
	b.work--
	return b.work < 0
}

// newBox returns the box of steps of a thread from a location under a condition.
func (ix *rowIndex) newBox(thread, from int, cond *logic.Term) *box {
	b := &box{ix: ix, main: thread, cond: cond, in: map[*logic.Term]interval{}, sums: map[*logic.Term][]sum{}, not: map[*logic.Term][]logic.Value{}}
	for i, t := range ix.pr.threads {
		b.at = append(b.at, span{i, 0, len(t.Locs) - 1})
	}
	b.at[thread] = span{thread, from, from}
	for _, c := range logic.Conjuncts(cond) {
		if left, in, ok := ix.comparison(c); ok {
			if old, ok := b.in[left]; ok {
				in = in.meet(old)
			}
			b.in[left] = in
			b.addSums(left, in)
		} else if c.Op() == logic.OpNot {
			if left, in, ok := ix.comparison(c.Args()[0]); ok && in.isPoint(in.lo) {
				b.not[left] = append(b.not[left], in.lo)
			}
		}
	}
	return b
}

// addSums notes what it means for each summand with factor 1 or -1 that left is in
// an interval.
func (b *box) addSums(left *logic.Term, in interval) {
	if left.Op() != logic.OpAdd {
		return
	}
	for _, a := range left.Args() {
		rest := b.ix.pr.l.Sub(left, a)
		if x, negated := positive(a); negated {
			b.sums[x] = append(b.sums[x], sum{b.ix.pr.l.Neg(rest), in.times(logic.IntValue(-1))})
		} else {
			b.sums[a] = append(b.sums[a], sum{rest, in})
		}
	}
}

// proves reports whether concl, over the values before the step, surely holds when
// the threads other than the box's are as guard says.
func (b *box) proves(guard []span, concl *logic.Term) bool {
	b.left, b.work = maxAttempts, maxWork
	kept := slices.Clone(b.at)
	defer func() { b.at = kept }()
	for _, s := range guard {
		if s.thread != b.main {
			b.at[s.thread] = s
		}
	}
	return b.decide(guard, concl)
}

// decide splits the locations of guard's threads while that is needed.
func (b *box) decide(guard []span, concl *logic.Term) bool {
	if b.left--; b.left < 0 {
		return false
	}
	if b.holds(concl) || b.impossible() {
		return true
	}
	for _, s := range guard {
		if s.thread != b.main && !b.at[s.thread].isPoint() {
			return b.forEach(s.thread, func() bool { return b.decide(guard, concl) })
		}
	}
	for _, t := range b.related(concl) {
		if b.forEach(t, func() bool { b.left--; return b.left >= 0 && (b.holds(concl) || b.impossible()) }) {
			return true
		}
	}
	return false
}

// forEach reports whether f does with a thread at each cut-point where it can be.
func (b *box) forEach(thread int, f func() bool) bool {
	old := b.at[thread]
	defer func() { b.at[thread] = old }()
	ok := true
	b.ix.pr.threads[thread].cuts(func(n int) {
		if ok && old.contains(n) {
			b.at[thread] = span{thread, n, n}
			ok = f()
		}
	})
	return ok
}

// related returns other threads whose location matters for the bounds of the
// symbols of f.
func (b *box) related(f *logic.Term) []int {
	var out []int
	for _, s := range logic.FreeVars(f) {
		for _, sh := range b.ix.shapes[s] {
			for _, list := range [][]int{sh.points, sh.others} {
				for _, t := range list {
					if t != b.main && !b.at[t].isPoint() && !slices.Contains(out, t) {
						out = append(out, t)
					}
				}
			}
		}
	}
	return out
}

// impossible reports whether the threads surely are not where the box has them.
func (b *box) impossible() bool {
	found := false
	b.ix.lookup(b.ix.pr.l.False(), b.at, func(interval) { found = true })
	return found || b.fails(b.cond)
}

// holds reports whether f is surely true, fails whether it is surely false.
func (b *box) holds(f *logic.Term) bool {
	if b.tired() {
		return false
	}
	switch f.Op() {
	case logic.OpTrue:
		return true
	case logic.OpNot:
		return b.fails(f.Args()[0])
	case logic.OpAnd:
		return !slices.ContainsFunc(f.Args(), func(a *logic.Term) bool { return !b.holds(a) })
	case logic.OpOr:
		return slices.ContainsFunc(f.Args(), b.holds)
	}
	left, in, ok := b.ix.comparison(f)
	if !ok {
		return false
	}
	v := b.value(left)
	return v.isEmpty() || (!in.hasLo || v.hasLo && v.lo.Cmp(in.lo) >= 0) && (!in.hasHi || v.hasHi && v.hi.Cmp(in.hi) <= 0)
}

func (b *box) fails(f *logic.Term) bool {
	if b.tired() {
		return false
	}
	switch f.Op() {
	case logic.OpFalse:
		return true
	case logic.OpNot:
		return b.holds(f.Args()[0])
	case logic.OpAnd:
		return slices.ContainsFunc(f.Args(), b.fails)
	case logic.OpOr:
		return !slices.ContainsFunc(f.Args(), func(a *logic.Term) bool { return !b.fails(a) })
	}
	left, in, ok := b.ix.comparison(f)
	return ok && b.value(left).meet(in).isEmpty()
}

// value returns an interval that t's value is in.
func (b *box) value(t *logic.Term) interval {
	if b.tired() {
		return interval{}
	}
	if c, ok := t.Const(); ok {
		return interval{lo: c, hi: c, hasLo: true, hasHi: true}
	}
	if t.Op() == logic.OpAdd && leadsNegative(t) { // stored under -t
		return b.value(b.ix.pr.l.Neg(t)).times(logic.IntValue(-1))
	}
	out := b.compute(t)
	if in, ok := b.in[t]; ok {
		out = out.meet(in)
	}
	b.ix.lookup(t, b.at, func(in interval) { out = out.meet(in) })
	if sums := b.sums[t]; len(sums) > 0 && !b.deep {
		b.deep = true
		for _, s := range sums {
			out = out.meet(s.in.plus(b.value(s.rest).times(logic.IntValue(-1))))
		}
		b.deep = false
	}
	for _, k := range b.not[t] {
		out = out.without(k)
	}
	return out
}

// compute returns what the operands of t, or a variable's type, say about it.
func (b *box) compute(t *logic.Term) interval {
	args := t.Args()
	switch t.Op() {
	case logic.OpVar:
		return b.ix.types[t]
	case logic.OpAdd:
		sum := b.value(args[0])
		for _, a := range args[1:] {
			sum = sum.plus(b.value(a))
		}
		return sum
	case logic.OpMul:
		if c, ok := args[0].Const(); ok && len(args) == 2 {
			return b.value(args[1]).times(c)
		}
	case logic.OpIte:
		switch {
		case b.holds(args[0]):
			return b.value(args[1])
		case b.fails(args[0]):
			return b.value(args[2])
		}
		return b.value(args[1]).join(b.value(args[2]))
	case logic.OpMod:
		if m, ok := args[1].Const(); ok && m.Sign() > 0 {
			all := interval{hi: m.Sub(logic.IntValue(1)), hasLo: true, hasHi: true}
			if v := b.value(args[0]); v.hasLo && v.hasHi && !all.excludes(v.lo) && !all.excludes(v.hi) {
				return v
			}
			return all
		}
	}
	return interval{}
}

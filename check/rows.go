package check

import (
	"slices"

	"comus/logic"
)

// row is an implication between locations and a formula: whenever every thread of
// guard is where it says, concl holds. A fact is a conjunction of rows, see
// [program.rows].
type row struct {
	fact  *logic.Term
	guard []span // ascending by thread, one for a thread
	concl *logic.Term
	syms  []*logic.Term // the symbols of concl
}

// span says that the pc of a thread is lo or hi or between.
type span struct{ thread, lo, hi int }

func (s span) contains(loc int) bool { return s.lo <= loc && loc <= s.hi }
func (s span) isPoint() bool         { return s.lo == s.hi }

// on returns the row's span of a thread, and whether it has one.
func (r *row) on(thread int) (span, bool) {
	for _, s := range r.guard {
		if s.thread == thread {
			return s, true
		}
	}
	return span{}, false
}

// maxGuards bounds the rows made of one disjunction.
const maxGuards = 64

// rows returns rows whose conjunction is equivalent to f in every state in which
// each thread is at one of its nodes: disjuncts that compare a pc with a constant
// make the guards, what is below ∧ becomes a row of its own.
func (pr *program) rows(f *logic.Term) []*row {
	var out []*row
	syms := map[*logic.Term][]*logic.Term{}
	emit := func(guard []span, concl *logic.Term) {
		if _, ok := syms[concl]; !ok {
			syms[concl] = logic.FreeVars(concl)
		}
		out = append(out, &row{f, guard, concl, syms[concl]})
	}
	var walk func(guard []span, g *logic.Term)
	walk = func(guard []span, g *logic.Term) {
		if g.Op() == logic.OpAnd {
			for _, a := range g.Args() {
				walk(guard, a)
			}
			return
		}
		guards, rest := [][]span{guard}, []*logic.Term{}
		for _, d := range logic.Disjuncts(g) {
			if spans, ok := pr.violating(d); !ok {
				rest = append(rest, d)
			} else if guards = refine(guards, spans); len(guards) > maxGuards {
				emit(guard, g)
				return
			}
		}
		for _, gd := range guards {
			switch {
			case len(rest) == 1 && rest[0].Op() == logic.OpAnd:
				walk(gd, rest[0])
			case len(rest) == 1 && rest[0].IsTrue():
			default:
				emit(gd, pr.l.Or(rest...))
			}
		}
	}
	walk(nil, f)
	return out
}

// violating returns where the thread is when d does not hold, if d compares a pc
// with a constant.
func (pr *program) violating(d *logic.Term) ([]span, bool) {
	atom, negated := d, d.Op() == logic.OpNot
	if negated {
		atom = d.Args()[0]
	}
	if atom.Op() != logic.OpEq && atom.Op() != logic.OpLe {
		return nil, false
	}
	left, minus := positive(atom.Args()[0])
	t, isPC := pr.pcOf[left]
	big, isConst := atom.Args()[1].Const()
	c, small := big.Int64()
	if !isPC || !isConst || !small || c < -maxPC || c > maxPC {
		return nil, false
	}
	k, end := int(c), len(pr.threads[t].Locs)-1
	var spans []span
	switch {
	case atom.Op() == logic.OpEq && minus: // not what the store makes
		return nil, false
	case atom.Op() == logic.OpEq && negated:
		spans = []span{{t, k, k}}
	case atom.Op() == logic.OpEq:
		spans = []span{{t, 0, k - 1}, {t, k + 1, end}}
	case negated:
		return nil, false
	case minus: // -pc ≤ k
		spans = []span{{t, 0, -k - 1}}
	default:
		spans = []span{{t, k + 1, end}}
	}
	return pr.shrink(spans), true
}

// maxPC bounds the constants that a pc is compared with, so that nothing overflows.
const maxPC = 1 << 30

// shrink makes each span begin and end at a node, and drops the empty ones.
func (pr *program) shrink(spans []span) []span {
	var out []span
	for _, s := range spans {
		nodes := pr.threads[s.thread].nodes
		i, _ := slices.BinarySearch(nodes, s.lo)
		j, found := slices.BinarySearch(nodes, s.hi)
		if !found {
			j--
		}
		if i <= j {
			out = append(out, span{s.thread, nodes[i], nodes[j]})
		}
	}
	return out
}

// refine returns the guards that say one of guards and one of spans, which are all
// of one thread. Those that nothing satisfies are left out.
func refine(guards [][]span, spans []span) [][]span {
	var out [][]span
	for _, g := range guards {
		for _, s := range spans {
			at, found := slices.BinarySearchFunc(g, s.thread, func(x span, t int) int { return x.thread - t })
			if !found {
				out = append(out, slices.Insert(slices.Clone(g), at, s))
				continue
			}
			s.lo, s.hi = max(s.lo, g[at].lo), min(s.hi, g[at].hi)
			if s.lo <= s.hi {
				g := slices.Clone(g)
				g[at] = s
				out = append(out, g)
			}
		}
	}
	return out
}

// positive returns x for -1·x and t itself otherwise, and whether it was negated.
func positive(t *logic.Term) (*logic.Term, bool) {
	if t.Op() == logic.OpMul && len(t.Args()) == 2 {
		if c, ok := t.Args()[0].Const(); ok && c == logic.IntValue(-1) {
			return t.Args()[1], true
		}
	}
	return t, false
}

// goal returns the formula that the row holds after a step of a thread that
// replaces symbols by after, where the thread's own pc satisfies the row's guard.
func (pr *program) goal(r *row, thread int, concl *logic.Term) *logic.Term {
	l := pr.l
	parts := []*logic.Term{concl}
	for _, s := range r.guard {
		if s.thread != thread {
			pc := pr.threads[s.thread].PC
			parts = append(parts, l.Lt(pc, l.Int(int64(s.lo))), l.Gt(pc, l.Int(int64(s.hi))))
		}
	}
	return l.Or(parts...)
}

// touches reports whether a symbol of the row's conclusion is replaced by after.
func (r *row) touches(after map[*logic.Term]*logic.Term) bool {
	return slices.ContainsFunc(r.syms, func(s *logic.Term) bool { return after[s] != nil })
}

// rowIndex finds rows.
type rowIndex struct {
	pr    *program
	all   []*row
	at    [][][]int             // the rows whose guard allows a thread to be at a node
	bySym map[*logic.Term][]int // the rows whose conclusion has the symbol
	part  [][]int               // by thread: a row of each fact of which not all rows have the thread in the guard
	boundIndex
}

// index sorts the rows of facts.
func (pr *program) index(facts []*logic.Term) *rowIndex {
	ix := &rowIndex{pr: pr, bySym: map[*logic.Term][]int{}, part: make([][]int, len(pr.threads)), boundIndex: newBoundIndex(pr)}
	for _, t := range pr.threads {
		ix.at = append(ix.at, make([][]int, len(t.Locs)))
	}
	for _, f := range facts {
		rows, guarded := pr.rows(f), map[int]int{} // by thread mentioned: rows with it in the guard
		for _, s := range logic.FreeVars(f) {
			if t, ok := pr.pcOf[s]; ok {
				guarded[t] = 0
			}
		}
		for _, r := range rows {
			for _, s := range r.guard {
				guarded[s.thread]++
			}
			ix.add(r)
		}
		for t, n := range guarded {
			if n < len(rows) {
				ix.part[t] = append(ix.part[t], ix.firstWithout(t, len(ix.all)-len(rows)))
			}
		}
	}
	return ix
}

func (ix *rowIndex) add(r *row) {
	i := len(ix.all)
	ix.all = append(ix.all, r)
	for _, s := range r.guard {
		for _, n := range ix.pr.threads[s.thread].nodes {
			if s.contains(n) {
				ix.at[s.thread][n] = append(ix.at[s.thread][n], i)
			}
		}
	}
	for _, s := range r.syms {
		ix.bySym[s] = append(ix.bySym[s], i)
	}
	ix.addRow(r)
}

// firstWithout returns the first row from i on whose guard does not have the thread.
func (ix *rowIndex) firstWithout(thread, i int) int {
	for {
		if _, ok := ix.all[i].on(thread); !ok {
			return i
		}
		i++
	}
}

// factsAt returns the facts that mention the pc of a thread and do not hold simply
// because it is at a location.
func (ix *rowIndex) factsAt(thread, loc int) []*logic.Term {
	var out []*logic.Term
	ids := slices.Concat(ix.at[thread][loc], ix.part[thread], ix.bySym[ix.pr.threads[thread].PC])
	slices.Sort(ids)
	for _, i := range ids { // the rows of a fact follow each other
		if f := ix.all[i].fact; len(out) == 0 || out[len(out)-1] != f {
			out = append(out, f)
		}
	}
	return out
}

// concerned calls f with each row that a block of a thread can invalidate, with its
// conclusion after the block: those about the location where the block ends, and
// those about symbols that it changes. All others say the same before and after.
func (ix *rowIndex) concerned(b *block, after map[*logic.Term]*logic.Term, f func(r *row, concl *logic.Term)) {
	from, to := b.from.Index, b.to.Index
	visit := func(r *row) {
		s, mentioned := r.on(b.thread)
		touched := r.touches(after)
		switch {
		case mentioned && !s.contains(to):
		case touched:
			f(r, ix.pr.l.Subst(r.concl, after))
		case mentioned && !s.contains(from):
			f(r, r.concl)
		}
	}
	ids := slices.Clone(ix.at[b.thread][to])
	for s := range after {
		ids = append(ids, ix.bySym[s]...)
	}
	slices.Sort(ids)
	for _, i := range slices.Compact(ids) {
		visit(ix.all[i])
	}
}

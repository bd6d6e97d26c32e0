package partialorder

import (
	"context"
	"errors"
	"slices"

	"comus/logic"
)

// encoding is the query: an execution in which thread Main fails.
type encoding struct {
	f        *finder
	l        *logic.Store
	o        *order
	formulas []*logic.Term
	// atoms are the Boolean variables "a comes before b" for events whose order
	// is open, a's number being the lower one.
	atoms   map[[2]int]*logic.Term
	choices int // of writes to read
	bounds  *bounds
	// equal are the reads that see one write, with its value: whether the equation
	// holds without a condition depends on how integers are encoded.
	equal []equation
}

// equation is a read and the value that it sees if it is executed.
type equation struct{ sym, value, reads *logic.Term }

func newEncoding(f *finder, o *order, b *bounds) *encoding {
	return &encoding{f: f, l: f.l, o: o, bounds: b, atoms: map[[2]int]*logic.Term{}}
}

// add asserts a formula.
func (e *encoding) add(t *logic.Term) {
	if !t.IsTrue() {
		e.formulas = append(e.formulas, t)
	}
}

// imply asserts that the first formulas imply the last.
func (e *encoding) imply(ts ...*logic.Term) {
	for i := range len(ts) - 1 {
		ts[i] = e.l.Not(ts[i])
	}
	e.add(e.l.Or(ts...))
}

// maxFormulas bounds the query. Its size is cubic in the accesses to a variable
// that several threads write.
const maxFormulas = 2_000_000

// all asserts everything.
func (e *encoding) all(ctx context.Context) error {
	for _, t := range e.f.side {
		e.add(t)
	}
	for _, n := range e.f.nodes {
		e.event(n)
	}
	var fails []*logic.Term
	for _, st := range e.f.threads[e.f.opts.Main].failing() {
		fails = append(fails, st.took)
	}
	e.add(e.l.Or(fails...))
	used := e.used()
	for _, r := range e.f.reads {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(e.formulas) > maxFormulas {
			return errors.New("partialorder: too many accesses to shared variables")
		}
		if used[r.sym] {
			e.read(r)
		}
	}
	return nil
}

// used returns the symbols that matter to something.
func (e *encoding) used() map[*logic.Term]bool {
	ts := slices.Clone(e.f.side)
	for _, n := range e.f.nodes {
		for _, st := range n.out {
			ts = append(ts, st.conds...)
		}
		for _, w := range n.writes {
			ts = append(ts, w.values...)
		}
	}
	used := map[*logic.Term]bool{}
	for _, s := range logic.FreeVars(ts...) {
		used[s] = true
	}
	return used
}

// taken returns "one of these steps is taken".
func (e *encoding) taken(steps []*step) *logic.Term {
	ts := make([]*logic.Term, len(steps))
	for i, st := range steps {
		ts[i] = st.took
	}
	return e.l.Or(ts...)
}

// event asserts that at most one of n's steps is taken, after one that leads to
// n, and only if its assumptions hold.
func (e *encoding) event(n *node) {
	entry := n == e.f.threads[n.thread].nodes[0]
	for i, st := range n.out {
		if !entry {
			e.imply(st.took, e.taken(n.in))
		}
		if st.impossible {
			e.add(e.l.Not(st.took))
		}
		for _, c := range st.conds {
			e.imply(st.took, c)
		}
		for _, other := range n.out[:i] {
			e.add(e.l.Or(e.l.Not(st.took), e.l.Not(other.took)))
		}
	}
	for _, st := range n.in {
		// Also of events that are not executed; that is always possible.
		e.add(e.l.Lt(st.from.clock, n.clock))
	}
	if e.o.before[n.id].has(n.id) { // it has to come before itself
		e.add(e.l.Not(e.taken(n.out)))
	}
}

// precedes returns "a comes before b", for executions with both.
func (e *encoding) precedes(a, b *node) *logic.Term {
	switch {
	case e.o.before[b.id].has(a.id):
		return e.l.True()
	case e.o.before[a.id].has(b.id) || a == b || e.o.exclusive(a, b):
		return e.l.False()
	case a.id > b.id:
		return e.l.Not(e.precedes(b, a))
	}
	key := [2]int{a.id, b.id}
	if e.atoms[key] == nil {
		e.atoms[key] = e.l.FreshVar("before", logic.Bool)
	}
	return e.atoms[key]
}

// happens returns "w is executed, and before r".
func (e *encoding) happens(w *write, r *read) *logic.Term {
	return e.l.And(e.taken(w.steps), e.precedes(w.node, r.node))
}

// sees asserts that under the conditions r has the value that w leaves.
func (e *encoding) sees(r *read, w *write, when ...*logic.Term) {
	for i, st := range w.steps {
		given := slices.Clone(when)
		if len(w.steps) > 1 || !w.total() {
			given = append(given, st.took)
		}
		e.imply(append(given, e.l.Eq(r.sym, w.values[i]))...)
	}
}

// read asserts what r sees.
func (e *encoding) read(r *read) {
	src := e.o.source[r]
	reads := e.taken(r.steps)
	switch w := src.only(); {
	case len(src.writes) == 0 && !src.initial:
		e.add(e.l.Not(reads))
	case w != nil:
		e.forced(r, w, reads)
	case e.o.single[r.v] || len(src.writes) == 0:
		e.chain(r, src, reads)
	default:
		e.choose(r, src, reads)
	}
}

// forced asserts that r sees w, the only write that it can see; the writes that
// could come between are kept away.
func (e *encoding) forced(r *read, w *write, reads *logic.Term) {
	e.imply(reads, e.happens(w, r))
	e.clock(w.node, r.node, reads)
	e.undisturbed(r, w, reads)
	if len(w.values) == 1 && r.total() && !e.o.before[r.node.id].has(r.node.id) {
		// Without a condition the solver can eliminate the symbol: nothing
		// else depends on it if r is not executed.
		e.equal = append(e.equal, equation{r.sym, w.values[0], reads})
		return
	}
	e.sees(r, w, reads)
}

// clock asserts that a's clock puts it before b, which precedes does not say
// where the order is known.
func (e *encoding) clock(a, b *node, when *logic.Term) {
	if e.o.before[b.id].has(a.id) && a.thread != b.thread {
		e.imply(when, e.l.Le(e.l.Add(a.clock, e.l.Int(gap(a, b))), b.clock))
	}
}

// gap is the least difference between the clocks of a and b if a comes first.
func gap(a, b *node) int64 {
	if a.thread < b.thread {
		return 0
	}
	return 1
}

// chain asserts what r sees of a variable with one writing thread: the last
// write before it.
func (e *encoding) chain(r *read, src *sources, reads *logic.Term) {
	last := func(when []*logic.Term, later []*write) []*logic.Term {
		for _, w := range later {
			if h := e.happens(w, r); !h.IsFalse() {
				when = append(when, e.l.Not(h))
			}
		}
		return when
	}
	if !src.hidden {
		when := []*logic.Term{reads}
		if ws := e.o.byVar[r.v]; len(ws) > 0 {
			when = last(when, e.o.first(ws[0].node.thread, r.v))
		}
		e.imply(append(when, e.l.Eq(r.sym, e.f.initial(r.v)))...)
	}
	for _, w := range e.o.byVar[r.v] {
		if !e.o.mayPrecede(w, r) {
			continue
		}
		e.sees(r, w, last([]*logic.Term{reads, e.happens(w, r)}, e.o.nexts[w])...)
	}
}

// choose asserts that r sees one of several threads' writes, by a choice.
func (e *encoding) choose(r *read, src *sources, reads *logic.Term) {
	any := []*logic.Term{e.l.Not(reads)}
	choice := func() *logic.Term {
		c := e.l.FreshVar("reads", logic.Bool)
		any = append(any, c)
		e.choices++
		return c
	}
	if src.initial {
		c := choice()
		e.imply(c, e.l.Eq(r.sym, e.f.initial(r.v)))
		for _, w := range e.o.byVar[r.v] {
			if e.o.mayPrecede(w, r) {
				e.imply(c, reads, e.l.Not(e.happens(w, r)))
			}
		}
	}
	for _, w := range src.writes {
		c := choice()
		e.imply(c, reads, e.happens(w, r))
		e.sees(r, w, c)
		e.undisturbed(r, w, e.l.And(c, reads))
	}
	e.add(e.l.Or(any...))
}

// undisturbed asserts that, when r sees w, no other write is between the two.
func (e *encoding) undisturbed(r *read, w *write, when *logic.Term) {
	others := e.o.nexts[w]
	for _, x := range e.o.byVar[r.v] {
		if x.node.thread != w.node.thread {
			others = append(others[:len(others):len(others)], x)
		}
	}
	for _, x := range others {
		if !e.o.mayPrecede(x, r) {
			continue
		}
		e.imply(when, e.taken(x.steps), e.l.Or(e.precedes(r.node, x.node), e.precedes(x.node, w.node)))
	}
}

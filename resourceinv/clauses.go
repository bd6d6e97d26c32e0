package resourceinv

import (
	"fmt"
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// resource is a set of shared variables with an invariant.
type resource struct {
	vars  []*ir.Var
	has   map[*ir.Var]bool
	inv   *relation
	locks map[*ir.Var]bool // all of them are free when the resource is in order
	early [][]*ir.Var      // of each of these, a thread has been created
	// free is that the locks are, set that threads have been created: the invariant holds under both.
	free, set *logic.Term
}

// relation is an unknown of the clauses: the invariant of a resource, or of a thread at a node over what nobody else changes there.
type relation struct {
	name   string
	params []*logic.Term
}

// app is a relation applied to terms.
type app struct {
	rel  *relation
	args []*logic.Term
}

// clause says that body and cond imply head; no head is false.
type clause struct {
	body []app
	cond *logic.Term
	head *app
}

// system is the clauses for a choice of resources.
type system struct {
	*model
	watch     bool // see watched
	resources []*resource
	threadInv map[*thread]map[int]*relation
	open      map[*thread]map[int][]*ir.Var // the shared variables of a thread's invariant
	relations []*relation
	clauses   []clause
}

// newSystem makes the clauses.
func newSystem(m *model, sets [][]*ir.Var, watch bool) *system {
	s := &system{model: m, watch: watch, threadInv: map[*thread]map[int]*relation{}, open: map[*thread]map[int][]*ir.Var{}}
	for i, vars := range sets {
		s.resources = append(s.resources, s.newResource(i, vars))
	}
	for _, t := range m.threads {
		s.threadInv[t], s.open[t] = map[int]*relation{}, map[int][]*ir.Var{}
		for _, n := range t.nodes {
			s.open[t][n] = s.findOpen(t, n)
			r := &relation{name: fmt.Sprintf("t%d_%d", t.Index, n)}
			for _, v := range slices.Concat(t.live[n], s.open[t][n]) {
				r.params = append(r.params, v.Sym)
			}
			s.threadInv[t][n] = r
			s.relations = append(s.relations, r)
		}
	}
	s.initial()
	for _, t := range m.threads {
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				s.block(t, b)
			}
			if t.cut[n] {
				s.disturb(t, n)
			}
		}
	}
	return s
}

func (s *system) newResource(i int, vars []*ir.Var) *resource {
	r := &resource{vars: vars, has: map[*ir.Var]bool{}, inv: &relation{name: fmt.Sprintf("r%d", i)}, locks: map[*ir.Var]bool{}}
	var free, set []*logic.Term
	for _, v := range vars {
		r.has[v] = true
		r.inv.params = append(r.inv.params, v.Sym)
		g := s.guards[v]
		if g.lock != nil && !r.locks[g.lock] {
			r.locks[g.lock] = true
			free = append(free, s.l.Eq(g.lock.Sym, s.l.Int(0)))
		}
		if g.early != nil {
			r.early = append(r.early, g.early)
			var one []*logic.Term
			for _, f := range g.early {
				one = append(one, s.l.Ne(f.Sym, s.l.Int(0)))
			}
			set = append(set, s.l.Or(one...))
		}
	}
	r.free, r.set = s.l.And(free...), s.l.And(set...)
	s.relations = append(s.relations, r.inv)
	return r
}

// upset reports whether a thread may have left a resource out of order since its last cut-point.
func (s *system) upset(t *thread, n int, r *resource) bool {
	return !t.cut[n] && (meet(r.has, t.written[n]) || meet(r.locks, t.written[n])) && !s.clean(t, n, r)
}

// clean reports whether a thread holds the locks of a resource and has not changed it since it took them: it is as it was found.
func (s *system) clean(t *thread, n int, r *resource) bool {
	return len(r.locks) > 0 && contains(t.held[n], r.locks) && !meet(r.has, t.written[n]) && !meet(r.has, t.dirty[n])
}

// findOpen returns the shared variables of a thread's invariant at a node: those that it uses and that others do not change there, or that are
// watched.
func (s *system) findOpen(t *thread, n int) []*ir.Var {
	in := map[*ir.Var]bool{}
	for _, v := range s.shared {
		if t.accesses[v] && s.known(t, n, v) || t.touched[n][v] || t.written[n][v] || s.watched(t, v) {
			in[v] = true
		}
	}
	for _, r := range s.resources {
		if s.upset(t, n, r) {
			maps.Copy(in, r.has)
		}
	}
	if s.index != nil && !slices.ContainsFunc(s.shared, func(v *ir.Var) bool { return in[v] && v.Cell == ir.Cell }) {
		delete(in, s.index) // of no use without a cell
	}
	return s.inOrderOf(in)
}

// known reports whether a thread's invariant at a node says something of a variable that nobody changes there. Of what a lock guards it
// does only if the thread has used it since it took the lock: else the resource tells what it finds.
func (s *system) known(t *thread, n int, v *ir.Var) bool {
	g := s.guards[v]
	set := g.early != nil && t.Index == 0 && s.beforeAny(t, n, g.early)
	fixed := s.index != nil && len(g.writers) == 0 // how many elements there are, say: what a thread knows of it stays
	return s.stable(t, n, v) && (g.bare || set || fixed || t.seen[n][v] || t.dirty[n][v])
}

// order returns the condition under which the invariant of a resource holds when a thread is at a node. Thread 0 knows by where it
// is whether it has begun to create others, if it is not sure whether it has.
func (s *system) order(t *thread, n int, r *resource) *logic.Term {
	free := r.free
	if s.clean(t, n, r) {
		free = s.l.True()
	}
	if t.Index != 0 {
		return s.l.And(free, r.set, s.fact(t, n))
	}
	if slices.ContainsFunc(r.early, func(flags []*ir.Var) bool { return s.beforeAny(t, n, flags) }) {
		return s.l.False()
	}
	return free
}

// inOrder reports whether a resource is surely in order when a thread begins a block.
func (s *system) inOrder(t *thread, b *block, r *resource) bool {
	n := b.from.Index
	if s.upset(t, n, r) {
		return false
	}
	for k := range r.locks {
		if !s.clean(t, n, r) && !slices.Contains(logic.Conjuncts(b.cond), s.l.Eq(k.Sym, s.l.Int(0))) {
			return false
		}
	}
	return !slices.ContainsFunc(r.early, func(flags []*ir.Var) bool {
		if t.Index == 0 {
			return s.beforeAny(t, n, flags)
		}
		return !slices.Contains(flags, t.Created) || n == t.Entry.Index && !s.starts(t, b)
	})
}

// starts reports whether a block of a thread begins with its start: it is only taken when the thread has been created.
func (s *system) starts(t *thread, b *block) bool {
	return slices.ContainsFunc(b.from.Out, func(e *ir.Edge) bool { return e.Kind == ir.Start })
}

// fact returns what is sure of shared variables where a thread is, without the help of clauses.
func (s *system) fact(t *thread, n int) *logic.Term {
	var out []*logic.Term
	for _, v := range s.p.Vars {
		if t.held[n][v] {
			out = append(out, s.l.Eq(v.Sym, s.l.Int(int64(t.Index+1))))
		}
		if k, ok := t.flags[n][v]; ok {
			out = append(out, s.l.Eq(v.Sym, s.l.BoolToInt(s.l.Bool(k))))
		}
	}
	if t.Created != nil && n != t.Entry.Index {
		out = append(out, s.l.Eq(t.Created.Sym, s.l.Int(1)))
	}
	return s.l.And(out...)
}

// at applies a relation to its parameters, or the values that these have after a block.
func at(r *relation, after map[*logic.Term]*logic.Term) app {
	a := app{rel: r}
	for _, p := range r.params {
		if v := after[p]; v != nil {
			p = v
		}
		a.args = append(a.args, p)
	}
	return a
}

// initial adds the clauses for the initial state.
func (s *system) initial() {
	for _, t := range s.threads {
		var cond []*logic.Term
		n := t.Entry.Index
		for _, v := range slices.Concat(t.live[n], s.open[t][n]) {
			cond = append(cond, s.initially(v))
		}
		head := at(s.threadInv[t][n], nil)
		s.clauses = append(s.clauses, clause{cond: s.l.And(cond...), head: &head})
	}
	for _, r := range s.resources {
		cond := []*logic.Term{r.set}
		for _, x := range logic.FreeVars(r.set) {
			cond = append(cond, s.initially(s.tab[x]))
		}
		for _, v := range r.vars {
			cond = append(cond, s.initially(v))
		}
		head := at(r.inv, nil)
		s.add(clause{cond: s.l.And(cond...), head: &head})
	}
}

func (s *system) add(c clause) {
	if !c.cond.IsFalse() {
		s.clauses = append(s.clauses, c)
	}
}

// block adds the clauses for a block: for the thread's own invariant, and for those of the resources that it puts in order again.
func (s *system) block(t *thread, b *block) {
	n, k := b.from.Index, b.to.Index
	cond := s.l.And(b.cond, s.fact(t, n))
	if b.to.Error {
		s.clause(t, b, cond, nil)
		return
	}
	head := at(s.threadInv[t][k], b.value)
	s.clause(t, b, cond, &head)
	for _, r := range s.resources {
		order := s.order(t, k, r)
		left := t.Index == 0 && s.order(t, n, r).IsFalse() // thread 0 has set it up
		changes := meet(r.has, b.writes) || s.upset(t, n, r) || left || !s.inOrder(t, b, r) && meet(r.locks, b.writes)
		if !changes || s.upset(t, k, r) || order.IsFalse() {
			continue // it stays as it is, or is seen to later
		}
		head := at(r.inv, b.value)
		s.clause(t, b, s.l.And(cond, s.l.Subst(order, b.value)), &head)
	}
}

// clause adds a clause for a block.
func (s *system) clause(t *thread, b *block, cond *logic.Term, head *app) {
	s.conclude(t, b, cond, head, at(s.threadInv[t][b.from.Index], nil))
}

// conclude adds a clause for a block of a thread: of the resources in order, those about variables that occur are of interest.
func (s *system) conclude(t *thread, b *block, cond *logic.Term, head *app, body ...app) {
	for _, x := range b.copies {
		cond = s.l.And(cond, x.Same)
	}
	terms := []*logic.Term{cond}
	for _, a := range body {
		terms = append(terms, a.args...)
	}
	if head != nil {
		terms = append(terms, head.args...)
	}
	occur := map[*ir.Var]bool{}
	for _, x := range logic.FreeVars(terms...) {
		occur[s.tab[x]] = true
	}
	for _, r := range s.resources {
		if meet(r.has, occur) && s.inOrder(t, b, r) {
			body = append(body, at(r.inv, nil))
		}
	}
	s.add(clause{cond: cond, head: head, body: s.withCopies(b, body)})
}

// withCopies adds what is known of the copies of cells in a block: the same as of the cells.
func (s *system) withCopies(b *block, body []app) []app {
	out := body
	for _, c := range b.copies {
		as := maps.Clone(c.Cells)
		as[s.index.Sym] = c.Index
		for _, v := range s.p.Vars {
			if v.Cell == ir.Cell && as[v.Sym] == nil { // of an array that another thread has alone
				as[v.Sym] = s.l.FreshVar(v.Name, logic.Int)
			}
		}
		for _, a := range body {
			args := make([]*logic.Term, len(a.args))
			for i, x := range a.args {
				args[i] = s.l.Subst(x, as)
			}
			if !slices.Equal(args, a.args) {
				out = append(slices.Clip(out), app{a.rel, args})
			}
		}
	}
	return out
}

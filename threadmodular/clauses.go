package threadmodular

import (
	"context"
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"
)

// relation is the unknown Inv of one or two instances. Of two, the local variables
// of the second have names that start with [Other].
type relation struct {
	places []Place
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
	cond []*logic.Term
	head *app
}

// instance is an instance of a thread at a node. Its role makes the names of its local
// variables different from those of other instances in a clause.
type instance struct {
	t    *thread
	loc  int
	role int
}

// The beginnings of the names of local variables, by role.
var rolePrefix = [3]string{"", Other, "third:"}

// system is the Horn clauses of a template.
type system struct {
	m       *template
	l       *logic.Store
	pairs   bool
	placed  bool
	rels    map[string]*relation
	order   []*relation
	clauses []clause
	sub     [3]map[*logic.Term]*logic.Term // local variables by role
	size    int                            // how many terms the clauses have, of arguments and conditions
}

// maxClauses and maxTerms bound a system: clauses of programs with many variables are large.
const (
	maxClauses = 60_000
	maxTerms   = 20_000_000
)

func newSystem(ctx context.Context, m *template, method Method) (*system, error) {
	s := &system{m: m, l: m.p.L, pairs: method.Threads == 2, placed: method.Placed, rels: map[string]*relation{}}
	for r := range s.sub {
		s.sub[r] = map[*logic.Term]*logic.Term{}
		for _, v := range m.p.Vars {
			if v.Thread != ir.Shared && r > 0 {
				s.sub[r][v.Sym] = s.l.Var(rolePrefix[r]+v.Name, logic.Int)
			}
		}
	}
	if s.pairs {
		return s, s.pairClauses(ctx)
	}
	return s, s.singleClauses(ctx)
}

// as renames the local variables of an instance's thread for its role.
func (s *system) as(x instance, t *logic.Term) *logic.Term { return s.l.Subst(t, s.sub[x.role]) }

// effect returns the condition of a block taken by x, and the values after it.
func (s *system) effect(x instance, b *block) (*logic.Term, map[*logic.Term]*logic.Term) {
	after := map[*logic.Term]*logic.Term{}
	for sym, v := range b.value {
		after[s.as(x, sym)] = s.as(x, v)
	}
	return s.as(x, b.cond), after
}

// holds applies the relation of instances to their variables, or to the values that
// these have after a step.
func (s *system) holds(after map[*logic.Term]*logic.Term, xs ...instance) app {
	if len(xs) == 2 && (xs[1].t.Index < xs[0].t.Index || xs[1].t.Index == xs[0].t.Index && xs[1].loc < xs[0].loc) {
		xs = []instance{xs[1], xs[0]}
	}
	a := app{rel: s.relation(xs)}
	add := func(sym *logic.Term) {
		if v := after[sym]; v != nil {
			sym = v
		}
		a.args = append(a.args, sym)
	}
	for _, v := range s.m.shared {
		add(v.Sym)
	}
	for _, x := range xs {
		for _, v := range x.t.live[x.loc] {
			add(s.as(x, v.Sym))
		}
	}
	for _, u := range s.others(xs) {
		add(u.PC)
	}
	return a
}

func relationName(places ...Place) string {
	name := "inv"
	for _, pl := range places {
		name += fmt.Sprintf("_%d_%d", pl.Thread, pl.Loc)
	}
	return name
}

func (s *system) relation(xs []instance) *relation {
	var places []Place
	for _, x := range xs {
		places = append(places, Place{x.t.Index, x.loc})
	}
	name := relationName(places...)
	if r := s.rels[name]; r != nil {
		return r
	}
	r := &relation{name: name, places: places}
	for _, v := range s.m.shared {
		r.params = append(r.params, v.Sym)
	}
	for i, x := range xs {
		for _, v := range x.t.live[x.loc] {
			r.params = append(r.params, s.as(instance{role: i}, v.Sym))
		}
	}
	for _, u := range s.others(xs) {
		r.params = append(r.params, u.PC)
	}
	s.rels[name] = r
	s.order = append(s.order, r)
	return r
}

func (s *system) add(head *app, cond []*logic.Term, body ...app) {
	s.clauses = append(s.clauses, clause{body: body, cond: cond, head: head})
	s.size += len(cond)
	for _, a := range body {
		s.size += len(a.args)
	}
	if head != nil {
		s.size += len(head.args)
	}
}

// addHead adds a clause for two instances after a step. Where they are at the same
// node of the same thread, it holds for them the other way round as well.
func (s *system) addHead(after map[*logic.Term]*logic.Term, a, b instance, cond []*logic.Term, body ...app) {
	head := s.holds(after, a, b)
	s.add(&head, cond, body...)
	if a.t == b.t && a.loc == b.loc {
		swapped := s.holds(after, b, a)
		s.add(&swapped, cond, body...)
	}
}

// initial returns the conditions on the state when all instances are at their
// entries.
func (s *system) initial(xs ...instance) []*logic.Term {
	var cond []*logic.Term
	for _, v := range s.m.shared {
		cond = append(cond, s.m.initially(v))
	}
	for _, x := range xs {
		for _, v := range x.t.live[x.loc] {
			cond = append(cond, s.as(x, s.m.initially(v)))
		}
	}
	for _, u := range s.others(xs) {
		cond = append(cond, s.l.Eq(u.PC, s.l.Int(int64(u.Entry.Index))))
	}
	return cond
}

// goesOn returns an error if the time is over or the system has become too large.
func (s *system) goesOn(ctx context.Context) error {
	switch {
	case len(s.clauses) > maxClauses:
		return fmt.Errorf("there are more than %d clauses", maxClauses)
	case s.size > maxTerms:
		return fmt.Errorf("the clauses have more than %d terms", maxTerms)
	}
	return ctx.Err()
}

// singleClauses makes the clauses about one thread at a time.
func (s *system) singleClauses(ctx context.Context) error {
	for _, t := range s.m.threads {
		entry := instance{t, t.Entry.Index, 0}
		head := s.holds(nil, entry)
		s.add(&head, s.initial(entry))
		for _, n := range t.nodes {
			x := instance{t, n, 0}
			for _, b := range t.out[n] {
				cond, after := s.effect(x, b)
				given := slices.Concat(s.waiting(x), s.present(x), []*logic.Term{cond})
				if b.to.Error {
					s.add(nil, given, s.holds(nil, x))
					continue
				}
				head := s.holds(after, instance{t, b.to.Index, 0})
				s.add(&head, given, s.holds(nil, x))
			}
			if t.cut[n] {
				if err := s.disturbed(ctx, 1, []instance{x}, t); err != nil {
					return err
				}
			}
			if err := s.goesOn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// disturbed adds the clauses for the steps of another instance than xs, which are of
// these threads.
func (s *system) disturbed(ctx context.Context, role int, xs []instance, of ...*thread) error {
	for _, u := range s.m.threads {
		if !u.Replicated && contains(of, u) {
			continue
		}
		for _, k := range u.nodes {
			if err := s.goesOn(ctx); err != nil {
				return err
			}
			y := instance{u, k, role}
			for _, b := range u.out[k] {
				if b.to.Error || !b.shared && (!s.placed || u.Replicated) {
					continue
				}
				cond, after := s.effect(y, b)
				if s.placed {
					s.moved(xs[0], y, b, cond, after)
					continue
				}
				given := append(s.present(append(slices.Clone(xs), y)...), cond)
				if len(xs) == 1 {
					head := s.holds(after, xs...)
					s.add(&head, given, s.holds(nil, xs...), s.holds(nil, y))
					continue
				}
				s.addHead(after, xs[0], xs[1], given, s.holds(nil, xs...), s.holds(nil, xs[0], y), s.holds(nil, xs[1], y))
			}
		}
	}
	return nil
}

func contains(ts []*thread, t *thread) bool {
	for _, u := range ts {
		if u == t {
			return true
		}
	}
	return false
}

// pairClauses makes the clauses about two threads at a time.
func (s *system) pairClauses(ctx context.Context) error {
	for _, t := range s.m.threads {
		for _, u := range s.m.threads {
			if t == u && !t.Replicated {
				continue
			}
			if err := s.pair(ctx, t, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// pair makes the clauses for an instance of t, which moves, and another one of u; and
// if t is not after u, those for the initial states and for steps of a third.
func (s *system) pair(ctx context.Context, t, u *thread) error {
	first := t.Index <= u.Index
	if a, b := (instance{t, t.Entry.Index, 0}), (instance{u, u.Entry.Index, 1}); first {
		s.addHead(nil, a, b, s.initial(a, b))
	}
	for _, n := range t.nodes {
		a := instance{t, n, 0}
		for _, k := range u.nodes {
			b := instance{u, k, 1}
			if !u.cut[k] {
				continue
			}
			for _, bl := range t.out[n] {
				cond, after := s.effect(a, bl)
				given := append(s.present(a, b), cond)
				if !bl.to.Error {
					s.addHead(after, instance{t, bl.to.Index, 0}, b, given, s.holds(nil, a, b))
				} else if u == s.m.partner(t, bl) {
					s.add(nil, given, s.holds(nil, a, b))
				}
			}
			if first && t.cut[n] && (t != u || n <= k) {
				if err := s.disturbed(ctx, 2, []instance{a, b}, t, u); err != nil {
					return err
				}
			}
			if err := s.goesOn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// partner returns the thread beside which it is proved that a block of t does not end in an error: the only one that writes some
// variable that it depends on; or t itself if it is replicated, otherwise the first replicated one, otherwise any other.
func (m *template) partner(t *thread, bl *block) *thread {
	for _, v := range logic.FreeVars(bl.cond) {
		if u := m.writer[v]; u != nil && u != t {
			return u
		}
	}
	if t.Replicated {
		return t
	}
	var best *thread
	for _, u := range m.threads {
		if u != t && (best == nil || u.Replicated && !best.Replicated) {
			best = u
		}
	}
	return best
}

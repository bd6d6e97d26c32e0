package bmc

import (
	"context"
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// maxValues bounds the constants of an enumerated variable.
const maxValues = 2000

// enum is a variable that is only assigned constants.
type enum struct {
	v      *ir.Var
	values []logic.Value
	index  map[logic.Value]int
	equals []*logic.Term // a placeholder for "the variable has this value", for each
}

// member is a value of an enumerated variable.
type member struct {
	*enum
	i int
}

// enumerate finds the variables that are only assigned constants.
func (e *encoder) enumerate() {
	e.memo, e.bool2 = map[*logic.Term]*logic.Term{}, map[*logic.Term]member{}
	e.enums = make([]*enum, len(e.p.Vars))
	for i, v := range e.p.Vars {
		if v.Init != nil {
			e.enums[i] = &enum{v: v, index: map[logic.Value]int{}}
			e.enums[i].add(*v.Init)
		}
	}
	for _, loc := range e.order {
		for _, edge := range e.next(loc) {
			for _, c := range edge.Cmds {
				if c.Kind == ir.Assume || c.Var == nil || e.enums[c.Var.Index] == nil {
					continue
				}
				k, ok := logic.Value{}, false
				if c.Kind == ir.Assign {
					k, ok = c.Expr.Const()
				}
				if !ok || len(e.enums[c.Var.Index].values) == maxValues {
					e.enums[c.Var.Index] = nil
					continue
				}
				e.enums[c.Var.Index].add(k)
			}
		}
	}
	for _, n := range e.enums {
		if n == nil {
			continue
		}
		for i := range n.values {
			b := e.l.FreshVar(n.v.Name+"=", logic.Bool)
			n.equals = append(n.equals, b)
			e.bool2[b] = member{n, i}
		}
	}
}

func (n *enum) add(k logic.Value) {
	if _, ok := n.index[k]; !ok {
		n.index[k] = len(n.values)
		n.values = append(n.values, k)
	}
}

// constant returns the state of an enumerated variable that has a value.
func (e *encoder) constant(n *enum, k logic.Value) value {
	is := make([]*logic.Term, len(n.values))
	for i := range is {
		is[i] = e.l.Bool(i == n.index[k])
	}
	return value{is: is}
}

// prepare replaces comparisons of enumerated variables with constants by placeholders.
func (e *encoder) prepare(t *logic.Term) *logic.Term {
	if r := e.memo[t]; r != nil {
		return r
	}
	r := e.l.Map(t, func(t *logic.Term) *logic.Term {
		if t.Op() != logic.OpEq || !t.Args()[0].IsVar() {
			return t
		}
		v := e.tab[t.Args()[0]]
		k, ok := t.Args()[1].Const()
		if v == nil || !ok || e.enums[v.Index] == nil {
			return t
		}
		n := e.enums[v.Index]
		if i, ok := n.index[k]; ok {
			return n.equals[i]
		}
		return e.l.False()
	})
	e.memo[t] = r
	return r
}

// eval returns a term with the values of a state.
func (e *encoder) eval(t *logic.Term, s state) *logic.Term {
	t = e.prepare(t)
	sub := map[*logic.Term]*logic.Term{}
	for _, x := range logic.FreeVars(t) {
		if m, ok := e.bool2[x]; ok {
			sub[x] = s[m.v.Index].is[m.i]
			continue
		}
		v := e.tab[x]
		if n := e.enums[v.Index]; n != nil {
			sub[x] = e.number(n, s[v.Index])
			continue
		}
		sub[x] = s[v.Index].term
	}
	return e.l.Subst(t, sub)
}

// number returns the value of an enumerated variable as a term.
func (e *encoder) number(n *enum, v value) *logic.Term {
	t := e.l.Value(n.values[0])
	for i := 1; i < len(n.values); i++ {
		t = e.l.Ite(v.is[i], e.l.Value(n.values[i]), t)
	}
	return t
}

// any returns a symbol for any value of a variable's type.
func (e *encoder) any(v *ir.Var) *logic.Term {
	s := e.l.FreshVar(v.Name, logic.Int)
	e.out = append(e.out, e.p.TermInRange(s, v.Type))
	return s
}

// encode makes the constraints, location after location.
func (e *encoder) encode(ctx context.Context) error {
	l := e.l
	e.goal = l.False()
	for i, loc := range e.order {
		if i%100 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s, reached := e.meet(loc)
		if reached.IsFalse() {
			continue
		}
		if loc.Error {
			e.goal = l.Or(e.goal, reached)
			continue
		}
		out := e.next(loc)
		var live []*ir.Edge
		var conds []*logic.Term
		for _, edge := range out {
			after, cond := e.run(edge, s)
			if !cond.IsFalse() {
				live, conds = append(live, edge), append(conds, cond)
				e.after[edge] = after
			}
		}
		e.branch(reached, live, conds)
	}
	return nil
}

// branch says which edges of a location that is reached are taken: exactly one.
func (e *encoder) branch(reached *logic.Term, edges []*ir.Edge, conds []*logic.Term) {
	l := e.l
	if len(edges) == 1 {
		e.taken[edges[0]] = reached
		e.out = append(e.out, l.Implies(reached, conds[0]))
		return
	}
	some := l.False()
	for i, edge := range edges {
		b := l.FreshVar("taken", logic.Bool)
		e.taken[edge] = b
		some = l.Or(some, b)
		e.out = append(e.out, l.Implies(b, l.And(reached, conds[i])))
		for j := range edges[:i] {
			if !e.exclusive(edge, edges[j]) {
				e.out = append(e.out, l.Not(l.And(b, e.taken[edges[j]])))
			}
		}
	}
	e.out = append(e.out, l.Implies(reached, some))
}

// exclusive reports whether two edges begin with assumptions that an enumerated variable
// has different values.
func (e *encoder) exclusive(a, b *ir.Edge) bool {
	first := func(x *ir.Edge) (member, bool) {
		if len(x.Cmds) == 0 || x.Cmds[0].Kind != ir.Assume {
			return member{}, false
		}
		m, ok := e.bool2[e.prepare(x.Cmds[0].Cond)]
		return m, ok
	}
	m, ok := first(a)
	n, too := first(b)
	return ok && too && m.enum == n.enum && m.i != n.i
}

// meet returns the state at a location, and whether it is reached.
func (e *encoder) meet(loc *ir.Loc) (state, *logic.Term) {
	s := state{}
	if loc == e.p.Threads[0].Entry {
		for i := range e.live[loc.Index] {
			v := e.p.Vars[i]
			switch {
			case e.enums[i] != nil:
				s[i] = e.constant(e.enums[i], *v.Init)
			case v.Init != nil:
				s[i] = value{term: e.l.Value(*v.Init)}
			}
		}
		for _, v := range e.p.Vars { // in order, for the names of symbols
			if e.live[loc.Index][v.Index] && v.Init == nil {
				s[v.Index] = value{term: e.any(v)}
			}
		}
		return s, e.l.True()
	}
	var in []*ir.Edge
	reached := e.l.False()
	for _, edge := range loc.In {
		if t := e.taken[edge]; t != nil && !t.IsFalse() {
			in = append(in, edge)
			reached = e.l.Or(reached, t)
		}
	}
	if len(in) == 0 {
		return nil, reached
	}
	var vars []int
	for i := range e.live[loc.Index] {
		vars = append(vars, i)
	}
	slices.Sort(vars)
	for _, i := range vars {
		s[i] = e.join(i, in)
	}
	if len(in) > 1 {
		b := e.l.FreshVar("at", logic.Bool)
		e.out = append(e.out, e.l.Iff(b, reached))
		reached = b
	}
	return s, reached
}

// join returns the value of a variable where edges meet.
func (e *encoder) join(i int, in []*ir.Edge) value {
	first := e.after[in[0]][i]
	same := true
	for _, edge := range in[1:] {
		same = same && e.after[edge][i].equal(first)
	}
	if same {
		return first
	}
	l, v := e.l, e.p.Vars[i]
	if n := e.enums[i]; n != nil {
		is := make([]*logic.Term, len(n.values))
		for k := range is {
			is[k] = e.joinFormula(in, func(edge *ir.Edge) *logic.Term { return e.after[edge][i].is[k] })
		}
		return value{is: is}
	}
	s := l.FreshVar(v.Name, logic.Int)
	for _, edge := range in {
		e.out = append(e.out, l.Implies(e.taken[edge], l.Eq(s, e.after[edge][i].term)))
	}
	return value{term: s}
}

// joinFormula returns the formula that is, if an edge is taken, what of says of it.
func (e *encoder) joinFormula(in []*ir.Edge, of func(*ir.Edge) *logic.Term) *logic.Term {
	l := e.l
	same, some := true, l.False()
	for _, edge := range in {
		same = same && of(edge) == of(in[0])
		some = l.Or(some, l.And(e.taken[edge], of(edge)))
	}
	switch {
	case same:
		return of(in[0])
	case some.IsFalse() || some.IsVar():
		return some
	}
	b := l.FreshVar("is", logic.Bool)
	e.out = append(e.out, l.Iff(b, some))
	return b
}

// run returns the state after an edge and what it assumes.
func (e *encoder) run(edge *ir.Edge, before state) (state, *logic.Term) {
	s, cond, own := before, e.l.True(), false
	set := func(v *ir.Var, x value) {
		if !own {
			s, own = maps.Clone(before), true
		}
		s[v.Index] = x
	}
	for _, c := range edge.Cmds {
		switch {
		case c.Kind == ir.Assume:
			if cond = e.l.And(cond, e.eval(c.Cond, s)); cond.IsFalse() {
				return nil, cond
			}
		case c.Var == nil: // of a value that nobody needs
		case c.Kind == ir.Havoc:
			set(c.Var, value{term: e.any(c.Var)})
		case e.enums[c.Var.Index] != nil:
			k, _ := c.Expr.Const()
			set(c.Var, e.constant(e.enums[c.Var.Index], k))
		default:
			set(c.Var, value{term: e.eval(c.Expr, s)})
		}
	}
	return s, cond
}

package passes

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// values has the variables whose value is known at some point.
type values map[*ir.Var]logic.Value

// meet returns what is known on both of two ways.
func meet(a, b values) values {
	m := values{}
	for v, k := range a {
		if j, ok := b[v]; ok && j == k {
			m[v] = k
		}
	}
	return m
}

// folder runs edges over known values.
type folder struct {
	d *draft
	// fixed has the shared variables that always have one value, as far as that
	// has not turned out to be wrong.
	fixed values
	wrong map[*ir.Var]bool // those of fixed that get another value
}

// fold runs an edge where some values are known. It returns its commands with
// these values put in and what is known afterwards; ok is false if the edge cannot
// be taken.
//
// A shared variable's value is known from one command of the edge to the next, and
// beyond the edge only within an atomic section. The commands of an edge that is
// not plain keep shared variables and the mutex, because its kind speaks of them.
func (f *folder) fold(e *ir.Edge, at values) (cmds []ir.Cmd, after values, ok bool) {
	now := values{}
	maps.Copy(now, at)
	plain := e.Kind == ir.Plain
	all := func(*ir.Var) bool { return true }
	free := func(v *ir.Var) bool { return plain || v.Thread != ir.Shared && v != e.Mutex }
	for _, c := range e.Cmds {
		switch c.Kind {
		case ir.Assume:
			cond := f.put(c.Cond, now, all)
			if cond.IsFalse() {
				return nil, nil, false
			}
			if c.Cond = f.put(c.Cond, now, free); !c.Cond.IsTrue() {
				cmds = append(cmds, c)
			}
			learn(cond, now, f.d)
		case ir.Assign:
			value, known := f.put(c.Expr, now, all).Const()
			known = known && c.Var.Type.Contains(value)
			if old, same := f.value(c.Var, now); plain && known && same && old == value {
				continue // it has the value already
			}
			c.Expr = f.put(c.Expr, now, free)
			cmds = append(cmds, c)
			f.set(c.Var, value, known, now)
		case ir.Havoc:
			cmds = append(cmds, c)
			f.set(c.Var, logic.Value{}, false, now)
		}
	}
	if !e.To.Atomic {
		maps.DeleteFunc(now, func(v *ir.Var, _ logic.Value) bool { return v.Thread == ir.Shared })
	}
	return cmds, now, true
}

// value returns the value of a variable, if it is known.
func (f *folder) value(v *ir.Var, now values) (logic.Value, bool) {
	k, ok := now[v]
	if !ok && !f.wrong[v] {
		k, ok = f.fixed[v]
	}
	return k, ok
}

// set notes a variable's new value.
func (f *folder) set(v *ir.Var, k logic.Value, known bool, now values) {
	if init, ok := f.fixed[v]; ok && (!known || init != k) {
		f.wrong[v] = true
	}
	if known {
		now[v] = k
	} else {
		delete(now, v)
	}
}

// put replaces the variables in a term that may be replaced and whose values are
// known.
func (f *folder) put(t *logic.Term, now values, may func(*ir.Var) bool) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for _, s := range logic.FreeVars(t) {
		v := f.d.tab[s]
		if k, ok := f.value(v, now); ok && may(v) {
			sub[s] = f.d.L.Value(k)
		}
	}
	if len(sub) == 0 {
		return t
	}
	return f.d.L.Subst(t, sub)
}

// learn adds the values that follow from a condition.
func learn(cond *logic.Term, now values, d *draft) {
	for _, c := range logic.Conjuncts(cond) {
		negated := c.Op() == logic.OpNot
		if negated {
			c = c.Args()[0]
		}
		if c.Op() != logic.OpEq || !c.Args()[0].IsVar() {
			continue
		}
		v := d.tab[c.Args()[0]]
		k, ok := c.Args()[1].Const()
		switch {
		case v == nil || !ok:
		case !negated:
			now[v] = k
		case v.Type == ir.Flag && k.Sign() == 0:
			now[v] = logic.IntValue(1)
		case v.Type == ir.Flag && k == logic.IntValue(1):
			now[v] = logic.Value{}
		}
	}
}

// simplify puts what the commands of an edge say about values into the commands
// that follow, and removes the assignments of variables to themselves. An edge that
// cannot be taken is removed, and the result is false.
func (d *draft) simplify(e *ir.Edge) bool {
	f := &folder{d: d}
	cmds, _, ok := f.fold(e, nil)
	if !ok {
		d.remove(e)
		return false
	}
	e.Cmds = slices.DeleteFunc(cmds, func(c ir.Cmd) bool { return c.Kind == ir.Assign && c.Expr == c.Var.Sym })
	return true
}

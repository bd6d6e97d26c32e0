package threadmodular

import (
	"slices"

	"comus/ir"
	"comus/logic"
)

// enumerate finds the variables that are given a few constants only, or each other's values.
func (h *lemmas) enumerate(tab ir.SymTable) {
	never := map[*logic.Term]bool{}
	for _, v := range h.s.m.p.Vars {
		if v.Init != nil {
			h.values[v.Sym] = []logic.Value{*v.Init}
		} else if v.Thread == ir.Shared {
			never[v.Sym] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, t := range h.s.m.threads {
			for _, n := range t.nodes {
				for _, bl := range t.out[n] {
					for _, c := range bl.cmds {
						if c.Var != nil && !never[c.Var.Sym] && h.give(c, never) {
							changed = true
						}
					}
				}
			}
		}
	}
	for v := range never {
		delete(h.values, v)
	}
}

// maxValues bounds the values of a variable that are listed.
const maxValues = 4

// give notes the values that an assignment gives, and reports whether there is something new.
func (h *lemmas) give(c ir.Cmd, never map[*logic.Term]bool) (changed bool) {
	v := c.Var.Sym
	var list func(x *logic.Term) ([]logic.Value, bool)
	list = func(x *logic.Term) ([]logic.Value, bool) {
		if k, ok := x.Const(); ok {
			return []logic.Value{k}, true
		}
		switch {
		case x.Op() == logic.OpIte:
			a, ok := list(x.Args()[1])
			b, ok2 := list(x.Args()[2])
			return slices.Concat(a, b), ok && ok2
		case x.Op() == logic.OpVar && !never[x]:
			return h.values[x], true
		}
		return nil, false
	}
	if c.Expr == nil {
		never[v] = true
		return true
	}
	more, ok := list(c.Expr)
	for _, k := range more {
		if ok && !slices.Contains(h.values[v], k) {
			h.values[v] = append(h.values[v], k)
			changed = true
		}
	}
	if !ok || len(h.values[v]) > maxValues {
		never[v] = true
		return true
	}
	return changed
}

// isBit reports whether a variable is 0 or 1.
func (h *lemmas) isBit(v *ir.Var) bool {
	return v.Type == ir.Flag || len(h.values[v.Sym]) == 2 && !slices.ContainsFunc(h.values[v.Sym], func(k logic.Value) bool { return k != logic.IntValue(0) && k != logic.IntValue(1) })
}

// root returns the representative of the variables that are related to one.
func (h *lemmas) root(v *logic.Term) *logic.Term {
	for h.class[v] != nil {
		v = h.class[v]
	}
	return v
}

// relate notes that the variables of a term are related.
func (h *lemmas) relate(tab ir.SymTable, terms ...*logic.Term) {
	var first *logic.Term
	for _, v := range logic.FreeVars(terms...) {
		if x := tab[v]; x == nil || x.Type == ir.Flag {
			continue
		}
		if r := h.root(v); first == nil {
			first = r
		} else if r != first {
			h.class[r] = first
		}
	}
}

// learn takes relations from a block.
func (h *lemmas) learn(tab ir.SymTable, t *thread, bl *block) {
	flags := map[*logic.Term]bool{}
	var set []*logic.Term
	for _, c := range bl.cmds {
		if c.Cond != nil {
			logic.Visit(func(x *logic.Term) {
				if x.Op() == logic.OpLe || x.Op() == logic.OpEq {
					h.relate(tab, x)
				}
				if x.Op() == logic.OpEq {
					h.solveFor(t, x)
				}
			}, c.Cond)
		}
		for _, v := range logic.FreeVars(slices.DeleteFunc([]*logic.Term{c.Cond, c.Expr}, func(x *logic.Term) bool { return x == nil })...) {
			if x := tab[v]; x != nil && x.Type == ir.Flag && x.Thread == ir.Shared {
				flags[v] = true
			}
		}
		if c.Var == nil {
			continue
		}
		if c.Var.Type == ir.Flag && c.Var.Thread == ir.Shared {
			flags[c.Var.Sym] = true
		} else if c.Var.Type != ir.Flag && c.Expr != nil {
			h.relate(tab, c.Var.Sym, c.Expr)
			h.addSum(t, c.Expr)
		}
		if c.Var.Thread == ir.Shared && c.Var.Type != ir.Flag {
			set = append(set, c.Var.Sym)
		}
	}
	for _, v := range set {
		if h.guards[v] == nil {
			h.guards[v] = map[*logic.Term]bool{}
		}
		for f := range flags {
			h.guards[v][f] = true
		}
	}
	h.define(tab, t, bl)
	h.measure(bl.cond)
	for _, c := range bl.cmds {
		if c.Expr != nil && c.Expr.Sort() == logic.Int {
			h.measure(c.Expr)
		}
	}
}

// addSum notes a sum of variables that a thread computes.
func (h *lemmas) addSum(t *thread, x *logic.Term) {
	if x.Op() != logic.OpAdd || len(h.sums[t]) >= maxSums || slices.Contains(h.sums[t], x) || len(logic.FreeVars(x)) < 2 {
		return
	}
	for _, a := range x.Args() {
		if a.Op() != logic.OpVar && a.Op() != logic.OpInt && !(a.Op() == logic.OpMul && a.Args()[0].Op() == logic.OpInt && a.Args()[1].Op() == logic.OpVar) {
			return
		}
	}
	h.sums[t] = append(h.sums[t], x)
}

// solveFor notes the sums that an equation says a variable is.
func (h *lemmas) solveFor(t *thread, eq *logic.Term) {
	if eq.Args()[0].Sort() != logic.Int {
		return
	}
	l := h.s.l
	rest := l.Sub(eq.Args()[0], eq.Args()[1])
	h.addStrides(rest)
	for _, v := range logic.FreeVars(rest) {
		for _, x := range []*logic.Term{l.Sub(v, rest), l.Add(v, rest)} {
			if !slices.Contains(logic.FreeVars(x), v) {
				h.addSum(t, x)
			}
		}
	}
}

// addStrides notes, of a sum, the variables that have no factor, if others have one that is a multiple of 4: addresses, and indices of
// elements.
func (h *lemmas) addStrides(sum *logic.Term) {
	if sum.Op() != logic.OpAdd {
		return
	}
	var plain []*logic.Term
	strides := false
	for _, a := range sum.Args() {
		if a.Op() == logic.OpVar {
			plain = append(plain, a)
		}
		if a.Op() != logic.OpMul {
			continue
		}
		k, ok := a.Args()[0].Const()
		if ok && (k == logic.IntValue(1) || k == logic.IntValue(-1)) {
			plain = append(plain, a.Args()[1])
		} else if _, r := k.DivMod(logic.IntValue(4)); ok && r.Sign() == 0 {
			strides = true
		}
	}
	for _, x := range plain {
		for _, y := range plain {
			h.strides[[2]*logic.Term{x, y}] = h.strides[[2]*logic.Term{x, y}] || strides && x != y
		}
	}
}

// define notes what may hold where a block leads to: its condition, and the values of the variables that it changes.
func (h *lemmas) define(tab ir.SymTable, t *thread, bl *block) {
	l := h.s.l
	found := slices.Clone(logic.Conjuncts(bl.cond))
	for _, c := range bl.cmds {
		if v := c.Var; v != nil && bl.value[v.Sym] != nil {
			if x := bl.value[v.Sym]; !slices.ContainsFunc(logic.FreeVars(x), func(v *logic.Term) bool { return bl.value[v] != nil }) {
				h.addRule(tab, t, bl.to.Index, l.Eq(v.Sym, x))
			}
		}
	}
	for _, f := range found {
		for _, g := range h.behind(tab, t, bl, f) {
			h.addRule(tab, t, bl.to.Index, g)
		}
	}
}

// addRule notes what may hold of the variables that matter at a location, and reports whether that is new.
func (h *lemmas) addRule(tab ir.SymTable, t *thread, at int, f *logic.Term) bool {
	rules := h.rules[t]
	if f.IsTrue() || slices.ContainsFunc(logic.FreeVars(f), func(x *logic.Term) bool { return !h.matters(t, at, tab[x]) }) || slices.Contains(rules[at], f) || len(rules[at]) >= maxRules {
		return false
	}
	rules[at] = append(rules[at], f)
	return true
}

// matters reports whether a thread's location has relations with a variable; nil is none.
func (h *lemmas) matters(t *thread, at int, v *ir.Var) bool {
	return v != nil && (v.Thread == ir.Shared && h.s.m.relevant[v] || slices.Contains(t.live[at], v))
}

// behind returns what may hold behind a block if f does before: f, if it is about variables that keep their values, and f of those
// that have got them.
func (h *lemmas) behind(tab ir.SymTable, t *thread, bl *block, f *logic.Term) []*logic.Term {
	var out []*logic.Term
	moved, lost := f, false
	for _, x := range logic.FreeVars(f) {
		if v := tab[x]; v != nil && bl.value[x] == nil {
			if v.Thread != ir.Shared {
				moved = h.moved(t, bl, moved, x)
			}
			continue
		}
		next := h.moved(t, bl, moved, x)
		lost = lost || next == moved
		moved = next
	}
	if !slices.ContainsFunc(logic.FreeVars(f), func(x *logic.Term) bool { return tab[x] == nil || bl.value[x] != nil }) {
		out = append(out, f)
	}
	if !lost && moved != f {
		out = append(out, moved)
	}
	return out
}

// moved returns a formula about a variable that is given x or what is computed of x alone, instead of x; the formula if there is none.
// What is computed is known where the formula compares x with constants.
func (h *lemmas) moved(t *thread, bl *block, f, x *logic.Term) *logic.Term {
	for _, c := range bl.cmds {
		if c.Var == nil || bl.value[c.Var.Sym] == nil || !h.matters(t, bl.to.Index, c.Var) {
			continue
		}
		v, value := c.Var.Sym, bl.value[c.Var.Sym]
		if k := h.s.l.Sub(value, x); k.Op() == logic.OpInt {
			return h.s.l.Subst(f, map[*logic.Term]*logic.Term{x: h.s.l.Sub(v, k)})
		}
		if vars := logic.FreeVars(value); len(vars) != 1 || vars[0] != x {
			continue
		}
		if g := h.compared(f, x, v, value); !slices.Contains(logic.FreeVars(g), x) {
			return g
		}
	}
	return f
}

// compared replaces the comparisons of x with constants by those of v, whose value is computed of x.
func (h *lemmas) compared(f, x, v, value *logic.Term) *logic.Term {
	l := h.s.l
	var eqs []*logic.Term
	logic.Visit(func(t *logic.Term) {
		if t.Op() == logic.OpEq && t.Args()[0].Sort() == logic.Int {
			eqs = append(eqs, t)
		}
	}, f)
	for _, eq := range eqs {
		for i, a := range eq.Args() {
			k, ok := eq.Args()[1-i].Const()
			if a != x || !ok {
				continue
			}
			is := l.Eq(v, l.Value(logic.Eval(value, func(*logic.Term) logic.Value { return k })))
			f = l.Map(f, func(t *logic.Term) *logic.Term {
				if t == eq {
					return is
				}
				return t
			})
		}
	}
	return f
}

// carry takes what may hold at a location to those that follow.
func (h *lemmas) carry() {
	tab := h.s.m.p.Symbols()
	for _, t := range h.s.m.threads {
		for changed := true; changed; {
			changed = false
			for _, n := range t.nodes {
				for _, bl := range t.out[n] {
					for _, f := range h.rules[t][n] {
						for _, g := range h.behind(tab, t, bl, f) {
							changed = h.addRule(tab, t, bl.to.Index, g) || changed
						}
					}
				}
			}
		}
	}
}

// maxRules bounds what may hold at a location, and maxCompared the parameters of a relation that are compared.
const maxRules, maxCompared, maxSums = 64, 24, 16

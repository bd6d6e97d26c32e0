package specialise

import (
	"maps"

	"comus/ir"
	"comus/logic"
)

// about is what is known of a variable of the thread's own and the address of a newest object (see summary.go): whether they are the same.
// Without a variable it is the address alone, which is none; and without an object, that of every one.
type about struct {
	v *ir.Var
	n *newest
}

// isNewest returns what is known of a term and the address of a newest object: that they are the same, or that they are not.
func (b *builder) isNewest(t *logic.Term, n *newest) (same, known bool) {
	if b.hasNone(n) {
		return false, true
	}
	if !t.IsVar() {
		return false, false
	}
	same, known = b.cur.newest[about{b.symbols[t], n}]
	return same, known
}

// hasNone reports whether the thread surely has no newest object of a summary here.
func (b *builder) hasNone(n *newest) bool {
	_, none := b.cur.newest[about{nil, n}]
	_, all := b.cur.newest[about{}]
	return none || all
}

// learnNewest updates what is known of newest objects after a command.
func (b *builder) learnNewest(c ir.Cmd) {
	if c.Var == nil || len(b.addresses) == 0 {
		return
	}
	known := b.cur.newest
	if n := b.addresses[c.Var]; n != nil {
		all := b.hasNone(n)
		maps.DeleteFunc(known, func(a about, _ bool) bool { return a.n == n || a == about{} })
		for _, m := range b.addresses {
			if all && m != n {
				known[about{nil, m}] = true
			}
		}
		if c.Kind != ir.Assign {
			return
		}
		if k, ok := c.Expr.Const(); ok && k.Sign() == 0 {
			known[about{nil, n}] = true
		} else if v := b.symbols[c.Expr]; v != nil && v.Thread != ir.Shared {
			known[about{v, n}] = true
		}
		return
	}
	var of *ir.Var
	if c.Kind == ir.Assign && c.Var.Thread != ir.Shared {
		of = b.symbols[c.Expr]
	}
	if of == c.Var {
		return
	}
	maps.DeleteFunc(known, func(a about, _ bool) bool { return a.v == c.Var })
	for _, n := range b.addresses {
		if same, ok := known[about{of, n}]; of != nil && ok {
			known[about{c.Var, n}] = same
		}
	}
}

// agreeNewest returns what is known of newest objects in all of some flows.
func agreeNewest(flows []*flow) map[about]bool {
	known := maps.Clone(flows[0].newest)
	for _, f := range flows[1:] {
		maps.DeleteFunc(known, func(a about, same bool) bool {
			other, ok := f.newest[a]
			return !ok || other != same
		})
	}
	return known
}

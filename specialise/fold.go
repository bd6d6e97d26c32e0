package specialise

import (
	"maps"

	"comus/cir"
	"comus/logic"
)

// foldBranch runs a branch without branching, where what depends on it has no effects: the operands of ?:, && and
// || become a term, which is evaluated by one step. It reports whether it could.
func (b *builder) foldBranch(t *cir.Branch, c *value) bool {
	if b.opts.Check.Memory || b.opts.Check.Overflow {
		return false
	}
	return b.foldCondition(t, c) || b.foldValue(t, c)
}

// pureBlock reports whether a block is entered only from here, and computes without effects.
func (b *builder) pureBlock(x *cir.Block) bool {
	if b.fr.shape.preds[x.Index] != 1 || len(x.Params) > 0 || len(x.Instrs) > maxPure {
		return false
	}
	for _, in := range x.Instrs {
		switch in := in.(type) {
		case *cir.Unary, *cir.Binary, *cir.Compare, *cir.Convert, *cir.Select, *cir.Offset, *cir.Bitcast, *cir.Distance:
			if in.Meta().Approx != "" {
				return false
			}
		case *cir.Load:
			if in.Volatile || in.Order != cir.Plain || b.opts.Orders || b.opts.Check.Race && !b.exempt() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// maxPure bounds the instructions that are evaluated although they might not have to be.
const maxPure = 24

// pure evaluates a block that pureBlock holds of, without emitting anything; false if that cannot be.
func (b *builder) pure(x *cir.Block) bool {
	at, locs, edges, assumed := b.cur.at, len(b.th.locs), len(b.th.edges), maps.Clone(b.assumptions)
	for _, in := range x.Instrs {
		b.site = in.Meta().Site
		b.instr(in)
		if b.cur == nil || b.cur.at != at || len(b.th.edges) != edges {
			for _, e := range b.th.edges[edges:] {
				e.from.outs--
			}
			b.th.locs, b.th.edges, b.assumptions = b.th.locs[:locs], b.th.edges[:edges], assumed
			return false
		}
	}
	return true
}

// foldCondition combines c with the condition of a block that it leads to: c && d ? x : y.
func (b *builder) foldCondition(t *cir.Branch, c *value) bool {
	if b.mentionsShared(c) {
		return false
	}
	for _, way := range []struct {
		next, other *cir.Block
		args, rest  []cir.Value
		and         bool
	}{{t.Then, t.Else, t.ThenArgs, t.ElseArgs, true}, {t.Else, t.Then, t.ElseArgs, t.ThenArgs, false}} {
		u, ok := way.next.Term.(*cir.Branch)
		if !ok || len(way.args) > 0 || len(way.rest) > 0 || !b.pureBlock(way.next) || u.Then.Index == way.next.Index {
			continue
		}
		same := u.Else
		if !way.and {
			same = u.Then
		}
		if same != way.other || len(u.ThenArgs) > 0 || len(u.ElseArgs) > 0 {
			continue
		}
		start, at := b.cur, b.site
		b.cur = start.clone()
		if !b.pure(way.next) {
			b.cur, b.site = start, at
			continue
		}
		d := b.operand(u.Cond)
		if b.mentionsShared(d) {
			b.cur, b.site = start, at
			continue
		}
		b.site = at
		if s := u.Meta().Site; s != nil && s.Stmt != nil {
			b.site = s.Stmt
		}
		cc, dc := b.truth(c), b.truth(d)
		both := b.L.And(cc, dc)
		if !way.and {
			both = b.L.Or(cc, dc)
		}
		e := b.condValue(both, c.side)
		for _, s := range d.side {
			if way.and {
				e.side = append(e.side, b.L.Implies(cc, s))
			} else {
				e.side = append(e.side, b.L.Or(cc, s))
			}
		}
		b.branchOn(&cir.Branch{Info: t.Info, Cond: u.Cond, Then: u.Then, Else: u.Else}, e)
		return true
	}
	return false
}

// branchOn runs a branch whose condition has this value.
func (b *builder) branchOn(t *cir.Branch, c *value) {
	r, ok := t.Cond.(*cir.Reg)
	if !ok {
		b.bugf("a branch on a constant")
	}
	b.cur.regs[r.Index] = c
	b.branch(t)
}

// arm is one way of a branch: straight to where the ways meet, or through a block without effects.
type arm struct {
	block *cir.Block // nil: straight
	to    *cir.Block
	args  []cir.Value
}

func (b *builder) armOf(to *cir.Block, args []cir.Value) (arm, bool) {
	if len(args) == 0 && b.pureBlock(to) {
		if j, ok := to.Term.(*cir.Jump); ok && j.To != to {
			return arm{to, j.To, j.Args}, true
		}
	}
	return arm{nil, to, args}, len(args) > 0 || true
}

// foldValue makes a term of a branch whose ways meet at once, with values for a block's parameters.
func (b *builder) foldValue(t *cir.Branch, c *value) bool {
	x, _ := b.armOf(t.Then, t.ThenArgs)
	y, _ := b.armOf(t.Else, t.ElseArgs)
	switch {
	case x.to == y.to:
	case x.block != nil && y.block == nil && x.to == t.Else:
		y = arm{nil, t.Else, t.ElseArgs}
	case y.block != nil && x.to != y.to && y.to == t.Then:
		x = arm{nil, t.Then, t.ThenArgs}
	case x.block != nil && x.to == t.Else:
	default:
		return false
	}
	if x.to != y.to || len(x.args) == 0 {
		return false
	}
	start, at := b.cur, b.site
	xs, ok := b.evalArm(x, start)
	var ys []*value
	if ok {
		ys, ok = b.evalArm(y, start)
	}
	b.cur, b.site = start, at
	if !ok || b.readsTwice(c, xs, ys) {
		return false
	}
	args := make([]*value, len(xs))
	for i := range xs {
		args[i] = b.choose(c, xs[i], ys[i])
		args[i].site = at
	}
	b.deliver(x.to, args)
	return true
}

// evalArm returns the values that one way gives.
func (b *builder) evalArm(a arm, start *flow) ([]*value, bool) {
	b.cur = start.clone()
	if a.block != nil && !b.pure(a.block) {
		return nil, false
	}
	return b.operands(a.args), true
}

// readsTwice reports whether values together read more than one shared variable, which one step must not,
// or read one that only one way reads.
func (b *builder) readsTwice(c *value, xs, ys []*value) bool {
	if b.atomicHere() {
		return false
	}
	for _, vs := range [][]*value{xs, ys} {
		for _, v := range vs {
			if b.mentionsShared(v) {
				return true
			}
		}
	}
	if !b.mentionsShared(c) {
		return false
	}
	for _, r := range b.needed() { // a second use of c's read
		if v := b.cur.regs[r]; v != c && b.mentionsShared(v) && overlaps(v, c) {
			return true
		}
	}
	return false
}

func overlaps(v, w *value) bool {
	seen := map[*logic.Term]bool{}
	for _, s := range logic.FreeVars(v.terms()...) {
		seen[s] = true
	}
	for _, s := range logic.FreeVars(w.terms()...) {
		if seen[s] {
			return true
		}
	}
	return false
}

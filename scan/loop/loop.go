// Package loop finds the loops of a function that count: where a local goes up or down by a constant each time, and the loop goes on as long as a
// comparison of it holds.
//
// What a local holds is what package valuenum says, so numbers are exact: nothing wraps around. How often a loop runs is not computed; it is a function of where
// it begins to count, its steps and its comparison, so that two loops that have these in common run equally often ([Loop.SameCount]), if what they
// compare with is still the same, which [Loop.Rests] lets one find out.
package loop

import (
	"comus/cir"
	"comus/scan/valuenum"
)

// Loop is a loop that counts. Its head is the only block where it begins.
type Loop struct {
	Head *cir.Block
	// Sym is what the local that it counts by holds where control gets to the head.
	Sym   *valuenum.Sym
	Begin valuenum.Value // the first time
	Step  int64          // by which there is more each time; not 0
	// Body and Exit are where the head leads; nil if it does not end the loop by comparing.
	Body, Exit *cir.Block

	from  map[*cir.Block]bool // blocks outside of the loop that lead to the head
	x, y  valuenum.Value      // what is compared; Sym is said by the symbol of a result there
	pred  cir.Pred
	typ   cir.Type
	while bool // it goes on if the comparison is true
}

// Find returns the loops of a function that count.
func Find(t *valuenum.Table, model cir.Model, f *valuenum.Func) (list []*Loop) {
	entry := f.Copy.Func.Blocks[0]
	for _, head := range f.Copy.Func.Blocks {
		if len(f.Meets[head]) == 0 || head == entry {
			continue
		}
		outside := reach([]*cir.Block{entry}, func(_, to *cir.Block) bool { return to != head })
		from := map[*cir.Block]bool{}
		proper := true
		inside := reach([]*cir.Block{head}, func(*cir.Block, *cir.Block) bool { return true })
		for _, p := range f.Preds[head] {
			switch {
			case outside[p]:
				from[p] = true
				proper = proper && p != head
			case !inside[p]:
				proper = false
			}
		}
		if !proper || len(from) == 0 || len(from) == len(f.Preds[head]) {
			continue
		}
		for _, m := range f.Meets[head] {
			if l := counting(f, head, m, from); l != nil {
				l.compare(t, model, f)
				list = append(list, l)
			}
		}
	}
	return list
}

// counting returns the loop that counts by what meets at its head, if it does.
func counting(f *valuenum.Func, head *cir.Block, m valuenum.Meet, from map[*cir.Block]bool) *Loop {
	if m.Sym.Kind != valuenum.Phi {
		return nil
	}
	l := &Loop{Head: head, Sym: m.Sym, from: from}
	begun := false
	for k, p := range f.Preds[head] {
		v := m.In[k]
		if from[p] {
			if v.Base == m.Sym || begun && v != l.Begin {
				return nil
			}
			l.Begin, begun = v, true
			continue
		}
		d, ok := v.Minus(valuenum.Value{Base: m.Sym})
		if !ok || d == 0 || l.Step != 0 && d != l.Step {
			return nil
		}
		l.Step = d
	}
	return l
}

// compare finds out how the loop ends.
func (l *Loop) compare(t *valuenum.Table, model cir.Model, f *valuenum.Func) {
	br, ok := l.Head.Term.(*cir.Branch)
	if !ok || br.Then == br.Else {
		return
	}
	var c *cir.Compare
	for _, in := range l.Head.Instrs {
		if k, ok := in.(*cir.Compare); ok && cir.Value(k.Dst) == br.Cond {
			c = k
		}
	}
	if c == nil {
		return
	}
	back := func(b *cir.Block) bool { return l.Reach(b)[l.Head] }
	body, exit := br.Then, br.Else
	if back(exit) {
		body, exit = exit, body
	}
	if !back(body) || back(exit) {
		return
	}
	own := t.Of(valuenum.Sym{Kind: valuenum.Result})
	said := func(v valuenum.Value) (valuenum.Value, bool) {
		return t.Rewrite(v, func(s *valuenum.Sym) (valuenum.Value, bool) {
			if s == l.Sym {
				return own, true
			}
			return valuenum.Value{Base: s}, true
		})
	}
	x, okX := said(f.Value(c.X))
	y, okY := said(f.Value(c.Y))
	if okX && okY {
		l.Body, l.Exit, l.x, l.y, l.pred, l.typ, l.while = body, exit, x, y, c.Pred, model.TypeOf(c.X), body == br.Then
	}
}

// Reach returns the blocks that control gets to from a block without beginning the loop again.
func (l *Loop) Reach(b *cir.Block) map[*cir.Block]bool {
	return reach([]*cir.Block{b}, func(from, to *cir.Block) bool { return to != l.Head || !l.from[from] })
}

// Contains reports whether a block is in the loop.
func (l *Loop) Contains(f *valuenum.Func, b *cir.Block) bool {
	return l.dominates(f, b) && l.Reach(b)[l.Head]
}

// dominates reports whether control gets to a block through the loop's head only.
func (l *Loop) dominates(f *valuenum.Func, b *cir.Block) bool {
	return b == l.Head || !reach([]*cir.Block{f.Copy.Func.Blocks[0]}, func(_, to *cir.Block) bool { return to != l.Head })[b]
}

// Before reports whether control gets to another loop through the head of this one only.
func (l *Loop) Before(f *valuenum.Func, m *Loop) bool {
	return l.Head != m.Head && l.dominates(f, m.Head)
}

// AtMostOnce reports whether control gets to a block of the loop no more than once each time round.
func (l *Loop) AtMostOnce(b *cir.Block) bool {
	return b != l.Head && !l.round(b)[b]
}

// AtLeastOnce reports whether control gets to a block each time round, if the loop goes on.
func (l *Loop) AtLeastOnce(b *cir.Block) bool {
	if b == l.Body {
		return true
	}
	return l.Body != nil && !reach([]*cir.Block{l.Body}, func(_, to *cir.Block) bool { return to != b })[l.Head]
}

// round returns the blocks that control gets to from a block, after it, without coming to the head.
func (l *Loop) round(b *cir.Block) map[*cir.Block]bool {
	var next []*cir.Block
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		if to != l.Head {
			next = append(next, to)
		}
	})
	return reach(next, func(_, to *cir.Block) bool { return to != l.Head })
}

// SameCount reports whether two loops that end by comparing run equally often, if what they begin and compare with is the same.
func (l *Loop) SameCount(m *Loop) bool {
	return l.Body != nil && m.Body != nil && l.Begin == m.Begin && l.Step == m.Step && l.x == m.x && l.y == m.y && l.pred == m.pred && l.typ == m.typ && l.while == m.while
}

// Rests calls f for the symbols that it depends on how often the loop runs.
func (l *Loop) Rests(f func(*valuenum.Sym)) {
	for _, v := range []valuenum.Value{l.Begin, l.x, l.y} {
		v.Each(func(s *valuenum.Sym) {
			if s.Kind != valuenum.Result {
				f(s)
			}
		})
	}
}

// Exact reports whether the numbers that the loop counts by are all different, whatever the type of the counter: its type is smaller than an
// address, and such sums are followed only where they are exact; or it goes up or down by 1 as long as it is less, or more, than something, so that it
// never gets beyond what the type has.
func (l *Loop) Exact(model cir.Model) bool {
	local, ok := l.Sym.What.(*cir.Local)
	if !ok {
		return false
	}
	bits := int(local.Size) * 8
	if bits < model.PointerBits {
		return true
	}
	if l.Body == nil || l.typ.Bits != bits || l.x.Base == nil || l.x.Base.Kind != valuenum.Result || l.x.Index != nil || l.x.Off != 0 {
		return false
	}
	pred := l.pred
	if !l.while {
		pred = map[cir.Pred]cir.Pred{cir.Ge: cir.Lt, cir.Le: cir.Gt}[pred]
	}
	own := false
	l.y.Each(func(s *valuenum.Sym) { own = own || s == l.x.Base })
	return !own && (l.Step == 1 && pred == cir.Lt || l.Step == -1 && pred == cir.Gt)
}

// Turns returns a number that says how often the loop goes on at most, 0 times if it is negative.
func (l *Loop) Turns(model cir.Model) (n valuenum.Value, ok bool) {
	if !l.Exact(model) || l.Body == nil || l.x.Base == nil || l.x.Base.Kind != valuenum.Result || l.x.Index != nil {
		return n, false
	}
	own := false
	l.y.Each(func(s *valuenum.Sym) { own = own || s == l.x.Base })
	if _, isConst := l.y.Const(); own || !isConst && !l.typ.Signed {
		return n, false
	}
	pred := l.pred
	if !l.while {
		pred = map[cir.Pred]cir.Pred{cir.Ge: cir.Lt, cir.Le: cir.Gt, cir.Gt: cir.Le, cir.Lt: cir.Ge}[pred]
	}
	most, least, more := l.y.Plus(-l.x.Off), l.Begin, int64(0) // what it counts from one of the two to the other one
	switch {
	case l.Step > 0 && pred == cir.Le, l.Step < 0 && pred == cir.Ge:
		more = 1
	case l.Step > 0 && pred == cir.Lt, l.Step < 0 && pred == cir.Gt:
	default:
		return n, false
	}
	if l.Step < 0 {
		most, least = least, most
	}
	first, isConst := least.Const()
	n = most.Plus(more - first)
	if c, all := n.Const(); all && c > 0 {
		step := max(l.Step, -l.Step)
		n.Off = (c + step - 1) / step
	}
	return n, isConst
}

// Starts reports whether the loop begins along an edge from a block to its head.
func (l *Loop) Starts(b *cir.Block) bool { return l.from[b] }

// reach returns the blocks that control gets to from some blocks, which are among them, along edges that count.
func reach(from []*cir.Block, counts func(from, to *cir.Block) bool) map[*cir.Block]bool {
	seen := map[*cir.Block]bool{}
	for _, b := range from {
		seen[b] = true
	}
	for work := from; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] && counts(b, to) {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	return seen
}

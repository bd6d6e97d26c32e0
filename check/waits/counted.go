package waits

import (
	"slices"

	"comus/cir"
)

// counted is a loop for (i = from; i < bound; i++), or with <=: more is 1 then. Who leaves it at its head has gone through it max(0, bound + more - from) times, each time with an instruction once.
type counted struct {
	head, out  *cir.Block
	body       map[*cir.Block]bool
	from, more int64
	bound      cir.Value // computed in the head
}

// countedLoop returns the one loop that an instruction is in, if it counts, and passes the instruction once each time.
func (x *function) countedLoop(in cir.Instr) (*counted, bool) {
	at := x.blockOf(in)
	var l *counted
	for _, loop := range x.naturalLoops() {
		if !loop.body[at] {
			continue
		}
		if l != nil {
			return nil, false
		}
		l = loop
	}
	if l == nil {
		return nil, false
	}
	i, ok := x.condition(l)
	if !ok || !x.starts(l, i) {
		return nil, false
	}
	step := x.step(l, i)
	return l, step != nil && x.passed(l, x.blockOf(step)) && x.passed(l, at) && at != l.head
}

func (x *function) blockOf(in cir.Instr) *cir.Block {
	for _, b := range x.fn.Blocks {
		if slices.Contains(b.Instrs, in) {
			return b
		}
	}
	return nil
}

// naturalLoops returns the loops of a function, by their heads; none if one has another way in.
func (x *function) naturalLoops() (list []*counted) {
	heads, ok := x.loops()
	if !ok {
		return nil
	}
	preds := x.preds()
	for _, h := range x.fn.Blocks {
		if _, head := heads[h]; !head {
			continue
		}
		l := &counted{head: h, body: map[*cir.Block]bool{h: true}}
		for _, p := range preds[h] {
			if x.leads(h, p) {
				body, _ := bodyOf(h, p, preds, x.fn.Blocks[0])
				for b := range body {
					l.body[b] = true
				}
			}
		}
		list = append(list, l)
	}
	return list
}

func (x *function) preds() map[*cir.Block][]*cir.Block {
	preds := map[*cir.Block][]*cir.Block{}
	for _, b := range x.fn.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { preds[to] = append(preds[to], b) })
	}
	return preds
}

// leads reports whether control may get from the beginning of a block to that of another one.
func (x *function) leads(from, to *cir.Block) bool {
	return x.leadingTo(func(b *cir.Block) bool { return b == to })[from]
}

// condition finds the variable that a loop counts with, and its bound, in its head. Nothing is written or called there.
func (x *function) condition(l *counted) (i *cir.Local, ok bool) {
	br, isBranch := l.head.Term.(*cir.Branch)
	if !isBranch || !l.body[br.Then] || l.body[br.Else] || len(l.head.Params) > 0 {
		return nil, false
	}
	for _, in := range l.head.Instrs {
		switch in.(type) {
		case *cir.Load, *cir.Convert, *cir.Compare, *cir.Binary, *cir.Offset:
		default:
			return nil, false
		}
	}
	r, isReg := br.Cond.(*cir.Reg)
	if !isReg {
		return nil, false
	}
	cmp, isCompare := x.defs[r.Index].(*cir.Compare)
	if !isCompare || !slices.Contains(l.head.Instrs, cir.Instr(cmp)) {
		return nil, false
	}
	v, bound := cmp.X, cmp.Y
	switch cmp.Pred {
	case cir.Lt:
	case cir.Le:
		l.more = 1
	case cir.Gt:
		v, bound = bound, v
	case cir.Ge:
		v, bound, l.more = bound, v, 1
	default:
		return nil, false
	}
	l.bound, l.out = bound, br.Else
	i = x.loaded(v)
	return i, i != nil
}

// loaded returns the plain local of which a value is the number, perhaps as a wider one; nil if it is none.
func (x *function) loaded(v cir.Value) *cir.Local {
	for range 4 {
		r, ok := v.(*cir.Reg)
		if !ok {
			return nil
		}
		switch in := x.defs[r.Index].(type) {
		case *cir.Load:
			if l, ok := in.Addr.(*cir.Local); ok && x.plain[l] {
				return l
			}
			return nil
		case *cir.Convert:
			if !widens(in) {
				return nil
			}
			v = in.X
		default:
			return nil
		}
	}
	return nil
}

// starts finds which constant a variable is where control comes to a loop.
func (x *function) starts(l *counted, i *cir.Local) bool {
	known := false
	for _, p := range x.preds()[l.head] {
		if l.body[p] {
			continue
		}
		last := x.lastStore(p, i)
		if last == nil {
			return false
		}
		n, ok := last.X.(cir.Int)
		from, small := n.Int64()
		if !ok || !small || from < 0 || from > 1<<30 || known && from != l.from {
			return false
		}
		l.from, known = from, true
	}
	return known
}

// lastStore returns the last store to a local in a block, nil if there is none, or its life begins behind it.
func (x *function) lastStore(b *cir.Block, l *cir.Local) (s *cir.Store) {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *cir.Store:
			if in.Addr == cir.Value(l) {
				s = in
			}
		case *cir.LifeStart:
			if in.Local == l {
				s = nil
			}
		}
	}
	return s
}

// step returns the only store to a variable in a loop, if it adds 1 to it.
func (x *function) step(l *counted, i *cir.Local) (step *cir.Store) {
	for b := range l.body {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				if in.Addr != cir.Value(i) {
					continue
				}
				if step != nil || !x.isNext(b, in, i) {
					return nil
				}
				step = in
			case *cir.LifeStart:
				if in.Local == i {
					return nil
				}
			}
		}
	}
	return step
}

// isNext reports whether a store of a block is of a variable's number plus 1.
func (x *function) isNext(b *cir.Block, s *cir.Store, i *cir.Local) bool {
	r, ok := s.X.(*cir.Reg)
	if !ok {
		return false
	}
	sum, ok := x.defs[r.Index].(*cir.Binary)
	if !ok || sum.Op != cir.Add {
		return false
	}
	n, ok := sum.Y.(cir.Int)
	one, small := n.Int64()
	v, isReg := sum.X.(*cir.Reg)
	if !ok || !small || one != 1 || !isReg {
		return false
	}
	load, ok := x.defs[v.Index].(*cir.Load)
	return ok && load.Addr == cir.Value(i) && slices.Contains(b.Instrs, cir.Instr(load)) && slices.Contains(b.Instrs, cir.Instr(sum))
}

// passed reports whether each time through a loop passes a block exactly once: it is in no loop within the loop, and there is no way around it.
func (x *function) passed(l *counted, at *cir.Block) bool {
	for _, inner := range x.naturalLoops() {
		if inner.head != l.head && inner.body[at] {
			return false
		}
	}
	if at == l.head {
		return false
	}
	seen := map[*cir.Block]bool{}
	work := []*cir.Block{l.head}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		again := false
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			switch {
			case to == l.head:
				again = true
			case l.body[to] && to != at && !seen[to]:
				seen[to] = true
				work = append(work, to)
			}
		})
		if again {
			return false
		}
	}
	return true
}

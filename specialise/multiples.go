package specialise

import (
	"maps"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// Pointers that walk over argv stay multiples of the size of a pointer, and those to the beginnings of its strings multiples of
// the room of one. Invariants of that kind are beyond most engines, but follow from what is assigned to variables alone: [facts]
// finds them, and the next run rests on them.

// steps are what a variable may be known to be a multiple of, each one of the one before.
var steps = []int64{1, 8, stringRoom}

// learnMultiples notes of which steps the variables that may be pointers are always multiples. It reports whether what was taken for granted of that holds.
func (s *facts) learnMultiples(b *builder) (consistent bool) {
	if s.odd || s.multiples == nil && (!b.argv.used || s.rounds == 0) {
		return true
	}
	level, first := b.multiples(), s.multiples == nil
	for name, k := range s.multiples {
		s.odd = s.odd || level[name] < k
	}
	if s.multiples = level; s.odd {
		s.multiples = nil
	}
	return !s.odd && (!first || len(level) == 0)
}

// mostFollowed bounds the steps of programs in which it is followed of what variables are multiples.
const mostFollowed = 200_000

// multiples returns of which steps variables are always multiples: the greatest solution of what is assigned to them. Temporaries,
// which have one value here and another one there, are followed along the edges.
func (b *builder) multiples() map[string]int {
	level, total := map[string]int{}, 0
	for _, v := range b.prog.Vars {
		if b.mayBePointer(v) {
			level[v.Name] = len(steps) - 1
		}
	}
	for _, t := range b.threads {
		total += len(t.edges)
		for _, v := range t.temps {
			delete(level, v.Name)
		}
	}
	if total > mostFollowed {
		return map[string]int{}
	}
	for again := true; again; {
		again = false
		for _, t := range b.threads {
			again = b.lowerMultiples(t, level) || again
		}
	}
	maps.DeleteFunc(level, func(_ string, k int) bool { return k == 0 })
	return level
}

// lowerMultiples makes the levels of variables such that what a thread assigns to them is in them. It reports whether one changed.
func (b *builder) lowerMultiples(t *thread, level map[string]int) (changed bool) {
	temps := map[*ir.Var]bool{}
	for _, v := range t.temps {
		temps[v] = v.Type == irType(b.m.Pointer())
	}
	at := map[*loc]map[*ir.Var]int{t.entry: {}} // of temporaries; those that are not there are of none
	for again := true; again; {
		again = false
		for _, e := range t.edges {
			from, ok := at[e.from]
			if !ok {
				continue
			}
			now := maps.Clone(from)
			known := func(v *ir.Var) int {
				if temps[v] {
					return now[v]
				}
				return level[v.Name]
			}
			for _, c := range e.cmds {
				if c.Var == nil {
					continue
				}
				k := 0
				if c.Kind == ir.Assign && (temps[c.Var] || level[c.Var.Name] > 0) {
					k = b.levelOf(c.Expr, known)
				}
				if temps[c.Var] {
					now[c.Var] = k
				} else if k < level[c.Var.Name] {
					level[c.Var.Name], changed = k, true
				}
			}
			again = lowerTo(at, e.to, now) || again
		}
	}
	return changed
}

// lowerTo notes that control gets to a location with temporaries of these levels. It reports whether that is news.
func lowerTo(at map[*loc]map[*ir.Var]int, to *loc, now map[*ir.Var]int) bool {
	old, ok := at[to]
	if !ok {
		at[to] = now
		return true
	}
	news := false
	for v, k := range old {
		if now[v] < k {
			old[v], news = now[v], true
		}
	}
	return news
}

// mayBePointer reports whether a variable may have the values of pointers, and nobody reads it before it is assigned to, unless it is 0.
func (b *builder) mayBePointer(v *ir.Var) bool {
	switch c := b.cellOf[v]; {
	case v.Type != irType(b.m.Pointer()):
		return false
	case v.Init != nil:
		return v.Init.Sign() == 0
	case c == nil:
		return true
	default:
		return c.obj.local && v.Thread >= 0 && 0 < c.obj.size && c.obj.size <= maxTracked
	}
}

// levelOf returns of which steps a term is a multiple, if its variables are of others.
func (b *builder) levelOf(t *logic.Term, level func(*ir.Var) int) int {
	k := len(steps) - 1
	for k > 0 && !b.divides(logic.IntValue(steps[k]), t, level) {
		k--
	}
	return k
}

// isMultiple reports whether a term is known to be a multiple of n, one of the steps.
func (b *builder) isMultiple(t *logic.Term, n int64) bool {
	return b.divides(logic.IntValue(n), t, func(v *ir.Var) int { return b.facts.multiples[v.Name] })
}

// divides reports whether a number divides a term, as far as its form shows and variables are known to be multiples of steps.
func (b *builder) divides(n logic.Value, t *logic.Term, level func(*ir.Var) int) bool {
	if c, ok := t.Const(); ok {
		return isZero(c, n)
	}
	switch args := t.Args(); t.Op() {
	case logic.OpAdd:
		return b.divides(n, args[0], level) && (len(args) == 1 || b.divides(n, b.L.Add(args[1:]...), level))
	case logic.OpMul:
		if c, ok := args[0].Const(); ok && len(args) == 2 && c.Sign() != 0 {
			rest, _ := n.DivMod(gcdOf(n, c))
			return b.divides(rest, args[1], level)
		}
	case logic.OpIte:
		return b.divides(n, args[1], level) && b.divides(n, args[2], level)
	case logic.OpVar:
		if v := b.symbols[t]; v != nil {
			return isZero(logic.IntValue(steps[level(v)]), n)
		}
	}
	return n == logic.IntValue(1)
}

// isZero reports whether x is a multiple of n.
func isZero(x, n logic.Value) bool {
	_, r := x.DivMod(n)
	return r.Sign() == 0
}

// gcdOf returns the greatest common divisor of two numbers, of which the first is positive.
func gcdOf(x, y logic.Value) logic.Value {
	for y.Sign() != 0 {
		_, r := x.DivMod(y)
		x, y = y, r
	}
	if x.Sign() < 0 {
		return logic.IntValue(0).Sub(x)
	}
	return x
}

// knowAligned tells engines that a pointer which may walk over argv is a multiple of the size of a pointer, where that is known.
func (b *builder) knowAligned(ts *targets, p *value, a cir.Access) {
	if _, ok := p.t.Const(); !ok && b.cur != nil && ts.outside && a.Type.IsPointer() && b.knowsArguments() && b.isMultiple(p.t, 8) && !b.divides(logic.IntValue(8), p.t, func(*ir.Var) int { return 0 }) {
		b.emit("", ir.AssumeCmd(b.L.Eq(b.L.Mod(p.t, b.L.Int(8)), b.L.Int(0))))
	}
}

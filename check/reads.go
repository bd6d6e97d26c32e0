package check

import (
	"context"
	"errors"
	"slices"

	"comus/ir"
	"comus/logic"
)

// maxConstraints bounds the encoding.
const maxConstraints = 3_000_000

// ordering says which writes reads can see. What is known of the order of two points,
// whenever both are left, is left out of the constraints: program order, and that a read
// that can only see one write comes after it.
type ordering struct {
	o       *orders
	l       *logic.Store
	sources map[*point]map[*ir.Var]*source
	// earlier has the writes of the same variable that are surely made before one, as far
	// as no other of them comes after them.
	earlier map[*write][]*write
	// open tells that the order of two points is not known; then there are clocks.
	open   bool
	clocks []*logic.Term // constraints for them
}

// source is what a read can see.
type source struct {
	writes  []*write
	initial bool
}

func newOrdering(o *orders) *ordering {
	g := &ordering{o: o, l: o.l, sources: map[*point]map[*ir.Var]*source{}, earlier: map[*write][]*write{}}
	n := len(o.points)
	for i, pt := range o.points {
		pt.number, pt.after, pt.sure = i, newBitset(n), newBitset(n)
		pt.after.add(i)
		pt.sure.add(i)
	}
	for _, pt := range slices.Backward(o.points) {
		pt.last = pt.number
		if next := pt.number + 1; next < n && o.points[next].thread == pt.thread {
			pt.last = o.points[next].last
		}
		for _, a := range pt.exits {
			if a.to != nil && a.to.at.left != nil {
				pt.after.addAll(a.to.at.after)
			}
		}
	}
	return g
}

// all makes the constraints.
func (g *ordering) all(ctx context.Context) error {
	for changed := true; changed; {
		if err := ctx.Err(); err != nil {
			return err
		}
		changed = g.follow()
		for _, pt := range g.o.points {
			if g.sources[pt] == nil {
				g.sources[pt] = map[*ir.Var]*source{}
			}
			for _, v := range pt.read {
				src := g.source(pt, v)
				g.sources[pt][v] = src
				if len(src.writes) == 1 && !src.initial && pt.sure.addAll(src.writes[0].sure) {
					pt.follows = append(pt.follows, src.writes[0].point)
					changed = true
				}
			}
		}
	}
	for _, ws := range g.o.writes {
		for _, x := range ws {
			g.earlier[x] = latest(slices.DeleteFunc(slices.Clone(ws), func(y *write) bool {
				return y == x || !y.always || !x.sure.has(y.number)
			}))
		}
	}
	for _, pt := range g.o.points {
		for _, v := range pt.read {
			if err := ctx.Err(); err != nil {
				return err
			}
			g.constrain(pt, v)
		}
		if len(g.o.out) > maxConstraints {
			return errors.New("the encoding is too large: there are too many accesses to shared variables")
		}
	}
	if g.open {
		g.o.out = append(g.o.out, g.clocks...)
		g.programOrder()
	}
	return nil
}

// follow takes over what is sure of the points before, and of those that are sure. It
// reports whether there was anything new.
func (g *ordering) follow() bool {
	news := false
	for {
		again := false
		for _, pt := range g.o.points {
			if len(pt.into) > 0 {
				common := slices.Clone(pt.into[0].from.at.sure)
				for _, a := range pt.into[1:] {
					common.keep(a.from.at.sure)
				}
				again = pt.sure.addAll(common) || again
			}
			for _, q := range pt.follows {
				again = pt.sure.addAll(q.sure) || again
			}
		}
		if !again {
			return news
		}
		news = true
	}
}

// precedes reports whether a is surely left before b, if both are.
func precedes(a, b *point) bool {
	if a == b {
		return false
	}
	for i := a.number / 64; i <= a.last/64; i++ { // nothing else is after a
		if a.after[i]&b.sure[i] != 0 {
			return true
		}
	}
	return false
}

// exclusive reports whether an execution cannot leave both points.
func exclusive(a, b *point) bool {
	return a.thread == b.thread && !a.after.has(b.number) && !b.after.has(a.number)
}

// source finds out what pt can see of v.
func (g *ordering) source(pt *point, v *ir.Var) *source {
	src := &source{}
	var over []*write // surely written before
	for _, w := range g.o.writes[v] {
		if w.always && w.point != pt && pt.sure.has(w.number) {
			over = append(over, w)
		}
	}
	over = latest(over)
	src.initial = len(over) == 0 && g.admits(pt, v, g.o.initial[v])
	for _, w := range g.o.writes[v] {
		if w.point == pt || precedes(pt, w.point) || exclusive(pt, w.point) || !g.admits(pt, v, w.value) {
			continue
		}
		if !slices.ContainsFunc(over, func(x *write) bool { return precedes(w.point, x.point) }) {
			src.writes = append(src.writes, w)
		}
	}
	return src
}

// latest removes the writes that are surely made before another of them. What comes before
// those removed comes before those that stay.
func latest(writes []*write) []*write {
	return slices.DeleteFunc(slices.Clone(writes), func(x *write) bool {
		return slices.ContainsFunc(writes, func(y *write) bool {
			return y != x && y.sure.has(x.number) && !x.sure.has(y.number)
		})
	})
}

// admits reports whether a move may be taken from pt if v has a value there; only
// constants are looked at.
func (g *ordering) admits(pt *point, v *ir.Var, value *logic.Term) bool {
	if _, ok := value.Const(); !ok {
		return true
	}
	sub := map[*logic.Term]*logic.Term{pt.reads[v]: value}
	return slices.ContainsFunc(pt.out, func(a *arc) bool {
		return !slices.ContainsFunc(a.conds, func(c *logic.Term) bool { return g.l.Subst(c, sub).IsFalse() })
	})
}

// constrain says that what is read of v at a point is the last value written before.
func (g *ordering) constrain(pt *point, v *ir.Var) {
	src, r := g.sources[pt][v], pt.reads[v]
	var choices []*logic.Term
	choice := func() *logic.Term {
		if len(src.writes) == 1 && !src.initial || len(src.writes) == 0 {
			return pt.left
		}
		c := g.l.FreshVar("sees", logic.Bool)
		choices = append(choices, c)
		return c
	}
	if src.initial {
		c := choice()
		g.o.imply([]*logic.Term{c}, g.l.Eq(r, g.o.initial[v]))
		g.between(pt, v, nil, c)
	}
	for _, w := range src.writes {
		c := choice()
		g.o.imply([]*logic.Term{c}, w.wrote)
		g.o.imply([]*logic.Term{c}, g.l.Eq(r, w.value))
		if before := g.clockBefore(w.point, pt); precedes(w.point, pt) {
			g.clocks = append(g.clocks, g.l.Implies(c, before))
		} else {
			g.open = true
			g.o.imply([]*logic.Term{c}, before)
		}
		g.between(pt, v, w, c)
	}
	if len(choices) > 0 || len(src.writes) == 0 && !src.initial {
		g.o.imply([]*logic.Term{pt.left}, choices...)
	}
}

// between says that, if c, no write of v comes between w and pt; w is nil for the initial
// value.
func (g *ordering) between(pt *point, v *ir.Var, w *write, c *logic.Term) {
	for _, x := range g.o.writes[v] {
		if x.point == pt || precedes(pt, x.point) || exclusive(pt, x.point) {
			continue
		}
		if w != nil && (x == w || precedes(x.point, w.point) || exclusive(x.point, w.point)) {
			continue
		}
		// If x is surely after another write that is after w, it is enough to speak of that.
		if slices.ContainsFunc(g.earlier[x], func(y *write) bool { return w == nil || precedes(w.point, y.point) }) {
			continue
		}
		hyp := []*logic.Term{c, x.wrote, g.before(x.point, pt)}
		if w == nil {
			g.o.imply(hyp)
		} else {
			g.o.imply(hyp, g.before(x.point, w.point))
		}
	}
}

// before returns the formula that a is left before b, both being left.
func (g *ordering) before(a, b *point) *logic.Term {
	switch {
	case precedes(a, b):
		return g.l.True()
	case precedes(b, a):
		return g.l.False()
	}
	g.open = true
	return g.clockBefore(a, b)
}

// clockBefore is the same, by the clocks if the points are of different threads.
func (g *ordering) clockBefore(a, b *point) *logic.Term {
	switch {
	case a.thread == b.thread:
		return g.l.Bool(a != b && a.after.has(b.number))
	case a.thread < b.thread:
		return g.l.Le(g.clock(a), g.clock(b))
	}
	return g.l.Lt(g.clock(a), g.clock(b))
}

func (g *ordering) clock(pt *point) *logic.Term {
	if pt.clock == nil {
		pt.clock = g.l.FreshVar("clock", logic.Int)
	}
	return pt.clock
}

// programOrder says that the clocks follow the points of each thread, whether they are left
// or not: the clocks of those that are not matter to nobody, and can be chosen to fit.
func (g *ordering) programOrder() {
	for _, pt := range g.o.points {
		for _, a := range pt.exits {
			if a.to != nil && a.to.at.left != nil {
				g.o.out = append(g.o.out, g.l.Lt(g.clock(pt), g.clock(a.to.at)))
			}
		}
	}
}

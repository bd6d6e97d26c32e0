package partialorder

import (
	"slices"

	"comus/ir"
	"comus/logic"
	"comus/logic/interval"
)

// bounds has what is known of the values of symbols before solving: for each an
// interval that its value is in if its event is executed. A read's has the values of
// all writes that it can see.
type bounds struct {
	f    *finder
	o    *order
	of   map[*logic.Term]interval.Interval
	eval *interval.Evaluator
}

// maxBoundRounds is how often bounds may grow before they become those of the type:
// values can go around in circles that no execution has.
const maxBoundRounds = 24

// join is a symbol for one of several values.
type join struct {
	sym    *logic.Term
	typ    ir.Type
	values []*logic.Term
}

func newBounds(o *order) *bounds {
	b := &bounds{f: o.f, o: o, of: map[*logic.Term]interval.Interval{}}
	b.eval = &interval.Evaluator{Bounds: func(v *logic.Term) interval.Interval { return b.of[v] }}
	joins := b.joins()
	for sym, typ := range b.f.types {
		b.of[sym] = interval.Of(typ.Range())
	}
	for _, j := range joins {
		delete(b.of, j.sym)
	}
	b.compute(joins)
	return b
}

// joins returns the symbols that get their values from elsewhere: what is read, and
// what paths bring with them where they meet.
func (b *bounds) joins() []join {
	joins := slices.Clone(b.f.merges)
	for _, r := range b.f.reads {
		src := b.o.source[r]
		j := join{sym: r.sym, typ: r.v.Type}
		if src.initial {
			j.values = append(j.values, b.f.initial(r.v))
		}
		for _, w := range src.writes {
			j.values = append(j.values, w.values...)
		}
		joins = append(joins, j)
	}
	return joins
}

// compute finds the least bounds of the symbols, or, where they grow for too long,
// those of the types.
func (b *bounds) compute(joins []join) {
	for round, changed := 0, true; changed; round++ {
		changed = false
		b.eval.Forget()
		for _, j := range joins {
			old := b.of[j.sym]
			now := b.joined(j, old)
			if !now.Bounded() || now.Equal(old) {
				continue
			}
			if round >= maxBoundRounds {
				now = interval.Of(j.typ.Range())
			}
			b.of[j.sym], changed = now, true
			b.eval.Forget()
		}
		if changed {
			continue
		}
		// What has no value yet can never have one, as far as is known; it may
		// still be in the query.
		for _, j := range joins {
			if !b.of[j.sym].Bounded() {
				b.of[j.sym], changed = interval.Of(j.typ.Range()), true
			}
		}
	}
	b.eval.Forget()
}

// joined returns bounds of the values of a symbol, old ones included; of values without
// any bounds nothing is known yet.
func (b *bounds) joined(j join, old interval.Interval) interval.Interval {
	now := old
	for _, v := range j.values {
		in := b.eval.Int(v)
		if !in.Bounded() {
			continue
		}
		// A step that writes what is not of the type is not taken.
		in, ok := in.Meet(interval.Of(j.typ.Range()))
		if !ok {
			continue
		}
		if now.Bounded() {
			in = in.Join(now)
		}
		now = in
	}
	return now
}

// simplify drops the conditions of steps that hold by the bounds, and marks the steps
// that are impossible by them. It reports whether a step to an error is left.
func (b *bounds) simplify() bool {
	// The condition that rules out some of what a read could see has to stay: it is
	// what the bounds come from.
	selective := map[*logic.Term]bool{}
	for _, r := range b.f.reads {
		selective[r.sym] = b.o.source[r].selective
	}
	var steps []*step
	for _, n := range b.f.nodes {
		steps = append(steps, n.out...)
	}
	for _, st := range steps {
		st.conds = slices.DeleteFunc(st.conds, func(c *logic.Term) bool {
			is, known := b.eval.Truth(c)
			st.impossible = st.impossible || known && !is
			return known && is && !slices.ContainsFunc(logic.FreeVars(c), func(v *logic.Term) bool { return selective[v] })
		})
	}
	return slices.ContainsFunc(b.f.threads[b.f.opts.Main].failing(), func(st *step) bool { return !st.impossible })
}

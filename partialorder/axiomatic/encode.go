package axiomatic

import (
	"context"
	"errors"
	"fmt"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/memory"
)

// encode makes the query.
func (f *finder) encode(ctx context.Context) error {
	f.stop = func() bool { return ctx.Err() != nil || len(f.formulas) > maxFormulas }
	for _, s := range f.threads {
		f.control(s)
	}
	if err := f.threadsBegin(); err != nil {
		return err
	}
	f.rfs = map[[2]*event]*logic.Term{}
	for _, v := range f.p.Vars {
		f.location(f.at[v])
	}
	switch f.opts.Model {
	case memory.SC:
		f.sequential()
	case memory.TSO, memory.PSO:
		f.buffers()
	case memory.RC11:
		f.rc11()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(f.formulas) > maxFormulas {
		return errors.New("the query is too large")
	}
	return nil
}

const maxFormulas = 1_000_000

// threadsBegin asserts that a thread begins only if it was created, and is joined only if it has ended.
func (f *finder) threadsBegin() error {
	for _, e := range f.events {
		if e.does != ir.Start && e.does != ir.Join {
			continue
		}
		from := f.sources(e)
		for i, a := range from {
			for _, b := range from[:i] {
				if both(a, b) {
					return fmt.Errorf("thread %s may be created more than once", f.p.Threads[e.thread].Name)
				}
			}
		}
		var any []*logic.Term
		for _, a := range from {
			any = append(any, f.executed(a))
		}
		f.imply(f.executed(e), f.l.Or(any...))
	}
	return nil
}

// sources returns the events that synchronise with the beginning of a thread, or with a wait for its end.
func (f *finder) sources(e *event) (from []*event) {
	for _, a := range f.events {
		if e.does == ir.Start && a.does == ir.Create && a.of == e.thread || e.does == ir.Join && a.does == ir.End && a.thread == e.of {
			from = append(from, a)
		}
	}
	return from
}

// all returns the condition under which an event is before another one in program order across threads, for executions with both.
func (f *finder) all(a, b *event) *logic.Term {
	switch {
	case a.thread < 0:
		return f.l.Bool(b.thread >= 0)
	case b.thread < 0 || a == b:
		return f.l.False()
	case a.thread == b.thread:
		return f.l.Bool(before(a, b))
	}
	key := [2]*event{a, b}
	if t, ok := f.alls[key]; ok {
		return t
	}
	f.alls[key] = f.l.False() // threads that wait for one another do not end
	var any []*logic.Term
	for _, e := range f.threads[b.thread].events {
		if e.does != ir.Start && e.does != ir.Join || e != b && !before(e, b) {
			continue
		}
		from := f.sources(e)
		for _, s := range from {
			is := f.l.True()
			if s != a {
				is = f.all(a, s)
			}
			if is.IsFalse() {
				continue
			}
			if len(from) > 1 {
				is = f.l.And(is, f.executed(s))
			}
			if e.does == ir.Join && e != b && !sure(e, b) {
				is = f.l.And(is, f.executed(e))
			}
			any = append(any, is)
		}
	}
	f.alls[key] = f.l.Or(any...)
	return f.alls[key]
}

// sure reports whether an event is in all executions with another one of its thread that is behind it.
func sure(e, b *event) bool {
	if e.in == b.in {
		return true
	}
	return !avoids(b.in.from, func(st *step) bool { return st == e.in })
}

// avoids reports whether a way leads from the entry to a node without any of some steps.
func avoids(n *node, these func(*step) bool) bool {
	known := map[*node]bool{}
	var reach func(n *node) bool
	reach = func(n *node) bool {
		if was, ok := known[n]; ok {
			return was
		}
		is := len(n.in) == 0
		for _, st := range n.in {
			if !these(st) && reach(st.from) {
				is = true
			}
		}
		known[n] = is
		return is
	}
	return reach(n)
}

// location asserts that reads read, and that the writes to a location have an order. The place of a read is one behind that of its write.
func (f *finder) location(at []*event) {
	l := f.l
	for i, w := range at {
		if w.Kind != memory.Write {
			continue
		}
		for _, x := range at[:i] {
			if x.Kind != memory.Write || !both(x, w) {
				continue
			}
			if x.thread < 0 || before(x, w) {
				f.imply(f.executed(w), f.executed(x), f.behind(x, w))
				continue
			}
			f.imply(f.executed(w), f.executed(x), l.Or(f.behind(x, w), f.behind(w, x)))
		}
	}
	for _, r := range at {
		if r.Kind != memory.Read {
			continue
		}
		var any []*logic.Term
		for _, w := range at {
			if w.Kind != memory.Write || !both(w, r) || before(r, w) {
				continue
			}
			rf := l.FreshVar("rf", logic.Bool)
			f.rfs[[2]*event{w, r}] = rf
			any = append(any, rf)
			f.imply(rf, f.executed(w))
			f.imply(rf, f.executed(r))
			f.imply(rf, l.Eq(r.value, w.value))
			f.imply(rf, l.Eq(r.place, l.Add(w.place, l.Int(1))))
		}
		f.imply(f.executed(r), l.Or(any...))
		if r.other != nil { // atomicity: nothing comes between
			f.imply(f.executed(r), l.Lt(r.place, r.other.place))
			for _, w := range at {
				if w.Kind == memory.Write && w != r.other && w.thread >= 0 && both(w, r) {
					f.imply(f.executed(r), f.executed(w), l.Or(l.Lt(w.place, r.place), l.Lt(r.other.place, w.place)))
				}
			}
		}
	}
}

// behind says that one write is behind another one.
func (f *finder) behind(a, b *event) *logic.Term {
	return f.l.Le(f.l.Add(a.place, f.l.Int(2)), b.place)
}

// eco says that an access is before another one to the location in extended coherence order.
func (f *finder) eco(a, b *event) *logic.Term { return f.l.Lt(a.place, b.place) }

// clocks gives all events numbers of a kind.
func (f *finder) clocks(name string) {
	for _, e := range f.events {
		if e.thread >= 0 {
			e.clock = f.l.FreshVar(name, logic.Int)
		}
	}
}

// ordered asserts that one event has a lower number than another one if a condition holds.
func (f *finder) ordered(a, b *event, when ...*logic.Term) {
	if a.thread >= 0 && b.thread >= 0 {
		f.imply(append(when, f.executed(a), f.executed(b), f.l.Lt(a.clock, b.clock))...)
	}
}

// pairs calls a function for each two events of different threads, or one before the other, in executions with both.
func (f *finder) pairs(see func(a, b *event)) {
	for _, a := range f.events {
		if f.stop() {
			return
		}
		for _, b := range f.events {
			if a != b && a.thread >= 0 && b.thread >= 0 && both(a, b) {
				see(a, b)
			}
		}
	}
}

// sequential is sequential consistency: po, rf, mo and rb have no cycle.
func (f *finder) sequential() {
	f.clocks("clock")
	f.pairs(func(a, b *event) {
		if is := f.all(a, b); !is.IsFalse() {
			f.ordered(a, b, is)
		}
		f.communicate(a, b, true)
	})
}

// communicate orders two events by rf, mo and rb.
func (f *finder) communicate(a, b *event, internal bool) {
	if rf := f.rfs[[2]*event{a, b}]; rf != nil && (internal || a.thread != b.thread) {
		f.ordered(a, b, rf)
	}
	if a.v != nil && a.v == b.v && b.Kind == memory.Write {
		f.ordered(a, b, f.eco(a, b))
	}
}

// buffers is TSO or PSO.
func (f *finder) buffers() {
	f.clocks("clock")
	f.pairs(func(a, b *event) {
		if a.v != nil && a.v == b.v { // coherence
			f.imply(f.all(a, b), f.executed(a), f.executed(b), f.l.Le(a.place, b.place))
		}
		if f.outside(a) || f.outside(b) {
			return
		}
		f.communicate(a, b, false)
		if a.thread != b.thread {
			if is := f.all(a, b); !is.IsFalse() {
				f.ordered(a, b, is)
			}
		} else if before(a, b) {
			f.preserved(a, b)
		}
	})
}

// full reports whether store buffers are empty at an event.
func full(e *event) bool {
	return e.Full || e.Exclusive || e.Kind == memory.Other || e.Kind == memory.Fence && e.Order == cir.SeqCst
}

// outside reports whether an event is none of what TSO and PSO order.
func (f *finder) outside(e *event) bool { return e.Kind == memory.Fence && !full(e) }

func flushes(e *event) bool { return e.Kind == memory.Write && e.Order == cir.SeqCst }

func releases(e *event) bool {
	return (e.Kind == memory.Write || e.Kind == memory.Fence) && (e.Order == cir.Release || e.Order == cir.AcqRel || e.Order == cir.SeqCst)
}

func acquires(e *event) bool {
	return (e.Kind == memory.Read || e.Kind == memory.Fence) && (e.Order == cir.Acquire || e.Order == cir.AcqRel || e.Order == cir.SeqCst)
}

// preserved orders two events of a thread, the first before the second, as far as the memory sees them in that order. What a full fence or a seq_cst store between them orders
// follows from its own order with both.
func (f *finder) preserved(a, b *event) {
	switch {
	case full(a) || full(b) || a.Kind != memory.Write:
		f.ordered(a, b)
	case b.Kind == memory.Read:
		if flushes(a) {
			f.ordered(a, b)
		}
	case f.opts.Model == memory.TSO || a.v == b.v || flushes(a) || releases(b):
		f.ordered(a, b)
	default:
		for _, c := range f.threads[a.thread].events {
			if c.Kind == memory.Fence && releases(c) && before(a, c) && before(c, b) {
				f.ordered(a, b, f.executed(c))
			}
		}
	}
}

package ticket

import (
	"slices"

	"comus/cir"
)

// What many threads run, one of them may do alone: who has a certain number, or to whom a barrier has said that it is the one. Of threads with different numbers one at most comes to where the number
// is compared with a constant and the same. A barrier says so to one of the threads that meet there, each time they meet; until it waits again, no other one is told.

// Lead says why only one thread is somewhere, at least of those that are there at a time.
type Lead struct {
	// By is the call that has given the thread its number, and that is Number; nil: any number.
	By     *cir.Call
	Number int64
	// Barrier is where the thread has waited last of all, and it was told that it is the one. Without an object: it may be any thread.
	Barrier Cell
}

// With returns what is known of something that one of two leads is known of.
func (l Lead) With(m Lead) Lead {
	if l.By != m.By || l.Number != m.Number {
		l.By, l.Number = nil, 0
	}
	if l.Barrier != m.Barrier {
		l.Barrier = Cell{}
	}
	return l
}

// Same reports whether threads are the same one if they do two things.
func (l Lead) Same(m Lead) bool { return l.By != nil && l.By == m.By && l.Number == m.Number }

// leadAt is an instruction of a copy that a thread runs.
type leadAt[N, T comparable] struct {
	t  T
	n  N
	in cir.Located
}

// maxCalls bounds the calls that are gone back over.
const maxCalls = 6

// LeadAt returns why only one thread of an identity is at an instruction of a copy.
func (ts *Tickets[N, T]) LeadAt(t T, n N, in cir.Instr) Lead { return ts.leadAt(t, n, in, maxCalls) }

func (ts *Tickets[N, T]) leadAt(t T, n N, in cir.Instr, deep int) (l Lead) {
	key := leadAt[N, T]{t, n, in}
	if l, known := ts.leads[key]; known {
		return l
	}
	v := ts.bodyOf(ts.in.Func(n))
	if v == nil || deep == 0 {
		return l
	}
	ts.leads[key] = l // of a function that calls itself nothing is known
	d := &drawer[N, T]{ts: ts, t: t, open: map[asked[N]]bool{}, left: 3000}
	at := v.before(in)
	v.conditions(at, func(from, _ *cir.Block, is *cir.Compare, holds bool) {
		x, k, ok := equal(is, holds)
		if !ok {
			return
		}
		if m, ok := d.value(v, n, x, v.before(is)); ok && m.given != nil && m.band == (Band{}) && len(m.others) == 0 && l.By == nil {
			l.By, l.Number = m.given, k-m.add
		}
		if k == serial && l.Barrier.Obj == nil {
			l.Barrier = ts.toldAt(v, t, n, x, is, at, from)
		}
	})
	above := ts.leadAbove(t, n, deep)
	if l.By == nil {
		l.By, l.Number = above.By, above.Number
	}
	if l.Barrier.Obj == nil && !ts.waitsIn(t)[n] {
		l.Barrier = above.Barrier
	}
	ts.leads[key] = l
	return l
}

// leadAbove returns what is known wherever a copy is called.
func (ts *Tickets[N, T]) leadAbove(t T, n N, deep int) (l Lead) {
	if ts.callers[t] == nil {
		ts.findCallers(t)
	}
	if ts.open[t][n] {
		return l
	}
	for i, x := range ts.callers[t][n] {
		m := ts.leadAt(t, x.node, x.in.(cir.Instr), deep-1)
		if i == 0 {
			l = m
		}
		l = l.With(m)
	}
	return l
}

// equal returns what is equal to a constant where a comparison has a result.
func equal(is *cir.Compare, holds bool) (x cir.Value, k int64, ok bool) {
	if holds && is.Pred != cir.Eq || !holds && is.Pred != cir.Ne {
		return nil, 0, false
	}
	x = is.X
	c, ok := is.Y.(cir.Int)
	if !ok {
		x = is.Y
		c, ok = is.X.(cir.Int)
	}
	return x, signed(c), ok && (c.Hi == 0 || c.Hi == ^uint64(0))
}

// serial is what a barrier returns to one of the threads.
const serial = -1

// toldAt returns the barrier at which a thread has waited last before a point, if a value that is compared at the end of a block, by which control has come, is what that returned.
func (ts *Tickets[N, T]) toldAt(v *body, t T, n N, x cir.Value, is *cir.Compare, at point, from *cir.Block) (none Cell) {
	seen := v.before(is)
	if load, ok := v.def(x).(*cir.Load); ok {
		s := v.source(load)
		if s == nil || v.blocks[load] != from {
			return none
		}
		call := v.def(s.X)
		if call == nil || v.blocks[call] != v.blocks[s] || v.index(call) > v.index(s) {
			return none
		}
		x, seen = s.X, v.before(load)
	}
	call, ok := v.def(x).(*cir.Call)
	if !ok || len(call.Args) == 0 {
		return none
	}
	f, direct := call.Callee.(*cir.Func)
	if !direct || !f.Library || f.Source != "pthread_barrier_wait" {
		return none
	}
	waits := func(in cir.Instr) bool { return ts.mayWait(t, n, in) }
	last := v.back(seen, func(in cir.Instr) (stop, ok bool) { return in == cir.Instr(call), in == cir.Instr(call) || !waits(in) }, nil)
	since := at.b != from && v.back(at, func(in cir.Instr) (stop, ok bool) { return false, !waits(in) }, from)
	behind := v.index(is)
	if seen.b == from {
		behind = seen.i
	}
	if !last || !since || slices.ContainsFunc(from.Instrs[behind:], waits) {
		return none
	}
	if b, ok := ts.cellAt(n, call.Args[0].X); ok {
		return b
	}
	return none
}

// mayWait reports whether a thread may wait at a barrier by an instruction of a copy.
func (ts *Tickets[N, T]) mayWait(t T, n N, in cir.Instr) bool {
	call, ok := in.(*cir.Call)
	if !ok {
		return false
	}
	to, outside := ts.in.Calls(t, n, call)
	return outside || slices.ContainsFunc(to, func(m N) bool { return ts.waitsIn(t)[m] })
}

// waitsIn returns the copies in which a thread may wait at barriers.
func (ts *Tickets[N, T]) waitsIn(t T) map[N]bool {
	if m := ts.waits[t]; m != nil {
		return m
	}
	m := map[N]bool{}
	ts.waits[t] = m
	for again := true; again; {
		again = false
		for _, n := range ts.in.Nodes(t) {
			f := ts.in.Func(n)
			if m[n] {
				continue
			}
			if f.Library && f.Source == "pthread_barrier_wait" {
				m[n], again = true, true
				continue
			}
			for _, b := range f.Blocks {
				if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return ts.mayWait(t, n, in) }) && !m[n] {
					m[n], again = true, true
				}
			}
		}
	}
	return m
}

// Copied returns what a copy copies of a local at an offset: what was stored there before, in the same block, and nothing else has written since; nil if that is not known. Of the local's
// address nothing is done but to load, store and copy.
func Copied(f *cir.Func, model cir.Model, in *cir.Copy, off int64, of cir.Type) cir.Value {
	l, ok := in.Src.(*cir.Local)
	if !ok {
		return nil
	}
	at := localAddresses(f, l)
	if at == nil {
		return nil
	}
	size := model.SizeOf(of)
	for _, b := range f.Blocks {
		i := slices.Index(b.Instrs, cir.Instr(in))
		for i--; i >= 0; i-- {
			switch x := b.Instrs[i].(type) {
			case *cir.Store:
				to, known := at[x.Addr]
				switch {
				case !known:
				case to == off && x.Type == of && x.Bits == nil:
					return x.X
				case to < off+size && off < to+model.SizeOf(x.Type):
					return nil
				}
			case *cir.LifeStart:
				if x.Local == l {
					return nil
				}
			case *cir.LifeEnd:
				if x.Local == l {
					return nil
				}
			case *cir.Load, *cir.Offset, *cir.Binary, *cir.Unary, *cir.Convert, *cir.Compare, *cir.Select:
			case *cir.Call: // which does not know the address
			default:
				return nil
			}
		}
	}
	return nil
}

// localAddresses returns which values of a function are addresses of a local, with their distances from its beginning; nil if one of them is used for anything but to load, store, copy and fill.
func localAddresses(f *cir.Func, l *cir.Local) map[cir.Value]int64 {
	at := map[cir.Value]int64{l: 0}
	for again := true; again; {
		again = false
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				o, ok := in.(*cir.Offset)
				if !ok {
					continue
				}
				from, known := at[o.P]
				if _, done := at[o.Dst]; !known || done {
					continue
				}
				if o.Index != nil {
					return nil
				}
				at[o.Dst], again = from+o.Disp, true
			}
		}
	}
	good := true
	gone := func(v cir.Value) {
		if _, is := at[v]; is {
			good = false
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load, *cir.LifeStart, *cir.LifeEnd, *cir.Offset:
			case *cir.Store:
				gone(in.X)
			case *cir.Copy:
				gone(in.Size)
			case *cir.Fill:
				gone(in.Byte)
				gone(in.Size)
			default:
				cir.Operands(in, gone)
			}
		}
		cir.TermOperands(b.Term, gone)
	}
	if !good {
		return nil
	}
	return at
}

package ticket

import (
	"slices"

	"comus/cir"
)

// share is what is known of a thread at a point: at least.
type share struct {
	// low is how much of the number the thread holds, and ups how often it has counted up, at most, up to 2. set: the number is what has been counted.
	low, ups int8
	set      bool
	// seen: the observer has seen 0, or there were no others, and it has not counted up since. all: it has seen that all threads are counted, and done: after that, 0.
	seen, all, done bool
	// Of the flags, the thread has seen these set since it holds a share (gates); the observer has set these to 0 (closed), and then seen 0 (shut).
	gates, closed, shut uint8
	// fresh are the loads, by their numbers in the function, since which nothing has happened. cut: something may have since the function was called. given: what it returns is fresh.
	fresh uint32
	cut   bool
	given bool
}

// enough is a share that is left to all threads that there are.
const enough = 127

// most is the greatest share that is counted.
const most = 100

// meet is what is known in both cases.
func (s share) meet(t share) share {
	low := min(s.low, t.low)
	if (s.low == enough) != (t.low == enough) { // how much is left of what is enough for all is not known
		low = 0
	}
	gates := s.gates & t.gates
	if low == 0 { // they were seen while it held a share
		gates = 0
	}
	return share{low, max(s.ups, t.ups), s.set && t.set, s.seen && t.seen, s.all && t.all, s.done && t.done,
		gates, s.closed & t.closed, s.shut & t.shut, s.fresh & t.fresh, s.cut || t.cut, s.given && t.given}
}

// moves forgets which loads are fresh.
func (s *share) moves() { s.fresh, s.cut = 0, true }

// runs is a thread at an instruction of a copy.
type runs[N comparable] struct {
	n  N
	in cir.Located
}

// activation is a copy that is called with some arguments.
type activation[N comparable] struct {
	n    N
	args given
}

// maxGiven is how many arguments of calls are told apart.
const maxGiven = 4

// given are the arguments of a call that are small constants.
type given struct {
	known uint8
	k     [maxGiven]int8
}

// entered is a copy that is called when something is known.
type entered[N comparable] struct {
	activation[N]
	s share
}

// left is what is known at the end of a call; ok: it may end.
type left struct {
	s  share
	ok bool
}

// shares follows what threads hold of the number of a counter.
type shares[N, T comparable] struct {
	ts       *Tickets[N, T]
	threads  Threads[N, T]
	ops      *ops[N]
	cell     Cell
	gates    []flag
	observer T
	// starts are the threads that begin with a share, and follow those that do anything to the counter.
	starts, followed map[T]bool
	// whole: a constant that the counter is set to is for all threads that there are, and not for so many that are created then.
	whole bool
	// anew: others than the observer may count up without a share. ups is how often threads count up, at most.
	anew  bool
	ups   map[T]int8
	at    map[T]map[runs[N]]share
	steps map[runs[N]]step
	nodes map[T]map[N]bool // the copies that threads run
	// plain and atomic: there are steps of this kind, or loads that tell the observer something. loose: a step up does not release.
	plain, atomic, loose bool
}

// newShares begins to follow a counter that a thread observes.
func newShares[N, T comparable](ts *Tickets[N, T], threads Threads[N, T], c Cell, x *ops[N], nodes map[T]map[N]bool, observer T) *shares[N, T] {
	s := &shares[N, T]{ts: ts, threads: threads, ops: x, cell: c, nodes: nodes, observer: observer, starts: map[T]bool{}, followed: map[T]bool{}, ups: map[T]int8{},
		at: map[T]map[runs[N]]share{}, steps: map[runs[N]]step{}}
	for _, g := range x.stored {
		if g.Obj == c.Obj && g.Off < c.Off+c.Size() && c.Off < g.Off+g.Size() {
			continue
		}
		list := x.at[Cell{Obj: g.Obj, Off: g.Off}]
		if len(s.gates) < maxGates && slices.ContainsFunc(list, func(in runs[N]) bool { return nodes[observer][in.n] && g.shutBy(in.in) }) {
			s.gates = append(s.gates, g)
		}
	}
	for _, g := range append(slices.Clone(s.gates), flag{Cell: c}) {
		for _, in := range x.at[Cell{Obj: g.Obj, Off: g.Off}] {
			x := s.look(in.n, in.in.(cir.Instr))
			_, isStore := in.in.(*cir.Store)
			s.steps[in], s.plain, s.atomic, s.loose = x, s.plain || x.counts() && isStore, s.atomic || x.counts() && !isStore, s.loose || x.by >= 0 && x.loose
		}
	}
	return s
}

// shutBy reports whether an instruction stores the constant by which a flag is shut.
func (g flag) shutBy(in cir.Located) bool {
	st, ok := in.(*cir.Store)
	if !ok {
		return false
	}
	k, ok := st.X.(cir.Int)
	return ok && st.Type == g.Of && signed(k) == g.shut
}

// reads reports whether a load is of a cell.
func (s *shares[N, T]) reads(n N, in *cir.Load, c Cell) bool {
	return in.Bits == nil && in.Type == c.Of && !s.ts.other(n, in.Addr, Cell{Obj: c.Obj, Off: c.Off})
}

// step is what an instruction does to the counter, or to the flags.
type step struct {
	by    int64 // 1 or -1
	param int   // or what the parameter with this number is, counted from 1, or less than none by that
	sub   bool
	plain bool
	loose bool      // it does not release
	sets  cir.Value // what the counter is set to
	moves uint8     // the flags that it sets, and of these those that it shuts
	shuts uint8
}

// counts reports whether it counts up or down.
func (x step) counts() bool { return x.by != 0 || x.param > 0 }

// does returns what an instruction of a copy does.
func (s *shares[N, T]) does(n N, in cir.Instr) step { return s.steps[runs[N]{n, in}] }

// look finds out what an instruction of a copy does.
func (s *shares[N, T]) look(n N, in cir.Instr) (x step) {
	f := s.ts.in.Func(n)
	v := s.ts.bodyOf(f)
	if f.Library || v == nil {
		return x
	}
	is := func(addr cir.Value, of cir.Type, c Cell) bool {
		return of == c.Of && !s.ts.other(n, addr, Cell{Obj: c.Obj, Off: c.Off})
	}
	if addr, of, by := v.countsBy(in); by.counts() && is(addr, of, s.cell) {
		if load, _, isStore := v.stepBy(in); isStore && !is(load.Addr, load.Type, s.cell) {
			return x
		}
		r, atomic := in.(*cir.RMW)
		by.loose = atomic && r.Order != cir.Release && r.Order != cir.AcqRel && r.Order != cir.SeqCst
		return by
	}
	st, ok := in.(*cir.Store)
	if !ok || st.Bits != nil {
		return x
	}
	if is(st.Addr, st.Type, s.cell) {
		x.sets = st.X
		return x
	}
	_, isConst := st.X.(cir.Int)
	for i, g := range s.gates {
		if isConst && st.Order == cir.Plain && is(st.Addr, st.Type, g.Cell) {
			x.moves |= 1 << i
			if g.shutBy(st) {
				x.shuts |= 1 << i
			}
		}
	}
	return x
}

// follows reports whether what a thread does to the counter is known.
func (s *shares[N, T]) follows(t T) bool { return s.followed[t] }

// follow follows all threads that do anything to the counter. It reports whether shares are never negative, and all steps and the loads that matter are of one kind: plain ones, which have no race and are ordered by that, or atomics.
func (s *shares[N, T]) follow() bool {
	all := s.threads.All()
	for i := len(all) - 1; i >= 0; i-- { // children before their parents
		t := all[i]
		if t == s.observer || !s.acts(t) {
			continue
		}
		if !s.threads.Known(t) {
			return false
		}
		if _, created := s.threads.Parent(t); !created {
			s.starts[t] = false
		}
		s.followed[t] = true
		if !s.run(t, share{set: true}) {
			if s.starts[t] = true; !s.run(t, share{low: 1, set: true}) {
				return false
			}
		}
	}
	begin := share{}
	if n, ok := s.initial(); ok {
		if _, created := s.threads.Parent(s.observer); n < 0 || n > most || n > 0 && created {
			return false
		}
		begin.low, begin.set = int8(n), true
	}
	begin.seen = begin.low == 0 // before it has created others
	for t := range s.followed {
		begin.seen = begin.seen && s.descends(t)
		if up, ok := s.threads.Parent(t); !ok && s.starts[t] || ok && s.starts[t] && up != s.observer && !s.followed[up] {
			return false // nobody leaves it a share
		}
		if !begin.set && !s.descends(t) {
			return false
		}
	}
	s.followed[s.observer] = true
	return len(s.followed) > 1 && s.observe(begin) && !(s.plain && s.atomic)
}

// observe follows the observer.
func (s *shares[N, T]) observe(begin share) bool {
	if s.run(s.observer, begin) {
		return true
	}
	s.whole = true
	if first, _ := s.threads.Begins(s.observer); begin.low > 0 && s.covers(s.counted(true), first, cir.Int{Type: s.cell.Of, Lo: uint64(begin.low)}, 0) {
		begin.low = enough
	}
	return s.run(s.observer, begin)
}

// isCalloc reports whether a function is the library's calloc.
func isCalloc(f any) bool {
	g, ok := f.(*cir.Func)
	return ok && g.Library && g.Source == "calloc"
}

// fills reports whether an instruction gives what calloc returns its zeros: nobody knows of that memory then.
func (s *shares[N, T]) fills(n N, in cir.Instr) bool {
	_, ok := in.(*cir.Fill)
	return ok && isCalloc(s.ts.in.Func(n))
}

// covers reports whether a number that a copy computes, or is given, is at least how many threads of some identities there are in all of an execution.
func (s *shares[N, T]) covers(list []T, n N, number cir.Value, depth int) bool {
	if s.threads.Covers(list, n, number) {
		return true
	}
	v := s.ts.bodyOf(s.ts.in.Func(n))
	if v == nil || depth > 3 {
		return false
	}
	given := s.ts.givenTo(s.ops, n, v, number)
	return len(given) > 0 && !slices.ContainsFunc(given, func(g gives[N]) bool { return !s.covers(list, g.by.n, g.X, depth+1) })
}

// descends reports whether the observer has created a thread, or one that has.
func (s *shares[N, T]) descends(t T) bool {
	for {
		up, ok := s.threads.Parent(t)
		if !ok {
			return false
		}
		if t = up; t == s.observer {
			return true
		}
	}
}

// initial returns the number that a counter begins with, if it is known.
func (s *shares[N, T]) initial() (n int64, ok bool) {
	g := s.cell.Obj.Global
	if call := s.cell.Obj.Ctx.Call; s.cell.Obj.Site != nil && call != nil && isCalloc(call.Callee) {
		return 0, true
	}
	if g == nil || len(g.Relocs) > 0 {
		return 0, false
	}
	for i := s.cell.Size() - 1; i >= 0; i-- {
		b := byte(0)
		if k := s.cell.Off + i; k < int64(len(g.Data)) {
			b = g.Data[k]
		}
		n = n<<8 | int64(b)
	}
	return n, true
}

// acts reports whether a thread does anything to the counter, or creates a thread that begins with a share.
func (s *shares[N, T]) acts(t T) bool {
	for at, x := range s.steps {
		if s.nodes[t][at.n] && (x.counts() || x.sets != nil) {
			return true
		}
	}
	for u, starts := range s.starts {
		if up, ok := s.threads.Parent(u); starts && ok && up == t {
			return true
		}
	}
	return false
}

// leaves reports whether a thread leaves a share to one that it creates by a call, and whether it creates one that does anything to the counter, or has others do so.
func (s *shares[N, T]) leaves(t T, call *cir.Call) (share, counted bool) {
	for _, u := range s.threads.Created(t, call) {
		share = share || s.starts[u]
		for v := range s.followed {
			for ok := true; ok; v, ok = s.threads.Parent(v) {
				counted = counted || v == u
			}
		}
	}
	return share, counted
}

// eachOnce reports whether all threads but the observer count up no more than once, and nothing else makes the number greater.
func (s *shares[N, T]) eachOnce() bool {
	if n, ok := s.initial(); ok && n != 0 || s.ups[s.observer] > 0 {
		return false
	}
	for t := range s.followed {
		if s.starts[t] || s.ups[t] > 1 {
			return false
		}
	}
	for _, x := range s.steps {
		if k, isConst := x.sets.(cir.Int); x.sets != nil && (!isConst || k.Lo != 0 || k.Hi != 0) {
			return false
		}
	}
	return true
}

// counted are the threads that do anything to the counter, the observer aside; of the observer's own only, if own is set, those that it leaves a share.
func (s *shares[N, T]) counted(own bool) (list []T) {
	for _, t := range s.threads.All() {
		up, ok := s.threads.Parent(t)
		if s.followed[t] && t != s.observer && (!own || ok && up == s.observer && s.starts[t]) {
			list = append(list, t)
		}
	}
	return list
}

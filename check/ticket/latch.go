package ticket

import (
	"slices"

	"comus/cir"
)

// A latch is a counter of threads. Each thread holds a share of the counter's number at any time, which is not negative: who counts up has one more, who counts down had one and has one less, and who creates a
// thread may leave one to it. So if a thread, the observer, sees 0, nobody holds any of what had been counted up before. What a thread did while it held a share happened before it counted that
// down, and so before the observer goes on, by the counter's lock or by its atomics. It remains that nobody takes a share later and then makes the access. There are three reasons why:
//
//   - Only the observer counts up without a share of its own, and it has not done so since.
//   - The observer had seen that as many are counted as there are threads in all of an execution, and each of them counts up no more than once.
//   - The thread takes its share, and then sees a flag that is not 0, before it makes the access. The observer had set the flag to 0 before it saw the counter's 0. Nobody sets the flag to another number
//     since, and its accesses are ordered and not atomic. So if the thread saw the flag, it did so before that, and had counted up before.
//
// What is said of 0 and other numbers of a flag holds for any constant that the observer sets it to, and numbers that are not this one.
//
// A counter that threads only count up may tell the same: if each does so at most once, and the observer sees as many as there are threads in all of an execution, then all have, and what they did before they counted happened before.
//
// All writes of the counter have to be such steps, or set it to a constant, or to at least as many as there are threads, by the observer while none of the others runs. Counting down is a release and seeing 0 an
// acquire, or the counter's accesses are plain and have no race. That this is so, and that there is no other write, is for who asks to verify ([Latches.Holds]).

// Threads is what the rule of latches needs to know of threads, beside their code.
type Threads[N, T comparable] interface {
	// All are the threads, parents before their children. Parent is who creates one; nobody creates the first.
	All() []T
	Parent(T) (t T, ok bool)
	// Single: there is no more than one in all of an execution. Known: it is no handler of signals, and all that is known of its creation is so.
	Single(T) bool
	Known(T) bool
	// Begins are the copies that a thread begins with: first, and at any time.
	Begins(T) (first N, others []N)
	// Created are the threads that a thread may create by a call.
	Created(t T, call *cir.Call) []T
	// Covers reports whether a number that a copy computes is at least how many threads of some identities there are in all of an execution.
	Covers(ts []T, n N, number cir.Value) bool
}

// Times says what holds when a thread makes an access: for which latches it holds a share, and for which it has seen that nobody does.
type Times struct{ Held, Gone uint64 }

// And is what holds in both cases.
func (t Times) And(u Times) Times { return Times{t.Held & u.Held, t.Gone & u.Gone} }

// Latches are the latches of a program, each with one reason why nobody takes a share later.
type Latches[N, T comparable] struct {
	list []*latch[N, T]
	at   map[T]map[runs[N]]Times
}

// latch is a latch with one reason.
type latch[N, T comparable] struct {
	*shares[N, T]
	gate int // the number of the flag; -1: none
}

// maxLatches bounds the latches, with reasons, and maxGates the flags that are looked at for one.
const maxLatches, maxGates = 64, 8

// FindLatches finds the latches of a program.
func (ts *Tickets[N, T]) FindLatches(threads Threads[N, T], all []N) *Latches[N, T] {
	ls := &Latches[N, T]{at: map[T]map[runs[N]]Times{}}
	if slices.ContainsFunc(all, func(n N) bool { return jumps(ts.in.Func(n)) }) {
		return ls
	}
	x := ts.findOps(threads.All(), all)
	runs := map[T]map[N]bool{}
	for _, t := range threads.All() {
		runs[t] = map[N]bool{}
		for _, n := range ts.in.Nodes(t) {
			runs[t][n] = true
		}
	}
	for _, c := range append(slices.Clone(x.down), x.up...) {
		for _, t := range threads.All() {
			if !x.loaded[c].any(runs[t]) || !threads.Known(t) || !threads.Single(t) {
				continue
			}
			if s := newShares(ts, threads, c, x, runs, t); s.follow() {
				ls.add(s)
			}
		}
	}
	return ls
}

// jumps reports whether a function does what is not followed: control comes to the middle of functions, or threads end anywhere.
func jumps(f *cir.Func) bool {
	if f.Library && slices.Contains([]string{"pthread_cancel", "pthread_mutexattr_setrobust", "fork", "vfork"}, f.Source) {
		return true
	}
	return slices.ContainsFunc(f.Blocks, func(b *cir.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool {
			i, ok := in.(*cir.Intrinsic)
			return ok && (i.Op == cir.Setjmp || i.Op == cir.Longjmp)
		})
	})
}

// ops are what may be done to counters and flags.
type ops[N comparable] struct {
	down, up []Cell // those that are counted down, and those that are only counted up
	stored   []flag // those that constants are stored to
	loaded   map[Cell]nodes[N]
	at       map[Cell][]runs[N] // what steps or stores to a cell, whatever its type
	from     map[N][]runs[N]    // the calls of copies
	open     map[N]bool         // those that are called otherwise, too
}

// flag is a flag that is set to a constant, after which nobody sees another number.
type flag struct {
	Cell
	shut int64
}

// maxShut is the greatest number that a flag is shut by.
const maxShut = 127

// nodes are some copies.
type nodes[N comparable] map[N]bool

// any reports whether one is in both sets.
func (x nodes[N]) any(y map[N]bool) bool {
	for n := range x {
		if y[n] {
			return true
		}
	}
	return false
}

// findOps finds what may be done to counters and flags.
func (ts *Tickets[N, T]) findOps(threads []T, all []N) *ops[N] {
	x := &ops[N]{loaded: map[Cell]nodes[N]{}, at: map[Cell][]runs[N]{}}
	ts.findCalls(x, threads)
	for _, n := range all {
		f := ts.in.Func(n)
		v := ts.bodyOf(f)
		if f.Library || v == nil {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				addr, of, by := v.countsBy(in)
				s, isStore := in.(*cir.Store)
				if isStore && !by.counts() && s.Bits == nil && s.Type.IsInt() {
					addr, of = s.Addr, s.Type
				}
				if l, local := addr.(*cir.Local); addr == nil || local && v.locals[l] {
					continue
				}
				c, ok := ts.cellAt(n, addr)
				if !ok {
					continue
				}
				x.at[c] = append(x.at[c], runs[N]{n, in})
				c.Of = of
				n := int64(-1) // what is stored
				if isStore && s.Order == cir.Plain {
					if k, isConst := s.X.(cir.Int); isConst {
						n = signed(k)
					}
				}
				switch {
				case by.by == -1 || by.param > 0:
					x.down = note(x.down, c)
				case by.by == 1:
					x.up = note(x.up, c)
				case 0 <= n && n <= maxShut:
					x.stored = note(x.stored, flag{c, n})
				}
			}
		}
	}
	x.up = slices.DeleteFunc(x.up, func(c Cell) bool { return slices.Contains(x.down, c) })
	ts.findLoads(x, all)
	return x
}

// note adds to a list what is not in it, if there is room.
func note[X comparable](list []X, x X) []X {
	if slices.Contains(list, x) || len(list) == maxLatches {
		return list
	}
	return append(list, x)
}

// findCalls finds who calls copies.
func (ts *Tickets[N, T]) findCalls(x *ops[N], threads []T) {
	x.from, x.open = map[N][]runs[N]{}, map[N]bool{}
	for _, t := range threads {
		for n, open := range ts.in.Open(t) {
			x.open[n] = x.open[n] || open
		}
		x.open[ts.in.Root(t)] = true
		for _, n := range ts.in.Nodes(t) {
			for _, b := range ts.in.Func(n).Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(*cir.Call); ok {
						for _, m := range ts.calls(t, n, call) {
							x.from[m] = note(x.from[m], runs[N]{n, call})
							x.open[m] = x.open[m] || len(x.from[m]) == maxLatches
						}
					}
				}
			}
		}
	}
}

// findLoads finds where counters are loaded.
func (ts *Tickets[N, T]) findLoads(x *ops[N], all []N) {
	for _, n := range all {
		f := ts.in.Func(n)
		if f.Library || len(x.down)+len(x.up) == 0 {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				l, ok := in.(*cir.Load)
				if !ok || l.Bits != nil || !drawable(l.Type) {
					continue
				}
				if c, ok := ts.cellAt(n, l.Addr); ok {
					if c.Of = l.Type; slices.Contains(x.down, c) || slices.Contains(x.up, c) {
						if x.loaded[c] == nil {
							x.loaded[c] = nodes[N]{}
						}
						x.loaded[c][n] = true
					}
				}
			}
		}
	}
}

// countsBy returns the number that an instruction steps, and by how much: 1 or -1, or what a parameter is, or less than none by that (sub); nothing: it is none. Plain tells that the number cannot begin anew, as that is undefined.
func (v *body) countsBy(in cir.Instr) (addr cir.Value, of cir.Type, by step) {
	switch in := in.(type) {
	case *cir.RMW:
		if (in.Op == cir.RMWAdd || in.Op == cir.RMWSub) && in.Bits == nil && drawable(in.Type) {
			return in.Addr, in.Type, v.stepOf(in.X, in.Op == cir.RMWSub)
		}
	case *cir.Store:
		if load, sum, ok := v.stepBy(in); ok {
			by = v.stepOf(sum.Y, sum.Op == cir.Sub)
			by.plain = in.Type.Signed && !sum.Wrap
			return in.Addr, load.Type, by
		}
	}
	return nil, of, by
}

// stepOf returns by how much adding a value counts, or taking it away.
func (v *body) stepOf(y cir.Value, sub bool) step {
	if k, isConst := y.(cir.Int); isConst {
		by := signedAs(k)
		if sub {
			by = -by
		}
		if by != 1 && by != -1 {
			by = 0
		}
		return step{by: by}
	}
	if i := v.param(y); i >= 0 && i < maxGiven {
		return step{param: i + 1, sub: sub}
	}
	return step{}
}

// param returns the number of the parameter whose value a value is; -1: of none.
func (v *body) param(y cir.Value) int {
	if load, isLoad := v.def(y).(*cir.Load); isLoad {
		st := v.source(load)
		if st == nil {
			return -1
		}
		y = st.X
	}
	return slices.IndexFunc(v.f.Params, func(p cir.Param) bool { return p.ByVal == nil && cir.Value(p.Reg) == y })
}

// gives is what a call in a copy gives another one.
type gives[N comparable] struct {
	by runs[N]
	X  cir.Value
}

// givenTo returns what all calls of a copy give it, of which a value of the copy is; nil if that is not known.
func (ts *Tickets[N, T]) givenTo(x *ops[N], n N, v *body, y cir.Value) (list []gives[N]) {
	i := v.param(y)
	if i < 0 || x.open[n] {
		return nil
	}
	for _, at := range x.from[n] {
		call := at.in.(*cir.Call)
		if i >= len(call.Args) || call.Args[i].ByVal != nil || ts.model.TypeOf(call.Args[i].X) != v.f.Params[i].Reg.Type {
			return nil
		}
		list = append(list, gives[N]{at, call.Args[i].X})
	}
	return list
}

// signedAs is a constant as a number with a sign, whatever its type: an unsigned counter is counted down by adding the greatest number.
func signedAs(n cir.Int) int64 {
	n.Type.Signed = true
	return signed(n)
}

// add adds a latch, with all reasons for which anything is known.
func (ls *Latches[N, T]) add(s *shares[N, T]) {
	type reason struct {
		gate       int
		held, gone func(*share) bool
	}
	reasons := []reason{}
	if !s.anew {
		reasons = append(reasons, reason{-1, func(x *share) bool { return x.low > 0 }, func(x *share) bool { return x.seen }})
	}
	if s.eachOnce() {
		reasons = append(reasons, reason{-1, func(x *share) bool { return x.low > 0 }, func(x *share) bool { return x.done }})
		if !s.loose {
			reasons = append(reasons, reason{-1, func(x *share) bool { return x.ups == 0 }, func(x *share) bool { return x.all }})
		}
	}
	for i := range s.gates {
		reasons = append(reasons, reason{i, func(x *share) bool { return x.low > 0 && x.gates>>i&1 != 0 }, func(x *share) bool { return x.shut>>i&1 != 0 }})
	}
	for _, r := range reasons {
		use := false
		for _, x := range s.at[s.observer] {
			use = use || r.gone(&x)
		}
		if !use || len(ls.list) == maxLatches {
			continue
		}
		bit := uint64(1) << len(ls.list)
		ls.list = append(ls.list, &latch[N, T]{s, r.gate})
		for t, m := range s.at {
			if ls.at[t] == nil {
				ls.at[t] = map[runs[N]]Times{}
			}
			for in, x := range m {
				y := ls.at[t][in]
				if t != s.observer && r.held(&x) {
					y.Held |= bit
				}
				if t == s.observer && r.gone(&x) {
					y.Gone |= bit
				}
				ls.at[t][in] = y
			}
		}
	}
}

// Len is how many latches there are, each with one reason.
func (ls *Latches[N, T]) Len() int {
	if ls == nil {
		return 0
	}
	return len(ls.list)
}

// At returns what holds when a thread runs an instruction of a copy.
func (ls *Latches[N, T]) At(t T, n N, in cir.Located) Times {
	if ls == nil {
		return Times{}
	}
	return ls.at[t][runs[N]{n, in}]
}

// Ordered reports whether accesses come before others, by one of the latches that hold.
func (ls *Latches[N, T]) Ordered(t, u Times, holds func(latch int) bool) bool {
	for i := 0; ls != nil && i < len(ls.list); i++ {
		if both := t.Held&u.Gone | t.Gone&u.Held; both>>i&1 != 0 && holds(i) {
			return true
		}
	}
	return false
}

// Holds reports whether the writes of a latch are those that are known here. Cells of which free holds have no data race, for another reason than latches. Wraps tells that the counter is taken not to begin anew.
func (ls *Latches[N, T]) Holds(latch int, writes func(Cell) []Write[N, T], free func(Cell) bool) (wraps, ok bool) {
	l := ls.list[latch]
	if !free(l.cell) || l.gate >= 0 && !free(l.gates[l.gate].Cell) {
		return false, false
	}
	for _, w := range writes(l.cell) {
		in, isInstr := w.In.(cir.Instr)
		if !isInstr {
			return false, false
		}
		if l.fills(w.Node, in) {
			continue
		}
		switch op := l.does(w.Node, in); {
		case !l.follows(w.Thread):
			return false, false
		case op.counts():
			wraps = wraps || !op.plain
		case op.sets == nil || w.Thread != l.observer:
			return false, false
		case !l.anew && l.at[l.observer][runs[N]{w.Node, in}].seen: // nobody holds any, nor will
		default:
			for t := range l.at {
				if t != l.observer && w.Meets(t) {
					return false, false
				}
			}
		}
	}
	if l.gate < 0 {
		return wraps, true
	}
	for _, w := range writes(l.gates[l.gate].Cell) {
		in, isInstr := w.In.(cir.Instr)
		if isInstr && l.fills(w.Node, in) {
			continue
		}
		if !isInstr || w.Thread != l.observer || l.does(w.Node, in).moves>>l.gate&1 == 0 {
			return false, false
		}
	}
	return wraps, true
}

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
	x := ts.findOps(all)
	runs := map[T]map[N]bool{}
	for _, t := range threads.All() {
		runs[t] = map[N]bool{}
		for _, n := range ts.in.Nodes(t) {
			runs[t][n] = true
		}
	}
	for _, c := range x.down {
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
	down   []Cell // those that are counted down
	stored []Cell // those that constants are stored to
	loaded map[Cell]nodes[N]
	at     map[Cell][]runs[N] // what steps or stores to a cell, whatever its type
}

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
func (ts *Tickets[N, T]) findOps(all []N) *ops[N] {
	x := &ops[N]{loaded: map[Cell]nodes[N]{}, at: map[Cell][]runs[N]{}}
	note := func(list *[]Cell, c Cell) {
		if !slices.Contains(*list, c) && len(*list) < maxLatches {
			*list = append(*list, c)
		}
	}
	for _, n := range all {
		f := ts.in.Func(n)
		v := ts.bodyOf(f)
		if f.Library || v == nil {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				addr, of, by, _ := v.countsBy(in)
				s, isStore := in.(*cir.Store)
				if isStore && by == 0 && s.Bits == nil && s.Type.IsInt() {
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
				if by == -1 {
					note(&x.down, c)
				} else if isStore && by == 0 && s.Order == cir.Plain {
					if _, isConst := s.X.(cir.Int); isConst {
						note(&x.stored, c)
					}
				}
			}
		}
	}
	ts.findLoads(x, all)
	return x
}

// findLoads finds where counters are loaded.
func (ts *Tickets[N, T]) findLoads(x *ops[N], all []N) {
	for _, n := range all {
		f := ts.in.Func(n)
		if f.Library || len(x.down) == 0 {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				l, ok := in.(*cir.Load)
				if !ok || l.Bits != nil || !drawable(l.Type) {
					continue
				}
				if c, ok := ts.cellAt(n, l.Addr); ok {
					if c.Of = l.Type; slices.Contains(x.down, c) {
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

// countsBy returns the number that an instruction steps, and by how much: 1 or -1; 0: it is none. Plain tells that the number cannot begin anew, as that is undefined.
func (v *body) countsBy(in cir.Instr) (addr cir.Value, of cir.Type, by int64, plain bool) {
	one := func(x cir.Value, sub bool) int64 {
		n, ok := x.(cir.Int)
		if !ok {
			return 0
		}
		k := signedAs(n)
		if sub {
			k = -k
		}
		if k != 1 && k != -1 {
			return 0
		}
		return k
	}
	switch in := in.(type) {
	case *cir.RMW:
		if (in.Op == cir.RMWAdd || in.Op == cir.RMWSub) && in.Bits == nil && drawable(in.Type) {
			return in.Addr, in.Type, one(in.X, in.Op == cir.RMWSub), false
		}
	case *cir.Store:
		if load, sum, ok := v.stepBy(in); ok {
			return in.Addr, load.Type, one(sum.Y, sum.Op == cir.Sub), in.Type.Signed && !sum.Wrap
		}
	}
	return nil, of, 0, false
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
	if !free(l.cell) || l.gate >= 0 && !free(l.gates[l.gate]) {
		return false, false
	}
	for _, w := range writes(l.cell) {
		in, isInstr := w.In.(cir.Instr)
		if !isInstr {
			return false, false
		}
		switch op := l.does(w.Node, in); {
		case !l.follows(w.Thread):
			return false, false
		case op.by != 0:
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
	for _, w := range writes(l.gates[l.gate]) {
		in, isInstr := w.In.(cir.Instr)
		if !isInstr || w.Thread != l.observer || l.does(w.Node, in).moves>>l.gate&1 == 0 {
			return false, false
		}
	}
	return wraps, true
}

package interp

import (
	"slices"

	"comus/cir"
)

// Loops that wait: with Options.Atomics a thread that comes to the beginning of a loop once more, in the same activation, has done an iteration. If it has changed nothing since, neither in memory nor in what
// the loop goes on with, the next iteration does the same, unless it reads something else. An execution in which it does so is one without the first of the two as well: to leave out what only reads
// orders less, and allows no less. So who looks for all executions need not follow it (GenMC calls this the spin-assume transformation).

// loopHead is what has to be the same at the beginning of a loop.
type loopHead struct {
	block  int32
	slots  []int32 // parameters, and the other registers and scalar locals that may be read before they are written
	locals []int   // other locals that only the activation knows: other threads may write the rest, and what this thread writes there is an effect
}

// arrival is a thread's last one at the beginning of a loop.
type arrival struct {
	serial  uint64
	effects uint64
	slots   []slot
	bytes   []byte
}

// headOf returns what is at the beginning of a block, nil if no loop begins there.
func (c *compiler) headOf(b *cir.Block) *loopHead {
	if c.m.opt.Atomics == nil || !c.isHead(b) {
		return nil
	}
	h := &loopHead{block: int32(b.Index)}
	for _, p := range b.Params {
		h.slots = append(h.slots, c.reg(p))
	}
	for i, live := range c.liveRegs()[b.Index] {
		if live {
			h.slots = append(h.slots, int32(i))
		}
	}
	live := c.liveAt(b)
	for i := range c.locals {
		switch l := &c.locals[i]; {
		case !l.promoted:
			h.locals = append(h.locals, i)
		case live[c.f.Locals[i]]:
			h.slots = append(h.slots, l.slot)
		}
	}
	return h
}

// isHead reports whether a block can be reached from itself, by a way that comes back over an edge from a block that is not before it.
func (c *compiler) isHead(b *cir.Block) bool {
	if c.heads == nil {
		c.heads = map[*cir.Block]bool{}
		state := map[*cir.Block]int{}
		var visit func(b *cir.Block)
		visit = func(b *cir.Block) {
			state[b] = 1
			cir.Succs(b.Term, func(s *cir.Block, _ []cir.Value) {
				switch state[s] {
				case 0:
					visit(s)
				case 1:
					c.heads[s] = true
				}
			})
			state[b] = 2
		}
		if len(c.f.Blocks) > 0 {
			visit(c.f.Blocks[0])
		}
	}
	return c.heads[b]
}

// liveRegs returns, for each block, which registers may be read from its beginning on before they are assigned, its parameters apart.
func (c *compiler) liveRegs() [][]bool {
	if c.liveIn != nil {
		return c.liveIn
	}
	c.liveIn = make([][]bool, len(c.f.Blocks))
	for i := range c.liveIn {
		c.liveIn[i] = make([]bool, c.f.NumRegs)
	}
	for again := true; again; {
		again = false
		for _, b := range slices.Backward(c.f.Blocks) {
			live := c.liveBefore(b)
			again = again || !slices.Equal(live, c.liveIn[b.Index])
			c.liveIn[b.Index] = live
		}
	}
	return c.liveIn
}

// liveBefore returns which registers may be read from the beginning of a block on, from what is known of those that follow.
func (c *compiler) liveBefore(b *cir.Block) []bool {
	live := make([]bool, c.f.NumRegs)
	cir.Succs(b.Term, func(s *cir.Block, _ []cir.Value) {
		for i, is := range c.liveIn[s.Index] {
			live[i] = live[i] || is
		}
	})
	reads := func(v cir.Value) {
		if r, ok := v.(*cir.Reg); ok {
			live[r.Index] = true
		}
	}
	cir.TermOperands(b.Term, reads)
	for _, in := range slices.Backward(b.Instrs) {
		for _, r := range cir.Results(in) {
			live[r.Index] = false
		}
		cir.Operands(in, reads)
	}
	for _, p := range b.Params {
		live[p.Index] = false
	}
	return live
}

// liveAt returns the scalar locals that may be read, from a block on, before they are written as a whole.
func (c *compiler) liveAt(at *cir.Block) map[*cir.Local]bool {
	live := map[*cir.Local]bool{}
	for i, l := range c.f.Locals {
		if !c.locals[i].promoted {
			continue
		}
		seen := map[*cir.Block]bool{}
		todo := []*cir.Block{at}
		for len(todo) > 0 && !live[l] {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[b] {
				continue
			}
			seen[b] = true
			if first := firstUse(b, l); first == nil {
				cir.Succs(b.Term, func(s *cir.Block, _ []cir.Value) { todo = append(todo, s) })
			} else if _, loads := first.(*cir.Load); loads {
				live[l] = true
			}
		}
	}
	return live
}

// firstUse returns the first instruction of a block that reads or writes a local, or begins or ends its life.
func firstUse(b *cir.Block, l *cir.Local) cir.Instr {
	i := slices.IndexFunc(b.Instrs, func(in cir.Instr) bool {
		switch in := in.(type) {
		case *cir.Load:
			return in.Addr == cir.Value(l)
		case *cir.Store:
			return in.Addr == cir.Value(l)
		case *cir.LifeStart:
			return in.Local == l
		case *cir.LifeEnd:
			return in.Local == l
		}
		return false
	})
	if i < 0 {
		return nil
	}
	return b.Instrs[i]
}

// arrive is performed at the beginning of a loop.
func arrive(t *thread, f *frame, in *inst) bool {
	t.left++
	m := t.m
	if m.opt.Atomics == nil || t.atomic > 0 || m.nested > 0 {
		return true
	}
	h := in.x.instr.(*loopHead)
	key := loopKey{f, h.block}
	now := arrival{serial: f.serial, effects: t.effects}
	for _, i := range h.slots {
		now.slots = append(now.slots, f.s[i])
	}
	for _, i := range h.locals {
		o := f.objs[i]
		if o == nil || o.dead || o.pages != nil || !o.private {
			continue
		}
		now.bytes = append(append(now.bytes, o.data...), o.undef...)
	}
	old, was := t.arrivals[key]
	if was && old.serial == now.serial && old.effects == now.effects && slices.Equal(old.slots, now.slots) && slices.Equal(old.bytes, now.bytes) && m.opt.Atomics.Idle(t.id, 0) {
		return t.stick()
	}
	if t.arrivals == nil {
		t.arrivals = map[loopKey]arrival{}
	}
	t.arrivals[key] = now
	return true
}

// A loop may take a lock for each iteration, to look at what others do, or wait for a condition variable, where a wait may end at any time. If a thread gives a lock back, and has done nothing since it gave it back
// the last time, but take it, read, and come to the same state, then the execution without that is one as well: who takes the lock next takes it from whoever had it before. What the thread has released, it
// had released before. Only who tries to take the lock, and does not wait for it, could tell.

// passage is the state of a thread that gives a lock back.
type passage struct {
	c       *cells
	effects uint64
	frames  []*frame // those of the program
	serials []uint64
	pcs     []int32
	slots   []slot
	bytes   []byte
}

// passesAgain notes that a thread has given a lock back, and reports whether it is where it was the last time.
func (t *thread) passesAgain(c *cells) bool {
	now, old := passage{c: c, effects: t.effects}, &t.passed
	for f := t.fr; f != nil; f = f.caller {
		if f.fn.f.Library {
			continue
		}
		now.frames, now.serials, now.pcs = append(now.frames, f), append(now.serials, f.serial), append(now.pcs, f.pc)
		now.slots = append(now.slots, f.s...)
		for _, o := range f.objs {
			if o != nil && !o.dead && o.private && o.pages == nil {
				now.bytes = append(append(now.bytes, o.data...), o.undef...)
			}
		}
	}
	const both = 2 // to take a lock, and to give it back
	again := old.c == c && now.effects == old.effects+both && slices.Equal(now.frames, old.frames) && slices.Equal(now.serials, old.serials) && slices.Equal(now.pcs, old.pcs) &&
		slices.Equal(now.slots, old.slots) && slices.Equal(now.bytes, old.bytes)
	t.passed = now
	return again
}

// loopKey is a loop of an activation.
type loopKey struct {
	f     *frame
	block int32
}

// changesNothing are the intrinsics that leave everything as it is, and do the same each time. What locks do is an access, which counts as such.
var changesNothing = map[cir.IntrinsicOp]bool{
	cir.Lock: true, cir.Unlock: true, cir.Assume: true, cir.Assert: true, cir.Undefined: true, cir.AtomicBegin: true, cir.AtomicEnd: true, cir.ThreadSelf: true, cir.ThreadMany: true, cir.ObjectSize: true, cir.IsHeap: true,
	cir.IsSet: true, cir.IsConst: true, cir.Wakeups: true, cir.Readers: true, cir.Apart: true, cir.Given: true, cir.FrameAddress: true, cir.ReturnAddress: true, cir.Math: true, cir.Assumed: true,
}

// comesBack reports whether control may come back to a block.
func comesBack(b *cir.Block) bool {
	seen := map[*cir.Block]bool{}
	var visit func(x *cir.Block) bool
	visit = func(x *cir.Block) (back bool) {
		cir.Succs(x.Term, func(s *cir.Block, _ []cir.Value) {
			if s == b {
				back = true
			} else if !seen[s] && !back {
				seen[s] = true
				back = visit(s)
			}
		})
		return back
	}
	return visit(b)
}

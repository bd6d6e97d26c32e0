package machine

import (
	"slices"

	"comus/cir"
	"comus/memory"
)

// buffers is a machine with a memory of one value for each location, the last one in modification order, and, for TSO and PSO, a store buffer for each thread.
type buffers struct {
	state
	model  memory.Model
	queues [][]stored // of each thread
}

// stored is a write that waits in a store buffer, or, on PSO, a barrier that writes do not pass.
type stored struct {
	id
	loc     int
	release bool // waits for all writes before it
	barrier bool // all writes behind it wait for those before it; it is no write
}

func newBuffers(p Program, m memory.Model) *buffers {
	b := &buffers{newState(p), m, make([][]stored, len(p))}
	for t := range p {
		b.settle(t)
	}
	return b
}

func (b *buffers) base() *state { return &b.state }

func (b *buffers) clone() *buffers {
	return &buffers{b.state.clone(), b.model, slices.Clone(b.queues)}
}

func (b *buffers) encode(to []byte) []byte {
	to = b.state.encode(to)
	for _, queue := range b.queues {
		to = append(to, byte(len(queue)))
		for _, w := range queue {
			to = append(to, byte(w.id), byte(w.loc)<<2|bit(w.release)<<1|bit(w.barrier))
		}
	}
	return to
}

func (b *buffers) successors(visit func(machine)) {
	for t := range b.threads {
		if c := b.step(t); c != nil {
			visit(c)
		}
		for k := range b.queues[t] {
			if c := b.commit(t, k); c != nil {
				visit(c)
			}
		}
	}
}

// commit moves the write at a position of a buffer to memory, if it is its turn.
func (b *buffers) commit(t, k int) *buffers {
	w := b.queues[t][k]
	for _, earlier := range b.queues[t][:k] {
		if b.model == memory.TSO || w.release || w.barrier || earlier.barrier || earlier.loc == w.loc {
			return nil
		}
	}
	c := b.clone()
	if !w.barrier {
		c.write(w.loc, w.id)
	}
	c.queues[t] = slices.Delete(slices.Clone(c.queues[t]), k, k+1)
	c.settle(t)
	return c
}

// write changes memory.
func (b *buffers) write(loc int, i id) { b.insert(loc, len(b.mo[loc]), i) }

// step performs the next instruction of a thread; nil if it has to wait.
func (b *buffers) step(t int) *buffers {
	in := b.next(t)
	if in == nil || len(b.queues[t]) > 0 && b.empties(in) {
		return nil
	}
	c := b.clone()
	x := &c.threads[t]
	switch in.Op {
	case Spawn:
		if c.threads[in.Thread].began {
			return nil
		}
		c.spawn(t, in.Thread)
		c.advance(t)
		c.settle(in.Thread)
	case Join:
		if !c.threads[in.Thread].ended {
			return nil
		}
		c.join(t, in.Thread)
		c.advance(t)
	case Fence:
		c.add(t, memory.Event{Kind: memory.Fence, Order: in.Order}, 0)
		if c.model == memory.PSO && (in.Order == cir.Release || in.Order == cir.AcqRel) {
			c.queues[t] = append(slices.Clone(c.queues[t]), stored{barrier: true})
		}
		c.advance(t)
	case Store:
		w := c.add(t, memory.Event{Kind: memory.Write, Loc: uint64(in.Loc), Order: in.Order, Value: x.value(in.Value)}, 0)
		if c.model == memory.SC || in.Order == cir.SeqCst {
			c.write(in.Loc, w)
		} else {
			c.queues[t] = append(slices.Clone(c.queues[t]), stored{id: w, loc: in.Loc, release: in.Order == cir.Release})
		}
		c.advance(t)
	default:
		if !c.access(t, in) {
			return nil
		}
	}
	c.settle(t)
	return c
}

// access performs a load or a read-modify-write: it reads the newest write in the thread's buffer, or memory. It reports whether that need not wait.
func (b *buffers) access(t int, in *Instruction) bool {
	x := &b.threads[t]
	from := b.mo[in.Loc][len(b.mo[in.Loc])-1]
	for _, w := range b.queues[t] {
		if !w.barrier && w.loc == in.Loc {
			from = w.id
		}
	}
	v := b.value(from)
	e, writes := x.reading(in, v)
	if in.Await && !writes {
		return false
	}
	b.add(t, e, from)
	if writes {
		e.Kind = memory.Write
		e.Value, _ = x.wants(in, v)
		b.write(in.Loc, b.add(t, e, 0))
	}
	b.result(t, in, v)
	return true
}

// empties reports whether an instruction waits until the thread's buffer is empty.
func (b *buffers) empties(in *Instruction) bool {
	switch in.Op {
	case Load:
		return false
	case Store, Fence:
		return in.Order == cir.SeqCst
	}
	return true // read-modify-writes, comparisons that fail, and what orders threads
}

// settle ends a thread that has nothing more to do.
func (b *buffers) settle(t int) {
	x := &b.threads[t]
	if x.began && !x.ended && x.pc >= len(b.program[t]) && len(b.queues[t]) == 0 {
		b.end(t)
	}
}

package machine

import (
	"encoding/binary"
	"slices"

	"comus/cir"
	"comus/memory"
)

// view is what is known where something was done. It only grows. The first field is the view of Kang et al.; timestamps are places in modification order.
// The others are about seq_cst events, see seqcst.go.
type view struct {
	seen [MaxLocations]id // of each location the newest write that was read or written: nothing older is read or overwritten
	past
}

// initialView knows the initial writes.
func initialView() (v view) {
	for l := range v.seen {
		v.seen[l], v.wrote[l] = initial+id(l), initial+id(l)
	}
	return v
}

// message is what comes with a write.
type message struct {
	view        // what who acquires the write learns
	sources     // what seq_cst events have to be before whatever is behind the write in modification order
	readers set // the same, for its reads
}

// thread is what a thread knows.
type thread struct {
	cur view               // what happens before its next event
	acq view               // what it has read without acquiring it: a fence will
	rel [MaxLocations]view // what a relaxed write to the location releases
	own
}

// views is the machine of C11.
type views struct {
	state
	know     []thread
	messages [MaxLocations][]message // as in mo
	order    scOrder
	global   *[MaxLocations]id // the view that seq_cst fences share, if they do
}

func newViews(p Program, global bool) *views {
	m := &views{state: newState(p), know: make([]thread, len(p))}
	bottom := initialView()
	for t := range m.know {
		x := &m.know[t]
		x.cur, x.acq = bottom, bottom
		for l := range x.rel {
			x.rel[l] = bottom
		}
	}
	for l := range m.messages {
		m.messages[l] = []message{{view: bottom}}
	}
	if global {
		m.global = &[MaxLocations]id{}
		*m.global = bottom.seen
	}
	for t := range p {
		m.settle(t)
	}
	return m
}

func (m *views) base() *state { return &m.state }

func (m *views) clone() *views {
	c := *m
	c.state, c.know = m.state.clone(), slices.Clone(m.know)
	for l := range c.messages {
		c.messages[l] = slices.Clone(m.messages[l])
	}
	c.order = slices.Clone(m.order)
	if m.global != nil {
		global := *m.global
		c.global = &global
	}
	return &c
}

func (m *views) encode(b []byte) []byte {
	b = m.state.encode(b)
	for t := range m.know {
		x := &m.know[t]
		b = x.cur.encode(b)
		b = x.acq.encode(b)
		for l := range x.rel {
			b = x.rel[l].encode(b)
		}
		b = encodeSets(b, x.before[:]...)
		b = encodeSets(b, x.apart[:]...)
	}
	for l := range m.messages {
		for _, w := range m.messages[l] {
			b = w.encode(b)
			b = encodeSets(b, w.fences, w.self, w.readers)
		}
	}
	b = m.order.encode(b)
	if m.global != nil {
		for _, i := range m.global {
			b = append(b, byte(i))
		}
	}
	return b
}

func (v *view) encode(b []byte) []byte {
	for l := range v.seen {
		b = append(b, byte(v.seen[l]), byte(v.wrote[l]))
	}
	b = encodeSets(b, v.at[:]...)
	return encodeSets(b, v.past.fences, v.left)
}

func encodeSets(b []byte, sets ...set) []byte {
	for _, s := range sets {
		b = binary.LittleEndian.AppendUint64(b, uint64(s))
	}
	return b
}

// newer returns the later one of two writes in modification order.
func (m *views) newer(loc int, a, b id) id {
	if a == b || m.place(loc, a) > m.place(loc, b) {
		return a
	}
	return b
}

// join adds to a view what another one knows.
func (m *views) join(v *view, other *view) {
	for l := range v.seen {
		v.seen[l] = m.newer(l, v.seen[l], other.seen[l])
		v.wrote[l] = m.newer(l, v.wrote[l], other.wrote[l])
		v.at[l] |= other.at[l]
	}
	v.past.fences |= other.past.fences
	v.left |= other.left
}

func (m *views) successors(visit func(machine)) {
	for t := range m.threads {
		in := m.next(t)
		if in == nil {
			continue
		}
		switch in.Op {
		case Load, Add, Exchange, CompareExchange:
			m.reads(t, in, visit)
		case Store:
			first := m.place(in.Loc, m.know[t].cur.seen[in.Loc]) + 1
			for at := first; at <= len(m.mo[in.Loc]); at++ {
				if at < len(m.mo[in.Loc]) && m.exclusive(m.mo[in.Loc][at]) {
					continue // would come between the halves of a read-modify-write
				}
				c := m.clone()
				e := memory.Event{Kind: memory.Write, Loc: uint64(in.Loc), Order: in.Order, Value: c.threads[t].value(in.Value)}
				if c.write(t, e, at, nil) {
					c.advance(t)
					c.settle(t)
					visit(c)
				}
			}
		default:
			if c := m.clone(); c.orders(t, in) {
				c.advance(t)
				c.settle(t)
				visit(c)
			}
		}
	}
}

// reads performs a load or a read-modify-write in all ways: it may read any write that is not older than what the thread has seen.
func (m *views) reads(t int, in *Instruction, visit func(machine)) {
	for at := m.place(in.Loc, m.know[t].cur.seen[in.Loc]); at < len(m.mo[in.Loc]); at++ {
		v := m.value(m.mo[in.Loc][at])
		e, writes := m.threads[t].reading(in, v)
		if in.Await && !writes {
			continue
		}
		if writes && at+1 < len(m.mo[in.Loc]) && m.exclusive(m.mo[in.Loc][at+1]) {
			continue // another read-modify-write has read it
		}
		c := m.clone()
		if !c.read(t, e, at) {
			continue
		}
		if writes {
			e.Kind = memory.Write
			e.Value, _ = c.threads[t].wants(in, v)
			if !c.write(t, e, at+1, &c.messages[in.Loc][at].view) {
				continue
			}
		}
		c.result(t, in, v)
		c.settle(t)
		visit(c)
	}
}

// read reads the write at a place. It reports whether the order of seq_cst events allows that.
func (m *views) read(t int, e memory.Event, at int) bool {
	loc := int(e.Loc)
	from := m.mo[loc][at]
	i := m.add(t, e, from)
	x, w := &m.know[t], &m.messages[loc][at]
	if e.Order != cir.Plain {
		m.join(&x.acq, &w.view)
	}
	if acquires(e.Order) {
		m.join(&x.cur, &w.view)
	}
	x.cur.seen[loc] = from
	if m.global != nil {
		return true
	}
	sources, ok := m.enter(t, i)
	w.readers |= sources.all()
	return ok && m.overtakes(i, sources, at)
}

// write puts a write at a place. What it carries is what a release has released, and, for a read-modify-write, what the write that it reads carries (which belongs to the same release sequence).
func (m *views) write(t int, e memory.Event, at int, read *view) bool {
	loc := int(e.Loc)
	i := m.add(t, e, 0)
	m.insert(loc, at, i)
	m.messages[loc] = slices.Insert(m.messages[loc], at, message{view: initialView()})
	x, w := &m.know[t], &m.messages[loc][at]
	x.cur.seen[loc] = i
	ok := true
	if m.global == nil {
		x.cur.wrote[loc] = i
		w.sources, ok = m.enter(t, i)
		ok = ok && m.overtakes(i, w.sources, at) && m.follows(i, at)
	}
	if releases(e.Order) {
		x.rel[loc] = x.cur
	}
	if e.Order != cir.Plain {
		w.view = x.rel[loc]
		if read != nil {
			m.join(&w.view, read)
		}
	}
	return ok
}

// orders performs an instruction that has no location.
func (m *views) orders(t int, in *Instruction) bool {
	x := &m.know[t]
	switch in.Op {
	case Spawn:
		if m.threads[in.Thread].began {
			return false
		}
		a, b := m.spawn(t, in.Thread)
		m.enter(t, a)
		child := &m.know[in.Thread]
		child.cur = x.cur
		m.enter(in.Thread, b)
		m.settle(in.Thread)
	case Join:
		child := &m.know[in.Thread]
		if !m.threads[in.Thread].ended {
			return false
		}
		m.join(&x.cur, &child.cur)
		m.enter(t, m.state.join(t, in.Thread))
	default:
		return m.fence(t, in.Order)
	}
	return true
}

// fence acquires what the thread has read, and has its later writes release what it knows.
func (m *views) fence(t int, o cir.Order) bool {
	x := &m.know[t]
	i := m.add(t, memory.Event{Kind: memory.Fence, Order: o}, 0)
	if acquires(o) {
		m.join(&x.cur, &x.acq)
	}
	ok := true
	switch {
	case m.global == nil:
		_, ok = m.enter(t, i)
	case o == cir.SeqCst:
		for l := range m.global {
			x.cur.seen[l] = m.newer(l, x.cur.seen[l], m.global[l])
		}
		*m.global = x.cur.seen
	}
	if releases(o) {
		for l := range x.rel {
			x.rel[l] = x.cur
		}
	}
	return ok
}

// settle ends a thread that has nothing more to do.
func (m *views) settle(t int) {
	x := &m.threads[t]
	if !x.began || x.ended || x.pc < len(m.program[t]) {
		return
	}
	if i, event := m.end(t); event {
		m.enter(t, i)
	}
}

func acquires(o cir.Order) bool { return o == cir.Acquire || o == cir.AcqRel || o == cir.SeqCst }
func releases(o cir.Order) bool { return o == cir.Release || o == cir.AcqRel || o == cir.SeqCst }

package happens

// head is a release sequence: who heads it, and what it releases.
type head struct {
	thread int
	clock  Clock
}

// Load is the synchronisation of an atomic load of n bytes at off.
func (m *Memory) Load(t *Thread, off, n int64, acquire bool) {
	m.each(off, n, false, func(_ int64, c *cell) {
		for _, h := range c.heads {
			if acquire {
				t.now.Join(h.clock)
			} else {
				t.seen.Join(h.clock)
			}
		}
	})
}

// Store is the synchronisation of an atomic store; update says that it is the second half of a read-modify-write.
func (m *Memory) Store(t *Thread, off, n int64, release, update bool) {
	var clock Clock
	if release {
		clock = t.now.clone()
	} else if t.fenced != nil {
		clock = t.fenced
	}
	m.each(off, n, true, func(_ int64, c *cell) { c.modified(t.ID, clock, update) })
	if release {
		t.tick()
	}
}

// modified continues the release sequences that go on, and begins the thread's own.
func (c *cell) modified(thread int, clock Clock, update bool) {
	kept := c.heads[:0]
	for _, h := range c.heads {
		switch {
		case h.thread == thread:
			clock = clock.clone()
			clock.Join(h.clock)
		case update:
			kept = append(kept, h)
		}
	}
	c.heads = kept
	if clock != nil {
		c.heads = append(c.heads, head{thread, clock})
	}
}

// Heads are the release sequences that a write of an atomic object is part of. Who lets threads read older writes than the last one keeps those of each write,
// and sets them again before one is read.
type Heads []head

// Heads returns those of the last modification of n bytes that have always been accessed together.
func (m *Memory) Heads(off, n int64) (list Heads) {
	m.each(off, n, false, func(_ int64, c *cell) {
		if list == nil {
			list = append(list, c.heads...)
		}
	})
	return list
}

// SetHeads makes the bytes part of these sequences only.
func (m *Memory) SetHeads(off, n int64, list Heads) {
	m.each(off, n, true, func(_ int64, c *cell) { c.heads = append([]head(nil), list...) })
}

// Of returns the sequences that a thread heads.
func (h Heads) Of(thread int) (list Heads) {
	for _, x := range h {
		if x.thread == thread {
			list = append(list, x)
		}
	}
	return list
}

// And returns the sequences of both.
func (h Heads) And(other Heads) Heads { return append(append(Heads(nil), h...), other...) }

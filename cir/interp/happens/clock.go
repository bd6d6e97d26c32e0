package happens

// Clock says for each thread how much of what it did is known: all up to this time of its own.
type Clock []uint64

// at is what is known of a thread.
func (c Clock) at(thread int) uint64 {
	if thread < len(c) {
		return c[thread]
	}
	return 0
}

// Join adds what d knows.
func (c *Clock) Join(d Clock) {
	for len(*c) < len(d) {
		*c = append(*c, 0)
	}
	for i, n := range d {
		(*c)[i] = max((*c)[i], n)
	}
}

// Set makes the clock a copy of d.
func (c *Clock) Set(d Clock) { *c = append((*c)[:0], d...) }

// clone returns a copy.
func (c Clock) clone() Clock { return append(Clock(nil), c...) }

// Thread is a thread's part of happens-before.
type Thread struct {
	ID     int
	now    Clock // what happens before its next action
	seen   Clock // what relaxed loads have read, which an acquire fence makes known
	fenced Clock // what happens before the last release fence; nil: there was none
}

// NewThread returns the thread with this number, which parent creates now; nil: it is the first.
func NewThread(id int, parent *Thread) *Thread {
	t := &Thread{ID: id}
	if parent != nil {
		t.now.Set(parent.now)
		parent.tick()
	}
	for len(t.now) <= id {
		t.now = append(t.now, 0)
	}
	t.tick()
	return t
}

// tick begins a new time of the thread: what it does from now on is not known to those that know the past.
func (t *Thread) tick() { t.now[t.ID]++ }

// Acquire orders what the thread does next behind what c knows.
func (t *Thread) Acquire(c Clock) { t.now.Join(c) }

// Release sets c to what the thread has done and knows.
func (t *Thread) Release(c *Clock) {
	c.Set(t.now)
	t.tick()
}

// ReleaseTo adds to c what the thread has done and knows.
func (t *Thread) ReleaseTo(c *Clock) {
	c.Join(t.now)
	t.tick()
}

// Follow orders what the thread does next behind all that another one did.
func (t *Thread) Follow(other *Thread) { t.now.Join(other.now); other.tick() }

// Fence is a memory fence.
func (t *Thread) Fence(acquire, release bool) {
	if acquire {
		t.now.Join(t.seen)
	}
	if release {
		t.fenced = t.now.clone()
		t.tick()
	}
}

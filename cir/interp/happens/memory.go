package happens

// Kind is what an access does.
type Kind uint8

// The kinds.
const (
	PlainRead Kind = iota
	PlainWrite
	AtomicRead
	AtomicWrite
)

// KindOf returns the kind of an access.
func KindOf(write, atomic bool) Kind {
	var k Kind
	if write {
		k = PlainWrite
	}
	if atomic {
		k += AtomicRead
	}
	return k
}

// Writes and Atomic tell what a kind is.
func (k Kind) Writes() bool { return k&1 != 0 }

// Atomic tells whether accesses of the kind are atomic.
func (k Kind) Atomic() bool { return k >= AtomicRead }

// conflicts tells whether unordered accesses of these kinds are a race.
func (k Kind) conflicts(l Kind) bool {
	return (k.Writes() || l.Writes()) && !(k.Atomic() && l.Atomic())
}

// covers tells whether k conflicts with all that l conflicts with.
func (k Kind) covers(l Kind) bool {
	return k == PlainWrite || l == AtomicRead || k == l
}

// Access is one that was made: by whom, at what time of the thread, and where in the program, as the user of this package
// numbers places.
type Access struct {
	Thread int32
	Kind   Kind
	Where  uint64
	time   uint64
}

// before tells whether the access happens before what t does next.
func (a *Access) before(t *Thread) bool {
	return int(a.Thread) == t.ID || a.time <= t.now.at(int(a.Thread))
}

// cell is what is known of bytes of a word, lo up to hi, that have always been accessed together.
type cell struct {
	lo, hi int8
	past   []Access
	heads  []head // of the release sequences that the last modification is part of
}

// wordSize is how many bytes cells are kept for together.
const wordSize = 8

// direct is how many words are found without a map, and chunkSize how many of the others are found by one entry of it.
const direct, chunkSize = 1 << 16, 1 << 8

// Memory is what is known of an object's bytes. The zero value is a fresh object.
type Memory struct {
	low   [][]cell // of the first words
	high  map[int64]*[chunkSize][]cell
	spans []span // of words that are in none of these
}

// own returns the cells of a word that is in no span, in ascending order; nil: it has none.
func (m *Memory) own(i int64) []cell {
	switch {
	case i < int64(len(m.low)):
		return m.low[i]
	case i < direct:
		return nil
	}
	if c := m.high[i/chunkSize]; c != nil {
		return c[i%chunkSize]
	}
	return nil
}

// word returns the cells of a word, in ascending order. It takes it out of its span.
func (m *Memory) word(i int64) []cell {
	cs := m.own(i)
	if cs == nil && len(m.spans) > 0 {
		if c := m.spanned(i); c != nil {
			cs = []cell{{lo: c.lo, hi: c.hi, past: append([]Access(nil), c.past...)}}
			m.setWord(i, cs)
		}
	}
	return cs
}

// setWord changes the cells of a word.
func (m *Memory) setWord(i int64, cs []cell) {
	if i >= direct {
		if m.high == nil {
			m.high = map[int64]*[chunkSize][]cell{}
		}
		c := m.high[i/chunkSize]
		if c == nil {
			c = &[chunkSize][]cell{}
			m.high[i/chunkSize] = c
		}
		c[i%chunkSize] = cs
		return
	}
	if n := i + 1 - int64(len(m.low)); n > 0 {
		m.low = append(m.low, make([][]cell, n)...)
	}
	m.low[i] = cs
}

// each calls f for cells, and where they begin, that are together exactly the n bytes at off. Without create, bytes that
// nobody has accessed are left out.
func (m *Memory) each(off, n int64, create bool, f func(at int64, c *cell)) {
	for end := off + n; off < end; {
		i, lo := off/wordSize, int8(off%wordSize)
		hi := int8(min(end-i*wordSize, wordSize))
		cs := m.word(i)
		if !fits(cs, lo, hi, create) {
			cs = divided(cs, lo, hi, create)
			m.setWord(i, cs)
		}
		for k := range cs {
			if c := &cs[k]; c.lo >= lo && c.hi <= hi {
				f(i*wordSize+int64(c.lo), c)
			}
		}
		off = (i + 1) * wordSize
	}
}

// fits tells whether cells are as divided would make them.
func fits(cs []cell, lo, hi int8, fill bool) bool {
	at := lo
	for i := range cs {
		c := &cs[i]
		if c.lo < lo && lo < c.hi || c.lo < hi && hi < c.hi || fill && c.lo > at && at < hi {
			return false
		}
		at = max(at, c.hi)
	}
	return at >= hi || !fill
}

// divided returns the cells of a word such that none is partly inside of lo up to hi, and, with fill, none is missing there.
func divided(cs []cell, lo, hi int8, fill bool) []cell {
	var out []cell
	at := lo // up to here, the range has cells
	gap := func(to int8) {
		if fill && at < to {
			out = append(out, cell{lo: at, hi: to})
		}
		at = max(at, to)
	}
	for _, c := range cs {
		if c.lo > at {
			gap(min(c.lo, hi))
		}
		for _, cut := range []int8{lo, hi} {
			if c.lo < cut && cut < c.hi {
				left := c
				left.hi, c.lo = cut, cut
				left.past = append([]Access(nil), c.past...)
				left.heads = append([]head(nil), c.heads...)
				out = append(out, left)
			}
		}
		out = append(out, c)
		at = max(at, min(c.hi, hi))
	}
	gap(hi)
	return out
}

// Access notes an access of n bytes at off, and tells which earlier ones it is in a race with, from which byte on. A plain write ends the release
// sequences there.
func (m *Memory) Access(t *Thread, off, n int64, k Kind, where uint64, race func(at int64, old Access)) {
	note := func(at int64, c *cell) { c.access(t, at, k, where, race) }
	if from, to := (off+wordSize-1)/wordSize, (off+n)/wordSize; to-from >= leastSpan && len(m.spans) < mostSpans {
		m.each(off, from*wordSize-off, true, note)
		m.span(from, to, note)
		m.each(to*wordSize, off+n-to*wordSize, true, note)
		return
	}
	m.each(off, n, true, note)
}

// AccessAll is Access of all bytes that anybody has accessed.
func (m *Memory) AccessAll(t *Thread, k Kind, where uint64, race func(at int64, old Access)) {
	all := func(word int64, cs []cell) {
		for i := range cs {
			cs[i].access(t, word*wordSize+int64(cs[i].lo), k, where, race)
		}
	}
	for i, cs := range m.low {
		all(int64(i), cs)
	}
	for i, c := range m.high {
		for j, cs := range c {
			all(i*chunkSize+int64(j), cs)
		}
	}
	for i := range m.spans {
		if s := &m.spans[i]; m.first(s) < s.hi {
			s.c.access(t, m.first(s)*wordSize, k, where, race)
		}
	}
}

// Unordered tells whether an access that was made races with one of kind k that t makes now.
func (a Access) Unordered(t *Thread, k Kind) bool { return k.conflicts(a.Kind) && !a.before(t) }

// Now returns an access that t makes.
func Now(t *Thread, k Kind, where uint64) Access {
	return Access{Thread: int32(t.ID), Kind: k, Where: where, time: t.now[t.ID]}
}

func (c *cell) access(t *Thread, at int64, k Kind, where uint64, race func(int64, Access)) {
	now := Now(t, k, where)
	if k == PlainWrite {
		c.heads = nil
	}
	if len(c.past) == 1 {
		if p := &c.past[0]; p.Thread == now.Thread && p.time == now.time && p.Kind.covers(k) {
			return
		}
	}
	kept, known := c.past[:0], false
	for _, p := range c.past {
		ordered := p.before(t)
		if !ordered && k.conflicts(p.Kind) {
			race(at, p)
		}
		switch {
		case ordered && k.covers(p.Kind):
			continue
		case p.Thread == now.Thread && p.time == now.time && p.Kind.covers(k):
			known = true
		}
		kept = append(kept, p)
	}
	c.past = kept
	if !known {
		c.past = append(c.past, now)
	}
}

package happens

import "sort"

// span is what is known of words lo up to hi that have always been accessed together, as when a large buffer is cleared. Words that were accessed by themselves since then are out of it: they have cells of their
// own.
type span struct {
	lo, hi int64
	c      cell // of each of the words
}

// leastSpan is how many words are accessed at once at least, so that it is worth while to keep them together, and mostSpans how many spans an object has: each is looked at when another one comes.
const leastSpan, mostSpans = 512, 1000

// spanned returns the cell that a word has in a span, or nil.
func (m *Memory) spanned(i int64) *cell {
	k := sort.Search(len(m.spans), func(k int) bool { return m.spans[k].hi > i })
	if k == len(m.spans) || m.spans[k].lo > i {
		return nil
	}
	return &m.spans[k].c
}

// first returns the first word of a span that has no cells of its own; hi if all have.
func (m *Memory) first(s *span) int64 {
	i := s.lo
	for i < s.hi && m.own(i) != nil {
		i++
	}
	return i
}

// span calls f for the cells of words lo up to hi: once for all of a span, with the place of its first word. Afterwards they are in spans, or have cells of their own.
func (m *Memory) span(lo, hi int64, f func(at int64, c *cell)) {
	for i := lo; i < hi; i++ {
		if i >= direct && m.high[i/chunkSize] == nil {
			i |= chunkSize - 1
		} else if m.own(i) != nil {
			m.each(i*wordSize, wordSize, true, f)
		}
	}
	var out []span
	at := lo
	gap := func(to int64) {
		if at < to {
			out = append(out, span{at, to, cell{hi: wordSize}})
		}
		at = max(at, to)
	}
	for _, s := range m.spans {
		if s.hi > lo {
			gap(min(s.lo, hi))
		}
		for _, cut := range []int64{lo, hi} {
			if s.lo < cut && cut < s.hi {
				left := s
				left.hi, s.lo = cut, cut
				left.c.past = append([]Access(nil), s.c.past...)
				out = append(out, left)
			}
		}
		out = append(out, s)
		if s.hi > lo {
			at = max(at, min(s.hi, hi))
		}
	}
	gap(hi)
	m.spans = out
	for i := range out {
		if s := &out[i]; s.lo >= lo && s.hi <= hi {
			if w := m.first(s); w < s.hi {
				f(w*wordSize, &s.c)
			}
		}
	}
}

package pointsto

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
)

// buffer is what a copy of bytes goes through: what is read there by their distance from the first, and from there it
// goes to wherever they are written.
type buffer struct {
	size    int64 // -1: not known
	cells   map[place]*node
	writers []Location
	all     *node // if set, all that is read, of these bytes, goes there
}

// place is a place in a buffer: at, and what is any multiple of step behind it.
type place struct{ at, step int64 }

// places returns the places of a buffer that something is known of, in order.
func (b *buffer) places() []place {
	return slices.SortedFunc(maps.Keys(b.cells), func(p, q place) int { return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.step, q.step)) })
}

// reader is a copy of the bytes of an object from an offset on.
type reader struct {
	from int64
	to   *buffer
}

// maxPlaces bounds the places told apart in a buffer.
const maxPlaces = 1024

// bytes lets the contents of what src points to flow into what dst points to.
func (a *analysis) bytes(src, dst *node, size int64) {
	if src == nil || dst == nil || size == 0 {
		return
	}
	b := &buffer{size: size}
	a.each(src, func(s Location) {
		switch {
		case s.Obj.IsFunc():
		case s.Obj.External:
			a.each(dst, func(d Location) { a.floodAt(a.cell(s.Obj, 0), d, size) })
		default:
			a.reading(s, b)
		}
	})
	a.each(dst, func(d Location) {
		if !d.Obj.IsFunc() {
			b.writers = append(b.writers, d)
			for _, p := range b.places() {
				a.write(p, b.cells[p], d)
			}
		}
	})
}

// reading lets what is and comes into an object's cells flow into a buffer.
func (a *analysis) reading(s Location, b *buffer) {
	r := reader{s.Off, b}
	s.Obj.readers = append(s.Obj.readers, r)
	for _, off := range s.Obj.offsets() {
		a.read(s.Obj, r, off, s.Obj.cells[off])
	}
}

// read lets a cell flow to where it is in a buffer.
func (a *analysis) read(o *Object, r reader, off int64, n *node) {
	if r.to.all != nil {
		if r.to.size < 0 || len(places(o, r.from, off, r.to.size)) > 0 {
			a.flow(n, r.to.all)
		}
		return
	}
	for _, p := range places(o, r.from, off, r.to.size) {
		a.flow(n, a.placed(r.to, p))
	}
}

// placed returns the node of a place of a buffer.
func (a *analysis) placed(b *buffer, p place) *node {
	if b.cells == nil {
		b.cells = map[place]*node{}
	}
	if b.cells[p] == nil && len(b.cells) >= maxPlaces {
		p = place{at: Any}
	}
	n := b.cells[p]
	if n == nil {
		n = a.newNode()
		b.cells[p] = n
		for _, d := range b.writers {
			a.write(p, n, d)
		}
	}
	return n
}

// write lets what is at a place of a buffer flow to where it is in an object.
func (a *analysis) write(p place, n *node, d Location) {
	if p.at == Any {
		a.flow(n, a.cell(d.Obj, Any))
		return
	}
	a.moved(d, edge{shift: p.at, step: p.step, bytes: true}, func(l Location) {
		if l.holds(1) {
			a.flow(n, a.cell(l.Obj, l.Off))
		}
	})
}

// level is an array around a location.
type level struct{ elem, count, start int64 }

// levels returns the arrays around an offset of a shape, the outermost first.
func levels(s *cir.Shape, off, start int64, list []level) []level {
	if s.Elem != nil {
		if s.Elem.Size <= 0 {
			return list
		}
		n := s.Len
		if n <= 0 {
			n = 1 << 30
		}
		return levels(s.Elem, off%s.Elem.Size, start, append(list, level{s.Elem.Size, n, start}))
	}
	if s.Union {
		return list
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		end := f.Offset + f.Shape.Size
		if f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1 {
			end = off + 1
		}
		if f.Offset <= off && off < end && f.Bits == nil {
			return levels(f.Shape, off-f.Offset, start+f.Offset, list)
		}
	}
	return list
}

// maxDistances bounds the elements of arrays that a copy tells apart.
const maxDistances = 64

// places returns where in a copy of size bytes from an offset of an object on the bytes at another offset
// may be: an offset stands for all elements of the arrays around it.
func places(o *Object, from, off, size int64) []place {
	if from == Any || off == Any {
		return []place{{at: Any}}
	}
	var around, begin []level
	if s := o.Shape(); s != nil {
		around, begin = levels(s, off, 0, nil), levels(s, from, 0, nil)
	} else if o.Stride > 0 {
		around = []level{{o.Stride, 1 << 30, 0}}
		begin = around
	}
	limit := size
	if whole := o.Size(); limit < 0 || whole >= 0 && whole < limit {
		limit = whole
	}
	if limit < 0 {
		limit = 1 << 40
	}
	// A copy of more than an array begins where the array does.
	for len(begin) > 0 {
		l := begin[len(begin)-1]
		if l.start != from || l.elem*l.count >= limit {
			break
		}
		begin = begin[:len(begin)-1]
	}
	type span struct{ elem, min, max int64 }
	var spans []span
	for i := 0; i < len(around) || i < len(begin); i++ {
		switch {
		case i < len(around) && i < len(begin) && around[i] == begin[i]:
			spans = append(spans, span{around[i].elem, 1 - around[i].count, around[i].count - 1})
		default:
			if i < len(around) {
				spans = append(spans, span{around[i].elem, 0, around[i].count - 1})
			}
			if i < len(begin) {
				spans = append(spans, span{begin[i].elem, 1 - begin[i].count, 0})
			}
		}
	}
	list := []int64{off - from}
	step := int64(0)
	for i, s := range spans {
		// The arrays within move less than inner bytes.
		inner := int64(0)
		for _, t := range spans[i+1:] {
			inner += t.elem * max(t.max, -t.min)
		}
		var next []int64
		for _, at := range list {
			lo, hi := max(s.min, -((at+inner)/s.elem)-1), min(s.max, (limit-at+inner)/s.elem+1)
			if hi-lo > maxDistances || len(next) > maxDistances {
				step = gcd(step, s.elem)
				next = append(next, at)
				continue
			}
			for k := lo; k <= hi; k++ {
				next = append(next, at+k*s.elem)
			}
		}
		list = next
	}
	return within(list, step, limit)
}

// within returns the places of distances, and of any multiple of step from them, that are in a copy.
func within(list []int64, step, limit int64) []place {
	var out []place
	seen := map[place]bool{}
	for _, at := range list {
		p := place{at, step}
		if step > 0 {
			p.at = (at%step + step) % step
		}
		if p.at >= 0 && p.at < limit && !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

package counted

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// value returns what an operand is; what may be an address in a followed object is decided.
func (w *walk) value(s *state, v cir.Value, ch *choice) value {
	f := s.top()
	switch v := v.(type) {
	case cir.Int:
		if n, ok := v.Int64(); ok && -1000 < n && n < 1000 {
			return value{kind: number, n: n}
		}
		return value{kind: neither}
	case cir.Null:
		if v.Addr == 0 {
			return zero
		}
		return value{kind: other}
	case cir.Float, cir.Undef:
		return value{kind: neither}
	case *cir.Reg:
		if x, ok := f.regs[v.Index]; ok {
			return x
		}
		at := w.places(w.copies[f.copy], v)
		ways := []value{zero, {kind: other}}
		if w.toObject(at) {
			ways = append(ways, value{node, 0, w.offsetIn(at)})
		}
		if w.toInner(at) && s.in == gone {
			w.proof.stale = true
		}
		if w.toInner(at) && s.in != gone && (s.in != unborn || s.has != nothing) {
			ways = append(ways, value{within, 0, somewhere})
		}
		x := value{kind: neither}
		if len(ways) > 2 {
			x = ways[ch.pick(len(ways))]
		}
		f.regs[v.Index] = x
		return x
	}
	if isLoose(v) {
		return value{kind: neither}
	}
	return value{kind: other} // the address of a variable, or of a function
}

// isLoose reports whether the program defines no variable or function of which it has an address: that of a weak one may be 0.
func isLoose(v cir.Value) bool {
	switch v := v.(type) {
	case *cir.Func:
		return len(v.Blocks) == 0
	case *cir.Global:
		return v.External
	}
	return false
}

// target is what an access goes to.
type target struct {
	cell  int // -1: none
	node  bool
	inner bool
	off   int64 // in the followed object
}

// target returns what an access of some bytes goes to; of -1, it is not known how many.
func (w *walk) target(s *state, addr cir.Value, size int64, in cir.Located, ch *choice) target {
	t := target{cell: -1}
	at := w.places(w.copies[s.top().copy], addr)
	cells := w.toCells(at, size)
	if k := w.cellAt(at); k >= 0 {
		if t.cell = k; size != w.word {
			w.no("a part of a cell is accessed", in)
		}
		return t
	}
	if cells {
		w.no("it is not known which cell is accessed", in)
		return t
	}
	if !w.concerns(at) {
		return t
	}
	switch v := w.value(s, addr, ch); v.kind {
	case number:
		ch.dead = true // undefined
	case node:
		t.node, t.off = true, v.off
	case within:
		t.inner = true
	}
	return t
}

// note takes account of an access of a followed object: of the counted one, or else of the inner one.
func (w *walk) note(s *state, counted bool, in cir.Located) {
	l := shares
	switch {
	case s.has == sole && s.late && (counted || s.in != own):
		w.no("an object is accessed before a fence", in)
	case counted && s.has == sole:
		l = alone
	case !counted && s.in == own:
		l = alone
	case !counted && s.in == gone:
		w.no("an inner object is accessed that is gone", in)
	case !counted && s.has == sole:
		l = alone
	case s.single: // all else has ended, or has not begun
		if s.has != shared || s.units == 0 {
			w.proof.bare[in] = true
		}
	case s.has != shared || s.units == 0:
		w.no("an object is accessed without a reference", in)
	}
	if !counted && s.in == unborn {
		s.in = put
	}
	if counted == (w.inner.field < 0) {
		w.proof.level[in] = max(w.proof.level[in], l)
	}
}

// meets reports whether n bytes at an offset of the object may be some of m bytes at off.
func meets(at, n, off, m int64) bool {
	return at == somewhere || at < off+m && (n < 0 || off < at+n)
}

func (w *walk) counterSize() int64 { return w.prog.Model.SizeOf(w.form.of) }

// guarded reports whether a thread holds the lock of the counter.
func (w *walk) guarded(s *state) bool {
	return !w.form.atomic && (w.form.own >= 0 && s.inLock || w.form.outer >= 0 && s.open[w.form.outer])
}

// open verifies that a cell may be accessed.
func (w *walk) openCell(s *state, k int, in cir.Located) {
	if !s.open[w.form.cells[k].box] {
		w.no("a cell is accessed without its lock", in)
	}
}

func (w *walk) load(s *state, in *cir.Load, ch *choice) {
	f := s.top()
	if l, ok := in.Addr.(*cir.Local); ok && w.plain(w.copies[f.copy].Func)[l] {
		f.set(in.Dst, f.vars[l.Index])
		return
	}
	size := w.prog.Model.SizeOf(in.Type)
	t := w.target(s, in.Addr, size, in, ch)
	f.set(in.Dst, w.foreign(f, in.Dst))
	if i, exact := w.inCarrier(s, in.Addr, size, false, in, ch); exact {
		f.set(in.Dst, s.carriers[i].holds)
	} else if w.toRow(w.places(w.copies[f.copy], in.Addr)) && w.why == "" {
		f.set(in.Dst, w.fromRow(s, in.Addr, size, ch))
	}
	switch {
	case ch.dead || w.why != "":
	case t.cell >= 0:
		if w.openCell(s, t.cell, in); w.why == "" {
			f.set(in.Dst, s.cells[t.cell])
		}
	case t.inner:
		w.note(s, false, in)
	case t.node:
		if w.note(s, true, in); w.why != "" {
			return
		}
		if t.off == w.form.off && size == w.counterSize() && in.Bits == nil {
			f.set(in.Dst, w.look(s, ch))
		} else if w.inner.field >= 0 && meets(t.off, size, w.inner.field, w.word) {
			if t.off != w.inner.field || size != w.word || in.Order != cir.Plain {
				w.no("a part of a member that leads to an inner object is read", in)
				return
			}
			ways := []value{zero, {kind: other}}
			w.proof.stale = w.proof.stale || s.in == gone
			if s.in == unborn || s.in == put {
				ways = append(ways, value{within, 0, 0})
			}
			f.set(in.Dst, ways[ch.pick(len(ways))])
		}
	}
}

// foreign returns what is loaded from other memory: no address of the inner object is there, as it is stored nowhere else.
func (w *walk) foreign(f *frame, r *cir.Reg) value {
	if at := w.places(w.copies[f.copy], r); w.toInner(at) && !w.toObject(at) {
		return value{kind: neither}
	}
	return value{}
}

// look returns what a thread reads that reads the counter.
func (w *walk) look(s *state, ch *choice) value {
	switch {
	case s.has == sole && s.count >= 0:
		return value{number, s.count, 1}
	case s.has != shared || !w.guarded(s) || s.units-s.drops < 1 && !s.viewed:
		return value{kind: neither}
	case !s.viewed && s.drops == 0 && ch.pick(2) == 0: // nobody else holds any
		s.has, s.count = sole, s.units
		n := s.count
		s.tidyUnits()
		return value{number, n, 1}
	case !s.viewed:
		s.viewed, s.drift = true, 0
	}
	// The others hold one at least, beside what is left here.
	return value{more, s.drift, s.units - s.drops + 1}
}

// tidyUnits is for who holds all references, which are counted otherwise then.
func (s *state) tidyUnits() { s.units, s.drops, s.viewed, s.drift = 0, 0, false, 0 }

func (w *walk) store(s *state, in *cir.Store, ch *choice) {
	f := s.top()
	v := w.value(s, in.X, ch)
	if l, ok := in.Addr.(*cir.Local); ok && w.plain(w.copies[f.copy].Func)[l] {
		delete(f.vars, l.Index)
		f.vars[l.Index] = w.related(s, l, in.Type, v, ch)
		return
	}
	size := w.prog.Model.SizeOf(in.Type)
	t := w.target(s, in.Addr, size, in, ch)
	if ch.dead || w.why != "" {
		return
	}
	if v.kind == within && !(t.node && t.off == w.inner.field) {
		if at := w.places(w.copies[f.copy], in.Addr); s.in == own && t.cell < 0 && !t.inner && !t.node && w.isField(at) {
			ch.dead = true // the inner object is one of another counted one's
			return
		}
		w.no("the address of an inner object is stored somewhere else", in)
		return
	}
	if i, exact := w.inCarrier(s, in.Addr, size, true, in, ch); exact {
		s.carriers[i].holds = w.cellValue(v, ch)
	} else if i >= 0 {
		w.no("a part of a member of a carrier is written", in)
	}
	if w.toRow(w.places(w.copies[f.copy], in.Addr)) {
		w.toElement(s, in.Addr, size, v, ch)
	}
	switch {
	case ch.dead || w.why != "":
	case t.cell >= 0:
		if w.openCell(s, t.cell, in); w.why == "" {
			s.cells[t.cell] = w.cellValue(v, ch)
		}
	case t.inner:
		w.note(s, false, in)
	case t.node:
		if w.note(s, true, in); w.why == "" {
			w.write(s, t, size, v, in)
		}
	}
}

// isField reports whether some places are those of the member that leads to inner objects.
func (w *walk) isField(at []pointsto.Location) bool {
	return len(at) > 0 && !slices.ContainsFunc(at, func(l pointsto.Location) bool { return !w.form.objects[l.Obj] || l.Off != w.inner.field })
}

// cellValue returns what a cell holds that gets a value: it is decided whether that is 0.
func (w *walk) cellValue(v value, ch *choice) value {
	switch {
	case v.kind == node, v.kind == other:
		return v
	case v.kind == number && v.n == 0:
		return zero
	case v.kind != within && v.kind != carrier && v.kind != number && ch.pick(2) == 0:
		return zero
	}
	return value{kind: other}
}

// write is a store to the followed object, of a value.
func (w *walk) write(s *state, t target, size int64, v value, in *cir.Store) {
	if w.inner.field >= 0 && meets(t.off, size, w.inner.field, w.word) {
		if t.off != w.inner.field || size != w.word || in.Order != cir.Plain {
			w.no("a part of a member that leads to an inner object is written", in)
			return
		}
		if v.kind == within {
			if s.in != own {
				w.no("an inner object is put into a member again", in)
			}
			s.in = put
		}
	}
	if !meets(t.off, size, w.form.off, w.counterSize()) {
		w.unlocked(s, t.off, size, in)
		return
	}
	exact := t.off == w.form.off && size == w.counterSize() && in.Bits == nil
	switch {
	case s.has == sole && exact && v.kind == number && v.n >= 0:
		s.count = v.n
	case s.has == sole:
		s.count = unknown
	case !exact || !w.guarded(s) || !s.viewed || v.kind != more:
		w.no("the counter is written in a way that is not followed", in)
	default:
		d := v.n - s.drift
		w.counts(s, d, in)
		s.drift = v.n
	}
}

// counts takes references, or drops them when the lock is given back.
func (w *walk) counts(s *state, d int64, in cir.Located) {
	switch {
	case s.units-s.drops < max(1, -d):
		w.no("a reference is taken or dropped that is not held", in)
	case d > 0:
		s.units += d
	default:
		s.drops -= d
	}
	if s.units > maxUnits {
		w.no("a thread holds many references", in)
	}
}

// unlocked verifies that a write to the followed object is none to its lock while others may use it.
func (w *walk) unlocked(s *state, off, size int64, in cir.Located) {
	const most = 40 // bytes of a lock
	if w.form.own >= 0 && s.has != sole && meets(off, size, w.form.own, most) {
		w.no("the lock of an object is written while others may use it", in)
	}
}

// change is an atomic operation on memory.
func (w *walk) change(s *state, in *cir.RMW, ch *choice) {
	f := s.top()
	v := w.value(s, in.X, ch)
	size := w.prog.Model.SizeOf(in.Type)
	t := w.target(s, in.Addr, size, in, ch)
	if f.set(in.Dst, value{}); ch.dead || w.why != "" {
		return
	}
	if i, _ := w.inCarrier(s, in.Addr, size, true, in, ch); i >= 0 {
		w.no("a member of a carrier is computed with", in)
	}
	w.disturb(s, in.Addr)
	switch {
	case v.kind == within, w.inner.field >= 0 && t.node && meets(t.off, size, w.inner.field, w.word):
		w.no("an inner object is swapped", in)
		return
	case t.cell >= 0:
		if w.openCell(s, t.cell, in); in.Op != cir.Xchg {
			w.no("a cell is computed with", in)
		} else if w.why == "" {
			f.set(in.Dst, s.cells[t.cell])
			s.cells[t.cell] = w.cellValue(v, ch)
		}
		return
	case t.inner:
		w.note(s, false, in)
		return
	case !t.node:
		return
	}
	if w.note(s, true, in); w.why != "" {
		return
	}
	if !meets(t.off, size, w.form.off, w.counterSize()) {
		w.unlocked(s, t.off, size, in)
		return
	}
	d := v.n
	if in.Op == cir.RMWSub {
		d = -d
	}
	if t.off != w.form.off || size != w.counterSize() || in.Bits != nil || v.kind != number || in.Op != cir.RMWAdd && in.Op != cir.RMWSub || d == 0 || d < -maxUnits || d > maxUnits {
		if s.count = unknown; s.has != sole {
			w.no("the counter is written in a way that is not followed", in)
		}
		return
	}
	w.add(s, in, d, ch)
}

// add is an atomic operation that adds to the counter.
func (w *walk) add(s *state, in *cir.RMW, d int64, ch *choice) {
	f := s.top()
	switch {
	case s.has == sole && s.count >= 0:
		f.set(in.Dst, value{number, s.count, 1})
		if s.count += d; s.count < 0 {
			s.count = unknown
		}
	case s.has == sole:
	case !w.form.atomic:
		w.no("the counter is written in a way that is not followed", in)
	case s.units < max(1, -d):
		w.no("a reference is taken or dropped that is not held", in)
	case d > 0:
		if f.set(in.Dst, value{kind: least, n: s.units}); s.units+d > maxUnits {
			w.no("a thread holds many references", in)
		}
		s.units += d
	case in.Order != cir.AcqRel && in.Order != cir.SeqCst && in.Order != cir.Release:
		w.no("a reference is dropped in an order that is too weak", in)
	case ch.pick(2) == 0: // nobody else holds any
		s.late = in.Order == cir.Release
		f.set(in.Dst, value{number, s.units, 1})
		s.has, s.count = sole, s.units+d
		s.tidyUnits()
	default:
		f.set(in.Dst, value{kind: least, n: s.units + 1})
		s.units += d
	}
}

// bytes is an access of several bytes.
func (w *walk) bytes(s *state, addr cir.Value, size int64, write bool, in cir.Located, ch *choice) (t target) {
	if ch.dead || w.why != "" {
		return target{cell: -1}
	}
	if t = w.target(s, addr, size, in, ch); ch.dead || w.why != "" {
		return t
	}
	if i, _ := w.inCarrier(s, addr, size, write, in, ch); i >= 0 && write {
		w.no("a member of a carrier is written by bytes", in)
	}
	if write {
		w.disturb(s, addr)
	}
	switch {
	case t.cell >= 0:
		w.no("a cell is accessed by itself", in)
	case t.inner:
		w.note(s, false, in)
	case t.node:
		if w.note(s, true, in); w.why != "" {
			return t
		}
		if w.inner.field >= 0 && !write && meets(t.off, size, w.inner.field, w.word) {
			w.no("a member that leads to an inner object is copied", in)
		}
		if write && meets(t.off, size, w.form.off, w.counterSize()) {
			if s.count = unknown; s.has != sole {
				w.no("the counter is written in a way that is not followed", in)
			}
		} else if write {
			w.unlocked(s, t.off, size, in)
		}
	}
	return t
}

// fill is a fill of bytes; those of a cell become 0, or what is no object.
func (w *walk) fill(s *state, dst, byt cir.Value, size int64, in cir.Located, ch *choice) {
	at := w.places(w.copies[s.top().copy], dst)
	if !w.concerns(at) && w.toCells(at, size) {
		w.overwrite(s, at, size, filled(w.value(s, byt, ch), ch), in)
		return
	}
	if i, _ := w.inCarrier(s, dst, size, true, in, ch); i >= 0 && w.why == "" {
		c, field := &s.carriers[i], w.form.carriers.field
		off := w.value(s, dst, ch).off
		c.holds = filled(w.value(s, byt, ch), ch)
		if off == somewhere || size < 0 || off > field || off+size < field+w.word {
			w.no("a part of a member of a carrier is written", in)
		}
		return
	}
	counter := w.concerns(at) && w.inner.field < 0
	row := s.row
	t := w.bytes(s, dst, size, true, in, ch)
	if row == absent { // bytes are no address
		s.row = absent
	}
	if z := w.value(s, byt, ch); counter && t.node && z == zero && t.off <= w.form.off && size >= 0 && t.off+size >= w.form.off+w.counterSize() && s.has == sole {
		s.count = 0
	}
}

// filled is what a pointer is of which each byte is the lowest one of a value: it is decided whether that is 0.
func filled(v value, ch *choice) value {
	if v.kind == number && v.n&0xff == 0 || v.kind != number && ch.pick(2) == 0 {
		return zero
	}
	return value{kind: other}
}

// overwrite is a write of bytes that are those of whole cells: zero, or anything that leads to no object.
func (w *walk) overwrite(s *state, at []pointsto.Location, size int64, v value, in cir.Located) {
	if len(at) != 1 || !at[0].Exact() && at[0].Off != 0 || size < 0 {
		w.no("it is not known which cells are written", in)
		return
	}
	for k, c := range w.form.cells {
		if c.at.Obj != at[0].Obj || c.at.Off >= at[0].Off+size || c.at.Off+w.word <= at[0].Off {
			continue
		}
		if c.at.Off < at[0].Off || c.at.Off+w.word > at[0].Off+size {
			w.no("a part of a cell is written", in)
		}
		if w.openCell(s, k, in); w.why == "" {
			s.cells[k] = value{kind: other}
			if v == zero {
				s.cells[k] = zero
			}
		}
	}
}

// copies of bytes to cells have to be of memory that leads to no object.
func (w *walk) copyBytes(s *state, in *cir.Copy, ch *choice) {
	c := w.copies[s.top().copy]
	n := c.Given(in.Size)
	w.bytes(s, in.Src, n, false, in, ch)
	at := w.places(c, in.Dst)
	if ch.dead || w.why != "" {
		return
	}
	if w.concerns(at) || !w.toCells(at, n) {
		w.bytes(s, in.Dst, n, true, in, ch)
		return
	}
	for _, l := range w.places(c, in.Src) {
		if w.toObject(w.pts.Held(l.Obj)) {
			w.no("a cell is written with other memory", in)
		}
	}
	// Whether it is 0 does not matter for what is allowed: both are tried.
	w.overwrite(s, at, n, []value{zero, {kind: other}}[ch.pick(2)], in)
}

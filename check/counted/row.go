package counted

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A row is an array of pointers to counted objects among the locals of a function that is called once; other threads do not know it. Where the followed object is in one element, numbers are followed as far
// as they are less than the number of that element, equal to it, or greater.

// row is what is known of the elements.
type row uint8

const (
	absent    row = iota // none leads to the object
	once                 // one does
	perhaps              // one does, or none
	scattered            // any may
)

// rowsOf returns the arrays that lead to objects with a counter.
func (r *rule) rowsOf(c *counter) (list []*pointsto.Object) {
	for _, o := range r.pts.Objects {
		if o.Local == nil || o.Local.Shape == nil || o.Local.Shape.Elem == nil || o.Local.Shape.Elem.Size != r.word || o.Escaped || r.pts.Outside(o) || !r.pts.Once(o) {
			continue
		}
		if slices.ContainsFunc(r.pts.Held(o), func(l pointsto.Location) bool { return c.objects[l.Obj] }) {
			list = append(list, o)
		}
	}
	return list
}

func (w *walk) toRow(at []pointsto.Location) bool {
	return w.form.row != nil && slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj == w.form.row })
}

// subscript returns the number of the element that an address leads to.
func (w *walk) subscript(s *state, addr cir.Value) (index cir.Value, ok bool) {
	reg, isReg := addr.(*cir.Reg)
	if !isReg {
		return nil, false
	}
	in, _ := w.def(s, reg).(*cir.Offset)
	if in == nil || in.P != cir.Value(w.form.row.Local) || in.Disp != 0 || in.Scale != w.word || in.Index == nil {
		return nil, false
	}
	return in.Index, true
}

// def returns the instruction of the block that a register is assigned by, nil if it is assigned elsewhere.
func (w *walk) def(s *state, v cir.Value) cir.Instr {
	f := s.top()
	for _, in := range w.copies[f.copy].Func.Blocks[f.block].Instrs[:f.next] {
		if slices.ContainsFunc(cir.Results(in), func(r *cir.Reg) bool { return cir.Value(r) == v }) {
			return in
		}
	}
	return nil
}

// fromRow returns what is loaded from an element.
func (w *walk) fromRow(s *state, addr cir.Value, size int64, ch *choice) value {
	ways := []value{zero, {kind: other}}
	at := value{kind: neither}
	if i, ok := w.subscript(s, addr); ok && size == w.word {
		at = w.value(s, i, ch)
	}
	held := value{node, 0, 0}
	if s.row == scattered {
		held.off = somewhere
	}
	switch {
	case size != w.word:
		return value{}
	case s.row == absent, s.row != scattered && at.kind == index && at.n != 0:
	case s.row == once && at.kind == index:
		return held
	default:
		ways = append(ways, held)
	}
	return ways[ch.pick(len(ways))]
}

// toElement is a store to an element.
func (w *walk) toElement(s *state, addr cir.Value, size int64, v value, ch *choice) {
	i, ok := w.subscript(s, addr)
	at := value{kind: neither}
	if ok {
		at = w.value(s, i, ch)
	}
	switch {
	case v.kind == node && s.row == absent && ok && size == w.word && v.off == 0:
		s.row = once
		s.change(func(v value) value {
			if v.kind == index {
				return value{kind: neither}
			}
			return v
		})
		w.equals(s, i)
	case v.kind == node && !(s.row != scattered && at.kind == index && at.n == 0 && size == w.word && v.off == 0):
		s.row = scattered
	case v.kind == node:
		s.row = once
	case s.row == absent || s.row == scattered || at.kind == index && at.n != 0:
	case at.kind == index && size == w.word:
		s.row = absent
	default:
		s.row = perhaps
	}
}

// disturb is a write to elements of which not more is known.
func (w *walk) disturb(s *state, addr cir.Value) {
	if w.toRow(w.places(w.copies[s.top().copy], addr)) {
		s.row = scattered
	}
}

// equals notes that a number is that of the element with the object, and so is the local that it was loaded from.
func (w *walk) equals(s *state, i cir.Value) {
	f := s.top()
	for range 3 {
		if reg, ok := i.(*cir.Reg); ok {
			f.regs[reg.Index] = value{kind: index}
		}
		switch in := w.def(s, i).(type) {
		case *cir.Convert:
			if from := w.prog.Model.TypeOf(in.X); !widens(from, in.Dst.Type) {
				return
			}
			i = in.X
		case *cir.Load:
			l, ok := in.Addr.(*cir.Local)
			if !ok || !w.plain(w.copies[f.copy].Func)[l] {
				return
			}
			after := false
			for _, x := range w.copies[f.copy].Func.Blocks[f.block].Instrs[:f.next] {
				st, isStore := x.(*cir.Store)
				if after = after || x == cir.Instr(in); after && isStore && st.Addr == cir.Value(l) {
					return
				}
			}
			f.vars[l.Index] = value{kind: index}
			return
		default:
			return
		}
	}
}

// widens tells that a conversion of integers changes no number that an element has, and that what is no such number stays none.
func widens(from, to cir.Type) bool {
	return from.IsInt() && to.IsInt() && from.Bits >= 32 && (to.Bits > from.Bits || to == from)
}

// subscripts returns the locals of a function that numbers of elements are loaded from.
func (w *walk) subscripts(f *cir.Func) map[*cir.Local]bool {
	if m, known := w.numbers[f]; known {
		return m
	}
	m, defs := map[*cir.Local]bool{}, map[cir.Value]cir.Instr{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				defs[r] = in
			}
		}
	}
	for _, in := range defs {
		o, ok := in.(*cir.Offset)
		if !ok || o.P != cir.Value(w.form.row.Local) || o.Index == nil {
			continue
		}
		i := defs[o.Index]
		for c, ok := i.(*cir.Convert); ok; c, ok = i.(*cir.Convert) {
			i = defs[c.X]
		}
		if load, ok := i.(*cir.Load); ok {
			if l, ok := load.Addr.(*cir.Local); ok && w.plain(f)[l] {
				m[l] = true
			}
		}
	}
	w.numbers[f] = m
	return m
}

// related decides how a number that is stored in a local is related to that of the element with the object.
func (w *walk) related(s *state, l *cir.Local, of cir.Type, v value, ch *choice) value {
	if w.form.row == nil || s.row == absent || s.row == scattered || v.kind != number && v.kind != neither || !of.IsInt() || of.Bits < 32 || !w.subscripts(w.copies[s.top().copy].Func)[l] {
		return v
	}
	if v.kind == number && v.n == 0 {
		return value{kind: index, n: int64(ch.pick(2)) - 1}
	}
	return value{kind: index, n: int64(ch.pick(3)) - 1}
}

// moved returns what becomes of the relation of a number if a constant is added to it. A number that overflows is undefined, or so large that no loop gets there.
func moved(in *cir.Binary, v value, d int64, ch *choice) value {
	if t := in.Dst.Type; !(t.Signed && !in.Wrap && t.Bits >= 32) && t.Bits != 64 || d < -16 || d > 16 {
		return value{kind: neither}
	}
	switch {
	case d == 0:
		return v
	case d > 0 && v.n >= 0:
		return value{kind: index, n: 1}
	case d < 0 && v.n <= 0:
		return value{kind: index, n: -1}
	case d == 1:
		return value{kind: index, n: int64(ch.pick(2)) - 1}
	case d == -1:
		return value{kind: index, n: int64(ch.pick(2))}
	}
	return value{kind: index, n: int64(ch.pick(3)) - 1}
}

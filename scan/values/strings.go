package values

import (
	"bytes"

	"comus/cir"
	"comus/scan/pointsto"
)

// What C's strings are as long as is a number of its own: a cell that nobody loads or stores has, for an array of characters, the position of
// the first null character in it, or the size of the array if there is none (as the string lengths of Dor, Rodeh and Sagiv 2003, without pointers into strings). It
// changes with each byte that is stored in the array. What functions of the library do to strings is known of the functions, not
// found in the bodies of their models, of which it holds nonetheless.

// stringCell is what a cell for the length of a string has of its own.
type stringCell struct {
	size int64 // of the array
}

// lengthType is the type of lengths.
func (m *memory) lengthType() cir.Type { return cir.Type{Kind: cir.IntKind, Bits: 64} }

// findStrings makes cells for the lengths of the strings that are given to the library, if somebody asks for the length of one.
func (a *analysis) findStrings(recursive map[*cir.Func]bool) {
	asked := false
	var calls []stringCall
	for _, c := range a.order {
		for _, b := range c.f.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					if name := a.stringCall(call); name != "" {
						asked = asked || name == "strlen" || name == "strnlen"
						calls = append(calls, stringCall{c, call, name})
					}
				}
			}
		}
	}
	if !asked {
		return
	}
	a.exact = a.findExact()
	found := map[pointsto.Location]bool{}
	for _, x := range calls {
		for _, i := range stringCalls[x.name] {
			if i >= len(x.call.Args) || !a.exact.exact(x.c, x.call.Args[i].X) {
				continue
			}
			for _, l := range a.aims(x.c, x.call.Args[i].X) {
				if !found[l] {
					found[l] = true
					a.mem.addString(l, recursive)
				}
			}
		}
	}
}

// addString makes the cell of an array of characters that is there once, in memory that is followed.
func (m *memory) addString(l pointsto.Location, recursive map[*cir.Func]bool) {
	n, ok := charArray(l.Obj.Shape(), l.Off)
	if !ok || m.at[l.Obj] == nil || constantString(l.Obj) || inOuter(l.Obj.Shape(), l.Off) || l.Obj.Local != nil && recursive[l.Obj.Func] {
		return
	}
	t := m.lengthType()
	c := &cell{key: uint32(len(m.cells)) * 2, obj: l.Obj, off: l.Off, size: n, typ: t, own: !m.pts.SharedOrPassed(l.Obj), static: l.Obj.Global != nil,
		str: &stringCell{size: n}}
	if c.static {
		c.init = lengthIn(l.Obj.Global, l.Off, n)
	}
	m.cells, m.strings = append(m.cells, c), append(m.strings, c)
	if !c.own {
		m.shared = append(m.shared, c)
	}
	m.of[l.Obj] = append(m.of[l.Obj], c)
}

// charArray reports whether an array of characters begins at an offset of a shape, perhaps in another array. n is its size.
func charArray(s *cir.Shape, off int64) (n int64, ok bool) {
	switch {
	case s == nil || s.Union || off < 0:
		return 0, false
	case s.Elem != nil && (s.Elem.Elem != nil || len(s.Elem.Fields) > 0):
		if s.Elem.Size <= 0 {
			return 0, false
		}
		return charArray(s.Elem, off%s.Elem.Size)
	case s.Elem != nil:
		return s.Len, off == 0 && s.Len > 1 && s.Elem.Size == 1 && s.Elem.Scalar.IsInt()
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return charArray(f.Shape, off-f.Offset)
		}
	}
	return 0, false
}

// inOuter reports whether an array at an offset is in another array.
func inOuter(s *cir.Shape, off int64) bool {
	if s.Elem != nil {
		return s.Elem.Elem != nil || len(s.Elem.Fields) > 0
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return inOuter(f.Shape, off-f.Offset)
		}
	}
	return false
}

// constantString reports whether an object never changes, and has its contents from the program's text.
func constantString(o *pointsto.Object) bool {
	return o.Global != nil && (o.Global.Literal || o.Global.Const) && !o.Global.External
}

// lengthIn returns the length of a string in a global's data.
func lengthIn(g *cir.Global, off, n int64) Value {
	for _, r := range g.Relocs {
		if r.Offset < off+n && off < r.Offset+8 {
			return span(number{}, numberOf(n), 1)
		}
	}
	if off >= int64(len(g.Data)) {
		return zero
	}
	data := g.Data[off:min(off+n, int64(len(g.Data)))]
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return single(numberOf(int64(i)))
	}
	return single(numberOf(int64(len(data)))) // zeros follow, or the array ends
}

// stringAt returns the cell for the length of a string that begins at a location, nil if there is none.
func (m *memory) stringAt(l pointsto.Location) *cell {
	for _, c := range m.of[l.Obj] {
		if c.str != nil && c.off == l.Off {
			return c
		}
	}
	return nil
}

// followed reports whether a thread follows what a cell holds, with what happens to it there.
func (r *run) followed(c *cell) bool { return c.own || !r.many || r.follows(c) }

// strung changes the lengths of the strings in which a byte is stored, or several.
func (r *run) strung(l pointsto.Location, addr cir.Value, size int64, v Value, sure bool) {
	for _, c := range r.mem.of[l.Obj] {
		switch {
		case c.str == nil || r.dead:
		case l.Off == pointsto.Any || size != 1:
			if l.Off == pointsto.Any || l.Off < c.off+c.size && c.off < l.Off+size {
				r.write(c, top, false)
			}
		case l.Off >= c.off && l.Off < c.off+c.size:
			r.write(c, afterByte(r.read(c), r.position(c, addr), v, c.str.size), sure)
		}
	}
}

// position returns where in a string's array an address is.
func (r *run) position(c *cell, addr cir.Value) Value {
	within := span(number{}, numberOf(c.str.size-1), 1)
	if r.exact.exact(r.in.code, addr) { // there is one such place only if the locations are the array's beginning
		return zero
	}
	x, ok := addr.(*cir.Reg)
	if !ok {
		return within
	}
	in, ok := r.in.defs[x.Index].(*cir.Offset)
	if !ok || !r.exact.exact(r.in.code, in.P) {
		return within
	}
	by := single(numberOf(in.Disp))
	if in.Index != nil {
		i := r.value(in.Index)
		if i.kind != some {
			return within
		}
		by = sum(by, product(i, single(numberOf(in.Scale))))
	}
	var all Value
	for _, l := range r.aim(in.P) {
		if l.Obj == c.obj {
			if l.Off == pointsto.Any {
				return within
			}
			all = all.join(sum(by, single(numberOf(l.Off-c.off))))
		}
	}
	if all.kind != some {
		return within
	}
	return all.meet(within)
}

// afterByte returns the length of a string of an array of some size when a byte is stored at one of some positions.
func afterByte(length, at, b Value, size int64) Value {
	if length.kind != some || at.kind != some {
		return span(number{}, numberOf(size), 1)
	}
	var v Value
	if b.has(number{}) {
		v = lesser(length, at)
	}
	if b.equal(zero) {
		return v
	}
	v = v.join(length)
	if both := length.meet(at); both.kind == some { // the null character may be overwritten
		v = v.join(span(both.lo.add(numberOf(1)), numberOf(size), 1))
		if n, ok := length.Only(); ok {
			if m, ok := at.Only(); ok && n == m && !b.has(number{}) {
				v = span(both.lo.add(numberOf(1)), numberOf(size), 1)
			}
		}
	}
	return v
}

// writtenFrom returns from which position on a string's array is written where bytes are from an address on, which is at a location.
func (r *run) writtenFrom(c *cell, l pointsto.Location, addr cir.Value) Value {
	switch {
	case l.Off == pointsto.Any:
		return span(number{}, numberOf(c.str.size-1), 1)
	case l.Off < c.off:
		return zero
	case l.Off >= c.off+c.size: // behind it
		return single(numberOf(c.size))
	}
	return r.position(c, addr)
}

// afterSome returns the length of a string in whose array anything may be written from a position on.
func afterSome(length, from Value, size int64) Value {
	if length.kind != some || from.kind != some {
		return span(number{}, numberOf(size), 1)
	}
	if from.lo.cmp(numberOf(size)) >= 0 {
		return length
	}
	v := length.upTo(from.hi.sub(numberOf(1)))
	if length.hi.cmp(from.lo) >= 0 {
		v = v.join(span(from.lo, numberOf(size), 1))
	}
	return v
}

// fillString is what a number of equal bytes make of the length of a string.
func (r *run) fillString(c *cell, l pointsto.Location, in *cir.Fill, v Value, only bool) {
	if !r.followed(c) { // others may find some of it
		r.write(c, top, false)
		return
	}
	n, old, from := r.value(in.Size), r.read(c), r.writtenFrom(c, l, in.Dst)
	distance := max(c.off-l.Off, 0)
	certain := l.Off != pointsto.Any && l.Off < c.off+c.size && n.kind == some && n.lo.cmp(numberOf(distance)) > 0 && (l.Off >= c.off || r.exact.exact(r.in.code, in.Dst))
	if certain && v.equal(zero) {
		r.write(c, lesser(old, from), only)
		return
	}
	r.write(c, afterSome(old, from, c.str.size), only)
}

// copiedString returns the length of a string when n bytes, if that is known, are copied to a location of its object.
func (r *run) copiedString(c *cell, d pointsto.Location, in *cir.Copy, n int64, known bool) Value {
	if !r.followed(c) {
		return top
	}
	old, from := r.read(c), r.writtenFrom(c, d, in.Dst)
	v := afterSome(old, from, c.str.size)
	if !known || !from.equal(zero) || !r.exact.exact(r.in.code, in.Dst) || !r.exact.exact(r.in.code, in.Src) || d.Off == pointsto.Any || d.Off >= c.off+c.size || d.Off+n <= c.off {
		return v
	}
	n = min(n-(c.off-d.Off), c.str.size) // of the array's
	var all Value
	for _, s := range r.aim(in.Src) {
		at := pointsto.Location{Obj: s.Obj, Off: s.Off + c.off - d.Off}
		switch x := r.mem.stringAt(at); {
		case s.Off == pointsto.Any:
			return v
		case constantString(s.Obj) && at.Off+n <= s.Obj.Size():
			all = all.join(lengthIn(s.Obj.Global, at.Off, n))
		case x != nil && x.str.size >= n && r.followed(x):
			all = all.join(r.read(x))
		default:
			return v
		}
	}
	switch {
	case all.None():
		return v
	case all.hi.cmp(numberOf(n)) < 0:
		return all
	case n == c.str.size:
		return all.join(single(numberOf(n))).upTo(numberOf(n))
	}
	return v
}

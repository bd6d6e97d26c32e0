package valuecheck

import (
	"bytes"
	"fmt"
	"strings"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// A text is a cell for the length of the string in an array of characters: the position of the first null character, or the size of the array if it has none. Nothing
// loads or stores it; it changes as bytes of the array do. Library functions that work on strings do what the C standard says of them.

// textCell reads a claim that an array of characters, which is in no other array, has a text.
func (m *memory) textCell(i int, x *certificate.ValueCell) (*cell, error) {
	if x.Object < 0 || x.Object >= len(m.pts.Objects) {
		return nil, fmt.Errorf("there is no object %d", x.Object)
	}
	o := m.pts.Objects[x.Object]
	n, alone := characters(o.Shape(), x.Off)
	if !m.inside(o) || !alone || n != x.Size || fixed(o) || m.textAt(address{o, x.Off}) != nil {
		return nil, fmt.Errorf("%s has no text at %d", o, x.Off)
	}
	c := &cell{id: i, obj: o, off: x.Off, size: n, typ: cir.Type{Kind: cir.IntKind, Bits: 64}, text: true, ever: anything, met: anything}
	c.own, c.static, c.once = !m.pts.SharedOrPassed(o), o.Global != nil, m.pts.Once(o)
	c.single = o.Global != nil || !m.again[m.number[m.pts.Canonical(pointsto.Copy{Func: o.Func, Ctx: o.Ctx})]]
	if c.static && o.Global.ThreadLocal && !c.own {
		return nil, nil
	}
	if !c.single {
		return nil, fmt.Errorf("there may be several of %s", o)
	}
	m.texts[o] = append(m.texts[o], c)
	return c, nil
}

// characters reports whether an array of characters begins at an offset of a shape, n being its size; alone: it is in no other array, nor a union.
func characters(s *cir.Shape, off int64) (n int64, alone bool) {
	alone = true
	for s != nil && off >= 0 && !s.Union {
		if e := s.Elem; e != nil {
			if e.Elem == nil && len(e.Fields) == 0 {
				if off != 0 || e.Size != 1 || !e.Scalar.IsInt() || s.Len < 2 {
					return 0, false
				}
				return s.Len, alone
			}
			if e.Size <= 0 {
				return 0, false
			}
			s, off, alone = e, off%e.Size, false
			continue
		}
		var in *cir.Shape
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
				in, off = f.Shape, off-f.Offset
				break
			}
		}
		s = in
	}
	return 0, false
}

// fixed reports whether an object's contents are those of the program's text, for good.
func fixed(o *pointsto.Object) bool {
	return o.Global != nil && !o.Global.External && (o.Global.Const || o.Global.Literal)
}

// textIn returns the length of the string in some bytes of a global as the program begins with it.
func textIn(g *cir.Global, off, n int64) set {
	for _, r := range g.Relocs {
		if r.Offset-8 < off+n && off < r.Offset+8 {
			return between(num{}, small(n), 1)
		}
	}
	for k := range n {
		if off+k >= int64(len(g.Data)) || g.Data[off+k] == 0 {
			return just(small(k))
		}
	}
	return just(small(n))
}

func (m *memory) textAt(a address) *cell {
	for _, c := range m.texts[a.obj] {
		if c.off == a.off {
			return c
		}
	}
	return nil
}

// follow reports whether nobody else changes a cell for now.
func (r *run) follow(c *cell) bool { return c.own || r.mode == alone || r.follows(c) }

// anyText is what the text of an array may be.
func anyText(c *cell) set { return between(num{}, small(c.size), 1) }

// position is where bytes are written, as seen from the beginning of a text's array.
type position struct {
	at   set
	only bool // it is this array in any case
}

// positions returns where in a text's array an address may be, relative to its beginning; ok is false if it is in no case within reach of it, with so many
// bytes, -1 for any number.
func (r *run) positions(c *cell, addr cir.Value, size int64) (p position, ok bool) {
	in, _ := r.definition(addr).(*cir.Offset)
	base, by := r.origins.value(r.act.copy, addr), just(num{})
	if base.open && in != nil && in.Index != nil && countable(r.typ(in.Index)) {
		base = r.origins.value(r.act.copy, in.P)
		by = sum(product(r.value(in.Index), just(small(in.Scale))), just(small(in.Disp)))
	}
	if base.open || by.any {
		for _, l := range r.aim(addr) {
			if l.Obj == c.obj {
				return position{at: between(small(-1<<40), small(c.size), 1)}, true
			}
		}
		return position{}, false
	}
	p.only = len(base.list) == 1
	for _, a := range base.list {
		if a.obj != c.obj {
			continue
		}
		within := sum(by, just(small(a.off-c.off))).from(small(-c.off)).to(small(c.obj.Size() - c.off - 1))
		at := within.to(small(c.size - 1))
		if size >= 0 {
			at = at.from(small(1 - size))
		}
		if !at.empty() {
			p.at, ok = p.at.or(at), true
		}
		p.only = p.only && within.within(at) // or something else in the object is written
	}
	return p, ok
}

func (r *run) definition(v cir.Value) cir.Instr {
	if x, ok := v.(*cir.Reg); ok {
		return r.defs[x]
	}
	return nil
}

// textStore is a store of some bytes as seen by the texts of what it may touch.
func (r *run) textStore(addr cir.Value, size int64, v set) {
	r.eachText(addr, func(c *cell) {
		p, ok := r.positions(c, addr, size)
		if !ok {
			return
		}
		length := r.read(c)
		if size != 1 {
			r.write(c, rest(length, p.at, c), p.only)
			return
		}
		at := p.at.from(num{}).to(small(c.size - 1))
		next := set{}
		if v.any || v.has(num{}) { // the string may end there
			next = next.or(minimum(length, at))
		}
		if v.any || !v.within(nought) {
			hit := length.and(at)
			l, one := length.only()
			k, there := at.only()
			if !one || !there || l != k { // elsewhere nothing changes
				next = next.or(length)
			}
			if lo, _, ok := hit.bounds(); ok {
				next = next.or(between(lo.plus(small(1)), small(c.size), 1))
			}
		}
		r.write(c, next, p.only)
	})
}

// eachText calls f for the texts of the objects that an operand may point to.
func (r *run) eachText(addr cir.Value, f func(c *cell)) {
	if len(r.texts) == 0 {
		return
	}
	seen := map[*pointsto.Object]bool{}
	for _, l := range r.aim(addr) {
		if !seen[l.Obj] {
			seen[l.Obj] = true
			for _, c := range r.texts[l.Obj] {
				f(c)
			}
		}
	}
}

// rest is a length after anything was written from a position on, or nothing.
func rest(length, at set, c *cell) set {
	lo, hi, ok := at.bounds()
	if !ok || lo.sign() < 0 {
		return anyText(c)
	}
	s := length.to(hi.minus(small(1)))
	if _, most, ok := length.bounds(); !ok || !most.less(lo) {
		s = s.or(between(lo, small(c.size), 1))
	}
	return s
}

// minimum returns what the lesser of two numbers may be that are not negative.
func minimum(s, t set) set {
	a, b, ok := s.bounds()
	c, d, also := t.bounds()
	switch {
	case s.empty() || t.empty():
		return set{}
	case ok && also:
		return between(smaller(a, c), smaller(b, d), 1)
	case ok:
		return between(num{}, b, 1)
	case also:
		return between(num{}, d, 1)
	}
	return anything
}

// textFill is a fill as seen by texts.
func (r *run) textFill(in *cir.Fill) {
	size := r.value(in.Size)
	least, most, ok := size.bounds()
	zeros := r.value(in.Byte).within(nought)
	r.eachText(in.Dst, func(c *cell) {
		n := int64(-1)
		if k, fits := most.size(); ok && fits && most.sign() >= 0 && k < 1<<40 {
			n = int64(k)
		}
		p, touched := r.positions(c, in.Dst, n)
		if !touched {
			return
		}
		length := r.read(c)
		lo, _, known := p.at.bounds()
		if zeros && known && ok && least.sign() > 0 && lo.plus(least).sign() > 0 && r.follow(c) { // at least one byte of the array
			r.write(c, minimum(length, p.at.from(num{}).or(beginning(p.at))), p.only)
			return
		}
		if !r.follow(c) { // others may find some of it
			length, p.only = anyText(c), false
		}
		r.write(c, rest(length, p.at.from(num{}).or(beginning(p.at)), c), p.only)
	})
}

// beginning is position 0, if what begins before the array may get into it.
func beginning(at set) set {
	if lo, _, ok := at.bounds(); ok && lo.sign() < 0 {
		return nought
	}
	return set{}
}

// textCopy is a copy as seen by texts. What is copied is found out before anything is written.
func (r *run) textCopy(in *cir.Copy) (write func()) {
	type change struct {
		c    *cell
		v    set
		only bool
	}
	var changes []change
	n := int64(-1)
	k, known := r.value(in.Size).only()
	if known && k.hi == 0 && k.lo < 1<<40 {
		n = int64(k.lo)
	}
	r.eachText(in.Dst, func(c *cell) {
		p, ok := r.positions(c, in.Dst, n)
		if !ok {
			return
		}
		v := rest(r.read(c), p.at.from(num{}).or(beginning(p.at)), c)
		if !r.follow(c) {
			changes = append(changes, change{c, anyText(c), false})
			return
		}
		if at, one := p.at.only(); one && n >= 0 && at.sign() <= 0 {
			if s := r.copiedText(in, c, -int64(at.lo), n+int64(at.lo)); !s.any {
				v = s
			}
		}
		changes = append(changes, change{c, v, p.only})
	})
	return func() {
		for _, x := range changes {
			r.write(x.c, x.v, x.only)
		}
	}
}

// copiedText returns the length of the string when so many bytes come into the array of a text from its beginning on, which are from so far behind what is
// copied: anything if that is not known.
func (r *run) copiedText(in *cir.Copy, c *cell, skip, n int64) set {
	n = min(n, c.size)
	src := r.origins.value(r.act.copy, in.Src)
	if src.open || n <= 0 {
		return anything
	}
	s := set{}
	for _, a := range src.list {
		a.off += skip
		switch d := r.textAt(a); {
		case fixed(a.obj) && a.off >= 0 && a.off+n <= a.obj.Size():
			s = s.or(textIn(a.obj.Global, a.off, n))
		case d != nil && d.size >= n && r.follow(d):
			s = s.or(r.read(d))
		default:
			return anything
		}
	}
	_, hi, ok := s.bounds()
	switch {
	case !ok:
		return anything
	case hi.less(small(n)):
		return s
	case n == c.size:
		return s.to(small(n)).or(just(small(n)))
	}
	return anything
}

// textSpoil is a write of anything to some bytes at a place.
func (r *run) textSpoil(l pointsto.Location, size int64) {
	for _, c := range r.texts[l.Obj] {
		if size >= 0 && l.Exact() && (l.Off+size <= c.off || c.off+c.size <= l.Off) {
			continue
		}
		r.write(c, anyText(c), false)
	}
}

// textOf returns how long a string may be that an operand points to, which nobody else writes for now.
func (r *run) textOf(v cir.Value) set {
	if x := r.origins.value(r.act.copy, v); !x.open && len(x.list) > 0 {
		s := set{}
		for _, a := range x.list {
			n, _ := characters(a.obj.Shape(), a.off)
			if n == 0 {
				return anything
			}
			is := between(num{}, small(n-1), 1)
			switch c := r.textAt(a); {
			case fixed(a.obj):
				is = is.and(textIn(a.obj.Global, a.off, n))
			case c != nil && r.follow(c):
				is = is.and(r.read(c))
			}
			s = s.or(is)
		}
		return s
	}
	s := set{}
	ls := r.aim(v)
	for _, l := range ls { // somewhere in an array
		n, _ := characters(l.Obj.Shape(), l.Off)
		if n == 0 || l.Obj.Reduce(l.Off) != l.Off {
			return anything
		}
		s = s.or(between(num{}, small(n-1), 1))
	}
	if len(ls) == 0 {
		return anything
	}
	return s
}

// texter is a library function that works on strings.
type texter struct {
	writes bool // the first argument
	ends   bool // it is a string then, or the function goes out of bounds
	prints bool // what a format says, which may have it write elsewhere
	length func(r *run, in *cir.Call) set
	result func(r *run, in *cir.Call) set
}

func appended(r *run, in *cir.Call, more set) set {
	if d := r.textOf(in.Args[0].X); !d.any && !more.any {
		return sum(d, more)
	}
	return anything
}

// texters are the library functions that are known; C11 7.24, 7.21.6, POSIX strnlen, stpcpy, stpncpy.
var texters = map[string]texter{
	"strlen":  {result: func(r *run, in *cir.Call) set { return r.textOf(in.Args[0].X) }},
	"strnlen": {result: func(r *run, in *cir.Call) set { return minimum(r.textOf(in.Args[0].X), r.value(in.Args[1].X)) }},
	"strcpy":  {writes: true, ends: true, length: func(r *run, in *cir.Call) set { return r.textOf(in.Args[1].X) }},
	"stpcpy":  {writes: true, ends: true, length: func(r *run, in *cir.Call) set { return r.textOf(in.Args[1].X) }},
	"strncpy": {writes: true, length: firstOf},
	"stpncpy": {writes: true, length: firstOf},
	"strcat":  {writes: true, ends: true, length: func(r *run, in *cir.Call) set { return appended(r, in, r.textOf(in.Args[1].X)) }},
	"strncat": {writes: true, ends: true, length: func(r *run, in *cir.Call) set {
		return appended(r, in, minimum(r.textOf(in.Args[1].X), r.value(in.Args[2].X)))
	}},
	"snprintf": {writes: true, prints: true, length: printed}, "vsnprintf": {writes: true, prints: true, length: printed},
}

// firstOf is about the first characters of a string: behind a shorter one there are zeros; a longer one does not end there.
func firstOf(r *run, in *cir.Call) set {
	s, n := r.textOf(in.Args[1].X), r.value(in.Args[2].X)
	least, _, ok := n.bounds()
	shortest, longest, known := s.bounds()
	switch {
	case !ok || !known:
		return anything
	case longest.less(least):
		return s
	}
	return between(smaller(shortest, least), large(1<<63), 1)
}

// printed is about formats without wide characters, of which the output may be refused.
func printed(r *run, in *cir.Call) set {
	g, ok := in.Args[2].X.(*cir.Global)
	if !ok || !g.Literal || len(g.Relocs) > 0 {
		return anything
	}
	format, _, _ := bytes.Cut(g.Data, []byte{0})
	lo, hi, ok := r.value(in.Args[1].X).bounds()
	if strings.ContainsAny(string(format), "lSC") || !ok || lo.sign() <= 0 {
		return anything
	}
	return between(num{}, hi.minus(small(1)), 1)
}

// textCall is what is known of a call's effect on texts before it, nil if nothing is.
func (r *run) textCall(in *cir.Call) func(y *run) {
	f, ok := in.Callee.(*cir.Func)
	if !ok || !f.Library {
		return nil
	}
	t, ok := texters[f.Name]
	if !ok || len(in.Args) != len(f.Params) && !t.prints || len(in.Args) < len(f.Params) {
		return nil
	}
	var dst *cell
	if t.writes {
		x := r.origins.value(r.act.copy, in.Args[0].X)
		if x.open || len(x.list) != 1 {
			return nil
		}
		if dst = r.textAt(x.list[0]); dst == nil {
			if n, _ := characters(x.list[0].obj.Shape(), x.list[0].off); n == 0 {
				return nil
			}
		}
	}
	length, result := anything, anything
	if t.length != nil && dst != nil {
		if length = t.length(r, in); t.ends {
			length = length.and(between(num{}, small(dst.size-1), 1))
		}
	}
	if t.result != nil {
		result = t.result(r, in)
	}
	before := r.fork()
	return func(y *run) {
		if !t.prints {
			y.keepTexts(before, dst)
		}
		if dst != nil && !length.any && y.follow(dst) {
			y.knows(dst, length.and(y.read(dst)))
		}
		if in.Dst != nil && !result.any && countable(in.Dst.Type) && !y.dead {
			y.set(in.Dst, y.value(in.Dst).and(result))
		}
		if x := r.origins.value(r.act.copy, in.Args[0].X); f.Name == "strlen" && !x.open && len(x.list) == 1 && in.Dst != nil && !y.dead && in.Dst.Type.Bits == 64 && !in.Dst.Type.Signed {
			if c := y.textAt(x.list[0]); c != nil && y.follow(c) {
				y.from[in.Dst] = c
			}
		}
	}
}

// keepTexts has the texts that a call has not changed hold what they held before.
func (r *run) keepTexts(before *run, but *cell) {
	for _, cs := range r.texts {
		for _, c := range cs {
			if c == but || r.mode != before.mode {
				continue
			}
			old := &before.state.cells
			if !c.own && r.mode == among {
				old = &before.state.held
			}
			if v, ok := old.get(c.id); ok && r.follow(c) {
				r.knows(c, v)
			}
		}
	}
}

// knows notes what a cell holds that the thread follows. Nothing gets on where it can hold nothing.
func (r *run) knows(c *cell, v set) {
	switch {
	case v.empty():
		r.dead = true
	case c.own || r.mode == alone:
		r.cells.put(c.id, v)
	default:
		r.held.put(c.id, v)
	}
}

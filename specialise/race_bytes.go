package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// The library accesses memory in ways that are no instructions of its models: a printf reads strings, a read writes a
// buffer. For races these are accesses of ranges of bytes, which may depend on a number that is not known, or on where a
// string ends.

// The names of approximations: accesses that need not happen.
const (
	unsureString = "where a string ends"
	unsureLength = "how much a function of the library accesses"
)

// asksRace reports whether an access made here can be part of a race.
func (b *builder) asksRace() bool {
	return b.opts.Check.Race && b.cur != nil && !b.cur.alone && !b.exempt() && b.isAskedAbout()
}

// source is a pointer whose memory the library accesses, with the operand that it is where a frame calls for it: from nil is
// the current one. Without an operand, it may point to what any of these objects is.
type source struct {
	p    *value
	v    cir.Value
	from *frame
}

// resolveByte resolves the byte that a source points to.
func (b *builder) resolveByte(s source) *targets {
	if s.from != nil {
		fr := b.fr
		b.fr = s.from
		defer func() { b.fr = fr }()
	}
	return b.resolve(s.p, s.v, 0, 8, 1)
}

// aimsOf returns the abstract objects that a source may point to.
func (b *builder) aimsOf(s source) []*pointsto.Object {
	if s.from != nil {
		fr := b.fr
		b.fr = s.from
		defer func() { b.fr = fr }()
	}
	return b.aims(s.p, s.v)
}

// raceBytes is race for the first n bytes at a pointer, or for all of its object from there on if n is nil. approx names what is not exact,
// if anything is.
func (b *builder) raceBytes(s source, n *value, write bool, approx string) {
	if !b.asksRace() {
		return
	}
	if n != nil {
		if k, ok := n.constant(); ok && k.Sign() <= 0 {
			return
		}
	}
	ts := b.resolveByte(s)
	if b.pending(s.p) || n != nil && (b.pending(n) || len(n.side) > 0) {
		mark := b.hold(s.p)
		if n != nil {
			b.hold(n)
		}
		for i := range b.held[mark:] {
			b.held[mark+i] = b.steadyPointer(b.held[mark+i])
		}
		if s.p = b.held[mark]; n != nil {
			n = b.held[mark+1]
		}
		b.release(mark)
		ts = b.resolveByte(s)
	}
	k := kindOf(write, b.cur.depth > 0)
	b.approximately(approx, func() {
		b.askRace(b.partsOf(ts.list, n, k), k, nil)
		for _, t := range ts.list {
			b.raceOwned(t, k, nil)
		}
	})
	if ts.vague {
		if write {
			b.loseIds(b.aimsOf(s))
		}
		b.raceAbstract(b.aimsOf(s), k, nil, approx)
	}
}

// partsOf notes an access to the first n bytes of some places, or all that follow, and returns the parts that matter, each with the
// condition that n is large enough.
func (b *builder) partsOf(list []target, n *value, k accessKind) (found [][]accessedPart) {
	for _, t := range list {
		off := t.bit / 8
		size := t.obj.size - off
		if n != nil {
			if most, small := n.bounds().hi.Int64(); small {
				size = min(size, most)
			}
		}
		if t.obj.vague || size <= 0 {
			continue
		}
		parts := b.partsAt(t, size*8, nil, k)
		if n != nil {
			for i := range parts {
				at := parts[i].addr - t.obj.addr - off
				parts[i].cond = b.L.And(parts[i].cond, b.L.Lt(b.L.Int(at), n.t))
			}
			parts = slices.DeleteFunc(parts, func(s accessedPart) bool { return s.cond.IsFalse() })
		}
		if len(parts) > 0 {
			found = append(found, parts)
		}
	}
	return found
}

// approximately marks the steps that f makes by the name of an approximation, if there is one.
func (b *builder) approximately(approx string, f func()) {
	at := len(b.th.edges)
	f()
	if approx == "" {
		return
	}
	for _, e := range b.th.edges[at:] {
		e.approx = approx
	}
}

// mayRace reports whether accesses to an abstract object can be part of a race.
func (b *builder) mayRace(abs *pointsto.Object) bool {
	return (abs.External || b.isShared(abs)) && (abs.Global == nil || !abs.Global.Literal && !b.isLibrarys(abs.Global)) && !b.isStream(abs) && !(b.fr.fn.Library && isOwn(abs))
}

// raceAbstract is race for an access to any of some abstract objects, as an approximation.
func (b *builder) raceAbstract(objects []*pointsto.Object, k accessKind, ok []*logic.Term, approx string) {
	if approx == "" {
		approx = untracked
	}
	b.raceOwnedBy(objects, k, ok)
	for _, abs := range objects {
		if !b.mayRace(abs) {
			continue
		}
		if by := b.noteVague(abs, k); by != nil {
			b.approximately(approx, func() {
				b.askRace([][]accessedPart{{{cond: b.L.True(), addr: b.facts.vagueCode(abs), by: by, abs: abs}}}, k, ok)
			})
		}
	}
}

// How far from a pointer accesses go.
const (
	toObject = iota // what it points to
	toHeld          // and what that holds pointers to
	toAll           // and so on
)

// raceReachable is race for accesses to what can be reached from a pointer, as an approximation.
func (b *builder) raceReachable(s source, far int, write bool, approx string) {
	if !b.asksRace() {
		return
	}
	k := kindOf(write, b.cur.depth > 0)
	objects := b.aimsOf(s)
	first := len(objects)
	for i := 0; i < len(objects) && far > toObject && (far == toAll || i < first); i++ {
		if objects[i].External || objects[i].IsFunc() {
			continue
		}
		for _, l := range b.pts.Held(objects[i]) {
			if !slices.Contains(objects, l.Obj) && !l.Obj.IsFunc() {
				objects = append(objects, l.Obj)
			}
		}
	}
	objects = slices.DeleteFunc(objects, func(o *pointsto.Object) bool {
		return write && o.Global != nil && o.Global.Const
	})
	b.raceAbstract(objects, k, nil, approx)
}

// maxString bounds how many bytes of a string are looked at one by one.
const maxString = 64

// raceString is race for a string that is read up to its end, or for as many bytes as there are at most if most is not
// negative: byte by byte, as far as others write there.
func (b *builder) raceString(s source, most int64) {
	if !b.asksRace() || most == 0 {
		return
	}
	if b.pending(s.p) {
		s.p = b.steadyPointer(s.p)
	}
	ts := b.resolveByte(s)
	if ts.vague {
		b.raceAbstract(b.aimsOf(s), plainRead, nil, "")
	}
	for _, t := range ts.list {
		b.raceOwned(t, plainRead, nil)
	}
	found := b.partsOf(ts.list, nil, plainRead)
	if len(found) == 0 {
		return
	}
	one := b.constVal(b.m.Size(), 1)
	if len(ts.list) > 1 || !ts.list[0].cond.IsTrue() || b.loops > 0 {
		b.raceBytes(s, one, false, "")
		b.raceBytes(s, nil, false, unsureString)
		return
	}
	t, parts := ts.list[0], found[0]
	off := t.bit / 8
	last := parts[len(parts)-1].addr - t.obj.addr - off
	if most > 0 {
		last = min(last, most-1)
	}
	p := b.pointerTo(t.obj, off)
	b.eachByte(p, min(last, maxString), func() {
		if last > maxString {
			b.raceBytes(source{p: b.shifted(p, maxString)}, nil, false, unsureString)
		}
	})
}

// eachByte reads the bytes of a string up to its end, or the last one that matters; there behind runs.
func (b *builder) eachByte(p *value, last int64, behind func()) {
	b.settleAll()
	live := b.needed()
	var flows []*flow
	acc := cir.Access{Type: cir.U8, Align: 1}
	for i := int64(0); b.cur != nil; i++ {
		x := b.load(b.shifted(p, i), nil, acc)
		if x == nil || b.cur == nil {
			break
		}
		if i == last {
			behind()
			break
		}
		if k, ok := x.constant(); ok {
			if k.Sign() == 0 {
				break
			}
			continue
		}
		x = b.steady(x)
		rest := b.cur
		b.cur = rest.clone()
		b.emit("", ir.AssumeCmd(b.L.Eq(x.t, b.L.Int(0))))
		flows = append(flows, b.cur)
		b.cur = rest
		b.emit("", ir.AssumeCmd(b.L.Ne(x.t, b.L.Int(0))))
	}
	if b.cur != nil {
		flows = append(flows, b.cur)
	}
	b.cur = nil
	if len(flows) > 0 {
		b.joinLive(flows, live)
	}
}

// havocNoted is havocBytes where what is accessed has been told already, for races.
func (b *builder) havocNoted(p *value, v cir.Value, n int64, approx string) {
	before := b.accessNoted
	b.accessNoted = true
	b.havocBytes(p, v, n, approx)
	b.accessNoted = before
}

// copyVaguely is a copy of n bytes of which it is not followed what they hold.
func (b *builder) copyVaguely(dst, src source, n *value, approx string) {
	mark := b.hold(dst.p, src.p, n)
	b.raceBytes(src, n, false, "")
	var unset *logic.Term
	if src.p = b.held[mark+1]; b.cur != nil {
		b.publishHeld(src.p, src.v)
		b.surrenderHeld(b.constVal(cir.I64, 0), src.p, src.v, b.held[mark])
		src.p = b.held[mark+1]
		b.blurs(src.p, src.v)
		unset = b.mayBeRaw(src)
	}
	dst.p, n = b.held[mark], b.held[mark+2]
	b.release(mark)
	b.fillVaguely(dst, n, unset, approx)
}

// fillVaguely is a write of n bytes of which it is not followed what they hold, and which are indeterminate if unset holds.
func (b *builder) fillVaguely(dst source, n *value, unset *logic.Term, approx string) {
	if b.cur == nil {
		return
	}
	mark := b.hold(dst.p, n, &value{typ: cir.Bool, t: b.L.Int(0), unset: unset})
	b.raceBytes(dst, n, true, "")
	b.blurs(b.held[mark], dst.v)
	if b.cur != nil {
		b.settle(true)
		b.writesVague(b.held[mark], dst.v, b.held[mark+1].t, unset)
	}
	dst.p, n = b.held[mark], b.held[mark+1]
	b.release(mark)
	size, ok := b.constSize(n)
	if !ok {
		size = -1
	}
	b.onlyPartly(func() { b.havocNoted(dst.p, dst.v, size, approx) })
}

// isStream reports whether an object is a FILE, and the access one of the library's: that is locked.
func (b *builder) isStream(o *pointsto.Object) bool {
	return o != nil && isFile(o) && b.fr.fn.Library
}

// isFile reports whether an object is a FILE that was opened.
func isFile(o *pointsto.Object) bool {
	return o.Func != nil && o.Func.Library && o.Func.Source == "new_file"
}

package specialise

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// It is an error of memory to read a scalar of which a bit was never written: of a local, or of memory allocated. What is copied as
// bytes, by an assignment of structs, memcpy, or a character that is only stored again, is not read; the copy is initialised where
// the original is.
//
// A flow knows what has been written for sure, which stays so whatever other threads do. Of what is read elsewhere, a variable
// tells whether it has been written, which is set before the write itself: what others do between the two they could do
// before. Which parts of scalars these are, one run finds out for the next one.

// stretch is a part of a scalar that is written as a whole.
type stretch struct {
	c      *cell
	lo, hi int64 // its bits in the object
	mark   *cell // of the variable that tells whether it is initialised, nil as long as nobody asks
}

// unset is what [facts] know of indeterminate memory.
type unset struct {
	cuts   map[string]map[int64]bool // where parts of scalars begin that are written alone, by the keys of their cells
	marked map[string]map[int64]bool // cells of which variables tell what is initialised, by the keys of their objects
	soiled map[string]bool           // cells that a copy of what is not initialised may be written to
	tested map[string]bool           // objects of which a program asks what is initialised, see written.go
	// Of objects that are accessed in ways that are not tracked:
	blurred       map[string]bool // which these are
	soiledObjects map[string]bool // those with cells that are soiled
	vague, spread bool            // they may be read while they are indeterminate; what is may be copied there
}

func newUnset() unset {
	return unset{cuts: map[string]map[int64]bool{}, marked: map[string]map[int64]bool{}, soiled: map[string]bool{}, tested: map[string]bool{}, blurred: map[string]bool{}, soiledObjects: map[string]bool{}}
}

// add notes a bit of what has a key.
func add(m map[string]map[int64]bool, key string, bit int64) {
	if m[key] == nil {
		m[key] = map[int64]bool{}
	}
	m[key][bit] = true
}

// learnUnset takes what a run found out. It reports whether all of that was known.
func (s *facts) learnUnset(b *builder) (known bool) {
	merge := func(to, from map[string]map[int64]bool) {
		for key, bits := range from {
			for bit := range bits {
				known = known && to[key][bit]
				add(to, key, bit)
			}
		}
	}
	old := s.unset
	s.unset.vague, s.unset.spread = old.vague || b.unset.vague, old.spread || b.unset.spread
	known = s.unset.vague == old.vague && s.unset.spread == old.spread
	merge(s.unset.cuts, b.unset.cuts)
	merge(s.unset.marked, b.unset.marked)
	all := func(to, from map[string]bool) {
		for key := range from {
			known = known && to[key]
			to[key] = true
		}
	}
	all(s.unset.soiled, b.unset.soiled)
	all(s.unset.tested, b.unset.tested)
	all(s.unset.blurred, b.unset.blurred)
	all(s.unset.soiledObjects, b.unset.soiledObjects)
	return known
}

// tracksSet reports whether a scalar may be indeterminate.
func (b *builder) tracksSet(c *cell) bool {
	if b.beginsUnset(c.obj) {
		return !b.isBlurred(c.obj)
	}
	return b.asksSet() && b.facts.unset.soiled[c.key]
}

// stretchesAt returns the parts of scalars that overlap some bits.
func (b *builder) stretchesAt(o *object, bit, bits int64) (found []*stretch) {
	if !b.asksSet() {
		return nil
	}
	for _, c := range b.cellsAt(o, bit, bits) {
		if !b.tracksSet(c) {
			continue
		}
		for _, at := range []int64{bit, bit + bits} {
			if c.bit < at && at < c.bit+c.bits {
				add(b.unset.cuts, c.key, at)
			}
		}
		for _, s := range b.stretchesOf(c) {
			if s.lo < bit+bits && bit < s.hi {
				found = append(found, s)
			}
		}
	}
	return found
}

// stretchesOf returns the parts of a scalar.
func (b *builder) stretchesOf(c *cell) []*stretch {
	if list := b.stretches[c]; list != nil {
		return list
	}
	var list []*stretch
	lo := c.bit
	for _, at := range append(slices.Sorted(maps.Keys(b.facts.unset.cuts[c.key])), c.bit+c.bits) {
		list = append(list, &stretch{c: c, lo: lo, hi: at})
		lo = at
	}
	b.stretches[c] = list
	return list
}

// isMarked reports whether a variable tells whether a part of a scalar is initialised.
func (b *builder) isMarked(s *stretch) bool { return b.facts.unset.marked[s.c.obj.key][s.c.bit] }

// markOf returns the variable that tells whether a part of a scalar is initialised.
func (b *builder) markOf(s *stretch) *ir.Var {
	if s.mark != nil {
		return s.mark.v
	}
	o := s.c.obj
	m := &cell{obj: o, bit: -3, bits: 1, typ: cir.Bool, key: fmt.Sprintf("%s.set%d", s.c.key, s.lo)}
	thread := ir.Shared
	if !o.shared || !b.facts.isShared(m.key) {
		thread = b.th.index
	}
	name := "written." + s.c.v.Name
	if s.lo > s.c.bit {
		name += fmt.Sprintf(".%d", s.lo-s.c.bit)
	}
	m.v = b.newVar(name, "", ir.Flag, thread)
	m.v.Init = &logic.Value{}
	if !b.beginsUnset(o) {
		one := logic.IntValue(1)
		m.v.Init = &one
	}
	b.cellOf[m.v] = m
	s.mark = m
	o.marks = append(o.marks, m)
	return m.v
}

// marking returns the term that is 1 if a part of a scalar is initialised, and 0 otherwise.
func (b *builder) marking(s *stretch) *logic.Term {
	v := b.markOf(s)
	frozen, ok := b.frozen(s.mark)
	k := b.cur.consts[v]
	if k != nil || !ok {
		b.touch(s.mark)
	}
	switch untouched, is := b.untouched(s.mark); {
	case k != nil:
		return k.t
	case ok:
		return b.L.Value(frozen)
	case is:
		return b.L.Value(untouched)
	}
	return v.Sym
}

// certain reports whether a part of a scalar has been written for sure.
func (b *builder) certain(s *stretch) bool {
	return b.cur.set[s] && !b.facts.unset.soiled[s.c.key]
}

// betweenMembers is the name of the approximation that it is not known what padding holds.
const betweenMembers = "bytes that belong to no member"

// doubt is a part of a scalar that may be indeterminate where it is read, if cond holds.
type doubt struct {
	s    *stretch
	cond *logic.Term
}

// doubts returns what may be indeterminate of what an access reads, and whether it may read bytes between scalars.
func (b *builder) doubts(ts *targets, bits int64) (list []doubt, padding bool) {
	for _, t := range ts.list {
		covered := int64(0)
		for _, c := range b.cellsAt(t.obj, t.bit, bits) {
			covered += min(c.bit+c.bits, t.bit+bits) - max(c.bit, t.bit)
		}
		padding = padding || b.beginsUnset(t.obj) && covered < bits
		for _, s := range b.stretchesAt(t.obj, t.bit, bits) {
			if b.certain(s) {
				continue
			}
			add(b.unset.marked, s.c.obj.key, s.c.bit)
			if is := b.L.And(t.cond, b.L.Eq(b.marking(s), b.L.Int(0))); !is.IsFalse() {
				list = append(list, doubt{s, is})
			}
		}
	}
	return list, padding
}

// readsSet makes it an error that an access reads what is indeterminate. Where that is only copied, it returns the condition under which it is,
// nil if it never is.
func (b *builder) readsSet(ts *targets, p *value, v cir.Value, bits int64, a cir.Access) *logic.Term {
	if b.cur == nil || !b.asksSet() || !b.copying && (!b.opts.Check.Memory || b.fr.fn.Library && (a.Bits != nil || bits != 8)) {
		return nil // what the library reads are objects of its own, and characters
	}
	list, padding := b.doubts(ts, bits)
	var raw *logic.Term
	if b.opts.Check.Memory && b.isBlurredAt(ts) {
		raw = b.readsVague(p, v, b.L.Int((bits+7)/8))
	}
	if b.copying {
		mark := len(b.held)
		if padding { // whether a copy has written there is not known
			set := b.anything(cir.Bool, betweenMembers, b.site)
			b.hold(set)
			if raw == nil {
				raw = b.L.False()
			}
			raw = b.L.Or(raw, b.truth(set))
		}
		unset := b.unsetOf(list, raw)
		b.release(mark)
		return unset
	}
	if raw != nil {
		b.mayRead(untracked, raw)
	}
	if padding {
		b.mayRead(betweenMembers, b.L.True())
	}
	if len(list) == 0 {
		return nil
	}
	b.readError(ts, list)
	for _, d := range list { // once is enough
		if len(ts.list) == 1 && !b.isKnownError(Memory, b.irPos()) {
			b.knowSet(d.s)
		}
	}
	return nil
}

// knowSet notes that a part of a scalar has been written for sure. Another thread's locals may begin anew.
func (b *builder) knowSet(s *stretch) {
	if o := s.c.obj; !o.local || o.owner == b.th.index {
		b.cur.set[s] = true
	}
}

// anyShared reports whether some of these variables are shared.
func anyShared(list []doubt) bool {
	return slices.ContainsFunc(list, func(d doubt) bool { return d.s.mark.v.Thread == ir.Shared })
}

// readError adds the error that something indeterminate is read.
func (b *builder) readError(ts *targets, list []doubt) {
	if b.isKnownError(Memory, b.irPos()) {
		return
	}
	if anyShared(list) {
		b.settle(true)
	}
	b.hasAsserts = true
	to := b.newLocHere()
	to.err, to.check = true, Memory
	to.text = fmt.Sprintf("reads %s, which is not initialised: %s", nameOf(list), b.text())
	var side []*logic.Term
	if !ts.limited {
		side = ts.ok
	}
	private := b.L.False()
	for _, d := range list {
		if d.s.mark.v.Thread != ir.Shared {
			private = b.L.Or(private, d.cond)
			continue
		}
		b.newEdge(b.cur.at, to, to.text, append(assumes(side), ir.AssumeCmd(d.cond))...) // a step touches one location
	}
	if !private.IsFalse() {
		b.newEdge(b.cur.at, to, to.text, append(assumes(side), ir.AssumeCmd(private))...)
	}
}

// nameOf names what may be indeterminate.
func nameOf(list []doubt) string {
	c := list[0].s.c
	o := c.obj
	name := c.v.Source
	for _, d := range list {
		switch {
		case d.s.c.obj != o:
			return "a variable"
		case d.s.c != c:
			name = o.source
		}
	}
	switch {
	case !o.local && !o.raw:
		return "'" + name + "'"
	case o.heap:
		return fmt.Sprintf("memory allocated at line %d", o.pos.Line)
	case name == "":
		return "a variable"
	}
	return fmt.Sprintf("'%s' of line %d", name, o.pos.Line)
}

// mayRead is the error that something indeterminate may be read if a condition holds, as an approximation.
func (b *builder) mayRead(approx string, is *logic.Term) {
	at := b.cur.at
	if !is.IsTrue() && b.cur.depth == 0 { // which byte is watched is a location of its own
		b.settle(true)
		mid := b.th.newLoc(b.irPos())
		mid.atomic = true
		b.newEdge(at, mid, "")
		b.cur.at = mid
	}
	b.approximately(approx, func() {
		b.errorIf(Memory, "may read what is not initialised: "+b.text(), is, nil)
	})
	b.cur.at = at
}

// unsetOf returns the condition that something of what is copied is indeterminate, or raw holds, as a temporary.
func (b *builder) unsetOf(list []doubt, raw *logic.Term) *logic.Term {
	if len(list) == 0 && raw == nil {
		return nil
	}
	if slices.ContainsFunc(list, func(d doubt) bool { return d.cond.IsTrue() }) || raw != nil && raw.IsTrue() {
		return b.L.True()
	}
	if anyShared(list) || raw != nil {
		b.settle(true)
	}
	tmp := b.newTemp(ir.Flag)
	mark := b.hold(b.val(cir.Bool, tmp.Sym))
	is := b.L.False()
	for _, d := range list {
		if d.s.mark.v.Thread != ir.Shared {
			is = b.L.Or(is, d.cond)
		}
	}
	b.emit("", ir.AssignCmd(tmp, b.L.BoolToInt(is)))
	for _, d := range list {
		if d.s.mark.v.Thread == ir.Shared {
			b.emit("", ir.AssignCmd(tmp, b.L.Ite(d.cond, b.L.Int(1), tmp.Sym)))
		}
	}
	if raw != nil {
		b.cur.depth++
		b.emit("", ir.AssignCmd(tmp, b.L.Ite(raw, b.L.Int(1), tmp.Sym)))
		b.leaveAtomic()
	}
	b.release(mark)
	return b.L.IntToBool(tmp.Sym)
}

// loadCopy is load of what is only copied.
func (b *builder) loadCopy(p *value, v cir.Value, a cir.Access) *value {
	before := b.copying
	b.copying = true
	x := b.load(p, v, a)
	b.copying = before
	return x
}

// isIdle reports whether nobody comes to know what a load reads.
func (b *builder) isIdle(in *cir.Load) bool {
	if !b.opts.Check.Memory {
		return false
	}
	if b.idle[b.fr.fn] == nil {
		b.idle[b.fr.fn] = cir.Idle(b.fr.fn)
	}
	return b.idle[b.fr.fn][in]
}

// setCmds returns the commands that tell that some places are written, by something that is indeterminate if unset holds.
// sure tells that they are, whatever their conditions.
func (b *builder) setCmds(list []target, bits int64, sure bool, unset *logic.Term) (cmds []ir.Cmd) {
	if !b.asksSet() {
		return nil
	}
	next := b.L.Int(1)
	if unset != nil {
		next = b.L.BoolToInt(b.L.Not(unset))
		for _, t := range list {
			for _, c := range b.cellsAt(t.obj, t.bit, bits) {
				b.unset.soiled[c.key], b.unset.soiledObjects[c.obj.key] = true, true
			}
		}
	}
	for _, t := range list {
		for _, s := range b.stretchesAt(t.obj, t.bit, bits) {
			if s.lo < t.bit || s.hi > t.bit+bits || unset == nil && b.certain(s) {
				continue
			}
			if unset == nil && sure {
				b.knowSet(s)
			}
			if !b.isMarked(s) {
				continue
			}
			v, n := b.markOf(s), next
			if k := b.cur.consts[v]; k != nil && k.t == n {
				continue
			}
			if !sure {
				n = b.L.Ite(t.cond, n, v.Sym)
			}
			cmds = append(cmds, ir.AssignCmd(v, n))
		}
	}
	return cmds
}

// tellSet makes the steps that tell what is initialised, one for each variable that is shared.
func (b *builder) tellSet(cmds []ir.Cmd) {
	var private []ir.Cmd
	for _, c := range cmds {
		if c.Var.Thread != ir.Shared {
			private = append(private, c)
			continue
		}
		b.settle(true, c.Var)
		b.emit("", c)
	}
	if len(private) > 0 {
		var vars []*ir.Var
		for _, c := range private {
			vars = append(vars, c.Var)
		}
		b.settle(false, vars...)
		b.emit("", private...)
	}
}

// storesSet tells that a store writes.
func (b *builder) storesSet(ts *targets, v cir.Value, bits int64, x, p *value) (*value, *value) {
	cmds, blurred := b.setCmds(ts.list, bits, len(ts.list) == 1, x.unset), b.isBlurredAt(ts)
	if len(cmds) == 0 && !blurred {
		return x, p
	}
	mark := b.hold(x, p)
	b.tellSet(cmds)
	if blurred {
		b.writesVague(b.held[mark+1], v, b.L.Int((bits+7)/8), x.unset)
	}
	x, p = b.held[mark], b.held[mark+1]
	b.release(mark)
	return x, p
}

// givesSet tells that a function of the library, or one without a body, may have written some bits of an object. That it has is assumed, but
// where it is one of comus' own approximations, or where it is asked only whether locks were initialised: then it is not known.
func (b *builder) givesSet(o *object, bit, bits int64, approx string) {
	if b.partly || !b.opts.Check.Memory {
		for _, s := range b.stretchesAt(o, bit, bits) {
			if b.isMarked(s) && !b.certain(s) {
				v := b.markOf(s)
				b.settle(v.Thread == ir.Shared, v)
				b.emit("", ir.HavocCmd(v, "")).approx = approx
			}
		}
		return
	}
	for _, s := range b.stretchesAt(o, bit, bits) {
		if !b.certain(s) {
			b.assume(assumeWritten)
			break
		}
	}
	b.tellSet(b.setCmds([]target{{b.L.True(), o, bit}}, bits, true, nil))
}

// onlyPartly runs what may write to memory, or not.
func (b *builder) onlyPartly(f func()) {
	before := b.partly
	b.partly = true
	f()
	b.partly = before
}

// indeterminate notes that an object begins to be, which nobody has written to.
func (b *builder) indeterminate(o *object) {
	if b.cur == nil || !b.beginsUnset(o) {
		return
	}
	if o.size > 0 {
		b.beginsVague(o, b.L.Int(o.addr), b.L.Int(o.size))
	}
	b.forgetSet(o)
	again := o.begun || b.loops > 0
	o.begun = true
	for _, bit := range slices.Sorted(maps.Keys(b.facts.unset.marked[o.key])) {
		for _, c := range b.cellsAt(o, bit, 1) {
			for _, s := range b.stretchesOf(c) {
				b.unmark(s, again)
			}
		}
	}
}

// unmark tells that a part of a scalar is indeterminate: as it is from the beginning, if its object was not there before.
func (b *builder) unmark(s *stretch, again bool) {
	v := b.markOf(s)
	if again {
		b.settle(v.Thread == ir.Shared, v)
		b.emit("", ir.AssignCmd(v, b.L.Int(0)))
	} else if b.keepsHere(v) {
		b.cur.consts[v] = &value{t: b.L.Int(0)}
	}
}

// forgetSet forgets what is known of an object that ends, or begins anew.
func (b *builder) forgetSet(o *object) {
	maps.DeleteFunc(b.cur.set, func(s *stretch, _ bool) bool { return s.c.obj == o })
	for _, m := range o.marks {
		delete(b.cur.consts, m.v)
	}
}

// parts returns the cells of an object, and of the variables that tell what of it is initialised, in order.
func (o *object) parts() []*cell {
	list := slices.Clone(o.marks)
	for _, c := range o.cells {
		list = append(list, c)
	}
	slices.SortFunc(list, func(x, y *cell) int { return cmp.Compare(x.v.Index, y.v.Index) })
	return list
}

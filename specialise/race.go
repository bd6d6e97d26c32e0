package specialise

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// A data race (C11 5.1.2.4), with locks and sequentially consistent atomics, is a reachable state in which two threads
// are about to access the same byte, one of them to write it, and one of them not atomically. That is a condition on
// where the threads stand, and is asked as one: before an access that is not atomic, a thread may stop for good and tell what it stands
// before, in a variable that only one thread ever sets ([builder.watched]). Whoever then comes to an access of the same byte has
// found a race. As a thread that stands there has done nothing else, no execution is lost, and the error is one of the
// program: nothing is asked of engines but whether an error can be reached.
//
// What a thread tells is four times the address of a byte, plus a number for what it would do there. It is the first byte of those that all accesses of the
// program have in common ([facts.partitions]), one of several if others access a part.
//
// Of each pair of accesses one thread stands: the writer before the reader, the one that is not atomic, of two alike the thread with the smaller
// number. Programs with weaker atomics are another matter: see happens.go.

// accessKind tells what an access does.
type accessKind uint8

const (
	plainRead accessKind = iota
	plainWrite
	atomicRead
	atomicWrite
	accessKinds
)

func kindOf(write, atomic bool) accessKind {
	k := plainRead
	if atomic {
		k = atomicRead
	}
	if write {
		k++
	}
	return k
}

// extent is a range of bytes of an object.
type extent struct{ lo, hi int64 }

// accesses are those of an object by threads that are not alone.
type accesses map[extent]users

// partition are the parts of an object that no access divides, and who accesses them.
type partition struct {
	starts []int64
	by     []users
	met    []map[user]*byKind // what [facts.against] returned
}

// partitionOf divides an object.
func partitionOf(as accesses) *partition {
	s := &partition{}
	for x := range as {
		s.starts = append(s.starts, x.lo, x.hi)
	}
	slices.Sort(s.starts)
	s.starts = slices.Compact(s.starts)
	s.by, s.met = make([]users, len(s.starts)), make([]map[user]*byKind, len(s.starts))
	for i := range s.by {
		s.by[i], s.met[i] = users{}, map[user]*byKind{}
	}
	for _, x := range slices.SortedFunc(maps.Keys(as), func(x, y extent) int { return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(x.hi, y.hi)) }) {
		us := as[x]
		for i := s.at(x.lo); i < len(s.starts) && s.starts[i] < x.hi; i++ {
			s.by[i].join(us)
		}
	}
	return s
}

// at returns the first part that begins at an offset or behind it.
func (s *partition) at(off int64) int {
	i, _ := slices.BinarySearch(s.starts, off)
	return i
}

// noteAccess keeps that the current thread accesses bytes of an object.
func (b *builder) noteAccess(o *object, x extent, k accessKind) {
	if o.abs != nil {
		b.note(b.absBy, o.abs, k)
	}
	as := b.accessed[o.key]
	if as == nil {
		as = accesses{}
		b.accessed[o.key] = as
	}
	if as[x] == nil {
		as[x] = users{}
	}
	b.noteGuard(as[x], k)
}

// conflicts reports whether two accesses to the same byte are a race unless they are ordered.
func conflicts(k, l accessKind) bool {
	return (k == plainWrite || k == atomicWrite || l == plainWrite || l == atomicWrite) && (k < atomicRead || l < atomicRead)
}

// stands reports whether the current thread has to tell of an access to a place.
func (b *builder) stands(by *byKind, k accessKind) bool {
	me := b.th
	if b.facts.weak { // whichever comes first
		for l := range accessKinds {
			if conflicts(k, l) && by[l].other(me) {
				return true
			}
		}
		return false
	}
	switch {
	case me.replicated: // it meets the one that is told apart
	case k == plainWrite:
		w := by[plainWrite]
		return by[plainRead].other(me) || by[atomicRead].other(me) || by[atomicWrite].other(me) || w.some && w.max > me.index || me.single && w.crowd
	case k == plainRead:
		return by[atomicWrite].other(me)
	}
	return false
}

// meets returns the kinds of accesses that the current thread may find others at before an access to the same place.
func (b *builder) meets(by *byKind, k accessKind) (kinds []accessKind) {
	me := b.th
	for l := range accessKinds {
		switch {
		case !conflicts(k, l) || !by[l].other(me):
		case b.facts.weak, k == atomicWrite && l == plainRead, l == plainWrite && k != plainWrite, l == plainWrite && (me.replicated || by[l].some && by[l].min < me.index):
			kinds = append(kinds, l)
		}
	}
	return kinds
}

// accessedPart is a part of an object that an access goes to if cond holds: the address that stands for it.
type accessedPart struct {
	cond *logic.Term
	addr int64 // or what stands for all of an abstract object
	by   *byKind
	abs  *pointsto.Object
	// Of an abstract object: the address and how many bytes from there on, 0 for not known; of a scalar, or of all.
	place *logic.Term
	bytes int64
	whole bool
}

// race asks whether an access, of bits at a pointer, can be part of a race. v is the operand that the pointer is.
func (b *builder) race(ts *targets, p *value, v cir.Value, write bool, a cir.Access) {
	locks := b.opts.Check.Race && b.cur != nil && !b.cur.alone && b.locks(write) && b.isAskedAbout()
	if ts.vague && b.cur != nil && b.opts.Check.Race {
		b.notePart(p, v, ts.bits, a.Bits)
	}
	if !locks && !b.asksRace() {
		return
	}
	k := kindOf(write, a.Order != cir.Plain || b.cur.depth > 0 || locks)
	if ts.vague {
		x := extent{0, (ts.bits + 7) / 8}
		if a.Bits != nil {
			x = locationOf(nil, int64(a.Bits.Offset), int64(a.Bits.Width), a.Bits)
		}
		b.raceVague(p, v, k, x, ts.ok)
		return
	}
	var found [][]accessedPart // of each target
	for _, t := range ts.list {
		b.raceOwned(t, k, ts.ok)
		if s := b.partsAt(t, ts.bits, a.Bits, k); len(s) > 0 {
			found = append(found, s)
		}
	}
	ok := ts.ok
	if b.onlyIf != nil {
		ok = append(slices.Clip(ok), b.onlyIf)
	}
	b.askRace(found, k, ok)
}

// partsAt notes an access to one place, of a bit-field if there is one, and returns the parts that matter.
func (b *builder) partsAt(t target, bits int64, field *cir.Bits, k accessKind) []accessedPart {
	o := t.obj
	if !o.shared || b.cur.unescaped[o] && !b.facts.weak || o.fn != nil || o.global != nil && (o.global.Literal || b.isLibrarys(o.global)) || b.isStream(o.abs) || b.fr.fn.Library && isOwn(o.abs) {
		return nil
	}
	x := extent{t.bit / 8, (t.bit + bits + 7) / 8}
	if field != nil {
		x = locationOf(o.shape, t.bit, bits, field)
		x = extent{max(x.lo, 0), x.hi}
	}
	b.noteAccess(o, x, k)
	all := b.facts.partitions[o.key]
	if all == nil {
		return nil
	}
	me := b.user(k)
	vague := b.facts.vagueBy[o.abs]
	var out []accessedPart
	for i := all.at(x.lo); i < len(all.starts) && all.starts[i] < x.hi; i++ {
		by := all.met[i][me]
		if by == nil {
			by = b.facts.against(all.by[i], me, all.by[i][me])
			all.met[i][me] = by
		}
		if vague != nil {
			by = by.and(b.facts.against(vague, me, all.by[i][me]))
		}
		if len(b.meets(by, k)) > 0 || b.stands(by, k) {
			out = append(out, accessedPart{cond: t.cond, addr: o.addr + all.starts[i], by: by, abs: o.abs})
		}
	}
	return out
}

// askRace adds the steps that ask about an access to some places. They may touch several shared variables: whether the access has a meaning
// may be known by memory that others share, and a place that is not tracked has two.
func (b *builder) askRace(found [][]accessedPart, k accessKind, ok []*logic.Term) {
	if len(found) == 0 {
		return
	}
	at := b.cur.at
	if b.cur.depth == 0 && (found[0][0].place != nil || b.runningHandler() != nil || len(b.sharedIn(&value{t: b.L.Int(0), side: ok})) > 0) {
		mid := b.th.newLoc(b.irPos())
		mid.atomic = true
		b.newEdge(at, mid, "", assumes(ok)...)
		b.cur.at, ok = mid, nil
	}
	b.meetAt(found, k, ok)
	next := b.standBefore(found, k, ok)
	if b.cur.at = at; next != nil {
		b.newEdge(at, next, "")
		b.cur.at = next
	}
}

// locationOf returns the memory location of a bit-field (C11 3.14): all that are next to it, up to one of width 0. Where the access
// does not know it, as an initialiser, the object's shape has to.
func locationOf(s *cir.Shape, bit, bits int64, field *cir.Bits) extent {
	if field.To > field.From {
		first := bit - int64(field.Offset)
		return extent{(first + int64(field.From)) >> 3, (first + int64(field.To) + 7) >> 3}
	}
	x := extent{bit / 8, (bit + bits + 7) / 8}
	run := extent{}
	last := false
	eachMember(s, 0, func(at int64, f *cir.Field) bool {
		if f == nil || f.Bits == nil {
			done := last && run.lo <= bit && bit < run.hi
			last = false
			return !done
		}
		first := at + int64(f.Bits.Offset)
		if last && f.Apart && run.lo <= bit && bit < run.hi {
			return false
		}
		if !last || f.Apart {
			run, last = extent{first, first}, true
		}
		run.hi = max(run.hi, first+int64(f.Bits.Width))
		return true
	})
	if run.lo <= bit && bit < run.hi {
		x = extent{run.lo / 8, (run.hi + 7) / 8}
	}
	return x
}

// eachMember calls f for each member of a shape that has no members itself, with its first bit, and with nil at the end of each
// struct, until f returns false.
func eachMember(s *cir.Shape, at int64, f func(at int64, m *cir.Field) bool) bool {
	switch {
	case s == nil:
	case s.Elem != nil:
		for i := int64(0); i < s.Len && hasBits(s.Elem); i++ {
			if !eachMember(s.Elem, at+i*s.Elem.Size*8, f) {
				return false
			}
		}
	default:
		for i := range s.Fields {
			m := &s.Fields[i]
			first := at + m.Offset*8
			if m.Bits == nil && hasBits(m.Shape) {
				if !f(first, nil) || !eachMember(m.Shape, first, f) {
					return false
				}
				continue
			}
			if !f(first, m) {
				return false
			}
		}
		return f(at, nil)
	}
	return true
}

// hasBits reports whether a shape has bit-fields.
func hasBits(s *cir.Shape) bool {
	if s == nil {
		return false
	}
	return hasBits(s.Elem) || slices.ContainsFunc(s.Fields, func(m cir.Field) bool { return m.Bits != nil || hasBits(m.Shape) })
}

// watched returns the variable by which a thread tells what it stands before: one for all, but that each that is told apart has its own.
func (b *builder) watched(t *thread) *ir.Var {
	if t.single {
		return b.watchOf(t.index)
	}
	return b.watchOf(0)
}

// watchOf returns the variable of the thread that is told apart with this number, or, for 0, that of all other threads.
func (b *builder) watchOf(single int) *ir.Var {
	if b.watch[single] == nil {
		name := "stands"
		if single > 0 {
			name = fmt.Sprintf("t%d.stands", single)
		}
		v := b.newVar(name, "", ir.Type{Bits: 64}, ir.Shared)
		v.Init = &logic.Value{}
		b.watch[single] = v
	}
	return b.watch[single]
}

// watchedBy returns the numbers of those variables that the current thread may find set by others.
func (b *builder) watchedBy(found [][]accessedPart, k accessKind) (singles []int) {
	common, single := false, false
	for _, parts := range found {
		for _, s := range parts {
			for _, l := range b.meets(s.by, k) {
				common, single = common || s.by[l].common && !b.th.replicated, single || s.by[l].single
			}
		}
	}
	if common {
		singles = append(singles, 0)
	}
	for i, t := range b.facts.ofMany {
		if single && t == distinguished && i != b.th.index {
			singles = append(singles, i)
		}
	}
	slices.Sort(singles)
	return singles
}

// codeOf returns what a thread tells that stands at an address, at one of the sets of places that the question is about.
func codeOf(addr int64, k accessKind, where int) int64 {
	return int64(where)<<52 + int64(accessKinds)*addr + int64(k)
}

// standBefore lets the current thread stop before an access, to one part of what it goes to at a time. It returns where it goes on, if it does.
func (b *builder) standBefore(found [][]accessedPart, k accessKind, ok []*logic.Term) (next *loc) {
	if !b.facts.weak && (b.cur.depth > 0 || k == atomicRead || k == atomicWrite) {
		return nil
	}
	w := b.watched(b.th)
	where, _ := b.whereabouts()
	var goesOn *loc
	if b.facts.weak {
		goesOn = b.newLocHere()
	}
	for turn := 0; ; turn++ {
		conds, code := []*logic.Term{}, (*logic.Term)(nil)
		for _, parts := range found {
			parts = slices.DeleteFunc(slices.Clone(parts), func(s accessedPart) bool { return !b.stands(s.by, k) })
			if turn >= len(parts) {
				continue
			}
			s, x := parts[turn], b.L.Int(codeOf(parts[turn].addr, k, where))
			if conds = append(conds, s.cond); code == nil {
				code = x
			} else {
				code = b.L.Ite(s.cond, x, code)
			}
		}
		if code == nil {
			return goesOn
		}
		if s := found[0][0]; s.place != nil {
			conds = []*logic.Term{b.covers(s)}
		}
		b.stand(w, code, append(slices.Clone(ok), b.L.Or(conds...)), goesOn)
	}
}

// stand makes the step by which a thread tells before what it stands; it stops, or goes on.
func (b *builder) stand(w *ir.Var, code *logic.Term, conds []*logic.Term, goesOn *loc) {
	cmds := append(assumes(conds), ir.AssumeCmd(b.L.Eq(w.Sym, b.L.Int(0))), ir.AssignCmd(w, code))
	if b.interruptsKnown() {
		cmds = append(cmds, ir.AssignCmd(b.standsWho(), b.whoStands()))
	}
	to := goesOn
	if to == nil {
		to = b.th.newLoc(b.irPos())
		to.dead = true
	} else {
		cmds = append(cmds, ir.AssignCmd(b.knows(), b.L.Int(1)))
	}
	b.newEdge(b.cur.at, to, StandsBefore+b.text(), cmds...).tells = &ir.Place{Pos: b.irPos(), Text: b.text(), In: b.standing()}
}

// where returns the variable that has the address of the byte of memory that is not tracked for which races are asked about: any one, chosen
// at the beginning.
func (b *builder) where() *ir.Var {
	if b.whereAt == nil {
		b.whereAt = b.newVar("watched", "", irType(b.m.Pointer()), ir.Shared)
	}
	return b.whereAt
}

// meetAt makes it an error that another thread stands before an access that the current one is about to make.
func (b *builder) meetAt(found [][]accessedPart, k accessKind, ok []*logic.Term) {
	for _, w := range b.watchedBy(found, k) {
		var met []*logic.Term
		for _, parts := range found {
			for _, s := range parts {
				for _, l := range b.meets(s.by, k) {
					met = append(met, b.L.And(s.cond, b.standsBefore(b.watchOf(w).Sym, s, l)))
				}
			}
		}
		race := b.L.Or(met...)
		if b.weak() {
			race = b.L.And(race, b.L.Not(b.isTrue(b.knows())))
		}
		if h := b.runningHandler(); h != nil {
			b.meetInHandler(h, race, ok)
			continue
		}
		b.errorIf(Race, RaceAt+b.text(), race, ok)
	}
}

// standsBefore returns the condition that a thread that tells by variable w stands before an access to a place.
func (b *builder) standsBefore(w *logic.Term, s accessedPart, k accessKind) *logic.Term {
	var met []*logic.Term
	mine, _ := b.whereabouts()
	for _, where := range b.facts.asked.with(mine) {
		met = append(met, b.L.Eq(w, b.L.Int(codeOf(s.addr, k, where))))
		switch last := len(met) - 1; {
		case s.abs == nil:
		case s.addr < firstAddress: // at any part of the object, or at the watched byte
			met[last] = b.L.And(met[last], b.covers(s))
			for _, o := range b.instances(s.abs) {
				if !o.vague && o.size > 0 {
					met = append(met, b.L.And(b.L.Le(b.L.Int(codeOf(o.addr, 0, where)), w), b.L.Lt(w, b.L.Int(codeOf(o.addr+o.size, 0, where)))))
				}
			}
		case b.facts.othersVaguely(s.abs, user{b.th.index, k, where}):
			met = append(met, b.L.Eq(w, b.L.Int(codeOf(b.facts.vagueCode(s.abs), k, where))))
		}
	}
	return b.L.Or(met...)
}

// covers returns the condition that the bytes of a place have the watched one among them.
func (b *builder) covers(s accessedPart) *logic.Term {
	if s.bytes == 0 || s.place == nil {
		return b.L.True()
	}
	if s.whole {
		return b.hasWatched(s.place, b.L.Int(s.bytes))
	}
	return b.isWatched(s.abs, s.place, s.bytes)
}

// raceVague is race for an access to some bytes of memory that is not tracked, from a pointer on; none for all of an object: to any of the
// objects that the pointer may point to, at its address, as an approximation.
func (b *builder) raceVague(p *value, v cir.Value, k accessKind, x extent, ok []*logic.Term) {
	if b.pending(p) {
		p = b.detach(p)
	}
	var found [][]accessedPart
	aims := b.aims(p, v)
	b.raceOwnedBy(aims, k, ok)
	for _, abs := range aims {
		if !b.mayRace(abs) {
			continue
		}
		n := x.hi - x.lo
		if n == 0 {
			n = b.facts.spans[abs]
		}
		if by := b.noteVague(abs, k); by != nil {
			found = append(found, []accessedPart{{b.L.True(), b.facts.vagueCode(abs), by, abs, b.L.Add(p.t, b.L.Int(x.lo)), n, x.hi == x.lo}})
		}
	}
	at := len(b.th.edges)
	for _, f := range found {
		b.askRace([][]accessedPart{f}, k, slices.Concat(ok, p.side))
	}
	for _, e := range b.th.edges[at:] {
		e.approx = untracked
	}
}

// aims returns the abstract objects that a pointer may point to.
func (b *builder) aims(p *value, v cir.Value) []*pointsto.Object {
	if p.at != nil && p.at.obj.abs != nil {
		return []*pointsto.Object{p.at.obj.abs}
	}
	var list []*pointsto.Object
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		if !l.Obj.IsFunc() && !slices.Contains(list, l.Obj) {
			list = append(list, l.Obj)
		}
	}
	return list
}

// note keeps that the current thread accesses an abstract object.
func (b *builder) note(m map[*pointsto.Object]users, abs *pointsto.Object, k accessKind) {
	if m[abs] == nil {
		m[abs] = users{}
	}
	b.noteGuard(m[abs], k)
}

// noteVague notes an access to some part of an abstract object, and returns who else accesses the object such that it could
// be a race: nil if nobody does.
func (b *builder) noteVague(abs *pointsto.Object, k accessKind) *byKind {
	b.note(b.vagueBy, abs, k)
	b.note(b.absBy, abs, k)
	us, me := b.facts.absBy[abs], b.user(k)
	by := b.facts.against(us, me, us[me])
	if *by == (byKind{}) {
		return nil
	}
	return by
}

// vagueCode returns what stands for the address of an access to some part of an abstract object. It is smaller than all addresses.
func (s *facts) vagueCode(abs *pointsto.Object) int64 {
	if s.codes == nil {
		s.codes = map[*pointsto.Object]int64{}
	}
	if s.codes[abs] == 0 {
		s.codes[abs] = int64(len(s.codes)) + 1
	}
	return s.codes[abs]
}

// raceAll is race for bytes of an object that are all accessed: it is freed, or a function of the system does that.
func (b *builder) raceAll(list []target, from, n int64, write bool, approx string) {
	if !b.asksRace() {
		return
	}
	size := (*value)(nil)
	if n >= 0 {
		size = b.constVal(b.m.Size(), n)
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].bit = from * 8
	}
	k := kindOf(write, b.cur.depth > 0)
	b.approximately(approx, func() { b.askRace(b.partsOf(list, size, k), k, nil) })
}

// othersVaguely reports whether another thread than a user's accesses some part of an abstract object as the user does.
func (s *facts) othersVaguely(abs *pointsto.Object, me user) bool {
	for u, g := range s.vagueBy[abs] {
		if g.seen() && u.kind == me.kind && u.where == me.where && (u.thread != me.thread || g.many) {
			return true
		}
	}
	return false
}

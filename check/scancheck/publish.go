package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// What is done to an object before any other thread knows it is no race with what is done by those who get to know it, if they get to know it by
// synchronising: whoever finds its address in memory has that from an access which is free of races with the one that put it there. So
// where a location is not certified, or is accessed by atomics that do not synchronise, owning the objects whose addresses may be there
// is void, and what rests on that is not certified either. Of an execution, the first race in what is left would have one before
// it where the address was found.

// publication is what is known of memory in which addresses are found.
type publication struct {
	void map[*pointsto.Object]bool
	// seen are the accesses of memory that no location speaks of.
	seen map[*pointsto.Object]map[unlisted]bool
	// missing is the memory that several threads access, and no location speaks of.
	missing []string
}

// unlisted is such an access.
type unlisted struct {
	t     *thread
	bytes extent
	write bool
}

func newPublication() publication {
	return publication{void: map[*pointsto.Object]bool{}, seen: map[*pointsto.Object]map[unlisted]bool{}}
}

// unlisted notes an access if no location speaks of all of it.
func (ls *locations) unlisted(t *thread, o *pointsto.Object, x *touch, bytes extent) {
	if size := o.Size(); size >= 0 {
		bytes = extent{max(bytes.lo, 0), min(bytes.hi, size)}
	}
	if x.frees || o.IsFunc() || !o.Escaped || o.Global != nil && o.Global.Literal {
		return
	}
	for _, l := range ls.of[o.ID] {
		if l.Kind == certificate.Memory && l.Lo <= bytes.lo && bytes.hi <= l.Hi {
			return
		}
	}
	if ls.public.seen[o] == nil {
		ls.public.seen[o] = map[unlisted]bool{}
	}
	ls.public.seen[o][unlisted{t, bytes, x.write}] = true
}

// silent reports whether several threads access some bytes of an object, one of them to write, where no location speaks of both accesses.
func (ls *locations) silent(o *pointsto.Object) bool {
	for a := range ls.public.seen[o] {
		for b := range ls.public.seen[o] {
			if a.write && (a.t != b.t || a.t.Many) && a.bytes.meets(b.bytes) && !ls.spoken(o, a.bytes, b.bytes) {
				return true
			}
		}
	}
	return false
}

// spoken reports whether a location of an object speaks of two accesses, be it for a part of them: then it tells whether the two race.
func (ls *locations) spoken(o *pointsto.Object, x, y extent) bool {
	return slices.ContainsFunc(ls.of[o.ID], func(l *location) bool {
		in := extent{l.Lo, l.Hi}
		return l.Kind == certificate.Memory && x.meets(in) && y.meets(in)
	})
}

// judge verifies the pairs of all locations, and what rests on objects being owned again where that is void.
func (ls *locations) judge() {
	for _, o := range ls.pts.Objects {
		outside := o.External || o.Global != nil && o.Global.External
		open := ls.silent(o)
		if open {
			ls.public.missing = append(ls.public.missing, o.String())
		}
		if open || outside {
			ls.voidHeld(ls.pts.Held(o))
		}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range ls.list {
			right := l.wrong == ""
			ls.pairs(l)
			changed = changed || right && l.wrong != "" && (ls.signals.used || ls.latches.used || ls.counting.done) // a flag orders only as long as it is race-free, and a member leads to what belongs to an object
			if l.Kind == certificate.Memory && !l.noted && (l.wrong != "" || ls.relaxed(l)) {
				l.noted = true
				changed = ls.voidHeld(ls.held(l)) || changed
			}
		}
	}
	ls.judgeHidden()
}

// held returns what addresses may be found at a location.
func (ls *locations) held(l *location) []pointsto.Location {
	o := ls.pts.Objects[l.Object]
	if !l.wide && l.Lo >= 0 && l.Hi-l.Lo <= 8 && l.Lo%8 == 0 && !o.External && ls.prog.Model.PointerBits == 64 {
		return ls.pts.Contents(o, l.Lo)
	}
	return ls.pts.Held(o)
}

// voidHeld makes owning some objects void. It reports whether that is news.
func (ls *locations) voidHeld(to []pointsto.Location) (changed bool) {
	for _, l := range to {
		if !ls.public.void[l.Obj] {
			ls.public.void[l.Obj], changed = true, true
		}
	}
	return changed
}

// relaxed reports whether a location is accessed by atomics that do not synchronise, in such a way that nothing else orders what one of them reads, or writes, and the
// accesses that write, or read, that: neither a lock that both hold, nor that they are never made at the same time.
func (ls *locations) relaxed(l *location) bool {
	for _, g := range l.groups {
		for _, h := range l.groups {
			if g.relaxed && (g.Write || h.Write) && !ls.single() && ls.parallel(g.t, g.running, h.t, h.running) && !ls.common(g, h) {
				return true
			}
		}
	}
	return false
}

// isRelaxed reports whether an access is atomic, and does not synchronise in all ways that it might.
func isRelaxed(in cir.Located) bool {
	gets := func(o cir.Order) bool {
		return o == cir.Acquire || o == cir.AcqRel || o == cir.SeqCst || o == cir.Plain
	}
	puts := func(o cir.Order) bool {
		return o == cir.Release || o == cir.AcqRel || o == cir.SeqCst || o == cir.Plain
	}
	switch in := in.(type) {
	case *cir.Load:
		return !gets(in.Order)
	case *cir.Store:
		return !puts(in.Order)
	case *cir.RMW:
		return !gets(in.Order) || !puts(in.Order)
	case *cir.CmpXchg:
		return !gets(in.Order) || !puts(in.Order) || !gets(in.Failure)
	}
	return false
}

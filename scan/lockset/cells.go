package lockset

import (
	"slices"

	"comus/cir"
	"comus/scan/escape"
	"comus/scan/pointsto"
)

// write is an instruction that writes memory from an offset on. Those of one instruction of a copy share what is said of it.
type write struct {
	*writing
	off int64
}

// writing is an instruction of a copy that writes memory.
type writing struct {
	copy pointsto.Copy
	in   cir.Instr
	size int64 // -1: not known
	// asked tells that alone is the answer of private.
	asked, alone bool
}

// cells knows who writes what.
type cells struct {
	pts    *pointsto.Result
	model  cir.Model
	single func(pointsto.Copy, cir.Instr) bool
	escape *escape.Result
	writes map[*pointsto.Object][]write
	vague  map[*pointsto.Object]bool     // written in ways that no operand tells
	home   map[*cir.Call][]pointsto.Copy // who makes a call, of the program's own
	// writers are, for a location and size, the copies that may run a write there, or call who does.
	writers map[place]map[pointsto.Copy]bool
}

// private reports whether nobody else may know of a write when it is made: there is one thread only, or it writes what only this
// one knows.
func (cs *cells) private(w *writing) bool {
	if !w.asked {
		w.asked, w.alone = true, cs.isPrivate(w)
	}
	return w.alone
}

func (cs *cells) isPrivate(w *writing) bool {
	if cs.single(w.copy, w.in) {
		return true
	}
	if w.copy.Func.Library {
		return w.copy.Ctx.Call != nil && cs.home[w.copy.Ctx.Call] != nil && !slices.ContainsFunc(cs.home[w.copy.Ctx.Call], func(c pointsto.Copy) bool {
			return !cs.escape.Writes(c, w.copy.Ctx.Call)
		})
	}
	vs := pointsto.Writes(w.in)
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v cir.Value) bool { return v != nil && !cs.escape.Owned(w.copy, w.in, v) })
}

// place is a piece of memory.
type place struct {
	l    pointsto.Location
	size int64
}

// findCells collects all writes.
func findCells(model cir.Model, pts *pointsto.Result, single func(pointsto.Copy, cir.Instr) bool) *cells {
	cs := &cells{pts: pts, model: model, single: single, writes: map[*pointsto.Object][]write{}, vague: map[*pointsto.Object]bool{}, home: map[*cir.Call][]pointsto.Copy{}, writers: map[place]map[pointsto.Copy]bool{}}
	for _, c := range pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok && !c.Func.Library {
					cs.home[call] = append(cs.home[call], c)
				}
				cs.collect(c, in)
			}
		}
	}
	return cs
}

func (cs *cells) collect(c pointsto.Copy, in cir.Instr) {
	for _, v := range pointsto.Writes(in) {
		if v == nil {
			continue
		}
		w := &writing{copy: c, in: in, size: cs.written(c, in)}
		for _, l := range cs.pts.Places(c.Func, c.Ctx, v) {
			if !l.Obj.IsFunc() {
				cs.writes[l.Obj] = append(cs.writes[l.Obj], write{w, l.Off})
			}
		}
	}
	if i, ok := in.(*cir.Intrinsic); ok && (i.Op == cir.Scan || (i.Op == cir.Print || i.Op == cir.Format) && cs.pts.Counts(c.Func, c.Ctx, i)) {
		for _, list := range cs.pts.Places(c.Func, c.Ctx, i.Args[len(i.Args)-1]) {
			for _, l := range cs.pts.Held(list.Obj) {
				cs.vague[l.Obj] = true
			}
		}
	}
}

// written returns how many bytes an instruction of a copy writes, -1 if that is not known.
func (cs *cells) written(c pointsto.Copy, in cir.Instr) int64 {
	switch in := in.(type) {
	case *cir.Store:
		return cs.model.SizeOf(in.Type)
	case *cir.RMW:
		return cs.model.SizeOf(in.Type)
	case *cir.CmpXchg:
		return cs.model.SizeOf(in.Type)
	case *cir.Copy:
		return c.Given(in.Size)
	case *cir.Fill:
		return c.Given(in.Size)
	case *cir.Call:
		if in.Result.Shape != nil {
			return in.Result.Shape.Size
		}
	case *cir.Intrinsic:
		if in.Op == cir.Lock || in.Op == cir.Unlock {
			return 4
		}
	}
	return -1
}

// overlaps reports whether a write may touch bytes of a location.
func (w *write) overlaps(l pointsto.Location, size int64) bool {
	return pointsto.Location{Obj: l.Obj, Off: w.off}.Touches(w.size, l, size)
}

// stable reports whether what a load in a copy reads never changes while that copy runs, and is the same in all threads.
func (cs *cells) stable(c pointsto.Copy, in *cir.Load) bool {
	at := cs.pts.Places(c.Func, c.Ctx, in.Addr)
	for _, l := range at {
		if !cs.constant(c, l, cs.model.SizeOf(in.Type)) {
			return false
		}
	}
	return len(at) > 0
}

// constant reports that of one location that is loaded.
func (cs *cells) constant(c pointsto.Copy, l pointsto.Location, size int64) bool {
	o := l.Obj
	switch {
	case o.External || o.IsFunc() || o.Global != nil && o.Global.External || o.Local != nil && o.Local.Index < 0:
		return false
	case !o.Written && o.Global != nil:
		return true
	case cs.vague[o] || cs.pts.Outside(o):
		return false
	}
	if i, ok := o.Site.(*cir.Intrinsic); ok && i.Op == cir.Resize {
		return false
	}
	p := place{l, size}
	writers, known := cs.writers[p]
	if !known {
		writers = cs.whoWrites(p)
		cs.writers[p] = writers
	}
	return writers != nil && !writers[c]
}

// whoWrites returns the copies that write a place before there are threads, and who calls them; nil if it is written later, too.
func (cs *cells) whoWrites(p place) map[pointsto.Copy]bool {
	found := map[pointsto.Copy]bool{}
	var work []pointsto.Copy
	for _, w := range cs.writes[p.l.Obj] {
		if !w.overlaps(p.l, p.size) {
			continue
		}
		if !cs.private(w.writing) {
			return nil
		}
		work = append(work, w.copy)
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if !found[c] {
			found[c] = true
			work = append(work, cs.pts.Callers(c)...)
		}
	}
	return found
}

// changes reports whether a copy, or what it calls, may change what is stable elsewhere.
func (cs *cells) changes(c pointsto.Copy) bool {
	for _, writers := range cs.writers {
		if writers[c] {
			return true
		}
	}
	return false
}

package accesses

import (
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// Who reads a scalar of a local, or of memory from malloc, reads it after it was written (definite initialisation, as Java demands of locals). For locals that are accessed by their names
// only, that follows from the stores that reach a load. Of other objects, nobody reads what a cell holds when its object begins: that is what begun.go finds. A copy is no read, but what it writes is
// no more initialised than what it is copied from. So a cell is initialised if its object begins with zeros, or nobody reads what it begins with, and each copy that may write it
// is one of initialised cells. The greatest set of such cells is right: a first read of what was never written would have to find it where it is when its object begins, or where a copy has put it.

// initialised are the cells and objects of which all that is ever read was written.
type initialised struct {
	p     *program
	cells map[pointsto.Location]bool
	whole map[*pointsto.Object]bool // wherever it is read
}

// findInitialised finds what is initialised, of the cells that are loaded.
func (p *program) findInitialised(cells map[*pointsto.Object][]int64) {
	x := &initialised{p, map[pointsto.Location]bool{}, map[*pointsto.Object]bool{}}
	for _, o := range p.pts.Objects {
		x.whole[o] = beginsWritten(o)
		for _, off := range cells[o] {
			l := pointsto.Location{Obj: o, Off: off}
			x.cells[l] = off&textBit == 0 && (x.whole[o] || p.begun[l])
		}
	}
	for changed := true; changed; {
		changed = false
		for _, o := range p.pts.Objects {
			if x.whole[o] && !x.keepsWhole(o) {
				x.whole[o], changed = false, true
			}
			for _, off := range cells[o] {
				if l := (pointsto.Location{Obj: o, Off: off}); x.cells[l] && !x.keeps(l) {
					x.cells[l], changed = false, true
				}
			}
		}
	}
	p.init = x
}

// beginsWritten reports whether an object begins with values in all of it: variables do, and what calloc allocates; and what the library has, or strdup returns.
func beginsWritten(o *pointsto.Object) bool {
	switch {
	case o.Local != nil:
		return o.Func.Library
	case o.Site != nil:
		return zeroed(o)
	}
	return true
}

// keepsWhole reports whether all copies to an object are of objects that are initialised as a whole.
func (x *initialised) keepsWhole(o *pointsto.Object) bool {
	for _, w := range x.p.writes[o] {
		if w.kind == writesCopy && x.p.reached[w.by] && !x.wholes(w.from) {
			return false
		}
	}
	return true
}

func (x *initialised) wholes(ls []pointsto.Location) bool {
	for _, l := range ls {
		if !x.whole[l.Obj] {
			return false
		}
	}
	return len(ls) > 0
}

// keeps reports whether all copies that may write a cell are of cells that are initialised.
func (x *initialised) keeps(c pointsto.Location) bool {
	at, size := x.p.unmarked(c.Off)
	l := pointsto.Location{Obj: c.Obj, Off: at}
	for _, w := range x.p.writes[c.Obj] {
		if w.kind != writesCopy || !x.p.reached[w.by] || !w.at.Touches(w.size, l, size) || x.wholes(w.from) {
			continue
		}
		if w.size < 0 || len(w.from) == 0 || !x.p.covers(w, l, size) {
			return false
		}
		for _, s := range w.from {
			if s.Off == pointsto.Any || s.Off < 0 || !within(s, w.size) {
				return false
			}
			if from := s.Obj.Reduce(s.Off + at - w.at.Off); !x.whole[s.Obj] && !x.cells[pointsto.Location{Obj: s.Obj, Off: from | c.Off&marks}] {
				return false
			}
		}
	}
	return true
}

// notInitialised is why a read is an error.
const notInitialised = "may read what is not initialised"

// initialised checks that some bytes were written that are read as a scalar; "" if they were.
func (p *program) initialised(at place, addr cir.Value, a cir.Access) string {
	size := sizeOf(a.Type)
	for _, l := range p.places(at.copy, addr) {
		if p.init.whole[l.Obj] || p.init.holds(l, size, a.Bits) {
			continue
		}
		return l.Obj.String() + ": " + notInitialised
	}
	return ""
}

// holds reports whether a scalar, or all bytes of a bit-field, are initialised.
func (x *initialised) holds(l pointsto.Location, size int64, bits *cir.Bits) bool {
	if l.Off < 0 {
		return false
	}
	if bits == nil {
		off, ok := marked(l.Off, size)
		return ok && x.cells[pointsto.Location{Obj: l.Obj, Off: off}]
	}
	for _, k := range bytesOf(bits) {
		if !x.cells[pointsto.Location{Obj: l.Obj, Off: l.Obj.Reduce(l.Off+k) | cell1}] {
			return false
		}
	}
	return true
}

// bytesOf returns the bytes that a bit-field has bits in.
func bytesOf(b *cir.Bits) (list []int64) {
	for k := int64(b.Offset) / 8; k*8 < int64(b.Offset+b.Width); k++ {
		list = append(list, k)
	}
	return list
}

// readsTimes returns the times that a function of the library reads, of which it needs both members: which argument it is, -1 for none.
func readsTimes(f *cir.Func) int {
	switch f.Source {
	case "nanosleep":
		return 0
	case "pthread_mutex_timedlock":
		return 1
	case "pthread_cond_timedwait":
		return 2
	}
	return -1
}

// readByCallee checks that what a function of the library reads is initialised. Strings are looked at elsewhere.
func (p *program) readByCallee(at place, in *cir.Call, f *cir.Func) string {
	if i := readsTimes(f); i >= 0 && i < len(in.Args) {
		for _, l := range p.places(at.copy, in.Args[i].X) {
			if !p.init.whole[l.Obj] && !(p.init.holds(l, 8, nil) && p.init.holds(pointsto.Location{Obj: l.Obj, Off: l.Off + 8}, 8, nil)) {
				return l.Obj.String() + ": " + notInitialised
			}
		}
	}
	if f.Source == "memcmp" {
		for _, arg := range in.Args[:2] {
			for _, l := range p.places(at.copy, arg.X) {
				if !p.init.whole[l.Obj] {
					return l.Obj.String() + ": " + notInitialised
				}
			}
		}
	}
	return ""
}

// mayBeUnset reports whether control may get to a load of a plain local without a store to it, since its life has begun: in the copy, where calls that never return end it.
func (p *program) mayBeUnset(at place, in *cir.Load) bool {
	f := p.function(p.copies[at.copy].Func)
	l, ok := in.Addr.(*cir.Local)
	if !ok || !f.finds[in].unset {
		return !ok
	}
	seen := make([]bool, len(f.fn.Blocks))
	var work []*cir.Block
	// walk follows a block from an instruction on, with no store before, and reports whether it gets to the load.
	walk := func(b *cir.Block, from int) bool {
		for _, i := range b.Instrs[from:] {
			if !p.reached[place{at.copy, i}] {
				return false
			}
			if i == cir.Instr(in) {
				return true
			}
			if s, ok := i.(*cir.Store); ok && s.Addr == cir.Value(l) {
				return false
			}
		}
		if p.reached[place{at.copy, b.Term}] {
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				if !seen[to.Index] {
					seen[to.Index] = true
					work = append(work, to)
				}
			})
		}
		return false
	}
	if walk(f.fn.Blocks[0], 0) {
		return true
	}
	for _, b := range f.fn.Blocks {
		for i, y := range b.Instrs {
			s, starts := y.(*cir.LifeStart)
			e, ends := y.(*cir.LifeEnd)
			if (starts && s.Local == l || ends && e.Local == l) && walk(b, i) {
				return true
			}
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if walk(b, 0) {
			return true
		}
	}
	return false
}

// surelyWrites returns the argument that a function of the library writes some bytes to, whenever it returns; no bytes if there is none.
func (p *program) surelyWrites(at place, in *cir.Call, f *cir.Func) (arg int, size int64) {
	if len(in.Args) < len(contracts[f.Source]) {
		return 0, 0
	}
	switch f.Source {
	case "time":
		return 0, 8
	case "sem_getvalue":
		return 1, 4
	case "clock_gettime":
		if c, ok := in.Args[0].X.(cir.Int); ok {
			if n, ok := c.Int64(); ok && 0 <= n && n <= lastClock {
				return 1, 16
			}
		}
	case "pthread_create": // before the thread begins
		if neverFails(f) {
			p.assumed[pointsto.StoresFirst] = true
			return 0, 8
		}
	case "pthread_join": // unless threads wait for each other; but nobody knows the id of the first one
		if !p.asksWho && p.running.Alone(at.copy, in, nil) {
			return 1, 8
		}
	}
	return 0, 0
}

// lastClock is the last one of the clocks that there always are, from CLOCK_REALTIME on.
const lastClock = 7

// neverFails reports whether a function of the library is taken not to fail: its model says that as an assumption.
func neverFails(f *cir.Func) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if x, ok := in.(*cir.Intrinsic); ok && x.Op == cir.Assumed && strings.HasSuffix(x.Name, "does not fail") {
				return true
			}
		}
	}
	return false
}

// undefined checks an instruction that uses a value that there is none of: what a function returns that ends without a return statement, if a caller looks at it.
func (p *program) undefined(at place) string {
	found := false
	look := func(v cir.Value) {
		_, undef := v.(cir.Undef)
		found = found || undef
	}
	switch in := at.in.(type) {
	case *cir.Return:
		if in.X == nil {
			return ""
		}
		if look(in.X); !found || !p.resultUsed(at.copy) {
			return ""
		}
		return "what is returned has no value, and is used"
	case cir.Term:
		cir.TermOperands(in, look)
	case cir.Instr:
		if c, ok := in.(*cir.Convert); ok && (c.X != cir.Value(cir.Undef{Type: p.prog.Model.TypeOf(c.X)}) || !p.uses(at.copy, c.Dst)) {
			return ""
		}
		cir.Operands(in, look)
	}
	if found {
		return notInitialised
	}
	return ""
}

// resultUsed reports whether somebody may use what a copy returns: a caller, or whoever joins a thread.
func (p *program) resultUsed(c int) bool {
	if p.begins(c) && p.asksResults {
		return true
	}
	for _, at := range p.callers[c] {
		call := at.in.(*cir.Call)
		if call.Dst != nil && p.uses(at.copy, call.Dst) {
			return true
		}
	}
	return false
}

// uses reports whether a copy has a use of a register.
func (p *program) uses(c int, r *cir.Reg) (yes bool) {
	look := func(v cir.Value) { yes = yes || v == cir.Value(r) }
	for _, b := range p.copies[c].Func.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, look)
		}
		cir.TermOperands(b.Term, look)
	}
	return yes
}

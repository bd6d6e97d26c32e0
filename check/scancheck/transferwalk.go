package scancheck

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// follow follows a thread that begins with a copy, in all ways. If it is the program's first one, it finds containers as they are when the program begins.
func (w *transferWalk) follow(root int, first bool) {
	s := &hstate{first: first, objs: []hobj{{of: notMine, link: hval{kind: hWild}}}, cells: make([]hval, len(w.cells)),
		rows: make([]hrow, len(w.rows)), nums: make([]hval, len(w.nums)), own: make([]hval, len(w.words))}
	s.calls = []*hframe{{copy: root, vars: map[int]hval{}, regs: map[int]hval{}}}
	w.entered[root] = true
	seen := map[string]bool{}
	for work := []*hstate{s}; len(work) > 0 && w.why == ""; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		p := &hpick{}
		for again := true; again && w.why == ""; again = p.more() {
			if w.steps++; w.steps > maxTransferSteps {
				w.no("that takes too long", nil)
			}
			t := s.copied()
			w.step(t, p)
			if p.none || len(t.calls) == 0 {
				continue
			}
			if t.frame().next == 0 || len(p.path) > 0 {
				if w.link >= 0 { // there are no arrays, so links alone settle what leads to an object
					w.part(t)
					t.fold()
				}
				if t.drop(); len(w.rows) > 0 {
					w.settleRows(t)
				}
				if w.kind != nil {
					w.settleKinds(t)
				}
				key := t.text()
				if seen[key] {
					continue
				}
				seen[key] = true
			}
			work = append(work, t)
		}
	}
}

// step is one instruction.
func (w *transferWalk) step(s *hstate, p *hpick) {
	f := s.frame()
	b := w.ls.copies[f.copy].Func.Blocks[f.block]
	var at cir.Located = b.Term
	if f.next < len(b.Instrs) {
		at = b.Instrs[f.next]
	}
	w.met[placeInCopy{f.copy, at}] = true
	if single := w.alone[placeInCopy{f.copy, at}]; single != s.single {
		s.single = single // alone is as good as all locks
		for k := range w.locks {
			if single && w.ofKind(k) {
				continue // it is opened when it is accessed
			}
			if single && !s.open[k] && s.first {
				w.takeIn(s, k, w.beginnings(k), true, p)
			} else if single && !s.open[k] {
				w.take(s, k, p)
			} else if !single && s.open[k] && !s.locked[k] {
				w.give(s, k, at, p)
			}
			if p.none || w.why != "" {
				return
			}
		}
		switch {
		case !single:
			w.notAlone(s, at)
		case w.withEnd && s.kinds.time > 0:
			w.atEnd(s)
		}
	}
	s.first = false
	if f.next == len(b.Instrs) {
		w.jump(s, b.Term, p)
		return
	}
	f.next++
	w.instr(s, b.Instrs[f.next-1], p)
}

// instr is an instruction that is no terminator.
func (w *transferWalk) instr(s *hstate, in cir.Instr, p *hpick) {
	if s.over {
		w.overInstr(s, in, p)
		return
	}
	f := s.frame()
	fn := w.ls.copies[f.copy].Func
	w.spoilsOwn(s, in)
	switch in := in.(type) {
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && w.ls.locks.followed(fn)[l] {
			v := w.asSame(s, w.asIndex(s, f.vars[l.Index], in.Type), in.Type)
			if f.assign(in.Dst, v); v.kind == hIndex || v.kind == hSame {
				f.vars[l.Index] = v
			}
			return
		}
		f.assign(in.Dst, w.read1(s, in, p))
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && w.ls.locks.followed(fn)[l] {
			v := w.whole(s, in.X, p)
			if delete(f.vars, l.Index); v.kind != hAny {
				f.vars[l.Index] = v
			}
			return
		}
		w.write1(s, in, p)
	case *cir.Call:
		w.callOf(s, in, p)
	case *cir.LifeStart:
		delete(f.vars, in.Local.Index)
	case *cir.LifeEnd:
		delete(f.vars, in.Local.Index)
	case *cir.Fill:
		if n := w.ls.copies[f.copy].Given(in.Size); !w.clears(s, in, n, p) {
			w.several(s, in.Dst, n, true, in, p)
		}
	case *cir.Copy:
		n := w.ls.copies[f.copy].Given(in.Size)
		w.several(s, in.Src, n, false, in, p)
		w.several(s, in.Dst, n, true, in, p)
	default:
		if w.actsIn(f.copy, in) {
			w.no("an instruction is not followed", in)
		}
		v := w.computed(s, in, p)
		for _, r := range cir.Results(in) {
			f.assign(r, v)
		}
	}
}

func (f *hframe) assign(r *cir.Reg, v hval) {
	if r == nil {
		return
	}
	if delete(f.regs, r.Index); v.kind != hAny {
		f.regs[r.Index] = v
	}
}

// value returns what an operand is, without marks of numbers; what may be an address in the followed object is decided.
func (w *transferWalk) value(s *hstate, v cir.Value, p *hpick) hval {
	x := w.whole(s, v, p)
	if x.kind == hSame {
		return hval{}
	}
	return x
}

// whole returns what an operand is.
func (w *transferWalk) whole(s *hstate, v cir.Value, p *hpick) hval {
	if s.over {
		return w.overValue(s, v)
	}
	f := s.frame()
	reg, isReg := v.(*cir.Reg)
	switch v := v.(type) {
	case cir.Int:
		if n, ok := v.Int64(); ok && -500 < n && n < 500 {
			return hval{hNumber, int(n), 0}
		}
		return hval{}
	case cir.Null:
		if v.Addr == 0 {
			return hval{kind: hNumber}
		}
		return hval{kind: hElse}
	case cir.Float, cir.Undef:
		return hval{}
	}
	if isReg {
		if x, ok := f.regs[reg.Index]; ok {
			if x.kind == hSame && x.off != width(reg.Type) {
				return hval{}
			}
			return x
		}
	}
	at := w.at(f.copy, v)
	x := hval{kind: hElse}
	switch k := w.cell(at); {
	case k >= 0:
		if x = (hval{hCell, k, 0}); isReg && p.pick(2) == 0 {
			x = hval{kind: hNumber}
		}
	case w.inKind(at):
		off, _ := w.within(at)
		switch {
		case !isReg:
			x = hval{hSpot, s.byRecipe(recipe{at: at[0].Obj.ID, off: at[0].Off}), off}
		case p.pick(2) == 0:
			x = hval{kind: hNumber}
		default:
			x = hval{hSpot, s.newMark(), off}
		}
	case w.toObject(at):
		switch p.pick(3) {
		case 0:
			x = hval{kind: hNumber}
		case 1:
			x = hval{hObject, 0, w.offsetIn(at)}
		}
	case isReg:
		x = hval{}
	}
	if isReg {
		f.assign(reg, x)
	}
	return x
}

// inKind is within, without where.
func (w *transferWalk) inKind(at []pointsto.Location) bool {
	_, ok := w.within(at)
	return ok
}

// offsetIn returns the offset of all those of some places that are in objects.
func (w *transferWalk) offsetIn(at []pointsto.Location) int64 {
	off, first := noOff, true
	for _, l := range at {
		switch {
		case !w.objects[l.Obj]:
		case l.Off == pointsto.Any || !first && l.Off != off || !l.Exact():
			return noOff
		default:
			off, first = l.Off, false
		}
	}
	return off
}

// target is what an access goes to: a cell, or an object, perhaps one without a name (nameless). link: its link, perhaps among other bytes; only: just its link.
type target struct {
	cell, obj  int
	link, only bool
}

const (
	nothing  = -1
	nameless = -2
)

// target returns what an access of n bytes goes to.
func (w *transferWalk) target(s *hstate, addr cir.Value, n int64, in cir.Located, p *hpick) target {
	t := target{cell: nothing, obj: nothing}
	at := w.at(s.frame().copy, addr)
	if w.row(at) >= 0 || w.number(at) >= 0 {
		w.no("an array or a number is accessed in a way that is not followed", in)
		return t
	}
	if k := w.cell(at); k >= 0 {
		if t.cell = k; n != w.word {
			w.no("a part of a cell is accessed", in)
		}
		return t
	}
	if !w.toObject(at) && !w.toCells(at, n) {
		return t
	}
	v := w.value(s, addr, p)
	lo := []int64{}
	switch v.kind {
	case hNumber:
		p.none = true // undefined
		return t
	case hCell:
		if t.cell = v.id; n != w.word || v.off != 0 {
			w.no("a part of a cell is accessed", in)
		}
		return t
	case hSpot:
		t.cell = w.spotCell(s, v, n, in, p)
		return t
	case hObject:
		if t.obj = v.id; v.off != noOff {
			lo = []int64{v.off}
		}
	default:
		if w.toCells(at, n) {
			w.no("it is not known which cell is accessed", in)
		}
		if !w.toObject(at) {
			return t
		}
		t.obj = nameless
	}
	if w.link < 0 {
		return t
	}
	if len(lo) == 0 {
		for _, l := range at {
			if w.objects[l.Obj] {
				lo = append(lo, l.Off)
			}
		}
	}
	t.only = n == w.word && len(lo) > 0
	for _, off := range lo {
		t.only = t.only && off == w.link
		t.link = t.link || off == pointsto.Any || n < 0 || off < w.link+w.word && w.link < off+n
	}
	t.link = t.link || len(lo) == 0
	return t
}

// may verifies that the object of a target may be accessed.
func (w *transferWalk) may(s *hstate, t target, in cir.Located) {
	if t.obj == 0 && s.single && w.living && s.objs[0].of == notMine {
		w.no("an object may be accessed that was freed", in)
	}
	if t.obj != 0 || s.single {
		return
	}
	if of := s.objs[0].of; of != mine && (of < 0 || !s.open[of]) {
		w.no("an object may be accessed that belongs to somebody else", in)
	}
}

// openCell verifies that a cell may be accessed.
func (w *transferWalk) openCell(s *hstate, k int, in cir.Instr) bool {
	if !s.open[w.cells[k].box] {
		w.no("a cell is accessed without its lock", in)
	}
	return w.why == ""
}

// inside reports whether an object belongs to a container that is open.
func (s *hstate) inside(i int) bool { return s.objs[i].of >= 0 && s.open[s.objs[i].of] }

// read1 is a load.
func (w *transferWalk) read1(s *hstate, in *cir.Load, p *hpick) hval {
	at := w.at(s.frame().copy, in.Addr)
	if row := w.row(at); row >= 0 {
		return w.readElement(s, row, in, p)
	} else if n := w.number(at); n >= 0 {
		if w.openNumber(s, n, in.Access, in) {
			return w.readNumber(s, n)
		}
		return hval{}
	} else if k := w.ownWord(s, in.Addr, w.ls.prog.Model.SizeOf(in.Type), p); k >= 0 && !in.Type.IsFloat() {
		return s.own[k]
	}
	t := w.target(s, in.Addr, w.ls.prog.Model.SizeOf(in.Type), in, p)
	switch {
	case p.none || w.why != "":
		return hval{}
	case t.cell >= 0:
		if w.openCell(s, t.cell, in) {
			return s.cells[t.cell]
		}
		return hval{}
	}
	if w.may(s, t, in); t.obj < 0 || !t.only || w.why != "" {
		return hval{}
	}
	if !s.inside(t.obj) && s.objs[t.obj].of != mine {
		return hval{}
	}
	if w.look(s, t.obj, p); p.none || w.why != "" {
		return hval{}
	}
	if l := s.objs[t.obj].link; l.kind <= hElse {
		return l
	}
	return hval{}
}

// write1 is a store.
func (w *transferWalk) write1(s *hstate, in *cir.Store, p *hpick) {
	at := w.at(s.frame().copy, in.Addr)
	if row := w.row(at); row >= 0 {
		w.writeElement(s, row, in, p)
		return
	} else if n := w.number(at); n >= 0 {
		if w.openNumber(s, n, in.Access, in) {
			w.writeNumber(s, n, w.value(s, in.X, p), p)
		}
		return
	}
	w.writeOwn(s, in, p)
	t := w.target(s, in.Addr, w.ls.prog.Model.SizeOf(in.Type), in, p)
	if p.none || w.why != "" {
		return
	}
	if t.cell >= 0 {
		if w.openCell(s, t.cell, in) {
			v := w.decided(w.value(s, in.X, p), p)
			if len(w.rows) == 0 { // without links, nothing has to be known of others
				v = w.named(s, v, p)
			}
			w.keepsSpot(s, in, w.value(s, in.X, p))
			s.cells[t.cell] = v
		}
		return
	}
	w.may(s, t, in)
	if t.obj == nothing || !t.link || w.why != "" {
		return
	}
	v := hval{kind: hWild}
	if t.only {
		x := w.value(s, in.X, p)
		w.keepsSpot(s, in, x)
		v = w.decided(x, p)
	}
	w.setLink(s, t.obj, v, in, p)
}

// decided decides whether a value is 0.
func (w *transferWalk) decided(v hval, p *hpick) hval {
	if v.kind >= hIndex {
		v = hval{}
	}
	switch {
	case v.kind == hAny && p.pick(2) == 0:
		return hval{kind: hNumber}
	case v.kind == hAny, v.kind == hNumber && v.id != 0:
		return hval{kind: hElse}
	}
	return v
}

// named gives the object that a value leads to a name, if it has none.
func (w *transferWalk) named(s *hstate, v hval, p *hpick) hval {
	if v.kind != hElse {
		return v
	}
	i := 1 + p.pick(len(s.objs))
	if i == len(s.objs) {
		if i = w.enroll(s, notMine); w.why == "" {
			w.foreign(s, i, -1, p)
		}
	}
	return hval{hObject, i, noOff}
}

// setLink is a write to the link of an object.
func (w *transferWalk) setLink(s *hstate, i int, v hval, in cir.Located, p *hpick) {
	if i == nameless {
		i = w.named(s, hval{kind: hElse}, p).id
	}
	if w.why != "" || p.none {
		return
	}
	switch {
	case s.inside(i):
		if v.kind == hWild {
			w.no("a link in a container is overwritten with what is not known", in)
			return
		}
		w.look(s, i, p) // what it led to is led to by one less
		v = w.named(s, v, p)
	case s.objs[i].of != mine:
		return
	default:
		w.look(s, i, p)
		if v.kind == hElse {
			v.kind = hWild
		}
	}
	s.objs[i].link = v
}

// several is an access of several bytes.
func (w *transferWalk) several(s *hstate, addr cir.Value, n int64, write bool, in cir.Located, p *hpick) {
	if p.none || w.why != "" || s.over {
		return
	}
	t := w.target(s, addr, n, in, p)
	if t.cell >= 0 {
		w.no("a cell is accessed with other memory", in)
	}
	if w.may(s, t, in); write && t.link && t.obj != nothing && !p.none && w.why == "" {
		w.setLink(s, t.obj, hval{kind: hWild}, in, p)
	}
}

// clears is a fill of known bytes with zeros, of all of some cells.
func (w *transferWalk) clears(s *hstate, in *cir.Fill, n int64, p *hpick) bool {
	at := w.at(s.frame().copy, in.Dst)
	zero, ok := in.Byte.(cir.Int)
	if !ok || zero.Lo != 0 || n < 0 || len(at) != 1 || !at[0].Exact() || !w.toCells(at, n) {
		return false
	}
	w.clearsRows(s, at[0], n, in, p)
	for k, c := range w.cells {
		switch {
		case c.at.Obj != at[0].Obj || c.at.Off >= at[0].Off+n || c.at.Off+w.word <= at[0].Off:
		case c.at.Off < at[0].Off || c.at.Off+w.word > at[0].Off+n:
			w.no("a part of a cell is accessed", in)
		case w.ofKind(c.box): // its offset is that of any element
			w.no("cells of several containers are cleared at once", in)
		case w.openCell(s, k, in):
			s.cells[k] = hval{kind: hNumber}
		}
	}
	return true
}

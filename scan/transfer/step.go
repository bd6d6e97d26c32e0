package transfer

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// set gives a register a value.
func (f *frame) set(r *cir.Reg, v value) {
	switch {
	case r == nil:
	case v.k == other:
		delete(f.regs, r.Index)
	default:
		f.regs[r.Index] = v
	}
}

// eval returns what an operand is, but for numbers with a symbol.
func (x *explorer) eval(s *state, v cir.Value, ch *chooser) value {
	w := x.evalAll(s, v, ch)
	if w.k == numeral {
		return value{}
	}
	return w
}

// evalAll returns what an operand is.
func (x *explorer) evalAll(s *state, v cir.Value, ch *chooser) value {
	if s.lost {
		return x.lostValue(s, v)
	}
	f := s.top()
	r, isReg := v.(*cir.Reg)
	switch v := v.(type) {
	case *cir.Reg:
		if w, ok := f.regs[v.Index]; ok {
			if w.k == numeral && w.off != typeCode(v.Type) {
				return value{}
			}
			return w
		}
	case cir.Null:
		if v.Addr <= 1000 {
			return value{number, int(v.Addr), 0}
		}
		return value{}
	case cir.Int:
		if n, ok := v.Int64(); ok && n >= -1000 && n <= 1000 {
			return value{number, int(n), 0}
		}
		return value{}
	case *cir.Func, *cir.Block:
		return value{k: address}
	case cir.Float, cir.Undef:
		return value{}
	}
	at := x.places(f.copy, v)
	w := value{}
	switch k, off := x.cellAt(at), int64(0); {
	case k >= 0:
		w = value{cell, k, 0}
		if isReg && ch.choose(2) == 1 {
			w = null
		}
	case x.isSpot(at, &off):
		w = value{spot, 0, off}
		if isReg && ch.choose(2) == 1 {
			w = null
		} else if isReg {
			w.n = x.nextSymbol(s)
		} else {
			w.n = x.derive(s, origin{obj: at[0].Obj.ID, at: at[0].Off})
		}
	case x.mayBe(at, &off):
		w = []value{null, {node, 0, off}, {k: address}}[ch.choose(3)]
	case !isReg:
		return value{k: address}
	}
	if isReg {
		f.set(r, w)
	}
	return w
}

// cellAt returns the cell that a pointer leads to in any case, -1 if there is none.
func (x *explorer) cellAt(at []pointsto.Location) int {
	if len(at) != 1 {
		return -1
	}
	return slices.IndexFunc(x.form.Cells, func(c Cell) bool { return c.At == at[0] && !x.form.isSlot(c.Region) })
}

// isSpot is spotAt for any of the form's kinds.
func (x *explorer) isSpot(at []pointsto.Location, off *int64) (ok bool) {
	*off, ok = x.spotAt(at)
	return ok
}

// mayBe reports whether a pointer may lead to the followed object, and where to in it.
func (x *explorer) mayBe(at []pointsto.Location, off *int64) (yes bool) {
	for _, l := range at {
		if !x.objects[l.Obj] {
			continue
		}
		if yes && l.Off != *off || l.Off == pointsto.Any {
			*off = anyOff
		} else {
			*off = l.Off
		}
		yes = true
	}
	return yes
}

// aim is where an access goes.
type aim struct {
	cell   int // -1: none
	number int // -1: none
	array  int // -1: none; else sym and off tell the element's index
	sym    int
	off    int64
	object int // with a name; unnamed: one without; -1: none
	// link tells that some bytes of the link are among it, whole that it is exactly the link.
	link, whole bool
}

const unnamed = -2

// aimed returns where an access of some bytes goes; of -1, it is not known how many.
func (x *explorer) aimed(s *state, addr cir.Value, size int64, ch *chooser) (a aim) {
	at := x.places(s.top().copy, addr)
	a = aim{cell: -1, object: -1, number: x.findNumber(at), array: x.findArray(at)}
	if a.array >= 0 {
		a.sym, a.off = x.aimedElement(s, a.array, addr, size)
	}
	if a.array >= 0 || a.number >= 0 {
		return a
	}
	v := value{}
	if k := x.cellAt(at); k >= 0 {
		v = value{cell, k, 0}
	} else if x.touchesForm(at, size) {
		v = x.eval(s, addr, ch)
	}
	switch v.k {
	case number: // undefined
		ch.dead = true
	case cell:
		if a.cell = v.n; v.off != 0 || size != x.pointer {
			x.fail("a cell is not accessed as a whole")
		}
	case node:
		a.object = v.n
		if v.off != anyOff {
			at = []pointsto.Location{{Off: v.off}}
		}
	case spot:
		a.cell = x.aimedSpot(s, v, size, ch)
	default:
		if x.touchesCells(at, size) {
			x.fail("which cell is accessed is not known")
		}
		if x.mayBe(at, new(int64)) {
			a.object = unnamed
		}
	}
	if a.object == -1 || !x.linked() {
		return a
	}
	a.whole = size == x.pointer
	for _, l := range at {
		if l.Obj != nil && !x.objects[l.Obj] {
			continue
		}
		hit := l.Off == pointsto.Any || l.Off < x.form.Link+x.pointer && (size < 0 || l.Off+size > x.form.Link)
		a.link, a.whole = a.link || hit, a.whole && l.Off == x.form.Link
	}
	a.whole = a.whole && a.link
	return a
}

// allowed makes sure that an object may be accessed now.
func (x *explorer) allowed(s *state, object int) {
	if of := s.objects[max(object, 0)].of; object == 0 && of != self && !(of >= 0 && s.held[of]) && !s.alone {
		x.fail("an object is accessed that may be another thread's")
	}
}

// reachable reports whether an object belongs to the thread, or to a region whose lock it has.
func (s *state) reachable(object int) bool {
	of := s.objects[object].of
	return of == self || of >= 0 && s.held[of]
}

// opened makes sure that a cell may be accessed now.
func (x *explorer) opened(s *state, k int) {
	if !s.held[x.form.Cells[k].Region] {
		x.fail("a cell is accessed without its lock")
	}
}

func (x *explorer) load(s *state, in *cir.Load, ch *chooser) {
	f := s.top()
	if l, ok := in.Addr.(*cir.Local); ok && x.plain(x.copies[f.copy].Func)[l] {
		v := x.numbered(s, x.symbolic(s, f.locals[l.Index], in.Type), in.Type)
		if f.set(in.Dst, v); v.k == index || v.k == numeral {
			f.locals[l.Index] = v
		}
		return
	}
	f.set(in.Dst, value{})
	a := x.aimed(s, in.Addr, x.size(in.Type), ch)
	if ch.dead || x.failed() {
		return
	}
	switch {
	case a.array >= 0:
		f.set(in.Dst, x.loadElement(s, &a, ch))
		return
	case a.number >= 0:
		if x.isNumber(s, a.number, in.Access) {
			f.set(in.Dst, x.loadNumber(s, a.number))
		}
		return
	}
	if k := x.privateAt(s, in.Addr, x.size(in.Type), ch); k >= 0 && !in.Type.IsFloat() {
		f.set(in.Dst, s.private[k])
	}
	if a.cell >= 0 {
		if x.opened(s, a.cell); !x.failed() {
			f.set(in.Dst, s.cells[a.cell])
		}
		return
	}
	x.allowed(s, a.object)
	if a.object < 0 || !a.whole || x.failed() {
		return
	}
	if s.reachable(a.object) {
		x.resolve(s, a.object, ch)
	}
	if ch.dead || x.failed() {
		return
	}
	if o := s.objects[a.object]; s.reachable(a.object) && o.link.k != unknown {
		f.set(in.Dst, o.link)
	}
}

func (x *explorer) store(s *state, in *cir.Store, ch *chooser) {
	f := s.top()
	if l, ok := in.Addr.(*cir.Local); ok && x.plain(x.copies[f.copy].Func)[l] {
		v := x.evalAll(s, in.X, ch)
		if delete(f.locals, l.Index); v.k != other {
			f.locals[l.Index] = v
		}
		return
	}
	a := x.aimed(s, in.Addr, x.size(in.Type), ch)
	if ch.dead || x.failed() {
		return
	}
	switch {
	case a.array >= 0:
		x.storeElement(s, &a, x.eval(s, in.X, ch), ch)
		return
	case a.number >= 0:
		if x.isNumber(s, a.number, in.Access) {
			x.storeNumber(s, a.number, x.eval(s, in.X, ch), ch)
		}
		return
	}
	x.storePrivate(s, in, ch)
	if a.cell >= 0 {
		if x.opened(s, a.cell); x.failed() {
			return
		}
		v := x.eval(s, in.X, ch)
		if v = x.definite(s, v, ch); v.k == address && len(x.form.Arrays) == 0 {
			v = value{node, x.name(s, ch), anyOff}
		}
		s.cells[a.cell] = v
		return
	}
	x.allowed(s, a.object)
	if !a.link || a.object == -1 || x.failed() {
		return
	}
	v := value{k: unknown}
	if a.whole {
		v = x.definite(s, x.eval(s, in.X, ch), ch)
	}
	x.relink(s, a.object, v, ch)
}

// definite decides whether what is stored is null.
func (x *explorer) definite(s *state, v value, ch *chooser) value {
	if v.k == index || v.k == mine {
		v = value{}
	}
	if v.k == number && v.n != 0 || v.k == other && ch.choose(2) == 1 {
		return value{k: address}
	} else if v.k == other {
		return null
	}
	return v
}

// name gives an object without a name one: that of one which has it already, or a new one.
func (x *explorer) name(s *state, ch *chooser) int {
	i := 1 + ch.choose(len(s.objects))
	if i == len(s.objects) {
		if i = x.named(s, nobody); !x.failed() {
			x.stranger(s, i, -1, ch)
		}
	}
	return i
}

// relink is a write to the link of an object.
func (x *explorer) relink(s *state, i int, v value, ch *chooser) {
	if i == unnamed {
		i = x.name(s, ch)
	}
	if x.failed() {
		return
	}
	if !s.reachable(i) {
		return // then it is not this thread that knows it
	}
	x.resolve(s, i, ch)
	if s.objects[i].of >= 0 {
		if v.k == unknown {
			x.fail("what is written to the link of an object in a container is not known")
		}
		if v.k == address {
			v = value{node, x.name(s, ch), anyOff}
		}
	}
	if v.k == address || v.k == other {
		v = value{k: unknown}
	}
	if !ch.dead && !x.failed() {
		s.objects[i].link = v
	}
}

// compare returns the result of a comparison, if it is known.
func (x *explorer) compare(s *state, in *cir.Compare, ch *chooser) value {
	a, b := x.evalAll(s, in.X, ch), x.evalAll(s, in.Y, ch)
	if v, known := x.compareSpots(s, in, a, b, ch); known {
		return v
	}
	if a, b = x.eval(s, in.X, ch), x.eval(s, in.Y, ch); a.k == index || b.k == index {
		return x.compareIndex(s, in.Pred, a, b, ch)
	}
	if v, known := x.compareNumbers(s, in, a, b); known {
		return v
	}
	if in.Pred != cir.Eq && in.Pred != cir.Ne {
		return value{}
	}
	truth := func(equal bool) value { return value{number, map[bool]int{true: 1}[equal == (in.Pred == cir.Eq)], 0} }
	if a.k > b.k {
		a, b = b, a
	}
	ended := func(v value) bool { return v.k == node && s.objects[v.n].of == nobody }
	switch {
	case (ended(a) || ended(b)) && !(a.k == node && b.k == node && a.n == b.n) && a.k != number:
		return value{} // it may have been freed, and what malloc returned since may be there
	case a.k == number && b.k == number:
		return truth(a.n == b.n)
	case a.k == number && a.n == 0 && b.k != other:
		return truth(false)
	case a.k == node && b.k == node && a.n == b.n && a.off != anyOff && b.off != anyOff:
		return truth(a.off == b.off)
	case a.k == node && b.k == node && a.n != b.n, a.k == node && (b.k == cell || b.k == spot):
		return truth(false)
	case a.k == cell && b.k == cell:
		return truth(a == b)
	}
	return value{}
}

// compute returns what an instruction gives that accesses nothing.
func (x *explorer) compute(s *state, in cir.Instr, ch *chooser) value {
	switch in := in.(type) {
	case *cir.Compare:
		return x.compare(s, in, ch)
	case *cir.Convert:
		return x.convert(s, in, ch)
	case *cir.Binary:
		return x.sum(s, in, ch)
	case *cir.Select:
		c := x.eval(s, in.Cond, ch)
		if c.k == index {
			c = value{}
		}
		yes := c.k != number && c.k != other || c.k == number && c.n != 0
		if c.k == other {
			yes = ch.choose(2) == 0
		}
		if yes {
			return x.evalAll(s, in.X, ch)
		}
		return x.evalAll(s, in.Y, ch)
	case *cir.Offset:
		if x.findArray(x.places(s.top().copy, in.Dst)) >= 0 {
			return x.elementOf(s, in, ch)
		}
		if off, ok := x.spotAt(x.places(s.top().copy, in.Dst)); ok {
			return x.spotOf(s, in, off, ch)
		}
		v := x.eval(s, in.P, ch)
		d := in.Disp
		if in.Index != nil {
			i, ok := in.Index.(cir.Int)
			if d += int64(i.Lo) * in.Scale; !ok {
				d = anyOff
			}
		}
		switch v.k {
		case node, mine:
			if v.off == anyOff || d == anyOff {
				v.off = anyOff
			} else {
				v.off += d
			}
			return v
		case number:
			if d == 0 || v.n == 0 {
				return v // or undefined
			}
		case address, cell:
			if d == 0 {
				return v
			}
			if k := x.cellAt(x.places(s.top().copy, in.Dst)); k >= 0 && d != anyOff {
				return value{cell, k, 0} // of the variable that the cell is in
			} else if v.k == address {
				return v
			}
		}
	}
	return value{}
}

// convert returns what a conversion gives.
func (x *explorer) convert(s *state, in *cir.Convert, ch *chooser) value {
	from, to := x.prog.Model.TypeOf(in.X), in.Dst.Type
	v := x.evalAll(s, in.X, ch)
	switch {
	case v.k == numeral:
		if from.Bits <= to.Bits && to.Kind == cir.IntKind && to != cir.Bool && (from.Signed == to.Signed || from.Bits < to.Bits && !from.Signed) {
			return value{numeral, v.n, typeCode(to)}
		}
		return value{}
	case to.IsFloat() || from.IsFloat() || v.k == other:
	case v.k == index:
		return convertIndex(v, from, to)
	case to == cir.Bool:
		if v.k == number {
			v.n = min(1, v.n*v.n)
			return v
		}
		return value{number, 1, 0}
	case v.k == number && x.counting(s, v.n) && to.Kind == cir.IntKind && to.Bits >= 32:
		return v
	case v.k == number && v.n >= 0 && v.n < 100 && x.size(to) > 0 && (to.IsPointer() || to.Bits >= 8):
		return v
	case v.k != number && x.size(to) == x.pointer && x.size(from) == x.pointer:
		return v
	}
	return value{}
}

// step is the next instruction of a thread.
func (x *explorer) step(s *state, ch *chooser) {
	f := s.top()
	b := x.copies[f.copy].Func.Blocks[f.block]
	at := cir.Located(b.Term)
	if f.instr < len(b.Instrs) {
		at = b.Instrs[f.instr]
	}
	if x.seen(s, at); !x.turn(s, x.alone[where{f.copy, at}], ch) {
		return
	}
	if f.instr == len(b.Instrs) {
		x.leave(s, b.Term, ch)
		return
	}
	f.instr++
	if s.lost {
		x.lostStep(s, b.Instrs[f.instr-1], ch)
		return
	}
	x.spoilPrivate(s, b.Instrs[f.instr-1])
	switch in := b.Instrs[f.instr-1].(type) {
	case *cir.Load:
		x.load(s, in, ch)
	case *cir.Store:
		x.store(s, in, ch)
	case *cir.Call:
		x.call(s, in, ch)
	case *cir.LifeStart:
		delete(f.locals, in.Local.Index)
		x.beginPrivate(s, x.places(f.copy, in.Local), value{})
	case *cir.LifeEnd:
		delete(f.locals, in.Local.Index)
	case *cir.Copy:
		n := x.copies[f.copy].Given(in.Size)
		x.bytes(s, in.Src, n, false, ch)
		x.bytes(s, in.Dst, n, true, ch)
	case *cir.Fill:
		if n := x.copies[f.copy].Given(in.Size); !x.clears(s, in, n, ch) {
			x.bytes(s, in.Dst, n, true, ch)
		}
	case *cir.Compare, *cir.Convert, *cir.Select, *cir.Offset, *cir.Binary:
		v := x.compute(s, in, ch)
		f.set(cir.Results(in)[0], v)
	default:
		for _, r := range cir.Results(in) {
			f.set(r, value{})
		}
		if x.strange(f.copy, in) {
			x.fail("an instruction that is not followed")
		}
	}
}

// bytes is an access of several bytes.
func (x *explorer) bytes(s *state, addr cir.Value, size int64, write bool, ch *chooser) {
	if ch.dead || x.failed() || s.lost {
		return
	}
	a := x.aimed(s, addr, size, ch)
	if a.cell >= 0 || a.array >= 0 || a.number >= 0 {
		x.fail("a cell is not accessed by itself")
	}
	if x.allowed(s, a.object); write && a.link && a.object != -1 && !ch.dead && !x.failed() {
		x.relink(s, a.object, value{k: unknown}, ch)
	}
}

// clears is a fill of known bytes with 0, of whole cells.
func (x *explorer) clears(s *state, in *cir.Fill, n int64, ch *chooser) bool {
	at := x.places(s.top().copy, in.Dst)
	zero, ok := in.Byte.(cir.Int)
	if !ok || zero.Lo != 0 || zero.Hi != 0 || n < 0 || len(at) != 1 || !at[0].Exact() {
		return false
	}
	found := x.clearsParts(s, at[0], n, ch)
	for k, c := range x.form.Cells {
		if c.At.Obj != at[0].Obj || c.At.Off >= at[0].Off+n || c.At.Off+x.pointer <= at[0].Off {
			continue
		}
		if c.At.Off < at[0].Off || c.At.Off+x.pointer > at[0].Off+n {
			return false
		}
		if x.form.isSlot(c.Region) { // the offset is that of any element
			x.fail("cells of several containers are cleared at once")
			return true
		}
		found = true
		if x.opened(s, k); x.failed() {
			return true
		}
		s.cells[k] = null
	}
	return found
}

// turn takes the locks, or gives them back, where the first thread begins to be alone or ends to. It reports whether the thread goes on.
func (x *explorer) turn(s *state, alone bool, ch *chooser) bool {
	if alone != s.alone {
		s.alone = alone
		for r := range x.states {
			switch {
			case alone && x.form.isSlot(r):
			case alone && !s.held[r] && s.fresh:
				x.acquire(s, r, x.first[r], true, ch)
			case alone && !s.held[r]:
				x.acquire(s, r, x.states[r], false, ch)
			case !alone && s.held[r] && !s.locked[r]:
				x.release(s, r, ch)
			}
			if ch.dead || x.failed() {
				return false
			}
		}
		s.fresh = false
		x.turnKind(s, alone)
	}
	return true
}

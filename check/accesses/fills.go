package accesses

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// filling follows a function that makes an object, or is given it, with what has been stored there in any case.
type filling struct {
	p      *program
	f      *function
	copy   int
	obj    *pointsto.Object
	base   cir.Value // the object's address
	shift  int64     // how far behind the beginning of the object, or of its element, that is
	cells  []int64
	failed map[int64]bool // cells that others, or the function itself, may read before something is stored
	depth  int

	callees map[calleeKey]*calleeFill // what was found of callees
	lost    bool                      // nothing can be said of the cells, whatever is stored before

	has     knowing        // what is stored from the beginning on
	empty   map[int64]bool // if not nil: cells that were filled with zeros, or what may be null
	pending bool           // an object was made in the block, and no local holds its address yet
	version map[*cir.Local]int
	regs    map[int]address
	known   bool           // others may have the address from the beginning on
	looped  bool           // the object may hold its own address from the beginning on
	shared  bool           // the code may run for others than the object's maker: it is called from elsewhere, or who calls it is
	begins  bool           // something is initialised that is used (uses.go)
	judging bool           // facts are final: what is read is looked at
	zeros   map[place]bool // if not nil: where the object is filled with zeros, which do not count
	tests   *testing       // if not nil: where pointers that may be null are stored does not count, either
	life    *handing       // if not nil: it is asked who the object belongs to, with no cells; lives tells that it does from the beginning on
	lives   bool
}

// known is one thing that is known in any case.
type known struct {
	kind knownKind
	i, n *cir.Local
	k    int64 // in place of n, or of i
	off  int64 // of a cell
}

type knownKind uint8

const (
	stored  knownKind = iota // the cell of element i, or k if i is nil; of the object, if that is no array
	before                   // the cells of all elements before the number i
	below                    // the cells of all elements before the number n, or k if n is nil; the largest stands for all
	less                     // i is less than n
	leads                    // i holds the address of the element n
	private                  // nobody else has got the address yet
	simple                   // the object holds no address of itself
	alive                    // it belongs to who is followed
	given                    // i, or the register k - 1, holds what pthread_create has returned that was given the object: it still belongs to who is followed if that is not 0
)

type knowing map[known]bool

// run follows the function to a fixpoint, and returns what holds where it returns.
func (x *filling) run() knowing {
	blocks := x.f.fn.Blocks
	first := knowing{}
	if !x.known {
		first[known{kind: private}] = true
	}
	if !x.looped {
		first[known{kind: simple}] = true
	}
	maps.Copy(first, x.has)
	if x.lives {
		first[known{kind: alive}] = true
	}
	at := atEntries(blocks, first, func(b *cir.Block, s knowing, next func(*cir.Block, knowing)) { x.block(b, s, next) })
	x.judging = true
	var end knowing
	for i, b := range blocks {
		if at[i] == nil || !x.p.reached[place{x.copy, b.Term}] {
			if at[i] != nil {
				x.block(b, at[i], func(*cir.Block, knowing) {})
			}
			continue
		}
		s := x.block(b, at[i], func(*cir.Block, knowing) {})
		if _, ok := b.Term.(*cir.Return); ok {
			if end == nil {
				end = maps.Clone(s)
			} else {
				maps.DeleteFunc(end, func(k known, _ bool) bool { return !s[k] })
			}
		}
	}
	return end
}

// block follows a block.
func (x *filling) block(b *cir.Block, s knowing, next func(*cir.Block, knowing)) knowing {
	x.version, x.regs, x.pending = map[*cir.Local]int{}, map[int]address{}, false
	if x.tests != nil {
		x.tests.loaded = map[int]known{}
	}
	for _, in := range b.Instrs {
		if !x.p.reached[place{x.copy, in}] {
			return s
		}
		x.forgetsTests(in)
		x.belongs(s, in)
		x.step(s, in)
		x.tells(s, in)
	}
	x.belongs(s, b.Term)
	switch t := b.Term.(type) {
	case *cir.Return:
		if t.X != nil {
			x.escapes(s, t.X)
		}
	case *cir.Branch:
		for _, v := range slices.Concat(t.ThenArgs, t.ElseArgs) {
			x.escapes(s, v)
		}
		yes, no := maps.Clone(s), maps.Clone(s)
		x.compared(t.Cond, yes, no)
		next(t.Then, yes)
		next(t.Else, no)
		return s
	case *cir.Jump:
		for _, v := range t.Args {
			x.escapes(s, v)
		}
	default: // which pass no addresses on, as others have it
		cir.TermOperands(t, func(v cir.Value) { x.escapes(s, v) })
	}
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { next(to, s) })
	return s
}

// step follows an instruction.
func (x *filling) step(s knowing, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		x.loads(s, in)
	case *cir.Store:
		x.stores(s, in)
	case *cir.Offset:
		x.regs[in.Dst.Index] = x.offset(s, in)
	case *cir.Convert:
		if a := x.address(s, in.X); a.ok {
			if in.Dst.Type.IsPointer() {
				x.regs[in.Dst.Index] = a
			} else if in.Dst.Type != cir.Bool {
				x.escapes(s, in.X)
			}
		}
	case *cir.Fill:
		if a := x.address(s, in.Dst); a.ok {
			x.fillsBytes(s, a, constant(in.Size), in.Byte, in)
		}
	case *cir.Copy:
		if a := x.address(s, in.Src); a.ok {
			x.findsItself(s)
			x.reads(s, a, constant(in.Size))
		}
		if a := x.address(s, in.Dst); a.ok {
			x.fills(s, a, constant(in.Size))
		}
	case *cir.Call:
		x.call(s, in)
	case *cir.Compare, *cir.Distance:
	case *cir.LifeStart:
		x.changes(s, in.Local)
		if cir.Value(in.Local) == x.base {
			x.anew(s)
		}
	case *cir.LifeEnd:
		x.changes(s, in.Local)
	case *cir.RMW:
		if a := x.address(s, in.Addr); a.ok {
			x.findsItself(s)
			x.reads(s, a, sizeOf(in.Type))
		}
		x.escapes(s, in.X)
	case *cir.CmpXchg:
		if a := x.address(s, in.Addr); a.ok {
			x.findsItself(s)
			x.reads(s, a, sizeOf(in.Type))
		}
		x.escapes(s, in.New)
		x.escapes(s, in.Expected)
	default:
		cir.Operands(in, func(v cir.Value) { x.escapes(s, v) })
	}
}

// anew is where another object begins.
func (x *filling) anew(s knowing) {
	maps.DeleteFunc(s, func(k known, _ bool) bool { return k.kind != less })
	for r, a := range x.regs { // of the one before
		a.vague, a.inside = a.ok, false
		x.regs[r] = a
	}
	s[known{kind: private}], s[known{kind: simple}] = true, true
	if x.life != nil {
		s[known{kind: alive}] = true
	}
}

// loads follows a load.
func (x *filling) loads(s knowing, in *cir.Load) {
	if l, ok := in.Addr.(*cir.Local); ok && x.f.plain[l] {
		if in.Type.IsInt() {
			x.regs[in.Dst.Index] = address{at: l, version: x.version[l]}
			return
		}
		for k := range s {
			if k.kind == leads && k.i == l {
				x.regs[in.Dst.Index] = address{ok: true, off: k.off, at: k.n, version: x.version[k.n], scale: k.k}
				return
			}
		}
		a := x.static(in.Dst, 0)
		if a.ok && x.pending { // of the one before
			a.vague, a.inside = true, false
		}
		if a.ok && a.vague {
			x.fails() // it may be the object's address, or another one
		}
		x.regs[in.Dst.Index] = a
		return
	}
	if a := x.address(s, in.Addr); a.ok {
		if x.tests == nil || !in.Type.IsPointer() || in.Bits != nil || !x.readsEarly(s, a, in) {
			x.reads(s, a, sizeOf(in.Type))
		}
		x.findsItself(s)
	}
}

// findsItself is where something is read of the object, of whatever type, be it a byte: that may be the object's own address, if it holds that.
func (x *filling) findsItself(s knowing) {
	if !s[known{kind: simple}] {
		x.reads(s, address{ok: true, vague: true}, -1) // of all cells
		delete(s, known{kind: private})
	}
}

// stores follows a store.
func (x *filling) stores(s knowing, in *cir.Store) {
	l, ok := in.Addr.(*cir.Local)
	if ok && x.f.plain[l] {
		v := x.address(s, in.X)
		x.pending = x.pending && !v.ok
		x.counts(s, l, in.X)
		if v.ok && (v.at != nil || v.vague) {
			if x.current(v) && v.at != l && v.back == 0 {
				for k := range s {
					if k.kind == leads && k.i == l {
						delete(s, k)
					}
				}
				s[known{kind: leads, i: l, n: v.at, k: v.scale, off: v.off}] = true
				return
			}
			x.fails()
		} else if v.ok {
			s[known{kind: leads, i: l, off: v.off}] = true
		}
		return
	}
	a := x.address(s, in.Addr)
	if v := x.address(s, in.X); a.ok && v.ok && x.current(a) && x.current(v) && v.at == nil {
		if delete(s, known{kind: simple}); !s[known{kind: private}] { // who has got a part of the object finds the rest there
			x.reads(s, address{ok: true, vague: true}, -1)
		}
	} else {
		x.escapes(s, in.X)
	}
	switch n, null := in.X.(cir.Null); {
	case !a.ok || in.Bits != nil:
	case x.zeros != nil && null && n.Addr == 0 && x.current(a):
		x.clears(s, in)
	case x.tests != nil:
		x.puts(s, a, in)
	default:
		x.fills(s, a, sizeOf(in.Type))
	}
}

// changes forgets what is known of a local.
func (x *filling) changes(s knowing, l *cir.Local) {
	x.version[l]++
	maps.DeleteFunc(s, func(k known, _ bool) bool { return k.i == l || k.n == l })
}

// counts follows a store to a plain local: one that begins with 0, or counts up by 1, tells how far an array is filled.
func (x *filling) counts(s knowing, l *cir.Local, v cir.Value) {
	var all []known
	switch v := v.(type) {
	case cir.Int:
		for _, off := range x.cells {
			if n, ok := v.Int64(); ok && n >= 0 && (n == 0 || x.inArray(off) && x.elementsFrom(s, 0, n-1, off)) {
				all = append(all, known{kind: before, i: l, off: off})
			}
		}
	case *cir.Reg:
		in, ok := x.f.defs[v.Index].(*cir.Binary)
		if ok && in.Op == cir.Sub && x.f.blockOf[in] != nil {
			n, c := in.Y.(cir.Int)
			m, isNumber := x.number(in.X)
			if k, fits := n.Int64(); c && isNumber && m == l && fits && k > 0 {
				all = x.countsDown(s, l, in.Dst.Type)
			}
		}
		if ok && in.Op == cir.Add && x.f.blockOf[in] != nil {
			one, c := in.Y.(cir.Int)
			m, n := x.number(in.X)
			k, fits := one.Int64()
			if c && n && m == l && fits && k < 0 {
				all = x.countsDown(s, l, in.Dst.Type)
			}
			if c && n && m == l && fits && k == 1 {
				for _, off := range x.cells {
					if s[known{kind: before, i: l, off: off}] && s[known{kind: stored, i: l, off: off}] {
						all = append(all, known{kind: before, i: l, off: off})
					}
				}
			}
		}
	}
	x.changes(s, l)
	for _, k := range all {
		s[k] = true
	}
	if r, ok := v.(*cir.Reg); ok && r.Type.IsInt() {
		if _, known := x.number(r); !known {
			x.regs[r.Index] = address{at: l, version: x.version[l]}
		}
	}
}

// countsDown is what is known of a number that has become less, and did not overflow: what was stored before it still is, and the element that it is the number of.
func (x *filling) countsDown(s knowing, l *cir.Local, t cir.Type) (all []known) {
	for _, off := range x.cells {
		if k := (known{kind: before, i: l, off: off}); t.Signed && !x.p.wraps && s[k] {
			all = append(all, k, known{kind: stored, i: l, off: off})
		}
	}
	return all
}

// inArray reports whether a cell is one of each element of an array.
func (x *filling) inArray(off int64) bool {
	if off&textBit != 0 {
		_, _, in, _ := x.p.textArray(pointsto.Location{Obj: x.obj, Off: off &^ textBit})
		return in
	}
	return !(pointsto.Location{Obj: x.obj, Off: off &^ marks}).Exact()
}

// extent returns where a cell is, and how large.
func (x *filling) extent(off int64) (at, size int64) {
	if off&textBit != 0 {
		text, _, _, _ := x.p.textArray(pointsto.Location{Obj: x.obj, Off: off &^ textBit})
		return text.start, text.end - text.start
	}
	return x.p.unmarked(off)
}

// elements reports whether a cell is one of each element of the object, which is an array of elements of that size.
func (x *filling) elements(scale, off int64) bool {
	if off&textBit != 0 {
		_, around, in, _ := x.p.textArray(pointsto.Location{Obj: x.obj, Off: off &^ textBit})
		return in && around.whole && around.elem == scale
	}
	l := pointsto.Location{Obj: x.obj, Off: off &^ marks}
	a, ok := arrayAround(l)
	return ok && a.whole && a.elem == scale
}

// escapes is where others may get an address.
func (x *filling) escapes(s knowing, v cir.Value) {
	if v == nil {
		return
	}
	a := x.address(s, v)
	if !a.ok {
		return
	}
	if x.life != nil {
		x.fails()
		return
	}
	if !s[known{kind: simple}] { // who gets an element may find the address of all of them there
		a = address{ok: true, vague: true}
	}
	if r, ok := v.(*cir.Reg); ok && a.at != nil && x.current(a) && x.judging {
		in, _ := x.arrayAt(a.off)
		x.p.narrow[register{x.copy, r.Index}] = [2]int64{a.off - in.start, a.scale - (a.off - in.start)}
	}
	x.reads(s, a, -1)
	delete(s, known{kind: private})
}

// fails gives up.
func (x *filling) fails() {
	if x.judging {
		x.lost = true
		for _, off := range x.cells {
			x.failed[off] = true
		}
	}
}

// compared notes what a condition tells where it holds, and where it does not.
func (x *filling) compared(cond cir.Value, yes, no knowing) {
	r, ok := cond.(*cir.Reg)
	if !ok {
		return
	}
	in, ok := x.f.defs[r.Index].(*cir.Compare)
	if !ok {
		return
	}
	x.tested(in, yes, no)
	x.refused(in, yes, no)
	t := x.p.prog.Model.TypeOf(in.X)
	i, ok1 := x.number(in.X)
	n, ok2 := x.number(in.Y)
	k := int64(0)
	if c, constant := in.Y.(cir.Int); constant {
		k, ok2 = c.Int64()
	}
	if !t.IsInt() || !ok1 || !ok2 {
		return
	}
	switch in.Pred { // i < n
	case cir.Lt:
	case cir.Ge:
		yes, no = no, yes
	case cir.Ne:
		x.reaches(i, n, k, no)
		return
	case cir.Eq:
		x.reaches(i, n, k, yes)
		return
	default:
		return
	}
	yes[known{kind: less, i: i, n: n, k: k}] = true
	x.reaches(i, n, k, no)
}

// reaches notes that a number is at least another one: what is filled before it is filled before the other one.
func (x *filling) reaches(i, n *cir.Local, k int64, s knowing) {
	for _, off := range x.cells {
		if s[known{kind: before, i: i, off: off}] {
			s[known{kind: below, n: n, k: k, off: off}] = true
		}
	}
}

package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// How many bytes of a string are accessed nobody knows, and of which element by an index from a loop. But what begins in an array stays there, as the program accesses nothing out of
// the bounds of an array. That a pointer leads into the array, and not to a struct that begins with it, is known if the array is a member of a struct and not the first one: such a pointer
// was taken from the array. The same is taken of the bytes that an access goes to at all (extent.go).

// room returns how many bytes of an object an access may have at most that begins some bytes behind where a pointer of a copy leads into it; -1: that is not known.
func (ls *locations) room(c int, ptr cir.Value, disp int64, about *pointsto.Object) int64 {
	if about == nil || about.External || about.IsFunc() {
		return -1
	}
	most := int64(-1)
	for _, p := range ls.pts.Places(ls.copies[c].Func, ls.copies[c].Ctx, ptr) {
		if p.Obj != about {
			continue
		}
		if p.Off < 0 {
			return -1
		}
		n := scalarsAt(about.Shape(), about.Reduce(p.Off+disp))
		if n <= 0 {
			return -1
		}
		most = max(most, n)
	}
	return most
}

// scalarsAt returns the size of the array of scalars, or of arrays of such, that stands at an offset of a shape: of the largest one within the innermost struct. 0: there is
// none, its size is not known, or the struct begins with it.
func scalarsAt(s *cir.Shape, off int64) int64 {
	if s == nil || off < 0 {
		return 0
	}
	whole := s
	for s.Elem != nil && s.Elem.Size > 0 {
		s, off = s.Elem, off%s.Elem.Size
	}
	switch {
	case s.Union || s.Elem != nil:
		return 0
	case len(s.Fields) == 0 && whole == s:
		return 0
	case len(s.Fields) == 0:
		return whole.Len * whole.Elem.Size
	}
	for i := range s.Fields {
		if m := &s.Fields[i]; m.Bits == nil && m.Offset <= off && off < m.Offset+m.Shape.Size {
			if m.Offset == 0 && (m.Shape.Elem != nil) && !deeper(m.Shape) {
				return 0
			}
			return scalarsAt(m.Shape, off-m.Offset)
		}
	}
	return 0
}

// deeper reports whether the elements of an array, of arrays of any depth, are structs.
func deeper(s *cir.Shape) bool {
	for s.Elem != nil {
		s = s.Elem
	}
	return len(s.Fields) > 0
}

// roomIn returns how far the array of an object goes that an instruction of a copy takes an element of, from the element with index 0 on: the array that the pointer leads into, or a
// member of a struct there.
func (ls *locations) roomIn(c int, about *pointsto.Object) func(*cir.Offset) int64 {
	return func(in *cir.Offset) int64 {
		if in.Disp != 0 && in.Of == nil {
			return -1
		}
		return ls.room(c, in.P, in.Disp, about)
	}
}

// bounded returns an access with the most bytes that it may have of an object, if it is of an unknown number from its address on.
func (ls *locations) bounded(a *access) *access {
	if a.span != from || a.size >= 0 || a.touch.ptr == nil {
		return a
	}
	x := *a
	x.size = ls.room(a.copy, a.touch.ptr, 0, a.about)
	return &x
}

// neverNegative reports whether an index is the value of a local that no instruction gets the address of, and to which only constants that are not negative are stored, and
// what it holds plus such a constant, where that is not too large for its type. A store comes before.
func (v *values) neverNegative(x cir.Value) bool {
	load, ok := v.def(x).(*cir.Load)
	if !ok {
		c, isConvert := v.def(x).(*cir.Convert)
		if !isConvert || !widens(v.p.prog.Model.TypeOf(c.X), c.Dst.Type) {
			return false
		}
		return v.neverNegative(c.X)
	}
	l, ok := load.Addr.(*cir.Local)
	if !ok || !v.locals[l] || load.Bits != nil || load.Volatile || !load.Type.IsInt() {
		return false
	}
	for _, s := range v.stores[l] {
		if s.Type != load.Type || !v.stays(s, l) {
			return false
		}
	}
	return v.stored(load, l)
}

// widens reports whether one type of integers has all bits of another one.
func widens(from, to cir.Type) bool { return from.IsInt() && to.IsInt() && from.Bits <= to.Bits }

// stays reports whether a store leaves a local as it is, or larger, or sets it to a constant.
func (v *values) stays(s *cir.Store, l *cir.Local) bool {
	t := s.Type
	few := func(x cir.Value) bool {
		c, ok := x.(cir.Int)
		return ok && c.Hi == 0 && c.Lo < 1<<30
	}
	if few(s.X) {
		return true
	}
	sum, ok := v.def(s.X).(*cir.Binary)
	if !ok || sum.Op != cir.Add || sum.Dst.Type != t || !few(sum.Y) {
		return false
	}
	if t.Signed && sum.Wrap || !t.Signed && t.Bits < 64 { // 64 bits are not counted through
		return false
	}
	load, ok := v.def(sum.X).(*cir.Load)
	return ok && load.Addr == cir.Value(l) && load.Type == t && load.Bits == nil && !load.Volatile
}

// stored reports whether all ways to a load of a local come by a store to it, in the same life of the local.
func (v *values) stored(load *cir.Load, l *cir.Local) bool {
	seen := map[*cir.Block]bool{}
	type point struct {
		b   *cir.Block
		end int
	}
	work := []point{{v.blocks[load], v.index(load)}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		set := false
		for i := p.end - 1; i >= 0 && !set; i-- {
			switch in := p.b.Instrs[i].(type) {
			case *cir.Store:
				set = in.Addr == cir.Value(l)
			case *cir.LifeStart:
				if in.Local == l {
					return false
				}
			}
		}
		if set {
			continue
		}
		if p.b == v.f.Blocks[0] || len(v.preds[p.b]) == 0 {
			return false
		}
		for _, q := range v.preds[p.b] {
			if !seen[q] {
				seen[q] = true
				work = append(work, point{q, len(q.Instrs)})
			}
		}
	}
	return true
}

// printers are the functions of the library that read, through a va_list of their own, what a call gives them beyond their parameters: nothing else, and no further than the call lasts.
var printers = []string{"printf", "fprintf", "dprintf", "sprintf", "snprintf"}

// listedPiece returns the piece that such a function reads of an object: each argument that may lead there leads to it, wherever the thread makes the call.
func (ls *locations) listedPiece(a *access) *piece {
	cp := ls.copies[a.copy]
	call := cp.Ctx.Call
	if !cp.Func.Library || call == nil || a.about == nil {
		return nil
	}
	f, direct := call.Callee.(*cir.Func)
	if !direct || !f.Library {
		return nil
	}
	var all []*piece
	for _, n := range a.t.order {
		by := ls.copies[n.copy].Func
		switch {
		case by.Name != ls.places[call].Func:
		case by.Library:
			return nil
		case slices.Contains(printers, f.Source):
			all = append(all, ls.behindParams(a, n.copy, call, len(f.Params)))
		case ownList(by, call) && !ls.openCopies(a.t)[n.copy]:
			for _, m := range a.t.order {
				for _, b := range ls.copies[m.copy].Func.Blocks {
					for _, in := range b.Instrs {
						if from, ok := in.(*cir.Call); ok && slices.Contains(ls.calleesBy(a.t, m.copy, from).to, n.copy) {
							if ls.pts.MayCreate(ls.copies[m.copy], from) { // a thread might begin to which that belongs then
								return nil
							}
							all = append(all, ls.behindParams(a, m.copy, from, len(by.Params)))
						}
					}
				}
			}
		default:
			return nil
		}
	}
	return together(all)
}

// together returns the piece that all of some are parts of, nil if there is none.
func together(list []*piece) (p *piece) {
	for i, q := range list {
		if i > 0 {
			q = p.with(q)
		}
		if p = q; p == nil {
			return nil
		}
	}
	return p
}

// behindParams returns the piece that a call by a copy is given behind its parameters, as far as that leads to the object that an access is about.
func (ls *locations) behindParams(a *access, c int, call *cir.Call, params int) *piece {
	all := []*piece{notThere}
	for _, arg := range call.Args[min(params, len(call.Args)):] {
		if arg.ByVal != nil {
			return nil
		}
		if ls.leadsTo(c, arg.X, a.about) {
			x := (&access{t: a.t, copy: c, running: a.running}).address(call, arg.X, -1)
			x.about = a.about
			all = append(all, ls.belongs(ls.bounded(x), maxDeep))
		}
	}
	return together(all)
}

// listPrinters are functions that read what a va_list has, which is an argument with this number.
var listPrinters = map[string]int{"vprintf": 1, "vfprintf": 2, "vdprintf": 2, "vsprintf": 2, "vsnprintf": 3}

// ownList reports whether a call in a function prints a va_list that has the function's own arguments: of the local nothing is used but by va_start, va_end and such calls.
func ownList(f *cir.Func, call *cir.Call) bool {
	l, ok := listGiven(call).(*cir.Local)
	if !ok || !f.Variadic {
		return false
	}
	own := true
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			list := listGiven(in)
			switch in.(type) {
			case *cir.VaStart, *cir.VaEnd, *cir.LifeStart, *cir.LifeEnd:
				continue
			}
			n := 0
			cir.Operands(in, func(v cir.Value) {
				if v == cir.Value(l) {
					n++
				}
			})
			own = own && (n == 0 || n == 1 && list == cir.Value(l))
		}
		cir.TermOperands(b.Term, func(v cir.Value) { own = own && v != cir.Value(l) })
	}
	return own
}

// listGiven returns the va_list that an instruction gives a function that prints it, nil if it does not.
func listGiven(in cir.Instr) cir.Value {
	call, ok := in.(*cir.Call)
	if !ok {
		return nil
	}
	f, direct := call.Callee.(*cir.Func)
	if !direct || !f.Library {
		return nil
	}
	i, is := listPrinters[f.Source]
	if !is || i >= len(call.Args) {
		return nil
	}
	return call.Args[i].X
}

// leadsTo reports whether a value of a copy may lead to an object.
func (ls *locations) leadsTo(c int, v cir.Value, about *pointsto.Object) bool {
	return slices.ContainsFunc(ls.pts.Places(ls.copies[c].Func, ls.copies[c].Ctx, v), func(p pointsto.Location) bool { return p.Obj == about })
}

// notThere stands for a parameter that leads into another object than that which is asked about, in all calls that were looked at.
var notThere = &piece{parent: true, pieceKind: pieceKind{allocated: true, stride: -1}}

// apartOf reports whether it is claimed of accesses of a location by a thread that they go to what belongs to different threads.
func (l *location) apartOf(t *thread) bool {
	if l.apart == nil {
		l.apart = map[*thread]bool{}
		n := 0
		for i, g := range l.groups {
			for _, h := range l.groups[i:] {
				if l.Pairs[n] == certificate.Apart {
					l.apart[g.t], l.apart[h.t] = true, true
				}
				n++
			}
		}
	}
	return l.apart[t]
}

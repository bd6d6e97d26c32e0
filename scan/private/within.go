package private

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// An access of a string has a number of bytes that nobody knows. It goes no further than the array of scalars that it begins in: a pointer that leads into an array which is a
// member of a struct was taken from that array, and stays there. Only who is at the first member of a struct may mean the struct.

// Onward is the size of an access of an unknown number of bytes from an address on.
const Onward = -2

// room returns how many bytes an access may have at most that begins some bytes behind where a pointer of a node leads into an object; -1: that is not known.
func (r *Result) room(n *thread.Node, addr cir.Value, disp int64, about *pointsto.Object) int64 {
	most := int64(-1)
	if about == nil {
		return most
	}
	for _, l := range r.pts.Places(n.Fn, n.Ctx, addr) {
		if l.Obj != about {
			continue
		}
		size := int64(-1)
		if l.Off >= 0 {
			l.Off += disp
			size = arrayAt(l)
		}
		if size < 0 {
			return -1
		}
		most = max(most, size)
	}
	return most
}

// arrayAt returns the size of the array of scalars that a location is in, of the outermost one if it is of arrays; -1: it is in none, or its struct begins with it.
func arrayAt(l pointsto.Location) int64 {
	off, s := l.Obj.Reduce(l.Off), l.Obj.Shape()
	if l.Obj.External || l.Obj.IsFunc() || off < 0 || l.Obj.Vague() {
		return -1
	}
	size, first := int64(-1), false
	for s != nil {
		switch {
		case s.Elem != nil:
			if s.Elem.Size <= 0 {
				return -1
			}
			if size < 0 {
				size = s.Len * s.Elem.Size // 0: it is of any length
			}
			s, off = s.Elem, off%s.Elem.Size
			continue
		case s.Union:
			return -1
		case len(s.Fields) == 0:
			if first || size == 0 {
				return -1
			}
			return size
		}
		i := slices.IndexFunc(s.Fields, func(f cir.Field) bool {
			return f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size
		})
		if i < 0 {
			return -1
		}
		f := &s.Fields[i]
		s, off, size, first = f.Shape, off-f.Offset, -1, f.Offset == 0
	}
	return -1
}

// upwards reports whether an index is never negative: it is loaded from a local of which only the value is used, and all that is stored there are constants that are not negative, and
// its own value plus such a constant.
func (f *function) upwards(v cir.Value) bool {
	for range 10 {
		switch in := f.def(v).(type) {
		case *cir.Convert:
			from, ok := in.X.(*cir.Reg)
			if !ok || !from.Type.IsInt() || !in.Dst.Type.IsInt() || in.Dst.Type.Bits < from.Type.Bits {
				return false
			}
			v = in.X
			continue
		case *cir.Load:
			l, ok := in.Addr.(*cir.Local)
			return ok && in.Bits == nil && f.onlyGrows(l, in.Type) && f.isSet(in, l)
		}
		return false
	}
	return false
}

// onlyGrows reports whether a local is used for its value only, and all that is stored to it are constants that are not negative, and its own value plus such a constant, in
// arithmetic that does not wrap around.
func (f *function) onlyGrows(l *cir.Local, t cir.Type) bool {
	used := false
	use := func(v cir.Value) { used = used || v == cir.Value(l) }
	for in := range f.home {
		switch in := in.(type) {
		case *cir.Load, *cir.LifeStart, *cir.LifeEnd:
		case *cir.Store:
			if use(in.X); in.Addr == cir.Value(l) && (in.Type != t || in.Bits != nil || !isSmall(in.X, t) && !f.grown(in.X, l, t)) {
				return false
			}
		default:
			cir.Operands(in, use)
		}
	}
	for _, b := range f.Copy.Func.Blocks {
		cir.TermOperands(b.Term, use)
	}
	return !used
}

// grown reports whether a value is that of a local plus a constant which is not negative.
func (f *function) grown(v cir.Value, l *cir.Local, t cir.Type) bool {
	sum, ok := f.def(v).(*cir.Binary)
	if !ok || sum.Op != cir.Add || !isSmall(sum.Y, t) || sum.Dst.Type != t || t.Signed && sum.Wrap || !t.Signed && t.Bits < 64 {
		return false
	}
	load, ok := f.def(sum.X).(*cir.Load)
	return ok && load.Addr == cir.Value(l) && load.Type == t && load.Bits == nil
}

// isSet reports whether control gets to a load of a local only behind a store to it, since its life began.
func (f *function) isSet(load cir.Instr, l *cir.Local) bool {
	seen := map[*cir.Block]bool{}
	var back func(b *cir.Block, end int) bool
	back = func(b *cir.Block, end int) bool {
		for i := end - 1; i >= 0; i-- {
			switch x := b.Instrs[i].(type) {
			case *cir.Store:
				if x.Addr == cir.Value(l) {
					return true
				}
			case *cir.LifeStart:
				if x.Local == l {
					return false
				}
			}
		}
		if len(f.Preds[b]) == 0 || b == f.Copy.Func.Blocks[0] {
			return false
		}
		for _, p := range f.Preds[b] {
			if !seen[p] {
				seen[p] = true
				if !back(p, len(p.Instrs)) {
					return false
				}
			}
		}
		return true
	}
	return back(f.home[load], f.index(load))
}

// isSmall reports whether a value is a constant of a type which is not negative, and so small that no counter gets beyond 64 bits by it.
func isSmall(v cir.Value, t cir.Type) bool {
	c, ok := v.(cir.Int)
	return ok && t.IsInt() && c.Hi == 0 && c.Lo < 1<<30
}

// printers are the functions of the library that read what they are given beyond their parameters, as a format says.
var printers = []string{"printf", "fprintf", "dprintf", "sprintf", "snprintf"}

// Listed returns the piece that a function of the library reads of an object, on behalf of a call by some nodes of a thread, through what follows a format; nil if it is not known to be one.
func (r *Result) Listed(t *thread.Thread, call *cir.Call, by []*thread.Node, about *pointsto.Object) (all *Piece) {
	if !r.concerns(t) {
		return nil
	}
	ok := r.eachListed(t, call, by, about, func(n *thread.Node, in *cir.Call, arg cir.Value) bool {
		all = r.Piece(t, n, in, arg, Onward, about).join(all)
		return all != nil
	})
	if !ok {
		return nil
	}
	return all
}

// eachListed calls f for what such a call by nodes of a thread is given beyond the parameters that may lead to an object, or, if it is given a va_list, the function around it; as long as that
// returns true. It reports whether that is all that is read.
func (r *Result) eachListed(t *thread.Thread, call *cir.Call, by []*thread.Node, about *pointsto.Object, f func(*thread.Node, *cir.Call, cir.Value) bool) bool {
	to, direct := call.Callee.(*cir.Func)
	if !direct || !to.Library {
		return false
	}
	given := func(n *thread.Node, in *cir.Call, params int) bool {
		for _, arg := range in.Args[min(params, len(in.Args)):] {
			if arg.ByVal != nil || r.leads(n, arg.X, about) && !f(n, in, arg.X) {
				return false
			}
		}
		return true
	}
	listed := slices.Contains(printers, to.Source)
	for _, n := range by {
		if listed {
			if !given(n, call, len(to.Params)) {
				return false
			}
			continue
		}
		if !ownList(n.Fn, call) || r.callsOf(t).open[n] {
			return false
		}
		for _, c := range r.callsOf(t).list {
			if c.to == n && (r.creates(c.from, c.in) || !given(c.from, c.in, len(n.Fn.Params))) {
				return false
			}
		}
	}
	return len(by) > 0
}

// listPrinters are the functions of the library that read what a va_list has, with the number of the parameter.
var listPrinters = map[string]int{"vprintf": 1, "vfprintf": 2, "vdprintf": 2, "vsprintf": 2, "vsnprintf": 3}

// listOf returns the local whose address a call gives such a function as its va_list, nil if there is none.
func listOf(call *cir.Call) *cir.Local {
	to, direct := call.Callee.(*cir.Func)
	if !direct || !to.Library {
		return nil
	}
	i, is := listPrinters[to.Source]
	if !is || i >= len(call.Args) {
		return nil
	}
	l, _ := call.Args[i].X.(*cir.Local)
	return l
}

// ownList reports whether the va_list that a call is given by a function has that function's own arguments: nothing else is done to it than to begin it, to end it, and to print what it has.
func ownList(f *cir.Func, call *cir.Call) bool {
	l := listOf(call)
	if l == nil || f.Library || !f.Variadic {
		return false
	}
	uses := 0
	use := func(v cir.Value) {
		if v == cir.Value(l) {
			uses++
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.VaStart, *cir.VaEnd, *cir.LifeStart, *cir.LifeEnd:
				continue
			case *cir.Call:
				if listOf(in) == l {
					uses--
				}
			}
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
	return uses == 0
}

// Absent reports whether a thread never accesses an object by a pointer of a node: it is made of a parameter that no call of the thread's leads there.
func (r *Result) Absent(t *thread.Thread, n *thread.Node, addr cir.Value, about *pointsto.Object) bool {
	return r.borrowedPiece(t, n, addr, 0, about) == nowhere
}

// AbsentListed does so for what such a call reads.
func (r *Result) AbsentListed(t *thread.Thread, call *cir.Call, by []*thread.Node, about *pointsto.Object) bool {
	return r.eachListed(t, call, by, about, func(n *thread.Node, _ *cir.Call, arg cir.Value) bool { return r.Absent(t, n, arg, about) })
}

// join returns what two pieces of a kind are together, nil if they are not of one kind; p is the only one if q is nil.
func (p *Piece) join(q *Piece) *Piece {
	if p == nil || q == nil {
		return p
	}
	if p.Kind != q.Kind || p.Parent != q.Parent || p.Puts != q.Puts {
		return nil
	}
	x := *p
	x.Lo, x.Hi = min(p.Lo, q.Lo), max(p.Hi, q.Hi)
	return &x
}

// leads reports whether a value of a node may lead to an object.
func (r *Result) leads(n *thread.Node, v cir.Value, about *pointsto.Object) bool {
	return slices.ContainsFunc(r.pts.Places(n.Fn, n.Ctx, v), func(l pointsto.Location) bool { return l.Obj == about })
}

// concerns reports whether a thread has pieces of its own, or creates such threads.
func (r *Result) concerns(t *thread.Thread) bool { return r.groups[t] != nil || r.isParent(t) }

// borrowing is a thread that calls functions, and the object that is asked about; nil: any.
type borrowing struct {
	t     *thread.Thread
	about *pointsto.Object
}

// maxWork bounds the calls that are looked at for single objects.
const maxWork = 50_000

// borrowedOf returns which pieces the parameters of what a thread calls lead to, as far as they lead to an object.
func (r *Result) borrowedOf(t *thread.Thread, about *pointsto.Object) map[*thread.Node][]*Piece {
	by := borrowing{t, about}
	if _, known := r.borrowed[by]; !known && about != nil {
		if r.work += len(r.callsOf(t).list); r.work > maxWork {
			return nil
		}
		r.borrow(by)
	}
	return r.borrowed[by]
}

// nowhere stands for a parameter that does not lead to the object which is asked about, as far as calls were looked at.
var nowhere = &Piece{Lo: 1, Kind: Kind{Allocated: true, Stride: -1}}

// about returns how far the array of an object goes that an instruction of a node takes an element of, from index 0 on: the one that the pointer leads into, or a member of the struct there.
func (r *Result) about(n *thread.Node, o *pointsto.Object) func(*cir.Offset) int64 {
	return func(in *cir.Offset) int64 {
		if in.Disp != 0 && in.Of == nil {
			return -1
		}
		return r.room(n, in.P, in.Disp, o)
	}
}

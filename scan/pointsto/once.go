package pointsto

import (
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
)

// Copy is a function in a context, as it was analysed.
type Copy struct {
	Func *cir.Func
	Ctx  Context
}

// Copies returns all copies of functions, in a fixed order. The slice is kept, and must not be changed.
func (r *Result) Copies() []Copy {
	if len(r.copies) != len(r.a.order) {
		r.copies = make([]Copy, 0, len(r.a.order))
		for _, x := range r.a.order {
			r.copies = append(r.copies, Copy{x.fn, x.ctx})
		}
	}
	return r.copies
}

// Canonical returns the copy of a function that stands for it in a context.
func (r *Result) Canonical(c Copy) Copy { return Copy{c.Func, r.a.canonical(c.Func, c.Ctx)} }

// Called returns the copies with bodies that a call may get to; a nil call is that of exit by the program's entry. The
// slice is kept, and must not be changed.
func (r *Result) Called(c Copy, call *cir.Call) []Copy {
	x := r.instance(c.Func, c.Ctx)
	if x == nil {
		return nil
	}
	key := calledKey{x, call}
	list, known := r.called[key]
	if !known {
		if r.called == nil {
			r.called = map[calledKey][]Copy{}
		}
		list = r.inOrder(x.calls[call])
		r.called[key] = list
	}
	return list
}

// calledKey is a call in an instance.
type calledKey struct {
	x    *instance
	call *cir.Call
}

// inOrder returns copies in the order in which they were found.
func (r *Result) inOrder(set map[*instance]bool) []Copy {
	if len(set) == 0 {
		return nil
	}
	list := make([]Copy, 0, len(set))
	for y := range set {
		list = append(list, Copy{y.fn, y.ctx})
	}
	if len(list) > 1 {
		slices.SortFunc(list, func(p, q Copy) int { return r.place(p) - r.place(q) })
	}
	return list
}

// place returns the number of a copy.
func (r *Result) place(c Copy) int {
	if r.places == nil {
		r.places = map[Copy]int{}
		for i, x := range r.a.order {
			r.places[Copy{x.fn, x.ctx}] = i
		}
	}
	return r.places[c]
}

// Callers returns the copies that may call a copy, without those that create threads with it.
func (r *Result) Callers(c Copy) []Copy {
	set := map[*instance]bool{}
	for _, from := range r.callersOf()[r.instance(c.Func, c.Ctx)] {
		if _, creates := from.in.(*cir.Intrinsic); !creates {
			set[from.x] = true
		}
	}
	return r.inOrder(set)
}

// MayCreate reports whether an instruction of a copy may create a thread, what it calls included.
func (r *Result) MayCreate(c Copy, in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Intrinsic:
		return in.Op == cir.ThreadCreate
	case *cir.Call:
		if x := r.instance(c.Func, c.Ctx); x != nil {
			for y := range r.gets(x, in) {
				if r.doing(cir.ThreadCreate)[y] {
					return true
				}
			}
		}
	}
	return false
}

// MayWrite reports whether an instruction of a copy may write an object, what it calls included.
func (r *Result) MayWrite(c Copy, in cir.Instr, o *Object) bool {
	x := r.instance(c.Func, c.Ctx)
	if x == nil {
		return true
	}
	var own intsets.Sparse
	if r.writtenBy(x, in, &own); own.Has(o.ID) {
		return true
	}
	if call, ok := in.(*cir.Call); ok {
		for y := range r.gets(x, call) {
			if r.modifies[y].Has(o.ID) {
				return true
			}
		}
	}
	return false
}

// Writes returns the operands through which an instruction itself writes memory.
func Writes(in cir.Instr) []cir.Value { return writes(in) }

// Places is [Result.Targets] for those who ask often: the slice is kept, and must not be changed. Slices that are equal are the same one.
func (r *Result) Places(f *cir.Func, ctx Context, v cir.Value) []Location {
	n := r.node(f, ctx, v)
	if n == nil {
		return nil
	}
	ls, known := r.placesOf[n]
	if !known {
		if r.placesOf == nil {
			r.placesOf, r.lists = map[*node][]Location{}, map[uint64][][]Location{}
		}
		ls = r.shared(r.sorted(&n.set))
		r.placesOf[n] = ls
	}
	return ls
}

// shared returns the first list that was given which has the same locations.
func (r *Result) shared(ls []Location) []Location {
	hash := uint64(len(ls))
	for _, l := range ls {
		hash = (hash^uint64(l.Obj.ID))*0x9e3779b97f4a7c15 ^ uint64(l.Off)
		hash ^= hash >> 29
	}
	for _, old := range r.lists[hash] {
		if slices.Equal(old, ls) {
			return old
		}
	}
	r.lists[hash] = append(r.lists[hash], ls)
	return ls
}

// KnownOutside returns the copies of functions with bodies that code outside of the program knows, and may call.
func (r *Result) KnownOutside() []Copy {
	if r.outside != nil {
		return *r.outside
	}
	set := r.a.backs
	if !r.a.open { // any that it knows
		set = map[*instance]bool{}
		for _, l := range r.Held(r.a.external) {
			if x := r.instance(l.Obj.Func, Context{}); x != nil && l.Obj.IsFunc() {
				set[x] = true
			}
		}
	}
	list := r.inOrder(set)
	r.outside = &list
	return list
}

// Once reports whether an object stands for one only, in all of an execution: a global that is none of each thread's, or what a
// function makes that is entered no more than once, in no loop.
func (r *Result) Once(o *Object) bool {
	if once, known := r.once[o]; known {
		return once
	}
	if r.once == nil {
		r.once = map[*Object]bool{}
	}
	r.once[o] = r.isOnce(o)
	return r.once[o]
}

func (r *Result) isOnce(o *Object) bool {
	switch {
	case o.External || o.IsFunc():
		return false
	case o.Global != nil:
		return !o.Global.ThreadLocal
	}
	x := r.instance(o.Func, o.Ctx)
	if x == nil {
		return false
	}
	if o.Local != nil {
		return o.Local.Index >= 0 && r.entersOnce(x, map[*instance]bool{}) && (!o.Local.Scoped || !r.revives(x, o.Local))
	}
	return !again(x.fn, o.Site) && r.entersOnce(x, map[*instance]bool{})
}

// revives reports whether a local's life may begin more than once in an activation.
func (r *Result) revives(x *instance, l *cir.Local) bool {
	n := 0
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.LifeStart); ok && s.Local == l {
				if n++; n > 1 || again(x.fn, in) {
					return true
				}
			}
		}
	}
	return false
}

// entersOnce reports whether a copy is entered no more than once in an execution.
func (r *Result) entersOnce(x *instance, seen map[*instance]bool) bool {
	if seen[x] {
		return false
	}
	seen[x] = true
	if r.a.backs[x] || slices.Contains(r.KnownOutside(), Copy{x.fn, x.ctx}) {
		return false
	}
	n := 0
	for _, root := range r.Roots {
		if r.instance(root.Func, root.Ctx) == x {
			if n++; root.Many {
				return false
			}
		}
	}
	created := false
	for _, c := range r.callersOf()[x] {
		_, creates := c.in.(*cir.Intrinsic)
		created = created || creates
		if c.in != cir.Instr((*cir.Call)(nil)) && again(c.x.fn, c.in) || !r.entersOnce(c.x, seen) {
			return false
		}
		n++
	}
	if created { // the root that it is was counted twice
		n--
	}
	return n == 1
}

// again reports whether an activation may pass an instruction more than once: it is in a cycle, or a longjmp may lead back.
func again(f *cir.Func, in cir.Instr) bool {
	if inCycle(f, in) {
		return true
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return true
			}
		}
	}
	return false
}

// Exact reports whether a location stands for one offset: it is in no array of which the elements are one.
func (l Location) Exact() bool {
	o := l.Obj
	if l.Off == Any || o.External || o.IsFunc() || o.capped || o.Stride > 0 {
		return false
	}
	for s, off := o.Shape(), l.Off; s != nil && !s.Union; { // in a union all offsets are told apart
		if s.Elem != nil {
			return false
		}
		var in *cir.Shape
		for i := range s.Fields {
			f := &s.Fields[i]
			if f.Bits == nil && f.Offset <= off && (off < f.Offset+f.Shape.Size || f.Shape.Elem != nil && f.Shape.Len == 0) {
				in, off = f.Shape, off-f.Offset
				break
			}
		}
		s = in
	}
	return true
}

// Element returns from where to where the element of an array goes that a location is in: the innermost one, in the object's first elements. All bytes that
// the location stands for are as far from the beginnings of elements of that array, and no two of these elements overlap. ok is false if it is in none, or that is not known.
func (l Location) Element() (lo, hi int64, ok bool) {
	o, s := l.Obj, l.Obj.Shape()
	if l.Off == Any || l.Off < 0 || o.External || o.IsFunc() || o.Reduce(l.Off) != l.Off {
		return 0, 0, false
	}
	at := int64(0)
	for s != nil && !s.Union { // in a union all offsets are told apart
		if s.Elem != nil {
			if s.Elem.Size <= 0 || l.Off-at >= s.Elem.Size {
				return lo, hi, false
			}
			lo, hi, ok = at, at+s.Elem.Size, true
			s = s.Elem
			continue
		}
		var in *cir.Shape
		for i := range s.Fields {
			f := &s.Fields[i]
			open := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
			if f.Bits == nil && at+f.Offset <= l.Off && (open || l.Off < at+f.Offset+f.Shape.Size) {
				in, at = f.Shape, at+f.Offset
				break
			}
		}
		s = in
	}
	return lo, hi, ok
}

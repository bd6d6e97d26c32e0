package pointsto

import "comus/cir"

// A program may take a pointer out of its object and back again (container_of does, of the head of a list), as long as it accesses nothing there. Where
// an object ends is known of many. A location out of it is told exactly while there are few of them, or else by its side only: no access goes
// there, and back it comes to where it belongs, or, of a side, to anywhere in the object.
//
// An offset within an array stands for all of its elements, the first one being the least of them: so what is beyond the end
// from there is beyond it from all.

// above and below are the offsets of locations behind an object, and before it.
const (
	above = int64(1) << 61
	below = -above
)

// maxStrays bounds the locations out of an object that are told exactly.
const maxStrays = 16

// findExtent notes where an object ends.
func (a *analysis) findExtent(o *Object) {
	if !a.open || o.External || o.IsFunc() || o.Global != nil && o.Global.External {
		return
	}
	end := o.Size()
	if s, ok := o.Site.(*cir.Intrinsic); ok && end < 0 {
		end = Copy{o.Func, o.Ctx}.Given(s.Args[len(s.Args)-1])
	}
	if s := o.Shape(); o.Site == nil && s != nil && len(s.Fields) > 0 && isOpen(s, len(s.Fields)-1) {
		return
	}
	o.end = max(end, 0)
}

// extent returns where an object ends, 0 if that is not known, not the same for all that it stands for, or of no use as its offsets are not told apart.
func (o *Object) extent() int64 {
	if o.capped || o.Stride > 0 {
		return 0
	}
	return o.end
}

// strayed reports whether an offset is out of an object.
func (o *Object) strayed(off int64) bool {
	end := o.extent()
	return end > 0 && off != Any && (off < 0 || off > end)
}

// stray returns the offset that stands for one out of an object.
func (o *Object) stray(off int64) int64 {
	if _, ok := o.locs[off]; ok || off == above || off == below {
		return off
	}
	if o.strays++; o.strays <= maxStrays {
		return off
	}
	if off < 0 {
		return below
	}
	return above
}

// strays returns where a location goes along an edge that begins out of its object, or leads there.
func (a *analysis) strays(l Location, e edge) (Location, bool) {
	end := l.Obj.extent()
	switch {
	case l.Off == above || l.Off == below:
		if e.shift == Any || e.step != 0 || end == 0 || l.Off == above && e.shift < 0 || l.Off == below && e.shift > 0 {
			l.Off = Any
		}
		return l, true
	case end == 0 || l.Off == Any:
		return l, false
	case l.Obj.strayed(l.Off):
		if e.shift == Any || e.step != 0 {
			return Location{l.Obj, Any}, true
		}
		return Location{l.Obj, l.Off + e.shift}, true
	case e.shift == Any || e.step != 0:
		return l, false
	}
	to, slack := l.Off+e.shift, int64(0)
	if s := l.Obj.Shape(); s != nil {
		for _, v := range levels(s, l.Off, 0, nil) {
			slack += v.elem * (v.count - 1)
		}
	}
	switch {
	case slack == 0:
		return Location{l.Obj, to}, l.Obj.strayed(to)
	case to > end:
		return Location{l.Obj, above}, true
	case to+slack < 0:
		return Location{l.Obj, below}, true
	}
	return l, false
}

// holds reports whether there may be size bytes at a location: they are not, all or some, out of the object.
func (l Location) holds(size int64) bool {
	end := l.Obj.extent()
	switch {
	case l.Off == above || l.Off == below:
		return false
	case end == 0 || l.Off == Any:
		return true
	}
	return l.Off >= 0 && l.Off+size <= end
}

// holdsPointer reports whether a pointer may be loaded or stored at a location.
func (a *analysis) holdsPointer(l Location) bool {
	return !l.Obj.IsFunc() && l.holds(a.wordSize())
}

// Aim is an access, as far as that tells where it may go.
type Aim struct {
	Size  int64 // so many bytes are accessed in any case; 0 is taken for 1
	Frees bool  // what is accessed is what free is given
	// Plain is the type of a scalar that the program's own code loads or stores, if it is one that only such objects have; None otherwise.
	Plain cir.Type
}

// aimedKey is a question that [Result.Aimed] has answered.
type aimedKey struct {
	n *node
	x Aim
}

// Aimed returns which of the [Result.Places] of a pointer an access may go to, in the same order: no access is out of an object, and what is
// freed is the beginning of something that was allocated. The slice is kept, as those are: lists that are alike are one, and must not be changed.
func (r *Result) Aimed(f *cir.Func, ctx Context, v cir.Value, x Aim) []Location {
	n := r.node(f, ctx, v)
	if n == nil {
		return nil
	}
	all := r.Places(f, ctx, v)
	if !r.a.open {
		return all
	}
	x.Size = max(x.Size, 1)
	key := aimedKey{n, x}
	list, known := r.aimed[key]
	if known {
		return list
	}
	goes := map[Location]bool{}
	for _, id := range n.set.AppendTo(nil) {
		if l := r.a.locs[id]; x.mayGo(l) {
			goes[Location{l.Obj, l.Obj.Reduce(l.Off)}] = true
		}
	}
	for _, l := range all {
		if goes[l] {
			list = r.typed(list, l, x.Plain)
		}
	}
	if r.aimed == nil {
		r.aimed = map[aimedKey][]Location{}
	}
	list = r.shared(list)
	r.aimed[key] = list
	return list
}

// mayGo reports whether an access may go to a location.
func (x Aim) mayGo(l Location) bool {
	if !x.Frees {
		return l.holds(x.Size)
	}
	if l.Obj.External {
		return true
	}
	_, allocated := l.Obj.Site.(*cir.Intrinsic)
	off := l.Obj.Reduce(l.Off)
	return allocated && (off == Any && l.holds(1) || off == 0)
}

package transfer

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// arrayAt returns where an array of addresses ends that a location is all elements of.
func (a *analysis) arrayAt(l pointsto.Location) (end int64, ok bool) {
	if a.isHeapArray(l) {
		return heapEnd, true
	}
	size := int64(a.prog.Model.PointerBits / 8)
	lo, hi, ok := l.Element()
	if !ok || lo != l.Off || hi-lo != size || l.Obj.Local == nil && l.Obj.Global == nil && !isMade(l.Obj) {
		return 0, false
	}
	s, at := l.Obj.Shape(), int64(0)
	for s != nil && !s.Union && s.Elem == nil {
		i := slices.IndexFunc(s.Fields, func(f cir.Field) bool {
			return f.Bits == nil && at+f.Offset <= l.Off && l.Off < at+f.Offset+f.Shape.Size
		})
		if i < 0 {
			return 0, false
		}
		s, at = s.Fields[i].Shape, at+s.Fields[i].Offset
	}
	if s == nil || s.Elem == nil || s.Elem.Size != size || s.Len < 1 || at != l.Off {
		return 0, false
	}
	return at + s.Len*size, true
}

// origins is where the numbers of a function come from.
type origins struct {
	made   map[*cir.Reg]cir.Instr
	stores map[*cir.Local][]*cir.Store
}

func originsOf(f *cir.Func) *origins {
	o := &origins{map[*cir.Reg]cir.Instr{}, map[*cir.Local][]*cir.Store{}}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				o.made[r] = in
			}
			if s, ok := in.(*cir.Store); ok {
				if l, ok := s.Addr.(*cir.Local); ok {
					o.stores[l] = append(o.stores[l], s)
				}
			}
		}
	}
	return o
}

// loaded returns the loads that a number comes from, by way of locals too, with nothing but constants added.
func (o *origins) loaded(v cir.Value, deep int) (list []*cir.Load) {
	r, ok := v.(*cir.Reg)
	if !ok || deep == 0 {
		return nil
	}
	switch in := o.made[r].(type) {
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		if !ok {
			return []*cir.Load{in}
		}
		for _, s := range o.stores[l] {
			list = append(list, o.loaded(s.X, deep-1)...)
		}
	case *cir.Convert:
		return o.loaded(in.X, deep-1)
	case *cir.Binary:
		if _, ok := in.Y.(cir.Int); ok {
			return o.loaded(in.X, deep-1)
		}
	}
	return list
}

// deep is how many computations are between an index and the number in memory that it comes from at most.
const deep = 8

// note adds the number that a load of a copy goes to, if there is one of it.
func (a *analysis) note(list []Number, k int, l *cir.Load) []Number {
	at := a.places(k, l.Addr)
	if !l.Type.IsInt() || l.Type.Bits < 32 || len(at) != 1 || !at[0].Exact() || !a.pts.Once(at[0].Obj) || a.pts.Outside(at[0].Obj) {
		return list
	}
	if n := (Number{At: at[0], Type: l.Type}); !slices.Contains(list, n) {
		list = append(list, n)
	}
	return list
}

// indexNumbers returns the integers in memory that an array is indexed by, with nothing but constants added, in the order of where they are.
func (a *analysis) indexNumbers(at pointsto.Location) (list []Number) {
	for k, c := range a.copies {
		if c.Func.Library {
			continue
		}
		var from *origins
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				o, ok := in.(*cir.Offset)
				if !ok || o.Index == nil || !slices.Contains(a.places(k, o.Dst), at) {
					continue
				}
				if from == nil {
					from = originsOf(c.Func)
				}
				for _, l := range from.loaded(o.Index, deep) {
					list = a.note(list, k, l)
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y Number) int { return before(x.At, y.At) })
	return list
}

// counters returns the integers in memory that go up and down by constants, in the order of where they are.
func (a *analysis) counters() (list []Number) {
	if a.counted {
		return a.ups
	}
	for k, c := range a.copies {
		if c.Func.Library {
			continue
		}
		from := originsOf(c.Func)
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*cir.Store)
				if !ok || !s.Type.IsInt() {
					continue
				}
				for _, l := range from.loaded(s.X, deep) {
					if slices.Equal(a.places(k, l.Addr), a.places(k, s.Addr)) {
						list = a.note(list, k, l)
					}
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y Number) int { return before(x.At, y.At) })
	a.counted, a.ups = true, list
	return list
}

// arrayForms returns the forms that a form without arrays may have with these: in each, all elements are used, or as many as a number tells.
func (a *analysis) arrayForms(f Form, arrays map[pointsto.Location]pointsto.Location) (list []Form) {
	order := sortedPlaces(arrays)
	if len(order) > maxArrays || f.Link >= 0 {
		return nil
	}
	list = []Form{f}
	for _, at := range order {
		r := slices.Index(f.Locks, arrays[at])
		end, _ := a.arrayAt(at)
		var more []Form
		for _, g := range list {
			g.Arrays, g.Numbers = slices.Clone(g.Arrays), slices.Clone(g.Numbers)
			add := func(all []Number) (first, end int) {
				first = len(g.Numbers)
				for _, n := range all {
					l, ok := a.lock(n.At, int64(n.Type.Bits/8))
					if n.Region = r; ok && l == f.Locks[r] && !slices.ContainsFunc(g.Numbers, func(m Number) bool { return m.At == n.At }) {
						g.Numbers = append(g.Numbers, n)
					}
				}
				return first, len(g.Numbers)
			}
			first, last := add(a.indexNumbers(at))
			try := func(count, head, tail int) {
				h := g
				h.Arrays = append(slices.Clone(g.Arrays), Array{at, r, end, count, head, tail})
				more = append(more, h)
			}
			if isZero(at, end-at.Off) || a.isHeapArray(at) {
				try(-1, -1, -1)
			}
			for n := first; n < last; n++ {
				if t := g.Numbers[n].Type; t.Signed || t.Bits == 64 || !a.isHeapArray(at) {
					try(n, -1, -1)
				}
			}
			if last-first != 2 || a.isHeapArray(at) {
				continue
			}
			for n, all := add(a.counters()); n < all; n++ {
				try(n, first, first+1)
				try(n, first+1, first)
			}
		}
		if list = more; len(list) > maxForms {
			list = list[:maxForms]
		}
	}
	return list
}

// maxForms bounds the forms that are tried because of arrays.
const maxForms = 12

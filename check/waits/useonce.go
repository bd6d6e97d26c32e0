package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// lives shows that the life of an object is begun once at most, and finds out which calls that end one are made once for each.
func (u *uses) lives() error {
	begins := map[Element]*Use{}
	for i := range u.out.List {
		x := &u.out.List[i]
		if x.Kind == Uses {
			continue
		}
		addr := x.Call.Args[x.Arg].X
		x.Once = u.onceFor(x.Copy, x.Call, addr, false, 0)
		if x.Kind != Begins {
			continue
		}
		set, err := u.h.sets.of(u.h.program, x.Copy, x.Call, addr)
		if err != nil {
			return err
		}
		for _, e := range u.h.sets.list[set] {
			if begins[e] != nil || !x.Once {
				return fail(x.Call, "%s may be initialised twice", u.h.sets.name(e))
			}
			begins[e] = x
		}
	}
	return nil
}

// onceFor reports whether an instruction is executed, for each object that an address leads to in it, once at most: main gets there once; or the object is made anew each time, or is another element of an array each time.
// In a function that is given the object, this holds of all calls of it, and these are given different ones. whole tells that a callee goes over an array there: then two elements of one array are not different enough.
func (u *uses) onceFor(c pointsto.Copy, at cir.Instr, addr cir.Value, whole bool, depth int) bool {
	if depth > maxNumber {
		return false
	}
	if u.h.onceOnly(c, at) {
		return true
	}
	x := u.h.function(c.Func)
	n := u.nameAt(asked{c, addr, at, x.blockOf(at)})
	if n.base == "" {
		return false
	}
	base, count, ok := x.element(n)
	if !ok || whole && count != nil {
		return false
	}
	again := func(not cir.Instr) bool { // control may come back without another object, or another element
		if count == nil {
			return x.reaches(at, at, not)
		}
		return !x.steps(at, count, not)
	}
	if l, from := u.allocated(c, base); l != nil {
		return !again(x.defs[from.X.(*cir.Reg).Index])
	}
	for _, l := range x.fn.Locals {
		if base.base != "l"+localToken(l)[1:] {
			continue
		}
		starts := x.startsOf(l)
		switch len(starts) {
		case 0:
			return !again(nil)
		case 1:
			return !again(starts[0])
		}
		return false
	}
	if again(nil) {
		return false
	}
	if i := paramOf(base); i >= 0 {
		return u.givenOnce(c, i, whole || count != nil, depth)
	}
	return base.base[0] == 'g' && u.h.entered(c)
}

// givenOnce reports whether a copy is called for each object that a parameter leads to once at most.
func (u *uses) givenOnce(c pointsto.Copy, i int, whole bool, depth int) bool {
	if slices.ContainsFunc(u.h.classes, func(k *class) bool { return slices.Contains(k.roots, c) }) {
		return false
	}
	var given []pointsto.Location
	for _, d := range u.h.callers[c] {
		for _, call := range u.h.callsOf(d) {
			x, err := u.h.callees(d, call)
			if err != nil {
				return false
			}
			if !slices.Contains(x.to, c) {
				continue
			}
			if x.outside || len(x.known) > 0 || i >= len(call.Args) || call.Args[i].ByVal != nil || !u.onceFor(d, call, call.Args[i].X, whole, depth+1) {
				return false
			}
			for _, l := range u.h.pts.Places(d.Func, d.Ctx, call.Args[i].X) {
				if l.Off == pointsto.Any || slices.ContainsFunc(given, func(m pointsto.Location) bool { return m.Obj == l.Obj && (m.Off == l.Off || !m.Exact() || !l.Exact()) }) {
					return false
				}
			}
			given = append(given, u.h.pts.Places(d.Func, d.Ctx, call.Args[i].X)...)
		}
	}
	return len(given) > 0
}

// element takes an address apart: what it is a constant distance from, and the local that holds the number of an element there, if there is one.
func (x *function) element(n name) (base name, count *cir.Local, ok bool) {
	p, computed := x.parts[n.base]
	if !computed {
		return name{base: n.base}, nil, true
	}
	if p.of.base == "" || p.index.base == "" || p.index.base == "?" || p.scale == 0 {
		return name{}, nil, false
	}
	if _, more := x.parts[p.of.base]; more {
		return name{}, nil, false
	}
	i := p.index
	for range 4 {
		q, converted := x.parts[i.base]
		if !converted {
			break
		}
		if q.index.base != "" || !q.from.IsInt() || !q.to.IsInt() || q.from.Bits > q.to.Bits { // different numbers stay different
			return name{}, nil, false
		}
		i = q.of
	}
	for _, l := range x.fn.Locals {
		if i.base == localToken(l) && x.plain[l] {
			return p.of, l, true
		}
	}
	return name{}, nil, false
}

// steps reports whether a local holds another number each time control gets to an instruction again, without passing not in between: it counts up by one on each way, or down, and nothing else is stored to it.
func (x *function) steps(at cir.Instr, l *cir.Local, not cir.Instr) bool {
	var step *cir.Store
	for _, s := range x.storesTo(l) {
		if !x.reaches(at, s, not) || !x.reaches(s, at, not) {
			continue
		}
		if step != nil || !x.isStep(s, l) {
			return false
		}
		step = s
	}
	return !x.reaches(at, at, not) || step != nil && !x.passesBesides(at, step, not)
}

// passesBesides reports whether control may get from an instruction to itself without passing either of two others.
func (x *function) passesBesides(at, step, not cir.Instr) bool {
	if not == nil {
		return x.reaches(at, at, step)
	}
	return x.reaches(at, at, step) && x.reaches(at, at, not)
}

// isStep reports whether a store adds 1 to a local, or takes it away. Numbers with a sign do not overflow, and those of 64 bits do not come to their beginning again.
func (x *function) isStep(s *cir.Store, l *cir.Local) bool {
	r, ok := s.X.(*cir.Reg)
	if !ok {
		return false
	}
	in, ok := x.defs[r.Index].(*cir.Binary)
	if !ok || in.Op != cir.Add && in.Op != cir.Sub || !s.Type.IsInt() || in.Dst.Type != s.Type || s.Bits != nil || !s.Type.Signed && s.Type.Bits != 64 || s.Type.Bits < 32 {
		return false
	}
	k, ok := in.Y.(cir.Int)
	by, small := k.Int64()
	if !ok || !small || by != 1 && by != -1 {
		return false
	}
	y, ok := in.X.(*cir.Reg)
	if !ok {
		return false
	}
	load, ok := x.defs[y.Index].(*cir.Load)
	if !ok || load.Addr != cir.Value(l) {
		return false
	}
	b := x.blockOf(s)
	from, to := slices.Index(b.Instrs, cir.Instr(load)), slices.Index(b.Instrs, cir.Instr(s))
	return from >= 0 && from < to && !slices.ContainsFunc(b.Instrs[from:to], func(in cir.Instr) bool {
		st, ok := in.(*cir.Store)
		return ok && st.Addr == cir.Value(l)
	})
}

// startsOf returns where the life of a local begins.
func (x *function) startsOf(l *cir.Local) (list []cir.Instr) {
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.LifeStart); ok && s.Local == l {
				list = append(list, in)
			}
		}
	}
	return list
}

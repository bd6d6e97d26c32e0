package waits

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// lives shows that the life of an object is begun once at most, and finds out which calls that end one are made once for each.
func (u *uses) lives() error {
	u.begins = map[Element]*Use{}
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
			if u.begins[e] != nil || !x.Once {
				return fail(x.Call, "%s may be initialised twice", u.h.sets.name(e))
			}
			u.begins[e] = x
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
		u.h.assumed[assumeOverflow] = true
		return !x.steps(at, count, not)
	}
	if call := x.allocates(base); call != nil {
		return !again(call)
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
	if strings.HasPrefix(base.base, "r") {
		return count != nil && u.h.entered(c) && u.leadsToStart(c, base)
	}
	if i := paramOf(base); i >= 0 {
		return u.givenOnce(c, i, whole || count != nil, depth)
	}
	return base.base[0] == 'g' && u.h.entered(c)
}

// leadsToStart reports whether an address was loaded from where only addresses are stored that allocations have returned: it is the beginning of an object.
func (u *uses) leadsToStart(c pointsto.Copy, addr name) bool {
	x := u.h.function(c.Func)
	for r, in := range x.defs {
		load, ok := in.(*cir.Load)
		if !ok || addr.base != regToken(r) {
			continue
		}
		places := u.h.pts.Places(c.Func, c.Ctx, load.Addr)
		for _, l := range places {
			if l.Obj.External || l.Obj.IsFunc() || l.Off == pointsto.Any || l.Off < 0 || l.Obj.Global != nil && len(l.Obj.Global.Relocs) > 0 {
				return false
			}
			for _, w := range u.writes[l.Obj] {
				if !w.whole && !w.at.Touches(w.size, l, 8) || w.zeros && !w.whole {
					continue
				}
				s, ok := w.in.(*cir.Store)
				if !ok || w.whole || w.at != l || s.Bits != nil || u.h.function(w.by.Func).allocated(s) == nil {
					return false
				}
			}
		}
		return len(places) > 0 && load.Bits == nil && load.Type.IsPointer()
	}
	return false
}

// allocates returns the call that has allocated what an address leads to: it is what a local holds that nothing else is stored to.
func (x *function) allocates(addr name) cir.Instr {
	for l := range x.plain {
		if addr.base != localToken(l) {
			continue
		}
		stores := x.storesTo(l)
		if len(stores) != 1 {
			return nil
		}
		return x.allocated(stores[0])
	}
	return nil
}

// allocated returns the call that has allocated what a store stores the address of, in its block.
func (x *function) allocated(s *cir.Store) cir.Instr {
	v := s.X
	for {
		r, ok := v.(*cir.Reg)
		if !ok || !slices.Contains(x.blockOf(s).Instrs, x.defs[r.Index]) {
			return nil
		}
		switch in := x.defs[r.Index].(type) {
		case *cir.Convert:
			if v = in.X; in.Dst.Type.IsPointer() && typeOf(v).IsPointer() {
				continue
			}
		case *cir.Call:
			if g, ok := in.Callee.(*cir.Func); ok && g.Library && allocates[g.Source] {
				return in
			}
		}
		return nil
	}
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
	if !strings.HasPrefix(i.base, "r") {
		return name{}, nil, false
	}
	for _, l := range x.fn.Locals { // it was computed, and stored, just before
		for _, s := range x.storesTo(l) {
			if r, ok := s.X.(*cir.Reg); ok && x.plain[l] && i.base == regToken(r.Index) && x.isStep(s, l) {
				return p.of, l, true
			}
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

// ownAddress returns the local of the copy that a write is to, if its address is at a constant distance from that one's.
func (u *uses) ownAddress(w write) *cir.Local {
	var addr cir.Value
	switch in := w.in.(type) {
	case *cir.Store:
		addr = in.Addr
	case *cir.Fill:
		addr = in.Dst
	case *cir.Copy:
		addr = in.Dst
	default:
		return nil
	}
	n := u.nameAt(asked{w.by, addr, w.in, u.h.function(w.by.Func).blockOf(w.in)})
	for _, l := range w.by.Func.Locals {
		if n.base == addressToken(l) {
			return l
		}
	}
	return nil
}

// isFirst reports whether a write is to a local of the function, in whose life nobody can have used it before: the function has not done anything yet with an address in it but to write there.
func (u *uses) isFirst(w write) bool {
	l := u.ownAddress(w)
	if l == nil {
		return false
	}
	x := u.h.function(w.by.Func)
	starts := x.startsOf(l)
	if len(starts) > 1 {
		return false
	}
	var start cir.Instr
	if len(starts) == 1 {
		start = starts[0]
	}
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			if x.handsOn(in, l) && x.reaches(in, w.in, start) {
				return false
			}
		}
		handed := false
		cir.TermOperands(b.Term, func(v cir.Value) { handed = handed || x.isIn(v, l, 0) })
		if handed {
			return false
		}
	}
	return true
}

// isSure reports whether a write is made in each life of a local, before the function hands an address in it on.
func (u *uses) isSure(w write) bool {
	l := u.ownAddress(w)
	x := u.h.function(w.by.Func)
	starts := x.startsOf(l)
	if len(starts) != 1 {
		return false
	}
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			if x.handsOn(in, l) && x.reaches(starts[0], in, w.in) {
				return false
			}
		}
	}
	return true
}

// handsOn reports whether an instruction does more with an address in a local than to compute another one, or to write or read there.
func (x *function) handsOn(in cir.Instr, l *cir.Local) bool {
	switch in := in.(type) {
	case *cir.Offset, *cir.Convert, *cir.Load, *cir.Fill, *cir.Copy, *cir.LifeStart, *cir.LifeEnd:
		if c, ok := in.(*cir.Convert); ok && !c.Dst.Type.IsPointer() {
			break
		}
		return false
	case *cir.Store:
		return x.isIn(in.X, l, 0)
	}
	hands := false
	cir.Operands(in, func(v cir.Value) { hands = hands || x.isIn(v, l, 0) })
	return hands
}

// isIn reports whether a value may be an address in a local, computed in the function by its name.
func (x *function) isIn(v cir.Value, l *cir.Local, depth int) bool {
	r, ok := v.(*cir.Reg)
	if !ok {
		return v == cir.Value(l)
	}
	if depth > maxNumber {
		return true
	}
	switch in := x.defs[r.Index].(type) {
	case *cir.Offset:
		return x.isIn(in.P, l, depth+1)
	case *cir.Convert:
		return x.isIn(in.X, l, depth+1)
	case *cir.Select:
		return x.isIn(in.X, l, depth+1) || x.isIn(in.Y, l, depth+1)
	case nil: // what a block is given is handed on where it is given
		return false
	}
	return false
}

// bytesBorn are bytes of something that zeros are written to.
type bytesBorn map[int64]bool

func (b bytesBorn) add(w write, l pointsto.Location) {
	if !w.zeros || w.size < 0 || !w.at.Exact() || !l.Exact() {
		return
	}
	for k := max(w.at.Off, l.Off); k < w.at.Off+w.size && k < l.Off+sizeRW; k++ {
		b[k-l.Off] = true
	}
}

func (b bytesBorn) all(size int64) bool {
	for k := range size {
		if !b[k] {
			return false
		}
	}
	return true
}

package handover

import (
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// step is one instruction.
func (r *rule) step(b *body, s *state, in cir.Instr) {
	if b.alone[in] { // all that others had has come to the first thread
		s.all(true)
	}
	own := false
	switch in := in.(type) {
	case *cir.Load:
		r.load(b, s, in)
		return
	case *cir.Store:
		r.store(b, s, in)
		return
	case *cir.LifeStart:
		i := b.local(in.Local)
		s.assign(b, in.Local, !b.plain[in.Local] && (s.dead[in.Local.Index] || s.own[i]))
		s.dead[in.Local.Index] = false
		return
	case *cir.LifeEnd:
		s.assign(b, in.Local, false)
		s.dead[in.Local.Index] = true
		return
	case *cir.Copy:
		r.copies(b, s, in.Src, in.Dst)
		r.overwrite(b, s, in)
		return
	case *cir.Call:
		r.call(b, s, in)
		return
	case *cir.Convert:
		own = r.isOwn(b, s, in.X)
	case *cir.Bitcast:
		own = r.isOwn(b, s, in.X)
	case *cir.Select:
		own = r.isOwn(b, s, in.X) && r.isOwn(b, s, in.Y)
	case *cir.Offset:
		own = r.isOwn(b, s, in.P) && (in.Index == nil || !r.follows(b, in.Index))
	case *cir.Fill:
		r.overwrite(b, s, in)
		return
	case *cir.RMW:
		r.overwrite(b, s, in)
		if in.X != nil && r.follows(b, in.X) {
			r.drop(b, in.Addr)
		}
	case *cir.CmpXchg:
		r.overwrite(b, s, in)
		if r.follows(b, in.New) {
			r.drop(b, in.Addr)
		}
	case *cir.Intrinsic:
		own = r.intrinsic(b, s, in)
		r.overwrite(b, s, in)
	default:
		r.overwrite(b, s, in)
		for _, v := range pointsto.Writes(in) {
			r.drop(b, v)
		}
	}
	for _, x := range cir.Results(in) {
		s.own[x.Index], s.of[x.Index] = own, ""
	}
}

// drop notes that something is stored through a pointer of which nobody knows whether it is in the region of the object there.
func (r *rule) drop(b *body, addr cir.Value) {
	if addr == nil {
		return
	}
	for _, l := range r.places(b, addr) {
		r.dropObject(l.Obj)
	}
}

// spoil notes that something else than the result of a thread is stored where a pointer leads.
func (r *rule) spoil(b *body, addr cir.Value) {
	for _, l := range r.places(b, addr) {
		r.spoilObject(l.Obj)
	}
}

func (r *rule) spoilObject(o *pointsto.Object) {
	if r.holding[o] && !r.spoilt[o] {
		r.spoilt[o], r.changed = true, true
	}
}

func (r *rule) dropObject(o *pointsto.Object) {
	if r.leads[o] {
		delete(r.leads, o)
		r.changed = true
	}
	r.spoilObject(o)
}

// load loads from an object of the region what leads into the region, too.
func (r *rule) load(b *body, s *state, in *cir.Load) {
	x := in.Dst.Index
	s.of[x] = ""
	if l, ok := in.Addr.(*cir.Local); ok && b.plain[l] {
		s.own[x], s.of[x] = s.own[b.local(l)], nameOf(l)
		return
	}
	s.own[x] = r.isOwn(b, s, in.Addr) && r.yields(b, in.Addr) || r.isResult(b, in)
	if name, _ := r.cell(b, s, in.Addr, in.Access); name != "" {
		s.own[x], s.of[x] = s.own[x] || s.cells[name], name
	}
}

// yields reports whether what is loaded from where a pointer leads is in the region of the object there, if it is followed.
func (r *rule) yields(b *body, addr cir.Value) bool {
	return !slices.ContainsFunc(r.places(b, addr), func(l pointsto.Location) bool { return !r.leads[l.Obj] && r.holding[l.Obj] })
}

func (r *rule) store(b *body, s *state, in *cir.Store) {
	own := r.isOwn(b, s, in.X)
	if l, ok := in.Addr.(*cir.Local); ok && b.plain[l] {
		s.assign(b, l, own)
		if x, ok := in.X.(*cir.Reg); ok {
			s.of[x.Index] = nameOf(l)
		}
		return
	}
	if r.follows(b, in.X) && !(own && r.isOwn(b, s, in.Addr)) {
		r.drop(b, in.Addr)
	}
	if r.follows(b, in.X) && !(own && r.ends(b)) {
		r.spoil(b, in.Addr)
	}
	name, of := r.cell(b, s, in.Addr, in.Access)
	r.overwrite(b, s, in)
	if name == "" || !own {
		return
	}
	for o := range of { // order does not matter: each is judged by itself
		if r.pts.MayWrite(b.Copy, in, o) { // the name means another place behind the store
			return
		}
	}
	s.cells[name] = true
}

// copies is a copy of bytes.
func (r *rule) copies(b *body, s *state, src, dst cir.Value) {
	if !slices.ContainsFunc(r.places(b, src), func(l pointsto.Location) bool { return r.holding[l.Obj] }) {
		return
	}
	if r.spoil(b, dst); !(r.yields(b, src) && r.isOwn(b, s, src) && r.isOwn(b, s, dst)) {
		r.drop(b, dst)
	}
}

// intrinsic reports whether the result leads into the region.
func (r *rule) intrinsic(b *body, s *state, in *cir.Intrinsic) (own bool) {
	switch in.Op {
	case cir.Alloc, cir.AllocAligned:
		return true
	case cir.Resize:
		old := in.Args[0]
		own = r.isOwn(b, s, old)
		if slices.ContainsFunc(r.places(b, old), func(l pointsto.Location) bool { return r.holding[l.Obj] }) {
			for _, o := range r.pts.Objects {
				if o.Site == cir.Instr(in) && r.pts.CanonicalContext(b.Func, o.Ctx) == b.Ctx {
					if r.spoilObject(o); !own || !r.yields(b, old) {
						r.dropObject(o)
					}
				}
			}
		}
		return own
	case cir.ThreadCreate:
		r.creates(b, s, in)
		return false
	case cir.HavocReachable:
		for o := range r.holding { // order does not matter: each is judged by itself
			r.dropObject(o)
		}
		return false
	}
	for _, v := range pointsto.Writes(in) {
		r.drop(b, v)
	}
	return false
}

// gives reports whether a thread is created with pointers to objects that are followed.
func (r *rule) gives(b *body, in *cir.Intrinsic) bool {
	return slices.ContainsFunc(in.Args[1:], func(v cir.Value) bool { return r.follows(b, v) })
}

// begun are the copies that a thread may begin with.
func (r *rule) begun(b *body, in *cir.Intrinsic) (list []*body) {
	for _, l := range r.places(b, in.Args[0]) {
		if l.Obj.IsFunc() {
			if y := r.bodies[r.pts.Canonical(pointsto.Copy{Func: l.Obj.Func, Ctx: b.Ctx})]; y != nil {
				list = append(list, y)
			}
		}
	}
	if f, ok := in.Args[0].(*cir.Func); ok {
		if y := r.bodies[r.pts.Canonical(pointsto.Copy{Func: f, Ctx: b.Ctx})]; y != nil && !slices.Contains(list, y) {
			list = append(list, y)
		}
	}
	return list
}

// creates gives a new thread the region, if it is given a pointer into it.
func (r *rule) creates(b *body, s *state, in *cir.Intrinsic) {
	gives, kept := r.gives(b, in), r.kept[place{b.Copy, in}]
	for _, y := range r.begun(b, in) {
		for i := range y.params {
			if i+1 >= len(in.Args) {
				r.pass(y, i, false)
				continue
			}
			r.pass(y, i, !r.follows(b, in.Args[i+1]) || !kept && r.isOwn(b, s, in.Args[i+1]))
		}
		r.enter(y)
	}
	if gives && !kept {
		s.all(false)
		r.hands(b)
	}
}

func (r *rule) enter(y *body) {
	if !y.entered {
		y.entered, r.changed = true, true
	}
}

func (r *rule) hands(b *body) {
	if !b.hands {
		b.hands, r.changed = true, true
	}
}

// pass gives a parameter a value.
func (r *rule) pass(y *body, i int, own bool) {
	if y.params[i] && !own {
		y.params[i], r.changed = false, true
	}
}

// goesOutside reports whether a call may get to code outside of the program.
func (r *rule) goesOutside(b *body, in *cir.Call) bool {
	if f, direct := in.Callee.(*cir.Func); direct {
		return len(f.Blocks) == 0
	}
	to := r.places(b, in.Callee)
	return len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0
	})
}

// shallow reports whether a call is of a function that accesses what it is given, and not what pointers lead to in there.
func shallow(in *cir.Call) bool {
	f, direct := in.Callee.(*cir.Func)
	if !direct {
		return false
	}
	k := pointsto.ContractOf(in, f)
	return k != nil && !slices.ContainsFunc(k.Params, func(p contract.Param) bool {
		return len(p.Calls) > 0 || slices.ContainsFunc(p.Accesses, func(a contract.Access) bool {
			return slices.ContainsFunc(a.Extent, func(l contract.Limit) bool { return l.Kind == contract.Below || l.Kind == contract.Deep })
		})
	})
}

func (r *rule) call(b *body, s *state, in *cir.Call) {
	outside := r.goesOutside(b, in)
	to := r.pts.Called(b.Copy, in)
	own, hands := len(to) > 0 && !outside, false
	for _, c := range to {
		y := r.bodies[c]
		for i := range y.params {
			r.pass(y, i, i < len(in.Args) && r.isOwn(b, s, in.Args[i].X))
		}
		r.enter(y)
		own, hands = own && y.ret, hands || y.hands
	}
	if outside {
		for _, c := range r.pts.CalledBack(b.Copy, in) {
			y := r.bodies[c]
			for i := range y.params {
				r.pass(y, i, false)
			}
			r.enter(y)
			hands = hands || y.hands
		}
		for o := range r.holding { // order does not matter: each is judged by itself
			if (r.leads[o] || !r.spoilt[o]) && r.pts.MayWrite(b.Copy, in, o) {
				r.dropObject(o)
			}
		}
	}
	r.drop(b, in.To)
	r.overwrite(b, s, in)
	if hands {
		s.all(false)
		r.hands(b)
	}
	r.join(b, s, in)
	if in.Dst != nil {
		s.own[in.Dst.Index], s.of[in.Dst.Index] = own, ""
	}
}

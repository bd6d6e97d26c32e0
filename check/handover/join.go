package handover

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Who joins a thread gets its region. The id is in an object, where only the creation of a thread has put it: of the thread that was given the region with this object. It gives that to
// nobody else before its end, as it creates no thread with anything. So the pointer to the object leads into the region that was joined. An id is joined once: another
// one that is in the object, of an older thread, is joined no more.

// join lets the pointer to the object that has the id which a call joins lead into the region from now on.
func (r *rule) join(b *body, s *state, in *cir.Call) {
	f, direct := in.Callee.(*cir.Func)
	at := place{b.Copy, in}
	if !direct || !f.Library || f.Source != "pthread_join" || len(in.Args) == 0 || r.refused[at] {
		return
	}
	load, base := r.idOf(b, in.Args[0].X)
	if load == nil || !r.follows(b, base) {
		return
	}
	r.joins[at] = r.places(b, load.Addr)
	s.own[base.Index] = true
	switch of := s.of[base.Index]; {
	case of == "":
	case isLocal(of):
		for _, l := range b.Func.Locals {
			if nameOf(l) == of {
				s.own[b.local(l)] = true
			}
		}
	default:
		s.cells[of] = true
	}
}

// idOf returns the load of an id, and the pointer to the object that it is loaded from.
func (r *rule) idOf(b *body, v cir.Value) (*cir.Load, *cir.Reg) {
	load, ok := b.def(v).(*cir.Load)
	if !ok || load.Bits != nil || load.Volatile {
		return nil, nil
	}
	addr := load.Addr
	for {
		switch in := b.def(addr).(type) {
		case *cir.Offset:
			if in.Index != nil && r.follows(b, in.Index) {
				return nil, nil
			}
			addr = in.P
			continue
		case *cir.Convert:
			if in.Dst.Type.IsPointer() {
				if x, ok := in.X.(*cir.Reg); ok && x.Type.IsPointer() {
					addr = x
					continue
				}
			}
		}
		base, ok := addr.(*cir.Reg)
		if !ok {
			return nil, nil
		}
		return load, base
	}
}

// def returns the instruction that gives a register its value, nil if there is none; casts of integers do not matter.
func (b *body) def(v cir.Value) cir.Instr {
	x, ok := v.(*cir.Reg)
	if !ok {
		return nil
	}
	return b.defs[x.Index]
}

// tells reports whether what is at some places in objects is the id of the thread to which the region belongs: what is written there is that, or zero.
func (r *rule) tells(ids []pointsto.Location) bool {
	good := map[*cir.Call]bool{}
	for _, l := range ids {
		if !r.objects[l.Obj] {
			return false
		}
	}
	all := true
	for _, b := range r.order {
		r.eachState(b, func(in cir.Located, s *state) {
			i, ok := in.(cir.Instr)
			if !ok || !all || !r.writes(b, i, ids) || r.zeros(b, i) {
				return
			}
			store, isStore := i.(*cir.Store)
			call := b.Ctx.Call
			if !isStore || call == nil || !b.Func.Library || !r.isOwn(b, s, store.Addr) {
				all = false
				return
			}
			yes, known := good[call]
			if !known {
				yes = r.givesAll(call)
				good[call] = yes
			}
			all = all && yes
		})
	}
	return all
}

// writes reports whether an instruction may write at some places.
func (r *rule) writes(b *body, in cir.Instr, at []pointsto.Location) bool {
	if call, ok := in.(*cir.Call); ok && r.goesOutside(b, call) && slices.ContainsFunc(at, func(l pointsto.Location) bool { return r.pts.MayWrite(b.Copy, in, l.Obj) }) {
		return true
	}
	if i, ok := in.(*cir.Intrinsic); ok {
		switch i.Op {
		case cir.Resize:
			return slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj.Site == in })
		case cir.Print, cir.Format, cir.Scan:
			if slices.ContainsFunc(at, func(l pointsto.Location) bool { return r.pts.MayWrite(b.Copy, in, l.Obj) }) {
				return true
			}
		}
	}
	size := int64(-1)
	if s, ok := in.(*cir.Store); ok {
		size = r.prog.Model.SizeOf(s.Type)
	}
	for _, v := range pointsto.Writes(in) {
		for _, x := range r.places(b, v) {
			if slices.ContainsFunc(at, func(l pointsto.Location) bool { return r.meet(x, size, l) }) {
				return true
			}
		}
	}
	return false
}

// meet reports whether some bytes may be those of an id.
func (r *rule) meet(x pointsto.Location, size int64, id pointsto.Location) bool {
	if x.Obj != id.Obj {
		return false
	}
	if size < 0 || !x.Exact() || !id.Exact() || x.Off < 0 || id.Off < 0 {
		return true
	}
	return x.Off < id.Off+int64(r.prog.Model.PointerBits/8) && id.Off < x.Off+size
}

// zeros reports whether all that an instruction writes is zeros: nobody joins those.
func (r *rule) zeros(b *body, in cir.Instr) bool {
	v := cir.Value(nil)
	switch in := in.(type) {
	case *cir.Store:
		if r.prog.Model.SizeOf(in.Type) < int64(r.prog.Model.PointerBits/8) { // a part of an id
			return false
		}
		v = in.X
	case *cir.Fill:
		if v = in.Byte; b.Func.Library && b.Func.Source == "memset" && b.Ctx.Call != nil && len(b.Ctx.Call.Args) == 3 {
			v = b.Ctx.Call.Args[1].X
		}
	}
	switch v := v.(type) {
	case cir.Int:
		return v.Lo == 0 && v.Hi == 0
	case cir.Null:
		return v.Addr == 0
	}
	return false
}

// givesAll reports whether a call of the program creates a thread, and always gives it the region, of which the thread gives nothing away until it ends.
func (r *rule) givesAll(call *cir.Call) bool {
	f, direct := call.Callee.(*cir.Func)
	if !direct || !f.Library || f.Source != "pthread_create" {
		return false
	}
	some := false
	for _, b := range r.order {
		if b.Ctx.Call != call || !b.Func.Library {
			continue
		}
		for _, at := range b.Func.Blocks {
			for _, in := range at.Instrs {
				i, ok := in.(*cir.Intrinsic)
				if !ok || i.Op != cir.ThreadCreate {
					continue
				}
				if r.kept[place{b.Copy, i}] || !r.gives(b, i) || !r.stays(r.begun(b, i)) {
					return false
				}
				some = true
			}
		}
	}
	return some
}

// stays reports whether threads that begin with some copies neither create threads nor wait for some: what they have at their end is what they were given, and more.
func (r *rule) stays(begin []*body) bool {
	seen := map[*body]bool{}
	for work := begin; len(work) > 0; {
		b := work[len(work)-1]
		if work = work[:len(work)-1]; seen[b] {
			continue
		}
		seen[b] = true
		for _, at := range b.Func.Blocks {
			for _, in := range at.Instrs {
				switch in := in.(type) {
				case *cir.Intrinsic:
					if in.Op == cir.ThreadCreate || in.Op == cir.ThreadJoined {
						return false
					}
				case *cir.Call:
					for _, c := range append(slices.Clone(r.pts.Called(b.Copy, in)), r.pts.CalledBack(b.Copy, in)...) {
						work = append(slices.Clip(work), r.bodies[c])
					}
				}
			}
		}
	}
	return len(begin) > 0
}

// What a thread returns is in its region at its end. The model of the library keeps that in an object that begins with the thread: run stores it, and
// end_join reads it for who has joined the thread, and has its region then.

// ends reports whether a function stores the result of a thread, which is seen to give nothing away after that.
func (r *rule) ends(b *body) bool {
	if !b.Func.Library || b.Func.Source != "run" && b.Func.Source != "run_c11" {
		return false
	}
	seen := false
	for _, at := range b.Func.Blocks {
		for _, in := range at.Instrs {
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			f, direct := call.Callee.(*cir.Func)
			if !direct || f.Source != "__comus_thread_end" {
				continue
			}
			seen = true
			if slices.ContainsFunc(r.pts.Called(b.Copy, call), func(c pointsto.Copy) bool { return r.bodies[c].hands }) {
				return false
			}
		}
	}
	return seen
}

// isResult reports whether a load is that of what a thread has returned which was joined just now.
func (r *rule) isResult(b *body, in *cir.Load) bool {
	return b.Func.Library && b.Func.Source == "end_join" && !slices.ContainsFunc(r.places(b, in.Addr), func(l pointsto.Location) bool { return r.spoilt[l.Obj] })
}

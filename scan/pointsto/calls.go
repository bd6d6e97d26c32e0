package pointsto

import (
	"comus/cir"
)

// call states the rules of a call, for each function that it turns out to get to.
func (a *analysis) call(x *instance, in *cir.Call) {
	if f, ok := in.Callee.(*cir.Func); ok {
		a.callOf(x, in, f)
		return
	}
	p := &pointed{x: x, in: in}
	seen := map[*Object]bool{}
	a.each(a.value(x, in.Callee), func(l Location) {
		switch {
		case seen[l.Obj]:
		case l.Obj.IsFunc():
			seen[l.Obj], p.own = true, true
			a.callOf(x, in, l.Obj.Func)
		case l.Obj.External:
			seen[l.Obj] = true
			if a.open {
				a.borrows(x, in)
				a.pointed = append(a.pointed, p)
			} else {
				a.unknown(x, in)
			}
		}
	})
}

// pointed is a call through a pointer that may lead outside of the program. Where code outside knows of a struct with pointers to functions, it may have put
// functions there; but if every call through such a pointer were one of a function that keeps what it is given, most objects of a large program would be known
// outside. So if there are functions of the program's that the pointer may lead to, those outside are taken to keep nothing (an assumption, [Result.Replaced],
// unless it is taken back, [cir.Premises]).
type pointed struct {
	x    *instance
	in   *cir.Call
	own  bool // there is a function that the program names
	seen bool // it was looked at
}

// findKeepers states of calls through pointers that lead only outside that what they give is kept there. It reports whether there are such that were
// not known.
func (a *analysis) findKeepers() (found bool) {
	for _, p := range a.pointed {
		if (!p.own || a.prog.Assume.HooksKeep) && !p.seen {
			p.seen, found = true, true
			a.keep(p.x, p.in)
		}
	}
	return found
}

func (a *analysis) callOf(x *instance, in *cir.Call, f *cir.Func) {
	a.carry(x, in, f)
	if len(f.Blocks) == 0 {
		if c := ContractOf(in, f); c != nil {
			a.byContract(x, in, c)
		} else {
			a.unknown(x, in)
		}
		return
	}
	y := a.instanceOf(f, a.callContext(x.fn, x.ctx, in, f))
	if x.calls[in] == nil {
		x.calls[in] = map[*instance]bool{}
	}
	x.calls[in][y] = true
	for i, arg := range in.Args {
		from := a.value(x, arg.X)
		switch {
		case i >= len(f.Params):
			a.flow(from, y.rest)
		case f.Params[i].ByVal != nil:
			o := a.object(f.Params[i].Reg, y.ctx, Object{Func: f, Local: a.byVal(f, i)})
			to := a.reg(y, f.Params[i].Reg)
			a.flow(a.addressOf(o), to)
			a.bytes(from, to, f.Params[i].ByVal.Size)
		default:
			a.flow(from, a.reg(y, f.Params[i].Reg))
		}
	}
	switch {
	case in.Result.Shape != nil:
		a.bytes(y.ret, a.value(x, in.To), in.Result.Shape.Size)
	case in.Dst != nil && a.carries(in.Dst.Type):
		a.flow(y.ret, a.reg(x, in.Dst))
	}
}

// byVal makes a local of the object that a struct parameter is.
func (a *analysis) byVal(f *cir.Func, i int) *cir.Local {
	p := f.Params[i]
	return &cir.Local{Index: -1 - i, Name: p.Name, Size: p.ByVal.Size, Align: p.Align, Shape: p.ByVal, Pos: f.Pos}
}

// intrinsic states the rules of an intrinsic.
func (a *analysis) intrinsic(x *instance, in *cir.Intrinsic) {
	switch in.Op {
	case cir.Alloc, cir.AllocAligned, cir.Resize:
		o := a.object(in, x.ctx, Object{Func: x.fn, Site: in})
		if in.Dst != nil {
			a.flow(a.addressOf(o), a.reg(x, in.Dst))
		}
		if in.Op == cir.Resize {
			a.bytes(a.value(x, in.Args[0]), a.addressOf(o), -1)
		}
	case cir.ThreadCreate:
		a.each(a.value(x, in.Args[0]), func(l Location) {
			if l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0 {
				a.thread(x, in, l.Obj.Func)
			}
		})
	case cir.HavocReachable:
		to := a.value(x, in.Args[0])
		a.flow(to, a.given)
		a.each(to, func(l Location) { a.flood(a.foreign, l.Obj) })
		a.each(a.below(to), func(l Location) { a.flood(a.foreign, l.Obj) })
	case cir.HavocBytes:
		a.flow(a.value(x, in.Args[0]), a.given)
		a.readsInto(x, in)
	case cir.ReadIn, cir.ReadLine: // what is read may be a pointer
		a.readsInto(x, in)
	case cir.Scan:
		a.each(a.value(x, in.Args[len(in.Args)-1]), func(l Location) { a.scans(a.cell(l.Obj, 0)) })
	case cir.Reaching:
		if from := a.value(x, in.Args[0]); in.Dst != nil {
			to := a.reg(x, in.Dst)
			a.flow(a.foreign, to)
			a.flow(a.cell(a.external, 0), to)
			a.flow(from, to)
			a.move(from, to, Any, 0)
			a.move(a.below(from), to, Any, 0)
		}
	case cir.Nondet, cir.FrameAddress, cir.ReturnAddress:
		if in.Dst != nil && in.Dst.Type.IsPointer() {
			a.flow(a.foreign, a.reg(x, in.Dst))
		}
	}
}

// readsInto states that bytes from outside are written where an intrinsic says.
func (a *analysis) readsInto(x *instance, in *cir.Intrinsic) {
	size := x.copy().Given(in.Args[1])
	a.each(a.value(x, in.Args[0]), func(l Location) { a.floodAt(a.foreign, l, size) })
}

// constant returns a number of bytes, -1 if it is not known.
func constant(v cir.Value) int64 {
	if c, ok := v.(cir.Int); ok && c.Hi == 0 && c.Lo < 1<<40 {
		return int64(c.Lo)
	}
	return -1
}

// scans states that a scalar from outside is written where a node points to.
func (a *analysis) scans(n *node) {
	a.each(n, func(l Location) {
		if !l.Obj.IsFunc() && !l.Obj.External {
			a.flow(a.foreign, a.cell(l.Obj, l.Off))
		}
	})
}

// thread states the rules of a thread's beginning.
func (a *analysis) thread(x *instance, in *cir.Intrinsic, f *cir.Func) {
	y := a.instanceOf(f, x.ctx)
	if x.threads[in] == nil {
		x.threads[in] = map[*instance]bool{}
	}
	x.threads[in][y] = true
	for i, p := range f.Params {
		if i+1 < len(in.Args) && p.ByVal == nil {
			a.flow(a.value(x, in.Args[i+1]), a.reg(y, p.Reg))
		}
	}
}

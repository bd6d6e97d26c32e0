package interp

import (
	"errors"
	"fmt"

	"comus/cir"
)

// site is a call as it is compiled.
type callSite struct {
	c      *cir.Call
	args   []int32
	types  []cir.Type
	callee int // the index of the function among those that are called; -1: through a pointer
	why    string
	check  bool // the function fits the call
}

// call makes a Call's code.
func (c *compiler) call(in *cir.Call) {
	s := &callSite{c: in, callee: -1}
	for _, a := range in.Args {
		t := c.typ(a.X)
		if a.ByVal != nil && !t.IsPointer() {
			c.bad("a struct argument that is no address at %s", c.where())
		}
		s.types = append(s.types, t)
		s.args = append(s.args, c.arg(a.X))
	}
	i := inst{do: doCall, d: -1, b: -1, x: &extra{flow: flowCall, instr: s}}
	if in.Dst != nil {
		i.d = c.reg(in.Dst)
		c.check(in.Dst.Type)
	}
	if in.Result.Shape != nil {
		if in.To == nil {
			c.bad("a call whose struct goes nowhere at %s", c.where())
		}
		c.address(in.To)
		i.b = c.arg(in.To)
	}
	if f, ok := in.Callee.(*cir.Func); ok && f != nil && !(f.Weak && len(f.Blocks) == 0) {
		s.callee = c.calls(f)
		if s.why = s.fits(f); s.why == "" {
			s.check = true
		}
		i.a = -1
	} else {
		c.address(in.Callee)
		i.a = c.arg(in.Callee)
	}
	c.emit(i)
}

// fits says why a function cannot be called in this way, or "".
func (s *callSite) fits(f *cir.Func) string {
	if len(f.Blocks) == 0 {
		return ""
	}
	n := len(f.Params)
	switch {
	case len(s.args) < n:
		return fmt.Sprintf("call of %s with %d arguments, which takes %d", f.Name, len(s.args), n)
	case len(s.args) > n && !f.Variadic && !f.NoProto:
		return fmt.Sprintf("call of %s with %d arguments, which takes %d", f.Name, len(s.args), n)
	}
	for i, p := range f.Params {
		a := s.c.Args[i]
		switch {
		case (a.ByVal != nil) != (p.ByVal != nil) || a.ByVal != nil && a.ByVal.Size != p.ByVal.Size:
			return fmt.Sprintf("argument %d of the call of %s is another struct, or none", i+1, f.Name)
		case a.ByVal == nil && !like(s.types[i], p.Reg.Type):
			return fmt.Sprintf("argument %d of the call of %s is %s instead of %s", i+1, f.Name, s.types[i], p.Reg.Type)
		}
	}
	r := s.c.Result
	switch {
	case (r.Shape != nil) != (f.Result.Shape != nil) && (r.Shape != nil || s.c.Dst != nil) || r.Shape != nil && r.Shape.Size != f.Result.Shape.Size:
		return "the call expects another struct as the result of " + f.Name + ", or none"
	case s.c.Dst != nil && f.Result.Type.Kind != cir.None && !like(s.c.Dst.Type, f.Result.Type):
		return fmt.Sprintf("the call expects %s as the result of %s instead of %s", s.c.Dst.Type, f.Name, f.Result.Type)
	}
	return ""
}

// like reports whether types agree but for the sign, or are a pointer and an integer of one size.
func like(x, y cir.Type) bool {
	return x.Bits == y.Bits && x.IsFloat() == y.IsFloat()
}

// misfits deals with a call that does not fit the function: the run may end.
func (t *thread) misfits(s *callSite, f *cir.Func, why string) bool {
	if !t.m.opt.Calls || len(s.args) < len(f.Params) || s.c.Result.Shape != nil || f.Result.Shape != nil || s.c.Dst != nil && (s.c.Dst.Type.IsFloat() || f.Result.Type.IsFloat()) {
		return t.m.undefined(CheckCall, why)
	}
	for i, p := range f.Params {
		if s.c.Args[i].ByVal != nil || p.ByVal != nil || !like(s.types[i], p.Reg.Type) {
			return t.m.undefined(CheckCall, why)
		}
	}
	t.m.note(CheckCall, why, t.fr.site())
	return true
}

// doCall performs a call.
func doCall(t *thread, f *frame, in *inst) bool {
	s := in.x.instr.(*callSite)
	var c *fn
	why := s.why
	if s.callee >= 0 {
		c = f.fn.callees[s.callee]
	} else {
		if !t.decides(f, in.a) {
			return false
		}
		p := f.s[in.a]
		if p.obj == nil {
			p = t.m.pointerTo(p.lo)
		}
		if p.obj == nil || p.obj.kind != codeObject || p.lo != 0 {
			if p.obj == nil && p.lo == 0 {
				return t.m.undefined(CheckMemory, "call of a null pointer")
			}
			t.m.stop(Undefined, CheckCall, "call of what is no function")
			return false
		}
		c = p.obj.owner
		why = s.fits(c.f)
	}
	if t.hb != nil {
		if t.m.races.call(t, f, s, c); t.m.done {
			return false
		}
	}
	if c.outside {
		if ok, known := t.external(f, in, s, c); known || len(c.f.Blocks) == 0 {
			return ok
		}
	}
	c.compile()
	if why != "" && !t.misfits(s, c.f, why) {
		return false
	}
	g := t.newFrame(c)
	if !t.pass(f, g, s, why == "") {
		return false
	}
	if c.f.Atomic {
		t.enter(f)
		g.atomic = true
		if t.hb != nil {
			t.m.races.enter(t)
		}
	}
	t.push(g)
	return !t.m.done
}

// pass gives a call's arguments to an activation.
func (t *thread) pass(f, g *frame, s *callSite, fit bool) bool {
	params := g.fn.f.Params
	for i, a := range s.args {
		if i >= len(params) {
			if g.fn.f.Variadic {
				v, ok := t.variadic(f, g, s, i)
				if !ok {
					return false
				}
				g.va = append(g.va, v)
			}
			continue
		}
		p := &params[i]
		to := p.Reg.Index
		switch {
		case p.ByVal != nil && s.c.Args[i].ByVal != nil:
			o, ok := t.copied(f.s[a], min(p.ByVal.Size, s.c.Args[i].ByVal.Size), p.ByVal.Size, p.Align, p.Name)
			if !ok {
				return false
			}
			g.owned = append(g.owned, o)
			g.s[to] = slot{obj: o}
		case fit && s.types[i].Kind == p.Reg.Type.Kind:
			g.s[to] = f.s[a]
			if s.types[i].Signed != p.Reg.Type.Signed {
				g.s[to] = t.adapt(f.s[a], s.types[i], p.Reg.Type)
			}
		default:
			g.s[to] = t.adapt(f.s[a], s.types[i], p.Reg.Type)
		}
		if f.tainted && f.taint[a] != 0 {
			g.blur(int32(to), f.taint[a])
		}
	}
	for i := len(s.args); i < len(params); i++ { // missing: indeterminate
		g.s[params[i].Reg.Index] = slot{}
		g.blur(int32(params[i].Reg.Index), ^uint64(0))
	}
	return true
}

// adapt makes a value one of another type, as calls do that do not fit their function.
func (t *thread) adapt(x slot, from, to cir.Type) slot {
	switch {
	case from.IsPointer() && to.IsPointer():
		return x
	case from.IsPointer():
		x = slot{lo: t.m.number(x)}
	case from.IsInt():
		x = widen(x, from)
	}
	switch {
	case to.IsPointer():
		return t.m.pointerTo(x.lo)
	case to.IsInt():
		return normal(x.lo, x.hi, to)
	}
	return x
}

// copied returns a new object with a copy of a struct.
func (t *thread) copied(p slot, n, size, align int64, name string) (*Object, bool) {
	src, off, ok := t.valid(p, n, false)
	if !ok && n > 0 {
		return nil, false
	}
	if name == "" {
		name = "argument"
	}
	o := t.m.newObject(name, size, align, true)
	if n > 0 {
		t.m.copyBytes(o, 0, src, off, n)
	}
	return o, true
}

// variadic returns a variable argument.
func (t *thread) variadic(f, g *frame, s *callSite, i int) (Value, bool) {
	a := s.args[i]
	v := Value{Type: s.types[i], Lo: f.s[a].lo, Hi: f.s[a].hi, Obj: f.s[a].obj}
	if !v.Type.IsPointer() {
		v.Obj = nil
	}
	if f.tainted {
		v.undef = f.taint[a]
	}
	if b := s.c.Args[i].ByVal; b != nil {
		o, ok := t.copied(f.s[a], b.Size, b.Size, 16, "")
		if !ok {
			return v, false
		}
		if g != nil {
			g.owned = append(g.owned, o)
		}
		v.Lo, v.Obj, v.shape = 0, o, b
	}
	return v, true
}

// ret makes a Return's code.
func (c *compiler) ret(in *cir.Return) {
	x := &extra{flow: flowCall}
	i := inst{do: doReturn, a: -1, x: x}
	r := c.f.Result
	switch {
	case in.X == nil:
	case r.Shape != nil:
		c.address(in.X)
		i.a = c.arg(in.X)
	case r.Type.Kind == cir.None:
		c.bad("a function without result returns a value")
	default:
		c.same(c.typ(in.X), r.Type)
		i.a = c.arg(in.X)
	}
	c.emit(i)
}

// doReturn ends an activation.
func doReturn(t *thread, f *frame, in *inst) bool {
	var v slot
	var undef uint64
	if in.a >= 0 {
		v = f.s[in.a]
		if f.tainted {
			undef = f.taint[in.a]
		}
	}
	to := f.caller
	if f.bottom || to == nil {
		t.fr = to
		t.result, t.rtaint = v, undef
		t.release(f)
		t.ev = returned
		return false
	}
	call := &to.code[to.pc-1]
	s := call.x.instr.(*callSite)
	if call.b >= 0 && in.a >= 0 && f.fn.f.Result.Shape != nil {
		if !t.structResult(f, to, call, s, v) {
			return false
		}
	}
	t.fr = to
	r := f.fn.f.Result
	t.release(f)
	if call.d < 0 {
		return true
	}
	if in.a < 0 || r.Shape != nil {
		to.s[call.d] = slot{}
		to.blur(call.d, ^uint64(0))
		return true
	}
	if ty := s.c.Dst.Type; ty == r.Type {
		to.s[call.d] = v
	} else {
		to.s[call.d] = t.adapt(v, r.Type, ty)
	}
	to.set(call.d, undef)
	return true
}

// structResult copies a struct to where the caller wants it.
func (t *thread) structResult(f, to *frame, call *inst, s *callSite, v slot) bool {
	n := min(f.fn.f.Result.Shape.Size, s.c.Result.Shape.Size)
	if n == 0 {
		return true
	}
	src, from, ok := t.valid(v, n, false)
	if !ok || !t.decides(to, call.b) {
		return false
	}
	dst, at, ok := t.valid(to.s[call.b], n, true)
	if ok {
		t.m.copyBytes(dst, at, src, from, n)
	}
	return ok
}

// A Value is an argument or result of a call of an External. A pointer is the address of byte Lo of Obj, or,
// if that is nil, the integer Lo; a struct is a pointer to a copy of it.
type Value struct {
	Type   cir.Type
	Lo, Hi uint64
	Obj    *Object

	undef uint64
	shape *cir.Shape
}

// Int returns the value of an integer of at most 64 bits.
func (v Value) Int() int64 { return int64(v.Lo) }

// IsNull reports whether a pointer is null.
func (v Value) IsNull() bool { return v.Obj == nil && v.Lo == 0 }

// Plus returns a pointer n bytes on.
func (v Value) Plus(n int64) Value {
	v.Lo += uint64(n)
	return v
}

func (v Value) slot() slot { return slot{lo: v.Lo, hi: v.Hi, obj: v.Obj} }

// ErrStopped is returned by methods of Machine when the run has ended: by undefined behaviour, exit, or the
// like. An External returns it.
var ErrStopped = errors.New("cir/interp: the run has ended")

// external calls a function without a body.
func (t *thread) external(f *frame, in *inst, s *callSite, c *fn) (ok, known bool) {
	m := t.m
	name := c.f.Source
	if name == "" {
		name = c.f.Name
	}
	if m.opt.External == nil {
		m.stop(Missing, "", name)
		return false, true
	}
	var args []Value
	for i := range s.args {
		v, ok := t.variadic(f, nil, s, i)
		if !ok {
			return false, true
		}
		if v.undef != 0 && !t.decides(f, s.args[i]) {
			return false, true
		}
		args = append(args, v)
	}
	tr := m.opt.Tracer
	if tr != nil {
		tr.Calls(t.id, c.f, s.callee >= 0, args)
	}
	m.observe(0, Everywhere, true)
	if m.opt.Atomics != nil {
		m.opt.Atomics.Outside(c.f.Name)
	}
	r, known, err := m.opt.External(m, name, args)
	if tr != nil && !m.done && err == nil {
		tr.Called(t.id, known, r)
	}
	switch {
	case m.done:
		return false, true
	case err != nil:
		return m.fail(err), true
	case !known && len(c.f.Blocks) > 0: // the model does it
		return true, false
	case !known:
		m.stop(Missing, "", name)
		return false, true
	}
	if in.d >= 0 {
		ty := s.c.Dst.Type
		if r.Type.Kind == cir.None {
			r.Type = ty
		}
		f.s[in.d] = t.adapt(r.slot(), r.Type, ty)
		f.set(in.d, 0)
	}
	return true, true
}

// Call calls a function of the program from an External, and returns its result.
func (m *Machine) Call(fn Value, args ...Value) (Value, error) {
	p := fn.slot()
	if p.obj == nil {
		p = m.pointerTo(p.lo)
	}
	if p.obj == nil || p.obj.kind != codeObject || p.lo != 0 {
		m.stop(Undefined, CheckCall, "call of what is no function")
		return Value{}, ErrStopped
	}
	t, c := m.cur, p.obj.owner
	if len(c.f.Blocks) == 0 {
		m.stop(Missing, "", c.f.Name)
		return Value{}, ErrStopped
	}
	c.compile()
	if len(args) < len(c.f.Params) {
		m.stop(Undefined, CheckCall, "call of "+c.f.Name+" with too few arguments")
		return Value{}, ErrStopped
	}
	f := t.newFrame(c)
	for i, p := range c.f.Params {
		f.s[p.Reg.Index] = t.adapt(args[i].slot(), args[i].Type, p.Reg.Type)
	}
	f.bottom = true
	t.push(f)
	saved := t.left
	m.nested++
	defer func() { m.nested-- }()
	const some = 1 << 20
	for !m.done {
		t.left, t.unused = some, 0
		t.run()
		m.steps += some - t.left - t.unused
		switch {
		case m.done:
		case t.ev == returned:
			t.left, t.unused, t.ev = saved, 0, goesOn
			r := t.result
			return Value{Type: c.f.Result.Type, Lo: r.lo, Hi: r.hi, Obj: r.obj}, nil
		case t.ended:
			return Value{}, errorf("the thread ends in a function that the library calls")
		case m.steps >= m.opt.MaxSteps:
			m.stop(Limit, "", itoa(m.steps)+" steps")
		case t.waits:
			m.stop(Deadlock, "", "a function that the library calls waits")
		}
	}
	return Value{}, ErrStopped
}

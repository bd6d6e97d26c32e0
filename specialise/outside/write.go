package outside

import (
	"slices"

	"comus/cfront/contract"
	"comus/cir"
)

// writer writes one function.
type writer struct {
	*maker
	site *site
	f    *cir.Func
	info cir.Info
	call *cir.Call // what is called, in terms of the parameters
	cur  *cir.Block
}

// write writes the body: calls back, calls, and if what is called is a model, which does what it does step by step, calls back again.
func (w *writer) write() {
	w.f.Result = w.call.Result
	w.cur = w.block()
	w.loop()
	last := *w.call
	var result cir.Value
	switch {
	case last.Result.Shape != nil:
		l := w.local(last.Result.Shape)
		last.To, result = l, l
	case last.Dst != nil:
		last.Dst = w.reg(last.Dst.Type)
		result = last.Dst
	case last.Result.Type.Kind != cir.None:
		result = cir.Undef{Type: last.Result.Type}
	}
	w.emit(&last)
	if w.site.hasBody() {
		w.loop()
	}
	w.cur.Term = &cir.Return{Info: w.info, X: result}
}

// loop writes a loop: any number of times, one of the functions is called.
func (w *writer) loop() {
	head, turn, done := w.block(), w.block(), w.block()
	w.jump(head)
	w.cur = head
	w.emit(&cir.Intrinsic{Op: cir.Approximation, Info: cir.Info{Approx: "what '" + w.f.Source + "' calls"}})
	w.cur.Term = &cir.Branch{Info: w.info, Cond: w.any(cir.Bool), Then: turn, Else: done}
	w.cur = turn
	if !w.site.hasBody() { // what it changes before
		before := *w.call
		before.Dst, before.Returns = nil, true
		if before.Result.Shape != nil {
			before.To = w.local(before.Result.Shape)
		}
		w.emit(&before)
	}
	todo, t := w.site.back, cir.U8 // few values, as engines visit them one by one
	if len(todo) > 256 {
		t = cir.U32
	}
	s := &cir.Switch{Info: w.info, X: w.any(t)}
	from := w.cur
	for i, f := range todo {
		w.cur = w.block()
		if i == len(todo)-1 {
			s.Default = w.cur
		} else {
			s.Cases = append(s.Cases, cir.Case{Lo: cir.IntOf(t, int64(i)), Hi: cir.IntOf(t, int64(i)), To: w.cur})
		}
		w.calls(f, w.pointers())
		if w.site.call.Unknown == cir.Open || inThread(w.site.contract()) {
			w.starts(f)
		}
		w.jump(head)
	}
	from.Term = s
	w.cur = done
}

// pointers returns what pointers that are given to a function may lead to: the arguments.
func (w *writer) pointers() (ps []cir.Value) {
	for _, a := range w.call.Args {
		if a.ByVal != nil || w.prog.Model.TypeOf(a.X).IsPointer() {
			ps = append(ps, a.X)
		}
	}
	return ps
}

// starts calls a function in a thread of its own.
func (w *writer) starts(f *cir.Func) {
	start := &writer{maker: w.maker, site: w.site, f: w.add(w.f.Source, w.f.Pos), info: w.info}
	r := start.reg(w.prog.Model.Pointer())
	start.f.Params = []cir.Param{{Reg: r, Name: "a"}}
	start.cur = start.block()
	start.calls(f, []cir.Value{r})
	start.cur.Term = &cir.Return{Info: w.info}
	w.emit(&cir.Intrinsic{Op: cir.ThreadCreate, Dst: w.reg(w.prog.Model.Size()), Args: []cir.Value{start.f, w.anyPointer(w.pointers()), cir.Null{}, cir.Null{}}})
}

// calls calls a function with any arguments.
func (w *writer) calls(f *cir.Func, from []cir.Value) {
	c := &cir.Call{Info: w.info, Callee: f, Result: f.Result, Fixed: len(f.Params), Returns: true}
	for i, p := range f.Params {
		if v := w.said(f, i); v != nil {
			c.Args = append(c.Args, cir.Arg{X: v})
		} else {
			c.Args = append(c.Args, w.argument(p, from))
		}
	}
	if f.Result.Shape != nil {
		c.To = w.local(f.Result.Shape)
	}
	w.emit(c)
}

// said returns the argument that the contract says a function gets, if it is a parameter of what is called; nil if not. Functions that code
// outside got to know otherwise may be called with others.
func (w *writer) said(f *cir.Func, i int) cir.Value {
	c := w.site.contract()
	if c == nil || w.call == nil || w.knownOtherwise(f, c) {
		return nil
	}
	var same cir.Value
	for k := range w.site.call.Args {
		p := c.Argument(k)
		if p == nil {
			return nil
		}
		for _, x := range p.Calls {
			if i >= len(x.Args) || len(x.Args[i]) != 1 || x.Args[i][0].Kind != contract.Same || same != nil {
				return nil
			}
			same = w.call.Args[x.Args[i][0].Param].X
		}
	}
	if same == nil || w.prog.Model.TypeOf(same) != f.Params[i].Reg.Type || f.Params[i].ByVal != nil {
		return nil
	}
	return same
}

// knownOtherwise reports whether code outside may call a function that is not what this call gives it.
func (w *writer) knownOtherwise(f *cir.Func, c *contract.Function) bool {
	if slices.ContainsFunc(c.Params, func(p contract.Param) bool { return len(p.Retains) > 0 }) {
		return true
	}
	for _, s := range slices.Concat(c.Reads, c.Writes) {
		for _, l := range w.pts.KeptToCall(s) {
			if l.Obj.IsFunc() && l.Obj.Func == f || !l.Obj.IsFunc() {
				return true
			}
		}
	}
	return w.pts.Hooked(f)
}

// argument returns any argument that fits a parameter.
func (w *writer) argument(p cir.Param, from []cir.Value) cir.Arg {
	t := p.Reg.Type
	switch {
	case p.ByVal != nil:
		l := w.local(p.ByVal)
		n := int64(w.prog.Model.PointerBits / 8)
		w.emit(&cir.Intrinsic{Op: cir.HavocBytes, Args: []cir.Value{l, cir.Int{Type: w.prog.Model.Size(), Lo: uint64(p.ByVal.Size)}}})
		for at := int64(0); at+n <= p.ByVal.Size; at += n {
			to := w.reg(w.prog.Model.Pointer())
			w.emit(&cir.Offset{Dst: to, P: l, Disp: at})
			w.emit(&cir.Store{Addr: to, X: w.anyPointer(from), Access: cir.Access{Type: w.prog.Model.Pointer(), Align: 1}})
		}
		return cir.Arg{X: l, ByVal: p.ByVal}
	case t.IsPointer():
		return cir.Arg{X: w.anyPointer(from)}
	case t.IsInt() && t.Bits == w.prog.Model.PointerBits: // which may be an address
		r := w.reg(t)
		w.emit(&cir.Convert{Dst: r, X: w.anyPointer(from)})
		return cir.Arg{X: r}
	}
	return cir.Arg{X: w.any(t)}
}

// anyPointer is any pointer: outside, or to what some pointers lead to.
func (w *writer) anyPointer(from []cir.Value) cir.Value {
	p := w.reg(w.prog.Model.Pointer())
	if len(from) == 0 {
		from = []cir.Value{cir.Null{}}
	}
	w.emit(&cir.Intrinsic{Op: cir.Reaching, Dst: p, Args: []cir.Value{from[0]}})
	for _, x := range from[1:] {
		q, r := w.reg(p.Type), w.reg(p.Type)
		w.emit(&cir.Intrinsic{Op: cir.Reaching, Dst: q, Args: []cir.Value{x}})
		w.emit(&cir.Select{Dst: r, Cond: w.any(cir.Bool), X: p, Y: q})
		p = r
	}
	return p
}

// any is any value of a type.
func (w *writer) any(t cir.Type) cir.Value {
	r := w.reg(t)
	w.emit(&cir.Intrinsic{Op: cir.Nondet, Dst: r})
	return r
}

func (w *writer) reg(t cir.Type) *cir.Reg {
	w.f.NumRegs++
	return &cir.Reg{Index: w.f.NumRegs - 1, Type: t}
}

func (w *writer) local(s *cir.Shape) *cir.Local {
	l := &cir.Local{Index: len(w.f.Locals), Size: s.Size, Align: int64(w.prog.Model.PointerBits / 8), Shape: s, Pos: w.f.Pos}
	w.f.Locals = append(w.f.Locals, l)
	return l
}

func (w *writer) block() *cir.Block {
	b := &cir.Block{Index: len(w.f.Blocks)}
	w.f.Blocks = append(w.f.Blocks, b)
	return b
}

func (w *writer) jump(to *cir.Block) { w.cur.Term = &cir.Jump{Info: w.info, To: to} }

// emit adds an instruction, at the place of the call.
func (w *writer) emit(in cir.Instr) {
	m := in.Meta()
	if m.Site = w.info.Site; m.Approx == "" {
		m.Approx = w.info.Approx
	}
	w.cur.Instrs = append(w.cur.Instrs, in)
}

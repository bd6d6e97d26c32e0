package replay

import "comus/cir"

// The functions that are called around instructions where a run of the program as a whole is played, besides those of the same names in instrument.go: comus_turn and
// comus_done are given the thread and the number alone.
const (
	hookKnows   = "comus_knows"   // whether a function that has a model is performed outside this time: (self, number)
	hookOutside = "comus_outside" // what it does and returns: (self, number, arguments, addresses of variables)
	hookHavoc   = "comus_havoc"   // bytes that come from outside: (self, number, address, how many)
)

// runWeaver weaves calls of hooks into a program.
type runWeaver struct {
	*instrumenter
	rec     *recorder
	globals []*cir.Global // of the copy
	beyond  map[*cir.Func]int
}

// instrumentRun returns a copy of a program with hooks for a run, without the functions that it does not come to.
func instrumentRun(p *cir.Program, rec *recorder) *cir.Program {
	x := &runWeaver{instrumenter: &instrumenter{p: clone(p), hooks: map[string]*cir.Func{}}, rec: rec, beyond: map[*cir.Func]int{}}
	x.numbers = cir.Number(x.p)
	keep := map[int]bool{}
	for in := range rec.keep {
		keep[rec.numbers[in]] = true
	}
	x.places.access = func(n int) bool { return keep[n] }
	x.places.input = map[int]bool{}
	for in := range rec.takes {
		x.places.input[rec.numbers[in]] = true
	}
	for _, g := range rec.used {
		for i, h := range p.Globals {
			if g == h {
				x.globals = append(x.globals, x.p.Globals[i])
			}
		}
	}
	for i, f := range p.Funcs {
		x.beyond[x.p.Funcs[i]] = rec.beyond[f]
	}
	for i, f := range p.Funcs {
		g := x.p.Funcs[i]
		if len(g.Blocks) == 0 {
			continue
		}
		if !rec.entered[f] {
			g.Blocks, g.Locals = []*cir.Block{{Term: &cir.Unreachable{Why: "the run does not come to '" + f.Source + "'"}}}, nil
			if !rec.outside[f] {
				continue
			}
		}
		x.weave(g, rec.outside[f])
	}
	for _, name := range []string{hookTurn, hookDone, hookInput, hookTold, hookKnows, hookOutside, hookHavoc} {
		if f := x.hooks[name]; f != nil {
			x.p.Funcs = append(x.p.Funcs, f)
		}
	}
	return x.p
}

// weave weaves hooks into a function, which may be performed outside.
func (x *runWeaver) weave(f *cir.Func, outside bool) {
	x.f, x.rest, x.out = f, nil, nil
	x.self = x.reg(cir.U64)
	for i, b := range f.Blocks {
		x.out = nil
		here, instrs, term := b, b.Instrs, b.Term
		if i == 0 {
			x.emit(&cir.Intrinsic{Op: cir.ThreadSelf, Dst: x.self})
			if outside {
				here = x.instead(here)
			}
		}
		for _, in := range instrs {
			x.weaveInstr(in)
		}
		if r, ok := term.(*cir.Return); ok && r.X != nil && f.Result.Shape != nil && f.Result.Shape.Size > 0 {
			if n := x.numbers[term]; x.places.access(n) {
				tmp := x.temp(f.Result.Shape.Size)
				x.inTurn(n, &cir.Copy{Info: r.Info, Dst: tmp, Src: r.X, Size: cir.IntOf(x.p.Model.Size(), f.Result.Shape.Size), Align: 1})
				r.X = tmp
			}
		}
		here.Instrs, here.Term = x.out, term
	}
	for _, b := range x.rest {
		b.Index = len(f.Blocks)
		f.Blocks = append(f.Blocks, b)
	}
}

// inTurn emits an instruction that waits for the thread's turn.
func (x *runWeaver) inTurn(n int, in cir.Instr) {
	x.call(hookTurn, n)
	x.emit(in)
	x.call(hookDone, n)
}

// instead begins a function that has a model, but may be performed outside. It returns the block in which the model goes on.
func (x *runWeaver) instead(here *cir.Block) *cir.Block {
	f := x.f
	n := x.beyond[f]
	var args []cir.Value
	for _, p := range f.Params {
		args = append(args, p.Reg)
	}
	known := x.reg(cir.Bool)
	x.emit(&cir.Convert{Dst: known, X: x.call(hookKnows, n)})
	done, model := &cir.Block{}, &cir.Block{}
	here.Instrs, here.Term = x.out, &cir.Branch{Cond: known, Then: done, Else: model}
	x.out = nil
	ret := &cir.Return{}
	if v := x.outside(n, args); f.Result.Type.Kind != cir.None && f.Result.Shape == nil {
		r := x.reg(f.Result.Type)
		x.convert(r, v)
		ret.X = r
	}
	done.Instrs, done.Term = x.out, ret
	x.out = nil
	x.rest = append(x.rest, done, model)
	return model
}

// outside emits the call of what is performed outside.
func (x *runWeaver) outside(n int, args []cir.Value) *cir.Reg {
	var all []cir.Value
	for i := range mostArgs {
		if i >= len(args) {
			all = append(all, cir.IntOf(cir.U64, 0))
			continue
		}
		all = append(all, x.bits(args[i]))
	}
	for i := range mostGlobals {
		if i >= len(x.globals) {
			all = append(all, cir.IntOf(cir.U64, 0))
			continue
		}
		all = append(all, x.bits(x.globals[i]))
	}
	return x.call(hookOutside, n, all...)
}

// bits returns a value as a number of 64 bits; what is none is 0.
func (x *runWeaver) bits(v cir.Value) cir.Value {
	t := x.p.Model.TypeOf(v)
	if t.IsFloat() {
		return cir.IntOf(cir.U64, 0)
	}
	r := x.reg(cir.U64)
	x.emit(&cir.Convert{Dst: r, X: v})
	return r
}

// weaveInstr weaves hooks around an instruction.
func (x *runWeaver) weaveInstr(in cir.Instr) {
	n := x.numbers[in]
	switch in := in.(type) {
	case *cir.Call:
		x.weaveCall(in, n)
		return
	case *cir.Load:
		if x.places.input[n] {
			dst := in.Dst
			in.Dst = x.reg(dst.Type)
			x.turned(in, n)
			x.useRunsValue(dst, in.Dst, n)
			return
		}
	case *cir.Intrinsic:
		if x.weaveIntrinsic(in, n) {
			return
		}
	}
	x.turned(in, n)
}

// turned emits an instruction, in a turn if it takes one.
func (x *runWeaver) turned(in cir.Instr, n int) {
	if x.places.access(n) {
		x.inTurn(n, in)
		return
	}
	x.emit(in)
}

// useRunsValue gives a register the run's value in place of its own.
func (x *runWeaver) useRunsValue(dst, own *cir.Reg, n int) {
	v := x.reg(cir.U64)
	x.emit(&cir.Convert{Dst: v, X: own})
	x.convert(dst, x.call(hookTold, n, v))
}

// weaveIntrinsic weaves hooks into those whose result is the run's.
func (x *runWeaver) weaveIntrinsic(in *cir.Intrinsic, n int) bool {
	switch in.Op {
	case cir.Nondet:
		if in.Dst != nil {
			x.convert(in.Dst, x.call(hookInput, n))
		}
	case cir.IsSet, cir.IsConst, cir.Scan:
		if in.Dst == nil {
			return false
		}
		dst := in.Dst
		in.Dst = x.reg(dst.Type)
		x.turned(in, n)
		x.useRunsValue(dst, in.Dst, n)
	case cir.ThreadExit:
		x.call(hookTurn, n)
		x.emit(in)
	case cir.HavocBytes:
		if x.places.access(n) {
			x.call(hookTurn, n)
		}
		x.call(hookHavoc, n, x.bits(in.Args[0]), x.bits(in.Args[1]))
		if x.places.access(n) {
			x.call(hookDone, n)
		}
	default:
		return false
	}
	return true
}

// weaveCall weaves hooks into a call: of what has no body, or with structs.
func (x *runWeaver) weaveCall(in *cir.Call, n int) {
	f, direct := in.Callee.(*cir.Func)
	if direct && len(f.Blocks) == 0 && !(f.Weak && in.Unknown == cir.Known) && in.Result.Shape == nil {
		var args []cir.Value
		for _, a := range in.Args {
			args = append(args, a.X)
		}
		if v := x.outside(x.beyond[f], args); in.Dst != nil {
			x.convert(in.Dst, v)
		}
		return
	}
	if x.places.access(n) && hasStructs(in) {
		x.call(hookTurn, n)
		for i, a := range in.Args {
			if a.ByVal != nil && a.ByVal.Size > 0 {
				tmp := x.temp(a.ByVal.Size)
				x.emit(&cir.Copy{Info: in.Info, Dst: tmp, Src: a.X, Size: cir.IntOf(x.p.Model.Size(), a.ByVal.Size), Align: 1})
				in.Args[i].X = tmp
			}
		}
		x.call(hookDone, n)
	}
	x.emit(in)
}

package replay

import (
	"slices"

	"comus/cir"
)

// The functions that are called around instructions. Each is given the thread and the number of the
// instruction. The interpreter's are in direct.go, those of the C program in folder runtime.
const (
	hookTurn  = "comus_turn"  // before an access: (self, number, address, size, whether it reads or writes, whether it is atomic)
	hookDone  = "comus_done"  // after it: (self, number, what it read, whether it reads or writes)
	hookAt    = "comus_at"    // before an instruction that the execution has a step for, but is no access
	hookBegin = "comus_begin" // at the beginning of an atomic section
	hookEnd   = "comus_end"   // at its end
	hookInput = "comus_input" // the value of an input
	hookTold  = "comus_told"  // the value of what only the interpreter knows: (self, number, its value)
)

// places are the instructions that get something woven in, by number.
type places struct {
	access func(n int) bool // accesses that take turns
	at     map[int]bool     // others that the execution has steps for
	input  map[int]bool     // those that the execution has inputs for
	begins bool             // beginnings and ends of atomic sections
}

// instrumenter weaves calls of hooks into a program.
type instrumenter struct {
	p       *cir.Program
	numbers map[cir.Located]int
	places  places
	hooks   map[string]*cir.Func

	f    *cir.Func
	self *cir.Reg
	out  []cir.Instr
	rest []*cir.Block // that split blocks go on in
}

// instrument returns a copy of a program with the hooks at these places.
func instrument(p *cir.Program, at places) *cir.Program {
	x := &instrumenter{p: clone(p), places: at, numbers: map[cir.Located]int{}, hooks: map[string]*cir.Func{}}
	x.numbers = cir.Number(x.p)
	for _, f := range x.p.Funcs {
		if len(f.Blocks) > 0 {
			x.function(f)
		}
	}
	for _, name := range []string{hookTurn, hookDone, hookAt, hookBegin, hookEnd, hookInput, hookTold} {
		if f := x.hooks[name]; f != nil {
			x.p.Funcs = append(x.p.Funcs, f)
		}
	}
	return x.p
}

// hook returns the function of a hook.
func (x *instrumenter) hook(name string) *cir.Func {
	if x.hooks[name] == nil {
		x.hooks[name] = &cir.Func{Name: name, Source: name, Result: cir.Result{Type: cir.U64}, NoProto: true}
	}
	return x.hooks[name]
}

func (x *instrumenter) reg(t cir.Type) *cir.Reg {
	r := &cir.Reg{Index: x.f.NumRegs, Type: t}
	x.f.NumRegs++
	return r
}

func (x *instrumenter) emit(in cir.Instr) { x.out = append(x.out, in) }

// call emits a call of a hook.
func (x *instrumenter) call(name string, n int, more ...cir.Value) *cir.Reg {
	args := []cir.Arg{{X: x.self}, {X: cir.IntOf(cir.U64, int64(n))}}
	for _, v := range more {
		args = append(args, cir.Arg{X: v})
	}
	dst := x.reg(cir.U64)
	x.emit(&cir.Call{Dst: dst, Callee: x.hook(name), Args: args, Result: cir.Result{Type: cir.U64}, Fixed: len(args), Returns: true})
	return dst
}

func (x *instrumenter) function(f *cir.Func) {
	x.f, x.self, x.rest = f, nil, nil
	x.self = x.reg(cir.U64)
	for i, b := range f.Blocks {
		x.out = nil
		if i == 0 {
			x.emit(&cir.Intrinsic{Op: cir.ThreadSelf, Dst: x.self})
			if f.Atomic && x.places.begins {
				x.call(hookBegin, x.numbers[f.Blocks[0].Term])
			}
		}
		here, term := b, b.Term
		for _, in := range b.Instrs {
			here = x.instr(here, in)
		}
		if n := x.numbers[term]; x.places.at[n] {
			x.call(hookAt, n)
		}
		if r, ok := term.(*cir.Return); ok && r.X != nil && f.Result.Shape != nil && f.Result.Shape.Size > 0 {
			if n := x.numbers[term]; x.places.access(n) {
				tmp := x.temp(f.Result.Shape.Size)
				x.copied(tmp, r.X, f.Result.Shape.Size, f.Result.Shape, n, r.Info)
				r.X = tmp
			}
		}
		if _, ret := term.(*cir.Return); ret && f.Atomic && x.places.begins {
			x.call(hookEnd, 0)
		}
		here.Instrs, here.Term = x.out, term
	}
	for _, b := range x.rest {
		b.Index = len(f.Blocks)
		f.Blocks = append(f.Blocks, b)
	}
}

// instr weaves hooks around an instruction of a block. It returns the block that goes on.
func (x *instrumenter) instr(here *cir.Block, in cir.Instr) *cir.Block {
	n := x.numbers[in]
	if x.places.input[n] {
		if load, ok := in.(*cir.Load); ok {
			here = x.indeterminate(here, load, n)
		}
	}
	if c, size, ok := whole(in); ok && x.places.access(n) {
		x.copied(c.Dst, c.Src, size, c.Shape, n, c.Info)
		return here
	}
	if c, ok := in.(*cir.Call); ok && x.places.access(n) && hasStructs(c) {
		after := x.structs(c, n)
		x.replace(c, n)
		after()
		return here
	}
	if addr, value, ok := access(in); ok && x.places.access(n) {
		if addr == nil {
			addr = cir.Null{}
		}
		if c, ok := in.(*cir.Copy); ok {
			x.turn(n, c.Src, &bytes{c.Size, reads, false})
		}
		x.turn(n, addr, x.extent(in))
		x.replace(in, n)
		if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Resize && i.Dst != nil { // what it copies, which others may know of before they see it
			x.turn(n, i.Dst, &bytes{nil, writes, false})
		}
		x.done(n, x.known(value), kindOf(in))
		return here
	}
	if x.places.at[n] {
		x.call(hookAt, n)
	}
	x.replace(in, n)
	return here
}

// hasStructs reports whether a call copies structs.
func hasStructs(in *cir.Call) bool {
	return in.Result.Shape != nil || slices.ContainsFunc(in.Args, func(a cir.Arg) bool { return a.ByVal != nil })
}

// kindOf says whether an access reads or writes, 0 if it may do both in several steps.
func kindOf(in cir.Instr) int64 {
	switch in.(type) {
	case *cir.Load:
		return reads
	case *cir.Store:
		return writes
	}
	return 0
}

// access returns the address and the result of what takes turns.
func access(in cir.Instr) (addr cir.Value, value *cir.Reg, ok bool) {
	switch in := in.(type) {
	case *cir.Load:
		return in.Addr, in.Dst, true
	case *cir.Store:
		return in.Addr, nil, true
	case *cir.Copy:
		return in.Dst, nil, true
	case *cir.Fill:
		return in.Dst, nil, true
	case *cir.RMW:
		return in.Addr, in.Dst, true
	case *cir.CmpXchg:
		return in.Addr, in.OK, true
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Lock, cir.Unlock, cir.HavocBytes, cir.Free, cir.Resize, cir.Format, cir.ReadIn, cir.ReadLine:
			return in.Args[0], nil, true
		case cir.ThreadCreate, cir.ThreadEnded, cir.ThreadCount, cir.ThreadAlone:
			return nil, in.Dst, true
		}
	}
	return nil, nil, false
}

// alwaysTurns reports whether an access takes a turn whatever it accesses.
func alwaysTurns(in cir.Instr) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && (i.Op == cir.Lock || i.Op == cir.Unlock || i.Op == cir.ThreadCreate || i.Op == cir.ThreadEnded || i.Op == cir.ThreadCount || i.Op == cir.ThreadAlone)
}

// known returns what can be compared of a value in two runs: an integer, or whether a pointer is null.
func (x *instrumenter) known(r *cir.Reg) cir.Value {
	switch {
	case r == nil || r.Type.IsFloat():
		return cir.IntOf(cir.U64, 0)
	case r.Type.IsPointer():
		b := x.reg(cir.Bool)
		x.emit(&cir.Compare{Dst: b, Pred: cir.Ne, X: r, Y: cir.Null{}})
		r = b
	}
	v := x.reg(cir.U64)
	x.emit(&cir.Convert{Dst: v, X: r})
	return v
}

// replace emits an instruction, or what stands for it.
func (x *instrumenter) replace(in cir.Instr, n int) {
	switch in := in.(type) {
	case *cir.Intrinsic:
		if x.intrinsic(in, n) {
			return
		}
	case *cir.CmpXchg:
		if in.Weak && x.places.input[n] {
			x.spurious(in, n)
		}
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok && len(f.Blocks) == 0 && !(f.Weak && in.Unknown == cir.Known) {
			if in.Dst != nil { // nobody knows what it does: the execution says what it returns
				x.give(in.Dst, n)
			}
			return
		}
	}
	x.emit(in)
}

// intrinsic replaces those whose results are the execution's.
func (x *instrumenter) intrinsic(in *cir.Intrinsic, n int) bool {
	switch in.Op {
	case cir.Nondet:
		if in.Dst != nil {
			x.give(in.Dst, n)
		}
	case cir.IsSet, cir.IsConst, cir.Scan:
		if in.Dst == nil {
			return false
		}
		r := *in
		r.Dst = x.reg(in.Dst.Type)
		x.emit(&r)
		v := x.reg(cir.U64)
		x.emit(&cir.Convert{Dst: v, X: r.Dst})
		x.emit(&cir.Convert{Dst: in.Dst, X: x.call(hookTold, n, v)})
	case cir.ThreadExit:
		x.turn(n, cir.Null{}, nil)
		x.emit(in)
	case cir.AtomicBegin:
		x.emit(in)
		if x.places.begins {
			x.call(hookBegin, n)
		}
	case cir.AtomicEnd:
		if x.places.begins {
			x.call(hookEnd, n)
		}
		x.emit(in)
	default:
		return false
	}
	return true
}

// give gives a register the value of an input.
func (x *instrumenter) give(dst *cir.Reg, n int) { x.convert(dst, x.call(hookInput, n)) }

// convert gives a register the value of a hook.
func (x *instrumenter) convert(dst, v *cir.Reg) {
	t := dst.Type
	switch {
	case t.IsInt() && t.Bits > 64 && t.Signed:
		s := x.reg(cir.I64)
		x.emit(&cir.Convert{Dst: s, X: v})
		x.emit(&cir.Convert{Dst: dst, X: s})
	case t.IsFloat() && t.Bits == 64:
		x.emit(&cir.Bitcast{Dst: dst, X: v})
	case t.IsFloat() && t.Bits == 32:
		s := x.reg(cir.U32)
		x.emit(&cir.Convert{Dst: s, X: v})
		x.emit(&cir.Bitcast{Dst: dst, X: s})
	default:
		x.emit(&cir.Convert{Dst: dst, X: v})
	}
}

// spurious lets a weak compare-exchange fail where the execution does: it compares with what is not there.
func (x *instrumenter) spurious(in *cir.CmpXchg, n int) {
	t := in.Type
	if !t.IsInt() {
		return
	}
	may, ok, old, other, want := x.call(hookInput, n), x.reg(cir.Bool), x.reg(t), x.reg(t), x.reg(t)
	x.emit(&cir.Convert{Dst: ok, X: may})
	x.emit(&cir.Load{Dst: old, Addr: in.Addr, Access: in.Access})
	x.emit(&cir.Unary{Dst: other, Op: cir.Not, X: old, Wrap: true})
	x.emit(&cir.Select{Dst: want, Cond: ok, X: in.Expected, Y: other})
	in.Expected = want
}

// indeterminate lets memory that nobody has written hold what it holds in the execution, before it is read.
func (x *instrumenter) indeterminate(here *cir.Block, in *cir.Load, n int) *cir.Block {
	size := x.p.Model.SizeOf(in.Type)
	p := in.Addr
	if b := in.Bits; b != nil {
		size = int64(b.Offset+b.Width+7)/8 - int64(b.Offset)/8
		q := x.reg(x.p.Model.Pointer())
		x.emit(&cir.Offset{Dst: q, P: p, Disp: int64(b.Offset) / 8})
		p = q
	}
	set, told, known := x.reg(cir.I32), x.reg(cir.U64), x.reg(cir.Bool)
	x.emit(&cir.Intrinsic{Op: cir.IsSet, Dst: set, Args: []cir.Value{p, cir.IntOf(x.p.Model.Size(), size)}})
	x.emit(&cir.Convert{Dst: told, X: set})
	x.emit(&cir.Convert{Dst: known, X: x.call(hookTold, n, told)})
	write, after := &cir.Block{}, &cir.Block{}
	here.Instrs, here.Term = x.out, &cir.Branch{Cond: known, Then: after, Else: write}
	x.out = nil
	v := x.reg(in.Type)
	x.give(v, n)
	x.emit(&cir.Store{Addr: in.Addr, X: v, Access: in.Access})
	write.Instrs, write.Term = x.out, &cir.Jump{To: after}
	x.out = nil
	x.rest = append(x.rest, write, after)
	return after
}

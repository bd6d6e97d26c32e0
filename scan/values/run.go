package values

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/solve"
)

// run is the evaluation of a block of an instance, from one state on.
type run struct {
	*analysis
	env   *solve.Env[place, fact]
	in    *instance
	block *cir.Block
	many  bool // there may be other threads
	s     *state
	h     *state // what is known of cells that others access, too
	z     relations
	// locking tells that the lock of an intrinsic is written.
	locking bool
	regs    map[*cir.Reg]Value // those assigned in this block
	from    map[*cir.Reg]*cell // what was loaded from a cell that has not changed since
	dead    bool               // nothing gets here
	forms   map[*cir.Reg]*sumOf
	source  *sumOf // what is written, if that is a sum
}

func (r *run) fork() *run {
	x := *r
	x.regs, x.from, x.forms = maps.Clone(r.regs), maps.Clone(r.from), maps.Clone(r.forms)
	return &x
}

// begin begins the block, and at the first one the lives of the function's locals, which other threads may know of when there are such.
func (r *run) begin() {
	if r.block.Index == 0 && r.many {
		for _, key := range r.in.locals {
			if c := r.mem.cellOf(key); !c.own {
				r.write(c, top, false)
			}
		}
	}
	if r.seen == nil {
		return
	}
	r.in.reached[r.block.Index] = true
	for _, p := range r.block.Params {
		r.note(p, r.value(p))
	}
	if r.block.Index == 0 {
		for _, p := range r.in.f.Params {
			r.note(p.Reg, r.value(p.Reg))
		}
	}
}

func (r *run) note(x *cir.Reg, v Value) {
	if r.seen != nil {
		r.in.regs[x.Index] = r.in.regs[x.Index].join(v)
	}
}

// exec runs the instructions from one on. A call may return in several ways; what follows is run for each.
func (r *run) exec(from int) {
	for i := from; i < len(r.block.Instrs) && !r.dead; i++ {
		if call, ok := r.block.Instrs[i].(*cir.Call); ok {
			e := r.strings(call)
			for _, o := range r.call(call) {
				x := r.fork()
				x.many, x.s, x.h, x.z = o.many, o.s, o.h, o.z
				x.from, x.forms = map[*cir.Reg]*cell{}, map[*cir.Reg]*sumOf{}
				x.set(call.Dst, o.v)
				if e.after(x, call); !x.dead {
					x.exec(i + 1)
				}
			}
			return
		}
		r.instr(r.block.Instrs[i])
	}
	if !r.dead {
		r.term(r.block.Term)
	}
}

// value returns what an operand may be.
func (r *run) value(v cir.Value) Value {
	switch v := v.(type) {
	case *cir.Reg:
		if x, ok := r.regs[v]; ok {
			return x
		}
		if x, ok := r.s.get(regKey(v)); ok {
			return x
		}
		return all(v.Type)
	case cir.Int:
		if v.Type.Bits <= 64 {
			return single(constant(v))
		}
		return top
	case cir.Null:
		return single(unsigned(v.Addr)).fit(r.prog.Model.Pointer(), true)
	case cir.Undef:
		return all(v.Type)
	case *cir.Global, *cir.Func, *cir.Local, *cir.Block:
		return address(v, r.prog.Model)
	}
	return top
}

// set assigns a register.
func (r *run) set(x *cir.Reg, v Value) {
	if x == nil {
		return
	}
	if v = v.of(x.Type); v.None() {
		r.dead = true
		return
	}
	r.regs[x] = v
	r.note(x, v)
}

// instr runs an instruction that is no call.
func (r *run) instr(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Unary:
		r.set(in.Dst, unary(in.Op, in.Dst.Type, r.value(in.X), in.Wrap || r.opts.Wrap))
	case *cir.Binary:
		r.assign(in.Dst, r.binary(in), r.computed(in))
	case *cir.Overflow:
		r.overflow(in)
	case *cir.Compare:
		r.set(in.Dst, r.compared(in, compare(in.Pred, r.value(in.X), r.value(in.Y))))
	case *cir.Convert:
		r.assign(in.Dst, convert(r.value(in.X), r.prog.Model.TypeOf(in.X), in.Dst.Type), r.converted(in))
	case *cir.Bitcast:
		r.set(in.Dst, top)
	case *cir.Select:
		r.set(in.Dst, r.choice(in))
	case *cir.Offset:
		r.set(in.Dst, r.offset(in))
	case *cir.Distance, *cir.StackSave:
		r.set(cir.Results(in)[0], top)
	case *cir.Alloca:
		r.set(in.Dst, all(in.Dst.Type).without(number{}))
	case *cir.Intrinsic:
		r.intrinsic(in)
	default:
		r.access(in)
	}
}

// binary is an operation; the distance of a shift may have a type of its own.
func (r *run) binary(in *cir.Binary) Value {
	if !isNumber(in.Dst.Type) || !isNumber(r.prog.Model.TypeOf(in.Y)) {
		return top
	}
	x, y := r.value(in.X), r.value(in.Y)
	if in.X == in.Y && in.Op == cir.Sub {
		return zero
	}
	return binary(in.Op, in.Dst.Type, x, y, in.Wrap || r.opts.Wrap)
}

// overflow computes in infinite precision.
func (r *run) overflow(in *cir.Overflow) {
	x, y := r.value(in.X), r.value(in.Y)
	if x.kind != some || y.kind != some || !isNumber(in.Dst.Type) {
		r.set(in.Dst, top)
		r.set(in.Over, boolean)
		return
	}
	var exact Value
	switch in.Op {
	case cir.Add:
		exact = sum(x, y)
	case cir.Sub:
		exact = sum(x, minus(y))
	default:
		exact = product(x, y)
	}
	fits := exact.kind == some && exact.within(all(in.Dst.Type))
	r.set(in.Dst, exact.fit(in.Dst.Type, true))
	if fits {
		r.set(in.Over, zero)
	} else {
		r.set(in.Over, boolean)
	}
}

func (r *run) choice(in *cir.Select) Value {
	c := r.value(in.Cond)
	switch {
	case !c.has(number{}):
		return r.value(in.X)
	case c.equal(zero):
		return r.value(in.Y)
	}
	return r.value(in.X).join(r.value(in.Y))
}

// offset is not null if it is one from something that is not, which C promises. A pointer that is a small integer is computed with.
func (r *run) offset(in *cir.Offset) Value {
	p := r.value(in.P)
	t := in.Dst.Type
	shift := single(numberOf(in.Disp))
	if in.Index != nil {
		i := r.value(in.Index)
		if i.kind != some {
			i = all(cir.I64)
		}
		shift = sum(product(i, single(numberOf(in.Scale))), shift)
	}
	switch {
	case p.None() || shift.equal(zero):
		return p
	case p.kind == some && p.hi.cmp(numberOf(maxInteger)) < 0 && shift.kind == some && !p.equal(zero):
		return sum(p, shift).fit(t, true)
	case p.has(number{}):
		return all(t)
	}
	return all(t).without(number{})
}

// maxInteger bounds what is taken for an integer that is no address.
const maxInteger = 4096

// term ends the block.
func (r *run) term(t cir.Term) {
	switch t := t.(type) {
	case *cir.Jump:
		r.jump(t.To, t.Args)
	case *cir.Branch:
		yes, no := r.fork(), r.fork()
		yes.assume(t.Cond, true)
		yes.jump(t.Then, t.ThenArgs)
		no.assume(t.Cond, false)
		no.jump(t.Else, t.ElseArgs)
	case *cir.Switch:
		r.choose(t)
	case *cir.IndirectJump:
		for _, b := range t.Targets {
			r.jump(b, nil)
		}
	case *cir.Return:
		r.leave(t)
	}
}

// choose goes on at the cases of a switch.
func (r *run) choose(t *cir.Switch) {
	rest := r.fork()
	for _, c := range t.Cases {
		x := r.fork()
		if c.Lo.Type.Bits <= 64 {
			lo, hi := constant(c.Lo), constant(c.Hi)
			x.narrow(t.X, r.value(t.X).from(lo).upTo(hi))
			if lo == hi && !rest.dead {
				rest.narrow(t.X, rest.value(t.X).without(lo))
			}
		}
		x.jump(c.To, nil)
	}
	rest.jump(t.Default, nil)
}

// jump goes on at a block.
func (r *run) jump(to *cir.Block, args []cir.Value) {
	if r.dead {
		return
	}
	s := r.s
	for _, x := range r.in.out[r.block.Index] {
		if v, ok := r.regs[x]; ok {
			s = s.set(regKey(x), v)
		}
	}
	for i, p := range to.Params {
		v := r.value(args[i]).of(p.Type)
		if v.None() {
			return
		}
		s = s.set(regKey(p), v)
	}
	r.env.Add(place{kind: inside, n: int32(r.in.id), block: int32(to.Index), many: r.many}, fact{live: true, s: s, h: r.h, z: r.z})
}

// leave returns from the function: its locals and registers are no more.
func (r *run) leave(t *cir.Return) {
	s := r.s.keep(isThread)
	for _, key := range r.in.locals {
		s = s.without(key)
	}
	if t.X != nil && r.in.f.Result.Shape == nil {
		v := r.value(t.X)
		if v.None() {
			return
		}
		s = s.set(result, v)
	}
	z := r.z
	if len(r.packs) > 0 && len(r.in.locals) > 0 {
		z = r.forgetCells(z, func(c *cell) bool { return slices.Contains(r.in.locals, c.key) })
	}
	r.env.Add(place{kind: exits, n: int32(r.in.id), many: r.many}, fact{live: true, s: s, h: r.h, z: z})
}

// aim returns what an operand may point to.
func (r *run) aim(v cir.Value) []pointsto.Location { return r.aims(r.in.code, v) }

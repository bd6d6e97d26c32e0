package values

import (
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/solve"
)

// outcome is how a call returns.
type outcome struct {
	many bool
	s    *state
	h    *state
	v    Value
	z    relations
}

// call returns the ways in which a call returns: while the program has one thread, or may have more.
func (r *run) call(in *cir.Call) []outcome {
	var alone, among *outcome
	add := func(o outcome) {
		at := &alone
		if o.many {
			at = &among
		}
		if *at == nil {
			*at = &o
		} else {
			**at = outcome{o.many, (*at).s.merge(o.s, Value.join), (*at).h.cover(o.h, Value.either, Value.orMet), (*at).v.join(o.v), (*at).z.join(o.z)}
		}
	}
	unknown := r.unknown(r.in.code, in)
	if unknown && r.called { // it may call back
		r.s = r.s.exclude(r.freed)
		r.meet(func(*cell) bool { return false })
		r.s = r.s.keep(func(key uint32) bool { return !isCell(key) || !threadLocal(r.mem.cellOf(key)) }) // it has them, too
		clear(r.from)
	}
	if unknown && in.Returns {
		add(outcome{r.many, r.s, r.h, top, r.z})
	}
	for _, c := range r.in.calls[in] {
		args := make([]Value, len(c.f.Params))
		for i, p := range c.f.Params {
			args[i] = r.argument(in, i, p)
		}
		for _, o := range r.enter(r.instance(c, r.in, in), args) {
			if in.Result.Shape != nil || c.f.Result.Shape != nil || in.Dst != nil && c.f.Result.Type != in.Dst.Type {
				o.v = top // the call may disagree with the function, through a pointer
			}
			add(o)
		}
	}
	return r.returned(in, alone, among)
}

// threadLocal reports whether a cell is of a variable that each thread has its own of.
func threadLocal(c *cell) bool { return c.static && c.obj.Global.ThreadLocal }

// argument returns what a parameter gets.
func (r *run) argument(in *cir.Call, i int, p cir.Param) Value {
	t := p.Reg.Type
	switch {
	case p.ByVal != nil:
		return all(t).without(number{})
	case i >= len(in.Args) || in.Args[i].ByVal != nil || r.prog.Model.TypeOf(in.Args[i].X) != t:
		return all(t)
	}
	return r.value(in.Args[i].X).of(t)
}

// returned puts structs that are returned where they go.
func (r *run) returned(in *cir.Call, found ...*outcome) (list []outcome) {
	for _, o := range found {
		if o == nil {
			continue
		}
		if in.To != nil {
			x := r.fork()
			x.many, x.s, x.h, x.z = o.many, o.s, o.h, o.z
			x.storeAny(in.To)
			o.s, o.h, o.z = x.s, x.h, x.z
		}
		list = append(list, *o)
	}
	return list
}

// enter calls an instance, and returns the ways in which it returns so far.
func (r *run) enter(in *instance, args []Value) (list []outcome) {
	s := r.stateFor(in.code)
	for i, p := range in.f.Params {
		if args[i].None() {
			return nil
		}
		s = s.set(regKey(p.Reg), args[i].of(p.Reg.Type))
	}
	r.env.Add(place{kind: inside, n: int32(in.id), many: r.many}, fact{live: true, s: s, h: r.h, z: r.z})
	modes := []bool{true}
	if !r.many {
		modes = []bool{false, true}
	}
	for _, many := range modes {
		if f := r.env.Get(place{kind: exits, n: int32(in.id), many: many}); f.live {
			list = append(list, r.after(in.code, f, many))
		}
	}
	return list
}

// stateFor returns the part of the state that a function called here may need.
func (r *run) stateFor(c *code) *state {
	if c.creates {
		return r.s.keep(isThread)
	}
	return r.s.restrict(c.keys)
}

// after returns the state behind a call: what the function may change is as it left it.
func (r *run) after(c *code, end fact, many bool) outcome {
	s := r.s
	if many && !r.many {
		s = s.keep(func(key uint32) bool { return !isCell(key) || r.mem.cellOf(key).own })
	}
	s = s.exclude(c.changes).union(end.s.restrict(c.changes))
	v, ok := end.s.get(result)
	if !ok {
		v = top
	}
	return outcome{many, s, end.h, v, r.relatedAfter(c, end.z, many)}
}

// create begins threads.
func (r *run) create(in *cir.Intrinsic) {
	r.publish()
	for _, l := range r.aim(in.Args[0]) {
		if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 {
			continue
		}
		c := r.codes[codeKey{l.Obj.Func, r.pts.CanonicalContext(l.Obj.Func, r.in.ctx)}]
		s := (*state)(nil).set(depth, zero)
		for _, x := range r.mem.cells {
			switch {
			case !x.static || !x.obj.Global.ThreadLocal:
			case x.own:
				s = s.set(x.key, x.init)
			default: // one more, that others find
				r.env.Add(place{kind: met, n: int32(x.key)}, fact{live: true, v: x.init})
			}
		}
		for i, p := range c.f.Params {
			v := all(p.Reg.Type)
			if i+1 < len(in.Args) && p.ByVal == nil && r.prog.Model.TypeOf(in.Args[i+1]) == p.Reg.Type {
				v = r.value(in.Args[i+1]).of(p.Reg.Type)
			}
			s = s.set(regKey(p.Reg), v)
		}
		x := r.instance(c, nil, nil)
		r.env.Add(place{kind: inside, n: int32(x.id), many: true}, fact{live: true, s: s})
	}
	r.set(in.Dst, top)
}

// publish makes known what there is to other threads, of which there were none.
func (r *run) publish() {
	if r.many {
		return
	}
	for _, c := range r.mem.shared {
		r.env.Add(place{kind: met, n: int32(c.key)}, fact{live: true, v: r.read(c)})
	}
	r.share()
	r.many = true
	r.s = r.s.keep(func(key uint32) bool { return !isCell(key) || r.mem.cellOf(key).own })
	clear(r.from)
	r.z = r.forgetCells(r.z, lone) // which thread has them is not known here
	r.shut()
}

// begin runs the program: constructors, the entry, exit.
func (a *analysis) begin(env *solve.Env[place, fact]) {
	for _, c := range a.mem.cells {
		if c.static {
			env.Add(place{kind: written, n: int32(c.key)}, fact{live: true, v: c.init})
		}
	}
	first := &run{analysis: a, env: env, in: nil, s: a.first, regs: map[*cir.Reg]Value{}, from: map[*cir.Reg]*cell{}}
	if a.jumps || a.called { // what is written may be there after a jump back to any place; who is called from outside, is at any time
		first.publish()
	}
	for _, root := range a.pts.Roots {
		if a.calledBack(root) {
			first.runs(root.Func, outcome{many: true, s: (*state)(nil).set(depth, zero)})
		}
	}
	first.many, first.s, first.h = a.jumps || a.called, a.first, nil
	if first.many {
		first.s = first.s.keep(func(key uint32) bool { return !isCell(key) || a.mem.cellOf(key).own })
	}
	now := []outcome{{first.many, first.s, nil, top, a.initially()}}
	fs := append(append([]*cir.Func{}, a.prog.Constructors...), a.prog.Entry)
	if f := a.exit(); f != nil {
		fs = append(fs, f)
	}
	for _, f := range fs {
		var next []outcome
		for _, o := range now {
			next = append(next, first.runs(f, o)...)
		}
		now = next
	}
	if a.exit() == nil {
		for _, o := range now {
			first.many, first.s, first.h, first.z = o.many, o.s, o.h, o.z
			first.finish()
		}
	}
}

// calledBack reports whether a root is a function that code outside of the program may call.
func (a *analysis) calledBack(r pointsto.Root) bool { return r.Many && a.outside[r.Func] }

// exit returns the function that is called when the entry returns.
func (a *analysis) exit() *cir.Func {
	if f := a.prog.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 {
		return f
	}
	return nil
}

// runs calls a function with any arguments.
func (r *run) runs(f *cir.Func, o outcome) []outcome {
	r.many, r.s, r.h, r.z = o.many, o.s, o.h, o.z
	args := make([]Value, len(f.Params))
	for i, p := range f.Params {
		args[i] = all(p.Reg.Type)
	}
	return r.enter(r.instance(r.reach(f, pointsto.Context{}), nil, nil), args)
}

// finish runs what the program ends with.
func (r *run) finish() {
	now := []outcome{{r.many, r.s, r.h, top, r.z}}
	for _, f := range r.prog.Destructors {
		var next []outcome
		for _, o := range now {
			next = append(next, r.runs(f, o)...)
		}
		now = next
	}
}

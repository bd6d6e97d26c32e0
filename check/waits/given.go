package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// giving finds out whether pointers lead to objects only that a thread of a class has been given when it was created.
type giving struct {
	*finder
	g      *gift
	create *creation
	write  *write // the one that puts the pointer into the job
	seen   map[asked]bool
}

// asked is a value of a copy at an instruction, or at the end of a block.
type asked struct {
	copy  pointsto.Copy
	v     cir.Value
	at    cir.Instr
	block *cir.Block
}

// givenBefore returns an error unless each pointer by which a thread waits leads to an object that another one has been given.
func (f *finder) givenBefore(x *condition, g *gift) error {
	first := x.waits[0].call
	r := &creation{finder: f, of: g.of, via: map[pointsto.Copy]cir.Instr{}, all: map[pointsto.Copy]bool{}}
	r.begun = f.h.mayHave(func(c pointsto.Copy, in cir.Instr) bool { return f.h.createsOf(g.of, c, in) })
	for c := range r.begun.does {
		if !c.Func.Library {
			continue
		}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if !r.begun.did(c, in) {
					continue
				}
				if r.via[c] != nil {
					return fail(in, "how a thread is created is not known")
				}
				r.via[c] = in
			}
		}
	}
	for range r.via {
		for c := range r.via {
			r.all[c] = r.returns(c)
		}
	}
	y := &giving{finder: f, g: g, create: r, seen: map[asked]bool{}}
	if g.via {
		if y.write = y.onlyWrite(); y.write == nil {
			return fail(first, "what a thread is given may be changed, with the flag of a condition variable that it sets")
		}
	}
	for _, w := range x.waits {
		op := f.h.known(w)
		if op == nil || !y.ok(asked{w.copy, w.call.Args[op.cond].X, w.call, f.h.function(w.copy.Func).blockOf(w.call)}) {
			return fail(w.call, "it is not known that a thread was created that sets the flag of the condition variable")
		}
	}
	return nil
}

// known returns the operation of a call.
func (p *program) known(at callIn) *operation {
	if x, err := p.callees(at.copy, at.call); err == nil && len(x.known) == 1 {
		return x.known[0]
	}
	return nil
}

// onlyWrite returns the only write that there is to the pointer in the job, nil if there are more.
func (y *giving) onlyWrite() *write {
	var only *write
	at := pointsto.Location{Obj: y.g.job, Off: y.g.off}
	for i, w := range y.writes[y.g.job] {
		if !w.whole && !w.at.Touches(w.size, at, 8) || w.zeros && w.by.Func.Library && w.by.Func.Source == "calloc" {
			continue
		}
		s, ok := w.in.(*cir.Store)
		if only != nil || !ok || w.whole || w.begun || w.at != at || s.Bits != nil || !s.Type.IsPointer() {
			return nil
		}
		only = &y.writes[y.g.job][i]
	}
	return only
}

// nameAt returns the name of a value at an instruction.
func (f *finder) nameAt(a asked) (n name) {
	done := false
	f.elements(a.copy, a.block, func(in cir.Instr, vs values) {
		if done = done || in == a.at; !done || in == a.at {
			n = vs.of(a.v)
		}
	})
	return n
}

// ok reports whether a pointer is null, or leads to an object that a thread has been given. Of what a value is computed in a circle, it is enough that this holds of all that comes into the circle.
func (y *giving) ok(a asked) bool {
	if yes, known := y.seen[a]; known {
		return yes
	}
	y.seen[a] = true
	y.seen[a] = y.find(a)
	return y.seen[a]
}

func (y *giving) find(a asked) bool {
	switch v := a.v.(type) {
	case cir.Null:
		return v.Addr == 0
	case *cir.Reg:
		x := y.h.function(a.copy.Func)
		if y.givenHere(a, y.nameAt(a)) {
			return true
		}
		if load, ok := x.defs[v.Index].(*cir.Load); ok { // it may have been loaded before the local's life ends
			if l, ok := load.Addr.(*cir.Local); ok && x.plain[l] && y.givenHere(asked{a.copy, v, load, x.blockOf(load)}, name{base: localToken(l)}) {
				return true
			}
		}
		for i, p := range a.copy.Func.Params {
			if p.Reg == v {
				return p.ByVal == nil && y.argument(a.copy, i)
			}
		}
		return y.computed(a, x, v)
	}
	return false
}

// computed is ok for what an instruction computes, or a block is given.
func (y *giving) computed(a asked, x *function, r *cir.Reg) bool {
	switch in := x.defs[r.Index].(type) {
	case nil:
		return y.blockParam(a, x, r)
	case *cir.Offset:
		return in.Index == nil && y.h.near(a.copy, in) && y.ok(asked{a.copy, in.P, in, x.blockOf(in)})
	case *cir.Convert:
		return in.Dst.Type.IsPointer() && typeOf(in.X).IsPointer() && y.ok(asked{a.copy, in.X, in, x.blockOf(in)})
	case *cir.Select:
		return y.ok(asked{a.copy, in.X, in, x.blockOf(in)}) && y.ok(asked{a.copy, in.Y, in, x.blockOf(in)})
	case *cir.Call:
		return y.result(a.copy, in)
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		if !ok || !x.plain[l] {
			return in.Bits == nil && y.kept(a.copy, in)
		}
		if i, given := x.given[l]; given {
			return y.argument(a.copy, i)
		}
		for _, s := range x.storesTo(l) {
			if !y.ok(asked{a.copy, s.X, s, x.blockOf(s)}) {
				return false
			}
		}
		return true
	}
	return false
}

// blockParam is ok for what a block is given.
func (y *giving) blockParam(a asked, x *function, r *cir.Reg) bool {
	found, all := false, true
	for _, b := range x.fn.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			if i := slices.Index(to.Params, r); i >= 0 {
				found, all = true, all && y.ok(asked{a.copy, args[i], nil, b})
			}
		})
	}
	return found && all
}

// argument is ok for what a copy is given.
func (y *giving) argument(c pointsto.Copy, i int) bool {
	if slices.ContainsFunc(y.h.classes, func(k *class) bool { return slices.Contains(k.roots, c) }) {
		return false
	}
	for _, d := range y.h.callers[c] {
		for _, call := range y.h.callsOf(d) {
			x, err := y.h.callees(d, call)
			if err != nil || !slices.Contains(x.to, c) {
				continue
			}
			if x.outside || len(x.known) > 0 || i >= len(call.Args) || call.Args[i].ByVal != nil || !y.ok(asked{d, call.Args[i].X, call, y.h.function(d.Func).blockOf(call)}) {
				return false
			}
		}
	}
	return len(y.h.callers[c]) > 0
}

// result is ok for what a call returns.
func (y *giving) result(c pointsto.Copy, call *cir.Call) bool {
	x, err := y.h.callees(c, call)
	if err != nil || x.outside || len(x.known) > 0 || len(x.to) == 0 {
		return false
	}
	for _, d := range x.to {
		for _, b := range d.Func.Blocks {
			if r, ok := b.Term.(*cir.Return); ok && y.h.pts.Comes(d.Func, b) && (r.X == nil || !y.ok(asked{d, r.X, nil, b})) {
				return false
			}
		}
	}
	return true
}

// kept is ok for what is loaded from memory.
func (y *giving) kept(c pointsto.Copy, load *cir.Load) bool {
	places := y.h.pts.Places(c.Func, c.Ctx, load.Addr)
	for _, at := range places {
		if at.Off == pointsto.Any || at.Obj.External || at.Obj.IsFunc() {
			return false
		}
		for _, w := range y.writes[at.Obj] {
			if !w.whole && !w.at.Touches(w.size, at, 8) || w.zeros && !w.whole {
				continue
			}
			s, ok := w.in.(*cir.Store)
			if !ok || w.whole || w.begun || s.Bits != nil || !s.Type.IsPointer() || w.at != at || !y.ok(asked{w.by, s.X, s, y.h.function(w.by.Func).blockOf(s)}) {
				return false
			}
		}
	}
	return len(places) > 0
}

// givenHere reports whether the function has created a thread on all ways to an instruction that is given the object which a pointer leads to.
func (y *giving) givenHere(a asked, n name) bool {
	if !isBase(n) {
		return false
	}
	o, off := y.h.oneIn(a.copy, a.v)
	if o != y.g.many.object {
		return false
	}
	for _, call := range y.h.callsOf(a.copy) {
		i := y.given(a.copy, call)
		if i < 0 {
			continue
		}
		b := y.h.function(a.copy.Func).blockOf(call)
		arg := y.nameAt(asked{a.copy, call.Args[i].X, call, b})
		job, from := y.h.oneIn(a.copy, call.Args[i].X)
		if !isBase(arg) || job != y.g.job {
			continue
		}
		if !y.g.via {
			if arg.base == n.base && off-n.off == from-arg.off && y.passed(a, n, call, arg, nil) {
				return true
			}
			continue
		}
		l, made := y.allocated(a.copy, arg)
		_, start := y.h.oneIn(y.write.by, y.write.in.(*cir.Store).X)
		if l == nil || y.write.by != a.copy || off-n.off != start || y.address(y.write).base != arg.base || y.h.function(a.copy.Func).reaches(call, y.write.in, made) {
			continue
		}
		if y.passed(a, n, call, arg, l) {
			return true
		}
	}
	return false
}

// address returns the name of what a store writes.
func (f *finder) address(w *write) name {
	s := w.in.(*cir.Store)
	return f.nameAt(asked{w.by, s.Addr, s, f.h.function(w.by.Func).blockOf(s)})
}

// given returns which argument of a call a new thread of the class is given, -1 if it does not create one in any case.
func (y *giving) given(c pointsto.Copy, call *cir.Call) int {
	f, ok := call.Callee.(*cir.Func)
	if !ok || !f.Library || !y.create.makes(call, c) {
		return -1
	}
	switch f.Source {
	case "pthread_create":
		return 3
	case "thrd_create":
		return 2
	}
	return -1
}

// passed reports whether on all ways to where a value is asked for, a call was made by which a thread was given the object that the value leads to, and nothing was stored since to locals that names rest on. The object is that
// with the name of the argument, or, if job is a local, what is stored where that leads to, and in the local that the value is loaded from.
func (y *giving) passed(a asked, n name, call *cir.Call, arg name, job *cir.Local) bool {
	type state struct{ created, same bool }
	f := a.copy.Func
	at, come := make([]state, len(f.Blocks)), make([]bool, len(f.Blocks))
	come[0] = true
	at[0].same = job == nil
	answer, asked := true, false
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		now := at[b.Index]
		ask := func() { asked, answer = true, answer && now.created && now.same }
		y.elements(a.copy, b, func(in cir.Instr, vs values) {
			if in == a.at && b == a.block {
				ask()
			}
			switch in := in.(type) {
			case *cir.Call:
				now.created = now.created || in == call
			case *cir.LifeStart:
				if job == nil && arg.rests(localToken(in.Local)) || in.Local == job {
					now.created = false
				}
				if job != nil && (in.Local == job || n.rests(localToken(in.Local))) {
					now.same = false
				}
			case *cir.Store:
				now.created, now.same = y.stored(a.copy, b, in, vs, n, arg, job, now.created, now.same)
			}
		})
		if a.at == nil && b == a.block {
			ask()
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			old := at[to.Index]
			then := state{now.created && (old.created || !come[to.Index]), now.same && (old.same || !come[to.Index])}
			if !come[to.Index] || then != old {
				come[to.Index], at[to.Index] = true, then
				work = append(work, to)
			}
		})
	}
	return asked && answer
}

// stored is what a store makes of what passed knows.
func (y *giving) stored(c pointsto.Copy, b *cir.Block, s *cir.Store, vs values, n, arg name, job *cir.Local, created, same bool) (bool, bool) {
	l, local := s.Addr.(*cir.Local)
	switch {
	case job == nil:
		return created && !(local && arg.rests(localToken(l))), same
	case local && l == job:
		return false, false
	case local && n.rests(localToken(l)):
		return created, n.base == localToken(l) && y.loadsJob(c, b, s, arg)
	case s == y.write.in:
		return created, vs.of(s.Addr).base == arg.base && vs.of(s.X) == name{base: n.base}
	}
	return created, same
}

// loadsJob reports whether a store is of the pointer that was loaded from the job just before that.
func (y *giving) loadsJob(c pointsto.Copy, b *cir.Block, s *cir.Store, arg name) bool {
	r, ok := s.X.(*cir.Reg)
	if !ok {
		return false
	}
	load, ok := y.h.function(c.Func).defs[r.Index].(*cir.Load)
	from, to := slices.Index(b.Instrs, cir.Instr(load)), slices.Index(b.Instrs, cir.Instr(s))
	if !ok || from < 0 || from > to || slices.ContainsFunc(b.Instrs[from:to], func(in cir.Instr) bool {
		switch in.(type) {
		case *cir.Load, *cir.Offset, *cir.Convert:
			return false
		}
		return true
	}) {
		return false
	}
	o, off := y.h.oneIn(c, load.Addr)
	return o == y.g.job && off == y.g.off && y.nameAt(asked{c, load.Addr, load, b}).base == arg.base
}

package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// creation is how main creates the threads of a class: by one call after another, of which one may be in a loop that counts.
type creation struct {
	*finder
	of *class
	// via is the instruction of each copy on the way by which threads are created; loop is the one that it is in, if it is, in copy in.
	via  map[pointsto.Copy]cir.Instr
	loop *counted
	in   pointsto.Copy
	// all tells for each copy on the way whether all threads are there that are created by it when it returns. entry tells the same of all copies that main runs, when they are called.
	all   map[pointsto.Copy]bool
	entry map[pointsto.Copy]bool
	begun *history // a thread of the class may have been created
}

// createsOf reports whether an instruction creates a thread of a class.
func (p *program) createsOf(k *class, c pointsto.Copy, in cir.Instr) bool {
	i, ok := in.(*cir.Intrinsic)
	if !ok || i.Op != cir.ThreadCreate || k.main || k.handler {
		return false
	}
	return slices.ContainsFunc(p.pts.Places(c.Func, c.Ctx, i.Args[1]), func(l pointsto.Location) bool { return l.Obj.ID == k.element.Object })
}

// creates finds how main creates the threads of a class.
func (f *finder) creates(k *class) (*creation, error) {
	r := &creation{finder: f, of: k, via: map[pointsto.Copy]cir.Instr{}, all: map[pointsto.Copy]bool{}, entry: map[pointsto.Copy]bool{}}
	r.begun = f.h.mayHave(func(c pointsto.Copy, in cir.Instr) bool { return f.h.createsOf(k, c, in) })
	for _, c := range f.h.runs {
		if !r.begun.does[c] {
			continue
		}
		if !f.h.mainOnly(c) {
			return nil, fail(first(c.Func.Blocks[0]), "threads that meet at a barrier are created by others than main")
		}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if !r.begun.did(c, in) || !f.h.pts.Comes(c.Func, b) {
					continue
				}
				if r.via[c] != nil {
					return nil, fail(in, "threads that meet at a barrier are created at several places")
				}
				r.via[c] = in
			}
		}
	}
	for _, c := range f.h.runs {
		if in := r.via[c]; in != nil {
			if err := r.once(c, in); err != nil {
				return nil, err
			}
		}
	}
	for range r.via { // from the innermost one on
		for c := range r.via {
			r.all[c] = r.returns(c)
		}
	}
	r.complete()
	return r, nil
}

// once finds whether a copy passes the instruction by which threads are created once, or in a loop that counts.
func (r *creation) once(c pointsto.Copy, in cir.Instr) error {
	x := r.h.function(c.Func)
	if c.Func == r.h.prog.Entry && len(r.h.callers[c]) > 0 {
		return fail(in, "threads that meet at a barrier are created by a function that calls itself")
	}
	if _, call := r.h.onlyCall(c); c.Func != r.h.prog.Entry && call == nil {
		return fail(in, "threads that meet at a barrier are created by a function that is called at several places")
	}
	if !x.isRepeated(in) {
		return nil
	}
	l, ok := x.countedLoop(in)
	if !ok || r.loop != nil {
		return fail(in, "how many threads meet at a barrier is not known")
	}
	r.loop, r.in = l, c
	return nil
}

// number returns how many threads there are as soon as main has created all of them.
func (r *creation) number() (number, bool) {
	if r.loop == nil {
		return number{plus: 1}, true
	}
	n, ok := r.finder.number(r.in, r.loop.bound, 0)
	n = n.less(r.loop.from - r.loop.more)
	if n.isConst() {
		n.plus = max(n.plus, 0)
	}
	return n, ok
}

// returns reports whether all threads are there that a copy creates when it returns, on each path.
func (r *creation) returns(c pointsto.Copy) bool {
	at := r.blocks(c, false)
	for i, b := range c.Func.Blocks {
		if _, ends := b.Term.(*cir.Return); ends && at[i] != unreached {
			if through, out := r.block(c, b, at[i] == yes, nil); through && !out {
				return false
			}
		}
	}
	return true
}

// known is what is known where control is of whether all threads are there.
type known uint8

const (
	unreached known = iota
	yes
	no
)

// blocks returns whether all threads are there at the beginnings of the blocks of a copy, on each path.
func (r *creation) blocks(c pointsto.Copy, entry bool) []known {
	f := c.Func
	at := make([]known, len(f.Blocks))
	at[0] = no
	if entry {
		at[0] = yes
	}
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		through, out := r.block(c, b, at[b.Index] == yes, nil)
		if !through || !r.h.pts.Comes(f, b) {
			continue
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !r.h.pts.Goes(f, b, to) {
				return
			}
			then := no
			if out || r.loop != nil && r.in == c && b == r.loop.head && to == r.loop.out && r.makes(r.via[c], c) {
				then = yes
			}
			if then > at[to.Index] {
				at[to.Index] = then
				work = append(work, to)
			}
		})
	}
	return at
}

// makes reports whether an instruction of a copy creates a thread, or all of them, whenever control gets behind it.
func (r *creation) makes(in cir.Instr, c pointsto.Copy) bool {
	call, ok := in.(*cir.Call)
	if !ok {
		return true
	}
	x, err := r.h.callees(c, call)
	return err == nil && len(x.to) == 1 && !x.outside && len(x.known) == 0 && r.all[x.to[0]]
}

// block carries over a block whether all threads are there. through is false if control does not get to its end. visit is called for each instruction with what is known before it.
func (r *creation) block(c pointsto.Copy, b *cir.Block, all bool, visit func(cir.Instr, bool)) (through, out bool) {
	for _, in := range b.Instrs {
		if visit != nil {
			visit(in, all)
		}
		switch in := in.(type) {
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit || in.Op == cir.Stop || in.Op == cir.Trap {
				return false, all
			}
			if in.Op == cir.ThreadCreate && slices.ContainsFunc(r.h.pts.Places(c.Func, c.Ctx, in.Args[1]), func(l pointsto.Location) bool { return isSingle(l.Obj) }) {
				return false, all // that is there only where any number of threads are asked about
			}
		case *cir.Call:
			if x, err := r.h.callees(c, in); err != nil || !x.outside && len(x.known) == 0 && len(x.to) > 0 && !slices.ContainsFunc(x.to, func(y pointsto.Copy) bool { return r.h.returns[y] }) || !in.Returns && len(x.to) == 0 {
				return false, all
			}
		}
		if in == r.via[c] && !(r.loop != nil && r.in == c) {
			all = all || r.makes(in, c)
		}
	}
	return true, all
}

// complete finds whether all threads are there when copies that main runs are called.
func (r *creation) complete() {
	var copies []pointsto.Copy
	main := r.h.classes[0]
	for _, c := range r.h.runs {
		if slices.Contains(r.h.runners[c], main) {
			copies = append(copies, c)
			r.entry[c] = !slices.Contains(main.roots, c)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range copies {
			r.each(c, func(in cir.Instr, all bool) {
				call, ok := in.(*cir.Call)
				if !ok || all {
					return
				}
				x, _ := r.h.callees(c, call)
				for _, y := range x.to {
					if r.entry[y] {
						r.entry[y], changed = false, true
					}
				}
			})
		}
	}
}

// each calls a function for each instruction of a copy that main runs, with whether all threads are there before it, on each path.
func (r *creation) each(c pointsto.Copy, visit func(in cir.Instr, all bool)) {
	for i, known := range r.blocks(c, r.entry[c]) {
		if known != unreached {
			r.block(c, c.Func.Blocks[i], known == yes, visit)
		}
	}
}

// mayCreate reports whether control may get from a block of a copy to where threads are created.
func (r *creation) mayCreate(c pointsto.Copy, b *cir.Block) bool {
	return r.via[c] != nil && r.h.function(c.Func).leadingTo(func(b *cir.Block) bool { return slices.Contains(b.Instrs, r.via[c]) })[b]
}

// owed adds what main owes to those that wait at barriers until it has created all that have to come: where it waits until then, that comes later.
func (r *creation) owed(barriers []Element) error {
	for _, c := range r.h.runs {
		if !slices.Contains(r.h.runners[c], r.h.classes[0]) {
			continue
		}
		at := r.blocks(c, r.entry[c])
		for i, known := range at {
			b := c.Func.Blocks[i]
			if known == no && r.h.endless[c][b] && r.h.pts.Comes(c.Func, b) && !r.mayCreate(c, b) {
				return fail(first(b), "main may run for ever here before all threads are there that meet at a barrier")
			}
		}
		var err error
		r.each(c, func(in cir.Instr, all bool) {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.ThreadExit && !all && err == nil {
				err = fail(in, "main may end here before all threads are there that meet at a barrier")
			}
			if call, ok := in.(*cir.Call); ok && !all {
				for _, e := range r.awaited[callIn{c, call}] {
					for _, b := range barriers {
						r.w.edge(b, e, call.Site)
					}
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

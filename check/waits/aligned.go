package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Threads of one class come to the same waits at barriers in the same order if each branch on which it depends what waits a thread comes to goes the same way in all of them: that is, it depends on values that are the same
// in all threads, as often as they have waited. (Aiken, Gay: Barrier Inference, POPL 1998, call these single-valued; Kamil, Yelick: Concurrency Analysis for Parallel Programs with Textually Aligned Barriers, LCPC 2005.)
// Say that all threads have made the same k waits, and branches have gone the same way. Then:
//
//   - Constants are the same. What is computed of values that are the same, is; the results of functions are if they are computed in that way.
//   - A local that nobody has the address of holds the same if all that is stored to it is the same, and all threads pass the stores as often: no store depends on a branch that may go different ways.
//   - What is loaded from one place in memory is the same if nobody writes there between this wait and the next one: main only before the first of the threads is there, they themselves only where the last wait was another call
//     (epochs.go), and nobody else.
//
// So they are when the threads come to wait k+1, which is the same call. What ends the program is left out: a thread that
// comes there either ends the program, or waits before that, where it owes the barriers (later.go).
//
// A branch matters if a wait at a barrier, or the end of the thread, is on some of its ways only: on one between it and the place where its ways come together again (postdom.go).

// aligning is the analysis of what may differ between the threads of a class.
type aligning struct {
	*finder
	of     *class
	r      *creation
	epochs *epochs
	exits  map[pointsto.Copy]bool
	meets  map[pointsto.Copy]bool // copies that may come to a barrier
	copies []pointsto.Copy
	differ map[pointsto.Copy]*differing
	change bool
}

// differing is what may differ in a copy.
type differing struct {
	ends    *endings
	private map[*cir.Local]bool // locals that nobody has the address of, and that are stored to before they are loaded
	called  bool                // whether, or how often, it is called
	params  []bool
	result  bool
	locals  map[*cir.Local]bool
	regs    map[int]bool
	blocks  map[*cir.Block]bool // whether, or how often, control gets there
}

// aligned returns an error unless all threads of a class come to the same waits at barriers in the same order.
func (f *finder) aligned(k *class, r *creation) error {
	a := &aligning{finder: f, of: k, r: r, exits: f.h.findExits(), meets: map[pointsto.Copy]bool{}, differ: map[pointsto.Copy]*differing{}}
	if a.epochs = f.epochsOf(k); a.epochs == nil {
		return fail(f.meetings[0].call, "there are too many waits at barriers")
	}
	if len(k.roots) != 1 {
		return fail(f.meetings[0].call, "threads that begin with different functions meet at a barrier")
	}
	for _, c := range f.h.runs {
		if slices.Contains(f.h.runners[c], k) {
			a.copies = append(a.copies, c)
			a.differ[c] = f.h.newDiffering(c, a.exits)
			for b := range f.h.endless[c] {
				return fail(first(b), "a thread that others meet at a barrier may run for ever here")
			}
		}
	}
	root := a.differ[k.roots[0]]
	for i := range root.params {
		root.params[i] = true
	}
	a.findMeets()
	for a.change = true; a.change; {
		a.change = false
		for _, c := range a.copies {
			if err := f.h.ctx.Err(); err != nil {
				return err
			}
			a.copy(c)
		}
	}
	for _, c := range a.copies {
		if err := a.check(c); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) newDiffering(c pointsto.Copy, exits map[pointsto.Copy]bool) *differing {
	return &differing{ends: p.endsOf(c, exits), private: privateLocals(c.Func), params: make([]bool, len(c.Func.Params)), locals: map[*cir.Local]bool{}, regs: map[int]bool{}, blocks: map[*cir.Block]bool{}}
}

// findMeets finds the copies that may come to a barrier.
func (a *aligning) findMeets() {
	for changed := true; changed; {
		changed = false
		for _, c := range a.copies {
			if !a.meets[c] && slices.ContainsFunc(a.h.callsOf(c), func(call *cir.Call) bool { return a.leads(c, call) }) {
				a.meets[c], changed = true, true
			}
		}
	}
}

// leads reports whether a call may come to a barrier.
func (a *aligning) leads(c pointsto.Copy, call *cir.Call) bool {
	if a.isMeeting(callIn{c, call}) {
		return true
	}
	x, _ := a.h.callees(c, call)
	return slices.ContainsFunc(x.to, func(y pointsto.Copy) bool { return a.meets[y] })
}

// waitsIn reports whether control may come to a barrier in some instructions.
func (a *aligning) waitsIn(c pointsto.Copy, list []cir.Instr) bool {
	return slices.ContainsFunc(list, func(in cir.Instr) bool {
		call, ok := in.(*cir.Call)
		return ok && a.leads(c, call)
	})
}

// check returns an error unless all threads come to the same waits in a copy.
func (a *aligning) check(c pointsto.Copy) error {
	if !a.meets[c] {
		return nil
	}
	d := a.differ[c]
	if d.called {
		return fail(first(c.Func.Blocks[0]), "threads that meet at a barrier may call '%s' differently often", c.Func.Source)
	}
	if a.h.callsItself(c) {
		return fail(first(c.Func.Blocks[0]), "'%s', that waits at a barrier, may call itself", c.Func.Source)
	}
	for i, b := range c.Func.Blocks {
		if !a.h.pts.Comes(c.Func, b) {
			continue
		}
		if !d.ends.live[i] && a.waitsIn(c, b.Instrs) {
			return fail(first(b), "a thread may wait at a barrier here, and end the program behind that only")
		}
		if at := a.exitIn(c, b); d.ends.leaves[b] && a.waitsIn(c, b.Instrs[at+1:]) {
			return fail(b.Instrs[at], "a thread may end here, while others wait at a barrier")
		}
		if !d.leaves(b) {
			continue
		}
		for k := range d.ends.within(b) {
			if k < len(c.Func.Blocks) && a.waitsIn(c, c.Func.Blocks[k].Instrs) {
				return fail(b.Term, "threads may go different ways here, to different waits at barriers")
			}
		}
	}
	return nil
}

// exitIn returns the first instruction of a block that may end the thread, and return.
func (a *aligning) exitIn(c pointsto.Copy, b *cir.Block) int {
	return slices.IndexFunc(b.Instrs, func(in cir.Instr) bool {
		return a.h.mayExit(c, &cir.Block{Instrs: []cir.Instr{in}}, a.exits)
	})
}

// leaves reports whether threads may go different ways at the end of a block.
func (d *differing) leaves(b *cir.Block) bool {
	if d.ends.leaves[b] {
		return true
	}
	switch t := b.Term.(type) {
	case *cir.Branch:
		return d.value(t.Cond)
	case *cir.Switch:
		return d.value(t.X)
	case *cir.IndirectJump:
		return true
	}
	return false
}

// value reports whether an operand may differ.
func (d *differing) value(v cir.Value) bool {
	switch v := v.(type) {
	case *cir.Reg:
		return d.regs[v.Index]
	case cir.Int, cir.Float, cir.Null, *cir.Func:
		return false
	case *cir.Global:
		return v.ThreadLocal
	}
	return true
}

// copy finds what may differ in a copy.
func (a *aligning) copy(c pointsto.Copy) {
	d := a.differ[c]
	for i, p := range c.Func.Params {
		a.note(d, p.Reg, d.params[i] || d.called || p.ByVal != nil)
	}
	for _, b := range c.Func.Blocks {
		if !a.h.pts.Comes(c.Func, b) {
			continue
		}
		if d.called && !d.blocks[b] {
			d.blocks[b], a.change = true, true
		}
		for _, in := range b.Instrs {
			a.instr(c, d, b, in)
		}
		if r, ok := b.Term.(*cir.Return); ok && !d.result && (d.blocks[b] || r.X != nil && d.value(r.X)) {
			d.result, a.change = true, true
		}
		varies := d.leaves(b)
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			for i, p := range to.Params {
				a.note(d, p, varies || d.blocks[b] || d.value(args[i]))
			}
		})
		if varies {
			for k := range d.ends.within(b) {
				if k < len(c.Func.Blocks) && !d.blocks[c.Func.Blocks[k]] {
					d.blocks[c.Func.Blocks[k]], a.change = true, true
				}
			}
		}
	}
}

func (a *aligning) note(d *differing, r *cir.Reg, differs bool) {
	if differs && !d.regs[r.Index] {
		d.regs[r.Index], a.change = true, true
	}
}

// instr finds what may differ behind an instruction.
func (a *aligning) instr(c pointsto.Copy, d *differing, b *cir.Block, in cir.Instr) {
	differs := d.blocks[b] || in.Meta().Approx != ""
	switch in := in.(type) {
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && (differs || d.value(in.X)) && !d.locals[l] {
			d.locals[l], a.change = true, true
		}
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		differs = differs || ok && d.private[l] && d.locals[l] || !(ok && d.private[l]) && !a.same(c, d, in)
	case *cir.Unary, *cir.Binary, *cir.Overflow, *cir.Compare, *cir.Convert, *cir.Bitcast, *cir.Select, *cir.Offset, *cir.Distance:
		cir.Operands(in, func(v cir.Value) { differs = differs || d.value(v) })
	case *cir.Call:
		differs = a.call(c, d, in, differs) || differs
	default:
		differs = true
	}
	for _, r := range cir.Results(in) {
		if r != nil {
			a.note(d, r, differs)
		}
	}
}

// call finds what may differ in those that are called, and reports whether the result may.
func (a *aligning) call(c pointsto.Copy, d *differing, in *cir.Call, differs bool) bool {
	x, err := a.h.callees(c, in)
	known := err == nil && len(x.to) == 1 && !x.outside && len(x.known) == 0
	for _, y := range x.to {
		e := a.differ[y]
		if (differs || !known) && !e.called {
			e.called, a.change = true, true
		}
		for i := range e.params {
			if !e.params[i] && (i >= len(in.Args) || in.Args[i].ByVal != nil || d.value(in.Args[i].X)) {
				e.params[i], a.change = true, true
			}
		}
	}
	return !known || a.differ[x.to[0]].result
}

// same reports whether all threads load the same from memory, as often as they have waited at barriers.
func (a *aligning) same(c pointsto.Copy, d *differing, in *cir.Load) bool {
	places := a.h.pts.Places(c.Func, c.Ctx, in.Addr)
	if len(places) != 1 || in.Volatile || places[0].Off == pointsto.Any || !a.h.pts.Once(places[0].Obj) || places[0].Obj.IsFunc() || !places[0].Exact() && a.addressDiffers(c, d, in.Addr, 0) {
		return false
	}
	at, size := places[0], a.h.sizeOf(in.Type)
	for e, l := range a.h.sets.at {
		if l.Obj == at.Obj && (at.Touches(size, l, max(a.h.sets.size[e], 1)) || l.Touches(max(a.h.sets.size[e], 1), at, size)) {
			return false // of a lock
		}
	}
	for _, w := range a.writes[at.Obj] {
		if w.begun || !w.whole && !w.at.Touches(w.size, at, size) {
			continue
		}
		for _, k := range a.h.runners[w.by] {
			switch {
			case k.main && a.r.begun.before(w.by, w.in), !k.main && k != a.of:
				return false
			case k == a.of && a.epochs.before(w.by, w.in)&a.epochs.before(c, in) != 0:
				return false
			}
		}
	}
	return true
}

// addressDiffers reports whether an address that is accessed may differ. A pointer that leads to one object only, where it leads to one at all, does not.
func (a *aligning) addressDiffers(c pointsto.Copy, d *differing, v cir.Value, depth int) bool {
	if !d.value(v) {
		return false
	}
	if places := a.h.pts.Places(c.Func, c.Ctx, v); len(places) == 1 && places[0].Exact() && a.h.pts.Once(places[0].Obj) {
		return false
	}
	r, ok := v.(*cir.Reg)
	if !ok || depth > maxNumber {
		return true
	}
	switch in := a.h.function(c.Func).defs[r.Index].(type) {
	case *cir.Offset:
		return a.addressDiffers(c, d, in.P, depth+1) || in.Index != nil && d.value(in.Index)
	case *cir.Convert:
		return !typeOf(in.X).IsPointer() || !in.Dst.Type.IsPointer() || a.addressDiffers(c, d, in.X, depth+1)
	}
	return true
}

package waits

import (
	"slices"

	"comus/cir"
	"comus/logic"
	"comus/logic/smt"
	"comus/scan/pointsto"
	"comus/z3"
)

// Locks that are one element, those of all accounts of a bank, say, may be held together if a thread takes them in the order of their addresses: a thread that waits for one of them
// holds others with lower addresses only (or with higher ones only, everywhere in the program). So among the locks of an element, addresses are the order.
//
// That is found out where a lock is taken while another one is held whose address is known by a name, along each path from the beginning of the function: what locals and registers
// hold are terms, what branches say is assumed, and a solver says whether the address that is held may be the greater one. A path goes no loop around twice: where a loop begins,
// what is assigned in it holds anything.

// directions are in which order of their addresses two locks of an element are held and awaited: ascending, descending, both of them if that never happens, or neither.
type directions uint8

const (
	ascending  directions = 1
	descending directions = 2
)

// maxPaths bounds the paths that are followed to a place, and maxPathSteps their instructions.
const (
	maxPaths     = 256
	maxPathSteps = 100_000
)

// between returns in which order two locks of an element, the one with one name, which may be held, and the one with another name that a call waits for, are, in any execution.
func (h *holding) between(c pointsto.Copy, call *cir.Call, held, awaited name, e Element) (directions, error) {
	x := h.function(c.Func)
	if held.base == "" || awaited.base == "" {
		return 0, nil
	}
	if held.base == awaited.base && held.off != awaited.off {
		if held.off < awaited.off {
			return ascending, nil
		}
		return descending, nil
	}
	w, err := h.walkerOf(c, func(b *cir.Block) bool { return slices.Contains(b.Instrs, cir.Instr(call)) })
	if w == nil {
		return 0, err
	}
	defer w.s.Close()
	dirs := ascending | descending
	w.target, w.lock = call, e
	w.arrives = func(p *path) bool {
		dirs &= w.directions(p, held, awaited)
		return dirs != 0
	}
	w.walk(x.fn.Blocks[0], w.begin())
	if w.lost {
		return 0, h.ctx.Err()
	}
	if w.overflow && dirs != 0 {
		h.assumed[assumeOverflow] = true
	}
	return dirs, h.ctx.Err()
}

// walkerOf returns what goes over the paths of a copy to some blocks, and whose solver the caller closes; nil if the loops of the copy have several heads.
func (h *holding) walkerOf(c pointsto.Copy, to func(*cir.Block) bool) (*walker, error) {
	x := h.function(c.Func)
	heads, ok := x.loops()
	if !ok {
		return nil, nil
	}
	l := logic.NewStore()
	s, err := smt.NewSolverOf(l, limited)
	if err != nil {
		return nil, err
	}
	return &walker{holding: h, copy: c, x: x, l: l, s: s, heads: heads, reaches: x.leadingTo(to), on: map[*cir.Block]bool{}}, nil
}

// maxWork bounds what the solver does for one question, in its own units: some questions about remainders it would think about for ever.
const maxWork = 200_000

func limited(c *z3.Context) *z3.Solver {
	s := c.NewSimpleSolver()
	s.SetParams(z3.NewParams().SetRLimit(maxWork))
	return s
}

// leadingTo returns the blocks from which control may get to one of some blocks.
func (x *function) leadingTo(end func(*cir.Block) bool) map[*cir.Block]bool {
	out := map[*cir.Block]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range x.fn.Blocks {
			if out[b] {
				continue
			}
			leads := end(b)
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { leads = leads || out[to] })
			if leads {
				out[b], changed = true, true
			}
		}
	}
	return out
}

// loops returns the heads of loops, with the locals that are assigned in each. ok is false if there is a loop that control gets into elsewhere than at its head: then a path that
// comes to a block again need not do that at a head.
func (x *function) loops() (heads map[*cir.Block][]*cir.Local, ok bool) {
	preds := map[*cir.Block][]*cir.Block{}
	for _, b := range x.fn.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { preds[to] = append(preds[to], b) })
	}
	heads, ok = map[*cir.Block][]*cir.Local{}, true
	state := map[*cir.Block]int{} // 1: on the way, 2: done
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		state[b] = 1
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			switch state[to] {
			case 0:
				visit(to)
			case 1:
				body, entry := bodyOf(to, b, preds, x.fn.Blocks[0])
				ok = ok && (!entry || to == x.fn.Blocks[0])
				heads[to] = append(heads[to], assignedIn(body)...)
			}
		})
		state[b] = 2
	}
	visit(x.fn.Blocks[0])
	return heads, ok
}

// bodyOf returns the blocks of the loop with a head that ends at a block: those from which control gets to the end not by the head. entry tells that the beginning of the function is one of
// these, so that the head does not dominate the end.
func bodyOf(head, end *cir.Block, preds map[*cir.Block][]*cir.Block, first *cir.Block) (body map[*cir.Block]bool, entry bool) {
	body = map[*cir.Block]bool{head: true}
	work := []*cir.Block{end}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if body[b] {
			continue
		}
		body[b] = true
		entry = entry || b == first
		work = append(work, preds[b]...)
	}
	return body, entry
}

func assignedIn(body map[*cir.Block]bool) (list []*cir.Local) {
	for b := range body { // their order does not matter
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				if l, ok := in.Addr.(*cir.Local); ok {
					list = append(list, l)
				}
			case *cir.LifeStart:
				list = append(list, in.Local)
			}
		}
	}
	return list
}

// walker follows paths.
type walker struct {
	*holding
	copy    pointsto.Copy
	x       *function
	l       *logic.Store
	s       *smt.Solver
	heads   map[*cir.Block][]*cir.Local
	reaches map[*cir.Block]bool
	// target is the call that paths lead to; nil: a return. At the end of each path, arrives says whether to go on.
	target       *cir.Call
	arrives      func(*path) bool
	on           map[*cir.Block]bool // the blocks of the path
	paths, steps int
	done         bool
	lost         bool          // nothing is known
	given        []*logic.Term // the parameters
	lock         Element       // that paths lead to; none if its object is 0
	overflow     bool          // that signed numbers do not overflow is taken for granted
}

// path is what is known on a path.
type path struct {
	regs   map[int]*logic.Term
	locals map[*cir.Local]*logic.Term
	conds  []*logic.Term
	locks  []lockEvent
	// numbers are fields of elements that hold their indexes.
	numbers []numbered
}

// lockEvent is that a call takes a lock at an address, or gives one back, if by is nil.
type lockEvent struct {
	by *cir.Call
	at *logic.Term
}

// begin returns the beginning of all paths.
func (w *walker) begin() *path {
	p := &path{regs: map[int]*logic.Term{}, locals: map[*cir.Local]*logic.Term{}}
	for _, q := range w.x.fn.Params {
		p.regs[q.Reg.Index] = w.any(p, q.Reg.Type)
		w.given = append(w.given, p.regs[q.Reg.Index])
	}
	return p
}

func (p *path) clone() *path {
	q := &path{regs: make(map[int]*logic.Term, len(p.regs)), locals: make(map[*cir.Local]*logic.Term, len(p.locals)), conds: slices.Clip(p.conds), locks: slices.Clip(p.locks), numbers: slices.Clip(p.numbers)}
	for k, v := range p.regs {
		q.regs[k] = v
	}
	for k, v := range p.locals {
		q.locals[k] = v
	}
	return q
}

// walk follows the paths from a block on.
func (w *walker) walk(b *cir.Block, p *path) {
	if w.lost || w.done || w.on[b] || !w.reaches[b] || !w.pts.Comes(w.x.fn, b) {
		return
	}
	w.on[b] = true
	defer delete(w.on, b)
	if w.steps++; w.steps > maxPathSteps {
		w.lost = true
		return
	}
	if assigned, head := w.heads[b]; head {
		for _, l := range assigned {
			delete(p.locals, l)
		}
		for _, r := range b.Params {
			p.regs[r.Index] = w.any(p, r.Type)
		}
	}
	for _, in := range b.Instrs {
		if call, ok := in.(*cir.Call); ok {
			if call == w.target {
				w.arrive(p)
				return
			}
			w.locking(p, call)
		}
		if w.steps++; w.steps > maxPathSteps {
			w.lost = true
			return
		}
		w.exec(p, in)
	}
	w.leaves(b, p)
}

// leaves goes on behind a block.
func (w *walker) leaves(b *cir.Block, p *path) {
	goes := func(to *cir.Block, args []cir.Value, conds ...*logic.Term) {
		q := p.clone()
		q.conds = append(q.conds, conds...)
		for i, r := range to.Params {
			q.regs[r.Index] = w.value(p, args[i])
		}
		if w.l.And(q.conds...).IsFalse() || !w.pts.Goes(w.x.fn, b, to) {
			return
		}
		w.walk(to, q)
	}
	switch t := b.Term.(type) {
	case *cir.Jump:
		goes(t.To, t.Args)
	case *cir.Branch:
		c := w.l.Ne(w.value(p, t.Cond), w.l.Int(0))
		goes(t.Then, t.ThenArgs, c)
		goes(t.Else, t.ElseArgs, w.l.Not(c))
	case *cir.Switch:
		v := w.value(p, t.X)
		var rest []*logic.Term
		for _, k := range t.Cases {
			in := w.l.And(w.l.Le(w.constant(k.Lo), v), w.l.Le(v, w.constant(k.Hi)))
			goes(k.To, nil, in)
			rest = append(rest, w.l.Not(in))
		}
		goes(t.Default, nil, rest...)
	case *cir.IndirectJump:
		for _, to := range t.Targets {
			goes(to, nil)
		}
	case *cir.Return:
		if w.target == nil {
			w.arrive(p)
		}
	}
}

// arrive is the end of a path.
func (w *walker) arrive(p *path) {
	if w.paths++; w.paths > maxPaths {
		w.lost = true
		return
	}
	w.done = !w.arrives(p)
}

// possible reports whether a path, on which something more holds, may be that of an execution.
func (w *walker) possible(p *path, more ...*logic.Term) bool {
	st, _, err := w.s.Check(w.ctx, append(slices.Clip(p.conds), more...)...)
	return err != nil || st != z3.Unsat
}

// directions returns in which order two locks with names are at the end of a path.
func (w *walker) directions(p *path, held, awaited name) (dirs directions) {
	x, ok := w.named(p, held)
	y, known := w.named(p, awaited)
	if !ok || !known {
		return 0
	}
	more := append(w.areTwo(), w.indexes(p, w.sets.at[w.lock], x, y)...)
	if !w.possible(p, append(more, w.l.Le(y, x))...) {
		dirs |= ascending
	}
	if !w.possible(p, append(more, w.l.Le(x, y))...) {
		dirs |= descending
	}
	return dirs
}

package valuecheck

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// run carries what is claimed at the beginning of a block through it.
type run struct {
	*checker
	at    blockKey
	act   *activation
	claim *claim
	mode  int
	state
	regs layer
	// from says what registers of this block were loaded from, as long as it has not changed.
	from map[*cir.Reg]*cell
	dead bool
	// source is what is written, if it is a sum.
	source *lin
	// taking tells that what is written is a lock, by taking or giving it back.
	taking bool
}

// state is what is known beside registers.
type state struct {
	cells, held layer
	locks       []int
	depth       set
	rel         *related
}

func (s *state) fork() state {
	return state{s.cells.fork(), s.held.fork(), slices.Clone(s.locks), s.depth, s.rel.fork()}
}

// block looks at a block.
func (x *checker) block(s blockKey) {
	a := x.acts[s.act]
	c := &a.flows[s.mode].blocks[s.block]
	c.open, c.undefined = nil, nil
	r := &run{checker: x, at: s, act: a, claim: c, mode: s.mode, regs: layer{base: c.regs}, from: map[*cir.Reg]*cell{}}
	r.state = x.stateOf(c, s.mode)
	x.opens(c.related, &r.state, s.mode)
	if s.block == 0 && s.mode == among {
		for _, d := range x.locals[a.copy] {
			if !d.own { // a new one, that holds anything
				r.write(d, anything, false)
			}
		}
	}
	r.exec(0)
}

// stateOf returns what is claimed beside registers. What a thread knows of cells that others access counts only while it keeps them away.
func (x *checker) stateOf(c *claim, mode int) state {
	s := state{cells: layer{base: c.cells}, depth: c.depth, rel: x.newRelated()}
	for _, l := range c.locks {
		if x.memory.locks[l].ok {
			s.locks = append(s.locks, l)
		}
	}
	if mode == among {
		for _, e := range c.held {
			if d := x.memory.cells[e.of]; s.atomic() || x.guarded(d, s.locks) {
				s.held.base = append(s.held.base, e)
			} else {
				x.contribute(d, e.is) // whoever gets here may leave that to others
			}
		}
	}
	return s
}

// atomic reports whether the thread is in an atomic section in any case.
func (s *state) atomic() bool {
	lo, _, ok := s.depth.bounds()
	return ok && lo.sign() > 0
}

// guarded reports whether one of some locks is held at all accesses of a cell.
func (x *checker) guarded(c *cell, locks []int) bool {
	return slices.ContainsFunc(c.guard, func(g int) bool { return x.memory.locks[g].ok && slices.Contains(locks, g) })
}

func (r *run) fork() *run {
	y := *r
	y.state, y.regs, y.from = r.state.fork(), r.regs.fork(), maps.Clone(r.from)
	return &y
}

// exec runs the instructions from one on. What follows a call is run for the ways in which it returns.
func (r *run) exec(from int) {
	b := r.act.fn.Blocks[r.at.block]
	for i := from; i < len(b.Instrs) && !r.dead && r.stop == nil; i++ {
		if r.view != nil {
			r.view(b.Instrs[i], View{r})
		}
		if call, ok := b.Instrs[i].(*cir.Call); ok {
			after := r.textCall(call)
			for _, y := range r.call(call, callAt{b.Index, i}) {
				if after != nil {
					after(y)
				}
				y.exec(i + 1)
			}
			return
		}
		r.step(b.Instrs[i])
	}
	if !r.dead && r.stop == nil {
		if r.view != nil {
			r.view(b.Term, View{r})
		}
		r.term(b.Term)
	}
}

// value returns what an operand may be.
func (r *run) value(v cir.Value) set {
	switch v := v.(type) {
	case *cir.Reg:
		if s, ok := r.regs.get(v.Index); ok {
			return s.and(full(v.Type))
		}
		return full(v.Type)
	case cir.Int:
		if v.Type.Bits <= 64 {
			return just(numOf(v))
		}
	case cir.Null:
		return just(large(v.Addr)).into(r.prog.Model.Pointer(), true)
	case *cir.Global, *cir.Func, *cir.Local, *cir.Block:
		return r.address(v)
	}
	return full(r.typ(v))
}

func (r *run) typ(v cir.Value) cir.Type { return r.prog.Model.TypeOf(v) }

// set assigns a register. Nothing gets on where it has no value.
func (r *run) set(x *cir.Reg, s set) {
	if x == nil {
		return
	}
	if s = s.ofType(x.Type); s.empty() {
		r.dead = true
		return
	}
	delete(r.from, x)
	if r.rel != nil {
		delete(r.rel.forms, x.Index)
	}
	r.regs.put(x.Index, s)
}

// term goes on where the block ends.
func (r *run) term(t cir.Term) {
	switch t := t.(type) {
	case *cir.Jump:
		r.jump(t.To, t.Args)
	case *cir.Branch:
		no := r.fork()
		if r.assume(t.Cond, true); !r.dead {
			r.jump(t.Then, t.ThenArgs)
		}
		if no.assume(t.Cond, false); !no.dead {
			no.jump(t.Else, t.ElseArgs)
		}
	case *cir.Switch:
		r.choose(t)
	case *cir.IndirectJump:
		for _, b := range t.Targets {
			r.jump(b, nil)
		}
	case *cir.Return:
		r.leave(t)
	case *cir.Unreachable:
	default:
		r.fail(t, "what ends a block here is not looked at")
	}
}

// choose goes on at the cases of a switch.
func (r *run) choose(t *cir.Switch) {
	rest := r.fork()
	for _, c := range t.Cases {
		y := r.fork()
		if c.Lo.Type.Bits <= 64 {
			lo, hi := numOf(c.Lo), numOf(c.Hi)
			y.narrow(t.X, y.value(t.X).from(lo).to(hi))
			if lo == hi && !y.dead {
				y.supposesCompared(t.X, c.Lo, cir.Eq)
			}
			if lo == hi && !rest.dead {
				rest.narrow(t.X, rest.value(t.X).but(lo))
			}
		}
		if !y.dead {
			y.jump(c.To, nil)
		}
	}
	if !rest.dead {
		rest.jump(t.Default, nil)
	}
}

// jump goes on at a block.
func (r *run) jump(to *cir.Block, args []cir.Value) {
	values, forms := make(map[int]set, len(to.Params)), map[int]lin{}
	for i, p := range to.Params {
		if f, ok := r.form(args[i]); ok && r.typ(args[i]) == p.Type {
			forms[p.Index] = f
		}
		v := r.value(args[i]).ofType(p.Type)
		if v.empty() {
			return
		}
		values[p.Index] = v
	}
	r.flowTo(blockKey{r.at.act, r.mode, to.Index}, func(n int) (set, bool) {
		if v, ok := values[n]; ok {
			return v, true
		}
		return r.regs.get(n)
	}, func(n int) (lin, bool) {
		if _, param := values[n]; !param && r.rel != nil {
			f, ok := r.rel.forms[n]
			return f, ok
		}
		f, ok := forms[n]
		return f, ok
	}, &r.state)
}

// leave returns from the function. Its locals are no more.
func (r *run) leave(t *cir.Return) {
	result := anything
	if t.X != nil && r.act.fn.Result.Shape == nil {
		if result = r.value(t.X); result.empty() {
			return
		}
	}
	r.forgetLocals(&r.state, r.act.copy)
	c := &r.act.flows[r.mode].exit
	if !c.reached && r.excluded(&r.state, r.mode) {
		return
	}
	if f, ok := r.form(t.X); ok && r.act.fn.Result.Shape == nil {
		result = r.tightened(&r.state, r.mode, f, result, c.result)
	}
	changed := r.restrict(c, r.mode, nil, nil, &r.state, "the end of "+r.act.fn.Name)
	if !result.within(c.result) {
		r.refuse("what %s returns: %s, not %s", r.act.fn.Name, result, c.result)
		c.result, changed = anything, true
	}
	if changed {
		r.wake(c)
	}
}

// wake has those looked at again that go on at a function's end.
func (x *checker) wake(c *claim) {
	for s := range c.readers {
		if s.act < 0 {
			x.all = true
		} else {
			x.push(s)
		}
	}
}

// forgetLocals forgets what cells of a copy's locals hold: those of an activation that begins or ends.
func (x *checker) forgetLocals(s *state, copy int) {
	for _, d := range x.locals[copy] {
		s.cells.drop(d.id)
		if s.rel != nil {
			delete(s.rel.env, d.id)
		}
	}
}

// flowTo verifies that what is claimed of a block's beginning holds where control comes from somewhere; what does not is dropped.
func (x *checker) flowTo(to blockKey, regs func(int) (set, bool), forms func(int) (lin, bool), s *state) {
	c := x.claimAt(to)
	if !c.reached && x.excluded(s, to.mode) {
		return
	}
	changed := x.restrict(c, to.mode, regs, forms, s, fmt.Sprintf("block %d of %s (%s)", to.block, x.acts[to.act].fn.Name, [...]string{"alone", "among"}[to.mode]))
	if changed || !x.seen[to] {
		x.push(to)
	}
}

// restrict drops what is claimed of a place and is not known. It reports whether that is something.
func (x *checker) restrict(c *claim, mode int, regs func(int) (set, bool), forms func(int) (lin, bool), s *state, where string) bool {
	changed := false
	if !c.reached {
		x.refuse("control gets to %s", where)
		c.weakest()
		c.reached, changed = true, true
		c.locks, c.depth = slices.Clone(s.locks), s.depth
	}
	if s.rel == nil {
		forms = nil
	}
	drop := func(list []entry, known func(int) set, form func(int) (lin, bool), what string) []entry {
		bad := func(e entry) bool {
			v := known(e.of)
			if v.within(e.is) || form == nil {
				return !v.within(e.is)
			}
			f, ok := form(e.of)
			return !ok || !x.tightened(s, mode, f, v, e.is).within(e.is)
		}
		if !slices.ContainsFunc(list, bad) {
			return list
		}
		changed = true
		return slices.DeleteFunc(slices.Clone(list), func(e entry) bool {
			if !bad(e) {
				return false
			}
			name := ""
			if what != "register" {
				name = fmt.Sprintf(" (%s+%d)", x.memory.cells[e.of].obj, x.memory.cells[e.of].off)
			}
			x.refuse("%s: %s %d%s may be %s, not %s", where, what, e.of, name, known(e.of), e.is)
			return true
		})
	}
	if regs != nil {
		c.regs = drop(c.regs, func(n int) set {
			if v, ok := regs(n); ok {
				return v
			}
			return anything
		}, forms, "register")
	}
	var holding func(int) (lin, bool)
	if s.rel != nil {
		holding = func(n int) (lin, bool) { f, ok := s.rel.env[n]; return f, ok }
	}
	c.cells = drop(c.cells, func(n int) set { return x.knownOf(n, s, mode) }, holding, "cell")
	had := c.held
	c.held = drop(c.held, func(n int) set { return x.foundIn(n, s) }, holding, "guarded cell")
	// What is no more claimed to be known of a cell that others access is what they may find.
	for _, e := range append(s.held.known(), had...) {
		d := x.memory.cells[e.of]
		if !slices.ContainsFunc(c.held, func(f entry) bool { return f.of == e.of }) {
			x.contribute(d, e.is)
		}
	}
	if kept := slices.DeleteFunc(slices.Clone(c.locks), func(l int) bool { return !slices.Contains(s.locks, l) }); len(kept) < len(c.locks) {
		x.refuse("%s: a lock is not held", where)
		c.locks, changed = kept, true
	}
	if !s.depth.within(c.depth) {
		x.refuse("%s: the depth of atomic sections may be %s", where, s.depth)
		c.depth, changed = anything, true
	}
	if len(c.related) > 0 {
		there := x.steadyIn(&state{locks: c.locks, depth: c.depth}, mode)
		kept, less := x.restrictRelated(c.related, there, s, mode, where)
		c.related, changed = kept, changed || less
	}
	return changed
}

// knownOf returns what a cell may hold as a state knows it, of one that only the thread accesses, or while there is one thread.
func (x *checker) knownOf(n int, s *state, mode int) set {
	d := x.memory.cells[n]
	if v, ok := s.cells.get(n); ok {
		return v
	}
	if d.static {
		return d.ever.ofType(d.typ)
	}
	return full(d.typ)
}

// foundIn returns what a cell that others access may hold as a state knows it.
func (x *checker) foundIn(n int, s *state) set {
	if v, ok := s.held.get(n); ok {
		return v
	}
	d := x.memory.cells[n]
	return d.met.ofType(d.typ)
}

// contribute verifies that what a thread leaves in a cell is claimed to be found there.
func (x *checker) contribute(d *cell, v set) {
	if v = v.ofType(d.typ); !v.within(d.met) {
		x.refuse("others may find %s in cell %d (%s), not only %s", v, d.id, d.obj, d.met)
		d.met, x.all = anything, true
	}
}

// aim returns what an operand may point to. What lies outside is none of the program's objects, which is taken for granted.
func (r *run) aim(v cir.Value) []pointsto.Location {
	ls := r.places(r.act.copy, v)
	for _, l := range ls {
		if l.Obj.External {
			r.assumed[assumeOutside] = true
			break
		}
	}
	return ls
}

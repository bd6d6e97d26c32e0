package valuecheck

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// call returns the ways in which a call goes on: while the program has one thread, and while there may be more.
func (r *run) call(in *cir.Call, at callAt) (list []*run) {
	outside := r.outside(r.act.copy, in)
	callees := r.callees(r.act.copy, in)
	if outside && len(r.back) > 0 {
		r.callsBack()
	}
	if f, direct := in.Callee.(*cir.Func); direct && len(f.Blocks) > 0 && len(callees) == 0 {
		r.fail(in, "pointers of %s were not followed", f.Name)
	}
	r.by(in, outside)
	var ends [2][]end
	if outside && in.Returns {
		ends[r.mode] = append(ends[r.mode], end{nil, &claim{reached: true, result: anything}})
	}
	for _, n := range callees {
		a := r.callee(at, n)
		r.enter(in, a)
		for mode := r.mode; mode <= among; mode++ {
			c := &a.flows[mode].exit
			if c.readers == nil {
				c.readers = map[blockKey]bool{}
			}
			c.readers[r.at] = true
			if c.reached {
				ends[mode] = append(ends[mode], end{a, c})
			}
		}
	}
	for mode, es := range ends {
		if len(es) == 0 {
			continue
		}
		y := r.fork()
		y.after(in, es, mode)
		if !y.dead {
			list = append(list, y)
		}
	}
	return list
}

// callsBack is about what code outside of the program calls during a call: it may give back locks that this thread holds, and access what no lock keeps it from, and
// the variables that are the thread's own.
func (r *run) callsBack() {
	for _, d := range r.tls {
		r.cells.drop(d.id)
		if r.changes[r.act.copy].Insert(d.id) { // whoever calls this function does not know more
			r.all = true
		}
	}
	for _, l := range r.freed {
		for _, n := range r.locked[l.Obj] {
			if !l.Exact() || l.Off == r.memory.locks[n].off {
				r.unhold(n)
			}
		}
	}
	r.shows()
}

// end is a way in which a call returns: from an activation, or from code outside, which leaves all as it is.
type end struct {
	act *activation
	c   *claim
}

// callee returns the activation that a call is claimed to get to, of a copy.
func (r *run) callee(at callAt, copy int) *activation {
	for _, id := range r.act.calls[at] {
		if id >= 0 && id < len(r.acts) && r.acts[id].copy == copy {
			return r.acts[id]
		}
	}
	return r.root(copy)
}

// enter verifies what is claimed of the beginning of an activation that is called.
func (r *run) enter(in *cir.Call, a *activation) {
	args, forms := map[int]set{}, map[int]lin{}
	for i, p := range a.fn.Params {
		v := full(p.Reg.Type)
		switch {
		case p.ByVal != nil:
			v = v.but(num{})
		case i < len(in.Args) && in.Args[i].ByVal == nil && r.typ(in.Args[i].X) == p.Reg.Type:
			v = r.value(in.Args[i].X).ofType(p.Reg.Type)
			if f, ok := r.form(in.Args[i].X); ok {
				forms[p.Reg.Index] = f
			}
		}
		if v.empty() {
			return
		}
		args[p.Reg.Index] = v
	}
	s := r.state.fork()
	r.forgetLocals(&s, a.copy)
	r.flowTo(blockKey{a.id, r.mode, 0}, func(n int) (set, bool) { v, ok := args[n]; return v, ok }, func(n int) (lin, bool) { f, ok := forms[n]; return f, ok }, &s)
}

// after goes on behind a call that has returned in one of several ways.
func (r *run) after(in *cir.Call, ends []end, mode int) {
	was := r.mode
	if mode != r.mode { // others have begun
		for _, d := range r.shared {
			r.cells.drop(d.id)
		}
		r.mode = mode
	}
	clear(r.from)
	before := r.state.fork()
	r.afterCells(&before, ends)
	r.afterHeld(&before, ends)
	result := set{}
	for i, e := range ends {
		s := before
		if e.act != nil {
			s = r.stateOf(e.c, mode)
			if !r.program.locking[e.act.copy] {
				s.locks, s.depth = before.locks, before.depth
			}
		}
		if i == 0 {
			r.locks, r.depth = s.locks, s.depth
		} else {
			var both []int
			for _, l := range r.locks {
				for _, m := range s.locks {
					if l == m {
						both = append(both, l)
					}
				}
			}
			r.locks, r.depth = both, r.depth.or(s.depth)
		}
		if e.act == nil || in.Dst == nil || e.act.fn.Result.Shape != nil || e.act.fn.Result.Type != in.Dst.Type {
			result = anything
		} else {
			result = result.or(e.c.result)
		}
	}
	r.behind(ends, mode, was)
	r.set(in.Dst, result)
	if in.To != nil && !r.dead {
		r.spoilAll(in.To)
	}
}

// afterCells finds what cells hold after a call: those that a function changes hold what it has left.
func (r *run) afterCells(before *state, ends []end) {
	found := map[int]set{}
	look := func(n int) {
		if _, done := found[n]; done {
			return
		}
		v := set{}
		for _, e := range ends {
			switch {
			case e.act == nil || !r.changes[e.act.copy].Has(n):
				v = v.or(r.knownOf(n, before, r.mode))
			default:
				s := state{cells: layer{base: e.c.cells}}
				v = v.or(r.knownOf(n, &s, r.mode))
			}
		}
		found[n] = v
	}
	before.cells.each(func(n int, _ set) {
		for _, e := range ends {
			if e.act != nil && r.changes[e.act.copy].Has(n) {
				look(n)
				return
			}
		}
	})
	for _, e := range ends {
		if e.act == nil {
			continue
		}
		r.extend(e.act.copy)
		for _, f := range e.c.cells {
			if r.changes[e.act.copy].Has(f.of) {
				look(f.of)
			}
		}
	}
	for n, v := range found {
		r.cells.put(n, v)
	}
}

// extend verifies that a function is claimed to change what one changes that it calls.
func (r *run) extend(callee int) {
	if r.changes[r.act.copy].UnionWith(r.changes[callee]) {
		r.refuse("%s changes what %s changes", r.act.fn.Name, r.copies[callee].Func.Name)
		r.all = true
	}
	if r.program.locking[callee] {
		r.changesLocks()
	}
}

// changesLocks notes that the function may change which locks are held. That is known already where it is by intrinsics.
func (r *run) changesLocks() {
	if !r.program.locking[r.act.copy] {
		r.program.locking[r.act.copy], r.all = true, true
	}
}

// afterHeld finds what cells hold after a call that others access, but not now.
func (r *run) afterHeld(before *state, ends []end) {
	if r.mode == alone {
		return
	}
	var states []*state
	for _, e := range ends {
		s := before
		if e.act != nil {
			x := r.stateOf(e.c, r.mode)
			s = &x
		}
		states = append(states, s)
	}
	found := map[int]set{}
	for _, s := range states {
		for _, e := range s.held.known() {
			if _, done := found[e.of]; done {
				continue
			}
			v := set{}
			for _, t := range states {
				v = v.or(r.foundIn(e.of, t))
			}
			found[e.of] = v
		}
	}
	r.held.clear()
	for n, v := range found {
		r.held.put(n, v)
	}
}

// create begins threads. From then on there may be several.
func (r *run) create(in *cir.Intrinsic) {
	r.publish()
	for _, l := range r.aim(in.Args[0]) {
		if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 {
			r.assumed[assumeThreads] = true
			continue
		}
		n, ok := r.number[r.pts.Canonical(pointsto.Copy{Func: l.Obj.Func, Ctx: r.copies[r.act.copy].Ctx})]
		if !ok {
			r.fail(in, "pointers of what a thread begins with were not followed")
			return
		}
		a := r.root(n)
		args := map[int]set{}
		for i, p := range a.fn.Params {
			if i+1 < len(in.Args) && p.ByVal == nil && r.typ(in.Args[i+1]) == p.Reg.Type {
				args[p.Reg.Index] = r.value(in.Args[i+1]).ofType(p.Reg.Type)
			}
		}
		r.starts(a, args, r.tls)
	}
	r.set(in.Dst, anything)
}

// starts verifies what is claimed of the beginning of an activation that a thread begins with: it holds nothing, and knows what is in cells that begin with it.
func (x *checker) starts(a *activation, args map[int]set, begin []*cell) {
	s := state{depth: nought, rel: x.newRelated()}
	for _, d := range begin {
		s.cells.put(d.id, d.first)
	}
	x.flowTo(blockKey{a.id, among, 0}, func(n int) (set, bool) { v, ok := args[n]; return v, ok }, nil, &s)
	c := &a.flows[among].exit
	if len(x.free[sections]) > 0 {
		if c.readers == nil {
			c.readers = map[blockKey]bool{}
		}
		if c.readers[blockKey{act: -1}] = true; c.reached && !c.depth.within(nought) {
			x.dropSections()
		}
	}
	for _, e := range c.held { // its end gives back what it kept from others
		x.contribute(x.memory.cells[e.of], e.is)
	}
}

// publish shows what there is to other threads, of which there were none.
func (r *run) publish() {
	if r.mode == among {
		return
	}
	for _, n := range slices.Sorted(maps.Keys(r.free)) {
		if n == sections && r.atomic() || n != sections && slices.Contains(r.locks, n) {
			continue // it is given back later
		}
		r.leaveTo(n, &r.state, alone)
	}
	for _, d := range r.shared {
		r.contribute(d, r.knownOf(d.id, &r.state, alone))
		r.cells.drop(d.id)
	}
	r.mode = among
	if r.rel != nil {
		maps.DeleteFunc(r.rel.env, func(n int, _ lin) bool { return lone(r.memory.cells[n]) }) // who accesses them is not known
		r.loses()
	}
	clear(r.from)
}

// begin runs the program: constructors, the entry, exit, destructors. What code outside of the program calls, it may call at any time.
func (x *checker) begin() {
	first := state{depth: nought, rel: x.newRelated()}
	for _, d := range x.memory.cells {
		if d != nil && d.static {
			first.cells.put(d.id, d.first)
		}
	}
	mode := alone
	if len(x.back) > 0 {
		r := &run{checker: x, state: first, mode: alone}
		r.publish()
		first, mode = r.state, among
		for _, n := range x.back {
			x.starts(x.root(n), nil, nil)
		}
	}
	now := [2]*state{}
	now[mode] = &first
	for _, f := range x.prog.Constructors {
		now = x.calledIn(now, f)
	}
	now = x.calledIn(now, x.prog.Entry)
	if x.exit != nil {
		now = x.calledIn(now, x.exit)
	}
	for mode, s := range now {
		if s != nil {
			x.finish(s, mode)
		}
	}
}

// calledIn returns what holds after a function that is called in some states with any arguments.
func (x *checker) calledIn(now [2]*state, f *cir.Func) (next [2]*state) {
	n, ok := x.plain(f)
	if !ok {
		x.fail(nil, "pointers of %s were not followed", f.Name)
		return next
	}
	a := x.root(n)
	for mode, s := range now {
		if s == nil {
			continue
		}
		y := s.fork()
		x.forgetLocals(&y, a.copy)
		x.flowTo(blockKey{a.id, mode, 0}, func(int) (set, bool) { return set{}, false }, nil, &y)
		for m := mode; m <= among; m++ {
			c := &a.flows[m].exit
			if c.readers == nil {
				c.readers = map[blockKey]bool{}
			}
			c.readers[blockKey{act: -1}] = true
			if c.reached {
				z := x.stateOf(c, m)
				s.cells.each(func(k int, v set) { // what it does not change stays
					if !x.changes[a.copy].Has(k) && (m == alone || x.memory.cells[k].own) {
						z.cells.put(k, v)
					}
				})
				if next[m] != nil {
					z = x.either(next[m], &z, m)
				}
				next[m] = &z
			}
		}
	}
	return next
}

// either returns what is known in both of two states.
func (x *checker) either(s, t *state, mode int) state {
	y := state{depth: s.depth.or(t.depth), rel: x.newRelated()}
	s.cells.each(func(k int, v set) { y.cells.put(k, v.or(x.knownOf(k, t, mode))) })
	for _, u := range []*state{s, t} {
		u.held.each(func(k int, _ set) { y.held.put(k, x.foundIn(k, s).or(x.foundIn(k, t))) })
	}
	for _, l := range s.locks {
		if slices.Contains(t.locks, l) {
			y.locks = append(y.locks, l)
		}
	}
	return y
}

// finish runs what the program ends with, where it is stopped: the first thread does, or the one that stops it.
func (x *checker) finish(s *state, mode int) {
	if len(x.prog.Destructors) == 0 {
		return
	}
	y := s.fork()
	if mode == among {
		for _, e := range y.held.known() {
			x.contribute(x.memory.cells[e.of], e.is)
		}
		y = state{}
	}
	y.locks, y.depth, y.rel = nil, anything, x.newRelated()
	now := [2]*state{}
	now[mode] = &y
	for _, f := range x.prog.Destructors {
		now = x.calledIn(now, f)
	}
}

package handover

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// body is a copy of a function, with what is known of it.
type body struct {
	pointsto.Copy
	plain map[*cir.Local]bool
	defs  map[int]cir.Instr
	alone map[cir.Located]bool
	first bool         // only the first thread runs it
	leads map[int]bool // registers that may lead to objects that are followed, as far as they were asked about

	params  []bool // that lead into the region of the thread, in all calls
	ret     bool   // so does the result
	hands   bool   // a call may give the region away
	entered bool
	in      map[*cir.Block]*state
}

// state is what is known at a place.
type state struct {
	// own are the registers, and behind them the plain locals, that lead into the thread's region, if they lead to objects that are followed; and other locals that are in it.
	own []bool
	// dead are the locals that have not begun to live, or live no more: one that begins to live again before that is the same object, as a compound literal that control gets to again.
	dead []bool
	// of are the names of places that hold what registers hold (name.go), "" for none.
	of []string
	// cells are the names of places in memory that hold such pointers.
	cells map[string]bool
}

// bodiesOf reads all copies of functions; nil: that is too much.
func bodiesOf(pts *pointsto.Result, in Program) map[pointsto.Copy]*body {
	shared := map[pointsto.Copy]bool{}
	for t := 1; t < in.Threads(); t++ {
		for _, c := range in.Nodes(t) {
			shared[c] = true
		}
	}
	all, work := map[pointsto.Copy]*body{}, 0
	for _, c := range pts.Copies() {
		b := &body{Copy: c, plain: cir.PlainLocals(c.Func), defs: map[int]cir.Instr{}}
		for _, at := range c.Func.Blocks {
			work += len(at.Instrs) + 1
			for _, i := range at.Instrs {
				for _, x := range cir.Results(i) {
					b.defs[x.Index] = i
				}
			}
		}
		if work > maxInstrs {
			return nil
		}
		if !shared[c] {
			b.alone, b.first = in.Alone(c), true
		}
		all[c] = b
	}
	return all
}

// begin forgets what was known.
func (b *body) begin() {
	b.params = slices.Repeat([]bool{true}, len(b.Func.Params))
	b.ret, b.hands, b.entered, b.in = true, false, false, nil
}

func (b *body) local(l *cir.Local) int { return b.Func.NumRegs + l.Index }

// entry is what is known where a function begins.
func (b *body) entry() *state {
	s := &state{own: make([]bool, b.Func.NumRegs+len(b.Func.Locals)), dead: make([]bool, len(b.Func.Locals)), of: make([]string, b.Func.NumRegs), cells: map[string]bool{}}
	for _, l := range b.Func.Locals { // as of objects that begin to live
		s.dead[l.Index] = true
		s.own[b.local(l)] = !b.plain[l]
	}
	for i, p := range b.Func.Params {
		s.own[p.Reg.Index] = b.params[i]
	}
	return s
}

func (s *state) clone() *state {
	return &state{slices.Clone(s.own), slices.Clone(s.dead), slices.Clone(s.of), maps.Clone(s.cells)}
}

// meet keeps what another state knows, too. It reports whether something is known no more.
func (s *state) meet(t *state) (changed bool) {
	for i := range s.own {
		if s.own[i] && !t.own[i] {
			s.own[i], changed = false, true
		}
	}
	for i := range s.dead {
		if s.dead[i] && !t.dead[i] {
			s.dead[i], changed = false, true
		}
	}
	for i := range s.of {
		if s.of[i] != "" && s.of[i] != t.of[i] {
			s.of[i], changed = "", true
		}
	}
	for name := range s.cells { // order does not matter: each is judged by itself
		if !t.cells[name] {
			delete(s.cells, name)
			changed = true
		}
	}
	return changed
}

// all lets everything lead into the thread's region, or nothing.
func (s *state) all(own bool) {
	for i := range s.own {
		s.own[i] = own
	}
	if !own {
		clear(s.cells)
	}
}

// flow follows what a function does.
func (r *rule) flow(b *body) {
	first := b.Func.Blocks[0]
	b.in = map[*cir.Block]*state{first: b.entry()}
	for work := []*cir.Block{first}; len(work) > 0; {
		at := work[0]
		work = work[1:]
		s := b.in[at].clone()
		*r.steps -= len(at.Instrs) + len(s.own)/20
		for _, in := range at.Instrs {
			r.step(b, s, in)
		}
		if b.alone[at.Term] {
			s.all(true)
		}
		if t, ok := at.Term.(*cir.Return); ok && t.X != nil && b.ret && !r.isOwn(b, s, t.X) {
			b.ret, r.changed = false, true
		}
		cir.Succs(at.Term, func(to *cir.Block, args []cir.Value) {
			if !r.pts.Goes(b.Func, at, to) {
				return
			}
			next := s.clone()
			for i, v := range args {
				p := to.Params[i]
				next.own[p.Index], next.of[p.Index] = r.isOwn(b, s, v), ""
			}
			old := b.in[to]
			if old == nil {
				b.in[to] = next
			}
			if (old == nil || old.meet(next)) && !slices.Contains(work, to) {
				work = append(work, to)
			}
		})
	}
}

// eachState calls f for each instruction that control may get to, with what is known ahead of it.
func (r *rule) eachState(b *body, f func(cir.Located, *state)) {
	for _, at := range b.Func.Blocks {
		if b.in[at] == nil {
			continue
		}
		s := b.in[at].clone()
		for _, in := range at.Instrs {
			if b.alone[in] {
				s.all(true)
			}
			f(in, s)
			r.step(b, s, in)
		}
		if b.alone[at.Term] {
			s.all(true)
		}
		f(at.Term, s)
	}
}

// follows reports whether a value may lead to an object that is followed.
func (r *rule) follows(b *body, v cir.Value) bool {
	x, ok := v.(*cir.Reg)
	if !ok { // only what is on the heap and on stacks is followed
		l, isLocal := v.(*cir.Local)
		return isLocal && slices.ContainsFunc(r.places(b, l), func(l pointsto.Location) bool { return r.objects[l.Obj] })
	}
	yes, known := b.leads[x.Index]
	if !known {
		yes = slices.ContainsFunc(r.places(b, v), func(l pointsto.Location) bool { return r.objects[l.Obj] })
		b.leads[x.Index] = yes
	}
	return yes
}

func (r *rule) places(b *body, v cir.Value) []pointsto.Location {
	return r.pts.Places(b.Func, b.Ctx, v)
}

// isOwn reports whether a value leads into the thread's region, if it leads to an object that is followed.
func (r *rule) isOwn(b *body, s *state, v cir.Value) bool {
	switch v := v.(type) {
	case *cir.Reg:
		return s.own[v.Index] || !r.follows(b, v)
	case *cir.Local:
		return s.own[b.local(v)] || !r.follows(b, v)
	}
	return true
}

func (r *rule) allOwn(b *body, s *state, vs []cir.Value) bool {
	return !slices.ContainsFunc(vs, func(v cir.Value) bool { return v != nil && !r.isOwn(b, s, v) })
}

// owned reports whether the thread owns what an instruction accesses of the objects.
func (r *rule) owned(b *body, s *state, in cir.Located) bool {
	var vs []cir.Value
	add := func(v cir.Value) { vs = append(vs, v) }
	switch in := in.(type) {
	case *cir.Load:
		add(in.Addr)
	case *cir.Store:
		add(in.Addr)
	case *cir.LifeStart:
		add(in.Local)
	case *cir.LifeEnd:
		add(in.Local)
	case *cir.Copy:
		vs = []cir.Value{in.Dst, in.Src}
	case *cir.Fill:
		add(in.Dst)
	case *cir.RMW:
		add(in.Addr)
	case *cir.CmpXchg:
		add(in.Addr)
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Print, cir.Format: // what the call is given
			for _, a := range in.Args {
				add(a)
			}
			return r.listed[b.Ctx.Call] && r.allOwn(b, s, vs)
		case cir.Scan, cir.HavocReachable, cir.Reaching:
			return false
		}
		for _, a := range in.Args {
			add(a)
		}
	case *cir.Call:
		if cir.Operands(in, add); r.goesOutside(b, in) && !shallow(in) || in.To != nil && r.follows(b, in.To) {
			return false
		}
	case cir.Instr:
		cir.Operands(in, add)
	case cir.Term:
		cir.TermOperands(in, add)
	}
	return r.allOwn(b, s, vs)
}

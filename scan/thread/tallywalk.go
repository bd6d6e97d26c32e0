package thread

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/zones"
)

// tallier follows a thread along its calls, from its beginning, each call anew, with a state of package zones: of the numbers of threads, and of counters.
type tallier struct {
	f       *flow
	pts     *pointsto.Result
	model   cir.Model
	creates map[cir.Instr]bool
	busy    map[*Node]bool // where threads are created and joined, or which call who does
	cells   []cellAt
	writers map[*Node]uint // by cells
	pack    *zones.Pack
	free    []int // variables that nothing uses
	active  map[*Node]bool
	steps   int
	lost    bool
	found   map[programPoint]bool // whether the tally is 0 at a place, whenever control gets there behind a creation
}

// programPoint is the beginning of a block, or the end of a call.
type programPoint struct {
	n    *Node
	b    *cir.Block
	call *cir.Call
}

// The first variables. made and joined count since the tally was 0, owed is the tally; state says which of the cases it is.
const (
	stateVar = iota
	madeVar
	joinedVar
	owedVar
	firstVar
)

// The cases: no thread was created yet; the tally is 0 again; it may be anything.
const (
	fresh = iota
	balanced
	some
)

// Bounds of the effort: variables, instructions that are walked through, and calls in each other.
const (
	tallyVars  = 24
	tallySteps = 40_000
	tallyDepth = 12
)

// frame is a call that the thread is in.
type frame struct {
	n      *Node
	up     *frame
	depth  int
	vars   map[*cir.Local]int
	types  map[*cir.Local]cir.Type
	args   []term
	same   []bool // what a parameter was given is the same each time that a loop of the caller calls
	result int    // variable of what is returned; -1: none
	order  []*cir.Block
	kept   map[*cir.Call]int // variables of results
}

// count returns where the tally of some calls is 0; nil if that is not known anywhere.
func count(f *flow, creates map[cir.Instr]bool) *tally {
	ta := &tallier{f: f, pts: f.r.graph.pts, model: f.r.graph.model, creates: creates, active: map[*Node]bool{}, found: map[programPoint]bool{}}
	ta.findBusy()
	ta.findCells()
	n := ta.needs()
	ta.pack = &zones.Pack{N: n, Flags: []int{stateVar}, At: ta.limits()}
	for i := n - 1; i >= firstVar+len(ta.cells); i-- {
		ta.free = append(ta.free, i)
	}
	s := ta.begin()
	for _, n := range f.t.roots {
		if !ta.busy[n] {
			s = ta.change(s, ta.writers[n])
			continue
		}
		s = ta.enter(&frame{n: n, result: -1}, s, true)
	}
	if ta.lost {
		return nil
	}
	t := &tally{creates: creates, blocks: map[*Node]map[*cir.Block]bool{}, calls: map[*Node]map[*cir.Call]bool{}}
	for at, zero := range ta.found {
		switch {
		case !zero:
		case at.call != nil:
			if t.calls[at.n] == nil {
				t.calls[at.n] = map[*cir.Call]bool{}
			}
			t.calls[at.n][at.call] = true
		default:
			if t.blocks[at.n] == nil {
				t.blocks[at.n] = map[*cir.Block]bool{}
			}
			t.blocks[at.n][at.b] = true
		}
	}
	return t
}

// needs returns how many variables there are.
func (ta *tallier) needs() int {
	n := firstVar + len(ta.cells)
	for _, m := range ta.f.nodes {
		if !ta.busy[m] {
			continue
		}
		n += min(len(private(m.Fn)), maxTallyLocals)
		for _, b := range m.Fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok && call.Dst != nil && isNumber(call.Dst.Type) && slices.ContainsFunc(ta.f.r.Calls(ta.f.t, m, call), func(to *Node) bool { return ta.busy[to] }) {
					n++
				}
			}
		}
	}
	return min(n, tallyVars)
}

// begin returns what holds where the thread begins.
func (ta *tallier) begin() *zones.State {
	s := ta.pack.Top()
	for i := range firstVar {
		s = s.Assign(i, ta.constant(0))
	}
	if ta.f.t.Parent != nil {
		return s
	}
	for i, c := range ta.cells {
		if v, ok := initial(c); ok {
			s = s.Assign(firstVar+i, ta.constant(v))
		}
	}
	return s
}

// initial returns what a global scalar holds at the beginning of the program.
func initial(c cellAt) (v int64, ok bool) {
	g := c.obj.Global
	if g == nil || c.off < 0 || c.off+c.size > g.Size || slices.ContainsFunc(g.Relocs, func(r cir.Reloc) bool { return r.Offset < c.off+c.size && c.off < r.Offset+8 }) {
		return 0, false
	}
	var bits uint64
	for i := range c.size {
		if k := c.off + i; k < int64(len(g.Data)) {
			bits |= uint64(g.Data[k]) << (8 * i)
		}
	}
	if shift := 64 - c.typ.Bits; c.typ.Signed {
		return int64(bits<<shift) >> shift, true
	}
	return int64(bits), bits < 1<<60
}

// limits returns numbers that bounds are widened to: those that the program compares with.
func (ta *tallier) limits() (at []int64) {
	for _, n := range ta.f.nodes {
		if !ta.busy[n] || n.Fn.Library {
			continue
		}
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				cir.Operands(in, func(v cir.Value) {
					if c, ok := constantOf(v); ok && c > -1<<20 && c < 1<<20 && len(at) < 60 {
						at = append(at, c-1, c, c+1, -c-1, -c, -c+1)
					}
				})
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// constantOf returns an integer constant of at most 64 bits that is no pointer.
func constantOf(v cir.Value) (int64, bool) {
	c, ok := v.(cir.Int)
	if !ok || c.Type.Bits > 64 || !c.Type.Signed && c.Lo >= 1<<60 {
		return 0, false
	}
	if shift := 64 - c.Type.Bits; c.Type.Signed {
		return int64(c.Lo<<shift) >> shift, true
	}
	return int64(c.Lo), true
}

// enter returns what holds behind a call, nil if control does not come back.
func (ta *tallier) enter(fr *frame, s *zones.State, record bool) *zones.State {
	if ta.active[fr.n] || fr.depth > tallyDepth || s.Empty() {
		ta.lost = ta.lost || !s.Empty()
		return ta.none()
	}
	ta.active[fr.n] = true
	ta.lay(fr)
	s = ta.without(fr, s)
	at := ta.solve(fr, s)
	out := ta.none()
	for _, b := range fr.order {
		w := ta.through(fr, b, at[b.Index], record)
		if r, ok := b.Term.(*cir.Return); ok && !w.s.Empty() {
			end := w.s
			if fr.result >= 0 {
				end = ta.assign(end, fr.result, w.term(r.X))
			}
			out = out.Join(ta.without(fr, end))
		}
	}
	for _, v := range fr.vars {
		ta.free = append(ta.free, v)
	}
	for _, v := range fr.kept {
		ta.free = append(ta.free, v)
	}
	slices.Sort(ta.free)
	slices.Reverse(ta.free)
	ta.active[fr.n] = false
	return out
}

// none returns the state that there is not.
func (ta *tallier) none() *zones.State {
	f := ta.constant(1)
	return ta.pack.Top().Assume(f, cir.Eq)
}

// lay gives a frame its variables.
func (ta *tallier) lay(fr *frame) {
	fr.vars, fr.types, fr.kept = map[*cir.Local]int{}, map[*cir.Local]cir.Type{}, map[*cir.Call]int{}
	own := private(fr.n.Fn)
	for _, l := range fr.n.Fn.Locals {
		if t, ok := own[l]; ok && len(fr.vars) < maxTallyLocals && len(ta.free) > 0 {
			fr.vars[l], fr.types[l] = ta.take(), t
		}
	}
	fr.order = postorder(fr.n.Fn, func(from, to *cir.Block) bool { return ta.pts.Goes(fr.n.Fn, from, to) })
}

func (ta *tallier) take() int {
	v := ta.free[len(ta.free)-1]
	ta.free = ta.free[:len(ta.free)-1]
	return v
}

// without returns a state without what is known of a frame's variables.
func (ta *tallier) without(fr *frame, s *zones.State) *zones.State {
	own := map[int]bool{}
	for _, v := range fr.vars {
		own[v] = true
	}
	for _, v := range fr.kept {
		own[v] = true
	}
	return s.Forget(func(i int) bool { return own[i] })
}

// postorder returns the blocks of a function that control comes to, in reverse postorder.
func postorder(f *cir.Func, goes func(from, to *cir.Block) bool) (list []*cir.Block) {
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		seen[b] = true
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] && goes(b, to) {
				visit(to)
			}
		})
		list = append(list, b)
	}
	visit(f.Blocks[0])
	slices.Reverse(list)
	return list
}

// Visits of a block after which bounds are widened, and after which they are dropped.
const (
	widenAfter = 3
	dropAfter  = 20
)

// solve returns what holds where the blocks of a frame's function begin.
func (ta *tallier) solve(fr *frame, s *zones.State) []*zones.State {
	at := make([]*zones.State, len(fr.n.Fn.Blocks))
	for i := range at {
		at[i] = ta.none()
	}
	at[0] = s
	visits := map[*cir.Block]int{}
	walked := map[*cir.Block]*walked{}
	for changed := true; changed && !ta.lost; {
		changed = false
		next := ta.edges(fr, at, s, walked)
		for _, b := range fr.order {
			to := at[b.Index].Join(next[b.Index])
			if to.Equal(at[b.Index]) {
				continue
			}
			changed = true
			if visits[b]++; visits[b] > widenAfter {
				to = at[b.Index].Widen(to, visits[b] > dropAfter)
			}
			at[b.Index] = to
		}
	}
	for range 2 { // what holds is at least what follows from it
		at = ta.edges(fr, at, s, walked)
	}
	return at
}

// walked is what was found of a block the latest time.
type walked struct {
	in  *zones.State
	to  []*cir.Block
	out []*zones.State
}

// edges returns what holds where blocks begin, by what holds where those before begin. What was found of blocks is kept.
func (ta *tallier) edges(fr *frame, at []*zones.State, first *zones.State, old map[*cir.Block]*walked) []*zones.State {
	next := make([]*zones.State, len(at))
	for i := range next {
		next[i] = ta.none()
	}
	next[0] = first
	for _, b := range fr.order {
		if at[b.Index].Empty() || ta.lost {
			continue
		}
		x := old[b]
		if x == nil || x.in != at[b.Index] {
			x = &walked{in: at[b.Index]}
			ta.through(fr, b, x.in, false).leave(func(to *cir.Block, s *zones.State) {
				if ta.pts.Goes(fr.n.Fn, b, to) && !s.Empty() {
					x.to, x.out = append(x.to, to), append(x.out, ta.settle(s))
				}
			})
			old[b] = x
		}
		for i, to := range x.to {
			next[to.Index] = next[to.Index].Join(x.out[i])
		}
	}
	return next
}

// note keeps whether the tally is 0 at a place.
func (ta *tallier) note(at programPoint, s *zones.State) {
	if s.Empty() {
		return
	}
	open := !ta.only(s, some).Empty()
	again := !ta.only(s, balanced).Empty()
	old, had := ta.found[at]
	switch {
	case open:
		ta.found[at] = false
	case again && !had:
		ta.found[at] = true
	case again:
		ta.found[at] = old
	}
}

func (ta *tallier) constant(c int64) zones.Linear        { return zones.Constant(ta.pack.N, c) }
func (ta *tallier) variable(v int, c int64) zones.Linear { return zones.Variable(ta.pack.N, v, c) }

// only returns the part of a state of one of the cases.
func (ta *tallier) only(s *zones.State, is int64) *zones.State {
	return s.Assume(ta.variable(stateVar, -is), cir.Eq)
}

// settle finds out where the tally is 0.
func (ta *tallier) settle(s *zones.State) *zones.State {
	open := ta.only(s, some)
	if open.Empty() {
		return s
	}
	owed := ta.variable(owedVar, 0)
	_, hi := open.Bounds(owed)
	rest := ta.variable(madeVar, 0) // made - joined
	rest.Coef[joinedVar] = -1
	if _, other := open.Bounds(rest); other != nil && (hi == nil || *other < *hi) {
		hi = other
	}
	if hi == nil || *hi > 0 {
		return s
	}
	open = open.Assign(stateVar, ta.constant(balanced))
	for _, v := range []int{madeVar, joinedVar, owedVar} {
		open = open.Assign(v, ta.constant(0))
	}
	others := s.Assume(ta.variable(stateVar, -some), cir.Lt)
	return others.Join(open)
}

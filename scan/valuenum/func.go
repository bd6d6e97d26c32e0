package valuenum

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Options say what is known of memory.
type Options struct {
	// Stable tells of a load in a copy of a function whether what it reads is the same whenever it may be read
	// while that copy, or whatever it calls, runs, and in all threads; nil for never.
	Stable func(c pointsto.Copy, in *cir.Load) bool
	// Comes leaves out where control does not come by what functions are assumed to return ([pointsto.Result.Comes]). Then Into is not known.
	Comes bool
}

// Func is what is known of the registers of a function's copy.
type Func struct {
	Copy pointsto.Copy
	regs []Value
	has  []bool
	// Meets has, for each block, the symbols that were made there.
	Meets map[*cir.Block][]Meet
	// Preds are the edges that lead to a block, in the order of the values of a Meet.
	Preds map[*cir.Block][]*cir.Block
	// Into has, for each edge that leaves a block, its place among those that lead where it leads.
	Into map[*cir.Block][]int
	// Begin has, for each block, what locals hold where it begins.
	Begin map[*cir.Block][]Held

	t        *Table
	model    cir.Model
	followed func(cir.Value) bool
}

// Followed reports whether an address is one of a local that is followed, and whose address goes nowhere else: what is stored there is
// what loads from there give.
func (f *Func) Followed(addr cir.Value) bool { return f.followed(addr) }

// Meet is a symbol for what different values become where control flows meet.
type Meet struct {
	Sym *Sym
	In  []Value // of each edge
}

// Held says that a scalar at the beginning of a local holds a value.
type Held struct {
	Local *cir.Local
	Value Value
}

// cell is a scalar in a local.
type cell struct {
	local *cir.Local
	off   int64
}

// content is what a cell holds.
type content struct {
	t cir.Type
	v Value
}

// contents are what is known of locals. They are not changed once they stand for the end of a block.
type contents map[cell]content

// solver follows values through a function.
type solver struct {
	*Func
	pts    *pointsto.Result
	opts   Options
	locals *locals
	follow bool // locals are followed
	edges  map[*cir.Block][]edge
	out    map[*cir.Block]contents
	// meets are the cells and parameters for which a block has a symbol of its own.
	meets   map[*cir.Block]map[cell]bool
	params  map[*cir.Reg]bool
	kills   map[kill]bool
	changed bool
}

// edge leads to a block.
type edge struct {
	from *cir.Block
	args []cir.Value
}

// kill is a question that was answered: whether an instruction may write a local.
type kill struct {
	in cir.Instr
	l  *cir.Local
}

// maxPasses bounds how often a function is walked through before its locals are given up.
const maxPasses = 40

// maxRounds bounds how often it is begun again with fewer symbols of blocks: once for each loop around another one.
const maxRounds = 8

// Analyse finds the values of registers of a copy of a function.
func Analyse(t *Table, model cir.Model, pts *pointsto.Result, c pointsto.Copy, opts Options) *Func {
	f := &Func{Copy: c, t: t, model: model, regs: make([]Value, c.Func.NumRegs), has: make([]bool, c.Func.NumRegs),
		Begin: map[*cir.Block][]Held{}, Meets: map[*cir.Block][]Meet{}, Preds: map[*cir.Block][]*cir.Block{}, Into: map[*cir.Block][]int{}}
	s := &solver{Func: f, pts: pts, opts: opts, locals: findLocals(pts, c), follow: !returnsTwice(c.Func),
		edges: map[*cir.Block][]edge{}, params: map[*cir.Reg]bool{}, kills: map[kill]bool{}}
	for i, p := range c.Func.Params {
		f.set(p.Reg, t.Of(Sym{Kind: Param, Func: c.Func, N: int64(i)}))
	}
	f.followed = func(addr cir.Value) bool {
		l := s.locals.root(addr)
		_, exposed := s.locals.exposed[l]
		return l != nil && s.follow && !exposed && !s.locals.lost[l]
	}
	order := s.order()
	s.meets = map[*cir.Block]map[cell]bool{}
	s.solve(order)
	for round := 0; round < maxRounds && s.follow && s.join(order); round++ {
		s.solve(order)
	}
	s.collect(order)
	return f
}

// solve walks through a function until nothing changes.
func (s *solver) solve(order []*cir.Block) {
	s.out = map[*cir.Block]contents{}
	for pass := 0; ; pass++ {
		if pass == maxPasses {
			s.follow, s.out, s.meets = false, map[*cir.Block]contents{}, map[*cir.Block]map[cell]bool{}
			for _, b := range order {
				for _, p := range b.Params {
					s.params[p] = true
				}
			}
		}
		s.changed = false
		for _, b := range order {
			s.block(b)
		}
		if !s.changed {
			return
		}
	}
}

// join takes symbols of blocks away that stand for one value only: what met there differed while not all was known yet, as at the head of a loop in a loop,
// which first finds what a local held before the outer one. It reports whether there were any.
func (s *solver) join(order []*cir.Block) (found bool) {
	for _, b := range order {
		for c := range s.meets[b] {
			own := Value{Base: s.t.Sym(s.phi(b, c))}
			var only *Value
			several := false
			for _, e := range s.edges[b] {
				x, ok := s.out[e.from][c]
				switch {
				case ok && x.v == own:
				case !ok || only != nil && *only != x.v:
					several = true
				default:
					only = &x.v
				}
			}
			if !several && only != nil {
				delete(s.meets[b], c)
				found = true
			}
		}
	}
	return found
}

// phi describes the symbol of a block for what a cell holds.
func (s *solver) phi(b *cir.Block, c cell) Sym {
	return Sym{Kind: Phi, Func: s.Copy.Func, Block: b, N: c.off, What: c.local}
}

// returnsTwice reports whether control may come back to the middle of a function along no edge.
func returnsTwice(f *cir.Func) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return true
			}
		}
	}
	return false
}

// order returns the blocks that are reached, in reverse postorder, and collects the edges between them.
func (s *solver) order() []*cir.Block {
	seen := map[*cir.Block]bool{}
	var order []*cir.Block
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		seen[b] = true
		comes := !s.opts.Comes || s.pts.Comes(s.Copy.Func, b)
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			if comes {
				s.Into[b] = append(s.Into[b], len(s.Preds[to]))
				s.edges[to] = append(s.edges[to], edge{b, args})
				s.Preds[to] = append(s.Preds[to], b)
			}
			if !seen[to] {
				visit(to)
			}
		})
		order = append(order, b)
	}
	visit(s.Copy.Func.Blocks[0])
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// Value returns what an operand is.
func (f *Func) Value(v cir.Value) Value {
	switch v := v.(type) {
	case *cir.Reg:
		if !f.has[v.Index] { // not reached
			return f.fresh(v)
		}
		return f.regs[v.Index]
	case cir.Int:
		if n, ok := v.Int64(); ok && n <= maxOff && n >= -maxOff && (v.Type.Bits <= 64) {
			return Value{Off: n}
		}
		return f.t.Of(Sym{Kind: Conv, What: v})
	case cir.Null:
		if v.Addr <= maxOff {
			return Value{Off: int64(v.Addr)}
		}
	case *cir.Global:
		return f.t.Of(Sym{Kind: Global, What: v})
	case *cir.Func:
		return f.t.Of(Sym{Kind: Global, What: v})
	case *cir.Local:
		return f.t.Of(Sym{Kind: Local, Func: f.Copy.Func, What: v})
	}
	return f.t.Of(Sym{Kind: Conv, Func: f.Copy.Func, What: v})
}

// fresh returns the symbol of a register.
func (f *Func) fresh(r *cir.Reg) Value {
	return f.t.Of(Sym{Kind: Reg, Func: f.Copy.Func, N: int64(r.Index)})
}

func (f *Func) set(r *cir.Reg, v Value) {
	f.regs[r.Index], f.has[r.Index] = v, true
}

// assign gives a register a value.
func (s *solver) assign(r *cir.Reg, v Value) {
	if r == nil {
		return
	}
	for _, x := range []*Sym{v.Base, v.Index} {
		if x != nil && x.depth > maxDepth {
			v = s.fresh(r)
		}
	}
	if !s.has[r.Index] || s.regs[r.Index] != v {
		s.changed = true
		s.set(r, v)
	}
}

// block walks through a block.
func (s *solver) block(b *cir.Block) {
	cs := s.enter(b)
	for i, p := range b.Params {
		s.assign(p, s.meetParam(b, i, p))
	}
	for _, in := range b.Instrs {
		s.instr(in, cs)
	}
	old, seen := s.out[b]
	if !seen || len(old) != len(cs) {
		s.changed = true
	} else {
		for c, x := range cs {
			if old[c] != x {
				s.changed = true
			}
		}
	}
	s.out[b] = cs
}

// enter returns what is known of locals where a block begins.
func (s *solver) enter(b *cir.Block) contents {
	cs := contents{}
	if !s.follow || b == s.Copy.Func.Blocks[0] {
		return cs
	}
	var first contents
	var rest []contents
	for _, e := range s.edges[b] {
		if out, seen := s.out[e.from]; seen && first == nil {
			first = out
		} else if seen {
			rest = append(rest, out)
		}
	}
	for _, c := range first.sorted() {
		x := first[c]
		differs, gone := s.meets[b][c], false
		for _, other := range rest {
			y, ok := other[c]
			gone = gone || !ok || x.t != y.t
			differs = differs || x.v != y.v
		}
		if gone {
			continue
		}
		if differs {
			if s.meets[b] == nil {
				s.meets[b] = map[cell]bool{}
			}
			s.meets[b][c] = true
			x.v = s.t.Of(s.phi(b, c))
		}
		cs[c] = x
	}
	return cs
}

// meetParam returns what a parameter of a block is.
func (s *solver) meetParam(b *cir.Block, i int, p *cir.Reg) Value {
	var v *Value
	for _, e := range s.edges[b] {
		if _, seen := s.out[e.from]; !seen || i >= len(e.args) {
			continue
		}
		w := s.Value(e.args[i])
		if v != nil && *v != w {
			s.params[p] = true
		}
		v = &w
	}
	if s.params[p] || v == nil {
		return s.fresh(p)
	}
	return *v
}

// collect notes what met where, and what locals hold.
func (s *solver) collect(order []*cir.Block) {
	for _, b := range order {
		cs := s.enter(b)
		for _, c := range cs.sorted() {
			if c.off == 0 {
				s.Begin[b] = append(s.Begin[b], Held{c.local, cs[c].v})
			}
		}
		for i, p := range b.Params {
			if !s.params[p] {
				continue
			}
			m := Meet{Sym: s.fresh(p).Base}
			for _, e := range s.edges[b] {
				m.In = append(m.In, s.Value(e.args[i]))
			}
			s.Meets[b] = append(s.Meets[b], m)
		}
		for _, l := range s.Copy.Func.Locals {
			for c := range s.meets[b] {
				if c.local != l || c.off != 0 {
					continue
				}
				m := Meet{Sym: s.t.Sym(s.phi(b, c))}
				for _, e := range s.edges[b] {
					x, ok := s.out[e.from][c]
					if !ok {
						x.v = Value{Base: m.Sym} // says nothing
					}
					m.In = append(m.In, x.v)
				}
				s.Meets[b] = append(s.Meets[b], m)
			}
		}
	}
}

// sorted returns the cells in an order that depends on the program only, as symbols are numbered in it.
func (cs contents) sorted() []cell {
	return slices.SortedFunc(maps.Keys(cs), func(c, d cell) int {
		return cmp.Or(cmp.Compare(c.local.Index, d.local.Index), cmp.Compare(c.off, d.off))
	})
}

package directed

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Near returns the accesses that the conditions of assertions depend on, for each of them: loads that a condition is computed from, stores to what these read, and what decides about
// those, a few steps back. It is where other threads may make a difference, and no more than that: runs are directed there. What is nearer is there several times.
func Near(p *cir.Program, pts *pointsto.Result, list []*cir.Intrinsic) [][]cir.Instr {
	g := newGraph(p, pts)
	out := make([][]cir.Instr, len(list))
	for i, in := range list {
		out[i] = g.near(in)
	}
	return out
}

// mostNear bounds how many accesses are near an assertion, and nearSteps how many steps from memory to memory are taken; values are followed over up to mostValues.
const (
	mostNear   = 100
	nearSteps  = 3
	mostValues = 5000
	mostAbove  = 12
)

// graph has how values come to be in a program.
type graph struct {
	pts     *pointsto.Result
	numbers map[cir.Located]int
	defs    map[*cir.Reg][]cir.Value // what a register is computed from
	defined map[*cir.Reg]cir.Instr
	at      map[cir.Instr]place
	callers map[*cir.Func][]*cir.Call
	callees map[*cir.Call][]*cir.Func
	params  map[*cir.Reg]parameter
	returns map[*cir.Func][]cir.Value
	copies  map[*cir.Func][]pointsto.Context
	writes  map[pointsto.Location][]cir.Instr
	before  map[*cir.Block][]*cir.Block
}

// place is where an instruction stands.
type place struct {
	f *cir.Func
	b *cir.Block
}

// parameter is one of a function.
type parameter struct {
	f *cir.Func
	i int
}

func newGraph(p *cir.Program, pts *pointsto.Result) *graph {
	g := &graph{pts: pts, numbers: cir.Number(p), defs: map[*cir.Reg][]cir.Value{}, defined: map[*cir.Reg]cir.Instr{}, at: map[cir.Instr]place{}, callers: map[*cir.Func][]*cir.Call{},
		callees: map[*cir.Call][]*cir.Func{}, params: map[*cir.Reg]parameter{},
		returns: map[*cir.Func][]cir.Value{}, copies: map[*cir.Func][]pointsto.Context{}, writes: map[pointsto.Location][]cir.Instr{}, before: map[*cir.Block][]*cir.Block{}}
	for _, c := range pts.Copies() {
		g.copies[c.Func] = append(g.copies[c.Func], c.Ctx)
	}
	for _, f := range p.Funcs {
		for i, x := range f.Params {
			g.params[x.Reg] = parameter{f, i}
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				g.instr(place{f, b}, in)
			}
			g.term(f, b)
		}
	}
	return g
}

// instr notes what an instruction computes and writes.
func (g *graph) instr(at place, in cir.Instr) {
	g.at[in] = at
	for _, r := range cir.Results(in) {
		g.defined[r] = in
		cir.Operands(in, func(v cir.Value) { g.defs[r] = append(g.defs[r], v) })
	}
	if call, ok := in.(*cir.Call); ok {
		for _, ctx := range g.copies[at.f] {
			for _, f := range g.pts.Callees(at.f, ctx, call) {
				if !slices.Contains(g.callers[f], call) {
					g.callers[f] = append(g.callers[f], call)
					g.callees[call] = append(g.callees[call], f)
				}
			}
		}
	}
	if a := written(in); a != nil {
		for _, l := range g.aims(at.f, a) {
			g.writes[l] = append(g.writes[l], in)
		}
	}
}

// term notes what goes from a block to the next ones.
func (g *graph) term(f *cir.Func, b *cir.Block) {
	cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
		g.before[to] = append(g.before[to], b)
		for i, x := range args {
			if i < len(to.Params) {
				g.defs[to.Params[i]] = append(g.defs[to.Params[i]], x)
			}
		}
	})
	if r, ok := b.Term.(*cir.Return); ok && r.X != nil {
		g.returns[f] = append(g.returns[f], r.X)
	}
}

// written returns the address that an instruction writes to, nil if there is none.
func written(in cir.Instr) cir.Value {
	switch in := in.(type) {
	case *cir.Store:
		return in.Addr
	case *cir.RMW:
		return in.Addr
	case *cir.CmpXchg:
		return in.Addr
	case *cir.Copy:
		return in.Dst
	case *cir.Fill:
		return in.Dst
	}
	return nil
}

// read returns the address that an instruction reads from, nil if there is none.
func read(in cir.Instr) cir.Value {
	switch in := in.(type) {
	case *cir.Load:
		return in.Addr
	case *cir.RMW:
		return in.Addr
	case *cir.CmpXchg:
		return in.Addr
	case *cir.Copy:
		return in.Src
	}
	return nil
}

// aims returns what an address may be in any copy of a function.
func (g *graph) aims(f *cir.Func, a cir.Value) (list []pointsto.Location) {
	seen := map[pointsto.Location]bool{}
	for _, ctx := range g.copies[f] {
		for _, l := range g.pts.Targets(f, ctx, a) {
			if !seen[l] {
				seen[l] = true
				list = append(list, l)
			}
		}
	}
	return list
}

// search goes back from an assertion.
type search struct {
	*graph
	seen   map[*cir.Reg]bool
	above  map[*cir.Block]bool
	wants  map[pointsto.Location]bool
	found  map[cir.Instr]int // in how many steps from memory to memory
	values []*cir.Reg
	at     []pointsto.Location
	step   int
}

// near returns the accesses near an assertion.
func (g *graph) near(in *cir.Intrinsic) []cir.Instr {
	s := &search{graph: g, seen: map[*cir.Reg]bool{}, above: map[*cir.Block]bool{}, wants: map[pointsto.Location]bool{}, found: map[cir.Instr]int{}}
	s.decides(in)
	for _, v := range in.Args {
		s.value(v)
	}
	for s.step = 0; s.step < nearSteps; s.step++ {
		s.drain()
		at := s.at
		s.at = nil
		for _, l := range at {
			for _, w := range g.writes[l] {
				s.access(w, written(w))
				cir.Operands(w, func(v cir.Value) {
					if v != written(w) {
						s.value(v)
					}
				})
				s.decides(w)
			}
		}
	}
	var list []cir.Instr
	for in := range s.found {
		list = append(list, in)
	}
	slices.SortFunc(list, func(x, y cir.Instr) int {
		return cmp.Or(cmp.Compare(s.found[x], s.found[y]), cmp.Compare(g.numbers[x], g.numbers[y]))
	})
	list = list[:min(len(list), mostNear)]
	for _, in := range slices.Clone(list) {
		for range 2 * (nearSteps - s.found[in]) {
			list = append(list, in)
		}
	}
	return list
}

// value takes a value in that something depends on.
func (s *search) value(v cir.Value) {
	if r, ok := v.(*cir.Reg); ok && !s.seen[r] && len(s.seen) < mostValues {
		s.seen[r] = true
		s.values = append(s.values, r)
	}
}

// drain follows the values that were taken in, within functions and from one to another.
func (s *search) drain() {
	for len(s.values) > 0 {
		r := s.values[len(s.values)-1]
		s.values = s.values[:len(s.values)-1]
		for _, x := range s.defs[r] {
			s.value(x)
		}
		in := s.defined[r]
		if in == nil {
			s.parameter(r)
			continue
		}
		if call, ok := in.(*cir.Call); ok {
			for _, f := range s.callees[call] {
				for _, x := range s.returns[f] {
					s.value(x)
				}
			}
		}
		if a := read(in); a != nil {
			s.access(in, a)
			for _, l := range s.aims(s.graph.at[in].f, a) {
				if !s.wants[l] {
					s.wants[l] = true
					s.at = append(s.at, l)
				}
			}
		}
	}
}

// parameter takes in the arguments of a function's parameter.
func (s *search) parameter(r *cir.Reg) {
	p, known := s.params[r]
	if !known {
		return
	}
	for _, call := range s.callers[p.f] {
		if p.i < len(call.Args) {
			s.value(call.Args[p.i].X)
		}
	}
}

// decides takes in the conditions of some branches above an instruction: they decide whether control comes there.
func (s *search) decides(in cir.Instr) {
	todo := []*cir.Block{s.graph.at[in].b}
	for n := 0; n < mostAbove && len(todo) > 0; n++ {
		b := todo[0]
		todo = todo[1:]
		for _, x := range s.before[b] {
			if s.above[x] {
				continue
			}
			s.above[x] = true
			todo = append(todo, x)
			switch t := x.Term.(type) {
			case *cir.Branch:
				s.value(t.Cond)
			case *cir.Switch:
				s.value(t.X)
			}
		}
	}
}

// access notes an access of the program's own, unless it is one of a variable that only its function knows.
func (s *search) access(in cir.Instr, addr cir.Value) {
	if _, local := addr.(*cir.Local); local || s.graph.at[in].f.Library {
		return
	}
	if n, known := s.found[in]; !known || s.step < n {
		s.found[in] = s.step
	}
}

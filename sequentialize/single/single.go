// Package single makes the sequentializations of package sequentialize as programs in IR,
// with one thread: for engines that decide them inside comus. The programs are what the C
// translations say, without their means of getting to a place in the code: control simply
// goes there.
//
// A thread's points are the locations at which it may be interrupted: its entry, and those
// outside atomic sections that a step leads to which touches shared memory, or which ends
// an atomic section. Its other steps can be delayed until just before the next step that
// others see; if none follows they need not be taken at all, which is why the points are
// behind such steps and not before them: a thread may never get to the next. Where it is
// interrupted is the value of a variable of its own, its pc. Who only looks for errors may
// restrict the points to the cut-points of package cutpoints.
//
//   - [Unbounded]: there is one hub, from which control goes to any thread, to the point
//     that its pc tells; at a point it may go back to the hub.
//   - [Lazy]: there is a hub for each thread in each round, and one more for main.
//   - [Eager]: there is a copy of each thread for each round, with a copy of the shared
//     variables. Threads run one after another; at the end the Checker compares.
package single

import (
	"fmt"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Program is a sequentialization.
type Program struct {
	*ir.Program
	// Origin has the steps of the original threads that edges stand for.
	Origin map[*ir.Edge]*ir.Edge
	// Round has the round of each of these edges; empty for Unbounded.
	Round map[*ir.Edge]int
}

// Steps returns the execution of the original program that a path stands for.
func (p *Program) Steps(path []*ir.Edge) []*ir.Edge {
	type step struct {
		e     *ir.Edge
		round int
	}
	var all []step
	rounds, threads := 0, 0
	for _, e := range path {
		if o := p.Origin[e]; o != nil {
			all = append(all, step{o, p.Round[e]})
			rounds, threads = max(rounds, p.Round[e]+1), max(threads, o.From.Thread.Index+1)
		}
	}
	if len(p.Round) == 0 { // in the order in which they are taken
		var out []*ir.Edge
		for _, s := range all {
			out = append(out, s.e)
		}
		return out
	}
	var out []*ir.Edge
	for r := range rounds {
		for t := range threads {
			for _, s := range all {
				if s.round == r && s.e.From.Thread.Index == t {
					out = append(out, s.e)
				}
			}
		}
	}
	return out
}

// builder makes a sequentialization.
type builder struct {
	from   *ir.Program
	out    *Program
	thread *ir.Thread
	vars   map[*ir.Var]*ir.Var
	pcs    []*ir.Var
	points []map[*ir.Loc]bool
}

func newBuilder(p *ir.Program) *builder {
	q := &ir.Program{L: p.L, File: p.File, Assumptions: p.Assumptions, Bounded: p.Bounded}
	b := &builder{from: p, out: &Program{Program: q, Origin: map[*ir.Edge]*ir.Edge{}, Round: map[*ir.Edge]int{}}, vars: map[*ir.Var]*ir.Var{}}
	b.thread = q.NewThread("sequentialized")
	tab := p.Symbols()
	for _, t := range p.Threads {
		points := map[*ir.Loc]bool{t.Entry: true}
		t.Edges(func(e *ir.Edge) {
			if !e.To.Atomic && !e.To.Error && (e.From.Atomic || touches(tab, e)) {
				points[e.To] = true
			}
		})
		b.points = append(b.points, points)
	}
	return b
}

// reduce lets threads be interrupted at their cut-points only, which is enough to reach
// every error.
func (b *builder) reduce(graphs []*cutpoints.Graph) {
	for i, g := range graphs {
		b.points[i] = map[*ir.Loc]bool{}
		for _, l := range g.Cuts() {
			b.points[i][l] = true
		}
	}
}

// touches reports whether a step touches shared memory.
func touches(tab ir.SymTable, e *ir.Edge) bool {
	a := tab.CmdAccess(e.Cmds)
	for _, m := range []map[*ir.Var]bool{a.Reads, a.Writes} {
		for v := range m {
			if v != nil && v.Thread == ir.Shared {
				return true
			}
		}
	}
	return false
}

// addVar adds a variable of the one thread.
func (b *builder) addVar(name string, typ ir.Type, init *logic.Value) *ir.Var {
	for taken := true; taken; {
		taken = false
		for _, v := range b.from.Vars {
			if v.Name == name {
				name, taken = name+"'", true
			}
		}
	}
	v := b.out.NewVar(name, typ, 0)
	v.Source, v.Init = "", init
	return v
}

// keepVars makes all variables variables of the one thread, under their names.
func (b *builder) keepVars() {
	for _, v := range b.from.Vars {
		w := *v
		w.Thread, w.Index = 0, len(b.out.Vars)
		b.out.Vars = append(b.out.Vars, &w)
		b.vars[v] = &w
	}
}

// addPCs adds the threads' pcs.
func (b *builder) addPCs() {
	for _, t := range b.from.Threads {
		at := logic.IntValue(int64(t.Entry.Index))
		b.pcs = append(b.pcs, b.addVar(fmt.Sprintf("seq.pc%d", t.Index), ir.Type{Bits: 32, Signed: true}, &at))
	}
}

// copyLoc makes a copy of a location.
func (b *builder) copyLoc(l *ir.Loc) *ir.Loc {
	c := b.thread.NewLoc(l.Pos)
	c.Error, c.Text, c.Check = l.Error, l.Text, l.Check
	return c
}

// step adds a copy of an edge between copies of its locations.
func (b *builder) step(from, to *ir.Loc, e *ir.Edge, cmds []ir.Cmd, round int) *ir.Edge {
	f := b.thread.NewEdge(from, to, e.Pos, e.Text, cmds...)
	f.Approx = e.Approx
	b.out.Origin[f] = e
	if round >= 0 {
		b.out.Round[f] = round
	}
	return f
}

// cmds returns commands on the copies of variables.
func (b *builder) cmds(cs []ir.Cmd) []ir.Cmd {
	out := make([]ir.Cmd, len(cs))
	for i, c := range cs {
		out[i] = c
		if c.Var != nil {
			out[i].Var = b.vars[c.Var]
		}
	}
	return out
}

// silent adds an edge that is no step of a thread.
func (b *builder) silent(from, to *ir.Loc, text string, cmds ...ir.Cmd) {
	b.thread.NewEdge(from, to, ir.Pos{}, text, cmds...)
}

// at returns the assumption that a thread was interrupted at a location, and note the
// command that notes it.
func (b *builder) at(l *ir.Loc) ir.Cmd {
	return ir.AssumeCmd(b.out.L.Eq(b.pcs[l.Thread.Index].Sym, b.out.L.Int(int64(l.Index))))
}

func (b *builder) note(l *ir.Loc) ir.Cmd {
	return ir.AssignCmd(b.pcs[l.Thread.Index], b.out.L.Int(int64(l.Index)))
}

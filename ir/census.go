package ir

import (
	"fmt"
	"slices"

	"comus/logic"
)

// Census returns a copy of the program that counts its threads at places, locations that are told for each thread by their
// indexes, and what it counts with: shared variables without bounds, 0 at first. For each place L of each thread T that is
// created, "atT.L" is the number of instances of T that are there and have not been joined, at the entry of those that have been
// created, too. To leave a place assumes that there is somebody; "joinedT" is the number of instances of a replicated thread
// that have been joined ([Joined]), each of which is one that was at its end.
//
// The assumptions hold in every execution in which an instance takes its first step after the Create edge that stands for it,
// and its End edge before the Joined edge that stands for it: which are different edges for different instances. So the
// executions of the source are all there. The entries have to be places, as well as the ends of replicated threads; if they are
// not all, nothing is assumed of those that are joined.
func (p *Program) Census(places [][]bool) (*Program, *Headcount) {
	c := &copier{from: p, to: &Program{L: p.L, File: p.File, Assumptions: p.Assumptions, Bounded: p.Bounded}}
	for _, v := range p.Vars {
		w := *v
		c.to.Vars = append(c.to.Vars, &w)
		c.vars = append(c.vars, &w)
	}
	for _, t := range p.Threads {
		c.thread(t, t.Index, c.vars)
	}
	n := &census{p: c.to, at: map[*Loc]*Var{}, counters: map[*Var]bool{}}
	ended := c.to.endings()
	for _, t := range c.to.Threads {
		for _, l := range t.Locs {
			if t.Created != nil && places[t.Index][l.Index] && !l.Error {
				n.at[l] = n.counter(c, fmt.Sprintf("at%d.%d", t.Index, l.Index))
			}
		}
	}
	ends := n.ends()
	joined := map[*Thread]*Var{}
	for _, l := range ends {
		if joined[l.Thread] == nil {
			joined[l.Thread] = n.counter(c, fmt.Sprintf("joined%d", l.Thread.Index))
		}
	}
	for _, t := range c.to.Threads {
		for _, l := range t.Locs {
			for _, e := range slices.Clone(l.Out) {
				n.count(e)
				if e.Kind == Joined && len(ends) > 0 {
					n.join(e, ends, joined)
				}
			}
		}
	}
	head := &Headcount{Counters: n.counters, Exact: map[*Loc]*Var{}}
	for l, v := range n.at {
		if l != l.Thread.Entry && !ended[l] {
			head.Exact[l] = v
		}
	}
	return c.to, head
}

// Headcount is what [Program.Census] counts with.
type Headcount struct {
	Counters map[*Var]bool
	// Exact has the counters that are the number of all instances at a place: not those of entries, where instances are that have not been
	// created, nor those of ends, where some are that have been joined.
	Exact map[*Loc]*Var
}

// endings returns where threads have ended.
func (p *Program) endings() map[*Loc]bool {
	out := map[*Loc]bool{}
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) { out[e.To] = out[e.To] || e.Kind == End })
	}
	return out
}

// census makes the program of [Program.Census].
type census struct {
	p        *Program
	at       map[*Loc]*Var
	counters map[*Var]bool
}

func (n *census) counter(c *copier, name string) *Var {
	for c.taken(name) {
		name += "'"
	}
	v := n.p.NewVar(name, Type{Bits: 64, Signed: true}, Shared)
	v.Source, v.Init = "", &logic.Value{}
	n.counters[v] = true
	return v
}

// ends returns the places where instances of replicated threads have ended; none if there are others than places.
func (n *census) ends() []*Loc {
	var out []*Loc
	all := true
	for _, t := range n.p.Replicated() {
		t.Edges(func(e *Edge) {
			if e.Kind == End && !slices.Contains(out, e.To) {
				out = append(out, e.To)
				all = all && n.at[e.To] != nil
			}
		})
	}
	if !all {
		return nil
	}
	return out
}

// count makes an edge count who leaves a place and who comes to one.
func (n *census) count(e *Edge) {
	var before, after []Cmd
	if v := n.at[e.From]; v != nil {
		before = n.leave(v)
	}
	if v := n.at[e.To]; v != nil {
		after = append(after, n.p.increment(v))
	}
	if e.Kind == Create {
		if v := n.at[n.p.Threads[e.Thread].Entry]; v != nil {
			after = append(after, n.p.increment(v))
		}
	}
	e.Cmds = slices.Concat(before, e.Cmds, after)
}

func (n *census) leave(v *Var) []Cmd {
	return []Cmd{AssumeCmd(n.p.L.Ge(v.Sym, n.p.L.Int(1))), AssignCmd(v, n.p.L.Sub(v.Sym, n.p.L.Int(1)))}
}

// join makes of an edge one for each place where an instance may have ended.
func (n *census) join(e *Edge, ends []*Loc, joined map[*Thread]*Var) {
	cmds := e.Cmds
	for i, l := range ends {
		f := e
		if i > 0 {
			f = e.From.Thread.NewEdge(e.From, e.To, e.Pos, e.Text)
			f.Kind, f.Approx = e.Kind, e.Approx
		}
		f.Cmds = slices.Concat(cmds, n.leave(n.at[l]), []Cmd{n.p.increment(joined[l.Thread])})
	}
}

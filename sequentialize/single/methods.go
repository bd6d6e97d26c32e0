package single

import (
	"fmt"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Unbounded returns the program in which all executions are paths: with the threads' places
// in its locations, or if those would be too many, in pcs.
func Unbounded(p *ir.Program) *Program {
	if out := newProduct(p); out != nil {
		return out
	}
	return Hub(p)
}

// Hub returns the program of [Unbounded] with pcs.
func Hub(p *ir.Program) *Program {
	b := newBuilder(p)
	b.keepVars()
	b.addPCs()
	hub := b.thread.NewLoc(ir.Pos{})
	b.silent(b.thread.Entry, hub, "")
	for _, t := range p.Threads {
		copies := map[*ir.Loc]*ir.Loc{}
		for _, l := range t.Locs {
			copies[l] = b.copyLoc(l)
		}
		for _, l := range t.Locs {
			if b.points[t.Index][l] {
				b.silent(hub, copies[l], t.Name+" goes on", b.at(l))
				b.silent(copies[l], hub, t.Name+" is interrupted", b.note(l))
			}
			for _, e := range l.Out {
				b.step(copies[l], copies[e.To], e, b.cmds(e.Cmds), -1)
			}
		}
	}
	return b.out
}

// Lazy returns the program in which the executions of so many rounds are paths; in each
// round the threads run in the order of their indexes. Then main, which joins and checks,
// runs once more: see package lazy.
// graphs tell where threads may be interrupted: at their cut-points; nil: at all points.
func Lazy(p *ir.Program, rounds int, graphs []*cutpoints.Graph) *Program {
	b := newBuilder(p)
	b.reduce(graphs)
	b.keepVars()
	b.addPCs()
	hub := b.thread.Entry
	for r := range rounds {
		for _, t := range p.Threads {
			hub = b.lazyTurn(t, r, hub)
		}
	}
	if len(p.Threads) > 1 {
		b.lazyTurn(p.Threads[0], rounds, hub)
	}
	return b.out
}

// lazyTurn adds what a thread may do in a round, between two hubs.
func (b *builder) lazyTurn(t *ir.Thread, round int, hub *ir.Loc) (next *ir.Loc) {
	next = b.thread.NewLoc(ir.Pos{})
	b.silent(hub, next, "")
	copies := map[*ir.Loc]*ir.Loc{}
	for _, l := range t.Locs {
		copies[l] = b.copyLoc(l)
	}
	for _, l := range t.Locs {
		if b.points[t.Index][l] && (round > 0 || l == t.Entry) {
			b.silent(hub, copies[l], fmt.Sprintf("%s goes on, round %d", t.Name, round), b.at(l))
		}
		if b.points[t.Index][l] && l != t.Entry {
			b.silent(copies[l], next, t.Name+" is interrupted", b.note(l))
		}
		for _, e := range l.Out {
			b.step(copies[l], copies[e.To], e, b.cmds(e.Cmds), -1)
		}
	}
	return next
}

// Eager returns the program in which the executions of so many rounds are paths, thread
// after thread, on guessed copies of the shared variables.
// graphs are as for [Lazy].
func Eager(p *ir.Program, rounds int, graphs []*cutpoints.Graph) *Program {
	b := newBuilder(p)
	b.reduce(graphs)
	l := p.L
	for _, v := range p.Vars { // locals keep their names
		if v.Thread != ir.Shared {
			w := *v
			w.Thread, w.Index = 0, len(b.out.Vars)
			b.out.Vars = append(b.out.Vars, &w)
			b.vars[v] = &w
		}
	}
	zero := logic.Value{}
	failed := b.addVar("seq.failed", ir.Flag, &zero)
	copies := make([]map[*ir.Var]*ir.Var, rounds)
	begins := make([]map[*ir.Var]*ir.Var, rounds)
	var begin []ir.Cmd
	for k := range rounds {
		copies[k], begins[k] = map[*ir.Var]*ir.Var{}, map[*ir.Var]*ir.Var{}
		for _, v := range p.Vars {
			if v.Thread != ir.Shared {
				continue
			}
			init := v.Init
			if k > 0 {
				init = nil
			}
			copies[k][v] = b.addVar(fmt.Sprintf("%s@%d", v.Name, k), v.Type, init)
			copies[k][v].Source = v.Source
			if k > 0 {
				begins[k][v] = b.addVar(fmt.Sprintf("%s@%d.begin", v.Name, k), v.Type, nil)
				begin = append(begin, ir.AssignCmd(begins[k][v], copies[k][v].Sym))
			}
		}
	}
	hub := b.thread.NewLoc(ir.Pos{})
	b.silent(b.thread.Entry, hub, "guess", begin...)
	for _, t := range p.Threads {
		hub = b.eagerThread(t, hub, copies, failed)
	}
	checker := b.thread.NewLoc(ir.Pos{})
	var compare []ir.Cmd
	for k := range rounds - 1 {
		for _, v := range p.Vars {
			if v.Thread == ir.Shared {
				compare = append(compare, ir.AssumeCmd(l.Eq(copies[k][v].Sym, begins[k+1][v].Sym)))
			}
		}
	}
	b.silent(hub, checker, "the Checker", compare...)
	end := b.thread.NewLoc(ir.Pos{})
	end.Error, end.Text = true, "an assertion failed"
	b.silent(checker, end, "", ir.AssumeCmd(l.Eq(failed.Sym, l.Int(1))))
	return b.out
}

// eagerThread adds the copies of a thread, one for each round, between two hubs.
func (b *builder) eagerThread(t *ir.Thread, hub *ir.Loc, copies []map[*ir.Var]*ir.Var, failed *ir.Var) (next *ir.Loc) {
	l := b.out.L
	next = b.thread.NewLoc(ir.Pos{})
	b.silent(hub, next, t.Name+" does nothing")
	locs := make([]map[*ir.Loc]*ir.Loc, len(copies))
	for k := range copies {
		locs[k] = map[*ir.Loc]*ir.Loc{}
		for _, x := range t.Locs {
			locs[k][x] = b.thread.NewLoc(x.Pos)
		}
	}
	for k, vars := range copies {
		sub := map[*logic.Term]*logic.Term{}
		for v, w := range vars {
			b.vars[v] = w
			sub[v.Sym] = w.Sym
		}
		for _, x := range t.Locs {
			at := locs[k][x]
			if x == t.Entry {
				b.silent(hub, at, fmt.Sprintf("%s begins in round %d", t.Name, k))
			} else if b.points[t.Index][x] {
				b.silent(at, next, t.Name+" stops")
				if k+1 < len(copies) {
					b.silent(at, locs[k+1][x], t.Name+" waits for the next round")
				}
			}
			if x.Error {
				b.silent(at, next, x.Text, ir.AssignCmd(failed, l.Int(1)))
			}
			for _, e := range x.Out {
				cmds := b.cmds(e.Cmds)
				for i, c := range cmds {
					if c.Cond != nil {
						cmds[i].Cond = l.Subst(c.Cond, sub)
					}
					if c.Expr != nil {
						cmds[i].Expr = l.Subst(c.Expr, sub)
					}
				}
				b.step(at, locs[k][e.To], e, cmds, k)
			}
		}
	}
	return next
}

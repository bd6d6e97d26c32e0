package locpairs

import (
	"context"
	"slices"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// interfere applies the writes of every third thread to the states that are about
// a thread at a location that changed has.
func (a *analysis) interfere(ctx context.Context, changed [][]bool) error {
	a.effects = map[effectKey]*effect{}
	for i := range a.pairs {
		for _, p := range a.pairs[i] {
			if p == nil || len(p.thirds) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, at := range p.order { // not the map: how often states grow decides when bounds are given up
				if (changed[p.i][at.a] || changed[p.j][at.b]) && a.graphs[p.i].Cut[at.a] && a.graphs[p.j].Cut[at.b] {
					a.interfereAt(p, at, p.states[at])
				}
			}
		}
	}
	return nil
}

func (a *analysis) interfereAt(p *pair, at locPair, c *cell) {
	var s *state
	for _, w := range p.thirds {
		e1 := a.effect(w.k, w.block, p.i, at.a)
		if e1.vals == nil {
			continue
		}
		e2 := a.effect(w.k, w.block, p.j, at.b)
		if e2.vals == nil {
			continue
		}
		for _, v := range w.vars {
			iv, ok := e1.vals[v].meet(e2.vals[v])
			if !ok {
				continue
			}
			if s == nil {
				s = c.clone()
			}
			s.set(v.Sym, s.get(v.Sym).join(iv))
		}
	}
	if s != nil {
		a.reach(p, at, s)
	}
}

// effect computes what block b of thread k writes beside thread other at at.
func (a *analysis) effect(k int, b *cutpoints.Block, other, at int) *effect {
	p, lp := a.between(k, b.From.Index, other, at)
	if p == nil {
		return a.effectAlone(b)
	}
	key := effectKey{b, other, at}
	if e, ok := a.effects[key]; ok {
		return e
	}
	e := &effect{}
	a.effects[key] = e
	if c := p.states[lp]; c != nil {
		e.run(c.clone(), b, p.vars)
	}
	return e
}

// effectAlone computes what a block writes when nothing is known where it starts.
func (a *analysis) effectAlone(b *cutpoints.Block) *effect {
	if e, ok := a.alone[b]; ok {
		return e
	}
	s := &state{l: a.p.L, index: map[*logic.Term]int{}, vars: &[]*ir.Var{}, limits: &[]interval{}}
	acc := a.p.Symbols().CmdAccess(b.Cmds())
	for _, v := range a.p.Vars {
		if acc.Reads[v] || acc.Writes[v] {
			lo, hi := v.Type.Range()
			s.index[v.Sym] = len(s.ivs)
			*s.vars = append(*s.vars, v)
			s.ivs = append(s.ivs, between(lo, hi))
		}
	}
	*s.limits = slices.Clone(s.ivs)
	e := &effect{}
	e.run(s, b, *s.vars)
	a.alone[b] = e
	return e
}

// run fills in what b leaves in the shared variables among vars.
func (e *effect) run(s *state, b *cutpoints.Block, vars []*ir.Var) {
	if !s.run(b.Cmds()) {
		return
	}
	e.vals = map[*ir.Var]interval{}
	for i, v := range vars {
		if v.Thread == ir.Shared {
			e.vals[v] = s.ivs[i]
		}
	}
}

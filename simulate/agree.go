package simulate

import (
	"fmt"

	"comus/ir"
)

// said is what a step of a group of alike ones was given when it was taken last.
type said struct {
	thread int
	inputs []int64
}

// findAlike tells the groups of edges with inputs that are the same step of different threads.
func (s *Simulator) findAlike(all []*node) {
	type group struct {
		steps   []*step
		several bool
	}
	groups := map[string]*group{}
	var order []*group
	for _, n := range all {
		for i := range n.out {
			st := &n.out[i]
			st.alike = -1
			key := inputsOf(st.edge.Edge())
			if key == "" {
				continue
			}
			g := groups[key]
			if g == nil {
				g = &group{}
				groups[key] = g
				order = append(order, g)
			}
			g.several = g.several || len(g.steps) > 0 && g.steps[0].edge.Edge().From.Thread != n.loc.Thread
			g.steps = append(g.steps, st)
		}
	}
	for _, g := range order {
		if !g.several {
			continue
		}
		for _, st := range g.steps {
			st.alike = s.alike
		}
		s.alike++
	}
}

// inputsOf describes an edge with inputs, "" if it has none: where it is in the source, and the types.
func inputsOf(e *ir.Edge) string {
	key := ""
	for _, c := range e.Cmds {
		if c.Kind == ir.Havoc {
			key += fmt.Sprint(" ", c.Var.Type)
		}
	}
	if key != "" {
		key = fmt.Sprint(e.Pos, " ", e.Text, key)
	}
	return key
}

// dissent is one in how many inputs of a run with agreement is drawn nevertheless.
const dissent = 4

// agreed returns the inputs that another thread was given at a step, if they are to be those of this one; else nil.
func (s *Simulator) agreed(st *step) []int64 {
	r := &s.run
	if !r.agree || st.alike < 0 {
		return nil
	}
	last := r.said[st.alike]
	if len(last.inputs) == 0 || last.thread == st.edge.Edge().From.Thread.Index || s.rng.IntN(dissent) == 0 {
		return nil
	}
	return last.inputs
}

// note keeps what a step that is taken is given.
func (s *Simulator) note(t int, st *step) {
	r := &s.run
	if !r.agree || st.alike < 0 {
		return
	}
	n := 0
	for _, c := range st.edge.Edge().Cmds {
		if c.Kind == ir.Havoc {
			n++
		}
	}
	r.said[st.alike] = said{t, append(r.said[st.alike].inputs[:0], r.inputs[len(r.inputs)-n:]...)}
}

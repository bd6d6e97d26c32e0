package check

import (
	"errors"
	"fmt"
	"strings"

	"comus/ir"
	"comus/logic"
)

// vocabulary says what a formula of a certificate may mention.
type vocabulary struct {
	pcs  func(thread int) bool
	vars func(*ir.Var) bool
	old  bool // the values before a move, too
}

// parse reads a formula.
func (pr *program) parse(text string, voc vocabulary) (*logic.Term, error) {
	f, err := pr.l.Parse(text, func(name string) (logic.Sort, bool) {
		if n, ok := strings.CutPrefix(name, oldPrefix); ok && voc.old {
			name = n
		}
		if t, ok := pr.pcs[name]; ok {
			return logic.Int, voc.pcs(t)
		}
		v, ok := pr.vars[name]
		return logic.Int, ok && voc.vars(v)
	})
	if err != nil {
		return nil, err
	}
	if f.Sort() != logic.Bool {
		return nil, errors.New("the expression is not a formula")
	}
	return f, nil
}

// place is a node of a level's program.
type place struct {
	loc   int
	phase string
}

// invariants has the formulas at the nodes of a level's program, with the main
// thread's pc filled in. A missing one is false.
type invariants struct {
	l *logic.Store
	m map[place]*logic.Term
}

// at returns the formula at a node.
func (inv *invariants) at(loc int, phase string) *logic.Term {
	if f := inv.m[place{loc, phase}]; f != nil {
		return f
	}
	return inv.l.False()
}

// readInvariants reads the invariants of the level's program.
func (lv *level) readInvariants(list []Invariant, query bool) (*invariants, error) {
	pr := lv.c.pr
	inv := &invariants{l: pr.l, m: map[place]*logic.Term{}}
	voc := vocabulary{pcs: lv.speaksOf, vars: anyVar}
	for _, in := range list {
		pl := place{in.Loc, in.Phase}
		if in.Loc < 0 || in.Loc >= len(lv.main.Locs) || !lv.main.node[in.Loc] || lv.main.Locs[in.Loc].Error {
			return nil, fmt.Errorf("there is an invariant at location %d, which is no node of thread %d", in.Loc, lv.main.Index)
		}
		switch {
		case in.Phase == PhaseAt:
		case in.Phase == PhaseMoved && lv.moves(in.Loc):
		case in.Phase == PhaseBefore && query:
		default:
			return nil, fmt.Errorf("there is an invariant at location %d (%s), which is not possible there", in.Loc, in.Phase)
		}
		if inv.m[pl] != nil {
			return nil, fmt.Errorf("there are two invariants at location %d (%s)", in.Loc, in.Phase)
		}
		f, err := pr.parse(in.Formula, voc)
		if err != nil {
			return nil, fmt.Errorf("the invariant at location %d (%s): %w", in.Loc, in.Phase, err)
		}
		inv.m[pl] = lv.here(f, in.Loc)
	}
	return inv, nil
}

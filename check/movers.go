package check

import (
	"fmt"

	"comus/ir"
	"comus/logic"
)

// checkCuts verifies that the certificate has all the cut-points that the
// reduction needs: the target of a step is one, if it is neither inside an atomic
// section nor an error location, unless the step is a right mover that starts
// outside atomic sections.
func (c *checker) checkCuts() error {
	a := c.pr.analyze()
	for _, x := range a.edges {
		if !x.feasible || x.To.Atomic || x.To.Error || c.pr.threads[x.thread].cut[x.To.Index] {
			continue
		}
		if x.From.Atomic {
			return fmt.Errorf("thread %d: location %d has to be a cut-point: it ends an atomic section", x.thread, x.To.Index)
		}
		if err := c.rightMover(a, x); err != nil {
			return fmt.Errorf("thread %d: location %d has to be a cut-point: %w", x.thread, x.To.Index, err)
		}
	}
	return nil
}

// rightMover verifies that x can be exchanged with every step of another thread
// that follows it directly.
func (c *checker) rightMover(a *analysis, x *edgeInfo) error {
	for _, y := range a.edges {
		if y.thread == x.thread || !y.feasible || !conflict(x, y) {
			continue
		}
		if !x.before.agree(a.at[y.thread][y.From.Index]) || !x.after.agree(y.before) {
			continue // y does not follow x directly
		}
		if conflictIn(x, y, func(v *ir.Var) bool { return v.Cell == ir.Cell }) {
			return fmt.Errorf("%q and %q of thread %d are about the same array", describe(x), describe(y), y.thread)
		}
		ok, err := c.commutes(a, x, y)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%q may not be delayed beyond %q of thread %d", describe(x), describe(y), y.thread)
		}
	}
	return nil
}

func describe(x *edgeInfo) string {
	if x.Text != "" {
		return x.Text
	}
	return x.Edge.String()
}

// conflict reports whether the edges touch the same variable and one writes it.
func conflict(x, y *edgeInfo) bool { return conflictIn(x, y, func(*ir.Var) bool { return true }) }

// conflictIn is conflict for some variables.
func conflictIn(x, y *edgeInfo, which func(*ir.Var) bool) bool {
	for v := range x.writes {
		if which(v) && (y.reads[v] || y.writes[v]) {
			return true
		}
	}
	for v := range y.writes {
		if which(v) && x.reads[v] {
			return true
		}
	}
	return false
}

// commutes decides whether x and then y can always be replaced by y and then x,
// with the same inputs.
func (c *checker) commutes(a *analysis, x, y *edgeInfo) (bool, error) {
	l := c.pr.l
	var hyp, same []*logic.Term
	for _, known := range []constants{x.before, a.at[y.thread][y.From.Index]} {
		for v, val := range known {
			hyp = append(hyp, l.Eq(v.Sym, l.Value(val)))
		}
	}
	x1 := x.effect
	y2 := c.pr.exec(x1, y.Cmds, y.effect.inputs)
	y1 := y.effect
	x2 := c.pr.exec(y1, x.Cmds, x.effect.inputs)
	hyp = append(hyp, x1.cond, y2.cond)
	same = append(same, y1.cond, x2.cond)
	for _, set := range []map[*ir.Var]bool{x.writes, y.writes} {
		for v := range set {
			same = append(same, l.Eq(y2.env[v.Sym], x2.env[v.Sym]))
		}
	}
	return c.prover.valid(l.And(hyp...), l.And(same...))
}

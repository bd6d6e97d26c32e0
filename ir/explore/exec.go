package explore

import (
	"fmt"
	"math"

	"comus/ir"
)

// edge is a compiled edge.
type edge struct {
	src    *ir.Edge
	cmds   []cmd
	writes []int // the variables it writes, by Index
	shared bool  // some of them are shared
}

// cmd is a compiled command. A nil cond or expr is a term that was too large to
// compile.
type cmd struct {
	src     ir.Cmd
	cond    formula
	expr    number
	lo, hi  int64   // Assign: the range that the compiled expr must have
	choices choices // Havoc
}

// compileEdge compiles an edge and decides what its inputs are branched over.
func (x *explorer) compileEdge(c *compiler, e *ir.Edge) *edge {
	out := c.edge(e)
	for i, src := range e.Cmds {
		if src.Kind != ir.Havoc {
			continue
		}
		k := &out.cmds[i].choices
		k.values = []int64{0}
		if x.live.after(x.vars, e, i) {
			*k = x.choices(src.Var, describeInput(e, src))
		}
	}
	return out
}

// describeInput says what a havoc command stands for.
func describeInput(e *ir.Edge, c ir.Cmd) string {
	what := "the uninitialised variable " + c.Var.Name
	if c.Input != "" {
		what = "the input " + c.Input + "()"
	}
	if e.Pos != (ir.Pos{}) {
		what += " at " + e.Pos.String()
	}
	return what
}

// storedRange returns the range of the type, cut off at the end of int64.
func storedRange(t ir.Type) (lo, hi int64) {
	l, h := t.Range()
	lo, _ = l.Int64()
	hi, ok := h.Int64()
	if !ok {
		hi = math.MaxInt64
	}
	return lo, hi
}

// exec runs the commands of e from the i-th on and calls f with x.m being the
// state after them, once for each choice of inputs, x.inputs.
func (x *explorer) exec(e *edge, i int, f func() error) error {
	for ; i < len(e.cmds); i++ {
		c := &e.cmds[i]
		switch c.src.Kind {
		case ir.Assume:
			if !x.holds(c) {
				return nil
			}
		case ir.Assign:
			v, err := x.value(c)
			if err != nil {
				return fmt.Errorf("thread %d, %s: %w", e.src.From.Thread.Index, e.src, err)
			}
			x.m.vals[c.src.Var.Index] = v
		case ir.Havoc:
			return x.havoc(e, i, f)
		}
	}
	return f()
}

// havoc is exec from a havoc command on.
func (x *explorer) havoc(e *edge, i int, f func() error) error {
	c := &e.cmds[i]
	before := make([]int64, len(e.writes)) // the only values that differ later
	for k, w := range e.writes {
		before[k] = x.m.vals[w]
	}
	for _, v := range c.choices.values {
		for k, w := range e.writes {
			x.m.vals[w] = before[k]
		}
		x.m.vals[c.src.Var.Index] = v
		x.inputs = append(x.inputs, v)
		err := x.exec(e, i+1, f)
		x.inputs = x.inputs[:len(x.inputs)-1]
		if err != nil {
			return err
		}
	}
	return x.note(c.choices)
}

package explore

import (
	"fmt"
	"math"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
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

func (x *explorer) compileEdge(c *compiler, e *ir.Edge) *edge {
	out := &edge{src: e, cmds: make([]cmd, len(e.Cmds))}
	for i, src := range e.Cmds {
		k := cmd{src: src}
		if src.Kind != ir.Assume && !slices.Contains(out.writes, src.Var.Index) {
			out.writes = append(out.writes, src.Var.Index)
			out.shared = out.shared || src.Var.Thread == ir.Shared
		}
		switch src.Kind {
		case ir.Assume:
			if treeSize(src.Cond, maxCompiled) <= maxCompiled {
				k.cond = c.formula(src.Cond)
			}
		case ir.Assign:
			k.lo, k.hi = storedRange(src.Var.Type)
			if treeSize(src.Expr, maxCompiled) <= maxCompiled {
				k.expr = c.number(src.Expr)
			}
		case ir.Havoc:
			k.choices.values = []int64{0}
			if x.live.after(x.vars, e, i) {
				k.choices = x.choices(src.Var, describeInput(e, src))
			}
		}
		out.cmds[i] = k
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

func (x *explorer) holds(c *cmd) bool {
	if c.cond != nil {
		x.m.overflow = false
		if b := c.cond(&x.m); !x.m.overflow {
			return b
		}
	}
	return logic.Eval(c.src.Cond, x.env).Bool()
}

// value computes the value to assign, as stored.
func (x *explorer) value(c *cmd) (int64, error) {
	if c.expr != nil {
		x.m.overflow = false
		if v := c.expr(&x.m); !x.m.overflow && c.lo <= v && v <= c.hi {
			return v, nil
		}
	}
	v := logic.Eval(c.src.Expr, x.env)
	if !c.src.Var.Type.Contains(v) {
		return 0, fmt.Errorf("%w: %s has type %s, and %s is %s", interp.ErrOutOfRange, c.src.Var.Name, c.src.Var.Type, c.src, v)
	}
	return store(v), nil
}

// env gives logic.Eval the values of the state being built.
func (x *explorer) env(sym *logic.Term) logic.Value {
	v := x.vars[sym]
	return load(v.Type, x.m.vals[v.Index])
}

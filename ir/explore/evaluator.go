package explore

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// evaluator runs compiled commands on one state.
type evaluator struct {
	vars ir.SymTable
	m    machine
}

func newEvaluator(p *ir.Program) evaluator {
	return evaluator{vars: p.Symbols(), m: machine{vals: make([]int64, len(p.Vars))}}
}

func newCompiler(p *ir.Program) *compiler {
	c := &compiler{index: map[*logic.Term]int{}, wide: map[*logic.Term]bool{}}
	for i, v := range p.Vars {
		c.index[v.Sym] = i
		c.wide[v.Sym] = isWide(v.Type)
	}
	return c
}

// edge compiles an edge, without choices for its inputs.
func (c *compiler) edge(e *ir.Edge) *edge {
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
		}
		out.cmds[i] = k
	}
	return out
}

func (x *evaluator) holds(c *cmd) bool {
	if c.cond != nil {
		x.m.overflow = false
		if b := c.cond(&x.m); !x.m.overflow {
			return b
		}
	}
	return logic.Eval(c.src.Cond, x.env).Bool()
}

// value computes the value to assign, as stored.
func (x *evaluator) value(c *cmd) (int64, error) {
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
func (x *evaluator) env(sym *logic.Term) logic.Value {
	v := x.vars[sym]
	return load(v.Type, x.m.vals[v.Index])
}

package sema

import (
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// jumpContext is a part of a function that must not be jumped into: a statement expression, or the
// scope of something of variably modified type.
type jumpContext struct {
	up       *jumpContext
	stmtExpr bool
}

// labelInfo is a label of a function.
type labelInfo struct {
	l       *tree.Label
	at      syntax.Node // where it is used first
	defined bool
	used    bool
	ctx     *jumpContext
	fn      *function
}

// gotoInfo is a goto, checked at the end of the function.
type gotoInfo struct {
	at    syntax.Node
	label *labelInfo
	ctx   *jumpContext
}

// localLabel declares a label of a block.
func (c *checker) localLabel(n syntax.Name) {
	if c.scope.labels == nil {
		c.scope.labels = map[string]*labelInfo{}
	}
	if c.scope.labels[n.Text] != nil {
		c.fail(n, "duplicate label declaration ‘%s’", n.Text)
	}
	c.scope.labels[n.Text] = &labelInfo{l: &tree.Label{Name: n.Text, Func: c.fn.f}, at: n, fn: c.fn}
}

// labelInfo finds a label: a local one of a block around, or the function's.
func (c *checker) labelInfo(n syntax.Node, name string) *labelInfo {
	for s := c.scope; s != nil; s = s.up {
		if l := s.labels[name]; l != nil {
			return l
		}
	}
	l := c.fn.labels[name]
	if l == nil {
		l = &labelInfo{l: &tree.Label{Name: name, Func: c.fn.f}, at: n, fn: c.fn}
		c.fn.labels[name] = l
	}
	return l
}

// label is the label that a name refers to.
func (c *checker) label(n syntax.Node, name string) *tree.Label {
	l := c.labelInfo(n, name)
	l.used = true
	return l.l
}

// define defines a label.
func (c *checker) define(n *syntax.Labeled) *tree.Label {
	l := c.labelInfo(n, n.Name.Text)
	if l.defined {
		c.fail(n, "duplicate label ‘%s’", n.Name.Text)
	}
	l.defined, l.ctx = true, c.fn.ctx
	return l.l
}

func (c *checker) labeled(n *syntax.Labeled) tree.Stmt {
	s := &tree.Labeled{S: c.s(n), Label: c.define(n)}
	s.Body = c.labelBody(n.Body)
	return s
}

// labeledEmpty is a label alone.
func (c *checker) labeledEmpty(n *syntax.Labeled) tree.Stmt {
	return &tree.Labeled{S: c.s(n), Label: c.define(n), Body: &tree.Empty{S: c.s(n)}}
}

func (c *checker) gotoStmt(n *syntax.Goto) tree.Stmt {
	if n.X != nil {
		x := c.value(n.X)
		if !x.Type().IsPointer() {
			c.fail(n.X, "computed goto must be pointer type")
		}
		return &tree.GotoPtr{S: c.s(n), X: c.convert(x, c.t.Pointer(c.t.Void))}
	}
	l := c.labelInfo(n, n.Label)
	l.used = true
	c.fn.gotos = append(c.fn.gotos, gotoInfo{at: n, label: l, ctx: c.fn.ctx})
	return &tree.Goto{S: c.s(n), Label: l.l}
}

// endScope checks the local labels of a scope.
func (c *checker) endScope() {
	for _, l := range c.scope.labels {
		c.checkDefined(l)
	}
}

func (c *checker) checkDefined(l *labelInfo) {
	if l.used && !l.defined && !c.failed.any() { // else it may be missing with a statement that was left out
		c.fail(l.at, "label ‘%s’ used but not defined", l.l.Name)
	}
}

// endFunc checks the labels and gotos of a function.
func (c *checker) endFunc() {
	c.endScope()
	for _, f := range c.unit.Funcs {
		if f.Outer == c.fn.f && f.Body == nil {
			failAt(f.Site.Pos, "nested function ‘%s’ declared but never defined", f.Name)
		}
	}
	var first *labelInfo
	for _, l := range c.fn.labels {
		if l.used && !l.defined && (first == nil || l.at.At().First < first.at.At().First) {
			first = l
		}
	}
	if first != nil {
		c.checkDefined(first)
	}
	for _, g := range c.fn.gotos {
		if g.label.fn != c.fn {
			continue
		}
		within := false
		for x := g.ctx; ; x = x.up {
			if x == g.label.ctx {
				within = true
				break
			}
			if x == nil {
				break
			}
		}
		if !within {
			if g.label.ctx.stmtExpr {
				c.fail(g.at, "jump into statement expression")
			}
			c.fail(g.at, "jump into scope of identifier with variably modified type")
		}
	}
}

// asm checks an asm statement.
func (c *checker) asm(n *syntax.Asm) tree.Stmt {
	a := &tree.Asm{S: c.s(n), Volatile: n.Volatile || !n.Operands || len(n.Outputs) == 0}
	if s, ok := n.Text.(*syntax.StringExpr); ok {
		a.Text = c.plain(s)
	}
	for _, o := range n.Outputs {
		a.Outputs = append(a.Outputs, c.asmOutput(o))
	}
	for _, o := range n.Inputs {
		a.Inputs = append(a.Inputs, c.asmInput(o))
	}
	for _, x := range n.Clobbers {
		if s, ok := x.(*syntax.StringExpr); ok {
			a.Clobbers = append(a.Clobbers, c.plain(s))
		}
	}
	for _, l := range n.Labels {
		a.Labels = append(a.Labels, c.label(l, l.Text))
	}
	return a
}

func (c *checker) constraint(o syntax.AsmOperand) string {
	s, _ := o.Constraint.(*syntax.StringExpr)
	if s == nil {
		return ""
	}
	return c.plain(s)
}

func (c *checker) asmOutput(o syntax.AsmOperand) tree.AsmOperand {
	k := c.constraint(o)
	x := c.expr(o.X)
	if !strings.ContainsAny(k, "=+") {
		c.fail(o, "output operand constraint lacks ‘=’")
	}
	if !x.Lvalue() {
		c.fail(o, "invalid lvalue in ‘asm’ statement")
	}
	if q := x.Type().AllQuals(); q&types.Const != 0 {
		c.fail(o, "read-only %s used as ‘asm’ output", readOnly(x))
	}
	markAddr(x)
	return tree.AsmOperand{Name: o.Name, Constraint: k, X: x}
}

func (c *checker) asmInput(o syntax.AsmOperand) tree.AsmOperand {
	k := c.constraint(o)
	x := c.expr(o.X)
	memory := strings.ContainsAny(k, "moV") && !strings.ContainsAny(k, "rgXiIn")
	if x.Lvalue() && (memory || x.Type().IsRecord()) {
		markAddr(x)
		return tree.AsmOperand{Name: o.Name, Constraint: k, X: x}
	}
	if memory && x.Type().Kind != types.Array && x.Type().Kind != types.Func {
		c.fail(o, "memory input is not directly addressable")
	}
	return tree.AsmOperand{Name: o.Name, Constraint: k, X: c.rvalue(x)}
}

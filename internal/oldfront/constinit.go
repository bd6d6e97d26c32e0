package cfront

import (
	"strings"

	"modernc.org/cc/v4"
)

// constantInit refuses the initializer of a static variable if it is not constant.
func (c *constness) constantInit(d *cc.Declarator, i *cc.Initializer) {
	if i == nil {
		return
	}
	if i.Case == cc.InitializerExpr {
		if n := c.notConstant(i.AssignmentExpression); n != nil {
			panic(errorf(position(n), "the initializer of '%s' is not constant: '%s'", d.Name(), nameOf(n)))
		}
	}
	for l := i.InitializerList; l != nil; l = l.InitializerList {
		c.constantInit(d, l.Initializer)
	}
}

// notConstant returns a part of an expression that makes it no constant for gcc, which takes
// more than the standard: values of const variables, and parts that are not evaluated.
func (c *constness) notConstant(n cc.ExpressionNode) cc.Node {
	if n == nil {
		return nil
	}
	n = unparen(n)
	if x, ok := n.(*cc.AssignmentExpression); ok && x.Case != cc.AssignmentExpressionCond {
		return x
	}
	if n.Value() != nil && n.Value() != cc.Unknown {
		return nil
	}
	switch x := n.(type) {
	case *cc.ExpressionList: // a comma
		return x
	case *cc.PrimaryExpression:
		if d := variable(x); x.Case == cc.PrimaryExpressionStmt || d != nil && c.read(x) {
			return x
		}
		return nil
	case *cc.PostfixExpression:
		return c.notConstantPostfix(x)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return x
		case cc.UnaryExpressionDeref:
			if c.read(x) {
				return x
			}
			return nil
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return c.notConstant(x.CastExpression)
		}
		return nil
	case *cc.CastExpression:
		return c.notConstant(x.CastExpression)
	case *cc.ConditionalExpression:
		return c.notConstant(x.LogicalOrExpression)
	case *cc.LogicalAndExpression:
		return c.notConstant(x.LogicalAndExpression)
	case *cc.LogicalOrExpression:
		return c.notConstant(x.LogicalOrExpression)
	}
	var bad cc.Node
	children(n, func(m cc.Node) bool { // the operands
		if e, ok := m.(cc.ExpressionNode); ok && bad == nil {
			bad = c.notConstant(e)
		}
		return false
	})
	return bad
}

// read reports whether an expression is the value of an object that may change.
func (c *constness) read(n cc.ExpressionNode) bool {
	switch n.Type().Undecay().Kind() {
	case cc.Array, cc.Function:
		return false // its address
	}
	q := c.of(n)
	return q != nil && !q.constant
}

func (c *constness) notConstantPostfix(x *cc.PostfixExpression) cc.Node {
	switch x.Case {
	case cc.PostfixExpressionCall:
		if d := variable(x.PostfixExpression); d == nil || !strings.HasPrefix(d.Name(), "__builtin_") {
			return x
		}
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return x
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		if c.read(x) {
			return x
		}
	}
	return nil
}

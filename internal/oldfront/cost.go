package cfront

import "modernc.org/cc/v4"

// impure is the cost of an expression that cannot be a term.
const impure = 1000

// cost estimates, from the text alone, the number of shared reads of an
// expression that is evaluated as one term, in one step; it is at least impure
// for what takes steps of its own or has effects. See asOneStep.
func (b *lowerer) cost(n cc.ExpressionNode) int {
	switch x := n.(type) {
	case nil:
		return 0
	case *cc.PrimaryExpression:
		return b.costPrimary(x)
	case *cc.PostfixExpression:
		return b.costPostfix(x)
	case *cc.UnaryExpression:
		return b.costUnary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return b.cost(x.UnaryExpression)
		}
		return b.cost(x.CastExpression)
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionLOr {
			return b.cost(x.LogicalOrExpression)
		}
		if x.ExpressionList == nil {
			return impure
		}
		return b.cost(x.LogicalOrExpression) + b.cost(x.ExpressionList) + b.cost(x.ConditionalExpression)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		l, r, _ := logicalOf(n)
		return b.cost(l) + b.cost(r)
	case *cc.ExpressionList:
		if x.ExpressionList != nil {
			return impure
		}
		return b.cost(x.AssignmentExpression)
	case *cc.ConstantExpression:
		return b.cost(x.ConditionalExpression)
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionCond {
			return b.cost(x.ConditionalExpression)
		}
		return impure
	}
	if op, l, r, ok := binaryOf(n); ok {
		c := b.cost(l) + b.cost(r)
		switch op {
		case "+", "-", "*", "/", "%", "<<":
			c += b.checkCost()
		default:
			if c > 0 { // operands read shared operands in steps of their own
				c += b.checkCost()
			}
		}
		return c
	}
	return impure
}

// checkCost is the cost of an operation that overflow checks may branch at.
func (b *lowerer) checkCost() int {
	if b.opts.Overflow == OverflowCheck {
		return impure
	}
	return 0
}

func (b *lowerer) costPrimary(x *cc.PrimaryExpression) int {
	switch x.Case {
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar:
		return 0
	case cc.PrimaryExpressionExpr:
		return b.cost(x.ExpressionList)
	case cc.PrimaryExpressionIdent:
		d, ok := x.ResolvedTo().(*cc.Declarator)
		if !ok {
			return 0
		}
		if d.Type().Kind() == cc.Function {
			return 0
		}
		if b.atomicHere() || !b.variable(x, d).obj.shared {
			return 0
		}
		return 1
	}
	return impure
}

// costPostfix counts a part of a variable as the variable; what is reached
// through a pointer may be shared whatever the pointer is.
func (b *lowerer) costPostfix(x *cc.PostfixExpression) int {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		return b.cost(x.PrimaryExpression)
	case cc.PostfixExpressionIndex:
		if rootOf(x) == nil || b.cost(x.ExpressionList) > 0 {
			return impure
		}
		return b.cost(x.PostfixExpression)
	case cc.PostfixExpressionSelect:
		if rootOf(x) == nil {
			return impure
		}
		return b.cost(x.PostfixExpression)
	}
	return impure
}

func (b *lowerer) costUnary(x *cc.UnaryExpression) int {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		return b.cost(x.PostfixExpression)
	case cc.UnaryExpressionPlus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
		return b.cost(x.CastExpression)
	case cc.UnaryExpressionMinus:
		return b.cost(x.CastExpression) + b.checkCost()
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
		if isNumber(x) {
			return 0
		}
	}
	return impure
}

// oneStep reports whether an expression is likely to be one term, now.
func (b *lowerer) oneStep(n cc.ExpressionNode) bool { return b.cost(n) <= 1 }

// asOneStep evaluates an expression, whose operands are not to be evaluated
// always, as one term all the same: that is right if it takes no step and reads
// one shared location at most. If not so, everything is taken back and the result
// is nil.
func (b *lowerer) asOneStep(n cc.ExpressionNode, eval func() *value) *value {
	if b.cur == nil || !b.oneStep(n) {
		return nil
	}
	s := b.try()
	edges := len(b.th.edges)
	v := eval()
	if v == nil || len(b.th.edges) > edges || !b.atomicHere() && b.sharedLocations(b.readCmds(v)) > 1 {
		b.giveUp(s)
		return nil
	}
	b.keep()
	return v
}

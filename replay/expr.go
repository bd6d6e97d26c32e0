package replay

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// value returns an expression for its value, woven: each read of shared memory
// and each call that does something goes through the runtime.
func (w *weaver) value(n cc.ExpressionNode) string {
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return w.primary(x)
	case *cc.PostfixExpression:
		return w.postfix(x)
	case *cc.UnaryExpression:
		return w.unary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return w.value(x.UnaryExpression)
		}
		return "(" + w.spelling(x.TypeName) + ")" + w.value(x.CastExpression)
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionLOr {
			return w.value(x.LogicalOrExpression)
		}
		return fmt.Sprintf("(%s ? %s : %s)", w.value(x.LogicalOrExpression), w.optional(x.ExpressionList), w.value(x.ConditionalExpression))
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionCond {
			return w.value(x.ConditionalExpression)
		}
		return w.assign(x)
	case *cc.ExpressionList:
		s := w.value(x.AssignmentExpression)
		for l := x.ExpressionList; l != nil; l = l.ExpressionList {
			s += ", " + w.value(l.AssignmentExpression)
		}
		if x.ExpressionList != nil {
			return "(" + s + ")"
		}
		return s
	case *cc.ConstantExpression:
		return w.spelling(n)
	case *cc.LogicalAndExpression:
		if x.LogicalAndExpression == nil {
			return w.value(x.InclusiveOrExpression)
		}
		return "(" + w.value(x.LogicalAndExpression) + " && " + w.value(x.InclusiveOrExpression) + ")"
	case *cc.LogicalOrExpression:
		if x.LogicalOrExpression == nil {
			return w.value(x.LogicalAndExpression)
		}
		return "(" + w.value(x.LogicalOrExpression) + " || " + w.value(x.LogicalAndExpression) + ")"
	}
	op, l, r, ok := binary(n)
	if !ok {
		w.fail(n, "this expression")
	}
	if l == nil {
		return w.value(r)
	}
	temps, args := w.inOrder(l, r)
	return wrap(temps, args[0]+" "+op+" "+args[1])
}

// optional is value for the operand that a ?: b leaves out.
func (w *weaver) optional(n cc.ExpressionNode) string {
	if n == nil {
		return ""
	}
	return w.value(n)
}

// wrap makes an expression of one that comes after declarations.
func wrap(temps, e string) string {
	if temps == "" {
		return "(" + e + ")"
	}
	return "({ " + temps + e + "; })"
}

// inOrder weaves operands that are evaluated from left to right, as comus does: if
// that matters, into variables, whose declarations it returns.
func (w *weaver) inOrder(ns ...cc.ExpressionNode) (temps string, args []string) {
	var busy []bool
	count := 0
	for _, n := range ns {
		before := w.busy
		args = append(args, w.value(n))
		busy = append(busy, w.busy != before)
		if w.busy != before {
			count++
		}
	}
	if count < 2 {
		return "", args
	}
	for i := range args {
		if busy[i] {
			t := w.temp()
			temps += fmt.Sprintf("__auto_type %s = %s; ", t, args[i])
			args[i] = t
		}
	}
	return temps, args
}

func (w *weaver) temp() string {
	w.temps++
	return fmt.Sprintf("comus_t%d", w.temps)
}

// binary takes a binary expression without short circuit apart; l is nil if it is
// only r.
func binary(n cc.ExpressionNode) (op string, l, r cc.ExpressionNode, ok bool) {
	switch x := n.(type) {
	case *cc.MultiplicativeExpression:
		return [...]string{"", "*", "/", "%"}[x.Case], x.MultiplicativeExpression, x.CastExpression, true
	case *cc.AdditiveExpression:
		return [...]string{"", "+", "-"}[x.Case], x.AdditiveExpression, x.MultiplicativeExpression, true
	case *cc.ShiftExpression:
		return [...]string{"", "<<", ">>"}[x.Case], x.ShiftExpression, x.AdditiveExpression, true
	case *cc.RelationalExpression:
		return [...]string{"", "<", ">", "<=", ">="}[x.Case], x.RelationalExpression, x.ShiftExpression, true
	case *cc.EqualityExpression:
		return [...]string{"", "==", "!="}[x.Case], x.EqualityExpression, x.RelationalExpression, true
	case *cc.AndExpression:
		return "&", x.AndExpression, x.EqualityExpression, true
	case *cc.ExclusiveOrExpression:
		return "^", x.ExclusiveOrExpression, x.AndExpression, true
	case *cc.InclusiveOrExpression:
		return "|", x.InclusiveOrExpression, x.ExclusiveOrExpression, true
	}
	return "", nil, nil, false
}

func (w *weaver) primary(x *cc.PrimaryExpression) string {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		return w.load(x)
	case cc.PrimaryExpressionExpr:
		return "(" + w.value(x.ExpressionList) + ")"
	case cc.PrimaryExpressionStmt:
		w.busy++
		return "(" + w.text(x.CompoundStatement) + ")"
	case cc.PrimaryExpressionGeneric:
		if a := x.GenericSelection.Associated(); a != nil {
			return "(" + w.value(a.AssignmentExpression) + ")"
		}
	}
	return w.spelling(x)
}

func (w *weaver) postfix(x *cc.PostfixExpression) string {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		return w.value(x.PrimaryExpression)
	case cc.PostfixExpressionCall:
		return w.call(x)
	case cc.PostfixExpressionInc:
		return w.update(x.PostfixExpression, "+", "1", true)
	case cc.PostfixExpressionDec:
		return w.update(x.PostfixExpression, "-", "1", true)
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		return w.load(x)
	case cc.PostfixExpressionComplit:
		return "(" + w.spelling(x.TypeName) + "){" + w.text(x.InitializerList) + "}"
	}
	w.fail(x, "this expression")
	return ""
}

func (w *weaver) unary(x *cc.UnaryExpression) string {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		return w.value(x.PostfixExpression)
	case cc.UnaryExpressionInc:
		return w.update(x.UnaryExpression, "+", "1", false)
	case cc.UnaryExpressionDec:
		return w.update(x.UnaryExpression, "-", "1", false)
	case cc.UnaryExpressionAddrof:
		return "(&" + w.place(x.CastExpression) + ")"
	case cc.UnaryExpressionDeref:
		return w.load(x)
	case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
		return "(" + x.Token.SrcStr() + " " + w.value(x.CastExpression) + ")"
	}
	return w.spelling(x) // sizeof and the like evaluate nothing
}

// load reads a place; an array or a function stands for its address.
func (w *weaver) load(n cc.ExpressionNode) string {
	s := w.place(n)
	k := n.Type().Undecay().Kind()
	if k == cc.Array || k == cc.Function || !w.shared(n) {
		return s
	}
	w.busy++
	if b := w.bits(n); b != "" {
		return "COMUS_BITS_READ(" + b + ")"
	}
	return "COMUS_READ(" + s + ")"
}

// place returns an lvalue whose indexes and pointers are woven.
func (w *weaver) place(n cc.ExpressionNode) string {
	switch x := plain(n).(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent {
			return w.spelling(x)
		}
		return w.value(x)
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return "(*" + w.value(x.CastExpression) + ")"
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionComplit:
			return w.value(x)
		case cc.PostfixExpressionIndex:
			temps, args := w.inOrder(x.PostfixExpression, x.ExpressionList)
			if temps == "" {
				return args[0] + "[" + args[1] + "]"
			}
			return "(*({ " + temps + "&" + args[0] + "[" + args[1] + "]; }))"
		case cc.PostfixExpressionSelect:
			return w.place(x.PostfixExpression) + "." + x.Token2.SrcStr()
		case cc.PostfixExpressionPSelect:
			return w.value(x.PostfixExpression) + "->" + x.Token2.SrcStr()
		}
	}
	return w.value(n)
}

// isStored reports whether an expression denotes a variable or a part of one.
func isStored(n cc.ExpressionNode) bool {
	switch x := plain(n).(type) {
	case *cc.PrimaryExpression:
		return x.Case == cc.PrimaryExpressionIdent
	case *cc.PostfixExpression:
		return x.Case == cc.PostfixExpressionIndex || x.Case == cc.PostfixExpressionPSelect ||
			x.Case == cc.PostfixExpressionSelect && isStored(x.PostfixExpression)
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref
	}
	return false
}

// plain removes parentheses and the levels of the grammar that do nothing.
func plain(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.ConditionalExpression:
			if x.Case != cc.ConditionalExpressionLOr {
				return n
			}
			n = x.LogicalOrExpression
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return n
			}
			n = x.AssignmentExpression
		case *cc.CastExpression:
			if x.Case != cc.CastExpressionUnary {
				return n
			}
			n = x.UnaryExpression
		case *cc.UnaryExpression:
			if x.Case != cc.UnaryExpressionPostfix {
				return n
			}
			n = x.PostfixExpression
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionPrimary {
				return n
			}
			n = x.PrimaryExpression
		default:
			return n
		}
	}
}

// shared reports whether a place may be one that the schedule knows: it is behind a
// pointer, or part of a variable of such a name.
func (w *weaver) shared(n cc.ExpressionNode) bool {
	switch x := plain(n).(type) {
	case *cc.PrimaryExpression:
		if x.Case != cc.PrimaryExpressionIdent {
			return false
		}
		d, ok := x.ResolvedTo().(*cc.Declarator)
		return ok && w.sched.byName[d.Name()]
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex:
			return x.PostfixExpression.Type().Undecay().Kind() != cc.Array || isParam(x.PostfixExpression) || w.shared(x.PostfixExpression)
		case cc.PostfixExpressionSelect:
			return w.shared(x.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			return true
		}
	}
	return false
}

// isParam recognises parameters, which are pointers if they are declared as arrays.
func isParam(n cc.ExpressionNode) bool {
	p, ok := plain(n).(*cc.PrimaryExpression)
	if !ok {
		return false
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	return ok && d.IsParam()
}

var assignOps = map[cc.AssignmentExpressionCase]string{
	cc.AssignmentExpressionMul: "*", cc.AssignmentExpressionDiv: "/", cc.AssignmentExpressionMod: "%",
	cc.AssignmentExpressionAdd: "+", cc.AssignmentExpressionSub: "-", cc.AssignmentExpressionLsh: "<<",
	cc.AssignmentExpressionRsh: ">>", cc.AssignmentExpressionAnd: "&", cc.AssignmentExpressionXor: "^",
	cc.AssignmentExpressionOr: "|",
}

func (w *weaver) assign(x *cc.AssignmentExpression) string {
	if op, ok := assignOps[x.Case]; ok {
		return w.update(x.UnaryExpression, op, w.value(x.AssignmentExpression), false)
	}
	if !w.shared(x.UnaryExpression) {
		return "(" + w.place(x.UnaryExpression) + " = " + w.value(x.AssignmentExpression) + ")"
	}
	w.busy++
	if b := w.bits(x.UnaryExpression); b != "" {
		return "COMUS_BITS_WRITE(" + b + ", " + w.value(x.AssignmentExpression) + ")"
	}
	if x.UnaryExpression.Type().Kind() == cc.Struct && isStored(x.AssignmentExpression) {
		p := w.place(x.UnaryExpression)
		return fmt.Sprintf("(*(__typeof__(%[1]s) *)comus_copy(&%[1]s, &%[2]s, sizeof %[1]s))", p, w.place(x.AssignmentExpression))
	}
	return "COMUS_WRITE(" + w.place(x.UnaryExpression) + ", " + w.value(x.AssignmentExpression) + ")"
}

// update weaves compound assignments, ++ and --: a read, then a write; for an atomic
// variable one step.
func (w *weaver) update(target cc.ExpressionNode, op, amount string, old bool) string {
	p := w.place(target)
	if !w.shared(target) {
		switch {
		case old:
			return "(" + p + op + op + ")"
		case amount == "1":
			return "(" + p + " " + op + "= 1)"
		}
		return "(" + p + " " + op + "= " + amount + ")"
	}
	w.busy++
	name := "COMUS_UPDATE"
	if old {
		name = "COMUS_UPDATE_OLD"
	}
	if b := w.bits(target); b != "" {
		return fmt.Sprintf("COMUS_BITS_UPDATE%s(%s, %s, %s)", strings.TrimPrefix(name, "COMUS_UPDATE"), b, op, amount)
	}
	if atomic, _ := w.atomics.Lvalue(target); !atomic {
		return fmt.Sprintf("%s(%s, %s, %s)", name, p, op, amount)
	}
	t := w.temp()
	return fmt.Sprintf("({ __auto_type %s = %s; COMUS_ATOMIC(%s(%s, %s, %s)); })", t, amount, name, p, op, t)
}

package secondreader

import (
	"reflect"

	"modernc.org/cc/v4"
)

// children calls fn for each node and token that a node has, in no special order.
func children(n cc.Node, fn func(cc.Node)) {
	v := reflect.ValueOf(n)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i, t := 0, v.Type(); i < t.NumField(); i++ {
		f := v.Field(i)
		if !t.Field(i).IsExported() || f.Kind() != reflect.Pointer && f.Kind() != reflect.Interface && f.Kind() != reflect.Struct || f.IsZero() {
			continue
		}
		if c, ok := f.Interface().(cc.Node); ok {
			fn(c)
		}
	}
}

// walk looks for initialisers of static variables and for labels of cases.
func (f *facts) walk(n cc.Node) {
	switch n := n.(type) {
	case cc.Token:
		return
	case *cc.InitDeclarator:
		if d := n.Declarator; n.Initializer != nil && d.StorageDuration() == cc.Static {
			f.statics[d] = n.Initializer
		}
	case *cc.LabeledStatement:
		is := map[string]string{}
		switch n.Case {
		case cc.LabeledStatementRange:
			is["last"] = label(n, n.ConstantExpression2)
			fallthrough
		case cc.LabeledStatementCaseLabel:
			is["value"] = label(n, n.ConstantExpression)
			if is["last"] == "" {
				is["last"] = is["value"]
			}
			f.add("case", "", n.Token, is)
		}
	}
	children(n, f.walk)
}

// label is the value of a case's label in the type that its switch has.
func label(n *cc.LabeledStatement, x cc.ExpressionNode) string {
	if s := n.Switch(); s != nil && s.ExpressionList != nil {
		return value(x.Value().Convert(cc.IntegerPromotion(s.ExpressionList.Type())))
	}
	return value(x.Value())
}

package replay

import (
	"fmt"
	"slices"
	"strings"

	cfront "comus/internal/oldfront"

	"modernc.org/cc/v4"
)

// Variables whose declarations jumps lead past get their values where the jump enters
// their blocks. So they have to be visible there: they are declared at the beginning
// of the function, under names of their own, and their declarations become
// assignments.

// hoist renames the variables of a function that have to be declared at its beginning,
// and returns their declarations there.
func (w *weaver) hoist(f *cc.FunctionDefinition) string {
	w.jumps = cfront.FindJumps(f.CompoundStatement)
	w.hoisted, w.inFor = map[*cc.Declarator]string{}, map[*cc.Declaration]bool{}
	all := w.jumps.All()
	if len(all) == 0 {
		return ""
	}
	slices.SortFunc(all, func(a, b *cc.Declarator) int { return nameSeq(a) - nameSeq(b) })
	for _, d := range all {
		w.temps++
		w.hoisted[d] = fmt.Sprintf("comus_h%d_%s", w.temps, d.Name())
		w.renamed[nameSeq(d)] = w.hoisted[d]
	}
	w.rename(f.CompoundStatement)
	var b strings.Builder
	w.each(f.CompoundStatement, func(x *cc.Declaration) {
		for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			d := l.InitDeclarator.Declarator
			if w.hoisted[d] == "" {
				continue
			}
			w.canHoist(x, d, f)
			fmt.Fprintf(&b, " %s %s;", w.spelling(x.DeclarationSpecifiers), w.spelling(d))
			b.WriteString(w.binds(d, w.hoisted[d], false))
		}
	})
	return b.String()
}

// nameSeq returns the number of the token that is the name of a declarator.
func nameSeq(d *cc.Declarator) int {
	t := d.NameTok()
	return t.Seq()
}

// canHoist refuses variables whose types are not known at the beginning of the
// function.
func (w *weaver) canHoist(x *cc.Declaration, d *cc.Declarator, f *cc.FunctionDefinition) {
	open := f.CompoundStatement.Token.Seq()
	for _, t := range cc.NodeTokens(x.DeclarationSpecifiers) {
		if t.SrcStr() == "{" || t.SrcStr() == "__auto_type" || t.SrcStr() == "auto" {
			w.fail(d, "a jump past the declaration of '%s'", d.Name())
		}
	}
	if t := d.Type().Typedef(); t != nil && nameSeq(t) > open {
		w.fail(d, "a jump past the declaration of '%s', whose type is declared in the function", d.Name())
	}
	for t := d.Type(); t.Kind() == cc.Array; t = t.(*cc.ArrayType).Elem() {
		a := t.(*cc.ArrayType)
		if a.IsVLA() || !slices.ContainsFunc(cc.NodeTokens(d), func(k cc.Token) bool { return k.SrcStr() == "[" }) || emptyBrackets(d) {
			w.fail(d, "a jump past the declaration of the array '%s'", d.Name())
		}
	}
}

// emptyBrackets reports whether a declarator leaves the length to the initialiser.
func emptyBrackets(d *cc.Declarator) bool {
	toks := cc.NodeTokens(d)
	for i := range toks[:len(toks)-1] {
		if toks[i].SrcStr() == "[" && toks[i+1].SrcStr() == "]" {
			return true
		}
	}
	return false
}

// each calls f for the declarations below a node.
func (w *weaver) each(n cc.Node, f func(*cc.Declaration)) {
	if isNil(n) {
		return
	}
	if x, ok := n.(*cc.Declaration); ok {
		f(x)
	}
	each(n, func(m cc.Node) { w.each(m, f) })
}

// rename notes the names of the identifiers that denote hoisted variables.
func (w *weaver) rename(n cc.Node) {
	if isNil(n) {
		return
	}
	if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent {
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok && w.hoisted[d] != "" {
			w.renamed[x.Token.Seq()] = w.hoisted[d]
		}
	}
	each(n, w.rename)
}

// reassign replaces a declaration of which variables are hoisted by assignments and
// the declarations of the others.
func (w *weaver) reassign(x *cc.Declaration) bool {
	hoisted := false
	for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		hoisted = hoisted || w.hoisted[l.InitDeclarator.Declarator] != ""
	}
	if !hoisted {
		return false
	}
	var b strings.Builder
	for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator
		name := w.hoisted[d.Declarator]
		if name == "" {
			w.fail(d, "a declaration of several variables that jumps lead past")
		}
		p := d.Position()
		if d.Initializer == nil {
			b.WriteString(w.anyValue(p.Line, p.Column, d.Declarator.Name(), name))
			continue
		}
		fmt.Fprintf(&b, " { __typeof__(%s) comus_i = %s; __builtin_memcpy((void *)&%s, &comus_i, sizeof comus_i);", name, w.text(d.Initializer), name)
		if w.binds(d.Declarator, name, false) != "" {
			fmt.Fprintf(&b, " comus_initialised(&%s, sizeof %s);", name, name)
		}
		b.WriteString(" }")
	}
	toks := cc.NodeTokens(x)
	first, last := toks[0].Seq(), toks[len(toks)-1].Seq()
	w.instead[first], w.last[first] = b.String()+" ;", last
	if w.inFor[x] {
		w.instead[first] = "({" + b.String() + " 0; });"
	}
	return true
}

// anyValues returns the calls that give the hoisted variables any values.
func (w *weaver) anyValues(ds []*cc.Declarator) string {
	s := ""
	for _, d := range ds {
		p := d.Position()
		s += w.anyValue(p.Line, p.Column, d.Name(), w.hoisted[d])
	}
	return s
}

// enter weaves the values in where control enters blocks.
func (w *weaver) enter(n cc.Node) {
	switch x := n.(type) {
	case *cc.CompoundStatement:
		w.after[x.Token.Seq()] += w.anyValues(w.jumps.Skipped(x))
	case *cc.IterationStatement:
		if x.Case == cc.IterationStatementForDecl && len(w.jumps.Skipped(x)) > 0 {
			w.inFor[x.Declaration] = true
		}
	case *cc.JumpStatement:
		if x.Case == cc.JumpStatementReturn && w.fn == "main" {
			w.returnOfMain(x)
		}
		if s := w.anyValues(w.jumps.Entered(x)); s != "" {
			toks := cc.NodeTokens(x)
			first, last := toks[0].Seq(), toks[len(toks)-1].Seq()
			w.instead[first], w.last[first] = "{"+s+" "+w.spelling(x)+" }", last
		}
	}
}

// enterBySwitch weaves the condition of a switch whose cases are in blocks with
// hoisted variables.
func (w *weaver) enterBySwitch(x *cc.SelectionStatement) bool {
	s := w.anyValues(w.jumps.Entered(x))
	if x.Case != cc.SelectionStatementSwitch || s == "" {
		return false
	}
	toks := cc.NodeTokens(x.ExpressionList)
	first, last := toks[0].Seq(), toks[len(toks)-1].Seq()
	w.instead[first], w.last[first] = fmt.Sprintf("({ __auto_type comus_c = (%s) + 0;%s comus_c; })", w.value(x.ExpressionList), s), last
	w.visit(x.Statement)
	return true
}

// returnOfMain keeps main from leaving its frame: other threads may still use its
// variables.
func (w *weaver) returnOfMain(x *cc.JumpStatement) {
	toks := cc.NodeTokens(x)
	if x.ExpressionList == nil {
		w.after[toks[0].Seq()] += " comus_returns(0)"
		return
	}
	w.after[toks[0].Seq()] += " comus_returns("
	w.after[toks[len(toks)-2].Seq()] += ")"
}

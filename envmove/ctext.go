package envmove

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// CText returns env_move as a C function in the manner of Fig. 4 of the CoMuS
// paper: copies of the old values, havoc, and what is assumed of the move. havoc
// are the variables (and pcs) that a program tracks and the environment changes,
// keep tells which variables it tracks at all. What is known at one location of
// the main thread only stands under the number of the location, for each of
// cuts.
func (m *EnvMove) CText(havoc []*ir.Var, cuts []int, keep func(*ir.Var) bool) string {
	l := m.p.L
	var seed *logic.Term
	if m.facts != nil {
		seed = l.And(m.Seed(keep), m.facts.Between(m.Env, keep))
	} else {
		seed = l.True()
	}
	cases := m.casesByFact(cuts, keep)
	used := map[*logic.Term]bool{}
	for _, s := range logic.FreeVars(seed, m.Refined(keep)) {
		used[s] = true
	}

	var b strings.Builder
	arg := "void"
	if len(cases) > 0 {
		arg = "int at"
	}
	fmt.Fprintf(&b, "void env_move(%s) {\n", arg)
	for _, v := range havoc {
		if old := Old(l, v.Sym); used[old] {
			fmt.Fprintf(&b, "    %s %s = %s;\n", CType(v.Type), CName(old), CName(v.Sym))
		}
	}
	for _, v := range havoc {
		fmt.Fprintf(&b, "    %s = %s;\n", CName(v.Sym), CHavoc(v.Type))
	}
	for _, r := range m.Refinements {
		if m.covers(keep, r.Alpha) && m.covers(keep, r.Beta) {
			fmt.Fprintf(&b, "    if (%s) assume(%s);  // refinement %d\n", CExpr(m.before(r.Alpha)), CExpr(l.Not(r.Beta)), r.Number)
		}
	}
	if cs := logic.Conjuncts(seed); len(cs) > 0 {
		b.WriteString("    // seeds: where the environment can get to, and what it writes on the way\n")
		for _, c := range cs {
			fmt.Fprintf(&b, "    assume(%s);\n", CExpr(c))
		}
	}
	m.writeCases(&b, cases)
	b.WriteString("}\n")
	return b.String()
}

// factCase is a fact that holds while the main thread is at one of locs.
type factCase struct {
	fact *logic.Term
	locs []int
}

// casesByFact groups the locations by what is known there.
func (m *EnvMove) casesByFact(cuts []int, keep func(*ir.Var) bool) []*factCase {
	if m.facts == nil {
		return nil
	}
	var cases []*factCase
	for _, loc := range cuts {
		f := m.facts.Clauses(m.Main, loc, m.Env, keep)
		if f.IsTrue() {
			continue
		}
		i := slices.IndexFunc(cases, func(c *factCase) bool { return c.fact == f })
		if i < 0 {
			i = len(cases)
			cases = append(cases, &factCase{fact: f})
		}
		cases[i].locs = append(cases[i].locs, loc)
	}
	return cases
}

func (m *EnvMove) writeCases(b *strings.Builder, cases []*factCase) {
	if len(cases) == 0 {
		return
	}
	b.WriteString("    switch (at) {  // seeds: what holds in every reachable state\n")
	for _, c := range cases {
		b.WriteString("   ")
		for _, loc := range c.locs {
			fmt.Fprintf(b, " case %d:", loc)
		}
		b.WriteByte('\n')
		for _, f := range logic.Conjuncts(c.fact) {
			fmt.Fprintf(b, "        assume(%s);\n", CExpr(f))
		}
		if c.fact.IsFalse() {
			b.WriteString("        assume(false);\n")
		}
		b.WriteString("        break;\n")
	}
	b.WriteString("    }\n")
}

// CExpr returns a formula or term as a C expression over the names of [CName].
func CExpr(t *logic.Term) string {
	switch {
	case t.IsTrue():
		return "true"
	case t.IsFalse():
		return "false"
	}
	return t.C(logic.CStyle{Name: CName})
}

// CName returns the C name of a variable; of one that stands for an old value
// (see [Old]), the name of its copy.
func CName(sym *logic.Term) string {
	name, isOld := strings.CutPrefix(sym.Name(), "old:")
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
	if isOld {
		name += "_old"
	}
	return name
}

// CType returns the C type of a variable.
func CType(t ir.Type) string {
	if t == ir.Flag {
		return "bool"
	}
	name := "int"
	switch {
	case t.Bits <= 8:
		name = "char"
	case t.Bits <= 16:
		name = "short"
	case t.Bits > 32:
		name = "long long"
	}
	switch {
	case t.Signed && name == "char":
		return "signed char"
	case t.Signed || t.Bits == 31: // a program counter
		return name
	}
	return "unsigned " + name
}

// CHavoc returns the call that yields any value of a type.
func CHavoc(t ir.Type) string {
	return "havoc_" + strings.NewReplacer("unsigned ", "u", "signed ", "", " ", "").Replace(CType(t)) + "()"
}

package randc

import "strings"

// constantly calls f for expressions that have to be constant.
func (g *gen) constantly(f func() string) string {
	vars, pure, has, static := g.vars, g.pure, g.has, g.static
	g.vars, g.pure, g.static = nil, nil, true
	g.has &^= Floats | Math | StmtExprs | CompoundLiterals | Builtins | Generics
	s := f()
	g.vars, g.pure, g.has, g.static = vars, pure, has, static
	return s
}

// initial returns an initialiser, a constant one for static objects.
func (g *gen) initial(t *ctype, constant bool) string {
	if constant && !g.static {
		return g.constantly(func() string { return g.initial(t, true) })
	}
	switch {
	case t.num != nil && !constant:
		return g.valueFor(t, 1+g.IntN(2))
	case t.num != nil && t.num.float:
		return g.floatConstant()
	case t.num != nil:
		return g.int(g.IntN(3)).s
	case t.elem != nil:
		return g.initialArray(t, constant)
	case t.union:
		return "{ " + g.initial(t.members[0].t, constant) + " }"
	case !constant && g.IntN(4) == 0:
		if v := g.visible(func(v *variable) bool { return v.t == t }); v != nil {
			return v.text
		}
	}
	return g.initialStruct(t, constant)
}

// floatConstant returns a constant number that any floating variable may hold.
func (g *gen) floatConstant() string {
	s := sp("%v", float64(g.IntN(2000)-1000)/float64(1+g.IntN(64)))
	if g.chance(30) {
		s = sp("%d", g.IntN(100))
	}
	return s
}

func (g *gen) initialArray(t *ctype, constant bool) string {
	if n := t.elem.num; n != nil && n.bits == 8 && g.with(Strings, 50) && t.n > 1 {
		return g.literalUpTo(t.n)
	}
	var parts []string
	last := t.n
	if g.chance(30) {
		last = 1 + g.IntN(t.n)
	}
	for i := range last {
		parts = append(parts, g.initial(t.elem, constant))
		if g.has&Designators == 0 {
			continue
		}
		switch k := g.IntN(8); {
		case k == 0:
			parts[i] = sp("[%d] = %s", i, parts[i])
		case k == 1 && t.elem.num != nil: // gcc takes no others that are not constant
			parts[i] = sp("[%d ... %d] = %s, [%d] = %s", i, min(i+g.IntN(3), t.n-1), parts[i], i, g.initial(t.elem, constant))
		case k == 2:
			j := g.IntN(t.n)
			parts[i] = sp("[%d] = %s, [%d] = %s", j, g.initial(t.elem, constant), i, parts[i])
		}
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (g *gen) initialStruct(t *ctype, constant bool) string {
	var parts []string
	designate := g.with(Designators, 50)
	for i, m := range t.members {
		switch {
		case m.name == "" && m.width >= 0:
		case designate && g.chance(20): // left out
		case m.name == "" && designate:
			inner := m.t.members[g.IntN(2)]
			parts = append(parts, sp(".%s = %s", inner.name, g.initial(inner.t, constant)))
		case m.name == "" && m.t.union:
			parts = append(parts, "{ "+g.initial(m.t.members[0].t, constant)+" }")
		case m.t.elem != nil && designate && g.chance(30):
			parts = append(parts, sp(".%s[%d] = %s", m.name, g.IntN(m.t.n), g.initial(m.t.elem, constant)))
		case designate:
			parts = append(parts, sp(".%s = %s", m.name, g.initial(m.t, constant)))
			if g.chance(10) {
				parts = append(parts, sp(".%s = %s", m.name, g.initial(m.t, constant)))
			}
		default:
			if i > 1 && g.chance(10) {
				return "{ " + strings.Join(parts, ", ") + " }"
			}
			parts = append(parts, g.initial(m.t, constant))
		}
	}
	if designate && g.chance(50) {
		g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	if len(parts) == 0 {
		parts = []string{"0"}
		if m := t.members[0]; m.t.num == nil {
			parts = []string{"{ 0 }"}
		}
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// literalUpTo returns a string literal for an array of n characters.
func (g *gen) literalUpTo(n int) string {
	var b strings.Builder
	b.WriteString(`"`)
	for range g.IntN(n + 1) {
		b.WriteString(g.pick("a", "b", "x", "Z", "0", "%", " ", `\n`, `\\`, `\"`, `\001`, `\377`, `\t`, `\0`+`00`))
	}
	return b.String() + `"`
}

// mixAll returns statements that add all numbers of an object to the checksum.
func (g *gen) mixAll(text string, t *ctype) string {
	switch {
	case t.num != nil && t.num.float:
		g.helper("mixd", "static void mixd(double d) {\n  unsigned long u;\n  memcpy(&u, &d, sizeof u);\n  mix(u);\n}\n")
		return sp("mixd(%s);\n", text)
	case t.num != nil && t.num.bits == 128:
		return sp("mix((unsigned long)%s), mix((unsigned long)(%s >> 64));\n", text, text)
	case t.num != nil:
		return sp("mix(%s);\n", text)
	case t.elem != nil:
		i := g.name("i")
		return sp("for (int %s = 0; %s < %d; %s++) {\n%s}\n", i, i, t.n, i, g.mixAll(text+"["+i+"]", t.elem))
	case t.union:
		return g.mixAll(member1(text, t.members[0].name), t.members[0].t)
	}
	s := ""
	for _, m := range t.members {
		switch {
		case m.name == "" && m.width >= 0:
		case m.name == "":
			s += g.mixAll(member1(text, m.t.members[0].name), m.t.members[0].t)
			if !m.t.union {
				s += g.mixAll(member1(text, m.t.members[1].name), m.t.members[1].t)
			}
		default:
			s += g.mixAll(member1(text, m.name), m.t)
		}
	}
	return s
}

// member1 returns the expression for a member.
func member1(text, name string) string { return text + "." + name }

// dump returns statements that print a variable.
func (g *gen) dump(v *variable) string {
	if v.t.num == nil {
		return g.mixAll(v.text, v.t) + sp("printf(\"%s: %%lx\\n\", sum);\n", strings.Trim(v.text, "(*)"))
	}
	return g.print(strings.Trim(v.text, "(*)"), expr{s: v.text, prec: precPrimary, t: v.t.num})
}

// print returns a statement that prints a number.
func (g *gen) print(label string, e expr) string {
	switch {
	case e.t.bits == 128:
		return sp("printf(\"%s = %%lx:%%lx\\n\", (unsigned long)(%s >> 64), (unsigned long)%s);\n", label, g.in(e, precShift), g.in(e, precUnary))
	case e.t.float:
		return sp("printf(\"%s = %%%s\\n\", %s);\n", label, g.pick("a", ".17g", "a", "e", ".3f", "g"), e.s)
	}
	t := e.t
	if t.bits > 32 && t.bits < 64 {
		t = t.spelt()
		if !e.t.signed {
			t = ulongType
		}
	}
	if t != e.t || e.bits || t.bits == 1 {
		if t.rank < 0 {
			t = intType
			if !e.t.signed && e.t.bits >= 32 {
				t = uintType
			}
		}
		return sp("printf(\"%s = %%%s\\n\", (%s)%s);\n", label, t.format, t.name, g.in(e, precUnary))
	}
	f := t.format
	if !t.signed && g.chance(30) {
		f = strings.Replace(f, "u", g.pick("x", "X", "o"), 1)
	}
	return sp("printf(\"%s = %%%s\\n\", %s);\n", label, f, e.s)
}

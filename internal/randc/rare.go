package randc

// rare returns an expression of a kind that only some programs have.
func (g *gen) rare(x expr) expr {
	primary := func(s string, t *number, sp span) expr { return expr{s: s, prec: precPrimary, t: t, span: sp} }
	t := x.t
	named := !x.bits && !(t.bits > 32 && t.bits < 64) && t.bits != 128
	switch g.IntN(7) {
	case 0:
		if g.has&StmtExprs != 0 && named {
			v := g.name("q")
			return primary(sp("({ %s %s = %s; %s; })", g.pick(t.name, "__auto_type"), v, x.s, v), t, x.span)
		}
	case 1:
		if g.has&Generics != 0 && named {
			y := g.int(0)
			return primary(sp("_Generic(%s, %s: %s, default: %s)", g.in(x, precCond), "struct { int never; }", "(int)1", g.castText(intType, y)), intType, intType.full())
		}
	case 2:
		if g.has&CompoundLiterals != 0 && named {
			return primary(sp("(%s){ %s }", t.name, x.s), t, x.span)
		}
	case 3:
		if g.has&CompoundLiterals != 0 && g.has&Pointers != 0 && named {
			return primary(sp("*&(%s){ %s }", t.name, x.s), t, x.span).unaryPrec()
		}
	case 4:
		if g.has&Builtins != 0 && t.bits <= 64 {
			f := g.pick("popcount", "parity", "ffs")
			return primary(sp("__builtin_%sl(%s)", f, x.s), intType, small(0, 64))
		}
	case 5:
		if g.has&SideEffects != 0 {
			return primary("("+g.int(0).s+", "+x.s+")", t, x.span)
		}
	case 6:
		if g.has&Generics != 0 && named {
			u := sp("(__typeof__(%s))%s", g.in(x, precCond), g.in(x, precUnary))
			return primary(u, t, x.span).unaryPrec()
		}
	}
	return x
}

// castText returns e converted to a type.
func (g *gen) castText(t *number, e expr) string { return g.cast(t, e).s }

func (e expr) unaryPrec() expr {
	e.prec = precUnary
	return e
}

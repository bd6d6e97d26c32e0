package randc

import (
	"math/big"
	"slices"
	"strings"
	"sync"
)

// chunk makes statements of a kind.
type chunk struct {
	need   Features
	pure   bool // it fits into a function without effects
	weight int
	make   func(*gen) string
}

// chunks are all kinds of statements beside the plain ones. It is filled once, as
// some of them make others.
var chunks = sync.OnceValue(func() []chunk {
	return slices.Concat(byteChunks(), pointerChunks(), arrayChunks(), functionChunks(), stringChunks(), formatChunks(), jumpChunks(),
		switchChunks(), objectChunks(), declarationChunks(), layoutChunks(), valueChunks(), libraryChunks(), attributeChunks(), floatChunks(), extensionChunks())
})

// statements returns n statements.
func (g *gen) statements(n int) string {
	return g.scoped(func() string {
		var b strings.Builder
		for range n {
			b.WriteString(g.statement())
		}
		return b.String()
	})
}

// block returns some statements in braces, with what follows the last one.
func (g *gen) block(after ...string) string {
	g.depth++
	defer func() { g.depth-- }()
	return "{\n" + g.statements(1+g.IntN(2)) + strings.Join(after, "") + "}\n"
}

// statement returns a statement or a few that belong together.
func (g *gen) statement() string {
	k := g.IntN(20)
	if g.only >= 0 {
		k += g.IntN(20) // more chunks
	}
	if g.depth > 3 || k < 6 {
		return g.assignment()
	}
	switch {
	case k < 7 && g.loops < 3:
		return sp("if (%s) %s", g.int(2).s, strings.TrimSuffix(g.block(), "\n")+g.pick("\n", " else "+g.block()))
	case k < 9 && (g.loops < 1 || g.loops < 2 && !g.isPure):
		return g.loop()
	case k < 10 && !g.isPure && len(g.funcs) > 0 && g.loops < 2:
		return g.callStatement(g.funcs[g.IntN(len(g.funcs))])
	case k < 12 && !g.isPure && g.loops < 2:
		return g.print(g.name("t"), g.int(3))
	case k == 12:
		return g.local(g.object(2))
	case k == 13 && !g.isPure:
		return sp("mix(%s);\n", g.int(2).s)
	}
	return g.chunk()
}

// chunk returns statements of a kind of their own.
func (g *gen) chunk() string {
	total := 0
	fits := func(c chunk) bool { return g.has&c.need == c.need && (c.pure || !g.isPure && g.loops < 2) }
	for i, c := range chunks() {
		if fits(c) && i == g.only {
			return g.scoped(func() string { return c.make(g) })
		}
		if fits(c) {
			total += c.weight
		}
	}
	if total == 0 || g.depth > 2 {
		return g.assignment()
	}
	k := g.IntN(total)
	for _, c := range chunks() {
		if fits(c) {
			if k -= c.weight; k < 0 {
				g.depth++
				defer func() { g.depth-- }()
				return g.scoped(func() string { return c.make(g) })
			}
		}
	}
	return ""
}

// target returns a number to write to.
func (g *gen) target() (place, bool) {
	if v := g.visible(writable); v != nil {
		return g.leaf(whole(v)), true
	}
	return place{}, false
}

// assignment returns a statement that changes a variable.
func (g *gen) assignment() string {
	v := g.visible(writable)
	if v == nil {
		return ";\n"
	}
	p := whole(v)
	for p.t.num == nil {
		if p.t.name != "" && (!p.inUnion || p.t.raw) && g.IntN(3) == 0 {
			if s := g.valueFor(p.t, 0); s != v.text {
				return sp("%s = %s;\n", p.text, s)
			}
		}
		p, _ = g.step(p)
	}
	if p.t.num.float {
		return g.assignFloat(p)
	}
	switch k := g.IntN(8); {
	case k < 4:
		return sp("%s = %s;\n", p.text, g.valueFor(p.t, 1+g.IntN(3)))
	case k < 5:
		return g.increment(p)
	}
	return g.compound(p) + ";\n"
}

func (g *gen) assignFloat(p place) string {
	f := g.fits(g.floatOrInt(2), p.t.num)
	switch g.IntN(5) {
	case 0:
		return sp("%s = %s(%s %s %s);\n", p.text, g.finite(p.t.num), g.value(p).s, g.pick("+", "-", "*"), g.in(f, precUnary))
	case 1:
		if !p.inUnion {
			return sp("%s %s= %s;\n%s = %s(%s);\n", p.text, g.pick("+", "-", "*"), f.s, p.text, g.finite(p.t.num), p.text)
		}
	case 2:
		if !p.inUnion {
			return sp("%s%s;\n", p.text, g.pick("++", "--"))
		}
	}
	return sp("%s = %s;\n", p.text, f.s)
}

// overflows reports whether ++ and -- on p may overflow.
func (p place) overflows() bool {
	n := p.number()
	return n.signed && n.bits >= 32
}

func (g *gen) increment(p place) string {
	if p.overflows() {
		if p.width >= 0 {
			return sp("%s ^= 1;\n", p.text)
		}
		return sp("if (%s < 1000000 && %s > -1000000) %s;\n", p.text, p.text, g.pick(p.text+"++", p.text+"--", "++"+p.text, "--"+p.text))
	}
	return g.pick(p.text+"++", p.text+"--", "++"+p.text, "--"+p.text) + ";\n"
}

// compound returns a compound assignment to p.
func (g *gen) compound(p place) string {
	n := p.number()
	x := expr{s: p.text, prec: precPrimary, t: n, span: n.full()}
	y := g.int(1 + g.IntN(2))
	switch g.IntN(7) {
	case 0:
		return sp("%s %s= %s", p.text, g.pick("&", "|", "^"), y.s)
	case 1:
		if most := n.promoted().bits - 1; most+1 == n.bits || n.bits < 32 {
			by := sp("%d", g.IntN(min(most, n.bits)))
			if g.chance(50) {
				by = g.binary(y, "&", expr{s: "7", prec: precPrimary})
			}
			if n.signed && n.bits < 32 {
				return sp("%s >>= %s", p.text, by)
			}
			if n.bits < 24 || !n.signed && (n.bits == 32 || n.bits >= 64) {
				return sp("%s %s= %s", p.text, g.pick("<<", ">>"), by)
			}
			return sp("%s >>= %s", p.text, by)
		}
	case 2:
		y = g.divisor(y)
		if t := common(n, y.t); !t.signed || y.lo.Sign() > 0 || n.bits < 32 || y.lo.Cmp(big.NewInt(-1)) < 0 {
			return sp("%s %s= %s", p.text, g.pick("/", "%"), y.s)
		}
	}
	op := g.pick("+", "-", "*")
	t := common(n, y.t)
	if e := g.tryArith(x, op, y, t); !e {
		if t.bits > 32 && t.bits < 64 || t.bits == 64 {
			y = g.cast(ulongType, y)
		} else {
			y = g.cast(t.unsigned(), y)
		}
	}
	return sp("%s %s= %s", p.text, op, y.s)
}

// tryArith reports whether x op y cannot overflow.
func (g *gen) tryArith(x expr, op string, y expr, t *number) bool {
	return !t.signed || result(x.as(t), op, y.as(t)).in(t.full())
}

// loop returns a loop that ends.
func (g *gen) loop() string {
	k := g.name("k")
	n := 1 + g.IntN(7)
	g.loops++
	defer func() { g.loops-- }()
	v := &variable{text: k, t: scalar(intType), fixed: true, span: small(0, int64(n))}
	return g.scoped(func() string {
		g.vars = append(g.vars, v)
		leave := ""
		if g.chance(40) {
			leave = sp("if (%s) %s;\n", g.int(2).s, g.pick("break", "continue"))
		}
		switch g.IntN(5) {
		case 0:
			return sp("{\nint %s = %d;\nwhile (%s-- > 0) %s}\n", k, n, k, g.block(leave))
		case 1:
			return sp("{\nint %s = 0;\ndo %s while (++%s < %d);\n}\n", k, strings.TrimSuffix(g.block(leave), "\n"), k, n)
		case 2:
			return sp("for (int %s = %d; %s; %s--) %s", k, n, k, k, g.block(leave))
		case 3:
			return sp("{\nint %s = 0;\nfor (;;) {\nif (%s++ >= %d) break;\n%s}\n}\n", k, k, n-1, g.block(leave))
		}
		return sp("for (int %s = 0; %s < %d; %s++) %s", k, k, n, k, g.block(leave))
	})
}

// callStatement returns a call of a function with effects, and what becomes of its
// result: it goes to a variable of its own, which the function does not see.
func (g *gen) callStatement(f *function) string {
	r := g.name("r")
	s := sp("%s = %s(%s);\n", f.ret.declare(r), f.name, g.args(f, 1+g.IntN(2)))
	v := &variable{text: r, t: f.ret}
	g.vars = append(g.vars, v)
	if g.chance(60) {
		s += g.dump(v)
	}
	return s
}

package randseq

import "fmt"

// stmt writes a statement with at most depth statements around another.
func (g *generator) stmt(depth int) string {
	g.left--
	if depth <= 0 || g.left <= 0 {
		return g.simple()
	}
	switch k := g.IntN(12); {
	case k < 4:
		return g.loop(depth - 1)
	case k < 7:
		return g.jump(depth - 1)
	case k < 8:
		return fmt.Sprintf("if (%s) { %s} else { %s}\n", g.cond(), g.block(depth-1), g.block(depth-1))
	case k < 9:
		return g.choice(depth - 1)
	case k < 10:
		return g.text1()
	}
	return g.object()
}

func (g *generator) simple() string {
	v, e := g.pick(g.writes...), g.expr(1+g.IntN(2))
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("%s%s;\n", v, g.pick("++", "--"))
	case 1:
		return fmt.Sprintf("%s %s= %s;\n", v, g.pick("+", "-", "*", "^", "|", "&"), e)
	case 2:
		return fmt.Sprintf("x = (%s = %s, y++) + %d;\n", v, e, g.IntN(3))
	case 3:
		return fmt.Sprintf("y = ({ int q = %s; if (%s) q += 2; q; });\n", e, g.cond())
	case 4:
		if len(g.funcs) > 0 && g.IntN(2) == 0 {
			f, args := g.pick(g.funcs...), fmt.Sprintf("((%s) & 1, %s, %s)", g.expr(0), e, g.expr(0))
			if g.IntN(3) == 0 {
				return fmt.Sprintf("{ int (*h)(int, int, int) = %s; y = h%s; }\n", f, args)
			}
			return fmt.Sprintf("%s = %s%s;\n", g.pick("x", "y"), f, args)
		}
	case 5:
		return fmt.Sprintf("{ double d = %s; d = d * 2.5 + y; (void)d; }\n", e)
	}
	return fmt.Sprintf("%s = %s;\n", v, e)
}

// counted calls f with a counter that can be read, but is not written.
func (g *generator) counted(f func(k string) string) string {
	k := g.name("k")
	g.reads = append(g.reads, k)
	s := f(k)
	g.reads = g.reads[:len(g.reads)-1]
	return s
}

func (g *generator) loop(depth int) string {
	n := g.IntN(4)
	if g.IntN(8) == 0 {
		n = 7
	}
	leave := func() string {
		return g.pick("", "", "if ("+g.cond()+") break;\n", "if ("+g.cond()+") continue;\n")
	}
	return g.counted(func(k string) string {
		body := g.block(depth) + leave() + g.block(depth-1) + leave() + g.simple()
		switch g.IntN(5) {
		case 0:
			return fmt.Sprintf("for (int %s = 0; %s < %d; %s++) { %s}\n", k, k, n, k, body)
		case 1:
			return fmt.Sprintf("{ int %s = %d; while (%s-- > 0) { %s} }\n", k, n, k, body)
		case 2:
			return fmt.Sprintf("{ int %s = 0; do { %s} while (++%s < %d && (%s || 1)); }\n", k, body, k, n, g.cond())
		case 3:
			return fmt.Sprintf("{ int %s = 0; for (;;) { if (%s++ >= %d) break; %s} }\n", k, k, n, body)
		}
		return fmt.Sprintf("for (int %s = 0, m = %d; %s < m; %s += 1) { int z = %s; %sz ^= y; x += z; }\n", k, n, k, k, g.expr(1), body)
	})
}

// jump writes statements with goto.
func (g *generator) jump(depth int) string {
	l := g.name("L")
	c := g.cond()
	s := func() string { return g.block(depth) }
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("%s: %sif (fuel-- > 0 && %s) goto %s;\n", l, s(), c, l)
	case 1:
		return fmt.Sprintf("{ if (%s) goto %s; int q = %s; x += q; %s%s: q = %s; y ^= q; }\n", c, l, g.expr(1), s(), l, g.expr(1))
	case 2:
		return g.counted(func(k string) string {
			return fmt.Sprintf("{ int %s = 0; if (%s) goto %s; for (%s = 0; %s < 3; %s++) { %sif (%s) continue; %s: %s} }\n", k, c, l, k, k, k, s(), g.cond(), l, s())
		})
	case 3:
		return g.counted(func(k string) string {
			return fmt.Sprintf("{ int %s = 0; while (%s < 3) { %s++; %s%s: %s} if (fuel-- > 0 && %s) goto %s; }\n", k, k, k, s(), l, s(), c, l)
		})
	case 4:
		return g.counted(func(k string) string {
			return fmt.Sprintf("for (int %s = 0; %s < 2; %s++) { for (int j = 0; j < 2; j++) { %sif (%s) goto %s; %s} }\n", k, k, k, s(), c, l, g.simple())
		}) + l + ": " + s()
	}
	return fmt.Sprintf("if (%s) { %sgoto %s; } else { %sif (%s) { %s: %s} }\n", c, s(), l, s(), g.cond(), l, s())
}

// choice writes a switch.
func (g *generator) choice(depth int) string {
	s := func() string { return g.block(depth) }
	if g.IntN(2) == 0 {
		return g.counted(func(k string) string {
			return fmt.Sprintf("{ int %s = %d; switch ((%s) & 3) { case 0: do { %scase 1: %scase 2: %s%sdefault: %s} while (--%s > 0); } }\n",
				k, 1+g.IntN(3), g.expr(1), s(), s(), s(), g.pick("", "if ("+g.cond()+") break;\n", "if ("+g.cond()+") continue;\n"), s(), k)
		})
	}
	return fmt.Sprintf("switch (%s) { case 0: %sbreak; case 1 ... 3: %sdefault: %s%scase -1: %sif (%s) break; %s}\n",
		g.expr(1), s(), s(), s(), g.pick("", "break; "), s(), g.cond(), s())
}

// text1 writes calls of the functions of strings.
func (g *generator) text1() string {
	lit := func() string { return g.pick(`"ab"`, `""`, `"abc"`, `"b\200"`, `"a\0b"`, `"\x041"`) }
	s := fmt.Sprintf("{ char s[12] = %s, t[8] = { 'a', [1 ... 3] = 'b', [2] = %d }; ", lit(), g.IntN(3))
	if g.IntN(2) == 0 {
		s += fmt.Sprintf("if (%s) strcpy(s, %s); ", g.cond(), lit())
	}
	s += g.pick(fmt.Sprintf("strcat(s, %s); ", lit()), fmt.Sprintf("strncpy(s, %s, %d); s[9] = 0; ", lit(), g.IntN(6)), fmt.Sprintf("memset(t, '%s', %d); ", g.pick("a", "c"), g.IntN(3)))
	s += fmt.Sprintf("s[(%s) & 1] = 'a' + (%s & 1); ", g.expr(0), g.expr(0))
	return s + g.pick("x += strlen(s) * 5 + strlen(t);", fmt.Sprintf("y = strcmp(s, %s) > 0;", lit()), "x ^= strcmp(t, s) < 0;",
		fmt.Sprintf("y += strncmp(s, t, (%s) & 3) == 0;", g.expr(0)), "x -= memcmp(s, t, 2) > 0;") + " y ^= s[1]; }\n"
}

// object writes a block with a variable of another type.
func (g *generator) object() string {
	e := func() string { return g.expr(1) }
	s := g.simple()
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("{ static int c = 3; c += %s; %sx ^= c; }\n", e(), s)
	case 1:
		return fmt.Sprintf("{ int *p = (int[3]){ %s, [2] = %s }; %sp[(%s) & 1] = %s; x = p[1] + p[0] - p[2]; }\n", e(), e(), s, e(), e())
	case 2:
		return fmt.Sprintf("{ struct %ss s = { .d = %s, .a = %s, .c = { 1, %s } }, t = s; s.b += %s; %st.a += s.b--; x ^= s.a + t.a * 3 + s.c[1] + t.d + s.b; }\n",
			g.prefix, e(), e(), e(), e(), s)
	case 3:
		return fmt.Sprintf("{ union { int i; unsigned u; } w; w.i = %s; %sw.u >>= 3; x = w.i; }\n", e(), s)
	case 4:
		return fmt.Sprintf("{ int m = %d; int w[m]; for (int i = 0; i < m; i++) w[i] = i ^ %s; %sx += w[m - 1] + w[(unsigned)(%s) %% 2]; }\n", 2+g.IntN(3), e(), s, e())
	case 5:
		return fmt.Sprintf("{ int w[6] = { [0 ... 2] = %s, [1] = %s, [4 ... 5] = %s }; %sx += w[(%s) & 3] + w[1] * w[5] - w[0]; }\n", e(), e(), e(), s, e())
	case 6:
		return fmt.Sprintf("{ int *p = %s; p += %s & 1; *p ^= %s; p++; %sx += *p-- + 1; y -= *p; }\n", g.pick("l", g.prefix+"a", "&l[1]"), g.pick("x", "n", "1"), e(), s)
	case 7:
		return fmt.Sprintf("{ int m[2][3] = { [0 ... 1] = { 1, [1 ... 2] = 5 }, [1] = { [1] = %s } }; m[(%s) & 1][2] += 3; %sx += m[1][0] + m[1][1] * 2 + m[0][2] + m[1][2]; }\n", e(), e(), s)
	}
	return fmt.Sprintf("{ struct %ss s = (struct %ss){ %s, .c[1] = %s }; struct %ss *p = &s; p->c[0] += %s; %sy = p->c[0] ^ s.c[1] ^ (p->b = %s); }\n",
		g.prefix, g.prefix, e(), e(), g.prefix, e(), s, e())
}

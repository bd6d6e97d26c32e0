package randprog

import (
	"fmt"
	"strings"
)

// statement returns a random statement, of one line or more.
func (g *sequential) statement() string {
	g.budget--
	if g.depth < 2 && g.chance(35) {
		return g.compound()
	}
	if g.has != 0 && g.chance(35) {
		if s := g.special(); s != "" {
			return s
		}
	}
	switch g.r.IntN(16) {
	case 0:
		return g.target() + g.of("++;", "--;")
	case 1:
		return fmt.Sprintf("%s %s %s;", g.target(), g.of("+=", "-=", "*=", "^=", "&=", "|="), g.of("1", "3", "-5", "12"))
	case 2:
		return fmt.Sprintf("%s %s %s;", g.target(), g.of("+=", "-="), g.expr(1))
	case 3:
		return fmt.Sprintf("%s %s %s;", g.of("u0", "m0", "k0", "d0"), g.of("<<=", ">>=", "/=", "%="), g.of("1", "2", "5"))
	case 4, 5:
		if g.calls > 0 {
			return fmt.Sprintf("%s = f%d(%s, %s);", g.plain(), g.r.IntN(g.calls), g.expr(1), g.expr(1))
		}
	case 6:
		return g.of("t = s;", "s.n = t.n;", "t.n = s.n;", "memset(&t, 0, sizeof t);", "memcpy(&t, &s, sizeof t);",
			"memset(v, 0, sizeof v);", "memcpy(&t.n, &s.n, sizeof s.n);", "memmove(&s.n.d, &t.n.d, sizeof s.n.d);")
	case 7:
		return fmt.Sprintf("s = (struct outer){ .b = %s, .n.d[1] = %s };", g.expr(1), g.leaf())
	case 8:
		return fmt.Sprintf("w.i = %s;\n%s = w.u;", g.expr(1), g.target())
	case 9:
		return g.pointer()
	case 10:
		return fmt.Sprintf("%s = (i0++, %s);", g.plain(), g.leaf())
	case 11:
		return fmt.Sprintf("b0 = %s %s i1%s < %d;", g.cond(), g.of("&&", "||"), g.of("++", "--"), g.number())
	case 12:
		return fmt.Sprintf("i2 = ({ int tmp = %s; tmp -= %d; tmp; });", g.expr(1), g.number())
	case 13:
		return fmt.Sprintf("e0 = %s ? red : blue;", g.cond())
	}
	return fmt.Sprintf("%s = %s;", g.target(), g.expr(2))
}

// pointer uses a pointer with one target.
func (g *sequential) pointer() string {
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("{\n    int *p = &v[%d];\n    *p++ = %s;\n    p[1] -= *p;\n    i0 = p - v;\n}", g.r.IntN(2), g.expr(1))
	case 1:
		return fmt.Sprintf("{\n    struct outer *p = &%s;\n    p->n.d[%s] = %s;\n    p->b--;\n}", g.of("s", "t"), g.of("0", "1", "u0 % 2"), g.expr(1))
	case 2:
		return fmt.Sprintf("{\n    unsigned char *p = &d0;\n    (*p) += %s;\n    h0 = *p;\n}", g.leaf())
	}
	return fmt.Sprintf("for (int *p = v; p < v + 4; p++) *p += %s;", g.of("1", "i0", "u0", "h0"))
}

// compound returns a statement with others inside.
func (g *sequential) compound() string {
	switch g.r.IntN(8) {
	case 0, 1:
		s := "if (" + g.cond() + ") " + g.body()
		if g.chance(50) {
			s += " else " + g.body()
		}
		return s
	case 2, 3:
		return g.loop()
	case 4, 5:
		return g.choice()
	case 6:
		l := g.fresh("out")
		return fmt.Sprintf("{\n    if (%s) goto %s;\n    %s = %s;\n%s:;\n}", g.cond(), l, g.target(), g.expr(1), l)
	}
	l := g.fresh("again")
	n := g.fresh("n")
	return fmt.Sprintf("{\n    int %s = 0;\n%s:\n    %s += %s;\n    if (++%s < %d) goto %s;\n}", n, l, g.target(), g.leaf(), n, 1+g.r.IntN(3), l)
}

// loop returns a loop that ends, with a jump perhaps.
func (g *sequential) loop() string {
	k := fmt.Sprintf("k%d", 10+g.loops)
	g.loops++
	defer func() { g.loops-- }()
	body := g.body()
	if g.chance(50) {
		body = fmt.Sprintf("{\n    if (%s) %s;\n", g.cond(), g.of("break", "continue")) + strings.TrimPrefix(body, "{\n")
	}
	limit := 2 + g.r.IntN(3)
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("{\n    int %s = 0;\n    do %s while (++%s < %d);\n}", k, body, k, limit)
	case 1:
		return fmt.Sprintf("for (unsigned %s = %d; %s-- > 0;) %s", k, limit, k, body)
	case 2:
		return fmt.Sprintf("for (int %s = (unsigned)%s %% 3; %s < %d; %s++) %s", k, g.of("i0", "u0", "d0"), k, limit, k, body)
	}
	return fmt.Sprintf("for (int %s = 0; %s < %d; %s++) %s", k, k, limit, k, body)
}

// choice returns a switch.
func (g *sequential) choice() string {
	var b strings.Builder
	fmt.Fprintf(&b, "switch (%s) {\n", g.of("(unsigned)"+g.leaf()+" % 5", g.leaf(), "e0", "c0"))
	for i, l := range []string{"case 0:", "case 1 ... 3:", "case 5:", "default:", "case -1:"} {
		if !g.chance(60) {
			continue
		}
		fmt.Fprintf(&b, "%s\n    %s = %s;\n", l, g.target(), g.expr(1))
		if g.chance(70) || i == 4 {
			b.WriteString("    break;\n")
		}
	}
	if s := b.String(); strings.Contains(s, ":\n") {
		return s + "}"
	}
	return b.String() + "default: break;\n}"
}

// special returns a statement with one of the constructs that not all programs have,
// or "".
func (g *sequential) special() string {
	switch Construct(1) << g.r.IntN(7) & g.has {
	case Targets:
		return g.of(
			fmt.Sprintf("{\n    int *p = &i0;\n    if (%s) p = %s;\n    *p += %s;\n    if (p == &i0) i1++;\n}", g.cond(), g.of("&i1", "&v[2]", "&s.a", "&v[u0 % 4]"), g.leaf()),
			fmt.Sprintf("{\n    struct outer *p = %s ? &s : &t;\n    p->a = %s;\n    p->n.d[%s]++;\n}", g.cond(), g.expr(1), g.of("0", "1", "u1 % 2")))
	case Heap:
		return g.heap()
	case Recursive:
		return g.of(
			fmt.Sprintf("%s = down((unsigned)%s %% 5, %s);", g.target(), g.leaf(), g.leaf()),
			fmt.Sprintf("%s = even(%d) - odd(%d);", g.target(), g.r.IntN(6), g.r.IntN(6)),
			fmt.Sprintf("fill(v, %d);", g.r.IntN(4)))
	case Texts:
		return g.text()
	case Tables:
		if g.table {
			return fmt.Sprintf("%s = table[(unsigned)%s %% 3](%s, %s);", g.plain(), g.of("i0", "u0", "h0", "c0"), g.leaf(), g.leaf())
		}
	case Floats:
		return fmt.Sprintf("{\n    double noise = %s;\n    noise = noise * 1.5 + 2;\n}", g.of("i0", "0.25", "u0"))
	}
	return ""
}

// heap uses memory that is allocated.
func (g *sequential) heap() string {
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("{\n    int *p = malloc(3 * sizeof(int));\n    for (int j = 0; j < 3; j++) p[j] = %s + j;\n    p[u0 %% 3] = %s;\n    %s = p[0] + 2 * p[1] - p[2];\n    free(p);\n}",
			g.leaf(), g.leaf(), g.target())
	case 1:
		return fmt.Sprintf("{\n    struct outer *p = calloc(1, sizeof(struct outer)), *q = malloc(sizeof *q);\n    p->n.d[%s] = %s;\n    *q = %s ? *p : s;\n    t = *q;\n    free(q);\n    free(p);\n}",
			g.of("0", "1", "u0 % 2"), g.leaf(), g.cond())
	}
	return fmt.Sprintf(`{
    struct node *l = 0;
    for (int j = 0; j < %d; j++) {
        struct node *n = malloc(sizeof *n);
        n->value = %s + j;
        if (%s) { n->next = l; l = n; }
        else if (l) { n->next = l->next; l->next = n; }
        else { n->next = 0; l = n; }
    }
    int sum = 0;
    for (struct node *n = l; n; n = n->next) sum = sum * 3 + n->value;
    %s = sum;
    while (l) { struct node *n = l->next; free(l); l = n; }
}`, 1+g.r.IntN(3), g.leaf(), g.cond(), g.target())
}

// text uses strings.
func (g *sequential) text() string {
	return g.of(
		fmt.Sprintf("{\n    char str[8] = %q;\n    str[1] += %s %% 3;\n    %s = strlen(str) + str[%s];\n}", g.of("abc", "xy", "hello", "q"), g.of("i0", "u0"), g.target(), g.of("0", "1", "u0 % 3")),
		fmt.Sprintf("{\n    char str[8];\n    strcpy(str, %q);\n    %s = (strcmp(str, %q) > 0) + 2 * (strcmp(str, \"m\") < 0);\n    %s = str[0];\n}", g.of("abc", "xy", "m"), g.target(), g.of("abd", "xy", "ab"), g.target()),
		fmt.Sprintf("{\n    const char *str = %q;\n    while (*str) { %s += *str; str++; }\n}", g.of("abc", "xy", ""), g.of("i0", "u0", "h0", "l0")))
}

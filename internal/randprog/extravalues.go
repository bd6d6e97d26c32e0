package randprog

import "fmt"

func declareCopies(g *generator) {
	g.global("struct pair { int a, b; signed char c; };", "struct pair s1, s2 = {1, 1, 1};")
	g.function("static struct pair turned(struct pair v)", line("struct pair r = {v.b, v.a, v.c};"), line("return r;"))
	g.function("static void fill(struct pair *to, int k)", line("to->a = k;"), line("to->b = k;"))
}

// copies copies structs that others copy at the same time, a member after the other.
func (s *scope) copies() *node {
	v := pick(s.generator, []string{"s1", "s2"})
	switch s.r.IntN(9) {
	case 0:
		return line("s1 = s2;")
	case 1:
		return line("s2 = s1;")
	case 2:
		return line("%s = (struct pair){%d, %d, 1};", v, s.small(), s.small())
	case 3:
		return block("", []*node{line("struct pair l = %s;", v), line("assert(l.a == l.b || l.c == %d);", s.small())})
	case 4:
		return line("%s.%s = %d;", v, pick(s.generator, []string{"a", "b", "c"}), s.small())
	case 5:
		return line("%s = turned(%s);", v, pick(s.generator, []string{"s1", "s2"}))
	case 6:
		return line("fill(&%s, %d);", v, s.small())
	case 7:
		return block("", []*node{line("struct pair *l = %s ? &s1 : &s2;", s.compare()), line("%s = *l;", v)})
	}
	return line("%s = %s.a;", s.local(), v)
}

func declareBlocks(g *generator) { g.global("int ar[3], as[3] = {1, 2, 1};") }

// blocks fills and copies arrays.
func (s *scope) blocks() *node {
	v := pick(s.generator, []string{"ar", "as"})
	switch s.r.IntN(8) {
	case 0:
		return line("memset(%s, 0, sizeof %s);", v, v)
	case 1:
		return line("memcpy(ar, as, sizeof ar);")
	case 2:
		return line("memcpy(&%s[%d], &%s, sizeof(int));", v, s.r.IntN(3), s.int())
	case 3:
		return line("memmove(ar + %d, as + %d, 2 * sizeof(int));", s.r.IntN(2), s.r.IntN(2))
	case 4:
		return line("%s[%d] = %s;", v, s.r.IntN(3), s.operand(""))
	case 5:
		return block("", []*node{line("int l[3];"), line("memcpy(l, %s, sizeof l);", v), line("assert(l[0] != %d || l[2] != %d);", s.small(), s.small())})
	case 6:
		return line("assert(%s[%d] <= %d);", v, s.r.IntN(3), s.small())
	}
	return line("%s = %s[%d];", s.local(), v, s.r.IntN(3))
}

// declareStrings has two texts of at most three characters: the fourth stays 0.
func declareStrings(g *generator) {
	g.global(`char tb[4] = "ab";`, "char tc[4];")
}

func (s *scope) strings() *node {
	v := pick(s.generator, []string{"tb", "tc"})
	text := pick(s.generator, []string{`"ab"`, `"b"`, `""`, `"abc"`})
	switch s.r.IntN(8) {
	case 0:
		return line("strcpy(%s, %s);", v, text)
	case 1:
		return line("strcpy(tc, tb);")
	case 2:
		return line("%s[%d] = %s;", v, s.r.IntN(3), pick(s.generator, []string{"'a'", "'b'", "0"}))
	case 3:
		return line("%s = (int)strlen(%s);", s.local(), v)
	case 4:
		return line("%s = strcmp(%s, %s) == 0;", s.local(), v, text)
	case 5:
		return line("assert(strlen(%s) %s %d);", v, pick(s.generator, []string{"<=", "!="}), 1+s.small())
	case 6:
		return line("strcpy(tb, %s);", text)
	}
	return line("%s = strcmp(tb, tc) < 0;", s.local())
}

// declareRecursion has functions that call themselves, first and last.
func declareRecursion(g *generator) {
	v, w := g.int(), g.int()
	g.function("static void down(int n)", block("if (n > 0)", []*node{line("%s = n;", v), line("down(n - 1);")}))
	g.function("static int sum(int n)", line("return n <= 0 ? 0 : sum(n - 1) + (%s == n);", w))
	g.function("static void both(int n)", block("if (n > 0)", []*node{line("both(n - 1);"), line("%s = n;", w), line("both(n - 2);")}))
}

func (s *scope) recursion() *node {
	switch s.r.IntN(4) {
	case 0:
		return line("%s = sum(%d);", s.local(), 1+s.r.IntN(2))
	case 1:
		return line("both(%d);", 1+s.r.IntN(2))
	case 2:
		return line("assert(sum(2) <= %d);", s.small())
	}
	return line("down(%d);", 1+s.r.IntN(3))
}

// switches has cases that fall through or not.
func (s *scope) switches() *node {
	of := pick(s.generator, []string{s.int(), s.local(), "(" + s.int() + " + 1) % 3"})
	var cases []*node
	for k := range 2 {
		c := &node{head: fmt.Sprintf("case %d:", k), body: s.body(1)}
		if s.chance(70) {
			c.tail = "    break;"
		}
		cases = append(cases, c)
	}
	if s.chance(60) {
		at := s.r.IntN(3)
		c := &node{head: "default:", body: s.body(1), tail: "    break;"}
		cases = append(cases[:at], append([]*node{c}, cases[at:]...)...)
	}
	return block("switch ("+of+")", cases)
}

func declareArithmetic(g *generator) {
	g.global(fmt.Sprintf("unsigned ui = %s;", pick(g, []string{"0", "1", "4294967295u"})),
		fmt.Sprintf("unsigned char uc = %d;", pick(g, []int{0, 127, 255})),
		fmt.Sprintf("signed char sc = %d;", pick(g, []int{-128, -1, 127})),
		fmt.Sprintf("unsigned short us = %d;", pick(g, []int{0, 65535})))
}

// arithmetic has operations that wrap around, lose bits or change the sign.
func (s *scope) arithmetic() *node {
	v := pick(s.generator, []string{"ui", "uc", "us"})
	switch s.r.IntN(11) {
	case 0:
		return line("%s = %s %s %du;", v, v, pick(s.generator, []string{"+", "-", "*", "^", ">>", "<<", "/"}), 1+s.r.IntN(3))
	case 1:
		return line("%s%s;", v, pick(s.generator, []string{"++", "--"}))
	case 2:
		return line("sc = (signed char)%s;", v)
	case 3:
		return line("%s = %s;", v, pick(s.generator, []string{"sc", s.int(), "~0", "-1"}))
	case 4:
		l := s.local()
		return bracket(fmt.Sprintf("%s = sc;", l), fmt.Sprintf("%s = %s %s %s;", l, v, pick(s.generator, []string{"<", ">", "=="}), l), nil)
	case 5:
		return line("%s = sc >> %d;", s.local(), 1+s.r.IntN(7))
	case 6:
		return line("%s = (int)(%s %% 3u);", s.int(), v)
	case 7:
		return line("assert(%s %s %du);", v, pick(s.generator, []string{"!=", "<", ">"}), pick(s.generator, []int{0, 1, 128, 255, 65535}))
	case 8:
		return line("assert(sc - 1 < %s);", pick(s.generator, []string{"0", "127", "sizeof(int)"}))
	case 9:
		return line("uc = (unsigned char)ui;")
	}
	return line("%s = (%s & %d) != 0;", s.local(), v, 1<<s.r.IntN(8))
}

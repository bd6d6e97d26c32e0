package randprog

import "fmt"

// declareChoices has pointers to the shared variables: one alone and two in an array
// with an index that threads change. None of them is ever null.
func declareChoices(g *generator) {
	g.global(fmt.Sprintf("int *ps = &%s;", g.int()), fmt.Sprintf("int *pa[2] = {&%s, &%s};", g.int(), g.int()), "int ph;")
	g.function("static void put(int *to, int value)", line("*to = value;"))
	g.function("static int get(int **from)", line("return **from;"))
}

// choice moves one of the pointers, or goes through one.
func (s *scope) choice() *node {
	target := func() string {
		return pick(s.generator, []string{"&" + s.int(), "&" + s.int(), "pa[ph]", "ps"})
	}
	switch s.r.IntN(14) {
	case 0, 1:
		return line("ps = %s;", target())
	case 2:
		return line("ps = %s ? %s : &%s;", s.compare(), "&"+s.int(), s.int())
	case 3:
		return line("pa[ph] = &%s;", s.int())
	case 4, 5:
		return line("ph = %s;", pick(s.generator, []string{"0", "1", "1 - ph", s.int() + " == 1"}))
	case 6:
		return line("*pa[ph] = %d;", s.small())
	case 7:
		return line("%s = *pa[ph];", s.local())
	case 8:
		return line("*ps = %d;", s.small())
	case 9:
		return line("put(%s, %d);", target(), s.small())
	case 10:
		return line("%s = get(%s);", s.local(), pick(s.generator, []string{"&ps", "&pa[ph]", "pa", "pa + 1"}))
	case 11:
		return line("assert(*%s != %d);", pick(s.generator, []string{"ps", "pa[ph]"}), 1+s.small())
	case 12:
		return block("", []*node{line("int **l = %s ? &ps : &pa[ph];", s.compare()), line("*l = &%s;", s.int()), line("**l = %d;", s.small())})
	}
	v := s.int()
	return block("", []*node{line("int *l = %s ? ps : pa[ph];", s.compare()), line("if (l %s &%s) *l = %d;", pick(s.generator, []string{"==", "!="}), v, s.small())})
}

const nodeType = "struct node { int value; struct node *next; };"

func (g *generator) nodes() {
	if !g.noded {
		g.global(nodeType)
	}
	g.noded = true
}

// declareList has a list of nodes, to which some add without the lock. Nodes that were
// added are not changed, and freed only if everybody uses the lock.
func declareList(g *generator) {
	g.nodes()
	g.global("struct node *top;", "pthread_mutex_t lm = PTHREAD_MUTEX_INITIALIZER;")
	g.careful = g.chance(60)
}

func (s *scope) list() *node {
	const unlock = "pthread_mutex_unlock(&lm);"
	section := func(body ...*node) *node {
		if !s.careful && s.chance(40) {
			return bracket(";", ";", body)
		}
		return bracket("pthread_mutex_lock(&lm);", unlock, body)
	}
	switch s.r.IntN(6) {
	case 0, 1, 2:
		return block("", []*node{line("struct node *n = malloc(sizeof *n);"), line("n->value = %s;", s.operand("")),
			section(line("n->next = top;"), line("top = n;"))})
	case 3:
		l := s.local()
		taken := []*node{line("%s = n->value;", l), line("top = n->next;")}
		if s.careful && s.chance(50) {
			taken = append(taken, line("free(n);"))
		}
		return section(block("", []*node{line("struct node *n = top;"), block("if (n)", taken)}))
	case 4:
		return section(line("for (struct node *n = top; n; n = n->next) assert(n->value != %d);", 1+s.small()))
	}
	l := s.local()
	return bracket(fmt.Sprintf("%s = 0;", l), fmt.Sprintf("assert(%s <= %d);", l, s.small()),
		[]*node{section(line("for (struct node *n = top; n; n = n->next) %s++;", l))})
}

// declareHandover has a pointer to a node that one thread puts there for another.
func declareHandover(g *generator) {
	g.nodes()
	g.global("struct node *slot;")
}

// handover puts a node into the slot, sometimes before it is complete, or looks at the
// one that is there.
func (s *scope) handover() *node {
	l := s.local()
	switch s.r.IntN(5) {
	case 0, 1:
		body := []*node{line("struct node *n = calloc(1, sizeof *n);"), line("n->value = %d;", 1+s.r.IntN(2)), line("slot = n;")}
		if s.chance(25) {
			body[1], body[2] = body[2], body[1]
		}
		return block("", body)
	case 2:
		if s.has(Awaits) && !s.atomic && !s.alone {
			return block("", []*node{line("struct node *n;"), {head: "while ((n = slot) == 0)", tail: "    ;"},
				line("%s = n->value;", l), line("assert(%s >= %d);", l, 1+s.r.IntN(8)/7)})
		}
	case 3:
		return block("", []*node{line("struct node *n = slot;"), block("if (n)", []*node{
			line("slot = %s;", pick(s.generator, []string{"0", "n->next"})), line("%s = n->value;", l), line("assert(%s != %d);", l, s.small())})})
	}
	return block("", []*node{line("struct node *n = slot;"), line("if (n) n->value = %d;", 1+s.r.IntN(2))})
}

// declareTable has functions in a table with an index that threads change.
func declareTable(g *generator) {
	for i := range 2 {
		g.function(fmt.Sprintf("static int act%d(int k)", i), line("%s = %d;", g.int(), g.small()), line("return k + %d;", i))
	}
	g.global("static int act0(int k);", "static int act1(int k);", "int (*table[2])(int) = {act0, act1};", "int (*fs)(int) = act0;", "int fi;")
}

func (s *scope) table() *node {
	call := fmt.Sprintf("(%s)", s.operand(""))
	switch s.r.IntN(8) {
	case 0:
		return line("fi = %s;", pick(s.generator, []string{"0", "1", "1 - fi"}))
	case 1:
		return line("fs = %s;", pick(s.generator, []string{"act0", "act1", "table[fi]"}))
	case 2, 3:
		return line("%s = fs%s;", s.local(), call)
	case 4:
		return line("table[fi] = act%d;", s.r.IntN(2))
	case 5:
		return block("", []*node{line("int (*l)(int) = %s ? act0 : act1;", s.compare()), line("%s = l%s;", s.local(), call)})
	case 6:
		return line("assert(fs == act%d || fi == %d);", s.r.IntN(2), s.r.IntN(2))
	}
	return line("%s = table[fi]%s;", s.local(), call)
}

// declareCells has two structs with a mutex each, and a pointer to one of them.
func declareCells(g *generator) {
	g.global("struct cell { pthread_mutex_t lock; int value; struct cell *other; };", "struct cell cells[2];", "int ci;")
	g.start("for (int i = 0; i < 2; i++) pthread_mutex_init(&cells[i].lock, 0);")
	g.start("cells[0].other = &cells[1];")
	g.start("cells[1].other = &cells[%d];", g.r.IntN(2))
}

// cell changes a cell under its own lock.
func (s *scope) cell() *node {
	which := pick(s.generator, []string{"&cells[0]", "&cells[1]", "&cells[ci]", "cells + ci", "cells[ci].other", s.compare() + " ? &cells[0] : &cells[1]"})
	l := s.local()
	lock, unlock := "pthread_mutex_lock(&l->lock);", "pthread_mutex_unlock(&l->lock);"
	switch s.r.IntN(7) {
	case 0:
		return line("ci = %s;", pick(s.generator, []string{"0", "1", "1 - ci"}))
	case 1:
		return line("assert(cells[%d].value <= %d);", s.r.IntN(2), s.small())
	case 2:
		return block("", []*node{line("struct cell *l = %s;", which), line("if (l->other == &cells[0]) l->value = %d;", s.small())})
	case 3:
		return block("", []*node{line("struct cell *l = %s;", which), bracket(lock, unlock, []*node{
			line("l->value = %d;", 1+s.small()), line("%s = l->value;", l), line("assert(%s > 0);", l)})})
	}
	return block("", []*node{line("struct cell *l = %s;", which), bracket(lock, unlock, []*node{line("l->value++;")})})
}

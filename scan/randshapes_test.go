package scan_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/internal/long"
)

// shaped is a type of random structs.
type shaped struct {
	c      string // its name in C, of a scalar or struct
	size   int
	align  int
	elem   *shaped
	n      int // of elements
	fields []shapedField
}

type shapedField struct {
	name string
	at   int
	t    *shaped
}

var shapedScalars = []*shaped{{c: "char", size: 1, align: 1}, {c: "short", size: 2, align: 2}, {c: "int", size: 4, align: 4}, {c: "long", size: 8, align: 8}}

// shapesGen makes programs in which two threads access one object, each once, by ways that are random; what bytes these are is known.
type shapesGen struct {
	*rand.Rand
	decls strings.Builder
	types []*shaped
	vars  int
	plain bool // the object is of the last type, and accessed by its members only
}

// one of n is true.
func (g *shapesGen) one(n int) bool { return g.IntN(n) == 0 }

func (g *shapesGen) member(depth int) *shaped {
	t := shapedScalars[g.IntN(4)]
	if depth > 0 && len(g.types) > 0 && g.one(3) {
		t = g.types[g.IntN(len(g.types))]
	}
	if g.one(2) {
		n := 2 + g.IntN(5)
		return &shaped{size: t.size * n, align: t.align, elem: t, n: n}
	}
	return t
}

func (g *shapesGen) makeStruct(depth int) {
	s := &shaped{c: fmt.Sprintf("struct s%d", len(g.types)), align: 1}
	var text strings.Builder
	for i := range 2 + g.IntN(4) {
		t := g.member(depth)
		f := shapedField{fmt.Sprintf("m%d", i), (s.size + t.align - 1) / t.align * t.align, t}
		s.fields, s.size, s.align = append(s.fields, f), f.at+t.size, max(s.align, t.align)
		if t.elem != nil {
			fmt.Fprintf(&text, " %s %s[%d];", t.elem.c, f.name, t.n)
		} else {
			fmt.Fprintf(&text, " %s %s;", t.c, f.name)
		}
	}
	s.size = (s.size + s.align - 1) / s.align * s.align
	fmt.Fprintf(&g.decls, "%s {%s };\n", s.c, text.String())
	g.types = append(g.types, s)
}

// index is a number that the analysis may know or not.
func (g *shapesGen) index(n int) string {
	if g.one(2) {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("(k + %d)", n-1) // k is 1
}

// bytes are what is accessed.
type bytes struct{ lo, hi int }

// path goes down from an expression for an object of a struct type. It returns statements that access what they say.
func (g *shapesGen) path(e string, at int, t *shaped) (string, bytes) {
	switch {
	case t.fields != nil:
		f := t.fields[g.IntN(len(t.fields))]
		return g.path(e+"."+f.name, at+f.at, f.t)
	case t.elem != nil:
		i := g.IntN(t.n)
		in := at + i*t.elem.size
		g.vars++
		v := fmt.Sprintf("v%d", g.vars)
		switch g.IntN(5) {
		case 0: // by a pointer to elements
			text, b := g.path(fmt.Sprintf("%s[%s]", v, g.index(i)), in, t.elem)
			return fmt.Sprintf("%s *%s = %s; %s", t.elem.c, v, e, text), b
		case 1: // by a pointer that moves
			j := g.IntN(i + 1)
			text, b := g.path("(*"+v+")", in, t.elem)
			return fmt.Sprintf("%s *%s = &%s[%s]; %s += %s; %s", t.elem.c, v, e, g.index(j), v, g.index(i-j), text), b
		case 2:
			return fmt.Sprintf("memset(&%s[%s], 0, %s);", e, g.index(i), g.index((t.n-i)*t.elem.size)), bytes{in, at + t.size}
		case 3: // step by step
			text, b := g.path("(*"+v+")", in, t.elem)
			return fmt.Sprintf("%s *%s = %s; for (int i = 0; i < %d; i++) %s++; %s", t.elem.c, v, e, i, v, text), b
		}
		return g.path(fmt.Sprintf("%s[%s]", e, g.index(i)), in, t.elem)
	}
	return e + "++;", bytes{at, at + t.size}
}

// access returns statements that access the object as a random type of it, or its bytes.
func (g *shapesGen) access(whole int) (string, bytes) {
	g.vars++
	v := fmt.Sprintf("v%d", g.vars)
	s := g.types[g.IntN(len(g.types))]
	if g.plain {
		s = g.types[len(g.types)-1]
		return g.path(fmt.Sprintf("(*(%s *)mem)", s.c), 0, s)
	}
	switch g.IntN(7) {
	case 0:
		at := g.IntN(whole)
		return fmt.Sprintf("((char *)mem)[%s]++;", g.index(at)), bytes{at, at + 1}
	case 1:
		at := g.IntN(whole)
		n := 1 + g.IntN(whole-at)
		return fmt.Sprintf("memset((char *)mem + %s, 0, %s);", g.index(at), g.index(n)), bytes{at, at + n}
	case 2:
		at := g.IntN(whole)
		i := g.IntN(whole - at)
		return fmt.Sprintf("char *%s = (char *)mem + %s; %s[%s]++;", v, g.index(at), v, g.index(i)), bytes{at + i, at + i + 1}
	case 3: // the struct around a member
		f := s.fields[g.IntN(len(s.fields))]
		text, b := g.path("(*"+v+"s)", 0, s)
		return fmt.Sprintf("char *%s = (char *)&((%s *)mem)->%s; %s *%ss = (%s *)(%s - %d); %s", v, s.c, f.name, s.c, v, s.c, v, f.at, text), b
	case 4: // one of several
		i := g.IntN(whole / s.size)
		text, b := g.path(fmt.Sprintf("((%s *)mem)[%s]", s.c, g.index(i)), i*s.size, s)
		return text, b
	case 5:
		t := shapedScalars[g.IntN(4)]
		i := g.IntN(whole / t.size)
		return fmt.Sprintf("%s *%s = mem; for (int i = 0; i < %s; i++) %s++; (*%s)++;", t.c, v, g.index(i), v, v), bytes{i * t.size, (i + 1) * t.size}
	}
	return g.path(fmt.Sprintf("(*(%s *)mem)", s.c), 0, s)
}

// program returns a program, and whether it has a race.
func (g *shapesGen) program() (src string, race bool) {
	g.makeStruct(0)
	for range 1 + g.IntN(2) {
		g.makeStruct(1)
	}
	g.plain = g.one(2)
	whole := 0
	for _, s := range g.types {
		whole = max(whole, s.size)
	}
	size := strconv.Itoa(whole)
	if g.one(2) {
		whole *= 2
		size = fmt.Sprintf("(k + 1) * %d", whole/2)
	}
	first, x := g.access(whole)
	second, y := g.access(whole)
	early := ""
	for range g.IntN(4) {
		text, _ := g.access(whole)
		early += "  {" + text + "}\n"
	}
	object := "  mem = malloc(" + size + ");\n"
	if g.one(4) { // of one struct, declared
		s := g.types[len(g.types)-1]
		if s.size*2 >= whole && s.size >= whole {
			fmt.Fprintf(&g.decls, "%s object;\n", s.c)
			object = "  mem = &object;\n"
		}
	}
	return fmt.Sprintf(`#include <pthread.h>
#include <stdlib.h>
#include <string.h>
%svoid *mem;
int k;
static void *f1(void *arg) { %s return 0; }
static void *f2(void *arg) { %s return 0; }
int main(int argc, char **argv) {
  pthread_t a, b;
  k = argc;
%s%s  pthread_create(&a, 0, f1, 0);
  pthread_create(&b, 0, f2, 0);
  return 0;
}
`, g.decls.String(), first, second, object, early), x.lo < y.hi && y.lo < x.hi
}

// TestRandomShapes analyses random programs that access memory in all ways that C allows: of those with a race none is free of them, and
// of the others some are.
func TestRandomShapes(t *testing.T) {
	n, seed := long.N(30, 8), uint64(1)
	if s := os.Getenv("COMUS_SCAN"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("COMUS_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	races, free := 0, 0
	for i := range n {
		g := &shapesGen{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		src, race := g.program()
		p := load(t, text(t, src)).Program
		_, suspects := analyse(t, p).RaceFree()
		p.Assume.EffectiveTypes = true
		_, typed := analyse(t, p).RaceFree()
		if race && typed == 0 {
			t.Errorf("program %d of seed %d has a race, and no suspects where effective types are assumed:\n%s", i, seed, src)
		}
		switch {
		case race && suspects == 0:
			t.Errorf("program %d of seed %d has a race, and no suspects:\n%s", i, seed, src)
		case race:
			races++
		case suspects == 0:
			free++
		}
	}
	t.Logf("%d with races, %d of %d without them are free", races, free, n-races)
	if !testing.Short() && (races < n/30 || free < n/30) {
		t.Error("too few to say anything")
	}
}

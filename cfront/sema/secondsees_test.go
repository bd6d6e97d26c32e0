package sema

import (
	"strings"
	"testing"

	"comus/cfront/read"
	"comus/internal/secondreader"
)

// TestSecondReaderSees gives the readers two texts that differ, as if one of them had made a mistake: each has to be seen.
func TestSecondReaderSees(t *testing.T) {
	s := newSecond(t)
	for _, c := range []struct{ ours, theirs, sees string }{
		{`int x;`, `long x;`, "object x: type is int, cc has long int"},
		{`int x[3];`, `int x[4];`, "object x: size is 12, cc has 16"},
		{`int *p;`, `char *p;`, "object p: type is pointer(int), cc has pointer(char)"},
		{`int f(int);`, `int f(int, ...);`, "function f: type is function(int) int, cc has function(int, ...) int"},
		{`_Alignas(16) int x;`, `_Alignas(32) int x;`, "object x: alignment is 16, cc has 32"},
		{`int x;`, `static int x;`, "object x: linkage is External, cc has Internal"},
		{`struct s { char c; int n; } x;`, `struct s { char c; int n; } __attribute__((packed)) x;`, "tag s: size is 8, cc has 5"},
		{`struct s { int a, b; } x;`, `struct s { int b, a; } x;`, "a@0 int; b@4 int}, cc has struct s{8/4; b@0 int; a@4 int}"},
		{`struct { unsigned a : 3, b : 4; } x;`, `struct { unsigned a : 4, b : 4; } x;`, "b@bit 3:4 unsigned int}, cc has"},
		{`enum { A = 3, B };`, `enum { A = 4, B };`, "enumerator B: value is 4, cc has 5"},
		{`int x = 7;`, `int x = 8;`, "object x: bytes is 07000000, cc has 08000000"},
		{`struct { int a : 3, b : 7; } x = {1, 5};`, `struct { int a : 3, b : 7; } x = {1, 6};`, "object x: bytes is 29000000, cc has 31000000"},
		{`double x = 1.5;`, `double x = 2.5;`, "object x: bytes is"},
		{`void f(int x) { switch (x) { case 3: ; } }`, `void f(int x) { switch (x) { case 4: ; } }`, "case : value is 3, cc has 4"},
		{`void f(void) { static int x = 1; }`, `void f(void) { static int x = 2; }`, "object x: bytes is 01000000, cc has 02000000"},
		{`void f(void) { int x; }`, `void f(void) { int y; }`, "object x: declared is yes, cc has no"},
		{`typedef int t; typedef t u;`, `typedef int t; typedef t *u;`, "typedef u: type is int, cc has pointer(int)"},
		{`  int x;`, `int x;`, "item: begin is sees.c:1:3, cc has sees.c:1:1"},
		{`int x; int y;`, `int x, y;`, "item: number is 2, cc has 1"},
	} {
		o, err := readOurs("sees.c", c.ours, read.Options{NoHost: true})
		if err != nil {
			t.Fatal(err)
		}
		u, err := s.reader.Read("sees.c", c.theirs)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		ds, _ := secondreader.Compare(o.facts, u.Facts())
		for _, d := range append(ds, compareItems(o.items, u.Items())...) {
			all = append(all, d.String())
		}
		if text := strings.Join(all, "\n"); !strings.Contains(text, c.sees) {
			t.Errorf("%s and %s: differences are\n%s\nand not %q", c.ours, c.theirs, text, c.sees)
		}
	}
}

// TestSecondReaderSeesNodes parses an expression with a wrong precedence.
func TestSecondReaderSeesNodes(t *testing.T) {
	s := newSecond(t)
	const text = "int f(int a, int b, int c) { if (a) return a + b * c; return (a + b) * c; }"
	o, err := readOurs("sees.c", text, read.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	u, err := s.reader.Read("sees.c", text)
	if err != nil {
		t.Fatal(err)
	}
	theirs := u.Items()
	if ds := compareItems(o.items, theirs); len(ds) > 0 {
		t.Fatalf("differences: %v", ds)
	}
	it := theirs[0]
	for x := range it.Spans {
		if it.Text(x) == "e b * c" {
			delete(it.Spans, x)
			it.Spans[secondreader.Span{Kind: 'e', First: x.First - 2, Last: x.Last - 2}] = true // a + b
		}
	}
	ds := compareItems(o.items, theirs)
	if len(ds) != 2 || ds[0].Ours != "e b * c" || ds[1].Theirs != "e a + b" {
		t.Errorf("differences: %v", ds)
	}
}

package escape

import (
	"fmt"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/scan/pointsto"
)

const decls = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#define MARK(p) memset(p, 0, 1)
struct S { int n; struct S *next; pthread_mutex_t m; } *g;
void keep(struct S *p) { g = p; }
void use(struct S *p) { p->n = 1; }
struct S *same(struct S *p) { return p; }
void link(struct S *p) { p->next = p; }
void look(struct S *p) { g = p->next; }
void hide(struct S **p) { g = *p; }
void ext(void *);
`

// TestOwned asks whether what a memset clears is known to nobody else.
func TestOwned(t *testing.T) {
	const alloc = "struct S *p = malloc(sizeof *p); "
	cases := []struct {
		name, body string
		want       bool
	}{
		{"new", alloc + "MARK(p);", true},
		{"member", alloc + "MARK(&p->m);", true},
		{"local", "struct S s; MARK(&s);", true},
		{"local that was given away", "struct S s; g = &s; MARK(&s);", false},
		{"stored", alloc + "g = p; MARK(p);", false},
		{"stored after", alloc + "MARK(p); g = p;", true},
		{"stored in one branch", alloc + "if (c) g = p; MARK(p);", false},
		{"stored, and set to null, in one branch", alloc + "if (c) { g = p; p = 0; } MARK(p);", true},
		{"stored in one branch, set to null in the other one", alloc + "if (c) g = p; else p = 0; MARK(p);", false},
		{"another name than the one that is set to null", alloc + "struct S *q = p; if (c) { g = p; p = 0; } MARK(q);", false},
		{"stored by another name than the one that is set to null", alloc + "struct S *q = p; if (c) p = 0; g = q; MARK(p);", false},
		{"another name that is set to null on the other way", alloc + "struct S *q = p; if (c) p = 0; else q = 0; g = q; MARK(p);", true},
		{"null, or new", "struct S *p = 0; if (c) p = malloc(8); MARK(p);", true},
		{"null, or new, and stored", "struct S *p = 0; if (c) p = malloc(8); g = p; MARK(p);", false},
		{"two new ones", "struct S *p; if (c) p = malloc(8); else p = malloc(16); MARK(p);", true},
		{"new, or what another name leads to", "struct S *p, *q = malloc(8); if (c) p = malloc(8); else p = q; g = q; MARK(p);", false},
		{"a member, or null", alloc + "int *n = 0; if (c) n = &p->n; g = p; MARK(n);", false},
		{"kept for the next turn", "struct S *p = 0; while (c--) { if (!p) p = malloc(8); if (c & 1) { g = p; p = 0; } } MARK(p);", true},
		{"kept for the next turn, and stored", "struct S *p = 0; while (c--) { if (!p) p = malloc(8); if (c & 1) g = p; } MARK(p);", false},
		{"stored in the turn before", "struct S *last = 0; while (c--) { struct S *p = malloc(8); MARK(last); g = p; last = p; }", false},
		{"stored in the turn after", "struct S *last = 0; while (c--) { struct S *p = malloc(8); g = last; last = p; MARK(last); }", true},
		{"the one before the last, which is stored", "struct S *a = 0, *b = 0; while (c--) { MARK(a); a = b; b = malloc(8); g = b; }", false},
		{"knows itself, or null", alloc + "p->next = p; if (c) p = 0; MARK(p);", false},
		{"stored in a loop", alloc + "while (c--) { MARK(p); g = p; }", false},
		{"new in a loop", "struct S *p; while (c--) { p = malloc(8); MARK(p); g = p; }", true},
		{"another", "struct S *p = g; MARK(p);", false},
		{"one of two", alloc + "if (c) p = g; MARK(p);", false},
		{"given", alloc + "keep(p); MARK(p);", false},
		{"given to who keeps nothing", alloc + "use(p); MARK(p);", true},
		{"given to nobody knows", alloc + "ext(p); MARK(p);", false},
		{"given to a thread", alloc + "pthread_t t; pthread_create(&t, 0, 0, p); MARK(p);", false},
		{"given back", alloc + "g = same(p); MARK(p);", false},
		{"result of memset", alloc + "g = memset(p, 0, 4); MARK(p);", false},
		{"stored in a new one", alloc + "struct S *q = malloc(sizeof *q); q->next = p; MARK(p);", false},
		{"knows itself", alloc + "p->next = p; MARK(p);", true},
		{"knows itself, and told", alloc + "p->next = p; g = p->next; MARK(p);", false},
		{"knows itself through another", alloc + "link(p); g = p->next; MARK(p);", false},
		{"copied", alloc + "p->next = p; struct S s; memcpy(&s, p, sizeof s); MARK(p);", false},
		{"knows itself, and given to who looks there", alloc + "p->next = p; look(p); MARK(p);", false},
		{"copied, knows nobody", alloc + "struct S s; memcpy(&s, p, sizeof s); MARK(p);", true},
		{"assigned", alloc + "p->next = p; *g = *p; MARK(p);", false},
		{"as an integer", alloc + "long n = (long)p; g = (struct S *)(n & -2); MARK(p);", false},
		{"copy of the pointer", alloc + "struct S *q = p; g = q; MARK(p);", false},
		{"copy of the pointer, unknown", "struct S *q; if (c) { struct S *p = malloc(8); q = p; if (c > 1) g = q; MARK(p); }", false},
		{"copy of the pointer, perhaps", alloc + "struct S *q = g; if (c) q = p; g = q; MARK(p);", false},
		{"through its address", alloc + "hide(&p); MARK(p);", false},
		{"in a struct", alloc + "struct S s; s.next = p; *g = s; MARK(p);", false},
		{"in an array", alloc + "struct S *a[2]; a[c] = p; g = a[0]; MARK(p);", false},
		{"conditional", alloc + "g = c ? p : g; MARK(p);", false},
		{"setjmp", alloc + "jmp_buf b; setjmp(b); MARK(p); g = p; longjmp(b, 1);", false},
	}
	var src strings.Builder
	src.WriteString(decls)
	for i, c := range cases {
		fmt.Fprintf(&src, "void f%d(int c) { %s }\n", i, c.body)
	}
	src.WriteString("int main(int argc, char **argv) {")
	for i := range cases {
		fmt.Fprintf(&src, " f%d(argc);", i)
	}
	src.WriteString(" return 0; }\n")
	got := asked(t, src.String())
	for i, c := range cases {
		if o, seen := got[fmt.Sprint("f", i)]; !seen || o != c.want {
			t.Errorf("%s: owned is %v (%v), want %v", c.name, o, seen, c.want)
		}
	}
}

// asked returns, for each function that calls memset to clear one byte, whether it owns that.
func asked(t *testing.T, src string) map[string]bool {
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := pointsto.Analyse(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r := Analyse(p.Program, pts)
	got := map[string]bool{}
	for _, c := range pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || c.Func.Library {
					continue
				}
				if f, ok := call.Callee.(*cir.Func); ok && f.Source == "memset" {
					if n, ok := call.Args[2].X.(cir.Int); ok && n.Lo == 1 {
						got[c.Func.Source] = r.Writes(c, call)
					}
				}
			}
		}
	}
	return got
}

// TestParameters asks what functions own that are called in several ways.
func TestParameters(t *testing.T) {
	for _, c := range []struct {
		name, calls string
		want        bool
	}{
		{"owned", "init(malloc(64));", true},
		{"twice", "init(malloc(64)); init(malloc(64));", true},
		{"once not", "init(malloc(64)); init(g);", false},
		{"known later", "struct S *p = malloc(64); init(p); g = p;", true},
		{"known before", "struct S *p = malloc(64); g = p; init(p);", false},
		{"through a pointer", "void (*fp)(struct S *) = init; fp(g);", false},
		{"called back", "atexit((void (*)(void))init); init(malloc(64));", false},
		{"deeper", "outer(malloc(64));", true},
		{"deeper, known", "outer(g);", false},
		{"known outside", "ext(init); init(malloc(64));", false},
		{"two names", "struct S *p = malloc(64); two(p, p);", false},
	} {
		src := decls + "void init(struct S *p) { memset(p, 0, 1); }\nvoid outer(struct S *p) { init(p); }\nvoid two(struct S *p, struct S *q) { keep(q); init(p); }\n" +
			"int main(void) { " + c.calls + " return 0; }"
		if got := asked(t, src)["init"]; got != c.want {
			t.Errorf("%s: owned is %v, want %v", c.name, got, c.want)
		}
	}
}

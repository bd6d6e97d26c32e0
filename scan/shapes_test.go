package scan_test

import (
	"testing"

	"comus/internal/long"
)

const shapesHeader = `#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct item { int x, y; char name[16]; int z; struct item *next; };
struct other { int u; char text[40]; int v; };
struct lead { char name[16]; int z; int more[8]; };
struct big { struct item it; int more[4]; int end; };
struct flex { int n; char data[]; };
struct hack { int n; char data[1]; };
struct tail { int n; char data[8]; };
struct mixed { int tag; union { char raw[16]; struct { int a, b; } s; } v; int z; };
struct parts { int n; struct { int a; char t[8]; int b; } part[4]; int z; };
struct list { struct list *next; };
struct linked { int key; char name[12]; struct list node; int z; };
pthread_t a, b;
struct item *p, *q, g;
struct { int n; struct lead in; } nested;
struct other *o;
struct lead *l;
struct big *big;
struct flex *f;
struct hack *h;
struct tail *t;
struct mixed *m;
struct parts *r;
struct linked *c;
struct list *n;
void *mem;
char *s, **cursor;
int k, len;
long *w;
static void *xmalloc(size_t n) { void *r = malloc(n); if (!r) abort(); return r; }
static void *many(int n) { void *r = malloc(100); return n ? many(n - 1) : r; }
`

const shapesThreads = `
static void *f1(void *arg) { FIRST; return 0; }
static void *f2(void *arg) { SECOND; return 0; }
int main(int argc, char **argv) { k = argc; len = argc; INIT; pthread_create(&a, 0, f1, 0); pthread_create(&b, 0, f2, 0); return 0; }
`

// TestShapes has programs with threads that access an object, which differ in how they come to its bytes: these are the same or not.
func TestShapes(t *testing.T) {
	const item, array = `p = xmalloc(sizeof *p); memset(p, 0, sizeof *p); p->x = p->z`, `p = calloc(argc, sizeof *p); p[k].x = p[k].z`
	for _, c := range []struct {
		name, init, first, second string
		free                      bool
	}{
		{"an array and another member", item, `p->name[k] = 1`, `p->z++`, true},
		{"an array and itself", item, `p->name[k] = 1`, `p->name[3]++`, false},
		{"a pointer into an array", item, `for (char *s = p->name; *s; s++) *s = 'x'`, `p->z++`, true},
		{"a pointer into an array, given by memory", item + `; cursor = &s; s = p->name`, `(*cursor)[k] = 1`, `p->z++`, true},
		{"a pointer into an array, given by memory, and the array", item + `; cursor = &s; s = p->name`, `(*cursor)[k] = 1`, `p->name[9]++`, false},
		{"memset of an array", item, `memset(p->name, 0, sizeof p->name)`, `p->z++`, true},
		{"memset of an array, of any size", item, `memset(p->name, 0, len)`, `p->z++`, true},
		{"strcpy to an array", item, `strcpy(p->name, "text")`, `p->z++`, true},
		{"members of elements", array, `p[k].name[k] = 1`, `p[k].z++`, true},
		{"a member of elements", array, `p[k].z = 1`, `p[2].z++`, false},
		{"an array in elements", array, `p[k].name[k] = 1`, `p[2].name[1]++`, false},
		{"a pointer over elements", array, `for (struct item *i = p; i < p + len; i++) i->z = 1`, `p[1].z++`, false},
		{"a pointer over elements and another member", array, `for (struct item *i = p; i < p + len; i++) i->name[k] = 1`, `p[1].z++`, true},

		{"all bytes", item, `((char *)p)[k] = 1`, `p->z++`, false},
		{"memset of a struct", item, `memset(p, 0, sizeof *p)`, `p->z++`, false},
		{"memset from an array on", item, `memset((char *)p + 8, 0, sizeof *p - 8)`, `p->z++`, false},
		{"memset from an array on, of any size", item, `memset((char *)p + offsetof(struct item, name), 0, len)`, `p->z++`, false},
		{"memset from within an array on", item, `char *s = (char *)p; s += 12; memset(s, 0, len)`, `p->z++`, false},
		{"bytes from an array on", item, `char *s = (char *)p + 8; s[k] = 1`, `p->z++`, false},
		{"bytes from an array on, by void pointers", item, `void *v = p; char *s = v + 8; s[k] = 1`, `p->z++`, false},
		{"bytes from an array on, of a variable", ``, `char *s = (char *)&g + 8; s[k] = 1`, `g.z++`, false},
		{"memset from an array of a variable on", ``, `memset((char *)&g + 8, 0, len)`, `g.z++`, false},
		{"a walk", item, `for (char *s = (char *)p; s < (char *)(p + 1); s++) *s = 1`, `p->z++`, false},
		{"a walk by numbers", item, `for (int *i = (int *)p; i < (int *)(p + 1); i++) *i = 1`, `p->z++`, false},
		{"a walk by long numbers", item, `long *i = (long *)p; while (k--) *i++ = 1`, `p->z++`, false},
		{"a walk by long numbers over a variable", ``, `long *i = (long *)&g; while (k--) *i++ = 1`, `g.z++`, false},
		{"a walk back", item, `for (char *s = (char *)&p->z; s > (char *)p; s--) *s = 1`, `p->name[2]++`, false},
		{"a copy", item + `; q = xmalloc(sizeof *q)`, `memcpy(p, q, sizeof *p)`, `p->z++`, false},
		{"an assignment", item + `; q = xmalloc(sizeof *q)`, `*p = *q`, `p->name[k]++`, false},
		{"a copy to an array", item, `memcpy(p->name, "12345678", len)`, `p->z++`, true},

		{"the struct around a member", item, `int *i = &p->z; ((struct item *)((char *)i - offsetof(struct item, z)))->x++`, `p->x++`, false},
		{"the struct around an array", item, `char *i = p->name; ((struct item *)(i - offsetof(struct item, name)))->z++`, `p->z++`, false},
		{"the struct around a node", `c = xmalloc(sizeof *c); c->key = 1; n = &c->node`, `((struct linked *)((char *)n - offsetof(struct linked, node)))->z++`, `c->z++`, false},
		{"the struct around a node and another member", `c = xmalloc(sizeof *c); c->key = 1; n = &c->node`, `((struct linked *)((char *)n - offsetof(struct linked, node)))->z++`, `c->key++`, true},
		{"an array of the struct around a node", `c = xmalloc(sizeof *c); c->key = 1; n = &c->node`, `((struct linked *)((char *)n - offsetof(struct linked, node)))->name[k]++`, `c->name[2]++`, false},
		{"an array of the struct around a node and another member", `c = xmalloc(sizeof *c); c->key = 1; n = &c->node`, `((struct linked *)((char *)n - offsetof(struct linked, node)))->name[k]++`, `c->z++`, true},

		{"two structs in one place", `mem = malloc(100); p = mem; o = mem; p->x = o->v`, `o->text[k] = 1`, `p->z++`, false},
		{"two structs in one place, the other way", `mem = malloc(100); p = mem; o = mem; p->z = o->v`, `((struct other *)mem)->v++`, `p[1].x++; p->name[k]++; p->next = 0; ((int *)mem)[11]++`, false},
		{"two structs from one place", `p = many(1); o = many(2); p->z = 1; p->x = p->y; o->text[1] = 1`, `o->text[k]++`, `o->text[25]++`, false},
		{"two structs from one place, whose members are not the same", `p = many(1); o = many(2); p->z = 1; p->x = p->y; o->text[1] = 1`, `p->name[k]++`, `p->name[3]++`, false},
		{"a struct and numbers from one place", `p = many(1); w = many(2); p->z = 1; p->x = p->y`, `w[k]++`, `w[3]++`, false},
		{"a struct and a text from one place", `l = many(1); s = many(2); l->z = 1; l->more[1] = 1`, `s[k]++`, `s[40]++`, false},
		{"a struct and a text from one place, by functions", `l = many(1); s = many(2); l->z = 1; l->more[1] = 1`, `memset(s, 0, len)`, `s[40]++`, false},
		{"a struct and structs from one place", `l = many(1); p = many(2); l->z = 1; l->more[1] = 1`, `p[k].z++`, `p[1].z++`, false},
		{"a struct that begins with another", `big = xmalloc(sizeof *big); big->it.x = big->end; p = &big->it`, `p->name[k]++`, `big->it.name[3]++`, false},
		{"a struct that begins with another, taken for that", `big = xmalloc(sizeof *big); big->it.x = big->end; p = (struct item *)big`, `((struct big *)p)->more[k]++`, `big->more[1]++`, false},
		{"a struct that begins with another, and another member", `big = xmalloc(sizeof *big); big->it.x = big->end; p = &big->it`, `((struct big *)p)->more[k]++`, `p->z++; big->it.name[k]++`, true},

		{"a first array and what follows", `l = xmalloc(sizeof *l); l->z = 1`, `l->name[k]++`, `l->z++`, true},
		{"a first array's struct by bytes", `l = xmalloc(sizeof *l); l->z = 1`, `((char *)l)[k]++`, `l->z++`, false},
		{"a first array's struct by a byte", `l = xmalloc(sizeof *l); l->z = 1`, `char *s = (char *)l; s[17]++`, `l->z++`, false},
		{"a first array's struct set", `l = xmalloc(sizeof *l); l->z = 1`, `memset(l, 0, len)`, `l->z++`, false},

		{"an open array", `f = malloc(sizeof *f + len); f->n = len`, `f->data[k]++`, `f->data[12]++`, false},
		{"an open array and what is before", `f = malloc(sizeof *f + len); f->n = len`, `f->data[k]++`, `f->n++`, true},
		{"an array of one that goes on", `h = malloc(sizeof *h + len); h->n = len`, `h->data[k]++`, `h->data[12]++`, false},
		{"an array of one that goes on, by bytes", `h = malloc(sizeof *h + len); h->n = len`, `h->data[k]++`, `((char *)h)[16]++`, false},
		{"an array of one that goes on, of a known size", `h = malloc(64); h->n = len`, `h->data[k]++`, `h->data[12]++`, false},
		{"a last array that goes on", `t = malloc(sizeof *t + len); t->n = len`, `t->data[k]++`, `t->data[12]++`, false},
		{"a last array that goes on, of a known size", `t = malloc(36); t->n = len`, `t->data[k]++`, `t->data[12]++`, false},
		{"what is behind", item, `((char *)(p + 1))[k]++`, `((char *)(p + 1))[5]++`, false},
		{"another struct behind", `p = malloc(sizeof *p + sizeof *o); p->z = 1; o = (struct other *)(p + 1)`, `o->text[k]++`, `o->text[7]++`, false},

		{"in a union", `m = xmalloc(sizeof *m); m->z = 1`, `m->v.raw[k]++`, `m->v.s.b++`, false},
		{"in a union and behind", `m = xmalloc(sizeof *m); m->z = 1`, `m->v.s.a++`, `m->z++`, true},
		{"members of elements of a member", `r = xmalloc(sizeof *r); r->z = 1`, `r->part[k].t[k]++`, `r->part[k].b++`, true},
		{"a member of elements of a member", `r = xmalloc(sizeof *r); r->z = 1`, `r->part[k].b++`, `r->part[2].b++`, false},
		{"bytes of an element of a member", `r = xmalloc(sizeof *r); r->z = 1`, `((char *)&r->part[k])[k]++`, `r->part[2].b++`, false},
		{"a nested array's struct by bytes", `struct { int n; struct lead in; } *x = xmalloc(sizeof *x); x->n = x->in.z; l = &x->in`, `((char *)l)[k]++`, `l->z++`, false},
		{"a nested array's struct of a variable by bytes", ``, `((unsigned char *)(char *)&nested.in)[k]++`, `nested.in.z++`, false},
		{"a nested array's struct of a variable by a pointer", ``, `char *s = (char *)&nested.in; s[k]++`, `nested.in.z++`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 5)
			src := shapesHeader + "#define INIT " + c.init + "\n#define FIRST " + c.first + "\n#define SECOND " + c.second + "\n" + shapesThreads
			r := analyse(t, load(t, text(t, src)).Program)
			_, suspects := r.RaceFree()
			if (suspects == 0) == c.free {
				return
			}
			t.Errorf("%d suspects", suspects)
			for _, l := range r.Locations {
				for _, s := range l.Suspects {
					t.Logf("%s: %s and %s", l.Name, line(s.A.Site), line(s.B.Site))
				}
			}
		})
	}
}

// TestWalkedStructs has threads that step over an object by scalars as large as elements of the array of structs that it begins with: they may come to what is behind that.
func TestWalkedStructs(t *testing.T) {
	const header = "#include <pthread.h>\nstruct item { char a; short b; };\nstruct outer { struct item it[6]; char z; long end; } g;\nstruct nest { struct outer o[2]; long end; } h;\nvoid *mem = &g;\n"
	program := func(first, second string) string {
		return "static void *f(void *p) { " + first + " return 0; }\nstatic void *k(void *p) { " + second + " return 0; }\n" +
			"int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, k, 0); return 0; }\n"
	}
	for _, c := range []struct {
		name, first, second string
		free                bool
	}{
		{"longs", "long *v = mem; for (int i = 0; i < 3; i++) v++; ++*v;", "g.z++;", false},
		{"longs, several at a time", "long *v = (long *)&g; for (int i = 0; i < 2; i++) v += 2; ++*v;", "g.end++;", false},
		{"integers", "int *v = mem; while (*v) v++; ++*v;", "g.z++;", false},
		{"in elements of an array", "long *v = (long *)&h; for (int i = 0; i < 3; i++) v++; ++*v;", "h.o[0].z++;", false},
		{"the structs themselves", "struct item *v = g.it; for (int i = 0; i < 3; i++) v++; v->b++;", "g.z++;", true},
	} {
		_, suspects := analyse(t, load(t, text(t, header+program(c.first, c.second))).Program).RaceFree()
		if (suspects == 0) != c.free {
			t.Errorf("%s: %d suspects", c.name, suspects)
		}
	}
}

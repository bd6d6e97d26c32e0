package scan_test

import "testing"

const anewHeader = `#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
struct req { int x; pthread_t id; struct req *next; char text[16]; };
static struct req *last, spare;
static pthread_t ids[8];
static jmp_buf env;
static int many, calls;
static void note(struct req *r) { last = r; }
static void clear(struct req *r, int i) { memset(r, 0, sizeof *r); r->x = i; }
static void link(struct req *r, struct req *to) { r->next = to; }
static void *serve(void *arg) { struct req *r = arg; r->x++; r->text[1] = 1; return 0; }
`

// anewProgram has threads that are given what a function returns.
func anewProgram(maker, body string) string {
	return maker + "int main(int argc, char **argv) { many = argc; for (int i = 0; i < 8; i++) { " + body + " } for (int i = 0; i < 8; i++) pthread_join(ids[i], 0); return 0; }\n"
}

// TestAnew has functions that return a new object each time that they are called, each of which is given to a thread of its own.
func TestAnew(t *testing.T) {
	const give = "struct req *r = make(i); pthread_create(&ids[i], 0, serve, r);"
	maker := func(do string) string {
		return "static struct req *make(int i) { " + do + " }\n"
	}
	made := func(do string) string { return anewProgram(maker(do), give) }
	const plain = "struct req *r = malloc(sizeof *r); if (!r) exit(1); r->x = i; return r;"
	safe := made(plain)
	checkPairs(t, anewHeader, []pair{
		{"plain", safe, made("static struct req *r; if (!r) r = malloc(sizeof *r); return r;")},
		{"at once", made("return malloc(sizeof(struct req));"), made("return i == 1 ? &spare : malloc(sizeof(struct req));")},
		{"or null", made("struct req *r = malloc(sizeof *r); if (i == 9) { free(r); return 0; } return r;"), made("struct req *r = malloc(sizeof *r); if (i == 1) return last; last = r; return r;")},
		{"null at first", made("struct req *r = 0; r = calloc(1, sizeof *r); if (r) r->x = i; return r;"), made("struct req *r = last; if (!last) r = calloc(1, sizeof *r); last = r; return r;")},
		{"by two functions", anewProgram("static struct req *inner(void) { return malloc(sizeof(struct req)); }\n"+maker("struct req *r = inner(); r->x = i; return r;"), give),
			anewProgram("static struct req *inner(void) { return last ? last : (last = malloc(sizeof(struct req))); }\n"+maker("struct req *r = inner(); r->x = i; return r;"), give)},
		{"two sizes", made("struct req *r; if (i & 1) r = malloc(sizeof *r); else r = calloc(2, sizeof *r); r->x = i; return r;"), made("struct req *r; if (i & 1) r = malloc(sizeof *r); else r = &spare; r->x = i; return r;")},
		{"noted", safe, made("struct req *r = malloc(sizeof *r); if (last) last->x = 1; last = r; return r;")},
		{"noted by a function", safe, made("struct req *r = malloc(sizeof *r); if (last) last->x = 1; note(r); return r;")},
		{"set up by a function", anewProgram(maker("struct req *r = malloc(sizeof *r); return r;"), "struct req *r = make(i); clear(r, i); pthread_create(&ids[i], 0, serve, r);"), made("struct req *r = malloc(sizeof *r); clear(r, i); if (i) last->x = 1; link(last = r, 0); return r;")},
		{"what is handed through", safe, anewProgram("static struct req *make(struct req *r) { struct req *n = malloc(sizeof *n); if (many > 2) n = r; return n; }\n", "struct req *r = make(&spare); pthread_create(&ids[i], 0, serve, r);")},
		{"once", safe, anewProgram(maker(plain), "static struct req *r; if (!i) r = make(i); pthread_create(&ids[i], 0, serve, r);")},
		{"every other time", safe, anewProgram(maker(plain), "static struct req *r; if (i & 1) r = make(i); else if (!r) r = &spare; pthread_create(&ids[i], 0, serve, r);")},
		{"for two", safe, anewProgram(maker(plain), give+"pthread_t t; pthread_create(&t, 0, serve, r);")},
		{"a member's member", safe, made("struct req *r = malloc(sizeof *r); r->next = last; if (!last) last = r; return r->next ? r->next : r;")},
		{"used first", anewProgram(maker(plain), "struct req *r = make(i); r->x = 7; r->text[2] = 1; pthread_create(&ids[i], 0, serve, r);"), anewProgram(maker(plain), give+" r->x = 7;")},
		{"used first, but known", anewProgram(maker(plain), "struct req *r = make(i); clear(r, i); pthread_create(&ids[i], 0, serve, r);"),
			anewProgram(maker("struct req *r = malloc(sizeof *r); pthread_t t; pthread_create(&t, 0, serve, r); return r;"), "struct req *r = make(i); r->x = 3;")},
		{"kept in a list", anewProgram(maker("struct req *r = malloc(sizeof *r); r->next = last; last = r; return r;"), give), made("struct req *r = malloc(sizeof *r); r->next = last; last = r; for (struct req *p = r; p; p = p->next) p->x = 1; return r;")},
		{"joined by its own id", anewProgram(maker(plain), "struct req *r = make(i); pthread_create(&r->id, 0, serve, r); pthread_join(r->id, 0); r->x = 1; free(r);"),
			anewProgram(maker(plain), "struct req *r = make(i), *s = last; pthread_create(&r->id, 0, serve, r); last = r; if (s) { pthread_join(s->id, 0); r->x = 1; }")},
		{"jumped back to", safe, anewProgram(maker(plain), "struct req *volatile r = make(i); setjmp(env); pthread_create(&ids[i], 0, serve, r); if (calls++ == 3) longjmp(env, 1);")},
		{"jumped back to, in the function", safe, made("struct req *volatile r = malloc(sizeof *r); last = r; if (setjmp(env)) r = last; return r;")},
		{"within", safe, made("struct req *r = last; if (!r || i == 4) r = malloc(4 * sizeof *r); last = r; return &r[i & 3];")},
		{"from a pool", safe, anewProgram("static struct req pool[4]; static int used;\n"+maker("struct req *r = used < 4 ? &pool[used++ & 1] : malloc(sizeof *r); return r;"), give)},
		{"recursive", safe, made("struct req *r = malloc(sizeof *r); if (i > 6) { free(r); return last ? last : make(i - 1); } last = r; return r;")},
	})
}

// TestYetToGive has objects that the creating thread gives to functions before it gives each to a thread of its own.
func TestYetToGive(t *testing.T) {
	const maker = "static struct req *make(int i) { struct req *r = malloc(sizeof *r); r->x = i; last = r; return r; }\n"
	const create = " pthread_create(&ids[i], 0, serve, r);"
	made := func(body string) string { return anewProgram(maker, body) }
	const get = "struct req *r = make(i); "
	checkPairs(t, anewHeader, []pair{
		{"a function", made(get + "clear(r, i);" + create), made(get + create + " clear(r, i);")},
		{"in place", made(get + "r->x = 3; r->text[i] = 1;" + create), made(get + create + " r->text[i] = 1;")},
		{"allocated here", made("struct req *r = malloc(sizeof *r); clear(r, i);" + create), made("struct req *r = malloc(sizeof *r); if (i & 1) clear(r, i);" + create + " if (i & 2) clear(r, i);")},
		{"in an inner loop", made(get + "for (int k = 0; k < 16; k++) r->text[k] = 1;" + create), made(get + create + "for (int k = 0; k < 16; k++) r->text[k] = 1;")},
		{"in the next turn", made(get + "clear(r, i);" + create), made("static struct req *r; if (i) clear(r, i); r = make(i);" + create)},
		{"in the next turn, by a local", made(get + "clear(r, i);" + create), anewProgram(maker, "struct req *old; if (i) { clear(old, i); } struct req *r = make(i); old = r;"+create)},
		{"what was there before", made(get + "clear(r, i);" + create), anewProgram(maker, "static struct req *r; struct req *old = r; r = make(i); if (old) clear(old, i);"+create)},
		{"kept by a local that is not set at first", made(get + "clear(r, i);" + create), anewProgram(maker+"static void all(void) { struct req *old, *r; int i = 0; do { old = r; r = make(i); if (i) old->x = 1;"+create+" } while (++i < 8); }\n", "if (!i) all();")},
		{"jumped over", made(get + "clear(r, i);" + create), anewProgram(maker+"static void all(void) { struct req *old, *r; int i = 0; goto in; again: old = r; in: r = make(i); if (i) old->x = 1;"+create+" if (++i < 8) goto again; }\n", "if (!i) all();")},
		{"the noted one", made(get + "clear(r, i);" + create), made("if (last) clear(last, i); " + get + create)},
		{"one of two", made(get + "clear(r, i);" + create), made("struct req *r = make(i), *s = i & 1 ? r : last; clear(s, i);" + create + " clear(s, i);")},
		{"where none is created", made(get + "if (i == 3) { clear(r, i); free(r); continue; }" + create), made(get + create + "if (i == 3) { clear(r, i); }")},
		{"the function creates it", made(get + "clear(r, i);" + create), anewProgram(maker+"static void both(struct req *r, int i) { pthread_create(&ids[i], 0, serve, r); r->x = 1; }\n", get+"both(r, i);")},
		{"by a function of a function", anewProgram(maker+"static void both(struct req *r, int i) { r->x = 1; clear(r, i); }\n", get+"both(r, i);"+create), anewProgram(maker+"static void both(struct req *r, int i) { r->x = 1; clear(last, i); }\n", "if (last) both(last, i);"+get+create)},
	})
}

// TestStoredJust has objects that are stored in an array first, and given to threads by what is loaded from there.
func TestStoredJust(t *testing.T) {
	const maker = "static struct req *all[8], *more[8]; static struct req *make(int i) { struct req *r = malloc(sizeof *r); r->x = i; return r; }\n"
	const create = " pthread_create(&ids[i], 0, serve, all[i]);"
	made := func(body string) string { return anewProgram(maker, body) }
	safe := made("all[i] = make(i);" + create)
	local := func(body, more string) string {
		return maker + "int main(int argc, char **argv) { struct req *own[8]; struct req **p = own; for (int i = 0; i < 8; i++) { " + body + " } " + more + " return 0; }\n"
	}
	const joins = "for (int i = 0; i < 8; i++) { struct req *r = own[i]; pthread_join(r->id, 0); r->x++; free(r); }"
	const its = "own[i] = make(i); pthread_create(&own[i]->id, 0, serve, own[i]);"
	checkPairs(t, anewHeader, []pair{
		{"plain", safe, made("if (i != 3) all[i] = make(i); else all[i] = all[0];" + create)},
		{"another element", safe, made("all[i] = make(i); pthread_create(&ids[i], 0, serve, all[0]);")},
		{"the one before", safe, made("all[i] = make(i); if (!i) all[7] = make(i); pthread_create(&ids[i], 0, serve, all[i ? i - 1 : 7]); pthread_create(&ids[i], 0, serve, all[i]);")},
		{"another array", safe, made("more[i & 1] = make(i); all[i] = make(i); pthread_create(&ids[i], 0, serve, more[0]);")},
		{"stored in between", safe, made("all[i] = make(i); all[i & 6] = all[0];" + create)},
		{"stored by a function", safe, anewProgram(maker+"static void put(int k) { if (k) all[k] = all[k - 1]; }\n", "all[i] = make(i); put(i);"+create)},
		{"stored by another thread", safe, anewProgram(maker+"static void *other(void *arg) { all[many & 7] = all[0]; return 0; }\n", "if (!i) { pthread_t t; pthread_create(&t, 0, other, 0); } all[i] = make(i);"+create)},
		{"another number", safe, made("int k = i; all[k] = make(i); if (many > 2) k = 0; pthread_create(&ids[i], 0, serve, all[k]);")},
		{"the number changes", safe, made("int k = i; all[k] = make(i); k /= 2; pthread_create(&ids[i], 0, serve, all[k]);")},
		{"not a new one", safe, made("all[i] = i ? all[i - 1] : make(i);" + create)},
		{"copied over", safe, made("all[i] = make(i); memcpy(&all[i], &all[i / 2], sizeof all[i]);" + create)},
		{"used first", made("all[i] = make(i); all[i]->x = 3; clear(all[i], i);" + create), made("all[i] = make(i);" + create + " all[i]->x = 3;")},
		{"another one used first", safe, made("all[i] = make(i); all[i / 2]->x = 3;" + create)},
		{"joined", local(its, joins), local(its, "for (int i = 0; i < 8; i++) { struct req *r = own[i]; r->x++; pthread_join(r->id, 0); free(r); }")},
		{"joined by another id", local(its, joins), local("own[i] = make(i); pthread_create(&own[i / 2]->id, 0, serve, own[i]);", joins)},
		{"joined, by a pointer", local("p[i] = make(i); pthread_create(&p[i]->id, 0, serve, p[i]);", joins), local("p[i] = make(i); p = own + (argc & 1); pthread_create(&p[i]->id, 0, serve, p[i]);", joins)},
	})
}

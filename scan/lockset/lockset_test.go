package lockset

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/scan/pointsto"
)

// access is one of what threads share.
type access struct {
	root   int
	at     []pointsto.Location
	size   int64
	write  bool
	held   []Held
	scalar bool
}

// program is a part of one: functions and data, of which two threads run f, and what the main thread does before and after they
// are created.
type program struct{ data, before, arg, after string }

// join makes one program of many, so that not each has to be read with all its headers: what they declare is renamed.
func join(ps []program) string {
	var data, before, create, after strings.Builder
	for i, p := range ps {
		own := func(s string) string {
			return strings.ReplaceAll(names.ReplaceAllString(s, fmt.Sprintf("${1}_%d", i)), "\n", " ")
		}
		fmt.Fprintf(&data, "%s %s\n", own(data0), own(p.data))
		fmt.Fprintf(&before, "  %s;\n", own(p.before))
		fmt.Fprintf(&create, "  pthread_create(&ids[%d], 0, f_%d, %s); pthread_create(&ids[%d], 0, f_%d, %s);\n", 2*i, i, own(p.arg), 2*i+1, i, own(p.arg))
		fmt.Fprintf(&after, "  %s;\n", own(p.after))
	}
	return fmt.Sprintf("%s%sint main(void) {\n  pthread_t ids[%d];\n%s%s%s  return 0;\n}\n", decls, &data, 2*len(ps), &before, &create, &after)
}

// names are those that each part of a program has for itself.
var names = regexp.MustCompile(`\b(x|y|z|m|n|f|g|h|s|S|A|w|l|u|v|t|r|r1|r2|a1|a2|fp|get|take|cmp|arr|o|init|done|ext|k|ms|data|many|rw|cond|spin|input|n0|arg|other|old|c11|P|pp|a|one)\b`)

// numbers finds the number of the part that a line belongs to.
var numbers = regexp.MustCompile(`_([0-9]+)\b`)

// check compares what is suspected in each of some programs, put together, with what is expected.
func check(t *testing.T, cases []sample) {
	t.Helper()
	ps := make([]program, len(cases))
	for i, c := range cases {
		ps[i] = c.p
	}
	src := join(ps)
	lines := strings.Split(src, "\n")
	got := make([]string, len(cases))
	for _, o := range suspects(t, src) {
		name, no, _ := strings.Cut(o, "_")
		if heap, line, is := strings.Cut(o, ":"); is {
			name = heap
			n, _ := strconv.Atoi(line)
			no = numbers.FindStringSubmatch(lines[n-1])[1]
		}
		i, err := strconv.Atoi(no)
		if err != nil || i < 0 || i >= len(got) {
			t.Errorf("suspected %q", o)
			continue
		}
		got[i] = strings.TrimSpace(got[i] + " " + name)
	}
	for i, c := range cases {
		if got[i] != c.want {
			t.Errorf("%s: suspected %q, want %q", c.name, got[i], c.want)
		}
	}
}

// sample is a program with the objects that are suspected in it.
type sample struct {
	name string
	p    program
	want string
}

// suspects returns the objects of which two threads may access the same bytes without a common lock, one of them to write. It
// knows of nothing else that excludes races but that there is only one thread at first.
func suspects(t *testing.T, src string) []string {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Fatal(err, src)
	}
	pts, err := pointsto.Analyse(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(t.Context(), p.Program, pts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ph := findPhases(p.Program, pts)
	var all []access
	for i := range pts.Roots {
		for _, x := range r.Reach(r.Root(i)) {
			r.Each(x, func(at Point) {
				if !ph.Single(x.Copy, at.Instr) && !owns(r, at) {
					all = append(all, accesses(p.Program.Model, pts, i, at)...)
				}
			})
		}
	}
	var found []string
	for _, x := range all {
		for _, y := range all {
			if o := meeting(pts, x, y); o != nil && Common(x.held, y.held, x.scalar && y.scalar && x.size == y.size) == "" {
				found = append(found, strings.TrimPrefix(o.String(), "main."))
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// owns reports whether an instruction writes what nobody else knows.
func owns(r *Result, at Point) bool {
	switch in := at.Instr.(type) {
	case *cir.Store:
		return r.a.cells.escape.Owned(at.Activation.Copy, in, in.Addr)
	case *cir.Call:
		return r.a.cells.escape.Writes(at.Activation.Copy, in)
	}
	return false
}

// accesses returns those of an instruction of the program's own.
func accesses(model cir.Model, pts *pointsto.Result, root int, at Point) []access {
	c := at.Activation.Copy
	add := func(v cir.Value, size int64, write, scalar bool) access {
		return access{root, pts.Targets(c.Func, c.Ctx, v), size, write, at.Held(v, -1), scalar}
	}
	switch in := at.Instr.(type) {
	case *cir.Load:
		return []access{add(in.Addr, model.SizeOf(in.Type), false, true)}
	case *cir.Store:
		return []access{add(in.Addr, model.SizeOf(in.Type), true, true)}
	case *cir.Copy:
		return []access{add(in.Dst, 1<<30, true, false), add(in.Src, 1<<30, false, false)}
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok && f.Source == "memset" {
			return []access{add(in.Args[0].X, 1<<30, true, false)}
		}
	}
	return nil
}

// meeting returns the object in which two accesses may overlap that could be a race.
func meeting(pts *pointsto.Result, x, y access) *pointsto.Object {
	if !x.write || x.root == y.root && !pts.Roots[x.root].Many {
		return nil
	}
	for _, l := range x.at {
		for _, m := range y.at {
			if l.Obj != m.Obj || l.Obj.IsFunc() || !l.Obj.Escaped {
				continue
			}
			if l.Off == pointsto.Any || m.Off == pointsto.Any || l.Off < m.Off+y.size && m.Off < l.Off+x.size {
				return l.Obj
			}
		}
	}
	return nil
}

const decls = `#include <pthread.h>
#include <threads.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <errno.h>
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
#define T pthread_mutex_trylock
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
`

// data0 is what each program has.
const data0 = `int x, y, z, input;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
struct S { pthread_mutex_t m; int n; struct S *next; int a[4]; pthread_mutex_t *lock; };
struct S *g, *h, s, many[4];
`

// with returns a program of which two threads run f, defined by data.
func with(data, before, arg, after string) program { return program{data, before, arg, after} }

// TestLocks has what is not known to be protected.
func TestLocks(t *testing.T) {
	f := func(body string) program { return with("void *f(void *p) { "+body+" return 0; }", "", "0", "") }
	check(t, []sample{
		{"lock", f("L(&m); x++; U(&m);"), ""},
		{"no lock", f("x++;"), "x"},
		{"after unlock", f("L(&m); U(&m); x++;"), "x"},
		{"one branch", f("if (p) L(&m); x++; if (p) U(&m);"), "x"},
		{"both branches", f("if (p) L(&m); else L(&m); x++; U(&m);"), ""},
		{"other lock in one branch", f("if (p) L(&m); else L(&n); x++;"), "x"},
		{"loop", f("L(&m); while (input) { x++; U(&m); L(&m); } U(&m);"), ""},
		{"loop that gives back", f("L(&m); while (p) { x++; U(&m); } "), "x"},
		{"try", f("if (T(&m) == 0) { x++; U(&m); }"), ""},
		{"try, wrong branch", f("if (T(&m) != 0) { x++; }"), "x"},
		{"try, not looked at", f("T(&m); x++; U(&m);"), "x"},
		{"try, given back before it is looked at", f("int r = T(&m); U(&m); if (!r) x++;"), "x"},
		{"try in variable", f("int r = T(&m); y = 0; if (r) return 0; x++; U(&m);"), "y"},
		{"try in loop", f("while (T(&m)) ; x++; U(&m);"), ""},
		{"try with EBUSY", f("int r = T(&m); if (r == EBUSY) return 0; x++;"), "x"},
		{"try and flag", f("int ok = 0; if (!T(&m)) ok = 1; z = 1; if (ok) { x++; U(&m); }"), "z"},
		{"try and flag, wrong", f("int ok = 0; if (!T(&m)) ok = 1; if (!ok) { x++; U(&m); }"), "x"},
		{"try and &&", f("if (p && !T(&m)) { x++; U(&m); }"), ""},
		{"try and ||", f("if (p || !T(&m)) { x++; U(&m); }"), "x"},
		{"timed", f("struct timespec t = {0}; if (!pthread_mutex_timedlock(&m, &t)) { x++; U(&m); }"), ""},
		{"timed, not looked at", f("struct timespec t = {0}; pthread_mutex_timedlock(&m, &t); x++; U(&m);"), "x"},
		{"switch", f("switch (T(&m)) { case 0: x++; U(&m); break; default: break; }"), ""},
		{"switch, default", f("switch (T(&m)) { case 0: U(&m); break; default: x++; }"), "x"},
		{"wait", f("L(&m); while (!x) pthread_cond_wait(&cond, &m); x--; U(&m);"), ""},
		{"wait with another", f("L(&m); L(&n); while (!x) pthread_cond_wait(&cond, &n); U(&n); x--; U(&m);"), ""},
		{"C11", with("mtx_t k; void *f(void *p) { mtx_lock(&k); x++; mtx_unlock(&k); return 0; }", "mtx_init(&k, mtx_plain)", "0", ""), ""},
		{"spin", with("void *f(void *p) { pthread_spin_lock(&spin); x++; pthread_spin_unlock(&spin); return 0; }", "pthread_spin_init(&spin, 0)", "0", ""), ""},
		{"writers", f("pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);"), ""},
		{"readers", f("pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);"), "y"},
		{"reader writes", f("pthread_rwlock_rdlock(&rw); x++; pthread_rwlock_unlock(&rw);"), "x"},
		{"reader and writer", f("pthread_rwlock_rdlock(&rw); if (x) p = 0; pthread_rwlock_unlock(&rw); pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);"), ""},
		{"reads twice", f("pthread_rwlock_rdlock(&rw); pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); if (x) p = 0; pthread_rwlock_unlock(&rw); pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);"), ""},
		{"writes twice", f("pthread_rwlock_wrlock(&rw); pthread_rwlock_wrlock(&rw); pthread_rwlock_unlock(&rw); x++;"), "x"},
		{"writes, then reads", f("pthread_rwlock_wrlock(&rw); pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); x++;"), "x"},
		{"try to write", f("if (!pthread_rwlock_trywrlock(&rw)) { x++; pthread_rwlock_unlock(&rw); }"), ""},
		{"atomic", f("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();"), ""},
		{"atomic, after", f("__VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); x++;"), "x"},
		{"atomic function", with("void __VERIFIER_atomic_f(void) { x++; } void *f(void *p) { __VERIFIER_atomic_f(); return 0; }", "", "0", ""), ""},
		{"inherited", with("void *f(void *p) { x++; return 0; }", "L(&m)", "0", "x++; U(&m)"), "x"},
		{"setjmp", f("static _Thread_local jmp_buf b; L(&m); if (setjmp(b) == 0) { x++; U(&m); longjmp(b, 1); }"), ""},
		{"longjmp", f("static _Thread_local jmp_buf b; L(&m); setjmp(b); x++; U(&m); longjmp(b, 1);"), "x"},
		{"longjmp, which branch", f("static _Thread_local jmp_buf b; L(&m); if (setjmp(b)) { x++; return 0; } U(&m); longjmp(b, 1);"), "x"},
	})
}

// TestKinds has mutexes that are not normal.
func TestKinds(t *testing.T) {
	kind := func(set, body string) program {
		return with("void *f(void *p) { "+body+" return 0; }", "pthread_mutexattr_t a0; pthread_mutexattr_init(&a0); "+set+"; pthread_mutex_init(&m, &a0)", "0", "")
	}
	const recursive = "pthread_mutexattr_settype(&a0, PTHREAD_MUTEX_RECURSIVE)"
	const checking = "pthread_mutexattr_settype(&a0, PTHREAD_MUTEX_ERRORCHECK)"
	const robust = "pthread_mutexattr_setrobust(&a0, PTHREAD_MUTEX_ROBUST)"
	for _, c := range []sample{
		{"recursive", kind(recursive, "L(&m); L(&m); U(&m); x++; U(&m);"), ""},
		{"recursive, given back", kind(recursive, "L(&m); L(&m); U(&m); U(&m); x++;"), "x"},
		{"recursive, tried on one way", kind(recursive, "L(&m); int r = T(&m); if (p) { U(&m); if (!r) U(&m); L(&m); } if (!r) U(&m); x++;"), "x"},
		{"recursive, tried", kind(recursive, "L(&m); if (!T(&m)) U(&m); x++; U(&m);"), ""},
		{"checking", kind(checking, "L(&m); x++; U(&m);"), ""},
		{"checking, twice", kind(checking, "L(&m); L(&m); U(&m); x++; U(&m);"), "x"},
		{"any", kind("pthread_mutexattr_settype(&a0, input)", "L(&m); L(&m); U(&m); x++; U(&m);"), "x"},
		{"robust", kind(robust, "L(&m); x++; U(&m);"), "x"},
		{"robust, looked at", kind(robust, "if (L(&m) == 0) { x++; U(&m); }"), ""},
		{"robust, owner died", kind(robust, "int r = L(&m); if (r == EOWNERDEAD || r == 0) { x++; U(&m); }"), ""},
	} {
		check(t, []sample{c})
	}
}

// TestNames has locks that are known by names relative to what they protect.
func TestNames(t *testing.T) {
	heap := "g = malloc(sizeof *g); pthread_mutex_init(&g->m, 0); h = malloc(sizeof *h); pthread_mutex_init(&h->m, 0); g->next = h; h->next = g"
	f := func(body string) program {
		return with("void *f(void *p) { struct S *q = p; "+body+" return 0; }", heap, "input ? g : h", "")
	}
	check(t, []sample{
		{"member", f("L(&q->m); q->n++; U(&q->m);"), ""},
		{"other struct's", f("L(&q->m); q->next->n++; U(&q->m);"), "heap@malloc"},
		{"loaded twice", f("struct S *r = q->next; L(&r->m); r->n++; U(&r->m);"), ""},
		{"changed in between", f("L(&q->m); q = q->next; q->n++;"), "heap@malloc"},
		{"loop", f("for (; q; q = q->next) { L(&q->m); q->n++; U(&q->m); }"), ""},
		{"loop that goes on", f("for (; q; q = q->next) { q->n++; L(&q->m); }"), "heap@malloc"},
		{"kept over a step", f("L(&q->m); while (q->n) { q = q->next; q->n++; } "), "heap@malloc"},
		{"half of a pointer", f("union { struct S *p; int i[2]; } a; a.p = q; L(&a.p->m); a.i[1] = input; a.p->n++;"), "heap@malloc"},
		{"changed under its own lock", with("void *f(void *p) { L(&g->m); g->n++; U(&g->m); return 0; }", heap+"; L(&g->m); g = h", "0", "g->n++"), "heap@malloc"},
		{"kept over a step of do", f("L(&q->m); do { q->n++; q = q->next; } while (input);"), "heap@malloc"},
		{"hand over hand", f("L(&q->m); while (q->next) { struct S *r = q->next; L(&r->m); U(&q->m); q = r; q->n++; } U(&q->m);"), ""},
		{"global pointer", f("L(&g->m); g->n++; U(&g->m);"), ""},
		{"global pointer that changes", f("L(&g->m); g->n++; U(&g->m); g = h;"), "g heap@malloc"},
		{"array of structs", f("int i = input; L(&many[i].m); many[i].n++; U(&many[i].m);"), ""},
		{"next element", f("int i = input; L(&many[i].m); many[i + 1].n++; U(&many[i].m);"), ""},
		{"other element", f("int i = __VERIFIER_nondet_int(); L(&many[i].m); if (i) many[i + 1].n++; else many[i].n++; U(&many[i].m);"), "many"},
		{"index that changes", f("int i = __VERIFIER_nondet_int(); L(&many[i].m); if (i) i++; many[i].n++;"), "many"},
		{"constant element", f("L(&many[1].m); many[1].n++; U(&many[1].m);"), ""},
		{"array in struct", f("int i = input; L(&s.m); s.a[i]++; U(&s.m);"), ""},
		{"array in one of two structs", with("void *f(void *p) { struct S *q = p; int i = __VERIFIER_nondet_int(); L(&q->m); q->a[i]++; U(&q->m); return 0; }", "g = &s", "input ? g : &s", ""), ""},
		{"array in another struct", with("struct S one; void *f(void *p) { struct S *q = p; int i = __VERIFIER_nondet_int(); L(&q->m); q->next->a[i]++; U(&q->m); return 0; }", "s.next = &one; one.next = &s", "input ? &one : &s", ""), "s"},
		{"two arrays", with("pthread_mutex_t ms[4]; int data[4]; void *f(void *p) { int i = input; L(&ms[i]); data[i]++; U(&ms[i]); return 0; }", "", "0", ""), ""},
		{"two arrays, other index", with("pthread_mutex_t ms[4]; int data[4]; void *f(void *p) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); L(&ms[i]); data[j]++; U(&ms[i]); return 0; }", "", "0", ""), "data"},
		{"member points to lock", with("void *f(void *p) { L(s.lock); x++; U(s.lock); return 0; }", "s.lock = &m", "0", ""), ""},
		{"member that changes", with("void *f(void *p) { L(s.lock); x++; U(s.lock); s.lock = &n; return 0; }", "s.lock = &m", "0", ""), "s x"},
		{"member's lock, taken by a function", with("void take(void) { L(s.lock); } void *f(void *p) { take(); x++; U(s.lock); return 0; }", "s.lock = &m", "0", ""), ""},
		{"member that changes while a function's lock is held", with("void take(void) { L(s.lock); } void *f(void *p) { L(s.lock); x++; U(s.lock); return 0; }", "s.lock = &m; take(); s.lock = &n", "0", "x++; U(&m)"), "x"},
		{"member that a function changes while its lock is held", with("void o(void) { s.lock = &m; } void w(void) { s.lock = &n; } void *f(void *p) { L(s.lock); x++; U(s.lock); return 0; }", "o(); L(s.lock); w()", "0", "x++; U(&m)"), "x"},
		{"locals of main", with("struct A { pthread_mutex_t *m; int *n; }; void *f(void *p) { struct A *a = p; L(a->m); ++*a->n; U(a->m); return 0; }",
			"pthread_mutex_t k; int n0 = 0; pthread_mutex_init(&k, 0); struct A arg = {&k, &n0}", "&arg", ""), ""},
		{"one of two", f("pthread_mutex_t *k = input ? &m : &n; L(k); x++; U(k);"), "x"},
		{"unlock of one of two", f("L(&m); pthread_mutex_t *k = input ? &m : &n; L(&n); U(k); x++;"), "x"},
		{"unlock of another", f("L(&m); L(&n); U(&n); x++; U(&m);"), ""},
		{"unlock through a pointer", f("L(&m); pthread_mutex_t *k = q->lock; U(k); x++;"), "x"},
		{"copied pointer", f("pthread_mutex_t *k = &m; L(k); x++; U(k);"), ""},
		{"exposed pointer", with("void get(struct S **p) { *p = g; } void *f(void *p) { struct S *q; get(&q); L(&q->m); q->n++; U(&q->m); return 0; }", heap, "0", ""), ""},
		{"exposed pointer that changes", with("void get(struct S **p) { *p = input ? g : h; } void *f(void *p) { struct S *q; get(&q); L(&q->m); get(&q); q->n++; return 0; }", heap, "0", ""), "heap@malloc"},
	})
}

// TestCalls has locks that are taken and given back elsewhere.
func TestCalls(t *testing.T) {
	heap := "g = malloc(sizeof *g); pthread_mutex_init(&g->m, 0); h = malloc(sizeof *h); pthread_mutex_init(&h->m, 0); g->next = h; h->next = g"
	f := func(more, body string) program {
		return with(more+"\nvoid *f(void *p) { struct S *q = p; "+body+" return 0; }", heap, "input ? g : h", "")
	}
	check(t, []sample{
		{"callee", f("void w(void) { x++; }", "L(&m); w(); U(&m);"), ""},
		{"callee, once without", f("void w(void) { x++; }", "L(&m); w(); U(&m); w();"), "x"},
		{"wrappers", f("void l(void) { L(&m); } void u(void) { U(&m); }", "l(); x++; u();"), ""},
		{"wrappers, after", f("void l(void) { L(&m); } void u(void) { U(&m); }", "l(); u(); x++;"), "x"},
		{"of parameter", f("void l(struct S *s) { L(&s->m); } void u(struct S *s) { U(&s->m); }", "l(q); q->n++; u(q);"), ""},
		{"of next", f("void l(struct S *s) { L(&s->m); }", "l(q->next); q->n++;"), ""},
		{"of next, which changes", f("void l(struct S *s) { L(&s->m); }", "l(q->next); q->n++; q->next = q;"), "heap@malloc"},
		{"handed down", f("void w(struct S *s) { s->n++; }", "L(&q->m); w(q); U(&q->m);"), ""},
		{"handed down, other", f("void w(struct S *s) { s->n++; }", "L(&q->m); w(q->next); U(&q->m);"), "heap@malloc"},
		{"handed down with one of two locks", with("struct P { int n; pthread_mutex_t k, o; } one; void w(struct P *q) { q->n++; } void *f(void *p) { struct P *q = p; if (input) { L(&q->k); w(q); U(&q->k); } else { L(&q->o); w(q); } return 0; }", "", "&one", ""), "one"},
		{"handed down with the same of two locks", with("struct P { int n; pthread_mutex_t k, o; } one; void w(struct P *q) { q->n++; } void *f(void *p) { struct P *q = p; if (input) { L(&q->o); w(q); U(&q->o); } else { L(&q->o); w(q); } return 0; }", "", "&one", ""), ""},
		{"hidden", f("void w(void) { y = 0; }", "L(&q->m); w(); q->n++; U(&q->m);"), "y"},
		{"hidden and given back", f("void w(struct S *s) { U(&s->m); }", "L(&q->m); w(q->next); q->n++;"), "heap@malloc"},
		{"balanced in callee", f("void w(struct S *s) { L(&s->m); U(&s->m); }", "L(&q->m); w(q->next); q->n++; U(&q->m);"), ""},
		{"given back deep", f("void v(struct S *s) { U(&s->m); } void w(struct S *s) { v(s); }", "L(&q->m); w(q); q->n++;"), "heap@malloc"},
		{"try wrapper", f("int t(struct S *s) { if (T(&s->m)) return -1; return 0; }", "if (t(q) == 0) { q->n++; U(&q->m); }"), ""},
		{"try wrapper <0", f("int t(struct S *s) { if (T(&s->m)) return -1; return 0; }", "if (t(q) < 0) return 0; q->n++; U(&q->m);"), ""},
		{"try wrapper !", f("int t(struct S *s) { return !T(&s->m); }", "if (t(q)) { q->n++; U(&q->m); }"), ""},
		{"try wrapper, wrong", f("int t(struct S *s) { if (T(&s->m)) return -1; return 0; }", "if (t(q)) { q->n++; U(&q->m); }"), "heap@malloc"},
		{"try wrapper, lies", f("int t(struct S *s) { if (T(&s->m)) return input ? 0 : -1; return 0; }", "if (t(q) == 0) { q->n++; U(&q->m); }"), "heap@malloc"},
		{"try wrapper, two zeroes", f("int t(struct S *s) { if (T(&s->m)) { if (input) return 0; return -1; } return 0; }", "if (t(q) == 0) { q->n++; U(&q->m); }"), "heap@malloc"},
		{"try wrapper, two counts", f("int t(struct S *s) { if (input) return T(&s->m); return T(&s->m) + 1; }", "if (t(q) == 1) { q->n++; U(&q->m); }"), "heap@malloc"},
		{"result is locked", f("struct S *get(void) { struct S *r = input ? g : h; L(&r->m); return r; }", "struct S *r = get(); r->n++; U(&r->m);"), ""},
		{"result's neighbour", f("struct S *get(void) { struct S *r = input ? g : h; L(&r->m); return r->next; }", "struct S *r = get(); r->n++;"), "heap@malloc"},
		{"function pointer", f("void w(void) { x++; } void (*fp)(void) = w;", "L(&m); fp(); U(&m);"), ""},
		{"one of two functions", f("void a1(void) { } void a2(void) { U(&m); } void (*fp)(void);", "fp = input ? a1 : a2; L(&m); fp(); x++;"), "fp x"},
		{"recursion", f("void r(int k) { L(&m); x++; U(&m); if (k) r(k - 1); }", "r(input);"), ""},
		{"recursion that gives back", f("void r(int k) { x++; if (k) { U(&m); r(k - 1); } }", "L(&m); r(input);"), "x"},
		{"mutual recursion", f("void r2(int); void r1(int k) { if (k) r2(k - 1); } void r2(int k) { if (k > 3) U(&m); r1(k); }", "L(&m); r1(input); x++;"), "x"},
		{"qsort", f("int cmp(const void *a, const void *b) { x++; return 0; } int arr[3];", "L(&m); qsort(arr, 3, 4, cmp); U(&m);"), ""},
		{"qsort gives back", f("int cmp(const void *a, const void *b) { U(&m); return 0; }", "int arr[3] = {0}; L(&m); qsort(arr, 3, 4, cmp); x++;"), "x"},
		{"once", f("pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x = 1; }", "L(&m); pthread_once(&o, init); x++; U(&m);"), ""},
		{"once without", f("pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x = 1; }", "pthread_once(&o, init); L(&m); x++; U(&m);"), "x"},
		{"cleanup handler", f("void done(void *p) { x++; U(&m); }", "L(&m); pthread_cleanup_push(done, 0); while (!x) pthread_cond_wait(&cond, &m); pthread_cleanup_pop(1);"), ""},
		{"unknown function", f("void ext(pthread_mutex_t *);", "L(&m); ext(&m); x++; U(&m);"), "x"},
		{"unknown function, not given", f("void ext(int);", "L(&m); ext(1); x++; U(&m);"), ""},
		{"lock of a local", f("void init(pthread_mutex_t *k) { pthread_mutex_init(k, 0); }", "pthread_mutex_t k; init(&k); L(&k); x++; U(&k);"), "x"},
	})
}

// TestSpoils has locks that something else is done to.
func TestSpoils(t *testing.T) {
	f := func(body, before, after string) program {
		return with("void *f(void *p) { "+body+" return 0; }", before, "&s", after)
	}
	unescaped := func(body string) program {
		return with("void l(struct S *q) { pthread_mutex_init(&q->m, 0); } void r(struct S *q) { L(&m); g = q; U(&m); }"+
			"void *f(void *p) { struct S *q = malloc(sizeof *q); "+body+" L(&m); q = g; U(&m); L(&q->m); q->n++; U(&q->m); return 0; }", "", "0", "")
	}
	const use = "struct S *q = p; L(&q->m); q->n++; U(&q->m);"
	check(t, []sample{
		{"initialised before", f(use, "pthread_mutex_init(&s.m, 0)", ""), ""},
		{"initialised after", f(use, "", "pthread_mutex_init(&s.m, 0)"), "s"},
		{"memset before", f(use, "memset(&s, 0, sizeof s)", ""), ""},
		{"memset after", f(use, "", "memset(&s.m, 0, sizeof s.m)"), "s"},
		{"assigned after", f(use, "struct S other = {0}", "s = other"), "s"},
		{"assigned before", f(use, "struct S other = {0}; s = other", ""), ""},
		{"stored", f(use+" *(int *)p = 0;", "", ""), "s"},
		{"stored beside", f(use+" ", "", "L(&s.m); s.n = 3; U(&s.m)"), ""},
		{"by unknown function", with("void ext(void *); void *f(void *p) {"+use+" return 0; }", "", "&s", "ext(&s)"), "s"},
		{"new object", unescaped("pthread_mutex_init(&q->m, 0); L(&m); g = q; U(&m);"), ""},
		{"new object, known before", unescaped("L(&m); g = q; U(&m); pthread_mutex_init(&q->m, 0);"), "heap@malloc"},
		{"new object, cleared", unescaped("memset(q, 0, sizeof *q); L(&m); g = q; U(&m);"), ""},
		{"new object, cleared later", unescaped("L(&m); g = q; U(&m); memset(q, 0, sizeof *q);"), "heap@malloc"},
		{"new object, by a function", unescaped("l(q); L(&m); g = q; U(&m);"), ""},
		{"new object, by a function, later", unescaped("L(&m); g = q; U(&m); l(q);"), "heap@malloc"},
		{"new object, by a function that tells", unescaped("r(q); l(q);"), "heap@malloc"},
		{"new object, both", unescaped("l(q); L(&m); g = q; U(&m); if (input) l(q);"), "heap@malloc"},
		{"pointer to lock", with("struct P { int n; pthread_mutex_t *k; } *pp; void *f(void *p) { struct P *q = malloc(sizeof *q); q->k = &n; L(&m); pp = q; q = pp; U(&m); L(q->k); x++; U(q->k); return 0; }", "", "0", ""), ""},
		{"pointer to one of two locks", with("struct P { int n; pthread_mutex_t *k; } *pp; void *f(void *p) { struct P *q = malloc(sizeof *q); q->k = input ? &n : &m; L(&m); pp = q; q = pp; U(&m); L(q->k); x++; U(q->k); return 0; }", "", "0", ""), "x"},
		{"each initialises", f("struct S *q = malloc(sizeof *q); pthread_mutex_init(&q->m, 0); L(&q->m); q->n++; U(&q->m); free(q);", "", ""), ""},
	})
}

package pointsto

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
)

// analysed analyses a program.
func analysed(t *testing.T, src string) (*cir.Program, *Result) {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	return p.Program, r
}

// held returns what a variable's pointer at an offset may point to: "g+8 h+any".
func held(t *testing.T, r *Result, name string, off int64) string {
	t.Helper()
	for _, o := range r.Objects {
		if o.String() == name || strings.HasSuffix(o.String(), ":"+name) {
			var out []string
			for _, l := range r.Contents(o, off) {
				s := l.Obj.String()
				if l.Off == Any {
					s += "+any"
				} else if l.Off != 0 {
					s += fmt.Sprint("+", l.Off)
				}
				out = append(out, s)
			}
			slices.Sort(out)
			return strings.Join(out, " ")
		}
	}
	return "" // nobody mentions it
}

const decls = `#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <stdarg.h>
#include <pthread.h>
int a, b, c; int *p, *q, *r; struct S { int *x, *y; } s, t; struct S *sp; int *arr[4]; int n;
`

// TestContents has what variables may point to at the end.
func TestContents(t *testing.T) {
	for _, c := range []struct{ name, src, at, want string }{
		{"assignment", `int main(void){ p = &a; q = p; return 0; }`, "q+0", "a"},
		{"both", `int main(void){ p = &a; if (n) p = &b; return 0; }`, "p+0", "a b"},
		{"fields", `int main(void){ s.x = &a; s.y = &b; p = s.y; return 0; }`, "p+0", "b"},
		{"field's address", `int main(void){ sp = &s; r = (int *)&sp->y; return 0; }`, "r+0", "s+8"},
		{"elements are one", `int main(void){ arr[1] = &a; arr[2] = &b; p = arr[3]; return 0; }`, "p+0", "a b"},
		{"through a pointer", `int main(void){ int **pp = &p; *pp = &c; return 0; }`, "p+0", "c"},
		{"function pointers", `int f(int *x){ q = x; return 0; } int g(int *x){ r = x; return 0; } int (*h)(int *);
			int main(void){ h = f; h(&a); return 0; }`, "q+0", "a"},
		{"not called", `int f(int *x){ q = x; return 0; } int g(int *x){ r = x; return 0; } int (*h)(int *);
			int main(void){ h = f; h(&a); return 0; }`, "r+0", ""},
		{"structs by value", `void f(struct S v){ p = v.y; } int main(void){ s.x = &a; s.y = &b; f(s); return 0; }`, "p+0", "b"},
		{"struct results", `struct S f(void){ struct S v; v.x = &a; v.y = &b; return v; } int main(void){ t = f(); return 0; }`, "t+8", "b"},
		{"assignment of structs", `int main(void){ s.x = &a; s.y = &b; t = s; p = t.x; return 0; }`, "p+0", "a"},
		{"memcpy", `int main(void){ s.x = &a; s.y = &b; memcpy(&t, &s, sizeof s); p = t.y; return 0; }`, "p+0", "b"},
		{"memcpy of a part", `int main(void){ s.x = &a; s.y = &b; memcpy(&t.x, &s.y, sizeof(int *)); return 0; }`, "t+0", "b"},
		{"memcpy of an array to the heap", `int main(void){ arr[n] = &a; int **h = malloc(32); memcpy(h, arr, 32); p = h[2]; return 0; }`, "p+0", "a"},
		{"memcpy across elements", `struct S m[3]; int main(void){ m[n].x = &a; int **h = malloc(24); memcpy(h, &m[0].y, 24); p = h[1]; return 0; }`, "p+0", "a"},
		{"heap by caller", `int main(void){ int **x = malloc(8), **y = malloc(8); *x = &a; *y = &b; p = *x; return 0; }`, "p+0", "a"},
		{"realloc", `int main(void){ int **x = malloc(16); x[1] = &a; x = realloc(x, 32); p = x[1]; return 0; }`, "p+0", "a"},
		{"varargs", `void f(int k, ...){ va_list l; va_start(l, k); p = va_arg(l, int *); va_end(l); }
			int main(void){ f(1, &a); return 0; }`, "p+0", "a"},
		{"va_copy", `void f(int k, ...){ va_list l, m; va_start(l, k); va_copy(m, l); p = va_arg(m, int *); va_end(m); va_end(l); }
			int main(void){ f(1, &a); return 0; }`, "p+0", "a"},
		{"integers", `int main(void){ uintptr_t i = (uintptr_t)&a; p = (int *)i; return 0; }`, "p+0", "a"},
		{"arithmetic of integers", `int main(void){ uintptr_t i = (uintptr_t)&s; p = (int *)(i + 8 * n); return 0; }`, "p+0", "s+any"},
		{"overflow builtins", `int main(void){ uintptr_t i; __builtin_add_overflow((uintptr_t)&s, (uintptr_t)n, &i); p = (int *)i; return 0; }`, "p+0", "s+any"},
		{"functions without a body", `int *f(int *); int main(void){ p = f(&a); return 0; }`, "p+0", "a outside"},
		{"what is known outside is written", `void f(struct S *); int main(void){ s.x = &a; f(&s); p = s.y; return 0; }`, "p+0", "outside"},
		{"written below what is given", `struct iovec { void *base; size_t len; }; long readv(int, const struct iovec *, int);
			int main(void){ struct iovec v = {&s, sizeof s}; readv(0, &v, 1); p = s.y; return 0; }`, "p+0", "outside"},
		{"initialisers", `struct S u = {&a, &b}; int main(void){ p = u.y; return 0; }`, "p+0", "b"},
		{"back in an array within a struct", `struct { long k; int *v[4]; } u; int main(void){ int **w = &u.v[2]; w[-1] = &a; p = u.v[1]; return 0; }`, "p+0", "a"},
		{"before an array at the end of a struct", `struct Q { int *h, *v[2]; } u; int main(void){ struct Q *w = &u; w->v[n] = &a; p = w->h; return 0; }`, "p+0", ""},
		{"in an array at the end of a struct", `struct Q { int *h, *v[2]; } u; int main(void){ struct Q *w = &u; w->v[n] = &a; p = w->v[1]; return 0; }`, "p+0", "a"},
		{"an array of one element at the end of a struct", `struct Q { int *h, *v[1]; } u; int main(void){ struct Q *w = &u; w->v[n] = &a; p = w->h; return 0; }`, "p+0", "a"},
		{"a struct with an array over one that has none there", `struct Q { int *h, *v[2]; }; struct { int *x[2], *y; } u; int main(void){
			struct Q *w = (struct Q *)&u; w->v[n] = &a; p = u.y; return 0; }`, "p+0", "a"},
		{"a struct with an array over one that begins elsewhere", `struct Q { int *h, *v[2]; }; struct { int *x, *y, *v[2]; } u; int main(void){
			struct Q *w = (struct Q *)&u; w->v[n] = &a; p = u.y; return 0; }`, "p+0", "a"},
		{"array in a union", `union { int *v[4]; long k; } u; int main(void){ u.v[n] = &a; p = u.v[2]; return 0; }`, "p+0", "a"},
		{"members of unions", `union { int *x; uintptr_t y; } u; int main(void){ u.x = &a; p = (int *)u.y; return 0; }`, "p+0", "a"},
		{"cycles", `int main(void){ p = &a; for (int i = 0; i < n; i++) { q = p; r = q; p = r; } r = &b; q = r; p = q; return 0; }`, "p+0", "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r := analysed(t, decls+c.src)
			var off int64
			name, at, _ := strings.Cut(c.at, "+")
			fmt.Sscan(at, &off)
			if got := held(t, r, name, off); got != c.want {
				t.Errorf("%s: got %q, want %q", c.at, got, c.want)
			}
		})
	}
}

// TestThreads has roots, and what they share.
func TestThreads(t *testing.T) {
	_, r := analysed(t, decls+`
		int shared, mine, unused;
		void *once(void *x) { *(int *)x = 1; shared = 1; return 0; }
		void *many(void *x) { mine = 1; return 0; }
		int main(void) {
			pthread_t u; int local = 0, kept = 0; int *k = &kept; *k = 1;
			pthread_create(&u, 0, once, &local);
			for (int i = 0; i < n; i++) pthread_create(&u, 0, many, 0);
			local = 2; shared = 2;
			return 0;
		}`)
	many := map[string]bool{}
	for _, root := range r.Roots { // the library's function calls the program's
		for _, x := range r.reach(root) {
			if name := x.fn.Source; name == "once" || name == "many" || x.fn == root.Func {
				many[name] = root.Many
			}
		}
	}
	for name, want := range map[string]bool{"main": false, "once": false, "many": true} {
		if got, ok := many[name]; !ok || got != want {
			t.Errorf("%s: many is %v (a root: %v), want %v", name, got, ok, want)
		}
	}
	for name, want := range map[string][3]bool{ // escaped, shared, written
		"shared": {true, true, true}, "mine": {true, true, true}, "n": {true, false, false},
		"main.local": {true, true, true}, "main.kept": {false, false, true}, "unused": {},
	} {
		for _, o := range r.Objects {
			if got := [3]bool{o.Escaped, r.Shared(o), o.Written}; o.String() == name && got != want {
				t.Errorf("%s: escaped, shared, written: got %v, want %v", name, got, want)
			}
		}
	}
}

// TestModified has what calls write, and whom they reach.
func TestModified(t *testing.T) {
	p, r := analysed(t, decls+`
		void set(int *x) { *x = 1; } void other(int *x) { b = 2; } void (*h)(int *);
		int main(void) { h = n ? set : other; h(&a); return c; }`)
	m := map[*Object]bool{}
	main := p.FuncNamed("main")
	r.Modified(main, Context{}, main.Blocks, m)
	got := map[string]bool{}
	for o := range m {
		got[o.String()] = true
	}
	if !got["a"] || !got["b"] || got["c"] || got["n"] {
		t.Errorf("modified: %v", got)
	}
	for _, blk := range main.Blocks {
		for _, in := range blk.Instrs {
			if call, ok := in.(*cir.Call); ok {
				if fs := r.Callees(main, Context{}, call); len(fs) != 2 {
					t.Errorf("callees: %v", fs)
				}
			}
		}
	}
}

// TestInterrupted ends the context first.
func TestInterrupted(t *testing.T) {
	p, _ := analysed(t, decls+`int main(void) { return 0; }`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Analyse(ctx, p); err == nil {
		t.Error("no error")
	}
}

package cloning_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/cloning"
)

func load(t *testing.T, text string) *cir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte("#include <pthread.h>\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(t.Context(), []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// TestOf copies what creates threads for others, as often as it is called, and leaves the program as it was.
func TestOf(t *testing.T) {
	const start = `static void *f(void *p) { return p; } static void *g(void *p) { return p; } pthread_t a, b, c;
static int start(pthread_t *t, void *(*fn)(void *)) { static int count; count++; int i = 0; again: if (i++ < 2) goto again; return pthread_create(t, 0, fn, 0); }
`
	const boxes = `struct box { pthread_mutex_t m; int n; } a, b; static void raise(struct box *p, int k) { p->n += k; }
static int put(struct box *p, int k) { pthread_mutex_lock(&p->m); raise(p, k); pthread_mutex_unlock(&p->m); return 0; }
`
	for _, c := range []struct {
		name, text string
		want       string // the functions with copies
	}{
		{"once", start + "int main(void) { return start(&a, f); }", ""},
		{"two calls", start + "int main(void) { return start(&a, f) + start(&b, g); }", "start.2"},
		{"three calls", start + "int main(void) { return start(&a, f) + start(&b, g) + start(&c, f); }", "start.2 start.3"},
		{"by way of another one", start + "static void twice(void *(*fn)(void *)) { start(&a, fn); } int main(void) { twice(f); twice(g); return 0; }", "start.2 twice.2"},
		{"always the same function", "pthread_t a; static void *f(void *p) { return p; } static void start(void) { pthread_create(&a, 0, f, 0); } int main(void) { start(); start(); return 0; }", ""},
		{"recursive", start + "static void some(void *(*fn)(void *), int n) { pthread_create(&a, 0, fn, 0); if (n) some(fn, n - 1); } int main(void) { some(f, 1); some(g, 2); return 0; }", ""},
		{"the name is taken", start + "int main(void) { int (*h)(pthread_t *, void *(*)(void *)) = start; return start(&a, f) + start(&b, g) + h(&c, f); }", "start.2"},
		{"containers", boxes + "int main(void) { put(&a, 1); put(&b, 2); return put(&a, 3); }", "put.2 raise.2"},
		{"one container", boxes + "int main(void) { put(&a, 1); return put(&a, 3); }", ""},
		{"members", boxes + "struct { struct box x, y; } s; static int f(void *p) { put(&s.x, 1); return put(&s.y, 2); } int main(void) { return f(0); }", "put.2 raise.2"},
		{"by way of parameters", boxes + "static int two(struct box *p) { return put(p, 1); } int main(void) { return two(&a) + two(&b); }", "put.2 raise.2 two.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, c.text)
			before := p.String()
			q := cloning.Of(p)
			if p.String() != before {
				t.Error("the program has changed")
			}
			if err := q.Check(); err != nil {
				t.Error(err)
			}
			var names []string
			for _, f := range q.Funcs {
				if p.FuncNamed(f.Name) == nil {
					names = append(names, strings.TrimPrefix(f.Name, "p.c:"))
				}
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != c.want || (got == "") != (p == q) {
				t.Errorf("%q instead of %q", got, c.want)
			}
			own(t, q)
		})
	}
}

// own verifies that functions share no registers, locals and blocks.
func own(t *testing.T, p *cir.Program) {
	of := map[any]*cir.Func{}
	note := func(f *cir.Func, x any) {
		if g := of[x]; g != nil && g != f {
			t.Errorf("%s and %s share %v", f.Name, g.Name, x)
		}
		of[x] = f
	}
	for _, f := range p.Funcs {
		for _, l := range f.Locals {
			note(f, l)
		}
		for _, b := range f.Blocks {
			note(f, b)
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { note(f, to) })
			for _, in := range b.Instrs {
				note(f, in)
				for _, r := range cir.Results(in) {
					note(f, r)
				}
				cir.Operands(in, func(v cir.Value) {
					switch v.(type) {
					case *cir.Reg, *cir.Local:
						note(f, v)
					}
				})
			}
		}
	}
}

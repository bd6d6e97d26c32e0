package cfront

import (
	"slices"
	"strings"
	"testing"

	"comus/cfront/callers"
	"comus/cfront/command"
)

// TestLibrary has files without an entry, of which what they show is called.
func TestLibrary(t *testing.T) {
	const kinds = `#include <stdarg.h>
struct known { struct known *next; char name[5]; }; struct unknown; union u { int i; double d; };
_Bool f(_Bool a, char b, unsigned short c, int d, unsigned long e, long long g, float h, double i, long double j, enum { A } k) { return a; }
struct known *g(struct known *a, struct known **b, struct unknown *c, struct unknown **d, void *e, void **h, const char *s, int (*cmp)(void), struct known v, union u w) { return a; }
void varied(const char *s, ...) {} void list(va_list l) {} void none(void) {} void old() {}
typedef int four __attribute__((vector_size(16))); four vector(four v) { return v; }
static void hidden(void) {} __attribute__((constructor)) static void begin(void) { hidden(); }`
	for _, c := range []struct {
		name, src, called, not string
		err                    string
		model                  DataModel
	}{
		{"all kinds", kinds, "f g varied list none old begin hidden", "vector", "", LP64},
		{"all kinds, 32 bits", kinds, "f g varied none old begin hidden", "vector list", "", ILP32},
		{"a program", `void f(void) {} int main(void) { return 0; }`, "main", "f", "", LP64},
		{"nothing shown", `static void f(void) {}`, "", "", "there is no function 'main'", LP64},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(c.src), Options{NoHost: true, Library: true, DataModel: c.model})
			if err != nil || c.err != "" {
				if err == nil || c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Fatal(err)
				}
				return
			}
			var names []string
			for _, f := range p.Funcs {
				names = append(names, f.Source)
			}
			for _, f := range strings.Fields(c.called) {
				if !slices.Contains(names, f) {
					t.Errorf("%s is no part of %v", f, names)
				}
			}
			for _, f := range strings.Fields(c.not) {
				if slices.Contains(names, f) {
					t.Errorf("%s is a part of %v", f, names)
				}
				if warned := strings.Contains(strings.Join(p.Warnings, "\n"), "'"+f+"' is called by nobody"); warned != (c.name != "a program") {
					t.Errorf("warnings %q", p.Warnings)
				}
			}
			if !slices.Equal(p.Files, []string{"t.c"}) {
				t.Errorf("files %q, %s among them", p.Files, callers.File)
			}
		})
	}
}

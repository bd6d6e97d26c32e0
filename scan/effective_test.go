package scan_test

import (
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/scancheck"
	"comus/cir"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

// assuming analyses a program with premises, and has the certificate checked. It returns the number of suspects, whether the program is certified to be free, and the
// assumptions, which have to be those of the checker as far as it is.
func assuming(t *testing.T, src string, inv command.Invocation, a cir.Premises) (suspects int, free bool, assumed []string) {
	t.Helper()
	inv.File = text(t, src)
	loaded, err := cfront.Load(t.Context(), []command.Invocation{inv}, cfront.Options{NoHost: true, Libraries: true, Assume: a})
	if err != nil {
		t.Fatal(err)
	}
	p := loaded.Program
	pts, err := pointsto.AnalyseOpen(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	again, err := pointsto.AnalyseOpen(t.Context(), p) // of its own
	if err != nil {
		t.Fatal(err)
	}
	rep, err := scancheck.Check(t.Context(), p, again, r.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Locations {
		suspects += len(l.Suspects)
	}
	free = rep.RaceFree() == nil
	if free != (suspects == 0) {
		t.Errorf("%d suspects, certified: %v", suspects, rep.RaceFree())
	}
	for _, s := range r.Assumptions {
		if strings.Contains(s, "6.5p7") && !slices.Contains(rep.Assumptions, s) {
			t.Error("not assumed by the check: ", s)
		}
	}
	return suspects, free, rep.Assumptions
}

// TestEffectiveTypes has accesses through a pointer to one of two objects, and whether effective types tell that it is not the one which is accessed elsewhere.
func TestEffectiveTypes(t *testing.T) {
	const head = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
void *box; pthread_t a; double d; int k;
enum e { A, B }; struct base { int kind; }; struct derived { struct base b; float x; }; struct other { int p; float q; }; struct one { float f; };
struct node { int n; }; struct item { double d; struct node n; }; struct flags { unsigned a : 3, b : 5; }; struct small { char a, b, c, d; };
union either { int i; float f; }; struct holds { long l; union either u; }; struct pair { int n; double d; };
`
	program := func(v, theirs, ours string) string {
		return head + v + "; static void *work(void *p) { " + theirs + "; return 0; }\n" +
			"int main(int argc, char **argv) { k = argc; box = argc > 1 ? (void *)&v : (void *)&d; pthread_create(&a, 0, work, 0); " + ours + "; return 0; }\n"
	}
	for _, c := range []struct {
		name, v, theirs, ours string
		free                  bool
	}{
		{"a double", "int v[2]", "*(double *)box = 1", "v[0] = 1", true},
		{"a float of the same size", "int v", "*(float *)box = 1", "v = 1", true},
		{"a larger integer", "short v[4]", "*(int *)box = 1", "v[0] = 1", true},
		{"a pointer", "long v", "*(void **)box = 0", "v = 1", true},
		{"read only there", "int v[2]", "k = *(double *)box", "v[0] = 1", true},
		{"an int", "int v", "*(int *)box = 1", "v = 1", false},
		{"read only there, an int", "int v", "k = *(int *)box", "v = 1", false},
		{"an unsigned int", "int v", "*(unsigned *)box = 1", "v = 1", false},
		{"an enumeration", "enum e v", "*(unsigned *)box = 1", "v = A", false},
		{"a long long", "long v", "*(long long *)box = 1", "v = 1", false},
		{"another pointer", "char *v", "*(int **)box = 0", "v = 0", false},
		{"a character", "int v", "*(char *)box = 1", "v = 1", false},
		{"another character", "int v", "((unsigned char *)box)[3] = 1", "v = 1", false},
		{"characters as memory", "char v[64]", "*(int *)box = 1", "v[0] = 1", false},
		{"characters as memory, further on", "char v[64]", "((int *)box)[k] = 1", "v[5] = 1", false},
		{"adjacent characters", "struct small v", "*(int *)box = 1", "v.c = 1", false},
		{"memcpy", "int v", "double x = 1; memcpy(box, &x, 4)", "v = 1", false},
		{"memcpy from there", "int v", "double x; memcpy(&x, box, 4)", "v = 1", false},
		{"memset", "int v", "memset(box, 0, 4)", "v = 1", false},
		{"a struct as a whole", "int v", "struct one s = {1}; *(struct one *)box = s", "v = 1", false},
		{"a member of another struct", "int v", "((struct one *)box)->f = 1", "v = 1", true},
		{"a union", "union either v", "*(float *)box = 1", "v.i = 1", false},
		{"a union, by its member", "union either v", "((union either *)box)->f = 1", "v.i = 1", false},
		{"a union within", "struct holds v", "*(float *)((char *)box + 8) = 1", "v.u.i = 1", false},
		{"beside a union", "struct holds v", "*(double *)box = 1", "v.l = 1", true},
		{"a struct that is a union there", "struct holds v", "((struct holds *)box)->u.f = 1", "v.u.i = 1", false},
		{"the first member", "struct derived v", "((struct base *)box)->kind = 1", "v.b.kind = 1", false},
		{"the first member, as its type", "struct derived v", "*(int *)box = 1", "v.b.kind = 1", false},
		{"a struct like it", "struct derived v", "((struct other *)box)->q = 1", "v.x = 1", false},
		{"another member", "struct derived v", "*(float *)box = 1", "v.b.kind = 1", true},
		{"the struct around", "struct item v", "((struct item *)((char *)((struct node *)((char *)box + 8)) - 8))->d = 1", "v.d = 1", false},
		{"bit-fields", "struct flags v", "*(unsigned *)box = 1", "v.a = 1", false},
		{"a bit-field of another struct", "int v", "((struct flags *)box)->a = 1", "v = 1", false},
		{"an atomic operation", "double v", "__atomic_store_n((long *)box, 1, __ATOMIC_SEQ_CST)", "v = 1", false},
		{"somewhere, the other member", "struct pair v[4]", "*(double *)((char *)box + k) = 1", "v[1].n = 1", true},
		{"somewhere", "struct pair v[4]", "*(double *)((char *)box + k) = 1", "v[1].d = 1", false},
		{"somewhere, by characters", "struct pair v[4]", "((char *)box)[k] = 1", "v[1].n = 1", false},
		{"somewhere in an array", "int v[4]", "*(double *)((char *)box + k) = 1", "v[2] = 1", true},
		{"somewhere in an array, an int", "int v[4]", "*(int *)((char *)box + k) = 1", "v[2] = 1", false},
		{"somewhere in a union", "struct holds v", "*(float *)((char *)box + k) = 1", "v.u.i = 1", false},
		{"somewhere, too large for the union", "struct holds v", "*(double *)((char *)box + k) = 1", "v.l = 1", true},
		{"a model of the library", "int v", "frexp(1, (int *)box)", "v = 1", false},
		{"scanf", "int v", `sscanf("1", "%f", (float *)box)`, "v = 1", false},
		{"a type that may alias", "int v; typedef float __attribute__((may_alias)) loose", "*(loose *)box = 1", "v = 1", false},
		{"a type that may alias, not used", "int v; typedef float __attribute__((__may_alias__)) loose", "*(float *)box = 1", "v = 1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 3)
			src := program(c.v, c.theirs, c.ours)
			said := func(list []string) bool {
				return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, "6.5p7") })
			}
			if n, _, assumed := assuming(t, src, command.Invocation{}, cir.Premises{}); n == 0 || said(assumed) {
				t.Errorf("%d suspects without the assumption, %q", n, assumed)
			}
			if n, _, assumed := assuming(t, src, command.Invocation{}, cir.Premises{EffectiveTypes: true}); (n == 0) != c.free || c.free && !said(assumed) {
				t.Errorf("%d suspects with the assumption, %q", n, assumed)
			}
			if n, _, assumed := assuming(t, src, command.Invocation{Flags: command.Flags{NoStrictAliasing: true}}, cir.Premises{EffectiveTypes: true}); n == 0 || said(assumed) {
				t.Errorf("%d suspects with -fno-strict-aliasing, %q", n, assumed)
			}
		})
	}
}

// TestEffectiveTypesOfMemory has memory without a type of its own.
func TestEffectiveTypesOfMemory(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"allocated", "void *p = malloc(8); pthread_create(&a, 0, work, p); *(int *)p = 1;"},
		{"allocated, of another type before", "int *p = malloc(8); *p = 1; pthread_create(&a, 0, work, p); *p = 2;"},
		{"allocated, a struct", "struct s *p = malloc(sizeof *p); p->i = 1; pthread_create(&a, 0, work, p); p->i = 2;"},
		{"allocated again", "int *p = malloc(8); *p = 1; p = realloc(p, 16); pthread_create(&a, 0, work, p); *p = 2;"},
		{"copied", "int i = 1; void *p = malloc(8); memcpy(p, &i, 4); pthread_create(&a, 0, work, p); i = *(int *)p;"},
		{"of a length that is not known", "int v[argc]; pthread_create(&a, 0, work, v); v[0] = 1; pthread_join(a, 0);"},
		{"alloca", "int *v = __builtin_alloca(8); pthread_create(&a, 0, work, v); v[0] = 1; pthread_join(a, 0);"},
		{"declared elsewhere", "extern struct incomplete there; pthread_create(&a, 0, work, &there); *(int *)&there = 1;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct s { int i; float f; }; pthread_t a;
static void *work(void *p) { *(float *)p = 1; return 0; }
int main(int argc, char **argv) { ` + c.src + " return 0; }"
			if n, free, _ := assuming(t, src, command.Invocation{}, cir.Premises{EffectiveTypes: true}); n == 0 || free {
				t.Error("no suspects")
			}
		})
	}
}

// TestReplacedHooks has calls through pointers that lead to a function of the program, and perhaps to one that code outside has put there, which may keep what it is given.
func TestReplacedHooks(t *testing.T) {
	for _, c := range []struct {
		name, src         string
		byDefault, always bool // v is kept outside
	}{
		{"may be replaced", "ops.f = mine; library(&ops); ops.f(&v);", false, true},
		{"is not known outside", "ops.f = mine; ops.f(&v);", false, false},
		{"nothing else is there", "library(&ops); ops.f(&v);", true, true},
		{"given to somebody else, too", "ops.f = mine; library(&ops); ops.f(&v); library(&v);", true, true},
	} {
		for _, keep := range []bool{false, true} {
			src := `static struct ops { void (*f)(int *); } ops; static int v; static void mine(int *p) {}
void library(void *); int main(void) { ` + c.src + " return 0; }"
			p, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true, Assume: cir.Premises{HooksKeep: keep}})
			if err != nil {
				t.Fatal(err)
			}
			pts, err := pointsto.AnalyseOpen(t.Context(), p.Program)
			if err != nil {
				t.Fatal(err)
			}
			r, err := scan.Analyse(t.Context(), p.Program, pts, scan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			kept := false
			for _, o := range pts.Objects {
				if o.External {
					kept = slices.ContainsFunc(pts.Held(o), func(l pointsto.Location) bool { return l.Obj.Global != nil && l.Obj.Global.Source == "v" })
				}
			}
			want := c.byDefault
			if keep {
				want = c.always
			}
			said := slices.ContainsFunc(r.Assumptions, func(s string) bool { return strings.Contains(s, "keeps no pointer that it is given") })
			if kept != want || said != (!keep && c.src[0] == 'o' && strings.Contains(c.src, "library")) {
				t.Errorf("%s, hooks keep (%t): kept %t, said %t", c.name, keep, kept, said)
			}
		}
	}
}

package anew_test

import (
	"os"
	"path/filepath"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/anew"
	"comus/cir"
)

const program = `#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
struct s { int x; struct s *next; char *text; };
static struct s *last, spare; static int n; static jmp_buf env;
static void fill(struct s *p) { memset(p, 0, sizeof *p); p->x = n; }
static struct s *same(struct s *p) { return p; }
static void note(struct s *p) { last = p; }
static void deep(struct s *p, int k) { if (k) deep(p, k - 1); p->x = k; }
struct s *alone_plain(void) { return malloc(sizeof(struct s)); }
struct s *alone_filled(void) { struct s *p = malloc(sizeof *p); fill(p); return p; }
struct s *alone_null(void) { struct s *p = 0; p = malloc(sizeof *p); if (!p) return 0; if (n) { free(p); return 0; } return p; }
struct s *alone_other(void) { struct s *p = alone_filled(); p->text = malloc(8); if (p->text) p->text[0] = 1; return p; }
struct s *alone_two(void) { return n ? malloc(sizeof(struct s)) : calloc(1, sizeof(struct s)); }
struct s *alone_before(void) { struct s *p = malloc(sizeof *p); p->next = last; return p; }
struct s *new_noted(void) { struct s *p = malloc(sizeof *p); last = p; return p; }
struct s *new_notedby(void) { struct s *p = malloc(sizeof *p); note(p); return p; }
struct s *new_self(void) { struct s *p = malloc(sizeof *p); p->next = p; return p; }
struct s *new_copied(void) { struct s *p = malloc(sizeof *p); memcpy(&last, &p, sizeof last); struct s *q = malloc(sizeof *q); free(p); last = q; return q; }
struct s *new_deep(void) { struct s *p = malloc(sizeof *p); deep(p, 3); return p; }
struct s *new_over(void) { struct s *p = new_noted(); p->x = 1; return p; }
struct s *new_integer(void) { struct s *p = malloc(sizeof *p); n = (int)(long)p; return p; }
struct s *no_same(void) { return same(malloc(sizeof(struct s))); }
struct s *no_spare(void) { return n ? &spare : malloc(sizeof(struct s)); }
struct s *no_last(void) { if (!last) last = malloc(sizeof *last); return last; }
struct s *no_static(void) { static struct s *p; if (!p) p = malloc(sizeof *p); return p; }
struct s *no_member(void) { struct s *p = malloc(sizeof *p); p->next = last; return p->next; }
struct s *no_inside(void) { struct s *p = malloc(2 * sizeof *p); return p + 1; }
struct s *no_taken(void) { struct s *p = malloc(sizeof *p), **q = &p; if (n) *q = last; return p; }
struct s *no_param(struct s *q) { struct s *p = malloc(sizeof *p); if (n) p = q; return p; }
struct s *no_unset(void) { struct s *p; if (n) p = malloc(sizeof *p); return p; }
struct s *no_jump(void) { struct s *p = malloc(sizeof *p); if (setjmp(env)) return p; return p; }
struct s *no_itself(int k) { return k ? no_itself(k - 1) : malloc(sizeof(struct s)); }
struct s *no_resized(void) { return last = realloc(last, 64); }
struct s *no_null(void) { return 0; }
int main(void) {
  alone_plain()->x = 1; alone_filled()->x = 1; alone_null()->x = 1; alone_other()->x = 1; alone_two()->x = 1; alone_before()->x = 1;
  new_noted()->x = 1; new_notedby()->x = 1; new_self()->x = 1; new_copied()->x = 1; new_over()->x = 1; new_deep()->x = 1; new_integer()->x = 1;
  no_same()->x = 1; no_spare()->x = 1; no_last()->x = 1; no_static()->x = 1; no_member()->x = 1; no_inside()->x = 1; no_taken()->x = 1;
  no_param(last)->x = 1; no_unset()->x = 1; no_jump()->x = 1; no_itself(2)->x = 1; no_resized()->x = 1; no_null()->x = 1;
  return 0;
}
`

// TestFunctions has functions whose names say what they return.
func TestFunctions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(t.Context(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Fatal(err)
	}
	var funcs anew.Funcs
	seen := map[string]int{}
	for _, b := range p.Program.FuncNamed("main").Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			name, is := call.Callee.(*cir.Func).Source, "no_"
			switch {
			case funcs.Alone(call):
				is = "alone_"
			case funcs.New(call):
				is = "new_"
			}
			if seen[is]++; len(name) < len(is) || name[:len(is)] != is {
				t.Errorf("%s: %s", name, is)
			}
		}
	}
	if seen["alone_"] != 6 || seen["new_"] != 7 || seen["no_"] != 13 {
		t.Errorf("the calls are %v", seen)
	}
}

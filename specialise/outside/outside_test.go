package outside_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/specialise/outside"
)

// TestCallBack: the program that is made is well formed, its instructions have their numbers, and the one that was read is as it was.
func TestCallBack(t *testing.T) {
	const top = `#include <ftw.h>
#include <signal.h>
#include <time.h>
struct pair { long a, b; };
# 1 "/usr/include/lib.h" 1 3
void lib(void (*)(int), const char *, ...);
struct pair lib_pair(struct pair, struct pair (*)(struct pair, unsigned long, double, short *));
_Noreturn void lib_leave(void (*)(int));
# 9 "PROG" 2
static void number(int i) {}
static struct pair both(struct pair p, unsigned long n, double d, short *s) { return p; }
static int tree(const char *p, const struct stat *s, int t) { return 0; }
static void value(union sigval v) {}
`
	for _, c := range []struct {
		name, src string
		calls     int // the functions that are made
	}{
		{"nothing is called", `void f(int); int main(void) { f(1); }`, 0},
		{"several kinds", `int main(int n, char **v) { lib(number, v[0], n, 1.5, (struct pair){1, 2}); ftw(v[1], tree, n); return lib_pair((struct pair){1, 2}, both).a; }`, 3},
		{"no return", `int main(void) { lib_leave(number); }`, 1},
		{"by a pointer", `int main(int n, char **v) { int (*f)(const char *, __ftw_func_t, int) = n > 1 ? ftw : 0; return f(v[1], tree, n); }`, 1},
		{"of the program's own", `void own(void (*)(int)); int main(void) { own(number); }`, 2},
		{"in threads", `int main(void) { struct sigevent e = {.sigev_notify_function = value}; timer_t t; return timer_create(0, &e, &t); }`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "prog.c")
			if err := os.WriteFile(file, []byte(strings.Replace(top, "PROG", file, 1)+c.src), 0o666); err != nil {
				t.Fatal(err)
			}
			l, err := cfront.Load(t.Context(), []command.Invocation{{File: file}}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p := l.Program
			before := p.String()
			pts, err := pointsto.Analyse(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			q, err := outside.CallBack(t.Context(), p, pts)
			if err != nil {
				t.Fatal(err)
			}
			if p.String() != before {
				t.Error("the program was changed")
			}
			if err := q.Check(); err != nil {
				t.Error(err)
			}
			if n := len(q.Funcs) - len(p.Funcs); n != c.calls || c.calls == 0 && q != p {
				t.Errorf("%d functions are made, not %d", n, c.calls)
			}
			old, now := cir.Number(p), cir.Number(q)
			for i, f := range p.Funcs {
				for k, b := range f.Blocks {
					for n, in := range b.Instrs {
						if old[in] != now[q.Funcs[i].Blocks[k].Instrs[n]] {
							t.Fatalf("instruction %d of %s has another number", n, f.Name)
						}
					}
				}
			}
		})
	}
}

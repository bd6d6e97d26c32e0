package directed_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/directed"
)

// read reads a program from text, with our own headers.
func read(t *testing.T, text string) *cir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// at returns the access of a line that has a comment: the last store or call there, or the last load.
func at(t *testing.T, p *cir.Program, text, comment string) *scan.Access {
	t.Helper()
	var out *scan.Access
	for i, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, "/*"+comment+"*/") {
			continue
		}
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					s := in.Meta().Site
					if f.Library || s == nil || s.Pos.Line != i+1 {
						continue
					}
					a := &scan.Access{Instr: in, Func: f, Site: s}
					switch in.(type) {
					case *cir.Store, *cir.Call:
						a.Write = true
					case *cir.Load:
						if out != nil && out.Write {
							continue
						}
					default:
						continue
					}
					out = a
				}
			}
		}
	}
	if out == nil {
		t.Fatal("no access:", comment)
	}
	return out
}

const (
	confirmed = "confirmed"
	seen      = "seen"
	nothing   = "nothing"
)

// TestSearch looks for races of programs.
func TestSearch(t *testing.T) {
	head := "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <errno.h>\n#include <time.h>\nint semget(int, int, int), access(const char *, int);\nint x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
	for _, c := range []struct{ name, f, main, want string }{
		{"plain", "x = 1; /*A*/", "x = 2; /*B*/", confirmed},
		{"locked", "pthread_mutex_lock(&m);\nx = 1; /*A*/\npthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);\nx = 2; /*B*/\npthread_mutex_unlock(&m);", nothing},
		{"joined", "x = 1; /*A*/", "pthread_join(t, 0);\nx = 2; /*B*/\nreturn 0;", nothing},
		{"another pair", "y = 1; /*A*/\nx = 1;", "x = 2; /*B*/", nothing},
		{"library", "memset(&x, 0, 4); /*A*/", "x = 2; /*B*/", confirmed},
		{"window", "pthread_mutex_lock(&m);\ny = 1;\npthread_mutex_unlock(&m);\nx = 1; /*A*/\npthread_mutex_lock(&m);\ny = 0;\npthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m);\nint seen = y;\npthread_mutex_unlock(&m);\nif (seen)\nx = 2; /*B*/", confirmed},
		{"an input", "x = 1; /*A*/", "if (__VERIFIER_nondet_int() == 3)\nx = 2; /*B*/", confirmed},
		{"an argument", "x = 1; /*A*/", "if (argc > 1 && !strcmp(argv[1], \"--fast\"))\nx = 2; /*B*/", confirmed},
		{"a function that is not known, before", "x = 1; /*A*/", "if (mystery() == 0)\nx = 2; /*B*/", seen},
		{"a function that is not known, behind", "x = 1; /*A*/\nmystery();", "x = 2; /*B*/", confirmed},
		{"the kernel, which may fail", "x = 1; /*A*/", "if (semget(1, 1, 0) == -1)\nx = 2; /*B*/", confirmed},
		{"the kernel, which may succeed", "x = 1; /*A*/", "if (semget(1, 1, 0) >= 0)\nx = 2; /*B*/", nothing},
		{"an error of the kernel's", "x = 1; /*A*/", "if (access(\"a\", 0) < 0 && errno != 0)\nx = 2; /*B*/", confirmed},
		{"no such result", "x = 1; /*A*/", "if (access(\"a\", 0) == 3)\nx = 2; /*B*/", nothing},
		{"no name of a file", "x = 1; /*A*/", "if (access(\"\", 0) == 0)\nx = 2; /*B*/", nothing},
		{"a name of a file", "x = 1; /*A*/", "if (access(\"a\", 0) == 0)\nx = 2; /*B*/", confirmed},
		{"an indeterminate value", "int n;\nif (n == 0)\nx = 1; /*A*/", "x = 2; /*B*/", confirmed},
		{"a value that is none", "_Bool b;\n*(char *)&b = 5;\nif (b)\nx = 1; /*A*/", "x = 2; /*B*/", nothing},
		{"the calendar", "x = 1; /*A*/", "time_t now = 86400; struct tm d; gmtime_r(&now, &d);\nif (d.tm_mday == 2 && d.tm_year == 70)\nx = 2; /*B*/", confirmed},
		{"another day", "x = 1; /*A*/", "time_t now = 86400; struct tm d; gmtime_r(&now, &d);\nif (d.tm_mday == 3)\nx = 2; /*B*/", nothing},
		{"undefined before", "x = 1; /*A*/", "int *p = 0;\n*p = 1;\nx = 2; /*B*/", nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + "extern int mystery(void), __VERIFIER_nondet_int(void);\nvoid *f(void *arg) {\n" + c.f + "\nreturn 0; }\n" +
				"int main(int argc, char **argv) {\npthread_t t;\npthread_create(&t, 0, f, 0);\n" + c.main + "\npthread_join(t, 0);\nreturn 0; }\n"
			p := read(t, text)
			s := &scan.Suspect{A: at(t, p, text, "A"), B: at(t, p, text, "B")}
			for _, o := range []directed.Options{{Directed: -1, Random: 300}, {Random: -1, Directed: 300}} {
				found, err := directed.Search(context.Background(), p, []*scan.Suspect{s}, o)
				if err != nil {
					t.Fatal(err)
				}
				got := nothing
				switch {
				case found[0].Execution != nil:
					got = confirmed
					replayed(t, p, s, found[0].Execution)
				case len(found[0].On) > 0:
					got = seen
				}
				if got != c.want {
					t.Errorf("%+v: %s instead of %s (%v)", o, got, c.want, found[0].On)
				}
			}
		})
	}
}

// replayed replays an execution, and one with other inputs and turns, which must not be taken for it unless it shows the race, too.
func replayed(t *testing.T, p *cir.Program, s *scan.Suspect, ex *directed.Execution) {
	t.Helper()
	is := func(r *interp.Race) bool { return directed.Shows(s, r) }
	for _, cut := range []int{0, len(ex.Turns) / 2} {
		again := &directed.Execution{Args: ex.Args, Stdin: ex.Stdin, Files: ex.Files, Env: ex.Env, Turns: slices.Clone(ex.Turns[cut:]), Inputs: slices.Clone(ex.Inputs)}
		res, on, err := directed.Replay(context.Background(), p, again, is)
		if cut > 0 && err != nil && strings.Contains(err.Error(), "does not end with its last turn") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		raced := res.Outcome == interp.Raced && len(on) == 0
		if cut == 0 && !raced {
			t.Errorf("the execution does not show the race again: %s %v", res, on)
		}
		if raced && !directed.Shows(s, &res.Races[len(res.Races)-1]) {
			t.Error("it ends with another race")
		}
	}
}

// TestEndless has threads that never end, and a race that a fraction of the runs has: where runs are cut off for their time, there are shorter ones, too.
func TestEndless(t *testing.T) {
	t.Run("threads", func(t *testing.T) {
		endless(t, "pthread_create(&t, 0, f, 0);", "pthread_join(t, 0);")
	})
	t.Run("main alone", func(t *testing.T) { long.Only(t); endless(t, "", "else f(0);") })
}

// endless looks for a race that one of 16 inputs leads to.
func endless(t *testing.T, begin, otherwise string) {
	t.Helper()
	text := `extern int __VERIFIER_nondet_int(void);
#include <pthread.h>
int x; volatile _Thread_local unsigned spin;
void *f(void *arg) { for (;;) spin++; return 0; }
void *g(void *arg) { x = 1; /*A*/
return 0; }
int main(void) {
	pthread_t t;
	int n = __VERIFIER_nondet_int();
	` + begin + `
	if ((n & 15) == 9) { pthread_create(&t, 0, g, 0);
x = 2; /*B*/
}
	` + otherwise + `
	return 0; }
`
	p := read(t, text)
	s := &scan.Suspect{A: at(t, p, text, "A"), B: at(t, p, text, "B")}
	found, err := directed.Search(context.Background(), p, []*scan.Suspect{s}, directed.Options{Time: 48 * time.Second, Directed: -1, Confirmed: func(*directed.Execution) (bool, bool) { return true, true }})
	if err != nil {
		t.Fatal(err)
	}
	if found[0].Execution == nil {
		t.Fatal("nothing is found")
	}
}

// TestNarrow has a race that random runs do not find: both threads have to be at their accesses at a time when another one holds them up.
func TestNarrow(t *testing.T) {
	text := `#include <pthread.h>
int x, go[40]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
	for (int i = 0; i < 40; i++) { pthread_mutex_lock(&m); go[i] = 1; pthread_mutex_unlock(&m); }
	x = 1; /*A*/
	pthread_mutex_lock(&m); go[0] = 2; pthread_mutex_unlock(&m);
	return 0;
}
int main(void) {
	pthread_t t; int last = 0;
	pthread_create(&t, 0, f, 0);
	pthread_mutex_lock(&m); last = go[39] && go[0] == 1; pthread_mutex_unlock(&m);
	if (last)
		x = 2; /*B*/
	pthread_join(t, 0);
	return 0;
}
`
	p := read(t, text)
	s := &scan.Suspect{A: at(t, p, text, "A"), B: at(t, p, text, "B")}
	found, err := directed.Search(context.Background(), p, []*scan.Suspect{s}, directed.Options{Random: -1, Directed: 200})
	if err != nil || found[0].Execution == nil {
		t.Error("not found", err)
	}
}

package scan_test

import (
	"strings"
	"testing"

	"comus/scan"
)

// TestInterrupts: what a handler and the thread that it interrupts access is told apart from races, in pairs of programs that differ in one thing.
func TestInterrupts(t *testing.T) {
	program := func(decl, handler, before, after string) string {
		return "#include <signal.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" + decl + "\nstatic void *work(void *p) { return 0; }\nstatic void on(int s) { " + handler + " }\nint main(int argc, char **argv) { " + before +
			" signal(SIGINT, on); " + after + " return 0; }"
	}
	for _, c := range []struct {
		name, decl, handler, before, after string
		found                              bool
	}{
		{"plain", "int n;", "n = 1;", "", "if (n) argc++;", true},
		{"a flag", "volatile sig_atomic_t n;", "n = 1;", "", "if (n) argc++;", false},
		{"volatile", "volatile int n;", "n++;", "", "n++;", false},
		{"atomic", "atomic_int n;", "n++;", "", "n++;", false},
		{"only read", "int n = 3;", "static int m; m = n;", "", "if (n) argc++;", false},
		{"written before", "int n;", "static int m; m = n;", "n = 1;", "", false},
		{"written behind", "int n;", "static int m; m = n;", "", "n = 1;", true},
		{"by the handler alone", "int n;", "n++;", "", "", false},
		{"a member", "struct { int a, b; } n;", "n.a = 1;", "", "n.b = 1;", false},
		{"the same member", "struct { int a, b; } n;", "n.b = 1;", "", "n.b = 1;", true},
	} {
		r, err := scan.Analyse(t.Context(), load(t, text(t, program(c.decl, c.handler, c.before, c.after))).Program, nil, scan.Options{Interrupts: true})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, l := range r.Locations {
			if found += len(l.Interrupts); l.Name != "n" && !strings.HasPrefix(l.Name, "n.") && len(l.Interrupts) > 0 {
				t.Errorf("%s: %s", c.name, l.Name)
			}
			if l.Why == scan.Suspected {
				t.Errorf("%s: a race on %s", c.name, l.Name)
			}
		}
		if found > 0 != c.found {
			t.Errorf("%s: %d found", c.name, found)
		}
	}
}

package cfront_test

import (
	"os"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
)

// TestOpen has functions without a body that the program or a header of the system declares; directives that name other lines and files do not make the
// program's own ones the system's.
func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	const own, call = "void f(void);\n", "int main(void) { f(); return 0; }\n"
	for _, c := range []struct {
		name, src string
		open      bool
	}{
		{"own", own + call, true},
		{"of a header", "# 1 \"/usr/include/f.h\" 1 3 4\n" + own + "# 4 \"t.c\" 2\n" + call, false},
		{"of a header, with directives", "# 1 \"/usr/include/f.h\" 1 3 4\n" + own + "# 4 \"t.c\" 2\n" + call + "#define A\n", false},
		{"of both", "# 1 \"/usr/include/f.h\" 1 3 4\n" + own + "# 4 \"t.c\" 2\n" + own + call, false},
		{"behind #line", "#line 70 \"made.y\"\n" + own + call, true},
		{"behind #line of the same file", "#line 70\n" + own + call, true},
		{"in a file that is not there", "# 1 \"own.h\" 1\n" + own + "# 4 \"t.c\" 2\n" + call + "#define A\n", true},
		{"by a macro", "#define F void f(void)\nF;\n" + call, true},
	} {
		if err := os.WriteFile("t.c", []byte(c.src), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, noHost := range []bool{false, true} {
			l, err := cfront.Load(t.Context(), []command.Invocation{{File: "t.c"}}, cfront.Options{NoHost: noHost})
			if err != nil {
				t.Fatal(c.name, err)
			}
			for _, f := range l.Program.Funcs {
				if f.Name == "f" && (f.Unknown == cir.Open) != c.open {
					t.Errorf("%s (%v): open %v, want %v", c.name, noHost, !c.open, c.open)
				}
			}
		}
	}
}

package cfront

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront/command"
)

// TestDivide divides the files of a folder into programs.
func TestDivide(t *testing.T) {
	for _, c := range []struct {
		name  string
		files string // "NAME: TEXT" in lines
		entry string
		want  string // programs, their files with spaces
		other string // parts of what else is told
	}{
		{"one program", "a.c: int f(void); int main(void) { return f(); }\nb.c: int f(void) { return 0; }", "", "a.c b.c", ""},
		{"two share a file", "a.c: int f(void); int main(void) { return f(); }\nb.c: int f(void) { return 0; }\nc.c: int f(void); int main(void) { return f() + 1; }", "", "a.c b.c|c.c b.c", ""},
		{"files that need files", "a.c: int f(void); int main(void) { return f(); }\nb.c: extern int g; int f(void) { return g; }\nc.c: int g = 2;", "", "a.c b.c c.c", ""},
		{"a file for nobody", "a.c: int main(void) { return 0; }\nb.c: int f(void) { return 0; }", "", "a.c", "unused b.c"},
		{"statics are nobody else's", "a.c: int f(void); int main(void) { return f(); }\nb.c: static int f(void) { return 0; } int g(void) { return f(); }", "", "a.c", "unused b.c"},
		{"the nearest file", "p/a.c: int f(void); int main(void) { return f(); }\nb.c: int f(void) { return 0; }\np/q/b.c: int f(void) { return 1; }", "", "p/a.c p/q/b.c", "unused b.c, 'f' is defined by 2 files: that of p/q/b.c is taken"},
		{"a program's own", "a.c: int f(void) { return 1; } int main(void) { return f(); }\nb.c: int f(void) { return 0; }", "", "a.c", "unused b.c"},
		{"not from another program", "a.c: int f(void); int main(void) { return f(); }\nb.c: int f(void) { return 0; } int main(void) { return f(); }", "", "a.c|b.c", ""},
		{"no program", "b.c: int f(void) { return 0; }", "", "", "unused b.c"},
		{"another entry", "b.c: int f(void) { return 0; }\nc.c: int main(void) { return 0; }", "f", "b.c", "unused c.c"},
		{"a static entry", "b.c: static int f(void) { return 0; }", "f", "b.c", ""},
		{"a file that is wrong", "a.c: int f(void); int main(void) { return f(); }\nb.c: int f(void) { return x; }", "", "a.c", "b.c:1:22"},
	} {
		dir := t.TempDir()
		var invs []command.Invocation
		for _, line := range strings.Split(c.files, "\n") {
			name, text, _ := strings.Cut(line, ": ")
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			invs = append(invs, command.Invocation{File: path})
		}
		d, err := Divide(context.Background(), invs, Options{Entry: c.entry})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		files := func(invs []command.Invocation) string {
			var out []string
			for _, i := range invs {
				name, _ := filepath.Rel(dir, i.File)
				out = append(out, name)
			}
			return strings.Join(out, " ")
		}
		var programs, others []string
		for _, p := range d.Programs {
			programs = append(programs, files(p.Units))
		}
		if got := strings.Join(programs, "|"); got != c.want {
			t.Errorf("%s: programs %q, want %q", c.name, got, c.want)
		}
		if d.Unused != nil {
			others = append(others, "unused "+files(d.Unused))
		}
		for _, n := range d.Notes {
			others = append(others, strings.ReplaceAll(n, dir+"/", ""))
		}
		for _, err := range d.Failed {
			others = append(others, strings.ReplaceAll(err.Error(), dir+"/", ""))
		}
		all := strings.Join(others, ", ")
		for _, part := range strings.Split(c.other, ", ") {
			if !strings.Contains(all, part) || c.other == "" && all != "" {
				t.Errorf("%s: %q, want %q", c.name, all, c.other)
			}
		}
	}
}

package sema

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/cfront/syntax"
)

// The programs with several errors. In wrongParts gcc's lines are the right ones; in wrongText what gcc makes of the rest after an error differs.
const (
	wrongParts = `struct pair { int a, b; };
static struct pair p;
static int later = nothing;
int f(int x)
{
	int y = x + undefined1;
	if (y > 3) {
		p.c = 4;
		undefined1 = 3;
		y = undefined2;
	}
	switch (y) {
	case 1:
		y = p;
		break;
	}
	return y + later;
}
int g(void *a)
{
	struct pair *q = a;
	int *z = &lost;
	*z = q->d;
	undefined1++;
	return 3.5 + q;
}
int h(void) { return f(1) + g(0); }
int main(void) { return f(); }
`
	wrongText = `int f(int x)
{
	int y = x +;
	if (y > 3 {
		y = 4;
	}
	y = 5
	return y;
}
int g(void)
{
	for (int i = 0; i < 3 i++) {
		f(i);
	}
	{
		f(;
	}
	return f(1);
}
int h(void) { return ); }
int k(void) { return g(); }
int * = 3;
int main(void) { return g(); }
`
	wrongType = `typedef struct { int a; unknown b; } item;
item x;
int main(void) { item y; return y.a + none; }
`
)

// linesOf returns the lines that messages are about, each once.
func linesOf(text, file string) []string {
	var lines []string
	for _, m := range regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(file)+`:(\d+):\d+: (?:error: )?.`).FindAllStringSubmatch(text, -1) {
		lines = append(lines, m[1])
	}
	return slices.Compact(lines)
}

// TestAllErrors looks at programs with several errors: each is told, in one line, and none that only comes of another one.
func TestAllErrors(t *testing.T) {
	for _, c := range []struct {
		name, src, want string // the lines; "": gcc's
	}{
		{"parts", wrongParts, ""},
		{"text", wrongText, "3 4 8 12 16 20 22"},
		{"type", wrongType, "1"},
		{"one", "int main(void) { return x; }\n", ""},
		{"braces", "int f(void) { return 1 }\nint g(void) {\n", "1 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := syntax.Lex("t.c", []byte(c.src))
			_, err := Check(in, command.Flags{})
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.Join(linesOf(err.Error(), in.File), " ")
			want := c.want
			if want == "" {
				file := filepath.Join(t.TempDir(), "t.c")
				if err := os.WriteFile(file, []byte(c.src), 0o644); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command("gcc", "-std=gnu17", "-w", "-fsyntax-only", file)
				cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
				out, _ := cmd.CombinedOutput()
				errors := slices.DeleteFunc(strings.Split(string(out), "\n"), func(l string) bool { return !strings.Contains(l, " error: ") })
				want = strings.Join(linesOf(strings.Join(errors, "\n"), file), " ")
			}
			if got != want {
				t.Errorf("errors in lines %s, want %s:\n%v", got, want, err)
			}
		})
	}
}

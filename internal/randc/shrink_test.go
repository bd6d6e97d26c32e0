package randc

import (
	"strings"
	"testing"

	"comus/internal/long"
)

// TestShrink looks for the few lines of a program that print a certain text.
func TestShrink(t *testing.T) {
	src := Program(11, All)
	src = strings.Replace(src, "int main(", "static void needle(int n) {\n  if (n > 3) {\n    printf(\"needle %d\\n\", n);\n  }\n}\nint main(", 1)
	i := strings.LastIndex(src, "  printf(\"sum ")
	src = src[:i] + "  needle(7);\n" + src[i:]
	asked := 0
	got := Shrink(src, 2000, func(s string) bool {
		asked++
		return strings.Contains(s, "needle(7)") && strings.Contains(s, "static void needle(") && strings.Contains(s, "\"needle %d\\n\"") && balancedText(s)
	})
	if n := strings.Count(got, "\n"); n > 12 {
		t.Errorf("%d lines are left after %d questions:\n%s", n, asked, got)
	}
	if !strings.Contains(got, "needle(7)") {
		t.Errorf("it does not fail any more:\n%s", got)
	}
}

func balancedText(s string) bool { return braces(s) == 0 }

// TestShrinkCompiled shrinks a program with the compiler as judge.
func TestShrinkCompiled(t *testing.T) {
	long.Only(t)
	j := NewJudge(t)
	src := Program(3, Core)
	want := "g"
	fails := func(s string) bool {
		r, err := j.Result(s, "", definedLimit, "-O0")
		return err == nil && strings.Contains(r.Stdout, "\n"+want)
	}
	if !fails(src) {
		t.Skip("the program does not print a global variable")
	}
	got := Shrink(src, 80, fails)
	if len(got) > len(src)/2 || !fails(got) {
		t.Errorf("%d of %d bytes are left:\n%s", len(got), len(src), got)
	}
}

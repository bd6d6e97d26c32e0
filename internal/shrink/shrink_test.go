package shrink

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir/explore"
)

// verdict asks the explorer; Unknown also means that src is no program.
func verdict(src string) explore.Verdict {
	res, err := csource.Parse("t.c", []byte(src), csource.Options{})
	if err != nil || res.Program.Check() != nil {
		return explore.Unknown
	}
	r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 50_000})
	if err != nil {
		return explore.Unknown
	}
	return r.Verdict
}

var increment = regexp.MustCompile(`\b(\w+)\+\+;`)

// A verifier that takes x++ for one step.
func statementsAtOnce(src string) explore.Verdict {
	src = "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n" + src
	return verdict(increment.ReplaceAllString(src, "{ __VERIFIER_atomic_begin(); $1++; __VERIFIER_atomic_end(); }"))
}

// A verifier to which mutexes mean nothing.
func noLocks(src string) explore.Verdict {
	return verdict(regexp.MustCompile(`pthread_mutex_(un)?lock\([^()]*\);`).ReplaceAllString(src, ";"))
}

// A verifier that never goes through a loop.
func noLoops(src string) explore.Verdict {
	return verdict(regexp.MustCompile(`for \(`).ReplaceAllString(src, "if (0) for ("))
}

// TestBrokenVerifiers shrinks random programs about which a broken verifier is
// wrong.
func TestBrokenVerifiers(t *testing.T) {
	tests := []struct {
		name   string
		broken func(string) explore.Verdict
		wrong  explore.Verdict // what it says
		lines  int             // the result has no more
	}{
		{"lost update", statementsAtOnce, explore.Safe, 20},
		{"locks", noLocks, explore.Unsafe, 30},
		{"loops", noLoops, explore.Safe, 20},
	}
	for i, tt := range tests {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			right := explore.Safe + explore.Unsafe - tt.wrong
			fails := func(src string) bool { return tt.broken(src) == tt.wrong && verdict(src) == right }
			found := 0
			for seed := uint64(0); found < 2 && seed < 500; seed++ {
				src := randprog.Generate(seed, randprog.Options{Features: randprog.All})
				if !fails(src) {
					continue
				}
				found++
				small := Shrink(src, fails)
				t.Logf("seed %d: %d lines to %d\n%s", seed, strings.Count(src, "\n"), strings.Count(small, "\n"), small)
				if n := strings.Count(small, "\n"); n > tt.lines || !fails(small) {
					t.Errorf("seed %d: %d lines are left of\n%s", seed, n, src)
				}
				if found == 1 && Shrink(src, fails) != small {
					t.Errorf("seed %d: shrinks in two ways", seed)
				}
			}
			if found < 2 {
				t.Errorf("%d programs only", found)
			}
		})
	}
}

// TestText shrinks for what the text has to contain.
func TestText(t *testing.T) {
	contains := func(parts ...string) func(string) bool {
		return func(src string) bool {
			for _, p := range parts {
				if !strings.Contains(src, p) {
					return false
				}
			}
			return true
		}
	}
	tests := []struct {
		name  string
		src   string
		fails func(string) bool
		want  string
	}{
		{"statement", "int x, y;\nint main(void) { x = 1; y = 2; return 0; }", contains("y = "), "int main(void) {\n    y = 0;\n}\n"},
		{"in a loop", "int main() { for (int i = 0; i < 3; i++) { if (i) f(); else g(); } }", contains("g()"), "int main() {\n    g();\n}\n"},
		{"condition", "void f() { if (a > 1 && (b || c)) g(); }", contains("if (", "b"), "void f() {\n    if (b) {\n    }\n}\n"},
		{"a branch", "void f() { x = a ? b + 1 : c; }", contains("x = ", "c"), "void f() {\n    x = c;\n}\n"},
		{"do", "void f() { do { i++; } while (i < 3); }", contains("do {", "while ("), "void f() {\n    do {\n    } while (0);\n}\n"},
		{"declarations", "int *p, x = 1, w[2];", contains("w"), "int w;\n"},
		{"comments and strings", "// a \"comment\"\nchar *s = \"x;}\"; /* } */ int y;", contains("*s", `"x;}"`), "char *s = \"x;}\";\n"},
		{"locks stay in order", "void f() { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }", contains("unlock"),
			"void f() {\n    pthread_mutex_lock(&m);\n    pthread_mutex_unlock(&m);\n}\n"},
		{"does not fail", "int x;", contains("y"), "int x;"},
		{"is no program", "int main( {", contains("main"), "int main( {"},
		{"empty", "", contains(), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Shrink(tt.src, tt.fails); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// TestParseKeepsVerdict checks that a program is still the same after it was parsed
// and printed.
func TestParseKeepsVerdict(t *testing.T) {
	for seed := range uint64(60) {
		if !long.Turn(int(seed), 5) {
			continue
		}
		src := randprog.Generate(seed, randprog.Options{Features: randprog.Full &^ randprog.Semaphores})
		l, ok := parse(src)
		if !ok {
			t.Fatalf("not understood:\n%s", src)
		}
		again, ok := parse(text(l))
		if !ok || text(again) != text(l) {
			t.Errorf("printing it again changes\n%s", text(l))
		}
		if want, got := verdict(src), verdict(text(l)); got != want {
			t.Errorf("%v becomes %v\n%s\n%s", want, got, src, text(l))
		}
	}
}

// TestTries checks that it ends in time.
func TestTries(t *testing.T) {
	var b strings.Builder
	for range 2000 {
		b.WriteString("int f(int a) { if (a > 7) { return a + 3; } return 5; }\n")
	}
	n := 0
	Shrink(b.String(), func(src string) bool { n++; return n%3 != 0 || len(src) > 10_000 })
	if n > maxTries+1 {
		t.Errorf("%d tries", n)
	}
}

func FuzzShrink(f *testing.F) {
	f.Add("int x, *p = &x;\nint main(void) { for (int i = 0; i < 2; i++) x += i ? 1 : 2; do x--; while (x); }", uint8(3))
	f.Add("if (a) b; else { c }", uint8(1))
	f.Fuzz(func(t *testing.T, src string, every uint8) {
		if len(src) > 300 {
			return
		}
		fails := func(s string) bool { return len(s)%(int(every)+1) != 1 }
		if got := Shrink(src, fails); fails(src) && !fails(got) {
			t.Errorf("%q does not fail", got)
		}
	})
}

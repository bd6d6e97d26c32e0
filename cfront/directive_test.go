package cfront

import (
	"os"
	"path/filepath"
	"testing"
)

// reads reads a program, with an error that contains want unless that is empty.
func reads(t *testing.T, src, want string) {
	t.Helper()
	_, err := Parse("t.c", []byte(src), Options{})
	if want != "" {
		checkError(t, err, want)
	} else if err != nil {
		t.Error(err)
	}
}

// TestDirectives reads programs with directives that there are not: errors, unless they
// are skipped.
func TestDirectives(t *testing.T) {
	const end = "int main(void) { return 0; }\n"
	for _, tt := range []struct{ name, src, want string }{
		{"define", "#defin BUG\n", "t.c:1:2: there is no preprocessing directive #defin BUG"},
		{"spaces", "\n \t# \tfoo /* a\n */\n", "there is no preprocessing directive #foo"},
		{"no word", "#!\n", "t.c:1:2: there is no preprocessing directive #!"},
		{"no word but a literal", "#\"x\"\n", "there is no preprocessing directive #"},
		{"after a comment", "/*\n*/ #foo\n", "there is no preprocessing directive #foo"},
		{"in a group", "#ifndef X\n#foo\n#endif\n", "t.c:2:2: there is no preprocessing directive #foo"},
		{"in a group that is skipped", "#ifdef X\n#foo don't \"\n#if X\n#bar\n#endif\n#else\n#endif\n", ""},
		{"in a comment", "/*\n#foo\n*/\n//\\\n#foo\n", ""},
		{"in a literal", "char *s = \"\\\n#foo\";\n", ""},
		{"behind another line", "#define X(a) \\\n#a\nchar *s = X(1);\n", ""},
		{"behind another line of Windows", "#define X(a) \\\r\n#a\r\nchar *s = X(1);\r\n", ""},
		{"nothing", "#\n # // x\n#/* x */\n#\\\n\n", ""},
		{"line", "#line 3\n# 4 \"x.c\"\n", ""},
		{"warning", "#warning it's late\n#ident \"x\"\n", ""},
		{"error", "#error it's late // isn't it\n", "t.c:1:2: it`s late"},
		{"elifdef", "#ifdef X\n#elifdef __linux__\nint f(void) { return 1; }\n#elifdef __linux__\nint f(;\n#endif\nint g(void) { return f(); }\n", ""},
		{"elifndef", "#ifdef X\n#elifndef __linux__\n#foo\n#elifndef X\n#bar\n#endif\n", "t.c:5:2: there is no preprocessing directive #bar"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reads(t, tt.src+end, tt.want)
		})
	}
	t.Run("included", func(t *testing.T) {
		dir := t.TempDir()
		for name, text := range map[string]string{"m.c": "#include \"h.h\"\n" + end, "h.h": "\n#foo\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := ParseFile(filepath.Join(dir, "m.c"), Options{})
		checkError(t, err, "h.h:2:2: there is no preprocessing directive #foo")
	})
}

// TestConditions reads programs with && in conditions of the preprocessor, whose value cc
// gets wrong.
func TestConditions(t *testing.T) {
	const head, refused = "#define A 1\n#define B 2\n#define BOTH (A && B)\n#define TWO(x) ((x) > 1)\n#define THREE BOTH\n#define ONE(x) x\n", "t.c:7:1: unsupported: the value of && as a number"
	for _, tt := range []struct{ cond, want string }{
		{"A && B", ""},
		{"A && B == 1 || A + B > 2 && (defined A && !(A && B)) || (BOTH)", ""},
		{"(A && B) /* x */ == 1", refused},
		{"1 == \\\n (A && B)", refused},
		{"-(B && A) < 0", refused},
		{"((A && B)) + (B && A) == 2", refused},
		{"BOTH == 1", refused},
		{"1 < THREE", refused},
		{"THREE && ONE(A) > 1", ""},
		{"TWO(A && B)", refused},
		{"ONE(THREE)", refused},
		{"(B ? BOTH : 0) & 2", refused},
		{"A // && (A && B) > 1", ""},
	} {
		src := head + "#if " + tt.cond + "\n#endif\nint main(void) { return 0; }\n"
		t.Run(tt.cond, func(t *testing.T) { reads(t, src, tt.want) })
	}
	reads(t, "#define A ((1 && 2) == 1)\n#if 0\n#elif A\n#endif\nint main(void) { return 0; }\n", "t.c:3:1: unsupported: the value of &&")
	reads(t, "#define A ((1 && 2) == 1)\n#if 1\n#endif\nint main(void) { return A; }\n", "")
}

// TestLoneQuotes reads programs with quotes that have no other on their line, which is fine
// where it is skipped.
func TestLoneQuotes(t *testing.T) {
	const end = "int main(void) { return 0; }\n"
	for _, tt := range []struct{ name, src, want string }{
		{"skipped", "#if 0\nI don't\nsay \"it /* all\n#endif\n", ""},
		{"skipped by else", "#if 1\n#else\ncan't\n#endif\n", ""},
		{"met", "int x = 'a;\n", "t.c:1:9: a literal that its line does not end"},
		{"met, a string", "\nchar *s = \"abc;\n", "t.c:2:11: a literal that its line does not end"},
		{"of Windows", "#if 0\r\ndon't\r\n#endif\r\nchar *s = \"a\\\r\nb\";\r\n", ""},
		{"a comment", "/* don't */ // can't\n", ""},
		{"in a macro that is not used", "#define X isn't\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reads(t, tt.src+end, tt.want)
		})
	}
}

// TestVariadicMacros calls macros with a variable number of arguments, written in all the
// ways of GNU C.
func TestVariadicMacros(t *testing.T) {
	const sum = "#include <assert.h>\nint args = 40; int sum(int a, int b) { return a + b; }\n"
	for _, tt := range []struct{ name, src, want string }{
		{"pasted to a comma", "#define S(a,...) sum(a,##__VA_ARGS__)\nint main(void) { int x = 2; assert(S(1,-x) == -1 && S(1, x) == 3 && S(1,(x)) == 3); return 0; }\n", ""},
		{"none", "#define S(a,...) sum(a,##__VA_ARGS__)\nint main(void) { assert(S(sum(1, 2) , 3) == 6); return S(1); }\n", "t.c:4:56: too few arguments"},
		{"a list, perhaps empty", "#define L(...) {1 , ## __VA_ARGS__}\n#define M(x...) {1,##x}\nint main(void) { int a[] = L(), b[] = L(-2,3), c[] = M(), d[] = M(-2,3); assert(sizeof a == 4 && sizeof b == 12 && b[1] == -2 && sizeof c == 4 && d[2] == 3); return 0; }\n", ""},
		{"a name", "#define S(a, args...) sum(a,##args)\nint main(void) { assert(S(1,-2) == -1 && args == 40); return 0; }\n", ""},
		{"a name on another line", "#define S(a, \\\n args ...) /* args\n */ sum(a, \\\n args + 0 * sizeof \"args\")\nint main(void) { assert(S(1,-2) == -1 && args == 40); return 0; }\n", ""},
		{"a name alone", "#define S(args...) sum(args) + 0 * xargs\nint xargs; int main(void) { assert(S(1,args) == 41); return 0; }\n", ""},
		{"a text", "#define S(args...) sizeof #args\nint main(void) { assert(S(1,2) == 4); return 0; }\n", ""},
		{"a text with commas", "#define S(a...) \",##a\"\nint main(void) { assert(sizeof S(1) == 5); return 0; }\n", ""},
		{"of Windows", "#define S(a, args...) \\\r\n sum(a,##args)\r\nint main(void) { assert(S(1,-2) == -1); return 0; }\r\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "t.c")
			if err := os.WriteFile(file, []byte(sum+tt.src), 0o644); err != nil {
				t.Fatal(err)
			}
			if tt.want != "" {
				_, err := ParseFile(file, Options{})
				checkError(t, err, tt.want)
			} else if got := decide(t, file, Options{}); got != "SAFE" {
				t.Error(got)
			}
		})
	}
}

// TestTwice reads programs that have something twice, or too much of it, which cc takes.
func TestTwice(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"function", "void f(void) { }\nvoid f(void) { }\nint main(void) { return 0; }\n", "t.c:2:1: 'f' is defined at t.c:1:1 already"},
		{"main", "int main(void) { return 0; }\nint main(void) { return 1; }\n", "t.c:2:1: 'main' is defined at t.c:1:1 already"},
		{"inline", "static inline int f(void) { return 0; } static inline int f(void) { return 1; }\nint main(void) { return f(); }\n", "'f' is defined at t.c:1:1 already"},
		{"case", "int main(void) { int x = 1; switch (x) { case 1: case 2: case 1: ; } return 0; }\n", "t.c:1:42: case 1 is there twice in one switch"},
		{"case, converted", "int main(void) { unsigned x = 1; switch (x) { case -1: case 0xffffffff: ; } return 0; }\n", "case -1 is there twice in one switch"},
		{"default", "int main(void) { int x = 1; switch (x) { default: default: ; } return 0; }\n", "default is there twice in one switch"},
		{"cases of two", "int main(void) { int x = 1; switch (x) { case 1: default: switch (x) { default: case 1: ; } } return 0; }\n", ""},
		{"too many arguments", "void f(int a) { }\nint main(void) { f(1, 2); return 0; }\n", "t.c:2:18: too many arguments in the call of 'f'"},
		{"an argument for none", "void f(void) { }\nint main(void) { f(1); return 0; }\n", "too many arguments in the call of 'f'"},
		{"arguments without a prototype", "void f() { }\nvoid g(a) int a; { }\nint main(void) { f(1); g(1, 2); return 0; }\n", ""},
		{"for inlining", "extern inline __attribute__((gnu_inline)) int f(void) { return 1; }\nint f(void) { return 1; }\nint main(void) { return f(); }\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("t.c", []byte(tt.src), Options{})
			if tt.want != "" {
				checkError(t, err, tt.want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

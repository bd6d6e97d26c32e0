package read

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront/command"

	"modernc.org/cc/v4"
)

// write writes a file in a folder and returns its path.
func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestErrors checks what is said about what cannot be read, both ways.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder.c"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ src, host, own string }{
		{"#include \"no.h\"\nint x;", "F:1:10: no header no.h (hint: -I FOLDER tells where to look for headers)", "F:1:1: no header no.h (hint: -I FOLDER tells where to look for headers)"},
		{"int x;\n#include <sys/no.h>\n", "F:2:10: no header sys/no.h (hint: -I FOLDER tells where to look for headers)", "F:2:1: no header sys/no.h (hint: -I FOLDER tells where to look for headers)"},
		{"#error it's wrong\n", "F:1:2: #error it's wrong", "F:1: #error it's wrong"},
		{"#if 1\nint x;\n", "F:1: unterminated #if", "F:1: an #if without #endif"},
		{"int main(void) {\n  int x = 1\n  return x;\n}\n", "F:3:3: expected ',' or ';' before 'return'", "F:3:3: unexpected 'return', expected ';'"},
		{"int main(void) {\n  return (1;\n}\n", "F:3:1: unexpected '}', expected ')' for the '(' at F:2:10", ""},
		{"int main(void) {\n  return (1];\n}\n", "F:2:12: unexpected ']', expected ')' for the '(' at F:2:10", ""},
		{"int main(void) {\n  if (1) {\n}\n", "F:3:1: unexpected end of file: no '}' for the '{' at F:1:16", ""},
		{"int x = 1;\n}\n", "F:2:1: unexpected '}'", ""},
		{"int x = @;\n", "F:1:9: a stray character \"@\"", ""},
		{"char *s = \"abc;\nint x;\n", "F:1:11: a literal that its line does not end", ""},
		{"int c = '';\n", "F:1:9: empty character constant", ""},
		{"int f(void) { goto x; }\n", "F:1:20: label 'x' used but not defined", "F:1:20: undefined label 'x'"},
		{"int x = " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000) + ";\n", "F:1:10009: brackets are nested too deeply", ""},
		{"int x = " + strings.Repeat("- ", 100000) + "1;\n", "F:1:20009: operators are nested too deeply", ""},
		{"int x = 1" + strings.Repeat("+1", 100000) + ";\n", "F:1:60008: a statement or declaration is too long", ""},
		{"#define F(x) x + \nint y = F(1) * ;\n", "F:2:16: expected expression before ';' token", "F:2:16: unexpected ';', expected unary expression"},
		{"int y = 1 +\n", "F:1:11: expected expression at end of input", "F:1:11: unexpected end of file"},
		{"enum", "F:1:1: expected '{' at end of input", "F:1:1: unexpected 'enum', expected enum specifier"},
		{"int f(", "", ""},
		{"int a;\nint f(a, a) int a; { return a }\n", "F:2:17: multiple parameters named 'a'", "F:2:20: syntax error in the declaration that begins here"},
		{"int a\x00b;\n", "F: not a C source file: it contains a NUL byte", ""},
		{"#define A(x,x) x\n", "F:1:13: duplicate macro parameter \"x\"", "F:1: macro A has two parameters x"},
		{"#foo\n", "F:1:2: invalid preprocessing directive #foo", "F:1: there is no preprocessing directive #foo"},
		{"#if 1/0\n#endif\n", "F:1:6: division by zero in #if", "F:1: division by zero in a condition"},
		{"#include \"a.c\"\n", "F:1:15: #include nested depth 200 exceeds maximum of 200 (use -fmax-include-depth=DEPTH to increase the maximum)", "F:1: includes are nested too deeply"},
	} {
		file := write(t, dir, "a.c", c.src)
		for _, own := range []bool{false, true} {
			want := c.host
			if own && c.own != "" {
				want = c.own
			}
			_, _, err := readC(t, file, Options{NoHost: own})
			if err == nil {
				t.Errorf("%.40q is read", c.src)
				continue
			}
			got := strings.ReplaceAll(err.Error(), file, "F")
			if want != "" && got != want || strings.Contains(got, "\n") {
				t.Errorf("own %v, %.40q:\n%s\nnot\n%s", own, c.src, got, want)
			}
		}
	}
	for name, want := range map[string]string{"folder.c": "is a directory, not a C source file", "none.c": "no such file or directory"} {
		file := filepath.Join(dir, name)
		if _, _, err := readC(t, file, Options{}); err == nil || err.Error() != file+": "+want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	big := write(t, dir, "big.c", strings.Repeat(" ", 1000))
	if _, _, err := readC(t, big, Options{MaxFileSize: 999}); err == nil || err.Error() != big+": file too large: more than 999 bytes" {
		t.Error(err)
	}
}

// TestCancel stops reading.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := write(t, t.TempDir(), "a.c", "int x;\n")
	if _, _, err := Read(ctx, parseOne(t, file), Options{}); err == nil {
		t.Error("read without time")
	}
}

// TestFlags reads programs that need flags, both ways.
func TestFlags(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "inc/a.h", "#define A 1\n")
	write(t, dir, "inc2/a.h", "#include_next <a.h>\n#define B A\n")
	write(t, dir, "sub/q.h", "#include \"r.h\"\n")
	write(t, dir, "sub/r.h", "int r;\n")
	write(t, dir, "flags", "-DFROM_FILE='a b' \"-D\" X=2\n-I inc")
	for _, c := range []struct{ flags, src string }{
		{"", "int ok;"},
		{"-Iinc", "#include <a.h>\nint ok[A];"},
		{"-I inc", "#include \"a.h\"\nint ok[A];"},
		{"-isystem inc", "#include <a.h>\nint ok[A];"},
		{"-idirafter inc", "#include <a.h>\nint ok[A];"},
		{"-iquote inc", "#include \"a.h\"\nint ok[A];"},
		{"-Iinc2 -Iinc", "#include <a.h>\n#if B == 1\nint ok;\n#endif\n"},
		{"-I sub", "#include <q.h>\nint ok;"},
		{"", "#include \"sub/q.h\"\nint ok;"},
		{"-DX", "#if X == 1\nint ok;\n#endif"},
		{"-DX=2 -D Y", "#if X + Y == 3\nint ok;\n#endif"},
		{"-D X(a)=a+1", "#if X(2) == 3\nint ok;\n#endif"},
		{"-DX -UX", "#ifndef X\nint ok;\n#endif"},
		{"-U__linux__", "#ifndef __linux__\nint ok;\n#endif"},
		{"-include inc/a.h", "int ok[A];"},
		{"-imacros inc/a.h", "int ok[A];"},
		{"-std=c99", "#if __STDC_VERSION__ == 199901L && defined __STRICT_ANSI__ && !defined linux\nint ok;\n#endif"},
		{"-std=gnu11", "#if __STDC_VERSION__ == 201112L && linux\nint ok;\n#endif"},
		{"-ansi", "#if !defined __STDC_VERSION__ && defined __STRICT_ANSI__\nint ok;\n#endif"},
		{"", "#if __STDC_VERSION__ == 201710L && !defined __STRICT_ANSI__\nint ok;\n#endif"},
		{"-funsigned-char", "#ifdef __CHAR_UNSIGNED__\nint ok;\n#endif"},
		{"-pthread", "#ifdef _REENTRANT\nint ok;\n#endif"},
		{"-m32", "#if __SIZEOF_LONG__ == 4 && __INT64_MAX__ == 0x7fffffffffffffffLL && defined __i386__\nint ok;\n#endif"},
		{"-m32 -m64", "#if __SIZEOF_LONG__ == 8\nint ok;\n#endif"},
		{"@flags", "#include <a.h>\n#define S(x) #x\n#define T(x) S(x)\nint ok[sizeof(T(FROM_FILE)) == X + A + 1];"},
		{"-O2 -Wall -Wl,-x -g3 -o x -c -MD -MF y -Lz -lm -fPIC -march=native", "int ok;"},
	} {
		write(t, dir, "a.c", c.src+"\n")
		for _, own := range []bool{false, true} {
			words := strings.Fields(c.flags)
			for i, w := range words { // a macro with blanks is not tested here
				words[i] = w
			}
			invs, warnings, err := command.Parse(append(words, "a.c"), dir)
			if err != nil || len(warnings) > 0 {
				t.Errorf("%s: %v %v", c.flags, err, warnings)
				continue
			}
			u, _, err := Read(context.Background(), invs[0], Options{NoHost: own})
			if err != nil {
				t.Errorf("%s, own %v: %v", c.flags, own, err)
				continue
			}
			if len(u.AST.Scope.Nodes["ok"]) == 0 {
				t.Errorf("%s, own %v: not read as it should", c.flags, own)
			}
		}
	}
}

// TestILP32 reads programs with the system's headers for a target whose own are not installed.
func TestILP32(t *testing.T) {
	headers, _ := filepath.Glob("include/*.h")
	src := "#define _GNU_SOURCE\n"
	for _, h := range append(headers, "sys/types.h", "sys/stat.h", "sys/socket.h", "netinet/in.h", "dirent.h", "pwd.h", "poll.h", "sys/mman.h", "sys/wait.h", "setjmp.h", "locale.h", "wchar.h", "complex.h", "fenv.h", "sys/epoll.h", "dlfcn.h", "ucontext.h", "syslog.h", "termios.h", "regex.h", "netdb.h") {
		src += "#include <" + strings.TrimPrefix(h, "include/") + ">\n"
	}
	file := write(t, t.TempDir(), "a.c", src+"_Static_assert(sizeof(long) == 4, \"\"); pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { assert(UINTPTR_MAX == 0xffffffffU); return 0; }\n")
	for _, opts := range []Options{{ILP32: true}, {}} {
		u, _, err := readC(t, file, opts)
		if err != nil {
			t.Fatal(err)
		}
		if u.ILP32() != opts.ILP32 {
			t.Error("another data model")
		}
	}
}

// find returns the first node of a kind whose text is as given.
func find(u *Unit, text string) (found cc.Node) {
	var walk func(n cc.Node)
	seen := map[cc.Node]bool{}
	walk = func(n cc.Node) {
		if found != nil || n == nil || seen[n] {
			return
		}
		seen[n] = true
		if _, isToken := n.(cc.Token); !isToken && !u.System(n) && u.Text(n) == text {
			found = n
			return
		}
		for _, c := range children(n) {
			walk(c)
		}
	}
	for t := u.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
		if !u.System(t.ExternalDeclaration) {
			walk(t.ExternalDeclaration)
		}
	}
	return found
}

// TestPositions compares places and texts with a table written by hand.
func TestPositions(t *testing.T) {
	src := `#include <assert.h>
#define INC(v) ((v)++)
#define LOCK(m) do { \
    lock(m); \
  } while (0)
#define ONE 1
int x, y;   /* columns	count bytes */
int lock(int);
int main(void) {
  x++; INC(y); y = ONE + ONE;
  assert(x == 2);
  LOCK(x
    + 1); y--;
	INC(x); assert(INC(x) == 1), lock ( x /* c */ +
   y );
  return x;
}
`
	for _, c := range []struct{ text, place string }{
		{"x++", "10:3"}, {"INC(y)", "10:8"}, {"y = ONE + ONE", "10:16"}, {"ONE", "10:20"},
		{"assert(x == 2)", "11:3"}, {"x == 2", "11:3"}, {"LOCK(x + 1)", "12:3"}, {"y--", "13:11"}, {"INC(x)", "14:2"},
		{"lock ( x + y )", "14:31"}, {"x + y", "14:38"}, {"return x;", "16:3"},
	} {
		file := write(t, t.TempDir(), "a.c", src)
		for _, own := range []bool{false, true} {
			u, _, err := readC(t, file, Options{NoHost: own})
			if err != nil {
				t.Fatal(err)
			}
			n := find(u, c.text)
			if n == nil {
				t.Errorf("own %v: there is no %s", own, c.text)
				continue
			}
			if got := strings.TrimPrefix(u.Pos(n).String(), file+":"); got != c.place {
				t.Errorf("own %v: %s is at %s, not %s", own, c.text, got, c.place)
			}
		}
	}
}

// TestPreprocessed takes positions of preprocessed files by their markers.
func TestPreprocessed(t *testing.T) {
	file := write(t, t.TempDir(), "a.i", "# 1 \"dir/p.c\"\n# 1 \"/usr/include/x.h\" 1 3\nint q;\n# 5 \"dir/p.c\" 2\nint  y = 1 /* c */ + 2;\n#pragma pack(1)\nstruct S { char c; int d; };\n")
	u, _, err := readC(t, file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(shape(u), "|"); got != `dir/p.c:5:1 int y = 1 + 2;|dir/p.c:7:1 struct S { char c; int d; };` {
		t.Error(got)
	}
	if got := u.InputPos(find(u, "struct S { char c; int d; };")); got != (Pos{file, 7, 1}) {
		t.Error(got)
	}
}

// TestPragmas checks what pragmas leave.
func TestPragmas(t *testing.T) {
	src := `#pragma weak w
#pragma weak v = w
void w(void) {}
#pragma redefine_extname a b
struct A { int x; };
#pragma pack(2)
struct B { int x; };
#pragma pack(push, 1)
struct C { int x; };
#pragma pack(push, name, 4)
struct D { int x; };
#pragma pack(pop, name)
struct E { int x;
#pragma pack(8)
};
#pragma pack(pop)
struct F { int x; }; _Pragma("pack()") struct G { int x; };
`
	file := write(t, t.TempDir(), "a.c", src)
	for _, own := range []bool{false, true} {
		u, _, err := readC(t, file, Options{NoHost: own}, "-fpack-struct=16")
		if err != nil {
			t.Fatal(err)
		}
		if u.Weak["v"] != "w" || u.Renamed["a"] != "b" {
			t.Error(u.Weak, u.Renamed)
		}
		for name, want := range map[string]int{"A": 16, "B": 2, "C": 1, "D": 4, "E": 8, "F": 2, "G": 16} {
			n := u.AST.Scope.Nodes[name][0].(*cc.StructOrUnionSpecifier)
			if got := u.Pack(n); got != want {
				t.Errorf("own %v: %s has %d, not %d", own, name, got, want)
			}
		}
	}
}

// TestImplicit declares functions of verification where the program does not.
func TestImplicit(t *testing.T) {
	file := write(t, t.TempDir(), "a.c", `unsigned nondet_uint(); extern int __VERIFIER_nondet_bool(void);
int main(void) { int __VERIFIER_nondet_int(); unsigned x = nondet_uint() + __VERIFIER_nondet_ulong() + __VERIFIER_nondet_int() + __VERIFIER_nondet_bool();
  __CPROVER_assume(x); reach_error(); return nondet_char(); }
`)
	u, _, err := readC(t, file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for tu := u.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if u.Implicit(tu.ExternalDeclaration) {
			got = append(got, cc.NodeSource(tu.ExternalDeclaration))
		}
	}
	if want := "char nondet_char(void);|unsigned long __VERIFIER_nondet_ulong(void);|void __CPROVER_assume(_Bool);|void reach_error(void);"; strings.Join(got, "|") != want {
		t.Error(got)
	}
}

// TestLarge reads a file larger than the old limit.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	var b strings.Builder
	for i := 0; b.Len() < 9<<20; i++ {
		b.WriteString("/* a long comment, as generators write them, so that the file is large */ int x;\n")
	}
	file := write(t, t.TempDir(), "a.c", b.String())
	start := time.Now()
	if _, _, err := readC(t, file, Options{}); err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start))
}

// TestPipe reads from a pipe, with columns.
func TestPipe(t *testing.T) {
	for _, own := range []bool{false, true} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = w.WriteString("#define Y y\nint x; int Y;\n")
			_ = w.Close()
		}()
		u, _, err := readC(t, fmt.Sprintf("/dev/fd/%d", r.Fd()), Options{NoHost: own})
		if err != nil {
			t.Fatal(err)
		}
		got := shape(u)
		if len(got) != 2 || !strings.HasSuffix(got[1], ":2:8 int Y;") {
			t.Errorf("own %v: %v", own, got)
		}
		_ = r.Close()
	}
}

// TestBOM takes a byte order mark for white space.
func TestBOM(t *testing.T) {
	file := write(t, t.TempDir(), "a.c", "\xef\xbb\xbfint x;\n")
	for _, own := range []bool{false, true} {
		if _, _, err := readC(t, file, Options{NoHost: own}); err != nil {
			t.Error(err)
		}
	}
}

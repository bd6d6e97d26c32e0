package read

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront/command"
	"comus/cfront/sema"
	"comus/cfront/syntax"
	"comus/cfront/types"
	"comus/internal/long"
)

// parseOne returns the invocation that a compiler's command line for a file is.
func parseOne(t testing.TB, file string, flags ...string) command.Invocation {
	t.Helper()
	invs, _, err := command.Parse(append(flags, file), "")
	if err != nil {
		t.Fatal(err)
	}
	return invs[0]
}

// readC reads a file with flags.
func readC(t testing.TB, file string, opts Options, flags ...string) (*syntax.Input, error) {
	t.Helper()
	in, _, err := Tokens(context.Background(), parseOne(t, file, flags...), opts)
	return in, err
}

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
		{"int x = " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000) + ";\n", "F:1:10009: brackets are nested too deeply", ""},
		{"int x = " + strings.Repeat("- ", 100000) + "1;\n", "F:1:20009: operators are nested too deeply", ""},
		{"int x = 1" + strings.Repeat("+1", 100000) + ";\n", "F:1:60008: a statement or declaration is too long", ""},
		{"int a\x00b;\n", "F: not a C source file: it contains a NUL byte", ""},
		{"#define A(x,x) x\n", "F:1:13: duplicate macro parameter \"x\"", "F:1: macro A has two parameters x"},
		{"#if defined 1 && __has_include(<x>)\n#endif\n", "F:1:13: operator \"defined\" requires an identifier", "F:1: defined without a name"},
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
			_, err := readC(t, file, Options{NoHost: own})
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
		if _, err := readC(t, file, Options{}); err == nil || err.Error() != file+": "+want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	big := write(t, dir, "big.c", strings.Repeat(" ", 1000))
	if _, err := readC(t, big, Options{MaxFileSize: 999}); err == nil || err.Error() != big+": file too large: more than 999 bytes" {
		t.Error(err)
	}
}

// TestCancel stops reading.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := write(t, t.TempDir(), "a.c", "int x;\n")
	if _, _, err := Tokens(ctx, parseOne(t, file), Options{}); err == nil {
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
			invs, warnings, err := command.Parse(append(strings.Fields(c.flags), "a.c"), dir)
			if err != nil || len(warnings) > 0 {
				t.Errorf("%s: %v %v", c.flags, err, warnings)
				continue
			}
			in, _, err := Tokens(context.Background(), invs[0], Options{NoHost: own})
			if err != nil {
				t.Errorf("%s, own %v: %v", c.flags, own, err)
				continue
			}
			if !slices.ContainsFunc(in.Tokens, func(tok syntax.Token) bool { return tok.Text == "ok" }) {
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
	file := write(t, t.TempDir(), "a.c", src+"_Static_assert(sizeof(long) == __SIZEOF_LONG__ && UINTPTR_MAX == (sizeof(long) == 4 ? 0xffffffffU : 0xffffffffffffffffU), \"\"); pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n")
	for _, c := range []struct {
		opts  Options
		flags []string
		ilp32 bool
	}{{Options{}, nil, false}, {Options{ILP32: true}, nil, true}, {Options{}, []string{"-m32"}, true}, {Options{LP64: true}, []string{"-m32"}, false}} {
		in, err := readC(t, file, c.opts, c.flags...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sema.Check(in, command.Flags{ILP32: c.ilp32}); err != nil {
			t.Error(c, err)
		}
	}
}

// find returns the place of the first tokens for which the user wrote a text.
func find(in *syntax.Input, text string) (types.Pos, bool) {
	for first := range in.Tokens {
		if in.Tokens[first].Pos.Col == 0 { // a header of the system
			continue
		}
		for last := first; last < len(in.Tokens); last++ {
			got := in.Text(first, last)
			if got == text {
				return in.Tokens[first].Pos, true
			}
			if in.Tokens[last].Text == ";" && len(got) > len(text) {
				break
			}
		}
	}
	return types.Pos{}, false
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
			in, err := readC(t, file, Options{NoHost: own})
			if err != nil {
				t.Fatal(err)
			}
			p, ok := find(in, c.text)
			if !ok {
				t.Errorf("own %v: there is no %s", own, c.text)
				continue
			}
			if got := fmt.Sprintf("%d:%d", p.Line, p.Col); got != c.place {
				t.Errorf("own %v: %s is at %s, not %s", own, c.text, got, c.place)
			}
		}
	}
}

// TestPreprocessed takes positions of preprocessed files by their markers.
func TestPreprocessed(t *testing.T) {
	file := write(t, t.TempDir(), "a.i", "# 1 \"dir/p.c\"\n# 1 \"/usr/include/x.h\" 1 3\nint q;\n# 5 \"dir/p.c\" 2\nint  y = 1 /* c */ + 2;\n#pragma pack(1)\nstruct S { char c; int d; };\n")
	in, err := readC(t, file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tok := range in.Tokens {
		if tok.Kind == syntax.Pragma || tok.Kind == syntax.Ident {
			got = append(got, Pos(tok.Pos).String()+" "+tok.Text)
		}
	}
	want := "/usr/include/x.h:1 int|/usr/include/x.h:1 q|dir/p.c:5:1 int|dir/p.c:5:6 y|dir/p.c:6 pack ( 1 )|" +
		"dir/p.c:7:1 struct|dir/p.c:7:8 S|dir/p.c:7:12 char|dir/p.c:7:17 c|dir/p.c:7:20 int|dir/p.c:7:24 d"
	if strings.Join(got, "|") != want {
		t.Error(got)
	}
	if _, ok := find(in, "int y = 1 + 2;"); !ok {
		t.Error("the text of a declaration is lost")
	}
}

// TestMarkedHeaders has what markers say is a header of the system, in a file with directives too: its tokens have no columns, those behind it have.
func TestMarkedHeaders(t *testing.T) {
	dir := t.TempDir()
	src := func(name string) string { // gcc goes back to no file that did not include one
		return "# 1 \"/usr/include/x.h\" 1 3 4\nint q;\n# 4 \"" + filepath.Join(dir, name) + "\" 2\nint y;\n"
	}
	for _, file := range []string{write(t, dir, "a.i", src("a.i")), write(t, dir, "a.c", src("a.c")+"#define A\n")} {
		for _, own := range []bool{false, true} {
			in, err := readC(t, file, Options{NoHost: own})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tok := range in.Tokens {
				if tok.Text == "q" || tok.Text == "y" {
					got = append(got, fmt.Sprintf("%d:%d %s", tok.Pos.Line, tok.Pos.Col, tok.Text))
				}
			}
			if want := "1:0 q, 4:5 y"; strings.Join(got, ", ") != want {
				t.Errorf("%s, own %v: %q, want %q", filepath.Ext(file), own, got, want)
			}
		}
	}
}

// TestPragmas checks that pragmas are where the user wrote them, those that macros make too.
func TestPragmas(t *testing.T) {
	src := `#pragma weak v = w
#define PACK(n) _Pragma("pack(push)") _Pragma(#n)
struct A { int x;
#pragma pack(8)
};
#pragma push_macro("PACK")
PACK(pack(2)) struct B { int x; }; _Pragma("pack()") int last;
#pragma pack(pop)
`
	file := write(t, t.TempDir(), "a.c", src)
	for _, own := range []bool{false, true} {
		in, err := readC(t, file, Options{NoHost: own})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tok := range in.Tokens {
			if text := tok.Text; tok.Kind == syntax.Pragma {
				got = append(got, fmt.Sprintf("%d:%s", tok.Pos.Line, strings.ReplaceAll(text, " ", "")))
			} else if tok.Kind == syntax.Ident {
				got = append(got, text)
			}
		}
		if want := "1:weakv=w struct A int x 4:pack(8) 7:pack(push) 7:pack(2) struct B int x 7:pack() int last 8:pack(pop)"; strings.Join(got, " ") != want {
			t.Errorf("own %v: %s", own, got)
		}
	}
}

// TestLexemes checks tokens that are written in more than one way.
func TestLexemes(t *testing.T) {
	for src, want := range map[string]string{
		"int a<:2:> = <%1%>;":                                    "int a [ 2 ] = { 1 } ;",
		"u8\"a\" L\"b\" u\"c\" U\"d\" L'e' u8'f'":                `u8"a" L"b" u"c" U"d" L'e' u8'f'`,
		"R\"(x\"\\y)\" LR\"f(a)b)f\"":                            `R"(x"\y)" LR"f(a)b)f"`,
		"0x1p-3 .5e+1 1'000 0b1u x+++y":                          "0x1p-3 .5e+1 1'000 0b1u x ++ + y",
		"a\\\nb /* c\n */ d // e \\\nf\ng":                       "ab d g",
		"#define F(x, ...) x ## 1 #__VA_ARGS__\nF(a, b c, '\"')": "a1 \"b c, '\\\"'\"",
	} {
		file := write(t, t.TempDir(), "a.c", src+"\n")
		for _, own := range []bool{false, true} {
			in, err := readC(t, file, Options{NoHost: own}, "-std=gnu2x")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tok := range in.Tokens {
				if tok.Kind == syntax.Invalid {
					t.Errorf("own %v, %q: %s is no token", own, src, tok.Text)
				}
				got = append(got, tok.Text)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("own %v, %q: %q", own, src, got)
			}
		}
	}
}

// TestLarge reads a file larger than the old limit.
func TestLarge(t *testing.T) {
	long.Only(t)
	var b strings.Builder
	for i := 0; b.Len() < 9<<20; i++ {
		b.WriteString("/* a long comment, as generators write them, so that the file is large */ int x;\n")
	}
	file := write(t, t.TempDir(), "a.c", b.String())
	start := time.Now()
	if _, err := readC(t, file, Options{}); err != nil {
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
		in, err := readC(t, fmt.Sprintf("/dev/fd/%d", r.Fd()), Options{NoHost: own})
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := find(in, "int Y;"); !ok || p.Line != 2 || p.Col != 8 {
			t.Errorf("own %v: %v", own, p)
		}
		_ = r.Close()
	}
}

// TestBOM takes a byte order mark for white space.
func TestBOM(t *testing.T) {
	file := write(t, t.TempDir(), "a.c", "\xef\xbb\xbfint x;\n")
	for _, own := range []bool{false, true} {
		if _, err := readC(t, file, Options{NoHost: own}); err != nil {
			t.Error(err)
		}
	}
}

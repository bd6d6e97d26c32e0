package cfront

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/ir"
)

// mustParse parses a program that is expected to be fine.
func mustParse(t *testing.T, src string, opts Options) *Result {
	t.Helper()
	res, err := Parse("t.c", []byte(src), opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Program.Check(); err != nil {
		t.Fatalf("%v\n%s", err, res.Program)
	}
	return res
}

const atomicBegin = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"

// TestErrors gives Parse programs it has to reject, with the whole message or
// the end of it.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"empty", "", "t.c: no function main"},
		{"no main", "int f(void) { return 1; }", "t.c: no function main"},
		{"nul", "int main() {}\x00", "t.c: not a C source file: it contains a NUL byte"},
		{"binary", "\x01\x02\x03\xff\xfe", "unexpected"},
		{"syntax", "int main() { return 0 }", "t.c:1:23: unexpected '}', expected ';'"},
		{"unfinished", "int main() {\n  return 0;\n", "t.c:2: unexpected end of file"},
		{"unfinished list", "int x, y*f(*", "t.c:1"},
		{"unfinished pointer", "int *;", "t.c:1"},
		{"error directive", "\n#error boo\nint main(){}", "t.c:2:2: boo"},
		{"include", "#include <nosuch.h>\nint main(){}", "t.c:1:10: include file not found: <nosuch.h>"},
		{"device", "#include \"/dev/zero\"\nint main(){}", "include file not found"},
		{"undeclared variable", "int main() { return y; }", "t.c:1:21: undeclared identifier 'y'"},
		{"undeclared function", "int main() { return f(1); }", "t.c:1:21: undeclared function 'f'"},
		{"undefined function", "int f(int); int main() { return f(1); }", "t.c:1:33: unsupported: call of undefined function 'f'"},
		{"union", "int main() { union { int a; char b; } x; x.a = 1; }", "unsupported: union whose members are not integers of one size"},
		{"floating point compared with 0", "double d; int main() { return d == 0; }", "t.c:1:31: unsupported: floating point"},
		{"floating point compared", "double d; int main() { double e = 1; return e != d; }", "t.c:1:45: unsupported: floating point"},
		{"floating point", "int main() { double d = 1.0; return d > 0; }", "t.c:1:37: unsupported: floating point"},
		{"bit-field", "#include <pthread.h>\nstruct { int a : 3, b : 2; } x; void *f(void *a) { x.a = 1; return 0; } int main() { pthread_t t; pthread_create(&t, 0, f, 0); x.b = 1; }", "t.c:2:128: unsupported: bit-field beside another one in the variable 'x', which threads share"},
		{"malloc", "#include <stdlib.h>\nint __VERIFIER_nondet_int(void); int main() { int *p = malloc(__VERIFIER_nondet_int()); *p = 1; }", "t.c:2:56: unsupported: malloc of a size that is not known here"},
		{"asm", "int main() { __asm__(\"nop\"); }", "t.c:1:14: unsupported: asm statement"},
		{"variadic", "int f(int a, ...) { return 1; } int main() { f(1, 2); }", "which takes a variable number of arguments"},
		{"large array", "int a[100000000]; int main() { return a[0]; }", "t.c:1:5: unsupported: array of more than 4096 elements"},
		{"pointer", "int __VERIFIER_nondet_int(void); int main() { int *p = (int *)(long)__VERIFIER_nondet_int(); *p = 1; }", "unsupported: pointer made from an integer is dereferenced"},
		{"other type", "struct s { long a, b; } x; int __VERIFIER_nondet_int(void); int main() { void *p = __VERIFIER_nondet_int() ? &x.a : 0; *(int *)p = 1; }", "unsupported: pointer of another type than the variable it points to"},
		{"bytes of a bool", "_Bool x; char y; int __VERIFIER_nondet_int(void); int main() { char *p = __VERIFIER_nondet_int() ? (char *)&x : &y; *p = 1; }", "unsupported: access to single bytes of an object"},
		{"bytes", "int x, y; int __VERIFIER_nondet_int(void); int main() { char *p = __VERIFIER_nondet_int() ? (char *)&x : (char *)&y; *p = 1; }", "unsupported: access to single bytes of an object"},
		{"null", "int main() { int *p = 0; return *p; }", "unsupported: dereference of a null pointer"},
		{"semaphore", "#include <semaphore.h>\nint main() { sem_open(\"a\", 0); }", "t.c:2:14: unsupported: sem_open of a name that does not consist of / and other characters"},
		{"mutex kinds", "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main() { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a); }", "unsupported: mutex that is initialised with different kinds"},
		{"mutex attributes", "#include <pthread.h>\npthread_mutex_t m; pthread_mutexattr_t a; void *f(void *x) { pthread_mutex_init(&m, &a); return 0; } int main() { pthread_t t; pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_create(&t, 0, f, 0); }", "unsupported: mutex attributes whose kind is not known here"},
		{"robust mutex", "#include <pthread.h>\nint main() { pthread_mutexattr_t a; pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); }", "unsupported: pthread_mutexattr_setrobust with anything but the default"},
		{"atomic end", atomicBegin + "int main() { __VERIFIER_atomic_end(); }", "unsupported: __VERIFIER_atomic_end() without __VERIFIER_atomic_begin() before it"},
		{"atomic join", atomicBegin + "int x; int main() { int n; if (n) __VERIFIER_atomic_begin(); x = 1; }", "unsupported: control meets here from inside and from outside of an atomic section"},
		{"atomic end of thread", atomicBegin + "int x; int main() { __VERIFIER_atomic_begin(); x = 1; }", "unsupported: thread ends within an atomic section"},
		{"goto creates", "#include <pthread.h>\nint x; void *f(void *a) { x = 1; return 0; } int main() { pthread_t t; l: pthread_create(&t, 0, f, 0); if (x) goto l; }", "unsupported: pthread_create in a loop made with goto"},
		{"endless creation", "#include <pthread.h>\nvoid *f(void *a) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; } int main() { f(0); }", "unsupported: more than 256 threads"},
		{"getenv", "#include <stdlib.h>\nint main() { if (getenv(\"X\") == NULL) return 1; return 0; }", "unsupported: pointer operation == on these pointers"},
		{"argv", "int main(int argc, char **argv) { return argv[0][0]; }", "unsupported: content of a string from outside of the program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("t.c", []byte(c.src), Options{})
			checkError(t, err, c.want)
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error instead of %q", want)
	}
	if _, ok := err.(*Error); !ok {
		t.Errorf("%T: %v", err, err)
	}
	msg := err.Error()
	if !strings.Contains(msg, want) || strings.Contains(msg, "\n") {
		t.Errorf("%q does not contain %q", msg, want)
	}
}

// TestHostile gives Parse input that would exhaust the stack or the memory of a
// less careful reader.
func TestHostile(t *testing.T) {
	rep := strings.Repeat
	macros := "#define A0 x x\n"
	for i, last := 'a', "A0"; i <= 'z'; i++ {
		macros += "#define A" + string(i) + " " + last + " " + last + "\n"
		last = "A" + string(i)
	}
	calls := "int fa(int x) { return x; }\n"
	for i := 'b'; i <= 'z'; i++ {
		calls += "int f" + string(i) + "(int x) { return f" + string(i-1) + "(x) + f" + string(i-1) + "(x); }\n"
	}
	for _, c := range []struct{ name, src, want string }{
		{"too large", rep("(", 10_000_000), "t.c: file too large: more than 8388608 bytes"},
		{"parentheses", rep("(", 8_000_000), "t.c:1:401: brackets are nested too deeply"},
		{"braces", "int main()" + rep("{", 100000), "brackets are nested too deeply"},
		{"ifs", "int main() { " + rep("if(1) ", 100000) + "; }", "too long"},
		{"else ifs", "int main() { int x; " + rep("if (x) { x = 2; } else ", 100000) + "; }", "conditions are nested too deeply"},
		{"not", "int main() { return " + rep("!", 200000) + "1; }", "operators are nested too deeply"},
		{"sum", "int main() { return " + rep("1+", 200000) + "1; }", "too long"},
		{"ternary", "int main() { return " + rep("1?1:", 200000) + "1; }", "conditions are nested too deeply"},
		{"pointers", "int " + rep("*", 200000) + "p; int main() {}", "operators are nested too deeply"},
		{"casts", "int main() { return " + rep("(int)", 100000) + "1; }", "too long"},
		{"macros", macros + "int Az; int main() {}", "t.c:"},
		{"calls", calls + "int main() { return fz(1); }", "too large"},
		{"comment", "int main() { /* ", "comment not terminated"},
		{"literal", "int main() { char *s = \"abc\n; }", "a literal that its line does not end"},
		{"backslash", "int x = 'a'\\", "t.c:1: unexpected end of file"},
		{"backslash, newline", "int x = 'a'\\\n", "t.c:1: unexpected end of file"},
		{"backslashes", "'a'\\\n\\\r\n\\\r", "t.c:1:1: "},
		{"empty character", "int main() {\n return ''; }", "t.c:2:9: empty character constant"},
		{"quote and empty character", "int x = '\\''; /* ''\n*/ int y = '';", "t.c:2:12: empty character constant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := Parse("t.c", []byte(c.src), Options{})
			checkError(t, err, c.want)
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// TestIncludedEnd includes a file that ends with a backslash: see lastLine.
func TestIncludedEnd(t *testing.T) {
	dir := t.TempDir()
	for end, want := range map[string]string{"": "", "\\": "", "'a'\\": "h.h:1:1: ", "'a'\\\n": "h.h:1:1: "} {
		for name, text := range map[string]string{"m.c": "#include \"h.h\"\nint x = Y; int main(void) { return x; }\n", "h.h": "#define Y 1\n#line 1\n" + end} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := ParseFile(filepath.Join(dir, "m.c"), Options{})
		if want != "" {
			checkError(t, err, want)
		} else if err != nil {
			t.Errorf("%q: %v", end, err)
		}
	}
}

// TestDeep accepts what is deep, but not too deep.
func TestDeep(t *testing.T) {
	rep := strings.Repeat
	for _, src := range []string{
		"int main() { return " + rep("(", 390) + "1" + rep(")", 390) + "; }",
		"int x; int main() { return " + rep("x+", 2000) + "1; }",
		"int a[2000] = {" + rep("1,", 2000) + "}; int main() { int s = 0;" + rep("s++;", 5000) + " }",
		"int main() { int x = 1;" + rep("if (x) { x = 2; } else ", 1900) + "; }",
		"int x; int main() {" + rep("for (int i = 0; i < 60; i++) ", 12) + "x++; }",
	} {
		mustParse(t, src, Options{Overflow: OverflowWrap})
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := os.Mkdir(filepath.Join(dir, "d.c"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, want string }{
		{filepath.Join(dir, "missing.c"), "missing.c: no such file or directory"},
		{filepath.Join(dir, "d.c"), "d.c: is a directory, not a C source file"},
		{"/dev/zero", "/dev/zero: is not a regular file"},
		{write("self.c", "#include \"self.c\"\nint main() {}"), "self.c:1:1: self.c includes itself"},
		{write("deep.h", strings.Repeat("(", 100000)), "brackets are nested too deeply"},
		{write("incl.c", "#include \"deep.h\"\nint main() {}"), "deep.h:1:401: brackets are nested too deeply"},
	} {
		_, err := ParseFile(c.file, Options{})
		checkError(t, err, c.want)
	}
	_, err := ParseFile(write("big.c", strings.Repeat(" ", 2000)), Options{MaxFileSize: 1000})
	checkError(t, err, "file too large: more than 1000 bytes")

	// A header beside the program wins over the embedded one, for "..." only.
	write("assert.h", "#define check(e) if (!(e)) __VERIFIER_error()\n")
	f := write("own.c", "#include \"assert.h\"\nint main(void) { int x = 1; check(x == 1); return 0; }")
	if _, err := ParseFile(f, Options{}); err != nil {
		t.Error(err)
	}
	f = write("std.c", "#include <assert.h>\nint main(void) { int x; assert(x == 1); return 0; }")
	if res, err := ParseFile(f, Options{}); err != nil || !res.HasAssertions {
		t.Error(res, err)
	}
}

// TestLineMarkers reads preprocessed files.
func TestLineMarkers(t *testing.T) {
	src := "# 1 \"orig.c\"\n# 1 \"<built-in>\" 1\n# 7 \"orig.c\" 2\nextern void abort(void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));\nint main(void) {\n  return undefined_thing;\n}\n"
	_, err := Parse("t.i", []byte(src), Options{})
	checkError(t, err, "orig.c:9:10: undeclared identifier 'undefined_thing'")
}

// TestOverflow checks the three treatments of signed overflow.
func TestOverflow(t *testing.T) {
	src := "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); int x;\nint main(void) { int y = __VERIFIER_nondet_int(); x = y + 1; signed char c = y; c++; return 0; }"
	res := mustParse(t, src, Options{})
	if got := strings.Join(res.Program.Assumptions, ";"); got != assumeOverflow {
		t.Errorf("assumptions %q", got)
	}
	if res.HasAssertions {
		t.Error("assertions without being asked")
	}
	res = mustParse(t, src, Options{Overflow: OverflowCheck})
	if !res.HasAssertions || len(res.Program.Assumptions) > 0 {
		t.Errorf("check: %v %v", res.HasAssertions, res.Program.Assumptions)
	}
	n := 0
	for _, l := range res.Program.Threads[0].Locs {
		if l.Error {
			n++
			if l.Text != "signed overflow in y + 1" {
				t.Error(l.Text)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
	res = mustParse(t, src, Options{Overflow: OverflowWrap})
	if res.HasAssertions || len(res.Program.Assumptions) > 0 {
		t.Errorf("wrap: %v %v", res.HasAssertions, res.Program.Assumptions)
	}
}

// TestBounded checks that loops that create threads are cut.
func TestBounded(t *testing.T) {
	src := "#include <pthread.h>\nint x; void *f(void *a) { x = 1; return 0; }\nint main(void) { pthread_t t;\n  while (1) pthread_create(&t, 0, f, 0); }"
	p := mustParse(t, src, Options{MaxThreads: 4}).Program
	if len(p.Threads) != 5 || len(p.Bounded) != 1 || p.Bounded[0] != "at most 4 threads are created by the loop at t.c:4:3" {
		t.Errorf("%d threads, %q", len(p.Threads), p.Bounded)
	}
	names := []string{}
	for _, th := range p.Threads {
		names = append(names, th.Name)
	}
	if got := strings.Join(names, " "); got != "main f f_2 f_3 f_4" {
		t.Error(got)
	}
}

// steps returns the edges of a thread that touch shared variables.
func steps(p *ir.Program, thread int) []string {
	var out []string
	tab := p.Symbols()
	p.Threads[thread].Edges(func(e *ir.Edge) {
		acc := tab.CmdAccess(e.Cmds)
		for _, m := range []map[*ir.Var]bool{acc.Reads, acc.Writes} {
			for v := range m {
				if v.Thread == ir.Shared && e.Kind == ir.Plain {
					out = append(out, e.Text)
					return
				}
			}
		}
	})
	return out
}

// TestGranularity checks how many steps statements take.
func TestGranularity(t *testing.T) {
	for _, c := range []struct {
		stmt   string
		atomic bool
		want   string
	}{
		{"x = 5;", false, "x = 5"},
		{"int l; l = x + 1;", false, "l = x + 1"},
		{"int l = 3; x = l;", false, "x = l"},
		{"x++;", false, "read x|x++"},
		{"x++;", true, "x++"},
		{"x = x + 1;", false, "read x + 1|x = x + 1"},
		{"x = y;", false, "read y|x = y"},
		{"if (x > 5) return 0;", false, "x > 5|!(x > 5)"},
		{"int l; l = x + y;", false, "read x|l = x + y"},
		{"if (x && y) return 0;", false, "x|!(x)|y|!(y)"},
		{"int l = a[x];", false, "read x|l = a[x]"},
		{"a[2] = 1;", false, "a[2] = 1"},
		{"__sync_fetch_and_add(&x, 2);", false, "__sync_fetch_and_add(&x, 2)"},
	} {
		src := "#include <pthread.h>\nint x, y, a[4];\nvoid *g(void *p) { x++; y++; a[x]++; return 0; }\nvoid *f(void *p) { " + c.stmt + " return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); return 0; }"
		p := mustParse(t, src, Options{AtomicStatements: c.atomic, Overflow: OverflowWrap}).Program
		if got := strings.Join(steps(p, 1), "|"); got != c.want {
			t.Errorf("%s: %s instead of %s", c.stmt, got, c.want)
		}
	}
}

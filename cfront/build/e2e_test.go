package build_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/cfront/build"
	"comus/cfront/command"
	"comus/cfront/libc"
	"comus/cfront/link"
	"comus/cfront/sema"
	"comus/cfront/syntax"
	"comus/cir"
	"comus/cir/interp"
	"comus/internal/long"
)

// The judge of the whole front end: a program is preprocessed by gcc, read, checked, built and linked with the
// models of the library, and interpreted. Its output and exit code have to be those of gcc's program.

// preprocess runs gcc -E.
func preprocess(file string, flags ...string) ([]byte, error) {
	var out, msg bytes.Buffer
	cmd := exec.Command("gcc", append(append([]string{"-E", "-w"}, flags...), file)...)
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("gcc -E: %v: %s", err, msg.String())
	}
	return out.Bytes(), nil
}

// unitOf makes a unit of preprocessed text.
func unitOf(file string, text []byte, flags command.Flags) (*build.Unit, error) {
	u, err := sema.Check(syntax.Lex(file, text), flags)
	if err != nil {
		return nil, fmt.Errorf("sema: %w", err)
	}
	b, err := build.Build(u)
	if err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	return b, nil
}

var (
	modelTexts sync.Map // preprocessed models by file
	modelDir   = sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "comus-models")
		if err != nil {
			return "", err
		}
		for name, text := range libc.Sources() {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				return "", err
			}
		}
		return dir, nil
	})
)

// model reads a file of the library with these macros.
func model(name string, macros []string, flags command.Flags) (*build.Unit, error) {
	key := fmt.Sprint(name, macros, flags.ILP32)
	text, ok := modelTexts.Load(key)
	if !ok {
		dir, err := modelDir()
		if err != nil {
			return nil, err
		}
		args := []string{"-I", dir}
		if flags.ILP32 {
			args = append(args, "-m32")
		}
		for _, m := range macros {
			args = append(args, "-D"+m+"=1")
		}
		t, err := preprocess(filepath.Join(dir, name), args...)
		if err != nil {
			return nil, err
		}
		modelTexts.Store(key, t)
		text = t
	}
	u, err := unitOf(name, text.([]byte), command.Flags{ILP32: flags.ILP32})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	u.Library = true
	return u, nil
}

// extraText is what the library does not have, preprocessed.
var extraText = sync.OnceValues(func() ([]byte, error) { return preprocess("testdata/models/extra.c") })

func alias(name string) string {
	_, n := libc.File(name)
	return n
}

// compile makes a program of sources.
func compile(flags []string, files ...string) (*link.Result, error) {
	var units []*build.Unit
	for _, f := range files {
		text, err := preprocess(f, flags...)
		if err != nil {
			return nil, err
		}
		u, err := unitOf(f, text, flagsOf(flags))
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	opts := link.Options{Alias: alias}
	names := link.Undefined(units, opts)
	sources, macros := libc.Select(append(names, "exit")...)
	for _, name := range sources {
		u, err := model(name, macros, flagsOf(flags))
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	// What the library does not have is in models/extra.c.
	text, err := extraText()
	if err != nil {
		return nil, err
	}
	extra, err := unitOf("extra.c", text, command.Flags{ILP32: flagsOf(flags).ILP32})
	if err != nil {
		return nil, err
	}
	extra.Library = true
	r, err := link.Link(append(units, extra), opts)
	if err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	if err := r.Program.Check(); err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	return r, nil
}

// flagsOf are what gcc's flags say about meaning.
func flagsOf(flags []string) command.Flags {
	var f command.Flags
	for _, x := range flags {
		switch x {
		case "-fwrapv":
			f.Wrapv = true
		case "-funsigned-char":
			f.CharUnsigned = true
		case "-fshort-enums":
			f.ShortEnums = true
		case "-m32":
			f.ILP32 = true
		}
	}
	return f
}

// run interprets a program.
func run(p *cir.Program, limit time.Duration) (*interp.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return interp.Run(ctx, p, interp.Options{GoOn: true, MaxMemory: 1 << 30})
}

// compare compiles and runs files in both ways and says what differs.
func compare(files []string, flags ...string) error {
	r, err := compile(flags, files...)
	if err != nil {
		return err
	}
	got, err := run(r.Program, 20*time.Second)
	if err != nil {
		return fmt.Errorf("interp: %w", err)
	}
	stdout, code, err := native(files, flags)
	if err != nil {
		return err
	}
	if got.Status() != code {
		return fmt.Errorf("run: %v instead of exit code %d", got, code)
	}
	if !bytes.Equal(got.Stdout, stdout) {
		return fmt.Errorf("output differs: %s", firstDifference(got.Stdout, stdout))
	}
	return nil
}

// native compiles and runs files with gcc.
func native(files, flags []string) (stdout []byte, code int, err error) {
	dir, err := os.MkdirTemp("", "comus-native")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "a.out")
	args := append(append([]string{"-w", "-o", exe}, flags...), files...)
	if out, err := exec.Command("gcc", append(args, "-lm", "-pthread", "-latomic")...).CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("gcc: %v: %s", err, out)
	}
	var buf bytes.Buffer
	cmd := exec.Command(exe)
	cmd.Stdout, cmd.Dir = &buf, dir
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code, err = exit.ExitCode(), nil
		if code < 0 {
			code = 134
		}
	}
	return buf.Bytes(), code, err
}

// TestPrograms runs the programs of testdata.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			long.OneOf(t, 3)
			if err := compare([]string{f}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestUnits links two units.
func TestUnits(t *testing.T) {
	if err := compare([]string{"testdata/units/a.c", "testdata/units/b.c"}, "-fcommon"); err != nil {
		t.Error(err)
	}
	r, err := compile(nil, "testdata/units/a.c", "testdata/units/b.c")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, g := range r.Program.Globals {
		names[g.Name] = true
	}
	for _, f := range r.Program.Funcs {
		names[f.Name] = true
	}
	for _, want := range []string{"a.c:counter", "b.c:counter", "a.c:name", "b.c:name", "b.c:b_callback.counter", "tentative", "real_name", "strdup", "twice"} {
		if !names[want] {
			t.Errorf("no %s", want)
		}
	}
}

// TestFortified reads headers as optimising, fortified programs see them.
func TestFortified(t *testing.T) {
	for _, f := range []string{"testdata/memory.c", "testdata/calls.c", "testdata/records.c"} {
		if err := compare([]string{f}, "-O2", "-D_FORTIFY_SOURCE=2"); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestTime shows how long the phases take for the files that COMUS_TIME names.
func TestTime(t *testing.T) {
	for _, file := range strings.Fields(os.Getenv("COMUS_TIME")) {
		text, err := preprocess(file)
		if err != nil {
			t.Fatal(err)
		}
		t0 := time.Now()
		checked, err := sema.Check(syntax.Lex(file, text), command.Flags{})
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Now()
		u, err := build.Build(checked)
		if err != nil {
			t.Fatal(err)
		}
		t2 := time.Now()
		r, err := link.Link([]*build.Unit{u}, link.Options{Alias: alias})
		if err != nil {
			t.Fatal(err)
		}
		t3 := time.Now()
		instrs, assumed := 0, 0
		for _, f := range r.Program.Funcs {
			for _, b := range f.Blocks {
				instrs += len(b.Instrs) + 1
				for _, i := range b.Instrs {
					if a, ok := i.(*cir.Assumption); ok && strings.HasPrefix(a.Sentence, "operands") {
						assumed++
						t.Log(a.Site.Text)
					}
				}
			}
		}
		t.Logf("%s: %d bytes, check %v, build %v, link %v; %d functions, %d instructions, order of operands assumed at %d places",
			filepath.Base(file), len(text), t1.Sub(t0), t2.Sub(t1), t3.Sub(t2), len(r.Program.Funcs), instrs, assumed)
	}
}

// cirOf makes the cir of a program's text, without the library, which has what is only declared.
func cirOf(t *testing.T, text string) *link.Result {
	t.Helper()
	u, err := unitOf("t.c", []byte(text), command.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range u.Symbols {
		s.System = !s.Defined
	}
	r, err := link.Link([]*build.Unit{u}, link.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Program.Check(); err != nil {
		t.Errorf("%v\n%s", err, r.Program)
	}
	return r
}

// TestOpen looks for what is approximated and assumed, by name, and that nothing else is.
func TestOpen(t *testing.T) {
	const decls = "int g, h; volatile int v, w; _Atomic int a, b; int *p; int nondet_int(void); int unknown(int *); double _Complex c, d;" +
		"int set(int x) { g = x; return x; } int get(void) { return g; } int pure(int x) { return x * 2; } int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }" +
		"int put(int *q) { return *q = 1; } char *strchr(const char *, int); unsigned long strlen(const char *); int printf(const char *, ...);\n"
	for _, c := range []struct{ body, assumed, approx string }{
		{"return g + h;", "", ""},
		{"return g + set(1);", "gcc's order", ""},
		{"return pure(1) + fib(3);", "", ""},
		{"return h + set(1);", "", ""},
		{"return get() - set(1);", "gcc's order", ""},
		{"int x = 1, y = 2; return x++ + y--;", "", ""},
		{"int x = 1; return put(&x) + x;", "gcc's order", ""},
		{"int x = 1, y = 2; return put(&x) + y;", "", ""},
		{"int x = 1, y[3]; y[x] = x++; return y[1];", "gcc's order", ""},
		{"*p++ = *p; return 0;", "gcc's order", ""},
		{"char s[9], *q = s, *r = s + 4; while ((*q++ = *r++)); return 0;", "", ""},
		{"g += set(2); return 0;", "gcc's order", ""},
		{"h += set(2); return 0;", "", ""},
		{"printf(\"%d %d\", get(), get()); return 0;", "the unknown function 'printf'", ""},
		{"printf(\"%d %d\", set(1), get()); return 0;", "gcc's order", ""},
		{"int x[2] = {set(1), get()}; return x[0];", "gcc's order", ""},
		{"return nondet_int() - nondet_int();", "", ""},
		{"return strlen(\"a\") + (strchr(\"b\", 'b') != 0);", "the unknown function", ""},
		{"return unknown(p) + g;", "gcc's order", ""},
		{"return a + b;", "gcc's order", ""},
		{"return a && b;", "", ""},
		{"return set(1), get();", "", ""},
		{"return set(1) ? get() : 3;", "", ""},
		{"asm volatile(\"\" ::: \"memory\"); return 0;", "", ""},
		{"int x = 1; asm(\"\" : \"+r\"(x)); return x;", "", ""},
		{"int x; asm(\"cpuid\" : \"=a\"(x)); return x;", "", "inline assembly"},
		{"asm volatile(\"rep stosb\" : : \"D\"(p) : \"memory\"); return 0;", "", "inline assembly"},
		{"asm volatile(\"mfence\" ::: \"memory\"); return 0;", "", ""},
		{"asm goto(\"jmp %l0\" : : : : out); return 1; out: return 0;", "", "inline assembly"},
		{"c = c * d; return 0;", "", "complex multiplication or division"},
		{"c = c + d; return 0;", "", ""},
		{"_Decimal64 x = 1.5DD; return x > 1;", "", "decimal floating point"},
		{"return __builtin_return_address(0) == 0;", "", "frame or return address"},
		{"int x = 1; int f(void) { return x; } int (*q)(void) = f; return q();", "took its address last", ""},
		{"int o = v; return __atomic_load_n(&g, o);", "memory_order_seq_cst", ""},
	} {
		r := cirOf(t, decls+"int main(void) { "+c.body+" }\n")
		var assumed, approx []string
		for _, f := range r.Program.Funcs {
			if f.Source != "main" {
				continue
			}
			for _, b := range f.Blocks {
				for _, i := range b.Instrs {
					if x, ok := i.(*cir.Assumption); ok {
						assumed = append(assumed, x.Sentence)
					}
					if x := i.Meta().Approx; x != "" {
						approx = append(approx, x)
					}
				}
			}
		}
		a, x := strings.Join(assumed, "; "), strings.Join(approx, "; ")
		if !strings.Contains(a, c.assumed) || (a == "") != (c.assumed == "") {
			t.Errorf("%s: assumed %q instead of %q", c.body, a, c.assumed)
		}
		if !strings.Contains(x, c.approx) || (x == "") != (c.approx == "") {
			t.Errorf("%s: approximated %q instead of %q", c.body, x, c.approx)
		}
	}
}

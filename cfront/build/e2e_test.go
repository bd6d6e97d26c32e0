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
func model(name string, macros []string) (*build.Unit, error) {
	key := name + " " + strings.Join(macros, " ")
	text, ok := modelTexts.Load(key)
	if !ok {
		dir, err := modelDir()
		if err != nil {
			return nil, err
		}
		flags := []string{"-I", dir}
		for _, m := range macros {
			flags = append(flags, "-D"+m+"=1")
		}
		t, err := preprocess(filepath.Join(dir, name), flags...)
		if err != nil {
			return nil, err
		}
		modelTexts.Store(key, t)
		text = t
	}
	u, err := unitOf(name, text.([]byte), command.Flags{})
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
		u, err := model(name, macros)
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
	extra, err := unitOf("extra.c", text, command.Flags{})
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

// TestShow prints the cir of the file that COMUS_SHOW names.
func TestShow(t *testing.T) {
	file := os.Getenv("COMUS_SHOW")
	if file == "" {
		t.Skip("COMUS_SHOW names no file")
	}
	text, err := preprocess(file)
	if err != nil {
		t.Fatal(err)
	}
	u, err := unitOf(file, text, command.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := link.Link([]*build.Unit{u}, link.Options{Alias: alias})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(r.Program)
	if err := r.Program.Check(); err != nil {
		t.Error(err)
	}
	if err := compare([]string{file}); err != nil {
		t.Error(err)
	}
}

// TestPrograms runs the programs of testdata.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
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

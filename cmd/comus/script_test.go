package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"comus": main})
}

// TestScripts runs the scripts of testdata/script, each of which uses the command
// as a user would.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("CONTRIB", filepath.Join(filepath.Dir(examples), "contrib"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": cmdExits, "verdict": cmdVerdict, "json": cmdJSON, "oneline": cmdOneLine,
			"nested": cmdNested, "replace": cmdReplace, "interrupt": cmdInterrupt,
			"profile": cmdProfile, "sarif": cmdSARIF,
		},
	})
}

// cmdExits runs a command that must end with an exit code: exits CODE CMD ARG...
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// cmdVerdict compares the last line of standard output: verdict TEXT...
func cmdVerdict(ts *testscript.TestScript, neg bool, args []string) {
	out := ts.ReadFile("stdout")
	text, ended := strings.CutSuffix(out, "\n")
	if !ended {
		ts.Fatalf("standard output does not end with a line: %q", out)
	}
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if want := strings.Join(args, " "); neg != (last != want) {
		ts.Fatalf("the last line is %q, want %q", last, want)
	}
}

// cmdOneLine checks that a stream has exactly one line: oneline stderr
func cmdOneLine(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	if neg || strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s is not one line: %q", args[0], text)
	}
}

// cmdJSON looks into the one object on standard output: json FIELD VALUE, with
// FIELD.N.FIELD for what is inside and len for the length of an array.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: json FIELD VALUE")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("not one JSON object: %v", err)
	}
	for _, name := range strings.Split(args[0], ".") {
		switch x := v.(type) {
		case map[string]any:
			f, ok := x[name]
			if !ok {
				ts.Fatalf("no field %s", name)
			}
			v = f
		case []any:
			if name == "len" {
				v = len(x)
				continue
			}
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(x) {
				ts.Fatalf("no element %s of %d", name, len(x))
			}
			v = x[i]
		default:
			ts.Fatalf("nothing inside %v", v)
		}
	}
	got := fmt.Sprint(v)
	switch rest, isMin := strings.CutPrefix(args[1], ">="); {
	case isMin:
		x, err1 := strconv.ParseFloat(got, 64)
		least, err2 := strconv.ParseFloat(rest, 64)
		if err := errors.Join(err1, err2); err != nil || x < least {
			ts.Fatalf("%s is %s, want %s (%v)", args[0], got, args[1], err)
		}
	case got != args[1]:
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

// cmdNested writes a C file with deeply nested parentheses: nested FILE MEGABYTES
func cmdNested(ts *testscript.TestScript, _ bool, args []string) {
	mb, err := strconv.Atoi(args[1])
	ts.Check(err)
	n := mb << 19
	text := "int main(void) { return " + strings.Repeat("(", n) + "0" + strings.Repeat(")", n) + "; }\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// cmdReplace replaces the first occurrence of a text in a file: replace FILE OLD NEW
func cmdReplace(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// cmdInterrupt sends a command a signal after a while and checks that it ends
// within seconds, with the verdict UNKNOWN: interrupted, and perhaps what is left: interrupt SIGNAL DELAY CMD ARG...
func cmdInterrupt(ts *testscript.TestScript, _ bool, args []string) {
	sig := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[args[0]]
	delay, err := time.ParseDuration(args[1])
	ts.Check(err)
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, ts.Stderr()
	ts.Check(cmd.Start())
	time.Sleep(delay)
	sent := time.Now()
	ts.Check(cmd.Process.Signal(sig))
	stop := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	err = cmd.Wait()
	took := time.Since(sent)
	if code := cmd.ProcessState.ExitCode(); code != exitUnknown {
		ts.Fatalf("exit code %d (%v), output %q", code, err, out.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if why, _, _ := strings.Cut(lines[len(lines)-1], ";"); why != "UNKNOWN: interrupted" {
		ts.Fatalf("output %q", out.String())
	}
	if took > 5*time.Second { // a fraction of a second, but for a machine that is busy otherwise
		ts.Fatalf("it took %v to end", took)
	}
}

// cmdProfile checks that a file is a whole profile of pprof, compressed and not
// empty, with these types of samples: profile FILE TYPE/UNIT...
func cmdProfile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: profile FILE TYPE/UNIT...")
	}
	z, err := gzip.NewReader(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	text, err := io.ReadAll(z) // compares the checksum at the end, too
	ts.Check(err)
	for _, want := range args[1:] {
		for _, name := range strings.Split(want, "/") { // both are in the table of strings
			if !strings.Contains(string(text), name) {
				ts.Fatalf("%s has no %s", args[0], name)
			}
		}
	}
}

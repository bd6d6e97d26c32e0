package seahorn

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"comus/ir"
	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/external"
)

// script writes a stand-in for sea, and returns it with a folder to run it in.
func script(t *testing.T, text string) (command, dir string) {
	t.Helper()
	command, dir = filepath.Join(t.TempDir(), "sea"), t.TempDir()
	if err := os.WriteFile(command, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return command, dir
}

// TestCommandLine looks at the options: SeaHorn ignores what it does not know, and some of
// its stages take a value in a word of its own for a file.
func TestCommandLine(t *testing.T) {
	command, dir := script(t, `echo "$@" > args; echo unsat`)
	if ans, err := (&Tool{Command: command}).Run(t.Context(), dir); err != nil || ans.Verdict != seqmc.Safe {
		t.Fatal(ans, err)
	}
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	if want := "pf -g -m64 --inline --bv-cex --cex=harness.ll prog.c\n"; err != nil || string(args) != want {
		t.Errorf("%q, want %q", args, want)
	}
}

// TestAnswers gives the backend what sea does in ways that were not recorded.
func TestAnswers(t *testing.T) {
	const spurious = "Warning: the BMC engine failed to validate cex"
	for _, tt := range []struct {
		name, script string
		want         seqmc.Verdict
		reason       string
	}{
		{"a crash after the verdict", "echo sat; exit 245", seqmc.Unknown, "exit code 245"},
		{"a crash", "echo 'Stack dump:' >&2; exit 245", seqmc.Unknown, "no verdict, exit code 245"},
		{"too little memory", "echo 'error while loading shared libraries: libLLVM' >&2; exit 127", seqmc.Unknown, "no verdict, exit code 127"},
		{"a verdict within a line", "echo 'it is sat or unsat'", seqmc.Unknown, "no verdict"},
		{"a stage's command line is no verdict", "echo '/seahorn/bin/seahorn unsat'; echo sat; echo x > harness.ll", seqmc.Unsafe, ""},
		{"spurious", "echo sat; echo '" + spurious + "' >&2", seqmc.Unknown, "its counterexample is spurious"},
		{"spurious, an old harness", "echo x > harness.ll; echo sat; echo '" + spurious + "' >&2", seqmc.Unknown, "its counterexample is spurious"},
		{"no harness", "echo sat", seqmc.Unknown, "its counterexample is spurious: it wrote no harness"},
		{"a broken harness", "echo sat; echo '@0 = private constant [2 x i32] [i32 4]' > harness.ll", seqmc.Unknown, "its harness: 1 values instead of 2"},
	} {
		command, dir := script(t, tt.script)
		ans, err := (&Tool{Command: command}).Run(t.Context(), dir)
		if err != nil || ans.Verdict != tt.want || !strings.HasPrefix(ans.Reason, tt.reason) {
			t.Errorf("%s: %v (%s), %v", tt.name, ans.Verdict, ans.Reason, err)
		}
	}
}

// TestKilled ends a check: sea's own children, which hold on to a core otherwise, end, too.
func TestKilled(t *testing.T) {
	command, dir := script(t, "(trap '' TERM; exec sleep 100) &\necho $! > pid\nwait\n")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 500 {
			if text, _ := os.ReadFile(filepath.Join(dir, "pid")); len(text) > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := (&Tool{Command: command}).Run(ctx, dir); err == nil {
		t.Fatal("no error")
	}
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	stat, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err := syscall.Kill(pid, 0); err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("process %d is left: %s", pid, stat)
	}
}

// TestText looks at the C for what SeaHorn gets wrong: ranges of types, wrapping, negative
// division, operations on bits, initialisers of arrays, names of errors.
func TestText(t *testing.T) {
	ip := ir.NewProgram("t")
	l := ip.L
	p := &seqmc.Program{L: l, Name: "p", Init: l.True()}
	s := ip.NewVar("s", ir.Type{Bits: 32, Signed: true}, ir.Shared)
	u := ip.NewVar("u", ir.Type{Bits: 32}, ir.Shared)
	c := ip.NewVar("c", ir.Type{Bits: 8}, ir.Shared)
	b := ip.NewVar("b", ir.Flag, ir.Shared)
	p.Vars = []*ir.Var{s, u, c, b}
	start, end := p.NewNode("start"), p.NewNode("end")
	p.Entry, end.Error = start, true
	p.NewEdge(start, start, "", []ir.Cmd{ir.HavocCmd(s, ""), ir.HavocCmd(u, ""), ir.HavocCmd(c, ""), ir.HavocCmd(b, "")})
	p.NewEdge(start, end, "", []ir.Cmd{
		ir.AssignCmd(c, l.Mod(l.Add(s.Sym, l.Int(1)), l.Int(256))), // wraps
		ir.AssignCmd(u, l.Mod(l.Add(u.Sym, l.Int(1)), l.Int(1<<32))),
		ir.AssumeCmd(l.Eq(l.Div(s.Sym, l.Int(7)), l.Int(-2))),
		ir.AssumeCmd(l.Lt(l.Add(u.Sym, c.Sym), b.Sym)), // what nothing depends on is left out
	})
	text, err := external.Text(p, cgen.SeaHorn)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"assume(seq_any >= -2147483648 && seq_any <= 2147483647); s = seq_any;",
		"assume(seq_any >= 0 && seq_any <= 4294967295); u = seq_any;",
		"assume(seq_any >= 0 && seq_any <= 255); c = seq_any;",
		"assume(seq_any >= 0 && seq_any <= 1); b = seq_any;",
		"c = remainder_of((long long)s + 1, 256);",
		"u = ((long long)u + 1) % 4294967296;",
		"quotient((long long)s, 7)",
		"__VERIFIER_error()",
		"extern int nondet_choice(void);",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	_, body, _ := strings.Cut(text, "int main(void) {")
	for _, wrong := range []string{`\[`, `[^&]&[^&]`, `\|[^|]`, `\^`, `>>`, `<<`, `reach_error`, `\bassert\b`} {
		if m := regexp.MustCompile(wrong).FindString(strings.ReplaceAll(body, "||", "")); m != "" {
			t.Errorf("%q in\n%s", m, body)
		}
	}
}

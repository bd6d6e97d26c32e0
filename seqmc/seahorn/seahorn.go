// Package seahorn is the backend SeaHorn, a verifier of LLVM bitcode by Horn clauses: it
// runs the command sea.
//
// SeaHorn's integers are mathematical by default, its initialisers of arrays and its
// division are not C's. The C that comus writes for it avoids what it gets wrong: ranges
// are assumptions, wrapping and division are spelled out, and there are no arrays. Its
// counterexample is a harness: for each nondeterministic function the values of its
// calls, in order.
package seahorn

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/external"
)

// Tool is SeaHorn.
type Tool struct {
	Command string // "sea" if empty
}

// Name returns "seahorn".
func (t *Tool) Name() string { return "seahorn" }

// Target returns the C that SeaHorn reads.
func (t *Tool) Target() cgen.Target { return cgen.SeaHorn }

const hint = "see https://seahorn.github.io; put the folder of sea on the PATH"

// Run verifies prog.c.
func (t *Tool) Run(ctx context.Context, dir string) (external.Answer, error) {
	command := t.Command
	if command == "" {
		command = "sea"
	}
	// Every option with its value in one word: stages that do not know an option
	// take a separate value for a file.
	out, err := external.Command(ctx, dir, hint, command, "pf", "-g", "-m64", "--inline", "--bv-cex", "--cex=harness.ll", "prog.c")
	if err != nil {
		return external.Answer{}, err
	}
	ans := Verdict(out)
	if ans.Verdict != seqmc.Unsafe {
		return ans, nil
	}
	harness, err := os.ReadFile(filepath.Join(dir, "harness.ll"))
	if err != nil { // the counterexample was not confirmed bit by bit
		return external.Answer{Reason: "its counterexample is spurious: it wrote no harness"}, nil
	}
	values, err := Harness(harness)
	if err != nil {
		return external.Answer{Reason: err.Error()}, nil
	}
	if ans.Choices = values["nondet_choice"]; ans.Choices == nil {
		ans.Choices = []int64{} // it did not call it
	}
	return ans, nil
}

// Verdict reads the verdict off what sea printed: a line of its own, whatever the exit
// code.
func Verdict(out *external.Output) external.Answer {
	ans := external.Answer{Reason: fmt.Sprintf("no verdict, exit code %d", out.Exit)}
	for _, line := range bytes.Split(out.Stdout, []byte("\n")) {
		switch strings.TrimSpace(string(line)) {
		case "sat":
			ans = external.Answer{Verdict: seqmc.Unsafe}
		case "unsat":
			ans = external.Answer{Verdict: seqmc.Safe}
		case "unknown":
			ans = external.Answer{Reason: "it cannot decide this"}
		case "still alive, terminating":
			return external.Answer{Reason: "out of time"}
		}
	}
	switch {
	case out.Exit != 0 && ans.Verdict != seqmc.Unknown:
		return external.Answer{Reason: fmt.Sprintf("exit code %d", out.Exit)}
	case ans.Verdict == seqmc.Unsafe && bytes.Contains(out.Stderr, []byte("the BMC engine failed to validate cex")):
		return external.Answer{Reason: "its counterexample is spurious"}
	case ans.Verdict == seqmc.Unknown && out.Exit != 0:
		if line := errorLine(out.Stderr); line != "" {
			ans.Reason = line
		}
	}
	return ans
}

// errorLine returns the first line that reports an error.
func errorLine(text []byte) string {
	for _, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "error:") || strings.HasPrefix(line, "ERROR") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

var (
	arrayLine  = regexp.MustCompile(`^@(\d+) = private constant \[(\d+) x i(\d+)\] (.*)$`)
	defineLine = regexp.MustCompile(`^define i\d+ @"?([^"(]+)"?\(\)`)
	valueLine  = regexp.MustCompile(`@__seahorn_get_value_.*getelementptr inbounds \(\[\d+ x i\d+\], \[\d+ x i\d+\]\* @(\d+),`)
)

// Harness reads the values that a harness gives to the calls of each nondeterministic
// function, in their order.
func Harness(text []byte) (map[string][]int64, error) {
	arrays, out := map[string][]int64{}, map[string][]int64{}
	function := ""
	for _, line := range strings.Split(string(text), "\n") {
		if m := arrayLine.FindStringSubmatch(line); m != nil {
			values, err := array(m[2], m[3], m[4])
			if err != nil {
				return nil, fmt.Errorf("its harness: %w: %s", err, line)
			}
			arrays[m[1]] = values
		} else if m := defineLine.FindStringSubmatch(line); m != nil {
			function = m[1]
		} else if m := valueLine.FindStringSubmatch(line); m != nil && function != "" {
			out[function] = arrays[m[1]]
		}
	}
	return out, nil
}

// array reads the constant of an array: its length, the width of its elements, and its
// text in LLVM's syntax.
func array(length, width, text string) ([]int64, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n > 1<<20 {
		return nil, fmt.Errorf("wrong length %s", length)
	}
	values := make([]int64, 0, n)
	switch {
	case text == "zeroinitializer":
		return make([]int64, n), nil
	case strings.HasPrefix(text, `c"`):
		for s := strings.TrimSuffix(text[2:], `"`); s != ""; {
			if s[0] == '\\' && len(s) >= 3 {
				k, err := strconv.ParseUint(s[1:3], 16, 8)
				if err != nil {
					return nil, err
				}
				values, s = append(values, int64(k)), s[3:]
				continue
			}
			values, s = append(values, int64(s[0])), s[1:]
		}
	default:
		for _, item := range strings.Split(strings.Trim(text, "[] "), ",") {
			word := strings.TrimPrefix(strings.TrimSpace(item), "i"+width+" ")
			switch word {
			case "true":
				word = "1"
			case "false":
				word = "0"
			}
			k, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return nil, err
			}
			values = append(values, k)
		}
	}
	if len(values) != n {
		return nil, fmt.Errorf("%d values instead of %d", len(values), n)
	}
	return values, nil
}

// Package command is the backend for any verifier of sequential C: a command line and
// regular expressions that recognise its verdicts. It gives no evidence; that is found by
// another checker (see package external).
package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/external"
)

// Tool is a command.
type Tool struct {
	// Argv is the command line; {file} in a word stands for the file to verify.
	Argv []string
	// Safe and Unsafe recognise the verdicts in what the command prints.
	Safe, Unsafe *regexp.Regexp
	// Dialect is the C it reads.
	Dialect cgen.Target
}

// The regular expressions that are taken if none are given: the words that most
// verifiers use, at the beginning of a line or after a colon or blank.
var (
	DefaultSafe   = regexp.MustCompile(`(?m)(^|[\s:])(VERIFICATION SUCCESSFUL|TRUE|SAFE|SUCCESSFUL|CORRECT)\b`)
	DefaultUnsafe = regexp.MustCompile(`(?m)(^|[\s:])(VERIFICATION FAILED|FALSE|UNSAFE|FAILED|INCORRECT)\b`)
)

// New returns the tool of a command line, split at blanks (quotes as in a shell). Empty
// expressions mean the default ones. The error says what is wrong.
func New(line, safe, unsafe string) (*Tool, error) {
	argv, err := split(line)
	if err != nil {
		return nil, err
	}
	if len(argv) == 0 {
		return nil, errors.New("the command is empty")
	}
	if strings.Contains(argv[0], "/") { // it runs in another folder
		if argv[0], err = filepath.Abs(argv[0]); err != nil {
			return nil, err
		}
	}
	t := &Tool{Argv: argv, Safe: DefaultSafe, Unsafe: DefaultUnsafe}
	for _, x := range []struct {
		text string
		to   **regexp.Regexp
	}{{safe, &t.Safe}, {unsafe, &t.Unsafe}} {
		if x.text == "" {
			continue
		}
		if *x.to, err = regexp.Compile("(?m)" + x.text); err != nil {
			return nil, fmt.Errorf("a regular expression is wrong: %w", err)
		}
	}
	if !strings.Contains(line, "{file}") {
		t.Argv = append(t.Argv, "{file}")
	}
	return t, nil
}

// split takes a command line apart at blanks that are not within quotes.
func split(line string) ([]string, error) {
	var words []string
	word, in, quote := "", false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ' || r == '\t':
			if in {
				words = append(words, word)
			}
			word, in = "", false
		default:
			word, in = word+string(r), true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed in the command")
	}
	if in {
		words = append(words, word)
	}
	return words, nil
}

// Name returns the name of the command.
func (t *Tool) Name() string { return filepath.Base(t.Argv[0]) }

// Target returns the C that it reads.
func (t *Tool) Target() cgen.Target { return t.Dialect }

// Run runs the command on prog.c.
func (t *Tool) Run(ctx context.Context, dir string) (external.Answer, error) {
	argv := make([]string, len(t.Argv))
	for i, w := range t.Argv {
		argv[i] = strings.ReplaceAll(w, "{file}", filepath.Join(dir, "prog.c"))
	}
	out, err := external.Command(ctx, dir, "it was given by --seqmc-command", argv...)
	if err != nil {
		return external.Answer{}, err
	}
	return t.verdict(out), nil
}

// verdict reads the verdict off the output.
func (t *Tool) verdict(out *external.Output) external.Answer {
	text := append(append([]byte{}, out.Stdout...), out.Stderr...)
	safe, unsafe := t.Safe.Match(text), t.Unsafe.Match(text)
	switch {
	case safe && unsafe:
		return external.Answer{Reason: "its output matches both SAFE and UNSAFE"}
	case safe:
		return external.Answer{Verdict: seqmc.Safe}
	case unsafe:
		return external.Answer{Verdict: seqmc.Unsafe}
	}
	return external.Answer{Reason: fmt.Sprintf("its output has no verdict (exit code %d)", out.Exit)}
}

// Package external makes programs that verify sequential C model checkers of package
// seqmc: what the backends cbmc, seahorn and command have in common.
//
// The sequential program is written as one C function (see [Text]) in which every choice
// between edges is the value of a call of nondet_choice(). A tool that answers Unsafe with the
// values of these calls thereby gives the path: [Follow] walks it on the program. Nothing
// a tool says is taken for granted. A path is checked by the caller, as those of any
// checker. And a Safe without invariants, as well as an Unsafe without a path, is handed
// to another checker for the evidence; if that one contradicts the tool, the answer is
// Unknown. A tool that looks within bounds (see [Answer]) finds the violations within
// them; where there is none, and loops go on beyond, the other checker decides.
package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"

	"comus/internal/child"
	"comus/ir/cgen"
	"comus/seqmc"
)

// Answer is what a tool says about a C program.
type Answer struct {
	Verdict seqmc.Verdict
	Reason  string // Unknown: why
	// Bounded says of Unknown that there is no violation within the tool's bounds.
	Bounded bool
	// Choices are the values of nondet_choice() on the way to the error, in order; nil if
	// the tool does not tell.
	Choices []int64
}

// Tool is a program that verifies sequential C.
type Tool interface {
	// Name is the backend's name.
	Name() string
	// Target is the dialect of C that it reads.
	Target() cgen.Target
	// Run verifies the file prog.c in a folder, where it may leave files. The error is
	// for tools that cannot be run, and for the end of ctx.
	Run(ctx context.Context, dir string) (Answer, error)
}

// Checker is a tool as a sequential model checker.
type Checker struct {
	Tool Tool
	// Evidence finds the invariants and paths that the tool does not give.
	Evidence seqmc.Checker
	Log      hclog.Logger // nil for none
}

// Name returns the tool's name.
func (c *Checker) Name() string { return c.Tool.Name() }

// Check decides the program.
func (c *Checker) Check(ctx context.Context, p *seqmc.Program) (seqmc.Result, error) {
	text, err := Text(p, c.Tool.Target())
	if err != nil {
		return seqmc.Result{Reason: err.Error()}, nil
	}
	folder, err := child.TempDir("comus-" + c.Tool.Name() + "-")
	if err != nil {
		return seqmc.Result{}, err
	}
	defer folder.Remove()
	dir := folder.Path
	if err := os.WriteFile(filepath.Join(dir, "prog.c"), []byte(text), 0o600); err != nil {
		return seqmc.Result{}, err
	}
	ans, err := c.Tool.Run(ctx, dir)
	if err != nil {
		return seqmc.Result{}, err
	}
	if c.Log != nil {
		c.Log.Debug("answer", "program", p.Name, "verdict", ans.Verdict.String(), "reason", ans.Reason, "choices", len(ans.Choices))
	}
	if ans.Verdict == seqmc.Unknown && !ans.Bounded {
		return seqmc.Result{Reason: c.Name() + ": " + ans.Reason}, nil
	}
	if ans.Verdict == seqmc.Unsafe && ans.Choices != nil {
		path, err := Follow(p, ans.Choices)
		if err != nil {
			return seqmc.Result{Reason: c.Name() + ": " + err.Error()}, nil
		}
		return seqmc.Result{Verdict: seqmc.Unsafe, Path: path}, nil
	}
	return c.evidence(ctx, p, ans)
}

// evidence has the other checker find what goes with a verdict.
func (c *Checker) evidence(ctx context.Context, p *seqmc.Program, ans Answer) (seqmc.Result, error) {
	v := ans.Verdict
	res, err := c.Evidence.Check(ctx, p)
	switch {
	case err != nil:
		return res, err
	case ans.Bounded && res.Verdict == seqmc.Unknown:
		return seqmc.Result{Reason: fmt.Sprintf("%s: %s; %s: %s", c.Name(), ans.Reason, c.Evidence.Name(), res.Reason)}, nil
	case ans.Bounded:
		return res, nil
	case res.Verdict == seqmc.Unknown:
		return seqmc.Result{Reason: fmt.Sprintf("%s says %v, but %s found no evidence: %s", c.Name(), v, c.Evidence.Name(), res.Reason)}, nil
	case res.Verdict != v:
		return seqmc.Result{Reason: fmt.Sprintf("%s says %v, but %s %v", c.Name(), v, c.Evidence.Name(), res.Verdict)}, nil
	}
	return res, nil
}

// Follow returns the path from the entry on which these choices are made.
func Follow(p *seqmc.Program, choices []int64) ([]*seqmc.Edge, error) {
	var path []*seqmc.Edge
	for at := p.Entry; !at.Error; {
		k := int64(0)
		if len(at.Out) != 1 {
			if len(choices) == 0 {
				return nil, errors.New("the counterexample ends before the error")
			}
			k, choices = choices[0], choices[1:]
		}
		if k < 0 || k >= int64(len(at.Out)) {
			return nil, fmt.Errorf("the counterexample chooses edge %d of %d", k, len(at.Out))
		}
		path = append(path, at.Out[k])
		at = at.Out[k].To
		if len(path) > maxPath {
			return nil, errors.New("the counterexample is endless")
		}
	}
	return path, nil
}

// maxPath bounds the steps of a counterexample.
const maxPath = 1_000_000

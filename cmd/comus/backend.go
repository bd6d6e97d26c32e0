package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/cbmc"
	tool "comus/seqmc/command"
	"comus/seqmc/external"
	"comus/seqmc/seahorn"
	"comus/seqmc/spacer"
)

// toolFlags describe a verifier that the user brings.
type toolFlags struct{ line, safe, unsafe, dialect string }

// checker returns the sequential model checker that the flags choose; nil for the
// embedded one.
func (c *command) checker(log hclog.Logger) (seqmc.Checker, error) {
	if c.seqmc == nil || c.seqmc.value != "command" && c.tool != (toolFlags{}) {
		if c.seqmc == nil {
			return nil, nil
		}
		return nil, errors.New("comus: --seqmc-command and what goes with it need --seqmc command")
	}
	if log == nil {
		log = hclog.NewNullLogger()
	}
	x := &external.Checker{Evidence: &spacer.Checker{Ranges: true, Log: log.Named("spacer")}, Log: log.Named(c.seqmc.value)}
	switch c.seqmc.value {
	case "cbmc":
		x.Tool = &cbmc.Tool{}
	case "seahorn":
		x.Tool = &seahorn.Tool{}
	case "command":
		if c.tool.line == "" {
			return nil, errors.New("comus: --seqmc command needs --seqmc-command")
		}
		t, err := tool.New(c.tool.line, c.tool.safe, c.tool.unsafe)
		if err != nil {
			return nil, fmt.Errorf("comus: --seqmc-command: %w", err)
		}
		if c.tool.dialect != "" {
			if t.Dialect, err = cgen.TargetNamed(c.tool.dialect); err != nil {
				return nil, fmt.Errorf("comus: --seqmc-dialect: %w", err)
			}
		}
		x.Tool = t
	default:
		return nil, nil
	}
	return x, nil
}

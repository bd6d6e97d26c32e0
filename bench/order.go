package bench

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"comus/internal/child"
)

// order is a run to make, with all that is needed to make it, here or on another machine.
type order struct {
	Key
	Expect string   `json:"expect"`
	File   string   `json:"file"` // the program
	Text   string   `json:"text"` // hash of that file
	Path   string   `json:"path"` // the verifier; "": Argv[0] is looked up
	Argv   []string `json:"argv"`
	Logs   string   `json:"logs"`
	// Safe and Unsafe are the patterns of a foreign command's verdicts.
	Foreign bool   `json:"foreign,omitempty"`
	Safe    string `json:"safe,omitempty"`
	Unsafe  string `json:"unsafe,omitempty"`
}

// order returns a run of comus, an executable file, or of a foreign command.
func (b *benchmark) order(j job, comus string) *order {
	o := &order{Key: b.key(j), Expect: j.task.Expect, File: j.task.File, Argv: j.config.command(j.task, b.Options), Logs: b.logs(j)}
	if j.config.Foreign {
		o.Foreign, o.Safe, o.Unsafe = true, j.config.safe.String(), j.config.unsafe.String()
	} else {
		o.Path = comus
	}
	return o
}

// run makes the run.
func (o *order) run(ctx context.Context) (*Result, error) {
	timeout := time.Duration(o.Timeout * float64(time.Second))
	p := &child.Command{Path: o.Path, Argv: o.Argv, Timeout: timeout, Memory: o.Memory, Logs: o.Logs}
	if !o.Foreign {
		p.Grace = ownGrace // it gives up by itself, and still reports
	}
	began := time.Now()
	end, err := p.Run(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(o.Argv, " "), err)
	}
	r := &Result{Key: o.Key, Expect: o.Expect, Began: began.UTC().Truncate(time.Second),
		Seconds: milli(end.Elapsed), CPUSeconds: milli(end.CPU), MemoryBytes: end.Memory, Exit: end.Exit}
	switch {
	case end.Stopped == child.StoppedTime:
		r.Verdict = VerdictTimeout
	case end.Stopped == child.StoppedMemory:
		r.Verdict = VerdictMemory
	case end.Stopped != "":
		r.Verdict, r.Reason = VerdictError, end.Stopped
	case o.Foreign:
		if err := o.judge(r, end); err != nil {
			return nil, err
		}
	default:
		judgeComus(r, end)
	}
	return r, nil
}

// judge takes a verdict from what a foreign command has printed.
func (o *order) judge(r *Result, end *child.Ending) error {
	c := &Config{Foreign: true}
	var err error
	if c.safe, err = regexp.Compile(o.Safe); err != nil {
		return err
	}
	if c.unsafe, err = regexp.Compile(o.Unsafe); err != nil {
		return err
	}
	c.judge(r, end)
	return nil
}

// unchanged fails if the program has changed since the order was written.
func (o *order) unchanged() error {
	if now, err := fingerprint(o.File); err != nil {
		return err
	} else if now != o.Text {
		return fmt.Errorf("%s: has changed since the run was ordered", o.File)
	}
	return nil
}

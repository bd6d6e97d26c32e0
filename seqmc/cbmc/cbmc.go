// Package cbmc is the backend CBMC, the bounded model checker: it runs the command
// cbmc and reads its JSON.
//
// Loops are unwound more and more often, with unwinding assertions: if they hold, and no
// other assertion fails, the answer Safe is complete. Most programs of the modular
// algorithm have loops that no bound ends (a spin, the steps of others before a query's
// start): after a while the answer is that there is no violation within the bound, see
// [external.Answer].
package cbmc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/external"
)

// Tool is CBMC.
type Tool struct {
	Command string // "cbmc" if empty
	// MaxUnwind bounds the iterations of loops; 0 means 16.
	MaxUnwind int
	// Patience bounds the time for each unwinding but the first, which has five times as
	// much; 0 means 3 seconds.
	Patience time.Duration
}

// Name returns "cbmc".
func (t *Tool) Name() string { return "cbmc" }

// Target returns the C that CBMC reads.
func (t *Tool) Target() cgen.Target { return cgen.CBMC }

const hint = "Debian's package cbmc, or https://www.cprover.org/cbmc"

// Run verifies prog.c with growing bounds.
func (t *Tool) Run(ctx context.Context, dir string) (external.Answer, error) {
	limit, patience := t.MaxUnwind, t.Patience
	if limit == 0 {
		limit = 16
	}
	if patience == 0 {
		patience = 3 * time.Second
	}
	k := 0 // iterations that were looked at
	for next, wait := 1, 5*patience; k < limit; next, wait = min(2*k, limit), patience {
		ans, again, err := t.within(ctx, wait, dir, next)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return bounded(k), nil
		case err != nil || !again:
			return ans, err
		}
		k = next
	}
	return bounded(k), nil
}

// bounded says that there is no violation within k iterations of loops.
func bounded(k int) external.Answer {
	if k == 0 {
		return external.Answer{Bounded: true, Reason: "out of time"}
	}
	return external.Answer{Bounded: true, Reason: fmt.Sprintf("loops are not finished after %d iterations", k)}
}

// within verifies prog.c with k iterations of loops within a time. again tells that nothing
// is wrong but that there may be more iterations.
func (t *Tool) within(ctx context.Context, limit time.Duration, dir string, k int) (ans external.Answer, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := t.Command
	if command == "" {
		command = "cbmc"
	}
	out, err := external.Command(ctx, dir, hint, command, "--json-ui", "--trace", "--no-standard-checks", "--unwinding-assertions",
		"--unwind", strconv.Itoa(k+1), "prog.c")
	if err != nil {
		return external.Answer{}, false, err
	}
	ans, again = Parse(out.Stdout)
	if ans.Verdict == seqmc.Unknown && ans.Reason == "" {
		ans.Reason = fmt.Sprintf("exit code %d", out.Exit)
	}
	return ans, again, nil
}

// message is one element of CBMC's output.
type message struct {
	Type    string   `json:"messageType"`
	Text    string   `json:"messageText"`
	Result  []result `json:"result"`
	Verdict string   `json:"cProverStatus"`
}

// result is what CBMC says about one property.
type result struct {
	Property    string `json:"property"`
	Description string `json:"description"`
	Status      string `json:"status"`
	Trace       []step `json:"trace"`
}

type step struct {
	Type string `json:"stepType"`
	// Hidden tells that the step is none of the program's: the declaration of a
	// temporary variable is an assignment, too.
	Hidden bool `json:"hidden"`
	// Lhs and Value are those of assignments.
	Lhs   string          `json:"lhs"`
	Value json.RawMessage `json:"value"`
	// Function is that of a call or return.
	Function struct {
		Name string `json:"displayName"`
	} `json:"function"`
}

// Parse reads CBMC's JSON output. again tells that nothing but unwinding assertions
// failed: the bound is too small.
func Parse(out []byte) (ans external.Answer, again bool) {
	var messages []message
	if err := json.Unmarshal(out, &messages); err != nil {
		return external.Answer{Reason: "its output is no JSON: " + firstLine(out)}, false
	}
	for _, m := range messages {
		if m.Type == "ERROR" && ans.Reason == "" {
			ans.Reason = m.Text
		}
		for _, r := range m.Result {
			switch {
			case r.Status != "FAILURE":
			case strings.Contains(r.Property, "unwind"):
				again = true
			case !strings.Contains(r.Property, ".assertion."):
				ans.Reason = "it reports " + r.Property
			case ans.Verdict != seqmc.Unsafe:
				ans.Verdict, ans.Choices = seqmc.Unsafe, choices(r.Trace)
			}
		}
		if m.Verdict == "success" && ans.Verdict == seqmc.Unknown {
			ans.Verdict = seqmc.Safe
		}
	}
	if ans.Verdict == seqmc.Unsafe {
		return ans, false
	}
	if again {
		return external.Answer{}, true
	}
	return ans, false
}

// choices returns the values of nondet_choice() in a trace, or nil if one is not a number.
func choices(trace []step) []int64 {
	out := []int64{}
	for _, s := range trace {
		if s.Type != "assignment" || s.Hidden || !strings.HasPrefix(s.Lhs, "return_value_nondet_choice") {
			continue
		}
		var v struct {
			Data string `json:"data"`
		}
		if json.Unmarshal(s.Value, &v) != nil {
			return nil
		}
		k, err := strconv.ParseInt(v.Data, 10, 64)
		if err != nil {
			return nil
		}
		out = append(out, k)
	}
	return out
}

func firstLine(out []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
	return string(line)
}

package comus

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/query"
	"comus/seqmc"
)

// message is how a process that runs one engine of the portfolio tells its result.
type message struct {
	Verdict     string             `json:"verdict"`
	Reason      string             `json:"reason,omitempty"`
	Engine      string             `json:"engine"`
	Stats       query.Stats        `json:"stats"`
	Components  []timing.Component `json:"components"`
	Sizes       Sizes              `json:"sizes"`
	CheckTime   time.Duration      `json:"check_time"`
	CheckSolver string             `json:"check_solver,omitempty"`
	Assumptions []string           `json:"assumptions"`
	Warnings    []string           `json:"warnings"`
	Complete    bool               `json:"complete"`
	Program     check.Program      `json:"program"`
	Certificate *check.Certificate `json:"certificate,omitempty"`
}

// Send writes the result for the process that runs a portfolio: see Options.Command.
func (r *Result) Send(w io.Writer) error {
	return json.NewEncoder(w).Encode(message{r.Verdict.String(), r.Reason, r.Engine, r.Stats, r.Components, r.Sizes,
		r.CheckTime, r.CheckSolver, r.Assumptions, r.Warnings, r.complete, r.program, r.Certificate})
}

// receive reads what Send wrote. The trace of Unsafe is missing.
func receive(r io.Reader) (*Result, error) {
	var m message
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return nil, fmt.Errorf("no result: %w", err)
	}
	verdicts := []seqmc.Verdict{seqmc.Unknown, seqmc.Safe, seqmc.Unsafe}
	i := slices.IndexFunc(verdicts, func(v seqmc.Verdict) bool { return v.String() == m.Verdict })
	if i < 0 {
		return nil, fmt.Errorf("no result: verdict %q", m.Verdict)
	}
	return &Result{Verdict: verdicts[i], Reason: m.Reason, Engine: m.Engine, Stats: m.Stats, Components: m.Components, Sizes: m.Sizes,
		CheckTime: m.CheckTime, CheckSolver: m.CheckSolver, Assumptions: m.Assumptions, Warnings: m.Warnings, complete: m.Complete, program: m.Program, Certificate: m.Certificate, Trace: emptyTrace}, nil
}

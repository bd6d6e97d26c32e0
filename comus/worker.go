package comus

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"comus/check"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/query"
	"comus/seqmc"
)

// message is how a process that runs one engine of the portfolio tells its result. The process
// that receives it has a claim, no verdict.
type message struct {
	Verdict     string             `json:"verdict"`
	Reason      string             `json:"reason,omitempty"`
	Internal    string             `json:"internal,omitempty"` // a failure of comus's own
	Engine      string             `json:"engine"`
	Stats       query.Stats        `json:"stats"`
	Components  []timing.Component `json:"components"`
	Sizes       Sizes              `json:"sizes"`
	CheckTime   time.Duration      `json:"check_time"`
	CheckSolver string             `json:"check_solver,omitempty"`
	Assumptions []string           `json:"assumptions"`
	Proved      []string           `json:"proved,omitempty"`
	Warnings    []string           `json:"warnings"`
	Complete    bool               `json:"complete"`
	Hopeless    bool               `json:"hopeless,omitempty"`
	Undefined   string             `json:"undefined,omitempty"` // what C leaves undefined, in an execution that was found
	Suspected   *check.Certificate `json:"suspected,omitempty"` // the execution, of Unknown
	Program     check.Program      `json:"program"`
	Certificate *check.Certificate `json:"certificate,omitempty"`

	verdict seqmc.Verdict // what Verdict says
}

// Send writes the result for the process that runs a portfolio: see Options.Command.
func (r *Result) Send(w io.Writer) error {
	var suspected *check.Certificate
	if r.Suspected != nil {
		suspected = r.Suspected.Certificate
	}
	internal := ""
	if r.Internal != nil {
		internal = r.Internal.What
	}
	return json.NewEncoder(w).Encode(message{Verdict: r.Verdict.String(), Reason: r.Reason, Internal: internal, Engine: r.Engine, Stats: r.Stats,
		Components: r.Components, Sizes: r.Sizes, CheckTime: r.CheckTime, CheckSolver: r.CheckSolver, Assumptions: r.Assumptions, Proved: r.Proved,
		Warnings: r.Warnings, Complete: r.complete, Hopeless: r.hopeless, Undefined: r.undefined, Suspected: suspected,
		Program: r.program, Certificate: r.Certificate})
}

// receive reads what Send wrote.
func receive(r io.Reader) (*message, error) {
	var m message
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return nil, fmt.Errorf("no result: %w", err)
	}
	verdicts := []seqmc.Verdict{seqmc.Unknown, seqmc.Safe, seqmc.Unsafe}
	i := slices.IndexFunc(verdicts, func(v seqmc.Verdict) bool { return v.String() == m.Verdict })
	if i < 0 {
		return nil, fmt.Errorf("no result: verdict %q", m.Verdict)
	}
	m.verdict = verdicts[i]
	return &m, nil
}

// result returns the result of the process with the answer that was made of what it says.
func (m *message) result(a confirm.Answer) *Result {
	res := &Result{Engine: m.Engine, Stats: m.Stats, Components: m.Components, Sizes: m.Sizes, Assumptions: m.Assumptions, Proved: m.Proved,
		Warnings: m.Warnings, program: m.Program}
	res.take(a)
	return res
}

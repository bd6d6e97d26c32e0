package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"comus/comus"
	"comus/logic"
	"comus/seqmc"
)

// jsonReport is the object that --json prints.
type jsonReport struct {
	File             string                   `json:"file"`
	Verdict          string                   `json:"verdict"`
	Reason           string                   `json:"reason"` // "" unless the verdict is UNKNOWN
	Engine           string                   `json:"engine"`
	Seconds          float64                  `json:"seconds"`
	CheckSeconds     float64                  `json:"check_seconds"`
	CheckSolver      string                   `json:"check_solver,omitempty"` // where that is not always the same
	Iterations       int                      `json:"iterations"`
	SequentialChecks int                      `json:"sequential_checks"`
	Queries          int                      `json:"queries"`
	Refinements      int                      `json:"refinements"`
	Promises         int                      `json:"promises"`
	CacheHits        int                      `json:"cache_hits"`
	Concretizations  int                      `json:"concretizations"` // attempts to make the main thread's path real at once
	SolverCalls      int                      `json:"solver_calls"`
	MemoryBytes      int64                    `json:"memory_bytes"` // largest size of the process, and of those of a portfolio
	Sizes            *jsonSizes               `json:"sizes,omitempty"`
	Components       map[string]jsonComponent `json:"components"`
	Portfolio        *jsonPortfolio           `json:"portfolio,omitempty"` // of --strategy auto
	Assumptions      []string                 `json:"assumptions"`
	Warnings         []string                 `json:"warnings"`
	Certificate      string                   `json:"certificate,omitempty"` // the file it was written to or read from
	Violation        *jsonViolation           `json:"violation,omitempty"`   // UNSAFE only
	Counterexample   []jsonStep               `json:"counterexample"`
}

// jsonPortfolio tells which engines ran beside one another.
type jsonPortfolio struct {
	Features string        `json:"features"` // of the program, which the order is chosen by
	Order    []string      `json:"order"`
	Engines  []jsonContest `json:"engines"` // those that ran
}

type jsonContest struct {
	Engine      string  `json:"engine"`
	Begin       float64 `json:"begin"` // in seconds since the portfolio began
	Seconds     float64 `json:"seconds"`
	CPUSeconds  float64 `json:"cpu_seconds"`
	MemoryBytes int64   `json:"memory_bytes"`
	Outcome     string  `json:"outcome"`
}

// jsonPortfolioOf puts the report of a portfolio into its form.
func jsonPortfolioOf(p *comus.Portfolio) *jsonPortfolio {
	if p == nil {
		return nil
	}
	out := &jsonPortfolio{Features: p.Features.String(), Order: p.Plan, Engines: []jsonContest{}}
	for _, c := range p.Contestants {
		out.Engines = append(out.Engines, jsonContest{c.Engine, rounded(c.Begin), rounded(c.End - c.Begin), rounded(c.CPU), c.MemoryBytes, oneLine(c.Outcome)})
	}
	return out
}

type jsonViolation struct {
	Thread     int    `json:"thread"`
	ThreadName string `json:"thread_name"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Text       string `json:"text"`
}

type jsonStep struct {
	Thread     int          `json:"thread"`
	ThreadName string       `json:"thread_name"`
	File       string       `json:"file"`
	Line       int          `json:"line"`
	Column     int          `json:"column"`
	Statement  string       `json:"statement"`
	Inputs     []jsonInput  `json:"inputs,omitempty"`
	Changes    []jsonChange `json:"changes,omitempty"`
}

type jsonInput struct {
	Name  string      `json:"name"`
	Value json.Number `json:"value"`
}

type jsonChange struct {
	Variable string      `json:"variable"`
	Old      json.Number `json:"old"`
	New      json.Number `json:"new"`
}

// json prints the report as one object.
func (r *report) json(w io.Writer) error {
	res := r.res
	out := jsonReport{
		File: r.file, Verdict: res.Verdict.String(), Engine: res.Engine,
		Seconds: rounded(res.Elapsed), CheckSeconds: rounded(res.CheckTime), CheckSolver: res.CheckSolver,
		Iterations: res.Stats.Iterations, SequentialChecks: res.Stats.Checks, Queries: res.Stats.Queries,
		Refinements: res.Stats.Refinements, Promises: res.Stats.Promises, SolverCalls: res.Stats.SolverCalls,
		CacheHits: res.Stats.CacheHits, Concretizations: res.Stats.Concretized,
		Assumptions: append([]string{}, res.Assumptions...), Warnings: append([]string{}, res.Warnings...),
		Certificate: r.certificate + r.checked, Counterexample: []jsonStep{},
		MemoryBytes: memoryOf(res), Components: jsonComponents(res.Components),
		Portfolio: jsonPortfolioOf(res.Portfolio),
	}
	if r.checked == "" {
		sizes := jsonSizes(res.Sizes)
		out.Sizes = &sizes
	}
	switch res.Verdict {
	case seqmc.Unknown:
		out.Reason = oneLine(res.Reason)
	case seqmc.Unsafe:
		r.jsonTrace(&out)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// jsonTrace fills in the counterexample.
func (r *report) jsonTrace(out *jsonReport) {
	tr := r.res.Trace
	if l := tr.Error; l != nil {
		out.Violation = &jsonViolation{l.Thread.Index, l.Thread.Name, l.Pos.File, l.Pos.Line, l.Pos.Col, errorText(l)}
	}
	for _, s := range rows(tr) {
		step := jsonStep{Thread: s.thread.Index, ThreadName: s.thread.Name, File: s.pos.File, Line: s.pos.Line,
			Column: s.pos.Col, Statement: s.text}
		for _, in := range s.inputs {
			step.Inputs = append(step.Inputs, jsonInput{in.Name, number(in.Value)})
		}
		for _, c := range s.changes {
			step.Changes = append(step.Changes, jsonChange{c.Var.Source, number(c.Old), number(c.New)})
		}
		out.Counterexample = append(out.Counterexample, step)
	}
}

func number(v logic.Value) json.Number { return json.Number(v.String()) }

// rounded returns seconds with three decimals.
func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

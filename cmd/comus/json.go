package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"comus/comus"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/report/execution"
	"comus/seqmc"
)

// jsonReport is the object that --json prints.
type jsonReport struct {
	File             string                   `json:"file"`
	About            string                   `json:"about,omitempty"` // the pairs of places that data races were asked about, as in certificates
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
	Sanitizer        string                   `json:"sanitizer,omitempty"`
	Proved           []string                 `json:"proved"` // what need not be assumed
	Warnings         []string                 `json:"warnings"`
	Certificate      string                   `json:"certificate,omitempty"` // the file it was written to or read from
	Page             string                   `json:"page,omitempty"`        // the file that --html was written to
	Violation        *jsonViolation           `json:"violation,omitempty"`   // UNSAFE only
	Counterexample   []jsonStep               `json:"counterexample"`
	MemoryOrders     []string                 `json:"memory_orders,omitempty"` // UNSAFE: what of the execution is not sequentially consistent
	Approximations   []jsonApproximation      `json:"approximations"`          // of the program
	Suspected        *jsonSuspected           `json:"suspected,omitempty"`     // UNKNOWN only
	Properties       []jsonProperty           `json:"properties"`              // those that were asked about
}

// jsonSuspected is an execution that fails and depends on approximations.
type jsonSuspected struct {
	Violation      *jsonViolation      `json:"violation"`
	Involved       []jsonInvolved      `json:"involved,omitempty"` // of a race or deadlock
	Counterexample []jsonStep          `json:"counterexample"`
	Approximations []jsonApproximation `json:"approximations"` // those that it depends on
}

type jsonApproximation struct {
	Name  string `json:"name"`
	Place string `json:"place,omitempty"` // file:line:column
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
	Exact       bool    `json:"exact,omitempty"` // it looked for violations without approximations only
}

// jsonPortfolioOf puts the report of a portfolio into its form.
func jsonPortfolioOf(p *comus.Portfolio) *jsonPortfolio {
	if p == nil {
		return nil
	}
	out := &jsonPortfolio{Features: p.Features.String(), Order: p.Plan, Engines: []jsonContest{}}
	for _, c := range p.Contestants {
		out.Engines = append(out.Engines, jsonContest{c.Engine, rounded(c.Begin), rounded(c.End - c.Begin), rounded(c.CPU), c.MemoryBytes, oneLine(c.Outcome), c.Exact})
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
	// Stack are the calls that led there, innermost first, and Created those that led to the creation of the thread.
	Stack   []jsonCall `json:"stack,omitempty"`
	Created []jsonCall `json:"created,omitempty"`
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
	// Approximation is the name of the one that the step is.
	Approximation string `json:"approximation,omitempty"`
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
		File: r.file, About: res.About(), Verdict: res.Verdict.String(), Engine: res.Engine,
		Seconds: rounded(res.Elapsed), CheckSeconds: rounded(res.CheckTime), CheckSolver: res.CheckSolver,
		Iterations: res.Stats.Iterations, SequentialChecks: res.Stats.Checks, Queries: res.Stats.Queries,
		Refinements: res.Stats.Refinements, Promises: res.Stats.Promises, SolverCalls: res.Stats.SolverCalls,
		CacheHits: res.Stats.CacheHits, Concretizations: res.Stats.Concretized,
		Assumptions: append([]string{}, res.Assumptions...), Proved: append([]string{}, res.Proved...), Warnings: append([]string{}, res.Warnings...),
		Sanitizer: res.Sanitizer, Certificate: r.certificate + r.checked, Page: r.page, Counterexample: []jsonStep{},
		MemoryBytes: memoryOf(res), Components: jsonComponents(res.Components),
		Portfolio: jsonPortfolioOf(res.Portfolio),
	}
	if r.checked == "" {
		sizes := jsonSizes(res.Sizes)
		out.Sizes = &sizes
	}
	r.jsonOutcome(&out)
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// jsonOutcome fills in what belongs to the verdict, and the approximations of the program.
func (r *report) jsonOutcome(out *jsonReport) {
	res := r.res
	out.Approximations, out.Properties = jsonApproximations(res.Approximations), r.jsonProperties()
	switch res.Verdict {
	case seqmc.Unsafe:
		out.Violation, out.Counterexample = jsonTrace(res.Trace, nil)
		out.MemoryOrders = execution.MemoryOrders(res.Certificate)
	case seqmc.Unknown:
		out.Reason = oneLine(res.Reason)
		if s := res.Suspected; s != nil {
			out.Suspected = &jsonSuspected{Approximations: jsonApproximations(s.On), Involved: jsonInvolvement(s.Trace)}
			out.Suspected.Violation, out.Suspected.Counterexample = jsonTrace(s.Trace, s.Depends)
		}
	}
}

// jsonApproximations names approximations and their places.
func jsonApproximations(on []ir.Approximation) []jsonApproximation {
	out := []jsonApproximation{}
	for _, a := range on {
		j := jsonApproximation{Name: a.Name}
		if a.Pos != (ir.Pos{}) {
			j.Place = a.Pos.String()
		}
		out = append(out, j)
	}
	return out
}

// jsonTrace returns an execution in its form; see rows.
func jsonTrace(tr interp.Trace, depends func(*ir.Edge) bool) (violation *jsonViolation, steps []jsonStep) {
	if l := tr.Error; l != nil {
		calls, created := l.Frame.Stack(l.Pos)
		violation = jsonPlace(l.Thread, l.Pos, execution.ErrorText(l), calls, created)
	}
	steps = []jsonStep{}
	for _, s := range execution.Rows(tr, depends) {
		step := jsonStep{Thread: s.Thread.Index, ThreadName: s.Thread.Name, File: s.Pos.File, Line: s.Pos.Line,
			Column: s.Pos.Col, Statement: s.Statement(), Approximation: s.Approx}
		for _, in := range s.Inputs {
			step.Inputs = append(step.Inputs, jsonInput{in.Name, number(in.Value)})
		}
		for _, c := range s.Changes {
			step.Changes = append(step.Changes, jsonChange{c.Var.Label(), number(c.Old), number(c.New)})
		}
		steps = append(steps, step)
	}
	return violation, steps
}

// jsonPlace returns what a thread does somewhere in its form.
func jsonPlace(t *ir.Thread, at ir.Pos, text string, calls, created []ir.At) *jsonViolation {
	return &jsonViolation{t.Index, t.Name, at.File, at.Line, at.Col, text, jsonCalls(calls), jsonCalls(created)}
}

func number(v logic.Value) json.Number { return json.Number(v.String()) }

// rounded returns seconds with three decimals.
func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"comus/comus"
	"comus/internal/whole"
	"comus/ir"
	"comus/ir/interp"
	"comus/report/annotate"
	"comus/report/execution"
	"comus/report/scanreport"
	"comus/report/suppress"
	"comus/seqmc"
	"comus/specialise"
)

// annotations are the flags for what is shown beside the source: by services that scan code, and by editors.
type annotations struct {
	sarif  fileFlag
	format *choiceFlag
}

// define defines the flags.
func (a *annotations) define(f *pflag.FlagSet) {
	if a.format == nil {
		a.format = choice("text", "gcc")
	}
	f.Var(&a.sarif, "sarif", "write what is found to this `file`, in SARIF 2.1.0")
	f.Var(a.format, "format", "print a report for people, or lines as gcc's for editors: "+a.format.list())
}

// output returns the SARIF as what is to be written.
func (a *annotations) output() output {
	return output{flag: "--sarif", file: string(a.sarif), kind: aSARIF}
}

// wanted tells whether findings are to be shown.
func (a *annotations) wanted() bool { return a.sarif != "" || a.format.value == "gcc" }

// write writes SARIF, if it was asked for.
func (a *annotations) write(r *report, exit int) error {
	if a.sarif == "" {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("comus: %w", err)
	}
	log := annotate.Log{Version: version(), Arguments: os.Args[1:], Dir: dir, Exit: exit, Findings: r.found}
	for _, p := range r.properties() {
		log.Verdicts = append(log.Verdicts, annotate.Verdict{Property: p.Name, Decided: p.Verdict != seqmc.Unknown,
			Text: fmt.Sprintf("%s: %s: %s", r.title, p.Name, verdictLine(p.Verdict, p.Reason))})
	}
	for _, w := range r.res.Warnings {
		log.Verdicts = append(log.Verdicts, annotate.Verdict{Text: strings.TrimPrefix(w, "warning: ")})
	}
	if err := whole.Write(string(a.sarif), func(w io.Writer) error { return log.Write(w) }); err != nil {
		return fileError(string(a.sarif), err)
	}
	return nil
}

// findings returns what has been found, and what is suspected, of all properties.
func (r *report) findings() []annotate.Finding {
	var out []annotate.Finding
	all := r.properties()
	for i, p := range all {
		of := p.Result
		switch {
		case p.Verdict == seqmc.Unsafe:
			for _, res := range append([]*comus.Result{of}, p.More...) {
				f := finding(p.Name, res.Trace, nil)
				f.Notes = execution.MemoryOrders(res.Certificate)
				if m, weak := res.Certificate.Weak(); weak {
					f.Weak = m.String()
				}
				out = append(out, f)
			}
		case p.Verdict == seqmc.Unknown && of.Suspected != nil &&
			!slices.ContainsFunc(all[:i], func(q comus.PropertyResult) bool { return q.Result == of }):
			f := finding(execution.Property(of.Suspected.Trace), of.Suspected.Trace, of.Suspected.Depends)
			f.Suspected = true
			for _, a := range jsonApproximations(of.Suspected.On) {
				f.Approximations = append(f.Approximations, annotate.Approximation{Name: a.Name, At: a.Place})
			}
			out = append(out, f)
		}
	}
	return out
}

// suppressed notes which findings comments in the source suppress: such about their property, at one of their places. It returns a
// warning for each comment that is wrong, which suppresses nothing.
func suppressed(findings []annotate.Finding) (warnings []string) {
	files := map[string]bool{}
	for _, f := range findings {
		for _, at := range f.Places() {
			files[at.File] = true
		}
	}
	comments, err := suppress.Read(slices.Sorted(maps.Keys(files)), suppressible())
	if err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			warnings = append(warnings, "warning: "+line)
		}
	}
	for i := range findings {
		for _, at := range findings[i].Places() {
			if reason, ok := comments.Reason(findings[i].Property, at.File, at.Line); ok {
				findings[i].Suppressed = reason
			}
		}
	}
	return warnings
}

// finding returns an execution that violates a property.
func finding(property string, tr interp.Trace, depends func(*ir.Edge) bool) annotate.Finding {
	v, _ := jsonTrace(tr, depends)
	f := annotate.Finding{Property: property, Location: locationOf(v)}
	for _, x := range jsonInvolvement(tr) {
		f.Involved = append(f.Involved, annotate.Involved{Location: locationOf(&x.jsonViolation), Waits: x.Waits, Held: x.Held, HeldUnknown: x.Held == nil})
	}
	x := execution.New(tr, depends)
	for i, s := range x.Rows {
		st := annotate.Step{Thread: threadName(s.Thread), Place: annotate.Place{File: s.Pos.File, Line: s.Pos.Line, Column: s.Pos.Col},
			Text: s.Statement(), Effect: x.Effects(i)}
		for _, c := range s.Changes {
			st.Changes = append(st.Changes, annotate.Change{Variable: c.Var.Label(), New: tr.Program.Value(c.Var, c.New)})
		}
		f.Steps = append(f.Steps, st)
	}
	return f
}

// locationOf returns where a thread stands.
func locationOf(v *jsonViolation) annotate.Location {
	return annotate.Location{Thread: fmt.Sprintf("%d %s", v.Thread, v.ThreadName), Place: annotate.Place{File: v.File, Line: v.Line, Column: v.Column},
		Text: v.Text, Calls: calls(v.Stack), Created: calls(v.Created)}
}

// calls returns a call stack.
func calls(stack []jsonCall) []annotate.Call {
	var out []annotate.Call
	for _, c := range stack {
		out = append(out, annotate.Call{Function: c.Function, Place: annotate.Place{File: c.File, Line: c.Line, Column: c.Column}})
	}
	return out
}

// suppressible are the properties whose findings comments suppress: those of --check, and what handlers of signals access.
func suppressible() []string { return append(slices.Clone(specialise.CheckNames), scanreport.Signal) }

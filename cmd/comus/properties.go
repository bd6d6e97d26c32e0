package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"comus/check"
	"comus/comus"
	"comus/comus/involved"
	"comus/ir/interp"
	"comus/report/execution"
	"comus/report/scanreport"
	"comus/scan"
	"comus/seqmc"
	"comus/specialise"
)

// words say what the verdicts mean for each property: SAFE, UNSAFE, and that an execution is suspected.
var words = map[string]struct{ safe, unsafe, suspected string }{
	specialise.Assert:    {"no assertion can fail", "an assertion can fail", "an assertion may fail"},
	specialise.Race:      {"no data race", "a data race is possible", "there may be a data race"},
	specialise.Deadlock:  {"no deadlock", "a deadlock is possible", "there may be a deadlock"},
	specialise.Memory:    {"no invalid access to memory", "an invalid access to memory is possible", "there may be an invalid access to memory"},
	specialise.Leak:      {"no memory is lost", "memory can be lost", "memory may be lost"},
	specialise.Cleanup:   {"all memory is freed", "memory can be left that is not freed", "memory may be left that is not freed"},
	specialise.Overflows: {"no overflow", "an overflow is possible", "there may be an overflow"},
	specialise.Locks:     {"no misuse of locks or threads", "a misuse of locks or threads is possible", "there may be a misuse of locks or threads"},
}

// properties returns the verdicts on the properties that were asked about. A run that did not come to its end
// has found out nothing about them.
func (r *report) properties() []comus.PropertyResult {
	res := r.res
	if all := res.Properties; len(all) > 1 {
		return all
	}
	names := r.asked
	switch {
	case len(res.Properties) == 1:
		names = []string{res.Properties[0].Name}
	case len(names) == 0 && (res.Verdict != seqmc.Unknown || res.Suspected != nil):
		names = []string{specialise.Assert} // a program that was made in IR
	}
	var out []comus.PropertyResult
	for _, n := range names { // with what was found out about the limits
		out = append(out, comus.PropertyResult{Name: n, Verdict: res.Verdict, Reason: res.Reason, Result: res})
	}
	return out
}

// outcome prints the verdict for people, and the executions that violate a property or are suspected to.
func (r *report) outcome(w io.Writer) {
	all := r.properties()
	shown := false
	for i, p := range all {
		of := p.Result
		switch {
		case p.Verdict == seqmc.Unsafe:
			fmt.Fprintf(w, "%s: %s, by these steps:\n\n", r.title, words[execution.Property(of.Trace)].unsafe)
			writeTrace(w, r.file, of.Trace, nil, r.verbose)
			writeMemory(w, of)
			for _, more := range p.More {
				fmt.Fprintf(w, "\n%s: %s elsewhere, by these steps:\n\n", r.title, words[execution.Property(more.Trace)].unsafe)
				writeTrace(w, r.file, more.Trace, nil, r.verbose)
			}
		case p.Verdict == seqmc.Unknown && of.Suspected != nil && !slices.ContainsFunc(all[:i], func(q comus.PropertyResult) bool { return q.Result == of }):
			s := of.Suspected
			if r.verbose {
				fmt.Fprintf(w, "%s: not decided; %s, by these steps:\n\n", r.title, words[execution.Property(s.Trace)].suspected)
				writeTrace(w, r.file, s.Trace, s.Depends, true)
				break
			}
			fmt.Fprintf(w, "%s: not decided; %s: %s: %s, in an execution that would need %s, and was not found in runs of the program (hint: --verbose shows its steps)\n", r.title,
				words[execution.Property(s.Trace)].suspected, s.Trace.Error.Pos, execution.ErrorText(s.Trace.Error), check.Several(s.On))
		default:
			continue
		}
		fmt.Fprintln(w)
		shown = true
	}
	switch {
	case r.res.Verdict == seqmc.Safe:
		var safe []string
		for _, p := range all {
			safe = append(safe, words[p.Name].safe)
		}
		fmt.Fprintf(w, "%s: %s%s\n", r.title, strings.Join(safe, ", "), everyNumber(all))
	case !shown:
		fmt.Fprintf(w, "%s: not decided\n", r.title)
	}
}

// everyNumber says so if all proofs are for every number of threads.
func everyNumber(all []comus.PropertyResult) string {
	for _, p := range all {
		if c := p.Result.Certificate; c == nil || !c.Program.Parametric {
			return ""
		}
	}
	return ", for every number of threads"
}

// verdicts prints a row for each property, unless assertions are all that was asked about.
func (r *report) verdicts(row func(name, format string, args ...any)) {
	all := r.properties()
	if len(all) == 1 && all[0].Name == specialise.Assert {
		if all[0].Verdict == seqmc.Unknown {
			r.open(all[0].Result, row)
		}
		return
	}
	for _, p := range all {
		how := ""
		switch of := p.Result; {
		case p.Verdict == seqmc.Unknown:
			how = oneLine(p.Reason)
			if l := leftOf(p.Result); l != "" && !strings.HasSuffix(how, l) {
				how += "; " + l
			}
		case r.checked != "" && !r.refuted():
			how = "confirmed"
		case p.Verdict == seqmc.Unsafe:
			how = fmt.Sprintf("%s, %s: %s: %s", of.Engine, seconds(of.Elapsed), of.Trace.Error.Pos, execution.ErrorText(of.Trace.Error))
		default:
			how = fmt.Sprintf("%s, %s", of.Engine, seconds(of.Elapsed))
		}
		row(p.Name, "%-8s %s", p.Verdict, how)
		if p.Verdict == seqmc.Unknown {
			r.open(p.Result, row)
		}
	}
}

// mostOpen is how many locations are told of that a scan leaves open.
const mostOpen = 5

// open names what an analysis leaves open; of races, that which is most likely real first.
func (r *report) open(of *comus.Result, row func(name, format string, args ...any)) {
	if left := of.Left; left != nil {
		for i, x := range left.Open {
			if i == mostOpen {
				row("open", "%d more", len(left.Open)-mostOpen)
				break
			}
			if x.At != "" || !strings.Contains(of.Reason, x.Why) {
				row("open", "%s", x.Line())
			}
		}
	}
	if of.Scan == nil {
		return
	}
	p := scanreport.Of(r.title, nil, of.Scan, func(*scan.Suspect) scanreport.Decision { return scanreport.Decision{} })
	var told []string // of each location the suspect that matters most
	for _, f := range p.Findings {
		if subject := f.Subject(); !slices.Contains(told, subject) {
			if told = append(told, subject); len(told) <= mostOpen {
				row("open", "%s", p.Line(f))
			}
		}
	}
	if more := len(told) - mostOpen; more > 0 {
		row("open", "%d more (comus scan lists all)", more)
	}
}

// leftOf says how much of a program an analysis has proved where there is no verdict, "" if there is none.
func leftOf(of *comus.Result) string {
	if l := of.Left; l != nil && l.All > 0 {
		return fmt.Sprintf("%d of %s proved, %d open", l.Proved, count(l.All, l.What), l.All-l.Proved)
	}
	proved, all := provedOf(of)
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s proved, %d open", proved, count(all, "shared location"), all-proved)
}

// provedOf returns how many of the locations that threads share a scan has proved to be race-free.
func provedOf(of *comus.Result) (proved, all int) {
	if of.Scan == nil {
		return 0, 0
	}
	for _, l := range of.Scan.Locations {
		if all++; l.Certified {
			proved++
		}
	}
	return proved, all
}

// jsonLeft is how many of the locations that threads share are proved.
type jsonLeft struct {
	Proved int `json:"proved"`
	Shared int `json:"shared"`
}

// jsonOpen is what is left of obligations that are no locations.
type jsonOpen struct {
	What   string           `json:"what"`
	Proved int              `json:"proved"`
	All    int              `json:"all"`
	Open   []jsonObligation `json:"open"`
}

type jsonObligation struct {
	At  string `json:"at"`
	Why string `json:"why"`
}

func jsonOpenOf(l *comus.Left) *jsonOpen {
	if l == nil {
		return nil
	}
	out := &jsonOpen{l.What, l.Proved, l.All, []jsonObligation{}}
	for _, x := range l.Open {
		out.Open = append(out.Open, jsonObligation{x.At, x.Why})
	}
	return out
}

// assumptions prints what the verdicts SAFE take for granted: all of them together, or those of some properties.
func (r *report) assumptions(row func(name, format string, args ...any)) {
	if r.res.Verdict == seqmc.Safe || r.res.Verdict == seqmc.Unsafe && r.res.Trace.Program != nil && r.res.Trace.Program.Partial {
		for _, a := range r.res.Assumptions {
			row("assumed", "%s", a)
		}
		for _, a := range r.res.Proved {
			row("proved", "%s", a)
		}
		return
	}
	var order []string
	of := map[string][]string{}
	for _, p := range r.properties() {
		if p.Verdict != seqmc.Safe {
			continue
		}
		for _, a := range p.Result.Assumptions {
			if of[a] == nil {
				order = append(order, a)
			}
			of[a] = append(of[a], p.Name)
		}
	}
	for _, a := range order {
		row("assumed", "%s (for %s)", a, strings.Join(of[a], ", "))
	}
}

// jsonProperty is the verdict on a property.
type jsonProperty struct {
	Name        string        `json:"name"`
	Verdict     string        `json:"verdict"`
	Reason      string        `json:"reason"` // "" unless the verdict is UNKNOWN
	Engine      string        `json:"engine"`
	Seconds     float64       `json:"seconds"`             // of the question that was answered, which may be about several properties
	Assumptions []string      `json:"assumptions"`         // of SAFE, and of UNSAFE by a run of the whole program
	Sanitizer   string        `json:"sanitizer,omitempty"` // what gcc's sanitizer says of such a run
	Findings    []jsonFinding `json:"findings"`            // UNSAFE only
	Tried       []jsonAttempt `json:"tried,omitempty"`     // UNKNOWN only
	Hints       []string      `json:"hints,omitempty"`     // UNKNOWN only: what a person can do
	Proved      *jsonLeft     `json:"proved,omitempty"`    // UNKNOWN only: what a scan has proved of shared locations
	Left        *jsonOpen     `json:"left,omitempty"`      // UNKNOWN only: what an analysis has left of other properties
}

// jsonFinding is an execution that violates a property.
type jsonFinding struct {
	Violation      *jsonViolation `json:"violation"`
	Involved       []jsonInvolved `json:"involved,omitempty"` // of a race or deadlock
	Counterexample []jsonStep     `json:"counterexample"`
}

// jsonInvolved is the part of a thread in a race or deadlock.
type jsonInvolved struct {
	jsonViolation
	Waits bool     `json:"waits"` // it does not access there
	Held  []string `json:"held"`  // locks; of a read-write lock how: "table.lock (read)"; null: not known
}

// jsonInvolvement tells which threads a violation is about.
func jsonInvolvement(tr interp.Trace) (out []jsonInvolved) {
	for _, x := range involved.In(tr) {
		held := append([]string{}, x.Held...)
		if x.HeldUnknown {
			held = nil
		}
		out = append(out, jsonInvolved{*jsonPlace(x.Thread, x.Pos, x.Text, x.Calls, x.Created), x.Waits, held})
	}
	return out
}

// assumedBy returns what UNSAFE takes for granted: what a run of the whole program has read.
func assumedBy(res *comus.Result) []string {
	if res.Trace.Program != nil && res.Trace.Program.Partial {
		return res.Assumptions
	}
	return nil
}

// jsonProperties returns the verdicts on the properties.
func (r *report) jsonProperties() []jsonProperty {
	out := []jsonProperty{}
	for _, p := range r.properties() {
		of := p.Result
		j := jsonProperty{Name: p.Name, Verdict: p.Verdict.String(), Engine: of.Engine, Seconds: rounded(of.Elapsed), Assumptions: []string{}, Findings: []jsonFinding{}}
		switch p.Verdict {
		case seqmc.Safe:
			j.Assumptions = append(j.Assumptions, of.Assumptions...)
		case seqmc.Unsafe:
			j.Assumptions, j.Sanitizer = append(j.Assumptions, assumedBy(of)...), of.Sanitizer
			v, steps := jsonTrace(of.Trace, nil)
			j.Findings = append(j.Findings, jsonFinding{v, jsonInvolvement(of.Trace), steps})
			for _, more := range p.More {
				v, steps := jsonTrace(more.Trace, nil)
				j.Findings = append(j.Findings, jsonFinding{v, jsonInvolvement(more.Trace), steps})
			}
		default:
			j.Reason = oneLine(p.Reason)
			if r.checked == "" {
				j.Tried, j.Hints = jsonTried(of), r.hints(p)
			}
			if proved, all := provedOf(of); all > 0 {
				j.Proved = &jsonLeft{proved, all}
			}
			j.Left = jsonOpenOf(of.Left)
		}
		out = append(out, j)
	}
	return out
}

// foundLine tells of a property that is violated while others are still looked at.
func foundLine(p comus.PropertyResult) string {
	e := p.Result.Trace.Error
	return oneLine(fmt.Sprintf("%s UNSAFE after %s: %s: %s", p.Name, seconds(p.Result.Elapsed), e.Pos, execution.ErrorText(e)))
}

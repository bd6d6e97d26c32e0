package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"comus/comus"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/seqmc"
	"comus/specialise"
)

// report is what a run prints before its verdict.
type report struct {
	title       string // of the program
	file        string // its first file
	res         *comus.Result
	stats       bool
	certificate string   // the file the certificate was written to
	checked     string   // the certificate that was checked, for comus check
	kind        string   // what that is, if it is no certificate
	asked       []string // the properties that are asked about
}

// text prints the report for people.
func (r *report) text(w io.Writer) {
	res := r.res
	r.outcome(w)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	r.verdicts(row)
	row("engine", "%s", res.Engine)
	if r.checked == "" && res.Stats.Checks > 0 {
		row("work", "%s, %s, %s", count(res.Stats.Iterations, "iteration"),
			count(res.Stats.Checks, "sequential check"), count(res.Stats.Refinements, "refinement"))
	}
	r.assumptions(row)
	r.suspicion(row)
	r.evidence(row)
	row("time", "%s", seconds(res.Elapsed))
	if r.stats {
		r.statistics(row)
	}
}

// suspicion names what the suspected violation depends on.
func (r *report) suspicion(row func(name, format string, args ...any)) {
	if s := r.res.Suspected; s != nil {
		for _, a := range s.On {
			row("approximated", "%s", a)
		}
	}
}

// evidence says how the verdict was confirmed.
func (r *report) evidence(row func(name, format string, args ...any)) {
	res := r.res
	switch {
	case res.Verdict == seqmc.Unknown:
		return
	case r.checked != "":
		row(cmp.Or(r.kind, "certificate"), "%s is confirmed%s", r.checked, by(res.CheckSolver))
		return
	case res.Verdict == seqmc.Safe && res.Certificate != nil:
		row("certificate", "re-proved in %s%s", seconds(res.CheckTime), by(res.CheckSolver))
	case res.Verdict == seqmc.Unsafe && len(res.Properties) > 1:
		row("executions", "replayed")
	case res.Verdict == seqmc.Unsafe:
		row("execution", "%s, replayed", count(len(res.Trace.Steps), "step")+" with those not shown")
	}
	if r.certificate != "" {
		row("written to", "%s", r.certificate)
	}
}

// by names the solver of a check, if there is something to name.
func by(solver string) string {
	if solver == "" {
		return ""
	}
	return " by " + solver
}

// count returns "1 step", "2 steps".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// row is a line of a counterexample: steps of one thread in one statement.
type row struct {
	thread  *ir.Thread
	pos     ir.Pos
	text    string
	inputs  []interp.Input
	reads   []string // "x is 0": what a step that changes nothing has read
	changes []interp.Change
	approx  string // the approximation that it is; its values are perhaps not those of the source
}

// rows groups the steps of a trace by statement and leaves out those in which
// there is nothing to see, unless the trace depends on them; nil if it depends on none.
func rows(tr interp.Trace, depends func(*ir.Edge) bool) []row {
	var out []row
	for _, s := range sideBySide(tr) {
		r := row{s.Thread, s.Pos, s.Text, s.Inputs, reads(s), visible(s.Changes), s.Edge.Approx}
		silent := len(r.changes)+len(r.inputs)+len(r.reads) == 0
		if (depends == nil || !depends(s.Edge)) && (silent && (s.Text == "" || strings.HasPrefix(s.Text, "read ")) || isDeclaration(s)) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].precedes(r) {
			before := out[n-1]
			r.inputs = slices.Concat(before.inputs, r.inputs)
			r.changes = slices.Concat(before.changes, r.changes)
			r.reads = slices.Concat(before.reads, r.reads)
			r.approx = cmp.Or(before.approx, r.approx)
			out[n-1] = r
			continue
		}
		out = append(out, r)
	}
	return out
}

// sideBySide returns the steps of a trace; of one that ends in a data race those last that tell of the two accesses. A thread that has told of
// its own, and does nothing more, stands before it until the end.
func sideBySide(tr interp.Trace) []interp.TraceStep {
	n := len(tr.Steps) - 1
	told := slices.IndexFunc(tr.Steps, func(s interp.TraceStep) bool { return s.Edge.Tells != nil })
	if told < 0 || violates(tr) != specialise.Race ||
		slices.ContainsFunc(tr.Steps[told+1:], func(s interp.TraceStep) bool { return s.Thread == tr.Steps[told].Thread }) {
		return tr.Steps
	}
	return slices.Concat(tr.Steps[:told], tr.Steps[told+1:n], tr.Steps[told:told+1], tr.Steps[n:])
}

// precedes reports whether r is the beginning of the statement that next, taken
// directly after it, is the rest of.
func (r row) precedes(next row) bool {
	switch {
	case r.thread != next.thread || r.pos.File != next.pos.File || r.pos.Line != next.pos.Line:
		return false
	case r.pos == next.pos && (r.text == next.text || strings.HasPrefix(next.text, "pthread_")):
		return true
	case len(r.changes) == 0 && (strings.HasPrefix(r.text, "read ") || r.text == "" && r.approx != ""):
		return true
	}
	return r.text != "" && len(r.changes) == 0 && strings.Contains(next.text, r.text)
}

// isDeclaration reports whether a step only starts variables with any value.
func isDeclaration(s interp.TraceStep) bool {
	return len(s.Edge.Cmds) > 0 && !slices.ContainsFunc(s.Edge.Cmds, func(c ir.Cmd) bool { return c.Kind != ir.Havoc || c.Input != "" })
}

// reads returns what a step copies to temporaries: the shared values it has read.
func reads(s interp.TraceStep) []string {
	var out []string
	for _, ch := range s.Changes {
		for _, c := range s.Edge.Cmds {
			if ch.Var.Source != "" || c.Kind != ir.Assign || c.Var != ch.Var || isLocal(c.Expr) {
				continue
			}
			what, isRead := strings.CutPrefix(s.Text, "read ")
			if c.Expr.IsVar() {
				what, isRead = c.Expr.Name(), true
			}
			if !isRead {
				continue
			}
			out = append(out, fmt.Sprintf("%s is %s", what, ch.New))
		}
	}
	return out
}

// isLocal reports whether a term is the value of a thread's own variable: such
// variables are named "t1.name".
func isLocal(t *logic.Term) bool { return t.IsVar() && localName.MatchString(t.Name()) }

var localName = regexp.MustCompile(`^t\d+\.`)

// visible returns the changes of variables that the user knows.
func visible(cs []interp.Change) []interp.Change {
	var out []interp.Change
	for _, c := range cs {
		if c.Var.Source != "" {
			out = append(out, c)
		}
	}
	return out
}

// effects returns what a row did: inputs, then changes.
func (r row) effects() string {
	var parts []string
	for _, in := range r.inputs {
		parts = append(parts, fmt.Sprintf("%s() = %s", in.Name, in.Value))
	}
	for _, c := range r.changes {
		parts = append(parts, fmt.Sprintf("%s: %s -> %s", c.Var.Source, c.Old, c.New))
	}
	if len(parts) == 0 {
		parts = r.reads
	}
	text := strings.Join(parts, ", ")
	if r.approx != "" {
		text = strings.TrimLeft(text+" (approximated)", " ")
	}
	return text
}

// statement returns the text of a row; an approximation without one has its name.
func (r row) statement() string { return cmp.Or(r.text, r.approx) }

// writeTrace prints an execution as a table, with the steps that it depends on (see rows).
func writeTrace(w io.Writer, file string, tr interp.Trace, depends func(*ir.Edge) bool) {
	table := [][]string{{"step", "thread", "line", "statement", "effect"}}
	for i, r := range rows(tr, depends) {
		table = append(table, []string{fmt.Sprint(i + 1), threadName(r.thread), place(r.pos, file), r.statement(), r.effects()})
	}
	width := make([]int, len(table[0]))
	for _, line := range table {
		for i, cell := range line {
			width[i] = max(width[i], min(utf8.RuneCountInString(cell), maxCell))
		}
	}
	for _, line := range table {
		var b strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(cell)))
			if i == 0 || i == 2 { // numbers
				cell, pad = pad+cell, ""
			}
			b.WriteString("  " + cell + pad)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	if tr.Error != nil {
		fmt.Fprintf(w, "\n  %s: %s in thread %s\n", tr.Error.Pos, errorText(tr.Error), threadName(tr.Error.Thread))
		parts := comus.InvolvedIn(tr)
		for _, x := range parts {
			fmt.Fprintf(w, "  %s\n", involvement(x))
			writeCalls(w, x.Thread, x.Calls, x.Created)
		}
		if parts == nil {
			calls, created := tr.Error.Frame.Stack(tr.Error.Pos)
			writeCalls(w, tr.Error.Thread, calls, created)
		}
	}
}

// involvement says what part a thread has in a race or deadlock.
func involvement(x comus.Involved) string {
	does, held := "accesses", "no lock"
	if x.Waits {
		does = "waits in"
	}
	if len(x.Held) > 0 {
		held = strings.Join(x.Held, ", ")
	}
	return fmt.Sprintf("%s: thread %s %s %s, holding %s", x.Pos, threadName(x.Thread), does, x.Text, held)
}

// maxCell bounds the width of a column, not the text in it.
const maxCell = 40

// errorText says what an error location stands for, as something that happens.
func errorText(l *ir.Loc) string {
	switch {
	case l.Text == "":
		return "an assertion fails"
	case l.Text == "ERROR":
		return "the label ERROR is reached"
	case strings.HasPrefix(l.Text, "assert(") || strings.HasPrefix(l.Text, "__VERIFIER_assert("):
		return l.Text + " fails"
	case l.Check == specialise.Race, l.Check == specialise.Deadlock:
		return l.Text
	case strings.HasSuffix(l.Text, ")") && !strings.Contains(l.Text, " in "):
		return l.Text + " is reached"
	}
	return l.Text
}

// threadName tells a thread by its number and function.
func threadName(t *ir.Thread) string { return fmt.Sprintf("%d %s", t.Index, t.Name) }

// place returns the line, with the file's name if it is another one.
func place(p ir.Pos, file string) string {
	switch {
	case p.Line == 0:
		return ""
	case p.File == file || p.File == "":
		return fmt.Sprint(p.Line)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// isRejection reports whether an error of comus.Check says that the certificate
// does not hold, rather than that the program cannot be read or comus failed.
func isRejection(err error) bool {
	var unread *os.PathError
	var limit *specialise.Error
	return err != nil && !isInput(err) && !errors.As(err, &limit) && !errors.As(err, &unread)
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"comus/comus"
	"comus/comus/involved"
	"comus/ir"
	"comus/ir/interp"
	"comus/report/annotate"
	"comus/report/execution"
	"comus/seqmc"
	"comus/specialise"
)

// report is what a run prints before its verdict.
type report struct {
	title       string // of the program
	file        string // its first file
	res         *comus.Result
	stats       bool
	verbose     bool     // with the steps of what is suspected
	certificate string   // the file the certificate was written to
	page        string   // the file that --html was written to
	checked     string   // the certificate that was checked, for comus check
	kind        string   // what that is, if it is no certificate
	claims      string   // the verdict that it is for, if it is a witness
	asked       []string // the properties that are asked about
	found       []annotate.Finding
}

// text prints the report for people.
func (r *report) text(w io.Writer) {
	res := r.res
	r.outcome(w)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	r.verdicts(row)
	r.tried(row)
	row("engine", "%s", res.Engine)
	if r.checked == "" && res.Stats.Checks > 0 {
		row("work", "%s, %s, %s", count(res.Stats.Iterations, "iteration"),
			count(res.Stats.Checks, "sequential check"), count(res.Stats.Refinements, "refinement"))
	}
	r.assumptions(row)
	r.suspicion(row)
	r.evidence(row)
	if r.page != "" {
		row("page", "%s", r.page)
	}
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
	case r.refuted():
		row(r.kind, "%s is refuted: it says that the program is %s", r.checked, r.claims)
		return
	case r.checked != "":
		row(cmp.Or(r.kind, "certificate"), "%s is confirmed%s", r.checked, by(res.CheckSolver))
		return
	case res.Verdict == seqmc.Safe && res.Certificate != nil:
		row("certificate", "re-proved in %s%s", seconds(res.CheckTime), by(res.CheckSolver))
	case res.Verdict == seqmc.Unsafe && len(res.Properties) > 1:
		row("executions", "replayed")
	case res.Verdict == seqmc.Unsafe && res.Trace.Program.Partial:
		row("execution", "a run of the whole program, replayed")
		if res.Sanitizer != "" {
			row("sanitizer", "%s", res.Sanitizer)
		}
	case res.Verdict == seqmc.Unsafe:
		row("execution", "%s, replayed", count(len(res.Trace.Steps), "step")+" with those not shown")
	}
	if r.certificate != "" {
		row("written to", "%s", r.certificate)
	}
}

// refuted reports whether a witness was checked that says something else than what turned out.
func (r *report) refuted() bool { return r.claims != "" && r.claims != r.res.Verdict.String() }

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
	if strings.HasSuffix(what, "s") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// writeTrace prints what is wrong in an execution, and the execution as a table, with the steps that it depends on (see rows): all of them, or those at its ends.
func writeTrace(w io.Writer, file string, tr interp.Trace, depends func(*ir.Edge) bool, all bool) {
	x := execution.New(tr, depends)
	writeError(w, x)
	table := [][]string{{"step", "thread", "line", "statement", "effect"}}
	for i, r := range x.Rows {
		if !all && len(x.Rows) > mostRows && i >= firstRows && i < len(x.Rows)-mostRows+firstRows {
			if i == firstRows {
				table = append(table, []string{"", "", "", fmt.Sprintf("... (%d steps; --verbose and --html show them)", len(x.Rows)-mostRows), ""})
			}
			continue
		}
		table = append(table, []string{fmt.Sprint(i + 1), threadName(r.Thread), place(r.Pos, file), r.Statement(), x.Effects(i)})
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
}

// writeMemory says what of the execution is not sequentially consistent.
func writeMemory(w io.Writer, res *comus.Result) {
	lines := execution.MemoryOrders(res.Certificate)
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  because of weak memory orders, threads see writes late, or in different orders:\n")
	for _, l := range lines {
		fmt.Fprintf(w, "    %s\n", l)
	}
}

// mostRows is how many steps of an execution are shown, firstRows of them from its beginning.
const mostRows, firstRows = 40, 12

// writeError says what is wrong: where the execution ends, what the threads do that have a part in it, and the values that it hangs on.
func writeError(w io.Writer, x *execution.Execution) {
	tr := x.Trace
	if tr.Error == nil {
		return
	}
	fmt.Fprintf(w, "  %s: %s in thread %s\n", tr.Error.Pos, execution.ErrorText(tr.Error), threadName(tr.Error.Thread))
	parts := involved.In(tr)
	if parts == nil || execution.Property(tr) == specialise.Deadlock {
		writeSeen(w, x)
	}
	for _, p := range parts {
		fmt.Fprintf(w, "  %s\n", involvement(x, p))
		writeCalls(w, p.Thread, p.Calls, p.Created)
		switch by := x.Awaited(p.Thread); {
		case !p.Waits || by == nil:
		case by == p.Thread:
			fmt.Fprintln(w, "      for what it holds itself")
		default:
			fmt.Fprintf(w, "      for what thread %s holds\n", threadName(by))
		}
	}
	for _, p := range involved.EndedHolding(tr) {
		fmt.Fprintf(w, "  %s: thread %s has ended, holding %s\n", p.Pos, threadName(p.Thread), strings.Join(p.Held, ", "))
	}
	if parts == nil {
		calls, created := tr.Error.Frame.Stack(tr.Error.Pos)
		writeCalls(w, tr.Error.Thread, calls, created)
		if s := x.Freed(); s != nil {
			fmt.Fprintf(w, "  %s: thread %s has freed it in %s\n", s.Pos, threadName(s.Thread), s.Text)
			if p := s.Edge.Tells; p != nil {
				calls, created := p.In.Stack(p.Pos)
				writeCalls(w, s.Thread, calls, created)
			}
		}
	}
	fmt.Fprintln(w)
}

// writeSeen tells what the last statement has read, and who has written that.
func writeSeen(w io.Writer, x *execution.Execution) {
	for _, v := range x.Seen() {
		by := x.Writer(v)
		if by != "" {
			by = ", " + by
		}
		fmt.Fprintf(w, "      %s is %s%s\n", v.Name, v.Value, by)
	}
}

// involvement says what part a thread has in a race or deadlock.
func involvement(of *execution.Execution, x involved.Thread) string {
	does, held := "accesses", "no lock"
	if x.Waits {
		does = "waits in"
	}
	if len(x.Held) > 0 {
		held = strings.Join(x.Held, ", ")
	}
	text := x.Text
	if values := of.Accessed(x.Thread); values != "" && !x.Waits {
		text += " (" + values + ")"
	}
	if x.HeldUnknown {
		return fmt.Sprintf("%s: thread %s %s %s", x.Pos, threadName(x.Thread), does, text)
	}
	return fmt.Sprintf("%s: thread %s %s %s, holding %s", x.Pos, threadName(x.Thread), does, text, held)
}

// maxCell bounds the width of a column, not the text in it.
const maxCell = 40

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

package scanreport

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"comus/report/annotate"
	"comus/scan"
	"comus/specialise"
)

// Headline says in a few words what a finding is.
func (f *Finding) Headline() string {
	switch {
	case f.Property == specialise.Assert && f.Verdict == Confirmed:
		return "assertion fails: " + f.Names[0]
	case f.Property == specialise.Deadlock && f.Verdict == Confirmed:
		return "deadlock of " + strings.Join(f.Names, " and ")
	case f.Property == specialise.Deadlock:
		return "possible deadlock of " + strings.Join(f.Names, " and ")
	case f.Property == specialise.Assert:
		return "assertion not proved: " + f.Names[0]
	case f.Property == Signal:
		return "a signal may come during an access of " + f.Subject()
	}
	if f.Verdict == Confirmed {
		return "race on " + f.Subject()
	}
	return "possible race on " + f.Subject()
}

// why says why it could not be excluded, and what would help.
func (f *Finding) why() string {
	why := f.Reason
	if why == "" {
		why = "comus knows nothing that excludes it"
	}
	if f.Help != "" {
		why += " (hint: " + f.Help + ")"
	}
	return why
}

// String returns "file:line:col".
func (p Place) String() string {
	if p.Line == 0 {
		return "?"
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// from returns the place as somebody says it who is at another one.
func (p Place) from(at Place) string {
	switch {
	case p == at && p.Line > 0:
		return "the same place"
	case p.File == at.File && p.Line > 0:
		return fmt.Sprintf("line %d", p.Line)
	}
	return p.String()
}

// does says what a thread does in an access.
func (p *Program) does(a Access) string {
	held := "no lock"
	if len(a.Locks) > 0 {
		held = strings.Join(a.Locks, ", ")
	}
	return fmt.Sprintf("thread %s %s %s, holding %s", p.thread(a), a.Verb(), a.Text, held)
}

// Line tells a finding in one line.
func (p *Program) Line(f *Finding) string {
	state := ""
	switch f.State {
	case Known:
		state = " [known]"
	case Suppressed:
		state = " [suppressed: " + f.Justification + "]"
	case Excluded:
		state = " [impossible]"
	}
	says := ""
	if f.Says != "" {
		says = " [" + f.Says + "]"
	}
	if f.Property == specialise.Assert {
		return annotate.OneLine(fmt.Sprintf("%s: %s: %s%s%s", f.A.Place, f.Headline(), f.why(), says, state))
	}
	if f.Property == Signal {
		handler := "the handler"
		if f.A.Function != "" {
			handler += ", in " + f.A.Function + ","
		}
		return annotate.OneLine(fmt.Sprintf("%s: %s: %s %s %s; at %s thread %s %s %s: %s%s", f.A.Place, f.Headline(), handler, f.A.Verb(), f.A.Text, f.B.from(f.A.Place), p.thread(f.B), f.B.Verb(), f.B.Text, f.why(), state))
	}
	return annotate.OneLine(fmt.Sprintf("%s: %s: %s; at %s %s: %s%s%s", f.A.Place, f.Headline(), p.does(f.A), f.B.from(f.A.Place), p.does(f.B), f.why(), says, state))
}

// Text writes the report for people: of each location the suspect that matters most, at most limit lines of a program (0: any number); if all is
// set, every suspect, those that are known, suppressed and impossible, too. Then a table of the programs, what all rests on and what else should be
// known. It has no last line: see [Report.Conclusion].
func (s *Report) Text(w io.Writer, limit int, all bool) error {
	var b strings.Builder
	for _, p := range s.Programs {
		lines := p.lines(all)
		shown := lines
		if limit > 0 {
			shown = lines[:min(limit, len(lines))]
		}
		for _, l := range shown {
			fmt.Fprintln(&b, l)
		}
		if more := len(lines) - len(shown); more > 0 {
			fmt.Fprintf(&b, "%s: %s (--limit 0 shows all)\n", annotate.OneLine(p.Name), count(more, "more line", "more lines"))
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	if len(s.Programs) > 0 {
		s.table(&b)
		s.phases(&b)
	}
	for _, p := range s.Programs {
		proved := 0
		for _, a := range p.Assertions {
			if a.Proved {
				proved++
			}
		}
		if len(p.Assertions) > 0 {
			fmt.Fprintf(&b, "  asserted %s: %d of %s proved\n", annotate.OneLine(p.Name), proved, count(len(p.Assertions), "assertion", "assertions"))
		}
	}
	for _, a := range s.Assumptions() {
		fmt.Fprintf(&b, "  assumed  %s\n", annotate.OneLine(a))
	}
	for _, n := range s.AllNotes() {
		fmt.Fprintf(&b, "  note     %s\n", annotate.OneLine(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lines returns the lines about findings.
func (p *Program) lines(all bool) []string {
	var out []string
	first := map[string]int{} // of a location: the index of its line
	more := map[int]int{}
	for _, f := range p.Findings {
		if f.State != New && !all {
			continue
		}
		if f.Property == Property || f.Property == Signal {
			location := f.Property + " " + f.Names[0]
			if at, ok := first[location]; ok && !all {
				more[at]++
				continue
			}
			first[location] = len(out)
		}
		out = append(out, p.Line(f))
	}
	for i := range out {
		if n := more[i]; n > 0 {
			out[i] += fmt.Sprintf(" (and %s there)", count(n, "more pair", "more pairs"))
		}
	}
	return out
}

// AllNotes are all that should be known besides findings.
func (s *Report) AllNotes() []string {
	var out []string
	for _, p := range s.Programs {
		if p.Reason != "" {
			out = append(out, p.Name+": not analysed to its end: "+p.Reason)
		}
		if p.Unchecked != "" {
			out = append(out, p.Name+": nothing is certified: "+p.Unchecked)
		}
	}
	for _, p := range s.Programs {
		out = append(out, p.unlisted()...)
	}
	for _, f := range s.Unused {
		out = append(out, f+": not analysed, because no program needs this file")
	}
	return append(out, s.Notes...)
}

// unlisted says of which locations not all suspects are listed; of many in one line.
func (p *Program) unlisted() []string {
	const most = 3
	var out, names []string
	for _, l := range p.Locations {
		if l.More {
			out = append(out, fmt.Sprintf("%s: %s: there are more suspects than these %d; the others are not listed, and count as new", p.Name, l.Name, l.Suspects))
			names = append(names, l.Name)
		}
	}
	if len(out) <= most {
		return out
	}
	return []string{fmt.Sprintf("%s: not all suspects of %d locations are listed; the others count as new: %s, …", p.Name, len(out), strings.Join(names[:most], ", "))}
}

// Notifications are what a log of SARIF says of programs.
func (s *Report) Notifications() []annotate.Verdict {
	out := []annotate.Verdict{{Property: Property, Decided: s.Unfinished() == 0 && len(s.Failed) == 0, Text: "scan: " + s.Conclusion()}}
	for _, n := range s.AllNotes() {
		out = append(out, annotate.Verdict{Decided: true, Text: n})
	}
	for _, f := range s.Failed {
		out = append(out, annotate.Verdict{Text: f})
	}
	return out
}

// table writes a row for each program, and their sum.
func (s *Report) table(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "lines\tthreads\tshared\tonly read\tatomic\tlocked\tordered\town\tsuspected\tsuspects\tseconds\t  program")
	var sum [11]int
	var took time.Duration
	row := func(cells [11]int, took time.Duration, name string) {
		for _, c := range cells[:10] {
			fmt.Fprintf(t, "%d\t", c)
		}
		fmt.Fprintf(t, "%.2f\t  %s\n", took.Seconds(), name)
	}
	for _, p := range s.Programs {
		if p.Reason != "" {
			fmt.Fprintf(t, "%d\t\t\t\t\t\t\t\t\t\t\t  %s (not analysed to its end)\n", p.Lines, annotate.OneLine(p.Name))
			continue
		}
		cells := p.cells()
		row(cells, p.Took(), annotate.OneLine(p.Name))
		for i, c := range cells {
			sum[i] += c
		}
		took += p.Took()
	}
	if len(s.Programs)-s.Unfinished() > 1 {
		row(sum, took, "all")
	}
	_ = t.Flush() // to memory
}

// cells are the figures of a program in the table's order.
func (p *Program) cells() [11]int {
	_, by := p.RaceFree()
	return [11]int{p.Lines, len(p.Threads), len(p.Locations), by[scan.ReadOnly], by[scan.Atomic], by[scan.Locked], by[scan.Ordered], by[scan.ThreadLocal], by[scan.Suspected], p.Suspects()}
}

// Suspects counts the findings that are not impossible.
func (p *Program) Suspects() int {
	n := 0
	for _, f := range p.Findings {
		if f.State != Excluded {
			n++
		}
	}
	return n
}

// Took is the time of all phases.
func (p *Program) Took() time.Duration {
	var sum time.Duration
	for _, ph := range p.Phases {
		sum += ph.Took
	}
	return sum
}

// phases writes what each phase took, of all programs together.
func (s *Report) phases(b *strings.Builder) {
	var names []string
	took := map[string]time.Duration{}
	for _, p := range s.Programs {
		for _, ph := range p.Phases {
			if _, ok := took[ph.Name]; !ok {
				names = append(names, ph.Name)
			}
			took[ph.Name] += ph.Took
		}
	}
	var parts []string
	for _, n := range names {
		parts = append(parts, fmt.Sprintf("%s %.2f s", n, took[n].Seconds()))
	}
	fmt.Fprintln(b)
	if parts != nil {
		fmt.Fprintf(b, "  time     %s\n", strings.Join(parts, ", "))
	}
}

// Conclusion is the last line of a report. It never says more than the analysis knows.
func (s *Report) Conclusion() string {
	n := s.Count()
	in := " in " + count(len(s.Programs), "program", "programs")
	suspects := n[New] + n[Known] + n[Suppressed]
	text := "no suspects" + in
	if suspects > 0 {
		text = count(suspects, "suspect", "suspects") + in
		var parts []string
		for _, st := range []State{New, Known, Suppressed} {
			if n[st] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n[st], st))
			}
		}
		if n[Known]+n[Suppressed] > 0 || s.Compared {
			text += " (" + strings.Join(parts, ", ") + ")"
		}
	}
	if certified, of := s.Certified(); of > 0 {
		text += fmt.Sprintf(", %d of %d locations certified", certified, of)
	} else {
		text += ", not certified"
	}
	if c := s.confirmed(); c > 0 {
		text += fmt.Sprintf("; %d confirmed", c)
	}
	if u := s.Unlisted(); u > 0 {
		text += "; more than are listed at " + count(u, "location", "locations")
	}
	if u := s.Unfinished(); u > 0 {
		text += "; " + count(u, "program", "programs") + " not analysed to the end"
	}
	if f := len(s.Failed); f > 0 {
		text += "; " + count(f, "file", "files") + " not read"
	}
	return text
}

// Certified counts the locations whose claims were verified, of those of programs whose claims anybody looked at.
func (s *Report) Certified() (certified, of int) {
	for _, p := range s.Programs {
		for _, l := range p.Locations {
			if p.Checked {
				of++
			}
			if l.Certified {
				certified++
			}
		}
	}
	return certified, of
}

// confirmed counts findings with an execution.
func (s *Report) confirmed() int {
	n := 0
	for _, p := range s.Programs {
		for _, f := range p.Findings {
			if f.Verdict == Confirmed {
				n++
			}
		}
	}
	return n
}

// count says a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

package html

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"comus/check"
	"comus/comus"
	"comus/comus/involved"
	"comus/ir"
	"comus/ir/interp"
	"comus/report/execution"
	"comus/seqmc"
)

// Verification is the result of a verification, as a page shows it.
type Verification struct {
	Title      string // of the program
	Result     *comus.Result
	Properties []Property
	Evidence   []string // how the verdict was confirmed, in sentences
	// Left is, of what is not decided, what is open, what was tried, and what a person can do.
	Left []Left
	// Proofs has the program that each certificate of SAFE speaks about; one that is not there is shown without its formulas.
	Proofs  map[*check.Certificate]*ir.Program
	Version string // of comus
	Created time.Time
}

// Left is a line of that: its name ("open", "tried", "hint") and its text.
type Left struct{ Name, Text string }

// Property is the verdict on a property.
type Property struct {
	Name    string
	Verdict seqmc.Verdict
	Says    string // "a data race is possible"
	How     string // which engine, and how long it took; of Unknown: why
	// Result has the execution or the certificate.
	Result   *comus.Result
	Findings []Finding
}

// Finding is an execution that violates a property, or is suspected to.
type Finding struct {
	Trace   interp.Trace
	Depends func(*ir.Edge) bool // the approximations that a suspected one depends on; nil otherwise
}

// view is what the template shows of a verification.
type view struct {
	Verdict, Reason string
	Properties      []propertyView
	Findings        []findingView
	Proofs          []*proof
	Files           []file
	Facts           []fact
	Engines         []engineView
}

// fact is a line of what is said about the verdict.
type fact struct{ Name, Text string }

type propertyView struct{ Name, Verdict, Says, How string }

type engineView struct {
	Name, Outcome               string
	Begin, Seconds, CPU, Memory string
}

// findingView is a finding before it can be gone through.
type findingView struct {
	Index               int
	Head, Text, Explain string
	Suspected           bool
	Parts               []part
	Steps               []stepView
	Left                int // steps that are left out in the middle
}

// part is what one thread has to do with a finding.
type part struct {
	Thread           int
	Name             string
	Does             string // "accesses"
	Text             string
	Place, Path      string
	File, Line       int
	Held             []string
	For              string // what it waits for
	Values           []fact // of what the violated condition is about
	Calls, Created   []string
	Snippet          []line
	ShowHeld, Access bool
}

// stepView is a row of the table of steps.
type stepView struct {
	Number, Thread                  int
	Name, Place, Statement, Effects string
}

// maxTable is how many steps the table of steps has at the beginning and at the end of an execution.
const maxTable = 500

// viewer makes the view.
type viewer struct {
	v    *Verification
	src  *sources
	runs []*run
	at   map[string]map[int]map[int]bool
	out  view
	here map[string]map[int][]invariant
}

// Write writes the page.
func (v *Verification) Write(w io.Writer) error {
	m := &viewer{v: v, src: newSources(), at: map[string]map[int]map[int]bool{}, here: map[string]map[int][]invariant{}}
	m.out.Verdict, m.out.Reason = v.Result.Verdict.String(), v.Result.Reason
	for _, p := range v.Properties {
		m.out.Properties = append(m.out.Properties, propertyView{p.Name, p.Verdict.String(), p.Says, p.How})
		for _, f := range p.Findings {
			m.finding(p, f)
		}
		m.proof(p)
	}
	m.facts()
	m.engines()
	m.out.Files = m.src.files(func(name string, n int) []int { return sorted(m.at[name][n]) },
		func(name string, n int) int { return len(m.here[name][n]) })
	data := struct {
		Runs       []*run                 `json:"runs"`
		Files      []string               `json:"files"`
		Invariants map[string][]invariant `json:"invariants"` // by "FILE:LINE", the file by its index
	}{m.runs, m.src.names, map[string][]invariant{}}
	for name, byLine := range m.here {
		for n, list := range byLine {
			data.Invariants[fmt.Sprintf("%d:%d", m.src.index[name], n)] = list
		}
	}
	p := page{Title: v.Title + ": " + m.out.Verdict, Kind: "verification", Data: data, Version: v.Version,
		Created: v.Created.UTC().Format("2006-01-02 15:04 UTC"),
		Body: struct {
			view
			Title string
		}{m.out, v.Title}}
	return p.write(w)
}

// facts says what was assumed, proved and approximated, and how the verdict was confirmed.
func (m *viewer) facts() {
	res := m.v.Result
	add := func(name string, texts ...string) {
		for _, t := range texts {
			m.out.Facts = append(m.out.Facts, fact{name, t})
		}
	}
	for _, l := range m.v.Left {
		add(l.Name, l.Text)
	}
	add("memory orders", execution.MemoryOrders(res.Certificate)...)
	add("confirmed", m.v.Evidence...)
	if res.Verdict == seqmc.Safe {
		add("assumed", res.Assumptions...)
		add("proved", res.Proved...)
	} else {
		for _, p := range m.v.Properties {
			if p.Verdict == seqmc.Safe {
				for _, a := range p.Result.Assumptions {
					add("assumed", a+" (for "+p.Name+")")
				}
			}
		}
	}
	for _, a := range res.Approximations {
		add("approximated", a.String())
	}
	add("warning", res.Warnings...)
	for _, p := range m.v.Properties {
		if c := p.Result.Certificate; c != nil && c.Program.SHA256 != "" {
			add("source", fmt.Sprintf("%s, SHA-256 %s, read as %s with atomic %ss", c.Program.File, c.Program.SHA256, c.Program.DataModel, c.Program.Atomic))
			break
		}
	}
}

// engines tells which engines ran beside one another.
func (m *viewer) engines() {
	p := m.v.Result.Portfolio
	if p == nil {
		return
	}
	seconds := func(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
	for _, c := range p.Contestants {
		m.out.Engines = append(m.out.Engines, engineView{c.Engine, c.Outcome, seconds(c.Begin), seconds(c.End - c.Begin), seconds(c.CPU), fmt.Sprintf("%d MB", c.MemoryBytes/1e6)})
	}
}

// finding adds an execution.
func (m *viewer) finding(p Property, f Finding) {
	if f.Trace.Program == nil || f.Trace.Error == nil {
		return
	}
	x := execution.New(f.Trace, f.Depends)
	m.runs = append(m.runs, newRun(x, m.src, m.at))
	out := findingView{Index: len(m.out.Findings), Text: execution.ErrorText(x.Error), Suspected: f.Depends != nil}
	waits := map[*ir.Thread]string{}
	for _, ms := range x.Moves {
		for _, mv := range ms {
			waits[mv.Thread] = ""
			if mv.Status == execution.Waits {
				waits[mv.Thread] = mv.For
			}
		}
	}
	parts := involved.In(f.Trace)
	for _, i := range parts {
		t := part{Thread: i.Thread.Index, Name: threadName(i.Thread), Does: "accesses", Text: i.Text, Held: i.Held, ShowHeld: !i.HeldUnknown, Access: !i.Waits}
		if i.Waits {
			t.Does, t.For = "waits in", waits[i.Thread]
			if i.Thread == x.Error.Thread {
				t.Values = valuesAt(x)
			}
		} else if values := x.Accessed(i.Thread); values != "" {
			t.Values = []fact{{"values", values}}
		}
		m.placed(&t, i.Pos, i.Calls, i.Created)
		out.Parts = append(out.Parts, t)
	}
	if parts == nil {
		l := x.Error
		t := part{Thread: l.Thread.Index, Name: threadName(l.Thread), Does: "gets here", Values: valuesAt(x)}
		calls, created := l.Frame.Stack(l.Pos)
		m.placed(&t, l.Pos, calls, created)
		out.Parts = append(out.Parts, t)
		if s := x.Freed(); s != nil {
			t := part{Thread: s.Thread.Index, Name: threadName(s.Thread), Does: "has freed the memory in", Text: s.Text}
			if p := s.Edge.Tells; p != nil {
				calls, created = p.In.Stack(p.Pos)
			} else {
				calls, created = nil, nil
			}
			m.placed(&t, s.Pos, calls, created)
			out.Parts = append(out.Parts, t)
		}
	}
	out.Head, out.Explain = headOf(out), explain(x, parts, involved.EndedHolding(f.Trace))
	m.steps(x, &out)
	m.out.Findings = append(m.out.Findings, out)
}

// valuesAt returns what the last statement has read, which is the condition that does not hold, and who has written it.
func valuesAt(x *execution.Execution) (out []fact) {
	for _, v := range x.Seen() {
		text := v.Value
		if by := x.Writer(v); by != "" {
			text += ", " + by
		}
		out = append(out, fact{v.Name, text})
	}
	return out
}

// placed adds where a thread is, and the calls that led there.
func (m *viewer) placed(t *part, at ir.Pos, calls, created []ir.At) {
	t.File, t.Line, t.Path, t.Place = m.src.add(at), at.Line, at.File, at.String()
	if t.File >= 0 {
		t.Snippet = m.src.snippet(at, 2, 1)
	}
	if len(calls) > 1 || len(created) > 1 { // else the thread's function says it
		for _, c := range calls {
			t.Calls = append(t.Calls, callText(c))
		}
	}
	for _, c := range created {
		t.Created = append(t.Created, callText(c))
	}
}

func callText(a ir.At) string {
	if a.Pos.Line == 0 {
		return a.Func
	}
	return fmt.Sprintf("%s at %s", a.Func, a.Pos)
}

// headOf says what is found, for those who read nothing else.
func headOf(f findingView) string {
	switch {
	case len(f.Parts) == 2 && f.Parts[0].Access:
		return fmt.Sprintf("Data race: %s against %s", locationText(f.Parts, 0), locationText(f.Parts, 1))
	case f.Parts[0].For != "":
		return fmt.Sprintf("Deadlock of %d threads", len(f.Parts))
	}
	return f.Text
}

// locationText is where a part of a finding is, with the file if the parts are in several.
func locationText(parts []part, i int) string {
	if parts[0].File == parts[1].File {
		return fmt.Sprintf("line %d", parts[i].Line)
	}
	return fmt.Sprintf("%s:%d", parts[i].Path, parts[i].Line)
}

// explain says in a sentence why the threads that are involved violate the property.
func explain(x *execution.Execution, parts []involved.Thread, ended []involved.Ended) string {
	switch {
	case len(parts) == 0:
		return ""
	case len(ended) > 0:
		var all []string
		for _, x := range ended {
			all = append(all, fmt.Sprintf("Thread %s has ended and still holds %s, which nobody gives back.", threadName(x.Thread), strings.Join(x.Held, ", ")))
		}
		return strings.Join(all, " ")
	case parts[0].Waits:
		if i := slices.IndexFunc(parts, func(p involved.Thread) bool { return x.Awaited(p.Thread) == p.Thread }); i >= 0 {
			return fmt.Sprintf("Thread %s waits for something that it holds itself, so it never goes on. Threads that wait for it never go on either.", threadName(parts[i].Thread))
		}
		return "Each of these threads waits for something that only another one of them could give. So none of them ever goes on."
	}
	if lock := common(parts); lock != "" {
		return fmt.Sprintf("Both threads are about to make these accesses to the same memory. Both hold %s, but nothing orders the two accesses.", lock)
	}
	return "Both threads are about to make these accesses to the same memory, at least one of them writes, they hold no lock in common, and nothing else orders the two."
}

// common returns a lock that two threads hold, without how they hold it.
func common(parts []involved.Thread) string {
	bare := func(lock string) string { name, _, _ := strings.Cut(lock, " ("); return name }
	if len(parts) != 2 {
		return ""
	}
	for _, l := range parts[0].Held {
		if slices.ContainsFunc(parts[1].Held, func(m string) bool { return bare(m) == bare(l) }) {
			return bare(l)
		}
	}
	return ""
}

// steps adds the table of steps.
func (m *viewer) steps(x *execution.Execution, out *findingView) {
	for i, r := range x.Rows {
		if i >= maxTable && i < len(x.Rows)-maxTable {
			out.Left++
			continue
		}
		place := ""
		if r.Pos.Line > 0 {
			place = fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line)
		}
		out.Steps = append(out.Steps, stepView{i + 1, r.Thread.Index, threadName(r.Thread), place, r.Statement(), x.Effects(i)})
	}
}

// Package scanreport is what people are shown of a scan of programs, whatever the form: rows of threads, locations and findings, in an order
// that is best to read, as text, JSON, a baseline or findings of package annotate; package report/html makes a page of it.
//
// A scan's suspects become findings: the suspects of a program whose accesses are at the same two places are one finding, as a
// person who repairs it takes them for one, whichever threads come there and whichever members of a struct are copied there. So do assertions that are not proved,
// if anybody asked about them: those at a place are one; and lock orders that may end in a deadlock.
// Each finding has a [Verdict], what is known of it beyond the analysis, and a [State], whether anybody has to care: it is new, or was known before
// (a [Baseline]), or a comment in the source suppresses it with a reason (package suppress), or it has been proved impossible.
//
// Nothing here is SAFE or UNSAFE: an analysis that has not been checked suspects, or does not.
package scanreport

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"comus/cir"
	"comus/scan"
	"comus/specialise"
)

// Property is what a scan is about in any case, by the name of --check.
const Property = specialise.Race

// Report is a scan of programs.
type Report struct {
	Programs []*Program
	// Failed are files that cannot be read, each a line that says why, and Unused those that are part of no program.
	Failed, Unused []string
	// Notes are sentences on choices that were made, and on comments and baselines that are out of date.
	Notes []string
	// Compared tells that there was a baseline.
	Compared bool
	// Asserted, Signals and Ordered tell that assertions, handlers of signals, and lock orders, were asked about, too.
	Asserted, Signals, Ordered bool
	// Briefly tells that suspects were decided for a short time only: a baseline has those that were proved impossible, too, as the next time may not be enough for that.
	Briefly bool
	// Took is the time from beginning to end, of programs side by side.
	Took time.Duration
}

// Program is what is known of a program.
type Program struct {
	Name  string // of the file with its entry
	Files []string
	Lines int // of Files
	// Reason says why it was not analysed to its end; "" if it was.
	Reason    string
	Threads   []Thread
	Locations []Location
	Findings  []*Finding // what matters most first
	// Assertions are those of the program, if they were asked about.
	Assertions []Assertion
	// Assumptions are the sentences that it rests on.
	Assumptions     []string
	Phases          []scan.Phase
	Funcs, Accesses int
	// Checked tells that the claims about locations were verified, as far as they could be.
	Checked bool
	// Unchecked says why they could not be.
	Unchecked string
}

// Place is one in a source file; a Line of 0: there is none.
type Place struct {
	File      string
	Line, Col int
}

// Thread is an identity of threads.
type Thread struct {
	Name   string
	Place      // where it is created; of the first its function's
	Parent int // the index of the one that creates it; -1 for the first
	Many   bool
}

// Location is a piece of memory that several threads may access.
type Location struct {
	Name, Object, Type string
	Place              // of the declaration or allocation
	Why                scan.Why
	Locks              []string
	Threads            []int // that access it, by index
	Accesses, Suspects int
	More               bool // there may be more suspects than are listed
	Hidden             bool
	Certified          bool // what is claimed was verified
}

// Assertion is one of the program. If it is not proved, there is a finding, too.
type Assertion struct {
	Place
	Text   string // what is asserted
	Proved bool
	Reason string // why that is not known
}

// Access is one of the two of a finding.
type Access struct {
	Place
	// Stmt is the line where the statement begins.
	Stmt        int
	Text        string // the expression
	Function    string
	Thread      int  // by index
	Read, Write bool // or both
	Atomic      bool
	Locks       []string
	Takes       string // the lock that is taken there, of a lock order
	Life        bool   // it is about whether the object still is there
}

// Verdict is what is known of a finding beyond the analysis.
type Verdict uint8

// The verdicts.
const (
	Open       Verdict = iota // nobody knows
	Confirmed                 // an execution has been replayed
	Impossible                // that has been proved
)

var verdicts = [...]string{Open: "open", Confirmed: "confirmed", Impossible: "impossible"}

// String returns the name that reports have.
func (v Verdict) String() string { return verdicts[v] }

// Decision is what is known of a suspect beyond the analysis.
type Decision struct {
	Verdict Verdict
	Says    string // how it was decided, or why it was not; "" if there is nothing to say
}

// State says whether anybody has to care about a finding.
type State uint8

// The states.
const (
	New        State = iota // nobody has said anything of it
	Known                   // it is part of the baseline
	Suppressed              // a comment says why it does not matter
	Excluded                // it has been proved impossible
)

var states = [...]string{New: "new", Known: "known", Suppressed: "suppressed", Excluded: "impossible"}

// String returns the name that reports have.
func (s State) String() string { return states[s] }

// Finding is a pair of places that may race, an assertion that may fail, or a lock order that may end in a deadlock.
type Finding struct {
	Property string // by the name of --check
	// Names are those of the locations, the one of the suspect that is most likely real first; or what is asserted; or locks.
	Names        []string
	A, B         Access // of an assertion, A is where it stands, and there is no B; of a lock order, the first two places where locks are taken
	Reason, Help string // see scan.Suspect
	Rank         int
	Decision
	State State
	// Justification is the reason that a comment gives, if it is suppressed.
	Justification string
	Fingerprint   string
	// Suspects are those of the scan, the one that is most likely real first.
	Suspects []*scan.Suspect
}

// Of returns what is shown of a program that was analysed. decided says what is known of a suspect; nil: nothing of any.
func Of(name string, files []string, r *scan.Result, decided func(*scan.Suspect) Decision) *Program {
	return OfAll(name, files, r, Decided{Suspect: decided})
}

// Decided says what is known of suspects, assertions and lock orders; nil: nothing of any.
type Decided struct {
	Suspect   func(*scan.Suspect) Decision
	Assertion func(*scan.Assertion) Decision
	Deadlock  func(*scan.Deadlock) Decision
}

// OfAll is Of where something may be known of assertions and lock orders, too.
func OfAll(name string, files []string, r *scan.Result, decided Decided) *Program {
	p := &Program{Name: name, Files: files, Lines: Lines(files), Assumptions: r.Assumptions, Phases: r.Phases, Funcs: r.Funcs, Accesses: r.Accesses, Checked: r.Certificate != nil, Unchecked: r.Unchecked}
	index := map[*scan.Thread]int{}
	for i, t := range r.Threads {
		index[t] = i
	}
	for _, t := range r.Threads {
		row := Thread{Name: t.Name, Place: placeOf(t.Site), Parent: -1, Many: t.Many}
		if i, ok := index[t.Parent]; ok && t.Parent != nil {
			row.Parent = i
		}
		if t.Site == nil && t.Func != nil {
			row.Place = Place{t.Func.Pos.File, t.Func.Pos.Line, t.Func.Pos.Col}
		}
		p.Threads = append(p.Threads, row)
	}
	for _, a := range r.Assertions {
		p.Assertions = append(p.Assertions, Assertion{placeOf(a.Site), a.Name, a.Proved, a.Reason})
	}
	slices.SortStableFunc(p.Assertions, func(x, y Assertion) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
	var suspects []*scan.Suspect
	for _, l := range r.Locations {
		p.Locations = append(p.Locations, locationOf(l, index))
		suspects = append(suspects, l.Suspects...)
	}
	p.Findings = append(findings(suspects, index, decided.Suspect), assertions(r.Assertions, decided.Assertion)...)
	p.Findings = append(p.Findings, deadlocks(r.Deadlocks, index, decided.Deadlock)...)
	p.Findings = append(p.Findings, signals(r.Locations, index)...)
	sortFindings(p.Findings)
	return p
}

// assertions returns the findings of assertions that are not proved. Those that say the same at one place are one.
func assertions(list []*scan.Assertion, decided func(*scan.Assertion) Decision) (out []*Finding) {
	type key struct {
		at   Place
		text string
	}
	met := map[key]*Finding{}
	for _, a := range list {
		if a.Proved {
			continue
		}
		k := key{placeOf(a.Site), a.Name}
		f := met[k]
		first := f == nil
		if first {
			f = &Finding{Property: specialise.Assert, Names: []string{a.Name}, A: TextAt(a.Site), Reason: a.Reason}
			if f.A.Thread = -1; a.Func != nil {
				f.A.Function = cmp.Or(a.Func.Source, a.Func.Name)
			}
			met[k] = f
			out = append(out, f)
		}
		var is Decision
		if decided != nil {
			is = decided(a)
		}
		f.Decision = together(f.Decision, is, first)
	}
	return out
}

// deadlocks returns the findings of lock orders.
func deadlocks(list []*scan.Deadlock, index map[*scan.Thread]int, decided func(*scan.Deadlock) Decision) (out []*Finding) {
	for _, d := range list {
		f := &Finding{Property: specialise.Deadlock}
		var all []Access
		for _, s := range d.Steps {
			a := TextAt(s.Site)
			a.Thread, a.Takes, a.Locks = -1, s.Takes, []string{s.Holds}
			if i, ok := index[s.Thread]; ok {
				a.Thread = i
			}
			if s.Func != nil {
				a.Function = cmp.Or(s.Func.Source, s.Func.Name)
			}
			if all = append(all, a); !slices.Contains(f.Names, s.Holds) {
				f.Names = append(f.Names, s.Holds)
			}
		}
		f.A, f.B = all[0], all[min(1, len(all)-1)]
		f.Reason = "no other lock keeps them from that"
		for _, a := range all[min(2, len(all)):] {
			f.Reason += fmt.Sprintf("; then %s at %s", a.Takes, a.Place)
		}
		if decided != nil {
			f.Decision = decided(d)
		}
		out = append(out, f)
	}
	return out
}

// Signal is the property that a finding is about where the handler of a signal may interrupt a thread that accesses the same memory. It is none of --check's.
const Signal = "signal"

// signals returns the findings of what handlers of signals and the threads that they interrupt access.
func signals(locations []*scan.Location, index map[*scan.Thread]int) []*Finding {
	var all []*scan.Suspect
	for _, l := range locations {
		all = append(all, l.Interrupts...)
	}
	list := findings(all, index, nil)
	for _, f := range list {
		f.Property, f.Suspects = Signal, nil
	}
	return list
}

// Places returns the accesses of a finding, or the one place of an assertion.
func (f *Finding) Places() []Access {
	if f.Property == specialise.Assert {
		return []Access{f.A}
	}
	return []Access{f.A, f.B}
}

// Unfinished returns what is shown of a program that was not analysed to its end.
func Unfinished(name string, files []string, reason string) *Program {
	return &Program{Name: name, Files: files, Lines: Lines(files), Reason: cmp.Or(reason, "no reason given")}
}

// locationOf returns the row of a location.
func locationOf(l *scan.Location, index map[*scan.Thread]int) Location {
	out := Location{Name: l.Name, Object: l.Object, Type: l.Type, Place: placeOf(l.Site), Why: l.Why, Locks: l.Locks,
		Accesses: len(l.Accesses), Suspects: len(l.Suspects), More: l.More, Hidden: l.Hidden, Certified: l.Certified}
	seen := map[int]bool{}
	for _, a := range l.Accesses {
		if i, ok := index[a.Thread]; ok && !seen[i] {
			seen[i] = true
			out.Threads = append(out.Threads, i)
		}
	}
	slices.Sort(out.Threads)
	return out
}

// pair are the two places of a suspect, in order.
type pair struct{ a, b Place }

// findings groups suspects.
func findings(suspects []*scan.Suspect, index map[*scan.Thread]int, decided func(*scan.Suspect) Decision) []*Finding {
	groups := map[pair][]*scan.Suspect{}
	var order []pair
	for _, s := range suspects {
		k := pair{placeOf(s.A.Site), placeOf(s.B.Site)}
		if comparePlaces(k.a, k.b) > 0 {
			k.a, k.b = k.b, k.a
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], s)
	}
	var out []*Finding
	for _, k := range order {
		out = append(out, findingOf(groups[k], index, decided))
	}
	return out
}

// findingOf makes a finding of suspects at the same two places. What the threads do there is what they do in any of them.
func findingOf(group []*scan.Suspect, index map[*scan.Thread]int, decided func(*scan.Suspect) Decision) *Finding {
	slices.SortStableFunc(group, func(x, y *scan.Suspect) int { return cmp.Compare(y.Rank, x.Rank) })
	first := group[0]
	f := &Finding{Property: Property, A: accessOf(first.A, index), B: accessOf(first.B, index), Reason: first.Reason, Help: first.Help, Rank: first.Rank, Suspects: group, Decision: Decision{Verdict: Impossible}}
	for i, s := range group {
		if !slices.Contains(f.Names, s.Location.Name) {
			f.Names = append(f.Names, s.Location.Name)
		}
		for _, a := range []*scan.Access{s.A, s.B} {
			for _, to := range []*Access{&f.A, &f.B} {
				if placeOf(a.Site) == to.Place {
					to.Read, to.Write = to.Read || !a.Write, to.Write || a.Write
				}
			}
		}
		var is Decision
		if decided != nil {
			is = decided(s)
		}
		f.Decision = together(f.Decision, is, i == 0)
	}
	life := !slices.ContainsFunc(group, func(s *scan.Suspect) bool { return !s.Location.Life })
	f.A.Life, f.B.Life = life, life
	return f
}

// together returns what is known of suspects, one more among them: one that is confirmed is enough, for impossible all of them have to be.
func together(so, is Decision, first bool) Decision {
	switch {
	case first, so.Verdict != Confirmed && is.Verdict == Confirmed, so.Verdict == Impossible && is.Verdict == Open:
		return is
	}
	return so
}

// sortFindings puts what matters most first.
func sortFindings(all []*Finding) { slices.SortStableFunc(all, Compare) }

// Compare orders findings by how much they matter: new ones first, then those that are confirmed, then by rank, then by where they are.
func Compare(x, y *Finding) int {
	return cmp.Or(cmp.Compare(x.State, y.State), cmp.Compare(weights[x.Verdict], weights[y.Verdict]), cmp.Compare(y.Rank, x.Rank), byPlace(x, y))
}

// weights say how much verdicts matter, less for more.
var weights = [...]int{Confirmed: 0, Open: 1, Impossible: 2}

// byPlace compares findings by where they are.
func byPlace(x, y *Finding) int {
	return cmp.Or(comparePlaces(x.A.Place, y.A.Place), comparePlaces(x.B.Place, y.B.Place), cmp.Compare(x.Names[0], y.Names[0]))
}

// comparePlaces orders places by file, line and column.
func comparePlaces(x, y Place) int {
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
}

// accessOf returns the row of an access.
func accessOf(a *scan.Access, index map[*scan.Thread]int) Access {
	out := TextAt(a.Site)
	out.Thread, out.Read, out.Write, out.Atomic, out.Locks = -1, !a.Write, a.Write, a.Atomic, a.Locks
	if a.Func != nil {
		out.Function = cmp.Or(a.Func.Source, a.Func.Name)
	}
	if i, ok := index[a.Thread]; ok {
		out.Thread = i
	}
	return out
}

// TextAt returns what is shown of an access that depends on its site only: where it is, and what stands there.
func TextAt(s *cir.Site) Access {
	out := Access{Place: placeOf(s)}
	out.Stmt = out.Line
	if s != nil {
		out.Text = s.Text
		if s.Stmt != nil && s.Stmt.Pos.File == s.Pos.File {
			out.Stmt = s.Stmt.Pos.Line
		}
	}
	return out
}

// placeOf returns the place of a site; nil has none.
func placeOf(s *cir.Site) Place {
	if s == nil {
		return Place{}
	}
	return Place{s.Pos.File, s.Pos.Line, s.Pos.Col}
}

// Lines counts the lines of files that can be read.
func Lines(files []string) int {
	n := 0
	for _, f := range files {
		if st, err := os.Stat(f); err != nil || !st.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		n += bytes.Count(text, []byte("\n"))
		if len(text) > 0 && text[len(text)-1] != '\n' {
			n++
		}
	}
	return n
}

// RaceFree counts the locations that are race-free, by what excludes them.
func (p *Program) RaceFree() (free int, by map[scan.Why]int) {
	by = map[scan.Why]int{}
	for _, l := range p.Locations {
		by[l.Why]++
		if l.Why != scan.Suspected {
			free++
		}
	}
	return free, by
}

// Count counts findings of all programs by their state.
func (s *Report) Count() map[State]int {
	out := map[State]int{}
	for _, p := range s.Programs {
		for _, f := range p.Findings {
			out[f.State]++
		}
	}
	return out
}

// Unfinished counts the programs that were not analysed to their end.
func (s *Report) Unfinished() int {
	n := 0
	for _, p := range s.Programs {
		if p.Reason != "" {
			n++
		}
	}
	return n
}

// Unlisted counts the locations that have more suspects than are listed: the rest is new, whatever comments and baselines say.
func (s *Report) Unlisted() int {
	n := 0
	for _, p := range s.Programs {
		for _, l := range p.Locations {
			if l.More {
				n++
			}
		}
	}
	return n
}

// Assumptions are those of all programs, sorted.
func (s *Report) Assumptions() []string {
	var out []string
	for _, p := range s.Programs {
		out = append(out, p.Assumptions...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// thread names the thread of an access, as reports do.
func (p *Program) thread(a Access) string {
	if a.Thread < 0 {
		return "?"
	}
	t := p.Threads[a.Thread]
	if t.Many {
		return t.Name + " (several)"
	}
	return t.Name
}

// Subject names what a finding is about: "counter", or "p->a and 3 more".
func (f *Finding) Subject() string {
	if n := len(f.Names) - 1; n > 1 {
		return f.Names[0] + " and " + count(n, "more", "more")
	}
	return strings.Join(f.Names, " and ")
}

// Verb says what an access does.
func (a Access) Verb() string {
	verb := "reads"
	switch {
	case a.Takes != "":
		return "takes"
	case a.Life && a.Write:
		return "frees it by"
	case a.Life:
		return "accesses it by"
	case a.Read && a.Write:
		verb = "reads and writes"
	case a.Write:
		verb = "writes"
	}
	if a.Atomic {
		return "atomically " + verb
	}
	return verb
}

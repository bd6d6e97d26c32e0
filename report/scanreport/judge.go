package scanreport

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"comus/internal/whole"
	"comus/report/annotate"
	"comus/report/suppress"
	"comus/specialise"
)

// Judge gives findings their fingerprints and states. dir is the working directory; comments and known may be nil. It notes which comments
// suppress nothing and which known findings are gone, unless a program was not analysed to its end.
func (s *Report) Judge(dir string, comments *suppress.Set, known *Baseline) {
	s.Compared = known != nil
	met := map[string]bool{}
	for _, p := range s.Programs {
		slices.SortStableFunc(p.Findings, byPlace)
		all := s.annotated(p)
		for i, f := range p.Findings {
			if f.Property == specialise.Assert { // whatever is known of it
				all[i].Text = f.Names[0]
			}
		}
		annotate.Fingerprint(all, dir)
		for i, a := range all {
			f := p.Findings[i]
			f.Fingerprint = a.Fingerprint
			met[f.Fingerprint] = true
			reason, suppressed := suppressedBy(comments, f)
			switch {
			case f.Verdict == Impossible:
				f.State = Excluded
			case suppressed:
				f.State, f.Justification = Suppressed, reason
			case known.has(f.Fingerprint):
				f.State = Known
			}
		}
		sortFindings(p.Findings)
	}
	if s.Unfinished() > 0 || len(s.Failed) > 0 {
		return
	}
	if comments != nil {
		for _, c := range comments.Unused(s.properties()...) {
			s.Notes = append(s.Notes, fmt.Sprintf("%s:%d:%d: the comment suppresses nothing (its reason: %s)", c.File, c.Line, c.Col, c.Reason))
		}
	}
	if known != nil {
		gone := 0
		for _, k := range known.Findings {
			if !met[k.Fingerprint] {
				gone++
			}
		}
		if gone > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s of the baseline %s not found any more", count(gone, "finding", "findings"), map[bool]string{true: "is", false: "are"}[gone == 1]))
		}
	}
}

// properties are those that were asked about.
func (s *Report) properties() []string {
	list := []string{Property}
	if s.Asserted {
		list = append(list, specialise.Assert)
	}
	if s.Signals {
		list = append(list, Signal)
	}
	if s.Ordered {
		list = append(list, specialise.Deadlock)
	}
	return list
}

// suppressedBy looks for a comment at one of the places of a finding. All that are there count as used.
func suppressedBy(comments *suppress.Set, f *Finding) (reason string, suppressed bool) {
	for _, a := range f.Places() {
		for _, line := range []int{a.Line, a.Stmt} {
			if r, ok := comments.Reason(cmp.Or(f.Property, Property), a.File, line); ok && !suppressed {
				reason, suppressed = r, true
			}
		}
	}
	return reason, suppressed
}

// Baseline are findings that were known before.
type Baseline struct {
	Format   int             `json:"comus_baseline"`
	Findings []BaselineEntry `json:"findings"`

	known map[string]bool // fingerprints
}

// BaselineEntry is a finding of a baseline. Only the fingerprint matters; the rest is for people.
type BaselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	Property    string `json:"property"`
	Says        string `json:"says"`
	At          string `json:"at"`
}

// baselineFormat is the format of baselines that is written.
const baselineFormat = 1

// maxBaseline bounds the size of a baseline that is read.
const maxBaseline = 1 << 28

// newBaseline returns a baseline without findings.
func newBaseline() *Baseline {
	return &Baseline{Format: baselineFormat, Findings: []BaselineEntry{}, known: map[string]bool{}}
}

// has tells whether a finding is known.
func (b *Baseline) has(fingerprint string) bool {
	return b != nil && b.known[fingerprint]
}

// add adds a finding, once.
func (b *Baseline) add(e BaselineEntry) {
	if !b.known[e.Fingerprint] {
		b.known[e.Fingerprint] = true
		b.Findings = append(b.Findings, e)
	}
}

// ReadBaseline reads a baseline. The error is a line "file:line:col: what is wrong".
func ReadBaseline(file string) (*Baseline, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBaseline))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	var read Baseline
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("%s%s: is no baseline: %s", file, placeOfError(text, err), strings.TrimPrefix(err.Error(), "json: "))
	}
	if read.Format != baselineFormat {
		return nil, fmt.Errorf("%s: is no baseline of this version of comus (hint: --write-baseline writes one)", file)
	}
	b := newBaseline()
	for _, e := range read.Findings {
		b.add(e)
	}
	return b, nil
}

// placeOfError returns ":line:col" of an error; "" if it has none.
func placeOfError(text []byte, err error) string {
	at := int64(-1)
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typ):
		at = typ.Offset
	}
	if at < 1 || at > int64(len(text)) {
		return ""
	}
	before := string(text[:at-1]) // the offset is that behind what was read
	return fmt.Sprintf(":%d:%d", strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'))
}

// Baseline returns what is found now, but for what comments suppress and what is impossible.
func (s *Report) Baseline() *Baseline {
	b := newBaseline()
	for _, p := range s.Programs {
		for _, f := range p.Findings {
			if f.State == New || f.State == Known || f.State == Excluded && s.Briefly { // which the next time may not be enough for
				b.add(BaselineEntry{f.Fingerprint, f.Property, f.Headline(), f.A.Place.String()})
			}
		}
	}
	return b
}

// Write writes a baseline to a file, completely or not at all.
func (b *Baseline) Write(file string) error {
	return whole.Write(file, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		e.SetEscapeHTML(false)
		return e.Encode(b)
	})
}

// Annotated returns the findings of all programs as SARIF and editors have them; those of files that several programs share once. What is impossible is left out.
func (s *Report) Annotated() []annotate.Finding {
	var out []annotate.Finding
	met := map[string]bool{}
	for _, p := range s.Programs {
		for i, a := range s.annotated(p) {
			f := p.Findings[i]
			if f.State == Excluded || met[f.Fingerprint] {
				continue
			}
			met[f.Fingerprint] = true
			a.Fingerprint = f.Fingerprint
			out = append(out, a)
		}
	}
	return out
}

// annotated returns the findings of a program in that form, in their order.
func (s *Report) annotated(p *Program) []annotate.Finding {
	var out []annotate.Finding
	for _, f := range p.Findings {
		place := func(at Place) annotate.Place { return annotate.Place{File: at.File, Line: at.Line, Column: at.Col} }
		a := annotate.Finding{Property: f.Property, Unproved: f.why(), Suppressed: f.Justification,
			Location: annotate.Location{Thread: p.thread(f.A), Place: place(f.A.Place), Text: f.Headline(), Calls: calls(f.A)}}
		if f.Verdict == Confirmed {
			a.Unproved = ""
		}
		if s.Compared {
			a.Baseline = annotate.New
			if f.State == Known {
				a.Baseline = annotate.Unchanged
			}
		}
		for _, x := range f.Places() {
			if f.Property == specialise.Assert { // it is all at one place
				break
			}
			a.Involved = append(a.Involved, annotate.Involved{Verb: x.Verb(), Held: x.Locks,
				Location: annotate.Location{Thread: p.thread(x), Place: place(x.Place), Text: x.Text, Calls: calls(x)}})
		}
		out = append(out, a)
	}
	return out
}

// calls returns the function of an access as a call stack of one.
func calls(a Access) []annotate.Call {
	return []annotate.Call{{Function: a.Function, Place: annotate.Place{File: a.File, Line: a.Line, Column: a.Col}}}
}

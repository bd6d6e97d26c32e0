package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"comus/report/scanreport"
	"comus/scan"
)

// Scan is a scan of whole programs, as a page shows it.
type Scan struct {
	Report  *scanreport.Report
	Version string // of comus
	Created time.Time
}

// scanView is what the template shows of a scan.
type scanView struct {
	Badge, Says, Title, Conclusion string
	Failed                         []string
	Whys                           []string // the heads of what excludes races
	Programs                       []scanProgram
	Checked                        bool // something is certified
	Files                          []scanFile
	Facts                          []fact
	Lines                          []string // suspects as text
	More                           bool     // there are more
}

// scanProgram is a row of the table of programs.
type scanProgram struct {
	Name, Reason                     string
	Lines, Threads, Shared, Suspects int
	By                               []int
	Seconds                          float64
}

// scanFile is a row of the table of files.
type scanFile struct {
	Name                   string
	Shared, Free, Suspects int // locations declared or allocated there; suspects with an access there
}

// scanFiles counts what is in each file, those with the most suspects first.
func scanFiles(s *scanreport.Report) []scanFile {
	rows := map[string]*scanFile{}
	row := func(file string) *scanFile {
		if rows[file] == nil {
			rows[file] = &scanFile{Name: file}
		}
		return rows[file]
	}
	for _, p := range s.Programs {
		for _, f := range p.Files {
			row(f)
		}
		for _, l := range p.Locations {
			if l.File == "" {
				continue
			}
			r := row(l.File)
			r.Shared++
			if l.Why != scan.Suspected {
				r.Free++
			}
		}
		for _, f := range p.Findings {
			if f.A.File != "" {
				row(f.A.File).Suspects++
			}
			if f.B.File != "" && f.B.File != f.A.File {
				row(f.B.File).Suspects++
			}
		}
	}
	var out []scanFile
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y scanFile) int {
		return cmp.Or(cmp.Compare(y.Suspects, x.Suspects), cmp.Compare(x.Name, y.Name))
	})
	return out
}

// maxLines bounds how many suspects the page has as text, for print and for those without JavaScript.
const maxLines = 1000

// whys is the order of what excludes races.
var whys = []scan.Why{scan.ReadOnly, scan.Atomic, scan.Locked, scan.Ordered, scan.ThreadLocal, scan.Suspected}

// Write writes the page.
func (s *Scan) Write(w io.Writer) error {
	sv := s.Report
	view := scanView{Title: "Scan", Conclusion: sv.Conclusion(), Failed: sv.Failed, Badge: "UNKNOWN"}
	if len(sv.Programs) > 0 {
		view.Title = "Scan of " + sv.Programs[0].Name
		if n := len(sv.Programs) - 1; n > 0 {
			view.Title += fmt.Sprintf(" and %d more", n)
		}
	}
	n := sv.Count()
	switch total := n[scanreport.New] + n[scanreport.Known] + n[scanreport.Suppressed]; total {
	case 0:
		view.Says = "no suspects"
	case 1:
		view.Says = "1 suspect"
	default:
		view.Says = fmt.Sprintf("%d suspects", total)
	}
	for _, y := range whys {
		view.Whys = append(view.Whys, y.String())
	}
	for _, p := range sv.Programs {
		row := scanProgram{Name: p.Name, Reason: p.Reason, Lines: p.Lines, Threads: len(p.Threads), Shared: len(p.Locations), Suspects: p.Suspects(), Seconds: p.Took().Seconds()}
		_, by := p.RaceFree()
		for _, y := range whys {
			row.By = append(row.By, by[y])
		}
		view.Programs = append(view.Programs, row)
	}
	view.Facts, view.Files = scanFacts(sv), scanFiles(sv)
	_, of := sv.Certified()
	view.Checked = of > 0
	d := newScanData()
	var all []foundIn
	for i, p := range sv.Programs {
		d.program(p)
		for _, f := range p.Findings {
			all = append(all, foundIn{i, f})
		}
	}
	slices.SortStableFunc(all, func(x, y foundIn) int { return scanreport.Compare(x.Finding, y.Finding) })
	for _, f := range all {
		d.finding(f)
		if view.More = len(view.Lines) == maxLines; !view.More { // the scripts rely on the same order
			view.Lines = append(view.Lines, sv.Programs[f.program].Line(f.Finding))
		}
	}
	p := page{Title: view.Title, Kind: "scan", Body: view, Version: s.Version, Created: s.Created.UTC().Format("2006-01-02 15:04 UTC"),
		Data: struct {
			Scan *scanData `json:"scan"`
		}{d}}
	return p.write(w)
}

// scanFacts are what a scan rests on, and what else should be known.
func scanFacts(s *scanreport.Report) []fact {
	out := []fact{{"certified", "no: this is what the analysis says, and nothing has checked it"}}
	if certified, of := s.Certified(); of > 0 {
		out[0].Text = fmt.Sprintf("the checker has confirmed, independently of the analysis, why %d of %d locations are race-free", certified, of)
	}
	for _, a := range s.Assumptions() {
		out = append(out, fact{"assumed", a})
	}
	for _, n := range s.AllNotes() {
		out = append(out, fact{"note", n})
	}
	for _, p := range s.Programs {
		var parts []string
		for _, ph := range p.Phases {
			parts = append(parts, fmt.Sprintf("%s %.2f s", ph.Name, ph.Took.Seconds()))
		}
		if parts != nil {
			out = append(out, fact{"time", p.Name + ": " + strings.Join(parts, ", ")})
		}
	}
	return out
}

// scanData is what the scripts have of a scan. Places have the index of their file.
type scanData struct {
	Files     []string                 `json:"files"`
	Source    map[int]map[int]codeLine `json:"source"` // by file and line
	Programs  []scanDataProgram        `json:"programs"`
	Findings  []scanFinding            `json:"findings"`
	Locations []scanLocation           `json:"locations"`
	index     map[string]int           // of Files
	text      map[string][][]piece     // of files that were read
}

// codeLine is a line of C in pieces.
type codeLine []piece

// MarshalJSON writes pieces as pairs of class and text.
func (l codeLine) MarshalJSON() ([]byte, error) {
	out := make([][2]string, 0, len(l))
	for _, p := range l {
		out = append(out, [2]string{p.class, p.text})
	}
	return json.Marshal(out)
}

type scanDataProgram struct {
	Name    string       `json:"name"`
	Threads []scanThread `json:"threads"`
}

type scanPlace struct {
	File int `json:"f"`
	Line int `json:"l"`
	Col  int `json:"c"`
}

type scanThread struct {
	Name   string    `json:"name"`
	Many   bool      `json:"many"`
	Parent int       `json:"parent"`
	At     scanPlace `json:"at"`
}

type scanLocation struct {
	Program  int       `json:"p"`
	Name     string    `json:"name"`
	Type     string    `json:"type"`
	Status   string    `json:"status"`
	Locks    []string  `json:"locks,omitempty"`
	Threads  []int     `json:"threads,omitempty"`
	Accesses int       `json:"n"`
	Suspects int       `json:"suspects"`
	At       scanPlace `json:"at"`
}

type scanFinding struct {
	Program int        `json:"p"`
	One     bool       `json:"one,omitempty"`   // it has no second place
	Locks   bool       `json:"order,omitempty"` // it is a lock order
	Head    string     `json:"head"`
	Names   []string   `json:"names"`
	State   string     `json:"state"`
	Verdict string     `json:"verdict"`
	Says    string     `json:"told,omitempty"` // of the verdict
	Why     string     `json:"why,omitempty"`  // it is suppressed
	Reason  string     `json:"reason"`
	Help    string     `json:"help,omitempty"`
	Rank    int        `json:"rank"`
	Print   string     `json:"print"`
	A       scanAccess `json:"a"`
	B       scanAccess `json:"b"`
}

type scanAccess struct {
	scanPlace
	Text     string   `json:"text"`
	Function string   `json:"fn"`
	Thread   int      `json:"t"`
	Does     string   `json:"does"`
	Locks    []string `json:"locks,omitempty"`
}

func newScanData() *scanData {
	return &scanData{Files: []string{}, Source: map[int]map[int]codeLine{}, Programs: []scanDataProgram{}, Findings: []scanFinding{}, Locations: []scanLocation{},
		index: map[string]int{}, text: map[string][][]piece{}}
}

// program adds a program.
func (d *scanData) program(p *scanreport.Program) {
	n := len(d.Programs)
	out := scanDataProgram{Name: p.Name, Threads: []scanThread{}}
	for _, t := range p.Threads {
		out.Threads = append(out.Threads, scanThread{t.Name, t.Many, t.Parent, d.place(t.Place)})
	}
	d.Programs = append(d.Programs, out)
	for _, l := range p.Locations {
		d.Locations = append(d.Locations, scanLocation{n, l.Name, l.Type, l.Why.String(), l.Locks, l.Threads, l.Accesses, l.Suspects, d.place(l.Place)})
	}
}

// foundIn is a finding with the index of its program.
type foundIn struct {
	program int
	*scanreport.Finding
}

// finding adds a finding.
func (d *scanData) finding(f foundIn) {
	d.Findings = append(d.Findings, scanFinding{Program: f.program, One: len(f.Places()) == 1, Locks: f.A.Takes != "", Head: f.Headline(), Names: f.Names, State: f.State.String(), Verdict: f.Verdict.String(), Says: f.Says, Why: f.Justification,
		Reason: f.Reason, Help: f.Help, Rank: f.Rank, Print: f.Fingerprint, A: d.access(f.A), B: d.access(f.B)})
}

// place returns a place with its file's index.
func (d *scanData) place(at scanreport.Place) scanPlace {
	if at.Line <= 0 || at.File == "" {
		return scanPlace{File: -1}
	}
	i, ok := d.index[at.File]
	if !ok {
		i = len(d.Files)
		d.index[at.File] = i
		d.Files = append(d.Files, at.File)
	}
	return scanPlace{i, at.Line, at.Col}
}

// aroundAccess is how many lines are shown before and after an access.
const aroundAccess = 4

// access returns an access, and keeps the source around it.
func (d *scanData) access(a scanreport.Access) scanAccess {
	at := d.place(a.Place)
	if at.File >= 0 {
		lines := d.read(a.File)
		for n := max(1, at.Line-aroundAccess); n <= min(len(lines), at.Line+aroundAccess); n++ {
			if d.Source[at.File] == nil {
				d.Source[at.File] = map[int]codeLine{}
			}
			d.Source[at.File][n] = lines[n-1]
		}
	}
	return scanAccess{at, a.Text, a.Function, a.Thread, a.Verb(), a.Locks}
}

// read returns the lines of a file; none if it cannot be read.
func (d *scanData) read(name string) [][]piece {
	lines, ok := d.text[name]
	if !ok {
		if text, fails := readSource(name); fails == "" {
			lines = coloured(string(text))
		}
		d.text[name] = lines
	}
	return lines
}

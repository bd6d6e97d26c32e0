package scanreport

import (
	"encoding/json"
	"io"
	"math"
	"time"
)

// Head is what the object of --json says of the run.
type Head struct {
	Version string
	Exit    int
}

type jsonReport struct {
	Format     int           `json:"comus_scan"` // 1; it changes if a key changes its meaning
	Version    string        `json:"version"`
	ExitCode   int           `json:"exit_code"`
	Conclusion string        `json:"conclusion"`
	Seconds    float64       `json:"seconds"`
	New        int           `json:"new"`
	Known      int           `json:"known"`
	Suppressed int           `json:"suppressed"`
	Impossible int           `json:"impossible"`
	Unfinished int           `json:"unfinished"`
	Programs   []jsonProgram `json:"programs"`
	Failed     []string      `json:"failed"`
	Unused     []string      `json:"unused"`
	Notes      []string      `json:"notes"`
}

type jsonProgram struct {
	Name        string         `json:"name"`
	Files       []string       `json:"files"`
	Lines       int            `json:"lines"`
	Functions   int            `json:"functions"`
	Accesses    int            `json:"accesses"`
	Reason      string         `json:"reason"` // why it was not analysed to its end, ""
	Seconds     float64        `json:"seconds"`
	Phases      []jsonPhase    `json:"phases"`
	Threads     []jsonThread   `json:"threads"`
	Locations   []jsonLocation `json:"locations"`
	Suspects    []jsonFinding  `json:"suspects"`
	Assumptions []string       `json:"assumptions"`
	// Assertions are not there if nobody asked about them, or there are none.
	Assertions []jsonAssertion `json:"assertions,omitempty"`
}

type jsonPhase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

type jsonPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // 0: it is not known
	Column int    `json:"column"`
}

type jsonThread struct {
	Name string `json:"name"`
	jsonPlace
	Parent *int `json:"parent"` // null: of the first
	Many   bool `json:"many"`
}

type jsonLocation struct {
	Name   string `json:"name"`
	Object string `json:"object"`
	Type   string `json:"type"`
	jsonPlace
	Status   string   `json:"status"`
	Locks    []string `json:"locks"`
	Threads  []int    `json:"threads"`
	Accesses int      `json:"accesses"`
	Suspects int      `json:"suspects"`
	More     bool     `json:"more"`
	Hidden   bool     `json:"hidden"`
	// Certified is not there if nobody asked.
	Certified *bool `json:"certified,omitempty"`
}

type jsonAssertion struct {
	jsonPlace
	Text   string `json:"text"`
	Proved bool   `json:"proved"`
	Reason string `json:"reason"`
}

type jsonFinding struct {
	Fingerprint   string       `json:"fingerprint"`
	Property      string       `json:"property"`
	Names         []string     `json:"names"`
	Verdict       string       `json:"verdict"`
	Says          string       `json:"says"` // of the verdict
	State         string       `json:"state"`
	Justification string       `json:"justification"` // of suppressed ones
	Reason        string       `json:"reason"`
	Help          string       `json:"help"`
	Rank          int          `json:"rank"`
	Accesses      []jsonAccess `json:"accesses"` // two; of an assertion one
}

type jsonAccess struct {
	jsonPlace
	Text     string   `json:"text"`
	Function string   `json:"function"`
	Thread   *int     `json:"thread"`
	Read     bool     `json:"read"`
	Write    bool     `json:"write"` // perhaps both
	Atomic   bool     `json:"atomic"`
	Locks    []string `json:"locks"`
	Takes    string   `json:"takes,omitempty"` // the lock that is taken there, of a lock order
}

// JSON writes the report as one object.
func (s *Report) JSON(w io.Writer, head Head) error {
	n := s.Count()
	out := jsonReport{Format: 1, Version: head.Version, ExitCode: head.Exit, Conclusion: s.Conclusion(), Seconds: seconds(s.Took),
		New: n[New], Known: n[Known], Suppressed: n[Suppressed], Impossible: n[Excluded], Unfinished: s.Unfinished(),
		Programs: []jsonProgram{}, Failed: list(s.Failed), Unused: list(s.Unused), Notes: list(s.Notes)}
	for _, p := range s.Programs {
		out.Programs = append(out.Programs, p.json())
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// json returns a program in its form.
func (p *Program) json() jsonProgram {
	out := jsonProgram{Name: p.Name, Files: list(p.Files), Lines: p.Lines, Functions: p.Funcs, Accesses: p.Accesses, Reason: p.Reason, Seconds: seconds(p.Took()),
		Phases: []jsonPhase{}, Threads: []jsonThread{}, Locations: []jsonLocation{}, Suspects: []jsonFinding{}, Assumptions: list(p.Assumptions)}
	for _, ph := range p.Phases {
		out.Phases = append(out.Phases, jsonPhase{ph.Name, seconds(ph.Took)})
	}
	for _, t := range p.Threads {
		out.Threads = append(out.Threads, jsonThread{t.Name, t.Place.json(), index(t.Parent), t.Many})
	}
	for _, l := range p.Locations {
		var certified *bool
		if p.Checked {
			certified = &l.Certified
		}
		out.Locations = append(out.Locations, jsonLocation{Certified: certified, Name: l.Name, Object: l.Object, Type: l.Type, jsonPlace: l.Place.json(), Status: l.Why.String(),
			Locks: list(l.Locks), Threads: append([]int{}, l.Threads...), Accesses: l.Accesses, Suspects: l.Suspects, More: l.More, Hidden: l.Hidden})
	}
	for _, a := range p.Assertions {
		out.Assertions = append(out.Assertions, jsonAssertion{a.Place.json(), a.Text, a.Proved, a.Reason})
	}
	for _, f := range p.Findings {
		j := jsonFinding{Fingerprint: f.Fingerprint, Property: f.Property, Names: list(f.Names), Verdict: f.Verdict.String(), Says: f.Says, State: f.State.String(),
			Justification: f.Justification, Reason: f.Reason, Help: f.Help, Rank: f.Rank}
		for _, a := range f.Places() {
			j.Accesses = append(j.Accesses, jsonAccess{a.Place.json(), a.Text, a.Function, index(a.Thread), a.Read, a.Write, a.Atomic, list(a.Locks), a.Takes})
		}
		out.Suspects = append(out.Suspects, j)
	}
	return out
}

func (p Place) json() jsonPlace { return jsonPlace{p.File, p.Line, p.Col} }

// index returns the index of a thread, nil for none.
func index(i int) *int {
	if i < 0 {
		return nil
	}
	return &i
}

// list is a list that is never null.
func list(l []string) []string { return append([]string{}, l...) }

// seconds rounds a time to milliseconds.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e3) / 1e3 }

package scanreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cir"
	"comus/report/suppress"
	"comus/scan"
)

// source is what the places of the results below are in.
const source = `int hits, size; struct { int a, b; } box;
void *serve(void *p) {
  hits++; // comus: ignore race: a statistic
  size = 1;
  box = other;
  return 0;
}
`

// made returns a result with three threads, four locations and some suspects; lines begin behind a number of others.
func made(file string, line int) *scan.Result {
	site := func(n, col int, text string) *cir.Site {
		s := &cir.Site{Pos: cir.Pos{File: file, Line: line + n, Col: col}, Text: text}
		s.Stmt = s
		return s
	}
	serve, entry := &cir.Func{Name: "serve", Source: "serve"}, &cir.Func{Name: "main", Source: "main", Pos: cir.Pos{File: file, Line: line + 9, Col: 5}}
	main := &scan.Thread{Name: "main", Func: entry}
	many := &scan.Thread{Name: "serve", Func: serve, Site: site(10, 3, "pthread_create(…)"), Parent: main, Many: true}
	one := &scan.Thread{Name: "serve", Func: serve, Site: site(11, 3, "pthread_create(…)"), Parent: main}
	r := &scan.Result{Threads: []*scan.Thread{main, many, one}, Assumptions: []string{"nothing else happens"},
		Phases: []scan.Phase{{Name: "reading", Took: time.Second}, {Name: "locks", Took: 250 * time.Millisecond}}, Funcs: 2, Accesses: 9}
	suspect := func(l *scan.Location, rank int, a, b *scan.Access) {
		l.Accesses = append(l.Accesses, a, b)
		l.Suspects = append(l.Suspects, &scan.Suspect{Location: l, A: a, B: b, Reason: "no common lock", Help: "a lock", Rank: rank})
	}
	hits := &scan.Location{Name: "hits", Object: "hits", Site: site(1, 5, "hits"), Type: "int"}
	inc := func(t *scan.Thread) *scan.Access {
		return &scan.Access{Func: serve, Site: site(3, 3, "hits++"), Thread: t, Write: true, Locks: []string{"m"}}
	}
	suspect(hits, 1, inc(many), inc(many))
	suspect(hits, 3, inc(many), inc(one)) // the same for a person
	size := &scan.Location{Name: "size", Object: "size", Site: site(1, 11, "size"), Type: "int"}
	set := &scan.Access{Func: serve, Site: site(4, 3, "size = 1"), Thread: many, Write: true}
	get := &scan.Access{Func: entry, Site: site(12, 3, "size"), Thread: main}
	suspect(size, 2, set, get)
	suspect(size, 5, set, set)
	copied := func(l *scan.Location) {
		suspect(l, 2, &scan.Access{Func: serve, Site: site(5, 3, "box = other"), Thread: many, Write: true}, &scan.Access{Func: entry, Site: site(12, 9, "box"), Thread: main})
	}
	a, b := &scan.Location{Name: "box.a"}, &scan.Location{Name: "box.b"}
	copied(a)
	copied(b)
	free := &scan.Location{Name: "table[…]", Object: "table", Why: scan.Locked, Locks: []string{"lock", "other"}, Accesses: []*scan.Access{get}}
	r.Locations = []*scan.Location{hits, size, a, b, free}
	return r
}

// told tells findings in short.
func told(p *Program) string {
	var out []string
	for _, f := range p.Findings {
		out = append(out, f.Headline()+" "+f.State.String()+" "+f.Verdict.String())
	}
	return strings.Join(out, ", ")
}

// TestFindings groups and sorts suspects.
func TestFindings(t *testing.T) {
	p := Of("f.c", []string{"f.c"}, made("f.c", 0), nil)
	if got, want := told(p), "possible race on size new open, possible race on hits new open, possible race on size new open, possible race on box.a and box.b new open"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := p.Line(p.Findings[1]), "f.c:3:3: possible race on hits: thread serve (several) writes hits++, holding m; at the same place thread serve writes hits++, holding m: no common lock (hint: a lock)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if th := p.Threads; len(th) != 3 || th[0].Parent != -1 || th[0].Line != 9 || th[2].Parent != 0 || !th[1].Many {
		t.Errorf("threads %v", th)
	}
	if free, by := p.RaceFree(); free != 1 || by[scan.Locked] != 1 || by[scan.Suspected] != 4 {
		t.Errorf("%d free: %v", free, by)
	}
	// Verdicts of suspects make one of a finding.
	verdict := func(s *scan.Suspect) Decision {
		switch {
		case s.Location.Name == "hits" && s.Rank == 1, s.Location.Name == "box.a":
			return Decision{Impossible, "proved"}
		case s.Location.Name == "size":
			return map[int]Decision{2: {Confirmed, "seen"}, 5: {Impossible, "proved"}}[s.Rank]
		}
		return Decision{Open, "no time"}
	}
	s := &Report{Programs: []*Program{Of("f.c", nil, made("f.c", 0), verdict)}}
	s.Judge("", nil, nil)
	if got, want := told(s.Programs[0]), "race on size new confirmed, possible race on hits new open, possible race on box.a and box.b new open, possible race on size impossible impossible"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := s.Conclusion(), "3 suspects in 1 program, not certified; 1 confirmed"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var says []string
	for _, f := range s.Programs[0].Findings {
		says = append(says, f.Says)
	}
	if got := strings.Join(says, ", "); got != "seen, no time, no time, proved" {
		t.Errorf("said: %s", got)
	}
	if n := len(s.Annotated()); n != 3 {
		t.Errorf("%d findings for services, want 3", n)
	}
}

// TestJudge compares with a baseline after lines have moved, and suppresses by comments.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f.c")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	scanned := func(line int) *Report {
		return &Report{Programs: []*Program{Of("f.c", []string{file}, made(file, line), nil)}}
	}
	old := scanned(0)
	old.Judge(dir, nil, nil)
	path := filepath.Join(dir, "known.json")
	if err := old.Baseline().Write(path); err != nil {
		t.Fatal(err)
	}
	known, err := ReadBaseline(path)
	if err != nil {
		t.Fatal(err)
	}
	moved := scanned(7)
	moved.Judge(dir, nil, known)
	if got := moved.Count(); got[Known] != 4 || got[New] != 0 || moved.Notes != nil {
		t.Errorf("after lines have moved: %v, %v", got, moved.Notes)
	}
	fewer := newBaseline()
	fewer.add(BaselineEntry{Fingerprint: "gone"})
	for _, e := range known.Findings[1:] {
		fewer.add(e)
	}
	comments, err := suppress.Read([]string{file}, []string{Property})
	if err != nil {
		t.Fatal(err)
	}
	s := scanned(0)
	s.Judge(dir, comments, fewer)
	if got, want := s.Conclusion(), "4 suspects in 1 program (1 new, 2 known, 1 suppressed), not certified"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := s.Notes; len(got) != 1 || got[0] != "1 finding of the baseline is not found any more" {
		t.Errorf("notes %q", got)
	}
	spread := &Finding{A: Access{Place: Place{file, 99, 1}}, B: Access{Place: Place{file, 4, 9}, Stmt: 3}}
	if reason, _ := suppressedBy(comments, spread); reason != "a statistic" {
		t.Errorf("a comment where a statement begins: %q", reason)
	}
	far := scanned(7)
	comments, _ = suppress.Read([]string{file}, []string{Property})
	far.Judge(dir, comments, nil)
	if got := far.Notes; len(got) != 1 || !strings.HasSuffix(got[0], "f.c:3:11: the comment suppresses nothing (its reason: a statistic)") {
		t.Errorf("notes %q", got)
	}
}

// TestReadBaseline reads files that are none.
func TestReadBaseline(t *testing.T) {
	for text, want := range map[string]string{
		"":                        ": is no baseline: unexpected end of JSON input",
		"{\n x}":                  ":2:2: is no baseline: invalid character 'x' looking for beginning of object key string",
		`{"comus_baseline": "1"}`: ":1:22: is no baseline: cannot unmarshal string into Go struct field Baseline.comus_baseline of type int",
		`{"comus_baseline": 2}`:   ": is no baseline of this version of comus (hint: --write-baseline writes one)",
		`[]`:                      ":1:1: is no baseline: cannot unmarshal array into Go value of type scanreport.Baseline",
		`{"comus_baseline": 1, "findings": [{}, null]}`: "",
	} {
		file := filepath.Join(t.TempDir(), "b.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadBaseline(file)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), file)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if _, err := ReadBaseline("/nowhere/b.json"); err == nil || err.Error() != "/nowhere/b.json: no such file or directory" {
		t.Errorf("%v", err)
	}
}

// TestUnlisted has locations with more suspects than are listed: many are one line.
func TestUnlisted(t *testing.T) {
	p := &Program{Name: "f.c"}
	for i, want := range []string{"", "f.c: x0: there are", "f.c: x0: there are", "f.c: x0: there are", "f.c: not all suspects of 4 locations are listed; the others count as new: x0, x1, x2, …"} {
		got := p.unlisted()
		if len(got) != min(i, 3) && i < 4 || i == 4 && len(got) != 1 || i > 0 && !strings.HasPrefix(got[0], want) {
			t.Errorf("%d: %q", i, got)
		}
		p.Locations = append(p.Locations, Location{Name: fmt.Sprint("x", i), More: true})
	}
}

// TestForms writes text and JSON.
func TestForms(t *testing.T) {
	res := made("f.c", 0)
	res.Locations[0].More = true
	s := &Report{Programs: []*Program{Of("f.c", nil, res, nil), Unfinished("g.c", nil, "timeout")}, Unused: []string{"h\n.c"}}
	s.Judge("", nil, nil)
	if s.Unlisted() != 1 {
		t.Errorf("%d locations with more suspects", s.Unlisted())
	}
	var text bytes.Buffer
	if err := s.Text(&text, 2, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"; at the same place thread serve (several) writes size = 1, holding no lock: no common lock (hint: a lock) (and 1 more pair there)\n",
		"f.c: 1 more line (--limit 0 shows all)\n\n",
		"    0        3       5          0       0       1        0    0          4         4     1.25  f.c\n",
		"  g.c (not analysed to its end)\n",
		"  time     reading 1.00 s, locks 0.25 s\n",
		"  assumed  nothing else happens\n",
		"  note     f.c: hits: there are more suspects than these 2; the others are not listed, and count as new\n",
		"  note     g.c: not analysed to its end: timeout\n",
		"  note     h\\n.c: not analysed, because no program needs this file\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if got, want := s.Conclusion(), "4 suspects in 2 programs, not certified; more than are listed at 1 location; 1 program not analysed to the end"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	text.Reset()
	if err := s.JSON(&text, Head{Version: "v", Exit: 10}); err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if out["new"] != 4.0 || out["exit_code"] != 10.0 || len(out["programs"].([]any)) != 2 {
		t.Errorf("%s", text.Bytes())
	}
	if bytes.Contains(text.Bytes(), []byte("null,\n          \"locks")) || strings.Contains(text.String(), `"suspects": null`) {
		t.Errorf("lists that are null: %s", text.Bytes())
	}
}

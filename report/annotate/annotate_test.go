package annotate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"comus/specialise"
)

// validator returns the schema of the standard.
func validator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// written writes a log, has it judged by the schema, and reads it back.
func written(t *testing.T, l Log) run {
	t.Helper()
	var text bytes.Buffer
	if err := l.Write(&text); err != nil {
		t.Fatal(err)
	}
	any, err := jsonschema.UnmarshalJSON(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := validator(t).Validate(any); err != nil {
		t.Errorf("%#v\n%s", err, text.Bytes())
	}
	var d document
	if err := json.Unmarshal(text.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return d.Runs[0]
}

// at returns a place.
func at(file string, line int) Place { return Place{file, line, 3} }

// race is a finding with everything that one can have.
func race(file string, line int) Finding {
	one := Location{"0 main", at(file, line), "x = 1", []Call{{"main", at(file, line)}}, nil}
	two := Location{"1 f", at(file, line+9), "data race at x", []Call{{"set", at(file, line+9)}, {"f", at(file, line+20)}}, []Call{{"main", at(file, line-2)}}}
	second := two
	second.Text = "x"
	return Finding{Property: specialise.Race, Location: two,
		Involved: []Involved{{Location: one, Held: []string{"m"}}, {Location: second}},
		Steps: []Step{
			{Thread: "0 main", Place: at(file, line-3), Text: "pthread_mutex_lock(&m)", Changes: []Change{{"m", "1"}}},
			{Thread: "1 f", Place: at(file, line+8), Text: "thread starts"},
			{Thread: "0 main", Place: at(file, line), Text: "is about to execute x = 1"},
			{Thread: "1 f", Place: at(file, line+9), Text: "data race at x", Effect: "x: 0 -> 1"},
		}}
}

// TestSARIF compares what is written of a race.
func TestSARIF(t *testing.T) {
	suspected := Finding{Property: specialise.Assert, Suspected: true, Approximations: []Approximation{{"a call", "f.c:7:2"}, {"more", ""}},
		Location: Location{Thread: "0 main", Place: at("/elsewhere/f.c", 3), Text: "assert(x) fails"}}
	out := written(t, Log{Version: "v1", Dir: "/work dir", Exit: 10, Findings: []Finding{race("src/a.c", 30), suspected},
		Verdicts: []Verdict{{specialise.Race, true, "a.c: race: UNSAFE"}, {specialise.Assert, false, "a.c: assert: UNKNOWN: x"}}})
	if n := len(out.Results); n != 2 {
		t.Fatalf("%d results, want 2", n)
	}
	r, s := out.Results[0], out.Results[1]
	if got, want := r.Message.Text, "data race at x in thread 1 f\nthread 0 main accesses x = 1, holding m\nthread 1 f accesses x, holding no lock"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if r.Level != "error" || s.Level != "warning" {
		t.Errorf("levels %s and %s, want error and warning", r.Level, s.Level)
	}
	if got, want := s.Message.Text, "perhaps assert(x) fails in thread 0 main: it depends on a call (f.c:7:2), more"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if a := r.Locations[0].Physical.Artifact; a.URI != "src/a.c" || a.URIBaseID != baseID || out.OriginalURIBaseIDs[baseID].URI != "file:///work%20dir/" {
		t.Errorf("file %v in %v", a, out.OriginalURIBaseIDs)
	}
	if a := s.Locations[0].Physical.Artifact; a.URI != "file:///elsewhere/f.c" || a.URIBaseID != "" {
		t.Errorf("a file that is elsewhere: %v", a)
	}
	var orders []string
	for _, f := range r.CodeFlows[0].ThreadFlows {
		for _, l := range f.Locations {
			orders = append(orders, fmt.Sprint(f.ID, " ", l.Order, " ", l.Location.Message.Text, " ", l.Kinds))
		}
	}
	want := "0 main 1 pthread_mutex_lock(&m) [acquire lock]|0 main 3 is about to execute x = 1 []|1 f 2 thread starts []|1 f 4 data race at x (x: 0 -> 1) [danger]"
	if got := strings.Join(orders, "|"); got != want {
		t.Errorf("thread flows\n%s, want\n%s", got, want)
	}
	if n := len(r.Stacks); n != 3 { // main has not been created
		t.Errorf("%d stacks, want 3", n)
	}
	if levels := fmt.Sprint(out.Invocations[0].Notifications); levels != "[{{a.c: race: UNSAFE} note} {{a.c: assert: UNKNOWN: x} warning}]" {
		t.Errorf("verdicts %s", levels)
	}
}

// TestUnproved writes what an analysis suspects: one that was known, one that is new and suppressed.
func TestUnproved(t *testing.T) {
	spot := Location{Place: at("a.c", 3), Text: "possible race on x", Calls: []Call{{"f", at("a.c", 3)}}}
	one := Involved{Location: Location{Thread: "f", Place: at("a.c", 3), Text: "x++", Calls: spot.Calls}, Verb: "writes", Held: []string{"m"}}
	known := Finding{Property: specialise.Race, Unproved: "no common lock", Baseline: Unchanged, Location: spot, Involved: []Involved{one, one}}
	suppressed := known
	suppressed.Suppressed, suppressed.Baseline = "a [link](x) {0}", New
	all := []Finding{known, suppressed}
	Fingerprint(all, "/w")
	out := written(t, Log{Dir: "/w", Findings: all})
	r, s := out.Results[0], out.Results[1]
	if got, want := r.Message.Text, "possible race on x: no common lock\nthread f writes x++, holding m\nthread f writes x++, holding m"; got != want || r.Level != "warning" {
		t.Errorf("message %q of level %s, want %q", got, r.Level, want)
	}
	if r.Baseline != "unchanged" || s.Baseline != "new" || r.Suppressions != nil || len(s.Suppressions) != 1 || s.Suppressions[0] != (suppression{"inSource", "a [link](x) {0}"}) {
		t.Errorf("%s %v, %s %v", r.Baseline, r.Suppressions, s.Baseline, s.Suppressions)
	}
	if r.PartialFingerprints[fingerprintName] != all[0].Fingerprint || !strings.HasSuffix(all[1].Fingerprint, ":2") {
		t.Errorf("fingerprints %v, %v", r.PartialFingerprints, all[1].Fingerprint)
	}
	var lines bytes.Buffer
	if err := GCC(&lines, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a.c:3:3: warning: possible race on x: no common lock [race]\n", "a.c:3:3: note: possible race on x: no common lock, suppressed: a [link](x) {0} [race]\n"} {
		if !strings.Contains(lines.String(), want) {
			t.Errorf("no %q in %s", want, lines.String())
		}
	}
}

// TestHostile writes names and statements that mean something in JSON, URIs, messages of SARIF or terminals.
func TestHostile(t *testing.T) {
	for _, name := range []string{`a"b'.c`, "two\nlines.c", "%2e%2e.c", "c:d.c", "ä\u2028.c", "bad\xff.c", "</script>.c", "a b#c?d.c", "../up.c", `back\slash.c`, "-x.c", "\x1b[2J.c"} {
		f := race(name, 30)
		f.Text = "data race at a[i](x) {0} </script>\x1b]0;t\x07 \"q\" \xff"
		f.Steps[0].Text, f.Steps[0].Changes = f.Text, []Change{{"v\n\"", `1"`}}
		out := written(t, Log{Version: "v\"1", Arguments: []string{name, "\xff"}, Dir: "/work\ndir", Findings: []Finding{f}})
		r := out.Results[0]
		if !strings.Contains(r.Message.Text, `a\[i\](x) {{0}} </script>`) {
			t.Errorf("%q: message %q", name, r.Message.Text)
		}
		if uri := r.Locations[0].Physical.Artifact.URI; regexp.MustCompile(`["<>\s\\\x00-\x20]`).MatchString(uri) {
			t.Errorf("%q: URI %q", name, uri)
		}
		var lines bytes.Buffer
		if err := GCC(&lines, []Finding{f}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(lines.String(), "\n"), "\n") {
			if !regexp.MustCompile(`^.+\.c:\d+:\d+: (error|note): [^\x00-\x1f]+$`).MatchString(line) {
				t.Errorf("%q: line %q", name, line)
			}
		}
	}
	if out := written(t, Log{}); len(out.Results) != 0 {
		t.Errorf("results of nothing: %v", out.Results)
	}
}

// TestFingerprints compares findings of two versions of a program.
func TestFingerprints(t *testing.T) {
	print := func(change func(f *Finding), file string, line int) string {
		f := race(file, line)
		change(&f)
		return fingerprints{}.of(&f, newFiles("/w"))
	}
	same := func(*Finding) {}
	first := print(same, "a.c", 30)
	for _, c := range []struct {
		name  string
		print string
		equal bool
	}{
		{"lines have moved", print(same, "a.c", 77), true},
		{"named by its path", print(same, "/w/a.c", 30), true},
		{"threads in the other order", print(func(f *Finding) { f.Involved[0], f.Involved[1] = f.Involved[1], f.Involved[0] }, "a.c", 30), true},
		{"other locks are held", print(func(f *Finding) { f.Involved[0].Held = []string{"n (allocated at a.c:3:4)"} }, "a.c", 30), true},
		{"another file", print(same, "b.c", 30), false},
		{"another statement", print(func(f *Finding) { f.Involved[0].Text = "x = 2" }, "a.c", 30), false},
		{"another function", print(func(f *Finding) { f.Involved[1].Calls[0].Function = "get" }, "a.c", 30), false},
		{"another property", print(func(f *Finding) { f.Property = specialise.Deadlock }, "a.c", 30), false},
	} {
		if (c.print == first) != c.equal {
			t.Errorf("%s: fingerprint %s after %s", c.name, c.print, first)
		}
	}
	f, given := race("a.c", 30), fingerprints{}
	if a, b := given.of(&f, newFiles("")), given.of(&f, newFiles("")); a == b || a[:len(a)-2] != b[:len(b)-2] {
		t.Errorf("fingerprints of two findings that look alike: %s, %s", a, b)
	}
}

// TestWeak writes an execution that is not sequentially consistent: its steps have no order but that of each thread, and the flow says so.
func TestWeak(t *testing.T) {
	f := race("a.c", 30)
	f.Weak = "c11"
	flow := written(t, Log{Findings: []Finding{f}}).Results[0].CodeFlows[0]
	if flow.Message == nil || !strings.HasPrefix(flow.Message.Text, "the memory model c11 allows this execution, which is not sequentially consistent") || len(flow.ThreadFlows) != 2 {
		t.Errorf("%+v", flow)
	}
	for _, th := range flow.ThreadFlows {
		if len(th.Locations) != 2 {
			t.Errorf("steps of %s: %v", th.ID, th.Locations)
		}
		for _, l := range th.Locations {
			if l.Order != 0 {
				t.Errorf("a step has the number %d", l.Order)
			}
		}
	}
}

// TestLong writes an execution of more steps than services take.
func TestLong(t *testing.T) {
	f := race("a.c", 30)
	for len(f.Steps) < 3*maxSteps {
		f.Steps = append(f.Steps, f.Steps[2])
	}
	flow := written(t, Log{Findings: []Finding{f}}).Results[0].CodeFlows[0]
	if flow.Message == nil || flow.Message.Text != "the last 5000 of 15000 steps" || len(flow.ThreadFlows[0].Locations) != maxSteps || flow.ThreadFlows[0].Locations[0].Order != 10001 {
		t.Errorf("message %v, %d steps", flow.Message, len(flow.ThreadFlows[0].Locations))
	}
}

// TestColumns counts characters, where the source can be read.
func TestColumns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ü.c")
	if err := os.WriteFile(file, []byte("\n/* äöü */ x++;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, column, want int }{{2, 14, 11}, {2, 3, 3}, {2, 99, 99}, {9, 4, 4}, {2, 0, 0}} {
		if got := newFiles("").column(Place{file, c.line, c.column}); got != c.want {
			t.Errorf("%d:%d: column %d, want %d", c.line, c.column, got, c.want)
		}
	}
}

// TestRules looks whether each property has a rule.
func TestRules(t *testing.T) {
	for _, name := range specialise.CheckNames {
		if r := rules[name]; r.name == "" || r.short == "" || r.full == "" || r.cwe == "" {
			t.Errorf("%s has no rule, or half of one: %v", name, r)
		}
	}
}

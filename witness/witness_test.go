package witness

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// violation is a witness as other tools write it: in another order of keys and style, without what may be missing.
const violation = `# a comment
- entry_type: violation_sequence
  content:
  - segment:
    - waypoint: {type: branching, action: avoid, constraint: {value: false}, location: {file_name: "a.c", line: 3}}
    - waypoint:
        action: follow
        type: function_return
        location: {line: 4, file_name: a.c, column: 20}
        constraint:
          format: ext_c_expression
          value: "\\result == 1"
        thread_id: 1
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 7}}
  metadata:
    format_version: "2.1"
    uuid: 01234567-89ab-4cde-8f01-23456789abcd
    creation_time: 2026-01-01T00:00:00Z
    producer: {name: another, version: "1"}
    task:
      input_files: [a.c]
      input_file_hashes: {}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: ILP32
      language: C
`

func TestRead(t *testing.T) {
	w, err := Read("w.yml", []byte(violation))
	if err != nil {
		t.Fatal(err)
	}
	e := w[0]
	if !w.IsViolation() || len(e.Segments) != 2 || len(e.Segments[0]) != 2 || e.Metadata.Created != "2026-01-01T00:00:00Z" {
		t.Fatalf("%+v", e)
	}
	p := e.Segments[0][1]
	if p.Type != FunctionReturn || *p.Thread != 1 || p.Constraint.Value != `\result == 1` || p.Location != (Location{File: "a.c", Line: 4, Column: 20}) || p.At.Line != 7 {
		t.Errorf("%+v", p)
	}
	if c := e.Segments[0][0].Constraint; c.Value != "false" {
		t.Errorf("%+v", c)
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{violation, "", "w.yml: the file is empty"},
		{violation, "- [", "no YAML"},
		{"action: avoid", "action: cycle", "w.yml:5:43: action: value must be one of"},
		{"type: function_return", "type: function", "w.yml:8:15: type: value must be one of"},
		{"line: 4,", "line: 0,", "w.yml:9:26: line: minimum"},
		{"line: 4, ", "", "location: missing property 'line'"},
		{`"2.1"`, `"3.0"`, "format_version: value must be one of"},
		{`"2.1"`, `2.1`, "format_version: value must be one of"},
		{`"2.1"`, `"2.0"`, "w.yml:7:9: format 2.0 has no thread_id"},
		{"uuid: 0", "uuid: z", "uuid: "},
		{"2026-01-01T00:00:00Z", "yesterday", "creation_time: "},
		{"ILP32", "LP32", "data_model: value must be one of"},
		{"value: false", "value: perhaps", "value: "},
		{"type: target, action: follow", "type: target, action: avoid", "action: value must be 'follow'"},
		{"type: target", "type: function_enter", "the last segment has no target"},
		{"        action: follow", "        action: avoid", "w.yml:5:17: a segment without a waypoint to follow"},
		{"        type: function_return", "        type: function_return\n        type: target", "w.yml:9:9: \"type\" is there twice"},
		{"location: {line: 4, file_name: a.c, column: 20}", "location: &x {line: 4, file_name: a.c}\n        thread: *x", "aliases of YAML"},
		{"# a comment", "---\n{}\n---", "there are more"},
	} {
		text := strings.Replace(violation, test.old, test.new, 1)
		_, err := Read("w.yml", []byte(text))
		var bad *Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: %v, not %s", test.new, test.old, err, test.want)
		}
	}
}

// TestHostile writes names and expressions with whatever YAML could stumble over.
func TestHostile(t *testing.T) {
	for _, name := range []string{"a\nb.c", `a"b'c.c`, "- x: [.c", "#.c", "{}: &a *b !c |.c", "true", "1", "\t\x01\u2028.c", "é\u00a0.c", ": ", "---", ""} {
		one := 1
		m := Metadata{Producer: Producer{Name: name, Version: name}, Task: Task{Files: []string{name}, Hashes: map[string]string{name: strings.Repeat("0", 64)},
			Specification: name, DataModel: "LP64", Language: "C"}}
		m.Stamp("2.2", time.Now())
		l := Location{File: name, Line: 1, Column: 2, Function: name}
		all := []Witness{
			{{Type: Violation, Metadata: m, Segments: []Segment{{{Type: Assumption, Action: Follow, Constraint: &Constraint{Value: "0 " + name}, Location: l, Thread: &one}}, {{Type: Target, Action: Follow, Location: l}}}}},
			{{Type: Invariants, Metadata: m, Invariants: []Invariant{{Type: LoopInvariant, Location: l, Value: "0 " + name, Format: CExpression}}},
				{Type: Ghosts, Metadata: m, Variables: []Variable{{Name: "g", Type: "int", Scope: "global", Initial: Constraint{"0", CExpression}}},
					Updates: []Update{{Location: l, Updates: []GhostUpdate{{"g", "1", CExpression}}}}}},
		}
		for _, w := range all {
			text, err := w.Encode()
			if err != nil {
				t.Fatal(err)
			}
			got, err := Read("w.yml", text)
			if err != nil {
				t.Errorf("%q: %v\n%s", name, err, text)
				continue
			}
			again, err := got.Encode()
			if err != nil || !bytes.Equal(again, text) || !reflect.DeepEqual(got[0].Metadata, w[0].Metadata) {
				t.Errorf("%q is read as another witness: %v\n%s", name, err, again)
			}
		}
	}
}

func TestIsWitness(t *testing.T) {
	for text, want := range map[string]bool{violation: true, `{"format": "comus-certificate"}`: false, "": false, "\n\n- x": true, "\n {": false} {
		if IsWitness([]byte(text)) != want {
			t.Errorf("%.20q: %v", text, !want)
		}
	}
}

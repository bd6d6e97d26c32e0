// Package witness reads and writes verification witnesses in format 2 (YAML), which verifiers exchange: of a
// violation, waypoints that an execution passes on the way to it; of correctness, invariants, with ghost variables
// for what several threads do. [Schema] says what a file has to look like, and what [Read] returns has been
// checked against it. What a witness means, and whether it is right, is for package comus to say.
package witness

import (
	"bytes"
	_ "embed"
	"fmt"
	"time"

	"github.com/google/uuid"
	"go.yaml.in/yaml/v3"
)

// Schema is the JSON schema of witnesses.
//
//go:embed schema.json
var Schema []byte

// The types of entries, waypoints and invariants.
const (
	Violation  = "violation_sequence"
	Invariants = "invariant_set"
	Ghosts     = "ghost_instrumentation"

	Assumption     = "assumption"
	Target         = "target"
	FunctionEnter  = "function_enter"
	FunctionReturn = "function_return"
	Branching      = "branching"

	Follow = "follow"
	Avoid  = "avoid"

	LoopInvariant     = "loop_invariant"
	LocationInvariant = "location_invariant"

	CExpression    = "c_expression"
	ExtCExpression = "ext_c_expression" // with \result
)

// Witness is a file: entries, all of a violation, or all of correctness.
type Witness []*Entry

// Entry is a list of segments, of invariants, or ghost variables.
type Entry struct {
	Type       string
	Metadata   Metadata
	Segments   []Segment   // of Violation
	Invariants []Invariant // of Invariants
	Variables  []Variable  // of Ghosts
	Updates    []Update
}

// Metadata is the provenance of an entry.
type Metadata struct {
	Version  string   `yaml:"format_version"`
	UUID     string   `yaml:"uuid"`
	Created  string   `yaml:"creation_time"`
	Producer Producer `yaml:"producer"`
	Task     Task     `yaml:"task"`
}

// Producer is the tool that made an entry.
type Producer struct {
	Name          string `yaml:"name"`
	Version       string `yaml:"version"`
	Configuration string `yaml:"configuration,omitempty"`
	CommandLine   string `yaml:"command_line,omitempty"`
	Description   string `yaml:"description,omitempty"`
}

// Task is what was verified.
type Task struct {
	Files         []string          `yaml:"input_files"`
	Hashes        map[string]string `yaml:"input_file_hashes"` // SHA-256
	Specification string            `yaml:"specification"`
	DataModel     string            `yaml:"data_model"`
	Language      string            `yaml:"language"`
}

// Location is a place in a source file.
type Location struct {
	File     string `yaml:"file_name"`
	Line     int    `yaml:"line"`
	Column   int    `yaml:"column,omitempty"` // 0: the leftmost one that fits
	Function string `yaml:"function,omitempty"`
}

// String returns "file:line:col", in one line.
func (l Location) String() string {
	s := fmt.Sprintf("%s:%d", l.File, l.Line)
	if l.Column > 0 {
		s += fmt.Sprintf(":%d", l.Column)
	}
	return s
}

// Segment is one part of an execution: it does not pass the waypoints to avoid, and ends with those to follow.
type Segment []Waypoint

// Waypoint is a place that executions pass, with what holds there.
type Waypoint struct {
	Type       string      `yaml:"type"`
	Action     string      `yaml:"action"`
	Constraint *Constraint `yaml:"constraint,omitempty"`
	Location   Location    `yaml:"location"`
	Thread     *int        `yaml:"thread_id,omitempty"`
	At         At          `yaml:"-"`
}

// Constraint is an expression: that holds, or whose value a branch depends on.
type Constraint struct {
	Value  string `yaml:"value"`
	Format string `yaml:"format,omitempty"`
}

// Invariant is an expression that holds whenever control is at a place.
type Invariant struct {
	Type     string   `yaml:"type"`
	Location Location `yaml:"location"`
	Value    string   `yaml:"value"`
	Format   string   `yaml:"format"`
	Labels   []string `yaml:"labels,omitempty"`
	At       At       `yaml:"-"`
}

// Variable is a ghost variable: one that is there for the proof alone.
type Variable struct {
	Name    string     `yaml:"name"`
	Type    string     `yaml:"type"`
	Scope   string     `yaml:"scope"`
	Initial Constraint `yaml:"initial"`
	At      At         `yaml:"-"`
}

// Update is what a statement does to ghost variables, in the same step.
type Update struct {
	Location Location      `yaml:"location"`
	Updates  []GhostUpdate `yaml:"updates"`
	At       At            `yaml:"-"`
}

// GhostUpdate is an assignment to a ghost variable.
type GhostUpdate struct {
	Variable string `yaml:"variable"`
	Value    string `yaml:"value"`
	Format   string `yaml:"format"`
}

// At is a place in the witness itself.
type At struct{ Line, Col int }

// IsViolation reports whether the witness is one of a violation.
func (w Witness) IsViolation() bool { return w[0].Type == Violation }

// Stamp fills in what makes an entry one of its own: format, identity and time.
func (m *Metadata) Stamp(version string, now time.Time) {
	m.Version, m.UUID, m.Created = version, uuid.NewString(), now.UTC().Format(time.RFC3339)
}

// The forms in which contents are written.
type (
	wrappedSegment struct {
		Segment []wrappedWaypoint `yaml:"segment"`
	}
	wrappedWaypoint struct {
		Waypoint Waypoint `yaml:"waypoint"`
	}
	wrappedInvariant struct {
		Invariant Invariant `yaml:"invariant"`
	}
	ghosts struct {
		Variables []Variable `yaml:"ghost_variables"`
		Updates   []Update   `yaml:"ghost_updates"`
	}
	written struct {
		Type     string   `yaml:"entry_type"`
		Metadata Metadata `yaml:"metadata"`
		Content  any      `yaml:"content"`
	}
)

// Encode returns the text of a witness.
func (w Witness) Encode() ([]byte, error) {
	var list []written
	for _, e := range w {
		out := written{Type: e.Type, Metadata: e.Metadata}
		switch e.Type {
		case Violation:
			var segments []wrappedSegment
			for _, s := range e.Segments {
				var one wrappedSegment
				for _, p := range s {
					one.Segment = append(one.Segment, wrappedWaypoint{p})
				}
				segments = append(segments, one)
			}
			out.Content = segments
		case Invariants:
			list := []wrappedInvariant{}
			for _, i := range e.Invariants {
				list = append(list, wrappedInvariant{i})
			}
			out.Content = list
		case Ghosts:
			out.Content = ghosts{e.Variables, e.Updates}
		}
		list = append(list, out)
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(list); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}

package check

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"comus/ir"
	"comus/logic"
)

// racy is a program with a lost update and a schedule that shows it.
func racy() (*ir.Program, ir.Schedule) {
	p := ir.NewProgram("racy")
	l := p.L
	x := newVar(p, "x", ir.Shared)
	start := p.NewVar("start", int8s, ir.Shared)
	var edges []*ir.Edge
	for i := range 2 {
		t := p.NewThread("t")
		r := newVar(p, []string{"r0", "r1"}[i], i)
		end := chain(t, do(ir.AssignCmd(r, x.Sym), ir.AssumeCmd(l.Ge(start.Sym, l.Int(0)))), do(ir.HavocCmd(x, "input")))
		fail(t, end, l.And(l.Eq(x.Sym, l.Int(4)), l.Eq(start.Sym, l.Int(9))))
		t.Edges(func(e *ir.Edge) { edges = append(edges, e) })
	}
	in := func(v int64) []logic.Value { return []logic.Value{logic.IntValue(v)} }
	return p, ir.Schedule{Init: map[int]logic.Value{start.Index: logic.IntValue(9)}, Steps: []ir.Step{
		{Edge: edges[0]}, {Edge: edges[3]}, {Edge: edges[1], Inputs: in(3)}, {Edge: edges[4], Inputs: in(4)}, {Edge: edges[2]}}}
}

func TestUnsafe(t *testing.T) {
	p, sched := racy()
	c := &Certificate{Format: Format, Version: Version, Verdict: "UNSAFE", Schedule: NewSchedule(p, sched)}
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	c, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Unsafe(p, c)
	if err != nil || tr.Error == nil || len(tr.Steps) != 5 {
		t.Errorf("Unsafe: %v, %+v", err, tr)
	}
}

func TestUnsafeRejects(t *testing.T) {
	tests := []struct {
		name   string
		change func(c *Certificate)
		want   string
	}{
		{"verdict", func(c *Certificate) { c.Verdict = "SAFE" }, "not one of a violation"},
		{"no schedule", func(c *Certificate) { c.Schedule = nil }, "not one of a violation"},
		{"no steps", func(c *Certificate) { c.Schedule.Steps = nil }, "no thread is at an error"},
		{"step missing", func(c *Certificate) { c.Schedule.Steps = c.Schedule.Steps[:4] }, "no thread is at an error"},
		{"first step missing", func(c *Certificate) { c.Schedule.Steps = c.Schedule.Steps[1:] }, "step not possible"},
		{"swapped", func(c *Certificate) { s := c.Schedule.Steps; s[0], s[2] = s[2], s[0] }, "step not possible"},
		{"unknown variable", func(c *Certificate) { c.Schedule.Init["q"] = "0" }, `no variable "q"`},
		{"no number", func(c *Certificate) { c.Schedule.Init["start"] = "nine" }, `cannot start as "nine"`},
		{"other start", func(c *Certificate) { c.Schedule.Init["start"] = "8" }, "step not possible"},
		{"start outside the type", func(c *Certificate) { c.Schedule.Init["start"] = "900" }, "out of range"},
		{"start of a variable that has one", func(c *Certificate) { c.Schedule.Init["x"] = "1" }, "starts as 0"},
		{"unknown thread", func(c *Certificate) { c.Schedule.Steps[0].Thread = 2 }, "no thread 2"},
		{"negative thread", func(c *Certificate) { c.Schedule.Steps[0].Thread = -1 }, "no thread -1"},
		{"unknown location", func(c *Certificate) { c.Schedule.Steps[0].From = 4 }, "no location 4"},
		{"negative location", func(c *Certificate) { c.Schedule.Steps[0].From = -4 }, "no location -4"},
		{"unknown edge", func(c *Certificate) { c.Schedule.Steps[0].Edge = 1 }, "no edge 1"},
		{"negative edge", func(c *Certificate) { c.Schedule.Steps[0].Edge = -1 }, "no edge -1"},
		{"no input", func(c *Certificate) { c.Schedule.Steps[2].Inputs = nil }, "step not possible"},
		{"bad input", func(c *Certificate) { c.Schedule.Steps[2].Inputs[0] = "?" }, "is no input"},
		{"input outside the type", func(c *Certificate) { c.Schedule.Steps[2].Inputs[0] = "256" }, "step not possible"},
	}
	for _, tt := range tests {
		p, sched := racy()
		c := &Certificate{Verdict: "UNSAFE", Schedule: NewSchedule(p, sched)}
		c.Schedule.Steps = slices.Clone(c.Schedule.Steps)
		tt.change(c)
		if _, err := Unsafe(p, c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := Unsafe(nil, nil); err == nil {
		t.Error("accepted nothing")
	}
}

func TestRead(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", `{"format":"comus-certificate","version":2}`, `{"format":"x","version":3}`,
		`{"format":"comus-certificate","version":3,"extra":1}`, `{"format":"comus-certificate","version":3,"runs":3}`} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q accepted", text)
		}
	}
}

package interp_test

import (
	"errors"
	"strings"
	"testing"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// sample is
//
//	unsigned char x;            // any value at first
//	int tmp = 0;                // a temporary of thread 0
//	thread 0: x = input(); atomic { tmp = x; x = tmp + 1; } assert(x != 7);
//	thread 1: x = 6;
//
// where x + 1 is not wrapped, an error if x is 255.
type sample struct {
	p                              *ir.Program
	x, tmp                         *ir.Var
	input, load, incr, fail, other *ir.Edge
}

func newSample() *sample {
	p := ir.NewProgram("f.c")
	s := &sample{p: p, x: p.NewVar("g.x", ir.Type{Bits: 8}, ir.Shared), tmp: p.NewVar("tmp", ir.Type{Bits: 32, Signed: true}, 0)}
	s.x.Source, s.tmp.Source, s.tmp.Init = "x", "", new(logic.Value)
	t := p.NewThread("main")
	l := []*ir.Loc{t.Entry}
	for range 4 {
		l = append(l, t.NewLoc(ir.Pos{}))
	}
	at := func(line int) ir.Pos { return ir.Pos{File: "f.c", Line: line} }
	L := p.L
	s.input = t.NewEdge(l[0], l[1], at(1), "x = input()", ir.HavocCmd(s.x, "input"))
	s.load = t.NewEdge(l[1], l[2], at(2), "", ir.AssignCmd(s.tmp, s.x.Sym))
	s.incr = t.NewEdge(l[2], l[3], at(2), "x++", ir.AssignCmd(s.x, L.Add(s.tmp.Sym, L.Int(1))))
	s.fail = t.NewEdge(l[3], l[4], at(3), "", ir.AssumeCmd(L.Eq(s.x.Sym, L.Int(7))))
	l[2].Atomic = true
	l[4].Error, l[4].Pos, l[4].Text = true, at(3), "assert(x != 7)"

	u := p.NewThread("other")
	s.other = u.NewEdge(u.Entry, u.NewLoc(ir.Pos{}), at(9), "x = 6", ir.AssignCmd(s.x, L.Int(6)))
	return s
}

func step(e *ir.Edge, inputs ...int64) ir.Step {
	st := ir.Step{Edge: e}
	for _, v := range inputs {
		st.Inputs = append(st.Inputs, logic.IntValue(v))
	}
	return st
}

func TestReplay(t *testing.T) {
	s := newSample()
	foreign := newSample()
	tests := []struct {
		name  string
		init  map[int]logic.Value
		steps []ir.Step
		want  string // part of the error; "" for none
		is    error
	}{
		{"input 6", nil, []ir.Step{step(s.input, 6), step(s.load), step(s.incr), step(s.fail)}, "", nil},
		{"other thread's 6", map[int]logic.Value{0: logic.IntValue(255)},
			[]ir.Step{step(s.input, 0), step(s.other), step(s.load), step(s.incr), step(s.fail)}, "", nil},
		{"no error", nil, []ir.Step{step(s.input, 6), step(s.load)}, "no thread is at an error location after the 2 steps", nil},
		{"assumption", nil, []ir.Step{step(s.input, 5), step(s.load), step(s.incr), step(s.fail)},
			"step 4 of 4: thread 0 (main), L3 -> L4: assume(g.x == 7);  // f.c:3: step not possible: assume(g.x == 7) does not hold", interp.ErrBlocked},
		{"out of range", nil, []ir.Step{step(s.input, 255), step(s.load), step(s.incr)},
			"value out of range: g.x has type uint8, and g.x = tmp + 1 is 256", interp.ErrOutOfRange},
		{"atomic", nil, []ir.Step{step(s.input, 6), step(s.load), step(s.other)}, "in an atomic section", interp.ErrBlocked},
		{"wrong place", nil, []ir.Step{step(s.load)}, "no thread is at L1 of thread 0", interp.ErrBlocked},
		{"edge of another program", nil, []ir.Step{step(foreign.input, 6)}, "no thread is at L0", interp.ErrBlocked},
		{"edge not in the program", nil, []ir.Step{step(&ir.Edge{From: s.input.From, To: s.input.To})}, "not in the program", interp.ErrBlocked},
		{"no edge", nil, []ir.Step{{}}, "step 1 of 1: no edge", nil},
		{"open input", nil, []ir.Step{step(s.input)}, "1 inputs, 0 given", interp.ErrBlocked},
		{"too many inputs", nil, []ir.Step{step(s.input, 1), step(s.load, 2)}, "0 inputs, 1 given", interp.ErrBlocked},
		{"input not of its type", nil, []ir.Step{step(s.input, -1)}, "input -1 is no value of type uint8", interp.ErrBlocked},
		{"initial value not of its type", map[int]logic.Value{0: logic.IntValue(256)}, nil, "initial value 256 for g.x", interp.ErrOutOfRange},
		{"initial value of an initialised variable", map[int]logic.Value{1: logic.IntValue(1)}, nil, "for tmp, which starts as 0", nil},
		{"initial value of no variable", map[int]logic.Value{2: logic.IntValue(1)}, nil, "variable 2, which does not exist", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := interp.Replay(s.p, ir.Schedule{Init: tt.init, Steps: tt.steps})
			if tt.want == "" {
				if err != nil || tr.Error == nil || len(tr.Steps) != len(tt.steps) {
					t.Errorf("error %v, trace %v", err, tr)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v, want %q wrapping %v", err, tt.want, tt.is)
			}
		})
	}
}

func TestTraceText(t *testing.T) {
	s := newSample()
	tr, err := interp.Replay(s.p, ir.Schedule{Steps: []ir.Step{step(s.input, 1), step(s.other), step(s.load), step(s.incr), step(s.fail)}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `  1  thread 0 (main)  f.c:1  x = input()  [input() = 1, x: 0 -> 1]
  2  thread 1 (other)  f.c:9  x = 6  [x: 1 -> 6]
  3  thread 0 (main)  f.c:2  tmp = g.x
  4  thread 0 (main)  f.c:2  x++  [x: 6 -> 7]
  5  thread 0 (main)  f.c:3  assume(g.x == 7)
error in thread 0 at f.c:3: assert(x != 7)
`
	if got := tr.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lost, err := interp.Run(s.p, ir.Schedule{Steps: []ir.Step{step(s.other), step(s.input, 6)}})
	if err != nil || lost.Steps[1].Changes[0].String() != "x: 6 -> 6" {
		t.Errorf("a write that changes nothing: %v, error %v", lost, err)
	}
	if got := tr.Steps[2].Changes[0].String(); got != "tmp: 0 -> 6" {
		t.Errorf("change of a temporary: %q", got)
	}
	if got := tr.Final.Value(s.x); got != logic.IntValue(7) {
		t.Errorf("x is %v at the end", got)
	}
}

func TestEnabled(t *testing.T) {
	s := newSample()
	tests := []struct {
		name  string
		steps []ir.Step
		want  []*ir.Edge
	}{
		{"initially", nil, []*ir.Edge{s.input, s.other}},
		{"in the atomic section", []ir.Step{step(s.input, 6), step(s.load)}, []*ir.Edge{s.incr}},
		{"assumption holds", []ir.Step{step(s.input, 6), step(s.load), step(s.incr)}, []*ir.Edge{s.fail, s.other}},
		{"assumption does not hold", []ir.Step{step(s.input, 5), step(s.load), step(s.incr)}, []*ir.Edge{s.other}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := interp.Run(s.p, ir.Schedule{Steps: tt.steps})
			if err != nil {
				t.Fatal(err)
			}
			got := interp.Enabled(s.p, tr.Final)
			if len(got) != len(tt.want) {
				t.Fatalf("%v, want %v", got, tt.want)
			}
			for i, e := range got {
				if e != tt.want[i] {
					t.Errorf("edge %d is %v, want %v", i, e, tt.want[i])
				}
			}
		})
	}
}

func TestStepLeavesTheStateAlone(t *testing.T) {
	s := newSample()
	before, err := interp.Initial(s.p, nil)
	if err != nil {
		t.Fatal(err)
	}
	after, err := interp.Step(s.p, before, s.other, nil)
	if err != nil {
		t.Fatal(err)
	}
	if before.Value(s.x).Bool() || before.Locs[1] != s.other.From || after.Value(s.x) != logic.IntValue(6) || after.Locs[1] != s.other.To {
		t.Errorf("before %v, after %v", before, after)
	}
}

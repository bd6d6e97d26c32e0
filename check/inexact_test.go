package check

import (
	"errors"
	"testing"

	"comus/ir"
	"comus/logic"
)

// TestInexact takes executions of one thread that pass approximations: what decides is whether
// an assumption depends on the values that they chose.
func TestInexact(t *testing.T) {
	p := ir.NewProgram("f.c")
	l := p.L
	typ, zero := ir.Type{Bits: 8}, logic.Value{}
	variable := func(name string) *ir.Var {
		v := p.NewVar(name, typ, 0)
		v.Init = &zero
		return v
	}
	any, i, a0, a1 := variable("any"), variable("i"), variable("a0"), variable("a1")
	is := func(v *ir.Var, k int64) *logic.Term { return l.Eq(v.Sym, l.Int(k)) }
	assume, set := ir.AssumeCmd, ir.AssignCmd
	store := []ir.Cmd{set(a0, l.Ite(is(i, 0), any.Sym, a0.Sym)), set(a1, l.Ite(is(i, 1), any.Sym, a1.Sym))} // a[i] = any
	for name, tt := range map[string]struct {
		exact bool
		cmds  []ir.Cmd // after any was chosen; it is 5
	}{
		"not read":           {true, nil},
		"read":               {false, []ir.Cmd{assume(is(any, 5))}},
		"read and true":      {false, []ir.Cmd{assume(l.Le(any.Sym, l.Int(9)))}},
		"copied":             {false, []ir.Cmd{set(i, any.Sym), assume(is(i, 5))}},
		"computed from":      {false, []ir.Cmd{set(i, l.Add(any.Sym, l.Int(2))), assume(is(i, 7))}},
		"overwritten":        {true, []ir.Cmd{set(any, l.Int(1)), assume(is(any, 1))}},
		"copied, then not":   {true, []ir.Cmd{set(i, any.Sym), set(i, l.Int(2)), assume(is(i, 2))}},
		"another cell":       {true, append(store[:2:2], assume(is(a1, 0)))},
		"the cell":           {false, append(store[:2:2], assume(is(a0, 5)))},
		"the index":          {false, append([]ir.Cmd{set(i, any.Sym)}, append(store[:2:2], assume(is(a1, 0)))...)},
		"beside what is so":  {true, []ir.Cmd{assume(l.Or(is(any, 5), is(i, 0)))}},
		"beside what is not": {false, []ir.Cmd{assume(l.Or(is(any, 5), is(i, 1)))}},
		"not both":           {true, []ir.Cmd{assume(l.Not(l.And(is(any, 6), is(i, 1))))}},
		"perhaps both":       {false, []ir.Cmd{assume(l.Not(l.And(is(any, 6), is(i, 0))))}},
	} {
		p.Threads = nil
		th := p.NewThread("main")
		x, y := th.NewLoc(ir.Pos{}), th.NewLoc(ir.Pos{})
		y.Error = true
		choose := th.NewEdge(th.Entry, x, ir.Pos{File: "f.c", Line: 3}, "", ir.HavocCmd(any, ""))
		choose.Approx = "anything"
		then := th.NewEdge(x, y, ir.Pos{}, "", tt.cmds...)
		sched := ir.Schedule{Steps: []ir.Step{{Edge: choose, Inputs: []logic.Value{logic.IntValue(5)}}, {Edge: then}}}
		cert := &Certificate{Verdict: "UNSAFE", Schedule: NewSchedule(p, sched)}
		_, err := Unsafe(p, cert)
		var in *Inexact
		switch {
		case tt.exact && err != nil:
			t.Errorf("%s: %v", name, err)
		case !tt.exact && (!errors.As(err, &in) || err.Error() != "the execution depends on anything (f.c:3)" || in.Trace.Error != y):
			t.Errorf("%s: %v", name, err)
		}
		then.Approx = "a jump" // which is perhaps none, whatever the values
		if _, err = Unsafe(p, cert); !errors.As(err, &in) || in.On[len(in.On)-1].Name != "a jump" {
			t.Errorf("%s, then a step that is perhaps none: %v", name, err)
		}
	}
}

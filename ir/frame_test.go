package ir_test

import (
	"bytes"
	"fmt"
	"testing"

	"comus/ir"
)

func TestStack(t *testing.T) {
	at := func(line int) ir.Pos { return ir.Pos{File: "f.c", Line: line} }
	main := &ir.Frame{Func: "main", Starts: true}
	spawn := &ir.Frame{Func: "spawn", Call: at(1), Caller: main}
	first := &ir.Frame{Func: "first", Call: at(2), Caller: spawn, Starts: true}
	second := &ir.Frame{Func: "second", Call: at(3), Caller: first, Starts: true}
	sort := &ir.Frame{Func: "qsort", Library: true, Call: at(4), Caller: second}
	compare := &ir.Frame{Func: "compare", Caller: sort}
	for _, tt := range []struct {
		in   *ir.Frame
		want string
	}{
		{nil, "[] []"},
		{main, "[{main f.c:9}] []"},
		{spawn, "[{spawn f.c:9} {main f.c:1}] []"},
		{first, "[{first f.c:9}] [{spawn f.c:2} {main f.c:1}]"},
		{second, "[{second f.c:9}] [{first f.c:3}]"}, // not who created its creator
		{sort, "[{qsort ?} {second f.c:4}] [{first f.c:3}]"},
		{compare, "[{compare f.c:9} {qsort ?} {second f.c:4}] [{first f.c:3}]"},
	} {
		calls, created := tt.in.Stack(at(9))
		if got := fmt.Sprint(calls, created); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestEncodeFrames sees that activations stay shared.
func TestEncodeFrames(t *testing.T) {
	p := ir.NewProgram("f.c")
	th := p.NewThread("main")
	end := th.NewLoc(ir.Pos{})
	main := &ir.Frame{Func: "main", Starts: true}
	end.Error, end.Frame = true, &ir.Frame{Func: "f", Call: ir.Pos{File: "f.c", Line: 1}, Caller: main}
	e := th.NewEdge(th.Entry, end, ir.Pos{}, "")
	e.Tells = &ir.Place{Pos: ir.Pos{File: "f.c", Line: 2}, Text: "x = 1", In: main}
	var b bytes.Buffer
	if err := p.Encode(&b); err != nil {
		t.Fatal(err)
	}
	q, err := ir.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	f := q.Threads[0].Entry.Out[0]
	if f.Tells.Pos != e.Tells.Pos || f.Tells.Text != "x = 1" || f.To.Frame.Caller != f.Tells.In ||
		fmt.Sprint(f.To.Frame.Stack(ir.Pos{})) != fmt.Sprint(end.Frame.Stack(ir.Pos{})) {
		t.Errorf("told %+v in %+v, error in %+v", f.Tells, f.Tells.In, f.To.Frame)
	}
}

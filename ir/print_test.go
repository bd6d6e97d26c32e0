package ir

import (
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	s := newSample()
	s.p.Assumptions = []string{"no signed overflow"}
	s.p.Bounded = []string{"at most 1 thread"}
	const want = `program f.c
assumption: no signed overflow
bounded: at most 1 thread

shared int32 x = 0
shared int32 y = 0
shared int32 m = 0
thread 1 int32 worker.tmp = any  // temporary
shared flag created1 = 0
shared flag ended1 = 0

thread 0 main
  L0 entry:
    L0 -> L1: [create 1] created1 = 1;  // f.c:10:3 pthread_create(worker)
  L1:
    L1 -> L2: x = __VERIFIER_nondet_int();  // f.c:11:3 x = __VERIFIER_nondet_int()
  L2:
    L2 -> L3: [join 1] assume(ended1 == 1);  // f.c:12:3
  L3:
    L3 -> L4: assume(x != 0);  // f.c:13:3
  L4 error assert(x == 0):  // f.c:13:3

thread 1 worker created=created1 ended=ended1
  L0 entry:
    L0 -> L1: [start] assume(created1 == 1);
  L1:
    L1 -> L2: [lock m] assume(m == 0); m = 2;  // f.c:2:3
  L2:
    L2 -> L3: worker.tmp = x;  // f.c:3:3 tmp = x
  L3 atomic:
    L3 -> L4: [unlock m] assume(m == 2); m = 0;  // f.c:4:3
  L4:
    L4 -> L5: [end] ended1 = 1;
  L5: end
`
	if got := s.p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var b strings.Builder
	if err := s.p.Fprint(&b); err != nil || b.String() != want {
		t.Errorf("Fprint: %v, %q", err, b.String())
	}
}

func TestPrintParts(t *testing.T) {
	s := newSample()
	s.x.Source = "X"
	tests := []struct{ got, want string }{
		{Pos{}.String(), "?"},
		{Pos{File: "f.c"}.String(), "f.c"},
		{Pos{File: "f.c", Line: 3}.String(), "f.c:3"},
		{Pos{Line: 3, Col: 4}.String(), "3:4"},
		{Type{Bits: 8}.String(), "uint8"},
		{Type{Bits: 1, Signed: true}.String(), "int1"},
		{HavocCmd(s.x, "").String(), "x = *"},
		{Cmd{Kind: Assume}.String(), "assume(<nil>)"},
		{Cmd{Kind: Havoc}.String(), "<nil> = *"},
		{EdgeKind(42).String(), "EdgeKind(42)"},
		{s.p.describeVar(s.x), "shared int32 x = 0  // X"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

package passes_test

import (
	"testing"

	"comus/ir"
)

// TestSliceInitial gives a shared variable a first value if every way to a read of it leads over a write, and only then.
func TestSliceInitial(t *testing.T) {
	for _, written := range []bool{true, false} {
		p := ir.NewProgram("t.c")
		main := p.NewThread("main")
		lock := p.NewVar("lock", ir.Type{Bits: 32, Signed: true}, ir.Shared)
		from := main.Entry
		if written {
			from = main.NewLoc(ir.Pos{})
			main.NewEdge(main.Entry, from, ir.Pos{}, "", ir.AssignCmd(lock, p.L.Int(3)))
		}
		bad := main.NewLoc(ir.Pos{})
		bad.Error = true
		main.NewEdge(from, bad, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(lock.Sym, p.L.Int(3))))
		r := run(t, p, "slice")
		if got := r.Program.Vars[0].Init; (got != nil) != written || got != nil && got.Sign() != 0 {
			t.Errorf("written: %v, first value: %v", written, got)
		}
		if lock.Init != nil {
			t.Error("the program that was given has changed")
		}
	}
}

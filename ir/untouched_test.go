package ir

import (
	"maps"
	"slices"
	"testing"

	"comus/logic"
)

// TestReadUnwritten looks at a program in which main creates a thread that reads x; edit adds the rest, between main's
// beginning and the creation.
func TestReadUnwritten(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc
		want []string
	}{
		{"written before the creation", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc {
			return step(main, at, AssignCmd(x, p.L.Int(1)))
		}, nil},
		{"written in one command, read in the next", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc {
			return step(main, at, HavocCmd(y, ""), AssignCmd(x, y.Sym))
		}, nil},
		{"read in the command that writes", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc {
			return step(main, at, AssignCmd(x, p.L.Add(x.Sym, p.L.Int(1))))
		}, []string{"x"}},
		{"computed from another one", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc {
			return step(main, at, AssignCmd(x, y.Sym))
		}, []string{"y"}},
		{"written on one way only", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc {
			to := step(main, at, AssignCmd(x, p.L.Int(1)))
			main.NewEdge(at, to, Pos{}, "")
			return to
		}, []string{"x"}},
		{"never written", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc { return at }, []string{"x"}},
		{"created before, too", func(p *Program, main *Thread, at *Loc, x, y *Var) *Loc {
			to := step(main, at, AssignCmd(p.Threads[1].Created, p.L.Int(1)))
			return step(main, to, AssignCmd(x, p.L.Int(1)))
		}, []string{"x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := NewProgram("t.c")
			main, f := p.NewThread("main"), p.NewThread("f")
			x, y := p.NewVar("x", Type{Bits: 8}, Shared), p.NewVar("y", Type{Bits: 8}, Shared)
			f.Created = p.NewVar("created1", Flag, Shared)
			f.Created.Init = &logic.Value{}
			end := tt.edit(p, main, main.Entry, x, y)
			step(main, end, AssignCmd(f.Created, p.L.Int(1)))
			step(f, f.Entry, AssumeCmd(p.L.Eq(x.Sym, p.L.Int(0))))
			var got []string
			for v := range maps.Keys(p.ReadUnwritten()) {
				got = append(got, v.Name)
			}
			if slices.Sort(got); !slices.Equal(got, tt.want) {
				t.Errorf("%v instead of %v", got, tt.want)
			}
		})
	}
}

// step adds an edge to a new location, which it returns.
func step(t *Thread, from *Loc, cmds ...Cmd) *Loc {
	to := t.NewLoc(Pos{})
	t.NewEdge(from, to, Pos{}, "", cmds...)
	return to
}

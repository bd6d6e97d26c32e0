package wp_test

import (
	"testing"

	"comus/examples/gen"
	"comus/internal/genprog"
	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/wp"
	"comus/z3"
)

// path returns the commands of a shortest path through a thread, and its program.
func path(b *testing.B) (*ir.Program, []ir.Cmd) {
	b.Helper()
	p := genprog.Program(b, "mat", gen.Options{Threads: 6})
	t := p.Threads[1]
	came := map[*ir.Loc]*ir.Edge{}
	queue := []*ir.Loc{t.Entry}
	var last *ir.Loc
	for len(queue) > 0 && last == nil {
		l := queue[0]
		queue = queue[1:]
		for _, e := range l.Out {
			if came[e.To] == nil && e.To != t.Entry && !e.To.Error {
				came[e.To] = e
				queue = append(queue, e.To)
			}
			if e.Kind == ir.End {
				last = e.To
			}
		}
	}
	var cmds []ir.Cmd
	for l := last; l != t.Entry; l = came[l].From {
		cmds = append(append([]ir.Cmd{}, came[l].Cmds...), cmds...)
	}
	if len(cmds) < 50 {
		b.Fatalf("a path of %d commands", len(cmds))
	}
	return p, cmds
}

// goal is about the path's end.
func goal(p *ir.Program) *logic.Term {
	for _, v := range p.Vars {
		if v.Source == "S[0][0]" {
			return p.L.Ge(v.Sym, p.L.Int(7))
		}
	}
	return p.L.True()
}

// BenchmarkExec runs a path symbolically.
func BenchmarkExec(b *testing.B) {
	p, cmds := path(b)
	for b.Loop() {
		x := wp.NewExec(p.L, true)
		x.Run(cmds)
	}
}

// BenchmarkPre computes a weakest precondition.
func BenchmarkPre(b *testing.B) {
	p, cmds := path(b)
	post := goal(p)
	for b.Loop() {
		wp.Pre(p.L, cmds, post)
	}
}

// BenchmarkProject eliminates the inputs of a weakest precondition.
func BenchmarkProject(b *testing.B) {
	p, cmds := path(b)
	f, inputs := wp.Pre(p.L, cmds, goal(p))
	var elim []*logic.Term
	for _, in := range inputs {
		elim = append(elim, in.Sym)
	}
	s, err := smt.NewSolver(p.L)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	st, m, err := s.Check(b.Context(), f)
	if st != z3.Sat {
		b.Fatal(st, err)
	}
	for b.Loop() {
		wp.Project(p.L, f, elim, m.Value)
	}
	b.ReportMetric(float64(len(elim)), "variables")
}

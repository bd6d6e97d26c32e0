package smt_test

import (
	"fmt"
	"testing"

	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// chain builds x0 >= 0, and for each i that x(i+1) is xi+1 or xi+2; its end is below
// n: together unsatisfiable.
func chain(l *logic.Store, n int) []*logic.Term {
	x := func(i int) *logic.Term { return l.Var(fmt.Sprint("x", i), logic.Int) }
	fs := []*logic.Term{l.Ge(x(0), l.Int(0)), l.Lt(x(n), l.Int(int64(n)))}
	for i := range n {
		fs = append(fs, l.Or(l.Eq(x(i+1), l.Add(x(i), l.Int(1))), l.Eq(x(i+1), l.Add(x(i), l.Int(2)))))
	}
	return fs
}

// BenchmarkTranslate gives formulas to solvers that have seen none of their terms.
func BenchmarkTranslate(b *testing.B) {
	l := logic.NewStore()
	fs := chain(l, 300)
	for b.Loop() {
		s, err := smt.NewSolver(l)
		if err != nil {
			b.Fatal(err)
		}
		s.Assert(fs...)
		s.Close()
	}
}

// BenchmarkCheck decides formulas, half of them unsatisfiable, with a solver that is
// kept.
func BenchmarkCheck(b *testing.B) {
	l := logic.NewStore()
	s, err := smt.NewSolver(l)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	fs := chain(l, 30)
	for b.Loop() {
		for i, want := range []z3.Status{z3.Unsat, z3.Sat} {
			if st, _, err := s.Check(b.Context(), fs[i:]...); st != want {
				b.Fatal(st, err)
			}
		}
	}
}

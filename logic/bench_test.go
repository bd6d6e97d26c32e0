package logic

import (
	"fmt"
	"testing"
)

// transitions builds a formula like the relation of a program's steps: for each of n
// locations, where control goes and what happens to two sums.
func transitions(s *Store, n int) *Term {
	pc, next := s.Var("pc", Int), s.Var("pc2", Int)
	var parts []*Term
	for i := range n {
		x, y := s.Var(fmt.Sprint("x", i%20), Int), s.Var(fmt.Sprint("y", i%20), Int)
		at := s.Eq(pc, s.Int(int64(i)))
		step := s.And(s.Eq(next, s.Int(int64(i+1))), s.Le(s.Add(x, y, s.Int(int64(i))), s.Ite(at, s.Add(y, s.Int(1)), x)))
		parts = append(parts, s.Or(s.Not(at), step))
	}
	return s.And(parts...)
}

const benchLocations = 500

// BenchmarkIntern builds terms that are all new.
func BenchmarkIntern(b *testing.B) {
	for b.Loop() {
		transitions(NewStore(), benchLocations)
	}
}

// BenchmarkInternAgain builds terms that are all there.
func BenchmarkInternAgain(b *testing.B) {
	s := NewStore()
	transitions(s, benchLocations)
	for b.Loop() {
		transitions(s, benchLocations)
	}
}

// BenchmarkSubst replaces some of the variables by sums.
func BenchmarkSubst(b *testing.B) {
	s := NewStore()
	f := transitions(s, benchLocations)
	sub := map[*Term]*Term{}
	for i := range 10 {
		sub[s.Var(fmt.Sprint("x", i), Int)] = s.Add(s.Var(fmt.Sprint("y", i), Int), s.Var("z", Int), s.Int(3))
	}
	for b.Loop() {
		s.Subst(f, sub)
	}
}

// BenchmarkParse reads what a certificate has.
func BenchmarkParse(b *testing.B) {
	s := NewStore()
	text := transitions(s, benchLocations).SMTLIB()
	for b.Loop() {
		if _, err := s.Parse(text, func(string) (Sort, bool) { return Int, true }); err != nil {
			b.Fatal(err)
		}
	}
}

package z3

import (
	"context"
	"errors"
	"testing"
	"time"
)

// newTestContext returns a context that is closed at the end of the test,
// which fails if an error has been recorded by then.
func newTestContext(t testing.TB) *Context {
	t.Helper()
	c, err := NewContext(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Err(); err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("error left in the context: %v", err)
		}
		if err := c.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return c
}

// wantStatus runs a check with a time limit and compares the answer.
func wantStatus(t *testing.T, want Status, check func(context.Context) (Status, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	got, err := check(ctx)
	if err != nil {
		t.Fatalf("check: %v", err)
	}
	if got != want {
		t.Fatalf("check gave %v, want %v", got, want)
	}
}

// wantValid fails unless the formula holds always.
func wantValid(t *testing.T, c *Context, formula Term) {
	t.Helper()
	s := c.NewSolver()
	s.Assert(c.Not(formula))
	got, err := s.Check(context.Background())
	if err != nil || got != Unsat {
		t.Errorf("not valid (%v, %v): %v", got, err, formula)
	}
}

// ints returns integer constants of the given names.
func ints(c *Context, names ...string) []Term {
	var terms []Term
	for _, n := range names {
		terms = append(terms, c.Const(n, c.IntSort()))
	}
	return terms
}

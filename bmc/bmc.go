package bmc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// Find returns the edges of a path to an error location of the only thread, nil if there
// is none. The program must be renumbered. The error is for programs with a loop or more
// threads, and for what is not decided. log gets the size of the query; nil for nobody.
func Find(ctx context.Context, p *ir.Program, log hclog.Logger) ([]*ir.Edge, error) {
	if len(p.Threads) != 1 {
		return nil, fmt.Errorf("the program has %d threads, not one", len(p.Threads))
	}
	if log == nil {
		log = hclog.NewNullLogger()
	}
	start := time.Now()
	e := &encoder{p: p, l: p.L, tab: p.Symbols(), taken: map[*ir.Edge]*logic.Term{}, after: map[*ir.Edge]state{}}
	if err := e.prune(); err != nil {
		return nil, err
	}
	e.liveness()
	e.enumerate()
	if err := e.encode(ctx); err != nil {
		return nil, err
	}
	if e.goal.IsFalse() {
		return nil, nil
	}
	encoded := time.Since(start)
	m, err := e.solve(ctx)
	log.Debug("bounded model checking", "locations", len(e.order), "constraints", len(e.out),
		"encoding", encoded, "solver", time.Since(start)-encoded, "found", m != nil)
	if err != nil || m == nil {
		return nil, err
	}
	return e.path(m)
}

// encoder makes the query.
type encoder struct {
	p     *ir.Program
	l     *logic.Store
	tab   ir.SymTable
	order []*ir.Loc      // those on a way from the entry to an error, in the order of control
	on    []bool         // which they are, by index
	live  []map[int]bool // the variables, by index, that are read later, by the location's index
	enums []*enum        // by the variable's index; nil for others
	bool2 map[*logic.Term]member
	memo  map[*logic.Term]*logic.Term // terms with comparisons of enumerated variables replaced
	taken map[*ir.Edge]*logic.Term    // whether the path takes an edge
	after map[*ir.Edge]state          // the variables' values after it
	goal  *logic.Term
	out   []*logic.Term // the constraints
}

// state has the values of variables, by index.
type state map[int]value

// value is a variable's value: a term, or of an enumerated variable a formula for each of
// its constants.
type value struct {
	term *logic.Term
	is   []*logic.Term
}

func (v value) equal(w value) bool {
	if v.term != w.term || len(v.is) != len(w.is) {
		return false
	}
	for i := range v.is {
		if v.is[i] != w.is[i] {
			return false
		}
	}
	return true
}

// prune finds the locations on ways from the entry to errors.
func (e *encoder) prune() error {
	t := e.p.Threads[0]
	e.on = make([]bool, len(t.Locs))
	reached := make([]bool, len(t.Locs))
	reached[t.Entry.Index] = true
	for _, loc := range t.Locs {
		for _, edge := range loc.Out {
			if reached[loc.Index] && edge.To.Index <= loc.Index {
				return errors.New("the program has a loop")
			}
			reached[edge.To.Index] = reached[edge.To.Index] || reached[loc.Index]
		}
	}
	for i := len(t.Locs) - 1; i >= 0; i-- {
		loc := t.Locs[i]
		e.on[i] = loc.Error && reached[i]
		for _, edge := range loc.Out {
			e.on[i] = e.on[i] || reached[i] && !loc.Error && e.on[edge.To.Index]
		}
	}
	for i, loc := range t.Locs {
		if e.on[i] {
			e.order = append(e.order, loc)
		}
	}
	return nil
}

// next returns the edges of a location that lead to errors.
func (e *encoder) next(loc *ir.Loc) []*ir.Edge {
	var out []*ir.Edge
	if loc.Error {
		return nil
	}
	for _, edge := range loc.Out {
		if e.on[edge.To.Index] {
			out = append(out, edge)
		}
	}
	return out
}

// liveness finds the variables that are read later on.
func (e *encoder) liveness() {
	e.live = make([]map[int]bool, len(e.on))
	for i := len(e.order) - 1; i >= 0; i-- {
		loc := e.order[i]
		at := map[int]bool{}
		for _, edge := range e.next(loc) {
			killed := map[int]bool{}
			for _, c := range edge.Cmds {
				for _, t := range []*logic.Term{c.Cond, c.Expr} {
					if t == nil {
						continue
					}
					for _, s := range logic.FreeVars(t) {
						if v := e.tab[s]; v != nil && !killed[v.Index] {
							at[v.Index] = true
						}
					}
				}
				if c.Kind != ir.Assume && c.Var != nil {
					killed[c.Var.Index] = true
				}
			}
			for v := range e.live[edge.To.Index] {
				if !killed[v] {
					at[v] = true
				}
			}
		}
		e.live[loc.Index] = at
	}
}

// solve looks for a model; nil if there is none.
func (e *encoder) solve(ctx context.Context) (*smt.Model, error) {
	s, err := smt.NewSolverOf(e.l, newSolver)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	s.Assert(e.out...)
	s.Assert(e.goal)
	st, m, err := s.Check(ctx)
	switch {
	case err != nil:
		return nil, err
	case st == z3.Unsat:
		return nil, nil
	}
	return m, nil
}

// tactics are what solves the query: known values and equations between symbols are
// eliminated first.
var tactics = []string{"simplify", "propagate-values", "solve-eqs", "smt"}

func newSolver(c *z3.Context) *z3.Solver {
	t := c.NewTactic(tactics[0])
	for _, name := range tactics[1:] {
		t = t.AndThen(c.NewTactic(name))
	}
	return t.NewSolver()
}

// path reads the edges taken off a model.
func (e *encoder) path(m *smt.Model) ([]*ir.Edge, error) {
	var path []*ir.Edge
	at := e.p.Threads[0].Entry
	for !at.Error {
		var took *ir.Edge
		for _, edge := range e.next(at) {
			if t := e.taken[edge]; t != nil && m.Holds(t) {
				took = edge
				break
			}
		}
		if took == nil {
			return nil, fmt.Errorf("the model takes no edge from location %d", at.Index)
		}
		path, at = append(path, took), took.To
	}
	return path, nil
}

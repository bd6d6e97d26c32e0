package affine

import (
	"context"
	"slices"

	"comus/logic"
)

// Atom is a relation, by its number, applied to terms.
type Atom struct {
	Rel  int
	Args []*logic.Term
}

// Clause says that the atoms of Body and Conds imply Head.
type Clause struct {
	Body  []Atom
	Conds []*logic.Term
	Head  Atom
}

// Solve returns the spaces of n relations, nil for one that no clause puts a tuple into.
func Solve(ctx context.Context, n int, clauses []Clause) ([]*Space, error) {
	spaces := make([]*Space, n)
	uses := make([][]int, n)
	queued := make([]bool, len(clauses))
	var queue []int
	for i, c := range clauses {
		for _, a := range c.Body {
			uses[a.Rel] = append(uses[a.Rel], i)
		}
		if len(c.Body) == 0 {
			queue, queued[i] = append(queue, i), true
		}
	}
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := queue[0]
		queue, queued[i] = queue[1:], false
		head := clauses[i].Head.Rel
		if !apply(spaces, clauses[i]) {
			continue
		}
		for _, k := range uses[head] {
			if !queued[k] {
				queue, queued[k] = append(queue, k), true
			}
		}
	}
	return spaces, nil
}

// apply puts into the head's space what a clause says, and reports whether that is something new.
func apply(spaces []*Space, c Clause) bool {
	if slices.ContainsFunc(c.Body, func(a Atom) bool { return spaces[a.Rel] == nil }) {
		return false
	}
	after := image(spaces, c)
	if after == nil {
		return false
	}
	old := spaces[c.Head.Rel]
	if old == nil {
		spaces[c.Head.Rel] = after
		return true
	}
	next := old.join(after)
	spaces[c.Head.Rel] = next
	return next != old
}

// image returns the space of a clause's head, given those of its body: nil if there is nothing in it. The equalities are about the
// clause's variables first and the head's arguments then, so those that begin with the latter are about nothing else.
func image(spaces []*Space, c Clause) *Space {
	f := &frame{of: map[*logic.Term]int{}}
	for _, a := range c.Body {
		f.meet(spaces[a.Rel], a.Args)
	}
	for _, x := range c.Conds {
		for _, y := range logic.Conjuncts(x) {
			f.assume(y)
		}
	}
	var args []sum
	for _, x := range c.Head.Args {
		s, ok := linear(x)
		if !ok {
			s = sum{of: map[*logic.Term]int64{x: 1}} // the same value wherever the term is the same
		}
		for v := range s.of {
			f.column(v)
		}
		args = append(args, s)
	}
	vars := f.columns
	for i, s := range args {
		f.rows = append(f.rows, wide{s, vars + i})
	}
	rows := echelon(f.dense(vars, vars+len(args)+1))
	out := &Space{dim: len(args)}
	for _, r := range rows {
		if r.contradicts() {
			return nil
		}
		if lead(r) >= vars {
			out.rows = append(out.rows, slices.Clone(r[vars:]))
		}
	}
	return out
}

// frame collects equalities about the variables of a clause, each of which has a column.
type frame struct {
	of      map[*logic.Term]int
	columns int
	rows    []wide
}

// wide is an equality: a sum is the value of a column, or 0 if that is negative.
type wide struct {
	sum
	is int
}

func (f *frame) column(v *logic.Term) int {
	i, ok := f.of[v]
	if !ok {
		i = f.columns
		f.of[v] = i
		f.columns++
	}
	return i
}

// meet adds the equalities of a space that is applied to terms; those about a term that is not linear are not known.
func (f *frame) meet(s *Space, args []*logic.Term) {
rows:
	for _, r := range s.rows {
		x := sum{of: map[*logic.Term]int64{}, plain: r[s.dim]}
		for i, k := range r[:s.dim] {
			if k != 0 && !x.add(args[i], k) {
				continue rows
			}
		}
		f.add(x)
	}
}

// assume adds a condition that is an equality.
func (f *frame) assume(c *logic.Term) {
	if c.Op() != logic.OpEq || c.Args()[0].Sort() != logic.Int {
		return
	}
	x := sum{of: map[*logic.Term]int64{}}
	if x.add(c.Args()[0], 1) && x.add(c.Args()[1], -1) {
		f.add(x)
	}
}

func (f *frame) add(x sum) {
	for v := range x.of {
		f.column(v)
	}
	f.rows = append(f.rows, wide{x, -1})
}

// dense returns the equalities as rows with this many coefficients.
func (f *frame) dense(vars, width int) []row {
	var out []row
	for _, w := range f.rows {
		r := make(row, width)
		for v, k := range w.of {
			r[f.of[v]] = k
		}
		if w.is >= 0 {
			r[w.is] = -1
		}
		r[width-1] = w.plain
		reduce(r)
		out = append(out, r)
	}
	return out
}

// Equalities returns terms over the relation's parameters that are 0 in the space.
func (s *Space) Equalities(l *logic.Store, params []*logic.Term) []*logic.Term {
	var out []*logic.Term
	for _, r := range s.rows {
		terms := []*logic.Term{l.Int(r[s.dim])}
		for i, k := range r[:s.dim] {
			if k != 0 {
				terms = append(terms, l.Mul(l.Int(k), params[i]))
			}
		}
		out = append(out, l.Add(terms...))
	}
	return out
}

package threadmodular

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"comus/affine"
	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
	"comus/z3"
)

// Adds reports whether a thread computes the new value of a shared variable from the old one: how often may then be of interest.
func Adds(p *ir.Program, ts ...*ir.Thread) bool {
	tab := p.Symbols()
	for _, t := range ts {
		carries := map[*logic.Term]map[*logic.Term]bool{} // local variables: what shared ones their values may come from
		for changed := true; changed; {
			changed = false
			t.Edges(func(e *ir.Edge) {
				for _, c := range e.Cmds {
					if c.Kind == ir.Assign && c.Var.Thread != ir.Shared {
						changed = carry(tab, carries, c) || changed
					}
				}
			})
		}
		found := false
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Kind == ir.Assign && c.Var.Thread == ir.Shared && c.Var.Type != ir.Flag {
					for _, v := range logic.FreeVars(c.Expr) {
						found = found || v == c.Var.Sym || carries[v][c.Var.Sym]
					}
				}
			}
		})
		if found {
			return true
		}
	}
	return false
}

// carry notes what the value that an assignment gives may come from, and reports whether that is new.
func carry(tab ir.SymTable, carries map[*logic.Term]map[*logic.Term]bool, c ir.Cmd) bool {
	to := carries[c.Var.Sym]
	if to == nil {
		to = map[*logic.Term]bool{}
		carries[c.Var.Sym] = to
	}
	n := len(to)
	for _, v := range logic.FreeVars(c.Expr) {
		if tab[v] != nil && tab[v].Thread == ir.Shared {
			to[v] = true
		}
		maps.Copy(to, carries[v])
	}
	return len(to) > n
}

// takeCensus returns the program that counts its threads at cut-points, and what it counts with.
func takeCensus(p *ir.Program, graphs []*cutpoints.Graph) (*ir.Program, *ir.Headcount) {
	var places [][]bool
	for _, g := range graphs {
		places = append(places, g.Cut)
	}
	return p.Census(places)
}

// byCensus looks for a proof by equalities, with bounds. What bounds say, that nobody is at a place any more above all, leads to more equalities
// in the next round. The error is ErrNoProof if that is all that can be found, errPatience if another call may go on.
func (s *search) byCensus(ctx context.Context, limit time.Duration) ([]Invariant, error) {
	slice, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for ; s.rounds < censusRounds; s.rounds++ {
		if !s.equal {
			if err := s.equalities(slice); err != nil {
				return nil, s.late(slice, err)
			}
			s.s.walk(censusWalks, s.b.admits)
			s.equal = true
		}
		invs, err := s.quick(slice, limit)
		if !errors.Is(err, ErrNoProof) {
			return invs, s.late(slice, err)
		}
		s.equal = false
	}
	return nil, ErrNoProof
}

// late returns errPatience for an error that comes of the time that there was.
func (s *search) late(slice context.Context, err error) error {
	if err != nil && slice.Err() != nil {
		return errPatience
	}
	return err
}

// censusRounds is how often equalities are computed; censusPatience the time for all rounds together, before other methods and after those
// that are for programs with replicated threads alone.
const censusRounds = 3

var censusPatience = [2]time.Duration{8 * time.Second, 30 * time.Second}

// sharper returns the clauses that can be taken, with what bounds say is equal.
func (b *bounds) sharper(ctx context.Context) ([]clause, error) {
	var out []clause
	for _, c := range b.s.clauses {
		if c.head == nil || !b.reached(c) {
			continue
		}
		st, _, err := b.solver.Check(ctx, b.premise(c)...)
		if err != nil {
			return nil, err
		}
		if st == z3.Unsat {
			continue
		}
		for _, a := range c.body {
			c.cond = append(slices.Clone(c.cond), b.equal(a)...)
		}
		out = append(out, c)
	}
	return out, nil
}

// equal returns the equalities that bounds say of a relation's arguments.
func (b *bounds) equal(a app) []*logic.Term {
	l := b.s.l
	sub := map[*logic.Term]*logic.Term{}
	for i, p := range a.rel.params {
		sub[p] = a.args[i]
	}
	var out []*logic.Term
	at, forms := b.state[a.rel].at, b.formsOf(a.rel)
	for i := 0; i < len(forms); i += 2 { // one and its negation
		f, g := forms[i], forms[i+1]
		if at[i] < len(f.limits) && at[i+1] < len(g.limits) && f.limits[at[i]] == g.limits[at[i+1]].Neg() {
			out = append(out, l.Eq(l.Subst(f.term, sub), l.Value(f.limits[at[i]])))
		}
	}
	return out
}

// censusWalks is how many runs are made first.
const censusWalks = 20

// admits weakens what is known of an instance that has moved, and of the others, as far as they are at cut-points.
func (b *bounds) admits(w *walker, moved int) {
	for i, x := range w.all {
		if r := b.s.rels[relationName(Place{x.t.Index, x.loc})]; r != nil && (i == moved || x.t.cut[x.loc]) {
			b.admit(r, func(v *logic.Term) logic.Value {
				if k, ok := x.locals[v]; ok {
					return k
				}
				return w.shared[v]
			})
		}
	}
}

// equalities finds what may be 0 at the relations. Bounds begin anew, with it.
func (s *search) equalities(ctx context.Context) error {
	start := time.Now()
	given := s.s.clauses
	if s.rounds > 0 {
		var err error
		if given, err = s.b.sharper(ctx); err != nil {
			return err
		}
	}
	number := map[*relation]int{}
	for i, r := range s.s.order {
		number[r] = i
	}
	atom := func(a app) affine.Atom { return affine.Atom{Rel: number[a.rel], Args: a.args} }
	var clauses []affine.Clause
	for _, c := range given {
		if c.head == nil {
			continue
		}
		x := affine.Clause{Conds: c.cond, Head: atom(*c.head)}
		for _, a := range c.body {
			x.Body = append(x.Body, atom(a))
		}
		clauses = append(clauses, x)
	}
	spaces, err := affine.Solve(ctx, len(number), clauses)
	if err != nil {
		return err
	}
	found := 0
	s.b.forms, s.b.state, s.b.uses, s.b.queue = map[*relation][]*form{}, map[*relation]*state{}, nil, nil
	s.b.zero = map[*relation][]*logic.Term{}
	for i, r := range s.s.order {
		if spaces[i] != nil {
			s.b.zero[r] = spaces[i].Equalities(s.s.l, r.params)
			found += len(s.b.zero[r])
		}
	}
	s.log.Info("equalities", "method", s.method.String(), "round", s.rounds+1, "found", found, "time", time.Since(start))
	return nil
}

// few returns the constants that a variable may be bounded by where equalities say most: 0 and 1, those that it is compared with, and
// those beside them.
func (b *bounds) few(v *ir.Var) []logic.Value {
	out := []logic.Value{logic.IntValue(0), logic.IntValue(1)}
	if b.s.m.counters[v] {
		return out
	}
	if b.beside == nil {
		b.findBeside()
	}
	out = append(out, b.beside[v.Sym]...)
	sortValues(out)
	return slices.Compact(out)
}

// findBeside finds the constants that variables are compared with, alone or with one more, and those beside them.
func (b *bounds) findBeside() {
	b.beside = map[*logic.Term][]logic.Value{}
	eachComparison(b.s.m, func(x *logic.Term) {
		vs := logic.FreeVars(x)
		if len(vs) > 2 {
			return
		}
		var out []logic.Value
		logic.Visit(func(y *logic.Term) {
			if k, ok := y.Const(); ok {
				for _, c := range []logic.Value{k, k.Neg()} {
					out = append(out, c, c.Add(logic.IntValue(1)), c.Add(logic.IntValue(-1)))
				}
			}
		}, x)
		for _, v := range vs {
			b.beside[v] = append(b.beside[v], out...)
		}
	})
}

// compared notes the variables that a block compares, if they can have more than two values.
func (b *bounds) compared(tab ir.SymTable, bl *block) {
	visitComparisons(bl, func(x *logic.Term) {
		vs := slices.DeleteFunc(logic.FreeVars(x), func(s *logic.Term) bool { return tab[s] == nil || tab[s].Type == ir.Flag || b.s.m.counters[tab[s]] })
		if len(vs) == 2 {
			b.near[[2]*logic.Term{vs[0], vs[1]}] = true
			b.near[[2]*logic.Term{vs[1], vs[0]}] = true
		}
	})
}

// eachComparison calls f with what blocks compare, in terms of the values before.
func eachComparison(m *template, f func(*logic.Term)) {
	for _, t := range m.threads {
		for _, n := range t.nodes {
			for _, bl := range t.out[n] {
				visitComparisons(bl, f)
			}
		}
	}
}

func visitComparisons(bl *block, f func(*logic.Term)) {
	logic.Visit(func(x *logic.Term) {
		if x.Op() == logic.OpLe || x.Op() == logic.OpEq && x.Args()[0].Sort() == logic.Int {
			f(x)
		}
	}, bl.cond)
}

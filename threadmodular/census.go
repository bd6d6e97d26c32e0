package threadmodular

import (
	"context"
	"slices"
	"time"

	"comus/affine"
	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Adds reports whether a replicated thread adds to a shared variable: how often may then be of interest.
func Adds(p *ir.Program) bool {
	found := false
	for _, t := range p.Replicated() {
		read := map[*logic.Term]*logic.Term{} // local variables that were read from shared ones
		tab := p.Symbols()
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Kind == ir.Assign && c.Var.Thread != ir.Shared && c.Expr.Op() == logic.OpVar && tab[c.Expr] != nil && tab[c.Expr].Thread == ir.Shared {
					read[c.Var.Sym] = c.Expr
				}
			}
		})
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Kind != ir.Assign || c.Var.Thread != ir.Shared || c.Expr.Op() == logic.OpVar {
					continue
				}
				for _, v := range logic.FreeVars(c.Expr) {
					found = found || v == c.Var.Sym || read[v] == c.Var.Sym
				}
			}
		})
	}
	return found
}

// takeCensus returns the program that counts its threads at cut-points, and the counters.
func takeCensus(p *ir.Program, graphs []*cutpoints.Graph) (*ir.Program, map[*ir.Var]bool) {
	var places [][]bool
	for _, g := range graphs {
		places = append(places, g.Cut)
	}
	return p.Census(places)
}

// byCensus looks for a proof by equalities, with bounds. The error is ErrNoProof if that is all that can be found.
func (s *search) byCensus(ctx context.Context) ([]Invariant, error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, censusPatience)
	defer cancel()
	found, err := s.equalities(ctx)
	s.log.Info("equalities", "method", s.method.String(), "found", found, "time", time.Since(start), "error", err)
	if err != nil {
		return nil, err
	}
	s.s.walk(censusWalks, s.b.admits)
	return s.quick(ctx, censusPatience)
}

// censusPatience is the time for a proof by equalities.
const censusPatience = 20 * time.Second

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

// equalities finds what may be 0 at the relations. It is kept as far as it holds.
func (s *search) equalities(ctx context.Context) (found int, err error) {
	number := map[*relation]int{}
	for i, r := range s.s.order {
		number[r] = i
	}
	atom := func(a app) affine.Atom { return affine.Atom{Rel: number[a.rel], Args: a.args} }
	var clauses []affine.Clause
	for _, c := range s.s.clauses {
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
		return 0, err
	}
	s.b.zero = map[*relation][]*logic.Term{}
	for i, r := range s.s.order {
		if spaces[i] != nil {
			s.b.zero[r] = spaces[i].Equalities(s.s.l, r.params)
			found += len(s.b.zero[r])
		}
	}
	return found, nil
}

// few returns the constants that a variable may be bounded by where equalities say most: 0 and 1, those that it is compared with, and
// those beside them.
func (b *bounds) few(v *ir.Var) []logic.Value {
	out := []logic.Value{logic.IntValue(0), logic.IntValue(1)}
	if b.s.m.counters[v] {
		return out
	}
	eachComparison(b.s.m, func(x *logic.Term) {
		if vs := logic.FreeVars(x); !slices.Contains(vs, v.Sym) || len(vs) > 2 {
			return
		}
		logic.Visit(func(y *logic.Term) {
			if k, ok := y.Const(); ok {
				for _, c := range []logic.Value{k, k.Neg()} {
					out = append(out, c, c.Add(logic.IntValue(1)), c.Add(logic.IntValue(-1)))
				}
			}
		}, x)
	})
	sortValues(out)
	return slices.Compact(out)
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

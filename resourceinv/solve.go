package resourceinv

import (
	"context"
	"errors"
	"fmt"

	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// ErrNoProof is the error when the clauses have no solution: the method is too weak, or the
// program is not safe.
var ErrNoProof = errors.New("there are no such invariants")

// spacer asks Spacer for a solution of clauses.
func (s *system) spacer(ctx context.Context, clauses []clause) (map[*relation]*logic.Term, error) {
	z, err := z3.NewContext(nil)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	e := &encoding{s: s, z: z, fp: z.NewFixedpoint(), decl: map[*relation]z3.FuncDecl{}}
	e.fp.SetParams(z3.NewParams().SetSymbol("engine", "spacer").SetBool("xform.inline_eager", false).
		SetBool("xform.inline_linear", false).SetBool("xform.slice", false))
	e.err = e.declare("error", 0)
	for _, r := range s.relations {
		e.decl[r] = e.declare(r.name, len(r.params))
	}
	for i, c := range clauses {
		e.rule(fmt.Sprintf("c%d", i), c)
	}
	if err := z.Err(); err != nil {
		return nil, err
	}
	dummy := z.Const("dummy", z.IntSort())
	st, err := e.fp.Query(ctx, z.Exists([]z3.Term{dummy}, e.err.Apply(dummy)))
	switch {
	case err != nil:
		return nil, err
	case st == z3.Sat:
		return nil, ErrNoProof
	case st != z3.Unsat:
		return nil, fmt.Errorf("spacer: %s", e.fp.ReasonUnknown())
	}
	return e.solution()
}

// encoding is the clauses in Z3. Each relation has one more argument, always 0: Z3 mistreats relations without arguments.
type encoding struct {
	s    *system
	z    *z3.Context
	fp   *z3.Fixedpoint
	decl map[*relation]z3.FuncDecl
	err  z3.FuncDecl
}

// declare declares a relation.
func (e *encoding) declare(name string, params int) z3.FuncDecl {
	sorts := make([]z3.Sort, params+1)
	for i := range sorts {
		sorts[i] = e.z.IntSort()
	}
	d := e.z.FuncDecl(name, sorts, e.z.BoolSort())
	e.fp.RegisterRelation(d)
	return d
}

// rule adds a clause.
func (e *encoding) rule(name string, c clause) {
	tr := smt.NewTranslator(e.z)
	terms := []*logic.Term{c.cond}
	apply := func(a app) z3.Term {
		terms = append(terms, a.args...)
		return e.decl[a.rel].Apply(append(tr.Terms(a.args), e.z.Int(0))...)
	}
	body := tr.Terms([]*logic.Term{c.cond})
	for _, a := range c.body {
		body = append(body, apply(a))
	}
	head := e.err.Apply(e.z.Int(0))
	if c.head != nil {
		head = apply(*c.head)
	}
	rule := e.z.Implies(e.z.And(body...), head)
	if bound := tr.Terms(logic.FreeVars(terms...)); len(bound) > 0 {
		rule = e.z.Forall(bound, rule)
	}
	e.fp.AddRule(rule, name)
}

// solution reads off what the relations are.
func (e *encoding) solution() (map[*relation]*logic.Term, error) {
	var decls []z3.FuncDecl
	for _, r := range e.s.relations {
		decls = append(decls, e.decl[r])
	}
	found, err := e.fp.Invariants(decls)
	if err != nil {
		return nil, err
	}
	out := map[*relation]*logic.Term{}
	for i, inv := range found {
		r := e.s.relations[i]
		names := map[string]*logic.Term{}
		for k, prm := range inv.Params {
			if k < len(r.params) {
				names[prm.DeclName()] = r.params[k]
			} else {
				names[prm.DeclName()] = e.s.l.Int(0)
			}
		}
		if out[r], err = smt.FromZ3(e.s.l, inv.Body, func(n string) *logic.Term { return names[n] }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

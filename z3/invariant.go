package z3

import (
	"errors"
	"fmt"
)

// ErrAnswerForm is wrapped by the error of Fixedpoint.Invariants for an answer
// that it cannot take apart.
var ErrAnswerForm = errors.New("z3: answer has an unexpected form")

// Invariant defines a relation: it holds for those Params that satisfy Body.
type Invariant struct {
	Decl   FuncDecl
	Params []Term // fresh constants, one for each argument of Decl
	Body   Term   // formula over Params
	// Found reports whether the answer defines the relation. If not, Body is
	// true. Z3 leaves out relations that the query does not depend on.
	Found bool
}

// Invariants takes the answer of an unsatisfiable query apart: it returns one
// invariant for each of the given relations, in their order. The invariants
// satisfy all rules that the query depends on, and exclude the query; a caller
// that relies on that should check it. The error wraps ErrNoAnswer if the last
// query was not Unsat, and ErrAnswerForm if the answer is not understood.
func (f *Fixedpoint) Invariants(relations []FuncDecl) ([]Invariant, error) {
	if err := f.answered("Invariants", Unsat); err != nil {
		return nil, err
	}
	answer, err := f.GetAnswer()
	if err != nil {
		return nil, err
	}
	return f.ctx.splitAnswer(answer, relations)
}

// splitAnswer takes the formula apart that defines the given relations.
func (c *Context) splitAnswer(answer Term, relations []FuncDecl) ([]Invariant, error) {
	s := &answerSplitter{c: c, index: make(map[uint32]int), vars: make(map[uint32]Term)}
	for i, r := range relations {
		if !c.owns("Invariants", r.n) {
			return nil, c.err
		}
		inv := Invariant{Decl: r, Body: c.True()}
		for k := range r.Arity() {
			inv.Params = append(inv.Params, c.FreshConst(fmt.Sprintf("%s.%d", r.Name(), k), r.Domain(k)))
		}
		s.invariants = append(s.invariants, inv)
		s.index[r.ID()] = i
	}
	if err := s.conjunct(answer, nil); err != nil {
		return nil, err
	}
	return s.invariants, c.err
}

// answerSplitter collects the definitions in an answer.
type answerSplitter struct {
	c          *Context
	invariants []Invariant
	index      map[uint32]int  // declaration ID to index in invariants
	vars       map[uint32]Term // constants in place of bound variables, by ID
}

// conjunct collects the definitions in t, whose bound variables have been
// replaced by the given constants.
func (s *answerSplitter) conjunct(t Term, vars []Term) error {
	switch {
	case t.IsTrue():
		return nil
	case t.IsForall():
		sorts := t.Bound()
		fresh := make([]Term, len(sorts))
		for i, sort := range sorts {
			v := s.c.FreshConst("v", sort)
			s.vars[v.ID()] = v
			fresh[len(sorts)-1-i] = v
		}
		return s.conjunct(s.c.SubstituteVars(t.Body(), fresh), append(vars[:len(vars):len(vars)], fresh...))
	case t.Op() == OpAnd:
		for _, arg := range t.Args() {
			if err := s.conjunct(arg, vars); err != nil {
				return err
			}
		}
		return nil
	}
	head, body, ok := s.definition(t)
	if !ok {
		return fmt.Errorf("%w: %v", ErrAnswerForm, t)
	}
	return s.define(head, body, vars)
}

// definition splits a formula that says that a relation equals body, or is
// included in body, into the application of the relation and body.
func (s *answerSplitter) definition(t Term) (head, body Term, ok bool) {
	c := s.c
	switch t.Op() {
	case OpEq, OpIff, OpXor:
		if t.NumArgs() != 2 {
			return Term{}, Term{}, false
		}
		head, body, ok = s.equation(t.Arg(0), t.Arg(1))
		if t.Op() == OpXor {
			body = c.Not(body)
		}
		return head, body, ok
	case OpImplies:
		return t.Arg(0), t.Arg(1), s.isRelation(t.Arg(0))
	case OpOr:
		return s.clause(t.Args())
	case OpNot:
		arg := t.Arg(0)
		if s.isRelation(arg) {
			return arg, c.False(), true
		}
		if arg.Op() == OpNot || arg.Op() == OpEq || arg.Op() == OpIff || arg.Op() == OpXor {
			head, body, ok = s.definition(arg)
			return head, c.Not(body), ok
		}
		return Term{}, Term{}, false
	}
	return t, c.True(), s.isRelation(t)
}

// equation orients the equation a = b such that a relation to be defined is on
// the left, moving negations to the right.
func (s *answerSplitter) equation(a, b Term) (head, body Term, ok bool) {
	for _, sides := range [2][2]Term{{a, b}, {b, a}} {
		head, body := sides[0], sides[1]
		for head.Op() == OpNot {
			head, body = head.Arg(0), s.c.Not(body)
		}
		if s.isRelation(head) && (s.wanted(head) || !s.wanted(sides[1])) {
			return head, body, true
		}
	}
	return Term{}, Term{}, false
}

// clause reads a disjunction with the negation of one relation as implication.
func (s *answerSplitter) clause(literals []Term) (head, body Term, ok bool) {
	var rest []Term
	for _, l := range literals {
		if !ok && l.Op() == OpNot && s.isRelation(l.Arg(0)) {
			head, ok = l.Arg(0), true
		} else {
			rest = append(rest, l)
		}
	}
	return head, s.c.Or(rest...), ok
}

// isRelation reports whether t applies an uninterpreted predicate. A bound
// variable of sort Bool is none.
func (s *answerSplitter) isRelation(t Term) bool {
	_, bound := s.vars[t.ID()]
	return t.Op() == OpUninterpreted && !bound && t.Sort().Kind() == SortBool
}

// wanted reports whether t applies a relation that is asked for.
func (s *answerSplitter) wanted(t Term) bool {
	if t.Kind() != KindApp {
		return false
	}
	_, ok := s.index[t.Decl().ID()]
	return ok
}

// define records that the relation is included in body.
func (s *answerSplitter) define(head, body Term, vars []Term) error {
	if !s.wanted(head) {
		return nil // a relation that nobody asked for
	}
	inv := &s.invariants[s.index[head.Decl().ID()]]
	args := head.Args()
	unused := make(map[uint32]Term, len(vars))
	for _, v := range vars {
		unused[v.ID()] = v
	}
	for _, a := range args {
		if _, ok := unused[a.ID()]; !ok {
			return fmt.Errorf("%w: argument of %v", ErrAnswerForm, head)
		}
		delete(unused, a.ID())
	}
	for _, v := range unused {
		if _, found := body.containsAny([]Term{v}); found {
			return fmt.Errorf("%w: the definition of %v has other variables: %v", ErrAnswerForm, head, body)
		}
	}
	if s.containsRelation(body) {
		return fmt.Errorf("%w: the definition of %v refers to relations: %v", ErrAnswerForm, head, body)
	}
	body = s.c.Substitute(body, args, inv.Params)
	if inv.Found {
		body = s.c.And(inv.Body, body)
	}
	inv.Body, inv.Found = body, true
	return nil
}

// containsRelation reports whether t applies one of the relations asked for.
func (s *answerSplitter) containsRelation(t Term) bool {
	_, found := t.find(s.wanted)
	return found
}

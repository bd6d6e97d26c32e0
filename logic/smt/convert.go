// Package smt connects package logic to Z3: it converts terms in both
// directions and offers a plain satisfiability [Solver] over logic's terms.
package smt

import (
	"fmt"

	"comus/logic"
	"comus/z3"
)

// bitWidth is the width in which bitwise operators are computed exactly: wide
// enough for every operation on 64-bit operands, signed or not.
const bitWidth = 72

// Translator converts terms of one store to terms of one Z3 context and keeps
// what it converted.
type Translator struct {
	Ctx *z3.Context
	// Opaque, if set, is asked for a Z3 term to stand for the value of a
	// bitwise, shift or non-linear operation. Used where an over-approximation
	// is wanted; otherwise those are converted exactly.
	Opaque func(t *logic.Term) z3.Term
	memo   map[*logic.Term]z3.Term
}

// NewTranslator returns a translator into ctx.
func NewTranslator(ctx *z3.Context) *Translator {
	return &Translator{Ctx: ctx, memo: map[*logic.Term]z3.Term{}}
}

// Sort returns Z3's sort for s.
func (tr *Translator) Sort(s logic.Sort) z3.Sort {
	if s == logic.Bool {
		return tr.Ctx.BoolSort()
	}
	return tr.Ctx.IntSort()
}

// Bind makes t convert to u from now on; for variables.
func (tr *Translator) Bind(t *logic.Term, u z3.Term) { tr.memo[t] = u }

// Term converts t. Errors are recorded in the context.
func (tr *Translator) Term(t *logic.Term) z3.Term {
	if u, ok := tr.memo[t]; ok {
		return u
	}
	u := tr.convert(t)
	tr.memo[t] = u
	return u
}

// Terms converts each term.
func (tr *Translator) Terms(ts []*logic.Term) []z3.Term {
	us := make([]z3.Term, len(ts))
	for i, t := range ts {
		us[i] = tr.Term(t)
	}
	return us
}

func (tr *Translator) convert(t *logic.Term) z3.Term {
	c := tr.Ctx
	switch t.Op() {
	case logic.OpTrue:
		return c.True()
	case logic.OpFalse:
		return c.False()
	case logic.OpInt:
		v, _ := t.Const()
		if i, ok := v.Int64(); ok {
			return c.Int(i)
		}
		return c.BigInt(v.Big())
	case logic.OpVar:
		return c.Const(t.Name(), tr.Sort(t.Sort()))
	}
	if tr.Opaque != nil && Hard(t) {
		return tr.Opaque(t)
	}
	args := tr.Terms(t.Args())
	switch t.Op() {
	case logic.OpNot:
		return c.Not(args[0])
	case logic.OpAnd:
		return c.And(args...)
	case logic.OpOr:
		return c.Or(args...)
	case logic.OpIte:
		return c.Ite(args[0], args[1], args[2])
	case logic.OpEq:
		return c.Eq(args[0], args[1])
	case logic.OpLe:
		return c.Le(args[0], args[1])
	case logic.OpAdd:
		return c.Add(args...)
	case logic.OpMul:
		return c.Mul(args...)
	case logic.OpDiv:
		return tr.guardZero(t, args, c.Div)
	case logic.OpMod:
		return tr.guardZero(t, args, c.Mod)
	case logic.OpShl:
		return tr.shift(args[0], args[1], c.Mul)
	case logic.OpShr:
		return tr.shift(args[0], args[1], c.Div)
	}
	return tr.bits(t.Op(), args[0], args[1])
}

// Hard reports whether t's operator is outside linear integer arithmetic.
func Hard(t *logic.Term) bool {
	switch t.Op() {
	case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor, logic.OpShl, logic.OpShr:
		return true
	case logic.OpMul:
		_, ok := t.Args()[0].Const()
		return !ok || len(t.Args()) > 2
	case logic.OpDiv, logic.OpMod:
		_, ok := t.Args()[1].Const()
		return !ok
	}
	return false
}

// guardZero makes division by zero 0, as logic defines it.
func (tr *Translator) guardZero(t *logic.Term, args []z3.Term, op func(a, b z3.Term) z3.Term) z3.Term {
	q := op(args[0], args[1])
	if _, constant := t.Args()[1].Const(); constant {
		return q
	}
	zero := tr.Ctx.Int(0)
	return tr.Ctx.Ite(tr.Ctx.Eq(args[1], zero), zero, q)
}

// maxShift is the largest shift distance logic computes.
const maxShift = 128

// shift spells out a·2^b or ⌊a / 2^b⌋ as a case split over the distance.
func (tr *Translator) shift(a, b z3.Term, op any) z3.Term {
	c := tr.Ctx
	r, power := c.Int(0), make([]z3.Term, maxShift+1)
	power[0] = c.Int(1)
	for k := 1; k <= maxShift; k++ {
		p := logic.IntValue(1).Big()
		power[k] = c.BigInt(p.Lsh(p, uint(k)))
	}
	for k := maxShift; k >= 0; k-- {
		var v z3.Term
		switch f := op.(type) {
		case func(...z3.Term) z3.Term:
			v = f(power[k], a)
		case func(x, y z3.Term) z3.Term:
			v = f(a, power[k])
		}
		r = c.Ite(c.Eq(b, c.Int(int64(k))), v, r)
	}
	return r
}

// bits computes a bitwise operator through bit-vectors.
func (tr *Translator) bits(op logic.Op, a, b z3.Term) z3.Term {
	c := tr.Ctx
	x, y := c.Int2BV(bitWidth, a), c.Int2BV(bitWidth, b)
	var r z3.Term
	switch op {
	case logic.OpBitAnd:
		r = c.BVAnd(x, y)
	case logic.OpBitOr:
		r = c.BVOr(x, y)
	default:
		r = c.BVXor(x, y)
	}
	return c.BV2Int(r, true)
}

// FromZ3 converts a Z3 term built from the operators logic has. name gives the
// logic term for an uninterpreted constant; nil means the Int (or Bool)
// variable of the same name. The error names the operator that does not fit.
func FromZ3(s *logic.Store, t z3.Term, name func(string) *logic.Term) (*logic.Term, error) {
	f := fromZ3{s: s, name: name, memo: map[uint32]*logic.Term{}}
	return f.term(t)
}

type fromZ3 struct {
	s    *logic.Store
	name func(string) *logic.Term
	memo map[uint32]*logic.Term
}

func (f *fromZ3) term(t z3.Term) (*logic.Term, error) {
	if r, ok := f.memo[t.ID()]; ok {
		return r, nil
	}
	r, err := f.convert(t)
	if err == nil {
		f.memo[t.ID()] = r
	}
	return r, err
}

func (f *fromZ3) convert(t z3.Term) (*logic.Term, error) {
	if t.IsNumeral() {
		b, ok := t.BigInt()
		if !ok {
			return nil, fmt.Errorf("smt: numeral %s is not an integer", t)
		}
		return f.s.Value(logic.BigValue(b)), nil
	}
	if t.IsConst() {
		return f.variable(t)
	}
	args := make([]*logic.Term, t.NumArgs())
	for i := range args {
		a, err := f.term(t.Arg(i))
		if err != nil {
			return nil, err
		}
		args[i] = a
	}
	return f.apply(t, args)
}

func (f *fromZ3) variable(t z3.Term) (*logic.Term, error) {
	if f.name != nil {
		if v := f.name(t.DeclName()); v != nil {
			return v, nil
		}
		return nil, fmt.Errorf("smt: unknown constant %s", t)
	}
	sort := logic.Int
	if t.Sort().Kind() == z3.SortBool {
		sort = logic.Bool
	}
	return f.s.Var(t.DeclName(), sort), nil
}

func (f *fromZ3) apply(t z3.Term, a []*logic.Term) (*logic.Term, error) {
	s := f.s
	switch t.Op() {
	case z3.OpTrue:
		return s.True(), nil
	case z3.OpFalse:
		return s.False(), nil
	case z3.OpNot:
		return s.Not(a[0]), nil
	case z3.OpAnd:
		return s.And(a...), nil
	case z3.OpOr:
		return s.Or(a...), nil
	case z3.OpImplies:
		return s.Implies(a[0], a[1]), nil
	case z3.OpEq, z3.OpIff:
		return s.Eq(a[0], a[1]), nil
	case z3.OpXor:
		return s.Not(s.Eq(a[0], a[1])), nil
	case z3.OpIte:
		return s.Ite(a[0], a[1], a[2]), nil
	case z3.OpLe:
		return s.Le(a[0], a[1]), nil
	case z3.OpGe:
		return s.Ge(a[0], a[1]), nil
	case z3.OpLt:
		return s.Lt(a[0], a[1]), nil
	case z3.OpGt:
		return s.Gt(a[0], a[1]), nil
	case z3.OpAdd:
		return s.Add(a...), nil
	case z3.OpSub:
		return s.Sub(a[0], s.Add(a[1:]...)), nil
	case z3.OpNeg:
		return s.Neg(a[0]), nil
	case z3.OpMul:
		p := a[0]
		for _, b := range a[1:] {
			p = s.Mul(p, b)
		}
		return p, nil
	case z3.OpDiv, z3.OpMod:
		if d, ok := a[1].Const(); ok && d.Sign() != 0 {
			if t.Op() == z3.OpDiv {
				return s.Div(a[0], a[1]), nil
			}
			return s.Mod(a[0], a[1]), nil
		}
	}
	return nil, fmt.Errorf("smt: no counterpart for %s", t)
}

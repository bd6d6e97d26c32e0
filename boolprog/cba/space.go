package cba

import (
	"comus/boolprog"
	"comus/boolprog/bdd"
)

// role is what a BDD variable of a global variable in a context stands for. The
// relations of Fig. 5 have tuples of global states, one for each context.
type role int

const (
	atStart role = iota // when the thread began the context: g0 of Fig. 5
	atEntry             // when the procedure was entered, or the guess if the context came later: g1
	now                 // g2
	next                // after a step; scratch
)

// The BDD variables of a local variable have roles of their own.
const (
	entered   role = iota // a parameter's value
	local                 // the value now
	nextLocal             // after a step; of a call: the parameters of the callee
	returned              // the results of a callee
)

const roles = 4

// space numbers the BDD variables: for each context the global variables, for each of
// them the roles; then the local variables, those of all procedures in the same
// places.
type space struct {
	*bdd.Manager
	contexts int
	globals  int
	locals   int
}

// global returns the variable of a global variable in a context, from 1.
func (s *space) global(r role, context, v int) int {
	return ((context-1)*s.globals+v)*roles + int(r)
}

// local returns the variable of a local one.
func (s *space) local(r role, v int) int {
	return s.globals*s.contexts*roles + v*roles + int(r)
}

// vars returns how many variables there are.
func (s *space) vars() int { return (s.globals*s.contexts + s.locals) * roles }

// tuple returns the variables of all global ones, in the contexts from to to.
func (s *space) tuple(r role, from, to int) []int {
	var l []int
	for v := range s.globals {
		for c := from; c <= to; c++ {
			l = append(l, s.global(r, c, v))
		}
	}
	return l
}

// frame returns the variables of the first n local ones.
func (s *space) frame(r role, n int) []int {
	var l []int
	for v := range n {
		l = append(l, s.local(r, v))
	}
	return l
}

// same returns where two lists of variables have the same values.
func (s *space) same(a, b []int) bdd.Node {
	r := bdd.True
	for i := len(a) - 1; i >= 0; i-- {
		r = s.And(r, s.Equal(s.Var(a[i]), s.Var(b[i])))
	}
	return r
}

// rename replaces variables.
func (s *space) rename(n bdd.Node, from, to []int) bdd.Node {
	return s.Replace(n, s.renaming(from, to))
}

// renaming returns a renaming of variables.
func (s *space) renaming(from, to []int) *bdd.Renaming { return s.Rename(from, to) }

// compose returns the pairs (x, z) with (x, y) in a and (y, z) in b, for relations
// from atStart to now.
func (s *space) compose(a, b bdd.Node, contexts int) bdd.Node {
	mid := s.tuple(atEntry, 1, contexts) // between the two, so that both keep their order
	a = s.rename(a, s.tuple(now, 1, contexts), mid)
	b = s.rename(b, s.tuple(atStart, 1, contexts), mid)
	return s.AndExists(a, b, s.Set(mid...))
}

// identity relates each tuple to itself.
func (s *space) identity(contexts int) bdd.Node {
	return s.same(s.tuple(atStart, 1, contexts), s.tuple(now, 1, contexts))
}

// either is a set of values as two sets of states: those where an expression can be
// false, and those where it can be true.
type either struct{ no, yes bdd.Node }

// scope tells which BDD variables an expression reads.
type scope struct {
	*space
	context int
	after   map[boolprog.Var]int // the variables of the values after the step
}

// read returns the BDD variable of a variable.
func (s *scope) read(v boolprog.Var, primed bool) int {
	if n, ok := s.after[v]; ok && primed {
		return n
	}
	if v.Global {
		return s.global(now, s.context, v.Index)
	}
	return s.local(local, v.Index)
}

// eval encodes an expression. Each choice is made anew, so the values of the
// operands do not depend on one another.
func (s *scope) eval(e *boolprog.Expr) either {
	var a [3]either
	for i, arg := range e.Args {
		a[i] = s.eval(arg)
	}
	switch e.Op {
	case boolprog.OpConst:
		return either{bdd.Const(!e.Value), bdd.Const(e.Value)}
	case boolprog.OpVar:
		v := s.read(e.Var, e.Primed)
		return either{s.Literal(v, false), s.Literal(v, true)}
	case boolprog.OpChoice:
		return either{bdd.True, bdd.True}
	case boolprog.OpNot:
		return either{a[0].yes, a[0].no}
	case boolprog.OpAnd:
		return either{s.Or(a[0].no, a[1].no), s.And(a[0].yes, a[1].yes)}
	case boolprog.OpOr:
		return either{s.And(a[0].no, a[1].no), s.Or(a[0].yes, a[1].yes)}
	case boolprog.OpImplies:
		return either{s.And(a[0].yes, a[1].no), s.Or(a[0].no, a[1].yes)}
	case boolprog.OpXor, boolprog.OpEqual:
		same := s.Or(s.And(a[0].yes, a[1].yes), s.And(a[0].no, a[1].no))
		other := s.Or(s.And(a[0].yes, a[1].no), s.And(a[0].no, a[1].yes))
		if e.Op == boolprog.OpXor {
			return either{same, other}
		}
		return either{other, same}
	case boolprog.OpIte:
		return either{s.Or(s.And(a[0].yes, a[1].no), s.And(a[0].no, a[2].no)), s.Or(s.And(a[0].yes, a[1].yes), s.And(a[0].no, a[2].yes))}
	case boolprog.OpSchoose:
		open := s.And(a[0].no, a[1].no)
		return either{s.Or(s.And(a[0].no, a[1].yes), open), s.Or(a[0].yes, open)}
	}
	panic("unknown operator")
}

// holds returns where an expression can be true; nil always can.
func (s *scope) holds(e *boolprog.Expr) bdd.Node {
	if e == nil {
		return bdd.True
	}
	return s.eval(e).yes
}

// has returns where a BDD variable has one of the values of an expression.
func (s *scope) has(v int, e *boolprog.Expr) bdd.Node {
	val := s.eval(e)
	return s.Ite(s.Var(v), val.yes, val.no)
}

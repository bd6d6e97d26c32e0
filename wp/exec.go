// Package wp computes weakest preconditions along paths of commands (CoMuS paper,
// section 2, "Preconditions and Postconditions").
//
// It rests on symbolic execution: [Exec] runs commands over terms and collects
// the path's condition. The weakest precondition of a formula q is
// then the path condition together with q at the path's end, both read over the
// variables at its beginning, with the values havocked on the way existentially
// quantified. [Project] eliminates those: given a model it returns a cube, a
// conjunction of literals, that the model satisfies and that implies the
// quantified formula. A cube is an under-approximation, which is what a
// precondition may be. A postcondition may only over-approximate; package query
// takes it from an Exec too, as the formulas of a vocabulary that the path implies.
package wp

import (
	"comus/ir"
	"comus/logic"
)

// Input is a value chosen on a path: by a havoc command, or any other way.
type Input struct {
	Var *ir.Var     // the variable that was given the value
	Sym *logic.Term // the variable that stands for the value in formulas
}

// Exec is a symbolic execution: a path's effect as terms over the variables at
// the path's beginning and the inputs chosen on it.
type Exec struct {
	L *logic.Store
	// Env has the current value of each variable that was assigned or
	// havocked, by Var.Sym; the others still have their initial value.
	Env map[*logic.Term]*logic.Term
	// Cond is the path's condition, one formula per assumption.
	Cond []*logic.Term
	// Inputs are the chosen values in order.
	Inputs []Input
	exact  bool
	arrays []access             // what is read from cells and written to them, see [Exec.Copies]
	cells  map[*logic.Term]bool // those that were written
}

// WideBits is the width from which on a type's range is left out of inexact
// executions.
const WideBits = 16

// NewExec returns the empty execution. exact says whether the values chosen by
// havoc are bounded by the range of every type, or only of those narrower than
// WideBits (an over-approximation).
func NewExec(l *logic.Store, exact bool) *Exec {
	return &Exec{L: l, Env: map[*logic.Term]*logic.Term{}, exact: exact, cells: map[*logic.Term]bool{}}
}

// Run executes the commands.
func (x *Exec) Run(cmds []ir.Cmd) {
	for _, c := range cmds {
		switch c.Kind {
		case ir.Assume:
			x.Assume(c.Cond)
		case ir.Assign:
			x.note(c)
			x.Env[c.Var.Sym] = x.Value(c.Expr)
		case ir.Havoc:
			x.note(c)
			if c.Of == nil {
				x.Havoc(c.Var)
				break
			}
			at := x.Value(c.At)
			x.arrays = append(x.arrays, access{of: c.Of, term: at, input: x.Havoc(c.Var)})
		}
	}
}

// Assume adds cond, over the current values, to the path's condition.
func (x *Exec) Assume(cond *logic.Term) {
	if c := x.Value(cond); !c.IsTrue() {
		x.Cond = append(x.Cond, c)
	}
}

// Havoc gives v a new input as its value and returns the input's symbol.
func (x *Exec) Havoc(v *ir.Var) *logic.Term {
	s := x.L.FreshVar(v.Name, logic.Int)
	x.Inputs = append(x.Inputs, Input{v, s})
	x.Env[v.Sym] = s
	if x.exact || v.Type.Bits < WideBits {
		lo, hi := v.Type.Range()
		x.Cond = append(x.Cond, x.L.Le(x.L.Value(lo), s), x.L.Le(s, x.L.Value(hi)))
	}
	return s
}

// Value returns t over the beginning's variables: t with the current values.
func (x *Exec) Value(t *logic.Term) *logic.Term { return x.L.Subst(t, x.Env) }

// Condition returns the path's condition as one formula.
func (x *Exec) Condition() *logic.Term { return x.L.And(x.Cond...) }

// Pre runs the commands exactly and returns the condition under which they can
// be run and end with post, over the variables at the beginning and the
// returned inputs. It is the weakest precondition once the inputs are
// existentially quantified.
func Pre(l *logic.Store, cmds []ir.Cmd, post *logic.Term) (*logic.Term, []Input) {
	x := NewExec(l, true)
	x.Run(cmds)
	return l.And(append(x.Cond, x.Value(post))...), x.Inputs
}

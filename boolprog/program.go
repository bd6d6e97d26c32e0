// Package boolprog reads concurrent Boolean programs: procedures, recursive if
// they like, over Boolean variables, run by a fixed number of threads that share
// the global variables (section 3 of Lal and Reps, Reducing Concurrent Analysis
// Under a Context Bound to Sequential Analysis). docs/boolean-programs.md has the
// language and what it means.
//
// The sub-packages decide them: boolprog/cba symbolically, boolprog/interp step by
// step; boolprog/pds does the same for pushdown systems, boolprog/bdd has the sets.
package boolprog

import "strings"

// Program is a Boolean program. Nothing changes it after Parse.
type Program struct {
	File    string
	Globals []string
	Init    *Expr // what holds of the globals at the start; nil: they have any values
	Procs   []*Proc
	Threads []*Proc // what each thread runs, in the order of the schedule
}

// Proc is a procedure: a graph whose edges are its steps. Its variables are its
// parameters, its local variables, and one hidden variable for each result, in
// this order. Those that are no parameters have any value at the entry.
type Proc struct {
	Name    string
	Pos     Pos
	Params  int
	Results int
	Vars    []string
	Nodes   []Node
	Edges   []*Edge
	Entry   int
	Exit    int // a call is over when control is here; no edge leaves it
}

// Result returns the variable that holds result i at the exit.
func (p *Proc) Result(i int) Var { return Var{Index: len(p.Vars) - p.Results + i} }

// Node is a place of control in a procedure.
type Node struct {
	Pos    Pos
	Atomic bool // inside an atomic block: no other thread runs while control is here
	Error  bool // an assertion has failed; no edge leaves the node
}

// Edge is a step. It is a call if Callee is set: it then assigns the callee's
// results to the targets when the callee is at its exit. Otherwise it is possible
// if the guard can be true, and then assigns all values at once.
type Edge struct {
	From, To  int
	Pos       Pos
	Text      string // of the statement, empty for a step that is none
	Guard     *Expr  // nil: true
	Targets   []Var
	Values    []*Expr // for the targets; of a call: for the parameters
	Constrain *Expr   // what holds of the values before and after; nil: true
	Callee    *Proc
}

// Var is a variable: a global one, or one of the procedure it is used in.
type Var struct {
	Global bool
	Index  int
}

// Pos is a place in the program's text, counted from 1.
type Pos struct{ Line, Col int }

// Op is what an expression does.
type Op int

// The expressions. A choice is true or false, each time it is evaluated anew;
// schoose[a,b] is true if a holds, else false if b holds, else a choice.
const (
	OpConst   Op = iota // Value
	OpVar               // Var, after the step if Primed
	OpChoice            // *
	OpNot               // !a
	OpAnd               // a & b
	OpOr                // a | b
	OpXor               // a != b
	OpEqual             // a = b
	OpImplies           // a => b
	OpIte               // a ? b : c
	OpSchoose           // schoose[a, b]
)

// Expr is an expression.
type Expr struct {
	Op     Op
	Args   []*Expr
	Var    Var
	Primed bool
	Value  bool
}

// Not returns the negation of e.
func Not(e *Expr) *Expr { return &Expr{Op: OpNot, Args: []*Expr{e}} }

// Const returns a constant.
func Const(v bool) *Expr { return &Expr{Op: OpConst, Value: v} }

// Use returns the value of a variable.
func Use(v Var) *Expr { return &Expr{Op: OpVar, Var: v} }

// VarName returns a variable's name in a procedure.
func (p *Program) VarName(in *Proc, v Var) string {
	if v.Global {
		return p.Globals[v.Index]
	}
	return in.Vars[v.Index]
}

// Out returns the edges that leave each node of the procedure.
func (p *Proc) Out() [][]*Edge {
	out := make([][]*Edge, len(p.Nodes))
	for _, e := range p.Edges {
		out[e.From] = append(out[e.From], e)
	}
	return out
}

// Error is a mistake in a program.
type Error struct {
	File string
	Pos  Pos
	Msg  string
}

// Error returns file:line:col: message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	b.WriteByte(':')
	b.WriteString(e.Pos.String())
	b.WriteString(": ")
	b.WriteString(e.Msg)
	return b.String()
}

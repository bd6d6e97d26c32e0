// Package seqmc defines sequential programs and the interface of the model
// checkers that decide them.
//
// A sequential [Program] is one control-flow graph over integer variables, its
// edges lists of commands as in package ir. The modular algorithm expresses
// every question it has as such a program: a thread's code with env_move spelled
// out as "copy the variables, havoc them, assume the relation".
//
// A [Checker] answers Safe with an inductive invariant per node, or Unsafe with
// a path of edges from the entry to an error node. Neither is trusted: the
// caller solves the path's formula, and invariants are re-proved by package
// check. An answer that cannot be had is Unknown with the reason, never a guess.
package seqmc

import (
	"context"
	"fmt"
	"strings"

	"comus/ir"
	"comus/logic"
)

// Node is a location of a sequential program.
type Node struct {
	Index int // its place in Program.Nodes
	Name  string
	Error bool
	Out   []*Edge
}

// Edge is a sequence of commands leading from a node to another.
type Edge struct {
	Index    int // its place in Program.Edges
	From, To *Node
	Cmds     []ir.Cmd
	Text     string // for people
}

// Program is a sequential program. Execution starts at Entry in any state that
// satisfies Init; the program is safe if no error node can be reached.
type Program struct {
	L     *logic.Store
	Name  string
	Vars  []*ir.Var // all variables the commands and Init mention
	Init  *logic.Term
	Entry *Node
	Nodes []*Node
	Edges []*Edge
}

// NewNode adds a node.
func (p *Program) NewNode(name string) *Node {
	n := &Node{Index: len(p.Nodes), Name: name}
	p.Nodes = append(p.Nodes, n)
	return n
}

// NewEdge adds an edge.
func (p *Program) NewEdge(from, to *Node, text string, cmds []ir.Cmd) *Edge {
	e := &Edge{Index: len(p.Edges), From: from, To: to, Cmds: cmds, Text: text}
	p.Edges = append(p.Edges, e)
	from.Out = append(from.Out, e)
	return e
}

// Leads reports whether edges, one after another, lead from the entry to an error node.
func (p *Program) Leads(path []*Edge) bool {
	at := p.Entry
	for _, e := range path {
		if e == nil || e.From != at {
			return false
		}
		at = e.To
	}
	return at.Error
}

// Verdict is a checker's answer.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Safe
	Unsafe
)

// String returns SAFE, UNSAFE or UNKNOWN.
func (v Verdict) String() string { return [...]string{"UNKNOWN", "SAFE", "UNSAFE"}[v] }

// Result is what a check found out.
type Result struct {
	Verdict Verdict
	Reason  string // Unknown: why
	// Invariants has, when Verdict is Safe, a formula over Vars for every node
	// that is not an error node: true initially at the entry, and kept by every
	// edge. False means that the node is not reached.
	Invariants map[*Node]*logic.Term
	// Path leads, when Verdict is Unsafe, from the entry to an error node. It
	// need not be feasible if the backend approximates arithmetic.
	Path []*Edge
}

// Checker is a sequential model checker.
type Checker interface {
	// Name is the backend's name, for reports.
	Name() string
	// Check decides p. The error is for failures that are not an answer:
	// ctx's end, or a backend that cannot be run.
	Check(ctx context.Context, p *Program) (Result, error)
}

// Staged is a Checker whose checks can run beside each other: only what a task
// does in Run may overlap with other work on the program's store.
type Staged interface {
	Checker
	// Prepare returns the check of p.
	Prepare(p *Program) Task
}

// Task is a check in three steps: Run decides, Result reads off the answer, Close
// frees what the task holds. A task may be closed without the steps before.
type Task interface {
	Run(ctx context.Context)
	Result(ctx context.Context) (Result, error)
	Close()
}

// Live returns for each node, by index, the variables whose value at the node
// may matter later: those that some path reads before it writes them.
func (p *Program) Live() []map[*ir.Var]bool {
	tab := make(ir.SymTable, len(p.Vars))
	for _, v := range p.Vars {
		tab[v.Sym] = v
	}
	live := make([]map[*ir.Var]bool, len(p.Nodes))
	for i := range live {
		live[i] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(p.Edges) - 1; i >= 0; i-- {
			e := p.Edges[i]
			for v := range liveBefore(tab, e.Cmds, live[e.To.Index]) {
				if !live[e.From.Index][v] {
					live[e.From.Index][v] = true
					changed = true
				}
			}
		}
	}
	return live
}

// liveBefore carries liveness backwards over commands.
func liveBefore(tab ir.SymTable, cmds []ir.Cmd, after map[*ir.Var]bool) map[*ir.Var]bool {
	live := make(map[*ir.Var]bool, len(after))
	for v := range after {
		live[v] = true
	}
	for i := len(cmds) - 1; i >= 0; i-- {
		c := cmds[i]
		var read *logic.Term
		switch c.Kind {
		case ir.Assume:
			read = c.Cond
		case ir.Assign:
			if !live[c.Var] {
				continue // a dead assignment reads nothing
			}
			delete(live, c.Var)
			read = c.Expr
		case ir.Havoc:
			delete(live, c.Var)
			continue
		}
		for _, s := range logic.FreeVars(read) {
			if v := tab[s]; v != nil {
				live[v] = true
			}
		}
	}
	return live
}

// String prints the program as C-like text.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s, entry %s, init %s\n", p.Name, p.Entry.Name, p.Init.C(logic.CStyle{}))
	for _, n := range p.Nodes {
		fmt.Fprintf(&b, "%s:\n", n.Name)
		for _, e := range n.Out {
			fmt.Fprintf(&b, "\t{ ")
			for _, c := range e.Cmds {
				b.WriteString(CmdText(c))
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "goto %s; } // %s\n", e.To.Name, e.Text)
		}
	}
	return b.String()
}

// CmdText prints a command as a C statement.
func CmdText(c ir.Cmd) string {
	switch c.Kind {
	case ir.Assume:
		return "assume(" + c.Cond.C(logic.CStyle{}) + ");"
	case ir.Assign:
		return c.Var.Name + " = " + c.Expr.C(logic.CStyle{}) + ";"
	}
	return c.Var.Name + " = havoc();"
}

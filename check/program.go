package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// oldPrefix marks, in a formula, the value a variable had before a move.
const oldPrefix = "old:"

// program is the program under check, as the checker looks at it.
type program struct {
	*ir.Program
	l       *logic.Store
	vars    map[string]*ir.Var // by name
	pcs     map[string]int     // thread by the name of its pc
	varOf   map[*logic.Term]*ir.Var
	pcOf    map[*logic.Term]int
	threads []*thread
	// noValues tells that nobody asks which values are assigned: see assigned.
	noValues bool
}

// thread is a thread with what the certificate says about it.
type thread struct {
	*ir.Thread
	node, cut []bool     // by location index
	nodes     []int      // in ascending order, without error locations
	out       [][]*block // the blocks that leave a node, by its index
	assigned  []assigned
	changes   map[*ir.Var]bool // what its blocks write that do not end in an error
}

// cuts calls f for each cut-point.
func (t *thread) cuts(f func(loc int)) {
	for _, n := range t.nodes {
		if t.cut[n] {
			f(n)
		}
	}
}

// newProgram looks at p and verifies the bookkeeping that the rest of the
// package relies on.
func newProgram(p *ir.Program) (*program, error) {
	if p == nil || p.L == nil || len(p.Threads) == 0 {
		return nil, errors.New("the program is empty")
	}
	pr := &program{Program: p, l: p.L, vars: map[string]*ir.Var{}, pcs: map[string]int{},
		varOf: map[*logic.Term]*ir.Var{}, pcOf: map[*logic.Term]int{}}
	for i, v := range p.Vars {
		if err := pr.addVar(i, v); err != nil {
			return nil, err
		}
	}
	for i, t := range p.Threads {
		if err := pr.addThread(i, t); err != nil {
			return nil, err
		}
	}
	for _, t := range pr.threads {
		for _, l := range t.Locs {
			for _, e := range l.Out {
				if err := pr.checkEdge(t, l, e); err != nil {
					return nil, fmt.Errorf("thread %d, location %d: %w", t.Index, l.Index, err)
				}
			}
		}
	}
	if err := p.CheckCells(); err != nil {
		return nil, err
	}
	return pr, nil
}

func (pr *program) addVar(i int, v *ir.Var) error {
	switch {
	case v == nil || v.Index != i:
		return fmt.Errorf("variable %d of the program is not numbered properly", i)
	case strings.HasPrefix(v.Name, oldPrefix) || pr.vars[v.Name] != nil:
		return fmt.Errorf("the program has no unique variable %q", v.Name)
	case v.Sym == nil || v.Sym != pr.l.Var(v.Name, logic.Int):
		return fmt.Errorf("variable %s of the program has the symbol %v", v.Name, v.Sym)
	case v.Type.Bits < 1 || v.Thread < ir.Shared || v.Thread >= len(pr.Threads):
		return fmt.Errorf("variable %s of the program has no proper type or thread", v.Name)
	case v.Init != nil && !v.Type.Contains(*v.Init):
		return fmt.Errorf("variable %s of the program has an initial value outside its type", v.Name)
	}
	pr.vars[v.Name], pr.varOf[v.Sym] = v, v
	return nil
}

func (pr *program) addThread(i int, t *ir.Thread) error {
	if t == nil || t.Index != i || t.PC == nil || t.Entry == nil {
		return fmt.Errorf("thread %d of the program is not numbered properly", i)
	}
	name := fmt.Sprintf("pc%d", i)
	if pr.vars[name] != nil || t.PC != pr.l.Var(name, logic.Int) {
		return fmt.Errorf("thread %d of the program has no program counter of its own", i)
	}
	for j, l := range t.Locs {
		if l == nil || l.Index != j || l.Thread != t {
			return fmt.Errorf("location %d of thread %d is not numbered properly", j, i)
		}
	}
	if !slices.Contains(t.Locs, t.Entry) {
		return fmt.Errorf("thread %d of the program has no proper entry", i)
	}
	pr.pcs[name], pr.pcOf[t.PC] = i, i
	pr.threads = append(pr.threads, &thread{Thread: t, changes: map[*ir.Var]bool{}})
	return nil
}

// checkEdge verifies that an edge stays within its thread and that its commands
// are well-formed and touch no other thread's local variable.
func (pr *program) checkEdge(t *thread, l *ir.Loc, e *ir.Edge) error {
	if e == nil || e.From != l || e.To == nil || e.To.Index < 0 || e.To.Index >= len(t.Locs) || t.Locs[e.To.Index] != e.To {
		return errors.New("an edge is not linked properly")
	}
	for _, c := range e.Cmds {
		term, sort := c.Cond, logic.Bool
		switch c.Kind {
		case ir.Assume:
		case ir.Assign:
			term, sort = c.Expr, logic.Int
		case ir.Havoc:
			term = nil
		default:
			return fmt.Errorf("an unknown command of kind %d", c.Kind)
		}
		if c.Kind != ir.Assume {
			if err := pr.mayAccess(t, c.Var); err != nil {
				return err
			}
		}
		if c.Kind == ir.Havoc {
			for _, s := range logic.FreeVars(c.Reads()...) { // of a cell
				if err := pr.mayAccess(t, pr.varOf[s]); err != nil {
					return err
				}
			}
			continue
		}
		if term == nil || term.Sort() != sort {
			return errors.New("a command without a proper term")
		}
		for _, s := range logic.FreeVars(term) {
			if err := pr.mayAccess(t, pr.varOf[s]); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
	}
	return nil
}

func (pr *program) mayAccess(t *thread, v *ir.Var) error {
	switch {
	case v == nil || pr.vars[v.Name] != v:
		return errors.New("a command uses an unknown variable")
	case v.Thread != ir.Shared && v.Thread != t.Index:
		return fmt.Errorf("a command uses %s, which is local to thread %d", v.Name, v.Thread)
	}
	return nil
}

// old returns the symbol for the value of sym before a move.
func (pr *program) old(sym *logic.Term) *logic.Term {
	return pr.l.Var(oldPrefix+sym.Name(), logic.Int)
}

// effect is what commands do: the condition under which they can be run, over
// the values before and the inputs chosen, and the values they leave.
type effect struct {
	cond   *logic.Term
	env    map[*logic.Term]*logic.Term // by Var.Sym; others are unchanged
	inputs []input
	// arrays has what is read from cells and written to them, in order, if the program has cells.
	arrays []access
}

// input is the value chosen by a havoc command.
type input struct {
	sym *logic.Term
	typ ir.Type
}

// exec runs commands symbolically after another effect (nil: from the start).
// Inputs are taken from given first and invented when those are used up.
func (pr *program) exec(after *effect, cmds []ir.Cmd, given []input) *effect {
	l := pr.l
	x := &effect{env: map[*logic.Term]*logic.Term{}}
	if after != nil {
		for k, v := range after.env {
			x.env[k] = v
		}
	}
	var conds []*logic.Term
	for _, c := range cmds {
		switch c.Kind {
		case ir.Assume:
			conds = append(conds, l.Subst(c.Cond, x.env))
		case ir.Assign:
			if c.Var.Cell == ir.Cell {
				x.arrays = append(x.arrays, access{of: c.Var, term: l.Subst(c.Expr, pr.scalars(x.env))})
			}
			x.env[c.Var.Sym] = l.Subst(c.Expr, x.env)
		case ir.Havoc:
			in := input{typ: c.Var.Type}
			if n := len(x.inputs); n < len(given) {
				in.sym = given[n].sym
			} else {
				in.sym = l.FreshVar("in", logic.Int)
			}
			x.inputs = append(x.inputs, in)
			switch {
			case c.Of != nil:
				x.arrays = append(x.arrays, access{of: c.Of, term: l.Subst(c.At, x.env), read: in.sym})
			case c.Var.Cell == ir.Cell:
				x.arrays = append(x.arrays, access{of: c.Var})
			}
			x.env[c.Var.Sym] = in.sym
			conds = append(conds, pr.TermInRange(in.sym, c.Var.Type))
		}
	}
	x.cond = l.And(conds...)
	return x
}

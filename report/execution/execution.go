package execution

import (
	"maps"
	"slices"
	"strings"

	"comus/comus/involved"
	"comus/ir"
	"comus/ir/interp"
)

// Execution is a trace as people are shown it.
type Execution struct {
	interp.Trace
	Rows []Row
	// Orders are those between rows of different threads, by the row that comes later.
	Orders []Order
	// Locks has, for each row, what locks its steps have taken and given back, and Moves what has changed about where
	// the threads stand.
	Locks [][]involved.LockEvent
	Moves [][]Move

	tab ir.SymTable
	// before and after have for each step the row that it belongs to; for one that is in none the last row of its thread before
	// it, and the next after it; -1 if there is none.
	before, after []int
}

// New makes an execution of a trace, with the steps that it depends on (see [Rows]).
func New(tr interp.Trace, depends func(*ir.Edge) bool) *Execution {
	x := &Execution{Trace: tr, Rows: Rows(tr, depends), tab: tr.Program.Symbols()}
	x.Steps = SideBySide(tr)
	x.place()
	x.Locks = make([][]involved.LockEvent, len(x.Rows))
	events := involved.LockEvents(x.Trace)
	for _, e := range events {
		if r := x.at(e.Step); r >= 0 {
			x.Locks[r] = append(x.Locks[r], e)
		}
	}
	x.Orders = x.orders(events)
	x.Moves = x.moves()
	return x
}

// place finds the rows that steps belong to.
func (x *Execution) place() {
	n := len(x.Steps)
	x.before, x.after = make([]int, n), make([]int, n)
	of := make([]int, n) // the row that a step is in, and -1
	for i := range of {
		of[i] = -1
	}
	for r, row := range x.Rows {
		for i := row.First; i <= row.Last; i++ {
			if x.Steps[i].Thread == row.Thread { // steps that are not shown may lie between
				of[i] = r
			}
		}
	}
	scan := func(to []int, i int, last map[*ir.Thread]int) {
		t := x.Steps[i].Thread
		if of[i] >= 0 {
			last[t] = of[i]
		}
		to[i] = -1
		if r, ok := last[t]; ok {
			to[i] = r
		}
	}
	last := map[*ir.Thread]int{}
	for i := range n {
		scan(x.before, i, last)
	}
	clear(last)
	for i := n - 1; i >= 0; i-- {
		scan(x.after, i, last)
	}
}

// at returns the row in which one sees what a step has done: its own, or the next of its thread, or the last one of it.
func (x *Execution) at(step int) int {
	if r := x.after[step]; r >= 0 {
		return r
	}
	return x.before[step]
}

// Effects returns what a row does, as [Row.Effects] does, but in place of the values of locks who takes them and gives them back.
func (x *Execution) Effects(i int) string {
	r := x.Rows[i]
	var parts []string
	for _, l := range x.Locks[i] {
		what := "gives back "
		if l.Taken {
			what = "takes "
		}
		if what += l.Name; l.How != "" {
			what += " (" + l.How + ")"
		}
		parts = append(parts, what)
	}
	r.Changes = slices.DeleteFunc(slices.Clone(r.Changes), func(c interp.Change) bool { return c.Var.Holder != ir.NoLock })
	if more := r.Effects(); more != "" {
		parts = append(parts, more)
	}
	return strings.Join(parts, ", ")
}

// Variables returns those that the program's text knows and that tell of no lock, as far as the steps that were taken, or could have been
// taken where the threads came by, read or write them; in the order of the program.
func (x *Execution) Variables() []*ir.Var {
	seen := map[*ir.Loc]bool{}
	used := map[*ir.Var]bool{}
	for _, s := range x.Steps {
		if seen[s.Edge.From] {
			continue
		}
		seen[s.Edge.From] = true
		for _, e := range s.Edge.From.Out {
			a := x.tab.CmdAccess(e.Cmds)
			maps.Copy(used, a.Reads)
			maps.Copy(used, a.Writes)
		}
	}
	var out []*ir.Var
	for _, v := range x.Program.Vars {
		if used[v] && v.Label() != "" && v.Holder == ir.NoLock && v.Stale == nil {
			out = append(out, v)
		}
	}
	return out
}

package execution

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/specialise"
)

// Row is a line of a counterexample: steps of one thread in one statement.
type Row struct {
	Thread  *ir.Thread
	Pos     ir.Pos
	Text    string
	Inputs  []interp.Input
	Reads   []string // "x is 0": what a step that changes nothing has read
	Old     []string // of the reads, those of values that are not the newest
	Changes []interp.Change
	Approx  string // the approximation that it is; its values are perhaps not those of the source
	// First and Last are the indexes of its steps in [SideBySide].
	First, Last int

	prog *ir.Program
}

// Rows groups the steps of a trace by statement and leaves out those in which
// there is nothing to see, unless the trace depends on them; nil if it depends on none.
func Rows(tr interp.Trace, depends func(*ir.Edge) bool) []Row {
	var out []Row
	tab := tr.Program.Symbols()
	for i, s := range SideBySide(tr) {
		reads, old := readsOf(s, tr.Program, tab)
		r := Row{s.Thread, s.Pos, s.Text, s.Inputs, reads, old, visible(s.Changes), s.Edge.Approx, i, i, tr.Program}
		silent := len(r.Changes)+len(r.Inputs)+len(r.Reads) == 0
		if s.Text == "" && r.Approx == "" && len(r.Changes)+len(r.Inputs) == 0 { // a question of comus's own, such as who is known to hold a lock
			continue
		}
		if (depends == nil || !depends(s.Edge)) && (silent && (s.Text == "" || strings.HasPrefix(s.Text, "read ")) || isDeclaration(s)) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].precedes(r) && !(tr.Program.Partial && (s.Edge.Kind == ir.Create || len(out[n-1].Changes) > 0)) {
			before := out[n-1]
			r.Inputs = slices.Concat(before.Inputs, r.Inputs)
			r.Changes = slices.Concat(before.Changes, r.Changes)
			r.Reads = slices.Concat(before.Reads, r.Reads)
			r.Old = slices.Concat(before.Old, r.Old)
			r.Approx = cmp.Or(before.Approx, r.Approx)
			r.First = before.First
			out[n-1] = r
			continue
		}
		out = append(out, r)
	}
	return out
}

// SideBySide returns the steps of a trace; of one that ends in a data race those last that tell of the two accesses. A thread that has told of
// its own, and does nothing more, stands before it until the end.
func SideBySide(tr interp.Trace) []interp.TraceStep {
	n := len(tr.Steps) - 1
	told := slices.IndexFunc(tr.Steps, func(s interp.TraceStep) bool { return s.Edge.Tells != nil })
	if told < 0 || tr.Program.Partial || Property(tr) != specialise.Race || // a run's steps come as they were taken

		slices.ContainsFunc(tr.Steps[told+1:], func(s interp.TraceStep) bool { return s.Thread == tr.Steps[told].Thread }) {
		return tr.Steps
	}
	return slices.Concat(tr.Steps[:told], tr.Steps[told+1:n], tr.Steps[told:told+1], tr.Steps[n:])
}

// precedes reports whether r is the beginning of the statement that next, taken
// directly after it, is the rest of.
func (r Row) precedes(next Row) bool {
	switch {
	case r.Thread != next.Thread || r.Pos.File != next.Pos.File || r.Pos.Line != next.Pos.Line:
		return false
	case r.Pos == next.Pos && (r.Text == next.Text || strings.HasPrefix(next.Text, "pthread_")):
		return true
	case len(r.Changes) == 0 && (strings.HasPrefix(r.Text, "read ") || r.Text == "" && r.Approx != ""):
		return true
	}
	return r.Text != "" && len(r.Changes) == 0 && strings.Contains(next.Text, r.Text)
}

// isDeclaration reports whether a step only starts variables with any value.
func isDeclaration(s interp.TraceStep) bool {
	return len(s.Edge.Cmds) > 0 && !slices.ContainsFunc(s.Edge.Cmds, func(c ir.Cmd) bool { return c.Kind != ir.Havoc || c.Input != "" })
}

// readsOf returns what a step copies to temporaries: the shared values it has read. What is computed, such as
// an address, is not read. Of these, old are values that are not the newest.
func readsOf(s interp.TraceStep, p *ir.Program, tab ir.SymTable) (out, old []string) {
	for _, ch := range s.Changes {
		for _, c := range s.Edge.Cmds {
			if ch.Var.Label() != "" || c.Kind != ir.Assign || c.Var != ch.Var || !c.Expr.IsVar() && c.Expr.Op() != logic.OpIte || !slices.ContainsFunc(logic.FreeVars(c.Expr), isShared) {
				continue
			}
			what, isRead := strings.CutPrefix(s.Text, "read ")
			if c.Expr.IsVar() && tab[c.Expr].Holder != ir.NoLock {
				continue
			}
			value := ch.New.String()
			if c.Expr.IsVar() {
				value = p.Value(tab[c.Expr], ch.New)
				if what, isRead = tab[c.Expr].Label(), true; what == "" {
					what = c.Expr.Name()
				}
			}
			if !isRead {
				continue
			}
			if c.Expr.IsVar() && tab[c.Expr].Stale != nil {
				value += " (not the newest value)"
				old = append(old, what+" is "+value)
			}
			out = append(out, what+" is "+value)
		}
	}
	return out, old
}

// isShared reports whether a variable is not a thread's own: such variables are named "t1.name".
func isShared(t *logic.Term) bool { return !localName.MatchString(t.Name()) }

var localName = regexp.MustCompile(`^t\d+\.`)

// visible returns the changes of variables that the user knows.
func visible(cs []interp.Change) []interp.Change {
	var out []interp.Change
	for _, c := range cs {
		if c.Var.Label() != "" && !strings.HasPrefix(c.Var.Label(), "__atomic_") { // a temporary of a macro of gcc's
			out = append(out, c)
		}
	}
	return out
}

// mostChanges bounds the changes that a row shows.
const mostChanges = 12

// differs reports whether a change is one.
func differs(c interp.Change) bool { return c.Old != c.New }

// Effects returns what a row did: inputs, then changes.
func (r Row) Effects() string {
	var parts []string
	for _, in := range r.Inputs {
		parts = append(parts, fmt.Sprintf("%s() = %s", in.Name, in.Value))
	}
	changes := r.Changes
	if slices.ContainsFunc(changes, differs) { // a pointer that may lead to several objects, one of which is written, or bytes of a scalar that are as they were
		changes = slices.DeleteFunc(slices.Clone(changes), func(c interp.Change) bool { return !differs(c) })
	}
	for i, c := range changes {
		if i == mostChanges && len(changes) > i+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(changes)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: %s -> %s", c.Var.Label(), r.prog.Value(c.Var, c.Old), r.prog.Value(c.Var, c.New)))
	}
	if len(parts) == 0 {
		parts = r.Reads
	} else {
		parts = append(slices.Clone(r.Old), parts...)
	}
	text := strings.Join(parts, ", ")
	if r.Approx != "" {
		text = strings.TrimLeft(text+" (approximated)", " ")
	}
	return text
}

// Statement returns the text of a row; an approximation without one has its name.
func (r Row) Statement() string { return cmp.Or(r.Text, r.Approx) }

// ErrorText says what an error location stands for, as something that happens.
func ErrorText(l *ir.Loc) string {
	switch {
	case l.Text == "":
		return "an assertion fails"
	case l.Text == "ERROR":
		return "the label ERROR is reached"
	case strings.HasPrefix(l.Text, "assert(") || strings.HasPrefix(l.Text, "__VERIFIER_assert("):
		return l.Text + " fails"
	case l.Check == specialise.Race, l.Check == specialise.Deadlock:
		return l.Text
	case strings.HasSuffix(l.Text, ")") && !strings.Contains(l.Text, " in "):
		return l.Text + " is reached"
	}
	return l.Text
}

// Property returns the property that an execution violates, one of specialise.CheckNames.
func Property(tr interp.Trace) string {
	if tr.Error == nil {
		return specialise.Assert
	}
	return cmp.Or(tr.Error.Check, specialise.Assert)
}

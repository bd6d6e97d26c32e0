package execution

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/specialise"
)

// Seen is a variable that the last statement of an execution has read: what it was then, and the row that had written it last.
type Seen struct {
	Name, Value string
	Row         int // -1: none has
}

// Seen returns what the statement has read in which the execution ends, and what a thread has that waits at the end.
func (x *Execution) Seen() (list []Seen) {
	if x.Error == nil || len(x.Rows) == 0 {
		return nil
	}
	rows := x.lastRows()
	vals := map[*ir.Var]logic.Value{}
	wrote := map[*ir.Var]int{}
	seen := map[*ir.Var]int{}
	for i, s := range x.Steps {
		if r := x.before[i]; r >= 0 && rows[r] && s.Thread == x.Rows[r].Thread {
			for _, v := range x.readIn(s.Edge) {
				n, again := seen[v]
				if !again {
					n = len(list)
					seen[v] = n
					list = append(list, Seen{})
				}
				val, ok := vals[v]
				if !ok {
					val = x.Initial.Value(v)
				}
				row := -1
				if w, ok := wrote[v]; ok {
					row = x.before[w]
				}
				list[n] = Seen{v.Label(), x.Program.Value(v, val), row}
			}
		}
		several := len(s.Changes) > 1
		for _, c := range s.Changes {
			if vals[c.Var] = c.New; !several || differs(c) { // a pointer may lead to several objects, one of which is written
				wrote[c.Var] = i
			}
		}
	}
	return pointedTo(list)
}

// pointedTo leaves out what an expression as p->n is of objects from one place that the pointer did not lead to.
func pointedTo(list []Seen) []Seen {
	group := func(s Seen) string { return numberOf.ReplaceAllString(s.Name, "") }
	size, led := map[string]int{}, map[string]bool{}
	to := func(s Seen) bool {
		return slices.ContainsFunc(list, func(p Seen) bool {
			object, is := strings.CutPrefix(p.Value, "&")
			return is && strings.HasPrefix(s.Name, object)
		})
	}
	for _, s := range list {
		size[group(s)]++
		led[group(s)] = led[group(s)] || to(s)
	}
	return slices.DeleteFunc(list, func(s Seen) bool { return size[group(s)] > 1 && led[group(s)] && !to(s) })
}

// numberOf is the number of an object, of several from one place.
var numberOf = regexp.MustCompile(`, no\. \d+\)`)

// Writer says who has written it, "" if nobody has whose place is known.
func (x *Execution) Writer(s Seen) string {
	if s.Row < 0 || x.Rows[s.Row].Pos.Line == 0 {
		return ""
	}
	r := &x.Rows[s.Row]
	return fmt.Sprintf("written by thread %d %s at %s: %s", r.Thread.Index, r.Thread.Name, r.Pos, r.Statement())
}

// Accessed returns the values of what a thread accesses where it has a part in the end of a run of the whole program, "" for other executions.
func (x *Execution) Accessed(t *ir.Thread) string {
	if i := x.tellingRow(t); i >= 0 && x.Program.Partial {
		return x.Rows[i].Effects()
	}
	return ""
}

// lastRows returns the rows of the statement in which the execution ends, in several lines of the table perhaps.
func (x *Execution) lastRows() map[int]bool {
	rows := map[int]bool{}
	for i := len(x.Rows) - 1; i >= 0; i-- {
		r := &x.Rows[i]
		if r.Thread != x.Error.Thread {
			continue
		}
		if r.Pos.File != x.Error.Pos.File || r.Pos.Line != x.Error.Pos.Line {
			break
		}
		rows[i] = true
	}
	return rows
}

// readIn returns the variables of the program's that an edge reads, but no locks.
func (x *Execution) readIn(e *ir.Edge) (list []*ir.Var) {
	all := x.tab.CmdAccess(e.Cmds).Reads
	for _, v := range x.Program.Vars {
		if all[v] && v.Label() != "" && !strings.HasPrefix(v.Label(), "__") && v.Holder == ir.NoLock {
			list = append(list, v)
		}
	}
	return list
}

// tellingRow returns the row in which a step is that tells of an access or a wait of a thread, -1 if there is none.
func (x *Execution) tellingRow(t *ir.Thread) int {
	for i := len(x.Steps) - 1; i >= 0; i-- {
		if s := x.Steps[i]; s.Thread == t && (s.Edge.Tells != nil || s.Edge.To.Error) {
			return x.before[i]
		}
	}
	return -1
}

// Awaited returns the thread that holds the lock which a thread waits for at the end, nil if it waits for none, or it is not known.
func (x *Execution) Awaited(t *ir.Thread) *ir.Thread {
	var lock *ir.Var
	for _, ms := range x.Moves {
		for _, m := range ms {
			if m.Thread == t {
				lock = m.Lock
			}
		}
	}
	if lock == nil {
		return nil
	}
	var by *ir.Thread
	for _, es := range x.Locks {
		for _, e := range es {
			switch {
			case e.Lock != lock:
			case e.Taken:
				by = e.Thread
			default:
				by = nil
			}
		}
	}
	return by
}

// Freed returns the step by which memory was freed that the execution accesses at its end, nil if it ends otherwise, or that is not known.
func (x *Execution) Freed() *interp.TraceStep {
	if x.Error == nil || x.Error.Check != specialise.Memory || len(x.Steps) == 0 {
		return nil
	}
	if i := slices.IndexFunc(x.Steps, func(s interp.TraceStep) bool { return s.Edge.Tells != nil }); i >= 0 { // of a run
		return &x.Steps[i]
	}
	var alive []*ir.Var
	for v := range x.tab.CmdAccess(x.Steps[len(x.Steps)-1].Edge.Cmds).Reads {
		if strings.HasSuffix(v.Name, ".alive") {
			alive = append(alive, v)
		}
	}
	if len(alive) != 1 {
		return nil
	}
	for i := len(x.Steps) - 1; i >= 0; i-- {
		s := &x.Steps[i]
		for _, c := range s.Changes {
			if was, _ := c.Old.Int64(); c.Var == alive[0] && was == 1 && c.New != c.Old {
				return s
			}
		}
	}
	return nil
}

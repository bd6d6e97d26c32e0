package comus

import (
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/specialise"
)

// Involved is the part of one thread in a data race or a deadlock: where it stands at the end of the execution, before an access or waiting.
type Involved struct {
	Thread *ir.Thread
	Pos    ir.Pos
	Text   string   // the statement
	Waits  bool     // it waits there, and does not access
	Held   []string // the mutexes that it holds
}

// InvolvedIn returns the threads that a violation is about, in the order in which they came there: the two that race, those that wait for one
// another. It is nil for an execution that violates another property.
func InvolvedIn(tr interp.Trace) []Involved {
	if tr.Error == nil || tr.Error.Check != specialise.Race && tr.Error.Check != specialise.Deadlock {
		return nil
	}
	waits := tr.Error.Check == specialise.Deadlock
	held := map[*ir.Thread][]string{}
	var out []Involved
	for _, s := range tr.Steps {
		switch s.Edge.Kind {
		case ir.Lock:
			held[s.Thread] = append(held[s.Thread], lockName(s.Edge.Mutex))
		case ir.Unlock:
			if i := slices.Index(held[s.Thread], lockName(s.Edge.Mutex)); i >= 0 {
				held[s.Thread] = slices.Delete(slices.Clone(held[s.Thread]), i, i+1)
			}
		}
		if text, ok := strings.CutPrefix(s.Edge.Text, specialise.StandsBefore); ok {
			out = append(out, Involved{Thread: s.Thread, Pos: s.Pos, Text: text})
		} else if text, ok := strings.CutPrefix(s.Edge.Text, specialise.WaitsIn); ok {
			out = append(out, Involved{Thread: s.Thread, Pos: s.Pos, Text: text, Waits: true})
		}
	}
	last := tr.Error.Text
	for _, prefix := range []string{specialise.RaceAt, specialise.DeadlockIn} {
		last = strings.TrimPrefix(last, prefix)
	}
	out = append(out, Involved{Thread: tr.Error.Thread, Pos: tr.Error.Pos, Text: last, Waits: waits})
	for i := range out {
		out[i].Held = held[out[i].Thread]
	}
	return out
}

// lockName names a mutex as the source does, if it can.
func lockName(v *ir.Var) string {
	if v.Source != "" {
		return v.Source
	}
	return v.Name
}

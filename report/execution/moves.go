package execution

import (
	"fmt"
	"slices"
	"strings"

	"comus/comus/involved"
	"comus/ir"
	"comus/logic"
	"comus/specialise"
)

// Status is what a thread does between two steps.
type Status string

// The statuses of a thread.
const (
	Absent  Status = "absent"  // nobody has created it
	Created Status = "created" // it has not taken a step
	Runs    Status = "runs"
	Waits   Status = "waits"  // it cannot take its next step
	Stands  Status = "stands" // before an access, until the end of the execution
	Ended   Status = "ended"
)

// Stand is where a thread stands.
type Stand struct {
	Status Status
	// For is what it waits for: a lock, the end of a thread, or a condition.
	For  string
	Lock *ir.Var // the lock that it waits for
	Pos  ir.Pos  // the place of its next step, where that is known
}

// Move tells that a thread stands somewhere else than before.
type Move struct {
	Thread *ir.Thread
	Stand
}

// moves returns for each row, and first for the beginning, how the threads stand then, as far as that has changed. The
// state is followed step by step.
func (x *Execution) moves() [][]Move {
	s := &stander{x: x, vals: slices.Clone(x.Initial.Vals), locs: slices.Clone(x.Initial.Locs), lastStep: map[*ir.Thread]*ir.Edge{},
		went: map[*ir.Thread]*ir.Edge{}, now: make([]Stand, len(x.Initial.Locs))}
	out := [][]Move{s.changed()}
	next := 0
	for r := range x.Rows {
		for ; next < len(x.Steps) && (next <= x.Rows[r].Last || r == len(x.Rows)-1); next++ {
			s.step(next)
		}
		out = append(out, s.changed())
	}
	return out
}

// stander knows the state of an execution, as far as it tells where threads stand.
type stander struct {
	x        *Execution
	vals     []logic.Value
	locs     []*ir.Loc
	lastStep map[*ir.Thread]*ir.Edge // of a race or deadlock: the step that tells where a thread stands for good
	went     map[*ir.Thread]*ir.Edge // the first of the edges by which a thread could go on last, or could have when it told that it waits
	now      []Stand
}

// step follows a step.
func (s *stander) step(i int) {
	st := s.x.Steps[i]
	switch next := ways(s.locs[st.Thread.Index]); {
	case len(next) > 0 && !slices.Contains(next, st.Edge): // it asks whether it waits for good
		s.went[st.Thread] = next[0]
	case len(next) == 0 && s.x.Program.Partial: // what it waits for is no step
		delete(s.went, st.Thread)
	}
	for _, c := range st.Changes {
		s.vals[c.Var.Index] = c.New
	}
	s.locs[st.Thread.Index] = st.Edge.To
	if st.Edge.Tells != nil || st.Edge.To.Error {
		s.lastStep[st.Thread] = st.Edge
	}
}

// changed returns the threads that stand somewhere else than when it was asked last.
func (s *stander) changed() []Move {
	var out []Move
	for i, l := range s.locs {
		if now := s.stand(l); now != s.now[i] {
			s.now[i] = now
			out = append(out, Move{l.Thread, now})
		}
	}
	return out
}

// stand returns how the thread that is at a location stands.
func (s *stander) stand(l *ir.Loc) Stand {
	t := l.Thread
	next := ways(l)
	switch step := s.lastStep[t]; {
	case step != nil && Property(s.x.Trace) == specialise.Deadlock:
		if before := s.went[t]; before != nil {
			return s.awaited(before)
		}
		return Stand{Status: Waits, For: strings.TrimPrefix(step.Text, specialise.WaitsIn), Pos: step.Pos}
	case step != nil && step.Tells != nil:
		return Stand{Status: Stands, For: step.Tells.Text, Pos: step.Tells.Pos}
	case step != nil:
		return Stand{Status: Stands, For: ErrorText(step.To), Pos: step.To.Pos}
	case l == t.Entry && t.Created != nil && !s.vals[t.Created.Index].Bool():
		return Stand{Status: Absent}
	case l == t.Entry && t.Created != nil:
		return Stand{Status: Created, Pos: PlaceOf(l)}
	case len(next) == 0 && len(l.Out) == 0 && s.x.Program.Partial: // what it does next is not told
		return Stand{Status: Runs}
	case len(next) == 0 && len(l.Out) == 0:
		return Stand{Status: Ended}
	case len(next) == 0 && Property(s.x.Trace) == specialise.Race:
		return Stand{Status: Runs, Pos: PlaceOf(l)}
	case len(next) == 0: // about to tell
		return s.now[t.Index]
	}
	s.went[t] = next[0]
	for _, e := range next {
		if !s.blocked(e) {
			return Stand{Status: Runs, Pos: PlaceOf(l)}
		}
	}
	return s.awaited(next[0])
}

// ways returns the edges by which a thread goes on from a location, without those that only tell of a race or deadlock.
func ways(l *ir.Loc) []*ir.Edge {
	var out []*ir.Edge
	for _, e := range l.Out {
		does := slices.ContainsFunc(e.Cmds, func(c ir.Cmd) bool { return c.Kind != ir.Assume })
		if !tells(e) && (does || len(e.To.Out) == 0 || slices.ContainsFunc(e.To.Out, func(f *ir.Edge) bool { return !tells(f) })) {
			out = append(out, e)
		}
	}
	return out
}

// tells reports whether an edge is there to tell of a race or deadlock.
func tells(e *ir.Edge) bool {
	return e.Tells != nil || e.To.Error && (e.To.Check == specialise.Race || e.To.Check == specialise.Deadlock)
}

// blocked reports whether an edge cannot be taken, as far as what it does is known before.
func (s *stander) blocked(e *ir.Edge) bool { return s.refusal(e) != nil }

// refusal returns the first condition of an edge that does not hold now, after what the edge assigns before; nil if there is none, or if
// that depends on an input.
func (s *stander) refusal(e *ir.Edge) *logic.Term {
	assigned := map[*logic.Term]logic.Value{}
	value := func(sym *logic.Term) logic.Value {
		if v, ok := assigned[sym]; ok {
			return v
		}
		return s.vals[s.x.tab[sym].Index]
	}
	for _, c := range e.Cmds {
		switch c.Kind {
		case ir.Assume:
			if !logic.Eval(c.Cond, value).Bool() {
				return c.Cond
			}
		case ir.Assign:
			assigned[c.Var.Sym] = logic.Eval(c.Expr, value)
		default:
			return nil
		}
	}
	return nil
}

// awaited says what a thread waits for that cannot take an edge.
func (s *stander) awaited(e *ir.Edge) Stand {
	out := Stand{Status: Waits, For: e.Text, Lock: e.Mutex, Pos: e.Pos}
	if (e.Kind == ir.Join || e.Kind == ir.Joined) && e.Thread >= 0 {
		t := s.locs[e.Thread].Thread
		out.For = fmt.Sprintf("the end of thread %d %s", t.Index, t.Name)
		return out
	}
	if cond := s.refusal(e); cond != nil {
		for _, sym := range logic.FreeVars(cond) {
			if v := s.x.tab[sym]; v.Holder != ir.NoLock {
				out.Lock = v
			}
		}
	}
	if out.Lock != nil {
		out.For = involved.LockName(out.Lock, e.Text)
	}
	return out
}

// PlaceOf returns where a thread is that stands at a location: before the statement that comes next.
func PlaceOf(l *ir.Loc) ir.Pos {
	for _, e := range l.Out {
		if e.Pos.Line > 0 {
			return e.Pos
		}
	}
	return l.Pos
}

package replay

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"comus/cir"
	"comus/cir/interp"
	"comus/ir"
	"comus/logic"
)

// An execution that ends in a data race has steps that are none of the program: by one a thread tells that it stands before an access, by
// the last one another thread finds it there (package specialise, race.go). Here these steps are left out. What they say is kept: the
// interpreter has to come to a state in which both threads are before their accesses, and these have a byte in common, one of
// them writes it, and one is not atomic. If memory orders weaker than sequential consistency are involved,
// the first thread may have made its access before, when it told; that no order is between the two, the interpreter does not see. In
// the C program both threads make their accesses at the end, and ThreadSanitizer judges.

// stop is an access of a thread that is part of a race.
type stop struct {
	thread, n int    // of ir; the instruction
	where     string // in the source
	pos       ir.Pos // of that: of the library's accesses, where the program called it
	at        *touched
}

// touched is the bytes that an access takes.
type touched struct {
	obj    *interp.Object
	off    uint64
	size   uint64 // all ones: all of the object
	kind   uint64
	atomic bool
}

// race is what an execution ends with.
type race struct {
	first, last stop
	from        int  // the group from which on the first thread may be at its access
	goesOn      bool // the first thread made its access before the end
	skip        int  // how often the first thread comes to its instruction before
	log         int  // the turn that is the first access, if the thread goes on
}

// isAsking reports whether a shared variable is there only to ask: whether there is a race or a deadlock, or what has been written.
func isAsking(v *ir.Var) bool { return v.Source == "" && askingNames.MatchString(v.Name) }

var askingNames = regexp.MustCompile(`^(stands|stands_who|watched|known_by\d+|known_at_end\d+|released\..*|head\..*|(un)?written\..*|t\d+\.waiting|t\d+\.loops|t\d+\.waits\d+)(_\d+)?$`)

// standsBefore reports whether a step tells that a thread stands before an access.
func standsBefore(e *ir.Edge) bool {
	if !strings.HasPrefix(e.Text, "is about to execute ") {
		return false
	}
	for _, c := range e.Cmds {
		if c.Kind == ir.Assign && isAsking(c.Var) {
			return true
		}
	}
	return false
}

// tellsLoop reports whether a step tells that a thread is in a loop that leaves others waiting.
func tellsLoop(e *ir.Edge) bool {
	return e.Origin == 0 && len(e.Cmds) == 1 && e.Cmds[0].Kind == ir.Assign && isAsking(e.Cmds[0].Var)
}

// tellsWait reports whether a step tells that a thread waits.
func tellsWait(e *ir.Edge) bool {
	return strings.HasPrefix(e.Text, "waits in ") && len(e.Cmds) > 1 && e.Cmds[1].Kind == ir.Assign && isAsking(e.Cmds[1].Var)
}

// looksGone reports whether a step only sees that its thread is not gone.
func looksGone(e *ir.Edge) bool {
	if e.Origin != 0 || len(e.Cmds) != 1 || e.Cmds[0].Kind != ir.Assume {
		return false
	}
	vars := logic.FreeVars(e.Cmds[0].Cond)
	return len(vars) == 1 && goneNames.MatchString(vars[0].String())
}

// goneNames are the names of the variables that tell that a thread is gone.
var goneNames = regexp.MustCompile(`^gone\d+(_\d+)?$`)

// askingSteps returns the steps of a schedule that ask, and do nothing else.
func askingSteps(sched ir.Schedule) map[int]bool {
	asking := map[int]bool{}
	for i, s := range sched.Steps {
		e := s.Edge
		if !(standsBefore(e) || tellsWait(e) || tellsLoop(e) || looksGone(e) || i == len(sched.Steps)-1 && (e.To.Check == checkRace || e.To.Check == checkDeadlock)) {
			continue
		}
		asking[i] = true
		at := e.From
		for k := i - 1; k >= 0 && at.Atomic; k-- { // what led there
			if p := sched.Steps[k].Edge; p.To == at && p.Origin == e.Origin {
				asking[k] = true
				at = p.From
			} else if p.From.Thread == e.From.Thread {
				break
			}
		}
	}
	return asking
}

// The properties that the last location of an execution may be about.
const (
	checkRace     = "race"
	checkDeadlock = "deadlock"
	checkLocks    = "locks"
	checkMemory   = "memory"
	checkLeak     = "leak"
	checkCleanup  = "cleanup"
	checkOverflow = "overflow"
)

// endRace completes what is known of a race: stood is the step by which a thread told.
func (pl *plan) endRace(sched ir.Schedule, stood int) {
	n := len(sched.Steps)
	if n == 0 || pl.goal.Check != checkRace || pl.race == nil {
		pl.race = nil
		return
	}
	e := sched.Steps[n-1].Edge
	pl.race.last = stop{thread: e.From.Thread.Index, n: e.Origin, where: whereOf(e, "data race at "), pos: e.Pos}
	for _, s := range sched.Steps[stood+1:] {
		pl.race.goesOn = pl.race.goesOn || s.Edge.From.Thread.Index == pl.race.first.thread
	}
}

// nextOfRace returns the thread that has to come to its access when the execution is over.
func (d *director) nextOfRace() int {
	if d.race.first.at == nil {
		return d.race.first.thread
	}
	return d.race.last.thread
}

// standsNow reports whether the thread that stays before its access has to come to it before a group, because it is gone then, and has not yet.
func (d *director) standsNow(g *group) bool {
	if d.race == nil || d.race.first.at != nil || d.k < d.race.from || g.thread == d.race.first.thread || !d.isAlone(g) {
		return false
	}
	_, created := d.idOf[d.race.first.thread]
	return created
}

// isAlone reports whether all threads but one are gone after a group.
func (d *director) isAlone(g *group) bool {
	for n := range g.origins {
		if n < len(d.instrs) {
			if i, ok := d.instrs[n].(*cir.Intrinsic); ok && i.Op == cir.ThreadAlone {
				return true
			}
		}
	}
	return false
}

// comes notes that a thread is before an access. It reports whether that completes the race.
func (d *director) comes(self, n int, args []interp.Value) bool {
	r := d.race
	g := d.next()
	over := g == nil || d.standsNow(g)
	t := d.irOf[self]
	if id, ok := d.idOf[t]; !ok || id != self || d.librarys[n] {
		return false
	}
	here := touchedBy(args)
	here.atomic = here.atomic || d.depth[self] > 0
	switch {
	case t == r.first.thread && n == r.first.n && r.first.at == nil && d.k >= r.from && (over || r.goesOn):
		if r.skip > 0 {
			r.skip--
			break
		}
		r.first.at, r.log = here, len(d.log)
	case t == r.last.thread && n == r.last.n && g == nil && r.first.at != nil && races(r.first.at, here):
		r.last.at = here
		return true
	}
	return false
}

// librarys returns the instructions of functions that synchronise: what they access is none of the program's, but for what they free.
func librarys(p *cir.Program, numbers map[cir.Located]int) map[int]bool {
	m := map[int]bool{}
	for _, f := range p.Funcs {
		if !synchronises(f) {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); !ok || i.Op != cir.Free && i.Op != cir.Resize {
					m[numbers[in]] = true
				}
			}
		}
	}
	return m
}

// leaves reports whether a thread that should stay before its access does something else.
func (r *race) leaves(t, self int) bool {
	return r.first.at != nil && !r.goesOn && t == r.first.thread && (t != 0 || self == 0)
}

// touchedBy returns what the hook before an access is told.
func touchedBy(args []interp.Value) *touched {
	if len(args) < 4 {
		return &touched{}
	}
	return &touched{obj: args[0].Obj, off: args[0].Lo, size: args[1].Lo, kind: args[2].Lo, atomic: args[3].Lo != 0}
}

// races reports whether two accesses conflict.
func races(a, b *touched) bool {
	if a.obj == nil || a.obj != b.obj || a.size == 0 || b.size == 0 || (a.kind|b.kind)&writes == 0 || a.atomic && b.atomic {
		return false
	}
	whole := ^uint64(0)
	return a.size == whole || b.size == whole || a.off < b.off+b.size && b.off < a.off+a.size
}

// missing says what an execution that should end in a race lacks.
func (r *race) missing() error {
	if r.first.at == nil {
		return fmt.Errorf("thread %d does not come to the first access of the race", r.first.thread)
	}
	return fmt.Errorf("thread %d does not come to an access that races with that of thread %d", r.last.thread, r.first.thread)
}

// ending returns what an execution ends with as C.
func (r *run) ending() string {
	kind, what, stops := "COMUS_FAILS", r.goal.Text, ""
	n := 0
	add := func(s stop) {
		stops += fmt.Sprintf("{%d, %d, %q}, ", r.idOf[s.thread], s.n, strings.ToValidUTF8(s.where, "?"))
		n++
	}
	if r.race != nil {
		kind = "COMUS_RACES"
		first, last := r.race.first, r.race.last
		what = fmt.Sprintf("a data race: thread %d at %s, thread %d at %s", r.idOf[first.thread], first.where, r.idOf[last.thread], last.where)
		switch {
		case r.race.goesOn: // it has made its access
			add(last)
		case r.frees(first.n):
			add(last)
			add(first)
		default:
			add(first)
			add(last)
		}
	}
	switch {
	case r.waits != nil:
		kind = "COMUS_WAITS"
		for _, w := range r.waits {
			add(w)
		}
	case r.race == nil && r.errs():
		kind = "COMUS_ERRS"
	}
	return fmt.Sprintf("const enum comus_end comus_end = %s;\nconst char *const comus_what = %q;\nconst struct comus_stop comus_stops[] = {%s{0, 0, 0}};\nconst unsigned comus_nstops = %d;\nint comus_wakes = %d;\n",
		kind, strings.ToValidUTF8(what, "?"), stops, n, r.wakes)
}

// frees reports whether an instruction ends the life of an object.
func (d *director) frees(n int) bool {
	in, ok := d.instrs[n].(*cir.Intrinsic)
	return ok && (in.Op == cir.Free || in.Op == cir.Resize)
}

// whereOf returns where a step is in the source, for people; its text begins with what it asks.
func whereOf(e *ir.Edge, asks string) string {
	return fmt.Sprintf("%s:%d: %s", filepath.Base(e.Pos.File), e.Pos.Line, strings.TrimPrefix(e.Text, asks))
}

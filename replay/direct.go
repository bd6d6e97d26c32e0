package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/interp"
)

// maxRun bounds the instructions between two steps of the execution.
const maxRun = 200_000

// patientRun is after how many instructions of the thread that is to fail others go on, too.
const patientRun = 5000

// errRace ends a run at its race.
var errRace = errors.New("data race")

// maxLog bounds the turns of an execution.
const maxLog = 300_000

// entry is a turn: what a thread did.
type entry struct {
	thread, n int
	value     uint64
	obj       *interp.Object
	dropped   bool // it was done again
}

// given is a value that a thread got.
type given struct {
	thread, n int
	value     uint64
	dropped   bool
}

// director makes the interpreter follow a plan: it is its scheduler, and what it asks for the hooks.
type director struct {
	*plan
	instrs []cir.Located // by number
	k      int           // the group whose turn it is
	ran    int           // instructions since the last one

	idOf    map[int]int // the interpreter's threads, by those of ir
	irOf    map[int]int
	exiting map[int]bool
	depth   map[int]int // of atomic sections
	opened  map[int]int // the instruction that began the outermost one
	start   map[int]int // the log's length then
	counted map[int]bool
	created int // threads, but for the first
	objects map[int]*interp.Object

	log    []entry
	given  []given
	got    map[int]int // given's length when an atomic section began
	woven  places
	failed error
	victim map[int]int // by handler that begins: the thread that it interrupts
	awaits int         // that thread, if it is not yet where it may be interrupted; else -1

	waiting  map[int]*wait // by thread: what it may wait for
	machine  *interp.Machine
	librarys map[int]bool // accesses that are none of the program's
	others   int          // accesses of others when they do
	stuck    bool         // all those wait that should at the end
}

func newDirector(p *cir.Program, pl *plan) *director {
	d := &director{plan: pl, idOf: map[int]int{0: 0}, irOf: map[int]int{0: 0}, exiting: map[int]bool{}, depth: map[int]int{},
		opened: map[int]int{}, start: map[int]int{}, counted: map[int]bool{}, objects: map[int]*interp.Object{}, got: map[int]int{}, waiting: map[int]*wait{}, victim: map[int]int{}, awaits: -1}
	d.instrs = make([]cir.Located, len(cir.Number(p))+1)
	numbers := cir.Number(p)
	for in, n := range numbers {
		d.instrs[n] = in
	}
	d.librarys = librarys(p, numbers)
	return d
}

// next returns the group whose turn it is, nil at the end.
func (d *director) next() *group {
	for d.k < len(d.groups) {
		g := &d.groups[d.k]
		if id, ok := d.idOf[g.thread]; !ok || g.kind != endKind || !d.exiting[id] {
			return g
		}
		d.k++
		d.ran = 0
	}
	return nil
}

// Next implements interp.Scheduler.
func (d *director) Next(ready []int, last int) (int, int64) {
	if id := d.awaits; id >= 0 && d.ran <= maxRun && slices.Contains(ready, id) {
		d.awaits = -1
		d.ran++
		return id, 1
	}
	g := d.next()
	t := d.failing
	switch {
	case g != nil && d.standsNow(g):
		t = d.race.first.thread
	case g != nil:
		t = g.thread
	case d.race != nil:
		t = d.nextOfRace()
	case d.waits != nil:
		if id := d.nextToWait(ready); id < 0 {
			if d.ran++; d.ran > maxRun {
				return d.fail("others go on")
			}
			return ready[d.ran%len(ready)], 1
		} else if t = d.irOf[id]; d.ran < maxRun {
			d.ran++
			return id, 1
		}
	}
	id, ok := d.idOf[t]
	d.ran++
	if g == nil && d.race == nil && d.ran > patientRun && d.ran <= maxRun && len(ready) > 0 { // it may wait for what another one has yet to do, which is its own business
		return ready[d.ran/50%len(ready)], 1
	}
	switch {
	case !ok:
		return d.fail("thread %d takes a step before it is created", t)
	case len(d.log) > maxLog:
		return d.fail("the execution is too long")
	case d.ran > maxRun:
		return d.fail("thread %d does not get there", t)
	case !slices.Contains(ready, id):
		return d.fail("thread %d cannot go on", t)
	}
	return id, 1
}

// fail ends the run.
func (d *director) fail(format string, args ...any) (int, int64) {
	where := "at the end"
	if d.k < len(d.groups) {
		g := d.groups[d.k]
		where = fmt.Sprintf("before step %d: thread %d, %s", g.step, g.thread, g.edge)
		for n := range g.origins {
			if n > 0 && n < len(d.instrs) {
				where += fmt.Sprintf(" [%d %T]", n, d.instrs[n])
			}
		}
	}
	d.failed = fmt.Errorf("out of step %s: %s", where, fmt.Sprintf(format, args...))
	return -1, 0
}

// External implements the hooks for the interpreter.
func (d *director) External(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
	r := interp.Value{Type: cir.U64}
	if len(d.log) > 2*maxLog {
		d.fail("the execution is too long")
		return r, false, d.failed
	}
	if len(args) < 2 {
		return r, false, nil
	}
	self, n := int(args[0].Lo), int(args[1].Lo)
	if d.handled { // a handler has the identity of the thread that it interrupts
		self = m.Thread()
	}
	if d.race != nil && d.race.leaves(d.irOf[self], self) {
		d.fail("thread %d does not stay before its access", d.irOf[self])
		return r, false, d.failed
	}
	d.machine = m
	if d.noteWait(name, self, n, args); d.waits != nil && d.othersGoOn(self) {
		d.stuck = true
		d.fail("others go on")
		return r, false, d.failed
	}
	switch name {
	case hookTurn:
		d.objects[self] = args[2].Obj
		if d.race != nil && d.comes(self, n, args[2:]) {
			d.failed = errRace
			return r, false, errRace
		}
		if i, ok := d.instrs[n].(*cir.Intrinsic); ok && i.Op == cir.ThreadExit {
			d.log = append(d.log, entry{thread: self, n: n})
			d.exiting[self] = true
		}
	case hookDone:
		d.log = append(d.log, entry{thread: self, n: n, value: args[2].Lo, obj: d.objects[self]})
		d.match(self, n, args[2].Lo, args[3].Lo)
	case hookAt:
		d.match(self, n, 0, 0)
	case hookBegin:
		d.begin(self, n)
	case hookEnd:
		if d.depth[self]--; d.depth[self] == 0 {
			d.counted[self] = false
		}
	case hookInput:
		r.Lo = d.input(self, n)
		d.given = append(d.given, given{thread: self, n: n, value: r.Lo})
	case hookTold:
		r.Lo = args[2].Lo
		d.given = append(d.given, given{thread: self, n: n, value: r.Lo})
	default:
		return r, false, nil
	}
	return r, true, nil
}

// interrupts says which thread a handler of signals interrupts.
func (d *director) interrupts(handler int, able []int) int {
	id, ok := d.victim[handler]
	if !ok || !slices.Contains(able, id) {
		if d.awaits = -1; ok {
			d.awaits = id
		}
		return -1
	}
	return id
}

// begin notes the beginning of an atomic section, perhaps once more, because the thread had to wait in it.
func (d *director) begin(self, n int) {
	if d.depth[self] > 0 && d.opened[self] == n {
		for i := d.start[self]; i < len(d.log); i++ {
			if d.log[i].thread == self {
				d.log[i].dropped = true
			}
		}
		for i := d.got[self]; i < len(d.given); i++ {
			if d.given[i].thread == self {
				d.given[i].dropped = true
			}
		}
		d.depth[self], d.counted[self] = 0, false
	}
	if d.depth[self]++; d.depth[self] == 1 {
		d.opened[self], d.start[self], d.got[self] = n, len(d.log), len(d.given)
	}
}

// match notes that a thread has come to an instruction.
func (d *director) match(self, n int, value, kind uint64) {
	g := d.next()
	if i, ok := d.instrs[n].(*cir.Intrinsic); ok && i.Op == cir.ThreadCreate {
		d.created++
		d.create(self, int(value))
	}
	if g == nil || d.counted[self] || !g.origins[n] {
		return
	}
	if id, ok := d.idOf[g.thread]; !ok || id != self {
		return
	}
	if kind != 0 && !g.section && !(kind&reads != 0 && g.reads || kind&writes != 0 && g.writes) {
		return
	}
	if g.victim > 0 {
		d.victim[self] = d.idOf[g.victim-1]
	}
	if g.resumes { // it comes to where it ends
		d.awaits = self
	}
	d.k++
	d.ran = 0
	d.counted[self] = d.depth[self] > 0
	for d.k < len(d.groups) && kind == 0 && inPieces(d.instrs[n]) { // one instruction, several steps
		if h := d.groups[d.k]; h.thread != g.thread || !h.origins[n] {
			break
		}
		d.k++
	}
}

// create notes which thread of ir a new one is: that of the next step of this thread that creates one.
func (d *director) create(self, id int) {
	from := d.k
	if d.counted[self] && from > 0 { // the creation is in an atomic section that has begun
		from--
	}
	for _, g := range d.groups[from:] {
		if by, ok := d.idOf[g.thread]; ok && by == self && g.kind == createKind {
			if _, known := d.idOf[g.created]; !known {
				d.idOf[g.created], d.irOf[id] = id, g.created
				return
			}
		}
	}
}

// NewThread begins the names of inputs that are the number of the thread which is created next, in the same atomic section: what a
// witness adds to a program has such.
const NewThread = "__VERIFIER_nondet_witness_thread"

// namesThread reports whether an instruction is such an input.
func namesThread(in cir.Located) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == cir.Nondet && strings.HasPrefix(i.Name, NewThread)
}

// inPieces reports whether an instruction accesses memory in several steps: that of an allocation is made, and how much of it there is.
func inPieces(in cir.Located) bool {
	switch in := in.(type) {
	case *cir.Copy, *cir.Fill:
		return true
	case *cir.Intrinsic:
		return in.Op == cir.Alloc || in.Op == cir.AllocAligned || in.Op == cir.Resize
	}
	return false
}

// input returns the next value that the execution has for an instruction.
func (d *director) input(self, n int) uint64 {
	k := inputKey{d.irOf[self], n}
	vs := d.inputs[k]
	if namesThread(d.instrs[n]) {
		return uint64(d.created + 1) // they are numbered as they are created
	}
	if len(vs) == 0 {
		if _, weak := d.instrs[n].(*cir.CmpXchg); weak {
			return 1
		}
		if _, load := d.instrs[n].(*cir.Load); load {
			return d.filled
		}
		return 0
	}
	d.inputs[k] = vs[1:]
	return vs[0]
}

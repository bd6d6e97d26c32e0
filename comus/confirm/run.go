package confirm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"comus/check"
	"comus/cir"
	cirinterp "comus/cir/interp"
	"comus/comus/confirm/story"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// Executed confirms that a run of the program as a whole has a data race, that an assertion fails in it, or that threads wait for one another's locks at its end, by running it once more in the
// interpreter, which is exact to the byte and finds races by happens-before. It counts only if up to there nothing was approximated and nothing was undefined (which ends the run), and if the race is one
// of the program's own memory, at the two places that the execution names, the assertion that at the place it names, or the places where threads wait those it names. What functions of the system
// do in it is what they may do on some machine (package scan/directed/world). Memory that nobody has written holds some value, as it does on any machine, and as locals that are not initialised do wherever comus looks at
// programs; where C gives the use of it no meaning, the program has a worse error than a race. The answer says where the run has read some.
func (w *Whole) Executed(ctx context.Context, ex *certificate.Execution) (Answer, error) {
	start := time.Now()
	if err := w.asksFor(ex); err != nil {
		return Answer{}, err
	}
	if err := w.allowed(ex); err != nil {
		return Answer{}, fmt.Errorf("the execution was not confirmed: %w", err)
	}
	on := w.volatile(ex)
	again := *ex // it is cut off behind the race
	again.Turns, again.Inputs = slices.Clone(ex.Turns), slices.Clone(ex.Inputs)
	shows := directed.Named(ex)
	res, outside, err := directed.ReplayWith(ctx, w.Program, &again, shows, func(o *cirinterp.Options) { o.Tracer, o.Held = w.Tracer, true })
	switch {
	case err != nil:
	case !shows.Shown(res):
		err = fmt.Errorf("the run ends otherwise: %s", res)
	case len(outside) > 0:
		err = fmt.Errorf("the run depends on %s", outside[0])
	}
	if err != nil {
		return Answer{}, fmt.Errorf("the execution was not confirmed: %w", err)
	}
	trace, err := w.trace(ctx, &again, res)
	if err != nil {
		return Answer{}, err
	}
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: w.ID, Verdict: seqmc.Unsafe.String(), Method: check.MethodRun, Execution: &again}
	if on != nil {
		return Answer{}, &Suspicion{Trace: trace, On: on, Certificate: cert}
	}
	return Answer{verdict: seqmc.Unsafe, cert: cert, trace: trace, ran: res, assumptions: directed.Assumed(directed.Unset(res)), took: time.Since(start)}, nil
}

// asksFor returns an error unless the question is one that an execution may answer: about the one property that it violates.
func (w *Whole) asksFor(ex *certificate.Execution) error {
	name, err := Violates(ex)
	if err != nil {
		return err
	}
	asked, err := specialise.ChecksNamed([]string{name})
	if err != nil {
		return err
	}
	about, err := specialise.ChecksNamed(w.ID.Check)
	switch {
	case err != nil:
		return err
	case ex.Undefined[0] == cirinterp.CheckOverflow && w.ID.Overflow == "wrap":
		return errors.New("signed results wrap around: that is no violation")
	case about != asked:
		return fmt.Errorf("the run is about the property %s, and nothing else", name)
	case w.ID.About != "" || w.ID.Cut != 0 || w.ID.Parametric:
		return errors.New("a run is one of all of the program")
	case w.ID.Atomic != "step":
		return errors.New("a run is none of a program where statements are atomic")
	}
	return nil
}

// undefinedBy are the kinds of undefined behaviour of the interpreter's that properties are about.
var undefinedBy = map[string][]string{
	specialise.Memory:    {cirinterp.CheckMemory, cirinterp.CheckBounds, cirinterp.CheckConst},
	specialise.Overflows: {cirinterp.CheckOverflow, cirinterp.CheckShift, cirinterp.CheckDivision},
	specialise.Locks:     {directed.CheckLocks, "threads"},
}

// Violates returns the property that an execution violates. The error is for one that says that it shows nothing, or more than one thing.
func Violates(ex *certificate.Execution) (name string, err error) {
	n := 0
	is := func(shown bool, what string) {
		if shown {
			name = what
			n++
		}
	}
	is(ex.Race != [2]string{}, specialise.Race)
	is(ex.Fails != "", specialise.Assert)
	is(len(ex.Waits) > 0, specialise.Deadlock)
	is(len(ex.Kept) > 0 && ex.Lost, specialise.Leak)
	is(len(ex.Kept) > 0 && !ex.Lost, specialise.Cleanup)
	if what := ex.Undefined; what != [2]string{} {
		for _, p := range slices.Sorted(maps.Keys(undefinedBy)) {
			is(slices.Contains(undefinedBy[p], what[0]), p)
		}
	}
	if n != 1 {
		return "", errors.New("the run does not show one thing")
	}
	return name, nil
}

// TargetOf returns what runs look for that violate a property. wraps tells that signed results wrap around, which is no violation then.
func TargetOf(name string, wraps bool) directed.Target {
	ends := func(is func(*cirinterp.Result) bool) directed.Target { return directed.Target{End: is} }
	switch name {
	case specialise.Race:
		return directed.Target{Race: func(r *cirinterp.Race) bool {
			return !r.Hidden && !r.Handlers && directed.PlaceOf(&r.First) != "" && directed.PlaceOf(&r.Second) != ""
		}}
	case specialise.Deadlock:
		return directed.OfAnyDeadlock()
	case specialise.Leak, specialise.Cleanup:
		lost := name == specialise.Leak
		return directed.Target{Leaks: true, Lost: lost, End: func(res *cirinterp.Result) bool { return len(directed.KeptBy(res, lost)) > 0 }}
	case specialise.Assert:
		return ends(func(res *cirinterp.Result) bool { return res.Outcome == cirinterp.AssertFails && res.Site != nil })
	}
	t := ends(func(res *cirinterp.Result) bool {
		return name == specialise.Locks && directed.LockedAgain(res) != nil ||
			res.Outcome == cirinterp.Undefined && slices.Contains(undefinedBy[name], res.Check) && (!wraps || res.Check != cirinterp.CheckOverflow) && res.Failed != nil && res.Failed.Site != nil
	})
	t.Again = name == specialise.Locks
	return t
}

// teller makes a trace of what a run ends with.
type teller struct {
	p     *ir.Program
	of    map[int]*ir.Thread // by the interpreter's numbers
	at    map[*ir.Thread]*ir.Loc
	locks map[lockKey]*ir.Var
	steps []ir.Step

	// Of a story: the variables of its places, and what they hold as far as was told; how often some were read; whether the first access of a race was told of, and that memory was
	// freed; and the locks that were told to be taken.
	vars              []*ir.Var
	now               map[*ir.Var]string
	reads             int
	firstShown, freed bool
	frees             *cirinterp.Side // who frees the memory that the end is about
	taken             map[*ir.Thread][]lockKey
}

// lockKey is a lock of the run.
type lockKey struct {
	object *cirinterp.Object
	offset int64
}

// traceOf returns the trace of a run for reports, with what its story tells; nil: nothing.
func traceOf(p *cir.Program, ex *certificate.Execution, res *cirinterp.Result, s *story.Story) (interp.Trace, error) {
	switch {
	case ex.Fails != "":
		return failure(p, res, s)
	case ex.Undefined != [2]string{}:
		return undefined(p, res, s)
	case len(ex.Kept) > 0:
		return kept(p, res, ex.Lost, s)
	case len(ex.Waits) > 0:
		return circle(p, cirinterp.Stuck(res), s)
	}
	return race(p, &res.Races[len(res.Races)-1], s)
}

// race returns a trace of a run that ends in a data race. It has of the run what the race comes down to: which thread was created where, the locks that the two threads hold, what was
// done to the memory before, and the two accesses. It is one of a program that has these steps and no others.
func race(p *cir.Program, race *cirinterp.Race, s *story.Story) (interp.Trace, error) {
	sides := []*cirinterp.Side{&race.First, &race.Second}
	t := newTeller(p, s, sides...)
	t.follows(s, sides, &race.First, false)
	first, second := t.begin(&race.First), t.begin(&race.Second)
	if first == second {
		return interp.Trace{}, errors.New("internal error: a race of a thread with itself")
	}
	if !t.firstShown {
		t.takes(first, &race.First)
		a := t.step(first, posOf(race.First.Site), specialise.StandsBefore+textOf(&race.First))
		a.Tells = &ir.Place{Pos: posOf(race.First.Site), Text: textOf(&race.First), In: frameOf(&race.First)}
	}
	t.takes(second, &race.Second)
	read := t.last(s, second)
	t.step(second, posOf(race.Second.Site), specialise.RaceAt+textOf(&race.Second)).Cmds = read
	end := t.at[second]
	end.Error, end.Pos, end.Text = true, posOf(race.Second.Site), specialise.RaceAt+textOf(&race.Second)
	end.Check, end.Frame = specialise.Race, frameOf(&race.Second)
	return interp.Replay(t.p, ir.Schedule{Steps: t.steps})
}

// circle is race for a run that ends where threads wait for one another: each but the last one tells that it waits.
func circle(p *cir.Program, waits []cirinterp.Wait, story *story.Story) (interp.Trace, error) {
	waits = tellingLast(waits)
	if len(waits) == 0 {
		return interp.Trace{}, errors.New("internal error: nobody waits in a deadlock")
	}
	var sides []*cirinterp.Side
	for i := range waits {
		s := waits[i].Side()
		sides = append(sides, &s)
	}
	t := newTeller(p, story, sides...)
	t.follows(story, sides, nil, true)
	last := len(sides) - 1
	for _, s := range sides {
		t.takes(t.begin(s), s)
	}
	for i, s := range sides {
		t.awaits(t.of[s.Thread], &waits[i])
	}
	for _, s := range sides[:last] {
		read := t.last(story, t.of[s.Thread])
		e := t.step(t.of[s.Thread], posOf(s.Site), specialise.WaitsIn+textOf(s))
		e.Cmds = read
		e.Tells = &ir.Place{Pos: posOf(s.Site), Text: textOf(s), In: frameOf(s)}
	}
	s := sides[last]
	by := t.of[s.Thread]
	read := t.last(story, by)
	t.step(by, posOf(s.Site), specialise.DeadlockIn+textOf(s)).Cmds = read
	end := t.at[by]
	end.Error, end.Pos, end.Text = true, posOf(s.Site), specialise.DeadlockIn+textOf(s)
	end.Check, end.Frame = specialise.Deadlock, frameOf(s)
	return interp.Replay(t.p, ir.Schedule{Steps: t.steps})
}

// tellingLast puts the wait last that tells most of a deadlock: of a thread that waits for what it holds itself, else of one that waits for another one that waits, in a circle.
func tellingLast(waits []cirinterp.Wait) []cirinterp.Wait {
	holder := map[int]int{} // of what each thread waits for
	for _, w := range waits {
		holder[w.Thread] = w.Holder
	}
	circular := func(w cirinterp.Wait) int {
		by, waiting := w.Holder, true
		for n := 1; n <= len(waits) && waiting; n++ {
			if by == w.Thread {
				return -n
			}
			by, waiting = holder[by]
		}
		return -len(waits) - 1
	}
	waits = slices.Clone(waits)
	slices.SortStableFunc(waits, func(a, b cirinterp.Wait) int { return cmp.Compare(circular(a), circular(b)) })
	return waits
}

// newTeller begins a trace, if there is no story with the steps that create the threads of some sides.
func newTeller(p *cir.Program, known *story.Story, sides ...*cirinterp.Side) *teller {
	file := ""
	if len(p.Files) > 0 {
		file = p.Files[0]
	}
	t := &teller{p: ir.NewProgram(file), of: map[int]*ir.Thread{}, at: map[*ir.Thread]*ir.Loc{}, locks: map[lockKey]*ir.Var{}, taken: map[*ir.Thread][]lockKey{}}
	t.p.Partial = true
	t.thread(0, mainOf(sides))
	for _, s := range sides {
		if known == nil {
			t.created(s)
		}
	}
	return t
}

// begin returns the thread of a side, which is created first if nothing has told of that.
func (t *teller) begin(s *cirinterp.Side) *ir.Thread {
	t.created(s)
	return t.of[s.Thread]
}

// failure is race for a run that ends with an assertion that fails.
func failure(p *cir.Program, res *cirinterp.Result, story *story.Story) (interp.Trace, error) {
	s := res.Failed
	if s == nil {
		return interp.Trace{}, errors.New("internal error: nothing is known of an assertion that fails")
	}
	t := newTeller(p, story, s)
	t.follows(story, []*cirinterp.Side{s}, nil, false)
	by := t.begin(s)
	read := t.last(story, by)
	t.step(by, posOf(res.Site), textOf(s)).Cmds = read
	end := t.at[by]
	end.Error, end.Pos, end.Text, end.Frame = true, posOf(res.Site), res.Why, frameOf(s)
	return interp.Replay(t.p, ir.Schedule{Steps: t.steps})
}

// The words of reports for what the interpreter finds undefined.
const invalidAccess = "invalid access in "

// undefined is race for a run that ends with what C leaves undefined.
func undefined(p *cir.Program, res *cirinterp.Result, story *story.Story) (interp.Trace, error) {
	if w := directed.LockedAgain(res); w != nil {
		s := w.Side()
		return ended(p, story, &s, specialise.Locks, "mutex locked again by the thread that holds it: "+textOf(&s))
	}
	s := res.Failed
	if s == nil {
		return interp.Trace{}, errors.New("internal error: nothing is known of where a run is undefined")
	}
	name, err := Violates(&certificate.Execution{Undefined: [2]string{res.Check, directed.PlaceOf(s)}})
	if err != nil {
		return interp.Trace{}, err
	}
	if name != specialise.Memory {
		return ended(p, story, s, name, res.Why+" in "+textOf(s))
	}
	why, x := res.Why, res.About
	if x == nil {
		return ended(p, story, s, name, invalidAccess+textOf(s)+": "+why)
	}
	why = strings.ReplaceAll(why, "'heap object'", fmt.Sprintf("the memory allocated at line %d", x.Born.Site.Pos.Line))
	if x.Freed == nil || x.Freed.Site == nil {
		return ended(p, story, s, name, invalidAccess+textOf(s)+": "+why)
	}
	why = fmt.Sprintf("the memory allocated at line %d was freed at line %d", x.Born.Site.Pos.Line, x.Freed.Site.Pos.Line)
	return ended(p, story, s, name, invalidAccess+textOf(s)+": "+why, x.Freed)
}

// kept is race for a run that exits and leaves memory behind, or has lost it.
func kept(p *cir.Program, res *cirinterp.Result, lost bool, story *story.Story) (interp.Trace, error) {
	l := leakOf(res, lost)
	if l == nil {
		return interp.Trace{}, errors.New("internal error: nothing is known of what a run leaves behind")
	}
	name, what := specialise.Leak, "is lost"
	if !lost {
		name, what = specialise.Cleanup, "is not freed"
	}
	text := fmt.Sprintf("memory allocated at line %d %s", l.Site.Pos.Line, what)
	if l.Via != "" {
		text = fmt.Sprintf("memory allocated by %s at line %d %s", l.Via, l.Site.Pos.Line, what)
	}
	return ended(p, nil, allocates(l, story), name, text)
}

// ended is a trace that ends with the error of a property, and has what was done before it.
func ended(p *cir.Program, story *story.Story, s *cirinterp.Side, name, text string, before ...*cirinterp.Side) (interp.Trace, error) {
	sides := append(slices.Clone(before), s)
	t := newTeller(p, story, sides...)
	if len(before) > 0 {
		t.frees = before[0]
	}
	t.follows(story, sides[len(before):], nil, name == specialise.Locks)
	by := t.begin(s)
	t.takes(by, s)
	for _, b := range before {
		if t.freed {
			continue
		}
		e := t.step(t.begin(b), posOf(b.Site), textOf(b))
		e.Tells = &ir.Place{Pos: posOf(b.Site), Text: textOf(b), In: frameOf(b)}
	}
	read := t.last(story, by)
	t.step(by, posOf(s.Site), text).Cmds = read
	end := t.at[by]
	end.Error, end.Pos, end.Text, end.Check, end.Frame = true, posOf(s.Site), text, name, frameOf(s)
	return interp.Replay(t.p, ir.Schedule{Steps: t.steps})
}

// mainOf returns the name of the function that the first thread runs.
func mainOf(sides []*cirinterp.Side) string {
	for _, s := range sides {
		if s.Thread == 0 {
			return begins(s.Stack)
		}
		for _, c := range s.Created {
			if c.Thread == 0 {
				return begins(c.Stack)
			}
		}
	}
	return "main"
}

// begins returns the function that a stack begins with.
func begins(stack []cirinterp.Call) string {
	if len(stack) == 0 {
		return "main"
	}
	return stack[len(stack)-1].Func
}

// thread returns the thread with a number of the interpreter's.
func (t *teller) thread(n int, name string) *ir.Thread {
	if t.of[n] == nil {
		t.of[n] = t.p.NewThread(name)
		t.at[t.of[n]] = t.of[n].Entry
	}
	return t.of[n]
}

// created adds the steps that create the thread of a side, those of its creators before.
func (t *teller) created(s *cirinterp.Side) {
	for i := len(s.Created) - 1; i >= 0; i-- {
		c, n, stack := s.Created[i], s.Thread, s.Stack
		if i > 0 {
			n, stack = s.Created[i-1].Thread, s.Created[i-1].Stack
		}
		if t.of[n] != nil {
			continue
		}
		by := t.of[c.Thread]
		child := t.thread(n, begins(stack))
		text := "a thread is created"
		if c.Site != nil && c.Site.Text != "" {
			text = c.Site.Text
		}
		e := t.step(by, posOf(c.Site), text)
		e.Kind, e.Thread = ir.Create, child.Index
	}
}

// step adds a step of a thread.
func (t *teller) step(by *ir.Thread, at ir.Pos, text string) *ir.Edge {
	to := by.NewLoc(at)
	e := by.NewEdge(t.at[by], to, at, text)
	t.at[by] = to
	t.steps = append(t.steps, ir.Step{Edge: e})
	return e
}

// lock returns the variable that tells who holds a lock.
func (t *teller) lock(h cirinterp.Held) *ir.Var {
	key := lockKey{h.Object, h.Offset}
	v := t.locks[key]
	if v == nil {
		v = t.p.NewVar(fmt.Sprintf("lock%d", len(t.locks)+1), ir.Type{Bits: 32, Signed: true}, ir.Shared)
		zero := logic.IntValue(0)
		v.Source, v.Init, v.Holder = t.apart(h.Name), &zero, ir.OneThread
		t.locks[key] = v
	}
	if h.How != "" {
		v.Holder = ir.ReadOrWrite
	}
	return v
}

// apart returns a name for one more lock: of several with one name, which are in objects from one place, each has a number.
func (t *teller) apart(name string) string {
	n := 1
	for _, v := range t.p.Vars {
		if v.Source == name || strings.HasPrefix(v.Source, strings.TrimSuffix(name, ")")+", no. ") {
			n++
		}
		if v.Source == name {
			v.Source = numbered(name, 1)
		}
	}
	if n == 1 {
		return name
	}
	return numbered(name, n)
}

// numbered adds a number to a name, which may end with where the lock was allocated.
func numbered(name string, n int) string {
	if before, ok := strings.CutSuffix(name, ")"); ok {
		return fmt.Sprintf("%s, no. %d)", before, n)
	}
	return fmt.Sprintf("%s (no. %d)", name, n)
}

// takes adds the steps by which a thread has taken the locks that it holds.
func (t *teller) takes(by *ir.Thread, s *cirinterp.Side) {
	if !s.HeldKnown {
		t.p.HeldUnknown = append(t.p.HeldUnknown, by)
	}
	for _, h := range s.Held {
		if !slices.Contains(t.taken[by], lockKey{h.Object, h.Offset}) {
			t.take(by, h)
		}
	}
}

// take adds the step by which a thread has taken a lock.
func (t *teller) take(by *ir.Thread, h cirinterp.Held) {
	v, text, at := t.lock(h), "a lock is taken", posOf(h.Site)
	if h.Site != nil {
		text = h.Site.Text
	}
	me := t.p.L.Int(int64(by.Index) + 1)
	switch h.How {
	case "read":
		me = t.p.L.Add(v.Sym, t.p.L.Int(1))
	case "write":
		me = t.p.L.Int(-int64(by.Index) - 1)
	}
	e := t.step(by, at, text)
	e.Cmds = []ir.Cmd{ir.AssignCmd(v, me)}
	t.taken[by] = append(t.taken[by], lockKey{h.Object, h.Offset})
}

// awaits adds the step that a thread cannot take: that it goes on with the lock that it waits for.
func (t *teller) awaits(by *ir.Thread, w *cirinterp.Wait) {
	if w.Lock.Object == nil {
		return
	}
	v := t.lock(w.Lock)
	e := by.NewEdge(t.at[by], by.NewLoc(posOf(w.Site)), posOf(w.Site), textOf(&cirinterp.Side{Site: w.Site, Func: w.Func}))
	e.Cmds = []ir.Cmd{ir.AssumeCmd(t.p.L.Eq(v.Sym, t.p.L.Int(0))), ir.AssignCmd(v, t.p.L.Int(int64(by.Index)+1))}
}

// posOf returns the place of a site.
func posOf(s *cir.Site) ir.Pos {
	if s == nil {
		return ir.Pos{}
	}
	return ir.Pos(s.Pos)
}

// textOf returns what a side does.
func textOf(s *cirinterp.Side) string {
	text := s.Func
	if s.Site != nil && s.Site.Text != "" {
		text = s.Site.Text
	}
	return text
}

// frameOf returns the activation that a side is in.
func frameOf(s *cirinterp.Side) *ir.Frame {
	var f *ir.Frame
	var at ir.Pos
	for _, c := range slices.Backward(s.Created) {
		f, at = within(f, at, c.Stack), posOf(c.Site)
	}
	return within(f, at, s.Stack)
}

// within returns the innermost activation of a thread's stack. The thread was created at a place of an activation, if there is one.
func within(creator *ir.Frame, at ir.Pos, stack []cirinterp.Call) *ir.Frame {
	f := creator
	for i, c := range slices.Backward(stack) {
		f = &ir.Frame{Func: c.Func, Call: posOf(c.Site), Caller: f}
		if i == len(stack)-1 && creator != nil {
			f.Call, f.Starts = at, true
		}
	}
	return f
}

package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/interp"
	"comus/ir"
)

const (
	endKind    = ir.End
	createKind = ir.Create
)

// run is an execution of the interpreter that followed a schedule.
type run struct {
	*director
	result *interp.Result
}

// Interpret runs an execution of an ir.Program that was made of a cir.Program on the latter, by the interpreter that is exact to the byte. It
// returns nil if the program does what it is said to do, and fails the assertion. The error says where
// it does something else. Nothing is taken for granted of the schedule and of how steps belong to instructions: what
// is confirmed is an execution of the program that was read.
//
// Where the interpreter cannot be led along the execution, some runs under random schedules may show the same violation ([sampled]).
func Interpret(ctx context.Context, p *cir.Program, prog *ir.Program, sched ir.Schedule) error {
	_, err := follow(ctx, p, prog, sched)
	if err == nil || len(sched.Steps) == 0 || ctx.Err() != nil {
		return err
	}
	shown, other := sampled(ctx, p, newPlan(prog, sched))
	if shown || other != nil {
		return other
	}
	return err
}

// follow interprets an execution.
func follow(ctx context.Context, p *cir.Program, prog *ir.Program, sched ir.Schedule) (*run, error) {
	if len(sched.Steps) == 0 {
		return nil, fmt.Errorf("the execution has no steps")
	}
	first := newPlan(prog, sched)
	r, err := follow1(ctx, p, first)
	for i := 1; err != nil && i < maxSkips && first.race != nil; i++ { // it may come to the instruction before
		pl := newPlan(prog, sched)
		pl.race.skip = i
		if r, err := follow1(ctx, p, pl); err == nil {
			return r, nil
		}
	}
	for _, wakes := range []int{0, 3} { // it did not matter who waits for condition variables
		if err != nil && first.goal.Check == checkLocks {
			pl := newPlan(prog, sched)
			pl.wakes = wakes
			if r, err := follow1(ctx, p, pl); err == nil {
				return r, nil
			}
		}
	}
	if err != nil && (first.race != nil || first.waits != nil) { // waits on condition variables may be meant otherwise
		pl := newPlan(prog, sched)
		pl.wakes = 1 - pl.wakes
		if r, err := follow1(ctx, p, pl); err == nil {
			return r, nil
		}
	}
	if err == nil || r == nil || !r.uninitialised() || first.readsUnset() {
		return r, err
	}
	// Memory that nobody has written may hold anything; the execution tells of variables, not where they lie.
	for _, v := range initialValues(sched) {
		pl := newPlan(prog, sched)
		pl.fill, pl.filled = true, v
		if r, err := follow1(ctx, p, pl); err == nil {
			return r, nil
		}
	}
	return nil, err
}

// maxSkips is how many times a thread may come to an instruction before it does so in a race.
const maxSkips = 6

// initialValues returns what indeterminate memory may hold.
func initialValues(sched ir.Schedule) []uint64 {
	values := []uint64{0, 1}
	for _, i := range slices.Sorted(maps.Keys(sched.Init)) {
		if v := lowBits(sched.Init[i]); !slices.Contains(values, v) && len(values) < 6 {
			values = append(values, v)
		}
	}
	return values
}

// follow1 interprets an execution as a plan says.
func follow1(ctx context.Context, p *cir.Program, pl *plan) (*run, error) {
	d := newDirector(p, pl)
	d.woven = pl.places(p)
	woven := instrument(p, d.woven)
	if err := woven.Check(); err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	o := interp.Options{Args: pl.args, Scheduler: d, External: d.External, GoOn: true, Wakeups: pl.wakes, Reads: pl.readsUnset(), Leaks: pl.atEnd(), MaxSteps: 5_000_000}
	if pl.handled {
		o.Handlers, o.Victim = true, d.interrupts
	}
	res, err := interp.Run(ctx, woven, o)
	if res == nil {
		return nil, err
	}
	r := &run{d, res}
	if d.failed == errRace {
		return r, r.meaningless()
	}
	if d.waits != nil && d.next() == nil && (d.failed != nil || err == nil) {
		return r, r.deadlock()
	}
	switch {
	case d.failed != nil:
		return r, d.failed
	case err != nil:
		return r, err
	}
	return r, r.verdict()
}

// uninitialised reports whether an indeterminate value was used.
func (r *run) uninitialised() bool {
	return r.result.Uninitialised || slices.ContainsFunc(r.result.Notes, func(n interp.Note) bool { return n.Check == interp.CheckUninit })
}

// cut takes what others did from the log after the failing thread's last turn: it waits for ever then.
func (r *run) cut() {
	n := len(r.log)
	for n > 0 && r.log[n-1].thread != r.idOf[r.failing] {
		n--
	}
	r.log = r.log[:n]
}

// atGoal reports whether the execution is at its end, or its last step is the misuse itself.
func (r *run) atGoal() bool {
	n := len(r.groups)
	return r.k == n || r.k == n-1 && r.groups[n-1].edge.To == r.goal && (r.idOf[r.failing] == r.result.Thread || r.result.Interrupted)
}

// Undefined is the error for an execution that is one of the program, in which the program does what C leaves undefined before it comes to the violation.
type Undefined struct {
	What  string // it does, and where
	Check string // of the interpreter, that has found it
}

// Error says what the program does.
func (u *Undefined) Error() string {
	return "the program does before what C leaves undefined: " + u.What
}

// undefined returns what the program did on the way that C leaves undefined, nil for nothing.
func (r *run) undefined() (undefined *Undefined) {
	for _, n := range r.result.Notes {
		if n.Site == nil || r.wraps && n.Check == interp.CheckOverflow { // of what was woven in, or as the source is read
			continue
		}
		switch n.Check {
		case interp.CheckOverflow, interp.CheckShift, interp.CheckConversion, interp.CheckUninit, interp.CheckTrap, interp.CheckBounds:
			undefined = &Undefined{What: fmt.Sprintf("%s at %s", n.Why, n.Site.Pos), Check: n.Check}
		}
	}
	return undefined
}

// meaningless is the error that the program has done before what C leaves undefined.
func (r *run) meaningless() error {
	if u := r.undefined(); u != nil {
		return u
	}
	return nil
}

// verdict says what is wrong with a run that ended.
func (r *run) verdict() error {
	res, goal, pl := r.result, r.goal.Text, r.plan
	undefined := r.undefined()
	switch {
	case r.race != nil:
		return r.race.missing()
	case res.Outcome == interp.AssertFails && pl.goal.Check == checkOverflow && violates(pl, res):
		return nil // it went on behind the overflow
	case res.Outcome == interp.AssertFails && undefined != nil:
		return undefined
	case res.Outcome == interp.AssertFails:
		return nil
	case res.Outcome == interp.Undefined && r.atGoal() && !strings.HasPrefix(goal, "assert"):
		return nil // misuse that was asked for
	case res.Outcome == interp.Deadlock && r.k >= len(r.groups)-1 && strings.HasPrefix(goal, "mutex locked again"):
		r.cut()
		return nil
	case violates(pl, res):
		return nil
	}
	if res.Outcome == interp.Undefined && res.Site != nil {
		return &Undefined{What: res.Misuse(), Check: res.Check}
	}
	where := ""
	if r.k < len(r.groups) {
		g := r.groups[r.k]
		where = fmt.Sprintf(" before step %d: thread %d, %s", g.step, g.thread, g.edge)
	}
	return fmt.Errorf("the run ends otherwise%s: %s", where, res)
}

package directed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/scan/certificate"
	"comus/scan/directed/world"
)

// Execution is all that a run depends on: with it, the program does the same once more.
type Execution = certificate.Execution

// recorder keeps what a run depends on while it is made.
type recorder struct {
	ex   *Execution
	next interp.Scheduler
	give func(string, cir.Type) (lo, hi uint64)
}

// Next implements [interp.Scheduler].
func (r *recorder) Next(ready []int, last int) (int, int64) {
	t, n := r.next.Next(ready, last)
	r.ex.Turns = append(r.ex.Turns, certificate.Turn{Thread: t, Steps: n})
	return t, n
}

// choose records that a thread is chosen.
func (r *recorder) choose(thread int, steps int64) (int, int64) {
	r.ex.Turns = append(r.ex.Turns, certificate.Turn{Thread: thread, Steps: steps})
	return thread, steps
}

func (r *recorder) input(name string, t cir.Type) (lo, hi uint64) {
	lo, hi = r.give(name, t)
	r.ex.Inputs = append(r.ex.Inputs, certificate.Input{Lo: lo, Hi: hi})
	return lo, hi
}

// player makes a run do what an execution says. Behind its last turn there is none.
type player struct {
	ex            *Execution
	turns, inputs int
	over          bool // the run has gone on behind its last turn
}

// Next implements [interp.Scheduler].
func (p *player) Next(ready []int, _ int) (int, int64) {
	if p.turns == len(p.ex.Turns) {
		p.over = true
		return -1, 0 // which ends it
	}
	t := p.ex.Turns[p.turns]
	if p.turns++; slices.Contains(ready, t.Thread) {
		return t.Thread, t.Steps
	}
	return ready[0], 1
}

func (p *player) input(string, cir.Type) (lo, hi uint64) {
	if p.inputs == len(p.ex.Inputs) {
		return 0, 0
	}
	p.inputs++
	return p.ex.Inputs[p.inputs-1].Lo, p.ex.Inputs[p.inputs-1].Hi
}

// errBehind is the error of a run that goes on where the execution has no more turns.
var errBehind = errors.New("the run does not end with its last turn")

// Replay runs a program as an execution says, up to the first race for which is holds. What is returned besides are the reasons why the run may be none of
// the program's: approximations that it has passed before the race. Without any, and with the outcome [interp.Raced], the race is one of the program. The
// execution is cut off behind the race.
func Replay(ctx context.Context, p *cir.Program, ex *Execution, is func(*interp.Race) bool) (*interp.Result, []string, error) {
	return ReplayWith(ctx, p, ex, &Target{Race: is}, func(*interp.Options) {})
}

// ReplayWith is Replay for any target, which is there if it is [Target.Shown] in the result, with options that are adjusted.
func ReplayWith(ctx context.Context, p *cir.Program, ex *Execution, t *Target, adjust func(*interp.Options)) (*interp.Result, []string, error) {
	pl := &player{ex: ex}
	opt, lib := options(p, ex, pl, pl.input)
	opt.MaxSteps, opt.StopAt = replaySteps, t.Race
	if t.Circles {
		findCircles(&opt)
	}
	opt.Leaks = t.Leaks
	adjust(&opt)
	run := interp.Run
	if ex.Graph != nil {
		run = func(ctx context.Context, p *cir.Program, opt interp.Options) (*interp.Result, error) {
			return graphs.Replay(ctx, p, opt, ex.Graph, t.Race != nil)
		}
	}
	res, err := run(ctx, p, opt)
	switch {
	case pl.over:
		return nil, nil, errBehind
	case err != nil:
		return nil, nil, err
	}
	if t.Shown(res) {
		ex.Turns, ex.Inputs = ex.Turns[:pl.turns], ex.Inputs[:pl.inputs]
		t.names(ex, res)
	}
	return res, lib.approximations(res), nil
}

// findCircles ends a run with threads that wait for one another. Waits on condition variables end only when they are signalled, which is what locks note their holders for.
func findCircles(opt *interp.Options) { opt.Circles, opt.Wakeups = true, 1 }

// Unset returns where a run has read memory that nobody had written, and whether that has decided something: what it did, where it wrote, what it was told.
func Unset(res *interp.Result) (places []string, decides bool) {
	for _, n := range res.Notes {
		if n.Check != interp.CheckRead {
			continue
		}
		at := "?"
		if n.Site != nil {
			at = n.Site.Pos.String()
		}
		if !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return places, res.Uninitialised
}

// mostUnset is how many places are named.
const mostUnset = 3

// Assumed says, of a run that has read memory which nobody had written, what it takes for granted. Such memory holds some value, which the run has chosen; it may be
// any one.
func Assumed(places []string, decides bool) []string {
	if len(places) == 0 && !decides {
		return nil
	}
	where := strings.Join(places[:min(len(places), mostUnset)], ", ")
	switch {
	case len(places) == 0:
		where = "a place that is not known"
	case len(places) > mostUnset:
		where += fmt.Sprintf(" and %d more", len(places)-mostUnset)
	}
	how := "the run reads some, and nothing that it does depends on it"
	if decides {
		how = "the run depends on some"
	}
	return []string{fmt.Sprintf("memory that nobody has written holds some value: %s, read at %s", how, where)}
}

// PlaceOf returns the place of a side of a race as executions have it.
func PlaceOf(s *interp.Side) string {
	if s.Site == nil {
		return ""
	}
	return s.Site.Pos.String()
}

// options returns the options of a run, and what notes the functions without a body that it calls.
func options(p *cir.Program, ex *Execution, turns interp.Scheduler, inputs func(string, cir.Type) (lo, hi uint64)) (interp.Options, *library) {
	lib := &library{world: world.New(inputs), program: p}
	lib.world.Outside = world.Outside{Files: ex.Files, Env: ex.Env, Peer: ex.Stdin}
	wakeups := 0
	if ex.Signalled {
		wakeups = 1
	}
	return interp.Options{Wakeups: wakeups, Args: ex.Args, Stdin: &stdin{strings.NewReader(ex.Stdin), lib.world}, Scheduler: turns, Nondet: inputs, External: lib.external, Instead: world.Instead,
		MaxMemory: maxMemory, Handlers: true, Races: true, Unset: true, Zeros: ex.Zeros, Calls: true}, lib
}

// stdin is the standard input, which notes that it is read.
type stdin struct {
	*strings.Reader
	w *world.World
}

// Read implements io.Reader.
func (s *stdin) Read(b []byte) (int, error) {
	s.w.Wanted.Stdin = true
	return s.Reader.Read(b)
}

// replaySteps is more than a run that is recorded takes.
const replaySteps = 1 << 30

// library is for functions without a body: the world performs them, or else nothing happens, and the result is 0. It notes those that may do something else.
type library struct {
	world   *world.World
	program *cir.Program
	called  []string
}

func (l *library) external(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
	if r, known, err := l.world.Call(m, name, args); known || err != nil {
		return r, true, err
	}
	if world.Instead[name] {
		return interp.Value{}, false, nil
	}
	c, ok := contract.Lookup(name)
	if f := l.program.FuncNamed(name); !(ok && doesNothing(c)) && (f == nil || f.Unknown != cir.Pure) {
		if call := "call of '" + name + "', which has no body"; !slices.Contains(l.called, call) {
			l.called = append(l.called, call)
		}
	}
	if ok && c.NoReturn {
		return interp.Value{}, true, m.Exit(1)
	}
	return interp.Value{}, true, nil
}

// doesNothing reports whether it is one of the executions of a function that it does nothing, whatever was called before, and returns 0.
func doesNothing(c *contract.Function) bool {
	if c.NoReturn || c.MayEnd || c.Twice || c.Blocks || c.Threads || c.Variadic != nil {
		return false
	}
	for i := range c.Params {
		if p := &c.Params[i]; p.Writes() || p.Frees || p.FreesBelow || p.Passed || p.VaList || p.Handle != "" || p.Format != contract.NoFormat || len(p.Retains) > 0 || len(p.Calls) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(c.Results, func(v contract.Value) bool { return !isStatus(v) })
}

// isStatus reports whether a value is one of those that say whether a call succeeded: success is 0.
func isStatus(v contract.Value) bool {
	if v.Kind == contract.Error {
		return true
	}
	small := func(b *contract.Bound, least, most int64) bool {
		if b == nil || len(b.Product) != 1 || b.Product[0].Kind != contract.Number {
			return false
		}
		n := b.Product[0].Number
		if b.Negative {
			n = -n
		}
		return least <= n && n <= most
	}
	return v.Kind == contract.Within && small(v.Range.Low, -1, 0) && small(v.Range.High, 0, 0)
}

// approximations returns why a run may be none of the program's.
func (l *library) approximations(res *interp.Result) []string {
	out := slices.Clone(l.called)
	for _, n := range res.Notes {
		if n.Check == "approximate" && !slices.Contains(out, n.Why) {
			out = append(out, n.Why)
		}
	}
	if res.Approximate && len(out) == 0 {
		out = append(out, "something that is not exact")
	}
	slices.Sort(out)
	return out
}

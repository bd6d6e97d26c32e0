package directed

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/scan"
	"comus/scan/certificate"
)

// Options bound a search. The zero value makes some runs of limited length.
type Options struct {
	Seed uint64
	// Random and Directed are the numbers of runs: for all suspects together, and for each one; 0: 60 and 60, or, of the first, as many as there is Time for;
	// negative: none.
	Random, Directed int
	// Time is that of all runs together, three quarters of it for the random ones; 0: no limit.
	Time time.Duration
	// MaxSteps is that of a run; 0: few at first, and more as runs are cut off.
	MaxSteps int64
	// Grow has the first runs be short, and later ones longer, as long as they are cut off; MaxSteps is 0 then.
	Grow bool
	// Schedule returns the scheduler of a seed; nil: those of [sample.Schedule], in turn.
	Schedule func(seed uint64) interp.Scheduler
	// Races has some of the random runs be directed at races that others have shown: what fails is often what nothing orders.
	Races bool
	// Feedback is the part of the random runs, or of their time, that are made to read what others have seldom read: all of them, half of them and so on; 0: none.
	Feedback int
	// All, if it is not nil, has a part of the runs be ones that differ in what matters (package dpor), so that all executions with the same inputs are run if those are few. It is told when they were.
	All func(*All)
	// Rest is told after each run how long it took, and waits as long as the next one has to, or until the context ends. May be nil.
	Rest func(ctx context.Context, took time.Duration)
	// Stats gets what the runs were; may be nil.
	Stats *Stats
	// Confirmed is called with each execution that confirms a suspect. It says whether that counts, or another one has to be found, and whether no more are looked for. It is called
	// with executions that go on behind the race, too, which it has to make sure of. May be nil.
	Confirmed func(*Execution) (counts, enough bool)
}

// Stats says what runs were made.
type Stats struct {
	Runs, Directed int   // those that were directed at something are among them
	Steps          int64 // of all of them
	CutOff         int   // at their number of steps
}

func (o Options) complete() Options {
	if o.Stats == nil {
		o.Stats = &Stats{}
	}
	set := func(n *int, v int) {
		if *n == 0 {
			*n = v
		}
	}
	if o.Time > 0 { // which ends them
		set(&o.Random, 1<<30)
	}
	if o.Schedule == nil {
		o.Schedule = sample.Schedule
	}
	set(&o.Random, 60)
	set(&o.Directed, 60)
	return o
}

// Found is what runs have shown of a suspect.
type Found struct {
	// Execution confirms it: it was replayed. Nil if it is not confirmed.
	Execution *Execution
	Race      interp.Race // of that execution, or of the run that depends on something, if that is what is looked for
	// On are, if it is not confirmed, the approximations that the run depends on in which it was seen; none if it was not seen.
	On []string
	// Unset is where the execution reads memory that nobody has written, and Decides says that what it does depends on that.
	Unset   []string
	Decides bool
}

// clean reports whether an execution was found that reads nothing that nobody has written.
func (f *Found) clean() bool { return f.Execution != nil && len(f.Unset) == 0 && !f.Decides }

// runner makes runs of a program.
type runner struct {
	p         *cir.Program
	opts      Options
	try       *inputs
	targets   []Target
	found     []Found
	code      interp.Code
	begun     time.Time
	end       time.Time  // zero: none
	enough    bool       // no more executions are looked for
	held      *Execution // the first one that confirms, but reads what nobody has written; it is told of if no other one is found for some time
	until     time.Time
	cutOff    int           // how many runs were cut off at their number of steps; not counted any further than mostCutOff
	short     int64         // the steps of the shortest run that was cut off, at its steps or for its time, and was no brief one; 0: none was
	alone     int64         // of these, those before there was more than one thread to choose
	brief     bool          // the run that is made now is a short one
	briefly   time.Duration // the time of such runs, and that of others
	fully     time.Duration
	refused   []int // how many executions of each target did not count
	races     races
	all       *exhaustive        // nil: not begun
	reads     *readsFrom         // nil: no feedback
	following time.Duration      // the time of runs that follow an abstract schedule
	turns     []certificate.Turn // of the run before, of which nothing else has them: the memory is used again
}

// Search looks for executions in which suspects are races. The result has an entry for each of them. The error is for a program that the interpreter
// cannot run.
func Search(ctx context.Context, p *cir.Program, suspects []*scan.Suspect, opts Options) ([]Found, error) {
	targets := make([]Target, len(suspects))
	for i, s := range suspects {
		targets[i] = OfSuspect(s)
	}
	return For(ctx, p, targets, opts)
}

// For looks for executions that show what is looked for, as Search does.
func For(ctx context.Context, p *cir.Program, targets []Target, opts Options) ([]Found, error) {
	h := &runner{p: p, opts: opts.complete(), try: newInputs(p), targets: targets, found: make([]Found, len(targets)), refused: make([]int, len(targets)), begun: time.Now()}
	for _, t := range targets {
		for _, in := range t.At {
			h.try.watched[in] = true
		}
	}
	if opts.Time > 0 {
		h.end = time.Now().Add(opts.Time * 3 / 4)
	}
	for i := 0; i < h.opts.Random && h.open() && h.goesOn(ctx); i++ {
		if err := h.exhaust(ctx, i); err != nil {
			return h.found, err
		}
		if err := h.run(ctx, uint64(i), h.alongRace(i)); err != nil {
			return h.found, err
		}
	}
	if opts.Time > 0 {
		h.end = h.end.Add(opts.Time / 4)
	}
	for i := 0; i < h.opts.Directed && h.goesOn(ctx); i++ { // all of them have their turns before one has many
		for k := range targets {
			if h.found[k].clean() || !h.goesOn(ctx) {
				continue
			}
			if err := h.run(ctx, uint64(i)<<20+uint64(k), &targets[k]); err != nil {
				return h.found, err
			}
		}
	}
	h.accept(true)
	return h.found, nil
}

// A better execution than one that reads what nobody has written is looked for as long as it has taken to find that, within these bounds.
const (
	leastBetter = 500 * time.Millisecond
	mostBetter  = 3 * time.Second
)

// accept tells of the execution that is held, at the end or when there was time enough for a better one.
func (h *runner) accept(end bool) {
	if h.held == nil || h.enough || !end && time.Now().Before(h.until) {
		return
	}
	ex := h.held
	h.held = nil
	_, h.enough = h.opts.Confirmed(ex)
}

// open reports whether a suspect has not been confirmed.
func (h *runner) open() bool {
	return slices.ContainsFunc(h.found, func(f Found) bool { return f.Execution == nil })
}

func (h *runner) goesOn(ctx context.Context) bool {
	h.accept(false)
	return !h.enough && ctx.Err() == nil && (h.end.IsZero() || time.Now().Before(h.end))
}

// run makes one run, directed at a target if there is one, and keeps what it shows. The end of ctx is no error.
func (h *runner) run(ctx context.Context, seed uint64, at *Target) error {
	r := rand.New(rand.NewPCG(h.opts.Seed, seed))
	h.brief = h.isBrief()
	ex, begin := h.try.next(r, h.brief)
	ex.Turns = h.turns[:0]
	defer func() { h.turns, ex.Turns = ex.Turns, nil }()
	rec := &recorder{ex: ex, next: h.opts.Schedule(r.Uint64()), give: after(begin, choices(r))}
	opt, lib := options(h.p, ex, rec, rec.input)
	opt.MaxSteps = h.length(r)
	cover := h.try.cover()
	opt.Watched, opt.Before, opt.Code = h.try.watched, cover.before, &h.code
	if slices.ContainsFunc(h.targets, func(t Target) bool { return t.Circles }) {
		findCircles(&opt)
	}
	opt.Leaks = slices.ContainsFunc(h.targets, func(t Target) bool { return t.Leaks })
	var follow *follower
	switch {
	case at != nil:
		d := newDirector(r, rec, at)
		opt.Scheduler, opt.Before = d, d.before
	case h.follows(seed):
		follow = h.follow(r, rec)
		opt.Scheduler, opt.Observer = follow, follow
		opt.Before = func(thread int, in cir.Instr, taken int64, given bool) bool {
			cover.before(thread, in, taken, given)
			return follow.before(thread, in, taken, given)
		}
	}
	part, stop := h.share(ctx, h.try.long)
	defer stop()
	if h.held != nil { // there is an answer already: a long run does not keep it back
		var soon context.CancelFunc
		part, soon = context.WithDeadline(part, h.until)
		defer soon()
	}
	start := time.Now()
	res, err := interp.Run(part, h.p, opt)
	switch {
	case ctx.Err() != nil:
		return nil
	case part.Err() != nil && res != nil: // as far as it got
	case err != nil:
		return err
	}
	if at == nil && part.Err() != nil && len(cover.new) > 0 && !h.try.long {
		h.try.again = copyOf(ex) // which was cut off on its way to somewhere new
	}
	if at == nil && !h.brief && h.growing() && isAlone(res) && res.Outcome == interp.Limit {
		h.try.further = ex
	}
	if at == nil {
		h.try.learn(cover, ex, res.Alone > 0, &lib.world.Wanted)
	}
	took := time.Since(start)
	if follow != nil {
		h.reads.learn(follow)
		h.following += took
	}
	h.opts.Stats.add(res, at != nil)
	h.wasCutOff(res, at == nil && part.Err() != nil, took)
	defer h.rest(ctx, took)
	if h.opts.Races {
		if h.races.add(h.p, res.Races, h.try.watched) {
			h.code = interp.Code{} // in which others are watched
		}
	}
	for i := range h.targets {
		if h.enough || h.found[i].clean() || !h.targets[i].seenIn(res) {
			continue
		}
		if !h.atOnce(i, ex, res, lib) {
			if err := h.confirm(ctx, i, ex); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a run.
func (s *Stats) add(res *interp.Result, directed bool) {
	s.Runs++
	s.Steps += res.Steps
	if directed {
		s.Directed++
	}
	if res.Outcome == interp.Limit {
		s.CutOff++
	}
}

// rest waits as long as it is to, but does not keep back an answer that there is.
func (h *runner) rest(ctx context.Context, took time.Duration) {
	if h.opts.Rest == nil || h.enough {
		return
	}
	if h.held != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, h.until)
		defer stop()
	}
	h.opts.Rest(ctx, took)
}

// isBrief reports whether the next run is to be a short one: where runs do not end by themselves, a part of the time is for those, of which there are very many,
// unless most of a run is what the program does before it has threads.
func (h *runner) isBrief() bool {
	parts := time.Duration(briefParts)
	if h.alone == 0 { // there were no threads: that may take long, or another input
		parts = seldomParts
	}
	return h.opts.MaxSteps == 0 && h.short > 0 && h.alone < h.short/aloneParts && h.briefly < (h.briefly+h.fully)/parts
}

// length returns the most steps of a run.
func (h *runner) length(r *rand.Rand) int64 {
	switch {
	case h.opts.MaxSteps > 0:
		return h.opts.MaxSteps
	case !h.brief && h.growing():
		return growsFrom << (h.cutOff / growsAfter)
	case !h.brief && h.opts.Grow:
		return growsFrom << (growsTo / growsAfter) << r.IntN(1+mostCutOff)
	case !h.brief:
		return firstSteps << r.IntN(1+h.cutOff)
	}
	k := r.IntN(1<<mostShorter - 1) // how much shorter: the more, the more often, so that each length gets as much time
	return h.alone + max((h.short-h.alone)>>bits.Len(uint(k+1)), fewestSteps)
}

// aloneParts is how much less a run is that makes use of threads than what has to be done before; briefParts is the part of the time that short runs get, also while others grow, seldomParts that where there were no threads, mostShorter the logarithm of how much shorter than one that was cut off they may be, and fewestSteps the least
// that a run has.
const aloneParts, briefParts, seldomParts, mostShorter, fewestSteps = 4, 4, 16, 12, 1 << 14

// wasCutOff notes whether a run was, which took some time.
func (h *runner) wasCutOff(res *interp.Result, late bool, took time.Duration) {
	if h.brief {
		h.briefly += took
		return
	}
	if h.fully += took; !late && res.Outcome != interp.Limit {
		return
	}
	grew := h.growing()
	switch {
	case late:
	case h.growing() && isAlone(res):
		h.cutOff += aloneAfter
	case h.growing() || h.cutOff < mostCutOff:
		h.cutOff++
	}
	if grew && !h.growing() {
		h.short = 0 // those that grew were all short
	}
	if h.short == 0 || !grew && res.Steps < h.short {
		h.short, h.alone = res.Steps, res.Alone
	}
}

// growing reports whether runs are still shorter than they may be.
func (h *runner) growing() bool { return h.opts.Grow && h.cutOff < growsTo }

// isAlone reports whether a run has had one thread for most of its steps: other schedules make no difference to them.
func isAlone(res *interp.Result) bool { return res.Alone == 0 || res.Alone > res.Steps/2 }

// A run has at most this many steps at first, and up to 2^mostCutOff times as many later.
const firstSteps, mostCutOff = 1 << 27, 3

// Where runs grow, the first have this many steps, twice as many after some that were cut off, and eight times as many after one that was alone, up to what other runs have.
const growsFrom, growsAfter, aloneAfter, growsTo = 1 << 15, 4, 3 * growsAfter, 12 * growsAfter

// maxMemory is that of a run; what is kept for its accesses may be many times as much.
const maxMemory = 1 << 30

// runParts is how many runs there is time for at least: one may be slow, as that of a program that creates thousands of threads.
const runParts = 8

// atOnce tells of an execution that shows a race, as it is, where whoever is told makes sure of it, and nothing that may not be so comes in it, neither before the race nor
// behind it. It reports whether that is enough.
func (h *runner) atOnce(i int, ex *Execution, res *interp.Result, lib *library) bool {
	t := &h.targets[i]
	if h.opts.Confirmed == nil || t.Race == nil || len(lib.approximations(res)) > 0 {
		return false
	}
	if unset, decides := Unset(res); len(unset) > 0 || decides {
		return false
	}
	k := slices.IndexFunc(res.Races, func(r interp.Race) bool { return t.Race(&r) })
	race := res.Races[k]
	all := *ex
	all.Turns = slices.Clone(ex.Turns)
	all.Race = [2]string{PlaceOf(&race.First), PlaceOf(&race.Second)}
	counts, enough := h.opts.Confirmed(&all)
	if counts {
		h.found[i] = Found{Execution: &all, Race: race}
	}
	h.enough = enough
	return counts || enough
}

// share returns the context of a run.
func (h *runner) share(ctx context.Context, long bool) (context.Context, context.CancelFunc) {
	if long && !h.end.IsZero() {
		return context.WithDeadline(ctx, h.end)
	}
	if h.opts.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, h.opts.Time/runParts)
}

// confirm replays an execution that shows a target.
func (h *runner) confirm(ctx context.Context, i int, ex *Execution) error {
	again := &Execution{Args: ex.Args, Stdin: ex.Stdin, Files: ex.Files, Env: ex.Env, Signalled: ex.Signalled, Zeros: ex.Zeros, Turns: slices.Clone(ex.Turns), Inputs: slices.Clone(ex.Inputs)}
	t := &h.targets[i]
	res, on, err := ReplayWith(ctx, h.p, again, t, func(*interp.Options) {})
	switch {
	case ctx.Err() != nil || errors.Is(err, errBehind):
		return nil
	case err != nil:
		return err
	case !t.Shown(res): // it is not said that it is always seen
		return nil
	}
	f := &h.found[i]
	race := interp.Race{}
	if res.Outcome == interp.Raced {
		race = res.Races[len(res.Races)-1]
	}
	unset, decides := Unset(res)
	switch {
	case len(on) == 0:
		h.confirmed(i, Found{Execution: again, Race: race, Unset: unset, Decides: decides})
	case f.Execution != nil:
	case len(f.On) == 0 || len(on) < len(f.On):
		*f = Found{Race: race, On: on}
	}
	return nil
}

// mostRefused is how many executions of a target that do not count are looked for.
const mostRefused = 5

// confirmed keeps an execution that confirms a suspect, if it is better than what there is.
func (h *runner) confirmed(i int, x Found) {
	f := &h.found[i]
	before := *f
	if f.Execution == nil || f.Decides && !x.Decides || x.clean() {
		*f = x
	}
	switch {
	case h.enough || h.opts.Confirmed == nil:
	case x.clean():
		counts, enough := h.opts.Confirmed(x.Execution)
		if h.enough = enough; !counts && h.refused[i] < mostRefused {
			h.refused[i]++
			*f = before
		}
	case h.held == nil:
		h.held, h.until = x.Execution, time.Now().Add(min(max(time.Since(h.begun), leastBetter), mostBetter))
	}
}

package comus

import (
	"context"
	"errors"
	"sync"
	"time"

	"comus/cfront"
	"comus/replay"
	"comus/scan/cut"
	"comus/scan/directed"
	"comus/seqmc"
)

// An obligation is decided in the part of the program that it depends on: calls that have nothing to do with it are left out (package scan/cut), much at first and less with
// each attempt. What is left out may do anything, so that a proof is one; only the program itself can show a violation.

// decider decides suspects.
type decider struct {
	s     *Source
	opts  DecideOptions
	about []string // the name of each suspect's question
	// targets are what runs look for.
	targets []directed.Target
	out     []Obligation
	// sanitize is the time for which gcc's sanitizer may judge executions of the whole program.
	sanitize time.Duration
	judges   bool
	// whole tells that the whole program has been taken apart, so that nothing needs to be left out.
	whole bool

	mu       sync.Mutex
	tooLarge error // why the whole program cannot be taken apart
}

// all decides all suspects in the ways that there are.
func (d *decider) all(ctx context.Context) {
	d.sanitize, d.judges = d.opts.Options.Sanitize, d.opts.Options.Sanitize > 0
	d.runDirected(ctx)
	if !d.opts.OnlyRuns {
		d.ask(ctx)
	}
}

// runDirected looks for executions of the whole program.
func (d *decider) runDirected(ctx context.Context) {
	if len(d.targets) == 0 {
		return
	}
	found, err := directed.For(ctx, d.s.prog.Program, d.targets, d.opts.Runs)
	if err != nil { // then engines decide
		d.opts.Options.Log.Info("the program cannot be run", "error", err)
	}
	for i, f := range found {
		x := &d.out[i]
		if x.Seen = f.On; f.Execution != nil {
			x.Status, x.Execution, x.Race, x.Unset = ObligationViolated, f.Execution, f.Race, directed.Assumed(f.Unset, f.Decides)
			if d.judges {
				d.judge(ctx, x)
			}
			d.tell(x)
		}
	}
}

// judge has gcc's sanitizer judge the execution of a suspect, if there is time. If it does not see the race in the same run, for no reason that is known, the suspect is open.
func (d *decider) judge(ctx context.Context, x *Obligation) {
	start := time.Now()
	within, stop := context.WithTimeout(ctx, d.sanitize)
	defer stop()
	w, err := d.s.WeaveRun(within, x.Execution)
	j := replay.Judgement{}
	switch {
	case within.Err() != nil:
		j.Why = "there was too little time left for it (--sanitize and --timeout bound it)"
	case err != nil:
		j.Why = err.Error()
	default:
		j = w.Judge(within)
	}
	d.sanitize -= time.Since(start)
	if x.Sanitizer = j.String(); j.Contradicts() {
		x.Status, x.Execution = ObligationOpen, nil
		x.Reason = "a run shows it, but " + x.Sanitizer
	}
}

func (d *decider) tell(x *Obligation) {
	if d.opts.Decided != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.opts.Decided(x)
	}
}

// ask asks the engines about all suspects that are open, some at a time.
func (d *decider) ask(ctx context.Context) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range d.opts.Jobs {
		wg.Go(func() {
			for i := range next {
				d.decide(ctx, &d.out[i], d.about[i], d.opts.Each)
				d.tell(&d.out[i])
			}
		})
	}
	for i := range d.out {
		if d.out[i].Status == ObligationOpen && d.about[i] != "" {
			next <- i
		}
	}
	close(next)
	wg.Wait()
}

// depths are how much is left out of the program for one attempt after the other, and the part of the time that is left that each may take.
var depths = []struct{ cut, parts int }{{cut.Coarse, 8}, {cut.Plain, 4}, {cut.Large, 3}, {cut.None, 1}}

// decide asks the engines for some time about one suspect, or about several: about less and less abstract programs. Only the last one, the program itself, can show
// that it is a race.
func (d *decider) decide(ctx context.Context, x *Obligation, about string, each time.Duration) {
	start := time.Now()
	defer func() { x.Took = time.Since(start) }()
	end := start.Add(each)
	at := depths
	if d.whole {
		at = depths[len(depths)-1:]
	}
	for _, depth := range at {
		if x.Reason = d.whyNot(ctx, depth.cut); x.Reason != "" {
			return
		}
		part, stop := context.WithTimeout(ctx, time.Until(end)/time.Duration(depth.parts))
		res, err := d.put(part, about, depth.cut)
		stop()
		if err != nil {
			x.Reason = err.Error()
			continue
		}
		x.Result = res
		switch {
		case res.Verdict == seqmc.Safe:
			x.Status = ObligationProved
			return
		case depth.cut != cut.None:
		case res.Verdict == seqmc.Unsafe:
			if err := d.s.confirmsOnProgram(ctx, res); err != nil {
				x.Reason = "an execution was found, but not confirmed on the program itself: " + err.Error()
				return
			}
			x.Status = ObligationViolated
		default:
			x.Reason = res.Reason
			d.learn(ctx, res)
		}
	}
}

// put puts one question to the engines.
func (d *decider) put(ctx context.Context, about string, depth int) (*Result, error) {
	opts := d.opts.Options
	opts.Timings, opts.runs = nil, nil // timings measure one thing at a time, and runs are ended with the answer that they belong to
	opts.Question.About, opts.Question.Cut = about, depth
	opts.NoSimulate = opts.NoSimulate || depth != cut.None
	return d.s.Verify(ctx, opts)
}

// learn notes that the whole program is too large to be taken apart, if it is.
func (d *decider) learn(ctx context.Context, res *Result) {
	if d.large(res) && ctx.Err() == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.tooLarge = errors.New(res.Reason)
	}
}

// large reports whether the whole program was too large to be taken apart: then it is for all suspects.
func (d *decider) large(res *Result) bool { return res.program.SHA256 == "" && res.Reason != "timeout" }

// whyNot returns why the engines need not be asked, "" if they are.
func (d *decider) whyNot(ctx context.Context, depth int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return "there was no time left"
	case d.tooLarge != nil && depth == cut.None:
		return d.tooLarge.Error()
	}
	return ""
}

// confirmsOnProgram follows the execution of Unsafe on the program that was read, by the interpreter that is exact to the byte.
func (s *Source) confirmsOnProgram(ctx context.Context, res *Result) error {
	if res.Certificate == nil || res.Certificate.Schedule == nil {
		return errors.New("there is none")
	}
	_, how, err := SourceOptions(res.Certificate.Program, cfront.Options{})
	if err != nil {
		return err
	}
	r, err := s.Read(ctx, how)
	if err != nil {
		return err
	}
	r.Program.Renumber()
	sched, err := res.Certificate.Schedule.Execution(r.Program)
	if err != nil {
		return err
	}
	return replay.Interpret(ctx, s.prog.Program, r.Program, sched)
}

package comus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/memory"
	"comus/replay"
	"comus/scan/certificate"
	"comus/scan/directed"
)

// contradiction is the error that two judges of one run do not agree.
type contradiction struct{ error }

// byRun makes a run of the whole program that has a race, or fails an assertion, the verdict, if it is confirmed.
func (s *Source) byRun(ctx context.Context, ex *directed.Execution, opts Options) (*Result, error) {
	res := &Result{Engine: scanStrategy, program: s.identity(opts.Question)}
	defer opts.Timings.Start(timing.Checking)()
	whole, run := &confirm.Whole{Program: s.prog.Program, ID: res.program}, (*replay.Run)(nil)
	if opts.Sanitize > 0 && ex.Graph == nil && (ex.Undefined == [2]string{} || ex.Undefined[0] == interp.CheckMemory) && len(ex.Kept) == 0 { // gcc's program is woven for what ends otherwise
		run = replay.NewRun(s.prog.Program)
		whole.Tracer = run.Tracer()
	}
	a, err := whole.Executed(ctx, ex)
	if err != nil {
		return nil, err
	}
	if run != nil && a.Ran().Interrupted {
		run, res.Sanitizer = nil, "gcc's program was not run: a handler of signals interrupts a thread"
	}
	if run != nil {
		j := judged(ctx, run, s.prog.Program, ex, a, opts.Sanitize)
		if opts.Log.Info("the run is judged", "judgement", j); j.Contradicts() {
			what := fmt.Sprintf("has a data race (%s and %s)", ex.Race[0], ex.Race[1])
			switch {
			case ex.Undefined != [2]string{}:
				what = fmt.Sprintf("has an invalid access to memory (%s)", ex.Undefined[1])
			case ex.Fails != "":
				what = fmt.Sprintf("fails an assertion (%s)", ex.Fails)
			case len(ex.Waits) > 0:
				what = fmt.Sprintf("ends in a deadlock (%s)", strings.Join(ex.Waits, ", "))
			}
			return nil, &contradiction{fmt.Errorf("a run of the program %s, but %s", what, j)}
		}
		res.Sanitizer = j.String()
	}
	res.take(a)
	res.Sizes.Threads = len(a.Trace().Program.Threads)
	return res, nil
}

// noTurns is why an execution cannot be replayed that is not sequentially consistent.
const noTurns = "in this execution a thread reads an older value than the last one, or writes come in different orders for different threads (memory orders); no turns of the threads bring that about"

// WeaveRun returns the C program that makes a run of the whole program once more, which ends in a data race, in a deadlock, or with an assertion that fails.
func (s *Source) WeaveRun(ctx context.Context, ex *certificate.Execution) (*replay.Whole, error) {
	if ex.Graph != nil && !ex.Graph.Consistent(memory.SC) {
		return nil, errors.New("cannot replay: " + noTurns)
	}
	p, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	run, perform := replay.NewRun(p.Program), performer(p.Program, ex)
	res, err := perform(ctx, func(o *interp.Options) { o.Tracer = run.Tracer() })
	if err != nil {
		return nil, err
	}
	return run.Weave(ctx, given(ex), res, perform)
}

func given(ex *certificate.Execution) replay.Given {
	return replay.Given{Args: ex.Args, Stdin: ex.Stdin}
}

// performer makes a run of the program.
func performer(p *cir.Program, ex *certificate.Execution) replay.Perform {
	return func(ctx context.Context, adjust func(*interp.Options)) (*interp.Result, error) {
		again := *ex // it is cut off behind the race
		again.Turns, again.Inputs = slices.Clone(ex.Turns), slices.Clone(ex.Inputs)
		res, _, err := directed.ReplayWith(ctx, p, &again, directed.Named(ex), adjust)
		return res, err
	}
}

// judged has ThreadSanitizer judge a run that the interpreter has confirmed, and told run of. It gets no more than half of the time that is left, so that the verdict is not lost.
func judged(ctx context.Context, run *replay.Run, p *cir.Program, ex *certificate.Execution, a confirm.Answer, within time.Duration) replay.Judgement {
	if end, ok := ctx.Deadline(); ok {
		within = min(within, time.Until(end)/2)
	}
	if within < 2*a.Took() { // the run is made at least twice more
		return replay.Judgement{Why: "there was too little time left for it (--sanitize and --timeout bound it)"}
	}
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	w, err := run.Weave(ctx, given(ex), a.Ran(), performer(p, ex))
	switch {
	case ctx.Err() != nil:
		return replay.Judgement{Why: "there was too little time left for it (--sanitize and --timeout bound it)"}
	case err != nil:
		return replay.Judgement{Why: err.Error()}
	}
	return w.Judge(ctx)
}

package comus

import (
	"context"
	"slices"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/comus/confirm"
	"comus/replay"
	"comus/scan/certificate"
	"comus/scan/hunt"
)

// WeaveRun returns the C program that makes a run of the whole program once more, which ends in a data race, in a deadlock, or with an assertion that fails.
func (s *Source) WeaveRun(ctx context.Context, ex *certificate.Execution) (*replay.Whole, error) {
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
		res, _, err := hunt.ReplayWith(ctx, p, &again, hunt.Named(ex), adjust)
		return res, err
	}
}

// judged has ThreadSanitizer judge a run that the interpreter has confirmed, and told run of. It gets no more than half of the time that is left, so that the verdict is not lost.
func judged(ctx context.Context, run *replay.Run, p *cir.Program, ex *certificate.Execution, a confirm.Answer, within time.Duration) replay.Judgement {
	if end, ok := ctx.Deadline(); ok {
		within = min(within, time.Until(end)/2)
	}
	if within < 2*a.Took() { // the run is made at least twice more
		return replay.Judgement{Why: "there was no time for it"}
	}
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	w, err := run.Weave(ctx, given(ex), a.Ran(), performer(p, ex))
	switch {
	case ctx.Err() != nil:
		return replay.Judgement{Why: "there was no time for it"}
	case err != nil:
		return replay.Judgement{Why: err.Error()}
	}
	return w.Judge(ctx)
}

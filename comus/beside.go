package comus

import (
	"context"
	"time"

	"comus/internal/deadline"
	"comus/internal/timing"
)

// An analysis of the whole program begins beside taking it apart and beside engines, if these take their time. Its proof counts where engines find no answer in the time that
// they have then, as they take less for granted; what it leaves is what runs are directed at.

// provedBeside is an analysis that goes on beside.
type provedBeside struct {
	within context.Context // of the engines: it ends when they have had their time, and there is a proof
	stop   func()          // ends both
	alone  func()          // ends engines
	done   chan struct{}   // nil: there is no analysis
	p      *proof          // nil: it has not ended
	// narrowed tells that engines have been stopped, as what is left is a smaller question.
	narrowed bool
}

// besideTimes are when an analysis begins, and how long engines have when it has a proof: all in all, and at least as long as that has taken.
type besideTimes struct{ from, have time.Duration }

var (
	racesBeside      = besideTimes{300 * time.Millisecond, time.Second}
	assertionsBeside = besideTimes{500 * time.Millisecond, 20 * time.Second}
	deadlocksBeside  = besideTimes{500 * time.Millisecond, 0}
	overflowsBeside  = besideTimes{500 * time.Millisecond, time.Second}
	accessesBeside   = besideTimes{500 * time.Millisecond, time.Second}
)

// besideFrom and besideHave are the parts of the time that there is, at which an analysis begins at the latest, and which engines have at most.
const besideFrom, besideHave = 5, 2

// times returns them for a question.
func (o Options) times() besideTimes {
	switch o.Question.Check {
	case aboutRaces:
		return racesBeside
	case aboutDeadlocks:
		return deadlocksBeside
	case aboutOverflows:
		return overflowsBeside
	case aboutMemory, aboutUses:
		return accessesBeside
	}
	return assertionsBeside
}

// proveBeside begins an analysis.
func (s *Source) proveBeside(ctx context.Context, opts Options) *provedBeside {
	if !s.mayBeScanned(opts) {
		return &provedBeside{within: ctx, stop: func() {}, alone: func() {}}
	}
	at := opts.times()
	if end, ok := ctx.Deadline(); ok {
		at.from, at.have = min(at.from, time.Until(end)/besideFrom), min(at.have, time.Until(end)/besideHave)
	}
	opts.Timings = timing.New()
	b := &provedBeside{done: make(chan struct{})}
	within, stop := context.WithCancel(ctx)
	b.stop = stop
	b.within, b.alone = context.WithCancel(within)
	begun := time.Now()
	go func() {
		defer close(b.done)
		if !deadline.Elapses(b.within, at.from) && within.Err() != nil {
			return
		}
		start := time.Now()
		opts.runs.beside(true)
		p, err := s.prove(within, opts)
		opts.runs.beside(false)
		if err != nil {
			return
		}
		if s.onlyStrong(within, p.res, opts) {
			opts.Log.Info("a scan has a proof for sequential consistency only")
			return
		}
		if b.p = p; !p.res.decided() {
			p.direct()
			if b.narrowed = p.narrows(b.within, begun); b.narrowed {
				opts.Log.Info("a scan has proved most; engines are asked about what is left")
				b.alone()
			}
			return
		}
		opts.Log.Info("a scan has a proof; the engines have some more time for theirs")
		if deadline.Elapses(b.within, max(at.have-time.Since(begun), min(time.Since(start), at.have)/2)) {
			b.alone()
		}
	}()
	return b
}

// goesOn lets an analysis that has begun come to its end, where there are no engines to wait for it, nor it for them.
func (b *provedBeside) goesOn() {
	if b.alone(); b.done != nil {
		<-b.done
	}
}

// ends ends the analysis. What it returns is its proof, or the answer about what it has left, if engines were stopped for that; nil if there is none, or if engines have decided.
func (b *provedBeside) ends(ctx context.Context, decided, takenApart bool) (*Result, error) {
	if b.stop(); b.done == nil {
		return nil, nil
	}
	switch <-b.done; {
	case decided || b.p == nil:
		return nil, nil
	case b.narrowed && ctx.Err() == nil:
		b.p.takenApart = takenApart
		return b.p.decide(ctx, false)
	case !b.p.res.decided():
		return nil, nil
	}
	return b.p.res, nil
}

// tells adds to a result without a verdict what the analysis has found.
func (b *provedBeside) tells(res *Result) {
	if b.p != nil && !res.decided() {
		res.Scan, res.Left = b.p.res.Scan, b.p.res.Left
	}
}

// suspicionMost bounds what is done to confirm a suspicion in another way.
const suspicionMost = 10 * time.Second

// instead decides what is left of the analysis where engines cannot, or have found nothing but a suspicion: runs of the program have no approximations, and parts of it may be small
// enough, or exact. Nil is returned if that decides nothing.
func (b *provedBeside) instead(ctx context.Context, s *Source, opts Options) (*Result, error) {
	if ctx.Err() != nil || !s.mayBeScanned(opts) {
		return nil, nil
	}
	p := b.p
	if p == nil {
		var err error
		if p, err = s.prove(ctx, opts); err != nil {
			return nil, nil
		}
	}
	return p.decide(ctx, true)
}

// besidesSuspicion decides otherwise, if engines have found nothing but a suspicion; nil if that decides nothing: the suspicion stands.
func (b *provedBeside) besidesSuspicion(ctx context.Context, s *Source, opts Options, res *Result) *Result {
	if res.Suspected == nil {
		return nil
	}
	opts.Log.Info("there is a suspicion: a scan is asked", "reason", res.Reason)
	if end, bounded := ctx.Deadline(); bounded && time.Until(end) > suspicionMost {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, suspicionMost)
		defer stop()
	}
	other, err := b.instead(ctx, s, opts)
	if err != nil || other == nil || !other.decided() {
		return nil
	}
	return other
}

// insteadOfEngines asks an analysis about a program that is too large for engines. Its SAFE may take more for granted than those of
// others, which is said; it is the answer where there is no other, and only there.
func (b *provedBeside) insteadOfEngines(ctx context.Context, s *Source, opts Options, large *Result) (*Result, error) {
	opts.Log.Info("the program is too large: a scan is asked", "reason", large.Reason)
	res, err := b.instead(ctx, s, opts)
	switch {
	case err != nil:
		return nil, err
	case res == nil:
		return large, nil
	case !res.decided() && res.Reason != large.Reason:
		res.Reason = large.Reason + "; scan: " + res.Reason
	}
	return res, nil
}

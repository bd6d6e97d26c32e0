package comus

import (
	"context"
	"errors"
	"time"

	"comus/comus/confirm"
	"comus/seqmc"
)

// A program may contain approximations (ir.Approximation): steps that do more than those of
// the source. A proof of it is one of the source. A violation is one only if no approximation
// has a part in it; otherwise it is a suspicion, with which the question as it was asked is at
// its end: there is no proof any more. What is left to ask is a question of its own: is there a
// violation in the program without approximations, which has fewer executions than the source?
// "No" is no answer to the first question. Then the program as a whole is run, which approximates
// nothing; if no run fails, the suspicion stands.

// Suspicion is an execution that fails and is perhaps none of the source.
type Suspicion = confirm.Suspicion

// exactly asks for the violations that no approximation has a part in.
func (q *question) exactly() *question {
	e := *q
	e.Subject = q.Subject.Exact()
	return &e
}

// approximated reports whether an execution may depend on an approximation.
func (q *question) approximated() bool {
	return !q.OnlyExact() && len(q.Original.Approximations()) > 0
}

// answerApproximated answers the question about a program with approximations: as it is, and
// if that gives no verdict, the exact one, unless everything was searched. A process that works for a portfolio answers what
// it is asked: the portfolio, which knows what all engines say, asks the other question.
func (q *question) answerApproximated(ctx context.Context) (*Result, error) {
	res, err := q.attempt(ctx)
	if err != nil || res.decided() || res.complete || q.opts.Alone || q.ID.Cut > 0 || ctx.Err() != nil {
		return res, err
	}
	q.opts.Log.Info("without approximations", "reason", res.Reason)
	begin := res.Portfolio.end()
	part, stop := q.exactTime(ctx)
	exact, err := q.exactly().attempt(part)
	stop()
	if err != nil {
		q.opts.Log.Info("no answer without approximations", "error", err)
		return res, nil
	}
	exact.Portfolio = res.Portfolio.followed(exact.Portfolio, begin)
	if exact.Verdict == seqmc.Unsafe {
		return exact, nil
	}
	res.Portfolio = exact.Portfolio
	return res, nil
}

// exactTime returns the context of the question without approximations: half of the time that is left, if the program can be asked about as a whole
// after it.
func (q *question) exactTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, bounded := ctx.Deadline()
	if !bounded || q.source == nil || !q.source.mayBeScanned(q.opts) {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// suspect makes an execution that depends on approximations the reason of Unknown, if it is
// the reason why an answer was not confirmed.
func (r *Result) suspect(err error) bool {
	if !errors.As(err, &r.Suspected) {
		return false
	}
	r.Reason = r.Suspected.Error()
	return true
}

// noExact reports whether an engine says that the program without approximations has no
// violation. That is not confirmed: nothing but Unknown comes of it.
func noExact(err error) bool { return errors.Is(err, confirm.ErrExact) }

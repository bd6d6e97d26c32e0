package comus

import (
	"context"
	"errors"
	"time"

	"comus/comus/engine"
	"comus/ir"
	"comus/threadmodular"
)

// manyThreads is the number of threads of a program from which a proof for every
// number of them is looked for beside the ordinary one.
const manyThreads = 16

// everyPatience is how much longer a proof for every number of threads is looked for
// when the ordinary way has ended without a verdict.
const everyPatience = time.Minute

// alikeThreads is the number of threads that do the same, from which a proof for every number of them is looked for early if that
// changes a shared variable by what it was.
const alikeThreads = 6

// manyThreads reports whether it may be worth asking for every number of threads at once: the
// source creates any number of them, or many, or some that count something.
func (q *question) manyThreads() bool {
	return len(q.Original.Bounded) > 0 || len(q.Original.Threads) >= manyThreads || q.counting()
}

// counting reports whether several threads do the same and count something.
func (q *question) counting() bool {
	alike := map[ir.Pos]int{}
	for _, t := range q.Original.Threads[1:] {
		alike[t.Entry.Pos]++
		if alike[t.Entry.Pos] == alikeThreads && threadmodular.Adds(q.Original, t) {
			return true
		}
	}
	return false
}

// besideEvery answers the question, and that with more threads, and at the same time the one
// for every number of threads, if a loop creates threads: the first verdict counts.
func (q *question) besideEvery(ctx context.Context) (*Result, error) {
	ctxEvery, stopEvery := context.WithCancel(ctx)
	defer stopEvery()
	ctxOne, stopOne := context.WithCancel(ctx)
	defer stopOne()
	every := make(chan *Result, 1)
	go func() { every <- q.askEvery(ctxEvery) }()
	type outcome struct {
		res *Result
		err error
	}
	one := make(chan outcome, 1)
	go func() {
		res, err := q.answer(ctxOne)
		if err == nil && !res.decided() {
			time.AfterFunc(everyPatience, stopEvery)
			res = q.grow(ctxOne, res)
		}
		one <- outcome{res, err}
	}()
	select {
	case res := <-every:
		if res != nil {
			stopOne()
		}
		o := <-one // it is waited for: the caller reads its timings
		if res != nil {
			return res, nil
		}
		return o.res, o.err
	case o := <-one:
		if o.err == nil && !o.res.decided() {
			if res := <-every; res != nil {
				return res, nil
			}
		}
		return o.res, o.err // what is left of the other ends soon
	}
}

// askEvery asks for every number of threads. It returns nil unless there is a verdict, or if
// no loop creates threads.
func (q *question) askEvery(ctx context.Context) *Result {
	if q.opts.LeftOut(engine.ThreadModular{}.Name()) {
		return nil
	}
	every, err := q.every(ctx)
	if err == nil && len(every.Original.Replicated()) == 0 {
		err = errors.New("no loop creates threads")
	}
	if err != nil {
		q.opts.Log.Info("no proof for every number of threads", "reason", err)
		return nil
	}
	every.Timings, every.opts.Timings = nil, nil // which measure one thing at a time
	res := every.ask(ctx)
	if !res.decided() {
		q.opts.Log.Info("no proof for every number of threads", "reason", res.Reason)
		return nil
	}
	return res
}

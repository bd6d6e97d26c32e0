package spacer

import (
	"context"
	"time"

	"comus/seqmc"
	"comus/z3"
)

// Now and then Spacer does not come to an end on a program that it decides at once
// with another random seed. So a search that takes long gets rivals: other seeds and
// parameters, one after another beside it, for times that follow Luby's sequence
// (1, 1, 2, 1, 1, 2, 4, …), which is good whatever the times needed are
// distributed like (Luby, Sinclair, Zuckerman 1993). The first answer counts.

// patience is how long the first search stays alone, and the unit of its rivals' time.
const patience = 3 * time.Second

// rival returns the parameters of the search number n, from 1, beside the first.
func rival(n uint32) func(*z3.Params) *z3.Params {
	return func(p *z3.Params) *z3.Params {
		p = p.SetUint("spacer.random_seed", 7*n)
		switch n % 3 {
		case 1:
			return p.SetUint("spacer.order_children", 1)
		case 2:
			return p.SetBool("spacer.ground_pobs", false)
		}
		return p
	}
}

// luby returns element n of Luby's sequence, from 1.
func luby(n uint32) uint32 {
	for k := uint32(1); ; k++ {
		switch full := uint32(1)<<k - 1; {
		case n == full:
			return 1 << (k - 1)
		case n < full:
			return luby(n - full/2)
		}
	}
}

// race decides the program of a task with rivals beside it. Only the searches run at
// the same time; writing down clauses and reading off answers need the store.
func (t *task) race(ctx context.Context) (seqmc.Result, error) {
	first := begin(ctx, t)
	defer first.end()
	select {
	case <-first.done:
		return t.Result(ctx)
	case <-time.After(t.c.patience()):
	}
	for n := uint32(1); ; n++ {
		other := &task{c: t.c, p: t.p}
		other.start(rival(n))
		r, ok, err := first.against(ctx, other, time.Duration(luby(n))*t.c.patience())
		if ok || err != nil {
			t.c.log().Debug("a rival", "program", t.p.Name, "number", n, "verdict", r.Verdict, "error", err)
			return r, err
		}
		select {
		case <-first.done:
			return t.Result(ctx)
		default:
		}
	}
}

func (c *Checker) patience() time.Duration {
	if c.Patience != 0 {
		return c.Patience
	}
	return patience
}

// against runs another search for some time beside this one. ok tells that the other
// one has an answer.
func (s *search) against(ctx context.Context, other *task, slice time.Duration) (r seqmc.Result, ok bool, err error) {
	limited, cancel := context.WithTimeout(ctx, slice)
	defer cancel()
	o := begin(limited, other)
	defer other.Close()
	defer o.end()
	select {
	case <-s.done:
		return r, false, nil
	case <-o.done:
	}
	if ctx.Err() != nil {
		return r, false, ctx.Err()
	}
	r, err = other.answer()
	if err != nil || r.Verdict == seqmc.Unknown {
		return seqmc.Result{}, false, nil // the first one may still answer
	}
	return r, true, nil
}

// search is a task that runs.
type search struct {
	done   chan struct{}
	cancel context.CancelFunc
}

func begin(ctx context.Context, t *task) *search {
	ctx, cancel := context.WithCancel(ctx)
	s := &search{make(chan struct{}), cancel}
	go func() {
		defer close(s.done)
		t.Run(ctx)
	}()
	return s
}

// end stops the search if it still runs.
func (s *search) end() {
	s.cancel()
	<-s.done
}

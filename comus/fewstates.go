package comus

import (
	"context"
	"time"

	"comus/comus/engine"
)

// A program with few states is decided in this process, before engines begin in processes of their own: to start those takes longer than to visit the states.

// The first visit ends after statesFirst states, or visitFirst; programs of more than locationsFirst locations have more.
const (
	statesFirst    = 4000
	visitFirst     = 25 * time.Millisecond
	locationsFirst = 400
)

// visitFew answers the question if the program has few states; nil: it has not, or the states are not what is asked for.
func (q *question) visitFew(ctx context.Context) (res *Result) {
	few := *q
	e := engine.Explore{Most: statesFirst}
	few.engine = e
	p, err := q.Simplify()
	switch {
	case err != nil, q.OnlyExact(), q.approximated(), q.opts.LeftOut(e.Name()):
		return nil
	case sizesOf(p, nil).Locations > locationsFirst:
		return nil
	}
	defer func() {
		if what := recover(); what != nil {
			q.opts.Log.Error("the first visit of the states failed", "error", panicked(what))
			res = nil
		}
	}()
	within, stop := context.WithTimeout(ctx, visitFirst)
	defer stop()
	if res = few.ask(within); !res.decided() {
		return nil
	}
	return res
}

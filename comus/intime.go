package comus

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/hashicorp/go-hclog"
)

// inTime asks for a result, and comes back without one, nil, when the context has ended a while ago: not everything looks at it everywhere, and what does not goes on by
// itself. A panic is the caller's. log may be nil.
func inTime(ctx context.Context, grace time.Duration, log hclog.Logger, ask func() (*Result, error)) (*Result, error) {
	type outcome struct {
		res      *Result
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				if log != nil {
					log.Error("panic", "stack", string(debug.Stack()))
				}
				done <- outcome{panicked: r}
			}
		}()
		res, err := ask()
		done <- outcome{res: res, err: err}
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		select {
		case o = <-done:
		case <-time.After(grace):
		}
	}
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.res, o.err
}

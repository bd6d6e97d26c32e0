package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"comus/comus"
	"comus/seqmc"
	"comus/z3"
)

// grace is how long a verification may take to stop before the verdict is
// printed without it.
const grace = 700 * time.Millisecond

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

// supervise runs a verification within the limits of the command line. When a
// limit is met or a signal comes, the result is UNKNOWN with that as the reason,
// within a second and whatever the verification does.
func (c *command) supervise(work func(ctx context.Context) (*comus.Result, error)) (*comus.Result, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if c.timeout.d > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, c.timeout.d, fmt.Errorf("timeout after %s", c.timeout.text))
		defer stop()
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		select {
		case <-signals:
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}()
	if c.memory.bytes > 0 {
		c.limitMemory(ctx, cancel)
	}
	defer c.con.close()

	type outcome struct {
		res *comus.Result
		err error
	}
	start := time.Now()
	done := make(chan outcome, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				if l := c.logger(); l != nil {
					l.Error("panic", "stack", string(debug.Stack()))
				}
				done <- outcome{nil, &crashError{fmt.Sprint(r)}}
			}
		}()
		res, err := work(ctx)
		done <- outcome{res, err}
	}()
	late := &comus.Result{Engine: "modular"}
	if c.strategy != nil {
		late.Engine = c.strategy.value
	}
	select {
	case o := <-done:
		return settle(ctx, o.res, o.err, start)
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return settle(ctx, o.res, o.err, start)
	case <-time.After(grace):
		return settle(ctx, late, nil, start)
	}
}

// within does work that gives no verdict within the same limits. done is false if one was
// met or a signal came, and told; the work may go on then until the process ends.
func (c *command) within(work func(ctx context.Context) error) (done bool, err error) {
	res, err := c.supervise(func(ctx context.Context) (*comus.Result, error) {
		return &comus.Result{Verdict: seqmc.Safe}, work(ctx)
	})
	if err != nil {
		return false, err
	}
	if res.Verdict != seqmc.Safe {
		c.con.errorf("comus: %s: nothing is written", res.Reason)
		c.code = exitUnknown
		return false, nil
	}
	return true, nil
}

// settle completes a result whose context may have ended.
func settle(ctx context.Context, res *comus.Result, err error, start time.Time) (*comus.Result, error) {
	var crash *crashError
	switch {
	case errors.As(err, &crash) || isInput(err):
		return nil, err
	case err != nil && ctx.Err() == nil:
		return nil, err
	case err != nil:
		res = &comus.Result{}
	}
	if res.Verdict == seqmc.Unknown && res.Suspected == nil && !res.Stands && ctx.Err() != nil {
		res.Reason = context.Cause(ctx).Error()
	}
	if l := leftOf(res); l != "" && res.Verdict == seqmc.Unknown && res.Suspected == nil {
		res.Reason += "; " + l
	}
	if res.Elapsed == 0 {
		res.Elapsed = time.Since(start)
	}
	return res, nil
}

// limitMemory sets the limits of the two allocators, and watches the process as
// a whole until ctx ends.
func (c *command) limitMemory(ctx context.Context, cancel context.CancelCauseFunc) {
	limit := c.memory.bytes
	debug.SetMemoryLimit(limit)
	z3.SetMemoryLimit(uint32(min(max(limit>>20, 1), 1<<32-1)))
	go c.watchMemory(ctx, cancel)
}

// watchMemory cancels when the process needs more memory than it may have.
func (c *command) watchMemory(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if resident() > c.memory.bytes {
				cancel(fmt.Errorf("more than %s of memory needed", c.memory.text))
				return
			}
		}
	}
}

// resident returns the size of the process in memory; 0 if the system does not
// tell.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

package z3

// #include "shim.h"
import "C"

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// interruptPeriod is the time between two interrupts of the same call. One
// interrupt is not enough: Z3 clears its cancel flag in several places, among
// them the start of a check, so that a single interrupt may get lost.
const interruptPeriod = 20 * time.Millisecond

// activeCall is an interruptible Z3 call that is under way.
type activeCall struct {
	once      sync.Once
	requested chan struct{} // closed by Interrupt
}

// Interrupt stops the check, query or other long-running call that the
// context is executing, which then returns Unknown with an error wrapping
// ErrInterrupted. It has no effect if no such call is under way; in
// particular it never concerns a call that starts later. Interrupt may be
// called from any goroutine and does not wait for the call to return.
func (c *Context) Interrupt() {
	c.callMu.Lock()
	defer c.callMu.Unlock()
	if call := c.call; call != nil {
		call.once.Do(func() { close(call.requested) })
	}
}

// run executes f, which makes one long-running Z3 call. When ctx ends or
// Interrupt is called, Z3 is interrupted until f returns; the result is then
// an error that wraps ctx.Err() or ErrInterrupted, and what f has computed
// must not be used. The watcher goroutine has ended when run returns, so that
// an interrupt cannot reach a later call.
func (c *Context) run(ctx context.Context, f func()) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("z3: not started: %w", err)
	}
	call := &activeCall{requested: make(chan struct{})}
	c.setCall(call)
	returned := make(chan struct{})
	reason := make(chan error, 1)
	go func() { reason <- watch(ctx, c.c, call, returned) }()

	f()

	close(returned)
	err := <-reason
	c.setCall(nil)
	if err != nil {
		// The last interrupt may have come after Z3 stopped listening.
		C.comus_clear_cancel(c.c)
	}
	return err
}

// setCall publishes the call under way to Interrupt.
func (c *Context) setCall(call *activeCall) {
	c.callMu.Lock()
	defer c.callMu.Unlock()
	c.call = call
}

// watch waits until the call has returned and gives nil, unless there is a
// reason to interrupt it first: then it does so until the call has returned,
// and gives the reason.
func watch(ctx context.Context, z C.Z3_context, call *activeCall, returned <-chan struct{}) error {
	var err error
	select {
	case <-returned:
		return nil
	case <-ctx.Done():
		err = fmt.Errorf("z3: interrupted: %w", ctx.Err())
	case <-call.requested:
		err = ErrInterrupted
	}
	ticker := time.NewTicker(interruptPeriod)
	defer ticker.Stop()
	for {
		C.Z3_interrupt(z)
		select {
		case <-returned:
			return err
		case <-ticker.C:
		}
	}
}

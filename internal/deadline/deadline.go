// Package deadline divides the time that a context leaves.
package deadline

import (
	"context"
	"time"
)

// Unlimited is the share of the first round where a context has no deadline.
const Unlimited = 5 * time.Minute

// Share returns a context that ends after one of some parts of the time that is left. Where there is no limit, it is [Unlimited], and twice as much with each round.
func Share(ctx context.Context, parts, round int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, Unlimited<<min(round, 16))
	}
	return context.WithTimeout(ctx, time.Until(end)/time.Duration(parts))
}

// Elapses waits, and reports whether the time passes before the context ends.
func Elapses(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

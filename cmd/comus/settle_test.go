package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"comus/comus"
)

// TestSettle: where the time has ended that is the reason of UNKNOWN, unless more is known.
func TestSettle(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("timeout after 1s"))
	for _, c := range []struct {
		res  comus.Result
		want string
	}{
		{comus.Result{Reason: "timeout"}, "timeout after 1s"},
		{comus.Result{Reason: "an engine's"}, "timeout after 1s"},
		{comus.Result{Reason: "proved for sequential consistency only", Stands: true}, "proved for sequential consistency only"},
	} {
		if res, err := settle(ctx, &c.res, nil, time.Now()); err != nil || res.Reason != c.want {
			t.Errorf("%+v, %v, want %q", res, err, c.want)
		}
	}
	if res, err := settle(t.Context(), &comus.Result{Reason: "an engine's"}, nil, time.Now()); err != nil || res.Reason != "an engine's" {
		t.Errorf("%+v, %v", res, err)
	}
}

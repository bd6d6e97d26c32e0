package comus

import (
	"errors"
	"fmt"

	"comus/cfront"
	"comus/ir"
)

// internalOf returns the failure of comus's own that an error comes of; nil if it comes of none. It costs the question or the engine that
// has met it: others go on.
func internalOf(err error) *InternalError {
	var failure *InternalError
	if errors.As(err, &failure) {
		return failure
	}
	var broken *ir.BrokenError
	if errors.As(err, &broken) {
		return &InternalError{broken.Error()}
	}
	var front *cfront.InternalError
	if errors.As(err, &front) {
		return &InternalError{front.File + ": " + front.Msg}
	}
	return nil
}

// panicked makes a failure of what a panic says.
func panicked(what any) *InternalError { return &InternalError{fmt.Sprintf("panic: %v", what)} }

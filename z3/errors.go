package z3

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that this package reports by itself. Compare with [errors.Is].
var (
	// ErrClosed is reported by everything that is used after Context.Close.
	ErrClosed = errors.New("z3: context is closed")
	// ErrInterrupted is wrapped by the error of a call that was stopped by
	// Context.Interrupt.
	ErrInterrupted = errors.New("z3: interrupted")
	// ErrInvalidOperand is wrapped by the error recorded when the zero Term,
	// Sort or FuncDecl, a nil object, or a value of another Context is used.
	ErrInvalidOperand = errors.New("z3: invalid operand")
	// ErrNoAnswer is wrapped by the error of an accessor that needs the
	// result of a preceding call (such as the trace of a satisfiable query)
	// when there is no such result.
	ErrNoAnswer = errors.New("z3: no such answer available")
)

// ErrorCode classifies an [Error] reported by Z3.
type ErrorCode int

// The error codes of Z3.
const (
	CodeSort         ErrorCode = C.Z3_SORT_ERROR        // ill-sorted term
	CodeIndex        ErrorCode = C.Z3_IOB               // index out of bounds
	CodeInvalidArg   ErrorCode = C.Z3_INVALID_ARG       // invalid argument
	CodeParser       ErrorCode = C.Z3_PARSER_ERROR      // syntax error in SMT-LIB text
	CodeNoParser     ErrorCode = C.Z3_NO_PARSER         // no parse result available
	CodePattern      ErrorCode = C.Z3_INVALID_PATTERN   // invalid quantifier pattern
	CodeOutOfMemory  ErrorCode = C.Z3_MEMOUT_FAIL       // memory limit exceeded
	CodeFileAccess   ErrorCode = C.Z3_FILE_ACCESS_ERROR // file cannot be read
	CodeInternal     ErrorCode = C.Z3_INTERNAL_FATAL    // internal error in Z3
	CodeInvalidUsage ErrorCode = C.Z3_INVALID_USAGE     // call not allowed in this state
	CodeDecRef       ErrorCode = C.Z3_DEC_REF_ERROR     // broken reference count
	CodeException    ErrorCode = C.Z3_EXCEPTION         // any other failure, see Error.Msg
)

// Error is a failure reported by Z3 itself. Use [errors.As] to get at it.
type Error struct {
	Op   string    // the method of this package that failed, such as "Add"
	Code ErrorCode // Z3's classification
	Msg  string    // Z3's message
}

// Error implements the error interface.
func (e *Error) Error() string { return "z3: " + e.Op + ": " + e.Msg }

// Err returns the first error that a term builder or another method without
// an error result recorded in the context, or nil. The error is sticky: it is
// also returned by every later check until ResetErr is called.
func (c *Context) Err() error {
	if c.err == nil && c.c == nil {
		return ErrClosed
	}
	return c.err
}

// ResetErr returns the recorded error like Err, and forgets it.
func (c *Context) ResetErr() error {
	err := c.Err()
	c.err = nil
	return err
}

// fail records err unless an earlier error is pending.
func (c *Context) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// z3Error returns the error of the last Z3 call, or nil.
func (c *Context) z3Error(op string) error {
	code := C.Z3_get_error_code(c.c)
	if code == C.Z3_OK {
		return nil
	}
	msg := C.GoString(C.Z3_get_error_msg(c.c, code))
	// Complaints about a parameter go on with a list of all parameters.
	msg, _, _ = strings.Cut(msg, "\nLegal parameters are:")
	return &Error{Op: op, Code: ErrorCode(code), Msg: msg}
}

// check records the error of the last Z3 call, if any, and reports success.
func (c *Context) check(op string) bool {
	if err := c.z3Error(op); err != nil {
		c.fail(err)
		return false
	}
	return true
}

// invalidOperand records that op was given an unusable operand.
func (c *Context) invalidOperand(op, what string) {
	c.fail(fmt.Errorf("%w: %s: %s", ErrInvalidOperand, op, what))
}

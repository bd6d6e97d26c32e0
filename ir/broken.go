package ir

import (
	"fmt"
	"strings"
)

// BrokenError says that a program breaks a rule of [Program.Check]: whoever has made it is wrong, not the user's program.
type BrokenError struct {
	Phase string // that has made the program
	Err   error  // all rules that are broken
}

// mostOfBroken bounds what is told of a rule that is broken, in bytes.
const mostOfBroken = 300

// Error tells the first rule that is broken, in one line.
func (e *BrokenError) Error() string {
	lines := strings.Split(e.Err.Error(), "\n")
	first := lines[0]
	if len(first) > mostOfBroken {
		first = strings.ToValidUTF8(first[:mostOfBroken], "") + "…"
	}
	if n := len(lines) - 1; n > 0 {
		first += fmt.Sprintf(" (and %d more)", n)
	}
	return e.Phase + " made a program that breaks the rules: " + first
}

// Unwrap returns all that is broken.
func (e *BrokenError) Unwrap() error { return e.Err }

// Sound is [Program.Check] for a phase that has made the program: the error is a *BrokenError.
func (p *Program) Sound(phase string) error {
	if err := p.Check(); err != nil {
		return &BrokenError{Phase: phase, Err: err}
	}
	return nil
}

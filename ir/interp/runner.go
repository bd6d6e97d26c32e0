package interp

import (
	"comus/ir"
	"comus/logic"
)

// Runner takes steps of one program, for those who take many. It may be used by
// several goroutines.
type Runner struct{ tab ir.SymTable }

// NewRunner returns a runner of p.
func NewRunner(p *ir.Program) Runner { return Runner{p.Symbols()} }

// Step is the function of that name.
func (r Runner) Step(s *State, e *ir.Edge, inputs []logic.Value) (*State, error) {
	return step(r.tab, s, e, inputs)
}

// blocked is the error of an assumption that does not hold. Its text is only made
// when somebody reads it.
type blocked struct{ cmd ir.Cmd }

// Error says which assumption it is.
func (b *blocked) Error() string {
	return ErrBlocked.Error() + ": " + b.cmd.String() + " does not hold"
}

// Unwrap returns [ErrBlocked].
func (b *blocked) Unwrap() error { return ErrBlocked }

package replay

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"

	"comus/ir"
)

// A handler of signals interrupts a thread: in the program of ir by a variable of the handler's thread, in the interpreter by what it is told (interp.Options.Victim).

// errInterrupts is of executions that cannot be woven, as nothing sends the signal to gcc's program between the same two steps.
var errInterrupts = errors.New("cannot replay: a handler of signals interrupts a thread")

// victimNames are those of the variables that tell which thread a handler interrupts.
var victimNames = regexp.MustCompile(`^interrupt(ed|s_in)[0-9]+$`)

// isVictim reports whether a variable tells which thread a handler interrupts.
func isVictim(v *ir.Var) bool {
	return v.Source == "" && v.Thread == ir.Shared && victimNames.MatchString(v.Name)
}

// interrupts returns the command with which a handler begins or ends, nil if a step has none.
func interrupts(e *ir.Edge) *ir.Cmd {
	for i, c := range e.Cmds {
		if c.Kind == ir.Assign && isVictim(c.Var) && strings.HasPrefix(c.Var.Name, "interrupted") {
			return &e.Cmds[i]
		}
	}
	return nil
}

// hasHandlers reports whether handlers interrupt threads in a program of ir.
func hasHandlers(p *ir.Program) bool {
	for _, v := range p.Vars {
		if isVictim(v) {
			return true
		}
	}
	return false
}

// anyVictim lets handlers interrupt any thread that may be.
func anyVictim(seed uint64) func(handler int, able []int) int {
	r := rand.New(rand.NewPCG(seed, 0))
	return func(_ int, able []int) int {
		if len(able) == 0 {
			return -1
		}
		return able[r.IntN(len(able))]
	}
}

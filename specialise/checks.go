package specialise

import (
	"fmt"
	"strings"

	"comus/cir"
	"comus/ir"
)

// CheckNames are the names of all checks.
var CheckNames = []string{"memory", "locks"}

// ChecksNamed returns the checks with these names.
func ChecksNamed(names []string) (Checks, error) {
	var c Checks
	for _, n := range names {
		switch n {
		case "memory":
			c.Memory = true
		case "locks":
			c.Locks = true
		default:
			return Checks{}, fmt.Errorf("no check is called %q: there are %s", n, strings.Join(CheckNames, ", "))
		}
	}
	return c, nil
}

// Names returns the names of the checks, in the order of [CheckNames].
func (c Checks) Names() []string {
	var names []string
	if c.Memory {
		names = append(names, "memory")
	}
	if c.Locks {
		names = append(names, "locks")
	}
	return names
}

// CanFail reports whether something in a program is an error for a question, in any function.
func CanFail(p *cir.Program, opts Options) bool {
	return opts.Check != Checks{} || opts.Overflow == OverflowCheck || asserts(p)
}

// Nothing returns the program for a question about a program in which nothing can fail: all is cut away that cannot reach an
// error.
func Nothing(p *cir.Program) *Result {
	prog := ir.NewProgram("")
	if len(p.Files) > 0 {
		prog.File = p.Files[0]
	}
	prog.NewThread(p.Entry.Source)
	return &Result{Program: prog}
}

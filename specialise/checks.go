package specialise

import (
	"fmt"
	"strings"
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

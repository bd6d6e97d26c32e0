package comus

import (
	"fmt"
	"strings"

	"comus/cir"
)

// The names of what may be assumed of a program.
const (
	assumeTypes = "effective-types"
	assumeHooks = "replaced-hooks"
	assumeIDs   = "ids-first"
	assumeNone  = "none"
)

// Assumptions are the names of what may be assumed of a program, and that of nothing.
func Assumptions() []string { return []string{assumeTypes, assumeHooks, assumeIDs, assumeNone} }

// AssumeOf reads names with commas; "" is what is assumed by default.
func AssumeOf(text string) (cir.Premises, error) {
	if text == "" {
		return cir.Premises{}, nil
	}
	a := cir.Premises{HooksKeep: true, StoresLate: true}
	names := strings.Split(text, ",")
	for _, n := range names {
		switch strings.TrimSpace(n) {
		case assumeTypes:
			a.EffectiveTypes = true
		case assumeHooks:
			a.HooksKeep = false
		case assumeIDs:
			a.StoresLate = false
		case assumeNone:
			if len(names) > 1 {
				return a, fmt.Errorf("%s is assumed, or something is", assumeNone)
			}
		default:
			return a, fmt.Errorf("%q is nothing that can be assumed: %s", n, strings.Join(Assumptions(), ", "))
		}
	}
	return a, nil
}

// AssumeText is what AssumeOf reads as a.
func AssumeText(a cir.Premises) string {
	var names []string
	for _, n := range []struct {
		is   bool
		name string
	}{{a.EffectiveTypes, assumeTypes}, {!a.HooksKeep, assumeHooks}, {!a.StoresLate, assumeIDs}} {
		if n.is {
			names = append(names, n.name)
		}
	}
	switch {
	case a == cir.Premises{}:
		return ""
	case len(names) == 0:
		return assumeNone
	}
	return strings.Join(names, ",")
}

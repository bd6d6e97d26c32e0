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
	assumeNone  = "none"
)

// Assumptions are the names of what may be assumed of a program, and that of nothing.
func Assumptions() []string { return []string{assumeTypes, assumeHooks, assumeNone} }

// AssumeOf reads names with commas; "" is what is assumed by default.
func AssumeOf(text string) (cir.Premises, error) {
	if text == "" {
		return cir.Premises{}, nil
	}
	a := cir.Premises{HooksKeep: true}
	names := strings.Split(text, ",")
	for _, n := range names {
		switch strings.TrimSpace(n) {
		case assumeTypes:
			a.EffectiveTypes = true
		case assumeHooks:
			a.HooksKeep = false
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
	switch {
	case a == cir.Premises{}:
		return ""
	case a == cir.Premises{EffectiveTypes: true}:
		return assumeTypes + "," + assumeHooks
	case a.EffectiveTypes:
		return assumeTypes
	}
	return assumeNone
}

package libc

import (
	"fmt"
	"slices"
	"strings"
)

// fallible are the functions of the models that do not fail unless a program is read so that they may, as their own assumptions say, and the macros by which they
// may. malloc stands for all that allocate memory for the program.
var fallible = map[string]string{
	"malloc":         "COMUS_MALLOC_MAY_FAIL",
	"pthread_create": "COMUS_PTHREAD_CREATE_MAY_FAIL",
	"thrd_create":    "COMUS_THRD_CREATE_MAY_FAIL",
}

// allFallible is the name of all of them.
const allFallible = "all"

// Fallible returns the names that MayFail knows.
func Fallible() []string {
	var names []string
	for n := range fallible {
		names = append(names, n)
	}
	slices.Sort(names)
	return append(names, allFallible)
}

// MayFail returns a list of names of functions that may fail, with commas, in its shortest form, sorted. The error names one that is not known.
func MayFail(list string) (string, error) {
	var names []string
	for _, n := range strings.Split(list, ",") {
		switch n = strings.TrimSpace(n); {
		case n == "":
		case n == allFallible:
			all := Fallible()
			names = append(names, all[:len(all)-1]...)
		case fallible[n] == "":
			return "", fmt.Errorf("%q is no function that is assumed not to fail: %s (malloc stands for all that allocate; what is not among these may fail anyway)", n, strings.Join(Fallible(), ", "))
		default:
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ","), nil
}

// FailMacros returns the macros to define when the models are read, sorted, so that the functions may fail that MayFail has returned.
func FailMacros(names string) []string {
	var macros []string
	for _, n := range strings.Split(names, ",") {
		if m := fallible[n]; m != "" {
			macros = append(macros, m)
		}
	}
	slices.Sort(macros)
	return macros
}

// Package property reads the property files of SV-COMP: what of a program is to be verified, a
// line for each part such as
//
//	CHECK( init(main()), LTL(G ! call(reach_error())) )
//
// and says which of the properties of package specialise are meant.
package property

import (
	"cmp"
	"fmt"
	"slices"

	"comus/specialise"
)

// File is what a property file says.
type File struct {
	// Entry is the function that the program begins with.
	Entry string
	// Checks are the names of the properties, each once, in the order of specialise.CheckNames.
	Checks []string

	at Error // where Entry stands
}

// Begins returns an error unless the program begins with a function; "" is main.
func (f *File) Begins(entry string) error {
	if entry = cmp.Or(entry, "main"); entry == f.Entry {
		return nil
	}
	e := f.at
	e.Msg = fmt.Sprintf("the property is about a program that begins with %.40q, and this one begins with %.40q (hint: --entry says with which)", f.Entry, entry)
	return &e
}

// Error is a mistake in a property file, or a property that comus does not know.
type Error struct {
	File      string
	Line, Col int // from 1; columns are bytes
	Msg       string
}

// Error returns "file:line:col: message".
func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg) }

// The parts of formulas, and what they mean. Comus does not tell frees from other accesses.
var (
	// never are the formulas LTL(G ! NAME).
	never = map[string]string{"data-race": specialise.Race, "overflow": specialise.Overflows, "deadlock": specialise.Deadlock}
	// always are the formulas LTL(G NAME).
	always = map[string]string{"valid-free": specialise.Memory, "valid-deref": specialise.Memory,
		"valid-memtrack": specialise.Leak, "valid-memcleanup": specialise.Cleanup}
	// calls are the functions that fail: LTL(G ! call(NAME())).
	calls = []string{"reach_error", "__VERIFIER_error", "__VERIFIER_assert", "__assert_fail"}
)

// known says what may stand in LTL(G ...).
const known = "! call(reach_error()), ! data-race, ! deadlock, ! overflow, valid-free, valid-deref, valid-memtrack and valid-memcleanup"

// named are SV-COMP's names of properties, those of its property files.
var named = map[string][]string{
	"unreach-call":     {specialise.Assert},
	"no-data-race":     {specialise.Race},
	"no-deadlock":      {specialise.Deadlock},
	"no-overflow":      {specialise.Overflows},
	"valid-memsafety":  {specialise.Memory, specialise.Leak},
	"valid-memcleanup": {specialise.Cleanup},
}

// Named returns the properties that a name of SV-COMP's stands for, or one of specialise.CheckNames; nil if nothing is
// called so.
func Named(name string) []string {
	switch checks := named[name]; {
	case checks != nil:
		return slices.Clone(checks)
	case name == specialise.AllChecks:
		return specialise.AllNames()
	case slices.Contains(specialise.CheckNames, name):
		return []string{name}
	}
	return nil
}

// Parse reads the text of a property file. The error is an [*Error].
func Parse(file string, text []byte) (*File, error) {
	p := &parser{file: file, text: text}
	return p.properties()
}

// Package cfront is the front end: it makes a whole program in cir of C sources. It puts its
// phases together, each a package of its own, in the order in which data passes through them:
//
//	command ─ Invocation ─► read ─ tokens ─► syntax, sema ─ tree.Unit ─► build ─ build.Unit ─► link ─ cir.Program
//
// Package command reads the command lines of compilers, one Invocation a unit. Read preprocesses
// a unit, with the host's compiler if there is one, and knows where the user wrote each token.
// Syntax and sema parse and check it by gcc's rules; a tree with types comes out. Build makes
// functions of basic blocks of it, and link joins the units of a program.
//
// The units are read beside one another. The functions that none of them defines are looked up
// in the library's models (package libc), which are read in the same way; what is not there has
// a contract (package contract) or is unknown.
package cfront

import (
	"fmt"
	"strings"

	"comus/cfront/command"
	"comus/cfront/read"
	"comus/cfront/syntax"
	"comus/cir"
	"comus/internal/timing"
)

// DataModel says how wide C's types are.
type DataModel int

// The data models.
const (
	ByFlags DataModel = iota // as -m32 and -m64 say, otherwise as LP64
	LP64                     // int has 32 bits, long and pointers have 64
	ILP32                    // all of them have 32
)

// Unknown says what functions are taken to do that have no body, model or contract.
type Unknown int

// The treatments.
const (
	Havoc  Unknown = iota // any change of what they can reach, any result
	Pure                  // any result
	Refuse                // they are an error
)

// Options say how a program is read. The zero value is ready to use.
type Options struct {
	DataModel   DataModel
	NoHost      bool   // preprocess without the host's compiler
	CC          string // the host's compiler; "": $CC, cc or gcc
	MaxFileSize int64  // 0: read.DefaultMaxFileSize
	Entry       string // the function that the program begins with; "" is main
	Unknown     Unknown
	// Libraries takes functions without a body for those of libraries, which know what they are given, though no header of the system declares them: for tests of how
	// such code is looked at, which declare what they call by hand.
	Libraries bool
	// Assume is what is assumed of the program. Effective types are not, where a unit is compiled with -fno-strict-aliasing or has a type that may_alias.
	Assume cir.Premises
	// MayFail names functions of the library that may fail, as libc.MayFail returns them; the others of its names are assumed not to.
	MayFail string
	// Library has units without an entry be a library: the program is what package callers writes, which calls all that they show.
	Library bool
	// Models are files with bodies for functions, of the user's own making.
	Models []string
	// Weave changes a unit of the program's own after preprocessing, and is called for several beside one another; nil: nothing does.
	Weave func(in *syntax.Input, flags command.Flags) (*syntax.Input, error)
	// Store keeps units as they were built; nil: nothing does. With it, [Program.SHA256] is empty.
	Store *Kept
	// OnlyModels says that of units only the library's models are looked for there: where there is but one unit else, it is the one that changes.
	OnlyModels bool
	// Timings measures the phases; may be nil.
	Timings *timing.Timings
}

// read returns the options for package read.
func (o Options) read() read.Options {
	return read.Options{ILP32: o.DataModel == ILP32, LP64: o.DataModel == LP64, CC: o.CC, NoHost: o.NoHost, MaxFileSize: o.MaxFileSize}
}

// Error is why a program cannot be read or linked.
type Error struct{ Err error }

// Error returns a line "file:line:col: what (hint: ...)", or several, one for each thing that is
// wrong.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error of the phase.
func (e *Error) Unwrap() error { return e.Err }

// InternalError is a failure of the front end itself.
type InternalError struct {
	File  string // the unit
	Msg   string
	Stack string
}

// Error returns "file: internal error: message" in one line.
func (e *InternalError) Error() string {
	return fmt.Sprintf("%s: internal error: %s", e.File, strings.Join(strings.Fields(e.Msg), " "))
}

package specialise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/ir"
)

// Checks are the properties that are asked about: what is an error of the program. The zero value asks about assertions.
type Checks struct {
	NoAssert bool // assertions are not asked about: one that fails ends the program
	Race     bool // two accesses to the same memory, not ordered, of which one writes and one is not atomic
	Deadlock bool // threads that wait for one another for good
	Memory   bool // dereference of null, freed or out-of-bounds memory, wrong frees
	Leak     bool // memory that is still allocated, and lost, at the end of the program
	Cleanup  bool // memory that is still allocated at the end of the program, whether a pointer leads to it or not
	Overflow bool // signed overflow, shifts and divisions that have no meaning
	Locks    bool // misuse of locks and threads: taken again by their holder, released by another thread, destroyed in use
}

// Or returns what either asks about.
func (c Checks) Or(d Checks) Checks {
	return Checks{NoAssert: c.NoAssert && d.NoAssert, Race: c.Race || d.Race, Deadlock: c.Deadlock || d.Deadlock, Memory: c.Memory || d.Memory, Leak: c.Leak || d.Leak,
		Cleanup: c.Cleanup || d.Cleanup, Overflow: c.Overflow || d.Overflow, Locks: c.Locks || d.Locks}
}

// The names of properties, as ir.Loc.Check has them; there "" stands for [Assert].
const (
	Assert    = "assert"
	Race      = "race"
	Deadlock  = "deadlock"
	Memory    = "memory"
	Leak      = "leak"
	Cleanup   = "cleanup"
	Overflows = "overflow"
	Locks     = "locks"
)

// CheckNames are the names of all properties, in the order of reports.
var CheckNames = []string{Assert, Race, Deadlock, Memory, Leak, Cleanup, Overflows, Locks}

// The beginnings of the texts of steps and errors, before that of the statement.
const (
	StandsBefore = "is about to execute " // the step by which a thread tells of an access that may be part of a race
	RaceAt       = "data race at "
	WaitsIn      = "waits in " // the step by which a thread tells that it waits
	LoopsIn      = "loops in " // the step by which one tells that it is in a loop
	DeadlockIn   = "deadlock in "
)

// AllChecks is the name that stands for AllNames.
const AllChecks = "all"

// AllNames returns the names of all properties but Cleanup: memory that a program keeps to its end is a mistake only if somebody says so.
func AllNames() []string {
	return slices.DeleteFunc(slices.Clone(CheckNames), func(n string) bool { return n == Cleanup })
}

// field returns the field of a property, but for assertions.
func (c *Checks) field(name string) *bool {
	return map[string]*bool{Race: &c.Race, Deadlock: &c.Deadlock, Memory: &c.Memory, Leak: &c.Leak, Cleanup: &c.Cleanup, Overflows: &c.Overflow, Locks: &c.Locks}[name]
}

// ChecksNamed returns the checks with these names; none is [Assert] alone.
func ChecksNamed(names []string) (Checks, error) {
	var c Checks
	if len(names) == 0 {
		return c, nil
	}
	c.NoAssert = true
	for _, n := range names {
		switch f := c.field(n); {
		case n == AllChecks:
			return ChecksNamed(AllNames())
		case n == Assert:
			c.NoAssert = false
		case f == nil:
			return Checks{}, fmt.Errorf("no property is called %q: there are %s, %s", n, strings.Join(CheckNames, ", "), AllChecks)
		default:
			*f = true
		}
	}
	return c, nil
}

// Names returns the names of the checks, in the order of [CheckNames].
func (c Checks) Names() []string {
	var names []string
	for _, n := range CheckNames {
		if f := c.field(n); n == Assert && !c.NoAssert || f != nil && *f {
			names = append(names, n)
		}
	}
	return names
}

// AtEnd reports whether a property is about the end of the program.
func AtEnd(name string) bool { return name == Leak || name == Cleanup }

// atEnd reports whether something is asked about memory that is allocated where the program ends.
func (c Checks) atEnd() bool { return c.Leak || c.Cleanup }

// KnownAs returns what Options.Known has for an error.
func KnownAs(l *ir.Loc) string { return cmp.Or(l.Check, Assert) + " " + l.Pos.String() }

// isKnownError reports whether a violation of a property here is known already.
func (b *builder) isKnownError(check string, pos ir.Pos) bool {
	return b.opts.Known != "" && slices.Contains(strings.Split(b.opts.Known, "\n"), check+" "+pos.String())
}

// CanFail reports whether something in a program is an error for a question, in any function.
func CanFail(p *cir.Program, opts Options) bool {
	rest := opts.Check
	rest.NoAssert, rest.Race = false, rest.Race && creates(p)
	return rest != Checks{} || !opts.Check.NoAssert && asserts(p)
}

// creates reports whether a program may have several threads: it creates one, or there is a function without a body in it that may.
func creates(p *cir.Program) bool {
	for _, f := range p.Funcs {
		if len(f.Blocks) == 0 && startsThreads(f) {
			return true
		}
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { i, ok := in.(*cir.Intrinsic); return ok && i.Op == cir.ThreadCreate }) {
				return true
			}
		}
	}
	return false
}

// startsThreads reports whether a function without a body may run functions of the program in threads of its own.
func startsThreads(f *cir.Func) bool {
	if f.Unknown == cir.Pure {
		return false
	}
	c, ok := contract.Lookup(f.Source)
	return !ok || f.Unknown != cir.Contract || c.Threads
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

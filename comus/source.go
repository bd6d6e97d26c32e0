package comus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cfront/libc"
	"comus/check"
	"comus/cir"
	"comus/internal/timing"
	"comus/ir"
	"comus/memory"
	"comus/scan/pointsto"
	"comus/scan/values"
	"comus/specialise"
	"comus/specialise/outside"
)

// Source is a C program that has been read and linked, once: all that is asked of it later is
// about this program, whatever becomes of the files. It is the only place of this package that
// knows how a program comes out of C.
type Source struct {
	// File is the name of the first source file.
	File  string
	units []command.Invocation
	how   cfront.Options
	took  time.Duration // reading and linking

	loading sync.Mutex      // reading is done once
	prog    *cfront.Program // nil: not read in this process; it is only read by all that comes later, at the same time

	mu sync.Mutex // specialising is done once at a time
	// calls is the program in which code outside calls what it may, for specialise, and pts what its pointers may point to. nil: not made yet.
	calls *cir.Program
	pts   *pointsto.Result
	made  *serialised    // nil: no reading is kept
	known []values.Known // what readings come with as guesses
	// asked are the properties that the certificates which are checked are about.
	asked  specialise.Checks
	robust robustness
	// restrict changes what is an error in every reading; nil: nothing does.
	restrict func(*ir.Program)
}

// File returns the unit of a source file without flags.
func File(name string) []command.Invocation { return []command.Invocation{{File: name}} }

// Open reads units and links them to a program. The error is that of the front end.
func Open(ctx context.Context, units []command.Invocation, how cfront.Options) (*Source, error) {
	start := time.Now()
	p, err := cfront.Load(ctx, units, how)
	if err != nil {
		return nil, err
	}
	s := &Source{units: units, how: how, prog: p, took: time.Since(start)}
	if len(units) > 0 {
		s.File = units[0].File
	}
	return s, nil
}

// Program returns the linked program, which is only read; nil for a source that [OpenSerialised] made.
func (s *Source) Program() *cir.Program {
	if s.prog == nil {
		return nil
	}
	return s.prog.Program
}

// stays tells whether the files can be read again: none is a pipe, or named as something that
// this process has open.
func (s *Source) stays() bool {
	files := s.how.Models
	for _, u := range s.units {
		files = append(files[:len(files):len(files)], u.Path())
	}
	for _, f := range files {
		st, err := os.Stat(f)
		if err != nil || !st.Mode().IsRegular() || strings.HasPrefix(f, "/dev/fd/") || strings.HasPrefix(f, "/proc/") || f == "/dev/stdin" {
			return false
		}
	}
	return true
}

// Reading is a source taken apart within some bounds, or with any number of threads where a loop
// creates them: the program that one question is about.
type Reading struct {
	Program *ir.Program
	// Read is the program of cir that Program was made of; nil where another process has read it.
	Read     *cir.Program
	Warnings []string
	// MoreThreads tells whether a larger bound of threads could make more executions part of
	// the program.
	MoreThreads bool
	// ID names the source and how it was read, in certificates.
	ID check.Program
}

// Read makes a program of the source for a question. Each reading is one of its own, which
// shares nothing with others: engines are not trusted with the program that their answers are
// checked on where they read one themselves. The error is a *specialise.Error: the program is
// too large.
func (s *Source) Read(ctx context.Context, how specialise.Options) (*Reading, error) {
	return s.readAll(ctx, how, nil)
}

// read is Read for an engine: of a program in which nothing can fail, nothing is left.
func (s *Source) read(ctx context.Context, how specialise.Options, timings *timing.Timings) (*Reading, error) {
	if r := s.kept(how); r != nil {
		return r, nil
	}
	p, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	if specialise.CanFail(p.Program, how) {
		return s.readAll(ctx, how, timings)
	}
	return s.reading(specialise.Nothing(p.Program), p.Program, how), nil
}

func (s *Source) readAll(ctx context.Context, how specialise.Options, timings *timing.Timings) (*Reading, error) {
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.point(ctx, timings); err != nil {
		return nil, err
	}
	defer timings.Start(timing.Specialising)()
	r, err := specialise.Specialise(ctx, s.calls, s.pts, how)
	if err != nil {
		return nil, err
	}
	if afterRead != nil {
		afterRead(r.Program)
		if err := r.Program.CheckStructure(); err != nil {
			return nil, &ir.BrokenError{Phase: "a test", Err: err}
		}
	}
	r.Program.Guesses = guessesOf(r, s.known)
	if s.restrict != nil {
		s.restrict(r.Program)
	}
	return s.reading(r, s.calls, how), nil
}

// point finds out what pointers may point to, once. The caller holds mu.
func (s *Source) point(ctx context.Context, timings *timing.Timings) error {
	if s.pts != nil {
		return nil
	}
	defer timings.Start(timing.Points)()
	pts, err := pointsto.Analyse(ctx, s.prog.Program)
	if err != nil {
		return err
	}
	p, err := outside.CallBack(ctx, s.prog.Program, pts)
	if err != nil {
		return err
	}
	if p != s.prog.Program {
		if pts, err = pointsto.Analyse(ctx, p); err != nil {
			return err
		}
	}
	s.pts, s.calls = pts, p
	return nil
}

// noAssertion is a warning, of a question about assertions alone.
const noAssertion = ": warning: the program contains no assertion: nothing can fail (hint: --check all asks about more than assertions)"

// assumeNoRace is what every answer about a program with threads takes for granted, unless it is one about races: C says
// nothing about a program that has one.
const assumeNoRace = "the program has no data race"

// reading makes a Reading of what was specialised of a program.
func (s *Source) reading(r *specialise.Result, of *cir.Program, how specialise.Options) *Reading {
	if p := r.Program; len(p.Threads) > 1 && !how.Check.Race {
		p.Assumptions = append(p.Assumptions, assumeNoRace)
		slices.Sort(p.Assumptions)
	}
	out := &Reading{Program: r.Program, Read: of, Warnings: append(s.prog.Warnings[:len(s.prog.Warnings):len(s.prog.Warnings)], r.Warnings...),
		MoreThreads: r.BoundedThreads, ID: s.identity(how)}
	if (how.Check == specialise.Checks{}) && !r.HasAssertions { // of other properties it says nothing
		out.Warnings = append(out.Warnings, s.File+noAssertion)
	}
	return out
}

// afterRead changes every program that is read, for tests.
var afterRead func(*ir.Program)

// identity describes the source, and how it is read, for a certificate.
func (s *Source) identity(how specialise.Options) check.Program {
	atomic := "step"
	if how.AtomicStatements {
		atomic = "statement"
	}
	var names []string
	for _, f := range s.prog.Files {
		names = append(names, filepath.Base(f))
	}
	model := cfront.LP64
	if s.prog.Model.PointerBits == 32 {
		model = cfront.ILP32
	}
	var asked []string // none: about assertions
	if how.Check != (specialise.Checks{}) {
		asked = how.Check.Names()
	}
	return check.Program{File: strings.Join(names, " "), SHA256: s.prog.SHA256, DataModel: dataModels[model],
		Entry: s.how.Entry, Unknown: unknowns[s.how.Unknown], Assume: AssumeText(s.how.Assume), MayFail: s.how.MayFail, NoHost: s.how.NoHost,
		Overflow: overflows[how.Overflow], MemoryModel: memoryModels[how.Memory], Atomic: atomic, Check: asked, About: how.About, Cut: how.Cut, AnyReads: how.AnyReads, Daemons: how.Daemons, MaxThreads: how.MaxThreads, MaxAllocs: how.MaxAllocs,
		Unwind: how.Unwind, Unroll: how.UnrollLimit, Parametric: how.Parametric, Cells: how.Cells, NoSummaries: how.NoSummaries}
}

// SourceOptions returns the options that a certificate names: how the source is read, which
// changes some of the given ones, and how it is taken apart. The error is for names that comus
// does not know.
func SourceOptions(p check.Program, given cfront.Options) (cfront.Options, specialise.Options, error) {
	given.Entry, given.NoHost = p.Entry, p.NoHost
	o := specialise.Options{About: p.About, Cut: p.Cut, AnyReads: p.AnyReads, Daemons: p.Daemons, AtomicStatements: p.Atomic == "statement", MaxThreads: p.MaxThreads, MaxAllocs: p.MaxAllocs, Unwind: p.Unwind, UnrollLimit: p.Unroll, Parametric: p.Parametric, Cells: p.Cells, NoSummaries: p.NoSummaries}
	var err error
	if given.DataModel, err = keyOf(dataModels, p.DataModel, "data model"); err != nil {
		return given, o, err
	}
	if given.Unknown, err = keyOf(unknowns, p.Unknown, "reading of unknown functions"); err != nil {
		return given, o, err
	}
	if given.Assume, err = AssumeOf(p.Assume); err != nil {
		return given, o, fmt.Errorf("the certificate: %w", err)
	}
	if given.MayFail, err = libc.MayFail(p.MayFail); err != nil {
		return given, o, fmt.Errorf("the certificate: %w", err)
	}
	if o.Overflow, err = keyOf(overflows, p.Overflow, "reading of overflow"); err != nil {
		return given, o, err
	}
	if o.Memory, err = keyOf(memoryModels, p.MemoryModel, "memory model"); err != nil {
		return given, o, err
	}
	if o.Check, err = specialise.ChecksNamed(p.Check); err != nil {
		return given, o, fmt.Errorf("the certificate: %w", err)
	}
	return given, o, nil
}

// The names of options in certificates.
var (
	dataModels = map[cfront.DataModel]string{cfront.LP64: "LP64", cfront.ILP32: "ILP32"}
	unknowns   = map[cfront.Unknown]string{cfront.Havoc: "", cfront.Pure: "pure", cfront.Refuse: "refuse"}
	overflows  = map[specialise.Overflow]string{specialise.OverflowAssume: "assume", specialise.OverflowWrap: "wrap"}
)

// memoryModels are their names in certificates, of which C11's is what is meant without a name.
var memoryModels = map[memory.Model]string{memory.RC11: "", memory.SC: memory.SC.String(), memory.TSO: memory.TSO.String(), memory.PSO: memory.PSO.String()}

// keyOf returns the key that a map has a value under.
func keyOf[K comparable](m map[K]string, value, what string) (K, error) {
	for k, v := range m {
		if v == value {
			return k, nil
		}
	}
	var none K
	return none, fmt.Errorf("the certificate names no known %s: %q", what, value)
}

// placesOfPairs names the pairs of places that a question was about, for people.
func placesOfPairs(about string) string {
	return strings.ReplaceAll(strings.ReplaceAll(about, "\t", " | "), "\n", ", ")
}

// readings says, for people, what the options that a certificate names change about the
// meaning of the source.
func readings(p check.Program) []string {
	var out []string
	for _, o := range []struct{ flag, value, usual string }{
		{"data-model", p.DataModel, dataModels[cfront.LP64]},
		{"overflow", p.Overflow, overflows[specialise.OverflowAssume]},
		{"memory-model", p.MemoryModel, ""},
		{"atomic", p.Atomic, "step"},
		{"entry", p.Entry, ""},
		{"daemon", p.Daemons, ""},
		{"about", placesOfPairs(p.About), ""},
		{"unknown-functions", p.Unknown, ""},
		{"assume", p.Assume, ""},
		{"may-fail", p.MayFail, ""},
	} {
		if o.value != o.usual {
			out = append(out, fmt.Sprintf("the source is read with --%s=%s", o.flag, o.value))
		}
	}
	return out
}

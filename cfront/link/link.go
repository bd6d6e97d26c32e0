package link

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"comus/cfront/build"
	"comus/cir"
)

// Options say how units are linked. The zero value starts at main and lets unknown functions do what they can.
type Options struct {
	Entry string // "" is main
	// Unknown is what calls of functions without a body or contract may do: Havoc (the zero value, too), or Pure.
	Unknown cir.Unknown
	// Refuse makes calls of such functions errors instead.
	Refuse bool
	// Libraries takes all of them for functions of libraries, which know what they are given, though no header of the system declares them.
	Libraries bool
	// Contract tells whether a function without a body has a contract; nil: none has one.
	Contract func(name string) bool
	// Alias returns the name under which the library knows a function, or the name itself; nil: always the name itself.
	Alias func(name string) string
}

// Result is a linked program.
type Result struct {
	Program *cir.Program
	Unknown []string // the functions without a body, model or contract, that may be called
	// Notes are sentences that a report has to repeat: one for each unknown function.
	Notes []string
}

// linker links units.
type linker struct {
	opts  Options
	units []*build.Unit
	table map[string]*entry
	at    map[cir.Symbol]*place // where a symbol comes from
	final map[cir.Symbol]cir.Symbol
	used  map[cir.Symbol]bool
	work  []cir.Symbol
	notes map[string]bool
	// others is what functions know that nobody shows.
	others others
	prog   *cir.Program
	res    *Result
	errs   []error
}

// place is a symbol with its unit.
type place struct {
	unit *build.Unit
	sym  *build.Symbol
}

// entry is what is known of a name with external linkage.
type entry struct {
	strong, tentative, weak, library, inline *place
	declared                                 []*place
}

// definition is what the name means: nil if nobody defines it.
func (e *entry) definition() *place {
	for _, p := range []*place{e.strong, e.tentative, e.weak, e.library, e.inline} {
		if p != nil {
			return p
		}
	}
	return nil
}

// ours tells whether the program itself defines the name.
func (e *entry) ours() bool {
	return e.strong != nil || e.tentative != nil || e.weak != nil
}

// Link makes a program of units, which it changes: they cannot be linked again. The error joins one line for each
// thing that is wrong.
func Link(units []*build.Unit, opts Options) (*Result, error) {
	l := newLinker(units, opts)
	entry := l.entry()
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	l.kinds()
	l.prog.Entry = entry
	l.ask(entry)
	l.structors()
	l.reach()
	l.collect()
	l.tabulate()
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	sort.Strings(l.res.Unknown)
	sort.Strings(l.res.Notes)
	return l.res, nil
}

// newLinker fills the table of names.
func newLinker(units []*build.Unit, opts Options) *linker {
	if opts.Entry == "" {
		opts.Entry = "main"
	}
	if opts.Unknown == cir.Known {
		opts.Unknown = cir.Havoc
	}
	l := &linker{
		opts:  opts,
		units: units,
		table: map[string]*entry{},
		at:    map[cir.Symbol]*place{},
		final: map[cir.Symbol]cir.Symbol{},
		used:  map[cir.Symbol]bool{},
		notes: map[string]bool{},
		prog:  &cir.Program{},
	}
	l.others.inner, l.others.is = map[*cir.Func]*cir.Func{}, map[*cir.Func]bool{}
	l.res = &Result{Program: l.prog}
	for _, u := range units {
		if !u.Library {
			l.prog.Warnings = append(l.prog.Warnings, u.Warnings...)
		}
		if l.prog.Model.PointerBits != 0 && l.prog.Model != u.Model {
			l.errs = append(l.errs, fmt.Errorf("%s: pointers have %d bits, elsewhere %d", u.File, u.Model.PointerBits, l.prog.Model.PointerBits))
		}
		l.prog.Model = u.Model
		for _, s := range u.Symbols {
			l.enter(u, s)
		}
	}
	return l
}

// enter puts a symbol into the table.
func (l *linker) enter(u *build.Unit, s *build.Symbol) {
	p := &place{u, s}
	if s.Value != nil {
		l.at[s.Value] = p
	}
	if s.Internal || s.Name == "" {
		return
	}
	e := l.table[s.Name]
	if e == nil {
		e = &entry{}
		l.table[s.Name] = e
	}
	var old **place
	switch {
	case !s.Defined:
		e.declared = append(e.declared, p)
		return
	case u.Library:
		old = &e.library
	case s.Inline:
		old = &e.inline
	case s.Weak:
		old = &e.weak
	case s.Tentative:
		if e.tentative == nil || sizeOf(s) > sizeOf(e.tentative.sym) {
			e.tentative = p
		}
		return
	default:
		old = &e.strong
		if e.strong != nil {
			l.conflict(s, e.strong.sym)
			return
		}
	}
	if *old == nil {
		*old = p
	}
}

// kinds warns of names that are a function in one unit and an object in another one: ld takes them.
func (l *linker) kinds() {
	for _, u := range l.units {
		for _, s := range u.Symbols {
			e := l.table[s.Name]
			if s.Internal || s.Defined || e == nil || e.definition() == nil || s.Value == nil || e.definition().sym.Value == nil {
				continue
			}
			d := e.definition().sym
			_, f := s.Value.(*cir.Func)
			if _, g := d.Value.(*cir.Func); f != g {
				l.prog.Warnings = append(l.prog.Warnings, fmt.Sprintf("%s: warning: '%s' is %s here, and %s at %s", s.Pos, s.Name, kind(f), kind(g), d.Pos))
			}
		}
	}
}

// kind is what a symbol is, in words.
func kind(function bool) string {
	if function {
		return "a function"
	}
	return "an object"
}

// conflict reports two definitions of a name.
func (l *linker) conflict(s, first *build.Symbol) {
	if s.Name == l.opts.Entry {
		return // reported with all of them
	}
	l.errs = append(l.errs, fmt.Errorf("%s: '%s' is defined here, and at %s", s.Pos, s.Name, first.Pos))
}

// sizeOf returns the size of an object.
func sizeOf(s *build.Symbol) int64 {
	if g, ok := s.Value.(*cir.Global); ok {
		return g.Size
	}
	return 0
}

// entry returns the function where the program begins.
func (l *linker) entry() *cir.Func {
	name := l.opts.Entry
	var all []string
	for _, u := range l.units {
		for _, s := range u.Symbols {
			if _, ok := s.Value.(*cir.Func); ok && s.Name == name && s.Defined && !s.Internal && !u.Library && !s.Inline && !s.Weak {
				all = append(all, s.Pos.String())
			}
		}
	}
	if len(all) > 1 {
		l.errs = append(l.errs, fmt.Errorf("'%s' is defined %d times: %s (hint: --entry names the function that the program begins with)", name, len(all), strings.Join(all, ", ")))
		return nil
	}
	if e := l.table[name]; e != nil {
		if p := e.definition(); p != nil {
			if f, ok := l.resolve(p.sym.Value, p).(*cir.Func); ok && len(f.Blocks) > 0 {
				return f
			}
		}
	}
	for _, u := range l.units { // --entry may name a static function
		for _, s := range u.Symbols {
			if f, ok := s.Value.(*cir.Func); ok && f.Source == name && s.Internal && len(f.Blocks) > 0 {
				return f
			}
		}
	}
	l.errs = append(l.errs, fmt.Errorf("%s: there is no function '%s' (hint: --entry names the function that the program begins with; comus scan --library takes the files for a library)", l.files(), name))
	return nil
}

// files names the program's units.
func (l *linker) files() string {
	var names []string
	for _, u := range l.units {
		if !u.Library {
			names = append(names, u.File)
		}
	}
	if n := len(names) - 3; n > 1 {
		names = append(names[:3], fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}

// structors finds the constructors and destructors of the program's units.
func (l *linker) structors() {
	type structor struct {
		f    *cir.Func
		prio int
	}
	var ctors, dtors []structor
	for _, u := range l.units {
		for _, s := range u.Symbols {
			f, ok := s.Value.(*cir.Func)
			if !ok || !s.Defined || u.Library {
				continue
			}
			if s.Ctor != nil {
				ctors = append(ctors, structor{f, *s.Ctor})
			}
			if s.Dtor != nil {
				dtors = append(dtors, structor{f, *s.Dtor})
			}
		}
	}
	sort.SliceStable(ctors, func(i, j int) bool { return ctors[i].prio < ctors[j].prio })
	sort.SliceStable(dtors, func(i, j int) bool { return dtors[i].prio < dtors[j].prio })
	for _, c := range ctors {
		l.prog.Constructors = append(l.prog.Constructors, c.f)
		l.ask(c.f)
	}
	for i := len(dtors) - 1; i >= 0; i-- {
		l.prog.Destructors = append(l.prog.Destructors, dtors[i].f)
		l.ask(dtors[i].f)
	}
}

// Undefined returns the names that the units use and do not define, sorted: what a library may be asked for.
func Undefined(units []*build.Unit, opts Options) []string {
	l := newLinker(units, opts)
	var names []string
	for name, e := range l.table {
		if e.definition() == nil && !l.isSpecial(name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

package cfront

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"comus/cfront/build"
	"comus/cfront/callers"
	"comus/cfront/command"
	"comus/cfront/contract"
	"comus/cfront/libc"
	"comus/cfront/link"
	"comus/cfront/read"
	"comus/cfront/sema"
	"comus/cfront/syntax"
	"comus/cir"
	"comus/internal/timing"
)

// Program is a linked program.
type Program struct {
	*cir.Program
	Unknown []string // the functions without a body, model or contract that may be called
	Notes   []string // a sentence on each of them
	// SHA256 identifies what was read: the preprocessed text of all units, the models of the
	// user's own included, with what flags mean to it.
	// It is empty where there is a Store.
	SHA256 string
}

// Load reads units and links them. The error is an *Error, an *InternalError, or that of the
// context.
func Load(ctx context.Context, invs []command.Invocation, opts Options) (*Program, error) {
	return load(ctx, invs, nil, opts)
}

// LoadText is [Load] for a program of one unit, whose file holds text.
func LoadText(ctx context.Context, inv command.Invocation, text []byte, opts Options) (*Program, error) {
	return load(ctx, []command.Invocation{inv}, append([]byte{}, text...), opts)
}

// unit is a unit on its way.
type unit struct {
	inv      command.Invocation
	text     []byte            // of the file; nil: it is to be read
	headers  map[string]string // of a model of ours, which is no file: its text is there, too
	macros   []string          // for it
	library  bool
	tokens   *syntax.Input
	warnings []read.Warning
	built    *build.Unit
	key      string // of what is built in the store; "": it is not to be kept
	from     string // what it is read from, if there is a store
}

// load takes units through the phases.
func load(ctx context.Context, invs []command.Invocation, text []byte, opts Options) (*Program, error) {
	var units []*unit
	for _, inv := range invs {
		units = append(units, &unit{inv: inv, text: text})
	}
	flags := command.Flags{}
	if len(invs) > 0 {
		flags.ILP32 = opts.ilp32(invs[0].Flags)
	}
	for _, m := range opts.Models {
		units = append(units, &unit{inv: command.Invocation{File: m, Flags: flags}, library: true})
	}
	if err := opts.compile(ctx, units); err != nil {
		return nil, err
	}
	uncalled, err := opts.call(ctx, &units, flags)
	if err != nil {
		return nil, err
	}
	lo := link.Options{Entry: opts.Entry, Refuse: opts.Unknown == Refuse, Libraries: opts.Libraries, Contract: hasContract, Alias: alias}
	if opts.Unknown == Pure {
		lo.Unknown = cir.Pure
	}
	stop := opts.Timings.Start(timing.Linking)
	undefined := link.Undefined(builtOf(units), lo)
	stop()
	models := models(undefined, flags, libc.FailMacros(opts.MayFail), opts.Assume)
	if err := opts.compile(ctx, models); err != nil {
		return nil, err
	}
	defer opts.Timings.Start(timing.Linking)()
	res, err := link.Link(builtOf(append(units, models...)), lo)
	if err != nil {
		return nil, &Error{err}
	}
	for _, u := range units {
		u.replace()
	}
	p := &Program{Program: res.Program, Unknown: res.Unknown, Notes: res.Notes}
	if opts.Store == nil {
		p.SHA256 = identity(units, opts)
	}
	var aliased string
	res.Program.Assume, aliased = opts.assume(units)
	for _, u := range units {
		if !u.library && u.headers == nil {
			p.Files = append(p.Files, u.inv.File)
		}
		for _, w := range u.warnings {
			p.Warnings = append(p.Warnings, "warning: "+w.String())
		}
	}
	p.Warnings = append(p.Warnings, uncalled...)
	if aliased != "" {
		p.Warnings = append(p.Warnings, "warning: "+aliased)
	}
	return p, nil
}

// call adds, to units that are a library, the one that calls its functions. It returns warnings of what it does not call.
func (o Options) call(ctx context.Context, units *[]*unit, flags command.Flags) (warnings []string, err error) {
	if !o.Library {
		return nil, nil
	}
	for _, u := range *units {
		var d defined
		if d.of(u.built, o.Entry); d.isEntry {
			return nil, nil
		}
	}
	text, warnings := callers.Text(builtOf(*units))
	if text == "" {
		return warnings, nil // the linker says that there is no entry
	}
	sources := maps.Clone(libc.Sources())
	sources[callers.File] = text
	u := &unit{inv: command.Invocation{File: callers.File, Flags: command.Flags{ILP32: flags.ILP32}}, headers: sources}
	o.Weave = nil
	*units = append(*units, u)
	return warnings, o.compile(ctx, []*unit{u})
}

// ilp32 tells whether int, long and pointers of a unit with these flags have 32 bits.
func (o Options) ilp32(f command.Flags) bool {
	return o.DataModel == ILP32 || f.ILP32 && o.DataModel != LP64
}

// compile reads units and builds them, each for itself.
func (o Options) compile(ctx context.Context, units []*unit) error {
	stop := o.Timings.Start(timing.Reading)
	err := parallel(units, func(u *unit) error { return u.read(ctx, o) })
	stop()
	if err == nil {
		defer o.Timings.Start(timing.Building)()
		err = parallel(units, func(u *unit) error { return u.build(o) })
	}
	var broken *InternalError
	if err == nil || errors.As(err, &broken) {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Error{err}
}

// read preprocesses the unit.
func (u *unit) read(ctx context.Context, o Options) (err error) {
	u.inv.Flags.ILP32 = o.ilp32(u.inv.Flags)
	if o.Store != nil {
		var found bool
		if found, err = u.find(ctx, o); found || err != nil || u.tokens != nil {
			return u.named(err)
		}
	}
	switch {
	case u.headers != nil:
		u.tokens, err = read.Embedded(ctx, u.inv.File, u.headers[u.inv.File], u.headers, u.inv.Flags, u.macros)
	case u.text != nil:
		u.tokens, u.warnings, err = read.Text(ctx, u.text, u.inv, o.read())
	default:
		u.tokens, u.warnings, err = read.Tokens(ctx, u.inv, o.read())
	}
	if err == nil && o.Weave != nil && !u.library {
		u.tokens, err = o.Weave(u.tokens, u.inv.Flags)
	}
	return u.named(err)
}

// build checks the unit and makes cir of it.
func (u *unit) build(o Options) error {
	if u.built != nil { // it was kept
		return nil
	}
	t, err := sema.Check(u.tokens, u.inv.Flags)
	if err == nil {
		u.built, err = build.Build(t)
	}
	if err != nil {
		return u.named(err)
	}
	u.built.Library = u.library
	for _, s := range u.built.Symbols {
		s.System = s.Pos.Line == 0 || u.tokens.System[s.Pos.File] // what has no place is a builtin
	}
	u.keep(o)
	return nil
}

// named tells errors in models of ours from those in the program.
func (u *unit) named(err error) error {
	if err != nil && u.headers != nil {
		return &InternalError{File: "model " + u.inv.File, Msg: err.Error()}
	}
	return err
}

// replace has functions count as the program's own that a model of the user's making has in place of those that comus knows by their names: of them
// nothing is known but what their bodies do.
func (u *unit) replace() {
	if !u.library || u.headers != nil {
		return
	}
	for _, s := range u.built.Symbols {
		if f, ok := s.Value.(*cir.Func); ok && f.Library {
			if file, _ := libc.File(f.Source); file != "" || hasContract(f.Source) {
				f.Library = false
			}
		}
	}
}

// builtOf returns what units were built to.
func builtOf(units []*unit) []*build.Unit {
	var out []*build.Unit
	for _, u := range units {
		out = append(out, u.built)
	}
	return out
}

// models returns the units of the library's models of functions, of which some may fail.
func models(names []string, flags command.Flags, fail []string, assume cir.Premises) []*unit {
	files, macros := libc.Select(names...)
	macros = append(macros, fail...)
	if assume.StoresLate {
		macros = append(macros, libc.StoresLate)
	}
	if !libc.AllDescriptors(names, hasContract) {
		macros = slices.DeleteFunc(macros, func(m string) bool { return m == "COMUS_PIPES" })
	}
	sources := libc.Sources()
	var out []*unit
	for _, f := range files {
		out = append(out, &unit{inv: command.Invocation{File: f, Flags: command.Flags{ILP32: flags.ILP32}}, headers: sources, macros: macros, library: true})
	}
	return out
}

// hasContract tells whether package contract knows a function.
func hasContract(name string) bool {
	_, ok := contract.Lookup(name)
	return ok
}

// alias returns the name under which the library knows a function.
func alias(name string) string {
	if to, ok := libc.Aliases[name]; ok {
		return to
	}
	return name
}

// parallel calls f for each unit, some beside one another, and joins the errors.
func parallel(units []*unit, f func(*unit) error) error {
	errs := make([]error, len(units))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(len(units), runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				errs[i] = guarded(units[i], f)
			}
		}()
	}
	for i := range units {
		next <- i
	}
	close(next)
	wg.Wait()
	return errors.Join(errs...)
}

// guarded calls f and makes an error of a panic.
func guarded(u *unit, f func(*unit) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &InternalError{File: u.inv.File, Msg: fmt.Sprint(r), Stack: string(debug.Stack())}
		}
	}()
	return f(u)
}

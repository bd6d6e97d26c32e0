// Package load makes a whole program in cir of C sources. The data takes this way:
//
//	command ─ Invocation ─► read ─ tokens ─► syntax, sema ─ tree.Unit ─► build ─ build.Unit ─► link ─ cir.Program
//
// The units are read beside one another. The functions that none of them defines are looked up
// in the library's models (package libc), which are read in the same way, once for each set
// that is needed; what is not there has a contract (package contract) or is unknown.
package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"comus/cfront/build"
	"comus/cfront/command"
	"comus/cfront/contract"
	"comus/cfront/libc"
	"comus/cfront/link"
	"comus/cfront/read"
	"comus/cfront/sema"
	"comus/cfront/syntax"
	"comus/cir"
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
	Read    read.Options
	Entry   string // "" is main
	Unknown Unknown
	// Models are files with bodies for functions, of the user's own making.
	Models []string
}

// Program is a linked program.
type Program struct {
	*cir.Program
	Unknown []string // the functions without a body, model or contract that may be called
	Notes   []string // a sentence on each of them
}

// Load reads units and links them. The error is one line, or several for several units.
func Load(ctx context.Context, invs []command.Invocation, opts Options) (*Program, error) {
	units := make([]*build.Unit, len(invs))
	warnings := make([][]string, len(invs))
	err := parallel(len(invs), func(i int) (err error) {
		units[i], warnings[i], err = unit(ctx, invs[i], opts.Read)
		return err
	})
	if err != nil {
		return nil, err
	}
	flags := command.Flags{}
	if len(invs) > 0 {
		flags.ILP32 = opts.Read.ILP32 || invs[0].Flags.ILP32 && !opts.Read.LP64
	}
	for _, m := range opts.Models {
		u, _, err := unit(ctx, command.Invocation{File: m, Flags: flags}, opts.Read)
		if err != nil {
			return nil, err
		}
		u.Library = true
		units = append(units, u)
	}
	lo := link.Options{Entry: opts.Entry, Refuse: opts.Unknown == Refuse, Contract: hasContract, Alias: alias}
	if opts.Unknown == Pure {
		lo.Unknown = cir.Pure
	}
	models, err := library(ctx, link.Undefined(units, lo), flags)
	if err != nil {
		return nil, err
	}
	res, err := link.Link(append(units, models...), lo)
	if err != nil {
		return nil, err
	}
	p := &Program{Program: res.Program, Unknown: res.Unknown, Notes: res.Notes}
	for i, inv := range invs {
		p.Files = append(p.Files, inv.File)
		p.Warnings = append(p.Warnings, warnings[i]...)
	}
	return p, nil
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

// parallel calls f for 0 to n-1, some beside one another, and joins the errors.
func parallel(n int, f func(int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				errs[i] = f(i)
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return errors.Join(errs...)
}

// unit reads one unit.
func unit(ctx context.Context, inv command.Invocation, opts read.Options) (*build.Unit, []string, error) {
	in, warn, err := read.Tokens(ctx, inv, opts)
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	for _, w := range warn {
		warnings = append(warnings, "warning: "+w.String())
	}
	inv.Flags.ILP32 = opts.ILP32 || inv.Flags.ILP32 && !opts.LP64
	u, err := built(in, inv.Flags)
	return u, warnings, err
}

// built checks a unit and makes cir of it.
func built(in *syntax.Input, flags command.Flags) (*build.Unit, error) {
	t, err := sema.Check(in, flags)
	if err != nil {
		return nil, err
	}
	return build.Build(t)
}

// library reads the models of what is not defined.
func library(ctx context.Context, undefined []string, flags command.Flags) ([]*build.Unit, error) {
	files, macros := libc.Select(undefined...)
	sources := libc.Sources()
	units := make([]*build.Unit, len(files))
	err := parallel(len(files), func(i int) error {
		in, err := read.Embedded(ctx, files[i], sources[files[i]], sources, command.Flags{ILP32: flags.ILP32}, macros)
		if err != nil {
			return fmt.Errorf("model %s: %w", files[i], err)
		}
		u, err := built(in, command.Flags{ILP32: flags.ILP32})
		if err != nil {
			return fmt.Errorf("model %s: %w", files[i], err)
		}
		u.Library = true
		units[i] = u
		return nil
	})
	return units, err
}

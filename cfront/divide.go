package cfront

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"comus/cfront/build"
	"comus/cfront/command"
	"comus/cfront/link"
	"comus/cir"
)

// Division is what programs units make.
type Division struct {
	Programs []Part
	Unused   []command.Invocation // those that no program needs
	// Failed tells of each unit that cannot be read why; a program that needs it goes without, so that what it defines is unknown.
	Failed []error
	// Notes are sentences on choices: of several units that define what a program needs.
	Notes []string
}

// Part is a program of several.
type Part struct {
	// Units are those of the program, the one with the entry first; a library has none.
	Units []command.Invocation
}

// Divide finds out which units make which programs, where several have an entry. A unit that defines the entry is a program; to it belong
// the units that define what it uses and does not define itself, what these use, and so on, as if all other units were a
// library. Of several that define a name, the one whose folder has most in common with that of the program is taken, then the
// first. Units are read for this and forgotten, one at a time as far as memory goes. The error is that of the context, or
// an *InternalError.
func Divide(ctx context.Context, invs []command.Invocation, opts Options) (*Division, error) {
	var units []*unit
	for _, inv := range invs {
		units = append(units, &unit{inv: inv})
	}
	for _, m := range opts.Models { // what they define is no other unit's to define
		units = append(units, &unit{inv: command.Invocation{File: m}, library: true})
	}
	names := make(map[*unit]*defined, len(units))
	for _, u := range units {
		names[u] = &defined{}
	}
	err := parallel(units, func(u *unit) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n := names[u]
		if n.failed = u.read(ctx, opts); n.failed == nil {
			n.failed = u.build(opts)
		}
		if n.failed == nil {
			n.of(u.built, opts.Entry)
		}
		u.built, u.tokens = nil, nil
		return nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	d := &divider{units: units, names: names, used: map[*unit]bool{}}
	out := d.divide()
	if opts.Library {
		d.library()
	}
	return out, nil
}

// defined is what other units have to know of a unit.
type defined struct {
	failed  error
	names   map[string]bool // with external linkage
	uses    []string        // and does not define
	isEntry bool
}

// of notes the names of a unit. entry is the name of the function that programs begin with, "" for main.
func (d *defined) of(u *build.Unit, entry string) {
	if entry == "" {
		entry = "main"
	}
	d.names = map[string]bool{}
	for _, s := range u.Symbols {
		f, isFunc := s.Value.(*cir.Func)
		if isFunc && s.Defined && !s.Inline && (s.Name == entry && !s.Internal || f.Source == entry && entry != "main") {
			d.isEntry = true
		}
		if s.Defined && !s.Internal && !s.Inline && s.Name != "" {
			d.names[s.Name] = true
		}
	}
	d.uses = link.Undefined([]*build.Unit{u}, link.Options{Entry: entry})
}

// divider divides units into programs.
type divider struct {
	units []*unit
	names map[*unit]*defined
	used  map[*unit]bool
	out   Division
}

func (d *divider) divide() *Division {
	by := map[string][]*unit{} // the units that define a name
	for _, u := range d.units {
		n := d.names[u]
		if n.failed != nil {
			d.out.Failed = append(d.out.Failed, &Error{n.failed})
			d.used[u] = true
		}
		for name := range n.names {
			by[name] = append(by[name], u)
		}
	}
	for _, u := range d.units {
		if d.names[u].isEntry && !u.library {
			d.out.Programs = append(d.out.Programs, d.program(u, by))
		}
	}
	for _, u := range d.units {
		if !d.used[u] && !u.library {
			d.out.Unused = append(d.out.Unused, u.inv)
		}
	}
	return &d.out
}

// library adds the library that all units without an entry are, whoever uses them besides.
func (d *divider) library() {
	var p Part
	for _, u := range d.units {
		if n := d.names[u]; !u.library && !n.isEntry && n.failed == nil {
			p.Units = append(p.Units, u.inv)
		}
	}
	if len(p.Units) > 0 {
		d.out.Programs, d.out.Unused = append(d.out.Programs, p), nil
	}
}

// program returns the program that begins in a unit.
func (d *divider) program(main *unit, by map[string][]*unit) Part {
	in := map[*unit]bool{main: true}
	d.used[main] = true
	list := []*unit{main}
	for i := 0; i < len(list); i++ {
		for _, name := range d.names[list[i]].uses {
			if slices.ContainsFunc(by[name], func(u *unit) bool { return in[u] || u.library }) {
				continue
			}
			if u := d.choose(main, name, by[name]); u != nil {
				in[u], d.used[u] = true, true
				list = append(list, u)
			}
		}
	}
	var p Part
	for _, u := range list {
		p.Units = append(p.Units, u.inv)
	}
	return p
}

// choose returns the unit that a program takes a name from, nil if there is none. Another program's unit with an entry is none.
func (d *divider) choose(main *unit, name string, from []*unit) *unit {
	var best *unit
	var others int
	for _, u := range from {
		switch {
		case d.names[u].isEntry:
			continue
		case best == nil || common(main, u) > common(main, best):
			best = u
		}
		others++
	}
	if others > 1 {
		d.out.Notes = append(d.out.Notes, fmt.Sprintf("%s: '%s' is defined by %d files: that of %s is taken", main.inv.Path(), name, others, best.inv.Path()))
	}
	return best
}

// common counts the folders that two units' paths begin with alike.
func common(a, b *unit) int {
	folders := func(u *unit) []string { return strings.Split(filepath.Dir(u.inv.Path()), string(filepath.Separator)) }
	x, y := folders(a), folders(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

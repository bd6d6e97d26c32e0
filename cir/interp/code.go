package interp

import (
	"slices"

	"comus/cir"
)

// Code is what functions of a program are translated to, kept from run to run: to translate them takes longer than most short runs do. It is for runs of one program with
// the same options Races, Reads, Watched and Atomics, that is whether there are any, one after the other. The zero value is empty.
type Code struct {
	prog         *cir.Program
	races, reads bool
	atomics      bool
	watched      int
	fns          map[*cir.Func]*fn // as they were translated, without what is a run's
}

// symbolIn is a slot that has the address of something, which each run has elsewhere.
type symbolIn struct {
	slot int32
	v    cir.Symbol
}

// fits checks that the code is for a run like this one.
func (k *Code) fits(m *Machine) error {
	switch races := m.races != nil; {
	case k == nil:
	case k.prog == nil:
		*k = Code{prog: m.prog, races: races, reads: m.opt.Reads, atomics: m.opt.Atomics != nil, watched: len(m.opt.Watched), fns: map[*cir.Func]*fn{}}
	case k.prog != m.prog || k.races != races || k.reads != m.opt.Reads || k.atomics != (m.opt.Atomics != nil) || k.watched != len(m.opt.Watched):
		return errorf("code that is kept is for runs of another kind")
	}
	return nil
}

// has gives a function its code, if that was kept.
func (k *Code) has(f *fn) bool {
	old := k.fns[f.f]
	if old == nil {
		return false
	}
	f.code, f.blocks, f.start, f.locals, f.symbols, f.called = old.code, old.blocks, slices.Clone(old.start), old.locals, old.symbols, old.called
	return true
}

// keep keeps what a function was translated to.
func (k *Code) keep(f *fn) {
	if k != nil {
		k.fns[f.f] = &fn{code: f.code, blocks: f.blocks, start: slices.Clone(f.start), locals: f.locals, symbols: f.symbols, called: f.called}
	}
}

// link gives a function the addresses and functions of its run.
func (f *fn) link() {
	for _, s := range f.symbols {
		at, err := f.m.symbol(s.v)
		if err != nil {
			panic(compileError{errorf("function %s: %v", f.f.Name, err)})
		}
		f.start[s.slot] = at
	}
	for _, c := range f.called {
		f.callees = append(f.callees, f.m.fnOf(c))
	}
}

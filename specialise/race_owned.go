package specialise

import (
	"path/filepath"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/logic"
	"comus/scan/pointsto"
)

// A program sees some of the library's hidden state: variables, as environ, and memory, as the strings that getenv returns. What it
// does there itself is an access of that state, too: setenv may change all of the environment (C11 7.22.4.6, POSIX getenv).

// environment is the state that has memory of the library which programs see.
const environment = "environ"

// raceOwned is race for the hidden state that a place is part of, if it is.
func (b *builder) raceOwned(t target, k accessKind, ok []*logic.Term) {
	if s, is := b.ownerOf(t.obj); is && b.cur != nil {
		b.raceParts([]target{{t.cond, b.stateObject(s), 0}}, k, ok, "")
	}
	if (k == plainWrite || k == atomicWrite) && b.cur != nil && b.isGiven(t.obj.abs) {
		b.raceParts([]target{{t.cond, b.stateObject(environment), 0}}, k, ok, "the strings of the environment")
	}
}

// isGiven reports whether putenv may have made an object a part of the environment.
func (b *builder) isGiven(o *pointsto.Object) bool {
	given := false
	for _, f := range b.cp.Funcs {
		if o != nil && f.Library && f.Source == "putenv" {
			b.pts.EachCall(f, func(args [][]pointsto.Location) {
				given = given || slices.ContainsFunc(args[0], func(l pointsto.Location) bool { return l.Obj == o })
			})
		}
	}
	return given
}

// raceOwnedBy is raceOwned for an access to any of some abstract objects: an approximation, unless all of them are part of the state.
func (b *builder) raceOwnedBy(objects []*pointsto.Object, k accessKind, ok []*logic.Term) {
	if !slices.ContainsFunc(objects, isEnvironment) || b.cur == nil || b.isOwner() {
		return
	}
	approx := untracked
	if !slices.ContainsFunc(objects, func(o *pointsto.Object) bool { return !isEnvironment(o) }) {
		approx = ""
	}
	b.raceParts([]target{{b.L.True(), b.stateObject(environment), 0}}, k, ok, approx)
}

// ownerOf returns the hidden state that an object is part of.
func (b *builder) ownerOf(o *object) (state string, ok bool) {
	switch g := o.global; {
	case o.abs != nil && isEnvironment(o.abs):
		return environment, !b.isOwner()
	case g != nil && (g.External || g.Library) && !b.fr.fn.Library:
		s, ok := contract.Default().Variable(g.Source)
		return string(s), ok && s != "stdio" && !ownState[s]
	}
	return "", false
}

// isEnvironment reports whether an object is memory that the library allocates for variables of the environment.
func isEnvironment(o *pointsto.Object) bool {
	return o.Site != nil && o.Func != nil && isOfEnvironment(o.Func)
}

func isOfEnvironment(f *cir.Func) bool {
	return f.Library && filepath.Base(f.Pos.File) == "environment.c"
}

// isOwner reports whether an access made here is one of the functions that the environment belongs to: their calls are asked about.
func (b *builder) isOwner() bool {
	for fr := b.fr; fr != nil; fr = fr.parent {
		if isOfEnvironment(fr.fn) {
			return true
		}
	}
	return false
}

// strings returns the memory that the variable environ leads to, if the program has it.
func (b *builder) strings() (objects []*pointsto.Object) {
	for _, g := range b.cp.Globals {
		if g.External && g.Name == environment {
			for _, l := range b.pts.Contents(b.pts.Object(nil, pointsto.Context{}, g), 0) {
				objects = append(objects, l.Obj)
			}
		}
	}
	return objects
}

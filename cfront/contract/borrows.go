package contract

import (
	"slices"
	"sync"
)

// callingStates are the hidden states in which functions of the program are kept, so that whoever writes the state may call them with what it was given itself.
var callingStates = sync.OnceValue(func() map[State]bool {
	in := map[State]bool{}
	for _, f := range All() {
		for _, p := range f.all() {
			for _, k := range p.Retains {
				if len(p.Calls) > 0 {
					in[k.State] = true
				}
			}
		}
	}
	return in
})

// all returns the parameters, those that "..." stands for included.
func (f *Function) all() []*Param {
	var ps []*Param
	for i := range f.Params {
		ps = append(ps, &f.Params[i])
	}
	if f.Variadic != nil {
		ps = append(ps, f.Variadic)
	}
	return ps
}

// Formats reports whether a function takes arguments as a format among its parameters says.
func (f *Function) Formats() bool {
	return slices.ContainsFunc(f.Params, func(p Param) bool { return p.Format != NoFormat })
}

// Argument returns what happens through the i-th argument (from 0), nil for one that a format speaks of.
func (f *Function) Argument(i int) *Param {
	switch {
	case i < len(f.Params):
		return &f.Params[i]
	case f.Formats():
		return nil
	}
	return f.Variadic
}

// Borrows reports whether a function forgets the pointer that is its i-th argument (from 0) when it returns: it keeps it nowhere, stores it in no memory and
// gives it to no function of the program. It may access what the pointer points to, and return the pointer.
func (f *Function) Borrows(i int) bool {
	if f.Threads || f.Twice || slices.ContainsFunc(f.Writes, func(s State) bool { return callingStates()[s] }) {
		return false
	}
	for _, p := range f.all() {
		if len(p.Calls) > 0 || p.Passed || p.VaList {
			return false
		}
		for _, a := range p.Accesses {
			for _, v := range a.Stores {
				switch v.Kind {
				case Null, Fresh, Within, Error, PlainBytes:
				default: // a pointer, which may be the one asked about
					return false
				}
			}
		}
	}
	p := f.Argument(i)
	if p == nil {
		return f.Formats() // the format says what is read or written there
	}
	return len(p.Retains) == 0 && p.Handle == "" && !p.Ignored && !p.Frees && !p.FreesBelow
}

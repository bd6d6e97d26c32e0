package comus

import (
	"context"
	"strings"

	"comus/cir"
	"comus/cir/interp"
	"comus/scan/directed"
)

// outOfMemory notes whether the models of malloc and the like have told in a run that there is no memory: for amounts that no object can have, they do.
type outOfMemory struct{ met bool }

// hasMemory reports whether runs have the memory that they ask for: one of them comes to the end of the program. Where they have, that there is memory is assumed, and what others do without
// it is no misuse that a proof would have to know of.
func (s *Source) hasMemory(ends *directed.Found) bool {
	return ends.Execution != nil && !strings.Contains(s.how.MayFail, "malloc")
}

// lacksMemory reports whether an execution violates a property of memory because the models say that there is no memory, which is assumed not to happen.
func (s *Source) lacksMemory(ctx context.Context, ex *directed.Execution) bool {
	if ex.Undefined == [2]string{} || strings.Contains(s.how.MayFail, "malloc") {
		return false
	}
	memory := &outOfMemory{}
	_, _, err := directed.ReplayWith(ctx, s.prog.Program, copyOfExecution(ex), directed.Named(ex), func(o *interp.Options) { o.Tracer = memory })
	return err == nil && memory.met
}

// Traces implements interp.Tracer: the function of the models that says so is told of.
func (x *outOfMemory) Traces(f *cir.Func) func(cir.Located) bool {
	within := f.Library && f.Source == "no_memory"
	return func(cir.Located) bool { return within }
}

// Begins implements interp.Tracer.
func (x *outOfMemory) Begins(int, cir.Located) { x.met = true }

// The other methods of interp.Tracer have nothing to note.
func (x *outOfMemory) Ends(int, cir.Located, interp.Value, bool)        {}
func (x *outOfMemory) Accesses(int, *interp.Object, int64, int64, bool) {}
func (x *outOfMemory) Again(int)                                        {}
func (x *outOfMemory) Section(int, bool)                                {}
func (x *outOfMemory) Argument(int, *interp.Object)                     {}
func (x *outOfMemory) Global(*cir.Global, *interp.Object)               {}
func (x *outOfMemory) Calls(int, *cir.Func, bool, []interp.Value)       {}
func (x *outOfMemory) Called(int, bool, interp.Value)                   {}
func (x *outOfMemory) Reads(interp.Value, int64)                        {}
func (x *outOfMemory) Writes(interp.Value, []byte, interp.Value)        {}
func (x *outOfMemory) Makes(interp.Value, int64)                        {}

package comus

import (
	"comus/cir"
	"comus/memory"
	"comus/seqmc"
	"comus/specialise"
	"slices"
	"time"
)

// Volatile accesses. They are no atomic ones, and those that race make a program undefined. Machines and compilers take them for relaxed accesses, which is what programs rest on that use them so:
// their execution graphs are visited with that reading. Under c11 no violation rests on it: then the answer is Unknown.

// volatileFirst is that for a program that has nothing weaker than volatile accesses: what is proved of it for sequential consistency counts, but not before graphs were visited for the same time as others.
const volatileFirst = 200 * time.Millisecond

// volatileMost is how long its graphs are visited: the engines have the processors to themselves then.
const volatileMost = 10 * time.Second

// assumeVolatile is taken for granted by a proof for sequential consistency of a program whose volatile accesses race.
const assumeVolatile = "threads see accesses of volatile objects in one order, although they race"

// isPossible reports whether an execution was found that violates a property if volatile accesses count as relaxed.
func (r *weakRuns) isPossible(opts Options) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(opts.Question.Check.Names(), func(n string) bool { return r.possible[n] != nil })
}

// withVolatile returns what becomes of an answer that takes the absence of data races for granted, or of none, because accesses of volatile objects race.
func (r *weakRuns) withVolatile(res *Result, opts Options) *Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	safe := res.Verdict == seqmc.Safe && slices.Contains(res.Assumptions, assumeNoRace)
	if res.Internal != nil || !safe && res.Verdict != seqmc.Unknown {
		return res
	}
	for _, n := range opts.Question.Check.Names() {
		if p := r.possible[n]; p != nil {
			return p
		}
	}
	if safe && r.volatile != "" {
		res.Assumptions = union(slices.Clone(res.Assumptions), []string{assumeVolatile + " (" + r.volatile + ")"})
		slices.Sort(res.Assumptions)
	}
	return res
}

// hasVolatile reports whether threads may access volatile objects at the same time, in a program that creates threads: objects that are no locals of a function.
func (s *Source) hasVolatile(how specialise.Options) bool {
	if how.Memory == memory.SC || s.prog == nil {
		return false
	}
	found := false
	for _, f := range s.prog.Funcs {
		if found || f.Library {
			continue
		}
		for _, b := range f.Blocks {
			found = found || slices.ContainsFunc(b.Instrs, isVolatile)
		}
	}
	return found
}

// isVolatile reports whether an instruction accesses a volatile object that may be known outside of the function.
func isVolatile(in cir.Instr) bool {
	var addr cir.Value
	switch in := in.(type) {
	case *cir.Load:
		if in.Volatile {
			addr = in.Addr
		}
	case *cir.Store:
		if in.Volatile {
			addr = in.Addr
		}
	}
	_, local := addr.(*cir.Local)
	return addr != nil && !local
}

// Package cut finds out which calls a question about two accesses can do without: a call whose effect is not followed, but replaced by anything that it might do. The program
// gets smaller, and has more executions: what is proved of it holds of the whole one, and an execution of it says nothing.
//
// A call that is left out writes anything to whatever it may write, any number of times while it lasts, returns anything, and waits for nobody. For that to be all that
// it does, it must not come to an access that is asked about, make or end or wait for threads, jump out, or make objects whose address anybody else can have:
// those would have to be there. Nor must it make atomic accesses: where happens-before is tracked, a store to an atomic variable may end what another thread has
// released by it. What it would do with locks is no more than writes to them, which is sound, and often of no use, as those protect nothing any more; so there
// are several depths.
package cut

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// The depths.
const (
	None   = iota // the whole program
	Large         // functions without synchronisation are left out if they are large, or have loops
	Plain         // all that have none
	Coarse        // all that can be left out
	depths
)

// Depths is the number of depths; those from 1 on leave out more and more.
const Depths = depths

// Call is what is known of a call that may be left out.
type Call struct {
	// Out tells that it is left out.
	Out bool
	// Writes are the objects that it may write.
	Writes []*pointsto.Object
	// Unknown tells that it may call functions that have no body.
	Unknown bool
}

// small is how many instructions a part may have and not be large.
const small = 60

// Judge decides about calls of a function's copy, which part is all of. keep tells which instructions are asked about, and stays which functions have to be followed for another reason.
func Judge(depth int, f *cir.Func, part *pointsto.Part, keep func(cir.Instr) bool, stays func(*cir.Func) bool) Call {
	if depth == None || part == nil {
		return Call{}
	}
	c, size, syncs, loops, possible := Call{}, 0, false, false, true
	part.EachFunc(func(f *cir.Func) {
		possible = possible && !stays(f)
		syncs = syncs || f.Atomic
		loops = loops || hasLoop(f)
	})
	part.Each(func(f *cir.Func, in cir.Instr) {
		size++
		possible = possible && !keep(in) && !mustStay(in)
		syncs = syncs || synchronises(in)
		if call, ok := in.(*cir.Call); ok {
			g, known := call.Callee.(*cir.Func)
			c.Unknown = c.Unknown || !known || len(g.Blocks) == 0
		}
	})
	switch {
	case !possible, syncs && (depth < Coarse || f.Library), depth == Large && size <= small && !loops, !part.Confined():
		return Call{}
	}
	c.Out, c.Writes = true, part.Modified()
	return c
}

// mustStay reports whether an instruction does what is more than writes to memory.
func mustStay(in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Load:
		return in.Order != cir.Plain
	case *cir.Store:
		return in.Order != cir.Plain
	case *cir.RMW, *cir.CmpXchg, *cir.Fence:
		return true
	case *cir.Intrinsic:
		switch in.Op {
		case cir.ThreadCreate, cir.ThreadExit, cir.ThreadAlone, cir.ThreadEnded, cir.ThreadJoined, cir.Setjmp, cir.Longjmp:
			return true
		}
	}
	return false
}

// synchronises reports whether an instruction is one by which threads synchronise.
func synchronises(in cir.Instr) bool {
	i, ok := in.(*cir.Intrinsic)
	if !ok {
		return false
	}
	switch i.Op {
	case cir.Lock, cir.Unlock, cir.AtomicBegin, cir.AtomicEnd, cir.Await, cir.AwaitFrom:
		return true
	}
	return false
}

// hasLoop reports whether control may come back to a block of a function.
func hasLoop(f *cir.Func) bool {
	for _, b := range f.Blocks {
		for _, next := range successors(b.Term) {
			if next.Index <= b.Index {
				return true
			}
		}
	}
	return false
}

func successors(t cir.Term) []*cir.Block {
	switch t := t.(type) {
	case *cir.Jump:
		return []*cir.Block{t.To}
	case *cir.Branch:
		return []*cir.Block{t.Then, t.Else}
	case *cir.Switch:
		out := []*cir.Block{t.Default}
		for _, c := range t.Cases {
			out = append(out, c.To)
		}
		return out
	case *cir.IndirectJump:
		return t.Targets
	}
	return nil
}

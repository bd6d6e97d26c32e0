package engine

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/specialise"
)

// Features are what the portfolio looks at to choose the order of the engines.
type Features struct {
	Threads int  // with main
	Loops   bool // some loop is left after the passes: awaits recognised, constant bounds unrolled
	Bounded bool // something is cut off: threads, allocations, recursion
	Alike   bool // a loop creates manyThreads threads or more
	Counts  bool // a loop creates threads that count something, less than manyThreads
	Inputs  bool // some value is not known before the run
	Locks   bool // some thread takes a lock, or what is used like one
	Heap    bool // it is allocations that are cut off
}

// FeaturesOf looks at a program after the passes.
func FeaturesOf(p *ir.Program) Features {
	f := Features{Threads: len(p.Threads), Bounded: len(p.Bounded) > 0}
	f.Heap = slices.ContainsFunc(p.Bounded, func(s string) bool { return strings.Contains(s, specialise.ObjectsAllocated) })
	for _, t := range p.Threads {
		f.Loops = f.Loops || hasLoop(t)
		t.Edges(func(e *ir.Edge) {
			f.Inputs = f.Inputs || slices.ContainsFunc(e.Cmds, func(c ir.Cmd) bool { return c.Kind == ir.Havoc && c.Input != "" })
		})
	}
	if f.Locks = hasLocks(p); !f.Locks {
		_, owners := p.Owned()
		f.Locks = len(owners) > 0
	}
	for _, v := range p.Vars {
		f.Inputs = f.Inputs || v.Init == nil && v.Source != ""
	}
	return f
}

// hasLoop reports whether control can come to a location of a thread again.
func hasLoop(t *ir.Thread) bool {
	lo, hi := t.Components()
	loop := false
	t.Edges(func(e *ir.Edge) { loop = loop || e.From == e.To || lo[e.From.Index] < hi[e.From.Index] })
	return loop
}

// String says the features in a few words.
func (f Features) String() string {
	words := []string{fmt.Sprintf("%d threads", f.Threads)}
	say := func(is bool, yes, no string) {
		if !is {
			yes = no
		}
		if yes != "" {
			words = append(words, yes)
		}
	}
	say(f.Loops, "loops", "no loops")
	say(f.Bounded, "cut off at bounds", "")
	say(f.Heap, "any number of objects", "")
	say(f.Alike, "many alike", "")
	say(f.Counts, "alike that count", "")
	say(f.Inputs, "inputs", "no inputs")
	say(f.Locks, "locks", "")
	return strings.Join(words, ", ")
}

// manyStates is the number of threads above which the states are usually too many to visit.
const manyStates = 8

// ManyOrders reports whether a program has too many threads for its states to be visited,
// but no loops.
func (f Features) ManyOrders() bool { return !f.Loops && f.Threads > manyStates }

// Plan returns the engines in the order in which they are tried. What it is founded on is
// in docs/performance.md. Where there are locks they mostly explain the program; objects in any number
// are for invariants of each.
func (f Features) Plan() []string {
	order := f.general()
	if f.Counts {
		i := slices.Index(order, ThreadModular{}.Name())
		order = slices.Insert(slices.Delete(order, i, i+1), 1, ThreadModular{}.Name())
	}
	if f.Locks || f.Heap {
		return slices.Insert(order, 1, ResourceInvariants{}.Name())
	}
	return append(order, ResourceInvariants{}.Name())
}

// general is the plan without the engine that is about resources.
func (f Features) general() []string {
	switch {
	case f.Bounded: // only a proof for every number of threads is one
		return []string{"modular", "thread-modular", "lazy", "partial-order"}
	case f.Alike:
		return []string{"modular", "thread-modular", "explore", "partial-order", "unbounded", "lazy"}
	case f.ManyOrders():
		return []string{"partial-order", "modular", "explore", "unbounded", "thread-modular", "lazy"}
	case !f.Loops:
		return []string{"partial-order", "explore", "modular", "unbounded", "thread-modular", "lazy"}
	case f.Inputs:
		return []string{"modular", "explore", "partial-order", "thread-modular", "unbounded", "lazy"}
	}
	return []string{"explore", "modular", "partial-order", "unbounded", "thread-modular", "lazy"}
}

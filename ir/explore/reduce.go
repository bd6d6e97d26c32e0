package explore

import (
	"slices"

	"comus/ir"
)

// reduction has what is known of the threads without running them: which shared
// variables the steps from a location touch, and which all steps that may still
// come do.
type reduction struct {
	now, later [][]access // by thread and location

	// Scratch of one state.
	in   []bool // the threads of a set
	work []int
	done []bool // x.next has the thread's steps
}

// access is a set of shared variables read and one of those written.
type access struct{ reads, writes bitset }

// conflict reports whether some variable is touched by both and written by one.
func (a access) conflict(b access) bool {
	return a.writes.meets(b.writes) || a.writes.meets(b.reads) || a.reads.meets(b.writes)
}

// bitset is a set of small numbers; all sets of a program have the same length.
type bitset []uint64

func (s bitset) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s bitset) meets(t bitset) bool {
	for k, w := range s {
		if w&t[k] != 0 {
			return true
		}
	}
	return false
}

// join adds t to s and reports whether s has grown.
func (s bitset) join(t bitset) bool {
	grown := false
	for k, w := range t {
		grown = grown || w&^s[k] != 0
		s[k] |= w
	}
	return grown
}

func newReduction(p *ir.Program) *reduction {
	r := &reduction{in: make([]bool, len(p.Threads)), done: make([]bool, len(p.Threads))}
	bit := map[*ir.Var]int{}
	for _, v := range p.Vars {
		if v.Thread == ir.Shared {
			bit[v] = len(bit)
		}
	}
	words := (len(bit) + 63) / 64
	empty := func() access { return access{make(bitset, words), make(bitset, words)} }
	tab := p.Symbols()
	for _, t := range p.Threads {
		now, later := make([]access, len(t.Locs)), make([]access, len(t.Locs))
		for i, l := range t.Locs {
			now[i], later[i] = empty(), empty()
			for _, e := range l.Out {
				a := tab.CmdAccess(e.Cmds)
				for v := range a.Reads {
					if k, shared := bit[v]; shared {
						now[i].reads.add(k)
					}
				}
				for v := range a.Writes {
					if k, shared := bit[v]; shared {
						now[i].writes.add(k)
					}
				}
			}
			later[i].reads.join(now[i].reads)
			later[i].writes.join(now[i].writes)
		}
		for grown := true; grown; { // to a fixpoint, from the last location back
			grown = false
			for i, l := range slices.Backward(t.Locs) {
				for _, e := range l.Out {
					to := later[e.To.Index]
					reads, writes := later[i].reads.join(to.reads), later[i].writes.join(to.writes)
					grown = grown || reads || writes
				}
			}
		}
		r.now, r.later = append(r.now, now), append(r.later, later)
	}
	return r
}

// expandReduced adds those successors of state i, which is loaded and has no
// thread at an atomic location, that are enough (see the package comment): the
// steps of one persistent set of threads if there is a good one, all otherwise.
// Of several, a set with the fewest steps is taken.
func (x *explorer) expandReduced(i int) error {
	r := x.reduction
	clear(r.done)
	var best []int
	fewest := 0
	for t := range x.loc {
		set := r.persistent(t, x.loc)
		steps, err := x.goodSteps(set)
		if err != nil {
			return err
		}
		if steps > 0 && (best == nil || steps < fewest) {
			best, fewest = slices.Clone(set), steps
		}
		if fewest == 1 {
			break
		}
	}
	if best == nil {
		for t := range x.loc {
			best = append(best, t)
		}
	}
	for _, t := range best {
		if err := x.take(t); err != nil {
			return err
		}
		if err := x.addAll(i, t); err != nil {
			return err
		}
	}
	return nil
}

// take puts the steps of a thread into x.next unless they are there.
func (x *explorer) take(t int) error {
	if x.reduction.done[t] {
		return nil
	}
	x.reduction.done[t] = true
	return x.stepsOf(t)
}

// persistent returns the smallest persistent set that has thread t: with a thread,
// it has all those that may at some time touch what the thread's next steps touch.
// The result is valid until the next call.
func (r *reduction) persistent(t int, loc []int) []int {
	clear(r.in)
	r.in[t] = true
	r.work = append(r.work[:0], t)
	for k := 0; k < len(r.work); k++ {
		a := r.work[k]
		now := r.now[a][loc[a]]
		for u := range loc {
			if !r.in[u] && now.conflict(r.later[u][loc[u]]) {
				r.in[u] = true
				r.work = append(r.work, u)
			}
		}
	}
	return r.work
}

// goodSteps returns the number of steps of a set of threads; 0 if one of them
// leads backward in its thread or into an atomic section.
func (x *explorer) goodSteps(set []int) (int, error) {
	n := 0
	for _, t := range set {
		if err := x.take(t); err != nil {
			return 0, err
		}
		for _, s := range x.next[t] {
			if e := s.edge.src; e.To.Index <= e.From.Index || e.To.Atomic {
				return 0, nil
			}
		}
		n += len(x.next[t])
	}
	return n, nil
}

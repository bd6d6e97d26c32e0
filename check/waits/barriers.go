package waits

import "slices"

// A thread that waits at a barrier waits until as many threads have come there as it is for. There is an argument where these are all threads of one class, each of which passes the same barriers in
// the same order:
//
//   - All waits at barriers of the program are by threads of one class. Each barrier is one object, that main makes once, before it creates the first of these threads, for as many threads as it creates
//     of them in all: the two numbers come from the same place (number.go, created.go).
//   - All these threads come to the same calls of pthread_barrier_wait in the same order, whatever they do in between (aligned.go).
//
// Then the k-th waits of all threads are one round, as none waits again before all have come. If a thread waits in a round for good, another one has not come there. Either main has not created it: main owes the
// barrier until it has created the last one. Or it is on its way there, and owes the barrier wherever it waits, but at a barrier: it waits in an earlier round there, in which all have come. It cannot have ended, nor run in a loop
// without a way out, as it has the same waits before it as the one that waits. So barriers stand before all that these threads wait for otherwise, and before all that main waits for until it has created them.
//
// pthread_barrier_destroy waits for those that have been let go only, and they leave.

const assumeBarrier = "a barrier is destroyed, or made anew, only where no thread waits at it"

// meeting is a wait at a barrier.
type meeting struct {
	callIn
	set int // of one lock, the barrier
}

// barrier is what who waits at a barrier waits for.
func (f *finder) barrier(set int) Element {
	e := f.h.sets.list[set][0]
	f.h.sets.size[e] = sizeMeet
	return Element{Barrier, e.Object, e.Off}
}

// barriers adds what those owe to each other that meet at barriers.
func (f *finder) barriers() error {
	if len(f.meetings) == 0 {
		return nil
	}
	f.h.assumed[assumeBarrier] = true
	k, err := f.party()
	if err != nil {
		return err
	}
	r, err := f.creates(k)
	if err != nil {
		return err
	}
	var all []Element
	for _, m := range f.meetings {
		if e := f.barrier(m.set); !slices.Contains(all, e) {
			all = append(all, e)
			if err := f.founded(m, r); err != nil {
				return err
			}
		}
	}
	if err := f.aligned(k, r); err != nil {
		return err
	}
	for _, c := range f.h.runs {
		if !slices.Contains(f.h.runners[c], k) {
			continue
		}
		for _, call := range f.h.callsOf(c) {
			for _, e := range f.awaited[callIn{c, call}] {
				for _, b := range all {
					if e.Kind != Barrier {
						f.w.edge(b, e, call.Site)
					}
				}
			}
		}
	}
	return r.owed(all)
}

// party returns the class of threads that wait at barriers.
func (f *finder) party() (k *class, err error) {
	for _, m := range f.meetings {
		for _, other := range f.h.runners[m.copy] {
			if k != nil && k != other || other.main || other.handler {
				return nil, fail(m.call, "threads that are not all created by the same call wait at barriers")
			}
			k = other
		}
	}
	return k, nil
}

// founded returns an error unless a barrier is made once, before main creates the threads that meet there, for as many as these are.
func (f *finder) founded(m meeting, r *creation) error {
	var at *callIn
	for _, c := range f.h.runs {
		for _, call := range f.h.callsOf(c) {
			x, err := f.h.callees(c, call)
			if err != nil || len(x.known) != 1 || x.known[0].does != founds {
				continue
			}
			set, err := f.h.sets.of(f.h.program, c, call, call.Args[0].X)
			if err != nil {
				return err
			}
			if !slices.Contains(f.h.sets.list[set], f.h.sets.list[m.set][0]) {
				continue
			}
			if at != nil || set != m.set || !f.h.onceOnly(c, call) || r.begun.before(c, call) {
				return fail(call, "a barrier is not made by one call, before the threads are created that meet there")
			}
			at = &callIn{c, call}
		}
	}
	if at == nil {
		return fail(m.call, "nothing makes the barrier")
	}
	many, known := r.number()
	n, ok := f.number(at.copy, at.call.Args[2].X, 0)
	if !ok || !known || n != many {
		return fail(at.call, "it is not known that the barrier is for as many threads as are created")
	}
	return nil
}

// isMeeting reports whether a call of a copy waits at a barrier.
func (f *finder) isMeeting(c callIn) bool {
	return slices.ContainsFunc(f.meetings, func(m meeting) bool { return m.callIn == c })
}

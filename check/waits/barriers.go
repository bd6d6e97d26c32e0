package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A thread that waits at a barrier waits until as many threads have come there as it is for. There is an argument where these are all threads that ever wait at barriers, each of which passes the same barriers in
// the same order:
//
//   - All waits at barriers of the program are by threads that main creates, by a few calls that may be in loops that count, or by main itself. Each barrier is one object, that main makes once, before it creates the first of
//     these threads, for as many threads as they are in all: the two numbers come from the same place (number.go, created.go).
//   - All these threads come to waits at the same barriers in the same order, whatever they do in between. Of threads of one class, branches that matter go the same way in all of them (aligned.go). If there are several classes, the waits
//     of each are the same word (words.go).
//
// Then the k-th waits of all threads are one round, as none waits again before all have come. If a thread waits in a round for good, another one has not come there. Either main has not created it: main owes the
// barrier until it has created the last one. Or it is on its way there, and owes the barrier wherever it waits, but at a barrier: it waits in an earlier round there, in which all have come. It cannot have ended, nor run in a loop
// without a way out, as it has the same waits before it as the one that waits; for the same reason it is at a place from which it may come to a barrier by the code, or it is on a way that ends the program (later.go). So barriers stand
// before all that these threads wait for otherwise at such places, and before all that main waits for until it has created them: main must not even wait at a barrier until then.
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
	parties, err := f.parties()
	if err != nil {
		return err
	}
	var rs []*creation
	for _, k := range parties {
		if k.main {
			continue
		}
		r, err := f.creates(k)
		if err != nil {
			return err
		}
		rs = append(rs, r)
	}
	var all []Element
	for _, m := range f.meetings {
		if e := f.barrier(m.set); !slices.Contains(all, e) {
			all = append(all, e)
			if err := f.founded(m, rs, len(rs) < len(parties)); err != nil {
				return err
			}
		}
	}
	if len(parties) > 1 {
		err = f.sameWords(parties)
	} else {
		err = f.aligned(parties[0], rs[0])
	}
	if err != nil {
		return err
	}
	for _, k := range parties {
		f.owes(k, all)
	}
	for _, r := range rs {
		if err := r.owed(all); err != nil {
			return err
		}
	}
	return nil
}

// owes adds what a thread that others meet at barriers owes to them, as long as it may come to one, or may have left one out, as it is about to end the program: where it waits for something else, that comes later.
func (f *finder) owes(k *class, barriers []Element) {
	l := f.laterOf(k)
	for _, c := range f.h.runs {
		if !slices.Contains(f.h.runners[c], k) {
			continue
		}
		for _, call := range f.h.callsOf(c) {
			for _, e := range f.awaited[callIn{c, call}] {
				if e.Kind == Barrier || !l.after(c, call) && !l.leavesOut(c, call) {
					continue
				}
				for _, b := range barriers {
					f.w.edge(b, e, call.Site)
				}
			}
		}
	}
}

// parties returns the classes of threads that wait at barriers.
func (f *finder) parties() (list []*class, err error) {
	for _, k := range f.h.classes {
		for _, m := range f.meetings {
			if !slices.Contains(f.h.runners[m.copy], k) || slices.Contains(list, k) {
				continue
			}
			if k.handler || k.main && k != f.h.classes[0] {
				return nil, fail(m.call, "a handler of a signal waits at a barrier")
			}
			list = append(list, k)
		}
	}
	if len(list) == 1 && list[0].main {
		return nil, fail(f.meetings[0].call, "main waits at a barrier alone")
	}
	return list, nil
}

// founded returns an error unless a barrier is made once, before main creates the threads that meet there, for as many as these are.
func (f *finder) founded(m meeting, rs []*creation, main bool) error {
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
			if at != nil || set != m.set || !f.h.onceOnly(c, call) || slices.ContainsFunc(rs, func(r *creation) bool { return r.begun.before(c, call) }) {
				return fail(call, "a barrier is not made by one call, before the threads are created that meet there")
			}
			at = &callIn{c, call}
		}
	}
	if at == nil {
		return fail(m.call, "nothing makes the barrier")
	}
	if err := f.untouched(m, *at); err != nil {
		return err
	}
	many, known := together(rs, main)
	n, ok := f.number(at.copy, at.call.Args[2].X, 0)
	if !ok || !known || n != many {
		return fail(at.call, "it is not known that the barrier is for as many threads as are created")
	}
	return nil
}

// untouched returns an error if anybody may write a barrier behind the call that makes it: a copy of another one, that is for others, say.
func (f *finder) untouched(m meeting, made callIn) error {
	e := f.h.sets.list[m.set][0]
	at := f.h.sets.at[e]
	behind := f.h.mayHave(func(c pointsto.Copy, in cir.Instr) bool { return c == made.copy && in == cir.Instr(made.call) })
	for _, w := range f.writes[at.Obj] {
		if w.in == cir.Instr(made.call) || !w.whole && !w.at.Touches(max(w.size, 1), at, sizeMeet) && !(w.size < 0 && w.at.Touches(w.size, at, sizeMeet)) {
			continue
		}
		if !f.h.mainOnly(w.by) || behind.before(w.by, w.in) {
			return fail(w.in, "%s may be written", f.h.sets.name(Element{Barrier, e.Object, e.Off}))
		}
	}
	return nil
}

// together returns how many threads there are in all. Of one number that is no constant, there may be only one thread more: if that number is negative, the barrier is for none then.
func together(rs []*creation, main bool) (all number, ok bool) {
	constant := int64(0)
	if main {
		constant = 1
	}
	for _, r := range rs {
		n, known := r.number()
		switch {
		case !known || !n.isConst() && !all.isConst():
			return all, false
		case n.isConst():
			constant += n.plus
		default:
			all = n
		}
	}
	ok = all.isConst() || constant <= 1
	all.plus += constant
	return all, ok
}

// isMeeting reports whether a call of a copy waits at a barrier.
func (f *finder) isMeeting(c callIn) bool {
	return slices.ContainsFunc(f.meetings, func(m meeting) bool { return m.callIn == c })
}

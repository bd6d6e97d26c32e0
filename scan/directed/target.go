package directed

import (
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/scan"
)

// Target is what runs look for: a race, which ends a run that is replayed, or an end.
type Target struct {
	// At are instructions before which runs that are directed at it keep threads for a while: others come there, or change what matters, meanwhile. Those that are
	// there several times are chosen more often.
	At []cir.Instr
	// Pair says that At are the two accesses of a race, which threads have to come to together.
	Pair bool
	// Race tells whether a race is looked for; nil: none is.
	Race func(*interp.Race) bool
	// End tells, if no race is looked for, whether a run ends as it should.
	End func(*interp.Result) bool
	// Circles says that the end is one in which threads wait for one another's locks in a circle; others may go on.
	Circles bool
	// Leaks says that the end is one with memory that was not freed, and Lost that no pointer leads to it.
	Leaks, Lost bool
	// Again says that a thread which waits for a lock that it holds ends with what is undefined.
	Again bool
}

// OfSuspect returns what a race of a suspect's two accesses is as a target.
func OfSuspect(s *scan.Suspect) Target {
	return Target{At: []cir.Instr{s.A.Instr, s.B.Instr}, Pair: true, Race: func(r *interp.Race) bool { return Shows(s, r) }}
}

// OfAssertion returns what it is as a target that an assertion fails. near are the accesses that its condition depends on, as [Near] finds them.
func OfAssertion(in *cir.Intrinsic, near []cir.Instr) Target {
	return Target{At: near, End: func(res *interp.Result) bool {
		return res.Outcome == interp.AssertFails && res.Site != nil && res.Site == in.Site
	}}
}

// OfDeadlock returns what it is as a target that threads stand in a circle, each at one of a lock order's places, for a lock that the next one holds.
func OfDeadlock(d *scan.Deadlock) Target {
	t := Target{Pair: true, Circles: true, End: func(res *interp.Result) bool { return res.Outcome == interp.Deadlock && waitsAt(d, res.Waits) }}
	for _, s := range d.Steps {
		t.At = append(t.At, s.Instr)
	}
	return t
}

// OfAnyDeadlock returns what it is as a target that threads wait for one another's locks in a circle anywhere, or that no thread can go on.
func OfAnyDeadlock() Target {
	return Target{Circles: true, End: func(res *interp.Result) bool {
		return interp.Stuck(res) != nil
	}}
}

// waitsAt reports whether threads wait in a circle at the places of a lock order, at no others, and at all of them.
func waitsAt(d *scan.Deadlock, all []interp.Wait) bool {
	at, places := map[*cir.Site]bool{}, placesOf(d)
	for _, w := range interp.Circle(all) {
		at[w.Site] = true
	}
	return len(places) == len(at) && !slices.ContainsFunc(places, func(s *cir.Site) bool { return !at[s] })
}

// placesOf returns the places of a lock order, each once.
func placesOf(d *scan.Deadlock) (list []*cir.Site) {
	for _, s := range d.Steps {
		if !slices.Contains(list, s.Site) {
			list = append(list, s.Site)
		}
	}
	return list
}

// Named returns what an execution says that it shows: the race at its two places, of the program's own memory, the assertion that fails, or where threads wait.
func Named(ex *Execution) *Target {
	if len(ex.Waits) > 0 {
		at := ex.Waits
		return &Target{Circles: true, End: func(res *interp.Result) bool {
			return res.Outcome == interp.Deadlock && slices.Equal(waitsOf(res), at) && !slices.Contains(at, "")
		}}
	}
	if ex.Fails != "" {
		at := ex.Fails
		return &Target{End: func(res *interp.Result) bool {
			return res.Outcome == interp.AssertFails && res.Site != nil && res.Site.Pos.String() == at
		}}
	}
	if what := ex.Undefined; what != [2]string{} {
		return &Target{Again: true, End: func(res *interp.Result) bool { return what[1] != "" && undefinedOf(res) == what }}
	}
	if len(ex.Kept) > 0 {
		at, lost := ex.Kept, ex.Lost
		return &Target{Leaks: true, Lost: lost, End: func(res *interp.Result) bool { return slices.Equal(KeptBy(res, lost), at) }}
	}
	at := ex.Race
	return &Target{Race: func(r *interp.Race) bool {
		return !r.Hidden && !r.Handlers && at[0] != "" && at[1] != "" && PlaceOf(&r.First) == at[0] && PlaceOf(&r.Second) == at[1]
	}}
}

// seenIn reports whether a run that goes on has shown it.
func (t *Target) seenIn(res *interp.Result) bool {
	if t.Race == nil {
		return t.End(res)
	}
	return slices.ContainsFunc(res.Races, func(r interp.Race) bool { return t.Race(&r) })
}

// Shown reports whether a run that was replayed for it ends with it.
func (t *Target) Shown(res *interp.Result) bool {
	if t.Race == nil {
		return t.End(res)
	}
	return res.Outcome == interp.Raced
}

// names has an execution say what it shows.
func (t *Target) names(ex *Execution, res *interp.Result) {
	ex.Race, ex.Fails, ex.Waits, ex.Undefined, ex.Kept, ex.Lost = [2]string{}, "", nil, [2]string{}, nil, false
	switch {
	case !t.Shown(res):
	case t.Race != nil:
		race := &res.Races[len(res.Races)-1]
		ex.Race = [2]string{PlaceOf(&race.First), PlaceOf(&race.Second)}
	case res.Outcome == interp.AssertFails && res.Site != nil:
		ex.Fails = res.Site.Pos.String()
	case res.Outcome == interp.Deadlock && t.Again:
		ex.Undefined = undefinedOf(res)
	case res.Outcome == interp.Deadlock:
		ex.Waits = waitsOf(res)
	case res.Outcome == interp.Undefined:
		ex.Undefined = undefinedOf(res)
	case res.Outcome == interp.Exited:
		ex.Lost = t.Lost
		ex.Kept = KeptBy(res, t.Lost)
	}
}

// CheckLocks is the kind of what is undefined about locks.
const CheckLocks = "locks"

// LockedAgain returns the wait of a thread for a mutex, or spin lock, that it holds itself, at the end of a run in which no thread can go on; nil if there is none.
func LockedAgain(res *interp.Result) *interp.Wait {
	if res.Outcome != interp.Deadlock {
		return nil
	}
	i := slices.IndexFunc(res.Waits, func(w interp.Wait) bool {
		return w.Holder == w.Thread && w.Site != nil && (w.Via == "pthread_mutex_lock" || w.Via == "pthread_spin_lock")
	})
	if i < 0 {
		return nil
	}
	return &res.Waits[i]
}

// undefinedOf returns what C leaves undefined where a run ends as executions have it.
func undefinedOf(res *interp.Result) [2]string {
	if w := LockedAgain(res); w != nil {
		s := w.Side()
		return [2]string{CheckLocks, PlaceOf(&s)}
	}
	if res.Outcome != interp.Undefined || res.Failed == nil {
		return [2]string{}
	}
	return [2]string{res.Check, PlaceOf(res.Failed)}
}

// KeptBy returns the places where memory was allocated that is left, or lost, when a run exits, as executions have them. Memory of which nobody knows where it was allocated is
// the library's.
func KeptBy(res *interp.Result, lost bool) (list []string) {
	for i := range res.Leaks {
		l := &res.Leaks[i]
		if l.Site != nil && (l.Lost || !lost) && res.Outcome == interp.Exited {
			list = append(list, l.Site.Pos.String())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// waitsOf returns the places where threads wait for good as executions have them.
func waitsOf(res *interp.Result) (list []string) {
	for _, w := range interp.Stuck(res) {
		s := w.Side()
		list = append(list, PlaceOf(&s))
	}
	return list
}

// Shows reports whether a race is one of a suspect's two accesses.
func Shows(s *scan.Suspect, r *interp.Race) bool {
	return !r.Handlers && (is(s.A, &r.First) && is(s.B, &r.Second) || is(s.B, &r.First) && is(s.A, &r.Second))
}

// is reports whether a side of a race is an access: the interpreter knows places, and what the access does. A call may do several things.
func is(a *scan.Access, s *interp.Side) bool {
	if _, call := a.Instr.(*cir.Call); !call && a.Write != s.Write {
		return false
	}
	return s.Site != nil && s.Site == placeOf(a)
}

// placeOf returns the place of an access in the program's own code.
func placeOf(a *scan.Access) *cir.Site {
	if a.Site != nil || a.Instr == nil {
		return a.Site
	}
	return a.Instr.Meta().Site
}

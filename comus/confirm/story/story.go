// Package story says what a run of a program did that its end is about, in C's terms: which threads were created where, the calls by which they wait for one another, and
// who accessed what the end is about, with the values as C writes them. It only tells: that the run ends so is confirmed by who asks (package confirm).
//
// A run is made twice more for it. The first time says what the end is about: the memory that the last access is of, what the last statement has read, what the
// threads have read last. Objects are known by the order in which they are accessed first, which is the same in each run. The second time everything that is done to
// these is written down.
package story

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/cir/interp"
)

// Kind is what an event is.
type Kind uint8

// The kinds.
const (
	Reads   Kind = iota
	Writes       // the value may be the same as before
	Frees        // the end of the life of the object that it is about
	Creates      // a thread: its call
	Calls        // a function by which threads wait for one another, as pthread_mutex_lock
)

// Event is something that a thread did.
type Event struct {
	Thread int
	Kind   Kind
	Site   *cir.Site
	Func   string // of Creates and Calls: the function that is called
	Place  int    // of Reads and Writes: in Story.Places
	// Before and After are values as C writes them; "": not known, or there is no such value.
	Before, After string
	// Child is, of Creates, the number of the thread, if that is known; else 0.
	Child int
	// Last says, of Calls, that the thread makes no later call from this place.
	Last bool
	// Update says, of Writes, that the access has read what was there before, in one step.
	Update bool
	// Left is how many accesses of what the story is about, and such calls, were left out before it.
	Left int

	when int
}

// Place is a variable, or a part of one, that the end is about.
type Place struct {
	Name  string // as C names it: "queue.head", "b->refs"
	Owner int    // the only thread that has it; Shared
}

// Shared is the owner of what all threads have.
const Shared = -1

// Value is what a thread has read in its last statement, or, where it waits for a condition, before.
type Value struct {
	Thread, Place int
	Text          string
}

// Story is what a run did.
type Story struct {
	Places []Place
	Events []Event // in the order of the run; without the last access, which has not been made
	// Last is what the last statement has read, in its order, or what is in the memory that the last access is of.
	Last []Value
	// Begins has the functions that threads begin with, and Creations how they were created, by their numbers.
	Begins    map[int]string
	Creations map[int][]interp.Creation
	// Weak says that a read may read an older write than the last one.
	Weak bool
	// Came are the threads that came to where the run ends, by a call, if no thread was named.
	Came []int
}

// End says how a run ends, as far as its story depends on that.
type End struct {
	// Threads are those that the end is about: the one that was last comes last.
	Threads []int
	// Site is where the run ends, and Accesses tells that what it is about is the access there, At that byte of the object.
	Site     *cir.Site
	Accesses bool
	At       int64
	// Whole tells that it is about all of the object: its life has ended.
	Whole bool
	// First is, of a data race, the first of the two accesses.
	First *interp.Side
	// Calls tells that the end is about calls by which threads wait for one another, and Conditions which threads wait for what others may do to memory.
	Calls      bool
	Conditions []int
	// Kept are places that are told of in any case: where the threads have taken the locks that they hold.
	Kept []*cir.Site
	// Also are accesses that are told of in any case, each time that they are made.
	Also []Access
}

// Access is one that a thread makes, at a place of the source.
type Access struct {
	Thread int
	At     string // file:line:column
}

// mostEvents is how many events a story has at most, besides creations and what is kept.
const mostEvents = 18

// mostContext is how many of the things that a thread has read last are told of, where the end is about nothing else.
const mostContext = 3

// Of tells the story of a run, which is made by run, always the same one.
func Of(p *cir.Program, end End, run func(interp.Tracer) error) (*Story, error) {
	first := newRecorder(p)
	first.watch, first.also = end.Site, end.Also
	if err := run(first); err != nil {
		return nil, err
	}
	if len(end.Threads) == 0 {
		s := &Story{Begins: map[int]string{}, Creations: map[int][]interp.Creation{}, Came: first.came}
		for _, n := range s.Came {
			s.known(first, n)
		}
		return s, nil
	}
	second := newRecorder(p)
	second.about, second.also = first.whatAbout(&end), end.Also
	if err := run(second); err != nil {
		return nil, err
	}
	return second.story(&end), nil
}

// whatAbout returns what the end is about.
func (r *recorder) whatAbout(end *End) (list []span) {
	add := func(s span) {
		if s.object > 0 && !slices.ContainsFunc(list, func(o span) bool { return o.object == s.object && o.off <= s.off && s.off+s.n <= o.off+o.n }) {
			list = append(list, s)
		}
	}
	for _, s := range r.alsoOf {
		add(s)
	}
	also := len(list)
	last := end.Threads[len(end.Threads)-1]
	if t := r.threads[last]; t != nil && end.Accesses && t.last.object > 0 {
		s := t.last
		if s.off, s.n = end.At, 1; end.Whole {
			s.off, s.n = 0, 1<<40
		}
		add(s)
		return list
	}
	if t := r.threads[last]; t != nil && end.Site != nil && !end.Calls {
		for _, x := range t.statement(end.Site) {
			add(x.span)
		}
	}
	if len(list) > also {
		return list
	}
	of, read := end.Threads, (*actor).recent
	if end.Calls {
		of, read = end.Conditions, (*actor).condition
	}
	for _, n := range of {
		if t := r.threads[n]; t != nil {
			for _, x := range read(t) {
				add(x.span)
			}
		}
	}
	return list
}

// story chooses what is told.
func (r *recorder) story(end *End) *Story {
	s := &Story{Begins: map[int]string{}, Creations: map[int][]interp.Creation{}}
	places := map[placeKey]int{}
	last := r.threads[end.Threads[len(end.Threads)-1]]
	if last != nil && end.Accesses && last.last.object > 0 {
		if text, ok := r.now(last.lastKey); ok {
			s.Last = append(s.Last, Value{last.number, s.place(r, places, last.lastKey, Shared), text})
		}
	} else if last != nil && end.Site != nil && !end.Calls {
		for _, x := range last.statement(end.Site) {
			owner := Shared
			if x.span.object == 0 {
				owner = last.number
			}
			s.Last = append(s.Last, Value{last.number, s.place(r, places, x.key, owner), r.textOf(x)})
		}
	}
	for _, n := range end.Conditions {
		if t := r.threads[n]; t != nil {
			for _, x := range t.condition() {
				if text, ok := r.now(x.key); ok {
					s.Last = append(s.Last, Value{n, s.place(r, places, x.key, Shared), text})
				}
			}
		}
	}
	for _, e := range r.chosen(end) {
		out := Event{Thread: e.thread, Kind: e.kind, Site: e.in.Meta().Site, Func: e.callee, Before: e.before, After: e.after, Child: e.child, Left: e.left, Last: e.last, Update: atomic(e.in), when: e.when}
		if e.kind == Reads || e.kind == Writes {
			out.Place = s.place(r, places, e.key, Shared)
		}
		s.Events = append(s.Events, out)
		s.known(r, e.thread)
	}
	for _, n := range end.Threads {
		s.known(r, n)
	}
	return s
}

// known adds what is known of a thread.
func (s *Story) known(r *recorder, n int) {
	if _, ok := s.Creations[n]; ok {
		return
	}
	s.Creations[n] = r.m.Creations(n)
	if t := r.threads[n]; t != nil {
		s.Begins[n] = t.begins
	}
	for _, c := range s.Creations[n] {
		s.known(r, c.Thread)
	}
}

// place returns the number of a place.
func (s *Story) place(r *recorder, places map[placeKey]int, k placeKey, owner int) int {
	i, ok := places[k]
	if !ok {
		i = len(s.Places)
		places[k] = i
		s.Places = append(s.Places, Place{r.nameOf(k), owner})
	}
	return i
}

// chosen returns the events that are told of: those behind, of each thread that the end is about in its turn, and what has to be.
func (r *recorder) chosen(end *End) []*event {
	involved := map[int]bool{}
	for _, n := range end.Threads {
		involved[n] = true
	}
	all := r.events()
	for _, e := range all { // who has made the memory what it is, too
		if e.kind == Writes && e.last || e.kind == Frees {
			involved[e.thread] = true
		}
	}
	for n := range involved { // no order: a set grows
		for _, c := range r.m.Creations(n) {
			involved[c.Thread] = true
		}
	}
	all = behind(all, end)
	r.children(all)
	left := mostEvents
	take := func(most int, is func(*event) bool) {
		for _, e := range slices.Backward(all) {
			if !e.chosen && left > 0 && most > 0 && is(e) {
				e.chosen = true
				left--
				most--
			}
		}
	}
	for i, e := range all {
		if e.kind == Calls {
			e.last = lastAt(all[i+1:], e)
		}
		e.chosen = e.also || e.kind == Creates && e.child > 0 && involved[e.child] || e.kind == Frees || e.kind == Calls && e.last && involved[e.thread] && slices.Contains(end.Kept, e.in.Meta().Site)
	}
	for _, e := range slices.Backward(all) {
		if isFirst(end.First, e.thread, e.kind, e.in.Meta().Site) {
			e.chosen, e.part = true, false
			break
		}
	}
	calls := func(most int) {
		for t := range r.numbersOf(involved) {
			take(most, func(e *event) bool { return e.thread == t && e.kind == Calls })
		}
	}
	if end.Calls {
		calls(mostCalls + 1)
	}
	for t := range r.numbersOf(involved) { // each thread's last before others of some
		take(1, func(e *event) bool { return e.thread == t && e.kind == Writes })
	}
	take(mostWrites, func(e *event) bool { return e.kind == Writes })
	read := map[placeOf]bool{}
	take(mostEvents, func(e *event) bool {
		p := placeOf{e.thread, e.key}
		if e.kind != Reads || !involved[e.thread] || e.part || read[p] {
			return false
		}
		read[p] = true
		return true
	})
	if !end.Calls {
		calls(mostCalls)
	}
	return chosen(all)
}

// behind leaves out what the last statement reads, which is told of at the end, and the last access, if that was not made.
func behind(all []*event, end *End) []*event {
	by := end.Threads[len(end.Threads)-1]
	later := false // the thread has done something else since
	out := slices.Clone(all)
	for i, e := range slices.Backward(all) {
		switch {
		case e.thread != by:
		case end.Site == nil || !same(whole(e.in.Meta().Site), whole(end.Site)):
			later = true
		case e.kind == Reads && !later, e.kind == Writes && !later && end.Accesses && e.after == "":
			out = slices.Delete(out, i, i+1)
		}
	}
	return out
}

// mostCalls is how many calls by which threads wait are told of each.
const mostCalls = 2

// mostWrites is how many of the last writes are told of, besides one of each thread.
const mostWrites = 6

// placeOf is a place that a thread accesses.
type placeOf struct {
	thread int
	key    placeKey
}

// chosen returns what was chosen, and counts what was not.
func chosen(all []*event) (list []*event) {
	left := 0
	for _, e := range all {
		switch {
		case e.chosen:
			e.left, left = left, 0
			list = append(list, e)
		case e.kind == Reads || e.kind == Writes:
			left++
		}
	}
	return list
}

// lastAt reports whether no other event of the thread comes from the same place.
func lastAt(later []*event, e *event) bool {
	return !slices.ContainsFunc(later, func(x *event) bool { return x.thread == e.thread && x.in == e.in && x.kind == e.kind })
}

// numbersOf yields the numbers in a set of threads, in their order.
func (r *recorder) numbersOf(set map[int]bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		for n := range r.created + 1 {
			if set[n] && !yield(n) {
				return
			}
		}
	}
}

// children finds out which call has created which thread: at each place and by each thread in their order.
func (r *recorder) children(all []*event) {
	for n := 1; n <= r.created; n++ {
		cs := r.m.Creations(n)
		if len(cs) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(e *event) bool {
			return e.kind == Creates && e.child == 0 && e.thread == cs[0].Thread && e.in.Meta().Site == cs[0].Site
		})
		if i >= 0 {
			all[i].child = n
		}
	}
}

// events returns what was written down, in the order of the run.
func (r *recorder) events() (all []*event) {
	for _, n := range r.order {
		t := r.threads[n]
		all = append(all, t.creates...)
		all = append(all, t.calls...)
	}
	all = append(all, r.accesses...)
	slices.SortFunc(all, func(x, y *event) int { return cmp.Compare(x.when, y.when) })
	last := map[placeKey]bool{}
	next := map[int]*event{} // of each thread
	for _, e := range slices.Backward(all) {
		if n := next[e.thread]; n != nil && e.kind == Reads && n.kind == Writes && n.key == e.key && whole(n.in.Meta().Site) == whole(e.in.Meta().Site) {
			e.part = true
		}
		next[e.thread] = e
		if e.kind == Writes && !last[e.key] {
			e.last, last[e.key] = true, true
		}
	}
	return all
}

// isFirst reports whether an event is the first access of a race.
func isFirst(first *interp.Side, thread int, kind Kind, site *cir.Site) bool {
	want := Reads
	if first != nil && first.Write {
		want = Writes
	}
	return first != nil && thread == first.Thread && kind == want && site == first.Site
}

// Event returns the event that is the first access of a race, -1 if there is none.
func (s *Story) Event(first *interp.Side) int {
	for i, e := range slices.Backward(s.Events) {
		if isFirst(first, e.Thread, e.Kind, e.Site) {
			return i
		}
	}
	return -1
}

// Ends reports whether an event is the last one of its thread.
func (s *Story) Ends(i int) bool {
	return !slices.ContainsFunc(s.Events[i+1:], func(e Event) bool { return e.Thread == s.Events[i].Thread })
}

// First returns what a place holds at first, as far as the story knows.
func (s *Story) First(place int) string {
	for _, e := range s.Events {
		if e.Place == place && (e.Kind == Reads || e.Kind == Writes) {
			return cmp.Or(e.Before, unknown)
		}
	}
	for _, x := range s.Last {
		if x.Place == place && x.Text != "" {
			return x.Text
		}
	}
	return unknown
}

// unknown is a value that is not known, or that nobody has written.
const unknown = "?"

package directed

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"comus/cir"
	"comus/cir/interp"
)

// readsFrom is what runs tell about which reads of memory that threads share have seen which writes, by their places in the source: runs differ in what matters to the program by these pairs, and
// a run with seldom ones is where to go on from (D. Wolff, Z. Shi, G. J. Duck, U. Mathur, A. Roychoudhury, Greybox fuzzing for concurrency testing, ASPLOS 2024). What is kept of a run is an
// abstract schedule: that some reads see some writes, and others do not. The next runs follow that, with a small change; where a schedule says nothing, another scheduler decides.
type readsFrom struct {
	at      map[*cir.Site][]cir.Instr
	words   map[uint64]*accesses // by address
	edges   []*edge
	known   map[[2]*cir.Site]*edge
	classes map[uint64]int // how many runs had the same pairs
	kept    []*schedule
	runs    int
}

// accesses are the places that access a word.
type accesses struct {
	reads, writes []*cir.Site
	thread        int
	several       bool      // more threads than that do
	last          *cir.Site // who has written it last, in a run
	run           int
}

// seenIn returns who has written the word last in a run; nil: nobody.
func (a *accesses) seenIn(run int) *cir.Site {
	if a.run != run {
		return nil
	}
	return a.last
}

// edge is a read and a write of the same word.
type edge struct {
	write, read *cir.Site
	word        uint64
	runs        int // in how many the read has seen the write
}

// constraint is that a read sees a write, or does not.
type constraint struct {
	*edge
	not bool
}

// schedule is an abstract schedule that some run has followed.
type schedule struct {
	list  []constraint
	class uint64 // of the pairs of that run
	taken int    // how many runs were made from it
}

// Bounds of what is kept.
const mostAccesses, mostEdges, mostKept, mostConstraints = 12, 4000, 500, 6

// follower makes a run follow an abstract schedule. It is a scheduler that asks another one, which records, about the threads that are left: those that are about to read, and have to see a write that has not come yet,
// wait. It is an observer of what is read.
type follower struct {
	*readsFrom
	r       *rand.Rand
	rec     *recorder
	list    []constraint
	run     int
	seen    map[*edge]bool
	running int
	parked  map[int]waiting
	free    []int // the threads that are left
	next    int   // a thread that is to be chosen, as what it waits for has come; -1: none
	now     int64
}

// waiting is a thread that waits: before a read, or before a write that would come between the two accesses of a constraint.
type waiting struct {
	*edge
	not, between bool
	until        int64
}

// follows reports whether the next random run follows an abstract schedule. Such runs take longer than others.
func (h *runner) follows(seed uint64) bool {
	n := h.opts.Feedback
	return n > 0 && h.p.Model.PointerBits == 64 && seed%uint64(n) == 0 && h.following <= (h.briefly+h.fully)/time.Duration(n)
}

// follow returns what makes a run follow a schedule that was made from one of those that are kept.
func (h *runner) follow(r *rand.Rand, rec *recorder) *follower {
	if h.reads == nil {
		h.reads = &readsFrom{at: instructionsAt(h.p), words: map[uint64]*accesses{}, known: map[[2]*cir.Site]*edge{}, classes: map[uint64]int{}}
	}
	f := &follower{readsFrom: h.reads, r: r, rec: rec, run: h.reads.runs, seen: map[*edge]bool{}, parked: map[int]waiting{}, next: -1}
	h.reads.runs++
	f.list = h.reads.mutant(r)
	for _, c := range f.list {
		for _, s := range append([]*cir.Site{c.read}, f.words[c.word].writes...) {
			for _, in := range f.at[s] {
				if !h.try.watched[in] {
					h.try.watched[in] = true
					h.code = interp.Code{} // in which others are watched
				}
			}
		}
	}
	return f
}

// mutant returns a schedule: one that is kept, with a small change. Those of runs like which there were few are taken first.
func (x *readsFrom) mutant(r *rand.Rand) (list []constraint) {
	if len(x.kept) > 0 {
		s := x.kept[r.IntN(len(x.kept))]
		for range 2 {
			if o := x.kept[r.IntN(len(x.kept))]; x.classes[o.class]+o.taken < x.classes[s.class]+s.taken {
				s = o
			}
		}
		s.taken++
		list = slices.Clone(s.list)
	}
	if len(x.edges) == 0 {
		return list
	}
	if n := len(list); n > 0 && (n == mostConstraints || r.IntN(4) == 0) {
		i := r.IntN(n)
		if r.IntN(2) == 0 {
			return slices.Delete(list, i, i+1)
		}
		list[i].not = !list[i].not
		return list
	}
	e := x.edges[r.IntN(len(x.edges))]
	for range 3 { // one that is rare
		if o := x.edges[r.IntN(len(x.edges))]; o.runs < e.runs {
			e = o
		}
	}
	return append(list, constraint{e, r.IntN(4) == 0})
}

// learn keeps what a run has shown.
func (x *readsFrom) learn(f *follower) {
	sum, rare := uint64(0), false
	for e := range f.seen {
		rare = rare || e.runs == 0
		e.runs++
		h := fnv.New64a()
		h.Write([]byte(e.write.Pos.String() + e.read.Pos.String() + strconv.Itoa(len(e.read.Text))))
		sum += h.Sum64()
	}
	if x.classes[sum]++; (rare || x.classes[sum] == 1) && len(x.kept) < mostKept {
		x.kept = append(x.kept, &schedule{list: f.list, class: sum})
	}
}

// access notes that a thread accesses a word at a place.
func (x *readsFrom) access(word uint64, s *cir.Site, isWrite bool, thread int) *accesses {
	a := x.words[word]
	if a == nil {
		a = &accesses{thread: thread}
		x.words[word] = a
	}
	grown := !a.several && thread != a.thread
	a.several = a.several || grown
	mine := &a.reads
	if isWrite {
		mine = &a.writes
	}
	if len(*mine) < mostAccesses && !slices.Contains(*mine, s) {
		*mine = append(*mine, s)
		grown = a.several
	}
	if !grown {
		return a
	}
	for _, w := range a.writes {
		for _, r := range a.reads {
			if x.known[[2]*cir.Site{w, r}] == nil && len(x.edges) < mostEdges && len(x.at[r]) > 0 {
				e := &edge{write: w, read: r, word: word}
				x.known[[2]*cir.Site{w, r}] = e
				x.edges = append(x.edges, e)
			}
		}
	}
	return a
}

// Touches implements [interp.Observer].
func (f *follower) Touches(at, n uint64, isWrite bool, s *cir.Site) (end bool) {
	if s == nil || n > 64 {
		return false
	}
	for word := at >> 2; word <= (at+n-1)>>2; word++ { // of four bytes, as most variables have at least
		a := f.access(word, s, isWrite, f.running)
		last := a.seenIn(f.run)
		if isWrite {
			if a.last, a.run = s, f.run; len(f.parked) > 0 {
				end = f.wake(func(w waiting) bool { return w.word == word && !w.between && (w.write == s) != w.not }) || end
			}
			continue
		}
		if last == nil || !a.several {
			continue
		}
		if e := f.known[[2]*cir.Site{last, s}]; e != nil && !f.seen[e] {
			f.seen[e] = true
			f.wake(func(w waiting) bool { return w.edge == e && w.between })
		}
	}
	return end
}

// wake lets a thread go on for which something has come that it waits for. It reports whether there is one.
func (f *follower) wake(is func(waiting) bool) bool {
	for _, t := range slices.Sorted(maps.Keys(f.parked)) {
		if is(f.parked[t]) {
			delete(f.parked, t)
			f.next = t
			return true
		}
	}
	return false
}

// before implements Options.Before of the interpreter: a thread that is about to read waits if what it would see is not what its constraint says, and one that is about to write if nobody has read yet what is there.
func (f *follower) before(thread int, in cir.Instr, taken int64, given bool) (stop bool) {
	s := in.Meta().Site
	if !given || s == nil || f.r.IntN(8) == 0 {
		return false
	}
	for _, c := range f.list {
		w := waiting{edge: c.edge, not: c.not, until: f.now + int64(16)<<f.r.IntN(10)}
		sees := f.words[c.word].seenIn(f.run) == c.write
		switch {
		case c.read == s && sees == c.not:
		case s != c.read && s != c.write && !c.not && sees && !f.seen[c.edge] && slices.Contains(f.words[c.word].writes, s):
			w.between = true
		default:
			continue
		}
		f.parked[thread] = w
		cutLast(f.rec, taken)
		return true
	}
	return false
}

// cutLast corrects the record of the last turn, which ends early.
func cutLast(rec *recorder, taken int64) {
	last := len(rec.ex.Turns) - 1
	if rec.ex.Turns[last].Steps = taken; taken == 0 { // nothing was done in it
		rec.ex.Turns = rec.ex.Turns[:last]
	}
}

// Next implements the interpreter's scheduler.
func (f *follower) Next(ready []int, last int) (int, int64) {
	f.now++
	if t := f.next; t >= 0 && slices.Contains(ready, t) {
		f.next = -1
		return f.rec.choose(t, 8)
	}
	if len(f.parked) == 0 {
		return f.rec.Next(ready, last)
	}
	f.free = f.free[:0]
	for _, t := range ready {
		if w, is := f.parked[t]; is && w.until < f.now {
			delete(f.parked, t)
		}
		if _, is := f.parked[t]; !is {
			f.free = append(f.free, t)
		}
	}
	if len(f.free) == 0 { // all of them wait
		t := ready[f.r.IntN(len(ready))]
		delete(f.parked, t)
		f.free = append(f.free, t)
	}
	return f.rec.Next(f.free, last)
}

// Turn implements [interp.Observer].
func (f *follower) Turn(thread int) bool {
	f.running = thread
	return true
}

// Cut implements [interp.Observer].
func (f *follower) Cut(steps int64) { cutLast(f.rec, steps) }

// What follows is of no interest.

// Over implements [interp.Observer].
func (f *follower) Over() {}

// Waited implements [interp.Observer].
func (f *follower) Waited(uint64) {}

// Fails implements [interp.Observer].
func (f *follower) Fails(bool) {}

// Gives implements [interp.Observer].
func (f *follower) Gives(uint64) {}

// Creates implements [interp.Observer].
func (f *follower) Creates(int) {}

// Unknown implements [interp.Observer].
func (f *follower) Unknown(string) {}

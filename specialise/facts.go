package specialise

import (
	"maps"
	"sort"

	"comus/ir"
	"comus/logic"
	"comus/scan/cut"
	"comus/scan/pointsto"
)

// facts is what one run of the builder learned that the next one uses: which objects there are (a
// pointer may point to one of a thread that is taken apart later), which threads access which
// variables, and which variables keep their first value. What a run found holds for all executions, so
// the next run may rest on it, as long as no object turns up that the facts do not have.
type facts struct {
	addresses map[string]int64 // of objects, by their keys
	bases     []int64          // sorted
	extents   map[int64]int64
	next      int64
	apart     bool // objects of sizes that are not known do not overlap
	instances map[*pointsto.Object][]blueprint
	known     map[string]bool // keys in instances

	threads  int             // how many there were in the last run
	done     bool            // a run has been made: what follows can be used
	several  map[string]bool // variables that more than one thread accesses
	seen     map[string]bool // variables that were accessed
	constant map[string]bool // variables of globals that keep their initial value
	// What turned out not to hold after all, for good.
	conflicts, varies, unstable, notStationary, wide map[string]bool
	contested                                        map[string]bool // objects with conflicts
	rounds                                           int
	stationary                                       map[string]logic.Value       // what variables hold when main is no longer alone, and keep
	ranges                                           map[string]interval          // that variables are always in, if narrower than those of their types
	accessed                                         map[string]accesses          // objects, by threads that are not alone
	partitions                                       map[string]*partition        // of these objects
	parents                                          parents                      // of the threads
	vagueBy                                          map[*pointsto.Object]users   // accesses objects in a way that is not tracked
	absBy                                            map[*pointsto.Object]users   // accesses objects, by threads that are not alone
	weak                                             bool                         // there are atomic accesses that are not sequentially consistent, see happens.go
	spans                                            map[*pointsto.Object]int64   // the sizes of objects that come to be any number of times
	lifetimes                                        map[string]bool              // locals of which it is told whether they live, see lifetime.go
	codes                                            map[*pointsto.Object]int64   // that stand for an object as a whole
	stable                                           map[string]logic.Value       // what variables of the heap were given before their object was published, and keep
	ofMany                                           map[int]int                  // which threads are told or replicated
	parts                                            map[*pointsto.Object]extents // of objects that are accessed in a way that is not tracked, see starts.go
	slots                                            map[*pointsto.Object]slots   // where ids of threads are stored, see whereabouts.go
	continues                                        map[string][]int             // threads that continue their own release sequences of a variable by stores
	indexed                                          map[string]bool              // arrays that are accessed at an index that is not constant, see cells.go
	apartFor                                         map[string]bool              // objects whose arrays are taken apart all the same
	unset                                            unset                        // what may be indeterminate, see uninit.go
	readers                                          readers                      // see initialised.go
	summarised                                       []*pointsto.Object           // what there are summaries of
	blurred                                          map[*pointsto.Object]bool    // whose summaries have been given up
	cuts                                             map[cutKey]cut.Call          // which calls are left out
	asked                                            *asked                       // the places that the question is about; nil: all
	argvUsed, argvWritten, environmentWritten        bool                         // argv is accessed; may be changed; what getenv returned may be
	multiples                                        map[string]int               // of which steps variables are multiples
	odd                                              bool                         // that turned out not to hold once
}

func newFacts() *facts {
	return &facts{addresses: map[string]int64{}, extents: map[int64]int64{}, next: firstAddress,
		instances: map[*pointsto.Object][]blueprint{}, known: map[string]bool{}, blurred: map[*pointsto.Object]bool{}, parts: map[*pointsto.Object]extents{}, indexed: map[string]bool{}, apartFor: map[string]bool{}, unset: newUnset(), readers: newReaders(), cuts: map[cutKey]cut.Call{}}
}

// place gives an object its address.
func (s *facts) place(bp *blueprint) int64 {
	if a, ok := s.addresses[bp.key]; ok {
		return a
	}
	a := s.next
	if n := bp.align; n > alignment {
		a = (a + n - 1) / n * n
	}
	size := max(bp.size, 1)
	s.addresses[bp.key] = a
	s.bases = append(s.bases, a)
	s.extents[a] = size
	s.next = a + (size/alignment+2)*alignment
	if s.apart && bp.raw && bp.size < 0 && !bp.many {
		s.next = a + addressSpace
	}
	return a
}

// addressSpace is more than the bytes of any object of which it is not known how many there are.
const addressSpace = 1 << 47

// base returns the address of the object that an address lies in or right behind, 0 if there is none.
func (s *facts) base(addr int64) int64 {
	i := sort.Search(len(s.bases), func(i int) bool { return s.bases[i] > addr }) - 1
	if i < 0 || addr > s.bases[i]+s.extents[s.bases[i]] {
		return 0
	}
	return s.bases[i]
}

// isShared reports whether several threads may access a cell.
func (s *facts) isShared(key string) bool {
	return !s.done || !s.seen[key] || s.several[key] || s.conflicts[key]
}

// learn takes what a run found out from its program. It reports whether the run is consistent with what it
// took for granted: what an earlier run had found holds in its program, too.
func (s *facts) learn(b *builder) (consistent bool) {
	if !maps.Equal(s.ofMany, b.ofMany) { // threads have other numbers: objects that were theirs do not exist
		s.instances, s.known = map[*pointsto.Object][]blueprint{}, map[string]bool{}
	}
	consistent = s.learnObjects(b.made)
	for key := range b.indexed {
		consistent = consistent && s.indexed[key]
		s.indexed[key] = true
	}
	before := *s
	s.stable, s.constant, s.seen = map[string]logic.Value{}, map[string]bool{}, map[string]bool{}
	s.several = map[string]bool{}
	if s.conflicts == nil {
		s.conflicts, s.varies, s.unstable = map[string]bool{}, map[string]bool{}, map[string]bool{}
		s.notStationary, s.wide, s.contested = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	for key, t := range b.touched {
		s.seen[key], s.several[key] = true, t.several
	}
	for key := range before.seen { // what was folded away this time is as it was
		if !s.seen[key] {
			s.seen[key] = true
			s.several[key] = before.several[key]
		}
	}
	for key := range before.constant {
		if !s.varies[key] {
			s.constant[key] = true
		}
	}
	for v, c := range b.cellOf {
		if t, ok := b.touched[c.key]; ok && v.Thread >= 0 && (t.several || t.thread != v.Thread) {
			s.conflicts[c.key], s.contested[c.obj.key] = true, true
			consistent = false
		}
		if w := b.written[c.key]; w.stable && !b.keptFrom(c, w.value) {
			w.stable = false
			b.written[c.key] = w
		}
		switch {
		case v.Init == nil:
		case b.written[c.key].change:
			if before.constant[c.key] {
				s.varies[c.key], consistent = true, false
				delete(s.constant, c.key)
			}
		case !s.varies[c.key]:
			s.constant[c.key] = true
		}
	}
	for key, w := range b.written {
		if old, used := before.stable[key]; used && (!w.stable || w.value != old) {
			s.unstable[key], consistent = true, false
		}
		if w.stable && !s.unstable[key] {
			s.stable[key] = w.value
		}
	}
	for abs := range b.blurred {
		s.blurred[abs], consistent = true, false
	}
	if b.argv.used && !s.argvUsed || b.argv.written && !s.argvWritten || b.environmentWritten && !s.environmentWritten {
		consistent = false
	}
	s.environmentWritten = s.environmentWritten || b.environmentWritten
	s.argvUsed, s.argvWritten = s.argvUsed || b.argv.used, s.argvWritten || b.argv.written
	consistent = s.learnMultiples(b) && consistent
	consistent = s.learnParts(b) && consistent
	consistent = s.learnAccesses(b) && maps.Equal(s.ofMany, b.ofMany) && maps.Equal(s.slots, b.slots) && consistent
	s.ofMany, s.slots = b.ofMany, b.slots
	consistent = s.learnLifetimes(b) && consistent
	consistent = s.learnUnset(b) && consistent
	consistent = s.learnReaders(b) && consistent
	consistent = s.learnStationary(b, before.stationary) && consistent
	consistent = s.learnRanges(b, before.ranges) && consistent
	s.done = true
	s.rounds++
	return consistent && (s.rounds >= minRounds || before.done && !b.reads(s.news(&before)))
}

// news returns the variables of which facts say something that an earlier one did not know.
func (s *facts) news(t *facts) map[string]bool {
	news := map[string]bool{}
	for key := range s.seen {
		if t.isShared(key) && !s.isShared(key) || s.constant[key] && !t.constant[key] {
			news[key] = true
		}
	}
	for key, w := range s.stable {
		if old, ok := t.stable[key]; !ok || old != w {
			news[key] = true
		}
	}
	for key, w := range s.stationary {
		if old, ok := t.stationary[key]; !ok || old != w {
			news[key] = true
		}
	}
	for key, w := range s.ranges {
		if old, ok := t.ranges[key]; !ok || old != w {
			news[key] = true
		}
	}
	return news
}

// reads reports whether the program reads one of some variables: what is known of the others changes nothing.
func (b *builder) reads(keys map[string]bool) bool {
	if len(keys) == 0 {
		return false
	}
	for v := range b.readVars() {
		if c := b.cellOf[v]; c != nil && keys[c.key] {
			return true
		}
	}
	return false
}

// learnObjects notes which objects came to be. It reports whether all of them were known. In the first rounds those are
// forgotten that did not, which loops made that are not unrolled after all.
func (s *facts) learnObjects(made []blueprint) (known bool) {
	known = true
	for _, bp := range made {
		known = known && s.known[bp.key]
	}
	if s.rounds < minRounds {
		s.known, s.instances = map[string]bool{}, map[*pointsto.Object][]blueprint{}
	}
	for _, bp := range made {
		if !s.known[bp.key] && bp.abs != nil {
			s.instances[bp.abs] = append(s.instances[bp.abs], bp)
		}
		s.known[bp.key] = true
	}
	return known
}

// learnStationary notes what variables hold from when main is no longer alone. It reports whether what was taken for
// granted of that holds.
func (s *facts) learnStationary(b *builder, before map[string]logic.Value) (consistent bool) {
	consistent = true
	s.stationary = map[string]logic.Value{}
	for _, c := range b.cellOf {
		w, ok := b.atLeaving(c)
		ok = ok && !b.written[c.key].late
		if old, used := before[c.key]; used && (!ok || w != old) {
			s.notStationary[c.key], consistent = true, false
		}
		if ok && !s.notStationary[c.key] {
			s.stationary[c.key] = w
		}
	}
	return consistent
}

// learnRanges notes what bounds the values of variables: that it holds of the initial value and of all that is assigned if
// it holds of all variables before makes it an invariant. It reports whether what was taken for granted does.
func (s *facts) learnRanges(b *builder, before map[string]interval) (consistent bool) {
	consistent = true
	s.ranges = map[string]interval{}
	for _, c := range b.cellOf {
		w, has := b.written[c.key]
		if old, used := before[c.key]; used {
			if has && (!w.ranged || old.hull(w.rng) != old) {
				s.wide[c.key], consistent = true, false
				continue
			}
			w.rng, w.ranged, has = old, true, true
		}
		if lo, hi := c.v.Type.Range(); has && w.ranged && !s.wide[c.key] && (w.rng.lo != lo || w.rng.hi != hi) {
			s.ranges[c.key] = w.rng
		}
	}
	return consistent
}

// minRounds is how many runs are made: what one finds out makes the next one more precise.
const minRounds = 3

// keeps reports whether a command gives a variable the value that it has from the beginning.
func keeps(c ir.Cmd) bool {
	if c.Kind != ir.Assign || c.Var.Init == nil {
		return false
	}
	k, ok := c.Expr.Const()
	return ok && k == *c.Var.Init
}

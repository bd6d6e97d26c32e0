package machine

import (
	"slices"

	"comus/cir"
	"comus/memory"
)

// set is a set of events, of seq_cst ones.
type set uint64

func single(i id) set { return 1 << i }

// past is what a view knows about seq_cst events.
type past struct {
	wrote  [MaxLocations]id  // of each location the newest write that happens before
	fences set               // the seq_cst fences that happen before
	at     [MaxLocations]set // the seq_cst accesses to each location that happen before
	left   set               // the first step of po≠loc ; hb ; po≠loc: seq_cst accesses after which, in their threads, an event elsewhere comes that happens before
}

// own is what a thread knows of its own seq_cst accesses. Creation and join are events without a location on both sides, so program order across threads, which RC11's axioms take for program order,
// is always po≠loc ; hb ; po≠loc, and nothing has to be known of the other thread.
type own struct {
	before [MaxLocations]set     // the seq_cst accesses to each location
	apart  [MaxLocations + 1]set // of the events at each location, or none, what they knew as left: the first two steps of po≠loc ; hb ; po≠loc
}

// elsewhere is the union of sets of other locations.
func elsewhere(sets []set, loc int) (all set) {
	for l, s := range sets {
		if l != loc {
			all |= s
		}
	}
	return all
}

// sources are the seq_cst events that have to be before what an event is before by scb: itself, and the seq_cst fences that happen before it.
type sources struct{ fences, self set }

func (s sources) all() set { return s.fences | s.self }

// seqCst is a seq_cst event that was executed.
type seqCst struct {
	id
	before      set // the seq_cst events that have to be before it, transitively
	fence       bool
	wrote, seen [MaxLocations]id // of a fence, what its thread knew
}

// scOrder is the order of seq_cst events, as far as it has to be.
type scOrder []seqCst

func (o scOrder) encode(b []byte) []byte {
	for _, s := range o {
		b = append(b, byte(s.id))
		b = encodeSets(b, s.before)
		for l := range s.seen {
			b = append(b, byte(s.wrote[l]), byte(s.seen[l]))
		}
	}
	return b
}

// require has some events be before another one. It reports whether that leaves an order.
func (o scOrder) require(first set, then id) bool {
	for s := range o {
		if x := &o[s]; first&single(x.id) != 0 {
			first |= x.before
		}
	}
	if first&single(then) != 0 {
		return false
	}
	for s := range o {
		if x := &o[s]; x.id == then || x.before&single(then) != 0 {
			x.before |= first
		}
	}
	return true
}

// add adds a seq_cst event.
func (o *scOrder) add(s seqCst) {
	at, _ := slices.BinarySearchFunc(*o, s.id, func(x seqCst, i id) int { return int(x.id) - int(i) })
	*o = slices.Insert(*o, at, s)
}

// enter notes an event of a thread, which has been added and has acquired what it acquires. It puts a seq_cst access behind the accesses that have to be before it by program order and happens-before,
// and a seq_cst fence behind what is before it by the writes that it knows.
func (m *views) enter(t int, i id) (sources, bool) {
	e, x := m.event(i), &m.know[t]
	loc := MaxLocations
	if e.Kind == memory.Read || e.Kind == memory.Write {
		loc = int(e.Loc)
	}
	x.apart[loc] |= x.cur.left
	x.cur.left |= elsewhere(x.before[:], loc)
	from := sources{fences: x.cur.fences}
	switch {
	case e.Order != cir.SeqCst || e.Kind == memory.Other:
		return from, true
	case e.Kind == memory.Fence:
		x.cur.fences |= single(i)
		m.order.add(seqCst{id: i, fence: true, wrote: x.cur.wrote, seen: x.cur.seen})
		return from, m.order.require(m.known(&x.cur), i)
	}
	first := x.cur.at[loc]              // hb|loc
	first |= elsewhere(x.apart[:], loc) // po≠loc ; hb ; po≠loc
	for _, s := range x.before {
		first |= s // po
	}
	x.before[loc] |= single(i)
	x.cur.at[loc] |= single(i)
	from.self = single(i)
	m.order.add(seqCst{id: i})
	return from, m.order.require(first, i)
}

// known returns what has to be before a seq_cst fence because of the writes that it knows: (mo ∪ rb) ; hb, and for other fences hb ; eco ; hb.
func (m *views) known(v *view) (all set) {
	for l := range v.seen {
		wrote, seen := m.place(l, v.wrote[l]), m.place(l, v.seen[l])
		for at := range m.messages[l][:seen+1] {
			w := &m.messages[l][at]
			if at < wrote {
				all |= w.sources.all() | w.readers
			}
			all |= w.sources.fences
			if at < seen {
				all |= w.readers & m.order.fences()
			}
		}
	}
	return all
}

// fences returns the fences among the seq_cst events.
func (o scOrder) fences() (all set) {
	for s := range o {
		if o[s].fence {
			all |= single(o[s].id)
		}
	}
	return all
}

// overtakes puts what comes with an event, which is at a place of its location, before the seq_cst events that are behind it by mo or rb, or know a newer write.
func (m *views) overtakes(i id, from sources, at int) bool {
	loc := int(m.event(i).Loc)
	for s := range m.order {
		x := m.order[s]
		var first set
		switch {
		case !x.fence:
			if e := m.event(x.id); e.Kind == memory.Write && int(e.Loc) == loc && x.id != i && m.place(loc, x.id) > at {
				first = from.all()
			}
		case m.place(loc, x.wrote[loc]) > at:
			first = from.all()
		case m.place(loc, x.seen[loc]) > at:
			first = from.fences
		}
		if first != 0 && !m.order.require(first, x.id) {
			return false
		}
	}
	return true
}

// follows puts a seq_cst write behind what is before it by mo or rb.
func (m *views) follows(i id, at int) bool {
	if m.event(i).Order != cir.SeqCst {
		return true
	}
	var first set
	for k := range m.messages[m.event(i).Loc][:at] {
		w := &m.messages[m.event(i).Loc][k]
		first |= w.sources.all() | w.readers
	}
	return m.order.require(first, i)
}

package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// setting is what is known at an access in one way to get there.
type setting struct {
	held []lock
	ptrs [][]name  // of the pointers of what the instruction touches
	from [][]reach // what these were made of
	own  []bool    // those that lead to objects which no other thread knows
	args []bool    // of a call, the arguments that lead to such objects, which stay so as long as the call lasts
}

// at is an instruction of an activation.
type at struct {
	a  *activation
	in cir.Located
}

// group is one of a location, as far as its claims are confirmed.
type group struct {
	*certificate.Group
	t       *thread
	running set
	own     bool
	locks   []groupLock
	has     map[certificate.Access]bool
	// piece is what all accesses go to that were looked at, if each thread has one of its own; pieced tells that there was one.
	piece  *piece
	pieced bool
	// at is what is known of when all accesses were made that were looked at; nil: there was none.
	at *moment
	// relaxed tells that one of its accesses is an atomic one that does not synchronise.
	relaxed bool
}

// groupLock is a lock that all accesses of a group hold.
type groupLock struct {
	keys    []certificate.Key
	at      []pointsto.Location
	reading bool
}

// location is one that is claimed to be race-free.
type location struct {
	*certificate.Location
	groups []*group
	wrong  string // why it is not certified
	open   bool   // because groups may race
	// noted: that it is not certified was taken account of. wide: accesses of it go to other bytes, too.
	noted, wide bool
	// apart are the threads of which it is claimed that accesses go to what belongs to different ones.
	apart map[*thread]bool
}

// locations verifies what is claimed of locations.
type locations struct {
	*threads
	locks    *locks
	list     []*location
	of       map[int][]*location // by object
	contexts map[at]setting
	reached  map[*thread]map[int][]*activation // by the number of their copy
	spoils   map[*pointsto.Object][]spoil
	public   publication
	coverage coverage
	gifts    gifts
	tickets  tickets
	signals  signals
	barriers barriers
	hidden   hiddenState
	assumed  assumed
	given    Pairs
	left     left
	// transfers are those that are claimed; each is looked at when it is needed.
	transfers []*transfer
	counting  counting
	handing   handing
	latches   latches
	// unnoted is called before the writes of an object are asked for, where they are noted only then; nil: all are noted.
	unnoted func(*pointsto.Object)
	under   map[*pointsto.Object][]*pointsto.Object
}

// spoil is a write to a lock that is none of its operations.
type spoil struct {
	t       *thread
	running set
	at      pointsto.Location
	copy    int
	in      cir.Located
}

func newLocations(ts *threads, x *locks, c *certificate.Certificate, given Pairs) (*locations, error) {
	ls := &locations{threads: ts, given: given, locks: x, of: map[int][]*location{}, contexts: map[at]setting{}, reached: map[*thread]map[int][]*activation{},
		spoils: map[*pointsto.Object][]spoil{}, public: newPublication(), coverage: newCoverage(), gifts: newGifts(), signals: newSignals(c), barriers: newBarriers(c), latches: newLatches(c), hidden: newHiddenState(), assumed: assumed{}, under: map[*pointsto.Object][]*pointsto.Object{}}
	for i := range c.Transfers {
		ls.transfers = append(ls.transfers, &transfer{Transfer: &c.Transfers[i]})
	}
	for i := range c.Locations {
		l := &location{Location: &c.Locations[i]}
		if l.Object < 0 || l.Object >= len(ts.pts.Objects) || len(l.Pairs) != len(l.Groups)*(len(l.Groups)+1)/2 {
			return nil, fmt.Errorf("location %d: no such object, or not all pairs of groups", i)
		}
		for k := range l.Groups {
			g, err := ls.group(&l.Groups[k])
			if err != nil {
				return nil, fmt.Errorf("location %d: %w", i, err)
			}
			l.groups = append(l.groups, g)
		}
		ls.list = append(ls.list, l)
		if l.Suspected {
			l.wrong = "it has suspects"
		}
		switch l.Kind {
		case certificate.Memory, certificate.Freed:
			ls.of[l.Object] = append(ls.of[l.Object], l)
		case certificate.Hidden:
			if l.State == "" {
				l.wrong = "it names no state of the library"
			}
		default:
			return nil, fmt.Errorf("location %d: no kind %q", i, l.Kind)
		}
	}
	return ls, nil
}

func (ls *locations) group(g *certificate.Group) (*group, error) {
	if g.Thread < 0 || g.Thread >= len(ls.threads.list) {
		return nil, fmt.Errorf("thread %d", g.Thread)
	}
	x := &group{Group: g, t: ls.threads.list[g.Thread], own: g.Own, has: map[certificate.Access]bool{}}
	var err error
	if x.running, err = setOf(g.Running, len(ls.threads.list)); err != nil {
		return nil, err
	}
	for _, l := range g.Locks {
		places, err := ls.locks.readAt(l.At)
		if err != nil {
			return nil, err
		}
		x.locks = append(x.locks, groupLock{slices.Clone(l.Keys), places, l.Reading})
	}
	for _, a := range g.Accesses {
		x.has[a] = true
	}
	return x, nil
}

// check verifies all locations, given that the claims about threads are right, and those about locks that are left.
func (ls *locations) check() {
	ls.locks.seen = func(a *activation, in cir.Located, s *state) {
		x := setting{held: s.held}
		if len(s.held)+len(s.owned) > 0 {
			for _, t := range ls.touches(in, a.copy) {
				names, _ := ls.locks.operand(a.copy, s, t.ptr)
				n, named := s.value(t.ptr)
				x.from = append(x.from, ls.reaches(a, in, s, t.ptr))
				x.ptrs, x.own = append(x.ptrs, names), append(x.own, named && s.owned[n.Base])
			}
			x.args = borrowed(in, s)
		}
		ls.contexts[at{a, in}] = x
	}
	for _, a := range ls.locks.all {
		ls.locks.walk(a)
	}
	ls.locks.seen = nil
	ls.findSignals()
	ls.findBarriers()
	ls.findTickets()
	ls.findLatches()
	for _, t := range ls.threads.list {
		ls.reached[t] = ls.reach(t)
		for _, n := range t.order {
			ls.each(t, n, func(in cir.Located, running set) { ls.visit(t, n.copy, in, running) }, func(*cir.Block, effect) {})
		}
	}
	ls.judge()
}

// reach returns the activations that a thread may run.
func (ls *locations) reach(t *thread) map[int][]*activation {
	m := map[int][]*activation{}
	seen := map[*activation]bool{}
	var work []*activation
	for c := range t.nodes {
		if a := ls.locks.rootOf(c); ls.locks.roots[c] && a != nil && !seen[a] {
			seen[a] = true
			work = append(work, a)
		}
	}
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		m[ls.number[a.copy]] = append(m[ls.number[a.copy]], a)
		for _, to := range a.to {
			for _, b := range to {
				if !seen[b] {
					seen[b] = true
					work = append(work, b)
				}
			}
		}
	}
	return m
}

// contextsOf returns what is known where a thread runs an instruction of a copy, for each way to get there. What the library does is done at the
// program's call; own tells that it is not the library's.
func (ls *locations) contextsOf(t *thread, c int, in cir.Located) (list []setting, own bool) {
	cp := ls.copies[c]
	if !cp.Func.Library {
		return ls.contextsIn(t, []int{c}, in), true
	}
	call := cp.Ctx.Call
	if call == nil || t.Group != nil && *t.Group == ls.places[call] {
		return []setting{{}}, false
	}
	var from []int
	for k := range t.nodes {
		if ls.copies[k].Func.Name == ls.places[call].Func {
			from = append(from, k)
		}
	}
	return ls.contextsIn(t, from, call), false
}

func (ls *locations) contextsIn(t *thread, copies []int, in cir.Located) (list []setting) {
	for _, c := range copies {
		if ls.locks.bare[c] || len(ls.reached[t][c]) == 0 {
			return []setting{{}}
		}
		for _, a := range ls.reached[t][c] {
			if x, ok := ls.contexts[at{a, in}]; ok {
				list = append(list, x)
			}
		}
	}
	if len(list) == 0 {
		return []setting{{}}
	}
	return list
}

// visit is a thread at an instruction of a copy.
type visit struct {
	t       *thread
	copy    int
	in      cir.Located
	running set
	// contexts are the ways to get there, once they were asked for; direct tells that they are about the instruction itself.
	contexts []setting
	direct   bool
	sync     bool // what is accessed now is what threads synchronise by, within the library
}

// visit looks at what a thread accesses by an instruction of a copy.
func (ls *locations) visit(t *thread, c int, in cir.Located, running set) {
	ls.noteSpoils(t, c, in, running)
	ls.assumed.by(ls, c, in)
	if call, ok := in.(*cir.Call); ok {
		ls.useStates(t, c, call, running)
	}
	v := visit{t: t, copy: c, in: in, running: running}
	for _, x := range ls.accessed(c, in) {
		v.sync = x.sync
		ls.memory(ls.copies[c], x.touch, func(l pointsto.Location, bytes extent) {
			if !librarys(l.Obj, ls.copies[c].Func) {
				ls.at(&v, x.touch, l, bytes, x.ptr, x.arg)
			}
		})
	}
}

// at looks at an access of some bytes of an object by a pointer of the instruction's; -1: by another one. That may be an argument of a call; -1: it is none.
func (ls *locations) at(v *visit, x touch, l pointsto.Location, bytes extent, ptr, arg int) {
	ls.coverage.note(v.t, l.Obj, &x, bytes)
	if x.write {
		ls.noteWrite(v, l.Obj, bytes)
		ls.noteCell(v, l.Obj, bytes, x.frees)
	}
	if s := stateOf(l.Obj, ls.copies[v.copy].Func); s != "" {
		ls.use(hiddenKey{s, -1}, v.t, v.copy, v.in, v.running, x.write, false)
	}
	if !v.sync {
		ls.unlisted(v.t, l.Obj, &x, bytes)
	}
	if len(ls.of[l.Obj.ID]) == 0 {
		return
	}
	if v.contexts == nil {
		v.contexts, v.direct = ls.contextsOf(v.t, v.copy, v.in)
	}
	if !v.direct {
		ptr = -1
	}
	for _, loc := range ls.of[l.Obj.ID] {
		ls.covered(loc, &access{t: v.t, in: v.in, copy: v.copy, running: v.running, touch: x, bytes: bytes, ptr: ptr, arg: arg}, v.contexts)
	}
}

// access is one that has to be in a group.
type access struct {
	t       *thread
	in      cir.Located
	copy    int
	running set
	touch
	bytes extent
	ptr   int // the number of the pointer in contexts, -1: none there
	arg   int // the number of the argument that the pointer is, -1: it is none
	piece *piece
	about *pointsto.Object // whose bytes count; nil: any object's
	life  bool             // what counts is that the object still is there, all of it
}

// covered verifies that a location has a group for an access, for each way to get there.
func (ls *locations) covered(l *location, a *access, contexts []setting) {
	x := *a
	if x.bytes.meets(extent{l.Lo, l.Hi}) {
		l.wide = l.wide || x.bytes.lo < l.Lo || l.Hi < x.bytes.hi
	}
	switch l.Kind {
	case certificate.Freed:
		x.scalar, x.bytes, x.life = false, everywhere, true
		if !x.frees {
			x.write, x.atomic = false, true
		}
	default:
		if x.frees || !x.bytes.meets(extent{l.Lo, l.Hi}) {
			return
		}
	}
	if l.wrong != "" || ls.single() { // no two accesses of one thread are a data race, whatever is said of them
		return
	}
	x.piece = ls.pieceAt(l, a)
	p := ls.places[a.in]
	key := certificate.Access{Copy: a.copy, Block: p.Block, Instr: p.Instr}
	for _, c := range contexts {
		own := x.ptr >= 0 && x.ptr < len(c.own) && c.own[x.ptr] || x.arg >= 0 && x.arg < len(c.args) && c.args[x.arg] && x.span != reaching || firstContents(ls.copies[a.copy].Func, &x)
		best, locks := ls.best(l, key, &x, c, own)
		if best == nil && !own { // what is said to be owned is not
			best, locks = ls.best(l, key, &x, c, true)
		}
		if best == nil {
			l.wrong = fmt.Sprintf("the access at %s is in no group that says what it is", position(a.in))
			return
		}
		best.relaxed = best.relaxed || isRelaxed(a.in)
		best.notePiece(x.piece)
		best.noteMoment(ls.momentOf(a.t, a.copy, a.in))
		if !equal(locks, best.locks) {
			ls.refuse("%s: locks that are held at %s", l.Name, position(a.in))
			best.locks = locks
		}
		if best.own && !own {
			best.own = false
			ls.refuse("%s: that no other thread knows what is accessed at %s", l.Name, position(a.in))
		}
	}
}

// best returns the group that an access is in, and what of the group's locks it holds; own tells that it may be one of owned objects.
func (ls *locations) best(l *location, key certificate.Access, x *access, c setting, own bool) (best *group, locks []groupLock) {
	for _, g := range l.groups {
		if g.t != x.t || !g.has[key] || g.own && !own || !ls.fits(g, x, c) {
			continue
		}
		held := ls.confirmed(g, x, c)
		if best == nil || equal(held, g.locks) || len(held) > len(locks) && !equal(locks, best.locks) {
			best, locks = g, held
		}
	}
	return best, locks
}

// fits reports whether a group says what an access is, its locks aside.
func (ls *locations) fits(g *group, x *access, c setting) bool {
	section := slices.ContainsFunc(c.held, func(l lock) bool { return l.is(name{Base: "atomic"}) })
	switch {
	case x.write && !g.Write, g.Atomic && !x.atomic && !section, !x.running.within(g.running):
		return false
	case g.Scalar && (!x.scalar || x.bytes != extent{g.Lo, g.Hi} || x.bytes == everywhere):
		return false
	}
	return true
}

func equal(x, y []groupLock) bool {
	return slices.EqualFunc(x, y, func(l, m groupLock) bool { return len(l.keys) == len(m.keys) })
}

// confirmed returns what of a group's locks an access holds in a context.
func (ls *locations) confirmed(g *group, x *access, c setting) (out []groupLock) {
	for _, l := range g.locks {
		var best []certificate.Key
		for _, m := range c.held {
			if m.reading && !l.reading || len(l.at) == 0 || !within(m.at, l.at) {
				continue
			}
			var keys []certificate.Key
			for _, k := range l.keys {
				if ls.isKey(k, &m, x, c) {
					keys = append(keys, k)
				}
			}
			if len(keys) > len(best) {
				best = keys
			}
		}
		if len(best) > 0 {
			out = append(out, groupLock{best, l.at, l.reading})
		}
	}
	return out
}

// pairs verifies that the groups of a location do not race: by the reasons, or as it is known of all their accesses. Of the others all are looked at, as who
// asks wants to know what is left.
func (ls *locations) pairs(l *location) {
	if l.wrong != "" && !l.open {
		return
	}
	void := ls.public.void[ls.pts.Objects[l.Object]]
	n := 0
	for i, g := range l.groups {
		for _, h := range l.groups[i:] {
			why := l.Pairs[n]
			n++
			if !ls.excluded(why, g, h, void) && !(why == certificate.Transferred && ls.transferred(ls.pts.Objects[l.Object], g, h)) && !(why == certificate.Counted && ls.counted(ls.pts.Objects[l.Object], g, h)) && !ls.handedOver(why, ls.pts.Objects[l.Object], g, h) && !ls.givenFor(g, h) && l.wrong == "" {
				l.wrong, l.open = fmt.Sprintf("accesses of thread %d and thread %d are not excluded (%s)", g.Thread, h.Thread, why), true
			}
		}
	}
}

// excluded reports whether two groups do not race for a reason; void tells that owning the object is of no use.
func (ls *locations) excluded(why string, g, h *group, void bool) bool {
	switch why {
	case certificate.Ordered:
		return ls.single() || !ls.concurrent(g.t, g.running, h.t, h.running)
	case certificate.ReadOnly:
		return !g.Write && !h.Write
	case certificate.Atomic:
		return g.Atomic && h.Atomic
	case certificate.Own:
		return !void && (g.own || h.own) || ls.apart(g, h) // it may be known here by whom it belongs to only
	case certificate.Locked:
		return ls.common(g, h)
	case certificate.Apart:
		return ls.apart(g, h)
	case certificate.Signalled:
		return ls.signalled(g, h)
	case certificate.Latched:
		return ls.latched(g, h)
	case certificate.Phased:
		return ls.phased(g, h)
	case certificate.Assigned:
		return ls.assigned(g) && ls.assigned(h)
	}
	return false
}

// common reports whether two groups hold the same lock, not both for reading, which nobody writes to meanwhile.
func (ls *locations) common(g, h *group) bool {
	same := g.Scalar && h.Scalar && g.Lo == h.Lo && g.Hi == h.Hi
	for _, l := range g.locks {
		for _, m := range h.locks {
			if l.reading && m.reading || ls.spoilt(l, g, h) || ls.spoilt(m, g, h) {
				continue
			}
			for _, k := range l.keys {
				if (same || k.Kind != certificate.Address) && slices.Contains(m.keys, k) {
					return true
				}
			}
		}
	}
	return false
}

// spoilt reports whether a lock is none, or somebody may write to it while accesses of two groups need it.
func (ls *locations) spoilt(l groupLock, g, h *group) bool {
	if !ls.locks.semaphores.excludes(l.at) {
		return true
	}
	for _, p := range l.at {
		for _, s := range ls.spoils[p.Obj] {
			if overlap([]pointsto.Location{p}, []pointsto.Location{s.at}) && (ls.meets(s, g) || ls.meets(s, h)) && !ls.keepsLock(p, s) {
				return true
			}
		}
	}
	return false
}

// meets reports whether a write to a lock may come while a thread holds it that makes accesses of a group: not if one of the two threads has ended
// when the other one begins. What the thread itself does in between is known.
func (ls *locations) meets(s spoil, g *group) bool {
	switch {
	case s.t == g.t:
		return s.t.Many
	case g.t.desc.has(s.t.index): // it may hold the lock since before it created that thread
		return true
	}
	return ls.parallel(s.t, s.running, g.t, g.running)
}

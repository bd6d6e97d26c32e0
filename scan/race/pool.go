package race

import (
	"cmp"
	"encoding/binary"
	"slices"

	"comus/check/scancheck"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// An access through a pointer may go to thousands of objects, and thousands of accesses go to the same ones. So what goes to the same
// destinations is collected once for all of them, in a pool; a place has the pools that it is a destination of, and is given
// the groups of accesses that they have when it is looked at.

// destination is bytes of a place that accesses of a pool go to.
type destination struct {
	slot *slot
	x    extent
	obj  *pointsto.Object
}

// pool has the accesses that go to the same destinations.
type pool struct {
	bunches map[*kind]*bunch
	order   []*bunch
	objects []*pointsto.Object // of the destinations, perhaps some of them several times
}

// bunch is accesses of a pool of the same kind.
type bunch struct {
	kind *kind
	list []*access
	at   []*access // of list, one of each place in the program; nil: not known yet
}

// places returns the first access of each place in the program.
func (b *bunch) places() []*access {
	if b.at == nil {
		b.at = onePerSite(b.list)
	}
	return b.at
}

// kind is what decides about races, but for the bytes that are accessed.
type kind struct {
	t       *thread.Thread
	write   bool
	atomic  bool
	scalar  bool // a scalar of just these bytes
	own     bool // made before another thread may know the object
	sync    bool // of what threads synchronise by, within the library
	relaxed bool
	piece   *scancheck.Piece // that belongs to the thread; nil: not known
	moment  scancheck.Moment
	running thread.Set
	runKey  string
	locks   []lockset.Held
	lockKey string

	rank int // in the order of kinds of a thread
}

// kindKey is what tells kinds apart, with numbers for what may be running and for sets of locks.
type kindKey struct {
	t, running, locks, piece                  int32
	write, atomic, scalar, own, sync, relaxed bool
	moment                                    scancheck.Moment
}

// use is a pool of a place.
type use struct {
	pool *pool
	x    extent
	obj  *pointsto.Object
}

// poolFor returns the pool of some destinations, none of them twice; nil if there are none.
func (c *collector) poolFor(to []destination) *pool {
	if len(to) == 0 {
		return nil
	}
	key := make([]byte, 0, 24*len(to))
	for _, d := range to {
		key = binary.LittleEndian.AppendUint64(key, uint64(d.slot.number))
		key = binary.LittleEndian.AppendUint64(key, uint64(d.x.lo))
		key = binary.LittleEndian.AppendUint64(key, uint64(d.x.hi))
	}
	p := c.pools[string(key)]
	if p == nil {
		p = &pool{bunches: map[*kind]*bunch{}}
		c.pools[string(key)] = p
		for _, d := range to {
			d.slot.uses = append(d.slot.uses, use{p, d.x, d.obj})
			p.objects = append(p.objects, d.obj)
		}
	}
	return p
}

// slot returns what is known of a place.
func (c *collector) slot(p place) *slot {
	s := c.slots[p]
	if s == nil {
		s = &slot{p: p, number: len(c.slots)}
		c.slots[p] = s
		c.order = append(c.order, s)
	}
	return s
}

// whole returns the pool of what goes to all of a place and nowhere else.
func (c *collector) whole(p place) *pool {
	s := c.slot(p)
	if s.whole == nil {
		s.whole = c.poolFor([]destination{{s, everywhere, p.obj}})
	}
	return s.whole
}

// add adds an access to a pool, once for each set of locks that may be held. of has what is known of any thread's.
func (c *collector) add(p *pool, of kind, held []heldSet, m *moment) {
	if m.key == "" {
		m.key = m.running.Key()
		m.number = numberOf(c.running, m.key)
	}
	if m.access == nil {
		m.access = c.newAccess(m.n, m.in)
	}
	for _, ls := range held {
		k := c.kindOf(of, ls, m)
		b := p.bunches[k]
		if b == nil {
			b = &bunch{kind: k}
			p.bunches[k] = b
			p.order = append(p.order, b)
		}
		// An instruction is visited once, so its accesses come one after the other.
		if n := len(b.list); n == 0 || b.list[n-1] != m.access {
			b.list = append(b.list, m.access)
		}
	}
}

// kindOf returns the kind of accesses at a moment with some locks.
func (c *collector) kindOf(of kind, ls heldSet, m *moment) *kind {
	key := kindKey{int32(m.t.Index), m.number, ls.number, c.rules.number(of.piece), of.write, of.atomic, of.scalar, of.own, of.sync, of.relaxed, m.moment}
	k := c.kinds[key]
	if k == nil {
		k = &of
		k.t, k.running, k.runKey, k.locks, k.lockKey, k.moment = m.t, m.running, m.key, ls.locks, ls.key, m.moment
		c.kinds[key] = k
	}
	return k
}

// rankKinds puts kinds in order.
func (c *collector) rankKinds() {
	list := make([]*kind, 0, len(c.kinds))
	for _, k := range c.kinds {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(a.t.Index, b.t.Index), order(a.write, b.write), order(a.atomic, b.atomic), order(a.scalar, b.scalar), order(a.own, b.own),
			cmp.Compare(a.runKey, b.runKey), cmp.Compare(a.lockKey, b.lockKey), order(a.sync, b.sync), order(a.relaxed, b.relaxed),
			cmp.Compare(c.rules.number(a.piece), c.rules.number(b.piece)), cmp.Compare(a.moment, b.moment))
	})
	for i, k := range list {
		k.rank = i
	}
}

func order(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// groupsOf returns the groups of accesses of a place, in order.
func (c *collector) groupsOf(s *slot) (list []*group) {
	type entry struct {
		*use
		*bunch
	}
	var all []entry
	for i := range s.uses {
		u := &s.uses[i]
		for _, b := range u.pool.order {
			all = append(all, entry{u, b})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.kind.t.Index, b.kind.t.Index), cmp.Compare(a.x.lo, b.x.lo), cmp.Compare(a.x.hi, b.x.hi), cmp.Compare(a.kind.rank, b.kind.rank))
	})
	for i, e := range all {
		if i > 0 && all[i-1].kind == e.kind && all[i-1].x == e.x {
			g := list[len(list)-1]
			g.bunches = append(g.bunches, e.bunch)
			continue
		}
		list = append(list, &group{kind: e.kind, x: e.x, obj: e.obj, state: s.p.state, bunches: []*bunch{e.bunch}})
	}
	return list
}

// group is accesses of a place that are alike in all that decides about races.
type group struct {
	*kind
	x       extent
	obj     *pointsto.Object
	bunches []*bunch
	all, at []*access // nil: not known yet
	absent  answer    // the thread makes none of the accesses
	state   string    // of the place
}

// answer is one to a question that is asked once.
type answer uint8

const (
	unasked answer = iota
	yes
	no
)

// list returns the accesses of a group, each once.
func (g *group) list() []*access {
	if g.all == nil {
		g.all = g.join(func(b *bunch) []*access { return b.list })
	}
	return g.all
}

// places returns the first access of each place in the program.
func (g *group) places() []*access {
	if g.at == nil {
		g.at = g.join((*bunch).places)
		if len(g.bunches) > 1 {
			g.at = onePerSite(g.at)
		}
	}
	return g.at
}

// join returns some accesses of all bunches of a group, in order, each once.
func (g *group) join(of func(*bunch) []*access) (list []*access) {
	if len(g.bunches) == 1 {
		return of(g.bunches[0])
	}
	for _, b := range g.bunches {
		list = append(list, of(b)...)
	}
	slices.SortFunc(list, func(a, b *access) int { return cmp.Compare(a.number, b.number) })
	return slices.Compact(list)
}

// size returns how many accesses a group has at most.
func (g *group) size() (n int) {
	for _, b := range g.bunches {
		n += len(b.list)
	}
	return n
}

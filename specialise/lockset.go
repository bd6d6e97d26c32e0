package specialise

import (
	"bytes"
	"maps"
	"slices"

	"comus/cir"
)

// Most accesses are no race because of a lock that both threads hold, or since one thread is created after the access of another, or
// has been joined before. That is found without any engine: for each location of a thread, which locks it holds there in any case,
// which threads it may have created by then, and which have ended for sure, as the greatest solution along the edges of its graph
// ([builder.guardAll]). Of all accesses that a thread makes to one place in one way, what they have in common is kept, a [guard], and
// pairs of guards decide what is asked ([parents.ordered]). What holds of locks holds of happens-before, too: a lock that is
// taken synchronises with whoever gave it back.
//
// A lock is a scalar that is only changed by taking it and giving it back. Other writes, by which it is initialised or
// overwritten, have to be ordered with all its uses, or it protects nothing ([locksets.spoil]).

// mode is how a lock is held.
type mode uint8

const (
	forReading mode = iota + 1
	forWriting
)

// guard is what all of some accesses of a thread have in common, apart for the times between creations and joins.
type guard struct {
	many  bool   // by any number of threads
	parts []part // none: there are no accesses
}

// part is what the accesses of a guard at some time have in common.
type part struct {
	locks   map[string]mode // held each time, by their cells
	created threadSet       // by the thread, before some of them
	ended   threadSet       // before each of them
}

// maxParts bounds the times that a guard tells from others.
const maxParts = 16

// meet adds accesses that are made in a state.
func (g *guard) meet(h part) {
	for i := range g.parts {
		p := &g.parts[i]
		same := p.created == h.created && p.ended == h.ended
		if !same && (i < maxParts-1 || len(g.parts) < maxParts) {
			continue
		}
		maps.DeleteFunc(p.locks, func(l string, _ mode) bool { return h.locks[l] == 0 })
		for l, m := range p.locks {
			p.locks[l] = min(m, h.locks[l])
		}
		p.created, p.ended = p.created.or(h.created), p.ended.and(h.ended)
		return
	}
	g.parts = append(g.parts, part{maps.Clone(h.locks), h.created, h.ended})
}

// part returns what is known as a part of a guard.
func (h *held) part() part { return part{h.locks, h.created, h.ended} }

// join adds the accesses of another guard.
func (g *guard) join(h *guard) {
	for _, p := range h.parts {
		g.meet(p)
		g.many = g.many || h.many
	}
}

// seen reports whether there are accesses.
func (g *guard) seen() bool { return len(g.parts) > 0 }

// covers reports whether what is taken for granted of a guard holds of another one.
func (g *guard) covers(h *guard) bool {
	return (g.many || !h.many || !h.seen()) && !slices.ContainsFunc(h.parts, func(q part) bool {
		return !slices.ContainsFunc(g.parts, func(p part) bool { return p.covers(q) })
	})
}

func (p part) covers(q part) bool {
	for l, m := range p.locks {
		if q.locks[l] < m {
			return false
		}
	}
	return q.created.within(p.created) && p.ended.within(q.ended)
}

// user is a thread that accesses a place in some way.
type user struct {
	thread int
	kind   accessKind
	where  int // it is, of what the question is about: see about.go
}

// users are all that access a place.
type users map[user]*guard

// of returns the guard of a user, made if there is none.
func (us users) of(u user) *guard {
	if us[u] == nil {
		us[u] = &guard{}
	}
	return us[u]
}

// join adds other users.
func (us users) join(more users) {
	for u, g := range more {
		us.of(u).join(g)
	}
}

// parents tells which thread creates each one.
type parents []int

// parentsOf returns who creates threads.
func parentsOf(threads []*thread) parents {
	ps := make(parents, len(threads))
	for i, t := range threads {
		ps[i] = t.parent
	}
	return ps
}

// against returns who accesses a place such that it could be a race with what a user does there, whose guard is
// not nil if it is known.
func (s *facts) against(us users, me user, mine *guard) *byKind {
	by := &byKind{}
	for u, g := range us {
		if !g.seen() || !conflicts(me.kind, u.kind) || u.thread == me.thread && !g.many || !s.asked.pairs(me.where, u.where) {
			continue
		}
		if mine == nil || !mine.seen() || !s.parents.ordered(me.thread, mine, u.thread, g) {
			by[u.kind].add(u.thread, g.many, s.ofMany[u.thread] == distinguished)
		}
	}
	return by
}

// ordered reports whether accesses of two threads, or of two instances of one, never come together: they share a lock, or one thread
// does not run while the other makes its accesses.
func (ps parents) ordered(t int, g *guard, u int, h *guard) bool {
	for _, p := range g.parts {
		for _, q := range h.parts {
			if !p.shares(q) && (t == u || !p.ended.has(u) && !q.ended.has(t) && !ps.before(t, g.many, p, u) && !ps.before(u, h.many, q, t)) {
				return false
			}
		}
	}
	return true
}

// shares reports whether accesses are made with a lock held that excludes others.
func (p part) shares(q part) bool {
	for l, m := range p.locks {
		if n := q.locks[l]; n != 0 && (m == forWriting || n == forWriting) {
			return true
		}
	}
	return false
}

// before reports whether a thread has not been created where accesses of another one are made, which creates it or a thread
// that it descends from.
func (ps parents) before(t int, many bool, p part, u int) bool {
	if many {
		return false
	}
	for u > t && u < len(ps) {
		creator := ps[u]
		if creator == t {
			return !p.created.has(u)
		}
		u = creator
	}
	return false
}

// threadSet is a set of threads. It is not changed once made.
type threadSet string

func (s threadSet) has(i int) bool { return i/8 < len(s) && s[i/8]&(1<<(i%8)) != 0 }

func (s threadSet) with(i int) threadSet {
	if s.has(i) {
		return s
	}
	t := make([]byte, max(len(s), i/8+1))
	copy(t, s)
	t[i/8] |= 1 << (i % 8)
	return threadSet(t)
}

// everyThread returns the set of some first threads.
func everyThread(n int) threadSet { return threadSet(bytes.Repeat([]byte{255}, n/8+1)) }

func (s threadSet) or(t threadSet) threadSet {
	if len(s) < len(t) {
		s, t = t, s
	}
	if t.within(s) {
		return s
	}
	u := []byte(s)
	for i := range len(t) {
		u[i] |= t[i]
	}
	return threadSet(u)
}

func (s threadSet) and(t threadSet) threadSet {
	if s == t {
		return s
	}
	u := []byte(s[:min(len(s), len(t))])
	for i := range u {
		u[i] &= t[i]
	}
	for len(u) > 0 && u[len(u)-1] == 0 {
		u = u[:len(u)-1]
	}
	return threadSet(u)
}

// within reports whether all of a set are in another one.
func (s threadSet) within(t threadSet) bool {
	for i := range len(s) {
		if s[i] != 0 && (i >= len(t) || s[i]&^t[i] != 0) {
			return false
		}
	}
	return true
}

// lockStep is what a step does to locks.
type lockStep struct {
	take      string // one that is held afterwards
	mode      mode
	drop      []string // those that may not be held afterwards
	reads     []string // those of which one may be held for reading afterwards, once more
	all       bool     // none is held for sure afterwards
	owner     bool     // drop is a giving back of which the model does not see whether it is the holder's
	ending    bool     // drop is the end of a lock that nobody holds
	unescaped bool     // what is written belongs to objects that no other thread knows
}

// locksOf returns what a step does to locks, which may be changed.
func (e *edge) locksOf() *lockStep {
	if e.locks == nil {
		e.locks = &lockStep{}
	}
	return e.locks
}

// noted is an access that a thread makes at a location.
type noted struct {
	g  *guard
	th *thread
	at *loc
}

// noteGuard notes that a user accesses a place here.
func (b *builder) noteGuard(us users, k accessKind) {
	b.noted = append(b.noted, noted{us.of(b.user(k)), b.th, b.cur.at})
}

// user returns who accesses memory here.
func (b *builder) user(k accessKind) user {
	where, _ := b.whereabouts()
	return user{b.th.index, k, where}
}

// The kinds of locks, by what a thread that holds one writes there: its number plus 1, or the same with a minus sign.
const (
	mutexLock = 1 << iota
	readWriteLock
)

// isLock notes that a cell is a lock, and returns its name: "" if it is one for each of any number of threads.
func (b *builder) isLock(c *cell, kind int) string {
	if o := c.obj.owner; o >= len(b.threads) || o >= 0 && b.threads[o].replicated {
		return ""
	}
	b.lockCells[c.key] |= kind
	return c.key
}

// noteLock keeps what a lock intrinsic does in a step.
func (b *builder) noteLock(e *edge, ts *targets, take bool) {
	if !b.opts.Check.Race {
		return
	}
	s := e.locksOf()
	if ts.vague {
		s.all = !take
		return
	}
	for _, t := range ts.list {
		cells := b.cellsAt(t.obj, t.bit, 32)
		for _, c := range cells {
			key := b.isLock(c, mutexLock)
			switch whole := len(cells) == 1 && c.bit == t.bit && c.bits == 32; {
			case !take:
				s.drop = append(s.drop, key)
			case len(ts.list) == 1 && whole:
				s.take, s.mode = key, forWriting
			default: // one of several, or no lock that could be told from others
				s.drop = append(s.drop, key)
			}
		}
	}
	b.th.tries = b.th.tries || take && b.fr.fn.Source != "pthread_mutex_lock" && b.fr.fn.Source != "pthread_spin_lock"
}

// destroyers are the functions that end locks. That those are not held then is an assumption, or is checked.
var destroyers = map[string]bool{"pthread_mutex_destroy": true, "pthread_spin_destroy": true, "pthread_rwlock_destroy": true}

// noteLockWrite keeps what a step that writes cells does to locks: by the library's read-write locks, which are no
// intrinsics, and by their ends.
func (b *builder) noteLockWrite(e *edge) {
	if !b.opts.Check.Race || b.cur == nil {
		return
	}
	var cells []*cell
	unescaped := true
	for _, c := range e.cmds {
		if x := b.cellOf[c.Var]; c.Var != nil && x != nil && (x.obj.global == nil || !x.obj.global.Library) {
			cells = append(cells, x)
			unescaped = unescaped && b.cur.unescaped[x.obj]
		}
	}
	f := b.fr.fn
	if len(cells) == 0 || !unescaped && (!f.Library || !destroyers[f.Source] && !isReadWriteLock(f)) {
		return
	}
	s := e.locksOf()
	s.unescaped = unescaped
	for _, c := range cells {
		switch {
		case destroyers[f.Source]:
			s.ending, s.drop = true, append(s.drop, c.key)
		case f.Library && isReadWriteLock(f):
			b.noteReadWrite(s, c, len(cells) == 1)
		}
	}
}

// holdAfter lets a call of the library's functions that tell that a lock is held say so.
func (b *builder) holdAfter(in *cir.Call, f *cir.Func, args []*value) {
	m := map[string]mode{"is_held": forWriting, "is_written": forWriting, "is_read": forReading}[f.Source]
	if m == 0 || !f.Library || !b.opts.Check.Race || b.cur == nil || args[0].at == nil || len(args[0].at.idx) > 0 {
		return
	}
	ts := b.resolve(args[0], in.Args[0].X, 0, 32, 4)
	if ts.vague || len(ts.list) != 1 {
		return
	}
	kind := mutexLock
	if isOf(f.Pos.File, readWriteLocks) {
		kind = readWriteLock
	}
	if cells := b.cellsAt(ts.list[0].obj, ts.list[0].bit, 32); len(cells) == 1 {
		s := b.emit("").locksOf()
		s.take, s.mode = b.isLock(cells[0], kind), m
	}
}

// readWriteLocks is the library's file of read-write locks.
var readWriteLocks = []string{"pthread_rwlock.c"}

// isReadWriteLock reports whether a function of the library is one by which read-write locks are taken and given back.
func isReadWriteLock(f *cir.Func) bool {
	return isOf(f.Pos.File, readWriteLocks) && (f.Source == "write_now" || f.Source == "read_now" || f.Source == "unlock_reader" || f.Source == "unlock_writer")
}

// noteReadWrite keeps what a write to the state of a read-write lock does.
func (b *builder) noteReadWrite(s *lockStep, c *cell, only bool) {
	key := b.isLock(c, readWriteLock)
	b.th.tries = true
	switch b.fr.fn.Source {
	case "unlock_reader", "unlock_writer":
		s.owner, s.drop = true, append(s.drop, key)
	case "read_now":
		s.reads = append(s.reads, key)
		if only {
			s.take, s.mode = key, forReading
		}
	default:
		if only {
			s.take, s.mode = key, forWriting
		}
	}
}

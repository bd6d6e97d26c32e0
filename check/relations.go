package check

import (
	"comus/cir"
	"comus/logic"
	"comus/memory"
)

// relation is a relation of the events of an execution that a solver looks for: for each two of them, the condition under which they are related if both happen. Those of relations that are made of others are
// rules: they say when two events are related, and nothing says when they are not. The axioms only forbid, so it is the least relations that a solver has to find.
type relation [][]*logic.Term

// goOn gives up if the time is over, or what is encoded is too large: [Axioms] makes an error of it.
func (m *modelOf) goOn() {
	if m.ctx.Err() != nil {
		panic(m.ctx.Err())
	}
	if len(m.out) > maxRules {
		panic("it is too large")
	}
}

// maxRules bounds the encoding.
const maxRules = 2_000_000

// none returns the empty relation.
func (m *modelOf) none() relation {
	r := make(relation, m.n)
	for i := range r {
		r[i] = make([]*logic.Term, m.n)
		for j := range r[i] {
			r[i][j] = m.l.False()
		}
	}
	return r
}

// on is the identity on the events with a property.
func (m *modelOf) on(property func(*happening) bool) relation {
	r := m.none()
	for i, e := range m.events {
		r[i][i] = m.l.Bool(property(e))
	}
	return r
}

// where returns the pairs with a property.
func (m *modelOf) where(r relation, property func(x, y *happening) bool) relation {
	s := m.none()
	for i := range r {
		for j := range r {
			if property(m.events[i], m.events[j]) {
				s[i][j] = r[i][j]
			}
		}
	}
	return s
}

// maybe is the reflexive closure.
func (m *modelOf) maybe(r relation) relation {
	return m.union(r, m.on(func(*happening) bool { return true }))
}

// union returns what is in any of some relations.
func (m *modelOf) union(of ...relation) relation {
	out := m.none()
	for i := range out {
		for j := range out[i] {
			any := make([]*logic.Term, len(of))
			for k, r := range of {
				any[k] = r[i][j]
			}
			out[i][j] = m.l.Or(any...)
		}
	}
	return out
}

// inverse swaps the sides.
func inverse(r relation) relation {
	s := make(relation, len(r))
	for i := range r {
		s[i] = make([]*logic.Term, len(r))
		for j := range r {
			s[i][j] = r[j][i]
		}
	}
	return s
}

// seq returns the composition of relations.
func (m *modelOf) seq(of ...relation) relation {
	r := of[0]
	for _, s := range of[1:] {
		r = m.compose(r, s)
	}
	return r
}

// compose is seq of two. What it goes by has to happen, too.
func (m *modelOf) compose(r, s relation) relation {
	out := m.none()
	rule := m.none() // the conditions that rules make true
	for i := range r {
		m.goOn()
		for k := range r {
			if r[i][k].IsFalse() || !m.together(i, k) {
				continue
			}
			for j := range s {
				if s[k][j].IsFalse() || out[i][j].IsTrue() || !m.together(i, j) || !m.together(k, j) {
					continue
				}
				if m.sure(k, i, j) && (k == i || k == j || r[i][k].IsTrue() || s[k][j].IsTrue()) {
					out[i][j] = m.l.Or(out[i][j], m.l.And(r[i][k], s[k][j]))
					continue
				}
				if rule[i][j].IsFalse() {
					rule[i][j] = m.l.FreshVar("seq", logic.Bool)
				}
				m.imply([]*logic.Term{r[i][k], s[k][j], m.events[i].when, m.events[j].when, m.events[k].when}, rule[i][j])
			}
		}
	}
	return m.union(out, rule)
}

// plus is the transitive closure.
func (m *modelOf) plus(r relation) relation {
	may := make([]bitset, m.n) // what may be related
	for i := range r {
		may[i] = newBitset(m.n)
		for j := range r {
			if !r[i][j].IsFalse() && m.together(i, j) {
				may[i].add(j)
			}
		}
	}
	for k := range may {
		for i := range may {
			if may[i].has(k) {
				may[i].addAll(may[k])
			}
		}
	}
	out, known := m.none(), m.known(r)
	for i := range r {
		for j := range r {
			switch {
			case !may[i].has(j) || !m.together(i, j):
			case known[i].has(j):
				out[i][j] = m.l.True()
			default:
				out[i][j] = m.l.FreshVar("plus", logic.Bool)
				m.imply([]*logic.Term{r[i][j]}, out[i][j])
			}
		}
	}
	for i := range r {
		m.goOn()
		for k := range r {
			if out[i][k].IsFalse() {
				continue
			}
			for j := range r {
				if r[k][j].IsFalse() || out[i][j].IsTrue() || out[i][j].IsFalse() || !m.together(k, j) {
					continue
				}
				m.imply([]*logic.Term{out[i][k], r[k][j], m.events[i].when, m.events[k].when, m.events[j].when}, out[i][j])
			}
		}
	}
	return out
}

// known returns the pairs that are surely in the transitive closure.
func (m *modelOf) known(r relation) []bitset {
	known := make([]bitset, m.n)
	for i := range r {
		known[i] = newBitset(m.n)
		for j := range r {
			if r[i][j].IsTrue() {
				known[i].add(j)
			}
		}
	}
	for again := true; again; {
		again = false
		for i := range known {
			for k := range known {
				if !known[i].has(k) {
					continue
				}
				for j := range known {
					if known[k].has(j) && !known[i].has(j) && m.sure(k, i, j) {
						known[i].add(j)
						again = true
					}
				}
			}
		}
	}
	return known
}

// irreflexive asserts that no event is related to itself.
func (m *modelOf) irreflexive(r relation) {
	for i := range r {
		m.never(i, i, r[i][i])
	}
}

// acyclic asserts that a relation has no cycle: events have numbers that grow along it.
func (m *modelOf) acyclic(r relation) {
	number := make([]*logic.Term, m.n)
	for i := range number {
		number[i] = m.l.FreshVar("number", logic.Int)
	}
	for i := range r {
		for j := range r {
			if r[i][j].IsFalse() || !m.together(i, j) {
				continue
			}
			less := m.l.False()
			if i != j {
				less = m.l.Lt(number[i], number[j])
			}
			m.imply([]*logic.Term{m.events[i].when, m.events[j].when, r[i][j]}, less)
		}
	}
}

func same(x, y *happening) bool { return x.v != nil && x.v == y.v }

func (e *happening) acquires() bool {
	return (e.kind == memory.Read || e.kind == memory.Fence) && (e.order == cir.Acquire || e.order == cir.AcqRel || e.order == cir.SeqCst)
}

func (e *happening) releases() bool {
	return (e.kind == memory.Write || e.kind == memory.Fence) && (e.order == cir.Release || e.order == cir.AcqRel || e.order == cir.SeqCst)
}

func (e *happening) seqCst() bool { return e.kind != memory.Other && e.order == cir.SeqCst }

// rc11 asserts the axioms of RC11, as package memory has them.
func (m *modelOf) rc11() {
	write := func(e *happening) bool { return e.kind == memory.Write }
	atomicWrite := func(e *happening) bool { return write(e) && e.order != cir.Plain }
	atomicRead := func(e *happening) bool { return e.kind == memory.Read && e.order != cir.Plain }
	isFence := func(e *happening) bool { return e.kind == memory.Fence }
	fence, scFence := m.on(isFence), m.on(func(e *happening) bool { return isFence(e) && e.seqCst() })
	rmw := m.none()
	for _, p := range m.rmw {
		rmw[p[0]][p[1]] = m.l.True()
	}
	m.acyclic(m.union(m.all, m.rf))

	rs := m.seq(m.on(write), m.maybe(m.where(m.po, same)), m.on(atomicWrite), m.maybe(m.plus(m.seq(m.rf, rmw))))
	sw := m.seq(m.on((*happening).releases), m.maybe(m.seq(fence, m.po)), rs, m.rf, m.on(atomicRead), m.maybe(m.seq(m.po, fence)), m.on((*happening).acquires))
	hb := m.all
	if !m.empty(sw) {
		hb = m.plus(m.union(m.all, sw))
	}
	eco := m.plus(m.union(m.rf, m.mo, m.rb))
	m.irreflexive(hb)
	for i := range hb {
		for j := range hb {
			m.never(i, j, hb[i][j], eco[j][i])
		}
	}

	sc := 0
	for _, e := range m.events {
		if e.seqCst() {
			sc++
		}
	}
	if sc < 2 {
		return
	}
	elsewhere := m.where(m.all, func(x, y *happening) bool { return !same(x, y) })
	left := m.union(m.on((*happening).seqCst), m.seq(scFence, m.maybe(hb)))
	right := m.union(m.on((*happening).seqCst), m.seq(m.maybe(hb), scFence))
	behind := m.union(m.seq(left, m.union(m.all, m.where(hb, same), m.mo, m.rb)), m.seq(left, elsewhere, hb, elsewhere)) // left ; scb
	fences := m.union(m.seq(scFence, hb, scFence), m.seq(scFence, hb, eco, hb, scFence))
	m.acyclic(m.union(m.seq(behind, right), fences))
}

// empty reports whether nothing can be related.
func (m *modelOf) empty(r relation) bool {
	for i := range r {
		for j := range r {
			if !r[i][j].IsFalse() {
				return false
			}
		}
	}
	return true
}

// preserved is preserved program order of TSO and PSO, as package memory has it, with what synchronises.
func (m *modelOf) preserved() relation {
	flushes := func(e *happening) bool { return e.kind == memory.Write && e.order == cir.SeqCst }
	barrier := func(e *happening) bool { return e.kind == memory.Fence && e.releases() || flushes(e) }
	isFull := func(e *happening) bool { return e.full }
	out := m.none()
	for i, x := range m.events {
		for j, y := range m.events {
			if m.po[i][j].IsFalse() || x.kind == memory.Fence && !x.full || y.kind == memory.Fence && !y.full {
				continue
			}
			between := func(property func(*happening) bool) *logic.Term {
				any := []*logic.Term{m.l.False()}
				for k, e := range m.events {
					if property(e) && m.po[i][k].IsTrue() && m.po[k][j].IsTrue() {
						any = append(any, e.when)
					}
				}
				return m.l.Or(any...)
			}
			switch {
			case x.full || y.full:
				out[i][j] = m.l.True()
			case x.kind == memory.Write && y.kind == memory.Read:
				if out[i][j] = m.l.True(); !flushes(x) {
					out[i][j] = m.l.Or(between(isFull), between(flushes))
				}
			case m.model == memory.PSO && x.kind == memory.Write && y.kind == memory.Write && !same(x, y):
				if out[i][j] = m.l.True(); !flushes(x) && !y.releases() {
					out[i][j] = m.l.Or(between(isFull), between(barrier))
				}
			default:
				out[i][j] = m.l.True()
			}
		}
	}
	prefix := m.maybe(m.where(m.po, func(x, _ *happening) bool { return x.thread >= 0 }))
	return m.union(out, m.seq(prefix, m.sync, prefix))
}

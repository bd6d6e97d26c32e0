package waits

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// hold is a lock that the thread may hold: one of some elements. If name has a base, it is the one at that address.
type hold struct {
	set  int // of elements, by number
	name name
	at   *cir.Call // the call in the same function that took it; nil: a callee or the caller did
}

// state is what is known where control is, of what was done since the function was called: got are locks that the thread may have taken and still hold, gone are those that it held then and
// holds no more, in any case.
type state struct {
	got  map[hold]bool
	gone map[hold]bool
}

func newState() *state { return &state{got: map[hold]bool{}, gone: map[hold]bool{}} }

func (s *state) clone() *state { return &state{maps.Clone(s.got), maps.Clone(s.gone)} }

// joins adds what another way may have done; it reports whether that changes anything. Nil is no way.
func (s *state) joins(t *state) (changed bool) {
	for h := range t.got {
		if !s.got[h] {
			s.got[h], changed = true, true
		}
	}
	for h := range s.gone {
		if !t.gone[h] {
			delete(s.gone, h)
			changed = true
		}
	}
	return changed
}

// forget drops the names that rest on a token.
func (s *state) forget(token string) {
	for h := range s.got {
		if h.name.rests(token) {
			delete(s.got, h)
			s.got[hold{set: h.set, at: h.at}] = true
		}
	}
}

// holding is the analysis of what threads may hold.
type holding struct {
	*program
	sets  *sets
	entry map[pointsto.Copy]map[hold]bool // what may be held when a copy is called, by names of its parameters
	exit  map[pointsto.Copy]*state        // what was done when it returns; nil: it does not
	dirty map[pointsto.Copy]bool
	work  []pointsto.Copy
	// released are the calls that take a lock which is given back on all paths to a return, as far as that was asked.
	released map[callIn]bool
	// fresh are the tries of the block that was looked at last, with what only they may have got.
	fresh map[*cir.Call]hold
	// visit is called for each operation, with what is held then, when all is known.
	visit func(c pointsto.Copy, call *cir.Call, op *operation, held map[hold]bool, vs values) error
	err   error
	// pairs are the answers of distinct. steady tells which loads from a place get the same whenever they are made, as soon as that can be asked.
	pairs  map[pair]bool
	steady func(pointsto.Copy, *cir.Load) (pointsto.Location, bool)
	// indexed tells which loads of an array's elements, of which a lock is used, get their indexes.
	indexed func(pointsto.Copy, *cir.Load, Element) *index
}

// analyse finds what may be held where.
func (h *holding) analyse() error {
	h.released = map[callIn]bool{}
	h.entry, h.exit, h.dirty = map[pointsto.Copy]map[hold]bool{}, map[pointsto.Copy]*state{}, map[pointsto.Copy]bool{}
	for _, c := range h.runs {
		h.entry[c] = map[hold]bool{}
		h.wake(c)
	}
	for len(h.work) > 0 && h.err == nil {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		c := h.work[0]
		h.work = h.work[1:]
		h.dirty[c] = false
		h.copy(c)
	}
	return h.err
}

func (h *holding) wake(c pointsto.Copy) {
	if !h.dirty[c] {
		h.dirty[c] = true
		h.work = append(h.work, c)
	}
}

// copy goes over a copy until nothing changes in it.
func (h *holding) copy(c pointsto.Copy) {
	at := h.blocks(c)
	if h.visit != nil && h.err == nil {
		h.err = h.forEver(c, at)
	}
	if h.visit != nil || h.err != nil {
		return
	}
	var out *state
	for i, b := range c.Func.Blocks {
		if _, returns := b.Term.(*cir.Return); !returns || at[i] == nil {
			continue
		}
		s, ok := h.block(c, b, at[i].clone())
		if !ok {
			continue
		}
		if s = h.exported(c, s); out == nil {
			out = s
		} else {
			out.joins(s)
		}
	}
	if out == nil {
		return
	}
	old := h.exit[c]
	if old != nil && !old.joins(out) {
		return
	}
	if old == nil {
		h.exit[c] = out
	}
	for _, caller := range h.callers[c] {
		h.wake(caller)
	}
}

// exported returns what a caller can use of a state at a return.
func (h *holding) exported(c pointsto.Copy, s *state) *state {
	out := newState()
	for g := range s.got {
		if g.at != nil && h.releases(c, g.at) {
			continue
		}
		g.at = nil
		if paramOf(g.name) < 0 {
			g.name = name{}
		}
		out.got[g] = true
	}
	for g := range s.gone {
		out.gone[g] = true
	}
	return out
}

// paramOf returns the number of the parameter that a name is a distance from, -1 if it is none.
func paramOf(n name) int {
	if len(n.base) < 3 || n.base[0] != 'p' {
		return -1
	}
	k := 0
	for i := 1; i < len(n.base)-1; i++ {
		if n.base[i] < '0' || n.base[i] > '9' || k > 1000 {
			return -1
		}
		k = 10*k + int(n.base[i]-'0')
	}
	if n.base[len(n.base)-1] != ';' {
		return -1
	}
	return k
}

// blocks returns the states at the beginnings of blocks; nil: control does not get there.
func (h *holding) blocks(c pointsto.Copy) []*state {
	f := c.Func
	at := make([]*state, len(f.Blocks))
	at[0] = newState()
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0 && h.err == nil; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !h.pts.Comes(f, b) {
			continue
		}
		s, ok := h.block(c, b, at[b.Index].clone())
		if !ok {
			continue
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !h.pts.Goes(f, b, to) {
				return
			}
			t := h.along(c, b, to, s)
			for _, r := range to.Params {
				t.forget(regToken(r.Index))
			}
			if old := at[to.Index]; old == nil {
				at[to.Index] = t
				work = append(work, to)
			} else if old.joins(t) {
				work = append(work, to)
			}
		})
	}
	return at
}

// along returns the state behind an edge: where the result of a try tells that it has failed, the lock that it has got is not held.
func (h *holding) along(c pointsto.Copy, b, to *cir.Block, s *state) *state {
	s = s.clone()
	br, ok := b.Term.(*cir.Branch)
	if !ok {
		return s
	}
	x := h.function(c.Func)
	t, ok := x.tests[br]
	call, isCall := t.in.(*cir.Call)
	if !ok || !isCall || (to == br.Then) == t.zero || !x.follows(b, call) {
		return s
	}
	if k, tried := h.fresh[call]; tried {
		delete(s.got, k)
	}
	return s
}

// follows reports whether nothing but what computes values follows a call in its block.
func (x *function) follows(b *cir.Block, call *cir.Call) bool {
	for _, in := range b.Instrs[slices.Index(b.Instrs, cir.Instr(call))+1:] {
		switch in := in.(type) {
		case *cir.Compare, *cir.Convert, *cir.Load, *cir.Offset, *cir.Binary, *cir.Unary, *cir.LifeStart:
		case *cir.Store:
			if l, ok := in.Addr.(*cir.Local); !ok || !x.plain[l] {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// forEver returns an error if a thread may hold something in a loop that has no way out by the code: what is held there at the beginning of a block may be held for ever.
func (h *holding) forEver(c pointsto.Copy, at []*state) error {
	for i, s := range at {
		if b := c.Func.Blocks[i]; s != nil && h.endless[c][b] {
			for k := range h.all(c, s) {
				return fail(first(b), "a thread may run for ever here while it holds %s", h.sets.describe(k.set))
			}
		}
	}
	return nil
}

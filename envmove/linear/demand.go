package linear

import (
	"math/bits"
	"slices"

	"comus/envmove/locpairs"
	"comus/ir"
)

// none stands for "anywhere" in a vector of locations.
const none = int32(-1)

// demand says that form ≤ bound while each thread is where at says, by thread.
type demand struct {
	at    []int32
	form  form
	bound int64
}

// hash returns a hash of a thread's location; that of a vector is the exclusive or of
// those of its locations.
func hash(thread int, loc int32) uint64 {
	x := (uint64(thread)<<32 | uint64(loc)) + 1
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // splitmix64
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// place returns the hash of a demand's vector.
func (d *demand) place() uint64 {
	var h uint64
	for t, x := range d.at {
		if x != none {
			h ^= hash(t, x)
		}
	}
	return h
}

// covers reports whether d is about all states that e is about, or more.
func (d *demand) covers(e *demand) bool {
	for t, x := range d.at {
		if x != none && x != e.at[t] {
			return false
		}
	}
	return true
}

// tighten divides a demand by the common divisor of its coefficients.
func (d *demand) tighten() {
	var g int64
	for _, t := range d.form {
		for a, b := g, t.c; ; a, b = b, a%b {
			if b == 0 {
				g = a
				break
			}
		}
	}
	if g < 0 {
		g = -g
	}
	if g <= 1 {
		return
	}
	for i := range d.form {
		d.form[i].c /= g
	}
	q := d.bound / g
	if d.bound%g != 0 && d.bound < 0 {
		q--
	}
	d.bound = q
}

// store has the demands met so far, by the hash of their place.
type store struct {
	a       *analysis
	byPlace map[uint64][]*demand
	size    int
}

// maxPlaces bounds the threads of a demand: implied looks at all subsets.
const maxPlaces = 12

// implied returns a demand of the store that implies d, or nil.
func (s *store) implied(d *demand) *demand {
	var parts [maxPlaces]uint64
	n := 0
	for t, x := range d.at {
		if x != none {
			parts[n] = hash(t, x)
			n++
		}
	}
	h := d.place()
	for i := uint(0); ; i++ { // subsets in the order of the Gray code
		for _, e := range s.byPlace[h] {
			if e.covers(d) && s.a.implies(e, d) {
				return e
			}
		}
		next := bits.TrailingZeros(i + 1)
		if next >= n {
			return nil
		}
		h ^= parts[next]
	}
}

// implies reports whether d follows from e, which holds at the same places or more:
// d.form = e.form - rest ≤ e.bound - rest, and rest is not small.
func (a *analysis) implies(e, d *demand) bool {
	rest := end{0, true}
	i := 0
	for _, t := range e.form {
		if i < len(d.form) && d.form[i].v < t.v {
			return false // unless it is negative, and has an upper bound: not considered
		}
		c := t.c
		if i < len(d.form) && d.form[i].v == t.v {
			c -= d.form[i].c
			i++
		}
		switch {
		case c < 0:
			return false
		case c > 0:
			if rest = rest.add(a.least(t.v, d.at).times(c)); !rest.known {
				return false
			}
		}
	}
	if i < len(d.form) {
		return false
	}
	left := bounded(e.bound - rest.at)
	return left.known && left.at <= d.bound
}

// add adds a demand that the store does not imply, and drops those at the same place
// that it implies.
func (s *store) add(d *demand) {
	k := d.place()
	keep := []*demand{d}
	for _, e := range s.byPlace[k] {
		if !d.covers(e) || !s.a.implies(d, e) {
			keep = append(keep, e)
		}
	}
	s.size += len(keep) - len(s.byPlace[k])
	s.byPlace[k] = keep
}

// has reports whether the store has just this demand.
func (s *store) has(d *demand) bool { return slices.Contains(s.byPlace[d.place()], d) }

// before calls f for each demand that has to hold for d to be kept by a block. It
// returns false where a demand cannot be written down, or f returns false.
func (a *analysis) before(d *demand, f func(*demand) bool) bool {
	for t := range a.blocks {
		for _, b := range a.blocks[t] {
			if d.at[t] != none && d.at[t] != b.to {
				continue
			}
			if d.at[t] == none && !b.assigns(d.form) || !a.canRun(t, b, d.at) {
				continue
			}
			p, ok := a.back(b, t, d)
			if !ok {
				return false
			}
			for _, p := range a.split(t, b, p) {
				if a.possible(p.at, t) && !f(p) {
					return false
				}
			}
		}
	}
	return true
}

// maxSplit bounds the demands that one is split into, maxWait the locations of a
// thread for which that is done, maxBeside those in strong demands.
const (
	maxSplit  = 64
	maxWait   = 2
	maxBeside = 8
)

// split splits a demand before a block of thread t by the locations of threads that
// the block waits for: those that change the demand's variables and with which at
// some places the block cannot be taken. After a join, say, that is the last location
// only. A strong demand is also split where the locations of another thread are few for
// any other reason: it may take these to exclude those of a third one.
func (a *analysis) split(t int, b *block, d *demand) []*demand {
	out := []*demand{d}
	for k, x := range d.at {
		if k == t || x != none || !slices.ContainsFunc(d.form, func(t term) bool { return a.writes[k][t.v] }) {
			continue
		}
		locs, all := a.beside(t, b, k)
		if a.strong && len(locs) > maxBeside || !a.strong && (all || len(locs) > maxWait) || len(out)*len(locs) > maxSplit {
			continue
		}
		var more []*demand
		for _, d := range out {
			for _, loc := range locs {
				p := &demand{slices.Clone(d.at), d.form, d.bound}
				p.at[k] = loc
				if a.possible(p.at, k) {
					more = append(more, p)
				}
			}
		}
		out = more
	}
	return out
}

// beside returns the locations at which thread k can be when thread t takes a block,
// and whether these are all at which it can be before.
func (a *analysis) beside(t int, b *block, k int) (locs []int32, all bool) {
	if w, ok := b.waits[k]; ok {
		return w.locs, w.all
	}
	all = true
	x := locpairs.Place{Thread: t, Loc: int(b.from)}
	for _, n := range a.graphs[k].Cuts() {
		y := locpairs.Place{Thread: k, Loc: n.Index}
		switch {
		case !a.known.Possible(x, y):
		case a.known.Passes(t, b.block, y):
			locs = append(locs, int32(n.Index))
		default:
			all = false
		}
	}
	b.waits[k] = wait{locs, all}
	return locs, all
}

// canRun reports whether thread t can take a block while the others are where at
// says.
func (a *analysis) canRun(t int, b *block, at []int32) bool {
	for k, x := range at {
		if k == t || x == none {
			continue
		}
		y := locpairs.Place{Thread: k, Loc: int(x)}
		ok, seen := b.passes[y]
		if !seen {
			// Where k is excluded is for possible to say, which notes it.
			ok = a.graphs[k].Cut[x] && (!a.known.Possible(y, locpairs.Place{Thread: t, Loc: int(b.from)}) || a.known.Passes(t, b.block, y))
			b.passes[y] = ok
		}
		if !ok {
			return false
		}
	}
	return true
}

// possible reports whether threads can be where at says; thread t is the one that is
// new there. It notes which pairs cannot.
func (a *analysis) possible(at []int32, t int) bool {
	x := locpairs.Place{Thread: t, Loc: int(at[t])}
	for k, loc := range at {
		if k == t || loc == none {
			continue
		}
		y := locpairs.Place{Thread: k, Loc: int(loc)}
		if !a.known.Possible(x, y) {
			if a.noting {
				a.excluded[[2]locpairs.Place{x, y}] = true
			}
			return false
		}
	}
	return true
}

// back returns what has to hold before a block of thread t for d to hold after it.
func (a *analysis) back(b *block, t int, d *demand) (*demand, bool) {
	p := &demand{at: slices.Clone(d.at), bound: d.bound}
	p.at[t] = b.from
	zero := end{0, true}
	sum, ok := affine{lo: zero, hi: zero}, true
	for _, x := range d.form {
		val, assigned := b.effect[x.v]
		if !assigned {
			val = affine{form{{x.v, 1}}, zero, zero}
		}
		if sum, ok = sum.plus(x.c, val); !ok {
			return nil, false
		}
	}
	if a.strong {
		sum = a.bounded(b, sum)
	}
	if p.form, p.bound, ok = b.given.most(sum, d.bound); !ok {
		return nil, false
	}
	p.form = slices.Clone(p.form) // tighten changes it
	p.tighten()
	return p, true
}

// bounded makes a demand's left side stronger before a block: variables are replaced by the
// bounds that the block's conditions give. This is done with local variables, which may be
// inputs; with shared ones only where all others are to be bounded on the same side, too, so
// that it is not a relation between them that is demanded.
func (a *analysis) bounded(b *block, sum affine) affine {
	relation := slices.ContainsFunc(sum.form, func(t term) bool { return (t.c > 0) != (sum.form[0].c > 0) })
	out := affine{lo: sum.lo, hi: sum.hi}
	for _, t := range sum.form {
		e := end{}
		if t.v >= 0 && (a.p.Vars[t.v].Thread != ir.Shared || !relation) {
			e = b.guards[t.v][0]
			if t.c > 0 {
				e = b.guards[t.v][1]
			}
		}
		if !e.known {
			out.form = append(out.form, t)
			continue
		}
		out.lo, out.hi = out.lo.add(e.times(t.c)), out.hi.add(e.times(t.c))
	}
	return out
}

// assigns reports whether the block assigns a variable of a form.
func (b *block) assigns(f form) bool {
	return slices.ContainsFunc(f, func(t term) bool {
		_, ok := b.effect[t.v]
		return ok
	})
}

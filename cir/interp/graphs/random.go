package graphs

import (
	"math/rand/v2"

	"comus/cir/interp"
)

// readsAny has the event read one of the writes that it may, the newest one as often as not. A read-modify-write, or what may be one, reads the newest.
func (r *run) readsAny(x *rand.Rand) {
	g, e := r.g, r.event
	writes := g.MO[g.Events[e].Loc]
	newest := writes[len(writes)-1]
	k := r.g.made[e].kind
	if k == interp.AtomicLoad && x.IntN(2) == 0 {
		if g.RF[e] = writes[len(writes)-1-x.IntN(min(len(writes), mostOld))]; g.Consistent(r.x.opt.Model) {
			return
		}
	}
	g.RF[e] = newest
}

// mostOld is how old a write may be that random runs read, in writes of the same object.
const mostOld = 4

// somewhere puts a write somewhere in the order of writes where it may be, at its end more often than not.
func (r *run) somewhere() {
	g, w := r.g, r.event
	loc := g.Events[w].Loc
	if x, n := r.x.opt.Random, len(g.MO[loc]); n > 1 && x.IntN(4) == 0 {
		g.put(w, n-1-x.IntN(min(n-1, mostOld)))
		if g.Consistent(r.x.opt.Model) {
			return
		}
		g.take(w)
	}
	g.put(w, len(g.MO[loc]))
}

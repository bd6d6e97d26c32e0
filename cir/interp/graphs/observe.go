package graphs

import (
	"comus/cir"
	"comus/cir/interp"
)

// Waited implements [interp.Observer].
func (r *run) Waited(uint64) {}

// Fails implements [interp.Observer].
func (r *run) Fails(bool) {}

// Gives implements [interp.Observer].
func (r *run) Gives(uint64) {}

// Cut implements [interp.Observer].
func (r *run) Cut(int64) {}

// Unknown implements [interp.Observer].
func (r *run) Unknown(why string) {
	if r.performs {
		r.perhaps = why
	} else {
		r.unsupported(why)
	}
}

// Touches implements [interp.Observer]: of what no event is of. Ends of threads are in the part of addresses behind firstEnd.
func (r *run) Touches(at, n uint64, write bool, _ *cir.Site) bool {
	if write && at >= firstEnd && at < 2*firstEnd && n == 8 {
		r.ended++
	}
	if n == interp.Everywhere {
		return false
	}
	for loc, size := range r.sizes {
		if loc < at+n && at < loc+size {
			r.giveUp("an atomic object is accessed as a part of another one")
		}
	}
	return false
}

// firstEnd is where the ends of threads begin, in the addresses of what is no memory.
const firstEnd = 1 << 12

package directed

import (
	"math/rand/v2"

	"comus/cir"
	"comus/cir/interp"
)

// director keeps threads before the instructions of a target for a while. It is a scheduler that asks another one, which records, about the threads that are left, and is
// told by the interpreter when a thread comes to an access.
type director struct {
	r    *rand.Rand
	rec  *recorder
	keep map[cir.Instr]bool // where threads are kept

	parked map[int]int64 // threads that are kept, and up to which turn
	now    int64         // the turns so far
	free   []int         // the threads that are left
}

// newDirector decides at which of a target's instructions threads are kept, and how far the others go at a time: half of the runs have turns of some length,
// which may be long, so that a thread gets to an access before another one has done much.
func newDirector(r *rand.Rand, rec *recorder, t *Target) *director {
	d := &director{r: r, rec: rec, keep: map[cir.Instr]bool{}, parked: map[int]int64{}}
	if r.IntN(2) == 0 {
		rec.next = interp.NewRandom(r.Uint64(), int64(1)<<r.IntN(15))
	}
	switch k := r.IntN(4); {
	case len(t.At) == 0:
	case t.Pair && k > 1:
		for _, in := range t.At {
			d.keep[in] = true
		}
	case t.Pair:
		d.keep[t.At[k%len(t.At)]] = true
	default:
		for range 1 + k { // some of them
			d.keep[t.At[r.IntN(len(t.At))]] = true
		}
	}
	return d
}

// before implements Options.Before of the interpreter: it decides whether the thread stops here, and corrects the record if it does.
func (d *director) before(thread int, in cir.Instr, taken int64, given bool) (stop bool) {
	if !given || !d.keep[in] || d.r.IntN(4) == 0 {
		return false
	}
	d.parked[thread] = d.now + int64(16)<<d.r.IntN(12)
	cutLast(d.rec, taken)
	return true
}

// Next implements the interpreter's scheduler.
func (d *director) Next(ready []int, last int) (int, int64) {
	d.now++
	for t, until := range d.parked {
		if until < d.now {
			delete(d.parked, t)
		}
	}
	if len(d.parked) == 0 {
		return d.rec.Next(ready, last)
	}
	d.free = d.free[:0]
	for _, t := range ready {
		if _, kept := d.parked[t]; !kept {
			d.free = append(d.free, t)
		}
	}
	if len(d.free) == 0 { // all of them stand before the accesses: there they go
		t := ready[d.r.IntN(len(ready))]
		delete(d.parked, t)
		d.free = append(d.free, t)
	}
	return d.rec.Next(d.free, last)
}

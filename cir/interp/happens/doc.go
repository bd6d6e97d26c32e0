// Package happens finds data races of an execution: it keeps happens-before (C11 5.1.2.4) by vector clocks, and for
// each byte of memory the accesses that a later one may race with. It knows nothing of programs: who uses it says
// which thread does what.
//
// # Order
//
// A [Thread] has a [Clock]: how much of each thread happens before what it does next. What it hands over to others by
// a release (an unlock, a post, a store with memory_order_release) is a copy of its clock; an acquire joins
// such a copy. Creation of a thread and its end are of that kind, too.
//
// An atomic object remembers who heads the release sequences that its last modification is part of: read-modify-writes of any
// thread continue a sequence, stores only those of the thread that heads it (C11 and C17; C20 has only
// read-modify-writes). An acquire load that reads the last modification is ordered behind all these heads. A relaxed load does so at
// the thread's next acquire fence, and a relaxed store behind a release fence heads a sequence with the clock of the fence (7.17.4).
//
// # Races
//
// Of each byte a [Memory] keeps accesses as long as they may race with one that is yet to come: an access goes when a later one
// comes that it happens before and that conflicts with all that the old one conflicts with. So an execution in which there is a race on a byte
// is never taken for one without, though not all pairs of its accesses are told.
package happens

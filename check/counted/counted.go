// Package counted has one rule of the checker of scans, which the analysis asks, too: what belongs to who holds references that an object counts.
//
// The object has a counter of its references. In terms of concurrent separation logic each reference is a unit of the counter, which a thread holds, or a cell of a container under a lock: the counter
// is the number of all units. Who takes another one must hold one already, who drops one must hold it. Who holds one may access the object; pointers to it mean nothing by themselves. Who drops one
// and learns that the others are gone, or allocated the object and has handed on none, is the only one that may access it: all that the others did happens before, as they dropped theirs before by a release that
// the last one acquires, or under the same lock. So an access of the only one and one of somebody who held a unit are no race.
//
// Carriers and rows are ways in which pointers go that are followed: see carrier.go and row.go.
//
// One object is followed, any of those that are allocated at some places; its units are followed through each thread path by path, and pointers only as far as this tells the object
// from others. A unit goes to a thread that is created with the address of the object, and to a cell when the lock of its container is given back (state.go). What cells hold when their
// lock is free is found by going through all threads until nothing new comes up. The counter is changed by atomic operations, or under a lock that is in the object or elsewhere.
//
// What a member of the object leads to may belong to it: an object that is put there by who made it, is led to from nowhere else, and is accessed like the one that has it (access.go: note).
//
// The rule is trusted. It asks package pointsto what pointers lead to, and a [Program] which threads there are and when the first one is alone.
package counted

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Program is what is known of threads.
type Program interface {
	// Threads is how many identities of threads there are; number 0 is the first thread.
	Threads() int
	// Nodes are the copies of functions that a thread runs, and Starts those of the program's functions that it begins with.
	Nodes(t int) []pointsto.Copy
	Starts(t int) []pointsto.Copy
	// Alone tells of the instructions of a copy where the first thread is the only one that there is.
	Alone(c pointsto.Copy) map[cir.Located]bool
	// Begins reports whether a thread begins with a copy of a function of the library, which then calls the one of the program.
	Begins(c pointsto.Copy) bool
	// Spoilt reports whether a lock is written to in other ways than by taking it and giving it back while there are several threads.
	Spoilt(l pointsto.Location) bool
}

// Proof is that the accesses of objects are made by who holds a reference.
type Proof struct {
	Objects map[*pointsto.Object]bool
	// From are the counted objects with a Member that leads to these, if they are others: who finds them there has to have synchronised with who put them there, so that member has to be race-free.
	From   map[*pointsto.Object]bool
	Member int64
	lock   int64 // the offset in each object of a lock that is only used by who holds a reference; -1: there is none
	met    map[place]bool
	calls  map[*cir.Call]bool // those among met
	level  map[cir.Located]level
	// bare are the accesses that somebody may make who holds no reference, as no other thread runs then. stale tells that somebody may have freed an inner object, and gone on with the one that led to it.
	bare  map[cir.Located]bool
	stale bool
}

// place is an instruction of a copy.
type place struct {
	copy pointsto.Copy
	in   cir.Located
}

// level is what a thread has where it accesses the object, at least.
type level uint8

const (
	unseen level = iota // it never accesses it
	alone               // all of it
	shares              // a reference
)

// at returns the program's instruction by which something is accessed.
func (p *Proof) at(c pointsto.Copy, in cir.Located) (cir.Located, bool) {
	if !c.Func.Library {
		return in, p.met[place{c, in}]
	}
	return c.Ctx.Call, c.Ctx.Call != nil && p.calls[c.Ctx.Call]
}

// Covers reports whether who makes an access holds a reference, or the object is another one.
func (p *Proof) Covers(c pointsto.Copy, in cir.Located) bool {
	_, ok := p.at(c, in)
	return ok
}

// Alone reports whether who makes an access is the only one that may access the object.
func (p *Proof) Alone(c pointsto.Copy, in cir.Located) bool {
	x, ok := p.at(c, in)
	return ok && p.level[x] != shares
}

// Lives reports whether an object lives where it is accessed, if it is only ever freed by who is the only one that may access it: who makes the access holds a reference.
func (p *Proof) Lives(c pointsto.Copy, in cir.Located) bool {
	x, ok := p.at(c, in)
	return ok && !p.bare[x] && !p.stale
}

// Locks reports whether a lock is in one of the objects, and held by nobody who holds no reference to it.
func (p *Proof) Locks(l pointsto.Location) bool {
	return p.Objects[l.Obj] && p.From == nil && p.lock >= 0 && p.lock == l.Off
}

// rule is what does not change from one form to the next.
type rule struct {
	prog   *cir.Program
	pts    *pointsto.Result
	in     Program
	copies []pointsto.Copy
	word   int64
	plains map[*cir.Func]map[*cir.Local]bool
	across map[*cir.Func]map[int]bool
	// touched are the objects that something in a copy may lead to, asked once.
	touched []map[*pointsto.Object]bool
	// budget is how many steps may be made in all forms.
	budget int
}

const maxBudget = 100000

// Find returns proofs for objects that are among some; reason, if there is one, is told why others are none.
func Find(prog *cir.Program, pts *pointsto.Result, in Program, wanted func(*pointsto.Object) bool, reason func(string)) (list []*Proof) {
	r := &rule{prog: prog, pts: pts, in: in, copies: pts.Copies(), word: int64(prog.Model.PointerBits / 8), plains: map[*cir.Func]map[*cir.Local]bool{}, across: map[*cir.Func]map[int]bool{}, budget: maxBudget}
	if r.jumps() {
		return nil
	}
	for _, c := range r.counters() {
		outer := slices.ContainsFunc(pts.Objects, func(o *pointsto.Object) bool { return c.objects[o] && wanted(o) })
		inners := r.inners(c)
		inners = slices.DeleteFunc(inners, func(x inner) bool {
			return !slices.ContainsFunc(pts.Objects, func(o *pointsto.Object) bool { return x.objects[o] && wanted(o) })
		})
		if !outer && len(inners) == 0 {
			continue
		}
		for _, f := range r.forms(c) {
			w := r.try(f, inner{field: -1})
			if w.why != "" {
				if reason != nil {
					reason(fmt.Sprintf("%s (%s)", w.why, f))
				}
				continue
			}
			list = append(list, w.proof)
			for _, x := range inners {
				if w := r.try(f, x); w.why == "" {
					w.proof.From, w.proof.Member, w.proof.Objects = c.objects, x.field, x.objects
					list = append(list, w.proof)
				} else if reason != nil {
					reason(fmt.Sprintf("%s (%s, the member at %d)", w.why, f, x.field))
				}
			}
			break
		}
	}
	return list
}

// jumps reports whether the program does what is not followed at all.
func (r *rule) jumps() bool {
	for _, f := range r.prog.Funcs {
		if slices.Contains([]string{"pthread_cancel", "setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp", "pthread_mutexattr_setrobust", "fork", "vfork"}, f.Source) {
			return true
		}
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool {
				i, ok := in.(*cir.Intrinsic)
				return ok && (i.Op == cir.Setjmp || i.Op == cir.Longjmp)
			}) {
				return true
			}
		}
	}
	return false
}

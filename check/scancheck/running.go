package scancheck

import (
	"context"
	"errors"
	"fmt"
	"slices"

	refs "comus/check/counted"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Running is what is confirmed of which threads there are, and which of them may run while the first one is at an instruction: for rules that ask for more than whether two accesses race.
type Running struct {
	ts *threads
	// at is what may be running of the threads that the first one has created, by the copies that it runs and their instructions.
	at map[placeInCopy]set
	// by are the threads that run each copy.
	by map[int]set
	// owned are the transfers of ownership that are confirmed, made when the first of them is asked for.
	claims *certificate.Certificate
	owned  []*transfer
	asked  bool
	// counted are the proofs for objects that count their references, made likewise.
	counted []*refs.Proof
	counts  bool
}

// CheckRunning verifies what a certificate claims of threads, and nothing else of it.
func CheckRunning(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Certificate) (*Running, error) {
	if c.Version != certificate.Version {
		return nil, fmt.Errorf("a certificate of version %d, not %d", c.Version, certificate.Version)
	}
	if pts == nil || !pts.Open() {
		return nil, errors.New("functions that are called from outside of the program were not followed")
	}
	refused := ""
	refuse := func(format string, args ...any) {
		if refused == "" {
			refused = fmt.Sprintf(format, args...)
		}
	}
	p, err := newProgram(prog, pts)
	if err != nil {
		return nil, err
	}
	if err := p.same(c.Copies); err != nil {
		return nil, err
	}
	var ts *threads
	for _, owes := range []bool{false, true} { // joins that are owed take longer
		refused = ""
		if ts, err = newThreads(p, c, refuse); err != nil {
			return nil, err
		}
		ts.owes = owes
		if ts.check(); refused == "" {
			break
		}
	}
	if refused != "" {
		return nil, errors.New("what is claimed of threads is not confirmed: " + refused)
	}
	r := &Running{ts: ts, at: map[placeInCopy]set{}, by: map[int]set{}, claims: c}
	for _, t := range ts.list {
		for _, n := range t.order {
			r.by[n.copy] = r.by[n.copy].with(t.index)
			if t.index == 0 {
				ts.each(t, n, func(in cir.Located, s set) {
					at := placeInCopy{n.copy, in}
					r.at[at] = r.at[at].or(s)
				}, func(*cir.Block, effect) {})
			}
		}
	}
	return r, ctx.Err()
}

// Alone reports whether only the first thread gets to an instruction of a copy, and of the threads that run one of some other copies none may be running then, but itself.
func (r *Running) Alone(copy int, in cir.Located, others []int) bool {
	if r.by[copy] != (set{}).with(0) {
		return false
	}
	var also set
	for _, c := range others {
		also = also.or(r.by[c])
	}
	s, known := r.at[placeInCopy{copy, in}]
	if !known { // control does not get there
		return true
	}
	for i, t := range r.ts.list {
		if i > 0 && also.has(i) && r.ts.parallel(r.ts.list[0], s, t, t.desc) {
			return false
		}
	}
	return !r.ts.list[0].Many
}

// Never reports whether the first thread never runs a copy.
func (r *Running) Never(copy int) bool { return !r.by[copy].has(0) }

// At is an instruction of a copy, by its number.
type At struct {
	Copy int
	In   cir.Located
}

// Owned reports whether some accesses of objects, by the program's own code or its calls of the library, are all made by who the object belongs to, as ownership is transferred: so none
// is made after the object was freed, as it belongs to nobody from then on.
func (r *Running) Owned(o *pointsto.Object, all []At) bool {
	if !r.asked {
		r.asked = true
		r.findOwned()
	}
	for _, x := range r.owned {
		if x.bad == "" && slices.Contains(x.Objects, o.ID) && !slices.ContainsFunc(all, func(a At) bool { return !x.walk.met[placeInCopy{a.Copy, a.In}] }) {
			return true
		}
	}
	return false
}

// Counted reports whether some accesses of objects are all made by who holds a reference, as the objects count them, and those that end their life by the only one who does: so none is made after that.
// wanted says which objects are asked about at all.
func (r *Running) Counted(o *pointsto.Object, all, ends []At, wanted func(*pointsto.Object) bool) bool {
	if !r.counts {
		r.counts = true
		r.findCounted(wanted)
	}
	return slices.ContainsFunc(r.counted, func(p *refs.Proof) bool {
		return p.Objects[o] && !slices.ContainsFunc(all, func(a At) bool { return !p.Lives(r.ts.copies[a.Copy], a.In) }) &&
			!slices.ContainsFunc(ends, func(a At) bool { return !p.Alone(r.ts.copies[a.Copy], a.In) })
	})
}

// findCounted verifies that objects count their references.
func (r *Running) findCounted(wanted func(*pointsto.Object) bool) {
	ls := r.locations()
	if ls == nil || ls.locks.robust || ls.cancels {
		return
	}
	for _, p := range refs.Find(ls.prog, ls.pts, inThreads{ls}, wanted, nil) {
		if ls.found(p) {
			r.counted = append(r.counted, p)
		}
	}
}

// locations verifies what is claimed of locations; nil if that is not possible.
func (r *Running) locations() *locations {
	x, err := newLocks(r.ts.program, r.claims, func(string, ...any) {})
	if err != nil {
		return nil
	}
	x.branches = newBranches(r.ts)
	x.check()
	ls, err := newLocations(r.ts, x, r.claims, nil)
	if err != nil {
		return nil
	}
	ls.check()
	return ls
}

// findOwned verifies the transfers that are claimed.
func (r *Running) findOwned() {
	if len(r.claims.Transfers) == 0 {
		return
	}
	ls := r.locations()
	if ls == nil {
		return
	}
	for i := range r.claims.Transfers {
		t := &transfer{Transfer: &r.claims.Transfers[i]}
		ls.verifyFor(t, true)
		r.owned = append(r.owned, t)
	}
}

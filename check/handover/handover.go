// Package handover has one rule of the checker of scans, which the analysis asks, too: objects on the heap that go from thread to thread together, with all that they lead to.
//
// Each thread has a region: a part of these objects, which belongs to it alone. In terms of concurrent separation logic the region is what the thread owns, whatever shape it has: lists, trees,
// objects with strings. An object belongs to the region of the thread that allocates it. A thread that is created with a pointer into the region of its creator gets all of that
// region; its creator begins with an empty one. Who joins a thread gets the thread's region; and the first thread gets all there is where it is the only one. So
// objects change their owner only by the creation and the end of threads, which orders what the owners do: two accesses by owners are no race.
//
// Who is the owner is told by pointers. A pointer is known to lead into the thread's own region if it is that of a new object, the thread's argument, was loaded from an object of the
// region, is made of such pointers, led to the object that has the id of a thread which was joined just now, or is the result of such a thread. All of that ends when the region is given away: what the creator and
// its callers had before is nothing then. Where anything else is loaded from (a global, the stack, an object of others), nothing is known of the pointer, so it does not matter who has
// copies. What objects of a region lead to is in the same region, as only such pointers are stored there: objects into which somebody may store others lead to nothing that is known.
//
// No certificate says any of that, and what is accessed by pointers of which nothing is known needs another reason. The rule is trusted. It asks package pointsto what pointers lead to, and a [Program] where the
// first thread is alone.
package handover

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Program is what is known of threads.
type Program interface {
	// Threads is how many identities of threads there are; number 0 is the first thread.
	Threads() int
	// Nodes are the copies of functions that a thread runs.
	Nodes(t int) []pointsto.Copy
	// Alone tells of the instructions of a copy where the first thread is the only one that there is, if it is that thread which runs the copy.
	Alone(c pointsto.Copy) map[cir.Located]bool
}

// Proof is which accesses of some objects are made by who owns them.
type Proof struct {
	Objects map[*pointsto.Object]bool
	covers  map[place]bool
}

// place is an instruction of a copy.
type place struct {
	copy pointsto.Copy
	in   cir.Located
}

// Covers reports whether an access is made by who owns what it goes to, if that is one of the objects.
func (p *Proof) Covers(c pointsto.Copy, in cir.Located) bool { return p.covers[place{c, in}] }

const (
	maxInstrs = 60000   // in all copies of functions
	maxSteps  = 3000000 // in all proofs
	maxProofs = 40
	maxRounds = 30
)

// rule is a form of the rule: which objects are followed.
type rule struct {
	prog   *cir.Program
	pts    *pointsto.Result
	bodies map[pointsto.Copy]*body
	order  []*body
	// objects are followed. What the ones in leads hold leads into the same region.
	objects, leads map[*pointsto.Object]bool
	// spoilt are objects in which there may be other pointers to those that are followed than results of threads that lead into the regions of these (join.go).
	spoilt map[*pointsto.Object]bool
	// kept are creations of threads that are given nothing, refused are joins by which nobody gets a region.
	kept, refused map[place]bool
	joins         map[place][]pointsto.Location        // the ids that are joined by calls
	holding       map[*pointsto.Object]bool            // objects of any kind that may hold addresses of those that are followed
	listed        map[*cir.Call]bool                   // calls that print what the thread owns
	cells         map[inBody]map[*pointsto.Object]bool // where places with names are
	written       map[*pointsto.Object]bool            // objects that other threads than the first one write, as far as it was asked
	changed       bool
	steps         *int // that may be made yet
}

// Find returns proofs for objects that are among some.
func Find(prog *cir.Program, pts *pointsto.Result, in Program, wanted func(*pointsto.Object) bool) (list []*Proof) {
	if pts.Parts || strange(prog) {
		return nil
	}
	bodies := bodiesOf(pts, in)
	if bodies == nil {
		return nil
	}
	steps := maxSteps
	var forms []map[*pointsto.Object]bool
	for _, o := range pts.Objects {
		if !wanted(o) || !followed(pts, o) || len(forms) == maxProofs || steps < 0 {
			continue
		}
		objects := above(pts, bodies, o)
		if slices.ContainsFunc(forms, func(f map[*pointsto.Object]bool) bool { return maps.Equal(f, objects) }) {
			continue
		}
		forms = append(forms, objects)
		r := &rule{prog: prog, pts: pts, bodies: bodies, objects: objects, steps: &steps, kept: map[place]bool{}, refused: map[place]bool{}, cells: map[inBody]map[*pointsto.Object]bool{}, written: map[*pointsto.Object]bool{}}
		for _, c := range pts.Copies() {
			r.order = append(r.order, bodies[c])
		}
		if p := r.prove(); p != nil {
			list = append(list, p)
		}
	}
	return list
}

// strange reports whether a program jumps out of functions, ends threads or becomes two.
func strange(prog *cir.Program) bool {
	for _, f := range prog.Funcs {
		if slices.Contains([]string{"pthread_cancel", "setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp", "fork", "vfork"}, f.Source) {
			return true
		}
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool {
				i, ok := in.(*cir.Intrinsic)
				return ok && slices.Contains([]cir.IntrinsicOp{cir.Setjmp, cir.Longjmp, cir.ThreadAlone, cir.Interrupt}, i.Op)
			}) {
				return true
			}
		}
	}
	return false
}

// followed reports whether an object is one that the program allocates, and that code outside knows nothing of.
func followed(pts *pointsto.Result, o *pointsto.Object) bool {
	i, ok := o.Site.(*cir.Intrinsic)
	return ok && i != nil && o.Func.Library && slices.Contains([]string{"malloc", "memalign", "realloc"}, o.Func.Source) && inside(pts, o)
}

func inside(pts *pointsto.Result, o *pointsto.Object) bool {
	return !pts.Outside(o) && !slices.ContainsFunc(pts.Kept(), func(l pointsto.Location) bool { return l.Obj == o })
}

// onStack reports whether an object is a local of the program that has an address. Parameters that are structs are none.
func onStack(pts *pointsto.Result, bodies map[pointsto.Copy]*body, o *pointsto.Object) bool {
	if o.Local == nil || o.Local.Index < 0 {
		return false
	}
	b := bodies[pts.Canonical(pointsto.Copy{Func: o.Func, Ctx: o.Ctx})]
	return b != nil && !b.Func.Library && !b.plain[o.Local] && inside(pts, o)
}

// above returns an object with those on the heap and on stacks that lead to it, and to these.
func above(pts *pointsto.Result, bodies map[pointsto.Copy]*body, o *pointsto.Object) map[*pointsto.Object]bool {
	all := map[*pointsto.Object]bool{o: true}
	for changed := true; changed; {
		changed = false
		for _, x := range pts.Objects {
			if !all[x] && (followed(pts, x) || onStack(pts, bodies, x)) && holds(pts, x, all) {
				all[x], changed = true, true
			}
		}
	}
	return all
}

// holds reports whether an object may hold the address of one of some.
func holds(pts *pointsto.Result, o *pointsto.Object, some map[*pointsto.Object]bool) bool {
	return slices.ContainsFunc(pts.Held(o), func(l pointsto.Location) bool { return some[l.Obj] })
}

// prove finds out who owns the objects where they are accessed. It begins with what would be best, and takes back what is not so, until nothing is left to be taken back.
func (r *rule) prove() *Proof {
	r.spoilt = map[*pointsto.Object]bool{}
	r.leads, r.holding = map[*pointsto.Object]bool{}, map[*pointsto.Object]bool{}
	for _, o := range r.pts.Objects {
		if holds(r.pts, o, r.objects) {
			r.holding[o], r.leads[o] = true, r.objects[o]
		}
	}
	for _, b := range r.order {
		b.leads = map[int]bool{}
	}
	for range maxRounds {
		if !r.solve() {
			return nil
		}
		if r.verify() {
			continue
		}
		r.list()
		p := &Proof{Objects: r.objects, covers: map[place]bool{}}
		for _, b := range r.order {
			r.eachState(b, func(in cir.Located, s *state) {
				if r.owned(b, s, in) {
					p.covers[place{b.Copy, in}] = true
				}
			})
		}
		return p
	}
	return nil
}

// printers are the functions of the library that read what they are given beyond their parameters, and no more.
var printers = []string{"printf", "fprintf", "dprintf", "sprintf", "snprintf"}

// list finds the calls that print what the thread owns.
func (r *rule) list() {
	r.listed = map[*cir.Call]bool{}
	for _, b := range r.order {
		r.eachState(b, func(in cir.Located, s *state) {
			call, ok := in.(*cir.Call)
			if !ok {
				return
			}
			f, direct := call.Callee.(*cir.Func)
			if !direct || !f.Library || !slices.Contains(printers, f.Source) {
				return
			}
			yes, known := r.listed[call]
			for _, a := range call.Args {
				yes = (yes || !known) && a.ByVal == nil && r.isOwn(b, s, a.X)
				known = true
			}
			r.listed[call] = yes
		})
	}
}

// solve finds what is known everywhere, as long as it holds who is created with what, and who gets what by a join; false: that takes too long.
func (r *rule) solve() bool {
	r.joins = map[place][]pointsto.Location{}
	for _, b := range r.order {
		b.begin()
	}
	for _, c := range r.pts.KnownOutside() {
		r.opens(r.bodies[c])
	}
	for _, x := range r.pts.Roots {
		if x.Func == r.prog.Entry {
			r.opens(r.bodies[pointsto.Copy{Func: x.Func, Ctx: x.Ctx}])
		}
	}
	for again := true; again; {
		for r.changed = true; r.changed; {
			r.changed = false
			for _, b := range r.order {
				if *r.steps < 0 {
					return false
				}
				if b.entered {
					r.flow(b)
				}
			}
		}
		again = false
		for _, b := range r.order { // nobody knows how control gets there
			if !b.entered {
				r.opens(b)
				again = true
			}
		}
	}
	return true
}

// opens lets a function begin with nothing that is known.
func (r *rule) opens(b *body) {
	if b != nil {
		b.entered, r.changed = true, true
		clear(b.params)
	}
}

// verify takes back what is not so. It reports whether there was something.
func (r *rule) verify() (found bool) {
	for _, b := range r.order {
		r.eachState(b, func(in cir.Located, s *state) {
			at := place{b.Copy, in}
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.ThreadCreate && !r.kept[at] && r.gives(b, i) && !r.allOwn(b, s, i.Args[1:]) {
				r.kept[at], found = true, true
			}
		})
	}
	if found {
		return true
	}
	for at, ids := range r.joins { // order does not matter: each is judged by itself
		if !r.tells(ids) {
			r.refused[at], found = true, true
		}
	}
	return found
}

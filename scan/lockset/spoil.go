package lockset

import (
	"bytes"
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/escape"
	"comus/scan/pointsto"
)

// SpoilKind is in which way something other than taking and giving back is done to a lock.
type SpoilKind uint8

// The ways.
const (
	Overwritten SpoilKind = iota // a plain write, or one by a function of the library
	Initialised                  // pthread_mutex_init and its like
	Destroyed                    // pthread_mutex_destroy and its like: undefined while it is held or anybody waits
	Unknown                      // a function without a body that is given its address
)

// Spoil is such an instruction. If it may be run while a lock is held or wanted, the lock protects nothing.
type Spoil struct {
	Kind SpoilKind
	Copy pointsto.Copy     // of the function that does it; if that is one of the library, In is the call that it was called for
	In   cir.Instr         // nil: there are so many that they are not told
	At   pointsto.Location // of the lock
}

// maxSpoils is the number of spoils of one lock that are told.
const maxSpoils = 16

// kinds tell which kinds of mutexes a program may have.
type kinds struct {
	robust   bool // of which a lock may fail
	checking bool // of which a second lock fails
}

// spoils finds what is done to locks.
type spoils struct {
	*cells
	prog  *cir.Program
	locks map[pointsto.Location]family
	kinds kinds
	at    map[pointsto.Location][]*Spoil
}

// add keeps a spoil.
func (sp *spoils) add(s Spoil) {
	switch list := sp.at[s.At]; {
	case sp.full(s.At) || slices.ContainsFunc(list, func(t *Spoil) bool { return *t == s }):
	case len(list) == maxSpoils:
		sp.at[s.At] = []*Spoil{{At: s.At}}
	default:
		sp.at[s.At] = append(list, &s)
	}
}

// full reports whether there are so many spoils of a lock that no more are told.
func (sp *spoils) full(l pointsto.Location) bool {
	list := sp.at[l]
	return len(list) > 0 && list[0].In == nil
}

// findSpoils finds the locks of a program, their kinds, and what else is done to them when there is more than one thread.
func findSpoils(p *cir.Program, cs *cells) *spoils {
	sp := &spoils{cells: cs, prog: p, locks: map[pointsto.Location]family{}, at: map[pointsto.Location][]*Spoil{}}
	for _, c := range cs.pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					sp.findLocks(c, call)
				}
			}
		}
	}
	byObject := map[*pointsto.Object][]pointsto.Location{}
	for l := range sp.locks {
		byObject[l.Obj] = append(byObject[l.Obj], l)
	}
	for _, o := range cs.pts.Objects {
		if byObject[o] == nil {
			continue
		}
		slices.SortFunc(byObject[o], func(x, y pointsto.Location) int { return cmp.Compare(x.Off, y.Off) })
		sp.staticKinds(o)
		for _, w := range cs.writes[o] {
			for _, l := range byObject[o] {
				if sp.kinds.checking && sp.full(l) {
					continue // nothing would be news
				}
				if w.overlaps(l, sp.locks[l].size(sp.prog.Model)) {
					sp.write(w, l)
				}
			}
		}
	}
	sp.unknown(byObject)
	return sp
}

// findLocks notes what a call uses as a lock, and which kinds it makes.
func (sp *spoils) findLocks(c pointsto.Copy, call *cir.Call) {
	for _, f := range sp.pts.Callees(c.Func, c.Ctx, call) {
		constant := int64(-1)
		if len(call.Args) > 1 {
			if n, ok := call.Args[1].X.(cir.Int); ok {
				constant = int64(n.Lo)
			}
		}
		switch f.Source {
		case "pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np":
			sp.kinds.robust = sp.kinds.robust || !c.Func.Library && constant != 0
		case "pthread_mutexattr_settype":
			sp.kinds.checking = sp.kinds.checking || !c.Func.Library && (constant == errorChecking || constant < 0)
		}
		o := opOf(f)
		if c.Func.Library || o.family == 0 || o.arg >= len(call.Args) {
			continue
		}
		for _, l := range sp.pts.Places(c.Func, c.Ctx, call.Args[o.arg].X) {
			if !l.Obj.External && !l.Obj.IsFunc() && sp.locks[l] < o.family {
				sp.locks[l] = o.family
			}
		}
	}
}

// errorChecking is PTHREAD_MUTEX_ERRORCHECK.
const errorChecking = 2

// staticKinds looks for static initialisers of mutexes that check for errors.
func (sp *spoils) staticKinds(o *pointsto.Object) {
	if o.Global != nil && bytes.IndexByte(o.Global.Data, errorChecking) >= 0 {
		sp.kinds.checking = true
	}
}

// write notes a write to a lock.
func (sp *spoils) write(w write, l pointsto.Location) {
	s := Spoil{Copy: w.copy, In: w.in, At: l}
	if from := w.copy.Ctx.Call; from != nil && w.copy.Func.Library {
		kind := opKind(0)
		for _, f := range sp.calledBy(from) {
			kind = max(kind, opOf(f).kind)
		}
		switch kind {
		case takes, tries, releases, waits:
			return
		case begins:
			s.Kind = Initialised
		case ends:
			s.Kind = Destroyed
		}
		if l.Obj.Site != nil && l.Obj.Ctx.Call == from && escape.Allocates(from) {
			return // calloc, say, of what it just allocated
		}
		s.In = from
	} else if i, ok := w.in.(*cir.Intrinsic); ok && (i.Op == cir.Lock || i.Op == cir.Unlock) {
		return
	}
	if s.Kind == Overwritten && !zeroes(w.in) {
		sp.kinds.checking = true // of any kind, from here on
	}
	if !sp.full(l) && !sp.private(w.writing) {
		sp.add(s)
	}
}

// calledBy returns the functions that a call may get to in any copy.
func (sp *spoils) calledBy(call *cir.Call) []*cir.Func {
	if f, ok := call.Callee.(*cir.Func); ok {
		return []*cir.Func{f}
	}
	return nil
}

// zeroes reports whether a write leaves only zeroes.
func zeroes(in cir.Instr) bool {
	zero := func(v cir.Value) bool {
		n, ok := v.(cir.Int)
		return ok && n.Lo == 0 && n.Hi == 0
	}
	switch in := in.(type) {
	case *cir.Store:
		p, ok := in.X.(cir.Null)
		return ok && p.Addr == 0 || zero(in.X)
	case *cir.Fill:
		return zero(in.Byte)
	}
	return false
}

// unknown notes the calls of functions without a body that are given a lock's address, or that of what it is part of.
func (sp *spoils) unknown(locks map[*pointsto.Object][]pointsto.Location) {
	for _, c := range sp.pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || sp.single(c, in) {
					continue
				}
				f, ok := call.Callee.(*cir.Func)
				if ok && (len(f.Blocks) > 0 || opOf(f).kind != 0 || call.Unknown == cir.Pure || call.Unknown == cir.Contract) {
					continue
				}
				if !ok && len(sp.pts.Called(c, call)) > 0 {
					continue
				}
				for _, arg := range call.Args {
					for _, l := range sp.pts.Places(c.Func, c.Ctx, arg.X) {
						for _, at := range locks[l.Obj] {
							sp.add(Spoil{Unknown, c, in, at})
						}
					}
				}
			}
		}
	}
}

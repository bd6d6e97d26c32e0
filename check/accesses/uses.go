package accesses

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"comus/check/valuecheck"
	"comus/check/waits"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// A lock, a condition variable or a barrier has a life: it is initialised, used, and destroyed. Who uses it reads it, and who initialises it writes it. So what is read only after it was written (begun.go) is used only after
// it was initialised, if nobody else writes it. Package waits shows that it is initialised once. Zeros in globals, and from calloc, are an initialised one that is free, if no call initialises it; if one does, that is its beginning.
// Such zeros may also be initialised where only the first thread gets to, while no other thread runs that uses it, and the first one does not hold it.
// It is destroyed where only the first thread gets to, while no other thread runs that uses it, and nothing follows that does (as in alive.go). Threads that have ended hold nothing (package waits), and wait for nothing.

// assumeUnlock is what package valuecheck takes for granted of locks.
const assumeUnlock = "a mutex is unlocked only by the thread that holds it"

// assumeOverflow is what package waits takes for granted of signed numbers.
const assumeOverflow = "no signed integer overflow"

// CheckUses verifies that a program misuses no locks and no threads (--check=locks), from claims about values and threads. pts is what pointsto.AnalyseOpen found of the program. It returns the sentences that this rests on; the
// error says what is not shown.
func CheckUses(ctx context.Context, prog *cir.Program, pts *pointsto.Result, values *certificate.Values, threads *certificate.Certificate, opts valuecheck.Options) ([]string, error) {
	uses, err := waits.FindUses(ctx, prog, pts)
	if err != nil {
		return nil, err
	}
	if opts.Wrap && slices.Contains(uses.Assumptions, assumeOverflow) {
		return nil, errors.New("numbers that count locks or threads may wrap around")
	}
	p, r, err := newProgram(ctx, prog, pts, values, threads, opts)
	if err != nil {
		return nil, err
	}
	p.lockUses = map[place][]waits.Use{}
	for _, u := range uses.List {
		if c := p.number[u.Copy]; p.reached[place{c, u.Call}] {
			p.lockUses[place{c, u.Call}] = append(p.lockUses[place{c, u.Call}], u)
		}
	}
	p.find()
	if err := p.onlyOwn(); err != nil {
		return nil, err
	}
	if err := p.usesLive(uses); err != nil {
		return nil, err
	}
	for _, j := range uses.Joined {
		at := place{p.number[j.Copy], j.Load}
		for _, l := range p.places(at.copy, j.Load.Addr) {
			if p.reached[at] && !p.begun[l] {
				return nil, openAt(j.Load, "the id of a thread may be used before one was created")
			}
		}
	}
	for _, s := range slices.Concat(uses.Assumptions, r.Assumptions) {
		p.assumed[s] = true
	}
	p.assumed[assumeBounds], p.assumed[assumeOutside] = true, true
	if p.pts.Typed {
		p.assumed[assumeTypes] = true
	}
	delete(p.assumed, assumeIDs) // which is what is shown
	delete(p.assumed, assumeUnlock)
	var list []string
	for s := range p.assumed {
		list = append(list, s)
	}
	slices.Sort(list)
	return list, ctx.Err()
}

// onlyOwn shows that the library calls none of the program's functions but those that threads begin with, and that it is called by its names.
func (p *program) onlyOwn() (err error) {
	p.each(func(at place) {
		call, ok := at.in.(*cir.Call)
		if !ok || err != nil {
			return
		}
		f, c := library(call), p.copies[at.copy]
		if f == nil && slices.ContainsFunc(p.pts.Callees(c.Func, c.Ctx, call), func(g *cir.Func) bool { return g.Library || len(g.Blocks) == 0 }) {
			err = openAt(call, "a function of the library is called through a pointer")
		}
		if f == nil || f.Source == "pthread_create" {
			return
		}
		seen := map[pointsto.Copy]bool{}
		work := slices.Concat(p.pts.Called(c, call), p.pts.CalledBack(c, call))
		for len(work) > 0 && err == nil {
			y := work[len(work)-1]
			work = work[:len(work)-1]
			if !y.Func.Library {
				err = openAt(call, "functions that the library calls are not looked at")
			}
			if seen[y] {
				continue
			}
			seen[y] = true
			for _, b := range y.Func.Blocks {
				for _, in := range b.Instrs {
					if inner, ok := in.(*cir.Call); ok && p.pts.Comes(y.Func, b) {
						work = append(work, slices.Concat(p.pts.Called(y, inner), p.pts.CalledBack(y, inner))...)
					}
				}
			}
		}
	})
	return err
}

// openAt is an error at an instruction.
func openAt(in cir.Located, format string, args ...any) error {
	return fmt.Errorf("%s: %s", siteOf(in), fmt.Sprintf(format, args...))
}

// sizeBarrier is the size of a barrier, which is not initialised if it is all zeros.
const sizeBarrier = 32

// usedObject is what is used at a place in objects.
type usedObject struct {
	size   int64
	at     []place
	begins bool
	alone  bool           // it is initialised where no other thread uses it, and the thread does not hold it
	ends   map[place]bool // where it is destroyed; true: once for each
}

// usesLive shows that what is used was initialised, and is not destroyed before that.
func (p *program) usesLive(uses *waits.UsesOf) error {
	all := map[pointsto.Location]*usedObject{}
	var order []pointsto.Location
	var err error
	p.each(func(at place) {
		for _, u := range p.lockUses[at] {
			for _, l := range p.places(at.copy, at.in.(*cir.Call).Args[u.Arg].X) {
				x := all[l]
				if x == nil {
					x = &usedObject{size: u.Size, ends: map[place]bool{}}
					all[l] = x
					order = append(order, l)
				}
				if x.size != u.Size && err == nil {
					err = openAt(at.in, "%s is used as two things", l.Obj)
				}
				x.at = append(x.at, at)
				if u.Kind == waits.Begins {
					x.begins, x.alone = true, u.Free
				}
				if u.Kind == waits.Ends {
					x.ends[at] = u.Once
				}
			}
		}
	})
	for _, l := range order {
		if err == nil {
			err = p.usedWell(l, all[l], uses)
		}
	}
	return err
}

// usedWell is usesLive for what is at a place in objects.
func (p *program) usedWell(l pointsto.Location, x *usedObject, uses *waits.UsesOf) error {
	in := x.at[0].in
	if l.Off < 0 || l.Off == pointsto.Any || l.Obj.External || l.Obj.IsFunc() {
		return openAt(in, "what is used is not known")
	}
	var copies []int
	for _, at := range x.at {
		copies = append(copies, at.copy)
	}
	zeros := x.size != sizeBarrier && (l.Obj.Global != nil || zeroed(l.Obj) || uses.Born[l])
	for _, at := range x.at {
		for _, u := range p.lockUses[at] {
			x.alone = x.alone && (u.Kind != waits.Begins || p.running.Alone(at.copy, at.in, copies))
		}
	}
	switch {
	case x.begins && zeros && x.alone: // nobody holds it, and nobody waits
	case x.begins && !p.begun[pointsto.Location{Obj: l.Obj, Off: l.Off | useBit}]:
		return openAt(in, "%s: it may be used before it is initialised", l.Obj)
	case !x.begins && !zeros:
		return openAt(in, "%s: it is not initialised", l.Obj)
	}
	if err := p.writtenWell(l, x, uses); err != nil {
		return err
	}
	for _, at := range x.at {
		once, ends := x.ends[at]
		if !ends {
			continue
		}
		if !p.running.Alone(at.copy, at.in, copies) {
			return openAt(at.in, "%s: it may be destroyed while another thread runs that uses it", l.Obj)
		}
		after := p.after(at)
		for _, y := range x.at {
			if after[y] && !(y == at && once) {
				return openAt(at.in, "%s: it may be used at %s after it was destroyed", l.Obj, siteOf(y.in))
			}
		}
	}
	return nil
}

// writtenWell shows that nothing else is written where a lock or the like is, but before it is initialised: package waits has shown that of all but zeros, and of some of these. Others have to be written by the maker of the object
// where nobody reads them.
func (p *program) writtenWell(l pointsto.Location, x *usedObject, uses *waits.UsesOf) error {
	for _, w := range p.writes[l.Obj] {
		if !p.reached[w.by] || !w.at.Touches(w.size, l, x.size) {
			continue
		}
		in, _ := w.by.in.(cir.Instr)
		switch {
		case slices.Contains(x.at, w.by) && w.at == l && w.size == x.size:
		case uses.Before[waits.Written{Copy: p.copies[w.by.copy], In: in, To: l}]:
		case w.kind == writesZeros && x.begins && p.settled[l][w.by]:
		default:
			return openAt(w.by.in, "%s: what is used may be written", l.Obj)
		}
	}
	var err error
	p.each(func(at place) { // functions of which it is not known here what they write
		call, ok := at.in.(*cir.Call)
		if !ok || library(call) == nil || contracts[library(call).Source] != nil || p.lockUses[at] != nil {
			return
		}
		for _, a := range call.Args {
			if p.prog.Model.TypeOf(a.X).IsPointer() && slices.ContainsFunc(p.places(at.copy, a.X), func(m pointsto.Location) bool { return m.Obj == l.Obj }) {
				err = openAt(at.in, "%s: what is used may be written", l.Obj)
			}
		}
	})
	return err
}

// founds reports whether a call that initialises something does that in any case: a barrier is for some threads.
func (p *program) founds(at place, in *cir.Call, f *cir.Func) bool {
	if f.Source != "pthread_barrier_init" {
		return true
	}
	n := p.fact(at, in.Args[2].X)
	return n.known && n.lo >= 1 && n.hi <= math.MaxInt32
}

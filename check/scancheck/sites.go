package scancheck

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// places are locations of locks.
type places map[pointsto.Location]bool

// has reports whether a location may be one of some.
func (ps places) has(l pointsto.Location) bool {
	if ps[l] || ps[pointsto.Location{Obj: l.Obj, Off: pointsto.Any}] {
		return true
	}
	if l.Off == pointsto.Any {
		for q := range ps {
			if q.Obj == l.Obj {
				return true
			}
		}
	}
	return false
}

// sizeOf returns how many bytes a lock takes, by a function that is given it.
func (x *locks) sizeOf(f *cir.Func) int64 {
	narrow := x.prog.Model.PointerBits == 32
	of := func(wide, small int64) int64 {
		if narrow {
			return small
		}
		return wide
	}
	switch {
	case strings.Contains(f.Source, "rwlock"):
		return of(56, 32)
	case strings.Contains(f.Source, "spin"):
		return 4
	case isSemaphore(f):
		return of(32, 16)
	}
	return of(40, 24)
}

// findSites finds where locks are: what operations on locks are given anywhere. It looks for what makes mutexes robust, too.
func (x *locks) findSites() {
	x.sites, x.sizes = map[*pointsto.Object][]pointsto.Location{}, map[pointsto.Location]int64{}
	seen := places{}
	for _, c := range x.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, f := range x.pts.Callees(c.Func, c.Ctx, call) {
					if f.Source == "pthread_mutexattr_setrobust" || f.Source == "pthread_mutexattr_setrobust_np" {
						x.robust = true
					}
					o, ok := opOf(f)
					if !ok || o.arg >= len(call.Args) {
						continue
					}
					for _, l := range x.pts.Places(c.Func, c.Ctx, call.Args[o.arg].X) {
						if l.Obj.IsFunc() {
							continue
						}
						if !seen[l] {
							seen[l] = true
							x.sites[l.Obj] = append(x.sites[l.Obj], l)
						}
						x.sizes[l] = max(x.sizes[l], x.sizeOf(f))
					}
				}
			}
		}
	}
}

// written returns the locks that an instruction of a copy writes to itself.
func (x *locks) written(c pointsto.Copy, in cir.Instr) (hit []pointsto.Location) {
	if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Lock {
		return nil
	}
	size := x.writtenBytes(c, in)
	for _, v := range pointsto.Writes(in) {
		if v == nil {
			continue
		}
		for _, w := range x.pts.Places(c.Func, c.Ctx, v) {
			for _, l := range x.sites[w.Obj] {
				if overlaps(w, size, l, x.sizes[l]) && !slices.Contains(hit, l) {
					hit = append(hit, l)
				}
			}
		}
	}
	if i, ok := in.(*cir.Intrinsic); ok && (i.Op == cir.Free || i.Op == cir.Resize) {
		for _, w := range x.freed(c, i) {
			hit = append(hit, x.sites[w.Obj]...)
		}
	}
	return hit
}

// writtenBytes returns how many bytes an instruction of a copy writes if it is a scalar, -1 for anything else.
func (x *locks) writtenBytes(c pointsto.Copy, in cir.Instr) int64 {
	switch in := in.(type) {
	case *cir.Store:
		return x.prog.Model.SizeOf(in.Type)
	case *cir.RMW:
		return x.prog.Model.SizeOf(in.Type)
	case *cir.CmpXchg:
		return x.prog.Model.SizeOf(in.Type)
	case *cir.Copy:
		return c.Given(in.Size)
	case *cir.Fill:
		return c.Given(in.Size)
	case *cir.Intrinsic:
		if in.Op == cir.Unlock {
			return 4
		}
	}
	return -1
}

// overlaps reports whether a write may touch a lock.
func overlaps(w pointsto.Location, size int64, l pointsto.Location, lockSize int64) bool {
	return l.Off == pointsto.Any || bytesOf(w, touch{size: size}).meets(extent{l.Off, l.Off + lockSize})
}

// findGives finds which locks copies may give back, or write to. Uses of locks are their own affair: their bodies are not looked into.
func (x *locks) findGives() {
	x.gives = map[int]places{}
	callers := map[int][]int{}
	work := make([]int, 0, len(x.copies))
	for i, c := range x.copies {
		ps := places{}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				for _, l := range x.written(c, in) {
					ps[l] = true
				}
				if k, ok := in.(*cir.Intrinsic); ok && k.Op == cir.AtomicEnd && !c.Func.Library {
					ps[x.atomic().at[0]] = true // those of the library end what they have begun
				}
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				if x.usesLock(c, call, ps) {
					continue
				}
				to := x.callees(i, call)
				for _, m := range to.to {
					callers[m] = append(callers[m], i)
				}
				if to.outside {
					x.givesOutside(c, call, ps)
				}
			}
		}
		x.gives[i] = ps
		work = append(work, i)
	}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range callers[m] {
			n := len(x.gives[i])
			for l := range x.gives[m] {
				x.gives[i][l] = true
			}
			if len(x.gives[i]) > n {
				work = append(work, i)
			}
		}
	}
}

// usesLock adds what a call gives back that is one of an operation on a lock. It reports whether it is just that.
func (x *locks) usesLock(c pointsto.Copy, call *cir.Call, ps places) bool {
	fs := x.pts.Callees(c.Func, c.Ctx, call)
	all := len(fs) > 0
	for _, f := range fs {
		if _, ok := sections[f.Source]; ok && (f.Library || len(f.Blocks) == 0) {
			ps[x.atomic().at[0]] = true
			continue
		}
		o, ok := opOf(f)
		if !ok || o.arg >= len(call.Args) {
			all = false
			continue
		}
		if o.does == gives || o.does == changes || o.does == waitsFor && x.robust || len(fs) > 1 {
			for _, l := range x.pts.Places(c.Func, c.Ctx, call.Args[o.arg].X) {
				ps[l] = true
			}
		}
	}
	return all
}

// givesOutside adds the locks that code outside of the program is given the address of.
func (x *locks) givesOutside(c pointsto.Copy, call *cir.Call, ps places) {
	if x.pure(call, x.pts.Callees(c.Func, c.Ctx, call)) {
		return
	}
	for _, arg := range call.Args {
		for _, w := range x.pts.Places(c.Func, c.Ctx, arg.X) {
			for _, l := range x.sites[w.Obj] {
				ps[l] = true
			}
		}
	}
}

// backs returns the program's own functions that a copy of one of the library calls.
func (x *locks) backs(m int) (list []int) {
	if list, known := x.backsOf[m]; known {
		return list
	}
	seen := map[int]bool{m: true}
	for work := []int{m}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range x.copies[k].Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, to := range x.callees(k, call).to {
					if seen[to] {
						continue
					}
					seen[to] = true
					if x.copies[to].Func.Library {
						work = append(work, to)
					} else {
						list = append(list, to)
					}
				}
			}
		}
	}
	slices.Sort(list)
	x.backsOf[m] = list
	return list
}

// findRoots collects the copies that are called with nothing held: what threads begin with, and what code outside calls.
func (x *locks) findRoots() {
	var roots []pointsto.Copy
	for _, r := range x.pts.Roots {
		roots = append(roots, x.pts.Canonical(pointsto.Copy{Func: r.Func, Ctx: r.Ctx}))
	}
	if x.prog.Entry != nil {
		roots = append(roots, x.pts.Called(canonical(x.program, x.prog.Entry), nil)...)
	}
	add := func(m int) {
		if !x.copies[m].Func.Library {
			x.roots[m] = true
			return
		}
		for _, k := range x.backs(m) {
			x.roots[k] = true
		}
	}
	for _, c := range roots {
		if m, ok := x.number[c]; ok {
			add(m)
		}
	}
	for _, m := range x.back {
		add(m)
	}
}

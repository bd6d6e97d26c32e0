package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// assumed is what is taken for granted.
type assumed map[string]bool

// What is taken for granted of any program, and of some.
const (
	assumeBounds  = "the program accesses no memory out of the bounds of an array or object, or after its life"
	assumeIDs     = "ids of threads, locks and conditions are used as POSIX demands (--check=locks asks about that)"
	assumeOutside = "pointers that code outside of the program returns, or that come out of files, pipes, sockets and texts (%p), lead to no object of the program"
	assumeWhole   = "no pointer is put together from parts of another one that the program's own code copies one by one"
	assumeKept    = "if code outside has put a function where a pointer may lead to a function that the program names, that function keeps no pointer that it is given"
	assumeTypes   = "memory that the program declares is accessed as its type, or by characters (C11 6.5p7), as gcc relies on without -fno-strict-aliasing"
	assumeThreads = "threads whose functions are not known access no memory of the program"
	assumeGive    = "a lock is given back by the thread that holds it, and neither destroyed, freed nor overwritten while it is held or waited for"
	assumeReaders = "no more read locks are held at a time than the library allows"
	assumeHandles = "functions of the library are given the library's own objects (FILE, DIR and the like) where they take such"
	assumeCode    = "a call through a pointer from outside calls no function of the program"
	assumeNowhere = "an address that no known pointer leads to (such as one made of numbers) is not the address of an object"
	assumeTickets = "a counter of 32 bits or more that only counts up does not wrap around"
	assumeLatches = "a counter of threads of 32 bits or more does not wrap around"
	assumeKeep    = "functions without a body give back only locks whose addresses they are given"
)

// throughOutside reports whether a call is one through a pointer that may come from outside.
func throughOutside(pts *pointsto.Result, c pointsto.Copy, in *cir.Call) bool {
	if _, direct := in.Callee.(*cir.Func); direct {
		return false
	}
	for _, l := range pts.Places(c.Func, c.Ctx, in.Callee) {
		if l.Obj.External {
			return true
		}
	}
	return false
}

// by notes what is taken for granted of an instruction of a copy.
func (a assumed) by(ls *locations, c int, in cir.Located) {
	cp := ls.copies[c]
	switch in := in.(type) {
	case *cir.Assumption:
		if ls.pts.Matters(cp.Func, cp.Ctx, in.Sentence) {
			a[in.Sentence] = true
		}
	case *cir.Call:
		if throughOutside(ls.pts, cp, in) {
			a[assumeCode] = true
		}
		if ls.callees(c, in).outside && !ls.locks.pure(in, ls.pts.Callees(cp.Func, cp.Ctx, in)) && len(ls.locks.sites) > 0 {
			a[assumeKeep] = true
		}
		for _, f := range ls.pts.Callees(cp.Func, cp.Ctx, in) {
			if k := contractOf(in, f); len(f.Blocks) == 0 && k != nil && k.Assumes() != "" {
				a[k.Assumes()] = true
			}
		}
	case *cir.Intrinsic:
		if in.Op == cir.Assumed {
			a[in.Name] = true
		}
		if in.Op != cir.ThreadCreate {
			return
		}
		for _, l := range ls.pts.Places(cp.Func, cp.Ctx, in.Args[0]) {
			if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 {
				a[assumeThreads] = true
			}
		}
	}
}

// assumptions returns the sentences that everything rests on.
func (ls *locations) assumptions() (list []string) {
	said := ls.assumed
	said[assumeBounds], said[assumeIDs] = true, true
	if ls.pts.Parts {
		said[assumeWhole] = true
	}
	if ls.pts.Replaced {
		said[assumeKept] = true
	}
	if ls.pts.Typed {
		said[assumeTypes] = true
	}
	if len(ls.locks.sites) > 0 {
		said[assumeGive], said[assumeReaders] = true, true
	}
	for o := range ls.coverage.by {
		if o.External {
			said[assumeOutside] = true
		}
	}
	for s := range said {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

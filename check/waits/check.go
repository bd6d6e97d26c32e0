package waits

import (
	"context"
	"fmt"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Check verifies that an order proves that a program has no deadlock: it finds out anew what may be owed where, and all of that has to stand before what is awaited. It returns
// the sentences that this rests on.
func Check(ctx context.Context, prog *cir.Program, pts *pointsto.Result, claims *certificate.Orders) ([]string, error) {
	if claims.Version != certificate.Version {
		return nil, fmt.Errorf("an order of version %d, not %d", claims.Version, certificate.Version)
	}
	w, err := Find(ctx, prog, pts)
	if err != nil {
		return nil, err
	}
	rank := map[Element]int{}
	for i, x := range claims.Order {
		e := Element{Kind(x.Kind), x.Object, x.Off}
		if _, twice := rank[e]; twice {
			return nil, fmt.Errorf("element %d stands in the order twice", i)
		}
		rank[e] = i
	}
	for _, e := range w.Edges {
		x, known := rank[e.Owed]
		y, also := rank[e.Awaited]
		if !known || !also || x >= y {
			at := "?"
			if e.At != nil {
				at = e.At.Pos.String()
			}
			return nil, fmt.Errorf("%s: a thread may owe %s while it waits for %s, and the order does not have it before that", at, w.Name(e.Owed), w.Name(e.Awaited))
		}
	}
	return w.Assumptions, nil
}

// What is taken for granted of any program, and of some: as package scancheck words it.
const (
	assumeBounds  = "the program accesses no memory out of the bounds of an array or object, or after its life"
	assumeIDs     = "ids of threads, locks and conditions are used as POSIX demands (--check=locks asks about that)"
	assumeOutside = "pointers that code outside of the program returns, or that come out of files, pipes, sockets and texts (%p), lead to no object of the program"
	assumeWhole   = "no pointer is put together from parts of another one that the program's own code copies one by one"
	assumeKept    = "if code outside has put a function where a pointer may lead to a function that the program names, that function keeps no pointer that it is given"
	assumeTypes   = "memory that the program declares is accessed as its type, or by characters (C11 6.5p7), as gcc relies on without -fno-strict-aliasing"
	assumeGive    = "a lock is given back by the thread that holds it, and neither destroyed, freed nor overwritten while it is held or waited for"
)

// assumptions returns the sentences that everything rests on.
func (p *program) assumptions() (list []string) {
	said := p.assumed
	for _, s := range []string{assumeBounds, assumeIDs, assumeOutside, assumeGive, AssumeGives} {
		said[s] = true
	}
	said[assumeWhole] = said[assumeWhole] || p.pts.Parts
	said[assumeKept] = said[assumeKept] || p.pts.Replaced
	said[assumeTypes] = said[assumeTypes] || p.pts.Typed
	for _, c := range p.pts.Copies() {
		for _, b := range c.Func.Blocks {
			if !p.pts.Comes(c.Func, b) {
				continue
			}
			for _, in := range b.Instrs {
				p.assumes(c, in)
			}
		}
	}
	for s, is := range said {
		if is {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return list
}

// assumes notes what is taken for granted of an instruction.
func (p *program) assumes(c pointsto.Copy, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Assumption:
		if p.pts.Matters(c.Func, c.Ctx, in.Sentence) {
			p.assumed[in.Sentence] = true
		}
	case *cir.Intrinsic:
		if in.Op == cir.Assumed {
			p.assumed[in.Name] = true
		}
	case *cir.Call:
		for _, f := range p.pts.Callees(c.Func, c.Ctx, in) {
			if k := pointsto.ContractOf(in, f); len(f.Blocks) == 0 && k != nil && k.Assumes() != "" {
				p.assumed[k.Assumes()] = true
			}
		}
	}
}

// startsThreads reports whether a function without a body may have functions called by threads of its own, or when a signal comes.
func (p *program) startsThreads(call *cir.Call, f *cir.Func) bool {
	if len(f.Blocks) > 0 {
		return false
	}
	if f.Unknown == cir.Open && (call.Unknown != cir.Open || len(p.pts.KnownOutside()) > 0) {
		return true
	}
	k := pointsto.ContractOf(call, f)
	if k == nil {
		return false
	}
	for i := range k.Params {
		for _, x := range k.Params[i].Calls {
			if x.When == contract.AsSignal || x.When == contract.InThread {
				return true
			}
		}
	}
	return false
}

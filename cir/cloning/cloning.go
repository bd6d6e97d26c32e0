// Package cloning makes a program in which functions that create threads for others have a copy for each call: start(&t, f) calls pthread_create(&t, 0, f, 0), and its calls with f and
// with g create threads in one place. Analyses that know threads by where they are created then take each for one of several, and cannot tell which of them was joined. A copy does
// what the function does, so the program has the same executions; only its text is longer. That is procedure cloning (K. D. Cooper, M. W. Hall, K. Kennedy, "A methodology for procedure
// cloning", Computer Languages 19(2), 1993).
//
// Which functions are copied is a guess that costs nothing but time: those that give pthread_create one of their parameters as what the thread begins with, and those that give it to such.
package cloning

import (
	"fmt"

	"comus/cir"
)

// maxCopies bounds the copies, and maxBlocks the blocks of what is copied.
const maxCopies, maxBlocks = 60, 60

// startAt are the functions of the library that create a thread, with the number of the parameter that is what the thread begins with.
var startAt = map[string]int{"pthread_create": 2, "thrd_create": 1}

// Of returns the program with copies, which shares nothing with it that is ever changed; the program itself if there is nothing to copy.
func Of(p *cir.Program) *cir.Program {
	if len(copiedOf(p)) == 0 {
		return p
	}
	q := p.Clone()
	names := map[string]bool{}
	for _, f := range q.Funcs {
		names[f.Name] = true
	}
	for made := 0; ; {
		f, sites := next(q)
		if f == nil {
			return q
		}
		for _, call := range sites[1:] {
			if made++; made > maxCopies {
				return q
			}
			n := 2
			for names[nameOf(f, n)] {
				n++
			}
			g := f.Clone(nameOf(f, n))
			names[g.Name] = true
			q.Funcs = append(q.Funcs, g)
			call.Callee = g
		}
	}
}

func nameOf(f *cir.Func, n int) string { return fmt.Sprintf("%s.%d", f.Name, n) }

// next returns a function that is called in several places and to be copied, with these, nil if there is none left.
func next(p *cir.Program) (*cir.Func, []*cir.Call) {
	all := sitesOf(p)
	for _, f := range copiedOf(p) {
		if sites := all[f]; len(sites) > 1 {
			return f, sites
		}
	}
	return nil, nil
}

// copiedOf returns the functions that are called in several places and to be copied.
func copiedOf(p *cir.Program) (list []*cir.Func) {
	starters, sites := startersOf(p), sitesOf(p)
	for _, f := range p.Funcs {
		if starters[f] != nil && len(sites[f]) > 1 && len(f.Blocks) <= maxBlocks && !calls(f, f, map[*cir.Func]bool{}) {
			list = append(list, f)
		}
	}
	return list
}

// sitesOf returns the calls of each function by its name, in order.
func sitesOf(p *cir.Program) map[*cir.Func][]*cir.Call {
	m := map[*cir.Func][]*cir.Call{}
	for _, f := range p.Funcs {
		eachCall(f, func(call *cir.Call, to *cir.Func) { m[to] = append(m[to], call) })
	}
	return m
}

// eachCall calls visit for the calls of functions by their names.
func eachCall(f *cir.Func, visit func(call *cir.Call, to *cir.Func)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok {
				if to, direct := call.Callee.(*cir.Func); direct {
					visit(call, to)
				}
			}
		}
	}
}

// calls reports whether a function may call another one by names.
func calls(f, other *cir.Func, seen map[*cir.Func]bool) (found bool) {
	eachCall(f, func(_ *cir.Call, to *cir.Func) {
		if to == other {
			found = true
		}
		if !found && !seen[to] {
			seen[to] = true
			found = calls(to, other, seen)
		}
	})
	return found
}

// startersOf returns the functions that create a thread which begins with one of their parameters, with the numbers of these.
func startersOf(p *cir.Program) map[*cir.Func]map[int]bool {
	all := map[*cir.Func]map[int]bool{}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			if f.Library {
				continue
			}
			eachCall(f, func(call *cir.Call, to *cir.Func) {
				for i := range call.Args {
					at, creates := startAt[to.Source]
					if !all[to][i] && !(creates && at == i && (to.Library || len(to.Blocks) == 0)) {
						continue
					}
					if k := paramOf(f, call.Args[i].X); k >= 0 && !all[f][k] {
						if all[f] == nil {
							all[f] = map[int]bool{}
						}
						all[f][k], changed = true, true
					}
				}
			})
		}
	}
	return all
}

// paramOf returns the number of the parameter that a value is, be it by a local that the parameter is stored to; -1 if it is none.
func paramOf(f *cir.Func, v cir.Value) int {
	var local *cir.Local
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if load, ok := in.(*cir.Load); ok && cir.Value(load.Dst) == v {
				local, _ = load.Addr.(*cir.Local)
			}
		}
	}
	for i, p := range f.Params {
		if cir.Value(p.Reg) == v {
			return i
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if s, ok := in.(*cir.Store); ok && local != nil && s.Addr == cir.Value(local) && s.X == cir.Value(p.Reg) {
					return i
				}
			}
		}
	}
	return -1
}

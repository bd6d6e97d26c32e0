// Package cloning makes a program in which functions that create threads for others have a copy for each call: start(&t, f) calls pthread_create(&t, 0, f, 0), and its calls with f and
// with g create threads in one place. Analyses that know threads by where they are created then take each for one of several, and cannot tell which of them was joined. A copy does
// what the function does, so the program has the same executions; only its text is longer. That is procedure cloning (K. D. Cooper, M. W. Hall, K. Kennedy, "A methodology for procedure
// cloning", Computer Languages 19(2), 1993).
//
// Functions that use a lock by way of one of their parameters are copied, too (lockusers.go): put(&a, x) and put(&b, x) are about two containers, each with its own lock, and analyses
// that know one activation record for put take the two for one.
//
// Which functions are copied is a guess that costs nothing but time: those that give pthread_create one of their parameters as what the thread begins with, and those that give it to such;
// and those that are given different containers.
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
		list := copiedOf(q)
		if len(list) == 0 {
			return q
		}
		for _, c := range list { // what one of them calls is called from its copies, too: that is looked at in the next turn
			for _, sites := range c.groups[1:] {
				if made++; made > maxCopies {
					return q
				}
				n := 2
				for names[nameOf(c.f, n)] {
					n++
				}
				g := c.f.Clone(nameOf(c.f, n))
				names[g.Name] = true
				q.Funcs = append(q.Funcs, g)
				for _, call := range sites {
					call.Callee = g
				}
			}
		}
	}
}

func nameOf(f *cir.Func, n int) string { return fmt.Sprintf("%s.%d", f.Name, n) }

// copied is a function that is to be copied, with the calls that each copy is for.
type copied struct {
	f      *cir.Func
	groups [][]*cir.Call
}

// copiedOf returns the functions that are called in several places and to be copied. Those that create threads have a copy for each call, and those that use locks one for all
// calls with the same containers.
func copiedOf(p *cir.Program) (list []copied) {
	from := map[*cir.Func]*sources{}
	starters, users, sites := startersOf(p), lockUsersOf(p, from), sitesOf(p)
	for _, f := range p.Funcs {
		if len(sites[f]) < 2 || len(f.Blocks) > maxBlocks || starters[f] == nil && users[f] == nil || calls(f, f, map[*cir.Func]bool{}) {
			continue
		}
		var groups [][]*cir.Call
		at := map[string]int{}
		for i, s := range sites[f] {
			key := fmt.Sprint(i)
			if starters[f] == nil {
				key = s.givenTo(users[f], from[s.in])
			}
			if _, known := at[key]; !known {
				at[key] = len(groups)
				groups = append(groups, nil)
			}
			groups[at[key]] = append(groups[at[key]], s.call)
		}
		if len(groups) > 1 {
			list = append(list, copied{f, groups})
		}
	}
	return list
}

// site is a call of a function by its name.
type site struct {
	in   *cir.Func
	call *cir.Call
}

// sitesOf returns the calls of each function by its name, in order.
func sitesOf(p *cir.Program) map[*cir.Func][]site {
	m := map[*cir.Func][]site{}
	for _, f := range p.Funcs {
		eachCall(f, func(call *cir.Call, to *cir.Func) { m[to] = append(m[to], site{f, call}) })
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

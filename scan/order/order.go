// Package order finds lock orders that may end in a deadlock: threads that may run at the same time, each of which holds a lock and takes the one that the next of them holds,
// in a circle, while no other lock keeps them from being there together.
//
// It sees locks that are held in any case where another one is taken (package lockset), by functions that wait for it as long as it takes. Orders of locks that are held on some
// paths only are not seen, so that none is found says little. What is found may be impossible: pointers may lead to other locks than it seems, and the threads may
// not come there together.
package order

import (
	"context"
	"slices"
	"strconv"

	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// Step is a place where a thread takes a lock and holds another one.
type Step struct {
	Thread *thread.Thread
	Call   *cir.Call // by which it is taken
	Func   *cir.Func
	Site   *cir.Site
	// Holds and Takes are the two locks.
	Holds, Takes lockset.Held

	all     []lockset.Held // that are held
	running thread.Set     // of the thread's descendants
}

// Circle is a lock order that may end in a deadlock: each step takes what the next one holds, the last one what the first one holds.
type Circle []*Step

// The bounds of a circle's length, of the steps, and of how many circles are found.
const (
	longest     = 4
	mostSteps   = 2000
	mostCircles = 200
)

// Analyse finds the circles, in an order that depends on the program only. Those whose locks are taken at the same places are one. The error is that of ctx.
func Analyse(ctx context.Context, pts *pointsto.Result, threads *thread.Result, locks *lockset.Result) ([]Circle, error) {
	f := &finder{pts: pts, threads: threads, seen: map[string]bool{}}
	f.number()
	roots := map[pointsto.Copy]*lockset.Activation{}
	for i, r := range pts.Roots {
		roots[pts.Canonical(pointsto.Copy{Func: r.Func, Ctx: r.Ctx})] = locks.Root(i)
	}
	for _, t := range threads.Threads {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.thread(t, roots, locks)
	}
	for i := range f.steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.from(i, []int{i})
	}
	return f.found, nil
}

type finder struct {
	pts     *pointsto.Result
	threads *thread.Result
	numbers map[*cir.Site]int
	steps   []*Step
	found   []Circle
	seen    map[string]bool // the places of circles that were found
}

// number numbers the places where locks are taken.
func (f *finder) number() {
	f.numbers = map[*cir.Site]int{}
	for _, n := range f.threads.AllNodes() {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if s := in.Meta().Site; s != nil && f.numbers[s] == 0 {
					f.numbers[s] = len(f.numbers) + 1
				}
			}
		}
	}
}

// thread finds the steps of a thread.
func (f *finder) thread(t *thread.Thread, roots map[pointsto.Copy]*lockset.Activation, locks *lockset.Result) {
	running := map[pointsto.Copy]map[cir.Instr]thread.Set{}
	for _, n := range f.threads.Nodes(t) {
		f.threads.Each(t, n, func(in cir.Located, s thread.Set) {
			call, ok := in.(*cir.Call)
			if !ok {
				return
			}
			if running[n.Copy()] == nil {
				running[n.Copy()] = map[cir.Instr]thread.Set{}
			}
			running[n.Copy()][call] = s
		})
	}
	met := map[*lockset.Activation]bool{}
	for _, root := range t.Roots() {
		for _, x := range locks.Reach(roots[root.Copy()]) {
			if met[x] || !x.Own() {
				continue
			}
			met[x] = true
			locks.Each(x, func(p lockset.Point) {
				takes, ok := p.Takes()
				s, runs := running[x.Copy][p.Instr]
				if !ok || !runs || len(f.steps) >= mostSteps {
					return
				}
				all := p.Held(nil, -1)
				for _, h := range all {
					if len(h.At) == 0 || len(takes.At) == 0 || h.Mode == lockset.Reading && takes.Mode == lockset.Reading || f.same(h, takes) {
						continue
					}
					f.steps = append(f.steps, &Step{Thread: t, Call: p.Instr.(*cir.Call), Func: x.Copy.Func, Site: p.Instr.Meta().Site, Holds: h, Takes: takes, all: all, running: s})
				}
			})
		}
	}
}

// same reports whether two locks are one.
func (f *finder) same(h, k lockset.Held) bool {
	if len(h.At) == 1 && len(k.At) == 1 && h.At[0] == k.At[0] && h.At[0].Exact() && f.pts.Once(h.At[0].Obj) {
		return true
	}
	return slices.ContainsFunc(h.Keys, func(x lockset.Key) bool { return x.Kind == lockset.Absolute && slices.Contains(k.Keys, x) })
}

// from goes on from a path of steps to those that hold what its last one takes. A circle begins with its first step.
func (f *finder) from(first int, path []int) {
	last := f.steps[path[len(path)-1]]
	for i := first; i < len(f.steps) && len(f.found) < mostCircles; i++ {
		s := f.steps[i]
		if !meet(last.Takes, s.Holds) {
			continue
		}
		if i == first { // the circle is closed; of one step, there are several threads at it
			if len(path) > 1 || f.together(s, s) {
				f.add(path)
			}
			continue
		}
		if len(path) == longest || slices.Contains(path, i) || slices.ContainsFunc(path, func(k int) bool { return !f.together(f.steps[k], s) }) {
			continue
		}
		f.from(first, append(slices.Clone(path), i))
	}
}

// meet reports whether two locks may be one, where that matters.
func meet(h, k lockset.Held) bool {
	if h.Mode == lockset.Reading && k.Mode == lockset.Reading {
		return false
	}
	return slices.ContainsFunc(h.At, func(l pointsto.Location) bool {
		return slices.ContainsFunc(k.At, func(m pointsto.Location) bool { return l.Obj == m.Obj && (l.Off == m.Off || !l.Exact() || !m.Exact()) })
	})
}

// together reports whether two threads may be at two steps at the same time: no lock that both hold keeps them from that.
func (f *finder) together(x, y *Step) bool {
	return f.threads.Parallel(x.Thread, x.running, y.Thread, y.running) && lockset.Common(x.all, y.all, false) == ""
}

// add keeps a circle, if none is known at the same places.
func (f *finder) add(path []int) {
	var at []int
	var c Circle
	for _, i := range path {
		s := f.steps[i]
		c, at = append(c, s), append(at, f.numbers[s.Site])
	}
	slices.Sort(at)
	key := ""
	for _, n := range slices.Compact(at) {
		key += strconv.Itoa(n) + " "
	}
	if !f.seen[key] {
		f.seen[key] = true
		f.found = append(f.found, c)
	}
}

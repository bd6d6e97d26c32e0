package pointsto

import (
	"golang.org/x/tools/container/intsets"
	"maps"
	"slices"

	"comus/cir"
)

// findRoots collects the functions that threads begin with.
func (r *Result) findRoots(entries []*cir.Func) {
	for _, f := range entries {
		r.Roots = append(r.Roots, Root{Func: f})
	}
	r.entries = len(entries)
	places := map[*instance]int{}
	loops := map[*instance]bool{}
	var order []*instance
	for _, x := range r.a.order {
		begins := x.creations()
		for _, in := range instructions(x, begins) {
			for _, y := range r.listed(begins[in]) {
				if places[y] == 0 {
					order = append(order, y)
				}
				places[y]++
				if r.repeats(x, in) {
					loops[y] = true
				}
			}
		}
	}
	for _, y := range order {
		r.Roots = append(r.Roots, Root{y.fn, y.ctx, places[y] > 1 || loops[y]})
	}
}

// findOpenRoots adds the functions that code outside of the program may call: nothing is known of what their callers do.
func (r *Result) findOpenRoots() {
	if !r.a.open {
		return
	}
	for _, c := range r.KnownOutside() {
		r.Roots = append(r.Roots, Root{c.Func, c.Ctx, true})
	}
}

// creations returns where an instance creates threads: of places that create the same ones in branches that exclude each other, the first.
func (x *instance) creations() map[*cir.Intrinsic]map[*instance]bool {
	if len(x.threads) < 2 {
		return x.threads
	}
	out := map[*cir.Intrinsic]map[*instance]bool{}
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			i, ok := in.(*cir.Intrinsic)
			if !ok || x.threads[i] == nil {
				continue
			}
			again := false
			for k, ys := range out {
				again = again || maps.Equal(ys, x.threads[i]) && !follows(x.fn, k, i) && !follows(x.fn, i, k)
			}
			if !again {
				out[i] = x.threads[i]
			}
		}
	}
	return out
}

// follows reports whether control may come from an instruction to another one.
func follows(f *cir.Func, from, to cir.Instr) bool {
	home, goal := blockOf(f, from), blockOf(f, to)
	return home == goal || reaches(home, goal)
}

// repeats reports whether an instruction of an instance may be passed more than once in a run: it is
// in a cycle of its function, or the function is called from more than one place, or by code outside.
func (r *Result) repeats(x *instance, in cir.Instr) bool {
	seen := map[*instance]bool{}
	callers := r.callersOf()
	var visit func(x *instance, in cir.Instr) bool
	visit = func(x *instance, in cir.Instr) bool {
		if again(x.fn, in) || seen[x] || r.a.backs[x] {
			return true
		}
		seen[x] = true
		from, begins := callers[x], 0
		for _, root := range r.Roots[:r.entries] {
			if r.instance(root.Func, root.Ctx) == x {
				begins++
			}
		}
		if len(from) != 1 || begins > 0 {
			return len(from)+begins > 1
		}
		return visit(from[0].x, from[0].in)
	}
	return visit(x, in)
}

// caller is an instruction that begins a function's copy.
type caller struct {
	x  *instance
	in cir.Instr
}

// callersOf returns where functions' copies are called, or begin as threads.
func (r *Result) callersOf() map[*instance][]caller {
	if r.callers == nil {
		r.callers = map[*instance][]caller{}
		for _, x := range r.a.order {
			for _, in := range instructions(x, x.calls) {
				for y := range x.calls[in] { // order does not matter: each has a list of its own
					r.callers[y] = append(r.callers[y], caller{x, in})
				}
			}
			begins := x.creations()
			for _, in := range instructions(x, begins) {
				for y := range begins[in] { // order does not matter: each has a list of its own
					r.callers[y] = append(r.callers[y], caller{x, in})
				}
			}
		}
	}
	return r.callers
}

// inCycle reports whether control may come back to an instruction's block.
func inCycle(f *cir.Func, in cir.Instr) bool {
	home := blockOf(f, in)
	return home == nil || reaches(home, home)
}

// blockOf returns the block that an instruction is in, nil if it is in none.
func blockOf(f *cir.Func, in cir.Instr) *cir.Block {
	for _, b := range f.Blocks {
		for _, x := range b.Instrs {
			if x == in {
				return b
			}
		}
	}
	return nil
}

// reaches reports whether control may come from the end of a block to another one.
func reaches(from, to *cir.Block) bool {
	seen := map[*cir.Block]bool{}
	work := []*cir.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		again := false
		cir.Succs(b.Term, func(next *cir.Block, _ []cir.Value) {
			again = again || next == to
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		})
		if again {
			return true
		}
	}
	return false
}

// findEscapes marks the objects that other threads may get the address of: globals, what
// threads are given, what is known outside, what thread-local variables lead to that functions find which interrupt others, and what these hold the addresses of.
func (r *Result) findEscapes() {
	var work []*Object
	mark := func(o *Object) {
		if !o.Escaped && !o.IsFunc() {
			o.Escaped = true
			work = append(work, o)
		}
	}
	for _, o := range r.Objects {
		if o.Global != nil && !o.Global.ThreadLocal || o.External {
			mark(o)
		}
	}
	for _, l := range r.Kept() {
		mark(l.Obj)
	}
	if r.interrupts() {
		for _, o := range r.Objects {
			if o.Global == nil || !o.Global.ThreadLocal {
				continue
			}
			for _, n := range o.cells {
				r.eachAim(n, mark)
			}
		}
	}
	for _, x := range r.a.order {
		for in := range x.threads {
			for _, v := range in.Args {
				r.eachAim(r.a.value(x, v), mark)
			}
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range o.cells {
			r.eachAim(n, mark)
		}
	}
}

// interrupts reports whether functions of the program run in a thread that calls them from code outside, or that they interrupt as handlers of signals: by its
// thread-local variables they find what is its own, though each is a root by itself here.
func (r *Result) interrupts() bool {
	return len(r.KnownOutside()) > 0 || len(r.a.backs) > 0 || slices.ContainsFunc(r.Roots, func(root Root) bool { return root.Func.Library && root.Func.Source == "deliver" })
}

// findAccesses notes which roots access which objects, which scans do not ask.
func (r *Result) findAccesses() {
	own, passed := map[*instance]*intsets.Sparse{}, map[*instance]*intsets.Sparse{}
	for i, root := range r.Roots {
		var all, given intsets.Sparse
		for _, x := range r.reach(root) {
			if own[x] == nil {
				own[x], passed[x] = r.accessed(x), r.passed(x)
			}
			all.UnionWith(own[x])
			given.UnionWith(passed[x])
		}
		for _, id := range all.AppendTo(nil) {
			setBit(&r.a.all[id].accessed, i)
		}
		for _, id := range given.AppendTo(nil) {
			setBit(&r.a.all[id].passed, i)
		}
	}
}

func setBit(m *map[int]bool, i int) {
	if *m == nil {
		*m = map[int]bool{}
	}
	(*m)[i] = true
}

// passed returns the objects that a function's copy passes to the library, or to functions that are not known, which access them: the
// variable arguments of a printf or scanf, and all that can be reached from the arguments of a function without a body.
func (r *Result) passed(x *instance) *intsets.Sparse {
	all := &intsets.Sparse{}
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Intrinsic:
				switch in.Op {
				case cir.Print, cir.Format, cir.Scan:
					r.eachAim(r.a.value(x, in.Args[len(in.Args)-1]), func(o *Object) { r.heldBy(o, all) })
				case cir.HavocReachable:
					r.reachable(r.a.value(x, in.Args[0]), all)
				}
			case *cir.Call:
				for _, a := range in.Args {
					if r.opaque(x, in) {
						r.reachable(r.a.value(x, a.X), all)
					}
				}
			}
		}
	}
	return all
}

// heldBy adds the objects that an object holds pointers to.
func (r *Result) heldBy(o *Object, all *intsets.Sparse) {
	for _, n := range o.cells {
		all.UnionWith(r.aim(n))
	}
}

// reachable adds the objects that can be reached from a pointer.
func (r *Result) reachable(n *node, all *intsets.Sparse) {
	var work []int
	r.eachAim(n, func(o *Object) { work = append(work, o.ID) })
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if !all.Insert(id) {
			continue
		}
		var held intsets.Sparse
		r.heldBy(r.a.all[id], &held)
		work = held.AppendTo(work)
	}
}

// aim returns the numbers of the objects that a node's locations are in.
func (r *Result) aim(n *node) *intsets.Sparse {
	if n == nil {
		return &intsets.Sparse{}
	}
	n = find(n)
	s := r.aims[n]
	if s == nil {
		s = &intsets.Sparse{}
		for _, id := range n.set.AppendTo(nil) {
			s.Insert(r.a.locs[id].Obj.ID)
		}
		r.aims[n] = s
	}
	return s
}

// eachAim calls f for the objects that a node's locations are in.
func (r *Result) eachAim(n *node, f func(*Object)) {
	for _, id := range r.aim(n).AppendTo(nil) {
		f(r.a.all[id])
	}
}

// reach returns the instances that a root's threads run.
func (r *Result) reach(root Root) []*instance {
	first := r.instance(root.Func, root.Ctx)
	if first == nil {
		return nil
	}
	seen := map[*instance]bool{first: true}
	list := []*instance{first}
	for i := 0; i < len(list); i++ {
		for _, in := range instructions(list[i], list[i].calls) {
			for _, y := range r.listed(list[i].calls[in]) {
				if !seen[y] {
					seen[y] = true
					list = append(list, y)
				}
			}
		}
	}
	return list
}

// accessed returns the objects that a function's copy itself accesses.
func (r *Result) accessed(x *instance) *intsets.Sparse {
	all := &intsets.Sparse{}
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			for _, v := range addresses(in) {
				all.UnionWith(r.aim(r.a.value(x, v)))
			}
		}
		if t, ok := b.Term.(*cir.Return); ok && t.X != nil && x.fn.Result.Shape != nil {
			all.UnionWith(r.aim(r.a.value(x, t.X)))
		}
	}
	return all
}

// addresses returns the operands through which an instruction accesses memory.
func addresses(in cir.Instr) []cir.Value {
	vs := writes(in)
	switch in := in.(type) {
	case *cir.Load:
		return []cir.Value{in.Addr}
	case *cir.Copy:
		return append(vs, in.Src)
	case *cir.VaCopy:
		return append(vs, in.Src)
	case *cir.Call:
		for _, x := range in.Args {
			if x.ByVal != nil {
				vs = append(vs, x.X)
			}
		}
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Print, cir.WriteOut, cir.Free, cir.IsHeap, cir.IsSet, cir.StrtoD:
			return in.Args
		case cir.Resize: // what there was is written to the new object
			if in.Dst != nil {
				return append([]cir.Value{in.Dst}, in.Args...)
			}
			return in.Args
		}
	}
	return vs
}

// Shared reports whether more than one thread may access an object.
func (r *Result) Shared(o *Object) bool {
	r.accesses.Do(r.findAccesses)
	return r.byMany(o, func(i int) bool { return o.accessed[i] })
}

// SharedOrPassed reports whether more than one thread may access an object, or have the library do that.
func (r *Result) SharedOrPassed(o *Object) bool {
	r.accesses.Do(r.findAccesses)
	return r.byMany(o, func(i int) bool { return o.accessed[i] || o.passed[i] })
}

// Interrupted reports whether an object is a variable that each thread has its own of, and that a handler of signals may access: which is the one of the
// thread that it interrupts. The model runs handlers as threads, whose own variables are other ones; so nothing is known of what it holds, in any thread.
// Which thread it is that is interrupted, pthread_self leaves open there.
func (r *Result) Interrupted(o *Object) bool {
	if o == nil || o.Global == nil || !o.Global.ThreadLocal || o.Global.Library && slices.Contains(handlersOwn, o.Global.Source) {
		return false
	}
	r.accesses.Do(r.findAccesses)
	for i, root := range r.Roots {
		if root.Func.Library && root.Func.Source == deliver && (o.accessed[i] || o.passed[i]) {
			return true
		}
	}
	return false
}

// deliver is the function of the model of signals that runs handlers, as a thread.
const deliver = "deliver"

// handlersOwn are the variables of the models of threads and signals that handlers may have for themselves: which thread it is, that it runs a handler, and of which signals.
var handlersOwn = []string{"__comus_self", "__comus_handles", "running", "depth"}

// byMany reports whether several threads are roots of a kind.
func (r *Result) byMany(o *Object, does func(root int) bool) bool {
	if o == nil || o.IsFunc() || !o.Escaped {
		return false
	}
	n := 0
	for i, root := range r.Roots {
		if does(i) {
			n++
			if root.Many {
				n++
			}
		}
	}
	return n > 1
}

package points

import (
	"cmp"
	"slices"

	"comus/cir"
)

// Result is what the analysis found.
type Result struct {
	Objects []*Object
	// Roots are the functions that threads begin with, the program's entry first.
	Roots []Root

	a        *analysis
	modifies map[*instance]map[*Object]bool
	creating map[*instance]bool // made when it is first asked for
}

// Root is a function that threads begin with, in a context.
type Root struct {
	Func *cir.Func
	Ctx  Context
	// Many tells that more than one thread may begin with it.
	Many bool
}

// Analyse analyses a whole program.
func Analyse(p *cir.Program) *Result {
	a := &analysis{prog: p, instances: map[instanceKey]*instance{}, objects: map[objectKey]*Object{}, wrappers: wrappers(p)}
	a.external = &Object{External: true}
	a.all = append(a.all, a.external)
	a.outside()
	entries := append(slices.Clone(p.Constructors), p.Entry)
	entries = append(entries, p.Destructors...)
	for _, f := range entries {
		x := a.instanceOf(f, Context{})
		for _, prm := range f.Params { // argv
			a.add(x.regs[prm.Reg.Index], a.anywhere)
		}
	}
	a.solve()
	r := &Result{a: a}
	r.Objects = a.all
	r.findRoots(entries)
	r.findEscapes()
	r.findAccesses()
	r.findWrites()
	r.findHow()
	return r
}

// wrappers returns the functions of the program that return what they just allocated, judged by a glance:
// short functions that call an allocator, or such a function, and return a pointer.
func wrappers(p *cir.Program) map[*cir.Func]bool {
	found := map[*cir.Func]bool{}
	allocates := func(f *cir.Func) bool {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Intrinsic:
					if in.Op == cir.Alloc {
						return true
					}
				case *cir.Call:
					if g, ok := in.Callee.(*cir.Func); ok && found[g] {
						return true
					}
				}
			}
		}
		return false
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			if !found[f] && f.Result.Type.IsPointer() && len(f.Blocks) > 0 && len(f.Blocks) <= maxWrapper && allocates(f) {
				found[f], changed = true, true
			}
		}
	}
	return found
}

// maxWrapper is the number of blocks of what is taken for a wrapper.
const maxWrapper = 24

// node returns the node of a value in a function's copy, nil if it was not reached.
func (r *Result) node(f *cir.Func, ctx Context, v cir.Value) *node {
	if !f.Library && !r.a.wrappers[f] {
		ctx = Context{}
	}
	x := r.a.instances[instanceKey{f, ctx}]
	if x == nil {
		return nil
	}
	if reg, ok := v.(*cir.Reg); ok {
		return x.regs[reg.Index]
	}
	return r.a.value(x, v)
}

// Context returns the context in which a call in a copy of f runs the functions it gets to.
func (r *Result) Context(f *cir.Func, ctx Context, call *cir.Call) Context {
	if ctx.Call != nil && f.Library {
		return ctx
	}
	return Context{call}
}

// Targets returns what a value in a function's copy may point to, in a fixed order.
func (r *Result) Targets(f *cir.Func, ctx Context, v cir.Value) []Location {
	return sorted(r.node(f, ctx, v))
}

// Contents returns what the pointer at an offset of an object may point to.
func (r *Result) Contents(o *Object, off int64) []Location { return sorted(o.cells[o.reduce(off)]) }

func sorted(n *node) []Location {
	if n == nil {
		return nil
	}
	ls := make([]Location, 0, len(n.set))
	for l := range n.set {
		ls = append(ls, l)
	}
	slices.SortFunc(ls, func(x, y Location) int {
		return cmp.Or(cmp.Compare(x.Obj.ID, y.Obj.ID), cmp.Compare(x.Off, y.Off))
	})
	return ls
}

// Object returns the object of a global, or of a local or allocation of a function in a context.
func (r *Result) Object(f *cir.Func, ctx Context, what any) *Object {
	if f == nil || !f.Library && !r.a.wrappers[f] {
		ctx = Context{}
	}
	return r.a.objects[objectKey{what, ctx}]
}

// Callees returns the functions that a call in a function's copy may get to.
func (r *Result) Callees(f *cir.Func, ctx Context, call *cir.Call) []*cir.Func {
	if g, ok := call.Callee.(*cir.Func); ok {
		return []*cir.Func{g}
	}
	var fs []*cir.Func
	for _, l := range r.Targets(f, ctx, call.Callee) {
		if l.Obj.IsFunc() && !slices.Contains(fs, l.Obj.Func) {
			fs = append(fs, l.Obj.Func)
		}
	}
	return fs
}

// Held returns what the cells of an object may point to.
func (r *Result) Held(o *Object) []Location {
	all := &node{set: map[Location]bool{}}
	for _, n := range o.cells {
		for l := range n.set {
			all.set[l] = true
		}
	}
	return sorted(all)
}

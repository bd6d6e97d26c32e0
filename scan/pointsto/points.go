package pointsto

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"golang.org/x/tools/container/intsets"

	"comus/cfront/contract"
	"comus/cir"
)

// Result is what the analysis found.
type Result struct {
	Objects []*Object
	// Roots are the functions that threads begin with, the program's entry first.
	Roots   []Root
	entries int // of Roots, those that the program begins and ends with by itself
	// Parts tells that the program may take parts of addresses, which [AnalyseOpen] does not follow.
	Parts bool
	// Replaced tells that some call through a pointer may lead both to functions that the program names and outside: [AnalyseOpen] takes it that those outside keep
	// nothing of what they are given.
	Replaced bool
	// Typed tells that some access was taken not to go where the program has memory of another type ([cir.Premises]), so far.
	Typed bool

	a        *analysis
	modifies map[*instance]*intsets.Sparse // numbers of objects
	aims     map[*node]*intsets.Sparse     // the numbers of the objects of a node's set
	noted    map[notedKey]*intsets.Sparse  // the locations that are accessed so, until all are known
	callers  map[*instance][]caller
	made     *makers
	done     map[cir.IntrinsicOp]map[*instance]bool // which may run an intrinsic, made when it is first asked for
	once     map[*Object]bool                       // the answers of Once
	places   map[Copy]int                           // the numbers of copies
	copies   []Copy                                 // the answer of Copies
	outside  *[]Copy                                // the answer of KnownOutside
	called   map[calledKey][]Copy                   // the answers of Called
	back     map[calledKey][]Copy                   // those of CalledBack
	hooked   map[*Object]bool                       // what variables of the library lead to
	placesOf map[*node][]Location                   // the answers of Places
	aimed    map[aimedKey][]Location                // the answers of Aimed
	lists    map[uint64][][]Location                // lists of Places, by a hash
	accesses sync.Once                              // of findAccesses
	ranked   []Location                             // all that there are, in order
	ranks    []int                                  // of locations in ranked, by their numbers
	leaves   map[*cir.Shape][]leaf                  // the scalars of shapes; nil: not all is known
}

// Root is a function that threads begin with, in a context.
type Root struct {
	Func *cir.Func
	Ctx  Context
	// Many tells that more than one thread may begin with it.
	Many bool
}

// Analyse analyses a whole program.
// The error is that of ctx, which ended before the analysis did.
func Analyse(ctx context.Context, p *cir.Program) (*Result, error) {
	return analyseFor(ctx, p, how{})
}

// AnalyseOpen is Analyse for whoever wants to know what functions outside of the program may do by calling it back: functions
// whose addresses are known outside are analysed, too, with arguments that may be whatever is known there. It follows addresses in
// scalars of a pointer's size only, as whole programs are full of memory whose parts cannot be told apart, where any number would be a part of an address.
func AnalyseOpen(ctx context.Context, p *cir.Program) (*Result, error) {
	return analyseFor(ctx, p, how{open: true})
}

// how says how a program is analysed.
type how struct {
	parts bool // scalars of all sizes may hold a part of an address
	open  bool // functions that are known outside are called
	// traced keeps what it takes to tell why a set is what it is.
	traced bool
	// layouts are how what is allocated is divided up; contexts those that the first analysis knew.
	layouts  map[objectKey]*cir.Shape
	contexts map[Context]*Context
}

func analyseFor(ctx context.Context, p *cir.Program, h how) (*Result, error) {
	h.contexts = map[Context]*Context{}
	a, entries, err := analyse(ctx, p, h)
	if err == nil {
		if h.layouts = a.findLayouts(); len(h.layouts) > 0 {
			a, entries, err = analyse(ctx, p, h)
		}
	}
	taken := err == nil && a.takesParts()
	if taken && !h.open {
		h.parts = true
		a, entries, err = analyse(ctx, p, h)
		for err == nil && a.joinParts() {
			err = a.again()
		}
	}
	if err != nil {
		return nil, err
	}
	r := &Result{Parts: taken, a: a, aims: map[*node]*intsets.Sparse{}, noted: map[notedKey]*intsets.Sparse{}}
	r.Objects = a.all
	r.Replaced = !p.Assume.HooksKeep && slices.ContainsFunc(a.pointed, func(p *pointed) bool { return !p.seen })
	r.findRoots(entries)
	r.findOpenRoots()
	r.findEscapes()
	r.findWrites()
	r.findHow()
	r.findVague()
	a.nameObjects()
	return r, ctx.Err()
}

// analyse finds the sets. It returns the functions that the program begins with, too.
func analyse(ctx context.Context, p *cir.Program, h how) (*analysis, []*cir.Func, error) {
	a := &analysis{ctx: ctx, prog: p, how: h, instances: map[instanceKey]*instance{}, objects: map[objectKey]*Object{}, wrappers: wrappers(p),
		kept: map[contract.State]*state{}}
	a.inShapes, a.lie = map[*cir.Shape][]region{}, map[liesKey]bool{}
	a.chains = newChains(p, a.wrappers)
	a.asked.of, a.backs = map[*cir.Func]*left{}, map[*instance]bool{}
	a.external = &Object{External: true}
	a.all = append(a.all, a.external)
	a.foreign, a.given, a.wild = a.addressOf(a.external), a.newNode(), a.newNode()
	a.outside()
	entries := append(slices.Clone(p.Constructors), p.Entry)
	entries = append(entries, p.Destructors...)
	for _, f := range entries {
		x := a.instanceOf(f, Context{})
		for _, prm := range f.Params { // argv
			a.flow(a.foreign, a.reg(x, prm.Reg))
		}
	}
	a.leave()
	return a, entries, a.again()
}

// again propagates until nothing changes, no more objects turn out to be walked over, and no more calls to lead outside only.
func (a *analysis) again() error {
	err := a.solve()
	for err == nil && (a.findWalks() || a.findKeepers()) {
		err = a.solve()
	}
	return err
}

// leave states that the program calls exit when its entry returns.
func (a *analysis) leave() {
	f := a.prog.FuncNamed("exit")
	if f == nil || len(f.Blocks) == 0 || a.prog.Entry == nil {
		return
	}
	x, y := a.instanceOf(a.prog.Entry, Context{}), a.instanceOf(f, Context{})
	x.calls[nil] = map[*instance]bool{y: true}
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
					if in.Op == cir.Alloc || in.Op == cir.AllocAligned {
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

// instance returns a function's copy, nil if it was not reached.
func (r *Result) instance(f *cir.Func, ctx Context) *instance {
	return r.a.instances[instanceKey{f, r.a.canonical(f, ctx)}]
}

// node returns the node of a value in a function's copy, nil if it was not reached.
func (r *Result) node(f *cir.Func, ctx Context, v cir.Value) *node {
	x := r.instance(f, ctx)
	if x == nil {
		return nil
	}
	if n := r.a.value(x, v); n != nil {
		return find(n)
	}
	return nil
}

// Context returns the context in which a call in a copy of f runs a function that it gets to.
func (r *Result) Context(f *cir.Func, ctx Context, call *cir.Call, callee *cir.Func) Context {
	return r.a.callContext(f, r.a.canonical(f, ctx), call, callee)
}

// Targets returns what a value in a function's copy may point to, in a fixed order.
func (r *Result) Targets(f *cir.Func, ctx Context, v cir.Value) []Location {
	if n := r.node(f, ctx, v); n != nil {
		return r.sorted(&n.set)
	}
	return nil
}

// Contents returns what the pointer at an offset of an object may point to.
func (r *Result) Contents(o *Object, off int64) []Location {
	n := o.cells[o.Reduce(off)]
	if n == nil {
		n = o.cells[Any]
	}
	if n == nil {
		return nil
	}
	return r.sorted(&find(n).set)
}

// sorted returns the locations of a set, by their objects and offsets.
func (r *Result) sorted(set *intsets.Sparse) []Location {
	if len(r.ranks) != len(r.a.locs) {
		r.rankLocations()
	}
	ids := set.AppendTo(nil)
	for i, id := range ids {
		ids[i] = r.ranks[id]
	}
	if len(ids) > manyLocations {
		ids = inBits(ids)
	} else {
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	ls := make([]Location, len(ids))
	for i, id := range ids {
		ls[i] = r.ranked[id]
	}
	return ls
}

// manyLocations is the number of locations from which on sorting takes more than to look at a bit for each that there is.
const manyLocations = 256

// inBits sorts ranks, in place, and drops those that are there twice.
func inBits(ids []int) []int {
	first := slices.Min(ids)
	set := make([]uint64, (slices.Max(ids)-first)/64+1)
	for _, id := range ids {
		set[(id-first)/64] |= 1 << ((id - first) % 64)
	}
	ids = ids[:0]
	for w, b := range set {
		for ; b != 0; b &= b - 1 {
			ids = append(ids, first+w*64+bits.TrailingZeros64(b))
		}
	}
	return ids
}

// rankLocations puts all locations in order, by their objects and offsets; those that have become the same have the same rank.
func (r *Result) rankLocations() {
	all := make([]Location, len(r.a.locs))
	for i, l := range r.a.locs {
		all[i] = Location{l.Obj, l.Obj.Reduce(l.Off)}
	}
	order := func(x, y Location) int { return cmp.Or(cmp.Compare(x.Obj.ID, y.Obj.ID), cmp.Compare(x.Off, y.Off)) }
	r.ranked = slices.Clone(all)
	slices.SortFunc(r.ranked, order)
	r.ranked = slices.Compact(r.ranked)
	r.ranks = make([]int, len(all))
	for i, l := range all {
		r.ranks[i], _ = slices.BinarySearchFunc(r.ranked, l, order)
	}
}

// Object returns the object of a global, or of a local or allocation of a function in a context.
func (r *Result) Object(f *cir.Func, ctx Context, what any) *Object {
	return r.a.objects[objectKey{what, r.a.canonical(f, ctx)}]
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

// EachCall calls f for each call of a function, in each copy of its caller, with what each argument may point to.
func (r *Result) EachCall(callee *cir.Func, f func(args [][]Location)) {
	for _, x := range r.a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || !slices.Contains(r.Callees(x.fn, x.ctx, call), callee) {
					continue
				}
				args := make([][]Location, len(call.Args))
				for i, a := range call.Args {
					args[i] = r.Targets(x.fn, x.ctx, a.X)
				}
				f(args)
			}
		}
	}
}

// Held returns what the cells of an object may point to.
func (r *Result) Held(o *Object) []Location {
	var all intsets.Sparse
	for _, n := range o.cells {
		all.UnionWith(&find(n).set)
	}
	return r.sorted(&all)
}

// Open reports whether functions that are known outside were analysed as called from there, or there are none.
func (r *Result) Open() bool {
	return r.a.open || !slices.ContainsFunc(r.Held(r.a.external), func(l Location) bool { return l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0 })
}

// Model returns the program's data model.
func (r *Result) Model() cir.Model { return r.a.prog.Model }

// Whole reports whether this is what [AnalyseOpen] found.
func (r *Result) Whole() bool { return r.a.open }

// Comes reports whether control may come to a block of a function that was analysed, by what functions of the library are assumed to return ([cir.Assumed]): not where
// pthread_create has failed, say. The report names these assumptions.
func (r *Result) Comes(f *cir.Func, b *cir.Block) bool {
	l := r.a.asked.of[f]
	return !r.a.open || l == nil || l.blocks[b]
}

// Goes reports whether control may go from the end of a block to another one, as [Result.Comes] has it of blocks: where pthread_create has failed, a loop is not left.
func (r *Result) Goes(f *cir.Func, from, to *cir.Block) bool {
	l := r.a.asked.of[f]
	br, ok := from.Term.(*cir.Branch)
	if !r.Comes(f, to) || !r.a.open || l == nil || !ok || br.Then == br.Else {
		return r.Comes(f, to)
	}
	c := l.value(br.Cond)
	if to == br.Then {
		return c.several || c.n != 0
	}
	return c.several || c.known && c.n == 0
}

// Reached reports whether a function was analysed in a context.
func (r *Result) Reached(f *cir.Func, ctx Context) bool { return r.instance(f, ctx) != nil }

// Outside reports whether an object may be known outside of the program.
func (r *Result) Outside(o *Object) bool { return o.outside }

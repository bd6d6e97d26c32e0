package values

import (
	"context"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/solve"
)

// Options say what is asked. The zero value is ready to use.
type Options struct {
	// Wrap tells that signed overflow wraps around; otherwise it is undefined, and no execution of the program has it.
	Wrap bool
	// Everywhere has relations followed for all comparisons, not only for those that assertions depend on.
	Everywhere bool
	// Plain has no relations followed, which takes less time.
	Plain bool
}

// place is an unknown.
type place struct {
	kind  placeKind
	n     int32 // an instance; or the key of a cell
	block int32
	// many tells that there may be other threads. What is found at a place while the program has one is kept apart.
	many bool
}

type placeKind uint8

const (
	start   placeKind = iota // of the program
	inside                   // the beginning of a block of an instance
	exits                    // the end of an instance
	written                  // all that is ever written to a cell
	met                      // what other threads may find in a cell
	guarded                  // which locks are held whenever a cell is accessed while there may be other threads: the state has them
	broken                   // whether something else than an unlock may free a lock
	related                  // what a pack's cells have to do with each other whenever a lock, whose key is the block, is free
)

// fact is what is known of a place: of a cell, its value; of another one, whether anything gets there, and with which states.
type fact struct {
	live bool
	s    *state
	h    *state // what it knows more of cells that others access, too, as long as they cannot
	v    Value
	z    relations
}

// instance is a copy of a function for a chain of calls.
type instance struct {
	*code
	id    int
	up    *instance // whose call this is; nil: it is for all calls
	depth int
}

type instanceKey struct {
	c    *code
	up   *instance
	call *cir.Call
}

type codeKey struct {
	f   *cir.Func
	ctx pointsto.Context
}

type analysis struct {
	prog      *cir.Program
	pts       *pointsto.Result
	opts      Options
	functions map[*cir.Func]*function
	codes     map[codeKey]*code
	order     []*code
	mem       *memory
	exact     *exactness         // nil: there is nothing to be known of strings
	jumps     bool               // there is a setjmp
	outside   map[*cir.Func]bool // functions that code outside of the program may call
	called    bool               // of which some are roots: they run at any time
	freed     *state             // the keys of those that what code outside calls may give back
	locks     *state             // the keys of locks that are held, and depth
	limits    []number
	number    map[cir.Located]int // of instructions, for their order
	instances map[instanceKey]*instance
	list      []*instance
	blocks    int // of all instances
	budget    int
	first     *state // when the program begins
	solution  *solve.Solution[place, fact]
	packs     []*pack
	packsOf   map[uint32][]*pack // by the keys of their cells
	seen      *Result            // not nil: the visit at the end
}

// Analyse analyses a whole program, of which pts is what pointsto.Analyse found. The error is that of ctx.
func Analyse(ctx context.Context, p *cir.Program, pts *pointsto.Result, opts Options) (*Result, error) {
	a := &analysis{prog: p, pts: pts, opts: opts, functions: map[*cir.Func]*function{}, codes: map[codeKey]*code{},
		limits: bounds(), number: cir.Number(p), instances: map[instanceKey]*instance{}}
	a.findOutside()
	for _, r := range pts.Roots {
		a.reach(r.Func, r.Ctx)
		a.called = a.called || a.calledBack(r)
	}
	recursive := a.findRecursion()
	unsure := a.unsure()
	a.mem = newMemory(p, pts, func(o *pointsto.Object) bool { return unsure[o] }, recursive)
	a.findStrings(recursive)
	a.findEffects()
	a.findPacks()
	for _, c := range a.mem.cells {
		if c.static {
			a.first = a.first.set(c.key, c.init)
		}
	}
	for _, c := range a.order {
		a.budget += len(c.f.Blocks)
	}
	a.first = a.first.set(depth, zero)
	a.budget = min(2*a.budget, a.budget/4+maxSpare) + minBudget
	var err error
	if a.solution, err = solve.Solve[place, fact](ctx, a, place{}); err != nil {
		return nil, err
	}
	return a.result(), ctx.Err()
}

// unsure returns the objects that are written in ways that are not followed: lists of variable arguments, and errno where functions without a
// body set it.
func (a *analysis) unsure() map[*pointsto.Object]bool {
	found := map[*pointsto.Object]bool{}
	for _, c := range a.order {
		note := func(v cir.Value) {
			for _, l := range a.aims(c, v) {
				found[l.Obj] = true
			}
		}
		for _, b := range c.f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.VaStart:
					note(in.Ap)
				case *cir.VaArg:
					note(in.Ap)
				case *cir.VaCopy:
					note(in.Dst)
					note(in.Src)
				case *cir.Call:
					if in.Unknown == cir.Contract {
						found[a.pts.Object(nil, pointsto.Context{}, pointsto.Errno(a.prog))] = true
					}
				}
			}
		}
	}
	return found
}

// Bounds of contexts: of the length of chains of calls, of the blocks of all instances of a function, of those of all functions.
const (
	maxDepth  = 8
	maxCopies = 600
	minBudget = 4000
	maxSpare  = 4000
)

// instance returns the instance of a function's copy for a call in another one, nil for none; one for all calls where they would
// be too many.
func (a *analysis) instance(c *code, up *instance, call *cir.Call) *instance {
	key := instanceKey{c, up, call}
	if x := a.instances[key]; x != nil {
		return x
	}
	depth := 0
	if up != nil {
		depth = up.depth + 1
	}
	n := len(c.f.Blocks)
	if up != nil && (c.recursive || depth > maxDepth || c.copies*n > maxCopies || a.blocks+n > a.budget) {
		x := a.instance(c, nil, nil)
		a.instances[key] = x
		return x
	}
	x := &instance{code: c, id: len(a.list), up: up, depth: depth}
	c.copies++
	a.blocks += n
	a.list = append(a.list, x)
	a.instances[key] = x
	return x
}

// Bottom, Join, Widen, Order and Eval make a system of constraints of the analysis, for package solve.
func (a *analysis) Bottom() fact { return fact{} }

// Join is part of [solve.System].
func (a *analysis) Join(old, add fact) (fact, bool) {
	switch {
	case !add.live:
		return old, false
	case !old.live:
		return add, true
	}
	next := fact{live: true, s: old.s.merge(add.s, Value.join), h: old.h.cover(add.h, Value.either, Value.orMet), v: old.v.join(add.v), z: old.z.join(add.z)}
	if next.s != old.s && next.s.equal(old.s) {
		next.s = old.s
	}
	if next.h != old.h && next.h.equal(old.h) {
		next.h = old.h
	}
	if next.z.equal(old.z) {
		next.z = old.z
	} else {
		return next, true
	}
	return next, next.s != old.s || next.h != old.h || !next.v.equal(old.v)
}

// How often unknowns grow before they are widened: where loops begin, other blocks, cells; and after which they are widened to the limits of types.
const (
	growLoop  = 3
	growBlock = 30
	growCell  = 10
	growFast  = 60
)

// Widen is part of [solve.System].
func (a *analysis) Widen(u place, old, next fact, times int) fact {
	at, patience := a.limits, growCell
	if u.kind == inside || u.kind == exits {
		c := a.list[u.n].code
		at, patience = c.at, growBlock
		if u.kind == inside && (c.heads[u.block] || u.block == 0) {
			patience = growLoop
		}
	}
	switch {
	case times <= patience:
		return next
	case times > growFast:
		at = a.limits
	}
	next.v = old.v.widen(next.v, at)
	next.s = old.s.merge(next.s, func(x, y Value) Value { return x.widen(y, at) })
	next.h = old.h.cover(next.h, func(x, y Value) Value {
		w := x.widen(y, at)
		w.met = x.met || y.met
		return w
	}, Value.orMet)
	next.z = old.z.widen(next.z, times)
	return next
}

// Order is part of [solve.System]: functions that are called before those that call them.
func (a *analysis) Order(u place) int64 {
	if u.kind == inside {
		return -int64(u.n)<<24 + int64(a.list[u.n].order[u.block])
	}
	return 1 << 62
}

// Eval is part of [solve.System].
func (a *analysis) Eval(u place, v fact, env *solve.Env[place, fact]) {
	switch {
	case u.kind == start:
		a.begin(env)
	case u.kind == inside && v.live:
		in := a.list[u.n]
		r := &run{analysis: a, env: env, in: in, block: in.f.Blocks[u.block], many: u.many, s: v.s, h: v.h, z: v.z,
			regs: map[*cir.Reg]Value{}, from: map[*cir.Reg]*cell{}, forms: map[*cir.Reg]*sumOf{}}
		r.begin()
		r.exec(0)
	}
}

// regKey is a register's key in states. result is that of what a function returns.
func regKey(r *cir.Reg) uint32 { return uint32(r.Index)<<1 | 1 }

const result = ^uint32(0)

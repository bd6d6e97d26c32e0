package values

import (
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
	"comus/scan/pointsto"
)

// function is what is known of a function whatever its context.
type function struct {
	f     *cir.Func
	order []int        // of blocks: a block comes after those that lead to it, but for loops
	heads []bool       // blocks that begin loops
	out   [][]*cir.Reg // the registers of a block that others use
	defs  []cir.Instr  // by which registers are assigned
	at    []number     // to which values are widened
}

// code is a copy of a function, as package pointsto has it: its objects are its own.
type code struct {
	*function
	id        int
	ctx       pointsto.Context
	calls     map[*cir.Call][]*code
	targets   map[cir.Value][]pointsto.Location
	recursive bool
	creates   bool           // it may create threads
	locks     bool           // it may change which locks are held, or which atomic sections the thread is in
	locals    []uint32       // the keys of its cells
	accessed  intsets.Sparse // the keys of the cells that it, or what it calls, may access
	modified  intsets.Sparse // those that may change by it
	keys      *state         // has the keys of accessed
	changes   *state         // has those of modified
	copies    int            // instances
	// what the visit finds
	regs    []Value
	reached []bool
}

func newFunction(f *cir.Func) *function {
	x := &function{f: f, order: make([]int, len(f.Blocks)), heads: make([]bool, len(f.Blocks)), out: make([][]*cir.Reg, len(f.Blocks)),
		defs: make([]cir.Instr, f.NumRegs)}
	x.number()
	home := make([]*cir.Block, f.NumRegs)
	for _, b := range f.Blocks {
		for _, r := range b.Params {
			home[r.Index] = nil
		}
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				home[r.Index], x.defs[r.Index] = b, in
			}
		}
	}
	noted := make([]bool, f.NumRegs)
	for _, b := range f.Blocks {
		use := func(v cir.Value) {
			if r, ok := v.(*cir.Reg); ok && home[r.Index] != nil && home[r.Index] != b && !noted[r.Index] {
				noted[r.Index] = true
				x.out[home[r.Index].Index] = append(x.out[home[r.Index].Index], r)
			}
		}
		for _, in := range b.Instrs {
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
	x.at = thresholds(f)
	return x
}

// number orders the blocks, and finds where loops begin.
func (x *function) number() {
	state := make([]int, len(x.f.Blocks)) // 1: on the path, 2: done
	n := len(x.f.Blocks)
	type frame struct {
		b     *cir.Block
		succs []*cir.Block
	}
	open := func(b *cir.Block) frame {
		state[b.Index] = 1
		fr := frame{b: b}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { fr.succs = append(fr.succs, to) })
		return fr
	}
	path := []frame{open(x.f.Blocks[0])}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if len(top.succs) == 0 {
			state[top.b.Index] = 2
			n--
			x.order[top.b.Index] = n
			path = path[:len(path)-1]
			continue
		}
		to := top.succs[0]
		top.succs = top.succs[1:]
		switch state[to.Index] {
		case 0:
			path = append(path, open(to))
		case 1:
			x.heads[to.Index] = true
		}
	}
}

// bounds are the limits of C's types, to which values are widened in any case.
func bounds() []number {
	list := []number{{}, numberOf(1), numberOf(-1)}
	for _, n := range []int{7, 8, 15, 16, 31, 32, 63, 64} {
		p := power(n)
		list = append(list, p.sub(numberOf(1)))
		if n%8 == 7 {
			list = append(list, p.neg())
		}
	}
	slices.SortFunc(list, number.cmp)
	return list
}

// maxThresholds bounds the constants of a function that values are widened to.
const maxThresholds = 60

// thresholds returns the constants that a function compares with, and their neighbours.
func thresholds(f *cir.Func) []number {
	list := bounds()
	add := func(v cir.Value) {
		if c, ok := v.(cir.Int); ok && c.Type.Bits <= 64 && len(list) < maxThresholds {
			n := constant(c)
			list = append(list, n.sub(numberOf(1)), n, n.add(numberOf(1)))
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*cir.Compare); ok {
				add(c.X)
				add(c.Y)
			}
		}
	}
	slices.SortFunc(list, number.cmp)
	return slices.Compact(list)
}

// reach returns the copy of a function, with all that it calls or begins as a thread.
func (a *analysis) reach(f *cir.Func, ctx pointsto.Context) *code {
	type key = codeKey
	ctx = a.pts.CanonicalContext(f, ctx)
	if c := a.codes[key{f, ctx}]; c != nil {
		return c
	}
	x := a.functions[f]
	if x == nil {
		x = newFunction(f)
		a.functions[f] = x
	}
	c := &code{function: x, id: len(a.order), ctx: ctx, calls: map[*cir.Call][]*code{}, targets: map[cir.Value][]pointsto.Location{},
		regs: make([]Value, f.NumRegs), reached: make([]bool, len(f.Blocks)), creates: a.pts.Creates(f, ctx, f.Blocks)}
	a.codes[key{f, ctx}] = c
	a.order = append(a.order, c)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Call:
				for _, g := range a.pts.Callees(f, ctx, in) {
					if len(g.Blocks) > 0 {
						c.calls[in] = append(c.calls[in], a.reach(g, a.pts.Context(f, ctx, in, g)))
					}
				}
			case *cir.Intrinsic:
				a.begins(c, in)
			}
		}
	}
	return c
}

// begins reaches the threads that an intrinsic creates. It notes the others that matter to the whole program.
func (a *analysis) begins(c *code, in *cir.Intrinsic) {
	switch in.Op {
	case cir.Setjmp:
		a.jumps = true
	case cir.ThreadCreate:
		for _, l := range a.aims(c, in.Args[0]) {
			if l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0 {
				a.reach(l.Obj.Func, c.ctx)
			}
		}
	}
}

// aims returns what a value may point to.
func (a *analysis) aims(c *code, v cir.Value) []pointsto.Location {
	if ls, ok := c.targets[v]; ok {
		return ls
	}
	ls := a.pts.Targets(c.f, c.ctx, v)
	switch v.(type) {
	case *cir.Reg, *cir.Global, *cir.Local, *cir.Func:
		c.targets[v] = ls
	}
	return ls
}

// findRecursion marks the copies that may be active twice in a thread. What the program ends with is called where it is stopped.
func (a *analysis) findRecursion() map[*cir.Func]bool {
	var ends []*code
	for _, f := range a.prog.Destructors {
		ends = append(ends, a.reach(f, pointsto.Context{}))
	}
	if f := a.exit(); f != nil {
		a.reach(f, pointsto.Context{})
	}
	next := make([][]*code, len(a.order))
	for _, c := range a.order {
		for _, ds := range c.calls {
			next[c.id] = append(next[c.id], ds...)
		}
		if stops(c.f) {
			next[c.id] = append(next[c.id], ends...)
		}
	}
	found := map[*cir.Func]bool{}
	for _, group := range components(len(a.order), func(i int) (js []int) {
		for _, d := range next[i] {
			js = append(js, d.id)
		}
		return js
	}) {
		for _, i := range group {
			if c := a.order[i]; len(group) > 1 || slices.Contains(next[i], c) {
				c.recursive, found[c.f] = true, true
			}
		}
	}
	return found
}

// stops reports whether a function may end the program, be it as its last thread.
func stops(f *cir.Func) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && (i.Op == cir.Stop || i.Op == cir.ThreadExit) {
				return true
			}
		}
	}
	return false
}

// components returns the strongly connected components of a graph (Tarjan 1972), what is reached before what reaches it.
func components(n int, next func(int) []int) (groups [][]int) {
	index, low, on := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	count := 0
	var visit func(i int)
	visit = func(i int) {
		count++
		index[i], low[i], on[i] = count, count, true
		stack = append(stack, i)
		for _, j := range next(i) {
			switch {
			case index[j] == 0:
				visit(j)
				low[i] = min(low[i], low[j])
			case on[j]:
				low[i] = min(low[i], index[j])
			}
		}
		if low[i] != index[i] {
			return
		}
		at := slices.Index(stack, i)
		for _, j := range stack[at:] {
			on[j] = false
		}
		groups = append(groups, slices.Clone(stack[at:]))
		stack = stack[:at]
	}
	for i := range n {
		if index[i] == 0 {
			visit(i)
		}
	}
	return groups
}

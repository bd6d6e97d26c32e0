package pointsto

import (
	"comus/cir"
)

// Models of the library ask what the question is: whether it matters that a thread gets stuck ([cir.Wakeups]), whether one thread of any number is told
// apart ([cir.ThreadMany]). A whole program is analysed for neither: both are 0, and a wait may end at any time, which allows all that the other answers do, and more. What
// a model does for other questions is never reached; lists of who waits, say, would make one object of all that a program waits for. This finds
// the blocks that are left, by constants along the edges that may be taken (Wegman and Zadeck 1991).
//
// So it is with the program's own code for what a function of the library is assumed to return ([cir.Assumed]): what a program does if pthread_create fails is not reached
// where it is assumed not to fail, which the report says. What models return without saying so excludes nothing.

// constancy is what is known of a register: nothing yet, a number, or that it may be several.
type constancy struct {
	known, several bool
	n              uint64
}

var several = constancy{several: true}

func constantly(n uint64) constancy { return constancy{known: true, n: n} }

func (c constancy) join(d constancy) constancy {
	switch {
	case !d.known && !d.several || c == d:
		return c
	case !c.known && !c.several:
		return d
	}
	return several
}

// left is what is left of a function of the library: the blocks, and what it returns.
type left struct {
	f       *cir.Func
	blocks  map[*cir.Block]bool
	regs    map[*cir.Reg]constancy
	result  constancy
	simple  map[*cir.Local]bool // those that are only stored to and loaded from
	said    map[*cir.Reg]bool   // those that are something because that is assumed, which the report says
	unsaid  bool                // something else than one of those is returned
	changed bool
	of      *asked
}

// stored is what was stored in a local, and as what.
type stored struct {
	c constancy
	t cir.Type
}

// simpleLocals returns the locals of a function of which nothing but what is stored there directly can be loaded.
func simpleLocals(f *cir.Func) map[*cir.Local]bool {
	simple := map[*cir.Local]bool{}
	for _, l := range f.Locals {
		simple[l] = true
	}
	taken := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			delete(simple, l)
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load, *cir.LifeStart, *cir.LifeEnd:
			case *cir.Store:
				taken(in.X)
				if in.Bits != nil {
					taken(in.Addr)
				}
			default:
				cir.Operands(in, taken)
			}
		}
		cir.TermOperands(b.Term, taken)
	}
	return simple
}

// asked knows what is left of functions.
type asked struct{ of map[*cir.Func]*left }

// reaches reports whether a block of a function may be reached at all.
func (a *analysis) reaches(f *cir.Func, b *cir.Block) bool {
	return !a.open || a.asked.left(f).blocks[b]
}

// left returns what is left of a function, nil for one that is looked at already.
func (q *asked) left(f *cir.Func) *left {
	if l, ok := q.of[f]; ok {
		return l
	}
	q.of[f] = nil
	l := &left{f: f, blocks: map[*cir.Block]bool{f.Blocks[0]: true}, regs: map[*cir.Reg]constancy{}, simple: simpleLocals(f), said: map[*cir.Reg]bool{}, of: q}
	for _, p := range f.Params {
		l.regs[p.Reg] = several
	}
	for l.changed = true; l.changed; {
		l.changed = false
		for _, b := range f.Blocks {
			if l.blocks[b] {
				l.block(b)
			}
		}
	}
	q.of[f] = l
	return l
}

func (l *left) block(b *cir.Block) {
	held := map[*cir.Local]stored{} // what was stored last in locals
	for _, in := range b.Instrs {
		c := l.instr(in)
		switch in := in.(type) {
		case *cir.Store:
			if local, ok := in.Addr.(*cir.Local); ok && l.simple[local] {
				held[local] = stored{l.value(in.X), in.Type}
			}
		case *cir.Load:
			if local, ok := in.Addr.(*cir.Local); ok {
				if s, ok := held[local]; ok && s.t == in.Type && in.Bits == nil {
					c = s.c
				}
			}
		case *cir.Intrinsic:
			if in.Op == cir.Setjmp { // control may come back with whatever happened since
				clear(held)
			}
		case *cir.Call:
			if g, ok := in.Callee.(*cir.Func); !ok || len(g.Blocks) == 0 { // getcontext
				clear(held)
			}
		}
		for i, r := range cir.Results(in) {
			if i > 0 {
				c = several
			}
			l.set(r, c)
		}
	}
	edge := func(to *cir.Block, args []cir.Value) {
		if !l.blocks[to] {
			l.blocks[to], l.changed = true, true
		}
		for i, v := range args {
			l.set(to.Params[i], l.value(v))
		}
	}
	switch t := b.Term.(type) {
	case *cir.Branch:
		c := l.value(t.Cond)
		if c.several || c.n != 0 {
			edge(t.Then, t.ThenArgs)
		}
		if c.several || c.known && c.n == 0 {
			edge(t.Else, t.ElseArgs)
		}
		return
	case *cir.Return:
		if t.X != nil {
			if c := l.result.join(l.value(t.X)); c != l.result {
				l.result, l.changed = c, true
			}
			if r, ok := t.X.(*cir.Reg); !ok || !l.said[r] {
				l.unsaid = true
			}
		}
	}
	cir.Succs(b.Term, edge)
}

func (l *left) set(r *cir.Reg, c constancy) {
	if c = l.regs[r].join(c); c != l.regs[r] {
		l.regs[r], l.changed = c, true
	}
}

func (l *left) value(v cir.Value) constancy {
	switch v := v.(type) {
	case cir.Int:
		if v.Hi == 0 && v.Lo < 1<<31 {
			return constantly(v.Lo)
		}
	case *cir.Reg:
		return l.regs[v]
	}
	return several
}

// instr returns what the result of an instruction is.
func (l *left) instr(in cir.Instr) constancy {
	switch in := in.(type) {
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Wakeups, cir.ThreadMany:
			return constantly(0)
		case cir.Assumed:
			l.said[in.Dst] = true
			return l.value(in.Args[0])
		}
	case *cir.Convert:
		c := l.value(in.X)
		switch {
		case !c.known || !in.Dst.Type.IsInt():
		case in.Dst.Type == cir.Bool:
			return constantly(min(c.n, 1))
		case in.Dst.Type.Bits >= 32:
			return c
		}
		if !c.known && !c.several {
			return c
		}
	case *cir.Compare:
		x, y := l.value(in.X), l.value(in.Y)
		switch {
		case x.several || y.several:
		case !x.known || !y.known:
			return constancy{}
		case in.Pred == cir.Eq && x.n == y.n, in.Pred == cir.Ne && x.n != y.n:
			return constantly(1)
		case in.Pred == cir.Eq, in.Pred == cir.Ne:
			return constantly(0)
		}
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok && f.Library && len(f.Blocks) > 0 {
			if g := l.of.left(f); g != nil && g.result.known && (l.f.Library || !g.unsaid) {
				return g.result
			}
		}
	}
	return several
}

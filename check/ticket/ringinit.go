package ticket

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// noteCounter takes account of a store of a sum to a cell, of which it may be the counter of a ring.
func (ts *Tickets[N, T]) noteCounter(v *body, c N, in cir.Instr) {
	var addr cir.Value
	switch in := in.(type) {
	case *cir.RMW:
		if in.Op == cir.RMWAdd && drawable(in.Type) {
			addr = in.Addr
		}
	case *cir.Store:
		if l, local := in.Addr.(*cir.Local); drawable(in.Type) && !(local && v.locals[l]) && v.isSum(in.X) {
			addr = in.Addr
		}
	}
	if addr == nil {
		return
	}
	if at, ok := ts.cellAt(c, addr); ok {
		ts.counters[at] = true
	}
}

// isSum reports whether a value may be computed by adding something, or returned by a function.
func (v *body) isSum(x cir.Value) bool {
	for range 20 {
		switch in := v.def(x).(type) {
		case *cir.Binary, *cir.Call:
			return true
		case *cir.Convert:
			x = in.X
			continue
		case *cir.Load:
			if l, ok := in.Addr.(*cir.Local); ok && v.locals[l] {
				list, _ := v.reaching(l, v.before(in))
				if len(list) == 1 {
					x = list[0].X
					continue
				}
			}
		}
		break
	}
	return false
}

// Write is a write of a cell, by an instruction of a copy that a thread runs. Meets tells whether another thread may run at that time, or come from the writer.
type Write[N, T comparable] struct {
	Thread T
	Node   N
	In     cir.Located
	Meets  func(T) bool
}

// Holds reports whether the accesses of two threads to elements of a ring are ordered, or go to different elements, given that there is one thread of each in all of an execution: nobody but the two writes the counters while one of them may be running, and they do so
// as they have to. Wraps tells that a counter is taken not to begin anew, and steady are the cells that nobody may write meanwhile.
func (ts *Tickets[N, T]) Holds(g Ring, put, get T, writes func(Cell) []Write[N, T], all []T) (steady []Cell, wraps, ok bool) {
	var size limit
	for _, c := range []Cell{g.Put, g.Get} {
		owner := put
		if c == g.Get {
			owner = get
		}
		for _, w := range writes(c) {
			if w.Thread == owner {
				if n, ok := ts.advance(g, owner == put, w.Thread, w.Node, w.In); ok {
					if size != (limit{}) && size != n {
						return nil, false, false
					}
					size = n
					continue
				}
			}
			if !ts.clears(w.Node, w.In, c) || put != w.Thread && w.Meets(put) || get != w.Thread && w.Meets(get) {
				return nil, false, false
			}
		}
		if !ts.begun(c, all) {
			return nil, false, false
		}
	}
	if size.at.Obj != nil {
		steady = append(steady, size.at)
	}
	return steady, !g.indexes, g.Put != g.Get
}

// zeroes reports whether an instruction stores 0.
func (ts *Tickets[N, T]) zeroes(n N, in cir.Located) bool {
	switch in := in.(type) {
	case *cir.Store:
		x := in.X
		if v := ts.bodyOf(ts.in.Func(n)); v != nil {
			x = v.kept(x)
		}
		k, ok := x.(cir.Int)
		return ok && k.Lo == 0 && k.Hi == 0 && in.Bits == nil
	case *cir.Fill:
		k, ok := in.Byte.(cir.Int)
		return ok && k.Lo == 0 && k.Hi == 0
	}
	return false
}

// clears reports whether an instruction of a copy sets all of a cell to 0, or the library does that with memory that it allocates.
func (ts *Tickets[N, T]) clears(n N, in cir.Located, c Cell) bool {
	i, ok := in.(cir.Instr)
	_, fills := in.(*cir.Fill)
	f := ts.in.Func(n)
	return ok && (ts.sets(n, i, c) || fills && f.Library && f.Source == "calloc" && ts.zeroes(n, in))
}

// sets reports whether an instruction of a copy sets all of a cell to 0.
func (ts *Tickets[N, T]) sets(n N, in cir.Instr, c Cell) bool {
	if !ts.zeroes(n, in) {
		return false
	}
	var addr cir.Value
	size := c.Size()
	switch in := in.(type) {
	case *cir.Store:
		addr, size = in.Addr, int64(in.Type.Bits/8)
	case *cir.Fill:
		k, ok := in.Size.(cir.Int)
		if addr, size = in.Dst, int64(k.Lo); !ok || k.Hi != 0 || k.Lo > 1<<30 {
			return false
		}
	}
	at, ok := ts.cellAt(n, addr)
	return ok && at.Obj == c.Obj && at.Off <= c.Off && c.Off+c.Size() <= at.Off+size
}

// begun reports whether a cell is 0 before anybody can look at it: it is static, or allocated that way, or set to 0 where that is done, before any other function of the program is called that may use it.
func (ts *Tickets[N, T]) begun(c Cell, all []T) bool {
	o := c.Obj
	switch {
	case o.Global != nil:
		g := o.Global
		for i := c.Off; i < c.Off+c.Size() && i < int64(len(g.Data)); i++ {
			if g.Data[i] != 0 {
				return false
			}
		}
		return !g.External && !g.Weak && !slices.ContainsFunc(g.Relocs, func(r cir.Reloc) bool { return r.Offset < c.Off+c.Size() && c.Off < r.Offset+8 })
	case o.Local != nil:
		return ts.eachOf(all, o.Func, func(t T, n N, v *body) bool {
			x := &setter[N, T]{ts: ts, t: t, n: n, c: c}
			if !o.Local.Scoped {
				return x.from(v, point{o.Func.Blocks[0], 0})
			}
			for _, b := range o.Func.Blocks {
				for i, in := range b.Instrs {
					if s, ok := in.(*cir.LifeStart); ok && s.Local == o.Local && !x.from(v, point{b, i + 1}) {
						return false
					}
				}
			}
			return true
		})
	}
	call := o.Ctx.Call
	if call == nil || o.Site == nil || call.Dst == nil {
		return false
	}
	f, direct := call.Callee.(*cir.Func)
	if !direct || !f.Library {
		return false
	}
	switch f.Source {
	case "calloc":
		return true
	case "malloc", "aligned_alloc":
		found := false
		ok := ts.eachOf(all, nil, func(t T, n N, v *body) bool {
			made := v.blocks[call] != nil && slices.ContainsFunc(ts.in.Places(n, call.Dst), func(l pointsto.Location) bool { return l.Obj == o })
			if !made {
				return true // it makes other objects in this copy
			}
			found = true
			return (&setter[N, T]{ts: ts, t: t, n: n, c: c, of: call}).from(v, point{v.blocks[call], v.index(call) + 1})
		})
		return ok && found
	}
	return false
}

// eachOf reports whether something is so for all copies of a function that threads run, or for those of all functions of the program.
func (ts *Tickets[N, T]) eachOf(all []T, f *cir.Func, is func(t T, n N, v *body) bool) bool {
	for _, t := range all {
		for _, n := range ts.in.Nodes(t) {
			g := ts.in.Func(n)
			if g.Library || f != nil && g != f {
				continue
			}
			if v := ts.bodyOf(g); v == nil || !is(t, n, v) {
				return false
			}
		}
	}
	return true
}

// setter goes forward from where memory begins, until a cell in it is set.
type setter[N, T comparable] struct {
	ts *Tickets[N, T]
	t  T
	n  N
	c  Cell
	of *cir.Call // that allocates it
	// deep is how many calls it is in.
	deep int
}

// quiet are functions of the library that neither create threads nor call back.
var quiet = []string{"malloc", "calloc", "aligned_alloc", "free", "exit", "abort", "perror", "printf", "fprintf", "puts", "fputs", "memset", "strerror", "atoi", "atol", "strtol", "strtoul", "sem_init",
	"pthread_mutex_init", "pthread_cond_init", "pthread_barrier_init", "pthread_attr_init", "pthread_mutexattr_init"}

// from reports whether the cell is set on all ways from a point on to an end of the function, before anything else is done to it. Where memory was not allocated, or is freed, there is no cell.
func (x *setter[N, T]) from(v *body, at point) bool {
	seen := map[*cir.Block]bool{}
	ok := true
	var visit func(b *cir.Block, i int)
	visit = func(b *cir.Block, i int) {
		for _, in := range b.Instrs[i:] {
			set, good := x.step(in)
			if ok = ok && good; set || !ok {
				return
			}
		}
		if _, ends := b.Term.(*cir.Return); ends {
			ok = false
		}
		none := x.without(v, b)
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if to != none && !seen[to] {
				seen[to] = true
				visit(to, 0)
			}
		})
	}
	visit(at.b, at.i)
	return ok
}

// without returns the block that control gets to from the end of another one if nothing was allocated, nil if there is none.
func (x *setter[N, T]) without(v *body, b *cir.Block) *cir.Block {
	br, ok := b.Term.(*cir.Branch)
	if !ok || x.of == nil || x.of.Dst == nil || br.Then == br.Else {
		return nil
	}
	is, ok := v.def(br.Cond).(*cir.Compare)
	if !ok {
		return nil
	}
	if p, null := is.Y.(cir.Null); !null || p.Addr != 0 {
		return nil
	}
	y := is.X
	for range 4 {
		load, ok := v.def(y).(*cir.Load)
		if !ok {
			break
		}
		s := v.source(load)
		if s == nil {
			return nil
		}
		y = s.X
	}
	switch {
	case y != cir.Value(x.of.Dst):
	case is.Pred == cir.Eq:
		return br.Then
	case is.Pred == cir.Ne:
		return br.Else
	}
	return nil
}

// step reports whether an instruction sets the cell, or there is none any more, and whether it does nothing else to it.
func (x *setter[N, T]) step(in cir.Instr) (set, ok bool) {
	here := func(v cir.Value) bool {
		return slices.ContainsFunc(x.ts.in.Places(x.n, v), func(l pointsto.Location) bool { return l.Obj == x.c.Obj })
	}
	switch in := in.(type) {
	case *cir.LifeEnd:
		return in.Local == x.c.Obj.Local, true
	case *cir.LifeStart:
		return false, in.Local != x.c.Obj.Local
	case *cir.Load:
		return false, !x.touches(in.Addr, in.Type)
	case *cir.Store:
		set = x.ts.sets(x.n, in, x.c)
		return set, set || !x.touches(in.Addr, in.Type)
	case *cir.Fill:
		set = x.ts.sets(x.n, in, x.c)
		return set, set || !here(in.Dst)
	case *cir.Copy:
		return false, !here(in.Dst) && !here(in.Src)
	case *cir.Binary, *cir.Unary, *cir.Compare, *cir.Convert, *cir.Offset, *cir.Select:
		return false, true
	case *cir.Call:
		return x.call(in, here)
	}
	return false, false
}

// touches reports whether a scalar at an address may have bytes of the cell.
func (x *setter[N, T]) touches(addr cir.Value, t cir.Type) bool {
	size := x.ts.model.SizeOf(t)
	return slices.ContainsFunc(x.ts.in.Places(x.n, addr), func(l pointsto.Location) bool {
		return l.Obj == x.c.Obj && (!l.Exact() || l.Off < x.c.Off+x.c.Size() && x.c.Off < l.Off+size)
	})
}

// call does so for a call.
func (x *setter[N, T]) call(in *cir.Call, here func(cir.Value) bool) (set, ok bool) {
	f, direct := in.Callee.(*cir.Func)
	if direct && f.Library && slices.Contains(quiet, f.Source) {
		given := slices.ContainsFunc(in.Args, func(a cir.Arg) bool { return here(a.X) })
		init := slices.Contains(begins, f.Source)
		return !in.Returns || given && f.Source == "free", !given || init || f.Source == "free"
	}
	to, outside := x.ts.in.Calls(x.t, x.n, in)
	if outside || len(to) == 0 || x.deep > 4 {
		return false, false
	}
	for _, y := range to {
		v := x.ts.bodyOf(x.ts.in.Func(y))
		if v == nil || x.ts.in.Func(y).Library {
			return false, false
		}
		z := &setter[N, T]{ts: x.ts, t: x.t, n: y, c: x.c, deep: x.deep + 1}
		if !z.from(v, point{v.f.Blocks[0], 0}) {
			return false, false
		}
	}
	return true, true
}

// begins are functions of the library that are given a member beside the counters.
var begins = []string{"sem_init", "pthread_mutex_init", "pthread_cond_init", "pthread_barrier_init"}

package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// gift is how a thread of a class is given the object that it owes the flag of: as its argument, or by a pointer in memory that its argument leads to.
type gift struct {
	*program
	of   *class
	many many
	via  bool // by a pointer at off of job
	job  *pointsto.Object
	off  int64
	// arg and own are the parameters of copies that lead to the argument, and to the object, wherever a thread of the class calls them.
	arg, own map[pointsto.Copy][]bool
}

// giftsOf returns in which ways threads of a class may be given the objects.
func (f *finder) giftsOf(k *class, m many) (list []*gift) {
	if len(k.roots) != 1 || len(k.roots[0].Func.Params) != 3 {
		return nil
	}
	job, _ := f.h.oneIn(k.roots[0], k.roots[0].Func.Params[2].Reg)
	if job == nil {
		return nil
	}
	if job == m.object {
		list = append(list, &gift{program: f.h.program, of: k, many: m, job: job})
	} else {
		var offs []int64
		for _, c := range f.h.runs {
			if !slices.Contains(f.h.runners[c], k) {
				continue
			}
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					load, ok := in.(*cir.Load)
					if !ok || !load.Type.IsPointer() {
						continue
					}
					o, off := f.h.oneIn(c, load.Addr)
					if to, _ := f.h.oneIn(c, load.Dst); o == job && to == m.object && !slices.Contains(offs, off) {
						offs = append(offs, off)
						list = append(list, &gift{program: f.h.program, of: k, many: m, job: job, via: true, off: off})
					}
				}
			}
		}
	}
	for _, g := range list {
		g.follow()
	}
	return list
}

// follow finds which parameters lead to the argument, and to the object.
func (g *gift) follow() {
	g.arg, g.own = map[pointsto.Copy][]bool{}, map[pointsto.Copy][]bool{}
	var copies []pointsto.Copy
	for _, c := range g.runs {
		if !slices.Contains(g.runners[c], g.of) {
			continue
		}
		copies = append(copies, c)
		n := len(c.Func.Params)
		g.arg[c], g.own[c] = slices.Repeat([]bool{true}, n), slices.Repeat([]bool{true}, n)
	}
	root := g.of.roots[0]
	g.arg[root], g.own[root] = []bool{false, false, true}, []bool{false, false, !g.via}
	for changed := true; changed; {
		changed = false
		for _, c := range copies {
			for _, call := range g.callsOf(c) {
				x, err := g.callees(c, call)
				if err != nil {
					continue
				}
				for _, y := range x.to {
					for i := range g.arg[y] {
						known := !x.outside && len(x.known) == 0 && i < len(call.Args) && call.Args[i].ByVal == nil && y != root
						if g.arg[y][i] && !(known && g.isArg(c, call.Args[i].X, 0)) {
							g.arg[y][i], changed = false, true
						}
						if g.own[y][i] && !(known && g.isOwn(c, call.Args[i].X, 0)) {
							g.own[y][i], changed = false, true
						}
					}
				}
			}
		}
	}
}

// isArg reports whether a value of a copy leads to what the thread's argument leads to, an element of an array, if it is in one.
func (g *gift) isArg(c pointsto.Copy, v cir.Value, depth int) bool {
	return g.leads(c, v, depth, g.arg, func(*cir.Load) bool { return false })
}

// isOwn reports whether a value of a copy leads to the object that the thread was given.
func (g *gift) isOwn(c pointsto.Copy, v cir.Value, depth int) bool {
	if !g.via {
		return g.isArg(c, v, depth)
	}
	return g.leads(c, v, depth, g.own, func(in *cir.Load) bool {
		o, off := g.oneIn(c, in.Addr)
		return o == g.job && off == g.off && in.Bits == nil && g.isArg(c, in.Addr, depth+1)
	})
}

func (g *gift) leads(c pointsto.Copy, v cir.Value, depth int, params map[pointsto.Copy][]bool, loaded func(*cir.Load) bool) bool {
	r, ok := v.(*cir.Reg)
	if !ok || depth > maxNumber {
		return false
	}
	x := g.function(c.Func)
	for i, p := range c.Func.Params {
		if p.Reg == r {
			return p.ByVal == nil && params[c][i]
		}
	}
	switch in := x.defs[r.Index].(type) {
	case *cir.Offset:
		return in.Index == nil && g.near(c, in) && g.leads(c, in.P, depth+1, params, loaded)
	case *cir.Convert:
		return in.Dst.Type.IsPointer() && typeOf(in.X).IsPointer() && g.leads(c, in.X, depth+1, params, loaded)
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		if !ok || !x.plain[l] {
			return loaded(in)
		}
		if i, given := x.given[l]; given {
			return params[c][i]
		}
		stores := x.storesTo(l)
		return len(stores) == 1 && g.leads(c, stores[0].X, depth+1, params, loaded)
	}
	return false
}

// near reports whether a pointer at a constant distance of another one is in the same element of an array, if that is in one.
func (p *program) near(c pointsto.Copy, in *cir.Offset) bool {
	o, from := p.oneIn(c, in.P)
	q, to := p.oneIn(c, in.Dst)
	return o != nil && o == q && to == from+in.Disp
}

// ownTelling returns what stands behind the flags, as threads of a class may owe that of the object that they were given where they wait. The error says why they need not tell.
func (f *finder) ownTelling(x *condition, m many, g *gift) ([]Edge, error) {
	t := &telling{finder: f, x: x, flag: flag{pointsto.Location{Obj: m.object, Off: m.flag}, m.size}, owner: g.of, gift: g}
	err := t.thread(g.of)
	return t.edges, err
}

// setsOwn reports whether a store is to the flag of the object that the thread was given, whose mutex it holds.
func (t *telling) setsOwn(c pointsto.Copy, s *cir.Store) bool {
	if !t.gift.isOwn(c, s.Addr, 0) {
		return false
	}
	var at name
	b := t.h.function(c.Func).blockOf(s)
	t.elements(c, b, func(in cir.Instr, vs values) {
		if in == cir.Instr(s) {
			at = vs.of(s.Addr)
		}
	})
	if !isBase(at) {
		return false
	}
	m := t.gift.many
	return t.holds(c, name{at.base, at.off + m.mutex - m.flag}, s)
}

// holds reports whether a copy holds, in any case, the mutex with a name where it makes a store: it has taken it, and called nothing since that may give it back.
func (t *telling) holds(c pointsto.Copy, mutex name, s *cir.Store) bool {
	f := c.Func
	at := make([]known, len(f.Blocks))
	at[0] = no
	answer := false
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		held := at[b.Index] == yes
		t.elements(c, b, func(in cir.Instr, vs values) {
			switch in := in.(type) {
			case *cir.Store:
				if in == s {
					answer = held
				}
				if l, ok := in.Addr.(*cir.Local); ok && mutex.rests(localToken(l)) {
					held = false
				}
			case *cir.LifeStart:
				held = held && !mutex.rests(localToken(in.Local))
			case *cir.Call:
				held = t.keepsNamed(c, in, mutex, vs, held)
			}
		})
		then := no
		if held {
			then = yes
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if then > at[to.Index] {
				at[to.Index] = then
				work = append(work, to)
			}
		})
	}
	return answer
}

// keepsNamed reports whether the mutex with a name is held in any case behind a call.
func (t *telling) keepsNamed(c pointsto.Copy, in *cir.Call, mutex name, vs values, held bool) bool {
	x, err := t.h.callees(c, in)
	if err != nil || len(x.to) > 0 {
		return false
	}
	if len(x.known) == 0 || x.known[0].lock < 0 {
		return held
	}
	v := in.Args[x.known[0].lock].X
	o, off := t.h.oneIn(c, v)
	switch x.known[0].does {
	case takes:
		return held || vs.of(v) == mutex && o == t.gift.many.object && off == t.gift.many.mutex
	case gives, begins:
		return held && o != nil && (o != t.gift.many.object || off != t.gift.many.mutex)
	}
	return held
}

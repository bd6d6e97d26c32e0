package values

import (
	"slices"

	"comus/cir"
	"comus/scan/zones"
)

// Relations cost more than values, so they are followed only where the program asks for them: from the conditions of assertions on, from cell to
// cell that is compared with it, assigned from it, counted next to it or decides whether it is assigned. What is found so of a function is a pack, or several
// small ones. Which packs there are decides what can be proved, never whether it is true.

// Bounds of packs: the cells of one, the cells that are looked at, the packs, the flags of one and the constants that one may be.
const (
	maxPack      = 8
	maxNear      = 5
	maxRelated   = 64
	maxPacks     = 24
	maxFlags     = 4
	maxConstants = 4
)

// web says which cells have to do with each other.
type web struct {
	*analysis
	next      map[uint32][]uint32
	seeds     []uint32
	constants map[uint32][]int64 // that are stored there
	open      map[uint32]bool    // something else is
	limits    map[uint32][]int64 // that it is compared with
}

// findPacks chooses what relations are followed.
func (a *analysis) findPacks() {
	a.packsOf = map[uint32][]*pack{}
	if a.jumps || a.called || a.opts.Plain {
		return
	}
	w := &web{analysis: a, next: map[uint32][]uint32{}, constants: map[uint32][]int64{}, open: map[uint32]bool{}, limits: map[uint32][]int64{}}
	for _, c := range a.order {
		w.findSeeds(c)
	}
	if len(w.seeds) == 0 {
		return
	}
	for _, c := range a.order {
		w.look(c)
	}
	rank := w.nearest(w.seeds, maxRelated)
	for _, c := range a.order {
		var cells []uint32
		for _, key := range w.accessedIn(c) {
			if _, ok := rank[key]; ok && !slices.Contains(cells, key) {
				cells = append(cells, key)
			}
		}
		slices.SortFunc(cells, func(x, y uint32) int { return rank[x] - rank[y] })
		if len(cells) <= maxPack {
			w.pack(cells)
			continue
		}
		w.pack(cells[:maxPack])
		for _, key := range cells {
			near := w.nearest([]uint32{key}, 4*maxNear)
			mine := slices.DeleteFunc(slices.Clone(cells), func(k uint32) bool { _, ok := near[k]; return !ok })
			slices.SortFunc(mine, func(x, y uint32) int { return near[x] - near[y] })
			w.pack(mine[:min(len(mine), maxNear)])
		}
	}
}

// relatable reports whether a cell may be in a pack: one integer of one object.
func (a *analysis) relatable(c *cell) bool {
	if c == nil || c.many || !c.typ.IsInt() || c.typ.Bits > 64 || c.lock {
		return false
	}
	return c.own || a.pts.Once(c.obj)
}

// cellAt returns the relatable cell that an address is of, nil if there is none or it may be several.
func (w *web) cellAt(c *code, addr cir.Value, acc cir.Access) *cell {
	ls := w.aims(c, addr)
	if len(ls) != 1 || acc.Bits != nil {
		return nil
	}
	if x := w.mem.cellAt(ls[0], w.prog.Model.SizeOf(acc.Type)); w.relatable(x) {
		return x
	}
	return nil
}

// maxDeep bounds how far it is followed what a register was computed of.
const maxDeep = 8

// of returns the cells that a value was computed of, within a function.
func (w *web) of(c *code, v cir.Value, deep int) (keys []uint32) {
	x, ok := v.(*cir.Reg)
	if !ok || deep == 0 {
		return nil
	}
	switch in := c.defs[x.Index].(type) {
	case *cir.Load:
		if d := w.cellAt(c, in.Addr, in.Access); d != nil {
			return []uint32{d.key}
		}
	case *cir.Binary:
		return append(w.of(c, in.X, deep-1), w.of(c, in.Y, deep-1)...)
	case *cir.Compare:
		return append(w.of(c, in.X, deep-1), w.of(c, in.Y, deep-1)...)
	case *cir.Convert:
		return w.of(c, in.X, deep-1)
	}
	return nil
}

// findSeeds finds what the conditions of assertions are about.
func (w *web) findSeeds(c *code) {
	preds := make([][]*cir.Block, len(c.f.Blocks))
	for _, b := range c.f.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { preds[to.Index] = append(preds[to.Index], b) })
	}
	var up func(b *cir.Block, deep int)
	up = func(b *cir.Block, deep int) {
		for _, p := range preds[b.Index] {
			if t, ok := p.Term.(*cir.Branch); ok {
				w.seeds = append(w.seeds, w.of(c, t.Cond, maxDeep)...)
			}
			if deep > 0 {
				up(p, deep-1)
			}
		}
	}
	for _, b := range c.f.Blocks {
		for _, in := range b.Instrs {
			if in, ok := in.(*cir.Compare); ok && w.opts.Everywhere {
				w.seeds = append(w.seeds, append(w.of(c, in.X, maxDeep), w.of(c, in.Y, maxDeep)...)...)
			}
			if in, ok := in.(*cir.Intrinsic); ok && in.Op == cir.Assert {
				w.seeds = append(w.seeds, w.of(c, in.Args[0], maxDeep)...)
				up(b, 2)
			}
		}
	}
}

// link notes that all of some cells have to do with each other.
func (w *web) link(keys ...uint32) {
	for _, x := range keys {
		for _, y := range keys {
			if x != y && !slices.Contains(w.next[x], y) {
				w.next[x] = append(w.next[x], y)
			}
		}
	}
}

// look finds what a function's cells have to do with each other.
func (w *web) look(c *code) {
	var counted []uint32
	for _, b := range c.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Compare:
				keys := w.of(c, in.X, maxDeep)
				w.link(append(keys, w.of(c, in.Y, maxDeep)...)...)
				w.limit(c, in)
			case *cir.Store:
				counted = append(counted, w.stored(c, in)...)
			case *cir.Call:
				w.passed(c, in)
			default:
				touched(in, func(v cir.Value, writes, _ bool) {
					if _, load := in.(*cir.Load); !load && writes {
						for _, l := range w.aims(c, v) {
							for _, x := range w.mem.list(l.Obj) {
								w.open[x.key] = true
							}
						}
					}
				})
			}
		}
		w.decided(c, b)
	}
	if slices.Sort(counted); len(counted) > 0 {
		counted = slices.Compact(counted)
		w.link(counted[:min(len(counted), maxPack)]...)
	}
}

// stored looks at a store. It returns the cell if what is stored depends on what is there.
func (w *web) stored(c *code, in *cir.Store) (counted []uint32) {
	n, constant := in.X.(cir.Int)
	for _, l := range w.aims(c, in.Addr) {
		for _, x := range w.mem.list(l.Obj) {
			switch {
			case !constant || n.Type.Bits > 32:
				w.open[x.key] = true
			case !slices.Contains(w.constants[x.key], int64(n.Lo)):
				w.constants[x.key] = append(w.constants[x.key], int64(n.Lo))
			}
		}
	}
	d := w.cellAt(c, in.Addr, in.Access)
	if d == nil {
		return nil
	}
	from := w.of(c, in.X, maxDeep)
	w.link(append(slices.Clone(from), d.key)...)
	if slices.Contains(from, d.key) {
		return []uint32{d.key}
	}
	return nil
}

// passed looks at what a call passes.
func (w *web) passed(c *code, in *cir.Call) {
	for _, g := range c.calls[in] {
		for _, b := range g.f.Blocks[:1] {
			for _, s := range b.Instrs {
				s, ok := s.(*cir.Store)
				if !ok {
					continue
				}
				for i, p := range g.f.Params {
					if d := w.cellAt(g, s.Addr, s.Access); d != nil && s.X == cir.Value(p.Reg) && i < len(in.Args) {
						w.link(append(w.of(c, in.Args[i].X, maxDeep), d.key)...)
					}
				}
			}
		}
	}
}

// decided links what decides a branch to what is assigned or used where it leads to.
func (w *web) decided(c *code, b *cir.Block) {
	t, ok := b.Term.(*cir.Branch)
	if !ok {
		return
	}
	keys := w.of(c, t.Cond, maxDeep)
	if len(keys) == 0 {
		return
	}
	for _, to := range []*cir.Block{t.Then, t.Else} {
		for _, in := range to.Instrs {
			var d *cell
			switch in := in.(type) {
			case *cir.Store:
				d = w.cellAt(c, in.Addr, in.Access)
			case *cir.Load:
				d = w.cellAt(c, in.Addr, in.Access)
			}
			if d != nil {
				for _, k := range keys {
					w.link(k, d.key)
				}
			}
		}
	}
}

// limit notes the constants that cells are compared with.
func (w *web) limit(c *code, in *cir.Compare) {
	for _, x := range []struct{ cells, bound cir.Value }{{in.X, in.Y}, {in.Y, in.X}} {
		n, ok := x.bound.(cir.Int)
		if !ok || n.Type.Bits > 32 {
			continue
		}
		for _, key := range w.of(c, x.cells, maxDeep) {
			w.limits[key] = append(w.limits[key], int64(n.Lo))
		}
	}
}

// nearest returns the cells that have most to do with some, with their ranks.
func (w *web) nearest(from []uint32, limit int) map[uint32]int {
	rank := map[uint32]int{}
	queue := slices.Clone(from)
	for len(queue) > 0 && len(rank) < limit {
		key := queue[0]
		queue = queue[1:]
		if _, ok := rank[key]; !ok {
			rank[key] = len(rank)
			queue = append(queue, w.next[key]...)
		}
	}
	return rank
}

// accessedIn returns the cells that a function itself accesses by name or so.
func (w *web) accessedIn(c *code) (keys []uint32) {
	for _, b := range c.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				if d := w.cellAt(c, in.Addr, in.Access); d != nil {
					keys = append(keys, d.key)
				}
			case *cir.Store:
				if d := w.cellAt(c, in.Addr, in.Access); d != nil {
					keys = append(keys, d.key)
				}
			}
		}
	}
	return keys
}

// pack makes a pack, unless there is one that has its cells.
func (w *web) pack(keys []uint32) {
	if len(keys) < 2 || len(w.packs) >= maxPacks {
		return
	}
	for _, p := range w.packs {
		if !slices.ContainsFunc(keys, func(k uint32) bool { _, ok := p.index[k]; return !ok }) {
			return
		}
	}
	p := &pack{Pack: &zones.Pack{N: len(keys), At: []int64{-1, 0, 1}}, id: len(w.packs), index: map[uint32]int{}}
	for i, key := range keys {
		p.index[key] = i
		p.cells = append(p.cells, w.mem.cellOf(key))
		for _, n := range w.limits[key] {
			p.At = append(p.At, n-1, n, n+1, -n-1, -n, -n+1)
		}
		if len(p.Flags) < maxFlags && w.flag(p.cells[i]) {
			p.Flags = append(p.Flags, i)
		}
		w.packsOf[key] = append(w.packsOf[key], p)
	}
	slices.Sort(p.At)
	if p.At = slices.Compact(p.At); len(p.At) > maxThresholds {
		p.At = p.At[:maxThresholds]
	}
	w.packs = append(w.packs, p)
}

// flag reports whether a cell is only ever a few constants.
func (w *web) flag(c *cell) bool {
	n := len(w.constants[c.key])
	return n > 0 && n <= maxConstants && !w.open[c.key]
}

package thread

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// What has to do with a tally are integers: locals whose addresses go nowhere, and scalars in memory that there is one of, and that nobody else writes: counters of what
// was started, numbers of workers.

// cellAt is a scalar in memory.
type cellAt struct {
	obj  *pointsto.Object
	off  int64
	typ  cir.Type
	size int64
}

// Bounds of what is followed.
const (
	maxTallyCells  = 6
	maxTallyLocals = 8
)

// isNumber reports whether a type is one whose numbers are followed.
func isNumber(t cir.Type) bool { return t.Kind == cir.IntKind && t.Bits > 1 && t.Bits <= 64 }

// cellOf returns the scalar that is accessed at an address; ok is false if it is not only one, or if others may know it that are no threads of the program's.
func (ta *tallier) cellOf(n *Node, addr cir.Value, a cir.Access) (c cellAt, ok bool) {
	if !isNumber(a.Type) || a.Bits != nil {
		return c, false
	}
	to := ta.pts.Places(n.Fn, n.Ctx, addr)
	if len(to) != 1 || !to[0].Exact() || !ta.pts.Once(to[0].Obj) || ta.pts.Outside(to[0].Obj) {
		return c, false
	}
	if g := to[0].Obj.Global; g != nil && (g.External || g.Library) {
		return c, false
	}
	return cellAt{to[0].Obj, to[0].Off, a.Type, ta.model.SizeOf(a.Type)}, true
}

// findCells finds the scalars in memory that are followed.
func (ta *tallier) findCells() {
	for _, n := range ta.f.nodes {
		if !ta.busy[n] || n.Fn.Library {
			continue
		}
		locals := private(n.Fn)
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				load, ok := in.(*cir.Load)
				if !ok {
					continue
				}
				if l, is := load.Addr.(*cir.Local); is && locals[l].Bits > 0 {
					continue
				}
				if c, ok := ta.cellOf(n, load.Addr, load.Access); ok && len(ta.cells) < maxTallyCells && !slices.Contains(ta.cells, c) {
					ta.cells = append(ta.cells, c)
				}
			}
		}
	}
	var others []*Node
	for _, u := range ta.f.r.Threads {
		if u != ta.f.t {
			others = append(others, u.reach(ta.f.r.graph)...)
		}
	}
	ta.cells = slices.DeleteFunc(ta.cells, func(c cellAt) bool {
		return slices.ContainsFunc(others, func(n *Node) bool { return ta.nodeWrites(n, c) })
	})
	ta.findWriters()
}

// findBusy finds the nodes in which threads of the tally are created or joined, or which call who does.
func (ta *tallier) findBusy() {
	ta.busy = map[*Node]bool{}
	var work []*Node
	for _, n := range ta.f.nodes {
		for _, b := range n.Fn.Blocks {
			if !ta.busy[n] && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return ta.creates[in] || ta.joins(n, in) }) {
				ta.busy[n] = true
				work = append(work, n)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range ta.f.callers[n] {
			if !ta.busy[m] {
				ta.busy[m] = true
				work = append(work, m)
			}
		}
	}
}

// joins reports whether an instruction joins threads of the tally, and no others.
func (ta *tallier) joins(n *Node, in cir.Instr) bool {
	call, ok := in.(*cir.Call)
	if !ok || !ta.f.r.isJoinIn(n, call) {
		return false
	}
	groups := ta.f.groupsOf(n, call)
	return len(groups) > 0 && !slices.ContainsFunc(groups, func(g cir.Instr) bool { return !ta.creates[g] })
}

// findWriters finds which nodes may change which cells, what they call included.
func (ta *tallier) findWriters() {
	ta.writers = map[*Node]uint{}
	var work []*Node
	for _, n := range ta.f.nodes {
		for i, c := range ta.cells {
			if ta.nodeWrites(n, c) {
				ta.writers[n] |= 1 << i
			}
		}
		if ta.writers[n] != 0 {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range ta.f.callers[n] {
			if old := ta.writers[m]; old|ta.writers[n] != old {
				ta.writers[m] = old | ta.writers[n]
				work = append(work, m)
			}
		}
	}
}

// nodeWrites reports whether an instruction of a node itself may write a cell.
func (ta *tallier) nodeWrites(n *Node, c cellAt) bool {
	for _, b := range n.Fn.Blocks {
		if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return ta.writes(n, in, c) }) {
			return true
		}
	}
	return false
}

// writes reports whether an instruction of a node may write a cell itself, without what it calls that has a body.
func (ta *tallier) writes(n *Node, in cir.Instr, c cellAt) bool {
	size := int64(-1)
	switch in := in.(type) {
	case *cir.Store:
		size = ta.model.SizeOf(in.Type)
	case *cir.RMW:
		size = ta.model.SizeOf(in.Type)
	case *cir.CmpXchg:
		size = ta.model.SizeOf(in.Type)
	case *cir.Copy:
		size = constantSize(in.Size)
	case *cir.Fill:
		size = constantSize(in.Size)
	case *cir.Call:
		if n.outside[in] && ta.pts.MayWrite(n.Copy(), in, c.obj) {
			return true
		}
	case *cir.Intrinsic:
		if in.Op != cir.Lock && in.Op != cir.Unlock {
			return ta.pts.MayWrite(n.Copy(), in, c.obj)
		}
		size = lockSize
	}
	for _, v := range pointsto.Writes(in) {
		if v == nil {
			continue
		}
		for _, w := range ta.pts.Places(n.Fn, n.Ctx, v) {
			if w.Obj == c.obj && (w.Off == pointsto.Any || w.Off < c.off+c.size && (size < 0 || c.off < w.Off+size || ta.repeats(w, size))) {
				return true
			}
		}
	}
	return false
}

// lockSize is what the library's locks take, an int.
const lockSize = 4

// repeats reports whether a location stands for more than the bytes from there on: it is in an array, of which more than one element may be written.
func (ta *tallier) repeats(w pointsto.Location, size int64) bool {
	return !w.Exact() && size > 16
}

// constantSize returns a number of bytes, -1 if it is none.
func constantSize(v cir.Value) int64 {
	if c, ok := v.(cir.Int); ok && c.Hi == 0 && c.Lo < 1<<40 {
		return int64(c.Lo)
	}
	return -1
}

// private returns the locals of a function that hold one integer each, with its type, and whose addresses are used for nothing but to load and store it.
func private(f *cir.Func) map[*cir.Local]cir.Type {
	m, gone := map[*cir.Local]cir.Type{}, map[*cir.Local]bool{}
	lose := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			gone[l] = true
		}
	}
	access := func(addr cir.Value, a cir.Access) {
		l, ok := addr.(*cir.Local)
		if !ok {
			return
		}
		if old, had := m[l]; had && old != a.Type || a.Bits != nil || !isNumber(a.Type) || int64(a.Type.Bits+7)/8 != l.Size {
			gone[l] = true
		}
		m[l] = a.Type
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				access(in.Addr, in.Access)
			case *cir.Store:
				access(in.Addr, in.Access)
				lose(in.X)
			case *cir.LifeStart, *cir.LifeEnd:
			default:
				cir.Operands(in, lose)
			}
		}
		cir.TermOperands(b.Term, lose)
	}
	for l := range gone {
		delete(m, l)
	}
	return m
}

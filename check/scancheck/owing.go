package scancheck

import (
	"slices"

	"comus/cir"
)

// follower follows what a thread owes.
type follower struct {
	*threads
	t       *thread
	d       *debt
	busy    map[int]bool // copies in which threads of the debt are created or joined, or which call such
	cells   []counted
	changes map[int]uint // which of them a copy may change, with what it calls
	vars    int          // that are in use
	bounds  []int64      // numbers that the program speaks of
	on      map[int]bool // copies that are being called
	steps   int
	failed  bool
}

// The numbers that are there always. due = made - joined; both count since nothing was due.
const (
	made = iota + 1
	joined
	due
	others // the first one that is something else
)

// Bounds of the effort.
const (
	maxNumbers = 28
	maxWalked  = 30_000
	maxCalls   = 12
	maxCounted = 8
	maxOwn     = 12
	maxTurns   = 1000
)

// world is what holds somewhere: while nothing has been created, while nothing is due any more, and while something may be.
type world struct{ new, clear, due *differences }

func (w world) never() bool { return w.new == nil && w.clear == nil && w.due == nil }

// each returns the world with something done to all of it.
func (w world) each(f func(*differences) *differences) world {
	g := func(d *differences) *differences {
		if d == nil {
			return nil
		}
		return f(d)
	}
	return world{g(w.new), g(w.clear), g(w.due)}
}

func (w world) either(x world) world {
	return world{w.new.either(x.new), w.clear.either(x.clear), w.due.either(x.due)}
}

func (w world) same(x world) bool {
	return w.new.same(x.new) && w.clear.same(x.clear) && w.due.same(x.due)
}

// paid moves to what is clear what is due but for nothing.
func (w world) paid() world {
	d := w.due.drawn(due).drawn(made).drawn(joined)
	if d == nil || d.at(made, joined) > 0 && d.at(due, 0) > 0 {
		return world{w.new, w.clear, d}
	}
	for _, v := range []int{made, joined, due} {
		d = d.lose(v).equals(v, 0, 0)
	}
	return world{w.new, w.clear.either(d), nil}
}

func (ts *threads) newFollower(t *thread, d *debt) *follower {
	f := &follower{threads: ts, t: t, d: d, busy: map[int]bool{}, changes: map[int]uint{}, on: map[int]bool{}}
	f.findBusy()
	f.findCells()
	f.findBounds()
	return f
}

// findBounds finds the numbers that bounds may be.
func (f *follower) findBounds() {
	f.bounds = []int64{-1, 0, 1}
	for _, n := range f.t.order {
		if !f.busy[n.copy] {
			continue
		}
		for _, b := range f.copies[n.copy].Func.Blocks {
			for _, in := range b.Instrs {
				cir.Operands(in, func(v cir.Value) {
					if k := (&pass{}).amount(v); k.known && k.add < 1<<20 && k.add > -1<<20 && len(f.bounds) < 200 {
						f.bounds = append(f.bounds, k.add-1, k.add, k.add+1, -k.add-1, -k.add, -k.add+1)
					}
				})
			}
		}
	}
	slices.Sort(f.bounds)
	f.bounds = slices.Compact(f.bounds)
}

// findBusy finds the copies that create and join, and those that call them.
func (f *follower) findBusy() {
	for changed := true; changed; {
		changed = false
		for _, n := range f.t.order {
			for _, b := range f.copies[n.copy].Func.Blocks {
				if !f.busy[n.copy] && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return f.isBusy(n.copy, in) }) {
					f.busy[n.copy], changed = true, true
				}
			}
		}
	}
}

func (f *follower) isBusy(c int, in cir.Instr) bool {
	call, ok := in.(*cir.Call)
	if !ok {
		return false
	}
	return f.d.groups[f.places[call]] || f.joins(c, call) || slices.ContainsFunc(f.calleesBy(f.t, c, call).to, func(m int) bool { return f.busy[m] })
}

// joins reports whether a call joins one of the threads.
func (f *follower) joins(c int, call *cir.Call) bool {
	groups := f.joinedBy(f.t, c, call)
	for g := range groups {
		if !f.d.groups[g] {
			return false
		}
	}
	return len(groups) > 0
}

// findCells finds the scalars in memory that are loaded where threads are created and joined, and that no other thread writes.
func (f *follower) findCells() {
	for _, n := range f.t.order {
		cp := f.copies[n.copy]
		if !f.busy[n.copy] || cp.Func.Library {
			continue
		}
		own := private(cp.Func)
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				load, ok := in.(*cir.Load)
				if !ok {
					continue
				}
				if l, is := load.Addr.(*cir.Local); is && own[l] {
					continue
				}
				if x, ok := f.countedAt(n.copy, load.Addr, load.Access); ok && len(f.cells) < maxCounted && !slices.Contains(f.cells, x) && !f.writtenByOthers(x) {
					f.cells = append(f.cells, x)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, n := range f.t.order {
			bits := f.changes[n.copy]
			for _, b := range f.copies[n.copy].Func.Blocks {
				for _, in := range b.Instrs {
					for i, x := range f.cells {
						if bits&(1<<i) == 0 && f.mayChange(n.copy, in, x) {
							bits |= 1 << i
						}
					}
					if call, ok := in.(*cir.Call); ok {
						for _, m := range f.calleesBy(f.t, n.copy, call).to {
							bits |= f.changes[m]
						}
					}
				}
			}
			if bits != f.changes[n.copy] {
				f.changes[n.copy], changed = bits, true
			}
		}
	}
}

func (f *follower) writtenByOthers(x counted) bool {
	for _, u := range f.list {
		if u == f.t {
			continue
		}
		for _, n := range u.order {
			for _, b := range f.copies[n.copy].Func.Blocks {
				if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return f.mayChange(n.copy, in, x) }) {
					return true
				}
			}
		}
	}
	return false
}

// follow follows the thread from its beginning to its end. It reports whether it could.
func (f *follower) follow() bool {
	first := anyNumbers(maxNumbers)
	for _, v := range []int{made, joined, due} {
		first = first.equals(v, 0, 0)
	}
	for i, x := range f.cells {
		if v, ok := atBeginning(x); ok && f.t.index == 0 {
			first = first.equals(others+i, 0, v)
		}
	}
	f.vars = others + len(f.cells)
	roots := []int{f.t.Root}
	if f.t.index == 0 {
		roots = nil
		for _, c := range f.prog.Constructors {
			roots = append(roots, f.plain(c))
		}
		roots = append(roots, f.plain(f.prog.Entry))
		if e := f.prog.FuncNamed("exit"); e != nil && len(e.Blocks) > 0 {
			roots = append(roots, f.plain(e))
		}
	}
	w := world{new: first}
	for _, r := range roots {
		if f.busy[r] {
			w = f.call(&entering{copy: r, result: -1}, w, true)
		} else {
			w = f.forget(w, f.changes[r])
		}
	}
	return !f.failed
}

// atBeginning returns what a scalar holds at the beginning of the program, if it is static.
func atBeginning(x counted) (v int64, ok bool) {
	g := x.obj.Global
	if g == nil || x.off < 0 || x.off+x.size > g.Size || slices.ContainsFunc(g.Relocs, func(r cir.Reloc) bool { return r.Offset < x.off+x.size && x.off < r.Offset+8 }) {
		return 0, false
	}
	for i := x.size - 1; i >= 0; i-- {
		v <<= 8
		if k := x.off + i; k < int64(len(g.Data)) {
			v |= int64(g.Data[k])
		}
	}
	if x.typ.Bits < 64 && x.typ.Signed && v>>(x.typ.Bits-1)&1 == 1 {
		v -= 1 << x.typ.Bits
	}
	return v, v < 1<<60 && v > -1<<60 && (x.typ.Signed || v >= 0)
}

// forget loses the scalars in memory that are in a set.
func (f *follower) forget(w world, bits uint) world {
	for i := range f.cells {
		if bits&(1<<i) != 0 {
			w = w.each(func(d *differences) *differences { return d.lose(others + i) })
		}
	}
	return w
}

// entering is a call of a copy that the thread is in.
type entering struct {
	copy   int
	depth  int
	args   []amount
	again  []bool // which arguments are the same each time that a loop calls it
	result int    // the number that is what it returns; -1: none
	own    map[*cir.Local]int
	types  map[*cir.Local]cir.Type
	kept   map[*cir.Call]int
}

// call returns what holds behind a call.
func (f *follower) call(a *entering, w world, final bool) world {
	if w.never() || f.failed {
		return world{}
	}
	if f.on[a.copy] || a.depth > maxCalls {
		f.failed = true
		return world{}
	}
	f.on[a.copy] = true
	mark := f.vars
	fn := f.copies[a.copy].Func
	a.own, a.types, a.kept = map[*cir.Local]int{}, map[*cir.Local]cir.Type{}, map[*cir.Call]int{}
	own := private(fn)
	for _, l := range fn.Locals {
		if t, ok := oneType(fn, l); ok && own[l] && len(a.own) < maxOwn && f.vars < maxNumbers {
			a.own[l], a.types[l] = f.vars, t
			f.vars++
		}
	}
	clean := func(w world) world {
		for v := mark; v <= maxNumbers; v++ {
			w = w.each(func(d *differences) *differences { return d.lose(v) })
		}
		return w
	}
	w = clean(w)
	at := f.fixpoint(a, w)
	var out world
	for i, b := range fn.Blocks {
		p := f.walk(a, b, at[i], final)
		if r, ok := b.Term.(*cir.Return); ok && !p.w.never() {
			if a.result >= 0 {
				p.become(a.result, p.amount(r.X))
			}
			out = out.either(clean(p.w))
		}
	}
	f.vars = mark
	f.on[a.copy] = false
	return out
}

// oneType returns the type as which a local is always accessed, if that is one of its size.
func oneType(fn *cir.Func, l *cir.Local) (t cir.Type, ok bool) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			var a cir.Access
			switch in := in.(type) {
			case *cir.Load:
				if in.Addr != cir.Value(l) {
					continue
				}
				a = in.Access
			case *cir.Store:
				if in.Addr != cir.Value(l) {
					continue
				}
				a = in.Access
			default:
				continue
			}
			if t != (cir.Type{}) && t != a.Type || !isCounter(a.Type) {
				return t, false
			}
			t = a.Type
		}
	}
	return t, t != cir.Type{}
}

// fixpoint returns what holds where the blocks of a copy begin.
func (f *follower) fixpoint(a *entering, first world) []world {
	fn := f.copies[a.copy].Func
	at := make([]world, len(fn.Blocks))
	at[0] = first
	heads := map[int]bool{} // each loop has an edge that does not lead on
	for i, b := range fn.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { heads[to.Index] = heads[to.Index] || to.Index <= i })
	}
	done := make([]*walkedOnce, len(fn.Blocks))
	for turn := 0; !f.failed; turn++ {
		f.failed = turn > maxTurns
		changed := false
		for i, next := range f.flow(a, at, first, done) {
			to := at[i].either(next)
			if turn > 5 && heads[i] {
				to = world{at[i].new.steady(to.new, f.bounds), at[i].clear.steady(to.clear, f.bounds), at[i].due.steady(to.due, f.bounds)}
			}
			if !to.same(at[i]) {
				at[i], changed = to, true
			}
		}
		if !changed {
			break
		}
	}
	for range 3 { // what holds is at least what follows from it
		at = f.flow(a, at, first, done)
	}
	return at
}

// walkedOnce is what was found of a block the latest time.
type walkedOnce struct {
	in  world
	to  []*cir.Block
	out []world
}

// flow returns what holds where blocks begin if that holds where those before them begin. What was found of blocks is in done.
func (f *follower) flow(a *entering, at []world, first world, done []*walkedOnce) []world {
	fn := f.copies[a.copy].Func
	next := make([]world, len(at))
	next[0] = first
	for i, b := range fn.Blocks {
		if at[i].never() || f.failed {
			continue
		}
		if done[i] == nil || !done[i].in.same(at[i]) {
			x := &walkedOnce{in: at[i]}
			f.walk(a, b, at[i], false).leave(func(to *cir.Block, w world) {
				if f.pts.Goes(fn, b, to) {
					x.to, x.out = append(x.to, to), append(x.out, w.paid())
				}
			})
			done[i] = x
		}
		for k, to := range done[i].to {
			next[to.Index] = next[to.Index].either(done[i].out[k])
		}
	}
	return next
}

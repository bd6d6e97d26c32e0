package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Ownership of objects that containers under locks transfer: each belongs to one thread, or to one container, or to nobody, at any time, and is accessed by the thread that
// it belongs to, or by who holds the container's lock. One object is followed, as it may be any of them; what is said of it in the claimed states of a container holds of
// each object when the lock is free. That is verified here by following all threads path by path, from any of these states where a lock is taken to one of
// these where it is given back.
//
// Which objects belong to a container is a matter of definition, made when its lock is given back, and of what is in memory alone: of those that
// belonged to it or to the thread, the ones that its owning cells lead to, directly or by links of objects that belong to it. All others of them belong to the thread.

// transfer is one as it is claimed.
type transfer struct {
	*certificate.Transfer
	walk *transferWalk
	bad  string // why it is not confirmed
	done bool
}

// containerCell is a cell of a container.
type containerCell struct {
	at   pointsto.Location
	box  int // the container
	owns bool
}

// transferWalk follows threads for a transfer of ownership.
type transferWalk struct {
	ls      *locations
	objects map[*pointsto.Object]bool
	link    int64
	locks   []pointsto.Location
	cells   []containerCell
	first   []int // of each container, its first cell
	states  [][]certificate.ContainerState
	withEnd bool     // nothing is followed once the first thread is alone again
	kind    *boxKind // the last boxes are of it; nil: there is none
	rows    []containerRow
	nums    []containerNumber
	parts   []containerPart
	words   []pointsto.Location // of objects that are a thread's own
	losses  map[placeInCopy][]pointsto.Location
	inner   map[*cir.Func]map[*cir.Reg]bool
	word    int64 // the size of a pointer
	// acts tells which copies do what matters themselves, or call who does; own which do it themselves.
	acts, own map[int]bool
	alone     map[placeInCopy]bool
	met       map[placeInCopy]bool
	entered   map[int]bool
	why       string
	steps     int
	living    bool // who is alone does not access what was freed either
}

// placeInCopy is an instruction of a copy.
type placeInCopy struct {
	copy int
	in   cir.Located
}

// maxTransferSteps bounds what is followed.
const maxTransferSteps = 600000

func (w *transferWalk) no(why string, at cir.Located) {
	if w.why == "" {
		if w.why = why; at != nil {
			w.why += " at " + position(at)
		}
	}
}

// transferred reports whether two groups access objects whose ownership is transferred.
func (ls *locations) transferred(o *pointsto.Object, g, h *group) bool {
	for _, x := range ls.transfers {
		cells := x.hasKindIn(o)
		if !slices.Contains(x.Objects, o.ID) && !cells {
			continue
		}
		if !x.done {
			x.done = true
			ls.verify(x)
		}
		if cells && x.bad == "" && (!x.onlyCells(g) || !x.onlyCells(h)) {
			continue
		}
		if x.bad == "" && x.covers(g) && x.covers(h) {
			return true
		}
	}
	return false
}

// covers reports whether all accesses of a group are among those that were followed.
func (x *transfer) covers(g *group) bool {
	ls := x.walk.ls
	for _, a := range g.Accesses {
		if a.Copy < 0 || a.Copy >= len(ls.copies) {
			return false
		}
		c := ls.copies[a.Copy]
		if a.Block < 0 || a.Block >= len(c.Func.Blocks) || a.Instr < 0 || a.Instr > len(c.Func.Blocks[a.Block].Instrs) {
			return false
		}
		b := c.Func.Blocks[a.Block]
		at := placeInCopy{a.Copy, b.Term}
		if a.Instr < len(b.Instrs) {
			at.in = b.Instrs[a.Instr]
		}
		if !c.Func.Library {
			if !x.walk.met[at] {
				return false
			}
			continue
		}
		found := false
		for p := range x.walk.met {
			found = found || c.Ctx.Call != nil && p.in == cir.Located(c.Ctx.Call)
		}
		if !found {
			return false
		}
	}
	return true
}

// verify looks at a transfer.
func (ls *locations) verify(x *transfer) { ls.verifyFor(x, false) }

// verifyFor is verify; living tells that it is also asked whether objects are accessed after their ends.
func (ls *locations) verifyFor(x *transfer, living bool) {
	w := &transferWalk{ls: ls, objects: map[*pointsto.Object]bool{}, link: x.Link, word: int64(ls.prog.Model.PointerBits / 8), acts: map[int]bool{}, own: map[int]bool{}, met: map[placeInCopy]bool{}, losses: map[placeInCopy][]pointsto.Location{},
		inner: map[*cir.Func]map[*cir.Reg]bool{}}
	x.walk, w.living = w, living
	if w.read(x.Transfer); w.why == "" {
		w.findActs()
	}
	if w.why == "" {
		w.unspoilt()
	}
	for _, t := range ls.threads.list {
		if w.why == "" {
			w.thread(t)
		}
	}
	if x.bad = w.why; x.bad != "" {
		ls.refuse("transfer of ownership: %s", x.bad)
	}
}

// read reads a claim, and verifies what can be seen of its parts.
func (w *transferWalk) read(c *certificate.Transfer) {
	for _, i := range c.Objects {
		if i < 0 || i >= len(w.ls.pts.Objects) {
			w.no("there is no such object", nil)
			return
		}
		o := w.ls.pts.Objects[i]
		if o.Site == nil || !o.Func.Library || o.Func.Source != "malloc" && o.Func.Source != "calloc" || w.ls.pts.Outside(o) {
			w.no("an object is not one that malloc returned, or known outside", nil)
		}
		if w.objects[o] = true; c.Link >= 0 && !(pointsto.Location{Obj: o, Off: c.Link}).Exact() {
			w.no("a link is in an array", nil)
		}
	}
	single := func(a certificate.At, array bool) (l pointsto.Location) {
		if a.Object < 0 || a.Object >= len(w.ls.pts.Objects) {
			w.no("there is no such memory", nil)
			return l
		}
		l = pointsto.Location{Obj: w.ls.pts.Objects[a.Object], Off: a.Off}
		if l.Off < 0 || !array && !l.Exact() || !w.ls.pts.Once(l.Obj) || w.ls.pts.Outside(l.Obj) || w.objects[l.Obj] {
			w.no("there may be several of a lock or cell", nil)
		}
		return l
	}
	for b, k := range c.Containers {
		if k.Many {
			if b != len(c.Containers)-1 {
				w.no("a kind is not the last container", nil)
				return
			}
			w.readKind(&k)
			break
		}
		w.locks = append(w.locks, single(k.Lock, false))
		w.first = append(w.first, len(w.cells))
		for _, x := range k.Cells {
			w.cells = append(w.cells, containerCell{single(x.At, false), b, x.Owns})
		}
		w.readRows(b, &k, single)
		w.states = append(w.states, k.States)
	}
	w.first = append(w.first, len(w.cells))
	if len(w.locks) == 0 || len(w.locks) > maxBoxes || w.why != "" {
		w.no("there are no locks, or too many", nil)
		return
	}
	if w.withEnd = c.Ends; c.Ends && (w.kind == nil || w.living) {
		w.no("the end of a program is not followed where that matters", nil)
	}
	w.findParts()
	w.findOwnWords()
	for i, l := range w.locks {
		if slices.Contains(w.locks[:i], l) && !w.ofKind(i) || w.kind != nil && i < w.kind.box && l.Obj == w.kind.obj {
			w.no("two containers have one lock", nil)
		}
	}
	w.wellFormed()
}

// wellFormed verifies that the states of containers have the right form.
func (w *transferWalk) wellFormed() {
	for b, all := range w.states {
		n, rows := w.first[b+1]-w.first[b], 0
		for _, r := range w.rows {
			if r.box == b {
				rows++
			}
		}
		for _, s := range all {
			for _, x := range append(slices.Clone(s.Cells), s.Link) {
				if x.Is == "cell" && x.N >= 0 && x.N < len(w.cells) && (w.ofKind(b) || w.ofKind(w.cells[x.N].box)) {
					w.no("a container of a kind holds the address of a cell, or a cell that of one", nil)
				}
				if x.Is == "cell" && (x.N < 0 || x.N >= len(w.cells)) || !slices.Contains([]string{"", "null", "followed", "another", "cell", "else"}, x.Is) {
					w.no("a state of a container has no meaning", nil)
				}
				if len(w.rows) > 0 && x.Is == "another" {
					w.no("nothing is known of others where there are arrays", nil)
				}
			}
			if w.link < 0 && s.Pred {
				w.no("a link leads to an object where there are none", nil)
			}
			if len(s.Cells) != n || len(s.Slots) != rows || s.Link.Is == "cell" || slices.ContainsFunc(s.Cells, func(x certificate.Word) bool { return x.Is == "" }) || s.In && w.link >= 0 && s.Link.Is == "" {
				w.no("a state of a container has another form", nil)
			}
		}
		if w.why != "" {
			return
		}
	}
}

// beginnings returns the states that a container may be in when the program begins: of memory that is not static nobody knows what it holds.
func (w *transferWalk) beginnings(b int) (list []certificate.ContainerState) {
	cells := w.cells[w.first[b]:w.first[b+1]]
	for bits := range 1 << len(cells) {
		s := certificate.ContainerState{Link: certificate.Word{Is: "null"}}
		for _, r := range w.rows {
			if r.box == b {
				s.Slots = append(s.Slots, false)
			}
		}
		possible := true
		for i, c := range cells {
			word, g := certificate.Word{Is: "null"}, c.at.Obj.Global
			if bits>>i&1 == 1 {
				word.Is = "else"
				possible = possible && g == nil
			} else if k := w.pointedAt(g, c.at.Off); k >= 0 {
				word = certificate.Word{Is: "cell", N: k}
			} else if g != nil && !g.ZeroAt(c.at.Off, w.word) {
				w.no("a cell is neither null nor the address of a cell at the beginning", nil)
			}
			s.Cells = append(s.Cells, word)
		}
		if possible {
			list = append(list, s)
		}
	}
	return list
}

// beginsClaimed verifies that containers are in claimed states when the program begins.
func (w *transferWalk) beginsClaimed() {
	for _, r := range w.rows {
		if !w.emptyAtFirst(r) {
			w.no("it is not known what an array holds at the beginning", nil)
		}
	}
	for b := range w.locks {
		if w.ofKind(b) {
			break // that is verified in any case
		}
		for _, s := range w.beginnings(b) {
			if !w.isClaimed(b, s) {
				w.no("a container may be in another state at the beginning", nil)
			}
		}
	}
}

// pointedAt returns the cell of which the program begins with the address in some bytes of a global, -1 if it does not.
func (w *transferWalk) pointedAt(g *cir.Global, off int64) int {
	if g == nil || g.External || g.ThreadLocal || g.Library {
		return -1
	}
	for i, r := range g.Relocs {
		if i > 0 && g.Relocs[i-1].Offset+w.word > r.Offset || r.Offset != off || i+1 < len(g.Relocs) && g.Relocs[i+1].Offset < off+w.word {
			continue
		}
		return slices.IndexFunc(w.cells, func(c containerCell) bool {
			return c.at.Obj.Global != nil && cir.Symbol(c.at.Obj.Global) == r.Target && c.at.Off == r.Addend
		})
	}
	return -1
}

// isClaimed reports whether a state of a container is among those that are claimed.
func (w *transferWalk) isClaimed(b int, s certificate.ContainerState) bool {
	return w.among(w.states[b], s)
}

// among reports whether a state is one of some.
func (w *transferWalk) among(all []certificate.ContainerState, s certificate.ContainerState) bool {
	return slices.ContainsFunc(all, func(x certificate.ContainerState) bool {
		return slices.Equal(x.Cells, s.Cells) && slices.Equal(x.Slots, s.Slots) && x.In == s.In && x.Pred == s.Pred && (x.Link == s.Link || !s.In || w.link < 0)
	})
}

// unspoilt verifies that nobody writes to the locks in other ways while there is more than one thread, and that taking one always gives it.
func (w *transferWalk) unspoilt() {
	ls := w.ls
	if ls.locks.robust || ls.cancels {
		w.no("threads may be cancelled, or locks are robust", nil)
	}
	w.unspoiltKind()
	for _, l := range w.locks {
		for _, s := range ls.spoils[l.Obj] {
			if overlap([]pointsto.Location{l}, []pointsto.Location{s.at}) && !ls.isAlone(s.t, s.running) {
				w.no("somebody may write to a lock", nil)
			}
		}
	}
	for _, f := range ls.prog.Funcs {
		if slices.Contains([]string{"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp"}, f.Source) {
			w.no("the program jumps between functions", nil)
		}
	}
}

// thread follows a thread.
func (w *transferWalk) thread(t *thread) {
	ls := w.ls
	w.alone, w.entered = map[placeInCopy]bool{}, map[int]bool{}
	for _, n := range t.order {
		if t.index == 0 && w.acts[n.copy] {
			ls.each(t, n, func(in cir.Located, running set) {
				w.alone[placeInCopy{n.copy, in}] = ls.isAlone(t, running)
			}, func(*cir.Block, effect) {})
		}
	}
	roots := []int{t.Root}
	if call := ls.startCall(t.Root); call != nil {
		x := ls.calleesBy(t, t.Root, call)
		roots = x.to
	}
	// The first thread finds the containers as they are when the program begins, if it is followed from there on, and alone; then the others find what it leaves.
	first := t.index == 0 && !t.Many && len(roots) == 1 && w.acts[roots[0]] && !ls.copies[roots[0]].Func.Library && w.alone[placeInCopy{roots[0], firstOf(ls.copies[roots[0]].Func)}]
	if t.index == 0 && !first && w.kind != nil && w.kind.raw {
		w.no("it is not known what a container of a kind holds at the beginning", nil)
	}
	if t.index == 0 && !first {
		w.beginsClaimed()
	}
	for _, r := range roots {
		if w.acts[r] && !ls.copies[r].Func.Library {
			w.follow(r, first)
		}
	}
	for _, n := range t.order {
		if w.why == "" && w.own[n.copy] && !ls.copies[n.copy].Func.Library && !w.entered[n.copy] {
			w.no(fmt.Sprintf("%s is called in a way that is not followed", ls.copies[n.copy].Func.Name), nil)
		}
	}
}

// firstOf returns where a function begins.
func firstOf(f *cir.Func) cir.Located {
	if b := f.Blocks[0]; len(b.Instrs) > 0 {
		return b.Instrs[0]
	}
	return f.Blocks[0].Term
}

// findActs finds the copies that matter.
func (w *transferWalk) findActs() {
	ls := w.ls
	callers := map[int][]int{}
	var work []int
	for c, cp := range ls.copies {
		touches := false
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				if w.actsIn(c, in) {
					w.own[c] = true
				}
				touches = touches || !cp.Func.Library && w.touchesOwn(c, in)
				if call, ok := in.(*cir.Call); ok {
					for _, m := range ls.callees(c, call).to {
						callers[m] = append(callers[m], c)
					}
				}
			}
		}
		if w.own[c] || touches {
			work = append(work, c)
		}
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		if work = work[:len(work)-1]; w.acts[c] {
			continue
		}
		w.acts[c] = true
		work = append(work, callers[c]...)
	}
	creates, ends := ls.haveOp(cir.ThreadCreate, callers), ls.haveOp(cir.ThreadExit, callers)
	for _, n := range ls.threads.list[0].order {
		w.actsToo(n.copy, creates) // so that what it leaves to others is seen
	}
	for c := range ls.copies {
		w.actsToo(c, ends)
	}
	w.othersCall()
}

// actsToo has a copy followed if it is one of some of the program's own.
func (w *transferWalk) actsToo(c int, these map[int]bool) {
	if these[c] && !w.ls.copies[c].Func.Library {
		w.acts[c] = true
	}
}

// haveOp returns the copies that have an intrinsic, or call who does.
func (p *program) haveOp(op cir.IntrinsicOp, callers map[int][]int) map[int]bool {
	found := map[int]bool{}
	var work []int
	for c, cp := range p.copies {
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == op {
					work = append(work, c)
				}
			}
		}
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		if work = work[:len(work)-1]; !found[c] {
			found[c] = true
			work = append(work, callers[c]...)
		}
	}
	return found
}

// actsIn reports whether an instruction of a copy accesses objects or cells, uses a lock, or allocates an object.
func (w *transferWalk) actsIn(c int, in cir.Instr) bool {
	ls := w.ls
	cp := ls.copies[c]
	for _, t := range ls.touches(in, cp) {
		size := t.size
		if t.span != from {
			size = -1
		}
		if t.ptr != nil && (w.toObject(w.at(c, t.ptr)) || w.toCells(w.at(c, t.ptr), size)) {
			return true
		}
	}
	call, ok := in.(*cir.Call)
	if !ok || cp.Func.Library {
		return false
	}
	for _, a := range call.Args {
		at := w.at(c, a.X)
		if w.toObject(at) || w.toLocks(at) {
			return true
		}
	}
	return call.Dst != nil && (w.toObject(w.at(c, call.Dst)) || w.row(w.at(c, call.Dst)) >= 0)
}

// othersCall refuses that functions which matter are called by others than the program's own that are followed.
func (w *transferWalk) othersCall() {
	ls := w.ls
	mine := func(c int) bool { return w.acts[c] && !ls.copies[c].Func.Library }
	for _, c := range ls.back {
		if mine(c) {
			w.no("code outside calls "+ls.copies[c].Func.Name, nil)
		}
	}
	for _, f := range slices.Concat(ls.prog.Constructors, ls.prog.Destructors) {
		if c, ok := ls.number[canonical(ls.program, f)]; ok && w.acts[c] {
			w.no(f.Name+" runs before or after main", nil)
		}
	}
	begin := map[int]bool{}
	for _, t := range ls.threads.list {
		begin[t.Root] = begin[t.Root] || !ls.isSignal(t) && ls.startCall(t.Root) != nil
	}
	for _, t := range ls.threads.list {
		for _, n := range t.order {
			cp := ls.copies[n.copy]
			if !cp.Func.Library {
				continue
			}
			if cp.Ctx.Call == nil && w.own[n.copy] {
				w.no("the library accesses objects by itself", nil)
			}
			for _, b := range cp.Func.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok || begin[n.copy] && call == ls.startCall(n.copy) {
						continue
					}
					if slices.ContainsFunc(ls.callees(n.copy, call).to, mine) {
						w.no("the library calls a function that matters", call)
					}
				}
			}
		}
	}
}

func (w *transferWalk) at(c int, v cir.Value) []pointsto.Location {
	cp := w.ls.copies[c]
	return w.ls.pts.Places(cp.Func, cp.Ctx, v)
}

// toObject reports whether one of some places is in an object.
func (w *transferWalk) toObject(at []pointsto.Location) bool {
	return slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.objects[l.Obj] })
}

// toLocks reports whether one of some places may be that of a lock.
func (w *transferWalk) toLocks(at []pointsto.Location) bool {
	return len(at) > 0 && overlap(w.locks, at)
}

// toCells reports whether an access of some bytes may go to a cell.
func (w *transferWalk) toCells(at []pointsto.Location, size int64) bool {
	for _, l := range at {
		if w.toKind(l, size) {
			return true
		}
		for _, c := range w.parts {
			if l.Obj == c.at.Obj && bytesOf(l, touch{size: size}).meets(extent{c.at.Off, c.end}) {
				return true
			}
		}
	}
	return false
}

// cell returns the only cell that an address leads to, -1 if there is none.
func (w *transferWalk) cell(at []pointsto.Location) int {
	if len(at) == 1 {
		return slices.IndexFunc(w.cells, func(c containerCell) bool { return c.at == at[0] && !w.ofKind(c.box) })
	}
	return -1
}

package specialise

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// A leak is an object of malloc & co. that, where the program ends, was not freed, and is lost: no pointer into it is in memory
// that can still be reached. That is asked where main returns, where exit is called, and where the last thread ends. What was lost before is
// lost there as well. Reached is what globals point to, after exit the locals of the functions that have not returned, and what allocated objects
// that are reached point to, as LeakSanitizer has it: a pointer to any byte of an object counts.
//
// What threads that still run hold in their locals is not known to the one that ends the program. So an object that is lost but for them is an
// approximation; as is one that pointers in memory that is not tracked may point to, or that something outside of the
// program may know.

// Cleanup asks more simply: what lives where the program ends was not freed.

// programEnd is a place where the program may end.
type programEnd struct {
	th   *thread
	fr   *frame
	site *cir.Site
	at   *flow
	held []*object // locals of functions that have not returned
	last bool      // it does only if all other threads have ended
}

// endsHere notes that the program may end here.
func (b *builder) endsHere(held []*object, last bool) {
	if b.opts.Check.atEnd() && b.cur != nil {
		b.ends = append(b.ends, &programEnd{b.th, b.fr, b.site, b.cur.clone(), held, last})
	}
}

// exits notes the end of the program in exit, or where main returns.
func (b *builder) exits() {
	var held []*object
	for fr := b.fr; fr != nil && !b.returned; fr = fr.parent {
		if fr.fn.Library && fr.fn.Source == "__comus_thread_end" {
			held = nil // the thread's functions have ended
			break
		}
		held = append(held, fr.objects()...)
	}
	b.endsHere(held, false)
}

// lastEnds notes the end of the program where a thread ends, if it is the last one and main has ended before.
func (b *builder) lastEnds() {
	if main := b.threads[0]; b.th == main || len(main.ends) > 0 {
		b.endsHere(nil, true)
	}
}

// freesVaguely notes that one of several objects is freed, and nobody knows which.
func (b *builder) freesVaguely(p cir.Value) {
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, p) {
		b.freed[l.Obj] = true
	}
}

// leaks adds the errors for all places where the program may end.
func (b *builder) leaks() {
	if len(b.ends) == 0 {
		return
	}
	h := b.heapObjects()
	if len(h.objs)+len(h.any) == 0 {
		return
	}
	for _, e := range b.ends {
		b.th, b.fr, b.site, b.cur = e.th, e.fr, e.site, e.at
		b.lost(e, h)
	}
	b.cur = nil
}

// heap are the objects that may be allocated.
type heap struct {
	objs    []*object
	any     []*object // that stand for several
	globals []*object
	unsure  map[*pointsto.Object]bool // of those it is not known exactly whether they are lost
	vague   map[*pointsto.Object]bool // of those it is not known exactly whether they were freed
	holds   map[*pointsto.Object]map[*pointsto.Object]bool
}

// heapObjects returns the objects that may be allocated where the program ends.
func (b *builder) heapObjects() *heap {
	h := &heap{unsure: map[*pointsto.Object]bool{}, vague: map[*pointsto.Object]bool{}, holds: map[*pointsto.Object]map[*pointsto.Object]bool{}}
	assigned := map[*ir.Var]bool{}
	for _, t := range b.threads {
		for _, e := range t.edges {
			for _, c := range e.cmds {
				assigned[c.Var] = true
			}
		}
	}
	seen := map[*object]bool{}
	for _, bp := range b.made {
		o := b.object(bp)
		if seen[o] || o.abs == nil {
			continue
		}
		seen[o] = true
		switch {
		case o.heap && o.alive == nil:
			h.any = append(h.any, o)
		case o.heap && assigned[o.alive]:
			h.objs = append(h.objs, o)
		case o.heap:
		case o.global != nil && !o.global.Literal:
			h.globals = append(h.globals, o)
		}
	}
	h.findUnsure(b, seen)
	return h
}

// findUnsure finds out of which objects it is not known exactly whether they are lost.
func (h *heap) findUnsure(b *builder, all map[*object]bool) {
	var work []*pointsto.Object
	mark := func(o *pointsto.Object) {
		if !h.unsure[o] {
			h.unsure[o] = true
			work = append(work, o)
		}
	}
	for _, o := range slices.Concat(h.objs, h.any) {
		if o.vague || b.freed[o.abs] || b.pts.Outside(o.abs) {
			h.vague[o.abs] = true
			mark(o.abs)
		}
	}
	for o := range all {
		if !tractable(o) { // what it points to may be reached
			for _, l := range b.pts.Held(o.abs) {
				mark(l.Obj)
			}
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, l := range b.pts.Held(o) {
			mark(l.Obj)
		}
	}
}

// tractable reports whether all pointers in an object can be looked at.
func tractable(o *object) bool { return !o.vague && o.size <= maxCells*8 }

// mayHold reports whether something in an object may point to another one.
func (h *heap) mayHold(b *builder, x, o *object) bool {
	to := h.holds[x.abs]
	if to == nil {
		to = map[*pointsto.Object]bool{}
		for _, l := range b.pts.Held(x.abs) {
			to[l.Obj] = true
		}
		h.holds[x.abs] = to
	}
	return to[o.abs]
}

// lost adds the errors for one place where the program may end.
func (b *builder) lost(end *programEnd, h *heap) {
	if b.cur.depth == 0 {
		mid := b.th.newLoc(b.irPos())
		mid.atomic = true
		b.newEdge(b.cur.at, mid, "")
		b.cur.at = mid
	}
	done := b.othersDone()
	var side []*logic.Term
	if end.last && !end.th.replicated {
		side = []*logic.Term{done}
	}
	if b.opts.Check.Cleanup {
		b.kept(h, side)
	}
	if !b.opts.Check.Leak {
		return
	}
	reached, closed := b.reached(h, b.roots(end, h))
	if len(closed) > 0 {
		b.emitAtEnd(assumes(closed)...)
	}
	bad := &badEnds{b: b, what: "is lost", of: map[string][3]*logic.Term{}}
	for _, o := range h.any {
		if o.user {
			bad.add(o, endVague, b.L.True())
		}
	}
	for i, o := range h.objs {
		if !o.user {
			continue
		}
		c := b.L.And(b.living(o), b.L.Not(reached[i]))
		if h.unsure[o.abs] {
			bad.add(o, endVague, b.living(o))
			continue
		}
		bad.add(o, endExact, b.L.And(c, done))
		if side == nil {
			bad.add(o, endOthers, b.L.And(c, b.L.Not(done)))
		}
	}
	bad.errors(Leak, side)
}

// kept adds the errors for memory that was not freed where the program ends, whoever knows it.
func (b *builder) kept(h *heap, side []*logic.Term) {
	bad := &badEnds{b: b, what: "is not freed", of: map[string][3]*logic.Term{}}
	for _, o := range h.any {
		if o.user {
			bad.add(o, endVague, b.L.True())
		}
	}
	for _, o := range h.objs {
		switch {
		case !o.user:
		case h.vague[o.abs]:
			bad.add(o, endVague, b.living(o))
		default:
			bad.add(o, endExact, b.living(o))
		}
	}
	bad.errors(Cleanup, side)
}

// How it is known that memory is lost, or kept: exactly, if no other thread runs, or not exactly.
const (
	endExact = iota
	endOthers
	endVague
)

// badEnds are errors at one place where the program may end: one for each place of allocation.
type badEnds struct {
	b     *builder
	what  string
	of    map[string][3]*logic.Term
	texts []string
}

// add adds that an object is an error under a condition.
func (x *badEnds) add(o *object, how int, c *logic.Term) {
	at := fmt.Sprintf("line %d", o.pos.Line)
	if o.pos.File != x.b.pos().File {
		at = fmt.Sprintf("%s:%d", o.pos.File, o.pos.Line)
	}
	text := fmt.Sprintf("memory allocated at %s %s", at, x.what)
	e, ok := x.of[text]
	if !ok {
		no := x.b.L.False()
		e, x.texts = [3]*logic.Term{no, no, no}, append(x.texts, text)
	}
	e[how] = x.b.L.Or(e[how], c)
	x.of[text] = e
}

// errors adds the errors.
func (x *badEnds) errors(check string, side []*logic.Term) {
	for _, text := range x.texts {
		for how, approx := range []string{"", "memory of threads that still run", untracked} {
			x.b.errorAs(check, text, x.of[text][how], side, approx)
		}
	}
}

// errorAs is errorIf for an error that may be an approximation.
func (b *builder) errorAs(check, text string, bad *logic.Term, side []*logic.Term, approx string) {
	n := len(b.th.edges)
	b.errorIf(check, text, bad, side)
	for _, e := range b.th.edges[n:] {
		e.approx, e.to.atomic = approx, true
	}
}

// othersDone returns the condition that no other thread runs.
func (b *builder) othersDone() *logic.Term {
	all := b.L.True()
	for _, t := range b.threads {
		c := b.L.False()
		switch {
		case t == b.th:
			continue
		case t.index == 0:
			c = b.isTrue(b.mainEnded())
		case t.ended != nil:
			c = b.isTrue(t.ended)
		}
		if t.created != nil {
			c = b.L.Or(c, b.L.Eq(t.created.Sym, b.L.Int(0)))
		}
		all = b.L.And(all, c)
	}
	return all
}

// roots returns the objects that are reached where the program ends.
func (b *builder) roots(end *programEnd, h *heap) []*object {
	rs := slices.Clone(end.held)
	for _, o := range h.globals {
		if !o.global.ThreadLocal || o.owner == b.th.index && !end.last {
			rs = append(rs, o)
		}
	}
	slices.SortFunc(rs, func(x, y *object) int { return int(x.addr - y.addr) })
	return slices.DeleteFunc(rs, func(o *object) bool { return o.abs == nil || !tractable(o) })
}

// emitAtEnd adds a step to what is done where the program ends, which is one with the steps before and after it.
func (b *builder) emitAtEnd(cmds ...ir.Cmd) {
	b.emit("", cmds...)
	b.cur.at.atomic = true
}

// maxRounds is the number of objects up to which what is reached is computed step by step.
const maxRounds = 8

// reached returns the conditions that objects are reached. With many objects they are chosen: what is not reached is any set of objects
// that nothing else points to; closed has to hold of the choice.
func (b *builder) reached(h *heap, roots []*object) (now, closed []*logic.Term) {
	n := len(h.objs)
	first, from := make([]*logic.Term, n), make([]map[int]*logic.Term, n)
	for i, o := range h.objs {
		first[i], from[i] = b.L.False(), map[int]*logic.Term{}
		for _, x := range roots {
			if h.mayHold(b, x, o) {
				first[i] = b.L.Or(first[i], b.pointsTo(x, o))
			}
		}
		for j, x := range h.objs {
			if i != j && tractable(x) && h.mayHold(b, x, o) {
				if c := b.L.And(b.living(x), b.pointsTo(x, o)); !c.IsFalse() {
					from[i][j] = c
				}
			}
		}
	}
	now = first
	if n > maxRounds && isCyclic(from) {
		return b.chooseReached(h, first, from)
	}
	for round := 0; round < n; round++ {
		next, changed := make([]*logic.Term, n), false
		for i := range next {
			next[i] = first[i]
			for j := range h.objs {
				if c := from[i][j]; c != nil {
					next[i] = b.L.Or(next[i], b.L.And(now[j], c))
				}
			}
			changed = changed || next[i] != now[i]
		}
		if now = next; !changed {
			break
		}
	}
	return now, nil
}

// chooseReached is reached for many objects.
func (b *builder) chooseReached(h *heap, first []*logic.Term, from []map[int]*logic.Term) (now, closed []*logic.Term) {
	for i := range h.objs {
		v := b.newTemp(ir.Flag)
		b.hold(&value{typ: cir.Bool, t: v.Sym}) // the next one has to be another
		b.emitAtEnd(ir.HavocCmd(v, ""))
		now = append(now, b.isTrue(v))
		closed = append(closed, b.L.Implies(first[i], now[i]))
	}
	for i := range h.objs {
		for j := range h.objs {
			if c := from[i][j]; c != nil {
				closed = append(closed, b.L.Implies(b.L.And(now[j], c), now[i]))
			}
		}
	}
	b.release(len(b.held) - len(h.objs))
	return now, closed
}

// isCyclic reports whether objects may point to one another in a circle.
func isCyclic(from []map[int]*logic.Term) bool {
	state := make([]int, len(from)) // 1: being visited, 2: done
	var visit func(i int) bool
	visit = func(i int) bool {
		if state[i] != 0 {
			return state[i] == 1
		}
		state[i] = 1
		for j := range from[i] {
			if visit(j) {
				return true
			}
		}
		state[i] = 2
		return false
	}
	for i := range from {
		if visit(i) {
			return true
		}
	}
	return false
}

// pointsTo returns the condition that something in an object points to a byte of another one.
func (b *builder) pointsTo(x, o *object) *logic.Term {
	found := b.L.False()
	word := int64(b.m.PointerBits)
	for bit := int64(0); bit+word <= x.size*8; bit += word {
		if !slices.ContainsFunc(b.pts.Contents(x.abs, bit/8), func(l pointsto.Location) bool { return l.Obj == o.abs }) {
			continue
		}
		p := b.wordAt(x, bit, word)
		if p == nil {
			continue
		}
		lo, hi := b.L.Int(o.addr), b.L.Int(o.addr+max(o.size, 1))
		found = b.L.Or(found, b.L.And(b.L.Le(lo, p), b.L.Lt(p, hi)))
	}
	return found
}

// wordAt returns a word of an object as an address, nil if it holds nothing yet, or is not all there.
func (b *builder) wordAt(x *object, bit, bits int64) *logic.Term {
	covered := int64(0)
	cells := b.cellsAt(x, bit, bits)
	for _, c := range cells {
		if b.cur.undef[c] {
			return nil
		}
		covered += min(c.bit+c.bits, bit+bits) - max(c.bit, bit)
	}
	if covered < bits {
		return nil
	}
	return b.contents(x, bit, bits, cir.Access{Type: b.m.Pointer()}).t
}

package specialise

import (
	"fmt"
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// A deadlock is a reachable state with a set of threads of which each waits for what only others of the set could give, or nobody
// could. As a data race (race.go) it is asked as a condition on where threads stand: a thread that comes to a place where it would have
// to wait may stop there for good, and tell so ([waiting]). Those that tell are the set: the next one that would have to wait has found a
// deadlock if all that have told still have to, and nobody outside could make true what any of them waits for ([deadlock.stays]):
//
//   - It is given by one thread alone, which holds the lock, or is joined, and that one is in the set or has ended.
//   - Or whoever is not in the set gives nothing of it: it has ended, was not created, or runs in a loop for ever that does not (loops.go).
//
// A thread that is still under way elsewhere either comes to such a state itself, or ends the program.
//
// What a thread waits for is a condition on shared variables, and on its own, which it hands over when it tells.
// Waits on condition variables end only when they are signalled ([cir.Wakeups]).

// waiting is a place where a thread may have to wait.
type waiting struct {
	th     *thread
	at     *loc
	pos    ir.Pos
	text   string
	in     *ir.Frame
	ready  *logic.Term // what is waited for, as the thread itself sees it
	seen   *logic.Term // the same, as others do
	saved  []ir.Cmd    // what the thread hands over
	side   []ir.Cmd    // what holds here anyway
	giver  *logic.Term // the index + 1 of the thread that alone can give it, if it is one; nil: any may
	given  *logic.Term // the same, as others see it
	join   bool        // it is the end of a thread
	unsure bool        // the condition may be older than the state
	origin int
}

// waits notes a place where the current thread waits until a condition holds, which one thread alone may be able to make hold.
func (b *builder) waits(ready, giver *logic.Term, side []*logic.Term) *waiting {
	if !b.opts.Check.Deadlock || b.cur == nil || ready.IsTrue() || b.th.replicated {
		return nil
	}
	w := &waiting{th: b.th, at: b.cur.at, pos: b.irPos(), text: b.text(), in: b.standing(), ready: ready, giver: giver, side: assumes(side), origin: b.origin}
	sub := map[*logic.Term]*logic.Term{}
	vars := logic.FreeVars(ready)
	if giver != nil {
		vars = append(slices.Clone(vars), logic.FreeVars(giver)...)
	}
	for _, s := range vars {
		v := b.symbols[s]
		if v == nil || v.Thread == ir.Shared || sub[s] != nil {
			continue
		}
		w.unsure = w.unsure || b.cur.depth > 0 && b.stale[v]
		to := b.newVar(fmt.Sprintf("t%d.waits%d", b.th.index, len(b.waitings)), "", v.Type, ir.Shared)
		to.Init = &logic.Value{} // it is looked at only when it was handed over
		w.saved = append(w.saved, ir.AssignCmd(to, v.Sym))
		sub[s] = to.Sym
	}
	w.seen = b.L.Subst(ready, sub)
	if giver != nil {
		w.given = b.L.Subst(giver, sub)
	}
	b.waitings = append(b.waitings, w)
	return w
}

// mayWait notes that a function of the library, or one that is not known, may wait for good: that is no wait that is looked at.
func (b *builder) mayWait(f *cir.Func) {
	if b.opts.Check.Deadlock && b.cur != nil && !b.fr.fn.Library && (contract.MayWait(f.Source) && (f.Library || len(f.Blocks) == 0) || isUnknown(f)) {
		b.assume(fmt.Sprintf("'%s' does not wait for good", f.Source))
	}
}

// isUnknown reports whether nothing is known of what a function does.
func isUnknown(f *cir.Func) bool {
	if len(f.Blocks) > 0 || f.Library {
		return false
	}
	_, ok := contract.Lookup(f.Source)
	return !ok
}

// noteStale keeps, within an atomic section, which variables of the thread depend on shared ones: they say how things were there, and
// nothing of how they are later.
func (b *builder) noteStale(c ir.Cmd) {
	if b.cur.depth == 0 {
		b.stale, b.branched = nil, false
		return
	}
	old := false
	for _, x := range []*logic.Term{c.Cond, c.Expr} {
		if x == nil {
			continue
		}
		for _, s := range logic.FreeVars(x) {
			v := b.symbols[s]
			old = old || v != nil && (v.Thread == ir.Shared || b.stale[v])
		}
	}
	switch {
	case c.Var == nil:
		b.branched = b.branched || old
	case c.Var.Thread != ir.Shared && (old || b.branched):
		if b.stale == nil {
			b.stale = map[*ir.Var]bool{}
		}
		b.stale[c.Var] = true
	}
}

// deadlocks adds the steps by which threads tell that they wait, and the errors.
func (b *builder) deadlocks() {
	if len(b.waitings) == 0 {
		return
	}
	b.hasAsserts = true
	d := &deadlock{b: b, waitsAt: map[*thread]*ir.Var{}, code: map[*waiting]int64{}, of: map[*thread][]*waiting{}}
	for _, w := range b.waitings {
		d.of[w.th] = append(d.of[w.th], w)
		d.code[w] = 2*int64(len(d.of[w.th])) - 1
	}
	for _, t := range b.threads {
		d.waitsAt[t] = b.sharedVar(fmt.Sprintf("t%d.waiting", t.index), ir.Type{Bits: 16})
	}
	d.findLoops()
	daemons := strings.Split(b.opts.Daemons, ",")
	for _, w := range b.waitings {
		d.tell(w, slices.Contains(daemons, w.th.name))
	}
}

// deadlock is the condition for one.
type deadlock struct {
	b       *builder
	waitsAt map[*thread]*ir.Var // where a thread waits, 0 for nowhere
	code    map[*waiting]int64  // the number there, an odd one; the next one if what is waited for is the end of a thread that runs for ever
	of      map[*thread][]*waiting
	loops   map[*thread]*looping // of threads that may run for ever and leave others waiting
}

// waits returns the condition that a thread has told that it waits, or is the one that does so now.
func (d *deadlock) waits(t, teller *thread) *logic.Term {
	if t == teller {
		return d.b.L.True()
	}
	return d.b.L.Ne(d.waitsAt[t].Sym, d.b.L.Int(0))
}

// waitsWith is waits, but for those that only join a thread that runs for ever.
func (d *deadlock) waitsWith(t, teller *thread) *logic.Term {
	c := d.waits(t, teller)
	for _, v := range d.of[t] {
		if t != teller {
			c = d.b.L.And(c, d.b.L.Not(d.joins(v)))
		}
	}
	return c
}

// isAt returns the condition that a thread has told that it waits at a place.
func (d *deadlock) isAt(w *waiting) *logic.Term {
	return d.b.L.Eq(d.waitsAt[w.th].Sym, d.b.L.Int(d.code[w]))
}

// joins returns the condition that a thread has told that it joins, at a place, one that runs for ever, or joins such a one.
// It gives nothing to others, but is no part of a deadlock.
func (d *deadlock) joins(w *waiting) *logic.Term {
	if !d.parks(w) {
		return d.b.L.False()
	}
	return d.b.L.Eq(d.waitsAt[w.th].Sym, d.b.L.Int(d.code[w]+1))
}

// parks reports whether at a place a thread may be joined that runs for ever.
func (d *deadlock) parks(w *waiting) bool {
	return w.join && slices.ContainsFunc(d.b.threads, func(t *thread) bool { return d.loops[t] != nil && len(d.loops[t].endless) > 0 })
}

// runsOn returns the condition that a thread that is joined at a place runs for ever, or joins such a one.
func (d *deadlock) runsOn(w *waiting, giver *logic.Term) *logic.Term {
	L := d.b.L
	c := L.False()
	for _, t := range d.b.threads {
		on := L.False()
		if l := d.loops[t]; l != nil {
			on = l.isIn(L, l.endless)
		}
		for _, v := range d.of[t] {
			on = L.Or(on, d.joins(v))
		}
		c = L.Or(c, L.And(L.Eq(giver, L.Int(int64(t.index)+1)), on, L.Not(d.b.gone(t))))
	}
	return c
}

// ended returns the condition that a thread has ended.
func (d *deadlock) ended(t *thread) *logic.Term {
	v := t.ended
	if t.index == 0 {
		v = d.b.mainEnded()
	}
	return d.b.L.Eq(v.Sym, d.b.L.Int(1))
}

// mainEnded returns the variable that tells that main has called pthread_exit.
func (b *builder) mainEnded() *ir.Var { return b.sharedVar("ended0", ir.Flag) }

// stays returns the condition that what a place waits for never comes: the thread that alone could give it has told that it waits, or has
// ended, or is gone; or all others have, or do nothing else that gives it.
func (d *deadlock) stays(w *waiting, teller *thread) *logic.Term {
	L := d.b.L
	giver := w.given
	if w.th == teller {
		giver = w.giver
	}
	c := L.True()
	for _, t := range d.b.threads {
		if t != w.th {
			c = L.And(c, d.idle(t, w, teller))
		}
	}
	if giver == nil {
		return c
	}
	for _, t := range d.b.threads {
		gives := L.Or(d.waitsWith(t, teller), d.ended(t), d.b.gone(t), d.interrupted(t, teller))
		if d.b.onlyMain() {
			gives = L.And(gives, d.noHandler(w, teller))
		}
		c = L.Or(c, L.And(L.Eq(giver, L.Int(int64(t.index)+1)), gives))
	}
	return c
}

// interrupted returns the condition that a handler of signals interrupts a thread, and waits itself, or is interrupted by one that does.
func (d *deadlock) interrupted(t, teller *thread) *logic.Term {
	return d.interruptedBut(t, teller, nil)
}

func (d *deadlock) interruptedBut(t, teller *thread, but []*thread) *logic.Term {
	return d.b.interrupted(t, func(h *handler) *logic.Term {
		if slices.Contains(but, h.th) {
			return d.b.L.False()
		}
		return d.b.L.Or(d.waits(h.th, teller), d.interruptedBut(h.th, teller, append(slices.Clip(but), h.th)))
	})
}

// noHandler returns the condition that no handler of signals gives what a place waits for, in the name of the thread that it interrupts.
func (d *deadlock) noHandler(w *waiting, teller *thread) *logic.Term {
	c := d.b.L.True()
	for _, h := range d.b.delivering {
		if h.th != w.th {
			c = d.b.L.And(c, d.idle(h.th, w, teller))
		}
	}
	return c
}

// idle returns the condition that a thread never gives what a place waits for, as things are: it waits, has ended, is created by none but
// idle ones, or runs in a loop for ever that does not.
func (d *deadlock) idle(t *thread, w *waiting, teller *thread) *logic.Term {
	L := d.b.L
	c := L.Or(d.waits(t, teller), d.ended(t), d.b.gone(t), d.loopsIdly(t, w), d.interrupted(t, teller))
	if t.index > 0 {
		c = L.Or(c, L.And(L.Eq(t.created.Sym, L.Int(0)), d.idle(d.b.threads[t.parent], w, teller)))
	}
	return c
}

// tell adds the steps of a thread that would have to wait: it finds a deadlock, or tells.
func (d *deadlock) tell(w *waiting, daemon bool) {
	b := d.b
	b.th = w.th
	stuck := ir.AssumeCmd(b.L.Not(w.ready))
	mid := w.th.newLoc(w.pos)
	mid.atomic = true
	edge := func(from, to *loc, text string, cmds ...ir.Cmd) *edge {
		from.outs++
		e := &edge{from: from, to: to, cmds: cmds, thread: -1, pos: w.pos, text: text, origin: w.origin}
		w.th.edges = append(w.th.edges, e)
		return e
	}
	edge(w.at, mid, "", w.side...)
	stop := w.th.newLoc(w.pos)
	stop.dead = true
	tells := edge(mid, stop, WaitsIn+w.text, append([]ir.Cmd{stuck, ir.AssignCmd(d.waitsAt[w.th], b.L.Int(d.code[w]))}, w.saved...)...)
	tells.tells = &ir.Place{Pos: w.pos, Text: w.text, In: w.in}
	if d.parks(w) {
		stop := w.th.newLoc(w.pos)
		stop.dead = true
		tells := edge(mid, stop, WaitsIn+w.text, append([]ir.Cmd{stuck, ir.AssignCmd(d.waitsAt[w.th], b.L.Int(d.code[w]+1))}, w.saved...)...)
		tells.tells = &ir.Place{Pos: w.pos, Text: w.text, In: w.in}
	}
	if daemon || b.isKnownError(Deadlock, w.pos) {
		return
	}
	bad := d.stays(w, w.th)
	for _, v := range b.waitings {
		if v.th != w.th {
			bad = b.L.And(bad, b.L.Implies(d.isAt(v), b.L.And(b.L.Not(v.seen), d.stays(v, w.th))))
		}
		if v.th != w.th && d.parks(v) {
			bad = b.L.And(bad, b.L.Implies(d.joins(v), b.L.And(b.L.Not(v.seen), d.runsOn(v, v.given))))
		}
	}
	if bad.IsFalse() {
		return
	}
	to := w.th.newLoc(w.pos)
	to.atomic, to.err, to.check, to.text, to.frame = true, true, Deadlock, DeadlockIn+w.text, w.in
	e := edge(mid, to, to.text, stuck, ir.AssumeCmd(bad))
	if w.unsure || slices.ContainsFunc(b.waitings, func(v *waiting) bool { return v.unsure }) {
		e.approx = "what is waited for"
	}
}

// waitsFor notes that the current thread waits for a value to become true, which one thread alone may be able to give.
func (b *builder) waitsFor(v, giver *value) {
	c := b.L.IntToBool(v.t)
	if giver != nil {
		b.waits(c, giver.t, slices.Concat(v.side, giver.side))
	} else if id := b.endOf[c]; id != nil {
		if w := b.waits(c, b.L.Add(id, b.L.Int(1)), v.side); w != nil {
			w.join = true
		}
	} else {
		b.waits(c, nil, v.side)
	}
}

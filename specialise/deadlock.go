package specialise

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// A deadlock is a reachable state in which some thread waits, and it and all that might let it go on wait for one another, or have ended.
// As a data race (race.go) it is asked as a condition on where threads stand: a thread that comes to a place where it would have to wait may
// stop there for good, and tell so ([waiting]). The next one that would have to wait has found a deadlock if all other threads have
// ended, were never created, or have told that they wait and still have to; or if the holder of the lock that it waits for, or the thread
// that it joins, waits for a third one, and so on around, or has ended with the lock.
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
	ready  *logic.Term                 // what is waited for, as the thread itself sees it
	seen   *logic.Term                 // the same, as others do
	saved  []ir.Cmd                    // what the thread hands over
	handed map[*logic.Term]*logic.Term // the variables of its own by those that it hands over
	side   []ir.Cmd                    // what holds here anyway
	lock   *ir.Var                     // the lock that is waited for, if it is one
	held   *logic.Term                 // its value, as others see it
	joined *thread                     // the thread whose end is waited for, if it is one
	unsure bool                        // the condition may be older than the state
	origin int
}

// waits notes a place where the current thread waits until a condition holds.
func (b *builder) waits(ready *logic.Term, side []*logic.Term) *waiting {
	if !b.opts.Check.Deadlock || b.cur == nil || ready.IsTrue() || b.th.replicated {
		return nil
	}
	w := &waiting{th: b.th, at: b.cur.at, pos: b.irPos(), text: b.text(), in: b.standing(), ready: ready, side: assumes(side), origin: b.origin}
	sub := map[*logic.Term]*logic.Term{}
	for _, s := range logic.FreeVars(ready) {
		v := b.symbols[s]
		if v == nil || v.Thread == ir.Shared {
			continue
		}
		w.unsure = w.unsure || b.cur.depth > 0 && b.stale[v]
		to := b.newVar(fmt.Sprintf("t%d.waits%d", b.th.index, len(b.waitings)), "", v.Type, ir.Shared)
		to.Init = v.Init
		w.saved = append(w.saved, ir.AssignCmd(to, v.Sym))
		sub[s] = to.Sym
	}
	w.seen, w.handed = b.L.Subst(ready, sub), sub
	b.waitings = append(b.waitings, w)
	return w
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
	d := &deadlock{b: b, told: map[*thread]*ir.Var{}, code: map[*waiting]int64{}, of: map[*thread][]*waiting{}}
	for _, w := range b.waitings {
		d.of[w.th] = append(d.of[w.th], w)
		d.code[w] = int64(len(d.of[w.th]))
	}
	for _, t := range b.threads {
		d.told[t] = b.sharedVar(fmt.Sprintf("t%d.waiting", t.index), ir.Type{Bits: 16})
	}
	done := make([]*logic.Term, len(b.threads))
	for i, t := range b.threads {
		done[i] = d.done(t)
	}
	daemons := strings.Split(b.opts.Daemons, ",")
	for _, w := range b.waitings {
		d.tell(w, done, slices.Contains(daemons, w.th.name))
	}
}

// deadlock is the condition for one.
type deadlock struct {
	b    *builder
	told map[*thread]*ir.Var // where a thread waits, 0 for nowhere
	code map[*waiting]int64
	of   map[*thread][]*waiting
}

// is returns the condition that a thread has told that it waits at a place.
func (d *deadlock) is(w *waiting) *logic.Term {
	return d.b.L.Eq(d.told[w.th].Sym, d.b.L.Int(d.code[w]))
}

// done returns the condition that a thread lets nobody go on as things are: it was not created, has ended, or waits.
func (d *deadlock) done(t *thread) *logic.Term {
	L := d.b.L
	c := d.ended(t)
	if t.created != nil {
		c = L.Or(c, L.Eq(t.created.Sym, L.Int(0)))
	}
	for _, w := range d.of[t] {
		c = L.Or(c, L.And(d.is(w), L.Not(w.seen)))
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

// holds returns the condition that a thread holds what another one waits for, which may be the one that asks.
func (d *deadlock) holds(t *thread, w *waiting, own bool) *logic.Term {
	L := d.b.L
	switch {
	case w.lock != nil:
		owner := w.held
		if own {
			owner = w.lock.Sym
		}
		return L.Eq(owner, L.Int(int64(t.index)+1))
	case w.joined == t:
		return L.True()
	}
	return L.False()
}

// maxCircle bounds the threads of a circle that is looked for while others may run.
const maxCircle = 4

// circle returns the condition that what a place waits for is held by a thread that waits itself, around to one
// of the path, or that has ended.
func (d *deadlock) circle(w *waiting, path []*thread) *logic.Term {
	L := d.b.L
	found := L.False()
	for _, t := range d.b.threads {
		held := d.holds(t, w, len(path) == 1)
		if held.IsFalse() {
			continue
		}
		if slices.Contains(path, t) {
			found = L.Or(found, held)
			continue
		}
		next := L.False()
		if w.lock != nil {
			next = d.ended(t)
		}
		if len(path) < maxCircle {
			for _, u := range d.of[t] {
				if on := d.circle(u, append(slices.Clip(path), t)); !on.IsFalse() {
					next = L.Or(next, L.And(d.is(u), on))
				}
			}
		}
		found = L.Or(found, L.And(held, next))
	}
	return found
}

// tell adds the steps of a thread that would have to wait: it finds a deadlock, or tells.
func (d *deadlock) tell(w *waiting, done []*logic.Term, daemon bool) {
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
	tells := edge(mid, stop, WaitsIn+w.text, append([]ir.Cmd{stuck, ir.AssignCmd(d.told[w.th], b.L.Int(d.code[w]))}, w.saved...)...)
	tells.tells = &ir.Place{Pos: w.pos, Text: w.text, In: w.in}
	if daemon || b.isKnownError(Deadlock, w.pos) {
		return
	}
	all := b.L.True()
	for i, t := range b.threads {
		if t != w.th {
			all = b.L.And(all, done[i])
		}
	}
	bad := b.L.Or(all, d.circle(w, []*thread{w.th}))
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

// waitsForLock notes that the current thread waits for a lock, which is one variable if m is not nil.
func (b *builder) waitsForLock(cond *logic.Term, m *ir.Var, side []*logic.Term) {
	if w := b.waits(cond, side); w != nil {
		if w.lock = m; m != nil {
			w.held = b.L.Subst(m.Sym, w.handed)
		}
	}
}

// waitsFor notes that the current thread waits for a value to become true.
func (b *builder) waitsFor(v *value, in *cir.Intrinsic) {
	c := b.L.IntToBool(v.t)
	w := b.waits(c, v.side)
	if w == nil {
		return
	}
	for _, t := range b.threads {
		if t.ended != nil && c == b.L.Eq(t.ended.Sym, b.L.Int(1)) {
			w.joined = t
		}
	}
}

package specialise

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// A handler of signals has a thread for itself in the models of the library, and interrupts another thread ([cir.Interrupt]): any that is there, or a handler that runs. A variable
// of the handler's thread has the number of that thread plus 1 until the handler ends, or 0. All steps of the interrupted thread that others could notice wait for that; its other steps are as
// well taken before. So the handler comes between two steps of that thread, and runs to its end before it goes on.
//
// In a program without other threads the handler interrupts main, whose identity it has: the variables that are its own, and its id, as which it takes locks. With more
// threads the locks are those of the handler's thread, and the models look up which thread it interrupts.
//
// Nobody knows that thread where threads stand for many, or a handler may be left by a jump: then the handler runs beside all others, as an approximation.

// handler is a thread in which handlers of a signal run.
type handler struct {
	th     *thread
	victim *ir.Var // the index + 1 of the thread that is interrupted, 0: no handler runs
	root   *ir.Var // the same, or of the one that is interrupted by that if it is a handler, and so on
	begins []beginning
}

// beginning is the step with which a handler begins.
type beginning struct {
	e     *edge
	again *logic.Term // it may interrupt itself
}

// delivers reports whether a thread is there for the handlers of a signal.
func (t *thread) delivers() bool { return t.fn.Library && t.fn.Source == "deliver" }

// handled is what the handler has called that is taken apart: functions that take locks, and that give them back.
type handled struct{ locks, unlocks int }

// handling is what handlers of signals depend on in a program.
type handling struct {
	some    bool // there are handlers
	jumps   bool // a handler may be left by a jump, or a thread is the only one after a fork
	threads bool // there are other threads than those of handlers
	cancels bool // threads may be cancelled
}

// handles looks at what a program has.
func (b *builder) handles() handling {
	if b.handling != nil {
		return *b.handling
	}
	h := handling{}
	for _, f := range b.cp.Funcs {
		h.cancels = h.cancels || f.Library && f.Source == "pthread_cancel"
		for _, blk := range f.Blocks {
			for _, in := range blk.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok {
					h.some = h.some || i.Op == cir.Interrupt
					h.jumps = h.jumps || i.Op == cir.Longjmp || i.Op == cir.ThreadAlone
					h.threads = h.threads || i.Op == cir.ThreadCreate && !(f.Library && f.Source == "install")
				}
			}
		}
	}
	b.handling = &h
	return h
}

// interruptsKnown reports whether there are handlers of signals, and it is known which threads they interrupt.
func (b *builder) interruptsKnown() bool {
	if b.opts.Parametric || b.opts.Check.Leak || b.opts.Check.Race && b.facts.weak {
		return false
	}
	h := b.handles()
	return h.some && !h.jumps
}

// onlyMain reports whether handlers of signals can interrupt nobody but main, and one another.
func (b *builder) onlyMain() bool { return b.interruptsKnown() && !b.handles().threads }

// identity returns the index of the thread that the current one is for the program.
func (b *builder) identity() int {
	if b.th.delivers() && b.onlyMain() {
		return 0
	}
	return b.th.index
}

// handlerOf returns what is known of a thread in which handlers run.
func (b *builder) handlerOf(t *thread) *handler {
	for _, h := range b.delivering {
		if h.th == t {
			return h
		}
	}
	number := ir.Type{Bits: 16}
	h := &handler{th: t, victim: b.sharedVar(fmt.Sprintf("interrupted%d", t.index), number), root: b.sharedVar(fmt.Sprintf("interrupts_in%d", t.index), number)}
	b.delivering = append(b.delivering, h)
	return h
}

// interrupt begins a handler. Which threads there are is known in the end ([builder.chooseVictims]).
func (b *builder) interrupt(in *cir.Intrinsic, again *value) {
	b.handled.locks, b.handled.unlocks = 0, 0
	if !b.th.delivers() || !b.interruptsKnown() {
		b.set(in.Dst, b.constVal(in.Dst.Type, -1))
		return
	}
	again = b.steady(again)
	mark := b.hold(again)
	b.settle(true)
	again = b.held[mark]
	b.release(mark)
	h := b.handlerOf(b.th)
	b.cur.depth++
	b.emit(b.text(), assumes(again.side)...)
	h.begins = append(h.begins, beginning{b.emit("", ir.AssignCmd(h.victim, b.L.Int(0))), b.L.Ne(again.t, b.L.Int(0))})
	b.leaveAtomic()
	if b.onlyMain() {
		b.set(in.Dst, b.constVal(in.Dst.Type, 0))
		return
	}
	b.set(in.Dst, b.constVal(in.Dst.Type, 1))
}

// interrupts gives the index + 1 of the thread that the handler interrupts which runs in the current one.
func (b *builder) interrupts(in *cir.Intrinsic) {
	h := b.runningHandler()
	if h == nil {
		b.set(in.Dst, b.constVal(in.Dst.Type, -1))
		return
	}
	b.settle(true)
	who := b.newTemp(h.root.Type)
	b.emit("", ir.AssignCmd(who, h.root.Sym))
	b.set(in.Dst, b.convert(&value{typ: cir.U16, t: who.Sym}, in.Dst.Type))
}

// locksInHandler notes that a handler calls a function of the library that takes or gives back a lock. Locks are those of the handler's thread where there are other threads: one that the
// interrupted thread has taken and the handler gives back, or the other way round, is not followed.
func (b *builder) locksInHandler(f *cir.Func) {
	h := &b.handled
	if !b.th.delivers() || !f.Library || b.onlyMain() {
		return
	}
	if b.handles().cancels && b.fr.fn != nil && !b.fr.fn.Library {
		b.bounded(fmt.Sprintf("a handler of signals that acts on a cancellation of the thread it interrupts, at %s, ends it, which is not followed", b.pos()))
	}
	switch of, does, _ := strings.Cut(strings.TrimPrefix(f.Source, "pthread_"), "_"); {
	case of != "mutex" && of != "rwlock" && of != "spin" && of != "mtx":
	case does == "unlock":
		if h.unlocks++; h.locks == 0 {
			b.bounded(fmt.Sprintf("the handler of signals at %s gives back a lock that it has not taken", b.pos()))
		}
	case strings.HasSuffix(does, "lock"):
		h.locks++
	}
}

// loopInHandler notes a loop of a handler, where deadlocks are asked about: it may go on for ever, while the thread that is interrupted has what others wait for.
func (b *builder) loopInHandler() {
	if b.th.delivers() && !b.fr.fn.Library && b.opts.Check.Deadlock {
		b.bounded(fmt.Sprintf("the loop of a handler of signals at %s ends", b.pos()))
	}
}

// resume ends a handler, if one runs.
func (b *builder) resume() {
	if b.handled.locks > 0 && b.handled.unlocks == 0 {
		b.bounded("a handler of signals keeps a lock, which is the interrupted thread's then")
	}
	if h := b.runningHandler(); h != nil {
		b.settle(true)
		b.cur.depth++
		b.emit("", ir.AssignCmd(h.root, b.L.Int(0)))
		b.emit(b.text(), ir.AssignCmd(h.victim, b.L.Int(0)))
		b.leaveAtomic()
	}
}

// runningHandler returns the handler that runs in the current thread, nil if there is none of which it is known whom it interrupts.
func (b *builder) runningHandler() *handler {
	i := slices.IndexFunc(b.delivering, func(h *handler) bool { return h.th == b.th && len(h.begins) > 0 })
	if i < 0 {
		return nil
	}
	return b.delivering[i]
}

// standsWho returns the variable that tells who stands before an access, for data races: the index + 1 of the thread, or, negative, of that which a handler interrupts.
func (b *builder) standsWho() *ir.Var {
	return b.sharedVar("stands_who", ir.Type{Bits: 32, Signed: true})
}

// whoStands returns what the current thread tells there.
func (b *builder) whoStands() *logic.Term {
	if h := b.runningHandler(); h != nil {
		return b.L.Sub(b.L.Int(0), h.root.Sym)
	}
	return b.L.Int(int64(b.th.index) + 1)
}

// meetInHandler makes it an error that another thread stands before an access that a handler is about to make. What the handler interrupts is ordered with it. Two handlers
// in different threads are no more than a suspicion: a program that says in which threads its handlers run does so in ways that are not followed.
func (b *builder) meetInHandler(h *handler, race *logic.Term, ok []*logic.Term) {
	who, zero := b.standsWho().Sym, b.L.Int(0)
	b.errorIf(Race, RaceAt+b.text(), b.L.And(race, b.L.Lt(zero, who), b.L.Ne(who, h.root.Sym)), ok)
	at := len(b.th.edges)
	b.errorIf(Race, RaceAt+b.text(), b.L.And(race, b.L.Lt(who, zero), b.L.Ne(who, b.L.Sub(zero, h.root.Sym))), ok)
	for _, e := range b.th.edges[at:] {
		e.approx = "handlers of signals in two threads"
	}
}

// endHandler lets the thread go on that is interrupted where the handler's thread ends in the handler, by pthread_exit: the interrupted thread should end.
func (b *builder) endHandler() {
	if b.th.delivers() && b.fr.parent != nil {
		b.bounded(fmt.Sprintf("the thread that a handler of signals interrupts goes on where the handler ends it at %s", b.pos()))
	}
	if h := b.runningHandler(); h != nil && b.fr.parent != nil {
		b.emit("", ir.AssignCmd(h.victim, b.L.Int(0))).approx = "a signal handler runs as a thread"
	}
}

// interrupted returns the condition that a thread is interrupted by a handler for which a condition holds.
func (b *builder) interrupted(t *thread, by func(h *handler) *logic.Term) *logic.Term {
	c := b.L.False()
	for _, h := range b.delivering {
		if h.th != t && len(h.begins) > 0 {
			c = b.L.Or(c, b.L.And(b.L.Eq(h.victim.Sym, b.L.Int(int64(t.index)+1)), by(h)))
		}
	}
	return c
}

// chooseVictims completes the steps with which handlers begin: each interrupts a thread that has been created and has not ended, or a handler that runs.
func (b *builder) chooseVictims() {
	for _, h := range b.delivering {
		for _, x := range h.begins {
			for _, t := range b.threads {
				if t != h.th && !(t.delivers() && x.again.IsFalse() && !otherSignal(t, h.th)) {
					x.e.from.outs++
					h.th.edges = append(h.th.edges, b.chooseVictim(h, t, x))
				}
			}
			x.e.cmds = []ir.Cmd{ir.AssumeCmd(b.L.False())}
		}
	}
}

// chooseVictim returns a step by which a handler interrupts a thread. That this one runs the handler of the same signal is possible only if that does not hold the signal back.
func (b *builder) chooseVictim(h *handler, t *thread, x beginning) *edge {
	id := b.L.Int(int64(t.index) + 1)
	root := id
	if t.delivers() {
		root = b.handlerOf(t).root.Sym
	}
	runs := b.L.False()
	for _, g := range b.delivering {
		if g != h && !otherSignal(g.th, h.th) {
			runs = b.L.Or(runs, b.L.And(b.L.Ne(g.victim.Sym, b.L.Int(0)), b.L.Eq(g.root.Sym, root)))
		}
	}
	e := *x.e
	e.cmds = []ir.Cmd{ir.AssumeCmd(b.isThere(t, h)), ir.AssumeCmd(b.L.Or(x.again, b.L.Not(runs))), ir.AssignCmd(h.victim, id), ir.AssignCmd(h.root, root)}
	for i := range e.cmds {
		e.cmds[i].Origin = e.origin
	}
	return &e
}

// otherSignal reports whether two threads are there for different signals.
func otherSignal(t, u *thread) bool {
	if len(t.args) == 0 || len(u.args) == 0 || t.args[0] == nil || u.args[0] == nil {
		return false
	}
	x, known := t.args[0].constant()
	y, also := u.args[0].constant()
	return known && also && x.Cmp(y) != 0
}

// isThere returns the condition that a thread may be interrupted by a handler: it runs, and is not interrupted by another one.
func (b *builder) isThere(t *thread, by *handler) *logic.Term {
	c := b.L.Not(b.interrupted(t, func(h *handler) *logic.Term { return b.L.Bool(h != by) }))
	switch {
	case t.delivers():
		return b.L.And(c, b.L.Ne(b.handlerOf(t).victim.Sym, b.L.Int(0)))
	case t.index == 0:
		return b.L.And(c, b.L.Eq(b.mainEnded().Sym, b.L.Int(0)))
	}
	t.joined = true
	return b.L.And(c, b.L.Eq(t.created.Sym, b.L.Int(1)), b.L.Eq(t.ended.Sym, b.L.Int(0)))
}

// waitForHandlers lets threads take the steps only that nobody can notice while a handler interrupts them. It reports whether there are handlers.
func (b *builder) waitForHandlers() bool {
	if len(b.delivering) == 0 {
		return false
	}
	before := len(b.delivering)
	if b.delivering = slices.DeleteFunc(b.delivering, b.doesNothing); len(b.delivering) < before {
		b.clean() // no step of an atomic section is left without any effect
	}
	for _, t := range b.threads {
		b.stopWhile(t, b.interrupted(t, func(*handler) *logic.Term { return b.L.True() }))
	}
	return true
}

// doesNothing reports whether a handler does nothing that others could notice. Then it interrupts nobody.
func (b *builder) doesNothing(h *handler) bool {
	assigns := func(e *edge) bool {
		return slices.ContainsFunc(e.cmds, func(c ir.Cmd) bool { return c.Var == h.victim || c.Var == h.root })
	}
	outs := h.th.outgoing()
	var todo []*loc
	for _, e := range h.th.edges {
		if assigns(e) {
			todo = append(todo, e.to) // what follows its end is looked at, too, up to where it may begin
		}
	}
	seen := map[*loc]bool{}
	for len(todo) > 0 {
		l := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; seen[l] {
			continue
		}
		seen[l] = true
		for _, e := range outs[l] {
			if assigns(e) || e.kind == ir.End {
				continue
			}
			if e.to.err || e.to.dead || b.sharedLocations(e.cmds) > 0 {
				return false
			}
			todo = append(todo, e.to)
		}
	}
	for _, e := range h.th.edges {
		if assigns(e) {
			e.cmds = nil
		}
	}
	return true
}

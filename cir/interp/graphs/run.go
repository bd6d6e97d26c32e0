package graphs

import (
	"context"
	"fmt"
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/memory"
)

// run is the scheduler of a run, its observer, and what decides which writes are read. First it performs the events of a graph, each behind those that it reads from. Then the graph grows.
type run struct {
	x       *Explorer // nil: the graph does not grow
	g       *graph
	done    []bool // which events were performed
	number  []int  // of a write that was: the number among those of its object
	left    int    // how many events of the graph were not performed yet
	writes  map[uint64]int
	sizes   map[uint64]uint64 // of the objects that atomic accesses were of, by their places
	threads []*threadState
	event   int // that is performed now
	running int // the thread whose turn it is
	refused int // how often a thread had to come again since the last event
	cut     bool
	// performs says that an access is performed; perhaps is why the run is to be given up, unless the graph turns out not to be consistent.
	performs bool
	perhaps  string
	over     bool // nothing more is to happen
	stuck    int  // how many threads are blocked
	ended    int
	why      string
	goesOn   bool       // where an assertion fails
	guide    *following // nil: nobody says what it does
	numbers  bool       // inputs of more than one bit are events
	seen     struct{ inputs, choices, unsupported bool }
	// What its explorer learns at its end: graphs that are to be visited later, and places of locks.
	todo          []*graph
	passed, tried []uint64
}

// threadState is what is known of a thread in a run.
type threadState struct {
	at     int   // how many of its events were performed
	behind []int // what synchronises with its next event
	end    int   // 1 + the event that is its end; 0: nobody has seen it
	parked bool  // it stands before an event that is none of the graph's
}

func newRun(x *Explorer, g *graph) *run {
	r := &run{x: x, g: g, done: make([]bool, len(g.Events)), number: make([]int, len(g.Events)), writes: map[uint64]int{}, sizes: map[uint64]uint64{}}
	if x != nil {
		r.guide = newFollowing(x.opt.Guide)
		r.numbers = r.guide != nil
	}
	for i := range g.Events {
		r.numbers = r.numbers || g.Events[i].Kind == memory.Other && g.Events[i].Loc == aNumber
		if g.Events[i].Thread < 0 {
			r.done[i] = true
		} else {
			r.left++
		}
	}
	return r
}

// make makes the run.
func (r *run) make(ctx context.Context, p *cir.Program, options func(input func(string, cir.Type) (lo, hi uint64)) interp.Options, code *interp.Code) (*interp.Result, error) {
	opt := options(r.input)
	opt.Races, opt.Abrupt, opt.Scheduler, opt.Nondet, opt.Observer, opt.Atomics, opt.Code = true, true, r, r.input, r, r, code
	res, err := interp.Run(ctx, p, opt)
	return res, err
}

// unsupported ends the run because of what graphs are not made for.
func (r *run) unsupported(why string) {
	r.seen.unsupported = true
	r.giveUp(why)
}

// giveUp ends the run.
func (r *run) giveUp(why string) {
	if r.over = true; r.why == "" {
		r.why = why
	}
}

const notTheSame = "the program does not do the same once more"

// of returns what is known of a thread.
func (r *run) of(thread int) *threadState {
	for len(r.threads) <= thread {
		r.threads = append(r.threads, &threadState{})
	}
	return r.threads[thread]
}

// turnSteps is how many steps a turn has; an event ends it before.
const turnSteps = 1 << 16

// Next implements [interp.Scheduler]. The first thread comes last, as the end of the program is where it ends.
func (r *run) Next(ready []int, _ int) (int, int64) {
	order := slices.Clone(ready)
	if r.x != nil && r.x.opt.Last {
		slices.Reverse(order)
	}
	if i := slices.Index(order, 0); i >= 0 {
		order = append(slices.Delete(order, i, i+1), 0)
	}
	if r.left == 0 && r.x != nil {
		if x := r.x.opt.Random; x != nil {
			return ready[x.IntN(len(ready))], 1 + x.Int64N(turnSteps)
		}
		if r.guide != nil {
			return r.nextGuided(order), turnSteps
		}
		return order[0], turnSteps
	}
	for _, t := range order {
		if e, there := r.next(t); there && (r.g.RF[e] < 0 || r.done[r.g.RF[e]]) {
			return t, turnSteps
		}
	}
	for _, t := range order {
		if _, there := r.next(t); !there && !r.of(t).parked {
			return t, turnSteps
		}
	}
	if r.left > 0 {
		r.giveUp(notTheSame)
	}
	r.over = true
	return order[0], turnSteps
}

// next returns the next event of the graph that a thread performs.
func (r *run) next(thread int) (event int, there bool) {
	if at := r.of(thread).at; thread < len(r.g.threads) && at < len(r.g.threads[thread]) {
		return r.g.threads[thread][at], true
	}
	return 0, false
}

// Turn implements [interp.Observer].
func (r *run) Turn(thread int) bool {
	r.running = thread
	return !r.over && !r.cut
}

// Over implements [interp.Observer].
func (r *run) Over() {}

// Comes implements [interp.Atomics].
func (r *run) Comes(a *interp.Atomic) (write int, now bool) {
	if a.Kind != interp.AtomicFence {
		r.sizes[a.Place] = uint64(a.Size)
	}
	write, now = r.comes(a)
	r.performs = now
	return write, now
}

func (r *run) comes(a *interp.Atomic) (write int, now bool) {
	t := r.of(a.Thread)
	if r.over || r.cut || !r.begins(a.Thread) {
		return 0, false
	}
	if e, there := r.next(a.Thread); there {
		if !r.matches(e, a) {
			r.giveUp(notTheSame)
			return 0, false
		}
		from := r.g.RF[e]
		if from >= 0 && !r.done[from] {
			return 0, r.refuse()
		}
		r.g.made[e].site = a.Site
		a.Fails = a.Weak && (r.g.made[e].fails || r.x == nil && !r.g.Events[e].Exclusive)
		if r.event = e; from >= 0 {
			return r.number[from], true
		}
		return 0, true
	}
	if r.left > 0 || r.x == nil {
		t.parked = true
		return 0, r.refuse()
	}
	if len(r.g.Events) > r.x.opt.Events && r.x.chooses() {
		r.over = true
		return 0, false
	}
	if len(r.g.Events) > r.x.opt.Events {
		r.giveUp("a run has too many events")
		return 0, false
	}
	if a.Kind == interp.AtomicExchange { // the library only reads locks besides where it would be an error if they were held
		r.tried = append(r.tried, a.Place)
	}
	if r.guide != nil && r.guide.waits(a) {
		if t.parked = true; r.refused <= len(r.threads) {
			return 0, r.refuse()
		}
		r.guide.lost = true // nobody else goes on
	}
	r.extend(a)
	if r.guide != nil {
		r.guide.comes(a.Thread, r.event)
		a.Fails = a.Weak && r.guide.now != nil && !r.guide.now.Exclusive
		r.g.made[r.event].fails = a.Fails
	}
	if from := r.g.RF[r.event]; from >= 0 {
		return r.number[from], true
	}
	return 0, true
}

// matches reports whether an event is of an access.
func (r *run) matches(e int, a *interp.Atomic) bool {
	x := &r.g.Events[e]
	if want := kindOf(a.Kind); x.Kind != want || x.Volatile != a.Volatile || want != memory.Fence && x.Loc != a.Place {
		return false
	}
	fails := mayFail(a)
	return x.Full == (fails && !a.Looks) && (x.Order == a.Order || fails && !x.Exclusive && (x.Order == a.Failure || r.x != nil && x.Order == undecided(a.Order, a.Failure)))
}

// mayFail reports whether an access may be no more than a read.
func mayFail(a *interp.Atomic) bool {
	return a.Kind == interp.AtomicExchange || a.Kind == interp.AtomicLock
}

// kindOf returns the kind of the first event of an access.
func kindOf(k interp.AtomicKind) memory.Kind {
	switch k {
	case interp.AtomicStore, interp.AtomicUnlock:
		return memory.Write
	case interp.AtomicFence:
		return memory.Fence
	}
	return memory.Read
}

// orders performs an event of a thread that only orders what it does: behind others.
func (r *run) orders(thread int, behind ...int) (event int) {
	e, there := r.next(thread)
	if !there {
		if r.x == nil { // behind the end of the graph
			return -1
		}
		e = r.enter(memory.Event{Thread: thread, Kind: memory.Other}, made{}, behind...)
	}
	if x := &r.g.Events[e]; x.Kind != memory.Other || x.Loc != 0 {
		r.giveUp(notTheSame)
		return -1
	}
	for _, b := range behind {
		if !slices.Contains(r.g.Sync, [2]int{b, e}) {
			r.giveUp("the graph lacks what synchronises")
		}
	}
	r.performed(e)
	return e
}

// begins performs the event that comes before an access if something else synchronises with it. It reports whether the thread goes on.
func (r *run) begins(thread int) bool {
	if t := r.of(thread); len(t.behind) > 0 {
		behind := t.behind
		t.behind = nil
		r.orders(thread, behind...)
	}
	return !r.over
}

// refuse has a thread come again.
func (r *run) refuse() bool {
	if r.refused++; r.refused > 2*len(r.threads)+2 {
		if r.over = true; r.left > 0 {
			r.giveUp(notTheSame)
		}
	}
	return false
}

// undecided returns the order of the read of an exchange of which it is not known yet whether it fails: what a read has of both orders. So a graph that is not consistent with it is none with either.
func undecided(order, failure cir.Order) cir.Order {
	switch order {
	case cir.Release:
		order = cir.Relaxed
	case cir.AcqRel:
		order = cir.Acquire
	}
	return min(order, failure)
}

// enter adds an event that was not there.
func (r *run) enter(e memory.Event, m made, behind ...int) int {
	i := r.g.add(e, m, behind)
	r.done, r.number = append(r.done, false), append(r.number, 0)
	r.left++
	return i
}

// extend adds the event of an access. The run goes on with one of the graphs that there are; the others are visited later.
func (r *run) extend(a *interp.Atomic) {
	g := r.g
	if a.Kind != interp.AtomicFence {
		if _, ok := g.first[a.Place]; !ok {
			g.locate(a.Place, a.Object)
			g.Events[g.first[a.Place]].Racy = r.Racy(a.Place)
			r.done, r.number = append(r.done, true), append(r.number, 0)
		}
	}
	e := memory.Event{Thread: a.Thread, Kind: kindOf(a.Kind), Loc: a.Place, Order: a.Order, Volatile: a.Volatile}
	switch a.Kind {
	case interp.AtomicUpdate:
		e.Exclusive = true
	case interp.AtomicExchange, interp.AtomicLock:
		e.Order, e.Full = undecided(a.Order, a.Failure), !a.Looks
	}
	r.event = r.enter(e, made{kind: a.Kind, order: a.Order, failure: a.Failure, site: a.Site, object: a.Object})
	switch e.Kind {
	case memory.Read:
		r.reads()
	case memory.Write:
		switch {
		case r.x.opt.Random != nil:
			r.somewhere()
			return
		case r.guide != nil:
			r.writesGuided()
			return
		}
		r.revisits(r.event)
		for at := g.known(r.event) + 1; at < len(g.MO[a.Place]); at++ {
			g.put(r.event, at)
			if g.Consistent(r.x.opt.Model) {
				r.todo = append(r.todo, g.clone())
			}
			g.take(r.event)
		}
		g.put(r.event, len(g.MO[a.Place]))
	}
}

// reads has the event read each write that it may, the newest one in this run.
func (r *run) reads() {
	g, e := r.g, r.event
	writes := g.MO[g.Events[e].Loc]
	switch x := r.x.opt.Random; {
	case x != nil:
		r.readsAny(x)
		return
	case r.guide != nil:
		r.readsGuided()
		return
	}
	for _, w := range writes[min(g.known(e), len(writes)-1) : len(writes)-1] {
		if g.RF[e] = w; g.Consistent(r.x.opt.Model) {
			r.todo = append(r.todo, g.clone())
		}
	}
	g.RF[e] = writes[len(writes)-1]
}

// revisits has the graphs visited in which another read reads a new write.
func (r *run) revisits(w int) {
	r.g.revisit(w, func(c *graph, w int) {
		list := c.MO[c.Events[w].Loc]
		from, to := 1, len(list)
		if c.Events[w].Exclusive {
			own := c.threads[c.Events[w].Thread]
			from = slices.Index(list, c.RF[own[len(own)-2]]) + 1
			to = from
		}
		for at := from; at <= to; at++ {
			d := c.clone()
			d.put(w, at)
			r.visit(d)
		}
	})
}

// visit has a graph visited later, if it is consistent.
func (r *run) visit(g *graph) {
	if !r.x.chooses() && g.Consistent(r.x.opt.Model) {
		r.todo = append(r.todo, g)
	}
}

// Did implements [interp.Atomics].
func (r *run) Did(a *interp.Atomic, f interp.Effect) {
	r.performs = false
	defer func() {
		if r.perhaps != "" && !r.cut {
			r.unsupported(r.perhaps)
		}
	}()
	e := r.event
	switch g := r.g; g.Events[e].Kind {
	case memory.Read:
		g.Events[e].Value = f.Read
		if from := g.RF[e]; from >= 0 && g.Events[from].Thread < 0 {
			g.Events[from].Value = f.Read
		}
	case memory.Write:
		g.Events[e].Value = f.Written
		r.written(e)
	}
	r.performed(e)
	if r.g.Events[e].Kind == memory.Read && a.Kind != interp.AtomicLoad {
		r.second(a, f, e)
	}
}

// written counts a write.
func (r *run) written(e int) {
	loc := r.g.Events[e].Loc
	r.writes[loc]++
	r.number[e] = r.writes[loc]
}

// performed notes that an event was.
func (r *run) performed(e int) {
	t := r.of(r.g.Events[e].Thread)
	t.at++
	t.parked = false
	if r.guide != nil {
		for _, other := range r.threads {
			other.parked = false
		}
	}
	r.done[e] = true
	r.left--
	r.refused = 0
}

// second is the write of a read-modify-write.
func (r *run) second(a *interp.Atomic, f interp.Effect, read int) {
	g := r.g
	w, there := r.next(a.Thread)
	switch {
	case !f.Wrote && there && g.Events[w].Exclusive && g.Events[w].Kind == memory.Write,
		f.Wrote && there && !(g.Events[w].Exclusive && g.Events[w].Kind == memory.Write):
		r.giveUp(notTheSame)
		return
	case !f.Wrote:
		if r.x == nil && g.Events[read].Exclusive {
			r.giveUp(notTheSame)
		}
		if e := &g.Events[read]; r.x != nil && mayFail(a) && e.Order != a.Failure {
			e.Order = a.Failure
			r.cut = r.cut || !g.Consistent(r.x.opt.Model)
		}
		return
	}
	if r.x == nil && (!g.Events[read].Exclusive || g.Events[read].Order != a.Order) {
		r.giveUp(notTheSame)
		return
	}
	if !there {
		if r.x == nil {
			r.giveUp(notTheSame)
			return
		}
		if a.Weak { // which may fail without a reason, too
			c := g.clone()
			c.made[read].fails = true
			r.visit(c)
		}
		g.Events[read].Exclusive, g.Events[read].Order = true, a.Order
		w = r.enter(memory.Event{Thread: a.Thread, Kind: memory.Write, Loc: a.Place, Order: a.Order, Exclusive: true, Value: f.Written},
			made{kind: a.Kind, order: a.Order, failure: a.Failure, site: a.Site, object: a.Object})
		switch {
		case r.guide != nil:
			r.guide.second(a.Thread, w)
		case r.x.opt.Random == nil:
			r.revisits(w)
		}
		g.put(w, slices.Index(g.MO[a.Place], g.RF[read])+1)
		r.cut = r.cut || !g.Consistent(r.x.opt.Model)
	}
	g.Events[w].Value = f.Written
	r.written(w)
	r.performed(w)
}

// Idle implements [interp.Atomics].
func (r *run) Idle(_ int, lock uint64) bool {
	if r.x != nil && r.x.chooses() { // it goes on, and may read something else
		return false
	}
	if r.x == nil && r.left > 0 { // the graph has more of it
		return false
	}
	if r.x != nil && lock != 0 {
		r.passed = append(r.passed, lock)
	}
	r.stuck++
	return true
}

// Stuck implements [interp.Atomics].
func (r *run) Stuck(int) { r.stuck++ }

// AssertFails implements [interp.Atomics].
func (r *run) AssertFails(int) (stays bool) {
	if r.goesOn {
		r.stuck++
	}
	return r.goesOn
}

// Racy implements [interp.Atomics].
func (r *run) Racy(place uint64) bool {
	if r.x == nil {
		i, ok := r.g.first[place]
		return ok && r.g.Events[i].Racy
	}
	return r.x.opt.Racy != nil && r.x.opt.Racy(place)
}

// Joins implements [interp.Atomics].
func (r *run) Joins(thread, ended int) {
	e := r.of(ended)
	if !r.begins(ended) {
		return
	}
	if e.end == 0 { // it may be seen again
		e.end = 1 + r.orders(ended)
	}
	r.follows(thread, e.end-1)
}

// Creates implements [interp.Observer].
func (r *run) Creates(thread int) {
	if r.of(thread); thread > mostThreads {
		r.giveUp(fmt.Sprintf("there are more than %d threads", mostThreads))
	}
	if r.begins(r.running) {
		r.follows(thread, r.orders(r.running))
	}
}

// Outside implements [interp.Atomics].
func (r *run) Outside(name string) {
	if len(r.threads) > 1 || len(r.sizes) > 0 {
		r.unsupported("a call of " + name + ", which has no body")
	}
}

// Reads implements [interp.Atomics].
func (r *run) Reads() { r.seen.inputs = true }

// mostThreads is how many threads there may be besides the first one.
const mostThreads = 60

// follows has all that a thread does next come behind an event.
func (r *run) follows(thread, event int) {
	if t := r.of(thread); event >= 0 && !slices.Contains(t.behind, event) {
		t.behind = append(t.behind, event)
	}
}

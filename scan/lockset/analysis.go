package lockset

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// analysis is one run of Analyse.
type analysis struct {
	ctx   context.Context
	prog  *cir.Program
	pts   *pointsto.Result
	table *valuenum.Table
	funcs map[pointsto.Copy]*valuenum.Func
	acts  map[actKey]*Activation
	of    map[pointsto.Copy][]*Activation
	backs map[pointsto.Copy][]callback
	queue []*Activation
	steps int
	err   error
	// kinds are the kinds of mutexes that there may be.
	kinds  kinds
	cells  *cells
	dead   *deadBranches
	atomic valuenum.Value
	result *valuenum.Sym
	assume map[string]bool
	done   func(done, all int)
	// semaphores are known when all is solved.
	semaphores *semaphores
	closings   *closings
}

// actKey tells activations apart.
type actKey struct {
	copy  pointsto.Copy
	entry string
}

// Activation is a copy of a function together with what is held whenever it is called in that way.
type Activation struct {
	Copy pointsto.Copy

	a      *analysis
	entry  *state
	fn     *valuenum.Func // nil for a function of the library
	order  []*cir.Block
	in     []*state // of blocks, by their index
	calls  map[*cir.Call][]*Activation
	atExit []*Activation // what the program runs when it ends
	exit   *state        // what is held after it, in terms of its parameters and result; nil: it does not return
	// foreign are the locks that it may give back though it did not take them.
	foreign map[pointsto.Location]bool
	any     bool // foreign: any lock at all
	callers map[*Activation]bool
	queued  bool
	runs    int
	merged  bool // its entry is what several callers have in common
}

// maxEntries bounds the activations of a copy. Beyond, one stands for all that come.
const maxEntries = 12

// maxVisits bounds how often a block is walked through before conditions are given up there.
const maxVisits = 24

// maxRuns bounds how often an activation is run before its exit has no conditions any more.
const maxRuns = 30

// text returns a name for a state by which equal ones are found.
func (s *state) text() string {
	var b strings.Builder
	for _, l := range s.held {
		fmt.Fprint(&b, l.mode, l.count)
		for _, n := range l.names {
			fmt.Fprint(&b, ",", id(n.Base), ".", id(n.Index), ".", n.Scale, ".", n.Off)
		}
		for _, p := range l.at {
			fmt.Fprint(&b, "@", p.Obj.ID, "+", p.Off)
		}
		b.WriteByte(';')
	}
	return b.String()
}

// activation returns the activation of a copy with what is held when it is called, and runs it if it is new.
func (a *analysis) activation(c pointsto.Copy, entry *state) *Activation {
	key := actKey{c, entry.text()}
	if x := a.acts[key]; x != nil {
		return x
	}
	if all := a.of[c]; len(all) >= maxEntries {
		last := all[len(all)-1]
		if met := last.entry.meet(entry); !last.merged || !met.equal(last.entry) {
			last.merged, last.entry = true, met
			a.enqueue(last)
		}
		return last
	}
	x := &Activation{Copy: c, a: a, entry: entry, foreign: map[pointsto.Location]bool{}, callers: map[*Activation]bool{}, calls: map[*cir.Call][]*Activation{}}
	if !c.Func.Library {
		x.fn = a.fn(c)
		x.order = reversePostorder(c.Func)
		x.in = make([]*state, len(c.Func.Blocks))
	}
	a.acts[key] = x
	a.of[c] = append(a.of[c], x)
	a.run(x)
	return x
}

// fn returns what is known of the registers of a copy.
func (a *analysis) fn(c pointsto.Copy) *valuenum.Func {
	f := a.funcs[c]
	if f == nil {
		f = valuenum.Analyse(a.table, a.prog.Model, a.pts, c, valuenum.Options{Stable: a.cells.stable})
		if a.funcs[c] = f; a.done != nil {
			a.done(len(a.funcs), len(a.pts.Copies()))
		}
	}
	return f
}

func (a *analysis) enqueue(x *Activation) {
	if !x.queued {
		x.queued = true
		a.queue = append(a.queue, x)
	}
}

// reversePostorder returns the blocks that control gets to.
func reversePostorder(f *cir.Func) []*cir.Block {
	seen := map[*cir.Block]bool{}
	var order []*cir.Block
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		seen[b] = true
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				visit(to)
			}
		})
		order = append(order, b)
	}
	visit(f.Blocks[0])
	slices.Reverse(order)
	return order
}

// solve runs all that waits.
func (a *analysis) solve() {
	for len(a.queue) > 0 && a.err == nil {
		x := a.queue[0]
		a.queue = a.queue[1:]
		x.queued = false
		a.run(x)
	}
}

// goOn counts steps, and ends the analysis if its context has.
func (a *analysis) goOn() bool {
	if a.steps++; a.steps%64 == 0 && a.err == nil {
		a.err = a.ctx.Err()
	}
	return a.err == nil
}

// run finds what is held in an activation, given what is known of those that it calls.
func (a *analysis) run(x *Activation) {
	clear(x.calls)
	clear(x.in)
	foreign, any := len(x.foreign), x.any
	var exit *state
	if x.fn == nil {
		for _, cb := range a.callbacks(x.Copy) {
			y := a.activation(cb.copy, &state{})
			x.called(cb.in, y)
			x.forget(y)
		}
	} else {
		exit = a.flow(x)
	}
	if x.runs++; x.runs > maxRuns && exit != nil { // what is held gets less with each, conditions need not
		exit = &state{held: exit.meet(x.exit).held}
	}
	if x.exit == nil && exit == nil || x.exit != nil && exit != nil && x.exit.equal(exit) {
		exit = x.exit
	}
	if exit != x.exit || foreign != len(x.foreign) || any != x.any {
		x.exit = exit
		for y := range x.callers {
			a.enqueue(y)
		}
	}
}

// called notes that an activation calls another one.
func (x *Activation) called(in *cir.Call, y *Activation) {
	if !slices.Contains(x.calls[in], y) {
		x.calls[in] = append(x.calls[in], y)
	}
	y.callers[x] = true
}

// forget takes over the locks that another activation may give back.
func (x *Activation) forget(y *Activation) {
	for l := range y.foreign {
		x.foreign[l] = true
	}
	x.any = x.any || y.any
}

// gives notes that an activation may give back locks that it did not take.
func (x *Activation) gives(at []pointsto.Location) {
	x.any = x.any || len(at) == 0
	for _, l := range at {
		x.foreign[l] = true
	}
}

// mayGive reports whether an activation may give back a lock that its caller has taken.
func (x *Activation) mayGive(l *lock) bool {
	if x.any {
		return true
	}
	if len(l.at) == 0 {
		return len(x.foreign) > 0
	}
	for _, p := range l.at {
		if x.foreign[p] || x.foreign[pointsto.Location{Obj: p.Obj, Off: pointsto.Any}] {
			return true
		}
		if p.Off == pointsto.Any {
			for q := range x.foreign {
				if q.Obj == p.Obj {
					return true
				}
			}
		}
	}
	return false
}

// flow finds what is held in the blocks of an activation, and returns what is held where it returns.
func (a *analysis) flow(x *Activation) *state {
	f := x.Copy.Func
	edges := map[*cir.Block][]*state{} // into a block, in the order of valuenum.Func.Preds
	dirty, visits := make([]bool, len(f.Blocks)), make([]int, len(f.Blocks))
	dirty[f.Blocks[0].Index] = true
	for again := true; again && a.goOn(); {
		again = false
		for _, b := range x.order {
			if !dirty[b.Index] {
				continue
			}
			dirty[b.Index], again = false, true
			s := a.enter(x, b, edges[b])
			if visits[b.Index]++; visits[b.Index] > maxVisits {
				s = &state{held: s.meet(x.in[b.Index]).held}
			}
			x.in[b.Index] = s
			for _, in := range b.Instrs {
				if s = a.step(x, in, s); s == nil {
					break
				}
			}
			a.leave(x, b, s, func(k int, to *cir.Block, t *state) {
				if edges[to] == nil {
					edges[to] = make([]*state, len(x.fn.Preds[to]))
				}
				if !edges[to][k].equal(t) {
					edges[to][k] = t
					dirty[to.Index] = true
				}
			})
		}
	}
	return a.atEnd(x)
}

// enter returns what is held where a block begins.
func (a *analysis) enter(x *Activation, b *cir.Block, edges []*state) *state {
	var s *state
	if b == x.Copy.Func.Blocks[0] {
		s = &state{held: x.entry.held}
		if x.Copy.Func.Atomic {
			s = s.acquire(a.atomicLock(), false)
		}
	}
	meets := x.fn.Meets[b]
	renamed := make([]*state, len(edges))
	for k, t := range edges {
		renamed[k] = t.renamed(meets, k)
		s = s.meet(renamed[k])
	}
	if len(meets) == 0 {
		return s
	}
	made := map[*valuenum.Sym]bool{}
	for _, m := range meets {
		made[m.Sym] = true
	}
	if slices.ContainsFunc(s.when, func(w when) bool { return made[w.sym] }) {
		s = s.clone()
		s.when = slices.DeleteFunc(s.when, func(w when) bool { return made[w.sym] })
	}
	for _, m := range meets {
		var sites []site
		for k, t := range renamed {
			if t != nil {
				sites = append(sites, site{t, m.In[k]})
			}
		}
		if len(sites) > 1 {
			s = s.correlate(sites, m.Sym)
		}
	}
	return s
}

// renamed returns what is held along the k-th edge to a block, in terms of what the symbols that are made there stand for from
// here on, and none of what they stood for before.
func (s *state) renamed(meets []valuenum.Meet, k int) *state {
	if s == nil || len(meets) == 0 || len(s.held)+len(s.when) == 0 {
		return s
	}
	t := &state{}
	rename := func(l lock) (lock, bool) {
		var names []valuenum.Value
		for _, n := range l.names {
			old := false
			for _, m := range meets {
				if _, isConst := m.In[k].Const(); isConst {
					continue
				}
				if d, ok := n.Minus(m.In[k]); ok {
					names = append(names, valuenum.Value{Base: m.Sym, Off: d})
				}
			}
			n.Each(func(y *valuenum.Sym) {
				old = old || slices.ContainsFunc(meets, func(m valuenum.Meet) bool { return m.Sym == y })
			})
			if !old {
				names = append(names, n)
			}
		}
		l.names = named(names)
		return l, len(names) > 0
	}
	for _, l := range s.held {
		if m, ok := rename(l); ok {
			t.held = append(t.held, m)
		}
	}
	slices.SortFunc(t.held, func(x, y lock) int { return order(x.names[0], y.names[0]) })
	for _, w := range s.when {
		if m, ok := rename(w.lock); ok {
			w.lock = m
			t.when = append(t.when, w)
		}
	}
	return t
}

// leave calls f for each edge that leads from a block, with the edge's number among those that lead to the other block.
func (a *analysis) leave(x *Activation, b *cir.Block, s *state, f func(k int, to *cir.Block, s *state)) {
	n := 0
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		if t := a.along(x, b.Term, n, s); t != nil && !a.dead.never(x.Copy, b, n) {
			f(x.fn.Into[b][n], to, t)
		}
		n++
	})
}

// atomicLock is the lock that an atomic section holds.
func (a *analysis) atomicLock() lock {
	return lock{names: []valuenum.Value{a.atomic}, at: []pointsto.Location{{Obj: a.pts.Objects[0], Off: atomicOff}}, mode: Writing, count: 1}
}

// atomicOff is where the lock of atomic sections is taken to be outside of the program: nothing else is there.
const atomicOff = -1 << 60

// atEnd returns what is held whenever an activation returns.
func (a *analysis) atEnd(x *Activation) *state {
	var s *state
	var sites []site
	for _, b := range x.order {
		r, ok := b.Term.(*cir.Return)
		if !ok || x.in[b.Index] == nil {
			continue
		}
		t := x.in[b.Index]
		for _, in := range b.Instrs {
			if t = a.step(x, in, t); t == nil {
				break
			}
		}
		if t == nil {
			continue
		}
		if x.Copy.Func.Atomic {
			t, _ = t.release([]valuenum.Value{a.atomic}, a.atomicLock().at)
		}
		v := valuenum.Value{Base: a.result}
		if r.X != nil {
			v = x.fn.Value(r.X)
		}
		t = a.outward(t, v)
		s = s.meet(t)
		sites = append(sites, site{t, v})
	}
	if s == nil {
		return nil
	}
	s = &state{held: s.held}
	return s.correlate(sites, a.result)
}

// outward returns what is held in terms that a caller knows: parameters and the result, of which v is the value.
func (a *analysis) outward(s *state, v valuenum.Value) *state {
	t := &state{}
	say := func(l lock) (lock, bool) {
		var names []valuenum.Value
		for _, n := range l.names {
			m, ok := a.table.Rewrite(n, func(sym *valuenum.Sym) (valuenum.Value, bool) {
				switch {
				case sym.Kind == valuenum.Param:
					return valuenum.Value{Base: sym}, true
				case v.Base == sym && v.Index == nil:
					return valuenum.Value{Base: a.result, Off: -v.Off}, true
				}
				return valuenum.Value{}, false
			})
			if ok {
				names = append(names, m)
			}
		}
		l.names = named(names)
		return l, len(names) > 0
	}
	for _, l := range s.held {
		if m, ok := say(l); ok {
			t.held = append(t.held, m)
		}
	}
	slices.SortFunc(t.held, func(x, y lock) int { return order(x.names[0], y.names[0]) })
	for _, w := range s.when {
		if m, ok := say(w.lock); ok {
			w.lock = m
			t.when = append(t.when, w)
		}
	}
	return t
}

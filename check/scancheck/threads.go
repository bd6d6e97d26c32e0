package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
)

// effect is what was done to the set of threads that may be running since a copy was called.
type effect struct {
	adds, takes set
	never       bool
}

// on returns what may be running where something was done, if s may have been before.
func (e effect) on(s set) set { return e.adds.or(s.minus(e.takes)) }

// within reports whether one effect is claimed by another one.
func (e effect) within(claim effect) bool {
	return e.never || !claim.never && e.adds.within(claim.adds) && claim.takes.within(e.takes)
}

// node has what is claimed of a copy that a thread runs.
type node struct {
	copy   int
	entry  set
	sum    effect
	blocks []effect // nil: nothing is done anywhere
}

// thread is an identity as it is claimed.
type thread struct {
	*certificate.Thread
	index   int
	desc    set // itself and what descends from it
	end     set
	nodes   map[int]*node
	order   []*node
	several bool // its first function calls one of several
	born    map[int]set
	lands   bool // a longjmp may lead to somewhere in it
}

// threads verifies what is claimed of which threads there are and which of them run when.
type threads struct {
	*program
	list    []*thread
	creates map[int]map[createKey]int
	debts   map[int][]*debt // by threads, those that were looked at
	owes    bool            // whether they are looked at
	refuse  func(format string, args ...any)
}

type createKey struct {
	group certificate.Place
	start string
}

// newThreads reads the claims. The error is one of the form.
func newThreads(p *program, c *certificate.Certificate, refuse func(string, ...any)) (*threads, error) {
	ts := &threads{program: p, creates: map[int]map[createKey]int{}, debts: map[int][]*debt{}, refuse: refuse}
	n := len(c.Threads)
	if n > maxThreads {
		return nil, fmt.Errorf("%d threads: more than %d", n, maxThreads)
	}
	for i := range c.Threads {
		x := &c.Threads[i]
		if x.Parent >= i || x.Parent < 0 && i > 0 || i == 0 && x.Parent != -1 || x.Root < 0 || x.Root >= len(p.copies) || i > 0 && x.Group == nil {
			return nil, fmt.Errorf("thread %d: no parent before it, or no function", i)
		}
		t := &thread{Thread: x, index: i, nodes: map[int]*node{}, born: map[int]set{}, desc: set{}.with(i)}
		var err error
		if t.end, err = setOf(x.End, n); err != nil {
			return nil, err
		}
		_, t.several = p.starts(x.Root)
		for _, y := range x.Nodes {
			if err := ts.addNode(t, y, n); err != nil {
				return nil, err
			}
		}
		ts.creates[i] = map[createKey]int{}
		for _, m := range x.Creates {
			if m.Thread < 0 || m.Thread >= n {
				return nil, fmt.Errorf("thread %d creates thread %d", i, m.Thread)
			}
			ts.creates[i][createKey{m.Group, m.Start}] = m.Thread
		}
		ts.list = append(ts.list, t)
	}
	for i := n - 1; i > 0; i-- {
		up := ts.list[ts.list[i].Parent]
		up.desc = up.desc.or(ts.list[i].desc)
	}
	ts.findJumps()
	return ts, nil
}

// findJumps finds the threads that a longjmp may lead to: one of their own, or that of a handler of a signal which interrupts them.
func (ts *threads) findJumps() {
	jumps := false
	for _, t := range ts.list {
		jumps = jumps || ts.runs(t, cir.Longjmp)
	}
	for _, t := range ts.list {
		t.lands = jumps && ts.runs(t, cir.Setjmp)
	}
}

// runs reports whether a thread is claimed to run a copy with an intrinsic.
func (ts *threads) runs(t *thread, op cir.IntrinsicOp) bool {
	for _, n := range t.order {
		for _, b := range ts.copies[n.copy].Func.Blocks {
			for _, in := range b.Instrs {
				if isIntrinsic(in, op) {
					return true
				}
			}
		}
	}
	return false
}

func isIntrinsic(in cir.Located, op cir.IntrinsicOp) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == op
}

// setOf reads a set of n threads.
func setOf(list []int, n int) (s set, err error) {
	for _, i := range list {
		if i < 0 || i >= n {
			return s, fmt.Errorf("a set with thread %d of %d", i, n)
		}
		s = s.with(i)
	}
	return s, nil
}

func (ts *threads) addNode(t *thread, y certificate.Node, n int) error {
	if y.Copy < 0 || y.Copy >= len(ts.copies) || t.nodes[y.Copy] != nil || len(y.Blocks) != 0 && len(y.Blocks) != len(ts.copies[y.Copy].Func.Blocks) {
		return fmt.Errorf("thread %d: claims of copy %d do not fit", t.index, y.Copy)
	}
	x := &node{copy: y.Copy}
	var err error
	if x.entry, err = setOf(y.Entry, n); err != nil {
		return err
	}
	if x.sum, err = effectOf(y.Sum, n); err != nil {
		return err
	}
	for _, b := range y.Blocks {
		e, err := effectOf(b, n)
		if err != nil {
			return err
		}
		x.blocks = append(x.blocks, e)
	}
	t.nodes[y.Copy] = x
	t.order = append(t.order, x)
	return nil
}

func effectOf(e certificate.Effect, n int) (effect, error) {
	adds, err := setOf(e.Adds, n)
	if err != nil {
		return effect{}, err
	}
	takes, err := setOf(e.Takes, n)
	return effect{adds, takes, e.Never}, err
}

// check verifies all claims of threads.
func (ts *threads) check() {
	if len(ts.list) == 0 || ts.prog.Entry == nil {
		ts.refuse("there is no thread that the program begins with")
		return
	}
	for _, t := range ts.list {
		ts.checkRoots(t)
		for _, n := range t.order {
			ts.checkNode(t, n)
		}
	}
	ts.checkMany()
}

// checkRoots verifies the beginnings of what a thread runs, one after the other, and its end.
func (ts *threads) checkRoots(t *thread) {
	roots := []int{t.Root}
	if t.index == 0 {
		roots = nil
		for _, f := range ts.prog.Constructors {
			roots = append(roots, ts.plain(f))
		}
		if roots = append(roots, ts.plain(ts.prog.Entry)); t.Root != ts.plain(ts.prog.Entry) {
			ts.refuse("the program does not begin with %s", ts.copies[t.Root].Func.Name)
		}
		if f := ts.prog.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 {
			roots = append(roots, ts.plain(f))
		}
	}
	var s set
	for _, r := range roots {
		n := ts.enter(t, r, s, "its beginning")
		switch {
		case n == nil:
			return
		case n.sum.never:
			continue // does not end, or the program does
		}
		s = n.sum.on(s)
	}
	if !s.within(t.end) {
		ts.refuse("thread %d: what may be running at its end", t.index)
	}
	exits := t.index == 0
	for _, n := range t.order {
		f := ts.copies[n.copy].Func
		exits = exits || f.Library && f.Source == "exit"
	}
	if exits {
		for _, f := range ts.prog.Destructors {
			ts.enter(t, ts.plain(f), t.desc, "the program's end")
		}
	}
}

// plain returns the copy of a function in no context.
func (ts *threads) plain(f *cir.Func) int { return ts.number[canonical(ts.program, f)] }

// enter verifies that a copy is claimed to be called where some threads may be running.
func (ts *threads) enter(t *thread, c int, s set, where string) *node {
	n := t.nodes[c]
	switch {
	case n == nil:
		ts.refuse("thread %d: nothing is claimed of %s, which is called at %s", t.index, ts.copies[c].Func.Name, where)
	case !s.within(n.entry):
		ts.refuse("thread %d: more threads may be running when %s is called at %s", t.index, ts.copies[c].Func.Name, where)
	}
	return n
}

// callees returns what a call in a copy may get to when a thread makes it.
func (ts *threads) calleesBy(t *thread, c int, call *cir.Call) called {
	x := ts.callees(c, call)
	if !t.several || c != t.Root || ts.startCall(c) != call {
		return x
	}
	var only []int
	for _, m := range x.to {
		if ts.copies[m].Func.Name == t.Start {
			only = append(only, m)
		}
	}
	return called{only, x.outside}
}

// each calls visit for the instructions of a node in a thread, with what may be running then, and leave where control leaves a block.
func (ts *threads) each(t *thread, n *node, visit func(in cir.Located, s set), leave func(b *cir.Block, e effect)) {
	for i, b := range ts.copies[n.copy].Func.Blocks {
		var e effect
		if n.blocks != nil {
			e = n.blocks[i]
		}
		comes := ts.pts.Comes(ts.copies[n.copy].Func, b)
		for _, in := range b.Instrs {
			if e.never {
				break
			}
			if comes {
				visit(in, e.on(n.entry))
			}
			e = ts.after(t, n.copy, in, e)
		}
		if !e.never {
			if comes {
				visit(b.Term, e.on(n.entry))
			}
			leave(b, e)
		}
	}
}

// after returns what has been done after an instruction.
func (ts *threads) after(t *thread, c int, in cir.Instr, e effect) effect {
	for _, k := range ts.kids(t, c, in) {
		e.adds = e.adds.with(k)
	}
	call, ok := in.(*cir.Call)
	if !ok {
		if t.lands && isIntrinsic(in, cir.Setjmp) { // whatever was done until the jump
			e.adds = e.adds.or(t.desc.minus(set{}.with(t.index)))
		}
		return e
	}
	if takes, adds, ok := ts.join(t, c, call); ok {
		return ts.cleared(t, c, call, effect{adds: adds.or(e.adds.minus(takes)), takes: e.takes.or(takes)})
	}
	x := ts.calleesBy(t, c, call)
	if len(x.to) == 0 {
		return e
	}
	out := effect{never: true}
	for _, m := range x.to {
		n := t.nodes[m]
		if n == nil || n.sum.never { // what nothing is claimed of is refused elsewhere
			continue
		}
		one := effect{adds: n.sum.adds.or(e.adds.minus(n.sum.takes)), takes: e.takes.or(n.sum.takes)}
		if out.never {
			out = one
		} else {
			out = effect{adds: out.adds.or(one.adds), takes: out.takes.and(one.takes)}
		}
	}
	if x.outside { // any number of them, or none
		return effect{adds: e.adds.or(out.adds), takes: e.takes}
	}
	return ts.cleared(t, c, call, out)
}

// cleared returns what has been done after a call behind which no joins are owed.
func (ts *threads) cleared(t *thread, c int, call *cir.Call, e effect) effect {
	if e.never {
		return e
	}
	takes, adds := ts.clearAt(t, owing{copy: c, call: call})
	return effect{adds: adds.or(e.adds.minus(takes)), takes: e.takes.or(takes)}
}

// kids returns the identities that an instruction of a copy creates, as far as they are claimed.
func (ts *threads) kids(t *thread, c int, in cir.Instr) (list []int) {
	for _, r := range ts.created(c, in) {
		names, _ := ts.starts(r)
		for _, s := range names {
			if k, ok := ts.creates[t.index][createKey{ts.group(c, in), s}]; ok {
				list = append(list, k)
			}
		}
	}
	return list
}

// checkNode verifies the claims of a node.
func (ts *threads) checkNode(t *thread, n *node) {
	f := ts.copies[n.copy].Func
	if len(n.blocks) > 0 && !(effect{}).within(n.blocks[0]) {
		ts.refuse("thread %d: something is claimed at the beginning of %s", t.index, f.Name)
	}
	visit := func(at cir.Located, s set) {
		in, ok := at.(cir.Instr)
		if !ok {
			return
		}
		ts.checkCreation(t, n.copy, in, s)
		switch in := in.(type) {
		case *cir.Call:
			x := ts.calleesBy(t, n.copy, in)
			if x.outside {
				for _, m := range x.to {
					if y := t.nodes[m]; y != nil {
						s = s.or(y.sum.adds)
					}
				}
			}
			for _, m := range x.to {
				ts.enter(t, m, s, position(in))
			}
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit && !s.within(t.end) {
				ts.refuse("thread %d: what may be running when it ends at %s", t.index, position(in))
			}
		}
	}
	ts.each(t, n, visit, func(b *cir.Block, e effect) {
		if _, ok := b.Term.(*cir.Return); ok && !e.within(n.sum) {
			ts.refuse("thread %d: what %s does to what may be running", t.index, f.Name)
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			var claim effect
			if n.blocks != nil {
				claim = n.blocks[to.Index]
			}
			takes, adds := ts.ended(t, n, b, to)
			if t2, a2 := ts.clearAt(t, owing{copy: n.copy, b: to}); t2 != (set{}) || a2 != (set{}) {
				takes, adds = takes.or(t2), a2.or(adds.minus(t2))
			}
			if end := (effect{adds: adds.or(e.adds.minus(takes)), takes: e.takes.or(takes)}); !end.within(claim) {
				ts.refuse("thread %d: block %d of %s: more may be running", t.index, to.Index, f.Name)
			}
		})
	})
}

// checkCreation verifies that what an instruction creates is claimed, and notes what may be running then.
func (ts *threads) checkCreation(t *thread, c int, in cir.Instr, s set) {
	for _, r := range ts.created(c, in) {
		names, _ := ts.starts(r)
		for _, start := range names {
			group := ts.group(c, in)
			i, ok := ts.creates[t.index][createKey{group, start}]
			if !ok {
				ts.refuse("thread %d: no thread is claimed of %s, which is created at %s", t.index, start, position(in))
				continue
			}
			k := ts.list[i]
			known := k.Root == r && k.Start == start && k.Group != nil && *k.Group == group
			if !known || k.Parent != t.index && !k.Loose && !(k.Many && k.desc.has(t.index)) {
				ts.refuse("thread %d: %s, created at %s, is not thread %d", t.index, start, position(in), i)
			}
			t.born[i] = t.born[i].or(s)
		}
	}
}

// checkMany verifies that there is never more than one thread of an identity where that is claimed.
func (ts *threads) checkMany() {
	others := false // that might run a handler
	for _, t := range ts.list {
		others = others || t.index > 0 && !ts.isSignal(t)
	}
	for _, t := range ts.list {
		for i, s := range t.born {
			k := ts.list[i]
			s.each(func(j int) {
				if o := ts.list[j]; !k.Many && (k.desc.has(j) || o.Group != nil && *o.Group == *k.Group) {
					ts.refuse("thread %d: there may be more than one of it", i)
				}
			})
		}
		if t.index == 0 {
			if t.Many || t.Loose {
				ts.refuse("thread 0: there is one only")
			}
			continue
		}
		up := ts.list[t.Parent]
		if !t.Many && (up.Many || others && ts.isSignal(t)) {
			ts.refuse("thread %d: there may be more than one of it", t.index)
		}
		if !t.Loose && up.Loose {
			ts.refuse("thread %d: nothing is known of when it runs", t.index)
		}
	}
}

// single reports whether there is never more than one thread: all others are handlers of signals, which run in one that there is.
func (ts *threads) single() bool {
	return !slices.ContainsFunc(ts.list[1:], func(t *thread) bool { return !ts.isSignal(t) })
}

// isSignal reports whether a thread is the handler of a signal, which any thread may run.
func (ts *threads) isSignal(t *thread) bool {
	f := ts.copies[t.Root].Func
	return f.Library && f.Source == "deliver"
}

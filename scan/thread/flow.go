package thread

import (
	"comus/cir"
)

// effect is what running some instructions does to the set of identities that may be running: it adds some and takes some out.
type effect struct {
	adds, takes Set
	ends        bool // control does not get to the end
}

// then returns the effect of e followed by f.
func (e effect) then(f effect) effect {
	if e.ends {
		return e
	}
	return effect{f.adds.or(e.adds.minus(f.takes)), e.takes.or(f.takes), f.ends}
}

// or returns the effect of one of two.
func (e effect) or(f effect) effect {
	switch {
	case e.ends:
		return f
	case f.ends:
		return e
	}
	return effect{e.adds.or(f.adds), e.takes.and(f.takes), false}
}

// on returns what becomes of a set.
func (e effect) on(s Set) Set { return e.adds.or(s.minus(e.takes)) }

func (e effect) equal(f effect) bool {
	return e.ends == f.ends && e.adds.within(f.adds) && f.adds.within(e.adds) && e.takes.within(f.takes) && f.takes.within(e.takes)
}

// flow is the analysis of one thread.
type flow struct {
	r     *Result
	t     *Thread
	nodes []*Node
	// at has what is known of these nodes. Most threads run few of a program's.
	at      map[*Node]*known
	callers map[*Node][]*Node
	// lands tells that a longjmp may lead to somewhere in the thread: what it does in loops is not followed from turn to turn then.
	lands bool
	// atEnd is what may be running when the thread ends; born what may be running when a child is created.
	atEnd Set
	born  map[*Thread]Set
	waits map[*Node]bool
	work  []*Node
	joins map[*cir.Call]*effect // of joins whose effect is known
	// batches are loops that create threads, with loops that join them.
	batches []*batch
	tallies []*tally
	// makes is what instructions create, which stays the same: it is asked for each time that control gets there.
	makes map[makesAt]creation
}

// makesAt is an instruction of a node that creates threads, and creation the identities of these.
type makesAt struct {
	n  *Node
	in cir.Instr
}

type creation struct {
	kids []*Thread
	adds Set
}

// known is what is known of a node in a thread.
type known struct {
	sum     effect // what calls of it do
	entry   Set    // what may be running when they begin
	reached bool
}

func newFlow(r *Result, t *Thread) *flow {
	f := &flow{r: r, t: t, nodes: t.reach(r.graph), at: map[*Node]*known{}, callers: map[*Node][]*Node{}, born: map[*Thread]Set{}, makes: map[makesAt]creation{}}
	for _, n := range f.nodes {
		f.at[n] = &known{}
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Call:
					for _, m := range r.Calls(t, n, in) {
						f.callers[m] = append(f.callers[m], n)
					}
				case *cir.Intrinsic:
					f.lands = f.lands || r.graph.lands(in)
				}
			}
		}
	}
	return f
}

// run computes the sets; those of the thread's children were computed before.
func (f *flow) run() {
	f.joins, f.atEnd = map[*cir.Call]*effect{}, nil
	clear(f.born)
	for _, n := range f.nodes {
		*f.at[n] = known{sum: effect{ends: n.effect}}
	}
	f.begin(f.nodes)
	for n := f.take(); n != nil; n = f.take() {
		if !n.effect {
			continue
		}
		if s := f.summary(n); !s.equal(f.at[n].sum) {
			f.at[n].sum = s
			f.begin(f.callers[n])
		}
	}
	var s Set
	for _, n := range f.t.roots {
		f.enter(n, s)
		s = f.at[n].sum.on(s)
	}
	f.atEnd = s
	for _, n := range f.t.last {
		f.enter(n, f.descendants())
	}
	for n := f.take(); n != nil; n = f.take() {
		f.spread(n)
	}
}

// begin lets nodes wait to be worked on.
func (f *flow) begin(ns []*Node) {
	if f.waits == nil {
		f.waits = map[*Node]bool{}
	}
	for _, n := range ns {
		if !f.waits[n] {
			f.waits[n] = true
			f.work = append(f.work, n)
		}
	}
}

func (f *flow) take() *Node {
	if len(f.work) == 0 {
		return nil
	}
	n := f.work[len(f.work)-1]
	f.work = f.work[:len(f.work)-1]
	f.waits[n] = false
	return n
}

// descendants returns all that may ever be in the set.
func (f *flow) descendants() (s Set) {
	for _, u := range f.r.Threads {
		if u.Descends(f.t) {
			s = s.with(u.Index)
		}
	}
	return s
}

// effectOf returns what an instruction of a node does.
func (f *flow) effectOf(n *Node, in cir.Instr) effect {
	e := effect{adds: f.created(n, in).adds}
	if f.r.graph.lands(in) {
		e.adds = e.adds.or(f.descendants().minus(Set{}.with(f.t.Index)))
	}
	call, ok := in.(*cir.Call)
	if !ok {
		return e
	}
	if j := f.joinOf(n, call); j != nil {
		return j.then(f.talliedBehind(n, call))
	}
	one := effect{ends: true}
	for _, m := range f.r.Calls(f.t, n, call) {
		one = one.or(f.at[m].sum)
	}
	if n.outside[call] { // any number of them, in any order
		return e.then(effect{adds: one.adds})
	}
	if len(f.r.Calls(f.t, n, call)) == 0 {
		return e
	}
	return e.then(one).then(f.talliedBehind(n, call))
}

// reaches reports whether the thread may run a node.
func (f *flow) reaches(n *Node) bool {
	k := f.at[n]
	return k != nil && k.reached
}

// created returns the identities that an instruction itself creates.
func (f *flow) created(n *Node, in cir.Instr) (c creation) {
	roots := n.creates[in]
	if len(roots) == 0 {
		return c
	}
	at := makesAt{n, in}
	if c, known := f.makes[at]; known {
		return c
	}
	group := in
	if n.Fn.Library && n.Ctx.Call != nil {
		group = n.Ctx.Call
	}
	for _, root := range roots {
		for _, s := range startsOf(root) {
			if k := f.r.kids[kidKey{f.t, group, s}]; k != nil {
				c.kids, c.adds = append(c.kids, k), c.adds.with(k.Index)
			}
		}
	}
	f.makes[at] = c
	return c
}

// summary returns what a call of a node does.
func (f *flow) summary(n *Node) effect {
	total := effect{ends: true}
	f.blocks(n, effect{}, func(b *cir.Block, e effect) effect {
		for _, in := range b.Instrs {
			e = e.then(f.effectOf(n, in))
		}
		if _, ok := b.Term.(*cir.Return); ok {
			total = total.or(e)
		}
		return e
	})
	return total
}

// blocks runs step for the blocks of a node until nothing changes, with the effect of what comes before them.
func (f *flow) blocks(n *Node, first effect, step func(*cir.Block, effect) effect) []effect {
	in := make([]effect, len(n.Fn.Blocks))
	for i := range in {
		in[i].ends = true
	}
	in[0] = first
	work := []*cir.Block{n.Fn.Blocks[0]}
	waits := map[*cir.Block]bool{n.Fn.Blocks[0]: true}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		waits[b] = false
		out := step(b, in[b.Index])
		if out.ends {
			continue
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if e := in[to.Index].or(out.then(f.ended(n, b, to))); !e.equal(in[to.Index]) {
				in[to.Index] = e
				if !waits[to] {
					waits[to] = true
					work = append(work, to)
				}
			}
		})
	}
	return in
}

// enter adds what may be running when a node is called.
func (f *flow) enter(n *Node, s Set) {
	k := f.at[n]
	if k.reached && s.within(k.entry) {
		return
	}
	k.reached, k.entry = true, k.entry.or(s)
	f.begin([]*Node{n})
}

// spread hands on what may be running to what a node calls, and keeps what is there when children are created.
func (f *flow) spread(n *Node) {
	f.each(n, func(at cir.Located, s Set) {
		in, ok := at.(cir.Instr)
		if !ok {
			return
		}
		for _, k := range f.created(n, in).kids {
			f.born[k] = f.born[k].or(s)
		}
		switch in := in.(type) {
		case *cir.Call:
			to := f.r.Calls(f.t, n, in)
			if n.outside[in] { // one after the other
				for _, m := range to {
					s = s.or(f.at[m].sum.adds)
				}
			}
			for _, m := range to {
				f.enter(m, s)
			}
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit {
				f.atEnd = f.atEnd.or(s)
			}
		}
	})
}

// each calls visit for the instructions of a node that may be reached, with what may be running before.
func (f *flow) each(n *Node, visit func(in cir.Located, s Set)) {
	entry := f.at[n].entry
	if !n.effect {
		for _, b := range n.Fn.Blocks {
			if !f.r.graph.pts.Comes(n.Fn, b) {
				continue
			}
			for _, in := range b.Instrs {
				visit(in, entry)
			}
			visit(b.Term, entry)
		}
		return
	}
	before := f.before(n)
	for i, b := range n.Fn.Blocks {
		e := before[i]
		if !f.r.graph.pts.Comes(n.Fn, b) {
			continue
		}
		for _, in := range b.Instrs {
			if e.ends {
				break
			}
			visit(in, e.on(entry))
			e = e.then(f.effectOf(n, in))
		}
		if !e.ends {
			visit(b.Term, e.on(entry))
		}
	}
}

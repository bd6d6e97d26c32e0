package specialise

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/scan/pointsto"
)

// loopAt is a loop in a copy of its function.
type loopAt struct {
	l    *loop
	path string
}

// mark is a state that building can go back to.
type mark struct {
	locs, edges, threads, boundeds, held int
	at                                   *loc // the current location, and whether it is atomic
	atomic                               bool
	visits                               int
	assumptions                          map[string]bool
	cut, asserts                         bool
	rets, left, made                     int
	waiting                              []map[*cir.Block]int
	backs                                []int
	ends                                 int
	stack                                int
	ended                                map[*object]bool // of the current function's objects
}

// mark remembers the state.
func (b *builder) mark() mark {
	m := mark{locs: len(b.th.locs), edges: len(b.th.edges), threads: len(b.threads), boundeds: len(b.boundeds), held: len(b.held),
		visits: len(b.visited), assumptions: maps.Clone(b.assumptions), cut: b.cutCreates, asserts: b.hasAsserts, rets: len(b.fr.rets), left: len(b.left), made: len(b.made), ends: len(b.th.ends),
		stack: len(b.fr.stack), ended: map[*object]bool{}}
	for _, o := range b.fr.objects() {
		m.ended[o] = o.ended
	}
	if b.cur != nil {
		m.at, m.atomic = b.cur.at, b.cur.at.atomic
	}
	for _, s := range b.scopes {
		w := map[*cir.Block]int{}
		for k, as := range s.waiting {
			w[k] = len(as)
		}
		m.waiting = append(m.waiting, w)
		m.backs = append(m.backs, len(s.back))
	}
	return m
}

// takeBack undoes all since a mark. Variables and objects made meanwhile stay, unused. The locals among them are those that the function goes on
// with, so these have been made.
func (b *builder) takeBack(m mark) {
	for _, e := range b.th.edges[m.edges:] {
		e.from.outs--
	}
	if m.at != nil {
		m.at.atomic = m.atomic
	}
	b.th.locs, b.th.edges = b.th.locs[:m.locs], b.th.edges[:m.edges]
	b.threads, b.boundeds, b.held = b.threads[:m.threads], b.boundeds[:m.boundeds], b.held[:m.held]
	for _, place := range b.visited[m.visits:] {
		b.visits[place]--
	}
	b.visited = b.visited[:m.visits]
	b.assumptions, b.cutCreates, b.hasAsserts = m.assumptions, m.cut, m.asserts
	b.fr.rets, b.th.ends = b.fr.rets[:m.rets], b.th.ends[:m.ends]
	b.left, b.fr.stack = b.left[:m.left], b.fr.stack[:m.stack]
	kept := map[string]bool{}
	for _, o := range b.fr.objects() {
		o.ended, kept[o.key] = m.ended[o], true
	}
	made := b.made[m.made:]
	b.made = b.made[:m.made]
	for _, bp := range made {
		if kept[bp.key] {
			b.made = append(b.made, bp)
		}
	}
	b.scopes = b.scopes[:len(m.waiting)]
	for i, s := range b.scopes {
		for k, as := range s.waiting {
			s.waiting[k] = as[:m.waiting[i][k]]
		}
		s.back = s.back[:m.backs[i]]
	}
}

// loop runs a loop: unrolled if constants decide it, cut off after some turns if it makes threads, otherwise as a loop.
func (b *builder) loop(l *loop) {
	sc := b.scopes[len(b.scopes)-1]
	var in []arrival
	for _, e := range l.entries {
		in = append(in, sc.waiting[e]...)
	}
	if len(in) == 0 {
		return
	}
	if len(l.entries) > 1 {
		b.irreducible(l, sc)
		return
	}
	as := sc.waiting[l.head]
	delete(sc.waiting, l.head)
	b.arrive(l.head, as)
	if b.cur == nil {
		return
	}
	creates := b.creates(l)
	start := b.cur
	if b.unroll(l, start.clone(), creates) {
		return
	}
	b.cur = start
	if creates && !b.opts.Parametric {
		b.cut(l)
		return
	}
	b.ordinary(l)
}

// creates reports whether threads may be created in a loop.
func (b *builder) creates(l *loop) bool { return b.pts.Creates(b.fr.fn, b.fr.ctx, l.list) }

// turn runs the blocks of a loop once, from the current flow at its head on, and returns its scope.
func (b *builder) turn(l *loop) *scope {
	b.goOn()
	s := &scope{blocks: l.blocks, head: l.head, waiting: map[*cir.Block][]arrival{}, fn: b.fr}
	b.scopes = append(b.scopes, s)
	for _, it := range l.items {
		switch {
		case it.loop != nil:
			b.loop(it.loop)
		case it.block == l.head:
			b.block(it.block)
		default:
			as := s.waiting[it.block]
			delete(s.waiting, it.block)
			b.arrive(it.block, as)
			b.block(it.block)
		}
	}
	b.scopes = b.scopes[:len(b.scopes)-1]
	return s
}

// unroll runs a loop turn by turn as long as constants decide whether there is another one. If they
// do not, or it takes too long, it takes everything back and returns false.
func (b *builder) unroll(l *loop, start *flow, creates bool) bool {
	if b.tooLarge[loopAt{l, b.fr.path}] && !creates {
		return false
	}
	m := b.mark()
	b.cur = start
	limit := b.opts.UnrollLimit
	if creates && b.opts.Parametric || b.joinsUnknown(l) {
		limit = min(limit, maxSingle)
	}
	for i := 0; ; i++ {
		s := b.turn(l)
		if len(s.back) == 0 {
			return true
		}
		if !s.decided || i >= limit || len(b.th.locs)-m.locs > maxUnrolled {
			b.takeBack(m)
			b.tooLarge[loopAt{l, b.fr.path}] = true
			return false
		}
		b.arrive(l.head, s.back)
		if b.cur == nil {
			return true
		}
	}
}

// joinsUnknown reports whether a loop may wait for threads that all are replicated: it does the same in all its turns.
func (b *builder) joinsUnknown(l *loop) bool {
	return b.opts.Parametric && len(b.numbered()) == 1 && b.pts.Joins(b.fr.fn, b.fr.ctx, l.list)
}

// maxSingle is the number of turns up to which a loop with constant bounds creates single threads, where others are replicated.
const maxSingle = 4

// cut runs a loop that creates threads: a bounded number of turns.
func (b *builder) cut(l *loop) {
	n := b.opts.MaxThreads
	site := b.site
	for i := 0; i <= n && b.cur != nil; i++ {
		if i == n {
			b.lastTurn(l, n, site)
			return
		}
		s := b.turn(l)
		b.arrive(l.head, s.back)
	}
}

// lastTurn runs the test of a loop that is cut off: only ways out of it that create no more threads count.
func (b *builder) lastTurn(l *loop, n int, site *cir.Site) {
	b.full = fmt.Sprintf("at most %d threads are created by the loop at %s", n, loopPlace(l, site))
	s := b.turn(l)
	if len(s.back) > 0 {
		b.cutCreates = true
		b.bounded(b.full)
	}
	b.full = ""
	b.cur = nil
}

// loopPlace returns where a loop stands.
func loopPlace(l *loop, site *cir.Site) cir.Pos {
	if s := l.head.Term.Meta().Site; s != nil {
		if s.Stmt != nil {
			return s.Stmt.Pos
		}
		return s.Pos
	}
	if site != nil {
		return site.Pos
	}
	return cir.Pos{}
}

// ordinary runs a loop as a loop.
func (b *builder) ordinary(l *loop) {
	b.forget(l.list)
	// What is needed in the loop must mean the same in each turn.
	b.settleAll()
	params := slices.Clone(l.head.Params)
	temps := b.headTemps(params)
	head := b.newLocHere()
	b.newEdge(b.cur.at, head, "")
	b.cur.at = head
	start := b.cur.clone()
	b.loopInHandler()
	b.loops++
	s := b.turn(l)
	b.loops--
	for _, a := range s.back {
		b.jumpBack(a, start, params, temps)
	}
	b.cur = nil
}

// headTemps gives the parameters of a loop's head variables of their own.
func (b *builder) headTemps(params []*cir.Reg) []*ir.Var {
	var temps []*ir.Var
	for _, p := range params {
		v := b.cur.regs[p.Index]
		tmp := b.newTemp(irType(p.Type))
		b.emit("", append(assumes(v.side), ir.AssignCmd(tmp, v.t))...)
		b.cur.regs[p.Index] = &value{typ: p.Type, t: tmp.Sym, site: v.site}
		delete(b.cur.consts, tmp)
		temps = append(temps, tmp)
	}
	return temps
}

// jumpBack lets a flow go on at the head of its loop.
func (b *builder) jumpBack(a arrival, start *flow, params []*cir.Reg, temps []*ir.Var) {
	b.cur = a.f
	if b.cur.depth != start.depth {
		b.fail("an atomic section begins or ends within a loop")
	}
	var cmds []ir.Cmd
	for i := range params {
		v := a.args[i]
		if v.t == temps[i].Sym {
			continue
		}
		cmds = append(cmds, assumes(v.side)...)
		cmds = append(cmds, ir.AssignCmd(temps[i], v.t))
	}
	if len(temps) > 1 && len(cmds) > 1 { // they are assigned at once
		cmds = b.parallel(a, temps)
	}
	if len(cmds) > 0 {
		b.emit("", cmds...)
	}
	b.agreeUndefAt(start)
	b.newEdge(b.cur.at, start.at, "")
}

// parallel assigns several temporaries whose new values may mention one another.
func (b *builder) parallel(a arrival, temps []*ir.Var) []ir.Cmd {
	var cmds []ir.Cmd
	mark := b.hold(a.args...)
	for _, t := range temps { // they are assigned here: no value may be kept in one of them
		b.hold(b.val(cir.I64, t.Sym))
	}
	for i := range a.args {
		v := b.held[mark+i]
		if v.t != temps[i].Sym && b.dependsOn(v, temps) {
			b.held[mark+i] = b.materialise(v)
		}
	}
	for i := range a.args {
		v := b.held[mark+i]
		if v.t != temps[i].Sym {
			cmds = append(cmds, assumes(v.side)...)
			cmds = append(cmds, ir.AssignCmd(temps[i], v.t))
		}
	}
	b.release(mark)
	return cmds
}

// agreeUndefAt makes what holds nothing here, but something at the head of a loop, any value.
func (b *builder) agreeUndefAt(head *flow) {
	var cells []*cell
	for c := range b.cur.undef {
		if !head.undef[c] {
			cells = append(cells, c)
		}
	}
	slices.SortFunc(cells, func(x, y *cell) int { return x.v.Index - y.v.Index })
	for _, c := range cells {
		b.emit("", b.unsetCmd(c))
	}
}

// forget drops what blocks of the current function may change.
func (b *builder) forget(blocks []*cir.Block) {
	b.publishAll()
	b.seesAll()
	clear(b.cur.newest)
	b.cur.lists = map[*object]vaList{}
	changed := map[*pointsto.Object]bool{}
	b.pts.Modified(b.fr.fn, b.fr.ctx, blocks, changed)
	b.cur.wrote = b.cur.wrote.and(&wrote{objects: changed})
	if b.pts.Creates(b.fr.fn, b.fr.ctx, blocks) {
		b.leaveAlone()
	}
	for v := range b.cur.consts {
		if c := b.cellOf[v]; c != nil && (c.obj.abs == nil || changed[c.obj.abs]) {
			delete(b.cur.consts, v)
		}
	}
	var cells []*cell
	for c := range b.cur.undef {
		if c.obj.abs == nil || changed[c.obj.abs] {
			cells = append(cells, c)
		}
	}
	slices.SortFunc(cells, func(x, y *cell) int { return x.v.Index - y.v.Index })
	for _, c := range cells {
		b.settle(false, c.v)
		b.emit("", b.unsetCmd(c))
		delete(b.cur.consts, c.v)
	}
}

// forgetAll drops all that is known of memory.
func (b *builder) forgetAll() {
	b.publishAll()
	b.seesAll()
	clear(b.cur.newest)
	b.cur.lists = map[*object]vaList{}
	b.agreeUndefAt(&flow{})
	b.cur.wrote = &wrote{any: true}
	b.leaveAlone()
	b.cur.consts = map[*ir.Var]*value{}
	b.cur.undef = map[*cell]bool{}
	clear(b.cur.set)
}

// irreducible runs a loop that is entered at several places: every block of it is a head.
func (b *builder) irreducible(l *loop, sc *scope) {
	if b.creates(l) && !b.opts.Parametric {
		b.fail("threads are created in a loop that is entered at several places")
	}
	heads := map[*cir.Block]*flow{}
	temps := map[*cir.Block][]*ir.Var{}
	b.loopInHandler()
	b.loops++
	defer func() { b.loops-- }()
	for _, x := range l.entries {
		as := sc.waiting[x]
		delete(sc.waiting, x)
		b.arrive(x, as)
		b.enterHead(l, x, heads, temps)
	}
	// Blocks are run as they are reached, each once; what they need is in temporaries.
	done := map[*cir.Block]bool{}
	for again := true; again; {
		again = false
		for _, x := range l.list {
			if heads[x] == nil || done[x] {
				continue
			}
			done[x], again = true, true
			b.runHead(l, x, heads, temps)
		}
	}
	b.cur = nil
}

// enterHead makes the current flow the one that a block of an irreducible loop begins with, or leads it there.
func (b *builder) enterHead(l *loop, x *cir.Block, heads map[*cir.Block]*flow, temps map[*cir.Block][]*ir.Var) {
	if b.cur == nil {
		return
	}
	live := slices.Sorted(maps.Keys(b.fr.shape.liveIn[x.Index]))
	for _, p := range x.Params {
		live = append(live, p.Index)
	}
	if h := heads[x]; h != nil {
		var cmds []ir.Cmd
		for i, r := range live {
			v := b.steady(b.cur.regs[r])
			if v.t != temps[x][i].Sym {
				cmds = append(cmds, ir.AssignCmd(temps[x][i], v.t))
			}
		}
		if len(cmds) > 0 {
			b.emit("", cmds...)
		}
		b.newEdge(b.cur.at, h.at, "")
		b.cur = nil
		return
	}
	b.forgetAll()
	for _, r := range live {
		v := b.cur.regs[r]
		tmp := b.newVar(fmt.Sprintf("t%d.tmp", b.th.index), "", irType(v.typ), b.th.index)
		b.emit("", append(assumes(v.side), ir.AssignCmd(tmp, v.t))...)
		delete(b.cur.consts, tmp)
		b.cur.regs[r] = &value{typ: v.typ, t: tmp.Sym, site: v.site}
		temps[x] = append(temps[x], tmp)
	}
	head := b.newLocHere()
	b.newEdge(b.cur.at, head, "")
	b.cur.at = head
	heads[x] = b.cur
	b.cur = nil
}

// runHead runs one block of an irreducible loop.
func (b *builder) runHead(l *loop, x *cir.Block, heads map[*cir.Block]*flow, temps map[*cir.Block][]*ir.Var) {
	b.cur = heads[x].clone()
	s := &scope{blocks: l.blocks, waiting: map[*cir.Block][]arrival{}, fn: b.fr}
	b.scopes = append(b.scopes, s)
	b.block(x)
	b.scopes = b.scopes[:len(b.scopes)-1]
	for _, y := range l.list {
		for _, a := range s.waiting[y] {
			b.cur = a.f
			b.keepOnly(y)
			for i, p := range y.Params {
				b.cur.regs[p.Index] = a.args[i]
			}
			b.enterHead(l, y, heads, temps)
		}
	}
}

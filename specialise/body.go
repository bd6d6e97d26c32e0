package specialise

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// arrival is a flow that goes on at a block, with the values for its parameters.
type arrival struct {
	f    *flow
	args []*value
}

// scope collects the arrivals at blocks that are visited later: of a function, or of one turn of a loop.
type scope struct {
	blocks  map[*cir.Block]bool // nil: all of the function
	head    *cir.Block          // jumps to it are back
	waiting map[*cir.Block][]arrival
	back    []arrival
	fn      *frame
	decided bool // a branch that may leave the loop was decided by constants
	open    bool // a branch that may leave it was not
}

// deliver lets the current flow go on at a block.
func (b *builder) deliver(to *cir.Block, args []*value) {
	if b.cur == nil {
		return
	}
	a := arrival{b.cur, args}
	b.cur = nil
	for i := len(b.scopes) - 1; i >= 0; i-- {
		s := b.scopes[i]
		if s.fn != b.fr {
			break
		}
		if s.head == to {
			s.back = append(s.back, a)
			return
		}
		if s.blocks == nil || s.blocks[to] {
			s.waiting[to] = append(s.waiting[to], a)
			return
		}
	}
	b.bugf("a jump to nowhere")
}

// body runs the current frame's function from its entry on.
func (b *builder) body() {
	s := b.fr.shape
	b.scopes = append(b.scopes, &scope{waiting: map[*cir.Block][]arrival{}, fn: b.fr})
	b.begins()
	b.deliver(b.fr.fn.Blocks[0], nil)
	b.items(s.items)
	b.scopes = b.scopes[:len(b.scopes)-1]
}

func (b *builder) items(items []item) {
	for _, it := range items {
		sc := b.scopes[len(b.scopes)-1]
		if it.loop != nil {
			b.loop(it.loop)
			continue
		}
		as := sc.waiting[it.block]
		delete(sc.waiting, it.block)
		b.arrive(it.block, as)
		b.block(it.block)
	}
}

// arrive lets flows meet at a block.
func (b *builder) arrive(to *cir.Block, as []arrival) {
	b.cur = nil
	as = slices.DeleteFunc(slices.Clone(as), func(a arrival) bool { return a.f == nil })
	switch len(as) {
	case 0:
		return
	case 1:
		b.cur = as[0].f
		b.keepOnly(to)
		for i, p := range to.Params {
			b.cur.regs[p.Index] = as[0].args[i]
		}
		return
	}
	b.meet(to, as)
}

// keepOnly forgets the registers that are not needed from a block on.
func (b *builder) keepOnly(to *cir.Block) {
	live := b.fr.shape.liveIn[to.Index]
	for r := range b.cur.regs {
		if !live[r] {
			delete(b.cur.regs, r)
		}
	}
}

// meet joins flows at a block.
func (b *builder) meet(to *cir.Block, as []arrival) {
	var regs []int
	for r := range b.fr.shape.liveIn[to.Index] {
		regs = append(regs, r)
	}
	sortInts(regs)
	flows := make([]*flow, len(as))
	for i, a := range as {
		f := a.f
		flows[i] = f
		for k, p := range to.Params {
			f.regs[p.Index] = a.args[k]
		}
	}
	for _, p := range to.Params {
		regs = append(regs, p.Index)
	}
	b.joinFlows(flows, regs)
}

// joinFlows lets flows meet, with these registers kept.
func (b *builder) joinFlows(flows []*flow, regs []int) {
	b.agreeUndef(flows)
	merged := map[int]*value{}
	for _, r := range regs {
		merged[r] = b.mergeReg(flows, r)
	}
	out := &flow{depth: flows[0].depth, regs: merged, consts: map[*ir.Var]*value{}, undef: flows[0].undef, unescaped: map[*object]bool{}, alone: true, wrote: flows[0].wrote, set: maps.Clone(flows[0].set)}
	for _, f := range flows {
		out.seen = union(out.seen, f.seen)
		maps.DeleteFunc(out.set, func(s *stretch, _ bool) bool { return !f.set[s] })
		out.alone = out.alone && f.alone
		out.wrote = out.wrote.and(f.wrote)
	}
	for _, f := range flows {
		if f.alone && !out.alone {
			b.noteLeaving(f)
		}
	}
	for v, c := range flows[0].consts {
		same := true
		for _, f := range flows[1:] {
			d := f.consts[v]
			same = same && d != nil && d.t == c.t
		}
		if same {
			out.consts[v] = c
		}
	}
	for o := range flows[0].unescaped {
		if !slices.ContainsFunc(flows[1:], func(f *flow) bool { return !f.unescaped[o] }) {
			out.unescaped[o] = true
		}
	}
	for _, f := range flows {
		for _, o := range f.unescapedOnes() {
			if !out.unescaped[o] {
				b.notePublished(f, o)
			}
		}
	}
	out.lists = sameLists(flows)
	out.jumps, out.newest = sameJumps(flows), agreeNewest(flows)
	target := b.th.newLoc(b.irPos())
	target.atomic = out.depth > 0
	for _, f := range flows {
		if f.depth != out.depth {
			b.fail("control meets here from inside and from outside of an atomic section")
		}
		b.newEdge(f.at, target, "")
	}
	out.at = target
	b.cur = out
}

// sameLists returns the lists of arguments that stand at the same place in all flows.
func sameLists(flows []*flow) map[*object]vaList {
	same := map[*object]vaList{}
	for o, l := range flows[0].lists {
		ok := true
		for _, f := range flows[1:] {
			m, has := f.lists[o]
			ok = ok && has && m.next == l.next && len(m.rest) == len(l.rest) && (len(l.rest) == 0 || &m.rest[0] == &l.rest[0])
		}
		if ok {
			same[o] = l
		}
	}
	return same
}

// mergeReg returns the value of a register where flows meet, in a temporary if it is not the same in all.
func (b *builder) mergeReg(flows []*flow, r int) *value {
	first := flows[0].regs[r]
	if first == nil {
		b.bugf("register %%%d has no value where flows meet", r)
	}
	same := true
	for _, f := range flows[1:] {
		same = same && f.regs[r] != nil && f.regs[r].same(first)
	}
	if same {
		return first
	}
	b.cur = nil
	tmp := b.newTemp(irType(first.typ), flows...)
	w := &value{typ: first.typ, t: tmp.Sym, site: first.site}
	var rng interval
	for i, f := range flows {
		b.cur = f
		b.settle(false, tmp)
		v := f.regs[r]
		b.emit("", append(assumes(v.side), ir.AssignCmd(tmp, v.t))...)
		if x := v.bounds(); i == 0 {
			rng = x
		} else {
			rng = rng.hull(x)
		}
	}
	// From here on the temporary is in use in each of the flows.
	for _, f := range flows {
		f.regs[r] = w
	}
	w.rng = &rng
	b.cur = nil
	return w
}

// agreeUndef makes what holds nothing yet in some flows hold any value there, if it holds something in others.
func (b *builder) agreeUndef(flows []*flow) {
	all := map[*cell]bool{}
	for c := range flows[0].undef {
		all[c] = true
	}
	for _, f := range flows[1:] {
		for c := range all {
			if !f.undef[c] {
				delete(all, c)
			}
		}
	}
	for _, f := range flows {
		var cmds []ir.Cmd
		for c := range f.undef {
			if !all[c] {
				cmds = append(cmds, b.unsetCmd(c))
			}
		}
		if len(cmds) == 0 {
			continue
		}
		slices.SortFunc(cmds, func(x, y ir.Cmd) int { return x.Var.Index - y.Var.Index })
		b.cur = f
		var vars []*ir.Var
		for _, c := range cmds {
			vars = append(vars, c.Var)
		}
		b.settle(false, vars...)
		for _, c := range cmds {
			b.emit("", c)
		}
	}
	b.cur = nil
}

// block runs a block.
func (b *builder) block(x *cir.Block) {
	last := b.fr.shape.lastUse[x.Index]
	section := 0 // where the statement that is one step ends
	for k, in := range x.Instrs {
		if b.cur == nil {
			return
		}
		if b.opts.AtomicStatements && !b.fr.fn.Library {
			section = b.statement(x, k, section)
		}
		b.site, b.blk, b.step = in.Meta().Site, x, k
		b.origin, b.running = b.numbers[in], in
		b.instr(in)
		if b.cur == nil {
			return
		}
		for r := range b.cur.regs {
			if at, ok := last[r]; ok && at <= k {
				delete(b.cur.regs, r)
			}
		}
	}
	if section > 0 {
		b.leaveAtomic()
	}
	if b.cur != nil {
		if s := x.Term.Meta().Site; s != nil {
			b.site = s
		}
		b.origin, b.running = b.numbers[x.Term], nil
		b.term(x.Term)
	}
}

// statement begins and ends the steps that statements without calls are (Options.AtomicStatements): end is where the one that is
// under way ends, 0 if there is none. It returns the new end.
func (b *builder) statement(x *cir.Block, k, end int) int {
	if end > 0 {
		if k < end {
			return end
		}
		b.leaveAtomic()
	}
	root := rootOf(x.Instrs[k])
	n := k
	for ; n < len(x.Instrs) && rootOf(x.Instrs[n]) == root; n++ {
		switch x.Instrs[n].(type) {
		case *cir.Call, *cir.Intrinsic:
			return 0
		}
	}
	if root == nil || n == k+1 && n < len(x.Instrs) {
		return 0
	}
	b.settle(true)
	b.cur.depth++
	return n
}

// rootOf returns the statement or full expression that an instruction belongs to.
func rootOf(in cir.Instr) *cir.Site {
	s := in.Meta().Site
	if s != nil && s.Stmt != nil {
		return s.Stmt
	}
	return s
}

// term runs a terminator.
func (b *builder) term(t cir.Term) {
	switch t := t.(type) {
	case *cir.Jump:
		b.deliver(t.To, b.operands(t.Args))
	case *cir.Branch:
		b.branch(t)
	case *cir.Switch:
		b.switches(t)
	case *cir.IndirectJump:
		b.indirect(t)
	case *cir.Return:
		var v *value
		if t.X != nil {
			v = b.operand(t.X)
			if b.fr.fn.Result.Shape != nil {
				b.copyResult(v, t)
				v = nil
			}
		}
		if b.cur != nil {
			b.fr.rets = append(b.fr.rets, ret{b.cur, v})
			b.cur = nil
		}
	case *cir.Unreachable:
		b.unreachable(t)
	}
}

// unreachable ends a flow that C gives no meaning: nothing is said of executions that get here.
func (b *builder) unreachable(t *cir.Unreachable) {
	b.stop()
}

// stop ends the flow as the end of the program does: nothing comes after it.
func (b *builder) stop() {
	if b.cur != nil {
		b.cur.at.dead = true
		b.cur = nil
	}
}

func (b *builder) operands(vs []cir.Value) []*value {
	out := make([]*value, len(vs))
	for i, v := range vs {
		out[i] = b.operand(v)
	}
	return out
}

// branch runs a conditional jump.
func (b *builder) branch(t *cir.Branch) {
	c := b.operand(t.Cond)
	cond := b.truth(c)
	if k, ok := c.constant(); ok || cond.IsTrue() || cond.IsFalse() {
		_ = k
		to, args, other := t.Then, t.ThenArgs, t.Else
		if cond.IsFalse() {
			to, args, other = t.Else, t.ElseArgs, t.Then
		}
		b.noteExit(other, true)
		b.sides(c)
		b.deliver(to, b.operands(args))
		return
	}
	if b.foldBranch(t, c) {
		return
	}
	b.noteExit(t.Then, false)
	b.noteExit(t.Else, false)
	thenArgs, elseArgs := b.operands(t.ThenArgs), b.operands(t.ElseArgs)
	mark := b.hold(slices.Concat(thenArgs, elseArgs)...)
	b.dropDead(t)
	c = b.settleFor(c)
	thenArgs, elseArgs = slices.Clone(b.held[mark:mark+len(thenArgs)]), slices.Clone(b.held[mark+len(thenArgs):])
	b.release(mark)
	yes, no := b.split(b.truth(c), c.side)
	b.cur = yes
	b.deliver(t.Then, thenArgs)
	b.cur = no
	b.deliver(t.Else, elseArgs)
}

// dropDead forgets the registers that are not needed after a branch.
func (b *builder) dropDead(t cir.Term) {
	live := map[int]bool{}
	cir.Succs(t, func(to *cir.Block, _ []cir.Value) {
		for r := range b.fr.shape.liveIn[to.Index] {
			live[r] = true
		}
	})
	for r := range b.cur.regs {
		if !live[r] {
			delete(b.cur.regs, r)
		}
	}
}

// settleFor makes sure that a step that evaluates c is the only one that reads what c reads of shared memory, and
// returns c's value for it.
func (b *builder) settleFor(c *value) *value {
	if !b.pending(c) {
		return c
	}
	mark := b.hold(c)
	for _, r := range b.needed() {
		if b.cur.regs[r] == b.held[mark] {
			b.detach(b.held[mark]) // it is used again later
		}
	}
	for _, r := range b.needed() {
		if v := b.cur.regs[r]; b.pending(v) {
			b.detach(v)
		}
	}
	for i := 0; i < mark; i++ {
		if v := b.held[i]; v != nil && b.pending(v) {
			b.detach(v)
		}
	}
	c = b.held[mark]
	b.release(mark)
	return c
}

// sides assumes what has to hold for a value whose term is not needed.
func (b *builder) sides(v *value) {
	if len(v.side) > 0 && b.cur != nil {
		b.emit("", assumes(v.side)...)
	}
}

// split branches on a condition.
func (b *builder) split(cond *logic.Term, side []*logic.Term) (yes, no *flow) {
	from := b.cur
	text := b.text()
	yes, no = from.clone(), from.clone()
	b.cur = yes
	b.emit(text, append(assumes(side), ir.AssumeCmd(cond))...)
	yes = b.cur
	b.cur = no
	if b.fr.user == nil { // of the library, only the call is shown
		text = "!(" + text + ")"
	}
	b.emit(text, append(assumes(side), ir.AssumeCmd(b.L.Not(cond)))...)
	return yes, b.cur
}

// noteExit notes for the loops around whether a branch that may leave them was decided. other is the
// block that a decided one does not go to.
func (b *builder) noteExit(to *cir.Block, decided bool) {
	for i := len(b.scopes) - 1; i >= 0; i-- {
		s := b.scopes[i]
		if s.fn != b.fr {
			return
		}
		if s.blocks == nil || s.blocks[to] || s.head == to {
			return
		}
		if decided {
			s.decided = true
		} else {
			s.open = true
		}
	}
}

// switches runs a switch.
func (b *builder) switches(t *cir.Switch) {
	v := b.operand(t.X)
	if k, ok := v.constant(); ok {
		to := t.Default
		for _, c := range t.Cases {
			if logic.BigValue(c.Lo.Big()).Cmp(k) <= 0 && k.Cmp(logic.BigValue(c.Hi.Big())) <= 0 {
				to = c.To
			}
		}
		b.noteExit(t.Default, true)
		b.deliver(to, nil)
		return
	}
	b.dropDead(t)
	v = b.settleFor(v)
	conds := map[*cir.Block]*logic.Term{}
	var order []*cir.Block
	rest := b.L.True()
	for _, c := range t.Cases {
		in := b.L.And(b.L.Le(b.bigOf(c.Lo), v.t), b.L.Le(v.t, b.bigOf(c.Hi)))
		if c.Lo == c.Hi {
			in = b.L.Eq(v.t, b.bigOf(c.Lo))
		}
		if conds[c.To] == nil {
			conds[c.To] = b.L.False()
			order = append(order, c.To)
		}
		conds[c.To] = b.L.Or(conds[c.To], in)
		rest = b.L.And(rest, b.L.Not(in))
	}
	if conds[t.Default] == nil {
		conds[t.Default] = b.L.False()
		order = append(order, t.Default)
	}
	conds[t.Default] = b.L.Or(conds[t.Default], rest)
	from := b.cur
	for _, to := range order {
		b.noteExit(to, false)
		if conds[to].IsFalse() {
			continue
		}
		b.cur = from.clone()
		b.emit(fmt.Sprintf("switch (%s)", b.text()), append(assumes(v.side), ir.AssumeCmd(conds[to]))...)
		b.deliver(to, nil)
	}
	b.cur = nil
}

// indirect runs a jump to a label whose address is a value.
func (b *builder) indirect(t *cir.IndirectJump) {
	v := b.operand(t.X)
	if k, ok := v.constant(); ok {
		for _, to := range t.Targets {
			if k == logic.IntValue(b.label(b.fr.fn, to).addr) {
				b.deliver(to, nil)
				return
			}
		}
		b.stop()
		return
	}
	b.dropDead(t)
	v = b.steady(v)
	from := b.cur
	for _, to := range t.Targets {
		b.cur = from.clone()
		b.emit(b.text(), ir.AssumeCmd(b.L.Eq(v.t, b.L.Int(b.label(b.fr.fn, to).addr))))
		b.deliver(to, nil)
	}
	b.cur = nil
}

func sortInts(rs []int) { slices.Sort(rs) }

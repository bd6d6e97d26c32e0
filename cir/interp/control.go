package interp

import (
	"sort"

	"comus/cir"
)

// term makes a terminator's code.
func (c *compiler) term(in cir.Term) {
	switch in := in.(type) {
	case *cir.Jump:
		c.jump(in.To, in.Args, inst{x: &extra{flow: flowCall}})
	case *cir.Branch:
		c.branch(in)
	case *cir.Switch:
		c.doSwitch(in)
	case *cir.IndirectJump:
		c.address(in.X)
		x := &extra{flow: flowBranch}
		for _, b := range in.Targets {
			x.pcs = append(x.pcs, c.target(b))
			x.args = append(x.args, int32(b.Index))
			if len(b.Params) > 0 {
				c.bad("an indirect jump to a block with parameters")
			}
		}
		c.patches = append(c.patches, &x.pcs)
		c.emit(inst{do: doIndirect, a: c.arg(in.X), x: x})
	case *cir.Return:
		c.ret(in)
	case *cir.Unreachable:
		why := in.Why
		if why == "" {
			why = "unreachable"
		}
		c.emit(inst{do: doUnreachable, x: &extra{flow: flowCall, why: why}})
	default:
		c.bad("end %T of a block", in)
	}
}

// target returns a block's number.
func (c *compiler) target(b *cir.Block) int32 {
	if b == nil || b.Index < 0 || b.Index >= len(c.f.Blocks) || c.f.Blocks[b.Index] != b {
		c.bad("a jump to a block that is none of the function's")
	}
	return int32(b.Index)
}

// jump makes the code of a jump with arguments.
func (c *compiler) jump(to *cir.Block, args []cir.Value, in inst) {
	in.x.pcs = []int32{c.target(to)}
	if len(args) != len(to.Params) {
		c.bad("a jump with %d arguments to block %d, which has %d parameters", len(args), to.Index, len(to.Params))
	}
	in.do = doJump
	isTarget := map[int32]bool{}
	for i, a := range args {
		p := to.Params[i]
		d := c.reg(p)
		c.same(p.Type, c.typ(a))
		in.x.moves = append(in.x.moves, move{d, c.arg(a)})
		isTarget[d] = true
	}
	if len(args) > 0 {
		in.do = doJumpMoves
	}
	for _, m := range in.x.moves {
		if isTarget[m.from] && len(args) > 1 {
			in.do = doJumpParallel
		}
	}
	c.patches = append(c.patches, &in.x.pcs)
	c.emit(in)
}

func doJump(t *thread, f *frame, in *inst) bool {
	f.pc = in.x.pcs[0]
	return true
}

func doJumpMoves(t *thread, f *frame, in *inst) bool {
	for _, m := range in.x.moves {
		f.s[m.to] = f.s[m.from]
		if f.tainted {
			f.taint[m.to] = f.taint[m.from]
		}
	}
	f.pc = in.x.pcs[0]
	return true
}

func doJumpParallel(t *thread, f *frame, in *inst) bool {
	n := len(in.x.moves)
	s, u := make([]slot, n), make([]uint64, n)
	for i, m := range in.x.moves {
		s[i] = f.s[m.from]
		if f.tainted {
			u[i] = f.taint[m.from]
		}
	}
	for i, m := range in.x.moves {
		f.s[m.to] = s[i]
		if f.tainted {
			f.taint[m.to] = u[i]
		}
	}
	f.pc = in.x.pcs[0]
	return true
}

// branch makes a Branch's code. Sides with arguments become jumps of their own, behind it.
func (c *compiler) branch(in *cir.Branch) {
	if t := c.integer(in.Cond); t.Bits != 1 {
		c.bad("a branch on a %s", t)
	}
	x := &extra{flow: flowBranch, pcs: []int32{c.target(in.Then), c.target(in.Else)}}
	cond := c.arg(in.Cond)
	c.emit(inst{do: doBranch, a: cond, x: x})
	c.traced(len(c.code)-1, in)
	side := func(i int, to *cir.Block, args []cir.Value) {
		if len(args) == 0 && len(to.Params) == 0 {
			return
		}
		x.pcs[i] = -int32(len(c.code)) - 1
		c.jump(to, args, inst{x: &extra{flow: flowCall}})
		if do := c.code[len(c.code)-1].do; do != nil {
			c.code[len(c.code)-1].do = freely(do)
		}
	}
	side(0, in.Then, in.ThenArgs)
	side(1, in.Else, in.ElseArgs)
	c.branches = append(c.branches, x)
}

// freely is a handler that is no step.
func freely(do handler) handler {
	return func(t *thread, f *frame, in *inst) bool {
		t.left++
		return do(t, f, in)
	}
}

func doBranch(t *thread, f *frame, in *inst) bool {
	if f.s[in.a].lo != 0 {
		f.pc = in.x.pcs[0]
	} else {
		f.pc = in.x.pcs[1]
	}
	return true
}

// doSwitch makes a Switch's code.
func (c *compiler) doSwitch(in *cir.Switch) {
	t := c.integer(in.X)
	x := &extra{flow: flowBranch, types: []cir.Type{t}, pcs: []int32{c.target(in.Default)}}
	x.cases = append(x.cases, in.Cases...)
	less := func(a, b cir.Int) bool {
		return bigOf(slot{lo: a.Lo, hi: a.Hi}, t).Cmp(bigOf(slot{lo: b.Lo, hi: b.Hi}, t)) < 0
	}
	for i := range x.cases {
		k := &x.cases[i]
		k.Lo.Type, k.Hi.Type = t, t
		k.Lo, k.Hi = k.Lo.Normal(), k.Hi.Normal()
	}
	sort.SliceStable(x.cases, func(i, j int) bool { return less(x.cases[i].Lo, x.cases[j].Lo) })
	for _, k := range x.cases {
		x.pcs = append(x.pcs, c.target(k.To))
		if len(k.To.Params) > 0 {
			c.bad("a switch to a block with parameters")
		}
	}
	c.patches = append(c.patches, &x.pcs)
	do := handler(switchWide)
	if t.Bits <= 64 {
		do = switchUnsigned
		if t.Signed {
			do = switchSigned
		}
	}
	c.emit(inst{do: do, a: c.arg(in.X), x: x})
}

func switchSigned(t *thread, f *frame, in *inst) bool {
	v, cs := int64(f.s[in.a].lo), in.x.cases
	i := sort.Search(len(cs), func(i int) bool { return int64(cs[i].Lo.Lo) > v }) - 1
	if i >= 0 && v <= int64(cs[i].Hi.Lo) {
		f.pc = in.x.pcs[i+1]
	} else {
		f.pc = in.x.pcs[0]
	}
	return true
}

func switchUnsigned(t *thread, f *frame, in *inst) bool {
	v, cs := f.s[in.a].lo, in.x.cases
	i := sort.Search(len(cs), func(i int) bool { return cs[i].Lo.Lo > v }) - 1
	if i >= 0 && v <= cs[i].Hi.Lo {
		f.pc = in.x.pcs[i+1]
	} else {
		f.pc = in.x.pcs[0]
	}
	return true
}

func switchWide(t *thread, f *frame, in *inst) bool {
	ty := in.x.types[0]
	v := bigOf(f.s[in.a], ty)
	f.pc = in.x.pcs[0]
	for i, k := range in.x.cases {
		if bigOf(slot{lo: k.Lo.Lo, hi: k.Lo.Hi}, ty).Cmp(v) <= 0 && bigOf(slot{lo: k.Hi.Lo, hi: k.Hi.Hi}, ty).Cmp(v) >= 0 {
			f.pc = in.x.pcs[i+1]
		}
	}
	return true
}

func doIndirect(t *thread, f *frame, in *inst) bool {
	p := f.s[in.a]
	if p.obj == nil {
		p = t.m.pointerTo(p.lo)
	}
	if o := p.obj; o != nil && o.kind == labelObject && o.owner == f.fn && p.lo%labelStep == 0 {
		for i, b := range in.x.args {
			if uint64(b) == p.lo/labelStep {
				f.pc = in.x.pcs[i]
				return true
			}
		}
	}
	t.m.stop(Undefined, CheckCall, "a computed goto to no label of the function")
	return false
}

func doUnreachable(t *thread, f *frame, in *inst) bool {
	return t.m.undefined(CheckUnreached, in.x.why)
}

// await makes the code of an Await, or AwaitFrom. Outside of an atomic section it starts again where its condition
// is computed, by instructions without effect.
func (c *compiler) await(b *cir.Block, i int, in *cir.Intrinsic) {
	if len(in.Args) < 1 {
		c.bad("await of %d arguments", len(in.Args))
	}
	c.integer(in.Args[0])
	x := &extra{flow: flowBranch, retry: c.retry(b, i, in.Args[0])}
	c.emit(inst{do: doAwait, a: c.arg(in.Args[0]), x: x})
}

// pure reports whether an instruction has no effect but its result.
func pure(in cir.Instr) bool {
	switch in.(type) {
	case *cir.Unary, *cir.Binary, *cir.Overflow, *cir.Compare, *cir.Convert, *cir.Bitcast, *cir.Select, *cir.Offset, *cir.Distance, *cir.Load:
		return true
	}
	return false
}

// retry returns where to start computing the condition of an await again, that is instruction i of a block:
// the place of an instruction, or -1 for the await itself.
func (c *compiler) retry(b *cir.Block, i int, cond cir.Value) int32 {
	k := i
	for k > 0 && pure(b.Instrs[k-1]) {
		k--
	}
	from := b
	if d := c.before(b); k == 0 && d != nil && c.usesParams(b, i, cond) {
		from, k = d, len(d.Instrs)
		for k > 0 && pure(d.Instrs[k-1]) {
			k--
		}
	}
	if from == b && k == i {
		return -1
	}
	return c.places[place{from.Index, k}]
}

// place is an instruction's place: number k of a block, or its terminator.
type place struct{ block, k int }

// usesParams reports whether a condition is computed from parameters of the block.
func (c *compiler) usesParams(b *cir.Block, i int, cond cir.Value) bool {
	params := map[cir.Value]bool{}
	for _, p := range b.Params {
		params[p] = true
	}
	uses := params[cond]
	for _, in := range b.Instrs[:i] {
		for _, v := range append(kept(in), nil) {
			uses = uses || v != nil && params[v]
		}
	}
	return uses
}

// before returns the block that all ways to b come through last, if everything between is without effect.
func (c *compiler) before(b *cir.Block) *cir.Block {
	region := map[*cir.Block]bool{b: true}
	for range c.f.Blocks {
		var preds []*cir.Block
		for _, p := range c.f.Blocks {
			if region[p] {
				continue
			}
			for _, s := range successors(p.Term) {
				if region[s] {
					preds = append(preds, p)
					break
				}
			}
		}
		if len(preds) == 1 && preds[0].Index < b.Index {
			return preds[0]
		}
		grown := false
		for k := len(preds) - 1; k > 0 && !grown; k-- { // the later ones are nearer
			p := preds[k]
			if all(p.Instrs, pure) {
				region[p], grown = true, true
			}
		}
		if !grown {
			return nil
		}
	}
	return nil
}

// all reports whether f holds for all instructions.
func all(in []cir.Instr, f func(cir.Instr) bool) bool {
	for _, i := range in {
		if !f(i) {
			return false
		}
	}
	return true
}

// successors returns where a terminator leads.
func successors(in cir.Term) []*cir.Block {
	switch in := in.(type) {
	case *cir.Jump:
		return []*cir.Block{in.To}
	case *cir.Branch:
		return []*cir.Block{in.Then, in.Else}
	case *cir.Switch:
		bs := []*cir.Block{in.Default}
		for _, k := range in.Cases {
			bs = append(bs, k.To)
		}
		return bs
	case *cir.IndirectJump:
		return in.Targets
	}
	return nil
}

// doAwait waits until a condition holds.
func doAwait(t *thread, f *frame, in *inst) bool {
	if f.s[in.a].lo != 0 {
		if t.m.opt.Observer != nil {
			t.m.opt.Observer.Waited(0)
		}
		return true
	}
	if t.atomic > 0 {
		return t.block()
	}
	if t.m.opt.Observer != nil {
		t.m.opt.Observer.Fails(false)
	}
	f.pc = in.x.retry
	t.again()
	if t.failed == t.m.version+1 {
		t.waits, t.since = true, t.m.version
	}
	t.failed = t.m.version + 1
	t.ev = yields
	return false
}

// block makes the thread wait until memory changes. What it did of an atomic section, which is nothing that others see, or the
// instruction, is done again then.
func (t *thread) block() bool {
	if t.atomic > 0 {
		if t.m.version != t.began {
			return t.m.fail(errorf("thread %d waits in an atomic section after it changed memory there", t.id))
		}
		for t.fr != nil && t.fr != t.outer && !t.fr.bottom {
			g := t.fr
			t.fr = g.caller
			t.release(g)
		}
		if t.fr != t.outer || t.fr.serial != t.outerSn {
			return t.m.fail(errorf("thread %d waits in an atomic section that another function began", t.id))
		}
		t.fr.pc = t.outerPC
		t.atomic = 0
		t.again()
		if t.hb != nil {
			t.m.races.dropped(t)
		}
		if t.section != nil {
			return t.waitsInExchange()
		}
	} else {
		t.fr.pc--
	}
	t.waits, t.since = true, t.m.version
	t.ev = yields
	if t.m.opt.Observer != nil {
		t.m.opt.Observer.Fails(true)
	}
	if t.m.opt.Circles && t.m.closes(t) {
		t.m.stop(Deadlock, "", "threads wait for one another")
	}
	return false
}

// again tells the tracer that what was done is done again.
func (t *thread) again() {
	if t.m.opt.Tracer != nil {
		t.m.opt.Tracer.Again(t.id)
	}
}

// enter begins an atomic section, at the instruction that is being performed.
func (t *thread) enter(f *frame) {
	if t.atomic == 0 {
		t.outer, t.outerPC, t.outerSn, t.began = f, f.pc-1, f.serial, t.m.version
	}
	t.atomic++
}

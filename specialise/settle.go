package specialise

import (
	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// mentionsShared reports whether a value reads shared variables.
func (b *builder) mentionsShared(v *value) bool {
	for _, s := range logic.FreeVars(v.terms()...) {
		if x := b.symbols[s]; x != nil && x.Thread == ir.Shared {
			return true
		}
	}
	return false
}

// atomicHere reports whether steps may touch several shared locations.
func (b *builder) atomicHere() bool { return b.cur != nil && b.cur.depth > 0 }

// pending reports whether a value still has to read shared memory in a step of its own.
func (b *builder) pending(v *value) bool { return !b.atomicHere() && b.mentionsShared(v) }

func (b *builder) dependsOn(v *value, writes []*ir.Var) bool {
	if len(writes) == 0 {
		return false
	}
	for _, s := range logic.FreeVars(v.terms()...) {
		for _, w := range writes {
			if w.Sym == s {
				return true
			}
		}
	}
	return false
}

// settle copies those registers to temporaries that would be wrong after the
// next step: pending reads of shared memory if the step touches shared memory
// itself, and values that depend on what it writes.
func (b *builder) settle(shared bool, writes ...*ir.Var) {
	if b.cur == nil {
		return
	}
	for _, r := range b.needed() {
		v := b.cur.regs[r]
		if shared && b.pending(v) || b.dependsOn(v, writes) {
			b.setReg(r, b.materialise(v))
		}
	}
}

// settleAll copies all registers to temporaries that mention anything else, before control flow that
// they are needed after.
func (b *builder) settleAll() {
	if b.cur == nil {
		return
	}
	for _, r := range b.needed() {
		v := b.cur.regs[r]
		for _, s := range logic.FreeVars(v.terms()...) {
			if !b.isTemp(s) {
				b.setReg(r, b.materialise(v))
				break
			}
		}
	}
}

// needed returns the registers that hold values, in order.
func (b *builder) needed() []int {
	rs := make([]int, 0, len(b.cur.regs))
	for r := range b.cur.regs {
		rs = append(rs, r)
	}
	sortInts(rs)
	return rs
}

// setReg replaces a register's value by one that is the same, in other registers that hold it, too.
func (b *builder) setReg(r int, v *value) {
	old := b.cur.regs[r]
	for k, w := range b.cur.regs {
		if w == old {
			b.cur.regs[k] = v
		}
	}
	for i, w := range b.held {
		if w == old {
			b.held[i] = v
		}
	}
}

// materialise evaluates a value into a temporary, in one step.
func (b *builder) materialise(v *value) *value {
	if b.cur == nil {
		return v
	}
	if _, ok := v.constant(); ok {
		return v
	}
	tmp := b.newTemp(irType(v.typ))
	text := ""
	old := b.site
	if v.site != nil {
		b.site = v.site
		if v.site.Text != "" {
			text = "read " + b.here().Text
		}
	}
	b.emit(text, append(assumes(v.side), ir.AssignCmd(tmp, v.t))...)
	b.site = old
	w := &value{typ: v.typ, t: tmp.Sym, rng: v.rng, site: v.site}
	if c, ok := v.t.Const(); ok {
		w.t = b.L.Value(c)
	}
	if v.at != nil { // the object is still known; where in it, by the address
		w.at = b.movedPlace(v, w)
	}
	return w
}

// movedPlace returns the place of a pointer whose value is in a temporary now: one index of bytes.
func (b *builder) movedPlace(v, w *value) *place {
	if len(v.at.idx) == 0 {
		return v.at
	}
	x := v.at.idx[0]
	if len(v.at.idx) > 1 || x.scale == 0 {
		return nil
	}
	// w = addr + off + scale*t, so t = (w - addr - off) / scale, exactly.
	base := v.at.obj.addr + v.at.off
	t := b.L.Sub(w.t, b.L.Int(base))
	if x.scale != 1 {
		t = b.L.Div(t, b.L.Int(x.scale))
	}
	return &place{obj: v.at.obj, off: v.at.off, idx: []index{{t: t, rng: x.rng, scale: x.scale, len: x.len}}}
}

// hold protects values that are not in registers yet; release ends that.
func (b *builder) hold(vs ...*value) int {
	n := len(b.held)
	b.held = append(b.held, vs...)
	return n
}

func (b *builder) release(n int) { b.held = b.held[:n] }

// steady makes a value that can be used any number of times, without reading memory.
func (b *builder) steady(v *value) *value {
	for _, s := range logic.FreeVars(v.terms()...) {
		if !b.isTemp(s) {
			return b.materialise(v)
		}
	}
	if len(v.side) > 0 {
		return b.materialise(v)
	}
	return v
}

// set gives a register its value.
func (b *builder) set(r *cir.Reg, v *value) {
	if r != nil && b.cur != nil {
		b.cur.regs[r.Index] = v
	}
}

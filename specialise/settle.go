package specialise

import (
	"slices"

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
			b.detach(v)
		}
	}
	for i := 0; i < len(b.held); i++ {
		if v := b.held[i]; v != nil && (shared && b.pending(v) || b.dependsOn(v, writes)) {
			b.detach(v)
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
		if v := b.cur.regs[r]; !b.isSteady(v) {
			b.detach(v)
		}
	}
	for i := 0; i < len(b.held); i++ {
		if v := b.held[i]; v != nil && !b.isSteady(v) {
			b.detach(v)
		}
	}
}

// isSteady reports whether a value mentions temporaries only.
func (b *builder) isSteady(v *value) bool {
	for _, s := range logic.FreeVars(v.terms()...) {
		if !b.isTemp(s) {
			return false
		}
	}
	return true
}

// detach replaces a value in use by one that does not change with memory, in all registers, and returns
// it. What it still has to read of shared memory is read once, for all values that were computed from it.
func (b *builder) detach(v *value) *value {
	shared := b.sharedIn(v)
	several := v.at != nil && len(v.at.idx) > 1 // of which the address alone does not tell
	if len(shared) == 0 || !(several && len(shared) == 1) && !b.usedElsewhere(v, shared) && !(len(shared) == 1 && b.isUpdate(v)) {
		w := b.materialise(v)
		b.replace(func(x *value) *value {
			if x == v {
				return w
			}
			return x
		})
		return w
	}
	sub := map[*logic.Term]*logic.Term{}
	var cmds []ir.Cmd
	for _, s := range shared {
		tmp := b.newTemp(s.Type)
		b.hold(&value{typ: cir.I64, t: tmp.Sym}) // the next one has to be another
		sub[s.Sym] = tmp.Sym
		cmds = append(cmds, ir.AssignCmd(tmp, s.Sym))
	}
	b.release(len(b.held) - len(shared))
	text := b.readText(v)
	if len(shared) == 1 && shared[0].Source != "" {
		text = "read " + shared[0].Label()
	}
	if len(shared) > 1 { // one of them, of which the value tells which: all are read at once
		b.atOnce(text, cmds)
	} else {
		b.emit(text, cmds...)
	}
	var w *value
	done := map[*value]*value{}
	b.replace(func(x *value) *value {
		if y := done[x]; y != nil {
			return y
		}
		y := x
		if overlaps(x, v) {
			y = b.subst(x, sub)
		}
		done[x] = y
		return y
	})
	if w = done[v]; w == nil {
		w = b.subst(v, sub)
	}
	return w
}

// atOnce emits commands that touch several shared locations as an atomic section of their own.
func (b *builder) atOnce(text string, cmds []ir.Cmd) {
	if b.cur.depth > 0 {
		b.emit(text, cmds...)
		return
	}
	b.cur.depth++
	b.emit(text, cmds...)
	b.cur.depth--
	b.emit("")
}

// isUpdate reports whether a value is computed and stored by one expression, as in x++: then the step before reads
// what is there.
func (b *builder) isUpdate(v *value) bool {
	return v.site != nil && b.site != nil && v.site.Text != "" && v.site.Text == b.site.Text && !v.t.IsVar()
}

// sharedIn returns the shared variables that a value reads, in order.
func (b *builder) sharedIn(v *value) []*ir.Var {
	var vars []*ir.Var
	for _, s := range logic.FreeVars(v.terms()...) {
		if x := b.symbols[s]; x != nil && x.Thread == ir.Shared {
			vars = append(vars, x)
		}
	}
	slices.SortFunc(vars, func(x, y *ir.Var) int { return x.Index - y.Index })
	return vars
}

// usedElsewhere reports whether another value in use reads one of these variables.
func (b *builder) usedElsewhere(v *value, vars []*ir.Var) bool {
	for _, r := range b.needed() {
		if x := b.cur.regs[r]; x != v && b.dependsOn(x, vars) {
			return true
		}
	}
	return slices.ContainsFunc(b.held, func(x *value) bool { return x != nil && x != v && b.dependsOn(x, vars) })
}

// replace replaces all values in use.
func (b *builder) replace(f func(*value) *value) {
	for _, r := range b.needed() { // in order: f makes terms, which are numbered
		b.cur.regs[r] = f(b.cur.regs[r])
	}
	for i, x := range b.held {
		if x != nil {
			b.held[i] = f(x)
		}
	}
}

// subst replaces variables in a value.
func (b *builder) subst(v *value, sub map[*logic.Term]*logic.Term) *value {
	w := *v
	w.t = b.L.Subst(v.t, sub)
	w.side = nil
	for _, s := range v.side {
		w.side = append(w.side, b.L.Subst(s, sub))
	}
	if v.at != nil {
		at := *v.at
		at.idx = slices.Clone(at.idx)
		for i := range at.idx {
			at.idx[i].t = b.L.Subst(at.idx[i].t, sub)
		}
		w.at = &at
	}
	return &w
}

// readText describes the step that evaluates a value.
func (b *builder) readText(v *value) string {
	if v.site == nil {
		return ""
	}
	old := b.site
	b.site = v.site
	defer func() { b.site = old }()
	if t := b.here().Text; t != "" {
		return "read " + t
	}
	return ""
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

// materialise evaluates a value into a temporary, in one step.
func (b *builder) materialise(v *value) *value {
	if b.cur == nil {
		return v
	}
	if _, ok := v.constant(); ok {
		return v
	}
	tmp := b.newTemp(irType(v.typ))
	text, old := b.readText(v), b.site
	if v.site != nil {
		b.site = v.site
	}
	b.emit(text, append(assumes(v.side), ir.AssignCmd(tmp, v.t))...)
	b.site = old
	w := &value{typ: v.typ, t: tmp.Sym, rng: v.rng, site: v.site, unset: v.unset}
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
	return &place{obj: v.at.obj, off: v.at.off, idx: []index{{t: t, rng: x.rng, scale: x.scale, len: x.len, array: x.array}}}
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
	if b.isSteady(v) && len(v.side) == 0 {
		return v
	}
	return b.detachSide(v)
}

// detachSide is detach, and what has to hold for the value is assumed.
func (b *builder) detachSide(v *value) *value {
	if w := b.detach(v); len(w.side) == 0 && b.isSteady(w) {
		return w
	} else {
		return b.materialise(w)
	}
}

// set gives a register its value. A large one is evaluated here, as it may be used several times.
func (b *builder) set(r *cir.Reg, v *value) {
	if r == nil || b.cur == nil {
		return
	}
	if b.sizeOf(v.t) > maxTerm {
		if b.pending(v) { // read once, for all that depends on it
			v = b.detach(v)
		}
		if b.sizeOf(v.t) > maxTerm {
			v = b.materialise(v)
		}
	}
	if b.cur != nil {
		b.cur.regs[r.Index] = v
	}
}

// maxTerm is the size of terms that are not kept to be evaluated later, as a tree.
const maxTerm = 200

// sizeOf returns the size of a term as a tree, or a number above maxTerm.
func (b *builder) sizeOf(t *logic.Term) int {
	if len(t.Args()) == 0 {
		return 1
	}
	if n, ok := b.sizes[t]; ok {
		return n
	}
	n := 1
	for _, a := range t.Args() {
		if n += b.sizeOf(a); n > maxTerm {
			break
		}
	}
	b.sizes[t] = n
	return n
}

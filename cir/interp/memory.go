package interp

import (
	"fmt"

	"comus/cir"
)

func doNothing(t *thread, f *frame, in *inst) bool { return true }

func doAssumption(t *thread, f *frame, in *inst) bool {
	t.m.note("assumption", in.x.why, in.x.site)
	return true
}

// place makes an offset that has been computed one of the model.
func (t *thread) place(d *slot, p slot, off uint64) {
	p.lo += off
	if t.m.words == 2 {
		if p.obj == nil {
			p.lo = uint64(uint32(p.lo))
		} else {
			p.lo = uint64(int64(int32(p.lo)))
		}
	}
	d.lo, d.obj = p.lo, p.obj
}

func offsetConst(t *thread, f *frame, in *inst) bool {
	t.place(&f.s[in.d], f.s[in.a], in.imm)
	return true
}

func offsetIndex(t *thread, f *frame, in *inst) bool {
	o := in.x.instr.(*cir.Offset)
	t.place(&f.s[in.d], f.s[in.a], f.s[in.b].lo*uint64(o.Scale)+in.imm)
	return true
}

func offsetLen(t *thread, f *frame, in *inst) bool {
	o := in.x.instr.(*cir.Offset)
	i := f.s[in.b]
	t.place(&f.s[in.d], f.s[in.a], i.lo*uint64(o.Scale)+in.imm)
	if i.lo > uint64(o.Len) || in.x.types[0].Bits > 64 && i.hi != 0 {
		return t.m.undefined(CheckBounds, fmt.Sprintf("subscript %s of an array of %d", decimal(i, in.x.types[0]), o.Len))
	}
	return true
}

func doDistance(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a], f.s[in.b]
	d := int64(x.lo - y.lo)
	if x.obj != y.obj {
		d = int64(t.m.number(x) - t.m.number(y))
		t.m.note(CheckMemory, "distance of pointers into different objects", in.x.site)
	}
	if t.m.words == 2 {
		d = int64(int32(d))
	}
	f.s[in.d].lo = uint64(d / int64(in.imm))
	return true
}

// assumeAddresses is what package specialise takes for granted of programs that look at addresses, and assumeFree, of those that allocate memory again.
const (
	assumeAddresses = "objects lie at the addresses that comus gives them"
	assumeFree      = "memory that was freed is not allocated again"
)

// notePlaces notes that where objects lie decides something.
func (t *thread) notePlaces(f *frame, in *inst) {
	if x, y := f.s[in.a].obj, f.s[in.b].obj; t.m.opt.Atomics != nil && x != y && !f.fn.f.Library {
		t.looksAt(x)
		t.looksAt(y)
	}
}

// looksAt notes that it decides something where an object lies. Where those lie that are made while there are several threads may depend on which of these comes first.
func (t *thread) looksAt(o *Object) {
	if o == nil {
		return
	}
	t.m.note("assumption", assumeAddresses, nil)
	if static := o.place != 0 && o.place < firstOfThreads; !static && o.kind != codeObject && o.kind != labelObject && t.m.races != nil && t.m.races.several {
		t.m.opt.Observer.Unknown("it decides something where an object lies")
	}
}

func peq(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(t.m.samePointer(f.s[in.a], f.s[in.b]))
	return true
}

func pne(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(!t.m.samePointer(f.s[in.a], f.s[in.b]))
	return true
}

func plt(t *thread, f *frame, in *inst) bool {
	t.notePlaces(f, in)
	f.s[in.d].lo = truth(t.m.below(f.s[in.a], f.s[in.b]))
	return true
}

func ple(t *thread, f *frame, in *inst) bool {
	t.notePlaces(f, in)
	f.s[in.d].lo = truth(!t.m.below(f.s[in.b], f.s[in.a]))
	return true
}

func pointerToBool(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f.s[in.a].obj != nil || f.s[in.a].lo != 0)
	return true
}

func pointerToInt(t *thread, f *frame, in *inst) bool {
	if t.m.opt.Atomics != nil && !f.fn.f.Library {
		t.looksAt(f.s[in.a].obj)
	}
	n := cir.Model{PointerBits: 8 << t.m.words}.FromAddress(in.x.types[0], t.m.number(f.s[in.a]))
	f.s[in.d].lo, f.s[in.d].hi = n.Lo, n.Hi
	return true
}

func intToPointer(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = t.m.pointerTo(f.s[in.a].lo)
	return true
}

// length returns a size that an instruction was given.
func (t *thread) length(f *frame, r int32) (int64, bool) {
	if !t.decides(f, r) {
		return 0, false
	}
	n := f.s[r].lo
	if n > 1<<62 {
		return 0, t.m.undefined(CheckMemory, fmt.Sprintf("%d bytes", n))
	}
	return int64(n), true
}

func doCopy(t *thread, f *frame, in *inst) bool {
	if !t.decides(f, in.a) || !t.decides(f, in.b) {
		return false
	}
	n, ok := t.length(f, in.c)
	if !ok {
		return false
	}
	if n == 0 {
		return true // a null pointer is forgiven
	}
	src, from, ok := t.valid(f.s[in.b], n, false)
	if !ok {
		return false
	}
	dst, to, ok := t.valid(f.s[in.a], n, true)
	if !ok {
		return false
	}
	if !in.x.over && src == dst && to != from && to < from+n && from < to+n {
		return t.m.undefined(CheckMemory, overlapping)
	}
	t.m.copyBytes(dst, to, src, from, n)
	return true
}

func doFill(t *thread, f *frame, in *inst) bool {
	if !t.decides(f, in.a) {
		return false
	}
	n, ok := t.length(f, in.c)
	if !ok || n == 0 {
		return ok
	}
	o, off, ok := t.valid(f.s[in.a], n, true)
	if !ok {
		return false
	}
	t.m.fill(o, off, n, byte(f.s[in.b].lo), f.tainted && f.taint[in.b] != 0)
	return true
}

// fill sets bytes of an object.
func (m *Machine) fill(o *Object, off, n int64, b byte, undef bool) {
	var data, mask [4096]byte
	for i := range data {
		data[i] = b
	}
	if undef {
		mask = allOnes
	}
	for n > 0 {
		k := min(n, int64(len(data)))
		if o.pages != nil && b == 0 && !undef && !o.fresh && o.pages[off/pageSize] == nil {
			k = min(n, pageSize-off%pageSize) // it is 0
		} else if undef {
			m.write(o, off, data[:k], mask[:k])
		} else {
			m.write(o, off, data[:k], nil)
		}
		off, n = off+k, n-k
	}
}

func doRMW(t *thread, f *frame, in *inst) bool {
	a := &in.x.acc
	if !t.decides(f, in.a) {
		return false
	}
	if t.hb != nil {
		if t.m.races.update(t, f.s[in.a], a); t.m.done {
			return false
		}
	}
	old, undef, ok := t.load(f.s[in.a], a)
	if !ok || undef != 0 && !t.readsUnset(in) {
		return false
	}
	x := f.s[in.b]
	n := x
	op := cir.RMWOp(in.imm)
	switch {
	case op == cir.Xchg:
	case a.Type.IsPointer():
		n = t.rmwPointer(op, old, widen(x, in.x.types[0]))
	default:
		n = rmwInt(op, old, widen(x, in.x.types[0]), a.Type)
	}
	var u uint64
	if f.tainted {
		u = f.taint[in.b]
	}
	if undef != 0 && op != cir.Xchg && op != cir.RMWTest {
		u |= undef
	}
	if !t.store(f.s[in.a], n, u, a) {
		return false
	}
	f.s[in.d] = old
	f.set(in.d, undef)
	return true
}

// set says which bits of a register are indeterminate.
func (f *frame) set(r int32, undef uint64) {
	if undef != 0 {
		f.blur(r, undef)
	} else if f.tainted {
		f.taint[r] = 0
	}
}

// rmwInt returns what an atomic operation stores.
func rmwInt(op cir.RMWOp, old, x slot, ty cir.Type) slot {
	old = widen(old, ty)
	var lo, hi uint64
	switch op {
	case cir.RMWAdd, cir.RMWSub:
		n, _ := ofBig(exactly([]cir.Op{cir.Add, cir.Sub}[op-cir.RMWAdd], bigOf(old, ty), bigOf(x, cir.Type{Bits: 128})), ty)
		return n
	case cir.RMWAnd:
		lo, hi = old.lo&x.lo, old.hi&x.hi
	case cir.RMWOr:
		lo, hi = old.lo|x.lo, old.hi|x.hi
	case cir.RMWXor:
		lo, hi = old.lo^x.lo, old.hi^x.hi
	case cir.RMWNand:
		lo, hi = ^(old.lo & x.lo), ^(old.hi & x.hi)
	case cir.RMWTest:
		lo = 1
	}
	return normal(lo, hi, ty)
}

// rmwPointer is rmwInt for a pointer; x is a number of bytes or bits.
func (t *thread) rmwPointer(op cir.RMWOp, old, x slot) slot {
	switch op {
	case cir.RMWAdd:
		t.place(&old, old, x.lo)
		return old
	case cir.RMWSub:
		t.place(&old, old, -x.lo)
		return old
	}
	ty := cir.Type{Kind: cir.IntKind, Bits: t.m.prog.Model.PointerBits}
	return t.m.pointerTo(rmwInt(op, slot{lo: t.m.number(old)}, x, ty).lo)
}

func doCmpXchg(t *thread, f *frame, in *inst) bool {
	a := &in.x.acc
	if !t.decides(f, in.a) {
		return false
	}
	old, undef, ok := t.load(f.s[in.a], a)
	if !ok || undef != 0 && !t.readsUnset(in) {
		return false
	}
	want := f.s[in.x.args[0]]
	if (undef != 0 || f.tainted && f.taint[in.x.args[0]] != 0) && !t.m.undefined(CheckUninit, "a comparison with an indeterminate value") {
		return false
	}
	var same bool
	switch {
	case a.Type.IsPointer():
		same = t.m.number(old) == t.m.number(want)
	case a.Type.Bits > 64:
		same = old.lo == want.lo && old.hi == want.hi
	default:
		same = old.lo == want.lo
	}
	if t.fails {
		same = false
	}
	if t.hb != nil {
		if t.m.races.exchange(t, f.s[in.a], a, in.x.instr.(cir.Order), same); t.m.done {
			return false
		}
	}
	if same {
		var u uint64
		if f.tainted {
			u = f.taint[in.b]
		}
		if !t.store(f.s[in.a], f.s[in.b], u, a) {
			return false
		}
	}
	f.s[in.d] = old
	f.s[in.c].lo = truth(same)
	f.set(in.d, undef)
	f.set(in.c, 0)
	return true
}

func lifeStart(t *thread, f *frame, in *inst) bool {
	t.m.begin(f, int(in.a), &f.fn.locals[in.a])
	return true
}

func lifeEnd(t *thread, f *frame, in *inst) bool {
	t.endLocal(f, int(in.a), &f.fn.locals[in.a])
	return true
}

func doAlloca(t *thread, f *frame, in *inst) bool {
	n := f.s[in.a].lo
	if n > uint64(t.m.maxObject) {
		return t.m.undefined(CheckMemory, fmt.Sprintf("an object of %d bytes on the stack", n))
	}
	o := t.m.newObject(in.x.why, int64(n), int64(in.imm), true)
	f.owned = append(f.owned, o)
	f.s[in.d] = slot{obj: o}
	f.set(in.d, 0)
	return true
}

func stackSave(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = slot{lo: uint64(len(f.owned))}
	f.set(in.d, 0)
	return true
}

func stackRestore(t *thread, f *frame, in *inst) bool {
	n := f.s[in.a].lo
	if n > uint64(len(f.owned)) {
		return true // an outer mark was restored before
	}
	for _, o := range f.owned[n:] {
		t.end(o)
	}
	f.owned = f.owned[:n]
	return true
}

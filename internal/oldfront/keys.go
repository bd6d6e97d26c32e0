package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// The value of a thread key is a pointer variable of each thread. Which key a call
// means is found out through the variable that pthread_key_create gave it to: this
// is always the same key.

// initSlots makes the thread's variables for the keys, NULL at first.
func (b *lowerer) initSlots() {
	for k := range b.src.keys {
		o := b.newObject(fmt.Sprintf("t%d.key%d", b.th.index, k), "", nil, b.pointerType, b.th.index, &logic.Value{})
		b.th.slots = append(b.th.slots, o)
		b.bind(o.cells[0], b.constInt(0, b.ptrInt))
	}
}

// isSlot reports whether an object holds the value of a thread key.
func (b *lowerer) isSlot(o *object) bool {
	for _, s := range b.th.slots {
		if s == o {
			return true
		}
	}
	return false
}

// keepsSlots reports whether code does not change the values of thread keys.
func (b *lowerer) keepsSlots(info *fnInfo) bool {
	if info.indirect || info.calls["pthread_setspecific"] || info.calls["pthread_key_create"] {
		return false
	}
	for f := range info.calls {
		for g := range b.src.reach(f) {
			if i := b.src.info[g]; i.indirect || i.calls["pthread_setspecific"] || i.calls["pthread_key_create"] {
				return false
			}
		}
	}
	return true
}

// mayRepeat reports whether control may come here more than once in one copy of the
// code: here is within a loop or what may be one.
func (b *lowerer) mayRepeat() bool {
	if len(b.loops) > 0 {
		return true
	}
	for f := b.fr; f != nil; f = f.parent {
		if f.tail != nil {
			return true
		}
		for _, g := range f.info.gotos {
			if to, ok := f.info.order[g.Label()]; ok && to < f.info.order[g] {
				return true
			}
		}
	}
	return false
}

// keyCreate lowers pthread_key_create. A variable gets a key at one place, which
// control comes to once: there, or in a function that pthread_once calls. The values
// of an older key would not be NULL.
func (b *lowerer) keyCreate(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	p := b.deref(c.n, vals[0], nil)
	k, ok := p.fixed()
	if !ok || p.typ.kind != tInt {
		b.fail(c.n, "unsupported: %s with a place for the key that is not known here", c.name)
	}
	x := p.obj.cells[k]
	key, ok := b.keys[x]
	if b.once == 0 && (ok || b.mayRepeat()) {
		b.fail(c.n, "unsupported: %s for a variable that may have a key already", c.name)
	}
	if !ok {
		key = len(b.keys)
		b.keys[x] = key
		b.record(func() { delete(b.keys, x) })
	}
	if key >= b.src.keys {
		b.src.keys = key + 1
		panic(restart{})
	}
	b.setDestructor(c, key, vals[1], ok)
	id := b.L.Int(int64(key + 1))
	if old, ok := b.cur.consts[x.v]; ok && b.once > 0 && b.L.Value(old) == id {
		b.fail(c.n, "unsupported: %s for a variable that has a key already", c.name)
	}
	if b.once == 0 {
		b.settle(p.obj.shared, x.v)
		b.emit(c.n, b.text(c.n), ir.AssignCmd(x.v, id))
		return b.constInt(0, intT)
	}
	b.assume(assumeKeyOnce)
	b.settle(p.obj.shared, x.v)
	b.emit(c.n, b.text(c.n), ir.AssumeCmd(b.L.Ne(x.v.Sym, id)), ir.AssignCmd(x.v, id))
	return b.constInt(0, intT)
}

// slot returns the current thread's variable for the key v, which the expression n
// denotes.
func (b *lowerer) slot(c call, n cc.ExpressionNode, v *value) place {
	return b.th.slots[b.keyOfCall(c, n, v)].whole()
}

// keyOfCall returns the number of the key v, which the expression n denotes.
func (b *lowerer) keyOfCall(c call, n cc.ExpressionNode, v *value) int {
	if k, ok := v.constant(); ok && len(v.side) == 0 {
		if i, ok := k.Int64(); ok && 0 < i && i <= int64(len(b.th.slots)) {
			return int(i - 1)
		}
	}
	key := -1
	if id, ok := unparen(n).(*cc.PrimaryExpression); ok {
		if d, ok := id.ResolvedTo().(*cc.Declarator); ok && isGlobal(d) && !d.IsThreadLocal() {
			if o := b.globals[d.Name()]; o != nil && len(o.cells) == 1 {
				if k, ok := b.keys[o.cells[0]]; ok {
					key = k
				}
			}
		}
	}
	if key < 0 && b.src.keys == 1 {
		key = 0
	}
	if key < 0 || v.kind != vInt || key >= len(b.th.slots) {
		b.fail(c.n, "unsupported: %s with a key that is not known here", c.name)
	}
	b.assume(assumeKeyUse)
	b.settle(b.mentionsShared(append([]*logic.Term{v.t}, v.side...)...))
	b.emitValue(c.n, "read "+b.text(n), v, ir.AssumeCmd(b.L.Eq(v.t, b.L.Int(int64(key+1)))))
	return key
}

// keyGet lowers pthread_getspecific.
func (b *lowerer) keyGet(c call) *value {
	b.want(c, 1)
	v := b.eval(c.args[0])
	if b.cur == nil {
		return &value{kind: vUnknown}
	}
	return b.load(c.n, b.slot(c, c.args[0], v))
}

// keySet lowers pthread_setspecific.
func (b *lowerer) keySet(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	mark := b.hold(vals[1])
	p := b.slot(c, c.args[0], vals[0])
	b.letGo(mark)
	if v := vals[1]; v.kind == vInt && b.pending(v) {
		b.materialise(v)
	}
	b.store(c.n, p, b.cast(c.n, vals[1], p.typ), b.text(c.n))
	return b.constInt(0, intT)
}

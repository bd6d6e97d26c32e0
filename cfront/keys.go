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

// keyCreate lowers pthread_key_create.
func (b *lowerer) keyCreate(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if vals[1].kind != vInt || !vals[1].isNull() {
		b.fail(c.n, "unsupported: %s with a destructor", c.name)
	}
	p := b.deref(c.n, vals[0], nil)
	k, ok := p.fixed()
	if !ok || p.typ.kind != tInt {
		b.fail(c.n, "unsupported: %s with a place for the key that is not known here", c.name)
	}
	x := p.obj.cells[k]
	key, ok := b.keys[x]
	if !ok {
		key = len(b.keys)
		b.keys[x] = key
		b.record(func() { delete(b.keys, x) })
	}
	if key >= b.src.keys {
		b.src.keys = key + 1
		panic(restart{})
	}
	id := b.L.Int(int64(key + 1))
	if old, ok := b.cur.consts[x.v]; ok && b.L.Value(old) == id {
		b.fail(c.n, "unsupported: %s for a variable that has a key already", c.name)
	}
	b.assume(assumeKeyOnce)
	b.settle(p.obj.shared, x.v)
	b.emit(c.n, b.text(c.n), ir.AssumeCmd(b.L.Ne(x.v.Sym, id)), ir.AssignCmd(x.v, id))
	return b.constInt(0, intT)
}

// slot returns the current thread's variable for the key v, which the expression n
// denotes.
func (b *lowerer) slot(c call, n cc.ExpressionNode, v *value) place {
	if k, ok := v.constant(); ok && len(v.side) == 0 {
		if i, ok := k.Int64(); ok && 0 < i && i <= int64(len(b.th.slots)) {
			return b.th.slots[i-1].whole()
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
	return b.th.slots[key].whole()
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

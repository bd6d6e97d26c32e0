package cfront

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// A thread that ends by return or pthread_exit calls the destructors of its keys: the
// code is inlined there, before the step that ends the thread. C leaves the order of
// the keys open, so that all orders are taken.

// maxDestructorRounds is how often destructors are called again for values that
// destructors have set, on Linux.
const maxDestructorRounds = 4

// maxDestructors bounds the keys whose destructors are called in every order.
const maxDestructors = 3

// setDestructor notes the destructor of a key. What ended before it turned out is
// lowered anew.
func (b *lowerer) setDestructor(c call, key int, v *value, again bool) {
	name := ""
	switch {
	case v.kind == vFunc && (b.src.funcs[v.fn] != nil || v.fn == "free"):
		name = v.fn
	case v.kind != vInt || !v.isNull():
		b.fail(c.n, "unsupported: %s with a destructor that is not known here", c.name)
	}
	for len(b.src.destructors) <= key {
		b.src.destructors = append(b.src.destructors, "")
	}
	if b.src.destructors[key] == name {
		return
	}
	if again {
		b.fail(c.n, "unsupported: %s with another destructor than before", c.name)
	}
	b.src.destructors[key] = name
	b.again(c.n)
}

// hasDestructors reports whether some key has a destructor.
func (p *program) hasDestructors() bool {
	return slices.ContainsFunc(p.destructors, func(s string) bool { return s != "" })
}

// deletesKeys reports whether the program calls pthread_key_delete.
func (p *program) deletesKeys() bool {
	for _, i := range p.info {
		if i.calls["pthread_key_delete"] {
			return true
		}
	}
	return false
}

// keyDelete lowers pthread_key_delete, after which the destructor is not called.
func (b *lowerer) keyDelete(c call) *value {
	if !b.src.hasDestructors() {
		return b.nothing(c)
	}
	b.want(c, 1)
	v := b.eval(c.args[0])
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	key := b.keyOfCall(c, c.args[0], v)
	if b.cur != nil && b.destructorOf(key) != "" {
		d := b.deleted(key)
		b.settle(true, d)
		b.emit(c.n, b.text(c.n), ir.AssignCmd(d, b.L.Int(1)))
	}
	return b.constInt(0, intT)
}

// destructorOf returns the name of a key's destructor, "" for none.
func (b *lowerer) destructorOf(key int) string {
	if key < len(b.src.destructors) {
		return b.src.destructors[key]
	}
	return ""
}

// deleted returns the variable that tells whether a key was deleted.
func (b *lowerer) deleted(key int) *ir.Var {
	v := b.deletedKeys[key]
	if v == nil {
		v = b.newVar(fmt.Sprintf("key%d.deleted", key), "", ir.Flag, ir.Shared)
		v.Init = &logic.Value{}
		b.deletedKeys[key] = v
		b.record(func() { delete(b.deletedKeys, key) })
	}
	return v
}

// callDestructors calls the destructors of the thread's keys whose values are not
// NULL, again if they set values.
func (b *lowerer) callDestructors(n cc.Node) {
	if b.cur == nil || !b.src.hasDestructors() {
		return
	}
	b.settleAll()
	b.ending++
	for range maxDestructorRounds {
		keys := b.pendingKeys(n)
		if len(keys) == 0 {
			break
		}
		start := b.cur
		var flows []*flow
		for _, order := range permutations(keys) {
			b.cur = start.clone()
			if len(keys) > 1 {
				b.emit(n, "an order of destructors")
			}
			for _, k := range order {
				b.callDestructor(n, k)
			}
			flows = append(flows, b.cur)
		}
		b.join(n, flows...)
	}
	b.ending--
}

// pendingKeys returns the keys whose destructors may have to be called in one round:
// those whose values may not be NULL, and if that can change in the round, all others.
func (b *lowerer) pendingKeys(n cc.Node) []int {
	var keys, all []int
	change := false
	if b.cur == nil {
		return nil
	}
	for k, name := range b.src.destructors {
		if name == "" || k >= len(b.th.slots) {
			continue
		}
		all = append(all, k)
		if v := b.load(n, b.th.slots[k].whole()); v.kind == vInt && isFixed(v) && v.isNull() {
			continue
		}
		keys = append(keys, k)
		for f := range b.src.reach(name) {
			i := b.src.info[f]
			change = change || i.indirect || i.calls["pthread_setspecific"]
		}
	}
	if change && len(keys) > 0 {
		keys = all
	}
	if len(keys) > maxDestructors {
		b.fail(n, "unsupported: more than %d keys with destructors in one thread", maxDestructors)
	}
	return keys
}

// callDestructor sets a key's value to NULL and calls the destructor with the old one,
// unless that is NULL or the key was deleted.
func (b *lowerer) callDestructor(n cc.Node, key int) {
	if b.cur == nil {
		return
	}
	name := b.destructorOf(key)
	p := b.th.slots[key].whole()
	v := b.load(n, p)
	if v.kind != vInt && !isAddress(v) {
		v = b.mustAddress(n, v)
	}
	if b.pending(v) || v.kind == vInt && !isFixed(v) {
		b.materialise(v)
	}
	mark := b.hold(v)
	b.store(n, p, b.constInt(0, b.ptrInt), "the value of the key becomes NULL")
	t, f := b.split(n, b.truth(n, v), v)
	flows := []*flow{f}
	if b.cur = t; t != nil && b.src.deletesKeys() {
		d := b.deleted(key)
		b.settle(true)
		start := b.cur
		b.cur = start.clone()
		b.emit(n, "the key was deleted", ir.AssumeCmd(b.L.Eq(d.Sym, b.L.Int(1))))
		flows = append(flows, b.cur)
		b.cur = start.clone()
		b.emit(n, "the key was not deleted", ir.AssumeCmd(b.L.Eq(d.Sym, b.L.Int(0))))
	}
	b.letGo(mark)
	if b.cur != nil {
		b.callWith(n, name, v)
	}
	b.join(n, append(flows, b.cur)...)
}

// callWith calls a function with one argument, for its effects.
func (b *lowerer) callWith(n cc.Node, name string, v *value) {
	if fn := b.src.funcs[name]; fn != nil {
		b.inlineValues(n, name, fn, []*value{v})
		return
	}
	b.frees = true // it is free
	b.freeValue(n, v)
}

// permutations returns all orders of some numbers.
func permutations(ks []int) [][]int {
	if len(ks) <= 1 {
		return [][]int{ks}
	}
	var out [][]int
	for i, k := range ks {
		rest := append(slices.Clone(ks[:i]), ks[i+1:]...)
		for _, p := range permutations(rest) {
			out = append(out, append([]int{k}, p...))
		}
	}
	return out
}

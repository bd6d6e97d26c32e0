package cfront

import (
	"strings"

	"comus/logic"

	"modernc.org/cc/v4"
)

// atomicOps are the operators in the names of atomic builtins.
var atomicOps = map[string]string{"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "~"}

// atomicBuiltin lowers the atomic operations of C11, __atomic_* and __sync_*.
func (b *lowerer) atomicBuiltin(c call) *value {
	op := c.name
	for _, p := range []string{"__comus_atomic_", "__atomic_", "__sync_"} {
		op = strings.TrimPrefix(op, p)
	}
	switch op {
	case "synchronize", "thread_fence", "signal_fence":
		return b.nothing(c)
	}
	if op == "is_lock_free" || op == "always_lock_free" {
		b.evalDropArgs(c.args)
		return b.constInt(1, intT)
	}
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown}
	}
	b.want(c, 1)
	b.noteOrders(c, op, vals)
	b.fixIndexes(vals)
	p := b.derefTyped(c.n, vals[0], c.args[0])
	if p.typ.kind == tStruct && len(p.typ.fields) == 1 { // atomic_flag
		p = p.member(p.typ.fields[0])
	}
	for _, v := range vals[1:] {
		if b.pending(v) {
			mark := b.hold(vals...)
			b.materialise(v)
			b.letGo(mark)
		}
	}
	arg := func(i int) *value {
		b.want(c, i+1)
		return vals[i]
	}
	switch op {
	case "load", "load_n":
		if op == "load" && strings.HasPrefix(c.name, "__atomic_") {
			v := b.load(c.n, p)
			b.store(c.n, b.derefTyped(c.n, arg(1), c.args[1]), v, b.text(c.n))
			return c.void()
		}
		return b.load(c.n, p)
	case "store", "store_n", "init":
		v := arg(1)
		if op == "store" && strings.HasPrefix(c.name, "__atomic_") {
			v = b.load(c.n, b.derefTyped(c.n, v, c.args[1]))
		}
		b.store(c.n, p, b.cast(c.n, v, p.typ), b.text(c.n))
		return c.void()
	case "clear", "lock_release":
		if op == "clear" {
			b.wantByte(c, p)
		}
		b.store(c.n, p, b.constInt(0, p.typ.it), b.text(c.n))
		return c.void()
	case "test_and_set":
		b.wantByte(c, p)
		return b.compare(c.n, "!=", b.exchange(c, p, b.constInt(1, p.typ.it)), b.constInt(0, intT))
	case "exchange", "exchange_n", "lock_test_and_set":
		if op == "exchange" && strings.HasPrefix(c.name, "__atomic_") {
			v, to := b.load(c.n, b.derefTyped(c.n, arg(1), c.args[1])), b.derefTyped(c.n, arg(2), c.args[2])
			if b.pending(v) {
				b.materialise(v)
			}
			c.unused = false
			b.store(c.n, to, b.cast(c.n, b.exchange(c, p, v), to.typ), b.text(c.n))
			return c.void()
		}
		return b.exchange(c, p, arg(1))
	case "cas", "cas_weak", "compare_exchange_n", "compare_exchange", "bool_compare_and_swap", "val_compare_and_swap":
		return b.compareExchange(c, op, p, arg(1), arg(2))
	}
	if v := b.fetchOp(c, op, p, vals); v != nil {
		return v
	}
	b.fail(c.n, "unsupported: %s", c.name)
	return nil
}

// wantByte rejects __atomic_test_and_set and __atomic_clear of more than the one byte
// that they touch.
func (b *lowerer) wantByte(c call, p place) {
	if p.typ.kind != tInt || p.typ.size != 1 {
		b.fail(c.n, "unsupported: %s of an object of more than one byte", c.name)
	}
}

// fixIndexes evaluates the indexes of the objects that arguments point to, before the
// operation and not as a part of it.
func (b *lowerer) fixIndexes(vals []*value) {
	mark := b.hold(vals...)
	for _, v := range vals {
		for _, x := range v.pl.idx {
			if b.pending(x.val) {
				b.materialise(x.val)
			}
		}
	}
	b.letGo(mark)
}

// seqCst is memory_order_seq_cst.
const seqCst = 5

// noteOrders adds an assumption if an operation has a memory order that is, or may be,
// weaker than sequential consistency.
func (b *lowerer) noteOrders(c call, op string, vals []*value) {
	first := 2 // the first argument that is an order
	switch {
	case op == "lock_test_and_set" || op == "lock_release":
		b.assume(assumeOrder)
		return
	case strings.HasPrefix(c.name, "__sync_"):
		return
	case op == "cas" || op == "cas_weak":
		first = 3
	case strings.HasPrefix(op, "compare_exchange"):
		first = 4
	case op == "load" && c.name == "__atomic_load":
	case op == "load" || op == "load_n" || op == "clear" || op == "test_and_set":
		first = 1
	case c.name == "__atomic_exchange":
		first = 3
	}
	for _, v := range vals[min(first, len(vals)):] {
		if k, ok := v.constant(); !ok || k.Cmp(logic.IntValue(seqCst)) != 0 {
			b.assume(assumeOrder)
		}
	}
}

// exchange stores v in p and returns the old value, in one step.
func (b *lowerer) exchange(c call, p place, v *value) *value {
	var old *value
	b.atomically(c.n, func() {
		old = b.scalar(c.n, b.load(c.n, p), p.typ)
		if !c.unused {
			b.materialise(old)
		}
		b.store(c.n, p, b.cast(c.n, v, p.typ), b.text(c.n))
	})
	return old
}

// fetchOp lowers fetch_add, add_fetch, fetch_and_add, add_and_fetch and the like;
// nil means that the name is none of them.
func (b *lowerer) fetchOp(c call, name string, p place, vals []*value) *value {
	words := strings.Split(strings.Replace(name, "_and_", "_", 1), "_")
	if name == "fetch_and" || name == "and_fetch" || name == "fetch_and_and" || name == "and_and_fetch" {
		words = []string{"fetch", "and"}
		if strings.HasPrefix(name, "and") {
			words = []string{"and", "fetch"}
		}
	}
	if len(words) != 2 || len(vals) < 2 {
		return nil
	}
	oldValue := words[0] == "fetch"
	op, ok := atomicOps[words[1]]
	if !oldValue {
		op, ok = atomicOps[words[0]]
		ok = ok && words[1] == "fetch"
	}
	if !ok || p.typ.kind != tInt && p.typ.kind != tPtr {
		return nil
	}
	if p.typ.kind == tPtr {
		return b.fetchPointer(c, op, p, vals[1], oldValue)
	}
	var res *value
	overflow := b.opts.Overflow
	b.opts.Overflow = OverflowWrap // atomic operations wrap silently
	defer func() { b.opts.Overflow = overflow }()
	b.atomically(c.n, func() {
		old := b.load(c.n, p)
		if !c.unused {
			b.materialise(old)
		}
		var v *value
		if op == "~" {
			v = b.complement(c.n, b.binary(c.n, "&", old, vals[1]))
		} else {
			v = b.binary(c.n, op, old, vals[1])
		}
		v = b.cast(c.n, v, p.typ)
		res = old
		if !oldValue {
			res = v
		}
		b.store(c.n, p, v, b.text(c.n))
	})
	return res
}

// fetchPointer lowers fetch_add, add_fetch and the like of a pointer: the operand is a
// number of bytes. The standard has elements for C11's, gcc bytes.
func (b *lowerer) fetchPointer(c call, op string, p place, by *value, oldValue bool) *value {
	if name, c11 := strings.CutPrefix(c.name, "__comus_"); c11 {
		b.fail(c.n, "unsupported: %s of a pointer, which counts elements in C and bytes with gcc", name)
	}
	if op != "+" && op != "-" {
		b.fail(c.n, "unsupported: %s of a pointer", c.name)
	}
	sign := int64(1)
	if op == "-" {
		sign = -1
	}
	var res *value
	b.atomically(c.n, func() {
		old := b.mustAddress(c.n, b.load(c.n, p))
		if !c.unused {
			b.materialise(old)
		}
		v := b.moveAddress(c.n, old, b.convert(c.n, by, b.ptrInt), sign, &ctype{kind: tInt, it: charT, cells: 1, size: 1})
		res = old
		if !oldValue {
			res = v
		}
		b.store(c.n, p, v, b.text(c.n))
	})
	return res
}

// compareExchange lowers the compare-and-swap operations.
func (b *lowerer) compareExchange(c call, op string, p place, expected, desired *value) *value {
	mark := b.hold(expected, desired)
	b.settleAll()
	b.letGo(mark)
	swap := strings.HasSuffix(op, "_and_swap")
	var exp place
	want := expected
	if swap && p.typ.kind == tPtr {
		want = b.mustAddress(c.n, want)
	}
	if !swap {
		exp = b.derefTyped(c.n, expected, c.args[1])
		want = b.scalar(c.n, b.load(c.n, exp), p.typ)
		if b.pending(want) {
			b.materialise(want)
		}
	}
	if op == "compare_exchange" {
		desired = b.load(c.n, b.derefTyped(c.n, desired, c.args[2]))
		if b.pending(desired) {
			b.materialise(desired)
		}
	}
	weak := op == "cas_weak" || strings.HasPrefix(op, "compare_exchange") && len(c.args) > 3 && !isZeroLiteral(c.args[3])
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	b.cur.depth++
	old := b.scalar(c.n, b.load(c.n, p), p.typ)
	if !swap || op == "val_compare_and_swap" {
		b.materialise(old)
	}
	want = b.convert(c.n, want, p.typ.it)
	same := b.compare(c.n, "==", old, want)
	t, f := b.split(c.n, b.truth(c.n, same), same)
	if weak && t != nil {
		b.cur = t.clone()
		b.emit(c.n, b.text(c.n)+" fails spuriously")
		b.join(c.n, f, b.cur)
		f = b.cur
	}
	if b.cur = t; t != nil {
		b.store(c.n, p, b.cast(c.n, desired, p.typ), b.text(c.n))
		t = b.cur
	}
	if op == "val_compare_and_swap" {
		b.join(c.n, t, f)
		b.leaveAtomic(c.n)
		return old
	}
	if !swap {
		f = b.giveExpected(c, f, exp, old)
		if exp.shared() {
			b.cur = t
			b.leaveAtomic(c.n)
			return b.merged(c.n, flagValue{b.cur, 1}, flagValue{f, 0})
		}
	}
	res := b.merged(c.n, flagValue{t, 1}, flagValue{f, 0})
	b.leaveAtomic(c.n)
	return res
}

// giveExpected stores what a compare-and-swap that fails on flow f found. That is no
// part of the atomic operation, which ends here if other threads could tell.
func (b *lowerer) giveExpected(c call, f *flow, exp place, old *value) *flow {
	if b.cur = f; f == nil {
		return nil
	}
	if exp.shared() {
		b.leaveAtomic(c.n)
	}
	b.store(c.n, exp, b.cast(c.n, old, exp.typ), b.text(c.n))
	return b.cur
}

func isZeroLiteral(n cc.ExpressionNode) bool {
	v, ok := n.Value().(cc.Int64Value)
	return ok && v == 0
}

package build

import (
	"strings"

	"comus/cfront/tree"
	"comus/cir"
)

// atomicBuiltin builds __atomic_NAME.
func (f *fn) atomicBuiltin(e *tree.Builtin, name string) (val, bool) {
	if isWide(e) {
		if v, ok := f.wideAtomic(e, name); ok {
			return v, ok
		}
	}
	last := len(e.Args) - 1
	switch name {
	case "load_n":
		o := f.memoryOrder(e, 1)
		return f.atomicResult(e, f.loadAtomic(f.pointee(e), o)), true
	case "load":
		o := f.memoryOrder(e, 2)
		l := f.pointee(e)
		_, to := f.target(e, 1, l)
		f.store(to, val{v: f.loadAtomic(l, o)})
		return val{}, true
	case "store_n", "store":
		o := f.memoryOrder(e, 2)
		l := f.pointee(e)
		f.storeAtomic(l, f.direct(e, 1, l, name == "store_n"), o)
		return val{}, true
	case "exchange_n":
		return f.fetchOp(e, cir.Xchg, false, f.memoryOrder(e, 2), false), true
	case "exchange":
		o := f.memoryOrder(e, 3)
		l := f.pointee(e)
		v, _ := f.indirect(e, 1, l)
		_, to := f.target(e, 2, l)
		f.store(to, val{v: f.rmw(cir.Xchg, l, v, o)})
		return val{}, true
	case "compare_exchange_n", "compare_exchange":
		return f.compareExchange(e, name == "compare_exchange_n"), true
	case "test_and_set":
		l := f.pointee(e)
		l.t = byteType
		old := f.reg(cir.U8)
		acc := f.access(l, cir.U8)
		acc.Order = f.memoryOrder(e, 1)
		f.emit(&cir.RMW{Op: cir.RMWTest, Dst: old, Addr: f.address(l), X: cir.IntOf(cir.U8, 1), Access: acc})
		return f.result(e, f.isNotZero(old)), true
	case "clear":
		l := f.pointee(e)
		l.t = byteType
		f.storeAtomic(l, cir.Int{Type: cir.U8}, f.memoryOrder(e, 1))
		return val{}, true
	case "thread_fence", "signal_fence":
		f.emit(&cir.Fence{Order: f.memoryOrder(e, 0), Compiler: name == "signal_fence"})
		return val{}, true
	case "always_lock_free", "is_lock_free":
		c, ok := f.scalarOf(e.Args[0]).(cir.Int)
		return f.result(e, cir.IntOf(cir.I32, int64(b2i(!ok || c.Lo <= 8)))), true
	}
	if op, newValue, ok := fetchNamed(name); ok && last >= 1 {
		return f.fetchOp(e, op, newValue, f.memoryOrder(e, 2), false), true
	}
	return val{}, false
}

// atomicResult is a value loaded atomically as the builtin's result.
func (f *fn) atomicResult(e *tree.Builtin, v cir.Value) val {
	if inMemory(e.Typ) {
		tmp := f.temp(unqual(e.Typ))
		part := tmp
		t := f.typeOf(v)
		f.emit(&cir.Store{Addr: f.address(part), X: v, Access: cir.Access{Type: t, Align: max(tmp.align, 1)}})
		return f.load(tmp)
	}
	return f.result(e, v)
}

// target is the object that the i-th argument, a pointer, points to, as one of l's type.
func (f *fn) target(e *tree.Builtin, i int, l lval) (cir.Value, lval) {
	p, align := f.pointer(e.Args[i])
	at := lval{base: f.address(p), align: align, t: unqual(l.t)}
	return at.base, at
}

// direct builds the i-th argument, a value of the object's type, or a pointer to one.
func (f *fn) direct(e *tree.Builtin, i int, l lval, byValue bool) cir.Value {
	if byValue {
		return f.operand(e, i, l)
	}
	v, _ := f.indirect(e, i, l)
	return v
}

// compareExchange builds __atomic_compare_exchange(_n)(p, expected, desired, weak, success, failure).
func (f *fn) compareExchange(e *tree.Builtin, byValue bool) val {
	l := f.pointee(e)
	l = lval{base: f.address(l), align: l.align, t: l.t}
	expected, at := f.indirect(e, 1, l)
	desired := f.direct(e, 2, l, byValue)
	weak := true
	if c, ok := f.scalarOf(e.Args[3]).(cir.Int); ok {
		weak = c.Lo != 0
	}
	success, failure := f.memoryOrder(e, 4), f.memoryOrder(e, 5)
	old, ok := f.cmpXchg(l, expected, desired, weak, success, failure)
	return f.storeOnFailure(e, at, old, ok)
}

// storeOnFailure writes what a compare and exchange has found to where the expected value stood, if
// it has failed.
func (f *fn) storeOnFailure(e *tree.Builtin, at lval, old, ok cir.Value) val {
	failed, done := f.newBlock(), f.newBlock()
	f.terminate(&cir.Branch{Cond: ok, Then: done, Else: failed})
	f.block = failed
	f.store(at, val{v: old})
	f.jump(done)
	return f.result(e, ok)
}

// c11Builtin builds clang's __c11_atomic_NAME.
func (f *fn) c11Builtin(e *tree.Builtin, name string) (val, bool) {
	switch name {
	case "init":
		l := f.pointee(e)
		f.store(l, val{v: f.operand(e, 1, l)})
		return val{}, true
	case "load":
		name = "load_n"
	case "store":
		name = "store_n"
	case "exchange":
		name = "exchange_n"
	case "compare_exchange_strong", "compare_exchange_weak":
		l := f.pointee(e)
		l = lval{base: f.address(l), align: l.align, t: l.t}
		expected, at := f.indirect(e, 1, l)
		desired := f.operand(e, 2, l)
		success, failure := f.memoryOrder(e, 3), f.memoryOrder(e, 4)
		old, ok := f.cmpXchg(l, expected, desired, strings.HasSuffix(name, "weak"), success, failure)
		return f.storeOnFailure(e, at, old, ok), true
	}
	if op, newValue, ok := fetchNamed(name); ok && len(e.Args) > 1 {
		return f.fetchOp(e, op, newValue, f.memoryOrder(e, 2), true), true
	}
	return f.atomicBuiltin(e, name)
}

// syncBuiltin builds __sync_NAME: all of them full barriers but lock_test_and_set and lock_release.
func (f *fn) syncBuiltin(e *tree.Builtin, name string) (val, bool) {
	switch name {
	case "synchronize":
		f.emit(&cir.Fence{Order: cir.SeqCst})
		return val{}, true
	case "lock_test_and_set":
		return f.fetchOp(e, cir.Xchg, false, cir.Acquire, false), true
	case "lock_release":
		l := f.pointee(e)
		f.storeAtomic(l, zeroOf(f.u.scalar(l.t)), cir.Release)
		return val{}, true
	case "bool_compare_and_swap", "val_compare_and_swap":
		l := f.pointee(e)
		expected, desired := f.operand(e, 1, l), f.operand(e, 2, l)
		old, ok := f.cmpXchg(l, expected, desired, false, cir.SeqCst, cir.SeqCst)
		if name == "bool_compare_and_swap" {
			return f.result(e, ok), true
		}
		return f.result(e, old), true
	}
	name = strings.Replace(name, "fetch_and_", "fetch_", 1)
	name = strings.Replace(name, "_and_fetch", "_fetch", 1)
	if op, newValue, ok := fetchNamed(name); ok && len(e.Args) > 1 {
		return f.fetchOp(e, op, newValue, cir.SeqCst, false), true
	}
	return val{}, false
}

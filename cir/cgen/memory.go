package cgen

import (
	"fmt"

	"comus/cir"
)

// memory prints what accesses memory.
func (fn *function) memory(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		fn.set(in.Dst, "%s", load(fn.val(in.Addr), in.Access))
	case *cir.Store:
		fn.emit("%s;", store(fn.val(in.Addr), fn.val(in.X), in.Access))
	case *cir.Copy:
		name := "memcpy"
		if in.Overlap {
			name = "memmove"
		}
		fn.emit("comus_%s(%s, %s, %s);", name, fn.val(in.Dst), fn.val(in.Src), fn.val(in.Size))
	case *cir.Fill:
		fn.emit("comus_memset(%s, %s, %s);", fn.val(in.Dst), fn.val(in.Byte), fn.val(in.Size))
	case *cir.Fence:
		fn.emit("__sync_synchronize();")
	case *cir.RMW:
		fn.rmw(in)
	case *cir.CmpXchg:
		fn.cmpXchg(in)
	default:
		fn.failf("cannot print the instruction %T", in)
	}
}

// load returns what an access reads.
func load(p string, a cir.Access) string {
	switch {
	case a.Bits != nil:
		t := a.Type
		t.Bits = a.Bits.Width
		return fmt.Sprintf("(%s)%s", ctype(a.Type), parens(normalBits(fmt.Sprintf("comus_load_bits(%s, %d, %d)", p, a.Bits.Offset, a.Bits.Width), t)))
	case a.Type == cir.Bool:
		return at("comus_u8", p, a) + " != 0"
	case a.Type.IsInt() && container(a.Type) != a.Type.Bits:
		return normal(at(ctype(a.Type), p, a), a.Type)
	}
	return at(ctype(a.Type), p, a)
}

// at returns the scalar of a type at an address, as it is read.
func at(t, p string, a cir.Access) string {
	if !isAtomic(a) {
		return fmt.Sprintf("COMUS_AT(%s, %s)", t, p)
	}
	o := a.Order
	switch o {
	case cir.Release:
		o = cir.Relaxed
	case cir.AcqRel:
		o = cir.Acquire
	}
	return fmt.Sprintf("COMUS_LOAD(%s, %s, %s)", t, p, order(o))
}

// isAtomic reports whether gcc has an atomic access of this kind, without a library.
func isAtomic(a cir.Access) bool {
	return a.Order != cir.Plain && a.Bits == nil && (a.Type.IsPointer() || a.Type.Bits <= 64)
}

// order returns a memory order in C.
func order(o cir.Order) string {
	return map[cir.Order]string{cir.Relaxed: "__ATOMIC_RELAXED", cir.Acquire: "__ATOMIC_ACQUIRE", cir.Release: "__ATOMIC_RELEASE",
		cir.AcqRel: "__ATOMIC_ACQ_REL", cir.SeqCst: "__ATOMIC_SEQ_CST"}[o]
}

// normalBits extends the bits of a bit-field.
func normalBits(x string, t cir.Type) string {
	if !t.Signed {
		return x
	}
	return fmt.Sprintf("(comus_i128)(%s << %d) >> %d", x, 128-t.Bits, 128-t.Bits)
}

// store returns a statement that writes.
func store(p, x string, a cir.Access) string {
	switch {
	case a.Bits != nil:
		return fmt.Sprintf("comus_store_bits(%s, %d, %d, %s)", p, a.Bits.Offset, a.Bits.Width, x)
	case isAtomic(a):
		t, o := ctype(a.Type), a.Order
		if a.Type == cir.Bool {
			t = "comus_u8"
		}
		switch o {
		case cir.Acquire:
			o = cir.Relaxed
		case cir.AcqRel:
			o = cir.Release
		}
		return fmt.Sprintf("COMUS_STORE(%s, %s, %s, %s)", t, p, x, order(o))
	case a.Type == cir.Bool:
		return fmt.Sprintf("COMUS_AT(comus_u8, %s) = %s", p, x)
	}
	return fmt.Sprintf("COMUS_AT(%s, %s) = %s", ctype(a.Type), p, x)
}

// swap returns a statement that writes what takes the place of comus_old. No other thread writes in between, because who runs the program says so;
// but that it is one step has to be seen.
func swap(p, x string, a cir.Access) string {
	if !isAtomic(a) {
		return store(p, x, a)
	}
	t := ctype(a.Type)
	if a.Type == cir.Bool {
		t = "comus_u8"
	}
	return fmt.Sprintf("COMUS_SWAP(%s, %s, %s, %s)", t, p, x, order(a.Order))
}

// before returns what a read-modify-write reads at first: the exchange itself synchronises.
func before(a cir.Access) cir.Access {
	if a.Order != cir.Plain {
		a.Order = cir.Relaxed
	}
	return a
}

// rmw prints a read-modify-write. It is one step because who runs the program says so.
func (fn *function) rmw(in *cir.RMW) {
	t := in.Type
	p := fn.val(in.Addr)
	x := ""
	if in.X != nil {
		x = fn.val(in.X)
	}
	if in.Op == cir.RMWTest {
		a := cir.Access{Type: cir.U8, Order: in.Order}
		fn.emit("{ comus_u8 comus_old = %s; %s;", load(p, before(a)), swap(p, "1", a))
	} else {
		fn.emit("{ %s comus_old = %s;", ctype(t), load(p, before(in.Access)))
		op := map[cir.RMWOp]string{cir.RMWAdd: "+", cir.RMWSub: "-", cir.RMWAnd: "&", cir.RMWOr: "|", cir.RMWXor: "^", cir.RMWNand: "&"}[in.Op]
		e := ""
		switch {
		case in.Op == cir.Xchg:
			e = x
		case t.IsPointer():
			e = fmt.Sprintf("(comus_ptr)((comus_u64)comus_old %s (comus_u64)%s)", op, x)
		case t.IsFloat():
			e = fmt.Sprintf("comus_old %s %s", op, x)
		case in.Op == cir.RMWNand:
			e = normal(fmt.Sprintf("~(comus_old & %s)", x), t)
		default:
			e = normal(fmt.Sprintf("comus_old %s %s", op, x), t)
		}
		fn.emit("%s;", swap(p, e, in.Access))
	}
	if in.Dst != nil {
		fn.emit("%s = comus_old%s;", reg(in.Dst), map[bool]string{true: " != 0"}[in.Op == cir.RMWTest && in.Dst.Type == cir.Bool])
	}
	fn.emit("}")
}

// cmpXchg prints a compare-exchange, which compares bit by bit.
func (fn *function) cmpXchg(in *cir.CmpXchg) {
	t, p := ctype(in.Type), fn.val(in.Addr)
	n := fn.p.Model.SizeOf(in.Type)
	if in.Type == cir.F80 {
		n = 10
	}
	fn.emit("{ %s comus_old = %s, comus_want = %s;", t, load(p, before(in.Access)), fn.val(in.Expected))
	fn.emit("int comus_ok = !__builtin_memcmp(&comus_old, &comus_want, %d);", n)
	failed := in.Access
	failed.Order = in.Failure
	fn.emit("if (comus_ok) %s; else { %s; }", swap(p, fn.val(in.New), in.Access), load(p, failed))
	if in.Old != nil {
		fn.emit("%s = comus_old;", reg(in.Old))
	}
	if in.OK != nil {
		fn.emit("%s = comus_ok;", reg(in.OK))
	}
	fn.emit("}")
}

package cgen

import (
	"fmt"

	"comus/cir"
)

// instr prints an instruction.
func (fn *function) instr(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Unary:
		fn.unary(in)
	case *cir.Binary:
		fn.binary(in)
	case *cir.Overflow:
		fn.overflow(in)
	case *cir.Compare:
		op := [...]string{cir.Eq: "==", cir.Ne: "!=", cir.Lt: "<", cir.Le: "<=", cir.Gt: ">", cir.Ge: ">="}[in.Pred]
		fn.set(in.Dst, "%s %s %s", fn.val(in.X), op, fn.val(in.Y))
	case *cir.Convert:
		fn.set(in.Dst, "%s", convert(fn.val(in.X), fn.typ(in.X), in.Dst.Type))
	case *cir.Bitcast:
		n := min(fn.p.Model.SizeOf(in.Dst.Type), fn.p.Model.SizeOf(fn.typ(in.X)))
		fn.emit("{ %s comus_v = %s; __builtin_memcpy(&%s, &comus_v, %d); }", ctype(fn.typ(in.X)), fn.val(in.X), reg(in.Dst), n)
	case *cir.Select:
		fn.set(in.Dst, "%s ? %s : %s", fn.val(in.Cond), fn.val(in.X), fn.val(in.Y))
	case *cir.Offset:
		index := ""
		if in.Index != nil {
			index = fmt.Sprintf(" + (comus_u64)(%s) * %dL", fn.val(in.Index), in.Scale)
		}
		fn.set(in.Dst, "(comus_ptr)((comus_u64)%s%s + %dL)", fn.val(in.P), index, in.Disp)
	case *cir.Distance:
		fn.set(in.Dst, "((comus_i64)%s - (comus_i64)%s) / %dL", fn.val(in.X), fn.val(in.Y), max(in.Size, 1))
	case *cir.Call:
		fn.call(in)
	case *cir.Intrinsic:
		fn.intrinsic(in)
	case *cir.LifeStart, *cir.LifeEnd, *cir.Assumption, *cir.VaEnd:
	case *cir.StackSave:
		fn.emit("__asm__ volatile (\"movq %%%%rsp, %%0\" : \"=r\"(%s));", reg(in.Dst))
	case *cir.StackRestore: // locals are found from the frame pointer
		fn.emit("__asm__ volatile (\"movq %%0, %%%%rsp\" : : \"r\"((comus_u64)%s));", fn.val(in.Mark))
	case *cir.Alloca:
		fn.set(in.Dst, "__builtin_alloca_with_align(%s, %d)", fn.val(in.Size), 8*max(in.Align, 16))
	case *cir.VaStart:
		last := "comus_none"
		if n := len(fn.f.Params); n > 0 {
			last = reg(fn.f.Params[n-1].Reg)
		}
		fn.emit("__builtin_va_start(*(__builtin_va_list *)%s, %s);", fn.val(in.Ap), last)
	case *cir.VaArg:
		fn.vaArg(in)
	case *cir.VaCopy:
		fn.emit("__builtin_va_copy(*(__builtin_va_list *)%s, *(__builtin_va_list *)%s);", fn.val(in.Dst), fn.val(in.Src))
	default:
		fn.memory(in)
	}
}

// vaArg reads a variable argument. What is passed is promoted.
func (fn *function) vaArg(in *cir.VaArg) {
	ap := fmt.Sprintf("*(__builtin_va_list *)%s", fn.val(in.Ap))
	if in.Dst == nil {
		fn.emit("__builtin_memmove(%s, __builtin_va_arg(%s, comus_ptr), %d);", fn.val(in.To), ap, in.Shape.Size)
		return
	}
	t := in.Dst.Type
	read := t
	switch {
	case t.IsInt() && t.Bits < 32:
		read = cir.I32
	case t == cir.F32:
		read = cir.F64
	}
	fn.set(in.Dst, "%s", convert(fmt.Sprintf("__builtin_va_arg(%s, %s)", ap, ctype(read)), read, t))
}

// unary prints a Unary.
func (fn *function) unary(in *cir.Unary) {
	x, t := fn.val(in.X), in.Dst.Type
	switch in.Op {
	case cir.Neg:
		if t.IsFloat() {
			fn.set(in.Dst, "-%s", x)
			return
		}
		fn.set(in.Dst, "%s", normal("-"+x, t))
	case cir.Not:
		fn.set(in.Dst, "%s", normal("~"+x, t))
	case cir.Sqrt, cir.Fabs:
		name := map[cir.Op]string{cir.Sqrt: "sqrt", cir.Fabs: "fabs"}[in.Op]
		suffix := map[int]string{16: "f", 32: "f", 80: "l", 128: "f128"}[t.Bits]
		fn.set(in.Dst, "__builtin_%s%s(%s)", name, suffix, x)
	default:
		if t.Bits <= 64 {
			fn.set(in.Dst, "%s", normal(bits(in.Op, fmt.Sprintf("(comus_u64)%s%s", parens(unsigned(t)), x), t), t))
			return
		}
		lo, hi := fmt.Sprintf("(comus_u64)%s", x), fmt.Sprintf("(comus_u64)(%s >> 64)", x)
		u := cir.U64
		switch in.Op {
		case cir.Clz:
			fn.set(in.Dst, "%s ? %s : 64 + %s", hi, bits(in.Op, hi, u), bits(in.Op, lo, u))
		case cir.Ctz:
			fn.set(in.Dst, "%s ? %s : 64 + %s", lo, bits(in.Op, lo, u), bits(in.Op, hi, u))
		case cir.Popcount:
			fn.set(in.Dst, "%s + %s", bits(in.Op, lo, u), bits(in.Op, hi, u))
		case cir.Bswap:
			fn.set(in.Dst, "((comus_u128)%s << 64) | %s", bits(in.Op, lo, u), bits(in.Op, hi, u))
		}
	}
}

func parens(s string) string { return "(" + s + ")" }

// bits applies an operator on bits to an unsigned integer of at most 64 bits that stands for one of type t.
func bits(op cir.Op, x string, t cir.Type) string {
	switch op {
	case cir.Clz:
		return fmt.Sprintf("(__builtin_clzl(%s) - %d)", x, 64-t.Bits)
	case cir.Ctz:
		return fmt.Sprintf("__builtin_ctzl(%s)", x)
	case cir.Popcount:
		if container(t) != t.Bits {
			x = fmt.Sprintf("(%s) & %#xUL", x, uint64(1)<<t.Bits-1)
		}
		return fmt.Sprintf("__builtin_popcountl(%s)", x)
	}
	return fmt.Sprintf("(__builtin_bswap64(%s) >> %d)", x, 64-t.Bits)
}

// binary prints a Binary.
func (fn *function) binary(in *cir.Binary) {
	x, y, t := fn.val(in.X), fn.val(in.Y), in.Dst.Type
	op := map[cir.Op]string{cir.Add: "+", cir.Sub: "-", cir.Mul: "*", cir.Div: "/", cir.Rem: "%", cir.And: "&", cir.Or: "|", cir.Xor: "^", cir.Shl: "<<", cir.Shr: ">>"}[in.Op]
	switch in.Op {
	case cir.Shl, cir.Shr:
		y = fmt.Sprintf("((comus_u32)%s & %d)", y, max(container(t), 32)-1)
		if in.Op == cir.Shl && t.Signed {
			x = fmt.Sprintf("(%s)%s", unsigned(t), x)
		}
	case cir.Mul: // of short unsigned ones, C would multiply ints
		if t.IsInt() && t.Bits < 32 {
			x = "(comus_u32)" + x
		}
	}
	e := fmt.Sprintf("%s %s %s", x, op, y)
	if t.IsFloat() {
		fn.set(in.Dst, "%s", e)
		return
	}
	fn.set(in.Dst, "%s", normal(e, t))
}

// overflow prints an Overflow.
func (fn *function) overflow(in *cir.Overflow) {
	name := map[cir.Op]string{cir.Add: "add", cir.Sub: "sub", cir.Mul: "mul"}[in.Op]
	t := in.Dst.Type
	over := "comus_o"
	fn.emit("{ %s comus_v; int comus_o = __builtin_%s_overflow(%s, %s, &comus_v);", ctype(t), name, fn.val(in.X), fn.val(in.Y))
	fn.emit("%s = %s;", reg(in.Dst), normal("comus_v", t))
	if container(t) != t.Bits {
		over += fmt.Sprintf(" || %s != comus_v", reg(in.Dst))
	}
	if in.Over != nil {
		fn.emit("%s = %s;", reg(in.Over), over)
	}
	fn.emit("}")
}

// convert converts a scalar.
func convert(x string, from, to cir.Type) string {
	switch {
	case to == cir.Bool:
		return fmt.Sprintf("(%s) != 0", x)
	case to.IsPointer() && !from.IsPointer():
		return fmt.Sprintf("(comus_ptr)(comus_u64)(%s)", x)
	case from.IsPointer() && to.IsInt():
		return normal(fmt.Sprintf("(comus_i64)(%s)", x), to) // gcc extends addresses by their sign
	case to.IsInt():
		return normal(x, to)
	}
	return fmt.Sprintf("(%s)(%s)", ctype(to), x)
}

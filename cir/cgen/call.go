package cgen

import (
	"fmt"
	"strings"

	"comus/cir"
)

// call prints a call.
func (fn *function) call(in *cir.Call) {
	f, direct := in.Callee.(*cir.Func)
	external := direct && len(f.Blocks) == 0
	var args, types []string
	fn.emit("{")
	if in.Result.Shape != nil {
		to := "0"
		if in.To != nil {
			to = fn.val(in.To)
		}
		args, types = append(args, to), append(types, "comus_ptr")
	}
	for i, a := range in.Args {
		x := fn.val(a.X)
		if a.ByVal != nil {
			fn.emit("unsigned char comus_arg%d[%d] __attribute__((aligned(16))); __builtin_memcpy(comus_arg%d, %s, %d);", i, max(a.ByVal.Size, 1), i, x, a.ByVal.Size)
			x = fmt.Sprintf("comus_arg%d", i)
		}
		args = append(args, x)
		if i < in.Fixed || in.Fixed >= len(in.Args) {
			types = append(types, ctype(fn.typ(a.X)))
		}
		if external && a.ByVal != nil {
			fn.failf("a struct is passed to '%s', which has no body", f.Source)
		}
	}
	if external && in.Result.Shape != nil {
		fn.failf("'%s', which has no body, returns a struct", f.Source)
	}
	callee := ""
	if direct && fits(f, in) {
		callee = fn.names[f]
		if f.Variadic && len(args) == 0 {
			args = append(args, "0")
		}
	} else {
		if in.Fixed < len(in.Args) {
			if len(types) == 0 { // no parameter but the variable ones
				types, args = append(types, "int"), append([]string{"0"}, args...)
			}
			types = append(types, "...")
		}
		if len(types) == 0 {
			types = append(types, "void")
		}
		fn.emit("comus_ptr comus_f = %s;", fn.val(in.Callee))
		callee = fmt.Sprintf("((%s (*)(%s))comus_f)", resultOf(in), strings.Join(types, ", "))
	}
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(args, ", "))
	if in.Dst != nil {
		if external && in.Dst.Type == cir.Bool {
			call += " & 1"
		}
		call = fmt.Sprintf("%s = %s", reg(in.Dst), call)
	}
	fn.emit("%s; }", call)
}

// resultOf returns the C type of what a call expects.
func resultOf(in *cir.Call) string {
	if in.Dst != nil {
		return ctype(in.Dst.Type)
	}
	return result(in.Result)
}

// fits reports whether a call can be one in C as it is.
func fits(f *cir.Func, in *cir.Call) bool {
	if len(f.Blocks) == 0 || len(in.Args) < len(f.Params) || len(in.Args) > len(f.Params) && !f.Variadic {
		return false
	}
	for i, p := range f.Params {
		a := in.Args[i]
		switch {
		case (a.ByVal != nil) != (p.ByVal != nil):
			return false
		case a.ByVal == nil:
			t, u := typeOf(a.X), p.Reg.Type
			if t.Kind != u.Kind || t.Bits != u.Bits {
				return false
			}
		}
	}
	r := f.Result
	if (r.Shape != nil) != (in.Result.Shape != nil) {
		return false
	}
	return in.Dst == nil || in.Dst.Type.Kind == r.Type.Kind && in.Dst.Type.Bits == r.Type.Bits
}

// typeOf returns the type of an operand on LP64.
func typeOf(v cir.Value) cir.Type { return cir.Model{PointerBits: 64}.TypeOf(v) }

// intrinsic prints an intrinsic.
func (fn *function) intrinsic(in *cir.Intrinsic) {
	var args []string
	for _, a := range in.Args {
		args = append(args, fn.val(a))
	}
	switch in.Op {
	case cir.Nondet:
		fn.set(in.Dst, "((%s)0)", ctype(in.Dst.Type))
	case cir.Assumed:
		fn.set(in.Dst, "%s", args[0])
	case cir.Approximation, cir.HavocReachable, cir.Readers, cir.Apart, cir.Given, cir.ThreadJoined, cir.ThreadAlone, cir.Resume:
	case cir.Assert:
		fn.emit("comus_assert(%s, %s);", args[0], quote(in.Name))
	case cir.Undefined:
		fn.emit("comus_undefined(%s, %s, %s);", args[0], quote(in.Check), quote(in.Name))
	case cir.Stop:
		name := "comus_stop"
		if fn.f.Source == "exit" {
			name = "comus_exit"
		}
		fn.emit("%s(%s);", name, args[0])
	case cir.Math:
		fn.math(in, args)
	case cir.Interrupt:
		fn.set(in.Dst, "-1")
	case cir.FrameAddress, cir.ReturnAddress:
		fn.set(in.Dst, "(comus_ptr)__builtin_frame_address(0)")
	case cir.Reaching:
		fn.set(in.Dst, "%s", args[0])
	case cir.Setjmp:
		fn.result(in, "comus_setjmp", []string{"comus_jump(" + args[0] + ")"})
	case cir.ReadLine:
		fn.result(in, "comus_read_line", args)
	default:
		fn.result(in, "comus_"+in.Op.String(), args)
	}
}

// result prints a call of the runtime.
func (fn *function) result(in *cir.Intrinsic, name string, args []string) {
	call := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	if in.Dst == nil {
		fn.emit("%s;", call)
		return
	}
	fn.set(in.Dst, "%s", convert(call, resultType(in), in.Dst.Type))
}

// resultType is what the runtime returns.
func resultType(in *cir.Intrinsic) cir.Type {
	switch in.Op {
	case cir.Alloc, cir.AllocAligned, cir.Resize:
		return cir.Type{Kind: cir.PointerKind, Bits: 64}
	case cir.StrtoD:
		return cir.F64
	}
	return cir.I64
}

// ownMath are the functions of math.h that the runtime wraps, because their arguments are others.
var ownMath = map[string]string{"ldexp": "ldexp", "scalbn": "ldexp", "scalbln": "ldexp", "scalb": "ldexp", "frexp": "frexp", "frexp_exp": "frexp_exp", "modf": "modf", "ilogb": "ilogb"}

// mathName returns the function of math.h for a type, and whether the runtime wraps it.
func mathName(name string, t cir.Type) (string, bool) {
	for _, n := range []string{name, strings.TrimSuffix(name, "f"), strings.TrimSuffix(name, "l")} {
		if own := ownMath[n]; own != "" {
			return own, true
		}
	}
	suffix := map[int]string{32: "f", 80: "l"}[t.Bits]
	if name != "erf" && name != "ceil" && strings.HasSuffix(name, suffix) {
		suffix = ""
	}
	return name + suffix, false
}

// math prints a call of a function of math.h. All are given two arguments, of which some use one.
func (fn *function) math(in *cir.Intrinsic, args []string) {
	if in.Dst == nil {
		return
	}
	name, own := mathName(in.Name, in.Dst.Type)
	one := name == "frexp" || name == "frexp_exp" || name == "modf" || name == "ilogb"
	switch {
	case own && one:
		fn.set(in.Dst, "comus_%s(%s)", name, args[0])
	case own:
		fn.set(in.Dst, "comus_%s(%s, %s)", name, args[0], args[1])
	default:
		fn.set(in.Dst, "((%s (*)(%s, %s))comus_math_%s)(%s, %s)", ctype(in.Dst.Type), ctype(fn.typ(in.Args[0])), ctype(fn.typ(in.Args[1])), name, args[0], args[1])
	}
}

// mathHeader declares the functions of math.h that are called.
func (pr *printer) mathHeader() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, f := range pr.p.Funcs {
		for _, x := range f.Blocks {
			for _, i := range x.Instrs {
				in, ok := i.(*cir.Intrinsic)
				if !ok || in.Op != cir.Math || in.Dst == nil {
					continue
				}
				if name, own := mathName(in.Name, in.Dst.Type); !own && !seen[name] {
					seen[name] = true
					fmt.Fprintf(&b, "extern void comus_math_%s(void) __asm__(%q) __attribute__((visibility(\"default\")));\n", name, name)
				}
			}
		}
	}
	return b.String()
}

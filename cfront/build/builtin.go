package build

import (
	"strconv"
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// builtinFunc builds a builtin.
type builtinFunc func(f *fn, e *tree.Builtin) val

// builtins are the builtins by their names without "__builtin_"; families are in [fn.family].
var builtins map[string]builtinFunc

func init() {
	builtins = map[string]builtinFunc{
		"va_start": (*fn).vaStart, "c23_va_start": (*fn).vaStart, "va_end": (*fn).vaEnd, "va_copy": (*fn).vaCopy,
		"alloca": (*fn).alloca, "alloca_with_align": (*fn).alloca, "alloca_with_align_and_max": (*fn).alloca,
		"expect": first, "expect_with_probability": first, "assume_aligned": first, "launder": first,
		"extract_return_addr": first, "frob_return_addr": first, "speculation_safe_value": first,
		"unreachable": (*fn).unreachable, "trap": (*fn).trap, "abort": (*fn).trap,
		"prefetch": effects0, "clear_cache": effects0, "__clear_cache": effects0, "va_arg_pack": nil,
		"constant_p": constant(0), "classify_type": constant(5),
		"object_size": (*fn).objectSize, "dynamic_object_size": (*fn).objectSize,
		"setjmp": (*fn).setjmp, "longjmp": (*fn).longjmp,
		"frame_address": frame(cir.FrameAddress), "return_address": frame(cir.ReturnAddress), "dwarf_cfa": frame(cir.FrameAddress),
		"memcpy": copyBytes(false), "memmove": copyBytes(true), "memset": (*fn).setBytes, "bzero": (*fn).setBytes,
		"complex": (*fn).makeComplex, "shuffle": (*fn).shuffle, "shufflevector": (*fn).shuffleVector, "convertvector": (*fn).convertVector,
		"has_attribute": constant(0), "choose_expr": nil,
		"isnan": isNaN, "isinf": (*fn).isInf, "isinf_sign": (*fn).isInfSign, "isfinite": (*fn).isFinite, "finite": (*fn).isFinite,
		"isnormal": (*fn).isNormal, "signbit": (*fn).signBit, "fpclassify": (*fn).fpClassify,
		"fabs": fabs, "sqrt": sqrt, "copysign": (*fn).copySign,
		"inf": infinity, "huge_val": infinity, "nan": nan, "nans": nan,
		"isgreater": order(cir.Gt), "isgreaterequal": order(cir.Ge), "isless": order(cir.Lt), "islessequal": order(cir.Le),
		"islessgreater": (*fn).lessGreater, "isunordered": (*fn).unordered, "iseqsig": order(cir.Eq),
		"abs": (*fn).abs, "clz": bits(cir.Clz), "ctz": bits(cir.Ctz), "popcount": bits(cir.Popcount),
		"ffs": (*fn).ffs, "parity": (*fn).parity, "clrsb": (*fn).clrsb, "bswap": bits(cir.Bswap), "bitreverse": nil,
		"creal": part(0), "cimag": part(1), "conj": (*fn).conj,
	}
	for _, suffixed := range []struct {
		suffixes []string
		names    string
	}{
		{[]string{"f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x"}, "inf huge_val nan nans fabs sqrt copysign signbit isnan isinf finite creal cimag conj"},
		{[]string{"l", "ll", "max", "g"}, "clz ctz popcount ffs parity clrsb abs"},
		{[]string{"16", "32", "64", "128"}, "bswap bitreverse"},
	} {
		for _, name := range strings.Fields(suffixed.names) {
			for _, s := range suffixed.suffixes {
				builtins[name+s] = builtins[name]
			}
		}
	}
	builtins["labs"], builtins["llabs"], builtins["imaxabs"] = builtins["abs"], builtins["abs"], builtins["abs"]
}

// builtin builds a call of a builtin.
func (f *fn) builtin(e *tree.Builtin) val {
	if b := builtins[e.Name]; b != nil {
		return b(f, e)
	}
	if v, ok := f.family(e); ok {
		return v
	}
	refuse(e.Site, "the builtin '%s' is not known", e.Name)
	return val{}
}

// family builds the builtins whose names are made of parts: atomics and arithmetic with overflow.
func (f *fn) family(e *tree.Builtin) (val, bool) {
	name := strings.TrimLeft(e.Name, "_")
	if base, size, ok := cutLast(name, "_"); ok {
		// __atomic_fetch_add_4
		if n, err := strconv.Atoi(size); err == nil && n <= 16 {
			name = base
			if strings.HasPrefix(name, "atomic_") && !strings.HasSuffix(name, "_fetch") && !strings.Contains(name, "_fetch_") {
				name += "_n"
			}
		}
	}
	switch {
	case strings.HasPrefix(name, "atomic_"):
		return f.atomicBuiltin(e, name[len("atomic_"):])
	case strings.HasPrefix(name, "c11_atomic_"):
		return f.c11Builtin(e, name[len("c11_atomic_"):])
	case strings.HasPrefix(name, "sync_"):
		return f.syncBuiltin(e, name[len("sync_"):])
	case strings.HasSuffix(name, "_overflow") || strings.HasSuffix(name, "_overflow_p"):
		return f.overflow(e, name)
	}
	return val{}, false
}

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// args builds the arguments of a builtin as scalars, from left to right.
func (f *fn) args(e *tree.Builtin) []cir.Value {
	vs := make([]cir.Value, len(e.Args))
	for i, a := range e.Args {
		vs[i] = f.scalarOf(a)
	}
	return vs
}

// arg builds the i-th argument of a builtin.
func (f *fn) arg(e *tree.Builtin, i int) cir.Value {
	if i >= len(e.Args) {
		refuse(e.Site, "too few arguments for '%s'", e.Name)
	}
	return f.scalarOf(e.Args[i])
}

// result converts an integer or Bool to the builtin's type.
func (f *fn) result(e *tree.Builtin, v cir.Value) val {
	if e.Typ.Kind == types.Void {
		return val{}
	}
	return val{v: f.convert(v, f.u.scalar(e.Typ))}
}

// first is a builtin whose value is that of its first argument.
func first(f *fn, e *tree.Builtin) val {
	v := f.expr(e.Args[0])
	for _, a := range e.Args[1:] {
		f.discard(a)
	}
	if v.v != nil {
		return f.result(e, v.v)
	}
	return v
}

// effects0 is a builtin that only evaluates its arguments.
func effects0(f *fn, e *tree.Builtin) val {
	for _, a := range e.Args {
		f.discard(a)
	}
	return val{}
}

// constant is a builtin with this value, that does not evaluate its arguments.
func constant(n int64) builtinFunc {
	return func(f *fn, e *tree.Builtin) val { return f.result(e, cir.IntOf(cir.I32, n)) }
}

func (f *fn) unreachable(*tree.Builtin) val {
	f.end(&cir.Unreachable{Why: "__builtin_unreachable"})
	return val{}
}

func (f *fn) trap(*tree.Builtin) val {
	f.emit(&cir.Intrinsic{Op: cir.Trap})
	f.end(&cir.Unreachable{Why: "__builtin_trap"})
	return val{}
}

// vaStart builds va_start.
func (f *fn) vaStart(e *tree.Builtin) val {
	f.emit(&cir.VaStart{Ap: f.vaList(e.Args[0])})
	return val{}
}

func (f *fn) vaEnd(e *tree.Builtin) val {
	f.emit(&cir.VaEnd{Ap: f.vaList(e.Args[0])})
	return val{}
}

func (f *fn) vaCopy(e *tree.Builtin) val {
	dst := f.vaList(e.Args[0])
	f.emit(&cir.VaCopy{Dst: dst, Src: f.vaList(e.Args[1])})
	return val{}
}

// alloca builds alloca(size), with the alignment in bits as a second argument.
func (f *fn) alloca(e *tree.Builtin) val {
	d := f.reg(f.u.model.Pointer())
	a := &cir.Alloca{Dst: d, Size: f.convert(f.arg(e, 0), f.u.model.Size()), Align: 16}
	if len(e.Args) > 1 {
		if c, ok := f.arg(e, 1).(cir.Int); ok && c.Lo >= 8 {
			a.Align = int64(c.Lo / 8)
		}
	}
	f.emit(a)
	return val{v: d}
}

// objectSize builds __builtin_object_size: that the size is not known, which gcc says without optimisation.
func (f *fn) objectSize(e *tree.Builtin) val {
	n := int64(-1)
	if len(e.Args) > 1 {
		if c, ok := e.Args[1].(*tree.IntConst); ok && c.V.Int64()&2 != 0 {
			n = 0
		}
	}
	return f.result(e, cir.IntOf(f.u.model.Diff(), n))
}

// setjmp builds __builtin_setjmp and setjmp.
func (f *fn) setjmp(e *tree.Builtin) val {
	d := f.reg(cir.I32)
	f.emit(&cir.Intrinsic{Op: cir.Setjmp, Dst: d, Args: []cir.Value{f.arg(e, 0)}})
	return val{v: d}
}

func (f *fn) longjmp(e *tree.Builtin) val {
	buf := f.arg(e, 0)
	f.emit(&cir.Intrinsic{Op: cir.Longjmp, Args: []cir.Value{buf, f.arg(e, 1)}})
	f.end(&cir.Unreachable{Why: "call of a noreturn function returns"})
	return val{}
}

// frame builds __builtin_frame_address and __builtin_return_address.
func frame(op cir.IntrinsicOp) builtinFunc {
	return func(f *fn, e *tree.Builtin) val {
		level := cir.Value(cir.IntOf(cir.U32, 0))
		if len(e.Args) > 0 {
			level = f.arg(e, 0)
		}
		d := f.reg(f.u.model.Pointer())
		i := &cir.Intrinsic{Op: op, Dst: d, Args: []cir.Value{level}}
		i.Approx = "frame or return address"
		f.emit(i)
		return val{v: d}
	}
}

// copyBytes builds memcpy and memmove where they are builtins.
func copyBytes(overlap bool) builtinFunc {
	return func(f *fn, e *tree.Builtin) val {
		vs := f.args(e)
		f.emit(&cir.Copy{Dst: vs[0], Src: vs[1], Size: f.convert(vs[2], f.u.model.Size()), Align: 1, Overlap: overlap})
		return val{v: vs[0]}
	}
}

// setBytes builds memset and bzero where they are builtins.
func (f *fn) setBytes(e *tree.Builtin) val {
	vs := f.args(e)
	b := cir.Value(cir.Int{Type: cir.U8})
	if len(vs) > 2 {
		b = f.convert(vs[1], cir.U8)
	}
	f.emit(&cir.Fill{Dst: vs[0], Byte: b, Size: f.convert(vs[len(vs)-1], f.u.model.Size())})
	return val{v: vs[0]}
}

// overflow builds __builtin_add_overflow and its relatives, also with types in their names and those ending in _p.
func (f *fn) overflow(e *tree.Builtin, name string) (val, bool) {
	base, predicate := strings.CutSuffix(name, "_p")
	base = strings.TrimSuffix(base, "_overflow")
	op, ok := cir.Add, false
	for _, o := range []struct {
		name string
		op   cir.Op
	}{{"add", cir.Add}, {"sub", cir.Sub}, {"mul", cir.Mul}} {
		if strings.Contains(base, o.name) {
			op, ok = o.op, true
		}
	}
	if !ok || len(e.Args) != 3 {
		return val{}, false
	}
	x, y := f.arg(e, 0), f.arg(e, 1)
	last := e.Args[2]
	t := last.Type()
	var to lval
	if !predicate {
		t = t.Elem
		p, align := f.pointer(last)
		to = lval{base: p.base, disp: p.disp, align: align, t: t}
	} else {
		f.discard(last)
	}
	i := &cir.Overflow{Dst: f.reg(f.u.scalar(t)), Over: f.reg(cir.Bool), Op: op, X: x, Y: y}
	f.emit(i)
	if !predicate {
		f.store(to, val{v: i.Dst})
	}
	return f.result(e, i.Over), true
}

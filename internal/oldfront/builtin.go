package cfront

import (
	"strconv"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// LibraryName returns the name of the function that a GNU builtin stands for, and other
// names as they are.
func LibraryName(name string) string {
	if plain, ok := strings.CutPrefix(name, "__builtin_"); ok && asLibrary[plain] {
		return plain
	}
	return name
}

// asLibrary are the functions that have builtins with the same meaning.
var asLibrary = map[string]bool{"memcpy": true, "memset": true, "memmove": true, "memcmp": true, "strlen": true, "strcmp": true, "strncmp": true,
	"strcpy": true, "strncpy": true, "strcat": true, "abs": true, "labs": true, "llabs": true, "malloc": true, "calloc": true, "realloc": true, "free": true}

// builtins declare what cc.Builtin does not.
const builtins = `
void __builtin_trap(void);
void *__builtin_assume_aligned(const void *, __SIZE_TYPE__, ...);
long __builtin_expect_with_probability(long, long, double);
long long __builtin_llabs(long long);
_Bool __builtin_add_overflow(), __builtin_sub_overflow(), __builtin_mul_overflow();
_Bool __builtin_add_overflow_p(), __builtin_sub_overflow_p(), __builtin_mul_overflow_p();
_Bool __builtin_sadd_overflow(int, int, int *), __builtin_saddl_overflow(long, long, long *), __builtin_saddll_overflow(long long, long long, long long *);
_Bool __builtin_ssub_overflow(int, int, int *), __builtin_ssubl_overflow(long, long, long *), __builtin_ssubll_overflow(long long, long long, long long *);
_Bool __builtin_smul_overflow(int, int, int *), __builtin_smull_overflow(long, long, long *), __builtin_smulll_overflow(long long, long long, long long *);
_Bool __builtin_uadd_overflow(unsigned, unsigned, unsigned *), __builtin_uaddl_overflow(unsigned long, unsigned long, unsigned long *), __builtin_uaddll_overflow(unsigned long long, unsigned long long, unsigned long long *);
_Bool __builtin_usub_overflow(unsigned, unsigned, unsigned *), __builtin_usubl_overflow(unsigned long, unsigned long, unsigned long *), __builtin_usubll_overflow(unsigned long long, unsigned long long, unsigned long long *);
_Bool __builtin_umul_overflow(unsigned, unsigned, unsigned *), __builtin_umull_overflow(unsigned long, unsigned long, unsigned long *), __builtin_umulll_overflow(unsigned long long, unsigned long long, unsigned long long *);
`

// addBuiltins adds GNU's builtins that are no functions of the library.
func addBuiltins() {
	for _, f := range []string{"clz", "ctz", "ffs", "popcount", "parity"} {
		for _, suffix := range []string{"", "l", "ll"} {
			libraryFuncs["__builtin_"+f+suffix] = (*lowerer).bitsCall
		}
	}
	for _, f := range []string{"16", "32", "64"} {
		libraryFuncs["__builtin_bswap"+f] = (*lowerer).swapBytes
	}
	for _, op := range []string{"add", "sub", "mul"} {
		libraryFuncs["__builtin_"+op+"_overflow"] = (*lowerer).overflowCall
		libraryFuncs["__builtin_"+op+"_overflow_p"] = (*lowerer).overflowCall
		for _, typ := range []string{"", "l", "ll"} {
			libraryFuncs["__builtin_s"+op+typ+"_overflow"] = (*lowerer).overflowCall
			libraryFuncs["__builtin_u"+op+typ+"_overflow"] = (*lowerer).overflowCall
		}
	}
	libraryFuncs["__builtin_assume_aligned"] = (*lowerer).firstArgument
	libraryFuncs["__builtin_expect_with_probability"] = (*lowerer).expectCall
	libraryFuncs["__builtin_constant_p"] = (*lowerer).constantCall
	libraryFuncs["__builtin_choose_expr"] = (*lowerer).chooseCall
	libraryFuncs["__ccgo__types_compatible_p"] = func(b *lowerer, c call) *value { return b.literal(c.n) }
}

// suffixed returns the type of the arguments of a builtin: an int, or what its suffix says.
func (b *lowerer) suffixed(suffix string, signed bool) ir.Type {
	switch suffix {
	case "ll":
		return ir.Type{Bits: 64, Signed: signed}
	case "l":
		return ir.Type{Bits: b.ptrInt.Bits, Signed: signed}
	}
	return ir.Type{Bits: 32, Signed: signed}
}

// bitArgument evaluates the argument of a builtin as a value of a type, into a temporary
// if it is not constant.
func (b *lowerer) bitArgument(c call, it ir.Type) *value {
	b.want(c, 1)
	v := b.eval(c.args[0])
	if b.cur == nil {
		return b.constInt(1, it)
	}
	if v.kind != vInt {
		b.fail(c.n, "unsupported: %s of what is no integer", c.name)
	}
	v = b.convert(c.n, v, it)
	b.materialise(v)
	return v
}

// bitsCall lowers __builtin_clz, ctz, ffs, popcount and parity. The first two are
// undefined for 0, which is assumed not to happen.
func (b *lowerer) bitsCall(c call) *value {
	full := strings.TrimPrefix(c.name, "__builtin_")
	name := strings.TrimRight(full, "l")
	v := b.bitArgument(c, b.suffixed(full[len(name):], false))
	L, x, bits := b.L, v.t, v.it.Bits
	w := b.intValue(nil, intT)
	w.rng = &interval{logic.IntValue(0), logic.IntValue(int64(bits))}
	switch name {
	case "popcount", "parity":
		w.t = L.Int(0)
		for k := range bits {
			w.t = L.Add(w.t, L.Mod(L.Div(x, L.Value(pow2(k))), L.Int(2)))
		}
		if name == "parity" {
			w.t = L.Mod(w.t, L.Int(2))
		}
	case "clz":
		w.t = L.Int(int64(bits - 1))
		for k := 1; k < bits; k++ {
			w.t = L.Ite(L.Ge(x, L.Value(pow2(k))), L.Int(int64(bits-1-k)), w.t)
		}
	default: // the lowest bit that is set
		w.t = L.Int(int64(bits - 1))
		for k := bits - 2; k >= 0; k-- {
			w.t = L.Ite(L.Ne(L.Mod(x, L.Value(pow2(k+1))), L.Int(0)), L.Int(int64(k)), w.t)
		}
	}
	switch none := L.Eq(x, L.Int(0)); {
	case name == "ffs":
		w.t = L.Ite(none, L.Int(0), L.Add(w.t, L.Int(1)))
	case (name == "clz" || name == "ctz") && !none.IsFalse():
		b.assume(assumeBits)
		w.side = append(w.side, L.Not(none))
	}
	return w
}

// swapBytes lowers __builtin_bswap16 and the like.
func (b *lowerer) swapBytes(c call) *value {
	bits, _ := strconv.Atoi(strings.TrimPrefix(c.name, "__builtin_bswap"))
	v := b.bitArgument(c, ir.Type{Bits: bits})
	w := b.intValue(b.L.Int(0), v.it)
	for k := 0; k < bits; k += 8 {
		octet := b.L.Mod(b.L.Div(v.t, b.L.Value(pow2(k))), b.L.Int(256))
		w.t = b.L.Add(w.t, b.L.Mul(b.L.Value(pow2(bits-8-k)), octet))
	}
	return w
}

// overflowCall lowers __builtin_add_overflow and the like: what is stored is the result
// modulo two to the number of bits, and the value tells whether that is another one.
func (b *lowerer) overflowCall(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, ir.Flag)
	}
	l, r := vals[0], vals[1]
	if l.kind != vInt || r.kind != vInt {
		b.fail(c.n, "unsupported: %s of what is no integer", c.name)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(c.name, "__builtin_"), "_overflow")
	op, _, test := strings.Cut(name, "_")
	if op != "add" && op != "sub" && op != "mul" { // with a letter for the type before and behind
		it := b.suffixed(op[4:], op[0] == 's')
		l, r = b.convert(c.n, l, it), b.convert(c.n, r, it)
		op = op[1:4]
	}
	mark := b.hold(l, r, vals[2])
	defer func() { b.letGo(mark) }()
	b.settleAll()
	var p place
	var t *ctype
	if test {
		if !plainType(c.args[2]) {
			b.fail(c.n, "unsupported: %s with the type of this expression", c.name)
		}
		t = b.typeOf(c.args[2].Type(), nil)
	} else {
		p = b.derefTyped(c.n, vals[2], c.args[2])
		t = p.typ
		b.holdPlace(p)
	}
	if t.kind != tInt || t.it == ir.Flag || t.it.Bits%8 != 0 || t.oneBit {
		b.fail(c.n, "unsupported: %s with a result of this type", c.name)
	}
	exact, bounds := b.exactly(op, l, r)
	side := append(append([]*logic.Term{}, l.side...), r.side...)
	min, max := t.it.Range()
	over := b.intValue(b.L.BoolToInt(b.L.Not(b.L.And(b.L.Le(b.L.Value(min), exact), b.L.Le(exact, b.L.Value(max))))), ir.Flag)
	over.side = side
	if test {
		return over
	}
	b.materialise(over)
	b.hold(over)
	w := b.intValue(b.wrap(exact, bounds.lo, bounds.hi, t.it), t.it)
	w.side = side
	b.store(c.n, p, w, b.text(c.n))
	return over
}

// exactly returns what an operation on integers results in, which no type limits.
func (b *lowerer) exactly(op string, l, r *value) (*logic.Term, interval) {
	x, y := l.bounds(), r.bounds()
	switch op {
	case "add":
		return b.L.Add(l.t, r.t), interval{x.lo.Add(y.lo), x.hi.Add(y.hi)}
	case "sub":
		return b.L.Sub(l.t, r.t), interval{x.lo.Sub(y.hi), x.hi.Sub(y.lo)}
	}
	lo, hi := product(x, y)
	return b.L.Mul(l.t, r.t), interval{lo, hi}
}

// plainType reports whether an expression is certain not to be a bit-field, whose type is
// a narrower one.
func plainType(n cc.ExpressionNode) bool {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		return true
	case *cc.CastExpression:
		return x.Case == cc.CastExpressionCast
	}
	return false
}

// firstArgument lowers calls whose result is their first argument.
func (b *lowerer) firstArgument(c call) *value {
	b.want(c, 1)
	return b.evalArgs(c.args)[0]
}

// constantCall lowers __builtin_constant_p, which does not evaluate its argument. What
// is no constant for cc may be one for a compiler that optimises.
func (b *lowerer) constantCall(c call) *value {
	b.want(c, 1)
	indexed := false
	children(c.n, func(n cc.Node) bool {
		x, ok := n.(*cc.PostfixExpression)
		indexed = indexed || ok && x.Case == cc.PostfixExpressionIndex
		return true
	})
	if v, ok := c.n.Value().(cc.Int64Value); ok && v == 1 && !indexed {
		return b.constInt(1, intT)
	}
	return b.input(c, intT, c.name, func(t *logic.Term) *logic.Term {
		return b.L.And(b.L.Le(b.L.Int(0), t), b.L.Le(t, b.L.Int(1)))
	})
}

// chooseCall lowers __builtin_choose_expr, which evaluates one of its last two arguments.
func (b *lowerer) chooseCall(c call) *value {
	return b.eval(Chosen(c.n))
}

// Chosen returns the argument that a __builtin_choose_expr stands for.
func Chosen(x *cc.PostfixExpression) cc.ExpressionNode {
	args := arguments(x)
	switch v := args[0].Value().(type) {
	case cc.Int64Value:
		if v != 0 {
			return args[1]
		}
	case cc.UInt64Value:
		if v != 0 {
			return args[1]
		}
	default:
		panic(errorf(position(x), "unsupported: __builtin_choose_expr whose first argument is no integer constant"))
	}
	return args[2]
}

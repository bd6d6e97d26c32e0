package sema

import (
	"math/big"
	"regexp"
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// simpleText declares the builtins whose arguments are converted as a prototype says.
const simpleText = `
unsigned short bswap16(unsigned short); unsigned bswap32(unsigned); uint64_t bswap64(uint64_t);
int clz(unsigned); int clzl(unsigned long); int clzll(unsigned long long); int ctz(unsigned); int ctzl(unsigned long); int ctzll(unsigned long long);
int popcount(unsigned); int popcountl(unsigned long); int popcountll(unsigned long long);
int parity(unsigned); int parityl(unsigned long); int parityll(unsigned long long);
int clrsb(int); int clrsbl(long); int clrsbll(long long);
long expect(long, long); long expect_with_probability(long, long, double);
void unreachable(void); void trap(void); void prefetch(const void *, ...);
void *return_address(unsigned); void *frame_address(unsigned); void *extract_return_addr(void *); void *frob_return_addr(void *); void *dwarf_cfa(void);
void *alloca(size_t); void *alloca_with_align(size_t, size_t); void *alloca_with_align_and_max(size_t, size_t, size_t);
int setjmp(void *); void longjmp(void *, int) __attribute__((noreturn));
void *apply_args(void); void *apply(void (*)(), void *, size_t); void return(void *);
void *assume_aligned(const void *, size_t, ...); void __clear_cache(void *, void *);
void *stack_save(void); void stack_restore(void *);
int va_arg_pack(void); int va_arg_pack_len(void); void *saveregs(void); void *next_arg(void);
void cpu_init(void); int cpu_is(const char *); int cpu_supports(const char *); unsigned long long ia32_rdtsc(void);
void clear_padding(void *); void unwind_init(void); int eh_return_data_regno(int);
void init_trampoline(void *, void *, void *); void *adjust_trampoline(void *); void nonlocal_goto(void *, void *);
`

// simpleDecls are the declarations of simpleText by name.
var simpleDecls = func() map[string]string {
	m := map[string]string{}
	name := regexp.MustCompile(`(\w+)\s*\(`)
	for _, d := range strings.Split(simpleText, ";") {
		d = strings.TrimSpace(d)
		if x := name.FindStringSubmatch(d); x != nil {
			m[x[1]] = strings.Replace(d, x[1]+"(", "f(", 1)
		}
	}
	m["bswap128"] = "unsigned __int128 f(unsigned __int128)"
	return m
}()

// special are the builtins that are checked by a function each.
var special map[string]func(c *checker, e *syntax.Call, name string) tree.Expr

func init() {
	special = map[string]func(c *checker, e *syntax.Call, name string) tree.Expr{
		"va_start": vaBuiltin, "va_end": vaBuiltin, "va_copy": vaBuiltin, "c23_va_start": vaBuiltin, "stdarg_start": vaBuiltin,
		"constant_p": constantP, "choose_expr": chooseExpr, "classify_type": classifyType,
		"object_size": objectSize, "dynamic_object_size": objectSize,
		"complex": makeComplex, "shuffle": shuffle, "shufflevector": shuffle,
		"isnan": floatTest, "isinf": floatTest, "isfinite": floatTest, "isnormal": floatTest, "isinf_sign": floatTest, "signbit": floatTest,
		"finite": floatTest, "isgreater": floatCompare, "isgreaterequal": floatCompare, "isless": floatCompare, "islessequal": floatCompare,
		"islessgreater": floatCompare, "isunordered": floatCompare, "fpclassify": fpClassify,
		"add_overflow": overflow, "sub_overflow": overflow, "mul_overflow": overflow,
		"add_overflow_p": overflow, "sub_overflow_p": overflow, "mul_overflow_p": overflow,
		"LINE": sourceBuiltin, "FILE": sourceBuiltin, "FUNCTION": sourceBuiltin,
		"speculation_safe_value": firstArg, "assoc_barrier": firstArg, "tgmath": tgmath,
		"call_with_static_chain": firstArg,
	}
}

// builtin checks a call of a builtin that has a meaning of its own; nil if the name is none's.
func (c *checker) builtin(e *syntax.Call, name string) tree.Expr {
	switch {
	case strings.HasPrefix(name, "__atomic_"):
		return c.atomic(e, name)
	case strings.HasPrefix(name, "__sync_"):
		return c.sync(e, name)
	case name == "alloca" && !c.flags.NoBuiltin:
		return c.simpleBuiltin(e, name, simpleDecls[name])
	}
	short, ok := strings.CutPrefix(name, "__builtin_")
	if !ok {
		return nil
	}
	if f := special[short]; f != nil {
		return f(c, e, short)
	}
	if d := simpleDecls[short]; d != "" {
		return c.simpleBuiltin(e, short, d)
	}
	if x := c.floatConstant(e, short); x != nil {
		return x
	}
	if x := c.typedOverflow(e, short); x != nil {
		return x
	}
	if strings.HasPrefix(short, "ia32_") {
		return c.machineBuiltin(e, short)
	}
	return nil
}

// simpleBuiltin checks a builtin that has a prototype.
func (c *checker) simpleBuiltin(e *syntax.Call, name, decl string) tree.Expr {
	t := c.signature(decl)
	x := &tree.Builtin{X: c.x(e, t.Elem), Name: name, Args: c.arguments(e, t)}
	return x
}

// machineBuiltin is an instruction of the processor: its type is what a conversion around it says,
// otherwise that of its first vector.
func (c *checker) machineBuiltin(e *syntax.Call, name string) tree.Expr {
	x := &tree.Builtin{X: c.x(e, c.t.Int), Name: name}
	for _, a := range e.Args {
		v := c.value(a)
		if v.Type().Kind == types.Vector && x.Typ == c.t.Int {
			x.Typ = v.Type()
		}
		x.Args = append(x.Args, v)
	}
	return x
}

// machine is the call of an instruction of the processor that a value is.
func machine(x tree.Expr) *tree.Builtin {
	if b, ok := x.(*tree.Builtin); ok && strings.HasPrefix(b.Name, "ia32_") && b.Name != "ia32_rdtsc" {
		return b
	}
	return nil
}

// need refuses a wrong number of arguments.
func (c *checker) need(e *syntax.Call, least, most int) {
	name := c.in.TextOf(e.F.At())
	if len(e.Args) < least {
		c.fail(e, "too few arguments to function ‘%s’", name)
	}
	if most >= 0 && len(e.Args) > most {
		c.fail(e, "too many arguments to function ‘%s’", name)
	}
}

func vaBuiltin(c *checker, e *syntax.Call, name string) tree.Expr {
	x := &tree.Builtin{X: c.x(e, c.t.Void), Name: strings.TrimPrefix(name, "c23_")}
	switch name {
	case "va_copy":
		c.need(e, 2, 2)
		x.Args = []tree.Expr{c.vaList(e.Args[0]), c.vaList(e.Args[1])}
	case "va_end":
		c.need(e, 1, 1)
		x.Args = []tree.Expr{c.vaList(e.Args[0])}
	default:
		c.need(e, 1, 2)
		x.Name = "va_start"
		if c.fn == nil || !c.fn.f.Type.Variadic {
			c.fail(e, "‘va_start’ used in function with fixed arguments")
		}
		x.Args = []tree.Expr{c.vaList(e.Args[0])}
		if len(e.Args) > 1 {
			c.unchosen(e.Args[1])
		}
	}
	return x
}

// constantP folds __builtin_constant_p.
func constantP(c *checker, e *syntax.Call, _ string) tree.Expr {
	c.need(e, 1, 1)
	c.unevaluated++
	x := c.value(e.Args[0])
	c.unevaluated--
	k, ok := c.eval(x)
	if ok && k.base != nil {
		_, isString := k.base.(*tree.String)
		ok = isString && k.i.Sign() == 0
	}
	if ok && x.Type().IsRecord() {
		ok = false
	}
	return boolNode(c, e, ok)
}

// chooseExpr is one of two expressions, of which only that one is evaluated.
func chooseExpr(c *checker, e *syntax.Call, _ string) tree.Expr {
	c.need(e, 3, 3)
	v, ok := c.evalInt(c.value(e.Args[0]))
	if !ok {
		c.fail(e, "first argument to ‘__builtin_choose_expr’ not a constant")
	}
	a, b := e.Args[1], e.Args[2]
	if v.Sign() == 0 {
		a, b = b, a
	}
	c.unchosen(b)
	return c.expr(a)
}

func classifyType(c *checker, e *syntax.Call, _ string) tree.Expr {
	c.need(e, 1, 1)
	c.unevaluated++
	t := c.value(e.Args[0]).Type()
	c.unevaluated--
	class := map[types.Kind]int64{types.Void: 0, types.Int: 1, types.Bool: 1, types.Pointer: 5, types.VaList: 5, types.Float: 8,
		types.Complex: 9, types.Struct: 12, types.Union: 13, types.Vector: -1}[t.Kind]
	return c.small(e, c.t.Int, class)
}

// objectSize folds __builtin_object_size where the object is named, otherwise its size is not known.
func objectSize(c *checker, e *syntax.Call, _ string) tree.Expr {
	c.need(e, 2, 2)
	c.unevaluated++
	p := c.value(e.Args[0])
	v, ok := c.evalInt(c.value(e.Args[1]))
	c.unevaluated--
	if !ok || v.Sign() < 0 || v.Cmp(big.NewInt(3)) > 0 {
		c.fail(e, "last argument of ‘__builtin_object_size’ is not integer constant between 0 and 3")
	}
	kind := v.Int64()
	unknown := big.NewInt(0)
	if kind < 2 {
		unknown = wrap(big.NewInt(-1), c.t.Size)
	}
	if hasEffects(p) {
		return c.intConst(c.site(e), c.t.Size, unknown)
	}
	if size, ok := c.objectAt(p, kind&1 != 0); ok {
		return c.intConst(c.site(e), c.t.Size, big.NewInt(max(size, 0)))
	}
	return c.intConst(c.site(e), c.t.Size, unknown)
}

// objectAt is the number of bytes from an address to the end of its object, or of the member there.
func (c *checker) objectAt(p tree.Expr, member bool) (int64, bool) {
	switch p := p.(type) {
	case *tree.Convert:
		if p.V.Type().IsPointer() {
			return c.objectAt(p.V, member)
		}
	case *tree.AddrOf:
		return c.bytesFrom(p.L, member)
	case *tree.Decay:
		return c.bytesFrom(p.L, member)
	case *tree.PtrAdd:
		n, ok := c.evalInt(p.N)
		size, ok2 := c.objectAt(p.P, member)
		if ok && ok2 && n.IsInt64() {
			d := n.Int64() * p.Typ.Elem.Size
			if p.Neg {
				d = -d
			}
			if d < 0 {
				return 0, false
			}
			return size - d, true
		}
	}
	return 0, false
}

// bytesFrom is objectAt of an lvalue's address.
func (c *checker) bytesFrom(x tree.Expr, member bool) (int64, bool) {
	switch x := x.(type) {
	case *tree.VarRef:
		return x.Var.Type.Size + x.Var.Extra, x.Var.Type.Size >= 0 && (x.Var.Defined || x.Var.Storage == tree.Auto)
	case *tree.String:
		return x.Typ.Size, true
	case *tree.CompoundLit:
		return x.Typ.Size, true
	case *tree.Member:
		if member && x.Typ.Size >= 0 && !x.Field.Flexible {
			if _, ok := x.L.(*tree.Deref); !ok || !trailing(x) {
				return x.Typ.Size, true
			}
			return 0, false
		}
		n, ok := c.bytesFrom(x.L, false)
		return n - x.Field.Offset, ok
	case *tree.Deref:
		return c.objectAt(x.P, member)
	}
	return 0, false
}

// trailing reports whether a member is an array at the end of its struct.
func trailing(m *tree.Member) bool {
	r := m.L.Type().Rec
	return m.Typ.Kind == types.Array && m.Field == &r.Fields[len(r.Fields)-1]
}

func makeComplex(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 2, 2)
	a, b := c.value(e.Args[0]), c.value(e.Args[1])
	if a.Type().Kind != types.Float || !types.CompatibleUnqualified(a.Type(), b.Type()) {
		c.fail(e, "‘__builtin_complex’ operands not of real binary floating-point type, or of different types")
	}
	t := types.ComplexOf(a.Type().Unqualified())
	re, ok1 := a.(*tree.FloatConst)
	im, ok2 := b.(*tree.FloatConst)
	if ok1 && ok2 {
		return &tree.ComplexConst{X: c.x(e, t), Re: re, Im: im}
	}
	return &tree.Builtin{X: c.x(e, t), Name: name, Args: []tree.Expr{a, b}}
}

// shuffle checks __builtin_shuffle(v, mask), (v, w, mask) and __builtin_shufflevector(v, w, i, …).
func shuffle(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 2, -1)
	x := &tree.Builtin{X: c.x(e, c.t.Int), Name: name}
	for i, a := range e.Args {
		v := c.value(a)
		if v.Type().Kind != types.Vector && (name == "shuffle" || i < 2) {
			c.fail(a, "‘__builtin_%s’ arguments must be vectors", name)
		}
		x.Args = append(x.Args, v)
	}
	x.Typ = x.Args[0].Type().Unqualified()
	if name == "shufflevector" {
		x.Typ = types.VectorOf(x.Typ.Elem, int64(len(e.Args)-2))
	}
	return x
}

// floatTest checks isnan and the like, of any floating type.
func floatTest(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 1, 1)
	v := c.value(e.Args[0])
	if v.Type().Kind != types.Float {
		if name == "finite" && v.Type().IsInteger() {
			v = c.convert(v, c.t.Double)
		} else {
			c.fail(e, "non-floating-point argument in call to function ‘__builtin_%s’", name)
		}
	}
	return &tree.Builtin{X: c.x(e, c.t.Int), Name: name, Args: []tree.Expr{v}}
}

func floatCompare(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 2, 2)
	a, b := c.value(e.Args[0]), c.value(e.Args[1])
	if !a.Type().IsReal() || !b.Type().IsReal() || a.Type().Kind != types.Float && b.Type().Kind != types.Float {
		c.fail(e, "non-floating-point arguments in call to function ‘__builtin_%s’", name)
	}
	a, b, _ = c.usual(a, b)
	return &tree.Builtin{X: c.x(e, c.t.Int), Name: name, Args: []tree.Expr{a, b}}
}

func fpClassify(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 6, 6)
	x := &tree.Builtin{X: c.x(e, c.t.Int), Name: name}
	for i, a := range e.Args {
		v := c.value(a)
		if i < 5 {
			v = c.assignTo(v, c.t.Int, reason{verb: "passing", arg: i + 1, f: "__builtin_fpclassify"})
		} else if v.Type().Kind != types.Float {
			c.fail(e, "non-floating-point argument in call to function ‘__builtin_fpclassify’")
		}
		x.Args = append(x.Args, v)
	}
	return x
}

// overflow checks the generic builtins for overflow.
func overflow(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 3, 3)
	x := &tree.Builtin{X: c.x(e, c.t.Bool), Name: name}
	for i, a := range e.Args {
		v := c.value(a)
		t := v.Type()
		if i == 2 && !strings.HasSuffix(name, "_p") {
			if t.Kind != types.Pointer || !t.Elem.IsInteger() || t.Elem.Kind == types.Bool || t.Elem.Enum != nil {
				c.fail(a, "argument 3 in call to function ‘__builtin_%s’ does not have pointer to integral type", name)
			}
			if t.Elem.Quals&types.Const != 0 {
				c.fail(a, "argument 3 in call to function ‘__builtin_%s’ has pointer to ‘const’ type (‘%s’)", name, t)
			}
		} else if !t.IsInteger() {
			c.fail(a, "argument %d in call to function ‘__builtin_%s’ does not have integral type", i+1, name)
		}
		x.Args = append(x.Args, v)
	}
	return x
}

// typedOverflow checks sadd_overflow and the others with types in their names.
func (c *checker) typedOverflow(e *syntax.Call, name string) tree.Expr {
	rest, ok := strings.CutSuffix(name, "_overflow")
	if !ok || len(rest) < 4 {
		return nil
	}
	signed := rest[0] == 's'
	if !signed && rest[0] != 'u' {
		return nil
	}
	op, width := rest[1:4], rest[4:]
	if op != "add" && op != "sub" && op != "mul" {
		return nil
	}
	types3 := map[string][2]*types.Type{"": {c.t.Int, c.t.UInt}, "l": {c.t.Long, c.t.ULong}, "ll": {c.t.LongLong, c.t.ULongLong}}
	p, ok := types3[width]
	if !ok {
		return nil
	}
	t := p[1]
	if signed {
		t = p[0]
	}
	ft := types.FuncOf(c.t.Bool, []*types.Type{t, t, c.t.Pointer(t)}, false, false)
	return &tree.Builtin{X: c.x(e, c.t.Bool), Name: op + "_overflow", Args: c.arguments(e, ft)}
}

// floatConstant makes the constants inf, huge_val and nan.
func (c *checker) floatConstant(e *syntax.Call, name string) tree.Expr {
	n := num{inf: 1}
	rest, ok := strings.CutPrefix(name, "huge_val")
	if !ok {
		rest, ok = strings.CutPrefix(name, "inf")
	}
	args := 0
	if !ok {
		if rest, ok = strings.CutPrefix(name, "nans"); !ok {
			if rest, ok = strings.CutPrefix(name, "nan"); !ok {
				return nil
			}
		}
		n, args = nan, 1
	}
	t := c.floatSuffix(strings.Replace(rest, "d32", "df", 1))
	switch rest {
	case "d32":
		t = c.t.Decimal32
	case "d64":
		t = c.t.Decimal64
	case "d128":
		t = c.t.Decimal128
	}
	if t == nil {
		return nil
	}
	c.need(e, args, args)
	if args == 1 {
		if s := stringOf(e.Args[0]); s == nil {
			return nil // nan of a string that is not known is a function of the library
		}
	}
	return c.floatConst(c.site(e), t, n)
}

// sourceBuiltin makes the constants LINE, FILE and FUNCTION.
func sourceBuiltin(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 0, 0)
	text := ""
	switch name {
	case "LINE":
		return c.small(e, c.t.Int, int64(c.in.Pos(e.First).Line))
	case "FILE":
		text = c.in.Pos(e.First).File
	default:
		if c.fn != nil {
			text = c.fn.f.Name
		}
	}
	lit := &tree.String{X: c.x(e, types.ArrayOf(c.t.Char.With(types.Const), int64(len(text)+1))), Data: append([]byte(text), 0)}
	return c.rvalue(lit)
}

// firstArg is for builtins that, as far as meaning goes, are their first argument.
func firstArg(c *checker, e *syntax.Call, name string) tree.Expr {
	c.need(e, 1, -1)
	for _, a := range e.Args[1:] {
		c.unchosen(a)
	}
	return c.value(e.Args[0])
}

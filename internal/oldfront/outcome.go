package cfront

import (
	"fmt"
	"regexp"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// The results of library functions that comus knows little else of: ranges of what they
// return, and the arguments that let them fail.

const (
	einval  = 22 // of a setter that is given a value that it does not know
	enotsup = 95 // of pthread_attr_setscope that is given a scope that Linux has not
	maxErr  = 133
)

// outcomes are the ranges of results of functions whose effect does not matter, as far as
// their types do not tell. getpid is not 0, and characters are those of unsigned char, or EOF.
var outcomes = map[string]charRange{
	"puts": {-1, 1<<31 - 1}, "fputs": {-1, 1<<31 - 1}, "__builtin_puts": {-1, 1<<31 - 1},
	"putchar": {-1, 255}, "putc": {-1, 255}, "fputc": {-1, 255}, "__builtin_putchar": {-1, 255},
	"getchar": {-1, 255}, "getc": {-1, 255}, "fgetc": {-1, 255},
	"fflush": {-1, 0}, "getpid": {1, 1<<31 - 1}, "getppid": {0, 1<<31 - 1}, "sysconf": {-1, 1<<63 - 1}, "write": {-1, 1<<63 - 1},
	"pthread_setname_np": {0, maxErr}, "pthread_setschedparam": {0, maxErr}, "pthread_setschedprio": {0, maxErr},
	"pthread_setaffinity_np": {0, maxErr}, "pthread_attr_setschedparam": {0, maxErr}, "pthread_attr_setaffinity_np": {0, maxErr},
	"pthread_attr_setstack": {0, maxErr}, "pthread_mutexattr_setprioceiling": {0, maxErr},
}

// anyResult evaluates a call that returns an integer we know little about.
func (b *lowerer) anyResult(c call) *value {
	if strings.HasSuffix(c.name, "printf") {
		b.noCount(c)
	}
	b.evalDropArgs(c.args)
	it := b.resultType(c)
	if c.unused || b.cur == nil {
		return b.constInt(0, it)
	}
	r, ok := outcomes[c.name]
	if !ok {
		return b.input(c, it, c.name)
	}
	if c.name == "write" && len(c.args) == 3 {
		if n, ok := c.args[2].Value().(cc.Int64Value); ok && n >= 0 {
			r.hi = int64(n)
		}
	}
	return b.input(c, it, c.name, func(t *logic.Term) *logic.Term {
		return b.L.And(b.L.Le(b.L.Int(r.lo), t), b.L.Le(t, b.L.Int(r.hi)))
	})
}

// resultType returns the type of the result of a call, int if it is not an integer.
func (b *lowerer) resultType(c call) ir.Type {
	if t := b.typeOf(c.n.Type(), nil); t.kind == tInt {
		return t.it
	}
	return intT
}

// counts recognises formats that store how much was printed.
var counts = regexp.MustCompile(`%[-+ #0-9.*$'I]*(hh|h|ll|l|j|z|t|q|L|Z)?n`)

// noCount rejects printf with %n, which writes to a variable, and with formats that are not
// known if %n could be in them.
func (b *lowerer) noCount(c call) {
	at := 0
	if strings.HasSuffix(c.name, "fprintf") {
		at = 1
	}
	if at >= len(c.args) {
		return
	}
	stores, known := countsIn(c.args[at])
	if stores {
		b.fail(c.n, "unsupported: %s with %%n", c.name)
	}
	for _, a := range c.args[at+1:] {
		if !known && pointsToVariable(a.Type()) {
			b.fail(c.n, "unsupported: %s with a format that is not known here and a pointer to a variable", c.name)
		}
	}
}

// countsIn reports whether there is a %n in a format, and whether the format is known.
func countsIn(n cc.ExpressionNode) (stores, known bool) {
	if s, ok := n.Value().(cc.StringValue); ok {
		return counts.MatchString(strings.ReplaceAll(string(s), "%%", "")), true
	}
	if x, ok := unparen(n).(*cc.ConditionalExpression); ok && x.Case == cc.ConditionalExpressionCond && x.ExpressionList != nil {
		s1, k1 := countsIn(x.ExpressionList)
		s2, k2 := countsIn(x.ConditionalExpression)
		return s1 || s2, k1 && k2
	}
	return false, false
}

// pointsToVariable reports whether a type is a pointer to what may be written.
func pointsToVariable(t cc.Type) bool {
	p, ok := t.Decay().(*cc.PointerType)
	if !ok || p.Elem().Kind() == cc.Function {
		return false
	}
	a := p.Elem().Attributes()
	return a == nil || !a.IsConst()
}

// ownBuffer rejects setbuf and setvbuf with memory of the program, where the library
// writes later.
func (b *lowerer) ownBuffer(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur != nil && (!isFixed(vals[1]) || !vals[1].isNull()) {
		b.fail(c.n, "unsupported: %s with a buffer of the program", c.name)
	}
	if c.name == "setbuf" {
		return c.void()
	}
	return b.anyResult(call{c.n, c.name, nil, c.unused})
}

// setters are functions that take a value from lo to hi as argument arg, and return
// EINVAL for others.
var setters = map[string]struct {
	arg    int
	lo, hi int64
}{
	"pthread_attr_setdetachstate": {1, 0, 1}, "pthread_attr_setscope": {1, 0, 0}, "pthread_attr_setinheritsched": {1, 0, 1},
	"pthread_attr_setschedpolicy": {1, 0, 2}, "pthread_mutexattr_setpshared": {1, 0, 1}, "pthread_condattr_setpshared": {1, 0, 1},
	"pthread_condattr_setclock": {1, 0, 1}, "pthread_rwlockattr_setpshared": {1, 0, 1}, "pthread_barrierattr_setpshared": {1, 0, 1},
	"pthread_setconcurrency": {0, 0, 1<<31 - 1}, "pthread_setcancelstate": {0, 0, 1}, "pthread_setcanceltype": {0, 0, 1},
	"pthread_attr_setstacksize": {1, 1 << 17, 1<<63 - 1},
}

// SetterFailure returns an expression of C for the result of a call of a function that
// takes only some values, in terms of its arguments, which have no effects; "" for other
// functions. Sizes of stacks that only some systems take are fine there.
func SetterFailure(name string, args []string) string {
	s, ok := setters[name]
	if !ok || s.arg >= len(args) {
		return ""
	}
	v := "(int)" + args[s.arg]
	switch name {
	case "pthread_attr_setstacksize":
		return fmt.Sprintf("(unsigned long)%s >= %d ? 0 : %d", args[s.arg], minStack, einval)
	case "pthread_attr_setscope":
		return fmt.Sprintf("%[1]s == 0 ? 0 : %[1]s == 1 ? %[2]d : %[3]d", v, enotsup, einval)
	}
	return fmt.Sprintf("%[1]s >= %[2]d && %[1]s <= %[3]d ? 0 : %[4]d", v, s.lo, s.hi, einval)
}

// minStack is the least size of a stack: some systems need more, but not more than what
// setters say.
const minStack = 1 << 14

// setterCall lowers a function that sets what has no effect on what threads compute.
func (b *lowerer) setterCall(c call) *value {
	s := setters[c.name]
	b.want(c, s.arg+1)
	return b.setResult(c, b.evalArgs(c.args)[s.arg])
}

// setResult returns the result of a setter that is given v.
func (b *lowerer) setResult(c call, v *value) *value {
	if b.cur == nil || c.unused {
		return b.constInt(0, intT)
	}
	if v.kind != vInt {
		b.fail(c.n, "unsupported: %s with this value", c.name)
	}
	it := intT
	if c.name == "pthread_attr_setstacksize" {
		it = ir.Type{Bits: b.ptrInt.Bits}
	}
	v = b.convert(c.n, v, it)
	b.materialise(v)
	s, L := setters[c.name], b.L
	fails := L.Int(einval)
	switch c.name {
	case "pthread_attr_setscope":
		fails = L.Ite(L.Eq(v.t, L.Int(1)), L.Int(enotsup), fails)
	case "pthread_attr_setstacksize":
		mark := b.hold(v)
		some := b.input(c, ir.Flag, c.name)
		b.letGo(mark)
		fails = L.Ite(L.Lt(v.t, L.Int(minStack)), fails, L.Mul(fails, some.t))
	}
	w := b.intValue(L.Ite(L.And(L.Le(L.Int(s.lo), v.t), L.Le(v.t, L.Int(s.hi))), L.Int(0), fails), intT)
	w.side = v.side
	w.rng = &interval{logic.IntValue(0), logic.IntValue(enotsup)}
	b.materialise(w)
	return w
}

// attrKnown lowers the setters of attributes that comus knows with the values from 0 to 1
// only, as others change what locks do.
func (b *lowerer) attrKnown(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if k, ok := vals[1].constant(); !ok || len(vals[1].side) > 0 || k.Cmp(logic.IntValue(0)) < 0 || k.Cmp(logic.IntValue(1)) > 0 {
		b.fail(c.n, "unsupported: %s with another value than 0 and 1", c.name)
	}
	return b.constInt(0, intT)
}

// assumeTimes is what functions that wait until a time come with.
const assumeTimes = "functions with a time limit are given a clock of the system, and nanoseconds from 0 to 999999999"

// timed adds the assumption of a function that waits until a time, if its name tells
// that it is one.
func (b *lowerer) timed(c call) {
	if strings.Contains(c.name, "timed") || strings.Contains(strings.TrimPrefix(c.name, "pthread_rwlock"), "clock") {
		b.assume(assumeTimes)
	}
}

// sleepCall lowers nanosleep, which fails for nanoseconds that are none, and negative
// seconds. It is not interrupted, and so does not store the time that remains.
func (b *lowerer) sleepCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil || c.unused && !b.src.usesErrno() {
		return b.constInt(0, intT)
	}
	ok := b.L.True()
	mark := b.hold(vals[0])
	for _, name := range []string{"tv_sec", "tv_nsec"} {
		p, found := b.derefArg(c.n, vals[0], c.args[0]).named(name)
		if !found || p.typ.kind != tInt {
			b.fail(c.n, "unsupported: %s with this struct", c.name)
		}
		v := b.load(c.n, p)
		if b.cur == nil {
			b.letGo(mark)
			return b.constInt(0, intT)
		}
		b.materialise(v)
		b.hold(v)
		ok = b.L.And(ok, b.L.Le(b.L.Int(0), v.t))
		if name == "tv_nsec" {
			ok = b.L.And(ok, b.L.Lt(v.t, b.L.Int(1e9)))
		}
	}
	b.letGo(mark)
	return b.intValue(b.L.Ite(ok, b.L.Int(0), b.L.Int(-1)), intT)
}

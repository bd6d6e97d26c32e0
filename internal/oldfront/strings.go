package cfront

import (
	"fmt"
	"strconv"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// charT is the type of the characters of strings.
var charT = ir.Type{Bits: 8, Signed: true}

// characters returns the characters of a string literal, with the null at its end; nil for
// other expressions.
func characters(n cc.ExpressionNode) []int64 {
	x, ok := unparen(n).(*cc.PrimaryExpression)
	if !ok {
		return nil
	}
	var out []int64
	switch s := x.Value().(type) {
	case cc.StringValue:
		if x.Case == cc.PrimaryExpressionString {
			for k := range len(s) {
				out = append(out, int64(int8(s[k])))
			}
		}
	case cc.UTF32StringValue:
		if x.Case == cc.PrimaryExpressionLString {
			for _, r := range s {
				out = append(out, int64(r))
			}
		}
	}
	return out
}

// characterSize returns how many bytes each character of a string literal takes.
func characterSize(n cc.ExpressionNode) int64 {
	if unparen(n).(*cc.PrimaryExpression).Case == cc.PrimaryExpressionLString {
		return 4
	}
	return 1
}

// stringLiteral evaluates a string literal: a pointer to the first element of a
// static array that never changes. Very long ones have no content.
func (b *lowerer) stringLiteral(x *cc.PrimaryExpression) *value {
	text := characters(x)
	if len(text) > maxCells || len(text) == 0 {
		return &value{kind: vStr, src: x}
	}
	o := b.literals[x]
	if o == nil {
		elem := &ctype{kind: tInt, it: charT, cells: 1, size: characterSize(x)}
		if elem.size > 1 {
			elem.it = intT
		}
		t := &ctype{kind: tArray, elem: elem, n: len(text), cells: len(text), size: int64(len(text)) * elem.size}
		o = b.newObject("string", "string", nil, t, ir.Shared, &logic.Value{})
		o.literal, o.text = true, x
		o.key = fmt.Sprintf("string@%p", x)
		for i, c := range o.cells {
			k := logic.IntValue(text[i])
			c.v.Init = &k
		}
		b.literals[x] = o
		b.known(o)
		b.record(func() { delete(b.literals, x) })
	}
	return &value{kind: vPtr, pl: o.whole().at(b.constInt(0, b.ptrInt)), src: x}
}

// outsidePlace returns what a pointer to something from outside of the program
// points to: another such pointer. Characters are not known.
func (b *lowerer) outsidePlace(n cc.Node, t *ctype) place {
	if t == nil || t.kind != tPtr {
		b.fail(n, "unsupported: content of a string from outside of the program")
	}
	return place{obj: &object{outside: true, shared: true}, typ: t}
}

// stringArgs evaluates the arguments of a string function, which stay valid until
// the result is given to letGo.
func (b *lowerer) stringArgs(c call, n int) ([]*value, int) {
	b.want(c, n)
	vals := b.evalArgs(c.args)
	mark := b.hold(vals...)
	b.settleAll()
	return vals, mark
}

// longest returns a number of characters that a string at ptr does not exceed, and
// whether that is because its array ends there.
func (b *lowerer) longest(ptr *value) (int, bool) {
	if ptr.kind == vInt && ptr.to != nil {
		n := 0
		for _, t := range ptr.to.sorted() {
			if t.kind == toObject {
				for _, o := range b.objectsOf(b.stmt, t.name) {
					n = max(n, int(o.typ.size))
				}
			}
		}
		return min(n, b.opts.UnrollLimit), n <= b.opts.UnrollLimit
	}
	if ptr.kind != vPtr || len(ptr.pl.idx) == 0 {
		return b.opts.UnrollLimit, ptr.kind == vPtr
	}
	last := ptr.pl.idx[len(ptr.pl.idx)-1]
	if k, ok := last.val.constant(); ok {
		if i, small := k.Int64(); small && i >= 0 && i <= int64(last.n) {
			return last.n - int(i), true
		}
	}
	return last.n, true
}

// charAt reads ptr[k]. Behind the end of the array it returns nil: such executions
// are not looked at, unless memory is checked.
func (b *lowerer) charAt(c call, ptr *value, k int) *value {
	n, end := b.longest(ptr)
	if k >= n && !end {
		b.fail(c.n, "unsupported: %s of more than %d characters", c.name, n)
	}
	if k >= n && !b.opts.Check.Memory {
		b.assume(assumeBounds)
		b.cur = nil
		return nil
	}
	v := b.load(c.n, b.charPlace(c, ptr, b.constInt(int64(k), b.ptrInt)))
	if k >= n {
		b.cur = nil
	}
	if b.cur == nil {
		return nil
	}
	if v.kind != vInt || v.it.Bits != 8 {
		b.fail(c.n, "unsupported: %s of this object", c.name)
	}
	v = b.convert(c.n, v, ir.Type{Bits: 8})
	if b.pending(v) || len(v.side) > 0 {
		b.materialise(v)
	}
	return v
}

func (b *lowerer) charPlace(c call, ptr, k *value) place {
	t := &ctype{kind: tInt, it: charT, cells: 1, size: 1}
	p := b.movePointer(c.n, ptr, k, 1, t)
	if p.kind == vPtr {
		return b.deref(c.n, p, nil)
	}
	return b.deref(c.n, p, t)
}

// putChar writes ptr[k].
func (b *lowerer) putChar(c call, ptr, k, v *value) {
	p := b.charPlace(c, ptr, k)
	if p.typ.kind != tInt || p.typ.it.Bits != 8 {
		b.fail(c.n, "unsupported: %s to this object", c.name)
	}
	b.store(c.n, p, b.cast(c.n, v, p.typ), b.text(c.n))
}

// strlenCall lowers strlen: one step for each character that is shared.
func (b *lowerer) strlenCall(c call) *value {
	vals, mark := b.stringArgs(c, 1)
	defer func() { b.letGo(mark) }()
	return b.length(c, vals[0])
}

// length returns the length of a string.
func (b *lowerer) length(c call, s *value) *value {
	var ends []flagValue
	for k := 0; b.cur != nil; k++ {
		v := b.charAt(c, s, k)
		if v == nil {
			break
		}
		t, f := b.split(c.n, b.L.Eq(v.t, b.L.Int(0)), v)
		ends = append(ends, flagValue{t, int64(k)})
		b.cur = f
	}
	return b.mergedAs(c.n, ir.Type{Bits: b.ptrInt.Bits}, ends...)
}

// compareCall lowers strcmp, strncmp and memcmp, exactly but for the result: any
// value of the right sign.
func (b *lowerer) compareCall(c call) *value {
	vals, mark := b.stringArgs(c, 2)
	defer func() { b.letGo(mark) }()
	if c.name == "memcmp" && b.comparesObjects(c, vals) {
		return b.compareObjects(c, vals)
	}
	most := b.mostCompared(c, vals)
	var less, equal, greater []*flow
	for k := 0; b.cur != nil; k++ {
		if c.name != "strcmp" {
			end, more := b.split(c.n, b.L.Le(most.t, b.L.Int(int64(k))), most)
			equal = append(equal, end)
			if b.cur = more; more == nil {
				break
			}
		}
		x := b.charAt(c, vals[0], k)
		if x == nil {
			break
		}
		held := b.hold(x)
		y := b.charAt(c, vals[1], k)
		b.letGo(held)
		if y == nil {
			break
		}
		same, other := b.split(c.n, b.L.Eq(x.t, y.t), x)
		b.cur = other
		l, g := b.split(c.n, b.L.Lt(x.t, y.t), x)
		less, greater = append(less, l), append(greater, g)
		if b.cur = same; c.name != "memcmp" && same != nil {
			end, more := b.split(c.n, b.L.Eq(x.t, b.L.Int(0)), x)
			equal = append(equal, end)
			b.cur = more
		}
	}
	return b.comparison(c, less, equal, greater)
}

// mostCompared returns the number of characters that strncmp and memcmp compare at
// most, which is a size_t.
func (b *lowerer) mostCompared(c call, vals []*value) *value {
	if c.name == "strcmp" {
		return nil
	}
	b.want(c, 3)
	if vals[2].kind != vInt {
		b.fail(c.n, "unsupported: %s of this size", c.name)
	}
	n := b.convert(c.n, vals[2], ir.Type{Bits: b.ptrInt.Bits})
	b.hold(n)
	b.settleAll()
	return n
}

// comparison lets the flows meet with a result of the right sign.
func (b *lowerer) comparison(c call, less, equal, greater []*flow) *value {
	tmp := b.newTemp(intT)
	zero := b.L.Int(0)
	var flows []*flow
	meet := func(fs []*flow, cmds ...ir.Cmd) {
		if b.join(c.n, fs...); b.cur != nil {
			b.emit(c.n, b.text(c.n), cmds...)
			flows = append(flows, b.cur)
		}
	}
	meet(less, ir.HavocCmd(tmp, c.name), ir.AssumeCmd(b.L.Lt(tmp.Sym, zero)))
	meet(equal, ir.AssignCmd(tmp, zero))
	meet(greater, ir.HavocCmd(tmp, c.name), ir.AssumeCmd(b.L.Lt(zero, tmp.Sym)))
	b.join(c.n, flows...)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if k, ok := b.cur.consts[tmp]; ok {
		return b.intValue(b.L.Value(k), intT)
	}
	return b.intValue(tmp.Sym, intT)
}

// strcpyCall lowers strcpy and strcat.
func (b *lowerer) strcpyCall(c call) *value {
	vals, mark := b.stringArgs(c, 2)
	defer func() { b.letGo(mark) }()
	start := b.constInt(0, b.ptrInt)
	if c.name == "strcat" {
		start = b.length(c, vals[0])
		b.hold(start)
	}
	var ends []*flow
	for k := 0; b.cur != nil; k++ {
		v := b.charAt(c, vals[1], k)
		if v == nil {
			break
		}
		at := b.intValue(b.L.Add(b.convert(c.n, start, b.ptrInt).t, b.L.Int(int64(k))), b.ptrInt)
		held := b.hold(v)
		b.putChar(c, vals[0], at, v)
		b.letGo(held)
		t, f := b.split(c.n, b.L.Eq(v.t, b.L.Int(0)), v)
		ends = append(ends, t)
		b.cur = f
	}
	b.join(c.n, ends...)
	return vals[0]
}

// strncpyCall lowers strncpy of a number of characters that is known.
func (b *lowerer) strncpyCall(c call) *value {
	vals, mark := b.stringArgs(c, 3)
	defer func() { b.letGo(mark) }()
	if b.cur == nil {
		return vals[0]
	}
	size, ok := vals[2].constant()
	n, small := size.Int64()
	if !ok || !small || n < 0 || n > maxCells || len(vals[2].side) > 0 {
		b.fail(c.n, "unsupported: strncpy of a size that is not known here")
	}
	copying, padding := b.cur, (*flow)(nil)
	for k := range int(n) {
		at := b.constInt(int64(k), b.ptrInt)
		if b.cur = padding; b.cur != nil {
			b.putChar(c, vals[0], at, b.constInt(0, intT))
			padding = b.cur
		}
		b.cur = copying
		if b.cur == nil {
			continue
		}
		copying = nil
		v := b.charAt(c, vals[1], k)
		if v == nil {
			continue
		}
		held := b.hold(v)
		b.putChar(c, vals[0], at, v)
		b.letGo(held)
		t, f := b.split(c.n, b.L.Eq(v.t, b.L.Int(0)), v)
		copying = f
		b.join(c.n, padding, t)
		padding = b.cur
	}
	b.join(c.n, copying, padding)
	return vals[0]
}

// parseCall lowers atoi and the like: of a string from outside any number, of one
// that is known its value.
func (b *lowerer) parseCall(c call) *value {
	vals, mark := b.stringArgs(c, 1)
	defer func() { b.letGo(mark) }()
	t := b.typeOf(c.n.Type(), nil)
	if b.cur == nil || t.kind != tInt {
		return b.deadResult(c.n)
	}
	if len(vals) > 1 && (vals[1].kind != vInt || !vals[1].isNull()) {
		b.fail(c.n, "unsupported: %s with a pointer to where the number ends", c.name)
	}
	if vals[0].kind == vOutside {
		return b.input(c, t.it, c.name)
	}
	if len(vals) > 1 {
		b.fail(c.n, "unsupported: %s of a string of the program", c.name)
	}
	var text []byte
	for k := 0; b.cur != nil; k++ {
		v := b.charAt(c, vals[0], k)
		if v == nil {
			return b.deadResult(c.n)
		}
		x, ok := v.constant()
		if !ok {
			b.fail(c.n, "unsupported: %s of a string that is not known here", c.name)
		}
		ch, _ := x.Int64()
		if ch == 0 {
			break
		}
		text = append(text, byte(ch))
	}
	return b.intValue(b.L.Value(wrapConst(logic.IntValue(leadingNumber(string(text))), t.it)), t.it)
}

// leadingNumber is what atol returns for a string.
func leadingNumber(s string) int64 {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	n := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n++
	}
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	v, _ := strconv.ParseInt(s[:n], 10, 64)
	return v
}

// addTextFuncs adds the functions of strings, of input and of floating point to the
// library.
func addTextFuncs() {
	libraryFuncs["strlen"], libraryFuncs["strncpy"], libraryFuncs["getenv"] = (*lowerer).strlenCall, (*lowerer).strncpyCall, (*lowerer).getenvCall
	for _, f := range []string{"strcpy", "strcat"} {
		libraryFuncs[f] = (*lowerer).strcpyCall
	}
	for _, f := range []string{"strcmp", "strncmp", "memcmp"} {
		libraryFuncs[f] = (*lowerer).compareCall
	}
	for _, f := range []string{"atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull"} {
		libraryFuncs[f] = (*lowerer).parseCall
	}
	for _, f := range []string{"scanf", "sscanf", "fscanf"} {
		libraryFuncs[f] = (*lowerer).scanCall
	}
	for _, f := range []string{"fabs", "sqrt", "pow", "exp", "log", "sin", "cos", "tan", "floor", "ceil", "fmod",
		"fabsf", "sqrtf", "powf", "floorf", "ceilf", "atof", "difftime"} {
		libraryFuncs[f] = (*lowerer).floatCall
	}
}

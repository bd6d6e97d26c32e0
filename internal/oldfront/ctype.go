package cfront

import (
	"comus/ir"
	"comus/logic"
)

// The functions of <ctype.h>, in the locale "C".

// assumeChars is what they come with.
const assumeChars = "the functions of <ctype.h> are given characters or EOF"

// charRange is a range of characters.
type charRange struct{ lo, hi int64 }

// charClasses are the characters for which a function is true.
var charClasses = map[string][]charRange{
	"isdigit": {{'0', '9'}}, "isupper": {{'A', 'Z'}}, "islower": {{'a', 'z'}},
	"isalpha": {{'A', 'Z'}, {'a', 'z'}}, "isalnum": {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
	"isxdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, "isspace": {{9, 13}, {' ', ' '}},
	"isblank": {{9, 9}, {' ', ' '}}, "iscntrl": {{0, 31}, {127, 127}}, "isprint": {{32, 126}}, "isgraph": {{33, 126}},
	"ispunct": {{33, 47}, {58, 64}, {91, 96}, {123, 126}},
}

// addCharFuncs adds the functions of <ctype.h> to those that comus knows.
func addCharFuncs() {
	for name := range charClasses {
		libraryFuncs[name] = (*lowerer).charClass
	}
	libraryFuncs["toupper"], libraryFuncs["tolower"] = (*lowerer).charCase, (*lowerer).charCase
}

// charArg evaluates the argument, nil where control does not get to.
func (b *lowerer) charArg(c call) *value {
	b.want(c, 1)
	v := b.eval(c.args[0])
	if b.cur == nil {
		return nil
	}
	if v.kind != vInt {
		b.fail(c.n, "unsupported: %s of this type", c.name)
	}
	v = b.convert(c.n, v, intT)
	if r := v.bounds(); r.lo.Cmp(logic.IntValue(-1)) < 0 || r.hi.Cmp(logic.IntValue(255)) > 0 {
		w := *v
		w.side = append(w.side[:len(w.side):len(w.side)], b.L.Le(b.L.Int(-1), v.t), b.L.Le(v.t, b.L.Int(255)))
		v = &w
		b.assume(assumeChars)
	}
	b.materialise(v)
	return v
}

// within is the condition that a character is in one of some ranges.
func (b *lowerer) within(t *logic.Term, ranges []charRange) *logic.Term {
	var any []*logic.Term
	for _, r := range ranges {
		any = append(any, b.L.And(b.L.Le(b.L.Int(r.lo), t), b.L.Le(t, b.L.Int(r.hi))))
	}
	return b.L.Or(any...)
}

// charClass lowers isdigit and the like: the result is 0 or any other value.
func (b *lowerer) charClass(c call) *value {
	v := b.charArg(c)
	if v == nil {
		return b.constInt(0, intT)
	}
	in := b.within(v.t, charClasses[c.name])
	if in.IsFalse() {
		return b.constInt(0, intT)
	}
	tmp, zero := b.newTemp(intT), b.L.Int(0)
	b.emit(c.n, b.text(c.n), ir.HavocCmd(tmp, c.name), ir.AssumeCmd(b.L.Or(b.L.And(in, b.L.Ne(tmp.Sym, zero)), b.L.And(b.L.Not(in), b.L.Eq(tmp.Sym, zero)))))
	return b.intValue(tmp.Sym, intT)
}

// charCase lowers toupper and tolower.
func (b *lowerer) charCase(c call) *value {
	v := b.charArg(c)
	if v == nil {
		return b.constInt(0, intT)
	}
	from, by := charClasses["islower"], int64('A'-'a')
	if c.name == "tolower" {
		from, by = charClasses["isupper"], 'a'-'A'
	}
	return b.intValue(b.L.Ite(b.within(v.t, from), b.L.Add(v.t, b.L.Int(by)), v.t), intT)
}

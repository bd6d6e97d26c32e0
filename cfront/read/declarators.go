package read

import "strconv"

// The differences of this file are about declarators and types.

// typeWord are keywords that begin the name of a type.
var typeWord = map[string]bool{"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true,
	"signed": true, "__signed": true, "__signed__": true, "unsigned": true, "_Bool": true, "_Complex": true, "__complex__": true,
	"struct": true, "union": true, "enum": true, "typeof": true, "__typeof__": true, "__typeof": true, "__int128": true,
	"__int128_t": true, "__uint128_t": true, "_Float128": true, "__float128": true, "_Float16": true, "_Float32": true, "_Float64": true,
	"_Float32x": true, "_Float64x": true, "__float80": true}

// storage are the other keywords of declaration specifiers.
var storage = map[string]bool{"__extension__": true, "register": true, "static": true, "extern": true, "typedef": true, "auto": true, "inline": true,
	"__inline": true, "__inline__": true, "_Thread_local": true, "__thread": true, "_Noreturn": true}

// isAttribute tells whether an attribute list begins at a token.
func (r *rewriter) isAttribute(i int) bool {
	return i+1 < len(r.toks) && (r.toks[i].text == "__attribute__" || r.toks[i].text == "__attribute") && r.is(i+1, "(")
}

// attributesEnd returns the token behind attribute lists.
func (r *rewriter) attributesEnd(i int) int {
	for r.isAttribute(i) {
		i = int(r.match[i+1]) + 1
	}
	return i
}

// specifiersEnd returns where the specifiers end that begin a declaration, with the { of the
// struct, union or enum that they define, if any.
func (r *rewriter) specifiersEnd(i, end int) (after, brace int) {
	typed := false
	for i < end {
		t := &r.toks[i]
		switch {
		case r.isAttribute(i):
			i = r.attributesEnd(i)
		case t.text == "_Alignas" && r.is(i+1, "("), t.text == "_Atomic" && r.is(i+1, "("):
			typed = typed || t.text == "_Atomic"
			i = int(r.match[i+1]) + 1
		case qualifier[t.text], storage[t.text]:
			i++
		case typeWord[t.text]:
			typed = true
			next := r.specifierEnd(i, end)
			if r.is(next-1, "}") {
				brace = int(r.match[next-1])
			}
			i = next
		case t.kind == word && !typed:
			typed = true
			i++
		default:
			return i, brace
		}
	}
	return i, brace
}

// putStruct writes the members of a struct or union one declaration after the other: see
// putMember.
func (r *rewriter) putStruct(i int) int {
	j := r.attributesEnd(i + 1)
	if j < len(r.toks) && r.toks[j].kind == word {
		j++
	}
	if !r.is(j, "{") {
		return i
	}
	r.out.add(r.toks[i].text, i)
	r.put(i+1, j)
	return r.putMembers(j)
}

// putMembers writes the braces of a struct or union and what is in them.
func (r *rewriter) putMembers(j int) int {
	r.out.add("{", j)
	end := int(r.match[j])
	for from := j + 1; from < end; {
		to := from
		for to < end && r.toks[to].text != ";" {
			to = r.over(to)
		}
		r.putMember(from, to)
		if to < end {
			r.out.add(";", to)
		}
		from = to + 1
	}
	r.out.add("}", end)
	return end + 1
}

// over returns the token behind this one, or behind the bracket that it opens.
func (r *rewriter) over(i int) int {
	if t := &r.toks[i]; t.kind == punct && (t.text == "(" || t.text == "[" || t.text == "{") {
		return int(r.match[i]) + 1
	}
	return i + 1
}

// putMember writes the declaration of members. After a member's attributes cc does not take
// another member, so "int a __attribute__((x)), b" becomes two declarations. If the specifiers
// define a type without a name it gets one.
func (r *rewriter) putMember(from, to int) {
	var commas []int
	split := false
	for i := from; i < to; i = r.over(i) {
		if r.toks[i].text == "," {
			commas = append(commas, i)
		}
		if r.isAttribute(i) && i > from {
			if n := r.attributesEnd(i); n < to && r.toks[n].text == "," {
				split = true
			}
		}
	}
	if !split {
		r.put(from, to)
		return
	}
	after, brace := r.specifiersEnd(from, commas[0])
	start := after
	tag := ""
	for n, c := range append(commas, to) {
		switch {
		case n > 0:
			r.out.add(";", start-1)
			fallthrough
		case brace > 0:
			tag = r.putSpecifiers(from, after, brace, n > 0, tag)
		}
		if brace == 0 {
			r.put(from, after)
		}
		r.put(start, c)
		start = c + 1
	}
}

// putSpecifiers writes specifiers; of those that define a type with braces the definition, which
// gets a tag if it has none, or if it is repeated, the tag alone. It returns the tag.
func (r *rewriter) putSpecifiers(from, after, brace int, repeated bool, tag string) string {
	if brace == 0 {
		return ""
	}
	key := brace - 1
	for key > from && r.toks[key].text != "struct" && r.toks[key].text != "union" && r.toks[key].text != "enum" {
		key--
	}
	named := brace-1 > key && r.toks[brace-1].kind == word
	if tag == "" {
		if tag = r.toks[brace-1].text; !named {
			r.tags++
			tag = "__comus_tag_" + strconv.Itoa(r.tags)
		}
	}
	r.put(from, key)
	r.out.add(r.toks[key].text, key)
	end := int(r.match[brace]) + 1
	if repeated {
		r.out.add(tag, key)
	} else {
		r.put(key+1, r.attributesEnd(key+1))
		r.out.add(tag, key)
		if r.toks[key].text == "enum" {
			r.put(brace, end)
		} else {
			r.putMembers(brace)
		}
	}
	r.put(end, after)
	return tag
}

// putPointer writes the attributes behind a * before its qualifiers.
func (r *rewriter) putPointer(i int) int {
	j := i + 1
	some, quals := false, false
	for j < len(r.toks) {
		switch {
		case qualifier[r.toks[j].text] && !(r.toks[j].text == "_Atomic" && r.is(j+1, "(")):
			quals = true
			j++
			continue
		case r.isAttribute(j):
			some = true
			j = r.attributesEnd(j)
			continue
		}
		break
	}
	if !some || !quals {
		return i
	}
	r.out.add("*", i)
	for _, attributes := range []bool{true, false} {
		for k := i + 1; k < j; {
			if r.isAttribute(k) {
				end := r.attributesEnd(k)
				if attributes {
					r.put(k, end)
				}
				k = end
				continue
			}
			if !attributes {
				r.put(k, k+1)
			}
			k++
		}
	}
	return j
}

// putBracket deals with what begins with [: designators without =, and static and qualifiers in
// the brackets of a parameter, which mean nothing to a program that keeps to them, as does [*].
func (r *rewriter) putBracket(i int) int {
	if r.is(i+1, "[") && int(r.match[i+1])+1 == int(r.match[i]) {
		return r.putBracketAttributes(i)
	}
	if i > 0 && (r.is(i-1, "{") || r.is(i-1, ",")) {
		if n := r.putDesignator(i); n > i {
			return n
		}
	}
	end, j := int(r.match[i]), i+1
	for j < end && (qualifier[r.toks[j].text] || r.toks[j].text == "static") {
		j++
	}
	if r.is(i+1, "*") && end == i+2 { // a length that is not told
		j = end
	}
	if j == i+1 {
		return i
	}
	r.out.add("[", i)
	r.put(j, end)
	r.out.add("]", end)
	return end + 1
}

// putDesignator writes [1] x in an initializer as [1] = x.
func (r *rewriter) putDesignator(i int) int {
	j := i
	for j < len(r.toks) {
		switch {
		case r.toks[j].text == "[":
			j = int(r.match[j]) + 1
			continue
		case r.toks[j].text == "." && j > i:
			j += 2
			continue
		}
		break
	}
	if j >= len(r.toks) || r.toks[j].text == "=" || r.toks[j].text == "," || r.toks[j].text == ")" || r.toks[j].text == "]" {
		return i
	}
	if open := r.enclosing(i); open < 0 || r.toks[open].text != "{" { // an operand of asm
		return i
	}
	for k := i; k < j; {
		if r.toks[k].text == "[" {
			r.out.add("[", k)
			r.put(k+1, int(r.match[k]))
			k = int(r.match[k])
			r.out.add("]", k)
			k++
			continue
		}
		r.put(k, k+1)
		k++
	}
	r.out.add("=", j)
	return j
}

// putParen deals with what begins with (.
//
// A parameter (*(*f)(int))(int) is written ((*(*f)(int)))(int): cc forgets the last part
// otherwise. For an expression the same parentheses mean nothing. If the parameter has no name
// it gets one.
func (r *rewriter) putParen(i int) int {
	end := int(r.match[i])
	if !r.is(i+1, "*") || !(r.is(end+1, "(") || r.is(end+1, "[")) {
		return i
	}
	inner := i + 1
	for inner < end && (r.toks[inner].text == "*" || qualifier[r.toks[inner].text]) {
		inner++
	}
	if inner >= end || r.toks[inner].text != "(" {
		return i
	}
	for j := i + 1; j < end; j = r.over(j) {
		if t := r.toks[j].text; t == "," || t == ";" {
			return i
		}
	}
	stop := int(r.match[inner])
	unnamed := stop == inner+2 && r.is(inner+1, "*")
	if unnamed && !r.inParameters(i) {
		return i
	}
	r.out.add("(", i)
	r.out.add("(", i)
	if unnamed {
		r.put(i+1, stop)
		r.out.add("__comus_unnamed", stop)
		r.put(stop, end)
	} else {
		r.put(i+1, end)
	}
	r.out.add(")", end)
	r.out.add(")", end)
	return end + 1
}

// inParameters tells whether a token is in a parameter list, not in a cast or operand.
func (r *rewriter) inParameters(i int) bool {
	open := r.enclosing(i)
	return open > 0 && (r.is(open-1, ")") || r.toks[open-1].kind == word && r.toks[open-1].text != "sizeof" && words[r.toks[open-1].text] == nil && r.toks[open-1].text != "return")
}

// enclosing returns the bracket that a token is in; -1 for none.
func (r *rewriter) enclosing(i int) int {
	for i--; i >= 0; i-- {
		if t := &r.toks[i]; t.kind == punct {
			switch t.text {
			case "(", "[", "{":
				return i
			case ")", "]", "}":
				i = int(r.match[i])
			}
		}
	}
	return -1
}

// afterAbstract tells whether the parameter that ends before a token has no name: then cc does
// not take attributes there.
func (r *rewriter) afterAbstract(i int) bool {
	next := r.attributesEnd(i)
	if i == 0 || !(r.is(i-1, "]") || r.is(i-1, ")")) || !(r.is(next, ",") || r.is(next, ")")) {
		return false
	}
	j := i - 1
	for r.is(j, "]") || r.is(j, ")") {
		open := int(r.match[j])
		j = open - 1
		if j >= 0 && (r.toks[j].kind == word || r.toks[j].text == "*") { // the innermost
			if r.toks[open].text == "(" && r.is(open+1, "*") {
				return !r.hasName(open+1, int(r.match[open]))
			}
			before := j - 1
			return typeWord[r.toks[j].text] || r.toks[j].text == "*" || qualifier[r.toks[j].text] || before >= 0 && (r.is(before, "(") || r.is(before, ","))
		}
	}
	return false
}

// hasName tells whether a declarator in parentheses has a name.
func (r *rewriter) hasName(from, to int) bool {
	for i := from; i < to; i++ {
		switch t := &r.toks[i]; {
		case t.kind == word && !qualifier[t.text]:
			return true
		case t.text == "(" && r.is(i+1, "*"):
			return r.hasName(i+1, int(r.match[i]))
		case t.text == "[" || t.text == "(":
			i = int(r.match[i])
		}
	}
	return false
}

// putTypeName writes the name of a type as the operand of typeof or sizeof: qualifiers, and
// _Atomic(T), which cc does not take as the beginning, behind the specifier, and the type of a
// function, which it does not take at all, as that of what a pointer to it points to.
func (r *rewriter) putTypeName(from, end int) {
	j := from
	isQual := func(j int) bool {
		return qualifier[r.toks[j].text] && !(r.toks[j].text == "_Atomic" && r.is(j+1, "("))
	}
	for j < end && (isQual(j) || r.toks[j].text == "__extension__") {
		j++
	}
	if j >= end {
		r.put(from, end)
		return
	}
	if after, _ := r.specifiersEnd(from, end); typeWord[r.toks[j].text] && after < end && r.toks[end-1].text == ")" {
		p := after
		for p < end && (r.toks[p].text == "*" || qualifier[r.toks[p].text]) {
			p++
		}
		if p < end && r.toks[p].text == "(" && int(r.match[p]) == end-1 && !r.is(p+1, "*") && !r.is(p+1, "(") && !r.isAttribute(p+1) {
			r.out.add("__typeof__", from)
			for _, t := range []string{"(", "*", "("} {
				r.out.add(t, from)
			}
			r.put(from, p)
			for _, t := range []string{"(", "*", ")"} {
				r.out.add(t, p)
			}
			r.put(p, end)
			for _, t := range []string{")", "0", ")"} {
				r.out.add(t, end-1)
			}
			return
		}
	}
	rest := j
	switch {
	case r.toks[j].text == "_Atomic":
		rest = int(r.match[j+1]) + 1
		r.out.add("__typeof__", j)
		r.out.add("(", j)
		r.putTypeName(j+2, rest-1)
		r.out.add(")", j)
		r.out.add("_Atomic", j)
	case j > from:
		rest = r.specifierEnd(j, end)
		r.put(j, rest)
	}
	r.put(from, j)
	r.put(rest, end)
}

package read

import "strings"

// attribute is one attribute: its name and, if it has arguments, their parenthesis.
type attribute struct {
	at   int
	name string
	args int // the (, or 0
}

// attributes returns those of a list between tokens.
func (r *rewriter) attributes(from, to int) (list []attribute) {
	for i := from; i < to; {
		t := &r.toks[i]
		if t.kind != word {
			i++
			continue
		}
		a := attribute{at: i, name: plain(t.text)}
		if i+3 < to && r.is(i+1, ":") && r.is(i+2, ":") { // gnu::packed
			space := a.name
			a = attribute{at: i + 3, name: plain(r.toks[i+3].text)}
			if space != "gnu" {
				a.name = ""
			}
			i += 3
		}
		i++
		if i < to && r.is(i, "(") {
			a.args = i
			i = int(r.match[i]) + 1
		}
		list = append(list, a)
	}
	return list
}

// plain returns the name of an attribute without __ around it.
func plain(name string) string {
	if len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
		return name[2 : len(name)-2]
	}
	return name
}

// putAttribute writes each attribute of a list as a list of its own, with its plain name: of a
// longer list cc loses some.
func (r *rewriter) putAttribute(i int) int {
	if !r.is(i+1, "(") || !r.is(i+2, "(") {
		return i
	}
	end := int(r.match[i+1])
	if r.afterAbstract(i) {
		return end + 1
	}
	for _, a := range r.attributes(i+3, int(r.match[i+2])) {
		r.putOneAttribute(a)
	}
	return end + 1
}

func (r *rewriter) putOneAttribute(a attribute) {
	r.out.add("__attribute__", a.at)
	r.out.add("(", a.at)
	r.out.add("(", a.at)
	r.out.add(a.name, a.at)
	if a.args > 0 {
		r.put(a.args, int(r.match[a.args])+1)
	}
	r.out.add(")", a.at)
	r.out.add(")", a.at)
}

// standard are the attributes of C23 that mean something here, as GNU's.
var standard = map[string]string{"noreturn": "noreturn", "_Noreturn": "noreturn"}

// putBracketAttributes writes [[gnu::packed]] as __attribute__((packed)). Of C23's own ones only
// noreturn is kept.
func (r *rewriter) putBracketAttributes(i int) int {
	from, to := i+2, int(r.match[i+1])
	for _, a := range r.attributes(from, to) {
		scoped := r.is(a.at-1, ":")
		if !scoped {
			a.name = standard[a.name]
		}
		if a.name != "" && a.name != "fallthrough" {
			r.putOneAttribute(a)
		}
	}
	return int(r.match[i]) + 1
}

// putEnum moves attributes between enum and its name or { behind its }, where cc reads them.
func (r *rewriter) putEnum(i int) int {
	j := i + 1
	for j < len(r.toks) && (r.toks[j].text == "__attribute__" || r.toks[j].text == "__attribute") && r.is(j+1, "(") {
		j = int(r.match[j+1]) + 1
	}
	attributes := j
	if j == i+1 {
		return i
	}
	r.out.add("enum", i)
	end := j
	for end < len(r.toks) && r.toks[end].text != "{" && r.toks[end].kind == word && end < j+1 {
		end++
	}
	if r.is(end, "{") {
		end = int(r.match[end]) + 1
	}
	r.put(j, end)
	r.put(i+1, attributes)
	return end
}

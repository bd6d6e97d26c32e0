package read

import (
	"fmt"
	"strings"
)

// rewriter writes a preprocessed unit as cc's parser takes it. Each method that begins with
// "put" is one difference between gcc and cc; the package comment lists what a later phase sees.
type rewriter struct {
	s        *stream
	toks     []token
	match    []int32 // of a bracket: its partner
	out      output
	warnings []Warning
	strict   bool // asm and typeof are no keywords
	c90      bool // nor are inline and restrict
	c23      bool
	tags     int              // tags made up so far
	literals map[int32]string // prefixes of literals that are written with another
}

// output is the text for cc, with where each of its tokens comes from.
type output struct {
	text   []byte
	starts []int32 // where each token begins
	from   []int32 // the token it comes from
	column int
}

// add writes a token that comes from the i-th.
func (o *output) add(text string, i int) {
	if o.column > 200 {
		o.text = append(o.text, '\n')
		o.column = 0
	}
	o.starts = append(o.starts, int32(len(o.text)))
	o.from = append(o.from, int32(i))
	o.text = append(o.text, text...)
	o.text = append(o.text, ' ')
	o.column += len(text) + 1
}

// index returns the number of the token that an offset is in.
func (o *output) index(offset int) int {
	lo, hi := 0, len(o.starts)
	for lo < hi {
		if mid := (lo + hi) / 2; int(o.starts[mid]) <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// errorAt returns an error at a token.
func (s *stream) errorAt(i int, format string, args ...any) *Error {
	return &Error{Pos: s.pos(i), Msg: fmt.Sprintf(format, args...)}
}

// pos returns the place of a token.
func (s *stream) pos(i int) Pos {
	if i < 0 || i >= len(s.toks) {
		return Pos{}
	}
	t := &s.toks[i]
	return Pos{File: t.file.label, Line: int(t.line), Col: int(t.col)}
}

// brackets pairs all brackets.
func brackets(s *stream) ([]int32, error) {
	match := make([]int32, len(s.toks))
	var open []int
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}
	for i := range s.toks {
		t := &s.toks[i]
		switch t.kind {
		case other:
			if t.text[0] == '"' || t.text[0] == '\'' || len(t.text) > 1 {
				return nil, s.errorAt(i, "a literal that its line does not end")
			}
			return nil, s.errorAt(i, "a stray character %q", t.text)
		case punct:
			switch t.text {
			case "(", "[", "{":
				open = append(open, i)
			case ")", "]", "}":
				if len(open) == 0 {
					return nil, s.errorAt(i, "unexpected '%s'", t.text)
				}
				o := open[len(open)-1]
				open = open[:len(open)-1]
				if want := closing[s.toks[o].text]; want != t.text {
					return nil, s.errorAt(i, "unexpected '%s', expected '%s' for the '%s' at %v", t.text, want, s.toks[o].text, s.pos(o))
				}
				match[o], match[i] = int32(i), int32(o)
			}
		}
	}
	if len(open) > 0 {
		o := open[len(open)-1]
		e := s.errorAt(len(s.toks)-1, "unexpected end of file")
		e.Msg += fmt.Sprintf(": no '%s' for the '%s' at %v", closing[s.toks[o].text], s.toks[o].text, s.pos(o))
		return nil, e
	}
	return match, nil
}

// put writes tokens from ... to-1.
func (r *rewriter) put(from, to int) {
	for i := from; i < to; {
		i = r.one(i, to)
	}
}

// one writes what begins at a token and returns where to go on.
func (r *rewriter) one(i, to int) int {
	t := &r.toks[i]
	switch t.kind {
	case str:
		return r.putStrings(i)
	case char:
		return r.putChar(i)
	case number:
		r.out.add(strings.ReplaceAll(t.text, "'", ""), i)
		return i + 1
	case word:
		if f := words[t.text]; f != nil {
			if n := f(r, i); n > i {
				return n
			}
		}
		r.out.add(r.name(t.text), i)
		return i + 1
	}
	if f := punctuators[t.text]; f != nil && t.kind == punct {
		if n := f(r, i); n > i {
			return n
		}
	}
	r.out.add(t.text, i)
	return i + 1
}

// is tells whether a token has a text.
func (r *rewriter) is(i int, text string) bool { return i < len(r.toks) && r.toks[i].text == text }

// words are the words that are not always written as they are. Each function returns where to
// go on, or i if the word stays.
var words map[string]func(r *rewriter, i int) int

// punctuators are the same for punctuators.
var punctuators map[string]func(r *rewriter, i int) int

func init() {
	punctuators = map[string]func(*rewriter, int) int{"[": (*rewriter).putBracket, "(": (*rewriter).putParen, "*": (*rewriter).putPointer, ":": (*rewriter).putColon}
	skip := func(r *rewriter, i int) int { return i + 1 }
	as := func(text ...string) func(*rewriter, int) int {
		return func(r *rewriter, i int) int {
			for _, t := range text {
				r.out.add(t, i)
			}
			return i + 1
		}
	}
	types := func(of ...bool) func(*rewriter, int) int {
		return func(r *rewriter, i int) int { return r.putTypes(i, of) }
	}
	words = map[string]func(*rewriter, int) int{
		"__extension__":                skip,
		"__const__":                    as("const"),
		"__float80":                    as("long", "double"),
		"__FUNCTION__":                 as("__func__"),
		"__PRETTY_FUNCTION__":          as("__func__"),
		"__auto_type":                  as(AutoType),
		"__seg_fs":                     (*rewriter).putSegment,
		"__seg_gs":                     (*rewriter).putSegment,
		"__builtin_va_arg":             types(false, true),
		"__builtin_types_compatible_p": types(true, true),
		"__builtin_convertvector":      types(false, true),
		"__builtin_bit_cast":           types(true, false),
		"__builtin_offsetof":           (*rewriter).putOffsetof,
		"__builtin_has_attribute":      (*rewriter).putHasAttribute,
		"__attribute__":                (*rewriter).putAttribute,
		"__attribute":                  (*rewriter).putAttribute,
		"enum":                         (*rewriter).putEnum,
		"struct":                       (*rewriter).putStruct,
		"union":                        (*rewriter).putStruct,
		"_Static_assert":               (*rewriter).putAssert,
		"static_assert":                (*rewriter).putAssert,
		"typeof":                       (*rewriter).putTypeof,
		"__typeof":                     (*rewriter).putTypeof,
		"__typeof__":                   (*rewriter).putTypeof,
		"_Alignof":                     (*rewriter).putAlignof,
		"__alignof":                    (*rewriter).putAlignof,
		"__alignof__":                  (*rewriter).putAlignof,
	}
	for name, plain := range map[string]string{"alignas": "_Alignas", "alignof": "_Alignof", "bool": "_Bool", "thread_local": "_Thread_local"} {
		words[name] = func(r *rewriter, i int) int {
			if !r.c23 {
				return i
			}
			r.out.add(plain, i)
			return i + 1
		}
	}
}

// notKeywords are words that cc takes for keywords and gcc does not, always or in some dialects.
var notKeywords = map[string]func(*rewriter) bool{
	"asm": func(r *rewriter) bool { return r.strict }, "typeof": func(r *rewriter) bool { return r.strict && !r.c23 },
	"inline": func(r *rewriter) bool { return r.c90 && r.strict }, "restrict": func(r *rewriter) bool { return r.c90 },
	"_Nonnull": nil, "__declspec": nil, "__fp16": nil, "__bf16": nil, "_Float128x": nil,
}

// name writes an identifier: with universal character names as the characters they stand for,
// and if cc would take it for a keyword, with IDPrefix.
func (r *rewriter) name(text string) string {
	if f, ok := notKeywords[text]; ok && (f == nil || f(r)) {
		return IDPrefix + text
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 0
		if text[i] == '\\' && i+1 < len(text) {
			n = map[byte]int{'u': 4, 'U': 8}[text[i+1]]
		}
		var c rune
		if n > 0 && i+2+n <= len(text) {
			if _, err := fmt.Sscanf(text[i+2:i+2+n], "%x", &c); err == nil {
				b.WriteRune(c)
				i += 2 + n
				continue
			}
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// arguments returns the parts of a parenthesis between commas, as pairs of the first token and
// what follows the last; nil if there is no parenthesis at i.
func (r *rewriter) arguments(i int) (args [][2]int, end int) {
	if !r.is(i, "(") {
		return nil, i
	}
	end = int(r.match[i])
	from := i + 1
	for j := i + 1; j < end; j++ {
		switch r.toks[j].text {
		case "(", "[", "{":
			if r.toks[j].kind == punct {
				j = int(r.match[j])
			}
		case ",":
			args = append(args, [2]int{from, j})
			from = j + 1
		}
	}
	return append(args, [2]int{from, end}), end
}

// putTypes writes a call of a builtin that takes names of types, where of says, as one that
// takes sizeof(T).
func (r *rewriter) putTypes(i int, of []bool) int {
	args, end := r.arguments(i + 1)
	if len(args) != len(of) {
		return i
	}
	r.out.add(r.toks[i].text, i)
	r.out.add("(", i+1)
	for k, a := range args {
		if k > 0 {
			r.out.add(",", a[0]-1)
		}
		if of[k] {
			r.putSizeof(a)
		} else {
			r.put(a[0], a[1])
		}
	}
	r.out.add(")", end)
	return end + 1
}

func (r *rewriter) putSizeof(a [2]int) {
	r.out.add("sizeof", a[0])
	r.out.add("(", a[0])
	r.putTypeName(a[0], a[1])
	r.out.add(")", a[1])
}

// putOffsetof writes __builtin_offsetof(T, m) as __builtin_offsetof(sizeof(T), Object.m).
func (r *rewriter) putOffsetof(i int) int {
	args, end := r.arguments(i + 1)
	if len(args) != 2 {
		return i
	}
	r.out.add(r.toks[i].text, i)
	r.out.add("(", i+1)
	r.putSizeof(args[0])
	r.out.add(",", args[1][0]-1)
	r.out.add(Object, args[1][0])
	r.out.add(".", args[1][0])
	r.put(args[1][0], args[1][1])
	r.out.add(")", end)
	return end + 1
}

// putHasAttribute writes __builtin_has_attribute(x, a) as the constant 0, with a warning.
func (r *rewriter) putHasAttribute(i int) int {
	args, end := r.arguments(i + 1)
	if len(args) != 2 {
		return i
	}
	r.warnings = append(r.warnings, Warning{r.s.pos(i), "__builtin_has_attribute is taken to be 0"})
	r.out.add("0", i)
	return end + 1
}

func (r *rewriter) putSegment(i int) int {
	r.warnings = append(r.warnings, Warning{r.s.pos(i), r.toks[i].text + " is ignored"})
	return i + 1
}

// putAssert gives a static assertion without a message an empty one.
func (r *rewriter) putAssert(i int) int {
	if r.toks[i].text == "static_assert" && !r.c23 {
		return i
	}
	args, end := r.arguments(i + 1)
	if len(args) == 0 {
		return i
	}
	r.out.add("_Static_assert", i)
	r.out.add("(", i+1)
	r.put(args[0][0], args[0][1])
	r.out.add(",", end)
	if len(args) > 1 && args[1][1] > args[1][0] {
		r.put(args[1][0], args[1][1])
	} else {
		r.out.add(`""`, end)
	}
	r.out.add(")", end)
	return end + 1
}

// qualifier are the words that cc does not take as the beginning of typeof's operand.
var qualifier = map[string]bool{"const": true, "__const": true, "__const__": true, "volatile": true, "__volatile": true, "__volatile__": true, "restrict": true, "__restrict": true, "__restrict__": true, "_Atomic": true}

// putTypeof writes typeof(const T ...) as typeof(T const ...): see putTypeName.
func (r *rewriter) putTypeof(i int) int {
	if r.name(r.toks[i].text) != r.toks[i].text || !r.is(i+1, "(") {
		return i
	}
	end := int(r.match[i+1])
	r.out.add("__typeof__", i)
	r.out.add("(", i+1)
	r.putTypeName(i+2, end)
	r.out.add(")", end)
	return end + 1
}

// specifierEnd returns where the type specifier that begins at a token ends.
func (r *rewriter) specifierEnd(i, end int) int {
	switch r.toks[i].text {
	case "struct", "union", "enum":
		for i++; i < end && (r.toks[i].text == "__attribute__" || r.toks[i].text == "__attribute"); {
			i = int(r.match[i+1]) + 1
		}
		if i < end && r.toks[i].kind == word {
			i++
		}
		if i < end && r.toks[i].text == "{" {
			i = int(r.match[i]) + 1
		}
		return i
	case "typeof", "__typeof", "__typeof__", "_Atomic":
		if r.is(i+1, "(") {
			return int(r.match[i+1]) + 1
		}
	}
	return i + 1
}

// putAlignof puts parentheses around the operand of __alignof__ that has none.
func (r *rewriter) putAlignof(i int) int {
	if r.is(i+1, "(") || i+1 >= len(r.toks) {
		return i
	}
	end := i + 1
	for end < len(r.toks) && strings.Contains(" * & ! ~ - + ++ -- sizeof ", " "+r.toks[end].text+" ") {
		end++
	}
	for end++; end < len(r.toks); {
		switch r.toks[end].text {
		case "[", "(":
			end = int(r.match[end]) + 1
			continue
		case ".", "->":
			end += 2
			continue
		case "++", "--":
			end++
			continue
		}
		break
	}
	end = min(end, len(r.toks))
	r.out.add("_Alignof", i)
	r.out.add("(", i+1)
	r.put(i+1, end)
	r.out.add(")", end-1)
	return end
}

// putColon puts an empty statement between a label and the end of its block, as in C23.
func (r *rewriter) putColon(i int) int {
	if !r.is(r.attributesEnd(i+1), "}") {
		return i
	}
	r.out.add(":", i)
	r.out.add(";", i)
	return r.attributesEnd(i + 1)
}

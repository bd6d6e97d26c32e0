package read

import (
	"regexp"
	"sort"
	"strings"
)

// inputs are the types of the results of __VERIFIER_nondet_X, nondet_X and __CPROVER_nondet_X,
// by X.
var inputs = map[string]string{
	"bool": "_Bool", "char": "char", "uchar": "unsigned char", "schar": "signed char", "short": "short", "ushort": "unsigned short",
	"int": "int", "uint": "unsigned int", "unsigned": "unsigned int", "unsigned_int": "unsigned int", "long": "long", "ulong": "unsigned long",
	"longlong": "long long", "ulonglong": "unsigned long long", "float": "float", "double": "double", "pointer": "void *", "pchar": "char *",
	"size_t": "__SIZE", "s8": "signed char", "u8": "unsigned char", "s16": "short", "u16": "unsigned short", "s32": "int", "u32": "unsigned int",
	"s64": "long long", "u64": "unsigned long long", "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short",
	"int32": "int", "uint32": "unsigned int", "int64": "long long", "uint64": "unsigned long long", "int8_t": "signed char", "uint8_t": "unsigned char",
	"int16_t": "short", "uint16_t": "unsigned short", "int32_t": "int", "uint32_t": "unsigned int", "int64_t": "long long", "uint64_t": "unsigned long long",
	"int128": "__int128", "uint128": "unsigned __int128", "loff_t": "long long", "sector_t": "unsigned long", "unsigned_char": "unsigned char",
	"unsigned_short": "unsigned short", "unsigned_long": "unsigned long", "long_long": "long long", "ldouble": "long double",
}

// verifiers are functions of verification that a program may use without declaring them.
var verifiers = map[string]string{
	"__VERIFIER_assume": "void %s(int)", "__VERIFIER_assert": "void %s(int)", "__VERIFIER_error": "void %s(void)",
	"__VERIFIER_atomic_begin": "void %s(void)", "__VERIFIER_atomic_end": "void %s(void)",
	"__VERIFIER_nondet_memory": "void %s(void *, __SIZE)",
	"reach_error":              "void %s(void)", "assume_abort_if_not": "void %s(int)",
	"__CPROVER_assume": "void %s(_Bool)", "__CPROVER_assert": "void %s(_Bool, const char *)",
	"__CPROVER_atomic_begin": "void %s(void)", "__CPROVER_atomic_end": "void %s(void)",
	"__CPROVER_precondition": "void %s(_Bool, const char *)", "__CPROVER_postcondition": "void %s(_Bool, const char *)",
	"__CPROVER_cover": "void %s(_Bool)", "__CPROVER_fence": "void %s(const char *, ...)",
}

// cproverTypes are types that CBMC has without a declaration.
var cproverTypes = map[string]string{"__CPROVER_bool": "_Bool", "__CPROVER_size_t": "__SIZE"}

var inputName = regexp.MustCompile(`^(?:__VERIFIER_nondet_|__CPROVER_nondet_|nondet_)(\w+)$`)

// implicitDeclarations returns declarations of the functions of verification that a unit uses
// and does not declare. So none of them can be at odds with one of the program.
func implicitDeclarations(s *stream) []string {
	used, declared := map[string]string{}, map[string]bool{}
	braces, parens := 0, 0
	for i := range s.toks {
		t := &s.toks[i]
		switch t.text {
		case "{":
			braces++
		case "}":
			braces--
		case "(":
			parens++
		case ")":
			parens--
		}
		if t.kind != word || len(t.text) < 9 {
			continue
		}
		text := implicitText(t.text)
		if text == "" {
			continue
		}
		used[t.text] = text
		if braces == 0 && parens == 0 || declares(s, i) {
			declared[t.text] = true
		}
	}
	var out []string
	for name, text := range used {
		if !declared[name] || cproverTypes[name] != "" {
			out = append(out, text)
		}
	}
	sort.Strings(out)
	return out
}

// declares tells whether a name is declared where it stands in a block: behind a type.
func declares(s *stream, i int) bool {
	if i == 0 {
		return false
	}
	switch p := &s.toks[i-1]; p.text {
	case "return", "else", "do", "case", "sizeof", "goto", "__extension__":
		return false
	default:
		return p.kind == word
	}
}

// implicitText returns the declaration of a function of verification; "" if a name is none.
func implicitText(name string) string {
	text := ""
	if v := verifiers[name]; v != "" {
		text = replace(v, "%s", name)
	} else if typ := cproverTypes[name]; typ != "" {
		text = "typedef " + typ + " " + name
	} else if m := inputName.FindStringSubmatch(name); m != nil && inputs[m[1]] != "" {
		text = inputs[m[1]] + " " + name + "(void)"
	} else {
		return ""
	}
	return replace(text, "__SIZE", "__typeof__(sizeof(int))") + ";"
}

func replace(s, old, by string) string { return strings.ReplaceAll(s, old, by) }

// Package callers writes what others may do with a library as C: a function main that calls the functions which the library shows, one after the
// other, in any order, any number of times, with any arguments that fit their types.
//
// An argument that is a pointer may be null, lead to an object that the caller makes, of which nothing is known but its type, or to what the
// library gave out before under that type, or as void *: a queue that a function returned is what others take. What is kept
// for that is one variable for each type pointed to, by the name of its tag; void * may be any of them, or lead to other memory of the caller, as do
// pointers to types that only the caller knows, and pointers in what it makes. A pointer to a pointer may lead to what the caller keeps, so that results which are stored through an argument come back, too. A function that
// is given is one of the caller's, of which nothing is known.
package callers

import (
	"fmt"
	"slices"
	"strings"

	"comus/cfront/build"
	"comus/cfront/types"
	"comus/cir"
)

// File is the name of the unit that the text is.
const File = "callers.c"

// Assumption is what the text takes for granted, for reports.
const Assumption = "others call the functions of the library from one thread, one at a time, and leave its variables alone"

// Text returns the unit, and a warning for each function that it cannot call. The text is "" if there is no function to call.
func Text(units []*build.Unit) (text string, left []string) {
	w := &writer{kept: map[string]*types.Type{}, structs: map[string]bool{}}
	calls := 0
	for _, u := range units {
		for _, s := range u.Symbols {
			f, ok := s.Value.(*cir.Func)
			if !ok || u.Library || !s.Defined || s.Internal || s.Inline || s.Name == "" || s.Type == nil || s.Type.Kind != types.Func || len(f.Blocks) == 0 {
				continue
			}
			if why := w.call(calls, s.Name, s.Type); why != "" {
				left = append(left, fmt.Sprintf("%s: warning: '%s' is called by nobody: %s", s.Pos, s.Name, why))
				continue
			}
			calls++
		}
	}
	if calls == 0 {
		return "", left
	}
	return w.text(calls), left
}

// writer writes the parts of the unit.
type writer struct {
	decls, cases strings.Builder
	kept         map[string]*types.Type // what pointers to it are kept apart from others, by key
	structs      map[string]bool        // that are declared
}

// call writes the case with a call of a function; or returns why that is not possible.
func (w *writer) call(number int, name string, t *types.Type) (why string) {
	result, why := w.declared(t.Elem)
	if why != "" {
		return why
	}
	var params, args []string
	chosen := "" // one after the other: the order of arguments is open
	for i, p := range t.Params {
		as, why := w.declared(p)
		if why != "" {
			return why
		}
		params, args = append(params, as), append(args, fmt.Sprintf("a%d", i))
		chosen += fmt.Sprintf("%s a%d = %s; ", as, i, w.argument(p, as))
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	if t.Variadic {
		params = append(params, "...")
	}
	fmt.Fprintf(&w.decls, "%s %s(%s);\n", result, name, strings.Join(params, ", "))
	call := fmt.Sprintf("%s(%s);", name, strings.Join(args, ", "))
	if data(t.Elem) {
		call = fmt.Sprintf("comus_kept_%s = %s", w.key(t.Elem.Elem), call)
	}
	fmt.Fprintf(&w.cases, "    case %d: { %s%s break; }\n", number, chosen, call)
	return ""
}

// data reports whether a type is one of pointers to objects.
func data(t *types.Type) bool { return t.Kind == types.Pointer && t.Elem.Kind != types.Func }

// declared returns what a type is declared as: of the same size and kind, by types that need no headers.
func (w *writer) declared(t *types.Type) (as, why string) {
	sign := map[bool]string{true: "signed ", false: "unsigned "}[t.Signed]
	switch t.Kind {
	case types.Void:
		return "void", ""
	case types.Bool:
		return "_Bool", ""
	case types.Int:
		if as, ok := map[int64]string{1: "char", 2: "short", 4: "int", 8: "long long", 16: "__int128"}[t.Size]; ok && int64(t.Bits) == 8*t.Size {
			return sign + as, ""
		}
	case types.Float:
		if t.Ext == types.Standard && !t.Decimal {
			switch t.Size {
			case 4:
				return "float", ""
			case 8:
				return "double", ""
			default:
				return "long double", ""
			}
		}
	case types.Pointer:
		return "void *", ""
	case types.Struct, types.Union:
		name := fmt.Sprintf("struct comus_%d_%d", t.Size, t.Align)
		if !w.structs[name] && t.Size > 0 {
			w.structs[name] = true
			fmt.Fprintf(&w.decls, "%s { char bytes[%d]; } __attribute__((aligned(%d)));\n", name, t.Size, t.Align)
		}
		if t.Size > 0 {
			return name, ""
		}
	}
	return "", fmt.Sprintf("no value of type %s is made", t)
}

// argument returns an expression for any value of a type, which is declared in a way.
func (w *writer) argument(t *types.Type, as string) string {
	switch t.Kind {
	case types.Bool:
		return "__comus_nondet_bool()"
	case types.Int:
		return fmt.Sprintf("(%s)__comus_nondet_ullong()", as)
	case types.Float:
		return fmt.Sprintf("(%s)__comus_nondet_double()", as)
	case types.Struct, types.Union:
		return fmt.Sprintf("*(%s *)comus_memory()", as)
	}
	if !data(t) {
		return "comus_function()"
	}
	return fmt.Sprintf("comus_any_%s()", w.key(t.Elem))
}

// key names what pointers to a type are kept under.
func (w *writer) key(t *types.Type) string {
	k := ""
	switch t.Kind {
	case types.Struct, types.Union:
		k = "anonymous"
		if t.Rec != nil && t.Rec.Tag != "" {
			k = "tag_" + t.Rec.Tag
		}
	case types.Pointer:
		if data(t) {
			k = "to_" + w.key(t.Elem)
		} else {
			k = "to_function"
		}
	case types.Int, types.Bool, types.Float:
		k = fmt.Sprintf("scalar_%d", t.Size)
	default: // void, and what is rarely pointed to
		k = "any"
	}
	if old := w.kept[k]; old == nil || old.Size < t.Size {
		w.kept[k] = t
	}
	return k
}

// text puts the unit together.
func (w *writer) text(calls int) string {
	w.key(&types.Type{Kind: types.Void})
	var keys []string
	for k := range w.kept {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	b.WriteString("#include \"comus.h\"\n#include \"stdlib.h\"\nvoid *comus_memory(void);\nvoid *comus_function(void);\n")
	b.WriteString(w.decls.String())
	for _, k := range keys {
		fmt.Fprintf(&b, "static void *comus_kept_%s;\n", k)
	}
	for _, k := range keys {
		fmt.Fprintf(&b, "static void *comus_any_%s(void);\n", k)
	}
	for _, k := range keys {
		w.any(&b, k, keys)
	}
	fmt.Fprintf(&b, "int main(void) {\n  __comus_assumption(%q);\n  while (__comus_nondet_bool())\n    switch (__comus_nondet_uint()) {\n%s", Assumption, w.cases.String())
	for _, k := range keys {
		if t := w.kept[k]; data(t) {
			fmt.Fprintf(&b, "    case %d: if (comus_kept_%s) comus_kept_%s = *(void **)comus_kept_%s; break;\n", calls, k, keyOf(k, keys), k)
			calls++
		}
	}
	b.WriteString("    }\n  return 0;\n}\n")
	return b.String()
}

// keyOf returns the key of what a pointer that is kept under k leads to.
func keyOf(k string, keys []string) string {
	if of := strings.TrimPrefix(k, "to_"); slices.Contains(keys, of) {
		return of
	}
	return "any"
}

// any writes the function that returns any pointer of a key.
func (w *writer) any(b *strings.Builder, k string, keys []string) {
	fmt.Fprintf(b, "static void *comus_any_%s(void) {\n  switch (__comus_nondet_uint()) {\n  case 0: return 0;\n", k)
	t := w.kept[k]
	if k == "any" {
		for i, other := range keys {
			fmt.Fprintf(b, "  case %d: return comus_kept_%s;\n", i+2, other)
		}
	} else {
		fmt.Fprintf(b, "  case 1: return comus_kept_any;\n")
	}
	if n := t.Size; n == 0 || k == "any" {
		fmt.Fprintf(b, "  case %d: return comus_memory();\n", len(keys)+2)
	} else {
		many := "1"
		if t.Kind != types.Struct && t.Kind != types.Union {
			many = "many"
		}
		fmt.Fprintf(b, "  case 2: {\n    unsigned long many = __comus_nondet_ulong();\n    __comus_assume(many > 0 && many <= 0x7fffffff / %d);\n    void *made = malloc(%s * %d);\n", n, many, n)
		if data(t) {
			fmt.Fprintf(b, "    *(void **)made = comus_any_%s();\n", keyOf(k, keys))
		} else {
			fmt.Fprintf(b, "    __comus_copy(made, comus_memory(), %s * %d, 0);\n", many, n)
		}
		fmt.Fprintf(b, "    comus_kept_%s = made;\n    return made;\n  }\n", k)
	}
	fmt.Fprintf(b, "  }\n  return comus_kept_%s;\n}\n", k)
}

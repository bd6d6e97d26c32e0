package cgen

import (
	"fmt"
	"strings"

	"comus/cir"
)

// ctype returns the C type that holds a scalar.
func ctype(t cir.Type) string {
	switch t.Kind {
	case cir.IntKind:
		sign := "u"
		if t.Signed {
			sign = "i"
		}
		return fmt.Sprintf("comus_%s%d", sign, container(t))
	case cir.FloatKind:
		return fmt.Sprintf("comus_f%d", t.Bits)
	case cir.PointerKind:
		return "comus_ptr"
	}
	return "void"
}

// container returns the width of the C type that holds an integer.
func container(t cir.Type) int {
	n := 8
	for n < t.Bits {
		n *= 2
	}
	return n
}

// unsigned returns the unsigned C type that holds an integer.
func unsigned(t cir.Type) string {
	t.Signed = false
	return ctype(t)
}

// normal makes an expression one of an integer type.
func normal(x string, t cir.Type) string {
	n := container(t)
	switch {
	case !t.IsInt() || t.Bits == n:
		return fmt.Sprintf("(%s)(%s)", ctype(t), x)
	case t.Bits == 1 && !t.Signed:
		return fmt.Sprintf("(comus_u8)((comus_u8)(%s) & 1)", x)
	case t.Signed:
		return fmt.Sprintf("(%s)((%s)((%s)(%s) << %d) >> %d)", ctype(t), ctype(t), unsigned(t), x, n-t.Bits, n-t.Bits)
	}
	return fmt.Sprintf("(%s)((%s)(%s) << %d) >> %d", ctype(t), ctype(t), x, n-t.Bits, n-t.Bits)
}

// integer returns a constant.
func integer(c cir.Int) string {
	t := ctype(c.Type)
	switch {
	case c.Type.Bits > 64:
		return fmt.Sprintf("((%s)(((comus_u128)%#xUL << 64) | %#xUL))", t, c.Hi, c.Lo)
	case c.Type == cir.I32 && int64(c.Lo) >= 0:
		return fmt.Sprint(c.Lo)
	case c.Type.Signed && int64(c.Lo) < 0:
		return fmt.Sprintf("((%s)%#xUL)", t, c.Lo)
	}
	return fmt.Sprintf("((%s)%dUL)", t, c.Lo)
}

// float returns a constant.
func float(c cir.Float) string {
	return fmt.Sprintf("((union { comus_u64 bits[2]; %s x; }){{%#xUL, %#xUL}}).x", ctype(c.Type), c.Lo, c.Hi)
}

// declare returns the declaration of an object, with a label for the linker. Its type is that of the shape, if it has the size.
func (pr *printer) declare(s *cir.Shape, size, align int64, name, label string, external bool) string {
	attr := label
	if align > 1 {
		attr += fmt.Sprintf(" __attribute__((aligned(%d)))", align)
	}
	if s != nil && s.Size == size && size > 0 && !external {
		if base, dims := pr.typeOf(s); base != "" {
			return base + " " + name + dims + attr
		}
	}
	return fmt.Sprintf("unsigned char %s[%d]%s", name, max(size, 1), attr)
}

// typeOf returns a shape as a C type and the dimensions of an array of it; or "", if it cannot be told.
func (pr *printer) typeOf(s *cir.Shape) (base, dims string) {
	switch {
	case s == nil || s.Size <= 0:
		return "", ""
	case s.Elem != nil:
		base, dims = pr.typeOf(s.Elem)
		if base == "" || s.Len <= 0 || s.Elem.Size*s.Len != s.Size {
			return "", ""
		}
		return base, fmt.Sprintf("[%d]%s", s.Len, dims)
	case len(s.Fields) > 0:
		return pr.structOf(s), ""
	case s.Scalar.Kind == cir.None || pr.p.Model.SizeOf(s.Scalar) != s.Size:
		return "", ""
	case s.Scalar == cir.Bool:
		return "_Bool", ""
	}
	return debugType(s.Scalar), ""
}

// debugType returns a type as a debugger shows it.
func debugType(t cir.Type) string {
	switch t {
	case cir.I8:
		return "char"
	case cir.U8:
		return "unsigned char"
	case cir.I16:
		return "short"
	case cir.U16:
		return "unsigned short"
	case cir.I32:
		return "int"
	case cir.U32:
		return "unsigned int"
	case cir.I64:
		return "long"
	case cir.U64:
		return "unsigned long"
	case cir.F32:
		return "float"
	case cir.F64:
		return "double"
	}
	if t.IsPointer() {
		return "void *"
	}
	return ctype(t)
}

// structOf returns the name of the C type for a struct or union, and defines it if that is new.
func (pr *printer) structOf(s *cir.Shape) string {
	var b strings.Builder
	at := int64(0)
	names := map[string]bool{}
	member := func(decl string) { fmt.Fprintf(&b, "  %s;\n", decl) }
	pad := func(to int64) {
		if to > at {
			member(fmt.Sprintf("unsigned char comus_pad%d[%d]", at, to-at))
		}
	}
	for i, f := range s.Fields {
		if f.Bits != nil || f.Shape == nil || f.Shape.Size <= 0 || !s.Union && f.Offset < at || f.Offset+f.Shape.Size > s.Size || s.Union && f.Offset != 0 {
			continue
		}
		base, dims := pr.typeOf(f.Shape)
		if base == "" {
			continue
		}
		name := identifier(f.Name)
		if f.Name == "" || names[name] {
			name = fmt.Sprintf("comus_member%d", i)
		}
		names[name] = true
		if !s.Union {
			pad(f.Offset)
			at = f.Offset + f.Shape.Size
		}
		member(base + " " + name + dims)
	}
	if s.Union {
		at = 0
	}
	pad(s.Size)
	word, tag, _ := strings.Cut(s.Name, " ")
	kind := "struct"
	if s.Union {
		kind = "union"
	}
	if word != kind {
		tag = s.Name
	}
	key := kind + " " + tag + " {\n" + b.String() + "}"
	if n, ok := pr.shapes[key]; ok {
		return n
	}
	tag = identifier(tag)
	unique := tag
	for i := 2; pr.tags[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", tag, i)
	}
	pr.tags[unique] = true
	name := kind + " " + unique
	pr.shapes[key] = name
	fmt.Fprintf(&pr.structs, "%s {\n%s} __attribute__((packed));\n", name, b.String())
	return name
}

package types

import (
	"strconv"
	"strings"
)

// String returns the type as C writes it.
func (t *Type) String() string { return declare(t, "") }

// declare writes a declaration of inner, a declarator, with this type.
func declare(t *Type, inner string) string {
	switch t.Kind {
	case Pointer:
		q := t.Quals.String()
		if q != "" && inner != "" {
			q += " "
		}
		s := "*" + q + inner
		if t.Elem.Kind == Array || t.Elem.Kind == Func {
			s = "(" + s + ")"
		}
		return declare(t.Elem, s)
	case Array:
		n := ""
		switch {
		case t.Len >= 0:
			n = strconv.FormatInt(t.Len, 10)
		case t.VLA != nil:
			n = "*"
		}
		return declare(t.Elem, inner+"["+n+"]")
	case Func:
		var ps []string
		for _, p := range t.Params {
			ps = append(ps, p.String())
		}
		if t.Variadic {
			ps = append(ps, "...")
		}
		if len(ps) == 0 && !t.NoProto {
			ps = []string{"void"}
		}
		return declare(t.Elem, inner+"("+strings.Join(ps, ", ")+")")
	}
	s := t.baseName()
	if q := t.Quals.String(); q != "" {
		s = q + " " + s
	}
	if inner != "" {
		s += " " + inner
	}
	return s
}

// String returns the qualifiers as C writes them.
func (q Quals) String() string {
	var w []string
	for i, n := range []string{"const", "volatile", "restrict", "_Atomic"} {
		if q&(1<<i) != 0 {
			w = append(w, n)
		}
	}
	return strings.Join(w, " ")
}

func tagged(word, tag string) string {
	if tag == "" {
		return word + " <anonymous>"
	}
	return word + " " + tag
}

func (t *Type) baseName() string {
	switch t.Kind {
	case Void:
		return "void"
	case Bool:
		return "_Bool"
	case Int:
		return t.intName()
	case Float:
		return t.floatName()
	case Complex:
		return "_Complex " + t.Elem.String()
	case Struct:
		return tagged("struct", t.Rec.Tag)
	case Union:
		return tagged("union", t.Rec.Tag)
	case Vector:
		return "__vector(" + strconv.FormatInt(t.Len, 10) + ") " + t.Elem.String()
	case VaList:
		return "__builtin_va_list"
	case NullPtr:
		return "nullptr_t"
	}
	return "?"
}

func (t *Type) intName() string {
	if t.Enum != nil {
		return tagged("enum", t.Enum.Tag)
	}
	if t.PlainChar {
		return "char"
	}
	names := map[Rank]string{RankChar: "char", RankShort: "short int", RankInt: "int", RankLong: "long int",
		RankLongLong: "long long int", RankInt128: "__int128"}
	n := names[t.Rank]
	switch {
	case int64(t.Bits) != t.Size*8 && t.Size > 0:
		n += ":" + strconv.Itoa(t.Bits)
		fallthrough
	default:
		switch {
		case t.Signed && t.Rank == RankChar:
			return "signed " + n
		case !t.Signed && t.Rank == RankShort:
			return "short unsigned int"
		case !t.Signed && t.Rank == RankLong && n == "long int":
			return "long unsigned int"
		case !t.Signed && t.Rank == RankLongLong && n == "long long int":
			return "long long unsigned int"
		case !t.Signed:
			return "unsigned " + n
		}
	}
	return n
}

func (t *Type) floatName() string {
	b := strconv.Itoa(t.Bits)
	switch {
	case t.Decimal:
		return "_Decimal" + b
	case t.Ext == FloatN:
		return "_Float" + b
	case t.Ext == FloatNx && t.Bits == 64:
		return "_Float32x"
	case t.Ext == FloatNx:
		return "_Float64x"
	case t.Bits == 32:
		return "float"
	case t.Bits == 64:
		return "double"
	}
	return "long double"
}

package secondreader

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// names are those of the arithmetic types, as package cfront/types writes them.
var names = map[cc.Kind]string{
	cc.Void: "void", cc.Bool: "_Bool", cc.Char: "char", cc.SChar: "signed char", cc.UChar: "unsigned char", cc.Short: "short int", cc.UShort: "short unsigned int",
	cc.Int: "int", cc.UInt: "unsigned int", cc.Long: "long int", cc.ULong: "long unsigned int", cc.LongLong: "long long int", cc.ULongLong: "long long unsigned int",
	cc.Int128: "__int128", cc.UInt128: "unsigned __int128", cc.Float: "float", cc.Double: "double", cc.LongDouble: "long double",
	cc.Float16: "_Float16", cc.Float32: "_Float32", cc.Float64: "_Float64", cc.Float128: "_Float128", cc.Float32x: "_Float32x", cc.Float64x: "_Float64x",
	cc.Decimal32: "_Decimal32", cc.Decimal64: "_Decimal64", cc.Decimal128: "_Decimal128",
	cc.ComplexFloat: "_Complex float", cc.ComplexDouble: "_Complex double", cc.ComplexLongDouble: "_Complex long double", cc.ComplexChar: "_Complex char",
	cc.ComplexShort: "_Complex short int", cc.ComplexUShort: "_Complex short unsigned int", cc.ComplexInt: "_Complex int", cc.ComplexUInt: "_Complex unsigned int",
	cc.ComplexLong: "_Complex long int", cc.ComplexLongLong: "_Complex long long int", cc.ComplexFloat16: "_Complex _Float16",
}

// VaList is how the type of va_list is written.
const VaList = "va_list"

// describe writes a type with all its structure. Records are written with their members, but for those that pointers and functions lead to,
// which have only their tags: so the text ends.
func describe(t cc.Type, whole bool) string {
	if n := t.VectorSize(); n > 0 && t.Kind() != cc.Array {
		elem := names[t.Kind()]
		return fmt.Sprintf("vector(%d, %s)", n, elem)
	}
	switch x := t.(type) {
	case *cc.PointerType:
		return "pointer(" + describe(x.Elem(), false) + ")"
	case *cc.ArrayType:
		e := describe(x.Elem(), whole)
		switch {
		case e == VaList && x.Len() == 1:
			return VaList
		case x.Len() >= 0:
			return fmt.Sprintf("array(%d, %s)", x.Len(), e)
		case x.IsVLA():
			return "array(*, " + e + ")"
		}
		return "array(?, " + e + ")"
	case *cc.FunctionType:
		return function(x)
	case *cc.EnumType:
		tag := x.Tag()
		s := "enum " + tag.SrcStr()
		if u := x.UnderlyingType(); u != nil && !x.IsIncomplete() {
			s += ":" + names[u.Kind()]
		}
		return s
	case *cc.StructType:
		tag := x.Tag()
		return record("struct", tag.SrcStr(), x, whole)
	case *cc.UnionType:
		tag := x.Tag()
		return record("union", tag.SrcStr(), x, whole)
	}
	return names[t.Kind()]
}

func function(x *cc.FunctionType) string {
	var ps []string
	old := x.MaxArgs() < 0 && !x.IsVariadic()
	for _, p := range x.Parameters() {
		if t := p.Type(); t.Kind() != cc.Void {
			ps = append(ps, describe(t.Decay(), false))
		}
	}
	if x.IsVariadic() {
		ps = append(ps, "...")
	}
	if old {
		ps = []string{"?"}
	}
	return "function(" + strings.Join(ps, ", ") + ") " + describe(x.Result(), false)
}

// fielded is a struct or union.
type fielded interface {
	cc.Type
	NumFields() int
	FieldByIndex(i int) *cc.Field
}

func record(word, tag string, t fielded, whole bool) string {
	s := word + " " + tag
	if tag == "__va_list_tag" {
		return VaList
	}
	if !whole || t.IsIncomplete() {
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s{%d/%d", s, t.Size(), t.Align())
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		if f.IsBitfield() {
			if f.ValueBits() == 0 || f.Name() == "" {
				continue
			}
			fmt.Fprintf(&b, "; %s@bit %d:%d %s", f.Name(), f.Offset()*8+int64(f.OffsetBits()), f.ValueBits(), bitType(f.Type()))
			continue
		}
		fmt.Fprintf(&b, "; %s@%d %s", f.Name(), f.Offset(), describe(f.Type(), true))
	}
	return b.String() + "}"
}

func bitType(t cc.Type) string {
	if e, ok := t.(*cc.EnumType); ok {
		return describe(e, false)
	}
	return names[t.Kind()]
}

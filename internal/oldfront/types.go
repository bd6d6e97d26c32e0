package cfront

import (
	"strings"

	"comus/ir"

	"modernc.org/cc/v4"
)

// tkind is the kind of a ctype.
type tkind uint8

const (
	tVoid tkind = iota
	tInt
	tPtr
	tFunc
	tArray
	tStruct
	tMutex     // a pthread_mutex_t or pthread_spinlock_t
	tSem       // a sem_t
	tRWLock    // a pthread_rwlock_t
	tBarrier   // a pthread_barrier_t
	tOnce      // a pthread_once_t
	tMutexAttr // a pthread_mutexattr_t
	tOpaque    // a type whose content plays no role: pthread_cond_t, attributes
	tFloat     // a floating-point type, whose values comus does not know
	tBad       // not supported; why says what it is
)

// ctype is a C type as the lowering sees it.
type ctype struct {
	kind     tkind
	it       ir.Type // tInt
	elem     *ctype  // tArray
	n        int     // tArray: length, -1 if unknown
	length   *ir.Var // tArray: holds the length if n is only a bound of it
	fields   []field // tStruct
	why      string  // tBad
	size     int64   // bytes
	union    bool    // tStruct: all fields are the same scalar
	oneBit   bool    // an unsigned bit-field of one bit, which is no _Bool
	adjacent bool    // a bit-field beside another one: they are one memory location
	cells    int     // the number of scalars in it
}

type field struct {
	name string
	off  int64
	bit  int // of a bit-field, within its bytes
	cell int // the index of its first cell
	typ  *ctype
}

// isLibrary reports whether a type is one whose content only library functions
// touch.
func (k tkind) isLibrary() bool {
	switch k {
	case tMutex, tSem, tRWLock, tBarrier, tOnce, tMutexAttr, tOpaque:
		return true
	}
	return false
}

// opaqueTypes are the library types that are one cell, by typedef or tag.
var opaqueTypes = map[string]tkind{
	"pthread_mutex_t": tMutex, "__comus_mutex": tMutex, "pthread_spinlock_t": tMutex, "__comus_spin": tMutex,
	"pthread_cond_t": tOpaque, "__comus_cond": tOpaque, "pthread_attr_t": tOpaque, "__comus_attr": tOpaque,
	"pthread_mutexattr_t": tMutexAttr, "__comus_mutexattr": tMutexAttr, "pthread_condattr_t": tOpaque, "pthread_rwlock_t": tRWLock,
	"__comus_rwlock": tRWLock, "pthread_barrier_t": tBarrier, "__comus_barrier": tBarrier,
	"pthread_once_t": tOnce, "__comus_once": tOnce, "sem_t": tSem, "__comus_sem": tSem,
	"pthread_rwlockattr_t": tOpaque, "pthread_barrierattr_t": tOpaque,
}

// typeOf converts a type of cc. vla gives the length of a variable length array
// and may be nil.
func (b *lowerer) typeOf(t cc.Type, vla func(cc.ExpressionNode) (int, *ir.Var)) *ctype {
	if c, ok := b.types[t]; ok {
		return c
	}
	c := b.newType(t, vla)
	if vla == nil {
		b.types[t] = c
	}
	return c
}

func (b *lowerer) newType(t cc.Type, vla func(cc.ExpressionNode) (int, *ir.Var)) *ctype {
	if k := b.opaqueKind(t); k != tVoid {
		c := &ctype{kind: k, it: ir.Flag, cells: 1, size: t.Size()}
		switch k {
		case tMutex:
			c.it = mutexType
		case tSem, tRWLock, tBarrier, tOnce, tMutexAttr:
			c.it = intT
		}
		return c
	}
	bad := func(why string) *ctype { return &ctype{kind: tBad, why: why} }
	switch k := t.Kind(); k {
	case cc.Void:
		return &ctype{kind: tVoid, size: 1}
	case cc.Bool:
		return &ctype{kind: tInt, it: ir.Flag, cells: 1, size: 1}
	case cc.Char, cc.SChar, cc.Short, cc.Int, cc.Long, cc.LongLong, cc.Int128:
		return b.intType(t, true)
	case cc.UChar, cc.UShort, cc.UInt, cc.ULong, cc.ULongLong, cc.UInt128:
		return b.intType(t, false)
	case cc.Enum:
		if e, ok := t.(*cc.EnumType); ok && e.UnderlyingType() != nil {
			return b.intType(t, !unsignedEnum(e) && signedKind(e.UnderlyingType().Kind()))
		}
		return b.intType(t, true)
	case cc.Ptr:
		return &ctype{kind: tPtr, cells: 1, size: t.Size(), it: b.ptrInt}
	case cc.Function:
		return &ctype{kind: tFunc, size: 1}
	case cc.Array:
		return b.arrayType(t.(*cc.ArrayType), vla)
	case cc.Struct:
		return b.structType(t.(*cc.StructType))
	case cc.Union:
		return b.unionType(t.(*cc.UnionType))
	case cc.InvalidKind:
		return bad("expression of unknown type")
	default:
		if strings.Contains(t.String(), "omplex") {
			return bad("complex number")
		}
		return &ctype{kind: tFloat, it: ir.Flag, cells: 1, size: t.Size()} // a variable that is never used
	}
}

func (b *lowerer) intType(t cc.Type, signed bool) *ctype {
	return &ctype{kind: tInt, it: ir.Type{Bits: int(t.Size()) * 8, Signed: signed}, cells: 1, size: t.Size()}
}

// unsignedEnum reports whether gcc takes unsigned int for an enumeration for which cc
// takes int: no constant is negative. The constants themselves are ints, which is
// what cc has to know for its constant expressions.
func unsignedEnum(t cc.Type) bool {
	e, ok := t.(*cc.EnumType)
	return ok && len(e.Enumerators()) > 0 && e.UnderlyingType() != nil && e.UnderlyingType().Kind() == cc.Int && e.Min() >= 0
}

func signedKind(k cc.Kind) bool {
	switch k {
	case cc.Char, cc.SChar, cc.Short, cc.Int, cc.Long, cc.LongLong, cc.Int128:
		return true
	}
	return false
}

// opaqueKind recognises library types; tVoid means it is none.
func (b *lowerer) opaqueKind(t cc.Type) tkind {
	if s, ok := t.(*cc.StructType); ok {
		tag := s.Tag()
		if k, ok := opaqueTypes[tag.SrcStr()]; ok {
			return k
		}
	}
	if d := t.Typedef(); d != nil {
		if k, ok := opaqueTypes[d.Name()]; ok {
			return k
		}
	}
	if u, ok := t.(*cc.UnionType); ok && u.NumFields() > 1 { // glibc's own, under another typedef
		if d := u.FieldByName("__data"); d != nil && u.FieldByName("__align") != nil {
			if st, ok := d.Type().(*cc.StructType); ok && st.FieldByName("__owner") != nil {
				return tMutex
			}
			return tOpaque
		}
	}
	return tVoid
}

func (b *lowerer) arrayType(t *cc.ArrayType, vla func(cc.ExpressionNode) (int, *ir.Var)) *ctype {
	elem := b.typeOf(t.Elem(), vla)
	if elem.kind == tBad {
		return elem
	}
	n, length := int(t.Len()), (*ir.Var)(nil)
	if t.IsVLA() {
		if vla == nil {
			return &ctype{kind: tBad, why: "variable length array"}
		}
		n, length = vla(t.SizeExpression())
		if n < 0 {
			return &ctype{kind: tBad, why: "variable length array whose length is not known here"}
		}
	}
	if t.Len() > maxCells || n > maxCells || n > 0 && elem.cells*n > maxCells {
		return &ctype{kind: tBad, why: "array of more than 4096 elements"}
	}
	c := &ctype{kind: tArray, elem: elem, n: n, length: length, size: int64(n) * elem.size}
	if n > 0 {
		c.cells = n * elem.cells
	}
	return c
}

func (b *lowerer) structType(t *cc.StructType) *ctype {
	c := &ctype{kind: tStruct, size: t.Size()}
	if t.IsIncomplete() {
		return &ctype{kind: tBad, why: "incomplete struct"}
	}
	for i := 0; i < t.NumFields(); i++ {
		f := t.FieldByIndex(i)
		ft := b.typeOf(f.Type(), nil)
		switch {
		case f.IsFlexibleArrayMember():
			return &ctype{kind: tBad, why: "flexible array member"}
		case ft.kind == tBad:
			return ft
		}
		if f.Declarator() != nil && holdsStruct(ft) && b.src.atomics.declared(f.Declarator()) {
			return &ctype{kind: tBad, why: atomicStruct}
		}
		if f.IsBitfield() {
			if f.Name() == "" {
				continue // padding
			}
			beside := func(k int) bool {
				return k >= 0 && k < t.NumFields() && t.FieldByIndex(k).IsBitfield() && t.FieldByIndex(k).ValueBits() > 0
			}
			if ft = bitField(f, ft, beside(i-1) || beside(i+1)); ft.kind == tBad {
				return ft
			}
		}
		c.fields = append(c.fields, field{f.Name(), f.Offset(), f.OffsetBits(), c.cells, ft})
		c.cells += ft.cells
	}
	if c.cells > maxCells {
		return &ctype{kind: tBad, why: "struct of more than 4096 elements"}
	}
	return c
}

// promote returns the type of an operand after the integer promotions.
func promote(t ir.Type) ir.Type {
	if t.Bits < 32 {
		return intT
	}
	return t
}

// usual returns the type of the usual arithmetic conversions. Width and sign
// decide; two types of the same width differ in rank only.
func usual(a, b ir.Type) ir.Type {
	a, b = promote(a), promote(b)
	switch {
	case a.Bits > b.Bits:
		return a
	case b.Bits > a.Bits:
		return b
	case a.Signed:
		return b
	}
	return a
}

var (
	intT      = ir.Type{Bits: 32, Signed: true}
	mutexType = ir.Type{Bits: 16}
)

// maxCells bounds the scalars of one object.
const maxCells = 4096

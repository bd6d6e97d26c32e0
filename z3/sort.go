package z3

// #include "shim.h"
import "C"

import "runtime"

// Sort is the type of a term. The zero Sort is not valid; it is the result of
// a method that failed.
type Sort struct {
	_ [0]func() // use Equal, not ==
	n *node
}

// SortKind is the kind of a Sort.
type SortKind int

// The sort kinds that this package can build. Terms parsed from text may have
// sorts of other kinds.
const (
	SortInvalid       SortKind = iota // the zero Sort
	SortBool                          // truth values
	SortInt                           // mathematical integers
	SortBV                            // bit-vectors
	SortArray                         // arrays
	SortUninterpreted                 // uninterpreted sorts
	SortOther                         // everything else
)

// BoolSort returns the sort of truth values.
func (c *Context) BoolSort() Sort {
	if !c.open() {
		return Sort{}
	}
	return Sort{n: c.boolSort}
}

// IntSort returns the sort of mathematical integers.
func (c *Context) IntSort() Sort {
	if !c.open() {
		return Sort{}
	}
	return Sort{n: c.intSort}
}

// BVSort returns the sort of bit-vectors of the given width, which must not
// be 0.
func (c *Context) BVSort(bits uint) Sort {
	if !c.open() {
		return Sort{}
	}
	return Sort{n: c.node("BVSort", C.comus_mk_bv_sort(c.c, C.uint(bits)))}
}

// ArraySort returns the sort of arrays from domain to range.
func (c *Context) ArraySort(domain, rng Sort) Sort {
	const op = "ArraySort"
	if !c.open() || !c.owns(op, domain.n) || !c.owns(op, rng.n) {
		return Sort{}
	}
	n := c.node(op, C.comus_mk_array_sort(c.c, domain.n.ast, rng.n.ast))
	runtime.KeepAlive(domain)
	runtime.KeepAlive(rng)
	return Sort{n: n}
}

// UninterpretedSort returns the uninterpreted sort of the given name.
func (c *Context) UninterpretedSort(name string) Sort {
	if !c.open() {
		return Sort{}
	}
	return Sort{n: c.node("UninterpretedSort", withCString(name, func(s *C.char) C.Z3_ast {
		return C.comus_mk_uninterpreted_sort(c.c, s)
	}))}
}

// usable reports whether the node can be inspected.
func (n *node) usable() bool { return n != nil && n.ctx.open() }

// c returns the Z3 sort.
func (s Sort) c() C.Z3_sort { return C.comus_as_sort(s.n.ast) }

// IsValid reports whether s is not the zero Sort.
func (s Sort) IsValid() bool { return s.n != nil }

// Kind returns the kind of the sort.
func (s Sort) Kind() SortKind {
	if !s.n.usable() {
		return SortInvalid
	}
	defer runtime.KeepAlive(s.n)
	switch C.Z3_get_sort_kind(s.n.ctx.c, s.c()) {
	case C.Z3_BOOL_SORT:
		return SortBool
	case C.Z3_INT_SORT:
		return SortInt
	case C.Z3_BV_SORT:
		return SortBV
	case C.Z3_ARRAY_SORT:
		return SortArray
	case C.Z3_UNINTERPRETED_SORT:
		return SortUninterpreted
	}
	return SortOther
}

// Bits returns the width of a bit-vector sort, and 0 for other sorts.
func (s Sort) Bits() uint {
	if s.Kind() != SortBV {
		return 0
	}
	defer runtime.KeepAlive(s.n)
	return uint(C.Z3_get_bv_sort_size(s.n.ctx.c, s.c()))
}

// Domain returns the index sort of an array sort, and the zero Sort for other
// sorts.
func (s Sort) Domain() Sort {
	if s.Kind() != SortArray {
		return Sort{}
	}
	c := s.n.ctx
	n := c.node("Domain", C.comus_array_sort_domain(c.c, s.n.ast))
	runtime.KeepAlive(s.n)
	return Sort{n: n}
}

// Range returns the element sort of an array sort, and the zero Sort for
// other sorts.
func (s Sort) Range() Sort {
	if s.Kind() != SortArray {
		return Sort{}
	}
	c := s.n.ctx
	n := c.node("Range", C.comus_array_sort_range(c.c, s.n.ast))
	runtime.KeepAlive(s.n)
	return Sort{n: n}
}

// Equal reports whether both sorts are the same sort of the same context.
func (s Sort) Equal(t Sort) bool { return s.n.same(t.n) }

// String returns the sort in SMT-LIB syntax.
func (s Sort) String() string { return s.n.String() }

// same reports whether two nodes refer to the same Z3_ast. Z3 shares equal
// terms, so that this is structural equality.
func (n *node) same(m *node) bool {
	return n != nil && m != nil && n.ctx == m.ctx && n.ast == m.ast
}

// String returns the node in SMT-LIB syntax.
func (n *node) String() string {
	if !n.usable() {
		return "<invalid>"
	}
	defer runtime.KeepAlive(n)
	return C.GoString(C.Z3_ast_to_string(n.ctx.c, n.ast))
}

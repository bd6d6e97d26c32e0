package z3

// #include "shim.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// vector returns the elements of a new Z3 vector.
func (c *Context) vector(op string, v C.Z3_ast_vector) ([]Term, error) {
	o := c.object(op, C.COMUS_AST_VECTOR, unsafe.Pointer(v))
	if o == nil {
		return nil, c.err
	}
	terms := make([]Term, C.Z3_ast_vector_size(c.c, v))
	for i := range terms {
		ast := C.comus_take(c.c, C.Z3_ast_vector_get(c.c, v, C.uint(i)))
		terms[i] = Term{n: c.node(op, ast)}
	}
	runtime.KeepAlive(o)
	return terms, c.err
}

// newVector makes a Z3 vector of the terms; nil if a term is not usable.
func (c *Context) newVector(op string, ts []Term) *object {
	asts, ok := c.args(op, ts)
	if !ok {
		return nil
	}
	v := C.Z3_mk_ast_vector(c.c)
	o := c.object(op, C.COMUS_AST_VECTOR, unsafe.Pointer(v))
	if o == nil {
		return nil
	}
	for _, a := range asts {
		C.Z3_ast_vector_push(c.c, v, a)
	}
	runtime.KeepAlive(ts)
	return o
}

// parseEnv is the table of names known to the SMT-LIB parser.
type parseEnv struct {
	names     []C.Z3_symbol
	decls     []C.Z3_func_decl
	sortNames []C.Z3_symbol
	sorts     []C.Z3_sort
	seen      map[C.Z3_sort]bool
	alive     []Sort // keeps the sorts alive
}

// newParseEnv returns an empty table with room for n declarations.
func newParseEnv(n int) *parseEnv {
	return &parseEnv{
		names: make([]C.Z3_symbol, 0, n),
		decls: make([]C.Z3_func_decl, 0, n),
		seen:  make(map[C.Z3_sort]bool),
	}
}

// add makes a declaration and its uninterpreted sorts known.
func (e *parseEnv) add(c *Context, d FuncDecl) {
	e.names = append(e.names, C.Z3_get_decl_name(c.c, d.c()))
	e.decls = append(e.decls, d.c())
	for i := range d.Arity() {
		e.addSort(c, d.Domain(i))
	}
	e.addSort(c, d.Range())
}

// addSort makes an uninterpreted sort known, also if it is part of an array
// sort.
func (e *parseEnv) addSort(c *Context, s Sort) {
	switch s.Kind() {
	case SortArray:
		e.addSort(c, s.Domain())
		e.addSort(c, s.Range())
	case SortUninterpreted:
		if !e.seen[s.c()] {
			e.seen[s.c()] = true
			e.sortNames = append(e.sortNames, C.Z3_get_sort_name(c.c, s.c()))
			e.sorts = append(e.sorts, s.c())
			e.alive = append(e.alive, s)
		}
	}
}

// parse calls the parser.
func (e *parseEnv) parse(c *Context, text *C.char) C.Z3_ast_vector {
	defer runtime.KeepAlive(e.alive)
	return C.Z3_parse_smtlib2_string(c.c, text,
		C.uint(len(e.sorts)), unsafe.SliceData(e.sortNames), unsafe.SliceData(e.sorts),
		C.uint(len(e.decls)), unsafe.SliceData(e.names), unsafe.SliceData(e.decls))
}

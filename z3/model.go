package z3

// #include "shim.h"
import "C"

import (
	"errors"
	"runtime"
	"strconv"
	"unsafe"
)

// Model gives values to constants such that the formulas of a check hold.
type Model struct {
	ctx *Context
	o   *object
}

// newModel wraps a Z3 model.
func (c *Context) newModel(op string, m C.Z3_model) (*Model, error) {
	o := c.object(op, C.COMUS_MODEL, unsafe.Pointer(m))
	if o == nil {
		return nil, c.err
	}
	return &Model{c, o}, nil
}

// c returns the Z3 model.
func (m *Model) c() C.Z3_model { return C.Z3_model(m.o.ptr) }

// Eval returns the value of a term in the model. With completion, constants
// and functions that the model leaves open get some value, which Z3 adds to the
// model; the result is a literal then, as a rule. Without, they remain in the
// result.
func (m *Model) Eval(t Term, completion bool) (Term, error) {
	const op = "Eval"
	if m == nil {
		return Term{}, errNilModel
	}
	c := m.ctx
	if !m.ctx.use(m.o) || c.err != nil || !c.owns(op, t.n) {
		return Term{}, c.err
	}
	var value C.Z3_ast
	ok := C.Z3_model_eval(c.c, m.c(), t.n.ast, C.bool(completion), &value)
	runtime.KeepAlive(m.o)
	runtime.KeepAlive(t.n)
	if !ok {
		if err := c.z3Error(op); err != nil {
			return Term{}, err
		}
		return Term{}, errors.New("z3: Eval: the term cannot be evaluated")
	}
	n := c.node(op, C.comus_take(c.c, value))
	return Term{n: n}, c.err
}

// errNilModel is reported when a nil model is used.
var errNilModel = errors.Join(ErrInvalidOperand, errors.New("z3: nil model"))

// Consts returns the declarations of the constants that the model gives a
// value.
func (m *Model) Consts() []FuncDecl {
	const op = "Consts"
	if m == nil || !m.ctx.use(m.o) {
		return nil
	}
	c := m.ctx
	decls := make([]FuncDecl, C.Z3_model_get_num_consts(c.c, m.c()))
	for i := range decls {
		decls[i] = FuncDecl{n: c.node(op, C.comus_model_const(c.c, m.o.ptr, C.uint(i)))}
	}
	runtime.KeepAlive(m.o)
	return decls
}

// ConstInterp returns the value of a constant, and false if the model leaves
// it open.
func (m *Model) ConstInterp(decl FuncDecl) (Term, bool) {
	const op = "ConstInterp"
	if m == nil || !m.ctx.use(m.o) || !m.ctx.owns(op, decl.n) {
		return Term{}, false
	}
	c := m.ctx
	ast := C.comus_model_const_interp(c.c, m.o.ptr, decl.n.ast)
	runtime.KeepAlive(m.o)
	runtime.KeepAlive(decl.n)
	if ast == nil {
		c.check(op)
		return Term{}, false
	}
	return Term{n: c.node(op, ast)}, true
}

// String returns the model as text.
func (m *Model) String() string {
	if m == nil || !m.ctx.use(m.o) {
		return "<invalid>"
	}
	defer runtime.KeepAlive(m.o)
	return C.GoString(C.Z3_model_to_string(m.ctx.c, m.c()))
}

// Stat is one of Z3's statistical counters.
type Stat struct {
	Name  string
	Value float64
}

// String returns the counter as "name=value".
func (s Stat) String() string {
	return s.Name + "=" + strconv.FormatFloat(s.Value, 'g', -1, 64)
}

// stats reads a new Z3 statistics object.
func (c *Context) stats(s C.Z3_stats) []Stat {
	o := c.object("Statistics", C.COMUS_STATS, unsafe.Pointer(s))
	if o == nil {
		return nil
	}
	defer runtime.KeepAlive(o)
	list := make([]Stat, C.Z3_stats_size(c.c, s))
	for i := range list {
		idx := C.uint(i)
		list[i].Name = C.GoString(C.Z3_stats_get_key(c.c, s, idx))
		if C.Z3_stats_is_uint(c.c, s, idx) {
			list[i].Value = float64(C.Z3_stats_get_uint_value(c.c, s, idx))
		} else {
			list[i].Value = float64(C.Z3_stats_get_double_value(c.c, s, idx))
		}
	}
	return list
}

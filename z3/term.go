package z3

// #include "shim.h"
import "C"

import (
	"fmt"
	"math/big"
	"runtime"
)

// Term is an expression: a formula, number, bit-vector, array and so on. The
// zero Term is not valid; it is the result of a builder that failed.
//
// Terms cannot be compared with == or used as map keys, since two Terms may
// refer to the same expression; use Equal, or ID as map key.
type Term struct {
	_ [0]func() // use Equal, not ==
	n *node
}

// TermKind is the syntactic kind of a Term.
type TermKind int

// The kinds of terms.
const (
	KindInvalid    TermKind = iota // the zero Term
	KindNumeral                    // numeral
	KindApp                        // application of a function, or a constant
	KindVar                        // variable bound by an enclosing quantifier
	KindQuantifier                 // quantifier (or lambda)
)

// IsValid reports whether t is not the zero Term.
func (t Term) IsValid() bool { return t.n != nil }

// Context returns the context that t belongs to, and nil for the zero Term.
func (t Term) Context() *Context {
	if t.n == nil {
		return nil
	}
	return t.n.ctx
}

// Kind returns the syntactic kind of the term.
func (t Term) Kind() TermKind {
	if !t.n.usable() {
		return KindInvalid
	}
	defer runtime.KeepAlive(t.n)
	switch C.Z3_get_ast_kind(t.n.ctx.c, t.n.ast) {
	case C.Z3_NUMERAL_AST:
		return KindNumeral
	case C.Z3_APP_AST:
		return KindApp
	case C.Z3_VAR_AST:
		return KindVar
	case C.Z3_QUANTIFIER_AST:
		return KindQuantifier
	}
	return KindInvalid
}

// isApp reports whether the term has a function declaration and arguments,
// which includes numerals and constants.
func (t Term) isApp() bool {
	if !t.n.usable() {
		return false
	}
	defer runtime.KeepAlive(t.n)
	return bool(C.Z3_is_app(t.n.ctx.c, t.n.ast))
}

// Op returns what the applied function means to Z3, such as OpAdd, and
// OpInvalid for variables, quantifiers and the zero Term.
func (t Term) Op() DeclKind {
	if !t.isApp() {
		return OpInvalid
	}
	defer runtime.KeepAlive(t.n)
	c := t.n.ctx.c
	return declKind(C.Z3_get_decl_kind(c, C.Z3_get_app_decl(c, C.comus_as_app(t.n.ast))))
}

// Decl returns the applied function, and the zero FuncDecl for variables and
// quantifiers.
func (t Term) Decl() FuncDecl {
	if !t.isApp() {
		return FuncDecl{}
	}
	c := t.n.ctx
	n := c.node("Decl", C.comus_app_decl(c.c, t.n.ast))
	runtime.KeepAlive(t.n)
	return FuncDecl{n: n}
}

// DeclName returns the name of the applied function, and "" for variables and
// quantifiers. For a constant it is the name of the constant.
func (t Term) DeclName() string {
	if !t.isApp() {
		return ""
	}
	defer runtime.KeepAlive(t.n)
	c := t.n.ctx
	return c.symbol(C.Z3_get_decl_name(c.c, C.Z3_get_app_decl(c.c, C.comus_as_app(t.n.ast))))
}

// IsConst reports whether the term is an uninterpreted constant, such as one
// made by Context.Const. Its name is DeclName.
func (t Term) IsConst() bool { return t.Op() == OpUninterpreted && t.NumArgs() == 0 }

// NumArgs returns the number of arguments of an application, and 0 for other
// terms.
func (t Term) NumArgs() int {
	if !t.isApp() {
		return 0
	}
	defer runtime.KeepAlive(t.n)
	return int(C.Z3_get_app_num_args(t.n.ctx.c, C.comus_as_app(t.n.ast)))
}

// Arg returns the argument with index i. An index out of range is recorded as
// an error in the context.
func (t Term) Arg(i int) Term {
	const op = "Arg"
	if !t.n.usable() || !t.n.ctx.inRange(op, i, t.NumArgs()) {
		return Term{}
	}
	c := t.n.ctx
	n := c.node(op, C.comus_app_arg(c.c, t.n.ast, C.uint(i)))
	runtime.KeepAlive(t.n)
	return Term{n: n}
}

// Args returns all arguments of an application, and nil for other terms.
func (t Term) Args() []Term {
	n := t.NumArgs()
	if n == 0 {
		return nil
	}
	args := make([]Term, n)
	for i := range args {
		args[i] = t.Arg(i)
	}
	return args
}

// inRange reports whether 0 <= i < n, recording an error for op if not.
func (c *Context) inRange(op string, i, n int) bool {
	if i < 0 || i >= n {
		c.fail(fmt.Errorf("z3: %s: index %d out of range [0,%d)", op, i, n))
		return false
	}
	return true
}

// Sort returns the sort of the term.
func (t Term) Sort() Sort {
	if !t.n.usable() {
		return Sort{}
	}
	c := t.n.ctx
	n := c.node("Term.Sort", C.comus_sort(c.c, t.n.ast))
	runtime.KeepAlive(t.n)
	return Sort{n: n}
}

// IsTrue reports whether the term is the literal true.
func (t Term) IsTrue() bool { return t.Op() == OpTrue }

// IsFalse reports whether the term is the literal false.
func (t Term) IsFalse() bool { return t.Op() == OpFalse }

// IsNumeral reports whether the term is a numeral, for example an integer or
// a bit-vector literal.
func (t Term) IsNumeral() bool { return t.Kind() == KindNumeral }

// BigInt returns the value of an integer numeral, or the unsigned value of a
// bit-vector numeral. It reports false for all other terms, including negated
// numerals that have not been simplified.
func (t Term) BigInt() (*big.Int, bool) {
	if !t.IsNumeral() {
		return nil, false
	}
	defer runtime.KeepAlive(t.n)
	digits := C.GoString(C.Z3_get_numeral_string(t.n.ctx.c, t.n.ast))
	return new(big.Int).SetString(digits, 10)
}

// Int64 returns the value like BigInt, if it fits an int64.
func (t Term) Int64() (int64, bool) {
	v, ok := t.BigInt()
	if !ok || !v.IsInt64() {
		return 0, false
	}
	return v.Int64(), true
}

// VarIndex returns the de Bruijn index of a bound variable: 0 is the variable
// bound last by the innermost quantifier. It reports false for other terms.
func (t Term) VarIndex() (int, bool) {
	if t.Kind() != KindVar {
		return 0, false
	}
	defer runtime.KeepAlive(t.n)
	return int(C.Z3_get_index_value(t.n.ctx.c, t.n.ast)), true
}

// IsForall reports whether the term is a universal quantifier.
func (t Term) IsForall() bool {
	if t.Kind() != KindQuantifier {
		return false
	}
	defer runtime.KeepAlive(t.n)
	return bool(C.Z3_is_quantifier_forall(t.n.ctx.c, t.n.ast))
}

// IsExists reports whether the term is an existential quantifier.
func (t Term) IsExists() bool {
	if t.Kind() != KindQuantifier {
		return false
	}
	defer runtime.KeepAlive(t.n)
	return bool(C.Z3_is_quantifier_exists(t.n.ctx.c, t.n.ast))
}

// Bound returns the sorts of the variables that a quantifier binds, in the
// order in which they are written: the last one has de Bruijn index 0. It
// returns nil for other terms.
func (t Term) Bound() []Sort {
	if t.Kind() != KindQuantifier {
		return nil
	}
	defer runtime.KeepAlive(t.n)
	c := t.n.ctx
	sorts := make([]Sort, C.Z3_get_quantifier_num_bound(c.c, t.n.ast))
	for i := range sorts {
		sorts[i] = Sort{n: c.node("Bound", C.comus_quantifier_sort(c.c, t.n.ast, C.uint(i)))}
	}
	return sorts
}

// Body returns the body of a quantifier, in which its variables occur as terms
// of KindVar (see SubstituteVars). It returns the zero Term for other terms.
func (t Term) Body() Term {
	if t.Kind() != KindQuantifier {
		return Term{}
	}
	c := t.n.ctx
	n := c.node("Body", C.comus_quantifier_body(c.c, t.n.ast))
	runtime.KeepAlive(t.n)
	return Term{n: n}
}

// Equal reports whether both are the same expression of the same context. This
// is syntactical: x+y and y+x differ. The formula that two terms have the same
// value is Context.Eq.
func (t Term) Equal(u Term) bool { return t.n.same(u.n) }

// Hash returns a hash value of the structure of the term. Equal terms have
// equal hash values.
func (t Term) Hash() uint32 {
	if !t.n.usable() {
		return 0
	}
	defer runtime.KeepAlive(t.n)
	return uint32(C.Z3_get_ast_hash(t.n.ctx.c, t.n.ast))
}

// ID returns a number that identifies the term among all terms that are alive
// in the context: t.ID() == u.ID() means t.Equal(u). It may be given to another
// term when no Term refers to t any more.
func (t Term) ID() uint32 { return t.n.id() }

// id returns Z3's number of the node.
func (n *node) id() uint32 {
	if !n.usable() {
		return 0
	}
	defer runtime.KeepAlive(n)
	return uint32(C.Z3_get_ast_id(n.ctx.c, n.ast))
}

// String returns the term in SMT-LIB syntax. Shared subterms are written once,
// with let.
func (t Term) String() string { return t.n.String() }

// C side of package comus/z3. Every function that returns a Z3_ast returns it
// with its reference count already incremented, or NULL when Z3 reported an
// error (see Z3_get_error_code) or, where noted, when there is no result.
#ifndef COMUS_Z3_SHIM_H
#define COMUS_Z3_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <z3.h>
#include <z3_spacer.h>
#if __has_include(<z3_version.h>)
#include <z3_version.h>
#endif

// Z3 4.14.1 gave the signed conversion of bit-vectors to integers an operator
// of its own; before that it is expressed by other operators.
#if defined(Z3_MAJOR_VERSION) && \
    Z3_MAJOR_VERSION * 1000000 + Z3_MINOR_VERSION * 1000 + Z3_BUILD_NUMBER >= 4014001
#define COMUS_OP_SBV2INT Z3_OP_SBV2INT
#else
#define COMUS_OP_SBV2INT 0
#endif

enum comus_unary {
    COMUS_NOT, COMUS_NEG, COMUS_BVNOT, COMUS_BVNEG
};

enum comus_binary {
    COMUS_IMPLIES, COMUS_IFF, COMUS_XOR, COMUS_EQ,
    COMUS_DIV, COMUS_MOD, COMUS_REM,
    COMUS_LE, COMUS_LT, COMUS_GE, COMUS_GT,
    COMUS_BVADD, COMUS_BVSUB, COMUS_BVMUL, COMUS_BVUDIV, COMUS_BVSDIV,
    COMUS_BVUREM, COMUS_BVSREM, COMUS_BVSMOD,
    COMUS_BVAND, COMUS_BVOR, COMUS_BVXOR,
    COMUS_BVSHL, COMUS_BVLSHR, COMUS_BVASHR,
    COMUS_BVULT, COMUS_BVULE, COMUS_BVUGT, COMUS_BVUGE,
    COMUS_BVSLT, COMUS_BVSLE, COMUS_BVSGT, COMUS_BVSGE,
    COMUS_CONCAT, COMUS_SELECT
};

enum comus_nary {
    COMUS_AND, COMUS_OR, COMUS_DISTINCT, COMUS_ADD, COMUS_SUB, COMUS_MUL
};

enum comus_indexed {
    COMUS_ZERO_EXT, COMUS_SIGN_EXT, COMUS_INT2BV
};

enum comus_object {
    COMUS_SOLVER, COMUS_MODEL, COMUS_PARAMS, COMUS_TACTIC, COMUS_GOAL,
    COMUS_APPLY_RESULT, COMUS_FIXEDPOINT, COMUS_STATS, COMUS_AST_VECTOR,
    COMUS_PARAM_DESCRS
};

// Context life cycle.
Z3_context comus_new_context(Z3_string timeout, Z3_string rlimit);
void comus_clear_cancel(Z3_context c);

// Reference counts.
Z3_ast comus_take(Z3_context c, Z3_ast a);
void comus_release_asts(Z3_context c, size_t n, Z3_ast const *asts);
void comus_object_inc_ref(Z3_context c, int kind, void *p);
void comus_object_dec_ref(Z3_context c, int kind, void *p);

// Sorts and declarations.
Z3_ast comus_mk_bool_sort(Z3_context c);
Z3_ast comus_mk_int_sort(Z3_context c);
Z3_ast comus_mk_bv_sort(Z3_context c, unsigned bits);
Z3_ast comus_mk_array_sort(Z3_context c, Z3_ast domain, Z3_ast range);
Z3_ast comus_mk_uninterpreted_sort(Z3_context c, Z3_string name);
Z3_ast comus_mk_func_decl(Z3_context c, Z3_string name, unsigned n,
                          Z3_ast const *domain, Z3_ast range);
Z3_ast comus_mk_fresh_func_decl(Z3_context c, Z3_string prefix, unsigned n,
                                Z3_ast const *domain, Z3_ast range);

// Terms.
Z3_ast comus_mk_const(Z3_context c, Z3_string name, Z3_ast sort);
Z3_ast comus_mk_fresh_const(Z3_context c, Z3_string prefix, Z3_ast sort);
Z3_ast comus_mk_bool(Z3_context c, int value);
Z3_ast comus_mk_int64(Z3_context c, int64_t value, Z3_ast sort);
Z3_ast comus_mk_uint64(Z3_context c, uint64_t value, Z3_ast sort);
Z3_ast comus_mk_numeral(Z3_context c, Z3_string digits, Z3_ast sort);
Z3_ast comus_mk_app(Z3_context c, Z3_ast decl, unsigned n, Z3_ast const *args);
Z3_ast comus_mk_unary(Z3_context c, int op, Z3_ast a);
Z3_ast comus_mk_binary(Z3_context c, int op, Z3_ast a, Z3_ast b);
Z3_ast comus_mk_nary(Z3_context c, int op, unsigned n, Z3_ast const *args);
Z3_ast comus_mk_indexed(Z3_context c, int op, unsigned n, Z3_ast a);
Z3_ast comus_mk_ite(Z3_context c, Z3_ast cond, Z3_ast a, Z3_ast b);
Z3_ast comus_mk_extract(Z3_context c, unsigned high, unsigned low, Z3_ast a);
Z3_ast comus_mk_bv2int(Z3_context c, Z3_ast a, int is_signed);
Z3_ast comus_mk_store(Z3_context c, Z3_ast a, Z3_ast i, Z3_ast v);
Z3_ast comus_mk_const_array(Z3_context c, Z3_ast domain, Z3_ast v);
Z3_ast comus_mk_quantifier(Z3_context c, int is_forall, unsigned n,
                           Z3_ast const *consts, Z3_ast body);

// Views of a Z3_ast and access to its parts.
Z3_sort comus_as_sort(Z3_ast a);
Z3_func_decl comus_as_func_decl(Z3_ast a);
Z3_app comus_as_app(Z3_ast a);
Z3_ast comus_array_sort_domain(Z3_context c, Z3_ast sort);
Z3_ast comus_array_sort_range(Z3_context c, Z3_ast sort);
Z3_ast comus_domain(Z3_context c, Z3_ast decl, unsigned i);
Z3_ast comus_range(Z3_context c, Z3_ast decl);
Z3_ast comus_sort(Z3_context c, Z3_ast a);
Z3_ast comus_app_decl(Z3_context c, Z3_ast a);
Z3_ast comus_app_arg(Z3_context c, Z3_ast a, unsigned i);
Z3_ast comus_quantifier_body(Z3_context c, Z3_ast a);
Z3_ast comus_quantifier_sort(Z3_context c, Z3_ast a, unsigned i);
Z3_ast comus_substitute(Z3_context c, Z3_ast a, unsigned n,
                        Z3_ast const *from, Z3_ast const *to);
Z3_ast comus_substitute_vars(Z3_context c, Z3_ast a, unsigned n, Z3_ast const *to);
Z3_ast comus_simplify(Z3_context c, Z3_ast a, void *params);

// Models. comus_model_const_interp returns NULL if there is no interpretation.
Z3_ast comus_model_const(Z3_context c, void *m, unsigned i);
Z3_ast comus_model_const_interp(Z3_context c, void *m, Z3_ast decl);

// Elimination of constants.
Z3_ast comus_model_project(Z3_context c, void *m, unsigned n, Z3_ast const *vars, Z3_ast body);
Z3_ast comus_qe_lite(Z3_context c, void *vars, Z3_ast body);

#endif

#include "shim.h"

// ---------------------------------------------------------------------------
// Context life cycle

// Z3's default handler prints and calls exit. Errors are read back through
// Z3_get_error_code instead.
static void ignore_error(Z3_context c, Z3_error_code e) {
    (void)c;
    (void)e;
}

Z3_context comus_new_context(Z3_string timeout, Z3_string rlimit) {
    Z3_config cfg = Z3_mk_config();
    if (timeout) Z3_set_param_value(cfg, "timeout", timeout);
    if (rlimit) Z3_set_param_value(cfg, "rlimit", rlimit);
    Z3_context c = Z3_mk_context_rc(cfg);
    Z3_del_config(cfg);
    if (!c) return NULL;
    Z3_set_error_handler(c, ignore_error);
    // The default print mode expands shared subterms, which is exponential.
    Z3_set_ast_print_mode(c, Z3_PRINT_SMTLIB2_COMPLIANT);
    return c;
}

// An interrupt that arrives outside the part of a Z3 call that listens for it
// leaves the cancel flag of the context's resource limit set. A solver check
// opens and closes a resource limit scope, and that clears the flag.
void comus_clear_cancel(Z3_context c) {
    Z3_solver s = Z3_mk_simple_solver(c);
    if (!s) return;
    Z3_solver_inc_ref(c, s);
    Z3_params p = Z3_mk_params(c);
    if (p) { // see keepSignals
        Z3_params_inc_ref(c, p);
        Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), false);
        Z3_solver_set_params(c, s, p);
        Z3_params_dec_ref(c, p);
    }
    Z3_solver_check(c, s);
    Z3_solver_dec_ref(c, s);
}

// ---------------------------------------------------------------------------
// Reference counts

Z3_ast comus_take(Z3_context c, Z3_ast a) {
    if (!a || Z3_get_error_code(c) != Z3_OK) return NULL;
    Z3_inc_ref(c, a);
    return a;
}

void comus_release_asts(Z3_context c, size_t n, Z3_ast const *asts) {
    for (size_t i = 0; i < n; i++) Z3_dec_ref(c, asts[i]);
}

void comus_object_inc_ref(Z3_context c, int kind, void *p) {
    switch (kind) {
    case COMUS_SOLVER: Z3_solver_inc_ref(c, p); break;
    case COMUS_MODEL: Z3_model_inc_ref(c, p); break;
    case COMUS_PARAMS: Z3_params_inc_ref(c, p); break;
    case COMUS_TACTIC: Z3_tactic_inc_ref(c, p); break;
    case COMUS_GOAL: Z3_goal_inc_ref(c, p); break;
    case COMUS_APPLY_RESULT: Z3_apply_result_inc_ref(c, p); break;
    case COMUS_FIXEDPOINT: Z3_fixedpoint_inc_ref(c, p); break;
    case COMUS_STATS: Z3_stats_inc_ref(c, p); break;
    case COMUS_AST_VECTOR: Z3_ast_vector_inc_ref(c, p); break;
    case COMUS_PARAM_DESCRS: Z3_param_descrs_inc_ref(c, p); break;
    }
}

void comus_object_dec_ref(Z3_context c, int kind, void *p) {
    switch (kind) {
    case COMUS_SOLVER: Z3_solver_dec_ref(c, p); break;
    case COMUS_MODEL: Z3_model_dec_ref(c, p); break;
    case COMUS_PARAMS: Z3_params_dec_ref(c, p); break;
    case COMUS_TACTIC: Z3_tactic_dec_ref(c, p); break;
    case COMUS_GOAL: Z3_goal_dec_ref(c, p); break;
    case COMUS_APPLY_RESULT: Z3_apply_result_dec_ref(c, p); break;
    case COMUS_FIXEDPOINT: Z3_fixedpoint_dec_ref(c, p); break;
    case COMUS_STATS: Z3_stats_dec_ref(c, p); break;
    case COMUS_AST_VECTOR: Z3_ast_vector_dec_ref(c, p); break;
    case COMUS_PARAM_DESCRS: Z3_param_descrs_dec_ref(c, p); break;
    }
}

// ---------------------------------------------------------------------------
// Sorts and declarations

Z3_ast comus_mk_bool_sort(Z3_context c) {
    return comus_take(c, (Z3_ast)Z3_mk_bool_sort(c));
}

Z3_ast comus_mk_int_sort(Z3_context c) {
    return comus_take(c, (Z3_ast)Z3_mk_int_sort(c));
}

Z3_ast comus_mk_bv_sort(Z3_context c, unsigned bits) {
    return comus_take(c, (Z3_ast)Z3_mk_bv_sort(c, bits));
}

Z3_ast comus_mk_array_sort(Z3_context c, Z3_ast domain, Z3_ast range) {
    return comus_take(c, (Z3_ast)Z3_mk_array_sort(c, (Z3_sort)domain, (Z3_sort)range));
}

Z3_ast comus_mk_uninterpreted_sort(Z3_context c, Z3_string name) {
    Z3_symbol s = Z3_mk_string_symbol(c, name);
    return comus_take(c, (Z3_ast)Z3_mk_uninterpreted_sort(c, s));
}

Z3_ast comus_mk_func_decl(Z3_context c, Z3_string name, unsigned n,
                          Z3_ast const *domain, Z3_ast range) {
    Z3_symbol s = Z3_mk_string_symbol(c, name);
    return comus_take(c, (Z3_ast)Z3_mk_func_decl(c, s, n, (Z3_sort const *)domain,
                                                 (Z3_sort)range));
}

Z3_ast comus_mk_fresh_func_decl(Z3_context c, Z3_string prefix, unsigned n,
                                Z3_ast const *domain, Z3_ast range) {
    return comus_take(c, (Z3_ast)Z3_mk_fresh_func_decl(c, prefix, n, (Z3_sort const *)domain,
                                                       (Z3_sort)range));
}

// ---------------------------------------------------------------------------
// Terms

Z3_ast comus_mk_const(Z3_context c, Z3_string name, Z3_ast sort) {
    Z3_symbol s = Z3_mk_string_symbol(c, name);
    return comus_take(c, Z3_mk_const(c, s, (Z3_sort)sort));
}

Z3_ast comus_mk_fresh_const(Z3_context c, Z3_string prefix, Z3_ast sort) {
    return comus_take(c, Z3_mk_fresh_const(c, prefix, (Z3_sort)sort));
}

Z3_ast comus_mk_bool(Z3_context c, int value) {
    return comus_take(c, value ? Z3_mk_true(c) : Z3_mk_false(c));
}

Z3_ast comus_mk_int64(Z3_context c, int64_t value, Z3_ast sort) {
    return comus_take(c, Z3_mk_int64(c, value, (Z3_sort)sort));
}

Z3_ast comus_mk_uint64(Z3_context c, uint64_t value, Z3_ast sort) {
    return comus_take(c, Z3_mk_unsigned_int64(c, value, (Z3_sort)sort));
}

Z3_ast comus_mk_numeral(Z3_context c, Z3_string digits, Z3_ast sort) {
    return comus_take(c, Z3_mk_numeral(c, digits, (Z3_sort)sort));
}

Z3_ast comus_mk_app(Z3_context c, Z3_ast decl, unsigned n, Z3_ast const *args) {
    return comus_take(c, Z3_mk_app(c, (Z3_func_decl)decl, n, args));
}

static Z3_ast mk_unary(Z3_context c, int op, Z3_ast a) {
    switch (op) {
    case COMUS_NOT: return Z3_mk_not(c, a);
    case COMUS_NEG: return Z3_mk_unary_minus(c, a);
    case COMUS_BVNOT: return Z3_mk_bvnot(c, a);
    case COMUS_BVNEG: return Z3_mk_bvneg(c, a);
    }
    return NULL;
}

Z3_ast comus_mk_unary(Z3_context c, int op, Z3_ast a) {
    return comus_take(c, mk_unary(c, op, a));
}

static Z3_ast mk_bv_binary(Z3_context c, int op, Z3_ast a, Z3_ast b) {
    switch (op) {
    case COMUS_BVADD: return Z3_mk_bvadd(c, a, b);
    case COMUS_BVSUB: return Z3_mk_bvsub(c, a, b);
    case COMUS_BVMUL: return Z3_mk_bvmul(c, a, b);
    case COMUS_BVUDIV: return Z3_mk_bvudiv(c, a, b);
    case COMUS_BVSDIV: return Z3_mk_bvsdiv(c, a, b);
    case COMUS_BVUREM: return Z3_mk_bvurem(c, a, b);
    case COMUS_BVSREM: return Z3_mk_bvsrem(c, a, b);
    case COMUS_BVSMOD: return Z3_mk_bvsmod(c, a, b);
    case COMUS_BVAND: return Z3_mk_bvand(c, a, b);
    case COMUS_BVOR: return Z3_mk_bvor(c, a, b);
    case COMUS_BVXOR: return Z3_mk_bvxor(c, a, b);
    case COMUS_BVSHL: return Z3_mk_bvshl(c, a, b);
    case COMUS_BVLSHR: return Z3_mk_bvlshr(c, a, b);
    case COMUS_BVASHR: return Z3_mk_bvashr(c, a, b);
    case COMUS_BVULT: return Z3_mk_bvult(c, a, b);
    case COMUS_BVULE: return Z3_mk_bvule(c, a, b);
    case COMUS_BVUGT: return Z3_mk_bvugt(c, a, b);
    case COMUS_BVUGE: return Z3_mk_bvuge(c, a, b);
    case COMUS_BVSLT: return Z3_mk_bvslt(c, a, b);
    case COMUS_BVSLE: return Z3_mk_bvsle(c, a, b);
    case COMUS_BVSGT: return Z3_mk_bvsgt(c, a, b);
    case COMUS_BVSGE: return Z3_mk_bvsge(c, a, b);
    case COMUS_CONCAT: return Z3_mk_concat(c, a, b);
    }
    return NULL;
}

static Z3_ast mk_binary(Z3_context c, int op, Z3_ast a, Z3_ast b) {
    switch (op) {
    case COMUS_IMPLIES: return Z3_mk_implies(c, a, b);
    case COMUS_IFF: return Z3_mk_iff(c, a, b);
    case COMUS_XOR: return Z3_mk_xor(c, a, b);
    case COMUS_EQ: return Z3_mk_eq(c, a, b);
    case COMUS_DIV: return Z3_mk_div(c, a, b);
    case COMUS_MOD: return Z3_mk_mod(c, a, b);
    case COMUS_REM: return Z3_mk_rem(c, a, b);
    case COMUS_LE: return Z3_mk_le(c, a, b);
    case COMUS_LT: return Z3_mk_lt(c, a, b);
    case COMUS_GE: return Z3_mk_ge(c, a, b);
    case COMUS_GT: return Z3_mk_gt(c, a, b);
    case COMUS_SELECT: return Z3_mk_select(c, a, b);
    default: return mk_bv_binary(c, op, a, b);
    }
}

Z3_ast comus_mk_binary(Z3_context c, int op, Z3_ast a, Z3_ast b) {
    return comus_take(c, mk_binary(c, op, a, b));
}

static Z3_ast mk_nary(Z3_context c, int op, unsigned n, Z3_ast const *args) {
    switch (op) {
    case COMUS_AND: return Z3_mk_and(c, n, args);
    case COMUS_OR: return Z3_mk_or(c, n, args);
    case COMUS_DISTINCT: return Z3_mk_distinct(c, n, args);
    case COMUS_ADD: return Z3_mk_add(c, n, args);
    case COMUS_SUB: return Z3_mk_sub(c, n, args);
    case COMUS_MUL: return Z3_mk_mul(c, n, args);
    }
    return NULL;
}

Z3_ast comus_mk_nary(Z3_context c, int op, unsigned n, Z3_ast const *args) {
    return comus_take(c, mk_nary(c, op, n, args));
}

static Z3_ast mk_indexed(Z3_context c, int op, unsigned n, Z3_ast a) {
    switch (op) {
    case COMUS_ZERO_EXT: return Z3_mk_zero_ext(c, n, a);
    case COMUS_SIGN_EXT: return Z3_mk_sign_ext(c, n, a);
    case COMUS_INT2BV: return Z3_mk_int2bv(c, n, a);
    }
    return NULL;
}

Z3_ast comus_mk_indexed(Z3_context c, int op, unsigned n, Z3_ast a) {
    return comus_take(c, mk_indexed(c, op, n, a));
}

Z3_ast comus_mk_ite(Z3_context c, Z3_ast cond, Z3_ast a, Z3_ast b) {
    return comus_take(c, Z3_mk_ite(c, cond, a, b));
}

Z3_ast comus_mk_extract(Z3_context c, unsigned high, unsigned low, Z3_ast a) {
    return comus_take(c, Z3_mk_extract(c, high, low, a));
}

Z3_ast comus_mk_bv2int(Z3_context c, Z3_ast a, int is_signed) {
    return comus_take(c, Z3_mk_bv2int(c, a, is_signed != 0));
}

Z3_ast comus_mk_store(Z3_context c, Z3_ast a, Z3_ast i, Z3_ast v) {
    return comus_take(c, Z3_mk_store(c, a, i, v));
}

Z3_ast comus_mk_const_array(Z3_context c, Z3_ast domain, Z3_ast v) {
    return comus_take(c, Z3_mk_const_array(c, (Z3_sort)domain, v));
}

// Z3_app and Z3_ast are two views of the same pointer (Z3_app_to_ast).
Z3_ast comus_mk_quantifier(Z3_context c, int is_forall, unsigned n,
                           Z3_ast const *consts, Z3_ast body) {
    Z3_app const *bound = (Z3_app const *)consts;
    return comus_take(c, is_forall
                             ? Z3_mk_forall_const(c, 0, n, bound, 0, NULL, body)
                             : Z3_mk_exists_const(c, 0, n, bound, 0, NULL, body));
}

// ---------------------------------------------------------------------------
// Views of a Z3_ast and access to its parts

Z3_sort comus_as_sort(Z3_ast a) { return (Z3_sort)a; }
Z3_func_decl comus_as_func_decl(Z3_ast a) { return (Z3_func_decl)a; }
Z3_app comus_as_app(Z3_ast a) { return (Z3_app)a; }

Z3_ast comus_array_sort_domain(Z3_context c, Z3_ast sort) {
    return comus_take(c, (Z3_ast)Z3_get_array_sort_domain(c, (Z3_sort)sort));
}

Z3_ast comus_array_sort_range(Z3_context c, Z3_ast sort) {
    return comus_take(c, (Z3_ast)Z3_get_array_sort_range(c, (Z3_sort)sort));
}

Z3_ast comus_domain(Z3_context c, Z3_ast decl, unsigned i) {
    return comus_take(c, (Z3_ast)Z3_get_domain(c, (Z3_func_decl)decl, i));
}

Z3_ast comus_range(Z3_context c, Z3_ast decl) {
    return comus_take(c, (Z3_ast)Z3_get_range(c, (Z3_func_decl)decl));
}

Z3_ast comus_sort(Z3_context c, Z3_ast a) {
    return comus_take(c, (Z3_ast)Z3_get_sort(c, a));
}

Z3_ast comus_app_decl(Z3_context c, Z3_ast a) {
    return comus_take(c, (Z3_ast)Z3_get_app_decl(c, (Z3_app)a));
}

Z3_ast comus_app_arg(Z3_context c, Z3_ast a, unsigned i) {
    return comus_take(c, Z3_get_app_arg(c, (Z3_app)a, i));
}

Z3_ast comus_quantifier_body(Z3_context c, Z3_ast a) {
    return comus_take(c, Z3_get_quantifier_body(c, a));
}

Z3_ast comus_quantifier_sort(Z3_context c, Z3_ast a, unsigned i) {
    return comus_take(c, (Z3_ast)Z3_get_quantifier_bound_sort(c, a, i));
}

Z3_ast comus_substitute(Z3_context c, Z3_ast a, unsigned n,
                        Z3_ast const *from, Z3_ast const *to) {
    return comus_take(c, Z3_substitute(c, a, n, from, to));
}

Z3_ast comus_substitute_vars(Z3_context c, Z3_ast a, unsigned n, Z3_ast const *to) {
    return comus_take(c, Z3_substitute_vars(c, a, n, to));
}

Z3_ast comus_simplify(Z3_context c, Z3_ast a, void *params) {
    return comus_take(c, params ? Z3_simplify_ex(c, a, params) : Z3_simplify(c, a));
}

// ---------------------------------------------------------------------------
// Models

Z3_ast comus_model_const(Z3_context c, void *m, unsigned i) {
    return comus_take(c, (Z3_ast)Z3_model_get_const_decl(c, m, i));
}

Z3_ast comus_model_const_interp(Z3_context c, void *m, Z3_ast decl) {
    return comus_take(c, Z3_model_get_const_interp(c, m, (Z3_func_decl)decl));
}

// ---------------------------------------------------------------------------
// Elimination of constants

Z3_ast comus_model_project(Z3_context c, void *m, unsigned n, Z3_ast const *vars, Z3_ast body) {
    return comus_take(c, Z3_qe_model_project(c, m, n, (Z3_app const *)vars, body));
}

Z3_ast comus_qe_lite(Z3_context c, void *vars, Z3_ast body) {
    return comus_take(c, Z3_qe_lite(c, vars, body));
}

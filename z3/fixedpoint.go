package z3

// #include "shim.h"
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Fixedpoint decides whether facts are derivable from constrained Horn clauses,
// called rules here. With the engine "spacer" it is a model checker: the
// relations are sets of program states, the rules are the steps of the
// program, and a query asks whether an error state is reachable.
type Fixedpoint struct {
	ctx    *Context
	o      *object
	rlimit uint32 // resource limit of a query; 0 means that of the context
	status Status // of the last query
}

// NewFixedpoint returns a fixedpoint without rules. Choose the engine by
// SetParams before anything else.
func (c *Context) NewFixedpoint() *Fixedpoint {
	if !c.open() {
		return &Fixedpoint{ctx: c}
	}
	o := c.object("NewFixedpoint", C.COMUS_FIXEDPOINT, unsafe.Pointer(C.Z3_mk_fixedpoint(c.c)))
	f := &Fixedpoint{ctx: c, o: o}
	f.SetParams(NewParams())
	return f
}

// nullName is how Z3 writes the name of a rule without name.
const nullName = "<null>"

// TraceParams returns the parameters for Spacer that keep every rule as it
// is, instead of combining rules before the search. They are needed for
// RuleNamesAlongTrace to name the rules as they were added, and for Invariants
// to know all relations.
func TraceParams() *Params {
	return NewParams().
		SetSymbol("engine", "spacer").
		SetBool("xform.inline_eager", false).
		SetBool("xform.inline_linear", false).
		SetBool("xform.slice", false)
}

// c returns the Z3 fixedpoint.
func (f *Fixedpoint) c() C.Z3_fixedpoint { return C.Z3_fixedpoint(f.o.ptr) }

// SetParams sets the parameters of the fixedpoint; Z3 4.8.12 forgets those set before.
func (f *Fixedpoint) SetParams(params *Params) {
	const op = "Fixedpoint.SetParams"
	if !f.ctx.use(f.o) {
		return
	}
	params, rlimit, ok := params.withoutRLimit()
	if ok {
		f.rlimit = rlimit
	}
	if p, ok := params.build(f.ctx, op); ok {
		f.ctx.keepSignals(p)
		C.Z3_fixedpoint_set_params(f.ctx.c, f.c(), C.Z3_params(p.ptr))
		f.ctx.check(op)
		runtime.KeepAlive(p)
	}
	runtime.KeepAlive(f.o)
}

// RegisterRelation declares predicates (functions with range Bool) to be
// relations that the rules define. All other functions are uninterpreted.
func (f *Fixedpoint) RegisterRelation(relations ...FuncDecl) {
	const op = "RegisterRelation"
	if !f.ctx.use(f.o) {
		return
	}
	for _, r := range relations {
		if !f.ctx.owns(op, r.n) {
			return
		}
		if r.Range().Kind() != SortBool { // unchecked by Z3 4.8.12
			f.ctx.invalidOperand(op, "not a predicate: "+r.String())
			return
		}
		C.Z3_fixedpoint_register_relation(f.ctx.c, f.c(), r.c())
		if !f.ctx.check(op) {
			return
		}
	}
	runtime.KeepAlive(relations)
	runtime.KeepAlive(f.o)
}

// AddRule adds a rule: an implication whose right-hand side is the application
// of a relation, or such an application alone, all constants in it being bound
// by Forall. The name shows up in RuleNamesAlongTrace, and must not be empty
// nor contain a semicolon. Z3 checks the form of rules at the next query only.
func (f *Fixedpoint) AddRule(rule Term, name string) {
	const op = "AddRule"
	if !f.ctx.use(f.o) || !f.ctx.owns(op, rule.n) {
		return
	}
	if name == "" || name == nullName || strings.Contains(name, ";") {
		f.ctx.invalidOperand(op, fmt.Sprintf("bad rule name %q", name))
		return
	}
	C.Z3_fixedpoint_add_rule(f.ctx.c, f.c(), rule.n.ast, f.ctx.mkSymbol(name))
	f.ctx.check(op)
	runtime.KeepAlive(rule.n)
	runtime.KeepAlive(f.o)
}

// Assert adds a background axiom, a formula that constrains uninterpreted
// functions. Spacer ignores axioms on relations.
func (f *Fixedpoint) Assert(axiom Term) {
	const op = "Fixedpoint.Assert"
	if !f.ctx.use(f.o) || !f.ctx.owns(op, axiom.n) {
		return
	}
	C.Z3_fixedpoint_assert(f.ctx.c, f.c(), axiom.n.ast)
	f.ctx.check(op)
	runtime.KeepAlive(axiom.n)
	runtime.KeepAlive(f.o)
}

// Query decides whether an instance of the query, a formula over relations with
// its constants bound by Exists, is derivable: Sat if so, Unsat if not.
//
// The status is Unknown if there is an error, as described for Solver.Check.
// An engine that gives up reports that as an *Error, for example "Stuck on a
// lemma"; so does an engine that reaches a time or resource limit.
func (f *Fixedpoint) Query(ctx context.Context, query Term) (Status, error) {
	const op = "Query"
	if !f.ctx.use(f.o) || f.ctx.err != nil || !f.ctx.owns(op, query.n) {
		return Unknown, f.ctx.err
	}
	defer runtime.KeepAlive(query.n)
	return f.query(ctx, op, func() C.Z3_lbool {
		return C.Z3_fixedpoint_query(f.ctx.c, f.c(), query.n.ast)
	})
}

// QueryRelations decides like Query whether one of the relations is not empty.
// The relations should have an argument at least: Spacer mistreats queries of
// relations without arguments.
func (f *Fixedpoint) QueryRelations(ctx context.Context, relations ...FuncDecl) (Status, error) {
	const op = "QueryRelations"
	if !f.ctx.use(f.o) || f.ctx.err != nil {
		return Unknown, f.ctx.err
	}
	if len(relations) == 0 {
		return Unknown, fmt.Errorf("%w: %s: no relations", ErrInvalidOperand, op)
	}
	decls := make([]C.Z3_func_decl, len(relations))
	for i, r := range relations {
		if !f.ctx.owns(op, r.n) {
			return Unknown, f.ctx.err
		}
		decls[i] = r.c()
	}
	defer runtime.KeepAlive(relations)
	return f.query(ctx, op, func() C.Z3_lbool {
		return C.Z3_fixedpoint_query_relations(f.ctx.c, f.c(), C.uint(len(decls)), &decls[0])
	})
}

// query runs a query.
func (f *Fixedpoint) query(ctx context.Context, op string, q func() C.Z3_lbool) (Status, error) {
	f.status = Unknown
	if f.rlimit != 0 {
		// Z3 knows this limit as a parameter of the context only.
		f.ctx.setRLimit(f.rlimit)
		defer f.ctx.setRLimit(f.ctx.rlimit)
	}
	var r C.Z3_lbool
	var failure error
	err := f.ctx.run(ctx, func() {
		r = q()
		failure = f.ctx.z3Error(op)
	})
	runtime.KeepAlive(f.o)
	if err == nil {
		err = failure
	}
	if err != nil {
		return Unknown, err
	}
	f.status = status(r)
	return f.status, nil
}

// answered reports whether results of the last query can be fetched, as an
// error otherwise. Z3 itself crashes on some of these requests.
func (f *Fixedpoint) answered(op string, want ...Status) error {
	if !f.ctx.use(f.o) || f.ctx.err != nil {
		return f.ctx.err
	}
	for _, s := range want {
		if s == f.status {
			return nil
		}
	}
	return fmt.Errorf("%w: %s: the last query gave %v", ErrNoAnswer, op, f.status)
}

// term wraps a term that the caller owns; nil stands for a failed call.
func (c *Context) term(op string, ast C.Z3_ast) (Term, error) {
	if ast == nil {
		if err := c.z3Error(op); err != nil {
			return Term{}, err
		}
		return Term{}, fmt.Errorf("%w: %s", ErrNoAnswer, op)
	}
	return Term{n: c.node(op, ast)}, nil
}

// GetAnswer returns the evidence for the last answer. For Unsat it is a formula
// that defines inductive invariants of the relations, see Invariants. For Sat
// it is a derivation of the query, whose form depends on the engine.
func (f *Fixedpoint) GetAnswer() (Term, error) {
	const op = "GetAnswer"
	if err := f.answered(op, Sat, Unsat); err != nil {
		return Term{}, err
	}
	defer runtime.KeepAlive(f.o)
	return f.ctx.term(op, C.comus_take(f.ctx.c, C.Z3_fixedpoint_get_answer(f.ctx.c, f.c())))
}

// GroundSatAnswer returns the derivation of a satisfiable query by Spacer: a
// conjunction of ground facts, that is, relations applied to numerals and the
// like, from the query back to the start.
func (f *Fixedpoint) GroundSatAnswer() (Term, error) {
	const op = "GroundSatAnswer"
	if err := f.answered(op, Sat); err != nil {
		return Term{}, err
	}
	defer runtime.KeepAlive(f.o)
	c := f.ctx
	answer, err := c.term(op, C.comus_take(c.c, C.Z3_fixedpoint_get_ground_sat_answer(c.c, f.c())))
	if err != nil || !answer.IsFalse() {
		return answer, err
	}
	// Z3 4.8.12 always answers false, but its proof has the facts.
	proof, err := f.GetAnswer()
	if err != nil {
		return Term{}, err
	}
	return c.And(groundFacts(proof)...), c.err
}

// groundFacts returns the conclusions of the resolution steps of a proof by
// Spacer, from the query back to the start. The first step, which concludes
// the query relation that Z3 makes up, is left out.
func groundFacts(proof Term) []Term {
	var facts []Term
	proof.find(func(t Term) bool {
		if t.DeclName() == "hyper-res" {
			fact := t.Arg(t.NumArgs() - 1)
			if !strings.HasPrefix(fact.DeclName(), "query!") {
				facts = append(facts, fact)
			}
		}
		return false
	})
	return facts
}

// RuleNamesAlongTrace returns the names of the rules used by the derivation of
// a satisfiable query, from the query back to the start. The parameters must
// include those of TraceParams, since rules are combined otherwise. The rule
// without name that Z3 makes for the query itself is left out.
func (f *Fixedpoint) RuleNamesAlongTrace() ([]string, error) {
	const op = "RuleNamesAlongTrace"
	if err := f.answered(op, Sat); err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(f.o)
	// Z3 aborts the process when it joins the names of an empty trace.
	c := f.ctx
	v := C.Z3_fixedpoint_get_rules_along_trace(c.c, f.c())
	if err := c.z3Error(op); err != nil {
		return nil, err
	}
	rules, err := c.vector(op, v)
	if err != nil || len(rules) == 0 {
		return nil, err
	}
	symbol := C.Z3_fixedpoint_get_rule_names_along_trace(c.c, f.c())
	if err := c.z3Error(op); err != nil {
		return nil, err
	}
	names := strings.Split(c.symbol(symbol), ";")
	return slices.DeleteFunc(names, func(name string) bool { return name == nullName }), nil
}

// CoverDelta returns the formula that Spacer has found to hold for a relation at
// a level of its search: after that many steps at most. Level -1 gives what
// holds at all levels. The arguments of the relation occur as bound variables
// without quantifier: the variable with index i is the argument i. Replace them
// by SubstituteVars.
func (f *Fixedpoint) CoverDelta(level int, relation FuncDecl) (Term, error) {
	const op = "CoverDelta"
	if !f.ctx.use(f.o) || f.ctx.err != nil || !f.ctx.owns(op, relation.n) {
		return Term{}, f.ctx.err
	}
	defer runtime.KeepAlive(f.o)
	defer runtime.KeepAlive(relation.n)
	c := f.ctx
	return c.term(op, C.comus_take(c.c,
		C.Z3_fixedpoint_get_cover_delta(c.c, f.c(), C.int(level), relation.c())))
}

// ReasonUnknown returns why the last query returned Unknown.
func (f *Fixedpoint) ReasonUnknown() string {
	if !f.ctx.use(f.o) {
		return ""
	}
	defer runtime.KeepAlive(f.o)
	return C.GoString(C.Z3_fixedpoint_get_reason_unknown(f.ctx.c, f.c()))
}

// Statistics returns Z3's counters of the last query.
func (f *Fixedpoint) Statistics() []Stat {
	if !f.ctx.use(f.o) {
		return nil
	}
	defer runtime.KeepAlive(f.o)
	return f.ctx.stats(C.Z3_fixedpoint_get_statistics(f.ctx.c, f.c()))
}

// String returns the rules in SMT-LIB syntax.
func (f *Fixedpoint) String() string {
	if !f.ctx.use(f.o) {
		return "<invalid>"
	}
	defer runtime.KeepAlive(f.o)
	return C.GoString(C.Z3_fixedpoint_to_string(f.ctx.c, f.c(), 0, nil))
}

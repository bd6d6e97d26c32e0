package threadmodular

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// Other is the beginning of the names of the second instance's local variables in
// the formula of an invariant about two.
const Other = "other:"

// Place is a location of a thread.
type Place struct {
	Thread, Loc int
}

// Invariant is a formula that holds whenever instances are at certain nodes.
type Invariant struct {
	Places  []Place // one or two, in ascending order
	Formula *logic.Term
}

// Method says what is proved about the program.
type Method struct {
	Threads int  // instances that an invariant is about: 1 or 2
	Counted bool // the program is [ir.Program.Counted]
}

// String returns "1 thread", "2 threads, counted" and so on.
func (m Method) String() string {
	s := "one thread at a time"
	if m.Threads == 2 {
		s = "two threads at a time"
	}
	if m.Counted {
		s += ", counted"
	}
	return s
}

// Proof is why no instance reaches an error location.
type Proof struct {
	Method
	Program    *ir.Program // that the invariants speak about
	Nodes      [][]int     // by thread
	Cuts       [][]int     // by thread
	Invariants []Invariant
}

// ErrNoProof is the error when the clauses have no solution: the method is too weak,
// or the program is not safe.
var ErrNoProof = errors.New("the method gives no proof")

// Prove looks for a proof by a method. p must have been renumbered.
func Prove(ctx context.Context, p *ir.Program, method Method, log hclog.Logger) (*Proof, error) {
	if method.Threads == 2 && len(p.Threads) == 1 {
		return nil, errors.New("there is one thread only")
	}
	copies, err := p.Instances(3)
	if err != nil {
		return nil, err
	}
	graphs := cutpoints.Compute(copies, cutpoints.Options{})[:len(p.Threads)]
	if method.Counted {
		p, _ = p.Counted()
	}
	m, err := newTemplate(p, graphs)
	if err != nil {
		return nil, err
	}
	s, err := newSystem(m, method.Threads)
	if err != nil {
		return nil, err
	}
	log.Info("clauses", "method", method.String(), "relations", len(s.order), "clauses", len(s.clauses), "shared", len(m.shared))
	invs, err := s.solve(ctx, log)
	if err != nil {
		return nil, err
	}
	proof := &Proof{Method: method, Program: p, Invariants: invs}
	for _, t := range m.threads {
		var cuts []int
		for _, n := range t.nodes {
			if t.cut[n] {
				cuts = append(cuts, n)
			}
		}
		proof.Nodes, proof.Cuts = append(proof.Nodes, t.nodes), append(proof.Cuts, cuts)
	}
	return proof, nil
}

// attempts are the parameter sets tried one after another when Spacer fails.
var attempts = []func(*z3.Params) *z3.Params{
	func(p *z3.Params) *z3.Params { return p },
	func(p *z3.Params) *z3.Params {
		return p.SetUint("spacer.random_seed", 7).SetUint("spacer.order_children", 1)
	},
}

// solve looks for a solution of the clauses.
func (s *system) solve(ctx context.Context, log hclog.Logger) ([]Invariant, error) {
	var err error
	for i, params := range attempts {
		var invs []Invariant
		if invs, err = s.attempt(ctx, params); err == nil || errors.Is(err, ErrNoProof) || ctx.Err() != nil {
			return invs, err
		}
		log.Debug("no answer", "attempt", i+1, "reason", err)
	}
	return nil, err
}

func (s *system) attempt(ctx context.Context, params func(*z3.Params) *z3.Params) ([]Invariant, error) {
	z, err := z3.NewContext(nil)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	e := &encoding{s: s, z: z, fp: z.NewFixedpoint(), decl: map[*relation]z3.FuncDecl{}}
	e.fp.SetParams(params(z3.NewParams().SetSymbol("engine", "spacer").SetBool("xform.inline_eager", false).
		SetBool("xform.inline_linear", false).SetBool("xform.slice", false)))
	e.relations()
	for i, c := range s.clauses {
		e.rule(fmt.Sprintf("c%d", i), c)
	}
	if err := z.Err(); err != nil {
		return nil, err
	}
	dummy := z.Const("dummy", z.IntSort())
	st, err := e.fp.Query(ctx, z.Exists([]z3.Term{dummy}, e.err.Apply(dummy)))
	switch {
	case err != nil:
		return nil, err
	case st == z3.Sat:
		return nil, ErrNoProof
	case st != z3.Unsat:
		return nil, fmt.Errorf("spacer: %s", e.fp.ReasonUnknown())
	}
	return e.invariants()
}

// encoding is the clauses in Z3.
type encoding struct {
	s      *system
	z      *z3.Context
	fp     *z3.Fixedpoint
	decl   map[*relation]z3.FuncDecl
	err    z3.FuncDecl // with one dummy argument
	opaque int
}

func (e *encoding) sorts(n int) []z3.Sort {
	out := make([]z3.Sort, n)
	for i := range out {
		out[i] = e.z.IntSort()
	}
	return out
}

func (e *encoding) relations() {
	e.err = e.z.FuncDecl("error", e.sorts(1), e.z.BoolSort())
	e.fp.RegisterRelation(e.err)
	for _, r := range e.s.order {
		e.decl[r] = e.z.FuncDecl(r.name, e.sorts(len(r.params)+1), e.z.BoolSort())
		e.fp.RegisterRelation(e.decl[r])
	}
}

// rule adds a clause. Each relation has one more argument, always 0: Z3 mistreats
// relations without arguments.
func (e *encoding) rule(name string, c clause) {
	tr := smt.NewTranslator(e.z)
	var bound []z3.Term
	tr.Opaque = func(*logic.Term) z3.Term {
		e.opaque++
		o := e.z.Const(fmt.Sprintf("opaque!%d", e.opaque), e.z.IntSort())
		bound = append(bound, o)
		return o
	}
	var terms []*logic.Term
	apply := func(a app) z3.Term {
		terms = append(terms, a.args...)
		return e.decl[a.rel].Apply(append(tr.Terms(a.args), e.z.Int(0))...)
	}
	var body []z3.Term
	for _, a := range c.body {
		body = append(body, apply(a))
	}
	body = append(body, tr.Terms(c.cond)...)
	terms = append(terms, c.cond...)
	head := e.err.Apply(e.z.Int(0))
	if c.head != nil {
		head = apply(*c.head)
	}
	bound = append(bound, tr.Terms(logic.FreeVars(terms...))...)
	rule := e.z.Implies(e.z.And(body...), head)
	if len(bound) > 0 {
		rule = e.z.Forall(bound, rule)
	}
	e.fp.AddRule(rule, name)
}

// invariants reads off the solution.
func (e *encoding) invariants() ([]Invariant, error) {
	var decls []z3.FuncDecl
	for _, r := range e.s.order {
		decls = append(decls, e.decl[r])
	}
	found, err := e.fp.Invariants(decls)
	if err != nil {
		return nil, err
	}
	var out []Invariant
	for i, inv := range found {
		r := e.s.order[i]
		names := map[string]*logic.Term{}
		for k, prm := range inv.Params {
			if k < len(r.params) {
				names[prm.DeclName()] = r.params[k]
			} else {
				names[prm.DeclName()] = e.s.l.Int(0)
			}
		}
		f, err := smt.FromZ3(e.s.l, inv.Body, func(n string) *logic.Term { return names[n] })
		if err != nil {
			return nil, err
		}
		if !f.IsFalse() {
			out = append(out, Invariant{r.places, f})
		}
	}
	return out, nil
}

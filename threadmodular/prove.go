package threadmodular

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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
	Placed  bool // an invariant (about one) knows where the threads are that are not replicated
	Lemmas  bool // invariants are sought among candidates
	Census  bool // the program has a census ([ir.Program.Census]), and equalities are computed first
}

// String returns "1 thread", "2 threads, counted" and so on.
func (m Method) String() string {
	s := "one thread at a time"
	if m.Threads == 2 {
		s = "two threads at a time"
	}
	if m.Lemmas {
		s += ", by lemmas"
	}
	if m.Placed {
		s += ", with the others' places"
	}
	if m.Counted {
		s += ", counted"
	}
	if m.Census {
		s += ", with a census"
	}
	return s
}

// Proof is why no instance reaches an error location.
type Proof struct {
	Method
	Nodes      [][]int // by thread
	Cuts       [][]int // by thread
	Invariants []Invariant
	Calls      int // of the plain solver, for this and for what was tried before
}

// ErrNoProof is the error when the clauses have no solution: the method is too weak,
// or the program is not safe.
var ErrNoProof = errors.New("the method gives no proof")

// Options switch techniques off, for experiments.
type Options struct {
	NoCensus bool // computes no equalities
	NoBounds bool // computes which locations are reached only, not in which bounds
	NoLemmas bool // has no candidates
	NoPairs  bool // has no invariants of two threads
	NoPlaced bool // has no invariants that know where others are
}

// without reports whether a method is left out.
func (o Options) without(m Method) bool {
	return o.NoCensus && m.Census || o.NoLemmas && m.Lemmas || o.NoPairs && m.Threads == 2 || o.NoPlaced && m.Placed
}

// step is a method that is tried: by bounds, or what it has instead; or the last one that Spacer is for, by that for a moment; or the one with
// a census again, for longer.
type step struct {
	Method
	spacer, again bool
}

// lasting reports whether Spacer may have a long time for the method.
func (m Method) lasting() bool { return !m.Lemmas && !m.Census }

// steps returns what is tried for a program, in this order.
func steps(p *ir.Program, opts Options) []step {
	replicated := len(p.Replicated())
	var out []step
	add := func(m Method) {
		if !opts.without(m) {
			out = append(out, step{Method: m})
		}
	}
	moment := func() { out = append(out, step{spacer: true}) }
	add(Method{Threads: 1})
	counts := replicated > 0 && !opts.NoCensus && Adds(p, p.Replicated()...)
	if counts {
		add(Method{Threads: 1, Census: true})
	}
	moment()
	if replicated > 0 {
		add(Method{Threads: 2, Lemmas: true})
	}
	if counts {
		out = append(out, step{again: true})
	}
	if replicated == 0 && len(p.Threads) > 1 {
		add(Method{Threads: 1, Placed: true})
	}
	if len(p.Threads) > 1 {
		add(Method{Threads: 2})
		moment()
	}
	if replicated > 0 {
		add(Method{Threads: 1, Counted: true})
		add(Method{Threads: 2, Counted: true})
		add(Method{Threads: 1, Placed: true})
	}
	return out
}

// The time for bounds, and for Spacer, for one method, in the first round; it doubles in
// each.
const patience = 5 * time.Second

// plainPatience is the time for the first bounds of a method without counters and places:
// such methods have fewer clauses and prove more programs than what comes after them.
const plainPatience = 6 * patience

// firstPatience is the time that Spacer has for a plain method, for each thread of its invariants, before others are tried: it finds most
// proofs that it finds at once.
const firstPatience = 2 * time.Second

// Prove looks for a proof by all methods: with bounds first, and for a moment with Spacer, then with Spacer
// for longer and longer. p must have been renumbered. The error is ErrNoProof if no
// method gives a proof, however long it takes.
func Prove(ctx context.Context, p *ir.Program, log hclog.Logger, opts Options) (*Proof, error) {
	var all, open []*search
	defer func() {
		for _, s := range all {
			s.b.solver.Close()
		}
	}()
	why := ErrNoProof
	var last, census *search // the last one that is for Spacer, too
	calls := func() (n int) {
		for _, s := range all {
			n += s.b.solver.Calls
		}
		return n
	}
	for _, st := range steps(p, opts) {
		var s *search
		var invs []Invariant
		var err error
		switch {
		case st.spacer:
			s = last
			invs, err = s.moment(ctx)
		case st.again:
			s = census
			invs, err = s.goOn(ctx)
		default:
			if s, err = newSearch(ctx, p, st.Method, opts, log); err == nil {
				all = append(all, s)
				invs, err = s.begin(ctx)
			}
			if st.lasting() {
				last = s
			} else if st.Census {
				census = s
			}
			if st.lasting() && s != nil {
				open = append(open, s)
			}
		}
		switch {
		case err == nil:
			return s.proof(invs, calls()), nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, ErrNoProof) && !errors.Is(err, errPatience):
			why = err // another method may do
		}
	}
	left := slices.Clone(open)
	for limit := patience; len(left) > 0; limit *= 2 {
		for _, s := range slices.Clone(left) {
			invs, err := s.thorough(ctx, limit)
			switch {
			case err == nil:
				return s.proof(invs, calls()), nil
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case !errors.Is(err, errPatience):
				left = slices.DeleteFunc(left, func(t *search) bool { return t == s })
			}
		}
	}
	return nil, why
}

// search is the search for a proof by one method.
type search struct {
	method Method
	m      *template
	s      *system
	b      *bounds
	log    hclog.Logger
	solved bool // b has its solution
	rounds int  // with a census: that are over
	equal  bool // and equalities are computed for this round
}

func newSearch(ctx context.Context, p *ir.Program, method Method, opts Options, log hclog.Logger) (*search, error) {
	copies, err := p.Instances(3)
	if err != nil {
		return nil, err
	}
	graphs := cutpoints.Compute(copies, cutpoints.Options{Ends: method.Census})[:len(p.Threads)]
	var counters map[*ir.Var]bool
	var head *ir.Headcount
	if method.Census {
		p, head = takeCensus(p, graphs)
		counters = head.Counters
	}
	if method.Counted {
		if p, counters = p.Counted(); len(counters) <= len(p.Replicated()) {
			return nil, ErrNoProof // there is nothing to count
		}
	}
	m, err := newTemplate(p, counters, graphs, method)
	if err != nil {
		return nil, err
	}
	m.head = head
	s, err := newSystem(ctx, m, method)
	if err != nil {
		return nil, err
	}
	b, err := newBounds(s)
	if err != nil {
		return nil, err
	}
	b.none = opts.NoBounds
	log.Info("clauses", "method", method.String(), "relations", len(s.order), "clauses", len(s.clauses), "shared", len(m.shared))
	return &search{method: method, m: m, s: s, b: b, log: log}, nil
}

// begin looks for a proof by bounds, and by what the method has beside.
func (s *search) begin(ctx context.Context) ([]Invariant, error) {
	switch {
	case s.method.Counted || s.method.Placed:
		return s.quick(ctx, patience)
	case s.method.Lemmas:
		return s.byLemmas(ctx)
	case s.method.Census:
		return s.byCensus(ctx, censusPatience[0])
	}
	return s.quick(ctx, plainPatience)
}

// goOn looks for a proof with a census where begin has not come to an end.
func (s *search) goOn(ctx context.Context) ([]Invariant, error) {
	if s == nil {
		return nil, errPatience
	}
	return s.byCensus(ctx, censusPatience[1])
}

// moment looks for a proof by Spacer, for a moment, if there is a search with known bounds.
func (s *search) moment(ctx context.Context) ([]Invariant, error) {
	if s == nil || !s.solved {
		return nil, errPatience
	}
	slice, cancel := context.WithTimeout(ctx, time.Duration(s.method.Threads)*firstPatience)
	defer cancel()
	invs, found := s.b.attempt(slice, attempts[0])
	s.log.Info("spacer", "method", s.method.String(), "time", firstPatience, "result", found)
	if found == nil {
		return invs, nil
	}
	return nil, errPatience
}

// byLemmas looks for a proof by bounds and lemmas. The error is ErrNoProof if that is all that can be found.
func (s *search) byLemmas(ctx context.Context) ([]Invariant, error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, lemmaPatience)
	defer cancel()
	h := newLemmas(s.s, s.b)
	err := h.solve(ctx)
	proved := false
	if err == nil {
		proved, err = h.proves(ctx)
	}
	s.log.Info("lemmas", "method", s.method.String(), "reached", len(h.alive), "calls", s.b.solver.Calls, "time", time.Since(start), "proved", proved, "error", err)
	if err == nil && !proved {
		err = ErrNoProof
	}
	return h.invariants(), err
}

// lemmaPatience is the time for bounds and lemmas.
const lemmaPatience = 50 * time.Second

// quick looks for a proof by bounds.
func (s *search) quick(ctx context.Context, limit time.Duration) ([]Invariant, error) {
	start := time.Now()
	slice, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := s.b.solve(slice); err != nil {
		s.log.Info("bounds", "method", s.method.String(), "reached", len(s.b.state), "calls", s.b.solver.Calls, "result", err)
		if slice.Err() != nil {
			err = errPatience
		}
		return nil, err
	}
	s.solved = true
	proved, err := s.b.proves(ctx)
	s.log.Info("bounds", "method", s.method.String(), "reached", len(s.b.state), "calls", s.b.solver.Calls, "time", time.Since(start), "proved", proved)
	if err == nil && !proved {
		err = ErrNoProof
	}
	return s.b.invariants(), err
}

// errPatience is the error of a search that took too long.
var errPatience = errors.New("out of patience")

// thorough looks for a proof with Spacer.
func (s *search) thorough(ctx context.Context, limit time.Duration) ([]Invariant, error) {
	if !s.solved {
		if invs, err := s.quick(ctx, limit); !errors.Is(err, ErrNoProof) {
			return invs, err
		}
	}
	var err error
	for i, params := range attempts {
		slice, cancel := context.WithTimeout(ctx, limit)
		var invs []Invariant
		invs, err = s.b.attempt(slice, params)
		out := slice.Err() != nil
		cancel()
		s.log.Info("spacer", "method", s.method.String(), "attempt", i+1, "result", err)
		if err == nil || errors.Is(err, ErrNoProof) {
			return invs, err
		}
		if out {
			return nil, errPatience
		}
	}
	return nil, err
}

// proof writes down a proof that took some calls of the solver.
func (s *search) proof(invs []Invariant, calls int) *Proof {
	proof := &Proof{Method: s.method, Invariants: invs, Calls: calls}
	for _, t := range s.m.threads {
		var cuts []int
		for _, n := range t.nodes {
			if t.cut[n] {
				cuts = append(cuts, n)
			}
		}
		proof.Nodes, proof.Cuts = append(proof.Nodes, t.nodes), append(proof.Cuts, cuts)
	}
	return proof
}

// attempts are the parameter sets tried one after another when Spacer fails.
var attempts = []func(*z3.Params) *z3.Params{
	func(p *z3.Params) *z3.Params { return p },
	func(p *z3.Params) *z3.Params {
		return p.SetUint("spacer.random_seed", 7).SetUint("spacer.order_children", 1)
	},
}

// invariants returns what is known at the relations.
func (b *bounds) invariants() []Invariant {
	var out []Invariant
	for _, r := range b.s.order {
		if f := b.fact(r); !f.IsFalse() {
			out = append(out, Invariant{r.places, f})
		}
	}
	return out
}

// attempt asks Spacer for a solution, given what is known already.
func (b *bounds) attempt(ctx context.Context, params func(*z3.Params) *z3.Params) ([]Invariant, error) {
	z, err := z3.NewContext(nil)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	e := &encoding{b: b, z: z, fp: z.NewFixedpoint(), decl: map[*relation]z3.FuncDecl{}}
	e.fp.SetParams(params(z3.NewParams().SetSymbol("engine", "spacer").SetBool("xform.inline_eager", false).
		SetBool("xform.inline_linear", false).SetBool("xform.slice", false)))
	e.relations()
	for i, c := range b.s.clauses {
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
	b    *bounds
	z    *z3.Context
	fp   *z3.Fixedpoint
	decl map[*relation]z3.FuncDecl
	err  z3.FuncDecl // with one dummy argument
}

func (e *encoding) sorts(n int) []z3.Sort {
	out := make([]z3.Sort, n)
	for i := range out {
		out[i] = e.z.IntSort()
	}
	return out
}

// reached returns the relations that are not known to be empty.
func (e *encoding) reached() []*relation {
	return slices.DeleteFunc(slices.Clone(e.b.s.order), func(r *relation) bool { return e.b.state[r] == nil })
}

func (e *encoding) relations() {
	e.err = e.z.FuncDecl("error", e.sorts(1), e.z.BoolSort())
	e.fp.RegisterRelation(e.err)
	for _, r := range e.reached() {
		e.decl[r] = e.z.FuncDecl(r.name, e.sorts(len(r.params)+1), e.z.BoolSort())
		e.fp.RegisterRelation(e.decl[r])
	}
}

// rule adds a clause. Each relation has one more argument, always 0: Z3 mistreats
// relations without arguments.
func (e *encoding) rule(name string, c clause) {
	if !e.b.reached(c) || c.head != nil && e.b.state[c.head.rel] == nil {
		return
	}
	tr := smt.NewTranslator(e.z)
	var terms []*logic.Term
	apply := func(a app) z3.Term {
		terms = append(terms, a.args...)
		return e.decl[a.rel].Apply(append(tr.Terms(a.args), e.z.Int(0))...)
	}
	var body []z3.Term
	for _, a := range c.body {
		body = append(body, apply(a))
	}
	conds := e.b.premise(c)
	body = append(body, tr.Terms(conds)...)
	terms = append(terms, conds...)
	head := e.err.Apply(e.z.Int(0))
	if c.head != nil {
		head = apply(*c.head)
	}
	bound := tr.Terms(logic.FreeVars(terms...))
	rule := e.z.Implies(e.z.And(body...), head)
	if len(bound) > 0 {
		rule = e.z.Forall(bound, rule)
	}
	e.fp.AddRule(rule, name)
}

// invariants reads off the solution.
func (e *encoding) invariants() ([]Invariant, error) {
	var decls []z3.FuncDecl
	rels := e.reached()
	for _, r := range rels {
		decls = append(decls, e.decl[r])
	}
	found, err := e.fp.Invariants(decls)
	if err != nil {
		return nil, err
	}
	var out []Invariant
	for i, inv := range found {
		r := rels[i]
		names := map[string]*logic.Term{}
		for k, prm := range inv.Params {
			if k < len(r.params) {
				names[prm.DeclName()] = r.params[k]
			} else {
				names[prm.DeclName()] = e.b.s.l.Int(0)
			}
		}
		f, err := smt.FromZ3(e.b.s.l, inv.Body, func(n string) *logic.Term { return names[n] })
		if err != nil {
			return nil, err
		}
		if f = e.b.s.l.And(f, e.b.fact(r)); !f.IsFalse() {
			out = append(out, Invariant{r.places, f})
		}
	}
	return out, nil
}

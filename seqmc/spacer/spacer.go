// Package spacer is the embedded sequential model checker: constrained Horn
// clauses solved by Spacer, the property-directed reachability engine of Z3.
//
// Every node of the program becomes a relation over the variables that are live
// there, every edge a clause "if the source's relation holds and the commands
// can be run, the target's relation holds", and the error nodes one relation
// that must be empty. Non-linear and bitwise operations are replaced by
// arbitrary values, which only adds behaviours.
//
// A derivation of the error is read off as the names of the clauses used; since
// every clause is one edge, the names are the path. Settings follow what was
// measured on Z3 4.8.12: without inlining and slicing of clauses the trace has
// every name. A query can fail with an internal error ("Stuck on a lemma"); it
// is then tried again with other parameters before the answer is Unknown. A search
// that takes long gets rivals beside it (race.go).
package spacer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/seqmc"
	"comus/wp"
	"comus/z3"
)

// Checker is the embedded model checker. The zero value is ready to use; it may
// be used by several goroutines.
type Checker struct {
	// Ranges bounds every havocked value by the range of its type. Without it,
	// ranges of wide types are left out, which is faster and sound for SAFE.
	Ranges bool
	// Alone runs no other searches beside one that takes long.
	Alone bool
	// Patience is the time before another search starts beside one; 0: the
	// default.
	Patience time.Duration
	// Log receives what each query did; nil for none.
	Log hclog.Logger
}

// Name returns "spacer".
func (c *Checker) Name() string { return "spacer" }

// attempts are the parameter sets tried one after another.
var attempts = []func(*z3.Params) *z3.Params{
	func(p *z3.Params) *z3.Params { return p },
	func(p *z3.Params) *z3.Params {
		return p.SetUint("spacer.random_seed", 7).SetUint("spacer.order_children", 1)
	},
	func(p *z3.Params) *z3.Params {
		return p.SetUint("spacer.random_seed", 42).SetBool("spacer.ground_pobs", false)
	},
}

func (c *Checker) log() hclog.Logger {
	if c.Log == nil {
		return hclog.NewNullLogger()
	}
	return c.Log
}

// Check decides the program.
func (c *Checker) Check(ctx context.Context, p *seqmc.Program) (seqmc.Result, error) {
	t := &task{c: c, p: p}
	defer t.Close()
	t.start(attempts[0])
	if !c.Alone && t.err == nil {
		return t.race(ctx)
	}
	t.Run(ctx)
	return t.Result(ctx)
}

// Prepare returns the check of p, its clauses already written down: they need p's
// store, which the search does not. How the store numbers its terms, and so what
// Spacer sees, does not depend on what runs at the same time.
func (c *Checker) Prepare(p *seqmc.Program) seqmc.Task {
	t := &task{c: c, p: p}
	t.start(attempts[0])
	return t
}

// task is the check of a program.
type task struct {
	c   *Checker
	p   *seqmc.Program
	e   *encoding // of the current attempt
	st  z3.Status
	err error
}

// start writes down the clauses for an attempt.
func (t *task) start(params func(*z3.Params) *z3.Params) {
	t.Close()
	z, err := z3.NewContext(nil)
	if err != nil {
		t.err = err
		return
	}
	t.e = newEncoding(z, t.p, t.c.Ranges)
	t.e.fp.SetParams(params(z3.TraceParams()))
	t.e.addRules()
	t.err = z.Err()
}

// Run searches for an answer.
func (t *task) Run(ctx context.Context) {
	if t.err == nil {
		t.st, t.err = t.e.fp.Query(ctx, t.e.query)
	}
}

// Close frees the attempt's clauses.
func (t *task) Close() {
	if t.e != nil {
		_ = t.e.z.Close() // nothing can be done about a failure to free
		t.e = nil
	}
}

// Result reads off the answer; where there was none, it makes the other attempts.
func (t *task) Result(ctx context.Context) (seqmc.Result, error) {
	log := t.c.log()
	for i := 1; ; i++ {
		r, err := t.answer()
		if ctx.Err() != nil {
			return seqmc.Result{}, ctx.Err()
		}
		if err != nil {
			r = seqmc.Result{Reason: err.Error()}
		}
		if r.Verdict != seqmc.Unknown {
			return r, nil
		}
		log.Debug("no answer", "program", t.p.Name, "attempt", i, "reason", r.Reason)
		if i == len(attempts) {
			return seqmc.Result{Reason: "spacer: " + r.Reason}, nil
		}
		t.start(attempts[i])
		t.Run(ctx)
	}
}

// answer reads off the answer of the current attempt.
func (t *task) answer() (seqmc.Result, error) {
	switch {
	case t.err != nil:
		return seqmc.Result{}, t.err
	case t.st == z3.Unsat:
		inv, err := t.e.invariants()
		return seqmc.Result{Verdict: seqmc.Safe, Invariants: inv}, err
	case t.st == z3.Sat:
		path, err := t.e.path()
		return seqmc.Result{Verdict: seqmc.Unsafe, Path: path}, err
	}
	return seqmc.Result{Reason: t.e.fp.ReasonUnknown()}, nil
}

// encoding is the clauses of one program.
type encoding struct {
	p      *seqmc.Program
	z      *z3.Context
	fp     *z3.Fixedpoint
	ranges bool
	rels   []z3.FuncDecl
	args   [][]*ir.Var // by node: the relation's arguments
	err    z3.FuncDecl // the relation of errors, with one dummy argument
	query  z3.Term
	opaque int
}

func newEncoding(z *z3.Context, p *seqmc.Program, ranges bool) *encoding {
	e := &encoding{p: p, z: z, fp: z.NewFixedpoint(), ranges: ranges}
	live := p.Live()
	for _, n := range p.Nodes {
		var args []*ir.Var
		for _, v := range p.Vars {
			if live[n.Index][v] {
				args = append(args, v)
			}
		}
		if len(args) == 0 && len(p.Vars) > 0 {
			args = p.Vars[:1] // Z3's traces end at relations without arguments
		}
		e.args = append(e.args, args)
		e.rels = append(e.rels, z.FuncDecl("n"+strconv.Itoa(n.Index), e.sorts(len(args)), z.BoolSort()))
	}
	e.err = z.FuncDecl("error", e.sorts(1), z.BoolSort())
	e.fp.RegisterRelation(append([]z3.FuncDecl{e.err}, e.rels...)...)
	dummy := z.Const("dummy", z.IntSort())
	e.query = z.Exists([]z3.Term{dummy}, e.err.Apply(dummy))
	return e
}

func (e *encoding) sorts(n int) []z3.Sort {
	out := make([]z3.Sort, n)
	for i := range out {
		out[i] = e.z.IntSort()
	}
	return out
}

// addRules adds the clause for the entry and one per edge.
func (e *encoding) addRules() {
	tr := smt.NewTranslator(e.z)
	entry := e.p.Entry
	args := make([]z3.Term, len(e.args[entry.Index]))
	for i, v := range e.args[entry.Index] {
		args[i] = tr.Term(v.Sym)
	}
	e.rule("init", []z3.Term{tr.Term(e.p.Init)}, e.rels[entry.Index].Apply(args...), logic.FreeVars(e.p.Init), tr, e.args[entry.Index])
	for _, edge := range e.p.Edges {
		e.edgeRule(edge)
	}
}

// edgeRule adds the clause of one edge: its effect by symbolic execution.
func (e *encoding) edgeRule(edge *seqmc.Edge) {
	x := wp.NewExec(e.p.L, e.ranges)
	x.Run(edge.Cmds)
	tr := smt.NewTranslator(e.z)
	var opaques []z3.Term
	tr.Opaque = func(*logic.Term) z3.Term {
		e.opaque++
		o := e.z.Const("opaque!"+strconv.Itoa(e.opaque), e.z.IntSort())
		opaques = append(opaques, o)
		return o
	}
	from := e.args[edge.From.Index]
	body := make([]z3.Term, 0, len(x.Cond)+1)
	fromArgs := make([]z3.Term, len(from))
	for i, v := range from {
		fromArgs[i] = tr.Term(v.Sym)
	}
	body = append(body, e.rels[edge.From.Index].Apply(fromArgs...))
	body = append(body, tr.Terms(x.Cond)...)
	used := append([]*logic.Term{}, x.Cond...)
	var head z3.Term
	if edge.To.Error {
		head = e.err.Apply(e.z.Int(0))
	} else {
		to := e.args[edge.To.Index]
		args := make([]z3.Term, len(to))
		for i, v := range to {
			t := x.Value(v.Sym)
			used = append(used, t)
			args[i] = tr.Term(t)
		}
		head = e.rels[edge.To.Index].Apply(args...)
	}
	e.rule("e"+strconv.Itoa(edge.Index), body, head, logic.FreeVars(used...), tr, from, opaques...)
}

// rule adds "body implies head" closed under the variables in it.
func (e *encoding) rule(name string, body []z3.Term, head z3.Term, free []*logic.Term, tr *smt.Translator, args []*ir.Var, more ...z3.Term) {
	bound := more
	seen := map[*logic.Term]bool{}
	add := func(t *logic.Term) {
		if !seen[t] {
			seen[t] = true
			bound = append(bound, tr.Term(t))
		}
	}
	for _, v := range args {
		add(v.Sym)
	}
	for _, t := range free {
		add(t)
	}
	clause := e.z.Implies(e.z.And(body...), head)
	if len(bound) > 0 {
		clause = e.z.Forall(bound, clause)
	}
	e.fp.AddRule(clause, name)
}

// path reads the clauses used from the query back to the start.
func (e *encoding) path() ([]*seqmc.Edge, error) {
	names, err := e.fp.RuleNamesAlongTrace()
	if err != nil {
		return nil, err
	}
	var path []*seqmc.Edge
	at := e.p.Entry
	for i := len(names) - 1; i >= 0; i-- {
		num, ok := strings.CutPrefix(names[i], "e")
		if !ok {
			continue // "init", and the query's own rule
		}
		k, err := strconv.Atoi(num)
		if err != nil || k >= len(e.p.Edges) {
			continue
		}
		edge := e.p.Edges[k]
		if edge.From != at {
			return nil, fmt.Errorf("trace is not a path: %s after %s", edge.Text, at.Name)
		}
		path, at = append(path, edge), edge.To
	}
	if !at.Error {
		return nil, fmt.Errorf("trace ends at %s", at.Name)
	}
	return path, nil
}

// invariants translates the relations' interpretations.
func (e *encoding) invariants() (map[*seqmc.Node]*logic.Term, error) {
	found, err := e.fp.Invariants(e.rels)
	if err != nil {
		return nil, err
	}
	out := map[*seqmc.Node]*logic.Term{}
	for i, inv := range found {
		node := e.p.Nodes[i]
		if node.Error {
			continue
		}
		names := map[string]*logic.Term{}
		for k, prm := range inv.Params {
			names[prm.DeclName()] = e.args[i][k].Sym
		}
		t, err := smt.FromZ3(e.p.L, inv.Body, func(n string) *logic.Term { return names[n] })
		if err != nil {
			return nil, err
		}
		out[node] = t
	}
	return out, nil
}

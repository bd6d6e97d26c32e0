package threadmodular

import (
	"context"
	"math/rand/v2"
	"slices"

	"comus/logic"
	"comus/logic/smt"
)

// lemmas is the strongest solution of a system's clauses (without those whose head is false) among conjunctions of candidates: bounds of
// variables; comparisons of two that the program relates, as they are or unless a flag has a value; what flags say about one another;
// what assignments define; and conditions under which a location is entered. Candidates that are not true are dropped one after another
// (Flanagan and Leino, Houdini, FME 2001). Threads with arguments of their own are told apart by such lemmas: "both have been
// created, and theirs differ", "none that was created has a number that main has not come to".
type lemmas struct {
	s       *system
	solver  *smt.Solver
	lifted  map[*logic.Term]*logic.Term   // parameters without their role
	values  map[*logic.Term][]logic.Value // all that a variable is ever given, if these are a few constants
	byRel   map[*relation][]lemma
	alive   map[*relation][]bool // nil of those that are not reached
	fewer   map[*relation]bool   // lemmas have been dropped, or it has been reached
	dropped int                  // lemmas so far
	left    map[*relation][]bool // the same, but for those of which only a run has shown that they are
	class   map[*logic.Term]*logic.Term
	guards  map[*logic.Term]map[*logic.Term]bool // of a shared variable: the flags that are read or set where it is set
	strides map[[2]*logic.Term]bool              // variables that may differ by multiples of 4
	sizes   map[*logic.Term][]logic.Value        // of fixed variables: those of objects that may cover one
	needed  map[*app][]use                       // by head: what was needed for a clause
	flags   map[*relation]map[guard]int          // the lemmas that a flag has a value
	rules   map[*thread]map[int][]*logic.Term    // what may hold at a location: definitions and conditions
	sums    map[*thread][]*logic.Term            // linear terms that a thread computes, which are compared like variables
	rnd     *rand.Rand
	pool    []logic.Value               // for inputs of runs
	of      map[*relation][]*logic.Term // the operands of comparisons: parameters and sums of them
}

// newLemmas finds out which variables the program relates.
func newLemmas(s *system, b *bounds) *lemmas {
	h := &lemmas{s: s, fewer: map[*relation]bool{}, rnd: rand.New(rand.NewPCG(1, 2)), solver: b.solver, lifted: b.lifted, values: map[*logic.Term][]logic.Value{}, byRel: map[*relation][]lemma{}, alive: map[*relation][]bool{}, class: map[*logic.Term]*logic.Term{},
		guards: map[*logic.Term]map[*logic.Term]bool{}, rules: map[*thread]map[int][]*logic.Term{}, sums: map[*thread][]*logic.Term{}, of: map[*relation][]*logic.Term{}, flags: map[*relation]map[guard]int{}, left: map[*relation][]bool{}, needed: map[*app][]use{}, strides: map[[2]*logic.Term]bool{}, sizes: map[*logic.Term][]logic.Value{}}
	tab := s.m.p.Symbols()
	h.enumerate(tab)
	h.findFixed()
	for _, t := range s.m.threads {
		h.rules[t] = map[int][]*logic.Term{}
		for _, n := range t.nodes {
			for _, bl := range t.out[n] {
				h.learn(tab, t, bl)
			}
		}
	}
	return h
}

// known returns what is left of the lemmas about a relation.
func (h *lemmas) known(r *relation) *logic.Term {
	var out []*logic.Term
	list, alive := h.candidates(r), h.alive[r]
	for i, m := range list {
		if alive[i] && !h.isImplied(r, m) {
			out = append(out, m.f)
		}
	}
	return h.s.l.And(out...)
}

// reached reports whether all relations of a clause's body are.
func (h *lemmas) reached(c clause) bool {
	return !slices.ContainsFunc(c.body, func(a app) bool { return h.alive[a.rel] == nil })
}

// solve drops candidates until all clauses hold that have a head.
func (h *lemmas) solve(ctx context.Context) error {
	h.carry()
	h.walk()
	clear(h.fewer)
	clauses := h.s.clauses
	uses := map[*relation][]int{}
	queued := make([]bool, len(clauses))
	var queue []int
	for i, c := range clauses {
		for _, a := range c.body {
			uses[a.rel] = append(uses[a.rel], i)
		}
		if len(c.body) == 0 && c.head != nil {
			queue, queued[i] = append(queue, i), true
		}
	}
	for len(queue) > 0 {
		next := 0 // a thread's own steps first
		for k, i := range queue {
			if len(clauses[i].body) < len(clauses[queue[next]].body) {
				next = k
			}
		}
		i := queue[next]
		queue, queued[i] = slices.Delete(queue, next, next+1), false
		if clauses[i].head == nil || !h.reached(clauses[i]) {
			continue
		}
		if err := h.apply(ctx, clauses[i]); err != nil {
			return err
		}
		for _, r := range h.s.order {
			for _, k := range uses[r] {
				if h.fewer[r] && !queued[k] {
					queue, queued[k] = append(queue, k), true
				}
			}
		}
		clear(h.fewer)
	}
	return nil
}

// operands returns the values of a relation's operands when it is applied to arguments.
func (h *lemmas) operands(m *smt.Model, a app) []logic.Value {
	h.candidates(a.rel)
	of := map[*logic.Term]logic.Value{}
	var values []logic.Value
	for i, p := range a.rel.params {
		of[p] = m.Eval(a.args[i])
		values = append(values, of[p])
	}
	for _, x := range h.of[a.rel][len(a.rel.params):] {
		values = append(values, logic.Eval(x, func(v *logic.Term) logic.Value { return of[v] }))
	}
	return values
}

// holds reports whether a lemma about a relation holds of values.
func (h *lemmas) holds(m lemma, r *relation, values []logic.Value) bool {
	if !m.isComparison() {
		return logic.Eval(m.f, func(v *logic.Term) logic.Value { return values[slices.Index(r.params, v)] }) != logic.IntValue(0)
	}
	return m.how.holds(values[m.x], values[m.y]) ||
		slices.ContainsFunc(m.guards, func(g guard) bool { return values[g.param] == logic.IntValue(g.value) })
}

// isImplied reports whether another lemma implies this one.
func (h *lemmas) isImplied(r *relation, m lemma) bool {
	return slices.ContainsFunc(m.implied, func(k int) bool { return h.alive[r][k] })
}

// drop drops the candidates about a relation that do not hold of these values, and makes it one that is reached.
func (h *lemmas) drop(r *relation, values []logic.Value) {
	h.refuted(r, values)
	if h.alive[r] == nil {
		h.alive[r], h.fewer[r] = h.left[r], true
	}
}

// refuted drops the candidates that do not hold of these values, which are those of a state that is reached.
func (h *lemmas) refuted(r *relation, values []logic.Value) {
	list := h.candidates(r)
	left := h.left[r]
	if left == nil {
		left = make([]bool, len(list))
		for i := range list {
			left[i] = true
		}
		h.left[r] = left
	}
	for i, m := range list {
		if left[i] && !h.holds(m, r, values) {
			left[i], h.fewer[r] = false, true
		}
	}
}

// proves reports whether what is known excludes all violations.
func (h *lemmas) proves(ctx context.Context) (bool, error) {
	for _, c := range h.s.clauses {
		if c.head != nil || !h.reached(c) {
			continue
		}
		if m, err := h.refute(ctx, c); m != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// invariants returns what is known at the relations.
func (h *lemmas) invariants() []Invariant {
	var out []Invariant
	for _, r := range h.s.order {
		if h.alive[r] != nil {
			out = append(out, Invariant{r.places, h.known(r)})
		}
	}
	return out
}

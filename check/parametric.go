package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"comus/ir"
	"comus/logic"
)

// # Proofs for every number of threads, and why they are proofs
//
// A program with replicated threads ([ir.Program.Replicated]) stands for many: with
// any number of instances of these, each of which owns mutexes in its own name. Take
// one of them. The certificate's cut-points are enough for it by the argument of the
// package comment: whether an edge is a right mover is decided for each pair of
// threads, with what is known of these two, which is an inductive invariant that is
// proved for each pair of threads as well. Three instances of each replicated thread
// ([ir.Program.Instances]) show all kinds of pairs, an instance and any other of the
// same thread among them, and beside each pair a third one; the instances differ in
// nothing but the value by which they own mutexes, which is only compared for equality
// (Instances sees to that). So there is an execution of blocks in which F fails. It is
// also one of the program in which all instances of a thread own mutexes in a common
// name: all conditions on mutexes are "it is free", "it is not free" and "it is mine",
// and they stay true. And it is one of the counted program, if the proof is about that:
// see [ir.Program.Counted]; as no Create edge is delayed (that is verified then), an
// instance still starts after the Create edge that stands for it. So it is one of the program with
// a census ([ir.Program.Census]), as no End edge is delayed either: who waits for an end does so after it; there, an instance
// that is at a place is one of those that are counted there ([present]), but for entries and ends. Below, all instances are there from the start, waiting at their entries
// for their Created flag, which gives more executions only.
//
// Size 1. Inv(t, n) is a formula over the shared variables and t's local ones. The
// claim, for every state of such an execution and every instance: if it is one of t
// and at node n, then Inv(t, n) holds. It holds initially. Let an instance y make a
// piece of a block. For y itself, its invariant at the new node is proved from the one
// at the old. Every other instance x is at a cut-point, and its invariant is proved to
// hold after the piece from both invariants before it: for each pair of threads, a
// replicated one with itself, too; but for places where both surely hold the same lock
// ([heldLocks]): there are no two instances together.
//
// Placed. Inv(t, n) may also mention the pcs of the threads other than t that are not
// replicated: of each of these there is one instance, and its pc is where that is. When an
// instance moves, all others are at cut-points.
//
// Size 2. Inv(t, n; u, m) is a formula over the shared variables, t's local ones and,
// with names that start with "other:", u's local ones. The claim is for every two
// instances, and in both orders. A piece of a block by y: for each pair of y and
// another instance b, the invariant is proved from the one before; for each pair of
// two others a and b, which are at cut-points, from those of the three pairs before.
// No pair has both at nodes that are no cut-points, as one moves at a time.
//
// An instance of t cannot pass a piece that ends in an error location: size 1, as its
// invariant contradicts; size 2, as for one certain thread u (one for each such piece), of
// which there is another instance for sure, all invariants of the pair contradict.

// ParametricProof is the proof of a program with any number of threads.
type ParametricProof struct {
	// Size is the number of threads that an invariant is about: 1 or 2.
	Size int `json:"size"`
	// Placed tells that invariants, of size 1, mention the pcs of other threads.
	Placed bool `json:"placed,omitempty"`
	// Counted tells that the proof is about the program with counters.
	Counted bool `json:"counted,omitempty"`
	// Owned tells that the proof is about the program in which locks have owners ([ir.Program.Owned]); the nodes are that program's.
	Owned bool `json:"owned,omitempty"`
	// Census tells that the proof is about the program that counts its threads at the cut-points.
	Census     bool                  `json:"census,omitempty"`
	Invariants []ParametricInvariant `json:"invariants"`
}

// ParametricInvariant is a formula that holds whenever threads are at certain nodes.
// Where there is none, no threads are at these nodes together.
type ParametricInvariant struct {
	At      []At   `json:"at"` // Size many, in ascending order
	Formula string `json:"formula"`
}

// At is a location of a thread.
type At struct {
	Thread int `json:"thread"`
	Loc    int `json:"loc"`
}

// otherPrefix marks, in a formula about two threads, local variables of the second.
const otherPrefix = "other:"

// Parametric is [Safe] for a certificate with a parametric proof; p may have
// replicated threads.
func Parametric(ctx context.Context, p *ir.Program, c *Certificate) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the certificate could not be checked: %v", r)
		}
	}()
	if c == nil || c.Verdict != "SAFE" || c.Parametric == nil || len(c.Runs) > 0 {
		return errors.New("the certificate is not one of safety for every number of threads")
	}
	if c.Parametric.Size != 1 && c.Parametric.Size != 2 {
		return fmt.Errorf("there are no proofs about %d threads at a time", c.Parametric.Size)
	}
	if c.Parametric.Placed && c.Parametric.Size != 1 {
		return errors.New("there are no proofs about two threads that know the places of others")
	}
	if c.Parametric.Owned {
		p, _ = p.Owned()
	}
	if err := checkInstances(ctx, p, c); err != nil {
		return err
	}
	p, head, err := counted(p, c)
	if err != nil {
		return err
	}
	if index, _ := p.Cells(); index != nil && (c.Parametric.Size != 1 || c.Parametric.Counted || c.Parametric.Census) {
		return errors.New("there are no proofs of this kind about programs with cells")
	}
	pr, err := newProgram(p)
	if err != nil {
		return err
	}
	pr.noValues = true
	if err := pr.readThreads(c); err != nil {
		return err
	}
	prover, err := newProver(ctx, p.L)
	if err != nil {
		return err
	}
	defer prover.s.Close()
	k := &parametric{pr: pr, l: p.L, prover: prover, size: c.Parametric.Size, placed: c.Parametric.Placed, held: newHeldLocks(p), head: head, inv: map[[2]At]*logic.Term{}}
	if err := k.read(c.Parametric.Invariants); err != nil {
		return err
	}
	if k.size == 1 {
		return k.checkSingles()
	}
	return k.checkPairs()
}

// checkInstances verifies that the cut-points are enough.
func checkInstances(ctx context.Context, p *ir.Program, c *Certificate) error {
	many, err := p.Instances(3)
	if err != nil {
		return err
	}
	pr, err := newProgram(many)
	if err != nil {
		return err
	}
	expanded := &Certificate{}
	for _, t := range c.Threads {
		if t.Thread < 0 || t.Thread >= len(p.Threads) {
			return fmt.Errorf("the program has no thread %d", t.Thread)
		}
		expanded.Threads = append(expanded.Threads, t)
		rep := p.Replicated()
		for i, r := range rep {
			for j := len(p.Threads) + i; r.Index == t.Thread && j < len(many.Threads); j += len(rep) {
				expanded.Threads = append(expanded.Threads, Thread{Thread: j, Nodes: t.Nodes, Cuts: t.Cuts})
			}
		}
	}
	if err := pr.readNodes(expanded); err != nil { // what is between them is for the caller: it is the same for all instances
		return err
	}
	prover, err := newProver(ctx, p.L)
	if err != nil {
		return err
	}
	defer prover.s.Close()
	return (&checker{pr: pr, prover: prover}).checkCuts()
}

// counted returns the program that the proof is about: p, or one that counts, with what a census counts with.
func counted(p *ir.Program, c *Certificate) (_ *ir.Program, head *ir.Headcount, _ error) {
	switch proof := c.Parametric; {
	case proof.Counted && proof.Census:
		return nil, nil, errors.New("there are no proofs with counters of two kinds")
	case proof.Counted:
		if err := atOnce(p, c, func(e *ir.Edge) bool { return e.Kind == ir.Create && p.Threads[e.Thread].Replicated }); err != nil {
			return nil, nil, err
		}
		p, _ = p.Counted()
	case proof.Census:
		if err := atOnce(p, c, func(e *ir.Edge) bool {
			return e.Kind == ir.Create || e.Kind == ir.End && e.From.Thread.Replicated
		}); err != nil {
			return nil, nil, err
		}
		places := make([][]bool, len(p.Threads))
		for i, t := range p.Threads {
			places[i] = make([]bool, len(t.Locs))
		}
		for _, ct := range c.Threads {
			for _, n := range ct.Cuts {
				places[ct.Thread][n] = true
			}
		}
		p, head = p.Census(places)
	}
	return p, head, nil
}

// atOnce verifies that edges are not taken for right movers: they lead to cut-points, or into atomic sections.
func atOnce(p *ir.Program, c *Certificate, which func(*ir.Edge) bool) (err error) {
	for _, ct := range c.Threads {
		cut := map[int]bool{}
		for _, n := range ct.Cuts {
			cut[n] = true
		}
		p.Threads[ct.Thread].Edges(func(e *ir.Edge) {
			if which(e) && !e.To.Atomic && !cut[e.To.Index] {
				err = fmt.Errorf("thread %d: location %d has to be a cut-point: instances are counted there", ct.Thread, e.To.Index)
			}
		})
	}
	return err
}

// parametric is the check of a parametric proof.
type parametric struct {
	pr     *program
	l      *logic.Store
	prover *prover
	size   int
	placed bool
	held   heldLocks
	head   *ir.Headcount         // nil without a census
	inv    map[[2]At]*logic.Term // size 1: both places are the same
	rename [3]map[*logic.Term]*logic.Term
}

// runner is an instance at a node. The role tells instances apart: 0 has the local
// variables of its thread by their names.
type runner struct {
	t    *thread
	loc  int
	role int
}

func (x runner) at() At { return At{x.t.Index, x.loc} }

func before(a, b At) bool { return a.Thread < b.Thread || a.Thread == b.Thread && a.Loc < b.Loc }

// read reads the invariants.
func (k *parametric) read(list []ParametricInvariant) error {
	for r, prefix := range [3]string{"", otherPrefix, "third:"} {
		k.rename[r] = map[*logic.Term]*logic.Term{}
		for _, v := range k.pr.Vars {
			if prefix != "" && strings.HasPrefix(v.Name, prefix) {
				return fmt.Errorf("the program has a variable %q", v.Name)
			}
			if v.Thread != ir.Shared && prefix != "" {
				k.rename[r][v.Sym] = k.l.Var(prefix+v.Name, logic.Int)
			}
		}
	}
	for i, in := range list {
		if len(in.At) != k.size {
			return fmt.Errorf("invariant %d is about %d threads", i+1, len(in.At))
		}
		for _, a := range in.At {
			if a.Thread < 0 || a.Thread >= len(k.pr.threads) {
				return fmt.Errorf("invariant %d: there is no thread %d", i+1, a.Thread)
			}
			if t := k.pr.threads[a.Thread]; a.Loc < 0 || a.Loc >= len(t.Locs) || !t.node[a.Loc] || t.Locs[a.Loc].Error {
				return fmt.Errorf("invariant %d: location %d is no node of thread %d", i+1, a.Loc, a.Thread)
			}
		}
		key := [2]At{in.At[0], in.At[k.size-1]}
		if before(key[1], key[0]) || k.inv[key] != nil {
			return fmt.Errorf("invariant %d: its places are not in order, or have one already", i+1)
		}
		f, err := k.parse(in.Formula, key)
		if err != nil {
			return fmt.Errorf("invariant %d: %w", i+1, err)
		}
		k.inv[key] = f
	}
	return nil
}

// parse reads the formula at places.
func (k *parametric) parse(text string, key [2]At) (*logic.Term, error) {
	f, err := k.l.Parse(text, func(name string) (logic.Sort, bool) {
		if n, ok := strings.CutPrefix(name, otherPrefix); ok {
			v := k.pr.vars[n]
			return logic.Int, k.size == 2 && v != nil && v.Thread == key[1].Thread
		}
		if t, ok := k.pr.pcs[name]; ok {
			return logic.Int, k.placed && t != key[0].Thread && !k.pr.Threads[t].Replicated
		}
		v := k.pr.vars[name]
		return logic.Int, v != nil && (v.Thread == ir.Shared || v.Thread == key[0].Thread)
	})
	if err == nil && f.Sort() != logic.Bool {
		err = errors.New("the expression is not a formula")
	}
	return f, err
}

// single returns the invariant of an instance.
func (k *parametric) single(x runner) *logic.Term {
	if f := k.inv[[2]At{x.at(), x.at()}]; f != nil {
		return k.l.Subst(f, k.rename[x.role])
	}
	return k.l.False()
}

// pair returns the invariants of two instances, in both orders.
func (k *parametric) pair(a, b runner) *logic.Term {
	return k.l.And(k.ordered(a, b), k.ordered(b, a))
}

func (k *parametric) ordered(a, b runner) *logic.Term {
	if before(b.at(), a.at()) {
		a, b = b, a
	}
	f := k.inv[[2]At{a.at(), b.at()}]
	if f == nil {
		return k.l.False()
	}
	sub := map[*logic.Term]*logic.Term{}
	for s, r := range k.rename[1] { // s is local, r its name for the second
		sub[s], sub[r] = k.as(a, s), k.as(b, s)
	}
	return k.l.Subst(f, sub)
}

// as gives the local variables of a term the names of an instance.
func (k *parametric) as(x runner, t *logic.Term) *logic.Term { return k.l.Subst(t, k.rename[x.role]) }

// move is a piece of a block, made by an instance.
type move struct {
	cond  *logic.Term
	after map[*logic.Term]*logic.Term
}

func (k *parametric) move(x runner, b *block) move {
	m := move{k.as(x, b.cond), map[*logic.Term]*logic.Term{}}
	for s, v := range b.env {
		m.after[k.as(x, s)] = k.as(x, v)
	}
	return m
}

// changes reports whether the move may change one of some variables.
func (m move) changes(vars map[*logic.Term]bool) bool {
	for v, value := range m.after {
		if v != value && vars[v] {
			return true
		}
	}
	return false
}

// kept proves that goal holds after the move if hyp holds before. What the move does not change and hyp says is not put to the solver.
func (k *parametric) kept(what string, hyp *logic.Term, m move, goal *logic.Term) error {
	if hyp.IsFalse() {
		return nil
	}
	known := k.prover.conjuncts(hyp)
	var open []*logic.Term
	for _, c := range logic.Conjuncts(k.l.Subst(goal, m.after)) {
		if !known[c] {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return k.prove(what, k.l.And(hyp, m.cond), k.l.And(open...))
}

// keptAlone returns what is left of goal without the conjuncts that are kept by the move from a part of what is known: each by
// itself and by, what is known of the instance that moves. Many invariants have the same conjuncts, which are then proved once.
func (k *parametric) keptAlone(by *logic.Term, m move, goal *logic.Term) *logic.Term {
	var left []*logic.Term
	known := k.prover.conjuncts(by)
	for _, c := range logic.Conjuncts(goal) {
		after := k.l.Subst(c, m.after)
		if after == c || after.IsTrue() || known[after] {
			continue
		}
		if ok, err := k.prover.valid(k.l.And(by, m.cond, c), after); !ok || err != nil {
			left = append(left, c)
		}
	}
	return k.l.And(left...)
}

func (k *parametric) prove(what string, hyp, goal *logic.Term) error {
	ok, err := k.prover.valid(hyp, goal)
	switch {
	case err != nil:
		return fmt.Errorf("%s: undecided: %w", what, err)
	case !ok:
		return fmt.Errorf("%s: this does not hold", what)
	}
	return nil
}

// initially returns the condition on the variables at the start.
func (k *parametric) initially(xs ...runner) *logic.Term {
	var out []*logic.Term
	for _, v := range k.pr.Vars {
		f := k.pr.InRange(v)
		if v.Init != nil {
			f = k.l.Eq(v.Sym, k.l.Value(*v.Init))
		}
		if v.Thread == ir.Shared {
			out = append(out, f)
		}
		for _, x := range xs {
			if v.Thread == x.t.Index {
				out = append(out, k.as(x, f))
			}
		}
	}
	for _, t := range k.pr.threads {
		out = append(out, k.l.Eq(t.PC, k.l.Int(int64(t.Entry.Index))))
	}
	return k.l.And(out...)
}

// pieces calls f with each piece of a block that leads to a node.
func (k *parametric) pieces(t *thread, role int, f func(x runner, b *block) error) error {
	for _, n := range t.nodes {
		for _, b := range t.out[n] {
			if b.to.Error {
				continue
			}
			if err := f(runner{t, n, role}, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutPoints returns the instances at a cut-point.
func cutPoints(t *thread, role int) []runner {
	var out []runner
	t.cuts(func(n int) { out = append(out, runner{t, n, role}) })
	return out
}

// another reports whether there can be an instance of u beside some of ts.
func another(u *thread, ts ...*thread) bool {
	for _, t := range ts {
		if t == u && !u.Replicated {
			return false
		}
	}
	return true
}

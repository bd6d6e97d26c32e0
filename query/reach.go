package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"comus/cutpoints"
	"comus/envmove"
	"comus/internal/timing"
	"comus/logic"
	"comus/seqmc"
	"comus/z3"
)

// Answer is the answer of an environment query (CoMuS paper, Definition 1).
type Answer struct {
	// Ways are the environment's ways to β; nil stands for FALSE. The first
	// one's Psi meets α.
	Ways []Way
	// Refined is what env_move learned from FALSE: a pair that includes the one
	// asked about.
	Refined *Refinement
}

// Way is a way of the environment to β: from every state of Psi the steps in Plan
// lead there.
type Way struct {
	Psi  *logic.Term
	Plan []*cutpoints.Block
}

// ReachEnv asks whether the environment of level index can move from a reachable
// state in α to one in β. On FALSE, env_move of that level has been refined when
// it returns.
func (h *Hierarchy) ReachEnv(ctx context.Context, index int, q *QueryDetail) (*Answer, error) {
	l := h.P.L
	start := q.Alpha
	if q.Exact != nil {
		start = append(slices.Clone(start), q.Exact)
	}
	st, _, err := h.solver.Check(ctx, append(slices.Clone(start), q.Beta)...)
	switch st {
	case z3.Unknown:
		return nil, solverError(ctx, err)
	case z3.Sat:
		return &Answer{Ways: []Way{{Psi: q.Beta}}}, nil // zero steps
	}
	h.Stats.Queries++
	key := goalKey{index + 1, q.Beta}
	if h.promises[key] == nil {
		h.promises[key] = map[int][]*Target{}
	}
	goal := &Target{Cond: q.Beta}
	out, proof, err := h.decide(ctx, h.promises[key], func(promises map[int][]*Target) *Level {
		return h.NewLevel(index+1, q, goal, promises)
	})
	if err != nil {
		return nil, err
	}
	ans := &Answer{}
	if proof == nil {
		ans.Ways = out.ways
	} else {
		ans.Refined, err = h.refine(ctx, index, q, proof)
		if err != nil {
			return nil, err
		}
	}
	if h.Observe != nil {
		e := Event{Kind: Answered, Level: index + 1, Stats: h.Snapshot(), Alpha: l.And(q.Alpha...), Beta: q.Beta, Answer: l.False(), Refined: ans.Refined, Query: q}
		if ans.Ways != nil {
			e.Answer, e.Plan, e.More = ans.Ways[0].Psi, ans.Ways[0].Plan, ans.Ways[1:]
		}
		h.Observe(e)
	}
	return ans, nil
}

// decide runs the loop of Algorithm 1 on a level's program until it is proved
// safe or a violation is real. promises has those known; what is found is added.
func (h *Hierarchy) decide(ctx context.Context, promises map[int][]*Target, build func(promises map[int][]*Target) *Level) (*outcome, *Proof, error) {
	precise := false
	for {
		lv := build(promises)
		r, err := h.check(ctx, lv, precise)
		if err != nil {
			return nil, nil, err
		}
		switch r.Verdict {
		case seqmc.Safe:
			return nil, lv.Proof(r.Invariants), nil
		case seqmc.Unknown:
			return nil, nil, fmt.Errorf("%w: %s", ErrUnknown, r.Reason)
		}
		if steps, err := lv.concretize(ctx, r.Path); steps != nil || err != nil {
			return &outcome{real: true, blocks: steps}, nil, err
		}
		out, err := lv.analyze(ctx, r.Path)
		switch {
		case errors.Is(err, errSpurious) && !precise && h.Precise != nil:
			precise = true
			continue
		case errors.Is(err, errSpurious):
			return nil, nil, fmt.Errorf("%w: the sequential checker found a path that its approximation of arithmetic allows only", ErrUnknown)
		case err != nil:
			return nil, nil, err
		case out.real:
			return out, nil, nil
		}
	}
}

// concretize tries to realise the main thread's path of a violation in normal
// mode at once; see Hierarchy.Concretize.
func (lv *Level) concretize(ctx context.Context, path []*seqmc.Edge) ([]*cutpoints.Block, error) {
	h := lv.h
	if h.Concretize == nil || lv.query != nil {
		return nil, nil
	}
	tr, err := lv.trace(path)
	if err != nil {
		return nil, err
	}
	main := blocks(tr.items)
	for _, b := range tr.target.Plan { // how a promise of error goes on
		if b.From.Thread == lv.Thread {
			main = append(main, b)
		}
	}
	defer h.timings.Start(timing.Concretization)()
	start := time.Now()
	steps, err := h.Concretize(ctx, main)
	h.Stats.Concretized++
	h.Stats.ConcretizeTime += time.Since(start)
	return steps, err
}

// Main runs MainThreadCheck (CoMuS paper, Algorithm 1) on level 1. It returns
// the proof of safety, or the steps of a violation from the initial state.
func (h *Hierarchy) Main(ctx context.Context) (*Proof, []*cutpoints.Block, error) {
	out, proof, err := h.decide(ctx, map[int][]*Target{}, func(promises map[int][]*Target) *Level {
		return h.NewLevel(0, nil, nil, promises)
	})
	if err != nil || proof != nil {
		return proof, nil, err
	}
	return nil, out.blocks, nil
}

// refine generalises a pair whose query was answered FALSE and refines env_move
// with it.
func (h *Hierarchy) refine(ctx context.Context, index int, q *QueryDetail, proof *Proof) (*Refinement, error) {
	g := generalizer{h: h, index: index, alpha: q.Alpha, beta: logic.Conjuncts(q.Beta), proof: proof}
	if !h.Options.NoGeneralize || q.Exact != nil { // an exact α has to be weakened to a formula without hidden variables
		if err := g.run(ctx); err != nil {
			return nil, err
		}
	}
	h.number++
	r := &Refinement{&envmove.Refinement{Alpha: h.P.L.And(g.alpha...), Beta: h.P.L.And(g.beta...), Number: h.number}, g.proof}
	h.Moves[index].Refine(r.Refinement)
	h.Refinements[index] = append(h.Refinements[index], r)
	h.Stats.Refinements++
	return r, nil
}

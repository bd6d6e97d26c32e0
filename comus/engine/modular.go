package engine

import (
	"context"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/ir"
	"comus/query"
	"comus/resourceinv"
	"comus/seqmc"
	"comus/seqmc/spacer"
)

// Modular is the hierarchical modular algorithm of the CoMuS paper: each thread with
// assertions is the main thread in turn, the others are its environment (package query).
type Modular struct{}

// Name returns the engine's name.
func (Modular) Name() string { return "modular" }

// Decide runs the algorithm.
func (Modular) Decide(ctx context.Context, t *Task) (Answer, error) {
	m := &modular{Task: t, p: t.Program, graphs: t.Graphs}
	return m.decide(ctx)
}

// modular is one run of the modular algorithm.
type modular struct {
	*Task
	p      *ir.Program
	graphs []*cutpoints.Graph
	facts  *locpairs.Facts // about all threads; nil until they are needed
	// used has the facts that the runs so far were proved with, factsUsed tells
	// whether those about all threads are among them.
	used      []*locpairs.Facts
	factsUsed bool
	protected []resourceinv.Invariant // see resources; nil until it is looked for
	stats     query.Stats
}

// decide takes each thread with assertions as the main thread in turn.
func (m *modular) decide(ctx context.Context) (Answer, error) {
	named, err := NamedOrder(m.p, m.Options.Order)
	if err != nil {
		return Answer{}, err
	}
	cert := &check.Certificate{}
	for _, t := range m.p.Threads {
		if !t.HasErrors() {
			continue
		}
		run, blocks, err := m.mainThread(ctx, m.order(t.Index, named))
		if err != nil {
			return Answer{Stats: m.stats}, err
		}
		if blocks != nil {
			return Answer{Verdict: seqmc.Unsafe, Steps: edgesOf(blocks), Stats: m.stats}, nil
		}
		cert.Runs = append(cert.Runs, *run)
	}
	m.describeThreads(cert)
	return Answer{Verdict: seqmc.Safe, Proof: cert, Stats: m.stats}, nil
}

// edgesOf returns the edges of blocks, one after another.
func edgesOf(blocks []*cutpoints.Block) []*ir.Edge {
	var edges []*ir.Edge
	for _, b := range blocks {
		edges = append(edges, b.Edges...)
	}
	return edges
}

// hierarchy runs the modular algorithm with the first thread of an order as main.
// If first is not nil, only one sequential check is made; it starts as false.
func (m *modular) hierarchy(ctx context.Context, order []int, facts *locpairs.Facts, first *bool) (*check.Run, []*cutpoints.Block, error) {
	fast, precise := m.checkers()
	h, err := query.New(m.p, m.graphs, facts, order, fast, m.Log.Named("query"))
	if err != nil {
		return nil, nil, err
	}
	defer h.Close()
	h.Precise = precise
	if first != nil {
		h.Checker, h.Precise = firstOnly{h.Checker, first}, firstOnly{h.Precise, first}
	}
	h.Options = m.Options.Query
	h.Stats = m.stats
	h.Observe = m.Options.Observe
	h.Measure(m.Options.Timings)
	if !m.Options.NoConcretize {
		c := concretizer{m: m, main: order[0], start: m.start}
		h.Concretize = c.find
	}
	if first != nil {
		h.Concretize = firstCounterexample(h.Concretize)
	}
	m.Log.Info("main thread", "thread", m.p.Threads[order[0]].Name, "order", order)
	proof, blocks, err := h.Main(ctx)
	m.stats = h.Snapshot()
	if err != nil || proof == nil {
		return nil, blocks, err
	}
	run := certificateRun(h, proof)
	return &run, nil, nil
}

// checkers returns the sequential model checkers: the one to ask first, and the one for
// counterexamples that turn out not to be any.
func (m *modular) checkers() (fast, precise seqmc.Checker) {
	if c := m.Options.Checker; c != nil {
		return c, c
	}
	alone, log := m.Options.Query.NoParallel, m.Log.Named("spacer")
	return &spacer.Checker{Alone: alone, Log: log}, &spacer.Checker{Ranges: true, Alone: alone, Log: log}
}

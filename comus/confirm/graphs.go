package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"comus/check"
	"comus/cir/interp/graphs"
	"comus/ir"
	"comus/memory"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// AssumeOrder is what is taken for granted where an execution is one after the other step of its threads although the program's memory orders promise less.
const AssumeOrder = specialise.AssumeOrder

// mostJudged is how many graphs are judged axiom by axiom.
const mostJudged = 2000

// Graphs confirms that no execution of the whole program violates a property, by its execution graphs. They are visited once more, in another order, and have to be as many, and the same; the first
// of them are judged by the axioms of the memory model as the papers have them.
func (w *Whole) Graphs(ctx context.Context, cert *check.Certificate) (Answer, error) {
	start := time.Now()
	model, err := modelOf(w.ID.MemoryModel)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case cert.Graphs == nil || cert.Method != check.MethodGraphs || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate has no execution graphs")
	case cert.Scan != nil || cert.Values != nil || cert.Orders != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Suspects)+len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which execution graphs are not made with")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0 || w.ID.Parametric || w.ID.Atomic != "step":
		return Answer{}, errors.New("execution graphs are those of all of the program")
	}
	targets, err := GraphTargets(w.ID)
	if err != nil {
		return Answer{}, err
	}
	judged, wrong := 0, ""
	all, err := directed.Graphs(ctx, w.Program, targets, directed.GraphOptions{Model: model, Last: true, Each: func(ex *graphs.Execution) {
		if judged++; judged > mostJudged || wrong != "" {
			return
		}
		if err := allowed(ex.Graph, model); err != nil {
			wrong = err.Error()
		}
	}})
	switch {
	case err != nil:
		return Answer{}, err
	case wrong != "":
		return Answer{}, fmt.Errorf("the proof was not confirmed: %s", wrong)
	case !all.Complete:
		return Answer{}, fmt.Errorf("the proof was not confirmed: %s", all.Why)
	case slices.Contains(all.Shown, true):
		return Answer{}, errors.New("the proof was not confirmed: an execution violates the property")
	case all.Executions != cert.Graphs.Executions || all.Sum != cert.Graphs.Sum:
		return Answer{}, fmt.Errorf("the proof was not confirmed: there are %d execution graphs, not %d, or others", all.Executions, cert.Graphs.Executions)
	}
	out := *cert
	out.Program, out.Assumptions = w.ID, all.Assumed
	return Answer{verdict: seqmc.Safe, cert: &out, assumptions: all.Assumed, took: time.Since(start)}, nil
}

// GraphTargets returns what violates the properties that are asked about; the error is for one that execution graphs say nothing about.
func GraphTargets(id check.Program) (targets []directed.Target, err error) {
	about, err := specialise.ChecksNamed(id.Check)
	if err != nil {
		return nil, err
	}
	for _, name := range about.Names() {
		switch name {
		case specialise.Assert, specialise.Race, specialise.Memory, specialise.Overflows:
			targets = append(targets, TargetOf(name, id.Overflow == "wrap"))
		default:
			return nil, fmt.Errorf("execution graphs say nothing about the property %s", name)
		}
	}
	return targets, nil
}

// modelOf returns the memory model that a certificate names.
func modelOf(name string) (memory.Model, error) {
	if name == "" {
		return memory.RC11, nil
	}
	m, err := memory.ParseModel(name)
	if err == nil && m == memory.RC11 {
		err = errors.New("the certificate names the memory model that is meant anyway")
	}
	return m, err
}

// allowed returns an error unless a memory model allows a graph.
func allowed(g *memory.Graph, m memory.Model) error {
	if err := g.Check(); err != nil {
		return err
	}
	if v := g.Violations(m); len(v) > 0 {
		return fmt.Errorf("the memory model %s forbids the execution: %s", m, v[0].Axiom)
	}
	return nil
}

// allowed returns an error unless the memory model that is asked about allows an execution.
func (w *Whole) allowed(ex *certificate.Execution) error {
	if ex.Graph == nil {
		return nil // one step after the other: that is allowed by all models
	}
	m, err := modelOf(w.ID.MemoryModel)
	switch {
	case err != nil:
		return err
	case len(ex.Turns) > 0:
		return errors.New("the execution is one by a graph, and one by turns")
	}
	return allowed(ex.Graph, m)
}

// VolatileRelaxed is the approximation by which an access of a volatile object is a relaxed atomic one. C calls it a data race if another thread accesses the object at the same time. Processors that reorder more
// than x86 does let such accesses pass one another as relaxed ones, but keep more of their order: that of accesses that depend on one another. So nothing is UNSAFE because of it.
const VolatileRelaxed = "volatile accesses as relaxed ones"

// volatile returns what an execution depends on if C11 allows it for no other reason than that accesses of volatile objects count as relaxed; nil: it does not. The store buffers of TSO and PSO hold such accesses as all others.
func (w *Whole) volatile(ex *certificate.Execution) []ir.Approximation {
	m, err := modelOf(w.ID.MemoryModel)
	if ex.Graph == nil || err != nil || m != memory.RC11 {
		return nil
	}
	i := ex.Graph.DependsOnVolatile(m)
	if i < 0 {
		return nil
	}
	return []ir.Approximation{{Name: VolatileRelaxed, Pos: posAt(ex.Graph.Events[i].At)}}
}

// posAt takes a place of an event apart, "file:line:column".
func posAt(at string) ir.Pos {
	parts := strings.Split(at, ":")
	n := len(parts)
	if n < 3 {
		return ir.Pos{}
	}
	line, err := strconv.Atoi(parts[n-2])
	col, err2 := strconv.Atoi(parts[n-1])
	if err != nil || err2 != nil {
		return ir.Pos{}
	}
	return ir.Pos{File: strings.Join(parts[:n-2], ":"), Line: line, Col: col}
}

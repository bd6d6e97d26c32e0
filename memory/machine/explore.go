package machine

import (
	"crypto/sha256"
	"fmt"

	"comus/memory"
)

// Options say how much is explored, and by which machine.
type Options struct {
	States int // at most; 0: 1,000,000
	// Global has seq_cst fences share one view, as Kang et al. define them, for programs under RC11 whose only seq_cst instructions are fences.
	Global bool
}

// Execution is one way through a program to the end of all threads.
type Execution struct {
	Graph     *memory.Graph // first the initial writes of all locations, then the events thread by thread
	Registers [][Registers]uint64
	Memory    [MaxLocations]uint64
}

// Result has the executions of a program, one for each execution graph.
type Result struct {
	Executions []*Execution
	States     int
	Complete   bool // there are no others: no limit was met
}

// machine is one state of an operational semantics.
type machine interface {
	// successors calls visit with all states that one step leads to.
	successors(visit func(machine))
	// encode appends what tells a state from others.
	encode([]byte) []byte
	// base returns what all machines have.
	base() *state
}

// Explore visits all states that a program can reach under a memory model.
func Explore(p Program, m memory.Model, opt Options) (*Result, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if opt.States == 0 {
		opt.States = 1_000_000
	}
	var first machine
	switch {
	case m != memory.RC11:
		first = newBuffers(p, m)
	case opt.Global && !p.onlyFencesAreSeqCst():
		return nil, fmt.Errorf("seq_cst accesses have no rule for one global view")
	default:
		first = newViews(p, opt.Global)
	}
	r := &Result{Complete: true}
	seen, graphs := map[[sha256.Size]byte]bool{}, map[[sha256.Size]byte]bool{}
	var buffer []byte
	var todo []machine
	visit := func(x machine) {
		buffer = x.encode(buffer[:0])
		if k := sha256.Sum256(buffer); !seen[k] {
			seen[k] = true
			todo = append(todo, x)
		}
	}
	visit(first)
	for len(todo) > 0 {
		if len(seen) > opt.States {
			r.Complete = false
			break
		}
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s := x.base()
		if s.complete() {
			buffer = s.encode(buffer[:0])
			if k := sha256.Sum256(buffer); !graphs[k] {
				graphs[k] = true
				r.Executions = append(r.Executions, s.execution())
			}
			continue
		}
		x.successors(visit)
		r.Complete = r.Complete && !s.bound
	}
	r.States = len(seen)
	return r, nil
}

// execution describes a complete state.
func (s *state) execution() *Execution {
	e := &Execution{Graph: s.graph()}
	for t := range s.threads {
		e.Registers = append(e.Registers, s.threads[t].registers)
	}
	for l, writes := range s.mo {
		e.Memory[l] = s.value(writes[len(writes)-1])
	}
	return e
}

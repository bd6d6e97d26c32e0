// Package memory says which executions a memory model allows: sequential consistency, the store buffers of TSO and PSO, and RC11, a repaired C11.
//
// An execution is a graph. Its nodes are events: reads, writes and fences. Its edges say which write each read reads from (rf) and in which order
// the writes to each location take effect (modification order, mo). What a thread does first is before what it does later (program order, po).
// From these a model derives more relations and forbids some cycles: each such prohibition is an axiom. There is no state and no time:
// a graph is consistent with a model if and only if all axioms hold, and the behaviours of a program are its consistent graphs.
//
// This is the reference semantics of memory orders; whatever else gives them a meaning is tested against it. The axioms stand twice: in axioms.go and
// machine.go as in the papers, one expression of relations each, for reports, checkers and people ([Graph.Violations]), and in closed forms
// that are fast enough for who asks about millions of graphs ([Graph.Consistent]; fast.go, psc.go). Tests compare the two.
//
// RC11 is the model of Lahav, Vafeiadis, Kang, Hur and Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017. TSO and PSO are the axiomatic ones of
// Alglave, Maranget and Tautschnig: Herding Cats, TOPLAS 2014, with seq_cst stores, read-modify-writes and seq_cst fences as full fences, and, on PSO,
// release stores and release fences as barriers between writes.
package memory

import (
	"fmt"

	"comus/cir"
)

// Model is a memory model.
type Model uint8

// The memory models. TSO is weaker than SC, and PSO than TSO; RC11 is weaker than SC, and cannot be compared with the others.
const (
	RC11 Model = iota // C11 as repaired, without cycles of program order and reads-from
	SC                // sequential consistency: one order of all events, each read reads the latest write
	TSO               // total store order, x86: writes wait in a buffer of their thread, first in, first out
	PSO               // partial store order: one such buffer for each location
)

var modelNames = [...]string{SC: "sc", TSO: "tso", PSO: "pso", RC11: "c11"}

// String returns the model's name on the command line.
func (m Model) String() string { return modelNames[m] }

// ParseModel returns the model of a name.
func ParseModel(name string) (Model, error) {
	for m, s := range modelNames {
		if s == name {
			return Model(m), nil
		}
	}
	return 0, fmt.Errorf("unknown memory model %q (sc, tso, pso, c11)", name)
}

// Kind says what an event does.
type Kind uint8

// The kinds of events. Other only orders: the creation of a thread, its end, waiting for the end. TSO and PSO take it for a full fence, unless it has
// a location: such an event is an input of the program, which orders nothing.
const (
	Read Kind = iota
	Write
	Fence
	Other
)

var kindNames = [...]string{Read: "read", Write: "write", Fence: "fence", Other: "other"}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[k] }

// MarshalText returns the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(kindNames[k]), nil }

// UnmarshalText sets the kind of a name.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, s := range kindNames {
		if s == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("no kind of an event: %q", text)
}

// Event is one step of an execution.
type Event struct {
	Thread int       `json:"thread"` // a small number; -1: an initial write
	Kind   Kind      `json:"kind"`
	Loc    uint64    `json:"loc,omitempty"`   // of Read and Write: the location, an opaque number; of Other: which kind of input it is, 0 for none
	Order  cir.Order `json:"order,omitempty"` // cir.Plain for initial writes
	// Exclusive marks the halves of a read-modify-write: the Read is followed in its thread at once by its Write, and both have the
	// order of the whole (a release update is a relaxed read and a release write). A compare-exchange that fails is a Read, not Exclusive.
	Exclusive bool `json:"exclusive,omitempty"`
	Full      bool `json:"full,omitempty"` // acts as a full fence on TSO and PSO, as x86's lock cmpxchg does even if it fails; read-modify-writes always do
	// Volatile marks an access of a volatile object that is no atomic one, but counts as relaxed. It decides nothing here.
	Volatile bool `json:"volatile,omitempty"`
	// Racy marks the initial write of a location of which there is a data race: plain accesses are events, too. It decides nothing here.
	Racy bool `json:"racy,omitempty"`
	// For printing only: the value that is read or written, the location's name, and where the event is in the source.
	Value  uint64 `json:"value,omitempty"`
	Object string `json:"object,omitempty"`
	At     string `json:"at,omitempty"`
}

// Graph is an execution, complete or not: a prefix of one is a graph, too.
type Graph struct {
	Events []Event          `json:"events"`         // those of each thread in program order; otherwise in any order
	RF     []int            `json:"rf"`             // of a Read, the write that it reads from; -1: none yet (it is in program order and constrains nothing else); -1 for other events
	MO     map[uint64][]int `json:"mo"`             // the writes to each location in modification order, the initial one first if there is one
	Sync   [][2]int         `json:"sync,omitempty"` // more edges that synchronise, as from the creation of a thread to its first event; program order across threads, in all models; one side is an Other
}

// acquires reports whether an event has the effect of an acquire: it sees what was done before a release that it reads from.
func (e *Event) acquires() bool {
	return (e.Kind == Read || e.Kind == Fence) && (e.Order == cir.Acquire || e.Order == cir.AcqRel || e.Order == cir.SeqCst)
}

// releases reports whether an event has the effect of a release.
func (e *Event) releases() bool {
	return (e.Kind == Write || e.Kind == Fence) && (e.Order == cir.Release || e.Order == cir.AcqRel || e.Order == cir.SeqCst)
}

// atomic reports whether an event is an atomic access: relaxed or stronger.
func (e *Event) atomic() bool { return e.access() && e.Order != cir.Plain }

// access reports whether an event is at a location.
func (e *Event) access() bool { return e.Kind == Read || e.Kind == Write }

// seqCst reports whether the axiom of sequential consistency is about an event.
func (e *Event) seqCst() bool { return e.Kind != Other && e.Order == cir.SeqCst }

// full reports whether TSO and PSO empty the store buffers at an event.
func (e *Event) full() bool {
	return e.Full || e.Exclusive || e.Kind == Other && !e.input() || e.Kind == Fence && e.Order == cir.SeqCst
}

// input reports whether an event only says what the program is given: it orders nothing.
func (e *Event) input() bool { return e.Kind == Other && e.Loc != 0 }

// Package certificate is the form in which package scan says why locations of a program are race-free, so that
// somebody else can verify it.
//
// An analysis computes a fixpoint: for each point of the program, what holds whenever a thread is there. Finding it takes all the cleverness; to see that it is
// one takes none: what is claimed holds where threads begin, and each step leads from what is claimed before it to within what is claimed after it. So a
// [Certificate] has the claims, at the beginning of each block of each function: which locks are held and what locals hold ([Activation]), and
// which threads may be running ([Thread], [Node]); and for each location the accesses, grouped, with a reason for each pair of groups why
// they do not race ([Location]). Package check/scancheck verifies it.
//
// Names of locks are those that a function has for them: a parameter plus 8, a global plus 0 ([Name]). Functions are told apart by the calls
// that they are analysed for ([Copy]), as package pointsto does; objects are numbered as there. Instructions are named by their places.
// Everything is in an order that depends on the program only, so that the same program has the same certificate.
package certificate

import (
	"encoding/json"
	"fmt"
	"io"
)

// Version is that of the format.
const Version = 2

// Certificate is all claims about a program.
type Certificate struct {
	Version int `json:"version"`
	// Cloned: the claims are about the program that package cir/cloning makes of it.
	Cloned      bool         `json:"cloned,omitempty"`
	Copies      []Copy       `json:"copies"`
	Threads     []Thread     `json:"threads"`
	Activations []Activation `json:"activations"`
	Locations   []Location   `json:"locations"`
	Transfers   []Transfer   `json:"transfers,omitempty"`
}

// Place is an instruction: the n-th of a block of a function; its terminator if there are only n.
type Place struct {
	Func  string `json:"func"`
	Block int    `json:"block"`
	Instr int    `json:"instr"`
}

// Copy is a function, for one call of the program's own if Call is set.
type Copy struct {
	Func string `json:"func"`
	Call *Place `json:"call,omitempty"`
}

// Thread is an identity of threads. The first one is the thread that the program begins with. Parents stand before their children.
type Thread struct {
	Parent int `json:"parent"` // -1: none
	// Group is the program's call, or the instruction, that creates it. Root is the copy that it begins with, Start what the program calls its function.
	Group *Place `json:"group,omitempty"`
	Root  int    `json:"root"`
	Start string `json:"start"`
	// Many: there may be more than one at a time. Loose: nothing is known of when it runs.
	Many  bool `json:"many,omitempty"`
	Loose bool `json:"loose,omitempty"`
	// End is what may be running when it ends, of what descends from it.
	End     []int     `json:"end,omitempty"`
	Creates []Creates `json:"creates,omitempty"`
	Nodes   []Node    `json:"nodes"`
}

// Creates says which identity a thread creates at a place.
type Creates struct {
	Group  Place  `json:"group"`
	Start  string `json:"start"`
	Thread int    `json:"thread"`
}

// Node is what is claimed of a copy whenever a thread runs it: which threads may be running, of those that descend from that thread.
type Node struct {
	Copy  int   `json:"copy"`
	Entry []int `json:"entry,omitempty"` // whenever it is called
	// Sum is what a call does to what may be running.
	Sum Effect `json:"sum"`
	// Blocks are, for each block, what was done to it since the call; empty: nothing, anywhere.
	Blocks []Effect `json:"blocks,omitempty"`
}

// Effect is what is done to the set of threads that may be running: Takes are none any more, then Adds are. Never: control does not get there.
type Effect struct {
	Adds  []int `json:"adds,omitempty"`
	Takes []int `json:"takes,omitempty"`
	Never bool  `json:"never,omitempty"`
}

// Name is a value: what Base is, plus Off. Base is one of
//
//	param:N         what the N-th parameter was given
//	reg:N           what register N was given the latest time
//	meet:B:L        what the L-th local held when control last got to block B
//	global:NAME     the address of a global
//	local:L         the address of a local
//	object:N        the beginning of the object with a number, which there is one of
//	result          what the function returns (of what is held at its end)
//	atomic          no address: the right to be the only thread that runs
//	""              nothing: Off is a constant
type Name struct {
	Base string `json:"base"`
	Off  int64  `json:"off,omitempty"`
}

// At is a place in memory, as package pointsto tells them apart.
type At struct {
	Object int   `json:"object"`
	Off    int64 `json:"off"`
}

// Lock is one that is held: Names are all its address, At where it may be (nothing: anywhere).
type Lock struct {
	Names   []Name `json:"names"`
	At      []At   `json:"at,omitempty"`
	Reading bool   `json:"reading,omitempty"` // only for reading
}

// Cell says what a local holds.
type Cell struct {
	Local int  `json:"local"`
	Is    Name `json:"is"`
}

// State is what holds whenever control is somewhere. Never: it is not.
type State struct {
	Never bool   `json:"never,omitempty"`
	Held  []Lock `json:"held,omitempty"`
	Cells []Cell `json:"cells,omitempty"`
	// Owned are the bases of addresses of objects that no other thread knows.
	Owned []string `json:"owned,omitempty"`
}

// Activation is a copy of a function, as it is called with some locks held.
type Activation struct {
	Copy   int     `json:"copy"`
	Entry  []Lock  `json:"entry,omitempty"`
	Blocks []State `json:"blocks"`
	Exit   State   `json:"exit"`
	Calls  []Calls `json:"calls,omitempty"`
}

// Calls says which activation a call gets to.
type Calls struct {
	Block int   `json:"block"`
	Instr int   `json:"instr"`
	To    []int `json:"to"`
}

// Kinds of keys.
const (
	Absolute = "absolute" // Name is the lock's address
	Address  = "address"  // the lock is Name.Off bytes behind the address that is accessed
	Object   = "object"   // the lock is at Name.Off of the object that is accessed
	Element  = "element"  // the lock is at Name.Off, and what is accessed in the same element of the innermost array around that
)

// Key names a lock so that it can be compared with one of another access.
type Key struct {
	Kind string `json:"kind"`
	Name Name   `json:"name"`
}

// Held is a lock that is held at an access, with all its keys.
type Held struct {
	Keys    []Key `json:"keys"`
	At      []At  `json:"at,omitempty"`
	Reading bool  `json:"reading,omitempty"`
}

// Kinds of locations.
const (
	Memory = ""       // bytes Lo to Hi of an object
	Freed  = "freed"  // whether the object still is there: who frees it writes, and who accesses it reads
	Hidden = "hidden" // state of the library
)

// Location is a piece of memory that several threads access.
type Location struct {
	Name string `json:"name"`
	Kind string `json:"kind,omitempty"`
	// Suspected: nothing is claimed of it.
	Suspected bool `json:"suspected,omitempty"`
	// State names hidden state of the library: that of an object of the library's is "handle".
	State  string  `json:"state,omitempty"`
	Object int     `json:"object"`
	Lo     int64   `json:"lo"`
	Hi     int64   `json:"hi"`
	Groups []Group `json:"groups"`
	// Pairs are the reasons why groups do not race: of the first with itself, with the second one, …, of the second with itself, ….
	Pairs []string `json:"pairs"`
}

// The reasons.
const (
	Ordered     = "ordered"
	ReadOnly    = "read only"
	Atomic      = "atomic"
	Own         = "own"
	Apart       = "apart" // each thread accesses what belongs to it
	Locked      = "locked"
	Signalled   = "signalled"   // one thread has seen what the other one makes happen later
	Phased      = "phased"      // a barrier is between them
	Assigned    = "assigned"    // handlers of signals assign to a volatile sig_atomic_t
	Transferred = "transferred" // it belongs to one thread, or to a container whose lock is held
	Counted     = "counted"     // one is by who holds all references to the object, the other one by who holds one
	HandedOver  = "handed over" // each is by the thread that the object belongs to then, with all that leads there
	Latched     = "latched"     // one thread has seen that no thread is counted any more, the other one is by a thread that is
	Suspect     = "suspect"     // none
)

// Group is accesses that are alike.
type Group struct {
	Thread int   `json:"thread"`
	Lo     int64 `json:"lo"`
	Hi     int64 `json:"hi"`
	Write  bool  `json:"write,omitempty"`
	Atomic bool  `json:"atomic,omitempty"`
	Scalar bool  `json:"scalar,omitempty"` // all are of one scalar that is these bytes
	Own    bool  `json:"own,omitempty"`    // no other thread knows the object
	// Running is what may be running then, of what descends from the thread.
	Running  []int    `json:"running,omitempty"`
	Locks    []Held   `json:"locks,omitempty"`
	Accesses []Access `json:"accesses"`
}

// Access is an instruction of a copy.
type Access struct {
	Copy  int `json:"copy"`
	Block int `json:"block"`
	Instr int `json:"instr"`
}

// Transfer says how containers under locks transfer the ownership of objects from thread to thread (package scan/transfer).
type Transfer struct {
	Objects []int `json:"objects"`
	// Link is the offset of the link of each of them; -1: they have none.
	Link int64 `json:"link"`
	// Ends: once the first thread is alone again, no more threads run.
	Ends       bool        `json:"ends,omitempty"`
	Containers []Container `json:"containers"`
}

// Container is cells, each of which holds an address in memory. States are all that it is in when its lock is free, as far as any one of the objects goes.
type Container struct {
	Lock At `json:"lock"`
	// Many: it is one of each element of an array, and so are its lock and cells; what is said of it holds of each.
	Many  bool      `json:"many,omitempty"`
	Cells []OwnCell `json:"cells"`
	// Arrays are arrays of addresses, and Numbers integers by which their elements are found.
	Arrays  []OwnArray        `json:"arrays,omitempty"`
	Numbers []ContainerNumber `json:"numbers,omitempty"`
	States  []ContainerState  `json:"states"`
	// Alone are the states, beside these, that the first thread leaves it in while it is alone, for each time that it is, if there are many.
	Alone [][]ContainerState `json:"alone,omitempty"`
}

// OwnCell is a cell; Owns: what it leads to belongs to the container.
type OwnCell struct {
	At   At   `json:"at"`
	Owns bool `json:"owns,omitempty"`
}

// OwnArray is all elements of an array. Those in use own what they lead to: the first ones, as many as a number of the container tells, or all if Count is -1.
type OwnArray struct {
	At    At  `json:"at"`
	Count int `json:"count"`
	// Ring: the elements in use are as many as Count tells from one on, and behind the last element of the array the first one follows.
	Ring *Ring `json:"ring,omitempty"`
}

// Ring is the numbers of the container that tell where the elements in use begin, and where they end.
type Ring struct {
	Head int `json:"head"`
	Tail int `json:"tail"`
}

// ContainerNumber is an integer in memory, of so many bits.
type ContainerNumber struct {
	At     At   `json:"at"`
	Bits   int  `json:"bits"`
	Signed bool `json:"signed,omitempty"`
}

// ContainerState is a state of a container as far as one object goes. In: the object belongs to it, and Link is what the object's link holds. Pred: a link
// of an object that belongs to it leads to the object.
type ContainerState struct {
	Cells []Word `json:"cells"`
	In    bool   `json:"in,omitempty"`
	Link  Word   `json:"link,omitzero"`
	Pred  bool   `json:"pred,omitempty"`
	// Slots tells of each array whether an element in use leads to the object.
	Slots []bool `json:"slots,omitempty"`
}

// SomeOff is an offset in an object that is not known.
const SomeOff = int64(1) << 40

// Word is what a cell or link holds. Is is one of
//
//	null
//	followed  the address of the object
//	another   that of the N-th other object that cells lead to
//	cell      that of the N-th cell, of all containers
//	else      of a link, that of an object that no cell leads to; of a cell, an address that is not the object's
type Word struct {
	Is  string `json:"is"`
	N   int    `json:"n,omitempty"`
	Off int64  `json:"off,omitempty"`
}

// Write writes a certificate as JSON.
func (c *Certificate) Write(w io.Writer) error { return json.NewEncoder(w).Encode(c) }

// Read reads what [Certificate.Write] wrote.
func Read(r io.Reader) (*Certificate, error) {
	c := &Certificate{}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("no certificate of a scan: %w", err)
	}
	if c.Version != Version {
		return nil, fmt.Errorf("a certificate of version %d, not %d", c.Version, Version)
	}
	return c, nil
}

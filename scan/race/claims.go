package race

import (
	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// Group is accesses of a location that are alike, for a certificate.
type Group struct {
	Thread                     *thread.Thread
	Lo, Hi                     int64
	Write, Atomic, Scalar, Own bool
	Running                    thread.Set
	Locks                      []lockset.Held
	At                         []InNode
}

// InNode is an instruction in a node.
type InNode struct {
	Node *thread.Node
	In   cir.Located
}

// Memory returns the object that the location is part of, nil if it is none's. Freed tells that the location is whether the object still is
// there, and hidden that it is state of the library.
func (l *Location) Memory() (o *pointsto.Object, lo, hi int64, freedState, hidden bool) {
	return l.place.obj, l.segment.x.lo, l.segment.x.hi, l.place.state == freed, l.place.state != "" && l.place.state != freed
}

// State names the hidden state of the library that the location is; "" if it is memory.
func (l *Location) State() string { return l.place.state }

// Groups returns the accesses of a location, grouped by all that decides.
func (l *Location) Groups() (list []Group) {
	for _, g := range l.segment.groups {
		x := Group{Thread: g.t, Lo: g.x.lo, Hi: g.x.hi, Write: g.write, Atomic: g.atomic, Scalar: g.scalar, Own: g.own, Running: g.running, Locks: g.locks}
		for _, a := range g.list() {
			x.At = append(x.At, InNode{a.node, a.in})
		}
		list = append(list, x)
	}
	return list
}

// Pair returns what excludes races of the i-th group with the j-th one.
func (l *Location) Pair(i, j int) Why { return l.by.pair(l.segment.groups[i], l.segment.groups[j]) }

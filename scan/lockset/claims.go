package lockset

import (
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// Claim is a lock that is held in any case, for a certificate.
type Claim struct {
	Names []valuenum.Value
	At    []pointsto.Location // nothing: anywhere
	Mode  Mode
}

// claims returns which locks are held in a state; ok is false if control does not get there.
func (s *state) claims() (list []Claim, ok bool) {
	if s == nil {
		return nil, false
	}
	for _, l := range s.held {
		list = append(list, Claim{l.names, l.at, l.mode})
	}
	return list, true
}

// Own reports whether an activation is of a function of the program's own: of others nothing is claimed.
func (x *Activation) Own() bool { return x.fn != nil }

// Symbols returns what is known of the registers of a function of the program's own.
func (x *Activation) Symbols() *valuenum.Func { return x.fn }

// Entry returns what is held whenever the activation is called.
func (x *Activation) Entry() []Claim {
	list, _ := x.entry.claims()
	return list
}

// Begin returns what is held where a block begins; ok is false if control does not get there.
func (x *Activation) Begin(b *cir.Block) (list []Claim, ok bool) { return x.in[b.Index].claims() }

// Exit returns what is held when the activation returns, in terms of parameters and result; ok is false if it does not.
func (x *Activation) Exit() (list []Claim, ok bool) { return x.exit.claims() }

package thread

import (
	"cmp"
	"slices"

	"comus/cir"
)

// Claims are what is known of a thread, for a certificate.
type Claims struct {
	Group   cir.Instr // the program's call that creates it, or the instruction
	Loose   bool      // nothing is known of when it runs
	End     Set       // what may be running when it ends
	Creates []Creation
	Nodes   []NodeClaims
}

// Creation tells which identity a thread creates by an instruction.
type Creation struct {
	Group cir.Instr
	Start *cir.Func
	Made  *Thread
}

// NodeClaims are what is known of a node when a thread runs it.
type NodeClaims struct {
	Node   *Node
	Entry  Set
	Sum    EffectClaim
	Blocks []EffectClaim // nil: nothing is done anywhere
}

// EffectClaim is what is done to the set of what may be running.
type EffectClaim struct {
	Adds, Takes Set
	Never       bool
}

// Members returns the identities in a set.
func (s Set) Members() (list []int) {
	for i := range len(s) * 64 {
		if s.Has(i) {
			list = append(list, i)
		}
	}
	return list
}

func (e effect) claim() EffectClaim {
	if e.ends {
		return EffectClaim{Never: true}
	}
	return EffectClaim{Adds: e.adds, Takes: e.takes}
}

// Claims returns what is known of a thread.
func (r *Result) Claims(t *Thread) Claims {
	f := t.flow
	c := Claims{Group: t.group, Loose: t.loose, End: f.atEnd}
	for key, made := range r.kids {
		if key.parent == t {
			c.Creates = append(c.Creates, Creation{key.group, key.start, made})
		}
	}
	slices.SortFunc(c.Creates, func(x, y Creation) int {
		return cmp.Or(cmp.Compare(x.Made.Index, y.Made.Index), cmp.Compare(x.Start.Name, y.Start.Name))
	})
	for _, n := range f.nodes {
		if !f.reaches(n) {
			continue
		}
		x := NodeClaims{Node: n, Entry: f.at[n].entry}
		if n.effect {
			x.Sum = f.at[n].sum.claim()
			for _, e := range f.before(n) {
				x.Blocks = append(x.Blocks, e.claim())
			}
		}
		c.Nodes = append(c.Nodes, x)
	}
	return c
}

// before returns what was done since a node was called where its blocks begin.
func (f *flow) before(n *Node) []effect {
	return f.blocks(n, effect{}, func(b *cir.Block, e effect) effect {
		for _, in := range b.Instrs {
			e = e.then(f.effectOf(n, in))
		}
		return e
	})
}

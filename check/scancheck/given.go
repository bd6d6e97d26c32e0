package scancheck

import (
	"comus/cir"
	"comus/scan/certificate"
)

// What the scan cannot exclude, others may: an engine that is asked about two accesses alone ([Pairs]). Its proof may take for granted that other accesses
// have no data race, and so may the claims of a scan. That is no circle where nothing is left: of an execution that has a race, take the beginning
// up to the first one. The claims hold there, as nothing before it is a race, and so does each proof; so the two accesses of
// the first race are neither a pair of groups that claims exclude, nor one of a proof.

// Pairs are pairs of accesses of the program's own code that are no race, whichever threads make them. A call stands for what the functions of the library access for
// it.
type Pairs map[[2]cir.Instr]bool

// Add adds a pair, whichever comes first.
func (p Pairs) Add(a, b cir.Instr) { p[[2]cir.Instr{a, b}], p[[2]cir.Instr{b, a}] = true, true }

// MaxLeft bounds the pairs that are listed as left.
const MaxLeft = 10000

// left are pairs that nobody has shown to be no race.
type left struct {
	list [][2]cir.Instr
	seen Pairs
}

func (l *left) add(a, b cir.Instr) {
	if l.seen == nil {
		l.seen = Pairs{}
	}
	if !l.seen[[2]cir.Instr{a, b}] && len(l.list) < MaxLeft {
		l.seen.Add(a, b)
		l.list = append(l.list, [2]cir.Instr{a, b})
	}
}

// givenFor reports whether it is known of all accesses of two groups that they are no race.
func (ls *locations) givenFor(g, h *group) bool {
	all := true
	for _, x := range g.Accesses {
		for _, y := range h.Accesses {
			if !all && len(ls.left.list) >= MaxLeft {
				return false
			}
			a, b := ls.ownInstr(x), ls.ownInstr(y)
			switch {
			case a == nil || b == nil: // no question can be about it
				all = false
			case !ls.given[[2]cir.Instr{a, b}]:
				ls.left.add(a, b)
				all = false
			}
		}
	}
	return all
}

// ownInstr returns the instruction of the program's own code that an access is made by: of one in the library, the call; nil if there is none.
func (ls *locations) ownInstr(x certificate.Access) cir.Instr {
	if x.Copy < 0 || x.Copy >= len(ls.copies) {
		return nil
	}
	c := ls.copies[x.Copy]
	if c.Func.Library {
		call := c.Ctx.Call
		if call == nil || ls.fns[ls.places[call].Func].Library {
			return nil
		}
		return call
	}
	if x.Block < 0 || x.Block >= len(c.Func.Blocks) {
		return nil
	}
	if b := c.Func.Blocks[x.Block]; x.Instr >= 0 && x.Instr < len(b.Instrs) {
		return b.Instrs[x.Instr]
	}
	return nil
}

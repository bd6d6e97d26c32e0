package directed

import (
	"math/rand/v2"

	"comus/cir"
	"comus/cir/interp"
)

// races are those that runs have shown, as targets: a run that keeps a thread at one of the two accesses, so that another one comes to the other before it, does what
// few random runs do, whatever fails there in the end (K. Sen, Race directed random testing of concurrent programs, PLDI 2008).
type races struct {
	at      map[*cir.Site][]cir.Instr // nil: not looked for yet
	known   map[[2]*cir.Site]bool
	targets []Target
}

// mostRaces bounds them.
const mostRaces = 200

// add adds the races of a run. Runs are told when a thread comes to an instruction that is watched; it reports whether more are.
func (x *races) add(p *cir.Program, more []interp.Race, watched map[cir.Instr]bool) (grown bool) {
	for i := range more {
		pair := [2]*cir.Site{more[i].First.Site, more[i].Second.Site}
		if pair[0] == nil || pair[1] == nil || x.known[pair] || len(x.targets) == mostRaces {
			continue
		}
		if x.at == nil {
			x.at, x.known = instructionsAt(p), map[[2]*cir.Site]bool{}
		}
		x.known[pair] = true
		t := Target{Pair: true}
		for k, s := range pair {
			if k == 0 || s != pair[0] {
				t.At = append(t.At, x.at[s]...)
			}
		}
		for _, in := range t.At {
			grown = grown || !watched[in]
			watched[in] = true
		}
		if len(t.At) > 0 {
			x.targets = append(x.targets, t)
		}
	}
	return grown
}

// instructionsAt returns the instructions of the program's own code by their places: those that access memory or call something.
func instructionsAt(p *cir.Program) map[*cir.Site][]cir.Instr {
	at := map[*cir.Site][]cir.Instr{}
	for _, f := range p.Funcs {
		if f.Library {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in.(type) {
				case *cir.Load, *cir.Store, *cir.Copy, *cir.Fill, *cir.RMW, *cir.CmpXchg, *cir.Call, *cir.Intrinsic:
					if s := in.Meta().Site; s != nil {
						at[s] = append(at[s], in)
					}
				}
			}
		}
	}
	return at
}

// alongRace returns what a random run is directed at, nil for nothing: every other one is, if there is something.
func (h *runner) alongRace(i int) *Target {
	if n := len(h.races.targets); i%2 == 1 && n > 0 {
		r := rand.New(rand.NewPCG(h.opts.Seed, uint64(i)))
		return &h.races.targets[r.IntN(n)]
	}
	return nil
}

package robust_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/check/robust"
	"comus/cir"
	"comus/internal/long"
	"comus/memory"
)

var (
	rounds = flag.Int("robust.rounds", 300, "random programs")
	first  = flag.Uint64("robust.seed", 1, "the first random program")
)

var pickOrders = map[byte][]cir.Order{
	'R': {cir.Relaxed, cir.Acquire, cir.SeqCst}, 'W': {cir.Relaxed, cir.Release, cir.SeqCst}, 'F': {cir.Acquire, cir.Release, cir.AcqRel, cir.SeqCst, cir.SeqCst},
	'U': {cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel, cir.SeqCst}, 'A': {cir.Relaxed, cir.Relaxed, cir.Relaxed, cir.AcqRel, cir.SeqCst}, 'r': {cir.Plain}, 'w': {cir.Plain},
	'L': {cir.Relaxed, cir.Acquire, cir.Acquire}, 'G': {cir.Relaxed, cir.Acquire, cir.Acquire}, 'C': {cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel, cir.SeqCst}, 'p': {cir.Plain}, 'q': {cir.Plain}, 'X': {cir.Acquire, cir.Acquire, cir.Relaxed},
}

// randomLitmus makes a program.
func randomLitmus(r *rand.Rand) *litmus {
	p := &litmus{locs: 2 + r.IntN(5)/4, array: r.IntN(12) == 0}
	kinds := []string{"RRRWWWFU", "RRWWFFFU", "RWA", "RWUA", "AAAAR", "RRWWrwF", "RWrwU", "RUUU", "RWLLA", "WWLLF", "GGRWW", "LGWrwU", "CCRW", "CWL", "pqRWLU", "pqRWF"}[r.IntN(16)]
	p.mixed = strings.Contains(kinds, "p")
	tickets := r.IntN(10) == 0
	if tickets {
		p.locs, p.array, p.mixed = 3, false, false
		kinds = "RWURWp"
	}
	locked := r.IntN(6) == 0 && !tickets
	bias := r.IntN(4)
	steps := func(n int) (list []step) {
		for range n {
			s := step{kind: kinds[r.IntN(len(kinds))], loc: r.IntN(p.locs), value: uint64(1 + r.IntN(2))}
			os := pickOrders[s.kind]
			s.order = os[r.IntN(len(os))]
			switch {
			case bias == 1 && s.kind == 'R' && r.IntN(4) > 0:
				s.order = cir.Acquire
			case bias == 1 && s.kind == 'W' && r.IntN(4) > 0:
				s.order = cir.Release
			case bias == 1 && s.kind == 'U' && r.IntN(4) > 0:
				s.order = cir.AcqRel
			case bias == 2 && !strings.ContainsRune("Frwpq", rune(s.kind)) && r.IntN(3) > 0:
				s.order = cir.SeqCst
			}
			list = append(list, s)
		}
		return list
	}
	n := 2 + r.IntN(5)/3
	lock := r.IntN(8) == 0 && !tickets
	for range n {
		copies := 1
		if r.IntN(6) == 0 && len(p.threads) < 2 {
			copies = 2
		}
		p.copies = append(p.copies, copies)
		list := steps(5 - n + r.IntN(2))
		if lock { // locations are taken as locks around something else, and given back, mostly
			x, o := r.IntN(p.locs), []cir.Order{cir.Release, cir.Release, cir.Release, cir.Relaxed}[r.IntN(4)]
			take := step{kind: 'X', loc: x, order: pickOrders['X'][r.IntN(3)]}
			list = append([]step{take}, append(list[:1], step{kind: 'W', loc: x, order: o})...)
			if r.IntN(3) == 0 {
				list = append(list, step{kind: 'X', loc: 1 - x%2, order: cir.Acquire}, step{kind: 'W', loc: 1 - x%2, order: cir.Release})
			}
		}
		if tickets {
			some := func(o, other cir.Order) cir.Order {
				if r.IntN(6) == 0 {
					return other
				}
				return o
			}
			take := step{kind: 'T', loc: int(pickOrders['U'][r.IntN(5)]), order: some(cir.Acquire, cir.Relaxed)}
			give := step{kind: 't', value: uint64(1 + r.IntN(8)/7), order: some(cir.Release, cir.Relaxed)}
			list = []step{take, steps(1)[0], give}
			list[1].loc = 2
			if r.IntN(3) == 0 {
				list = append(steps(1), list...)
			}
			if r.IntN(2) == 0 {
				list = append(list, steps(1)...)
			}
		}
		if locked {
			from := r.IntN(len(list))
			to := from + 1 + r.IntN(len(list)-from)
			list = slices.Concat(list[:from], []step{{kind: 'm'}}, list[from:to], []step{{kind: 'n'}}, list[to:])
		}
		p.threads = append(p.threads, list)
	}
	if lock || tickets || strings.ContainsAny(kinds, "LG") { // main does not wait
		kinds = "RW"
	}

	if r.IntN(3) == 0 {
		p.before = steps(1)
	}
	if r.IntN(4) == 0 {
		p.between = steps(1 + r.IntN(2))
	}
	if r.IntN(3) == 0 {
		p.behind = steps(1 + r.IntN(2))
	}
	return p
}

// mark has some relaxed reads return any value. There are more of them then, and no fences, with which none are left out.
func (p *litmus) mark(r *rand.Rand) {
	for _, list := range append([][]step{p.before, p.between, p.behind, p.amid}, p.threads...) {
		for i := range list {
			if s := &list[i]; s.kind == 'F' && r.IntN(20) > 0 {
				s.kind, s.order = 'W', cir.Relaxed
			} else if strings.ContainsRune("RLG", rune(s.kind)) && r.IntN(2) == 0 {
				s.order = cir.Relaxed
			}
			if s := &list[i]; strings.ContainsRune("RLG", rune(s.kind)) && s.order == cir.Relaxed {
				s.any = r.IntN(3) > 0
			}
		}
	}
}

// marked reports whether reads return any value.
func (p *litmus) marked() bool {
	return slices.ContainsFunc(append([][]step{p.before, p.between, p.behind, p.amid}, p.threads...), func(list []step) bool {
		return slices.ContainsFunc(list, func(s step) bool { return s.any })
	})
}

// judge returns what is wrong with the claim that a program is robust under some models, and whether there is a data race under sequential consistency.
func (p *litmus) judge(claims []robust.Model) (wrong string, races bool, sequential map[robust.Model]bool) {
	outcomes := map[memory.Model]map[string]bool{}
	sequential = map[robust.Model]bool{}
	models := []robust.Model{robust.C11, robust.TSO, robust.PSO}
	for _, m := range models {
		outcomes[m], sequential[m] = map[string]bool{}, true
	}
	outcomes[memory.SC] = map[string]bool{}
	raceIn := map[memory.Model]bool{}
	left := p.marked()
	if left {
		for _, b := range p.graphs(true) {
			b.each(func() {
				if o, ok := b.outcome(); ok && b.Consistent(memory.SC) {
					outcomes[memory.SC][o] = true
					raceIn[memory.SC] = raceIn[memory.SC] || b.racy()
				}
			})
		}
	}
	each := func(b *builder) {
		o, ok := b.outcome()
		if !ok {
			return
		}
		sc := b.Consistent(memory.SC)
		if sc {
			outcomes[memory.SC][o] = true
			raceIn[memory.SC] = raceIn[memory.SC] || b.racy()
		}
		for _, m := range models {
			if b.Consistent(m) {
				outcomes[m][o] = true
				sequential[m] = sequential[m] && sc
				if !sc && m == robust.C11 {
					raceIn[memory.RC11] = raceIn[memory.RC11] || b.racy()
				}
			}
		}
	}
	for _, b := range p.graphs(false) {
		b.each(func() { each(b) })
	}
	if raceIn[memory.SC] {
		return "", true, nil
	}
	for _, m := range claims {
		for o := range outcomes[m] {
			if !outcomes[memory.SC][o] {
				wrong += fmt.Sprintf("%s: outcome %s\n", m, o)
			}
		}
		if m == robust.C11 && raceIn[memory.RC11] {
			wrong += "c11: a data race\n"
		}
	}
	return wrong, false, sequential
}

// TestRandom asks the axioms about random programs: of what is said to be robust all outcomes have to be sequentially consistent.
func TestRandom(t *testing.T) {
	dir := t.TempDir()
	claimed, missed, marked, asked := map[robust.Model]int{}, map[robust.Model]int{}, map[robust.Model]int{}, 0
	for i := range uint64(long.N(*rounds, *rounds/3)) {
		r := rand.New(rand.NewPCG(*first+i, 7))
		p := []func(*rand.Rand) *litmus{randomLitmus, randomCycle, randomCycle, randomLock}[r.IntN(4)](r)
		if i%2 == 1 && !p.mixed {
			p.mark(r)
		}
		if n := p.count(); n > 30_000 || p.marked() && n > 3_000 { // they are looked at twice
			continue
		}
		file := filepath.Join(dir, "p.c")
		if err := os.WriteFile(file, []byte(p.source()), 0o600); err != nil {
			t.Fatal(err)
		}
		var claims []robust.Model
		for m, v := range check(t, file) {
			if v.Robust {
				claims = append(claims, m)
			}
		}
		slices.Sort(claims)
		wrong, races, sequential := p.judge(claims)
		if races {
			continue
		}
		asked++
		if p.marked() {
			for _, m := range claims {
				if !sequential[m] {
					marked[m]++
				}
			}
		}
		for m, is := range sequential {
			switch {
			case slices.Contains(claims, m):
				claimed[m]++
			case is:
				missed[m]++
				if testing.Verbose() && missed[m] < 4 {
					t.Logf("missed, %s\n%s", m, p)
				}
			}
		}
		if wrong != "" {
			t.Errorf("program %d is not robust:\n%s%s", *first+i, wrong, p)
		}
	}
	t.Logf("%d programs without data races; robust %v (%v only because reads return any value), all graphs sequentially consistent but not shown %v", asked, claimed, marked, missed)
	if len(claimed) < 3 || len(marked) < 3 {
		t.Error("nothing is robust")
	}
}

package machine_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"comus/cir"
	"comus/memory"
	. "comus/memory/machine"
)

var (
	programs = flag.Int("programs", 100, "how many random programs the machines and the axioms are compared for")
	most     = flag.Int("most", 3000, "how many candidate executions these have at most")
	seed     = flag.Uint64("seed", 1, "of random programs")
)

var models = []memory.Model{memory.SC, memory.TSO, memory.PSO, memory.RC11}

// compare runs a program by the machine of each model, and checks that it has exactly the graphs that the axioms allow, with the same registers.
// It returns the number of graphs under each model, or nil if the program has too many candidates.
func compare(t *testing.T, p Program, most int) map[memory.Model]int {
	t.Helper()
	allowed := map[memory.Model]map[string]bool{}
	for _, m := range models {
		allowed[m] = map[string]bool{}
	}
	all := candidates(p, most, func(g *memory.Graph, registers [][Registers]uint64) {
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			if g.Consistent(m) {
				allowed[m][name(g, registers)] = true
			}
		}
	})
	if !all {
		return nil
	}
	n := map[memory.Model]int{}
	for _, m := range models {
		r, err := Explore(p, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Complete {
			t.Fatalf("%v: not complete after %d states\n%v", m, r.States, p)
		}
		n[m] = len(r.Executions)
		for _, x := range r.Executions {
			k := name(x.Graph, x.Registers)
			if !allowed[m][k] {
				t.Fatalf("%v: the machine has an execution that the axioms do not allow: %v\n%v%v", m, x.Graph.Violations(m), p, k)
			}
			delete(allowed[m], k)
			for l, writes := range x.Graph.MO {
				if last := x.Graph.Events[writes[len(writes)-1]].Value; last != x.Memory[l] {
					t.Fatalf("%v: location %d has %d at the end, the last write %d", m, l, x.Memory[l], last)
				}
			}
		}
		for k := range allowed[m] {
			t.Fatalf("%v: the machine lacks an execution that the axioms allow:\n%v%v", m, p, k)
		}
	}
	return n
}

// generator makes random programs.
type generator struct {
	*rand.Rand
	strong int // how many in 4 orders are seq_cst
	locs   int
	value  uint64
}

func (g *generator) order(of ...cir.Order) cir.Order {
	if g.IntN(4) < g.strong {
		return cir.SeqCst
	}
	return of[g.IntN(len(of))]
}

// access returns a load, a store, or a read-modify-write.
func (g *generator) access(write bool, loc int) Instruction {
	g.value++
	in := Instruction{Loc: loc, Into: 1 + g.IntN(Registers-1), Value: Value{Plus: g.value}}
	if g.IntN(4) == 0 {
		in.Value.Register = 1 + g.IntN(Registers-1)
	}
	switch kind := g.IntN(16); {
	case kind == 0:
		in.Op, in.Value.Plus = Add, 1+g.Uint64N(2)
	case kind == 1:
		in.Op = Exchange
	case kind == 2:
		in.Op, in.Expected, in.Failure = CompareExchange, Value{Plus: g.Uint64N(2)}, g.order(cir.Relaxed, cir.Acquire)
		in.Await = g.IntN(4) == 0
	case write:
		in.Op, in.Order = Store, g.order(cir.Plain, cir.Relaxed, cir.Relaxed, cir.Release, cir.Release)
		return in
	default:
		in.Op, in.Order = Load, g.order(cir.Plain, cir.Relaxed, cir.Relaxed, cir.Acquire, cir.Acquire)
		return in
	}
	in.Order = g.order(cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel)
	return in
}

func (g *generator) fence() Instruction {
	return Instruction{Op: Fence, Order: g.order(cir.Acquire, cir.Release, cir.AcqRel, cir.SeqCst)}
}

// scattered returns a program of 2 to 4 threads that do what comes to mind.
func (g *generator) scattered() Program {
	p := make(Program, 2+g.IntN(3))
	for t := range p {
		for n := 1 + g.IntN(4); len(p[t]) < n; {
			switch g.IntN(8) {
			case 0:
				p[t] = append(p[t], g.fence())
			case 1:
				p[t] = append(p[t], Instruction{Op: Jump, Value: Value{Register: 1 + g.IntN(Registers-1)}, Expected: Value{Plus: g.Uint64N(2)}, Skip: 1}, g.access(g.IntN(2) == 0, g.IntN(g.locs)))
			default:
				p[t] = append(p[t], g.access(g.IntN(2) == 0, g.IntN(g.locs)))
			}
		}
	}
	return p
}

// cycle returns a program that has an execution with a cycle through all threads, which some orders allow and others do not: each thread accesses what the one before it accesses last, and reads from that write, overwrites it,
// or overwrites what was read. (Alglave et al., Fences in Weak Memory Models, CAV 2010, make litmus programs that way.) What it does in between, and beside, is random.
func (g *generator) cycle() Program {
	p := make(Program, 2+g.IntN(3))
	const readsFrom, readsBefore, overwrites = 0, 1, 2
	edges := make([]int, len(p))
	for t := range edges {
		edges[t] = g.IntN(3)
	}
	loc := len(p) - 1
	for t := range p {
		in, out := edges[(t+len(p)-1)%len(p)], edges[t]
		p[t] = append(p[t], g.access(in != readsFrom, loc))
		if t < len(p)-1 && (in != readsFrom) == (out != readsBefore) && g.IntN(2) == 0 {
			continue // one access is both
		}
		switch g.IntN(6) {
		case 0, 1:
			p[t] = append(p[t], g.fence())
		case 2:
			p[t] = append(p[t], g.access(g.IntN(2) == 0, []int{loc, t}[g.IntN(2)]))
		}
		if t < len(p)-1 || g.IntN(4) > 0 {
			loc = t
		}
		p[t] = append(p[t], g.access(out != readsBefore, loc))
	}
	return p
}

// relay returns a program like that of cycle, with one or two of two or three threads divided into two threads: the first half hands over to the second one, by a message at a location of its own or at one of the others.
// Most accesses and fences are seq_cst: that is what the ways of psc through several threads take.
func (g *generator) relay() Program {
	n := 2 + g.IntN(2)
	g.strong = 2 + g.IntN(2)
	var p Program
	edges := make([]int, n)
	for t := range edges {
		edges[t] = g.IntN(3)
	}
	for t := range edges {
		in, out, from := edges[(t+n-1)%n], edges[t], (t+n-1)%n
		maybe := func(one int) (fences []Instruction) {
			if g.IntN(one) == 0 {
				fences = []Instruction{g.fence()}
			}
			return fences
		}
		first := slices.Concat(maybe(6), []Instruction{g.access(in != 0, from)}, maybe(4))
		last := slices.Concat(maybe(4), []Instruction{g.access(out != 1, t)}, maybe(6))
		if left := MaxThreads - len(p) - (n - t); left == 0 || g.IntN(4) == 0 {
			p = append(p, append(first, last...))
			continue
		}
		by := 3
		if g.IntN(3) == 0 {
			by = []int{from, t}[g.IntN(2)]
		}
		g.value++
		p = append(p, append(first, Instruction{Op: Store, Loc: by, Value: Value{Plus: g.value}, Order: g.order(cir.Release, cir.Release, cir.Relaxed)}))
		p = append(p, append([]Instruction{{Op: Load, Loc: by, Into: 1, Order: g.order(cir.Acquire, cir.Acquire, cir.Relaxed)}}, last...))
	}
	return p
}

// joined has thread 0 begin and await the others.
func (g *generator) joined(p Program) Program {
	var first Program = Program{nil}
	for t := 1; t < len(p); t++ {
		if g.IntN(4) > 0 {
			first[0] = append(first[0], Instruction{Op: Spawn, Thread: t})
		}
	}
	spawned := len(first[0])
	all := append(first, p[1:]...)
	all[0] = append(all[0], p[0]...)
	for k := range spawned {
		if g.IntN(2) == 0 {
			all[0] = append(all[0], Instruction{Op: Join, Thread: all[0][k].Thread})
			if g.IntN(2) == 0 {
				all[0] = append(all[0], g.access(false, g.IntN(g.locs)))
			}
		}
	}
	if g.IntN(2) == 0 { // something before
		all[0] = append([]Instruction{g.access(true, g.IntN(g.locs))}, all[0]...)
	}
	return all
}

// random returns a program.
func random(rnd *rand.Rand) Program {
	g := &generator{Rand: rnd, strong: rnd.IntN(4), locs: 2 + rnd.IntN(2)}
	var p Program
	switch rnd.IntN(4) {
	case 0:
		p = g.scattered()
	case 1:
		p = g.cycle()
	default:
		p = g.relay()
	}
	if rnd.IntN(6) == 0 {
		p = g.joined(p)
	}
	return p
}

// TestRandom compares the machines with the axioms, for random programs.
func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*seed, 31))
	graphs, differ := map[memory.Model]int{}, 0
	for done := 0; done < *programs; {
		n := compare(t, random(rnd), *most)
		if n == nil {
			continue
		}
		done++
		for m, k := range n {
			graphs[m] += k
		}
		if n[memory.SC] != n[memory.RC11] {
			differ++
		}
	}
	t.Logf("%d programs, graphs: %v; %d programs have more under c11 than under sc", *programs, graphs, differ)
	if differ < *programs/5 {
		t.Error("too few programs tell the models apart")
	}
}

package graphs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/memory"
	"comus/memory/machine"
)

// forMachine returns a random program for the operational semantics: thread 0 begins the others, awaits them, and may do something before, beside and after.
func forMachine(r *rand.Rand) machine.Program {
	strong := r.IntN(4)
	order := func(of ...cir.Order) cir.Order {
		if r.IntN(4) < strong {
			return cir.SeqCst
		}
		return of[r.IntN(len(of))]
	}
	value, loc := uint64(0), 0
	step := func() machine.Instruction {
		value++
		if r.IntN(5) > 0 {
			loc = 1 - loc
		}
		in := machine.Instruction{Loc: loc, Into: 1 + r.IntN(3), Value: machine.Value{Plus: value}}
		if r.IntN(2) == 0 { // what a comparison finds
			in.Value.Plus = 1
		}
		if r.IntN(4) == 0 {
			in.Value.Register = 1 + r.IntN(3)
		}
		switch in.Op = []machine.Op{machine.Load, machine.Load, machine.Load, machine.Load, machine.Load, machine.Store, machine.Store, machine.Store, machine.Store, machine.Add, machine.Exchange, machine.CompareExchange, machine.CompareExchange, machine.Fence}[r.IntN(14)]; in.Op {
		case machine.Load:
			in.Order = order(cir.Relaxed, cir.Acquire)
		case machine.Store:
			in.Order = order(cir.Relaxed, cir.Release)
		case machine.CompareExchange:
			in.Expected, in.Failure = machine.Value{Plus: r.Uint64N(2)}, order(cir.Relaxed, cir.Acquire)
			in.Order = order(cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel)
		case machine.Fence:
			in.Order = order(cir.Acquire, cir.Release, cir.AcqRel)
		default:
			in.Order = order(cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel)
		}
		return in
	}
	p, locks := make(machine.Program, 3+r.IntN(2)), r.IntN(4) == 0
	body := func(t, most int) {
		for range r.IntN(most + 1) {
			if r.IntN(6) == 0 {
				p[t] = append(p[t], machine.Instruction{Op: machine.Jump, Value: machine.Value{Register: 1 + r.IntN(3)}, Expected: machine.Value{Plus: r.Uint64N(2)}, Skip: 1})
			}
			if p[t] = append(p[t], step()); locks && r.IntN(2) == 0 {
				p[t] = append(p[t], lock, step(), unlock)
			}
		}
	}
	body(0, 1)
	for t := 1; t < len(p); t++ {
		p[0] = append(p[0], machine.Instruction{Op: machine.Spawn, Thread: t})
		p[t] = append(p[t], step())
		if body(t, 4-len(p)/3); len(p) == 3 {
			if p[t] = append(p[t], step()); locks && r.IntN(2) == 0 {
				p[t] = append(p[t], lock, step(), unlock)
			}
		}
	}
	body(0, 1)
	for t := 1; t < len(p); t++ {
		p[0] = append(p[0], machine.Instruction{Op: machine.Join, Thread: t})
	}
	body(0, 1)
	return p
}

// lock and unlock are a mutex.
var (
	lock   = machine.Instruction{Op: machine.CompareExchange, Loc: 2, Value: machine.Value{Plus: 1}, Order: cir.Acquire, Failure: cir.Relaxed, Await: true}
	unlock = machine.Instruction{Op: machine.Store, Loc: 2, Order: cir.Release}
)

// inC returns a program as C, which prints the last values of locations and registers.
func inC(p machine.Program) string {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\nstatic atomic_int x[2]; static int r[4][9]; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n")
	for t := len(p) - 1; t >= 0; t-- {
		head, foot := fmt.Sprintf("static void *thread%d(void *a)", t), "return a;\n"
		if t == 0 {
			head, foot = "int main(void)", ""
			fmt.Fprintf(&b, "static pthread_t thread[4];\n")
		}
		fmt.Fprintf(&b, "%s {\n", head)
		for k, in := range p[t] {
			fmt.Fprintf(&b, "l%d: %s", k, statement(t, k, in))
		}
		fmt.Fprintf(&b, "l%d: ;\n", len(p[t]))
		if t == 0 {
			b.WriteString("int v = x[0], w = x[1];\nprintf(\"%d %d\", v, w);\nfor (int t = 0; t < 4; t++) for (int i = 1; i < 4; i++) printf(\" %d\", r[t][i]);\nprintf(\"\\n\");\nreturn 0;\n")
		}
		b.WriteString(foot + "}\n")
	}
	return b.String()
}

// statement returns an instruction as C.
func statement(t, k int, in machine.Instruction) string {
	value := func(v machine.Value) string {
		if v.Register == 0 {
			return fmt.Sprint(v.Plus)
		}
		return fmt.Sprintf("r[%d][%d] + %d", t, v.Register, v.Plus)
	}
	switch in {
	case lock:
		return "pthread_mutex_lock(&m);\n"
	case unlock:
		return "pthread_mutex_unlock(&m);\n"
	}
	into, order := fmt.Sprintf("r[%d][%d] = ", t, in.Into), "memory_order_"+in.Order.String()
	switch in.Op {
	case machine.Load:
		return fmt.Sprintf("%satomic_load_explicit(&x[%d], %s);\n", into, in.Loc, order)
	case machine.Store:
		return fmt.Sprintf("atomic_store_explicit(&x[%d], %s, %s);\n", in.Loc, value(in.Value), order)
	case machine.Add:
		return fmt.Sprintf("%satomic_fetch_add_explicit(&x[%d], %s, %s);\n", into, in.Loc, value(in.Value), order)
	case machine.Exchange:
		return fmt.Sprintf("%satomic_exchange_explicit(&x[%d], %s, %s);\n", into, in.Loc, value(in.Value), order)
	case machine.CompareExchange:
		return fmt.Sprintf("{ int e = %s; atomic_compare_exchange_strong_explicit(&x[%d], &e, %s, %s, memory_order_%s); %se; }\n", value(in.Expected), in.Loc, value(in.Value), order, in.Failure, into)
	case machine.Fence:
		return fmt.Sprintf("atomic_thread_fence(%s);\n", order)
	case machine.Jump:
		return fmt.Sprintf("if (%s == %s) goto l%d;\n", value(in.Value), value(in.Expected), k+1+in.Skip)
	case machine.Spawn:
		return fmt.Sprintf("pthread_create(&thread[%d], 0, thread%d, 0);\n", in.Thread, in.Thread)
	}
	return fmt.Sprintf("pthread_join(thread[%d], 0);\n", in.Thread)
}

// TestMachine compares the execution graphs of random programs with what the operational semantics of package memory/machine does: as many graphs, and the same values at the end, under all models.
// The environment variable COMUS_RANDOM says how many programs there are, COMUS_SEED which.
func TestMachine(t *testing.T) {
	n := 25
	if s := os.Getenv("COMUS_RANDOM"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	seed := uint64(1)
	if s := os.Getenv("COMUS_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	rnd := rand.New(rand.NewPCG(seed, 31))
	all := map[memory.Model]int{}
	for done := 0; done < n; {
		program := forMachine(rnd)
		want := map[memory.Model]map[string]int{}
		for _, m := range []memory.Model{memory.SC, memory.TSO, memory.PSO, memory.RC11} {
			r, err := machine.Explore(program, m, machine.Options{States: 5000})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Complete || len(r.Executions) > 200 {
				break
			}
			want[m] = map[string]int{}
			for _, e := range r.Executions {
				s := fmt.Sprint(e.Memory[0], " ", e.Memory[1])
				for i := range 4 {
					for k := 1; k < 4; k++ {
						v := uint64(0)
						if i < len(e.Registers) {
							v = e.Registers[i][k]
						}
						s += fmt.Sprint(" ", v)
					}
				}
				want[m][s]++
			}
		}
		if len(want) < 4 {
			continue
		}
		done++
		p := load(t, inC(program))
		for m, ends := range want {
			got := map[string]int{}
			r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: m, Run: options, Last: done%2 == 0}, func(ex *graphs.Execution) bool {
				if ex.Blocked { // at a lock
					return false
				}
				if ex.Result.Outcome != interp.Exited {
					t.Errorf("a run ends with %v", ex.Result.Outcome)
				}
				got[strings.TrimSpace(string(ex.Result.Stdout))]++
				all[m]++
				return false
			})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Complete || !maps.Equal(got, ends) {
				t.Fatalf("%v: %d graphs (%s), and the machine has others:\n%v\n%v\n%v%s", m, r.Runs, r.Why, difference(got, ends), difference(ends, got), program, inC(program))
			}
		}
	}
	t.Logf("%d programs, graphs: %v", n, all)
	if all[memory.RC11] < all[memory.SC]*51/50 {
		t.Error("too few programs tell the models apart")
	}
}

// TestFailureOrder has a compare and exchange whose order is stronger if it fails. Where it reads 0 and so does not fail, it may be behind a write that a failure would have to see.
func TestFailureOrder(t *testing.T) {
	type thread = []machine.Instruction
	exchanges := thread{{Op: machine.Store, Value: machine.Value{Plus: 1}, Order: cir.SeqCst},
		{Op: machine.CompareExchange, Loc: 1, Into: 1, Value: machine.Value{Plus: 5}, Order: cir.Relaxed, Failure: cir.SeqCst}}
	other := thread{{Op: machine.Store, Loc: 1, Value: machine.Value{Plus: 1}, Order: cir.SeqCst}, {Op: machine.Load, Into: 1, Order: cir.SeqCst}}
	for _, threads := range [][2]thread{{exchanges, other}, {other, exchanges}} {
		p := machine.Program{{{Op: machine.Spawn, Thread: 1}, {Op: machine.Spawn, Thread: 2}, {Op: machine.Join, Thread: 1}, {Op: machine.Join, Thread: 2}}, threads[0], threads[1]}
		want, err := machine.Explore(p, memory.RC11, machine.Options{})
		if err != nil || len(want.Executions) != 4 {
			t.Fatal(err, want)
		}
		c := load(t, inC(p))
		for _, last := range []bool{false, true} {
			if v := visit(t, c, graphs.Options{Model: memory.RC11, Last: last}); !v.report.Complete || len(v.sums) != 4 {
				t.Errorf("last %v: %d graphs, %+v", last, len(v.sums), v.report)
			}
		}
	}
}

// difference returns what comes more often in a.
func difference(a, b map[string]int) (more []string) {
	for s, n := range a {
		if n > b[s] {
			more = append(more, fmt.Sprintf("%s: %d instead of %d", s, n, b[s]))
		}
	}
	slices.Sort(more)
	return more
}

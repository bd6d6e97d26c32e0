package check_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"comus/check"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

// wildIR makes threads with random edges between random locations, atomic ones and several
// errors among them, over variables of one or two bits: loops of any shape, also inside
// atomic sections, and edges that read and write several variables at once.
func wildIR(r *rand.Rand) *ir.Program {
	p := ir.NewProgram("wild.c")
	var shared []*ir.Var
	newVar := func(name string, thread int) *ir.Var {
		v := p.NewVar(name, ir.Type{Bits: 1 + r.IntN(2)}, thread)
		if r.IntN(4) > 0 {
			v.Init = new(logic.Value)
		}
		return v
	}
	for i := range 1 + r.IntN(3) {
		shared = append(shared, newVar(fmt.Sprint("s", i), ir.Shared))
	}
	for i := range 1 + r.IntN(3) {
		t := p.NewThread("t")
		vars := append(slices.Clone(shared), newVar(fmt.Sprint("l", i), i))
		if r.IntN(2) == 0 {
			vars = append(vars, newVar(fmt.Sprint("m", i), i))
		}
		for range 2 + r.IntN(6) {
			t.NewLoc(ir.Pos{}).Atomic = r.IntN(4) == 0
		}
		last := t.Locs[len(t.Locs)-1]
		last.Error = r.IntN(3) > 0
		last.Atomic = last.Atomic && !last.Error
		for j := range len(t.Locs) + r.IntN(6) {
			from := t.Locs[min(j, r.IntN(len(t.Locs)))]
			to := t.Locs[r.IntN(len(t.Locs))]
			if r.IntN(3) > 0 {
				to = t.Locs[min(from.Index+1+r.IntN(2), len(t.Locs)-1)]
			}
			if from == last {
				continue
			}
			var cmds []ir.Cmd
			for range r.IntN(4) {
				cmds = append(cmds, wildCmd(r, p.L, vars))
			}
			t.NewEdge(from, to, ir.Pos{}, "", cmds...)
		}
	}
	return p
}

func wildCmd(r *rand.Rand, l *logic.Store, vars []*ir.Var) ir.Cmd {
	v, w := vars[r.IntN(len(vars))], vars[r.IntN(len(vars))]
	size := l.Int(1 << v.Type.Bits)
	switch r.IntN(9) {
	case 0:
		return ir.HavocCmd(v, "input")
	case 1:
		return ir.AssumeCmd(l.Eq(v.Sym, l.Int(r.Int64N(2))))
	case 2:
		return ir.AssumeCmd(l.Ne(v.Sym, w.Sym))
	case 3:
		return ir.AssumeCmd(l.Le(v.Sym, w.Sym))
	case 4, 5:
		return ir.AssignCmd(v, l.Int(r.Int64N(2)))
	case 6:
		return ir.AssignCmd(v, l.Ite(l.Eq(w.Sym, l.Int(0)), l.Int(1), l.Mod(v.Sym, size)))
	}
	return ir.AssignCmd(v, l.Mod(l.Add(w.Sym, l.Int(1)), size))
}

// TestOrdersOnWildIR compares the encoding of all executions with the explorer and with
// the visit of all states, on random graphs and with random cut-points.
// COMUS_WILD_SEEDS and COMUS_WILD_FIRST choose others.
func TestOrdersOnWildIR(t *testing.T) {
	t.Setenv("PATH", "")
	n, first := long.N(100, 20), 0
	if k, err := strconv.Atoi(os.Getenv("COMUS_WILD_SEEDS")); err == nil {
		n = k
	}
	if k, err := strconv.Atoi(os.Getenv("COMUS_WILD_FIRST")); err == nil {
		first = k
	}
	count := map[string]int{}
	for seed := first; seed < first+n; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 77))
		p := wildIR(r)
		if p.CheckStructure() != nil {
			count["malformed"]++
			continue
		}
		oracle, err := explore.Explore(t.Context(), p, explore.Options{MaxStates: 20_000})
		if err != nil || oracle.Verdict == explore.Unknown {
			continue
		}
		if err := check.States(t.Context(), p); (err == nil) != (oracle.Verdict == explore.Safe) {
			t.Fatalf("seed %d: the explorer says %v, the visit of all states %v\n%s", seed, oracle.Verdict, err, p)
		}
		for try := range 4 {
			c := &check.Certificate{Bound: r.IntN(5)}
			if try > 0 {
				c.Threads = cutPoints(p)
			}
			if try > 1 {
				for i, ct := range c.Threads {
					c.Threads[i].Cuts = slices.DeleteFunc(ct.Cuts, func(l int) bool { return l != p.Threads[ct.Thread].Entry.Index && r.IntN(3) == 0 })
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			_, err := check.Orders(ctx, p, c)
			cancel()
			what := "other"
			switch {
			case err == nil:
				what = "proved"
				if oracle.Verdict == explore.Unsafe {
					t.Fatalf("seed %d: an unsafe program was proved safe, try %d, bound %d\n%s\n%v", seed, try, c.Bound, p, oracle.Schedule)
				}
			case errors.Is(err, check.ErrBound):
				what = "bound"
			case strings.Contains(err.Error(), "an execution that fails"):
				what = "refuted"
				if oracle.Verdict == explore.Safe {
					t.Errorf("seed %d: a safe program was refuted, try %d, bound %d\n%s", seed, try, c.Bound, p)
				}
			case strings.Contains(err.Error(), "has to be a cut-point"):
				what = "cut-points"
			}
			if what == "other" {
				what += err.Error()
				what = what[:min(len(what), 50)]
			}
			count[what]++
		}
	}
	t.Log(count)
}

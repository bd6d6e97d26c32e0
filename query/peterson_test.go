package query

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/ir"
	"comus/logic"
	"comus/seqmc/spacer"
)

func zero() *logic.Value { v := logic.IntValue(0); return &v }

// peterson builds the paper's Fig. 1 with two threads that start at once; broken
// leaves out thread 1's claim.
func peterson(broken bool) *ir.Program {
	p := ir.NewProgram("peterson")
	l := p.L
	shared := func(n string) *ir.Var { v := p.NewVar(n, ir.Type{Bits: 8}, ir.Shared); v.Init = zero(); return v }
	claim := []*ir.Var{shared("claim0"), shared("claim1")}
	cs := []*ir.Var{shared("cs0"), shared("cs1")}
	turn := p.NewVar("turn", ir.Type{Bits: 32, Signed: true}, ir.Shared)
	for i := range 2 {
		t := p.NewThread([]string{"t0", "t1"}[i])
		me, other := i, 1-i
		locs := []*ir.Loc{t.Entry}
		for range 7 {
			locs = append(locs, t.NewLoc(ir.Pos{}))
		}
		set := func(a, b int, v *ir.Var, k int64) {
			t.NewEdge(locs[a], locs[b], ir.Pos{}, v.Name, ir.AssignCmd(v, l.Int(k)))
		}
		if broken && i == 1 {
			t.NewEdge(locs[0], locs[1], ir.Pos{}, "skip")
		} else {
			set(0, 1, claim[me], 1)
		}
		set(1, 2, turn, int64(other))
		is := func(a, b int, f *logic.Term) { t.NewEdge(locs[a], locs[b], ir.Pos{}, "", ir.AssumeCmd(f)) }
		is(2, 3, l.Eq(claim[other].Sym, l.Int(1)))
		is(2, 4, l.Ne(claim[other].Sym, l.Int(1)))
		is(3, 2, l.Ne(turn.Sym, l.Int(int64(me))))
		is(3, 4, l.Eq(turn.Sym, l.Int(int64(me))))
		set(4, 5, cs[me], 1)
		if i == 0 {
			e := t.NewLoc(ir.Pos{})
			e.Error = true
			is(5, 6, l.Eq(cs[1].Sym, l.Int(0)))
			t.NewEdge(locs[5], e, ir.Pos{}, "assert", ir.AssumeCmd(l.Ne(cs[1].Sym, l.Int(0))))
		} else {
			t.NewEdge(locs[5], locs[6], ir.Pos{}, "skip")
		}
		set(6, 7, cs[me], 0)
		set(7, 0, claim[me], 0)
	}
	p.Renumber()
	return p
}

func TestPeterson(t *testing.T) {
	for _, broken := range []bool{false, true} {
		for _, seed := range []bool{true, false} {
			p := peterson(broken)
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			graphs := cutpoints.Compute(p, cutpoints.Options{})
			var facts *locpairs.Facts
			if seed {
				var err error
				facts, err = locpairs.Analyze(ctx, p, graphs, locpairs.Options{})
				if err != nil {
					t.Fatal(err)
				}
			}
			log := hclog.New(&hclog.LoggerOptions{Level: hclog.Warn})
			h, err := New(p, graphs, facts, []int{0, 1}, &spacer.Checker{Log: log}, log)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Verbose() {
				h.Observe = func(e Event) {
					switch e.Kind {
					case Checking:
						t.Logf("check level %d query %v", e.Level, e.Query != nil)
					case Answered:
						t.Logf("  level %d α %s\n      β %s\n      = %s", e.Level, e.Alpha.C(logic.CStyle{}), e.Beta.C(logic.CStyle{}), e.Answer.C(logic.CStyle{}))
						if e.Refined != nil {
							t.Logf("   refined %s  →  %s", e.Refined.Alpha.C(logic.CStyle{}), e.Refined.Beta.C(logic.CStyle{}))
						}
					}
				}
			}
			start := time.Now()
			proof, blocks, err := h.Main(ctx)
			if err != nil {
				t.Fatalf("broken %v seed %v: %v (%+v)", broken, seed, err, h.Snapshot())
			}
			if (proof == nil) != broken {
				t.Errorf("broken %v: proof %v, blocks %v", broken, proof != nil, len(blocks))
			}
			t.Logf("broken %v seed %v: %v %+v", broken, seed, time.Since(start), h.Snapshot())
			h.Close()
		}
	}
}

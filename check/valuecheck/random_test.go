package valuecheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/cir/interp/sample"
	"comus/internal/randc"
	"comus/internal/randprog"
	"comus/internal/randrace"
	"comus/internal/randstr"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/scan/values"
)

// TestRandom puts assertions into random programs, true ones and others, has them confirmed by the fixpoint and by forged ones, and runs the programs: what
// fails in a run is never confirmed. More: COMUS_SCAN=200, from COMUS_SEED.
func TestRandom(t *testing.T) {
	count, first := 2, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("COMUS_SCAN")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	for _, kind := range []struct {
		name    string
		program func(seed uint64) string
	}{
		{"race", randrace.Program},
		{"threads", func(seed uint64) string { return randprog.Generate(seed, randprog.Options{}) }},
		{"synchronised", randprog.Synchronised},
		{"c", func(seed uint64) string { return randc.Program(seed, randc.All&^(randc.Math|randc.Wide)) }},
		{"strings", randstr.Program},
		{"plain c", func(seed uint64) string { return randc.Program(seed, randc.Core) }},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			all := tally{}
			for i := range uint64(count) {
				if err := refute(t.Context(), kind.program(first+i), first+i, &all); err != nil {
					t.Errorf("seed %d: %v", first+i, err)
				}
			}
			t.Logf("%+v", all)
		})
	}
}

// tally counts.
type tally struct {
	Programs, Assertions, Failed, Proved, Confirmed int
	Forged, Refused, Kept                           int // certificates; of which claims were refused; with nothing refused and all confirmed as before
}

// forgeries is how many certificates are forged of each program.
const forgeries = 12

// refute runs a program. The error is that something was confirmed that is wrong.
func refute(ctx context.Context, text string, seed uint64, all *tally) error {
	p, err := cfront.LoadText(ctx, command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 7))
	if err := ask(ctx, p.Program, r); err != nil {
		return err
	}
	runs, err := sample.Run(ctx, p.Program, sample.Options{Runs: 12, MaxSteps: 1 << 16})
	if err != nil {
		return err
	}
	failed := map[string]bool{}
	for _, f := range runs.Failures {
		if _, name, ok := strings.Cut(f.What, asked); ok {
			failed[name] = true
		}
	}
	all.Programs, all.Failed = all.Programs+1, all.Failed+len(failed)
	pts, err := pointsto.AnalyseOpen(ctx, p.Program)
	if err != nil {
		return err
	}
	found, err := values.Analyse(ctx, p.Program, pts, values.Options{Plain: true})
	if err != nil {
		return err
	}
	check := func(c *certificate.Values, what string) (*valuecheck.Report, error) {
		rep, err := valuecheck.Check(ctx, p.Program, pts, c, valuecheck.Options{})
		if err != nil {
			return nil, nil // nothing is confirmed
		}
		for in := range rep.Confirmed {
			for name := range failed {
				if strings.HasSuffix(in.Name, asked+name) {
					return nil, fmt.Errorf("%s: confirmed, but fails in a run: %s\n%s", what, in.Name, text)
				}
			}
		}
		return rep, nil
	}
	return all.ask(found, r, forgeries, check)
}

// ask has the fixpoint checked, and n certificates that are forged.
func (all *tally) ask(found *values.Result, r *rand.Rand, n int, check func(c *certificate.Values, what string) (*valuecheck.Report, error)) error {
	rep, err := check(found.Claims(), "the fixpoint")
	if rep == nil {
		return err
	}
	for _, a := range found.Assertions() {
		all.Assertions++
		if a.Proved {
			all.Proved++
			if rep.Confirmed[a.Instr] {
				all.Confirmed++
			}
		}
	}
	for i := range n {
		c := found.Claims()
		what := forge(r, c)
		if what == "" {
			continue
		}
		all.Forged++
		again, err := check(c, fmt.Sprintf("forged (%d: %s)", i, what))
		switch {
		case err != nil:
			return err
		case again == nil || again.Dropped > rep.Dropped:
			all.Refused++
		default:
			all.Kept++
		}
	}
	return nil
}

// asked marks the assertions that are put in.
const asked = "asked: "

// ask puts assertions into a program: about bounds of what registers may be, or a bit less.
func ask(ctx context.Context, p *cir.Program, r *rand.Rand) error {
	pts, err := pointsto.AnalyseOpen(ctx, p)
	if err != nil {
		return err
	}
	found, err := values.Analyse(ctx, p, pts, values.Options{Plain: true})
	if err != nil {
		return err
	}
	n := 0
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			var out []cir.Instr
			for _, in := range b.Instrs {
				out = append(out, in)
				for _, x := range cir.Results(in) {
					if !x.Type.IsInt() || x.Type.Bits > 64 || r.IntN(3) > 0 {
						continue
					}
					for _, ctx := range found.Contexts(f) {
						lo, hi, ok := found.Int(f, ctx, x).Bounds()
						if !ok {
							continue
						}
						pred, k := cir.Ge, lo
						switch r.IntN(8) {
						case 0, 1, 2:
						case 3, 4, 5:
							pred, k = cir.Le, hi
						case 6:
							pred, k = cir.Ne, lo+int64(r.IntN(3))
						default:
							pred, k = cir.Le, hi-1-int64(r.IntN(2))
						}
						y := &cir.Reg{Index: f.NumRegs, Type: cir.Bool}
						f.NumRegs++
						n++
						out = append(out, &cir.Compare{Dst: y, Pred: pred, X: x, Y: cir.IntOf(x.Type, k)},
							&cir.Intrinsic{Op: cir.Assert, Args: []cir.Value{y}, Name: fmt.Sprintf("%s%d of %s: %%%d %s %d", asked, n, f.Name, x.Index, pred, k)})
						break
					}
				}
			}
			b.Instrs = out
		}
	}
	return p.Check()
}

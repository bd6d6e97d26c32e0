package values_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/randc"
	"comus/internal/randprog"
	"comus/internal/randrace"
	"comus/internal/randrel"
	"comus/internal/randseq"
	"comus/internal/randstr"
	"comus/scan/pointsto"
	"comus/scan/values"
)

// TestRandom analyses random programs and runs them with all that the analysis claims put into them as assertions: that blocks are not
// reached, and what registers may be. More: COMUS_SCAN=2000, from COMUS_SEED.
func TestRandom(t *testing.T) {
	count, first := 3, uint64(1)
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
		{"plain c", func(seed uint64) string { return randc.Program(seed, randc.Core) }},
		{"sequential", sequential},
		{"strings", randstr.Program},
		{"relations", func(seed uint64) string { return randrel.Program(seed, func(string) bool { return true }) }},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			claims, programs := 0, 0
			for i := range uint64(count) {
				text := kind.program(first + i)
				n, err := refute(t.Context(), text)
				if err != nil {
					t.Errorf("seed %d: %v", first+i, err)
					continue
				}
				claims, programs = claims+n, programs+1
			}
			t.Logf("%d programs, %d claims", programs, claims)
		})
	}
}

// sequential is a program of randseq.
func sequential(seed uint64) string {
	p := randseq.Generate(seed, "r_")
	return p.Decls + "int main(void) {\n" + strings.Join(p.Exprs, ";\n") + ";\n}\n"
}

// refute runs a program with what is claimed of it as assertions, which it counts. The error is that one fails.
func refute(ctx context.Context, text string) (int, error) {
	p, err := cfront.LoadText(ctx, command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true})
	if err != nil {
		return 0, err
	}
	pts, err := pointsto.Analyse(ctx, p.Program)
	if err != nil {
		return 0, err
	}
	r, err := values.Analyse(ctx, p.Program, pts, values.Options{Everywhere: true})
	if err != nil {
		return 0, err
	}
	n := claim(p.Program, r)
	if err := p.Program.Check(); err != nil {
		return 0, err
	}
	runs, err := sample.Run(ctx, p.Program, sample.Options{Runs: 8, MaxSteps: 1 << 16})
	if err != nil {
		return 0, err
	}
	if runs.Outcomes[interp.Missing] > 0 {
		return 0, fmt.Errorf("a function is missing")
	}
	for _, f := range runs.Failures {
		if strings.Contains(f.What, claimed) {
			return 0, fmt.Errorf("with seed %d: %s", f.Seed, f.What)
		}
	}
	return n, nil
}

// claimed marks the assertions of the analysis.
const claimed = "claim: "

// claim puts what the analysis claims into a program. It returns the number of claims.
func claim(p *cir.Program, r *values.Result) int {
	n := 0
	for _, f := range p.Funcs {
		ctxs := r.Contexts(f)
		for _, b := range f.Blocks {
			reached := false
			for _, ctx := range ctxs {
				reached = reached || r.Reached(f, ctx, b)
			}
			if !reached {
				n++
				b.Instrs = append([]cir.Instr{failing(cir.IntOf(cir.I32, 0), fmt.Sprintf("%sb%d of %s is not reached", claimed, b.Index, f.Name))}, b.Instrs...)
				continue
			}
			var out []cir.Instr
			for _, in := range b.Instrs {
				out = append(out, in)
				for _, x := range cir.Results(in) {
					if x.Type.IsInt() && x.Type.Bits <= 64 || x.Type.IsPointer() {
						add := bounds(f, x, ctxs, r, p.Model)
						n += len(add) / 2
						out = append(out, add...)
					}
				}
			}
			b.Instrs = out
		}
	}
	return n
}

func failing(c cir.Value, why string) cir.Instr {
	return &cir.Intrinsic{Op: cir.Assert, Args: []cir.Value{c}, Name: why}
}

// bounds returns assertions that a register is within what is claimed.
func bounds(f *cir.Func, x *cir.Reg, ctxs []pointsto.Context, r *values.Result, m cir.Model) (out []cir.Instr) {
	seen := []values.Value{}
	for _, ctx := range ctxs {
		if v := r.Int(f, ctx, x); !v.None() {
			seen = append(seen, v)
		}
	}
	check := func(p cir.Pred, c int64) {
		y := &cir.Reg{Index: f.NumRegs, Type: cir.Bool}
		f.NumRegs++
		var k cir.Value = cir.IntOf(x.Type, c)
		if x.Type.IsPointer() {
			k = cir.Null{}
		}
		out = append(out, &cir.Compare{Dst: y, Pred: p, X: x, Y: k}, failing(y, fmt.Sprintf("%s%%%d of %s is %s %d: %v", claimed, x.Index, f.Name, p, c, seen)))
	}
	if x.Type.IsPointer() {
		null := false
		for _, v := range seen {
			null = null || v.MayBe(0)
		}
		if !null {
			check(cir.Ne, 0)
		}
		return out
	}
	least, most, known := int64(0), int64(0), len(seen) > 0
	for i, v := range seen {
		lo, hi, ok := v.Bounds()
		known = known && ok
		if i == 0 || lo < least {
			least = lo
		}
		if i == 0 || hi > most {
			most = hi
		}
	}
	if !known {
		return nil
	}
	check(cir.Ge, least)
	check(cir.Le, most)
	if most-least > 0 && most-least < 20 {
		for k := least + 1; k < most; k++ {
			some := false
			for _, v := range seen {
				some = some || v.MayBe(k)
			}
			if !some {
				check(cir.Ne, k)
			}
		}
	}
	return out
}

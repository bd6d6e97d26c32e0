package valuecheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/long"
	"comus/internal/randc"
	"comus/internal/randprog"
	"comus/internal/randrace"
)

// TestClaims forges certificates, and looks at what the checker has left of their claims, all that it has not refused: none of it is wrong where a run shows what
// registers and memory hold. Of certificates of which nothing is refused, it tells whether what they claim follows from what the right one claims.
// About a thousand certificates; more: COMUS_SCAN=20 for so many random programs of each kind and 40 certificates of each, from COMUS_SEED.
func TestClaims(t *testing.T) {
	count, first, each := 1, uint64(1), long.N(10, 3)
	if n, err := strconv.Atoi(os.Getenv("COMUS_SCAN")); err == nil {
		count, each = n, 40
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	var programs []string
	for _, p := range pairs {
		programs = append(programs, decls+p.confirmed, decls+p.open)
	}
	for i := range uint64(count) {
		seed := first + i
		programs = append(programs, randrace.Program(seed), randprog.Generate(seed, randprog.Options{}), randprog.Synchronised(seed), randc.Program(seed, randc.Core))
	}
	all := left{}
	for i, text := range programs {
		if err := compareClaims(t.Context(), text, rand.New(rand.NewPCG(first, uint64(i))), each, &all); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	t.Logf("%+v", all)
	if all.Forged < long.N(1000, 200) {
		t.Errorf("only %d certificates", all.Forged)
	}
}

// left counts.
type left struct {
	Programs, Seen                                 int // what was seen where a block begins
	Forged, Refused, Invalid, Follow, Strengthened int // certificates: with claims that were refused, of which nothing is confirmed; accepted, which claim no more, or more
}

func compareClaims(ctx context.Context, text string, r *rand.Rand, each int, all *left) error {
	s, err := analysed(ctx, text)
	if err != nil {
		return err
	}
	right, err := valuecheck.Remaining(ctx, s.prog, s.pts, s.claims)
	if err != nil {
		return nil // such a program is refused as a whole
	}
	seen, err := watch(ctx, text)
	if err != nil {
		return err
	}
	all.Programs, all.Seen = all.Programs+1, all.Seen+len(seen)
	for i := range each + 1 {
		c, what := s.found.Claims(), "the right one"
		if i > 0 {
			if what = forge(r, c); what == "" {
				continue
			}
			all.Forged++
		}
		rest, err := valuecheck.Remaining(ctx, s.prog, s.pts, c)
		if err != nil {
			all.Invalid++
			continue
		}
		for _, x := range seen {
			if wrong := rest.Refuted(x); wrong != "" {
				return fmt.Errorf("%s: left is what is wrong: %s", what, wrong)
			}
		}
		switch {
		case i == 0:
		case rest.Dropped > right.Dropped:
			all.Refused++
		case rest.Follows(right):
			all.Follow++
		default:
			all.Strengthened++
		}
	}
	return nil
}

// watched is the function that the programs are made to call where blocks begin.
const watched = "__watched"

// point is where it is called, and what it is given.
type point struct {
	fn      *cir.Func
	block   int
	regs    []*cir.Reg
	locals  []*cir.Local
	globals []*cir.Global
}

// watch runs a program with schedules and inputs of all kinds, and tells what was seen where blocks begin.
func watch(ctx context.Context, text string) ([]*valuecheck.Seen, error) {
	p, err := cfront.LoadText(ctx, command.Invocation{File: "t.c"}, []byte(text), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		return nil, err
	}
	points := callAtBlocks(p.Program)
	var list []*valuecheck.Seen
	count := make([]int, len(points))
	external := func(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
		if name != watched {
			return sample.Unknown(m, name, args)
		}
		if k := args[0].Lo; count[k] < 40 {
			count[k]++
			list = append(list, points[k].seen(m, args[1:]))
		}
		return interp.Value{}, true, nil
	}
	_, err = sample.Run(ctx, p.Program, sample.Options{Runs: 12, MaxSteps: 1 << 14, External: external})
	return list, err
}

// callAtBlocks puts the calls into the program's own functions.
func callAtBlocks(p *cir.Program) (list []point) {
	f := &cir.Func{Name: watched, Source: watched}
	var globals []*cir.Global
	for _, g := range p.Globals {
		if !g.External && !g.Literal && g.Size <= 64 {
			globals = append(globals, g)
		}
	}
	for _, fn := range p.Funcs {
		if fn.Library || len(fn.Blocks) == 0 {
			continue
		}
		for i, known := range assigned(fn) {
			b := fn.Blocks[i]
			x := point{fn: fn, block: i, globals: globals}
			args := []cir.Arg{{X: cir.IntOf(cir.I64, int64(len(list)))}}
			for _, r := range known {
				if r.Type.IsPointer() || r.Type.IsInt() && r.Type.Bits <= 64 {
					x.regs, args = append(x.regs, r), append(args, cir.Arg{X: r})
				}
			}
			for _, l := range fn.Locals {
				if l.Size <= 64 {
					x.locals, args = append(x.locals, l), append(args, cir.Arg{X: l})
				}
			}
			for _, g := range globals {
				args = append(args, cir.Arg{X: g})
			}
			call := &cir.Call{Callee: f, Fixed: len(args), Returns: true, Args: args}
			if len(b.Instrs) > 0 {
				call.Info = cir.Info{Site: b.Instrs[0].Meta().Site}
			}
			b.Instrs = slices.Insert(b.Instrs, 0, cir.Instr(call))
			list = append(list, x)
		}
	}
	p.Funcs = append(p.Funcs, f)
	return list
}

// assigned returns, for each block, the registers that are assigned on all ways to its beginning.
func assigned(fn *cir.Func) [][]*cir.Reg {
	in := make([]map[*cir.Reg]bool, len(fn.Blocks)) // nil: not reached
	first := map[*cir.Reg]bool{}
	for _, p := range fn.Params {
		first[p.Reg] = true
	}
	in[0] = first
	for changed := true; changed; {
		changed = false
		for i, b := range fn.Blocks {
			if in[i] == nil {
				continue
			}
			out := map[*cir.Reg]bool{}
			for r := range in[i] {
				out[r] = true
			}
			for _, x := range b.Instrs {
				for _, r := range cir.Results(x) {
					out[r] = true
				}
			}
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				next := map[*cir.Reg]bool{}
				for _, r := range to.Params {
					next[r] = true
				}
				for r := range out {
					if in[to.Index] == nil || in[to.Index][r] {
						next[r] = true
					}
				}
				if in[to.Index] == nil || len(next) < len(in[to.Index]) {
					in[to.Index], changed = next, true
				}
			})
		}
	}
	list := make([][]*cir.Reg, len(fn.Blocks))
	for i := range in {
		for r := range in[i] {
			if r != nil {
				list[i] = append(list[i], r)
			}
		}
		slices.SortFunc(list[i], func(a, b *cir.Reg) int { return a.Index - b.Index })
	}
	return list
}

// seen notes what there is.
func (x *point) seen(m *interp.Machine, args []interp.Value) *valuecheck.Seen {
	s := &valuecheck.Seen{Func: x.fn.Name, Block: x.block, Regs: map[int]valuecheck.Scalar{}, Locals: map[int][]valuecheck.Byte{}, Globals: map[string][]valuecheck.Byte{}}
	for i, r := range x.regs {
		if v := args[i]; v.Obj != nil {
			s.Regs[r.Index] = valuecheck.Somewhere
		} else {
			s.Regs[r.Index] = valuecheck.NumberOf(v.Lo, r.Type)
		}
	}
	args = args[len(x.regs):]
	for i, l := range x.locals {
		s.Locals[l.Index] = bytesOf(m, args[i], l.Size)
	}
	args = args[len(x.locals):]
	for i, g := range x.globals {
		s.Globals[g.Name] = bytesOf(m, args[i], g.Size)
	}
	return s
}

func bytesOf(m *interp.Machine, p interp.Value, size int64) []valuecheck.Byte {
	list := make([]valuecheck.Byte, size)
	for k := range list {
		at := p
		at.Lo += uint64(k)
		if b, err := m.Bytes(at, 1); err == nil {
			list[k] = valuecheck.Byte{Value: b[0], Known: true}
		}
	}
	return list
}

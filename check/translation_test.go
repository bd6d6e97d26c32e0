package check_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/check"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

// counterProgram returns a random program of threads that count in numbers of few bits, and compare them.
func counterProgram(r *rand.Rand) *ir.Program {
	p := ir.NewProgram("random.c")
	l := p.L
	kinds := []ir.Type{{Bits: 3}, {Bits: 3}, {Bits: 4}, {Bits: 3, Signed: true}}
	typ := kinds[r.IntN(len(kinds))]
	n := 2
	for i := range n {
		p.NewThread(fmt.Sprintf("t%d", i))
	}
	variable := func(name string, t ir.Type, thread int, init bool) *ir.Var {
		v := p.NewVar(name, t, thread)
		if init {
			v.Init = new(logic.Value)
		}
		return v
	}
	shared := []*ir.Var{variable("a", typ, ir.Shared, true), variable("b", typ, ir.Shared, true), variable("f", ir.Flag, ir.Shared, true)}
	if r.IntN(4) == 0 {
		shared[1].Type = kinds[r.IntN(len(kinds))]
	}
	wrap := func(t *logic.Term, to ir.Type) *logic.Term {
		lo, hi := to.Range()
		size := l.Int(int64(1) << to.Bits)
		switch r.IntN(2) {
		case 0:
			return l.Ite(l.Gt(t, l.Value(hi)), l.Sub(t, size), l.Ite(l.Lt(t, l.Value(lo)), l.Add(t, size), t))
		}
		return l.Add(l.Value(lo), l.Mod(l.Sub(t, l.Value(lo)), size))
	}
	for i, t := range p.Threads {
		vars := append([]*ir.Var(nil), shared...)
		vars = append(vars, variable(fmt.Sprintf("x%d", i), typ, i, r.IntN(2) == 0), variable(fmt.Sprintf("y%d", i), typ, i, r.IntN(3) == 0))
		pick := func() *ir.Var {
			if v := vars[r.IntN(len(vars))]; v.Type.Bits > 1 || r.IntN(4) == 0 {
				return v
			}
			return vars[r.IntN(2)]
		}
		number := func() *logic.Term {
			switch v := pick().Sym; r.IntN(10) {
			case 0, 1, 2:
				return l.Add(v, l.Int(int64(r.IntN(3))))
			case 3:
				return l.Sub(v, pick().Sym)
			case 4:
				return l.Mod(v, l.Int(int64(2+r.IntN(3))))
			case 5:
				return l.Int(int64(r.IntN(4)))
			default:
				return v
			}
		}
		condition := func() *logic.Term {
			a, b := number(), number()
			switch r.IntN(5) {
			case 0:
				return l.Ne(a, b)
			case 1:
				return l.Le(a, b)
			case 2:
				return l.Eq(l.Sub(pick().Sym, pick().Sym), l.Int(int64(r.IntN(3))))
			default:
				return l.Eq(a, b)
			}
		}
		var locs []*ir.Loc
		for range 3 + r.IntN(3) {
			locs = append(locs, t.NewLoc(ir.Pos{}))
		}
		t.Entry = locs[0]
		bad := t.NewLoc(ir.Pos{})
		bad.Error = true
		for k, at := range locs {
			next := locs[(k+1)%len(locs)]
			if k == 0 && r.IntN(2) == 0 { // not in the loop
				for len(locs) > 1 && next == locs[0] {
					next = locs[1]
				}
			}
			var cmds []ir.Cmd
			for range 1 + r.IntN(3) {
				switch r.IntN(6) {
				case 0:
					cmds = append(cmds, ir.AssumeCmd(condition()))
				case 1:
					v := pick()
					cmds = append(cmds, ir.AssignCmd(v, wrap(l.Add(v.Sym, l.Int(1)), v.Type)))
				case 2:
					v := pick()
					_, hi := v.Type.Range()
					cmds = append(cmds, ir.AssumeCmd(l.Lt(v.Sym, l.Value(hi))), ir.AssignCmd(v, l.Add(v.Sym, l.Int(1))))
				case 3:
					if v := pick(); r.IntN(3) == 0 {
						cmds = append(cmds, ir.HavocCmd(v, ""))
						break
					}
					fallthrough
				default:
					v := pick()
					cmds = append(cmds, ir.AssignCmd(v, wrap(wrap(number(), v.Type), v.Type)))
				}
			}
			for _, c := range cmds { // of several types: all that is left is in the type
				if c.Kind == ir.Assign {
					lo, hi := c.Var.Type.Range()
					cmds = append(cmds, ir.AssumeCmd(l.And(l.Le(l.Value(lo), c.Var.Sym), l.Le(c.Var.Sym, l.Value(hi)))))
				}
			}
			t.NewEdge(at, next, ir.Pos{}, "step", cmds...)
			if r.IntN(4) == 0 {
				t.NewEdge(at, bad, ir.Pos{}, "fails", ir.AssumeCmd(condition()), ir.AssumeCmd(condition()), ir.AssumeCmd(condition()))
			}
			at.Atomic = k > 0 && r.IntN(8) == 0
		}
	}
	p.Renumber()
	return p
}

var firstTranslated = flag.Uint64("translated.seed", 0, "the first random program of TestTranslatedStates")

// TestTranslatedStates compares the visit of states that stand for their translations with the explorer. The translations are random: those that the program does not allow have to be noticed.
func TestTranslatedStates(t *testing.T) {
	proved, refused, violated := 0, 0, 0
	seeds := []uint64{207, 1865} // these notice that a rule is not looked at
	for i := range uint64(long.N(6_000, 80)) {
		seeds = append(seeds, i+*firstTranslated)
	}
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 11))
		p := counterProgram(r)
		if err := p.CheckStructure(); err != nil {
			t.Fatal(err)
		}
		oracle, err := explore.Explore(t.Context(), p, explore.Options{MaxStates: 8_000})
		if err != nil || oracle.Verdict == explore.Unknown {
			continue
		}
		var list []check.Translation
		for range 1 + r.IntN(2) {
			x := check.Translation{Step: []int64{1, 1, 1, 2, 4}[r.IntN(5)]}
			for _, v := range p.Vars {
				if v.Type.Bits > 1 && r.IntN(8) > 0 {
					x.Weights = append(x.Weights, check.Weight{Var: v.Index, Weight: []int64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, 2}[r.IntN(13)]})
				}
			}
			for _, w := range x.Weights {
				if bits := p.Vars[w.Var].Type.Bits; x.Bits == 0 || bits < x.Bits {
					x.Bits = bits
				}
			}
			if x.Bits > 1 && r.IntN(8) == 0 {
				x.Bits--
			}
			if len(x.Weights) > 0 {
				list = append(list, x)
			}
		}
		err = check.TranslatedStates(t.Context(), p, list)
		switch {
		case err == nil && oracle.Verdict == explore.Unsafe:
			t.Fatalf("seed %d: an unsafe program was proved safe, with %v\n%s", seed, list, p)
		case err == nil:
			proved++
		case strings.Contains(err.Error(), "gets to the error"):
			violated++
		default:
			refused++
		}
	}
	t.Logf("%d proved, %d get to an error, %d refused", proved, violated, refused)
	if few := long.N(300, 8); proved < few || violated < few {
		t.Error("too few programs")
	}
}

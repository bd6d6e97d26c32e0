package locpairs

import (
	"testing"

	"comus/cutpoints"
	"comus/internal/concrete"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// TestSimplifiedBlocksDoTheSame runs blocks and their simplified commands from the
// reachable states of random programs.
func TestSimplifiedBlocksDoTheSame(t *testing.T) {
	compared, shorter := 0, 0
	for seed := range uint64(60) {
		src := randprog.Generate(seed, randprog.Options{Features: randprog.All &^ randprog.Inputs})
		p, graphs, f := analyzeSource(t, src, whole)
		f.Simplify()
		for _, s := range reachableAtCuts(t, p, graphs) {
			for i, g := range graphs {
				for _, b := range g.Out[s.Locs[i]] {
					edges, cmds := commands(b)
					if hasHavoc(cmds) {
						continue
					}
					compared++
					if len(cmds) < edges {
						shorter++
					}
					ends := concrete.Run(p, s, b.Edges)
					got, ok := runCmds(p, cmds, s)
					if ok != (len(ends) == 1) || ok && !sameValues(ends[0].Vals, got) {
						t.Fatalf("seed %d, block %v to %v from %s: %v\n%s", seed, b.From, b.To, concrete.Key(s), cmds, src)
					}
				}
			}
		}
	}
	if compared < 2000 || shorter == 0 {
		t.Errorf("%d runs compared, %d of blocks that became shorter", compared, shorter)
	}
}

func commands(b *cutpoints.Block) (inEdges int, cmds []ir.Cmd) {
	for _, e := range b.Edges {
		inEdges += len(e.Cmds)
	}
	return inEdges, b.Cmds()
}

func hasHavoc(cmds []ir.Cmd) bool {
	for _, c := range cmds {
		if c.Kind == ir.Havoc {
			return true
		}
	}
	return false
}

func reachableAtCuts(t *testing.T, p *ir.Program, graphs []*cutpoints.Graph) []*interp.State {
	var start []*interp.State
	if err := concrete.Initial(p, func(s *interp.State) { start = append(start, s) }); err != nil {
		t.Fatal(err)
	}
	states, _ := concrete.Closure(start, 1500, func(s *interp.State) []*interp.State {
		var out []*interp.State
		for i, g := range graphs {
			for _, b := range g.Out[s.Locs[i]] {
				if g.Cut[b.To.Index] {
					out = append(out, concrete.Run(p, s, b.Edges)...)
				}
			}
		}
		return out
	})
	return states
}

func runCmds(p *ir.Program, cmds []ir.Cmd, s *interp.State) ([]logic.Value, bool) {
	vals := map[*logic.Term]logic.Value{}
	for _, v := range p.Vars {
		vals[v.Sym] = s.Vals[v.Index]
	}
	env := func(sym *logic.Term) logic.Value { return vals[sym] }
	for _, c := range cmds {
		if c.Kind == ir.Assign {
			vals[c.Var.Sym] = logic.Eval(c.Expr, env)
		} else if !logic.Eval(c.Cond, env).Bool() {
			return nil, false
		}
	}
	out := make([]logic.Value, len(p.Vars))
	for _, v := range p.Vars {
		out[v.Index] = vals[v.Sym]
	}
	return out, true
}

func sameValues(a, b []logic.Value) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

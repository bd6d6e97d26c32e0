package ir

import (
	"slices"
	"testing"

	"comus/logic"
)

// joining is the template of [replicated] whose instances end, and whose main joins them in a second loop.
func joining() *Program {
	return replicated(func(p *Program, t *Thread, _, _, _ *Var) {
		end, last := t.Locs[len(t.Locs)-1], t.NewLoc(Pos{})
		t.NewEdge(end, last, Pos{}, "end").Kind = End
		main := p.Threads[0]
		then := main.NewLoc(Pos{})
		main.NewEdge(main.Entry, then, Pos{}, "then")
		main.NewEdge(then, then, Pos{}, "join").Kind = Joined
	})
}

// everywhere makes all locations places.
func everywhere(p *Program) [][]bool {
	var out [][]bool
	for _, t := range p.Threads {
		out = append(out, slices.Repeat([]bool{true}, len(t.Locs)))
	}
	return out
}

// TestCensus looks at what is counted, and at the program with three instances: how many there are is what their places say.
func TestCensus(t *testing.T) {
	p := joining()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	q, head := p.Census(everywhere(p))
	counters := head.Counters
	if err := q.CheckStructure(); err != nil {
		t.Fatal(err)
	}
	if f := q.Threads[1]; len(counters) != len(f.Locs)+1 {
		t.Errorf("%d counters for %d locations", len(counters), len(f.Locs))
	}
	change := func(e *Edge) map[string]int64 {
		by := map[string]int64{}
		for _, c := range e.Cmds {
			if c.Kind == Assign && counters[c.Var] {
				k, _ := p.L.Sub(c.Expr, c.Var.Sym).Const()
				n, _ := k.Int64()
				by[c.Var.Name] += n
			}
		}
		return by
	}
	sum := func(by map[string]int64) (n int64) {
		for _, k := range by {
			n += k
		}
		return n
	}
	q.Threads[1].Edges(func(e *Edge) {
		if by := change(e); sum(by) != 0 || by["at1."+logic.IntValue(int64(e.To.Index)).String()] < 0 {
			t.Errorf("%s counts %v", e, by)
		}
	})
	q.Threads[0].Edges(func(e *Edge) {
		switch by := change(e); {
		case e.Kind == Create && by["at1.0"] == 1 && len(by) == 1:
		case e.Kind == Joined && by["at1.6"] == -1 && by["joined1"] == 1 && e.Cmds[0].Kind == Assume:
		case e.Kind == Plain && len(by) == 0:
		default:
			t.Errorf("%s counts %v", e, by)
		}
	})
}

// TestHeadcount looks at which counters say how many instances there are: neither those at the entry nor those at the end.
func TestHeadcount(t *testing.T) {
	q, head := joining().Census(everywhere(joining()))
	for _, l := range q.Threads[1].Locs {
		if _, exact := head.Exact[l]; exact != (l.Index != 6 && l.Index != 0) {
			t.Errorf("location %d: exact %v", l.Index, exact)
		}
	}
	if len(head.Exact) != len(q.Threads[1].Locs)-2 {
		t.Errorf("%d exact counters", len(head.Exact))
	}
}

// TestCensusWithoutEnd has no place at the end: nothing is assumed of those that are joined.
func TestCensusWithoutEnd(t *testing.T) {
	p := joining()
	places := everywhere(p)
	places[1][6] = false
	q, _ := p.Census(places)
	q.Threads[0].Edges(func(e *Edge) {
		if e.Kind == Joined && len(e.Cmds) > 0 {
			t.Errorf("%s", e)
		}
	})
}

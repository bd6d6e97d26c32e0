package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"comus/ir"
	"comus/logic"
)

// wild makes random programs and facts of all shapes: inputs, choices, remainders,
// negative factors, locations in guards and in sums.
type wild struct {
	r  *rand.Rand
	pr *program
	// large says that some variables have 64 bits, and that there are large numbers.
	large bool
}

// newWild makes a program of two or three threads with branches, of which some
// locations are nodes and some of these cut-points.
func newWild(t testing.TB, r *rand.Rand) *wild {
	t.Helper()
	p := ir.NewProgram("wild")
	newVar(p, "x", ir.Shared)
	w := &wild{r: r, pr: &program{Program: p, l: p.L}, large: r.IntN(4) == 0}
	y, z := ir.Type{Bits: 4, Signed: true}, ir.Type{Bits: 2}
	if w.large {
		y.Bits, z.Bits = 64, 64
	}
	p.NewVar("y", y, ir.Shared)
	p.NewVar("z", z, ir.Shared)
	c := &Certificate{}
	for i := range 2 + r.IntN(2) {
		th := p.NewThread(fmt.Sprint("t", i))
		for range 3 + r.IntN(2) {
			th.NewLoc(ir.Pos{})
		}
		nodes, cuts := []int{0}, []int{0}
		for k := 1; k < len(th.Locs); k++ {
			th.NewEdge(th.Locs[k-1], th.Locs[k], ir.Pos{}, "", w.commands()...)
			if r.IntN(3) == 0 {
				th.NewEdge(th.Locs[k-1], th.Locs[r.IntN(len(th.Locs)-k)+k], ir.Pos{}, "", w.commands()...)
			}
			if r.IntN(4) > 0 {
				nodes = append(nodes, k)
				if r.IntN(4) > 0 {
					cuts = append(cuts, k)
				}
			}
		}
		if r.IntN(2) == 0 {
			th.NewEdge(th.Locs[nodes[len(nodes)-1]], th.Entry, ir.Pos{}, "", w.commands()...)
		}
		fail(th, th.Locs[1], p.L.True())
		c.Threads = append(c.Threads, Thread{i, nodes, cuts})
	}
	pr, err := newProgram(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := pr.readThreads(c); err != nil {
		t.Fatal(err)
	}
	w.pr = pr
	return w
}

func (w *wild) commands() []ir.Cmd {
	l := w.pr.l
	var out []ir.Cmd
	for range w.r.IntN(3) {
		v := w.pr.Vars[w.r.IntN(3)]
		switch w.r.IntN(6) {
		case 0:
			out = append(out, ir.HavocCmd(v, "input"))
		case 1:
			out = append(out, ir.AssumeCmd(w.atom(w.sum())))
		case 2:
			out = append(out, ir.AssignCmd(v, w.sum()))
		case 3:
			out = append(out, ir.AssignCmd(v, l.Ite(w.atom(w.sum()), w.sum(), v.Sym)))
		default:
			out = append(out, ir.AssignCmd(v, l.Add(v.Sym, l.Int(int64(w.r.IntN(3)-1)))))
		}
	}
	return out
}

// sum returns a random term over variables.
func (w *wild) sum() *logic.Term {
	l := w.pr.l
	var parts []*logic.Term
	for range 1 + w.r.IntN(2) {
		k := []int64{1, 1, 1, -1, -1, 2, -2, 3}[w.r.IntN(8)]
		if w.large && w.r.IntN(6) == 0 {
			k = []int64{math.MinInt64, math.MaxInt64, 1 << 62}[w.r.IntN(3)]
		}
		parts = append(parts, l.Mul(l.Int(k), w.leaf()))
	}
	return l.Add(parts...)
}

func (w *wild) leaf() *logic.Term {
	l := w.pr.l
	v := func() *logic.Term { return w.pr.Vars[w.r.IntN(3)].Sym }
	switch w.r.IntN(14) {
	case 0:
		return l.Mod(l.Add(v(), l.Int(int64(w.r.IntN(9)-4))), l.Int([]int64{4, 5, -3, 16}[w.r.IntN(4)]))
	case 1:
		return l.Div(v(), l.Int([]int64{2, -3}[w.r.IntN(2)]))
	case 2:
		return l.Ite(w.atom(v()), l.Add(v(), l.Int(1)), l.Neg(v()))
	case 3:
		return l.TruncMod(v(), l.Int(3))
	case 4:
		return l.Mul(v(), v())
	}
	return v()
}

func (w *wild) atom(left *logic.Term) *logic.Term {
	l, k := w.pr.l, w.pr.l.Int(int64(w.r.IntN(10)-4))
	if w.large && w.r.IntN(3) == 0 { // around the ends of the types
		k = l.Add(k, l.Mul(l.Int(int64(w.r.IntN(5)-2)), l.Int(math.MinInt64)))
	}
	switch w.r.IntN(5) {
	case 0:
		return l.Eq(left, k)
	case 1:
		return l.Ne(left, k)
	case 2:
		return l.Ge(left, k)
	}
	return l.Le(left, k)
}

// fact returns a random fact: mostly a bound with a guard. The terms are few, so
// that facts have something to do with each other.
func (w *wild) fact(terms []*logic.Term) *logic.Term {
	l, r := w.pr.l, w.r
	var or []*logic.Term
	for _, t := range w.pr.threads {
		k := func() *logic.Term { return l.Int(int64(r.IntN(len(t.Locs)+2) - 1)) }
		switch r.IntN(7) {
		case 0, 1:
			or = append(or, l.Ne(t.PC, k()))
		case 2:
			or = append(or, l.Lt(t.PC, k()), l.Gt(t.PC, k()))
		case 3:
			or = append(or, []*logic.Term{l.Ge(t.PC, k()), l.Le(t.PC, k()), l.Eq(t.PC, k())}[r.IntN(3)])
		}
	}
	term := func() *logic.Term { return terms[r.IntN(len(terms))] }
	switch r.IntN(12) {
	case 0: // nothing is there
	case 1:
		or = append(or, l.And(w.atom(term()), w.atom(term())))
	case 2:
		or = append(or, w.atom(term()), w.atom(term()))
	case 3:
		or = append(or, w.atom(l.Add(term(), w.pr.threads[r.IntN(len(w.pr.threads))].PC)))
	case 4:
		t := w.pr.threads[r.IntN(len(w.pr.threads))]
		or = append(or, w.atom(l.Add(term(), l.Ite(l.Eq(t.PC, l.Int(2)), l.Int(1), w.leaf()))))
	case 5:
		or = append(or, l.And(w.atom(term()), l.Or(w.atom(w.pr.threads[0].PC), w.atom(term()))))
	default:
		or = append(or, w.atom(term()))
	}
	return l.Or(or...)
}

// TestBlockFactsAgainstSolver compares the facts that are said to be kept by a
// block, because they are not concerned or without the solver, with the solver's
// answer about the whole fact and all facts.
func TestBlockFactsAgainstSolver(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	n := 150
	if testing.Short() {
		n = 40
	}
	kept, open, concerned := 0, 0, 0
	for range n {
		w := newWild(t, r)
		pr, l := w.pr, w.pr.l
		terms := []*logic.Term{pr.Vars[0].Sym, pr.Vars[1].Sym, pr.Vars[2].Sym, w.sum(), w.sum(), l.Add(pr.Vars[0].Sym, pr.Vars[1].Sym)}
		var list []*logic.Term
		for range 10 {
			list = append(list, w.fact(terms))
		}
		ck := testChecker(t, pr, l.And(list...))
		if l.And(list...).IsFalse() {
			continue
		}
		holds := func(hyp, goal *logic.Term, what string) {
			if ok, err := ck.prover.valid(hyp, goal); err != nil || !ok {
				t.Fatalf("%s\nfacts %s\n%s does not follow from %s (%v)", what, l.And(list...), goal, hyp, err)
			}
		}
		for _, th := range pr.threads {
			for _, n := range th.nodes {
				before := l.Subst(l.And(ck.facts.all...), map[*logic.Term]*logic.Term{th.PC: l.Int(int64(n))})
				for _, a := range th.assigned {
					if goal := pr.TermInRange(a.val, a.v.Type); a.from == n && ck.facts.rows.newBox(th.Index, n, a.cond).proves(nil, goal) {
						holds(l.And(before, a.cond), goal, "type")
					}
				}
				for _, b := range th.out[n] {
					if b.to.Error {
						continue
					}
					left := map[*logic.Term]bool{}
					for _, o := range ck.blockFacts(th, b, map[string]*logic.Term{}) {
						left[o.about] = true
					}
					after := map[*logic.Term]*logic.Term{th.PC: l.Int(int64(b.to.Index))}
					for s, val := range b.env {
						after[s] = val
					}
					ck.facts.rows.concerned(b, after, func(*row, *logic.Term) { concerned++ })
					for _, f := range ck.facts.all {
						if left[f] {
							open++
							continue
						}
						kept++
						holds(l.And(before, b.cond), l.Subst(f, after), fmt.Sprintf("thread %d from %d to %d", th.Index, n, b.to.Index))
					}
				}
			}
		}
	}
	t.Logf("%d facts kept, %d not known, %d rows concerned", kept, open, concerned)
	if kept < n || open < n {
		t.Errorf("too few facts were kept (%d) or left (%d)", kept, open)
	}
}
